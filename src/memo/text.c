/* Running text: sentences and the cells of tables, and what each names. */
#include "memo/inside.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* ── configurations ────────────────────────────────────────────────────────────────────────────*/
/* A name as it was declared, perhaps with an s. */
static size_t name_at(const char *s, const char *end, const char *name) {
    size_t n = memo_begins_at(s, end, name, strlen(name));
    if (n && s + n < end && s[n] == 's') n++;
    return s + n < end && isalnum((unsigned char)s[n]) ? 0 : n;
}

/* A stage's digit, and not the first of a longer number. */
static bool is_stage(const char *at, const char *end) {
    if (at >= end || *at < '0' || *at > '3') return false;
    return at + 1 >= end ||
           !(isdigit((unsigned char)at[1]) || (at[1] == '.' && isdigit((unsigned char)at[2])));
}

/* "stage 2", "ZeRO-2", "ZeRO stage 2", "DDP": the stage's place; how many bytes it takes. */
static size_t stage_at(const char *s, const char *end, int *config) {
    static const char *const before[] = {"zero stage", "stages", "stage", "zero"};
    size_t n = name_at(s, end, "ddp");
    if (!n) n = name_at(s, end, "data parallel");
    if (n) return *config = MEMO_STAGE_0, n;
    for (size_t i = 0; i < BASE_COUNT(before); i++) {
        const char *at = s + memo_begins_at(s, end, before[i], strlen(before[i]));
        if (at == s) continue;
        while (at < end && strchr(" -\n*", *at)) at++;
        if (!is_stage(at, end)) continue;
        *config = MEMO_STAGE_0 + (*at - '0');
        return (size_t)(at + 1 - s);
    }
    return 0;
}

size_t memo_config_at(const struct memo_report *r, const char *s, const char *end, int *config) {
    size_t longest = stage_at(s, end, config);
    for (size_t i = 0; i < r->configs; i++) {
        bool named = i == MEMO_THE_DECISION || (i >= MEMO_FIRST_ALTERNATIVE && r->config[i].line);
        size_t n = named ? name_at(s, end, r->config[i].name) : 0;
        if (n && n >= longest) longest = n, *config = (int)i;
    }
    /* A stage's place is there as soon as a scenario is, and without one no text is read. */
    assert(!longest || (*config >= 0 && (size_t)*config < r->configs));
    return longest;
}

/* "stages 1 and 2", "ZeRO-1/2": further stages behind one. */
static const char *more_stages(struct memo_said *s, const char *at, const char *end) {
    static const char *const between[] = {" and ", ", ", "/", " or ", "-", "–"};
    for (bool went = true; went;) {
        went = false;
        for (size_t i = 0; i < BASE_COUNT(between); i++) {
            size_t n = strlen(between[i]);
            const char *digit = at + n;
            if (strncmp(at, between[i], n) != 0 || !is_stage(digit, end) || is_word(digit[1]))
                continue;
            struct account_figure f;
            /* ", 2 GB" */
            if (account_read_figure(digit, &f) && f.measure != ACCOUNT_FIGURE_NOTHING) continue;
            if (s->configs < MEMO_SAID)
                s->config[s->configs++] = (struct memo_word){digit, MEMO_STAGE_0 + (*digit - '0')};
            at = digit + 1;
            went = true;
        }
    }
    return at;
}

/* ── arithmetic ────────────────────────────────────────────────────────────────────────────────*/
/* Nothing but signs between two figures: '=' among them, an operator, or 0. */
static char sign_between(const char *s, const char *end) {
    char found = 0;
    for (; s < end; s++) {
        if (strchr(" ()[]*\n", *s)) {
            if (*s == '*' && !found && s > end - 3) found = '*';
        } else if (strchr("+-/=^", *s)) {
            found = *s == '=' || found == '=' ? '=' : *s;
        } else if (s + 1 < end && (strncmp(s, "×", 2) == 0 || strncmp(s, "·", 2) == 0 ||
                                   strncmp(s, "÷", 2) == 0)) {
            found = '*', s++;
        } else if (s + 2 < end && (strncmp(s, "−", 3) == 0 || strncmp(s, "≈", 3) == 0 ||
                                   strncmp(s, "–", 3) == 0)) {
            found = strncmp(s, "≈", 3) == 0 ? '=' : '-', s += 2;
        } else if (*s == 'x' || *s == '~') {
            found = *s == 'x' ? '*' : found;
        } else {
            return 0;
        }
    }
    return found;
}

