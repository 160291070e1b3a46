/* Cells: what the screens draw with, what learners type, and agreement with the C library, which
 * curses asks. */
#include "base/base.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <wchar.h>

#include <cmocka.h>

static const struct range {
    const char *what;
    uint32_t first, last;
    int width;
} ranges[] = {
    {"ASCII", 0x20, 0x7E, 1},
    {"control characters", 0x00, 0x1F, 0},
    {"DEL and C1", 0x7F, 0x9F, 0},
    {"Latin 1, soft hyphen with it", 0xA0, 0xFF, 1},
    {"Greek letters", 0x391, 0x3A1, 1},
    {"combining marks", 0x300, 0x36F, 0},
    {"zero width space and joiners", 0x200B, 0x200D, 0},
    {"superscripts, minus", 0x2070, 0x2071, 1},
    {"arrows", 0x2190, 0x21FF, 1},
    {"return key", 0x23CE, 0x23CE, 1},
    {"box drawing", 0x2500, 0x257F, 1},
    {"blocks and shades", 0x2580, 0x259F, 1},
    {"geometric shapes", 0x25A0, 0x25FC, 1},
    {"check marks", 0x2713, 0x2718, 1},
    {"braille", 0x2800, 0x28FF, 1},
    {"variation selectors", 0xFE00, 0xFE0F, 0},
    {"CJK ideographs", 0x4E00, 0x9FBF, 2},
    {"kana", 0x3041, 0x3096, 2},
    {"Hangul syllables", 0xAC00, 0xD7A3, 2},
    {"fullwidth forms", 0xFF01, 0xFF60, 2},
    {"faces", 0x1F600, 0x1F64F, 2},
    {"rocket", 0x1F680, 0x1F680, 2},
};

static const char *const locales[] = {"C", "C.UTF-8"};

static void each_range_has_its_width(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(ranges) * BASE_COUNT(locales); i++) {
        const struct range *r = &ranges[i / BASE_COUNT(locales)];
        setlocale(LC_ALL, locales[i % BASE_COUNT(locales)]);
        for (uint32_t c = r->first; c <= r->last; c++)
            if (base_code_width(c) != r->width)
                fail_msg("%s: U+%04X is %d wide", r->what, c, base_code_width(c));
    }
}

/* Every sign the screens are drawn with takes one cell: a figure that counts on it would break
 * apart. */
static void what_screens_draw_with_is_one_cell(void **state) {
    (void)state;
    setlocale(LC_ALL, "C.UTF-8");
    const char *signs =
        "█▓▒░╱◫◪·˙│├─┼┆┤└┘┌┐┬┴╭╮╯╰▏▎▍▌▋▊▉▇▂▸◂●◐○◆⏎←→↑↓✗✓×÷Ψ−≈≤≥²³⁹∞…“”‘’–—⠉⠒⠤⣀▁▃▄▅▆";
    const char *end = signs + strlen(signs);
    for (const char *s = signs; s < end;) {
        uint32_t code = base_utf8_next(&s, end);
        if (base_code_width(code) != 1) fail_msg("U+%04X is %d wide", code, base_code_width(code));
    }
}

static const struct line {
    const char *text;
    int cells;
} lines[] = {
    {"", 0},         {"31.4 GB", 7}, {"█▓▒░", 4},     {"e\xCC\x81t\xC3\xA9", 3},
    {"漢字 13B", 8}, {"a\tb\n", 2},  {"\xFF\xFE", 2}, /* two replacement characters */
};

static void a_line_is_the_sum_of_its_cells(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lines); i++)
        assert_int_equal(base_width(lines[i].text), lines[i].cells);
}

static void the_locale_changes_nothing(void **state) {
    (void)state;
    setlocale(LC_ALL, "C");
    assert_int_equal(base_width("▓─漢é"), 5);
    setlocale(LC_ALL, "C.UTF-8");
    assert_int_equal(base_width("▓─漢é"), 5);
}

/* Both draw the same lines, so they must agree to the cell on all that curses draws at all. Which
 * sign is how wide changes with the C library: to glibc 2.41 (Debian 13) U+2630 is two cells wide,
 * to 2.36 one. */
static void curses_counts_the_same_cells(void **state) {
    (void)state;
    if (!setlocale(LC_ALL, "C.UTF-8")) skip();
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        int theirs = wcwidth((wchar_t)c);
        if (theirs >= 0 && theirs != base_code_width(c))
            fail_msg("U+%04X: curses %d, we %d", c, theirs, base_code_width(c));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_range_has_its_width),
        cmocka_unit_test(what_screens_draw_with_is_one_cell),
        cmocka_unit_test(a_line_is_the_sum_of_its_cells),
        cmocka_unit_test(the_locale_changes_nothing),
        cmocka_unit_test(curses_counts_the_same_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
