/* Figures of what is divided: owners, flat, timeline, tower. As pages (golden) of the specs in
 * sharding/, and what their cells mean. */
#include "sheets.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

#define FOLDER "sharding"

#define OWNERS(gpus, more)                                                                         \
    "{\"kind\":\"owners\",\"training\":{\"params\":7e9,\"gpus\":" gpus "}," more "}"
#define T13                      "\"model\":\"llama-2-13b\",\"gpu\":\"a100-80g\",\"gpus\":8,\"batch\":1,\"seq\":2048,"
#define TIMELINE(training, more) "{\"kind\":\"timeline\",\"training\":{" T13 training "}" more "}"
#define FLAT(more)               "{\"kind\":\"flat\"," more "}"

static const char *const names[] = {
    "owners-stages",     "owners-eight",      "owners-many",         "owners-groups",
    "flat-ten",          "flat-empty",        "flat-rows",           "timeline-step",
    "timeline-prefetch", "timeline-backward", "timeline-accumulate", "timeline-pipeline",
    "timeline-alone",    "flat-model",        "tower-whole",         "tower-layer",
    "tower-models",      "tower-one",         "traffic-stages",      "traffic-mesh",
};

static void draws_pages(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(names); i++) sheet_pages(FOLDER, names[i]);
}

static void fits_any_width(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(names); i++) sheet_fits(FOLDER, names[i]);
}

static void refuses_wrong_specs(void **state) {
    (void)state;
    sheet_refuses(FOLDER);
}

/* ── owners ────────────────────────────────────────────────────────────────────────────────────*/
/* Each rank owns another slice, and the slices of all ranks make up one whole cell. */
static void slices_make_one_copy(void **state) {
    (void)state;
    static const struct {
        const char *gpus;
        int ranks, cell;
    } rows[] = {{"2", 2, 4}, {"3", 3, 6}, {"4", 4, 4}, {"5", 5, 5}, {"8", 8, 8}};
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char *spec = base_format("{\"kind\":\"owners\",\"training\":{\"params\":7e9,\"gpus\":%s,"
                                 "\"stage\":2}}",
                                 rows[i].gpus);
        struct page *p = sheet_figure(80, false, spec);
        assert_int_equal(sheet_cells(p, 2, ACCOUNT_PARAMS), rows[i].ranks * rows[i].cell);
        assert_int_equal(sheet_cells(p, 3, ACCOUNT_GRADS), rows[i].cell);
        assert_int_equal(sheet_cells(p, 4, ACCOUNT_MASTER), rows[i].cell);
        assert_int_equal(sheet_cells(p, 5, ACCOUNT_MOMENTS), rows[i].cell);
        page_free(p);
        free(spec);
    }
}

static void says(int width, const char *spec, const char *what) {
    struct page *p = sheet_figure(width, false, spec);
    char *text = page_to_text(p);
    if (!strstr(text, what)) fail_msg("%s does not say: %s", text, what);
    free(text);
    page_free(p);
}

static void owners_weigh(void **state) {
    (void)state;
    says(80, OWNERS("4", "\"stage\":0"), "stage 0 · 112 GB");
    says(80, OWNERS("4", "\"stage\":3"), "stage 3 · 28.0 GB");
    says(80, OWNERS("4", "\"stage\":0"), "Each pile has 4 copies.");
}

/* ── flat ──────────────────────────────────────────────────────────────────────────────────────*/
static void flat_counts(void **state) {
    (void)state;
    says(80, FLAT("\"elements\":10,\"ranks\":4"), "3 on each, 12 in total, 2 of them padding.");
    says(80, FLAT("\"elements\":12,\"ranks\":4"), "3 on each rank, and no padding");
    says(80, FLAT("\"elements\":10,\"ranks\":4"), "│  9   ·   ·  │");
    says(80, FLAT("\"elements\":124439808,\"ranks\":64"), "–1,944,371");
}

/* ── timeline ──────────────────────────────────────────────────────────────────────────────────*/
static int signs_of(const struct page *p, int row, const char *sign) {
    int n = 0;
    for (int column = 10; column < page_width(p); column++)
        n += !strcmp(page_cell(p, row, column)->text, sign);
    return n;
}

