/* The collectives against plain references, on threads and on processes; rounding; what is counted;
 * FIFO, overlap and the emulated link. */
#include "lab/ranks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* ── numbers: a slow reference that shares nothing with the code under test ── */

static const struct format {
    /* bits of the fraction; exponent of the smallest normal number */
    int fraction, lowest;
    double largest;
} formats[LAB_DTYPES] = {[LAB_F32] = {23, -126, 0x1.fffffep127},
                         [LAB_BF16] = {7, -126, 0x1.fep127},
                         [LAB_F16] = {10, -14, 65504},
                         [LAB_F64] = {52, -1022, 0x1.fffffffffffffp1023}};

/* x as the type would hold it: to nearest, ties to even; beyond the largest by half a step:
 * infinity. */
static double rounded(double x, enum lab_dtype type) {
    const struct format *f = &formats[type];
    int exponent;
    if (type == LAB_F64 || x == 0 || !isfinite(x)) return x;
    frexp(x, &exponent);
    int step = (exponent - 1 < f->lowest ? f->lowest : exponent - 1) - f->fraction;
    double y = ldexp(nearbyint(ldexp(x, -step)), step);
    return fabs(y) > f->largest ? copysign(INFINITY, x) : y;
}
static double decoded16(uint16_t h, enum lab_dtype type) {
    const struct format *f = &formats[type];
    int fraction = h & ((1 << f->fraction) - 1), exponent = (h & 0x7fff) >> f->fraction,
        most = 0x7fff >> f->fraction;
    double sign = h & 0x8000 ? -1 : 1;
    if (exponent == most) return fraction ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * ldexp(fraction, f->lowest - f->fraction);
    return sign * ldexp(fraction + (1 << f->fraction), f->lowest + exponent - 1 - f->fraction);
}
static double get(const void *from, enum lab_dtype type, size_t i) {
    if (type == LAB_F32) return ((const float *)from)[i];
    if (type == LAB_F64) return ((const double *)from)[i];
    return decoded16(((const uint16_t *)from)[i], type);
}
/* Writes a value that the type holds exactly. */
static void put(void *to, enum lab_dtype type, size_t i, double x) {
    if (type == LAB_F32) ((float *)to)[i] = (float)x;
    if (type == LAB_F64) ((double *)to)[i] = x;
    if (type != LAB_BF16 && type != LAB_F16) return;
    const struct format *f = &formats[type];
    int exponent;
    double m = frexp(fabs(x), &exponent);
    unsigned bits = x == 0 ? 0
                           : (unsigned)ldexp(m, f->fraction + 1) - (1U << f->fraction) +
                                 ((unsigned)(exponent - f->lowest) << f->fraction);
    ((uint16_t *)to)[i] = (uint16_t)(bits | (signbit(x) ? 0x8000U : 0));
}
static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}
/* Rank r's i-th number of a transfer: all the digits its type has, and of many sizes, so that the
 * order of a sum shows in its bits. */
static double number(enum lab_dtype type, uint64_t transfer, uint32_t r, size_t i) {
    uint64_t u = mixed(transfer * 0x9e3779b97f4a7c15U + r * 0x100000001b3U + i),
             one = 1ULL << formats[type].fraction;
    double x = ldexp((double)(one + (u >> 8) % one), (int)(u & 15) - 12 - formats[type].fraction);
    return u & 0x80 ? -x : x;
}
static double accumulated(double sum, double more, enum lab_dtype type) {
    return type == LAB_F64 ? sum + more : (double)(float)(sum + more);
}
static double sum_of(uint64_t transfer, uint32_t ranks, size_t i, enum lab_dtype type) {
    double sum = number(type, transfer, 0, i);
    for (uint32_t r = 1; r < ranks; r++) sum = accumulated(sum, number(type, transfer, r, i), type);
    return sum;
}

/* ── a random transfer, and what must come of it ── */

