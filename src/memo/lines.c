/* A memo's lines: what each is, and under which section it stands. */
#include "memo/inside.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* ── sections ──────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *title, *asks, *cues[8];
} sections[MEMO_SECTIONS] = {
    [MEMO_DECISION] = {"Decision",
                       "The stage and its settings, in one or two sentences.",
                       {"decision", "recommend", "propos", "tl;dr", "choice"}},
    [MEMO_MEMORY] =
        {"Memory",
         "Memory per GPU by category, the peak and when it comes, and how much is left.",
         {"memory", "budget", "fit"}},
    [MEMO_TIME] =
        {"Communication and step time",
         "The bytes a rank sends per step and over which link, the exposed time, the step time.",
         {"communication", "comms", "time", "traffic", "speed", "send"}},
    [MEMO_REJECTED] = {"Alternatives rejected",
                       "Each alternative, with the figure that rejects it.",
                       {"alternative", "reject", "why not", "options"}},
    [MEMO_RISKS] = {"Risks and fallback",
                    "What could break the prediction, and what you would do then.",
                    {"risk", "fallback", "fall back", "worr"}},
    [MEMO_FIRST_HOUR] = {"What to measure in the first hour",
                         "What you compare with the prediction first, and against which baseline.",
                         {"first hour", "measure", "validat", "first"}},
    [MEMO_FIGURES] = {"Figures",
                      "Your claims, one per row: the quantity, the configuration, the value.",
                      {"figures"}},
};
/* In this order a heading is asked: "What to measure in memory" is about measuring. */
static const enum memo_section order[] = {MEMO_FIGURES,  MEMO_FIRST_HOUR, MEMO_RISKS, MEMO_REJECTED,
                                          MEMO_DECISION, MEMO_MEMORY,     MEMO_TIME};

const char *memo_section_title(enum memo_section s) {
    return s < MEMO_SECTIONS ? sections[s].title : "";
}

const char *memo_section_asks(enum memo_section s) {
    return s < MEMO_SECTIONS ? sections[s].asks : "";
}

static bool has_cue(struct memo_span s, const char *last, enum memo_section section) {
    for (size_t i = 0; i < BASE_COUNT(sections[section].cues) && sections[section].cues[i]; i++) {
        const char *cue = sections[section].cues[i];
        size_t n = strlen(cue);
        for (const char *at = s.at; at + n <= s.end && at <= last; at++)
            if ((at == s.at || !isalpha((unsigned char)at[-1])) && strncasecmp(at, cue, n) == 0)
                return true;
    }
    return false;
}

bool memo_has_cue(struct memo_span s, enum memo_section section) {
    return has_cue(s, s.end, section);
}

/* The section of the first cue that begins at `last` or before it. */
static enum memo_section section_by(struct memo_span s, const char *last) {
    for (size_t i = 0; i < BASE_COUNT(order); i++)
        if (s.end > s.at && has_cue(s, last, order[i])) return order[i];
    return MEMO_SECTIONS;
}

/* Of a label, "Memory: …", the first word decides. */
static enum memo_section labelled(struct memo_span label) {
    return section_by(label, label.at);
}

enum memo_section memo_section_of(const char *heading, size_t length) {
    struct memo_span s = {heading, heading + (length < 200 ? length : 200)};
    return section_by(s, s.end);
}

/* ── spans ─────────────────────────────────────────────────────────────────────────────────────*/
struct memo_span memo_trim(struct memo_span s) {
    static const char mark[] = "\xef\xbb\xbf"; /* of the byte order, where an editor writes one */
    if (s.end - s.at >= 3 && memcmp(s.at, mark, 3) == 0) s.at += 3;
    while (s.at < s.end && strchr(" \t\r*_`>", *s.at)) s.at++;
    while (s.end > s.at && strchr(" \t\r*_`", s.end[-1])) s.end--;
    return s;
}

bool memo_same(struct memo_span s, const char *word) {
    size_t n = strlen(word);
    return (size_t)(s.end - s.at) == n && strncasecmp(s.at, word, n) == 0;
}

size_t memo_begins_at(const char *s, const char *end, const char *phrase, size_t length) {
    const char *from = s;
    for (; length; length--, phrase++, s++) {
        bool gap = *phrase == ' ' || *phrase == '-';
        if (s == end || (gap ? !strchr(" -_\n", *s)
                             : tolower((unsigned char)*s) != tolower((unsigned char)*phrase)))
            return 0;
    }
    return (size_t)(s - from);
}

