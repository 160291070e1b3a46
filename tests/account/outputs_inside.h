/* What the files of outputs share. */
#ifndef OUTPUTS_INSIDE_H
#define OUTPUTS_INSIDE_H

#include "account/draws.h"
#include "account/outputs.h"

#define COUNT(d, s, member) digest_count(d, #member, (uint64_t)(s).member)
#define REAL(d, s, member)  digest_real(d, #member, (s).member)
#define NAME(d, s, member)  digest_name(d, #member, (s).member)
#define TEXT(d, s, member)  digest_text(d, #member, (s).member)

/* Digests whether it was answered, and why not. */
bool output_answered(struct digest *d, const char *what, bool is, const struct account_error *e);
bool output_is_every(uint64_t number, uint64_t n);

/* Subjects that begin with what a person types (outputs_typed.c). */
void output_problem(struct digest *d, const struct account_training *t, uint64_t number);
void output_whose(struct digest *d, const struct account_training *t, uint64_t number);
void output_typed(struct digest *d, const struct account_training *t, uint64_t number);

#endif
