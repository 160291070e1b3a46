/* editor_keys: what keys do in a text and in a field. */
#include "screen/editor.h"

#include <stdlib.h>
#include <string.h>

static void type(struct editor *e, uint32_t code) {
    char s[4];
    size_t n = base_utf8_put(s, code);
    screen_editor_replace(e, e->at, e->at, s, n);
}

static void rub(struct editor *e, size_t from, size_t to) {
    screen_editor_replace(e, from, to, "", 0);
}

/* ── moving ────────────────────────────────────────────────────────────────────────────────────*/
static void go(struct editor *e, size_t at) {
    screen_editor_go(e, at);
    e->joins = false;
}

/* By rows, in the column that was wanted first; from the first row to the text's beginning, from
 * the last to its end. */
static void go_rows(struct editor *e, int by) {
    struct editor_row r = screen_editor_row_of(e, e->at);
    int wanted = e->wanted >= 0 ? e->wanted : screen_editor_column(e, &r, e->at);
    bool moved = true;
    int left = by < 0 ? -by : by;
    for (int i = 0; i < left && moved; i++)
        moved = by < 0 ? screen_editor_row_before(e, &r) : screen_editor_row_after(e, &r);
    bool stuck = !moved && left == 1;
    go(e, stuck ? by < 0 ? 0 : e->text.length : screen_editor_place(e, &r, wanted));
    e->wanted = wanted;
}

static void go_row_end(struct editor *e) {
    struct editor_row r = screen_editor_row_of(e, e->at);
    go(e, screen_editor_place(e, &r, e->columns + 1));
}

/* ── a field's history ─────────────────────────────────────────────────────────────────────────*/
void screen_editor_remember(struct editor_history *h, const char *line) {
    if (!*line || (h->count && strcmp(h->line[h->count - 1], line) == 0)) return;
    h->line = base_grow(h->line, h->count + 1, sizeof *h->line);
    h->line[h->count++] = base_dup(line);
}

void screen_editor_forget(struct editor_history *h) {
    for (size_t i = 0; i < h->count; i++) free(h->line[i]);
    free(h->line);
    *h = (struct editor_history){0};
}

/* To the line that is so far back; at either end the text stays. */
static void recall(struct editor *e, size_t back) {
    size_t count = e->history->count;
    if (back > count) return;
    if (e->back == 0) {
        free(e->typing);
        e->typing = base_dup(screen_editor_text(e));
    }
    e->back = back;
    const char *line = back ? e->history->line[count - back] : e->typing;
    screen_editor_replace(e, 0, e->text.length, line, strlen(line));
}

static void older(struct editor *e) {
    if (e->history)
        recall(e, e->back + 1);
    else
        go_rows(e, -1);
}
static void newer(struct editor *e) {
    if (!e->history)
        go_rows(e, 1);
    else if (e->back)
        recall(e, e->back - 1);
}

/* ── the table ─────────────────────────────────────────────────────────────────────────────────*/
static void left(struct editor *e) {
    go(e, screen_editor_previous(e, e->at));
}
static void right(struct editor *e) {
    go(e, screen_editor_next(e, e->at));
}
static void up(struct editor *e) {
    go_rows(e, -1);
}
static void down(struct editor *e) {
    go_rows(e, 1);
}
static void page_up(struct editor *e) {
    go_rows(e, e->rows > 2 ? 1 - e->rows : -2);
}
static void page_down(struct editor *e) {
    go_rows(e, e->rows > 2 ? e->rows - 1 : 2);
}
static void row_start(struct editor *e) {
    go(e, screen_editor_row_of(e, e->at).from);
}
static void line_start(struct editor *e) {
    go(e, screen_editor_line_start(e, e->at));
}
static void line_end(struct editor *e) {
    go(e, screen_editor_line_end(e, e->at));
}
static void first(struct editor *e) {
    go(e, 0);
}
static void last(struct editor *e) {
    go(e, e->text.length);
}
static void word_left(struct editor *e) {
    go(e, screen_editor_word_left(e, e->at));
}
static void word_right(struct editor *e) {
    go(e, screen_editor_word_right(e, e->at));
}
static void rub_left(struct editor *e) {
    rub(e, screen_editor_previous(e, e->at), e->at);
}
static void rub_right(struct editor *e) {
    rub(e, e->at, screen_editor_next(e, e->at));
}
static void rub_word(struct editor *e) {
    rub(e, screen_editor_word_left(e, e->at), e->at);
}
/* Back to a blank, so that ^W takes a whole "2*13G". */
static void rub_to_blank(struct editor *e) {
    size_t at = e->at;
    while (at > 0 && e->text.s[at - 1] == ' ') at--;
    while (at > 0 && e->text.s[at - 1] != ' ') at--;
    rub(e, at, e->at);
}
static void rub_start(struct editor *e) {
    rub(e, screen_editor_line_start(e, e->at), e->at);
}
/* The rest of the line; if there is no more, the line's end. */
static void rub_line(struct editor *e) {
    size_t end = screen_editor_line_end(e, e->at);
    rub(e, e->at, end > e->at ? end : screen_editor_next(e, e->at));
}
static void new_line(struct editor *e) {
    type(e, '\n');
}

/* NULL: the key is not the editor's there. */
static const struct {
    uint32_t press;
    void (*in_text)(struct editor *e);
    void (*in_field)(struct editor *e);
} KEYS[] = {
    {PRESS_ENTER, new_line, NULL},
    {PRESS_BACKSPACE, rub_left, rub_left},
    {PRESS_DELETE, rub_right, rub_right},
    {PRESS_LEFT, left, left},
    {PRESS_RIGHT, right, right},
    {PRESS_UP, up, older},
    {PRESS_DOWN, down, newer},
    {PRESS_PAGE_UP, page_up, NULL},
    {PRESS_PAGE_DOWN, page_down, NULL},
    {PRESS_HOME, row_start, line_start},
    {PRESS_END, go_row_end, line_end},
    {PRESS_FIRST, first, first},
    {PRESS_LAST, last, last},
    {PRESS_WORD_LEFT, word_left, word_left},
    {PRESS_WORD_RIGHT, word_right, word_right},
    {PRESS_CTRL('a'), line_start, line_start},
    {PRESS_CTRL('e'), line_end, line_end},
    {PRESS_CTRL('w'), rub_word, rub_to_blank},
    {PRESS_CTRL('k'), rub_line, rub_line},
    {PRESS_CTRL('u'), rub_start, rub_start},
};

bool screen_editor_key(struct editor *e, const struct key *k) {
    bool pasted = k->code == '\n' || k->code == '\t';
    e->full = false;
    if (screen_key_types(k) || pasted) {
        type(e, pasted && e->most ? ' ' : k->code);
        return true;
    }
    if (!e->most && screen_key_is(k, "F9 C-x")) return screen_editor_undo(e);
    if (!e->most && screen_key_is(k, "C-r")) return screen_editor_redo(e);
    for (size_t i = 0; i < BASE_COUNT(KEYS); i++) {
        if (KEYS[i].press != k->code) continue;
        void (*act)(struct editor * e) = e->most ? KEYS[i].in_field : KEYS[i].in_text;
        if (act) act(e);
        return act != NULL;
    }
    return false;
}
