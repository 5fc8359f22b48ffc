/* Which rule writes which instruction of instructions.def as native code.  One without a row is
 * left to the interpreter, one at a time. */
#include "machine/native/private.h"

#define BOTH(name, function, op) \
    [I_##name] = {function, op, false}, [I_##name##_K] = {function, op, true}
#define COMPARES(name, cc)                                                             \
    [I_##name] = {rule_compare, cc, false}, [I_##name##_K] = {rule_compare, cc, true}, \
    [I_J##name] = {rule_branch, cc, false}, [I_J##name##_K] = {rule_branch, cc, true}
#define LOADS(suffix, op)                                            \
    [I_LOAD_G_##suffix] = {rule_load, (op) | PLACE_G << PLACE, 0},   \
    [I_LOAD_GX_##suffix] = {rule_load, (op) | PLACE_GX << PLACE, 0}, \
    [I_LOAD_L_##suffix] = {rule_load, (op) | PLACE_L << PLACE, 0},   \
    [I_LOAD_LX_##suffix] = {rule_load, (op) | PLACE_LX << PLACE, 0}, \
    [I_LOAD_P_##suffix] = {rule_load_pointer, (op) | PLACE_P << PLACE, 0}
#define STORES(suffix, op)                                             \
    [I_STORE_G_##suffix] = {rule_store, (op) | PLACE_G << PLACE, 0},   \
    [I_STORE_GX_##suffix] = {rule_store, (op) | PLACE_GX << PLACE, 0}, \
    [I_STORE_L_##suffix] = {rule_store, (op) | PLACE_L << PLACE, 0},   \
    [I_STORE_LX_##suffix] = {rule_store, (op) | PLACE_LX << PLACE, 0}, \
    [I_STORE_P_##suffix] = {rule_store_pointer, (op) | PLACE_P << PLACE, 0}

const struct rule native_rules[OPCODES] = {
    [I_NOP] = {rule_nothing, 0, 0},
    [I_MOVE] = {rule_move, 0, 0},
    [I_SET_K] = {rule_constant, 0, 0},
    [I_FLAG] = {rule_constant, 0, 0},
    [I_CHECK] = {rule_check, 0, 0},
    [I_COUNT] = {rule_count, 0, 0},
    BOTH(ADD_I32, rule_i32, ADD),
    BOTH(SUB_I32, rule_i32, SUB),
    BOTH(ADD_U32, rule_plain, ADD),
    BOTH(SUB_U32, rule_plain, SUB),
    BOTH(ADD_I64, rule_i64, WIDE | ADD),
    BOTH(SUB_I64, rule_i64, WIDE | SUB),
    BOTH(ADD_U64, rule_plain, WIDE | ADD),
    BOTH(SUB_U64, rule_plain, WIDE | SUB),
    BOTH(AND, rule_plain, WIDE | AND),
    BOTH(OR, rule_plain, WIDE | OR),
    BOTH(XOR, rule_plain, WIDE | XOR),
    BOTH(MUL_I32, rule_multiply, SIGNED),
    BOTH(MUL_U32, rule_multiply, 0),
    BOTH(MUL_I64, rule_multiply, WIDE | SIGNED),
    BOTH(MUL_U64, rule_multiply, WIDE),
    BOTH(DIV_I32, rule_divide, SIGNED),
    BOTH(REM_I32, rule_divide, SIGNED | REST),
    BOTH(DIV_I64, rule_divide, WIDE | SIGNED),
    BOTH(REM_I64, rule_divide, WIDE | SIGNED | REST),
    BOTH(DIV_U64, rule_divide, WIDE),
    BOTH(REM_U64, rule_divide, WIDE | REST),
    BOTH(SHL_I32, rule_shift, SHL << WHICH | WIDE | CHECKED | 32),
    BOTH(SHL_U32, rule_shift, SHL << WHICH | 32),
    BOTH(SHL_U64, rule_shift, SHL << WHICH | WIDE | 64),
    BOTH(SHR_I32, rule_shift, SAR << WHICH | WIDE | 32),
    BOTH(SHR_I64, rule_shift, SAR << WHICH | WIDE | 64),
    BOTH(SHR_U32, rule_shift, SHR << WHICH | WIDE | 32),
    BOTH(SHR_U64, rule_shift, SHR << WHICH | WIDE | 64),
    [I_NOT_S] = {rule_unary, NOT << WHICH | WIDE, 0},
    [I_NOT_U32] = {rule_unary, NOT << WHICH, 0},
    [I_NEG_I32] = {rule_unary, NEG << WHICH | SIGNED, 0},
    [I_NEG_I64] = {rule_unary, NEG << WHICH | WIDE | SIGNED, 0},
    [I_NEG_U32] = {rule_unary, NEG << WHICH, 0},
    [I_NEG_U64] = {rule_unary, NEG << WHICH | WIDE, 0},
    COMPARES(LT_S, CC_L),
    COMPARES(LE_S, CC_LE),
    COMPARES(GT_S, CC_G),
    COMPARES(GE_S, CC_GE),
    COMPARES(LT_U, CC_B),
    COMPARES(LE_U, CC_BE),
    COMPARES(GT_U, CC_A),
    COMPARES(GE_U, CC_AE),
    COMPARES(EQ, CC_E),
    COMPARES(NE, CC_NE),
    [I_LNOT] = {rule_truth, CC_E, 0},
    [I_BOOL] = {rule_truth, CC_NE, 0},
    [I_JUMP] = {rule_jump, 0, 0},
    [I_BACK] = {rule_back, 0, 0},
    [I_JIF] = {rule_branch_if, 0, 0},
    [I_SEXT8] = {rule_extend, WIDE | SEXT8, 0},
    [I_SEXT16] = {rule_extend, WIDE | SEXT16, 0},
    [I_SEXT32] = {rule_extend, WIDE | SEXT32, 0},
    [I_ZEXT8] = {rule_extend, ZEXT8, 0},
    [I_ZEXT16] = {rule_extend, ZEXT16, 0},
    [I_ZEXT32] = {rule_extend, MOVE, 0},
    [I_ADDRESS_G] = {rule_address, 0, 0},
    [I_ADDRESS_L] = {rule_address_local, 0, 0},
    [I_OFFSET] = {rule_offset, 0, 0},
    [I_STEP] = {rule_step, 0, 0},
    [I_STEP_BACK] = {rule_step, NEG, 0},
    [I_INDEX] = {rule_index, 0, 0},
    [I_INDEX_MORE] = {rule_index, WIDE | ADD, 0},
    [I_UNFREED] = {rule_unfreed, 0, 0},
    [I_RECORD] = {rule_record, 0, 0},
    [I_WALL] = {rule_unless, offsetof(struct object, has_walls), 0},
    [I_NO_WALL] = {rule_unless, offsetof(struct object, has_walls), 0},
    [I_STORED] = {rule_unless, offsetof(struct object, is_shared), 0},
    [I_PLUS] = {rule_plus, WIDE | ADD, 0},
    LOADS(I8, WIDE | SEXT8),
    LOADS(U8, ZEXT8),
    LOADS(I16, WIDE | SEXT16),
    LOADS(U16, ZEXT16),
    LOADS(I32, WIDE | SEXT32),
    LOADS(U32, MOVE),
    LOADS(I64, WIDE | MOVE),
    STORES(8, STORE8),
    STORES(16, HALF | STORE),
    STORES(32, STORE),
    STORES(64, WIDE | STORE),
    [I_SWITCH] = {rule_flow, 0, 0},
    [I_SWITCH_PAIR] = {rule_flow, 0, 0},
    [I_GOTO] = {rule_flow, 0, 0},
    [I_CALL] = {rule_call, 0, 0},
    [I_CALL_POINTER] = {rule_flow, 0, 0},
    [I_RETURN] = {rule_return, 0, 0},
    [I_RETURN_PAIR] = {rule_flow, 0, 0},
    [I_RETURN_MEMORY] = {rule_flow, 0, 0},
    [I_RETURN_NONE] = {rule_flow, 0, 0},
    [I_RETURN_VOID] = {rule_return, 0, 0},
    [I_END] = {rule_quit, 0, 0},
};
