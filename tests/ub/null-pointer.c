/* null-pointer: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { int *p = 0; return *p; }
#elif CASE == 2
struct s { int a, b; }; int main(void) { struct s *p = 0; p->b = 1; return 0; }
#elif CASE == 3
int main(void) { int *p = 0; return p ? *p : 0; }
#elif CASE == 4
struct s { int a, b; }; int main(void) { return (int)(unsigned long)&((struct s *)0)->b - 4; }
#endif
