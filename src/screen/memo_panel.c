/* memo_panel: what stands next to a memo: findings, ledger, planner, calculator. */
#include "screen/memo.h"
#include "screen/scratch.h"

#include <stdlib.h>
#include <string.h>

enum { LEDGER_ROWS = 18 };

static const char *const NAMES[WRITER_PANELS] = {[WRITER_FINDINGS] = "findings",
                                                 [WRITER_LEDGER] = "ledger, GB",
                                                 [WRITER_PLANNER] = "planner",
                                                 [WRITER_SENSITIVITY] = "sensitivity",
                                                 [WRITER_CALCULATOR] = "calculator"};

const char *screen_writer_panel_name(enum writer_panel panel) {
    return panel < WRITER_PANELS ? NAMES[panel] : "";
}

static void say(struct page *p, unsigned role, const char *text) {
    page_text(p, (struct page_flow){.role = role}, text);
}

/* ── findings ──────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *sign;
    unsigned role;
} SIGNS[MEMO_KINDS] = {
    [MEMO_RIGHT] = {"✓", PAGE_GOOD},   [MEMO_ROUNDED] = {"≈", PAGE_WARN},
    [MEMO_UNIT] = {"✗", PAGE_BAD},     [MEMO_MISTAKE] = {"✗", PAGE_BAD},
    [MEMO_WRONG] = {"✗", PAGE_BAD},    [MEMO_UNREADABLE] = {"✗", PAGE_BAD},
    [MEMO_KNOWN] = {"✓", PAGE_GOOD},   [MEMO_DERIVED] = {"✓", PAGE_GOOD},
    [MEMO_MARKED] = {"✓", PAGE_DIM},   [MEMO_AGAIN] = {"?", PAGE_WARN},
    [MEMO_CHECKED] = {"≈", PAGE_DIM},  [MEMO_FOREIGN] = {"·", PAGE_DIM},
    [MEMO_MISSING] = {"·", PAGE_WARN}, [MEMO_NOTE] = {"·", PAGE_DIM},
};

const char *screen_writer_sign(const struct memo_finding *f, unsigned *role) {
    enum memo_kind kind = f->differs ? MEMO_FOREIGN : f->kind;
    *role = SIGNS[kind].role;
    return SIGNS[kind].sign;
}

/* "12 ✗ wrong 71.5 GiB" and, where the cursor is or there is no figure to go to, what is to be said
 * of it. */
static void put_finding(const struct memo_finding *f, bool here, struct page *p) {
    unsigned role;
    const char *sign = screen_writer_sign(f, &role);
    int row = page_height(p);
    page_put(p, row, 4, role, 0, sign);
    if (f->line > 0)
        page_printf(p, row, f->line < 10 ? 2 : f->line < 100 ? 1 : 0, PAGE_DIM, "%d", f->line);
    int end = page_put(p, row, 6, here ? PAGE_STRONG : PAGE_PLAIN, 0, memo_kind_name(f->kind));
    page_put(p, row, end + 1, here ? PAGE_STRONG : PAGE_PLAIN, 0, f->figure);
    if (here || !f->figure[0])
        page_markdown(p, (struct page_flow){.indent = 6, .width = page_width(p) - 6}, f->what);
}

static void say_verdict(const struct writer *m, struct page *p) {
    struct base_text trap = {0};
    say(p, m->report.passes ? PAGE_GOOD : PAGE_PLAIN, m->report.verdict);
    if (m->course && m->report.passes && m->report.questions)
        say(p, PAGE_PLAIN, "Check it in the lesson: three questions on it follow there.");
    if (memo_trap(&m->report, &trap)) page_markdown(p, (struct page_flow){0}, trap.s);
    base_text_free(&trap);
}

/* what the panel says, in order */
struct list {
    /* a finding; the report's count: the verdict */
    size_t *item, count;
    /* so many from the first are shown with their words */
    size_t whole;
    /* where the cursor is; asked once, since the text may be long */
    int line;
    enum memo_section section;
};

