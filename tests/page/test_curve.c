/* The memory over a step as a curve: as pages (golden) of the specs in curve/, and what the cells
 * of a column mean, on pages of every kind. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

#define FOLDER "curve"

static const char *const names[] = {
    "curve-13b", "curve-over", "curve-bare", "curve-level", "curve-init",
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

/* ── columns ───────────────────────────────────────────────────────────────────────────────────*/
/* Trainings of many kinds, some with few moments and some with more than a page has columns. */
static const char *const trainings[] = {
    "model=llama-2-7b gpus=8 stage=3 batch=1 seq=4096 recipe=fsdp2",
    "model=llama-2-13b gpus=8 stage=2 batch=1 seq=2048 recipe=deepspeed checkpoint=full",
    "model=gpt2-xl gpus=4 stage=3 batch=2 seq=1024 recipe=zerolab",
    "model=gpt2 gpus=4 stage=1 batch=8 seq=1024",
    "model=llama-3.1-405b gpus=1024 stage=3 batch=1 seq=8192",
    "model=gpt2-xl gpus=8 stage=0 batch=1 seq=512 recipe=ddp precision=fp32",
    "model=gpt2 gpus=8 stage=1 batch=4 seq=1024 recipe=llm.c",
    "params=7e9 gpus=64 stage=3",
};

static struct account_training training(const char *pairs) {
    struct account_training t = account_training_default();
    char *text = base_dup(pairs);
    for (char *rest = text, *word; (word = strtok_r(rest, " ", &rest));) {
        char *value = strchr(word, '=');
        struct account_error e;
        *value++ = '\0';
        if (!account_set(&t, word, value, &e)) fail_msg("%s: %s", pairs, e.what);
    }
    free(text);
    return t;
}

struct drawing {
    struct account_timepoint *moment;
    struct page_curve curve;
    struct page *page;
    /* of the columns; the row of the axis */
    int left, cells, foot;
};

static struct drawing draw(const char *pairs, int width, int rows, bool ascii, int colours,
                           double limit) {
    struct account_training t = training(pairs);
    struct drawing d = {.page = page_new(width, ascii)};
    d.curve = (struct page_curve){
        .unit = ACCOUNT_UNIT_GB, .rows = rows, .count = account_timeline(&t, NULL, 0, NULL)};
    assert_true(d.curve.count > 0);
    d.moment = base_alloc(d.curve.count * sizeof *d.moment);
    account_timeline(&t, d.moment, d.curve.count, NULL);
    d.curve.moment = d.moment;
    const struct account_timepoint *peak =
        &d.moment[account_timeline_peak(d.moment, d.curve.count)];
    if (limit > 0)
        d.curve.limit = (struct page_limit){true, limit * (double)peak->ledger.total, NULL};
    page_set_colours(d.page, colours);
    page_curve(d.page, (struct page_flow){.indent = 1, .width = width - 2}, &d.curve);
    const char *line = ascii ? "-" : "▔";
    for (; d.foot < page_height(d.page) && d.cells == 0; d.foot += d.cells == 0)
        for (int i = 0; i + 1 < width && d.cells == 0; i++) {
            if (strcmp(page_cell(d.page, d.foot, i)->text, line) != 0 ||
                strcmp(page_cell(d.page, d.foot, i + 1)->text, line) != 0 ||
                page_cell(d.page, d.foot, i)->role != PAGE_DIM)
                continue;
            for (d.left = i + 2; !strcmp(page_cell(d.page, d.foot, d.left + d.cells)->text, line);)
                d.cells++;
        }
    assert_in_range(d.cells, 1, width);
    return d;
}

static void finish(struct drawing *d) {
    page_free(d->page);
    free(d->moment);
}

static bool is_filled(const struct page_cell *c) {
    return c->role >= PAGE_CATEGORY && c->role < PAGE_ROLES;
}

/* Eighths of a cell that are filled: all of one, unless it ends a column. */
static int eighths_of(const struct page_cell *c) {
    static const char *const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇"};
    if (!is_filled(c)) return 0;
    for (int i = 0; i < 7; i++)
        if (!strcmp(c->text, heights[i]) && (c->role - PAGE_EDGE) % (ACCOUNT_CATEGORIES + 1) == 0)
            return i + 1;
    return 8;
}

