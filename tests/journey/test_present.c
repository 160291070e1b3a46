/* A lesson at the front: a teacher at the projector and a learner at a terminal, each the whole
 * program, in one class. Goldens of its slides, and every slide of the course. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/base.h"
#include "base/golden.h"
#include "journey/rehearsal.h"
#include "tty/tty.h"

#include <stdlib.h>
#include <string.h>

static struct home teacher, learner;
static char *folder;

static int open_class(void **state) {
    (void)state;
    teacher = home_new("teacher");
    learner = home_new("learner");
    folder = base_format("%s/class", teacher.folder);
    return 0;
}

static int close_class(void **state) {
    (void)state;
    free(folder);
    home_remove(&learner);
    home_remove(&teacher);
    return 0;
}

/* Runs the program to its end at a terminal. */
static void run(const struct home *who, const char *a, const char *b, const char *c,
                const char *d) {
    const char *const program[] = {getenv("ZEROTUTOR"), a, b, c, d, NULL};
    const char *const environment[] = {who->variable, NULL};
    assert_int_equal(tty_end(tty_open(100, 60, program, environment)), 0);
}

static struct tty *present(int columns, int rows, const char *lesson, bool asks, bool plain) {
    const char *program[8] = {getenv("ZEROTUTOR"), "present", lesson};
    const char *const environment[] = {teacher.variable, plain ? "NO_COLOR=1" : NULL, NULL};
    size_t n = 3;
    if (plain) program[n++] = "--ascii";
    if (asks) program[n++] = "--class";
    if (asks) program[n++] = folder;
    struct tty *t = tty_open(columns, rows, program, environment);
    tty_wait_row(t, 0, "1 / ");
    return t;
}

static struct tty *learn(const char *lesson) {
    const char *const program[] = {getenv("ZEROTUTOR"), "learn", lesson, NULL};
    const char *const environment[] = {learner.variable, NULL};
    return tty_open(80, 24, program, environment);
}

