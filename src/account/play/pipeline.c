/* The play of a pipeline's schedule: what its options are, and what each frame says. slots.c has
 * the schedules. */
#include "account/numbers/text.h"
#include "account/play/rows.h"
#include "account/play/steps.h"

#include <string.h>

enum { SCHEDULE, STAGES, MICROS, OPTIONS };

/* A row for each value of the option: an interleaved schedule has one for each number of pieces. */
static const struct {
    enum account_pipeline_schedule schedule;
    uint32_t pieces;
} rows[] = {{ACCOUNT_GPIPE, 1},       {ACCOUNT_1F1B, 1},  {ACCOUNT_INTERLEAVED, 2},
            {ACCOUNT_INTERLEAVED, 4}, {ACCOUNT_ZB_H1, 1}, {ACCOUNT_ZB_H2, 1}};
static const char *const schedules[] = {"gpipe",         "1f1b",  "interleaved",
                                        "interleaved-4", "zb-h1", "zb-h2"};
static const char *const also[] = {[4] = "zero-bubble", [5] = NULL};

static const struct account_play_option options[] = {
    [SCHEDULE] = {.name = "schedule",
                  .help = "Another schedule, from GPipe to zero-bubble",
                  .value = {0, 1, 2, 3, 4, 5},
                  .values = sizeof rows / sizeof *rows,
                  .names = schedules,
                  .also = also},
    [STAGES] = {.name = "stages",
                .help = "Another number of pipeline stages",
                .value = {2, 4, 8},
                .values = 3,
                .usual = 1},
    [MICROS] = {.name = "micros",
                .help = "Another number of micro-batches in a step",
                .value = {1, 2, 4, 8, 16},
                .values = 5,
                .usual = 3},
};

static bool lay(const struct account_playing *at, struct account_pipeline *out,
                struct account_error *e) {
    size_t row = options[SCHEDULE].value[at->at[SCHEDULE]];
    return account_pipeline_lay(rows[row].schedule, options[STAGES].value[at->at[STAGES]],
                                options[MICROS].value[at->at[MICROS]], rows[row].pieces, out, e);
}

void account_pipeline(const struct account_playing *at, struct account_pipeline *out) {
    if (lay(at, out, NULL)) account_pipeline_seek(out, at->frame);
}

static bool check(const struct account_playing *at, struct account_error *e) {
    struct account_pipeline s;
    return lay(at, &s, e);
}

static uint32_t frames(const struct account_playing *at) {
    struct account_pipeline s;
    account_pipeline(at, &s);
    return s.frames;
}

/* ── what it says ──────────────────────────────────────────────────────────────────────────────*/
struct tally {
    /* Stages at each work; stages that wait. */
    uint32_t at[ACCOUNT_PIPELINE_WORKS], idle;
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
    t->at[c->work] += c->micro > 0;
    t->idle += c->micro == 0 && account_pipeline_has(s, stage, now);
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
        if (row[slot].work == ACCOUNT_WORK_BACKWARD) return false;
    return row[s->frame - 1].work == ACCOUNT_WORK_BACKWARD;
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
    uint32_t last = ACCOUNT_PIPELINE_WORKS - 1;
    while (!account_pipeline_work_name(s->schedule, last)) last--;
    for (uint32_t i = 0; i <= last; i++) {
        account_add(says, "%s", i == 0 ? "" : i < last ? ", " : " and ");
        add_works(says, t->at[i], account_pipeline_work_name(s->schedule, i));
    }
    if (t->idle)
        account_add(says, ", and %u wait%s.", t->idle, t->idle == 1 ? "s" : "");
    else
        account_add(says, "; none waits.");
}

static void say_end(const struct account_pipeline *s, struct account_text *says) {
    uint32_t waits = s->idle / s->stages;
    account_add(says, "It took %u slots%s. Each stage worked in %u and waited in %u: a bubble of ",
                s->span, s->lag ? " on each stage, later by one from stage to stage" : "",
                s->span - waits, waits);
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
        account_add(says, "Slot %u: micro-batch 1 is on stage %u. %s %s.", s->frame, t->begun - 1,
                    s->stages - t->begun > 1 ? "The stages behind it" : "The last stage",
                    s->lag                     ? "can still compute the step before"
                    : s->stages - t->begun > 1 ? "wait"
                                               : "waits");
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
    return stages > 2 ? 2 : 1;
}

static const char *const moments[] = {"start", "fill", "turn", "steady", "drain", "finish", NULL};

const struct account_play account_play_pipeline = {
    .name = "pipeline",
    .title = "pipeline",
    .moments = moments,
    .longest = 124,
    .options = OPTIONS,
    .option = options,
    .check = check,
    .frames = frames,
    .frame = frame,
    .stop = stop,
};
