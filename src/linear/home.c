/* home: today in minutes, where a lesson was left, the learner's job, the case of the week, the
 * suspended items, and the list of labs. */
#include "linear/inside.h"

#include <stdlib.h>
#include <string.h>

#define JOB       "job"
#define SUSPENDED "suspended"

/* Prints a paragraph and lets it go. */
static void say(struct talk *t, unsigned role, char *text) {
    linear_print_markdown(t, role, text);
    free(text);
}

/* ── today ─────────────────────────────────────────────────────────────────────────────────────*/
static char *review_words(const struct learner_due *due) {
    return base_format("- %d min: %zu due for review%s; type `" LEARNER_REVIEW "`\n", due->minutes,
                       due->count, due->job ? ", one on your job" : "");
}

static char *lesson_words(struct talk *t, size_t next, int minutes) {
    const struct lesson_entry *l = &session_learner_course(t->learner)->lesson[next];
    struct learner_stretch s = session_learner_stretch(t->learner, next);
    if (s.from == 0) return base_format("- %d min: %s, %s\n", minutes, l->id, l->title);
    if (s.from == s.to)
        return base_format("- %d min: %s, %s, step %d of %d\n", minutes, l->id, l->title, s.from,
                           s.steps);
    return base_format("- %d min: %s, %s, steps %d to %d of %d\n", minutes, l->id, l->title, s.from,
                       s.to, s.steps);
}

/* After the course: what is left of it, and until when nothing more comes. */
static void print_done(struct talk *t, const struct learner_due *due) {
    char *day = due->next > 0 ? session_day_name(due->next) : base_dup("you ask for more");
    say(t, PAGE_PLAIN,
        due->count > 0
            ? base_format("After that, nothing until %s. You have finished the course.", day)
            : base_format("Nothing today, and nothing until %s. You have finished the course.",
                          day));
    free(day);
    json_t *milestones = session_learner_milestones(t->learner);
    struct page *p = linear_print_begin(t);
    if (t->words)
        page_milestones_words(p, (struct page_flow){0}, milestones);
    else
        page_milestones(p, (struct page_flow){0}, milestones, 0);
    page_blank(p, 1);
    linear_print_page(t, p);
    json_decref(milestones);
}

/* What is due and the next stretch; after the course, what is left of it. */
static void print_today(struct talk *t) {
    struct learner_due due = session_learner_due(t->learner);
    size_t next = session_learner_next(t->learner);
    bool more = next < session_learner_course(t->learner)->lessons;
    int minutes = more ? session_learner_stretch(t->learner, next).minutes : 0;
    int all = minutes + (due.count > 0 ? due.minutes : 0);
    struct base_text text = {0};
    base_text_printf(&text, "Today, about %d minute%s:\n\n", all, all == 1 ? "" : "s");
    char *review = due.count > 0 ? review_words(&due) : NULL;
    char *lesson = more ? lesson_words(t, next, minutes) : NULL;
    base_text_puts(&text, review ? review : "");
    base_text_puts(&text, lesson ? lesson : "");
    if (all > 0) linear_print_markdown(t, PAGE_PLAIN, text.s);
    if (!more) print_done(t, &due);
    free(lesson);
    free(review);
    base_text_free(&text);
}

static void print_left(struct talk *t) {
    struct learner_left left = session_learner_left(t->learner, session_learner_next(t->learner));
    if (left.title)
        say(t, PAGE_PLAIN,
            base_format("Where you were: **%s** was next.%s%s", left.title,
                        left.said ? " Before it: " : "", left.said ? left.said : ""));
    session_learner_left_free(&left);
}

/* ── the job ───────────────────────────────────────────────────────────────────────────────────*/
static void print_job(struct talk *t) {
    struct learner_job job;
    if (!session_learner_job(t->learner, &job)) {
        linear_print_markdown(t, PAGE_PLAIN,
                              "Type `job` and a model, GPUs and a card to keep your own job, as in "
                              "`job Llama 3.1 8B, 4 x RTX 4090`.");
        return;
    }
    char *words = session_job_words(&job);
    say(t, PAGE_PLAIN, base_format("My job: **%s**, %s. %s", job.name, job.step, words));
    free(words);
}

static void take_job(struct talk *t, const char *text) {
    struct base_message m = {0};
    if (*text && !session_learner_set_job(t->learner, text, &m))
        linear_complain(t, &m);
    else
        print_job(t);
}

/* ── the case of the week ──────────────────────────────────────────────────────────────────────*/
bool linear_home_has_case(struct talk *t) {
    struct learner_case week;
    return session_learner_case(t->learner, &week);
}

