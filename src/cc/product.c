/* Looks at what a compiler wrote before anybody opens it: a compiler that is broken, or means harm,
 * says that it succeeded and leaves a FIFO, a link, garbage or half a file.  Takes a path, yields
 * what is wrong with it; writes nothing, and never judges the code inside. */
#include "cc/product.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ----------------------------------------------------------------------------- */

static const char *flaw_of_kind(const struct stat *st)
{
    static const struct {
        mode_t kind;
        const char *name;
    } kinds[] = {
        {S_IFIFO, "a FIFO"},      {S_IFCHR, "a device"}, {S_IFBLK, "a device"},
        {S_IFDIR, "a directory"}, {S_IFLNK, "a link"},   {S_IFSOCK, "a socket"},
    };
    for (size_t i = 0; i < LENGTH(kinds); i++)
        if ((st->st_mode & S_IFMT) == kinds[i].kind)
            return kinds[i].name;
    return st->st_size == 0 ? "an empty file" : NULL;
}

/* ---- ELF ------------------------------------------------------------------------------- */

struct image {
    const unsigned char *at;
    uint64_t size;
    bool big, wide; /* most significant byte first; 64 bits */
};

/* An unsigned number of that many bytes; 0 beyond the end. */
static uint64_t number(const struct image *b, uint64_t offset, unsigned size)
{
    uint64_t n = 0;
    if (offset > b->size || size > b->size - offset)
        return 0;
    for (unsigned i = 0; i < size; i++)
        n |= (uint64_t)b->at[offset + i] << 8 * (b->big ? size - 1 - i : i);
    return n;
}

/* Where the fields lie that differ between the two classes, and how wide they are. */
struct shape {
    unsigned word; /* bytes of an offset or a size */
    unsigned phoff, shoff, phentsize, phnum, shentsize, shnum;
    unsigned p_offset, p_filesz, sh_type, sh_offset, sh_size;
};

#define SHAPE(bits)                                                       \
    {                                                                     \
        .word = (bits) / 8, .phoff = offsetof(Elf##bits##_Ehdr, e_phoff), \
        .shoff = offsetof(Elf##bits##_Ehdr, e_shoff),                     \
        .phentsize = offsetof(Elf##bits##_Ehdr, e_phentsize),             \
        .phnum = offsetof(Elf##bits##_Ehdr, e_phnum),                     \
        .shentsize = offsetof(Elf##bits##_Ehdr, e_shentsize),             \
        .shnum = offsetof(Elf##bits##_Ehdr, e_shnum),                     \
        .p_offset = offsetof(Elf##bits##_Phdr, p_offset),                 \
        .p_filesz = offsetof(Elf##bits##_Phdr, p_filesz),                 \
        .sh_type = offsetof(Elf##bits##_Shdr, sh_type),                   \
        .sh_offset = offsetof(Elf##bits##_Shdr, sh_offset),               \
        .sh_size = offsetof(Elf##bits##_Shdr, sh_size)                    \
    }
static const struct shape shapes[] = {SHAPE(32), SHAPE(64)};

static bool is_inside(const struct image *b, uint64_t offset, uint64_t size)
{
    return offset <= b->size && size <= b->size - offset;
}

/* Does the file hold its table of sections, and all that they say they hold? */
static bool has_sections(const struct image *b, const struct shape *s)
{
    uint64_t at = number(b, s->shoff, s->word), step = number(b, s->shentsize, 2);
    uint64_t n = number(b, s->shnum, 2);
    if (at && !n) /* too many for its field: the first one has the number */
        n = number(b, at + s->sh_size, s->word);
    if (n > b->size || !is_inside(b, at, n * step))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t row = at + i * step;
        uint64_t type = number(b, row + s->sh_type, 4);
        if (type != SHT_NOBITS && type != SHT_NULL &&
            !is_inside(b, number(b, row + s->sh_offset, s->word),
                       number(b, row + s->sh_size, s->word)))
            return false;
    }
    return true;
}

static bool has_segments(const struct image *b, const struct shape *s)
{
    uint64_t at = number(b, s->phoff, s->word), step = number(b, s->phentsize, 2);
    uint64_t n = number(b, s->phnum, 2);
    if (!is_inside(b, at, n * step))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t row = at + i * step;
        if (!is_inside(b, number(b, row + s->p_offset, s->word),
                       number(b, row + s->p_filesz, s->word)))
            return false;
    }
    return true;
}

static const char *flaw_of_elf(struct image *b, enum product what)
{
    if (b->size < sizeof(Elf32_Ehdr))
        return "cut short";
    b->big = b->at[EI_DATA] == ELFDATA2MSB;
    b->wide = b->at[EI_CLASS] == ELFCLASS64;
    const struct shape *s = &shapes[b->wide];
    uint64_t type = number(b, EI_NIDENT, 2);
    if (!has_sections(b, s) || !has_segments(b, s))
        return "cut short";
    if (what == PRODUCT_OBJECT)
        return type == ET_REL ? NULL : "no object";
    return type == ET_EXEC || type == ET_DYN ? NULL : "no executable";
}

/* ---- all of it ------------------------------------------------------------------------- */

/* Formats that other linkers and systems have; what is in them is theirs to know. */
static bool is_other_format(const struct image *b)
{
    static const struct {
        const char *bytes;
        size_t n;
    } magics[] = {
        {"BC\xc0\xde", 4},       /* LLVM bitcode, which -flto makes */
        {"\xde\xc0\x17\x0b", 4}, /* the same, wrapped */
        {"!<arch>\n", 8},        /* an archive */
        {"MZ", 2},               /* Windows */
        {"\x64\x86", 2},         /* its objects */
        {"\x4c\x01", 2},
        {"\0asm", 4},            /* WebAssembly */
        {"\xcf\xfa\xed\xfe", 4}, /* Mach-O */
    };
    for (size_t i = 0; i < LENGTH(magics); i++)
        if (b->size >= magics[i].n && memcmp(b->at, magics[i].bytes, magics[i].n) == 0)
            return true;
    return false;
}

static const char *flaw_of_bytes(struct image *b, enum product what)
{
    if (b->size >= SELFMAG && memcmp(b->at, ELFMAG, SELFMAG) == 0)
        return flaw_of_elf(b, what);
    if (is_other_format(b))
        return NULL;
    return what == PRODUCT_OBJECT ? "no object" : "no executable";
}

const char *product_flaw(const char *path, enum product what, bool any_format)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return "no file";
    const char *flaw = flaw_of_kind(&st);
    if (flaw || any_format || what == PRODUCT_ASSEMBLY)
        return flaw;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return "a file that cannot be read";
    struct image b = {.size = (uint64_t)st.st_size};
    void *map = mmap(NULL, b.size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (map == MAP_FAILED)
        return "a file that cannot be read";
    b.at = map;
    flaw = flaw_of_bytes(&b, what);
    munmap(map, b.size);
    if (!flaw && what == PRODUCT_EXECUTABLE && !(st.st_mode & S_IXUSR))
        flaw = "a file that nobody may execute";
    return flaw;
}
