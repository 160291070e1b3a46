/* Cells: what is written where, what is cut, and how graphemes of all widths keep out of each
 * other's way. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *what, *text, *reads;
    /* the column after it */
    int after;
} puts_at_zero[] = {
    {"ASCII", "abc", "abc\n", 3},
    {"wide", "漢字", "漢字\n", 4},
    {"combining", "e\u0301x", "e\u0301x\n", 2},
    {"emoji with a skin tone", "👍🏽!", "👍🏽!\n", 3},
    {"a flag is one grapheme", "🇩🇪!", "🇩🇪!\n", 3},
    {"too many marks are cut to what a cell holds",
     "e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301x",
     "e\u0301\u0301\u0301\u0301\u0301\u0301\u0301x\n", 2},
    {"no-break space is a space", "7\u00a0B", "7 B\n", 3},
    {"control characters are nothing", "a\x01\x1b[b", "a[b\n", 3},
    {"cut at the edge", "0123456789abc", "0123456789\n", 10},
    {"half of a wide one does not fit", "012345678漢", "012345678\n", 11},
    {"a lone mark is nothing", "\u0301a", "a\n", 1},
    {"broken UTF-8 is marked",
     "a\xff"
     "b",
     "a\ufffd"
     "b\n",
     3},
};

static void puts_graphemes(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(puts_at_zero); i++) {
        struct page *p = page_new(10, false);
        int after = page_put(p, 0, 0, PAGE_PLAIN, 0, puts_at_zero[i].text);
        if (after != puts_at_zero[i].after) print_error("%s\n", puts_at_zero[i].what);
        assert_int_equal(after, puts_at_zero[i].after);
        assert_int_equal(page_measure(p, puts_at_zero[i].text),
                         strcmp(puts_at_zero[i].what, "cut at the edge") ? after : 13);
        sheet_reads(p, puts_at_zero[i].reads);
        page_free(p);
    }
}

static void overwrites_halves(void **state) {
    (void)state;
    struct page *p = page_new(6, false);
    page_put(p, 0, 0, PAGE_PLAIN, 0, "漢字漢");
    page_put(p, 0, 1, PAGE_PLAIN, 0, "x"); /* the right half of the first */
    page_put(p, 0, 2, PAGE_PLAIN, 0, "y"); /* the left half of the second */
    sheet_reads(p, " xy 漢\n");
    page_put(p, 0, 3, PAGE_PLAIN, 0, "字"); /* over a blank and the left half of the third */
    sheet_reads(p, " xy字\n");
    assert_string_equal(page_cell(p, 0, 4)->text, "");
    assert_string_equal(page_cell(p, 0, 5)->text, " ");
    page_free(p);
}

static void cuts_on_every_side(void **state) {
    (void)state;
    struct page *p = page_new(4, false);
    assert_int_equal(page_put(p, 0, -2, PAGE_PLAIN, 0, "abcd"), 2);
    assert_int_equal(page_put(p, -1, 0, PAGE_PLAIN, 0, "above"), 0);
    page_put(p, 1, -1, PAGE_PLAIN, 0, "漢z");
    page_put(p, 1, 9, PAGE_PLAIN, 0, "far");
    sheet_reads(p, "cd\n z\n");
    assert_string_equal(page_cell(p, 5, 5)->text, " ");
    assert_string_equal(page_cell(p, -1, -1)->text, " ");
    page_free(p);
}

static void keeps_roles(void **state) {
    (void)state;
    struct page *p = page_new(10, false), *ascii = page_new(10, true);
    page_put(p, 0, 0, PAGE_CODE, PAGE_BOLD, "漢");
    for (int column = 0; column < 2; column++) {
        assert_int_equal(page_cell(p, 0, column)->role, PAGE_CODE);
        assert_int_equal(page_cell(p, 0, column)->attributes, PAGE_BOLD);
    }
    page_put(p, 1, 0, 200, 0, "no such role");
    assert_int_equal(page_cell(p, 1, 0)->role, PAGE_PLAIN);
    page_put(ascii, 0, 0, PAGE_CATEGORY + ACCOUNT_MASTER, 0, "▒");
    assert_string_equal(page_cell(ascii, 0, 0)->text, "M");
    assert_int_equal(page_cell(ascii, 0, 0)->role, PAGE_INK + ACCOUNT_MASTER);
    page_free(ascii);
    page_free(p);
}

static void blanks_rules_and_pastes(void **state) {
    (void)state;
    struct page *p = page_new(8, false), *small = page_new(4, false);
    page_blank(p, 2);
    page_rule(p, 2, 1, 100);
    page_put(small, 0, 0, PAGE_GOOD, 0, "漢ab");
    page_put(small, 1, 0, PAGE_GOOD, 0, "zz");
    page_paste(p, small, 3, 5);
    sheet_reads(p, "\n\n ───────\n     漢a\n     zz\n");
    assert_int_equal(page_cell(p, 3, 6)->role, PAGE_GOOD);
    page_paste(p, small, -1, -1);
    sheet_reads(p, "z\n\n ───────\n     漢a\n     zz\n");
    page_printf(p, 0, 0, PAGE_PLAIN, "%d × %s", 3, "x");
    sheet_reads(p, "3 × x\n\n ───────\n     漢a\n     zz\n");
    page_free(small);
    page_free(p);
}

