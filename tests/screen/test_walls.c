/* What is on the wall: every slide of every lesson, as small as a wall may be and larger, before
 * and after the teacher shows the answer, with two rounds of votes. Nothing scrolls, bars are three
 * rows thick, each wall has one sentence and one figure at most. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "screen/present.h"
#include "screen/screen.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { THICK = 3 };
/* Of a terminal of 60×18, 80×24 and 120×40, without title and foot. */
static const struct wall { int columns, rows; } sizes[] = {{60, 15}, {80, 21}, {110, 37}};
enum shows { ALONE, ANSWERED, VOTED, BOTH };

static bool is_filled(const struct page *p, int row, int column) {
    const struct page_cell *c = page_cell(p, row, column);
    bool votes = (c->role == PAGE_DIM && strcmp(c->text, "░") == 0) ||
                 (c->role == PAGE_ACCENT && strcmp(c->text, "█") == 0);
    return votes || (c->role >= PAGE_CATEGORY && strcmp(c->text, " ") != 0);
}

static bool same_cell(const struct page *p, int a, int b, int column) {
    const struct page_cell *x = page_cell(p, a, column), *y = page_cell(p, b, column);
    return x->role == y->role && strcmp(x->text, y->text) == 0;
}

/* A legend's sign has its name behind it. */
static bool is_bar(const struct page *p, int row, int column) {
    bool sign = strcmp(page_cell(p, row, column + 1)->text, " ") == 0 &&
                isalpha((unsigned char)page_cell(p, row, column + 2)->text[0]);
    return is_filled(p, row, column) && !sign;
}

static bool has_bar(const struct page *p, int row) {
    for (int c = 0; c < page_width(p); c++)
        if (is_bar(p, row, c)) return true;
    return false;
}

static bool same_bars(const struct page *p, int a, int b) {
    for (int c = 0; c < page_width(p); c++) {
        if (is_bar(p, a, c) != is_bar(p, b, c)) return false;
        if (is_bar(p, a, c) && !same_cell(p, a, b, c)) return false;
    }
    return true;
}

static int wrong;
static void complain(const struct session_slide *s, struct wall size, enum shows shows, int wall,
                     const char *what) {
    print_error("%s at %d×%d, way %d, wall %d: %s\n", s->item, size.columns, size.rows, shows,
                wall + 1, what);
    wrong++;
}

static bool has_thin_bar(const struct page *p, int first, int rows) {
    for (int row = first, next; row < first + rows; row = next) {
        for (next = row + 1; next < first + rows && same_bars(p, row, next);) next++;
        if (has_bar(p, row) && next - row < THICK) return true;
    }
    return false;
}

static char *text_of(const struct page *p, int first, int rows) {
    struct base_text t = {0};
    for (int row = first; row < first + rows; row++)
        for (int c = 0; c < page_width(p); c++) base_text_puts(&t, page_cell(p, row, c)->text);
    return base_text_take(&t);
}

/* Sentences that end in a text without lists, tables and the like. */
static int count_sentences(const char *text) {
    int n = 0;
    if (strstr(text, "\n- ") || strchr("-|>`1", *text)) return 1;
    const char *end = strstr(text, "\n\n");
    for (const char *c = text; *c && c != end; c++)
        n += strchr(".?!", *c) && (!c[1] || isspace((unsigned char)c[1])) && c > text + 8;
    return n;
}

static struct present_walls lay_out(const struct session_slide *s, struct wall size,
                                    enum shows shows) {
    struct session_bars bars = {.bars = s->options, .name = {"alone", "after talking"}};
    bool voted = shows == VOTED || shows == BOTH, answer = shows == ANSWERED || shows == BOTH;
    for (size_t i = 0; i < s->options; i++) {
        bars.label[i] = s->option[i];
        bars.count[0][i] = bars.count[1][s->options - 1 - i] = 4 + 3 * (int)i;
        bars.of[0][i] = bars.of[1][i] = 28;
    }
    if (answer) bars.right = s->right;
    struct present_drawing d = {.thick = THICK, .rows = size.rows, .wall = true, .numbered = true};
    d.text = voted ? s->question : s->text;
    d.figure = voted ? NULL : s->figure;
    d.bars = s->options ? &bars : NULL;
    d.rounds = voted ? CLASSROOM_ROUNDS : 0;
    d.answer = answer ? s->answer : NULL;
    d.after = answer ? s->after : NULL;
    return screen_present_walls(d, voted ? NULL : s->terse, answer ? s->gist : NULL, size.columns,
                                false, 256);
}