struct slot {
    struct lab_transfer x;
    uint64_t id;
    lab_ticket ticket;
    char *shared, *own,
        *pieces; /* [ranks][most] in the comm's memory; [ranks][most] and [most] private */
};
enum { SLOTS = 3, MOST = 5000 };
#define BEFORE 0x40000000U /* as if a rank: numbers that were there before an added sum */

static size_t some_count(uint64_t u) {
    static const size_t counts[] = {0, 1, 2, 3, 7, 31, 64, 257, 2047, 2048, 2049, MOST};
    return counts[u % (sizeof counts / sizeof *counts)];
}
static void fill(void *to, enum lab_dtype type, uint64_t id, uint32_t as, size_t first, size_t n) {
    for (size_t i = 0; i < n; i++) put(to, type, i, number(type, id, as, first + i));
}
/* A reduce-scatter, or an all-to-all, which is the same for values that are not in blocks. */
static bool scatters(const struct lab_transfer *x) {
    return x->op == LAB_REDUCE_SCATTER || x->op == LAB_ALL_TO_ALL;
}
static void begin(struct lab_comm *c, struct slot *s, uint64_t id) {
    uint64_t u = mixed(id);
    struct lab_transfer *x = &s->x;
    s->id = id;
    *x = (struct lab_transfer){.op = (enum lab_collective)(u % LAB_COLLECTIVES),
                               .count = some_count(u >> 8),
                               .type = (enum lab_dtype)(u >> 16 & 3),
                               .unit = -1};
    bool wide = x->type == LAB_F64, same = u >> 18 & 1, gather = x->op == LAB_ALL_GATHER,
         in_place = gather && (u >> 20 & 1);
    x->into = wide || same ? x->type : LAB_F32;
    x->add = scatters(x) && (u >> 19 & 1);
    size_t all = c->ranks * x->count, piece = x->count * lab_dtype_bytes(x->type);
    x->whole = gather && !in_place ? s->own : s->shared;
    x->shard = in_place ? s->shared + c->rank * piece : gather ? s->shared : s->pieces;
    if (gather)
        fill(x->shard, x->type, id, c->rank, 0, x->count);
    else
        fill(x->whole, x->type, id, c->rank, 0, all);
    if (scatters(x)) fill(x->shard, x->into, id, BEFORE, c->rank * x->count, x->count);
    s->ticket = c->row->start(c, x);
}
static double expected(const struct lab_comm *c, const struct slot *s, size_t i) {
    const struct lab_transfer *x = &s->x;
    size_t at = c->rank * x->count + i;
    switch (x->op) {
    case LAB_ALL_GATHER: return number(x->type, s->id, (uint32_t)(i / x->count), i % x->count);
    case LAB_BROADCAST: return number(x->type, s->id, 0, i);
    case LAB_ALL_REDUCE: return rounded(sum_of(s->id, c->ranks, i, x->type), x->type);
    default: break;
    }
    double sum = sum_of(s->id, c->ranks, at, x->type);
    return rounded(x->add ? accumulated(sum, number(x->into, s->id, BEFORE, at), x->type) : sum,
                   x->into);
}
static bool finish(struct lab_comm *c, struct slot *s, uint64_t *hash, char *said,
                   size_t capacity) {
    struct lab_message m;
    const struct lab_transfer *x = &s->x;
    if (!c->row->wait(c, s->ticket, &m)) return snprintf(said, capacity, "wait: %s", m.text), false;
    bool scatter = scatters(x);
    size_t n = scatter ? x->count : c->ranks * x->count;
    for (size_t i = 0; i < n; i++) {
        double got = get(scatter ? x->shard : x->whole, scatter ? x->into : x->type, i),
               want = expected(c, s, i);
        if (got == want) {
            uint64_t bits;
            memcpy(&bits, &got, sizeof bits);
            *hash = mixed(*hash + bits);
            continue;
        }
        snprintf(said, capacity, "transfer %llu, op %d of %zu × %s: [%zu] is %.17g, not %.17g",
                 (unsigned long long)s->id, (int)x->op, x->count, lab_dtype_name(x->type), i, got,
                 want);
        return false;
    }
    return true;
}

