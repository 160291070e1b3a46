/* Initial values of the model: made on the host, put where this rank holds them, or written to a
 * file for a reference in another language. */
#include "lab/arith.h"
#include "lab/chance.h"
#include "lab/engine.h"
#include "lab/options.h"
#include "lab/out.h"
#include "lab/saved.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ── values ──
 *
 * Each follows from the seed, its tensor and its place alone, so that any rank can make any
 * part. */

/* Box and Muller's two normal values from one random number. */
static void normals(uint64_t bits, float *out) {
    float length = sqrtf(-2 * logf(((float)(bits >> 32) + 1) * 0x1p-32f));
    float angle = 6.2831853f * ((float)(bits & 0xffffffffu) * 0x1p-32f);
    out[0] = length * cosf(angle);
    out[1] = length * sinf(angle);
}

static void fill_normal(uint64_t key, float deviation, size_t from, size_t count, float *out) {
    float pair[2];
    for (size_t i = 0; i < count; i++) {
        size_t place = from + i;
        if (i == 0 || place % 2 == 0) normals(lab_chance(key, place / 2), pair);
        out[i] = deviation * pair[place % 2];
    }
}

static void fill_tensor(uint64_t key, const struct lab_tensor *t, size_t from, size_t count,
                        float *out) {
    if (t->deviation > 0) {
        fill_normal(key, (float)t->deviation, from, count, out);
        return;
    }
    for (size_t i = 0; i < count; i++) out[i] = t->deviation < 0 ? 1 : 0;
}

void lab_model_init_range(const struct lab_model *m, size_t unit, uint64_t seed, size_t from,
                          size_t count, float *out) {
    const struct lab_unit *u = &m->unit[unit];
    size_t end = from + count;
    for (size_t i = 0; i < u->tensors; i++) {
        const struct lab_tensor *t = &u->tensor[i];
        size_t first = t->offset > from ? t->offset : from;
        size_t last = t->offset + t->count < end ? t->offset + t->count : end;
        uint64_t key = lab_chance(seed, unit * LAB_TENSORS + i);
        if (first < last)
            fill_tensor(key, t, first - t->offset, last - first, out + (first - from));
    }
    size_t padding = from > u->count ? from : u->count;
    if (end > padding) memset(out + (padding - from), 0, (end - padding) * sizeof *out);
}

void lab_model_init(const struct lab_model *m, size_t unit, uint64_t seed, float *out) {
    lab_model_init_range(m, unit, seed, 0, m->unit[unit].count, out);
}

/* ── into the memory of a rank ──
 *
 * The host makes the values, because every device must have the same bits, with as many threads as
 * there are processors for this rank. They are uploaded in the type in which they are kept. If a
 * rank has both a parameter and its master copy, the values are made once. */

/* BUFFER: fp32 values that all threads of a rank together hold at a time. MANY: values that are
 * worth a thread. */
enum { BUFFER = 8192, THREADS_MOST = 16, MANY = 1 << 15 };

/* Elements of a unit, from `from` on, in a type. They come from the checkpoint if there is one. */
struct making {
    const struct lab_rank *rank;
    enum lab_array array;
    size_t unit, from;
    enum lab_dtype type;
    /* [BUFFER] */
    float *buffer;
};

static void store(enum lab_dtype type, void *to, size_t at, size_t n, const float *x) {
    if (type == LAB_F32) memcpy((float *)to + at, x, n * sizeof *x);
    for (size_t i = 0; type == LAB_BF16 && i < n; i++)
        ((uint16_t *)to)[at + i] = lab_float_to_bf16(x[i]);
    for (size_t i = 0; type == LAB_F16 && i < n; i++)
        ((uint16_t *)to)[at + i] = lab_float_to_f16(x[i]);
    for (size_t i = 0; type == LAB_F64 && i < n; i++) ((double *)to)[at + i] = (double)x[i];
}
struct part {
    const struct making *making;
    /* The unit's element with which this call begins, and this thread's range from there. */
    size_t first, begin, end;
    void *out;
    float *buffer;
    size_t space;
    pthread_t thread;
    bool started;
};
static void *make_part(void *self) {
    const struct part *p = self;
    const struct lab_rank *k = p->making->rank;
    size_t first = p->first + p->begin;
    if (k->saved && p->making->type == LAB_F32) { /* as it is stored: no buffer is needed */
        lab_saved_read(k->saved, p->making->array, p->making->unit, first, p->end - p->begin,
                       (float *)p->out + p->begin);
        return NULL;
    }
    for (size_t at = p->begin, n; at < p->end; at += n) {
        n = p->end - at < p->space ? p->end - at : p->space;
        if (k->saved)
            lab_saved_read(k->saved, p->making->array, p->making->unit, p->first + at, n,
                           p->buffer);
        else
            lab_model_init_range(k->model, p->making->unit, k->options->seed, p->first + at, n,
                                 p->buffer);
        store(p->making->type, p->out, at, n, p->buffer);
    }
    return NULL;
}

