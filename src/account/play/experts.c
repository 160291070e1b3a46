/* The play of tokens that travel to their experts: the router chooses, an all-to-all takes each
 * token to the ranks that have its experts, these compute, another all-to-all brings the results
 * back. The routing is a toy's; bytes of a copy are those of account_traffic(). */
#include "account/numbers/text.h"
#include "account/play/layers.h"
#include "account/play/rows.h"
#include "account/traffic/traffic.h"

enum { RANKS, ROUTING, OPTIONS };
enum { TOKENS = ACCOUNT_EXPERT_TOKENS, MIX_TOKEN = 5, MIX_RANK = 3 };

static const char *const routings[] = {"even", "skewed"};

static const struct account_play_option options[] = {
    [RANKS] = {.name = "ranks",
               .help = "Another number of ranks that divide the experts",
               .value = {2, 4, 8},
               .values = 3,
               .usual = 1},
    [ROUTING] = {.name = "routing",
                 .help = "The router divides tokens evenly, or prefers some experts",
                 .value = {0, 1},
                 .values = 2,
                 .names = routings},
};

/* ── the training ──────────────────────────────────────────────────────────────────────────────*/
static struct account_training usual(void) {
    static const char *const fields[][2] = {
        {"model", "mixtral-8x7b"}, {"gpu", "a100-80g"}, {"batch", "1"}, {"seq", "4096"}};
    struct account_training t = account_training_default();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        account_set(&t, fields[i][0], fields[i][1], NULL);
    return t;
}

static struct account_training training_of(const struct account_playing *at) {
    struct account_training t = at->training.gpus ? at->training : usual();
    t.gpus = t.ep = options[RANKS].value[at->at[RANKS]];
    t.gpus_per_node = 0;
    t.tp = t.pp = t.cp = t.accumulate = 1;
    t.sp = false;
    t.stage = 0;
    return t;
}

static bool read_traffic(const struct account_training *t, struct account_experts *w,
                         struct account_error *e) {
    struct account_traffic traffic;
    if (!account_traffic(t, &traffic, e)) return false;
    for (size_t i = 0; i < traffic.collectives; i++) {
        const struct account_collective *c = &traffic.collective[i];
        if (!account_same(c->group, "expert")) continue;
        double crosses = TOKENS * (double)w->choices * (w->ranks - 1) / w->ranks;
        w->copy = (double)c->sent / c->calls / crosses;
    }
    return w->copy > 0 || account_fail(e, 0, "this play needs a micro-batch and a sequence");
}

static bool read_choices(const struct account_training *t, struct account_experts *w,
                         struct account_error *e) {
    w->choices = t->shape.experts ? t->shape.experts_active : 0;
    if (w->choices >= 1 && w->choices <= ACCOUNT_EXPERT_CHOICES) return true;
    return account_fail(e, 0,
                        "this play needs a model whose tokens go to 1 or 2 experts each, as "
                        "mixtral-8x7b's do");
}

/* ── the routing ───────────────────────────────────────────────────────────────────────────────*/
/* Evenly: as many copies of each rank for each rank. Skewed: every second token prefers rank 0,
 * with both of its experts if `several` of them are on a rank. */
static void route(struct account_experts *w, bool several) {
    for (uint32_t r = 0; r < w->ranks; r++)
        for (uint32_t t = 0; t < TOKENS; t++) {
            uint32_t first = (t * MIX_TOKEN + r * MIX_RANK) % w->ranks,
                     second = (first + w->ranks / 2) % w->ranks;
            if (w->skewed && t % 2 == 0) {
                if (second == 0 && !several) second = first;
                first = 0;
            }
            w->to[r][t][0] = (uint8_t)first;
            w->to[r][t][1] = (uint8_t)second;
            for (uint32_t k = 0; k < w->choices; k++) w->computes[w->to[r][t][k]]++;
        }
    for (uint32_t r = 0; r < w->ranks; r++)
        if (w->computes[r] > w->most) w->most = w->computes[r];
    w->even = TOKENS * w->choices;
}

