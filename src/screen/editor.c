/* editor: the text, the places in it, and its changes, which can be taken back and made again. */
#include "screen/editor.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *screen_editor_text(const struct editor *e) {
    return e->text.s ? e->text.s : "";
}

/* ── places: graphemes, words, lines ───────────────────────────────────────────────────────────*/
size_t screen_editor_next(const struct editor *e, size_t at) {
    if (at >= e->text.length) return e->text.length;
    return at + page_grapheme(e->text.s + at, e->text.s + e->text.length);
}

/* Between two plain letters a grapheme ends for certain, and so it does at the beginning of a line:
 * from there they are walked. */
static size_t certain_before(const struct editor *e, size_t at) {
    const char *s = e->text.s;
    size_t p = at - 1;
    while (p > 0 && s[p - 1] != '\n' &&
           !((unsigned char)s[p - 1] < 0x80 && (unsigned char)s[p] < 0x80))
        p--;
    return p;
}

size_t screen_editor_previous(const struct editor *e, size_t at) {
    if (at == 0) return 0;
    size_t p = certain_before(e, at), next;
    while ((next = screen_editor_next(e, p)) < at) p = next;
    return p;
}

/* Letters and digits make words; so does all that is not ASCII. */
static bool in_word(const struct editor *e, size_t at) {
    unsigned char c = (unsigned char)e->text.s[at];
    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || c == '_';
}

size_t screen_editor_word_left(const struct editor *e, size_t at) {
    size_t p;
    while (at > 0 && !in_word(e, p = screen_editor_previous(e, at))) at = p;
    while (at > 0 && in_word(e, p = screen_editor_previous(e, at))) at = p;
    return at;
}

size_t screen_editor_word_right(const struct editor *e, size_t at) {
    while (at < e->text.length && !in_word(e, at)) at = screen_editor_next(e, at);
    while (at < e->text.length && in_word(e, at)) at = screen_editor_next(e, at);
    return at;
}

size_t screen_editor_line_start(const struct editor *e, size_t at) {
    while (at > 0 && e->text.s[at - 1] != '\n') at--;
    return at;
}

size_t screen_editor_line_end(const struct editor *e, size_t at) {
    const char *s = screen_editor_text(e);
    const char *end = memchr(s + at, '\n', e->text.length - at);
    return end ? (size_t)(end - s) : e->text.length;
}

int screen_editor_line_of(const struct editor *e, size_t at) {
    int line = 1;
    for (size_t p = 0; p < at; p++) line += e->text.s[p] == '\n';
    return line;
}

size_t screen_editor_line_at(const struct editor *e, int line) {
    size_t at = 0;
    for (; line > 1; line--) {
        size_t end = screen_editor_line_end(e, at);
        if (end == e->text.length) break;
        at = end + 1;
    }
    return at;
}

/* In the middle of a grapheme, as edits make them, there is no place but its end. */
void screen_editor_go(struct editor *e, size_t at) {
    if (at > e->text.length) at = e->text.length;
    if (at > 0 && at < e->text.length) {
        size_t next = screen_editor_next(e, screen_editor_previous(e, at));
        if (next > at) at = next;
    }
    assert(at <= e->text.length);
    e->at = at;
    e->wanted = -1;
    e->held = false;
}

/* ── the text as a whole ───────────────────────────────────────────────────────────────────────*/
static void forget_change(struct editor_change *c) {
    base_text_free(&c->gone);
    base_text_free(&c->came);
}

static void forget_changes(struct editor *e, size_t from) {
    for (size_t i = from; i < e->changes; i++) forget_change(&e->change[i]);
    e->changes = from;
}

void screen_editor_free(struct editor *e) {
    forget_changes(e, 0);
    free(e->change);
    free(e->typing);
    base_text_free(&e->text);
    *e = (struct editor){.wanted = -1, .most = e->most, .history = e->history};
}

void screen_editor_field(struct editor *e, size_t most, const struct editor_history *history) {
    screen_editor_free(e);
    e->most = most;
    e->history = history;
}

void screen_editor_set(struct editor *e, const char *text, size_t n) {
    screen_editor_free(e);
    base_text_add(&e->text, text, n);
}

/* ── the bytes ─────────────────────────────────────────────────────────────────────────────────*/
static void splice(struct editor *e, size_t at, size_t gone, const char *came, size_t n) {
    struct base_text *t = &e->text;
    assert(at <= t->length && gone <= t->length - at);
    size_t tail = t->length - at - gone;
    /* makes room; the bytes go to their place below */
    if (n > gone) base_text_add(t, came, n - gone);
    if (!t->s) return;
    memmove(t->s + at + n, t->s + at + gone, tail);
    if (n) memcpy(t->s + at, came, n);
    t->length = at + n + tail;
    t->s[t->length] = '\0';
    e->revision++;
}

