/* The command line: every flag with its default, how a value is read, and whether the options agree
 * with each other. */
#include "lab/options.h"

#include "account/account.h"
#include "lab/load.h"
#include "lab/model.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── flags ── */

#define AT(field) offsetof(struct lab_options, field)
/* clang-format off */
static const struct lab_flag flags[] = {
    {"device",     LAB_FLAG_CHOICE, AT(device),     .choices = "cpu|cuda"},
    {"comm",       LAB_FLAG_CHOICE, AT(comm),       .choices = "shm|local|nccl"},
    {"share-gpu",  LAB_FLAG_ON,     AT(share_gpu), .off = NULL},
    {"gpus",       LAB_FLAG_COUNT,  AT(gpus),       .least = 1, .most = 16},
    {"ranks",      LAB_FLAG_COUNT,  AT(ranks),      .least = 1, .most = 64},
    {"threads",    LAB_FLAG_COUNT,  AT(threads),    .least = 1, .most = 1024},
    {"stage",      LAB_FLAG_COUNT,  AT(stage),      .least = 0, .most = 3},
    {"shard-group", LAB_FLAG_COUNT, AT(shard_group), .least = 1, .most = 64},
    {"gpus-per-node", LAB_FLAG_COUNT, AT(node),     .least = 1, .most = 64},
    {"hpz",        LAB_FLAG_COUNT,  AT(hpz),        .least = 2, .most = 64},
    {"model",      LAB_FLAG_MODEL,  0, .off = NULL},
    {"layers",     LAB_FLAG_COUNT,  AT(shape.layers), .least = 1, .most = 1024},
    {"width",      LAB_FLAG_COUNT,  AT(shape.width),  .least = 1, .most = 65536},
    {"heads",      LAB_FLAG_COUNT,  AT(shape.heads),  .least = 1, .most = 1024},
    {"seq",        LAB_FLAG_COUNT,  AT(shape.seq),    .least = 1, .most = 65536},
    {"vocab",      LAB_FLAG_COUNT,  AT(shape.vocab),  .least = 2, .most = 1u << 20},
    {"batch",      LAB_FLAG_COUNT,  AT(batch),      .least = 1, .most = 65536},
    {"steps",      LAB_FLAG_COUNT,  AT(steps),      .least = 1, .most = 100000000},
    {"accumulate", LAB_FLAG_COUNT,  AT(accumulate), .least = 1, .most = 65536},
    {"prefetch",   LAB_FLAG_COUNT,  AT(prefetch),   .least = 0, .most = 2},
    {"seed",       LAB_FLAG_SEED,   AT(seed), .off = NULL},
    {"precision",  LAB_FLAG_CHOICE, AT(compute),    .choices = "fp32|bf16|fp16"},
    {"checkpoint", LAB_FLAG_CHOICE, AT(checkpoint), .choices = "none|selective|full"},
    {"bucket",     LAB_FLAG_BYTES,  AT(bucket), .off = NULL},
    {"products",   LAB_FLAG_CHOICE, AT(products),   .choices = "first|timed"},
    {"clip",       LAB_FLAG_REAL,   AT(clip),       .off = "off"},
    {"rate",       LAB_FLAG_REAL,   AT(rate), .off = NULL},
    {"decay",      LAB_FLAG_REAL,   AT(decay),      .off = "off"},
    {"warmup",     LAB_FLAG_COUNT,  AT(warmup),     .least = 0, .most = 100000000},
    {"evaluate",   LAB_FLAG_COUNT,  AT(evaluate),   .least = 0, .most = 100000000},
    {"cap",        LAB_FLAG_BYTES,  AT(cap),        .off = "none"},
    {"link",       LAB_FLAG_LINK,   AT(link_rate), .off = NULL},
    {"offload-optimizer", LAB_FLAG_CHOICE, AT(offload_optimizer), .choices = "none|host|nvme"},
    {"offload-params",    LAB_FLAG_CHOICE, AT(offload_params),    .choices = "none|host|nvme"},
    {"offload-dir", LAB_FLAG_TEXT,  AT(offload_dir), .off = NULL},
    {"host-link",  LAB_FLAG_LINK,   AT(host_rate), .off = NULL},
    {"nvme-link",  LAB_FLAG_LINK,   AT(nvme_rate), .off = NULL},
    {"net",        LAB_FLAG_LINK,   AT(net_rate), .off = NULL},
    {"slow",       LAB_FLAG_SLOW,   0, .off = NULL},
    {"loss-scale", LAB_FLAG_REAL,   AT(loss_scale), .off = "dynamic"},
    {"plant-bug",  LAB_FLAG_CHOICE, AT(bug),
     .choices = "none|forgotten-mean|local-norm|kept-grads|missing-gather|late-reduce|"
                "stale-prefetch|same-data|lost-bucket"},
    {"tokens",     LAB_FLAG_TEXT,   AT(tokens), .off = NULL},
    {"save",       LAB_FLAG_TEXT,   AT(save), .off = NULL},
    {"save-every", LAB_FLAG_COUNT,  AT(save_every), .least = 0, .most = 100000000},
    {"keep",       LAB_FLAG_COUNT,  AT(keep),       .least = 1, .most = 1000},
    {"resume",     LAB_FLAG_TEXT,   AT(resume), .off = NULL},
    {"weights",    LAB_FLAG_TEXT,   AT(weights), .off = NULL},
    {"events",     LAB_FLAG_TEXT,   AT(events), .off = NULL},
    {"detail-every", LAB_FLAG_COUNT, AT(detail_every), .least = 1, .most = 100000000},
    {"rendezvous", LAB_FLAG_TEXT,   AT(rendezvous), .off = NULL},
    {"patience",   LAB_FLAG_REAL,   AT(patience), .off = NULL},
    {"stall",      LAB_FLAG_REAL,   AT(stall), .off = NULL},
    {"links",      LAB_FLAG_ON,     AT(links), .off = NULL},
    {"from",       LAB_FLAG_BYTES,  AT(from), .off = NULL},
    {"to",         LAB_FLAG_BYTES,  AT(to), .off = NULL},
    {"factor",     LAB_FLAG_COUNT,  AT(factor),     .least = 2, .most = 1024},
    {"no-hash",    LAB_FLAG_ON,     AT(no_hash), .off = NULL},
    {"gflops",     LAB_FLAG_ON,     AT(gflops), .off = NULL},
    {"predict",    LAB_FLAG_ON,     AT(predict), .off = NULL},
    {"probe",      LAB_FLAG_ON,     AT(probe), .off = NULL},
    {"dry",        LAB_FLAG_ON,     AT(dry), .off = NULL},
};
/* clang-format on */

