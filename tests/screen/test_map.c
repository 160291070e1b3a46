/* The map on the full screen: by keys, by mouse, as a list, and too narrow for a map. */
#include "base/golden.h"
#include "launch.h"
#include "page/page.h"
#include "place.h"
#include "screen/screen.h"
#include "session/session.h"
#include "store/store.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_DAY "1780480800"
#define NEXT_DAY  "1780567200"
#define LATER     "1781344800" /* ten days after it */

static void answer(struct store *s, const char *item, bool right) {
    struct lesson_journal j = store_journal(s);
    struct base_message m = {0};
    struct lesson_answer a = {.item = item,
                              .line = "",
                              .try = 1,
                              .typed = "14",
                              .value = 14,
                              .verdict = right ? "right" : "wrong",
                              .mistake = ""};
    if (!j.answer(j.self, &a, &m)) fail_msg("%s", m.what);
}

/* The first lesson is known, the next was begun. */
static int open_learned(void **state) {
    static const char *const known[] = {"1.1/finish-the-ledger", "1.1/one-number",
                                        "1.1/other-optimizer",   "1.1/which-pile",
                                        "1.1/largest-that-fits", "1.1/half-the-memory"};
    struct base_message m = {0};
    if (place_open(state) != 0) return -1;
    place_course();
    setenv("ZEROTUTOR_NOW", FIRST_DAY, 1);
    struct learner *who = session_learner_open(NULL, &m);
    if (!who) return -1;
    struct store *s = session_learner_store(who);
    struct lesson_journal j = store_journal(s);
    for (size_t i = 0; i < BASE_COUNT(known); i++) answer(s, known[i], true);
    answer(s, "1.1/in-gib", false);
    j.place_set(j.self, "1.1", &(struct lesson_place){"recap", true}, &m);
    j.place_set(j.self, "1.2", &(struct lesson_place){"one-step", false}, &m);
    session_learner_close(who);
    setenv("ZEROTUTOR_NOW", LATER, 1);
    return 0;
}

static void picture_is(const char *name, const char *keys, int columns, int rows, bool ascii) {
    struct screen_shot shot = {.keys = keys, .columns = columns, .rows = rows, .ascii = ascii};
    struct base_message m = {0};
    char *drawn = screen_picture(&shot, &m);
    if (!drawn) fail_msg("%s", m.what);
    golden_is("screen", name, drawn);
    free(drawn);
}

static void looks_like_this(void **state) {
    (void)state;
    picture_is("map", "m<Down><Down>", 80, 24, false);
    picture_is("map-ascii", "m<Down><Down>", 80, 24, true);
    picture_is("map-wide", "m", 120, 40, false);
    picture_is("map-large", "m<Right><Right>", 200, 60, false);
    picture_is("map-list", "m<Tab>", 80, 24, false);
    picture_is("map-narrow", "m<Down>", 40, 12, false);
}

/* At every idea, each line to or from it that runs within a column or to the next one ends in an
 * arrow of its own, however narrow the map is. */
static void all_lines_of_an_idea_are_drawn(void **state) {
    struct learner *who = session_learner_open(NULL, NULL);
    struct lesson_ideas all;
    struct page_map_place place[PAGE_MAP_IDEAS];
    (void)state;
    assert_true(session_learner_map(who, &all, NULL));
    struct page_map m = {.columns = 4, .ideas = all.count};
    for (size_t i = 0; i < 4; i++) m.column[i] = all.column[i];
    for (size_t i = 0; i < all.count; i++) {
        m.idea[i] = (struct page_map_idea){.title = all.idea[i].title,
                                           .column = (size_t)all.idea[i].phase,
                                           .rest_count = all.idea[i].rest_count};
        memcpy(m.idea[i].rests, all.idea[i].rests, sizeof m.idea[i].rests);
    }
    for (int width = 76; width <= 196; width += 20)
        for (m.chosen = 0; m.chosen < m.ideas; m.chosen++) {
            struct page *p = page_new(width, false);
            page_map_lay(&m, width, 18, place);
            page_map_draw(p, &m, place);
            for (size_t i = 0; i < m.ideas; i++)
                for (size_t k = 0; k < m.idea[i].rest_count; k++) {
                    size_t on = m.idea[i].rests[k], apart = m.idea[i].column - m.idea[on].column;
                    if ((i != m.chosen && on != m.chosen) || apart > 1) continue;
                    bool back = on == m.chosen && apart == 0;
                    int row = place[i].row + 2,
                        at = back ? place[i].at + place[i].cells : place[i].at - 1;
                    if (strcmp(page_cell(p, row, at)->text, back ? "◀" : "▶") != 0)
                        fail_msg("%d columns: no line from %s into %s", width, m.idea[on].title,
                                 m.idea[i].title);
                }
            page_free(p);
        }
    lesson_ideas_free(&all);
    session_learner_close(who);
}

