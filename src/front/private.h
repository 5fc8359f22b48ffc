/* What the files of front share: tokens, names in scope, the parser's state. */
#ifndef FRONT_PRIVATE_H
#define FRONT_PRIVATE_H

#include "front/front.h"

#include <setjmp.h>

/* ---- tokens ----------------------------------------------------------------------------- */

enum token_kind {
    TOKEN_END,
    TOKEN_IDENT,
    TOKEN_NUMBER,
    TOKEN_CHARACTER,
    TOKEN_STRING,
    TOKEN_PRAGMA, /* a whole line: #pragma, #ident */
    TOKEN_BAD,    /* a byte that starts no token, or a literal without its end */
#define FIRST_KEYWORD(id, spelling) TOKEN_##id,
#define KEYWORD(id, spelling)
#define PUNCT(id, spelling, infix)   TOKEN_##id,
#define ASSIGNMENT(id, spelling, op) TOKEN_##id,
#include "front/tokens.def"
    TOKEN_COUNT
};

/* An identifier's spelling, once per program, and what it means where we are. */
struct ident {
    struct ident *next; /* same bucket */
    uint64_t head;      /* the first 8 bytes of the name, which mostly decide */
    uint32_t size, hash;
    const char *name; /* NUL-terminated, in the program's arena */
    struct decl *symbol;
    uint32_t depth, tag_depth; /* of the scopes that bound symbol and tag */
    uint16_t keyword;          /* enum token_kind, or TOKEN_IDENT */
    struct type *tag;
    struct decl *linked; /* the object or function with linkage of this name */
    struct label *label; /* in the current function */
};

struct token {
    uint32_t begin, end;
    uint16_t kind;
    struct ident *ident; /* IDENT and keywords */
};

struct lexer {
    const char *text; /* NUL-terminated */
    uint32_t at, size;
    bool line_start;
    struct ident **buckets;
    uint32_t bucket_count, ident_count;
    struct program *program;
    struct arena *arena; /* of the identifiers */
    uint32_t marker_room;
    uint8_t punct_start[256]; /* per byte: 1 + index of its first punctuator, or 0 */
};

void lex_start(struct lexer *l, struct program *program, struct arena *arena);
void lex_next(struct lexer *l, struct token *t);
struct ident *lex_intern(struct lexer *l, const char *name, uint32_t size);
const char *lex_token_name(enum token_kind kind);

/* ---- the parser ------------------------------------------------------------------------- */

enum {
    MAX_NESTING = 1200, /* of brackets, statements, declarators */
    MAX_CHAIN = 6000,   /* operators in a row: the depth of a + b + c + ... */
};

/* What a scope hid, to be restored at its end. */
struct binding {
    struct ident *ident;
    void *old; /* decl, tag or label */
    uint32_t old_depth;
    uint8_t what; /* enum binding_kind */
};

enum binding_kind { BIND_SYMBOL, BIND_TAG, BIND_LABEL };

/* The switch whose body is being read. */
struct switch_scope {
    struct node *node;
    struct list cases;
    struct switch_scope *outer;
    const struct region *region; /* that it stands in */
};

/* A part of a function that nobody may jump into: from a declaration of a variably modified type
 * on, or a statement expression.  It ends with the scope of that depth. */
struct region {
    const struct region *outer;
    uint32_t depth;
    bool expression;
};

/* A goto, or a label. */
struct jump {
    const struct label *label;
    const struct region *region;
    uint32_t at;
};

enum byte_order { ORDER_DEFAULT, ORDER_LITTLE, ORDER_BIG };

struct parser {
    struct program *program;
    struct arena scratch; /* gone when parsing ends */
    struct lexer lexer;
    struct token tok, ahead; /* the current token and, if has_ahead, the next */
    bool has_ahead;
    uint32_t prev_end; /* end of the last token that was consumed */

    struct binding *bindings;
    uint32_t binding_count, binding_room;
    uint32_t depth;   /* of scopes; 0 is the file's */
    uint32_t nesting; /* of recursion */

    struct function *function; /* being read, or NULL */
    struct node *break_target, *continue_target;
    struct switch_scope *switch_scope;
    struct list label_idents; /* struct ident: those whose label is set */
    const struct region *region;
    struct list gotos, labels; /* struct jump: of the outermost function */

    struct node **pending; /* nodes of the lists that are being read, as one stack */
    uint32_t pending_count, pending_room;

    unsigned pack;
    struct list packs;     /* what #pragma pack(push) saved: pragma.c */
    enum byte_order order; /* of the structures that follow */
    struct list weak;      /* names, as strings: declared so by a pragma */

    jmp_buf *recover; /* where an error goes */
    struct diagnostic *errors;
    uint32_t error_count, error_room, max_errors;
    bool give_up;
};

/* jump.c */
void jump_enter_region(struct parser *p, uint32_t depth, bool expression);
void jump_leave_scope(struct parser *p); /* before p->depth is left */
void jump_check_case(struct parser *p, uint32_t at);
void jump_note(struct parser *p, const struct label *l, uint32_t at, bool is_label);
void jump_finish(struct parser *p); /* at the end of p->function */