static size_t threads_for(const struct lab_rank *k, size_t n) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t share = processors > 0 ? (size_t)processors / k->options->ranks : 1, useful = n / MANY;
    share = share < useful ? share : useful;
    return share < 1 ? 1 : share < THREADS_MOST ? share : THREADS_MOST;
}
/* Makes bytes [at, at + bytes). If a thread cannot be started, this one does its part. */
static void make(void *self, size_t at, size_t bytes, void *out) {
    const struct making *m = self;
    struct part part[THREADS_MOST];
    size_t element = lab_dtype_bytes(m->type), n = bytes / element;
    size_t threads = threads_for(m->rank, n), space = BUFFER / threads;
    for (size_t i = 0; i < threads; i++) {
        part[i] = (struct part){.making = m,
                                .first = m->from + at / element,
                                .begin = n * i / threads,
                                .end = n * (i + 1) / threads,
                                .out = out,
                                .buffer = m->buffer + i * space,
                                .space = space};
        part[i].started = i && !pthread_create(&part[i].thread, NULL, make_part, &part[i]);
    }
    for (size_t i = 0; i < threads; i++)
        if (!part[i].started) make_part(&part[i]);
    for (size_t i = 0; i < threads; i++)
        if (part[i].started) (void)pthread_join(part[i].thread, NULL);
}
/* Writes elements [from, to) of a unit into memory of a device that starts with its element
 * `begin`. */
static void fill(struct lab_device *d, const struct making *shape, char *memory, size_t begin,
                 size_t from, size_t to) {
    struct making m = *shape;
    size_t element = lab_dtype_bytes(m.type);
    m.from = from;
    if (from >= to) return;
    memory += (from - begin) * element;
    if (d->row->upload_made)
        d->row->upload_made(d, memory, (to - from) * element, make, &m);
    else
        make(&m, 0, (to - from) * element, memory);
}

/* Whether each rank makes the values of its own range and gathers the others'. The optimizer must
 * not need more of them. GPUs would wait for a library that is not loaded yet, and an emulated link
 * would slow down what no run sends. */
static bool is_shared(const struct lab_rank *k) {
    const struct lab_options *o = k->options;
    bool link = o->link_rate > 0 || o->link_latency > 0 || o->net_rate > 0 || o->net_latency > 0;
    bool master = k->options->compute != LAB_F32 && !k->stage->shards_moments;
    return k->split.ranks > 1 && !k->stage->shards_params && !master && !link &&
           !k->device->row->upload_made;
}

static void init_unit(struct lab_rank *k, size_t u, float *buffer) {
    const struct lab_split *s = &k->split.unit[u];
    const struct lab_unit_state *state = &k->unit[u];
    struct lab_device *optimizer = lab_optimizer_device(k), *params = lab_params_device(k);
    size_t own = k->split.mine * s->shard, e = lab_element(k);
    bool part = k->stage->shards_params || is_shared(k);
    size_t begin = k->stage->shards_params ? own : 0, first = part ? own : 0,
           end = part ? own + s->shard : s->padded;
    size_t from = k->stage->shards_moments ? own : 0,
           to = k->stage->shards_moments ? own + s->shard : s->padded;
    struct making values = {.rank = k, .unit = u, .type = k->options->compute, .buffer = buffer};
    struct making master = values;
    master.type = LAB_F32;
    if (state->master) fill(optimizer, &master, (char *)state->master, from, from, to);
    if (!state->master || optimizer != k->device || params != k->device) {
        fill(params, &values, state->params, begin, first, end);
        return;
    }
    k->device->row->cast(k->device, state->params + (from - begin) * e, values.type, state->master,
                         LAB_F32, to - from);
    fill(params, &values, state->params, begin, first, from);
    fill(params, &values, state->params, begin, to, end);
}

/* Gathers the ranges of the others. That is not a part of the run, and not counted. */
static bool gather_values(struct lab_rank *k) {
    struct lab_comm *c = k->comm;
    uint64_t sent[LAB_COLLECTIVES], between = c->between;
    lab_comm_watch *watch = c->watch;
    lab_ticket ticket = 0;
    bool well = true;
    memcpy(sent, c->sent, sizeof sent);
    c->watch = NULL;
    for (size_t u = 0; well && u < k->split.units; u++)
        well = lab_gather_unit(k, u, k->unit[u].params, &ticket);
    well = well && c->row->wait(c, ticket, &k->message);
    c->watch = watch;
    memcpy(c->sent, sent, sizeof sent);
    c->between = between;
    return well;
}

