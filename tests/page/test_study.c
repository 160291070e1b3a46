/* How a learner is doing, as pages (golden) and in words. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

static const char learner[] =
    "{\"today\":\"2026-12-22\",\"ahead\":30,\"areas\":["
    "{\"area\":\"Model states\",\"today\":0.94,\"in_30_days\":0.71,\"first_tries\":34,\"right\":31,"
    "\"skills\":["
    "{\"skill\":\"all states at stage 3, in GB\",\"today\":0.97,\"in_30_days\":0.93,"
    "\"first_tries\":22,\"right\":21,\"helped\":0,\"days_ago\":2},"
    "{\"skill\":\"parameters and gradients and optimizer states at stage 2, in GiB\","
    "\"today\":0.91,\"in_30_days\":0.49,\"first_tries\":12,\"right\":10,\"helped\":2,"
    "\"days_ago\":9}]},"
    "{\"area\":\"Traffic\",\"today\":0.42,\"in_30_days\":0.31,\"first_tries\":5,\"right\":2,"
    "\"skills\":[{\"skill\":\"traffic in multiples of Ψ at stage 2\",\"today\":0.42,"
    "\"in_30_days\":0.31,\"first_tries\":5,\"right\":2,\"helped\":1,\"days_ago\":0}]}],"
    "\"fades\":[0.77,0.74,0.71,0.69,0.67,0.65,0.64,0.63,0.62,0.61,0.6],"
    "\"mistakes\":["
    "{\"id\":\"grads-sharded\",\"name\":\"the gradients were divided too\",\"times\":4,"
    "\"days_ago\":0,\"since\":0,\"happens\":true},"
    "{\"id\":\"gib\",\"name\":\"GiB were taken for GB, as people do\",\"times\":2,\"days_ago\":1,"
    "\"since\":1,\"happens\":true},"
    "{\"id\":\"no-master\",\"name\":\"the fp32 master copy was forgotten\",\"times\":1,"
    "\"days_ago\":28,\"since\":9,\"happens\":false}],"
    "\"days\":["
    "{\"day\":\"2026-11-24\",\"days_ago\":28,\"answers\":20,\"minutes\":31.5},"
    "{\"day\":\"2026-12-19\",\"days_ago\":3,\"answers\":9,\"minutes\":8},"
    "{\"day\":\"2026-12-20\",\"days_ago\":2,\"answers\":1,\"minutes\":0.1},"
    "{\"day\":\"2026-12-22\",\"days_ago\":0,\"answers\":24,\"minutes\":62}],"
    "\"phases\":[{\"phase\":1,\"title\":\"a\",\"earned\":true},"
    "{\"phase\":2,\"title\":\"b\",\"earned\":false},"
    "{\"phase\":3,\"title\":\"c\",\"earned\":true}]}";
static const char nobody[] = "{\"areas\":[],\"mistakes\":[],\"days\":[],\"phases\":[]}";
/* Nothing that is missing or of another type may do harm. */
static const char strange[] = "{\"areas\":[{}],\"fades\":[{},\"x\",1e300,-4],\"mistakes\":[{}],"
                              "\"days\":[{\"days_ago\":\"x\"}]}";

typedef void drawing(struct page *p, struct page_flow f, const json_t *study);

static struct page *draw(drawing *drawn, const char *study, int width, bool ascii) {
    json_t *json = json_loads(study, 0, NULL);
    struct page *p = page_new(width, ascii);
    assert_non_null(json);
    drawn(p, (struct page_flow){.indent = 1, .width = width - 2}, json);
    json_decref(json);
    return p;
}

static void is_golden(const char *name, drawing *drawn, const char *study, int width, bool ascii) {
    struct page *p = draw(drawn, study, width, ascii);
    sheet_is(p, name);
    page_free(p);
}

