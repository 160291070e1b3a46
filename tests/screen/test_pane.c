/* What stands beside a lesson: in every lesson of the course nothing there answers the question
 * that is open; after it the case comes. */
#include "base/golden.h"
#include "place.h"
#include "screen/page.h"
#include "screen/pane.h"
#include "screen/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 4 };

struct taken {
    struct learner *learner;
    struct session *session;
    struct pane pane;
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
    screen_pane_take(&t->pane, screen_page_words(&t->said), screen_page_figure(&t->said));
}

static void take(struct taken *t, const char *lesson) {
    struct base_message m = {0};
    *t = (struct taken){.learner = session_learner_open(NULL, &m)};
    t->session = t->learner ? session_open(t->learner, lesson, &m) : NULL;
    if (!t->session) fail_msg("%s: %s", lesson, m.what);
    screen_pane_begin(&t->pane, t->session);
    hear(t);
    while (screen_pane_waits(&t->pane)) screen_pane_read(&t->pane);
}

static void act(struct taken *t, enum lesson_action_kind kind, const char *text) {
    session_do(t->session, &(struct lesson_action){.kind = kind, .text = text});
    hear(t);
}

static void leave(struct taken *t) {
    screen_page_clear(&t->said);
    screen_outline_free(&t->outline);
    screen_pane_free(&t->pane);
    session_close(t->session);
    session_learner_close(t->learner);
}

/* What a column of the pane shows in a large terminal, where the outline has one of its own; the
 * caller's. */
static char *column_of(struct taken *t, size_t column) {
    struct look look = {.colours = 256};
    struct frame *f = screen_frame_new(200, 60, false, FRAME_CARDS);
    screen_pane_draw(&t->pane, f, &t->outline, lesson_where(session_dialogue(t->session)), &look);
    screen_frame_free(f);
    return page_to_text(t->pane.column[column].page);
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

static bool solve(const struct taken *t, struct account_solution *out) {
    struct account_problem p;
    struct account_error e;
    const json_t *problem = lesson_problem_now(session_dialogue(t->session));
    return problem && lesson_problem_read(problem, &p, NULL) && account_solve(&p, out, &e);
}

/* The outline's titles are the same whatever the numbers are, and tell nothing. */
static size_t check(struct taken *t, const char *lesson) {
    struct account_solution s;
    if (!lesson_question_open(session_dialogue(t->session)) || !solve(t, &s)) return 0;
    char *text = column_of(t, 0), *outline = column_of(t, 1);
    double answer = s.value / account_unit_scale(s.unit);
    if (has_number(text, answer))
        fail_msg("%s, %s: the pane says %g\n%s", lesson, lesson_where(session_dialogue(t->session)),
                 answer, text);
    assert_non_null(strstr(text, "Scratch paper"));
    assert_null(strstr(text, "This case"));
    assert_null(strstr(outline, "●"));
    assert_null(strstr(outline, "◐"));
    assert_null(strstr(outline, "○"));
    free(outline);
    free(text);
    return 1;
}

static size_t walk(const char *lesson) {
    struct taken t;
    size_t checked = 0;
    take(&t, lesson);
    for (size_t i = 0; i < lesson_steps(session_lesson(t.session)); i++) {
        const json_t *step = lesson_step(session_lesson(t.session), i);
        act(&t, LESSON_DO_GOTO, base_json_text(step, "id", ""));
        checked += check(&t, lesson);
        for (int try = 1; try < TRIES && lesson_asked(session_dialogue(t.session))->fresh; try++) {
            act(&t, LESSON_DO_FRESH, NULL);
            checked += check(&t, lesson);
        }
    }
    leave(&t);
    return checked;
}

static int open_course(void **state) {
    char here[PATH_MAX];
    int failed = place_open(state);
    if (!realpath(".", here)) return -1;
    setenv("ZEROTUTOR_SHARE", here, 1);
    return failed;
}

static void nothing_answers_an_open_question(void **state) {
    (void)state;
    struct base_message m = {0};
    struct learner *who = session_learner_open(NULL, &m);
    const struct lesson_course *c = session_learner_course(who);
    size_t checked = 0;
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].file) checked += walk(c->lesson[i].id);
    print_message("%zu open questions\n", checked);
    assert_true(checked > 100);
    session_learner_close(who);
}

static bool shows(struct taken *t, const char *words) {
    char *cards = column_of(t, 0), *outline = column_of(t, 1);
    bool found = strstr(cards, words) || strstr(outline, words);
    free(cards);
    free(outline);
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
    assert_true(shows(&t, "moments   0.94"));
    assert_true(shows(&t, "paper's count"));
    assert_true(shows(&t, "● A number"));
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
        cmocka_unit_test_setup_teardown(nothing_answers_an_open_question, open_course, place_close),
        cmocka_unit_test_setup_teardown(the_case_comes_with_the_answer, place_open, place_close),
        cmocka_unit_test_setup_teardown(it_is_laid_out_once, place_open, place_close),
        cmocka_unit_test(it_is_drawn_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
