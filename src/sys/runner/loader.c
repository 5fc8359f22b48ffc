/* Links relocatable x86-64 ELF objects into this process: section by section into the low 2 GB,
 * so that every addressing mode that compilers use without -fPIC reaches.  Functions of the C
 * library are called through small stubs, since they lie far away; its variables (stdout,
 * environ ...) are near, because the runner itself is a fixed-address program that owns them.
 *
 * Takes nothing on trust: a broken object is refused, never followed out of bounds.
 * Refuses, with a reason, what needs a real linker: thread-local storage, constructors, ifuncs,
 * names that nobody defines or that two objects define, relocations of other code models. */
#include "sys/runner/runner.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096, STUB_SIZE = 16, MAX_OBJECTS = 64 };

struct object {
    const unsigned char *file;
    size_t size;
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections;
    const char *section_names;
    size_t section_names_size;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *names;
    size_t names_size;
    uintptr_t *base; /* address of each section, 0 when not loaded */
};

/* A name that is visible between objects, or comes from the C library. */
struct global {
    const char *name;
    uintptr_t address; /* 0 until somebody defines it */
    uint64_t common_size, common_align;
    uintptr_t stub, slot; /* far function: jump to it, pointer to it; 0 until needed */
    bool weak;            /* defined weakly, or so far only named weakly */
    bool external;        /* from the C library */
};

struct loader {
    struct object objects[MAX_OBJECTS];
    size_t object_count;
    struct global *globals;
    size_t global_count, global_cap;
    uint32_t *slots; /* hash table of index + 1 */
    size_t slot_count;
    unsigned char *stubs, *stubs_end;
    char *reason;
    size_t reason_size;
};

static bool refuse(struct loader *l, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(l->reason, l->reason_size, fmt, args);
    va_end(args);
    return false;
}

/* ---- reading an object --------------------------------------------------------------- */

static bool within(const struct object *o, uint64_t offset, uint64_t size)
{
    return offset <= o->size && size <= o->size - offset;
}

/* A NUL-terminated string in a table, or NULL. */
static const char *string_at(const char *table, size_t size, uint64_t offset)
{
    if (offset >= size || !memchr(table + offset, 0, size - offset))
        return NULL;
    return table + offset;
}

static const char *section_name(const struct object *o, const Elf64_Shdr *section)
{
    const char *name = string_at(o->section_names, o->section_names_size, section->sh_name);
    return name ? name : "";
}

/* A table of the file where its records are aligned: tcc does not care where it puts them.  The
 * caller has checked that it lies within. */
static const void *table_at(struct loader *l, const struct object *o, uint64_t offset,
                            uint64_t size)
{
    if (offset % _Alignof(uint64_t) == 0)
        return o->file + offset;
    void *copy = malloc(size + 1);
    if (!copy)
        refuse(l, "out of memory");
    return copy ? memcpy(copy, o->file + offset, size) : NULL;
}

static bool map_file(struct loader *l, struct object *o, const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0)
        return refuse(l, "cannot open the object");
    o->size = (size_t)st.st_size;
    void *p = o->size ? mmap(NULL, o->size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (p == MAP_FAILED)
        return refuse(l, "cannot map the object");
    o->file = p;
    return true;
}

static bool read_header(struct loader *l, struct object *o)
{
    const Elf64_Ehdr *h = o->header = (const Elf64_Ehdr *)(const void *)o->file;
    if (o->size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 ||
        h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_machine != EM_X86_64 || h->e_type != ET_REL)
        return refuse(l, "not a relocatable x86-64 object");
    if (h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shnum == 0 ||
        !within(o, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)) ||
        h->e_shstrndx >= h->e_shnum)
        return refuse(l, "malformed section table");
    o->sections = table_at(l, o, h->e_shoff, h->e_shnum * sizeof(Elf64_Shdr));
    if (!o->sections)
        return false;
    for (unsigned i = 0; i < h->e_shnum; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        uint64_t align = s->sh_addralign;
        if ((s->sh_type != SHT_NOBITS && !within(o, s->sh_offset, s->sh_size)) ||
            (align & (align - 1)) || align > 1u << 20)
            return refuse(l, "malformed section");
    }
    const Elf64_Shdr *names = &o->sections[h->e_shstrndx];
    if (names->sh_type == SHT_NOBITS)
        return refuse(l, "malformed section names");
    o->section_names = (const char *)o->file + names->sh_offset;
    o->section_names_size = names->sh_size;
    return true;
}

