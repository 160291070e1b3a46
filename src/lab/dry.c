/* Dry runs: the schedule of a run, walked through on a device that computes nothing, and what other
 * settings would hold, for a run that does not fit. */
#include "lab/device.h"
#include "lab/predict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ── a device that gives addresses and computes nothing ── */

struct null_device {
    struct lab_device base;
    /* the address given next; nothing is ever there */
    size_t next;
    /* of one that is in a GPU's place */
    struct lab_device_row gpu;
    /* what that would ask for */
    struct account_lab_work work;
};

static bool take(struct lab_device *d, void **memory, size_t bytes) {
    struct null_device *n = (struct null_device *)d;
    *memory = (void *)n->next;
    n->next += bytes / 64 * 64 + 64;
    return true;
}
static void give(struct lab_device *d, void *memory, size_t bytes) {
    (void)d, (void)memory, (void)bytes;
}
static void copy(struct lab_device *d, void *to, const void *from, size_t bytes) {
    (void)d, (void)to, (void)from, (void)bytes;
}
static void zero(struct lab_device *d, void *to, size_t bytes) {
    (void)d, (void)to, (void)bytes;
}
static void cast(struct lab_device *d, void *to, enum lab_dtype to_type, const void *from,
                 enum lab_dtype from_type, size_t n) {
    (void)d, (void)to, (void)to_type, (void)from, (void)from_type, (void)n;
}
static void add_wide(struct lab_device *d, float *to, const void *from, enum lab_dtype type,
                     size_t n) {
    (void)d, (void)to, (void)from, (void)type, (void)n;
}
static void matmul(struct lab_device *d, enum lab_dtype type, const struct lab_matmul *x) {
    (void)d, (void)type, (void)x;
}
static void rows(struct lab_device *d, enum lab_dtype type, void *to, bool add, const void *from,
                 size_t rows, size_t columns) {
    (void)d, (void)type, (void)to, (void)add, (void)from, (void)rows, (void)columns;
}
static void two(struct lab_device *d, enum lab_dtype type, void *to, const void *a, const void *b,
                size_t n) {
    (void)d, (void)type, (void)to, (void)a, (void)b, (void)n;
}
static void one(struct lab_device *d, enum lab_dtype type, void *to, const void *x, size_t n) {
    (void)d, (void)type, (void)to, (void)x, (void)n;
}
static void norm(struct lab_device *d, enum lab_dtype type, void *y, const void *x,
                 const void *weight, const void *bias, size_t rows, size_t columns) {
    (void)d, (void)type, (void)y, (void)x, (void)weight, (void)bias, (void)rows, (void)columns;
}
static void add_norm(struct lab_device *d, enum lab_dtype type, void *sum, void *y, const void *a,
                     const void *b, const void *weight, const void *bias, size_t rows,
                     size_t columns) {
    (void)d, (void)type, (void)sum, (void)y, (void)a, (void)b, (void)weight, (void)bias, (void)rows,
        (void)columns;
}
static void norm_backward(struct lab_device *d, enum lab_dtype type, void *dx, bool add,
                          void *dweight, void *dbias, bool add_own, const void *dy, const void *x,
                          const void *weight, size_t rows, size_t columns) {
    (void)d, (void)type, (void)dx, (void)add, (void)dweight, (void)dbias, (void)add_own, (void)dy,
        (void)x, (void)weight, (void)rows, (void)columns;
}
static void embed(struct lab_device *d, enum lab_dtype type, void *x, const int32_t *tokens,
                  const void *wte, const void *wpe, size_t rows, size_t seq, size_t width) {
    (void)d, (void)type, (void)x, (void)tokens, (void)wte, (void)wpe, (void)rows, (void)seq,
        (void)width;
}
static void embed_backward(struct lab_device *d, enum lab_dtype type, void *dwte, void *dwpe,
                           const void *dx, const int32_t *tokens, size_t rows, size_t seq,
                           size_t width) {
    (void)d, (void)type, (void)dwte, (void)dwpe, (void)dx, (void)tokens, (void)rows, (void)seq,
        (void)width;
}
static void embed_rows(struct lab_device *d, enum lab_dtype type, enum lab_dtype into, void *dwte,
                       void *dwpe, const struct lab_rows *x) {
    (void)d, (void)type, (void)into, (void)dwte, (void)dwpe, (void)x;
}
static void attention(struct lab_device *d, enum lab_dtype type, const struct lab_attention *x) {
    (void)d, (void)type, (void)x;
}
static size_t no_scratch(struct lab_device *d, enum lab_dtype type, uint32_t batch, uint32_t seq,
                         uint32_t heads, uint32_t width) {
    (void)d, (void)type, (void)batch, (void)seq, (void)heads, (void)width;
    return 0;
}
static void cross_entropy(struct lab_device *d, enum lab_dtype type, void *logits,
                          const int32_t *targets, size_t rows, size_t vocab, size_t columns,
                          double scale) {
    (void)d, (void)type, (void)logits, (void)targets, (void)rows, (void)vocab, (void)columns,
        (void)scale;
}
static double nothing(struct lab_device *d) {
    (void)d;
    return 0;
}
static void adam(struct lab_device *d, enum lab_dtype param, enum lab_dtype grad,
                 const struct lab_adam *x) {
    (void)d, (void)param, (void)grad, (void)x;
}
static void add_squares(struct lab_device *d, enum lab_dtype type, const void *x, size_t n) {
    (void)d, (void)type, (void)x, (void)n;
}
static size_t no_workspace(struct lab_device *d, const struct lab_options *o) {
    (void)d, (void)o;
    return 0;
}
static void lend(struct lab_device *d, void *memory, size_t bytes) {
    (void)d, (void)memory, (void)bytes;
}
static bool finish(struct lab_device *d, struct lab_message *m) {
    (void)d, (void)m;
    return true;
}
static void shut(struct lab_device *d) {
    free(d);
}

