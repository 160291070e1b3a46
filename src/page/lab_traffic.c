/* What a rank sent in a step, by collective: measured, predicted, the difference; and how many
 * times Ψ·(N−1)/N that is.
 *
 *   {"kind":"lab-traffic","runs":[{"label":"stage
 * 3","stepped":true,"skipped":0,"world":4,"params":P,
 *       "width":4,"ranks":[{"rank":0,"sent":{"all_reduce":B,…,"total":B},"predicted":{…},"control":B}…]}…]}
 *
 * width: bytes a parameter is sent in; skipped: steps in which, against the prediction, nothing was
 * gathered */
#include "page/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 4 };
static const struct {
    const char *key, *name;
} sums[COLUMNS] = {
    {"all_reduce",     "all-reduce"    },
    {"reduce_scatter", "reduce-scatter"},
    {"all_gather",     "all-gather"    },
    {"total",          "in all"        },
};

struct traffic {
    const json_t *run, *rank, *sent, *predicted;
    uint32_t world;
    size_t ranks, others; /* others: those that sent something else */
    double share;         /* Ψ·(N−1)/N in bytes */
};

static void read_run(const json_t *run, struct traffic *t) {
    const json_t *ranks = json_object_get(run, "ranks"), *rank;
    size_t i;
    *t = (struct traffic){.run = run, .rank = json_array_get(ranks, 0)};
    t->ranks = json_array_size(ranks);
    t->sent = json_object_get(t->rank, "sent");
    t->predicted = json_object_get(t->rank, "predicted");
    t->world = (uint32_t)page_lab_bytes(run, "world");
    json_array_foreach(ranks, i, rank) t->others +=
        !json_equal(json_object_get(rank, "sent"), t->sent);
    if (t->world > 1)
        t->share = (double)page_lab_bytes(run, "params") * (double)page_lab_bytes(run, "width") *
                   (t->world - 1) / t->world;
}

/* ── the table: sums across or, where it is narrow, downwards ──────────────────────────────────*/
enum line { NAMES, MEASURED, PREDICTED, DIFFERENCE, TIMES, LINES };
struct grid {
    char *cell[LINES * (COLUMNS + 1)];
    size_t rows, columns;
};

static char *print_cell(const struct traffic *t, enum line line, size_t sum, bool measured) {
    char text[32];
    uint64_t sent = page_lab_bytes(t->sent, sums[sum].key),
             said = page_lab_bytes(t->predicted, sums[sum].key);
    bool known = line == MEASURED     ? measured
                 : line == DIFFERENCE ? t->predicted && measured
                 : line == PREDICTED  ? t->predicted != NULL
                                      : t->predicted || measured;
    if (line == NAMES) return base_dup(sums[sum].name);
    if (!known) return base_dup("");
    if (line == TIMES) return base_format("%.3g", (double)(measured ? sent : said) / t->share);
    if (line == DIFFERENCE) return base_dup(page_lab_difference(text, sent, said));
    return base_dup(
        account_print_bytes(text, sizeof text, (double)(line == PREDICTED ? said : sent)));
}

/* A narrow table leaves out the prediction, which the difference implies. */
static void fill(const struct traffic *t, struct grid *g, bool measured, bool narrow) {
    static const char *const names[LINES] = {"", "measured", "predicted", "difference",
                                             "× Ψ·(N−1)/N"};
    size_t lines = 0;
    *g = (struct grid){.rows = narrow ? COLUMNS + 1 : LINES,
                       .columns = narrow ? LINES - 1 : COLUMNS + 1};
    for (enum line line = NAMES; line < LINES; line++) {
        if (narrow && line == PREDICTED) continue;
        for (size_t c = 0; c <= COLUMNS; c++) {
            size_t row = narrow ? c : lines, column = narrow ? lines : c;
            const char *name = narrow && line == TIMES ? "× Ψ" : names[line];
            g->cell[row * g->columns + column] =
                c ? print_cell(t, line, c - 1, measured) : base_dup(name);
        }
        lines++;
    }
}

static void draw_notes(struct page *p, const struct traffic *t, struct page_flow f) {
    char share[24], control[24];
    uint64_t words = page_lab_bytes(t->rank, "control");
    account_print_bytes(share, sizeof share, t->share);
    account_print_bytes(control, sizeof control, (double)words);
    page_note(p, f, "Ψ·(N−1)/N is %s here%s%s%s.", share,
              words ? "; norms, losses and flags apart: " : "", words ? control : "",
              t->others ? "; this is rank 0, others sent other sums" : "");
    unsigned skipped = (unsigned)page_lab_bytes(t->run, "skipped");
    if (skipped)
        page_note(p, f,
                  "%u step%s updated nothing, since gradients overflowed fp16: nothing was "
                  "gathered then, and the prediction leaves it out.",
                  skipped, skipped == 1 ? "" : "s");
}

static void draw_run(struct page *p, const struct traffic *t, struct page_flow f, bool label) {
    bool stepped = base_json_bool(t->run, "stepped", false);
    struct grid g;
    const char *name = base_json_text(t->run, "label", "");
    if (label && *name) page_put(p, p->height, f.indent, PAGE_STRONG, 0, name);
    if (!t->rank || t->world < 2) {
        page_note(p, f, t->rank ? "One rank has nobody to send to." : "Nothing was sent yet.");
        return;
    }
    fill(t, &g, stepped, f.width < LAB_NARROW);
    page_table(p, f, (const char *const *)g.cell, g.rows, g.columns, "lrrrr", true);
    for (size_t i = 0; i < g.rows * g.columns; i++) free(g.cell[i]);
    draw_notes(p, t, f);
}

bool page_figure_lab_traffic(struct page *p, struct page_flow f, const json_t *spec,
                             struct base_message *m) {
    const json_t *runs[LAB_RUNS];
    struct traffic t;
    size_t n;
    if (!page_lab_runs(spec, runs, &n, m)) return false;
    page_put(p, p->height, f.indent, PAGE_DIM, 0, "sent by each rank in a step");
    for (size_t i = 0; i < n; i++) {
        read_run(runs[i], &t);
        draw_run(p, &t, f, n > 1);
    }
    return true;
}
