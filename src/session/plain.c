/* plain: what a person reads of Markdown, in lines: marks and the bars and rules of tables dropped,
 * white space folded; a paragraph, a row or an item ends with a line's end. */
#include "session/inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Past the mark of a quotation or of a list's item, if this line begins with one. */
static const char *past_mark(const char *line) {
    const char *s = line + strspn(line, " ");
    return (*s == '>' || *s == '-') && s[1] == ' ' ? s + 1 : line;
}

/* Whether the end of a line also ends a paragraph, a row of a table or an item of a list. */
static bool is_break(const char *begin, const char *s) {
    return *s == '\n' &&
           (s[1] == '\n' || strncmp(s + 1, "- ", 2) == 0 || (s > begin && s[-1] == '|'));
}

static bool is_rule(const char *begin, const char *s) {
    return (*s == '-' || *s == ':') && (s[1] == '-' || (s > begin && s[-1] == '-'));
}

static bool is_space(char c) {
    return isspace((unsigned char)c);
}

char *session_plain(const char *markdown) {
    char *out = base_alloc(strlen(markdown) + 1), *end = out;
    for (const char *s = past_mark(markdown); *s; s++) {
        bool gap = end == out || is_space(end[-1]), white = is_space(*s) || *s == '|';
        if (*s == '*' || *s == '`' || *s == '#' || is_rule(markdown, s)) continue;
        if (!white)
            *end++ = *s;
        else if (!gap)
            *end++ = is_break(markdown, s) ? '\n' : ' ';
        else if (end > out && is_break(markdown, s))
            end[-1] = '\n';
        if (*s == '\n') s = past_mark(s + 1) - 1;
    }
    while (end > out && is_space(end[-1])) end--;
    *end = '\0';
    return out;
}

/* ── kept ────────────────────────────────────────────────────────────────────────────────────────
 * A search reads all texts of the course at each key. So what was made of one is kept in a table by
 * the text's place in memory, with a copy: at the same place there may be another one later. */
struct session_plain {
    const char *at;
    char *markdown, *plain;
};

static void forget(struct session_plain *p) {
    free(p->markdown);
    free(p->plain);
    *p = (struct session_plain){0};
}

void session_plains_free(struct session_plains *all) {
    for (size_t i = 0; i < all->capacity; i++) forget(&all->slot[i]);
    free(all->slot);
    *all = (struct session_plains){0};
}

/* The text's slot, or the free one where it belongs. */
static struct session_plain *find(const struct session_plains *all, const char *at) {
    size_t i = ((uintptr_t)at * 0x9E3779B97F4A7C15u >> 20) & (all->capacity - 1);
    while (all->slot[i].at && all->slot[i].at != at) i = (i + 1) & (all->capacity - 1);
    return &all->slot[i];
}

/* At most half of the slots are taken, so that a free one is near. */
static void make_room(struct session_plains *all) {
    enum { FIRST = 1024 };
    struct session_plains larger = {.capacity = all->capacity ? 2 * all->capacity : FIRST,
                                    .count = all->count};
    if (2 * all->count < all->capacity) return;
    larger.slot = base_alloc(larger.capacity * sizeof *larger.slot);
    for (size_t i = 0; i < all->capacity; i++)
        if (all->slot[i].at) *find(&larger, all->slot[i].at) = all->slot[i];
    free(all->slot);
    *all = larger;
}

const char *session_plain_kept(struct session_plains *all, const char *markdown) {
    make_room(all);
    struct session_plain *p = find(all, markdown);
    if (p->at && strcmp(p->markdown, markdown) == 0) return p->plain;
    all->count += !p->at;
    forget(p);
    *p = (struct session_plain){markdown, base_dup(markdown), session_plain(markdown)};
    return p->plain;
}
