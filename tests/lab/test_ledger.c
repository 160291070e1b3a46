/* The ledger by itself, over a device that allocates nothing; and what the engine predicts beside
 * what dry runs count. */
#include "forms.h"

#include "lab/ledger.h"
#include "lab/predict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct lab_ledger ledger(void) {
    return (struct lab_ledger){
        .device = lab_null_open(), .comm = lab_null_comm(0, 2), .where = {0, LAB_AT_INIT, -1}};
}

static void finish(struct lab_ledger *l) {
    l->device->row->close(l->device);
    l->comm->row->close(l->comm);
}

static void test_counts(void **state) {
    (void)state;
    struct lab_ledger l = ledger();
    void *a = lab_ledger_take(&l, ACCOUNT_PARAMS, LAB_SHARED, 1000);
    l.where = (struct lab_where){2, LAB_AT_BACKWARD, 3};
    void *b = lab_ledger_take(&l, ACCOUNT_GRADS, LAB_PRIVATE, 500);
    assert_non_null(a);
    assert_ptr_not_equal(a, b);
    lab_ledger_give(&l, ACCOUNT_PARAMS, LAB_SHARED, a, 1000);
    assert_int_equal(l.total, 500);
    assert_int_equal(l.peak_total, 1500);
    assert_int_equal(l.at_peak[ACCOUNT_PARAMS], 1000);
    assert_int_equal(l.peak[ACCOUNT_GRADS], 500);
    assert_int_equal(l.peak_where.unit, 3);
    assert_int_equal(l.now[ACCOUNT_PARAMS], 0);
    finish(&l);
}

static void test_refuses(void **state) {
    (void)state;
    struct lab_ledger l = ledger();
    l.cap = 1000;
    l.where = (struct lab_where){1, LAB_AT_FORWARD, 2};
    assert_non_null(lab_ledger_take(&l, ACCOUNT_PARAMS, LAB_PRIVATE, 1000));
    assert_null(lab_ledger_take(&l, ACCOUNT_MOMENTS, LAB_PRIVATE, 1));
    const struct lab_refusal *r = &l.refusal;
    assert_int_equal(r->category, ACCOUNT_MOMENTS);
    assert_int_equal(r->need, 1001);
    assert_int_equal(r->cap, 1000);
    assert_int_equal(r->where.unit, 2);
    assert_int_equal(l.total, 1000);
    finish(&l);
}

static void test_reservations(void **state) {
    (void)state;
    struct lab_ledger l = ledger();
    struct lab_reservation reservation = {0}, none = {0};
    assert_true(lab_reservation_make(&l, &reservation, ACCOUNT_GATHER, LAB_PRIVATE, 64));
    assert_int_equal(l.total, 0);
    assert_true(lab_reservation_enter(&l, &reservation) && lab_reservation_enter(&l, &reservation));
    assert_int_equal(l.now[ACCOUNT_GATHER], 64);
    lab_reservation_leave(&l, &reservation);
    lab_reservation_leave(&l, &reservation);
    assert_int_equal(l.total, 0);
    assert_int_equal(l.peak_total, 64);
    l.cap = 63;
    assert_false(lab_reservation_enter(&l, &reservation));
    assert_int_equal(l.refusal.need, 64);
    assert_true(lab_reservation_make(&l, &none, ACCOUNT_GATHER, LAB_SHARED, 0));
    assert_null(none.memory);
    lab_reservation_free(&l, &reservation);
    finish(&l);
}

static void test_places(void **state) {
    (void)state;
    static const struct {
        struct lab_where where;
        const char *text;
    } places[] = {
        {{0, LAB_AT_INIT, -1}, "init"},
        {{1, LAB_AT_FORWARD, 0}, "forward embeddings"},
        {{1, LAB_AT_BACKWARD, 1}, "backward block 0"},
        {{1, LAB_AT_BACKWARD, 4}, "backward block 3"},
        {{1, LAB_AT_BACKWARD, 5}, "backward last norm"},
        {{1, LAB_AT_FORWARD, 6}, "forward head"},
        {{1, LAB_AT_UPDATE, -1}, "update"},
    };
    char text[48];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        assert_string_equal(lab_where_text(text, sizeof text, &places[i].where, 4), places[i].text);
}

/* ── predicted beside counted ──────────────────────────────────────────────────────────────────*/

static uint32_t roll(uint64_t *state, uint32_t from, uint32_t to) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return from + (uint32_t)(*state >> 33) % (to - from + 1);
}

