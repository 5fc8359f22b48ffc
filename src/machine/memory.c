/* The memory of the abstract machine: objects, each at an address that is never used again.
 *
 * Takes sizes and alignments, yields objects; knows nothing of programs but for the tags of
 * their types.  Never frees an object's record while the machine lives, so that an instruction
 * may keep a pointer to the object that it touched last: a dead object's base matches no
 * address. */
#include "machine/private.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ADDRESS = 0x10000, GAP = 16 };

/* Where objects lie.  All layouts but the first have large addresses, as real programs have: bits
 * are set above those of an int, and its sign too; the first two of these have the opposite bits
 * there, the last two others.  Objects are no better aligned than they have to be, or some of them
 * twice as well, so that whoever asks for a bit of an address is seen to depend on it. */
static const struct layout {
    uint32_t first32;
    uint64_t first64;
    uint32_t gap;
    bool down;      /* each object below those that were there before */
    uint16_t twice; /* bit by bit: which of sixteen objects are twice as well aligned */
} layouts[] = {
    {FIRST_ADDRESS, FIRST_ADDRESS, GAP, false, 0}, /* aligned for everything */
    {0x80034560, 0x2aaab0034560, 40, true, 0},
    {0x7ffcba90, 0x15554ffcba90, 88, false, 0xaaaa},
    {0xc5a3f0c0, 0x3c5a693cf0c0, 72, true, 0xcc33},
    {0x3a5c0f30, 0x03a596c30f30, 136, false, 0xffff},
};

/* Where an object can lie; 0: nowhere. */
static uint64_t place_for(const struct memory *m, uint64_t size, uint32_t align)
{
    const struct layout *l = &layouts[m->layout];
    if (!m->layout) {
        align = align < 16 ? 16 : align;
        uint64_t base = (m->next + align - 1) / align * align;
        return base + size + GAP > m->limit ? 0 : base;
    }
    uint64_t step = (uint64_t)(align ? align : 1) << (l->twice >> m->placed % 16 & 1);
    if (l->down && m->next < size + l->gap + 3 * step + m->limit)
        return 0;
    uint64_t base = (l->down ? m->next - l->gap - size : m->next + l->gap + step - 1) / step * step;
    if (base % (2 * step) == 0)
        base = l->down ? base - step : base + step;
    return !l->down && base + size + l->gap > m->limit ? 0 : base;
}

void memory_start(struct memory *m, const struct target *target, uint64_t budget)
{
    const struct layout *l = &layouts[m->layout];
    bool small = target->pointer.size == 4;
    m->down = l->down;
    m->next = small ? l->first32 : l->first64;
    m->limit = l->down ? FIRST_ADDRESS : small ? 0xfff00000u : (uint64_t)1 << 46;
    m->budget = budget;
}

void memory_end(struct memory *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->live[i]) {
            free(m->live[i]->tags);
            free(m->live[i]->owners);
            free(m->live[i]->bytes);
        }
    for (size_t i = 0; i < ROOMS; i++)
        for (struct object *o = m->free[i]; o; o = o->next)
            free(o->bytes);
    free(m->live);
    arena_free(&m->arena);
}

/* ---- making and killing ----------------------------------------------------------------- */

static uint8_t room_for(uint64_t size)
{
    uint8_t log = 5;
    while (((uint64_t)1 << log) < size)
        log++;
    return log;
}

/* A record with a buffer of the size, and its masks behind the bytes. */
static struct object *take(struct memory *m, uint64_t size)
{
    uint8_t room = room_for(size);
    struct object *o = m->free[room];
    if (o) {
        m->free[room] = o->next;
        return o;
    }
    uint8_t *bytes = malloc(((size_t)1 << room) * 2);
    if (!bytes)
        return NULL;
    o = NEW(&m->arena, struct object);
    o->room = room;
    o->bytes = bytes;
    return o;
}

