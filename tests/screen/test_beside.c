/* What a learner opens under a lesson's page or next to it: its sources, and the scratch paper. */
#include "launch.h"
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

static void esc_closes_the_sources_before_the_lesson(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, -1, "F8 sources");
    tty_type(t, "<F8>");
    tty_wait(t, "• A paper, section 3.1");
    tty_type(t, "<Esc>");
    tty_wait_gone(t, "• A paper");
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "<F8>");
    tty_wait(t, "• A paper, section 3.1");
    tty_type(t, "<F8>");
    tty_wait_gone(t, "• A paper");
    tty_type(t, "<Esc>");
    tty_wait(t, "You left 1.1 at step 1 of 13");
    tty_kill(t);
}

/* It lies there when the lesson is opened again, closed; a page without room for it keeps it. */
static void the_scratch_paper_stays(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1", .columns = 120, .rows = 40});
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "/number<Enter>");
    tty_wait(t, "your answer, in GB");
    tty_type(t, "<F4>2*13G<Enter><Esc>");
    tty_wait(t, "2*13G = 26 GB");
    tty_type(t, "<Esc>");
    tty_wait_gone(t, "2*13G = 26 GB");
    tty_type(t, "<Enter>");
    tty_wait(t, "2*13G = 26 GB");
    tty_type(t, "48");
    tty_wait_row(t, -1, "⏎");
    tty_wait(t, "48");
    tty_resize(t, 80, 24);
    tty_wait_gone(t, "2*13G = 26 GB");
    tty_resize(t, 120, 40);
    tty_wait(t, "2*13G = 26 GB");
    tty_kill(t);
}

#define JOURNEY(name) cmocka_unit_test_setup_teardown(name, place_open, place_close)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        JOURNEY(esc_closes_the_sources_before_the_lesson),
        JOURNEY(the_scratch_paper_stays),
    };
    launch_main(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
