/* speed: the speed challenge in lines. The clock runs while an answer is awaited; nothing
 * interrupts whoever types, and what comes after the time is over does not count. */
#include "linear/inside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECOND = 1000, MINUTE = 60 * SECOND };
#define REPORT ":report"

static void say(struct talk *t, unsigned role, char *text) {
    linear_print_markdown(t, role, text);
    free(text);
}

static long long seconds(int64_t ms) {
    return (long long)((ms + SECOND / 2) / SECOND);
}

/* ── a question ────────────────────────────────────────────────────────────────────────────────*/
static void say_question(struct talk *t, const struct lesson_speed *r) {
    const struct lesson_speed_question *q = lesson_speed_asked(r);
    struct page *p = linear_print_begin(t);
    page_markdown(p, (struct page_flow){0}, lesson_speed_over(r) ? q->ask : q->brief);
    for (int i = 0; lesson_speed_options(r)->choose && i < LESSON_SPEED_OPTIONS; i++) {
        char *option = base_format("%d. %s", i + 1, q->option[i]);
        page_text(p, (struct page_flow){.indent = 2}, option);
        free(option);
    }
    linear_print_page(t, p);
}

static void say_help(struct talk *t) {
    say(t, PAGE_DIM,
        base_dup("Type an estimate, as a number or as a sum such as `2*13/8`, in the unit of the "
                 "prompt. Press Enter to skip the question. `:pause` stops the clock, and `:quit` "
                 "ends the round. `:report` and your words report what is wrong with the question, "
                 "to a file. `:repeat` repeats the question."));
}

static void say_again(struct talk *t) {
    say_question(t, session_speed_round(t->speed));
}

/* False if the round is not to go on. */
static bool pause_clock(struct talk *t, struct lesson_speed *r) {
    lesson_speed_hold(r, base_ticks());
    t->prompt = (struct linear_prompt){"paused; Enter continues", say_help, say_again};
    char *line = linear_read_line(t);
    bool goes_on = line && !linear_is_word(line, "quit");
    free(line);
    if (!goes_on) return false;
    say_question(t, r);
    lesson_speed_run(r, base_ticks());
    return true;
}

/* An answer, the caller's, or "" if the question is skipped. NULL where nothing more comes, with
 * `ended` if the input did. */
static char *read_answer(struct talk *t, struct lesson_speed *r, bool *ended) {
    char awaits[80];
    const struct lesson_speed_question *q = lesson_speed_asked(r);
    if (lesson_speed_options(r)->choose)
        snprintf(awaits, sizeof awaits, "choice, 1 to %d", LESSON_SPEED_OPTIONS);
    else
        snprintf(awaits, sizeof awaits, "answer, in %s", account_unit_name(q->unit));
    for (;;) {
        t->prompt = (struct linear_prompt){awaits, say_help, say_again};
        char *line = ferror(t->out) ? NULL : linear_read_line(t);
        *ended = !line;
        bool quits = line && linear_is_word(line, "quit"), word = line && *line == ':';
        if (line && !word && !quits) return line;
        if (line && !quits && strcmp(line, ":pause") == 0 && lesson_speed_runs(r))
            quits = !pause_clock(t, r);
        else if (line && strncmp(line, REPORT, strlen(REPORT)) == 0)
            linear_report(t, line + strlen(REPORT));
        else if (line && !quits)
            say_help(t);
        free(line);
        if (*ended || quits) return NULL;
    }
}

/* Asks until something was answered or skipped. False where nothing more comes. */
static bool ask(struct talk *t, struct lesson_speed *r, enum lesson_speed_came *came, bool *ended) {
    do {
        char *line = read_answer(t, r, ended);
        if (!line) return false;
        bool empty = line[strspn(line, " \t")] == '\0';
        *came = lesson_speed_answer(r, empty ? NULL : line, base_ticks());
        free(line);
        if (*came == LESSON_SPEED_UNREAD)
            say(t, PAGE_DIM,
                base_format("That does not count as an answer: %s.", lesson_speed_unread(r)));
    } while (*came == LESSON_SPEED_UNREAD);
    return true;
}

/* ── a round ───────────────────────────────────────────────────────────────────────────────────*/
static void say_result(struct talk *t, const struct lesson_speed *r) {
    size_t last = lesson_speed_tally(r, LESSON_SPEED_ALL).asked - 1;
    const struct lesson_speed_result *one = lesson_speed_result(r, last);
    int64_t left = lesson_speed_left(r, 0);
    struct base_text text = {0};
    base_text_printf(&text, "%s **%s**%s. It took %lld s",
                     one->right    ? "Right:"
                     : *one->typed ? "No, it is"
                                   : "Skipped. It is",
                     one->truth, one->right ? "" : ", and it comes back at the end",
                     seconds(one->ms));
    if (left >= 0) base_text_printf(&text, ", and %lld s are left", seconds(left));
    base_text_puts(&text, ".");
    if (*one->remark) base_text_printf(&text, " A mistake gives your number: %s.", one->remark);
    say(t, one->right ? PAGE_GOOD : PAGE_PLAIN, base_text_take(&text));
}

