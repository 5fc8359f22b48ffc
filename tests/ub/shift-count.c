/* shift-count: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { int n = 32; return 1u << n; }
#elif CASE == 2
int main(void) { int n = -1; return 1 >> n; }
#elif CASE == 3
int main(void) { int n = 31; return (1u << n) == 0; }
#elif CASE == 4
int main(void) { int n = 63; return (1ull >> n) != 0; }
#endif
