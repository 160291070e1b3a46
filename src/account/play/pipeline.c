/* A pipeline's schedule: stages that hold a part of the layers each, micro-batches that pass
 * through them and back. A forward of a piece takes one slot, its backward two; sending takes none.
 *
 *   gpipe        all forwards, then all backwards (Huang et al., GPipe, arXiv:1811.06965, section
 *                2.3; drawn as in Narayanan et al., arXiv:2104.04473, figure 3)
 *   1f1b         stage i runs p − 1 − i forwards ahead, then one forward and one backward in turn
 *                (PipeDream-Flush: Narayanan et al., arXiv:2006.09503; arXiv:2104.04473, figure 4)
 *   interleaved  the same with two pieces of the model on each stage, micro-batches in groups of p
 *                (arXiv:2104.04473, section 2.2; NVIDIA/Megatron-LM, core/pipeline_parallel/
 *                schedules.py)
 *
 * Each stage has its work in a fixed order; it begins with the next as soon as it is free and what
 * the work needs has been computed elsewhere. */
#include "account/numbers/text.h"
#include "account/play/rows.h"
#include "account/play/steps.h"

#include <string.h>

enum { SCHEDULE, STAGES, MICROS, OPTIONS };
enum { FORWARD_SLOTS = 1, BACKWARD_SLOTS = 2, EACH = FORWARD_SLOTS + BACKWARD_SLOTS };
enum { MOST_WORK = 2 * ACCOUNT_PIPELINE_MICROS * ACCOUNT_PIPELINE_PIECES };

static const char *const schedules[] = {"gpipe", "1f1b", "interleaved"};

static const struct account_play_option options[] = {
    [SCHEDULE] = {.name = "schedule",
                  .keys = "d D",
                  .help = "Another schedule: GPipe, 1F1B or interleaved 1F1B",
                  .value = {ACCOUNT_GPIPE, ACCOUNT_1F1B, ACCOUNT_INTERLEAVED},
                  .values = 3,
                  .names = schedules},
    [STAGES] = {.name = "stages",
                .keys = "x X",
                .help = "More or fewer pipeline stages",
                .value = {2, 4, 8},
                .values = 3,
                .usual = 1},
    [MICROS] = {.name = "micros",
                .keys = "m M",
                .help = "More or fewer micro-batches in a step",
                .value = {1, 2, 4, 8, 16},
                .values = 5,
                .usual = 3},
};

/* ── the order on each stage ───────────────────────────────────────────────────────────────────*/
struct work {
    /* both from 0 */
    uint8_t micro, piece;
    bool backward;
};
struct order {
    struct work work[MOST_WORK];
    uint32_t count;
};

/* The k-th forward, or backward, of a stage: micro-batches in groups of p, piece by piece. */
static struct work nth(const struct account_pipeline *s, uint32_t k, bool backward) {
    uint32_t group = s->stages * s->pieces;
    if (s->pieces == 1) return (struct work){(uint8_t)k, 0, backward};
    uint32_t piece = k % group / s->stages;
    return (struct work){(uint8_t)(k / group * s->stages + k % s->stages),
                         (uint8_t)(backward ? s->pieces - 1 - piece : piece), backward};
}

/* Forwards that a stage runs before its first backward, at most. */
static uint32_t ahead(const struct account_pipeline *s, uint32_t stage) {
    uint32_t all = s->micros * s->pieces, behind = s->stages - 1 - stage, n = behind;
    if (s->schedule == ACCOUNT_GPIPE) return all;
    if (s->pieces > 1) n = 2 * behind + (s->pieces - 1) * s->stages;
    return n < all ? n : all;
}

static void order_stage(const struct account_pipeline *s, uint32_t stage, struct order *o) {
    uint32_t all = s->micros * s->pieces, forward = 0, backward = 0;
    o->count = 0;
    while (forward < ahead(s, stage)) o->work[o->count++] = nth(s, forward++, false);
    while (backward < all) {
        if (forward < all) o->work[o->count++] = nth(s, forward++, false);
        o->work[o->count++] = nth(s, backward++, true);
    }
}

/* ── slot by slot ──────────────────────────────────────────────────────────────────────────────*/
struct run {
    struct account_pipeline *s;
    struct order order[ACCOUNT_PIPELINE_STAGES];
    uint32_t next[ACCOUNT_PIPELINE_STAGES], free_at[ACCOUNT_PIPELINE_STAGES];
    /* The slot in which a work has been done, 0: not yet. [stage][piece][micro][backward] */
    uint16_t done[ACCOUNT_PIPELINE_STAGES][ACCOUNT_PIPELINE_PIECES][ACCOUNT_PIPELINE_MICROS][2];
};

/* Forward needs what comes from the stage before, backward from the stage behind. From a piece to
 * the next it goes round; at the very end it turns. */
