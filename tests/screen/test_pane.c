/* What stands beside a lesson: in every lesson of the course scratch paper and words that do not
 * answer it next to an open question; after it the case and the outline. */
#include "base/golden.h"
#include "place.h"
#include "screen/page.h"
#include "screen/pane.h"
#include "screen/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 4 };

struct taken {
    struct learner *learner;
    struct session *session;
    struct pane pane;
    struct scratch paper;
    struct outline outline;
    struct said_page said;
};

static void hear(struct taken *t) {
    const struct lesson_event *e;
    while ((e = session_event(t->session))) {
        if (e->kind == LESSON_STEP) screen_page_clear(&t->said);
        if (e->kind != LESSON_STEP && e->kind != LESSON_ASK)
            screen_page_add(&t->said, e, NULL, false);
    }
    screen_outline_read(&t->outline, session_learner_store(t->learner), t->session);
    screen_pane_take(&t->pane, screen_page_words(&t->said), screen_page_figure(&t->said),
                     lesson_asked(session_dialogue(t->session)));
}

static void take(struct taken *t, const char *lesson) {
    struct base_message m = {0};
    *t = (struct taken){.learner = session_learner_open(NULL, &m)};
    t->session = t->learner ? session_open(t->learner, lesson, &m) : NULL;
    if (!t->session) fail_msg("%s: %s", lesson, m.what);
    screen_scratch_begin(&t->paper);
    screen_pane_begin(&t->pane, t->session, &t->paper);
    hear(t);
    while (screen_pane_waits(&t->pane)) screen_pane_read(&t->pane);
}

static void act(struct taken *t, enum lesson_action_kind kind, const char *text) {
    session_do(t->session, &(struct lesson_action){.kind = kind, .text = text});
    hear(t);
}

static const struct lesson_ask *asked_of(const struct taken *t) {
    return lesson_asked(session_dialogue(t->session));
}

static void leave(struct taken *t) {
    screen_page_clear(&t->said);
    screen_outline_free(&t->outline);
    screen_pane_free(&t->pane);
    screen_scratch_free(&t->paper);
    session_close(t->session);
    session_learner_close(t->learner);
}

/* ── answers ───────────────────────────────────────────────────────────────────────────────────*/
/* Whether a number of the text is this one, to half a percent; "F4" and "fp32" are none. */
static bool has_number(const char *text, double wanted) {
    for (const char *s = text; *s;) {
        char *end;
        double value = strtod(s, &end);
        bool digit = isdigit((unsigned char)*s), within = s > text && isalnum((unsigned char)s[-1]);
        if (digit && !within && fabs(value - wanted) <= 0.005 * fabs(wanted)) return true;
        s = digit && end > s ? end : s + 1;
    }
    return false;
}

/* Text in one line: without the signs of Markdown, and with one blank between words. The caller's.
 */
static char *plain(const char *text) {
    struct base_text t = {0};
    bool parted = true;
    base_text_puts(&t, " ");
    for (const char *s = text; *s; s++) {
        if (strchr("*_`", *s)) continue;
        bool space = isspace((unsigned char)*s);
        if (!space || !parted) base_text_printf(&t, "%c", space ? ' ' : *s);
        parted = space;
    }
    base_text_puts(&t, parted ? "" : " ");
    return base_text_take(&t);
}

/* What the pane shows in a terminal of so many columns; the caller's. */
static char *pane_of(struct taken *t, int columns, int rows) {
    struct look look = {.colours = 256};
    struct base_text all = {0};
    struct frame *f = screen_frame_new(columns, rows, false, FRAME_CARDS);
    screen_pane_draw(&t->pane, f, &t->outline, lesson_where(session_dialogue(t->session)), &look);
    screen_frame_free(f);
    for (size_t i = 0; i < PANE_COLUMNS && t->pane.column[i].page; i++) {
        char *text = page_to_text(t->pane.column[i].page);
        base_text_printf(&all, "%s\n", text);
        free(text);
    }
    return base_text_take(&all);
}

/* The words of the right option of what is asked with these numbers; NULL if it has no options. */
static const char *right_option(const json_t *numbers) {
    const json_t *choices = json_object_get(numbers, "choices");
    size_t predicted = (size_t)base_json_int(numbers, "answer", 0);
    for (size_t i = 0; i < json_array_size(choices); i++) {
        const json_t *c = json_array_get(choices, i);
        if (json_is_string(c) ? i + 1 == predicted : base_json_bool(c, "right", false))
            return json_is_string(c) ? json_string_value(c) : base_json_text(c, "text", "");
    }
    return NULL;
}

