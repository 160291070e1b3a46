/* search: every place in the course whose text has all the words. */
#include "session/inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { EXCERPT = 72, WORDS = 8 };

struct hunt {
    /* the words, cut apart by NULs */
    char *text;
    const char *word[WORDS];
    size_t words;
    void (*each)(void *to, const struct learner_hit *h);
    void *to;
};

/* ── a step's text ─────────────────────────────────────────────────────────────────────────────*/
enum { TOLD = 3 };
/* What a step says openly, before anything is answered: no hint, no reveal, no model answer. Cards
 * are nowhere to be seen yet. */
static const char *const told[LESSON_STEP_KINDS][TOLD] = {
    [LESSON_SAY] = {"title", "text"},      [LESSON_FIGURE] = {"title", "text"},
    [LESSON_EXPLORE] = {"title", "text"},  [LESSON_WORKED] = {"title", "text"},
    [LESSON_RECAP] = {"title", "text"},    [LESSON_PREDICT] = {"title", "ask"},
    [LESSON_PROBLEM] = {"title", "ask"},   [LESSON_MYTH] = {"title", "claim"},
    [LESSON_SAY_ALOUD] = {"title", "ask"}, [LESSON_ANIMATE] = {"title", "text"},
    [LESSON_LAB] = {"title", "text"},      [LESSON_READ] = {"title", "text"},
    [LESSON_MEMO] = {"title", "text"},
};

/* Past the mark of a quotation or of a list's item, if this line begins with one. */
static const char *past_mark(const char *line) {
    const char *s = line + strspn(line, " ");
    return (*s == '>' || *s == '-') && s[1] == ' ' ? s + 1 : line;
}

/* Adds what a person reads of Markdown: marks and the bars and rules of tables dropped, white space
 * folded. */
static void add_plain(struct base_text *out, const char *markdown) {
    for (const char *s = past_mark(markdown); *s; s++) {
        bool gap = out->length == 0 || out->s[out->length - 1] == ' ';
        bool rule = (*s == '-' || *s == ':') && (s[1] == '-' || (s > markdown && s[-1] == '-'));
        if (strchr("*`#", *s) || rule) continue;
        if (!isspace((unsigned char)*s) && *s != '|')
            base_text_add(out, s, 1);
        else if (!gap)
            base_text_add(out, " ", 1);
        if (*s == '\n') s = past_mark(s + 1) - 1;
    }
    if (out->length && out->s[out->length - 1] != ' ') base_text_add(out, " ", 1);
}

/* The step's text, the caller's. */
static char *step_text(const struct lesson *l, size_t i) {
    struct base_text text = {0};
    for (size_t k = 0; k < TOLD; k++) {
        const char *name = told[lesson_step_kind(l, i)][k];
        if (name) add_plain(&text, base_json_text(lesson_step(l, i), name, ""));
    }
    return base_text_take(&text);
}

/* ── matching ──────────────────────────────────────────────────────────────────────────────────*/
static bool has_all(const struct hunt *h, const char *text) {
    for (size_t i = 0; i < h->words; i++)
        if (!strcasestr(text, h->word[i])) return false;
    return true;
}

/* Where a line around `hit` begins: some way before it, further if little follows, where a word
 * begins. */
static const char *line_start(const char *text, const char *hit) {
    size_t all = strlen(text), before = (size_t)(hit - text);
    size_t start = before > EXCERPT / 3 ? before - EXCERPT / 3 : 0;
    if (all - start < EXCERPT) start = all > EXCERPT ? all - EXCERPT : 0;
    while (start > 0 && text[start - 1] != ' ') start--;
    return text + start;
}

/* One line around the first word, cut where words begin and end. */
static char *excerpt(const char *text, const char *word) {
    const char *from = line_start(text, strcasestr(text, word));
    size_t n = strlen(from), all = n;
    if (n > EXCERPT)
        for (n = EXCERPT; n > 0 && from[n] != ' ';) n--;
    bool cut = n + 1 < all;
    while (n > 0 && from[n - 1] == ' ') n--;
    return base_format("%s%.*s%s", from > text ? "… " : "", (int)n, from, cut ? " …" : "");
}

static const char *step_id(const struct lesson *l, size_t i) {
    return base_json_text(lesson_step(l, i), "id", "");
}

/* As people count them: a step that is passed over has no number of its own. */
static size_t number_of(const struct lesson *l, size_t step) {
    size_t n = 1;
    for (size_t i = 0; i < step; i++) n += lesson_step_passed(l, i);
    return n;
}

static void try_place(const struct hunt *h, const char *title, const struct lesson *l, size_t step,
                      const char *text) {
    if (!has_all(h, text)) return;
    char *line = excerpt(text, h->word[0]);
    h->each(h->to,
            &(struct learner_hit){title, line, lesson_id(l), step_id(l, step), number_of(l, step)});
    free(line);
}

/* The first step that uses the term, else the first of all. */
static size_t step_with(const struct lesson *l, const char *term) {
    for (size_t i = 0; i < lesson_steps(l); i++) {
        char *text = step_text(l, i);
        bool has = strcasestr(text, term) != NULL;
        free(text);
        if (has) return i;
    }
    return 0;
}

static void try_term(const struct hunt *h, const struct loaded *l, const char *title,
                     const json_t *entry) {
    const char *term = base_json_text(entry, "term", "");
    struct base_text text = {0};
    add_plain(&text, term);
    if (text.length) text.s[text.length - 1] = ':';
    base_text_puts(&text, " ");
    struct base_text means = {0};
    add_plain(&means, base_json_text(entry, "means", ""));
    base_text_puts(&text, means.s ? means.s : "");
    try_place(h, title, l->lesson, step_with(l->lesson, term), text.s);
    base_text_free(&means);
    base_text_free(&text);
}

static void search_lesson(const struct hunt *h, const struct loaded *l, const char *title) {
    size_t i;
    json_t *entry;
    try_place(h, title, l->lesson, 0, title);
    for (i = 0; i < lesson_steps(l->lesson); i++) {
        if (!lesson_step_passed(l->lesson, i)) continue;
        char *text = step_text(l->lesson, i);
        try_place(h, title, l->lesson, i, text);
        free(text);
    }
    json_array_foreach(l->glossary, i, entry) try_term(h, l, title, entry);
}

static void cut_words(struct hunt *h, const char *words) {
    h->text = base_dup(words);
    char *rest = h->text, *word;
    while (h->words < WORDS && (word = strsep(&rest, " \t\n")))
        if (*word) h->word[h->words++] = word;
}

void session_learner_search(struct learner *who, const char *words,
                            void (*each)(void *to, const struct learner_hit *h), void *to) {
    const struct lesson_course *course = session_learner_course(who);
    struct hunt h = {.each = each, .to = to};
    cut_words(&h, words);
    for (size_t i = 0; h.words && i < course->lessons; i++) {
        const struct lesson_entry *c = &course->lesson[i];
        const struct loaded *l = session_learner_lesson(who, i);
        if (!l) continue;
        char *title = base_format("%s %s", c->id, c->title);
        search_lesson(&h, l, title);
        free(title);
    }
    free(h.text);
}
