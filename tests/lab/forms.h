/* The peak of a rank in closed form: what the schedule of src/lab comes to. Written from its
 * description, not from its code. */
#ifndef TESTS_LAB_FORMS_H
#define TESTS_LAB_FORMS_H

#include "runs.h"

struct form {
    uint64_t total;
    struct lab_where where;
};
/* The highest moment; of equals, the earliest. */
struct form forms_peak(const struct lab_options *o);

#endif