static struct account_training thirteen(uint8_t stage, const char *link) {
    struct account_training t = account_training_default();
    struct account_error e;
    const char *const fields[][2] = {{"model", "llama-2-13b"}, {"gpu", "a100-80g"}, {"gpus", "8"},
                                     {"batch", "1"},           {"seq", "2048"},     {"link", link}};
    for (size_t i = 0; i < BASE_COUNT(fields); i++)
        assert_true(account_set(&t, fields[i][0], fields[i][1], &e));
    t.stage = stage;
    return t;
}

/* Waiting and sending take as many cells of the step as the clock has seconds, whatever the stage
 * and however slow the link. */
static void cells_are_to_the_clock(void **state) {
    (void)state;
    static const char *const links[] = {"nvlink3", "25GB/s", "10GB/s", "1GB/s"};
    for (size_t i = 0; i < BASE_COUNT(links) * 4; i++) {
        struct account_clock c;
        struct account_error e;
        struct account_training t = thirteen((uint8_t)(i % 4), links[i / 4]);
        assert_true(account_clock(&t, &c, &e));
        char *spec = base_format("{\"kind\":\"timeline\",\"training\":{" T13
                                 "\"stage\":%u,\"link\":\"%s\"}}",
                                 t.stage, links[i / 4]);
        struct page *p = sheet_figure(120, false, spec);
        int waits = signs_of(p, 2, "×"), works = signs_of(p, 2, "▇") + signs_of(p, 2, "▄"),
            sends = sheet_cells(p, 3, ACCOUNT_GATHER) + sheet_cells(p, 3, ACCOUNT_REDUCE);
        double whole = waits + works;
        assert_true(whole > 50);
        assert_in_range((int)(waits - c.comm_exposed / c.step * whole + 100), 98, 102);
        assert_in_range((int)(sends - c.comm / c.step * whole + 100), 98, 102);
        page_free(p);
        free(spec);
    }
}

/* Without a prefetch a block's gather is over before the block begins: they are never beside each
 * other. */
static void prefetch_is_seen(void **state) {
    (void)state;
    for (int ahead = 0; ahead < 2; ahead++) {
        char *spec = base_format("{\"kind\":\"timeline\",\"part\":\"forward\",\"training\":{" T13
                                 "\"stage\":3,\"link\":\"pcie4\",\"prefetch\":%d}}",
                                 ahead);
        struct page *p = sheet_figure(80, false, spec);
        int beside = 0;
        for (int column = 10; column < 80; column++)
            beside += !strcmp(page_cell(p, 2, column)->text, "▇") &&
                      strcmp(page_cell(p, 3, column)->text, " ") != 0;
        assert_true(ahead ? beside > 8 : beside == 0);
        page_free(p);
        free(spec);
    }
}

/* Over a fast link a block's gradients travel for less than a cell, and are shown of each block all
 * the same. */
static void every_block_sends(void **state) {
    (void)state;
    for (int width = 72; width <= 96; width++) {
        struct page *p = sheet_figure(
            width, false,
            TIMELINE("\"stage\":2,\"link\":\"nvlink3\"", ",\"part\":\"backward\",\"blocks\":8"));
        int sends = 0;
        for (int column = 10; column < width; column++)
            sends += strcmp(page_cell(p, 3, column)->text, " ") != 0 &&
                     !strcmp(page_cell(p, 3, column - 1)->text, " ");
        assert_int_equal(sends, 8 + 1); /* and the last bucket, after backward */
        page_free(p);
    }
}

static void timeline_says_its_sums(void **state) {
    (void)state;
    struct account_training t = thirteen(3, "10GB/s");
    struct account_clock c;
    struct account_error e;
    char step[32], exposed[32];
    assert_true(account_clock(&t, &c, &e));
    account_print(step, sizeof step, c.step, ACCOUNT_UNIT_SECONDS, 3);
    account_print(exposed, sizeof exposed, c.comm_exposed, ACCOUNT_UNIT_SECONDS, 3);
    char *start = base_format("The step takes %s: computing", step),
         *end = base_format("%s of it exposed.", exposed);
    says(120, TIMELINE("\"stage\":3,\"link\":\"10GB/s\"", ""), start);
    says(120, TIMELINE("\"stage\":3,\"link\":\"10GB/s\"", ""), end);
    free(start);
    free(end);
}

