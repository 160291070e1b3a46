/* The schedules of a pipeline, every one that can be laid: of 1 to 8 stages, 1 to 16 micro-batches
 * and 1 to 4 pieces. Each computes what the one before has made, waits as long as its paper says,
 * and keeps what the engine counts. */
#include "account/check.h"

#include <string.h>

static bool is_divided(const struct account_pipeline *s) {
    return s->schedule == ACCOUNT_ZB_H1 || s->schedule == ACCOUNT_ZB_H2;
}

/* The same pipeline as a training: a model of enough layers on a card. */
static struct account_training training_of_pipeline(const struct account_pipeline *s) {
    struct account_training t = account_training_default();
    assert_true(account_set(&t, "model", "llama-2-70b", NULL));
    assert_true(account_set(&t, "gpu", "a100-80g", NULL));
    t.gpus = t.pp = s->stages;
    t.accumulate = s->micros;
    t.interleave = s->pieces;
    t.batch = 1;
    t.seq = 128;
    return t;
}

static bool can_be_laid(enum account_pipeline_schedule schedule, uint32_t p, uint32_t m,
                        uint32_t v) {
    return v == 1 || (schedule == ACCOUNT_INTERLEAVED && m % p == 0);
}

typedef void pipeline_check(const struct account_pipeline *s);

static void each_pipeline(pipeline_check *holds) {
    size_t seen = 0;
    struct account_pipeline s;
    for (enum account_pipeline_schedule schedule = 0; schedule < ACCOUNT_PIPELINE_SCHEDULES;
         schedule++)
        for (uint32_t p = 1; p <= ACCOUNT_PIPELINE_STAGES; p++)
            for (uint32_t m = 1; m <= ACCOUNT_PIPELINE_MICROS; m++)
                for (uint32_t v = 1; v <= ACCOUNT_PIPELINE_PIECES; v++) {
                    bool can = can_be_laid(schedule, p, m, v);
                    assert_int_equal(account_pipeline_lay(schedule, p, m, v, &s, NULL), can);
                    if (!can) continue;
                    assert_true(s.over);
                    holds(&s);
                    seen++;
                }
    assert_int_equal(seen, 5 * 8 * 16 + 3 * (16 + 8 + 5 + 4 + 3 + 2 + 2 + 2));
}

/* ── the order ─────────────────────────────────────────────────────────────────────────────────*/
struct span {
    uint32_t begins, ends, times;
};
/* Where each work is: [stage][piece][micro][work]. */
static struct span span_of[ACCOUNT_PIPELINE_STAGES][ACCOUNT_PIPELINE_PIECES]
                          [ACCOUNT_PIPELINE_MICROS][ACCOUNT_PIPELINE_WORKS];

/* A work is in slots that follow each other, which no other work shares. */
static void find_spans(const struct account_pipeline *s) {
    memset(span_of, 0, sizeof span_of);
    for (uint32_t i = 0; i < s->stages; i++)
        for (uint32_t slot = 0; slot < s->slots; slot++) {
            const struct account_slot *c = &s->cell[i][slot];
            if (!c->micro) continue;
            struct span *span = &span_of[i][c->piece][c->micro - 1][c->work];
            if (c->begins) *span = (struct span){slot, slot, span->times + 1};
            assert_int_equal(span->ends, slot);
            span->ends = slot + 1;
        }
}

static void is_once(const struct span *s, uint32_t slots) {
    assert_int_equal(s->times, 1);
    assert_int_equal(s->ends - s->begins, slots);
}

/* The k-th part of the model is piece k / p of stage k % p. Forward needs the part before, backward
 * the part behind and the part's own forward, the weights' gradient its own backward. */
