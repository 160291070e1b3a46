/* search: every entry that has all the words: lessons, terms, questions, steps, myths, cards,
 * bookmarks, notes, labs and commands. */
#include "session/inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXCERPT = 72,
    SENTENCE = 400,
    WORDS = 8,
    ENTRIES = BASE_COUNT(((struct lesson_course *)0)->lesson) +
              BASE_COUNT(((struct lesson_course *)0)->extra)
};

/* Where an entry has the words, best first: as its name or number, in its title, in its text. */
enum place { NAME, TITLE, TEXT, NOWHERE };

struct found {
    enum place place;
    /* its texts are owned */
    struct session_hit hit;
};

struct hunt {
    struct learner *who;
    unsigned kinds;
    bool at_once, whole;
    /* the words as they were typed, and cut apart by NULs */
    const char *typed;
    char *text;
    const char *word[WORDS];
    size_t words;
    /* of a myth: the claim, which its excerpt quotes, and the words before it */
    const char *claim, *judged;
    /* which lessons were gone through */
    bool through[ENTRIES];
    struct finds {
        struct found *found;
        size_t count;
    } * finds;
};

static const char *kept(const struct hunt *h, const char *markdown) {
    return session_plain_kept(session_learner_plains(h->who), markdown);
}

static const char *step_text(const struct hunt *h, const struct lesson *l, size_t i) {
    const char *field = session_step_told(l, i);
    return field ? kept(h, base_json_text(lesson_step(l, i), field, "")) : "";
}

/* ── matching ──────────────────────────────────────────────────────────────────────────────────*/
static bool has_all(const struct hunt *h, const char *text, const char *more) {
    for (size_t i = 0; i < h->words; i++)
        if (!strcasestr(text, h->word[i]) && !strcasestr(more, h->word[i])) return false;
    return true;
}

/* Where a line around `hit` begins: some way before it, further if little follows, where a word
 * begins. */
static const char *line_start(const char *text, const char *hit) {
    size_t all = strlen(text), before = (size_t)(hit - text);
    size_t start = before > EXCERPT / 3 ? before - EXCERPT / 3 : 0;
    if (all - start < EXCERPT) start = all > EXCERPT ? all - EXCERPT : 0;
    while (start > 0 && !isspace((unsigned char)text[start - 1])) start--;
    return text + start;
}

static bool is_stop(const char *s) {
    return strchr("\n", *s) || (strchr(".?!", *s) && (isspace((unsigned char)s[1]) || !s[1]));
}

/* The sentence around `hit`, the caller's; NULL if it is too long. */
static char *sentence(const char *text, const char *hit) {
    const char *from = hit, *to = hit;
    while (from > text && from[-1] != '\n' &&
           !(from[-1] == ' ' && from - 1 > text && is_stop(from - 2)))
        from--;
    while (!is_stop(to)) to++;
    size_t n = (size_t)(to - from) + !strchr("\n", *to);
    return n <= SENTENCE ? base_format("%.*s", (int)n, from) : NULL;
}

/* One line around the first of the words that the text has, cut where words begin and end; or the
 * sentence. */
static char *excerpt(const struct hunt *h, const char *text) {
    const char *hit = NULL;
    for (size_t i = 0; i < h->words && !hit; i++) hit = strcasestr(text, h->word[i]);
    char *whole = h->whole ? sentence(text, hit ? hit : text) : NULL;
    if (whole) return whole;
    const char *from = hit ? line_start(text, hit) : text;
    size_t n = strlen(from), all = n;
    if (n > EXCERPT)
        for (n = EXCERPT; n > 0 && !isspace((unsigned char)from[n]);) n--;
    bool cut = n + 1 < all;
    while (n > 0 && isspace((unsigned char)from[n - 1])) n--;
    char *line = base_format("%s%.*s%s", from > text ? "… " : "", (int)n, from, cut ? " …" : "");
    for (char *s = line; (s = strchr(s, '\n'));) *s = ' ';
    return line;
}

static bool wants(const struct hunt *h, enum session_kind k) {
    return !h->kinds || (h->kinds & 1u << k);
}

static enum place place_of(const struct hunt *h, const char *number, const char *title,
                           const char *text) {
    if (*h->typed && (strcasecmp(h->typed, number) == 0 || strcasecmp(h->typed, title) == 0))
        return NAME;
    return has_all(h, title, number) ? TITLE : has_all(h, title, text) ? TEXT : NOWHERE;
}

