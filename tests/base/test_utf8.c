/* UTF-8: every shape of sequence, and every way of breaking one. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BAD = 0xFFFD };

static const struct reading {
    const char *bytes;
    /* ends with 0 */
    uint32_t codes[5];
    bool valid;
} readings[] = {
    {"", {0}, true},
    {"a", {'a'}, true},
    {"\x7F", {0x7F}, true},
    {"\xC2\x80", {0x80}, true},
    {"Ψ÷", {0x3A8, 0xF7}, true},
    {"\xDF\xBF", {0x7FF}, true},
    {"\xE0\xA0\x80", {0x800}, true},
    {"▓─", {0x2593, 0x2500}, true},
    {"\xEF\xBF\xBF", {0xFFFF}, true},
    {"\xF0\x90\x80\x80", {0x10000}, true},
    {"\xF4\x8F\xBF\xBF", {0x10FFFF}, true},
    /* a tail without a head, a head without a tail, a head before something else */
    {"\x80", {BAD}, false},
    {"a\xBFz", {'a', BAD, 'z'}, false},
    {"\xC3", {BAD}, false},
    {"\xC3(", {BAD, '('}, false},
    {"\xE2\x96", {BAD, BAD}, false},
    {"\xE2\x96z", {BAD, BAD, 'z'}, false},
    {"\xF0\x9F\x98", {BAD, BAD, BAD}, false},
    /* overlong: more bytes than the code needs */
    {"\xC0\x80", {BAD, BAD}, false},
    {"\xC1\xBF", {BAD, BAD}, false},
    {"\xE0\x9F\xBF", {BAD, BAD, BAD}, false},
    {"\xF0\x8F\xBF\xBF", {BAD, BAD, BAD, BAD}, false},
    /* surrogates, beyond the last code, and bytes that never occur */
    {"\xED\xA0\x80", {BAD, BAD, BAD}, false},
    {"\xED\xBF\xBF", {BAD, BAD, BAD}, false},
    {"\xF4\x90\x80\x80", {BAD, BAD, BAD, BAD}, false},
    {"\xF8", {BAD}, false},
    {"\xFF", {BAD}, false},
};

static void reads_every_shape_and_survives_every_break(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(readings); i++) {
        const struct reading *r = &readings[i];
        size_t n = strlen(r->bytes), k = 0;
        /* no byte more than there is, so that a sanitizer sees a look beyond */
        char *exact = malloc(n ? n : 1);
        memcpy(exact, r->bytes, n);
        const char *s = exact;
        for (; s < exact + n; k++) assert_int_equal(base_utf8_next(&s, exact + n), r->codes[k]);
        assert_true(s == exact + n);
        assert_int_equal(r->codes[k], 0);
        assert_int_equal(base_utf8_valid(exact, n), r->valid);
        free(exact);
    }
}

static void what_is_put_is_read_again(void **state) {
    (void)state;
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        char bytes[4];
        size_t n = base_utf8_put(bytes, code);
        const char *s = bytes;
        bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        uint32_t expected = surrogate ? BAD : code;
        if (base_utf8_next(&s, bytes + n) != expected || s != bytes + n) fail_msg("U+%04X", code);
    }
    char bytes[4];
    assert_int_equal(base_utf8_put(bytes, 0x110000), 3);
    assert_memory_equal(bytes, "\xEF\xBF\xBD", 3);
}

static const struct cleaning {
    const char *dirty;
    size_t most;
    const char *clean;
} cleanings[] = {
    {"plain, Ψ and ▓", 100, "plain, Ψ and ▓"},
    {"two\nlines\tand a tab", 100, "two\nlines\tand a tab"},
    {"\x1B[2Jgone\a\b\r\x7F", 100, "[2Jgone"},
    {"\xC2\x9B"
     "2J",
     100, "2J"},
    {"a\xFF"
     "b",
     100,
     "a\xEF\xBF\xBD"
     "b"},
    {"right\xE2\x80\xAE"
     "to left",
     100, "rightto left"},
    {"a line\xE2\x80\xA8"
     "or a paragraph\xE2\x80\xA9",
     100, "a lineor a paragraph"},
    {"in\xE2\x81\xA6"
     "side",
     100, "inside"},
    {"abcdef", 3, "abc"},
    {"ab▓", 4, "ab"},
    {"ab▓", 5, "ab▓"},
    {"anything", 0, ""},
};

static void a_clean_copy_is_safe_to_show(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cleanings); i++) {
        const struct cleaning *c = &cleanings[i];
        char *clean = base_clean_dup(c->dirty, strlen(c->dirty), c->most);
        assert_string_equal(clean, c->clean);
        free(clean);
    }
    char *without_nul = base_clean_dup("a\0b", 3, 9);
    assert_string_equal(without_nul, "ab");
    free(without_nul);
}

static void a_line_is_text_without_control_characters(void **state) {
    static const struct {
        const char *s;
        size_t n;
        bool line;
    } rows[] = {{"", 0, true},
                {"a b", 3, true},
                {"Ψ", 2, true},
                {"a\nb", 3, false},
                {"a\tb", 3, false},
                {"\033[2J", 4, false},
                {"\x7f", 1, false},
                {"a\0b", 3, false},
                {"\xff", 1, false},
                /* CSI in one character, and a mark that turns text round */
                {"\xc2\x9b[2J", 5, false},
                {"a\xe2\x80\xae"
                 "b",
                 5, false},
                {"É\xc2\xa0", 4, true}};
    char out[6];
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++)
        assert_int_equal(base_is_line(rows[i].s, rows[i].n), rows[i].line);
    base_line_copy(out, sizeof out, "a\nb\tc\033d");
    assert_string_equal(out, "a b c");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_shape_and_survives_every_break),
        cmocka_unit_test(what_is_put_is_read_again),
        cmocka_unit_test(a_clean_copy_is_safe_to_show),
        cmocka_unit_test(a_line_is_text_without_control_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