static void insert(struct memory *m, struct object *o)
{
    if (m->count == m->room) {
        m->room = m->room ? m->room * 2 : 256;
        m->live = realloc(m->live, m->room * sizeof *m->live);
        if (!m->live)
            BUG("out of memory");
    }
    o->index = (uint32_t)m->count;
    m->live[m->count++] = o;
}

/* Moves the living together when most entries are dead. */
static void compact(struct memory *m)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->count; i++) {
        struct object *o = m->live[i];
        if (!o)
            continue;
        o->index = (uint32_t)kept;
        m->live[kept++] = o;
    }
    m->count = kept;
    m->dead = 0;
}

struct object *memory_new(struct memory *m, uint64_t size, uint32_t align, unsigned flags)
{
    if (size > m->budget || m->used + size > m->budget)
        return NULL;
    uint64_t base = place_for(m, size, align);
    struct object *o = base ? take(m, size) : NULL;
    if (!o)
        return NULL;
    m->next = m->down ? base : base + size + GAP;
    m->placed++;
    m->used += size;
    m->peak = m->used > m->peak ? m->used : m->peak;
    o->base = base;
    o->size = size;
    o->tags = NULL;
    o->owners = NULL;
    o->home = NULL;
    o->reached = 0;
    o->map = NULL;
    o->consts = NULL;
    o->tag = TAG_ANY;
    o->is_const = CONST_NONE;
    o->is_volatile = false;
    o->is_loose = false;
    o->has_walls = false;
    o->is_shared = false;
    o->align = align ? align : 1;
    o->name = NULL;
    o->next = NULL;
    o->func = NULL;
    o->type = NULL;
    o->init = NULL;
    if (flags & NEW_ZERO)
        memset(o->bytes, 0, size);
    else if (!(flags & NEW_KNOWN)) {
        o->init = o->bytes + ((size_t)1 << o->room);
        memset(o->init, 0, size);
        memset(o->bytes, 0xaa, size);
    }
    insert(m, o);
    return o;
}

void memory_kill(struct memory *m, struct object *o)
{
    m->graves[m->grave_count++ % GRAVES] = (struct grave){o->base, o->size, o->name, o->kind};
    m->used -= o->size;
    m->quick[o->base / 32 % QUICK] = NULL;
    o->base = ~(uint64_t)0;
    o->size = 0;
    if (o->tags) {
        free(o->tags);
        o->tags = NULL;
    }
    if (o->owners) {
        free(o->owners);
        o->owners = NULL;
    }
    m->live[o->index] = NULL;
    m->dead++;
    while (m->count && !m->live[m->count - 1]) {
        m->count--;
        m->dead--;
    }
    if (m->dead > 64 && m->dead > m->count / 2)
        compact(m);
    if (m->reuse && m->count) {
        const struct object *last = m->live[m->count - 1];
        m->next = last->base + last->size + GAP;
    }
    o->next = m->free[o->room];
    m->free[o->room] = o;
}

void memory_settle(struct memory *m, struct object *newest, uint64_t base)
{
    if (!m->reuse || newest->index != m->count - 1)
        return;
    for (size_t i = newest->index; i > 0; i--)
        if (m->live[i - 1] && m->live[i - 1]->base + m->live[i - 1]->size + GAP > base)
            return;
    m->quick[newest->base / 32 % QUICK] = NULL;
    newest->base = base;
    m->next = base + newest->size + GAP;
}

/* ---- finding ---------------------------------------------------------------------------- */

bool memory_was_given(const struct memory *m, uint64_t address, uint64_t next)
{
    return m->down ? address >= next : address < next;
}

static bool holds(const struct object *o, uint64_t address)
{
    return address - o->base <= o->size && o->base != ~(uint64_t)0;
}

