/* editor_move: places in the text, by graphemes, words and lines. */
#include "screen/editor.h"

#include <string.h>

size_t screen_editor_next(const struct editor *e, size_t at) {
    if (at >= e->text.length) return e->text.length;
    return at + page_grapheme(e->text.s + at, e->text.s + e->text.length);
}

/* Between two plain letters a grapheme ends for certain, and so it does at the beginning of a line: from there they are walked. */
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
    e->at = at;
    e->wanted = -1;
    e->held = false;
}