/* Up to SLOTS transfers at a time. The argument: how many. Says a hash of all results, and what was
 * sent. */
static bool random_transfers(struct lab_comm *c, const char *argument, char *said,
                             size_t capacity) {
    uint64_t many = strtoull(argument, NULL, 10), hash = 0, formula[LAB_COLLECTIVES] = {0};
    struct slot slot[SLOTS] = {{.id = 0}};
    bool well = true;
    for (int i = 0; i < SLOTS; i++) {
        slot[i].shared = c->row->alloc(c, MOST * 8 * c->ranks);
        slot[i].own = malloc(MOST * 8 * c->ranks);
        slot[i].pieces = malloc(MOST * 8);
    }
    for (uint64_t t = 1; well && t < many + SLOTS; t++) {
        struct slot *s = &slot[t % SLOTS];
        if (s->id) well = finish(c, s, &hash, said, capacity);
        s->id = 0;
        if (!well || t > many) continue;
        begin(c, s, t);
        formula[s->x.op] += lab_transfer_sent(&s->x, c->rank, c->ranks);
    }
    for (int i = 0; i < SLOTS; i++) {
        well = well && (!slot[i].id || finish(c, &slot[i], &hash, said, capacity));
        free(slot[i].own);
        free(slot[i].pieces);
    }
    if (!well) return false;
    snprintf(said, capacity, "hash %016llx", (unsigned long long)hash);
    if (memcmp(formula, c->sent, sizeof formula))
        return snprintf(said, capacity, "sent is not what the formula says"), false;
    return true;
}

/* ── other jobs ── */

/* Sums in pieces of any size give the bits of one sum in one piece. */
static bool partitions(struct lab_comm *c, const char *argument, char *said, size_t capacity) {
    enum { N = 6000 };
    (void)argument;
    struct lab_message m;
    float *whole = c->row->alloc(c, N * c->ranks * sizeof *whole),
          *sums[2] = {calloc(N, sizeof(float)), calloc(N, sizeof(float))};
    float *packed = c->row->alloc(c, N * c->ranks * sizeof *packed);
    fill(whole, LAB_F32, 1, c->rank, 0, N * c->ranks);
    struct lab_transfer x = {
        .op = LAB_REDUCE_SCATTER, .whole = whole, .shard = sums[0], .count = N};
    bool well = c->row->wait(c, c->row->start(c, &x), &m);
    for (size_t a = 0, b, k = 0; well && a < N; a = b, k++) {
        b = a + 1 + mixed(k) % 900;
        if (b > N) b = N;
        for (uint32_t r = 0; r < c->ranks; r++)
            memcpy(packed + r * (b - a), whole + r * N + a, (b - a) * sizeof(float));
        x = (struct lab_transfer){
            .op = LAB_REDUCE_SCATTER, .whole = packed, .shard = sums[1] + a, .count = b - a};
        well = c->row->wait(c, c->row->start(c, &x), &m);
    }
    bool same = well && !memcmp(sums[0], sums[1], N * sizeof(float));
    snprintf(said, capacity, "%s", !well ? m.text : same ? "the same bits" : "other bits");
    free(sums[0]);
    free(sums[1]);
    return same;
}

static bool control(struct lab_comm *c, const char *argument, char *said, size_t capacity) {
    (void)argument;
    struct lab_message m = {""};
    double all[LAB_RANKS_MAX];
    bool well = true;
    for (uint32_t k = 0; well && k < 500; k++) {
        well = c->row->exchange(c, k * 100 + c->rank, all, &m);
        for (uint32_t r = 0; r < c->ranks; r++) well = well && all[r] == k * 100 + r;
        if (k % 50 == 0) well = well && c->row->barrier(c, &m);
    }
    well = well && c->control == 500 * 8 * (c->ranks - 1) && c->sent[LAB_ALL_GATHER] == 0;
    snprintf(said, capacity, "control %llu %s", (unsigned long long)c->control, m.text);
    return well;
}