struct object *memory_find(struct memory *m, uint64_t address)
{
    struct object **quick = &m->quick[address / 32 % QUICK];
    if (*quick && holds(*quick, address))
        return *quick;
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2, at = middle;
        while (at > low && !m->live[at])
            at--;
        if (!m->live[at]) { /* nothing lives in low .. middle */
            low = middle + 1;
            continue;
        }
        if (holds(m->live[at], address))
            return *quick = m->live[at];
        if ((m->live[at]->base > address) != m->down)
            high = at;
        else
            low = middle + 1;
    }
    return NULL;
}

const struct grave *memory_grave(const struct memory *m, uint64_t address)
{
    size_t n = m->grave_count < GRAVES ? m->grave_count : GRAVES;
    for (size_t i = 1; i <= n; i++) {
        const struct grave *g = &m->graves[(m->grave_count - i) % GRAVES];
        if (address - g->base <= g->size)
            return g;
    }
    return NULL;
}

/* ---- masks and tags --------------------------------------------------------------------- */

void memory_need_init(struct object *o)
{
    if (o->init)
        return;
    o->init = o->bytes + ((size_t)1 << o->room);
    memset(o->init, 0xff, o->size);
}

void memory_need_tags(struct object *o)
{
    if (o->tags || o->size == 0)
        return;
    o->tags = calloc(1, o->size);
    if (!o->tags)
        BUG("out of memory");
}

static const uint8_t tag_of_kind[TYPE_COUNT] = {
    [TYPE_BOOL] = TAG_BOOL,       [TYPE_CHAR] = TAG_CHAR,        [TYPE_SCHAR] = TAG_CHAR,
    [TYPE_UCHAR] = TAG_CHAR,      [TYPE_SHORT] = TAG_SHORT,      [TYPE_USHORT] = TAG_SHORT,
    [TYPE_INT] = TAG_INT,         [TYPE_UINT] = TAG_INT,         [TYPE_LONG] = TAG_LONG,
    [TYPE_ULONG] = TAG_LONG,      [TYPE_LLONG] = TAG_LLONG,      [TYPE_ULLONG] = TAG_LLONG,
    [TYPE_INT128] = TAG_INT128,   [TYPE_UINT128] = TAG_INT128,   [TYPE_FLOAT16] = TAG_HALF,
    [TYPE_FLOAT] = TAG_FLOAT,     [TYPE_FLOAT32] = TAG_FLOAT,    [TYPE_DOUBLE] = TAG_DOUBLE,
    [TYPE_FLOAT32X] = TAG_DOUBLE, [TYPE_FLOAT64] = TAG_DOUBLE,   [TYPE_LDOUBLE] = TAG_LDOUBLE,
    [TYPE_FLOAT80] = TAG_LDOUBLE, [TYPE_FLOAT64X] = TAG_LDOUBLE, [TYPE_FLOAT128] = TAG_QUAD,
    [TYPE_POINTER] = TAG_POINTER, [TYPE_VA_LIST] = TAG_LIST,     [TYPE_BITINT] = TAG_BITINT,
};

/* Structures of one tag are one type, whichever unit they are from. */
static uint8_t record_pointer_tag(const struct record *r)
{
    enum { MOST = TAG_TO_LAST_RECORD - TAG_TO_RECORD };
    uint32_t hash = 0;
    if (!r->tag || r->may_alias)
        return r->may_alias ? TAG_POINTER : TAG_TO_RECORD;
    for (const char *s = r->tag; *s; s++)
        hash = hash * 31 + (unsigned char)*s;
    return (uint8_t)(TAG_TO_RECORD + 1 + (hash ^ hash >> 8) % MOST);
}

