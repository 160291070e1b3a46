/* The loss on what is not trained on: a forward pass beside the run, whose times and bytes are not the run's. */
#include "lab/engine.h"

static bool is_due(const struct lab_rank *k) {
    uint32_t every = k->options->evaluate;
    return every && !k->options->dry && k->step % every == 0;
}
static bool settle(struct lab_rank *k) {
    return !k->comm->row->settle || k->comm->row->settle(k->comm, &k->message);
}
static bool mean_loss(struct lab_rank *k, double *mean) {
    double mine = k->device->row->take_loss(k->device) / (double)lab_rows(k), sum = 0;
    if (!k->comm->row->exchange(k->comm, mine, k->every, &k->message)) return false;
    for (uint32_t r = 0; r < k->split.ranks; r++) sum += k->every[r];
    *mean = sum / k->split.ranks;
    return true;
}
static void say(struct lab_rank *k, double loss) {
    struct lab_report r = {
        .says = LAB_SAYS_EVALUATION, .rank = k->comm->rank, .where = k->ledger.where};
    r.as.evaluation.loss = loss;
    if (k->comm->rank == 0) k->sink->say(k->sink->self, &r);
}

bool lab_evaluate(struct lab_rank *k) {
    struct lab_comm *c = k->comm;
    uint64_t sent[LAB_COLLECTIVES], control = c->control;
    double loss = 0;
    if (!is_due(k)) return true;
    memcpy(sent, c->sent, sizeof sent);
    c->watch = NULL;
    bool well = lab_forward_only(k) && mean_loss(k, &loss) &&
                k->device->row->finish(k->device, &k->message) && settle(k);
    c->watch = lab_watch;
    memcpy(c->sent, sent, sizeof sent);
    c->control = control;
    if (well) say(k, loss);
    return well;
}
