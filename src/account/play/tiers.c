/* Tiers with bytes that flow: one GPU whose optimizer states, and perhaps weights, lie in host
 * memory or on NVMe, through a step of its training (ZeRO-Offload, arXiv:2101.06840, section 3;
 * ZeRO-Infinity, arXiv:2104.07857, sections 4 and 5). Gradients go down beside backward, weights
 * that lie on the host come up beside each pass; the processor updates, and what it made comes up
 * with nothing beside it. Bytes are account_offload()'s, seconds those that account_clock() adds
 * up; a pass is cut in four equal parts. */
#include "account/memory/step.h"
#include "account/numbers/text.h"
#include "account/play/rows.h"
#include "account/play/steps.h"
#include "account/traffic/flows.h"

enum { OPTIMIZER, WEIGHTS, MICROS, OPTIONS };
enum { PARTS = 4, PASSES = 2 };

static const char *const places[] = {"host", "NVMe"};
static const char *const weights[] = {"GPU", "host"};

static const struct account_play_option options[] = {
    [OPTIMIZER] = {.name = "optimizer",
                   .help = "Where optimizer states are kept: host or NVMe",
                   .value = {ACCOUNT_HOST, ACCOUNT_NVME},
                   .values = 2,
                   .names = places},
    [WEIGHTS] = {.name = "weights",
                 .help = "Where 16-bit weights are kept: GPU or host",
                 .value = {ACCOUNT_GPU, ACCOUNT_HOST},
                 .values = 2,
                 .names = weights},
    [MICROS] = {.name = "micros",
                .help = "Another number of micro-batches in a step",
                .value = {1, 4, 16},
                .values = 3},
};

/* ── the training ──────────────────────────────────────────────────────────────────────────────*/
static struct account_training usual(void) {
    static const char *const fields[][2] = {
        {"model", "llama-2-13b"}, {"gpu", "a100-80g"}, {"stage", "2"},
        {"batch", "4"},           {"seq", "2048"},     {"checkpoint", "full"},
    };
    struct account_training t = account_training_default();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        account_set(&t, fields[i][0], fields[i][1], NULL);
    return t;
}

static struct account_training training_of(const struct account_playing *at) {
    struct account_training t = at->training.gpus ? at->training : usual();
    t.offload_optimizer = (uint8_t)options[OPTIMIZER].value[at->at[OPTIMIZER]];
    t.offload_params = (uint8_t)options[WEIGHTS].value[at->at[WEIGHTS]];
    t.accumulate = options[MICROS].value[at->at[MICROS]];
    if (t.offload_params != ACCOUNT_GPU || t.offload_optimizer == ACCOUNT_NVME) t.stage = 3;
    return t;
}

static bool read_rates(const struct account_resolved *is, struct account_tiers *w,
                       struct account_error *e) {
    const struct account_node *node = is->card ? account_node_of(is->card) : NULL;
    w->rate[ACCOUNT_GPU] = account_wires_of(is).host.rate;
    w->rate[ACCOUNT_HOST] = node ? node->nvme_rate : 0;
    if (is->mesh.world == 1 && w->rate[ACCOUNT_GPU] > 0 && w->rate[ACCOUNT_HOST] > 0) {
        w->holds[ACCOUNT_GPU] = account_card_bytes(is->card);
        w->holds[ACCOUNT_HOST] = node->host_bytes;
        w->holds[ACCOUNT_NVME] = node->nvme_bytes;
        return true;
    }
    return account_fail(e, 0,
                        "this play follows one GPU: choose a card whose node the catalogue has");
}

static bool read_clock(const struct account_resolved *is, struct account_tiers *w,
                       struct account_error *e) {
    struct account_traffic traffic;
    struct account_clock c;
    if (!account_clock_of(is, &traffic, &c, e)) return false;
    if (!c.has_compute)
        return account_fail(e, 0, "this play needs a model, a micro-batch and a sequence");
    w->micros = is->micro;
    w->forward = c.forward / w->micros;
    w->backward = c.backward / w->micros;
    w->update = c.update;
    w->step = c.step;
    return true;
}