const struct lab_flag *lab_flags(size_t *count) {
    *count = sizeof flags / sizeof *flags;
    return flags;
}

uint32_t lab_node_ranks(const struct lab_options *o) {
    if (o->node) return o->node;
    if (o->hpz) return o->hpz;
    return o->shard_group ? o->shard_group : o->ranks;
}

bool lab_has_nodes(const struct lab_options *o) {
    return o->node > 0 || o->shard_group > 0 || o->hpz > 0;
}

bool lab_is_emulated(const struct lab_options *o) {
    return o->link_rate > 0 || o->net_rate > 0 || o->host_rate > 0 || o->nvme_rate > 0;
}

void lab_options_default(struct lab_options *o) {
    *o = (struct lab_options){
        .ranks = 1,
        .gpus = 1,
        .model = "tiny",
        .batch = 1,
        .steps = 10,
        .accumulate = 1,
        .prefetch = 1,
        .seed = 1,
        .bucket = 25000000,
        .detail_every = 1,
        .rate = 1e-3,
        .decay = 0.1,
        .tokens = "text",
        .patience = 60,
        .keep = 2,
        .from = 4000,
        .factor = 4,
    };
    (void)lab_shape_find(o->model, &o->shape);
}

/* ── values: text to what the options hold. Bytes and rates are read as the engine reads them ── */

