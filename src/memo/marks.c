/* Marks: "[measured: …]", "[source: …]", "[assumed: …]", "[checked: …]" say where the figures
 * before them are from, "[run 12: peak 1.83 GB]" quotes a run of the learner's own, which is held
 * against the record. */
#include "memo/inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const marks[] = {"measured", "source", "assumed", "checked"};

/* ── runs ──────────────────────────────────────────────────────────────────────────────────────*/
/* "peak 1.83 GB": the words before its number. */
static void judge_part(struct memo *m, long run, struct memo_span part) {
    struct account_figure f;
    struct base_message why = {0};
    char what[48], is[40];
    double value = 0;
    const char *number = part.at;
    while (number < part.end && !isdigit((unsigned char)*number)) number++;
    struct memo_span words = memo_trim((struct memo_span){part.at, number});
    const char *end = number < part.end ? account_read_figure(number, &f) : NULL;
    snprintf(what, sizeof what, "%.*s", (int)(words.end - words.at), words.at);
    for (char *c = what; *c; c++) *c = (char)tolower((unsigned char)*c);
    const struct memo_evidence *e = m->context->runs;
    enum memo_quoted q = e && *what ? e->quoted(e->self, run, what, &value, &why) : MEMO_UNKNOWN;
    bool right = q == MEMO_MEASURED && (!end || account_figure_is(&f, value));
    struct memo_finding *found = memo_find(m,
                                           right               ? MEMO_MARKED
                                           : q == MEMO_UNKNOWN ? MEMO_FOREIGN
                                                               : MEMO_WRONG,
                                           part);
    if (q == MEMO_MEASURED)
        memo_write_finding(
            found, "run %ld measured %s: %s", run, what,
            memo_print(is, sizeof is, value, end ? f.measure : ACCOUNT_FIGURE_BYTES));
    else
        memo_write_finding(found, "%s",
                           *why.what
                               ? why.what
                               : "no record of runs is available, so this cannot be verified here");
}

static void judge_run(struct memo *m, const char *s, const char *end) {
    char *next;
    long run = strtol(s, &next, 10);
    for (const char *at = next; at < end;) {
        while (at < end && strchr(":,; \n", *at)) at++;
        const char *stop = at;
        while (stop < end &&
               !(strchr(",;", *stop) && stop + 1 < end && isspace((unsigned char)stop[1])))
            stop++;
        if (stop > at) judge_part(m, run, (struct memo_span){at, stop});
        at = stop + 1;
    }
}

/* ── all of them ───────────────────────────────────────────────────────────────────────────────*/
const char *memo_mark_at(struct memo *m, const char *s, const char *end, struct memo_said *said) {
    const char *close = memchr(s, ']', (size_t)(end - s > 400 ? 400 : end - s)), *at = s + 1;
    if (!close) return NULL;
    bool run = close - at > 4 && strncasecmp(at, "run ", 4) == 0 && isdigit((unsigned char)at[4]);
    const char *kind = run ? "run" : NULL;
    for (size_t i = 0; i < BASE_COUNT(marks) && !kind; i++) {
        size_t n = strlen(marks[i]);
        if ((size_t)(close - at) > n && strncasecmp(at, marks[i], n) == 0 && at[n] == ':')
            kind = marks[i];
    }
    if (!kind) return NULL;
    if (run && at > m->judged) { /* a table's rows are read twice */
        m->judged = at;
        judge_run(m, at + 4, close);
    }
    for (size_t i = said->figures; i-- > 0 && !said->figure[i].marked;) {
        struct memo_seen *f = &said->figure[i];
        f->marked = true;
        f->checked = strcmp(kind, "checked") == 0;
        snprintf(f->mark, sizeof f->mark, "%s by the memo", kind);
    }
    return close + 1;
}
