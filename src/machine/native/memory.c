/* Rules of native code that reach objects: addresses, loads and stores, with every check of theirs
 * that can fail; what fails is left to the interpreter. */
#include "machine/native/private.h"

/* ---- addresses -------------------------------------------------------------------------- */

void rule_index(struct writer *w, const struct insn *i, const struct rule *rule)
{
    const struct rule bound = {NULL, WIDE | CMP, true};
    native_load_x(w, i);
    native_with_y(w, i, &bound, (uint64_t)i->k);
    native_trouble_if(w, CC_AE);
    if (x86_fits32((int64_t)i->u.wide)) {
        x86_multiply(w->x, RAX, (int32_t)i->u.wide);
    } else {
        x86_set(w->x, RCX, i->u.wide);
        x86_registers(w->x, WIDE | MULTIPLY, RAX, RCX);
    }
    if (rule->op)
        native_slot(w, rule->op, RAX, i->b);
    native_store(w, i);
}

static void add_constant(struct writer *w, uint64_t k)
{
    const struct rule add = {NULL, WIDE | ADD, true};
    if (k)
        native_with_y(w, NULL, &add, k);
}

void rule_plus(struct writer *w, const struct insn *i, const struct rule *rule)
{
    native_load_x(w, i);
    native_slot(w, rule->op, RAX, i->b);
    add_constant(w, (uint64_t)i->k);
    native_store(w, i);
}

/* Static objects stay where they are. */
void rule_address(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    uint64_t address = i->u.object->base + (uint64_t)i->k;
    x86_set(w->x, RAX, address);
    native_result(w, i, (int64_t)address, (int64_t)address);
}

void rule_address_local(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    native_load_x(w, i);
    x86_memory(w->x, WIDE | MOVE, RAX, RAX, offsetof(struct object, base));
    add_constant(w, (uint64_t)i->k);
    native_any_result(w, i);
}

/* rdx: where rax lies in the object rcx; the flags: below or equal when it does. */
static void try_object(struct writer *w)
{
    x86_registers(w->x, WIDE | MOVE, RDX, RAX);
    x86_memory(w->x, WIDE | SUB, RDX, RCX, offsetof(struct object, base));
    x86_memory(w->x, WIDE | CMP, RDX, RCX, offsetof(struct object, size));
}

/* rcx: the object that rax points into: the one that the instruction met last, or the one that
 * was found for such an address last; rdx: where. */
static void find_object(struct writer *w)
{
    const int64_t last = (int64_t)w->insn * (int64_t)sizeof(struct insn) +
                         (int64_t)offsetof(struct insn, u);
    x86_memory(w->x, WIDE | MOVE, RCX, R15, last);
    x86_registers(w->x, WIDE | TEST, RCX, RCX);
    uint8_t *none = x86_hop_if(w->x, CC_E);
    try_object(w);
    uint8_t *found = x86_hop_if(w->x, CC_BE);
    x86_hop_end(w->x, none);
    x86_registers(w->x, WIDE | MOVE, RCX, RAX);
    x86_shift(w->x, SHR, RCX, 5); /* address / 32 */
    x86_constant(w->x, AND, RCX, QUICK - 1);
    x86_scaled(w->x, WIDE | MOVE, RCX,
               (struct scaled){R12, RCX, offsetof(struct machine, memory.quick)});
    x86_registers(w->x, WIDE | TEST, RCX, RCX);
    native_trouble_if(w, CC_E);
    try_object(w);
    native_trouble_if(w, CC_A);
    x86_memory(w->x, WIDE | STORE, RCX, R15, last);
    x86_hop_end(w->x, found);
}

static void within_object(struct writer *w)
{
    x86_memory(w->x, WIDE | CMP, RDX, RCX, offsetof(struct object, size));
    native_trouble_if(w, CC_A);
}

void rule_offset(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    if (!x86_fits32(i->k)) {
        native_step(w);
        return;
    }
    native_load_x(w, i);
    find_object(w);
    if (i->k) {
        x86_constant(w->x, WIDE | ADD, RDX, (int32_t)i->k);
        within_object(w);
        add_constant(w, (uint64_t)i->k);
    }
    native_store(w, i);
}

/* Null, or into an object that is known already. */
void rule_unfreed(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    native_load_x(w, i);
    x86_registers(w->x, WIDE | TEST, RAX, RAX);
    uint8_t *null = x86_hop_if(w->x, CC_E);
    find_object(w);
    x86_hop_end(w->x, null);
}

/* An allocated object that was reached as this structure already. */
void rule_record(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    native_load_x(w, i);
    find_object(w);
    x86_set(w->x, RSI, i->b);
    x86_memory(w->x, CMP, RSI, RCX, offsetof(struct object, reached));
    native_trouble_if(w, CC_NE);
}