static bool read_symbols(struct loader *l, struct object *o)
{
    for (unsigned i = 0; i < o->header->e_shnum; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type == SHT_SYMTAB_SHNDX)
            return refuse(l, "more sections than usual");
        if (s->sh_type != SHT_SYMTAB)
            continue;
        if (s->sh_entsize != sizeof(Elf64_Sym) || s->sh_link >= o->header->e_shnum ||
            o->sections[s->sh_link].sh_type != SHT_STRTAB)
            return refuse(l, "malformed symbol table");
        o->symbols = table_at(l, o, s->sh_offset, s->sh_size);
        if (!o->symbols)
            return false;
        o->symbol_count = s->sh_size / sizeof(Elf64_Sym);
        o->names = (const char *)o->file + o->sections[s->sh_link].sh_offset;
        o->names_size = o->sections[s->sh_link].sh_size;
    }
    return o->symbols ? true : refuse(l, "no symbol table");
}

static bool check_sections(struct loader *l, const struct object *o)
{
    for (unsigned i = 0; i < o->header->e_shnum; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        const char *name = section_name(o, s);
        if (s->sh_flags & SHF_TLS)
            return refuse(l, "thread-local storage");
        if ((s->sh_type == SHT_INIT_ARRAY || s->sh_type == SHT_FINI_ARRAY ||
             s->sh_type == SHT_PREINIT_ARRAY || strncmp(name, ".ctors", 6) == 0 ||
             strncmp(name, ".dtors", 6) == 0 || strcmp(name, ".init") == 0 ||
             strcmp(name, ".fini") == 0) &&
            s->sh_size)
            return refuse(l, "constructors (%s)", name);
        if (strncmp(name, ".gnu.lto_", 9) == 0)
            return refuse(l, "link-time optimisation");
        /* code on the stack: gcc's way to take the address of a function within another one */
        if (strcmp(name, ".note.GNU-stack") == 0 && s->sh_flags & SHF_EXECINSTR)
            return refuse(l, "an executable stack");
    }
    return true;
}

/* ---- placing sections ---------------------------------------------------------------- */

/* Sections of one protection lie together, with an unmapped page between the groups. */
enum group { GROUP_CODE, GROUP_READ, GROUP_DATA, GROUP_COUNT };
static const int group_protection[GROUP_COUNT] = {PROT_READ | PROT_EXEC, PROT_READ,
                                                  PROT_READ | PROT_WRITE};

static enum group group_of(const Elf64_Shdr *s)
{
    return s->sh_flags & SHF_EXECINSTR ? GROUP_CODE
           : s->sh_flags & SHF_WRITE   ? GROUP_DATA
                                       : GROUP_READ;
}

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return align > 1 ? (value + align - 1) & ~(align - 1) : value;
}

/* Lays out one group from `at` on; with write, also fills in the bases. */
static uint64_t lay_out(struct loader *l, enum group group, uint64_t at, bool write)
{
    for (size_t k = 0; k < l->object_count; k++) {
        struct object *o = &l->objects[k];
        for (unsigned i = 0; i < o->header->e_shnum; i++) {
            const Elf64_Shdr *s = &o->sections[i];
            if (!(s->sh_flags & SHF_ALLOC) || group_of(s) != group)
                continue;
            at = align_up(at, s->sh_addralign);
            if (write)
                o->base[i] = at;
            at += s->sh_size;
        }
    }
    if (group == GROUP_DATA)
        for (size_t i = 0; i < l->global_count; i++) {
            struct global *g = &l->globals[i];
            if (!g->common_size || g->address)
                continue;
            at = align_up(at, g->common_align);
            if (write)
                g->address = at;
            at += g->common_size;
        }
    return at;
}

