/* memo.c: a memo on a scenario, written in a file of the learner's own and checked as often as one
 * likes. First the course's case; once it passed, three questions on it are asked without it, and
 * then another case by seed comes. Nothing is graded: what is kept of a check says how it went. */
#include "lesson/handler.h"

#include <stdlib.h>
#include <string.h>

enum { WRITING, ASKED, DONE }; /* state.phase */
enum { FINDINGS = 12, KEPT = 1 << 16 };
#define LINE_CASE     "case"
#define LINE_QUESTION "question-%zu" /* from 1 */

/* ── what the journal remembers ────────────────────────────────────────────────────────────────*/
struct memory {
    int checks, written;
    bool passed;
    /* the memo that passed */
    char *text;
    /* of the questions on it */
    size_t answered;
};

static void remember(void *to, const struct lesson_answer *a) {
    struct memory *m = to;
    int written = (int)base_json_int(a->problem, "case", 1);
    if (strcmp(a->verdict, VERDICT_UNREADABLE) == 0) return;
    if (a->try > m->checks) m->checks = a->try;
    m->passed = strcmp(a->line, LINE_CASE) != 0 && base_json_bool(a->problem, "passes", false);
    m->written = written;
    if (sscanf(a->line, LINE_QUESTION, &m->answered) == 1) return;
    free(m->text);
    m->text = base_dup(a->typed);
    m->answered = 0;
}

static struct memory recall(struct lesson_dialogue *d) {
    struct memory m = {.written = 1};
    struct base_message why = {0};
    const char *item = d->lesson->step[d->at].item;
    if (!d->journal.answers(d->journal.self, item, remember, &m, &why))
        lesson_show_trouble(d, "Your earlier checks could not be read, so this starts again. ",
                            &why);
    return m;
}

/* ── the case ──────────────────────────────────────────────────────────────────────────────────*/
/* The `n`-th that a learner is set, from 1. */
static struct memo_scenario set_as(uint64_t learner, const char *item, int n) {
    struct memo_scenario s;
    uint64_t seed = n == 1 ? 0 : lesson_seed(learner, item, n);
    memo_scenario_vary(n == 1 || seed != 0 ? seed : 1, &s);
    return s;
}

static struct memo_scenario scenario(const struct lesson_dialogue *d) {
    return set_as(d->seed, d->lesson->step[d->at].item, d->state.written);
}

/* "capstone", then "capstone-2", … */
static char *name_of(const struct lesson_dialogue *d) {
    const char *id = d->lesson->step[d->at].id;
    return d->state.written == 1 ? base_dup(id) : base_format("%s-%d", id, d->state.written);
}

/* As a line, whoever's count is used and at whichever stage: that is for the memo to choose. */
static char *line_of(struct memo_scenario s) {
    struct base_text line = {0};
    account_set(&s.training, "recipe", "paper", NULL);
    s.training.stage = 0;
    memo_scenario_write(&s, &line);
    memmove(line.s, line.s + strlen("Scenario: "), line.length - strlen("Scenario: ") + 1);
    return base_text_take(&line);
}

static bool has_part(const char *line, const char *part, size_t n) {
    for (; *line; line += *line == ',' ? 2 : 0) {
        size_t length = strcspn(line, ",");
        if (length == n && memcmp(line, part, n) == 0) return true;
        line += length;
    }
    return false;
}

/* The parts of one line that the other does not have: "8 × A100 80 GB, sequence 2048". */
static void add_parts(struct base_text *t, const char *line, const char *other) {
    size_t before = t->length;
    for (; *line; line += *line == ',' ? 2 : 0) {
        size_t n = strcspn(line, ",");
        if (!has_part(other, line, n))
            base_text_printf(t, "%s%.*s", t->length > before ? ", " : "", (int)n, line);
        line += n;
    }
    if (t->length == before) base_text_puts(t, "nothing else");
}

/* Whether a memo is on the case that was set; else `other` says what is different. */
static bool is_asked(struct memo_scenario set, const struct memo_report *r,
                     struct base_text *other) {
    if (!r->has_scenario) return true;
    char *asked = line_of(set), *its = line_of(r->config[MEMO_THE_SCENARIO].is);
    bool same = strcmp(asked, its) == 0;
    if (!same) {
        base_text_puts(other, "its scenario says *");
        add_parts(other, its, asked);
        base_text_puts(other, "*, and the case *");
        add_parts(other, asked, its);
        base_text_puts(other, "*");
    }
    free(asked);
    free(its);
    return same;
}

static bool passes_on(struct memo_scenario set, const struct memo_report *r) {
    struct base_text other = {0};
    bool same = is_asked(set, r, &other);
    base_text_free(&other);
    return same && r->passes;
}

