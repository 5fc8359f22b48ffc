/* A restrict pointer that gets the value of another one, of a block around it (C11 6.7.3.1p11). */
struct s { int *restrict a; };
#if CASE == 1
static int f(int *restrict p) { int *t = p; int *restrict q = t; *q = 1; return *p; }
int main(void) { int x; return f(&x) - 1; }
#elif CASE == 2
static int f(struct s *s) { { int *restrict q = s->a; *q = 1; s->a[0]++; } return s->a[0]; }
int main(void) { int x; struct s s = {&x}; return f(&s) - 2; }
#elif CASE == 3
static int f(int *restrict p) { { int *t = p; int *restrict q = t; *q = 1; } return *p; }
int main(void) { int x; return f(&x) - 1; }
#else
static int f(struct s *s) { { int *restrict q = s->a; *q = 1; } s->a[0]++; return s->a[0]; }
int main(void) { int x; struct s s = {&x}; return f(&s) - 2; }
#endif
