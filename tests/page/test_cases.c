/* The small table of the trainings that a figure is about, in columns that are too few, too. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

#define CASE(label, params, stage)                                                                 \
    "{\"label\":\"" label "\",\"training\":{\"params\":\"" params                                  \
    "\",\"gpus\":64,\"stage\":" stage ",\"recipe\":\"paper\"}}"
#define KEPT(label, more)                                                                          \
    "{\"label\":\"" label "\",\"training\":{\"model\":\"llama-2-7b\",\"gpus\":8,\"seq\":2048,"     \
    "\"batch\":1,\"recipe\":\"ddp\"" more "}}"
#define ACTIVATIONS                                                                                \
    "{\"bars\":[" KEPT("keep all", "") "," KEPT("checkpointed", ",\"checkpoint\":\"full\"") "]}"
#define TWO "{\"bars\":[" CASE("stage 0", "7.5e9", "0") "," CASE("stage 2", "7.5e9", "2") "]}"

static const struct {
    const char *what, *spec;
    int width;
    /* NULL: none */
    const char *table;
} TABLES[] = {
    {"a row for each", TWO, 36,
     "in GB   params grads master moments\n"
     "───────────────────────────────────\n"
     "stage 0  15.00 15.00  30.00   60.00\n"
     "stage 2  15.00  0.23   0.47    0.94\n"},
    {"turned round", TWO, 28,
     "in GB       stage 0  stage 2\n"
     "────────────────────────────\n"
     "█ params      15.00    15.00\n"
     "▓ grads       15.00     0.23\n"
     "▒ master      30.00     0.47\n"
     "░ moments     60.00     0.94\n"
     "  in total   120.00    16.64\n"},
    {"turned round, and close together so that each name is on its row", ACTIVATIONS, 36,
     "in GB         keep all checkpointed\n"
     "───────────────────────────────────\n"
     "█ params          27.0         27.0\n"
     "▓ grads           27.0         27.0\n"
     "░ moments         53.9         53.9\n"
     "╱ activations     11.0          1.5\n"
     "◪ reduce          27.0         27.0\n"
     "· workspace       13.5         13.5\n"
     "  in total       159.3        149.7\n"},
    {"totals alone", TWO, 16,
     "in GB   in total\n"
     "────────────────\n"
     "stage 0    120.0\n"
     "stage 2     16.6\n"},
    {"no room", TWO, 8, NULL},
    {"one", "{\"training\":{\"params\":7e9,\"recipe\":\"paper\"}}", 36,
     "            in GB\n"
     "─────────────────\n"
     "█ params       14\n"
     "▓ grads        14\n"
     "▒ master       28\n"
     "░ moments      56\n"
     "  in total    112\n"},
    {"one at two stages",
     "{\"training\":{\"params\":8e9,\"gpus\":8,\"recipe\":\"paper\"},\"stages\":[0,3]}", 36,
     "in GB   params grads master moments\n"
     "───────────────────────────────────\n"
     "stage 0     16    16     32      64\n"
     "stage 3      2     2      4       8\n"},
    {"tiers count what the card holds",
     "{\"kind\":\"tiers\",\"card\":\"a100-80g\",\"training\":{\"params\":13e9,\"gpus\":1,"
     "\"stage\":2,\"recipe\":\"paper\",\"offload_optimizer\":\"host\"}}",
     36,
     "             in GB\n"
     "──────────────────\n"
     "█ params     26.00\n"
     "˙ framework   0.63\n"
     "  in total   26.63\n"},
    {"a curve counts what there is at its peak",
     "{\"kind\":\"curve\",\"training\":{\"model\":\"gpt2-xl\",\"gpus\":8,\"stage\":3,\"batch\":1,"
     "\"seq\":1024,\"recipe\":\"zerolab\"}}",
     36,
     "               in GB\n"
     "────────────────────\n"
     "█ params       0.389\n"
     "▓ grads        0.389\n"
     "▒ master       0.779\n"
     "░ moments      1.558\n"
     "╱ activations  2.734\n"
     "◫ gather       0.226\n"
     "◪ reduce       0.164\n"
     "· workspace    0.043\n"
     "  in total     6.282\n"},
    {"with an optimizer in host memory it counts what the GPU keeps",
     "{\"kind\":\"tiers\",\"training\":{\"params\":13e9,\"stage\":2,"
     "\"offload_optimizer\":\"host\"}}",
     36,
     "            in GB\n"
     "─────────────────\n"
     "█ params       26\n"
     "  in total     26\n"},
    {"such a table itself", "{\"kind\":\"ledger\",\"training\":{\"params\":7e9}}", 36, NULL},
    {"one layer of it", "{\"kind\":\"tower\",\"layer\":true,\"bars\":[" KEPT("flash", "") "]}", 36,
     NULL},
    {"no training", "{\"kind\":\"units\"}", 36, NULL},
    {"one that cannot be", "{\"training\":{\"params\":7e9,\"stage\":7}}", 36, NULL},
};

