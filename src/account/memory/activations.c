/* What one GPU keeps of the forward pass for backward.
 *
 * Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models",
 * arXiv:2205.05198, section 4, derive it tensor by tensor: each operation saves its inputs that
 * backward needs, in the precision it computes in (e = 2 bytes in 16 bits, 4 in fp32), and dropout
 * saves a mask of one byte an element. The table `saved` is that derivation; widths that a model
 * does not have are 0, so that grouped queries, gated MLPs, wide heads, experts and flash attention
 * need no formulas of their own. For GPT in 16 bits it sums up to equations 1 to 4 and table 2,
 * with s tokens, b sequences, h hidden, a heads, t-way tensor parallelism:
 *
 *     with dropout                              sbh (34 + 5as/h)
 *     without                                   sbh (32 + 2as/h)
 *     tensor parallel                           sbh (10 + 24/t + 5as/(ht))
 *     tensor and sequence parallel              sbh (34 + 5as/h) / t
 *     … and selective (the attention core)      34 sbh / t
 *     full                                      2 sbh, / t where the sequence is split
 *
 * As the paper does, it leaves out what is smaller by a factor of h (means and variances of norms,
 * token ids), and the gradients of activations, which live for one operation. Flash attention (Dao
 * et al., arXiv:2205.14135, section 3.1) saves no array of s² elements, only one fp32 number a head
 * and token, log-sum-exp; so selective checkpointing has nothing left to drop, and drops nothing:
 * `kept` equals `layer`.
 *
 * Runs differ from this in both directions. Llama-3.1-8B comes to 41 sbh here (20.5 arrays like the
 * hidden state); Hugging Face's was measured at 56 (28 arrays: stas00/ml-engineering,
 * training/performance). Its code explains most (transformers, modeling_llama.py): a norm computes
 * in fp32 and saves that copy and its normalised 16-bit output, 3 arrays for 1 (+4), keys and
 * values are repeated for every query head (+1.5), heads are transposed into fresh arrays. On the
 * other side a fused SwiGLU (Megatron-LM, core/fusions/fused_bias_swiglu.py) saves one array of f
 * less. No coefficient here is fitted to such runs.
 *
 * LoRA: the frozen base still back-propagates to its inputs, but a frozen matrix has no gradient
 * and so needs no input of its own: PyTorch saves a factor of a product only where the other
 * factor's gradient is wanted (tools/autograd/gen_variable_type.py, guard_for). Left out are
 * therefore the inputs of the MLP's and the experts' matrices, of the router, of the head, and,
 * unless flash attention reads it again, of the output projection. Query and value have adapters,
 * whose gradients need their input; with adapters on all linear layers every input is needed but
 * the head's. The adapters' own r numbers a token are left out, and so are copies that a library
 * makes (PEFT casts the input of fp32 adapters).
 *
 * Experts: each token goes to `experts_active` of them, evenly spread over the ranks. Counted are
 * the router's input and its fp32 probabilities, each expert's own copy of its input, its MLP, and
 * its output, which the gradient of its weight needs. */
#include "account/memory/step.h"
#include "account/numbers/text.h"
#include "account/training/shapes.h"

#include <assert.h>

/* Elements a token on one rank; what a layer does not have is 0. */
enum width {
    HIDDEN,
    /* of dropout: as wide as the hidden state */
    MASK,
    NORMS,
    /* 0 where the MLP reads what the attention reads */
    MLP_INPUT,
    /* what attention makes, and the output projection reads */
    ATTENDED,
    QUERY,
    KEYS,
    QK_NORM,
    /* a s: 0 with flash attention */
    SOFTMAX,
    SOFTMAX_DROPPED,
    /* a: of flash attention */
    STATISTICS,
    MLP,
    GATE,
    /* the gate reads it, or the MLP's last matrix */
    ACTIVATED,
    /* the last matrix reads it */
    PRODUCT,
    ROUTER,
    /* outputs of the experts that a token goes to */
    ROUTED,
    EXPERT_INPUT,
    WIDTHS
};