/* An object without that flag, by where it lies in struct object. */
void rule_unless(struct writer *w, const struct insn *i, const struct rule *rule)
{
    native_load_x(w, i);
    find_object(w);
    x86_compare_byte(w->x, RCX, rule->op, 0);
    native_trouble_if(w, CC_NE);
}

/* rule->op: 0 forwards, NEG backwards. */
void rule_step(struct writer *w, const struct insn *i, const struct rule *rule)
{
    if (!x86_fits32(i->k)) {
        native_step(w);
        return;
    }
    native_load_x(w, i);
    find_object(w);
    native_slot(w, WIDE | MOVE, RSI, i->b);
    if (rule->op)
        x86_registers(w->x, WIDE | GROUP3, NEG, RSI);
    x86_multiply(w->x, RSI, (int32_t)i->k);
    native_trouble_if(w, CC_O);
    x86_registers(w->x, WIDE | ADD, RDX, RSI);
    within_object(w);
    x86_registers(w->x, WIDE | ADD, RAX, RSI);
    native_any_result(w, i);
}

/* ---- what is known of bytes ------------------------------------------------------------- */

/* Compares, or fills, size bytes of a mask, at [rsi + rdx], with one byte's value. */
enum mask_use { MASK_COMPARE, MASK_FILL };

static void mask(struct writer *w, enum mask_use use, unsigned size, uint8_t value)
{
    static const struct {
        uint32_t reg, constant, constant8;
        unsigned digit;
    } ops[] = {[MASK_COMPARE] = {0x39, 0x81, 0x80, 7}, [MASK_FILL] = {STORE, 0xc7, 0xc6, 0}};
    uint32_t prefix = size == 8 ? WIDE : size == 2 ? HALF : 0;
    if (size == 8 && value != 0xff) { /* a constant has 4 bytes, and their sign */
        x86_set(w->x, RDI, value * (uint64_t)0x0101010101010101u);
        x86_indexed(w->x, WIDE | ops[use].reg, RDI, RSI, RDX);
        return;
    }
    uint32_t op = size == 1 ? ops[use].constant8 : ops[use].constant;
    x86_indexed(w->x, prefix | op, ops[use].digit, RSI, RDX);
    for (unsigned i = 0; i < size && i < 4; i++)
        x86_byte(w->x, value);
}

/* rsi: one of the object's masks, if it has it; else jumps. */
static uint8_t *with_mask(struct writer *w, size_t member)
{
    x86_memory(w->x, WIDE | MOVE, RSI, RCX, (int64_t)member);
    x86_registers(w->x, WIDE | TEST, RSI, RSI);
    return x86_hop_if(w->x, CC_E);
}

static void check_init(struct writer *w, unsigned size)
{
    uint8_t *none = with_mask(w, offsetof(struct object, init));
    mask(w, MASK_COMPARE, size, 0xff);
    native_trouble_if(w, CC_NE);
    x86_hop_end(w->x, none);
}

static void set_init(struct writer *w, unsigned size)
{
    uint8_t *none = with_mask(w, offsetof(struct object, init));
    mask(w, MASK_FILL, size, 0xff);
    x86_hop_end(w->x, none);
}

/* The effective type: of all the object, of what was stored, or of one declared structure. */
static void check_tag(struct writer *w, const struct insn *i, unsigned size)
{
    if (i->tag <= TAG_CHAR)
        return;
    x86_compare_byte(w->x, RCX, offsetof(struct object, tag), i->tag);
    uint8_t *same = x86_hop_if(w->x, CC_E);
    x86_memory(w->x, WIDE | MOVE, RSI, RCX, offsetof(struct object, tags));
    x86_registers(w->x, WIDE | TEST, RSI, RSI);
    uint8_t *has = x86_hop_if(w->x, CC_NE);
    x86_memory(w->x, WIDE | MOVE, RSI, RCX, offsetof(struct object, map));
    x86_registers(w->x, WIDE | TEST, RSI, RSI);
    native_trouble_if(w, CC_E);
    x86_memory(w->x, WIDE | CMP, RDX, RCX, offsetof(struct object, period));
    native_trouble_if(w, CC_AE);
    x86_hop_end(w->x, has);
    mask(w, MASK_COMPARE, size, i->tag);
    native_trouble_if(w, CC_NE);
    x86_hop_end(w->x, same);
}

static void move_bytes(struct writer *w, uint32_t op)
{
    x86_memory(w->x, WIDE | MOVE, RCX, RCX, offsetof(struct object, bytes));
    x86_indexed(w->x, op, RAX, RCX, RDX);
}

/* ---- loads and stores ------------------------------------------------------------------- */

