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
        .device = lab_null_open(), .comm = lab_null_comm(0, 2), .where = {0, LAB_AT_INIT, -1}
    };
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
    const struct lab_refusal *r = lab_ledger_refusal(&l);
    assert_int_equal(r->category, ACCOUNT_MOMENTS);
    assert_int_equal(r->need, 1001);
    assert_int_equal(r->cap, 1000);
    assert_int_equal(r->where.unit, 2);
    assert_int_equal(l.total, 1000);
    finish(&l);
}

static void test_rooms(void **state) {
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
        {{0, LAB_AT_INIT, -1},    "init"              },
        {{1, LAB_AT_FORWARD, 0},  "forward embeddings"},
        {{1, LAB_AT_BACKWARD, 1}, "backward block 0"  },
        {{1, LAB_AT_BACKWARD, 4}, "backward block 3"  },
        {{1, LAB_AT_BACKWARD, 5}, "backward last norm"},
        {{1, LAB_AT_FORWARD, 6},  "forward head"      },
        {{1, LAB_AT_UPDATE, -1},  "update"            },
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

static void say(const struct lab_options *o, const char *what, uint64_t counted,
                uint64_t predicted) {
    const struct lab_shape *s = &o->shape;
    fail_msg(
        "--ranks %u --stage %u --layers %u --width %u --heads %u --seq %u --vocab %u --batch %u "
        "--accumulate %u --prefetch %u --precision %s --checkpoint %d --bucket %llu: %s is %llu, "
        "predicted %llu",
        o->ranks, o->stage, s->layers, s->width, s->heads, s->seq, s->vocab, o->batch,
        o->accumulate, o->prefetch, lab_dtype_name(o->compute), (int)o->checkpoint,
        (unsigned long long)o->bucket, what, (unsigned long long)counted,
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
        struct lab_options o = any(&seed);
        compare(&o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_rooms),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_peaks_in_closed_form),
        cmocka_unit_test(test_a_thousand_predictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
