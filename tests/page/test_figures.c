/* Figures: as pages (golden), and what their cells mean: lengths, limits, letters, messages. */
#include "sheets.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#define BAR(label, params, gpus, stage)                                                            \
    "{\"label\":\"" label "\",\"training\":{\"params\":" params ",\"gpus\":" gpus                  \
    ",\"stage\":" stage "}}"
#define LADDER                                                                                     \
    BAR("stage 0", "7.5e9", "64", "0")                                                             \
    "," BAR("stage 1", "7.5e9", "64", "1") "," BAR("stage 2", "7.5e9", "64",                       \
                                                   "2") "," BAR("stage 3", "7.5e9", "64", "3")

static const struct {
    const char *name, *spec;
} figures[] = {
    {"stack-ladder",
     "{\"kind\":\"stack\",\"limit\":\"a100-80g\",\"unit\":\"GB\",\"bars\":[" LADDER "]}"},
    {"stack-fits", "{\"kind\":\"stack\",\"limit\":80e9,\"bars\":[" BAR(
                       "1B", "1e9", "1", "0") "," BAR("3B", "3e9", "1", "0") "]}"},
    {"stack-plain", "{\"kind\":\"stack\",\"legend\":false,\"bars\":[" BAR(
                        "GPT-2, the smallest of its family", "124439808", "1", "0") "]}"},
    {"stack-gib", "{\"kind\":\"stack\",\"unit\":\"GiB\",\"limit\":\"80GiB\",\"bars\":[" BAR(
                      "", "7e9", "8", "2") "]}"},
    {"stack-labels", "{\"kind\":\"stack\",\"bars\":[" BAR("≤ 1B → 2B", "1e9", "1", "0") "," BAR(
                         "漢字", "2e9", "2", "2") "]}"},
    {"stack-asked",
     "{\"kind\":\"stack\",\"limit\":\"80GB\",\"unit\":\"GB\",\"legend\":false,\"bars\":["
     "{\"label\":\"the weights\",\"only\":\"params\",\"training\":{\"params\":7e9}},"
     "{\"label\":\"training it\",\"unknown\":true}]}"},
    {"piles-two",
     "{\"kind\":\"piles\",\"params\":7e9,\"unit\":\"GB\",\"limit\":\"80GB\",\"columns\":["
     "{\"label\":\"yours\",\"bytes\":{\"params\":14e9,\"grads\":14e9,\"moments\":28e9}},"
     "{\"label\":\"it is\",\"training\":{\"params\":7e9}}],"
     "\"notes\":{\"params\":\"what you load from a file\",\"master\":\"the weights again, in "
     "fp32\"}}"},
    {"piles-three",
     "{\"kind\":\"piles\",\"columns\":["
     "{\"label\":\"at 14 GB\",\"bytes\":{\"params\":14e9}},"
     "{\"label\":\"at 56 GB\",\"bytes\":{\"params\":14e9,\"grads\":14e9,\"moments\":28e9}},"
     "{\"label\":\"it is\",\"training\":{\"params\":7e9}}]}"},
    {"piles-yours", "{\"kind\":\"piles\",\"limit\":\"80GB\",\"yours\":40e9,\"columns\":["
                    "{\"label\":\"at 28 GB\",\"bytes\":{\"params\":14e9,\"grads\":14e9}},"
                    "{\"label\":\"it is\",\"training\":{\"params\":7e9}}]}"},
    {"piles-far", "{\"kind\":\"piles\",\"limit\":\"80GB\",\"yours\":2e12,\"columns\":["
                  "{\"label\":\"it is\",\"training\":{\"params\":7e9}}]}"},
    {"amounts", "{\"kind\":\"amounts\",\"rows\":["
                "{\"label\":\"yours\",\"value\":105e9,\"text\":\"105 GB\"},"
                "{\"label\":\"it is\",\"value\":210e9,\"text\":\"210 GB\"}]}"},
    {"ledger-over", "{\"kind\":\"ledger\",\"limit\":\"a100-80g\",\"training\":{\"params\":7e9}}"},
    {"ledger-elsewhere", "{\"kind\":\"ledger\",\"still\":{\"params\":7e9,\"stage\":2,"
                         "\"recipe\":\"paper\"},\"training\":{\"params\":7e9,\"stage\":2,"
                         "\"recipe\":\"paper\",\"offload_optimizer\":\"host\"}}"},
    {"ledger-sharded", "{\"kind\":\"ledger\",\"limit\":\"a100-80g\",\"training\":{\"params\":13e9,"
                       "\"gpus\":16,\"stage\":2}}"},
    {"ledger-model", "{\"kind\":\"ledger\",\"unit\":\"MB\",\"training\":{\"model\":\"gpt2\","
                     "\"precision\":\"fp32\"}}"},
    {"figure-table", "{\"kind\":\"table\",\"head\":[\"what\",\"bytes\"],\"align\":\"ld\",\"rows\":["
                     "[\"params\",\"14 GB\"],[\"a longer line of text\",\"1.5 GB\"]]}"},
    {"play-start", "{\"kind\":\"play\",\"play\":\"ring-all-reduce\",\"bytes\":14e9,"
                   "\"lead\":\"Four ranks, **one** sum.\",\"note\":\"Each has its own.\"}"},
    {"play-hop", "{\"kind\":\"play\",\"play\":\"ring-all-reduce\",\"bytes\":14e9,\"frame\":1}"},
    {"play-turn", "{\"kind\":\"play\",\"play\":\"ring-all-reduce\",\"bytes\":14e9,\"frame\":6,"
                  "\"note\":\"A *reduce-scatter*.\"}"},
    {"play-copies", "{\"kind\":\"play\",\"play\":\"ring-all-reduce\",\"frame\":9}"},
    {"play-end", "{\"kind\":\"play\",\"play\":\"ring-all-reduce\",\"bytes\":14e9,\"frame\":99}"},
    {"play-two", "{\"kind\":\"play\",\"play\":\"ring-all-reduce\",\"ranks\":2,\"frame\":1}"},
    {"play-three", "{\"kind\":\"play\",\"play\":\"ring-all-reduce\",\"ranks\":3,\"frame\":3}"},
    {"play-eight", "{\"kind\":\"play\",\"play\":\"ring-all-reduce\",\"ranks\":8,\"frame\":17}"},
    {"play-scatter", "{\"kind\":\"play\",\"play\":\"ring-reduce-scatter\",\"frame\":4}"},
    {"play-gather", "{\"kind\":\"play\",\"play\":\"ring-all-gather\",\"frame\":3}"},
    {"play-tree", "{\"kind\":\"play\",\"play\":\"tree-all-reduce\",\"bytes\":14e9,\"frame\":3}"},
    {"play-tree-down", "{\"kind\":\"play\",\"play\":\"tree-all-reduce\",\"ranks\":5,\"frame\":9}"},
    {"play-tree-eight", "{\"kind\":\"play\",\"play\":\"tree-all-reduce\",\"ranks\":8,\"frame\":6}"},
    {"play-flat", "{\"kind\":\"play\",\"play\":\"flat-buffer\",\"note\":\"Here.\"}"},
    {"play-flat-slide", "{\"kind\":\"play\",\"play\":\"flat-buffer\",\"frame\":3}"},
    {"play-flat-pad", "{\"kind\":\"play\",\"play\":\"flat-buffer\",\"frame\":8}"},
    {"play-flat-cut", "{\"kind\":\"play\",\"play\":\"flat-buffer\",\"frame\":9}"},
    {"play-flat-own", "{\"kind\":\"play\",\"play\":\"flat-buffer\",\"elements\":14,\"frame\":12}"},
    {"play-flat-eight",
     "{\"kind\":\"play\",\"play\":\"flat-buffer\",\"ranks\":8,\"elements\":16,\"frame\":9}"},
    {"play-flat-end", "{\"kind\":\"play\",\"play\":\"flat-buffer\",\"frame\":99}"},
    {"play-buckets", "{\"kind\":\"play\",\"play\":\"buckets\",\"frame\":3}"},
    {"play-buckets-wait", "{\"kind\":\"play\",\"play\":\"buckets\",\"frame\":3,\"overlap\":0}"},
    {"play-buckets-whole", "{\"kind\":\"play\",\"play\":\"buckets\",\"frame\":9,\"stage\":1}"},
    {"play-units", "{\"kind\":\"play\",\"play\":\"gather-use-free\",\"frame\":2}"},
    {"play-units-back",
     "{\"kind\":\"play\",\"play\":\"gather-use-free\",\"frame\":60,\"note\":\"Here.\"}"},
    {"play-units-kept",
     "{\"kind\":\"play\",\"play\":\"gather-use-free\",\"frame\":36,\"keep\":1,\"prefetch\":0}"},
    {"play-pipe", "{\"kind\":\"play\",\"play\":\"pipeline\",\"frame\":3}"},
    {"play-pipe-all", "{\"kind\":\"play\",\"play\":\"pipeline\",\"frame\":99,\"note\":\"Here.\"}"},
    {"play-pipe-1f1b", "{\"kind\":\"play\",\"play\":\"pipeline\",\"schedule\":1,\"frame\":17}"},
    {"play-pipe-pieces", "{\"kind\":\"play\",\"play\":\"pipeline\",\"schedule\":2,\"frame\":99}"},
    {"play-pipe-four", "{\"kind\":\"play\",\"play\":\"pipeline\",\"schedule\":3,\"frame\":60}"},
    {"play-pipe-zero", "{\"kind\":\"play\",\"play\":\"pipeline\",\"schedule\":4,\"frame\":12}"},
    {"play-pipe-zero-all", "{\"kind\":\"play\",\"play\":\"pipeline\",\"schedule\":4,\"frame\":99}"},
    {"play-pipe-zero-few",
     "{\"kind\":\"play\",\"play\":\"pipeline\",\"schedule\":4,\"micros\":2,\"frame\":99}"},
    {"play-pipe-h2", "{\"kind\":\"play\",\"play\":\"pipeline\",\"schedule\":5,\"frame\":3}"},
    {"play-pipe-h2-all", "{\"kind\":\"play\",\"play\":\"pipeline\",\"schedule\":5,\"frame\":99}"},
    {"play-pipe-h2-few",
     "{\"kind\":\"play\",\"play\":\"pipeline\",\"schedule\":5,\"micros\":4,\"frame\":99}"},
    {"play-pipe-eight", "{\"kind\":\"play\",\"play\":\"pipeline\",\"schedule\":1,\"stages\":8,"
                        "\"micros\":16,\"frame\":40}"},
    {"play-pipe-one", "{\"kind\":\"play\",\"play\":\"pipeline\",\"micros\":1,\"frame\":99}"},
    {"play-layer", "{\"kind\":\"play\",\"play\":\"tensor-layer\",\"frame\":4}"},
    {"play-layer-column", "{\"kind\":\"play\",\"play\":\"tensor-layer\",\"ranks\":2,\"frame\":2}"},
    {"play-layer-back", "{\"kind\":\"play\",\"play\":\"tensor-layer\",\"frame\":12}"},
    {"play-layer-end",
     "{\"kind\":\"play\",\"play\":\"tensor-layer\",\"frame\":99,\"note\":\"Here.\"}"},
    {"play-layer-sequence",
     "{\"kind\":\"play\",\"play\":\"tensor-layer\",\"parallel\":1,\"frame\":1}"},
    {"play-layer-gather",
     "{\"kind\":\"play\",\"play\":\"tensor-layer\",\"parallel\":1,\"ranks\":8,\"frame\":16}"},
    {"play-layer-sequence-end",
     "{\"kind\":\"play\",\"play\":\"tensor-layer\",\"parallel\":1,\"frame\":99}"},
    {"play-experts", "{\"kind\":\"play\",\"play\":\"experts\",\"note\":\"Here.\"}"},
    {"play-experts-route", "{\"kind\":\"play\",\"play\":\"experts\",\"frame\":1}"},
    {"play-experts-hop", "{\"kind\":\"play\",\"play\":\"experts\",\"frame\":3}"},
    {"play-experts-skewed", "{\"kind\":\"play\",\"play\":\"experts\",\"routing\":1,\"frame\":5}"},
    {"play-experts-eight",
     "{\"kind\":\"play\",\"play\":\"experts\",\"routing\":1,\"ranks\":8,\"frame\":12}"},
    {"play-experts-end", "{\"kind\":\"play\",\"play\":\"experts\",\"frame\":99}"},
    {"play-tiers", "{\"kind\":\"play\",\"play\":\"tiers\",\"frame\":7}"},
    {"play-tiers-up", "{\"kind\":\"play\",\"play\":\"tiers\",\"weights\":1,\"frame\":2}"},
    {"play-tiers-nvme", "{\"kind\":\"play\",\"play\":\"tiers\",\"optimizer\":2,\"frame\":9}"},
    {"play-tiers-end",
     "{\"kind\":\"play\",\"play\":\"tiers\",\"micros\":4,\"frame\":99,\"note\":\"Here.\"}"},
    {"units", "{\"kind\":\"units\"}"},
    {"listing", "{\"kind\":\"listing\",\"file\":\"src/lab/shard.c\",\"first\":12,\"lines\":[\"int "
                "n = 10;\",\"int part = (n + 3) / "
                "4;\"],\"notes\":[{\"from\":2,\"to\":2,\"text\":\"Rounded up.\"}],\"whole\":true}"},
};

