/* The model as a whole: its parameters, where they begin, what it is fed, and that it learns. */
#include "lab/trainer.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static struct lab_shape shape_of(const char *name) {
    struct lab_shape s;
    assert_true(lab_shape_find(name, &s));
    return s;
}

/* GPT-2's published checkpoints: openai-community/gpt2 … gpt2-xl. */
static void shapes_have_their_parameters(void **state) {
    (void)state;
    static const struct {
        const char *name;
        size_t params;
    } rows[] = {{"tiny", 220544},    {"small", 2743296},  {"10m", 10844160},    {"124m", 124439808},
                {"355m", 354823168}, {"774m", 774030080}, {"1558m", 1557611200}};
    struct lab_shape none;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lab_shape s = shape_of(rows[i].name);
        struct lab_model *m = lab_model_new(&s);
        assert_int_equal(m->params, rows[i].params);
        assert_non_null(strstr(lab_shape_names(), rows[i].name));
        lab_model_free(m);
    }
    assert_false(lab_shape_find("huge", &none));
}

static void tensors_fill_their_unit(void **state) {
    (void)state;
    struct lab_shape s = shape_of("tiny");
    struct lab_model *m = lab_model_new(&s);
    assert_string_equal(m->unit[0].name, "embeddings");
    assert_string_equal(m->unit[4].name, "block 3");
    assert_string_equal(m->unit[5].name, "last norm");
    for (size_t u = 0; u < m->units; u++) {
        size_t at = 0;
        for (size_t t = 0; t < m->unit[u].tensors; t++) {
            assert_int_equal(m->unit[u].tensor[t].offset, at);
            at += m->unit[u].tensor[t].count;
        }
        assert_int_equal(at, m->unit[u].count);
    }
    lab_model_free(m);
}

/* ── where they begin ── */

static void check_spread(const struct lab_unit *u, const float *values) {
    for (size_t t = 0; t < u->tensors; t++) {
        const struct lab_tensor *x = &u->tensor[t];
        double sum = 0, squares = 0, n = (double)x->count,
               wanted = x->deviation > 0 ? x->deviation : 0;
        for (size_t i = 0; i < x->count; i++) sum += (double)values[x->offset + i];
        for (size_t i = 0; i < x->count; i++)
            squares += pow((double)values[x->offset + i] - sum / n, 2);
        double mean = x->deviation < 0 ? 1 : 0;
        assert_true(fabs(sum / n - mean) <= 4 * wanted / sqrt(n));
        assert_true(fabs(sqrt(squares / n) - wanted) <= 4 * wanted / sqrt(2 * n));
    }
}

static void values_begin_as_gpt2s(void **state) {
    (void)state;
    struct lab_shape s = shape_of("small");
    struct lab_model *m = lab_model_new(&s);
    for (size_t u = 0; u < m->units; u++) {
        float *values = malloc(m->unit[u].count * sizeof *values);
        lab_model_init(m, u, 3, values);
        check_spread(&m->unit[u], values);
        free(values);
    }
    assert_true(fabs(m->unit[1].tensor[2].deviation - 0.02) < 1e-12 &&
                fabs(m->unit[1].tensor[4].deviation - 0.02 / sqrt(12)) < 1e-12);
    lab_model_free(m);
}

static void a_shard_begins_as_its_part_of_the_whole(void **state) {
    (void)state;
    struct lab_shape s = {2, 12, 2, 5, 7, true};
    struct lab_model *m = lab_model_new(&s);
    for (size_t u = 0; u < m->units; u++) {
        size_t n = m->unit[u].count;
        float *whole = calloc(n + 64, sizeof *whole), *part = malloc((n + 64) * sizeof *part);
        lab_model_init(m, u, 11, whole);
        for (size_t shards = 1; shards <= 7; shards++) {
            size_t shard = (n + shards - 1) / shards;
            memset(part, 0xff, (n + 64) * sizeof *part);
            for (size_t r = 0; r < shards; r++)
                lab_model_init_range(m, u, 11, r * shard, shard, part + r * shard);
            assert_memory_equal(part, whole, shards * shard * sizeof *part);
        }
        lab_model_init_range(m, u, 11, n + 3, 5, part);
        assert_memory_equal(part, whole + n, 5 * sizeof *part);
        lab_model_init(m, u, 12, part);
        assert_true(m->unit[u].kind == LAB_LAST_NORM || memcmp(part, whole, n * sizeof *part) != 0);
        free(whole), free(part);
    }
    lab_model_free(m);
}

