/* Figures of what is divided: owners, flat, timeline, tower. As pages (golden), and what their cells mean. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

#define OWNERS(gpus, more)                                                                         \
    "{\"kind\":\"owners\",\"training\":{\"params\":7e9,\"gpus\":" gpus "}," more "}"
#define FLAT(more) "{\"kind\":\"flat\"," more "}"

static const struct {
    const char *name, *spec;
} figures[] = {
    {"owners-stages", OWNERS("4",                                                                "\"stages\":[0,1,2,3]")},
    {"owners-eight",               OWNERS("8",                                                                           "\"stage\":2")},
    {"owners-many", OWNERS("64","\"stages\":[1,3]")},
    {"owners-groups",    "{\"kind\":\"owners\",\"training\":{\"params\":7e9,\"gpus\":8,\"stage\":3,"
                      "\"shard_group\":4}}"                                                          },
    {"flat-ten", FLAT("\"elements\":10,\"ranks\":4,\"names\":[[\"w\",6],[\"b\",4]],\"rank\":1")                               },
    {"flat-empty",      FLAT("\"elements\":5,\"ranks\":4")},
    {"flat-rows",    FLAT("\"elements\":47,\"ranks\":8,\"names\":[[\"wte\",31],[\"b\",1],"
                       "[\"ln\",15]]")                                     },
    {"flat-model",     FLAT("\"elements\":124439808,\"ranks\":64,\"rank\":0,\"names\":[[\"embedding\","
                        "39383808],[\"blocks\",85056000]]")                                        },
};

static void draws_pages(void **state) {
    (void)state;
    static const struct {
        int width;
        bool ascii;
    } pages[] = {
        {80,  false},
        {40,  false},
        {80,  true },
        {40,  true },
        {120, false}
    };
    for (size_t i = 0; i < BASE_COUNT(figures); i++)
        for (size_t j = 0; j < BASE_COUNT(pages); j++) {
            char *name = base_format("%s-%d%s", figures[i].name, pages[j].width,
                                     pages[j].ascii ? "-ascii" : "");
            struct paper *p = sheet_figure(pages[j].width, pages[j].ascii, figures[i].spec);
            sheet_is(p, name);
            paper_free(p);
            free(name);
        }
}

/* From 40 columns on nothing reaches the margin; narrower pages are cut, and no page is lost. */
static void fits_any_width(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(figures); i++)
        for (int width = 1; width < 140; width++) {
            struct paper *p = sheet_figure(width, width % 2, figures[i].spec);
            assert_int_equal(paper_width(p), width);
            assert_in_range(paper_height(p), 1, 800);
            for (int row = 0; width >= 40 && row < paper_height(p); row++)
                if (strcmp(paper_cell(p, row, width - 1)->text, " ") != 0)
                    fail_msg("%s reaches the margin at %d columns", figures[i].name, width);
            paper_free(p);
        }
}

static const struct {
    const char *spec, *says;
} wrong[] = {
    {"{\"kind\":\"owners\"}", "training is an object"           },
    {OWNERS("1",              "\"stage\":1"),                     "gpus of 2 or more"},
    {OWNERS("4",                       "\"stage\":4"),                                                "0, 1, 2 or 3, not 4"},
    {OWNERS("4",  "\"stages\":[]"),"one to four"},
    {OWNERS("4",      "\"stages\":[\"two\"]"),                                       "0, 1, 2 or 3"},
    {"{\"kind\":\"owners\",\"training\":{\"params\":7e9,\"gpus\":4,\"recipe\":\"fsdp2\"},"
     "\"stages\":[0,1]}",              "stage"                   },
    {FLAT("\"ranks\":4"),                       "has elements and ranks"                                 },
    {FLAT("\"elements\":10"),                       "has elements and ranks"                   },
    {FLAT("\"elements\":10,\"ranks\":4,\"rank\":4"),                       "rank 4 is none of the 4" },
    {FLAT("\"elements\":10,\"ranks\":4,\"names\":[[\"w\",6]]"),                       "the names hold 6 elements"},
    {FLAT("\"elements\":10,\"ranks\":4,\"names\":[[\"w\"]]"),                       "name 1 of the flat buffer"},
    {FLAT("\"elements\":10,\"ranks\":4,\"names\":[]"),                       "1 to 16 pairs"          },
};

