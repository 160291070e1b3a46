/* The table of the panels of a run, which knows every panel and which no panel calls; and of the
 * capstone the scenario next to the run that stands for it: both predictions, and what was
 * measured. */
#include "page/lab.h"

#include <stdlib.h>
#include <string.h>

static page_lab_panel *const draw[EXPERIMENT_PANELS] = {
    [EXPERIMENT_MEMORY] = page_lab_memory,   [EXPERIMENT_CURVE] = page_lab_curve,
    [EXPERIMENT_TRAFFIC] = page_lab_traffic, [EXPERIMENT_TIMELINE] = page_lab_timeline,
    [EXPERIMENT_LOSS] = page_lab_loss,       [EXPERIMENT_LOG] = page_lab_log,
    [EXPERIMENT_LEDGER] = page_lab_ledger,   [EXPERIMENT_COLLECTIVES] = page_lab_collectives,
};

/* The rows that the panel takes of the runs as they will be. */
static int rows_ahead(const struct page *p, struct page_flow f, enum experiment_panel panel,
                      const struct page_lab *l, bool ended) {
    struct page_lab_ahead *ahead[PAGE_LAB_RUNS] = {NULL};
    struct page_lab as = *l;
    struct page *unseen = page_new(p->width, p->ascii);
    unseen->colours = p->colours;
    for (size_t i = 0; i < page_lab_runs(l); i++) {
        ahead[i] = page_lab_ahead(l->run[i], ended);
        as.run[i] = page_lab_ahead_state(ahead[i]);
    }
    draw[panel](unseen, f, &as);
    int rows = page_height(unseen);
    for (size_t i = 0; i < PAGE_LAB_RUNS; i++) page_lab_ahead_free(ahead[i]);
    page_free(unseen);
    return rows;
}

void page_lab(struct page *p, struct page_flow f, enum experiment_panel panel,
              const struct page_lab *l) {
    draw[panel](p, page_flow_fit(p, f), l);
}

int page_lab_room(const struct page *p, struct page_flow f, enum experiment_panel panel,
                  const struct page_lab *l) {
    f = page_flow_fit(p, f);
    int going = rows_ahead(p, f, panel, l, false), ended = rows_ahead(p, f, panel, l, true);
    return going > ended ? going : ended;
}

/* ── a scenario, scaled down ───────────────────────────────────────────────────────────────────*/
enum { COLUMNS = 4, ROWS = 8 };
struct table {
    char *cell[ROWS * COLUMNS];
    size_t n;
};

/* Of what is wanted and what there is the difference counts. */
static const char *closely(char out[32], uint64_t n) {
    return account_print(out, 32, (double)n, ACCOUNT_UNIT_MB, 4);
}

static char *bytes(uint64_t n) {
    char text[32];
    return base_dup(account_print_bytes(text, sizeof text, (double)n));
}

static char *bytes_if(bool known, uint64_t n) {
    return known ? bytes(n) : base_dup("");
}

/* Of a run that was refused memory: what it wanted. */
static char *peak_measured(const struct experiment_state *s, const struct experiment_rank *r) {
    char wanted[32];
    if (r && r->ended) return bytes(r->peak_total);
    if (!s || !s->refused) return base_dup("");
    return base_format("%s wanted", closely(wanted, s->refused));
}

/* The rank that came to hold most; NULL if nothing was heard of any. */
static const struct experiment_rank *highest(const struct experiment_state *s) {
    const struct experiment_rank *most = NULL;
    for (uint32_t i = 0; s && i < s->seen; i++)
        if (!most || s->rank[i].peak_total > most->peak_total) most = &s->rank[i];
    return most;
}

static uint64_t states_of(const struct experiment_weights *w) {
    uint64_t sum = 0;
    for (int c = ACCOUNT_PARAMS; c <= ACCOUNT_MOMENTS; c++) sum += w->bytes[c];
    return sum;
}

static const char *verdict_measured(const struct experiment_state *s) {
    if (!s || !s->over) return "";
    if (page_lab_well(s)) return "fits";
    return s->refused ? "out of memory" : "did not end";
}

/* A row; takes its cells. */
static void add(struct table *t, const char *what, char *there, char *here, char *weighed) {
    t->cell[t->n++] = base_dup(what);
    t->cell[t->n++] = there;
    t->cell[t->n++] = here;
    t->cell[t->n++] = weighed;
}

static void add_parts(struct table *t, const struct experiment_scale *s,
                      const struct experiment_state *run) {
    const struct experiment_rank *r = highest(run);
    bool ended = r && r->ended;
    char capacity[32];
    add(t, "model states", bytes(s->scenario.states), bytes(s->scaled.states),
        bytes_if(ended, ended ? states_of(&r->persistent) : 0));
    add(t, "activations, at most", bytes(s->scenario.activations), bytes(s->scaled.activations),
        bytes_if(ended, ended ? r->peak.bytes[ACCOUNT_ACTIVATIONS] : 0));
    add(t, "buffers", bytes(s->scenario.buffers), bytes(s->scaled.buffers), base_dup(""));
    add(t, "framework", bytes(s->scenario.framework), base_dup("taken off"), base_dup(""));
    add(t, "peak", bytes(s->scenario.peak), bytes(s->scaled.peak), peak_measured(run, r));
    add(t, "room", bytes(s->budget), base_dup(closely(capacity, s->cap)), base_dup(""));
}

static void add_head(struct table *t, const struct experiment_scale *s) {
    char there[24], here[24];
    account_print_count(there, sizeof there, (double)s->real.params);
    account_print_count(here, sizeof here, (double)s->small.params);
    add(t, "each rank", base_format("%s × %u", there, s->real.gpus),
        base_format("%s × %u", here, s->small.gpus), base_dup("measured"));
}

/* "peak: 60.2 GB for 13B × 8, 7.2 MB for 220K × 4, measured 7.2 MB." */
static void say_table(struct page *p, struct page_flow f, const struct table *t) {
    for (size_t i = COLUMNS; i < t->n; i += COLUMNS)
        page_say(p, f, "%s: %s for %s, %s for %s%s%s.", t->cell[i], t->cell[i + 1], t->cell[1],
                 t->cell[i + 2], t->cell[2], *t->cell[i + 3] ? ", measured " : "", t->cell[i + 3]);
}

void page_lab_scale(struct page *p, struct page_flow f, const struct experiment_scale *scale,
                    const struct experiment_state *s) {
    static const char *const verdicts[] = {"fits", "fits, tightly", "does not fit"};
    struct table t = {0};
    add_head(&t, scale);
    add_parts(&t, scale, s);
    add(&t, "verdict", base_dup(verdicts[scale->fits]),
        base_dup(scale->runs ? "fits" : "out of memory"), base_dup(verdict_measured(s)));
    if (p->spoken)
        say_table(p, f, &t);
    else
        page_table(p, page_flow_fit(p, f), (const char *const *)t.cell, t.n / COLUMNS, COLUMNS,
                   "lrrr", true);
    for (size_t i = 0; i < t.n; i++) free(t.cell[i]);
}