enum split { HEADS, TOKENS }; /* by tensor parallelism; by sequence parallelism, if there is any */
#define WORKING    0          /* bytes: as wide as the GPU computes */
#define CORE       ACCOUNT_DROP_CORE
#define CHEAP      ACCOUNT_DROP_CHEAP
#define OF_NORMS   ACCOUNT_SAVED_NORMS
#define OF_QKV     ACCOUNT_SAVED_QKV
#define OF_SCORES  ACCOUNT_SAVED_SCORES
#define OF_OUTPUT  ACCOUNT_SAVED_OUTPUT
#define OF_MLP     ACCOUNT_SAVED_MLP
#define OF_EXPERTS ACCOUNT_SAVED_EXPERTS

static const struct {
    const char *what;
    uint8_t sort, width, count, bytes, split, drops;
} saved[] = {
    {"inputs of the norms", OF_NORMS, NORMS, 1, WORKING, TOKENS, 0},
    {"input of query, key and value", OF_QKV, HIDDEN, 1, WORKING, TOKENS, CHEAP},
    {"inputs of query's and key's norms", OF_QKV, QK_NORM, 1, WORKING, HEADS, 0},
    {"query", OF_QKV, QUERY, 1, WORKING, HEADS, 0},
    {"key and value", OF_QKV, KEYS, 2, WORKING, HEADS, 0},
    {"output of softmax", OF_SCORES, SOFTMAX, 1, WORKING, HEADS, CORE | CHEAP},
    {"mask of its dropout", OF_SCORES, SOFTMAX_DROPPED, 1, 1, HEADS, CORE | CHEAP},
    {"output of its dropout", OF_SCORES, SOFTMAX_DROPPED, 1, WORKING, HEADS, CORE | CHEAP},
    {"log-sum-exp of flash attention", OF_SCORES, STATISTICS, 1, 4, HEADS, 0},
    {"input of the output projection", OF_OUTPUT, ATTENDED, 1, WORKING, HEADS, 0},
    {"mask of the attention's dropout", OF_OUTPUT, MASK, 1, 1, TOKENS, 0},
    {"input of the MLP", OF_MLP, MLP_INPUT, 1, WORKING, TOKENS, CHEAP},
    {"probabilities of the router", OF_EXPERTS, ROUTER, 1, 4, TOKENS, 0},
    {"inputs of the experts", OF_EXPERTS, EXPERT_INPUT, 1, WORKING, TOKENS, 0},
    {"outputs of the experts", OF_EXPERTS, ROUTED, 1, WORKING, TOKENS, 0},
    {"input of the activation", OF_MLP, MLP, 1, WORKING, HEADS, 0},
    {"what the gate multiplies", OF_MLP, GATE, 1, WORKING, HEADS, 0},
    {"output of the activation", OF_MLP, ACTIVATED, 1, WORKING, HEADS, CHEAP},
    {"product with the gate", OF_MLP, PRODUCT, 1, WORKING, HEADS, CHEAP},
    {"mask of the MLP's dropout", OF_MLP, MASK, 1, 1, TOKENS, 0},
};
#define SAVED (sizeof saved / sizeof *saved)

/* Selective: Korthikanti et al., section 5, and Megatron-LM, which runs the core's forward once
 * more. The lab drops what is cheap, and multiplies query and key again.
 *
 * Logits. The paper counts the fp32 array alone, 4sbV/t (section 4.3). Megatron-LM
 * (core/tensor_parallel/cross_entropy.py) turns it into probabilities and these into the gradient,
 * in place, while the 16-bit output of the head is still referred to. PyTorch's F.cross_entropy
 * keeps log-probabilities, and in backward makes the gradient of nll_loss, then log_softmax's,
 * before it lets go of the first (aten: nll_loss_backward, _log_softmax_backward_data); fp32 logits
 * made from the 16-bit output are gone by then, but the output itself lives as long as the caller
 * holds what the model returned. */
