/* The editor of many lines: keys in, the text, the cursor and its rows out. Random keys beside a
 * naive editor that knows nothing but a list of characters. */
#include "screen/editor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 11, ROWS = 5 }; /* ten cells of text */

static void press(struct editor *e, const char *keys) {
    struct base_message m;
    struct key k;
    while (screen_key_read(&keys, &k, &m))
        if (!screen_editor_key(e, &k))
            assert_true(screen_key_is(&k, "C-x C-r")); /* nothing to undo */
}

/* Draws it, so that it knows its width. */
static struct editor_spot draw(struct editor *e, struct page **page) {
    struct page *p = page_new(WIDTH, false);
    struct editor_spot s = screen_editor_draw(e, p, 0, 0, WIDTH, ROWS, NULL, NULL);
    if (page)
        *page = p;
    else
        page_free(p);
    return s;
}

/* The cursor is drawn as |. */
static const struct {
    const char *what, *before, *keys, *after;
} EDITS[] = {
    {"types", "", "ab<Enter>c", "ab\nc|"},
    {"types in the middle", "ac", "<Right>b", "ab|c"},
    {"an accent belongs to its letter", "xe\u0301y", "<Right><Right><BS>", "x|y"},
    {"joins lines", "ab\ncd", "<Down><BS>", "ab|cd"},
    {"delete joins lines", "ab\ncd", "<End><Del>", "ab|cd"},
    {"down keeps its column", "abcd\na\nabcd", "<End><Down><Down>", "abcd\na\nabcd|"},
    {"up from the first row", "abcd", "<Right><Up>", "|abcd"},
    {"down from the last row", "abcd", "<Down>", "abcd|"},
    {"rows of a long line", "one two three four", "<Down>", "one two |three four"},
    {"home is the row's", "one two three four", "<Down><Right><Home>", "one two |three four"},
    {"end is the row's", "one two three four", "<End>", "one two| three four"},
    {"^A and ^E are the line's", "one two three four", "<Down><C-a>x<C-e>y",
     "xone two three foury|"},
    {"by words", "a 16Ψ/N, b", "<C-Right><C-Right>", "a 16Ψ|/N, b"},
    {"by words back", "a 16Ψ/N, b", "<C-End><C-Left><C-Left>", "a 16Ψ/|N, b"},
    {"to the ends", "ab\ncd", "<C-End>x<C-Home>y", "y|ab\ncdx"},
    {"^W takes a word", "one two", "<C-End><C-w>", "one |"},
    {"^K takes the line, then its end", "ab\ncd", "<C-k><C-k>", "|cd"},
    {"a page is the window's less one", "1\n2\n3\n4\n5\n6\n7", "<PgDn>", "1\n2\n3\n4\n|5\n6\n7"},
    {"a page too far is the last row", "1\n2\n3", "<PgDn><PgDn>", "1\n2\n|3"},
    {"undo takes back a word", "", "one two<C-x>", "one |"},
    {"and again", "", "one two<C-x><C-x>", "|"},
    {"redo", "", "one two<C-x><C-x><C-r>", "one |"},
    {"undo of rubbing out", "abc", "<End><BS><BS><C-x>", "abc|"},
    {"moving parts changes", "", "ab<Left>c<C-x>", "a|b"},
    {"what is typed ends redo", "", "a<C-x>b<C-r>", "b|"},
    {"nothing to take back", "a", "<C-x><C-r>", "|a"},
    {"nothing to rub out", "", "<BS><Del><C-w><C-k>", "|"},
};

static char *with_cursor(const struct editor *e) {
    return base_format("%.*s|%s", (int)e->at, screen_editor_text(e), screen_editor_text(e) + e->at);
}

static void edits(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(EDITS); i++) {
        struct editor e = {0};
        screen_editor_set(&e, EDITS[i].before, strlen(EDITS[i].before));
        draw(&e, NULL);
        press(&e, EDITS[i].keys);
        char *is = with_cursor(&e);
        if (strcmp(is, EDITS[i].after) != 0)
            fail_msg("%s: \"%s\", not \"%s\"", EDITS[i].what, is, EDITS[i].after);
        free(is);
        screen_editor_free(&e);
    }
}

static void pasted_lines_stay_lines(void **state) {
    static const uint32_t pasted[] = {'a', '\n', '\t', 'b'};
    struct editor e = {0};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(pasted); i++)
        screen_editor_key(&e, &(struct key){.code = pasted[i], .target = KEY_PASTED});
    assert_string_equal(screen_editor_text(&e), "a\n\tb");
    screen_editor_free(&e);
}

static void leaves_other_keys_alone(void **state) {
    static const uint32_t others[] = {PRESS_ESC, PRESS_TAB, PRESS_F(2), PRESS_CTRL('s')};
    struct editor e = {0};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(others); i++)
        assert_false(screen_editor_key(&e, &(struct key){.code = others[i]}));
    screen_editor_free(&e);
}

