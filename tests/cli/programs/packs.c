/* #pragma pack in all of its forms: what sets it, saves it, gives it back, or is ignored. */
#include <stddef.h>
#include <stdio.h>
#define RECORD(name) struct name { char c; long double l; short s; int i; }
#define TELL(name) printf(#name " %zu %zu %zu\n", offsetof(struct name, l), offsetof(struct name, i), sizeof(struct name))
RECORD(plain);
#pragma pack(2)
RECORD(two);
#pragma pack(push, 1)
RECORD(one);
#pragma pack(pop)
RECORD(two_again);
#pragma pack(pop)
RECORD(nothing_to_pop);
#pragma pack(push, outer)
#pragma pack(4)
#pragma pack(push, inner, 8)
RECORD(eight);
#pragma pack(push)
#pragma pack(1)
RECORD(one_inside);
#pragma pack(pop, inner)
RECORD(four);
#pragma pack(3)
RECORD(three_is_ignored);
#pragma pack(push, 5)
RECORD(five_is_ignored);
#pragma pack(pop)
RECORD(two_of_outer);
#pragma pack()
RECORD(plain_again);
#pragma pack ( push , 16 )
RECORD(sixteen);
_Pragma("pack(pop)") RECORD(popped);
#pragma pack(0)
RECORD(zero);
int main(void)
{
    TELL(plain), TELL(two), TELL(one), TELL(two_again), TELL(nothing_to_pop), TELL(eight), TELL(one_inside);
    TELL(four), TELL(three_is_ignored), TELL(five_is_ignored), TELL(two_of_outer), TELL(plain_again);
    TELL(sixteen), TELL(popped), TELL(zero);
    return 0;
}
