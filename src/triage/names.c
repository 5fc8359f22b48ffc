/* Names of passes, as they are to be called whatever version printed them.  Pure. */
#include "triage/private.h"

#include <ctype.h>
#include <string.h>

/* Names of targets that are one word, whatever their capitals: as LLVM's own passes are called. */
static const struct target_word {
    const char *printed, *name;
} target_words[] = {
    {"AArch64", "aarch64"},     {"WebAssembly", "wasm"}, {"PowerPC", "ppc"},
    {"SystemZ", "systemz"},     {"RISC-V", "riscv"},     {"RISCV", "riscv"},
    {"LoongArch", "loongarch"},
};

static const struct target_word *target_at(const char *s)
{
    for (size_t i = 0; i < LENGTH(target_words); i++)
        if (str_has_prefix(s, target_words[i].printed))
            return &target_words[i];
    return NULL;
}

/* "DivRemPairsPass" to "div-rem-pairs", "X86 Foo Bar" to "x86-foo-bar": words in lower case. */
static const char *words_of(struct arena *a, const char *name, size_t n)
{
    struct text out = {0};
    const struct target_word *target = target_at(name);
    size_t begin = target && strlen(target->printed) < n ? strlen(target->printed) : 0;
    if (begin)
        text_printf(&out, "%s-", target->name);
    for (size_t i = begin; i < n; i++) {
        unsigned char c = (unsigned char)name[i], before = i ? (unsigned char)name[i - 1] : 0;
        bool starts = isupper(c) && i &&
                      (islower(before) ||
                       (i + 1 < n && isupper(before) && islower((unsigned char)name[i + 1])));
        bool blank = !isalnum(c);
        if ((starts || blank) && out.n && out.s[out.n - 1] != '-')
            text_putc(&out, '-');
        if (!blank)
            text_putc(&out, (char)tolower(c));
    }
    char *copy = arena_string(a, text_str(&out));
    text_free(&out);
    return copy;
}

/* "m68k-dag-dag-pattern-instruction-selection" to "m68k-isel", as it is called there. */
static const char *short_selection(struct arena *a, const char *words)
{
    if (!str_has_suffix(words, "-instruction-selection"))
        return words;
    return arena_printf(a, "%.*s-isel", (int)strcspn(words, "-"), words);
}

const char *pass_name_llvm(struct arena *a, const char *printed)
{
    static const struct {
        const char *printed, *name;
    } rows[] = {
#define LLVM_PASS(printed, name) {printed, name},
#include "triage/llvm_pass.def"
    };
    size_t n = strcspn(printed, "<"); /* parameters depend on the level */
    const char *bare = arena_copy(a, printed, n);
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (strcmp(rows[i].printed, bare) == 0)
            return rows[i].name;
    if (!bare[strcspn(bare, "ABCDEFGHIJKLMNOPQRSTUVWXYZ ")])
        return bare;
    if (n > 4 && str_has_suffix(bare, "Pass"))
        n -= 4;
    return short_selection(a, words_of(a, bare, n));
}

const char *pass_name_gcc(struct arena *a, const char *printed)
{
    size_t n = strlen(printed);
    while (n && isdigit((unsigned char)printed[n - 1]))
        n--;
    return arena_copy(a, printed, n);
}

bool triage_crash_is_in(struct arena *a, const char *signature, const char *pass)
{
    static const char marker[] = "; pass ";
    const char *at = strstr(signature, marker);
    if (!at || !*pass)
        return false;
    at += strlen(marker);
    const char *name = pass_name_llvm(a, arena_copy(a, at, strcspn(at, ";")));
    return strcmp(name, pass) == 0 ||
           (str_has_suffix(name, "-isel") && strcmp(pass, "instruction selection") == 0);
}
