/* Figures of the lab: as pages (golden) of the runs in lab/, and what their cells mean. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    "memory-now",
    "memory-first-step",
    "memory-kept",
    "memory-two",
    "memory-many",
    "memory-nothing",
    "memory-unforeseen",
    "traffic",
    "traffic-two",
    "traffic-before",
    "traffic-drift",
    "traffic-one",
    "timeline",
    "timeline-two",
    "timeline-many",
    "timeline-text",
    "timeline-nothing",
    "loss",
    "loss-equal",
    "loss-apart",
    "loss-one",
    "loss-nothing",
    "log",
    "ledger",
    "ledger-before",
    "log-two",
    "curve-run",
    "curve-apart",
    "curve-nothing",
    "collectives",
    "collectives-before",
};

static char *spec_of(const char *name) {
    struct base_message m = {0};
    char *path = base_format("tests/page/lab/%s.json", name);
    char *spec = base_file_read(path, 1 << 20, NULL, &m);
    if (!spec) fail_msg("%s: %s", path, m.what);
    free(path);
    return spec;
}

static struct page *draw(const char *name, int width, bool ascii) {
    char *spec = spec_of(name);
    struct page *p = sheet_run(width, ascii, spec);
    free(spec);
    return p;
}

static void draws_pages(void **state) {
    static const struct {
        int width;
        bool ascii;
    } pages[] = {
        {40, false}, {80, false}, {120, false}, {40, true}, {80, true},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(names); i++)
        for (size_t k = 0; k < BASE_COUNT(pages); k++) {
            char *name = base_format("lab-%s-%d%s", names[i], pages[k].width,
                                     pages[k].ascii ? "-ascii" : "");
            struct page *p = draw(names[i], pages[k].width, pages[k].ascii);
            sheet_is(p, name);
            page_free(p);
            free(name);
        }
}

static void fits_any_width(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(names); i++)
        for (int width = 1; width < 130; width++) {
            struct page *p = draw(names[i], width, width % 2);
            assert_int_equal(page_width(p), width);
            assert_in_range(page_height(p), 1, 900);
            page_free(p);
        }
}

/* ASCII pages hold ASCII, and no line goes past the margin. */
static void keeps_to_its_page(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(names); i++)
        for (int width = 40; width <= 120; width += 40) {
            struct page *p = draw(names[i], width, true);
            for (int row = 0; row < page_height(p); row++) {
                assert_string_equal(page_cell(p, row, width - 1)->text, " ");
                for (int column = 0; column < width; column++)
                    assert_true((unsigned char)page_cell(p, row, column)->text[0] < 0x80);
            }
            page_free(p);
        }
}

/* Two runs lie on one axis: what stage 3 divides by four is a quarter as long as under stage 1. */
static void two_runs_share_the_axis(void **state) {
    (void)state;
    struct page *p = draw("memory-two", 120, false);
    int whole = sheet_cells(p, 2, ACCOUNT_PARAMS), quarter = sheet_cells(p, 7, ACCOUNT_PARAMS);
    assert_in_range(whole, 12, 40);
    assert_in_range(quarter * 4, whole - 3, whole + 3);
    assert_in_range(sheet_cells(p, 2, ACCOUNT_MOMENTS) - sheet_cells(p, 7, ACCOUNT_MOMENTS) + 1, 0,
                    2);
    page_free(p);
}

static bool stands_at(const struct page *p, int row, int column, const char *ascii) {
    for (size_t i = 0; ascii[i]; i++)
        if (page_cell(p, row, column + (int)i)->text[0] != ascii[i]) return false;
    return true;
}

/* The role of the first place where the text stands. */
static unsigned role_of(const struct page *p, const char *ascii) {
    for (int row = 0; row < page_height(p); row++)
        for (int column = 0; column < page_width(p); column++)
            if (stands_at(p, row, column, ascii)) return page_cell(p, row, column)->role;
    return PAGE_ROLES;
}

/* Runs on pages of their own can be laid on one axis. */
static void the_axis_reaches_as_far_as_asked(void **state) {
    (void)state;
    static const char run[] =
        "{\"kind\":\"lab-memory\",\"reach\":%d,\"runs\":[{\"label\":\"x\",\"ended\":true,\"world\":"
        "1,"
        "\"ranks\":[{\"rank\":0,\"bytes\":{\"params\":4000000},\"peak\":4000000}]}]}";
    int cells[3];
    for (int i = 0; i < 3; i++) {
        char *spec = base_format(run, i * 4000000);
        struct page *p = sheet_run(120, false, spec);
        cells[i] = sheet_cells(p, 1, ACCOUNT_PARAMS);
        page_free(p);
        free(spec);
    }
    assert_int_equal(cells[0], cells[1]); /* it has what the run itself needs */
    assert_in_range(cells[2], cells[0] / 2 - 2, cells[0] / 2 + 2);
}

