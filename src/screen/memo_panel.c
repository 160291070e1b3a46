/* writer_panel: what stands beside a memo: findings, ledger, planner, calculator. */
#include "screen/memo.h"

#include <stdlib.h>
#include <string.h>

enum { LARGE = 10000000, LEDGER_ROWS = 18 };

static const char *const NAMES[WRITER_PANELS] = {[WRITER_FINDINGS] = "findings",
                                                 [WRITER_LEDGER] = "ledger, GB",
                                                 [WRITER_PLANNER] = "planner",
                                                 [WRITER_SENSITIVITY] = "sensitivity",
                                                 [WRITER_CALCULATOR] = "calculator"};

const char *writer_panel_name(enum writer_panel panel) {
    return panel < WRITER_PANELS ? NAMES[panel] : "";
}

static void say(struct paper *p, unsigned role, const char *text) {
    paper_text(p, (struct paper_flow){.role = role}, text);
}

/* ── findings ────────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *sign;
    unsigned role;
} SIGNS[MEMO_KINDS] = {
    [MEMO_RIGHT] = {"✓", PAPER_GOOD},
      [MEMO_ROUNDED] = {"≈", PAPER_WARN},
    [MEMO_UNIT] = {"✗", PAPER_BAD },
      [MEMO_MISTAKE] = {"✗", PAPER_BAD },
    [MEMO_WRONG] = {"✗", PAPER_BAD },
      [MEMO_UNREADABLE] = {"✗", PAPER_BAD },
    [MEMO_KNOWN] = {"✓", PAPER_GOOD},
      [MEMO_DERIVED] = {"✓", PAPER_GOOD},
    [MEMO_MARKED] = {"✓", PAPER_DIM },
      [MEMO_AGAIN] = {"?",   PAPER_WARN},
    [MEMO_CHECKED] = {"≈", PAPER_DIM },
      [MEMO_FOREIGN] = {"·",  PAPER_DIM },
    [MEMO_MISSING] = {"·",  PAPER_WARN},
      [MEMO_NOTE] = {"·",  PAPER_DIM },
};

const char *writer_sign(enum memo_kind kind, unsigned *role) {
    *role = SIGNS[kind].role;
    return SIGNS[kind].sign;
}

/* "12 ✗ wrong 71.5 GiB" and, where the cursor is or there is no figure to go to, what is to be said of it. */
static void put_finding(const struct memo_finding *f, bool here, struct paper *p) {
    unsigned role;
    const char *sign = writer_sign(f->kind, &role);
    int row = paper_height(p);
    paper_put(p, row, 4, role, 0, sign);
    if (f->line > 0)
        paper_printf(p, row, f->line < 10 ? 2 : f->line < 100 ? 1 : 0, PAPER_DIM, "%d", f->line);
    int end = paper_put(p, row, 6, here ? PAPER_STRONG : PAPER_PLAIN, 0, memo_kind_name(f->kind));
    paper_put(p, row, end + 1, here ? PAPER_STRONG : PAPER_PLAIN, 0, f->figure);
    if (here || !f->figure[0])
        paper_markdown(p, (struct paper_flow){.indent = 6, .width = paper_width(p) - 6}, f->what);
}

static void say_verdict(const struct writer *m, struct paper *p) {
    struct base_text trap = {0};
    say(p, m->report.passes ? PAPER_GOOD : PAPER_PLAIN, m->report.verdict);
    if (m->course && m->report.passes && m->report.questions)
        say(p, PAPER_PLAIN, "Have it checked in the lesson: three questions on it follow there.");
    if (memo_trap(&m->report, &trap)) paper_markdown(p, (struct paper_flow){0}, trap.s);
    base_text_free(&trap);
}

struct list {            /* what the panel says, in order */
    size_t *item, count; /* a finding; the report's count: the verdict */
    size_t whole;        /* so many from the first are shown with their words */
    int line;            /* where the cursor is; asked once, since the text may be long */
    enum memo_section section;
};

/* Whether a finding is of the cursor's line, or of its section. */
static bool is_here(const struct list *l, const struct memo_finding *f) {
    return f->line > 0 ? f->line == l->line : f->section == l->section;
}

