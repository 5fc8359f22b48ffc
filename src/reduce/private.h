/* Private to reduce. */
#ifndef REDUCE_PRIVATE_H
#define REDUCE_PRIVATE_H

#include "reduce/reduce.h"

#include "machine/machine.h"

/* Bytes of a large program: its passes begin by looking for the part that matters. */
enum { REDUCE_LARGE = 16384 };

/* ---- tokens: tokens.c ------------------------------------------------------------------- */

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_QUOTED, TOKEN_MARK, TOKEN_LINE };

/* [begin, end) of the text.  A LINE is a directive, such as a pragma, up to the newline. */
struct token {
    uint32_t begin, end;
    uint32_t match; /* of a bracket: the index of its partner; else its own */
    uint8_t kind;
};

struct tokens {
    struct token *at;
    uint32_t n;
};

void tokens_scan(struct arena *a, const char *text, size_t size, struct tokens *out);
size_t tokens_count(const char *text, size_t size, size_t *words);
/* The first token that begins at or behind the offset; t->n when there is none. */
uint32_t tokens_at(const struct tokens *t, uint32_t offset);
/* The text without comments, and with no more blanks than stand between tokens: one, or a newline.
 */
void tokens_squeeze(struct text *text);
/* The text without comments, and without a blank that need not be. */
void tokens_pack(struct text *text);
/* unsigned for unsigned int: the shorter names of types. */
void tokens_shorten(struct text *text);
bool token_is(const char *text, const struct token *t, const char *word);

/* ---- hints: hints.c --------------------------------------------------------------------- */

/* Bytes [begin, end) of a unit give way to the text. */
struct patch {
    uint32_t unit, begin, end;
    uint32_t serial; /* among all patches of the pass: the older one wins */
    uint32_t anchor; /* where its hint begins: an insertion goes when that place goes */
    uint32_t size;
    const char *text;
};

struct hint {
    size_t first, count; /* patches */
    uint32_t weight;     /* about how much it takes away: the largest are tried first */
};

struct hints {
    struct arena arena;
    struct patch *patches;
    size_t patch_count, patch_room;
    struct hint *at;
    size_t n, room;
};

/* A pass makes hints: hints_begin, hints_patch any number of times, hints_end. */
void hints_clear(struct hints *h);
void hints_free(struct hints *h);
/* Starts a hint; patches follow. */
void hints_begin(struct hints *h);
void hints_patch(struct hints *h, uint32_t unit, uint32_t begin, uint32_t end, const char *text);
/* Ends it; one without patches is none. */
void hints_end(struct hints *h);
/* Gives the last hint up. */
void hints_drop(struct hints *h);

/* One patch inside of another is void; of two that overlap, so is the second. */
void patches_apply(const struct text *from, size_t units, struct patch *patches, size_t n,
                   struct text *to);

/* ---- the program that is being reduced: subject.c --------------------------------------- */

/* One unit as it is read, with tables by node id and by decl id. */
struct view {
    uint32_t unit;
    const char *text;
    uint32_t size;
    struct program *p;    /* NULL when it cannot be read */
    struct node **parent; /* NULL for what is not in the tree */
    uint32_t *depth;
    struct list order;   /* struct node: the tree in preorder, types' bodies included */
    struct list *names;  /* by decl: NAME nodes */
    struct list *places; /* by decl: DECLARATOR nodes */
    struct list jumps;   /* GOTO and LABEL_ADDR nodes */
    struct tokens tokens;
};

struct subject {
    struct arena arena;
    struct text *texts;
    size_t count;
    struct view *views;
    struct machine *machine; /* after its run, with facts; NULL when there was none */
    uint16_t odd;            /* what it has that C11 has not: nothing new may be so */
    enum machine_end end;    /* how the execution ended */
    struct reduce_size size;
    uint64_t hash;
    uint64_t steps; /* that the execution took; what it may take about twice of, when set before */
};

/* Reads, prints anew and, with REDUCE_DEFINED, executes; the texts are taken over.  False, and *why
 * set, when the filter does not let it through.  subject_close in any case. */
bool subject_try(struct subject *s, const struct reduce_options *o, struct text *texts,
                 size_t count, const char **why);
struct reduce_expect subject_expect(const struct subject *s);
/* After subject_try: what C leaves open and it depends on, such as an order of evaluation, or where
 * objects are; NULL: nothing. */
const char *subject_depends_on(struct subject *s, const struct reduce_options *o);
/* The same, and everything that passes ask for: views with extents in the printed text, facts. */
bool subject_open(struct subject *s, const struct reduce_options *o, struct text *texts,
                  size_t count, const char **why);
/* The same for texts that subject_try left: they are printed already, and stay as they are. */
bool subject_reopen(struct subject *s, const struct reduce_options *o, struct text *texts,
                    size_t count, const char **why);
void subject_close(struct subject *s); /* the texts too */

/* ---- several units: apart.c ------------------------------------------------------------- */

/* Is something that units share declared with types that are not compatible? */
bool units_are_apart(const struct view *views, size_t count);

/* ---- asking about it: view.c ------------------------------------------------------------ */

