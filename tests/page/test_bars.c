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
    /* units in a cell */
    int colours, unit;
};
static const struct showing showings[] = {
    {false, 256, EIGHTHS}, {false, 0, 1}, {false, 8, 1}, {true, 256, 1}, {true, 0, 1},
};

struct bar {
    uint64_t bytes[ACCOUNT_CATEGORIES];
    /* units that would be exact */
    double due[ACCOUNT_CATEGORIES];
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
        if (c->role != PAGE_END(role / ACCOUNT_CATEGORIES))
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
    column += column > from; /* the mark stands apart from the bar */
    if (strcmp(page_cell(p, BAR, column)->text, "+") != 0) return;
    assert_true(page_cell(p, BAR, column + 1)->role < PAGE_CATEGORY);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) b->marked[c] = b->bytes[c] && !b->units[c];
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
 * parts of half a cell that each get a whole one. The bar rounds its scale in another way: what is
 * half a unit here, to 1e-9, may be a little less there, and so no loss. */
static void ends_right(const struct bar *b, int unit) {
    double due = 0, most = 1, either = 0;
    int units = 0, halves = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        bool on_edge = b->marked[c] && fabs(b->due[c] - 0.5) < 1e-9;
        units += b->units[c];
        halves += unit == 1 && b->due[c] >= 0.5 && b->due[c] < 1;
        most = fmax(most, fmax(twins_of(b, c), halves) * 0.5);
        if (on_edge) either += b->due[c];
        if (!on_edge && (!b->marked[c] || b->due[c] < 0.5)) due += b->due[c];
    }
    if (fabs(units - due) > most + 1e-9 && fabs(units - due - either) > most + 1e-9)
        fail_msg("a bar of %d units should have %g", units, due);
}

static void bars_end_where_they_should(void **state) {
    (void)state;
    check_every_bar(ends_right);
}

/* ── a ledger under sliders ────────────────────────────────────────────────────────────────────*/
static struct page *still(const char *params, const char *before, int *column) {
    struct base_message m = {0};
    json_t *spec = json_pack("{ss s{ss ss} s{ss ss} ss ss s{ss ss} s{s[sss]}}", "kind", "ledger",
                             "training", "params", params, "gpus", "8", "before", "params", before,
                             "gpus", "8", "limit", "80GB", "unit", "GB", "still", "params", "7e9",
                             "gpus", "8", "range", "params", "1.5e9", "7e9", "175e9");
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

/* Sliders that begin far over the limit: the axis reaches what they begin with, so that the first
 * picture is no cut bar. */
static void a_ledger_begins_whole(void **state) {
    static const struct {
        const char *now;
        bool cut;
    } cases[] = {{"7e9", false}, {"70e9", true}};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct base_message m = {0};
        json_t *spec = json_pack("{ss s{ss} ss s{ss}}", "kind", "ledger", "training", "params",
                                 cases[i].now, "limit", "24GB", "still", "params", "7e9");
        struct page *p = page_new(80, false);
        if (!page_figure(p, (struct page_flow){.indent = 1, .width = 78}, spec, &m))
            fail_msg("%s", m.what);
        char *text = page_to_text(p);
        assert_true(cases[i].cut == (strstr(text, "▸") != NULL));
        free(text);
        page_free(p);
        json_decref(spec);
    }
}

/* ── what flies apart ──────────────────────────────────────────────────────────────────────────*/
#define TRAINING(stage, gpus) "{\"params\":7e9,\"gpus\":" gpus ",\"stage\":" stage "}"
#define MOVED(from, to, gpus)                                                                      \
    "{\"kind\":\"ledger\",\"limit\":\"80GB\",\"unit\":\"GB\",\"still\":" TRAINING(                 \
        "0", "8") ",\"before\":" TRAINING(from, "8") ",\"training\":" TRAINING(to, gpus) "}"

static struct page *flying(const char *text, int apart, bool *flies) {
    struct base_message m = {0};
    json_t *spec = json_loads(text, 0, NULL);
    struct page *p = page_new(80, false);
    page_set_colours(p, 256);
    *flies = page_figure_flies(spec);
    json_object_set_new(spec, "apart", json_integer(apart));
    if (!page_figure(p, (struct page_flow){.indent = 1, .width = 78}, spec, &m))
        fail_msg("%s", m.what);
    json_decref(spec);
    return p;
}

/* Cells of a category in its own row, behind the sign at the margin. */
static int cells_in_flight(const struct page *p, enum account_category c, int *last) {
    int count = 0;
    *last = 0;
    for (int row = 0; row < page_height(p); row++)
        if (page_cell(p, row, 1)->role == PAGE_CATEGORY + (unsigned)c)
            for (int column = 3; column < 80; column++)
                if (page_cell(p, row, column)->role == PAGE_CATEGORY + (unsigned)c) {
                    *last = column;
                    count++;
                }
    return count;
}

