/* Tables: columns as wide as they must be, the widest text column giving way first; numbers on
 * their decimal point. */
#include "page/figure.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, NARROWEST = 4, PASSES = 4 };

struct column {
    char align;
    /* of the widest word: to be narrower cuts it */
    int width, word;
    /* of a 'd' column: cells left of the decimal point, and left of the units */
    int point, unit;
    /* as wide as its widest cell: decimal alignment still works */
    bool whole;
};
struct table {
    const struct page_ink *cell;
    size_t rows, columns;
    struct column *column;
    int gap;
    bool head;
};

static bool is_digit(const struct page_ink *ink, size_t at) {
    return at < ink->n && ink->s[at] >= '0' && ink->s[at] <= '9';
}

/* A number in its cell: [0, point) before the decimal point or where it would stand, [unit, n)
 * after its last digit. Without a digit the whole cell is the unit of nothing. */
struct number {
    size_t point, unit;
};

static struct number find_number(const struct page_ink *ink) {
    struct number n = {0, 0};
    while (n.point < ink->n && !is_digit(ink, n.point)) n.point++;
    if (n.point == ink->n) return (struct number){0, 0};
    while (is_digit(ink, n.point) ||
           (n.point < ink->n && strchr(",'", ink->s[n.point]) && is_digit(ink, n.point + 1)))
        n.point++;
    n.unit = n.point;
    if (n.unit < ink->n && ink->s[n.unit] == '.' && is_digit(ink, n.unit + 1)) n.unit++;
    while (n.unit > n.point && is_digit(ink, n.unit)) n.unit++;
    return n;
}

/* A cell may have lines of its own; its width is the longest's. */
static int cell_width(const struct page_ink *ink) {
    int widest = 0;
    for (size_t from = 0; from < ink->n;) {
        const char *stop = memchr(ink->s + from, '\n', ink->n - from);
        size_t to = stop ? (size_t)(stop - ink->s) : ink->n;
        int width = page_ink_width(ink, from, to);
        if (width > widest) widest = width;
        from = to + 1;
    }
    return widest;
}

static const struct page_ink *at(const struct table *t, size_t row, size_t column) {
    return &t->cell[row * t->columns + column];
}

static bool is_decimal(const struct table *t, size_t row, size_t column) {
    return t->column[column].align == 'd' && !(t->head && row == 0);
}

static void widen(int *width, int w) {
    if (w > *width) *width = w;
}

/* The widest word, or, of a number, all of it with its unit. */
static int word_width(const struct page_ink *ink, bool number) {
    int widest = 0;
    if (number) return cell_width(ink);
    for (size_t from = 0; from < ink->n;) {
        size_t to = from;
        while (to < ink->n && ink->s[to] != ' ' && ink->s[to] != '\n') to++;
        int width = page_ink_width(ink, from, to);
        if (width > widest) widest = width;
        from = to + 1;
    }
    return widest;
}

static void measure(struct table *t, size_t column) {
    struct column *c = &t->column[column];
    int fraction = 0, unit = 0;
    for (size_t row = 0; row < t->rows; row++) {
        const struct page_ink *ink = at(t, row, column);
        widen(&c->width, cell_width(ink));
        widen(&c->word,
              word_width(ink, (c->align == 'r' || c->align == 'd') && !(t->head && !row)));
        struct number n = find_number(ink);
        if (!is_decimal(t, row, column) || !n.unit) continue;
        widen(&c->point, page_ink_width(ink, 0, n.point));
        widen(&fraction, page_ink_width(ink, n.point, n.unit));
        widen(&unit, page_ink_width(ink, n.unit, ink->n));
    }
    c->unit = c->point + fraction;
    int slack = c->width - c->unit - unit;
    widen(&c->width, c->unit + unit);
    if (slack > 0) { /* a wider head: the numbers keep to the right */
        c->point += slack;
        c->unit += slack;
    }
    c->whole = true;
}

static int total_width(const struct table *t) {
    int sum = t->gap * ((int)t->columns - 1);
    for (size_t i = 0; i < t->columns; i++) sum += t->column[i].width;
    return sum;
}

/* What a column may give, at each pass: what cuts no word, text before numbers; then what must
 * be. */
