/* assign-overlap: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
struct s { int a[4]; }; union { struct { int pad; struct s s; } x; struct s t; } u; int main(void) { struct s *p = &u.x.s, *q = &u.t; *q = *p; return 0; }
#elif CASE == 2
struct s { char a[4]; }; char b[8]; int main(void) { struct s *p = (struct s *)b, *q = (struct s *)(b + 2); *p = *q; return 0; }
#elif CASE == 3
struct s { int a[4]; } x; int main(void) { struct s *p = &x, *q = &x; *q = *p; return 0; }
#elif CASE == 4
struct s { char a[4]; }; char b[8]; int main(void) { struct s *p = (struct s *)b, *q = (struct s *)(b + 4); *p = *q; return 0; }
#endif