static void draws_pages(void **state) {
    (void)state;
    static const struct {
        int width;
        bool ascii;
    } pages[] = {{80, false}, {40, false}, {80, true}, {40, true}};
    for (size_t i = 0; i < BASE_COUNT(figures); i++)
        for (size_t j = 0; j < BASE_COUNT(pages); j++) {
            char *name = base_format("%s-%d%s", figures[i].name, pages[j].width,
                                     pages[j].ascii ? "-ascii" : "");
            struct page *p = sheet_figure(pages[j].width, pages[j].ascii, figures[i].spec);
            sheet_is(p, name);
            page_free(p);
            free(name);
        }
}

/* Cells of a bar in a category's fill or ink; the marks behind it, after the "+", are not among
 * them. */
static int cells_of(const struct page *p, int row, enum account_category c) {
    int n = 0;
    for (int column = 0; column < page_width(p); column++) {
        unsigned role = page_cell(p, row, column)->role;
        if (!strcmp(page_cell(p, row, column)->text, "+")) break;
        n += role == PAGE_CATEGORY + (unsigned)c || role == PAGE_INK + (unsigned)c;
    }
    return n;
}

static bool is_marked(const struct page *p, int row) {
    int column = 0;
    while (column < page_width(p) && strcmp(page_cell(p, row, column)->text, "+")) column++;
    return column < page_width(p);
}