static bool solve(const json_t *numbers, struct account_solution *out) {
    struct account_problem p;
    struct account_error e;
    const json_t *problem = json_object_get(numbers, "problem");
    return problem && lesson_problem_read(problem, &p, NULL) && account_solve(&p, out, &e);
}

static bool is_number(const char *text) {
    return isdigit((unsigned char)*text) && text[strspn(text, "0123456789. ")] == '\0';
}

static bool asks_line(const struct lesson_ask *ask) {
    return ask->form == LESSON_LINE && ask->lines > 0;
}

/* What is to be typed: of a worksheet the value of the line that is asked. */
static double right_value(const struct lesson_ask *ask, const struct account_solution *s) {
    const struct account_line *l = asks_line(ask) ? &s->line[ask->line] : NULL;
    return l ? l->value / account_unit_scale(l->unit) : s->value / account_unit_scale(s->unit);
}

/* Words say "16 bits" and "2 bytes" whatever is asked, so of a line no small whole number counts.
 */
static bool has_value(const char *text, const struct lesson_ask *ask,
                      const struct account_solution *s) {
    double value = right_value(ask, s);
    bool in_words = asks_line(ask) && value < 100 && value == floor(value);
    return !in_words && has_number(text, value);
}

/* Whether the pane tells what is asked with these numbers. */
static bool tells(struct taken *t, const int size[2], const json_t *numbers) {
    struct account_solution s;
    const char *option = right_option(numbers);
    bool number = !option || is_number(option);
    char *text = pane_of(t, size[0], size[1]), *all = plain(text),
         *words = plain(option ? option : "");
    bool told = !number  ? strstr(all, words) != NULL
                : option ? has_number(text, strtod(option, NULL))
                         : solve(numbers, &s) && has_value(text, asked_of(t), &s);
    free(words);
    free(all);
    free(text);
    return told;
}

static bool asks(const json_t *numbers) {
    struct account_solution s;
    return right_option(numbers) || solve(numbers, &s);
}

/* Whether the pane explains a word of the question's own lesson: which, or NULL. */
static const char *explains_its_own(struct taken *t, const char *pane) {
    const char *lesson = lesson_taught_in(session_dialogue(t->session)), *own = NULL;
    char *all = plain(pane);
    for (size_t i = 0; i < t->pane.words && !own; i++) {
        const struct session_word *w = &t->pane.word[i];
        char *means = plain(w->means);
        if (strcmp(w->lesson, lesson) == 0 && strstr(all, means)) own = w->term;
        free(means);
    }
    free(all);
    return own;
}

/* Whether it is scratch paper, and words if there are any. */
static bool has_paper_and_words(const char *pane) {
    size_t cards = 0;
    for (const char *rule = pane; (rule = strstr(rule, "──\n")); rule++) cards++;
    return strstr(pane, "Scratch paper") && cards == 1U + !!strstr(pane, "Words on this screen");
}

static size_t check(struct taken *t, const char *lesson) {
    static const int size[][2] = {{120, 40}, {200, 60}};
    const struct lesson_dialogue *d = session_dialogue(t->session);
    json_t *report = lesson_question_open(d) ? lesson_report(d) : NULL;
    const json_t *numbers = json_object_get(report, "numbers");
    bool answer = asks(numbers);
    for (size_t i = 0; report && i < BASE_COUNT(size); i++) {
        bool told = answer && tells(t, size[i], numbers);
        char *text = pane_of(t, size[i][0], size[i][1]);
        if (told) fail_msg("%s, %s: the pane tells the answer\n%s", lesson, lesson_where(d), text);
        const char *own = explains_its_own(t, text);
        if (own) fail_msg("%s, %s: '%s' is explained\n%s", lesson, lesson_where(d), own, text);
        if (!has_paper_and_words(text))
            fail_msg("%s, %s: there is another card\n%s", lesson, lesson_where(d), text);
        free(text);
    }
    json_decref(report);
    return answer;
}

static void answer_rightly(struct taken *t) {
    struct account_solution s;
    json_t *report = lesson_report(session_dialogue(t->session));
    assert_true(solve(json_object_get(report, "numbers"), &s));
    char *value = base_format("%.17g", right_value(asked_of(t), &s));
    act(t, LESSON_DO_ANSWER, value);
    free(value);
    json_decref(report);
}

