/* lab.c: a guess, of one of several and of an amount, an experiment, what it weighed next to the
 * guess, and a question answered from that. This file does not know what a lab is or how it is run:
 * the front end gets its name, and reports each run. */
#include "lesson/handler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GUESSING, GAUGING, RUNNING, ASKED_AFTER, DONE }; /* state.phase */
#define LINE_RUN    "run/"
#define LINE_AMOUNT "amount"
#define LINE_AFTER  "after"

static const char *lab(const struct lesson_dialogue *d) {
    return base_json_text(lesson_step_json(d), "lab", "");
}

/* ── what the journal remembers ────────────────────────────────────────────────────────────────*/
struct memory {
    char guess[32], amount[64];
    int guesses, amounts, goes, afters;
    /* of the latest go, as it went */
    json_t *measured;
    /* outside of a lesson: a guess, and what was measured, hold for one go only */
    bool once;
};

static int later(int a, int b) {
    return a > b ? a : b;
}
static void remember(void *to, const struct lesson_answer *a) {
    struct memory *m = to;
    if (strcmp(a->verdict, VERDICT_UNREADABLE) == 0) return;
    if (strncmp(a->line, LINE_RUN, strlen(LINE_RUN)) == 0) {
        bool measured = json_is_object(a->problem);
        if (a->try > m->goes) json_array_clear(m->measured);
        m->goes = later(a->try, m->goes);
        if (measured) json_array_append(m->measured, (json_t *)a->problem);
        if (measured && m->once) m->guess[0] = m->amount[0] = '\0';
    } else if (strcmp(a->line, LINE_AFTER) == 0) {
        m->afters = later(a->try, m->afters);
    } else if (strcmp(a->line, LINE_AMOUNT) == 0) {
        m->amounts = later(a->try, m->amounts);
        snprintf(m->amount, sizeof m->amount, "%s", a->typed);
    } else {
        m->guesses = a->try;
        snprintf(m->guess, sizeof m->guess, "%s", a->typed);
    }
}

static struct memory recall(struct lesson_dialogue *d) {
    struct memory m = {.measured = json_array(), .once = lesson_is_alone(d)};
    struct base_message why = {0};
    const char *item = d->lesson->step[d->at].item;
    if (!d->journal.answers(d->journal.self, item, remember, &m, &why))
        lesson_show_trouble(d, "Your earlier answers could not be read, so this starts again. ",
                            &why);
    return m;
}

/* ── the guess ─────────────────────────────────────────────────────────────────────────────────*/
static const json_t *choices(const struct lesson_dialogue *d) {
    return json_object_get(lesson_step_json(d), "choices");
}

static void pose_options(struct lesson_dialogue *d, const json_t *choice, const char *prompt) {
    size_t n = json_array_size(choice);
    lesson_ask_begin(d, LESSON_CHOICE, base_dup(prompt));
    const char **option = lesson_ask_options(d, n);
    for (size_t i = 0; i < n; i++)
        option[i] = lesson_ask_text(d, json_string_value(json_array_get(choice, i)));
    lesson_ask_pose(d);
}

static void pose_guess(struct lesson_dialogue *d, int try) {
    d->state.phase = GUESSING;
    lesson_attempt_plain(d, try);
    lesson_show(d, LESSON_ASKING, lesson_step_text(d, "ask"));
    pose_options(d, choices(d), "Which is your guess?");
}

/* What was guessed, and what it is. */
static const json_t *amount(const struct lesson_dialogue *d) {
    return json_object_get(lesson_step_json(d), "amount");
}

/* "3×"; and of a number that the engine knows "✓ close: 900 KB. It is 882.2 KB" or "✗ wrong:
 * 662 KB (the gradients were forgotten). It is 882.2 KB". The caller's. */
static char *say_estimate(const struct lesson_amount *a, const char *text, double value) {
    struct account_guess g;
    if (a->factor) return base_format("%g×", value);
    account_guess(&a->problem, text, &g);
    char *said = lesson_working_value(value, a->solution.unit),
         *is = lesson_working_value(a->solution.value, a->solution.unit),
         *whose = lesson_feedback_whose(&g), *words;
    if (strcmp(said, is) == 0)
        words = base_format("✓ right: %s", is);
    else if (g.is == ACCOUNT_GUESS_RIGHT || lesson_amount_close(a, value))
        words = base_format("✓ %s: %s. It is %s", g.is == ACCOUNT_GUESS_RIGHT ? "right" : "close",
                            said, is);
    else
        words = base_format("✗ wrong: %s%s%s%s. It is %s", said, *whose ? " (" : "", whose,
                            *whose ? ")" : "", is);
    free(whose);
    free(is);
    free(said);
    return words;
}

