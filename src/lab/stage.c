/* The stages: what each divides among the ranks. ZeRO, arXiv:1910.02054, section 5. */
#include "lab/engine.h"

/* clang-format off */
static const struct lab_stage stages[] = {
    {.reduces = true, .op = LAB_ALL_REDUCE},
    {.reduces = true, .op = LAB_REDUCE_SCATTER, .shards_moments = true},
    {.reduces = true, .op = LAB_REDUCE_SCATTER, .shards_moments = true, .shards_grads = true, .every = true},
    {.reduces = true, .op = LAB_REDUCE_SCATTER, .shards_moments = true, .shards_grads = true, .every = true, .shards_params = true},
};
/* clang-format on */
static const struct lab_stage alone;

const struct lab_stage *lab_stage_of(const struct lab_options *o) {
    return o->ranks == 1 ? &alone : &stages[o->stage];
}