/* A faster step is no use if it does not fit: a whole step says its peak, and what the card has. */
static void timeline_says_its_peak(void **state) {
    (void)state;
    static const char *const batches[] = {"1", "9"};
    for (size_t i = 0; i < BASE_COUNT(batches); i++) {
        struct account_training t = thirteen(3, "nvlink3");
        struct account_memory memory;
        struct account_error e;
        char holds[32], has[32];
        assert_true(account_set(&t, "batch", batches[i], &e));
        assert_true(account_memory(&t, &memory, &e));
        uint64_t peak = memory.phase[memory.peak].ledger.total, card = account_card_bytes(t.card);
        assert_int_equal(peak > card, i);
        account_print_bytes(holds, sizeof holds, (double)peak);
        account_print_bytes(has, sizeof has, (double)card);
        char *line =
            base_format("Its peak is %s%s the card's %s.", holds, i ? ", more than" : " of", has);
        char *spec = base_format("{\"kind\":\"timeline\",\"training\":{\"model\":\"llama-2-13b\","
                                 "\"gpu\":\"a100-80g\",\"gpus\":8,\"batch\":%s,\"seq\":2048,"
                                 "\"stage\":3}}",
                                 batches[i]);
        says(80, spec, line);
        free(spec);
        free(line);
    }
}

/* ── tower ─────────────────────────────────────────────────────────────────────────────────────*/
/* Cells of a bar, without the marks behind it. */
static int cells_in(const struct page *p, int row) {
    int n = 0;
    for (int column = 0; column < page_width(p); column++) {
        unsigned role = page_cell(p, row, column)->role;
        if (n && !strcmp(page_cell(p, row, column)->text, "+")) break;
        n += role == PAGE_CATEGORY + ACCOUNT_ACTIVATIONS || role == PAGE_INK + ACCOUNT_ACTIVATIONS;
    }
    return n;
}

/* A bar is as long as what the engine says is there, and its numbers are the engine's. */
static void towers_are_to_scale(void **state) {
    (void)state;
    static const char *const checkpoints[] = {"none", "selective", "full"};
    for (uint8_t i = 0; i < 3; i++) {
        struct account_training t = thirteen(0, "nvlink3");
        struct account_activations a;
        struct account_error e;
        t.flash = false;
        t.checkpoint = i;
        assert_true(account_activations(&t, &a, &e));
        char *spec = base_format("{\"kind\":\"tower\",\"limit\":40e9,\"bars\":[{\"training\":{" T13
                                 "\"flash\":\"off\",\"checkpoint\":\"%s\"}}]}",
                                 checkpoints[i]);
        struct page *p = sheet_figure(80, i % 2, spec);
        int whole = 0;
        while (page_cell(p, 0, 1 + whole)->role != PAGE_LIMIT) whole++;
        assert_true(whole > 40);
        assert_in_range((int)(cells_in(p, 0) - (double)a.highest / 40e9 * whole + 100), 99, 101);
        page_free(p);
        free(spec);
    }
}

/* Three checkpoints whose layers all keep the MLP's inputs. */
#define LAYER(label, more)                                                                         \
    "{\"label\":\"" label                                                                          \
    "\",\"training\":{\"model\":\"llama-2-13b\",\"batch\":1,\"seq\":4096," more "}}"
#define LAYERS                                                                                     \
    "{\"kind\":\"tower\",\"layer\":true,\"unit\":\"GB\",\"bars\":[" LAYER(                         \
        "none", "\"flash\":\"off\"") "," LAYER("selective",                                        \
                                               "\"flash\":\"off\",\"checkpoint\":"                 \
                                               "\"selective\"") "," LAYER("flash", "\"flash\""     \
                                                                                   ":\"on\"") "]}"