static bool is_ready(const struct run *r, uint32_t stage, const struct work *w, uint32_t slot) {
    uint32_t last = r->s->stages - 1, from = w->backward ? stage + 1 : stage - 1, piece = w->piece;
    bool backward = w->backward;
    if (!backward && stage == 0) {
        if (piece == 0) return true;
        from = last;
        piece--;
    } else if (backward && stage == last) {
        bool turns = piece + 1u == r->s->pieces;
        from = turns ? last : 0;
        backward = !turns;
        piece += !turns;
    }
    uint16_t done = r->done[from][piece][w->micro][backward];
    return done > 0 && done <= slot;
}

static void start(struct run *r, uint32_t stage, uint32_t slot) {
    const struct work *w = &r->order[stage].work[r->next[stage]++];
    uint32_t slots = w->backward ? BACKWARD_SLOTS : FORWARD_SLOTS;
    for (uint32_t i = 0; i < slots; i++)
        r->s->cell[stage][slot + i] = (struct account_slot){.micro = (uint8_t)(w->micro + 1),
                                                            .piece = w->piece,
                                                            .backward = w->backward,
                                                            .begins = i == 0};
    r->free_at[stage] = slot + slots;
    r->done[stage][w->piece][w->micro][w->backward] = (uint16_t)(slot + slots);
    if (r->s->slots < slot + slots) r->s->slots = slot + slots;
}

/* False when all work has been given out. */
static bool run_slot(struct run *r, uint32_t slot) {
    bool left = false;
    for (uint32_t i = 0; i < r->s->stages; i++) {
        bool more = r->next[i] < r->order[i].count;
        if (more && r->free_at[i] <= slot && is_ready(r, i, &r->order[i].work[r->next[i]], slot))
            start(r, i, slot);
        left |= more;
    }
    return left;
}

static void lay_slots(struct account_pipeline *s) {
    struct run r = {.s = s};
    for (uint32_t i = 0; i < s->stages; i++) order_stage(s, i, &r.order[i]);
    for (uint32_t slot = 0; slot + 1 < ACCOUNT_PIPELINE_SLOTS && run_slot(&r, slot); slot++)
        continue;
}

/* ── what is there in a frame ──────────────────────────────────────────────────────────────────*/
static bool ends(const struct account_pipeline *s, uint32_t stage, uint32_t slot) {
    const struct account_slot *c = &s->cell[stage][slot];
    return c->backward && (slot + 1 == s->slots || !s->cell[stage][slot + 1].backward ||
                           s->cell[stage][slot + 1].begins);
}

/* What a forward leaves stays until its backward is over. */
static void count_stage(struct account_pipeline *s, uint32_t stage, uint32_t end) {
    uint32_t kept = 0;
    for (uint32_t slot = 0; slot < end; slot++) {
        const struct account_slot *c = &s->cell[stage][slot];
        kept += c->begins && !c->backward;
        s->idle += c->micro == 0;
        s->in_flight[stage] = kept;
        if (kept > s->most[stage]) s->most[stage] = kept;
        kept -= ends(s, stage, slot);
    }
    if (end == s->slots) s->in_flight[stage] = kept;
}

void account_pipeline(const struct account_playing *at, struct account_pipeline *out) {
    *out = (struct account_pipeline){
        .schedule = (enum account_pipeline_schedule)options[SCHEDULE].value[at->at[SCHEDULE]],
        .stages = options[STAGES].value[at->at[STAGES]],
        .micros = options[MICROS].value[at->at[MICROS]],
        .pieces = 1};
    if (out->schedule == ACCOUNT_INTERLEAVED) out->pieces = ACCOUNT_PIPELINE_PIECES;
    lay_slots(out);
    out->frames = out->slots + 2;
    out->frame = at->frame < out->frames ? at->frame : out->frames - 1;
    out->over = out->frame > out->slots;
    uint32_t end = out->over ? out->slots : out->frame;
    for (uint32_t i = 0; i < out->stages; i++) count_stage(out, i, end);
}

double account_pipeline_bubble(const struct account_pipeline *s) {
    double all = (double)s->stages * s->slots;
    return s->slots ? (all - (double)EACH * s->micros * s->pieces * s->stages) / all : 0;
}

static bool check(const struct account_playing *at, struct account_error *e) {
    uint32_t stages = options[STAGES].value[at->at[STAGES]],
             micros = options[MICROS].value[at->at[MICROS]];
    if (options[SCHEDULE].value[at->at[SCHEDULE]] != ACCOUNT_INTERLEAVED || micros % stages == 0)
        return true;
    return account_fail(e, 0,
                        "Interleaving sends micro-batches in groups of %u, one per stage, so their "
                        "number must be a multiple of %u",
                        stages, stages);
}

static uint32_t frames(const struct account_playing *at) {
    struct account_pipeline s;
    account_pipeline(at, &s);
    return s.frames;
}

