/* Findings: what the readers of a memo put into its report, and the names of their kinds. */
#include "memo/inside.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct {
    const char *name;
    bool open;
} kinds[MEMO_KINDS] = {
    [MEMO_RIGHT]      = {"right",            false},
    [MEMO_ROUNDED]    = {"rounded",          false},
    [MEMO_UNIT]       = {"unit",             true},
    [MEMO_MISTAKE]    = {"mistake",          true},
    [MEMO_WRONG]      = {"wrong",            true},
    [MEMO_UNREADABLE] = {"unreadable",       true},
    [MEMO_KNOWN]      = {"known",            false},
    [MEMO_DERIVED]    = {"derived",          false},
    [MEMO_MARKED]     = {"marked",           false},
    [MEMO_AGAIN]      = {"look again",       true},
    [MEMO_CHECKED]    = {"checked",          false},
    [MEMO_FOREIGN]    = {"not the engine's", false},
    [MEMO_MISSING]    = {"missing",          true},
    [MEMO_NOTE]       = {"note",             false},
};
/* clang-format on */

const char *memo_kind_name(enum memo_kind k) {
    return k < MEMO_KINDS ? kinds[k].name : "";
}

bool memo_is_open(enum memo_kind k) {
    return k < MEMO_KINDS && kinds[k].open;
}

/* The next finding; beyond MEMO_FINDINGS one that nobody reads. */
static struct memo_finding *next(struct memo *m, enum memo_kind kind) {
    struct memo_report *r = m->report;
    r->kinds[kind]++;
    if (r->count >= MEMO_FINDINGS && !memo_is_open(kind)) {
        r->left_off++;
        if (m->capacity <= r->count)
            r->finding = base_grow(r->finding, m->capacity = r->count + 1, sizeof *r->finding);
        return memset(&r->finding[r->count], 0, sizeof *r->finding);
    }
    if (m->capacity <= r->count + 1)
        r->finding = base_grow(r->finding, m->capacity = 2 * m->capacity + 16, sizeof *r->finding);
    return memset(&r->finding[r->count++], 0, sizeof *r->finding);
}

/* The line of a place, by halves. */
static size_t line_of(const struct memo *m, const char *at) {
    size_t low = 0, high = m->lines;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(m->line[middle].text.at <= at ? &low : &high) = middle;
    }
    return low;
}

struct memo_finding *memo_find(struct memo *m, enum memo_kind kind, struct memo_span where) {
    /* Spans are of the text that is read, never of a copy of a cell or of a line of its head. */
    assert(m->text <= where.at && where.at <= where.end && where.end <= m->end);
    struct memo_finding *f = next(m, kind);
    size_t line = line_of(m, where.at);
    char *figure = base_clean_dup(where.at, (size_t)(where.end - where.at), sizeof f->figure - 1);
    f->kind = kind;
    f->line = (int)line + 1;
    f->section = m->line[line].section;
    f->column = (int)(where.at - m->line[line].text.at);
    f->length = (int)(where.end - where.at);
    snprintf(f->figure, sizeof f->figure, "%s", figure);
    for (char *c = f->figure; *c; c++)
        if (*c == '\n' || *c == '\t') *c = ' ';
    free(figure);
    return f;
}

struct memo_finding *memo_tell(struct memo *m, enum memo_kind kind, enum memo_section section) {
    struct memo_finding *f = next(m, kind);
    f->kind = kind;
    f->section = section;
    return f;
}

void memo_write_finding(struct memo_finding *f, const char *format, ...) {
    size_t n = strlen(f->what);
    va_list list;
    va_start(list, format);
    vsnprintf(f->what + n, sizeof f->what - n, format, list);
    va_end(list);
    for (n = strlen(f->what); n && ((unsigned char)f->what[n - 1] & 0xc0) == 0x80 &&
                              strlen(f->what) == sizeof f->what - 1;
         n--)
        f->what[n - 1] = '\0';
}