static void computes_a_part(const struct account_pipeline *s, uint32_t micro, uint32_t k) {
    bool divided = is_divided(s);
    uint32_t parts = s->stages * s->pieces;
    struct span *at = span_of[k % s->stages][k / s->stages][micro], *f = &at[ACCOUNT_WORK_FORWARD],
                *b = &at[ACCOUNT_WORK_BACKWARD], *w = &at[ACCOUNT_WORK_WEIGHTS];
    is_once(f, 1);
    is_once(b, divided ? 1 : 2);
    if (divided) is_once(w, 1);
    assert_true(f->ends <= b->begins);
    if (divided) assert_true(b->ends <= w->begins);
    if (!divided) assert_int_equal(w->times, 0);
    if (k + 1 == parts) return;
    struct span *behind = span_of[(k + 1) % s->stages][(k + 1) / s->stages][micro];
    assert_true(f->ends <= behind[ACCOUNT_WORK_FORWARD].begins);
    assert_true(behind[ACCOUNT_WORK_BACKWARD].ends <= b->begins);
}

static void computes_in_order(const struct account_pipeline *s) {
    find_spans(s);
    for (uint32_t micro = 0; micro < s->micros; micro++)
        for (uint32_t k = 0; k < s->stages * s->pieces; k++) computes_a_part(s, micro, k);
}

static void pipelines_compute_in_order(void **state) {
    (void)state;
    each_pipeline(computes_in_order);
}

/* ── the bubble ────────────────────────────────────────────────────────────────────────────────*/

/* In slots: a step is what each stage computes and what it waits. */
static uint32_t slots_by_paper(const struct account_pipeline *s) {
    uint32_t p = s->stages, m = s->micros, v = s->pieces;
    if (!is_divided(s)) return 3 * v * m + 3 * (p - 1);
    /* ZB-H1: T_F + T_B − T_W for each stage before; ZB-H2: T_F + T_B − 2T_W, which is nothing. Or
     * forward and backward of the first micro-batch through all others, while the first stage has
     * too few forwards to fill it. */
    bool second = s->schedule == ACCOUNT_ZB_H2;
    if (m >= (second ? 2 * p - 1 : p)) return 3 * m + (second ? 0 : p - 1);
    return 3 * m + 2 * p - 1 - m;
}

static void waits_as_its_paper_says(const struct account_pipeline *s) {
    struct account_pipeline_formula f = account_pipeline_formula(s);
    double bubble = account_pipeline_bubble(s);
    assert_int_equal(s->span, slots_by_paper(s));
    assert_int_equal(s->slots, s->span + s->lag * (s->stages - 1));
    assert_same((double)s->idle / (s->stages * s->span), bubble, "idle");
    assert_same((double)f.waits / f.all, bubble, "formula");
}

static void pipelines_wait_as_their_papers_say(void **state) {
    (void)state;
    each_pipeline(waits_as_its_paper_says);
}

/* ZB-H2's parallelogram: stage i works from slot i on without a gap, if there are micro-batches
 * enough, and what comes before and after is of other steps. */
static void is_a_parallelogram(const struct account_pipeline *s) {
    uint32_t p = s->stages, m = s->micros;
    assert_int_equal(s->lag, s->schedule == ACCOUNT_ZB_H2);
    if (!s->lag) assert_int_equal(s->span, s->slots);
    for (uint32_t i = 0; i < p; i++)
        for (uint32_t slot = 0; slot < s->slots; slot++) {
            bool own = !s->lag || (slot >= i && slot < i + s->span);
            assert_int_equal(account_pipeline_has(s, i, slot), own);
            bool works = s->cell[i][slot].micro > 0;
            if (!own) assert_false(works);
            if (s->lag && m >= 2 * p - 1) assert_int_equal(works, slot >= i && slot < i + 3 * m);
        }
}

static void steps_of_h2_can_follow_each_other(void **state) {
    (void)state;
    each_pipeline(is_a_parallelogram);
}

/* Their idle slots are the bubble of account_clock(), as a share of compute and bubble. It counts a
 * backward that is not divided. */
static void has_the_clocks_bubble(const struct account_pipeline *s) {
    struct account_training t = training_of_pipeline(s);
    struct account_clock c;
    if (is_divided(s)) return;
    if (s->stages == 1) t.interleave = 1;
    assert_true(account_clock(&t, &c, NULL));
    assert_same(account_pipeline_bubble(s), c.bubble / (c.forward + c.backward + c.bubble),
                "bubble");
}

static void pipelines_wait_as_the_clock_says(void **state) {
    (void)state;
    each_pipeline(has_the_clocks_bubble);
}

