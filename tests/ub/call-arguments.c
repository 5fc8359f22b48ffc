/* call-arguments: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int f(); int main(void) { return f(1); } int f(a, b) int a, b; { return a - 1; }
#elif CASE == 2
int f(); int main(void) { return f(1.0); } int f(a) int a; { return a; }
#elif CASE == 3
int f(); int main(void) { return f(1, 2); } int f(a, b) int a, b; { return a + b - 3; }
#elif CASE == 4
int f(); int main(void) { char c = 0; return f(c); } int f(a) char a; { return a; }
#endif