static bool may_give(const struct column *c, int pass) {
    bool text = c->align == 'l' || c->align == 'c';
    switch (pass) {
    case 0: return text && c->width > c->word && c->width > 2 * NARROWEST;
    case 1: return c->width > c->word && c->width > NARROWEST;
    case 2: return text && c->width > 2 * NARROWEST;
    case 3: return c->width > NARROWEST;
    default: return c->width > 1;
    }
}

/* The column that can best give a cell away, the widest first; NULL if none can. */
static struct column *giver(const struct table *t) {
    struct column *best = NULL;
    for (int pass = 0; pass <= PASSES && !best; pass++)
        for (size_t i = 0; i < t->columns; i++) {
            struct column *c = &t->column[i];
            if (may_give(c, pass) && (!best || c->width > best->width)) best = c;
        }
    return best;
}

/* Whether so many cells have room only if the columns move together. */
static bool is_tight(int cells, int gaps, int width) {
    return cells + GAP * gaps > width && cells + gaps <= width;
}

/* The columns move together where only that keeps all words whole, or each cell on one row. */
static int choose_gap(const struct table *t, int width) {
    int words = 0, cells = 0, gaps = (int)t->columns - 1;
    for (size_t i = 0; i < t->columns; i++) {
        words += t->column[i].word;
        cells += t->column[i].width;
    }
    return is_tight(words, gaps, width) || is_tight(cells, gaps, width) ? 1 : GAP;
}

static void shrink(struct table *t, int width) {
    struct column *c;
    t->gap = choose_gap(t, width);
    for (int over = total_width(t) - width; over > 0 && (c = giver(t)); over--) {
        c->width--;
        c->whole = false;
    }
}

/* Where a line of this width starts in its column. */
static int place(const struct column *c, int width) {
    if (c->align == 'r' || c->align == 'd') return c->width - width;
    return c->align == 'c' ? (c->width - width) / 2 : 0;
}

/* A number on its point, its unit under the other units.  */
static void draw_number(struct page *p, const struct page_ink *ink, const struct column *c, int row,
                        int left) {
    struct number n = find_number(ink);
    int end = left + c->width, start = left + c->point - page_ink_width(ink, 0, n.point);
    page_ink_draw(p, row, start, end, ink, (struct page_line){0, n.unit});
    page_ink_draw(p, row, left + c->unit, end, ink, (struct page_line){n.unit, ink->n});
}

/* Draws one cell downwards from `row` of the page; returns its height. */
static int draw_cell(struct page *p, const struct table *t, size_t row, size_t column, int top,
                     int left) {
    const struct page_ink *ink = at(t, row, column);
    const struct column *c = &t->column[column];
    if (is_decimal(t, row, column) && c->whole && find_number(ink).unit) {
        draw_number(p, ink, c, top, left);
        return 1;
    }
    struct page_line *line;
    size_t n = page_ink_wrap(ink, c->width, c->width, &line);
    for (size_t i = 0; i < n; i++) {
        int from = left + place(c, page_ink_width(ink, line[i].from, line[i].to));
        page_ink_draw(p, top + (int)i, from, left + c->width, ink, line[i]);
    }
    free(line);
    return (int)n;
}

static void draw_row(struct page *p, const struct table *t, size_t row, struct page_flow f) {
    int top = p->height, height = 1, left = f.indent;
    for (size_t i = 0; i < t->columns; i++) {
        if (left >= f.indent + f.width) break;
        int cell = draw_cell(p, t, row, i, top, left);
        if (cell > height) height = cell;
        left += t->column[i].width + t->gap;
    }
    page_blank(p, top + height - p->height);
}

/* ── for the ear ───────────────────────────────────────────────────────────────────────────────*/
/* A table's texts, in rows. */
struct texts {
    const char **cell;
    size_t rows, columns;
    bool head;
    const char *align;
    /* its signs are in words already */
    bool said;
};

static void say_line(struct page *p, struct page_flow f, const struct texts *t, const char *text) {
    (t->said ? page_text_said : page_text)(p, f, text);
}

/* "2", or "1, checkpointed". */
static bool is_bare_number(const char *name) {
    size_t n = strspn(name, "0123456789");
    return n > 0 && (!name[n] || strncmp(name + n, ", ", 2) == 0);
}