static void tables_are_as_wide_as_they_may_be(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(TABLES); i++) {
        struct base_message m = {0};
        json_t *spec = base_json_read(TABLES[i].spec, strlen(TABLES[i].spec), "spec", &m);
        struct page *p = page_new(TABLES[i].width, false);
        assert_non_null(spec);
        bool drawn = page_cases(p, (struct page_flow){0}, spec);
        char *text = page_to_text(p);
        if (drawn != (TABLES[i].table != NULL) || strcmp(text, drawn ? TABLES[i].table : "") != 0)
            fail_msg("%s:\n%s", TABLES[i].what, text);
        free(text);
        page_free(p);
        json_decref(spec);
    }
}

/* All rows of a bar show the parts `drawn`, and a "+" stands for those that are too thin for a
 * cell. */
static void rows_are_alike(const struct page *p, int row, int rows, const char *drawn,
                           const char *marked) {
    for (int r = row; r < row + rows; r++) {
        char *text = sheet_row(p, r);
        const char *bar = strchr(text, 'P');
        assert_non_null(bar);
        size_t n = strspn(bar, drawn);
        assert_true(n > 0);
        assert_memory_equal(bar + n, marked, strlen(marked));
        free(text);
    }
}

/* Bars are as thick as the page says, each row of them alike, with a gap between thick ones. */
static void bars_are_thick(void **state) {
    (void)state;
    json_t *spec = json_loads(TWO, 0, NULL);
    for (int thick = 1; thick <= PAGE_THICKEST; thick++) {
        struct page *p = page_new(60, true);
        struct base_message m = {0};
        json_object_set_new(spec, "kind", json_string("stack"));
        page_set_thick(p, thick);
        assert_true(page_figure(p, (struct page_flow){0}, spec, &m));
        int gap = thick > 1;
        for (int bar = 0; bar < 2; bar++)
            rows_are_alike(p, bar * (thick + gap), thick, bar ? "PV" : "PGMV", bar ? " + " : "");
        page_free(p);
    }
    json_decref(spec);
}

/* Figures whose bars are as thick as the page: a category, the bars that have it, the rows of words
 * that have it whatever the thickness. */
static const struct thick_figure {
    const char *what, *spec;
    enum account_category category;
    int bars, words;
} THICK[] = {
    {"a ledger under sliders: its line and the total",
     "{\"kind\":\"ledger\",\"unit\":\"GB\",\"limit\":\"80GB\","
     "\"training\":{\"params\":\"7e9\",\"gpus\":8,\"stage\":1},"
     "\"still\":{\"params\":\"7e9\",\"gpus\":8}}",
     ACCOUNT_PARAMS, 2, 0},
    {"traffic: three stages that gather, and the legend",
     "{\"kind\":\"traffic\",\"stages\":[0,1,2,3],\"training\":{\"params\":\"7e9\",\"gpus\":8}}",
     ACCOUNT_GATHER, 3, 1},
    {"tiers: the host's moments, and the legend",
     "{\"kind\":\"tiers\",\"training\":{\"model\":\"llama-2-13b\",\"gpu\":\"a100-80g\","
     "\"gpus\":8,\"stage\":1,\"offload_optimizer\":\"host\"}}",
     ACCOUNT_MOMENTS, 1, 1},
    {"a roofline: three links, and the legend",
     "{\"kind\":\"roofline\",\"links\":[\"nvlink3\",\"pcie5\",\"pcie4\"],"
     "\"training\":{\"model\":\"llama-2-7b\",\"gpus\":8,\"gpu\":\"a100-80g\",\"stage\":3,\"batch\":"
     "1,"
     "\"seq\":2048}}",
     ACCOUNT_GATHER, 3, 1},
};