static const struct account_keep keeps[ACCOUNT_KEEPINGS] = {
    [ACCOUNT_KEEP_AS_PAPER] = {.selective = CORE, .full = true, .core_again = 1},
    [ACCOUNT_KEEP_AS_PYTORCH] =
        {.selective = CORE, .full = true, .core_again = 1, .output_always = true, .loss = true},
    [ACCOUNT_KEEP_AS_MEGATRON] = {.selective = CORE,
                                  .full = true,
                                  .core_again = 1,
                                  .output_if_copy = true},
    [ACCOUNT_KEEP_AS_LAB] = {.selective = CHEAP, .full = true, .core_again = 0.5},
    [ACCOUNT_KEEP_AS_LLMC] = {.selective = CHEAP, .fixed = true},
};

const struct account_keep *account_keep_of(const struct account_resolved *is) {
    return &keeps[is->recipe->activations];
}

static uint64_t share(uint64_t n, uint64_t ranks) {
    return (n + ranks - 1) / ranks;
}

/* ── a layer ───────────────────────────────────────────────────────────────────────────────────*/

/* Whether matrices other than query's and value's need no input. */
static bool spares_inputs(const struct account_resolved *is) {
    return is->lora && is->lora_on == ACCOUNT_ON_QUERY_VALUE;
}

static void attention_widths(const struct account_resolved *is, const struct account_family *family,
                             uint64_t *w) {
    const struct account_shape *s = &is->shape;
    uint64_t heads = share(s->heads, is->tp);
    w[QUERY] = heads * s->head_size;
    w[ATTENDED] = spares_inputs(is) && !is->flash ? 0 : w[QUERY];
    w[KEYS] = share(s->kv_heads, is->tp) * s->head_size;
    w[QK_NORM] = family->qk_norm ? w[QUERY] + w[KEYS] : 0;
    w[SOFTMAX] = is->flash ? 0 : heads * is->seq;
    w[SOFTMAX_DROPPED] = is->dropout ? w[SOFTMAX] : 0;
    w[STATISTICS] = is->flash ? heads : 0;
}

static void mlp_widths(const struct account_resolved *is, const struct account_family *family,
                       uint64_t *w) {
    const struct account_shape *s = &is->shape;
    uint64_t times = s->experts ? s->experts_active : 1;
    w[MLP] = times * share(s->experts ? s->expert_ffn : s->ffn, is->tp);
    w[GATE] = family->gated ? w[MLP] : 0;
    w[ACTIVATED] = spares_inputs(is) && !family->gated ? 0 : w[MLP];
    w[PRODUCT] = spares_inputs(is) ? 0 : w[GATE];
    w[MLP_INPUT] = !spares_inputs(is) && (family->norms > 1 || s->experts) ? s->hidden : 0;
    w[ROUTER] = s->experts;
    w[ROUTED] = s->experts ? times * s->hidden : 0;
    w[EXPERT_INPUT] = spares_inputs(is) ? 0 : w[ROUTED];
}

static void widths_of(const struct account_resolved *is, uint64_t *w) {
    const struct account_family *family = account_family_of(&is->shape);
    uint64_t h = is->shape.hidden;
    w[HIDDEN] = h;
    w[MASK] = is->dropout ? h : 0;
    w[NORMS] = family->norms * h;
    attention_widths(is, family, w);
    mlp_widths(is, family, w);
}

/* Tokens of a micro-batch on this rank: context parallelism splits the sequence; sequence
 * parallelism splits the rest where tensor parallelism does not (Korthikanti et al., section
 * 4.2.2). */
struct tokens {
    /* enum split */
    uint64_t by[2];
};