const char *memo_words_in(struct memo_span s, const char *words) {
    for (size_t n = strlen(words); s.at < s.end; s.at++)
        if (memo_begins_at(s.at, s.end, words, n)) return s.at;
    return NULL;
}

char *memo_copy(struct memo_span s) {
    return base_format("%.*s", (int)(s.end - s.at < 4000 ? s.end - s.at : 4000), s.at);
}

size_t memo_cells(struct memo_span row, struct memo_span cell[MEMO_CELLS]) {
    size_t n = 0;
    row = memo_trim(row);
    if (row.at < row.end && *row.at == '|') row.at++;
    if (row.end > row.at && row.end[-1] == '|') row.end--;
    for (const char *s = row.at; n < MEMO_CELLS; s++) {
        const char *end = memchr(s, '|', (size_t)(row.end - s));
        cell[n++] = memo_trim((struct memo_span){s, end ? end : row.end});
        if (!end) break;
        s = end;
    }
    return n;
}

/* ── kinds of lines ────────────────────────────────────────────────────────────────────────────*/
static bool is_rule(struct memo_span s) {
    bool dash = false, bar = false;
    for (; s.at < s.end; s.at++) {
        if (!strchr("|-: \t\r", *s.at)) return false;
        dash |= *s.at == '-';
        bar |= *s.at == '|';
    }
    return dash && bar;
}

/* "====" or "----" under a heading. */
static bool is_underline(struct memo_span s) {
    char c = s.at < s.end ? *s.at : ' ';
    if ((c != '=' && c != '-') || s.end - s.at < 3) return false;
    while (s.at < s.end && *s.at == c) s.at++;
    return memo_trim(s).at == s.end;
}

/* Where what a list's sign introduces begins; NULL if there is none. */
static const char *item_at(struct memo_span s) {
    const char *at = s.at;
    while (at < s.end && (*at == ' ' || *at == '\t')) at++;
    if (at + 1 < s.end && strchr("-*+", *at) && at[1] == ' ') return at + 2;
    size_t digits = 0;
    while (at + digits < s.end && isdigit((unsigned char)at[digits])) digits++;
    bool sign = digits && digits < 4 && at + digits + 1 < s.end &&
                (at[digits] == '.' || at[digits] == ')') && at[digits + 1] == ' ';
    return sign ? at + digits + 2 : NULL;
}

/* "Memory: …", "**Memory**": the words before the colon, or all of a bold line. */
static struct memo_span label_of(struct memo_span s, bool *whole) {
    struct memo_span trimmed = memo_trim(s);
    const char *colon = memchr(trimmed.at, ':', (size_t)(trimmed.end - trimmed.at));
    bool bold = s.end - s.at > 4 && s.at[0] == '*' && s.at[1] == '*' &&
                (s.end[-1] == '*' || s.end[-1] == ':');
    *whole = bold && (!colon || colon + 3 >= s.end);
    if (*whole) return trimmed;
    return (struct memo_span){trimmed.at, colon && colon - trimmed.at < 60 ? colon : trimmed.at};
}

static enum memo_line_kind kind_of(struct memo *m, size_t i, bool *code, bool *comment) {
    struct memo_span s = m->line[i].text, t = memo_trim(s);
    bool fence =
        t.end - s.at >= 3 &&
        (memmem(s.at, (size_t)(s.end - s.at) < 12 ? (size_t)(s.end - s.at) : 12, "```", 3) != NULL);
    if (fence) *code = !*code;
    if (fence || *code) return MEMO_SILENT;
    if (t.end - t.at >= 4 && memcmp(t.at, "<!--", 4) == 0) *comment = true;
    if (*comment) {
        if (memmem(s.at, (size_t)(s.end - s.at), "-->", 3)) *comment = false;
        return MEMO_SILENT;
    }
    if (t.at == t.end) return MEMO_BLANK;
    if (is_rule(s)) return MEMO_RULE;
    if (is_underline(s)) return i && m->line[i - 1].kind == MEMO_PROSE ? MEMO_RULE : MEMO_BLANK;
    if (*t.at == '#') return MEMO_HEADING;
    if (*t.at == '|' || (t.end[-1] == '|')) return MEMO_ROW;
    return item_at(s) ? MEMO_ITEM : MEMO_PROSE;
}

