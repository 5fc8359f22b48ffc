/* Private to cc: what a compiler wrote. */
#ifndef CC_PRODUCT_H
#define CC_PRODUCT_H

#include "base/base.h"

enum product { PRODUCT_OBJECT, PRODUCT_ASSEMBLY, PRODUCT_EXECUTABLE };

/* What keeps the file from being what a compiler that succeeds writes ("a FIFO", "cut short" ...),
 * or NULL.  Never waits, follows no link.  any_format: an emulator runs it, and it alone knows what
 * that must look like. */
const char *product_flaw(const char *path, enum product what, bool any_format);

#endif
