/* What the files of lib share: arguments, strings and results of library calls. */
#ifndef MACHINE_LIB_PRIVATE_H
#define MACHINE_LIB_PRIVATE_H

#include "machine/lib/lib.h"

#define LIB(name, types) lib_fn lib_##name;
#define LIB_AS(name, as, types)
#include "machine/lib/functions.def"

enum { SIGNALS = 65 };

/* A file in memory, which nobody but the program sees. */
struct file {
    const char *name; /* NULL: without one */
    bool exists;      /* under its name; false: removed */
    bool is_null;     /* /dev/null */
    uint32_t streams; /* that are open on it */
    bool written;     /* one of them writes */
    struct text bytes;
    struct text unset; /* a byte for each of bytes, once one was written that was never set */
    /* memstream.c: where the program keeps the buffer and its size, and the buffer itself */
    uint64_t pointer_at, size_at, buffer;
    bool changed;         /* since it was flushed */
    uint64_t given, room; /* the buffer that the program gave, and its size */
};

enum { STREAM_ROOM = 256 };

struct stream {
    struct object *object; /* the FILE */
    struct file *file;     /* NULL: standard input or output as the machine has it */
    uint8_t standard;      /* 0 stdin, 1 stdout, 2 stderr, 3 none */
    bool open, reads, writes, appends, ended, failed;
    int8_t width; /* 1: for wide characters, -1: for bytes, 0: not decided */
    char last;    /* what the program did last: r, w, or 0 */
    int unread;   /* EOF, or a character that was pushed back */
    uint64_t at;
    uint64_t buffer;                  /* that setvbuf gave it; 0: its own */
    const struct call_site *buffered; /* where */
};

/* Functions to be called when the program leaves, the last one first. */
struct exits {
    struct func *list[64];
    unsigned count;
};

/* Where getopt is: getopt.c. */
struct getopt_state {
    struct object *objects[4]; /* optarg, optind, opterr, optopt */
    bool begun;
    uint64_t next;       /* letters that are left of a word; 0: none */
    int32_t first, last; /* words that are no options, and were skipped */
};

enum { THREAD_KEYS = 128 };
struct thread_key {
    bool used;
    uint64_t value;
};

/* What functions keep from call to call where no object of the program has it. */
enum library_state {
    STATE_RANDOM,
    STATE_TOKEN,       /* strtok's string */
    STATE_ENVIRONMENT, /* what names are set to */
    STATE_FILES,       /* which names files have, and which descriptors are taken */
    STATE_SIGNALS,     /* how they are handled */
    STATE_OPTIONS,     /* where getopt is */
    STATE_EXITS,       /* the order of what atexit registered */
    STATE_ZONE,        /* what tzset found */
    STATE_KEYS,        /* of threads */
    STATE_MESSAGE,     /* the text of an error that is not known */
    STATE_COUNT
};

/* State of the library of one machine. */
struct library {
    struct stream streams[STREAM_ROOM]; /* stdin, stdout, stderr, and those that were opened */
    struct list files;                  /* struct file */
    struct object *errno_object, *ctype_object[3], *ctype_pointer[3], *tm_object, *time_text;
    struct exits at_exit, at_quick_exit;
    int32_t random[34];
    unsigned random_front;
    bool random_ready;
    uint64_t random48;
    uint64_t asked;           /* elsewhere time goes on: how often it was asked for */
    struct object *temporary; /* tmpnam's own; NULL: not asked for */
    unsigned temporaries;     /* names that it gave */
    uint64_t token;           /* strtok: where it goes on; 0: at the end */
    bool has_token;           /* it was given a string */
    bool exiting;             /* functions that atexit registered are being called */
    struct getopt_state getopt;
    struct list settings;    /* struct setting: env.c */
    struct list zone_names;  /* struct object: zone.c */
    uint64_t zone_settled;   /* the text of TZ that functions look at; 0: the program set none */
    struct list expressions; /* struct expression: regex.c */
    struct object *environment, *locale, *locale_name;
    struct object *environ_object;       /* the variable; NULL: the program does not name it */
    struct object *state[STATE_COUNT];   /* each stands for what is kept; NULL: not used yet */
    struct object *message;              /* the text of an error that is not known */
    struct thread_key keys[THREAD_KEYS]; /* threads.c */
    int32_t cancel_state, cancel_type;
    bool input_by_stream, input_by_read, closed[3]; /* by descriptor */
    size_t flushed;                                 /* of stdout's output */
    uint64_t handler[SIGNALS];                      /* as signal set them */
    bool action[SIGNALS];  /* sigaction did, in a way that is not known here */
    bool blocked[SIGNALS]; /* its handler runs, or was left by longjmp */
};

