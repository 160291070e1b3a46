/* lint.c: whether a lesson has what every lesson promises: the opening guess, the figure, the
 * fading problems, the mistakes named. */
#include "lesson/lint.h"

#include <ctype.h>
#include <string.h>

static size_t count_kind(const struct lesson *l, enum lesson_step_kind kind) {
    size_t n = 0;
    for (size_t i = 0; i < l->count; i++) n += l->step[i].kind == kind;
    return n;
}

/* ── what there must be of each ────────────────────────────────────────────────────────────────*/
static size_t count_figures(const struct lesson *l) {
    size_t n = 0;
    for (size_t i = 0; i < l->count; i++)
        n += l->step[i].kind == LESSON_ANIMATE ||
             (l->step[i].kind != LESSON_EXPLORE && lesson_step_figures(l->step[i].json) > 0);
    return n;
}

static size_t count_working(const struct lesson *l) {
    size_t n = 0;
    for (size_t i = 0; i < l->count; i++)
        n += strcmp(lesson_form(l, i), "sheet") == 0 || strcmp(lesson_form(l, i), "number") == 0;
    return n;
}

static size_t count_cards(const struct lesson *l) {
    size_t n = 0;
    for (size_t i = 0; i < l->count; i++)
        if (l->step[i].kind == LESSON_CARDS)
            n += json_array_size(json_object_get(l->step[i].json, "cards"));
    return n;
}

static bool named_before(const struct lesson *l, size_t step, const char *id) {
    const char *about[ABOUT_MOST];
    for (size_t i = 0; i < step; i++) {
        size_t n = lesson_about(l, i, about, ABOUT_MOST);
        for (size_t k = 0; k < n; k++)
            if (strcmp(about[k], id) == 0) return true;
    }
    return false;
}

static size_t count_mistakes(const struct lesson *l) {
    size_t distinct = 0;
    const char *about[ABOUT_MOST];
    for (size_t i = 0; i < l->count; i++) {
        size_t n = lesson_about(l, i, about, ABOUT_MOST);
        for (size_t k = 0; k < n; k++) distinct += !named_before(l, i, about[k]);
    }
    return distinct;
}

/* A worked example fades: a sheet comes after it that has some of its lines filled in, or all of
 * them blank. */
static bool fades(const struct lesson *l) {
    bool worked = false;
    for (size_t i = 0; i < l->count; i++) {
        worked = worked || l->step[i].kind == LESSON_WORKED;
        if (worked && strcmp(lesson_form(l, i), "sheet") == 0) return true;
    }
    return false;
}

static size_t last_page(const struct lesson *l) {
    size_t last = l->count - 1;
    while (last > 0 && l->step[last].kind == LESSON_CARDS) last--;
    return last;
}

/* Each can be told from those of other lessons in a list, without what it claims or asks. */
static bool all_named(const struct lesson *l, enum lesson_step_kind kind) {
    for (size_t i = 0; i < l->count; i++)
        if (l->step[i].kind == kind && !*base_json_text(l->step[i].json, "title", "")) return false;
    return true;
}

static bool has_further(const struct lesson *l) {
    return json_array_size(json_object_get(l->step[last_page(l)].json, "further")) > 0;
}

/* Problems that are asked in the lesson itself. */
static size_t count_asked(const struct lesson *l) {
    size_t n = 0;
    for (size_t i = 0; i < l->count; i++)
        n += l->step[i].kind == LESSON_PROBLEM && !lesson_aside(l, i);
    return n;
}

static bool cards_fit(const struct lesson *l) {
    return count_cards(l) >= 5 && count_cards(l) <= 8;
}

/* Of the steps on the way, the part up to the natural stop is between a third and two thirds. */
static bool stops_midway(const struct lesson *l) {
    double first = 0, all = 0;
    size_t stop = lesson_find(l, lesson_stop(l));
    for (size_t i = 0; i < l->count; i++) {
        all += lesson_step_seconds(l, i);
        if (i == stop) first = all;
    }
    return 3 * first >= all && 3 * first <= 2 * all;
}