static void put_estimate(struct lesson_dialogue *d) {
    struct lesson_amount a;
    double value = NAN;
    if (!*d->state.amount || !lesson_amount_get(amount(d), &a)) return;
    char *bad = lesson_amount_misread(&a, d->state.amount, &value),
         *words = bad ? NULL : say_estimate(&a, d->state.amount, value);
    if (words) d->ask->estimate = lesson_ask_text(d, words);
    free(words);
    free(bad);
}

static void put_guess(struct lesson_dialogue *d) {
    put_estimate(d);
    size_t said, truth = (size_t)base_json_int(lesson_step_json(d), "answer", 1) - 1;
    if (!lesson_pick_one(d->state.guess, json_array_size(choices(d)), &said)) return;
    d->ask->truth = lesson_ask_text(d, json_string_value(json_array_get(choices(d), truth)));
    d->ask->guess = said == truth
                        ? d->ask->truth
                        : lesson_ask_text(d, json_string_value(json_array_get(choices(d), said)));
}

static void pose_run(struct lesson_dialogue *d) {
    d->state.phase = RUNNING;
    d->state.settled = false;
    lesson_ask_begin(d, LESSON_RUN, base_dup("Run the lab?"));
    d->ask->lab = lesson_ask_text(d, lab(d));
    put_guess(d);
    lesson_ask_pose(d);
}

/* ── the amount ────────────────────────────────────────────────────────────────────────────────*/
/* False if there is none to ask for. */
static bool pose_amount(struct lesson_dialogue *d) {
    struct lesson_amount a;
    if (!lesson_amount_get(amount(d), &a)) return false;
    enum account_unit unit = a.factor ? ACCOUNT_UNIT_NONE : a.solution.unit;
    d->state.phase = GAUGING;
    lesson_attempt_plain(d, d->state.amounts + 1);
    lesson_show(d, LESSON_ASKING, base_json_text(amount(d), "ask", ""));
    lesson_ask_begin(d, LESSON_NUMBER,
                     a.factor ? base_dup("your factor, such as 3 or 1.5")
                              : lesson_ask_prompt(d, "your estimate", unit));
    d->ask->unit = lesson_ask_text(d, a.factor ? "times" : lesson_ask_unit(d, unit));
    lesson_ask_pose(d);
    return true;
}

/* What was typed; a bare number with its unit, and of a sum what it makes. The caller's. */
static char *say_noted(const struct lesson_amount *a, const char *text, double value) {
    bool bare = text[strspn(text, "0123456789., ")] == '\0', sum = strpbrk(text, "+-*/^(");
    char *is = a->factor ? base_dup("") : lesson_working_value(value, a->solution.unit),
         *words = a->factor || !(bare || sum)
                      ? base_format("Noted: `%s`. Now run it, and see.", text)
                  : bare ? base_format("Noted: %s. Now run it, and see.", is)
                         : base_format("Noted: `%s`, which is %s. Now run it, and see.", text, is);
    free(is);
    return words;
}

static void gauge(struct lesson_dialogue *d, const char *text) {
    struct lesson_amount a;
    double value = NAN;
    char *bad = lesson_amount_get(amount(d), &a) ? lesson_amount_misread(&a, text, &value) : NULL;
    if (bad) {
        lesson_problem_unreadable(d, LINE_AMOUNT, text, bad);
        return;
    }
    if (!lesson_record_answer(d, (struct record){LINE_AMOUNT, text, VERDICT_NOTED, "", value}))
        return;
    snprintf(d->state.amount, sizeof d->state.amount, "%s", text);
    lesson_show_verdict(d, VERDICT_NOTED, say_noted(&a, text, value));
    pose_run(d);
}

/* ── one of several ────────────────────────────────────────────────────────────────────────────*/
static void guess(struct lesson_dialogue *d, const char *text) {
    size_t said, n = json_array_size(choices(d));
    char number[24];
    if (!lesson_pick_asked(d->ask, text, &said)) {
        lesson_problem_unreadable(
            d, "", text, base_format("That is not one of them. Type a number from 1 to %zu.", n));
        return;
    }
    /* The run may come in another session, which reads the record: the option's number. */
    snprintf(number, sizeof number, "%zu", said + 1);
    if (!lesson_record_answer(d,
                              (struct record){"", number, VERDICT_NOTED, "", (double)(said + 1)}))
        return;
    snprintf(d->state.guess, sizeof d->state.guess, "%s", number);
    const char *option = json_string_value(json_array_get(choices(d), said));
    lesson_show_verdict(d, VERDICT_NOTED,
                        base_format("Noted: %s%s%s", option, lesson_stop_after(option),
                                    amount(d) ? "" : " Now run it, and see."));
    if (!pose_amount(d)) pose_run(d);
}