/* "2 × 13e9 + 14 × 13e9 / 8 = 48.75 GB": what stands before the = comes to, in base units. */
static void evaluate(struct memo_said *s, size_t first, size_t last) {
    struct memo_seen *result = &s->figure[last + 1];
    const char *from = s->figure[first].f.number, *end = s->figure[last].end;
    struct account_reading r;
    while (from > s->span.at && strchr("( ", from[-1])) from--;
    while (end < result->at && strchr(") ", *end)) end++;
    if (end - from > 300) return;
    char *sum = base_format("%.*s", (int)(end - from), from);
    if (account_read_answer(sum, &r, NULL) && isfinite(r.value) && r.value > 0)
        result->sum = r.explicit_unit || r.value > 1e6 ? r.value : r.value * result->f.scale;
    free(sum);
}

static void find_arithmetic(struct memo_said *s) {
    for (size_t i = 0; i + 1 < s->figures; i++) {
        size_t first = i;
        /* A span's figures stand in the order of the text. */
        assert(s->figure[i].end <= s->figure[i + 1].at);
        char sign = sign_between(s->figure[i].end, s->figure[i + 1].f.number);
        while (sign && sign != '=') {
            s->figure[i].shown = s->figure[i + 1].shown = true;
            if (++i + 1 >= s->figures) return;
            sign = sign_between(s->figure[i].end, s->figure[i + 1].f.number);
        }
        if (sign == '=' && i > first) evaluate(s, first, i);
    }
}

/* ── words and figures of a span ───────────────────────────────────────────────────────────────*/
static const char *figure_of(const struct memo *m, struct memo_said *s, const char *at) {
    struct account_figure f;
    const char *end = memo_read_figure(m, at, &f);
    if (!end || end > s->span.end) return NULL;
    if (s->figures < MEMO_SAID)
        s->figure[s->figures++] = (struct memo_seen){.f = f, .at = at, .end = end};
    return end;
}

/* A number that cannot be read, "48.750.000.000": what it is made of is no figure either. */
static const char *skip_number(const char *at, const char *end) {
    while (at < end && (isalnum((unsigned char)*at) ||
                        (strchr(".,'", *at) && at + 1 < end && isdigit((unsigned char)at[1]))))
        at++;
    return at;
}

/* "per step", "in each step": that counts, and is not what a figure is of. */
static bool only_counts(const struct memo_said *s, const char *at) {
    static const char *const before[] = {"per ", "in each ", "in every ", "in a "};
    for (size_t i = 0; i < BASE_COUNT(before); i++) {
        size_t n = strlen(before[i]);
        if ((size_t)(at - s->span.at) >= n && strncasecmp(at - n, before[i], n) == 0) return true;
    }
    return false;
}

static const char *word_of(struct memo *m, struct memo_said *s, const char *at, bool figures) {
    int config;
    enum memo_quantity q;
    size_t n = memo_config_at(m->report, at, s->span.end, &config);
    if (n) {
        if (s->configs < MEMO_SAID) s->config[s->configs++] = (struct memo_word){at, config};
        return more_stages(s, at + n, s->span.end);
    }
    n = memo_word_at(at, s->span.end, &q);
    if (n && s->words < MEMO_SAID && !only_counts(s, at))
        s->word[s->words++] = (struct memo_word){at, (int)q};
    if (n) return at + n;
    const char *end = figures ? figure_of(m, s, at) : NULL;
    if (end) return end;
    if (isdigit((unsigned char)*at)) return skip_number(at, s->span.end);
    s->more |= !memo_is_plain(at, s->span.end);
    while (at < s->span.end && is_word(*at)) at++;
    return at;
}

/* Adds a span's words, configurations and figures. */
static void say(struct memo *m, struct memo_said *s, struct memo_span span, bool figures) {
    struct memo_span kept = s->span;
    /* Figures are read once, of one span; what else is called so only lends its words. */
    assert(!figures || s->figures == 0);
    s->span = span;
    for (const char *at = span.at; at < span.end;) {
        const char *mark = *at == '[' ? memo_mark_at(m, at, span.end, s) : NULL;
        bool start = at == span.at || !is_word(at[-1]);
        bool sign = strncmp(at, "~", 1) == 0 || strncmp(at, "≈", 3) == 0;
        const char *end = mark ? mark
                          : start && (is_word(*at) || (*at == '.' && isdigit((unsigned char)at[1])))
                              ? word_of(m, s, at, figures)
                          : sign && figures ? figure_of(m, s, at)
                                            : NULL;
        at = end && end > at ? end : at + 1;
    }
    if (figures) find_arithmetic(s);
    if (!figures) s->span = kept;
}

/* ── sentences ─────────────────────────────────────────────────────────────────────────────────*/
/* Where the sentence that begins at `s` ends: behind a full stop with a capital or a sign behind
 * it. */
