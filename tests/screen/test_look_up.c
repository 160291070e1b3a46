/* Looking things up, bookmarks and notes, in a real terminal: by keys and by the mouse. */
#include "launch.h"
#include "place.h"
#include "session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct tty *open_lesson(const char *lesson, int columns, int rows) {
    return launch((struct launch_options){.lesson = lesson, .columns = columns, .rows = rows});
}

/* ── terms ─────────────────────────────────────────────────────────────────────────────────────*/
/* Whether the first cell of a text is underlined. */
static bool is_marked(struct tty *t, const char *text) {
    int row, column;
    return tty_find(t, text, &row, &column) && tty_at(t, row, column).underline;
}

static void a_term_opens_in_place_by_keys(void **state) {
    struct tty *t = open_lesson("1.3", 80, 24);
    (void)state;
    tty_wait_row(t, 0, "step 1 /");
    tty_type(t, "]]");
    tty_wait(t, "N ranks hold N copies");
    tty_type(t, "g");
    tty_wait(t, "They are numbered from 0.");
    tty_wait_row(t, 0, "3 /"); /* the lesson stays in sight */
    tty_type(t, "<Right>");
    tty_wait(t, "One number that training adjusts");
    tty_type(t, "<Left>");
    tty_wait(t, "They are numbered from 0.");
    tty_type(t, "1");
    tty_wait(t, "How many ranks take part");
    tty_type(t, "<Enter>");
    tty_wait_gone(t, "How many ranks take part");
    tty_wait(t, "N ranks hold N copies");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "zerotutor");
    tty_kill(t);
}

static void a_term_opens_in_place_by_a_click(void **state) {
    struct tty *t = open_lesson("1.3", 120, 40);
    (void)state;
    tty_wait_row(t, 0, "step 1 /");
    tty_type(t, "]]");
    tty_wait(t, "equal shards, of");
    while (!is_marked(t, "shards, of")) tty_settle(t);
    assert_false(is_marked(t, "copies of three"));
    tty_click(t, "shards, of");
    tty_wait(t, "⌈n / N⌉ elements");
    tty_click(t, "1 padding");
    tty_wait(t, "that hold no parameter");
    tty_click(t, "its lesson"); /* at the step that defines it */
    tty_wait_row(t, 0, "2.1");
    tty_wait_row(t, 0, "2 /");
    tty_type(t, "<Esc>");
    tty_wait(t, "that hold no parameter");
    tty_click(t, "1 shard");
    tty_wait(t, "⌈n / N⌉ elements");
    tty_click(t, "its lesson");
    tty_wait_row(t, 0, "1.3  Three things");
    tty_type(t, "<Esc>"); /* back to the term … */
    tty_wait(t, "⌈n / N⌉ elements");
    tty_click(t, "back"); /* … and to the step */
    tty_wait_gone(t, "⌈n / N⌉ elements");
    tty_wait_row(t, 0, "3 /");
    tty_kill(t);
}

/* A formula might be the answer. */
static void a_term_keeps_its_formula_while_a_question_is_open(void **state) {
    struct tty *t = open_lesson("1.1", 80, 24);
    (void)state;
    tty_wait(t, "Just guess");
    tty_type(t, "12<F12>");
    tty_wait(t, "One number that training adjusts");
    assert_false(tty_has(t, "take 14 GB."));
    tty_type(t, "g");
    tty_wait_row(t, 0, "Glossary");
    tty_type(t, "<F1>");
    tty_wait_row(t, 0, "Help: Glossary");
    tty_type(t, "<Esc>");
    tty_type(t, "model st");
    tty_wait(t, "▸ model states");
    tty_type(t, "<Enter>");
    tty_wait(t, "What training holds");
    assert_false(tty_has(t, "keeps 112 GB"));
    tty_type(t, "<Esc><Esc><Esc>");
    tty_wait(t, "12");
    tty_wait_row(t, 0, "step 1 /");
    tty_kill(t);
}

static void nothing_is_marked_without_colour(void **state) {
    struct tty *t = launch((struct launch_options){.lesson = "1.3", .environment = {"NO_COLOR=1"}});
    (void)state;
    tty_wait_row(t, 0, "step 1 /");
    tty_type(t, "]]");
    tty_wait(t, "equal shards, of");
    tty_type(t, "g<Esc>");
    tty_wait_row(t, 0, "3 /");
    assert_false(is_marked(t, "shards, of"));
    tty_kill(t);
}

/* ── search ────────────────────────────────────────────────────────────────────────────────────*/
static void esc_leads_to_the_results_and_then_back(void **state) {
    struct tty *t = open_lesson("1.3", 80, 24);
    (void)state;
    tty_wait_row(t, 0, "step 1 /");
    tty_type(t, "]]/Count the bytes");
    tty_wait(t, "▸ Count the bytes");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "1.4");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "Search");
    tty_wait(t, "/ Count the bytes");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "1.3  Three things");
    tty_wait_row(t, 0, "3 /");
    tty_kill(t);
}

static void results_open_by_clicks(void **state) {
    struct tty *t = open_lesson(NULL, 120, 40);
    (void)state;
    tty_wait_row(t, -1, "Tab lessons");
    tty_type(t, "<Tab>");
    tty_wait_row(t, -1, "⏎ open");
    tty_click(t, "/ search");
    tty_wait_row(t, 0, "Search");
    tty_type(t, "exposed");
    tty_wait(t, "▸ exposed");
    tty_click(t, "What hides, and what sticks out");
    tty_click(t, "▸ What hides, and what sticks out");
    tty_wait_row(t, 0, "2.5");
    tty_kill(t);
}