bool lab_fail(struct lab_message *m, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (m) (void)vsnprintf(m->text, sizeof m->text, format, args);
    va_end(args);
    return false;
}

static bool read_integer(const char *text, uint64_t *out) {
    return account_read_count(text, out, NULL);
}

static bool read_real(const char *text, double *out, const char **rest) {
    char *end = NULL;
    *out = strtod(text, &end);
    *rest = end;
    return end != text && isfinite(*out);
}

static bool set_count(const struct lab_flag *f, const char *text, void *to, struct lab_message *m) {
    uint64_t n = 0;
    if (!read_integer(text, &n) || n < f->least || n > f->most)
        return lab_fail(m, "--%s %s: give a whole number from %u to %u", f->name, text, f->least,
                        f->most);
    uint32_t value = (uint32_t)n;
    memcpy(to, &value, sizeof value);
    return true;
}

static bool set_seed(const struct lab_flag *f, const char *text, void *to, struct lab_message *m) {
    uint64_t n = 0;
    if (!read_integer(text, &n)) return lab_fail(m, "--%s %s: give a whole number", f->name, text);
    memcpy(to, &n, sizeof n);
    return true;
}

static bool set_bytes(const struct lab_flag *f, const char *text, void *to, struct lab_message *m) {
    struct account_error e;
    double bytes = 0;
    if (f->off && strcmp(text, f->off) == 0) {
        memset(to, 0, sizeof(uint64_t));
        return true;
    }
    if (!account_read_bytes(text, &bytes, &e))
        return lab_fail(m, "--%s %s: %s", f->name, text, e.what);
    if (bytes > 0x1p62) return lab_fail(m, "--%s %s: too large: give at most 4 EiB", f->name, text);
    if (bytes < 1)
        return lab_fail(m, "--%s %s: give at least a byte%s%s", f->name, text,
                        f->off ? ", or " : "", f->off ? f->off : "");
    uint64_t value = (uint64_t)bytes;
    memcpy(to, &value, sizeof value);
    return true;
}

static bool set_choice(const struct lab_flag *f, const char *text, void *to,
                       struct lab_message *m) {
    size_t n = strlen(text);
    int index = 0;
    for (const char *at = f->choices; at; index++) {
        const char *bar = strchr(at, '|');
        size_t length = bar ? (size_t)(bar - at) : strlen(at);
        if (length == n && memcmp(at, text, n) == 0) {
            memcpy(to, &index, sizeof index);
            return true;
        }
        at = bar ? bar + 1 : NULL;
    }
    return lab_fail(m, "--%s %s: choose one of %s", f->name, text, f->choices);
}

static bool set_real(const struct lab_flag *f, const char *text, void *to, struct lab_message *m) {
    const char *rest = "";
    double value = 0;
    bool off = f->off && strcmp(text, f->off) == 0;
    if (!off && (!read_real(text, &value, &rest) || *rest || value <= 0))
        return lab_fail(m, "--%s %s: give a number above 0%s%s", f->name, text,
                        f->off ? ", or " : "", f->off ? f->off : "");
    memcpy(to, &value, sizeof value);
    return true;
}

static bool set_text(const struct lab_flag *f, const char *text, char *to, struct lab_message *m) {
    if (strlen(text) >= 256 || *text == '\0')
        return lab_fail(m, "--%s: give a name of 1 to 255 bytes", f->name);
    memcpy(to, text, strlen(text) + 1);
    return true;
}

static bool set_model(const char *text, struct lab_options *o, struct lab_message *m) {
    struct lab_shape shape;
    if (!lab_shape_find(text, &shape))
        return lab_fail(
            m, "--model %s: choose one of %s, or give --layers --width --heads --seq --vocab", text,
            lab_shape_names());
    o->shape = shape;
    (void)snprintf(o->model, sizeof o->model, "%s", text);
    return true;
}

enum latency { LATENCY_READ, LATENCY_UNIT, LATENCY_RANGE };

