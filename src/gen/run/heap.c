/* Objects without a declared type: malloc and its like, alloca.  They may hold pointers anywhere.
 * Nothing looks at an object that was freed: what is built gives it up by its own text. */
#include "gen/run/run.h"

static struct object *raw_object(struct gen *g, uint64_t size)
{
    struct object *o = run_mem_new(g, lang_array(g->p, lang_basic(g->p, TYPE_UCHAR), size), NULL);
    o->links = NEW_ARRAY(&g->arena, size / g->pointer_size + 1, struct link);
    return o;
}

static struct object *resized(struct gen *g, const struct object *from, uint64_t size)
{
    struct object *o = raw_object(g, size);
    run_mem_copy(g, o, 0, from, 0, from->size < size ? from->size : size);
    return o;
}

bool run_heap(struct gen *g, const struct decl *d, const struct val *a, struct val *v)
{
    uint64_t first = (uint64_t)a[0].bits, second = (uint64_t)a[1].bits;
    switch (d->builtin) {
    case BUILTIN_malloc:
    case BUILTIN_alloca:
        v->link = (struct link){raw_object(g, first), 0};
        return true;
    case BUILTIN_calloc:
        v->link = (struct link){raw_object(g, first * second), 0};
        run_mem_zero(v->link.to);
        return true;
    case BUILTIN_realloc:
        v->link = (struct link){resized(g, a[0].link.to, second), 0};
        return true;
    case BUILTIN_free:
        return true;
    default:
        return false;
    }
}
