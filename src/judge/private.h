/* Private to judge: the functions that verdict.def names in its column `again`. */
#ifndef JUDGE_PRIVATE_H
#define JUDGE_PRIVATE_H

#include "judge/judge.h"

#define VERDICT(id, name, subject, signature, shown, again, ...) verdict_again_fn again_##again;
#include "judge/verdict.def"

#endif
