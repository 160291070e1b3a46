/* watch_words: what was seen of a class, in words: names, titles, and what to say about a mistake.
 */
#include "session/watched.h"
#include "session/watching.h"

#include <stdlib.h>
#include <string.h>

char *session_watch_name(const struct session_watch *w, size_t seat, bool names) {
    const struct classroom_seat *s = &w->seat[seat];
    const char *with = *s->partner ? s->partner : s->now.with;
    if (!names) return base_format("seat %zu%s", seat + 1, *with ? ", two people" : "");
    return base_format("%s%s%s", *s->name ? s->name : s->account, *with ? " and " : "", with);
}

char *session_watch_whose(const struct session_watch *w, const struct classroom_ticket *t,
                          bool names) {
    bool named = w->settings.synchronised && *t->wish.with;
    char *account = named ? base_dup(t->wish.with) : classroom_account(t->owner), *name = NULL;
    for (size_t i = 0; i < w->seats && !name; i++)
        if (strcmp(w->seat[i].account, account) == 0) name = session_watch_name(w, i, names);
    if (!name) name = base_dup(names ? account : "somebody");
    free(account);
    return name;
}

/* NULL if the course has no such lesson, or it cannot be read. */
static const struct lesson *lesson_named(struct session_watch *w, const char *id, size_t n) {
    size_t at = session_learner_find_id(w->course, id, n);
    bool known = at < session_learner_course(w->course)->lessons;
    const struct loaded *l = known ? session_learner_lesson(w->course, at) : NULL;
    return l ? l->lesson : NULL;
}

size_t session_watch_steps(struct session_watch *w, const char *lesson) {
    const struct lesson *l = lesson_named(w, lesson, strlen(lesson));
    size_t n = 0;
    for (size_t i = 0; l && i < lesson_steps(l); i++) n += lesson_step_passed(l, i);
    return n;
}

struct session_watch_step session_watch_step(struct session_watch *w, const char *lesson,
                                             size_t nth) {
    const struct lesson *l = lesson_named(w, lesson, strlen(lesson));
    size_t i = 0;
    while (l && i < lesson_steps(l) && (!lesson_step_passed(l, i) || nth-- > 0)) i++;
    const json_t *step = l ? lesson_step(l, i) : NULL;
    return (struct session_watch_step){base_json_text(step, "id", ""),
                                       base_json_text(step, "title", "")};
}

char *session_watch_title(struct session_watch *w, const char *item) {
    const char *slash = strchr(item, '/');
    const struct lesson *l = slash ? lesson_named(w, item, (size_t)(slash - item)) : NULL;
    size_t step = l ? lesson_find(l, slash + 1) : 0;
    bool is = l && step < lesson_steps(l);
    return base_dup(is ? base_json_text(lesson_step(l, step), "title", item) : item);
}

char *session_watch_slip_title(struct session_watch *w, const struct classroom_slip *s) {
    char *title = session_watch_title(w, s->item);
    if (!s->elsewhere) return title;
    char *all = base_format("%.*s %s", (int)strcspn(s->item, "/"), s->item, title);
    free(title);
    return all;
}

/* The first of several. */
static const struct account_mistake *mistake_of(const char *ids) {
    size_t count, n = strcspn(ids, "|,");
    const struct account_mistake *all = account_mistakes(&count);
    for (size_t i = 0; i < count; i++)
        if (strlen(all[i].id) == n && memcmp(all[i].id, ids, n) == 0) return &all[i];
    return NULL;
}

char *session_watch_mistake(const char *ids) {
    const struct account_mistake *known = mistake_of(ids);
    bool more = ids[strcspn(ids, "|,")] != '\0';
    if (strcmp(ids, CLASSROOM_UNNAMED) == 0) return base_dup("wrong, not a known mistake");
    return base_format("%s%s", known ? known->name : ids, known && more ? ", or another" : "");
}

/* ── what to say about a mistake ───────────────────────────────────────────────────────────────*/
struct searching {
    const struct classroom_slip *for_this;
    struct session_slip *out;
};

static const char *cell(const struct classroom_handin *h, size_t row, const char *column) {
    size_t at = classroom_handin_column(h, column);
    const char *text = json_string_value(json_array_get(h->answer[row].row, at));
    return text ? text : "";
}

/* The mistake in the whole answer, or in a line of a worksheet. */
static bool match_of(const struct account_problem *p, const struct account_solution *s,
                     const char *line, const char *mistake, struct account_match *out) {
    if (!*line) return account_mistake_value(p, mistake, out);
    for (size_t i = 0; i < s->lines; i++)
        if (strcmp(s->line[i].id, line) == 0) return account_line_mistake(p, s, i, mistake, out);
    return false;
}

