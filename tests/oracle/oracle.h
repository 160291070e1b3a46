/* Published numbers against the engine: one row of published.json is a case, one adapter says how
 * the public API yields it.
 *
 * An adapter holds for every case whose id begins with its prefix; the longest prefix wins. It
 * reproduces what is expected, or shows why a peer's number is another one, or says why a case is
 * left out. */
#ifndef ORACLE_H
#define ORACLE_H

#include "account/account.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define GiB 1073741824.0
#define MiB 1048576.0

enum outcome { REPRODUCED, EXPLAINED, LEFT_OUT, OUTCOMES };

struct adapter {
    const char *prefix;
    enum outcome outcome;
    /* NULL: left out */
    void (*check)(const json_t *row);
    /* why the peer's number differs, or what is left out */
    const char *reason;
};
/* Tables by group, each ended by a row without a prefix. */
extern const struct adapter oracle_states[], oracle_zero[], oracle_korthikanti[],
    oracle_deepspeed[], oracle_estimators[], oracle_pytorch[], oracle_trainers[], oracle_cookbook[],
    oracle_offload[], oracle_links[], oracle_measured[];
const struct adapter *oracle_find(const char *id);

/* ── reading a case ── paths have slashes: "expected/exact_GB/Pos", "expected/rows/0/1" ── */
const char *id_of(const json_t *row);
bool has(const json_t *row, const char *path);
const json_t *at(const json_t *row, const char *path); /* fails the test if there is none */
double num(const json_t *row, const char *path);
double num_or(const json_t *row, const char *path, double otherwise);
uint32_t small(const json_t *row, const char *path);
size_t length(const json_t *row, const char *path);
/* "expected/rows/0/1" from a format; in one of a few static buffers. */
const char *path(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ── comparing ── */
void near(const json_t *row, const char *what, double got, double wanted, double slack);
/* What `path` expects, within the case's relative tolerance, or 1e-12. */
void same(const json_t *row, double got, const char *path);

/* ── asking the engine; each fails the test where it is refused ── */
/* "recipe=deepspeed stage=2 gpus=8": each pair set in turn. */
struct account_training trained(const char *format, ...) __attribute__((format(printf, 1, 2)));
void set(struct account_training *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct account_shape shape_of(const char *family, uint32_t layers, uint32_t hidden, uint32_t heads,
                              uint32_t ffn, uint32_t vocab);
void give_shape(struct account_training *t, struct account_shape s);
double counted(struct account_shape s);
/* 12 h² a layer and nothing else, as papers count: no biases, no weights in the norms, no
 * embedding. */
struct account_shape matrices_only(uint32_t layers, uint32_t hidden, uint32_t heads);
struct account_memory memory_of(const struct account_training *t);
double total(const struct account_training *t);
double states(const struct account_training *t);
double rate(const struct account_training *t); /* bytes a parameter, without padding */
struct account_activations activations_of(const struct account_training *t);
struct account_traffic traffic_of(const struct account_training *t);
const struct account_collective *leg_of(const struct account_traffic *t, const char *what);

#endif