struct seen {
    struct lab_comm_times times[8];
    uint64_t sent[8];
    int units[8], count;
};
static void see(void *self, const struct lab_transfer *x, uint64_t sent,
                const struct lab_comm_times *times) {
    struct seen *s = self;
    s->units[s->count] = x->unit;
    s->sent[s->count] = sent;
    s->times[s->count++] = *times;
}
/* Looks at what the communication thread may be writing: a race, and meant. */
__attribute__((no_sanitize("thread"))) static float peek(const volatile float *at) {
    return *at;
}
/* Three gathers over a slow link. Compute goes on until it sees the third one's data, without
 * having waited for anything: so the two before are done, and waiting for them exposes nothing. All
 * are told in order, none began before the one before had ended, and none was faster than the
 * link. */
static bool overlap(struct lab_comm *c, const char *argument, char *said, size_t capacity) {
    (void)argument;
    struct seen seen = {.count = 0};
    struct lab_message m = {""};
    struct timespec nap = {.tv_nsec = 1000000};
    enum { N = 1000 };
    float *mine = c->row->alloc(c, N * sizeof *mine),
          *whole = calloc(N * c->ranks, 3 * sizeof *whole);
    c->watch = see;
    c->watch_self = &seen;
    for (size_t i = 0; i < N; i++) mine[i] = 1;
    lab_ticket last = 0;
    for (int k = 0; k < 3; k++) {
        struct lab_transfer x = {.op = LAB_ALL_GATHER,
                                 .whole = whole + (size_t)k * N * c->ranks,
                                 .shard = mine,
                                 .count = N,
                                 .unit = k};
        last = c->row->start(c, &x);
    }
    while (peek(whole + 3 * N * c->ranks - 1) != 1) nanosleep(&nap, NULL);
    bool before = seen.count == 0, well = c->row->wait(c, last, &m) && seen.count == 3 && before;
    double link = 0.02 * (c->ranks - 1) + (c->ranks - 1) * N * sizeof(float) / 1e6, exposed = 0;
    for (int k = 0; well && k < 3; k++) {
        const struct lab_comm_times *t = &seen.times[k];
        well = seen.units[k] == k && seen.sent[k] == (c->ranks - 1) * N * sizeof(float) &&
               t->arrived >= t->started - 1e-9 && t->ended >= t->arrived + link - 1e-6 &&
               (k == 0 || t->started >= t[-1].ended) && (k == 2 || t->exposed == 0);
        exposed += t->exposed;
    }
    snprintf(said, capacity, "%s", well ? "in order" : m.text);
    if (well && c->rank == 0)
        fprintf(stderr, "# %s: link %.3f s each, exposed %.3f s of three\n", c->row->name, link,
                exposed);
    free(whole);
    return well;
}

/* Ranks that do not start the same transfer are told so, all of them; so is one whose memory peers
 * cannot read. */
static bool refused(struct lab_comm *c, const char *argument, char *said, size_t capacity) {
    static float private[64];
    struct lab_message m = {""};
    bool shared = !strcmp(argument, "count");
    void *memory = shared ? c->row->alloc(c, sizeof private) : private;
    struct lab_transfer x = {
        .op = LAB_ALL_REDUCE, .whole = memory, .count = shared ? 4 + c->rank : 4};
    bool refused = !c->row->wait(c, c->row->start(c, &x), &m);
    const char *want = shared ? "must start the same transfers" : "peers cannot read";
    snprintf(said, capacity, "%s", refused && strstr(m.text, want) ? want : m.text);
    return refused && (strstr(m.text, want) || (!shared && strstr(m.text, "left the run")));
}

/* The same offsets on every rank, zeroed even when used before; what is given back is no longer
 * held. */
