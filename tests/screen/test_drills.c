/* Myths and an interview on the full screen, after the course's first lesson. */
#include "launch.h"
#include "place.h"
#include "session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* Goes through the first two lessons without an answer. */
static int open_later(void **state) {
    static const char *const lessons[] = {"1.1", "1.2"};
    struct base_message m = {0};
    if (place_open_course(state) != 0) return -1;
    struct learner *who = session_learner_open(NULL, &m);
    for (size_t i = 0; who && i < 2; i++) {
        struct session *s = session_open(who, lessons[i], &m);
        while (s && lesson_asked(session_dialogue(s)))
            session_do(s, &(struct lesson_action){.kind = LESSON_DO_NEXT});
        session_close(s);
    }
    if (who) session_learner_close(who);
    return *m.what ? -1 : 0;
}

static void set_clock(int seconds) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(NULL, &m);
    assert_true(who && session_learner_set_interview(who, seconds, &m));
    session_learner_close(who);
}

static void myths_lead_to_their_lessons_and_end(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "myths"});
    (void)state;
    tty_wait_row(t, 0, "1 of 2");
    bool is_true = tty_has(t, "Under DDP"); /* they come in any order, and one is true */
    tty_type(t, is_true ? "2<Enter>" : "1<Enter>");
    tty_wait(t, is_true ? "No, it is true." : "No, it is false.");
    tty_wait(t, "Taught in 1.");
    tty_wait_row(t, -1, "1 open it");
    assert_false(tty_has(t, "← back"));
    tty_type(t, "1");
    tty_wait_row(t, 0, "step");
    tty_wait_row(t, 0, "1.");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "1 of 2");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "2 of 2");
    tty_type(t, is_true ? "2<Enter>" : "1<Enter>");
    tty_wait(t, is_true ? "Right, it is false." : "Right, it is true.");
    tty_type(t, "<Enter>");
    tty_wait(t, "1 of 2 right.");
    tty_wait(t, "Worth another look:");
    tty_wait_row(t, -1, "1 open it");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "zerotutor");
    tty_kill(t);
}

static void myths_by_mouse_in_a_low_window(void **state) {
    struct tty *t = launch(
        (struct launch_options){.lesson = "myths", .ascii = true, .columns = 60, .rows = 18});
    (void)state;
    tty_wait_row(t, 0, "1 of 2");
    tty_click(t, "2 false");
    tty_click(t, "Enter choose");
    tty_wait(t, "Taught in 1.");
    tty_click(t, "1 open it");
    tty_wait_row(t, 0, " / ");
    tty_kill(t);
}

static void an_interview_counts_down(void **state) {
    (void)state;
    set_clock(90);
    struct tty *t =
        launch((struct launch_options){.lesson = "interview", .columns = 120, .rows = 40});
    tty_wait_row(t, 0, "1:2");
    tty_wait_row(t, 0, "1 of 2");
    tty_type(t, "<Enter>");
    tty_wait(t, "Now compare it with these points.");
    assert_null(strstr(tty_row(t, 0), "1:2"));
    tty_type(t, "<Enter>");
    tty_wait(t, "tick with Space what you covered; Enter again: none of it");
    tty_type(t, "1<Enter>");
    tty_wait(t, "Still missing:");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "2 of 2");
    tty_type(t, "<F5>"); /* nothing is typed */
    tty_wait(t, "Which of these did you cover?");
    tty_type(t, "<F5>");
    tty_wait(t, "One way to say it:");
    tty_type(t, "<Enter>");
    tty_wait(t, "points covered. You skipped 1.");
    tty_wait(t, "Worth another look:");
    tty_kill(t);
}

static void the_clock_runs_out_and_cuts_nothing_off(void **state) {
    (void)state;
    set_clock(1);
    struct tty *t = launch((struct launch_options){.lesson = "interview"});
    tty_wait_row(t, 0, "time is up");
    tty_type(t, "It is this<Enter>");
    tty_wait(t, "Now compare it with these points.");
    tty_kill(t);
}

