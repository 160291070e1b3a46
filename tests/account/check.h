/* Small helpers for rows of data: a problem from a line of text, closeness, the mistakes of a
 * judgement. */
#ifndef CHECK_H
#define CHECK_H

#include "account/account.h"
#include "account/numbers/integers.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

/* "params=7.5e9 gpus=64 stage=2": each pair set in turn; fails the test where one is refused. */
struct account_problem problem_of(const char *pairs);
struct account_training training_of(const char *pairs);
/* Whether two numbers agree to 1e-12, with both printed if not. */
void assert_same(double got, double wanted, const char *what);
/* "no-master nodes", "no-master+gb-for-gib": the mistakes of a diagnosis, in a static buffer. */
const char *mistakes_of(const struct account_diagnosis *d);
/* What all GPUs together keep of some categories between steps. */
bool cluster_bytes(const struct account_training *t, uint32_t categories, account_sum *out,
                   struct account_error *e);
/* What an option of a play is set to. */
uint32_t play_value(const struct account_playing *at, const char *option);
/* A random number from a state, the same on every machine. */
uint64_t chance(uint64_t *state);

#endif
