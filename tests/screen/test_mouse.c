/* The mouse alone, in a real terminal: one rule for the lines of every list, words that act on the
 * first click, dragging, and the wheel. */
#include "launch.h"
#include "place.h"

#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tty *open_at(const char *lesson) {
    return launch((struct launch_options){.lesson = lesson, .columns = 120, .rows = 40});
}

/* At a step of it, by the list of its steps, which comes once its first question is left. */
static struct tty *open_at_step(const char *lesson, const char *title) {
    struct tty *t = open_at(lesson);
    tty_wait_row(t, -1, "F5 skip");
    tty_type(t, "<F5>");
    tty_wait(t, " steps");
    tty_settle(t);
    tty_click(t, title);
    return t;
}

static struct tty *start(void) {
    struct tty *t = open_at(NULL);
    tty_wait(t, "▸  5 min  9 new");
    return t;
}

static void click(struct tty *t, int row, int column) {
    char keys[40];
    snprintf(keys, sizeof keys, "<click:%d,%d>", column + 1, row + 1);
    tty_type(t, keys);
}

/* So many columns behind the beginning of a text. */
static void click_behind(struct tty *t, const char *text, int columns) {
    int row, column;
    tty_wait(t, text);
    assert_true(tty_find(t, text, &row, &column));
    click(t, row, column + columns);
}

/* ── a click marks a line, and one on the marked line does what Enter does ─────────────────────*/
static const struct list {
    const char *name;
    /* the keys that lead to it from home, and what it then shows */
    const char *keys, *shows;
    /* words of a line that is not marked, and how its row begins once it is; what Enter leads to */
    const char *line, *marked, *leads;
} LISTS[] = {
    {"lessons", "", "9 new", "Three things are", "▸ 1.3", "step 1 / "},
    {"what is due", "<Down>", "▸  6 min", "9 new", "▸  5 min", "1 of 9"},
    {"what comes next", "", "9 new", "1.2  Plain data", "▸  6 min", "step 1 / "},
    {"the way into a phase", "<Down>jjjjjjjjjj<Enter>", "Take the check now", "anyway", "▸ Open 2",
     "step 1 / "},
    {"labs", "l", "first-weighing", "straggler", "▸      straggler", "Lab  straggler"},
    {"the map", "m", "26 ideas", "what fits", "what fits", "step 5 / "},
    {"the map's list", "m<Tab>", "26 ideas", "what fits", "▸ ○ what fits", "step 5 / "},
    {"the glossary", "g", "80 terms", "all-reduce", "▸ all-reduce", "step 1 / "},
    {"questions", "f", "15 questions", "ZeRO or FSDP", "▸ ZeRO or FSDP", "step 2 / 14"},
    {"a search", "/memory", "▸ pinned memory", "Half the memory", "▸ Half the memory",
     "step 13 / 15"},
    {"settings", "S", "▸ Theme", "Motion", "▸ Motion", "◂ off"},
    {"speed", "s", "▸ subject", "60 seconds", "▸ clock", "◂ 90 seconds"},
};

static void a_click_marks_and_the_next_opens(void **state) {
    const struct list *l = *state;
    int row, column;
    place_second_day(NULL);
    struct tty *t = start();
    tty_type(t, l->keys);
    tty_wait(t, l->shows);
    tty_settle(t);
    if (!tty_find(t, l->line, &row, &column)) tty_fail(t, "no line \"%s\"", l->line);
    if (strcmp(l->marked, l->line) != 0) assert_null(strstr(tty_row(t, row), l->marked));
    assert_false(tty_has(t, l->leads));
    click(t, row, column);
    tty_wait_row(t, row, l->marked);
    if (tty_has(t, l->leads)) tty_fail(t, "one click has opened \"%s\"", l->line);
    click(t, row, column);
    tty_wait(t, l->leads);
    tty_kill(t);
    place_close(NULL);
}

/* A lab's ways to be seen are such lines. */
static void a_click_starts_no_lab(void **state) {
    struct tty *t = open_at_step("1.3", "The ladder, running");
    (void)state;
    tty_wait_row(t, 0, "step 10 / 15");
    tty_type(t, "<Down><Enter>");
    tty_wait(t, "your estimate");
    tty_type(t, "900<Enter>");
    tty_wait(t, "▸ Run the lab");
    tty_click(t, "Watch its recording");
    tty_wait(t, "▸ Watch its recording");
    tty_settle(t);
    tty_wait_row(t, 0, "1.3  Three things");
    tty_click(t, "Watch its recording");
    tty_wait_row(t, 0, "recording  stage-ladder");
    tty_kill(t);
}

