/* Which cupel this is, as the Makefile knows it. */
#include "base/base.h"

const char cupel_version[] = CUPEL_VERSION;
const char cupel_date[] = CUPEL_DATE;
