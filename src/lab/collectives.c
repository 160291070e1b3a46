/* Times of collectives are collected, fitted and told. */
#include "lab/collectives.h"

#include "lab/json.h"

#include <inttypes.h>
#include <stdlib.h>

enum { OPS = LAB_ALL_TO_ALL };

/* ── sizes ─────────────────────────────────────────────────────────────────────────────────────*/
uint64_t lab_whole(const struct lab_options *o, uint64_t bytes) {
    uint64_t piece = (uint64_t)o->ranks * lab_dtype_bytes(o->compute);
    return bytes < piece ? piece : bytes / piece * piece;
}

static size_t add(uint64_t *size, size_t n, uint64_t bytes) {
    if (n < LAB_SIZES_MOST && (n == 0 || size[n - 1] < bytes)) size[n++] = bytes;
    return n;
}

size_t lab_sizes(const struct lab_options *o, uint64_t size[LAB_SIZES_MOST]) {
    size_t n = 0;
    if (!o->to) return 0;
    for (uint64_t bytes = o->from; bytes <= o->to && n + 1 < LAB_SIZES_MOST; bytes *= o->factor)
        n = add(size, n, lab_whole(o, bytes));
    return add(size, n, lab_whole(o, 2 * o->to));
}

/* ── what ranks say ────────────────────────────────────────────────────────────────────────────*/
struct lab_sweep {
    const struct lab_options *options;
    size_t sizes, most;
    uint64_t size[LAB_SIZES_MOST];
    /* [OPS][sizes]: how many of the `most` times that belong to each were heard. */
    size_t *heard;
    /* [OPS][sizes][most] seconds */
    double *seconds;
};

struct lab_sweep *lab_sweep_new(const struct lab_options *o) {
    struct lab_sweep *s = o->to ? calloc(1, sizeof *s) : NULL;
    if (!s) return NULL;
    s->options = o;
    s->sizes = lab_sizes(o, s->size);
    s->most = (size_t)(o->steps - 1) * o->ranks;
    s->heard = calloc(OPS * s->sizes, sizeof *s->heard);
    s->seconds = calloc(OPS * s->sizes * s->most, sizeof *s->seconds);
    if (s->heard && s->seconds) return s;
    lab_sweep_free(s);
    return NULL;
}

void lab_sweep_free(struct lab_sweep *s) {
    if (!s) return;
    free(s->heard);
    free(s->seconds);
    free(s);
}

void lab_sweep_hear(struct lab_sweep *s, const struct lab_report *r) {
    const struct lab_says_comm *c = &r->as.comm;
    int size = r->where.unit;
    if ((int)c->op >= OPS || size < 0 || (size_t)size >= s->sizes || r->where.step < 2) return;
    size_t row = (size_t)c->op * s->sizes + (size_t)size;
    if (s->heard[row] == s->most) return;
    s->seconds[row * s->most + s->heard[row]++] = c->end - c->start - c->skew;
}

/* ── what follows ──────────────────────────────────────────────────────────────────────────────*/
static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const struct lab_sweep *s, enum lab_collective op, size_t size) {
    size_t row = (size_t)op * s->sizes + size, n = s->heard[row];
    double *of = s->seconds + row * s->most;
    if (n == 0) return 0;
    qsort(of, n, sizeof *of, by_value);
    return n % 2 ? of[n / 2] : (of[n / 2 - 1] + of[n / 2]) / 2;
}

/* Hops of the ring, and bytes that a rank sends, by the collective. */
static struct account_link_point point_of(const struct lab_sweep *s, enum lab_collective op,
                                          size_t size) {
    double ranks = s->options->ranks, times = op == LAB_ALL_REDUCE ? 2 : 1;
    return (struct account_link_point){.hops = times * (ranks - 1),
                                       .bytes = times * (ranks - 1) / ranks * (double)s->size[size],
                                       .seconds = median(s, op, size)};
}

struct fitted {
    struct account_link_fit fit;
    bool known;
    /* The largest size, as the fit has it. */
    double predicted;
};

static struct fitted fit(const struct lab_sweep *s, enum lab_collective op) {
    struct account_link_point p[LAB_SIZES_MOST];
    struct fitted f;
    for (size_t i = 0; i < s->sizes; i++) p[i] = point_of(s, op, i);
    f.known = account_fit_link(p, s->sizes - 1, &f.fit);
    const struct account_link_point *last = &p[s->sizes - 1];
    f.predicted = f.known ? account_link_seconds(&f.fit, last->hops, last->bytes) : 0;
    return f;
}