/* ── words without a mark act immediately ──────────────────────────────────────────────────────*/
/* In the pane of home, as in that of a lesson. */
static void a_step_opens_from_home(void **state) {
    struct tty *t = start();
    (void)state;
    tty_type(t, "<Down>");
    tty_wait(t, "▸  6 min");
    tty_click(t, "By hand: eight GPUs");
    tty_wait_row(t, 0, "step 4 / 12");
    tty_type(t, "<Esc>");
    tty_wait(t, "▸  6 min");
    tty_kill(t);
}

/* A lesson that a screen names. */
static void a_lesson_opens_by_its_name(void **state) {
    struct tty *t = start();
    int row, column;
    (void)state;
    tty_type(t, "l");
    tty_wait(t, "Lesson 1.1");
    assert_true(tty_find(t, "Lesson 1.1", &row, &column));
    assert_true(tty_at(t, row, column).underline);
    assert_false(tty_at(t, row, column + (int)strlen("Lesson 1.1")).underline);
    tty_click(t, "Lesson 1.1");
    tty_wait_row(t, 0, "1.1  Memory runs out");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "Labs");
    tty_kill(t);
}

static struct tty *at_an_idea(void) {
    struct tty *t = start();
    tty_type(t, "m");
    tty_wait(t, "26 ideas");
    tty_click(t, "three stages");
    return t;
}

/* In brackets, too, or after "in"; and in a list of labs, whose line begins with its number. */
static void a_lesson_opens_by_its_number(void **state) {
    struct tty *t = at_an_idea();
    (void)state;
    tty_wait(t, "Taught in 1.3,");
    tty_click(t, "1.3, Three");
    tty_wait_row(t, 0, "1.3  Three things");
    tty_type(t, "<Esc><Esc>l");
    click_behind(t, "What do more GPUs bring?", -5);
    tty_wait_row(t, 0, "1.2  Plain data");
    tty_kill(t);
}

/* And an idea by its name, in the map's list of ideas that another rests on. */
static void an_idea_is_chosen_by_its_name(void **state) {
    struct tty *t = at_an_idea();
    (void)state;
    click_behind(t, "Rests on: N copies", 10);
    tty_wait(t, "Taught in 1.2,");
    tty_kill(t);
}

/* The pane of a list names the lesson that teaches an entry, perhaps in several rows. */
static void an_entry_leads_to_its_lesson(void **state) {
    struct tty *t = start();
    (void)state;
    tty_type(t, "f");
    tty_wait(t, "15 questions");
    tty_click(t, "ZeRO or FSDP");
    tty_click(t, "another name, mostly");
    tty_wait_row(t, 0, "3.1  FSDP is ZeRO-3");
    tty_kill(t);
}

static void two_quick_clicks_lead_back_twice(void **state) {
    struct tty *t = start();
    (void)state;
    tty_type(t, "mg");
    tty_wait_row(t, 0, "Glossary");
    tty_click(t, "Esc back");
    tty_wait_row(t, 0, "Map");
    tty_click(t, "Esc back");
    tty_wait(t, "9 new");
    tty_kill(t);
}

/* Next to the list, and in its line. */
static void a_myth_is_a_claim_to_be_judged(void **state) {
    struct tty *t = start();
    (void)state;
    tty_type(t, "/Half the memory");
    tty_wait(t, "▸ Half the memory");
    tty_wait(t, "True or false? Going from fp32");
    tty_wait(t, "True or false? Lesson 1.1 asks it.");
    tty_type(t, "<Enter>");
    tty_wait(t, "2 false");
    tty_click(t, "2 false");
    tty_wait(t, "▸ 2 false");
    tty_click(t, "⏎ choose");
    tty_wait(t, "Right, it is false");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "Search");
    tty_wait(t, "It is false. ");
    tty_wait(t, "False: Going from fp32");
    tty_kill(t);
}

