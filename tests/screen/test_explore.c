/* Sliders of the course: wherever they are moved, the axis and the columns of their figure keep
 * their place, and their step still fits on a screen of 80×24. */
#include "place.h"
#include "page/page.h"
#include "session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

struct size {
    int width, thick;
};
static const struct size sizes[] = {{60, 1}, {80, 1}, {110, 5}};

static struct page *drawn(const json_t *spec, struct size size) {
    struct base_message m = {0};
    struct page *p = page_new(size.width, false);
    page_set_colours(p, 256);
    page_set_thick(p, size.thick);
    if (!page_figure(p, (struct page_flow){.indent = 1, .width = size.width - 2}, spec, &m))
        fail_msg("%s", m.what);
    return p;
}

/* The column of the limit's line, or -1. */
static int limit_of(const struct page *p) {
    for (int row = 0; row < page_height(p); row++)
        for (int c = 0; c < page_width(p); c++)
            if (strcmp(page_cell(p, row, c)->text, "┆") == 0) return c;
    return -1;
}

/* The parts that must not move: the limit's line and the axis with its numbers; in a ledger, which
 * has numbers next to its bars, also the rule above its sum and the number of rows. The caller's.
 */
static char *still_of(const json_t *spec, struct size size) {
    bool ledger = strcmp(base_json_text(spec, "kind", ""), "ledger") == 0;
    struct base_text t = {0};
    struct page *p = drawn(spec, size);
    char *text = page_to_text(p), *rest = text, *line;
    base_text_printf(&t, "%d rows, limit at %d\n", ledger ? page_height(p) : 0, limit_of(p));
    while ((line = strsep(&rest, "\n"))) {
        bool axis = strstr(line, "┼"), rule = ledger && strstr(line, "────");
        if (axis || rule) base_text_printf(&t, "%s\n", line);
        if (axis && rest) base_text_printf(&t, "%.*s\n", (int)strcspn(rest, "\n"), rest);
    }
    free(text);
    page_free(p);
    return base_text_take(&t);
}

/* ── moving ────────────────────────────────────────────────────────────────────────────────────*/
/* The last figure that the session tells, the caller's; NULL if there is none. */
static json_t *figure_of(struct session *s) {
    const struct lesson_event *e;
    json_t *figure = NULL;
    while ((e = session_event(s))) {
        if (!e->figure) continue;
        json_decref(figure);
        figure = json_incref((json_t *)e->figure);
    }
    return figure;
}

/* The rows of a lesson's page and what is asked, at 80×24. */
enum { ROWS = 20 };

/* The rows, at 80 columns, of all that a step just entered says next to its figure, each part with
 * the gap after it. The figure is the caller's. */
static int rows_told(struct session *s, json_t **figure) {
    const struct lesson_event *e;
    int rows = 0;
    *figure = NULL;
    while ((e = session_event(s))) {
        struct page *p = page_new(80, false);
        struct page_flow flow = {.indent = 1, .width = 78};
        if (e->kind == LESSON_STEP && e->title) page_text(p, flow, e->title);
        if (e->kind == LESSON_SHOW && e->text) page_markdown(p, flow, e->text);
        if (page_height(p)) rows += page_height(p) + 1;
        if (e->kind == LESSON_ASK && e->ask) rows += (int)e->ask->sliders;
        page_free(p);
        if (e->figure) json_decref(*figure), *figure = json_incref((json_t *)e->figure);
    }
    return rows;
}

/* A planner's path may leave no room for the step's words; it fits with its heading. */
static void check_fits(const json_t *figure, const char *where, int told, int sliders) {
    struct page *p = drawn(figure, (struct size){80, 1});
    bool path = strcmp(base_json_text(figure, "kind", ""), "tree") == 0;
    int rows = page_height(p) + 1 + (path ? sliders : told);
    if (rows > ROWS)
        fail_msg("%s takes %d of %d rows at 80×24:\n%s", where, rows, ROWS, page_to_text(p));
    page_free(p);
}

static const struct lesson_ask *asked_of(struct session *s) {
    return lesson_asked(session_dialogue(s));
}

/* Moves all sliders to combination `number` of their places. The figure there; NULL if it cannot be
 * computed, or is the same. */
static json_t *move_to(struct session *s, size_t number) {
    json_t *figure = NULL;
    for (size_t i = 0; i < asked_of(s)->sliders; i++) {
        const struct lesson_slider *slider = &asked_of(s)->slider[i];
        size_t to = number % slider->count;
        number /= slider->count;
        int by = (int)to - (int)slider->position;
        if (!by) continue;
        session_do(s, &(struct lesson_action){.kind = LESSON_DO_MOVE, .index = i, .by = by});
        json_t *next = figure_of(s);
        if (!next) continue;
        json_decref(figure);
        figure = next;
    }
    return figure;
}

static void check(const json_t *figure, const char *where, char *const *still) {
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        char *now = still_of(figure, sizes[i]);
        if (strcmp(now, still[i]) != 0) {
            struct page *p = drawn(figure, sizes[i]);
            fail_msg("%s at %d columns had\n%s\nand has\n%s\n%s", where, sizes[i].width, still[i],
                     now, page_to_text(p));
        }
        free(now);
    }
}

static size_t move_through(struct session *s, const char *where) {
    char *still[BASE_COUNT(sizes)];
    size_t places = 1, seen = 0;
    json_t *figure;
    int told = rows_told(s, &figure);
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) still[i] = still_of(figure, sizes[i]);
    json_decref(figure);
    for (size_t i = 0; i < asked_of(s)->sliders; i++) places *= asked_of(s)->slider[i].count;
    for (size_t k = 0; k < places; k++) {
        figure = move_to(s, k);
        if (figure) {
            check(figure, where, still);
            check_fits(figure, where, told, (int)asked_of(s)->sliders);
            seen++;
        }
        json_decref(figure);
    }
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) free(still[i]);
    return seen;
}

static size_t walk(struct learner *who, const char *lesson) {
    struct base_message m = {0};
    struct session *s = session_open(who, lesson, &m);
    size_t seen = 0;
    if (!s) fail_msg("%s: %s", lesson, m.what);
    for (size_t i = 0; i < lesson_steps(session_lesson(s)); i++) {
        const json_t *step = lesson_step(session_lesson(s), i);
        const char *id = base_json_text(step, "id", "");
        if (strcmp(base_json_text(step, "kind", ""), "explore") != 0) continue;
        json_decref(figure_of(s));
        session_do(s, &(struct lesson_action){.kind = LESSON_DO_GOTO, .text = id});
        seen += move_through(s, lesson);
    }
    session_close(s);
    return seen;
}

static void axes_stay_where_they_are(void **state) {
    (void)state;
    struct base_message m = {0};
    struct learner *who = session_learner_open(NULL, &m);
    const struct lesson_course *c = session_learner_course(who);
    size_t seen = 0;
    for (size_t i = 0; i < c->lessons; i++) seen += walk(who, c->lesson[i].id);
    print_message("%zu places\n", seen);
    assert_true(seen > 700);
    session_learner_close(who);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(axes_stay_where_they_are, place_open_course, place_close)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