static const struct {
    const char *text, *ascii;
} swaps[] = {
    {"16Ψ ÷ N − 3 × 2", "16Psi / N - 3 x 2"},
    {"Ψ (psi) is; Ψ (all)", "Psi is; Psi (all)"},
    {"a ≤ b ≥ c ≠ d", "a <= b >= c != d"},
    {"10⁹, 2³⁰, 10⁻³", "10^9, 2^30, 10^-3"},
    {"s², log₂ N", "s^2, log2 N"},
    {"m′ ÷ √v′", "m' / sqrt v'"},
    {"“so” – it’s… → fine", "\"so\" - it's... -> fine"},
    {"┌─┬┄┐│├┼┤└╰", "+-+-+|+++++"},
    {"café, Ångström, naïve", "cafe, Angstrom, naive"},
    {"漢字?", "?????"},
    {"███░░ ▁▃▇ ▏", "###.. __# |"},
    {"✓ ✗ ● ○ ▸", "+ x * o >"},
};

static void speaks_ascii(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(swaps); i++) {
        struct page *p = page_new(40, true);
        char *want = base_format("%s\n", swaps[i].ascii);
        page_put(p, 0, 0, PAGE_PLAIN, 0, swaps[i].text);
        assert_int_equal(page_measure(p, swaps[i].text), strlen(swaps[i].ascii));
        sheet_reads(p, want);
        free(want);
        page_free(p);
    }
}

static void cuts_as_it_will_be_written(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int cells;
        bool ascii;
        const char *cut;
    } cuts[] = {
        {"2Ψ or 3Ψ", 8, false, "2Ψ or 3Ψ"},
        {"2Ψ or 3Ψ", 7, false, "2Ψ or…"},
        {"2Ψ or 3Ψ", 8, true, "2Psi..."},
        {"2Ψ or 3Ψ", 12, true, "2Psi or 3Psi"},
        {"all of it …", 11, true, "all of..."},
        {"out of memory", 10, false, "out of…"},
        {"memory runs", 6, false, "memor…"},
        {"漢字漢", 5, false, "漢字…"},
        {"漢字漢", 4, false, "漢…"},
    };
    for (size_t i = 0; i < BASE_COUNT(cuts); i++) {
        char *cut = page_cut(cuts[i].text, cuts[i].cells, cuts[i].ascii);
        assert_string_equal(cut, cuts[i].cut);
        free(cut);
    }
}

static void fills_are_letters(void **state) {
    (void)state;
    static const char *const fills[] = {"█", "▓", "▒", "░", "╱", "◫", "◪", "·", "╳", "˙"};
    struct page *p = page_new(ACCOUNT_CATEGORIES, true);
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        page_put(p, 0, (int)c, PAGE_CATEGORY + c, 0, fills[c]);
    sheet_reads(p, "PGMVAgrwxf\n");
    page_free(p);
}

/* The nearest ASCII is ASCII, whatever is written. */
static void ascii_is_ascii(void **state) {
    (void)state;
    struct page *p = page_new(4, true);
    for (uint32_t code = 0x20; code < 0x30000; code++) {
        char text[5] = "";
        base_utf8_put(text, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
        page_put(p, 0, 0, PAGE_PLAIN, 0, text);
        for (int column = 0; column < 4; column++) {
            const char *s = page_cell(p, 0, column)->text;
            if (strlen(s) != 1 || s[0] < ' ' || s[0] > '~')
                fail_msg("U+%04X shows as \"%s\"", code, s);
        }
    }
    page_free(p);
}

static void never_outgrows(void **state) {
    (void)state;
    struct page *p = page_new(3, false);
    page_put(p, 1 << 30, 0, PAGE_PLAIN, 0, "far below");
    assert_int_equal(page_height(p), 0);
    page_blank(p, 1 << 30);
    page_blank(p, 1 << 30);
    assert_true(page_height(p) < 1 << 20);
    page_text(p, (struct page_flow){0}, "one more");
    page_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_graphemes),          cmocka_unit_test(overwrites_halves),
        cmocka_unit_test(cuts_on_every_side),      cmocka_unit_test(keeps_roles),
        cmocka_unit_test(blanks_rules_and_pastes), cmocka_unit_test(speaks_ascii),
        cmocka_unit_test(fills_are_letters),       cmocka_unit_test(ascii_is_ascii),
        cmocka_unit_test(never_outgrows),          cmocka_unit_test(cuts_as_it_will_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
