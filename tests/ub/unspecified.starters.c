/* Constructors of one priority come in whatever order, and destructors; of two priorities not. */
#include <stdio.h>
static int n = 1;
#if CASE == 1
__attribute__((constructor)) static void a(void) { n += 2; }
__attribute__((constructor)) static void b(void) { n *= 3; }
#elif CASE == 2
__attribute__((destructor)) static void a(void) { puts("a"); }
__attribute__((destructor)) static void b(void) { puts("b"); }
#elif CASE == 3
__attribute__((constructor(200))) static void a(void) { n += 2; }
__attribute__((constructor(101))) static void b(void) { n *= 3; }
__attribute__((destructor(300))) static void c(void) { puts("c"); }
__attribute__((destructor)) static void d(void) { puts("d"); }
#else
__attribute__((constructor)) static void a(void) { n += 2; }
__attribute__((constructor)) static void b(void) { n += 3; }
#endif
int main(void)
{
    printf("%d\n", n);
    return 0;
}