static bool read_memory(const struct account_resolved *is, struct account_tiers *w,
                        struct account_error *e) {
    struct account_memory m;
    if (!account_memory_of(is, &m, e)) return false;
    for (int i = 0; i < ACCOUNT_PHASES; i++) w->gpu[i] = m.phase[i].ledger;
    w->gpu[ACCOUNT_INIT] = m.persistent;
    w->host = m.host;
    w->nvme = m.nvme;
    return true;
}

static void read_moves(const struct account_resolved *is, struct account_tiers_moves *out) {
    struct account_offload o = account_offload_of(is);
    *out = (struct account_tiers_moves){.grads_down = (uint64_t)o.grads_down,
                                        .last_down = (uint64_t)o.last_down,
                                        .sums_up = (uint64_t)o.sums_up,
                                        .updated_up = (uint64_t)o.updated_up,
                                        .gathered_up = (uint64_t)o.gathered_up,
                                        .windows = o.windows,
                                        .gathers = o.gathers};
}

/* ── where one stands ──────────────────────────────────────────────────────────────────────────*/
static uint32_t passes(const struct account_tiers *w) {
    return w->micros * PASSES * PARTS;
}

static void place(struct account_tiers *w, uint32_t frame) {
    uint32_t k = frame - 1;
    w->frame = frame;
    w->micro = w->part = 0;
    if (frame == 0)
        w->phase = ACCOUNT_TIERS_START;
    else if (k < passes(w)) {
        w->micro = k / (PASSES * PARTS);
        w->part = k % PARTS;
        w->phase = k / PARTS % PASSES ? ACCOUNT_TIERS_BACKWARD : ACCOUNT_TIERS_FORWARD;
    } else if (k == passes(w))
        w->phase = ACCOUNT_TIERS_UPDATE;
    else
        w->phase = frame + 1 < w->frames ? ACCOUNT_TIERS_RETURN : ACCOUNT_TIERS_END;
}

/* A part of what a pass moves, cut so that the parts add up to the whole. */
static uint64_t cut(uint64_t whole, uint32_t part, uint32_t parts) {
    account_sum all = whole;
    return (uint64_t)(all * (part + 1) / parts - all * part / parts);
}

static void move_pass(struct account_tiers *w, const struct account_tiers_moves *o) {
    bool backward = w->phase == ACCOUNT_TIERS_BACKWARD;
    uint32_t at = w->micro * PARTS + w->part, windows = o->windows ? o->windows : 1,
             first = w->micros - windows, all = windows * PARTS;
    uint64_t gathered = o->gathers > 1 || !backward ? o->gathered_up : 0;
    w->gathered = cut(gathered, 2 * at + backward, w->micros * PARTS * (o->gathers > 1 ? 2 : 1));
    w->up[ACCOUNT_GPU] = w->gathered;
    if (!backward || w->micro < first) return;
    at = (w->micro - first) * PARTS + w->part;
    w->down[ACCOUNT_GPU] = cut(o->grads_down, at, all);
    w->up[ACCOUNT_GPU] += cut(o->sums_up, at, all);
    if (w->micro + 1 == w->micros) w->down[ACCOUNT_GPU] += cut(o->last_down, w->part, PARTS);
}

static void move(struct account_tiers *w, const struct account_tiers_moves *o) {
    w->gathered = 0;
    for (int i = 0; i < ACCOUNT_TIERS; i++) w->down[i] = w->up[i] = 0;
    if (w->phase == ACCOUNT_TIERS_FORWARD || w->phase == ACCOUNT_TIERS_BACKWARD) move_pass(w, o);
    if (w->phase == ACCOUNT_TIERS_UPDATE) /* the optimizer reads and writes all that lies there */
        w->down[ACCOUNT_HOST] = w->up[ACCOUNT_HOST] = w->nvme.total;
    if (w->phase == ACCOUNT_TIERS_RETURN) w->up[ACCOUNT_GPU] = o->updated_up;
}

static double most(double a, double b) {
    return a > b ? a : b;
}

static double beyond(const struct account_tiers *w, uint64_t bytes) {
    return most(0, (double)bytes / w->rate[ACCOUNT_GPU] - w->computes);
}

/* Gradients go down, and sums come up, in turn; weights are gathered beside them. Each of the two
 * hides behind the computation. */