static const struct lab_device_row row = {
    .name = "null",
    .alloc = take,
    .free = give,
    .copy = copy,
    .zero = zero,
    .upload = copy,
    .download = copy,
    .cast = cast,
    .add_wide = add_wide,
    .matmul = matmul,
    .bias_gradient = rows,
    .gelu = one,
    .gelu_backward = two,
    .norm = norm,
    .add_norm = add_norm,
    .norm_backward = norm_backward,
    .embed = embed,
    .embed_backward = embed_backward,
    .embed_rows = embed_rows,
    .attention = attention,
    .attention_backward = attention,
    .attention_scratch = no_scratch,
    .cross_entropy = cross_entropy,
    .take_loss = nothing,
    .columns_multiple = 1,
    .adam = adam,
    .add_squares = add_squares,
    .take_squares = nothing,
    .workspace = no_workspace,
    .lend = lend,
    .finish = finish,
    .close = shut,
};

struct lab_device *lab_null_open(void) {
    struct null_device *n = calloc(1, sizeof *n);
    if (!n) return NULL;
    n->base.row = &row;
    n->next = (size_t)1 << 40;
    return &n->base;
}

/* ── in a GPU's place ──────────────────────────────────────────────────────────────────────────*/

static size_t gpu_scratch(struct lab_device *d, enum lab_dtype type, uint32_t batch, uint32_t seq,
                          uint32_t heads, uint32_t width) {
    (void)type, (void)batch, (void)seq, (void)heads, (void)width;
    return (size_t)((struct null_device *)d)->work.scratch;
}
static size_t gpu_workspace(struct lab_device *d, const struct lab_options *o) {
    (void)o;
    return (size_t)((struct null_device *)d)->work.workspace;
}

static struct lab_device *open_for(const struct lab_options *o) {
    struct account_training t;
    struct account_error e;
    struct null_device *n = (struct null_device *)lab_null_open();
    if (!n || o->device != LAB_CUDA || !lab_training(o, &t, &e)) return n ? &n->base : NULL;
    n->work = account_lab_work(&t);
    n->gpu = row;
    n->gpu.flash = true;
    n->gpu.columns_multiple = 64;
    n->gpu.attention_scratch = gpu_scratch;
    n->gpu.workspace = gpu_workspace;
    n->base.row = &n->gpu;
    return &n->base;
}