static void copy_sections(struct loader *l)
{
    for (size_t k = 0; k < l->object_count; k++) {
        struct object *o = &l->objects[k];
        for (unsigned i = 0; i < o->header->e_shnum; i++)
            if (o->base[i] && o->sections[i].sh_type != SHT_NOBITS)
                memcpy((void *)o->base[i], o->file + o->sections[i].sh_offset,
                       o->sections[i].sh_size);
    }
}

struct placement {
    uintptr_t start[GROUP_COUNT], end[GROUP_COUNT];
};

static bool place_sections(struct loader *l, struct placement *p)
{
    uint64_t stub_bytes = (l->global_count + 1) * (STUB_SIZE + sizeof(uintptr_t)) + PAGE;
    uint64_t total = 0;
    for (int g = 0; g < GROUP_COUNT; g++) {
        uint64_t size = lay_out(l, (enum group)g, 0, false);
        total += align_up(size + (g == GROUP_CODE ? stub_bytes : 0), PAGE) + (1u << 20) + PAGE;
        if (size > 1u << 30 || total > 1u << 30)
            return refuse(l, "more than 1 GB of sections");
    }
    unsigned char *area = mmap(NULL, total, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED)
        return refuse(l, "no room in the low 2 GB");
    uint64_t at = (uintptr_t)area;
    for (int g = 0; g < GROUP_COUNT; g++) {
        p->start[g] = align_up(at, PAGE);
        at = lay_out(l, (enum group)g, p->start[g], true);
        if (g == GROUP_CODE) {
            l->stubs = (unsigned char *)align_up(at, STUB_SIZE);
            l->stubs_end = l->stubs + stub_bytes;
            at = (uintptr_t)l->stubs_end;
        }
        p->end[g] = align_up(at, PAGE);
        at = p->end[g] + PAGE;
    }
    copy_sections(l);
    return true;
}

static bool protect_sections(struct loader *l, const struct placement *p)
{
    for (int g = 0; g < GROUP_COUNT; g++) {
        if (p->end[g] > p->start[g] &&
            mprotect((void *)p->start[g], p->end[g] - p->start[g], group_protection[g]) != 0)
            return refuse(l, "mprotect failed");
        if (mprotect((void *)p->end[g], PAGE, PROT_NONE) != 0)
            return refuse(l, "mprotect failed");
    }
    return true;
}

/* ---- names --------------------------------------------------------------------------- */

static uint32_t hash_name(const char *name)
{
    uint32_t h = 5381;
    for (; *name; name++)
        h = h * 33 + (unsigned char)*name;
    return h;
}

/* Needs: room for every symbol of every object (see reserve_globals). */
static struct global *global_for(struct loader *l, const char *name)
{
    size_t i = hash_name(name) & (l->slot_count - 1);
    for (; l->slots[i]; i = (i + 1) & (l->slot_count - 1))
        if (strcmp(l->globals[l->slots[i] - 1].name, name) == 0)
            return &l->globals[l->slots[i] - 1];
    struct global *g = &l->globals[l->global_count++];
    l->slots[i] = (uint32_t)l->global_count;
    g->name = name;
    g->weak = true;
    return g;
}

static bool reserve_globals(struct loader *l)
{
    size_t count = 1;
    for (size_t k = 0; k < l->object_count; k++)
        count += l->objects[k].symbol_count;
    l->slot_count = 16;
    while (l->slot_count < count * 2)
        l->slot_count *= 2;
    l->globals = calloc(count, sizeof *l->globals);
    l->slots = calloc(l->slot_count, sizeof *l->slots);
    return l->globals && l->slots ? true : refuse(l, "out of memory");
}