static void a_class_votes_and_answers_the_exit_questions(void **state) {
    (void)state;
    run(&teacher, "class", "new", folder, NULL);
    run(&learner, "class", "join", folder, NULL);
    struct tty *l = learn("1.3");
    tty_wait(l, "least that a GPU can then keep");
    struct tty *t = present(60, 18, "1.3", true, false);
    assert_false(tty_has(t, "alone"));
    tty_type(t, "v");
    tty_wait(t, "0 of 1 answered, alone");
    tty_wait_row(l, 22, "Your teacher asks: What is the least");
    tty_type(l, "v");
    tty_wait_row(l, 0, "Your teacher asks");
    golden_is("journey", "vote", tty_text(l));
    tty_type(l, "3");
    tty_wait(l, "You chose 3.");
    tty_wait(t, "1 of 1 answered, alone");
    golden_is("journey", "present-alone", tty_text(t));
    tty_type(t, "v");
    tty_wait_row(l, 22, "Your teacher asks again, after talking");
    tty_type(l, "v<Down><Enter>");
    tty_wait(t, "1 of 1 answered, after talking");
    assert_false(tty_has(t, "✓"));
    tty_type(t, "v");
    tty_wait(t, "✓  about 31.4 GB");
    golden_is("journey", "present-shown", tty_text(t));
    tty_type(t, "X");
    tty_wait(t, "the class has missed no problem yet");
    tty_type(l, "<F5>]]]]]]]"); /* to a worksheet, answered wrong */
    tty_wait(l, "Your turn: line by line");
    /* so exact that it is no mistake's, whatever the numbers of this class are */
    tty_type(l, "0.0123456789 GB<Enter>");
    tty_wait(l, "GB is not it");
    tty_type(l, "<Enter>0.0124456789 GB<Enter><Enter>0.0125456789 GB<Enter>");
    tty_wait(l, "0 of 3 lines are right");
    tty_type(l, "<Esc>q");
    assert_int_equal(tty_end(l), 0);
    tty_type(t, "<Esc>");
    assert_int_equal(tty_end(t), 0);
    t = present(60, 18, "1.3", true, false);
    tty_type(t, "X");
    tty_wait(t, "Your turn: line by line");
    tty_wait(t, "0 of 1");
    l = learn("1.1");
    tty_wait_row(l, 22, "Your teacher has exit questions for you.");
    tty_send(l, "\033x", 2); /* an answer can be typed here */
    tty_wait_row(l, 0, "Exit questions");
    tty_type(l, "<Esc><Esc>q");
    assert_int_equal(tty_end(l), 0);
    tty_type(t, "X");
    tty_wait(t, "How many were right at their first answer");
    tty_type(t, "<End>");
    tty_wait_row(t, 0, "The opening guess, again");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

/* What the teacher says reaches a learner in line mode who waits at a prompt. */
static void a_line_of_the_teacher_reaches_line_mode(void **state) {
    const char *const program[] = {getenv("ZEROTUTOR"), "learn", "1.1", "--linear", NULL};
    const char *const environment[] = {learner.variable, NULL};
    const char *const watching[] = {getenv("ZEROTUTOR"), "class", "watch", folder, NULL};
    const char *const at[] = {teacher.variable, NULL};
    (void)state;
    run(&teacher, "class", "new", folder, NULL);
    run(&learner, "class", "join", folder, NULL);
    struct tty *l = tty_open(80, 24, program, environment);
    tty_wait(l, "in GB>");
    struct tty *t = tty_open(80, 24, watching, at);
    tty_wait_row(t, 23, "to all");
    tty_type(t, "NLook up now.<Enter>");
    tty_wait(l, "Your teacher: Look up now.");
    tty_kill(l);
    tty_kill(t);
}

static void slides_fit_the_wall(void **state) {
    static const struct {
        const char *name, *lesson, *keys;
        int columns, rows;
        bool plain;
    } rows[] = {
        {"present-first", "1.3", "", 60, 18, false},
        {"present-figure", "1.3", "<Right><Right><Right>", 60, 18, false},
        {"present-answer", "1.3", "<Space>", 80, 24, false},
        {"present-wide", "1.3", "<Right><PgDn><Enter>", 120, 40, false},
        {"present-tall", "1.3", "<Right><Right><Right>", 200, 60, false},
        {"present-ascii", "1.3", "<Right><Right><Right>", 80, 24, true},
        {"present-goes-on", "1.3", "<End><PgUp><PgUp><PgUp><PgUp><PgUp><PgUp><PgUp>", 60, 18,
         false},
        {"present-play", "1.4", "<Home><Right><Right><Right>", 60, 18, false},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct tty *t =
            present(rows[i].columns, rows[i].rows, rows[i].lesson, false, rows[i].plain);
        tty_type(t, rows[i].keys);
        tty_settle(t);
        golden_is("journey", rows[i].name, tty_text(t));
        for (int r = 0; rows[i].plain && r < rows[i].rows; r++)
            for (int c = 0; c < rows[i].columns; c++)
                assert_int_equal(tty_at(t, r, c).colour, TTY_DEFAULT);
        char third[1000];
        snprintf(third, sizeof third, "%s", tty_row(t, 3));
        tty_type(t, "v"); /* without a class there is no vote, and the slide stays where it is */
        tty_wait(t, "v does nothing here");
        assert_string_equal(third, tty_row(t, 3));
        tty_type(t, "q");
        assert_int_equal(tty_end(t), 0);
    }
}

/* No slide of the course has lost its sentence, or a figure that cannot be drawn. */
static void every_lesson_can_be_shown(void **state) {
    (void)state;
    json_t *course = base_json_read_file("lessons/course.json", NULL);
    const json_t *phase, *lesson;
    size_t p, i, shown = 0;
    json_array_foreach(json_object_get(course, "phases"), p, phase) {
        json_array_foreach(json_object_get(phase, "lessons"), i, lesson) {
            const char *id = base_json_text(lesson, "id", "");
            if (!*base_json_text(lesson, "file", "")) continue;
            struct tty *t = present(60, 18, id, false, false);
            char last[16] = "";
            if (tty_has(t, ", 1 of ")) tty_fail(t, "%s: the opening does not fit", id);
            while (strcmp(last, tty_row(t, 0) + 50) != 0) {
                snprintf(last, sizeof last, "%s", tty_row(t, 0) + 50);
                if (!*tty_row(t, 2)) tty_fail(t, "%s: an empty slide", id);
                assert_false(tty_has(t, "cannot be"));
                tty_type(t, "<Space>");
                assert_false(tty_has(t, "cannot be"));
                tty_type(t, "<Right>");
            }
            shown++;
            tty_type(t, "q");
            assert_int_equal(tty_end(t), 0);
        }
    }
    assert_true(shown >= 10);
    json_decref(course);
}

#define IN_CLASS(test) cmocka_unit_test_setup_teardown(test, open_class, close_class)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_CLASS(a_class_votes_and_answers_the_exit_questions),
        IN_CLASS(a_line_of_the_teacher_reaches_line_mode),
        IN_CLASS(slides_fit_the_wall),
        IN_CLASS(every_lesson_can_be_shown),
    };
    return cmocka_run_group_tests_name("present", tests, NULL, NULL);
}