/* ── after the run ─────────────────────────────────────────────────────────────────────────────*/
/* The caller's. */
static char *say_miss(const struct lesson_dialogue *d, size_t said, const char *is) {
    const char *yours = json_string_value(json_array_get(choices(d), said));
    size_t runs = json_array_size(d->state.measured);
    return base_format("✗ You said: %s%s That is wrong.\n\n✓ right%s: %s%s", yours,
                       lesson_stop_after(yours),
                       runs > 1   ? ", as the runs show"
                       : runs > 0 ? ", as the run shows"
                                  : "",
                       is, lesson_stop_after(is));
}

static void compare_choice(struct lesson_dialogue *d) {
    size_t said, n = json_array_size(choices(d));
    if (n == 0) return;
    size_t truth = (size_t)base_json_int(lesson_step_json(d), "answer", 1) - 1;
    const char *is = json_string_value(json_array_get(choices(d), truth));
    if (!lesson_pick_one(d->state.guess, n, &said))
        lesson_show_owned(d, LESSON_QUIET,
                          base_format("The right choice is: %s%s", is, lesson_stop_after(is)));
    else if (said == truth)
        lesson_show_owned(d, LESSON_GOOD,
                          base_format("You said: %s%s That is right.", is, lesson_stop_after(is)));
    else
        lesson_show_owned(d, LESSON_QUIET, say_miss(d, said, is));
}

/* An amount says nothing without its question: that of a step just entered, or left at its first
 * guess, is not on the page yet. */
static void show_comparison(struct lesson_dialogue *d) {
    bool right, unasked = d->state.phase == GUESSING;
    compare_choice(d);
    char *words = lesson_amount_judge(amount(d), d->state.amount, d->state.measured, &right);
    if (words && unasked) lesson_show(d, LESSON_PLAIN, base_json_text(amount(d), "ask", ""));
    if (words) lesson_show_owned(d, right ? LESSON_GOOD : LESSON_QUIET, words);
}

static bool has_run(const struct lesson_dialogue *d) {
    return json_array_size(d->state.measured) > 0;
}

static void finish(struct lesson_dialogue *d) {
    d->state.phase = DONE;
    lesson_ask_next(d);
    d->ask->lab = lesson_ask_text(d, lab(d));
    put_guess(d);
    d->ask->ran = has_run(d);
}

/* The step's question, with what was measured put where it says "measured". */
static json_t *question(const struct lesson_dialogue *d) {
    json_t *problem = json_deep_copy(json_object_get(lesson_step_json(d), "problem"));
    json_t *training = json_object_get(problem, "training");
    const json_t *facts = json_array_get(d->state.measured, 0);
    const char *name;
    json_t *value;
    void *next;
    json_object_foreach_safe(training, next, name, value) {
        if (!json_is_string(value) || strcmp(json_string_value(value), "measured") != 0) continue;
        json_t *fact = json_object_get(facts, name);
        if (fact == NULL) {
            json_decref(problem);
            return NULL;
        }
        json_object_set(training, name, fact);
    }
    return problem;
}

static bool read_question(struct lesson_dialogue *d) {
    struct attempt *a = &d->state.attempt;
    struct account_error e;
    json_decref(a->variant);
    a->variant = question(d);
    return a->variant != NULL && lesson_problem_read(a->variant, &a->problem, NULL) &&
           account_solve(&a->problem, &a->solution, &e);
}

/* The lab's own question about what it measured: one of several. */
static const json_t *after(const struct lesson_dialogue *d) {
    return json_object_get(lesson_step_json(d), "after");
}

static void ask_choice_after(struct lesson_dialogue *d, int try) {
    lesson_attempt_plain(d, try);
    d->state.phase = ASKED_AFTER;
    lesson_show(d, LESSON_ASKING, base_json_text(after(d), "ask", ""));
    pose_options(d, json_object_get(after(d), "choices"), "Which is it?");
}

static void ask_after(struct lesson_dialogue *d, int try) {
    if (after(d) != NULL) {
        ask_choice_after(d, try);
        d->ask->ran = has_run(d);
        return;
    }
    if (json_object_get(lesson_step_json(d), "problem") == NULL || !read_question(d)) {
        finish(d);
        return;
    }
    enum account_unit unit = d->state.attempt.solution.unit;
    lesson_attempt_plain(d, try);
    d->state.phase = ASKED_AFTER;
    lesson_show(d, LESSON_ASKING, lesson_step_text(d, "question"));
    lesson_ask_begin(d, LESSON_NUMBER, lesson_ask_prompt(d, "your answer", unit));
    d->ask->unit = lesson_ask_text(d, lesson_ask_unit(d, unit));
    d->ask->ran = has_run(d);
    lesson_ask_pose(d);
}

