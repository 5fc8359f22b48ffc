/* GNU: where a block in parentheses has its value from. */
#include <stdio.h>

struct three {
    int a[3];
};

static int labelled(int x)
{
    return ({
        __label__ out;
        int y = x;
        if (y > 3)
            goto out;
        y *= 2;
    out:
        y;
    });
}

static int again(int x)
{
    int n = ({
        int i = 0;
    more:
    and_more:
        i < x ? i++ : 0;
        if (i < 3)
            goto more;
        if (i > 100)
            goto and_more;
    last:
        if (i == 77)
            goto last;
    value:
        (i == 55 ? ({ goto value; 1; }) : i) + 4;
    });
    return n;
}

static int empty_behind(int x)
{
    int n = ({
        x++;
        x + 1;
        ;
    });
    if (x > 1000)
        n = ({
            x--;
        dead:
            x - 1;
            ;
            ;
        });
    if (x > 1001)
        goto dead2;
    return n;
dead2:
    return ({ again: n--; if (n > 3) goto again; labelled: n; });
}

int main(void)
{
    struct three t = {{1, 2, 3}};
    int k = 0;
    printf("%d %d %d %d\n", labelled(2), labelled(5), again(3), empty_behind(4));
    printf("%d\n", ({
               k += 2;
           whole:
               t;
           }).a[1]);
    printf("%g %d\n", ({ half: k * 1.5; }), ({ ; ; 1; }));
    ({
        k++;
    nothing:;
    });
    void *to = &&here;
    k += ({
        goto *to;
    here:
        k + 5;
    });
    printf("%d\n", k);
    return 0;
}