static struct tokens tokens_of(const struct account_resolved *is) {
    uint64_t n = is->batch * share(is->seq, is->cp);
    return (struct tokens){{n, is->sp ? share(n, is->tp) : n}};
}

/* Full checkpointing keeps the layer's input alone, which its first norm reads. */
static uint64_t kept_of(const struct account_resolved *is, size_t i, uint64_t layer,
                        uint64_t input) {
    uint8_t dropped = account_keep_of(is)->selective;
    if (is->checkpoint == ACCOUNT_FULL) return saved[i].width == NORMS ? input : 0;
    return is->checkpoint == ACCOUNT_SELECTIVE && saved[i].drops & dropped ? 0 : layer;
}

static size_t saved_layer(const struct account_resolved *is, struct account_activation_part *out) {
    uint32_t half = is->bytes[ACCOUNT_AS_HALF];
    struct tokens tokens = tokens_of(is);
    uint64_t w[WIDTHS];
    widths_of(is, w);
    for (size_t i = 0; i < SAVED; i++) {
        uint64_t bytes = saved[i].bytes == WORKING ? half : saved[i].bytes;
        bytes *= tokens.by[saved[i].split] * w[saved[i].width] * saved[i].count;
        out[i] = (struct account_activation_part){
            .sort = saved[i].sort,
            .what = saved[i].what,
            .layer = bytes,
            .kept = kept_of(is, i, bytes, half * w[HIDDEN] * tokens.by[TOKENS])};
    }
    return SAVED;
}

static void add_layer(const struct account_resolved *is, struct account_activations *a) {
    struct account_activation_part part[ACCOUNT_ACTIVATION_PARTS];
    size_t n = saved_layer(is, part);
    for (size_t i = 0; i < n; i++) {
        a->layer += part[i].layer;
        a->kept += part[i].kept;
    }
    a->working = a->layer - a->kept;
}

/* ── the pipeline ──────────────────────────────────────────────────────────────────────────────*/

/* 1F1B: the first of p stages has run p micro-batches forward when the first comes back (Narayanan
 * et al., arXiv:2104.04473, section 2.2). Interleaved, with v chunks of L/(pv) layers on each
 * stage, it has run pv + p - 1 chunks by then, 1 + (p-1)/(pv) times as many layers (Korthikanti et
 * al., section 4.2.3), 2p - 1 of them through the first chunk; never more than there are. */
struct flight {
    /* chunks in flight; of them first ones; layers in a chunk */
    uint64_t chunks, first, layers;
    /* chunks of a micro-batch */
    uint32_t of_micro;
};

static struct flight flight_of(const struct account_resolved *is) {
    uint64_t p = is->pp, m = is->micro;
    uint32_t v = p > 1 ? is->interleave : 1;
    uint64_t layers = share(is->shape.layers, p * v);
    if (v == 1) return (struct flight){account_least(m, p), account_least(m, p), layers, v};
    return (struct flight){account_least(m * v, p * v + p - 1), account_least(m, 2 * p - 1), layers,
                           v};
}

/* ── around the layers ─────────────────────────────────────────────────────────────────────────*/

/* Rows of the vocabulary on one rank, padded as the recipe pads them. */
static uint64_t vocab_rows(const struct account_resolved *is) {
    uint64_t tp = is->tp, multiple = is->recipe->vocab_multiple * tp;
    uint64_t rows = account_lab_work_of(is).columns;
    if (multiple) rows = (rows + multiple - 1) / multiple * multiple;
    return (rows + tp - 1) / tp;
}

/* The mask of its dropout, and what a norm reads; a lookup saves nothing of the hidden state's
 * size. */
static uint64_t embedding_bytes(const struct account_resolved *is, uint32_t half) {
    bool norm = account_family_of(&is->shape)->embedding_norm;
    return (uint64_t)is->shape.hidden * ((is->dropout ? 1u : 0u) + (norm ? half : 0u));
}