static void show_measured(struct lesson_dialogue *d) {
    json_t *figure = lesson_measured_figure(d->state.measured);
    char *words = lesson_measured_words(d->state.measured);
    if (figure != NULL || (words != NULL && *words)) {
        struct lesson_event *e = lesson_show_event(d, LESSON_SHOW);
        e->measured = true;
        e->text = lesson_keep_owned(&d->events, words);
        if (figure != NULL) e->figure = lesson_keep_json(&d->events, figure);
    } else {
        free(words);
    }
}

/* The guess is answered first: the learner waits for that. The numbers come last, next to the
 * question that is asked about them. */
static void show_result(struct lesson_dialogue *d) {
    show_comparison(d);
    lesson_show(d, LESSON_PLAIN, lesson_step_text(d, "reveal"));
    show_measured(d);
}

static void answer_choice_after(struct lesson_dialogue *d, const char *text) {
    size_t said, truth = (size_t)base_json_int(after(d), "answer", 1) - 1;
    const json_t *all = json_object_get(after(d), "choices");
    if (!lesson_pick_asked(d->ask, text, &said)) {
        lesson_problem_unreadable(d, LINE_AFTER, text,
                                  base_format("That is none of them. Type one number from 1 to "
                                              "%zu.",
                                              json_array_size(all)));
        return;
    }
    const char *verdict = said == truth ? VERDICT_RIGHT : VERDICT_WRONG;
    char number[24];
    snprintf(number, sizeof number, "%zu", said + 1);
    if (!lesson_record_answer(d,
                              (struct record){LINE_AFTER, number, verdict, "", (double)said + 1}))
        return;
    char *words = base_format("%s %s", said == truth ? "Right." : "No.",
                              base_json_text(after(d), "because", ""));
    lesson_show_picked(d, lesson_show_verdict(d, verdict, words), said + 1, truth + 1);
    finish(d);
}

static void answer_after(struct lesson_dialogue *d, const char *text) {
    struct account_judgement j;
    if (after(d) != NULL) {
        answer_choice_after(d, text);
        return;
    }
    char ids[160];
    account_judge(&d->state.attempt.problem, text, &j);
    if (j.verdict == ACCOUNT_UNREADABLE) {
        lesson_problem_unreadable(d, LINE_AFTER, text, lesson_feedback_unreadable(&j));
        return;
    }
    const char *verdict = account_verdict_name(j.verdict);
    struct record r = {LINE_AFTER, text, verdict, lesson_feedback_ids(&j, ids, sizeof ids),
                       j.value};
    if (!lesson_record_answer(d, r)) return;
    lesson_show_verdict(d, verdict, lesson_feedback_judgement(&j, &d->state.attempt.solution));
    finish(d);
}

/* ── the step ──────────────────────────────────────────────────────────────────────────────────*/
/* What was guessed of a run that is still to come, with its question. */
static void show_guess(struct lesson_dialogue *d) {
    size_t said;
    if (lesson_pick_one(d->state.guess, json_array_size(choices(d)), &said)) {
        const char *option = json_string_value(json_array_get(choices(d), said));
        lesson_show(d, LESSON_PLAIN, lesson_step_text(d, "ask"));
        lesson_show_owned(
            d, LESSON_QUIET,
            base_format("Your guess is kept: %s%s", option, lesson_stop_after(option)));
    }
    if (*d->state.amount == '\0') return;
    lesson_show(d, LESSON_PLAIN, base_json_text(amount(d), "ask", ""));
    lesson_show_owned(
        d, LESSON_QUIET,
        base_format("Your estimate is kept: %s.", lesson_show_typed(d, d->state.amount)));
}

static void enter(struct lesson_dialogue *d) {
    struct memory m = recall(d);
    if (m.once) json_array_clear(m.measured);
    d->state.measured = m.measured;
    d->state.go = m.goes;
    d->state.amounts = m.amounts;
    snprintf(d->state.guess, sizeof d->state.guess, "%s", m.guess);
    snprintf(d->state.amount, sizeof d->state.amount, "%s", m.amount);
    lesson_show_figure(d, LESSON_PLAIN, lesson_step_text(d, "text"),
                       json_object_get(lesson_step_json(d), "figure"));
    if (json_array_size(m.measured) > 0) {
        show_result(d);
        if (m.afters == 0)
            ask_after(d, 1);
        else
            finish(d);
    } else if (m.guess[0] == '\0' && json_array_size(choices(d)) > 0) {
        pose_guess(d, m.guesses + 1);
    } else {
        show_guess(d);
        if (m.amount[0] != '\0' || !pose_amount(d)) pose_run(d);
    }
}

