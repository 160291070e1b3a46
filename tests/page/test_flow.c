/* Text that flows: wrapping, Markdown, tables. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *what;
    int width;
    const char *text, *reads;
} wraps[] = {
    {"at spaces", 10, "one two three four", "one two\nthree four\n"},
    {"a space at the edge hangs", 7, "one two three", "one two\nthree\n"},
    {"a word too long is cut anywhere", 5, "abcdefghijkl no", "abcde\nfghij\nkl no\n"},
    {"a word that fits alone moves whole", 6, "ab abcdef", "ab\nabcdef\n"},
    {"CJK breaks between characters", 5, "漢字漢字", "漢字\n漢字\n"},
    {"CJK counts double", 4, "漢字漢字", "漢字\n漢字\n"},
    {"no break before a closing mark", 6, "漢字漢。", "漢字\n漢。\n"},
    {"marks stay on their letters", 3, "e\u0301e\u0301e\u0301e\u0301",
     "e\u0301e\u0301e\u0301\ne\u0301\n"},
    {"emoji stay whole", 3, "👍🏽👍🏽", "👍🏽\n👍🏽\n"},
    {"a no-break space holds", 10, "it needs 31.4\u00a0GB", "it needs\n31.4 GB\n"},
    {"a unit stays with its number", 10, "it needs 31.4 GB", "it needs\n31.4 GB\n"},
    {"and with a full stop after it", 8, "it has 7 B.", "it has\n7 B.\n"},
    {"a fraction stays whole", 10, "rate is 1/β", "rate is\n1/β\n"},
    {"of anything over a letter", 10, "keeps 4Ψ/N", "keeps 4Ψ/N\n"},
    {"also where it does not fit", 9, "keeps 4Ψ/N", "keeps\n4Ψ/N\n"},
    {"but a word is not a unit", 8, "it has 7 Bs", "it has 7\nBs\n"},
    {"lines of its own", 10, "one\n\ntwo", "one\n\ntwo\n"},
    {"a hyphen breaks", 6, "micro-batch", "micro-\nbatch\n"},
    {"unless it does not fit there", 7, "16.58 MB", "16.58\nMB\n"},
    {"a flag stays with its dashes", 10, "it has --seed 1", "it has\n--seed 1\n"},
    {"an arrow stays whole", 8, "to own -> all", "to own\n-> all\n"},
    {"a colon before a word stays", 10, "left with :quit", "left\nwith :quit\n"},
    {"nothing", 10, "", ""},
};

static void wraps_lines(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(wraps); i++) {
        struct page *p = page_new(20, false);
        print_message("# %s\n", wraps[i].what);
        page_text(p, (struct page_flow){.width = wraps[i].width}, wraps[i].text);
        sheet_reads(p, wraps[i].reads);
        page_free(p);
    }
}

static void flows_within_its_column(void **state) {
    (void)state;
    struct page *p = page_new(100, false);
    page_text(p, (struct page_flow){.indent = 3, .width = 9, .role = PAGE_DIM},
              "below what is there");
    sheet_reads(p, "   below\n   what is\n   there\n");
    assert_int_equal(page_cell(p, 0, 3)->role, PAGE_DIM);
    page_text(p, (struct page_flow){0},
              "eighty columns of prose at most are what a line should have, however wide the page "
              "may be");
    char *row = sheet_row(p, 3);
    assert_true(strstr(row, "however wide the") && !strstr(row, "page"));
    free(row);
    page_free(p);
}

static const char essay[] =
    "# Three things are replicated\n\n"
    "A **7.5B** model with *mixed-precision* Adam, on 64 GPUs. Each bar is what one GPU keeps all "
    "the time;\n"
    "`2*13 + 14*13/8` is code. See [master weights](glossary:master-weights), they need 31.4 "
    "GB.\n\n"
    "## What each rank keeps\n"
    "- params: 2 bytes\n"
    "- grads: 2 bytes, and a line so long that it has to wrap under its own text and not under the "
    "bullet\n"
    "  1. first\n"
    "  2. second\n"
    "- last\n\n"
    "> A quote that says something worth two lines at most widths, if it is long enough.\n"
    ">\n"
    "> - with a list\n\n"
    "```\nstage 0   2Ψ + 2Ψ + 12Ψ       = 16Ψ\nstage 1   2Ψ + 2Ψ + 12Ψ/N\n```\n\n"
    "| stage | formula | bytes |\n| --- | :---: | ---: |\n"
    "| 0 | 16Ψ | 120 GB |\n| 1 | 4Ψ + 12Ψ/N, and a remark that goes on for a while | **31.4 GB** "
    "|\n\n"
    "---\n\n"
    "9. loose\n\n10. list, <b>bold</b> &lt;i&gt; &#936; &nbsp;\n\n    its second paragraph\n";

static void reads_markdown(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int width;
        bool ascii;
    } pages[] = {{"essay-80", 80, false},
                 {"essay-40", 40, false},
                 {"essay-40-ascii", 40, true},
                 {"essay-12", 12, false}};
    for (size_t i = 0; i < BASE_COUNT(pages); i++) {
        struct page *p = sheet_markdown(pages[i].width, pages[i].ascii, essay);
        sheet_is(p, pages[i].name);
        page_free(p);
    }
}

static const struct {
    const char *what, *markdown, *reads;
} blocks[] = {
    {"paragraphs", "one\ntwo\n\nthree", "one two\n\nthree\n"},
    {"hard break", "one\\\ntwo", "one\ntwo\n"},
    {"tight and nested", "- a\n  - b\n    - c\n- d\n\nend", "• a\n  • b\n    • c\n• d\n\nend\n"},
    {"loose", "- a\n\n- b", "• a\n\n• b\n"},
    {"item that starts with a list", "- - a", "•\n  • a\n"},
    {"an empty item", "-\n- b", "•\n• b\n"},
    {"numbers hang by their width", "9. nine of the words that wrap\n10. ten",
     "9. nine of the words\n   that wrap\n10. ten\n"},
    {"code in a list", "- a\n  ```\n  x   y\n  ```\n- b", "• a\n    x   y\n• b\n"},
    {"code keeps its columns and its blank lines", "```\na    b\n\n   c\n```",
     "  a    b\n\n     c\n"},
    {"arithmetic goes on at a space, its result whole", "```\n2 + 26 + 104 = 132 GB\n```",
     "  2 + 26 + 104\n  = 132 GB\n"},
    {"columns of a working too wide move together", "```\nin total    2 + 2      = 4 GB\n```",
     "  in total  2 + 2\n  = 4 GB\n"},
    {"and those of a language stay", "```c\nint n;      /* 1 */\n```",
     "  int n;      /* 1\n  */\n"},
    {"and a slip under its own text", "```\n  └─ this is mixed-fp16\n```",
     "    └─ this is\n       mixed-fp16\n"},
    {"as in ASCII", "```\n  +- this is mixed-fp16\n```", "    +- this is\n       mixed-fp16\n"},
    {"code too wide goes on below", "```\n0123456789012345678901\n```",
     "  012345678901234567\n  8901\n"},
    {"indented text is a paragraph", "        one\n        two", "one two\n"},
    {"quote in a quote", "> a\n> > b", "▎ a\n▎\n▎ ▎ b\n"},
    {"quote after text", "a\n\n> b\n\nc", "a\n\n▎ b\n\nc\n"},
    {"html is text", "<div>x</div>\n\na <br> b", "<div>x</div>\n\na <br> b\n"},
    {"entities", "&lt; &amp; &times; &#x3a8; &bogus; &#0;", "< & × Ψ &bogus; \ufffd\n"},
    {"link and image", "[text](http://a) ![alt](b.png)", "text alt\n"},
    {"an underscore in a word", "model_state_bytes", "model_state_bytes\n"},
    {"table without rows", "| a | b |\n| --- | --- |", "a  b\n────\n"},
    {"table in a quote", "> | a |\n> | --- |\n> | 1 |", "▎ a\n▎ ─\n▎ 1\n"},
};

static void reads_blocks(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(blocks); i++) {
        struct page *p = page_new(20, false);
        print_message("# %s\n", blocks[i].what);
        page_markdown(p, (struct page_flow){0}, blocks[i].markdown);
        sheet_reads(p, blocks[i].reads);
        page_free(p);
    }
}

static void styles_spans(void **state) {
    (void)state;
    static const struct {
        const char *markdown;
        unsigned role, attributes;
    } spans[] = {
        {"x", PAGE_DIM, 0},
        {"*x*", PAGE_DIM, PAGE_ITALIC},
        {"**x**", PAGE_STRONG, 0},
        {"***x***", PAGE_STRONG, PAGE_ITALIC},
        {"`x`", PAGE_CODE, 0},
        {"[x](y)", PAGE_TERM, 0},
        {"# x", PAGE_TITLE, 0},
        {"### x", PAGE_STRONG, 0},
        {"*`x`*", PAGE_CODE, PAGE_ITALIC},
    };
    for (size_t i = 0; i < BASE_COUNT(spans); i++) {
        struct page *p = page_new(20, false);
        page_markdown(p, (struct page_flow){.role = PAGE_DIM}, spans[i].markdown);
        assert_string_equal(page_cell(p, 0, 0)->text, "x");
        assert_int_equal(page_cell(p, 0, 0)->role, spans[i].role);
        assert_int_equal(page_cell(p, 0, 0)->attributes, spans[i].attributes);
        page_free(p);
    }
}

static void colours_signs(void **state) {
    (void)state;
    static const struct {
        const char *markdown;
        int column;
        unsigned role, after;
    } signs[] = {
        {"✗ You said: x", 0, PAGE_BAD, PAGE_DIM},
        {"is ✓ x", 3, PAGE_GOOD, PAGE_DIM},
        {"```\n1 GB ✗\n```", 7, PAGE_BAD, PAGE_PLAIN},
        {"**a ✓✗ b**", 2, PAGE_GOOD, PAGE_BAD},
    };
    for (int ascii = 0; ascii < 2; ascii++)
        for (size_t i = 0; i < BASE_COUNT(signs); i++) {
            struct page *p = page_new(20, ascii);
            page_markdown(p, (struct page_flow){.role = PAGE_DIM}, signs[i].markdown);
            assert_int_equal(page_cell(p, 0, signs[i].column)->role, signs[i].role);
            if (signs[i].after != PAGE_PLAIN)
                assert_int_equal(page_cell(p, 0, signs[i].column + 1)->role, signs[i].after);
            page_free(p);
        }
}

static void draws_tables(void **state) {
    (void)state;
    static const char *const cell[] = {"model",
                                       "parameters",
                                       "bytes",
                                       "GPT-2",
                                       "124.4M",
                                       "2.0 GB",
                                       "Llama 2 7B, with a remark that is long",
                                       "6.74B",
                                       "107.8 GB",
                                       "Llama 13B",
                                       "13B",
                                       "208 GB",
                                       "漢字",
                                       "n/a",
                                       "1,000.5 GB"};
    static const int widths[] = {80, 38};
    for (size_t i = 0; i < BASE_COUNT(widths); i++) {
        struct page *p = page_new(widths[i], false);
        char name[16];
        snprintf(name, sizeof name, "table-%d", widths[i]);
        page_table(p, (struct page_flow){0}, cell, 5, 3, "lrd", true);
        sheet_is(p, name);
        assert_int_equal(page_cell(p, 0, 0)->role, PAGE_STRONG);
        assert_int_equal(page_cell(p, 1, 0)->role, PAGE_DIM);
        assert_int_equal(page_cell(p, 2, 0)->role, PAGE_PLAIN);
        page_free(p);
    }
}

static void aligns_columns(void **state) {
    (void)state;
    static const char *const cell[] = {"a", "b", "c", "1.5 GB", "long", "long", "long", "12 GB"};
    struct page *p = page_new(40, false);
    page_table(p, (struct page_flow){.indent = 2}, cell, 2, 4, "lrcd", false);
    sheet_reads(p, "  a        b   c     1.5 GB\n"
                   "  long  long  long  12   GB\n");
    page_free(p);
}

/* A screen reader names each line and bar that is drawn, so there are none; the words stay. */
static void what_is_read_aloud_has_no_lines(void **state) {
    static const char text[] = "> said\n\n| a | b |\n|:--|--:|\n| c | 1 |\n\n---\n\nend";
    (void)state;
    for (int spoken = 0; spoken < 2; spoken++) {
        struct page *p = page_new(40, false);
        page_set_spoken(p, spoken);
        page_markdown(p, (struct page_flow){0}, text);
        char *reads = page_to_text(p);
        assert_int_equal(strstr(reads, "─") == NULL, spoken);
        assert_int_equal(strstr(reads, "▎") == NULL, spoken);
        assert_non_null(strstr(reads, "said"));
        assert_non_null(strstr(reads, spoken ? "c; b: 1." : "c  1"));
        free(reads);
        page_free(p);
    }
}

/* Tables are sentences, and no mark points to the line above. */
static void what_is_read_aloud_names_its_columns(void **state) {
    static const struct {
        const char *markdown, *reads;
    } rows[] = {
        {"| stage | keeps | sends |\n|:--|:--|--:|\n| 1 | 4Ψ | 2Ψ |\n| 2 | | 2Ψ |",
         "stage 1; keeps: 4 psi; sends: 2 psi.\nstage 2; sends: 2 psi.\n"},
        {"| | keeps (7B) | sends, N = 8 |\n|:--|--:|--:|\n| one | 4 GB | 2 |\n| two | 2 GB | 2 |",
         "one; keeps (7B): 4 gigabytes; sends, N equals 8: 2.\n"
         "two; keeps: 2 gigabytes; sends: 2.\n"},
        {"| | 7B, N = 8 | 7B, N = 64 |\n|:--|--:|--:|\n| one | 4 | 2 |\n| two | 2 | 1 |",
         "one; 7B, N equals 8: 4; 7B, N equals 64: 2.\n"
         "two; 7B, N equals 8: 2; 7B, N equals 64: 1.\n"},
        {"| stage | sent |\n|:--|--:|\n| 1, full | 2 |\n| 4,096 rows | 2 |",
         "stage 1, full; sent: 2.\n4,096 rows: 2.\n"},
        {"| way | held |\n|:--|--:|\n| full | 2 |\n| none | 4 |", "full; held: 2.\nnone: 4.\n"},
        {"| 1 KB | 1 MB |\n|--:|--:|\n| 5 µs | 9 ms |",
         "1 kilobyte: 5 microseconds; 1 megabyte: 9 milliseconds.\n"},
        {"`2*13 + …` is typed, `2 B × 13` and Ψ are not",
         "2*13 + … is typed, 2 bytes times 13 and psi are not\n"},
        {"| bytes | |\n|:--|--:|\n| params | 2 |", "bytes:\nparams: 2.\n"},
        {"```\n2 B × 2 = 4 B\n  └─ missing: 2 × 8\n```",
         "  2 bytes times 2 equals 4 bytes\n  missing: 2 times 8\n"},
        {"```\nparams   2 B × 7   = 14 B   yours: 1 B ✗\nin total  14 + 2   = 16 B   yours: 3 B ✓\n"
         "```",
         "  params: 2 bytes times 7 equals 14 bytes, yours: 1 byte, wrong\n"
         "  in total: 14 plus 2 equals 16 bytes, yours: 3 bytes, right\n"},
        {"```\nall   1 B × 1.5e9 + 2 B × 8e12 ÷ 8\n```",
         "  all: 1 byte times 1.5 billion, plus 2 bytes times 8 trillion divided by 8\n"},
        {"| twice as many … | states |\n|:--|--:|\n| GPUs | – |",
         "twice as many GPUs; states: nothing.\n"},
        {"| a host | |\n|:--|--:|\n| 26 GB down | 1 s |",
         "a host:\n26 gigabytes down: 1 second.\n"},
        {"```\na label   1 + 2\n          = 3\n```", "  a label: 1 plus 2\n  equals 3\n"},
        {"```lua\nx  = 1\n```", "  x  = 1\n"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct page *p = page_new(80, false);
        page_set_spoken(p, true);
        page_markdown(p, (struct page_flow){0}, rows[i].markdown);
        sheet_reads(p, rows[i].reads);
        page_free(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wraps_lines),
        cmocka_unit_test(flows_within_its_column),
        cmocka_unit_test(reads_markdown),
        cmocka_unit_test(reads_blocks),
        cmocka_unit_test(styles_spans),
        cmocka_unit_test(colours_signs),
        cmocka_unit_test(draws_tables),
        cmocka_unit_test(aligns_columns),
        cmocka_unit_test(what_is_read_aloud_has_no_lines),
        cmocka_unit_test(what_is_read_aloud_names_its_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
