/* input_typed: answers that are typed: a number or an expression, a line of a worksheet, a few
 * words. */
#include "screen/input.h"

#include <math.h>
#include <string.h>

enum { FIELD_WIDTH = 44, FIELD_ON_SHEET = 28, FIELD_LEAST = 16, TEXT_LEFT = 3, TEXT_ROWS = 3 };
enum { BARS_GAP = 2, BARS_LEAST = 16 };

/* A click into the field moves its cursor. False if the key was none. */
static bool point(struct input *in, const struct key *k) {
    const struct input_box *b = &in->box;
    if (k->code != PRESS_CLICK || k->target != INPUT_FIELD) return false;
    screen_editor_point(&in->field, k->row - b->row, k->column - b->column);
    return true;
}

static enum input_result type_answer(struct input *in, const struct key *k) {
    const char *text = screen_editor_text(&in->field);
    if (k->code == PRESS_ENTER && text[strspn(text, " ")] == '\0' && in->does->unfinished)
        return INPUT_UNFINISHED;
    if (k->code == PRESS_ENTER) {
        in->answer = base_dup(text);
        return INPUT_DO;
    }
    return point(in, k) || screen_editor_key(&in->field, k) ? INPUT_REDRAW : INPUT_IGNORED;
}

/* The field in `width` cells, and where the cursor stands in it. */
static void draw_field(struct input *in, struct page *p, struct input_spot *spot, int row,
                       int column, int width, int rows) {
    struct editor_spot s = screen_editor_draw(&in->field, p, row, column, width, rows, NULL, NULL);
    spot->cursor_row = s.row;
    spot->cursor_column = s.column;
    spot->box = (struct input_box){row, column, width, rows};
}

/* Says that the field takes no more, if that is so. */
static void say_full(const struct input *in, struct page *p) {
    if (in->field.full)
        page_text(p, (struct page_flow){.indent = 3, .role = PAGE_DIM},
                  "That is as long as an answer can be.");
}

/* A field of one row, with what stands right of it. */
static void draw_short(struct input *in, struct page *p, struct input_spot *spot, int row,
                       int column, const char *unit) {
    int width = page_width(p) - column - 1 - (*unit ? base_width(unit) + 1 : 0);
    int most = *unit ? FIELD_ON_SHEET : FIELD_WIDTH;
    if (width > most) width = most;
    draw_field(in, p, spot, row, column, width, 1);
    if (*unit) page_put(p, row, column + width + 1, PAGE_DIM, 0, unit);
}

/* The prompt and the field side by side, or one above the other where that leaves too little to
 * type in. */
static void draw_number(struct input *in, struct page *p, struct input_spot *spot) {
    int row = page_height(p), column = 3 + base_width(in->ask->prompt) + 2;
    if (column + FIELD_LEAST >= page_width(p)) {
        struct page_flow flow = {.indent = 3, .width = page_width(p) - 4, .role = PAGE_DIM};
        page_text(p, flow, in->ask->prompt);
        row = page_height(p);
        column = 3;
    } else
        page_put(p, row, 3, PAGE_DIM, 0, in->ask->prompt);
    draw_short(in, p, spot, row, column, "");
    say_full(in, p);
}

const struct input_operations screen_input_number = {
    .typing = true,
    .enter = INPUT_CHECKS,
    .how = "Type a number or a sum such as (80 - 2*7)/4. You may add G, GB or GiB.",
    .unfinished = "type an answer first",
    .draw = draw_number,
    .key = type_answer};

/* ── a worksheet: all its lines, the field on the one that is asked ────────────────────────────*/
struct columns {
    int label, formula, value;
    /* of the widest value: they end in one column */
    int wide;
};

static int wider(int width, const char *text) {
    int w = base_width(text);
    return w > width ? w : width;
}

/* A line has at most one of the two. */
static const char *formula_of(const struct lesson_sheet_line *l) {
    return *l->must ? l->must : l->formula;
}

static struct columns measure(const struct lesson_ask *a, int width) {
    struct columns c = {.label = 3};
    int label = 0, formula = 0;
    for (size_t i = 0; i < a->lines; i++) {
        label = wider(label, a->sheet[i].label);
        formula = wider(formula, formula_of(&a->sheet[i]));
        c.wide = wider(c.wide, a->sheet[i].value);
    }
    c.formula = c.label + label + 2;
    bool fits = c.formula + formula + 2 + FIELD_LEAST < width;
    c.value = formula && fits ? c.formula + formula + 2 : c.formula;
    return c;
}

static void put_value(struct page *p, int row, struct columns c, const char *value) {
    const char *shown = *value ? value : "·";
    int before = c.wide - base_width(shown);
    page_put(p, row, c.value + (before > 0 ? before : 0), *value ? PAGE_PLAIN : PAGE_DIM, 0, shown);
}

/* Bars of the piles that are known, if there is room next to the field. The largest one fills it. A
 * line that is still asked has no share in the scale, which would give its value away. */
struct bars {
    /* column 0: there are none */
    int column, cells, thick, gap;
    double most;
};

