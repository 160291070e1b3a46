/* search: every place in the course whose text has all the words. */
#include "sitting/inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { EXCERPT = 72, WORDS = 8 };

struct hunt {
    char *text; /* the words, cut apart by NULs */
    const char *word[WORDS];
    size_t words;
    void (*each)(void *to, const struct desk_hit *h);
    void *to;
};

/* ── a step's text ───────────────────────────────────────────────────────────────────────────────*/
/* What is told of a step, in the order in which it is read. */
static const char *const told[] = {"title", "text",    "ask",   "claim", "because", "reveal",
                                   "model", "front",   "back",  "term",  "means",   "points",
                                   "try",   "choices", "cards", "notes", "hints"};

/* Adds what a person reads of Markdown: marks dropped, white space folded. */
static void add_plain(struct base_text *out, const char *markdown) {
    for (const char *s = markdown; *s; s++) {
        bool gap = out->length == 0 || out->s[out->length - 1] == ' ';
        if (strchr("*`#", *s)) continue;
        if (!isspace((unsigned char)*s))
            base_text_add(out, s, 1);
        else if (!gap)
            base_text_add(out, " ", 1);
    }
    if (out->length && out->s[out->length - 1] != ' ') base_text_add(out, " ", 1);
}

/* `named`: members are named by the author (a remark for each line of a solution), so all are told.
 * Depth is bounded by the protocol between script and its worker. */
static void add_json(struct base_text *out, json_t *json, bool named) {
    const char *key;
    json_t *value;
    size_t i;
    if (json_is_string(json)) add_plain(out, json_string_value(json));
    json_array_foreach(json, i, value) add_json(out, value, false);
    if (named) json_object_foreach(json, key, value) add_json(out, value, false);
    for (i = 0; !named && json_is_object(json) && i < BASE_COUNT(told); i++)
        add_json(out, json_object_get(json, told[i]), strcmp(told[i], "notes") == 0);
}

/* ── matching ────────────────────────────────────────────────────────────────────────────────────*/
static bool has_all(const struct hunt *h, const char *text) {
    for (size_t i = 0; i < h->words; i++)
        if (!strcasestr(text, h->word[i])) return false;
    return true;
}

/* Where a line around `hit` begins: some way before it, further if little follows, where a word begins. */
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

static void try_place(const struct hunt *h, const char *title, const char *lesson, const char *step,
                      const char *text) {
    if (!has_all(h, text)) return;
    char *line = excerpt(text, h->word[0]);
    h->each(h->to, &(struct desk_hit){title, line, lesson, step});
    free(line);
}

static const char *first_step(const struct study_lesson *l) {
    return study_lesson_steps(l) ? base_json_text(study_lesson_step(l, 0), "id", "") : "";
}

static void search_lesson(const struct hunt *h, const struct loaded *l, const char *title) {
    const char *id = study_lesson_id(l->lesson);
    struct base_text text = {0};
    size_t i;
    json_t *entry;
    try_place(h, title, id, first_step(l->lesson), title);
    for (i = 0; i < study_lesson_steps(l->lesson); i++) {
        json_t *step = (json_t *)study_lesson_step(l->lesson, i);
        add_json(&text, step, false);
        try_place(h, title, id, base_json_text(step, "id", ""), text.s ? text.s : "");
        base_text_free(&text);
    }
    json_array_foreach(json_object_get(script_lesson(l->script), "glossary"), i, entry) {
        add_json(&text, entry, false);
        try_place(h, title, id, first_step(l->lesson), text.s ? text.s : "");
        base_text_free(&text);
    }
}

static void cut_words(struct hunt *h, const char *words) {
    h->text = base_dup(words);
    char *rest = h->text, *word;
    while (h->words < WORDS && (word = strsep(&rest, " \t\n")))
        if (*word) h->word[h->words++] = word;
}

void desk_search(struct desk *d, const char *words,
                 void (*each)(void *to, const struct desk_hit *h), void *to) {
    const struct study_course *course = desk_course(d);
    struct hunt h = {.each = each, .to = to};
    cut_words(&h, words);
    for (size_t i = 0; h.words && i < course->lessons; i++) {
        const struct study_course_lesson *c = &course->lesson[i];
        char *path = desk_path(d, i);
        struct loaded l = {0};
        if (path && loaded_open(&l, path, NULL)) {
            char *title = base_format("%s %s", c->id, c->title);
            search_lesson(&h, &l, title);
            free(title);
            loaded_close(&l);
        }
        free(path);
    }
    free(h.text);
}