static int column_of(const struct page *p, int row, unsigned role) {
    for (int column = 0; column < page_width(p); column++)
        if (page_cell(p, row, column)->role == role) return column;
    return -1;
}

/* Whether the numbers of the first rows end in one column. */
static void check_right_edges(const struct page *p, int rows) {
    int edge = 0;
    for (int row = 0; row < rows; row++) {
        int end = page_width(p);
        while (end > 0 && !strcmp(page_cell(p, row, end - 1)->text, " ")) end--;
        if (row == 0) edge = end;
        assert_int_equal(end, edge);
    }
}

static void bars_are_to_scale(void **state) {
    (void)state;
    static const struct {
        int width, least,
            /* the longest bar's cells: what the page has, up to what reads well */
            most;
    } pages[] = {
        {40, 12, 30}, {60, 30, 50}, {80, 49, 70}, {120, 85, 96}, {200, 85, 96},
    };
    for (size_t i = 0; i < BASE_COUNT(pages); i++) {
        struct page *p =
            sheet_figure(pages[i].width, false, "{\"kind\":\"stack\",\"bars\":[" LADDER "]}");
        int whole = 0;
        for (unsigned c = ACCOUNT_PARAMS; c <= ACCOUNT_MOMENTS; c++) whole += cells_of(p, 0, c);
        assert_in_range(whole, pages[i].least, pages[i].most);
        for (int row = 0; row < 3; row++)
            assert_in_range(cells_of(p, row, ACCOUNT_PARAMS) * 8 - whole + 4, 0, 12);
        /* 2 bytes each */
        assert_int_equal(cells_of(p, 1, ACCOUNT_GRADS), cells_of(p, 1, ACCOUNT_PARAMS));
        assert_int_equal(cells_of(p, 2, ACCOUNT_GRADS), 0); /* 15/64 GB is no half a cell */
        for (int row = 1; row < 4; row++)                   /* 0.94 GB: a cell, or a mark */
            assert_true(cells_of(p, row, ACCOUNT_MOMENTS) == 1 || is_marked(p, row));
        check_right_edges(p, 4);
        page_free(p);
    }
}