/* ── where one stands ──────────────────────────────────────────────────────────────────────────*/
static void place(struct account_experts *w, uint32_t frame) {
    uint32_t hops = w->ranks - 1, computes = 2 + hops;
    w->frame = frame;
    if (frame < 2)
        w->phase = frame ? ACCOUNT_EXPERTS_ROUTE : ACCOUNT_EXPERTS_START;
    else if (frame < computes) {
        w->phase = ACCOUNT_EXPERTS_SEND;
        w->hop = frame - 1;
    } else if (frame == computes)
        w->phase = ACCOUNT_EXPERTS_COMPUTE;
    else if (frame <= computes + hops) {
        w->phase = ACCOUNT_EXPERTS_RETURN;
        w->hop = frame - computes;
    } else
        w->phase = ACCOUNT_EXPERTS_END;
}

static uint32_t distance(const struct account_experts *w, uint32_t from, uint32_t to) {
    return (to + w->ranks - from) % w->ranks;
}

/* The way back is the way there: in hop h come the results of what hop h took. */
enum account_copy_state account_experts_copy(const struct account_experts *w, uint32_t rank,
                                             uint32_t token, uint32_t choice) {
    uint32_t hop = distance(w, rank, w->to[rank][token][choice]);
    switch (w->phase) {
    case ACCOUNT_EXPERTS_START: break;
    case ACCOUNT_EXPERTS_ROUTE: return hop ? ACCOUNT_COPY_HOME : ACCOUNT_COPY_AWAY;
    case ACCOUNT_EXPERTS_SEND:
        return hop == 0 || hop < w->hop ? ACCOUNT_COPY_AWAY
               : hop == w->hop          ? ACCOUNT_COPY_ARRIVES
                                        : ACCOUNT_COPY_HOME;
    case ACCOUNT_EXPERTS_COMPUTE: return ACCOUNT_COPY_AWAY;
    case ACCOUNT_EXPERTS_RETURN:
        return hop < w->hop    ? ACCOUNT_COPY_BACK
               : hop == w->hop ? ACCOUNT_COPY_ARRIVES
                               : ACCOUNT_COPY_AWAY;
    case ACCOUNT_EXPERTS_END: return ACCOUNT_COPY_BACK;
    }
    return ACCOUNT_COPY_HOME;
}

/* A copy is sent by its own rank, and its result by the expert's. */
static void count(struct account_experts *w) {
    bool back = w->phase >= ACCOUNT_EXPERTS_RETURN;
    uint32_t sent = w->phase == ACCOUNT_EXPERTS_SEND  ? w->hop
                    : w->phase > ACCOUNT_EXPERTS_SEND ? w->ranks - 1
                                                      : 0,
             returned = !back                             ? 0
                        : w->phase == ACCOUNT_EXPERTS_END ? w->ranks - 1
                                                          : w->hop;
    for (uint32_t r = 0; r < w->ranks; r++)
        for (uint32_t t = 0; t < TOKENS; t++)
            for (uint32_t k = 0; k < w->choices; k++) {
                uint32_t to = w->to[r][t][k], hop = distance(w, r, to);
                w->sent[r] += hop > 0 && hop <= sent;
                w->sent[to] += hop > 0 && hop <= returned;
            }
}

bool account_experts(const struct account_playing *at, struct account_experts *out,
                     struct account_error *e) {
    struct account_training t = training_of(at);
    *out = (struct account_experts){.ranks = t.ep, .skewed = at->at[ROUTING] > 0};
    if (!read_choices(&t, out, e) || !read_traffic(&t, out, e)) return false;
    route(out, t.shape.experts > out->ranks);
    out->frames = 2 + (out->ranks - 1) + 1 + (out->ranks - 1) + 1;
    place(out, at->frame < out->frames ? at->frame : out->frames - 1);
    count(out);
    return true;
}

static bool check(const struct account_playing *at, struct account_error *e) {
    struct account_experts w;
    return account_experts(at, &w, e);
}

static uint32_t frames(const struct account_playing *at) {
    struct account_experts w;
    return account_experts(at, &w, NULL) ? w.frames : 2;
}