/* Argument i: its first slot. */
static inline uint64_t arg(const struct lib_call *c, uint32_t i)
{
    return c->r[c->site->slot[i]];
}
static inline int32_t arg_int(const struct lib_call *c, uint32_t i)
{
    return (int32_t)arg(c, i);
}
static inline void give(struct lib_call *c, uint64_t v)
{
    c->result[0] = v;
}
static inline void give_int(struct lib_call *c, int64_t v)
{
    c->result[0] = (uint64_t)(int64_t)(int32_t)v;
}

/* math.c: a floating result, rounded to its type. */
void give_number(struct lib_call *c, long double v);
/* Is the function called this, in whatever width? */
bool lib_is_width_of(const struct lib_call *c, const char *name);
/* The result is not the exact one rounded once, as compilers fold it: is that one to be taken? */
bool lib_rounds_once(struct lib_call *c);
/* The value whose sign is about to be seen.  A NaN that arithmetic made is negative on this host,
 * and positive where a compiler folded: which, is a choice. */
long double lib_nan_sign(struct lib_call *c, long double v);
/* Gives what that function of two arguments does. */
void lib_give_math2(struct lib_call *c, const char *name, long double x, long double y);
/* A result of which only the sign or truth is laid down. */
void give_sign(struct lib_call *c, int64_t v);

/* May a string, of wide characters or not, lie where a pointer to this type points?  Numbers of
 * another size and pointers are no characters; of void and records nothing is known. */
bool lib_may_be_text(const struct lib_call *c, const struct type *to, bool wide);
/* A string that is there, with its length; NULL when reading it is undefined. */
const char *lib_text(struct lib_call *c, uint64_t address, uint64_t *length);
/* At most limit characters of it. */
const char *lib_text_n(struct lib_call *c, uint64_t address, uint64_t limit, uint64_t *length);
const uint8_t *lib_read(struct lib_call *c, uint64_t address, uint64_t size);
uint8_t *lib_write(struct lib_call *c, uint64_t address, uint64_t size);
bool lib_store(struct lib_call *c, uint64_t address, const void *bytes, uint64_t size);
/* What is about to be written may not lie where this call reads, as restrict parameters say: false
 * when it does, and the run has ended. */