/* ── rows ──────────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    /* a | ends a row */
    const char *text, *rows;
} WRAPS[] = {
    {"", "|"},
    {"one two three four", "one two |three four|"},
    {"one two thr four", "one two |thr four|"},
    {"1234567890 next", "1234567890 |next|"},
    {"aaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaa|aaaaaaaaaa|aaa|"},
    {"one\n\ntwo\n", "one|\n|\ntwo|\n|"},
    {"漢字漢字漢字", "漢字漢字漢|字|"},
    {"a\tb", "a\tb|"},
};

static char *rows_of(struct editor *e) {
    struct base_text t = {0};
    struct editor_row r = screen_editor_row_of(e, 0);
    do {
        if (r.from > 0 && e->text.s[r.from - 1] == '\n') base_text_puts(&t, "\n");
        base_text_add(&t, screen_editor_text(e) + r.from, r.to - r.from);
        base_text_puts(&t, "|");
    } while (screen_editor_row_after(e, &r));
    return base_text_take(&t);
}

static void lines_wrap_at_words(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(WRAPS); i++) {
        struct editor e = {0};
        screen_editor_set(&e, WRAPS[i].text, strlen(WRAPS[i].text));
        draw(&e, NULL);
        char *rows = rows_of(&e);
        assert_string_equal(rows, WRAPS[i].rows);
        free(rows);
        screen_editor_free(&e);
    }
}

/* ── random keys, beside a naive editor ────────────────────────────────────────────────────────*/
static const char *const CHARACTERS[] = {"a", "b", " ", "e\u0301", "漢", "Ψ", "\n", "-"};
enum { MOST = 400 };
/* characters by their place in CHARACTERS */
struct naive {
    size_t character[MOST], count, at;
};

static void naive_type(struct naive *n, size_t character) {
    memmove(n->character + n->at + 1, n->character + n->at,
            (n->count - n->at) * sizeof *n->character);
    n->character[n->at++] = character;
    n->count++;
}

static void naive_rub(struct naive *n) {
    if (n->at == n->count) return;
    memmove(n->character + n->at, n->character + n->at + 1,
            (n->count - n->at - 1) * sizeof *n->character);
    n->count--;
}

static void naive_key(struct naive *n, uint32_t code) {
    switch (code) {
    case PRESS_LEFT: n->at -= n->at > 0; break;
    case PRESS_RIGHT: n->at += n->at < n->count; break;
    case PRESS_FIRST: n->at = 0; break;
    case PRESS_LAST: n->at = n->count; break;
    case PRESS_DELETE: naive_rub(n); break;
    default:
        if (n->at > 0) {
            n->at--;
            naive_rub(n);
        }
    }
}

static char *naive_text(const struct naive *n) {
    struct base_text t = {0};
    for (size_t i = 0; i < n->count; i++) {
        if (i == n->at) base_text_puts(&t, "|");
        base_text_puts(&t, CHARACTERS[n->character[i]]);
    }
    if (n->at == n->count) base_text_puts(&t, "|");
    return base_text_take(&t);
}

static void type_character(struct editor *e, const char *s) {
    screen_editor_replace(e, e->at, e->at, s, strlen(s));
}

/* Whatever was done: the rows make up the text, none is too wide, the cursor is on the page, and a
 * click there finds it again. */
static void check_rows(struct editor *e, int rows) {
    struct page *page = page_new(WIDTH, false);
    struct editor_spot s = screen_editor_draw(e, page, 0, 0, WIDTH, rows, NULL, NULL);
    struct editor_row r = screen_editor_row_of(e, 0);
    size_t at = 0;
    do {
        assert_int_equal(r.from, at);
        if (rows > 1) assert_true(screen_editor_column(e, &r, r.to) <= WIDTH);
        at = r.next;
    } while (screen_editor_row_after(e, &r));
    assert_int_equal(at, e->text.length);
    assert_in_range(s.row, 0, rows - 1);
    assert_in_range(s.column, 0, WIDTH - 1);
    size_t cursor = e->at;
    screen_editor_point(e, s.row, s.column);
    assert_int_equal(e->at, cursor);
    page_free(page);
}

static void beside_a_naive_editor(uint64_t seed, size_t most, int rows) {
    static const uint32_t codes[] = {PRESS_LEFT,   PRESS_RIGHT,     PRESS_FIRST,    PRESS_LAST,
                                     PRESS_DELETE, PRESS_BACKSPACE, PRESS_BACKSPACE};
    struct editor e = {0};
    struct naive n = {0};
    screen_editor_field(&e, most, NULL);
    for (int i = 0; i < MOST; i++) {
        uint64_t r = base_random(&seed);
        if (r % 3) {
            size_t c = (r >> 8) % BASE_COUNT(CHARACTERS);
            if (most && *CHARACTERS[c] == '\n') c = 0;
            naive_type(&n, c);
            type_character(&e, CHARACTERS[c]);
        } else {
            uint32_t code = codes[(r >> 8) % BASE_COUNT(codes)];
            naive_key(&n, code);
            screen_editor_key(&e, &(struct key){.code = code});
        }
        char *is = with_cursor(&e), *should = naive_text(&n);
        assert_string_equal(is, should);
        free(is);
        free(should);
        check_rows(&e, rows);
    }
    screen_editor_free(&e);
}

