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
    case LEARNER_ASKED: snprintf(out, size, "placement, at problem %d", p->step_number); break;
    case LEARNER_BEGUN:
        if (p->under_way && p->step_number)
            snprintf(out, size, "at %s %d", kind == LESSON_ORDINARY ? "step" : "problem",
                     p->step_number);
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
    int end = page_printf(p, 0, 0, PAGE_TITLE, t->words ? "Phase %d: %s" : "%d  %s", phase + 1,
                          c->phase_title[phase]);
    if (gate < c->lessons)
        page_printf(p, 0, end, PAGE_DIM, t->words ? ", opens with %s" : "  opens with %s",
                    c->lesson[gate].id);
}

/* "1.1  Memory runs out …, 7 min", and how the learner stands with it: on that line if it fits,
 * else on a line that is whole, too. */
static void put_lesson(struct talk *t, struct page *p, size_t i,
                       const struct learner_progress *progress) {
    const struct lesson_entry *l = &session_learner_course(t->learner)->lesson[i];
    char stands[48];
    state(l->kind, progress, stands, sizeof stands);
    char *title = base_format("%s, %d min", l->title, l->minutes),
         *both = base_format(*stands ? "%s; %s" : "%s", title, stands);
    struct page_flow f = {.indent = 8};
    int row = page_height(p);
    bool fits = f.indent + page_measure(p, both) <= page_width(p);
    page_text(p, f, fits ? both : title);
    page_put(p, row, 3, PAGE_PLAIN, 0, l->id);
    if (!fits) page_text(p, f, stands);
    free(both);
    free(title);
}

static void print_phase(struct talk *t, int phase) {
    const struct lesson_course *c = session_learner_course(t->learner);
    struct page *p = linear_print_begin(t);
    print_title(t, p, phase);
    int head = page_height(p);
    for (size_t i = 0; i < c->lessons; i++) {
        struct learner_progress progress = session_learner_progress(t->learner, i);
        if (c->lesson[i].phase == phase && progress.exists) put_lesson(t, p, i, &progress);
    }
    if (page_height(p) == head) {
        page_free(p);
        return;
    }
    page_blank(p, 1);
    linear_print_page(t, p);
}

