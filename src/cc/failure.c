/* Reads what a failed compiler said: which kind of failure it was, the line to show to people,
 * and for a fault of the compiler a signature that stays the same for the same bug, whatever
 * the addresses, temporary names and arguments of that day.  Takes a finished job, starts none. */
#include "cc/cc.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* ---- lines --------------------------------------------------------------------------- */

/* The line in which s stands, as a copy. */
static char *line_at(struct arena *a, const char *text, const char *s)
{
    const char *begin = s;
    while (begin > text && begin[-1] != '\n')
        begin--;
    return str_first_line(a, begin);
}

/* The line that first contains one of the words, or NULL. */
static char *line_with(struct arena *a, const char *text, const char *const *words)
{
    const char *first = NULL;
    for (; *words; words++) {
        const char *at = strstr(text, *words);
        if (at && (!first || at < first))
            first = at;
    }
    return first ? line_at(a, text, first) : NULL;
}

static bool has_any(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strstr(text, *words))
            return true;
    return false;
}

static char *last_line(struct arena *a, const char *text)
{
    const char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    const char *begin = end;
    while (begin > text && begin[-1] != '\n')
        begin--;
    return str_first_line(a, arena_copy(a, begin, (size_t)(end - begin)));
}

/* ---- signatures ---------------------------------------------------------------------- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Copies the text without what changes from run to run: hexadecimal addresses become ADDR, the
 * folders of file names go, and so do the numbers in temporary names (ccXYZ.s) with them. */
static char *without_noise(struct arena *a, const char *s)
{
    struct text out = {0};
    for (const char *p = s; *p;) {
        bool starts_word = p == s || !is_word(p[-1]);
        size_t hex = p[0] == '0' && p[1] == 'x' ? strspn(p + 2, "0123456789abcdefABCDEF") : 0;
        if (starts_word && hex) {
            text_puts(&out, "ADDR");
            p += 2 + hex;
            continue;
        }
        size_t path = strcspn(p, " \t\n:,'\"`()");
        const char *slash = path ? memrchr(p, '/', path) : NULL;
        if (slash && (p == s || strchr(" \t:,'\"`(", p[-1])) && slash[1] && slash < p + path - 1) {
            p = slash + 1;
            continue;
        }
        text_putc(&out, *p++);
    }
    char *copy = arena_string(a, text_str(&out));
    text_free(&out);
    return copy;
}

/* Numbers become #. */
static char *without_numbers(struct arena *a, const char *s)
{
    struct text out = {0};
    while (*s) {
        size_t digits = strspn(s, "0123456789");
        text_putc(&out, digits ? '#' : *s);
        s += digits ? digits : 1;
    }
    char *copy = arena_string(a, text_str(&out));
    text_free(&out);
    return copy;
}

/* "a.c:3:4: internal compiler error: in f, at x.c:12" to what follows the marker. */
static const char *after(const char *line, const char *marker)
{
    const char *at = strstr(line, marker);
    return at ? at + strlen(marker) : line;
}

/* The function's name in a line of a stack dump, with or without a symbolizer's help; NULL for a
 * line that is no frame, or has no name.
 *     #5 0x00007f7a686b73c6 clang::Preprocessor::Lex(clang::Token&) (/lib/x.so+0x12)
 *   5  libclang.so 0x00007f7a686b73c6 clang::Preprocessor::Lex(clang::Token&) + 61
 *     #5 0x00007f7a686b73c6 __libc_message ./libio/../sysdeps/posix/libc_fatal.c:155:5 */
static char *frame_name(struct arena *a, const char *line)
{
    const char *p = strstr(line, " 0x");
    size_t number = strspn(line, "#0123456789");
    if (number == 0 || line[number] != ' ' || !p)
        return NULL;
    p += 3 + strspn(p + 3, "0123456789abcdef");
    while (*p == ' ')
        p++;
    size_t n = 0;
    /* names of functions can hold blanks ("operator new"), arguments always do */
    while (p[n] && p[n] != '(' && p[n] != '<' && p[n] != '+' && !str_has_prefix(p + n, " /") &&
           !str_has_prefix(p + n, " ./"))
        n++;
    while (n && p[n - 1] == ' ')
        n--;
    return n ? arena_copy(a, p, n) : NULL;
}

enum { SIGNATURE_FRAMES = 3 };