bool lab_states_init(struct lab_rank *k) {
    struct lab_reservation reservation = {0};
    bool well = lab_reservation_make(&k->ledger, &reservation, ACCOUNT_WORKSPACE, LAB_HOST,
                                     BUFFER * sizeof(float)) &&
                lab_reservation_enter(&k->ledger, &reservation);
    for (size_t u = 0; well && !k->options->dry && u < k->split.units; u++)
        init_unit(k, u, reservation.memory);
    lab_reservation_free(&k->ledger, &reservation);
    if (well && !k->options->dry && is_shared(k)) return gather_values(k);
    return well;
}

/* Elements [from, to) of a unit's moments, which are in blocks, are read in fp32. */
static void fill_blocks(struct lab_device *d, const struct making *m, char *memory, size_t from,
                        size_t to) {
    float line[8 * LAB_QUANTUM];
    for (size_t at = from, n; at < to; at += n) {
        n = to - at < 8 * LAB_QUANTUM ? to - at : 8 * LAB_QUANTUM;
        lab_saved_read(m->rank->saved, m->array, m->unit, at, n, line);
        d->row->cast(d, memory + lab_dtype_size(m->type, at - from), m->type, line, LAB_F32, n);
    }
}

static void resume_moments(struct lab_rank *k, size_t unit, enum lab_updated a,
                           enum lab_array array) {
    const struct lab_split *s = &k->split.unit[unit];
    size_t from = k->stage->shards_moments ? k->split.mine * s->shard : 0;
    size_t to = k->stage->shards_moments ? from + s->shard : s->padded;
    char *memory = k->stage->shards_moments ? lab_mine_of(k, a, unit) : lab_whole_of(k, a, unit);
    struct making m = {.rank = k, .unit = unit, .type = lab_type_of(k, a), .array = array};
    if (m.type == LAB_F32)
        fill(lab_optimizer_device(k), &m, memory, from, from, to);
    else
        fill_blocks(lab_optimizer_device(k), &m, memory, from, to);
}

bool lab_states_resume(struct lab_rank *k) {
    for (size_t u = 0; k->saved && u < k->split.units; u++) {
        resume_moments(k, u, LAB_M, LAB_FIRST_MOMENTS);
        resume_moments(k, u, LAB_V, LAB_SECOND_MOMENTS);
    }
    return !k->saved || !k->saved->failed ||
           lab_fail(&k->message, "%.180s: could not be read whole", k->saved->path);
}

/* ── a file of weights: a header in text, then the values. model.h describes it ── */

static size_t tensors(const struct lab_model *m) {
    size_t n = 0;
    for (size_t i = 0; i < m->units; i++) n += m->unit[i].tensors;
    return n;
}

static void header(const struct lab_model *m, FILE *f) {
    const struct lab_shape *s = &m->shape;
    fprintf(f, "zerolab-weights 1\n%u %u %u %u %u\ntensors %zu\n", s->layers, s->width, s->heads,
            s->seq, s->vocab, tensors(m));
    for (size_t i = 0; i < m->units; i++)
        for (size_t t = 0; t < m->unit[i].tensors; t++) {
            const struct lab_tensor *x = &m->unit[i].tensor[t];
            fprintf(f, "%zu %s %zu %zu\n", i, x->name, x->rows, x->columns);
        }
    fputc('\n', f);
}

static bool write_all(const struct lab_model *m, uint64_t seed, FILE *f) {
    bool well = true;
    header(m, f);
    for (size_t i = 0; well && i < m->units; i++) {
        float *values = malloc(m->unit[i].count * sizeof *values);
        if (!values) return false;
        lab_model_init(m, i, seed, values);
        well = fwrite(values, sizeof *values, m->unit[i].count, f) == m->unit[i].count;
        free(values);
    }
    return well;
}

bool lab_weights_write(const struct lab_model *m, uint64_t seed, const char *path,
                       struct lab_message *e) {
    int fd = lab_out_create(path);
    FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (!f) {
        int error = errno;
        if (fd >= 0) (void)close(fd);
        return lab_fail(e, "%.200s: cannot be written: %s", path, lab_out_why(error));
    }
    bool written = write_all(m, seed, f);
    if (fclose(f) != 0 || !written)
        return lab_fail(e, "%.200s: could not be written whole: %s", path, strerror(errno));
    return true;
}