/* The findings that are here, or open ones elsewhere, of at most or at least such gravity; the gravest first. */
static void list_findings(const struct writer *m, struct list *l, bool here, int most, int least) {
    size_t cursor = writer_finding_here(m);
    for (int gravity = most; gravity >= least; gravity--)
        for (size_t i = 0; i < m->report.count; i++) {
            const struct memo_finding *f = &m->report.finding[i];
            if (i != cursor && writer_gravity(f->kind) == gravity && is_here(l, f) == here)
                l->item[l->count++] = i;
        }
}

/* What is at the cursor, what else there is to do here, whole; then what holds here and what is to do elsewhere. */
static struct list list_all(const struct writer *m) {
    size_t at = writer_finding_here(m), room = m->report.count + 1;
    struct list l = {.item = base_alloc(room * sizeof *l.item),
                     .line = editor_line_of(&m->editor, m->editor.at),
                     .section = writer_section_at(m, m->editor.at)};
    if (at < m->report.count) l.item[l.count++] = at;
    list_findings(m, &l, true, WRITER_GRAVEST, WRITER_OPEN);
    l.whole = l.count;
    l.item[l.count++] = m->report.count;
    list_findings(m, &l, true, WRITER_OPEN - 1, 0);
    list_findings(m, &l, false, WRITER_GRAVEST, WRITER_OPEN);
    return l;
}

/* Adds an item if it has room above `last`, or must be there whole or not. */
static bool add_item(const struct writer *m, const struct list *l, size_t k, bool must, int last,
                     struct paper *p, struct writer_spots *spots) {
    struct paper *own = paper_new(paper_width(p), m->view.app->look.ascii);
    bool finding = l->item[k] < m->report.count;
    if (finding)
        put_finding(&m->report.finding[l->item[k]], k < l->whole, own);
    else
        say_verdict(m, own);
    int from = paper_height(p), to = from + paper_height(own);
    bool fits = must || to <= last;
    if (fits) paper_paste(p, own, from, 0);
    for (int row = from; fits && finding && row < to && row < WRITER_SPOTS; row++)
        spots->finding[row] = (int)l->item[k];
    paper_free(own);
    return fits;
}

/* From the first that is asked for on; a row is left for how many have no room. */
static void draw_findings(const struct writer *m, struct paper *p, int rows,
                          struct writer_spots *spots) {
    int last = paper_height(p) + rows;
    if (!m->reported) {
        say(p, PAPER_DIM, m->trouble ? m->trouble : "Checked as soon as you pause.");
        return;
    }
    struct list l = list_all(m);
    size_t first = m->skipped < l.count ? m->skipped : 0, k = first;
    while (k < l.count && add_item(m, &l, k, k == first, last - (k + 1 < l.count), p, spots))
        if (k++ == first) spots->least = paper_height(p);
    if (k < l.count) {
        spots->next = k;
        spots->left = l.count - k;
        spots->left_row = paper_height(p);
        spots->least++;
        paper_blank(p, 1);
    }
    free(l.item);
}

/* ── the ledger ──────────────────────────────────────────────────────────────────────────────────*/
static void put_stages(const struct writer *m, struct paper *p) {
    const char *cell[(WRITER_STAGES + 1) * 4] = {"stage", "states", "peak", "fits"};
    char name[WRITER_STAGES][16];
    size_t rows = 1;
    for (size_t i = 0; i < WRITER_STAGES; i++) {
        const struct writer_stage *s = &m->scene.stage[i];
        bool chosen =
            m->report.decided && m->report.config[MEMO_THE_DECISION].is.training.stage == i;
        if (!s->exists) continue;
        snprintf(name[i], sizeof name[i], "%s%zu", chosen ? "▸ " : "", i);
        cell[rows * 4] = name[i];
        cell[rows * 4 + 1] = s->states_told ? s->states : "·";
        cell[rows * 4 + 2] = s->peak_told ? s->peak : "·";
        cell[rows * 4 + 3] = s->judged && s->peak_told ? account_fit_name(s->fits) : "";
        rows++;
    }
    paper_table(p, (struct paper_flow){0}, cell, rows, 4, "rrrl", true);
}

static void draw_ledger(const struct writer *m, struct paper *p, int rows,
                        struct writer_spots *spots) {
    struct base_message why = {0};
    (void)spots;
    if (!m->scene.known) {
        say(p, PAPER_DIM, "It comes with a line that begins with \"Scenario:\".");
        return;
    }
    put_stages(m, p);
    if (m->course) say(p, PAPER_DIM, "A figure shows here once your table of Figures claims it.");
    if (!m->scene.ledger || rows < LEDGER_ROWS) return;
    paper_blank(p, 1);
    if (!paper_figure(p, (struct paper_flow){0}, m->scene.ledger, &why))
        say(p, PAPER_DIM, why.what);
}