/* Of any ledger: a category of half a cell or more shows, and the bar is as long as the total, to
 * the cells that small categories need to show. */
static void bars_add_up(void **state) {
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < 300; round++) {
        struct account_training t = account_training_default();
        struct account_ledger l;
        struct account_error e;
        t.params = 1000000000 + base_random(&random) % 70000000000;
        t.gpus = 1 + (uint32_t)(base_random(&random) % 64);
        t.stage = (uint8_t)(base_random(&random) % 4);
        assert_true(account_ledger(&t, &l, &e));
        char *spec = base_format("{\"kind\":\"stack\",\"limit\":2e12,\"legend\":false,\"bars\":[{"
                                 "\"training\":{\"params\":%llu,\"gpus\":%u,\"stage\":%u}}]}",
                                 (unsigned long long)t.params, t.gpus, t.stage);
        struct page *p = sheet_figure(80, round % 2, spec);
        /* bytes a cell: the bar starts in column 1 */
        double scale = 2e12 / (column_of(p, 0, PAGE_LIMIT) - 1);
        int shown = 0;
        for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
            shown += cells_of(p, 0, c);
            if ((double)l.bytes[c] > scale * 0.5) assert_true(cells_of(p, 0, c) >= 1);
        }
        assert_true(shown > (double)l.total / scale - 1 && shown < (double)l.total / scale + 2);
        page_free(p);
        free(spec);
    }
}