static enum latency read_latency(const char *text, double *out) {
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"us", 1e-6}, {"ms", 1e-3}, {"ns", 1e-9}, {"s", 1}};
    const char *rest = "";
    if (!read_real(text, out, &rest)) return LATENCY_UNIT;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(rest, units[i].name) == 0) {
            *out *= units[i].seconds;
            return *out >= 0 && *out <= 10 ? LATENCY_READ : LATENCY_RANGE;
        }
    return LATENCY_UNIT;
}

static bool set_link(const struct lab_flag *f, const char *text, double *to,
                     struct lab_message *m) {
    struct account_error e = {.what = ""};
    char rate[64] = "";
    size_t n = strcspn(text, ",");
    double *rate_of = to, *latency = to + 1;
    *rate_of = *latency = 0;
    if (strcmp(text, "none") == 0) return true;
    if (n < sizeof rate) memcpy(rate, text, n);
    bool bare = rate[strspn(rate, "0123456789.eE+")] == '\0';
    if (bare || !account_read_rate(rate, rate_of, &e) || !(*rate_of >= 1))
        return lab_fail(m, "--%s %s: give bytes per second and a latency, as 10GB/s,20us", f->name,
                        text);
    enum latency read = text[n] == ',' ? read_latency(text + n + 1, latency) : LATENCY_READ;
    if (read == LATENCY_RANGE)
        return lab_fail(m, "--%s %s: give a latency from 0 to 10 s", f->name, text);
    if (read == LATENCY_UNIT)
        return lab_fail(m, "--%s %s: the latency is in us, ms or s, as 10GB/s,20us", f->name, text);
    return true;
}

static bool set_slow(const char *text, struct lab_options *o, struct lab_message *m) {
    const char *rest = "";
    char rank[16] = "";
    uint64_t n = 0;
    size_t length = strcspn(text, ",");
    if (length < sizeof rank) memcpy(rank, text, length);
    if (!text[length] || !read_integer(rank, &n) || n > 63 ||
        !read_real(text + length + 1, &o->slow_times, &rest) || *rest || o->slow_times < 1 ||
        o->slow_times > 100)
        return lab_fail(m, "--slow %s: give a rank, and from 1 to 100 times, as 1,4", text);
    o->slow_rank = (uint32_t)n;
    return true;
}

static bool set_flag(const struct lab_flag *f, const char *value, struct lab_options *o,
                     struct lab_message *m) {
    char *to = (char *)o + f->at;
    bool on = true;
    switch (f->kind) {
    case LAB_FLAG_COUNT: return set_count(f, value, to, m);
    case LAB_FLAG_SEED: return set_seed(f, value, to, m);
    case LAB_FLAG_BYTES: return set_bytes(f, value, to, m);
    case LAB_FLAG_CHOICE: return set_choice(f, value, to, m);
    case LAB_FLAG_REAL: return set_real(f, value, to, m);
    case LAB_FLAG_TEXT: return set_text(f, value, to, m);
    case LAB_FLAG_MODEL: return set_model(value, o, m);
    case LAB_FLAG_LINK: return set_link(f, value, (double *)(void *)to, m);
    case LAB_FLAG_SLOW: return set_slow(value, o, m);
    case LAB_FLAG_ON: memcpy(to, &on, sizeof on); return true;
    }
    return false;
}

/* ── the command line ── */

/* "--bucket=1MB" and "--bucket" "1MB" are the same; *value is NULL in the second. */
static const struct lab_flag *find(const char *word, const char **value) {
    size_t n = strcspn(word, "=");
    *value = word[n] ? word + n + 1 : NULL;
    if (n < 3 || strncmp(word, "--", 2) != 0) return NULL;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strlen(flags[i].name) == n - 2 && strncmp(flags[i].name, word + 2, n - 2) == 0)
            return &flags[i];
    return NULL;
}

static bool is_shape(const struct lab_flag *f) {
    size_t end = AT(shape) + sizeof(struct lab_shape);
    return f->kind == LAB_FLAG_COUNT && f->at >= AT(shape) && f->at < end;
}

