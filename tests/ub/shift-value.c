/* shift-value: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { int x = -1; return x << 1; }
#elif CASE == 2
int main(void) { int x = 1 << 30; return x << 1; }
#elif CASE == 3
int main(void) { int x = -1; return (x >> 1) + 1; }
#elif CASE == 4
int main(void) { unsigned x = 1u << 31; return (int)(x << 1); }
#endif
