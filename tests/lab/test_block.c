/* The passes: gradients against finite differences, recomputation bit for bit, 16 bits near 32, and
 * sizes against the engine. */
#include "lab/trainer.h"

#include "account/account.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct trainer *trainer_with(struct lab_options o) {
    struct trainer *t = trainer_new(&o);
    struct lab_message m;
    struct lab_tokens *tokens = lab_tokens_open(&o, &m);
    assert_non_null(tokens);
    trainer_feed(t, tokens, 0);
    lab_tokens_close(tokens);
    return t;
}

/* Away from where they begin: biases off zero, weights large enough that every path counts. */
static void stir(struct trainer *t) {
    double *p = t->params;
    for (size_t i = 0; i < t->model->params; i++) p[i] = p[i] * 6 + 0.05 * sin((double)i * 1.7);
}

static double nudged(struct trainer *t, size_t i, double by) {
    double *p = t->params, old = p[i];
    p[i] = old + by;
    double loss = trainer_loss(t);
    p[i] = old;
    return loss;
}

enum { PLACES = 6 };
static void check_tensor(struct trainer *t, size_t unit, size_t which, const double *grads) {
    const struct lab_tensor *x = &t->model->unit[unit].tensor[which];
    for (size_t n = 0; n < PLACES; n++) {
        size_t i = t->offset[unit] + x->offset + n * (x->count - 1) / (PLACES - 1);
        double h = 2e-6, slope = (nudged(t, i, h) - nudged(t, i, -h)) / (2 * h);
        if (fabs(slope - grads[i]) > 1e-8 + 1e-6 * fabs(slope))
            fail_msg("%s %s, value %zu: %.12g by backward, %.12g by differences",
                     t->model->unit[unit].name, x->name, i - t->offset[unit], grads[i], slope);
    }
}

static void gradients_are_slopes(void **state) {
    (void)state;
    struct lab_options o = trainer_small();
    o.compute = LAB_F64;
    /* one block of queries, and two */
    for (o.shape.seq = 10; o.shape.seq < 80; o.shape.seq += 60) {
        struct trainer *t = trainer_with(o);
        stir(t);
        trainer_gradients(t, 1);
        const double *grads = t->grads;
        for (size_t u = 0; u < t->model->units; u++)
            for (size_t i = 0; i < t->model->unit[u].tensors; i++) check_tensor(t, u, i, grads);
        trainer_free(t);
    }
}

static void recomputing_changes_no_bit(void **state) {
    (void)state;
    static const enum lab_dtype types[] = {LAB_F32, LAB_BF16, LAB_F16};
    for (size_t i = 0; i < 3; i++) {
        struct lab_options o = trainer_small();
        o.compute = types[i];
        struct trainer *whole = trainer_with(o);
        double loss = trainer_gradients(whole, 1);
        for (o.checkpoint = LAB_SELECTIVE; o.checkpoint <= LAB_FULL; o.checkpoint++) {
            struct trainer *t = trainer_with(o);
            assert_true(trainer_gradients(t, 1) == loss);
            assert_memory_equal(t->grads, whole->grads,
                                t->model->params * lab_dtype_bytes(o.compute));
            trainer_free(t);
        }
        trainer_free(whole);
    }
}

/* ‖a − b‖ / ‖b‖ of one tensor. */
static double apart(const float *a, const float *b, size_t n) {
    double difference = 0, length = 0;
    for (size_t i = 0; i < n; i++) {
        difference += (double)(a[i] - b[i]) * (double)(a[i] - b[i]);
        length += (double)b[i] * (double)b[i];
    }
    return sqrt(difference / length);
}

static void sixteen_bits_are_near(void **state) {
    (void)state;
    static const struct {
        enum lab_dtype type;
        double scale, near;
    } rows[] = {{LAB_BF16, 1, 0.05}, {LAB_F16, 1024, 0.007}, {LAB_F64, 1, 2e-5}};
    struct lab_options o = trainer_small();
    struct trainer *exact = trainer_with(o);
    double loss = trainer_gradients(exact, 1);
    float *grads = malloc(exact->model->params * sizeof *grads);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        o.compute = rows[r].type;
        struct trainer *t = trainer_with(o);
        assert_true(fabs(trainer_gradients(t, rows[r].scale) - loss) < rows[r].near * 0.02);
        t->device->row->cast(t->device, grads, LAB_F32, t->grads, o.compute, t->model->params);
        for (size_t i = 0; i < t->model->params; i++) grads[i] = (float)(grads[i] / rows[r].scale);
        for (size_t u = 0; u < t->model->units; u++) {
            double d = apart(grads + t->offset[u], (float *)exact->grads + t->offset[u],
                             t->model->unit[u].count);
            if (d > rows[r].near)
                fail_msg("%s in %s is %.4f off", t->model->unit[u].name, lab_dtype_name(o.compute),
                         d);
        }
        trainer_free(t);
    }
    free(grads);
    trainer_free(exact);
}

/* ── sizes ── */

static struct account_training training_of(const struct lab_options *o) {
    static const char *const precision[] = {"fp32", "mixed-bf16", "mixed-fp16"};
    static const char *const checkpoint[] = {"none", "selective", "full"};
    struct account_training t = account_training_default();
    struct account_error e;
    assert_true(account_set(&t, "model", "gpt2", &e));
    assert_true(account_set(&t, "recipe", "zerolab", &e));
    assert_true(account_set(&t, "precision", precision[o->compute], &e));
    assert_true(account_set(&t, "checkpoint", checkpoint[o->checkpoint], &e));
    const struct lab_shape *s = &o->shape;
    t.shape.layers = s->layers, t.shape.hidden = s->width,
    t.shape.heads = t.shape.kv_heads = s->heads;
    t.shape.head_size = s->width / s->heads, t.shape.ffn = 4 * s->width, t.shape.vocab = s->vocab;
    t.batch = o->batch, t.seq = s->seq, t.flash = false;
    return t;
}

static void check_sizes(const struct lab_options *o) {
    struct account_training t = training_of(o);
    struct account_activations a;
    struct account_error e = {0};
    struct lab_device *d = lab_null_open();
    if (!account_activations(&t, &a, &e)) fail_msg("%s", e.what);
    assert_int_equal(lab_block_all(d, o), a.layer);
    assert_int_equal(lab_block_kept(d, o), a.kept);
    assert_int_equal(lab_block_working(d, o), a.working);
    assert_int_equal(lab_head_kept(o), a.head);
    assert_int_equal(lab_logits_bytes(d, o), a.logits);
    assert_int_equal(lab_block_kept(d, o) * o->shape.layers, a.layers + a.embedding);
    d->row->close(d);
}

static void sizes_are_the_engines(void **state) {
    (void)state;
    static const char *const names[] = {"tiny", "small", "124m"};
    struct lab_options o = {.batch = 3};
    for (size_t n = 0; n < 3; n++)
        for (o.compute = LAB_F32; o.compute <= LAB_F16; o.compute++)
            for (o.checkpoint = LAB_KEEP_ALL; o.checkpoint <= LAB_FULL; o.checkpoint++) {
                assert_true(lab_shape_find(names[n], &o.shape));
                check_sizes(&o);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_slopes),
        cmocka_unit_test(recomputing_changes_no_bit),
        cmocka_unit_test(sixteen_bits_are_near),
        cmocka_unit_test(sizes_are_the_engines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
