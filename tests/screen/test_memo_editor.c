/* The memo's editor in a real terminal: its calculator, its search, and files that are links or
 * that another program writes at the same time. */
#include "launch.h"
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

#define LESSON "tests/screen/lessons/memo.lua"
#define LINES  "<Down><Down><Down><Down><Down><Down><Down><Down><Down><Down>"

/* ── the memo ──────────────────────────────────────────────────────────────────────────────────*/
/* The cursor under its first heading. */
static struct tty *write_memo(int columns, int rows) {
    struct tty *t =
        launch((struct launch_options){.columns = columns, .rows = rows, .lesson = LESSON});
    tty_wait(t, "A memo");
    tty_settle(t);
    if (!tty_has(t, "Write the memo")) tty_type(t, "]"); /* it opens where it was left */
    tty_wait(t, "Write the memo");
    tty_type(t, "<Enter>");
    tty_wait(t, "# Memo");
    tty_type(t, LINES);
    return t;
}

static char *path_of(const char *name) {
    return base_format("%s/memo/%s", base_home(), name);
}

static bool holds(const char *name, const char *words) {
    char *path = path_of(name), *text = base_file_read(path, 1 << 20, NULL, NULL);
    bool has = text && strstr(text, words) != NULL;
    free(text);
    free(path);
    return has;
}

#define MEMO "capstone.md"

static void change(const char *text) {
    char *path = path_of(MEMO);
    assert_true(base_file_write(path, text, strlen(text), NULL));
    free(path);
}

static void leave(struct tty *t) {
    tty_type(t, "<C-c>");
    assert_int_equal(tty_end(t), 0);
}

/* What is typed next comes into the memo: it is open still. */
static void assert_written_on(struct tty *t) {
    tty_type(t, "still here");
    tty_wait(t, "still here");
    tty_wait_row(t, 0, "· saved");
    assert_true(holds(MEMO, "still here"));
}

/* ── the calculator ────────────────────────────────────────────────────────────────────────────*/
static void a_result_is_shown_and_esc_closes_the_calculator_alone(void **state) {
    static const int sizes[][2] = {{80, 24}, {120, 40}};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        struct tty *t = write_memo(sizes[i][0], sizes[i][1]);
        tty_type(t, "<F4>13*16/8<Enter>");
        tty_wait(t, "= 26");
        tty_type(t, "<Esc>");
        assert_written_on(t);
        assert_false(holds(MEMO, "26\n"));
        leave(t);
    }
}

static void a_result_is_written_when_it_was_seen(void **state) {
    struct tty *t = write_memo(80, 24);
    (void)state;
    tty_type(t, "<F4>13*16/8<Enter>");
    tty_wait(t, "Press Enter again");
    tty_type(t, "/2");
    tty_wait_gone(t, "Press Enter again");
    tty_type(t, "<Enter>");
    tty_wait(t, "Press Enter again");
    tty_type(t, "<Enter>");
    tty_wait(t, "13 is in the memo now");
    tty_wait_row(t, 0, "· saved");
    assert_true(holds(MEMO, "## Decision\n13\n"));
    tty_type(t, "<F9>");
    tty_wait_gone(t, "is in the memo now");
    tty_wait_row(t, 0, "· saved");
    assert_true(holds(MEMO, "## Decision\n\n"));
    tty_type(t, "<C-r> of 26");
    tty_wait(t, "13 of 26");
    leave(t);
}

/* ── finding words ─────────────────────────────────────────────────────────────────────────────*/
/* Where the row's text begins on the screen there is the marked match, and it looks like one. */
static void assert_marked(struct tty *t, const char *words) {
    int row, column;
    if (!tty_find(t, words, &row, &column)) tty_fail(t, "no '%s'", words);
    assert_true(tty_at(t, row, column).reverse);
}