/* "0–9 answer" names ten keys, and a click on it is none of them. */
static void a_range_answers_nothing(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "tests/screen/lessons/labs.lua"});
    (void)state;
    tty_wait_row(t, -1, "⏎ ahead  space pause");
    tty_type(t, "<Enter>");
    tty_wait_row(t, -1, "0–9 answer");
    for (int column = 0; column < 3; column++) {
        click_behind(t, "0–9 answer", column);
        tty_settle(t);
        tty_wait_row(t, 22, "? How many hops");
    }
    tty_type(t, "3");
    tty_wait(t, "3, as you said.");
    tty_kill(t);
}

/* What a wrong key is told goes with the window in which it was pressed. */
static void a_resize_takes_a_hint_away(void **state) {
    struct tty *t = open_at("1.1");
    (void)state;
    tty_wait_row(t, -1, "⏎ next");
    tty_type(t, "%");
    tty_wait(t, "does nothing here");
    tty_resize(t, 80, 24);
    tty_settle(t);
    assert_false(tty_has(t, "does nothing here"));
    tty_kill(t);
}

/* A visit leaves what lies between as it was: in the lesson, and at home after it. */
static void a_visit_does_no_step(void **state) {
    struct tty *t = open_at("1.1");
    (void)state;
    tty_wait_row(t, -1, "F5 skip");
    tty_type(t, "30<Enter>");
    tty_click(t, "Two kinds of giga");
    tty_wait(t, "▸ ○ Two kinds of giga");
    tty_wait(t, "  ● First guess");
    tty_wait(t, "  ○ Four piles");
    tty_wait(t, "  ○ Sixteen, twice");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "zerotutor");
    tty_settle(t);
    assert_false(tty_has(t, "● Four piles"));
    tty_kill(t);
}

/* Whoever answers there goes on from there: the steps between were left out, not done. */
static void an_answer_after_a_jump_does_no_step_between(void **state) {
    static const char *const left_out[] = {"Four piles", "The ledger by hand", "Sixteen, twice"};
    struct tty *t = open_at("1.1");
    (void)state;
    tty_wait_row(t, -1, "F5 skip");
    tty_type(t, "30<Enter>");
    tty_click(t, "In GiB");
    tty_wait_row(t, -1, "F2 hint");
    tty_type(t, "9<Enter><Esc>");
    tty_wait_row(t, 0, "zerotutor");
    tty_wait(t, "  ● First guess");
    for (size_t i = 0; i < BASE_COUNT(left_out); i++) {
        char *line = base_format("  – %s", left_out[i]);
        tty_wait(t, line);
        free(line);
    }
    tty_kill(t);
}

/* What a setting can be stands next to it, too, and is chosen there. */
static void a_value_is_chosen_where_it_stands(void **state) {
    struct tty *t = start();
    (void)state;
    tty_type(t, "S");
    tty_wait_row(t, 0, "Settings");
    tty_wait(t, "◂ dark ▸");
    click_behind(t, "▸ dark", 2);
    tty_settle(t);
    tty_click(t, "light");
    tty_wait(t, "◂ light ▸");
    tty_click(t, "  dark");
    tty_wait(t, "◂ dark ▸");
    tty_kill(t);
}

/* What a lesson's title says of bookmark and note. */
static void a_bookmark_goes_by_a_click(void **state) {
    struct tty *t = open_at_step("1.1", "Four piles");
    (void)state;
    tty_click(t, "b bookmark");
    tty_wait_row(t, 0, "★");
    tty_click(t, "★");
    tty_settle(t);
    assert_null(strstr(tty_row(t, 0), "★"));
    tty_kill(t);
}

/* A sum of the paper comes back into its field, where a click puts the cursor. */
static void a_sum_is_taken_up_again(void **state) {
    struct tty *t = open_at("1.1");
    int row, column;
    (void)state;
    tty_click(t, "F4 calculates here.");
    tty_type(t, "2*13G<Enter>");
    tty_wait(t, "2*13G = 26 GB");
    tty_settle(t);
    tty_click(t, "13G = 26 GB");
    tty_wait(t, "= 26 GB = 24.214 GiB");
    assert_true(tty_find(t, "2*13G = 26", &row, &column));
    tty_wait_row(t, row + 1, "│ 2*13G");
    click(t, row + 1, column + 2);
    tty_type(t, "7*");
    tty_wait_row(t, row + 1, "│ 2*7*13G");
    tty_kill(t);
}

