/* Writing a memo in a real terminal: it is saved as it is typed, whatever happens to the program,
 * the file or the window. */
#include "launch.h"
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

#define LESSON "tests/screen/lessons/memo.lua"
#define LINES  "<Down><Down><Down><Down><Down><Down><Down><Down><Down><Down>"

static struct tty *start(int columns, int rows) {
    struct tty *t =
        launch((struct launch_options){.columns = columns, .rows = rows, .lesson = LESSON});
    tty_wait(t, "A memo");
    tty_settle(t);
    return t;
}

/* A new memo, the cursor under its first heading. */
static struct tty *write_memo(void) {
    struct tty *t = start(80, 24);
    if (!tty_has(t, "Write the memo")) tty_type(t, "]"); /* it opens where it was left */
    tty_wait(t, "Write the memo");
    tty_type(t, "<Enter>");
    tty_wait(t, "# Memo");
    tty_type(t, LINES);
    return t;
}

static char *path_of_memo(void) {
    return base_format("%s/memo/capstone.md", base_home());
}

static char *memo(void) {
    char *path = path_of_memo();
    char *text = base_file_read(path, 1 << 20, NULL, NULL);
    free(path);
    return text ? text : base_dup("");
}

static bool memo_has(const char *words) {
    char *text = memo();
    bool has = strstr(text, words) != NULL;
    free(text);
    return has;
}

/* Another program writes it. */
static void change(const char *text) {
    char *path = path_of_memo();
    assert_true(base_file_write(path, text, strlen(text), NULL));
    free(path);
}

static void leave(struct tty *t) {
    tty_type(t, "<C-c>");
    assert_int_equal(tty_end(t), 0);
}

static void what_is_typed_is_in_the_file(void **state) {
    struct tty *t = write_memo();
    (void)state;
    tty_type(t, "We take stage 2.");
    tty_wait_row(t, 0, "saved");
    assert_true(memo_has("## Decision\nWe take stage 2.\n"));
    leave(t);
}

static void leaving_at_once_saves(void **state) {
    static const char *const ways[] = {"<Esc><Esc>q", "<C-c>", "<Esc><C-c>"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(ways); i++) {
        char *words = base_format("the way %zu", i);
        struct tty *t = write_memo();
        tty_send(t, words, strlen(words));
        tty_type(t, ways[i]);
        assert_int_equal(tty_end(t), 0);
        assert_true(memo_has(words));
        free(words);
    }
}

static void a_closed_window_saves(void **state) {
    struct tty *t = write_memo();
    (void)state;
    tty_type(t, "x");
    tty_send(t, "typed last", 10);
    tty_settle(t);
    tty_hang_up(t);
    tty_end(t);
    assert_true(memo_has("xtyped last"));
}

/* kill -9 while somebody types: all but what came in the last second is there, and the file is
 * whole. */
static void killed_while_typing(void **state) {
    (void)state;
    for (int round = 0; round < 3; round++) {
        struct tty *t = write_memo();
        char *last = memo();
        int64_t began = base_ticks(), seen = 0;
        int typed = 0, kept = 0;
        while (base_ticks() - began < 2500 + 300 * round) {
            char word[24];
            snprintf(word, sizeof word, "w%d ", typed++);
            tty_type(t, word);
            if (base_ticks() - began < 1300 + 300 * round) seen = typed;
        }
        tty_kill(t);
        char *text = memo();
        for (char word[24]; snprintf(word, sizeof word, "w%d ", kept), strstr(text, word); kept++) {
        }
        assert_true(kept >= seen);
        assert_non_null(strstr(text, "## What to measure in the first hour"));
        free(text);
        free(last);
        char *path = path_of_memo();
        unlink(path);
        free(path);
    }
}

static void another_program_writes_it(void **state) {
    struct tty *t = write_memo();
    (void)state;
    tty_type(t, "mine");
    tty_wait_row(t, 0, "saved");
    change("# Theirs\n\nScenario: 7e9 parameters, 8 × A100 40 GB\n");
    tty_wait(t, "# Theirs");
    tty_wait(t, "Another program changed the memo");
    tty_type(t, "<F9>");
    tty_wait(t, "mine");
    tty_wait_row(t, 0, "saved");
    assert_true(memo_has("mine"));
    leave(t);
}

static void one_that_cannot_be_shown_is_not_written_over(void **state) {
    struct tty *t = write_memo();
    (void)state;
    change("\x01\xff junk\n");
    tty_wait(t, "not UTF-8 text");
    tty_type(t, "more");
    tty_wait_row(t, 0, "not saved");
    tty_type(t, "<Esc>");
    tty_wait(t, "Press Esc again");
    tty_type(t, "<Esc>");
    tty_wait(t, "Write the memo");
    leave(t);
    assert_true(memo_has("\x01\xff junk\n"));
}

