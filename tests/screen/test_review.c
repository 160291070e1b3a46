/* A review on the full screen, from home to its end, a day after the course's first lesson. */
#include "launch.h"
#include "place.h"
#include "session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define THIRD_DAY "1780653600"

static void ask_through(struct tty *t, int from, int to, const char *keys) {
    char far[16];
    for (int i = from; i <= to; i++) {
        snprintf(far, sizeof far, "%d of 9", i);
        tty_wait_row(t, 0, far);
        bool card = tty_has(t, "⏎ turn");
        tty_type(t, card ? "<Enter>" : "<F5>");
        if (!card) continue;
        tty_wait_row(t, -1, "1 knew it");
        tty_type(t, keys);
        tty_wait(t,
                 strcmp(keys, "1") == 0 ? "You will see this again" : "This comes back tomorrow");
        tty_type(t, "<Enter>");
    }
}

static void from_home_to_its_end(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait_row(t, -1, "⏎ review");
    tty_wait(t, "9 new");
    tty_type(t, "j"); /* what is due lies above the lessons, and comes first */
    tty_wait_row(t, -1, "⏎ open");
    tty_type(t, "kkk");
    tty_wait_row(t, -1, "⏎ review");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, " min left   ○○○○○○○○○");
    ask_through(t, 1, 1, "1");
    tty_wait_row(t, 0, " min left   ●○○○○○○○○");
    ask_through(t, 2, 9, "2");
    tty_wait_row(t, 0, "   ●–◔–◔◔◔◔◔"); /* the two problems were passed over */
    assert_null(strstr(tty_row(t, 0), "left"));
    tty_wait(t, "You knew 1 of 7.");
    tty_wait(t, "Stronger now:");
    tty_wait_row(t, 0, "result");
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "⏎ open");
    tty_wait(t, "2 new"); /* what was passed over */
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

/* Enter turns a card and nothing more, however long it is held; what a search finds might be its
 * back. */
static void enter_alone_grades_no_card(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "review"});
    (void)state;
    tty_wait_row(t, 0, "1 of 9");
    assert_false(tty_has(t, "/ search"));
    tty_type(t, "/");
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "1 knew it");
    assert_false(tty_has(t, "▸"));
    tty_type(t, "<Enter>");
    tty_wait(t, "choose a line first");
    tty_type(t, "<Enter>"); /* said each time: a key that only waits for something is not dead */
    tty_settle(t);
    assert_true(tty_has(t, "choose a line first"));
    assert_false(tty_has(t, "You will see this again"));
    tty_type(t, "<Down><Enter>");
    tty_wait(t, "You will see this again");
    tty_kill(t);
}

/* What a word on a card means may be its back, which the glossary would tell; F5 passes over it. */
static void an_unturned_card_keeps_its_answer(void **state) {
    (void)state;
    struct tty *t = launch((struct launch_options){.lesson = "review"});
    tty_wait_row(t, 0, "1 of 9");
    tty_wait_row(t, -1, "⏎ turn");
    tty_type(t, "g");
    tty_wait(t, "Turn the card first");
    tty_wait_row(t, 0, "1 of 9");
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "1 knew it");
    tty_type(t, "g"); /* now it explains, or lists all */
    tty_wait_row(t, -1, "Esc back");
    tty_kill(t);
    t = launch((struct launch_options){.lesson = "review"});
    tty_wait_row(t, -1, "⏎ turn");
    tty_wait_row(t, -1, "F5 skip");
    tty_type(t, "<F5>");
    tty_wait_row(t, 0, "2 of 9");
    assert_false(tty_has(t, "You will see this again"));
    tty_kill(t);
}

/* Tries are counted from the first lesson on: nothing that helps today. */
static void it_does_not_count_tries(void **state) {
    (void)state;
    struct tty *t = launch((struct launch_options){.lesson = "review"});
    tty_wait_row(t, 0, "1 of 9");
    ask_through(t, 1, 1, "2");
    tty_kill(t);
    setenv("ZEROTUTOR_NOW", THIRD_DAY, 1);
    t = launch((struct launch_options){.lesson = "review"});
    tty_wait_row(t, 0, "1 of ");
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "1 knew it");
    assert_false(tty_has(t, "try "));
    tty_kill(t);
}

