/* The unit around the random part: gen.c calls these, in this order. */
#ifndef GEN_UNIT_H
#define GEN_UNIT_H

#include "gen/state.h"

/* Declares printf and the functions of the checksum. */
void gen_unit_start(struct gen *g);
/* Adds the checksum to main, and its value to the predicted output. */
void gen_unit_checksum(struct gen *g, struct region *r);
/* The same where nothing is executed: the sums, printed. */
void gen_unit_show(struct gen *g, struct region *r);
/* Puts everything into the program's unit, each after what it needs. */
void gen_unit_assemble(struct gen *g);

#endif