static int rows_of(const struct page *p, enum account_category c) {
    int rows = 0;
    for (int row = 0; row < page_height(p); row++) rows += sheet_cells(p, row, c) > 0;
    return rows;
}

static void figures_are_thick(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(THICK); i++)
        for (int thick = 1; thick <= PAGE_THICKEST; thick++) {
            struct page *p = page_new(100, false);
            struct base_message m = {0};
            json_t *spec = json_loads(THICK[i].spec, 0, NULL);
            page_set_thick(p, thick);
            if (!page_figure(p, (struct page_flow){0}, spec, &m)) fail_msg("%s", m.what);
            int rows = rows_of(p, THICK[i].category);
            if (rows != THICK[i].bars * thick + THICK[i].words)
                fail_msg("%s, %d thick: %d rows", THICK[i].what, thick, rows);
            json_decref(spec);
            page_free(p);
        }
}

/* Figures without bars: the rows that they are higher on a page of thick bars. */
static const struct tall_figure {
    const char *what, *spec;
    int more[PAGE_THICKEST];
} TALL[] = {
    {"a flat buffer, element by element: one row of boxes",
     "{\"kind\":\"flat\",\"elements\":10,\"ranks\":4}",
     {0, 1, 2, 3, 4}},
    {"a large flat buffer: one row of boxes, ranges on two lines",
     "{\"kind\":\"flat\",\"training\":{\"params\":7000000000,\"gpus\":8}}",
     {0, 0, 1, 2, 3}},
    {"a mesh: two rows of nodes, each with two rows of ranks and a row between them",
     "{\"kind\":\"mesh\",\"training\":{\"params\":7000000000,\"gpus\":64,\"gpus_per_node\":8,"
     "\"stage\":3,\"shard_group\":8}}",
     {0, 2, 6, 10, 14}},
    {"a timeline: two lanes",
     "{\"kind\":\"timeline\",\"training\":{\"model\":\"llama-2-7b\",\"gpu\":\"a100-80g\",\"gpus\":"
     "8,"
     "\"stage\":3,\"batch\":1,\"seq\":2048}}",
     {0, 4, 8, 12, 16}},
    {"a decision tree: bars under four of ten forks, rows under all, and two for the line",
     "{\"kind\":\"tree\",\"training\":{\"model\":\"llama-2-13b\",\"gpu\":\"a100-80g\",\"gpus\":8}}",
     {0, 6, 16, 20, 30}},
    {"a curve: its columns, as high as its axis and its peak's name need",
     "{\"kind\":\"curve\",\"training\":{\"model\":\"gpt2-xl\",\"gpus\":8,\"stage\":3,\"batch\":8,"
     "\"seq\":1024}}",
     {0, 9, 19, 29, 38}},
};

static int height_of(const char *text, int thick) {
    struct page *p = page_new(100, false);
    struct base_message m = {0};
    json_t *spec = json_loads(text, 0, NULL);
    page_set_thick(p, thick);
    if (!page_figure(p, (struct page_flow){0}, spec, &m)) fail_msg("%s", m.what);
    int height = page_height(p);
    json_decref(spec);
    page_free(p);
    return height;
}

static void figures_are_tall(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(TALL); i++)
        for (int thick = 1; thick <= PAGE_THICKEST; thick++) {
            int more = height_of(TALL[i].spec, thick) - height_of(TALL[i].spec, 1);
            if (more != TALL[i].more[thick - 1])
                fail_msg("%s, %d thick: %d rows more", TALL[i].what, thick, more);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_as_wide_as_they_may_be),
        cmocka_unit_test(bars_are_thick),
        cmocka_unit_test(figures_are_thick),
        cmocka_unit_test(figures_are_tall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
