/* infinite-loop: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { int x = 1; while (x) ; return 0; }
#elif CASE == 2
int a[2] = {1}; int main(void) { for (int i = 0; a[i];) ; return 0; }
#elif CASE == 3
int main(void) { int x = 1; while (x) x = 0; return 0; }
#elif CASE == 4
int main(void) { int n = 0; while (1) if (n++ > 3) break; return 0; }
#endif
