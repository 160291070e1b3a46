/* Which rank owns what: every unit is one flat buffer, padded at its end so that the ranks' shards are equal.
 *
 *     count 10, ranks 4:   0 1 2 | 3 4 5 | 6 7 8 | 9 · ·      shard 3, padded 12                                          */
#include "lab/engine.h"

#include <stdlib.h>

bool lab_partition_make(const struct lab_model *m, uint32_t ranks, struct lab_partition *out) {
    *out = (struct lab_partition){.ranks = ranks, .units = m->units};
    out->unit = calloc(m->units, sizeof *out->unit);
    if (!out->unit) return false;
    /* read: shards */
    for (size_t u = m->units; u-- > 0;) {
        size_t count = m->unit[u].count, shard = (count + ranks - 1) / ranks;
        out->unit[u] = (struct lab_split){count, shard, shard * ranks, out->shards};
        out->shards += shard;
        if (m->unit[u].kind == LAB_BLOCK) out->block = shard * ranks;
    }
    /* read: end */
    return true;
}

void lab_partition_free(struct lab_partition *p) {
    free(p->unit);
    *p = (struct lab_partition){0};
}