/* One that has no file of its own, too. */
static void a_number_finds_its_lesson_first(void **state) {
    struct tty *t = open_lesson(NULL, 80, 24);
    (void)state;
    tty_wait_row(t, -1, "Tab lessons");
    tty_type(t, "/1.4");
    tty_wait(t, "▸ Every saving is paid for in communication");
    tty_type(t, "<BS><BS><BS>2c");
    tty_wait(t, "▸ Check: Sharding one tensor at a time");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "2c  Check");
    tty_kill(t);
}

static void no_search_while_a_question_is_open(void **state) {
    struct tty *t = open_lesson("1.3", 80, 24);
    (void)state;
    tty_wait(t, "least that a GPU can then keep");
    tty_type(t, "/");
    tty_wait(t, "/, not now: Search");
    tty_kill(t);
}

/* ── questions ─────────────────────────────────────────────────────────────────────────────────*/
static void a_question_leads_to_its_lesson(void **state) {
    struct tty *t = open_lesson(NULL, 80, 24);
    (void)state;
    tty_wait_row(t, -1, "Tab lessons");
    tty_type(t, "f");
    tty_wait_row(t, 0, "15 questions");
    tty_type(t, "more than<Enter>");
    tty_wait(t, "Because no rank has the weights");
    tty_wait(t, "3Ψ");
    tty_type(t, "o");
    tty_wait_row(t, 0, "1.4");
    tty_wait(t, "Count it");
    tty_type(t, "<Esc><Esc><Esc>");
    tty_wait_row(t, 0, "zerotutor");
    tty_kill(t);
}

/* ── bookmarks and notes ───────────────────────────────────────────────────────────────────────*/
static void a_note_is_kept_and_leads_back(void **state) {
    struct tty *t = open_lesson("1.3", 80, 24);
    (void)state;
    tty_wait_row(t, 0, "step 1 /");
    tty_type(t, "]]b");
    tty_wait_row(t, 0, "★");
    tty_type(t, "AAsk Ada about this<Enter>");
    tty_wait_row(t, 0, "★ note");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "zerotutor");
    tty_type(t, "B");
    tty_wait(t, "Ask Ada about this");
    tty_wait_row(t, 0, "2 entries");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "3 /");
    tty_type(t, "b"); /* takes the bookmark away */
    tty_wait_gone(t, "★");
    tty_type(t, "A<C-u><Enter>"); /* and the note */
    tty_wait_gone(t, "note ·");
    tty_type(t, "<Esc>");
    tty_wait(t, "You have no bookmarks or notes yet");
    tty_kill(t);
}

/* Esc loses nothing, and neither does a killed program. */
static void what_was_written_survives(void **state) {
    struct tty *t = open_lesson("1.3", 80, 24);
    (void)state;
    tty_wait_row(t, 0, "step 1 /");
    tty_type(t, "]]AA first thought<Esc>");
    tty_wait_row(t, 0, "note ·");
    tty_kill(t);
    t = open_lesson("1.3", 120, 40);
    tty_wait_row(t, 0, "3 /");
    tty_wait(t, "A first thought");
    tty_type(t, "A, and a second<Enter>");
    tty_wait(t, "A first thought, and a second");
    tty_kill(t);
}

static void a_note_can_be_written_while_typing(void **state) {
    struct tty *t = open_lesson("1.1", 80, 24);
    (void)state;
    tty_wait(t, "Just guess");
    tty_type(t, "12<F11>Mine<Enter>");
    tty_wait_row(t, 0, "note");
    tty_wait(t, "12");
    tty_kill(t);
}

static void a_note_is_written_in_an_editor(void **state) {
    char *editor = base_format("%s/editor", place_home());
    char *set = base_format("EDITOR=%s", editor);
    static const char script[] = "#!/bin/sh\necho from an editor >>\"$1\"\n";
    (void)state;
    assert_true(base_make_dirs(place_home(), NULL));
    assert_true(base_file_write(editor, script, strlen(script), NULL));
    char *allow = base_format("chmod +x '%s'", editor);
    assert_int_equal(system(allow), 0);
    struct tty *t =
        launch((struct launch_options){.lesson = "1.3", .environment = {set, "VISUAL="}});
    tty_wait_row(t, 0, "step 1 /");
    tty_type(t, "]]ATyped here, <C-v>");
    tty_wait(t, "Typed here, from an editor");
    tty_type(t, "<Enter>");
    tty_wait_row(t, 0, "note ·");
    tty_kill(t);
    free(allow);
    free(set);
    free(editor);
}

int main(int argc, char **argv) {
#define IN_COURSE(f) cmocka_unit_test_setup_teardown(f, place_open_course, place_close)
    const struct CMUnitTest tests[] = {
        IN_COURSE(a_term_opens_in_place_by_keys),
        IN_COURSE(a_term_opens_in_place_by_a_click),
        IN_COURSE(a_term_keeps_its_formula_while_a_question_is_open),
        IN_COURSE(nothing_is_marked_without_colour),
        IN_COURSE(esc_leads_to_the_results_and_then_back),
        IN_COURSE(results_open_by_clicks),
        IN_COURSE(a_number_finds_its_lesson_first),
        IN_COURSE(no_search_while_a_question_is_open),
        IN_COURSE(a_question_leads_to_its_lesson),
        IN_COURSE(a_note_is_kept_and_leads_back),
        IN_COURSE(what_was_written_survives),
        IN_COURSE(a_note_can_be_written_while_typing),
        IN_COURSE(a_note_is_written_in_an_editor),
    };
    launch_main(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
