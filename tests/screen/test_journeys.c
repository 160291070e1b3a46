/* Journeys through the app as a learner takes them, in a real terminal. */
#include "account/account.h"
#include "launch.h"
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
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
    tty_wait(t, "steps 2 to 13 of 13");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

/* Every form of answer, wrong and right, from the first step to the end. */
static void a_lesson_from_first_to_last_step(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    (void)state;
    tty_wait_row(t, 0, "step 1 / 13");
    tty_type(t, "<Enter><Enter>");
    tty_wait(t, "  1 14 GB");
    tty_type(t, "<Enter><Enter>"); /* none is chosen unread */
    tty_wait(t, "choose a line first");
    tty_type(t, "<Down><Down><Enter>");
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
    tty_type(t, "many<Enter>");
    tty_wait(t, "That cannot be read");
    tty_wait(t, "correct it, or clear the line with ^U");
    tty_type(t, "<C-u>48<Enter>");
    tty_wait(t, "✗");
    tty_wait_gone(t, "That cannot be read");
    tty_wait_row(t, -1, "⏎ try again");
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
    tty_wait(t, "▸ in total");
    tty_type(t, "112<Enter>");
    tty_wait(t, "Both lines are right");
    tty_type(t, "<Enter>");
    tty_wait(t, "  1 params");
    tty_type(t, "1<Enter>");
    tty_wait(t, "✗ 1 params");
    tty_wait(t, "✓ 2 moments");
    tty_type(t, "<Enter>");
    tty_wait(t, "  1 params");
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
    tty_type(t, "1<Enter>");
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
    tty_wait(t, "1. A number (step 6)");
    tty_wait(t, "4. Bins (step 10, still open)");
    tty_wait(t, "5. True or false? (step 11)");
    tty_wait_row(t, -1, "⏎ next lesson");
    tty_click(t, "5. True or false?");
    tty_wait_row(t, 0, "step 11 /");
    tty_type(t, "<F5>");
    tty_wait(t, "16 B × Ψ"); /* one step alone, and back to the last */
    tty_type(t, "<Enter>");
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

/* A wrong answer's correction is one key back, and one key or click from the result, even once that
 * is over. From it the lesson is one key further. */
static void a_checks_result_leads_to_corrections(void **state) {
    char far[32];
    (void)state;
    place_course();
    struct tty *t = launch((struct launch_options){.lesson = "1c", .rows = 40});
    for (int i = 1; i <= 6; i++) {
        snprintf(far, sizeof far, "problem %d of 6", i);
        tty_wait_row(t, 0, far);
        tty_type(t, "987654<Enter>");
        tty_wait_row(t, -1, "⏎ next");
        tty_type(t, "<Enter>");
    }
    tty_wait(t, "0 of 6 right");
    tty_wait_row(t, -1, "1–6 open one");
    tty_type(t, "<Left>");
    tty_wait_row(t, 0, "problem 6 of 6");
    tty_wait(t, "You answered 987654.");
    tty_wait(t, "is not it; it is");
    tty_type(t, "<Enter>");
    tty_wait(t, "Worth another look:");
    tty_click(t, "2. 1.");
    tty_wait(t, "is not it; it is");
    tty_wait(t, "Taught in ");
    tty_type(t, "<Enter>");
    tty_wait(t, "Worth another look:");
    tty_type(t, "<Enter>");
    tty_wait(t, "That was the last problem.");
    tty_type(t, "1");
    tty_wait(t, "Taught in 1.1 ");
    tty_type(t, "1");
    tty_wait_row(t, 0, "1.1 ");
    tty_kill(t);
}

/* Whatever known number is guessed in the first minute, all that is said of it is in view. */
static void every_known_guess_is_explained_in_view(void **state) {
    (void)state;
    size_t mistakes;
    const struct account_mistake *known = account_mistakes(&mistakes);
    struct account_problem p = account_problem_default();
    assert_true(account_problem_set(&p, "quantity", "model_state", NULL));
    assert_true(account_set(&p.training, "params", "7e9", NULL));
    place_course();
    struct tty *t = launch((struct launch_options){.lesson = "1.1"});
    for (size_t i = 0; i < mistakes; i++) {
        struct account_match m;
        char guess[40];
        if (!account_mistake_value(&p, known[i].id, &m)) continue;
        snprintf(guess, sizeof guess, "%.5g<Enter>", m.value / 1e9);
        tty_wait(t, "your guess, in GB");
        tty_type(t, guess);
        tty_wait_row(t, -1, "a again");
        if (strstr(tty_row(t, tty_rows(t) - 1), "down"))
            tty_fail(t, "%s: not all is in view", known[i].id);
        tty_type(t, "a");
    }
    tty_kill(t);
}

/* Four keys from the first screen to one's own number explained. */
static void a_newcomer_is_told_where_the_guess_comes_from(void **state) {
    (void)state;
    place_course();
    struct tty *t = launch((struct launch_options){0});
    tty_wait(t, "ZeRO trains models too large for one GPU");
    tty_wait(t, "ZeRO-3 on 8");
    tty_wait_row(t, -1, "⏎ choose");
    int row, column, limits = 0;
    assert_true(tty_find(t, "13B, 8 GPUs", &row, &column));
    for (int c = 0; c < tty_columns(t); c++)
        limits += strcmp(tty_at(t, row, c).text, "┆") == 0 && tty_at(t, row, c).colour == 203;
    if (limits != 1) tty_fail(t, "the card's line is not drawn in the bar, in red");
    tty_type(t, "<Enter>");
    tty_wait(t, "How many GB does");
    tty_type(t, "56<Enter>");
    tty_wait(t, "Two mistakes give 56 GB. Most often everything was counted in 16");
    tty_wait(t, "yours");
    tty_wait(t, "32 GB too much");
    tty_wait(t, "Only 2 of them are the weight");
    assert_false(tty_has(t, "wrong"));
    tty_type(t, "a");
    tty_wait_gone(t, "give 56 GB");
    tty_type(t, "40<Enter>");
    tty_wait(t, "is between 28 GB");
    tty_wait(t, "yours     ═");
    assert_false(tty_has(t, "wrong"));
    tty_kill(t);
}

/* The words next to a wrong answer are those of its page, not of the problem that follows. */
static void cards_are_of_the_page_in_view(void **state) {
    (void)state;
    place_course();
    struct tty *t = launch((struct launch_options){.columns = 200, .rows = 60, .lesson = "1.1"});
    tty_wait(t, "How many GB does");
    tty_type(t, "<F5>");
    tty_click(t, "Your turn: the last lines");
    tty_wait(t, "▸ optimizer moments");
    tty_type(t, "2<Enter>");
    tty_wait_row(t, -1, "⏎ next line"); /* it is read before the sheet goes on */
    tty_type(t, "<Enter>");
    tty_wait(t, "yours 2 GB");
    tty_type(t, "3<Enter>");
    tty_wait(t, "0 of 2 lines are right");
    tty_wait(t, "The fp32 copy of the weights that the");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "try 2");
    tty_wait_gone(t, "The fp32 copy of the weights that the");
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
    tty_wait(t, "▸ Start"); /* a look does not begin it */
    tty_type(t, "<Enter>5<Enter><Esc>");
    tty_wait(t, "◐  step 1");
    assert_false(tty_has(t, "Start"));
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
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
    tty_wait_row(t, -1, "quit");
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
    tty_wait_row(t, -1, "q quit");
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

static void the_mouse_works(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait(t, "▸ 1.1");
    tty_click(t, "Two steps");
    tty_wait(t, "▸ 1.2");
    tty_click(t, "Two steps");
    tty_wait(t, "The only step");
    tty_click(t, "leave");
    tty_wait(t, "You left 1.2 at step 1");
    assert_false(tty_has(t, "◐")); /* a look does not begin it */
    tty_type(t, "<wheel:up>");
    tty_wait(t, "▸ 1.1");
    tty_click(t, "quit");
    assert_int_equal(tty_end(t), 0);
}

static void progress_opens_scrolls_and_closes(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_wait(t, "▸ 1.1");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "1.1");
    tty_type(t, "<Esc>P");
    tty_wait(t, "You have not answered a problem yet.");
    tty_type(t, "<Esc>");
    tty_wait(t, "▸ 1.1");
    tty_type(t, "P");
    tty_wait(t, "You have not answered a problem yet.");
    tty_type(t, "?");
    tty_wait(t, "a bad day can be outgrown");
    tty_type(t, "<Esc>j<PgDn><wheel:up><wheel:down>");
    tty_wait(t, "You have not answered a problem yet.");
    tty_click(t, "back");
    tty_wait(t, "▸ 1.1");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
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
    tty_wait_row(t, -1, "q quit");
    tty_type(t, "z");
    tty_wait(t, "z does nothing here; ? lists the keys that do");
    tty_type(t, "z");
    tty_wait_gone(t, "does nothing here");
    tty_type(t, "Q");
    tty_wait(t, "Q does nothing here; q does: Quit zerotutor");
    tty_type(t, "S");
    tty_wait(t, "kept with your record");
    tty_wait_gone(t, "does nothing here");
    tty_type(t, "S");
    tty_wait_row(t, -1, "q quit");
    tty_kill(t);
}