/* Only what one of two stages shards flies. Its pieces are as many cells as the whole bar was, and
 * go to the right until the rank's own is left. */
static void shards_fly_apart(void **state) {
    (void)state;
    bool flies;
    int last, before = 0, whole = 0, grads = 0, end;
    for (int apart = 1; apart < 100; apart++) {
        struct page *p = flying(MOVED("0", "1", "8"), apart, &flies);
        int cells = cells_in_flight(p, ACCOUNT_MOMENTS, &last);
        assert_true(flies);
        if (apart == 1) whole = cells, grads = cells_in_flight(p, ACCOUNT_GRADS, &end);
        if (cells == whole) assert_true(last >= before);
        assert_true(cells <= whole);
        assert_int_equal(cells_in_flight(p, ACCOUNT_GRADS, &end), grads);
        if (apart == 99) assert_true(cells <= whole / 4);
        before = last;
        page_free(p);
    }
    assert_true(whole > 12);
}

/* What is no longer sharded comes back the same way. */
static void shards_come_together(void **state) {
    (void)state;
    bool flies;
    int last, end;
    struct page *begins = flying(MOVED("1", "0", "8"), 1, &flies),
                *ends = flying(MOVED("1", "0", "8"), 99, &flies);
    assert_true(flies);
    assert_true(cells_in_flight(begins, ACCOUNT_MOMENTS, &last) <
                cells_in_flight(ends, ACCOUNT_MOMENTS, &end));
    page_free(begins);
    page_free(ends);
}

static void nothing_else_flies(void **state) {
    (void)state;
    bool flies;
    page_free(flying(MOVED("1", "1", "64"), 0, &flies));
    assert_false(flies);
    page_free(flying(MOVED("0", "1", "1"), 0, &flies));
    assert_false(flies);
    page_free(flying("{\"kind\":\"ledger\",\"training\":" TRAINING("1", "8") "}", 0, &flies));
    assert_false(flies);
}

/* ── other axes under sliders ──────────────────────────────────────────────────────────────────*/
static struct page *moved(const char *head, const char *start, const char *now, const char *tail) {
    struct base_message m = {0};
    char *text = base_format("{%s\"still\":{%s},\"before\":{%s},\"training\":{%s}%s}", head, start,
                             start, now, tail);
    json_t *spec = json_loads(text, 0, NULL);
    struct page *p = page_new(80, false);
    page_set_colours(p, 256);
    if (!page_figure(p, (struct page_flow){.indent = 1, .width = 78}, spec, &m))
        fail_msg("%s: %s", text, m.what);
    json_decref(spec);
    free(text);
    return p;
}

/* Rows below do not move when a slider empties a category; what is too thin is explained without a
 * row for it. */
static void a_still_ledger_keeps_its_rows(void **state) {
    static const char start[] = "\"params\":\"7e9\",\"gpus\":1,\"precision\":\"mixed-bf16\"";
    const char *now[] = {start, "\"params\":\"7e9\",\"gpus\":1,\"precision\":\"fp32\"",
                         "\"params\":\"70e6\",\"gpus\":1"};
    int height = 0;
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(now); i++) {
        struct page *p =
            moved("\"kind\":\"ledger\",\"unit\":\"GB\",\"limit\":\"80GB\",", start, now[i], "");
        char *text = page_to_text(p);
        if (i == 0) height = page_height(p);
        assert_int_equal(page_height(p), height);
        assert_non_null(strstr(text, "master"));
        assert_int_equal(strstr(text, "+ parts too thin to draw") != NULL, i == 2);
        free(text);
        page_free(p);
    }
}

/* The row of the axis with its numbers; the caller's. */
static char *axis_of(const struct page *p) {
    for (int row = 0; row + 1 < page_height(p); row++) {
        char *rule = sheet_row(p, row), *marks = sheet_row(p, row + 1);
        bool found = strstr(rule, "┼") != NULL;
        char *both = found ? base_format("%s\n%s", rule, marks) : NULL;
        free(rule);
        free(marks);
        if (found) return both;
    }
    fail_msg("there is no axis");
    return NULL;
}

static int accents_of(const struct page *p) {
    int count = 0;
    for (int row = 0; row < page_height(p); row++)
        for (int c = 0; c < 80; c++) count += page_cell(p, row, c)->role == PAGE_ACCENT;
    return count;
}

#define XL    "\"model\":\"gpt2-xl\",\"seq\":1024,\"batch\":"
#define LLAMA "\"model\":\"llama-2-7b\",\"gpus\":8,\"gpu\":\"a100-80g\",\"batch\":1,\"seq\":2048,"

/* Towers and timelines keep their axis and its numbers whatever the sliders do, and nothing passes
 * its end; only what changed stands out. */
