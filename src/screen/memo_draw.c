/* memo_draw: the memo's screen. The text, signs at its margin where the check found something;
 * next to it everything that is known, or under it one panel where the terminal is narrow. */
#include "screen/memo.h"

#include <stdlib.h>
#include <string.h>

enum {
    MARGIN = 2,
    TEXT_LEAST = 4,
    /* what is left of it where a finding needs the rows */
    TEXT_SEEN = 2,
    GAP_ROWS = 2,
    /* a gap, a head and two rows */
    PANEL_LEAST = 4,
    ROOMY = 60,
    /* rows next to the text in which not everything has room */
    LOW = 30
};

static const char *name_of(const struct writer *m) {
    return screen_writer_last_name(session_memo_file(m->file));
}

static void draw_title(const struct writer *m, struct frame *f) {
    struct base_text right = {0};
    char *left = base_format("Memo  %s", name_of(m));
    size_t open = screen_writer_open_findings(m);
    if (m->reported && f->width >= ROOMY)
        base_text_puts(&right, m->report.passes ? "passes · " : "does not pass yet · ");
    if (open) base_text_printf(&right, "%zu to fix · ", open);
    base_text_puts(&right, m->locked || (m->trouble && m->editor.revision != m->saved) ? "not saved"
                           : m->editor.revision != m->saved                            ? "…"
                                                                                       : "saved");
    screen_frame_title(f, left, right.s);
    base_text_free(&right);
    free(left);
}

/* ── the text ──────────────────────────────────────────────────────────────────────────────────*/
struct margin {
    const struct writer *memo;
    struct frame *frame;
};

/* What matters most goes before the rest. */
static void put_margin(void *to, int row, int line) {
    const struct margin *g = to;
    const struct memo_report *r = &g->memo->report;
    const struct memo_finding *most = NULL;
    for (size_t i = 0; line > 0 && g->memo->reported && i < r->count; i++) {
        const struct memo_finding *f = &r->finding[i];
        if (f->line == line && (!most || screen_writer_gravity(f) > screen_writer_gravity(most)))
            most = f;
    }
    if (!most) return;
    unsigned role;
    const char *sign = screen_writer_sign(most, &role);
    page_put(g->frame->page, row, g->frame->left, role, 0, sign);
}

static void draw_text(struct writer *m, struct frame *f, int rows) {
    struct margin margin = {m, f};
    int columns = f->width - MARGIN - 1;
    if (m->find.open) screen_find_draw(&m->find, &m->editor, f, f->top + --rows);
    struct editor_spot s = screen_editor_draw(&m->editor, f->page, f->top, f->left + MARGIN,
                                              columns, rows, put_margin, &margin);
    m->text = (struct input_area){f->top, f->left + MARGIN, columns};
    for (int row = 0; row < rows; row++)
        screen_frame_zone(f, f->top + row, 0, f->width, PRESS_NONE, WRITER_TEXT);
    if (!m->calculating && !m->find.open && s.row >= 0)
        screen_frame_cursor(f, s.row, s.column - f->left);
    screen_frame_more(f, s.above, s.below);
}

/* ── the panels ────────────────────────────────────────────────────────────────────────────────*/
static struct writer_spots no_spots(void) {
    struct writer_spots s = {.field_row = -1};
    for (size_t i = 0; i < WRITER_SPOTS; i++) s.finding[i] = -1;
    return s;
}

static void put_head(struct page *p, enum writer_panel panel, bool here) {
    int row = page_height(p);
    int end =
        page_put(p, row, 0, here ? PAGE_ACCENT : PAGE_DIM, 0, screen_writer_panel_name(panel));
    page_rule(p, row, end + 1, page_width(p) - end - 1);
}

/* Shows the first rows of the page of panels at a place, and what clicks and the cursor mean
 * there. */
static void put_panels(struct writer *m, struct frame *f, struct page *p,
                       const struct writer_spots *s, int row, int column, int rows) {
    m->next = s->next;
    if (s->left) {
        char *more = base_format("%zu more ↓  F3", s->left);
        page_put(p, s->left_row, 0, PAGE_ACCENT, 0, more);
        free(more);
    }
    screen_frame_window(f, p, 0, rows, row, column);
    if (s->left && s->left_row < rows)
        screen_frame_zone(f, row + s->left_row, column - f->left, page_width(p), PRESS_F(3), -1);
    for (int r = 0; r < rows && r < WRITER_SPOTS; r++)
        if (s->finding[r] >= 0)
            screen_frame_zone(f, row + r, column - f->left, page_width(p), PRESS_NONE,
                              WRITER_FINDING + s->finding[r]);
    if (s->field_row < 0 || s->field_row >= rows) return;
    m->field = (struct input_area){row + s->field_row, column, s->field_width};
    screen_frame_zone(f, m->field.row, column - f->left, s->field_width, PRESS_NONE, WRITER_FIELD);
    if (m->calculating)
        screen_frame_cursor(f, row + s->cursor.row, column + s->cursor.column - f->left);
}

