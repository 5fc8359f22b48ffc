/* CASE 1 and 2: main returns what gives no exit status that is known (C11 5.1.2.2.3p1); 3 and 4: it
 * does not return, or falls off its end. */
#include <stdio.h>
#include <stdlib.h>
#if CASE == 1
void main(void) { puts("1"); }
#elif CASE == 2
static int x;
int *main(int argc, char **argv) { return argc && argv ? &x : 0; }
#elif CASE == 3
void main(void) { exit(puts("3") < 0); }
#else
int main(void) { puts("4"); }
#endif
