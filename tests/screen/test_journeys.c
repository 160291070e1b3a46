/* Journeys through the app as a learner takes them, in a real terminal. */
#include "launch.h"
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void home_to_lesson_and_back(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait_row(t, -1, "⏎ open");
    assert_true(tty_full_screen(t));
    tty_wait(t, "▸ 1.1  A sample of everything");
    tty_type(t, "j");
    tty_wait(t, "▸ 1.2");
    tty_type(t, "<Up><Enter>");
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "step 2 / 13");
    tty_type(t, "<Esc>");
    tty_wait(t, "goes on at step 2");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

/* However many ranks there are, the step's title stands above the play and its keys below. */
static void a_play_keeps_its_title_and_its_controls(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "tests/screen/lessons/labs.lua"});
    (void)state;
    tty_wait_row(t, 0, "A ring");
    for (int ranks = 5; ranks <= 8; ranks++) {
        char said[32], moved[32];
        snprintf(said, sizeof said, "start   ranks %d", ranks);
        snprintf(moved, sizeof moved, "hop 1 of %d   ranks %d", 2 * (ranks - 1), ranks);
        tty_type(t, "n");
        tty_wait_row(t, 22, said);
        tty_type(t, "<Right><Right>");
        tty_wait_row(t, 22, moved);
        tty_wait_row(t, 0, "A ring");
        tty_wait_row(t, -1, "← → step");
    }
    tty_type(t, "n");
    tty_wait_row(t, 22, "start   ranks 2");
    tty_type(t, "N");
    tty_wait_row(t, 22, "start   ranks 8");
    tty_kill(t);
}

/* It goes by until it asks, once; goes on with the answer, and stands still at its end. */
static void a_play_goes_by_and_stops_once(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "tests/screen/lessons/labs.lua"});
    (void)state;
    tty_wait_row(t, -1, "space play");
    tty_type(t, "+++<Space>");
    tty_wait_row(t, 22, "? How many hops");
    tty_wait_row(t, -1, "0–9 answer");
    tty_type(t, "3");
    tty_wait(t, "3, as you said.");
    tty_wait_row(t, 22, "hop 6 of 6");
    tty_wait_row(t, -1, "space play");
    tty_type(t, "<Space>");
    tty_wait_row(t, -1, "space pause");
    tty_wait_row(t, 22, "hop 6 of 6");
    tty_wait_row(t, -1, "space play");
    tty_type(t, "r");
    tty_wait_row(t, 22, "start");
    tty_type(t, "---<Space>");
    tty_wait_row(t, -1, "space pause");
    tty_type(t, "<Space>");
    tty_wait_row(t, -1, "space play");
    tty_type(t, "<Enter>");
    tty_wait(t, "One rank weighs itself.");
    tty_kill(t);
}

/* Nothing moves by itself then; Space goes a frame on. */
static void without_motion_a_play_is_gone_through(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait_row(t, -1, "S settings");
    tty_type(t, "S<Down><Down><Down><Right>");
    tty_wait(t, "nothing moves");
    tty_type(t, "<Esc>q");
    tty_end(t);
    t = launch((struct launch_options){.lesson = "tests/screen/lessons/labs.lua"});
    tty_wait_row(t, -1, "⏎ next  ← → step");
    tty_type(t, "<Space>");
    tty_wait_row(t, 22, "hop 1 of 6");
    tty_kill(t);
}

/* What a stage shards flies apart, and then nothing wakes; the next key does what it always does,
 * though the parts are still in flight. */
static void what_flies_lands_and_rests(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "tests/screen/lessons/stages.lua"});
    (void)state;
    tty_wait(t, "▸ stage");
    tty_type(t, "<Right>");
    tty_wait(t, "3.8 GB  ▒                    ┆");
    tty_wait(t, "7.5 GB  ░░                   ┆");
    for (int i = 0; i < 4; i++) tty_settle(t); /* the last drawings look alike */
    unsigned long sleeps = tty_sleeps(t);
    tty_settle(t);
    assert_int_equal(tty_sleeps(t), sleeps);
    tty_type(t, "<Right><Right>");
    tty_wait(t, "in all                           15.0 GB");
    tty_type(t, "<Left><Enter>");
    tty_wait(t, "That was it.");
    tty_kill(t);
}