/* Is it of the C library or the C++ runtime?  They only end what went wrong before. */
static bool is_of_runtime(const char *line, const char *name)
{
    static const char *const libraries[] = {"libc.so",     "libstdc++.so", "libgcc_s.so",
                                            "libpthread.", "ld-linux",     NULL};
    static const char *const begin[] = {"__libc_",        "__GI_",          "__fortify_fail",
                                        "__chk_fail",     "__cxa_",         "_Unwind_",
                                        "__gxx_",         "__cxxabiv1::",   "_start",
                                        "__gnu_cxx::",    "std::terminate", "__stack_chk",
                                        "malloc_",        "std::__throw_",  "operator new",
                                        "_int_",          "__assert",       "__pthread_kill",
                                        "operator delete"};
    static const char *const whole[] = {"malloc", "free", "realloc", "calloc", "unlink_chunk"};
    for (size_t i = 0; i < LENGTH(begin); i++)
        if (str_has_prefix(name, begin[i]))
            return true;
    for (size_t i = 0; i < LENGTH(whole); i++)
        if (strcmp(name, whole[i]) == 0)
            return true;
    return has_any(line, libraries);
}

/* The first named frames below the signal handler of LLVM's stack dump.  Small members of its
 * classes for code are inlined in one version and not in another: who called them is what counts.
 */
static void add_llvm_frames(struct arena *a, const char *err, struct text *out)
{
    static const char *const machinery[] = {"PrintStackTrace",
                                            "RunSignalHandlers",
                                            "CleanupOnSignal",
                                            "SignalHandler",
                                            "llvm::sys::",
                                            "abort",
                                            "raise",
                                            "gsignal",
                                            "__assert_fail",
                                            "__restore_rt",
                                            "pthread_kill",
                                            "report_fatal_error",
                                            "llvm_unreachable",
                                            "CrashRecovery",
                                            "llvm::BasicBlock::",
                                            "llvm::Instruction::",
                                            "llvm::Value::",
                                            "llvm::User::",
                                            "llvm::Type::",
                                            NULL};
    int frames = 0;
    for (const char *p = strstr(err, "Stack dump"); p && frames < SIGNATURE_FRAMES;) {
        p = strchr(p, '\n');
        if (!p)
            return;
        const char *line = str_first_line(a, p + 1);
        p++;
        char *name = frame_name(a, line);
        if (!name || has_any(name, machinery) || is_of_runtime(line, name))
            continue;
        text_printf(out, "; %s", name);
        frames++;
    }
}

/* "3. Running pass 'X' on function '@f'" or "Running pass "x<n=1>" on function "f"": the pass,
 * without its parameters, which depend on the level. */
static void add_llvm_pass(const char *err, struct text *out)
{
    const char *p = NULL;
    for (const char *q = err; (q = strstr(q, "Running pass ")); q++)
        p = q; /* the innermost stands last */
    if (!p)
        return;
    p += strlen("Running pass ");
    if (*p != '\'' && *p != '"')
        return;
    const char *end = strchr(p + 1, *p);
    if (end)
        text_printf(out, "; pass %.*s", (int)strcspn(p + 1, (char[]){*p, '<', '\0'}), p + 1);
}

/* "Cannot select: ADDR: ch = store<(store (s8) into @g)> ADDR, ..." to "Cannot select: ch = store":
 * the operation is the back end's, its operands are the program's.  GlobalISel's "instruction:
 * %5:_(s8) = G_X
 * ..." alike.  Everything else stays as it is. */
static char *without_operands(struct arena *a, char *line)
{
    static const char *const markers[] = {"annot select: ", "instruction: "};
    const char *node = NULL;
    for (size_t i = 0; i < LENGTH(markers) && !node; i++)
        if ((node = strstr(line, markers[i])))
            node += strlen(markers[i]);
    const char *equals = node ? strstr(node, " = ") : NULL;
    if (!equals)
        return line;
    const char *types = str_has_prefix(node, "ADDR: ") ? node + strlen("ADDR: ") : node;
    const char *operation = equals + strlen(" = ");
    size_t n = strcspn(operation, " <,");
    return arena_printf(a, "%.*s%.*s = %.*s", (int)(node - line), line, (int)(equals - types),
                        types, (int)n, operation);
}

static char *llvm_signature(struct arena *a, const char *err)
{
    static const char *const assertion[] = {"Assertion `", NULL};
    static const char *const fatal[] = {"error in backend:", "LLVM ERROR:", "UNREACHABLE executed",
                                        NULL};
    struct text out = {0};
    char *line = line_with(a, err, assertion);
    if (line) {
        text_puts(&out, without_noise(a, strstr(line, "Assertion `")));
    } else if ((line = line_with(a, err, fatal))) {
        char *what = without_operands(a, without_noise(a, after(line, "fatal error: ")));
        text_puts(&out, without_numbers(a, what)); /* lanes and counts are the program's */
        add_llvm_pass(err, &out);
    } else {
        text_puts(&out, "crash");
        add_llvm_pass(err, &out);
        add_llvm_frames(a, err, &out);
    }
    char *copy = arena_string(a, out.s);
    text_free(&out);
    return copy;
}