/* Compilers take pointers to different types for different objects, but for void *. */
static uint8_t pointer_tag(const struct type *to)
{
    bool loose = (to->quals | to->canon->quals) & QUAL_MAY_ALIAS;
    to = to->canon->unqual;
    if (to->kind == TYPE_ENUM)
        to = to->u.enumeration->base->canon->unqual;
    uint8_t tag = tag_of_kind[to->kind];
    if (loose || to->quals & QUAL_MAY_ALIAS)
        return TAG_POINTER;
    if (lang_is_record(to))
        return record_pointer_tag(to->u.record);
    if (tag >= TAG_CHAR && tag <= TAG_BITINT)
        return (uint8_t)(TAG_TO_CHAR + tag - TAG_CHAR);
    return to->kind == TYPE_POINTER    ? TAG_TO_POINTER
           : to->kind == TYPE_FUNCTION ? TAG_TO_FUNCTION
                                       : TAG_POINTER;
}

uint8_t memory_tag(const struct program *p, const struct type *t)
{
    if (t->quals & QUAL_MAY_ALIAS)
        return TAG_CHAR;
    t = t->canon->unqual;
    if (t->quals & QUAL_MAY_ALIAS)
        return TAG_CHAR;
    if (t->kind == TYPE_ENUM)
        return memory_tag(p, t->u.enumeration->base);
    return t->kind == TYPE_POINTER ? pointer_tag(t->base) : tag_of_kind[t->kind];
}

uint64_t memory_tags_in(const struct program *p, const struct type *t)
{
    bool loose = (t->quals | t->canon->quals) & QUAL_MAY_ALIAS;
    t = t->canon->unqual;
    if (loose || (lang_is_record(t) && t->u.record->may_alias))
        return UINT64_MAX;
    if (t->kind == TYPE_ARRAY || t->kind == TYPE_VECTOR || t->kind == TYPE_COMPLEX)
        return memory_tags_in(p, t->base);
    if (!lang_is_record(t))
        return memory_tag(p, t) == TAG_CHAR ? UINT64_MAX : (uint64_t)1 << memory_tag(p, t);
    uint64_t tags = 0;
    for (uint32_t i = 0; i < t->u.record->count; i++)
        tags |= memory_tags_in(p, t->u.record->fields[i]->type);
    return tags;
}

struct tag_map {
    uint8_t *tags;
    uint64_t period;
    uint8_t *consts;
    uint8_t uniform; /* or TAG_MIXED */
    bool has_union;
    bool is_volatile; /* some member is */
    bool has_walls;
    uint32_t align; /* the most that a scalar in it has by itself */
};

/* Without what packed and aligned say of members and of types. */
static uint32_t own_align(const struct program *p, const struct type *t)
{
    t = t->canon;
    uint32_t most = 1;
    if (t->kind == TYPE_ARRAY)
        return own_align(p, t->base);
    if (!lang_is_record(t))
        return lang_alignof(p, t->unqual);
    for (uint32_t i = 0; i < t->u.record->count; i++) {
        const struct field *f = t->u.record->fields[i];
        uint32_t align = f->is_bitfield ? 1 : own_align(p, f->type);
        most = align > most ? align : most;
    }
    return most;
}

static void map_type(const struct program *p, const struct type *t, uint8_t *tags, uint64_t at)
{
    t = t->canon;
    uint64_t size = lang_sizeof(p, t);
    if (t->kind == TYPE_ARRAY || t->kind == TYPE_VECTOR || t->kind == TYPE_COMPLEX) {
        uint64_t step = lang_sizeof(p, t->base);
        for (uint64_t i = 0; step && i < size; i += step)
            map_type(p, t->base, tags, at + i);
    } else if (t->kind == TYPE_UNION) {
        memset(tags + at, TAG_UNION, size);
    } else if (t->kind == TYPE_STRUCT) {
        memset(tags + at, TAG_PADDING, size);
        for (uint32_t i = 0; i < t->u.record->count; i++) {
            const struct field *f = t->u.record->fields[i];
            if (f->is_bitfield)
                memset(tags + at + f->offset, TAG_ANY, (f->bit + f->width + 7) / 8);
            else
                map_type(p, f->type, tags, at + f->offset);
        }
    } else {
        memset(tags + at, memory_tag(p, t), size);
    }
}