/* Equal values have equal lengths, wherever their bars begin: in whole cells, and in eighths. */
static void equal_parts_of_towers_are_equally_long(void **state) {
    static const int widths[] = {61, 80, 97, 120};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(widths); i++) {
        struct page *p = sheet_figure(widths[i], false, LAYERS);
        int n = signs_of(p, 0, "▒");
        assert_true(n > 3);
        for (int bar = 1; bar < 3; bar++) assert_int_equal(signs_of(p, bar, "▒"), n);
        page_free(p);
    }
}

/* The end of a bar in eighths of a cell, on a page in colours. */
static int end_in_eighths(const struct page *p, int row) {
    static const char *const eighths[] = {"▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int n = 0;
    for (int column = 0; column < page_width(p); column++) {
        const struct page_cell *c = page_cell(p, row, column);
        bool ink = c->role == PAGE_INK + ACCOUNT_ACTIVATIONS;
        if (!ink && c->role != PAGE_CATEGORY + ACCOUNT_ACTIVATIONS) continue;
        n += 8;
        for (int e = 0; e < 7; e++)
            if (ink && !strcmp(c->text, eighths[e])) n += e + 1 - 8;
    }
    return n;
}

static double kept_of_layer(const struct account_training *t) {
    struct account_activation_parts parts;
    struct account_error e;
    double sum = 0;
    assert_true(account_activation_parts(t, &parts, &e));
    for (size_t i = 0; i < parts.count; i++) sum += (double)parts.part[i].kept;
    return sum;
}

/* Without a part that is too small to draw. */
static void towers_end_within_an_eighth(void **state) {
    (void)state;
    for (uint32_t seq = 2048; seq <= 4096; seq += 256) {
        struct account_training t = thirteen(0, "nvlink3");
        struct base_message m = {0};
        t.seq = seq;
        t.checkpoint = 1;
        t.flash = false;
        json_t *spec = json_pack("{sssfsbs[{so}]}", "kind", "tower", "limit", 1e9, "layer", 1,
                                 "bars", "training", page_training_json(&t));
        struct page *p = page_new(100, false);
        page_set_colours(p, 256);
        if (!page_figure(p, (struct page_flow){.width = 100}, spec, &m)) fail_msg("%s", m.what);
        int cells = 0;
        while (page_cell(p, 0, cells)->role != PAGE_LIMIT) cells++;
        double due = kept_of_layer(&t) / 1e9 * cells * 8;
        if (fabs(end_in_eighths(p, 0) - due) > 1)
            fail_msg("%d eighths, not %.2f", end_in_eighths(p, 0), due);
        page_free(p);
        json_decref(spec);
    }
}

static void towers_tell_the_logits(void **state) {
    (void)state;
    says(80,
         "{\"kind\":\"tower\",\"bars\":[{\"label\":\"x\",\"training\":{" T13
         "\"checkpoint\":\"none\"}}]}",
         "logits             262 MB");
    says(80,
         "{\"kind\":\"tower\",\"bars\":[{\"label\":\"x\",\"training\":{" T13
         "\"checkpoint\":\"full\",\"flash\":\"off\"}}]}",
         "In x the logits are gone by then");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_pages),
        cmocka_unit_test(fits_any_width),
        cmocka_unit_test(refuses_wrong_specs),
        cmocka_unit_test(slices_make_one_copy),
        cmocka_unit_test(owners_weigh),
        cmocka_unit_test(flat_counts),
        cmocka_unit_test(cells_are_to_the_clock),
        cmocka_unit_test(prefetch_is_seen),
        cmocka_unit_test(every_block_sends),
        cmocka_unit_test(timeline_says_its_sums),
        cmocka_unit_test(timeline_says_its_peak),
        cmocka_unit_test(towers_are_to_scale),
        cmocka_unit_test(equal_parts_of_towers_are_equally_long),
        cmocka_unit_test(towers_end_within_an_eighth),
        cmocka_unit_test(towers_tell_the_logits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