/* False where the input ended. */
static bool take_round(struct talk *t, struct lesson_speed *r, struct base_message *m) {
    bool ended = false;
    enum lesson_speed_came came = LESSON_SPEED_WRONG;
    while (came != LESSON_SPEED_LATE && lesson_speed_next(r, m)) {
        say_question(t, r);
        lesson_speed_run(r, base_ticks());
        if (!ask(t, r, &came, &ended)) break;
        if (came == LESSON_SPEED_LATE)
            say(t, PAGE_PLAIN, base_dup("The time was over before this answer."));
        else
            say_result(t, r);
    }
    lesson_speed_end(r, base_ticks());
    return !ended;
}

static void say_best(struct base_text *text, const struct session_speed_past *past, size_t right) {
    if (past->rounds == 0)
        base_text_puts(text, " This was your first round of this kind.");
    else if (right > past->best)
        base_text_printf(text, " That is your best: before it was %zu.", past->best);
    else if (past->best > 0)
        base_text_printf(text, " Your best before was %zu.", past->best);
}

static void say_score(struct talk *t, const struct lesson_speed *r,
                      const struct session_speed_past *past) {
    struct lesson_speed_tally all = lesson_speed_tally(r, LESSON_SPEED_ALL);
    enum lesson_speed_subject slowest = lesson_speed_slowest(r);
    struct base_text text = {0};
    const char *before = "\n\n";
    base_text_printf(&text, "**%zu right** of %zu, in %lld s.", all.right, all.asked,
                     seconds(lesson_speed_spent(r, 0)));
    say_best(&text, past, all.right);
    for (unsigned i = LESSON_SPEED_ALL + 1; i < LESSON_SPEED_SUBJECTS; i++) {
        enum lesson_speed_subject subject = (enum lesson_speed_subject)i;
        struct lesson_speed_tally of = lesson_speed_tally(r, subject);
        if (of.asked == 0) continue;
        base_text_printf(&text, "%s- %s: %zu of %zu, %lld s each%s", before,
                         lesson_speed_subject_title(subject), of.right, of.asked,
                         seconds(of.ms / (int64_t)of.asked),
                         subject == slowest ? ", the slowest" : "");
        before = "\n";
    }
    if (slowest != LESSON_SPEED_ALL)
        base_text_printf(&text, "\n\n%s", lesson_speed_subject_advice(slowest));
    say(t, PAGE_PLAIN, base_text_take(&text));
}

/* ── what was missed ───────────────────────────────────────────────────────────────────────────*/
static bool take_missed(struct talk *t, struct lesson_speed *r) {
    size_t missed = lesson_speed_missed(r);
    enum lesson_speed_came came;
    bool ended = false;
    if (missed > 0)
        say(t, PAGE_DIM,
            base_format("%zu missed question%s now, without a clock. `:quit` leaves.", missed,
                        missed == 1 ? " comes back" : "s come back"));
    while (lesson_speed_again(r)) {
        say_question(t, r);
        if (!ask(t, r, &came, &ended)) return !ended;
        say(t, PAGE_PLAIN, lesson_speed_solution(r));
    }
    return true;
}

static void greet(struct talk *t, const struct lesson_speed_options *o) {
    char *clock = o->ms ? base_format("%lld seconds", seconds(o->ms))
                        : base_format("%d questions without a clock", LESSON_SPEED_UNTIMED);
    say(t, PAGE_TITLE,
        base_format("Speed challenge: %s, %s", lesson_speed_subject_title(o->subject), clock));
    free(clock);
    say(t, PAGE_DIM,
        base_format("%s %s`:help` lists commands.",
                    o->choose
                        ? "Type the number of the right amount. Press Enter to skip a question."
                        : "Type an estimate. It counts if it is within 10%. Press Enter to "
                          "skip a question.",
                    o->ms ? "The clock runs until you answer. " : ""));
}

/* Of the class, if there is one. */
static void say_table(struct talk *t, const struct lesson_speed_options *o) {
    enum { ROWS = 20 };
    char *table = session_speed_table(t->learner, o, ROWS);
    if (table) say(t, PAGE_PLAIN, table);
}

static int run(struct talk *t, const struct lesson_speed_options *o) {
    struct base_message m = {0};
    struct session_speed_past past = session_speed_past(t->learner, o);
    struct session_speed *s = session_speed_open(t->learner, o, &m);
    if (!s) return linear_not_opened(&m);
    struct lesson_speed *r = session_speed_round(s);
    t->speed = s;
    greet(t, o);
    say_table(t, o);
    bool whole = take_round(t, r, &m), asked = lesson_speed_result(r, 0) != NULL;
    bool kept = session_speed_keep(s, *m.what ? NULL : &m);
    if (asked && *m.what) linear_complain(t, &m);
    if (asked) say_score(t, r, &past);
    if (whole) whole = take_missed(t, r);
    session_speed_close(s);
    if (!asked && *m.what) return linear_not_opened(&m);
    return whole && kept ? FINISHED : CUT_SHORT;
}

int linear_take_speed(struct talk *t) {
    int status = run(t, &(struct lesson_speed_options){.ms = MINUTE, .subject = LESSON_SPEED_ALL});
    t->speed = NULL;
    t->leads = true;
    return status;
}

int linear_speed(const struct linear_options *o, const struct lesson_speed_options *round, FILE *in,
                 FILE *out) {
    struct talk t = {.options = o, .in = in, .out = out, .echo = !isatty(fileno(in))};
    struct base_message m = {0};
    t.learner = session_learner_open(o->store, &m);
    if (!t.learner) return linear_not_opened(&m);
    linear_talk_look(&t);
    int status = run(&t, round);
    session_learner_close(t.learner);
    return status;
}
