/* What of generated programs is in vain?
 *
 *   waste FILE.c...
 *
 * Reads programs as cupel gen prints them (without macros), and counts, for all of them together:
 * conditions of if and switch that compilers compute, x = x, constants that change nothing (x +=
 * 0), locals that nothing names, memcmp of an object with itself, empty blocks behind labels,
 * results that nobody takes, statements that stand in main as a flat list, and bytes of data
 * tables.  Exit status 0, or 2 when a program cannot be read. */
#include "base/base.h"
#include "front/front.h"
#include "sys/sys.h"

#include <stdio.h>
#include <string.h>

struct waste {
    const struct program *p;
    unsigned ifs, constant_ifs, switches, constant_switches;
    unsigned assignments, same, neutral, locals, unnamed, compares, same_compares;
    unsigned labels, empty_labels, calls, dropped;
    unsigned statements, flat; /* flat: in main, and not in a block or loop of it */
    uint64_t bytes, tables;
};

static bool reads_same(const struct program *p, const struct node *a, const struct node *b)
{
    struct text x = {0}, y = {0};
    lang_print_node(p, a, &x);
    lang_print_node(p, b, &y);
    bool same = strcmp(text_str(&x), text_str(&y)) == 0;
    text_free(&x);
    text_free(&y);
    return same;
}

static bool is_constant(const struct program *p, const struct node *n)
{
    u128 v;
    return lang_constant(p, n, &v);
}

/* x += 0 and the like. */
static bool is_neutral(const struct program *p, const struct node *n)
{
    static const struct {
        uint8_t op;
        int8_t changes_nothing;
    } rows[] = {{OP_ADD, 0}, {OP_SUB, 0}, {OP_XOR, 0}, {OP_OR, 0},  {OP_SHL, 0},
                {OP_SHR, 0}, {OP_MUL, 1}, {OP_DIV, 1}, {OP_AND, -1}};
    u128 v;
    if (!lang_is_integer(n->kid[1]->type) || !lang_constant(p, n->kid[1], &v))
        return false;
    u128 bits = lang_wrap(~(u128)0, lang_int_width(p, n->kid[1]->type));
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (rows[i].op == n->op)
            return v == ((u128)(i128)rows[i].changes_nothing & bits);
    return false;
}

static const char *callee(const struct node *n)
{
    const struct node *f = n->kid[0];
    while (f->kind == NODE_CAST)
        f = f->kid[0];
    return f->kind == NODE_NAME ? f->u.decl->name : "";
}

/* Functions that are called for what they do. */
static bool is_effect(const char *name)
{
    static const char *const names[] = {"memcpy",  "memmove", "memset", "strcpy",
                                        "strncpy", "strcat",  "printf", "snprintf"};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return str_has_prefix(name, "__");
}

static void look_at_call(struct waste *w, const struct node *n)
{
    w->calls++;
    if (strcmp(callee(n), "memcmp") == 0) {
        w->compares++;
        w->same_compares += reads_same(w->p, n->kid[1], n->kid[2]);
    }
}

static bool is_empty(const struct node *n)
{
    return n->kind == NODE_BLOCK && n->count == 0;
}

static void look(struct waste *w, const struct node *n)
{
    switch (n->kind) {
    case NODE_IF:
        w->ifs++;
        w->constant_ifs += is_constant(w->p, n->kid[0]);
        break;
    case NODE_SWITCH:
        w->switches++;
        w->constant_switches += is_constant(w->p, n->kid[0]);
        break;
    case NODE_ASSIGN:
        w->assignments++;
        w->same += n->op == OP_ASSIGN && reads_same(w->p, n->kid[0], n->kid[1]);
        w->neutral += is_neutral(w->p, n);
        break;
    case NODE_DECLARATOR:
        w->locals++;
        w->unnamed += !n->u.declarator->decl->used;
        break;
    case NODE_LABEL:
        w->labels++;
        w->empty_labels += is_empty(n->kid[0]);
        break;
    case NODE_CALL:
        look_at_call(w, n);
        break;
    case NODE_EXPR_STMT:
        w->dropped += n->kid[0]->kind == NODE_CALL && n->kid[0]->type->kind != TYPE_VOID &&
                      !is_effect(callee(n->kid[0]));
        break;
    default:
        break;
    }
    bool statement = lang_node_info[n->kind].class == NODE_CLASS_STMT && n->kind != NODE_BLOCK;
    w->statements += statement || n->kind == NODE_DECL;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            look(w, n->kid[i]);
}

/* The checksum at the end is no part of it. */
static void look_at_main(struct waste *w, const struct function *f)
{
    for (uint32_t i = 0; i < f->body->count; i++) {
        const struct node *n = f->body->kid[i];
        bool sum = n->kind == NODE_EXPR_STMT && n->kid[0]->kind == NODE_CALL &&
                   str_has_prefix(callee(n->kid[0]), "mix");
        w->flat += !sum && (n->kind == NODE_EXPR_STMT || n->kind == NODE_DECL);
    }
}

static bool look_at(struct waste *w, const char *path)
{
    struct text text = {0};
    struct err e;
    if (!sys_read_file(path, 1 << 26, &text, &e)) {
        fprintf(stderr, "waste: %s\n", e.msg);
        return false;
    }
    struct unit u = front_parse(text_str(&text), text.n, NULL);
    w->p = u.program;
    w->bytes += text.n;
    for (uint32_t i = 0; u.error_count == 0 && i < u.program->unit->count; i++) {
        const struct node *n = u.program->unit->kid[i];
        if (n->kind == NODE_FUNCTION) {
            look(w, n->u.function->body);
            if (strcmp(n->u.function->decl->name, "main") == 0)
                look_at_main(w, n->u.function);
        } else if (n->kind == NODE_DECL) {
            w->tables += n->end - n->begin;
        }
    }
    bool ok = u.error_count == 0;
    lang_program_free(u.program);
    text_free(&text);
    return ok;
}

static void say(const char *what, uint64_t part, uint64_t of)
{
    printf("%-40s %8llu of %8llu  %5.1f%%\n", what, (unsigned long long)part,
           (unsigned long long)of, of ? 100.0 * (double)part / (double)of : 0);
}

int main(int argc, char **argv)
{
    struct waste w = {0};
    for (int i = 1; i < argc; i++)
        if (!look_at(&w, argv[i]))
            return 2;
    say("if: constant conditions", w.constant_ifs, w.ifs);
    say("switch: constant conditions", w.constant_switches, w.switches);
    say("x = x", w.same, w.assignments);
    say("x += 0 and the like", w.neutral, w.assignments);
    say("locals that nothing names", w.unnamed, w.locals);
    say("memcmp of an object with itself", w.same_compares, w.compares);
    say("labels of empty blocks", w.empty_labels, w.labels);
    say("calls whose result is dropped", w.dropped, w.calls);
    say("statements in main's own list", w.flat, w.statements);
    say("bytes of declarations at file scope", w.tables, w.bytes);
    return 0;
}
