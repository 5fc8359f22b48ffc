/* Where findings and doubts lie in a campaign's folder. */
#include "hunt/private.h"

#include "report/report.h"

#include <unistd.h>

static const char *path_of(struct arena *a, const char *dir, uint64_t id)
{
    return arena_printf(a, "%s/findings/%llu", dir, (unsigned long long)id);
}

bool folder_write(const char *dir, const struct finding *f, struct err *e)
{
    struct arena a = {0};
    const char *path = path_of(&a, dir, f->id);
    bool ok = sys_remove_tree(path, e) && report_write_folder(path, f, e);
    arena_free(&a);
    return ok;
}

bool folder_write_doubt(const char *dir, const struct finding *f, struct err *e)
{
    struct arena a = {0};
    struct list there = {0};
    const char *doubts = arena_printf(&a, "%s/doubts", dir);
    const char *path = arena_printf(&a, "%s/%016llx", doubts,
                                    (unsigned long long)hash_string(f->claim.key));
    bool ok = true;
    sys_list_folder(&a, doubts, &there, NULL); /* none yet is none */
    if (there.n < FOLDER_DOUBTS && access(path, F_OK) != 0)
        ok = report_write_folder(path, f, e);
    arena_free(&a);
    return ok;
}

bool folder_is_there(const char *dir, uint64_t id)
{
    struct arena a = {0};
    bool there = access(arena_printf(&a, "%s/reproduce.sh", path_of(&a, dir, id)), R_OK) == 0;
    arena_free(&a);
    return there;
}
