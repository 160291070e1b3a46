/* A field, which is an editor of one line: keys in, the line and the cursor out. */
#include "screen/editor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static struct editor field(const struct editor_history *history) {
    struct editor f = {0};
    screen_editor_field(&f, EDITOR_LINE, history);
    return f;
}

static void press(struct editor *f, const char *keys) {
    struct base_message m;
    struct key k;
    while (screen_key_read(&keys, &k, &m)) assert_true(screen_editor_key(f, &k));
}

/* The cursor is drawn as | in `line`. */
static const struct {
    const char *what, *keys, *line;
} EDITS[] = {
    {"types at the end", "2*13", "2*13|"},
    {"types in the middle", "213<Left><Left>*", "2*|13"},
    {"moves by characters", "a÷b<Left><Left>x", "ax|÷b"},
    {"stops at both ends", "ab<Right><Right><Left><Left><Left>c", "c|ab"},
    {"home and end", "bc<Home>a<End>d", "abcd|"},
    {"backspace takes one", "a÷<BS>", "a|"},
    {"backspace takes an accent", "xe\u0301<BS>", "x|"},
    {"delete takes what follows", "abc<Home><Del>", "|bc"},
    {"nothing to delete", "<BS><Del><C-w><C-u>", "|"},
    {"^U to the beginning", "2 + 13<Left><C-u>", "|3"},
    {"^K to the end", "2 + 13<Home><Right><C-k>", "2|"},
    {"^W takes a word", "2 + 13  <C-w>", "2 + |"},
    {"^A and ^E", "b<C-a>a<C-e>c", "abc|"},
    {"^W takes all up to a blank", "2*13G + 16*13G/64<C-w>", "2*13G + |"},
    {"by words", "2 + 13<C-Left>1<C-Home><C-Right>0", "20| + 113"},
    {"to the ends with Ctrl", "ab<C-Home>c<C-End>d", "cabd|"},
};

static char *line_with_cursor(const struct editor *f) {
    const char *text = screen_editor_text(f);
    return base_format("%.*s|%s", (int)f->at, text, text + f->at);
}

static void edits(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(EDITS); i++) {
        struct editor f = field(NULL);
        press(&f, EDITS[i].keys);
        char *line = line_with_cursor(&f);
        if (strcmp(line, EDITS[i].line) != 0)
            fail_msg("%s: \"%s\", not \"%s\"", EDITS[i].what, line, EDITS[i].line);
        free(line);
        screen_editor_free(&f);
    }
}

static void leaves_other_keys_alone(void **state) {
    static const uint32_t others[] = {PRESS_ENTER,     PRESS_ESC,      PRESS_TAB,
                                      PRESS_F(2),      PRESS_PAGE_UP,  PRESS_PAGE_DOWN,
                                      PRESS_CTRL('s'), PRESS_CTRL('r')};
    struct editor f = field(NULL);
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(others); i++)
        assert_false(screen_editor_key(&f, &(struct key){.code = others[i]}));
    screen_editor_free(&f);
}

static void walks_the_history(void **state) {
    struct editor_history h = {0};
    (void)state;
    screen_editor_remember(&h, "14 GB");
    screen_editor_remember(&h, "112 GB");
    screen_editor_remember(&h, "112 GB");
    screen_editor_remember(&h, "");
    struct editor f = field(&h);
    press(&f, "9<Up>");
    assert_string_equal(screen_editor_text(&f), "112 GB");
    press(&f, "<Up><Up>");
    assert_string_equal(screen_editor_text(&f), "14 GB");
    press(&f, "<Down><Down><Down>");
    assert_string_equal(screen_editor_text(&f), "9");
    screen_editor_free(&f);
    screen_editor_forget(&h);
}

static char *draw(const char *keys, int width, int rows, struct editor_spot *spot) {
    struct editor f = field(NULL);
    struct page *p = page_new(width + 2, false);
    press(&f, keys);
    *spot = screen_editor_draw(&f, p, 0, 1, width, rows, NULL, NULL);
    char *text = page_to_text(p);
    page_free(p);
    screen_editor_free(&f);
    return text;
}

/* A long line scrolls under the cursor, in one row; in several it wraps. */
static void draws_a_window_with_the_cursor_in_it(void **state) {
    static const struct {
        const char *keys;
        int width, rows;
        const char *text;
        int row, column;
    } windows[] = {
        {"abc", 6, 1, " abc\n", 0, 4},
        {"abcdefgh", 6, 1, " defgh\n", 0, 6},
        {"abcdefgh<Home>", 6, 1, " abcdef\n", 0, 1},
        {"abcdefgh", 6, 2, " abcde\n fgh\n", 1, 4},
        {"one two three", 8, 2, " one two\n three\n", 1, 6},
        {"one two three", 9, 2, " one two\n three\n", 1, 6},
        {"one two three four", 8, 2, " three\n four\n", 1, 5},
        {"one two three<Home>", 8, 2, " one two\n three\n", 0, 1},
        {"漢字漢字", 6, 1, " 漢字\n", 0, 5},
        {"漢字漢字<Home>", 7, 1, " 漢字漢\n", 0, 1},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(windows); i++) {
        struct editor_spot spot;
        char *text = draw(windows[i].keys, windows[i].width, windows[i].rows, &spot);
        assert_string_equal(text, windows[i].text);
        assert_int_equal(spot.row, windows[i].row);
        assert_int_equal(spot.column, windows[i].column);
        free(text);
    }
}