/* A card that was passed over is not done, and where a problem was taught is not part of its
 * working. */
static void a_right_answer_and_a_skipped_card(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "review", .columns = 120, .rows = 40});
    int row, column, taught;
    double size;
    (void)state;
    tty_wait_row(t, 0, "1 of 9");
    tty_type(t, "]");
    tty_wait(t, "Now a");
    assert_true(tty_find(t, "Now a", &row, &column));
    assert_int_equal(sscanf(tty_row(t, row), " Now %*[an] %lfB", &size), 1);
    char *keys = base_format("%g<Enter>", 16 * size);
    tty_type(t, keys);
    free(keys);
    tty_wait(t, "You will see this again");
    tty_wait(t, "○ Bytes per parameter");
    tty_wait(t, "● The same for another size");
    assert_true(tty_find(t, "in total", &row, &column) &&
                tty_find(t, "Taught in", &taught, &column));
    assert_true(taught == row + 2 && column == 1);
    tty_kill(t);
}

static void an_answer_is_taken_back_and_a_thing_left_out(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "review"});
    (void)state;
    tty_wait_row(t, 0, "1 of 9");
    assert_false(tty_has(t, "undo"));
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "2 did not");
    tty_type(t, "2");
    tty_wait_row(t, -1, "u undo");
    tty_type(t, "u");
    tty_wait_row(t, -1, "⏎ turn");
    tty_wait_row(t, 0, "1 of 9");
    tty_type(t, "z");
    tty_wait_row(t, 0, "2 of 9");
    tty_wait(t, "Suspended. It will not be asked again. F9 takes it back.");
    tty_type(t, "<Esc>");
    tty_wait(t, "The rest stays due.");
    tty_wait(t, "8 new"); /* nothing takes its place today */
    tty_kill(t);
}

static void the_mouse_answers_and_home_counts_the_days(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 120, .rows = 40});
    (void)state;
    tty_wait(t, "9 new");
    tty_click(t, "1.2  Plain data"); /* what comes after it today, above the list */
    tty_wait(t, "▸  6 min");
    tty_click(t, "1.2  Plain data");
    tty_wait_row(t, 0, "1.2  Plain data");
    tty_type(t, "<Esc>");
    tty_wait(t, "9 new");
    tty_click(t, "9 new");
    tty_wait(t, "▸  5 min");
    tty_click(t, "9 new");
    tty_wait_row(t, 0, "1 of 9");
    tty_click(t, "⏎ turn");
    tty_wait(t, "I did not");
    tty_click(t, "2 did not");
    tty_wait(t, "This comes back tomorrow");
    tty_type(t, "<Esc>");
    tty_wait(t, " new");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
    setenv("ZEROTUTOR_NOW", THIRD_DAY, 1);
    t = launch((struct launch_options){.ascii = true, .columns = 60, .rows = 18});
    tty_wait(t, "1 weak, 8 new");
    tty_wait_row(t, -1, "Enter review");
    tty_type(t, "r");
    tty_wait_row(t, 0, "1 of 9");
    tty_wait_row(t, 0, " min left   .........");
    tty_resize(t, 40, 18); /* which has no room for the signs */
    tty_wait_row(t, 0, "1 of 9");
    tty_wait_row(t, 0, " min left");
    assert_null(strstr(tty_row(t, 0), "."));
    tty_kill(t);
}

#define JOURNEY(name) cmocka_unit_test_setup_teardown(name, place_second_day, place_close)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        JOURNEY(from_home_to_its_end),
        JOURNEY(enter_alone_grades_no_card),
        JOURNEY(an_unturned_card_keeps_its_answer),
        JOURNEY(it_does_not_count_tries),
        JOURNEY(a_right_answer_and_a_skipped_card),
        JOURNEY(an_answer_is_taken_back_and_a_thing_left_out),
        JOURNEY(the_mouse_answers_and_home_counts_the_days),
    };
    launch_main(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