/* The worked examples: GPipe and 1F1B of four stages and eight micro-batches, and the third of it
 * that the divided backward leaves. */
static void formulas_are_in_words(void **state) {
    (void)state;
    static const struct {
        enum account_pipeline_schedule schedule;
        uint32_t p, m, v, waits, all;
        const char *words;
    } rows[] = {
        {ACCOUNT_GPIPE, 4, 8, 1, 3, 11, "(p − 1)/(m + p − 1)"},
        {ACCOUNT_1F1B, 4, 8, 1, 3, 11, "(p − 1)/(m + p − 1)"},
        {ACCOUNT_INTERLEAVED, 4, 8, 2, 3, 19, "(p − 1)/(2m + p − 1)"},
        {ACCOUNT_INTERLEAVED, 4, 8, 4, 3, 35, "(p − 1)/(4m + p − 1)"},
        {ACCOUNT_ZB_H1, 4, 8, 1, 3, 27, "(p − 1)/(3m + p − 1)"},
        {ACCOUNT_ZB_H1, 4, 2, 1, 5, 11, "(2p − m − 1)/(2m + 2p − 1)"},
        {ACCOUNT_ZB_H2, 4, 8, 1, 0, 24, "0/3m"},
        {ACCOUNT_ZB_H2, 4, 7, 1, 0, 21, "0/3m"},
        {ACCOUNT_ZB_H2, 4, 6, 1, 1, 19, "(2p − m − 1)/(2m + 2p − 1)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_pipeline s;
        assert_true(
            account_pipeline_lay(rows[i].schedule, rows[i].p, rows[i].m, rows[i].v, &s, NULL));
        struct account_pipeline_formula f = account_pipeline_formula(&s);
        assert_string_equal(f.words, rows[i].words);
        assert_int_equal(f.waits, rows[i].waits);
        assert_int_equal(f.all, rows[i].all);
    }
}

/* ── what is kept ──────────────────────────────────────────────────────────────────────────────*/
static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* What stage i keeps at most, in pieces of micro-batches: GPipe all of them, 1F1B p − i, ZB-H1 on
 * every stage what 1F1B keeps on its first, ZB-H2 2p − 1 (Qi et al., arXiv:2401.10241, section 2).
 * Interleaved, the first stage keeps 1 + (p − 1)/(p·v) times what p micro-batches leave
 * (Korthikanti et al., arXiv:2205.05198, section 4.2.3), and each stage behind two pieces less. */
static uint32_t kept_by_paper(const struct account_pipeline *s, uint32_t stage) {
    uint32_t p = s->stages, v = s->pieces;
    if (s->schedule == ACCOUNT_GPIPE) return s->micros;
    if (is_divided(s)) return least(s->micros, s->schedule == ACCOUNT_ZB_H2 ? 2 * p - 1 : p);
    if (v == 1) return least(s->micros, p - stage);
    return least(s->micros * v, p * v + p - 1 - 2 * stage);
}

/* On the first stage the engine's activations have the same multiplier. */
static void keeps_what_memory_counts(const struct account_pipeline *s) {
    struct account_training t = training_of_pipeline(s);
    struct account_activations a;
    assert_true(account_activations(&t, &a, NULL));
    if (s->schedule != ACCOUNT_GPIPE && s->schedule != ACCOUNT_ZB_H2 && s->stages > 1)
        assert_same((double)s->most[0] / s->pieces, a.in_flight, "in flight");
    for (uint32_t i = 0; i < s->stages; i++) {
        assert_int_equal(s->most[i], kept_by_paper(s, i));
        assert_true(s->most[i] <= s->most[0]);
        assert_int_equal(s->in_flight[i], 0);
    }
}

static void pipelines_keep_what_memory_counts(void **state) {
    (void)state;
    each_pipeline(keeps_what_memory_counts);
}

/* At the end of a slot a stage keeps each piece whose forward has begun, unless the last work that
 * needs its activations was over before. */
static void keeps_until_it_is_used(const struct account_pipeline *s) {
    int last = is_divided(s) ? ACCOUNT_WORK_WEIGHTS : ACCOUNT_WORK_BACKWARD;
    struct account_pipeline now = *s;
    find_spans(s);
    for (uint32_t frame = 1; frame <= s->slots; frame += 1 + frame / 4) {
        account_pipeline_seek(&now, frame);
        for (uint32_t i = 0; i < s->stages; i++) {
            uint32_t kept = 0;
            for (uint32_t k = 0; k < s->pieces * s->micros; k++) {
                const struct span *at = span_of[i][k / s->micros][k % s->micros];
                kept += at[ACCOUNT_WORK_FORWARD].begins < frame && at[last].ends >= frame;
            }
            assert_int_equal(now.in_flight[i],
                             frame == s->slots ? kept - now.cell[i][frame - 1].frees : kept);
        }
    }
}

static void pipelines_keep_until_it_is_used(void **state) {
    (void)state;
    each_pipeline(keeps_until_it_is_used);
}

/* ── the play ──────────────────────────────────────────────────────────────────────────────────*/
static struct account_playing play_at(uint32_t schedule, uint32_t stages, uint32_t micros) {
    struct account_playing at = account_play_begin(account_play_find("pipeline"));
    assert_true(account_play_set(&at, "schedule", schedule, NULL));
    assert_true(account_play_set(&at, "stages", stages, NULL));
    assert_true(account_play_set(&at, "micros", micros, NULL));
    return at;
}

/* The question's answer: so many slots the last stage waits. It is asked before all are over. */
static void plays_stop_before_the_last_stage_begins(void **state) {
    (void)state;
    for (uint32_t schedule = 0; schedule < 6; schedule++)
        for (uint32_t p = 2; p <= 8; p *= 2) {
            struct account_playing at = play_at(schedule, p, 8);
            struct account_pipeline s;
            uint32_t answer, stop = at.play->stop(&at, &answer);
            at.frame = UINT32_MAX;
            account_pipeline(&at, &s);
            for (uint32_t slot = 0; slot < answer; slot++)
                assert_int_equal(s.cell[p - 1][slot].micro, 0);
            assert_int_equal(s.cell[p - 1][answer].micro, 1);
            assert_true(stop <= answer);
        }
}

static void interleaving_needs_whole_groups(void **state) {
    (void)state;
    struct account_playing at = play_at(2, 4, 2);
    struct account_error e;
    assert_false(at.play->check(&at, &e));
    assert_non_null(strstr(e.what, "groups of 4"));
}

/* A slot's sentence names every work of the schedule. */
static void slots_name_their_work(void **state) {
    (void)state;
    static const struct {
        uint32_t schedule, frame;
        const char *says;
    } rows[] = {
        {1, 9, "Slot 9: the stages compute 1 forward and 2 backwards, and 1 waits."},
        {4, 9,
         "Slot 9: the stages compute 1 forward, 2 backwards and 1 weight gradient; none "
         "waits."},
        {4, 99, "It took 27 slots. Each stage worked in 24 and waited in 3: a bubble of 11%."},
        {5, 2,
         "Slot 2: micro-batch 1 is on stage 1. The stages behind it can still compute the step "
         "before."},
        {5, 26,
         "Slot 26: the stages compute no forward, no backward and 2 weight gradients; none waits."},
        {5, 99,
         "It took 24 slots on each stage, later by one from stage to stage. Each stage worked in "
         "24 and waited in 0: a bubble of 0%."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_playing at = play_at(rows[i].schedule, 4, 8);
        struct account_play_frame f;
        at.frame = rows[i].frame;
        account_play_frame(&at, &f);
        assert_string_equal(f.says, rows[i].says);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipelines_compute_in_order),
        cmocka_unit_test(pipelines_wait_as_their_papers_say),
        cmocka_unit_test(steps_of_h2_can_follow_each_other),
        cmocka_unit_test(pipelines_wait_as_the_clock_says),
        cmocka_unit_test(formulas_are_in_words),
        cmocka_unit_test(pipelines_keep_what_memory_counts),
        cmocka_unit_test(pipelines_keep_until_it_is_used),
        cmocka_unit_test(plays_stop_before_the_last_stage_begins),
        cmocka_unit_test(interleaving_needs_whole_groups),
        cmocka_unit_test(slots_name_their_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
