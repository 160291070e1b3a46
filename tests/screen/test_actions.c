/* Which keys exist in a view: as many things may hold of it as an action can name. */
#include "screen/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static struct view_states held;

static void state_of(const struct view *v, struct view_states *s) {
    (void)v;
    for (size_t i = VIEW_OWN; i < BASE_COUNT(held.is); i++) s->is[i] = held.is[i];
}

static unsigned nothing(struct view *v, const struct key *k) {
    (void)v, (void)k;
    return VIEW_HANDLED;
}

/* Each action has the same key, so the one that is found is the first that exists. */
static void each_action_exists_while_its_own_state_holds(void **state) {
    static struct action actions[BASE_COUNT(held.is) - VIEW_OWN];
    const struct view_operations does = {
        .actions = actions, .count = BASE_COUNT(actions), .state = state_of};
    struct view v = {.does = &does};
    const struct key k = {.code = 'x', .target = -1};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(actions); i++)
        actions[i] = (struct action){"it", "x", (unsigned char)(VIEW_OWN + i), nothing, ""};
    for (size_t i = 0; i < BASE_COUNT(actions); i++) {
        held.is[VIEW_OWN + i] = true;
        assert_ptr_equal(screen_actions_find(&v, &k), &actions[i]);
        held.is[VIEW_OWN + i] = false;
    }
    assert_null(screen_actions_find(&v, &k));
}

/* A range in the key line is no key: a click on "0–4" would answer 0 or 4. */
static void a_range_cannot_be_clicked(void **state) {
    static const struct action actions[] = {
        {"next", "Enter", VIEW_ALWAYS, nothing, ""},
        {"answer", "0 1 2 3 4", VIEW_ALWAYS, NULL, ""},
        {"step", "Left Right", VIEW_ALWAYS, NULL, ""},
    };
    static const struct {
        int column;
        uint32_t press;
    } clicks[] = {{1, PRESS_ENTER},  {5, PRESS_ENTER}, {9, PRESS_NONE},  {10, PRESS_NONE},
                  {11, PRESS_NONE},  {12, PRESS_NONE}, {16, PRESS_NONE}, {21, PRESS_LEFT},
                  {23, PRESS_RIGHT}, {26, PRESS_RIGHT}};
    const struct view_operations does = {
        .actions = actions, .count = BASE_COUNT(actions), .state = state_of};
    struct app app = {0};
    struct view v = {.does = &does, .app = &app};
    struct frame *f = screen_frame_new(80, 24, false, FRAME_ALONE);
    (void)state;
    screen_actions_draw(&v, f);
    for (size_t i = 0; i < BASE_COUNT(clicks); i++) {
        const struct zone *z = screen_frame_zone_at(f, 23, clicks[i].column);
        assert_int_equal(z ? z->press : PRESS_NONE, clicks[i].press);
    }
    screen_frame_free(f);
}

static void read_now(const struct view *v, struct view_states *s) {
    (void)v;
    s->is[VIEW_READING] = true;
}

static char *last_row(struct view *v) {
    struct frame *f = screen_frame_new(80, 24, false, FRAME_ALONE);
    screen_actions_draw(v, f);
    char *text = page_to_text(f->page);
    screen_frame_free(f);
    return text;
}

/* A key that only the help names makes the key line say that there are more. */
static void the_line_says_that_there_are_more(void **state) {
    static const struct action actions[] = {{"next", "Enter", VIEW_ALWAYS, nothing, ""},
                                            {NULL, "F11", VIEW_ALWAYS, nothing, ""}};
    struct app app = {0};
    (void)state;
    for (size_t count = 1; count <= BASE_COUNT(actions); count++) {
        const struct view_operations does = {.actions = actions, .count = count, .state = read_now};
        struct view v = {.does = &does, .app = &app};
        char *row = last_row(&v);
        assert_non_null(strstr(row, count == 1 ? "? help" : "? more"));
        free(row);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_cannot_be_clicked),
        cmocka_unit_test(the_line_says_that_there_are_more),
        cmocka_unit_test(each_action_exists_while_its_own_state_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