/* Every form of answer, wrong and right, from the first step to the end. */
static void a_lesson_from_first_to_last_step(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "<Enter><Enter>");
    tty_wait(t, "▸ 1 14 GB");
    tty_type(t, "<Down><Enter>");
    tty_wait(t, "✗ 2 28 GB");
    tty_wait(t, "✓ 3 112 GB");
    tty_type(t, "<Enter>");
    tty_wait(t, "▸ parameters");
    tty_type(t, "<Right>");
    tty_wait(t, "13B");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "step 5 / 13");
    tty_type(t, "<Enter>");
    tty_wait(t, "2 B × 7e9");
    tty_type(t, "<F3><Enter>");
    tty_wait(t, "your answer, in GB");
    tty_type(t, "48<Enter>");
    tty_wait(t, "✗");
    tty_wait_row(t, -1, "⏎ on, with fresh numbers");
    tty_type(t, "<Enter>");
    tty_wait_gone(t, "✗");
    tty_wait_row(t, 0, "try 2");
    tty_wait(t, "your answer, in GB");
    tty_type(t, "16*7<Enter>");
    tty_wait(t, "✓");
    tty_wait_row(t, -1, "⏎ next");
    tty_type(t, "<Enter>");
    tty_wait(t, "▸ optimizer moments");
    tty_type(t, "56<Enter>");
    tty_wait(t, "▸ in all");
    tty_type(t, "112<Enter>");
    tty_wait(t, "All 2 lines right");
    tty_type(t, "<Enter>");
    tty_wait(t, "▸ 1 params");
    tty_type(t, "<Enter>");
    tty_wait(t, "✗ 1 params");
    tty_wait(t, "✓ 2 moments");
    tty_type(t, "<Enter>");
    tty_wait(t, "▸ 1 params");
    tty_type(t, "2<Enter>");
    tty_wait(t, "✓ 2 moments");
    tty_type(t, "<Enter>");
    tty_wait(t, "Put a step in order");
    tty_type(t, "<F5>");
    tty_wait(t, "Where does each lie?");
    tty_type(t, "<Enter>");
    tty_wait(t, "put every line in a bin first");
    tty_type(t, "<F5>");
    tty_wait(t, "halves the model states");
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "⏎ next");
    tty_type(t, "<Enter>");
    tty_wait(t, "Why does it not fit?");
    tty_type(t, "because<Enter>");
    tty_wait(t, "[ ]");
    tty_type(t, "1<Down><Space>");
    tty_wait(t, "[x]");
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "next");
    tty_type(t, "<Enter>");
    tty_wait(t, "16 B × Ψ");
    tty_type(t, "<Enter>");
    tty_wait(t, "You can now count the bytes of a parameter, pile by pile.");
    tty_wait(t, "Not right at the first try, so look at these again: A number · A choice.");
    tty_wait(t, "Still open: An order · Bins · True or false?");
    tty_wait_row(t, -1, "⏎ next lesson");
    tty_type(t, "<Esc>");
    tty_wait(t, "zerotutor");
    tty_wait(t, "– skipped"); /* the order and the bins */
    tty_wait(t, "0/2");
    tty_type(t, "k<Enter>");
    tty_wait(t, "Put a step in order");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* Presses the number that stands before an option, whatever order they were shuffled into; the
 * lowest place on the screen counts. */
static void press_option(struct tty *t, const char *option) {
    char key[2] = "";
    for (int row = 0; row < tty_rows(t); row++) {
        const char *line = tty_row(t, row);
        if (strlen(line) > 8 && strstr(line, option) && line[strcspn(line, "123")])
            key[0] = line[strcspn(line, "123")];
    }
    if (!*key) tty_fail(t, "no option \"%s\"", option);
    tty_type(t, key);
}

