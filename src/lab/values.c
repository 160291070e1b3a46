/* Initial values on their way to where they are held. The host makes them, since every device must have the same bits, with as many threads as there are
 * processors for this rank; they go up in the type in which they are kept, and where a rank has both a parameter and its master copy, they are
 * made once. */
#include "lab/arith.h"
#include "lab/engine.h"

#include <pthread.h>
#include <unistd.h>

/* ROOM: values of fp32 that are under way in this rank, of all its threads together. MANY: what is worth a thread. */
enum { ROOM = 8192, THREADS_MOST = 16, MANY = 1 << 15 };

struct making { /* elements of a unit, from `from` on, in a type */
    const struct lab_rank *rank;
    size_t unit, from;
    enum lab_dtype type;
    float *reservation; /* [ROOM] */
};

/* ── one thread's part ── */

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
    size_t first, begin,
        end; /* of what is made now: its first element of the unit; this thread's */
    void *out;
    float *reservation;
    size_t space;
    pthread_t thread;
    bool started;
};
static void *make_part(void *self) {
    const struct part *p = self;
    const struct lab_rank *k = p->making->rank;
    for (size_t at = p->begin, n; at < p->end; at += n) {
        n = p->end - at < p->space ? p->end - at : p->space;
        lab_model_init_range(k->model, p->making->unit, k->options->seed, p->first + at, n,
                             p->reservation);
        store(p->making->type, p->out, at, n, p->reservation);
    }
    return NULL;
}

/* ── all of them ── */

static size_t threads_for(const struct lab_rank *k, size_t n) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t share = processors > 0 ? (size_t)processors / k->options->ranks : 1, useful = n / MANY;
    share = share < useful ? share : useful;
    return share < 1 ? 1 : share < THREADS_MOST ? share : THREADS_MOST;
}
/* Bytes [at, at + bytes) of what is made. A thread that is not to be had is done without. */
static void make(void *self, size_t at, size_t bytes, void *out) {
    const struct making *m = self;
    struct part part[THREADS_MOST];
    size_t element = lab_dtype_bytes(m->type), n = bytes / element;
    size_t threads = threads_for(m->rank, n), space = ROOM / threads;
    for (size_t i = 0; i < threads; i++) {
        part[i] = (struct part){.making = m,
                                .first = m->from + at / element,
                                .begin = n * i / threads,
                                .end = n * (i + 1) / threads,
                                .out = out,
                                .reservation = m->reservation + i * space,
                                .space = space};
        part[i].started = i && !pthread_create(&part[i].thread, NULL, make_part, &part[i]);
    }
    for (size_t i = 0; i < threads; i++)
        if (!part[i].started) make_part(&part[i]);
    for (size_t i = 0; i < threads; i++)
        if (part[i].started) (void)pthread_join(part[i].thread, NULL);
}
/* Elements [from, to) of a unit into memory that begins with element `begin` of it. */
static void fill(struct lab_rank *k, const struct making *shape, char *memory, size_t begin,
                 size_t from, size_t to) {
    struct making m = *shape;
    size_t element = lab_dtype_bytes(m.type);
    m.from = from;
    if (from >= to) return;
    memory += (from - begin) * element;
    if (k->device->row->upload_made)
        k->device->row->upload_made(k->device, memory, (to - from) * element, make, &m);
    else
        make(&m, 0, (to - from) * element, memory);
}

static void init_unit(struct lab_rank *k, size_t u, float *reservation) {
    const struct lab_split *s = &k->split.unit[u];
    const struct lab_unit_state *state = &k->unit[u];
    size_t own = k->comm->rank * s->shard, e = lab_element(k);
    size_t begin = k->stage->shards_params ? own : 0,
           end = k->stage->shards_params ? own + s->shard : s->padded;
    size_t from = k->stage->shards_moments ? own : 0,
           to = k->stage->shards_moments ? own + s->shard : s->padded;
    struct making values = {k, u, 0, k->options->compute, reservation}, master = values;
    master.type = LAB_F32;
    if (!state->master) {
        fill(k, &values, state->params, begin, begin, end);
        return;
    }
    fill(k, &master, (char *)state->master, from, from, to);
    k->device->row->cast(k->device, state->params + (from - begin) * e, values.type, state->master,
                         LAB_F32, to - from);
    fill(k, &values, state->params, begin, begin, from);
    fill(k, &values, state->params, begin, to, end);
}

bool lab_states_init(struct lab_rank *k) {
    struct lab_reservation reservation = {0};
    bool well = lab_reservation_make(&k->ledger, &reservation, ACCOUNT_WORKSPACE, LAB_HOST,
                                     ROOM * sizeof(float)) &&
                lab_reservation_enter(&k->ledger, &reservation);
    for (size_t u = 0; well && !k->options->dry && u < k->split.units; u++)
        init_unit(k, u, reservation.memory);
    lab_reservation_free(&k->ledger, &reservation);
    return well;
}
