/* What was found, as the report keeps it. */
#include "memo/inside.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    bool open;
} kinds[MEMO_KINDS] = {
    [MEMO_RIGHT] = {"right",            false},
      [MEMO_ROUNDED] = {"rounded",          false},
    [MEMO_UNIT] = {"unit",             true },
      [MEMO_MISTAKE] = {"mistake",          true },
    [MEMO_WRONG] = {"wrong",            true },
      [MEMO_UNREADABLE] = {"unreadable",       true },
    [MEMO_KNOWN] = {"known",            false},
      [MEMO_DERIVED] = {"derived",          false},
    [MEMO_MARKED] = {"marked",           false},
      [MEMO_AGAIN] = {"look again",       true },
    [MEMO_CHECKED] = {"checked",          false},
      [MEMO_FOREIGN] = {"not the engine's", false},
    [MEMO_MISSING] = {"missing",          true },
      [MEMO_NOTE] = {"note",             false},
};

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

static int by_line(const void *a, const void *b) {
    const struct memo_finding *x = a, *y = b;
    int lx = x->line ? x->line : INT32_MAX, ly = y->line ? y->line : INT32_MAX;
    if (lx != ly) return (lx > ly) - (lx < ly);
    return (x->column > y->column) - (x->column < y->column);
}

/* ── the whole ─────────────────────────────────────────────────────────────────────────────────*/
static void note_myths(struct memo *m) {
    for (size_t i = 0; m->context && i < m->context->myths; i++) {
        const struct memo_myth *y = &m->context->myth[i];
        size_t n = strlen(y->phrase);
        for (size_t l = 0; l < m->lines && n; l++) {
            struct memo_span s = m->line[l].text;
            if (m->line[l].kind == MEMO_SILENT || m->line[l].kind == MEMO_HEAD) continue;
            while (s.at + n <= s.end && strncasecmp(s.at, y->phrase, n) != 0) s.at++;
            if (s.at + n > s.end) continue;
            memo_write_finding(memo_find(m, MEMO_NOTE, (struct memo_span){s.at, s.at + n}),
                               "lesson %s has something to say to that: \"%s\"", y->lesson,
                               y->claim);
            break;
        }
    }
}

static void read_all(struct memo *m) {
    memo_initials(&m->initials);
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

static bool is_text(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] < ' ' && !strchr("\n\t\r\f", s[i])) return false;
    return !memchr(s, '\0', n) && base_utf8_valid(s, n);
}

bool memo_read(const char *text, size_t length, const struct memo_context *c,
               struct memo_report *out, struct base_message *why) {
    *out = (struct memo_report){0};
    if (length > MEMO_BYTES)
        return base_fail(why, "this has %zu bytes, and a memo of at most %d KiB is read", length,
                         MEMO_BYTES >> 10);
    if (!is_text(text, length))
        return base_fail(why, "this is no text (UTF-8): a memo is Markdown");
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
    memo_cache_free(own);
    return true;
}

void memo_free(struct memo_report *r) {
    free(r->finding);
    free(r->config);
    free(r->claimed);
    *r = (struct memo_report){0};
}