bool lib_apart(struct lib_call *c, uint64_t to, uint64_t size, uint64_t from, uint64_t read);
void lib_undefined(struct lib_call *c, enum ub ub, const char *fmt, ...) PRINTF_LIKE(3, 4);
void lib_unsupported(struct lib_call *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The result is one of several that C allows, and compilers or libraries really differ. */
void lib_unspecified(struct lib_call *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
void lib_set_errno(struct lib_call *c, int value);
/* Of the functions that read integers: false, as glibc has it, with EINVAL and 0 for any other
 * base. */
bool lib_takes_base(struct lib_call *c, int base);
int lib_errno(struct lib_call *c);
/* It reads or changes what the library keeps from call to call: an access that can conflict. */
void lib_note_state(struct lib_call *c, enum library_state which, bool changes);
/* An object of the library: zero, and not the program's to free. */
struct object *lib_new(struct machine *m, uint64_t size, const char *name);
/* What the program set a name to, 0 when it took that away; NULL: it did not touch it. */
const uint64_t *env_value(struct lib_call *c, const char *name);
/* zone.c: where it is, how many seconds east of Greenwich; saving: it is summer there. */
struct zone {
    const char *name;
    int32_t east;
    bool saving;
};
/* What TZ says now counts from now on: of functions that do as tzset does. */
void zone_settle(struct lib_call *c);
bool zone_get(struct lib_call *c, struct zone *z); /* false: the run has ended */
/* The address of a zone's name, as a string of the library's. */
uint64_t zone_name(struct lib_call *c, const char *name);
struct object *getopt_object(struct machine *m, const char *name); /* optarg and the others; NULL */
void stream_start(struct machine *m);
/* A stream on a new file without a name; NULL when there are too many, and the run has ended. */
struct stream *stream_new(struct lib_call *c, struct stream as);
/* What was written becomes the program's to see: false when the run has ended. */
bool memstream_flush(struct lib_call *c, const struct stream *s);
/* Is the buffer that the program gave as it was?  False when the run has ended. */
bool memstream_is_unchanged(struct lib_call *c, const struct file *f);
void regex_end(struct machine *m);
/* Sets an integer member of a structure of the program's. */
void lib_set_field(struct lib_call *c, uint8_t *bytes, const struct type *type, const char *name,
                   uint64_t value);
void stream_end(struct machine *m);
/* The call's own arguments from first on, as one that is passed a va_list reads that. */
struct cursor lib_own_list(const struct lib_call *c, uint32_t first);
/* The va_list that argument i is; NULL when it is not open, and the run has ended. */
struct cursor *lib_list(struct lib_call *c, uint32_t i);
/* The stream at this address; NULL when it is none that is open, and the run has ended. */
struct stream *lib_stream(struct lib_call *c, uint64_t address);
/* stdin, stdout or stderr; NULL when it was closed, and the run has ended. */
struct stream *lib_standard(struct lib_call *c, unsigned i);
/* Text as wide characters to an address, with a zero behind them. */
bool lib_put_wide(struct lib_call *c, uint64_t to, const char *text, uint64_t n);
/* A wide string as ASCII; NULL when it is not, or cannot be read, and the run has ended. */
const char *lib_wide_text(struct lib_call *c, uint64_t address, uint64_t *length);
/* False when nothing could be written: the stream is not for that, or the run has ended. */
bool lib_print(struct lib_call *c, struct stream *s, const char *bytes, uint64_t n);
/* Appends what printf would print: argument `text` is the format, and those behind it, or a list,
 * what it is about.  False when the run has ended. */
bool lib_format(struct lib_call *c, uint32_t text, bool list, struct text *out);
/* May the program read from it now?  Said before the first lib_getc of a call. */
bool lib_reads(struct lib_call *c, struct stream *s);
int lib_getc(struct lib_call *c, struct stream *s);
/* Pushes a character back; what was read last is simply not read yet, as in glibc. */
void lib_unread(struct lib_call *c, struct stream *s, int ch);
/* A pointer's size in slots as bytes of the target. */
unsigned lib_pointer_size(const struct lib_call *c);
struct object *lib_allocate(struct lib_call *c, uint64_t size, uint32_t align, bool zero);
/* The allocated object at this address; NULL when freeing it is undefined. */
struct object *lib_allocated(struct lib_call *c, uint64_t address);
/* Ends without exit: what stdio holds back is written or lost, as the implementation likes. */
void lib_leave_abruptly(struct lib_call *c, int status);
/* Calls them; false when one did not come back. */
bool lib_run_exits(struct machine *m, struct exits *x);
void lib_leave(struct lib_call *c, int status);
/* Where a program leaves: what is still to be written has its buffer. */
bool lib_has_buffers(struct machine *m);
/* The call does not come back to where operands may wait to be evaluated. */
void lib_note_leaving(struct lib_call *c);
/* What argument i points to, as zeros; NULL when it cannot be written. */
uint8_t *lib_clear(struct lib_call *c, uint32_t i, const struct type **type);
struct func *lib_function(struct lib_call *c, uint64_t address);

#endif
