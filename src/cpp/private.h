/* What the files of cpp share. */
#ifndef CPP_PRIVATE_H
#define CPP_PRIVATE_H

#include "cpp/cpp.h"

#include <setjmp.h>
#include <string.h>

/* ---- tokens and names ------------------------------------------------------------------- */

enum token_kind {
    T_END, /* of the line, of a list */
    T_NAME,
    T_NUMBER,
    T_STRING,
    T_CHARACTER,
    T_PUNCT,
    T_PARAM, /* in a macro's body: parameter number */
    T_PLACE, /* nothing: what an empty expansion leaves behind, for its blanks */
};

enum token_flag {
    TF_SPACE = 1,     /* a blank stands before it */
    TF_NO_EXPAND = 2, /* a macro's name, seen within its own expansion (C11 6.10.3.4p2) */
    TF_STRINGIFY = 4, /* T_PARAM behind # */
    TF_PASTE = 8,     /* ## stands behind it */
};

struct token {
    uint8_t kind, flags;
    uint16_t param;
    uint32_t size;
    const char *s; /* not terminated */
    struct name *name;
};

struct tokens {
    struct token *at;
    uint32_t n, cap;
};

struct macro {
    const char *text; /* as it was written: from the name to the line's end */
    uint32_t size;
    bool unread; /* only that is known yet: see cpp_macro */
    bool function_like, variadic;
    bool pastes; /* ## occurs in it */
    uint16_t param_count;
    struct name **params;
    struct tokens body;
};

enum special {
    NAME_PLAIN,
    NAME_LINE,     /* __LINE__ */
    NAME_FILE,     /* __FILE__ */
    NAME_COUNTER,  /* __COUNTER__ */
    NAME_VA_ARGS,  /* __VA_ARGS__ */
    NAME_OPERATOR, /* __has_attribute and its like: in #if only */
    NAME_INCLUDES, /* __has_include, __has_include_next */
    NAME_DECLINED, /* __DATE__, _Pragma ...: left to the compiler */
};

struct name {
    struct name *next; /* same bucket */
    const char *s;     /* not terminated: where it was first seen */
    uint32_t size, hash;
    struct macro *macro;
    uint8_t special;
    bool disabled;  /* its expansion is being read */
    uint16_t param; /* 1 + its number while a macro's body is being read */
};

/* ---- files ------------------------------------------------------------------------------ */

/* A file's text, read once. */
struct source {
    const char *path;
    const char *stamp; /* of the file; NULL when there is none */
    const char *text;  /* NULL when it is not read yet */
    size_t size;
    struct name *guard; /* it is empty while this is defined; or NULL */
    bool once;
};

enum { FOLDER_OWN = -1 }; /* found beside the file that includes it */

struct file {
    struct file *outer;
    struct source *source;
    const char *at, *end;
    uint32_t line;
    int folder; /* its index in struct cpp.folders, or FOLDER_OWN */
    bool system;
    uint32_t ifs;       /* how many #ifs were open when it began */
    struct name *guard; /* of the #ifndef that began it, while nothing stands outside */
    bool seen;          /* something stands before or behind that #ifndef */
};

/* One #if that is open. */
struct branch {
    bool live;  /* this part is read */
    bool taken; /* some part was */
    bool last;  /* #else was there */
    bool outer; /* the surroundings are read */
    bool guard; /* it is the file's guard */
};

struct folder {
    const char *path;
    bool system;
};

/* What the leading #include lines of the main file gave: see prefix.c. */
struct segment {
    size_t begin, end; /* of struct cpp.out */
    bool skipped;      /* a guard made it nothing */
};

struct prefix {
    const char *end;              /* of those lines */
    const char *key, *dir, *path; /* in the cache; NULL when there are none, or no cache */
};

/* ---- the compiler ------------------------------------------------------------------------ */

/* What a compiler with certain flags brings along. */
struct cpp_world {
    const char *key;      /* tells it from all others; one line */
    struct list folders;  /* char *: of <...>, in order */
    const char *defines;  /* "#define NAME text" lines */
    struct map answers;   /* "__has_attribute copy" to a number as text */
    struct map operators; /* __has_attribute, __has_include ... : those that it knows */
};

/* ---- the preprocessor ------------------------------------------------------------------- */

/* Tokens that are to be read before the file goes on. */
struct context {
    struct context *outer;
    const struct token *at, *end;
    struct name *macro; /* whose expansion it is: disabled until the end; or NULL */
    uint8_t first;      /* TF_SPACE, or 0: blanks before its first token are as the name's */
    bool wall;          /* nothing is read beyond it */
};

struct cpp {
    struct arena arena;
    struct token *pool; /* token lists of one macro call or one directive */
    uint32_t pool_used, pool_room;
    const struct cpp_world *world;
    struct folder *folders;
    int folder_count;
    struct name **buckets;
    uint32_t bucket_count, name_count;
    struct map sources;
    struct list segments; /* struct segment: while recording */
    bool recording;
    struct text reading; /* the file that comes in */
    struct file *file;
    uint32_t depth, nesting;
    struct branch *branches;
    uint32_t branch_count, branch_room;
    struct context *context, *spare;
    uint64_t counter, spent; /* spent: tokens expanded */
    uint32_t call_line;      /* where the outermost macro being expanded stands; 0: not known */
    bool in_directive;
    bool only_old_comments; /* to ISO C90, // begins none */
    bool pending_space;     /* of nothing that was read while looking for a call */

