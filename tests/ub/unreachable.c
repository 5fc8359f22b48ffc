/* unreachable: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { int x = 1; if (x) __builtin_unreachable(); return 0; }
#elif CASE == 2
int f(int x) { switch (x) { case 1: return 1; default: __builtin_unreachable(); } } int main(void) { return f(2); }
#elif CASE == 3
int main(void) { int x = 0; if (x) __builtin_unreachable(); return 0; }
#elif CASE == 4
int f(int x) { switch (x) { case 1: return 0; default: __builtin_unreachable(); } } int main(void) { return f(1); }
#endif