/* The model is read first: a shape's own numbers stand above it wherever they were written. */
static bool set_all(int argc, char **argv, struct lab_options *o, bool model,
                    struct lab_message *m) {
    for (int i = 1; i < argc; i++) {
        const char *value = NULL;
        const struct lab_flag *f = find(argv[i], &value);
        if (!f) return lab_fail(m, "%s: unknown option: see zerolab --help", argv[i]);
        bool takes = f->kind != LAB_FLAG_ON;
        if (!takes && value) return lab_fail(m, "--%s takes no value", f->name);
        if (takes && !value && i + 1 >= argc)
            return lab_fail(m, "--%s: a value is missing", f->name);
        if (takes && !value) value = argv[++i];
        if ((f->kind == LAB_FLAG_MODEL) != model) continue;
        if (!set_flag(f, value, o, m)) return false;
        if (is_shape(f)) (void)snprintf(o->model, sizeof o->model, "custom");
    }
    return true;
}

static bool uses_file(const struct lab_options *o) {
    return o->offload_optimizer == LAB_TIER_NVME || o->offload_params == LAB_TIER_NVME;
}

/* /var/tmp, because /tmp may be memory. */
static void set_usual_folder(struct lab_options *o) {
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder || strlen(folder) >= sizeof o->offload_dir) folder = "/var/tmp";
    (void)snprintf(o->offload_dir, sizeof o->offload_dir, "%s", folder);
}

bool lab_options_read(int argc, char **argv, struct lab_options *o, struct lab_message *m) {
    if (!set_all(argc, argv, o, true, m) || !set_all(argc, argv, o, false, m)) return false;
    /* A single rank does not communicate, and needs no NCCL. */
    if (o->device == LAB_CUDA && o->comm == LAB_SHM) o->comm = o->ranks > 1 ? LAB_NCCL : LAB_LOCAL;
    if (o->stall <= 0) o->stall = o->device == LAB_CUDA ? 60 : 4;
    if (uses_file(o) && !o->offload_dir[0]) set_usual_folder(o);
    return true;
}

/* ── whether the options agree with each other ── */

static bool check_shape(const struct lab_shape *s, struct lab_message *m) {
    if (s->width % s->heads)
        return lab_fail(m, "--heads %u does not divide --width %u: give heads that do", s->heads,
                        s->width);
    if ((double)s->layers * s->width * s->width * 12 > 0x1p40)
        return lab_fail(m, "--layers %u --width %u: more parameters than the lab can number",
                        s->layers, s->width);
    return true;
}

/* A BLAS would start fewer threads than were asked for, and say nothing. */
static bool check_threads(const struct lab_options *o, struct lab_message *m) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (o->threads && o->device != LAB_CPU)
        return lab_fail(m, "--threads works only on the CPU: leave it out, because GPUs compute "
                           "their own products");
    if (o->threads > 1 && lab_space_limited())
        return lab_fail(m,
                        "--threads %u: address space is limited (see ulimit -v, -d), so the "
                        "BLAS has one thread",
                        o->threads);
    if (o->predict || o->dry || cores < 1 || o->threads <= (unsigned long)cores) return true;
    return lab_fail(m, "--threads %u: this machine has %ld core%s: give at most as many",
                    o->threads, cores, cores == 1 ? "" : "s");
}