/* Four keys from the first screen to one's own number explained. */
static void a_newcomer_is_told_where_the_guess_comes_from(void **state) {
    (void)state;
    place_course();
    struct tty *t = launch((struct launch_options){0});
    tty_wait(t, "ZeRO trains models that do not fit on one GPU");
    tty_wait(t, "ZeRO-3 on 8");
    tty_wait_row(t, -1, "⏎ start");
    int row, column, limits = 0;
    assert_true(tty_find(t, "7B, one GPU", &row, &column));
    for (int c = 0; c < tty_columns(t); c++)
        limits += strcmp(tty_at(t, row, c).text, "┆") == 0 && tty_at(t, row, c).colour == 203;
    if (limits != 1) tty_fail(t, "the card's line is not drawn in the bar, in red");
    tty_type(t, "<Enter>");
    tty_wait(t, "How many GB does");
    tty_type(t, "56<Enter>");
    tty_wait(t, "56 GB means that everything was counted in 16 bits");
    tty_wait(t, "yours");
    tty_wait(t, "32 GB too many");
    tty_wait(t, "the other 14 are for");
    assert_false(tty_has(t, "wrong"));
    tty_type(t, "r");
    tty_wait_gone(t, "56 GB means");
    tty_type(t, "40<Enter>");
    tty_wait(t, "lies between 28 GB");
    assert_false(tty_has(t, "wrong"));
    tty_kill(t);
}

static void home_is_the_course_once_something_was_begun(void **state) {
    (void)state;
    place_course();
    struct tty *t = launch((struct launch_options){0});
    tty_wait(t, "▸ Start");
    tty_type(t, "<Tab>");
    tty_wait(t, "▸ 1.1");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
    t = launch((struct launch_options){0});
    tty_wait(t, "▸ Start");
    tty_type(t, "jj");
    tty_send(t, "\r", 1); /* it plays, and does not settle */
    tty_wait_row(t, 0, "recording");
    tty_kill(t);
    t = launch((struct launch_options){0});
    tty_wait(t, "▸ Start"); /* looking is no beginning */
    tty_type(t, "<Enter><Esc>");
    tty_wait(t, "goes on at step 1");
    assert_false(tty_has(t, "Start"));
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

/* What was said to a wrong answer stays until Enter, and is one key back from the new statement,
 * where what was typed meanwhile waits. */
static void a_wrong_answer_is_read_before_the_next_try(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "/number<Enter>");
    tty_wait(t, "your answer, in GB");
    tty_type(t, "48<Enter>");
    tty_wait(t, "48 GB is not it");
    assert_false(tty_has(t, "your answer, in GB"));
    tty_type(t, "7"); /* nothing is asked here */
    tty_wait(t, "48 GB is not it");
    tty_type(t, "<Enter>");
    tty_wait(t, "The same idea with fresh numbers");
    tty_wait_gone(t, "48 GB is not it");
    tty_type(t, "16*<F7>");
    tty_wait(t, "48 GB is not it");
    tty_type(t, "<Enter>");
    tty_wait(t, "your answer, in GB  16*");
    tty_type(t, "7<Enter>");
    tty_wait(t, "Right: 112 GB");
    tty_kill(t);
}

/* After a right line of a sheet the page stays where it was scrolled to. */
static void a_right_line_keeps_the_view(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1", .columns = 60, .rows = 12});
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "/worksheet<Enter>");
    tty_wait(t, "▸ optimizer moments");
    tty_type(t, "<F2><F2><F2>");
    tty_wait(t, "8 B × 7e9");
    tty_type(t, "56<Enter>");
    tty_wait(t, "▸ in all");
    tty_wait(t, "8 B × 7e9");
    assert_false(tty_has(t, "Finish the ledger"));
    tty_kill(t);
}