/* A worksheet's lines come one after the other, each once those before it are answered. */
static size_t check_lines(struct taken *t, const char *lesson) {
    size_t checked = check(t, lesson);
    while (asks_line(asked_of(t))) {
        answer_rightly(t);
        if (asks_line(asked_of(t))) checked += check(t, lesson);
    }
    return checked;
}

static size_t walk(const char *lesson) {
    struct taken t;
    size_t checked = 0;
    take(&t, lesson);
    for (size_t i = 0; i < lesson_steps(session_lesson(t.session)); i++) {
        const json_t *step = lesson_step(session_lesson(t.session), i);
        act(&t, LESSON_DO_GOTO, base_json_text(step, "id", ""));
        checked += check_lines(&t, lesson);
        for (int try = 1; try < TRIES && asked_of(&t)->fresh; try++) {
            act(&t, LESSON_DO_FRESH, NULL);
            checked += check_lines(&t, lesson);
        }
    }
    leave(&t);
    return checked;
}

static void nothing_answers_an_open_question(void **state) {
    (void)state;
    struct base_message m = {0};
    struct learner *who = session_learner_open(NULL, &m);
    const struct lesson_course *c = session_learner_course(who);
    size_t checked = 0;
    for (size_t i = 0; i < c->lessons; i++) checked += walk(c->lesson[i].id);
    print_message("%zu open questions\n", checked);
    assert_true(checked > 300);
    session_learner_close(who);
}

static bool shows(struct taken *t, const char *words) {
    char *text = pane_of(t, 200, 60);
    bool found = strstr(text, words);
    free(text);
    return found;
}

static void the_case_comes_with_the_answer(void **state) {
    (void)state;
    struct taken t;
    take(&t, "tests/screen/lessons/wide.lua");
    assert_true(shows(&t, "This case"));
    act(&t, LESSON_DO_GOTO, "number");
    assert_false(shows(&t, "This case"));
    assert_false(shows(&t, "paper's count"));
    act(&t, LESSON_DO_ANSWER, "30");
    assert_false(shows(&t, "This case"));
    act(&t, LESSON_DO_ANSWER, "31.4");
    assert_true(shows(&t, "This case"));
    assert_true(shows(&t, "moments    0.94"));
    assert_true(shows(&t, "paper's count"));
    assert_true(shows(&t, "● A number"));
    leave(&t);
}

/* Next to a question of 1.3 about ZeRO's stages 1.2's ranks are explained; stages are next to a
 * page that asks nothing. */
static void a_question_leaves_the_words_before_it(void **state) {
    (void)state;
    struct taken t;
    take(&t, "1.3");
    act(&t, LESSON_DO_GOTO, "which-stage");
    assert_true(shows(&t, "Every rank has the whole model"));
    assert_false(shows(&t, "How much ZeRO divides"));
    act(&t, LESSON_DO_GOTO, "three-cuts");
    assert_true(shows(&t, "How much ZeRO divides"));
    leave(&t);
}

/* Nor is it turned to the outline while a question is open, which comes back with the answer. */
static void the_outline_waits_for_the_answer(void **state) {
    (void)state;
    struct taken t;
    take(&t, "tests/screen/lessons/wide.lua");
    screen_pane_turn(&t.pane);
    assert_true(shows(&t, "9.9, 5 steps") && !shows(&t, "This case"));
    act(&t, LESSON_DO_GOTO, "number");
    assert_true(shows(&t, "Scratch paper") && !shows(&t, "9.9, 5 steps"));
    screen_pane_turn(&t.pane);
    assert_int_equal(t.pane.shows, PANE_NOTHING);
    screen_pane_turn(&t.pane);
    screen_pane_turn(&t.pane);
    assert_int_equal(t.pane.shows, PANE_NOTHING);
    screen_pane_turn(&t.pane);
    act(&t, LESSON_DO_ANSWER, "31.4");
    assert_true(shows(&t, "9.9, 5 steps") && shows(&t, "This case"));
    leave(&t);
}

/* A step that only reviews ask is none of the outline's, and stands between two of them. */
static void a_step_aside_has_its_place(void **state) {
    (void)state;
    struct taken t;
    bool listed;
    take(&t, "1.3");
    act(&t, LESSON_DO_GOTO, "hundred-billion");
    size_t at = screen_outline_find(&t.outline, "hundred-billion", &listed);
    assert_false(listed);
    assert_string_equal(t.outline.step[at].title, "Three cuts, one by one");
    assert_string_equal(t.outline.step[at - 1].title, "The first stage that fits");
    answer_rightly(&t);
    assert_true(shows(&t, "Three cuts, one by one"));
    leave(&t);
}

