/* record-aliasing: CASE 1 and 2 have it, 3 and 4 are near and defined. */
struct a { int x, y; };
struct b { int x, y; };
struct outer { struct a in; int z; };
union u { struct a a; struct b b; };
static int both(struct a *p, struct b *q) { p->x = 1; q->x = 2; return p->x; }
static int get(struct outer *o) { return o->in.x; }
int main(void)
{
    struct a s = {1, 2}, t[3] = {{3, 4}};
    union u u = {{1, 2}};
    struct outer o = {{1, 2}, 3};
#if CASE == 1
    return both(&s, (struct b *)&s) - 2;
#elif CASE == 2
    return ((struct b *)&t[1])->y;
#elif CASE == 3
    return ((struct a *)&o)->y + ((struct b *)&u)->x - 3;
#else
    return get((struct outer *)&o.in) + ((struct a *)(struct b *)&t[0])->x - 4;
#endif
}
