/* fp32. */
#include "lab/arith.h"
#include "lab/cpu/cores.h"

#define REAL     float
#define OF(name) lab_##name##_float
#define TABLE    lab_cores_float
#include "lab/cpu/cores_text.h"