/* "t.c, line 12", which is all that pcc says behind the colon. */
static bool is_place(const char *s)
{
    const char *line = strstr(s, ", line ");
    const char *number = line ? line + strlen(", line ") : "";
    return *number && !number[strspn(number, "0123456789")];
}

/* GCC's own line, and where it fell over without saying in which function, the pass. */
static char *gcc_signature(struct arena *a, const char *err, const char *line)
{
    static const char *const during[] = {"during ", NULL};
    static const char marker[] = "internal compiler error: ";
    const char *what = without_noise(a, after(line, marker));
    char *pass = line_with(a, err, during);
    if (is_place(what))
        return arena_copy(a, line, (size_t)(strstr(line, marker) - line) + sizeof marker - 3);
    if (str_has_prefix(what, "in ") || !pass || !strstr(pass, " pass: "))
        return arena_string(a, what);
    return arena_printf(a, "%s; %s", what, after(pass, "during "));
}

/* "no such instruction: `movsbw! %al,%dx'" to "no such instruction: `movsbw!'": operands, labels
 * and lines are the program's. */
static char *assembler_signature(struct arena *a, const char *complaint)
{
    const char *quote = strchr(complaint, '`');
    const char *end = quote ? strchr(quote, '\'') : NULL;
    const char *shape = complaint;
    if (end)
        shape = arena_printf(a, "%.*s%s",
                             (int)(strcspn(quote, " \t'") + (size_t)(quote - complaint)), complaint,
                             end);
    return without_numbers(a, without_noise(a, shape));
}

/* ---- the kinds ----------------------------------------------------------------------- */

static void set(struct arena *a, struct outcome *out, enum outcome_kind kind, const char *message,
                const char *signature)
{
    out->kind = kind;
    out->message = str_visible(a, message);
    out->signature = str_visible(a, signature);
}

static const char *const out_of_memory[] = {"out of memory allocating",
                                            "virtual memory exhausted",
                                            "memory exhausted",
                                            "LLVM ERROR: out of memory",
                                            "std::bad_alloc",
                                            "memory full",
                                            "Cannot allocate memory",
                                            "Killed signal terminated program",
                                            NULL};
static const char *const disk_full[] = {"No space left on device", "Disk quota exceeded", NULL};
static const char *const gcc_error[] = {"internal compiler error", NULL};
static const char *const llvm_error[] = {
    "PLEASE submit a bug report",   "Stack dump:", "error in backend", "LLVM ERROR:",
    "command failed due to signal", NULL};
static const char *const backend_error[] = {"error in backend: ", NULL};
/* words in which LLVM's code generators decline what they do not do */
static const char *const declined[] = {"support", " disabled", NULL};
/* of pcc, chibicc and others; what is left of "compiler error" is not GCC's */
static const char *const other_error[] = {
    "compiler error:", "internal error:",        "internal error at ",
    ": Assertion `",   "terminated with signal", NULL};
/* a linker or an assembler that died, which no compiler wrote; but one that optimises is LLVM's */
static const char *const tool_crash[] = {
    "linker command failed due to signal",    "ld terminated with signal",
    "signal terminated program as",           "signal terminated program ld",
    "assembler command failed due to signal", NULL};
static const char *const llvm_dump[] = {"PLEASE submit a bug report", "Stack dump:", NULL};
/* a driver's words for limits of ours that struck its compiler proper */
static const char *const cpu_limit[] = {"CPU time limit exceeded", NULL};
static const char *const file_limit[] = {"File size limit exceeded", NULL};
static const char *const assembler_error[] = {"Assembler messages:", NULL};
static const char *const linker_error[] = {"undefined reference to",
                                           "undefined symbol '",
                                           "ld returned ",
                                           "linker command failed",
                                           "ld terminated with status",
                                           "multiple definition of",
                                           "cannot find -l",
                                           NULL};
/* gcc and chibicc, clang, tcc, pcc */
static const char *const no_header[] = {
    ".h: No such file or directory", ".h' file not found",   ".h' not found",
    "error: cannot find '",          ".h: cannot open file", NULL};
/* a compiler that wants to write, or to ask somebody, where it may not */
static const char *const forbidden[] = {"Read-only file system", "Permission denied",
                                        "Operation not permitted", NULL};
static const char *const plain_error[] = {"error:", "Error:", ", line ", "undefined reference to",
                                          NULL};