/* ── a dry run ──
 *
 * The schedule itself runs, over a device that computes nothing and a comm that moves nothing. */

bool lab_dry_run(const struct lab_options *o, uint32_t rank, const struct lab_sink *sink) {
    struct lab_options dry = *o;
    struct lab_comm *comm = lab_null_comm(rank, o->ranks);
    struct lab_device *device = open_for(o);
    dry.dry = true;
    bool well = comm && device && lab_rank_run(&dry, comm, device, sink);
    if (device) device->row->close(device);
    if (comm) comm->row->close(comm);
    return well;
}

/* ── what would have helped ──
 *
 * Other settings are tried in turn by dry runs, until one fits the cap. */

static void keep_peak(void *self, const struct lab_report *r) {
    if (r->says == LAB_SAYS_END) *(uint64_t *)self = r->as.end.peak_total;
}

/* Two steps and two micro-steps hold as much as more would. */
static uint64_t peak_of(const struct lab_options *o) {
    struct lab_options two = *o;
    uint64_t peak = UINT64_MAX;
    struct lab_sink sink = {keep_peak, &peak};
    two.cap = 0;
    if (two.steps > 2) two.steps = 2;
    if (two.accumulate > 2) two.accumulate = 2;
    return lab_dry_run(&two, 0, &sink) ? peak : UINT64_MAX;
}

static const char *const checkpoints[] = {"none", "selective", "full"};

enum { SMALL_BUCKET = 100000, BUCKETS_MOST = 1 << 16 };

static uint64_t most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Buckets of a large model are not too small, so that a dry run walks through all of them
 * quickly. */
static uint64_t bucket_of(const struct lab_options *o, uint64_t least) {
    const struct lab_shape *s = &o->shape;
    uint64_t blocks = (uint64_t)s->layers * 12 * s->width * s->width;
    uint64_t params = blocks + ((uint64_t)s->vocab + s->seq) * s->width;
    return most(least, params * lab_dtype_bytes(o->compute) / BUCKETS_MOST);
}

/* Moves the optimizer to the host, or all states where the stage shards parameters, if some rank
 * has a use for that. */
static void set_away(struct lab_options *o) {
    o->offload_optimizer = LAB_TIER_HOST;
    if (o->stage == 3 && o->ranks > 1) o->offload_params = LAB_TIER_HOST;
}

/* Whether zerolab would take these settings; not every stage goes with every other flag. */
static bool is_allowed(const struct lab_options *o) {
    struct lab_message m;
    return lab_options_check(o, &m);
}

static uint32_t highest_stage(const struct lab_options *o) {
    struct lab_options t = *o;
    if (o->ranks == 1) return o->stage;
    for (t.stage = 3; t.stage > o->stage && !is_allowed(&t);) t.stage--;
    return t.stage;
}

/* The i-th setting to try; false after the last. First one change at a time: a higher stage, then
 * less kept for backward. Then all of it with small buffers and smaller and smaller batches. The
 * last is the least that the model can do with on the tiers where it is. */
static bool next_setting(const struct lab_options *o, unsigned i, struct lab_options *out) {
    unsigned stages = highest_stage(o) - o->stage, keeps = LAB_FULL - o->checkpoint;
    *out = *o;
    if (i < stages) return out->stage += i + 1, true;
    i -= stages;
    if (i < keeps) return out->checkpoint = o->checkpoint + i + 1, true;
    i -= keeps;
    out->stage = o->stage + stages;
    out->checkpoint = LAB_FULL;
    out->prefetch = 0;
    uint64_t small = bucket_of(o, most(SMALL_BUCKET, lab_bucket_least(o)));
    if (out->bucket > small) out->bucket = small;
    out->batch = o->batch >> i;
    if (out->batch > 0) return true;
    out->batch = 1;
    /* One element, or block, for each rank: the smallest bucket that options allow. */
    out->bucket = bucket_of(o, lab_bucket_least(o));
    return i > 0 && o->batch >> (i - 1) > 0;
}