static bool memory(struct lab_comm *c, const char *argument, char *said, size_t capacity) {
    (void)argument;
    char *taken[20] = {0}, *base = c->row->alloc(c, 1);
    uint64_t hash = 0, held;
    for (uint64_t k = 0; k < 400; k++) {
        size_t i = mixed(k) % 20, bytes = 1 + mixed(k + 1000) % 50000;
        if (taken[i]) c->row->free(c, taken[i], 0);
        if (!(taken[i] = c->row->alloc(c, bytes)))
            return snprintf(said, capacity, "%s", c->trouble), false;
        for (size_t b = 0; b < bytes; b++)
            if (taken[i][b]) return snprintf(said, capacity, "not zeroed"), false;
        memset(taken[i], 1, bytes);
        hash = mixed(hash + (uint64_t)(taken[i] - base));
    }
    held = c->row->resident(c);
    for (int i = 0; i < 20; i++)
        if (taken[i]) c->row->free(c, taken[i], 0);
    snprintf(said, capacity, "offsets %016llx, held %llu, then %llu", (unsigned long long)hash,
             (unsigned long long)held, (unsigned long long)c->row->resident(c));
    bool refuses = !c->row->alloc(c, SIZE_MAX / 4) && strstr(c->trouble, "more than");
    return refuses && held >= 20 * 4096 && c->row->resident(c) == 4096;
}

static const struct named_job jobs[] = {{"random", random_transfers},
                                        {"partitions", partitions},
                                        {"control", control},
                                        {"overlap", overlap},
                                        {"refused", refused},
                                        {"memory", memory},
                                        {NULL, NULL}};
static const struct named_job *the(const char *name) {
    const struct named_job *j = jobs;
    while (strcmp(j->name, name)) j++;
    return j;
}
/* Runs on threads and on processes; both must be well, and each rank must say the same on both. */
static void on_both(const char *name, uint32_t ranks, const char *argument, double link_rate,
                    double link_latency) {
    struct outcome out[2];
    for (int shm = 0; shm < 2; shm++) {
        struct lab_options o = ranks_options(shm ? LAB_SHM : LAB_LOCAL, ranks);
        o.link_rate = link_rate;
        o.link_latency = link_latency;
        out[shm] = ranks_run(the(name), &o, argument);
        assert_true(out[shm].well);
    }
    for (uint32_t r = 0; r < ranks; r++) {
        assert_string_not_equal(out[0].said[r], "");
        assert_string_equal(out[0].said[r], out[1].said[r]);
    }
}

static void test_random(void **state) {
    (void)state;
    for (uint32_t ranks = 1; ranks <= 5; ranks++)
        on_both("random", ranks, ranks == 3 ? "2000" : "400", 0, 0);
}
static void test_partitions(void **state) {
    (void)state;
    for (uint32_t ranks = 1; ranks <= 5; ranks++) on_both("partitions", ranks, "", 0, 0);
}
static void test_control(void **state) {
    (void)state;
    for (uint32_t ranks = 1; ranks <= 5; ranks++) on_both("control", ranks, "", 0, 0);
}
static void test_overlap(void **state) {
    (void)state;
    for (uint32_t ranks = 1; ranks <= 4; ranks++) on_both("overlap", ranks, "", 1e6, 0.02);
}
static void test_memory(void **state) {
    (void)state;
    on_both("memory", 3, "", 0, 0);
}
static void test_refused(void **state) {
    (void)state;
    struct lab_options o = ranks_options(LAB_LOCAL, 3);
    assert_true(ranks_run(the("refused"), &o, "count").well);
    assert_true(ranks_run(the("refused"), &o, "private").well);
}

/* One rank's reduce-scatter is nothing but a conversion: all 16-bit numbers wide, and many fp32
 * numbers narrow. */