/* Whether a finding is of the cursor's line, or of its section. */
static bool is_here(const struct list *l, const struct memo_finding *f) {
    return f->line > 0 ? f->line == l->line : f->section == l->section;
}

/* The findings that are here, or open ones elsewhere, of at most or at least such gravity; the
 * gravest first. */
static void list_findings(const struct writer *m, struct list *l, bool here, int most, int least) {
    size_t cursor = screen_writer_finding_here(m);
    for (int gravity = most; gravity >= least; gravity--)
        for (size_t i = 0; i < m->report.count; i++) {
            const struct memo_finding *f = &m->report.finding[i];
            if (i != cursor && screen_writer_gravity(f) == gravity && is_here(l, f) == here)
                l->item[l->count++] = i;
        }
}

/* What is at the cursor, what else there is to do here, whole; then what holds here and what is to
 * do elsewhere. */
static struct list list_all(const struct writer *m) {
    size_t at = screen_writer_finding_here(m), capacity = m->report.count + 1;
    struct list l = {.item = base_alloc(capacity * sizeof *l.item),
                     .line = screen_editor_line_of(&m->editor, m->editor.at),
                     .section = screen_writer_section_at(m, m->editor.at)};
    if (at < m->report.count) l.item[l.count++] = at;
    list_findings(m, &l, true, WRITER_GRAVEST, WRITER_OPEN);
    l.whole = l.count;
    l.item[l.count++] = m->report.count;
    list_findings(m, &l, true, WRITER_OPEN - 1, 0);
    list_findings(m, &l, false, WRITER_GRAVEST, WRITER_OPEN);
    return l;
}

static struct page *page_of_item(const struct writer *m, const struct list *l, size_t k,
                                 int width) {
    struct page *own = page_new(width, m->view.app->look.ascii);
    if (l->item[k] < m->report.count)
        put_finding(&m->report.finding[l->item[k]], k < l->whole, own);
    else
        say_verdict(m, own);
    return own;
}

/* Adds the rows of an item from `skip` on if they have room above `last`, and a row for "more" if
 * others follow. If it is to be cut, adds as many as have room. Returns how many are left. */
static int add_item(const struct writer *m, const struct list *l, size_t k, int skip, bool cut,
                    int last, struct page *p, struct writer_spots *spots) {
    struct page *own = page_of_item(m, l, k, page_width(p));
    bool finding = l->item[k] < m->report.count;
    int top = page_height(p), space = last - top - 1 > 1 ? last - top - 1 : 1;
    int left = page_height(own) > skip ? page_height(own) - skip : 0;
    bool fits = left + (k + 1 < l->count) <= last - top;
    int shown = fits ? left : !cut ? 0 : space < left ? space : left;
    page_append(p, own, skip, shown);
    for (int row = top; finding && row < top + shown && row < WRITER_SPOTS; row++)
        spots->finding[row] = (int)l->item[k];
    page_free(own);
    return left - shown;
}

/* Shows the findings from the place that F3 chose, and how many have no room. Only the first may be
 * cut, and only if even the rows that the text can spare are too few. */
static void draw_findings(struct writer *m, struct page *p, int rows, struct writer_spots *spots) {
    int last = page_height(p) + rows, most = spots->most > last ? spots->most : last, left = 0;
    if (!m->reported) {
        say(p, PAGE_DIM, m->trouble ? m->trouble : "Checked as soon as you pause.");
        return;
    }
    struct list l = list_all(m);
    struct writer_place at = m->skipped.item < l.count ? m->skipped : (struct writer_place){0};
    size_t k = at.item;
    for (; k < l.count && !left; k += !left) {
        bool first = k == at.item;
        int end = first ? most : last, skip = first ? at.row : 0, from = page_height(p);
        left = add_item(m, &l, k, skip, first, end, p, spots);
        if (first) spots->least = page_height(p);
        if (left) spots->next = (struct writer_place){k, first ? skip + page_height(p) - from : 0};
    }
    if (left) {
        spots->left = l.count - k;
        spots->left_row = page_height(p);
        spots->least++;
        page_blank(p, 1);
    }
    free(l.item);
}