/* The section that a line begins, or the one it stands in. */
static enum memo_section section_at(struct memo *m, size_t i, enum memo_section now, int level,
                                    int *own) {
    struct memo_line *l = &m->line[i];
    bool whole = false;
    struct memo_span label = {0};
    if (l->kind == MEMO_HEADING) {
        label = l->text;
        int depth = 0;
        while (label.at < label.end && *label.at == '#') label.at++, depth++;
        enum memo_section s = memo_section_of(label.at, (size_t)(label.end - label.at));
        if (s == MEMO_SECTIONS && depth > level) return now; /* a part of what it stands under */
        *own = depth;
        return s;
    }
    if (l->kind == MEMO_PROSE) label = label_of(l->text, &whole);
    if (label.at == label.end) return now;
    enum memo_section s =
        whole ? memo_section_of(label.at, (size_t)(label.end - label.at)) : labelled(label);
    if (whole) l->kind = MEMO_HEADING;
    return s == MEMO_SECTIONS || s == MEMO_FIGURES ? now : s;
}

static size_t count_words(struct memo_span s) {
    size_t n = 0;
    for (const char *at = s.at; at < s.end; at++)
        n += isalpha((unsigned char)*at) && (at == s.at || !isalpha((unsigned char)at[-1]));
    return n;
}

static void split(struct memo *m) {
    size_t n = 1;
    for (const char *s = m->text; s < m->end; s++) n += *s == '\n';
    m->line = base_alloc(n * sizeof *m->line);
    for (const char *s = m->text; m->lines < n; m->lines++) {
        const char *end = memchr(s, '\n', (size_t)(m->end - s));
        m->line[m->lines].text = (struct memo_span){s, end ? end : m->end};
        if (end)
            s = end + 1;
        else {
            m->lines++;
            break;
        }
    }
    assert(m->lines == n);
}

/* A comma between digits that cannot part thousands: "48,75". */
static bool writes_commas(const struct memo *m) {
    for (const char *s = m->text; (s = memchr(s, ',', (size_t)(m->end - s))); s++)
        if (s > m->text && isdigit((unsigned char)s[-1]) && isdigit((unsigned char)s[1]) &&
            strspn(s + 1, "0123456789") != 3)
            return true;
    return false;
}

const char *memo_read_figure(const struct memo *m, const char *at, struct account_figure *f) {
    const char *end = account_read_figure(at, f);
    if (end && !m->commas) f->other = 0;
    return end;
}

void memo_read_lines(struct memo *m) {
    bool code = false, comment = false;
    split(m);
    m->commas = writes_commas(m);
    for (size_t i = 0; i < m->lines; i++) {
        struct memo_line *l = &m->line[i];
        l->kind = kind_of(m, i, &code, &comment);
        if (l->kind == MEMO_RULE && !memchr(l->text.at, '|', (size_t)(l->text.end - l->text.at)) &&
            i) {
            m->line[i - 1].kind = MEMO_HEADING; /* underlined */
            l->kind = MEMO_BLANK;
        }
        if (l->kind == MEMO_RULE && i && m->line[i - 1].kind == MEMO_PROSE)
            m->line[i - 1].kind = MEMO_ROW;
        if (l->kind == MEMO_PROSE && i && m->line[i - 1].kind <= MEMO_RULE &&
            m->line[i - 1].kind >= MEMO_ROW &&
            memchr(l->text.at, '|', (size_t)(l->text.end - l->text.at)))
            l->kind = MEMO_ROW;
    }
}

/* What is said where. */
static void count_all(struct memo *m) {
    for (size_t i = 0; i < m->lines; i++) {
        const struct memo_line *l = &m->line[i];
        if (l->kind < MEMO_ROW || l->kind == MEMO_RULE || l->kind == MEMO_SILENT) continue;
        struct memo_span s = l->text;
        bool whole;
        struct memo_span label =
            l->kind == MEMO_PROSE ? label_of(s, &whole) : (struct memo_span){s.at, s.at};
        if (labelled(label) == l->section && l->section < MEMO_SECTIONS) s.at = label.end;
        size_t n = count_words(s);
        m->words[l->section] += n;
        if (l->section != MEMO_FIGURES) m->prose += n;
    }
}

void memo_read_sections(struct memo *m) {
    enum memo_section now = MEMO_SECTIONS;
    int level = 0;
    for (size_t i = 0; i < m->lines; i++) {
        struct memo_line *l = &m->line[i];
        enum memo_section s = section_at(m, i, now, level, &level);
        if (s != now && s < MEMO_SECTIONS && !m->heading[s]) m->heading[s] = (int)i + 1;
        l->section = now = s;
    }
    count_all(m);
}
