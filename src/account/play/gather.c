/* Gather, use, free: stage 3 unit by unit, through forward and back (ZeRO, arXiv:1910.02054,
 * section 5.3; PyTorch FSDP, arXiv:2304.11277, sections 3 and 4.1). A unit is gathered, used, and
 * freed; `prefetch` blocks more arrive meanwhile. The last unit is not freed at the turn. In
 * backward a unit's gradient is whole until it is reduced. */
#include "account/memory/step.h"
#include "account/numbers/text.h"
#include "account/play/rows.h"

enum { PREFETCH, KEEP, OPTIONS };
enum { EMBEDDING, BLOCK, HEAD, KINDS, FEW = 3 };

static const char *const kept[] = {"off", "on"};

static const struct account_play_option options[] = {
    [PREFETCH] = {.name = "prefetch",
                  .help = "Units that are gathered ahead",
                  .value = {0, 1, 2},
                  .values = 3,
                  .usual = 1},
    [KEEP] = {.name = "keep",
              .help = "Keep what forward gathered until backward has used it",
              .value = {0, 1},
              .values = 2,
              .names = kept},
};

static struct account_training training_of(const struct account_playing *at) {
    struct account_training t = at->training;
    if (t.gpus == 0) {
        t = account_training_default();
        account_set(&t, "model", "llama-2-7b", NULL);
        t.gpus = 8;
    }
    t.stage = 3;
    t.prefetch = options[PREFETCH].value[at->at[PREFETCH]];
    return t;
}

/* ── units ─────────────────────────────────────────────────────────────────────────────────────*/

/* Of the first unit, of every block, of the last unit. */
static bool read_units(const struct account_training *t, struct account_gathering *w,
                       struct account_error *e) {
    struct account_resolved is;
    struct account_share share;
    if (!account_resolve(t, &is, e)) return false;
    account_share(&is, 0, ACCOUNT_DENSE, ACCOUNT_PAD_UNIT, &share);
    if (share.parts < KINDS || share.part[BLOCK].times < 2 || is.mesh.world < 2)
        return account_fail(e, 0,
                            "this play needs a model of embeddings, blocks and a head, and "
                            "two GPUs");
    for (size_t i = 0; i < share.parts; i++) { /* norm and head are one unit here */
        w->elements[i < HEAD ? i : HEAD] += share.part[i].elements;
        w->whole += share.part[i].elements * share.part[i].times * is.bytes[ACCOUNT_AS_HALF];
    }
    w->units = share.part[BLOCK].times + 2;
    w->ranks = is.sheet.ranks;
    w->element = is.bytes[ACCOUNT_AS_HALF];
    return true;
}

static int kind_of(const struct account_gathering *w, uint32_t unit) {
    return unit == 0 ? EMBEDDING : unit + 1 == w->units ? HEAD : BLOCK;
}

uint64_t account_gathering_unit_bytes(const struct account_gathering *w, uint32_t unit) {
    return w->elements[kind_of(w, unit)] * w->element;
}

/* ── the schedule ──────────────────────────────────────────────────────────────────────────────*/

/* Without prefetch every unit is waited for before it computes, else the first alone. The head is
 * there when backward begins. */
static uint32_t forward_frames(const struct account_gathering *w) {
    return w->prefetch ? w->units + 1 : 2 * w->units;
}

static uint32_t backward_frames(const struct account_gathering *w) {
    return w->prefetch || w->keep ? w->units : 2 * w->units - 1;
}

static void place_forward(struct account_gathering *w, uint32_t f) {
    w->waits = w->prefetch ? f == 0 : f % 2 == 0;
    w->unit = w->prefetch ? (f ? f - 1 : 0) : f / 2;
}

static void place_backward(struct account_gathering *w, uint32_t f) {
    bool each = !w->prefetch && !w->keep;
    w->backward = true;
    w->waits = each && f % 2 == 1;
    w->unit = w->units - 1 - (each ? (f + 1) / 2 : f);
}

static void place(struct account_gathering *w, uint32_t frame) {
    uint32_t forward = forward_frames(w);
    w->frame = frame;
    w->waits = w->backward = w->over = false;
    if (frame < forward)
        place_forward(w, frame);
    else if (frame < forward + backward_frames(w))
        place_backward(w, frame - forward);
    else
        w->over = w->backward = true;
    if (w->over) w->unit = 0;
}

enum account_shard_unit_state account_gathering_unit(const struct account_gathering *w,
                                                     uint32_t unit) {
    uint32_t here = w->unit;
    if (w->over) return ACCOUNT_SHARD_UNIT_SHARDED;
    if (unit == here) return w->waits ? ACCOUNT_SHARD_UNIT_ARRIVES : ACCOUNT_SHARD_UNIT_COMPUTES;
    uint32_t ahead = w->backward ? here - unit : unit - here;
    bool before = w->backward ? unit > here : unit < here;
    if (!before) {
        if (w->keep && w->backward) return ACCOUNT_SHARD_UNIT_KEPT;
        return !w->waits && ahead <= w->prefetch ? ACCOUNT_SHARD_UNIT_ARRIVES
                                                 : ACCOUNT_SHARD_UNIT_SHARDED;
    }
    if (w->keep && !w->backward) return ACCOUNT_SHARD_UNIT_KEPT;
    bool next = w->backward ? unit == here + 1 : unit + 1 == here;
    return next && !w->waits ? ACCOUNT_SHARD_UNIT_FREED : ACCOUNT_SHARD_UNIT_SHARDED;
}