/* 1.1 is opened there next. */
static void stand_at(const char *step) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(NULL, &m);
    if (!who) fail_msg("%s", m.what);
    struct lesson_journal j = store_journal(session_learner_store(who));
    struct lesson_place place = {0};
    snprintf(place.step, sizeof place.step, "%s", step);
    assert_true(j.place_set(j.self, "1.1", &place, &m));
    session_learner_close(who);
}

/* On the page that says why there is a master copy. */
static void a_page_has_other_words(void **state) {
    (void)state;
    stand_at("why-master");
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    tty_wait(t, "Why a second copy");
    tty_wait_row(t, -1, "T briefly");
    tty_wait_row(t, -1, "M slowly");
    tty_type(t, "T");
    tty_wait(t, "a small update to a weight of 1 rounds away");
    tty_type(t, "M");
    tty_wait(t, "Let us go through them one by one.");
    tty_type(t, "M");
    tty_wait(t, "The optimizer takes 12 of the 16 bytes. Adam keeps");
    tty_click(t, "T briefly");
    tty_wait(t, "a small update to a weight of 1 rounds away");
    tty_kill(t);
}

/* Everything was gone through; 4.1 is at its last page. */
/* All but the last page of the last lesson. */
static void finish_course(void) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(NULL, &m);
    if (!who) fail_msg("%s", m.what);
    const struct lesson_course *c = session_learner_course(who);
    struct lesson_journal j = store_journal(session_learner_store(who));
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY)
            assert_true(j.place_set(j.self, c->lesson[i].id,
                                    &(struct lesson_place){
                                        .step = "recap",
                                        .finished = strcmp(c->lesson[i].id, "4.1") != 0,
                                    },
                                    &m));
    session_learner_close(who);
}

static void the_end_of_the_course_leads_on(void **state) {
    (void)state;
    struct tty *t = launch((struct launch_options){0});
    tty_wait_row(t, -1, "⏎ open");
    assert_false(tty_has(t, "what next"));
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
    finish_course();
    t = launch((struct launch_options){.lesson = "4.1"});
    tty_wait(t, "To take away");
    tty_type(t, "<Enter>");
    tty_wait(t, "You went through every lesson of the course.");
    tty_click(t, "W what next");
    tty_wait(t, "Four ways on");
    tty_type(t, "<Esc>");
    tty_wait_row(t, -1, "W what next");
    tty_type(t, "W");
    tty_wait(t, "Four ways on");
    tty_type(t, "<Enter><Enter><Enter>");
    tty_wait(t, "The manuals");
    tty_kill(t);
}

static void what_is_wrong_is_reported(void **state) {
    (void)state;
    struct tty *t = launch((struct launch_options){.lesson = "myths"});
    tty_wait_row(t, 0, "1 of 2");
    tty_type(t, "1<Enter>");
    tty_wait(t, "Taught in 1.");
    tty_type(t, "e");
    tty_wait(t, "What is wrong here? It goes into a file");
    tty_type(t, "<Enter>");
    tty_wait(t, "Not reported: say in a few words what is wrong");
    tty_type(t, "It is true<Enter>");
    tty_wait(t, "Reported in ");
    tty_type(t, "e");
    tty_wait(t, "What is wrong here?");
    tty_type(t, "no<Esc>");
    tty_wait_gone(t, "What is wrong here?");
    assert_false(tty_has(t, "Reported"));
    tty_kill(t);
    set_clock(0);
    t = launch((struct launch_options){.lesson = "interview"}); /* where letters are typed */
    tty_wait(t, "Say it aloud, or type it.");
    tty_type(t, "e<C-d>");
    tty_wait(t, "What is wrong here?");
    tty_type(t, "All<Enter>");
    tty_wait(t, "Reported in ");
    tty_kill(t);
}

#define JOURNEY(name) cmocka_unit_test_setup_teardown(name, open_later, place_close)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        JOURNEY(myths_lead_to_their_lessons_and_end),
        JOURNEY(myths_by_mouse_in_a_low_window),
        JOURNEY(an_interview_counts_down),
        JOURNEY(a_page_has_other_words),
        JOURNEY(the_end_of_the_course_leads_on),
        JOURNEY(what_is_wrong_is_reported),
        JOURNEY(the_clock_runs_out_and_cuts_nothing_off),
    };
    launch_main(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
