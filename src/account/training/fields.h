/* How the fields of a training are read and written: a kind of value each, and what it needs to know of the row. */
#ifndef ACCOUNT_FIELDS_H
#define ACCOUNT_FIELDS_H

#include "account/training/sheet.h"

struct account_field_row {
    const char *name, *choices;
    const struct account_field_kind *kind;
    size_t offset; /* of the value in struct account_training; for LoRA's rows, which of the two */
    const char *(*name_of)(size_t index); /* of a choice; NULL past the last */
    uint64_t least, most;                 /* of a number */
    const char *unit;                     /* "GPUs", "tokens": what is counted */
};
struct account_field_kind {
    bool (*set)(const struct account_field_row *row, struct account_training *t, const char *text,
                struct account_error *e);
    void (*get)(const struct account_field_row *row, const struct account_training *t,
                struct account_text *out);
};

extern const struct account_field_kind account_kind_model, account_kind_params, account_kind_card,
    account_kind_stage, account_kind_count, account_kind_choice, account_kind_flag,
    account_kind_adapter, account_kind_bucket, account_kind_link, account_kind_share;

#endif
