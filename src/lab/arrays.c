/* Whole, and mine: the two ways to a unit's parameters, gradients and optimizer states. What a
 * stage shards is asked here, and nowhere else a place is calculated from it:
 *
 *     not sharded    [ r0 │ r1 │ r2 ]      whole: the beginning      mine: r1 in it, on rank 1
 *     sharded             [ r1 ]           whole: there is none      mine: the beginning */
#include "lab/engine.h"

enum lab_dtype lab_type_of(const struct lab_rank *k, enum lab_updated a) {
    bool narrow = k->options->optimizer == LAB_ADAM8BIT;
    switch (a) {
    case LAB_GRADS: return lab_grads_type(k->options);
    case LAB_PARAMS: return k->options->compute;
    case LAB_M: return narrow ? LAB_SIGNED8 : LAB_F32;
    case LAB_V: return narrow ? LAB_SQUARE8 : LAB_F32;
    default: return LAB_F32;
    }
}

bool lab_is_sharded(const struct lab_rank *k, enum lab_updated a) {
    if (a == LAB_GRADS) return k->stage->shards_grads;
    return a == LAB_PARAMS ? k->stage->shards_params : k->stage->shards_moments;
}

/* Where what this rank has of an array begins. */
static char *base_of(const struct lab_unit_state *s, enum lab_updated a) {
    char *const base[LAB_UPDATED] = {[LAB_GRADS] = s->grads,
                                     [LAB_PARAMS] = s->params,
                                     [LAB_MASTER] = (char *)s->master,
                                     [LAB_M] = s->m,
                                     [LAB_V] = s->v};
    return base[a];
}

char *lab_whole_of(const struct lab_rank *k, enum lab_updated a, size_t unit) {
    return lab_is_sharded(k, a) ? NULL : base_of(&k->unit[unit], a);
}

char *lab_mine_of(const struct lab_rank *k, enum lab_updated a, size_t unit) {
    char *base = base_of(&k->unit[unit], a);
    if (!base || lab_is_sharded(k, a)) return base;
    return base + lab_bytes_of(k, a, k->split.mine * k->split.unit[unit].shard);
}