static void answer(struct lesson_dialogue *d, const char *text) {
    switch (d->state.phase) {
    case GUESSING: guess(d, text); break;
    case GAUGING: gauge(d, text); break;
    case ASKED_AFTER: answer_after(d, text); break;
    default:
        lesson_show(d, LESSON_QUIET, "Type `run` to run it, or press Enter to skip it.");
        break;
    }
}

/* Whoever passes over the run is told all the same what it would have shown, since later steps
 * speak of it. */
static void leave_unrun(struct lesson_dialogue *d) {
    lesson_show(d, LESSON_QUIET,
                "You did not run it, so its last question is left out. Come back to this step to "
                "run it.");
    show_comparison(d);
    lesson_show(d, LESSON_PLAIN, lesson_step_text(d, "reveal"));
    finish(d);
}

/* A guess that is passed over leaves the run to be made. */
static bool next(struct lesson_dialogue *d) {
    if (d->state.phase == DONE) return false;
    if (d->state.phase == GUESSING && amount(d) != NULL) {
        lesson_show(d, LESSON_QUIET, "No guess.");
        if (pose_amount(d)) return true;
    }
    if (d->state.phase == GUESSING || d->state.phase == GAUGING) {
        lesson_show(d, LESSON_QUIET, "You can run it without a guess.");
        pose_run(d);
        return true;
    }
    if (d->state.phase == ASKED_AFTER || json_array_size(d->state.measured) > 0) {
        finish(d);
        return true;
    }
    leave_unrun(d);
    return true;
}

/* Leaves out all guesses and the run. A learner who opened a lab outside of lessons wants to run
 * it, so there only the guesses are left out. */
static bool skip(struct lesson_dialogue *d) {
    bool guesses = d->state.phase == GUESSING || d->state.phase == GAUGING;
    if (!guesses) return false;
    if (lesson_is_alone(d)) {
        lesson_show(d, LESSON_QUIET, "You can run it without a guess.");
        pose_run(d);
    } else {
        leave_unrun(d);
    }
    return true;
}

/* The same once more: another guess would be no guess. */
static void fresh(struct lesson_dialogue *d) {
    if (d->state.phase == DONE)
        pose_run(d);
    else
        lesson_show(d, LESSON_QUIET, "This step has no other numbers.");
}

static void ran(struct lesson_dialogue *d, const char *why) {
    bool new = d->state.going;
    d->state.going = false;
    if (why != NULL) lesson_show_owned(d, LESSON_BAD, base_dup(why));
    if (why != NULL || !new || json_array_size(d->state.measured) == 0) {
        lesson_show(d, LESSON_QUIET,
                    why != NULL && lesson_is_alone(d) ? "You can run it again."
                    : why != NULL ? "The lesson continues. You can run the lab later."
                                  : "The run did not finish, so there is nothing to compare yet.");
        pose_run(d);
        return;
    }
    struct memory m = recall(d);
    json_decref(m.measured);
    show_result(d);
    ask_after(d, m.afters + 1);
}

const struct step_ops lesson_step_lab = {
    .enter = enter, .answer = answer, .next = next, .skip = skip, .fresh = fresh, .ran = ran};

/* ── keeping a run ─────────────────────────────────────────────────────────────────────────────*/
bool lesson_ran(struct lesson_dialogue *d, const struct lesson_run *r, struct base_message *m) {
    if (d->lesson->step[d->at].kind != LESSON_LAB || d->over) return base_fail(m, "no lab here");
    if (!d->state.going) {
        json_array_clear(d->state.measured);
        d->state.go++;
        d->state.going = true;
    }
    if (r->measured != NULL) json_array_append(d->state.measured, (json_t *)r->measured);
    char *line = base_format(LINE_RUN "%s", r->variant);
    struct lesson_answer a = {.item = d->lesson->step[d->at].item,
                              .line = line,
                              .try = d->state.go,
                              .problem = r->measured,
                              .lesson_revision = lesson_revision(d->lesson, d->at),
                              .typed = r->command,
                              .value = NAN,
                              .verdict = VERDICT_NOTED,
                              .mistake = "",
                              .seconds = r->seconds,
                              .run = r};
    bool kept = d->journal.answer(d->journal.self, &a, m);
    free(line);
    return kept;
}
