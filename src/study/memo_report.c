/* Findings, and how values are written in them. */
#include "memo.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Where the tokens begin, in bytes of their line. What was found last is on the same line more often than not. */
static int column_of(struct memo *m, const struct memo_token *t) {
    size_t at = t->start;
    if (m->placed_line != t->line) {
        while (at > 0 && m->text.raw[at - 1] != '\n') at--;
        m->placed_line = t->line;
        m->placed_start = at;
    }
    return (int)(t->start - m->placed_start);
}

static void place(struct memo *m, struct memo_range tokens, struct study_memo_finding *f) {
    const struct memo_token *first = &m->text.token[tokens.first],
                            *last = &m->text.token[tokens.end - 1];
    f->line = first->line;
    f->column = column_of(m, first);
    f->length = (int)(last->start + last->length - first->start);
}

struct study_memo_finding *memo_find(struct memo *m, enum study_memo_kind kind, size_t block,
                                     struct memo_range tokens) {
    struct study_memo_report *r = m->report;
    struct study_memo_finding *f = &m->beyond;
    if (r->count == STUDY_MEMO_FINDINGS)
        r->left_off++;
    else {
        if (r->count == m->finding_room) {
            m->finding_room = m->finding_room ? 2 * m->finding_room : 64;
            r->finding = base_grow(r->finding, m->finding_room, sizeof *r->finding);
        }
        f = &r->finding[r->count++];
    }
    *f = (struct study_memo_finding){.kind = kind, .section = STUDY_MEMO_SECTIONS};
    if (block < m->blocks) f->section = m->block[block].section;
    if (tokens.end > tokens.first && f != &m->beyond) place(m, tokens, f);
    return f;
}

void memo_say(struct study_memo_finding *f, const char *format, ...) {
    size_t n = strlen(f->what);
    va_list list;
    va_start(list, format);
    vsnprintf(f->what + n, sizeof f->what - n, format, list);
    va_end(list);
}

void memo_find_missing(struct memo *m, enum study_memo_section s, const char *format, ...) {
    struct study_memo_finding *f =
        memo_find(m, STUDY_MEMO_MISSING, SIZE_MAX, (struct memo_range){0, 0});
    va_list list;
    va_start(list, format);
    vsnprintf(f->what, sizeof f->what, format, list);
    va_end(list);
    f->section = s;
    f->line = s < STUDY_MEMO_SECTIONS && m->has_section[s] ? m->section_line[s] : 0;
}

const char *memo_print(char *out, size_t size, double value, enum memo_dimension d) {
    switch (d) {
    case MEMO_BYTES:
        if (value >= 1e9 || value < 1e6)
            account_print(out, size, value, value >= 1e9 ? ACCOUNT_UNIT_GB : ACCOUNT_UNIT_B, 4);
        else
            account_print(out, size, value, ACCOUNT_UNIT_MB, 4);
        break;
    case MEMO_SECONDS:
        if (value >= 86400)
            snprintf(out, size, "%.3g days", value / 86400);
        else
            account_print(out, size, value, value < 1 ? ACCOUNT_UNIT_MS : ACCOUNT_UNIT_SECONDS, 3);
        break;
    case MEMO_TOKEN_RATE: snprintf(out, size, "%.0f tokens/s", value); break;
    case MEMO_BYTE_RATE: snprintf(out, size, "%.4g GB/s", value / 1e9); break;
    case MEMO_RATIO: snprintf(out, size, "%.3g", value); break;
    case MEMO_BYTES_PER_PARAM: snprintf(out, size, "%.4g B/param", value); break;
    }
    return out;
}

const char *study_memo_kind_name(enum study_memo_kind k) {
    static const char *const names[STUDY_MEMO_KINDS] = {
        "right", "rounded", "wrong", "unit", "unsupported", "contradictory", "missing"};
    return k < STUDY_MEMO_KINDS ? names[k] : "";
}

void study_memo_free(struct study_memo_report *r) {
    free(r->finding);
    r->finding = NULL;
    r->count = 0;
}
