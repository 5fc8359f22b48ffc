/* builtin-argument: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { unsigned x = 0; return __builtin_clz(x); }
#elif CASE == 2
int main(void) { unsigned long x = 0; return __builtin_ctzl(x); }
#elif CASE == 3
int main(void) { unsigned x = 1; return __builtin_clz(x) - 31; }
#elif CASE == 4
int main(void) { unsigned x = 0; return __builtin_popcount(x) + __builtin_ffs(0); }
#endif