/* Input of the last norm and, unless it is frozen, of the head: 2sbh each. The head gathers a split
 * sequence again in backward, and its logits are split by the vocabulary, not by the sequence
 * (Korthikanti et al., section 4.3). */
static void add_head(const struct account_resolved *is, struct tokens tokens, uint32_t half,
                     struct account_activations *a) {
    uint64_t logits = tokens.by[HEADS] * vocab_rows(is);
    a->head = (is->lora ? 1ull : 2ull) * half * tokens.by[TOKENS] * is->shape.hidden;
    a->logits_fp32 = 4 * logits;
    a->logits_output = half * logits;
    a->logits_loss = 8 * logits;
}

/* Where cross-entropy does not work in place, forward ends with the log-probabilities beside what
 * they were made from. */
static void add_up(const struct account_keep *keep, uint32_t half, struct account_activations *a) {
    bool copy = half < 4;
    bool output = keep->output_always || (keep->output_if_copy && copy);
    uint64_t held = a->logits_fp32 + (output ? a->logits_output : 0);
    a->logits_forward = held + (keep->loss && copy ? a->logits_fp32 : 0);
    a->logits = held + (keep->loss ? a->logits_loss : 0);
    uint64_t ends = a->head + a->logits;
    a->highest = a->layers + a->embedding + (ends > a->working ? ends : a->working);
}

/* ── llm.c ─────────────────────────────────────────────────────────────────────────────────────*/

/* llm.c allocates everything that forward keeps at once, at the first step, and never frees it:
 * karpathy/llm.c, train_gpt2.cu, fill_in_activation_sizes() and malloc_and_point_activations(). Its
 * `-r` is the training's checkpointing: none is -r 0; selective is -r 1, which makes the GELU's
 * outputs again; full is -r 2, the norms' outputs too. None of them is full checkpointing in the
 * usual sense. `flash` is the build with cuDNN, which keeps log-sum-exp instead of the attention's
 * probabilities. */

struct sizes {
    /* n tokens */
    uint64_t n, h, qkv, f, heads, seq, half;
};

static struct sizes sizes_of(const struct account_resolved *is) {
    const struct account_shape *s = &is->shape;
    uint64_t qkv = (uint64_t)(s->heads + 2 * s->kv_heads) * s->head_size;
    return (struct sizes){(uint64_t)is->batch * is->seq, s->hidden, qkv, s->ffn, s->heads, is->seq,
                          is->bytes[ACCOUNT_AS_HALF]};
}

/* -r 1 makes the GELU's outputs again, -r 2 the norms' too. */
static size_t saved_llmc(const struct account_resolved *is, struct account_activation_part *out) {
    struct sizes z = sizes_of(is);
    const struct {
        const char *what;
        enum account_activation sort;
        /* a token */
        uint64_t bytes;
        /* enum account_checkpoint from which on it is made again; 0: never */
        uint8_t again_from;
    } rows[] = {
        {"outputs of the norms", ACCOUNT_SAVED_NORMS, 2 * z.half * z.h, ACCOUNT_FULL},
        {"residuals", ACCOUNT_SAVED_NORMS, 2 * z.half * z.h, 0},
        {"means and deviations of the norms", ACCOUNT_SAVED_NORMS, 4 * 4, 0},
        {"query, key and value", ACCOUNT_SAVED_QKV, z.half * z.qkv, 0},
        {"attention's probabilities", ACCOUNT_SAVED_SCORES,
         is->flash ? 0 : z.half * z.heads * z.seq, 0},
        {"log-sum-exp of attention", ACCOUNT_SAVED_SCORES, is->flash ? 4 * z.heads : 0, 0},
        {"attention's output", ACCOUNT_SAVED_OUTPUT, z.half * z.h, 0},
        {"input of the GELU", ACCOUNT_SAVED_MLP, z.half * z.f, 0},
        {"output of the GELU", ACCOUNT_SAVED_MLP, z.half * z.f, ACCOUNT_SELECTIVE},
    };
    size_t n = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < n; i++) {
        bool kept = rows[i].again_from == 0 || is->checkpoint < rows[i].again_from;
        out[i] = (struct account_activation_part){.sort = rows[i].sort,
                                                  .what = rows[i].what,
                                                  .layer = z.n * rows[i].bytes,
                                                  .kept = kept ? z.n * rows[i].bytes : 0};
    }
    return n;
}

