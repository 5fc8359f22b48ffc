/* division-by-zero: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { int z = 0; return 5 / z; }
#elif CASE == 2
int main(void) { unsigned z = 0, a = 5; a %= z; return (int)a; }
#elif CASE == 3
int main(void) { int z = 0; return z && 5 / z; }
#elif CASE == 4
int main(void) { double z = 0; return !(5 / z > 1e300); }
#endif