/* ── what it says ──────────────────────────────────────────────────────────────────────────────*/
static void say_hop(const struct account_experts *w, struct account_text *t) {
    bool back = w->phase == ACCOUNT_EXPERTS_RETURN;
    if (w->hop > 1)
        account_add(t, "Hop %u: each rank sends to the rank %u %s.", w->hop, w->hop,
                    back ? "before it" : "after it");
    else if (back)
        account_add(t, "The second all-to-all, hop 1: each rank returns results to the rank before "
                       "it.");
    else
        account_add(t, "The all-to-all, hop 1: each rank sends the next one the tokens for its "
                       "experts.");
}

static void say_compute(const struct account_experts *w, struct account_text *t) {
    uint32_t least = w->most, rank = 0;
    for (uint32_t r = 0; r < w->ranks; r++) {
        if (w->computes[r] < least) least = w->computes[r];
        if (w->computes[rank] < w->computes[r]) rank = r;
    }
    if (least == w->most)
        account_add(t, "The experts compute. Each rank has %u copies, so no rank waits.", least);
    else
        account_add(t,
                    "The experts compute. Rank %u has %u copies, another only %u: all wait for "
                    "rank %u.",
                    rank, w->most, least, rank);
}

static uint32_t busiest(const struct account_experts *w) {
    uint32_t rank = 0;
    for (uint32_t r = 0; r < w->ranks; r++)
        if (w->sent[r] > w->sent[rank]) rank = r;
    return rank;
}

/* Of two ranks each sends what the other one gets, so a favourite there changes no bytes. */
static bool send_alike(const struct account_experts *w) {
    for (uint32_t r = 1; r < w->ranks; r++)
        if (w->sent[r] != w->sent[0]) return false;
    return true;
}

static void say_end(const struct account_experts *w, struct account_text *t) {
    uint32_t rank = busiest(w);
    bool alike = send_alike(w);
    account_add(t, "Each rank adds up its tokens' results. ");
    if (!alike)
        account_add(t, "Rank %u sent most: ", rank);
    else
        account_add(t, "It sent ");
    account_add_bytes(t, w->sent[rank] * w->copy);
    account_add(t, alike ? " in two all-to-alls. Backward sends as much again." : ".");
}

static void say(const struct account_experts *w, struct account_text *t) {
    switch (w->phase) {
    case ACCOUNT_EXPERTS_START:
        account_add(t, "%u ranks have their own tokens, and 1/%u of the layer's experts each.",
                    w->ranks, w->ranks);
        break;
    case ACCOUNT_EXPERTS_ROUTE:
        account_add(
            t, "The router chooses %s for each token. The digits are the ranks that have them.",
            w->choices > 1 ? "two experts" : "one expert");
        break;
    case ACCOUNT_EXPERTS_SEND:
    case ACCOUNT_EXPERTS_RETURN: say_hop(w, t); break;
    case ACCOUNT_EXPERTS_COMPUTE: say_compute(w, t); break;
    case ACCOUNT_EXPERTS_END: say_end(w, t); break;
    }
}

static const char *const moments[] = {"start",  "route",  "send", "compute",
                                      "return", "finish", NULL};

static void frame(const struct account_playing *at, struct account_play_frame *out) {
    static const char *const places[] = {"start", "router", "", "experts", "", "the end"};
    struct account_experts w;
    struct account_text says = account_text(out->says, sizeof out->says),
                        where = account_text(out->place, sizeof out->place);
    account_experts(at, &w, NULL);
    out->moment = moments[w.phase];
    out->ms = w.hop ? 700 : 1200;
    if (w.hop)
        account_add(&where, "hop %u of %u%s", w.hop, w.ranks - 1,
                    w.phase == ACCOUNT_EXPERTS_RETURN ? ", back" : "");
    else
        account_add(&where, "%s", places[w.phase]);
    say(&w, &says);
}

/* How many hops an all-to-all takes: its last. */
static uint32_t stop(const struct account_playing *at, uint32_t *answer) {
    *answer = options[RANKS].value[at->at[RANKS]] - 1;
    return 2;
}

const struct account_play account_play_experts = {
    .name = "experts",
    .title = "tokens to experts and back",
    .moments = moments,
    .longest = 104,
    .options = OPTIONS,
    .option = options,
    .check = check,
    .frames = frames,
    .frame = frame,
    .stop = stop,
};
