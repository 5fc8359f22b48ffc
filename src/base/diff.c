/* A unified diff of two texts, line by line (Myers 1986, greedy).  Texts that differ in more lines
 * than is worth looking for are shown as one change. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3, MOST_DIFFERENCES = 2000 };

struct line {
    const char *s;
    size_t n;
    uint64_t hash;
};

struct lines {
    struct line *at;
    size_t n;
};

static struct lines split(struct arena *a, const char *s, size_t n)
{
    struct lines l = {0};
    size_t room = 1;
    for (size_t i = 0; i < n; i++)
        room += s[i] == '\n';
    l.at = NEW_ARRAY(a, room, struct line);
    for (size_t from = 0; from < n;) {
        const char *end = memchr(s + from, '\n', n - from);
        size_t size = end ? (size_t)(end - (s + from)) : n - from;
        l.at[l.n++] = (struct line){s + from, size, hash_bytes(s + from, size)};
        from += size + 1;
    }
    return l;
}

static bool same(const struct line *a, const struct line *b)
{
    return a->hash == b->hash && a->n == b->n && memcmp(a->s, b->s, a->n) == 0;
}

/* Which lines stay: keep_a[i] and keep_b[j] for the pairs that are the same. */
struct match {
    struct lines a, b;
    bool *keep_a, *keep_b;
};

/* Furthest x on diagonal k after each number of differences, kept to walk back. */
static bool find_path(struct arena *arena, struct match *m, size_t low, size_t end_a, size_t end_b)
{
    long na = (long)(end_a - low), nb = (long)(end_b - low);
    long most = na + nb < MOST_DIFFERENCES ? na + nb : MOST_DIFFERENCES;
    long *v = NEW_ARRAY(arena, (size_t)(2 * most + 3), long);
    long **trace = NEW_ARRAY(arena, (size_t)most + 1, long *);
    long middle = most + 1;
    for (long d = 0; d <= most; d++) {
        trace[d] = arena_grow(arena, v, (size_t)(2 * most + 3), (size_t)(2 * most + 3), sizeof *v);
        for (long k = -d; k <= d; k += 2) {
            bool down = k == -d || (k != d && v[middle + k - 1] < v[middle + k + 1]);
            long x = down ? v[middle + k + 1] : v[middle + k - 1] + 1, y = x - k;
            while (x < na && y < nb && same(&m->a.at[low + (size_t)x], &m->b.at[low + (size_t)y]))
                x++, y++;
            v[middle + k] = x;
            if (x < na || y < nb)
                continue;
            for (long back = d; back >= 0; back--) { /* x, y: where the step ended */
                const long *w = trace[back];
                long diagonal = x - y;
                bool came_down = diagonal == -back ||
                                 (diagonal != back &&
                                  w[middle + diagonal - 1] < w[middle + diagonal + 1]);
                long from = came_down ? diagonal + 1 : diagonal - 1;
                long px = back ? w[middle + from] : 0, py = back ? px - from : 0;
                while (x > px && y > py && x > 0 && y > 0 &&
                       same(&m->a.at[low + (size_t)x - 1], &m->b.at[low + (size_t)y - 1])) {
                    x--, y--;
                    m->keep_a[low + (size_t)x] = m->keep_b[low + (size_t)y] = true;
                }
                x = px;
                y = py;
            }
            return true;
        }
    }
    return false;
}

static void find_matches(struct arena *arena, struct match *m)
{
    size_t low = 0, end_a = m->a.n, end_b = m->b.n;
    while (low < end_a && low < end_b && same(&m->a.at[low], &m->b.at[low])) {
        m->keep_a[low] = m->keep_b[low] = true;
        low++;
    }
    while (end_a > low && end_b > low && same(&m->a.at[end_a - 1], &m->b.at[end_b - 1])) {
        end_a--, end_b--;
        m->keep_a[end_a] = m->keep_b[end_b] = true;
    }
    if (low < end_a && low < end_b)
        find_path(arena, m, low, end_a, end_b);
}

/* One hunk from (i, j) on: its lines go to body; moves both behind it. */
static void put_hunk(const struct match *m, size_t *i, size_t *j, struct text *out)
{
    struct text body = {0};
    size_t start = *i < CONTEXT ? *i : CONTEXT;
    size_t a = *i - start, b = *j - start, first_a = a, first_b = b, quiet = 0;
    while ((a < m->a.n || b < m->b.n) && (quiet <= 2 * CONTEXT || a < *i)) {
        bool kept = a < m->a.n && m->keep_a[a];
        bool gone = a < m->a.n && !kept;
        bool new = b < m->b.n && !m->keep_b[b];
        const struct line *l = kept && !new ? &m->a.at[a] : gone ? &m->a.at[a] : &m->b.at[b];
        if (gone) {
            text_putc(&body, '-');
            a++;
        } else if (new) {
            text_putc(&body, '+');
            b++;
        } else {
            text_putc(&body, ' ');
            a++, b++;
        }
        quiet = gone || new ? 0 : quiet + 1;
        text_add(&body, l->s, l->n);
        text_putc(&body, '\n');
    }
    while (quiet > CONTEXT) { /* too much of what follows */
        size_t n = body.n - 1;
        while (n && body.s[n - 1] != '\n')
            n--;
        body.n = n;
        body.s[n] = 0;
        a--, b--, quiet--;
    }
    text_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", first_a + 1, a - first_a, first_b + 1,
                b - first_b);
    text_add(out, text_str(&body), body.n);
    text_free(&body);
    *i = a;
    *j = b;
}

bool text_diff(const struct text *before, const struct text *after, const char *name_before,
               const char *name_after, struct text *out)
{
    struct arena arena = {0};
    struct match m = {split(&arena, text_str(before), before->n),
                      split(&arena, text_str(after), after->n), NULL, NULL};
    bool any = false;
    m.keep_a = NEW_ARRAY(&arena, m.a.n + 1, bool);
    m.keep_b = NEW_ARRAY(&arena, m.b.n + 1, bool);
    find_matches(&arena, &m);
    for (size_t i = 0, j = 0; i < m.a.n || j < m.b.n;) {
        if (i < m.a.n && j < m.b.n && m.keep_a[i] && m.keep_b[j]) {
            i++, j++;
            continue;
        }
        if (!any)
            text_printf(out, "--- %s\n+++ %s\n", name_before, name_after);
        any = true;
        put_hunk(&m, &i, &j, out);
    }
    arena_free(&arena);
    return any;
}
