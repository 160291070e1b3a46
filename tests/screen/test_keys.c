/* Keys: the notation of scripts, and what keys are called on the screen. */
#include "screen/keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <string.h>

static void reads_the_notation(void **state) {
    static const struct {
        const char *text;
        uint32_t code;
        int row, column;
    } keys[] = {
        {"a", 'a', 0, 0},
        {"÷", 0xf7, 0, 0},
        {"<Enter>", PRESS_ENTER, 0, 0},
        {"<S-Tab>", PRESS_BACKTAB, 0, 0},
        {"<F1>", PRESS_F(1), 0, 0},
        {"<F12>", PRESS_F(12), 0, 0},
        {"<C-u>", PRESS_CTRL('u'), 0, 0},
        {"<lt>", '<', 0, 0},
        {"<Space>", ' ', 0, 0},
        {"<click:3,7>", PRESS_CLICK, 6, 2},
        {"<resize:120x40>", PRESS_RESIZE, 40, 120},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(keys); i++) {
        const char *text = keys[i].text;
        struct base_message m;
        struct key k;
        assert_true(screen_key_read(&text, &k, &m));
        assert_int_equal(k.code, keys[i].code);
        assert_int_equal(k.row, keys[i].row);
        assert_int_equal(k.column, keys[i].column);
        assert_string_equal(text, "");
    }
}

static void reads_one_after_another(void **state) {
    const char *text = "1<wait:0.5>.<Enter>";
    static const uint32_t wanted[] = {'1', '.', PRESS_ENTER};
    struct base_message m;
    struct key k;
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(wanted); i++) {
        assert_true(screen_key_read(&text, &k, &m));
        assert_int_equal(k.code, wanted[i]);
    }
    assert_false(screen_key_read(&text, &k, &m));
    assert_string_equal(m.what, "");
}

static void says_what_is_no_key(void **state) {
    static const char *const wrong[] = {"<Entr>",      "<F13>",       "<C-U>",
                                        "<click:0,1>", "<resize:80>", "<Enter"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(wrong); i++) {
        const char *text = wrong[i];
        struct base_message m;
        struct key k;
        assert_false(screen_key_read(&text, &k, &m));
        assert_non_null(strstr(m.what, wrong[i] + 1));
    }
}

static void names_keys(void **state) {
    static const struct {
        uint32_t code;
        const char *unicode, *ascii;
    } names[] = {
        {PRESS_ENTER, "⏎", "Enter"},   {PRESS_UP, "↑", "Up"}, {PRESS_F(5), "F5", "F5"},
        {PRESS_CTRL('s'), "^S", "^S"}, {'q', "q", "q"},
    };
    char out[16];
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        assert_string_equal(screen_key_caption(names[i].code, false, out, sizeof out),
                            names[i].unicode);
        assert_string_equal(screen_key_caption(names[i].code, true, out, sizeof out),
                            names[i].ascii);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_notation),
        cmocka_unit_test(reads_one_after_another),
        cmocka_unit_test(says_what_is_no_key),
        cmocka_unit_test(names_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