static const char *copy(const char *s) {
    return s ? base_dup(s) : NULL;
}

static void keep(struct finds *f, enum place place, const struct session_hit *h, char *excerpt) {
    f->found = base_grow(f->found, f->count + 1, sizeof *f->found);
    f->found[f->count++] = (struct found){place,
                                          {.kind = h->kind,
                                           .name = copy(h->name),
                                           .title = copy(h->title),
                                           .place = copy(h->place),
                                           .excerpt = excerpt,
                                           .lesson = copy(h->lesson),
                                           .step = copy(h->step)}};
}

static void forget(struct session_hit *h) {
    free((char *)h->name);
    free((char *)h->title);
    free((char *)h->place);
    free((char *)h->excerpt);
    free((char *)h->lesson);
    free((char *)h->step);
}

/* Title and text are plain, and a lesson's number or a lab's name counts as a word of its title.
 * Keeps each hit with a line of the text as its excerpt; without a text, of its own. */
static void try_numbered(const struct hunt *h, struct session_hit hit, const char *number,
                         const char *text) {
    enum place place = place_of(h, number, hit.title, text);
    if (place == NOWHERE) return;
    char *around = excerpt(h, h->claim ? h->claim : *text || !hit.excerpt ? text : hit.excerpt);
    keep(h->finds, place, &hit, base_format("%s%s", h->claim ? h->judged : "", around));
    free(around);
}

static void try_entry(const struct hunt *h, struct session_hit hit, const char *text) {
    try_numbered(h, hit, "", text);
}

/* ── what there is ─────────────────────────────────────────────────────────────────────────────*/
static void search_term(const struct hunt *h, const json_t *term) {
    struct base_text text = {0};
    size_t i;
    const json_t *also;
    base_text_printf(&text, "%s ", kept(h, base_json_text(term, "means", "")));
    json_array_foreach(json_object_get(term, "also"), i, also)
        base_text_printf(&text, "(%s) ", json_string_value(also));
    const char *name = session_book_name(SESSION_GLOSSARY, term),
               *lesson = base_json_text(term, "lesson", "");
    char *all = base_text_take(&text);
    try_entry(h,
              (struct session_hit){.kind = SESSION_TERM,
                                   .name = name,
                                   .title = kept(h, name),
                                   .place = lesson,
                                   .lesson = lesson},
              all);
    free(all);
}

static int by_name(const void *a, const void *b) {
    const json_t *const *x = a, *const *y = b;
    return strcasecmp(session_book_name(SESSION_GLOSSARY, *x),
                      session_book_name(SESSION_GLOSSARY, *y));
}

/* As in a dictionary. */
static void search_terms(const struct hunt *h) {
    const json_t *book = session_book(h->who, SESSION_GLOSSARY, NULL);
    size_t count = json_array_size(book);
    if (count == 0) return;
    const json_t **term = base_grow(NULL, count, sizeof(json_t *));
    for (size_t i = 0; i < count; i++) term[i] = json_array_get(book, i);
    qsort(term, count, sizeof(json_t *), by_name);
    for (size_t i = 0; i < count; i++) search_term(h, term[i]);
    free(term);
}

