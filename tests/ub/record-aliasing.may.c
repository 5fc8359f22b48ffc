/* record-aliasing: a structure that is declared may_alias lies wherever it likes. */
struct plain {
    int x;
};
struct loose {
    int x;
} __attribute__((may_alias));
struct later;
typedef struct later later;
struct __attribute__((may_alias)) later {
    int x;
};
struct other {
    int x, y;
};
int main(void)
{
    struct other o = {1, 2};
#if CASE == 1
    return ((struct plain *)&o)->x - 1;
#elif CASE == 2
    struct loose l = {3};
    return ((struct plain *)&l)->x - 3;
#elif CASE == 3
    return ((struct loose *)&o)->x - 1;
#else
    later *p = (later *)&o;
    return p->x - 1;
#endif
}