static void print_case(struct talk *t) {
    struct learner_case week;
    if (!session_learner_case(t->learner, &week)) return;
    say(t, PAGE_PLAIN,
        base_format("Case of the week: “%s%s” %s `" LEARNER_CASE "`.", week.title,
                    lesson_stop_after(week.title),
                    week.answered ? "You answered it. To read it again, type"
                                  : "To settle it, type"));
}

/* ── the class ─────────────────────────────────────────────────────────────────────────────────*/
static void print_class_hours(struct talk *t) {
    char *hours = session_class_hours(t->learner);
    if (hours) say(t, PAGE_PLAIN, base_format("Your class: %s", hours));
    free(hours);
}

static void print_feedback(struct talk *t) {
    char *line = session_feedback_line();
    if (line)
        say(t, PAGE_PLAIN,
            base_format("Feedback from %s. Type `" LEARNER_FEEDBACK "` to read it.", line));
    free(line);
}

/* ── drills ────────────────────────────────────────────────────────────────────────────────────*/
static void print_drills(struct talk *t) {
    if (session_learner_drills(t->learner))
        linear_print_markdown(t, PAGE_PLAIN,
                              "Drills: type `" LEARNER_MYTHS "` for true or false, or "
                              "`" LEARNER_INTERVIEW "` to explain aloud.");
}

/* ── what was suspended ────────────────────────────────────────────────────────────────────────*/
static void add_item(void *to, const char *item, const char *title) {
    base_text_printf(to, "- `%s`: %s\n", item, title);
}

static void list_suspended(struct talk *t) {
    struct base_text text = {0};
    base_text_puts(&text, "No review asks these. Type `" SUSPENDED
                          "` and one of them to take it back.\n\n");
    if (session_learner_suspended(t->learner, add_item, &text) > 0)
        linear_print_markdown(t, PAGE_PLAIN, text.s);
    else
        linear_print_markdown(t, PAGE_PLAIN, "Nothing is suspended.");
    base_text_free(&text);
}

static void take_back(struct talk *t, const char *item) {
    struct base_message m = {0};
    if (session_learner_unsuspend(t->learner, item, &m))
        say(t, PAGE_PLAIN, base_format("Reviews ask `%s` again when it is due.", item));
    else
        linear_complain(t, &m);
}

static void print_suspended(struct talk *t) {
    size_t n = session_learner_suspended(t->learner, NULL, NULL);
    if (n > 0) say(t, PAGE_DIM, base_format("%zu suspended: type `" SUSPENDED "` for a list.", n));
}

/* ── labs ──────────────────────────────────────────────────────────────────────────────────────*/
/* The question of the lesson that lab `i` is the first of, and its labs; where the next lesson's
 * begin. */
static size_t add_lesson(struct base_text *t, size_t i) {
    const char *lesson = experiment_lab_at(i)->lesson;
    base_text_printf(t, "%s **%s**\n\n", lesson, experiment_lesson_asks(lesson));
    for (; i < experiment_labs() && !strcmp(experiment_lab_at(i)->lesson, lesson); i++) {
        const struct experiment_lab *lab = experiment_lab_at(i);
        base_text_printf(t, "- `%s`: %s, %u min\n", lab->name, lab->title, lab->minutes);
    }
    base_text_puts(t, "\n");
    return i;
}

void linear_print_labs(struct talk *t) {
    struct base_text text = {0};
    for (size_t i = 0; i < experiment_labs();) i = add_lesson(&text, i);
    base_text_printf(&text,
                     "Type a lab's name, such as `%s`, to open it: it asks for your guess, and "
                     "runs.",
                     experiment_lab_at(0)->name);
    linear_print_markdown(t, PAGE_PLAIN, text.s);
    base_text_free(&text);
}

/* ── all of it ─────────────────────────────────────────────────────────────────────────────────*/
void linear_home_print(struct talk *t) {
    print_class_hours(t);
    if (session_learner_is_new(t->learner)) return;
    print_today(t);
    print_feedback(t);
    print_left(t);
    print_job(t);
    print_case(t);
    print_drills(t);
    print_suspended(t);
}

/* What follows a word at the beginning of a line; NULL if the line begins with another. */
static const char *behind(const char *line, const char *word) {
    size_t n = strlen(word);
    if (strncmp(line, word, n) != 0 || (line[n] != ' ' && line[n] != '\0')) return NULL;
    return line + n + strspn(line + n, " ");
}

bool linear_home_takes(struct talk *t, const char *line) {
    const char *job = behind(line, JOB), *item = behind(line, SUSPENDED);
    if (job)
        take_job(t, job);
    else if (item && *item)
        take_back(t, item);
    else if (item)
        list_suspended(t);
    return job || item;
}

char *linear_lab_meant(const char *line) {
    const char *named = behind(line, LEARNER_LAB), *name = named ? named : line;
    return experiment_lab_find(name) ? base_format(LEARNER_LAB "/%s", name) : NULL;
}