/* The row of a panel that draws its axis, and the numbers under it; the caller's. */
static char *axis_of(const char *spec) {
    struct page *p = sheet_run(80, true, spec);
    char *text = page_to_text(p), *axis = strstr(text, "+-");
    if (!axis) fail_msg("no axis:\n%s", text);
    while (axis > text && axis[-1] != '\n') axis--;
    char *end = strchr(strchr(axis, '\n') + 1, '\n'),
         *rows = base_format("%.*s", (int)(end - axis), axis);
    free(text);
    page_free(p);
    return rows;
}

/* From one run of a lab to the next, whatever each holds and however long its step takes, the axes
 * stay. */
static void the_axis_stays_from_run_to_run(void **state) {
    (void)state;
    static const char *const memory[] = {
        "\"params\":900000,\"grads\":900000,\"moments\":1800000},\"peak\":7200000",
        "\"params\":900,\"grads\":900,\"moments\":800000},\"peak\":801800",
        "\"params\":7000000,\"grads\":900,\"moments\":900},\"peak\":7200000"};
    char *first = NULL, *longest = NULL;
    for (size_t i = 0; i < BASE_COUNT(memory); i++) {
        char *spec = base_format("{\"kind\":\"lab-memory\",\"reach\":7200000,\"runs\":[{\"label\":"
                                 "\"x\",\"ended\":true,\"world\":1,\"ranks\":[{\"rank\":0,"
                                 "\"bytes\":{%s}]}]}",
                                 memory[i]),
             *axis = axis_of(spec);
        if (!first) first = base_dup(axis);
        assert_string_equal(axis, first);
        free(axis);
        free(spec);
        spec = base_format("{\"kind\":\"lab-timeline\",\"reach-ms\":24,\"runs\":[{\"label\":\"x\","
                           "\"world\":2,\"step\":3,\"ms\":%zu,\"compute\":8,\"exposed\":6,"
                           "\"spans\":[]}]}",
                           8 + 8 * i);
        axis = axis_of(spec);
        if (!longest) longest = base_dup(axis);
        assert_string_equal(axis, longest);
        free(axis);
        free(spec);
    }
    free(first);
    free(longest);
}

/* A step is the slowest rank's and the rest are means, which is said; one rank has no others. */
static void says_whose_times_they_are(void **state) {
    (void)state;
    static const char run[] = "{\"kind\":\"lab-timeline\",\"runs\":[{\"label\":\"x\",\"world\":%d,"
                              "\"step\":3,\"ms\":20,\"compute\":8,\"exposed\":6,\"spans\":[]}]}";
    static const char *const says[][2] = {{"One rank never waits", "slowest"},
                                          {"the slowest rank 20.0 ms", "One rank"},
                                          {"Means of all ranks: 8.0", "never waits"}};
    for (int i = 0; i < 3; i++) {
        char *spec = base_format(run, i + 1);
        struct page *p = sheet_run(120, true, spec);
        assert_true(role_of(p, says[i][0]) < PAGE_ROLES);
        assert_true(role_of(p, says[i][1]) == PAGE_ROLES);
        page_free(p);
        free(spec);
    }
}

/* Equal to the byte is good; within two in a hundred is told plainly. */
static void differences_are_judged(void **state) {
    (void)state;
    struct page *p = draw("memory-kept", 80, false);
    assert_int_equal(role_of(p, "0 B"), PAGE_GOOD);
    assert_int_equal(role_of(p, "+70.0 KB"), PAGE_PLAIN);
    page_free(p);
}

/* What waits is seen, however short it is, and stands where its collective ends. */
static void waits_stand_where_collectives_end(void **state) {
    (void)state;
    struct page *p = draw("timeline", 120, false);
    int first = -1, gather = -1;
    for (int column = 119; column >= 0; column--) {
        if (!strcmp(page_cell(p, 1, column)->text, "×")) first = column;
        if (page_cell(p, 2, column)->role == PAGE_CATEGORY + ACCOUNT_GATHER) gather = column;
    }
    assert_int_equal(first, gather); /* the first gather is waited for from its beginning */
    assert_int_equal(page_cell(p, 1, first)->role, PAGE_BAD);
    page_free(p);
}

/* While a run goes categories come and go in its bars, and nothing else moves: neither the rows,
 * nor the axis, nor the legend. */