/* What a row is about: its first cell, after that column's head if it is a bare number or if the
 * head leaves off with "…". A row that is alone and begins with an amount has no name, but values
 * under heads. Returns the pieces that were added. */
static size_t name_row(struct base_text *line, const struct texts *t, size_t row) {
    const char *name = t->cell[row * t->columns], *head = t->head ? t->cell[0] : "";
    if (!*name) return 0;
    const char *rest = strstr(head, " …");
    if (rest)
        base_text_printf(line, "%.*s ", (int)(rest - head), head);
    else if (*head && t->rows == 2 && t->columns > 1 && *t->cell[1] &&
             isdigit((unsigned char)*name))
        base_text_printf(line, "%s: ", head);
    else if (*head && is_bare_number(name))
        base_text_printf(line, "%s ", head);
    base_text_puts(line, name);
    return 1;
}

/* How much of a head names its column: what it adds, as in "keeps (7B, N = 8)" or "volume, A
 * micro-batches", is said in the first row only. All of it if two columns have that name. */
static size_t name_of(const struct texts *t, size_t column) {
    const char *head = t->cell[column], *paren = strstr(head, " (");
    size_t whole = strlen(head), n = strcspn(head, ",;");
    if (paren && (size_t)(paren - head) < n) n = (size_t)(paren - head);
    for (size_t i = 1; i < t->columns; i++)
        if (i != column && strncmp(t->cell[i], head, n) == 0 &&
            (!t->cell[i][n] || strchr(" ,;", t->cell[i][n])))
            return whole;
    return n;
}

/* How much of its column's head is said with a cell: none beyond the first row if there is only one
 * column of values. */
static size_t head_of(const struct texts *t, size_t row, size_t column) {
    if (!t->head || !*t->cell[column] || (row > 1 && t->columns == 2)) return 0;
    return row == 1 ? strlen(t->cell[column]) : name_of(t, column);
}

/* "stage 1; keeps: 31.4 GB; sends: 26.3 GB." */
static void say_row(struct page *p, struct page_flow f, const struct texts *t, size_t row) {
    struct base_text line = {0};
    size_t n = name_row(&line, t, row);
    for (size_t i = 1; i < t->columns; i++) {
        const char *text = t->cell[row * t->columns + i];
        size_t name = head_of(t, row, i);
        if (!*text) continue;
        base_text_puts(&line, n++ == 0 ? "" : name ? "; " : ": ");
        if (name) base_text_printf(&line, "%.*s: ", (int)name, t->cell[i]);
        base_text_puts(&line, strcmp(text, "–") == 0 ? "nothing" : text);
    }
    if (line.length) base_text_puts(&line, ".");
    if (line.length) say_line(p, f, t, line.s);
    base_text_free(&line);
}

/* A head over the first column alone is the table's title. */
static void say_title(struct page *p, struct page_flow f, const struct texts *t) {
    for (size_t i = 1; i < t->columns; i++)
        if (*t->cell[i]) return;
    char *title = base_format("%s:", t->cell[0]);
    if (*t->cell[0]) say_line(p, f, t, title);
    free(title);
}

static void say_rows(struct page *p, struct page_flow f, const struct texts *t) {
    if (t->head) say_title(p, f, t);
    for (size_t row = t->head; row < t->rows; row++) say_row(p, f, t, row);
}

static void say_inks(struct page *p, struct page_flow f, const struct page_ink *cell, size_t rows,
                     size_t columns) {
    struct texts t = {.rows = rows, .columns = columns, .head = true, .align = "", .said = true};
    char **text = base_alloc(rows * columns * sizeof *text);
    for (size_t i = 0; i < rows * columns; i++)
        text[i] = base_format("%.*s", (int)cell[i].n, cell[i].n ? cell[i].s : "");
    t.cell = (const char **)text;
    say_rows(p, f, &t);
    for (size_t i = 0; i < rows * columns; i++) free(text[i]);
    free(text);
}