/* parse.c: tokens and errors */
void tok_next(struct parser *p);
const struct token *tok_peek(struct parser *p);
bool tok_accept(struct parser *p, enum token_kind kind);
void tok_expect(struct parser *p, enum token_kind kind);
_Noreturn void parse_error_at(struct parser *p, uint32_t offset, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
void parse_report_at(struct parser *p, uint32_t offset, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* n with its extent from begin to the last consumed token; NULL becomes an error there. */
/* Ends where the type of an expression matters that is the value of a bit-field: to gcc it is as
 * wide as the field, to clang as wide as was declared. */
void refuse_narrow(struct parser *p, const struct node *a);
struct node *with_extent(struct parser *p, struct node *n, uint32_t begin);
void nest_enter(struct parser *p); /* bounds recursion; nest_leave when it ends */
void nest_leave(struct parser *p);
/* A list that grows while nested ones do too: mark, push..., take. */
uint32_t pending_mark(const struct parser *p);
void pending_push(struct parser *p, struct node *n);
struct node **pending_take(struct parser *p, uint32_t mark, uint32_t *count);
const char *source_between(struct parser *p, uint32_t begin, uint32_t end);

/* scope.c: names */
void scope_enter(struct parser *p);
void scope_leave(struct parser *p);
void scope_unwind(struct parser *p, uint32_t depth); /* leaves scopes down to this depth */
void scope_bind_symbol(struct parser *p, struct ident *i, struct decl *d);
void scope_bind_tag(struct parser *p, struct ident *i, struct type *t);
/* What an identifier means in one scope: for a scope that is entered again. */
struct meaning {
    struct ident *ident;
    struct decl *symbol; /* an enumeration constant; NULL: */
    struct type *tag;
};
/* The tags and enumeration constants of the innermost scope. */
void scope_meanings(struct parser *p, struct list *to);
void scope_bind_meanings(struct parser *p, const struct list *from);
void scope_bind_label(struct parser *p, struct ident *i, struct label *l);
struct label *scope_label(struct parser *p, struct ident *i);

/* attr.c: attributes and what they change */
struct attributes {
    struct attr *first, **last;
    bool packed, may_alias, transparent, weak, noreturn, cleanup, starts;
    enum byte_order order;
    uint32_t align;
    uint64_t vector_bytes;
    const char *mode;
};
void attr_start(struct attributes *a);
void parse_attributes(struct parser *p, struct attributes *a); /* any number, maybe none */
bool at_attribute(struct parser *p);
struct type *attr_mode_type(struct parser *p, struct type *t, const char *mode);
struct type *attr_apply(struct parser *p, struct type *t, const struct attributes *a);

/* specs.c, record.c: declaration specifiers */
struct specifiers {
    struct type *type;    /* with what attributes make of it */
    struct type *written; /* without */
    struct specs *specs;
    struct attributes attrs;
    uint32_t align;
    bool has_type;  /* some type was written */
    bool any;       /* anything at all was */
    bool auto_type; /* GNU __auto_type: wait for the initialiser */
    bool only_tag;  /* struct, union or enum: may stand alone */
};
bool at_type(struct parser *p); /* does a type name or specifier start here? */
bool at_type_token(struct parser *p, const struct token *t);
void parse_specifiers(struct parser *p, struct specifiers *s, bool storage_allowed);
struct type *parse_record(struct parser *p);
struct type *parse_enum(struct parser *p);
struct type *parse_type_name(struct parser *p);
unsigned parse_qualifiers(struct parser *p);

/* declarator.c */
struct declared {
    struct ident *ident; /* NULL: abstract */
    uint32_t begin;      /* of the name, or of where it would be */
    struct type *type;
    struct decl **params; /* of the function that it declares */
    uint32_t param_count; /* of params, or of knr_names */
    struct ident **knr_names;
    bool is_knr;
    bool for_parameter;   /* an array with static or qualifiers in its brackets */
    struct list meanings; /* struct meaning: tags and constants declared among its parameters */
};
enum declarator_form { DECLARE_NAMED, DECLARE_ABSTRACT, DECLARE_EITHER };
void parse_declarator(struct parser *p, struct type *base, enum declarator_form form,
                      struct declared *d);

/* constant.c: the part of an initialiser that certainly is no constant; NULL: there is none. */
const struct node *constant_refused(struct parser *p, const struct node *n);

/* pragma.c: the pragma at the current token, which takes effect */
struct node *parse_pragma(struct parser *p);
enum byte_order parse_byte_order(const char *s); /* scalar_storage_order, gcc's manual 6.62.14 */

/* decl.c: declarations and definitions */
void parse_external(struct parser *p);
struct node *parse_declaration(struct parser *p); /* in a block */
bool at_declaration(struct parser *p);
struct node *parse_static_assert(struct parser *p);
struct node *parse_initialiser(struct parser *p);

/* expr.c, primary.c, literal.c */
struct node *parse_expr(struct parser *p);
struct node *parse_assignment(struct parser *p);
struct node *parse_conditional(struct parser *p);
u128 parse_constant(struct parser *p, struct node **as_written, struct type **type);
struct node *parse_unary(struct parser *p);
struct node *parse_primary(struct parser *p);
struct node *parse_number(struct parser *p);
struct node *parse_char(struct parser *p);
struct node *parse_string(struct parser *p);

/* stmt.c */
struct node *parse_block(struct parser *p, bool new_scope);
struct node *parse_stmt(struct parser *p);
struct node *parse_asm(struct parser *p);
/* At a function's end: complains about labels without a statement, forgets all of them. */
void scope_finish_labels(struct parser *p);
void scope_forget_labels(struct parser *p);

#endif
