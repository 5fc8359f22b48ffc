/* base: what every module stands on.  Consumes nothing of cupel; starts no process, reads no
 * clock, keeps no mutable state but the log's.
 *
 *   arena   memory that is freed all at once
 *   text    a growable string
 *   map     string to pointer, in insertion order
 *   list    growable array of pointers
 *   hash    xxHash's XXH3, the same on every machine
 *   rng     seeded random numbers, forked by name
 *   err     how a function says that the world failed
 *   log     notes for people, on stderr
 *   record  structs to JSON and back, by a table of their members
 *   names   small string and number helpers of the command line
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define LENGTH(array)          (sizeof(array) / sizeof((array)[0]))

/* Wide integers for exact arithmetic: the one exception to "no typedef". */
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

/* ---- our own mistakes ---------------------------------------------------------------- */

/* Says what and where on stderr, then aborts.  For broken invariants, never for the world. */
#define BUG(...) base_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void base_bug(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* ---- err ----------------------------------------------------------------------------- */

/* A function that can fail for the world's reasons takes a struct err, returns false, and has
 * put one line there: "what is wrong", or "what is wrong: what to do". */
struct err {
    char msg[480];
};

/* Sets e (which may be NULL) and returns false, so that `return fail(e, ...)` reads well. */
bool fail(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The same, with ": " and strerror(errno) behind it. */
bool fail_errno(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* ---- arena --------------------------------------------------------------------------- */

/* Memory for one piece of work.  Zeroed struct arena is an empty arena.  Allocations are
 * zeroed and aligned for any type; out of memory aborts. */
struct arena {
    struct arena_chunk *chunk; /* the one that is being filled; older ones behind it */
    char *at, *end;            /* what is free of it, as far as it is cleared */
    size_t total;              /* bytes handed out since the last reset */
};

void *arena_alloc_slow(struct arena *a, size_t size); /* when no more is cleared */

static inline void *arena_alloc(struct arena *a, size_t size)
{
    size_t rounded = (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
    if (!a->at || rounded < size || (size_t)(a->end - a->at) < rounded)
        return arena_alloc_slow(a, size);
    void *p = a->at;
    a->at += rounded;
    a->total += rounded;
    return p;
}

void arena_reserve(struct arena *a, size_t size); /* a hint: so much will be asked for */
void *arena_array(struct arena *a, size_t count, size_t size); /* checks the product */
/* A copy of an array's first n elements with room for more. */
void *arena_grow(struct arena *a, const void *array, size_t n, size_t room, size_t size);
char *arena_string(struct arena *a, const char *s);
char *arena_copy(struct arena *a, const void *bytes, size_t size); /* adds a NUL behind */
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
void arena_reset(struct arena *a); /* forgets everything, keeps one chunk */
void arena_free(struct arena *a);

#define NEW(arena, type)              ((type *)arena_alloc((arena), sizeof(type)))
#define NEW_ARRAY(arena, count, type) ((type *)arena_array((arena), (count), sizeof(type)))

/* ---- text ---------------------------------------------------------------------------- */

/* A growable string; zeroed is empty.  s is NUL-terminated whenever it is not NULL, and may
 * hold NULs of its own: n counts. */
struct text {
    char *s;
    size_t n, cap;
};

void text_add(struct text *t, const void *bytes, size_t n);
void text_puts(struct text *t, const char *s);
void text_printf(struct text *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
void text_vprintf(struct text *t, const char *fmt, va_list args) PRINTF_LIKE(2, 0);
/* Bytes read as Latin-1, written as UTF-8; and back: any bytes can travel in JSON. */
void text_add_latin1(struct text *t, const char *bytes, size_t n);
void text_add_from_latin1(struct text *t, const char *utf8, size_t n);
/* What other people's programs said, so that a terminal shows it and does nothing else: lines, tabs
 * and UTF-8 stay; control bytes, escapes, what is no UTF-8 and what turns its direction become
 * \ooo. */
void text_add_visible(struct text *t, const char *bytes, size_t n);
void text_reserve(struct text *t, size_t more); /* room for this many more bytes, and a NUL */

static inline void text_putc(struct text *t, char c)
{
    if (t->n + 1 >= t->cap)
        text_reserve(t, 1);
    t->s[t->n++] = c;
    t->s[t->n] = '\0';
}
void text_clear(struct text *t); /* empty, but keeps the memory */
void text_free(struct text *t);
const char *text_str(const struct text *t); /* never NULL */

/* Appends the unified diff of the two; false when they are equal. */
bool text_diff(const struct text *before, const struct text *after, const char *name_before,
               const char *name_after, struct text *out);

/* Texts beside each other, each under its title and as wide as it needs; tabs are spaces there. */
struct text_column {
    const char *title, *text;
};
void text_columns(struct text *out, const struct text_column *columns, size_t n);

/* Bytes that somebody else owns; not NUL-terminated unless that is said. */
struct bytes {
    const char *s;
    size_t n;
};

/* ---- list ---------------------------------------------------------------------------- */

/* Pointers in order; the array lives in an arena. */
struct list {
    void **at;
    size_t n, cap;
};

void list_add(struct arena *a, struct list *l, void *item);

/* ---- map ----------------------------------------------------------------------------- */

/* String to pointer.  Zeroed is empty; everything lives in the arena given to map_set. */
struct map_entry {
    const char *key;
    void *value;
    uint64_t hash;
};

struct map {
    struct map_entry *entries; /* in insertion order: iterate 0 .. n */
    uint32_t *slots;           /* index + 1 into entries, 0 when free */
    size_t n, cap, slot_count;
};

void *map_get(const struct map *m, const char *key); /* NULL when absent */
/* Sets or replaces.  The key is copied on first use. */
void map_set(struct arena *a, struct map *m, const char *key, void *value);

/* ---- hash ---------------------------------------------------------------------------- */

uint64_t hash_bytes(const void *bytes, size_t n);
uint64_t hash_string(const char *s);
uint64_t hash_pair(uint64_t a, uint64_t b); /* order matters */

/* ---- rng ----------------------------------------------------------------------------- */

/* A stream is named by its key; forks depend on the parent's key and the name only, never on
 * what was drawn, so that a new draw disturbs neither siblings nor children. */
struct rng {
    uint64_t key, state;
};

struct rng rng_seed(uint64_t seed);
struct rng rng_fork(const struct rng *parent, const char *name);
struct rng rng_fork_at(const struct rng *parent, const char *name, uint64_t index);
uint64_t rng_next(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t limit);             /* 0 .. limit-1, unbiased */
int64_t rng_between(struct rng *r, int64_t low, int64_t high); /* both included */
bool rng_chance(struct rng *r, unsigned percent);
/* An index drawn in proportion to the weights; their sum must not be 0. */
size_t rng_weighted(struct rng *r, const unsigned *weights, size_t n);

/* ---- version ------------------------------------------------------------------------- */

extern const char cupel_version[]; /* "0.2.0+COMMIT" */
extern const char cupel_date[];    /* of the release: "2026-11-17" */

/* ---- log ----------------------------------------------------------------------------- */

enum log_level { LOG_QUIET, LOG_NOTE, LOG_DEBUG };

/* Set once by the command line, before there is a second thread. */
void log_set_level(enum log_level level);
/* "cupel: note: ..." on stderr.  Thread-safe, one write per line. */
void log_note(const char *fmt, ...) PRINTF_LIKE(1, 2);
void log_debug(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* As log_note, but each different text once per process. */
void log_once(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Lines as they are, but visible: they may quote anybody. */
void log_text(const struct text *t);
/* What stands on the terminal's last line is wiped before a note is written and drawn again by
 * its owner later; NULL when nothing stands there. */
void log_set_status_line(const char *text);

/* ---- record -------------------------------------------------------------------------- */

struct json_t;

/* What a member is, and how JSON shows it.  Strings and bytes may hold anything: they are read as
 * Latin-1 and written as UTF-8. */
enum record_kind {
    RECORD_STRING,  /* const char *; "" when absent */
    RECORD_BYTES,   /* struct bytes, NUL-terminated when read */
    RECORD_BOOL,    /* bool */
    RECORD_INT,     /* int */
    RECORD_UINT,    /* unsigned */
    RECORD_I64,     /* int64_t */
    RECORD_U64,     /* uint64_t, below 2^63 */
    RECORD_REAL,    /* double */
    RECORD_STRINGS, /* struct list of char * */
    RECORD_NAMED,   /* an enumeration, shown by the names of its values */
    RECORD_RECORD   /* a struct of its own */
};

/* The values 0 .. count-1 of an enumeration; a name that is unknown reads as `unknown`. */
struct record_names {
    const char *(*name)(unsigned value);
    unsigned count, unknown;
};

struct record_field {
    const char *key;
    enum record_kind kind;
    size_t offset;
    const struct record_names *names;   /* of RECORD_NAMED */
    const struct record_layout *record; /* of RECORD_RECORD */
};

struct record_layout {
    const struct record_field *fields;
    size_t n;
};

#define RECORD_FIELD(type, member, kind_, key_)                          \
    {                                                                    \
        .key = (key_), .kind = (kind_), .offset = offsetof(type, member) \
    }
#define RECORD_OF(fields_)                        \
    {                                             \
        .fields = (fields_), .n = LENGTH(fields_) \
    }

/* Sets a key of the object for every member. */
void record_to_json(const struct record_layout *r, const void *from, struct json_t *object);
/* Which cupel says so, for scripts: the member "cupel".  Arrays are left as they are. */
void record_set_version(struct json_t *object);
/* The other way round; what is absent is left as zero, strings as "".  Copies into the arena. */
void record_from_json(const struct record_layout *r, struct arena *a, const struct json_t *object,
                      void *to);
struct json_t *record_bytes(const char *bytes, size_t n);
/* The string at the key, "" when there is none. */
const char *record_text(const struct json_t *object, const char *key);

/* ---- names --------------------------------------------------------------------------- */

bool str_has_prefix(const char *s, const char *prefix);
bool str_has_suffix(const char *s, const char *suffix);
/* Splits at blanks as a shell would, with '...', "..." and \c quoting, but no expansion.
 * Returns a NULL-terminated array in the arena; NULL and e set for an open quote. */
char **str_split_command(struct arena *a, const char *command, struct err *e);
/* The words as one line that a shell reads back as the same words. */
void str_join_command(struct text *out, char *const *words);
/* text_add_visible of it; in the arena. */
char *str_visible(struct arena *a, const char *s);
/* s without its surrounding blanks, cut at the first newline; in the arena. */
char *str_first_line(struct arena *a, const char *s);
/* "90", "1.5s", "2m", "1h" to seconds. */
bool str_parse_duration(const char *s, double *seconds, struct err *e);
/* "4096", "512K", "64M", "2G" to bytes. */
bool str_parse_size(const char *s, uint64_t *bytes, struct err *e);
bool str_parse_uint(const char *s, uint64_t max, uint64_t *value, struct err *e);

#endif
