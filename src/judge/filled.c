/* A program whose main begins on a stack that is filled.  Wrong code that reads what nobody wrote
 * is right where it finds zeros; the loader's programs find none, and this makes a program of a
 * text that does not either, however it is linked.  Its main stays as it is, under another name for
 * the linker; what the linker calls main fills the stack and goes there. */
#include "judge/judge.h"

#include "front/front.h"

#include <string.h>

static const char before[] = "int main() __asm__(\"main_of_program\");\n";
static const char after[] =
    "/* The program begins here: with a stack that holds no zeros below main. */\n"
    "static __attribute__((noinline)) void fill_below_main(void)\n"
    "{\n"
    "    volatile unsigned char below[65536];\n"
    "    unsigned i;\n"
    "    for (i = 0; i < sizeof below; i++)\n"
    "        below[i] = 0xa5;\n"
    "}\n"
    "int begin_program(%s) __asm__(\"main\");\n"
    "int begin_program(%s)\n"
    "{\n"
    "    __typeof__(main) *volatile go = main;\n"
    "    fill_below_main();\n"
    "    return go(%s);\n"
    "}\n";

/* Where the text defines main, and with how many parameters; NULL: it does not. */
static const struct decl *find_main(const struct program *p)
{
    for (size_t i = 0; i < p->functions.n; i++) {
        const struct decl *d = ((const struct function *)p->functions.at[i])->decl;
        if (d->name && strcmp(d->name, "main") == 0)
            return d;
    }
    return NULL;
}

bool judge_fill_stack(const char *text, size_t n, const struct target *target, struct text *out)
{
    static const char *const takes[] = {"void", NULL, "int argc, char **argv",
                                        "int argc, char **argv, char **envp"};
    static const char *const given[] = {"", NULL, "argc, argv", "argc, argv, envp"};
    struct unit u = front_parse(text, n,
                                &(struct front_options){.target = target, .file = "program.c"});
    const struct decl *d = u.error_count ? NULL : find_main(u.program);
    uint32_t count = d && !d->asm_name ? d->body->param_count : 1;
    bool known = count < LENGTH(takes) && takes[count];
    if (known) {
        text_puts(out, before);
        text_add(out, text, n);
        text_puts(out, n && text[n - 1] == '\n' ? "" : "\n");
        text_printf(out, after, takes[count], takes[count], given[count]);
    }
    lang_program_free(u.program);
    return known;
}
