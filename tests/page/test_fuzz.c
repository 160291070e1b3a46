/* Whatever is written and however narrow the page: nothing crashes, nothing is lost that the page
 * can hold. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

static const char *const scraps[] = {
    "word ",
    "31.4 GB ",
    "\n",
    "\n\n",
    "- ",
    "  - ",
    "1. ",
    "> ",
    "```\n",
    "`",
    "**",
    "*",
    "_",
    "# ",
    "### ",
    "---\n",
    "| a | b |\n| --- | :-: |\n",
    "| x ",
    "|\n",
    "[text](url)",
    "![i](j)",
    "<b>",
    "&lt;",
    "&#999999999;",
    "&#xd800;",
    "\\",
    "    ",
    "\t",
    "漢字",
    "e\u0301",
    "👩\u200d👩\u200d👧",
    "🇩🇪",
    "\u00a0",
    "\u200b",
    "\xff",
    "\xe6\xbc",
    "averyveryverylongwordthatdoesnotfitanywhere",
    "\u202e",
    "\x1b[31m",
    "═",
    "Ψ ÷ N",
};

static char *random_markdown(uint64_t *random) {
    struct base_text out = {0};
    for (uint64_t n = base_random(random) % 60; n > 0; n--)
        base_text_puts(&out, scraps[base_random(random) % BASE_COUNT(scraps)]);
    return base_text_take(&out);
}

static void print_all(const struct page *p) {
    char *printed[] = {page_to_text(p), page_to_ansi(p, PAGE_CONTRAST, 256),
                       page_to_svg(p, PAGE_LIGHT, "fuzz")};
    for (size_t i = 0; i < BASE_COUNT(printed); i++) {
        assert_true(base_utf8_valid(printed[i], strlen(printed[i])));
        free(printed[i]);
    }
}

/* Every row is as wide as the page, wide graphemes counted with their right halves. */
static void check_rows(const struct page *p) {
    for (int row = 0; row < page_height(p); row++)
        for (int column = 0; column < page_width(p); column++) {
            const struct page_cell *c = page_cell(p, row, column);
            bool half = column + 1 < page_width(p) && !page_cell(p, row, column + 1)->text[0];
            assert_true(c->text[0] ? base_width(c->text) >= 1 && (half || base_width(c->text) == 1)
                                   : column > 0);
            assert_true(c->role < PAGE_ROLES);
        }
}

static void any_markdown_at_any_width(void **state) {
    (void)state;
    uint64_t random = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : 1;
    for (int round = 0; round < 3000; round++) {
        char *text = random_markdown(&random);
        int width = 1 + (int)(base_random(&random) % 40);
        struct page *p = page_new(width, base_random(&random) % 2);
        struct page_flow f = {.indent = (int)(base_random(&random) % 5),
                              .width = (int)(base_random(&random) % 30)};
        page_markdown(p, f, text);
        page_text(p, f, text);
        check_rows(p);
        if (round % 20 == 0) print_all(p);
        page_free(p);
        free(text);
    }
}

static void puts_anything_anywhere(void **state) {
    (void)state;
    uint64_t random = 3;
    struct page *p = page_new(9, false), *small = page_new(5, false);
    for (int round = 0; round < 20000; round++) {
        struct page *on = round % 3 ? p : small;
        int row = (int)(base_random(&random) % 6) - 1,
            column = (int)(base_random(&random) % 14) - 3;
        page_put(on, row, column, (unsigned)(base_random(&random) % 40), 0,
                 scraps[base_random(&random) % BASE_COUNT(scraps)]);
        if (round % 7 == 0) page_paste(p, small, row, column);
        if (round % 50 == 0) check_rows(p);
    }
    check_rows(p);
    check_rows(small);
    page_free(small);
    page_free(p);
}

static void all_words_arrive(void **state) {
    (void)state;
    for (int width = 1; width <= 20; width++) {
        struct page *p = sheet_markdown(width, false,
                                        "alpha **beta** `gamma`\n\n1. delta\n\n> epsilon\n\n| "
                                        "zeta | eta |\n| --- | --- |\n| theta | iota |");
        assert_true(page_height(p) > 3);
        page_free(p);
        p = page_new(width, false);
        page_text(p, (struct page_flow){0}, "alphabetagamma");
        char *text = page_to_text(p);
        struct base_text letters = {0};
        for (char *s = text; *s; s++)
            if (*s != '\n') base_text_add(&letters, s, 1);
        char *joined = base_text_take(&letters);
        assert_string_equal(joined, "alphabetagamma");
        free(joined);
        free(text);
        page_free(p);
    }
}

static void nests_deeper_than_it_shows(void **state) {
    (void)state;
    struct base_text text = {0};
    for (int i = 0; i < 200; i++) base_text_puts(&text, i % 3 ? "> " : "- ");
    base_text_puts(&text, "at the bottom");
    char *markdown = base_text_take(&text);
    struct page *p = sheet_markdown(40, false, markdown);
    char *shown = page_to_text(p);
    assert_non_null(strstr(shown, "bottom"));
    free(shown);
    free(markdown);
    page_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_markdown_at_any_width),
        cmocka_unit_test(puts_anything_anywhere),
        cmocka_unit_test(all_words_arrive),
        cmocka_unit_test(nests_deeper_than_it_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