/* ── the ledger ────────────────────────────────────────────────────────────────────────────────*/
static void put_stages(const struct writer *m, struct page *p) {
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
    page_table(p, (struct page_flow){0}, cell, rows, 4, "rrrl", true);
}

static void draw_ledger(struct writer *m, struct page *p, int rows, struct writer_spots *spots) {
    struct base_message why = {0};
    (void)spots;
    if (!m->scene.known) {
        say(p, PAGE_DIM, "Write a line that begins with \"Scenario:\" to see this.");
        return;
    }
    put_stages(m, p);
    if (m->course) say(p, PAGE_DIM, "A figure shows here once your table of Figures claims it.");
    if (!m->scene.ledger || rows < LEDGER_ROWS) return;
    page_blank(p, 1);
    if (!page_figure(p, (struct page_flow){0}, m->scene.ledger, &why)) say(p, PAGE_DIM, why.what);
}

static void draw_planner(struct writer *m, struct page *p, int rows, struct writer_spots *spots) {
    (void)rows, (void)spots;
    bool closed = m->course && !m->report.passes;
    const char *plan =
        m->scene.known && m->scene.plan ? m->scene.plan : "This follows the memo's scenario.";
    say(p, m->scene.known && !closed ? PAGE_PLAIN : PAGE_DIM,
        closed ? "This shows once your memo passes." : plan);
}

static void draw_sensitivity(struct writer *m, struct page *p, int rows,
                             struct writer_spots *spots) {
    (void)rows, (void)spots;
    bool closed = m->course && !m->report.passes;
    if (!m->scene.turns || closed) {
        say(p, PAGE_DIM,
            closed ? "Shows once your memo passes: what would change your mind."
                   : "Write a line that begins with \"Decision:\" to see this.");
        return;
    }
    for (const char *s = m->scene.turns; *s;) {
        size_t n = strcspn(s, "\n");
        char *line = base_format("%.*s", (int)n, s);
        page_markdown(p, (struct page_flow){0}, line);
        free(line);
        s += n + (s[n] == '\n');
    }
}

/* ── the calculator ────────────────────────────────────────────────────────────────────────────*/
static void draw_calculator(struct writer *m, struct page *p, int rows,
                            struct writer_spots *spots) {
    int row = page_height(p), width = page_width(p) - 1;
    (void)rows;
    spots->cursor = screen_editor_draw(&m->sum, p, row, 0, width, 1, NULL, NULL);
    spots->field_row = row;
    spots->field_width = width;
    const char *text = screen_editor_text(&m->sum);
    char *sum = *text ? screen_scratch_sum(text) : NULL;
    char *line = sum ? base_format("= %s", sum)
                     : base_dup(*text ? "cannot be read yet" : "such as 2*13G + 14*13G/8");
    say(p, sum ? PAGE_STRONG : PAGE_DIM, line);
    if (m->offers) say(p, PAGE_DIM, "Press Enter again to write it where the memo's cursor is.");
    free(line);
    free(sum);
}

/* ── the table ─────────────────────────────────────────────────────────────────────────────────*/
void screen_writer_panel_draw(struct writer *m, enum writer_panel panel, struct page *p, int rows,
                              struct writer_spots *spots) {
    static void (*const draw[WRITER_PANELS])(struct writer *, struct page *, int,
                                             struct writer_spots *) = {
        [WRITER_FINDINGS] = draw_findings,
        [WRITER_LEDGER] = draw_ledger,
        [WRITER_PLANNER] = draw_planner,
        [WRITER_SENSITIVITY] = draw_sensitivity,
        [WRITER_CALCULATOR] = draw_calculator};
    if (panel < WRITER_PANELS) draw[panel](m, p, rows, spots);
}
