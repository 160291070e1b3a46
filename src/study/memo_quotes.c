/* "[run 12: peak 1.83 GB]": what a run of the learner's own measured, held against the record. */
#include "memo.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct quote {
    long run;
    char what[48];
    const char *number,
        *end; /* of the text: where the figure begins, and the bracket that ends it */
};

/* At '[': whether this is a quotation. */
static bool read_quote(const char *s, const char *end, struct quote *q) {
    const char *at = s + 1, *close = memchr(s, ']', (size_t)(end - s > 200 ? 200 : end - s));
    if (!close || close - at < 6 || strncasecmp(at, "run ", 4) != 0) return false;
    char *next;
    q->run = strtol(at + 4, &next, 10);
    if (next == at + 4 || next >= close) return false;
    while (next < close && strchr(": ,", *next)) next++;
    const char *number = next;
    while (number < close && !isdigit((unsigned char)*number)) number++;
    size_t n = (size_t)(number - next);
    while (n > 0 && strchr(" =:~", next[n - 1])) n--;
    if (number == close || n >= sizeof q->what) return false;
    for (size_t i = 0; i < n; i++) q->what[i] = (char)tolower((unsigned char)next[i]);
    q->what[n] = '\0';
    q->number = number;
    q->end = close;
    return true;
}

static bool read_figure(const struct quote *q, struct memo_figure *f) {
    struct memo own = {0};
    struct memo_unit unit;
    memo_text_open(&own.text, q->number, (size_t)(q->end - q->number));
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

static void weigh(const struct memo_figure *figure, double value, struct study_memo_finding *f) {
    enum memo_match match = value > 0 ? memo_match(figure, value) : MEMO_NO_MATCH;
    f->kind = match == MEMO_EXACTLY   ? STUDY_MEMO_RIGHT
              : match == MEMO_ROUGHLY ? STUDY_MEMO_ROUNDED
                                      : STUDY_MEMO_WRONG;
}

static void judge(const struct memo *m, const struct quote *q, struct study_memo_finding *f) {
    struct memo_figure figure;
    struct base_message why = {0};
    double value = 0;
    char is[40];
    f->kind = STUDY_MEMO_UNSUPPORTED;
    if (!read_figure(q, &figure)) {
        memo_say(f, "a quotation is written like [run 12: peak 1.83 GB]");
        return;
    }
    if (!m->runs || !m->runs->quoted) {
        memo_say(f, "no record of runs is here, so this cannot be verified");
        return;
    }
    switch (m->runs->quoted(m->runs->self, q->run, q->what, &value, &why)) {
    case STUDY_MEMO_MEASURED:
        weigh(&figure, value, f);
        memo_say(f, "run %ld measured %s: %s", q->run, q->what,
                 memo_print(is, sizeof is, value, figure.dimension));
        return;
    case STUDY_MEMO_REFUTED: f->kind = STUDY_MEMO_WRONG; break;
    case STUDY_MEMO_UNKNOWN: break;
    }
    memo_say(f, "%s", why.what);
}

static bool holds(const struct study_memo_finding *f) {
    return f->kind == STUDY_MEMO_RIGHT || f->kind == STUDY_MEMO_ROUNDED;
}

/* Quotations are blanked out, so that nothing else reads them. */
void memo_read_quotes(struct memo *m, char *text, size_t length) {
    int line = 1;
    size_t start = 0;
    for (size_t i = 0; i < length; i++) {
        struct quote q;
        if (text[i] == '\n') line++, start = i + 1;
        if (text[i] != '[' || !read_quote(text + i, text + length, &q)) continue;
        size_t n = (size_t)(q.end - (text + i)) + 1;
        struct study_memo_finding *f =
            memo_find(m, STUDY_MEMO_RIGHT, SIZE_MAX, (struct memo_range){0, 0});
        f->line = line;
        f->column = (int)(i - start);
        f->length = (int)n;
        snprintf(f->figure, sizeof f->figure, "%.*s", (int)n, text + i);
        judge(m, &q, f);
        m->quotes += holds(f);
        memset(text + i, ' ', n);
        memset(m->text.lower + i, ' ', n);
        i += n - 1;
    }
}