static void the_limit_stands_out(void **state) {
    (void)state;
    for (int ascii = 0; ascii < 2; ascii++) {
        struct page *p = sheet_figure(80, ascii, figures[0].spec);
        int line = column_of(p, 0, PAGE_LIMIT);
        assert_true(line > 0);
        for (int row = 0; row < 5; row++)
            assert_int_equal(page_cell(p, row, line)->role, PAGE_LIMIT);
        assert_string_equal(page_cell(p, 3, line)->text, ascii ? "|" : "┆");
        unsigned beyond = page_cell(p, 0, line + 1)->role; /* the bar goes on behind it */
        assert_true(beyond == PAGE_CATEGORY + ACCOUNT_MOMENTS ||
                    beyond == PAGE_INK + ACCOUNT_MOMENTS);
        assert_true(column_of(p, 0, PAGE_BAD) > line);
        for (int row = 1; row < 4; row++) assert_int_equal(column_of(p, row, PAGE_BAD), -1);
        page_free(p);
    }
}

static void says_what_fits(void **state) {
    (void)state;
    static const struct {
        const char *limit, *says;
        unsigned role;
    } rows[] = {
        {"\"a100-80g\"", "This does not fit in an A100 (84.99 GB): 27 GB too much.", PAGE_BAD},
        {"\"h200\"", "This fits in an H200 (150.1 GB) and leaves 38.1 GB free.", PAGE_GOOD},
        {"112e9", "This fits in 112 GB and leaves nothing free.", PAGE_GOOD},
        {"\"rtx-4090\"", "This does not fit in a GeForce RTX 4090 (25.76 GB): 86.2 GB too much.",
         PAGE_BAD},
        {"\"100 GB\"", "This does not fit in 100 GB: 12 GB too much.", PAGE_BAD},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char *spec = base_format("{\"kind\":\"ledger\",\"limit\":%s,\"training\":{\"params\":7e9}}",
                                 rows[i].limit);
        struct page *p = sheet_figure(80, false, spec);
        char *text = page_to_text(p);
        if (!strstr(text, rows[i].says)) print_error("%s does not say: %s\n", text, rows[i].says);
        assert_non_null(strstr(text, rows[i].says));
        assert_int_equal(page_cell(p, page_height(p) - 1, 1)->role, rows[i].role);
        free(text);
        page_free(p);
        free(spec);
    }
}