/* A click puts the cursor where it falls, or at the end of what is there. */
static void a_cell_is_pointed_at(void **state) {
    static const struct {
        const char *keys;
        int width, rows, row, column;
        size_t at;
    } points[] = {
        {"abcdef", 9, 1, 0, 2, 2},
        {"abcdef", 9, 1, 0, 8, 6},
        {"abcdefgh", 6, 1, 0, 0, 3},
        {"a÷b", 9, 1, 0, 2, 3},
        {"one two three", 8, 2, 0, 1, 1},
        {"one two three", 8, 2, 1, 2, 10},
        {"one two three", 8, 2, 0, 7, 7},
        {"one two three four", 8, 2, 1, 9, 18},
        {"one two three<Home>", 8, 3, 2, 0, 8},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(points); i++) {
        struct editor f = field(NULL);
        press(&f, points[i].keys);
        struct page *p = page_new(points[i].width, false);
        screen_editor_draw(&f, p, 0, 0, points[i].width, points[i].rows, NULL, NULL);
        page_free(p);
        screen_editor_point(&f, points[i].row, points[i].column);
        assert_int_equal(f.at, points[i].at);
        screen_editor_free(&f);
    }
}

/* A field takes what an answer needs; what is more is not taken, and the next other key forgets
 * it. */
static void ends_somewhere(void **state) {
    struct editor f = field(NULL);
    (void)state;
    for (int i = 0; i < EDITOR_LINE; i++) press(&f, "x");
    assert_false(f.full);
    press(&f, "y");
    assert_true(f.full);
    assert_int_equal(f.text.length, EDITOR_LINE);
    press(&f, "<BS>");
    assert_false(f.full);
    f.most = EDITOR_LONG;
    press(&f, "yy");
    assert_int_equal(f.text.length, EDITOR_LINE + 1);
    screen_editor_free(&f);
}

/* What is pasted has no line ends and no tabs in a field. */
static void pasted_lines_become_one(void **state) {
    static const uint32_t pasted[] = {'a', '\n', '\t', 'b'};
    struct editor f = field(NULL);
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(pasted); i++)
        screen_editor_key(&f, &(struct key){.code = pasted[i], .target = KEY_PASTED});
    assert_string_equal(screen_editor_text(&f), "a  b");
    screen_editor_free(&f);
}

/* Up and down move by rows if there is no history; the window shows the cursor, and stays where it
 * is while it does. */
static void moves_by_rows_without_a_history(void **state) {
    struct editor f = field(NULL);
    struct editor_spot spot;
    struct page *p = page_new(8, false);
    (void)state;
    press(&f, "one two three four");
    spot = screen_editor_draw(&f, p, 0, 0, 8, 2, NULL, NULL);
    assert_true(spot.above && !spot.below);
    press(&f, "<Up>");
    spot = screen_editor_draw(&f, p, 0, 0, 8, 2, NULL, NULL);
    assert_int_equal(f.at, 12);
    assert_int_equal(spot.row, 0);
    press(&f, "<Up>");
    spot = screen_editor_draw(&f, p, 0, 0, 8, 2, NULL, NULL);
    assert_int_equal(f.at, 4);
    assert_true(!spot.above && spot.below);
    page_free(p);
    screen_editor_free(&f);
}

/* A character may be wider in ASCII than it is: the cursor stands behind what is drawn. */
static void the_cursor_follows_ascii(void **state) {
    struct editor f = field(NULL);
    struct page *p = page_new(20, true);
    (void)state;
    press(&f, "a→b");
    struct editor_spot spot = screen_editor_draw(&f, p, 0, 0, 20, 1, NULL, NULL);
    assert_int_equal(spot.column, page_measure(p, "a→b"));
    assert_true(spot.column > 3);
    page_free(p);
    screen_editor_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits),
        cmocka_unit_test(leaves_other_keys_alone),
        cmocka_unit_test(walks_the_history),
        cmocka_unit_test(ends_somewhere),
        cmocka_unit_test(pasted_lines_become_one),
        cmocka_unit_test(moves_by_rows_without_a_history),
        cmocka_unit_test(the_cursor_follows_ascii),
        cmocka_unit_test(a_cell_is_pointed_at),
        cmocka_unit_test(draws_a_window_with_the_cursor_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