/* First pass, before placement: names, common blocks, two definitions of one name. */
static bool declare_symbol(struct loader *l, const struct object *o, const Elf64_Sym *s,
                           unsigned char *defined)
{
    unsigned bind = ELF64_ST_BIND(s->st_info), type = ELF64_ST_TYPE(s->st_info);
    if (type == STT_TLS)
        return refuse(l, "thread-local storage");
    if (type == STT_GNU_IFUNC)
        return refuse(l, "an indirect function");
    if (s->st_shndx != SHN_UNDEF && s->st_shndx < SHN_LORESERVE &&
        s->st_shndx >= o->header->e_shnum)
        return refuse(l, "malformed symbol");
    if (bind == STB_LOCAL)
        return true;
    const char *name = string_at(o->names, o->names_size, s->st_name);
    if (!name || (bind != STB_GLOBAL && bind != STB_WEAK))
        return refuse(l, "malformed symbol");
    struct global *g = global_for(l, name);
    unsigned char *state = &defined[g - l->globals];
    if (s->st_shndx == SHN_UNDEF) {
        g->weak = g->weak && bind == STB_WEAK;
    } else if (s->st_shndx == SHN_COMMON) {
        if (*state || s->st_value > 1u << 20 || (s->st_value & (s->st_value - 1)))
            return refuse(l, "common symbol %s defined twice", name);
        g->common_size = s->st_size ? s->st_size : 1;
        g->common_align = s->st_value;
        *state = 1;
    } else {
        if (*state)
            return refuse(l, "two definitions of %s", name);
        *state = 1;
    }
    return true;
}

static bool declare_symbols(struct loader *l)
{
    if (!reserve_globals(l))
        return false;
    unsigned char *defined = calloc(l->slot_count, 1);
    if (!defined)
        return refuse(l, "out of memory");
    for (size_t k = 0; k < l->object_count; k++)
        for (size_t i = 1; i < l->objects[k].symbol_count; i++)
            if (!declare_symbol(l, &l->objects[k], &l->objects[k].symbols[i], defined)) {
                free(defined);
                return false;
            }
    free(defined);
    return true;
}

static uintptr_t symbol_in_section(const struct object *o, const Elf64_Sym *s)
{
    if (s->st_shndx == SHN_ABS)
        return s->st_value;
    return o->base[s->st_shndx] ? o->base[s->st_shndx] + s->st_value : 0;
}

/* Mentioning a variable of the C library here, in code at a fixed address, makes the linker put
 * it into this program, in the low 2 GB, for the library to share.  Volatile, or the compiler
 * would leave out what nobody reads. */
static bool variables_are_near(void)
{
    const void *volatile near[] = {&stdin,  &stdout, &stderr, &environ,
                                   &optarg, &optind, &opterr, &optopt};
    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        if ((uintptr_t)near[i] > INT32_MAX)
            return false;
    return true;
}

/* What glibc keeps in a static archive beside the shared library, and so dlsym cannot see. */
static void *find_in_libc(const char *name)
{
    static const struct {
        const char *name;
        void *address;
    } archived[] = {
        {"atexit", (void *)(uintptr_t)atexit},
        {"stat", (void *)(uintptr_t)stat},
        {"fstat", (void *)(uintptr_t)fstat},
        {"lstat", (void *)(uintptr_t)lstat},
    };
    for (size_t i = 0; i < sizeof archived / sizeof *archived; i++)
        if (strcmp(archived[i].name, name) == 0)
            return archived[i].address;
    return dlsym(RTLD_DEFAULT, name);
}

/* A name of the C library that the program defines itself would replace the library's own uses
 * of it, if a linker put them together.  main is in no library. */
static bool check_redefinition(struct loader *l, const char *name)
{
    return find_in_libc(name) ? refuse(l, "%s is also a name of the C library", name) : true;
}