/* One buffer is the logits, then their gradient, and in between scratch of the layers: as wide as
 * the widest of them, heads · s even where cuDNN needs no scores. */
static uint64_t output_bytes(const struct sizes *z, const struct account_resolved *is) {
    uint64_t widest = vocab_rows(is), scores = z->heads * z->seq;
    if (z->qkv > widest) widest = z->qkv;
    if (scores > widest) widest = scores;
    return z->n * z->half * widest;
}

static uint64_t scratch_bytes(const struct sizes *z, uint8_t checkpoint) {
    uint64_t gelu = checkpoint == ACCOUNT_KEEP_ALL ? 0 : z->f;
    return z->n * z->half * (gelu + z->f + z->h);
}

static void activations_llmc(const struct account_resolved *is, struct account_activations *a) {
    struct account_activation_part part[ACCOUNT_ACTIVATION_PARTS];
    struct sizes z = sizes_of(is);
    size_t n = saved_llmc(is, part);
    for (size_t i = 0; i < n; i++) {
        a->layer += part[i].layer;
        a->kept += part[i].kept;
    }
    a->layers = a->kept * is->shape.layers;
    a->working = scratch_bytes(&z, is->checkpoint);
    a->embedding = z.n * z.half * z.h;
    /* the last norm's output, mean and deviation; the losses */
    a->head = z.n * (z.half * z.h + 12);
    a->logits = a->logits_forward = a->logits_output = output_bytes(&z, is);
    a->fixed = true;
    a->in_flight = 1;
    a->highest = a->layers + a->working + a->embedding + a->head + a->logits;
}

/* ── the whole ─────────────────────────────────────────────────────────────────────────────────*/

/* More than any sum here can be, in bytes; 64 bits hold what is under 2^64. */
static double bound(const struct account_resolved *is) {
    const struct account_shape *s = &is->shape;
    double mlp = (double)s->ffn + (double)s->expert_ffn * s->experts_active;
    double attention = ((double)s->heads + s->kv_heads) * ((double)is->seq + s->head_size);
    double layer =
        16 * (mlp + attention) + 64.0 * s->hidden * (1.0 + s->experts_active) + s->experts * 4.0;
    double layers = 2.0 * ((double)s->layers + is->pp) * is->interleave;
    return (double)is->batch * is->seq * (layer * (layers + 1) + 32.0 * (s->vocab + 1e6));
}

static bool check(const struct account_resolved *is, struct account_error *e) {
    if (is->shape.family == 0)
        return account_fail(e, 0,
                            "batch: the size of activations depends on the shapes of the layers: "
                            "name a model");
    if (bound(is) >= 0x1p63)
        return account_fail(e, 0,
                            "batch: %u sequences of %u tokens are more than can be counted: make "
                            "one of them smaller",
                            is->batch, is->seq);
    return true;
}

bool account_activations_of(const struct account_resolved *is, struct account_activations *out,
                            struct account_error *e) {
    *out = (struct account_activations){.in_flight = 1};
    if (is->batch == 0 || is->seq == 0) return true;
    if (!check(is, e)) return false;
    const struct account_keep *keep = account_keep_of(is);
    if (keep->fixed) {
        activations_llmc(is, out);
        return true;
    }
    uint32_t half = is->bytes[ACCOUNT_AS_HALF];
    struct tokens tokens = tokens_of(is);
    struct flight flight = flight_of(is);
    add_layer(is, out);
    out->in_flight = (double)flight.chunks / flight.of_micro;
    out->layers = out->kept * flight.layers * flight.chunks;
    out->embedding = embedding_bytes(is, half) * tokens.by[TOKENS] * flight.first;
    if (is->pp == 1) add_head(is, tokens, half, out);
    add_up(keep, half, out);
    return true;
}

