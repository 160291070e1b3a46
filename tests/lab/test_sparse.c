/* An untied head, and the embeddings' gradients as rows: the same training as with the whole table,
 * to the bit, by a reference that knows no rows; what they send, in closed form; where rows win. */
#include "runs.h"

#include "lab/cpu/sum.h"
#include "lab/engine.h"
#include "lab/predict.h"
#include "lab/saved.h"
#include "lab/trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct lab_options untied(uint32_t ranks, uint32_t stage) {
    struct lab_options o = run_options(ranks, stage);
    o.shape.untied = true;
    return o;
}

static struct lab_options sparse(struct lab_options o) {
    o.sparse_gradients = true;
    return o;
}

/* ── an untied head ────────────────────────────────────────────────────────────────────────────*/

static void every_stage_has_the_same_bits(void **state) {
    char what[80];
    (void)state;
    for (uint32_t n = 0; n < 6; n++) {
        struct lab_options o = untied(2 + n % 3, 0);
        o.compute = (enum lab_dtype)(n % 3);
        o.clip = n % 2;
        struct run first = run_well(&o);
        for (uint32_t stage = 1; stage < 4; stage++) {
            o.stage = stage;
            o.prefetch = (n + stage) % 3;
            o.checkpoint = (enum lab_checkpoint)((n + stage) % 3);
            o.bucket = stage == 2 ? 3000 : 25000000;
            struct run r = run_well(&o);
            (void)snprintf(what, sizeof what, "%u ranks, stage %u, %s", o.ranks, stage,
                           lab_dtype_name(o.compute));
            run_assert_same(what, &first, &r, 3);
        }
        o.hpz = o.ranks;
        struct run second = run_well(&o);
        run_assert_same("a second copy", &first, &second, 3);
    }
}

/* With tiers, the same bits too. */
static void tiers_have_the_same_bits(void **state) {
    (void)state;
    struct lab_options o = untied(3, 3);
    struct run first = run_well(&o);
    for (unsigned n = 1; n < LAB_TIERS; n++) {
        o.offload_optimizer = o.offload_params = (enum lab_tier_kind)n;
        (void)snprintf(o.offload_dir, sizeof o.offload_dir, "/var/tmp");
        struct run r = run_well(&o);
        run_assert_same("a tier", &first, &r, 3);
    }
}

/* Differences of the loss by values of the table and of the head, next to their gradients. */
static void gradients_are_those_of_the_loss(void **state) {
    (void)state;
    struct lab_options o = trainer_small();
    o.shape.untied = true;
    o.compute = LAB_F64;
    struct trainer *t = trainer_new(&o);
    const double h = 1e-5;
    double apart = 0, largest = 0;
    struct lab_message m = {""};
    struct lab_tokens *tokens = lab_tokens_open(&o, &m);
    assert_non_null(tokens);
    trainer_feed(t, tokens, 0);
    assert_true(trainer_gradients(t, 1) > 1);
    size_t head = t->offset[lab_head_unit(&o.shape)];
    double *w = t->params, *g = t->grads;
    assert_int_equal(head + (size_t)o.shape.vocab * o.shape.width, t->model->params);
    for (size_t i = 0; i < 60; i++) {
        size_t at = i % 2 ? head + i * 11 : i * 11;
        double was = w[at];
        w[at] = was + h;
        double more = trainer_loss(t);
        w[at] = was - h;
        double less = trainer_loss(t);
        w[at] = was;
        apart = fmax(apart, fabs((more - less) / (2 * h) - g[at]));
        largest = fmax(largest, fabs(g[at]));
    }
    if (!(largest > 1e-3 && apart < 1e-6 * (1 + largest))) fail_msg("%g of %g", apart, largest);
    lab_tokens_close(tokens);
    trainer_free(t);
}

/* ── the kernel, next to one that scatters and adds whole tables ───────────────────────────────*/

static double any(uint64_t *s) {
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(*s >> 32) / 0x1p31;
}

enum { RANKS = 5, ROWS = 24, SEQ = 8, WIDTH = 20, VOCAB = 11, TABLE = (VOCAB + SEQ) * WIDTH };

/* Each rank's table by the lookup's backward, their sum by the collective's. */
static void add_densely(struct lab_device *d, enum lab_dtype type, enum lab_dtype into,
                        const struct lab_rows *x, void *sum) {
    char *whole[RANKS];
    const void *each[RANKS];
    for (size_t r = 0; r < RANKS; r++) {
        const char *rows = (const char *)x->memory + r * x->piece;
        char *made = calloc(TABLE, 8);
        each[r] = whole[r] = calloc(TABLE, 8);
        d->row->embed_backward(
            d, type, made, made + lab_dtype_size(type, (size_t)VOCAB * WIDTH), rows,
            (const int32_t *)(const void *)(rows + lab_dtype_size(type, (size_t)ROWS * WIDTH)),
            ROWS, SEQ, WIDTH);
        d->row->cast(d, whole[r], into, made, type, TABLE);
        free(made);
    }
    lab_sum(sum, into, true, each, RANKS, into, TABLE);
    for (size_t r = 0; r < RANKS; r++) free(whole[r]);
}