/* Parts are named where the drawing has a legend, a pile by itself has no name, and a name that is
 * an amount is the amount. */
static void words_tell_a_thing_once(void **state) {
    static const struct {
        const char *spec, *begins;
    } rows[] = {
        {"{\"kind\":\"stack\",\"legend\":false,\"bars\":[{\"label\":\"7B\",\"training\":{"
         "\"params\":"
         "7e9}},{\"label\":\"8B\",\"unknown\":true}]}",
         "7B: 112 GB.\n8B: not known yet.\n"},
        {"{\"kind\":\"piles\",\"columns\":[{\"label\":\"it is\",\"training\":{\"params\":7e9}}]}",
         "112 GB, of which params 14 GB, "},
        {"{\"kind\":\"piles\",\"columns\":[{\"label\":\"at 14 GB\",\"bytes\":{\"params\":14e9}},"
         "{\"label\":\"it is\",\"training\":{\"params\":7e9}}]}",
         "at 14 GB: params 14 GB, and nothing of grads, "},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct base_message m = {0};
        json_t *spec = json_loads(rows[i].spec, 0, NULL);
        struct page *p = page_new(80, false);
        assert_true(page_figure_words(p, (struct page_flow){.width = 80}, spec, &m));
        char *text = page_to_text(p);
        if (strncmp(text, rows[i].begins, strlen(rows[i].begins)) != 0) fail_msg("%s", text);
        free(text);
        page_free(p);
        json_decref(spec);
    }
}

/* Its page had one decimal where this one has none. */
static void an_old_value_is_said_as_its_page_said_it(void **state) {
    (void)state;
    struct base_message m = {0};
    json_t *spec = json_loads("{\"kind\":\"ledger\",\"limit\":80e9,"
                              "\"training\":{\"params\":100e9,\"gpus\":20,\"stage\":3},"
                              "\"before\":{\"params\":7e9,\"gpus\":20,\"stage\":3}}",
                              0, NULL);
    struct page *p = page_new(80, false);
    assert_true(page_figure_words(p, (struct page_flow){.width = 80}, spec, &m));
    char *text = page_to_text(p);
    assert_non_null(strstr(text, "10 GB, it was 0.70 GB."));
    assert_non_null(strstr(text, "In total: 80 GB, it was 5.60 GB."));
    free(text);
    page_free(p);
    json_decref(spec);
}

/* What a slider left as it was is not said again: of stage 1's piles the whole ones. */
static void a_move_says_what_it_changed(void **state) {
    static const struct {
        int gpus, before;
        const char *says;
    } moves[] = {{4, 8,
                  "master: 4 bytes × 7 billion ÷ 4, 7 GB, it was 3.5 GB.\n"
                  "moments: 8 bytes × 7 billion ÷ 4, 14 GB, it was 7.0 GB.\n"
                  "In total: 49 GB, it was 38.5 GB.\n"},
                 {8, 8, "Nothing changed.\n"}};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(moves); i++) {
        struct page *p = page_new(80, false);
        json_t *was = json_pack("{ss,ss,s{sssssi}}", "kind", "ledger", "unit", "GB", "training",
                                "params", "7e9", "stage", "1", "gpus", moves[i].before),
               *now = json_pack("{ss,ss,s{sssssi},s{sssssi}}", "kind", "ledger", "unit", "GB",
                                "training", "params", "7e9", "stage", "1", "gpus", moves[i].gpus,
                                "before", "params", "7e9", "stage", "1", "gpus", moves[i].before);
        assert_true(page_figure_moved(p, (struct page_flow){0}, now, was, NULL));
        char *text = page_to_text(p);
        assert_string_equal(text, moves[i].says);
        free(text);
        page_free(p);
        json_decref(was);
        json_decref(now);
    }
}

