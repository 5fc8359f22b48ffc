/* Types and declarators as C text.  A declarator grows around the name, from the inside out;
 * what is left of the type when no declarator part remains are the specifiers. */
#include "lang/print.h"

#include <string.h>

/* ---- attributes and qualifiers ---------------------------------------------------------- */

static void print_quals(struct text *out, unsigned quals)
{
    static const struct {
        uint8_t qual;
        const char *text;
    } names[] = {{QUAL_CONST, "const "},
                 {QUAL_VOLATILE, "volatile "},
                 {QUAL_RESTRICT, "__restrict "},
                 {QUAL_ATOMIC, "_Atomic "}};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (quals & names[i].qual)
            text_puts(out, names[i].text);
}

static void gnu_attrs(struct text *out, const struct attr *a)
{
    const char *separator = "__attribute__((";
    for (; a; a = a->next) {
        if (a->standard)
            continue;
        text_puts(out, separator);
        text_puts(out, a->text);
        separator = ", ";
    }
    if (separator[0] == ',')
        text_puts(out, "))");
}

void print_attrs(struct printer *pr, const struct attr *a, bool before)
{
    bool gnu = false;
    for (const struct attr *i = a; i; i = i->next) {
        gnu = gnu || !i->standard;
        if (i->standard)
            text_printf(pr->out, before ? "[[%s]] " : " [[%s]]", i->text);
    }
    if (!gnu)
        return;
    if (!before)
        text_putc(pr->out, ' ');
    gnu_attrs(pr->out, a);
    if (before)
        text_putc(pr->out, ' ');
}

void print_specs(struct printer *pr, const struct specs *s)
{
    static const char *const storages[] = {
        [STORAGE_NONE] = "",      [STORAGE_EXTERN] = "extern ",     [STORAGE_STATIC] = "static ",
        [STORAGE_AUTO] = "auto ", [STORAGE_REGISTER] = "register ", [STORAGE_TYPEDEF] = "typedef ",
    };
    print_attrs(pr, s->attrs, true);
    text_puts(pr->out, storages[s->storage]);
    if (s->thread)
        text_puts(pr->out, "__thread ");
    if (s->inline_)
        text_puts(pr->out, "inline ");
    if (s->noreturn)
        text_puts(pr->out, "_Noreturn ");
    for (uint32_t i = 0; i < s->alignas_count; i++) {
        text_puts(pr->out, "_Alignas(");
        print_expr(pr, s->alignas_exprs[i], PREC_COND);
        text_puts(pr->out, ") ");
    }
}

/* ---- specifiers ------------------------------------------------------------------------- */

static void print_tag(struct printer *pr, const char *what, const char *tag)
{
    text_printf(pr->out, "%s%s%s", what, tag ? " " : "", tag ? tag : "");
}

static void print_definition(struct printer *pr, const struct node *body)
{
    if (body->kind == NODE_ENUM) {
        print_tag(pr, "enum", body->u.enumeration->tag);
        print_enum_body(pr, body);
        print_attrs(pr, body->u.enumeration->attrs, false);
        return;
    }
    const struct record *r = body->u.record;
    print_tag(pr, r->is_union ? "union" : "struct", r->tag);
    print_record_body(pr, body);
    print_attrs(pr, r->attrs, false);
}

static void print_typeof(struct printer *pr, const struct type *t)
{
    text_puts(pr->out, "__typeof__(");
    if (t->u.expr)
        print_expr(pr, t->u.expr, PREC_COMMA);
    else
        print_type_name(pr, t->base);
    text_putc(pr->out, ')');
}

void print_spec_type(struct printer *pr, const struct type *t)
{
    print_quals(pr->out, t->quals);
    switch (t->kind) {
    case TYPE_STRUCT:
    case TYPE_UNION:
        print_tag(pr, t->kind == TYPE_UNION ? "union" : "struct", t->u.record->tag);
        break;
    case TYPE_ENUM:
        print_tag(pr, "enum", t->u.enumeration->tag);
        break;
    case TYPE_DEFINITION:
        print_definition(pr, t->u.body);
        break;
    case TYPE_TYPEDEF:
        text_puts(pr->out, t->u.decl->name);
        break;
    case TYPE_TYPEOF:
        print_typeof(pr, t);
        break;
    case TYPE_AUTO:
        text_puts(pr->out, "__auto_type");
        break;
    case TYPE_VECTOR:
        text_printf(pr->out, "__attribute__((vector_size(%llu))) ",
                    (unsigned long long)lang_sizeof(pr->program, t));
        print_spec_type(pr, t->base);
        break;
    case TYPE_BITINT:
        text_printf(pr->out, "%s_BitInt(%llu)", t->base->kind == TYPE_UINT ? "unsigned " : "",
                    (unsigned long long)t->u.count);
        break;
    case TYPE_COMPLEX:
        text_puts(pr->out, "_Complex ");
        print_spec_type(pr, t->base);
        break;
    default:
        text_puts(pr->out, lang_type_info[t->kind].spelling);
        break;
    }
}

