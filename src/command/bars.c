/* bars: stacked bars of ledgers, an axis, the card's line, a legend of what there is. */
#include "command/bars.h"

#include <math.h>
#include <string.h>

enum { INDENT = 1, GAP = 2, CELLS_MOST = 64, CELLS_LEAST = 12, TICK_LEAST = 9 };

/* Without colour a category is known by its fill; an ASCII page turns the fills into letters. */
static const char *const fills[ACCOUNT_CATEGORIES] = {"█", "▓", "▒", "░", "╱", "◫", "◪", "·", "˙"};
static const char limit_sign[] = "┆";

struct layout {
    int left, cells, totals; /* column of the bars, cells to the axis' end, width of the totals */
    int digits;              /* of the totals, after the point */
    double end, step;        /* of the axis, bytes */
    int ticks;
};

/* ── the axis ────────────────────────────────────────────────────────────────────────────────────*/
/* The smallest round step that reaches `most` in at most `ticks` steps. */
static double round_step(double most, int ticks) {
    static const double steps[] = {1, 2, 2.5, 4, 5, 10};
    double power = pow(10, floor(log10(most / ticks)));
    for (size_t i = 0; i < BASE_COUNT(steps); i++)
        if (steps[i] * power * ticks >= most * (1 - 1e-9)) return steps[i] * power;
    return 10 * power;
}

/* As many digits after the point in all totals, so that points and units stand under each other. */
static int digits_for(const struct bars *b) {
    double total[BARS_MOST];
    for (size_t i = 0; i < b->count; i++) total[i] = (double)b->bar[i].ledger->total;
    return account_decimals(total, b->count, b->unit);
}

static void print_total(const struct bars *b, const struct layout *l, size_t i,
                        char out[static 32]) {
    char number[24];
    double total = (double)b->bar[i].ledger->total;
    snprintf(out, 32, "%s %s",
             account_print_fixed(number, sizeof number, total, b->unit, l->digits),
             account_unit_name(b->unit));
}

static struct layout lay_out(const struct bars *b, const struct page *p) {
    struct layout l = {.digits = digits_for(b)};
    double scale = account_unit_scale(b->unit), most = b->limit;
    int notes = 0, labels = 0;
    for (size_t i = 0; i < b->count; i++) {
        char total[32];
        print_total(b, &l, i, total);
        most = fmax(most, (double)b->bar[i].ledger->total);
        labels = (int)fmax(labels, page_measure(p, b->bar[i].label));
        l.totals = (int)fmax(l.totals, page_measure(p, total));
        if (b->bar[i].note) notes = (int)fmax(notes, page_measure(p, b->bar[i].note));
    }
    l.left = INDENT + labels + (labels ? GAP : 0);
    int capacity = page_width(p) - l.left - GAP - l.totals - (notes ? GAP + notes : 0) - 2;
    capacity = capacity > CELLS_MOST ? CELLS_MOST : capacity < CELLS_LEAST ? CELLS_LEAST : capacity;
    int most_ticks = capacity / TICK_LEAST < 1 ? 1 : capacity / TICK_LEAST;
    most = most > 0 ? most : scale;
    l.step = round_step(most / scale, most_ticks) * scale;
    l.ticks = (int)ceil(most / l.step * (1 - 1e-9));
    l.end = l.step * l.ticks;
    l.cells = capacity / l.ticks * l.ticks;
    return l;
}

static int column_of(const struct layout *l, double bytes) {
    return (int)lround(bytes / l->end * l->cells);
}

static void draw_axis(const struct bars *b, const struct layout *l, struct page *p) {
    int row = page_height(p), every = l->cells / l->ticks;
    for (int i = 0; i <= l->cells; i++)
        page_put(p, row, l->left + i, PAGE_DIM, 0,
                 i == 0          ? "├"
                 : i == l->cells ? "┤"
                 : i % every     ? "─"
                                 : "┼");
    for (int i = 0; i <= l->ticks; i++) {
        bool last = i == l->ticks;
        char text[40];
        snprintf(text, sizeof text, "%.10g%s%s", l->step * i / account_unit_scale(b->unit),
                 last ? " " : "", last ? account_unit_name(b->unit) : "");
        page_put(p, row + 1, l->left + i * every, PAGE_DIM, 0, text);
    }
    if (b->limit > 0) page_put(p, row, l->left + column_of(l, b->limit), PAGE_LIMIT, 0, limit_sign);
}