static void rows_are_added_as_tables_are(void **state) {
    static const struct {
        enum lab_dtype type, into;
    } cases[] = {{LAB_F32, LAB_F32},  {LAB_BF16, LAB_BF16}, {LAB_F16, LAB_F16},
                 {LAB_BF16, LAB_F32}, {LAB_F16, LAB_F32},   {LAB_F64, LAB_F64}};
    uint64_t seed = 5;
    struct lab_message m = {""};
    struct lab_device *d = lab_cpu_open(&m);
    (void)state;
    assert_non_null(d);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        enum lab_dtype type = cases[c].type, into = cases[c].into;
        size_t values = lab_dtype_size(type, (size_t)ROWS * WIDTH);
        struct lab_rows x = {NULL, values + ROWS * sizeof(int32_t), ROWS, SEQ, WIDTH, RANKS};
        char *memory = calloc(RANKS, x.piece);
        double number[TABLE > ROWS * WIDTH ? TABLE : ROWS * WIDTH];
        x.memory = memory;
        for (size_t r = 0; r < RANKS; r++) {
            for (size_t i = 0; i < (size_t)ROWS * WIDTH; i++) number[i] = any(&seed);
            d->row->cast(d, memory + r * x.piece, type, number, LAB_F64, (size_t)ROWS * WIDTH);
            for (size_t i = 0; i < ROWS; i++)
                ((int32_t *)(void *)(memory + r * x.piece + values))[i] =
                    (int32_t)((any(&seed) + 1) / 2 * (VOCAB - 0.01));
        }
        char *dense = calloc(TABLE, 8), *rows = calloc(TABLE, 8);
        for (size_t i = 0; i < TABLE; i++) number[i] = any(&seed);
        d->row->cast(d, dense, into, number, LAB_F64, TABLE);
        memcpy(rows, dense, lab_dtype_size(into, TABLE));
        add_densely(d, type, into, &x, dense);
        d->row->embed_rows(d, type, into, rows, rows + lab_dtype_size(into, (size_t)VOCAB * WIDTH),
                           &x);
        if (memcmp(rows, dense, lab_dtype_size(into, TABLE)) != 0)
            fail_msg("%s into %s: other sums", lab_dtype_name(type), lab_dtype_name(into));
        free(dense);
        free(rows);
        free(memory);
    }
    d->row->close(d);
}

/* ── rows and the table ────────────────────────────────────────────────────────────────────────*/

static void rows_have_the_same_bits(void **state) {
    char what[80];
    (void)state;
    for (uint32_t n = 0; n < 24; n++) {
        struct lab_options o = untied(2 + n % 4, 0);
        o.compute = (enum lab_dtype)(n % 3);
        o.batch = 1 + n % 3;
        o.clip = n % 2 ? 0.5 : 0;
        o.bucket = n % 5 ? 16000 : 25000000;
        o.shape.vocab = n % 4 ? 257 : 5;
        if (o.compute != LAB_F32 && n % 8 > 3) o.grad_dtype = LAB_WIDE_GRADS;
        if (n % 6 == 5) (void)snprintf(o.tokens, sizeof o.tokens, "text");
        if (n % 6 == 5) o.shape.vocab = 256;
        struct lab_options rows = sparse(o);
        struct run a = run_well(&o), b = run_well(&rows);
        (void)snprintf(what, sizeof what, "%u: %u ranks, %s%s", n, o.ranks,
                       lab_dtype_name(o.compute), o.grad_dtype ? ", fp32 gradients" : "");
        run_assert_same(what, &a, &b, 3);
        for (uint32_t k = 0; k < o.ranks; k++)
            assert_int_equal(a.end[k].state_hash, b.end[k].state_hash);
    }
}

/* With accumulation rows are added over ranks first. It is the order of stages 2 and 3, but for the
 * other units. */
static void with_accumulation_they_differ_by_rounding(void **state) {
    (void)state;
    struct lab_options o = untied(3, 0);
    o.accumulate = 3;
    struct lab_options rows = sparse(o);
    struct run a = run_well(&o), b = run_well(&rows), again = run_well(&rows);
    for (uint32_t s = 1; s <= 3; s++)
        if (!(fabs(a.loss[s] - b.loss[s]) <= 1e-5 * a.loss[s]))
            fail_msg("step %u: %.9g, not %.9g", s, b.loss[s], a.loss[s]);
    assert_int_not_equal(a.end[0].weights_hash, b.end[0].weights_hash);
    run_assert_same("twice", &b, &again, 3);
}

