/* Bars of categories, whatever they hold and however wide they are: what is read from the cells is
 * held against the bytes. */
#include "sheets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EIGHTHS = 8, ROUNDS = 4000 };
static const char *const eighths[EIGHTHS + 1] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

/* How a page is shown. */
struct showing {
    bool ascii;
    int colours, unit; /* units in a cell */
};
static const struct showing showings[] = {
    {false, 256, EIGHTHS},
    {false, 0,   1      },
    {false, 8,   1      },
    {true,  256, 1      },
    {true,  0,   1      },
};

struct bar {
    uint64_t bytes[ACCOUNT_CATEGORIES];
    double due[ACCOUNT_CATEGORIES]; /* units that would be exact */
    int units[ACCOUNT_CATEGORIES];
    bool marked[ACCOUNT_CATEGORIES];
};

/* ── bars at random ────────────────────────────────────────────────────────────────────────────*/
/* Of any size from 1 byte to 2^20; every other category is another one's twin, as parameters and
 * gradients are. */
static void choose_bytes(uint64_t *random, struct bar *b) {
    int last = -1;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (base_random(random) % 3 == 0) continue;
        bool twin = last >= 0 && base_random(random) % 2;
        b->bytes[c] =
            twin ? b->bytes[last] : 1 + base_random(random) % (1U << base_random(random) % 21);
        last = twin ? -1 : c;
    }
}

static struct page *draw(const struct bar *b, int width, struct showing s) {
    struct page *p = page_new(width, s.ascii);
    struct experiment_state *run = base_alloc(sizeof *run);
    page_set_colours(p, s.colours);
    run->ranks = run->seen = 1;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        run->rank[0].now.bytes[c] = b->bytes[c];
        run->rank[0].now.total += b->bytes[c];
    }
    const struct page_lab l = {.run = {run}};
    page_lab(p, (struct page_flow){.width = width}, EXPERIMENT_MEMORY, &l);
    free(run);
    return p;
}

/* ── reading cells ─────────────────────────────────────────────────────────────────────────────*/
static int eighths_of(const char *text) {
    for (int n = 1; n <= EIGHTHS; n++)
        if (!strcmp(text, eighths[n])) return n;
    return EIGHTHS;
}

static void read_cell(const struct page_cell *c, int unit, struct bar *b) {
    unsigned role = c->role;
    if (role >= PAGE_EDGE) {
        role -= PAGE_EDGE;
        b->units[role / ACCOUNT_CATEGORIES] += eighths_of(c->text);
        b->units[role % ACCOUNT_CATEGORIES] += EIGHTHS - eighths_of(c->text);
    } else if (role >= PAGE_INK)
        b->units[role - PAGE_INK] += unit == 1 ? 1 : eighths_of(c->text);
    else if (role >= PAGE_CATEGORY)
        b->units[role - PAGE_CATEGORY] += unit;
}

static int first_column(const struct page *p, int row) {
    int column = 0;
    while (column < page_width(p) && !strcmp(page_cell(p, row, column)->text, " ")) column++;
    return column;
}

/* The bar is in the row under the head; below it, the axis; the number at its end stands under
 * it. */
static void read_bar(const struct page *p, struct showing s, struct bar *b) {
    enum { BAR = 1 };
    int axis = BAR + 1, from, to = page_width(p) - 1, column;
    while (!strchr("├+", *page_cell(p, axis, first_column(p, axis))->text)) axis++;
    from = first_column(p, axis);
    while (!strcmp(page_cell(p, axis, to)->text, " ")) to--;
    char *numbers = sheet_row(p, axis + 1), *last = numbers + strlen(numbers);
    enum account_unit unit = ACCOUNT_UNIT_B;
    while (last > numbers && !strchr("0123456789", last[-1])) last--;
    char *name = last + strspn(last, " ");
    name[strcspn(name, " ")] = '\0';
    assert_true(account_unit_find(name, &unit));
    while (last > numbers && strchr("0123456789.", last[-1])) last--;
    double scale = strtod(last, NULL) * account_unit_scale(unit) / (to - from);
    free(numbers);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) b->due[c] = (double)b->bytes[c] / scale * s.unit;
    for (column = from; page_cell(p, BAR, column)->role >= PAGE_CATEGORY; column++)
        read_cell(page_cell(p, BAR, column), s.unit, b);
    if (strcmp(page_cell(p, BAR, column)->text, "+") != 0) return;
    for (column++; page_cell(p, BAR, column)->role >= PAGE_CATEGORY; column++)
        b->marked[(page_cell(p, BAR, column)->role - PAGE_CATEGORY) % ACCOUNT_CATEGORIES] = true;
}

/* ── what holds of every bar ───────────────────────────────────────────────────────────────────*/
typedef void rule(const struct bar *b, int unit);

