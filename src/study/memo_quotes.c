/* "[run 12: peak 1.83 GB, sent 99 MB]": what a run of the learner's own measured, held against the record. */
#include "memo.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct quote {
    long run;
    const char *start, *end; /* of the text: the bracket that begins it, and the one that ends it */
    const char *at;          /* behind the run's number */
};
struct part { /* "peak 1.83 GB"; without a number "fits" */
    char what[48];
    const char *start, *number, *end; /* `number` is `end` where there is none */
};

/* ── reading ─────────────────────────────────────────────────────────────────────────────────────*/
/* At '[': whether this is a quotation. */
static bool read_quote(const char *s, const char *end, struct quote *q) {
    const char *at = s + 1, *close = memchr(s, ']', (size_t)(end - s > 200 ? 200 : end - s));
    if (!close || close - at < 5 || strncasecmp(at, "run ", 4) != 0) return false;
    char *next;
    q->run = strtol(at + 4, &next, 10);
    if (next == at + 4 || next > close) return false;
    *q = (struct quote){q->run, s, close, next};
    return true;
}

/* "1,708" goes on, "15.8 MB, sent" does not. */
static const char *part_end(const char *s, const char *end) {
    while (s < end && !(strchr(",;", *s) && (s + 1 == end || isspace((unsigned char)s[1])))) s++;
    return s;
}

static const char *trimmed(const char *s, const char *end) {
    while (end > s && isspace((unsigned char)end[-1])) end--;
    return end;
}

/* The next part of a quotation; false: there is none. */
static bool read_part(struct quote *q, struct part *p) {
    const char *s = q->at;
    while (s < q->end && strchr(": ,;\t\n", *s)) s++;
    if (s == q->end) return false;
    q->at = part_end(s, q->end);
    p->start = p->number = s;
    p->end = trimmed(s, q->at);
    while (p->number < p->end && !isdigit((unsigned char)*p->number)) p->number++;
    size_t n = (size_t)(p->number - s);
    while (n > 0 && strchr(" =:~", s[n - 1])) n--;
    if (n >= sizeof p->what) n = sizeof p->what - 1;
    for (size_t i = 0; i < n; i++) p->what[i] = (char)tolower((unsigned char)s[i]);
    p->what[n] = '\0';
    return true;
}

static bool read_figure(const struct part *p, struct memo_figure *f) {
    struct memo own = {0};
    struct memo_unit unit;
    memo_text_open(&own.text, p->number, (size_t)(p->end - p->number));
    memo_text_add(&own.text, 0, own.text.length, 1);
    bool well = own.text.tokens > 1 && own.text.token[0].kind == MEMO_NUMBER &&
                memo_unit_at(&own, 1, &unit);
    if (well) {
        const struct memo_token *t = &own.text.token[0];
        *f = (struct memo_figure){
            .digits = t->digits, .dimension = unit.dimension, .scale = unit.scale};
        f->low = f->high = t->value * unit.scale;
        f->half = pow(10, t->last) / 2 * unit.scale * (1 + 1e-9);
    }
    memo_text_close(&own.text);
    return well;
}

/* ── judging ─────────────────────────────────────────────────────────────────────────────────────*/
static enum study_memo_quoted ask(const struct memo *m, long run, const char *what, double *value,
                                  struct base_message *why) {
    return m->runs->quoted(m->runs->self, run, what, value, why);
}

static void weigh(const struct memo_figure *figure, double value, struct study_memo_finding *f) {
    enum memo_match match = value > 0 ? memo_match(figure, value) : MEMO_NO_MATCH;
    f->kind = match == MEMO_EXACTLY   ? STUDY_MEMO_RIGHT
              : match == MEMO_ROUGHLY ? STUDY_MEMO_ROUNDED
                                      : STUDY_MEMO_WRONG;
}

static void judge_figure(const struct memo *m, const struct quote *q, const struct part *p,
                         const struct memo_figure *figure, struct study_memo_finding *f) {
    struct base_message why = {0};
    double value = 0;
    char is[40];
    switch (ask(m, q->run, p->what, &value, &why)) {
    case STUDY_MEMO_MEASURED:
        weigh(figure, value, f);
        memo_say(f, "run %ld measured %s: %s", q->run, p->what,
                 memo_print(is, sizeof is, value, figure->dimension));
        return;
    case STUDY_MEMO_REFUTED: f->kind = STUDY_MEMO_WRONG; break;
    case STUDY_MEMO_UNKNOWN: break;
    }
    memo_say(f, "%s", why.what);
}

/* How a run went, by what it measured: one that ended has a peak, one that ran out of memory what it needed. */
static void judge_words(const struct memo *m, const struct quote *q, const char *what,
                        struct study_memo_finding *f) {
    static const struct {
        const char *said, *measured, *not_measured;
    } ways[] = {
        {"fits",               "peak",   "needed"},
        {"fit",                "peak",   "needed"},
        {"fitted",             "peak",   "needed"},
        {"does not fit",       "needed", "peak"  },
        {"did not fit",        "needed", "peak"  },
        {"ended",              "peak",   "needed"},
        {"came to its end",    "peak",   "needed"},
        {"oom",                "needed", "peak"  },
        {"out of memory",      "needed", "peak"  },
        {"ran out of memory",  "needed", "peak"  },
        {"runs out of memory", "needed", "peak"  },
    };
    struct base_message why = {0};
    double value;
    for (size_t i = 0; i < BASE_COUNT(ways); i++) {
        if (strcmp(ways[i].said, what) != 0) continue;
        bool holds = ask(m, q->run, ways[i].measured, &value, &why) == STUDY_MEMO_MEASURED;
        bool other =
            !holds && ask(m, q->run, ways[i].not_measured, &value, &why) == STUDY_MEMO_MEASURED;
        bool ended = (holds ? ways[i].measured : ways[i].not_measured)[0] == 'p';
        if (holds || other) {
            f->kind = holds ? STUDY_MEMO_RIGHT : STUDY_MEMO_WRONG;
            memo_say(f, "run %ld %s", q->run, ended ? "came to its end" : "ran out of memory");
            return;
        }
    }
    bool refuted = ask(m, q->run, "peak", &value, &why) == STUDY_MEMO_REFUTED &&
                   ask(m, q->run, "needed", &value, &why) == STUDY_MEMO_REFUTED;
    f->kind = refuted ? STUDY_MEMO_WRONG : STUDY_MEMO_UNSUPPORTED;
    memo_say(f, "%s",
             refuted ? why.what
                     : "which figure of that run? It is quoted like [run 12: peak 1.83 GB]");
}