static bool check_places(const struct lab_options *o, struct lab_message *m) {
    if (o->comm == LAB_NCCL && o->device != LAB_CUDA)
        return lab_fail(m, "--comm nccl needs --device cuda: on the CPU choose shm or local");
    if (o->device == LAB_CUDA && (o->link_rate > 0 || o->net_rate > 0))
        return lab_fail(m, "--%s works only on the CPU: leave it out, because GPUs have real links",
                        o->link_rate > 0 ? "link" : "net");
    if (o->device == LAB_CUDA && o->shape.width > LAB_CUDA_WIDTH_MOST)
        return lab_fail(m, "--width %u: give at most %d on GPUs", o->shape.width,
                        LAB_CUDA_WIDTH_MOST);
    if (o->device == LAB_CUDA && o->batch > LAB_CUDA_BATCH_MOST)
        return lab_fail(m, "--batch %u: give at most %d on GPUs", o->batch, LAB_CUDA_BATCH_MOST);
    if (o->gpus > 1 && (o->device != LAB_CUDA || o->comm != LAB_LOCAL))
        return lab_fail(m, "--gpus is for --comm local on --device cuda: NCCL uses one GPU per "
                           "rank");
    if (o->links && o->ranks < 2)
        return lab_fail(m, "--links: one rank has no links: give --ranks 2");
    if (o->gpus > o->ranks)
        return lab_fail(m, "--gpus %u: give as many ranks at least: --ranks %u", o->gpus, o->gpus);
    if (o->share_gpu && o->comm != LAB_NCCL)
        return lab_fail(m, "--share-gpu is for --comm nccl: local shares the GPU anyway");
    return true;
}

static bool check_step(const struct lab_options *o, struct lab_message *m) {
    uint64_t rows = (uint64_t)o->batch * o->shape.seq;
    size_t e = lab_dtype_bytes(o->compute);
    if (rows > 0x7fffffffu / o->shape.heads)
        return lab_fail(m, "--batch %u: %llu tokens at a time are too many: accumulate instead",
                        o->batch, (unsigned long long)rows);
    if (o->bucket < e * o->ranks)
        return lab_fail(m, "--bucket %llu: give at least %zu bytes, an element for each rank",
                        (unsigned long long)o->bucket, e * o->ranks);
    if (o->loss_scale > 0 && o->compute != LAB_F16)
        return lab_fail(m, "--loss-scale is for --precision fp16: the others need none");
    if (o->slow_times > 0 && o->slow_rank >= o->ranks)
        return lab_fail(m, "--slow %u: ranks are numbered from 0 to %u", o->slow_rank,
                        o->ranks - 1);
    if (o->warmup > o->steps)
        return lab_fail(m, "--warmup %u: the run has only %u step%s", o->warmup, o->steps,
                        o->steps == 1 ? "" : "s");
    return true;
}

static bool check_groups(const struct lab_options *o, struct lab_message *m) {
    uint32_t g = o->shard_group;
    if (g == 0) return true;
    if (o->device == LAB_CUDA)
        return lab_fail(m, "--shard-group works only on the CPU: leave it out, or --device cpu");
    if (o->links)
        return lab_fail(m, "--shard-group: --links trains nothing: leave one of them out");
    if (o->stage == 0)
        return lab_fail(m, "--shard-group %u: stage 0 shards nothing: set --stage 1, 2 or 3", g);
    if (o->ranks % g)
        return lab_fail(m, "--shard-group %u does not divide --ranks %u: set a group that does", g,
                        o->ranks);
    return true;
}

/* The second copy is made of what forward gathers, among ranks that share the states. */
static bool check_second(const struct lab_options *o, struct lab_message *m) {
    uint32_t all = o->shard_group ? o->shard_group : o->ranks, h = o->hpz;
    if (h == 0) return true;
    if (o->device == LAB_CUDA)
        return lab_fail(m, "--hpz works only on the CPU: leave it out, or --device cpu");
    if (o->links) return lab_fail(m, "--hpz: --links trains nothing: leave one of them out");
    if (o->stage != 3)
        return lab_fail(m, "--hpz %u: stage %u keeps parameters whole: set --stage 3", h, o->stage);
    if (all % h)
        return lab_fail(m, "--hpz %u does not divide the %u rank%s the states: set one that does",
                        h, all, all == 1 ? " that shares" : "s that share");
    if (o->node && o->node % h && h % o->node)
        return lab_fail(m, "--gpus-per-node %u and --hpz %u: set one that divides the other",
                        o->node, h);
    return true;
}

