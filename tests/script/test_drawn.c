/* Several calls at a time: what they give is what each gives alone, although those that draw the
 * same numbers run once. A lesson that keeps something between its calls is not believed. */
#include "script/opening.h"

#include "script/drawn.h"

#include <stdlib.h>

enum { CALLS = 32, ROUNDS = 20 };

/* The same values as one by one, in a worker that has only just begun. */
static void assert_as_alone(const char *text, bool same) {
    struct script *s = opening_good(text), *other = opening_good(text);
    struct script_call call[CALLS];
    json_t *value[CALLS];
    bool alike = true;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < CALLS; i++)
            call[i] = (struct script_call){1, (uint64_t)round * CALLS + i};
        assert_int_equal(script_calls(s, call, CALLS, value), CALLS);
        for (size_t i = 0; i < CALLS; i++) {
            json_t *alone = opening_call(other, 1, call[i].seed);
            alike = alike && json_equal(alone, value[i]);
            json_decref(alone);
            json_decref(value[i]);
        }
    }
    assert_int_equal(alike, same);
    script_close(other);
    script_close(s);
}

static void calls_give_what_each_gives_alone(void **state) {
    static const char *const bodies[] = {
        "return { ask = 'a' .. r:int(1, 6), items = { 'x', 'y' } }",
        /* how many numbers it asks for hangs on the first */
        "local t = {} for i = 1, r:int(1, 5) do t[i] = 'i' .. i .. r:int(1, i) end t[#t + 1] = 'z'"
        " return { ask = 'a', items = t }",
        "return { ask = r:chance(0.5) and 'a' or 'b', items = r:shuffle { 'x', 'y', 'z' } }",
        "return { ask = 'a', items = { 'x', 'y' } }",
        /* more numbers than are noted */
        "local n = 0 for i = 1, 100 do n = n + r:int(0, 1) end"
        " return { ask = 'a' .. n, items = { 'x', 'y' } }",
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(bodies); i++) {
        char *text = opening_with_vary("order", bodies[i]);
        assert_as_alone(text, true);
        free(text);
    }
}

/* Its first source, used in later calls, gives what no seed of theirs says. */
static void a_source_of_an_earlier_call_is_seen(void **state) {
    (void)state;
    char *text = opening_with_vary(
        "order",
        "keep = keep or r return { ask = 'a' .. keep:int(1, 1000), items = { 'x', 'y' } }");
    assert_as_alone(text, true);
    free(text);
}

/* It counts: the same numbers give two things, and then nothing that it gave is told again. */
static void what_gives_two_things_is_run_each_time(void **state) {
    (void)state;
    char *text = opening_with_vary(
        "order",
        "n = (n or 0) + 1 r:int(1, 2) return { ask = 'a' .. n // 9, items = { 'x', 'y' } }");
    struct script *s = opening_good(text);
    const char *last = "";
    char said[CALLS][16];
    for (size_t round = 0; round < CALLS; round++) {
        struct script_call call[CALLS];
        json_t *value[CALLS];
        for (size_t i = 0; i < CALLS; i++) call[i] = (struct script_call){1, i};
        assert_int_equal(script_calls(s, call, CALLS, value), CALLS);
        snprintf(said[round], sizeof said[round], "%s", base_json_text(value[0], "ask", ""));
        if (round > 1) assert_string_not_equal(said[round], last);
        last = said[round];
        for (size_t i = 0; i < CALLS; i++) json_decref(value[i]);
    }
    script_close(s);
    free(text);
}

/* What a worker of others says that it drew is not believed either. */
static void draws_that_contradict_each_other_are_seen(void **state) {
    (void)state;
    static const char *const later[] = {"[3]", "[2,2]", "[]", "[2]"};
    for (size_t i = 0; i < BASE_COUNT(later); i++) {
        struct script_drawn *d = script_drawn_new();
        json_t *first = json_loads("[2]", 0, NULL), *then = json_loads(later[i], 0, NULL);
        json_t *value = json_string("a"), *other = json_string("b");
        script_drawn_learn(d, 1, 7, first, value);
        assert_ptr_equal(script_drawn_find(d, 1, 7), value);
        assert_null(script_drawn_find(d, 2, 7));
        script_drawn_learn(d, 1, 7, then, other);
        assert_null(script_drawn_find(d, 1, 7));
        json_decref(first);
        json_decref(then);
        json_decref(value);
        json_decref(other);
        script_drawn_free(d);
    }
    struct script_drawn *d = script_drawn_new();
    json_t *value = json_string("a"), *wrong = json_loads("[0, -1, 1.5, null]", 0, NULL);
    for (int fn = 0; fn < 100000; fn++) script_drawn_learn(d, fn, 7, wrong, value);
    json_decref(wrong);
    json_decref(value);
    script_drawn_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_give_what_each_gives_alone),
        cmocka_unit_test(a_source_of_an_earlier_call_is_seen),
        cmocka_unit_test(what_gives_two_things_is_run_each_time),
        cmocka_unit_test(draws_that_contradict_each_other_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
