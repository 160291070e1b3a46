/* Which keys exist in a view: as many things may hold of it as an action can name. */
#include "screen/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_action_exists_while_its_own_state_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