/* Second pass, after placement: addresses. */
static bool define_symbols(struct loader *l)
{
    for (size_t k = 0; k < l->object_count; k++) {
        struct object *o = &l->objects[k];
        for (size_t i = 1; i < o->symbol_count; i++) {
            const Elf64_Sym *s = &o->symbols[i];
            if (ELF64_ST_BIND(s->st_info) == STB_LOCAL || s->st_shndx == SHN_UNDEF ||
                s->st_shndx == SHN_COMMON)
                continue;
            const char *name = o->names + s->st_name;
            global_for(l, name)->address = symbol_in_section(o, s);
            if (!check_redefinition(l, name))
                return false;
        }
    }
    for (size_t i = 0; i < l->global_count; i++) {
        struct global *g = &l->globals[i];
        if (g->common_size && !check_redefinition(l, g->name))
            return false;
        if (g->address || strcmp(g->name, "_GLOBAL_OFFSET_TABLE_") == 0)
            continue;
        g->address = (uintptr_t)find_in_libc(g->name);
        g->external = true;
        if (!g->address && !g->weak)
            return refuse(l, "nothing defines %s", g->name);
    }
    return true;
}

/* ---- relocations --------------------------------------------------------------------- */

static uintptr_t take_stub_space(struct loader *l, size_t size)
{
    if ((size_t)(l->stubs_end - l->stubs) < size)
        return 0;
    uintptr_t p = (uintptr_t)l->stubs;
    l->stubs += size;
    return p;
}

/* A pointer to the symbol, near the code: one slot of a global offset table. */
static uintptr_t slot_for(struct loader *l, struct global *g)
{
    if (!g->slot) {
        g->slot = take_stub_space(l, sizeof(uintptr_t));
        if (g->slot)
            memcpy((void *)g->slot, &g->address, sizeof g->address);
    }
    return g->slot;
}

/* Code near ours that jumps to a far function: jmp *slot(%rip). */
static uintptr_t stub_for(struct loader *l, struct global *g)
{
    if (g->stub)
        return g->stub;
    uintptr_t slot = slot_for(l, g);
    uintptr_t stub = take_stub_space(l, 8);
    if (!slot || !stub)
        return 0;
    unsigned char code[8] = {0xff, 0x25, 0, 0, 0, 0, 0x0f, 0x0b};
    int32_t distance = (int32_t)(slot - (stub + 6));
    memcpy(code + 2, &distance, sizeof distance);
    memcpy((void *)stub, code, sizeof code);
    return g->stub = stub;
}

struct target {
    uintptr_t address;
    struct global *global; /* NULL for local symbols */
};

static bool find_target(struct loader *l, struct object *o, uint64_t index, struct target *t)
{
    if (index >= o->symbol_count)
        return refuse(l, "malformed relocation");
    const Elf64_Sym *s = &o->symbols[index];
    *t = (struct target){0};
    if (ELF64_ST_BIND(s->st_info) == STB_LOCAL) {
        t->address = index && s->st_shndx != SHN_UNDEF ? symbol_in_section(o, s) : 0;
        return true;
    }
    t->global = global_for(l, o->names + s->st_name);
    t->address = t->global->address;
    return true;
}

static bool fits_signed_32(int64_t value)
{
    return value >= INT32_MIN && value <= INT32_MAX;
}

/* The value for a 32-bit place relative to itself.  A call that does not reach goes through a
 * stub; data that does not reach cannot be had, and taking a far function's address this way
 * would give it a second one. */
static bool relative_32(struct loader *l, struct target *t, int64_t addend, uintptr_t place,
                        bool call, uint32_t *value)
{
    int64_t distance = (int64_t)(t->address + (uint64_t)addend - place);
    if (!fits_signed_32(distance) && t->global && call) {
        uintptr_t stub = stub_for(l, t->global);
        if (!stub)
            return refuse(l, "no room for stubs");
        distance = (int64_t)(stub + (uint64_t)addend - place);
    }
    if (!fits_signed_32(distance))
        return refuse(l, "%s is too far away", t->global ? t->global->name : "a local symbol");
    *value = (uint32_t)distance;
    return true;
}