/* What an empty line takes: first what is due, once, and then the next lesson. */
static const char *next_id(struct talk *t) {
    if (!t->reviewed && session_learner_due(t->learner).count > 0) return LEARNER_REVIEW;
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
    bool review = next && strcmp(next, LEARNER_REVIEW) == 0;
    char *text =
        review ? base_format("Which lesson? Press Enter for the review of today, or type an id, "
                             "`help`, `map`, `labs` or `:quit`.%s",
                             onwards)
        : next
            ? base_format("Which lesson? Press Enter for %s, or type an id, `help`, `map`, `labs` "
                          "or `:quit`.%s",
                          next, onwards)
            : base_format("You have finished the course. Which lesson again? Type `:quit` to "
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

static void print_where(struct talk *t) {
    linear_print_markdown(t, PAGE_PLAIN, "You are at the list of lessons.");
}

static void set_words(struct talk *t) {
    linear_set_words(t, true);
}

static void set_drawings(struct talk *t) {
    linear_set_words(t, false);
}

static void print_help(struct talk *t) {
    static const char *const lines[] = {
        "Enter",
        "asks what is due, and then opens the next lesson",
        "1.3",
        "opens a lesson by its id",
        LEARNER_REVIEW,
        "asks the questions that are due",
        "suspended",
        "lists the questions that reviews leave out",
        PROGRESS,
        "shows what you can do, your mistakes and your time",
        CERTIFICATE,
        "shows your certificate, and what it still needs",
        "map",
        "lists the ideas of the course and how well you know each",
        "labs",
        "lists experiments that run on this machine",
        "job",
        "shows your own training; job 7B, 8 x A100 keeps one",
        LEARNER_CASE,
        "asks about the complaint of the week",
        LEARNER_MYTHS,
        "asks for true or false",
        LEARNER_INTERVIEW,
        "asks you to explain aloud",
        LINEAR_SPEED,
        "asks for estimates against the clock",
        ":glossary",
        "lists the terms; :glossary shard explains one",
        ":search",
        ":search all-gather finds steps, terms, questions and notes",
        ":questions",
        "lists questions people ask; :questions 4 answers one",
        ":notes",
        "lists your bookmarks and notes",
        ":drawings off",
        "leaves out drawings and keeps their sentences",
        ":drawings on",
        "draws figures, with sentences below",
        ":repeat",
        "lists the lessons again",
        ":quit",
        "leaves",
    };
    struct page *p = linear_print_begin(t);
    page_table(p, (struct page_flow){.indent = 2}, lines, BASE_COUNT(lines) / 2, 2, "ll", false);
    page_blank(p, 1);
    linear_print_page(t, p);
    print_question(t);
}

/* The pages that one types a word for, with or without a colon. */
static const struct {
    const char *word;
    void (*print)(struct talk *t);
} pages[] = {
    {PROGRESS, linear_print_progress},
    {CERTIFICATE, linear_print_certificate},
    {"map", print_map},
    {"where", print_where},
    {"labs", linear_print_labs},
    {"l", linear_print_labs},
    {"drawings off", set_words},
    {"drawings on", set_drawings},
};

static bool print_page(struct talk *t, const char *line) {
    for (size_t i = 0; i < BASE_COUNT(pages); i++) {
        if (!linear_is_word(line, pages[i].word)) continue;
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
    char *lab = id ? linear_lab_meant(id) : NULL;
    if (lab) return lab;
    if (id && strcmp(id, LEARNER_PLACE) == 0) return base_dup(id);
    if (id && strcmp(id, LEARNER_REVIEW) == 0 && session_learner_due(t->learner).count > 0) {
        t->reviewed = true;
        return base_dup(id);
    }
    if (id && strncmp(id, LEARNER_REVIEW_OF, strlen(LEARNER_REVIEW_OF)) == 0) return base_dup(id);
    if (id && lesson_course_extra(c, id)) return base_dup(id);
    if (id && session_is_drill_word(id) && session_learner_drills(t->learner)) return base_dup(id);
    if (id && strcmp(id, LINEAR_SPEED) == 0) return base_dup(id);
    if (id && linear_home_takes(t, id)) return NULL;
    if (id && strcmp(id, LEARNER_CASE) == 0 && linear_home_has_case(t)) return base_dup(id);
    if (id && strcmp(id, LEARNER_FEEDBACK) == 0) return base_dup(id);
    if (id && strcmp(id, LEARNER_REVIEW) == 0) {
        linear_print_markdown(t, PAGE_PLAIN, "Nothing is due for a review today.");
        return NULL;
    }
    size_t i = id ? session_learner_find(t->learner, id) : c->lessons;
    if (i == c->lessons || !session_learner_progress(t->learner, i).exists) {
        linear_print_markdown(t, PAGE_BAD, "Unknown lesson. Type an id, such as `1.1`, or `help`.");
        return NULL;
    }
    return is_held(t, i, held) ? NULL : base_dup(c->lesson[i].id);
}

/* What it is about, to whoever begins. */
static void print_welcome(struct talk *t) {
    const struct lesson_welcome *w = &session_learner_course(t->learner)->welcome;
    if (!w->text || !session_learner_is_new(t->learner)) return;
    if (!t->words)
        linear_print_markdown(
            t, PAGE_DIM,
            "For screen readers, `:drawings off` leaves out drawings and keeps the sentences.");
    linear_print_markdown(t, PAGE_PLAIN, w->text);
    if (w->figure) linear_print_figure(t, NULL, w->figure);
}

static void print_list(struct talk *t) {
    const struct lesson_course *c = session_learner_course(t->learner);
    for (size_t i = 0; i < c->phases; i++) print_phase(t, (int)i);
    print_placement(t);
    linear_home_print(t);
    print_more(t);
}

static void list_again(struct talk *t) {
    print_list(t);
    print_question(t);
}

char *linear_ask_lesson(struct talk *t, bool *ended) {
    size_t held = session_learner_course(t->learner)->lessons;
    t->asks_lesson = true;
    t->prompt = (struct linear_prompt){"lesson", print_help, list_again};
    for (;;) {
        print_question(t);
        char *line = linear_read_line(t);
        *ended = !line;
        if (!line || linear_is_word(line, "quit")) {
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

char *linear_choose_lesson(struct talk *t, bool *ended) {
    print_welcome(t);
    print_list(t);
    return linear_ask_lesson(t, ended);
}
