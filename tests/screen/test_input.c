/* Inputs in a real terminal: plays, and every form of answer, by keys and by the mouse. */
#include "launch.h"
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* However many ranks there are, the step's title stands above the play and its keys below. */
static void a_play_keeps_its_title_and_its_controls(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "tests/screen/lessons/labs.lua"});
    (void)state;
    tty_wait_row(t, 0, "A ring");
    for (int ranks = 5; ranks <= 8; ranks++) {
        char said[32], moved[32];
        snprintf(said, sizeof said, "start   ranks %d", ranks);
        snprintf(moved, sizeof moved, "hop 1 of %d   ranks %d", 2 * (ranks - 1), ranks);
        tty_type(t, ">");
        tty_wait_row(t, 22, said);
        tty_type(t, "<Right><Right>");
        tty_wait_row(t, 22, moved);
        tty_wait_row(t, 0, "A ring");
        tty_wait_row(t, -1, "← → step");
    }
    tty_type(t, ">");
    tty_wait_row(t, 22, "start   ranks 2");
    tty_type(t, "<lt>");
    tty_wait_row(t, 22, "start   ranks 8");
    tty_kill(t);
}

/* On the track a click goes to that frame, on the sign before it the play goes by. */
static void a_click_on_the_track_goes_there(void **state) {
    struct tty *t = launch((struct launch_options){
        .lesson = "tests/screen/lessons/labs.lua", .columns = 120, .rows = 40});
    char click[32];
    int row, column;
    (void)state;
    tty_wait_row(t, 38, "start");
    assert_true(tty_find(t, "●─", &row, &column));
    snprintf(click, sizeof click, "<click:%d,%d>", column + 1 + 2, row + 1);
    tty_type(t, click);
    tty_wait_row(t, 38, "hop 1 of 6");
    tty_click(t, "━");
    tty_wait_row(t, 38, "start");
    tty_click(t, "‖");
    tty_wait_row(t, -1, "space pause");
    tty_kill(t);
}

/* In the list of steps a click opens a step. */
static void a_click_opens_a_step(void **state) {
    struct tty *t = launch((struct launch_options){
        .lesson = "lessons/1-where-memory-goes/1.3.lua", .columns = 120, .rows = 40});
    (void)state;
    tty_wait(t, "Before you start");
    tty_type(t, "<F5>");
    tty_click(t, "Three cuts");
    tty_wait_row(t, 0, "step 3 / 15");
    tty_kill(t);
}

/* It begins by itself once it was read, and goes by until it asks, once; goes on with the answer,
 * and stands still at its end. */
static void a_play_goes_by_and_stops_once(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "tests/screen/lessons/labs.lua"});
    (void)state;
    tty_wait_row(t, -1, "space pause");
    tty_wait_row(t, 22, "▶  ●─");
    tty_type(t, "+++");
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
    tty_type(t, "<Home>");
    tty_wait_row(t, 22, "start");
    tty_type(t, "---<Space>");
    tty_wait_row(t, -1, "space pause");
    tty_type(t, "<Space>");
    tty_wait_row(t, -1, "⏎ ahead  space play");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 22, "hop 6 of 6");
    tty_type(t, "<Enter>");
    tty_wait(t, "One rank weighs itself.");
    tty_kill(t);
}

/* Who presses nothing but Enter, at once too, sees where it asks, passes the question over, and
 * sees the end. */
static void enter_alone_leads_through_a_play(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "tests/screen/lessons/labs.lua"});
    (void)state;
    tty_wait_row(t, -1, "⏎ ahead  space pause");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 22, "? How many hops");
    tty_wait_row(t, -1, "⏎ continue  0–9 answer");
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "⏎ ahead  space pause");
    tty_wait_row(t, 22, "hop 6 of 6");
    tty_wait_row(t, -1, "⏎ next  space play");
    tty_type(t, "<Enter>");
    tty_wait(t, "One rank weighs itself.");
    tty_type(t, "[");
    tty_wait_row(t, -1, "⏎ ahead  space pause");
    tty_type(t, "<Enter><Enter><Enter><Enter>");
    tty_wait(t, "One rank weighs itself.");
    tty_kill(t);
}

/* What a mouse does that means nothing here: a right click, a release alone. */
static void a_play_goes_on_under_a_mouse(void **state) {
    static const char nothing[] = "\033[<2;60;12M\033[<2;60;12m\033[<0;60;12m";
    struct tty *t = launch((struct launch_options){.lesson = "tests/screen/lessons/labs.lua"});
    (void)state;
    tty_wait_row(t, -1, "space pause");
    tty_send(t, nothing, sizeof nothing - 1);
    tty_wait_row(t, 22, "? How many hops");
    tty_kill(t);
}

/* Nothing moves by itself then; Space goes a frame on. */
static void without_motion_a_play_is_gone_through(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait_row(t, -1, "q quit");
    tty_type(t, "S<Down><Down><Down><Right>");
    tty_wait(t, "nothing moves");
    tty_type(t, "<Esc>q");
    tty_end(t);
    t = launch((struct launch_options){.lesson = "tests/screen/lessons/labs.lua"});
    tty_wait_row(t, -1, "⏎ ahead  ← → step");
    tty_type(t, "<Space>");
    tty_wait_row(t, 22, "hop 1 of 6");
    tty_type(t, "<Space><Space>");
    tty_wait_row(t, 22, "? How many hops");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 22, "hop 2 of 6");
    tty_kill(t);
}