void view_open(struct view *v, struct arena *a);
struct node *view_written(struct node *n);                        /* below implicit conversions */
struct node *view_up(const struct view *v, const struct node *n); /* above them: who uses n */
/* The top of the implicit conversions of n: the node whose value is used. */
struct node *view_value(const struct view *v, struct node *n);
bool view_is_expr(const struct node *n);
bool view_is_stmt(const struct node *n);
bool view_is_store(const struct node *n); /* =, op=, ++, -- */
/* Is it used for its value, so that a constant may stand in its place? */
bool view_is_value(const struct view *v, struct node *n);
bool view_is_constant(const struct node *n); /* a number or a string, as written */
/* The statement or declaration of a block that n is in; NULL when there is none. */
struct node *view_statement(const struct view *v, struct node *n);
/* The statement that is nothing but this expression; NULL when it is part of something. */
struct node *view_alone(const struct view *v, struct node *n);
/* Stands in a block or at file scope, so that it may vanish. */
bool view_stands_free(const struct view *v, const struct node *n);
char *view_source(const struct view *v, struct arena *a, uint32_t begin, uint32_t end);
struct decl *view_called(const struct node *call); /* NULL: through a pointer */

struct machine_fact subject_fact(const struct subject *s, const struct view *v,
                                 const struct node *n);
bool subject_ran(const struct subject *s, const struct view *v, const struct node *n);
/* The constant that an expression always was, written as C; NULL when it is not known. */
const char *subject_constant(const struct subject *s, const struct view *v, struct node *n,
                             struct arena *a);

/* ---- passes ----------------------------------------------------------------------------- */

struct pass {
    const struct reduce_options *options;
    const struct subject *s;
    const struct view *v; /* the unit that is looked at */
    struct hints *h;
};

typedef void pass_fn(struct pass *p);
#define PASS(id, ...) pass_fn pass_##id;
#include "reduce/passes.def"

enum pass_id {
#define PASS(id, ...) PASS_##id,
#include "reduce/passes.def"
    PASS_COUNT
};

/* What a pass works on: the tree, with facts about the execution; tokens, whatever they are; or the
 * tokens of what cannot be read. */
enum pass_need { NEED_TREE, NEED_FACTS, NEED_TOKENS, NEED_TEXT };
enum pass_when { WHEN_LOOP, WHEN_LAST };
/* Of hints: as made; the weightiest first; one at a time, because they exclude each other; by
 * halving, because each takes away what the next one does. */
enum pass_order { ORDER_PLACE, ORDER_WEIGHT, ORDER_ALONE, ORDER_NESTED };

struct pass_info {
    const char *name, *phrase;
    pass_fn *make;
    enum pass_need need;
    enum pass_when when;
    enum pass_order order;
};
extern const struct pass_info reduce_passes[PASS_COUNT];

/* What passes write. */
void pass_begin(struct pass *p);
void pass_end(struct pass *p);
void pass_patch(struct pass *p, uint32_t begin, uint32_t end, const char *text);
void pass_replace(struct pass *p, const struct node *n, const char *text);
/* Takes a statement or declaration away; `;` stays where C needs one, and a label that somebody
 * outside of it names. */
void pass_drop(struct pass *p, const struct node *n);
/* Every declaration of a function, and its body. */
void pass_drop_function(struct pass *p, const struct decl *d);
/* A hint of one replacement. */
void pass_offer(struct pass *p, const struct node *n, const char *text);
void pass_offer_drop(struct pass *p, const struct node *n);
/* Leaves only `inner` of n, between open and close. */
void pass_lift(struct pass *p, const struct node *n, const struct node *inner, const char *open,
               const char *close);
/* What a use of a variable becomes that has no place any more: the number, or else its known value,
 * or 0; an assignment to it goes. */
void pass_forget_use(struct pass *p, struct node *name, const char *number);
/* The extent of the index-th part of a list with commas, whose opening bracket is that token. */
bool pass_list_part(const struct pass *p, uint32_t open, uint32_t index, uint32_t *begin,
                    uint32_t *end);
/* Takes an element of a list with commas away, with one comma. */
void pass_drop_listed(struct pass *p, uint32_t begin, uint32_t end);
/* The same for one declarator or member of several, with its stars. */
void pass_drop_declarator(struct pass *p, const struct node *n);

/* Where the first declarator begins, with its stars; and whether what stands before it is the same
 * in two declarations. */
uint32_t pass_specifiers_end(const struct pass *p, const struct node *decl);
bool pass_same_specifiers(const struct pass *p, const struct node *a, const struct node *b);

/* ---- search: search.c ------------------------------------------------------------------- */

struct search {
    const struct reduce_options *o; /* own */
    struct reduce_options own;      /* the caller's; its filter can become stricter */
    struct subject best;
    struct text *kept; /* the best so far; best.texts are those that the hints are for */
    struct text *sure; /* the best one that was confirmed */
    size_t sure_bytes;
    uint64_t sure_hash;
    size_t refused; /* candidates that were not confirmed, since one was */
    size_t wary;    /* from so many bytes on nothing waits to be confirmed: something was undone */
    bool fine;      /* small steps, whatever its size */
    bool afresh;    /* nothing was gained any more: as if what is left were an original */
    bool open;      /* the original depends on what C leaves open, so candidates may */
    struct hints hints;
    struct arena arena;
    uint64_t *tried; /* open hash table of candidates that were refused */
    size_t tried_count, tried_room;
    bool large;   /* a program that is better with fewer names, even when it has more bytes */
    size_t lucky; /* the part of the program that mattered when it was last narrowed down */
    struct reduce_progress progress;
    struct reduce_pass_report *passes;
    bool stopped;
    double cpu_start;
    struct err *e;
    bool failed;
};

/* Runs one pass over the best so far.  True when something was gained. */
bool search_pass(struct search *s, enum pass_id id);
bool search_goes_on(struct search *s);
/* Is the best so far confirmed?  If it cannot be, it is again the best one that was.  True when
 * something was undone. */
bool search_audit(struct search *s);

#endif
