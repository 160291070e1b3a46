/* account: the engine. It computes the bytes, the traffic, the seconds and the problems of sharded
 * training, and it recognises the mistakes that people make in them. Every number that a learner
 * sees comes from here.
 *
 * The engine is pure. It does no I/O, changes no globals, allocates nothing, calls nothing but
 * libm, and knows no other module.
 *
 * Its seven wings follow in reading order. Each has a page at its top that says what flows in and
 * what flows out, and each knows only the wings before it; plan, problems and play do not know
 * each other:
 *
 *     numbers <- training <- memory <- traffic <- plan
 *                                              <- problems
 *                                              <- play
 *
 * Ownership: results are filled into structs of the caller. Every `const ... *` that is returned
 * points to constant tables, which live as long as the program. Functions that can fail return
 * false and fill `struct account_error`, which may be NULL.
 *
 * Conventions: Ψ is `params`, the exact number of parameters. N is the size of the group that
 * shards. 1 GB = 1e9 bytes, 1 GiB = 2^30 bytes. Shards hold ceil(n / N) elements on every rank; the
 * padding comes last and is counted. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "account/numbers/numbers.h"
#include "account/training/catalogue.h"
#include "account/training/training.h"
#include "account/memory/memory.h"
#include "account/traffic/traffic.h"
#include "account/plan/outcome.h"
#include "account/plan/plan.h"
#include "account/problems/problems.h"
#include "account/problems/judging.h"
#include "account/play/play.h"
#include "account/play/steps.h"
#include "account/play/layers.h"

#ifdef __cplusplus
}
#endif

#endif
