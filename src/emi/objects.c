/* Which code an object holds, whatever is said in it for debuggers; and what the builds of a
 * project have given so far, so that none is tested whose objects were tested before. */
#include "emi/private.h"

#include "sys/sys.h"

#include <elf.h>
#include <string.h>

/* ---- one object ------------------------------------------------------------------------- */

struct object {
    const char *bytes;
    size_t n;
    Elf64_Ehdr header;
    size_t names; /* offset of the section names */
};

static bool read_at(const struct object *o, uint64_t offset, void *to, size_t size)
{
    if (offset > o->n || size > o->n - offset)
        return false;
    memcpy(to, o->bytes + offset, size);
    return true;
}

static bool read_section(const struct object *o, size_t index, Elf64_Shdr *s)
{
    return read_at(o, o->header.e_shoff + index * sizeof *s, s, sizeof *s) &&
           (s->sh_type == SHT_NOBITS ||
            (s->sh_offset <= o->n && s->sh_size <= o->n - s->sh_offset));
}

static bool open_object(struct object *o)
{
    Elf64_Shdr names;
    if (!read_at(o, 0, &o->header, sizeof o->header) ||
        memcmp(o->header.e_ident, ELFMAG, SELFMAG) != 0 ||
        o->header.e_ident[EI_CLASS] != ELFCLASS64 || o->header.e_ident[EI_DATA] != ELFDATA2LSB ||
        !read_section(o, o->header.e_shstrndx, &names))
        return false;
    o->names = names.sh_offset;
    return names.sh_type == SHT_STRTAB && names.sh_size > 0 &&
           o->bytes[names.sh_offset + names.sh_size - 1] == 0;
}

static bool is_for_debuggers(const char *name)
{
    return str_has_prefix(name, ".debug") || str_has_prefix(name, ".rela.debug");
}

/* Everything but what only debuggers read; 0 when it is no such object. */
static uint64_t hash_sections(struct object *o)
{
    uint64_t hash = 1;
    if (!open_object(o))
        return 0;
    for (size_t i = 0; i < o->header.e_shnum; i++) {
        Elf64_Shdr s;
        if (!read_section(o, i, &s) || s.sh_name >= o->n - o->names)
            return 0;
        const char *name = o->bytes + o->names + s.sh_name;
        if (is_for_debuggers(name))
            continue;
        hash = hash_pair(hash, hash_pair(hash_string(name), s.sh_flags));
        hash = hash_pair(hash, s.sh_type == SHT_NOBITS
                                   ? s.sh_size
                                   : hash_bytes(o->bytes + s.sh_offset, s.sh_size));
    }
    return hash;
}

uint64_t emi_code_hash(const char *path)
{
    struct text bytes = {0};
    struct err ignored;
    uint64_t hash = 0;
    if (sys_read_file(path, SYS_READ_ALL, &bytes, &ignored)) {
        struct object o = {.bytes = text_str(&bytes), .n = bytes.n};
        hash = hash_sections(&o);
        hash = hash ? hash : hash_bytes(text_str(&bytes), bytes.n);
    }
    text_free(&bytes);
    return hash;
}

/* ---- builds ----------------------------------------------------------------------------- */

bool emi_objects_list(struct arena *a, const char *folder, struct list *objects, struct err *e)
{
    *objects = (struct list){0};
    return sys_list_folder(a, folder, objects, e);
}

/* All objects of a build as one word; NULL when there are none. */
static char *whole(struct arena *a, const struct list *objects)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < objects->n; i++)
        hash = hash_pair(hash, hash_string(objects->at[i]));
    return objects->n ? arena_printf(a, "%016llx", (unsigned long long)hash) : NULL;
}

const int *emi_builds_find(const struct emi_builds *b, struct arena *a, const struct list *objects)
{
    char *name = whole(a, objects);
    return name && !b->late ? map_get(&b->results, name) : NULL;
}

void emi_builds_add(struct emi_builds *b, struct arena *a, const struct list *objects, int result)
{
    char *name = whole(a, objects);
    if (!name)
        return;
    int *copy = NEW(a, int);
    *copy = result;
    map_set(a, &b->results, name, copy);
}

void emi_builds_count(struct emi_builds *b, struct arena *a, const struct list *objects,
                      struct emi_objects *count)
{
    static const char original[] = "original", variant[] = "variant";
    for (size_t i = 0; i < objects->n; i++) {
        const char *object = objects->at[i], *first = map_get(&b->objects, object);
        if (!first)
            map_set(a, &b->objects, object, (void *)(count ? variant : original));
        if (!count)
            continue;
        count->all++;
        count->changed += first != original;
        count->known += first != NULL;
    }
}