static void words_are_found_while_they_are_typed(void **state) {
    struct tty *t = write_memo(80, 24);
    (void)state;
    tty_type(t, "zebra two, Zebra three");
    tty_type(t, "<C-f>zebra");
    tty_wait(t, "1 of 2, around the end");
    assert_marked(t, "zebra two");
    tty_type(t, "<Enter>");
    tty_wait(t, "2 of 2");
    assert_marked(t, "Zebra three");
    tty_type(t, "<C-f>");
    tty_wait(t, "1 of 2, around the end");
    tty_type(t, "<Up>");
    tty_wait(t, "2 of 2, around the end");
    tty_type(t, "<Esc>X");
    tty_wait(t, "zebra two, XZebra three");
    tty_wait_row(t, 0, "saved");
    assert_true(holds(MEMO, "zebra two, XZebra three"));
    leave(t);
}

static void capitals_matter_where_they_are_typed(void **state) {
    struct tty *t = write_memo(80, 24);
    (void)state;
    tty_type(t, "zebra two, Zebra three<C-f>Zebra");
    tty_wait(t, "1 of 1");
    assert_marked(t, "Zebra three");
    tty_type(t, "<Esc><C-f><Enter>"); /* the last words once more */
    tty_wait(t, "1 of 1");
    leave(t);
}

static void what_is_not_there_is_told_and_nothing_moves(void **state) {
    struct tty *t = write_memo(80, 24);
    (void)state;
    tty_type(t, "here<C-f>nowhere");
    tty_wait(t, "not found");
    tty_type(t, "<Enter><Up><Esc>!");
    tty_wait(t, "here!");
    leave(t);
}

static void the_search_is_in_the_key_line_and_the_help(void **state) {
    struct tty *t = write_memo(80, 24);
    (void)state;
    tty_wait_row(t, -1, "^F find");
    tty_type(t, "<F1>");
    tty_wait(t, "Search the memo");
    leave(t);
}

/* ── findings ──────────────────────────────────────────────────────────────────────────────────*/
/* "12 more ↓" at the panel's foot: how many; 0 if all have room. */
static int left_over(struct tty *t) {
    const char *text = tty_text(t), *at = strstr(text, " more ↓");
    while (at && at > text && at[-1] >= '0' && at[-1] <= '9') at--;
    return at ? atoi(at) : 0;
}

/* Fewer are left with each key, and behind the last the first come again. */
static void findings_without_room_are_counted_and_shown(void **state) {
    static const int sizes[][2] = {{80, 24}, {110, 30}, {120, 40}};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        struct tty *t = write_memo(sizes[i][0], sizes[i][1]);
        tty_type(t, "<Up><Up><Up><Up><Up><End>stage 2<F2>");
        tty_wait(t, " more ↓  F3");
        tty_wait_row(t, -1, "F3 below");
        int first = left_over(t), before = first + 1;
        for (int is = first; is; is = left_over(t)) {
            assert_true(is < before);
            before = is;
            tty_type(t, "<F3>");
            tty_settle(t);
        }
        tty_type(t, "<F3>");
        tty_wait(t, " more ↓  F3");
        assert_int_equal(left_over(t), first);
        leave(t);
    }
}

/* Where nothing has a heading yet, F2 goes to the place where the headings are to be written. */
static void the_next_finding_may_have_no_heading_yet(void **state) {
    char *folder = path_of("");
    (void)state;
    assert_true(base_make_dirs(folder, NULL));
    change("# Memo\n\nScenario: 13e9 parameters, 8 × A100 80 GB\nDecision: stage 2\n\nThe end.\n");
    struct tty *t = write_memo(120, 40);
    tty_type(t, "<Up><Up><Up><Up><Up><Up><Up><Up><F2>## Figures");
    tty_type(t, "<C-s>");
    tty_wait(t, "## Figures");
    leave(t);
    assert_true(holds(MEMO, "The end.\n## Figures"));
    free(folder);
}