/* Each is looked up in a record on disk. */
enum { LOOKED_UP = 50 };

static void judge(struct memo *m, const struct quote *q, const struct part *p,
                  struct study_memo_finding *f) {
    struct memo_figure figure;
    f->kind = STUDY_MEMO_UNSUPPORTED;
    if (!m->runs || !m->runs->quoted)
        memo_say(f, "no record of runs is here, so this cannot be verified");
    else if (m->looked_up++ >= LOOKED_UP)
        memo_say(f, "the first %d quotations are looked up: a memo has fewer", LOOKED_UP);
    else if (p->number == p->end)
        judge_words(m, q, p->what, f);
    else if (read_figure(p, &figure))
        judge_figure(m, q, p, &figure, f);
    else
        memo_say(f, "a quotation is written like [run 12: peak 1.83 GB]");
}

/* ── all of them ─────────────────────────────────────────────────────────────────────────────────*/
static bool holds(const struct study_memo_finding *f) {
    return f->kind == STUDY_MEMO_RIGHT || f->kind == STUDY_MEMO_ROUNDED;
}

static void keep(struct memo *m, const struct quote *q, const struct part *p) {
    if (m->quoted == m->quote_room) {
        m->quote_room = m->quote_room ? 2 * m->quote_room : 16;
        m->quote = base_grow(m->quote, m->quote_room, sizeof *m->quote);
    }
    struct memo_quote *kept = &m->quote[m->quoted++];
    *kept = (struct memo_quote){.finding = m->report->count - 1, .run = q->run};
    snprintf(kept->figure, sizeof kept->figure, "%.*s", (int)(p->end - p->number), p->number);
}

/* One that is quoted alone is shown with its brackets. */
static void find(struct memo *m, const struct quote *q, const struct part *p, bool alone, int line,
                 const char *row) {
    const char *from = alone ? q->start : p->start, *to = alone ? q->end + 1 : p->end;
    bool full = m->report->count == STUDY_MEMO_FINDINGS;
    struct study_memo_finding *f =
        memo_find(m, STUDY_MEMO_RIGHT, SIZE_MAX, (struct memo_range){0, 0});
    if (full) return;
    f->line = line;
    f->column = (int)(from - row);
    f->length = (int)(to - from);
    snprintf(f->figure, sizeof f->figure, "%.*s", (int)(to - from), from);
    judge(m, q, p, f);
    m->quotes += holds(f);
    if (p->number < p->end) keep(m, q, p);
}

static void find_parts(struct memo *m, struct quote *q, int line, const char *row) {
    struct part p = {.start = q->end, .number = q->end, .end = q->end}, more;
    bool any = read_part(q, &p);
    struct quote rest = *q;
    bool alone = !any || !read_part(&rest, &more);
    find(m, q, &p, alone, line, row);
    while (any && read_part(q, &p)) find(m, q, &p, false, line, row);
}

/* Quotations are blanked out, so that nothing else reads them. */
void memo_read_quotes(struct memo *m, char *text, size_t length) {
    int line = 1;
    size_t start = 0;
    for (size_t i = 0; i < length; i++) {
        struct quote q;
        if (text[i] == '\n') line++, start = i + 1;
        if (text[i] != '[' || !read_quote(text + i, text + length, &q)) continue;
        find_parts(m, &q, line, text + start);
        for (; text + i <= q.end; i++) {
            if (text[i] == '\n') line++, start = i + 1;
            if (text[i] == '\n') continue;
            text[i] = m->text.lower[i] = ' ';
        }
        i--;
    }
}

/* ── the same figure beside its quotation ────────────────────────────────────────────────────────*/
static const struct memo_quote *quote_of(const struct memo *m, const struct study_memo_finding *f) {
    enum { NEAR = 120 };
    for (size_t i = 0; i < m->quoted; i++) {
        const struct study_memo_finding *at = &m->report->finding[m->quote[i].finding];
        bool near = at->line == f->line && at->column > f->column && at->column < f->column + NEAR;
        if (near && strcmp(m->quote[i].figure, f->figure) == 0) return &m->quote[i];
    }
    return NULL;
}

/* "We measured a peak of 15.8 MB [run 2: peak 15.8 MB]": the run says it, not the engine. */
void memo_settle_quotes(struct memo *m) {
    struct study_memo_report *r = m->report;
    for (size_t i = 0; m->quoted && i < r->count; i++) {
        struct study_memo_finding *f = &r->finding[i];
        const struct memo_quote *q = holds(f) || !f->figure[0] ? NULL : quote_of(m, f);
        if (!q || r->finding[q->finding].kind == STUDY_MEMO_WRONG) continue;
        f->kind = r->finding[q->finding].kind;
        snprintf(f->what, sizeof f->what, "as run %ld is quoted for it", q->run);
    }
}