/* A click gives a line the next place, and the last one back. */
static void lines_are_put_in_order_by_clicks(void **state) {
    struct tty *t = open_at_step("2.2", "A bucket's life, in order");
    int row, column;
    (void)state;
    tty_wait(t, "3 ");
    assert_true(tty_find(t, "1 [ ] ", &row, &column));
    click(t, row, column);
    tty_wait(t, "1 [1] ");
    tty_click(t, "2 [ ] ");
    tty_wait(t, "2 [2] ");
    tty_click(t, "2 [2] ");
    tty_wait(t, "2 [ ] ");
    tty_click(t, "1 [1] ");
    tty_wait(t, "1 [ ] ");
    tty_kill(t);
}

/* ── the mouse dragged ─────────────────────────────────────────────────────────────────────────*/
static void drag(struct tty *t, int row, int column, int to_row, int to_column) {
    char keys[60];
    snprintf(keys, sizeof keys, "<drag:%d,%d,%d,%d>", column + 1, row + 1, to_column + 1,
             to_row + 1);
    tty_type(t, keys);
}

/* At the sliders of lesson 1.1; the place of the first knob. */
static struct tty *at_knob(int *row, int *column) {
    struct tty *t = open_at_step("1.1", "Turn the knobs");
    tty_wait(t, "▸ parameters");
    assert_true(tty_find(t, "●", row, column));
    return t;
}

static void a_knob_follows_the_mouse(void **state) {
    int row, column;
    struct tty *t = at_knob(&row, &column);
    (void)state;
    int last = column;
    while (strcmp(tty_at(t, row, last + 1).text, "─") == 0) last++;
    drag(t, row, column, row, last);
    tty_wait_row(t, row, "70B");
    drag(t, row, last, row - 3, 3); /* past the end, and off its row */
    tty_wait_row(t, row, "350M");
    tty_kill(t);
}

/* The track of a play keeps its place during a drag. Past an end of it, that end is taken, but no
 * drag leads past an open question. */
static void a_play_follows_the_mouse(void **state) {
    struct tty *t = open_at("tests/screen/lessons/labs.lua");
    int row, column;
    (void)state;
    tty_wait_row(t, 0, "A ring");
    tty_type(t, "<Space>");
    assert_true(tty_find(t, "●", &row, &column));
    drag(t, row, column, row - 5, 119);
    tty_wait_row(t, row, "? How many hops");
    tty_type(t, "3<Space><Home>");
    tty_wait_row(t, row, "start");
    assert_true(tty_find(t, "●", &row, &column));
    drag(t, row, column, row - 5, 119);
    tty_wait_row(t, row, "hop 6 of 6");
    assert_true(tty_find(t, "●", &row, &column));
    drag(t, row, column, row + 1, 0);
    tty_wait_row(t, row, "start");
    drag(t, row - 5, column, row, column); /* not from the track */
    tty_settle(t);
    tty_wait_row(t, row, "start");
    tty_kill(t);
}

/* Moves that come faster than they can be drawn. */
static void a_flood_of_moves_is_drawn_together(void **state) {
    enum { MOVES = 400 };
    struct base_text moves = {0};
    int row, column;
    struct tty *t = at_knob(&row, &column);
    (void)state;
    base_text_printf(&moves, "\033[<0;%d;%dM", column + 1, row + 1);
    for (int i = 0; i < MOVES; i++)
        base_text_printf(&moves, "\033[<32;%d;%dM", column + 1 + i % 12, row + 1);
    base_text_printf(&moves, "\033[<32;%d;%dM\033[<0;1;1m", column + 13, row + 1);
    tty_damage(t);
    tty_send(t, moves.s, moves.length);
    tty_wait_row(t, row, "70B");
    assert_true(tty_damage(t) < MOVES * 20);
    base_text_free(&moves);
    tty_kill(t);
}

/* ── the wheel ─────────────────────────────────────────────────────────────────────────────────*/
static void turn_wheel(struct tty *t, int row, int column) {
    char keys[40];
    snprintf(keys, sizeof keys, "<wheel-down:%d,%d>", column + 1, row + 1);
    tty_type(t, keys);
}

/* Over the list the wheel moves its cursor, over the steps in the pane it scrolls those, and over
 * the rest of the pane it leaves all as it is. */