static void lint_parts(struct lint *t) {
    const struct lesson *l = t->l;
    const struct {
        bool ok;
        const char *words;
    } parts[] = {
        {l->step[0].kind == LESSON_PREDICT, "a lesson opens with a predict step"},
        {l->step[last_page(l)].kind == LESSON_RECAP, "a lesson ends with a recap step"},
        {has_further(l), "the recap needs `further`: what to read next, with its address"},
        {count_figures(l) >= 1, "a lesson shows at least one figure"},
        {count_kind(l, LESSON_EXPLORE) >= 1, "a lesson has an explore step"},
        {count_kind(l, LESSON_WORKED) >= 1, "a lesson has a worked step"},
        {count_kind(l, LESSON_WORKED) == 0 || fades(l),
         "a worked step must lead to a problem of form sheet: put one after it"},
        {count_kind(l, LESSON_PROBLEM) >= 6,
         "a lesson has at least six problems, families of numbers"},
        {count_asked(l) >= 3,
         "at least three problems must be asked in the lesson itself: the others may be for "
         "reviews only"},
        {count_working(l) >= 1, "one problem at least is a number (an expression) or a sheet"},
        {count_mistakes(l) >= 3, "'about' must name at least three different mistakes in a lesson"},
        {count_kind(l, LESSON_MYTH) >= 1, "a lesson has a myth step"},
        {all_named(l, LESSON_MYTH), "a myth needs a title, which lists show: name its subject"},
        {count_kind(l, LESSON_SAY_ALOUD) >= 1, "a lesson has a say_aloud step"},
        {all_named(l, LESSON_SAY_ALOUD),
         "a say_aloud step needs a title, which an interview shows: name its subject"},
        {cards_fit(l), "a lesson gives 5 to 8 cards"},
        {*lesson_title(l) != '\0', "a lesson needs its title"},
        {stops_midway(l), "a lesson needs `stop`: a step near its middle after which to rest"},
    };
    for (size_t i = 0; i < BASE_COUNT(parts); i++)
        if (!parts[i].ok) lesson_lint_find(t, "%s", parts[i].words);
}

/* ── step by step ──────────────────────────────────────────────────────────────────────────────*/
static bool is_mistake(const char *id) {
    size_t n;
    const struct account_mistake *m = account_mistakes(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(m[i].id, id) == 0) return true;
    return false;
}

static void lint_about(struct lint *t, size_t i) {
    const char *about[ABOUT_MOST];
    size_t n = lesson_about(t->l, i, about, ABOUT_MOST);
    for (size_t k = 0; k < n; k++)
        if (!is_mistake(about[k]))
            lesson_lint_find_at(t, i, "'about' names an unknown mistake, '%.40s'", about[k]);
}

static void lint_points(struct lint *t, size_t i) {
    size_t n = json_array_size(json_object_get(t->l->step[i].json, "points"));
    if (n < 3 || n > 5) lesson_lint_find_at(t, i, "3 to 5 points make a checklist, not %zu", n);
}

static void lint_hints(struct lint *t, size_t i) {
    const json_t *hints = json_object_get(t->l->step[i].json, "hints");
    if (hints != NULL && json_array_size(hints) != 2)
        lesson_lint_find_at(t, i, "a problem has two hints (the third is made), not %zu",
                            json_array_size(hints));
}

static void lint_card_ids(struct lint *t, size_t i) {
    const json_t *cards = json_object_get(t->l->step[i].json, "cards"), *card;
    size_t k;
    json_array_foreach(cards, k, card) {
        const char *id = base_json_text(card, "id", "");
        for (size_t j = 0; j < k; j++)
            if (strcmp(id, base_json_text(json_array_get(cards, j), "id", "")) == 0)
                lesson_lint_find_at(t, i, "two cards are called '%.40s'", id);
    }
}

/* Whether what a `read` step shows is still there: its marker, its lines, and in them the words
 * that each note is about. */
enum { LINES_MOST = 40 };

static bool says(const json_t *lines, const struct source_note *n) {
    for (int line = n->from; line <= n->to; line++) {
        const char *text = json_string_value(json_array_get(lines, (size_t)line - 1));
        if (text != NULL && strstr(text, n->has) != NULL) return true;
    }
    return false;
}