/* Does the instruction before this PC32 place call or jump?  Old assemblers and tcc mark calls
 * like data. */
static bool is_branch(const struct object *o, const Elf64_Shdr *section, uint64_t offset)
{
    const unsigned char *code = o->file + section->sh_offset;
    if (!(section->sh_flags & SHF_EXECINSTR) || offset < 1 || offset > section->sh_size)
        return false;
    if (code[offset - 1] == 0xe8 || code[offset - 1] == 0xe9)
        return true;
    return offset >= 2 && code[offset - 2] == 0x0f && (code[offset - 1] & 0xf0) == 0x80;
}

static bool relocate_one(struct loader *l, struct object *o, unsigned section, const Elf64_Rela *r)
{
    const Elf64_Shdr *s = &o->sections[section];
    uint32_t type = (uint32_t)ELF64_R_TYPE(r->r_info);
    size_t width = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
    struct target t = {0};
    if (type == R_X86_64_NONE)
        return true;
    if (r->r_offset > s->sh_size || s->sh_size - r->r_offset < width)
        return refuse(l, "malformed relocation");
    if (!find_target(l, o, ELF64_R_SYM(r->r_info), &t))
        return false;
    uintptr_t place = o->base[section] + r->r_offset;
    uint64_t absolute = t.address + (uint64_t)r->r_addend;
    uint32_t word = (uint32_t)absolute;
    switch (type) {
    case R_X86_64_64:
        memcpy((void *)place, &absolute, 8);
        return true;
    case R_X86_64_PC64:
        absolute -= place;
        memcpy((void *)place, &absolute, 8);
        return true;
    case R_X86_64_PC32:
    case R_X86_64_PLT32: {
        bool call = type == R_X86_64_PLT32 || is_branch(o, s, r->r_offset);
        if (!relative_32(l, &t, r->r_addend, place, call, &word))
            return false;
        break;
    }
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX: {
        struct global own = {.address = t.address};
        struct target slot = {.address = slot_for(l, t.global ? t.global : &own)};
        if (!slot.address)
            return refuse(l, "no room for stubs");
        if (!relative_32(l, &slot, r->r_addend, place, false, &word))
            return false;
        break;
    }
    case R_X86_64_32:
        if (absolute > UINT32_MAX)
            return refuse(l, "%s is too far away", t.global ? t.global->name : "a local symbol");
        break;
    case R_X86_64_32S:
        if (!fits_signed_32((int64_t)absolute))
            return refuse(l, "%s is too far away", t.global ? t.global->name : "a local symbol");
        break;
    default:
        return refuse(l, "relocation type %u", type);
    }
    memcpy((void *)place, &word, 4);
    return true;
}

static bool relocate_section(struct loader *l, struct object *o, const Elf64_Shdr *relocations)
{
    unsigned target = relocations->sh_info;
    if (target >= o->header->e_shnum)
        return refuse(l, "malformed relocation section");
    if (!o->base[target]) /* debug information and the like */
        return true;
    if (relocations->sh_type == SHT_REL || relocations->sh_entsize != sizeof(Elf64_Rela))
        return refuse(l, "relocations without addends");
    const Elf64_Rela *r = table_at(l, o, relocations->sh_offset, relocations->sh_size);
    if (!r)
        return false;
    for (size_t i = 0; i < relocations->sh_size / sizeof *r; i++)
        if (!relocate_one(l, o, target, &r[i]))
            return false;
    return true;
}

static bool relocate(struct loader *l)
{
    for (size_t k = 0; k < l->object_count; k++) {
        struct object *o = &l->objects[k];
        for (unsigned i = 0; i < o->header->e_shnum; i++)
            if (o->sections[i].sh_type == SHT_RELA || o->sections[i].sh_type == SHT_REL)
                if (!relocate_section(l, o, &o->sections[i]))
                    return false;
    }
    return true;
}