/* The same if the environment says so, whatever the setting is. */
static void the_environment_can_forbid_motion(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "tests/screen/lessons/labs.lua",
                                                   .environment = {"NO_MOTION=1"}});
    (void)state;
    tty_wait_row(t, -1, "⏎ ahead  ← → step");
    tty_type(t, "<Space>");
    tty_wait_row(t, 22, "hop 1 of 6");
    tty_type(t, "S");
    tty_wait(t, "NO_MOTION is set");
    tty_kill(t);
}

/* Until one chooses a theme, it is that of the terminal's background. */
static void the_terminal_names_its_background(void **state) {
    static const struct {
        const char *colours, *theme;
    } rows[] = {{"COLORFGBG=0;15", "◂ light ▸"},
                {"COLORFGBG=15;default;0", "◂ dark ▸"},
                {"COLORFGBG=15;8", "◂ dark ▸"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tty *t = launch((struct launch_options){.lesson = "tests/screen/lessons/labs.lua",
                                                       .environment = {rows[i].colours}});
        tty_wait_row(t, -1, "⏎ ahead");
        tty_type(t, "S");
        tty_wait(t, rows[i].theme);
        tty_kill(t);
    }
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

/* The bar that the question left open is drawn once the answer is told, and open again with the
 * fresh numbers of another try. */
static void an_open_bar_is_drawn_with_the_solution(void **state) {
    (void)state;
    place_course();
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    tty_wait(t, "your guess, in GB");
    tty_type(t, "56<Enter>");
    tty_wait_row(t, -1, "⏎ next");
    tty_type(t, "<Enter>");
    tty_wait(t, "your answer, in GB");
    tty_type(t, "5<Enter>");
    tty_wait(t, "5 GB is not it");
    assert_false(tty_has(t, "B  ?"));
    tty_type(t, "<Enter>");
    tty_wait(t, "The same idea with fresh numbers");
    assert_true(tty_has(t, "B  ?"));
    tty_type(t, "5<Enter>");
    tty_wait(t, "5 GB is not it");
    assert_true(tty_has(t, "The same for another size"));
    assert_false(tty_has(t, "▲ more"));
    tty_type(t, "<Enter>");
    tty_wait_gone(t, "5 GB is not it");
    tty_type(t, "<F3>");
    tty_wait(t, "in total");
    assert_false(tty_has(t, "B  ?"));
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
    tty_wait_row(t, -1, "⏎ down");
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "⏎ check");
    tty_type(t, "<PgDn><PgDn><PgDn>");
    tty_wait(t, "8 B × 7e9");
    tty_type(t, "56<Enter>");
    tty_wait(t, "▸ in total");
    tty_wait(t, "8 B × 7e9");
    assert_false(tty_has(t, "Finish the ledger"));
    tty_kill(t);
}

/* Values of a sheet end in one column, as in the ledger that it is. */
static void values_of_a_sheet_end_alike(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    int row, narrow, wide;
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "/worksheet<Enter>");
    tty_wait(t, "▸ optimizer moments");
    tty_type(t, "156<Enter>");
    tty_wait_row(t, -1, "⏎ next line");
    tty_type(t, "<Enter>");
    tty_wait(t, "▸ in total");
    assert_true(tty_find(t, "14 GB", &row, &narrow));
    assert_true(tty_find(t, "156 GB", &row, &wide));
    assert_int_equal(narrow, wide + 1);
    tty_kill(t);
}

/* What was said of a sheet's wrong lines is one key back also when it is opened again. */
static void corrections_outlive_the_lesson(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "/worksheet<Enter>");
    tty_wait(t, "▸ optimizer moments");
    tty_type(t, "28<Enter>");
    tty_wait(t, "the moments were counted once");
    tty_kill(t);
    t = launch((struct launch_options){.lesson = "1.1"});
    tty_wait(t, "▸ in total");
    assert_false(tty_has(t, "the moments were counted once"));
    tty_type(t, "<F7>");
    tty_wait(t, "On the line optimizer moments you answered 28.");
    tty_wait(t, "the moments were counted once");
    tty_wait_row(t, -1, "⏎ next line");
    tty_type(t, "<Enter>");
    tty_wait(t, "▸ in total");
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
    tty_wait(t, "1 [1]");
    tty_type(t, "3");
    tty_wait(t, "3 [2]");
    tty_type(t, "<Enter>");
    tty_wait(t, "give every line its place first");
    tty_type(t, "<BS><BS>");
    tty_wait_gone(t, "1 [1]");
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

/* Over a slider the wheel moves it, and not the page. */
static void the_wheel_turns_a_knob(void **state) {
    struct tty *t = open_place((struct launch_options){0}, "sliders", "▸ parameters");
    char keys[120];
    int row, column;
    (void)state;
    assert_true(tty_find(t, "parameters", &row, &column));
    while (strcmp(tty_at(t, row, column).text, "─") != 0) column++;
    snprintf(keys, sizeof keys, "<wheel-down:%d,%d>", column + 1, row + 1);
    tty_type(t, keys);
    tty_wait_row(t, row, "1B");
    tty_kill(t);
}