static void time_pass(struct account_tiers *w) {
    double all = w->phase == ACCOUNT_TIERS_FORWARD ? w->forward : w->backward;
    uint64_t grads = w->down[ACCOUNT_GPU] + w->up[ACCOUNT_GPU] - w->gathered;
    w->computes = all / PARTS;
    w->seconds = w->computes + beyond(w, grads) + beyond(w, w->gathered);
}

static void time_frame(struct account_tiers *w) {
    double disk = (double)(w->down[ACCOUNT_HOST] + w->up[ACCOUNT_HOST]) / w->rate[ACCOUNT_HOST];
    w->computes = w->seconds = 0;
    if (w->phase == ACCOUNT_TIERS_FORWARD || w->phase == ACCOUNT_TIERS_BACKWARD) time_pass(w);
    if (w->phase == ACCOUNT_TIERS_UPDATE) w->seconds = most(w->update, disk);
    if (w->phase == ACCOUNT_TIERS_RETURN)
        w->seconds = (double)w->up[ACCOUNT_GPU] / w->rate[ACCOUNT_GPU];
}

static void weigh(struct account_tiers *w) {
    static const enum account_phase phase[] = {
        [ACCOUNT_TIERS_START] = ACCOUNT_INIT,        [ACCOUNT_TIERS_FORWARD] = ACCOUNT_FORWARD,
        [ACCOUNT_TIERS_BACKWARD] = ACCOUNT_BACKWARD, [ACCOUNT_TIERS_UPDATE] = ACCOUNT_UPDATE,
        [ACCOUNT_TIERS_RETURN] = ACCOUNT_INIT,       [ACCOUNT_TIERS_END] = ACCOUNT_INIT,
    };
    w->keeps[ACCOUNT_GPU] = w->gpu[phase[w->phase]];
    w->keeps[ACCOUNT_HOST] = w->host;
    w->keeps[ACCOUNT_NVME] = w->nvme;
}

/* One frame on: what the frame before moved is added to what has been moved. */
bool account_tiers_next(struct account_tiers *w) {
    if (w->frame + 1 >= w->frames) return false;
    place(w, w->frame + 1);
    w->begins += w->seconds;
    move(w, &w->moves);
    time_frame(w);
    w->computed += w->computes;
    for (int i = 0; i < ACCOUNT_TIERS; i++) {
        w->moved_down[i] += w->down[i];
        w->moved_up[i] += w->up[i];
    }
    weigh(w);
    return true;
}

bool account_tiers(const struct account_playing *at, struct account_tiers *out,
                   struct account_error *e) {
    struct account_training t = training_of(at);
    struct account_resolved is;
    *out = (struct account_tiers){0};
    if (!account_resolve(&t, &is, e)) return false;
    if (!read_rates(&is, out, e) || !read_clock(&is, out, e) || !read_memory(&is, out, e))
        return false;
    read_moves(&is, &out->moves);
    out->frames = 1 + passes(out) + 1 + (out->moves.updated_up > 0) + 1;
    weigh(out);
    while (out->frame < at->frame && account_tiers_next(out)) continue;
    return true;
}

static bool check(const struct account_playing *at, struct account_error *e) {
    struct account_tiers w;
    return account_tiers(at, &w, e);
}

static uint32_t frames(const struct account_playing *at) {
    struct account_playing begin = *at;
    struct account_tiers w;
    begin.frame = 0;
    return account_tiers(&begin, &w, NULL) ? w.frames : 2;
}

/* ── what it says ──────────────────────────────────────────────────────────────────────────────*/
static void add_gb(struct account_text *t, uint64_t bytes) {
    account_add_value(t, (double)bytes, ACCOUNT_UNIT_GB, 3);
}

static void add_seconds(struct account_text *t, double seconds) {
    account_add_value(t, seconds, ACCOUNT_UNIT_SECONDS, 3);
}

static bool makes_wait(const struct account_tiers *w) {
    return w->seconds > w->computes * 1.001;
}

