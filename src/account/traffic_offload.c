/* Offloading: what a GPU sends over its own host link and gets back.
 *
 * ZeRO-Offload, arXiv:2101.06840, section 3: 16-bit gradients go down, updated 16-bit parameters come up: 4 bytes a parameter a step, each
 * rank its own Nth. From stage 2 on the gradients go down with every micro-batch (deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py,
 * accumulated_grads_in_cpu). ZeRO-Infinity, arXiv:2104.07857, section 5: where the shards of stage 3 lie on the host, each gather is
 * preceded by its own shard coming up; the ones for backward stay away where hpZ keeps a second copy on the GPU. */
#include "account/traffic.h"

static account_sum shard_elements(const struct account_traffic_writer *w) {
    account_sum sum = 0;
    for (int i = 0; i < ACCOUNT_SETS; i++) {
        if (i == ACCOUNT_SET_ADAPTERS)
            continue; /* they stay on the GPU: a thousandth of the base */
        uint32_t ranks = account_set_ranks(&w->sheet, (enum account_set)i);
        sum += account_shard_elements(&w->sheet.share[i], w->sheet.pad, w->sheet.align, ranks);
    }
    return sum;
}

struct account_offload account_offload(const struct account_traffic_writer *w) {
    const struct account_training *t = w->training;
    bool every = w->recipe->reduce_every & ACCOUNT_STAGE(w->stage);
    bool states = t->offload_optimizer != ACCOUNT_GPU, params = t->offload_params != ACCOUNT_GPU;
    account_sum half = account_dtype_bytes(t, ACCOUNT_AS_HALF);
    account_sum updated = account_updated_elements(t, &w->sheet) * half;
    struct account_offload o = {.windows = every ? w->micro : 1,
                                .gathers = t->hpz ? 1 : w->recipe->gathers_micro[w->stage]};
    if (states) o.grads_down = updated * o.windows;
    if (states && !params) o.updated_up = updated;
    if (params && !states) o.params_down = updated;
    if (params) o.gathered_up = shard_elements(w) * half * o.gathers * w->micro;
    return o;
}