/* Each digit that answers a play's question can be clicked. */
static void a_click_on_a_digit_answers_a_play(void **state) {
    struct tty *t = launch((struct launch_options){
        .lesson = "tests/screen/lessons/labs.lua", .columns = 80, .rows = 24});
    (void)state;
    tty_wait_row(t, -1, "space pause");
    tty_type(t, "+++");
    tty_wait_row(t, 22, "? How many hops");
    tty_click(t, "3 4 5");
    tty_wait(t, "3, as you said.");
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
    } places[] = {{"number", "your answer, in GB"},
                  {"worksheet", "▸ optimizer moments"},
                  {"why does it not", "Why does it not fit"}};
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

/* The scratch paper takes what is typed, until a click goes back to the question. */
static void a_click_on_the_question_leaves_the_scratch_paper(void **state) {
    struct tty *t = open_place((struct launch_options){.columns = 120, .rows = 40}, "number",
                               "your answer, in GB");
    (void)state;
    tty_type(t, "9988<F4>2*13G");
    tty_wait(t, "2*13G");
    tty_click(t, "88");
    tty_type(t, "x");
    tty_wait(t, "99x88");
    tty_kill(t);
}

/* The cursor is on no line from the beginning. */
static void a_click_marks_a_choice_and_a_second_takes_it(void **state) {
    struct tty *t = open_place((struct launch_options){0}, "choice", "Which is");
    (void)state;
    tty_click(t, "1 params");
    tty_settle(t);
    tty_wait_row(t, -1, "⏎ choose");
    tty_click(t, "▸ 1 params");
    tty_wait_gone(t, "⏎ choose");
    tty_kill(t);
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
    while (!strstr(tty_row(t, tty_rows(t) - 1), "move")) tty_type(t, "<Space>");
    assert_false(tty_has(t, "✓"));
    press_option(t, "moments");
    tty_type(t, "<Space>");
    tty_wait(t, "✓");
    tty_kill(t);
}

#define JOURNEY(name) cmocka_unit_test_setup_teardown(name, place_open, place_close)

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
    tty_wait(t, "in total                     15.0 GB");
    tty_type(t, "<Left><Enter>");
    tty_wait(t, "That was it.");
    tty_kill(t);
}

/* In a high window it begins lower than the title, and what an answer brings does not move it. */
static void a_question_keeps_its_row_in_a_high_window(void **state) {
    static const char QUESTION[] = "How many GB of model states?";
    struct tty *t = launch((struct launch_options){.lesson = "1.1", .columns = 200, .rows = 60});
    int row, column, now;
    (void)state;
    tty_type(t, "]]]]]");
    tty_wait(t, QUESTION);
    assert_true(tty_find(t, QUESTION, &row, &column));
    assert_in_range(row, 15, 25);
    tty_type(t, "5<Enter>");
    tty_wait(t, "✗");
    assert_true(tty_find(t, QUESTION, &now, &column));
    assert_int_equal(now, row);
    tty_resize(t, 80, 24);
    tty_wait_row(t, 4, QUESTION);
    tty_kill(t);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        JOURNEY(a_play_keeps_its_title_and_its_controls),
        JOURNEY(a_click_on_the_track_goes_there),
        JOURNEY(a_click_opens_a_step),
        JOURNEY(a_play_goes_by_and_stops_once),
        JOURNEY(enter_alone_leads_through_a_play),
        JOURNEY(a_play_goes_on_under_a_mouse),
        JOURNEY(without_motion_a_play_is_gone_through),
        JOURNEY(the_environment_can_forbid_motion),
        JOURNEY(the_terminal_names_its_background),
        JOURNEY(what_flies_lands_and_rests),
        JOURNEY(a_wrong_answer_is_read_before_the_next_try),
        JOURNEY(an_open_bar_is_drawn_with_the_solution),
        JOURNEY(a_right_line_keeps_the_view),
        JOURNEY(values_of_a_sheet_end_alike),
        JOURNEY(corrections_outlive_the_lesson),
        JOURNEY(an_order_is_given_by_numbers),
        JOURNEY(bins_are_filled_by_arrows_and_letters),
        JOURNEY(every_printable_key_is_typed_into_a_field),
        JOURNEY(a_click_on_a_track_moves_its_knob),
        JOURNEY(the_wheel_turns_a_knob),
        JOURNEY(a_click_on_a_digit_answers_a_play),
        JOURNEY(each_of_two_arrows_is_a_place_to_click_on),
        JOURNEY(a_click_into_a_field_moves_its_cursor),
        JOURNEY(a_click_on_the_question_leaves_the_scratch_paper),
        JOURNEY(a_click_marks_a_choice_and_a_second_takes_it),
        JOURNEY(space_turns_the_page_before_it_chooses),
        JOURNEY(a_question_keeps_its_row_in_a_high_window),
    };
    launch_main(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
