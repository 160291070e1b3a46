/* What an answer brings is read from its first line, in every lesson of the course, and no window
 * begins within a sentence. */
#include "place.h"
#include "unseen.h"

#include "lesson/data.h"
#include "screen/lesson.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TRIES = 4, LEAST_ANSWERS = 200 };

static struct view *view;
static size_t answers;

static struct lesson *lesson(void) {
    return (struct lesson *)view;
}

static const struct lesson_ask *asked(void) {
    return lesson_asked(session_dialogue(lesson()->session));
}

static bool is_empty(const struct page *p, int row) {
    int column = 0;
    while (column < page_width(p) && strcmp(page_cell(p, row, column)->text, " ") == 0) column++;
    return column == page_width(p);
}

static void check(const char *step) {
    const struct lesson *l = lesson();
    const struct said_page *said = screen_lesson_page(l);
    int fresh = screen_page_fresh_row(said), top = l->top;
    answers++;
    if (fresh < top || fresh >= top + l->capacity)
        fail_msg("%s: rows from %d on, and what is said begins at %d", step, top, fresh);
    if (top > 0 && !is_empty(said->laid, top - 1) && !is_empty(said->laid, top))
        fail_msg("%s: begins within a paragraph", step);
}

/* Answers with the first option, or a number that is wrong; not what else is asked. */
static bool answer(void) {
    static const bool one[LESSON_FORMS] = {
        [LESSON_NUMBER] = true, [LESSON_LINE] = true, [LESSON_CHOICE] = true};
    if (!asked() || lesson()->over || !one[asked()->form]) return false;
    unseen_press(view, '1');
    unseen_press(view, PRESS_ENTER);
    return true;
}

static void take(const struct lesson_entry *e) {
    struct base_message m = {0};
    view = screen_view_make(&app, &(struct view_request){.kind = VIEW_LESSON, .name = e->id}, &m);
    if (!view) fail_msg("%s: %s", e->id, m.what);
    unseen_draw(view);
    for (size_t k = 0; k < lesson_steps(session_lesson(lesson()->session)); k++) {
        const char *id =
            base_json_text(lesson_step(session_lesson(lesson()->session), k), "id", "");
        if (lesson_step_kind(session_lesson(lesson()->session), k) == LESSON_LAB) continue;
        screen_lesson_do(lesson(), (struct lesson_action){.kind = LESSON_DO_GOTO, .text = id});
        unseen_draw(view);
        for (int try = 0; try < TRIES && answer(); try++) {
            check(id);
            while (screen_lesson_turns(lesson())) unseen_press(view, PRESS_ENTER);
            if (lesson()->looking) unseen_press(view, PRESS_ENTER);
        }
    }
    view->does->close(view);
}

static void each_is_read_from_its_first_line(void **state) {
    (void)state;
    unseen_open(80, 24, false);
    const struct lesson_course *c = session_learner_course(app.learner);
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY) take(&c->lesson[i]);
    print_message("%zu answers\n", answers);
    assert_true(answers >= LEAST_ANSWERS);
    unseen_close();
}

/* Forgets the master copy: three mistakes give that, and their explanation is as long as any. */
static void forget_the_master(void) {
    char *words = screen_page_words(screen_lesson_page(lesson()));
    const char *size = strstr(words, "Now a");
    assert_non_null(size);
    size += strcspn(size, "0123456789");
    char *answer = base_format("%d", 12 * atoi(size));
    for (const char *c = answer; *c; c++) unseen_press(view, (uint32_t)*c);
    unseen_press(view, PRESS_ENTER);
    free(answer);
    free(words);
}

static void a_statement_is_seen_with_its_feedback(void **state) {
    (void)state;
    struct base_message m = {0};
    unseen_open(80, 24, false);
    view = screen_view_make(&app, &(struct view_request){.kind = VIEW_LESSON, .name = "1.1"}, &m);
    if (!view) fail_msg("%s", m.what);
    unseen_draw(view);
    screen_lesson_do(lesson(),
                     (struct lesson_action){.kind = LESSON_DO_GOTO, .text = "another-size"});
    unseen_draw(view);
    forget_the_master();
    int from, to;
    assert_true(lesson()->looking);
    assert_true(screen_page_question(screen_lesson_page(lesson()), &from, &to));
    assert_int_equal(lesson()->top, 0);
    assert_true(lesson()->height <= lesson()->capacity);
    view->does->close(view);
    unseen_close();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_is_read_from_its_first_line, place_open_course,
                                        place_close),
        cmocka_unit_test_setup_teardown(a_statement_is_seen_with_its_feedback, place_open_course,
                                        place_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
