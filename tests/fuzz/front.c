/* Fuzz target: any text goes through the parser; what it accepts is printed and parsed again,
 * and must be the same tree; without edits, the splice path gives back the same bytes.
 *
 * Built by `make fuzz` with clang's libFuzzer, ASan and UBSan. */
#include "front/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_splice(const struct program *p, const uint8_t *data, size_t size)
{
    struct text out = {0};
    lang_splice(p, NULL, 0, &out);
    if (out.n != size || (size && memcmp(out.s, data, size) != 0))
        BUG("the spliced text differs");
    text_free(&out);
}

static void check_print(const struct program *p)
{
    struct text out = {0};
    struct err why;
    lang_print(p, NULL, 0, &out);
    struct unit again = front_parse(text_str(&out), out.n, NULL);
    if (again.error_count) {
        fprintf(stderr, "%s\n", text_str(&out));
        BUG("printed text is not accepted: %s", again.errors[0].message);
    }
    if (!lang_same_program(p, again.program, &why)) {
        fprintf(stderr, "%s\n", text_str(&out));
        BUG("printed text is another program: %s", why.msg);
    }
    text_free(&out);
    lang_program_free(again.program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct unit u = front_parse((const char *)data, size, NULL);
    struct text errors = {0};
    front_print_errors(&u, &errors);
    text_free(&errors);
    if (!u.error_count) {
        check_splice(u.program, data, size);
        check_print(u.program);
    }
    lang_program_free(u.program);
    return 0;
}