static const char *sentence_end(const char *s, const char *end) {
    for (; s < end; s++) {
        if (!strchr(".!?", *s)) continue;
        const char *next = s + 1;
        while (next < end && strchr(")*\"'_", *next)) next++;
        if (next < end && !strchr(" \n", *next)) continue;
        while (next < end && strchr(" \n\t*_", *next)) next++;
        bool goes_on = next < end && islower((unsigned char)*next);
        if (!goes_on) return next;
    }
    return end;
}

static void read_sentences(struct memo *m, struct memo_span block) {
    while (block.at < block.end) {
        struct memo_said s = {0};
        const char *end = sentence_end(block.at, block.end);
        say(m, &s, (struct memo_span){block.at, end}, true);
        if (s.figures) memo_look_up(m, &s);
        block.at = end > block.at ? end : block.at + 1;
    }
}

/* ── tables ────────────────────────────────────────────────────────────────────────────────────*/
struct table {
    /* its head's line */
    size_t first, columns;
    struct memo_span head[MEMO_CELLS];
    bool has_head;
};

/* "(GB)", "GB per GPU", "in thousands" of a head: a unit for bare numbers. */
static bool unit_in(struct memo_span s, struct account_figure *unit) {
    for (const char *at = s.at; at < s.end; at++) {
        if (at > s.at && is_word(at[-1])) continue;
        if (!isalpha((unsigned char)*at) && *at != '%') continue;
        if (!account_read_unit(at, unit) || unit->measure == ACCOUNT_FIGURE_PARAMS ||
            unit->measure == ACCOUNT_FIGURE_TIMES || unit->measure == ACCOUNT_FIGURE_TOKENS)
            continue;
        return true;
    }
    return false;
}

static void give_units(struct memo_said *cell, const struct memo_span *from, size_t n) {
    struct account_figure unit;
    for (size_t i = 0; i < n; i++) {
        if (!unit_in(from[i], &unit)) continue;
        if (memmem(from[i].at, (size_t)(from[i].end - from[i].at), "thousand", 8))
            unit.scale *= 1e3;
        for (size_t k = 0; k < cell->figures; k++)
            if (cell->figure[k].f.measure == ACCOUNT_FIGURE_NOTHING)
                account_figure_in(&cell->figure[k].f, &unit);
        return;
    }
}

/* A cell with what its row and its column are called; the figures of the row stand next to it. */
static void read_cell(struct memo *m, const struct table *t, struct memo_span cell[MEMO_CELLS],
                      size_t column, struct memo_said *row) {
    struct memo_said s = {0};
    struct memo_span none = {m->end, m->end},
                     head = t->has_head && column < t->columns ? t->head[column] : none;
    say(m, &s, cell[column], true);
    if (!s.figures) return;
    say(m, &s, head, false);
    if (column) say(m, &s, cell[0], false);
    struct memo_span heading = none;
    for (size_t i = t->first; i-- > 0 && t->first - i < 4;)
        if (m->line[i].kind == MEMO_HEADING) heading = m->line[i].text;
    struct memo_span units[] = {column ? cell[0] : none, head, t->has_head ? t->head[0] : none,
                                heading};
    give_units(&s, units, BASE_COUNT(units));
    s.span = cell[column];
    if (s.words == 0 && t->has_head) say(m, &s, t->head[0], false);
    for (size_t i = 0; i < row->figures && s.figures < MEMO_SAID; i++)
        if (row->figure[i].at < cell[column].at || row->figure[i].at >= cell[column].end)
            s.figure[s.figures++] = row->figure[i];
    memo_look_up(m, &s);
}

static size_t read_table(struct memo *m, size_t i) {
    struct table t = {.first = i};
    t.has_head = i + 1 < m->lines && m->line[i + 1].kind == MEMO_RULE;
    if (t.has_head) t.columns = memo_cells(m->line[i].text, t.head), i += 2;
    for (; i < m->lines && (m->line[i].kind == MEMO_ROW || m->line[i].kind == MEMO_RULE); i++) {
        struct memo_span cell[MEMO_CELLS];
        struct memo_said row = {0};
        size_t n = memo_cells(m->line[i].text, cell);
        say(m, &row, m->line[i].text, true);
        for (size_t k = 0; k < n; k++) read_cell(m, &t, cell, k, &row);
    }
    return i;
}

void memo_read_text(struct memo *m) {
    for (size_t i = 0; i < m->lines;) {
        const struct memo_line *l = &m->line[i];
        if (l->kind == MEMO_ROW && l->section != MEMO_FIGURES) {
            i = read_table(m, i);
            continue;
        }
        if (l->kind != MEMO_PROSE && l->kind != MEMO_ITEM) {
            i++;
            continue;
        }
        struct memo_span block = l->text;
        for (i++; i < m->lines && m->line[i].kind == MEMO_PROSE && m->line[i].section == l->section;
             i++)
            block.end = m->line[i].text.end;
        read_sentences(m, block);
    }
}
