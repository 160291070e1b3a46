/* The command line: every flag with its default, how a value is read, and whether the options agree
 * with each other. */
#include "lab/options.h"

#include "account/account.h"
#include "lab/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    {"qwz",        LAB_FLAG_CHOICE, AT(qwz),        .choices = "off|on"},
    {"qgz",        LAB_FLAG_CHOICE, AT(qgz),        .choices = "off|on"},
    {"model",      LAB_FLAG_MODEL,  0, .off = NULL},
    {"layers",     LAB_FLAG_COUNT,  AT(shape.layers), .least = 1, .most = 1024},
    {"width",      LAB_FLAG_COUNT,  AT(shape.width),  .least = 1, .most = 65536},
    {"heads",      LAB_FLAG_COUNT,  AT(shape.heads),  .least = 1, .most = 1024},
    {"seq",        LAB_FLAG_COUNT,  AT(shape.seq),    .least = 1, .most = 65536},
    {"vocab",      LAB_FLAG_COUNT,  AT(shape.vocab),  .least = 2, .most = 1u << 20},
    {"untied",     LAB_FLAG_ON,     AT(shape.untied), .off = NULL},
    {"batch",      LAB_FLAG_COUNT,  AT(batch),      .least = 1, .most = 65536},
    {"steps",      LAB_FLAG_COUNT,  AT(steps),      .least = 1, .most = 100000000},
    {"accumulate", LAB_FLAG_COUNT,  AT(accumulate), .least = 1, .most = 65536},
    {"prefetch",   LAB_FLAG_COUNT,  AT(prefetch),   .least = 0, .most = 2},
    {"seed",       LAB_FLAG_SEED,   AT(seed), .off = NULL},
    {"precision",  LAB_FLAG_CHOICE, AT(compute),    .choices = "fp32|bf16|fp16"},
    {"grad-dtype", LAB_FLAG_CHOICE, AT(grad_dtype), .choices = "auto|fp32"},
    {"sparse-gradients", LAB_FLAG_ON, AT(sparse_gradients), .off = NULL},
    {"optimizer",  LAB_FLAG_CHOICE, AT(optimizer),  .choices = "adamw|adam8bit"},
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
    {"update",     LAB_FLAG_CHOICE, AT(update), .choices = "shard|tensor"},
    {"launch",     LAB_FLAG_REAL,   AT(launch), .off = "off"},
    {"plant-bug",  LAB_FLAG_CHOICE, AT(bug),
     .choices = "none|forgotten-mean|local-norm|kept-grads|missing-gather|late-reduce|"
                "stale-prefetch|same-data|lost-bucket", .most = LAB_BUGS - 1},
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

uint32_t lab_sharers(const struct lab_options *o) {
    return o->shard_group > 1 ? o->shard_group : o->ranks;
}

enum lab_dtype lab_grads_type(const struct lab_options *o) {
    return o->grad_dtype == LAB_WIDE_GRADS ? LAB_F32 : o->compute;
}

size_t lab_grain(const struct lab_options *o) {
    return o->optimizer == LAB_ADAM8BIT || o->qwz || o->qgz ? LAB_QUANTUM : 1;
}

uint64_t lab_bucket_least(const struct lab_options *o) {
    return lab_dtype_bytes(lab_grads_type(o)) * o->ranks * lab_grain(o);
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
        return lab_fail(m, "--%s %s: use a whole number from %u to %u", f->name, text, f->least,
                        f->most);
    uint32_t value = (uint32_t)n;
    memcpy(to, &value, sizeof value);
    return true;
}

static bool set_seed(const struct lab_flag *f, const char *text, void *to, struct lab_message *m) {
    uint64_t n = 0;
    if (!read_integer(text, &n)) return lab_fail(m, "--%s %s: use a whole number", f->name, text);
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
    if (bytes > 0x1p62) return lab_fail(m, "--%s %s: too large: use at most 4 EiB", f->name, text);
    if (bytes < 1)
        return lab_fail(m, "--%s %s: use at least a byte%s%s", f->name, text, f->off ? ", or " : "",
                        f->off ? f->off : "");
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
    long number = strtol(text, NULL, 10);
    if (n == 1 && number > 0 && number <= (long)f->most) {
        index = (int)number;
        memcpy(to, &index, sizeof index);
        return true;
    }
    return lab_fail(m, "--%s %s: choose one of %s", f->name, text, f->choices);
}

static bool set_real(const struct lab_flag *f, const char *text, void *to, struct lab_message *m) {
    const char *rest = "";
    double value = 0;
    bool off = f->off && strcmp(text, f->off) == 0;
    if (!off && (!read_real(text, &value, &rest) || *rest || value <= 0))
        return lab_fail(m, "--%s %s: use a number above 0%s%s", f->name, text,
                        f->off ? ", or " : "", f->off ? f->off : "");
    memcpy(to, &value, sizeof value);
    return true;
}

static bool set_text(const struct lab_flag *f, const char *text, char *to, struct lab_message *m) {
    if (strlen(text) >= 256 || *text == '\0')
        return lab_fail(m, "--%s: use a name of 1 to 255 bytes", f->name);
    memcpy(to, text, strlen(text) + 1);
    return true;
}

static bool set_model(const char *text, struct lab_options *o, struct lab_message *m) {
    struct lab_shape shape;
    if (!lab_shape_find(text, &shape))
        return lab_fail(
            m, "--model %s: choose one of %s, or set --layers --width --heads --seq --vocab", text,
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
        return lab_fail(m, "--%s %s: write bytes per second and a latency, as in 10GB/s,20us",
                        f->name, text);
    enum latency read = text[n] == ',' ? read_latency(text + n + 1, latency) : LATENCY_READ;
    if (read == LATENCY_RANGE)
        return lab_fail(m, "--%s %s: use a latency from 0 to 10 s", f->name, text);
    if (read == LATENCY_UNIT)
        return lab_fail(m, "--%s %s: write the latency in us, ms or s, as in 10GB/s,20us", f->name,
                        text);
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
        return lab_fail(m, "--slow %s: use a rank, and from 1 to 100 times, as 1,4", text);
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
    case LAB_FLAG_CHOICE:
        if (f->most) o->unnamed_bug = *value >= '0' && *value <= '9';
        return set_choice(f, value, to, m);
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

bool lab_computes(const struct lab_options *o) {
    return !o->predict && !o->dry;
}

bool lab_uses_file(const struct lab_options *o) {
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
    if (lab_uses_file(o) && !o->offload_dir[0]) set_usual_folder(o);
    return true;
}
