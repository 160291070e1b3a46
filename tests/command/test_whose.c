/* whose: which recipe, stage, unit or mistake makes a number; exit 1 where nothing does. */
#include "session/school.h"

#include "command/page.h"
#include "command/run.h"

/* Whether some match is this recipe and stage, right, in this unit. */
static bool has_right(const json_t *json, const char *recipe, int64_t stage, const char *unit) {
    const json_t *match;
    size_t i;
    json_array_foreach(json_object_get(json, "matches"), i,
                       match) if (strcmp(base_json_text(match, "recipe", ""), recipe) == 0 &&
                                  base_json_int(match, "stage", -1) == stage &&
                                  strcmp(base_json_text(match, "unit", ""), unit) == 0 &&
                                  json_is_null(json_object_get(match, "mistake"))) return true;
    return false;
}

static void members_are_those_of_the_contract(void **state) {
    (void)state;
    json_t *json = page_json("whose 16.6GB --params 7.5e9 --gpus 64", 0);
    page_has(json, "number training matches");
    page_has(page_item(json, "matches", 0), "recipe stage unit mistake value working");
    json_decref(json);
}

/* The ZeRO paper's figure 1, and the same bytes as a binary unit prints them. */
static void numbers_find_their_owners(void **state) {
    static const struct {
        const char *number, *recipe, *unit;
        int64_t stage;
    } cases[] = {
        {"120GB", "paper", "GB", 0}, {"31.4GB", "paper", "GB", 1},     {"16.6GB", "paper", "GB", 2},
        {"1.9GB", "paper", "GB", 3}, {"111.76GiB", "paper", "GiB", 0},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char *line = base_format("whose %s --params 7.5e9 --gpus 64", cases[i].number);
        json_t *json = page_json(line, 0);
        if (!has_right(json, cases[i].recipe, cases[i].stage, cases[i].unit))
            fail_msg("%s is not found under %s, stage %lld", line, cases[i].recipe,
                     (long long)cases[i].stage);
        json_decref(json);
        free(line);
    }
}

/* 90 GB: 12 bytes a parameter, without the fp32 master copy. */
static void a_mistake_owns_its_number(void **state) {
    (void)state;
    json_t *json = page_json("whose 90GB --params 7.5e9 --gpus 64", 0), *match;
    bool found = false;
    size_t i;
    json_array_foreach(json_object_get(json, "matches"), i, match) found =
        found || strcmp(base_json_text(match, "mistake", ""), "no-master") == 0;
    assert_true(found);
    json_decref(json);
}

static void what_nobody_says_ends_with_one(void **state) {
    (void)state;
    json_t *json = page_json("whose 3141.59265TB --params 7.5e9 --gpus 64", 1);
    assert_int_equal(json_array_size(json_object_get(json, "matches")), 0);
    json_decref(json);
    struct run r = run_line("whose 3141592TB --params 7.5e9 --gpus 64", NULL);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.out, "No match"));
    assert_string_equal(r.err, "");
    run_free(&r);
}

static void pages_read_as_before(void **state) {
    (void)state;
    page_is("whose", "whose 17.1GB --params 7.5e9 --gpus 64");
    page_is("whose-words", "whose 31.4GB --params 7.5e9 --gpus 64 --words");
    page_is("whose-ascii", "whose 16.6GB --params 7.5e9 --gpus 64 --ascii");
    page_is("whose-nobody", "whose 3141592TB --params 7.5e9 --gpus 64");
    page_is_wide("whose", "whose 16.6GB --params 7.5e9 --gpus 64");
}

static void bad_words_are_refused(void **state) {
    static const char *const lines[] = {"whose", "whose lots --params 7e9", "whose 17GB",
                                        "whose '' --params 7e9"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        struct run r = run_line(lines[i], NULL);
        if (r.status != 2 || *r.out || strncmp(r.err, "zerotutor: ", 11) != 0)
            fail_msg("%s: status %d, \"%s\", \"%s\"", lines[i], r.status, r.err, r.out);
        run_free(&r);
    }
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(members_are_those_of_the_contract),
        IN_SCHOOL(numbers_find_their_owners),
        IN_SCHOOL(a_mistake_owns_its_number),
        IN_SCHOOL(what_nobody_says_ends_with_one),
        IN_SCHOOL(pages_read_as_before),
        IN_SCHOOL(bad_words_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