static void other_axes_stay(void **state) {
    static const struct {
        const char *head, *start, *now[3], *tail;
    } rows[] = {
        {"\"kind\":\"tower\",\"bars\":[{\"label\":\"held\",",
         XL "4",
         {XL "1", XL "16", XL "4"},
         "}]"},
        {"\"kind\":\"tower\",\"limit\":\"a100-40g\",\"bars\":[{\"label\":\"held\",",
         XL "4",
         {XL "1", XL "16", XL "4"},
         "}]"},
        {"\"kind\":\"timeline\",",
         LLAMA "\"stage\":3",
         {LLAMA "\"stage\":0", LLAMA "\"stage\":2,\"accumulate\":8", LLAMA "\"stage\":3"},
         ""},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct page *first = moved(rows[i].head, rows[i].start, rows[i].start, rows[i].tail);
        char *axis = axis_of(first);
        for (size_t k = 0; k < BASE_COUNT(rows[i].now); k++) {
            struct page *p = moved(rows[i].head, rows[i].start, rows[i].now[k], rows[i].tail);
            char *now = axis_of(p);
            assert_string_equal(now, axis);
            assert_int_equal(accents_of(p) > 0, k < 2);
            for (int row = 0; row < page_height(p); row++)
                assert_string_equal(page_cell(p, row, 79)->text, " ");
            free(now);
            page_free(p);
        }
        free(axis);
        page_free(first);
    }
}

static int fills_in(const char *row) {
    int n = 0;
    for (const char *at = row; (at = strstr(at, "▓")); at++) n++;
    return n;
}

/* Accumulation does not change what stage 0 sends: its bar stays as it is, beside ones that grow.
 * The axis has room for all that this slider reaches; what goes further is cut. */
static void traffic_keeps_its_scale(void **state) {
    static const char *const micros[] = {"1", "2", "4", "8", "16"};
    char *first = NULL, *still = NULL;
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(micros); i++) {
        char *now = base_format("\"params\":7e9,\"gpus\":8,\"accumulate\":%s", micros[i]);
        struct page *p = moved("\"kind\":\"traffic\",", "\"params\":7e9,\"gpus\":8", now,
                               ",\"stages\":[0,1,2,3],\"range\":{\"accumulate\":[1,8]}");
        char *row = sheet_row(p, 1), *last = sheet_row(p, 4), *axis = sheet_row(p, 5);
        if (i == 0) first = base_dup(row);
        if (i == 0) still = base_dup(axis);
        assert_true(fills_in(row) > 0);
        assert_int_equal(fills_in(row), fills_in(first));
        assert_non_null(strstr(axis, "├──"));
        assert_string_equal(axis, still);
        assert_int_equal(strstr(last, "▸") != NULL, i == 4);
        assert_int_equal(accents_of(p) > 0, i > 0);
        free(axis);
        free(last);
        free(row);
        page_free(p);
        free(now);
    }
    free(still);
    free(first);
}

/* Units of the bar in a row. */
static int length_of(const struct page *p, int row, int unit) {
    struct bar b = {0};
    int units = 0;
    for (int column = 0; column < page_width(p); column++)
        read_cell(page_cell(p, row, column), unit, &b);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) units += b.units[c];
    return units;
}

/* Stages 0, 1 and 2 send the same, by one collective or by two, and their bars say so. */
static void equal_traffic_is_equally_long(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(showings); i++)
        for (int gpus = 2; gpus <= 128; gpus++) {
            char *text = base_format("{\"kind\":\"traffic\",\"stages\":[0,1,2,3],\"training\":{"
                                     "\"params\":7e9,\"gpus\":%d},\"still\":{\"params\":13e9,"
                                     "\"gpus\":8}}",
                                     gpus);
            json_t *spec = json_loads(text, 0, NULL);
            struct page *p = page_new(80, showings[i].ascii);
            page_set_colours(p, showings[i].colours);
            assert_true(page_figure(p, (struct page_flow){.width = 80}, spec, NULL));
            for (int stage = 1; stage <= 2; stage++)
                if (length_of(p, 1 + stage, showings[i].unit) != length_of(p, 1, showings[i].unit))
                    fail_msg("stages 0 and %d on %d GPUs, showing %zu", stage, gpus, i);
            assert_true(length_of(p, 1, showings[i].unit) > 0);
            json_decref(spec);
            page_free(p);
            free(text);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_still_ledger_keeps_its_axis),
        cmocka_unit_test(a_ledger_begins_whole),
        cmocka_unit_test(a_still_ledger_keeps_its_rows),
        cmocka_unit_test(shards_fly_apart),
        cmocka_unit_test(shards_come_together),
        cmocka_unit_test(nothing_else_flies),
        cmocka_unit_test(other_axes_stay),
        cmocka_unit_test(traffic_keeps_its_scale),
        cmocka_unit_test(equal_traffic_is_equally_long),
        cmocka_unit_test(every_part_is_seen),
        cmocka_unit_test(equal_values_have_equal_lengths),
        cmocka_unit_test(bars_end_where_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