/* A passing memo: its verdict is longer than the room beside it. Whatever is cut, F3 shows. */
static void a_verdict_without_room_is_counted_and_shown(void **state) {
    static const int sizes[][2] = {{110, 30}, {120, 40}};
    char *folder = path_of("");
    char *good = base_file_read("tests/memo/good-13b.md", 1 << 20, NULL, NULL);
    (void)state;
    assert_non_null(good);
    assert_true(base_make_dirs(folder, NULL));
    change(good);
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        struct tty *t = write_memo(sizes[i][0], sizes[i][1]);
        tty_wait(t, "Passes. The");
        for (int turns = 0; !tty_has(t, "85.0 GB."); turns++) {
            if (turns == 9 || !left_over(t)) tty_fail(t, "the verdict is cut");
            tty_type(t, "<F3>");
            tty_settle(t);
        }
        leave(t);
    }
    free(good);
    free(folder);
}

/* ── the course ────────────────────────────────────────────────────────────────────────────────*/
/* The panel is silent on a figure until the memo claims it, and then on all others. */
static void in_the_course_a_figure_shows_once_it_is_claimed(void **state) {
    struct tty *t = write_memo(120, 40);
    (void)state;
    tty_type(t, "<Up><Up><Up><Up><Up><End>stage 2");
    tty_wait(t, "▸ 2");
    tty_wait(t, "This shows once your memo passes");
    static const char *const hidden[] = {"48.75", "67.0", "71.5", "GB to spare", "tokens/s, "};
    for (size_t i = 0; i < BASE_COUNT(hidden); i++)
        if (tty_has(t, hidden[i])) tty_fail(t, "%s", hidden[i]);
    tty_type(t, "<C-f>states | decision<Esc><End><Left><Left> 1 GB");
    tty_wait(t, "48.75");
    for (size_t i = 1; i < BASE_COUNT(hidden); i++)
        if (tty_has(t, hidden[i])) tty_fail(t, "%s", hidden[i]);
    leave(t);
}

/* ── links ─────────────────────────────────────────────────────────────────────────────────────*/
static void link_to(const char *to) {
    char *folder = path_of(""), *path = path_of(MEMO);
    assert_true(base_make_dirs(folder, NULL));
    assert_int_equal(symlink(to, path), 0);
    free(folder);
    free(path);
}

static void assert_links_to(const char *to) {
    char *path = path_of(MEMO), is[100] = "";
    assert_true(readlink(path, is, sizeof is - 1) > 0);
    assert_string_equal(is, to);
    free(path);
}

static void a_link_is_written_through(void **state) {
    (void)state;
    link_to("notes.md");
    struct tty *t = write_memo(80, 24);
    assert_written_on(t);
    assert_links_to("notes.md");
    assert_true(holds("notes.md", "still here"));
    leave(t);
}

/* Where it leads, and not where it is, another program writes. */
static void behind_a_link_the_file_is_watched(void **state) {
    char *away = path_of("away"), *file = path_of("away/notes.md");
    (void)state;
    link_to("away/notes.md");
    assert_true(base_make_dirs(away, NULL));
    struct tty *t = write_memo(80, 24);
    assert_true(base_file_write(file, "# Theirs\n", 9, NULL));
    tty_wait(t, "# Theirs");
    leave(t);
    free(file);
    free(away);
}

static void where_a_link_leads_nowhere_nothing_is_lost(void **state) {
    char *away = path_of("away"), *file = path_of("away/notes.md");
    (void)state;
    link_to("away/notes.md");
    assert_true(base_make_dirs(away, NULL));
    struct tty *t = write_memo(80, 24);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(away), 0);
    tty_type(t, "typed");
    tty_wait_row(t, 0, "not saved");
    tty_type(t, " on<Esc>");
    tty_wait(t, "this is a link to");
    assert_true(base_make_dirs(away, NULL));
    tty_type(t, "!");
    tty_wait(t, "typed on!");
    tty_wait_row(t, 0, "· saved");
    assert_true(holds("away/notes.md", "typed on!"));
    assert_links_to("away/notes.md");
    leave(t);
    free(file);
    free(away);
}