/* Counted where they are copied, next to the formula of rows.c, which the engine has not seen. */
static void they_send_what_their_formula_says(void **state) {
    (void)state;
    for (uint32_t n = 0; n < 12; n++) {
        struct lab_options o = untied(2 + n % 4, 0);
        o.compute = (enum lab_dtype)(n % 3);
        o.accumulate = 1 + n % 2;
        o.batch = 1 + n % 3;
        struct lab_options rows = sparse(o);
        struct run a = run_well(&o), b = run_well(&rows);
        uint64_t e = lab_dtype_bytes(o.compute), w = o.shape.width, others = o.ranks - 1;
        uint64_t each = others * o.batch * o.shape.seq * (w * e + 4) * o.accumulate * o.steps;
        uint64_t unit = (o.shape.vocab + o.shape.seq) * w, shard = (unit + others) / o.ranks;
        for (uint32_t k = 0; k < o.ranks; k++) {
            assert_int_equal(b.end[k].sent[LAB_ALL_GATHER], each);
            assert_int_equal(a.end[k].sent[LAB_ALL_REDUCE] - b.end[k].sent[LAB_ALL_REDUCE],
                             2 * others * shard * e * o.steps);
        }
    }
}

/* Rows send less from a vocabulary on that the formula names, and more below it. */
static void they_win_where_the_formula_says(void **state) {
    (void)state;
    for (uint32_t ranks = 2; ranks <= 8; ranks += 2) {
        struct lab_options o = untied(ranks, 0);
        o.batch = 8;
        double looked_up = o.batch * o.shape.seq, wide = (o.shape.width * 4 + 4) / 4.0;
        double even = ranks / 2.0 * looked_up * wide / o.shape.width - o.shape.seq;
        for (int side = -1; side <= 1; side += 2) {
            struct lab_prediction table, rows;
            struct lab_message m = {""};
            o.shape.vocab = (uint32_t)(even * (1 + 0.02 * side));
            struct lab_options other = sparse(o);
            assert_true(lab_predict(&o, &table, &m) && lab_predict(&other, &rows, &m));
            uint64_t sends = rows.sent[LAB_ALL_GATHER] + rows.sent[LAB_ALL_REDUCE];
            if ((table.sent[LAB_ALL_REDUCE] < sends) != (side < 0))
                fail_msg("%u ranks, vocabulary %u: %llu, and %llu by rows", ranks, o.shape.vocab,
                         (unsigned long long)table.sent[LAB_ALL_REDUCE], (unsigned long long)sends);
        }
    }
}

/* ── checkpoints ───────────────────────────────────────────────────────────────────────────────*/

static struct lab_options from_step_2(struct lab_options o, const char *folder) {
    (void)snprintf(o.resume, sizeof o.resume, "%.200s/step-2", folder);
    *o.save = '\0';
    o.save_every = 0;
    o.done = 2;
    return o;
}

/* Saved under stage 3 and resumed by rows, saved by rows and resumed under stage 2; consolidated,
 * the head has its name. */
static void a_checkpoint_goes_from_one_to_the_other(void **state) {
    char folder[] = "/tmp/zerolab-sparse-XXXXXX", file[80], text[4000] = "", command[80];
    struct lab_message m = {""};
    (void)state;
    assert_non_null(mkdtemp(folder));
    for (unsigned way = 0; way < 2; way++) {
        struct lab_options first = way ? sparse(untied(3, 0)) : untied(3, 3);
        first.steps = 4;
        first.save_every = 2;
        (void)snprintf(first.save, sizeof first.save, "%s/%u", folder, way);
        struct run all = run_well(&first);
        struct lab_options rest = way ? untied(3, 2) : sparse(untied(3, 0));
        rest.steps = 4;
        rest = from_step_2(rest, first.save);
        struct run r = run_well(&rest);
        assert_int_equal(r.end[0].weights_hash, all.end[0].weights_hash);
        struct lab_options tied = from_step_2(rest, first.save);
        tied.shape.untied = false;
        struct lab_saved *s = lab_saved_open(first.save, &m);
        assert_non_null(s);
        assert_true(s->shape.untied && !lab_saved_fits(s, &tied, &m));
        assert_non_null(strstr(m.text, "its head --untied: use the same"));
        lab_saved_close(s);
        (void)snprintf(file, sizeof file, "%s/%u.safetensors", folder, way);
        if (!lab_consolidate(first.save, file, &m)) fail_msg("%s", m.text);
        FILE *f = fopen(file, "rb");
        assert_true(f && fread(text, 1, sizeof text - 1, f) > 1000);
        assert_non_null(
            strstr(text + 8, "\"lm_head.weight\":{\"dtype\":\"F32\",\"shape\":[257,20]"));
        (void)fclose(f);
    }
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0); // NOLINT(cert-env33-c)
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stage_has_the_same_bits),
        cmocka_unit_test(tiers_have_the_same_bits),
        cmocka_unit_test(gradients_are_those_of_the_loss),
        cmocka_unit_test(rows_are_added_as_tables_are),
        cmocka_unit_test(rows_have_the_same_bits),
        cmocka_unit_test(with_accumulation_they_differ_by_rounding),
        cmocka_unit_test(they_send_what_their_formula_says),
        cmocka_unit_test(they_win_where_the_formula_says),
        cmocka_unit_test(a_checkpoint_goes_from_one_to_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