void page_table_draw(struct page *p, struct page_flow f, const struct page_ink *cell, size_t rows,
                     size_t columns, const char *align, bool head) {
    if (!rows || !columns) return;
    f = page_flow_fit(p, f);
    if (head && p->spoken) {
        say_inks(p, f, cell, rows, columns);
        return;
    }
    struct table t = {cell, rows, columns, base_alloc(columns * sizeof *t.column), GAP, head};
    size_t aligned = align ? strlen(align) : 0;
    for (size_t i = 0; i < columns; i++) {
        t.column[i].align = i < aligned ? align[i] : 'l';
        measure(&t, i);
    }
    shrink(&t, f.width);
    for (size_t i = 0; i < columns; i++) p->cuts |= t.column[i].width < t.column[i].word;
    for (size_t row = 0; row < rows; row++) {
        draw_row(p, &t, row, f);
        if (row || !head) continue;
        int width = total_width(&t), top = p->height;
        page_blank(p, 1);
        page_rule(p, top, f.indent, width < f.width ? width : f.width);
    }
    free(t.column);
}

void page_table(struct page *p, struct page_flow f, const char *const *cell, size_t rows,
                size_t columns, const char *align, bool head) {
    struct page_ink *ink = base_alloc((rows * columns + 1) * sizeof *ink);
    for (size_t i = 0; i < rows * columns; i++) {
        ink[i].ascii = p->ascii;
        ink[i].spoken = p->spoken;
        if (cell[i])
            page_ink_add(&ink[i], head && i < columns ? PAGE_STRONG : f.role, 0, cell[i],
                         strlen(cell[i]));
        page_ink_say(&ink[i], false);
    }
    page_table_draw(p, f, ink, rows, columns, align, head);
    for (size_t i = 0; i < rows * columns; i++) page_ink_free(&ink[i]);
    free(ink);
}

/* ── a figure of text cells ────────────────────────────────────────────────────────────────────*/
enum { MOST_ROWS = 200, MOST_COLUMNS = 16 };

static bool read_row(const json_t *row, size_t number, size_t columns, const char **cell,
                     struct base_message *m) {
    if (json_array_size(row) != columns)
        return base_fail(m, "row %zu of the table has %zu cells, not %zu", number,
                         json_array_size(row), columns);
    for (size_t i = 0; i < columns; i++) {
        cell[i] = json_string_value(json_array_get(row, i));
        if (!cell[i])
            return base_fail(m, "row %zu of the table: cell %zu is not text", number, i + 1);
    }
    return true;
}

static bool read_texts(const json_t *spec, struct texts *t, struct base_message *m) {
    const json_t *head = json_object_get(spec, "head"), *rows = json_object_get(spec, "rows");
    size_t first = head ? 1 : 0, n = json_array_size(rows);
    t->columns = json_array_size(head ? head : json_array_get(rows, 0));
    if (n == 0 || n > MOST_ROWS || t->columns == 0 || t->columns > MOST_COLUMNS)
        return base_fail(m,
                         "a table has 1 to %d rows of 1 to %d cells: "
                         "{\"head\":[…],\"rows\":[[…],…],\"align\":\"lr\"}",
                         MOST_ROWS, MOST_COLUMNS);
    t->align = base_json_text(spec, "align", "");
    t->head = head;
    t->rows = n + first;
    if (strspn(t->align, "lrcd") != strlen(t->align))
        return base_fail(m,
                         "a table's align needs one letter per column, l, r, c or d, and is \"%s\"",
                         t->align);
    t->cell = base_alloc(t->rows * t->columns * sizeof *t->cell);
    if (head && !read_row(head, 0, t->columns, t->cell, m)) return false;
    for (size_t i = 0; i < n; i++)
        if (!read_row(json_array_get(rows, i), i + 1, t->columns,
                      t->cell + (i + first) * t->columns, m))
            return false;
    return true;
}

bool page_figure_table(struct page *p, struct page_flow f, const json_t *spec,
                       struct base_message *m) {
    struct texts t = {0};
    bool fine = read_texts(spec, &t, m);
    if (fine) page_table(p, f, t.cell, t.rows, t.columns, t.align, t.head);
    free(t.cell);
    return fine;
}

bool page_words_table(struct page *p, struct page_flow f, const json_t *spec,
                      struct base_message *m) {
    struct texts t = {0};
    const json_t *sentence, *say = json_object_get(spec, "say");
    size_t i;
    bool fine = read_texts(spec, &t, m);
    json_array_foreach(say, i, sentence) page_say(p, f, "%s", json_string_value(sentence));
    if (fine && !say) say_rows(p, f, &t);
    free(t.cell);
    return fine;
}