/* ---- declarators ------------------------------------------------------------------------ */

static bool is_declarator_part(const struct type *t)
{
    return t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY || t->kind == TYPE_FUNCTION ||
           t->kind == TYPE_ATTRIBUTED;
}

const struct type *spec_of(const struct type *t)
{
    while (is_declarator_part(t))
        t = t->base;
    return t;
}

static void prepend(struct text *t, const char *s)
{
    size_t n = strlen(s);
    text_reserve(t, n);
    memmove(t->s + n, t->s, t->n + 1);
    memcpy(t->s, s, n);
    t->n += n;
}

/* Runs the printer with its output going to the text. */
static struct printer into(const struct printer *pr, struct text *out)
{
    struct printer other = *pr;
    other.out = out;
    return other;
}

static void add_length(const struct printer *pr, const struct type *t, struct text *d)
{
    struct printer inner = into(pr, d);
    text_putc(d, '[');
    if (t->flags & TYPE_STATIC)
        text_puts(d, "static ");
    print_quals(d, t->quals);
    if (t->flags & TYPE_STAR)
        text_putc(d, '*');
    else if (t->u.length)
        print_expr(&inner, t->u.length, PREC_ASSIGN);
    else if (!(t->flags & TYPE_UNSIZED))
        text_printf(d, "%llu", (unsigned long long)t->u.count);
    text_putc(d, ']');
}

/* Is the attribute part of the type, which says so itself? */
static bool is_in_type(const struct attr *a)
{
    return strcmp(a->name, "vector_size") == 0 || strcmp(a->name, "mode") == 0;
}

static void add_param(struct printer *pr, const struct decl *param)
{
    const struct type *spec = spec_of(param->written);
    for (const struct attr *a = param->attrs; a; a = a->next) {
        struct attr alone = *a;
        alone.next = NULL;
        if (!is_in_type(a))
            print_attrs(pr, &alone, true);
    }
    if (param->storage == STORAGE_REGISTER)
        text_puts(pr->out, "register ");
    print_spec_type(pr, spec);
    print_declarator(pr, param->written, spec, param->name);
}

static void add_params(const struct printer *pr, const struct type *t, struct text *d)
{
    struct printer inner = into(pr, d);
    const struct function_type *f = t->u.function;
    text_putc(d, '(');
    for (uint32_t i = 0; i < f->count; i++) {
        if (i)
            text_puts(d, ", ");
        if (t->flags & TYPE_KNR)
            text_puts(d, f->params ? f->params[i]->name : "");
        else if (f->params)
            add_param(&inner, f->params[i]);
        else
            print_type_name(&inner, f->types[i]);
    }
    if (t->flags & TYPE_VARIADIC)
        text_puts(d, f->count ? ", ..." : "...");
    else if (f->count == 0 && t->flags & TYPE_PROTOTYPE)
        text_puts(d, "void");
    text_putc(d, ')');
}

static void add_pointer(const struct type *t, struct text *d)
{
    struct text quals = {0};
    text_putc(&quals, '*');
    print_quals(&quals, t->quals);
    if (d->n == 0 && quals.s[quals.n - 1] == ' ')
        quals.s[--quals.n] = 0;
    prepend(d, text_str(&quals));
    text_free(&quals);
}

static void add_attributes(const struct type *t, struct text *d)
{
    struct text attrs = {0};
    gnu_attrs(&attrs, t->u.attrs);
    text_putc(&attrs, ' ');
    prepend(d, text_str(&attrs));
    text_free(&attrs);
}

void print_declarator(struct printer *pr, const struct type *t, const struct type *spec,
                      const char *name)
{
    struct text d = {0};
    text_puts(&d, name ? name : "");
    bool prefixed = false; /* the text starts with * or an attribute */
    for (; t != spec && is_declarator_part(t); t = t->base) {
        bool suffix = t->kind == TYPE_ARRAY || t->kind == TYPE_FUNCTION;
        if (suffix && prefixed) {
            prepend(&d, "(");
            text_putc(&d, ')');
        }
        prefixed = !suffix;
        switch (t->kind) {
        case TYPE_POINTER:
            add_pointer(t, &d);
            break;
        case TYPE_ARRAY:
            add_length(pr, t, &d);
            break;
        case TYPE_FUNCTION:
            add_params(pr, t, &d);
            break;
        default:
            add_attributes(t, &d);
            break;
        }
    }
    if (d.n) {
        text_putc(pr->out, ' ');
        text_puts(pr->out, d.s);
    }
    text_free(&d);
}

void print_type_name(struct printer *pr, const struct type *t)
{
    const struct type *spec = spec_of(t);
    print_spec_type(pr, spec);
    print_declarator(pr, t, spec, NULL);
}

void lang_print_type(const struct program *p, const struct type *t, const char *name,
                     struct text *out)
{
    struct printer pr = {.program = p, .out = out};
    const struct type *spec = spec_of(t);
    print_spec_type(&pr, spec);
    print_declarator(&pr, t, spec, name);
}
