/* Alignment asked for in types: of typedefs, of type names, of records, through _Alignas. */
#include <stdio.h>
typedef __attribute__((aligned(16))) int early;
typedef int late __attribute__((aligned(16))), row[3] __attribute__((aligned(32)));
typedef const late more;
struct held { late x; };
_Alignas(early) char a; _Alignas(row) char b; _Alignas(more) char c; _Alignas(volatile early) char d;
_Alignas(int __attribute__((aligned(16)))) char e; _Alignas(__typeof__(late)) char f;
_Alignas(struct held) char g; _Alignas(late *) char h; _Alignas(short) _Alignas(double) char i;
struct { char c; _Alignas(more) char z; } st;
#define A(...) printf("%s %d\n", #__VA_ARGS__, (int)_Alignof(__VA_ARGS__));
int main(void)
{
    A(a) A(b) A(c) A(d) A(e) A(f) A(g) A(h) A(i) A(st) A(st.z) A(early) A(late) A(row) A(more) A(const late)
    A(struct held) A(int __attribute__((aligned(16)))) A(int __attribute__((aligned(16))) *)
    more local = 3; _Alignas(row) short other = 1;
    A(local) A(other)
    printf("%d %d %d\n", (int)sizeof st, (int)((unsigned long)&other % 32), (int)((unsigned long)&b % 32));
    return local + other - 4;
}