/* Whether a panel and its head have room at the bottom of a page; findings can be shown in parts.
 */
static bool has_room(struct writer *m, enum writer_panel panel, const struct page *p, int rows) {
    struct page *own = page_new(page_width(p), m->view.app->look.ascii);
    struct writer_spots spots = no_spots();
    int left = rows - page_height(p);
    if (panel != WRITER_FINDINGS) screen_writer_panel_draw(m, panel, own, 0, &spots);
    int needs = page_height(own) + GAP_ROWS;
    page_free(own);
    return left >= (needs > PANEL_LEAST ? needs : PANEL_LEAST);
}

/* The panels in the order in which they get room: the chosen one first. The calculator has room
 * where it is. */
static size_t order_panels(const struct writer *m, bool low, enum writer_panel out[WRITER_PANELS]) {
    static const enum writer_panel orders[2][WRITER_PANELS] = {
        {WRITER_LEDGER, WRITER_PLANNER, WRITER_CALCULATOR, WRITER_FINDINGS, WRITER_SENSITIVITY},
        {WRITER_LEDGER, WRITER_CALCULATOR, WRITER_FINDINGS, WRITER_PANELS, WRITER_PANELS}};
    size_t n = 0;
    bool chosen = m->panel != WRITER_PANELS && m->panel != WRITER_CALCULATOR;
    if (chosen) out[n++] = m->panel;
    for (size_t i = 0; i < WRITER_PANELS && orders[low][i] != WRITER_PANELS; i++)
        if (!chosen || orders[low][i] != m->panel) out[n++] = orders[low][i];
    return n;
}

static void draw_pane(struct writer *m, struct frame *f) {
    enum writer_panel order[WRITER_PANELS];
    bool low = f->rows < LOW;
    unsigned shown = 0;
    struct page *p = page_new(f->pane_width, m->view.app->look.ascii);
    page_set_colours(p, m->view.app->look.colours);
    struct writer_spots spots = no_spots();
    for (size_t i = 0, n = order_panels(m, low, order); i < n; i++) {
        enum writer_panel panel = order[i];
        if (!has_room(m, panel, p, f->rows)) continue;
        if (shown) page_blank(p, 1);
        put_head(p, panel, panel == WRITER_CALCULATOR && m->calculating);
        screen_writer_panel_draw(
            m, panel, p, low && panel == WRITER_LEDGER ? 0 : f->rows - page_height(p), &spots);
        shown |= 1u << panel;
    }
    if (m->panel == WRITER_PANELS) m->left_out = ~shown;
    put_panels(m, f, p, &spots, f->top, f->pane_left, f->rows);
    page_free(p);
}

/* Half of the body at most, unless what is said of the place at the cursor needs more; the
 * calculator needs three rows. */
static void draw_under(struct writer *m, struct frame *f) {
    struct page *p = page_new(f->width - 2, m->view.app->look.ascii);
    page_set_colours(p, m->view.app->look.colours);
    struct writer_spots spots = no_spots();
    int most = f->rows / 2;
    if (f->rows - most < TEXT_LEAST) most = f->rows - TEXT_LEAST;
    spots.most = f->rows - TEXT_SEEN;
    put_head(p, m->panel, m->calculating);
    screen_writer_panel_draw(m, m->panel, p, most - 1, &spots);
    if (spots.least > most)
        most = spots.least < f->rows - TEXT_SEEN ? spots.least : f->rows - TEXT_SEEN;
    int rows = page_height(p) < most ? page_height(p) : most;
    draw_text(m, f, f->rows - rows - (f->rows > TEXT_LEAST + rows + GAP_ROWS));
    put_panels(m, f, p, &spots, f->top + f->rows - rows, f->left + 1, rows);
    page_free(p);
}

/* Says what the keys are that choose, as long as that is to be done. */
static void draw_conflict(const struct writer *m, struct frame *f) {
    char *words = base_format("Another program changed it. ^B keeps yours as %s~, ^Q overwrites.",
                              name_of(m));
    screen_frame_note(f, words);
    free(words);
}

void screen_writer_draw(struct view *v, struct frame *f) {
    struct writer *m = (struct writer *)v;
    m->has_pane = f->pane_width > 0;
    draw_title(m, f);
    if (!m->has_pane && m->panel != WRITER_PANELS) {
        draw_under(m, f);
    } else {
        if (m->has_pane) draw_pane(m, f);
        draw_text(m, f, f->rows);
    }
    if (m->clash) draw_conflict(m, f);
}