static void refuses_wrong_specs(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(wrong); i++) {
        struct base_message m = {0};
        struct paper *p = paper_new(60, false);
        json_t *spec = json_loads(wrong[i].spec, 0, NULL);
        assert_non_null(spec);
        if (paper_figure(p, (struct paper_flow){0}, spec, &m)) fail_msg("drew %s", wrong[i].spec);
        if (!strstr(m.what, wrong[i].says)) print_error("%s says \"%s\"\n", wrong[i].spec, m.what);
        assert_non_null(strstr(m.what, wrong[i].says));
        assert_int_equal(paper_height(p), 0); /* nothing was drawn */
        json_decref(spec);
        paper_free(p);
    }
}

/* Cells of a row in a category's fill, from a column on. */
static int cells_of(const struct paper *p, int row, enum account_category c) {
    int n = 0;
    for (int column = 0; column < paper_width(p); column++)
        n += paper_cell(p, row, column)->role == PAPER_CATEGORY + (unsigned)c;
    return n;
}

/* ── owners ──────────────────────────────────────────────────────────────────────────────────────*/
/* Each rank owns another slice, and the slices of all ranks make up one whole cell. */
static void slices_make_one_copy(void **state) {
    (void)state;
    static const struct {
        const char *gpus;
        int ranks, cell;
    } rows[] = {
        {"2", 2, 4},
        {"3", 3, 6},
        {"4", 4, 4},
        {"5", 5, 5},
        {"8", 8, 8}
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char *spec = base_format("{\"kind\":\"owners\",\"training\":{\"params\":7e9,\"gpus\":%s,"
                                 "\"stage\":2}}",
                                 rows[i].gpus);
        struct paper *p = sheet_figure(80, false, spec);
        assert_int_equal(cells_of(p, 2, ACCOUNT_PARAMS), rows[i].ranks * rows[i].cell);
        assert_int_equal(cells_of(p, 3, ACCOUNT_GRADS), rows[i].cell);
        assert_int_equal(cells_of(p, 4, ACCOUNT_MOMENTS), rows[i].cell);
        paper_free(p);
        free(spec);
    }
}

static void says(int width, const char *spec, const char *what) {
    struct paper *p = sheet_figure(width, false, spec);
    char *text = paper_to_text(p);
    if (!strstr(text, what)) fail_msg("%s does not say: %s", text, what);
    free(text);
    paper_free(p);
}

static void owners_weigh(void **state) {
    (void)state;
    says(80, OWNERS("4", "\"stage\":0"), "stage 0 · 112 GB");
    says(80, OWNERS("4", "\"stage\":3"), "stage 3 · 28.0 GB");
    says(80, OWNERS("4", "\"stage\":0"), "there are 4 of each");
}

/* ── flat ────────────────────────────────────────────────────────────────────────────────────────*/
static void flat_counts(void **state) {
    (void)state;
    says(80, FLAT("\"elements\":10,\"ranks\":4"), "3 on each rank, 12 in all, of which 2 at");
    says(80, FLAT("\"elements\":12,\"ranks\":4"), "3 on each rank, and no padding");
    says(80, FLAT("\"elements\":10,\"ranks\":4"), "│  9   ·   ·  │");
    says(80, FLAT("\"elements\":124439808,\"ranks\":64"), "–1\u00a0944\u00a0371");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_pages),         cmocka_unit_test(fits_any_width),
        cmocka_unit_test(refuses_wrong_specs), cmocka_unit_test(slices_make_one_copy),
        cmocka_unit_test(owners_weigh),        cmocka_unit_test(flat_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
