#include "account/gpt.h"

struct account_shape gpt(uint32_t layers, uint32_t hidden, uint32_t heads, uint32_t vocab) {
    struct account_shape s = {.tied = true,
                              .layers = layers,
                              .hidden = hidden,
                              .heads = heads,
                              .kv_heads = heads,
                              .head_size = hidden / heads,
                              .ffn = 4 * hidden,
                              .vocab = vocab,
                              .context = 2048};
    assert_true(account_family_find("gpt", &s.family));
    return s;
}

struct account_training training(struct account_shape shape, uint32_t seq, uint32_t batch) {
    struct account_training t = account_training_default();
    t.shape = shape;
    t.params = account_count_params(&shape);
    t.seq = seq;
    t.batch = batch;
    t.dropout = true;
    t.flash = false;
    return t;
}

struct account_activations of(const struct account_training *t) {
    struct account_activations a;
    struct account_error e = {0};
    if (!account_activations(t, &a, &e)) fail_msg("%s", e.what);
    return a;
}

struct account_training with(struct account_training t, uint32_t tp, bool sp, uint8_t keep) {
    t.tp = tp;
    t.sp = sp;
    t.gpus = tp * t.pp;
    t.checkpoint = keep;
    return t;
}

struct account_activations split(struct account_training t, uint32_t tp, bool sp, uint8_t keep) {
    t = with(t, tp, sp, keep);
    return of(&t);
}