/* ── changes ───────────────────────────────────────────────────────────────────────────────────*/
/* The oldest is forgotten where there are too many. */
static struct editor_change *new_change(struct editor *e, size_t at) {
    forget_changes(e, e->done);
    if (e->changes == EDITOR_CHANGES) {
        forget_change(&e->change[0]);
        memmove(e->change, e->change + 1, (--e->changes) * sizeof *e->change);
    }
    e->change = base_grow(e->change, e->changes + 1, sizeof *e->change);
    struct editor_change *c = &e->change[e->changes++];
    *c = (struct editor_change){.at = at, .before = e->at};
    e->done = e->changes;
    return c;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\t';
}

/* Words are taken back whole: what is typed goes on until a word begins. */
static bool joins_typed(const struct editor_change *c, size_t from, size_t to, const char *text,
                        size_t n) {
    if (from != to || n == 0 || c->came.length == 0 || c->at + c->came.length != from) return false;
    return !(is_blank(c->came.s[c->came.length - 1]) && !is_blank(*text)) && *text != '\n';
}

static bool joins_rubbed(const struct editor_change *c, size_t to, size_t n) {
    return n == 0 && c->came.length == 0 && c->at == to;
}

static void keep_rubbed(struct editor *e, struct editor_change *c, size_t from, size_t to) {
    struct base_text all = {0};
    base_text_add(&all, e->text.s + from, to - from);
    base_text_add(&all, c->gone.s, c->gone.length);
    base_text_free(&c->gone);
    c->gone = all;
    c->at = from;
}

static void keep(struct editor *e, size_t from, size_t to, const char *text, size_t n) {
    struct editor_change *c =
        e->joins && e->done == e->changes && e->changes ? &e->change[e->changes - 1] : NULL;
    if (c && joins_typed(c, from, to, text, n)) {
        base_text_add(&c->came, text, n);
    } else if (c && joins_rubbed(c, to, n)) {
        keep_rubbed(e, c, from, to);
    } else {
        c = new_change(e, from);
        if (to > from) base_text_add(&c->gone, e->text.s + from, to - from);
        if (n) base_text_add(&c->came, text, n);
    }
}

bool screen_editor_replace(struct editor *e, size_t from, size_t to, const char *text, size_t n) {
    assert(from <= to && to <= e->text.length);
    e->full = e->text.length - (to - from) + n > (e->most ? e->most : EDITOR_MOST);
    if (e->full || (from == to && n == 0)) return !e->full;
    keep(e, from, to, text, n);
    splice(e, from, to - from, text, n);
    e->joins = true;
    screen_editor_go(e, from + n);
    return true;
}

/* What both texts begin and end with stays, in whole characters. */
bool screen_editor_become(struct editor *e, const char *text, size_t n) {
    const char *old = screen_editor_text(e);
    size_t length = e->text.length, least = n < length ? n : length, head = 0, tail = 0, at = e->at;
    while (head < least && old[head] == text[head]) head++;
    while (head > 0 && ((unsigned char)old[head] & 0xc0) == 0x80) head--;
    while (tail < least - head && old[length - tail - 1] == text[n - tail - 1]) tail++;
    while (tail > 0 && ((unsigned char)old[length - tail] & 0xc0) == 0x80) tail--;
    e->joins = false;
    if (!screen_editor_replace(e, head, length - tail, text + head, n - tail - head)) return false;
    screen_editor_go(e, at <= head ? at : at >= length - tail ? at + n - length : head);
    e->joins = false;
    return true;
}

/* ── there and back ────────────────────────────────────────────────────────────────────────────*/
bool screen_editor_undo(struct editor *e) {
    if (e->done == 0) return false;
    const struct editor_change *c = &e->change[--e->done];
    splice(e, c->at, c->came.length, c->gone.s, c->gone.length);
    e->joins = false;
    screen_editor_go(e, c->before);
    return true;
}

bool screen_editor_redo(struct editor *e) {
    if (e->done == e->changes) return false;
    const struct editor_change *c = &e->change[e->done++];
    splice(e, c->at, c->gone.length, c->came.s, c->came.length);
    e->joins = false;
    screen_editor_go(e, c->at + c->came.length);
    return true;
}