static void a_study_is_golden_at_every_width(void **state) {
    (void)state;
    is_golden("study-40", page_study, learner, 40, false);
    is_golden("study-80", page_study, learner, 80, false);
    is_golden("study-110", page_study, learner, 110, false);
    is_golden("study-40-ascii", page_study, learner, 40, true);
    is_golden("study-80-ascii", page_study, learner, 80, true);
    is_golden("study-words", page_study_words, learner, 80, false);
    is_golden("study-empty", page_study, nobody, 80, false);
}

static void it_keeps_to_its_margins(void **state) {
    (void)state;
    for (int width = 24; width <= 140; width++) {
        struct page *p = draw(page_study, learner, width, width % 2);
        for (int row = 0; row < page_height(p); row++) {
            assert_string_equal(page_cell(p, row, 0)->text, " ");
            if (strcmp(page_cell(p, row, width - 1)->text, " ") != 0)
                fail_msg("row %d reaches the margin at %d columns", row, width);
        }
        page_free(p);
    }
}

/* After years the counts have five digits: they move the bar, and cover nothing. */
static void long_counts_have_their_room(void **state) {
    (void)state;
    static const char years[] =
        "{\"areas\":[{\"area\":\"Model states\",\"today\":0.94,\"in_30_days\":0.71,"
        "\"first_tries\":34848,\"right\":27876,\"skills\":[]}]}";
    struct page *p = draw(page_study, years, 80, false);
    char *row = sheet_row(p, 4);
    assert_non_null(strstr(row, " 71%  27876 of 34848"));
    free(row);
    page_free(p);
}

static void milestones(struct page *p, struct page_flow f, const json_t *study) {
    page_milestones(p, f, study, 0);
}

/* Marked is what rose by at least one of the percent shown; without any, the column says the
 * tries. */
static void what_rose_since_monday_is_marked(void **state) {
    (void)state;
    static const char risen[] =
        "{\"areas\":["
        "{\"area\":\"Rose\",\"today\":0.86,\"on_monday\":0.6,\"in_30_days\":0.7},"
        "{\"area\":\"Fell\",\"today\":0.5,\"on_monday\":0.6,\"in_30_days\":0.4},"
        "{\"area\":\"Same\",\"today\":0.604,\"on_monday\":0.6,\"in_30_days\":0.4},"
        "{\"area\":\"New\",\"today\":0.9,\"in_30_days\":0.4}]}";
    struct page *p = draw(milestones, risen, 80, false);
    static const char *const ends[] = {"since Monday", "▲ from 60%", "40%", "40%", "40%"};
    for (int i = 0; i < 5; i++) {
        char *row = sheet_row(p, i), *at = strstr(row, ends[i]);
        if (!at || at[strlen(ends[i]) + strspn(at + strlen(ends[i]), " ")])
            fail_msg("row %d does not end in %s: %s", i, ends[i], row);
        free(row);
    }
    page_free(p);
    p = draw(page_milestones_words, risen, 80, false);
    char *row = sheet_row(p, 0);
    assert_non_null(strstr(row, "Rose: 86% chance today, up from 60% on Monday, 70% in 30 days;"));
    free(row);
    page_free(p);
    p = draw(milestones, "{\"memo\":{\"passed\":false,\"lesson\":\"4.1\"}}", 80, false);
    char *open = page_to_text(p);
    assert_non_null(strstr(open, "not passed yet: lesson 4.1 asks for it"));
    free(open);
    page_free(p);
    p = draw(milestones, learner, 80, false);
    row = sheet_row(p, 0);
    assert_non_null(strstr(row, "first tries"));
    free(row);
    page_free(p);
}

static void strange_studies_do_no_harm(void **state) {
    (void)state;
    page_free(draw(page_study, strange, 80, false));
    page_free(draw(page_study_words, strange, 80, false));
    page_free(draw(page_study_words, nobody, 80, false));
    page_free(draw(page_study, "{}", 80, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_study_is_golden_at_every_width),
        cmocka_unit_test(it_keeps_to_its_margins),
        cmocka_unit_test(long_counts_have_their_room),
        cmocka_unit_test(what_rose_since_monday_is_marked),
        cmocka_unit_test(strange_studies_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