static void an_order_is_given_by_numbers(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1");
    tty_type(t, "/an order");
    tty_wait(t, "one place");
    tty_type(t, "<Enter>");
    tty_wait(t, "Put a step in order");
    tty_type(t, "<Space>");
    tty_wait(t, "1 1.");
    tty_type(t, "3");
    tty_wait(t, "3 2.");
    tty_type(t, "<Enter>");
    tty_wait(t, "give every line its place first");
    tty_type(t, "<BS><BS>");
    tty_wait_gone(t, "1 1.");
    press_option(t, "update");
    press_option(t, "backward");
    press_option(t, "forward");
    tty_type(t, "<Enter>");
    tty_wait(t, "✗");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "try 2");
    press_option(t, "forward");
    press_option(t, "backward");
    press_option(t, "update");
    tty_type(t, "<Enter>");
    tty_wait(t, "✓");
    tty_wait(t, "Gradients come from backward");
    tty_kill(t);
}

static void bins_are_filled_by_arrows_and_letters(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1");
    tty_type(t, "/bins");
    tty_wait(t, "one place");
    tty_type(t, "<Enter>");
    tty_wait(t, "Where does each lie?");
    tty_type(t, "<Enter>");
    tty_wait(t, "put every line in a bin first");
    tty_type(t, "<Right>");
    tty_wait(t, "1 [params");
    tty_type(t, "<Right>");
    tty_wait(t, "1 [optimizer");
    tty_click(t, "a params");
    tty_wait(t, "1 [params");
    tty_click(t, "b optimizer");
    tty_wait(t, "2 [optimizer");
    tty_type(t, "a<Enter>");
    tty_wait(t, "✗");
    tty_kill(t);
}

static void a_killed_lesson_goes_on_where_it_was(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "<Enter><Enter><Down><Enter><Enter>");
    tty_wait_row(t, 0, "step 4 / 13");
    tty_kill(t);
    t = launch((struct launch_options){.lesson = "1.1"});
    tty_wait_row(t, 0, "step 4 / 13");
    tty_kill(t);
}

static void help_tells_the_keys_of_where_one_is(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait_row(t, -1, "help");
    tty_type(t, "?");
    tty_wait_row(t, 0, "Help: Home");
    tty_wait(t, "Quit zerotutor");
    tty_type(t, "<Esc><Enter>");
    tty_wait_row(t, 0, "step 1");
    tty_type(t, "<F1>");
    tty_wait_row(t, 0, "Help: A lesson");
    assert_false(tty_has(t, "F2"));
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

static void what_opens_the_help_closes_it(void **state) {
    static const char *const keys[] = {"<F1>", "<C-g>", "?"};
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        tty_wait_row(t, -1, "quit");
        tty_type(t, keys[i]);
        tty_wait_row(t, 0, "Help: Home");
        tty_type(t, keys[i]);
    }
    tty_wait_row(t, -1, "quit");
    tty_kill(t);
}

static void chords_stand_in_for_function_keys(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "<C-y>");
    tty_wait(t, "A paper, section 3.1");
    tty_type(t, "<C-y>");
    tty_wait_gone(t, "A paper, section 3.1");
    tty_type(t, "/number<Enter>");
    tty_wait(t, "your answer, in GB");
    tty_type(t, "12<C-r>");
    tty_wait_gone(t, "GB  12");
    tty_type(t, "<C-p>");
    tty_wait(t, "Line by line");
    tty_kill(t);
}

