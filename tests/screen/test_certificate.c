/* The certificate's screen: it says that it judges all answers before it does, since that takes
 * seconds. */
#include "place.h"

#include "screen/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

/* What is shown in the row above the keys. */
static void assert_says(const struct app *app, const char *says) {
    if (!app->notice || !strstr(app->notice, says))
        fail_msg("\"%s\" is not in: %s", says, app->notice ? app->notice : "nothing");
}

static void it_says_what_it_does_before_it_does_it(void **state) {
    static const struct {
        const char *key, *first, *then;
    } ways[] = {
        {"Enter", "Saving: every answer is judged again.", "Saved: "},
        {"y", "Verifying: every answer is judged again.", " holds: "},
    };
    struct base_message m = {0};
    struct app app = {.make = screen_view_make, .still = true, .voice_sought = true};
    (void)state;
    app.learner = session_learner_open(NULL, &m);
    struct view *v = screen_view_make(&app, &(struct view_request){.kind = VIEW_CERTIFICATE}, &m);
    assert_non_null(v);
    for (size_t i = 0; i < BASE_COUNT(ways); i++) {
        const char *name = ways[i].key;
        const struct key k = {.code = screen_key_named(&name), .target = -1},
                         pace = {.code = PRESS_PACE, .target = -1};
        assert_int_equal(v->does->pace(v), -1);
        assert_int_equal(screen_actions_find(v, &k)->act(v, &k), VIEW_REDRAW);
        assert_says(&app, ways[i].first);
        assert_int_equal(v->does->pace(v), 0);
        assert_int_equal(v->does->tick(v, &pace), VIEW_REDRAW);
        assert_says(&app, ways[i].then);
        assert_int_equal(v->does->tick(v, &pace), VIEW_IGNORED);
    }
    v->does->close(v);
    screen_app_notice(&app, NULL);
    session_learner_close(app.learner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_says_what_it_does_before_it_does_it, place_second_day,
                                        place_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
