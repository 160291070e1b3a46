/* find: words that are looked for in an editor's text. The match is marked there; the row says
 * which of how many it is. */
#include "screen/find.h"

#include <stdlib.h>
#include <string.h>

enum { LEFT = 2, LEAST = 8 }; /* of the row; the field's cells that stay */

void screen_find_free(struct find *f) {
    screen_editor_free(&f->words);
    free(f->last);
    f->last = NULL;
}

/* ── matching ──────────────────────────────────────────────────────────────────────────────────*/
static char plain(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c == '\n' || c == '\t' ? ' ' : c;
}

static bool has_capitals(const char *words) {
    return strpbrk(words, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL;
}

static bool is_match(const char *s, const char *words, bool exact) {
    for (; *words; s++, words++)
        if (*s != *words && (plain(*s) != plain(*words) || (exact && plain(*s) != ' ')))
            return false;
    return true;
}

/* The text's match at or behind a place, or the last before it; false if there is none in that
 * direction. */
static bool match(const struct editor *e, const char *words, size_t from, bool back, size_t *at) {
    const char *s = screen_editor_text(e);
    size_t n = strlen(words), length = e->text.length;
    bool exact = has_capitals(words);
    if (n == 0 || n > length) return false;
    if (from > length) from = length;
    for (size_t p = from; back ? p > 0 : p <= length - n; p += back ? (size_t)-1 : 1) {
        size_t here = back ? p - 1 : p;
        if (here > length - n || !is_match(s + here, words, exact)) continue;
        *at = here;
        return true;
    }
    return false;
}

/* Which match the marked one is, and how many there are. */
static size_t count(const struct editor *e, const char *words, size_t *which) {
    size_t all = 0, at;
    for (size_t from = 0; match(e, words, from, false, &at); from = at + 1) {
        all++;
        if (at <= e->mark) *which = all;
    }
    return all;
}

/* ── going there ───────────────────────────────────────────────────────────────────────────────*/
static void mark(struct editor *e, size_t at, size_t n) {
    screen_editor_go(e, at);
    e->joins = false;
    e->mark = at;
    e->marked = n;
}

/* To the match nearest to a place, around the end if there is none; without any, back to where the
 * search began. */
static void go(struct find *f, struct editor *e, size_t from, bool back) {
    const char *words = screen_editor_text(&f->words);
    size_t at;
    f->wrapped = !match(e, words, from, back, &at);
    if (!f->wrapped || match(e, words, back ? e->text.length : 0, back, &at))
        mark(e, at, strlen(words));
    else
        mark(e, f->from, 0);
}

static void step(struct find *f, struct editor *e, bool back) {
    if (!*screen_editor_text(&f->words) && f->last)
        screen_editor_replace(&f->words, 0, 0, f->last, strlen(f->last));
    go(f, e, !e->marked ? e->at : back ? e->mark : e->mark + 1, back);
}

void screen_find_open(struct find *f, const struct editor *e) {
    screen_editor_field(&f->words, EDITOR_LINE, NULL);
    f->open = true;
    f->wrapped = false;
    f->from = e->at;
}

void screen_find_close(struct find *f, struct editor *e) {
    if (!f->open) return;
    if (*screen_editor_text(&f->words)) {
        free(f->last);
        f->last = base_dup(screen_editor_text(&f->words));
    }
    f->open = false;
    e->marked = 0;
}

bool screen_find_key(struct find *f, struct editor *e, const struct key *k) {
    if (k->code == PRESS_UP || k->code == PRESS_DOWN || k->code == PRESS_ENTER ||
        k->code == PRESS_CTRL('f')) {
        step(f, e, k->code == PRESS_UP);
        return true;
    }
    unsigned before = f->words.revision;
    bool known = screen_editor_key(&f->words, k);
    if (f->words.revision != before) go(f, e, f->from, false);
    return known;
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
/* "2 of 7", "not found"; the caller's. */
static char *say(const struct find *f, const struct editor *e) {
    const char *words = screen_editor_text(&f->words);
    size_t which = 0, all = count(e, words, &which);
    if (!*words) return base_dup(f->last ? "⏎ the last words" : "");
    if (!all) return base_dup("not found");
    return base_format("%zu of %zu%s", which, all, f->wrapped ? ", around the end" : "");
}

void screen_find_draw(struct find *f, const struct editor *e, struct frame *frame, int row) {
    struct page *p = frame->page;
    int left = frame->left + LEFT, end = frame->left + frame->width - 1;
    int field = page_put(p, row, left, PAGE_ACCENT, 0, "find ");
    char *said = say(f, e);
    bool none = *screen_editor_text(&f->words) && !e->marked;
    int cells = page_measure(p, said), right = end - cells;
    if (right - 2 - field < LEAST) right = end + 2;
    struct editor_spot at =
        screen_editor_draw(&f->words, p, row, field, right - 2 - field, 1, NULL, NULL);
    if (right < end) page_put(p, row, right, none ? PAGE_WARN : PAGE_DIM, 0, said);
    screen_frame_cursor(frame, at.row, at.column - frame->left);
    free(said);
}
