/* The check of a memo, from above: its lines, its head, its claims, its text, and what follows from
 * them. Each reader adds its findings (findings.c) to the report. */
#include "memo/inside.h"

#include <stdlib.h>
#include <string.h>

static void note_myths(struct memo *m) {
    for (size_t i = 0; i < m->context->myths; i++) {
        const struct memo_myth *y = &m->context->myth[i];
        for (size_t l = 0; l < m->lines; l++) {
            if (m->line[l].kind == MEMO_SILENT || m->line[l].kind == MEMO_HEAD) continue;
            struct memo_span line = m->line[l].text; /* a phrase may go on in the next one */
            if (l + 1 < m->lines && m->line[l + 1].kind == MEMO_PROSE)
                line.end = m->line[l + 1].text.end;
            const char *at = memo_words_in(line, y->phrase);
            if (!at) continue;
            struct memo_span said = {at, at + strlen(y->phrase)};
            memo_write_finding(memo_find(m, MEMO_NOTE, said), "lesson %s answers that: \"%s\"",
                               y->lesson, y->claim);
            break;
        }
    }
}

static void read_all(struct memo *m) {
    memo_read_lines(m);
    memo_read_head(m);
    memo_read_sections(m);
    if (m->report->has_scenario) memo_ask_claims(m);
    for (size_t i = 0; i < m->lines;) {
        const struct memo_line *l = &m->line[i];
        bool table = l->kind == MEMO_ROW && l->section == MEMO_FIGURES && m->report->has_scenario;
        i = table ? memo_read_claims(m, i) : i + 1;
    }
    if (m->report->has_scenario) memo_read_text(m);
    note_myths(m);
    memo_decide(m);
}

static int by_line(const void *a, const void *b) {
    const struct memo_finding *x = a, *y = b;
    int lx = x->line ? x->line : INT32_MAX, ly = y->line ? y->line : INT32_MAX;
    if (lx != ly) return (lx > ly) - (lx < ly);
    return (x->column > y->column) - (x->column < y->column);
}

static bool is_text(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] < ' ' && !strchr("\n\t\r\f", s[i])) return false;
    return !memchr(s, '\0', n) && base_utf8_valid(s, n);
}

bool memo_read(const char *text, size_t length, const struct memo_context *c,
               struct memo_report *out, struct base_message *why) {
    *out = (struct memo_report){0};
    if (length > MEMO_BYTES)
        return base_fail(why, "this has %zu bytes, but a memo may have at most %d KiB", length,
                         MEMO_BYTES >> 10);
    if (!is_text(text, length))
        return base_fail(why, "this is not text (UTF-8): a memo is Markdown");
    struct memo_cache *own = c && c->cache ? NULL : memo_cache_new();
    struct memo_context context = c ? *c : (struct memo_context){0};
    if (own) context.cache = own;
    char *copy = base_alloc(length + 1); /* readers of numbers end at a NUL */
    memcpy(copy, text, length);
    struct memo m = {.text = copy, .end = copy + length, .context = &context, .report = out};
    out->config = base_alloc(MEMO_CONFIGS * sizeof *out->config);
    out->claimed = base_alloc(MEMO_CONFIGS * sizeof *out->claimed);
    read_all(&m);
    if (out->count) qsort(out->finding, out->count, sizeof *out->finding, by_line);
    free(m.line);
    free(copy);
    free(own);
    return true;
}

void memo_free(struct memo_report *r) {
    free(r->finding);
    free(r->config);
    free(r->claimed);
    *r = (struct memo_report){0};
}
