/* The grid: rows that appear when they are written, cells that hold one grapheme each. */
#include "page/internal.h"

#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unigbrk.h>

enum { MOST_ROWS = 1 << 15, MOST_COLUMNS = 1 << 10 };

static const struct page_cell empty_cell = {.text = " "};

struct page *page_new(int width, bool ascii) {
    struct page *p = base_alloc(sizeof *p);
    p->width = width < 1 ? 1 : width > MOST_COLUMNS ? MOST_COLUMNS : width;
    p->ascii = ascii;
    p->thick = 1;
    return p;
}

void page_free(struct page *p) {
    if (!p) return;
    free(p->cell);
    free(p);
}

int page_width(const struct page *p) {
    return p->width;
}

int page_height(const struct page *p) {
    return p->height;
}

void page_set_colours(struct page *p, int colours) {
    p->colours = colours >= 256;
}

bool page_spoken(const struct page *p) {
    return p->spoken;
}

void page_set_spoken(struct page *p, bool spoken) {
    p->spoken = spoken;
}

void page_set_thick(struct page *p, int rows) {
    p->thick = rows < 1 ? 1 : rows > PAGE_THICKEST ? PAGE_THICKEST : rows;
}

void page_set_tight(struct page *p, bool tight) {
    p->tight = tight;
}

bool page_cuts(const struct page *p) {
    return p->cuts;
}

bool page_has_colours(const struct page *p) {
    return p->colours && !p->ascii;
}

bool page_ascii(const struct page *p) {
    return p->ascii;
}

static struct page_cell *cell_at(const struct page *p, int row, int column) {
    assert(row >= 0 && row < p->capacity && column >= 0 && column < p->width);
    return &p->cell[(size_t)row * (size_t)p->width + (size_t)column];
}

const struct page_cell *page_cell(const struct page *p, int row, int column) {
    bool inside = row >= 0 && row < p->height && column >= 0 && column < p->width;
    return inside ? cell_at(p, row, column) : &empty_cell;
}

const struct page_cell *page_row(const struct page *p, int row) {
    assert(row < p->height);
    return cell_at(p, row, 0);
}

int page_says(const struct page *p, int row, int column, const char *text) {
    if (column < 0 || !*page_cell(p, row, column)->text) return -1;
    for (; *text; column++) {
        const char *cell = page_cell(p, row, column)->text;
        size_t n = strlen(cell);
        if (column >= p->width || strncmp(cell, text, n) != 0) return -1;
        text += n;
    }
    while (column < p->width && !*page_cell(p, row, column)->text) column++;
    return column;
}

/* Copies twice as many each time: every page begins empty, so that it counts. */
static void fill_empty(struct page_cell *to, size_t count) {
    to[0] = empty_cell;
    for (size_t done = 1; done < count; done *= 2)
        memcpy(to + done, to, (done < count - done ? done : count - done) * sizeof *to);
}

static void make_room(struct page *p, int height) {
    int capacity = height + p->capacity / 2 + 8;
    size_t before = (size_t)p->capacity * (size_t)p->width,
           all = (size_t)capacity * (size_t)p->width;
    p->cell = base_grow(p->cell, all, sizeof *p->cell);
    fill_empty(p->cell + before, all - before);
    p->capacity = capacity;
}

static void grow_to(struct page *p, int height) {
    if (height > MOST_ROWS) height = MOST_ROWS;
    if (height > p->capacity) make_room(p, height);
    if (height > p->height) p->height = height;
    assert(p->height <= p->capacity);
}

void page_blank(struct page *p, int rows) {
    if (rows > 0) grow_to(p, rows > MOST_ROWS ? MOST_ROWS : p->height + rows);
}

size_t page_grapheme(const char *s, const char *end) {
    if ((unsigned char)*s < 0x80 && (s + 1 == end || (unsigned char)s[1] < 0x80)) return 1;
    const uint8_t *next = u8_grapheme_next((const uint8_t *)s, (const uint8_t *)end);
    return next ? (size_t)((const char *)next - s) : 1;
}

int page_grapheme_width(const char *s, size_t n) {
    int width = *s == '\t' ? 1 : 0;
    for (const char *end = s + n; s < end;) width += base_code_width(base_utf8_next(&s, end));
    return width > 2 ? 2 : width;
}