/* It is laid out once for what the step says, however often it is drawn. */
static void it_is_laid_out_once(void **state) {
    (void)state;
    struct taken t;
    take(&t, "tests/screen/lessons/wide.lua");
    assert_true(shows(&t, "This case"));
    const struct page *laid = t.pane.column[0].page;
    assert_true(shows(&t, "This case"));
    assert_ptr_equal(t.pane.column[0].page, laid);
    leave(&t);
}

/* Home shows it in the pane of a terminal of 120 × 40, below what the lesson teaches. */
static void a_lessons_figure_fits_next_to_home(void **state) {
    enum { WIDTH = 36, LEFT = 26 };
    const struct look look = {.colours = 256};
    struct base_message m;
    struct learner *who = session_learner_open(NULL, &m);
    (void)state;
    assert_non_null(who);
    const struct lesson_course *course = session_learner_course(who);
    for (size_t i = 0; i < course->lessons; i++) {
        if (course->lesson[i].kind != LESSON_ORDINARY) continue;
        json_t *figure = session_learner_face(who, i);
        struct page *p = page_new(WIDTH, false);
        if (!screen_pane_figure(p, figure, LEFT, &look))
            fail_msg("%s has no figure of %d x %d", course->lesson[i].id, WIDTH, LEFT);
        page_free(p);
        json_decref(figure);
    }
    session_learner_close(who);
}

/* ── pictures ──────────────────────────────────────────────────────────────────────────────────*/
#define NUMBER "<Enter><Enter>"
static const struct {
    const char *name, *keys;
    int columns, rows;
    bool ascii, no_colour;
} PICTURES[] = {
    {"wide", "", 120, 40, false, false},
    {"wide-tall", "", 200, 60, false, false},
    {"wide-ascii", "", 120, 40, true, false},
    {"wide-plain", "", 120, 40, false, true},
    {"wide-owners", "<Enter>", 160, 40, false, false},
    {"wide-asked", NUMBER "3", 120, 40, false, false},
    {"wide-answered", NUMBER "31.4<Enter>", 120, 40, false, false},
    {"wide-scratch", NUMBER "3<F4>2*13G<Enter>4*7", 120, 40, false, false},
    {"wide-scratch-ends", NUMBER "3<F4>2*13G<Enter><Esc>1", 120, 40, false, false},
    {"wide-outline", "w", 120, 40, false, false},
    {"wide-skipped", NUMBER "<F5>]w", 120, 40, true, false},
    {"wide-nothing", "ww", 120, 40, false, false},
    {"wide-again", "www<resize:80x24><resize:112x24>", 120, 40, false, false},
};

static void it_is_drawn_as_before(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(PICTURES); i++) {
        struct base_message m = {0};
        place_open(NULL);
        char *text = screen_picture(&(struct screen_shot){.lesson = "tests/screen/lessons/wide.lua",
                                                          .keys = PICTURES[i].keys,
                                                          .columns = PICTURES[i].columns,
                                                          .rows = PICTURES[i].rows,
                                                          .ascii = PICTURES[i].ascii,
                                                          .no_colour = PICTURES[i].no_colour},
                                    &m);
        if (!text) fail_msg("%s: %s", PICTURES[i].name, m.what);
        golden_is("screen", PICTURES[i].name, text);
        free(text);
        place_close(NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_answers_an_open_question, place_open_course,
                                        place_close),
        cmocka_unit_test_setup_teardown(the_case_comes_with_the_answer, place_open, place_close),
        cmocka_unit_test_setup_teardown(a_question_leaves_the_words_before_it, place_open_course,
                                        place_close),
        cmocka_unit_test_setup_teardown(the_outline_waits_for_the_answer, place_open, place_close),
        cmocka_unit_test_setup_teardown(a_step_aside_has_its_place, place_open_course, place_close),
        cmocka_unit_test_setup_teardown(it_is_laid_out_once, place_open, place_close),
        cmocka_unit_test_setup_teardown(a_lessons_figure_fits_next_to_home, place_open_course,
                                        place_close),
        cmocka_unit_test(it_is_drawn_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