static const struct {
    const char *spec, *says;
} wrong[] = {
    {"[]", "a figure is an object"},
    {"{}", "no kind"},
    {"{\"kind\":\"pie\"}", "\"pie\""},
    {"{\"kind\":\"stack\"}", "1 to 24 bars"},
    {"{\"kind\":\"stack\",\"bars\":[{\"label\":\"x\"}]}",
     "bar \"x\": a figure's training is an object"},
    {"{\"kind\":\"stack\",\"bars\":[{\"label\":\"x\",\"training\":{\"params\":\"many\"}}]}",
     "bar \"x\": "},
    {"{\"kind\":\"stack\",\"bars\":[{\"label\":\"x\",\"training\":{\"colour\":7}}]}", "colour"},
    {"{\"kind\":\"stack\",\"bars\":[{\"label\":\"x\",\"training\":{\"gpus\":8}}]}", "bar \"x\": "},
    {"{\"kind\":\"stack\",\"bars\":[7]}", "bar \"\": "},
    {"{\"kind\":\"stack\",\"unit\":\"parsec\",\"bars\":[" LADDER "]}", "parsec"},
    {"{\"kind\":\"stack\",\"unit\":\"GPUs\",\"bars\":[" LADDER "]}", "GPUs"},
    {"{\"kind\":\"stack\",\"limit\":\"z80\",\"bars\":[" LADDER "]}", "\"z80\""},
    {"{\"kind\":\"stack\",\"limit\":-1,\"bars\":[" LADDER "]}", "more than 0"},
    {"{\"kind\":\"stack\",\"limit\":[],\"bars\":[" LADDER "]}", "card's name"},
    {"{\"kind\":\"stack\",\"bars\":[{\"label\":\"x\",\"only\":\"wings\",\"training\":{\"params\":"
     "7e9}}]}",
     "\"wings\""},
    {"{\"kind\":\"piles\"}", "1 to 3 columns"},
    {"{\"kind\":\"piles\",\"columns\":[{\"bytes\":{\"wings\":7}}]}", "by category"},
    {"{\"kind\":\"ledger\"}", "training is an object"},
    {"{\"kind\":\"ledger\",\"training\":\"explore\"}", "training is an object"},
    {"{\"kind\":\"ledger\",\"training\":{\"params\":7e9,\"stage\":9}}", "stage"},
    {"{\"kind\":\"ledger\",\"training\":{\"params\":7e9,\"gpus\":[]}}", "gpus"},
    {"{\"kind\":\"table\"}", "1 to 200 rows"},
    {"{\"kind\":\"table\",\"rows\":[[\"a\"],[\"b\",\"c\"]]}",
     "row 2 of the table has 2 cells, not 1"},
    {"{\"kind\":\"table\",\"head\":[7],\"rows\":[[\"b\"]]}", "cell 1 is not text"},
    {"{\"kind\":\"play\",\"play\":\"star\"}", "not \"star\""},
    {"{\"kind\":\"play\",\"play\":\"ring-all-reduce\",\"ranks\":9}", "7 or 8 here"},
    {"{\"kind\":\"play\",\"play\":\"ring-all-reduce\",\"frame\":-1}", "count from 0"},
    {"{\"kind\":\"table\",\"rows\":[[\"a\"]],\"align\":\"x\"}", "\"x\""},
};

static void refuses_wrong_specs(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(wrong); i++) {
        struct base_message m = {0};
        struct page *p = page_new(60, false);
        json_t *spec = json_loads(wrong[i].spec, 0, NULL);
        assert_non_null(spec);
        assert_false(page_figure(p, (struct page_flow){0}, spec, &m));
        if (!strstr(m.what, wrong[i].says)) print_error("%s says \"%s\"\n", wrong[i].spec, m.what);
        assert_non_null(strstr(m.what, wrong[i].says));
        assert_int_equal(page_height(p), 0); /* nothing was drawn */
        json_decref(spec);
        page_free(p);
    }
    assert_false(page_figure(NULL, (struct page_flow){0}, NULL, NULL));
}