static void the_wheel_moves_what_it_is_over(void **state) {
    struct tty *t = start();
    int row, column;
    (void)state;
    tty_type(t, "<Down>jjj");
    tty_wait(t, "▸ 1.3");
    tty_settle(t);
    assert_true(tty_find(t, "Who keeps what", &row, &column));
    assert_false(tty_has(t, "A stage in one number"));
    turn_wheel(t, row, column);
    tty_wait(t, "A stage in one number");
    turn_wheel(t, 2, column);
    tty_settle(t);
    assert_true(tty_has(t, "▸ 1.3"));
    turn_wheel(t, row, 20);
    tty_wait(t, "▸ 1.4");
    tty_kill(t);
}

/* Whatever can be clicked there: the wheel over the pane leaves what is next to it alone. */
static void the_wheel_over_a_pane_moves_no_list(void **state) {
    static const struct {
        const char *keys, *over, *stays;
    } rows[] = {{"", "Today's review", "▸  5 min"},
                {"g", "taught in", "▸ activation checkpointing"},
                {"m<Tab>", "Rests on:", "▸ ○ N copies"},
                {"l", "play its recording", "▸      first-weighing"}};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct tty *t = start();
        int row, column;
        tty_type(t, rows[i].keys);
        tty_wait(t, rows[i].stays);
        tty_wait(t, rows[i].over);
        tty_settle(t);
        assert_true(tty_find(t, rows[i].over, &row, &column));
        turn_wheel(t, row, column + 12);
        tty_settle(t);
        assert_true(tty_has(t, rows[i].stays));
        tty_kill(t);
    }
}

/* ── the help ──────────────────────────────────────────────────────────────────────────────────*/
static void the_help_says_the_rule(void **state) {
    static const char RULE[] = "A click moves ▸ to a line";
    struct tty *t = start();
    (void)state;
    tty_type(t, "S?");
    tty_wait(t, RULE);
    tty_type(t, "<Esc>");
    tty_click(t, "Mouse      ");
    tty_click(t, "Mouse      ");
    tty_wait(t, "the terminal can select text with it");
    tty_type(t, "?");
    tty_wait_row(t, 0, "Help");
    tty_settle(t);
    assert_false(tty_has(t, RULE));
    tty_kill(t);
}

#define JOURNEY(name) cmocka_unit_test_setup_teardown(name, place_second_day, place_close)

int main(int argc, char **argv) {
    enum { COUNT = BASE_COUNT(LISTS), JOURNEYS = 21 };
    struct CMUnitTest tests[JOURNEYS + COUNT] = {
        JOURNEY(lines_are_put_in_order_by_clicks),
        JOURNEY(a_bookmark_goes_by_a_click),
        JOURNEY(a_sum_is_taken_up_again),
        JOURNEY(a_click_starts_no_lab),
        JOURNEY(a_step_opens_from_home),
        JOURNEY(a_lesson_opens_by_its_name),
        JOURNEY(a_lesson_opens_by_its_number),
        JOURNEY(an_idea_is_chosen_by_its_name),
        JOURNEY(two_quick_clicks_lead_back_twice),
        JOURNEY(a_myth_is_a_claim_to_be_judged),
        JOURNEY(an_entry_leads_to_its_lesson),
        JOURNEY(a_knob_follows_the_mouse),
        cmocka_unit_test_setup_teardown(a_play_follows_the_mouse, place_open, place_close),
        JOURNEY(a_flood_of_moves_is_drawn_together),
        JOURNEY(the_wheel_moves_what_it_is_over),
        JOURNEY(the_wheel_over_a_pane_moves_no_list),
        JOURNEY(the_help_says_the_rule),
        cmocka_unit_test_setup_teardown(a_range_answers_nothing, place_open, place_close),
        cmocka_unit_test_setup_teardown(a_visit_does_no_step, place_open_course, place_close),
        cmocka_unit_test_setup_teardown(an_answer_after_a_jump_does_no_step_between,
                                        place_open_course, place_close),
        cmocka_unit_test_setup_teardown(a_resize_takes_a_hint_away, place_open, place_close),
        JOURNEY(a_value_is_chosen_where_it_stands),
    };
    launch_main(argc, argv);
    for (size_t i = 0; i < COUNT; i++)
        tests[JOURNEYS + i] = (struct CMUnitTest){.name = LISTS[i].name,
                                                  .test_func = a_click_marks_and_the_next_opens,
                                                  .initial_state = (void *)(uintptr_t)&LISTS[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