/* ── what it says ──────────────────────────────────────────────────────────────────────────────*/
struct tally {
    uint32_t forward, backward, idle;
    /* Stages that have had work; that have work left, this slot's included. */
    uint32_t begun, left;
    /* some work begins in this slot */
    bool starts;
};

static void tally_stage(const struct account_pipeline *s, uint32_t stage, struct tally *t) {
    uint32_t now = s->frame - 1;
    const struct account_slot *c = &s->cell[stage][now];
    bool begun = false, left = false;
    for (uint32_t slot = 0; slot < s->slots; slot++) {
        bool works = s->cell[stage][slot].micro > 0;
        begun |= works && slot <= now;
        left |= works && slot >= now;
    }
    t->forward += c->micro && !c->backward;
    t->backward += c->micro && c->backward;
    t->idle += c->micro == 0;
    t->starts |= c->begins;
    t->begun += begun;
    t->left += left;
}

static struct tally tally_of(const struct account_pipeline *s) {
    struct tally t = {0};
    for (uint32_t i = 0; i < s->stages && s->frame > 0 && !s->over; i++) tally_stage(s, i, &t);
    return t;
}

/* Whether the first backward of the step begins in this slot. */
static bool is_turn(const struct account_pipeline *s) {
    const struct account_slot *row = s->cell[s->stages - 1];
    for (uint32_t slot = 0; slot + 1 < s->frame; slot++)
        if (row[slot].backward) return false;
    return row[s->frame - 1].backward;
}

static const char *moment(const struct account_pipeline *s, const struct tally *t) {
    if (s->frame == 0) return "start";
    if (s->over) return "finish";
    if (is_turn(s)) return "turn";
    if (t->begun < s->stages) return "fill";
    return t->left < s->stages ? "drain" : "steady";
}

static void add_works(struct account_text *t, uint32_t n, const char *what) {
    if (n)
        account_add(t, "%u %s%s", n, what, n == 1 ? "" : "s");
    else
        account_add(t, "no %s", what);
}

static void say_slot(const struct account_pipeline *s, const struct tally *t,
                     struct account_text *says) {
    account_add(says, "Slot %u: the stages compute ", s->frame);
    add_works(says, t->forward, "forward");
    account_add(says, " and ");
    add_works(says, t->backward, "backward");
    if (t->idle)
        account_add(says, ", and %u wait%s.", t->idle, t->idle == 1 ? "s" : "");
    else
        account_add(says, "; none waits.");
}

static void say_end(const struct account_pipeline *s, struct account_text *says) {
    uint32_t work = EACH * s->micros * s->pieces;
    account_add(says, "It took %u slots. Each stage worked in %u and waited in %u: a bubble of ",
                s->slots, work, s->slots - work);
    account_add_number(says, 100 * account_pipeline_bubble(s), 2);
    account_add(says, "%%.");
}

static void say(const struct account_pipeline *s, const struct tally *t,
                struct account_text *says) {
    const char *what = moment(s, t);
    if (s->frame == 0)
        account_add(says, "Each of %u stages holds a part of the layers, and waits for work.",
                    s->stages);
    else if (s->over)
        say_end(s, says);
    else if (strcmp(what, "turn") == 0)
        account_add(says, "Slot %u: the last stage begins the first backward of the step.",
                    s->frame);
    else if (strcmp(what, "fill") == 0)
        account_add(says, "Slot %u: micro-batch 1 is on stage %u. %s.", s->frame, t->begun - 1,
                    t->begun + 1 < s->stages ? "The stages behind it wait"
                                             : "The last stage waits");
    else
        say_slot(s, t, says);
}

static void frame(const struct account_playing *at, struct account_play_frame *out) {
    struct account_pipeline s;
    struct account_text says = account_text(out->says, sizeof out->says),
                        place = account_text(out->place, sizeof out->place);
    account_pipeline(at, &s);
    struct tally t = tally_of(&s);
    out->moment = moment(&s, &t);
    out->ms = 480 / s.pieces;
    out->passing = s.frame > 0 && !s.over && !t.starts;
    if (s.frame == 0 || s.over)
        account_add(&place, s.over ? "the end" : "start");
    else
        account_add(&place, "slot %u of %u", s.frame, s.slots);
    say(&s, &t, &says);
}

/* How long the last stage waits for its first micro-batch: p − 1 slots. */
static uint32_t stop(const struct account_playing *at, uint32_t *answer) {
    uint32_t stages = options[STAGES].value[at->at[STAGES]];
    *answer = stages - 1;
    return stages;
}

static const char *const moments[] = {"start", "fill", "turn", "steady", "drain", "finish", NULL};

const struct account_play account_play_pipeline = {
    .name = "pipeline",
    .title = "pipeline",
    .moments = moments,
    .options = OPTIONS,
    .option = options,
    .check = check,
    .frames = frames,
    .frame = frame,
    .stop = stop,
};