static bool is_whole(enum account_shard_unit_state s) {
    return s == ACCOUNT_SHARD_UNIT_ARRIVES || s == ACCOUNT_SHARD_UNIT_COMPUTES ||
           s == ACCOUNT_SHARD_UNIT_KEPT;
}

static void weigh(struct account_gathering *w) {
    w->gathered = w->gradient = 0;
    for (uint32_t u = 0; u < w->units; u++)
        if (is_whole(account_gathering_unit(w, u)))
            w->gathered += account_gathering_unit_bytes(w, u);
    if (w->backward && !w->over && !w->waits)
        w->gradient = account_gathering_unit_bytes(w, w->unit);
}

struct account_gathering account_gathering_at(const struct account_gathering *w, uint32_t frame) {
    struct account_gathering then = *w;
    place(&then, frame);
    weigh(&then);
    return then;
}

bool account_gathering(const struct account_playing *at, struct account_gathering *out,
                       struct account_error *e) {
    struct account_training t = training_of(at);
    *out = (struct account_gathering){.prefetch = t.prefetch,
                                      .keep = options[KEEP].value[at->at[KEEP]]};
    if (!read_units(&t, out, e)) return false;
    out->frames = forward_frames(out) + backward_frames(out) + 1;
    *out = account_gathering_at(out, at->frame < out->frames ? at->frame : out->frames - 1);
    return true;
}

static bool check(const struct account_playing *at, struct account_error *e) {
    struct account_gathering w;
    return account_gathering(at, &w, e);
}

static uint32_t frames(const struct account_playing *at) {
    struct account_gathering w;
    return account_gathering(at, &w, NULL) ? w.frames : 2;
}

/* ── what it says ──────────────────────────────────────────────────────────────────────────────*/

const char *account_gathering_name(const struct account_gathering *w, uint32_t unit, char *out,
                                   size_t size) {
    struct account_text t = account_text(out, size);
    if (unit == 0)
        account_add(&t, "embeddings");
    else if (unit + 1 == w->units)
        account_add(&t, "norm, head");
    else
        account_add(&t, "block %u", unit - 1);
    return out;
}

static bool is_turn(const struct account_gathering *w) {
    return w->backward && !w->over && w->unit + 1 == w->units;
}

static const char *moment(const struct account_gathering *w) {
    if (w->frame == 0) return "start";
    if (w->over) return "finish";
    if (is_turn(w)) return "turn";
    return w->backward ? "backward" : "forward";
}

static void say(const struct account_gathering *w, struct account_text *t) {
    char name[24];
    account_gathering_name(w, w->unit, name, sizeof name);
    if (w->frame == 0)
        account_add(t, "Forward. Nothing computes before the first gather: this wait is exposed.");
    else if (w->over)
        account_add(t, "Backward is over. Every rank holds only its shards again.");
    else if (is_turn(w))
        account_add(t, "The turn. The head has computed forward; backward starts with it.");
    else if (w->waits)
        account_add(t, "%s. Nothing computes: the GPU waits for the gather of %s.",
                    w->backward ? "Backward" : "Forward", name);
    else if (w->backward)
        account_add(t, "Backward. The rank computes %s and holds its whole gradient.", name);
    else
        account_add(t, "Forward. The rank computes %s.", name);
}

/* The blocks in the middle are all alike. */
static bool is_middle(const struct account_gathering *w) {
    return !w->over && w->frame > 0 && w->unit > FEW && w->unit + FEW < w->units;
}

static void frame(const struct account_playing *at, struct account_play_frame *out) {
    struct account_gathering w;
    struct account_text says = account_text(out->says, sizeof out->says),
                        place_text = account_text(out->place, sizeof out->place);
    account_gathering(at, &w, NULL);
    out->moment = moment(&w);
    out->passing = is_middle(&w);
    out->ms = out->passing ? 80 : 700;
    account_add(&place_text, w.over ? "the end" : w.backward ? "backward" : "forward");
    say(&w, &says);
}

/* Asked when the second unit computes next: how many units are gathered then, or arriving? */
static uint32_t stop(const struct account_playing *at, uint32_t *answer) {
    struct account_gathering w;
    *answer = 0;
    if (!account_gathering(at, &w, NULL)) return 1;
    for (w = account_gathering_at(&w, 0); w.unit == 0 || w.waits;)
        w = account_gathering_at(&w, w.frame + 1);
    for (uint32_t u = 0; u < w.units; u++) *answer += is_whole(account_gathering_unit(&w, u));
    return w.frame;
}

static const char *const moments[] = {"start", "forward", "turn", "backward", "finish", NULL};

const struct account_play account_play_gather_use_free = {
    .name = "gather-use-free",
    .title = "gather, use, free",
    .moments = moments,
    .longest = 72,
    .options = OPTIONS,
    .option = options,
    .check = check,
    .frames = frames,
    .frame = frame,
    .stop = stop,
};