    struct text *out;
    uint32_t out_line; /* of the current file, where out ends */

    jmp_buf declined;
    struct err *why;
    const char *question; /* that the world did not answer; or NULL */
};

_Noreturn void cpp_decline(struct cpp *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* scan.c */
struct name *cpp_name(struct cpp *c, const char *s, size_t size);

enum byte_class { CPP_LETTER = 1, CPP_DIGIT = 2, CPP_BLANK = 4 /* not the newline */ };
extern const uint8_t cpp_class[256];

static inline bool cpp_is(char ch, unsigned classes)
{
    return cpp_class[(unsigned char)ch] & classes;
}

/* Behind the literal whose opening quote is at s; NULL when the line ends before it. */
const char *cpp_skip_quoted(const char *s);
/* Behind the comment that begins at s; *lines counts the newlines in it. */
const char *cpp_skip_comment(struct cpp *c, const char *s, uint32_t *lines);
/* Behind the number at s. */
const char *cpp_skip_number(const char *s);
/* The token at *s, which is neither blank, newline nor comment. */
struct token cpp_scan(struct cpp *c, const char **s);
/* Blanks and comments within the line; true when there were any. */
bool cpp_skip_blanks(struct cpp *c, const char **s, uint32_t *lines);
/* The rest of the file's line as tokens; the file stands behind its newline then. */
struct tokens cpp_rest_of_line(struct cpp *c);
/* Lists live until the next cpp_forget_lists. */
void cpp_grow(struct cpp *c, struct tokens *list);
static inline void cpp_push(struct cpp *c, struct tokens *list, struct token t)
{
    if (list->n == list->cap)
        cpp_grow(c, list);
    list->at[list->n++] = t;
}
void cpp_forget_lists(struct cpp *c);

static inline bool cpp_token_is(const struct token *t, const char *punct)
{
    return t->kind == T_PUNCT && t->s[0] == punct[0] && strlen(punct) == t->size &&
           memcmp(t->s, punct, t->size) == 0;
}

/* Would tokens that meet here be read as one, or as others?  When in doubt, yes.  number: what
 * ends with before is one. */
bool cpp_would_paste(char before, char after, bool number);

/* macro.c */
void cpp_define(struct cpp *c, const struct tokens *line);
void cpp_define_text(struct cpp *c, const char *lines);
/* The name's macro, its text read; NULL when there is none. */
const struct macro *cpp_macro(struct cpp *c, struct name *name);
void cpp_undefine(struct cpp *c, struct name *name);
/* Is it one as #ifdef sees it? */
bool cpp_is_defined(const struct name *name);

/* expand.c */
/* The list with its macros expanded, as if nothing stood behind it. */
struct tokens cpp_expand_list(struct cpp *c, const struct tokens *list);
/* What stands in place of the macro's name before file->at, and of its call, which is read. */
struct tokens cpp_expand_name(struct cpp *c, struct token name);

/* condition.c */
bool cpp_condition(struct cpp *c, struct tokens *line);

/* prefix.c */
/* Goes behind the file's leading #include lines if what they give is known; else defines nothing
 * and says in p where to keep it. */
bool cpp_prefix_use(struct cpp *c, const char *defines, struct prefix *p);
void cpp_prefix_keep(struct cpp *c, const struct prefix *p); /* after they were read */

/* text.c */
/* `# 12 "file.c" 1 3 4`; why is 1 into a file, 2 back to it, 0 neither. */
void cpp_put_marker(struct cpp *c, unsigned why);
/* Goes to the file's line before text is put out. */
void cpp_sync(struct cpp *c);
/* One line of the file, or more when macro calls or comments span them. */
void cpp_text_line(struct cpp *c);

/* directive.c */
void cpp_read_until(struct cpp *c, const char *end); /* of a line of c->file */
void cpp_read_file(struct cpp *c);                   /* the rest of it */

/* include.c */
/* The file at path, not yet read; NULL when there is none. */
struct source *cpp_source(struct cpp *c, const char *path);
void cpp_read_source(struct cpp *c, struct source *s);
/* Finds what an #include names; folder is where.  NULL when there is none. */
struct source *cpp_find(struct cpp *c, const char *name, bool quoted, bool next, int *folder);
/* "name" or <name> from a directive's tokens, macros expanded; in the arena. */
const char *cpp_header_name(struct cpp *c, const struct tokens *line, bool *quoted);

/* world.c */
/* The words are the compiler and the flags that are not done here.  The question ("operator name",
 * or NULL) is answered in it, too. */
bool cpp_world_of(struct arena *a, char *const *words, const char *question,
                  struct cpp_world *world, struct err *e);

#endif
