/* Figures of machines and of what to do with them: roofline, tiers, mesh, tree. As pages (golden), and what they say. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

#define T13 "\"model\":\"llama-2-13b\",\"gpu\":\"a100-80g\""

static const struct {
    const char *name, *spec;
} figures[] = {
    {"roofline-links", "{\"kind\":\"roofline\",\"training\":{" T13
                       ",\"gpus\":8,\"stage\":3,\"batch\":1,\"seq\":4096},\"links\":["
                       "\"nvlink3\",\"pcie4\",\"25GB/s\",\"ib-edr\",\"eth-10g\"]}"},
    {"roofline-own",   "{\"kind\":\"roofline\",\"training\":{\"model\":\"gpt2\",\"gpu\":\"a100-80g\","
                     "\"gpus\":4,\"stage\":2,\"batch\":2,\"seq\":1024}}"            },
    {"roofline-nodes",
     "{\"kind\":\"roofline\",\"training\":{\"model\":\"llama-2-13b\",\"gpu\":\"h100-80g\",\"gpus\":"
     "32,\"gpus_per_node\":8,\"stage\":3,\"batch\":2,\"seq\":4096},\"links\":[\"ib-ndr\","
     "\"eth-25g\"]}"                                                                                    },
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

static void fits_any_width(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(figures); i++)
        for (int width = 1; width < 140; width++) {
            struct paper *p = sheet_figure(width, width % 2, figures[i].spec);
            assert_int_equal(paper_width(p), width);
            assert_in_range(paper_height(p), 1, 800);
            paper_free(p);
        }
}

static const struct {
    const char *spec, *says;
} wrong[] = {
    {"{\"kind\":\"roofline\"}",                                                                   "training is an object"             },
    {"{\"kind\":\"roofline\",\"training\":{\"params\":\"13B\",\"gpu\":\"a100-80g\",\"gpus\":8}}",
     "batch and seq"                                                                                                                  },
    {"{\"kind\":\"roofline\",\"training\":{" T13 ",\"batch\":1,\"seq\":64}}",                     "gpus of 2 or more"                 },
    {"{\"kind\":\"roofline\",\"training\":{" T13
     ",\"gpus\":8,\"batch\":1,\"seq\":64},\"links\":[\"fish\"]}",                            "\"fish\" is neither a link"        },
    {"{\"kind\":\"roofline\",\"training\":{" T13
     ",\"gpus\":8,\"batch\":1,\"seq\":64},\"links\":[7]}",                                   "link 1 of the roofline is not text"},
    {"{\"kind\":\"roofline\",\"training\":{" T13 ",\"gpus\":8},\"links\":[]}",                    "1 to 8 links"                      },
};

static void refuses_wrong_specs(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(wrong); i++) {
        struct base_message m = {0};
        struct paper *p = paper_new(60, false);
        json_t *spec = json_loads(wrong[i].spec, 0, NULL);
        assert_non_null(spec);
        assert_false(paper_figure(p, (struct paper_flow){0}, spec, &m));
        if (!strstr(m.what, wrong[i].says)) print_error("%s says \"%s\"\n", wrong[i].spec, m.what);
        assert_non_null(strstr(m.what, wrong[i].says));
        assert_int_equal(paper_height(p), 0); /* nothing was drawn */
        json_decref(spec);
        paper_free(p);
    }
}

/* Every row and every number of a figure as one text. */
static char *text_of(int width, const char *spec) {
    struct paper *p = sheet_figure(width, false, spec);
    char *text = paper_to_text(p);
    paper_free(p);
    return text;
}

static void says(int width, const char *spec, const char *what) {
    char *text = text_of(width, spec);
    if (!strstr(text, what)) print_error("%s does not say: %s\n", text, what);
    assert_non_null(strstr(text, what));
    free(text);
}

/* ── roofline ────────────────────────────────────────────────────────────────────────────────────*/
/* With as many tokens as it says, communication takes as long as the computation: of a model whose batch can be as fine as that. */
static void breaks_even_where_it_says(void **state) {
    (void)state;
    struct account_training t = account_training_default();
    struct account_clock c;
    struct account_error e;
    const char *const fields[][2] = {
        {"model", "llama-2-13b"},
        {"gpu",   "a100-80g"   },
        {"gpus",  "8"          },
        {"stage", "3"          },
        {"link",  "1GB/s"      },
        {"seq",   "1"          },
        {"batch", "1"          },
    };
    for (size_t i = 0; i < BASE_COUNT(fields); i++)
        assert_true(account_set(&t, fields[i][0], fields[i][1], &e));
    uint32_t low = 1, high = 1000000; /* the fewest tokens whose computation takes as long */
    while (low < high) {
        t.batch = low + (high - low) / 2;
        assert_true(account_clock(&t, &c, &e));
        if (c.forward + c.backward >= c.comm)
            high = t.batch;
        else
            low = t.batch + 1;
    }
    char *number = base_format("%u %03u\n", low / 1000, low % 1000);
    says(80,
         "{\"kind\":\"roofline\",\"training\":{" T13
         ",\"gpus\":8,\"stage\":3,\"batch\":64,\"seq\":1},\"links\":[\"1GB/s\"]}",
         number);
    free(number);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_pages),
        cmocka_unit_test(fits_any_width),
        cmocka_unit_test(refuses_wrong_specs),
        cmocka_unit_test(breaks_even_where_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