/* ---- members that are const ------------------------------------------------------------- */

static const struct type *element_of(const struct type *t)
{
    t = t->canon;
    while (t->kind == TYPE_ARRAY)
        t = t->base->canon;
    return t;
}

bool memory_has_parts(const struct type *t, unsigned qual)
{
    t = element_of(t);
    for (uint32_t i = 0; lang_is_record(t) && i < t->u.record->count; i++) {
        const struct field *f = t->u.record->fields[i];
        if (element_of(f->type)->quals & qual || memory_has_parts(f->type, qual))
            return true;
    }
    return false;
}

static bool holds_kind(const struct type *t, bool numbers)
{
    t = element_of(t);
    for (uint32_t i = 0; lang_is_record(t) && i < t->u.record->count; i++)
        if (holds_kind(t->u.record->fields[i]->type, numbers))
            return true;
    return t->kind == TYPE_POINTER ||
           (numbers && (t->kind == TYPE_FLOAT || t->kind == TYPE_DOUBLE));
}

bool memory_holds_open(const struct type *t)
{
    return holds_kind(t, true);
}

bool memory_holds_pointer(const struct type *t)
{
    return holds_kind(t, false);
}

/* Which bits of the byte at off in a structure or union belong to this member. */
static uint8_t member_bits_at(const struct program *p, const struct field *f, uint64_t off)
{
    uint8_t bits = 0;
    if (!f->is_bitfield)
        return off >= f->offset && off - f->offset < lang_sizeof(p, f->type) ? 0xff : 0;
    for (unsigned i = f->bit; i < f->bit + f->width; i++)
        if (f->offset + i / 8 == off)
            bits |= (uint8_t)(1u << i % 8);
    return bits;
}

/* Which bits of the byte at off are const?  In a union, those that are so in every member that has
 * them: who writes another member may do so. */
static uint8_t const_bits_at(const struct program *p, const struct type *t, uint64_t off)
{
    const struct type *element = element_of(t);
    uint64_t step = lang_sizeof(p, element);
    uint8_t some = 0, others = 0;
    if (element->quals & QUAL_CONST)
        return 0xff;
    for (uint32_t i = 0; step && lang_is_record(element) && i < element->u.record->count; i++) {
        const struct field *f = element->u.record->fields[i];
        uint8_t bits = member_bits_at(p, f, off % step), consts = 0;
        if (f->is_bitfield)
            consts = f->type->canon->quals & QUAL_CONST ? bits : 0;
        else if (bits)
            consts = const_bits_at(p, f->type, off % step - f->offset);
        some |= consts;
        others |= (uint8_t)(bits & ~consts);
    }
    return some & (uint8_t)~others;
}

bool memory_is_const(const struct object *o, uint64_t off, uint64_t size)
{
    if (o->is_const != CONST_PARTS)
        return o->is_const == CONST_ALL;
    for (uint64_t i = 0; i < size; i++)
        if (o->consts[(off + i) % o->period])
            return true;
    return false;
}

bool memory_bits_const(const struct object *o, uint64_t off, unsigned bit, unsigned width)
{
    if (o->is_const != CONST_PARTS)
        return o->is_const == CONST_ALL;
    for (unsigned i = bit; i < bit + width; i++)
        if (o->consts[(off + i / 8) % o->period] >> i % 8 & 1)
            return true;
    return false;
}