/* A column's height in eighths of a cell. It has no gaps, but where a limit's line goes through. */
static int height_of(const struct drawing *d, int column) {
    int sum = 0, gap = 0;
    for (int row = d->foot - 1; row >= 0; row--) {
        const struct page_cell *c = page_cell(d->page, row, d->left + column);
        int eighths = eighths_of(c);
        if (eighths && gap && gap != (c->role == PAGE_LIMIT)) sum += gap * 8;
        if (c->role == PAGE_LIMIT && sum) gap++;
        sum += eighths;
        if (eighths < 8 && c->role != PAGE_LIMIT) break;
    }
    return sum;
}

/* No column is higher than the peak's, whose name has the pointer above it; and a column's height
 * is its total's, to a cell or to an eighth. */
static void peak_is_the_highest(struct drawing *d, const char *what) {
    int highest = 0, pointed = 0;
    for (int column = 0; column < d->cells; column++) {
        int height = height_of(d, column);
        if (height > highest) highest = height;
        for (int row = 0; row < d->foot; row++) {
            const char *text = page_cell(d->page, row, d->left + column)->text;
            bool points = !strcmp(text, "▾") || (page_ascii(d->page) && !strcmp(text, "v"));
            if (points && page_cell(d->page, row, d->left + column)->role == PAGE_STRONG &&
                strcmp(page_cell(d->page, row, d->left + column + 1)->text, "e") != 0)
                pointed = height;
        }
    }
    if (pointed != highest)
        fail_msg("%s: the peak's column has %d eighths, the highest has %d", what, pointed,
                 highest);
}

static void peaks_are_never_lower(void **state) {
    static const struct {
        bool ascii;
        int colours;
    } kinds[] = {{false, 256}, {false, 8}, {true, 0}};
    static const double limits[] = {0, 0.7, 0.99, 1.0, 1.01, 1.6};
    (void)state;
    for (size_t t = 0; t < BASE_COUNT(trainings); t++)
        for (int width = 50; width <= 200; width += 37)
            for (int rows = 4; rows <= 30; rows += 9)
                for (size_t k = 0; k < BASE_COUNT(kinds); k++)
                    for (size_t l = 0; l < BASE_COUNT(limits); l++) {
                        char what[200];
                        snprintf(what, sizeof what, "%s, %d x %d, %d colours, limit %g",
                                 trainings[t], width, rows, kinds[k].colours, limits[l]);
                        struct drawing d = draw(trainings[t], width, rows, kinds[k].ascii,
                                                kinds[k].colours, limits[l]);
                        peak_is_the_highest(&d, what);
                        finish(&d);
                    }
}

/* A peak over the limit is seen above its line, one that keeps it ends below, and the line has no
 * gap. */
static void only_what_breaks_the_limit_is_above_it(void **state) {
    (void)state;
    for (size_t t = 0; t < BASE_COUNT(trainings); t++)
        for (int over = 0; over < 2; over++)
            for (int colours = 0; colours <= 256; colours += 256)
                for (int rows = 6; rows < 20; rows++) {
                    struct drawing d =
                        draw(trainings[t], 90, rows, false, colours, over ? 0.999 : 1.001);
                    int line = 0, top = d.foot;
                    while (page_cell(d.page, line, d.left - 1)->role != PAGE_LIMIT) line++;
                    for (int column = 0; column < d.cells; column++)
                        for (int row = 0; row < top; row++)
                            if (is_filled(page_cell(d.page, row, d.left + column))) top = row;
                    for (int column = -1; column < d.cells; column++)
                        if (page_cell(d.page, line, d.left + column)->role != PAGE_LIMIT)
                            fail_msg("%s, %d rows: the limit has a gap", trainings[t], rows);
                    if (top == line || over != (top < line))
                        fail_msg("%s, %d rows: the top is in row %d, the limit in %d", trainings[t],
                                 rows, top, line);
                    finish(&d);
                }
}