static void the_own_editor(void **state) {
    (void)state;
    setenv("EDITOR", "sh -c 'read x; echo said $x; echo said $x >>\"$0\"'", 1);
    unsetenv("VISUAL");
    struct tty *t = write_memo();
    tty_type(t, "before<C-v>");
    assert_false(tty_full_screen(t));
    assert_true(memo_has("before"));
    tty_send(t, "hello\r", 6);
    tty_wait(t, "# Memo");
    assert_true(tty_full_screen(t));
    tty_send(t, "\033[1;5F", 6);
    tty_wait(t, "said hello");
    tty_type(t, "after");
    tty_wait_row(t, 0, "saved");
    assert_true(memo_has("said hello\nafter"));
    setenv("EDITOR", "/no/such/editor", 1);
    leave(t);
    t = write_memo();
    tty_type(t, "<C-v>");
    tty_wait(t, "was not found");
    assert_true(tty_full_screen(t));
    leave(t);
    unsetenv("EDITOR");
}

static void paste(struct tty *t, const char *text) {
    tty_send(t, "\033[200~", 6);
    tty_send(t, text, strlen(text));
    tty_send(t, "\033[201~", 6);
    tty_settle(t);
}

static void pasted_lines_stay_lines(void **state) {
    struct tty *t = write_memo();
    (void)state;
    paste(t, "one\r\ntwo\rthree\n\tfour\033[A\003");
    tty_wait(t, "four");
    tty_wait_row(t, 0, "saved");
    assert_true(memo_has("one\ntwo\nthree\n\tfour"));
    leave(t);
}

static void a_long_paste_is_there_whole(void **state) {
    struct tty *t = write_memo();
    struct base_text text = {0};
    (void)state;
    for (int i = 0; i < 2000; i++) base_text_printf(&text, "line %d of what was pasted\n", i);
    tty_send(t, "\033[200~", 6);
    for (size_t at = 0; at < text.length; at += 1000) {
        tty_send(t, text.s + at, text.length - at < 1000 ? text.length - at : 1000);
        tty_settle(t);
    }
    tty_send(t, "\033[201~", 6);
    tty_wait(t, "line 1999");
    tty_wait_row(t, 0, "saved");
    assert_true(memo_has(text.s));
    base_text_free(&text);
    leave(t);
}

static void keys_of_words_and_ends(void **state) {
    struct tty *t = write_memo();
    (void)state;
    tty_type(t, "one two");
    tty_send(t, "\033[1;5D", 6);
    tty_type(t, "X");
    tty_send(t, "\033[1;5D\033[1;5D", 12);
    tty_type(t, "Y");
    tty_send(t, "\033[1;5C\033[1;5C", 12);
    tty_type(t, "Z");
    tty_send(t, "\033[1;5H", 6);
    tty_type(t, "T");
    tty_wait_row(t, 0, "saved");
    assert_true(memo_has("Yone XtwoZ"));
    assert_true(memo_has("T# Memo"));
    leave(t);
}

static void a_click_moves_the_cursor(void **state) {
    struct tty *t = write_memo();
    int row, column;
    (void)state;
    assert_true(tty_find(t, "Recipe: paper", &row, &column));
    tty_click(t, "Recipe: paper");
    struct tty_cursor c = tty_cursor(t);
    assert_int_equal(c.row, row);
    assert_int_equal(c.column, column);
    tty_type(t, "X");
    tty_wait(t, "XRecipe");
    leave(t);
}

static void the_calculator_writes_into_the_memo(void **state) {
    struct tty *t = write_memo();
    (void)state;
    tty_type(t, "<F4>2*13G + 14*13G/8");
    tty_wait(t, "= 48.75 GB");
    tty_type(t, "<Enter><Enter>");
    tty_wait(t, "48.75 GB is in the memo now");
    tty_wait_row(t, 0, "saved");
    assert_true(memo_has("## Decision\n48.75 GB\n"));
    tty_type(t, "<F4><C-u>nonsense<Enter>");
    tty_wait(t, "cannot be read yet");
    tty_type(t, "<Esc>of states");
    tty_wait(t, "48.75 GBof states");
    leave(t);
}

/* In the head a field's name is written to its end; several that go on are told. */
static void tab_completes_names(void **state) {
    struct tty *t = write_memo();
    (void)state;
    tty_type(t, "<Up><Up><Up><Up><Up><End>");
    tty_type(t, "ZeRO s<Tab> 2, check<Tab>");
    tty_wait(t, "Decision: ZeRO stage 2, checkpointing");
    leave(t);
}