static struct tag_map *tag_map_of(struct machine *m, const struct program *p, const struct type *t)
{
    char key[32];
    uint64_t number = (uint64_t)(uintptr_t)t;
    for (unsigned i = 0; i < 16; i++)
        key[i] = (char)('a' + (number >> (4 * i) & 15));
    key[16] = 0;
    struct tag_map *map = map_get(&m->tag_maps, key);
    if (map)
        return map;
    map = NEW(&m->arena, struct tag_map);
    map->period = lang_sizeof(p, t);
    map->tags = arena_alloc(&m->arena, map->period ? map->period : 1);
    map_type(p, t, map->tags, 0);
    if (memory_has_parts(t, QUAL_CONST)) {
        map->consts = arena_alloc(&m->arena, map->period);
        for (uint64_t i = 0; i < map->period; i++)
            map->consts[i] = const_bits_at(p, t->unqual, i);
    }
    map->is_volatile = memory_has_parts(t, QUAL_VOLATILE);
    map->has_walls = wall_in_type(p, t);
    map->align = own_align(p, t);
    map->uniform = map->period ? map->tags[0] : (uint8_t)TAG_ANY;
    for (uint64_t i = 0; i < map->period; i++) {
        map->has_union = map->has_union || map->tags[i] == TAG_UNION;
        if (map->tags[i] != map->uniform)
            map->uniform = TAG_MIXED;
    }
    map_set(&m->arena, &m->tag_maps, key, map);
    return map;
}

/* Unions inside: what stores leave decides, so the map becomes the first word on it. */
static void start_tags(struct object *o, const struct tag_map *map)
{
    memory_need_tags(o);
    for (uint64_t i = 0; i < o->size; i++) {
        uint8_t tag = map->tags[i % map->period];
        o->tags[i] = tag == TAG_UNION ? (uint8_t)TAG_ANY : tag;
    }
    o->tag = TAG_MIXED;
}

/* GNU: a structure whose flexible array member was initialised is longer than its type.  Yields a
 * map for all of the object: its period is the object's size. */
static const struct tag_map *flexible_map(struct machine *m, const struct program *p,
                                          const struct type *t, const struct tag_map *map,
                                          uint64_t size)
{
    const struct record *r = t->u.record;
    const struct field *last = r->count ? r->fields[r->count - 1] : NULL;
    struct tag_map *all = NEW(&m->arena, struct tag_map);
    *all = (struct tag_map){.tags = arena_alloc(&m->arena, size), .period = size};
    memcpy(all->tags, map->tags, map->period);
    if (map->consts) {
        all->consts = arena_alloc(&m->arena, size);
        memcpy(all->consts, map->consts, map->period);
    }
    const struct type *element = last && last->type->canon->kind == TYPE_ARRAY
                                     ? last->type->canon->base->canon
                                     : NULL;
    uint64_t step = element ? lang_sizeof(p, element) : 0;
    for (uint64_t at = step ? last->offset : size; step && at + step <= size; at += step)
        map_type(p, element, all->tags, at);
    all->uniform = TAG_MIXED;
    all->has_union = memchr(all->tags, TAG_UNION, size) != NULL;
    return all;
}

void memory_declare(struct machine *m, struct object *o, const struct program *p,
                    const struct type *t)
{
    const struct type *whole = t->canon;
    t = whole;
    bool array = t->kind == TYPE_ARRAY;
    while (t->kind == TYPE_ARRAY)
        t = t->base;
    bool scalar = !lang_is_aggregate(t) && t->kind != TYPE_VECTOR && t->kind != TYPE_COMPLEX;
    if (scalar && !t->align) {
        o->tag = memory_tag(p, t);
        o->is_volatile = t->quals & QUAL_VOLATILE;
        return;
    }
    const struct tag_map *map = tag_map_of(m, p, t);
    o->is_volatile = t->quals & QUAL_VOLATILE || map->is_volatile;
    o->has_walls = map->has_walls;
    o->type = whole;
    o->program = p;
    if (map->period == 0)
        return;
    if (!array && t->kind == TYPE_STRUCT && o->size > map->period)
        map = flexible_map(m, p, t, map, o->size);
    o->tag = map->uniform == TAG_UNION ? (uint8_t)TAG_MIXED : map->uniform;
    o->map = map->tags;
    o->period = map->period;
    o->consts = map->consts;
    if (map->has_union)
        start_tags(o, map);
    o->is_loose = map->align > o->align;
}