static void say_pass(const struct account_tiers *w, struct account_text *t) {
    bool backward = w->phase == ACCOUNT_TIERS_BACKWARD;
    uint64_t down = w->down[ACCOUNT_GPU], up = w->up[ACCOUNT_GPU];
    account_add(t, "%s, part %u of %u: ", backward ? "Backward" : "Forward", w->part + 1, PARTS);
    if (!down && !up) account_add(t, "nothing crosses the link");
    if (down) add_gb(t, down);
    if (down) account_add(t, " of gradients go down");
    if (down && up) account_add(t, ", ");
    if (up) add_gb(t, up);
    if (up)
        account_add(t, "%s %s", up == w->gathered ? " of weights" : "", down ? "up" : "come up");
    account_add(t, ".");
    if (makes_wait(w)) account_add(t, " The GPU waits for them.");
}

static void say_update(const struct account_tiers *w, struct account_text *t) {
    uint64_t disk = w->down[ACCOUNT_HOST] + w->up[ACCOUNT_HOST];
    account_add(t, "Update: ");
    if (disk) add_gb(t, disk);
    account_add(t, disk ? " pass to and from NVMe in " : "the processor runs the optimizer for ");
    add_seconds(t, w->seconds);
    account_add(t, ". The GPU waits.");
}

static void say_end(const struct account_tiers *w, struct account_text *t) {
    account_add(t, "The step took ");
    add_seconds(t, w->begins + w->seconds);
    account_add(t, ". The GPU computed for ");
    add_seconds(t, w->computed);
    account_add(t, " and waited ");
    account_add_fixed(t, 100 * (1 - w->computed / w->step), 0);
    account_add(t, "%% of the time.");
}

static void say(const struct account_tiers *w, struct account_text *t) {
    switch (w->phase) {
    case ACCOUNT_TIERS_START: account_add(t, "The step begins. No byte has crossed yet."); break;
    case ACCOUNT_TIERS_FORWARD:
    case ACCOUNT_TIERS_BACKWARD: say_pass(w, t); break;
    case ACCOUNT_TIERS_UPDATE: say_update(w, t); break;
    case ACCOUNT_TIERS_RETURN:
        add_gb(t, w->up[ACCOUNT_GPU]);
        account_add(t, " of new weights come up in ");
        add_seconds(t, w->seconds);
        account_add(t, ". The GPU waits.");
        break;
    case ACCOUNT_TIERS_END: say_end(w, t); break;
    }
}

static void add_place(const struct account_tiers *w, struct account_text *t) {
    static const char *const names[] = {"start",  "forward", "backward",
                                        "update", "return",  "the end"};
    account_add(t, "%s", names[w->phase]);
    if (w->micros > 1 && (w->phase == ACCOUNT_TIERS_FORWARD || w->phase == ACCOUNT_TIERS_BACKWARD))
        account_add(t, " %u of %u", w->micro + 1, w->micros);
}

/* Asked before the first backward: in how many of backward, update and return does the GPU wait? */
static uint32_t stop(const struct account_playing *at, uint32_t *answer) {
    struct account_playing begin = *at;
    struct account_tiers w;
    bool waits[ACCOUNT_TIERS_END + 1] = {false};
    uint32_t first = 0;
    *answer = 0;
    begin.frame = 0;
    if (!account_tiers(&begin, &w, NULL)) return 1;
    while (account_tiers_next(&w)) {
        if (!first && w.phase == ACCOUNT_TIERS_BACKWARD) first = w.frame;
        waits[w.phase] |= makes_wait(&w);
    }
    for (int phase = ACCOUNT_TIERS_BACKWARD; phase <= ACCOUNT_TIERS_RETURN; phase++)
        *answer += waits[phase];
    return first;
}

static const char *const moments[] = {"start",  "forward", "backward", "update",
                                      "return", "finish",  NULL};

/* Micro-batches after the first and before the last are like the first. */
static void frame(const struct account_playing *at, struct account_play_frame *out) {
    struct account_tiers w;
    struct account_text says = account_text(out->says, sizeof out->says),
                        where = account_text(out->place, sizeof out->place);
    account_tiers(at, &w, NULL);
    out->moment = moments[w.phase];
    out->passing = w.micro > 0 && w.micro + 1 < w.micros;
    out->ms = out->passing ? 60 : 900;
    add_place(&w, &where);
    say(&w, &says);
}

const struct account_play account_play_tiers = {
    .name = "tiers",
    .title = "tiers",
    .moments = moments,
    .longest = 77,
    .options = OPTIONS,
    .option = options,
    .check = check,
    .frames = frames,
    .frame = frame,
    .stop = stop,
    .training = training_of,
};