bool account_activations(const struct account_training *t, struct account_activations *out,
                         struct account_error *e) {
    struct account_resolved is;
    account_resolve_fields(t, &is);
    return account_activations_of(&is, out, e);
}

/* ── part by part ───────────────────────────────────────────────────────────────────────────────*/

/* By what they are: the same sums as account_activations(), before they are added up. */

const char *account_activation_name(enum account_activation s) {
    static const char *const names[ACCOUNT_ACTIVATION_SORTS] = {
        [ACCOUNT_SAVED_NORMS] = "norm inputs",
        [ACCOUNT_SAVED_QKV] = "q, k, v",
        [ACCOUNT_SAVED_SCORES] = "scores",
        [ACCOUNT_SAVED_OUTPUT] = "attention output",
        [ACCOUNT_SAVED_MLP] = "MLP",
        [ACCOUNT_SAVED_EXPERTS] = "experts",
        [ACCOUNT_SAVED_EMBEDDING] = "embedding",
        [ACCOUNT_SAVED_AGAIN] = "one layer again",
        [ACCOUNT_SAVED_HEAD] = "head",
        [ACCOUNT_SAVED_LOGITS] = "logits",
    };
    return (unsigned)s < ACCOUNT_ACTIVATION_SORTS ? names[s] : "";
}

static void put(struct account_activation_parts *out, enum account_activation sort,
                const char *what, uint64_t highest) {
    out->part[out->count++] =
        (struct account_activation_part){.sort = sort, .what = what, .highest = highest};
}

/* When the head and the loss are over, the last layer is computed again for its backward: the
 * larger of the two stands at the highest moment, and both where everything is allocated once. */
static void put_ends(const struct account_activations *a, struct account_activation_parts *out) {
    bool again = a->working > a->head + a->logits;
    put(out, ACCOUNT_SAVED_EMBEDDING, "embedding", a->embedding);
    put(out, ACCOUNT_SAVED_AGAIN, a->fixed ? "scratch of the layers" : "one layer, computed again",
        a->fixed || again ? a->working : 0);
    put(out, ACCOUNT_SAVED_HEAD, "inputs of the last norm and of the head",
        a->fixed || !again ? a->head : 0);
    put(out, ACCOUNT_SAVED_LOGITS, "logits, and what cross-entropy makes of them",
        a->fixed || !again ? a->logits : 0);
}

/* Whether the parts are the sums that account_activations() has. */
static bool add_up_to(const struct account_activation_parts *p,
                      const struct account_activations *a) {
    uint64_t kept = 0, highest = 0;
    for (size_t i = 0; i < p->count; i++) {
        kept += p->part[i].kept;
        highest += p->part[i].highest;
    }
    return kept == a->kept && highest == a->highest;
}

static bool parts_of(const struct account_resolved *is, struct account_activation_parts *out,
                     struct account_error *e) {
    struct account_activations a;
    *out = (struct account_activation_parts){0};
    if (!account_activations_of(is, &a, e)) return false;
    if (a.kept == 0) return true;
    out->count = a.fixed ? saved_llmc(is, out->part) : saved_layer(is, out->part);
    for (size_t i = 0; i < out->count; i++)
        out->part[i].highest = out->part[i].kept * (a.layers / a.kept);
    put_ends(&a, out);
    assert(add_up_to(out, &a));
    return true;
}

bool account_activation_parts(const struct account_training *t,
                              struct account_activation_parts *out, struct account_error *e) {
    struct account_resolved is;
    account_resolve_fields(t, &is);
    return parts_of(&is, out, e);
}