/* A group lies in a node, or is made of whole ones, so that all ranks send alike. */
static bool check_nodes(const struct lab_options *o, struct lab_message *m) {
    uint32_t k = o->node, g = o->shard_group ? o->shard_group : o->ranks;
    if (k && o->device == LAB_CUDA)
        return lab_fail(m, "--gpus-per-node works only on the CPU: leave it out");
    if (k && o->ranks % k)
        return lab_fail(m, "--gpus-per-node %u does not divide --ranks %u: set a number that does",
                        k, o->ranks);
    if (k && k % g && g % k)
        return lab_fail(
            m, "--gpus-per-node %u and --shard-group %u: set one that divides the other", k, g);
    if (o->net_rate > 0 && !lab_has_nodes(o))
        return lab_fail(m, "--net: all ranks are on one node: set --gpus-per-node");
    return true;
}

/* The steps on which the learning rate depends are all those of the training, so --steps counts
 * from its start also if this run goes on from a checkpoint. */
static bool check_collectives(const struct lab_options *o, struct lab_message *m) {
    if (o->to && !o->links)
        return lab_fail(m, "--to is for collectives: zerolab collectives --to 16MB");
    if (o->to && o->to < o->from)
        return lab_fail(m, "--to is below --from: give at least as many bytes");
    if (o->to && (o->steps < 2 || o->steps > 1000))
        return lab_fail(m, "--steps %u: give 2 to 1000, of which the first warms up", o->steps);
    return true;
}

/* Where the stage has no use for a tier. DeepSpeed, too, has parameters leave only after the
 * optimizer (runtime/zero/stage3.py: "parameter offload is only available with optimizer
 * offload"). */
static bool check_tiers(const struct lab_options *o, struct lab_message *m) {
    bool away = o->offload_optimizer != LAB_TIER_DEVICE, params = o->offload_params;
    bool file = uses_file(o);
    if (params && o->stage != 3)
        return lab_fail(m, "--offload-params: stage %u keeps parameters whole: give --stage 3",
                        o->stage);
    if (away && o->shard_group == 1)
        return lab_fail(m, "--offload-optimizer: --shard-group 1 keeps the optimizer on every "
                           "rank: give a larger group");
    if (away && o->stage == 0)
        return lab_fail(m, "--offload-optimizer: stage 0 keeps the optimizer on every rank: give "
                           "--stage 1, 2 or 3");
    if (params && o->ranks == 1)
        return lab_fail(m,
                        "--offload-params: a rank that is alone gathers nothing: give --ranks 2");
    if (params && !away)
        return lab_fail(m, "--offload-params: the optimizer must leave first: give "
                           "--offload-optimizer host or nvme too");
    if (away && (o->device != LAB_CPU || o->links))
        return lab_fail(m, "--offload-optimizer: works only in training on the CPU: leave it out");
    if (!file && o->offload_dir[0])
        return lab_fail(m, "--offload-dir: no tier is nvme: leave it out");
    if (!away && o->host_rate > 0)
        return lab_fail(m, "--host-link: nothing is offloaded: give --offload-optimizer host");
    return file || o->nvme_rate <= 0 ||
           lab_fail(m, "--nvme-link: no tier is nvme: give --offload-optimizer nvme");
}

static bool check_saving(const struct lab_options *o, struct lab_message *m) {
    const char *idle = o->dry ? "--dry" : o->links ? "--links" : NULL;
    if (idle && (o->save[0] || o->resume[0]))
        return lab_fail(m, "--%s: %s trains nothing: leave one of them out",
                        o->save[0] ? "save" : "resume", idle);
    if (o->save_every && !o->save[0])
        return lab_fail(m, "--save-every %u: say where: --save DIR", o->save_every);
    return true;
}

bool lab_options_check(const struct lab_options *o, struct lab_message *m) {
    return check_shape(&o->shape, m) && check_places(o, m) && check_threads(o, m) &&
           check_step(o, m) && check_groups(o, m) && check_second(o, m) && check_nodes(o, m) &&
           check_saving(o, m) && check_collectives(o, m) && check_tiers(o, m) &&
           lab_bug_check(o, m);
}