static void settings_hold_at_once_and_for_ever(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait_row(t, -1, "settings");
    tty_type(t, "S<Down><Right>");
    tty_wait(t, "> Characters");
    tty_wait(t, "ASCII");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
    t = launch((struct launch_options){0});
    tty_wait_row(t, -1, "Enter open");
    tty_type(t, "Sj<Left>");
    tty_wait(t, "Unicode");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

static void every_printable_key_is_typed_into_a_field(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1");
    tty_type(t, "/precision halves");
    tty_wait(t, "one place");
    tty_type(t, "<C-u>q?jk÷é");
    tty_wait_row(t, 2, "/ q?jk÷é");
    struct tty_cursor c = tty_cursor(t);
    assert_true(c.visible);
    assert_int_equal(c.row, 2);
    assert_int_equal(c.column, 4 + 6);
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

static void the_mouse_works(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait(t, "▸ 1.1");
    tty_click(t, "Two steps");
    tty_wait(t, "▸ 1.2");
    tty_click(t, "Two steps");
    tty_wait(t, "The only step");
    tty_click(t, "leave");
    tty_wait(t, "goes on at step 1");
    tty_type(t, "<wheel:up>");
    tty_wait(t, "▸ 1.1");
    tty_click(t, "quit");
    assert_int_equal(tty_end(t), 0);
}

static struct tty *open_place(struct launch_options s, const char *words, const char *question) {
    char keys[80];
    s.lesson = "1.1";
    struct tty *t = launch(s);
    tty_wait_row(t, 0, "1 / 13");
    snprintf(keys, sizeof keys, "/%s<Enter>", words);
    tty_type(t, keys);
    tty_wait(t, question);
    return t;
}

static void click_at(struct tty *t, int row, int column) {
    char key[40];
    snprintf(key, sizeof key, "<click:%d,%d>", column + 1, row + 1);
    tty_type(t, key);
}

static void a_click_on_a_track_moves_its_knob(void **state) {
    struct tty *t = open_place((struct launch_options){0}, "sliders", "▸ parameters");
    int row, first, last = 0;
    (void)state;
    assert_true(tty_find(t, "parameters", &row, &first));
    while (strcmp(tty_at(t, row, first).text, "─") != 0) first++;
    for (int c = first; c < tty_columns(t); c++)
        if (strcmp(tty_at(t, row, c).text, "─") == 0) last = c;
    click_at(t, row, last);
    tty_wait_row(t, row, "13B");
    click_at(t, row, first);
    tty_wait_row(t, row, "1B");
    click_at(t, row, (first + last) / 2);
    tty_wait_row(t, row, "7B");
    click_at(t, row + 1, last);
    tty_wait(t, "▸ precision");
    tty_wait(t, "●  fp32");
    tty_kill(t);
}

static void each_of_two_arrows_is_a_place_to_click_on(void **state) {
    struct tty *t = open_place((struct launch_options){0}, "sliders", "▸ parameters");
    int row, column;
    (void)state;
    assert_true(tty_find(t, "← → move", &row, &column));
    click_at(t, row, column);
    tty_wait(t, "1B");
    click_at(t, row, column + 2);
    click_at(t, row, column + 2);
    tty_wait(t, "13B");
    tty_kill(t);
}

static void a_click_into_a_field_moves_its_cursor(void **state) {
    static const struct {
        const char *words, *question;
    } places[] = {
        {"number",          "your answer, in GB"   },
        {"worksheet",       "▸ optimizer moments"},
        {"why does it not", "Why does it not fit"  }
    };
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct tty *t = open_place((struct launch_options){0}, places[i].words, places[i].question);
        tty_type(t, "9988");
        tty_click(t, "88");
        tty_type(t, "x");
        tty_wait(t, "99x88");
        tty_kill(t);
    }
}

/* What does not fit is shown first, and then answered. */
static void space_turns_the_page_before_it_chooses(void **state) {
    struct tty *t =
        open_place((struct launch_options){.columns = 40, .rows = 12}, "choice", "Which is");
    (void)state;
    press_option(t, "params");
    tty_type(t, "<Space>");
    tty_wait(t, "✗");
    tty_type(t, "<PgUp><PgUp>");
    tty_wait_row(t, -1, "more");
    press_option(t, "moments");
    while (!strstr(tty_row(t, tty_rows(t) - 1), "choose")) tty_type(t, "<Space>");
    assert_false(tty_has(t, "✓"));
    tty_type(t, "<Space>");
    tty_wait(t, "✓");
    tty_kill(t);
}

static void a_narrow_line_of_keys_keeps_the_way_out(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 40, .rows = 12});
    (void)state;
    tty_wait_row(t, -1, "⏎ open");
    tty_wait_row(t, -1, "q quit");
    tty_wait_row(t, -1, "? more");
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "? more");
    tty_wait_row(t, -1, "Esc leave");
    tty_type(t, "/number<Enter>");
    tty_wait_row(t, -1, "⏎ check");
    tty_wait_row(t, -1, "F1 more");
    tty_wait_row(t, -1, "Esc leave");
    tty_kill(t);
}