static void lint_note(struct lint *t, size_t i, const json_t *lines, const struct source_note *n,
                      size_t k) {
    const char *file = base_json_text(t->l->step[i].json, "file", "");
    if (n->from == 0)
        lesson_lint_find_at(
            t, i, "note %zu: no line of what %s shows says '%.60s', in the order of notes", k, file,
            n->has);
    else if ((size_t)n->to > json_array_size(lines))
        lesson_lint_find_at(t, i, "note %zu is about lines %d to %d, and %s shows %zu", k, n->from,
                            n->to, file, json_array_size(lines));
    else if (n->has == NULL)
        lesson_lint_find_at(
            t, i,
            "note %zu needs `has`: some words of its lines, so that it is noticed when they move",
            k);
    else if (!says(lines, n))
        lesson_lint_find_at(t, i,
                            "note %zu: lines %d to %d of what %s shows do not say '%.60s' any more",
                            k, n->from, n->to, file, n->has);
}

static void lint_source(struct lint *t, size_t i) {
    const json_t *json = t->l->step[i].json, *source = json_object_get(json, "source");
    const json_t *lines = json_object_get(source, "lines");
    struct source_note note[NOTES_MOST];
    if (lines == NULL) {
        lesson_lint_find_at(t, i, "%s",
                            base_json_text(source, "missing", "its source was not read"));
        return;
    }
    if (json_array_size(lines) > LINES_MOST)
        lesson_lint_find_at(t, i, "%zu lines are too many to read at a time; mark %d at most",
                            json_array_size(lines), LINES_MOST);
    size_t n = lesson_source_notes(json, note);
    for (size_t k = 0; k < n; k++) lint_note(t, i, lines, &note[k], k + 1);
}

static void lint_steps(struct lint *t) {
    for (size_t i = 0; i < t->l->count; i++) {
        switch (t->l->step[i].kind) {
        case LESSON_PROBLEM:
            lint_about(t, i);
            lint_hints(t, i);
            break;
        case LESSON_SAY_ALOUD: lint_points(t, i); break;
        case LESSON_CARDS: lint_card_ids(t, i); break;
        case LESSON_READ: lint_source(t, i); break;
        default: break;
        }
    }
}

/* ── other words ───────────────────────────────────────────────────────────────────────────────*/
enum { SENTENCE_MOST = 18 }; /* words of a slow one, on average */

static size_t count_sentences(const char *s) {
    size_t n = 0;
    for (bool open = false; *s != '\0'; s++) {
        bool ends = strchr(".?!", *s) != NULL && (s[1] == ' ' || s[1] == '\n' || s[1] == '\0');
        bool breaks = s[0] == '\n' && s[1] == '\n';
        open |= isalnum((unsigned char)*s) != 0;
        n += open && (ends || breaks || s[1] == '\0');
        open &= !ends && !breaks;
    }
    return n;
}

/* A briefer wording has half as many words at most; a slower one no fewer, in short sentences. */
static void lint_words(struct lint *t, size_t i) {
    const json_t *json = t->l->step[i].json, *briefly = json_object_get(json, "briefly"),
                 *slowly = json_object_get(json, "slowly");
    size_t words = lesson_words(json_object_get(json, "text")), few = lesson_words(briefly),
           many = lesson_words(slowly);
    size_t sentences = slowly != NULL ? count_sentences(json_string_value(slowly)) : 0;
    if (few * 2 > words)
        lesson_lint_find_at(t, i, "`briefly` has %zu words, and `text` %zu: half as many at most",
                            few, words);
    if (slowly != NULL && many < words)
        lesson_lint_find_at(t, i, "`slowly` has %zu words, and `text` %zu: it says no less", many,
                            words);
    if (many > sentences * SENTENCE_MOST)
        lesson_lint_find_at(t, i, "`slowly` has %zu words in %zu sentences: %d each at most", many,
                            sentences, SENTENCE_MOST);
}

size_t lesson_lint(const struct lesson *l, struct lesson_source source, int seeds,
                   void (*report_to)(void *to, const struct base_message *m),
                   void (*worst)(void *to, const char *line), void *to) {
    struct lint t = {.l = l, .seeds = seeds, .report = report_to, .worst = worst, .to = to};
    t.source = lesson_lint_pace(&t.pace, source, seeds);
    lint_parts(&t);
    lint_steps(&t);
    for (size_t i = 0; i < l->count; i++) lint_words(&t, i);
    lesson_lint_vary(&t);
    return t.findings;
}
