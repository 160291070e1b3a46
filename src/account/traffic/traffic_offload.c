/* Offloading: what a GPU sends over its own host link and gets back.
 *
 * ZeRO-Offload, arXiv:2101.06840, section 3: 16-bit gradients go down, updated 16-bit parameters
 * come up: 4 bytes a parameter a step, each rank its own Nth; from stage 2 on gradients go down
 * with every micro-batch. ZeRO-Infinity, arXiv:2104.07857, section 5: where the shards of stage 3
 * lie on the host, each gather is preceded by its own shard coming up; the ones for backward stay
 * away where hpZ keeps a second copy on the GPU.
 *
 * What implementations do instead stands in the recipes' `crossing`. DeepSpeed adds micro-batches
 * up on the GPU: sums go down after each and come up for the next, and the complete gradients go
 * down once more, widened before (A micro-batches, bytes a parameter, mixed precision):
 *
 *   down  stage 1: 4, with A > 1 4 + 2    stage 2: 4, with A > 1 4 + 2A    stage 3: 4 + 2A
 *   up    stage 1: 2, with A > 1 2 + 2    stage 2: 2 + 2(A - 1)            stage 3: 2 + 2A */
#include "account/traffic/flows.h"

/* Elements of the shards that come up before the gathers of a micro-batch. */
static account_sum gathered_elements(const struct account_traffic_writer *w, uint32_t gathers) {
    account_sum sum = 0;
    for (int i = 0; i < ACCOUNT_SETS; i++) {
        /* they stay on the GPU: a thousandth of the base */
        if (i == ACCOUNT_SET_ADAPTERS) continue;
        uint32_t ranks = account_set_ranks(&w->is->sheet, (enum account_set)i);
        account_sum all = account_shard_elements(&w->is->sheet.share[i], w->is->sheet.pad,
                                                 w->is->sheet.align, ranks);
        sum += all * gathers;
        if (gathers > 1) sum -= account_gathered_once(w, (enum account_set)i, ranks);
    }
    return sum;
}

static void put_gradients(const struct account_traffic_writer *w, account_sum updated,
                          struct account_offload *o) {
    const struct account_crossing *c = &w->is->recipe->crossing;
    enum account_sums sums = (enum account_sums)c->sums[w->is->stage];
    bool kept = c->grads == ACCOUNT_AS_GRAD;
    account_sum complete = updated * (kept ? w->is->kept_bytes : w->is->bytes[c->grads]);
    account_sum sum = updated * w->is->sum_bytes;
    if (sums == ACCOUNT_SUMS_ON_HOST) {
        o->grads_down = complete * o->windows;
        return;
    }
    o->last_down = complete;
    if (sums == ACCOUNT_SUMS_STAY || (sums == ACCOUNT_SUMS_LATER && w->micro == 1)) return;
    o->grads_down = o->sums_up = sum * o->windows;
    if (sums == ACCOUNT_SUMS_LATER && o->windows > 1) o->sums_up -= sum;
}

/* An update reads and writes all states that are on NVMe once. Parameters there are written, and
 * read before each gather; without a master copy the update reads them too. */
static void put_disk(const struct account_traffic_writer *w, account_sum updated,
                     struct account_offload *o) {
    const struct account_resolved *is = w->is;
    bool master = false;
    for (size_t i = 0; i < is->sheet.terms; i++) {
        const struct account_term *term = &is->sheet.term[i];
        master = master || term->category == ACCOUNT_MASTER;
        if (term->tier != ACCOUNT_NVME || term->category == ACCOUNT_PARAMS) continue;
        o->disk_read += account_term_bytes(&is->sheet, term);
        o->disk_written += account_term_bytes(&is->sheet, term);
    }
    if (is->offload_params != ACCOUNT_NVME) return;
    account_sum params = updated * is->bytes[is->recipe->crossing.updated];
    o->disk_written += params;
    o->disk_read += o->gathered_up + (master ? 0 : params);
}

struct account_offload account_offload(const struct account_traffic_writer *w) {
    const struct account_resolved *is = w->is;
    const struct account_crossing *c = &w->is->recipe->crossing;
    bool every = w->is->recipe->reduce_every & ACCOUNT_STAGE(w->stage);
    bool states = is->offload_optimizer != ACCOUNT_GPU, params = is->offload_params != ACCOUNT_GPU;
    account_sum updated = account_updated_elements(is);
    struct account_offload o = {.windows = every ? w->micro : 1,
                                .gathers = is->hpz ? 1 : w->is->recipe->gathers_micro[w->stage]};
    if (states) put_gradients(w, updated, &o);
    if (states && !params) o.updated_up = updated * w->is->bytes[c->updated];
    if (params && !states) o.params_down = updated * w->is->bytes[ACCOUNT_AS_HALF];
    if (params)
        o.gathered_up = gathered_elements(w, o.gathers) * w->is->bytes[c->gathered] * w->micro;
    put_disk(w, updated, &o);
    return o;
}

struct account_offload account_offload_of(const struct account_resolved *is) {
    struct account_traffic traffic;
    struct account_traffic_writer w;
    account_traffic_begin(is, &traffic, &w);
    return account_offload(&w);
}
