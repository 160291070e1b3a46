/* command_memo_mark: a memo's text with a mark behind each figure that the check read. */
#include "command/memo.h"

#include <stdlib.h>
#include <string.h>

#define NARROW_SPACE " "
static const char *const marks[MEMO_KINDS] = {
    [MEMO_RIGHT] = "✓",      [MEMO_ROUNDED] = "≈", [MEMO_UNIT] = "✗",
    [MEMO_MISTAKE] = "✗",    [MEMO_WRONG] = "✗",   [MEMO_KNOWN] = "✓",
    [MEMO_UNREADABLE] = "✗", [MEMO_CHECKED] = "≈", [MEMO_AGAIN] = "?",
};

const char *command_memo_mark(enum memo_kind kind) {
    return marks[kind] ? marks[kind] : "";
}

struct place {
    size_t at; /* bytes of the text before the mark */
    enum memo_kind kind;
};

static int by_place(const void *a, const void *b) {
    size_t x = ((const struct place *)a)->at, y = ((const struct place *)b)->at;
    return (x > y) - (x < y);
}

/* Where each line begins; the caller's. */
static size_t *line_starts(const char *text, size_t length, size_t *lines) {
    size_t n = 1;
    for (size_t i = 0; i < length; i++) n += text[i] == '\n';
    size_t *start = base_alloc(n * sizeof *start);
    *lines = 1;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\n') start[(*lines)++] = i + 1;
    return start;
}

/* The places of figures, in the text's order; the caller's. */
static struct place *find_places(const char *text, size_t length, const struct memo_report *r,
                                 size_t *count) {
    size_t lines, n = 0, *start = line_starts(text, length, &lines);
    struct place *place = base_alloc((r->count + 1) * sizeof *place);
    for (size_t i = 0; i < r->count; i++) {
        const struct memo_finding *f = &r->finding[i];
        if (f->length <= 0 || f->line < 1 || (size_t)f->line > lines || !marks[f->kind]) continue;
        size_t at = start[f->line - 1] + (size_t)f->column + (size_t)f->length;
        if (at <= length) place[n++] = (struct place){at, f->kind};
    }
    free(start);
    qsort(place, n, sizeof *place, by_place);
    *count = n;
    return place;
}

/* Without "<!-- what belongs here -->", which a new memo has under its headings. */
static char *without_comments(char *text) {
    char *out = text;
    for (const char *s = text; *s;) {
        const char *end = strncmp(s, "<!--", 4) == 0 ? strstr(s, "-->") : NULL;
        if (end)
            s = end + 3;
        else
            *out++ = *s++;
    }
    *out = '\0';
    return text;
}

char *command_memo_marked(const char *text, size_t length, const struct memo_report *r) {
    size_t count, from = 0;
    struct place *place = find_places(text, length, r, &count);
    struct base_text out = {0};
    for (size_t i = 0; i < count; i++) {
        bool again = i && place[i].at == place[i - 1].at && place[i].kind == place[i - 1].kind;
        base_text_add(&out, text + from, place[i].at - from);
        from = place[i].at;
        if (!again) base_text_printf(&out, NARROW_SPACE "%s", marks[place[i].kind]);
    }
    base_text_add(&out, text + from, length - from);
    free(place);
    return without_comments(base_text_take(&out));
}