/* A cell that is overwritten must not leave half of a wide grapheme next to it. */
static void unpair(struct page *p, int row, int column) {
    struct page_cell *c = cell_at(p, row, column);
    if (!c->text[0] && column > 0) memcpy(cell_at(p, row, column - 1)->text, " ", 2);
    if (column + 1 < p->width && !c[1].text[0]) memcpy(c[1].text, " ", 2);
}

static void set_cell(struct page *p, int row, int column, struct page_cell cell) {
    if (column < 0 || column >= p->width) return;
    unpair(p, row, column);
    *cell_at(p, row, column) = cell;
}

/* As many whole code points of the grapheme as a cell can hold. */
static void fit_text(char out[16], const char *s, size_t n) {
    size_t used = 0;
    for (const char *at = s, *end = s + n; at < end;) {
        char one[4];
        size_t length = base_utf8_put(one, base_utf8_next(&at, end));
        if (used + length > 15) break;
        memcpy(out + used, one, length);
        used += length;
    }
    out[used] = '\0';
}

/* Spaces of all kinds look alike in a cell. */
static bool is_blank(const char *s, size_t n) {
    static const char *const blanks[] = {"\u00a0", "\u202f", "\u2009", "\u2007"};
    if (n == 1) return *s == ' ' || *s == '\t';
    for (size_t i = 0; i < BASE_COUNT(blanks); i++)
        if (strlen(blanks[i]) == n && !memcmp(blanks[i], s, n)) return true;
    return false;
}

/* The right half of a wide grapheme, whose left half is already in the cell before it. */
static void set_half(struct page *p, int row, int column, struct page_cell cell) {
    if (column < 1 || column >= p->width) return;
    struct page_cell *c = cell_at(p, row, column);
    if (column + 1 < p->width && !c[1].text[0]) memcpy(c[1].text, " ", 2);
    cell.text[0] = '\0';
    *c = cell;
}

static int put_grapheme(struct page *p, int row, int column, struct page_cell cell, const char *s,
                        size_t n) {
    if (n == 1 && *s > ' ' && *s < 0x7f) { /* most of them */
        cell.text[0] = *s;
        set_cell(p, row, column, cell);
        return column + 1;
    }
    bool blank = is_blank(s, n);
    int width = blank ? 1 : page_grapheme_width(s, n);
    if (!width) return column;
    bool cut = column < 0 || column + width > p->width;
    fit_text(cell.text, blank || cut ? " " : s, blank || cut ? 1 : n);
    set_cell(p, row, column, cell);
    if (width == 2 && cut)
        set_cell(p, row, column + 1, cell);
    else if (width == 2)
        set_half(p, row, column + 1, cell);
    return column + width;
}

static int put_bytes(struct page *p, int row, int column, struct page_cell cell, const char *s,
                     size_t n) {
    if (row < 0 || row >= MOST_ROWS || n == 0) return column;
    grow_to(p, row + 1);
    for (const char *end = s + n; s < end && column < p->width;) {
        size_t length = page_grapheme(s, end);
        column = put_grapheme(p, row, column, cell, s, length);
        s += length;
    }
    return column;
}

/* Letters do not read on a ground of their own hue: on ASCII pages a category is its ink. */
static unsigned cell_role(const struct page *p, unsigned role) {
    bool fill = role >= PAGE_CATEGORY && role < PAGE_INK;
    if (role >= PAGE_ROLES) return PAGE_PLAIN;
    return p->ascii && fill ? role + ACCOUNT_CATEGORIES : role;
}

int page_put(struct page *p, int row, int column, unsigned role, unsigned attributes,
             const char *text) {
    struct page_cell cell = {.role = (uint8_t)cell_role(p, role),
                             .attributes = (uint8_t)attributes};
    if (!p->ascii) return put_bytes(p, row, column, cell, text, strlen(text));
    char *plain = page_ascii_dup(text, strlen(text), role);
    column = put_bytes(p, row, column, cell, plain, strlen(plain));
    free(plain);
    return column;
}

/* As it will be written; the caller's. */
static char *plain_of(const char *text, bool ascii) {
    return ascii ? page_ascii_dup(text, strlen(text), PAGE_PLAIN) : base_dup(text);
}

