/* Several hand-ins of one account are one learner. */
#include "session/grade.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ada has two, and one that was refused between them; their first item is in both. */
static const char handins[] =
    "[{'account':'ada','handin':'0a','answers':3,'last':90,'listed':[{'kind':'twice','says':'x'}],"
    "'items':[{'item':'1.1/a','time':50,'points':0.0,'right':false,'tries':2,'missing':0},"
    "         {'item':'1.1/b','time':90,'points':1.0,'right':true,'tries':1,'missing':0}]},"
    "{'account':'ada','handin':'0b','listed':[{'kind':'head','says':'y'}]},"
    "{'account':'ada','handin':'0c','with':'eve','answers':2,'last':80,'listed':[],"
    "'items':[{'item':'1.2/c','time':70,'points':0.5,'right':true,'tries':1,'missing':0},"
    "         {'item':'1.1/a','time':80,'points':1.0,'right':true,'tries':1,'missing':1}]},"
    "{'account':'bob','handin':'0d','listed':[]},"
    "{'account':'bob','handin':'0e','answers':1,'last':5,'listed':[],"
    "'items':[{'item':'1.1/a','time':5,'points':1.0,'right':true,'tries':1,'missing':0}]}]";

static json_t *together(enum classroom_counts counts) {
    struct classroom_settings s = {.counts = counts};
    char *text = base_dup(handins);
    for (char *c = text; *c; c++) *c = *c == '\'' ? '"' : *c;
    json_t *all = json_loads(text, 0, NULL), *out;
    assert_non_null(all);
    out = session_together(&s, all);
    json_decref(all);
    free(text);
    return out;
}

static double points_of(const json_t *learner, size_t item) {
    return base_json_number(json_array_get(json_object_get(learner, "items"), item), "points", -1);
}

static void an_account_is_one_learner(void **state) {
    (void)state;
    json_t *all = together(CLASSROOM_FIRST), *ada = json_array_get(all, 0),
           *bob = json_array_get(all, 1), *items = json_object_get(ada, "items");
    assert_int_equal(json_array_size(all), 2);
    assert_string_equal(session_grades_handin(ada, 0), "0a");
    assert_string_equal(session_grades_handin(ada, 1), "0c");
    assert_null(session_grades_handin(ada, 2));
    assert_int_equal(json_array_size(items), 3);
    assert_int_equal(base_json_int(ada, "answers", 0), 5);
    assert_int_equal(base_json_int(ada, "last", 0), 90);
    assert_string_equal(base_json_text(ada, "with", ""), "eve");
    assert_int_equal(json_array_size(json_object_get(ada, "listed")), 2);
    assert_int_equal(base_json_int(json_array_get(items, 0), "tries", 0), 3);
    assert_int_equal(base_json_int(json_array_get(items, 0), "missing", 0), 1);
    assert_string_equal(session_grades_handin(bob, 0), "0e");
    assert_null(session_grades_handin(bob, 1));
    assert_true(points_of(bob, 0) == 1);
    json_decref(all);
}

static void the_settings_choose_between_two_answers(void **state) {
    static const double points[] = {
        [CLASSROOM_FIRST] = 0, [CLASSROOM_BEST] = 1, [CLASSROOM_LAST] = 1};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(points); i++) {
        json_t *all = together((enum classroom_counts)i), *ada = json_array_get(all, 0);
        assert_true(points_of(ada, 0) == points[i]);
        assert_true(points_of(ada, 1) == 1 && points_of(ada, 2) == 0.5);
        json_decref(all);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_account_is_one_learner),
        cmocka_unit_test(the_settings_choose_between_two_answers),
    };
    return cmocka_run_group_tests_name("together", tests, NULL, NULL);
}
