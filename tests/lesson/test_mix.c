/* What a check asks: numbers first, and every lesson before any is asked again. */
#include "lesson/fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { LESSONS = 8, SEEDS = 60 };

/* A phase: each lesson's problems by the letters of their forms; and what a check makes of it. */
static const struct phase {
    const char *lesson[LESSONS];
    /* a worksheet is a number where its lesson has no briefer one */
    size_t asked, numbers;
} phases[] = {
    {{"wnnnsn", "ownnnsc", "wnncsnn", "wnnnso"}, 6, 6},
    {{"cwssn", "nocco", "ccnsso", "sonc"}, 6, 4},
    {{"wnnoc", "wnno", "wnns", "wnnc", "nnsc"}, 6, 6},
    {{"wcso", "n", "cwso", "nn"}, 6, 4}, /* one worksheet: two are too long */
    {{"wcsc", "ncso", "nsco"}, 6, 3},
    /* the worksheet too: nothing else is left */
    {{"wnncs"}, 5, 2},
    {{"cso", "scc"}, 6, 0},
    {{"n", "n", "n", "n", "n", "n", "n", "n"}, 6, 6},
};

static const char *form_of(char letter) {
    static const struct {
        char letter;
        const char *form;
    } forms[] = {{'n', "number"}, {'w', "sheet"}, {'c', "choice"}, {'o', "order"}, {'s', "sort"}};
    size_t i = 0;
    while (forms[i].letter != letter) i++;
    return forms[i].form;
}

/* The caller's. */
static struct lesson *lesson(int number, const char *problems) {
    struct base_message m = {0};
    json_t *steps = json_array();
    for (int i = 0; problems[i] != '\0'; i++) {
        char id[] = {'p', (char)('a' + i), '\0'};
        json_array_append_new(steps, json_pack("{ss ss ss s{si}}", "kind", "problem", "id", id,
                                               "form", form_of(problems[i]), "vary", "fn", i));
    }
    char *id = base_format("1.%d", number);
    json_t *json =
        json_pack("{si ss ss so}", "v", 1, "id", id, "title", "A lesson", "steps", steps);
    struct lesson *l = lesson_read(json, "fake.lua", &m);
    if (l == NULL) fail_msg("%s", m.what);
    json_decref(json);
    free(id);
    return l;
}

struct made {
    size_t asked, numbers, of_lesson[LESSONS], numbers_of[LESSONS];
    /* the steps, in their order */
    char *all;
};

static void count_step(struct made *made, const struct phase *p, const json_t *step) {
    const char *id = base_json_text(json_object_get(step, "of"), "id", "1.1");
    const char *form = base_json_text(step, "form", "");
    size_t l = (size_t)(id[2] - '1');
    bool number = strcmp(form, "number") == 0 ||
                  (strcmp(form, "sheet") == 0 && strchr(p->lesson[l], 'n') == NULL);
    made->asked++;
    made->of_lesson[l]++;
    made->numbers += number;
    made->numbers_of[l] += number;
}

/* The caller frees `all`. */
static struct made make(const struct phase *p, uint64_t seed) {
    struct base_message m = {0};
    struct fake_journal journal = {0};
    struct lesson *l[LESSONS];
    struct lesson_mix mix = {.kind = LESSON_CHECK, .id = "1c", .title = "Check", .round = 1};
    for (; mix.lessons < LESSONS && p->lesson[mix.lessons] != NULL; mix.lessons++)
        l[mix.lessons] = lesson((int)mix.lessons + 1, p->lesson[mix.lessons]);
    mix.seed = seed;
    mix.lesson = (const struct lesson *const *)l;
    struct lesson *check = lesson_mix(&mix, fake_journal(&journal), &m);
    if (check == NULL) fail_msg("%s", m.what);
    struct made made = {0};
    struct base_text all = {0};
    for (size_t i = 0; i + 1 < lesson_steps(check); i++) { /* the last is the result */
        count_step(&made, p, lesson_step(check, i));
        base_text_printf(&all, "%s ", base_json_text(lesson_step(check, i), "id", ""));
    }
    made.all = base_text_take(&all);
    lesson_free(check);
    for (size_t i = 0; i < mix.lessons; i++) lesson_free(l[i]);
    fake_journal_free(&journal);
    return made;
}

static void numbers_go_before_the_rest(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(phases); i++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct made made = make(&phases[i], seed);
            if (made.asked != phases[i].asked || made.numbers != phases[i].numbers)
                fail_msg("phase %zu, seed %d: %zu of %zu are numbers: %s", i, (int)seed,
                         made.numbers, made.asked, made.all);
            free(made.all);
        }
    }
}

static bool has_number(const char *problems) {
    return strchr(problems, 'n') != NULL;
}

static void every_lesson_is_asked_for_a_number_before_one_is_again(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(phases); i++) {
        size_t lessons = 0, once = 0;
        struct made made = make(&phases[i], 7);
        for (; lessons < LESSONS && phases[i].lesson[lessons] != NULL; lessons++) {
            size_t of = made.of_lesson[lessons];
            once += of > 0;
            if (of > 0 && has_number(phases[i].lesson[lessons]))
                assert_true(made.numbers_of[lessons] > 0);
        }
        assert_int_equal(once, lessons < made.asked ? lessons : made.asked);
        free(made.all);
    }
}

static void one_seed_always_chooses_alike_and_another_otherwise(void **state) {
    (void)state;
    size_t other = 0;
    for (uint64_t seed = 1; seed < SEEDS; seed++) {
        struct made a = make(&phases[0], seed), b = make(&phases[0], seed);
        struct made c = make(&phases[0], seed + 1);
        assert_string_equal(a.all, b.all);
        other += strcmp(a.all, c.all) != 0;
        free(a.all);
        free(b.all);
        free(c.all);
    }
    assert_true(other > SEEDS / 2);
}

/* What placement says of itself stands on the first problem's page, and nowhere else. */
static void what_opens_it_is_said_once(void **state) {
    (void)state;
    struct base_message m = {0};
    struct fake_journal journal = {0};
    struct lesson *l = lesson(1, "nn");
    const struct lesson *const of[] = {l};
    struct lesson_mix mix = {.kind = LESSON_CHECK,
                             .id = "1c",
                             .title = "Check",
                             .round = 1,
                             .lessons = 1,
                             .lesson = of,
                             .opening = "This places you."};
    struct lesson *check = lesson_mix(&mix, fake_journal(&journal), &m);
    assert_string_equal(base_json_text(lesson_step(check, 0), "opening", ""), "This places you.");
    assert_null(base_json_text(lesson_step(check, 1), "opening", NULL));
    lesson_free(check);
    lesson_free(l);
    fake_journal_free(&journal);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_go_before_the_rest),
        cmocka_unit_test(every_lesson_is_asked_for_a_number_before_one_is_again),
        cmocka_unit_test(one_seed_always_chooses_alike_and_another_otherwise),
        cmocka_unit_test(what_opens_it_is_said_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
