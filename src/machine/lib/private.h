/* What the files of lib share: arguments, strings and results of library calls. */
#ifndef MACHINE_LIB_PRIVATE_H
#define MACHINE_LIB_PRIVATE_H

#include "machine/lib/lib.h"

#define LIB(name, types) lib_fn lib_##name;
#define LIB_AS(name, as, types)
#include "machine/lib/functions.def"

enum { SIGNALS = 65 };

/* State of the library of one machine. */
struct library {
    struct object *files[3]; /* stdin, stdout, stderr */
    struct object *errno_object, *ctype_object[3], *ctype_pointer[3], *tm_object;
    struct func *at_exit[32];
    unsigned at_exit_count;
    size_t input_at;
    bool input_ended;
    int unread; /* EOF, or a character that was pushed back */
    int32_t random[34];
    unsigned random_front;
    bool random_ready;
    uint64_t asked; /* elsewhere time goes on: how often it was asked for */
    uint64_t token; /* strtok: where it goes on; 0: at the end */
    bool has_token; /* it was given a string */
    bool exiting;   /* functions that atexit registered are being called */
    bool gone[3];   /* streams that were closed */
    struct object *environment, *locale, *locale_name;
    bool input_by_stream, input_by_read, closed[3]; /* by descriptor */
    size_t flushed;                                 /* of stdout's output */
    uint64_t handler[SIGNALS];                      /* as signal set them */
    bool action[SIGNALS];                           /* sigaction did */
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

/* A result of which only the sign or truth is laid down. */
void give_sign(struct lib_call *c, int64_t v);

/* A string that is there, with its length; NULL when reading it is undefined. */
const char *lib_text(struct lib_call *c, uint64_t address, uint64_t *length);
/* At most limit characters of it. */
const char *lib_text_n(struct lib_call *c, uint64_t address, uint64_t limit, uint64_t *length);
const uint8_t *lib_read(struct lib_call *c, uint64_t address, uint64_t size);
uint8_t *lib_write(struct lib_call *c, uint64_t address, uint64_t size);
bool lib_store(struct lib_call *c, uint64_t address, const void *bytes, uint64_t size);
void lib_undefined(struct lib_call *c, enum ub ub, const char *fmt, ...) PRINTF_LIKE(3, 4);
void lib_unsupported(struct lib_call *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The result is one of several that C allows, and compilers or libraries really differ. */
void lib_unspecified(struct lib_call *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
void lib_set_errno(struct lib_call *c, int value);
int lib_errno(const struct lib_call *c);
/* The va_list that argument i is; NULL when it is not open, and the run has ended. */
struct cursor *lib_list(struct lib_call *c, uint32_t i);
/* 0 stdin, 1 stdout, 2 stderr; -1 when it is none of them, and the run has ended. */
int lib_file(struct lib_call *c, uint64_t address);
void lib_print(struct lib_call *c, int file, const char *bytes, uint64_t n);
int lib_getc(struct lib_call *c);
void lib_unread(struct lib_call *c, int ch);
/* A pointer's size in slots as bytes of the target. */
unsigned lib_pointer_size(const struct lib_call *c);
struct object *lib_allocate(struct lib_call *c, uint64_t size, uint32_t align, bool zero);
void lib_leave(struct lib_call *c, int status);
struct func *lib_function(struct lib_call *c, uint64_t address);

#endif