/* Votes are, and figures of amounts; a play or a map has cells of its own. */
static bool is_drawn_in_bars(const struct session_slide *s, enum shows shows) {
    const json_t *figure = shows == ANSWERED ? s->after : s->figure;
    return shows >= VOTED || !figure || page_figure_has_bars(figure);
}

/* Whoever sees only this piece knows which bars are from before the talk. */
static bool has_bars_without_names(const struct present_walls *w, int i, enum shows shows,
                                   const char *text) {
    bool bars = false;
    for (int row = w->first[i]; row < w->first[i] + w->rows[i]; row++)
        bars = bars || has_bar(w->page, row);
    char *above = w->above[i] < 0 ? base_dup("") : text_of(w->page, w->above[i], 1);
    bool named =
        strstr(text, "alone") || (strstr(above, "alone") && strstr(above, "after talking"));
    free(above);
    return shows >= VOTED && bars && !named;
}

static void check(const struct session_slide *s, struct wall size, enum shows shows) {
    struct present_walls w = lay_out(s, size, shows);
    bool answer = shows == ANSWERED || shows == BOTH;
    assert_in_range(w.count, 1, PRESENT_WALLS - 1);
    for (int i = 0, row = 0; i < w.count; i++) {
        char *before = text_of(w.page, row, w.first[i] - row),
             *text = text_of(w.page, w.first[i], w.rows[i]);
        if (w.rows[i] + (w.above[i] >= 0) > size.rows)
            complain(s, size, shows, i, "it does not fit");
        if (has_bars_without_names(&w, i, shows, text))
            complain(s, size, shows, i, "bars of rounds without their names");
        if (w.rows[i] < 1 || strspn(text, " ") == strlen(text))
            complain(s, size, shows, i, "empty");
        if (strspn(before, " ") != strlen(before)) complain(s, size, shows, i, "rows are lost");
        if (s->options && !answer && strstr(text, "✓")) complain(s, size, shows, i, "an answer");
        if (is_drawn_in_bars(s, shows) && has_thin_bar(w.page, w.first[i], w.rows[i]))
            complain(s, size, shows, i, "thin bars");
        row = w.first[i] + w.rows[i];
        free(before);
        free(text);
    }
    page_free(w.page);
}

/* Each slide before its answer is shown, with it, and with two rounds of votes. */
static void check_slide(const struct session_slide *s) {
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        check(s, sizes[i], ALONE);
        if (s->answer || s->after) check(s, sizes[i], ANSWERED);
        if (s->options >= 2) check(s, sizes[i], VOTED);
        if (s->options >= 2) check(s, sizes[i], BOTH);
    }
    bool plays = strcmp(base_json_text(s->figure, "kind", ""), "play") == 0;
    if (s->figure && !s->options && !plays && !s->answer && count_sentences(s->text) != 1)
        complain(s, sizes[0], ALONE, 0, s->text);
}

static void every_slide_is_on_walls_that_can_be_read_from_afar(void **state) {
    (void)state;
    json_t *course = base_json_read_file("lessons/course.json", NULL);
    const json_t *phase, *lesson;
    size_t p, i, slides = 0;
    json_array_foreach(json_object_get(course, "phases"), p, phase) {
        json_array_foreach(json_object_get(phase, "lessons"), i, lesson) {
            struct base_message m = {0};
            if (!*base_json_text(lesson, "file", "")) continue;
            struct session_slides *all = session_slides_open(base_json_text(lesson, "id", ""), &m);
            assert_non_null(all);
            for (size_t k = 0; k < session_slides_count(all); k++)
                check_slide(session_slides_at(all, k));
            slides += session_slides_count(all);
            session_slides_close(all);
        }
    }
    json_decref(course);
    assert_true(slides > 200);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_slide_is_on_walls_that_can_be_read_from_afar),
    };
    return cmocka_run_group_tests_name("walls", tests, NULL, NULL);
}
