/* deck: what can come back: the problems, myths and cards of the lessons that were begun. Each
 * lesson's part is kept as the setting "deck/<id>" when it is opened, so that what is due is told
 * without running lessons: a line for each thing, its kind, id, what it is about, and its title. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

/* The kinds, and how long one takes to read and answer. */
static const struct kind {
    char letter;
    int seconds;
} kinds[] = {
    {'c', LESSON_CARD_SECONDS},
    {'p', LESSON_PROBLEM_SECONDS}, /* a problem or a myth */
    {'s', LESSON_SHEET_SECONDS},
};

/* ── keeping ───────────────────────────────────────────────────────────────────────────────────*/
static void add_line(struct base_text *t, char kind, const char *id, const char *about,
                     const char *title) {
    char *clean = base_clean_dup(title, strlen(title), 80);
    base_text_printf(t, "%c %s %s %s\n", kind, id, about, clean);
    free(clean);
}

static void add_step(struct base_text *t, const struct lesson *l, size_t i) {
    const json_t *step = lesson_step(l, i), *card;
    const char *id = base_json_text(step, "id", "");
    size_t n;
    bool sheet = strcmp(base_json_text(step, "form", ""), "sheet") == 0;
    if (lesson_graded(l, i))
        add_line(t, sheet ? 's' : 'p', id, lesson_skill(l, i), base_json_text(step, "title", id));
    json_array_foreach(json_object_get(step, "cards"), n, card) {
        const char *own = base_json_text(card, "id", "");
        add_line(t, 'c', own, base_json_text(card, "of", own), base_json_text(card, "front", ""));
    }
}

void session_learner_keep_deck(struct learner *who, const struct lesson *l) {
    struct base_text t = {0};
    for (size_t i = 0; i < lesson_steps(l); i++) add_step(&t, l, i);
    char *deck = base_text_take(&t);
    session_learner_keep(who, "deck", lesson_id(l), deck);
    free(deck);
}

/* Of a lesson that was taken before this was kept it is not known: then it is run for it, once. The
 * caller's; NULL if it cannot be known. */
static char *deck_of(struct learner *who, size_t i) {
    const char *id = session_learner_course(who)->lesson[i].id;
    char *deck = session_learner_kept(who, "deck", id);
    const struct loaded *l = deck ? NULL : session_learner_lesson(who, i);
    if (!l) return deck;
    session_learner_keep_deck(who, l->lesson);
    deck = session_learner_kept(who, "deck", id);
    return deck;
}

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
enum { LINE_WORDS = 3 }; /* before the title */

static const struct kind *find_kind(const char *word) {
    for (size_t i = 0; i < BASE_COUNT(kinds); i++)
        if (word[0] == kinds[i].letter && word[1] == '\0') return &kinds[i];
    return NULL;
}

/* Cuts a line up in place. */
static bool read_line(char *line, char *word[LINE_WORDS], char **title) {
    for (size_t i = 0; i < LINE_WORDS; i++) {
        word[i] = strsep(&line, " ");
        if (!word[i] || !*word[i]) return false;
    }
    *title = line;
    return line != NULL && find_kind(word[0]);
}

static void add_thing(struct learner_deck *d, const char *lesson, int64_t read, char *line) {
    char *word[LINE_WORDS], *title;
    if (!read_line(line, word, &title)) return;
    d->thing = base_grow(d->thing, d->count + 1, sizeof *d->thing);
    d->title = base_grow(d->title, d->count + 1, sizeof *d->title);
    d->title[d->count] = base_dup(title);
    d->thing[d->count++] = (struct review_thing){.item = base_format("%s/%s", lesson, word[1]),
                                                 .lesson = lesson,
                                                 .about = base_dup(word[2]),
                                                 .card = *word[0] == 'c',
                                                 .seconds = find_kind(word[0])->seconds,
                                                 .read = read};
}

struct reading {
    struct learner *learner;
    int rollover;
    struct learner_deck *deck;
};

static void add_lesson(void *to, const struct store_place *p) {
    struct reading *r = to;
    const struct lesson_course *c = session_learner_course(r->learner);
    size_t i = session_learner_find_id(r->learner, p->lesson, strlen(p->lesson));
    if (i == c->lessons || c->lesson[i].kind != LESSON_ORDINARY) return;
    int64_t read = p->finished ? review_day(p->when, r->rollover) : INT64_MAX;
    char *deck = deck_of(r->learner, i), *rest = deck;
    for (char *line; (line = strsep(&rest, "\n"));) add_thing(r->deck, c->lesson[i].id, read, line);
    free(deck);
}

void session_deck_read(struct learner *who, struct learner_deck *d) {
    struct reading r = {who, session_learner_rollover(who), d};
    session_deck_free(d);
    store_places(session_learner_store(who), add_lesson, &r, NULL);
}
