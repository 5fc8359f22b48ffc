/* What programs tell people: err.h and error.h, and messages in the "C" locale, in which gettext
 * gives back what it was given. */
#include "machine/lib/private.h"

#include <string.h>

static const char *program_name(const struct lib_call *c)
{
    const char *name = c->m->options.name ? c->m->options.name : "a.out";
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

/* "name: message: why": argument `text` is the format; no why where error is 0.  False when the run
 * has ended. */
static bool tell(struct lib_call *c, uint32_t text, bool list, int error)
{
    struct text out = {0};
    struct stream *to = lib_standard(c, 2);
    text_printf(&out, "%s: ", program_name(c));
    bool well = to && (!arg(c, text) || lib_format(c, text, list, &out));
    if (well && error)
        text_printf(&out, "%s%s", arg(c, text) ? ": " : "", strerror(error));
    text_putc(&out, '\n');
    well = well && lib_print(c, to, text_str(&out), out.n);
    text_free(&out);
    return well && !c->m->ended;
}

void lib_warn(struct lib_call *c)
{
    tell(c, 0, false, lib_errno(c));
}

void lib_warnx(struct lib_call *c)
{
    tell(c, 0, false, 0);
}

void lib_vwarn(struct lib_call *c)
{
    tell(c, 0, true, lib_errno(c));
}

void lib_vwarnx(struct lib_call *c)
{
    tell(c, 0, true, 0);
}

void lib_err(struct lib_call *c)
{
    if (tell(c, 1, false, lib_errno(c)))
        lib_exit(c);
}

void lib_errx(struct lib_call *c)
{
    if (tell(c, 1, false, 0))
        lib_exit(c);
}

void lib_verr(struct lib_call *c)
{
    if (tell(c, 1, true, lib_errno(c)))
        lib_exit(c);
}

void lib_verrx(struct lib_call *c)
{
    if (tell(c, 1, true, 0))
        lib_exit(c);
}

/* GNU: it comes back where the status is 0. */
void lib_error(struct lib_call *c)
{
    if (tell(c, 2, false, arg_int(c, 1)) && arg_int(c, 0))
        lib_exit(c);
}

void lib_gettext(struct lib_call *c)
{
    give(c, arg(c, 0));
}

void lib_dgettext(struct lib_call *c)
{
    give(c, arg(c, 1));
}

void lib_ngettext(struct lib_call *c)
{
    give(c, arg(c, 2) == 1 ? arg(c, 0) : arg(c, 1));
}

void lib_dngettext(struct lib_call *c)
{
    give(c, arg(c, 3) == 1 ? arg(c, 1) : arg(c, 2));
}

/* What it is set to; who asks instead of setting gets what the library began with. */
static void give_setting(struct lib_call *c, uint32_t i)
{
    uint64_t n;
    if (!arg(c, i))
        lib_unsupported(c, "asking for a text domain");
    else if (lib_text(c, arg(c, i), &n))
        give(c, arg(c, i));
}

void lib_textdomain(struct lib_call *c)
{
    give_setting(c, 0);
}

void lib_bindtextdomain(struct lib_call *c)
{
    give_setting(c, 1);
}
