/* solved: a solution that is followed line by line. All its lines stand there from the first; what
 * is not known yet is a dot. Next to lines that are piles of memory a bar grows, each pile where
 * the one above it ends, and the line that adds them up has them all. */
#include "page/figure.h"

#include <math.h>

enum { LABELS = 3, GAP = 2, NOTE = 5, LEAST_CELLS = 10, THICKEST = 5 };

/* Where things lie, and how much room there is for them. */
struct layout {
    /* the first column of formulas (0: they stand under their lines), the last of values plus one,
     * and the first of the bars (0: none) */
    int formula, value, bars, cells;
    /* rows of a bar, blank rows between lines */
    int thick, gap;
    /* all notes have room; else only the newest line's is there */
    bool notes;
    double sum;
};

static int more(int a, int b) {
    return a > b ? a : b;
}

static bool is_pile(const struct page_solved_line *l) {
    return l->category < ACCOUNT_CATEGORIES;
}

/* The columns, by all lines, so that nothing moves as they become known. */
static struct layout measure(const struct page_solved *s, int width) {
    struct layout y = {.thick = 1};
    int label = 0, formula = 0, value = 1, piles = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct page_solved_line *l = &s->line[i];
        label = more(label, base_width(l->label));
        formula = more(formula, base_width(l->formula));
        value = more(value, base_width(l->value));
        piles += is_pile(l);
        if (is_pile(l)) y.sum += l->bytes;
    }
    int names = LABELS + label + GAP;
    bool beside = names + formula + GAP + value < width;
    y.formula = beside ? names : 0;
    y.value = names + value + (beside ? formula + GAP : 0);
    y.cells = width - y.value - GAP - 1;
    if (piles && y.sum > 0 && y.cells >= LEAST_CELLS) y.bars = y.value + GAP;
    return y;
}

/* What is said of a line, between its label and its bar if that is thick. NULL: nothing. */
static struct page *note_of(const struct page *p, const struct page_solved_line *l,
                            const struct layout *y, int width) {
    if (!l->note || !*l->note) return NULL;
    int right = y->bars && y->thick > 1 ? y->bars - GAP : width - 1;
    struct page *note = page_new(right - NOTE, p->ascii);
    page_markdown(note, (struct page_flow){.role = PAGE_DIM}, l->note);
    return note;
}

static int note_rows(const struct page *p, const struct page_solved_line *l, const struct layout *y,
                     int width) {
    struct page *note = note_of(p, l, y, width);
    int rows = note ? page_height(note) : 0;
    page_free(note);
    return rows;
}

/* Rows of a line with its note, or without. */
static int rows_of(const struct page *p, const struct page_solved_line *l, const struct layout *y,
                   int width, bool noted) {
    int text = 1 + (y->formula == 0) + (noted ? note_rows(p, l, y, width) : 0);
    return y->bars ? more(text, y->thick) : text;
}

static int rows_of_all(const struct page *p, const struct page_solved *s, const struct layout *y,
                       int width) {
    int rows = (int)(s->count - 1) * y->gap;
    for (size_t i = 0; i < s->count; i++) rows += rows_of(p, &s->line[i], y, width, true);
    return rows;
}

/* The thickest bars and the widest gaps that there is room for. */
static void choose_rows(const struct page *p, const struct page_solved *s, struct layout *y,
                        int width) {
    y->notes = true;
    y->gap = 1;
    for (y->thick = y->bars ? THICKEST : 1; y->thick > 0; y->thick--)
        if (rows_of_all(p, s, y, width) <= s->rows) return;
    y->thick = 1;
    y->gap = 0;
    y->notes = rows_of_all(p, s, y, width) <= s->rows;
}

/* Whole cells for each pile, so that a pile is as long in its own line as in the line that adds
 * them up. */
static void divide(const struct page_solved *s, const struct layout *y, int *cells) {
    double due[PAGE_SOLVED];
    int pile[PAGE_SOLVED], piles = 0;
    for (size_t i = 0; i < s->count; i++)
        if (is_pile(&s->line[i])) due[piles++] = s->line[i].bytes * y->cells / y->sum;
    page_divide(due, piles, 1, pile);
    piles = 0;
    for (size_t i = 0; i < s->count; i++) cells[i] = is_pile(&s->line[i]) ? pile[piles++] : 0;
}

static void draw_bar(struct page *p, const struct page_solved *s, const struct layout *y, size_t i,
                     int row) {
    struct page_part part[PAGE_PARTS];
    const struct page_solved_line *l = &s->line[i];
    double sum = 0;
    int cells[PAGE_SOLVED], before = 0, parts = 0;
    divide(s, y, cells);
    for (size_t k = 0; k < i; k++) {
        before += cells[k];
        sum += is_pile(&s->line[k]) ? s->line[k].bytes : 0;
    }
    bool adds = !is_pile(l) && fabs(l->bytes - sum) <= 1e-6 * sum;
    for (size_t k = adds ? 0 : i; k <= i; k++)
        if (cells[k])
            part[parts++] = (struct page_part){.bytes = cells[k],
                                               .category = s->line[k].category,
                                               .fill = page_fill(p, s->line[k].category)};
    if (parts)
        page_bar_thick(p, row, y->thick, y->bars + (adds ? 0 : before), part, parts, 1, -1,
                       PAGE_PLAIN);
}

static void draw_known(struct page *p, const struct page_solved *s, const struct layout *y,
                       size_t i, int width) {
    const struct page_solved_line *l = &s->line[i];
    bool newest = i + 1 == s->known;
    int row = page_height(p), under = row + 1 + (y->formula == 0);
    page_put(p, row, LABELS, newest ? PAGE_STRONG : PAGE_PLAIN, 0, l->label);
    page_put(p, y->formula ? row : row + 1, y->formula ? y->formula : NOTE, PAGE_DIM, 0,
             l->formula);
    page_put(p, row, y->value - base_width(l->value), newest ? PAGE_STRONG : PAGE_PLAIN, 0,
             l->value);
    if (y->bars) draw_bar(p, s, y, i, row);
    struct page *note = y->notes || newest ? note_of(p, l, y, width) : NULL;
    if (note) page_paste(p, note, under, NOTE);
    page_free(note);
}

static void draw_hidden(struct page *p, const struct page_solved_line *l, const struct layout *y) {
    int row = page_height(p);
    page_put(p, row, LABELS, PAGE_DIM, 0, l->label);
    page_put(p, row, y->value - 1, PAGE_DIM, 0, p->ascii ? "." : "·");
}

int page_solved(struct page *p, struct page_flow f, const struct page_solved *s) {
    f = page_flow_fit(p, f);
    struct layout y = measure(s, f.width);
    int newest = page_height(p);
    choose_rows(p, s, &y, f.width);
    for (size_t i = 0; i < s->count; i++) {
        int row = page_height(p);
        bool known = i < s->known, last = i + 1 == s->known;
        if (last) newest = row;
        if (known)
            draw_known(p, s, &y, i, f.width);
        else
            draw_hidden(p, &s->line[i], &y);
        int end = row + rows_of(p, &s->line[i], &y, f.width, y.notes || last);
        end += i + 1 < s->count ? y.gap : 0;
        if (end > page_height(p)) page_blank(p, end - page_height(p));
    }
    return newest;
}