/* Reads what model.h says of the file: text lines up to an empty one, then all values. */
static void read_weights(const struct lab_model *m, const char *path, float *values) {
    char line[100], shape[100];
    size_t tensors = 0, lines = 0;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    snprintf(shape, sizeof shape, "%u %u %u %u %u\n", m->shape.layers, m->shape.width,
             m->shape.heads, m->shape.seq, m->shape.vocab);
    assert_string_equal(fgets(line, sizeof line, f), "zerolab-weights 1\n");
    assert_string_equal(fgets(line, sizeof line, f), shape);
    assert_int_equal(fscanf(f, "tensors %zu\n", &tensors), 1);
    while (fgets(line, sizeof line, f) && *line != '\n') lines++;
    assert_int_equal(lines, tensors);
    assert_int_equal(fread(values, sizeof *values, m->params, f), m->params);
    assert_int_equal(fgetc(f), EOF);
    fclose(f);
}

static void weights_come_back_from_their_file(void **state) {
    (void)state;
    struct lab_shape s = shape_of("tiny");
    struct lab_model *m = lab_model_new(&s);
    struct lab_message e;
    float *values = malloc(m->params * sizeof *values),
          *block = malloc(m->unit[2].count * sizeof *block);
    char path[] = "/tmp/weights-XXXXXX";
    close(mkstemp(path));
    assert_true(lab_weights_write(m, 5, path, &e));
    read_weights(m, path, values);
    lab_model_init(m, 2, 5, block);
    assert_memory_equal(values + m->unit[0].count + m->unit[1].count, block,
                        m->unit[2].count * sizeof *block);
    unlink(path);
    free(values), free(block);
    lab_model_free(m);
}

/* ── what it is fed ── */

#define CORPUS "data/corpus/harbour.txt"

static struct lab_options text_options(void) {
    return (struct lab_options){.shape = shape_of("tiny"),
                                .ranks = 1,
                                .batch = 8,
                                .seed = 1,
                                .compute = LAB_F32,
                                .tokens = "text"};
}
static struct lab_tokens *opened(const struct lab_options *o) {
    struct lab_message m;
    struct lab_tokens *t = lab_tokens_open(o, &m);
    if (!t) fail_msg("%s", m.text);
    return t;
}

static void sequences_follow_from_their_number(void **state) {
    (void)state;
    static const char *const kinds[] = {"text", "random"};
    int32_t in[64], out[64], in2[64], out2[64];
    for (size_t k = 0; k < 2; k++) {
        struct lab_options o = text_options();
        snprintf(o.tokens, sizeof o.tokens, "%s", kinds[k]);
        struct lab_tokens *t = opened(&o), *again = opened(&o);
        lab_tokens_sequence(t, 12345, in, out);
        lab_tokens_sequence(again, 9, in2, out2);
        assert_memory_not_equal(in, in2, sizeof in);
        lab_tokens_sequence(again, 12345, in2, out2);
        assert_memory_equal(in, in2, sizeof in);
        assert_memory_equal(out, out2, sizeof out);
        assert_memory_equal(in + 1, out, sizeof in - sizeof *in);
        lab_tokens_close(again);
        o.seed = 2;
        again = opened(&o);
        lab_tokens_sequence(again, 12345, in2, out2);
        assert_memory_not_equal(in, in2, sizeof in);
        lab_tokens_close(t), lab_tokens_close(again);
    }
}

static void bad_texts_are_refused(void **state) {
    (void)state;
    struct lab_options o = text_options();
    struct lab_message m;
    o.shape.vocab = 100;
    assert_null(lab_tokens_open(&o, &m));
    assert_non_null(strstr(m.text, "--vocab 256"));
    o.shape.vocab = 256, o.shape.seq = 10000000;
    assert_null(lab_tokens_open(&o, &m));
    assert_non_null(strstr(m.text, "smaller --seq"));
    snprintf(o.tokens, sizeof o.tokens, "/nowhere/at/all");
    assert_null(lab_tokens_open(&o, &m));
    assert_non_null(strstr(m.text, "/nowhere/at/all: cannot be read"));
}