/* ── another program at the same time ──────────────────────────────────────────────────────────*/
/* Something is typed while the file cannot be saved, and then another text is there. */
static struct tty *clash(void) {
    struct tty *t = write_memo(80, 24);
    change("\x01\xff junk\n");
    tty_wait(t, "not UTF-8 text");
    tty_type(t, "mine");
    tty_wait_row(t, 0, "not saved");
    change("# Theirs\n");
    tty_wait(t, "while you were writing");
    assert_true(tty_has(t, "mine"));
    return t;
}

static void both_texts_can_be_kept(void **state) {
    struct tty *t = clash();
    (void)state;
    tty_type(t, "<C-b>");
    tty_wait(t, "# Theirs");
    tty_wait(t, "capstone.md~");
    assert_true(holds(MEMO "~", "## Decision\nmine\n"));
    assert_written_on(t);
    assert_true(holds(MEMO, "Theirs"));
    leave(t);
}

static void the_other_text_can_be_written_over(void **state) {
    struct tty *t = clash();
    (void)state;
    tty_type(t, "<C-q>");
    tty_wait_row(t, 0, "· saved");
    assert_true(holds(MEMO, "## Decision\nmine\n"));
    assert_written_on(t);
    leave(t);
}

static void until_one_is_chosen_nothing_is_saved(void **state) {
    struct tty *t = clash();
    (void)state;
    tty_type(t, ", and more");
    tty_wait(t, "mine, and more");
    tty_wait_row(t, 0, "not saved");
    tty_wait(t, "^B keeps yours as capstone.md~, ^Q overwrites");
    tty_wait_row(t, -1, "^B keep both  ^Q overwrite");
    tty_type(t, "<C-s><Esc>");
    tty_wait(t, "Press Esc again");
    tty_type(t, "x");
    assert_true(holds(MEMO, "# Theirs\n"));
    leave(t);
    assert_true(holds(MEMO, "# Theirs\n"));
    assert_true(holds(MEMO "~", "mine, and morex"));
}

static void what_could_not_be_saved_is_kept_when_the_program_ends(void **state) {
    struct tty *t = write_memo(80, 24);
    (void)state;
    change("\x01\xff junk\n");
    tty_wait(t, "not UTF-8 text");
    tty_type(t, "mine");
    tty_wait_row(t, 0, "not saved");
    leave(t);
    assert_true(holds(MEMO, "junk"));
    assert_true(holds(MEMO "~", "## Decision\nmine\n"));
}

int main(int argc, char **argv) {
    launch_main(argc, argv);
#define TEST(f) cmocka_unit_test_setup_teardown(f, place_open, place_close)
    const struct CMUnitTest tests[] = {
        TEST(a_result_is_shown_and_esc_closes_the_calculator_alone),
        TEST(a_result_is_written_when_it_was_seen),
        TEST(words_are_found_while_they_are_typed),
        TEST(capitals_matter_where_they_are_typed),
        TEST(what_is_not_there_is_told_and_nothing_moves),
        TEST(the_search_is_in_the_key_line_and_the_help),
        TEST(the_next_finding_may_have_no_heading_yet),
        TEST(findings_without_room_are_counted_and_shown),
        TEST(a_verdict_without_room_is_counted_and_shown),
        TEST(in_the_course_a_figure_shows_once_it_is_claimed),
        TEST(a_link_is_written_through),
        TEST(behind_a_link_the_file_is_watched),
        TEST(where_a_link_leads_nowhere_nothing_is_lost),
        TEST(both_texts_can_be_kept),
        TEST(the_other_text_can_be_written_over),
        TEST(until_one_is_chosen_nothing_is_saved),
        TEST(what_could_not_be_saved_is_kept_when_the_program_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
