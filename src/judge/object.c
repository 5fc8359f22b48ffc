/* The code in an ELF object, of either class and byte order.  Reads bytes that a compiler wrote, so
 * nothing in them is believed before it was checked. */
#include "judge/private.h"

#include <elf.h>
#include <string.h>

struct elf {
    const unsigned char *bytes;
    size_t n;
    bool wide, big; /* 64 bits; most significant byte first */
};

struct section {
    uint64_t name, type, flags, offset, size;
};

/* The number of `size` bytes at the offset; 0 beyond the end. */
static uint64_t number(const struct elf *e, uint64_t at, size_t size)
{
    uint64_t value = 0;
    if (at > e->n || size > e->n - at)
        return 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | e->bytes[at + (e->big ? i : size - 1 - i)];
    return value;
}

static uint64_t word(const struct elf *e, uint64_t at, size_t narrow, size_t wide)
{
    return e->wide ? number(e, at + wide, 8) : number(e, at + narrow, 4);
}

static bool open_elf(const struct text *object, struct elf *e)
{
    *e = (struct elf){.bytes = (const unsigned char *)text_str(object), .n = object->n};
    if (object->n < sizeof(Elf32_Ehdr) || memcmp(e->bytes, ELFMAG, SELFMAG) != 0)
        return false;
    e->wide = e->bytes[EI_CLASS] == ELFCLASS64;
    e->big = e->bytes[EI_DATA] == ELFDATA2MSB;
    return !e->wide || object->n >= sizeof(Elf64_Ehdr);
}

static struct section read_section(const struct elf *e, uint64_t at)
{
    return (struct section){
        .name = number(e, at + offsetof(Elf64_Shdr, sh_name), 4),
        .type = number(e, at + offsetof(Elf64_Shdr, sh_type), 4),
        .flags = word(e, at, offsetof(Elf32_Shdr, sh_flags), offsetof(Elf64_Shdr, sh_flags)),
        .offset = word(e, at, offsetof(Elf32_Shdr, sh_offset), offsetof(Elf64_Shdr, sh_offset)),
        .size = word(e, at, offsetof(Elf32_Shdr, sh_size), offsetof(Elf64_Shdr, sh_size))};
}

static uint64_t hash_name(const struct elf *e, const struct section *names, uint64_t name)
{
    uint64_t at = names->offset + name;
    size_t n = at < e->n ? strnlen((const char *)e->bytes + at, e->n - at) : 0;
    return n ? hash_bytes(e->bytes + at, n) : 0;
}

bool object_hash_code(const struct text *object, uint64_t *hash)
{
    struct elf e;
    *hash = 0;
    if (!open_elf(object, &e))
        return false;
    uint64_t table = word(&e, 0, offsetof(Elf32_Ehdr, e_shoff), offsetof(Elf64_Ehdr, e_shoff));
    size_t size = e.wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
    size_t counts = e.wide ? offsetof(Elf64_Ehdr, e_shnum) : offsetof(Elf32_Ehdr, e_shnum);
    uint64_t n = number(&e, counts, 2), names_at = number(&e, counts + 2, 2);
    struct section names = read_section(&e, table + names_at * size);
    for (uint64_t i = 0; i < n; i++) {
        struct section s = read_section(&e, table + i * size);
        if (!(s.flags & SHF_EXECINSTR) || s.type != SHT_PROGBITS || s.offset > e.n ||
            s.size > e.n - s.offset)
            continue;
        /* a sum, so that the order of the sections does not matter */
        *hash += hash_pair(hash_name(&e, &names, s.name), hash_bytes(e.bytes + s.offset, s.size));
    }
    return true;
}
