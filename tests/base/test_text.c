/* Growing text, checked memory, messages. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void text_grows_by_any_piece(void **state) {
    (void)state;
    struct base_text t = {0};
    for (int i = 0; i < 1000; i++) {
        base_text_add(&t, "abc", 2);
        base_text_puts(&t, "▓");
        base_text_printf(&t, "%d,", i % 10);
        assert_true(t.length < t.capacity);
        assert_int_equal(t.s[t.length], '\0');
    }
    assert_int_equal(t.length, 1000 * (2 + 3 + 2));
    assert_memory_equal(t.s, "ab▓0,ab▓1,", 14);
    assert_int_equal(strlen(t.s), t.length);
    base_text_free(&t);
    assert_null(t.s);
}

static void percents_are_never_rounded_up(void **state) {
    (void)state;
    assert_int_equal(base_percent(0), 0);
    assert_int_equal(base_percent(0.899), 89);
    assert_int_equal(base_percent(0.9), 90);
    assert_int_equal(base_percent(0.29), 29); /* 100 times it is below 29 */
    assert_int_equal(base_percent(1), 100);
}

static void long_lines_are_folded(void **state) {
    static const struct {
        int columns;
        const char *text, *lines;
    } rows[] = {
        {20, "zerotutor: short", "zerotutor: short"},
        {12, "one two three four", "one two\nthree four"},
        {7, "one two three", "one two\nthree"},
        {4, "a longerword b", "a\nlongerword\nb"},
        {8, "Ψ is  Ψ and Ψ", "Ψ is  Ψ\nand Ψ"},
        {5, "", ""},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char *lines = base_fold(rows[i].text, rows[i].columns);
        assert_string_equal(lines, rows[i].lines);
        free(lines);
    }
}

static void text_taken_is_the_callers(void **state) {
    (void)state;
    struct base_text t = {0};
    char *nothing = base_text_take(&t);
    assert_string_equal(nothing, "");
    base_text_add(&t, "", 0);
    base_text_puts(&t, "first");
    char *first = base_text_take(&t);
    assert_int_equal(t.length, 0);
    base_text_puts(&t, "second");
    assert_string_equal(first, "first");
    assert_string_equal(t.s, "second");
    base_text_free(&t);
    free(first);
    free(nothing);
}

static void text_holds_what_a_buffer_would_not(void **state) {
    (void)state;
    struct base_text t = {0};
    base_text_puts(&t, "=");
    base_text_printf(&t, "%5000d", 7);
    assert_int_equal(t.length, 5001);
    assert_string_equal(t.s + 4999, " 7");
    char *again = base_format("%s|%.2f", t.s, 31.40625);
    assert_int_equal(strlen(again), 5001 + 6);
    assert_string_equal(again + 5001, "|31.41");
    free(again);
    base_text_free(&t);
}

static void memory_comes_zeroed_and_grows_whole(void **state) {
    (void)state;
    unsigned char *zeroed = base_alloc(1000);
    for (int i = 0; i < 1000; i++) assert_int_equal(zeroed[i], 0);
    memset(zeroed, 0xAB, 1000);
    zeroed = base_grow(zeroed, 500000, 4);
    for (int i = 0; i < 1000; i++) assert_int_equal(zeroed[i], 0xAB);
    free(zeroed);
}

static const struct saying {
    const char *file;
    int line;
    const char *text;
} sayings[] = {
    {"", 0, "what is wrong"},
    {"lessons/a.lua", 12, "lessons/a.lua:12: what is wrong"},
    {"course.json", 0, "course.json: what is wrong"},
};

static void a_message_says_where(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(sayings); i++) {
        struct base_message m;
        char out[600];
        assert_false(base_fail_at(&m, sayings[i].file, sayings[i].line, "what is %s", "wrong"));
        assert_string_equal(base_message_text(&m, out, sizeof out), sayings[i].text);
    }
}

static void a_message_may_be_nobodys(void **state) {
    (void)state;
    assert_false(base_fail(NULL, "%d", 1));
    assert_false(base_fail_at(NULL, "f", 1, "%d", 1));
}

static void a_message_replaces_all_of_the_last(void **state) {
    (void)state;
    struct base_message m;
    base_fail_at(&m, "lesson.lua", 3, "inner");
    /* an argument that lies in the message itself */
    assert_false(base_fail(&m, "outer: %s", m.what));
    assert_string_equal(m.what, "outer: inner");
    assert_string_equal(m.file, "");
    assert_int_equal(m.line, 0);
}

static void a_long_message_is_cut_between_characters(void **state) {
    (void)state;
    for (size_t lead = 0; lead < 4; lead++) {
        struct base_text t = {0};
        base_text_add(&t, "abc", lead);
        for (int i = 0; i < 400; i++) base_text_puts(&t, "▓");
        struct base_message m;
        base_fail_at(&m, t.s, 1, "%s", t.s);
        assert_in_range(strlen(m.what), sizeof m.what - 4, sizeof m.what - 1);
        assert_in_range(strlen(m.file), sizeof m.file - 4, sizeof m.file - 1);
        assert_true(base_utf8_valid(m.what, strlen(m.what)));
        assert_true(base_utf8_valid(m.file, strlen(m.file)));
        base_text_free(&t);
    }
}

static void a_broken_message_is_not_eaten_up(void **state) {
    (void)state;
    struct base_message m;
    base_fail(&m, "bad byte \xFF in the middle, and \xC3( too");
    assert_string_equal(m.what, "bad byte \uFFFD in the middle, and \uFFFD( too");
}

static void a_message_drives_no_terminal(void **state) {
    (void)state;
    struct base_message m;
    base_fail_at(&m, "evil\033]0;title\a\n.lua", 1, "what\033[2J was\ttyped\xC2\x9B\n");
    assert_string_equal(m.file, "evil]0;title .lua");
    assert_string_equal(m.what, "what[2J was typed ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_grows_by_any_piece),
        cmocka_unit_test(text_taken_is_the_callers),
        cmocka_unit_test(percents_are_never_rounded_up),
        cmocka_unit_test(long_lines_are_folded),
        cmocka_unit_test(text_holds_what_a_buffer_would_not),
        cmocka_unit_test(memory_comes_zeroed_and_grows_whole),
        cmocka_unit_test(a_message_says_where),
        cmocka_unit_test(a_message_may_be_nobodys),
        cmocka_unit_test(a_message_replaces_all_of_the_last),
        cmocka_unit_test(a_long_message_is_cut_between_characters),
        cmocka_unit_test(a_broken_message_is_not_eaten_up),
        cmocka_unit_test(a_message_drives_no_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
