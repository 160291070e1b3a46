/* scale: a scenario scaled down so that its verdict stays. Model states grow with layers × width²;
 * activations with layers × width × tokens, logits with tokens × vocabulary. So where tokens ÷
 * width, vocabulary ÷ (layers × width), the layers, the ranks and the bytes an element stay what
 * they are, all of them shrink by one ratio, that of the parameters, and the memory for them may
 * shrink by it too. What does not shrink, the framework's reserve, is taken off first. What the lab
 * holds otherwise than the scenario (its own GPT, its buffers, fewer ranks) is weighed by the
 * engine at the scenario's own size, and the cap is widened or narrowed by that share. */
#include "experiment/experiment.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum {
    NARROWEST = 64,
    WIDEST = 128,
    TEXT_VOCAB = 256,
    RANKS_MOST = EXPERIMENT_RANKS,
    MICRO_MOST = 2
};

static double rounded(double x) {
    return fmax(floor(x + 0.5), 1);
}

/* ── what the lab can be ───────────────────────────────────────────────────────────────────────*/
static bool is(const struct account_training *t, const char *field, const char *value) {
    char text[64];
    const char *has = account_get(t, field, text, sizeof text);
    return has && strcmp(has, value) == 0;
}

static const char *precision_of(const struct account_training *t) {
    static const char *const known[][2] = {
        {"mixed-bf16", "bf16"}, {"mixed-fp16", "fp16"}, {"fp32", "fp32"}};
    for (size_t i = 0; i < BASE_COUNT(known); i++)
        if (is(t, "precision", known[i][0])) return known[i][1];
    return NULL;
}

static bool can(const struct account_training *t, uint64_t budget, struct base_message *m) {
    const struct {
        bool fine;
        const char *why;
    } asked[] = {
        {budget > 0, "name the GPU: without it the memory to fit into is not known"},
        {t->shape.layers && t->shape.hidden && t->shape.vocab,
         "name a model: its layers, width and vocabulary are scaled"},
        {t->batch && t->seq, "name the micro-batch and the sequence: activations follow from them"},
        {!t->shape.experts, "the lab's model has no experts"},
        {precision_of(t) != NULL, "the lab trains in mixed-bf16, mixed-fp16 and fp32"},
        {is(t, "optimizer", "adamw"), "the lab's optimizer is adamw"},
        {!t->lora && !t->quantized, "the lab trains every parameter: it has no adapters"},
        {t->tp * t->pp * t->cp * t->ep == 1, "the lab is data-parallel: it splits no layer"},
        {account_shard_ranks(t) == t->gpus && !t->hpz, "the lab shards over all its ranks"},
        {!t->offload_optimizer && !t->offload_params, "the lab offloads nothing"},
    };
    for (size_t i = 0; i < BASE_COUNT(asked); i++)
        if (!asked[i].fine) return base_fail(m, "this cannot be scaled down: %s", asked[i].why);
    return true;
}

/* ── the lab's model, as wide as the scenario's and narrow ─────────────────────────────────────*/
/* Without flash attention each head has scores of its own; with it there are none, and one head has
 * the fewest. */
static uint32_t heads_of(const struct account_training *real) {
    return real->flash || !real->shape.heads ? 1 : real->shape.heads;
}

static bool model_of(const struct account_training *real, double width, uint32_t ranks,
                     struct account_training *out, struct account_error *e) {
    char precision[24];
    double by = width / real->shape.hidden;
    *out = account_training_default();
    account_get(real, "precision", precision, sizeof precision);
    if (!account_set(out, "recipe", "zerolab", e) || !account_set(out, "precision", precision, e))
        return false;
    out->shape = (struct account_shape){.tied = true,
                                        .layers = real->shape.layers,
                                        .hidden = (uint32_t)width,
                                        .heads = heads_of(real),
                                        .kv_heads = heads_of(real),
                                        .head_size = (uint32_t)width / heads_of(real),
                                        .ffn = 4 * (uint32_t)width,
                                        .vocab = (uint32_t)rounded(real->shape.vocab * by),
                                        .context = (uint32_t)rounded(real->seq * by)};
    (void)account_family_find("gpt", &out->shape.family);
    out->params = account_count_params(&out->shape);
    out->gpus = ranks;
    out->stage = real->stage;
    out->batch = real->batch;
    out->seq = out->shape.context;
    out->accumulate = real->accumulate < MICRO_MOST ? real->accumulate : MICRO_MOST;
    out->checkpoint = real->checkpoint;
    out->flash = false;
    out->prefetch = 0;
    /* a block's gradients */
    out->bucket =
        (uint64_t)account_bytes_per_param(out, ACCOUNT_GRADS) * 12 * (uint64_t)(width * width);
    return account_check(out, e);
}

static double off(double value) {
    return fabs(rounded(value) / value - 1);
}

