/* The runs of a lab next to each other: what rank 0 kept, its peak, what it sent in a step, and the
 * loss; and the picture of all of them. */
#include "command/asked.h"
#include "command/lab.h"

#include <stdlib.h>
#include <string.h>

static const struct experiment_rank *rank_of(const struct lab_runs *r, size_t run) {
    return &experiment_state(r->run[run])->rank[0];
}

static void put_bytes(struct grid *g, uint64_t bytes) {
    char text[32];
    command_grid_put(g, "%s", account_print_bytes(text, sizeof text, (double)bytes));
}

/* Of a rank that came to its end: before that its peaks are not all told, and what it keeps is not
 * told at all. */
static void put_last(struct grid *g, const struct experiment_rank *k, uint64_t bytes) {
    if (k->ended)
        put_bytes(g, bytes);
    else
        command_grid_put(g, "not known");
}

/* A last step that was heard is known, whatever came after it. */
static void put_sent(struct grid *g, const struct experiment_state *s) {
    if (s->steps)
        put_bytes(g, s->rank[0].sent_total);
    else
        command_grid_put(g, "not known");
}

static const char *loss_of(const struct lab_runs *r, size_t i) {
    const struct experiment_state *s = experiment_state(r->run[i]);
    return s->steps ? s->loss : "not known";
}

static uint64_t apart(uint64_t a, uint64_t b) {
    return a > b ? a - b : b - a;
}

/* How far a rank is from its prediction, as a whole: 0 B is all three to the byte. */
static uint64_t most_apart(const struct experiment_rank *k) {
    uint64_t kept = apart(k->persistent.total, k->predicted.persistent.total),
             peak = apart(k->peak_total, k->predicted.peak_total),
             sent = apart(k->sent_total, k->predicted.sent_total);
    uint64_t most = kept > peak ? kept : peak;
    return most > sent ? most : sent;
}

static bool differs(const struct lab_runs *r, unsigned category) {
    for (size_t i = 1; i < r->runs; i++)
        if (rank_of(r, i)->persistent.bytes[category] != rank_of(r, 0)->persistent.bytes[category])
            return true;
    return false;
}

static bool any_resident(const struct lab_runs *r) {
    for (size_t i = 0; i < r->runs; i++)
        if (rank_of(r, i)->resident) return true;
    return false;
}

static void put_measure(const struct lab_runs *r, struct grid *g, enum experiment_measure m) {
    command_grid_put(g, "%s", experiment_measure_name(m));
    for (size_t i = 0; i < r->runs; i++) {
        double value;
        bool known = experiment_measured(experiment_state(r->run[i]), 0, m, &value);
        char *text = known ? experiment_measure_print(m, value) : NULL;
        command_grid_put(g, "%s", text ? text : "not known");
        free(text);
    }
}

/* What every comparison has, whether or not the runs differ in it. */
static const uint32_t always = 1u << EXPERIMENT_ACTIVATIONS | 1u << EXPERIMENT_GATHER |
                               1u << EXPERIMENT_REDUCE | 1u << EXPERIMENT_MESSAGES |
                               1u << EXPERIMENT_STEP_TIME | 1u << EXPERIMENT_EXPOSED;

/* A quantity a row, a run a column: those of every comparison, those that the lab names, and those
 * in which runs differ. */
static void fill_wide(const struct lab_runs *r, struct grid *g) {
    static const struct experiment_lab own = {.watch = "memory"};
    const struct experiment_state *s[EXPERIMENT_VARIANTS];
    for (size_t i = 0; i < r->runs; i++) s[i] = experiment_state(r->run[i]);
    const uint32_t shown = experiment_compare(s, r->runs, r->lab ? r->lab : &own).shown | always;
    command_grid_head(g, "rank 0", 'l');
    for (size_t i = 0; i < r->runs; i++) command_grid_head(g, r->label[i], 'r');
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (!differs(r, c)) continue;
        command_grid_put(g, "%s", account_category_words((enum account_category)c));
        for (size_t i = 0; i < r->runs; i++)
            put_last(g, rank_of(r, i), rank_of(r, i)->persistent.bytes[c]);
    }
    for (int m = 0; m < EXPERIMENT_MEASURES; m++)
        if (shown & 1u << m) put_measure(r, g, (enum experiment_measure)m);
    if (any_resident(r)) {
        command_grid_put(g, "resident");
        for (size_t i = 0; i < r->runs; i++) put_bytes(g, rank_of(r, i)->resident);
    }
    command_grid_put(g, "off its prediction");
    for (size_t i = 0; i < r->runs; i++)
        if (rank_of(r, i)->predicted.known && rank_of(r, i)->ended)
            put_bytes(g, most_apart(rank_of(r, i)));
        else
            command_grid_put(g, " ");
    command_grid_put(g, "loss");
    for (size_t i = 0; i < r->runs; i++) command_grid_put(g, "%s", loss_of(r, i));
}

/* A run a row, for narrow pages. */
static void fill_narrow(const struct lab_runs *r, struct grid *g) {
    command_grid_head(g, "rank 0", 'l');
    command_grid_head(g, "kept", 'r');
    command_grid_head(g, "peak", 'r');
    command_grid_head(g, "sent", 'r');
    for (size_t i = 0; i < r->runs; i++) {
        command_grid_put(g, "%s", r->label[i]);
        put_last(g, rank_of(r, i), rank_of(r, i)->persistent.total);
        put_last(g, rank_of(r, i), rank_of(r, i)->peak_total);
        put_sent(g, experiment_state(r->run[i]));
    }
}

/* Of runs that all went well. */
static void put_agreement(const struct lab_runs *r, struct page *p) {
    const struct experiment_state *state[EXPERIMENT_VARIANTS];
    bool well = true;
    for (size_t i = 0; i < r->runs; i++) {
        state[i] = experiment_state(r->run[i]);
        well = well && state[i]->ended && !state[i]->failed;
    }
    if (!well) return;
    char *text = experiment_agreement(state, r->runs, false);
    command_report_note(p, "%s", text);
    free(text);
}

void command_lab_compare(const struct lab_runs *r) {
    struct page *p = command_lab_page(r);
    struct grid g = {0};
    fill_wide(r, &g);
    bool wide = r->words || command_grid_width(&g, p) <= page_width(p) - 2;
    if (!wide) {
        command_grid_free(&g);
        fill_narrow(r, &g);
    }
    command_grid_draw(&g, p);
    for (size_t i = 0; !wide && i < r->runs; i++)
        command_report_note(p, "%s: loss %s", r->label[i], loss_of(r, i));
    put_agreement(r, p);
    page_blank(p, 1);
    command_terminal_print(p);
}

void command_lab_picture(const struct lab_runs *r, const struct experiment_lab *lab) {
    struct page_lab_end e = {.runs = r->runs};
    for (size_t i = 0; i < r->runs; i++) e.run[i] = experiment_state(r->run[i]);
    bool timed = e.runs == 1 && e.run[0]->timings; /* its plot has been printed */
    if (e.runs && !timed && !experiment_panel_tells(e.run[0], EXPERIMENT_MEMORY)) return;
    struct experiment_compared compared = experiment_compare(e.run, e.runs, lab);
    e.compared = &compared;
    command_lab_ask_guess(r->asking, &e.guess, &e.right);
    e.estimate = command_lab_ask_estimate(r->asking);
    struct page *p = command_lab_page(r);
    struct page_flow f = {.indent = 1, .width = page_width(p) - 2};
    if (timed)
        page_lab_end_words(p, f, &e);
    else
        page_lab_end(p, f, &e);
    page_blank(p, 1);
    command_terminal_print(p);
}
