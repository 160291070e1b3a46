/* course: the course as a list, and the question which lesson to take. */
#include "linear/inside.h"

#include <stdlib.h>
#include <string.h>

/* what one types for them */
#define PROGRESS    "progress"
#define CERTIFICATE "certificate"

static const char *state(enum lesson_kind kind, const struct learner_progress *p, char *out,
                         size_t size) {
    *out = '\0';
    switch (p->standing) {
    case LEARNER_UNTOUCHED: break;
    case LEARNER_BEGUN:
        if (p->under_way && p->step_number)
            snprintf(out, size, "at step %d", p->step_number);
        else
            snprintf(out, size, "begun");
        break;
    case LEARNER_SKIPPED: snprintf(out, size, "%zu skipped", p->skipped); break;
    case LEARNER_FAILED: snprintf(out, size, "%zu of %zu right", p->right, p->graded); break;
    case LEARNER_DONE:
        if (kind == LESSON_CHECK)
            snprintf(out, size, "passed");
        else
            snprintf(out, size, "done, %zu of %zu right at the first try", p->right_first,
                     p->graded);
        break;
    }
    return out;
}

/* "opens with 1c", where it is not open yet. */
static void print_title(struct talk *t, struct page *p, int phase) {
    const struct lesson_course *c = session_learner_course(t->learner);
    size_t gate = session_learner_gate(t->learner, (size_t)phase);
    int end = page_printf(p, 0, 0, PAGE_TITLE, "%d  %s", phase + 1, c->phase_title[phase]);
    if (gate < c->lessons)
        page_printf(p, 0, end + 2, PAGE_DIM, "opens with %s", c->lesson[gate].id);
}

static void print_phase(struct talk *t, int phase) {
    const struct lesson_course *c = session_learner_course(t->learner);
    const char *cell[BASE_COUNT(c->lesson) * 4];
    char done[BASE_COUNT(c->lesson)][48], minutes[BASE_COUNT(c->lesson)][16];
    size_t n = 0;
    for (size_t i = 0; i < c->lessons; i++) {
        struct learner_progress progress = session_learner_progress(t->learner, i);
        if (c->lesson[i].phase != phase || !progress.exists) continue;
        snprintf(minutes[n], sizeof minutes[n], "%d min", c->lesson[i].minutes);
        cell[n * 4] = c->lesson[i].id;
        cell[n * 4 + 1] = c->lesson[i].title;
        cell[n * 4 + 2] = minutes[n];
        cell[n * 4 + 3] = state(c->lesson[i].kind, &progress, done[n], sizeof done[n]);
        n++;
    }
    if (n == 0) return;
    struct page *p = linear_print_begin(t);
    print_title(t, p, phase);
    page_table(p, (struct page_flow){.indent = 3}, cell, n, 4, "llrl", false);
    page_blank(p, 1);
    linear_print_page(t, p);
}

/* What an empty line takes. */
static const char *next_id(struct talk *t) {
    size_t i = session_learner_next(t->learner);
    return i < session_learner_course(t->learner)->lessons
               ? session_learner_course(t->learner)->lesson[i].id
               : NULL;
}

static void print_question(struct talk *t) {
    const char *next = next_id(t);
    const char *onwards = session_learner_onwards(t->learner) ? " Type `" LEARNER_ONWARDS
                                                                "` to see what to learn next."
                                                              : "";
    char *text =
        next ? base_format("Which lesson? Press Enter for %s, or type `map` or `:quit`.%s", next,
                           onwards)
             : base_format("You have finished every lesson. Which one again? Type `:quit` to "
                           "leave.%s",
                           onwards);
    linear_print_markdown(t, PAGE_PLAIN, text);
    free(text);
}

/* Whoever has answered nothing but checks may know a part of the course. */
static void print_placement(struct talk *t) {
    size_t check;
    enum learner_placement p = session_learner_placement(t->learner, &check);
    if (p == LEARNER_UNPLACED)
        linear_print_markdown(t, PAGE_PLAIN,
                              "Already know some of this? Type `" LEARNER_PLACE
                              "`: a few problems find where to start.");
    if (p == LEARNER_PLACING)
        linear_print_markdown(t, PAGE_PLAIN,
                              "Type `" LEARNER_PLACE "` to continue finding where to start.");
}

static void print_map(struct talk *t) {
    struct base_message m = {0};
    struct page *p = linear_print_begin(t);
    bool drawn = linear_map_draw(t->learner, p, &m);
    page_blank(p, 1);
    linear_print_page(t, p);
    if (!drawn) linear_complain(t, &m);
}