static void random_keys(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        beside_a_naive_editor(seed, 0, ROWS);
        beside_a_naive_editor(seed, EDITOR_LONG, ROWS); /* a field that wraps */
        beside_a_naive_editor(seed, EDITOR_LONG, 1);    /* one that moves sideways */
    }
}

/* All changes taken back give the text as it was, all made again the text as it came to be. */
static void all_can_be_taken_back(void **state) {
    (void)state;
    for (uint64_t seed = 100; seed < 120; seed++) {
        uint64_t chance = seed;
        struct editor e = {0};
        screen_editor_set(&e, "one two\nthree", 13);
        draw(&e, NULL);
        for (int i = 0; i < 200; i++) {
            static const char *const keys[] = {"a",        "b ",    "<BS>",  "<Left>",
                                               "<Enter>",  "<C-w>", "<Up>",  "<C-k>",
                                               "<C-Left>", "<Del>", "<C-x>", "<C-r>"};
            press(&e, keys[base_random(&chance) % BASE_COUNT(keys)]);
        }
        char *after = base_dup(screen_editor_text(&e));
        while (screen_editor_redo(&e)) {
        }
        char *last = base_dup(screen_editor_text(&e));
        while (screen_editor_undo(&e)) {
        }
        assert_string_equal(screen_editor_text(&e), "one two\nthree");
        while (screen_editor_redo(&e)) {
        }
        assert_string_equal(screen_editor_text(&e), last);
        free(after);
        free(last);
        screen_editor_free(&e);
    }
}

/* ── a text that changed elsewhere ─────────────────────────────────────────────────────────────*/
static const struct {
    const char *before, *becomes;
    size_t at, then;
} BECOMES[] = {
    {"one two three", "one 2 three", 9, 7},
    {"one two three", "one 2 three", 2, 2},
    {"one two three", "", 9, 0},
    {"", "one", 0, 0},
    {"same", "same", 3, 3},
    {"aΨb", "aΩb", 4, 4},
    {"aaaa", "aa", 4, 2},
};

static void becomes(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(BECOMES); i++) {
        struct editor e = {0};
        screen_editor_set(&e, BECOMES[i].before, strlen(BECOMES[i].before));
        screen_editor_go(&e, BECOMES[i].at);
        assert_true(screen_editor_become(&e, BECOMES[i].becomes, strlen(BECOMES[i].becomes)));
        assert_string_equal(screen_editor_text(&e), BECOMES[i].becomes);
        assert_true(base_utf8_valid(screen_editor_text(&e), e.text.length));
        assert_int_equal(e.at, BECOMES[i].then);
        while (screen_editor_undo(&e)) {
        }
        assert_string_equal(screen_editor_text(&e), BECOMES[i].before);
        screen_editor_free(&e);
    }
}

static void takes_no_more_than_it_can(void **state) {
    struct editor e = {0};
    char *many = base_alloc(EDITOR_MOST);
    (void)state;
    memset(many, 'x', EDITOR_MOST);
    screen_editor_set(&e, many, EDITOR_MOST - 1);
    press(&e, "a");
    assert_false(e.full);
    press(&e, "b");
    assert_true(e.full);
    assert_int_equal(e.text.length, EDITOR_MOST);
    press(&e, "<BS>b");
    assert_false(e.full);
    free(many);
    screen_editor_free(&e);
}

static void the_wheel_leaves_the_cursor(void **state) {
    struct editor e = {0};
    (void)state;
    screen_editor_set(&e, "1\n2\n3\n4\n5\n6\n7\n8\n9", 17);
    draw(&e, NULL);
    screen_editor_scroll(&e, 3);
    struct editor_spot s = draw(&e, NULL);
    assert_int_equal(s.row, -1);
    assert_true(s.above && s.below);
    assert_int_equal(e.at, 0);
    press(&e, "x");
    s = draw(&e, NULL);
    assert_int_equal(s.row, 0);
    screen_editor_free(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits),
        cmocka_unit_test(pasted_lines_stay_lines),
        cmocka_unit_test(leaves_other_keys_alone),
        cmocka_unit_test(lines_wrap_at_words),
        cmocka_unit_test(random_keys),
        cmocka_unit_test(all_can_be_taken_back),
        cmocka_unit_test(becomes),
        cmocka_unit_test(takes_no_more_than_it_can),
        cmocka_unit_test(the_wheel_leaves_the_cursor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
