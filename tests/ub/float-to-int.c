/* float-to-int: CASE 1 and 2 have it, 3 and 4 are near and defined. */
#if CASE == 1
int main(void) { double d = 3e9; int i = d; return i == 0; }
#elif CASE == 2
int main(void) { float f = -1.5f; unsigned char c = f; return c == 0; }
#elif CASE == 3
int main(void) { double d = 3e9; unsigned i = d; return i != 3000000000u; }
#elif CASE == 4
int main(void) { float f = -0.9f; unsigned char c = f; return c; }
#endif
