/* A run as a person reads it: one line per step, and at the end what was held and sent next to what
 * was predicted. */
#include "lab/events.h"
#include "lab/json.h"

#include <inttypes.h>
#include <string.h>

static const char *bytes(char *out, size_t size, uint64_t n) {
    return account_print_bytes(out, size, (double)n);
}

static void say_bug(const struct lab_events *e) {
    const struct lab_options *o = e->options;
    if (o->bug)
        (void)fprintf(e->table, "  this run is wrong on purpose: --plant-bug %s%s%s\n",
                      lab_bug_asked(o), o->unnamed_bug ? "" : ": ",
                      o->unnamed_bug ? "" : lab_bug_says(o->bug));
}

void lab_table_start(const struct lab_events *e) {
    const struct lab_options *o = e->options;
    char note[200];
    if (o->links)
        (void)fprintf(e->table, "collectives alone   %u ranks   %s\n", o->ranks,
                      lab_dtype_name(o->compute));
    else
        (void)fprintf(e->table,
                      "%s: %u layer%s, width %u, %u token%s   stage %u   %u rank%s   %s\n",
                      o->model, o->shape.layers, o->shape.layers == 1 ? "" : "s", o->shape.width,
                      o->shape.seq, o->shape.seq == 1 ? "" : "s", o->stage, o->ranks,
                      o->ranks == 1 ? "" : "s", lab_dtype_name(o->compute));
    if (strcmp(lab_times(o), "real") != 0)
        (void)fprintf(e->table, "times: %s%s\n", lab_times(o),
                      lab_is_emulated(o) && lab_crowded(o) ? ", shared processor" : "");
    if (o->offload_dir[0] && lab_computes(o))
        (void)fprintf(e->table, "file of each rank in %s, %s\n", o->offload_dir,
                      o->offload_direct ? "past the page cache" : "through the page cache");
    lab_machine_note(o, note, sizeof note);
    if (note[0]) (void)fprintf(e->table, "note: %s\n", note);
    if (e->gflops > 0)
        (void)fprintf(e->table, "BLAS: %.4g GFLOP/s per rank; MFU is the share of it that trains\n",
                      e->gflops);
    if (lab_updaters(o) > 1 && !o->links)
        (void)fprintf(e->table, "each parameter is updated by %u ranks, with the same numbers\n",
                      lab_updaters(o));
    say_bug(e);
    if (!o->predict && !o->links)
        (void)fprintf(e->table, "\n%6s %10s %9s %9s %9s %11s%s\n", "step", "loss", "ms", "comm",
                      "exposed", "tokens/s", e->peak > 0 ? "     MFU" : "");
}

void lab_table_step(const struct lab_events *e, uint32_t step, const struct lab_says_step *s,
                    double tokens, double mfu) {
    (void)fprintf(e->table, "%6u %10.6f %9.1f %9.1f %9.1f %11.0f", step, s->loss, 1e3 * s->seconds,
                  1e3 * s->comm, 1e3 * s->exposed, tokens);
    if (mfu > 0) (void)fprintf(e->table, " %6.1f%%", 100 * mfu);
    (void)fputc('\n', e->table);
}

void lab_table_note(const struct lab_events *e, uint32_t step, const char *text) {
    (void)fprintf(e->table, "%6u %s\n", step, text);
}

void lab_table_error(const struct lab_events *e, int rank, const char *what, const char *where,
                     const char *advice) {
    if (rank >= 0) (void)fprintf(e->table, "rank %d: ", rank);
    lab_out_text(e->table, what);
    (void)fprintf(e->table, ", at %s%s%s\n", where, advice[0] ? ": " : "", advice);
}

static void row(FILE *f, const char *name, uint64_t measured, bool ran, uint64_t predicted,
                bool known) {
    char a[32] = "", b[32] = "";
    if (measured == 0 && predicted == 0) return;
    if (ran) (void)bytes(a, sizeof a, measured);
    if (known) (void)bytes(b, sizeof b, predicted);
    (void)fprintf(f, "  %-16s %12s %12s", name, a, b);
    if (ran && known && predicted)
        (void)fprintf(f, "  %s",
                      measured == predicted  ? "equal"
                      : measured > predicted ? "above"
                                             : "below");
    (void)fputc('\n', f);
}

/* A tier that is not in use holds nothing and moves nothing, so it has no rows. */
static void compare_tier(const struct lab_events *e, int t, bool ran) {
    static const char *const names[LAB_TIERS][3] = {{"", "", ""},
                                                    {"on the host", "to the host", "from the host"},
                                                    {"in the file", "written", "read"}};
    const struct lab_held *m = &e->end[0].tier[t], *p = &e->prediction.tier[t];
    row(e->table, names[t][0], m->total, ran, p->total, e->predicted);
    row(e->table, names[t][1], m->in, ran, p->in, e->predicted);
    row(e->table, names[t][2], m->out, ran, p->out, e->predicted);
}

static uint64_t total(const uint64_t *sent) {
    uint64_t sum = 0;
    for (int i = 0; i < LAB_SENT; i++) sum += sent[i];
    return sum;
}

/* Ranks hold and send alike; the first stands for all. */
static void compare(const struct lab_events *e, bool ran) {
    const struct lab_says_end *m = &e->end[0];
    const struct lab_prediction *p = &e->prediction;
    FILE *f = e->table;
    (void)fprintf(f, "\n  %-16s %12s %12s\n", "rank 0", ran ? "measured" : "", "predicted");
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        row(f, account_category_words((enum account_category)c), m->peak[c], ran, p->peak[c],
            e->predicted);
    row(f, "peak of the sum", m->peak_total, ran, p->peak_total, e->predicted);
    row(f, "resident", e->resident, ran, 0, false);
    for (int i = 0; i < LAB_SENT; i++)
        if (i != LAB_ALL_TO_ALL || e->options->qgz)
            row(f, lab_collective_name((enum lab_collective)i), m->sent[i], ran, p->sent[i],
                e->predicted);
    if (lab_has_nodes(e->options)) {
        row(f, "inside nodes", total(m->sent) - m->between, ran, total(p->sent) - p->between,
            e->predicted);
        row(f, "between nodes", m->between, ran, p->between, e->predicted);
    }
    row(f, "control", m->control, ran, p->control, e->predicted);
    for (int t = LAB_TIER_HOST; t < LAB_TIERS; t++) compare_tier(e, t, ran);
}

void lab_table_predict(const struct lab_events *e) {
    compare(e, false);
    (void)fprintf(e->table, "  highest at %s\n", e->prediction.peak_where);
}

/* The prediction is without what they did not send. */
static void skipped(const struct lab_events *e) {
    (void)fprintf(e->table, "  %u step%s skipped for overflow: they updated nothing%s\n",
                  e->skipped, e->skipped == 1 ? "" : "s",
                  lab_gathers_updates(e->options) ? ", so they gathered nothing" : "");
}

void lab_table_end(const struct lab_events *e, bool well) {
    char where[48];
    if (!well || !e->ended[0] || e->sweep) return;
    compare(e, true);
    if (e->skipped) skipped(e);
    say_bug(e);
    (void)fprintf(
        e->table, "  highest at %s\n",
        lab_where_text(where, sizeof where, &e->end[0].peak_where, e->options->shape.layers));
    if (!e->options->dry && !e->options->no_hash && !e->options->links)
        (void)fprintf(e->table, "  weights %016" PRIx64 "\n", e->end[0].weights_hash);
}