static void nothing_hops_while_a_run_goes(void **state) {
    static const char *const held[] = {
        "{\"params\":3337216}",
        "{\"params\":3337216,\"grads\":834304,\"moments\":1668608}",
        "{\"params\":3337216,\"grads\":834304,\"moments\":1668608,\"activations\":900,"
        "\"reduce\":800,\"workspace\":300}",
        "{\"params\":3337216,\"grads\":834304,\"moments\":1668608,\"activations\":2400000,"
        "\"gather\":700,\"reduce\":834304}",
    };
    static const char run[] =
        "{\"kind\":\"lab-memory\",\"runs\":[{\"label\":\"x\",\"world\":2,\"ranks\":[{\"bytes\":%s,"
        "\"predicted\":{\"peak\":9074432,\"kept\":{\"params\":3337216,\"grads\":834304,"
        "\"moments\":1668608},\"peaks\":{\"params\":3337216,\"activations\":2400000,"
        "\"gather\":834304,\"reduce\":834304,\"workspace\":790528}}}]}]}";
    (void)state;
    for (int width = 40; width <= 120; width += 8) {
        char *still = NULL;
        for (size_t i = 0; i < BASE_COUNT(held); i++) {
            char *spec = base_format(run, held[i]);
            struct page *p = sheet_run(width, false, spec);
            char *text = page_to_text(p), *axis = strstr(text, "├");
            assert_non_null(axis);
            if (!still) still = base_dup(axis);
            assert_string_equal(axis, still);
            free(text);
            page_free(p);
            free(spec);
        }
        free(still);
    }
}

/* Runs that say nothing, or nonsense, are drawn as what they are. */
static void draws_odd_specs(void **state) {
    static const char *const runs[] = {
        "{}",
        "{\"ranks\":7,\"spans\":\"x\",\"losses\":{},\"lines\":[7,null]}",
        "{\"ranks\":[7,{\"bytes\":{\"params\":-5},\"peak\":\"x\",\"predicted\":[]}],\"world\":3,"
        "\"ended\":true,\"stepped\":true,"
        "\"step\":1,\"ms\":1e300,\"spans\":[{\"start\":-1e9,\"end\":1e308,\"exposed\":1e300,\"op\":"
        "\"?\"},7],"
        "\"steps\":[9,-4,\"x\"],\"losses\":[1e308,-1e308,0],\"lines\":[\"\\u001b[2J\"],\"params\":"
        "1}",
        ("{\"world\":4000000000,\"step\":2,\"ms\":0.001,"
         "\"spans\":[{\"rank\":70,\"start\":0,\"end\":0.001}]}"),
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(runs); i++)
        for (int k = 0; k < 5; k++) {
            static const char *const kinds[] = {"memory", "traffic", "timeline", "loss", "log"};
            char *spec =
                base_format("{\"kind\":\"lab-%s\",\"rows\":-3,\"ranks\":-1,\"runs\":[%s,%s]}",
                            kinds[k], runs[i], runs[0]);
            for (int width = 10; width < 100; width += 30)
                page_free(sheet_run(width, width % 4, spec));
            free(spec);
        }
}

/* ── the curve ─────────────────────────────────────────────────────────────────────────────────*/
static void assert_says(const char *name, const char *says) {
    struct page *p = draw(name, 300, false);
    char *text = page_to_text(p);
    for (char *c = text; *c; c++)
        if (*c == '\n' && c[1] == ' ') memmove(c, c + 1, strlen(c));
    if (!strstr(text, says)) fail_msg("%s is drawn as\n%s\nand does not say: %s", name, text, says);
    free(text);
    page_free(p);
}

static void curves_say_what_they_show(void **state) {
    (void)state;
    assert_says("curve-run", "Memory rises from 1.49 MB at the embeddings to a peak of 3.86 MB "
                             "within backward block 3, then falls to 882 KB.");
    assert_says("curve-run", "The whole curve is as predicted, to the byte.");
    assert_says("curve-run", "Rank 0 of 4, in the last whole step.");
    assert_says("curve-apart",
                "The peak fits in 4.00 MB. The furthest from its prediction is off by 463 KB.");
    assert_says("curve-nothing", "The curve appears when the first step ends.");
    assert_says("curve-nothing", "There is no curve: the events of this run do not say");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_pages),
        cmocka_unit_test(fits_any_width),
        cmocka_unit_test(keeps_to_its_page),
        cmocka_unit_test(two_runs_share_the_axis),
        cmocka_unit_test(differences_are_judged),
        cmocka_unit_test(says_whose_times_they_are),
        cmocka_unit_test(the_axis_reaches_as_far_as_asked),
        cmocka_unit_test(the_axis_stays_from_run_to_run),
        cmocka_unit_test(waits_stand_where_collectives_end),
        cmocka_unit_test(nothing_hops_while_a_run_goes),
        cmocka_unit_test(draws_odd_specs),
        cmocka_unit_test(curves_say_what_they_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