static void search_questions(const struct hunt *h) {
    size_t i;
    const json_t *q, *book = session_book(h->who, SESSION_QUESTIONS, NULL);
    json_array_foreach(book, i, q) {
        char *number = base_format("%zu", i + 1);
        try_entry(h,
                  (struct session_hit){.kind = SESSION_QUESTION,
                                       .name = number,
                                       .title = kept(h, base_json_text(q, "ask", "")),
                                       .place = base_json_text(q, "lesson", ""),
                                       .lesson = base_json_text(q, "lesson", NULL),
                                       .step = base_json_text(q, "step", NULL)},
                  kept(h, base_json_text(q, "answer", "")));
        free(number);
    }
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

/* What a step without words of its own is about: its lesson. */
static const char *about(const struct lesson *l, size_t i) {
    return json_object_get(lesson_step(l, i), "title") ? lesson_title(l) : lesson_goal(l);
}

/* A myth is a claim to judge, and every list shows it as one. Its reason can be found once the
 * learner has answered it, which the record is asked only if that matters. */
static void try_myth(const struct hunt *h, const struct lesson *l, size_t i, struct session_hit hit,
                     const char *claim) {
    struct hunt judging = *h;
    char *both =
        base_format("%s %s", claim, kept(h, base_json_text(lesson_step(l, i), "because", "")));
    if (place_of(h, "", hit.title, both) != NOWHERE) {
        const char *verdict = session_myth_verdict(h->who, l, i);
        judging.claim = claim;
        judging.judged = !verdict                       ? "True or false? "
                         : strcmp(verdict, "true") == 0 ? "True: "
                                                        : "False: ";
        try_entry(&judging, hit, verdict ? both : claim);
    }
    free(both);
}

static void search_step(const struct hunt *h, const struct lesson *l, size_t i) {
    const json_t *step = lesson_step(l, i);
    bool myth = lesson_step_kind(l, i) == LESSON_MYTH;
    if (!wants(h, myth ? SESSION_MYTH : SESSION_STEP) || !lesson_step_passed(l, i)) return;
    const char *text = step_text(h, l, i);
    char *name = base_format("%s/%s", lesson_id(l), step_id(l, i)),
         *lesson = base_words(lesson_id(l)),
         *place = base_format("%s step %zu", lesson, number_of(l, i));
    struct session_hit hit = {.kind = myth ? SESSION_MYTH : SESSION_STEP,
                              .name = name,
                              .title = kept(h, base_json_text(step, "title", lesson_title(l))),
                              .place = place,
                              .excerpt = about(l, i),
                              .lesson = lesson_id(l),
                              .step = step_id(l, i)};
    if (myth)
        try_myth(h, l, i, hit, text);
    else
        try_entry(h, hit, text);
    free(name);
    free(place);
    free(lesson);
}

static void search_cards(const struct hunt *h, const struct lesson *l, size_t i) {
    size_t k;
    const json_t *card;
    json_array_foreach(json_object_get(lesson_step(l, i), "cards"), k, card) {
        char *name = base_format("%s/%s", lesson_id(l), base_json_text(card, "id", ""));
        try_entry(h,
                  (struct session_hit){.kind = SESSION_CARD,
                                       .name = name,
                                       .title = kept(h, base_json_text(card, "front", "")),
                                       .place = lesson_id(l),
                                       .lesson = lesson_id(l)},
                  kept(h, base_json_text(card, "back", "")));
        free(name);
    }
}

/* A lesson's own title, or its number, leads to its first step; a review's and a check's to where
 * it was left. */
static void search_title(const struct hunt *h, const struct lesson_entry *c,
                         const struct lesson *l) {
    char *place = base_words(c->id);
    if (wants(h, SESSION_LESSON))
        try_numbered(
            h,
            (struct session_hit){.kind = SESSION_LESSON,
                                 .name = c->id,
                                 .title = kept(h, c->title),
                                 .place = place,
                                 .excerpt = l ? step_text(h, l, 0) : lesson_kind_says(c->kind),
                                 .lesson = c->id,
                                 .step = l ? step_id(l, 0) : NULL},
            c->id, l ? lesson_goal(l) : "");
    free(place);
}

static void search_lesson(const struct hunt *h, size_t at) {
    const struct lesson_entry *c = session_learner_entry(h->who, at);
    const struct loaded *l =
        h->at_once ? session_learner_cached(h->who, at) : session_learner_lesson(h->who, at);
    if (l || (!c->file && session_learner_exists(h->who, at)))
        search_title(h, c, l ? l->lesson : NULL);
    if (!l) return;
    for (size_t i = 0; i < lesson_steps(l->lesson); i++) search_step(h, l->lesson, i);
    for (size_t i = 0; h->through[at] && wants(h, SESSION_CARD) && i < lesson_steps(l->lesson); i++)
        search_cards(h, l->lesson, i);
}

static void search_lessons(const struct hunt *h) {
    const unsigned in =
        1u << SESSION_LESSON | 1u << SESSION_STEP | 1u << SESSION_MYTH | 1u << SESSION_CARD;
    for (size_t i = 0; i < session_learner_entries(h->who); i++)
        if (!h->kinds || h->kinds & in) search_lesson(h, i);
}

/* A bookmark says in which lesson it is, unless its title does; a note what was written. */
static void try_note(void *to, const struct store_note *n) {
    const struct hunt *h = to;
    bool note = n->kind == STORE_NOTE;
    enum session_kind kind = note ? SESSION_NOTE : SESSION_BOOKMARK;
    if (!wants(h, kind)) return;
    const char *lesson = session_note_lesson(h->who, n);
    char *text = session_plain(note        ? n->text
                               : *n->title ? lesson
                                           : ""),
         *title = session_plain(*n->title ? n->title : lesson),
         *name = base_format("%s/%s", n->lesson, n->step), *place = base_words(n->lesson);
    try_entry(h,
              (struct session_hit){.kind = kind,
                                   .name = name,
                                   .title = title,
                                   .place = place,
                                   .lesson = n->lesson,
                                   .step = n->step},
              text);
    free(place);
    free(name);
    free(title);
    free(text);
}

static void search_labs(const struct hunt *h) {
    for (size_t i = 0; i < experiment_labs(); i++) {
        const struct experiment_lab *lab = experiment_lab_at(i);
        char *lesson = base_format(LEARNER_LAB "/%s", lab->name);
        try_numbered(h,
                     (struct session_hit){.kind = SESSION_LAB,
                                          .name = lab->name,
                                          .title = kept(h, lab->title),
                                          .place = lab->name,
                                          .lesson = lesson},
                     lab->name, kept(h, lab->about));
        free(lesson);
    }
}

static void search_commands(const struct hunt *h) {
    size_t count;
    const struct session_command *c = session_learner_commands(h->who, &count);
    for (size_t i = 0; i < count; i++) {
        bool ended = ispunct((unsigned char)c[i].summary[strlen(c[i].summary) - 1]);
        char *title = session_command_title(&c[i]),
             *text = base_format("%s%s %s", c[i].summary, ended ? "" : ".", kept(h, c[i].about));
        try_entry(
            h,
            (struct session_hit){
                .kind = SESSION_COMMAND, .name = c[i].name, .title = title, .place = "command"},
            text);
        free(text);
        free(title);
    }
}

/* ── searching ─────────────────────────────────────────────────────────────────────────────────*/
static void cut_words(struct hunt *h, const char *words) {
    h->text = base_dup(words);
    char *rest = h->text, *word;
    while (h->words < WORDS && (word = strsep(&rest, " \t\n")))
        if (*word) h->word[h->words++] = word;
}

static void note_place(void *to, const struct store_place *p) {
    struct hunt *h = to;
    size_t i = session_learner_find_entry(h->who, p->lesson, strlen(p->lesson));
    if (i < session_learner_entries(h->who)) h->through[i] |= p->finished;
}

static void search_all(struct hunt *h) {
    if (wants(h, SESSION_TERM)) search_terms(h);
    if (wants(h, SESSION_QUESTION)) search_questions(h);
    if (wants(h, SESSION_NOTE) || wants(h, SESSION_BOOKMARK))
        store_notes(session_learner_store(h->who), NULL, NULL, try_note, h, NULL);
    search_lessons(h);
    if (wants(h, SESSION_COMMAND)) search_commands(h);
    if (wants(h, SESSION_LAB)) search_labs(h);
}

static void hand_over(struct finds *f, void (*each)(void *to, const struct session_hit *h),
                      void *to) {
    for (enum place p = NAME; p < NOWHERE; p++)
        for (size_t i = 0; i < f->count; i++)
            if (f->found[i].place == p) each(to, &f->found[i].hit);
    for (size_t i = 0; i < f->count; i++) forget(&f->found[i].hit);
    free(f->found);
}

void session_search(struct learner *who, const struct session_query *q,
                    void (*each)(void *to, const struct session_hit *h), void *to) {
    struct finds finds = {0};
    struct hunt h = {.who = who,
                     .kinds = q->kinds,
                     .at_once = q->at_once,
                     .whole = q->whole,
                     .typed = q->words,
                     .finds = &finds};
    cut_words(&h, q->words);
    if (h.words || h.kinds) {
        store_places(session_learner_store(who), note_place, &h, NULL);
        search_all(&h);
    }
    hand_over(&finds, each, to);
    free(h.text);
}

/* The first lesson that was not read, and has a file; how many there are if there is none. */
static size_t unread(const struct learner *who) {
    size_t i = 0, all = session_learner_entries(who);
    while (i < all && (!session_learner_entry(who, i)->file || session_learner_was_read(who, i)))
        i++;
    return i;
}

bool session_search_waits(const struct learner *who) {
    return unread(who) < session_learner_entries(who);
}

void session_search_read(struct learner *who) {
    size_t i = unread(who);
    if (i < session_learner_entries(who)) session_learner_lesson(who, i);
}
