/* Source with notes: only what is around a note unless the whole is wanted, long lines folded,
 * notes beside or beneath. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

/* Twenty lines, "line 1" … at 101, with one note; the last goes on with `tail`. */
static char *spec_with(const char *tail, const char *note, bool whole) {
    struct base_text t = {0};
    base_text_puts(&t, "{\"kind\":\"listing\",\"file\":\"src/x.c\",\"first\":101,\"lines\":[");
    for (int i = 1; i <= 20; i++)
        base_text_printf(&t, "%s\"line %d;%s\"", i > 1 ? "," : "", i, i == 20 ? tail : "");
    base_text_printf(&t, "],\"notes\":[%s],\"whole\":%s}", note, whole ? "true" : "false");
    return base_text_take(&t);
}

static char *spec(const char *note, bool whole) {
    return spec_with("", note, whole);
}

static int rows_with(const struct page *p, const char *words) {
    int n = 0;
    for (int row = 0; row < page_height(p); row++) {
        char *text = sheet_row(p, row);
        n += strstr(text, words) != NULL;
        free(text);
    }
    return n;
}

static void only_what_is_around_a_note_is_shown(void **state) {
    static const struct {
        bool whole;
        int lines, gaps;
    } cases[] = {{false, 8, 2}, {true, 20, 0}};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char *text = spec("{\"from\":9,\"to\":10,\"text\":\"Here.\"}", cases[i].whole);
        struct page *p = sheet_figure(80, true, text);
        assert_int_equal(rows_with(p, "line "), cases[i].lines);
        assert_int_equal(rows_with(p, "..."), cases[i].gaps);
        assert_int_equal(rows_with(p, "109 | line 9;"), 1);
        assert_int_equal(rows_with(p, "Here."), 1);
        page_free(p);
        free(text);
    }
}

/* The last line is "line 20;" and its tail; before it come "120", a blank and the bar's two
 * cells. */
static void a_line_without_room_is_told(void **state) {
    static const struct {
        const char *tail;
        int width, over;
    } cases[] = {{"", 80, 0}, {"0123456789", 24, 0}, {"0123456789", 23, 1}, {"0123456789", 20, 4}};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char *text = spec_with(cases[i].tail, "{\"from\":9,\"to\":10,\"text\":\"Here.\"}", false);
        json_t *listing = json_loads(text, 0, NULL);
        assert_int_equal(page_listing_over(listing, cases[i].width), cases[i].over);
        json_decref(listing);
        free(text);
    }
    json_t *other = json_pack("{ss}", "kind", "ledger");
    assert_int_equal(page_listing_over(other, 10), 0);
    json_decref(other);
}

/* Where bars are thick there is room for the whole. */
static void a_tall_page_shows_the_whole(void **state) {
    (void)state;
    char *text = spec("{\"from\":9,\"to\":10,\"text\":\"Here.\"}", false);
    json_t *listing = json_loads(text, 0, NULL);
    for (int thick = 1; thick <= 2; thick++) {
        struct page *p = page_new(80, true);
        page_set_thick(p, thick);
        assert_true(page_figure(p, (struct page_flow){0}, listing, NULL));
        assert_int_equal(rows_with(p, "line "), thick > 1 ? 20 : 8);
        page_free(p);
    }
    json_decref(listing);
    free(text);
}

/* Next to short lines the note is in its line's row. On a narrow page it stands beneath. */
static void notes_stand_next_to_the_code_if_they_fit(void **state) {
    (void)state;
    char *text = spec("{\"from\":9,\"to\":9,\"text\":\"Here.\"}", true);
    struct page *wide = sheet_figure(80, true, text), *narrow = sheet_figure(30, true, text);
    char *beside = NULL, *beneath = NULL;
    for (int row = 0; row < page_height(wide) && !beside; row++) {
        char *line = sheet_row(wide, row);
        if (strstr(line, "line 9;"))
            beside = line;
        else
            free(line);
    }
    assert_non_null(strstr(beside, "Here."));
    for (int row = 0; row + 1 < page_height(narrow) && !beneath; row++) {
        char *line = sheet_row(narrow, row);
        if (strstr(line, "line 9;")) beneath = sheet_row(narrow, row + 1);
        free(line);
    }
    assert_non_null(strstr(beneath, "| Here."));
    free(beneath);
    free(beside);
    page_free(narrow);
    page_free(wide);
    free(text);
}

/* A reading shows a few lines at a time: its notes stand all beside or all beneath, though only
 * some of its lines are long. */
static void a_long_line_elsewhere_sends_notes_beneath(void **state) {
    (void)state;
    char *text = spec_with(" a long comment after the code, as some lines have",
                           "{\"from\":9,\"to\":9,\"text\":\"Here.\"}", false);
    struct page *p = sheet_figure(80, true, text);
    assert_int_equal(rows_with(p, "a long comment"), 0);
    assert_int_equal(rows_with(p, "| Here."), 1);
    page_free(p);
    free(text);
}

static void a_note_must_stand_at_a_line(void **state) {
    (void)state;
    struct base_message m = {0};
    char *text = spec("{\"from\":9,\"to\":21,\"text\":\"Here.\"}", true);
    json_t *json = base_json_read(text, strlen(text), "spec", &m);
    struct page *p = page_new(80, true);
    assert_false(page_figure(p, (struct page_flow){0}, json, &m));
    assert_string_equal(m.what, "a note of a listing belongs to lines from 1 to 20, not 9 to 21");
    page_free(p);
    json_decref(json);
    free(text);
}

/* What all lines are set in by says nothing: it is left out, so that longer lines are whole. */
static void leaves_out_common_blanks(void **state) {
    static const char spec[] =
        "{\"kind\":\"listing\",\"file\":\"a.c\",\"first\":7,\"lines\":["
        "\"    for (;;) {\",\"\",\"        work();\",\"    }\"],\"notes\":[]}";
    (void)state;
    struct page *p = sheet_figure(80, false, spec);
    sheet_reads(p, " a.c, lines 7 to 10\n  7   for (;;) {\n  8\n  9       work();\n 10   }\n");
    page_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaves_out_common_blanks),
                                       cmocka_unit_test(only_what_is_around_a_note_is_shown),
                                       cmocka_unit_test(a_line_without_room_is_told),
                                       cmocka_unit_test(a_tall_page_shows_the_whole),
                                       cmocka_unit_test(notes_stand_next_to_the_code_if_they_fit),
                                       cmocka_unit_test(a_long_line_elsewhere_sends_notes_beneath),
                                       cmocka_unit_test(a_note_must_stand_at_a_line)};
    return cmocka_run_group_tests_name("listings", tests, NULL, NULL);
}
