/* Fewer arguments than a function of the library takes: CASE 1 and 2 have it, 3 and 4 do not. */
#if CASE == 1
int puts(); int main(void) { return puts() < 0; }
#elif CASE == 2
int abs(void); int main(void) { return abs(); }
#elif CASE == 3
int puts(); int main(void) { return puts("") < 0; }
#elif CASE == 4
void *memset(); int main(void) { char c = 1; return (memset(&c, 0, sizeof c), c); }
#endif