/* A limit at the very end of the axis has its row above the axis. */
static void a_limit_at_the_end_is_drawn(void **state) {
    (void)state;
    static const char *const names[] = {"forward head", "backward head", "update"};
    static const uint64_t bytes[] = {1000000000, 3000000000, 1000000000};
    struct account_timepoint moment[BASE_COUNT(names)];
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        assert_true(account_timepoint_read(names[i], &moment[i]));
        moment[i].ledger.bytes[ACCOUNT_PARAMS] = moment[i].ledger.total = bytes[i];
    }
    struct page_curve curve = {.count = BASE_COUNT(names),
                               .moment = moment,
                               .unit = ACCOUNT_UNIT_GB,
                               .limit = {.given = true, .bytes = 6e9},
                               .rows = 4};
    struct page *p = page_new(80, false);
    page_curve(p, (struct page_flow){.indent = 1, .width = 78}, &curve);
    char *first = sheet_row(p, 0), *second = sheet_row(p, 1);
    assert_non_null(strstr(first, "6.00 GB ┄┄┄"));
    assert_non_null(strstr(second, " │"));
    free(first);
    free(second);
    page_free(p);
}

/* What stays from end to end is level: the first and the last column have the same at the foot. */
static void what_stays_is_level(void **state) {
    (void)state;
    for (int colours = 0; colours <= 256; colours += 256) {
        struct drawing d = draw(trainings[0], 110, 16, false, colours, 0);
        for (int row = d.foot - 1; row >= d.foot - 4; row--)
            for (int column = 1; column < d.cells; column++) {
                const struct page_cell *a = page_cell(d.page, row, d.left),
                                       *b = page_cell(d.page, row, d.left + column);
                if (row > d.foot - 3) assert_memory_equal(a, b, sizeof *a);
            }
        finish(&d);
    }
}

/* Without colours a cell is one category's, and a row does not change between two of them again and
 * again. */
static void rows_do_not_mix_categories(void **state) {
    (void)state;
    for (size_t t = 0; t < BASE_COUNT(trainings); t++)
        for (int width = 40; width <= 120; width += 40)
            for (int rows = 4; rows < 24; rows++) {
                struct drawing d = draw(trainings[t], width, rows, rows % 2, 0, 0);
                for (int row = 0; row < d.foot; row++) {
                    int changes = 0;
                    for (int column = 1; column < d.cells; column++) {
                        const struct page_cell *a = page_cell(d.page, row, d.left + column - 1),
                                               *b = page_cell(d.page, row, d.left + column);
                        changes += is_filled(a) && is_filled(b) && a->role != b->role;
                    }
                    if (changes > 8) fail_msg("%s, row %d: %d changes", trainings[t], row, changes);
                }
                finish(&d);
            }
}

/* So is what is level for a part of the step: FSDP2 gathers as much for each block of forward. */
static void what_is_level_for_a_while_is_drawn_so(void **state) {
    (void)state;
    for (int rows = 8; rows < 24; rows++) {
        struct drawing d = draw(trainings[0], 90, rows, rows % 2, 0, 0);
        int first = -1;
        for (int column = d.cells / 10; column < d.cells / 3; column++) {
            int cells = 0;
            for (int row = 0; row < d.foot; row++)
                cells +=
                    page_cell(d.page, row, d.left + column)->role == PAGE_CATEGORY + ACCOUNT_GATHER;
            if (first < 0) first = cells;
            assert_int_equal(cells, first);
        }
        finish(&d);
    }
}

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/
static void says_what_it_shows(void **state) {
    static const struct {
        const char *spec, *says;
    } rows[] = {
        {"curve-level",
         "Memory stays at 112 GB throughout the step. The peak does not fit in 80.0 GB."},
        {"curve-init", "Memory is highest before the first step, at"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct page *p = sheet_drawn(FOLDER, rows[i].spec, 300, false);
        char *text = page_to_text(p);
        for (char *c = text; *c; c++)
            if (*c == '\n' && c[1] == ' ') memmove(c, c + 1, strlen(c));
        if (!strstr(text, rows[i].says))
            fail_msg("%s is drawn as\n%s\nand does not say: %s", rows[i].spec, text, rows[i].says);
        free(text);
        page_free(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_pages),
        cmocka_unit_test(fits_any_width),
        cmocka_unit_test(refuses_wrong_specs),
        cmocka_unit_test(peaks_are_never_lower),
        cmocka_unit_test(only_what_breaks_the_limit_is_above_it),
        cmocka_unit_test(a_limit_at_the_end_is_drawn),
        cmocka_unit_test(what_stays_is_level),
        cmocka_unit_test(rows_do_not_mix_categories),
        cmocka_unit_test(what_is_level_for_a_while_is_drawn_so),
        cmocka_unit_test(says_what_it_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