/* rcx: the object, rdx: the offset, of an access to a known object.  Where the object is known the
 * compiler and the index's own check have seen to bounds, alignment and type. */
static void known_place(struct writer *w, const struct insn *i, enum place_kind place)
{
    if (place == PLACE_L || place == PLACE_LX)
        native_load(w, RCX, i->a);
    else
        x86_set(w->x, RCX, (uint64_t)(uintptr_t)i->u.object);
    if (place == PLACE_G || place == PLACE_L) {
        x86_set(w->x, RDX, (uint64_t)i->k);
        return;
    }
    native_load(w, RDX, i->b);
    if (i->k && x86_fits32(i->k)) {
        x86_constant(w->x, WIDE | ADD, RDX, (int32_t)i->k);
    } else if (i->k) {
        x86_set(w->x, RSI, (uint64_t)i->k);
        x86_registers(w->x, WIDE | ADD, RDX, RSI);
    }
}

/* The same for one that rax points to: in bounds, aligned, of its type. */
static void reach_place(struct writer *w, const struct insn *i, unsigned size)
{
    if (i->align) {
        x86_registers(w->x, WIDE | MOVE, RSI, RAX);
        if (i->k)
            x86_constant(w->x, WIDE | ADD, RSI, (int32_t)i->k);
        x86_registers(w->x, 0xf6, 0, RSI); /* test its low byte */
        x86_byte(w->x, i->align);
        native_trouble_if(w, CC_NE);
    }
    find_object(w);
    if (i->align) {
        x86_compare_byte(w->x, RCX, offsetof(struct object, is_loose), 0);
        native_trouble_if(w, CC_NE);
    }
    if (i->k)
        x86_constant(w->x, WIDE | ADD, RDX, (int32_t)i->k);
    x86_memory(w->x, WIDE | MOVE, RSI, RCX, offsetof(struct object, size));
    x86_registers(w->x, WIDE | SUB, RSI, RDX);
    native_trouble_if(w, CC_B);
    x86_constant(w->x, WIDE | CMP, RSI, (int32_t)size);
    native_trouble_if(w, CC_B);
    check_tag(w, i, size);
}

/* Of an access, by the opcode that moves its bytes. */
static unsigned size_of_access(uint32_t op)
{
    switch (op) {
    case WIDE | SEXT8:
    case ZEXT8:
    case STORE8:
        return 1;
    case WIDE | SEXT16:
    case ZEXT16:
    case HALF | STORE:
        return 2;
    case WIDE | MOVE:
    case WIDE | STORE:
        return 8;
    default:
        return 4;
    }
}

static void load_place(struct writer *w, const struct insn *i, uint32_t op)
{
    check_init(w, size_of_access(op));
    move_bytes(w, op);
    native_forget(w);
    native_any_result(w, i);
}

static uint32_t opcode_of(const struct rule *rule)
{
    return rule->op & ((1u << PLACE) - 1);
}

void rule_load(struct writer *w, const struct insn *i, const struct rule *rule)
{
    known_place(w, i, (enum place_kind)(rule->op >> PLACE));
    load_place(w, i, opcode_of(rule));
}

void rule_load_pointer(struct writer *w, const struct insn *i, const struct rule *rule)
{
    uint32_t op = opcode_of(rule);
    if (!x86_fits32(i->k)) {
        native_step(w);
        return;
    }
    native_load_x(w, i);
    reach_place(w, i, size_of_access(op));
    load_place(w, i, op);
}

void rule_store(struct writer *w, const struct insn *i, const struct rule *rule)
{
    uint32_t op = opcode_of(rule);
    unsigned size = size_of_access(op);
    known_place(w, i, (enum place_kind)(rule->op >> PLACE));
    set_init(w, size);
    uint8_t *none = with_mask(w, offsetof(struct object, tags));
    mask(w, MASK_FILL, size, i->tag);
    x86_hop_end(w->x, none);
    native_load(w, RAX, i->dst);
    move_bytes(w, op);
}

void rule_store_pointer(struct writer *w, const struct insn *i, const struct rule *rule)
{
    uint32_t op = opcode_of(rule);
    if (!x86_fits32(i->k)) {
        native_step(w);
        return;
    }
    native_load(w, RAX, i->a);
    reach_place(w, i, size_of_access(op));
    x86_compare_byte(w->x, RCX, offsetof(struct object, is_const), 0);
    native_trouble_if(w, CC_NE);
    set_init(w, size_of_access(op));
    if (i->tag == TAG_CHAR) {
        uint8_t *none = with_mask(w, offsetof(struct object, tags));
        mask(w, MASK_FILL, size_of_access(op), TAG_ANY);
        x86_hop_end(w->x, none);
    }
    native_load(w, RAX, i->dst);
    move_bytes(w, op);
}