static struct lab_options any(uint64_t *s) {
    static const uint64_t buckets[] = {1000, 100000, 2000000, 25000000, 1000000000};
    struct lab_options o = run_options(roll(s, 1, 9), roll(s, 0, 3));
    uint32_t heads = roll(s, 1, 8);
    o.shape = (struct lab_shape){.layers = roll(s, 1, 12),
                                 .width = heads * roll(s, 4, 40),
                                 .heads = heads,
                                 .seq = roll(s, 8, 200),
                                 .vocab = roll(s, 100, 3000)};
    o.batch = roll(s, 1, 4);
    o.steps = roll(s, 1, 2);
    o.accumulate = roll(s, 1, 3);
    o.prefetch = roll(s, 0, 2);
    o.compute = (enum lab_dtype)roll(s, 0, 2);
    o.checkpoint = (enum lab_checkpoint)roll(s, 0, 2);
    o.bucket = buckets[roll(s, 0, 4)];
    o.clip = roll(s, 0, 1);
    return o;
}

/* The i-th divisor of n, from 1 on; the last ones are n. */
static uint32_t divisor(uint32_t n, uint32_t i) {
    uint32_t d = 1;
    while (i > 0 && d < n)
        if (n % ++d == 0) i--;
    return d;
}

/* Groups, nodes, second copies, untied heads and sparse gradients as well. The closed forms do not
 * know them. */
static struct lab_options any_groups(uint64_t *s) {
    struct lab_options o = any(s);
    uint32_t group = divisor(o.ranks, roll(s, 0, 3)), node = divisor(group, roll(s, 0, 3));
    if (o.stage > 0 && roll(s, 0, 2)) o.shard_group = group;
    if (roll(s, 0, 1)) o.node = o.shard_group ? node : group;
    if (o.shard_group && o.node == group) o.node = o.ranks;
    uint32_t second = divisor(o.shard_group ? o.shard_group : o.ranks, roll(s, 0, 3));
    bool fits = !o.node || o.node % second == 0 || second % o.node == 0;
    if (o.stage == 3 && second > 1 && fits) o.hpz = second;
    o.shape.untied = roll(s, 0, 1);
    o.sparse_gradients = o.shape.untied && o.stage == 0 && o.ranks > 1 && roll(s, 0, 2);
    return o;
}

static void say(const struct lab_options *o, const char *what, uint64_t counted,
                uint64_t predicted) {
    const struct lab_shape *s = &o->shape;
    fail_msg(
        "--ranks %u --stage %u --shard-group %u --gpus-per-node %u --hpz %u --layers %u --width %u "
        "--heads "
        "%u --seq %u --vocab %u --batch %u "
        "--accumulate %u --prefetch %u --precision %s --checkpoint %d --bucket %llu%s%s: %s is "
        "%llu, "
        "predicted %llu",
        o->ranks, o->stage, o->shard_group, o->node, o->hpz, s->layers, s->width, s->heads, s->seq,
        s->vocab, o->batch, o->accumulate, o->prefetch, lab_dtype_name(o->compute),
        (int)o->checkpoint, (unsigned long long)o->bucket, s->untied ? " --untied" : "",
        o->sparse_gradients ? " --sparse-gradients" : "", what, (unsigned long long)counted,
        (unsigned long long)predicted);
}

static void compare(const struct lab_options *o) {
    static const char *const ops[] = {"all_reduce", "reduce_scatter", "all_gather", "broadcast"};
    struct lab_prediction p;
    struct lab_message m = {""};
    struct run dry = run_dry(o, o->ranks - 1);
    const struct lab_says_end *e = &dry.end[o->ranks - 1];
    if (!lab_predict(o, &p, &m)) fail_msg("%s", m.text);
    assert_true(dry.well);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (e->persistent[c] != p.persistent[c])
            say(o, account_category_name((enum account_category)c), e->persistent[c],
                p.persistent[c]);
    for (int i = 0; i < LAB_COLLECTIVES; i++)
        if (e->sent[i] != p.sent[i]) say(o, ops[i], e->sent[i], p.sent[i]);
    if (e->between != p.between) say(o, "between nodes", e->between, p.between);
    if (e->control != p.control) say(o, "control", e->control, p.control);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (e->peak[c] != p.peak[c])
            say(o, account_category_name((enum account_category)c), e->peak[c], p.peak[c]);
    if (e->peak_total != p.peak_total) say(o, "peak", e->peak_total, p.peak_total);
    char where[64];
    struct lab_where place = e->peak_where;
    place.step = 0;
    (void)lab_where_text(where, sizeof where, &place, o->shape.layers);
    if (strcmp(where, p.peak_where) != 0)
        fail_msg("the peak is at %s, not at %s", where, p.peak_where);
}

/* ── moment by moment ──────────────────────────────────────────────────────────────────────────*/

