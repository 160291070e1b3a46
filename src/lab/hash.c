/* Hashes of what was trained: FNV-1a, 64 bits, over values without padding, in the order of the
 * units. */
#include "lab/engine.h"

#include <stdlib.h>

/* LEAST: bytes from which a device hashes faster by itself. */
enum { CHUNK = 1 << 18, LEAST = 1 << 20 };

/* Downloads through a buffer, unless the memory is the host's own. The buffer is so large that a
 * GPU is not asked for every few pages. */
static uint64_t hash_device(struct lab_device *d, uint64_t hash, const void *from, size_t bytes) {
    unsigned char buffer[CHUNK];
    const char *at = from;
    if (d->row->hash && bytes >= LEAST) return d->row->hash(d, hash, from, bytes);
    if (!d->row->upload_made) return lab_hash_add(hash, from, bytes);
    for (size_t n; bytes > 0; bytes -= n, at += n) {
        n = bytes < CHUNK ? bytes : CHUNK;
        d->row->download(d, buffer, at, n);
        hash = lab_hash_add(hash, buffer, n);
    }
    return hash;
}

/* Returns how many of this rank's elements of the unit are values, and not padding. */
static size_t own_values(const struct lab_rank *k, const struct lab_split *s) {
    size_t first = k->split.mine * s->shard;
    if (!k->stage->shards_moments) return s->count;
    if (first >= s->count) return 0;
    return s->count - first < s->shard ? s->count - first : s->shard;
}

/* Of that many values; of whole blocks, if they are in blocks. */
static size_t bytes_of(const struct lab_rank *k, enum lab_updated a, size_t n) {
    size_t whole = (n + LAB_QUANTUM - 1) / LAB_QUANTUM * LAB_QUANTUM;
    return lab_bytes_of(k, a, lab_type_of(k, a) < LAB_DTYPES ? n : whole);
}

/* A master copy that only another tier needs, in fp32, is not a part of the state: the parameters
 * have its bits. */
uint64_t lab_state_hash(struct lab_rank *k) {
    struct lab_device *d = lab_optimizer_device(k);
    bool narrow = k->options->compute != LAB_F32;
    uint64_t hash = LAB_HASH_START;
    for (size_t u = 0; u < k->split.units; u++) {
        const struct lab_unit_state *s = &k->unit[u];
        size_t n = own_values(k, &k->split.unit[u]);
        if (narrow) hash = hash_device(d, hash, s->master, n * sizeof(float));
        hash = hash_device(d, hash, s->m, bytes_of(k, LAB_M, n));
        hash = hash_device(d, hash, s->v, bytes_of(k, LAB_V, n));
    }
    return hash;
}

/* If parameters are sharded, each unit is gathered once more. That is not a part of the run, and
 * not reported. */
bool lab_weights_hash(struct lab_rank *k, uint64_t *out) {
    *out = LAB_HASH_START;
    k->comm->watch = NULL;
    for (size_t u = 0; u < k->split.units; u++) {
        const void *whole = k->unit[u].params;
        struct lab_reservation *reservation =
            lab_is_table(k, u) ? &k->gathering.embeddings : &k->gathering.slot[0];
        lab_ticket ticket = 0;
        if (k->stage->shards_params) {
            whole = reservation->memory;
            if (!lab_gather_unit(k, u, reservation->memory, &ticket) ||
                !k->comm->row->wait(k->comm, ticket, &k->message))
                return false;
        }
        *out = hash_device(k->device, *out, whole, k->split.unit[u].count * lab_element(k));
    }
    return true;
}