/* ---- all of it ----------------------------------------------------------------------- */

static bool read_objects(struct loader *l, char *const *paths, size_t count)
{
    if (count > MAX_OBJECTS)
        return refuse(l, "more than %d objects", MAX_OBJECTS);
    for (size_t k = 0; k < count; k++) {
        struct object *o = &l->objects[k];
        if (!map_file(l, o, paths[k]) || !read_header(l, o) || !read_symbols(l, o) ||
            !check_sections(l, o))
            return false;
        o->base = calloc(o->header->e_shnum, sizeof *o->base);
        if (!o->base)
            return refuse(l, "out of memory");
        l->object_count++;
    }
    return true;
}

static struct loader loaded;
static struct watch_range loaded_code;

bool loader_is_name_of(const char *symbol, const char *name)
{
    size_t n = strlen(name), length = strlen(symbol);
    if (strncmp(symbol, name, n) == 0 && (!symbol[n] || symbol[n] == '.'))
        return true;
    return length > n && symbol[length - n - 1] == '.' && strcmp(symbol + length - n, name) == 0;
}

/* Not a file, section or function. */
static bool is_data(const Elf64_Sym *s)
{
    unsigned type = ELF64_ST_TYPE(s->st_info);
    return type == STT_OBJECT || type == STT_NOTYPE || type == STT_COMMON;
}

/* Where the object is that a symbol stands for; empty when it is elsewhere. */
static struct watch_range range_of(const struct object *o, const Elf64_Sym *s)
{
    struct watch_range r = {0};
    if (s->st_shndx == SHN_COMMON) {
        r.start = global_for(&loaded, o->names + s->st_name)->address;
    } else if (s->st_shndx != SHN_UNDEF && s->st_shndx < o->header->e_shnum) {
        r.start = symbol_in_section(o, s);
        r.read_only = group_of(&o->sections[s->st_shndx]) == GROUP_READ;
    }
    r.end = r.start ? r.start + s->st_size : 0;
    return r;
}

enum sys_watched_state loader_find_object(const char *name, uint64_t size,
                                          struct watch_range *range)
{
    size_t found = 0;
    struct watch_range at = {0};
    for (size_t k = 0; k < loaded.object_count; k++)
        for (size_t i = 1; i < loaded.objects[k].symbol_count; i++) {
            const struct object *o = &loaded.objects[k];
            const char *symbol = string_at(o->names, o->names_size, o->symbols[i].st_name);
            if (!symbol || !is_data(&o->symbols[i]) || !loader_is_name_of(symbol, name))
                continue;
            found++;
            at = range_of(o, &o->symbols[i]);
        }
    *range = (struct watch_range){0};
    if (!found)
        return SYS_GONE;
    if (found > 1 || !at.start || at.end - at.start != size)
        return SYS_UNCLEAR;
    *range = at;
    return SYS_WATCHED;
}

struct watch_range loader_code(void)
{
    return loaded_code;
}

bool loader_load(char *const *objects, size_t count, main_fn **entry, char *reason, size_t size)
{
    struct loader *l = &loaded;
    struct placement placement;
    l->reason = reason;
    l->reason_size = size;
    if (!variables_are_near())
        return refuse(l, "this runner was not linked at a fixed address");
    if (!read_objects(l, objects, count) || !declare_symbols(l) || !place_sections(l, &placement) ||
        !define_symbols(l) || !relocate(l) || !protect_sections(l, &placement))
        return false;
    struct global *main_symbol = global_for(l, "main");
    if (!main_symbol->address || main_symbol->external)
        return refuse(l, "no main");
    loaded_code = (struct watch_range){placement.start[GROUP_CODE], placement.end[GROUP_CODE],
                                       true};
    *entry = (main_fn *)main_symbol->address;
    return true;
}
