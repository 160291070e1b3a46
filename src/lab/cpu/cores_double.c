/* fp64: for tests against finite differences. */
#include "lab/cpu/cores.h"

#include <math.h>

#undef LAB_WIDE /* for tests alone: the plain compilation will do */
#define LAB_WIDE
#define REAL  double
#define EXP   exp
#define SQRT  sqrt
#define TABLE lab_cores_double
#include "lab/cpu/cores_text.h"
