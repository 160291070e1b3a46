/* make bench: matrix products of the lab's shapes in GFLOP/s, and tokens a second of training on
 * one rank. Asserts nothing. */
/* the reference trainer of tests/lab: the same steps without stages and messages */
#include "lab/trainer.c"

#include <stdio.h>
#include <time.h>

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ── products ── */

static const struct {
    const char *what;
    uint32_t m, n, k;
    bool a_transposed, b_transposed;
} products[] = {
    {"10m, fc forward", 1024, 1536, 384, false, true},
    {"10m, fc weight gradient", 1536, 384, 1024, true, false},
    {"124m, qkv forward", 1024, 2304, 768, false, true},
    {"124m, fc forward", 1024, 3072, 768, false, true},
    {"124m, fc input gradient", 1024, 768, 3072, false, false},
    {"124m, fc weight gradient", 3072, 768, 1024, true, false},
    {"124m, head forward", 256, 50257, 768, false, true},
    {"query · key of a head", 64, 64, 32, false, true},
};

static void product(struct lab_device *d, enum lab_dtype type, size_t i) {
    size_t m = products[i].m, n = products[i].n, k = products[i].k, bytes = lab_dtype_bytes(type);
    struct lab_matmul x = {.m = products[i].m,
                           .n = products[i].n,
                           .k = products[i].k,
                           .a_transposed = products[i].a_transposed,
                           .b_transposed = products[i].b_transposed};
    void *a, *b;
    if (!d->row->alloc(d, &a, m * k * bytes) || !d->row->alloc(d, &b, k * n * bytes) ||
        !d->row->alloc(d, &x.c, m * n * bytes))
        abort();
    x.a = a, x.b = b;
    double begun = seconds(), spent;
    size_t done = 0;
    do {
        d->row->matmul(d, type, &x);
        done++;
        spent = seconds() - begun;
    } while (spent < 0.4);
    printf("%-26s %-5s %8.1f GFLOP/s\n", products[i].what, lab_dtype_name(type),
           2e-9 * (double)(m * n * k) * (double)done / spent);
    d->row->free(d, a, 0), d->row->free(d, b, 0), d->row->free(d, x.c, 0);
}

/* ── training ── */

static void training(const char *name, enum lab_dtype type, uint32_t batch, uint32_t seq,
                     int steps) {
    struct lab_options o = {
        .ranks = 1, .batch = batch, .seed = 1, .compute = type, .tokens = "random"};
    struct lab_message m;
    lab_shape_find(name, &o.shape);
    o.shape.seq = seq;
    struct trainer *t = trainer_new(&o);
    struct lab_tokens *tokens = lab_tokens_open(&o, &m);
    double begun = 0;
    for (int step = 0; step <= steps; step++) { /* the first warms up */
        if (step == 1) begun = seconds();
        trainer_feed(t, tokens, (uint64_t)step * batch);
        trainer_gradients(t, 1);
        trainer_update(t, 1e-4, 1);
    }
    double rate = (double)batch * seq * steps / (seconds() - begun);
    double flops = 6.0 * (double)t->model->params + 12.0 * o.shape.layers * o.shape.width * seq;
    printf("%-6s %-5s batch %u of %-4u %10.0f tokens/s %8.1f GFLOP/s\n", name, lab_dtype_name(type),
           batch, seq, rate, rate * flops / 1e9);
    lab_tokens_close(tokens);
    trainer_free(t);
}

int main(void) {
    struct lab_message m;
    struct lab_device *d = lab_cpu_open(&m);
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        for (enum lab_dtype type = LAB_F32; type <= LAB_BF16; type++) product(d, type, i);
    d->row->close(d);
    for (enum lab_dtype type = LAB_F32; type <= LAB_F16; type++) training("tiny", type, 8, 64, 50);
    training("10m", LAB_F32, 8, 128, 4);
    training("10m", LAB_BF16, 8, 128, 4);
    training("124m", LAB_F32, 4, 64, 2);
    return 0;
}
