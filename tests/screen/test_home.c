/* Home on day two: drawn at all sizes, and gone through with keys and mouse in a terminal. */
#include "launch.h"
#include "place.h"

#include "screen/screen.h"
#include "session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_DAY  "1780480800"
#define SECOND_DAY "1780567200"

static void go_through(struct learner *who, const char *lesson, const char *step) {
    struct base_message m = {0};
    struct session *s = session_open(who, lesson, &m);
    if (!s) fail_msg("%s", m.what);
    while (lesson_asked(session_dialogue(s)) &&
           !(step && strcmp(lesson_where(session_dialogue(s)), step) == 0))
        session_do(s, &(struct lesson_action){.kind = LESSON_DO_NEXT});
    session_close(s);
}

/* 1.1 was gone through the day before, 1.2 was left, and a job was kept. */
static int open_second_day(void **state) {
    struct base_message m = {0};
    if (place_open(state) != 0) return -1;
    place_course();
    setenv("ZEROTUTOR_NOW", FIRST_DAY, 1);
    struct learner *who = session_learner_open(NULL, &m);
    if (!who) fail_msg("%s", m.what);
    go_through(who, "1.1", NULL);
    go_through(who, "1.2", "by-hand");
    if (!session_learner_set_job(who, "Llama 3.1 8B, 4 × RTX 4090", &m)) fail_msg("%s", m.what);
    session_learner_close(who);
    setenv("ZEROTUTOR_NOW", SECOND_DAY, 1);
    return 0;
}

/* ── drawn ─────────────────────────────────────────────────────────────────────────────────────*/
static const struct picture {
    const char *name, *lesson, *keys;
    int columns, rows;
    bool ascii;
} PICTURES[] = {
    {"two-home", NULL, "", 80, 24, false},
    {"two-home-ascii", NULL, "", 80, 24, true},
    {"two-home-low", NULL, "", 60, 18, false},
    {"two-home-narrow", NULL, "", 40, 12, false},
    {"two-home-wide", NULL, "", 120, 40, false},
    {"two-home-next-wide", NULL, "jjjj", 120, 40, true},
    {"two-home-tree-wide", NULL, "<End><Up><Up><Up><Up><Up>", 120, 40, false},
    {"two-home-play-wide", NULL, "jjjjjjjj", 120, 40, false},
    {"two-home-tall", NULL, "", 200, 60, false},
    {"two-home-phase", NULL, "jjjjjjjjj", 80, 24, false},
    {"two-job", NULL, "J", 80, 24, false},
    {"two-job-tall", NULL, "J", 200, 60, false},
    {"two-job-wrong", NULL, "J<C-u>70B<Enter>", 80, 24, false},
    {"two-job-narrow", NULL, "J<C-u>70B<Enter>", 40, 12, true},
    {"two-case", NULL, "C", 80, 24, false},
    {"two-case-settled", NULL, "C1<Enter>", 120, 40, false},
    {"two-case-answered", NULL, "C1<Enter><Enter>", 80, 24, false},
    {"two-suspended", NULL, "rz<Esc>Z", 80, 24, false},
    {"two-slid", "1.2", "]<F5>J", 80, 24, false},
};

static void is_drawn_as_before(void **state) {
    const struct picture *p = *state;
    struct base_message m = {0};
    struct screen_shot shot = {.lesson = p->lesson,
                               .keys = p->keys,
                               .columns = p->columns,
                               .rows = p->rows,
                               .ascii = p->ascii};
    char *path = base_format("tests/screen/golden/%s.txt", p->name);
    size_t length;
    open_second_day(NULL);
    char *drawn = screen_picture(&shot, &m);
    place_close(NULL);
    if (!drawn) fail_msg("%s: %s", p->name, m.what);
    if (getenv("GENERATE")) assert_true(base_file_write(path, drawn, strlen(drawn), &m));
    char *golden = base_file_read(path, 1 << 20, &length, &m);
    if (!golden || strcmp(golden, drawn) != 0)
        fail_msg("%s is drawn otherwise than in %s:\n%s", p->name, path, drawn);
    free(golden);
    free(drawn);
    free(path);
}

/* ── in a terminal ─────────────────────────────────────────────────────────────────────────────*/
static void a_job_is_typed_and_kept(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait(t, "Even stage 3 needs");
    tty_type(t, "J");
    tty_wait_row(t, 0, "My job");
    tty_type(t, "<C-u>70B<Enter>");
    tty_wait(t, "no GPUs are named");
    tty_type(t, "<C-u>--model llama-2-7b --gpus 8 --gpu a100-80g<Enter>");
    tty_wait(t, "Stage 1 fits");
    tty_type(t, "J<C-u><Enter>");
    tty_wait(t, "Keep here what you want to train");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

static void the_case_is_settled_with_the_mouse(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 120, .rows = 40});
    (void)state;
    tty_wait(t, "Case of the week");
    tty_click(t, "Case of the week");
    tty_wait_row(t, 0, "never graded");
    tty_click(t, "1 ");
    tty_settle(t);
    tty_click(t, "1 "); /* the one under the cursor */
    tty_wait_row(t, -1, "⏎ next");
    tty_type(t, "<Enter>");
    tty_wait(t, "answered");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

/* Where the heading was, something else comes to lie: the second click does not open that. */
static void a_double_click_only_unfolds_a_phase(void **state) {
    struct tty *t = launch((struct launch_options){.rows = 27});
    int row, column;
    char keys[64];
    (void)state;
    tty_wait(t, "2  Sharding one tensor");
    assert_true(tty_find(t, "2  Sharding one tensor", &row, &column));
    snprintf(keys, sizeof keys, "<click:%d,%d>", column + 1, row + 1);
    tty_type(t, keys);
    tty_wait(t, "▸ 2.1");
    tty_type(t, keys);
    tty_settle(t);
    assert_true(tty_has(t, "▸ 2.1"));
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

static void the_step_that_was_left_opens(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 120, .rows = 40});
    (void)state;
    tty_click(t, "Where you were");
    tty_wait_row(t, 0, "step 4 / 12");
    tty_kill(t);
}

static void a_suspended_question_is_taken_back(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait_row(t, -1, "⏎ review");
    tty_type(t, "rz");
    tty_wait(t, "Suspended. It will not be asked again.");
    tty_type(t, "<Esc>");
    tty_wait(t, "The rest stays due.");
    tty_type(t, "Z");
    tty_wait_row(t, 0, "no review asks these");
    tty_type(t, "<Enter>");
    tty_wait(t, "again when it is due");
    tty_wait(t, "Nothing is suspended.");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

#define JOURNEY(name) cmocka_unit_test_setup_teardown(name, open_second_day, place_close)

int main(int argc, char **argv) {
    enum { COUNT = BASE_COUNT(PICTURES), JOURNEYS = 5 };
    struct CMUnitTest tests[COUNT + JOURNEYS] = {
        JOURNEY(a_job_is_typed_and_kept),
        JOURNEY(the_step_that_was_left_opens),
        JOURNEY(the_case_is_settled_with_the_mouse),
        JOURNEY(a_double_click_only_unfolds_a_phase),
        JOURNEY(a_suspended_question_is_taken_back),
    };
    launch_main(argc, argv);
    for (size_t i = 0; i < COUNT; i++)
        tests[i + JOURNEYS] = (struct CMUnitTest){.name = PICTURES[i].name,
                                                  .test_func = is_drawn_as_before,
                                                  .initial_state = (void *)(uintptr_t)&PICTURES[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
