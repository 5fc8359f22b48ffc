/* vla-size: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { int n = 0; int a[n]; return sizeof a; }
#elif CASE == 2
int main(void) { int n = -1; char (*p)[n] = 0; return p != 0; }
#elif CASE == 3
int main(void) { int n = 1; int a[n]; a[0] = 0; return a[0]; }
#elif CASE == 4
int main(void) { int n = 3; char (*p)[n] = 0; return (int)sizeof *p - 3 + (p != 0); }
#endif