static void draw_planner(const struct writer *m, struct paper *p, int rows,
                         struct writer_spots *spots) {
    (void)rows, (void)spots;
    bool closed = m->course && !m->report.passes;
    const char *plan =
        m->scene.known && m->scene.plan ? m->scene.plan : "It is asked for the memo's scenario.";
    say(p, m->scene.known && !closed ? PAPER_PLAIN : PAPER_DIM,
        closed ? "It answers once your memo passes." : plan);
}

static void draw_sensitivity(const struct writer *m, struct paper *p, int rows,
                             struct writer_spots *spots) {
    (void)rows, (void)spots;
    bool closed = m->course && !m->report.passes;
    if (!m->scene.turns || closed) {
        say(p, PAPER_DIM,
            closed ? "What would change your mind: shown once your memo passes."
                   : "It comes with a line that begins with \"Decision:\".");
        return;
    }
    for (const char *s = m->scene.turns; *s;) {
        size_t n = strcspn(s, "\n");
        char *line = base_format("%.*s", (int)n, s);
        paper_markdown(p, (struct paper_flow){0}, line);
        free(line);
        s += n + (s[n] == '\n');
    }
}

/* ── the calculator ──────────────────────────────────────────────────────────────────────────────*/
static void put_other(struct base_text *t, double value, enum account_unit unit) {
    char out[48];
    enum account_unit other = unit == ACCOUNT_UNIT_GIB  ? ACCOUNT_UNIT_GB
                              : unit == ACCOUNT_UNIT_GB ? ACCOUNT_UNIT_GIB
                                                        : ACCOUNT_UNIT_NONE;
    if (other == ACCOUNT_UNIT_NONE) return;
    base_text_printf(t, " = %s", account_print(out, sizeof out, value, other, 5));
}

/* Numbers as large as 2*13e9 are bytes here. */
char *writer_sum(const char *text) {
    struct account_reading r;
    struct account_error e;
    struct base_text t = {0};
    char out[48];
    if (!account_read_answer(text, &r, &e)) return NULL;
    enum account_unit unit = r.explicit_unit ? r.unit : ACCOUNT_UNIT_NONE;
    if (unit == ACCOUNT_UNIT_NONE && r.value >= LARGE) unit = ACCOUNT_UNIT_GB;
    if (unit == ACCOUNT_UNIT_NONE) return base_format("%.10g", r.value);
    base_text_puts(&t, account_print(out, sizeof out, r.value, unit, 5));
    put_other(&t, r.value, unit);
    return base_text_take(&t);
}

static void draw_calculator(const struct writer *m, struct paper *p, int rows,
                            struct writer_spots *spots) {
    int row = paper_height(p), width = paper_width(p) - 1;
    (void)rows;
    spots->cursor = field_draw(&m->sum, p, row, 0, width, 1);
    spots->field_row = row;
    spots->field_width = width;
    const char *text = field_text(&m->sum);
    char *sum = *text ? writer_sum(text) : NULL;
    char *line = sum ? base_format("= %s", sum)
                     : base_dup(*text ? "cannot be read yet" : "such as 2*13G + 14*13G/8");
    say(p, sum ? PAPER_STRONG : PAPER_DIM, line);
    if (m->offers) say(p, PAPER_DIM, "Press Enter again to write it where the memo's cursor is.");
    free(line);
    free(sum);
}

/* ── the table ───────────────────────────────────────────────────────────────────────────────────*/
void writer_panel_draw(const struct writer *m, enum writer_panel panel, struct paper *p, int rows,
                       struct writer_spots *spots) {
    static void (*const draw[WRITER_PANELS])(const struct writer *, struct paper *, int,
                                             struct writer_spots *) = {
        [WRITER_FINDINGS] = draw_findings,
        [WRITER_LEDGER] = draw_ledger,
        [WRITER_PLANNER] = draw_planner,
        [WRITER_SENSITIVITY] = draw_sensitivity,
        [WRITER_CALCULATOR] = draw_calculator};
    if (panel < WRITER_PANELS) draw[panel](m, p, rows, spots);
}
