/* missing-return: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int f(int x) { if (x) return 1; } int main(void) { return f(0); }
#elif CASE == 2
double f(void) { } int main(void) { double d = f(); return d > 0; }
#elif CASE == 3
int f(int x) { if (x) return 1; } int main(void) { f(0); return 0; }
#elif CASE == 4
int f(int x) { if (x) return 0; } int main(void) { return f(1); }
#endif