/* What was typed, with the words of the option that it chose; the caller's. */
static char *say_typed(const char *variant, const char *typed) {
    json_t *json = base_json_read(variant, strlen(variant), "problem", NULL);
    char *end, *clean = base_clean_dup(typed, strlen(typed), 60);
    long option = strtol(typed, &end, 10);
    const json_t *choice = json_array_get(json_object_get(json, "choices"), (size_t)option - 1);
    const char *words = base_json_text(choice, "text", "");
    if (!*end && *words) {
        char *safe = base_clean_dup(words, strlen(words), CLASSROOM_ASKED),
             *plain = session_slides_plain(safe);
        free(clean);
        clean = base_format("%ld: %s", option, plain);
        free(plain);
        free(safe);
    }
    json_decref(json);
    return clean;
}

/* With the learner's own numbers. The arithmetic is the engine's, whatever the hand-in says. */
static void explain_row(struct session_slip *out, const char *variant, const char *line,
                        const char *typed, const char *mistake) {
    char *first = base_format("%.*s", (int)strcspn(mistake, "|,"), mistake);
    json_t *json = base_json_read(variant, strlen(variant), "problem", NULL);
    struct account_problem p;
    struct account_match match;
    struct account_solution solution;
    if (json && lesson_problem_read(json_object_get(json, "problem"), &p, NULL) &&
        account_solve(&p, &solution, NULL) && match_of(&p, &solution, line, first, &match)) {
        out->arithmetic = base_dup(match.arithmetic);
        out->wrong = base_dup(match.wrong);
        out->figure = *line ? NULL : lesson_contrast(&p, typed);
    }
    json_decref(json);
    free(first);
}

static void take_row(struct searching *s, const struct classroom_handin *h, size_t i) {
    struct session_slip *out = s->out;
    const char *typed = cell(h, i, "typed");
    if (!*typed) return;
    out->answer[out->typed++] = say_typed(cell(h, i, "problem"), typed);
    if (!out->arithmetic)
        explain_row(out, cell(h, i, "problem"), cell(h, i, "line"), typed, s->for_this->mistake);
}

/* Whether this answer made the mistake. */
static bool shows(const struct classroom_handin *h, size_t i, const struct classroom_slip *s) {
    const char *mistake = cell(h, i, "mistake"), *verdict = cell(h, i, "verdict");
    bool named = strcmp(s->mistake, CLASSROOM_UNNAMED) != 0;
    return strcmp(cell(h, i, "item"), s->item) == 0 &&
           (named ? strcmp(mistake, s->mistake) == 0 : !*mistake && strcmp(verdict, "wrong") == 0);
}

/* The first of a learner. */
static void search_handin(struct searching *s, const struct classroom_handin *h) {
    size_t had = s->out->typed;
    for (size_t i = 0; i < h->answers && s->out->typed == had; i++)
        if (shows(h, i, s->for_this)) take_row(s, h, i);
}

static bool made_it(const struct watched *one, const struct classroom_slip *s) {
    for (size_t i = 0; i < one->tally.count; i++)
        if (strcmp(one->tally.tried[i].item, s->item) == 0 &&
            strcmp(one->tally.tried[i].mistake, s->mistake) == 0)
            return true;
    return false;
}

void session_watch_slip(struct session_watch *w, const struct classroom_slip *slip,
                        struct session_slip *out) {
    *out = (struct session_slip){.title = session_watch_title(w, slip->item),
                                 .mistake = session_watch_mistake(slip->mistake)};
    struct searching s = {slip, out};
    for (size_t i = 0; i < w->files && out->typed < SESSION_TYPED; i++) {
        struct classroom_handin h;
        if (!made_it(&w->file[i], slip)) continue;
        char *name = base_format("%s" CLASSROOM_HANDIN_END, w->file[i].name);
        classroom_handin_read(w->folder, CLASSROOM_HANDINS, name, &w->settings, &h, NULL);
        search_handin(&s, &h);
        classroom_handin_free(&h);
        free(name);
    }
    const struct account_mistake *known = mistake_of(slip->mistake);
    if (known) out->explain = base_dup(known->explain);
    out->question =
        base_dup(out->arithmetic
                     ? "Here is a line that several of you could have written. Which number in it "
                       "would you change, and what would that number be for another stage?"
                     : "Tell your neighbour how you came to your answer. At which step do you "
                       "begin to differ?");
}

void session_slip_free(struct session_slip *s) {
    char *const all[] = {s->title, s->mistake, s->explain, s->arithmetic, s->wrong, s->question};
    for (size_t i = 0; i < BASE_COUNT(all); i++) free(all[i]);
    for (size_t i = 0; i < s->typed; i++) free(s->answer[i]);
    json_decref(s->figure);
    *s = (struct session_slip){0};
}
