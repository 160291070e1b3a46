/* A step: micro-steps, the loss of all ranks, the gradients' factor, the update. */
#include "lab/engine.h"

/* In rank order. Peers have read all that they will of this rank's parameters when its exchange returns, so they may change. */
static bool mean_loss(struct lab_rank *k, double *mean) {
    double loss = k->device->row->take_loss(k->device), sum = 0;
    double mine = loss / ((double)lab_rows(k) * k->options->accumulate);
    if (!k->comm->row->exchange(k->comm, mine, k->every, &k->message)) return false;
    for (uint32_t r = 0; r < k->split.ranks; r++) sum += k->every[r];
    *mean = sum / k->split.ranks;
    return true;
}

static void say_step(struct lab_rank *k, double loss, double scale, bool skipped) {
    double seconds = lab_seconds() - k->meter.started;
    struct lab_report r = {.says = LAB_SAYS_STEP, .rank = k->comm->rank, .where = k->ledger.where};
    r.as.step = (struct lab_says_step){.loss = loss,
                                       .seconds = seconds,
                                       .compute = seconds - k->meter.exposed,
                                       .comm = k->meter.comm,
                                       .exposed = k->meter.exposed,
                                       .skew = k->meter.skew,
                                       .scale = scale,
                                       .skipped = skipped};
    k->sink->say(k->sink->self, &r);
}

static bool settle(struct lab_rank *k) {
    return !k->comm->row->settle || k->comm->row->settle(k->comm, &k->message);
}

bool lab_step(struct lab_rank *k) {
    double loss = 0, scale = 1, scaled = k->scaler.scale;
    bool skip = false;
    k->meter = (struct lab_meter){.started = lab_seconds()};
    for (k->micro = 0; k->micro < k->options->accumulate; k->micro++)
        if (!lab_micro_step(k)) return false;
    lab_at(k, LAB_AT_UPDATE, -1);
    if (!mean_loss(k, &loss) || !lab_gradient_scale(k, &scale, &skip)) return false;
    lab_scaler_after(&k->scaler, skip);
    if (!skip && !lab_update(k, scale)) return false;
    if (!k->device->row->finish(k->device, &k->message) || !settle(k)) return false;
    say_step(k, loss, scaled, skip);
    k->loss = loss;
    return true;
}