static void check_every_bar(rule *holds) {
    uint64_t random = 20;
    for (size_t i = 0; i < BASE_COUNT(showings); i++)
        for (int round = 0; round < ROUNDS; round++) {
            struct bar b = {0};
            choose_bytes(&random, &b);
            struct page *p = draw(&b, 40 + (int)(base_random(&random) % 90), showings[i]);
            read_bar(p, showings[i], &b);
            holds(&b, showings[i].unit);
            page_free(p);
        }
}

/* Either drawn, about as long as it should be, or marked; marked only if it is shorter than a
 * cell. */
static void is_seen(const struct bar *b, int unit) {
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        assert_int_equal((b->units[c] > 0) + b->marked[c], b->bytes[c] > 0);
        if (b->units[c] && fabs(b->units[c] - b->due[c]) > 2.5)
            fail_msg("%d units instead of %g", b->units[c], b->due[c]);
        if (b->marked[c] && b->due[c] > unit)
            fail_msg("%g units are only marked: more than a cell", b->due[c]);
    }
}

static void every_part_is_seen(void **state) {
    (void)state;
    check_every_bar(is_seen);
}

static void is_in_order(const struct bar *b, int unit) {
    (void)unit;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        for (int d = 0; d < c; d++) {
            if (!b->bytes[c] || !b->bytes[d]) continue;
            if (b->bytes[c] == b->bytes[d]) assert_int_equal(b->units[c], b->units[d]);
            if (b->bytes[c] > b->bytes[d]) assert_true(b->units[c] >= b->units[d]);
            if (b->bytes[c] < b->bytes[d]) assert_true(b->units[c] <= b->units[d]);
        }
}

static void equal_values_have_equal_lengths(void **state) {
    (void)state;
    check_every_bar(is_in_order);
}

/* How many parts have as many bytes as this one. */
static int twins_of(const struct bar *b, int c) {
    int n = 0;
    for (int d = 0; d < ACCOUNT_CATEGORIES; d++) n += b->bytes[c] && b->bytes[d] == b->bytes[c];
    return n;
}

/* To the unit, without the parts that are marked although they are half a unit or more. Many equal
 * parts, each of which has half a unit too many, or all too few, are off by as many halves; so are
 * parts of half a cell that each get a whole one. */
static void ends_right(const struct bar *b, int unit) {
    double due = 0, most = 1;
    int units = 0, halves = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        units += b->units[c];
        halves += unit == 1 && b->due[c] >= 0.5 && b->due[c] < 1;
        most = fmax(most, fmax(twins_of(b, c), halves) * 0.5);
        if (!b->marked[c] || b->due[c] < 0.5) due += b->due[c];
    }
    if (fabs(units - due) > most + 1e-9) fail_msg("a bar of %d units should have %g", units, due);
}

static void bars_end_where_they_should(void **state) {
    (void)state;
    check_every_bar(ends_right);
}

/* ── a ledger under sliders ────────────────────────────────────────────────────────────────────*/
static struct page *still(const char *params, const char *before, int *column) {
    struct base_message m = {0};
    json_t *spec = json_pack("{ss s{ss ss} s{ss ss} ss ss sb}", "kind", "ledger", "training",
                             "params", params, "gpus", "8", "before", "params", before, "gpus", "8",
                             "limit", "80GB", "unit", "GB", "still", 1);
    struct page *p = page_new(80, false);
    page_set_colours(p, 256);
    if (!page_figure(p, (struct page_flow){.indent = 1, .width = 78}, spec, &m))
        fail_msg("%s", m.what);
    *column = -1;
    for (int row = 0; row < page_height(p); row++)
        for (int c = 0; c < 80; c++)
            if (page_cell(p, row, c)->role == PAGE_LIMIT) *column = c;
    json_decref(spec);
    return p;
}

/* The card's line stays in its column, whatever the sliders do; no bar passes the axis; what
 * changed stands out and nothing else does. */
static void a_still_ledger_keeps_its_axis(void **state) {
    static const char *const params[] = {"1.5e9", "7e9", "13e9", "70e9", "175e9"};
    int first = -1;
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(params); i++) {
        int column, accents = 0;
        struct page *p = still(params[i], params[i], &column);
        assert_true(column > 0);
        if (first < 0) first = column;
        assert_int_equal(column, first);
        for (int row = 0; row < page_height(p); row++) {
            assert_string_equal(page_cell(p, row, 79)->text, " ");
            for (int c = 0; c < 80; c++) accents += page_cell(p, row, c)->role == PAGE_ACCENT;
        }
        assert_int_equal(accents, 0);
        page_free(p);
        p = still(params[i], "3e9", &column);
        assert_int_equal(column, first);
        for (int row = 0; row < page_height(p); row++)
            for (int c = 0; c < 80; c++) accents += page_cell(p, row, c)->role == PAGE_ACCENT;
        assert_true(accents > 0);
        page_free(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_still_ledger_keeps_its_axis),
        cmocka_unit_test(every_part_is_seen),
        cmocka_unit_test(equal_values_have_equal_lengths),
        cmocka_unit_test(bars_end_where_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