static bool is_known(const struct lesson_sheet_line *l) {
    return l->state != LESSON_LINE_BLANK && l->state != LESSON_LINE_ASKED;
}

static struct bars measure_bars(const struct input *in, int width, struct columns c) {
    struct bars b = {.column = c.value + FIELD_ON_SHEET + 1 + base_width(in->ask->unit) + BARS_GAP};
    int lines = (int)in->ask->lines, piles = 0;
    for (int i = 0; i < lines; i++) {
        const struct lesson_sheet_line *l = &in->ask->sheet[i];
        if (page_pile_named(l->id, l->amount) == ACCOUNT_CATEGORIES) continue;
        piles++;
        if (is_known(l)) b.most = fmax(b.most, l->amount);
    }
    b.cells = width - 1 - b.column;
    if (piles == 0 || b.cells < BARS_LEAST) return (struct bars){.thick = 1};
    b.gap = in->half >= 3 * lines;
    b.thick = in->half / lines - b.gap;
    b.thick = b.thick < 1 ? 1 : b.thick > PAGE_THICKEST ? PAGE_THICKEST : b.thick;
    return b;
}

static void draw_pile(struct page *p, int row, const struct lesson_sheet_line *l,
                      const struct bars *b) {
    enum account_category c = page_pile_named(l->id, l->amount);
    if (b->column > 0 && c < ACCOUNT_CATEGORIES && is_known(l))
        page_pile(p, row, b->thick, b->column, b->cells * l->amount / b->most, c);
}

static void draw_line(struct input *in, struct page *p, struct input_spot *spot, int row,
                      const struct lesson_sheet_line *l, struct columns c) {
    static const struct {
        const char *sign;
        unsigned sign_role, role;
    } states[] = {{" ", PAGE_PLAIN, PAGE_DIM},
                  {" ", PAGE_PLAIN, PAGE_DIM},
                  {"▸", PAGE_ACCENT, PAGE_STRONG},
                  {"✓", PAGE_GOOD, PAGE_PLAIN},
                  {"✗", PAGE_BAD, PAGE_PLAIN}};
    bool asked = l->state == LESSON_LINE_ASKED;
    page_put(p, row, 1, states[l->state].sign_role, PAGE_BOLD, states[l->state].sign);
    page_put(p, row, c.label, states[l->state].role, 0, l->label);
    if (c.value > c.formula) page_put(p, row, c.formula, PAGE_DIM, 0, formula_of(l));
    if (asked)
        draw_short(in, p, spot, row, c.value, in->ask->unit);
    else
        put_value(p, row, c, l->value);
}

static void draw_sheet(struct input *in, struct page *p, struct input_spot *spot) {
    struct columns c = measure(in->ask, page_width(p));
    if (in->ask->lines == 0) {
        draw_number(in, p, spot);
        return;
    }
    struct bars b = measure_bars(in, page_width(p), c);
    for (size_t i = 0; i < in->ask->lines; i++) {
        int top = page_height(p), rows = b.thick + (i + 1 < in->ask->lines ? b.gap : 0);
        draw_line(in, p, spot, top + (b.thick - 1) / 2, &in->ask->sheet[i], c);
        draw_pile(p, top, &in->ask->sheet[i], &b);
        page_blank(p, top + rows - page_height(p));
    }
    say_full(in, p);
}

const struct input_operations screen_input_line = {
    .typing = true,
    .enter = INPUT_CHECKS,
    .how = "Fill the blanks from the top. Each one is checked against your lines above it.",
    .unfinished = "type this line's value first",
    .draw = draw_sheet,
    .key = type_answer};

/* ── a few words: the field grows with them, as far as there is room ───────────────────────────*/
static int width_of(int columns) {
    return columns - TEXT_LEFT - 1;
}

static int rows_of(struct input *in, int width, int used) {
    int wanted = screen_editor_rows(&in->field, width, in->capacity - used);
    return wanted > TEXT_ROWS ? wanted : TEXT_ROWS;
}

static void draw_text(struct input *in, struct page *p, struct input_spot *spot) {
    int columns = page_width(p), width = width_of(columns), top = page_height(p);
    struct page_flow flow = {.indent = TEXT_LEFT, .width = width, .role = PAGE_DIM};
    page_text(p, flow, in->ask->prompt);
    int row = page_height(p), rows = rows_of(in, width, row - top);
    struct editor_spot s =
        screen_editor_draw(&in->field, p, row, TEXT_LEFT, width, rows, NULL, NULL);
    if (s.above) page_put(p, row, columns - 1, PAGE_DIM, 0, "▲");
    if (s.below) page_put(p, row + rows - 1, columns - 1, PAGE_DIM, 0, "▼");
    spot->cursor_row = s.row;
    spot->cursor_column = s.column;
    spot->box = (struct input_box){row, TEXT_LEFT, width, rows};
    say_full(in, p);
}

const struct input_operations screen_input_text = {.typing = true,
                                                   .enter = INPUT_IS_DONE,
                                                   .how =
                                                       "Write in your own words. Only you read it.",
                                                   .draw = draw_text,
                                                   .key = type_answer};