/* What the engine says of the moment that an event names. */
static const struct account_timepoint *find(const struct account_timepoint *m, size_t count,
                                            const char *where) {
    struct account_timepoint named;
    if (!account_timepoint_read(where, &named)) fail_msg("no moment is called \"%s\"", where);
    for (size_t i = 0; i < count; i++)
        if (m[i].phase == named.phase && m[i].stop == named.stop && m[i].block == named.block)
            return &m[i];
    fail_msg("the engine knows no moment \"%s\"", where);
    return NULL;
}

static void compare_moments(const struct lab_options *o, const struct run *run) {
    struct account_timepoint m[RUN_MOMENTS];
    struct account_training t = run_training(o);
    size_t count = account_timeline(&t, m, RUN_MOMENTS, NULL);
    assert_in_range(count, 1, RUN_MOMENTS);
    for (size_t i = 0; i < run->moments; i++) {
        char where[48], what[120];
        const struct lab_says_memory *now = &run->moment[i].as.memory;
        lab_where_text(where, sizeof where, &run->moment[i].where, o->shape.layers);
        const struct account_ledger *l = &find(m, count, where)->ledger;
        for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
            (void)snprintf(what, sizeof what, "%s at %s",
                           account_category_name((enum account_category)c), where);
            if (now->highest[c] != l->bytes[c]) say(o, what, now->highest[c], l->bytes[c]);
        }
        (void)snprintf(what, sizeof what, "all at %s", where);
        if (now->highest_total != l->total) say(o, what, now->highest_total, l->total);
    }
}

/* Every memory event of a step carries what the engine counts at that moment, to the byte; and the
 * highest of them is the run's peak. */
static void test_every_moment(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 1000; i++) {
        struct lab_options o = any_groups(&seed);
        uint32_t rank = o.ranks - 1;
        struct run dry = run_dry(&o, rank);
        assert_true(dry.moments > 2u * o.shape.layers);
        compare_moments(&o, &dry);
        if (dry.highest[rank] != dry.end[rank].peak_total)
            say(&o, "the highest event", dry.highest[rank], dry.end[rank].peak_total);
        assert_int_equal(dry.highest_where[rank].phase, dry.end[rank].peak_where.phase);
        assert_int_equal(dry.highest_where[rank].unit, dry.end[rank].peak_where.unit);
    }
}

/* What happens within a moment is seen though it is over when the moment ends. */
static void test_moments(void **state) {
    (void)state;
    struct lab_ledger l = ledger();
    void *a = lab_ledger_take(&l, ACCOUNT_PARAMS, LAB_SHARED, 1000);
    lab_ledger_at(&l, (struct lab_where){2, LAB_AT_BACKWARD, 3});
    assert_int_equal(l.moment_total, 1000);
    void *b = lab_ledger_take(&l, ACCOUNT_GATHER, LAB_PRIVATE, 500);
    lab_ledger_give(&l, ACCOUNT_GATHER, LAB_PRIVATE, b, 500);
    void *c = lab_ledger_take(&l, ACCOUNT_REDUCE, LAB_PRIVATE, 400);
    assert_int_equal(l.total, 1400);
    assert_int_equal(l.moment_total, 1500);
    assert_int_equal(l.at_moment[ACCOUNT_GATHER], 500);
    assert_int_equal(l.at_moment[ACCOUNT_REDUCE], 0);
    lab_ledger_at(&l, (struct lab_where){2, LAB_AT_BACKWARD, 2});
    assert_int_equal(l.moment_total, 1400);
    lab_ledger_give(&l, ACCOUNT_PARAMS, LAB_SHARED, a, 1000);
    assert_int_equal(l.moment_total, 1400);
    lab_ledger_give(&l, ACCOUNT_REDUCE, LAB_PRIVATE, c, 400);
    finish(&l);
}

static void test_peaks_in_closed_form(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 1000; i++) {
        struct lab_options o = any(&seed);
        struct run dry = run_dry(&o, 0);
        struct form f = forms_peak(&o);
        const struct lab_says_end *e = &dry.end[0];
        if (e->peak_total != f.total) say(&o, "peak", e->peak_total, f.total);
        if (f.where.phase != LAB_AT_INIT && e->peak_where.unit != f.where.unit)
            say(&o, "the peak's unit", (uint64_t)e->peak_where.unit, (uint64_t)f.where.unit);
    }
}

static void test_a_thousand_predictions(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 1000; i++) {
        struct lab_options o = any_groups(&seed);
        compare(&o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_reservations),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_peaks_in_closed_form),
        cmocka_unit_test(test_a_thousand_predictions),
        cmocka_unit_test(test_every_moment),
        cmocka_unit_test(test_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