static struct lab_comm *alone(struct lab_local **shared) {
    struct lab_options o = ranks_options(LAB_LOCAL, 1);
    struct lab_message m;
    *shared = lab_local_new(&o, &m);
    assert_non_null(*shared);
    return lab_local_open(*shared, 0, &m);
}
static void convert(struct lab_comm *c, void *to, enum lab_dtype into, void *from,
                    enum lab_dtype type, size_t n) {
    struct lab_message m;
    struct lab_transfer x = {.op = LAB_REDUCE_SCATTER,
                             .whole = from,
                             .shard = to,
                             .count = n,
                             .type = type,
                             .into = into};
    assert_true(c->row->wait(c, c->row->start(c, &x), &m));
}
static void test_rounding(void **state) {
    (void)state;
    enum { N = 65536 };
    static uint16_t narrow[N], again[N];
    static float wide[N];
    struct lab_local *shared;
    struct lab_comm *c = alone(&shared);
    for (enum lab_dtype type = LAB_BF16; type <= LAB_F16; type++) {
        for (size_t i = 0; i < N; i++) narrow[i] = (uint16_t)i;
        convert(c, wide, LAB_F32, narrow, type, N);
        convert(c, again, type, wide, LAB_F32, N);
        for (size_t i = 0; i < N; i++) {
            double want = decoded16((uint16_t)i, type);
            if (isnan(want))
                assert_true(isnan(wide[i]) && isnan(decoded16(again[i], type)));
            else if (wide[i] != want || !signbit(wide[i]) != !signbit(want) || again[i] != i)
                fail_msg("%s %04zx is %a, not %a; back it is %04x", lab_dtype_name(type), i,
                         wide[i], want, again[i]);
        }
        for (int round = 0; round < 24; round++) {
            for (size_t i = 0; i < N; i++) {
                /* sizes round fp16's ends */
                uint32_t u = (uint32_t)mixed(i * 24 + (uint64_t)round) &
                             (round % 3 ? 0xffffffff : 0xfffff000) /* ties */;
                if (round % 2) u = (u & 0x87ffffff) | 0x30000000 | (u & 0x08000000) << 3;
                memcpy(&wide[i], &u, sizeof u);
            }
            convert(c, narrow, type, wide, LAB_F32, N);
            for (size_t i = 0; i < N; i++) {
                double got = decoded16(narrow[i], type), want = rounded(wide[i], type);
                if (isnan(wide[i]))
                    assert_true(isnan(got));
                else if (got != want || !signbit(got) != !signbit(wide[i]))
                    fail_msg("%a becomes %a, not %a", wide[i], got, want);
            }
        }
    }
    c->row->close(c);
    lab_local_free(shared);
}

static void note_sent(void *self, const struct lab_transfer *x, uint64_t sent,
                      const struct lab_comm_times *times) {
    (void)x, (void)times;
    *(uint64_t *)self += sent;
}
static void test_null(void **state) {
    (void)state;
    struct lab_message m;
    struct lab_comm *c = lab_null_comm(1, 4);
    uint64_t watched = 0;
    c->watch = note_sent;
    c->watch_self = &watched;
    lab_ticket t = 0;
    for (size_t k = 0; k < 1000; k++) {
        struct lab_transfer x = {
            .op = k % 2 ? LAB_ALL_REDUCE : LAB_ALL_GATHER, .count = k, .type = LAB_BF16};
        t = c->row->start(c, &x);
    }
    assert_int_equal(watched, 0);
    assert_true(c->row->wait(c, t, &m));
    assert_int_equal(c->sent[LAB_ALL_GATHER], 3 * 2 * 249500);
    assert_int_equal(c->sent[LAB_ALL_REDUCE], 2 * 3 * 2 * 250000);
    assert_int_equal(watched, c->sent[LAB_ALL_GATHER] + c->sent[LAB_ALL_REDUCE]);
    double all[4] = {0};
    assert_true(c->row->exchange(c, 7, all, &m) && all[3] == 7);
    assert_int_equal(c->control, 24);
    void *a = c->row->alloc(c, 0), *b = c->row->alloc(c, 100);
    assert_true(a && b && a != b);
    c->row->close(c);
}

int main(int argc, char **argv) {
    int rank = ranks_main(argc, argv, jobs);
    if (rank >= 0) return rank;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounding),   cmocka_unit_test(test_random),
        cmocka_unit_test(test_partitions), cmocka_unit_test(test_control),
        cmocka_unit_test(test_overlap),    cmocka_unit_test(test_memory),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