static bool passes(struct lesson_dialogue *d, const struct memo_report *r) {
    return passes_on(scenario(d), r);
}

bool lesson_memo_passes(const struct memo_report *r, const struct lesson_answer *a,
                        uint64_t learner) {
    return passes_on(set_as(learner, a->item, (int)base_json_int(a->problem, "case", 1)), r);
}

static void set_variant(struct lesson_dialogue *d, const struct memo_report *r) {
    struct memo_scenario s = scenario(d);
    struct base_text line = {0};
    memo_scenario_write(&s, &line);
    json_decref(d->state.attempt.variant);
    d->state.attempt.variant =
        json_pack("{s:s, s:i}", "scenario", line.s, "case", d->state.written);
    if (r != NULL)
        json_object_set_new(d->state.attempt.variant, "passes", json_boolean(passes(d, r)));
    base_text_free(&line);
}

static void show_case(struct lesson_dialogue *d) {
    struct memo_scenario s = scenario(d);
    struct base_text line = {0};
    memo_scenario_write(&s, &line);
    lesson_show_owned(d, LESSON_ASKING, base_format("**%s**", line.s));
    base_text_free(&line);
}

static void name_memo(struct lesson_dialogue *d) {
    struct memo_scenario s = scenario(d);
    struct base_text empty = {0};
    memo_new(&s, &empty);
    d->ask->memo = lesson_keep_owned(&d->asking, name_of(d));
    d->ask->memo_begins = lesson_keep_owned(&d->asking, base_text_take(&empty));
}

static void pose(struct lesson_dialogue *d) {
    d->state.phase = WRITING;
    d->state.settled = false;
    lesson_ask_begin(d, LESSON_WRITE, base_dup("your memo"));
    name_memo(d);
    lesson_ask_pose(d);
}

static void finish(struct lesson_dialogue *d) {
    d->state.phase = DONE;
    lesson_show(d, LESSON_PLAIN,
                "That was the last question, and this memo is done. Press Enter to continue, or "
                "ask for another case and write a memo on that.");
    lesson_ask_next(d);
    name_memo(d);
    d->ask->fresh = true;
}

/* ── three questions ───────────────────────────────────────────────────────────────────────────*/
static void pose_question(struct lesson_dialogue *d) {
    struct attempt *a = &d->state.attempt;
    size_t i = d->state.question_at;
    if (i >= d->state.questions) {
        finish(d);
        return;
    }
    a->problem = d->state.question[i].problem;
    account_solve(&a->problem, &a->solution, NULL);
    d->state.phase = ASKED;
    d->state.settled = false;
    lesson_show_owned(d, LESSON_ASKING,
                      base_format("**Question %zu of %zu.** %s", i + 1, d->state.questions,
                                  d->state.question[i].ask));
    lesson_ask_begin(d, LESSON_NUMBER, lesson_ask_prompt(d, "your answer", a->solution.unit));
    d->ask->unit = lesson_ask_text(d, lesson_ask_unit(d, a->solution.unit));
    lesson_ask_pose(d);
}

/* Those of the memo that passed, from the first that has no answer yet. */
static void begin_questions(struct lesson_dialogue *d, const struct memo_report *r,
                            size_t answered) {
    d->state.questions = r->questions;
    d->state.question_at = answered;
    memcpy(d->state.question, r->question, sizeof d->state.question);
    if (answered < r->questions)
        lesson_show(
            d, LESSON_PLAIN,
            "Your lead has questions. Each one changes one thing in your memo. Answer from the "
            "arithmetic, with the memo closed. Nothing is graded.");
    pose_question(d);
}

static void answer_question(struct lesson_dialogue *d, const char *text) {
    const struct attempt *a = &d->state.attempt;
    struct account_judgement j;
    char ids[160], line[32];
    account_judge(&a->problem, text, &j);
    char *words = lesson_feedback_judgement(&j, &a->solution);
    snprintf(line, sizeof line, LINE_QUESTION, d->state.question_at + 1);
    json_object_set_new(a->variant, "ask",
                        json_string(d->state.question[d->state.question_at].ask));
    if (j.verdict == ACCOUNT_UNREADABLE) {
        lesson_problem_unreadable(d, line, text, words);
        return;
    }
    struct record r = {line, text, VERDICT_NOTED, lesson_feedback_ids(&j, ids, sizeof ids),
                       j.value};
    if (!lesson_record_answer(d, r)) {
        free(words);
        return;
    }
    bool right = lesson_verdict_right(account_verdict_name(j.verdict));
    char *lines = right ? lesson_working_all(&a->solution) : base_dup("");
    lesson_show_verdict(d, account_verdict_name(j.verdict), base_format("%s\n\n%s", words, lines));
    free(lines);
    free(words);
    d->state.question_at++;
    pose_question(d);
}