/* ── telling it ────────────────────────────────────────────────────────────────────────────────*/
static void say_point(const struct lab_events *e, enum lab_collective op, size_t i) {
    const struct lab_sweep *s = e->sweep;
    struct account_link_point p = point_of(s, op, i);
    double algorithm = (double)s->size[i] / p.seconds, bus = p.bytes / p.seconds;
    size_t count = (size_t)s->size[i] / lab_dtype_bytes(s->options->compute);
    if (e->table)
        (void)fprintf(e->table, "%12" PRIu64 " %12zu %6s %6s %11.1f %9.3f %9.3f%s\n", s->size[i],
                      count, lab_dtype_name(s->options->compute),
                      op == LAB_ALL_GATHER ? "none" : "sum", 1e6 * p.seconds, 1e-9 * algorithm,
                      1e-9 * bus, i + 1 == s->sizes ? "  not in the fit" : "");
    if (!e->json) return;
    struct lab_json j = {.file = e->json};
    lab_json_open(&j, NULL, '{');
    lab_json_text(&j, "event", "collective");
    lab_json_text(&j, "op", lab_collective_name(op));
    lab_json_count(&j, "bytes", s->size[i]);
    lab_json_real(&j, "us", 1e6 * p.seconds, 6);
    lab_json_real(&j, "algorithm_bytes_per_s", algorithm, 6);
    lab_json_real(&j, "bus_bytes_per_s", bus, 6);
    lab_json_flag(&j, "fitted", i + 1 < s->sizes);
    lab_json_close(&j, '}');
    lab_json_end(&j);
}

static void print_fit(const struct lab_events *e, const struct fitted *f, double measured) {
    char rate[32], size[32];
    if (!f->known) {
        (void)fputs("  too few times for a latency and a rate\n", e->table);
        return;
    }
    account_print_bytes(rate, sizeof rate, f->fit.rate);
    account_print_bytes(size, sizeof size, (double)e->sweep->size[e->sweep->sizes - 1]);
    (void)fprintf(
        e->table,
        "  fit: %.1f us for each hop of the ring, then %s a second; it is off by %.1f%%\n",
        1e6 * f->fit.latency, f->fit.rate > 0 ? rate : "any number of bytes",
        100 * f->fit.residual);
    (void)fprintf(e->table, "  it predicts %.1f us for %s: %.1f us were measured, %+.1f%%\n",
                  1e6 * f->predicted, size, 1e6 * measured, 100 * (measured / f->predicted - 1));
}

static void say_fit(const struct lab_events *e, enum lab_collective op) {
    const struct lab_sweep *s = e->sweep;
    struct fitted f = fit(s, op);
    double measured = median(s, op, s->sizes - 1);
    if (e->table) print_fit(e, &f, measured);
    if (!e->json || !f.known) return;
    struct lab_json j = {.file = e->json};
    lab_json_open(&j, NULL, '{');
    lab_json_text(&j, "event", "link");
    lab_json_text(&j, "op", lab_collective_name(op));
    lab_json_real(&j, "latency_us", 1e6 * f.fit.latency, 6);
    lab_json_real(&j, "bytes_per_s", f.fit.rate, 6);
    lab_json_real(&j, "residual", f.fit.residual, 4);
    lab_json_count(&j, "bytes", s->size[s->sizes - 1]);
    lab_json_real(&j, "predicted_us", 1e6 * f.predicted, 6);
    lab_json_real(&j, "measured_us", 1e6 * measured, 6);
    lab_json_close(&j, '}');
    lab_json_end(&j);
}

void lab_sweep_say(const struct lab_events *e) {
    for (int op = 0; op < OPS; op++) {
        if (e->table)
            (void)fprintf(
                e->table, "\n%s\n%12s %12s %6s %6s %11s %9s %9s\n%12s %12s %6s %6s %11s %9s %9s\n",
                lab_collective_name((enum lab_collective)op), "size", "count", "type", "redop",
                "time", "algbw", "busbw", "(B)", "(elements)", "", "", "(us)", "(GB/s)", "(GB/s)");
        for (size_t i = 0; i < e->sweep->sizes; i++) say_point(e, (enum lab_collective)op, i);
        say_fit(e, (enum lab_collective)op);
    }
}