/* The bytes of `text` that take at most `cells`, and the cells that they take. */
static size_t fits(const char *text, int cells, int *taken) {
    const char *s = text;
    *taken = 0;
    for (const char *end = text + strlen(text); s < end;) {
        size_t n = page_grapheme(s, end);
        int width = page_grapheme_width(s, n);
        if (*taken + width > cells) break;
        *taken += width;
        s += n;
    }
    return (size_t)(s - text);
}

int page_measure(const struct page *p, const char *text) {
    char *plain = plain_of(text, p->ascii);
    int width;
    fits(plain, INT_MAX - 2, &width);
    free(plain);
    return width;
}

/* The end of the last word that is whole before byte n, unless more than a third would be lost. */
static size_t end_of_word(const char *text, size_t n) {
    size_t end = n;
    if (text[n] == ' ') return n;
    while (end > 0 && text[end - 1] != ' ') end--;
    return 3 * end >= 2 * n ? end : n;
}

char *page_cut(const char *text, int cells, bool ascii) {
    char *plain = plain_of(text, ascii);
    const char *dots = ascii ? "..." : "…";
    int taken, width = base_width(dots);
    if (!plain[fits(plain, cells, &taken)]) return plain;
    size_t n = end_of_word(plain, fits(plain, cells - width, &taken));
    while (n > 0 && plain[n - 1] == ' ') n--;
    char *cut = base_format("%.*s%s", (int)n, plain, dots);
    free(plain);
    return cut;
}

int page_printf(struct page *p, int row, int column, unsigned role, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = base_alloc((size_t)(n < 0 ? 0 : n) + 1);
    vsnprintf(text, (size_t)(n < 0 ? 0 : n) + 1, format, again);
    va_end(again);
    column = page_put(p, row, column, role, 0, text);
    free(text);
    return column;
}

void page_rule(struct page *p, int row, int column, int width) {
    int end = width < p->width - column ? column + width : p->width;
    while (column < end) column = page_put(p, row, column, PAGE_DIM, 0, "─");
}

/* Copies the cell (r, c) of `from`; of a wide grapheme that does not fit, a blank. */
static void paste_cell(struct page *p, const struct page *from, int r, int c, int row, int column) {
    struct page_cell cell = *cell_at(from, r, c);
    bool wide = c + 1 < from->width && !cell_at(from, r, c + 1)->text[0];
    bool cut = (wide && column + 1 >= p->width) || (!cell.text[0] && column == 0);
    if (cut) memcpy(cell.text, " ", 2);
    if (cell.text[0])
        set_cell(p, row, column, cell);
    else
        set_half(p, row, column, cell);
}

void page_paste(struct page *p, const struct page *from, int row, int column) {
    if (from->height > 0 && row >= 0) grow_to(p, row + from->height);
    for (int r = 0; r < from->height; r++) {
        if (row + r < 0 || row + r >= p->height) continue;
        for (int c = 0; c < from->width; c++) paste_cell(p, from, r, c, row + r, column + c);
    }
}

static bool is_empty(const struct page_cell *c) {
    return c->text[0] == ' ' && !c->text[1] && c->role == PAGE_PLAIN && !c->attributes;
}

void page_overlay(struct page *p, const struct page *from, int first, int rows, int row,
                  int column) {
    int last = first + rows < from->height ? first + rows : from->height;
    for (int r = first < 0 ? 0 : first; r < last; r++) {
        int to = row + r - first;
        if (to < 0 || to >= MOST_ROWS) continue;
        for (int c = 0; c < from->width; c++) {
            if (is_empty(cell_at(from, r, c))) continue;
            grow_to(p, to + 1);
            paste_cell(p, from, r, c, to, column + c);
        }
    }
}

void page_append(struct page *p, const struct page *from, int first, int rows) {
    assert(first >= 0);
    int rest = first < from->height ? from->height - first : 0;
    struct page part = {.width = from->width, .height = rows < rest ? rows : rest};
    part.capacity = part.height;
    part.cell = from->cell + (size_t)first * (size_t)from->width;
    if (part.height > 0) page_paste(p, &part, p->height, 0);
}