/* A legend without bars would explain what is not there. */
static void a_pane_too_narrow_for_bars_has_no_legend(void **state) {
    static const char spec[] =
        "{\"kind\":\"traffic\",\"training\":{\"params\":\"7e9\",\"gpus\":8},\"stages\":[0,3]}";
    (void)state;
    for (int width = 30; width <= 60; width += 30) {
        struct page *p = sheet_figure(width, false, spec);
        char *last = sheet_row(p, page_height(p) - 1);
        assert_int_equal(strstr(last, "all-reduce") != NULL, width == 60);
        free(last);
        page_free(p);
    }
}

static void fits_any_width(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(figures); i++)
        for (int width = 1; width < 100; width++) {
            struct page *p = sheet_figure(width, width % 2, figures[i].spec);
            assert_int_equal(page_width(p), width);
            assert_in_range(page_height(p), 1, 400);
            page_free(p);
        }
}

/* The kinds are those that the message of an unknown one lists. Whichever of page's tests draws it,
 * a figure's pages are kept under its kind's name. */
static void lists_its_kinds(void **state) {
    (void)state;
    struct page *p = page_new(80, false);
    struct base_message m = {0};
    json_t *spec = json_pack("{ss}", "kind", "none");
    int n = 0;
    assert_false(page_figure(p, (struct page_flow){0}, spec, &m));
    char *list = strstr(m.what, ": use ");
    assert_non_null(list);
    list += strlen(": use ");
    for (char *name = strtok(list, ", "); name; name = strtok(NULL, ", ")) {
        if (strcmp(name, "or") == 0) continue;
        char *pages = base_format("tests/page/golden/*%s*-80.txt", name);
        glob_t found;
        if (glob(pages, 0, NULL, &found)) fail_msg("no test draws a figure of kind %s", name);
        globfree(&found);
        free(pages);
        n++;
    }
    assert_true(n >= 5);
    json_decref(spec);
    page_free(p);
}

static void draws_bars(void **state) {
    (void)state;
    static const struct {
        double cells;
        bool ascii;
        const char *reads;
    } bars[] = {
        {0, false, ""},       {0.01, false, "▏\n"},   {0.5, false, "▌\n"},
        {3, false, "███\n"},  {2.75, false, "██▊\n"}, {99, false, "██████████\n"},
        {-1, false, ""},      {0.01, true, "#\n"},    {2.75, true, "###\n"},
        {2.25, true, "##\n"},
    };
    for (size_t i = 0; i < BASE_COUNT(bars); i++) {
        struct page *p = page_new(10, bars[i].ascii);
        page_bar(p, 0, 0, bars[i].cells, PAGE_ACCENT);
        sheet_reads(p, bars[i].reads);
        page_free(p);
    }
}

static void draws_progress(void **state) {
    (void)state;
    static const struct {
        double share;
        const char *reads;
    } rows[] = {{0, "░░░░░░░░\n"},     {0.001, "█░░░░░░░\n"}, {0.4, "███░░░░░\n"},
                {0.999, "███████░\n"}, {1, "████████\n"},     {7, "████████\n"},
                {-1, "░░░░░░░░\n"}};
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct page *p = page_new(10, false);
        assert_int_equal(page_progress(p, 0, 0, 8, rows[i].share), 8);
        sheet_reads(p, rows[i].reads);
        page_free(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_pages),
        cmocka_unit_test(bars_are_to_scale),
        cmocka_unit_test(bars_add_up),
        cmocka_unit_test(the_limit_stands_out),
        cmocka_unit_test(says_what_fits),
        cmocka_unit_test(words_tell_a_thing_once),
        cmocka_unit_test(an_old_value_is_said_as_its_page_said_it),
        cmocka_unit_test(a_move_says_what_it_changed),
        cmocka_unit_test(refuses_wrong_specs),
        cmocka_unit_test(a_pane_too_narrow_for_bars_has_no_legend),
        cmocka_unit_test(fits_any_width),
        cmocka_unit_test(lists_its_kinds),
        cmocka_unit_test(draws_bars),
        cmocka_unit_test(draws_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