/* A question that is left shows its answer. */
static bool next(struct lesson_dialogue *d) {
    if (d->state.phase != ASKED) return false;
    char *lines = lesson_working_all(&d->state.attempt.solution);
    lesson_show_owned(d, LESSON_QUIET, base_format("Here it is, line by line:\n\n%s", lines));
    free(lines);
    d->state.question_at++;
    pose_question(d);
    return true;
}

/* ── a check ───────────────────────────────────────────────────────────────────────────────────*/
static char *kept_text(const char *text) {
    size_t n = strlen(text);
    if (n > KEPT)
        for (n = KEPT; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80;) n--;
    return base_format("%.*s", (int)n, text);
}

static bool record_check(struct lesson_dialogue *d, const char *text, const struct memo_report *r) {
    char *typed = kept_text(text);
    set_variant(d, r);
    bool kept = lesson_record_answer(d, (struct record){"", typed, VERDICT_NOTED, "", r->passes});
    free(typed);
    return kept;
}

static void show_trap(struct lesson_dialogue *d, const struct memo_report *r) {
    struct base_text trap = {0};
    if (memo_trap(r, &trap)) lesson_show(d, LESSON_QUIET, trap.s);
    base_text_free(&trap);
}

/* The report; on another case than the one that was set, that first. */
static void show_report(struct lesson_dialogue *d, const struct memo_report *r) {
    struct base_text other = {0}, t = {0};
    bool asked = is_asked(scenario(d), r, &other), good = asked && r->passes;
    char *words = memo_words(r, FINDINGS);
    if (!asked)
        base_text_printf(&t,
                         "This memo is about another case than the one above, so it does not pass "
                         "here: %s. It was checked against the scenario that it names.\n\n",
                         other.s);
    base_text_puts(&t, words);
    struct lesson_event *e = lesson_show_verdict(d, VERDICT_NOTED, base_text_take(&t));
    e->right = good;
    e->tone = good ? LESSON_GOOD : LESSON_PLAIN;
    free(words);
    base_text_free(&other);
}

static void tell(struct lesson_dialogue *d, const struct memo_report *r) {
    show_report(d, r);
    d->state.attempt.number++;
    if (!passes(d, r)) {
        pose(d);
        return;
    }
    show_trap(d, r);
    begin_questions(d, r, 0);
}

static void answer(struct lesson_dialogue *d, const char *text) {
    struct memo_report r;
    struct base_message m = {0};
    struct memo_context context = d->memo ? *d->memo : (struct memo_context){0};
    context.course = true;
    if (d->state.phase == ASKED) {
        answer_question(d, text);
        return;
    }
    if (!memo_read(text, strlen(text), &context, &r, &m))
        lesson_show_trouble(d, "This memo cannot be checked. ", &m);
    else if (record_check(d, text, &r))
        tell(d, &r);
    memo_free(&r);
}

static void resume(struct lesson_dialogue *d, const struct memory *m) {
    struct memo_report r;
    lesson_show(d, LESSON_GOOD, "Your memo on it passed.");
    set_variant(d, NULL);
    json_object_set_new(d->state.attempt.variant, "passes", json_true());
    memo_read(m->text, strlen(m->text), NULL, &r, NULL);
    begin_questions(d, &r, m->answered);
    memo_free(&r);
}

/* ── the step ──────────────────────────────────────────────────────────────────────────────────*/
static void enter(struct lesson_dialogue *d) {
    struct memory m = recall(d);
    d->state.written = m.written;
    lesson_attempt_plain(d, m.checks + 1);
    lesson_show_figure(d, LESSON_PLAIN, lesson_step_text(d, "text"),
                       json_object_get(lesson_step_json(d), "figure"));
    show_case(d);
    if (m.passed)
        resume(d, &m);
    else
        pose(d);
    free(m.text);
}

/* Another case, which is kept at once: whoever leaves finds it again. */
static void fresh(struct lesson_dialogue *d) {
    if (d->state.phase == WRITING) {
        lesson_show(d, LESSON_QUIET, "You get another case once a memo on this one passes.");
        return;
    }
    d->state.written++;
    set_variant(d, NULL);
    if (!lesson_record_answer(
            d, (struct record){LINE_CASE, "", VERDICT_NOTED, "", d->state.written})) {
        d->state.written--;
        return;
    }
    d->state.attempt.number++;
    show_case(d);
    pose(d);
}

const struct step_ops lesson_step_memo = {
    .enter = enter, .answer = answer, .next = next, .fresh = fresh};