static void by_keys(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_type(t, "m");
    tty_wait_row(t, 0, "26 ideas");
    tty_wait(t, "three stages  1.3");
    tty_wait(t, "Rests on: N copies");
    tty_wait(t, "Needed for: what fits, 2Ψ or 3Ψ, flat buffer, FSDP and recipes");
    tty_type(t, "<Right>");
    tty_wait(t, "gather and free  2.3");
    tty_type(t, "<Left>");
    tty_wait(t, "N copies  1.2");
    tty_type(t, "<Up><Up><Up><Up><Up>");
    tty_wait(t, "16 bytes a param  1.1");
    tty_type(t, "<Tab>");
    tty_wait(t, "GB and GiB        1.1  weak: first try 49%");
    tty_type(t, "<Tab><Enter>");
    tty_wait_row(t, 0, "1.1");
    tty_wait(t, "piles");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "26 ideas");
    tty_type(t, "<Esc>");
    tty_wait(t, "Sharding one tensor at a time");
    tty_type(t, "q");
    assert_int_equal(tty_end(t), 0);
}

/* An idea of which nothing is due is reviewed all the same, if it was asked before. */
static void an_idea_is_reviewed_before_it_is_due(void **state) {
    setenv("ZEROTUTOR_NOW", NEXT_DAY, 1);
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_type(t, "m<Tab><Up><Up><Up><Up><Up><Up><Up><Up>");
    tty_wait(t, "16 bytes a param  1.1");
    tty_wait(t, "r review");
    tty_type(t, "r");
    tty_wait_row(t, 0, "Review  1 of ");
    tty_type(t, "<Esc><Esc>q");
    tty_end(t);
}

/* Only what is due today about the chosen idea, and the key is there only if something is. */
static void what_is_due_about_an_idea_is_asked(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_type(t, "m");
    tty_wait(t, "three stages  1.3");
    tty_type(t, "r");
    tty_wait_row(t, 0, "26 ideas");
    assert_false(tty_has(t, "r review"));
    tty_type(t, "<Left><Up><Up><Up><Up><Up>");
    tty_wait(t, "16 bytes a param  1.1");
    tty_wait(t, "r review");
    tty_type(t, "r");
    tty_wait_row(t, 0, "Review  1 of ");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "26 ideas");
    tty_wait(t, "16 bytes a param  1.1");
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* A second click on the same idea opens it. */
static void by_mouse(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 120, .rows = 40});
    (void)state;
    tty_type(t, "m");
    tty_wait_row(t, 0, "26 ideas");
    tty_click(t, "the napkin");
    tty_wait(t, "Taught in 3.4");
    tty_click(t, "○ activations"); /* a word of the figure next to the map, too */
    tty_wait(t, "Taught in 2.4");
    tty_click(t, "○ activations");
    tty_wait_row(t, 0, "2.4");
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

/* On a low terminal, too, where rows are hidden: nothing moves between two clicks. */
static void click_twice(struct tty *t, const char *idea, const char *lesson) {
    int row, column;
    assert_true(tty_find(t, idea, &row, &column));
    char *twice =
        base_format("<click:%d,%d><click:%d,%d>", column + 1, row + 1, column + 1, row + 1);
    tty_type(t, twice);
    tty_wait_row(t, 0, lesson);
    free(twice);
}

static void two_clicks_hit_the_same_idea(void **state) {
    struct tty *t = launch((struct launch_options){.columns = 80, .rows = 13});
    (void)state;
    tty_type(t, "m<Up><Up><Up><Up><Up><Up><Up><Up><Down><Down><Down><Down>");
    tty_wait(t, "what fits  1.3");
    click_twice(t, "N copies", "1.2");
    tty_type(t, "<Esc>");
    tty_wait_row(t, 0, "26 ideas");
    tty_type(t, "<Tab><End>");
    tty_wait(t, "the memo  4.1");
    int row, column; /* the first row that is shown */
    assert_true(tty_find(t, "tensor, pipeline", &row, &column) && row == 1);
    click_twice(t, "tensor, pipeline", "3.3");
    tty_type(t, "<Esc><Esc>q");
    assert_int_equal(tty_end(t), 0);
}

static void a_resize_keeps_the_idea(void **state) {
    struct tty *t = launch((struct launch_options){0});
    (void)state;
    tty_type(t, "m");
    tty_wait(t, "three stages  1.3");
    tty_type(t, "<Right>");
    tty_wait(t, "2.3  not met");
    tty_resize(t, 50, 16);
    tty_wait_gone(t, "2 one at a time");
    tty_wait(t, "2.3  not met");
    tty_resize(t, 120, 40);
    tty_wait(t, "2 one at a time");
    tty_wait(t, "Taught in 2.3");
    assert_false(tty_has(t, "2.3  not met")); /* details have one place */
    tty_type(t, "<Esc>q");
    assert_int_equal(tty_end(t), 0);
}

int main(int argc, char **argv) {
    launch_main(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(looks_like_this, open_learned, place_close),
        cmocka_unit_test_setup_teardown(all_lines_of_an_idea_are_drawn, open_learned, place_close),
        cmocka_unit_test_setup_teardown(by_keys, open_learned, place_close),
        cmocka_unit_test_setup_teardown(what_is_due_about_an_idea_is_asked, open_learned,
                                        place_close),
        cmocka_unit_test_setup_teardown(an_idea_is_reviewed_before_it_is_due, open_learned,
                                        place_close),
        cmocka_unit_test_setup_teardown(by_mouse, open_learned, place_close),
        cmocka_unit_test_setup_teardown(two_clicks_hit_the_same_idea, open_learned, place_close),
        cmocka_unit_test_setup_teardown(a_resize_keeps_the_idea, open_learned, place_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