/* All that has to be said to whoever has a window that is too small is there, whole. */
static void a_small_window_says_all_of_it(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 20, .rows = 6});
    (void)state;
    tty_wait(t, "needs 40 x 12");
    tty_wait(t, "20 x 6");
    tty_wait(t, "window larger.");
    tty_wait(t, "leave.");
    tty_kill(t);
}

/* A place that was found names its step as the lesson does, and leads back to the others. */
static void a_found_place_leads_back(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 80, .rows = 24});
    (void)state;
    tty_wait_row(t, -1, "search");
    tty_type(t, "/model states");
    tty_wait(t, "▸ Something to read");
    tty_type(t, "<Down>");
    tty_wait(t, "▸ True or false?");
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
        bool all = strstr(tty_row(t, 29), "labs") && strstr(tty_row(t, 29), "glossary");
        assert_true(!strstr(tty_row(t, 29), all ? "? more" : "? help"));
        tty_kill(t);
    }
}

/* The mouse is left to the terminal if one likes. */
static void the_mouse_can_be_left_alone(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 80, .rows = 24});
    (void)state;
    tty_wait_row(t, -1, "q quit");
    tty_type(t, "S");
    tty_wait(t, "clicks choose, the wheel scrolls");
    assert_true(tty_has_drags(t));
    tty_type(t, "<Down><Down><Down><Down><Right>");
    tty_wait(t, "the terminal can select text with it");
    tty_settle(t);
    assert_false(tty_has_mouse(t));
    tty_type(t, "<Right>");
    tty_wait(t, "clicks choose, the wheel scrolls");
    tty_settle(t);
    assert_true(tty_has_drags(t));
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
    tty_wait_row(t, -1, "quit");
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
            "return lesson { id = \"8.1\", title = \"Edited\", revision = 1,\n"
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
            "return lesson { id = \"8.2\", title = \"Edited\", revision = 1,\n"
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
        JOURNEY(a_lesson_from_first_to_last_step),
        JOURNEY(every_known_guess_is_explained_in_view),
        JOURNEY(a_newcomer_is_told_where_the_guess_comes_from),
        JOURNEY(cards_are_of_the_page_in_view),
        JOURNEY(home_is_the_course_once_something_was_begun),
        JOURNEY(a_killed_lesson_goes_on_where_it_was),
        JOURNEY(help_tells_the_keys_of_where_one_is),
        JOURNEY(what_opens_the_help_closes_it),
        JOURNEY(chords_stand_in_for_function_keys),
        JOURNEY(settings_hold_at_once_and_for_ever),
        JOURNEY(the_mouse_works),
        JOURNEY(progress_opens_scrolls_and_closes),
        JOURNEY(a_narrow_line_of_keys_keeps_the_way_out),
        JOURNEY(a_wrong_key_is_answered_once),
        JOURNEY(a_small_window_says_all_of_it),
        JOURNEY(a_checks_result_leads_to_corrections),
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