/* The pages that one types a word for, with or without a colon. */
static const struct {
    const char *word;
    void (*print)(struct talk *t);
} pages[] = {
    {PROGRESS, linear_print_progress}, {CERTIFICATE, linear_print_certificate}, {"map", print_map}};

static bool print_page(struct talk *t, const char *line) {
    for (size_t i = 0; i < BASE_COUNT(pages); i++) {
        if (strcmp(line + (*line == ':'), pages[i].word) != 0) continue;
        pages[i].print(t);
        return true;
    }
    return false;
}

/* What else there is, once there is something to show. */
static void print_more(struct talk *t) {
    if (session_learner_is_new(t->learner)) return;
    linear_print_markdown(t, PAGE_PLAIN,
                          "Type `" PROGRESS "` to see what you can do, or `" CERTIFICATE
                          "` for your certificate.");
}

/* A lesson of a phase that is not open yet is opened when it is asked for again, or was begun
 * before. */
static bool is_held(struct talk *t, size_t i, size_t *held) {
    const struct lesson_course *c = session_learner_course(t->learner);
    const struct lesson_entry *l = &c->lesson[i];
    size_t gate = session_learner_gate(t->learner, (size_t)l->phase);
    if (gate == c->lessons || *held == i || session_learner_progress(t->learner, i).opened)
        return false;
    *held = i;
    char *text = base_format("Phase %d opens with the check of phase %d: six problems, about %d "
                             "minutes. Type `%s` to take it, or `%s` again to open that all the "
                             "same.",
                             l->phase + 1, c->lesson[gate].phase + 1, c->lesson[gate].minutes,
                             c->lesson[gate].id, l->id);
    linear_print_markdown(t, PAGE_PLAIN, text);
    free(text);
    return true;
}

/* What a line asks for, the caller's; NULL if there is no such thing, or it is held, both of which
 * was said. */
static char *take_line(struct talk *t, const char *line, size_t *held) {
    const struct lesson_course *c = session_learner_course(t->learner);
    const char *id = *line ? line : next_id(t);
    if (id && strcmp(id, LEARNER_PLACE) == 0) return base_dup(id);
    if (id && strcmp(id, LEARNER_REVIEW) == 0 && session_learner_due(t->learner).count > 0)
        return base_dup(id);
    if (id && lesson_course_extra(c, id)) return base_dup(id);
    if (id && session_is_drill_word(id) && session_learner_drills(t->learner)) return base_dup(id);
    if (id && linear_home_takes(t, id)) return NULL;
    if (id && strcmp(id, LEARNER_CASE) == 0 && linear_home_has_case(t)) return base_dup(id);
    if (id && strcmp(id, LEARNER_FEEDBACK) == 0) return base_dup(id);
    size_t i = id ? session_learner_find(t->learner, id) : c->lessons;
    if (i == c->lessons || !session_learner_progress(t->learner, i).exists) {
        linear_print_markdown(t, PAGE_BAD, "Unknown lesson. Type an id, such as `1.1`.");
        return NULL;
    }
    return is_held(t, i, held) ? NULL : base_dup(c->lesson[i].id);
}

/* What it is about, to whoever begins. */
static void print_welcome(struct talk *t) {
    const struct lesson_welcome *w = &session_learner_course(t->learner)->welcome;
    if (!w->text || !session_learner_is_new(t->learner)) return;
    linear_print_markdown(t, PAGE_PLAIN, w->text);
    if (w->figure) linear_print_figure(t, NULL, w->figure);
}

char *linear_choose_lesson(struct talk *t, bool *ended) {
    const struct lesson_course *c = session_learner_course(t->learner);
    size_t held = c->lessons;
    t->asks_lesson = true;
    print_welcome(t);
    for (size_t i = 0; i < c->phases; i++) print_phase(t, (int)i);
    print_placement(t);
    linear_home_print(t);
    print_more(t);
    for (;;) {
        print_question(t);
        char *line = linear_read_line(t);
        *ended = !line;
        if (!line || strcmp(line + (*line == ':'), "quit") == 0) {
            free(line);
            return NULL;
        }
        if (print_page(t, line)) {
            free(line);
            continue;
        }
        char *id = NULL;
        if (linear_look_up(t, line, NULL)) {
            id = t->onwards;
            t->onwards = NULL;
        } else
            id = take_line(t, line, &held);
        free(line);
        if (id) return id;
    }
}