/* A key that does nothing says so, once; one that is meant in the other case is named. */
static void a_wrong_key_is_answered_once(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 80, .rows = 24});
    (void)state;
    tty_wait_row(t, -1, "S settings");
    tty_type(t, "z");
    tty_wait(t, "z does nothing here; ? lists the keys that do");
    tty_type(t, "z");
    tty_wait_gone(t, "does nothing here");
    tty_type(t, "s");
    tty_wait(t, "s does nothing here; S does: Change theme");
    tty_type(t, "S");
    tty_wait(t, "kept with your record");
    tty_wait_gone(t, "does nothing here");
    tty_type(t, "S");
    tty_wait_row(t, -1, "S settings");
    tty_kill(t);
}

/* All that has to be said to whoever has a window that is too small is there, whole. */
static void a_small_window_says_all_of_it(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 20, .rows = 6});
    (void)state;
    tty_wait(t, "needs 40 x 12");
    tty_wait(t, "20 x 6");
    tty_wait(t, "window larger.");
    tty_wait(t, "leaves.");
    tty_kill(t);
}

/* A place that was found names its step as the lesson does, and leads back to the others. */
static void a_found_place_leads_back(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 80, .rows = 24});
    (void)state;
    tty_wait_row(t, -1, "search");
    tty_type(t, "/model states<Down>");
    tty_wait(t, "step 11");
    tty_type(t, "<Enter>");
    tty_wait(t, "step 11 /");
    tty_type(t, "<Esc>");
    tty_wait(t, "/ model states");
    tty_type(t, "<Esc>");
    tty_wait_row(t, -1, "q quit");
    tty_kill(t);
}

/* The line of keys says that there are more, wherever it leaves one out. */
static void what_is_left_out_is_said(void **state) {
    (void)state;
    for (int columns = 40; columns <= 130; columns += 10) {
        struct tty *t = launch((struct launch_options){.columns = columns, .rows = 30});
        tty_wait_row(t, -1, "q quit");
        bool all = strstr(tty_row(t, 29), "labs") && strstr(tty_row(t, 29), "settings");
        assert_true(!strstr(tty_row(t, 29), all ? "? more" : "? help"));
        tty_kill(t);
    }
}

/* The mouse is left to the terminal if one likes. */
static void the_mouse_can_be_left_alone(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 80, .rows = 24});
    (void)state;
    tty_wait_row(t, -1, "S settings");
    tty_type(t, "S");
    tty_wait(t, "clicks choose, the wheel scrolls");
    tty_type(t, "<Down><Down><Down><Down><Right>");
    tty_wait(t, "the terminal keeps the mouse");
    tty_kill(t);
}

static void sizes_change_at_any_time(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 120, .rows = 40, .lesson = "1.1"});
    (void)state;
    tty_wait(t, "By hand");
    tty_resize(t, 40, 12);
    tty_wait_gone(t, "By hand");
    tty_wait_row(t, 11, "leave");
    tty_resize(t, 20, 5);
    tty_wait(t, "needs 40 x 12");
    tty_type(t, "<Enter>q");
    tty_resize(t, 3, 1);
    tty_resize(t, 1, 1);
    tty_resize(t, 80, 24);
    tty_wait_row(t, 0, "step 1 / 13");
    tty_wait_row(t, 23, "leave");
    assert_false(tty_has(t, "needs 40"));
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

static void a_picture_of_the_screen_is_saved(void **state) {
    struct tty *t = launch((struct launch_options){0});
    char path[4200];
    (void)state;
    tty_wait_row(t, -1, "help");
    tty_type(t, "<C-s>");
    tty_wait(t, "saved as");
    snprintf(path, sizeof path, "%s/screen-1.svg", place_home());
    assert_int_equal(access(path, R_OK), 0);
    tty_type(t, "j");
    tty_wait_gone(t, "saved as");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

static void write_lesson(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f,
            "return lesson { id = \"8.1\", title = \"Edited\", minutes = 1, revision = 1,\n"
            "  say { id = \"a\", text = \"first\" }, say { id = \"b\", text = \"%s\" }, recap { "
            "text = \"end\" } }\n",
            text);
    fclose(f);
}