/* How far rounding tokens and vocabulary to whole numbers moves them. */
static double distortion(const struct account_training *real, double width) {
    double by = width / real->shape.hidden;
    return fmax(off(real->seq * by), off(real->shape.vocab * by));
}

static uint32_t width_of(const struct account_training *real) {
    uint32_t heads = heads_of(real), step = heads > 1 ? heads : 2;
    uint32_t least = (NARROWEST + step - 1) / step * step, best = least;
    for (uint32_t w = least; w <= WIDEST; w += step)
        if (distortion(real, w) < distortion(real, best) - 1e-9) best = w;
    return best;
}

/* ── what each holds ───────────────────────────────────────────────────────────────────────────*/
static bool weigh(const struct account_training *t, struct experiment_held *out,
                  struct base_message *m) {
    struct account_memory memory;
    struct account_error e;
    if (!account_memory(t, &memory, &e)) return base_fail(m, "%s", e.what);
    const struct account_ledger *l = &memory.phase[memory.peak].ledger;
    *out = (struct experiment_held){.peak = l->total,
                                    .activations = memory.highest[ACCOUNT_ACTIVATIONS],
                                    .framework = l->bytes[ACCOUNT_FRAMEWORK]};
    for (int c = ACCOUNT_PARAMS; c <= ACCOUNT_MOMENTS; c++) out->states += l->bytes[c];
    out->buffers = l->total - out->framework - l->bytes[ACCOUNT_ACTIVATIONS] - out->states;
    return true;
}

static void write_arguments(struct experiment_scale *s) {
    const struct account_shape *shape = &s->small.shape;
    static const char *const checkpoints[] = {"none", "selective", "full"};
    snprintf(s->arguments, sizeof s->arguments,
             "--device cpu --ranks %u --stage %u --layers %u --width %u --heads %u --seq %u "
             "--vocab %u --precision %s --batch %u --accumulate %u --checkpoint %s --bucket %llu "
             "--prefetch 0 --tokens %s --steps 6 --seed 1 --cap %llu",
             s->small.gpus, s->small.stage, shape->layers, shape->hidden, shape->heads,
             shape->context, shape->vocab, precision_of(&s->small), s->small.batch,
             s->small.accumulate, checkpoints[s->small.checkpoint],
             (unsigned long long)s->small.bucket, shape->vocab < TEXT_VOCAB ? "random" : "text",
             (unsigned long long)s->cap);
}

/* With so many ranks; false with the message where the engine cannot weigh one of the three. */
static bool scale_to(struct experiment_scale *s, uint32_t ranks, struct base_message *m) {
    struct account_error e;
    if (!model_of(&s->real, s->real.shape.hidden, ranks, &s->large, &e) ||
        !model_of(&s->real, width_of(&s->real), ranks, &s->small, &e))
        return base_fail(m, "this cannot be scaled down: %s", e.what);
    if (!weigh(&s->real, &s->scenario, m) || !weigh(&s->large, &s->at_size, m) ||
        !weigh(&s->small, &s->scaled, m))
        return false;
    double capacity = (double)s->budget - (double)s->scenario.framework;
    s->ratio = (double)s->small.params / (double)s->large.params;
    s->share = (double)s->at_size.peak / (double)(s->scenario.peak - s->scenario.framework);
    s->cap = (uint64_t)fmax(capacity * s->ratio * s->share, 1);
    s->fits = account_fit(s->scenario.peak, s->budget);
    s->runs = s->scaled.peak <= s->cap;
    return true;
}

/* What all ranks come to hold, at most what the cap lets them. */
static double needs(const struct experiment_scale *s) {
    uint64_t each = s->scaled.peak < s->cap ? s->scaled.peak : s->cap;
    return (double)each * s->small.gpus;
}

bool experiment_scale(const struct account_training *real, uint64_t budget,
                      struct experiment_capacity capacity, struct experiment_scale *out,
                      struct base_message *m) {
    if (!budget && real->card) budget = account_card_bytes(real->card);
    if (!can(real, budget, m)) return false;
    *out = (struct experiment_scale){.real = *real, .budget = budget};
    uint32_t most = capacity.ranks < RANKS_MOST ? capacity.ranks : RANKS_MOST;
    uint32_t ranks = real->gpus < most ? real->gpus : most;
    if (!scale_to(out, ranks, m)) return false;
    while (capacity.bytes && needs(out) > (double)capacity.bytes && ranks > 1)
        if (!scale_to(out, ranks /= 2, m)) return false;
    write_arguments(out);
    return true;
}

/* ── what this machine can hold ────────────────────────────────────────────────────────────────*/

/* Ranks that share a core take turns: eight of them are slow, and not wrong. Half of the memory is
 * left to whoever else is here. */
enum { RANKS_A_CORE = 8, MEMORY_SHARE = 2 };

struct experiment_capacity experiment_capacity_here(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    return (struct experiment_capacity){
        .ranks = (uint32_t)(cores > 0 ? cores : 1) * RANKS_A_CORE,
        .bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / MEMORY_SHARE : 0};
}