static int name_changes(const struct lab_options *o, const struct lab_options *t, char *out,
                        size_t size) {
    int n = 0;
    if (t->stage != o->stage) n += snprintf(out + n, size - (size_t)n, "--stage %u ", t->stage);
    if (t->checkpoint != o->checkpoint)
        n += snprintf(out + n, size - (size_t)n, "--checkpoint %s ", checkpoints[t->checkpoint]);
    if (t->bucket != o->bucket)
        n += snprintf(out + n, size - (size_t)n, "--bucket %" PRIu64 " ", t->bucket);
    if (o->ranks > 1 && t->stage == 3 && t->prefetch != o->prefetch)
        n += snprintf(out + n, size - (size_t)n, "--prefetch 0 ");
    if (t->offload_optimizer != o->offload_optimizer)
        n += snprintf(out + n, size - (size_t)n, "--offload-optimizer host ");
    if (t->offload_params != o->offload_params)
        n += snprintf(out + n, size - (size_t)n, "--offload-params host ");
    if (t->batch != o->batch) n += snprintf(out + n, size - (size_t)n, "--batch %u ", t->batch);
    return n;
}

/* Tries settings until one fits. Returns the peak of the smallest, and writes its settings to
 * *best. */
static uint64_t least_of(const struct lab_options *o, uint64_t capacity, bool away,
                         struct lab_options *best) {
    struct lab_options t;
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; least > capacity && next_setting(o, i, &t); i++) {
        if (away) set_away(&t);
        if (!is_allowed(&t)) continue;
        uint64_t peak = peak_of(&t);
        if (peak < least) least = peak, *best = t;
    }
    return least;
}

/* The cheapest settings that were found, and their peak; away: with states on the host. */
struct least {
    struct lab_options options;
    uint64_t peak;
};
static struct least find_least(const struct lab_options *o, uint64_t capacity, bool away) {
    struct least l = {.options = *o};
    l.peak = least_of(o, capacity, away, &l.options);
    return l;
}

static void say_fits(const struct lab_options *o, const struct least *l, char *out, size_t size) {
    char bytes[32];
    int n = name_changes(o, &l->options, out, size);
    (void)snprintf(out + n, size - (size_t)n, "would hold %s at most, and fit",
                   account_print_bytes(bytes, sizeof bytes, (double)l->peak));
}

void lab_advice(const struct lab_options *o, const struct lab_refusal *r, char *out, size_t size) {
    char bytes[32];
    /* The cap is the device's: what goes to the host is not under it. */
    bool here = o->offload_optimizer == LAB_TIER_DEVICE && o->device == LAB_CPU;
    struct least l = find_least(o, r->cap, false);
    if (l.peak > r->cap && here) {
        struct least away = find_least(o, r->cap, true);
        if (away.peak < l.peak) l = away;
    }
    if (l.peak <= r->cap) {
        say_fits(o, &l, out, size);
        return;
    }
    int n = snprintf(
        out, size, "nothing fits: the least is %s per rank: use more ranks, or --cap %" PRIu64 " ",
        account_print_bytes(bytes, sizeof bytes, (double)l.peak), l.peak);
    n += name_changes(o, &l.options, out + n, size - (size_t)n);
    out[n - 1] = '\0'; /* the space behind the last flag */
}

void lab_advice_for_machine(const struct lab_options *o, uint64_t capacity, char *out,
                            size_t size) {
    char bytes[32];
    struct least l = find_least(o, capacity, false);
    if (l.peak <= capacity) {
        say_fits(o, &l, out, size);
        return;
    }
    (void)snprintf(out, size,
                   "nothing fits: the least that this model needs is %s per rank; a smaller "
                   "one%s would help",
                   account_print_bytes(bytes, sizeof bytes, (double)l.peak),
                   o->ranks > 1 ? ", or fewer ranks," : "");
}