/* The line's words: right of its foot where there is room, else left of it. */
static void draw_foot(const struct bars *b, const struct layout *l, struct page *p) {
    int row = page_height(p), foot = l->left + column_of(l, b->limit);
    char text[96], amount[32];
    account_print(amount, sizeof amount, b->limit, b->unit, 4);
    snprintf(text, sizeof text, "%s %s", amount, b->limit_words);
    int width = page_measure(p, text);
    bool right = foot + GAP + width < page_width(p);
    if (!right && foot - 1 - width < INDENT) foot = INDENT + width + 1;
    page_put(p, row, foot, PAGE_LIMIT, 0, page_ascii(p) ? "^" : right ? "└" : "┘");
    page_put(p, row, right ? foot + GAP : foot - 1 - width, PAGE_PLAIN, 0, text);
}

/* ── bars ────────────────────────────────────────────────────────────────────────────────────────*/
/* Cells end where the sum so far ends, so that they add up; what is not nothing shows if it ends a cell of its own. */
static void draw_bar(const struct layout *l, const struct account_ledger *ledger, int row,
                     struct page *p) {
    double sum = 0;
    int drawn = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        sum += (double)ledger->bytes[c];
        for (int end = column_of(l, sum); drawn < end; drawn++)
            page_put(p, row, l->left + drawn, PAGE_CATEGORY + (unsigned)c, 0, fills[c]);
    }
    if (!drawn && sum > 0) page_put(p, row, l->left, PAGE_DIM, 0, "▏");
}

static void draw_row(const struct bars *b, const struct layout *l, size_t i, struct page *p) {
    int row = page_height(p), right = l->left + l->cells + GAP + l->totals;
    double total = (double)b->bar[i].ledger->total;
    bool over = b->limit > 0 && total > b->limit; /* said by colour too */
    char text[32];
    print_total(b, l, i, text);
    page_put(p, row, INDENT, PAGE_PLAIN, 0, b->bar[i].label);
    draw_bar(l, b->bar[i].ledger, row, p);
    if (b->limit > 0) page_put(p, row, l->left + column_of(l, b->limit), PAGE_LIMIT, 0, limit_sign);
    page_put(p, row, right - page_measure(p, text), over ? b->bar[i].role : PAGE_PLAIN, 0, text);
    if (b->bar[i].note) page_put(p, row, right + GAP, b->bar[i].role, 0, b->bar[i].note);
}

/* ── legend ──────────────────────────────────────────────────────────────────────────────────────*/
static bool is_present(const struct bars *b, int c) {
    for (size_t i = 0; i < b->count; i++)
        if (b->bar[i].ledger->bytes[c]) return true;
    return false;
}

static void draw_legend(const struct bars *b, const struct layout *l, struct page *p) {
    int row = page_height(p) + 1, column = l->left;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        const char *name = account_category_name((enum account_category)c);
        if (!is_present(b, c)) continue;
        if (column > l->left && column + GAP + page_measure(p, name) >= page_width(p)) {
            row++;
            column = l->left;
        }
        page_put(p, row, column, PAGE_CATEGORY + (unsigned)c, 0, fills[c]);
        column = page_put(p, row, column + 2, PAGE_PLAIN, 0, name) + GAP;
    }
}

void command_bars_draw(const struct bars *b, struct page *p) {
    struct layout l = lay_out(b, p);
    for (size_t i = 0; i < b->count; i++) draw_row(b, &l, i, p);
    draw_axis(b, &l, p);
    if (b->limit > 0) draw_foot(b, &l, p);
    draw_legend(b, &l, p);
    page_blank(p, 1);
}
