/* A rehearsal: before the run every kernel runs once, in memory that is reserved and not in use
 * yet. Libraries load then what they load only when it is first needed, so its memory is measured,
 * and no step waits for it. What the rehearsal leaves behind does no harm: gradients are written
 * before they are added to. */
#include "lab/engine.h"

/* At stage 3 a unit is gathered into its own slot. */
static struct lab_pass pass_of(struct lab_rank *k, size_t unit, bool fresh) {
    struct lab_reservation *gathered =
        lab_is_table(k, unit) ? &k->gathering.embeddings : &k->gathering.slot[0];
    return (struct lab_pass){.device = k->device,
                             .options = k->options,
                             .unit = &k->model->unit[unit],
                             .params =
                                 k->stage->shards_params ? gathered->memory : k->unit[unit].params,
                             .grads = lab_grads_unsharded(k, unit),
                             .fresh = fresh,
                             .working = k->reservations.working.memory,
                             .scratch = k->reservations.scratch.memory};
}

static void pass(struct lab_rank *k, bool fresh) {
    struct lab_reservations *r = &k->reservations;
    const struct lab_shape *s = &k->options->shape;
    struct lab_pass lookup = pass_of(k, 0, fresh), block = pass_of(k, 1, fresh);
    struct lab_pass norm = pass_of(k, lab_norm_unit(s), fresh);
    struct lab_pass head = pass_of(k, lab_head_unit(s), fresh);
    const int32_t *tokens = r->tokens.memory;
    void *gradient = r->gradient.memory, *logits = r->logits.memory;
    block.saved = r->saved[0].memory;
    norm.saved = head.saved = r->head.memory;
    lab_embed_forward(&lookup, tokens, block.saved);
    lab_block_forward(&block, block.saved, norm.saved);
    lab_last_norm_forward(&norm, norm.saved);
    lab_head_forward(&head, logits);
    lab_head_loss(&head, logits, tokens + lab_rows(k), 1);
    lab_head_backward(&head, logits, gradient);
    lab_last_norm_backward(&norm, gradient);
    lab_block_backward(&block, gradient);
    lab_embed_backward(&lookup, tokens, gradient);
}
/* Works in the device's workspace, on eight numbers each. */
static void update(struct lab_rank *k) {
    enum { APART = 256, COUNT = 8 };
    char *at = k->reservations.device.memory;
    bool mixed = k->options->compute != LAB_F32;
    struct lab_adam x = {.param = at,
                         .master = mixed ? (float *)(at + APART) : NULL,
                         .m = (float *)(at + 2 * APART),
                         .v = (float *)(at + 3 * APART),
                         .grad = at + 4 * APART,
                         .n = COUNT,
                         .step = 1,
                         .grad_scale = 1};
    if (k->reservations.device.bytes < 5 * APART) return;
    k->device->row->adam(k->device, k->options->compute, k->options->compute, &x);
    k->device->row->add_squares(k->device, k->options->compute, at, COUNT);
}

static bool rehearse(struct lab_rank *k) {
    bool adds = k->options->accumulate > 1 && !k->stage->shards_grads;
    k->device->row->rehearse(k->device, true);
    pass(k, true);
    if (adds) pass(k, false);
    update(k);
    k->device->row->rehearse(k->device, false);
    (void)k->device->row->take_loss(k->device);
    (void)k->device->row->take_squares(k->device);
    return k->device->row->finish(k->device, &k->message);
}

/* Rank 0 chooses the algorithms for all ranks. It goes first, and the others have its choices when
 * they begin. */
bool lab_rehearse(struct lab_rank *k) {
    struct lab_comm *c = k->comm;
    size_t bytes = 0;
    if (k->options->dry || !k->device->row->rehearse) return true;
    bool chosen = k->device->row->choices && c->row->share && k->options->products == LAB_TIMED;
    if (!chosen) return rehearse(k);
    void *choices = k->device->row->choices(k->device, &bytes);
    if (c->rank == 0 && !rehearse(k)) return false;
    return c->row->share(c, choices, bytes, &k->message) && (c->rank == 0 || rehearse(k));
}
