/* Ink: bytes of text, each with a role and attributes, on their way onto a page. */
#include "page/cells.h"

#include <stdlib.h>
#include <string.h>

static void append(struct page_ink *ink, unsigned role, unsigned attributes, const char *s,
                   size_t n) {
    if (n == 0) return;
    if (ink->n + n > ink->capacity) {
        ink->capacity = (ink->n + n) * 2 + 32;
        ink->s = base_grow(ink->s, ink->capacity, 1);
        ink->role = base_grow(ink->role, ink->capacity, 1);
        ink->attributes = base_grow(ink->attributes, ink->capacity, 1);
    }
    memcpy(ink->s + ink->n, s, n);
    memset(ink->role + ink->n, (int)role, n);
    memset(ink->attributes + ink->n, (int)attributes, n);
    ink->n += n;
}

void page_ink_add(struct page_ink *ink, unsigned role, unsigned attributes, const char *s,
                  size_t n) {
    if (n == 0) return;
    char *clean = base_clean_dup(s, n, n * 3);
    char *text = ink->ascii ? page_ascii_dup(clean, strlen(clean), role) : base_dup(clean);
    append(ink, role, attributes, text, strlen(text));
    free(text);
    free(clean);
}

void page_ink_clear(struct page_ink *ink) {
    ink->n = 0;
}

void page_ink_free(struct page_ink *ink) {
    free(ink->s);
    free(ink->role);
    free(ink->attributes);
    *ink = (struct page_ink){.ascii = ink->ascii};
}

int page_ink_width(const struct page_ink *ink, size_t from, size_t to) {
    int width = 0;
    while (from < to) {
        size_t n = page_grapheme(ink->s + from, ink->s + to);
        width += page_grapheme_width(ink->s + from, n);
        from += n;
    }
    return width;
}

/* One style's run at a time, so that a grapheme is never split between two puts. */
static size_t run_end(const struct page_ink *ink, struct page_line line) {
    size_t at = line.from;
    while (at < line.to && ink->role[at] == ink->role[line.from] &&
           ink->attributes[at] == ink->attributes[line.from])
        at += page_grapheme(ink->s + at, ink->s + line.to);
    return at;
}

/* How much of [from, to) fits in `cells`. */
static size_t fitting(const struct page_ink *ink, size_t from, size_t to, int cells) {
    while (from < to) {
        size_t n = page_grapheme(ink->s + from, ink->s + to);
        cells -= page_grapheme_width(ink->s + from, n);
        if (cells < 0) break;
        from += n;
    }
    return from;
}

int page_ink_draw(struct page *p, int row, int column, int end, const struct page_ink *ink,
                  struct page_line line) {
    if (line.from < line.to) line.to = fitting(ink, line.from, line.to, end - column);
    while (line.from < line.to) {
        size_t stop = run_end(ink, line), n = stop - line.from;
        char *run = base_alloc(n + 1);
        memcpy(run, ink->s + line.from, n);
        column = page_put(p, row, column, ink->role[line.from], ink->attributes[line.from], run);
        free(run);
        line.from = stop;
    }
    return column;
}
