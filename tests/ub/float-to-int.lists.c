/* Floating values into bit-fields, by initialisers and by compound assignment. */
struct s { unsigned a : 3; int b : 4; };
int main(void)
{
    volatile double eight = 8.5;
#if CASE == 1
    struct s s = {.b = eight};
#elif CASE == 2
    struct s s = {7, 0};
    s.a += eight / 4;
#elif CASE == 3
    struct s s = {eight - 1, -eight};
    s.a -= 0.5;
#else
    struct s s = {(int)eight, 1}; /* an integer is cut, as the implementation says */
    s.b += eight - 4;
#endif
    return s.a + s.b == 100;
}