/* The line after "Assembler messages:" is the first complaint. */
static char *assembler_line(struct arena *a, const char *err)
{
    static const char *const complaint[] = {"Error:", NULL};
    char *line = line_with(a, err, complaint);
    return line ? line : last_line(a, err);
}

/* What it says: some compilers complain on stdout. */
static const char *words_of(const struct sys_result *r)
{
    const char *out = text_str(&r->out);
    bool complains = has_any(out, plain_error) || has_any(out, gcc_error) ||
                     has_any(out, llvm_error) || has_any(out, other_error);
    return r->err.n == 0 && complains ? out : text_str(&r->err);
}

static void classify_words(struct arena *a, const struct sys_result *r, struct outcome *out)
{
    const char *err = words_of(r);
    char *line;
    if (has_any(err, disk_full) || has_any(err, file_limit)) {
        set(a, out, OUTCOME_ENVIRONMENT, last_line(a, err), "");
    } else if (has_any(err, cpu_limit)) {
        set(a, out, OUTCOME_HANG, line_with(a, err, cpu_limit), "hang");
    } else if (has_any(err, out_of_memory)) {
        set(a, out, OUTCOME_OUT_OF_MEMORY, line_with(a, err, out_of_memory), "out of memory");
    } else if ((line = line_with(a, err, tool_crash)) && !has_any(err, llvm_dump)) {
        set(a, out, OUTCOME_TOOL_CRASHED, line, "");
    } else if ((line = line_with(a, err, gcc_error))) {
        set(a, out, OUTCOME_ICE, line, gcc_signature(a, err, line));
    } else if ((line = line_with(a, err, backend_error)) && has_any(line, declined)) {
        set(a, out, OUTCOME_REJECTED, line, "");
    } else if (has_any(err, llvm_error)) {
        const char *signature = llvm_signature(a, err);
        set(a, out, OUTCOME_ICE, signature, signature);
    } else if (r->end == SYS_SIGNALLED) {
        const char *name = sys_signal_name(r->code);
        const char *last = last_line(a, err);
        const char *words = *last ? arena_printf(a, "%s: %s", name, last) : name;
        set(a, out, OUTCOME_CRASHED, words, without_noise(a, words));
    } else if ((line = line_with(a, err, other_error))) {
        bool pcc = strstr(line, "compiler error:");
        const char *words = without_noise(a, after(line, pcc ? "compiler error: " : ": "));
        /* "label 449 outside boundaries 449-459": the program's; in assertions, places in the
         * compiler */
        set(a, out, OUTCOME_ICE, line, pcc ? without_numbers(a, words) : words);
    } else if ((line = line_with(a, err, forbidden))) {
        set(a, out, OUTCOME_FORBIDDEN, line, "");
    } else if (has_any(err, assembler_error)) {
        line = assembler_line(a, err);
        set(a, out, OUTCOME_BAD_ASSEMBLY, line, assembler_signature(a, after(line, "Error: ")));
    } else if ((line = line_with(a, err, linker_error))) {
        /* "t.c:(.text+0x1c): undefined reference to `f'": the place is another at every level */
        set(a, out, OUTCOME_LINK_FAILED, after(line, "): "), "");
    } else if ((line = line_with(a, err, no_header))) {
        set(a, out, OUTCOME_NO_HEADER, line, "");
    } else if ((line = line_with(a, err, plain_error)) || *(line = last_line(a, err))) {
        set(a, out, OUTCOME_REJECTED, line, "");
    } else {
        /* chibicc's driver keeps quiet when its compiler proper dies */
        const char *words = arena_printf(a, "exit status %d without a word", r->code);
        set(a, out, OUTCOME_CRASHED, words, words);
    }
}

void cc_classify_failure(struct arena *a, const struct sys_result *r, struct outcome *out)
{
    if (r->end == SYS_TIMEOUT)
        set(a, out, OUTCOME_HANG, sys_describe_end(a, r), "hang");
    else if (r->end == SYS_MEMORY)
        set(a, out, OUTCOME_OUT_OF_MEMORY, sys_describe_end(a, r), "out of memory");
    else if (r->end == SYS_CROWD)
        set(a, out, OUTCOME_CRASHED, sys_describe_end(a, r), "forks without end");
    else if (r->end == SYS_FULL)
        set(a, out, OUTCOME_CRASHED, sys_describe_end(a, r), "fills the disk");
    else if (r->end == SYS_NOT_STARTED || r->end == SYS_CANCELLED)
        set(a, out, OUTCOME_ENVIRONMENT, sys_describe_end(a, r), "");
    else
        classify_words(a, r, out);
}
