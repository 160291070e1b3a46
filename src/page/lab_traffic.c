/* What a rank sent in a step, by collective: measured, predicted, the difference; and how many
 * times Ψ·(N−1)/N that is. */
#include "page/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = EXPERIMENT_SENT + 1, TOTAL = EXPERIMENT_SENT };

struct traffic {
    const struct experiment_state *run;
    /* NULL: none was heard of */
    const struct experiment_rank *rank;
    /* ranks that sent something else */
    size_t others;
    /* Ψ·(N−1)/N in bytes */
    double share;
};

static bool sent_the_same(const struct experiment_rank *a, const struct experiment_rank *b) {
    return a->sent_total == b->sent_total && memcmp(a->sent, b->sent, sizeof a->sent) == 0;
}

static void read_run(const struct experiment_state *s, struct traffic *t) {
    *t = (struct traffic){.run = s, .rank = s->seen ? &s->rank[0] : NULL};
    for (uint32_t i = 1; i < s->seen; i++) t->others += !sent_the_same(&s->rank[i], t->rank);
    if (s->ranks > 1)
        t->share = (double)s->setup.params * s->setup.wire * (s->ranks - 1) / s->ranks;
}

/* ── the table: sums across or, where it is narrow, downwards ──────────────────────────────────*/
enum line { NAMES, MEASURED, PREDICTED, DIFFERENCE, TIMES, LINES };
struct grid {
    char *cell[LINES * (COLUMNS + 1)];
    size_t rows, columns;
};

static char *print_cell(const struct traffic *t, enum line line, size_t sum, bool measured) {
    char text[32];
    const struct experiment_rank *r = t->rank;
    uint64_t sent = sum == TOTAL ? r->sent_total : r->sent[sum],
             said = sum == TOTAL ? r->predicted.sent_total : r->predicted.sent[sum];
    bool known = line == MEASURED     ? measured
                 : line == DIFFERENCE ? r->predicted.known && measured
                 : line == PREDICTED  ? r->predicted.known
                                      : r->predicted.known || measured;
    if (line == NAMES)
        return base_dup(sum == TOTAL ? "in total"
                                     : page_wire_name((enum account_collective_kind)sum));
    if (!known) return base_dup("");
    if (line == TIMES) return base_format("%.3g", (double)(measured ? sent : said) / t->share);
    if (line == DIFFERENCE) return base_dup(page_lab_difference(text, sent, said));
    return base_dup(
        account_print_bytes(text, sizeof text, (double)(line == PREDICTED ? said : sent)));
}

/* All-to-all has a column only in runs that use it: they reduce in 4 bits. */
static bool is_shown(const struct traffic *t, size_t sum) {
    return sum != EXPERIMENT_SENT_AA || t->rank->sent[sum] || t->rank->predicted.sent[sum];
}

/* A narrow table leaves out the prediction, which the difference implies. */
static void fill(const struct traffic *t, struct grid *g, bool measured, bool narrow) {
    static const char *const names[LINES] = {"", "measured", "predicted", "difference",
                                             "× Ψ·(N−1)/N"};
    size_t lines = 0, sums = 1;
    for (size_t c = 0; c < COLUMNS; c++) sums += is_shown(t, c);
    *g = (struct grid){.rows = narrow ? sums : LINES, .columns = narrow ? LINES - 1 : sums};
    for (enum line line = NAMES; line < LINES; line++) {
        if (narrow && line == PREDICTED) continue;
        for (size_t c = 0, place = 0; c <= COLUMNS; c++) {
            if (c && !is_shown(t, c - 1)) continue;
            size_t row = narrow ? place : lines, column = narrow ? lines : place;
            const char *name = narrow && line == TIMES ? "× Ψ" : names[line];
            g->cell[row * g->columns + column] =
                c ? print_cell(t, line, c - 1, measured) : base_dup(name);
            place++;
        }
        lines++;
    }
}

static void draw_notes(struct page *p, const struct traffic *t, struct page_flow f) {
    char share[24], control[24];
    uint64_t words = t->rank->control;
    account_print_bytes(share, sizeof share, t->share);
    account_print_bytes(control, sizeof control, (double)words);
    page_note(p, f, "Ψ·(N−1)/N is %s here.%s%s%s%s", share,
              words ? " Single numbers, such as losses, are counted separately: " : "",
              words ? control : "", words ? "." : "",
              t->others ? " This is rank 0. Other ranks sent other amounts." : "");
    uint32_t skipped = t->run->ungathered;
    if (skipped)
        page_note(p, f,
                  "%u step%s updated nothing, because gradients overflowed fp16. Nothing was "
                  "gathered then, and the prediction leaves it out.",
                  skipped, skipped == 1 ? "" : "s");
}

static void draw_run(struct page *p, const struct traffic *t, struct page_flow f) {
    struct grid g;
    if (!t->rank || t->run->ranks < 2) {
        page_note(p, f,
                  t->rank ? "One rank has no other rank to send to." : "Nothing was sent yet.");
        return;
    }
    fill(t, &g, t->run->told > 0, f.width < LAB_NARROW);
    page_table(p, f, (const char *const *)g.cell, g.rows, g.columns, "lrrrrr", true);
    for (size_t i = 0; i < g.rows * g.columns; i++) free(g.cell[i]);
    draw_notes(p, t, f);
}

void page_lab_traffic(struct page *p, struct page_flow f, const struct page_lab *l) {
    struct traffic t;
    page_put(p, p->height, f.indent, PAGE_DIM, 0, "sent by each rank in a step");
    for (size_t i = 0; i < page_lab_runs(l); i++) {
        read_run(l->run[i], &t);
        page_lab_name(p, f, l, i);
        draw_run(p, &t, f);
    }
}
