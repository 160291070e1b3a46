/* fp64: for tests against finite differences. */
#include "lab/arith.h"
#include "lab/cpu/cores.h"

#undef LAB_WIDE /* for tests alone: the plain compilation will do */
#define LAB_WIDE
#define REAL     double
#define OF(name) lab_##name##_double
#define TABLE    lab_cores_double
#include "lab/cpu/cores_text.h"