static void the_text_is_what_its_grammar_writes(void **state) {
    (void)state;
    size_t i = 0;
    FILE *text = fopen(CORPUS, "rb"), *made = popen("awk -f data/corpus/harbour.awk", "r");
    assert_true(text && made);
    for (int c; (c = fgetc(made)) != EOF; i++)
        if (fgetc(text) != c) fail_msg("byte %zu of harbour.txt is not its grammar's", i);
    assert_int_equal(pclose(made), 0);
    assert_true(i > 0);
    assert_int_equal(fgetc(text), EOF);
    fclose(text);
}

/* ── that it learns ── */

/* Nats a byte of a text whose bytes come independently: what a model knows that looks at no
 * context. */
static double unigram_entropy(void) {
    size_t n = 0, seen[256] = {0};
    FILE *text = fopen(CORPUS, "rb");
    double entropy = 0;
    assert_non_null(text);
    for (int c; (c = fgetc(text)) != EOF; n++) seen[c]++;
    fclose(text);
    for (size_t i = 0; i < 256; i++)
        if (seen[i]) entropy -= (double)seen[i] / (double)n * log((double)seen[i] / (double)n);
    return entropy;
}

enum { LAST = 20 };
/* Mean loss of the last steps; the learning rate rises for the first tenth. */
static double loss_after(uint64_t steps, struct lab_options o, const struct lab_tokens *tokens) {
    struct trainer *t = trainer_new(&o);
    double scale = o.compute == LAB_F16 ? 1024 : 1, loss = 0;
    for (uint64_t step = 0; step < steps; step++) {
        trainer_feed(t, tokens, step * o.batch);
        double now = trainer_gradients(t, scale), warm = 10 * (double)(step + 1) / (double)steps;
        if (step + LAST >= steps) loss += now / LAST;
        trainer_update(t, 2e-3 * (warm < 1 ? warm : 1), scale);
    }
    trainer_free(t);
    return loss;
}

static void it_learns_more_than_letters(void **state) {
    (void)state;
    struct lab_options o = text_options();
    struct lab_tokens *tokens = opened(&o);
    double entropy = unigram_entropy(), loss = loss_after(500, o, tokens);
    print_message("%.3f nats a byte; by letters alone %.3f\n", loss, entropy);
    assert_true(entropy > 2.5 && entropy < 3.3);
    assert_true(loss < 0.65 * entropy);
    lab_tokens_close(tokens);
}

/* Few steps: later, rounding alone decides when a run finds what comes after letters. */
static void sixteen_bits_learn_alike(void **state) {
    (void)state;
    struct lab_options o = text_options();
    struct lab_tokens *tokens = opened(&o);
    double wide = loss_after(30, o, tokens);
    assert_true(wide < 4);
    for (o.compute = LAB_BF16; o.compute <= LAB_F16; o.compute++) {
        double loss = loss_after(30, o, tokens);
        print_message("%s: %.4f, in fp32 %.4f\n", lab_dtype_name(o.compute), loss, wide);
        assert_true(fabs(loss - wide) < 0.02);
    }
    lab_tokens_close(tokens);
}

static void training_twice_gives_the_same_bits(void **state) {
    (void)state;
    struct lab_options o = text_options();
    struct lab_tokens *tokens = opened(&o);
    struct trainer *t[2];
    for (size_t i = 0; i < 2; i++) {
        t[i] = trainer_new(&o);
        for (uint64_t step = 0; step < 5; step++) {
            trainer_feed(t[i], tokens, step * o.batch);
            trainer_gradients(t[i], 1);
            trainer_update(t[i], 1e-3, 1);
        }
    }
    assert_memory_equal(t[0]->params, t[1]->params, t[0]->model->params * sizeof(float));
    trainer_free(t[0]), trainer_free(t[1]);
    lab_tokens_close(tokens);
}

int main(void) {
    setenv("ZEROTUTOR_SHARE", ".", 1); /* the checkout, wherever this program was built */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_have_their_parameters),
        cmocka_unit_test(tensors_fill_their_unit),
        cmocka_unit_test(values_begin_as_gpt2s),
        cmocka_unit_test(a_shard_begins_as_its_part_of_the_whole),
        cmocka_unit_test(weights_come_back_from_their_file),
        cmocka_unit_test(sequences_follow_from_their_number),
        cmocka_unit_test(bad_texts_are_refused),
        cmocka_unit_test(the_text_is_what_its_grammar_writes),
        cmocka_unit_test(it_learns_more_than_letters),
        cmocka_unit_test(sixteen_bits_learn_alike),
        cmocka_unit_test(training_twice_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
