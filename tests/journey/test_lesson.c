/* Lesson 1.1 from its first step to its last, wrong and right answers given, three times: without a
 * skin, through a pipe in linear mode, and at a full screen. All three leave the same record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "journey/keys.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static struct home fresh, plain, screen, rehearsed;
static const struct rehearsal_way ONCE_WRONG = {.wrong = 1};
static struct rehearsal lines;
static char *expected;

static int rehearse_once(void **state) {
    (void)state;
    struct base_message m = {0};
    fresh = home_new("fresh");
    struct store *s = store_open(fresh.store, &m);
    if (!s) return -1;
    store_close(s);
    plain = home_copy(&fresh, "plain");
    screen = home_copy(&fresh, "screen");
    rehearsed = home_copy(&fresh, "rehearsed");
    if (!rehearse(rehearsed.store, "1.1", ONCE_WRONG, &lines, &m)) {
        fprintf(stderr, "%s\n", m.what);
        return -1;
    }
    expected = home_answers(&rehearsed);
    return 0;
}

static int clean_up(void **state) {
    (void)state;
    free(expected);
    rehearsal_free(&lines);
    struct home *all[] = {&fresh, &plain, &screen, &rehearsed};
    for (size_t i = 0; i < BASE_COUNT(all); i++) home_remove(all[i]);
    return 0;
}

static void the_record_has_wrong_and_right_answers(void **state) {
    (void)state;
    assert_non_null(strstr(expected, "| right |"));
    assert_non_null(strstr(expected, "| mistake |"));
    assert_non_null(strstr(expected, "| noted |"));
    assert_true(lines.count > 30);
}

static void linear_mode_leaves_the_same_record(void **state) {
    (void)state;
    char *command = base_format("%s '%s' learn 1.1 --linear >'%s/out'", plain.variable,
                                getenv("ZEROTUTOR"), plain.folder);
    FILE *pipe = popen(command, "w");
    assert_non_null(pipe);
    for (size_t i = 0; i < lines.count; i++) fprintf(pipe, "%s\n", lines.said[i].text);
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    char *got = home_answers(&plain);
    assert_string_equal(got, expected);
    free(got);
    free(command);
}

static void input_that_ends_mid_lesson_is_exit_one(void **state) {
    (void)state;
    struct home h = home_copy(&fresh, "short");
    char *command = base_format("printf '1\\n' | %s '%s' learn 1.1 --linear >/dev/null", h.variable,
                                getenv("ZEROTUTOR"));
    int status = system(command);
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_int_equal(home_count(&h), 1);
    home_remove(&h);
    free(command);
}

static void full_screen_leaves_the_same_record(void **state) {
    (void)state;
    struct tty *t = tty_open(
        80, 24, (const char *const[]){getenv("ZEROTUTOR"), "learn", "1.1", NULL},
        (const char *const[]){screen.variable, "NO_MOTION=1", NULL}); /* its lab is not slowed */
    tty_wait(t, "step 1 /");
    for (size_t i = 0; i < lines.count; i++) press(t, &lines.said[i]);
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
    char *got = home_answers(&screen);
    assert_string_equal(got, expected);
    free(got);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_record_has_wrong_and_right_answers),
        cmocka_unit_test(linear_mode_leaves_the_same_record),
        cmocka_unit_test(input_that_ends_mid_lesson_is_exit_one),
        cmocka_unit_test(full_screen_leaves_the_same_record),
    };
    return cmocka_run_group_tests(tests, rehearse_once, clean_up);
}