/* All sizes, in the middle of a word; the text is the same afterwards. */
static void windows_of_all_sizes(void **state) {
    static const char *const sizes[] = {"<resize:40x12>",  "<resize:120x40>", "<resize:10x3>",
                                        "<resize:200x60>", "<resize:41x13>",  "<resize:80x24>"};
    struct tty *t = write_memo();
    (void)state;
    tty_type(t, "stage two, which is ");
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        tty_type(t, sizes[i]);
        if (i != 2) tty_type(t, "x<Tab>y");
    }
    tty_wait_row(t, 0, "saved");
    assert_true(memo_has("stage two, which is xy"));
    leave(t);
}

static void keys_that_mean_nothing_change_nothing(void **state) {
    struct tty *t = write_memo();
    (void)state;
    tty_type(t, "text");
    tty_wait_row(t, 0, "saved");
    char *before = memo();
    tty_type(t, "<F3><F5><F6><F7><F8><F10><F11><C-b><C-p><C-t><C-y><C-l><click:1,1>");
    static const char sequences[] = "\033[1;2A\033[99~\033x\033]0;a\007";
    tty_send(t, sequences, sizeof sequences - 1);
    tty_settle(t);
    tty_wait_row(t, 0, "saved");
    char *after = memo();
    assert_string_equal(after, before);
    free(after);
    free(before);
    leave(t);
}

static void idle_it_sleeps(void **state) {
    struct tty *t = write_memo();
    (void)state;
    tty_type(t, "stage 2");
    tty_wait_row(t, 0, "saved");
    tty_wait(t, "does not pass");
    int64_t until = base_ticks() + 1500;
    while (base_ticks() < until) tty_settle(t);
    unsigned long before = tty_sleeps(t);
    until = base_ticks() + 1500;
    while (base_ticks() < until) tty_settle(t);
    assert_int_equal(tty_sleeps(t), before);
    leave(t);
}

static void checked_from_the_lesson(void **state) {
    struct tty *t = write_memo();
    size_t n;
    char *good = base_file_read("tests/memo/good-13b.md", 1 << 20, &n, NULL);
    (void)state;
    tty_type(t, "<Esc>");
    tty_wait(t, "▸ Check it as it is");
    tty_type(t, "<Enter>");
    tty_wait(t, "Does not pass");
    change(good);
    tty_type(t, "<PgDn><PgDn><PgDn>2<Enter>");
    tty_wait(t, "Question 1 of 3.");
    tty_type(t, "1 GB<Enter>");
    tty_wait(t, "is not it");
    tty_wait(t, "Question 2 of 3.");
    tty_type(t, "<F5>");
    tty_wait(t, "Question 3 of 3.");
    tty_type(t, "<F5>");
    tty_wait_row(t, -1, "a again");
    tty_wait(t, "That was the last question");
    tty_wait(t, "Press Enter");
    tty_type(t, "<F6>");
    tty_wait(t, "capstone-2.md");
    leave(t);
    free(good);
}

/* Beside the text not every panel has room: Tab shows the next of those that have none, first. */
static void tab_shows_the_panels_that_have_no_room(void **state) {
    struct tty *t = write_memo();
    size_t n;
    char *good = base_file_read("tests/memo/good-13b.md", 1 << 20, &n, NULL);
    (void)state;
    change(good);
    tty_type(t, "<resize:120x40>");
    tty_wait(t, "passes");
    tty_wait(t, "planner");
    assert_false(tty_has(t, "twice the sequence"));
    tty_type(t, "<PgDn><PgDn><PgDn><PgDn><Tab>");
    tty_wait(t, "twice the sequence");
    tty_wait(t, "half the link");
    tty_type(t, "<S-Tab>");
    tty_wait_gone(t, "twice the sequence");
    tty_type(t, "<resize:120x24><Tab><Tab>");
    tty_wait(t, "twice the sequence");
    leave(t);
    free(good);
}

int main(int argc, char **argv) {
    launch_main(argc, argv);
#define TEST(f) cmocka_unit_test_setup_teardown(f, place_open, place_close)
    const struct CMUnitTest tests[] = {
        TEST(what_is_typed_is_in_the_file),
        TEST(leaving_at_once_saves),
        TEST(a_closed_window_saves),
        TEST(killed_while_typing),
        TEST(another_program_writes_it),
        TEST(one_that_cannot_be_shown_is_not_written_over),
        TEST(the_own_editor),
        TEST(pasted_lines_stay_lines),
        TEST(a_long_paste_is_there_whole),
        TEST(keys_of_words_and_ends),
        TEST(a_click_moves_the_cursor),
        TEST(the_calculator_writes_into_the_memo),
        TEST(tab_completes_names),
        TEST(windows_of_all_sizes),
        TEST(keys_that_mean_nothing_change_nothing),
        TEST(idle_it_sleeps),
        TEST(checked_from_the_lesson),
        TEST(tab_shows_the_panels_that_have_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