static void an_edited_lesson_reloads_in_place(void **state) {
    char path[4200];
    (void)state;
    snprintf(path, sizeof path, "%s.lua", place_home());
    write_lesson(path, "before");
    struct tty *t = launch((struct launch_options){.lesson = path});
    tty_wait(t, "first");
    tty_type(t, "<Enter>");
    tty_wait(t, "before");
    write_lesson(path, "after");
    tty_wait(t, "after");
    tty_wait_row(t, 0, "step 2 / 3");
    write_lesson(path, "\" .. nothing .. \"");
    tty_wait(t, "does not load");
    tty_type(t, "<Enter>");
    tty_wait(t, "end");
    tty_kill(t);
}

static void write_question(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f,
            "return lesson { id = \"8.2\", title = \"Edited\", minutes = 1, revision = 1,\n"
            "  problem { id = \"a\", form = \"number\", vary = function() return { ask = \"%s\",\n"
            "    problem = { kind = \"bytes\", quantity = \"model_state\", unit = \"GB\", training "
            "= {\n"
            "      params = 7e9, precision = \"mixed-bf16\", optimizer = \"adamw\", gpus = 1 } } } "
            "end,\n"
            "    hints = { \"one\" } }, recap { text = \"end\" } }\n",
            text);
    fclose(f);
}

static void what_is_being_typed_outlives_an_edit(void **state) {
    char path[4200];
    (void)state;
    snprintf(path, sizeof path, "%s.lua", place_home());
    write_question(path, "How much is it?");
    struct tty *t = launch((struct launch_options){.lesson = path});
    tty_wait(t, "How much is it?");
    tty_type(t, "2*7");
    tty_wait(t, "GB  2*7");
    write_question(path, "How much are the states?");
    tty_wait(t, "How much are the states?");
    tty_wait(t, "GB  2*7");
    tty_kill(t);
}

#define JOURNEY(name) cmocka_unit_test_setup_teardown(name, place_open, place_close)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        JOURNEY(home_to_lesson_and_back),
        JOURNEY(a_play_keeps_its_title_and_its_controls),
        JOURNEY(a_play_goes_by_and_stops_once),
        JOURNEY(without_motion_a_play_is_gone_through),
        JOURNEY(what_flies_lands_and_rests),
        JOURNEY(a_lesson_from_first_to_last_step),
        JOURNEY(a_newcomer_is_told_where_the_guess_comes_from),
        JOURNEY(home_is_the_course_once_something_was_begun),
        JOURNEY(a_wrong_answer_is_read_before_the_next_try),
        JOURNEY(a_right_line_keeps_the_view),
        JOURNEY(an_order_is_given_by_numbers),
        JOURNEY(bins_are_filled_by_arrows_and_letters),
        JOURNEY(a_killed_lesson_goes_on_where_it_was),
        JOURNEY(help_tells_the_keys_of_where_one_is),
        JOURNEY(what_opens_the_help_closes_it),
        JOURNEY(chords_stand_in_for_function_keys),
        JOURNEY(settings_hold_at_once_and_for_ever),
        JOURNEY(every_printable_key_is_typed_into_a_field),
        JOURNEY(the_mouse_works),
        JOURNEY(a_click_on_a_track_moves_its_knob),
        JOURNEY(each_of_two_arrows_is_a_place_to_click_on),
        JOURNEY(a_click_into_a_field_moves_its_cursor),
        JOURNEY(space_turns_the_page_before_it_chooses),
        JOURNEY(a_narrow_line_of_keys_keeps_the_way_out),
        JOURNEY(a_wrong_key_is_answered_once),
        JOURNEY(a_small_window_says_all_of_it),
        JOURNEY(a_found_place_leads_back),
        JOURNEY(what_is_left_out_is_said),
        JOURNEY(the_mouse_can_be_left_alone),
        JOURNEY(sizes_change_at_any_time),
        JOURNEY(a_picture_of_the_screen_is_saved),
        JOURNEY(an_edited_lesson_reloads_in_place),
        JOURNEY(what_is_being_typed_outlives_an_edit),
    };
    launch_main(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
