/* One row a flag of the command line. Inside the lab only. */
#ifndef LAB_OPTIONS_READ_H
#define LAB_OPTIONS_READ_H

#include "lab/options.h"

enum lab_flag_kind {
    LAB_FLAG_COUNT,  /* uint32_t, from `least` to `most` */
    LAB_FLAG_SEED,   /* uint64_t */
    LAB_FLAG_BYTES,  /* uint64_t; "none" is 0 where `off` */
    LAB_FLAG_CHOICE, /* an enum; `choices` are its values in order */
    LAB_FLAG_REAL,   /* double above 0; `off` names 0 */
    LAB_FLAG_TEXT,   /* char[256] */
    LAB_FLAG_MODEL,
    LAB_FLAG_LINK, /* "10GB/s,20us" */
    LAB_FLAG_ON    /* bool, without a value */
};
struct lab_flag {
    const char *name;
    enum lab_flag_kind kind;
    size_t at; /* offset in struct lab_options */
    const char *choices, *off;
    uint32_t least, most;
};
const struct lab_flag *lab_flags(size_t *count);
/* Sets what the flag stands for; `value` is NULL for a flag that takes none. */
bool lab_flag_set(const struct lab_flag *f, const char *value, struct lab_options *o,
                  struct lab_message *m);
/* False, with the message. */
bool lab_fail(struct lab_message *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
