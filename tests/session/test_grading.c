/* A class graded from its hand-ins: what a whole one is worth, by corrected lessons too; each kind
 * of bad one listed precisely, and nobody else's stopped. */
#include "session/graded.h"

#include "hash/hash.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ── whole hand-ins ────────────────────────────────────────────────────────────────────────────*/
static void a_hand_in_is_worth_its_right_answers(void **state) {
    struct room r = open_room(state, true);
    struct pupils_row *row = pupils_answers(pupils, &r.s, "ada", ANSWERS);
    double right = right_firsts(row, ANSWERS);
    hand_in(&r, "ada", row, ANSWERS);
    hand_in_well(&r, "bob");
    json_t *grades = grade_within(&r, NULL), *ada = learner(grades, "ada");
    lists(grades, "ada", "");
    lists(grades, "bob", "");
    assert_true(right > 0 && right < ANSWERS);
    assert_true(points(ada) == right);
    assert_int_equal(base_json_int(ada, "answers", 0), ANSWERS);
    assert_int_equal(base_json_int(grades, "answers", 0), 2 * ANSWERS);
    assert_int_equal(json_array_size(json_object_get(grades, "lessons")), 2);
    pupils_free(row, ANSWERS);
    json_decref(grades);
    classroom_close(r.f);
}

/* ── bad ones ──────────────────────────────────────────────────────────────────────────────────*/
/* Each changes what mal hands in. */
static char *text_of(struct room *r, struct pupils_row *row, size_t *n) {
    return pupils_text(pupils, &r->s, "mal", row, ANSWERS, 1, n);
}

static char *edited(struct room *r, struct pupils_row *row, size_t *n) {
    return replace(text_of(r, row, n), "[10,", "[99,", n);
}

static char *dropped_line(struct room *r, struct pupils_row *row, size_t *n) {
    char *text = text_of(r, row, n), *from = strstr(text, "{\"answer\":[5,");
    char *to = strchr(from, '\n') + 1;
    memmove(from, to, strlen(to) + 1);
    *n = strlen(text);
    return text;
}

static char *torn(struct room *r, struct pupils_row *row, size_t *n) {
    char *text = text_of(r, row, n);
    *n -= 40; /* within the last line */
    return text;
}

static char *newer(struct room *r, struct pupils_row *row, size_t *n) {
    return pupils_text(pupils, &r->s, "mal", row, ANSWERS, 2, n);
}

static char *other_class(struct room *r, struct pupils_row *row, size_t *n) {
    struct classroom_settings other = r->s;
    classroom_random_name(other.id);
    return pupils_text(pupils, &other, "mal", row, ANSWERS, 1, n);
}

/* The head says mal, and the numbers are ada's: the links fit, since mal computes them. */
static char *copied(struct room *r, struct pupils_row *row, size_t *n) {
    struct pupils_row *ada = pupils_answers(pupils, &r->s, "ada", ANSWERS);
    (void)row;
    char *text = pupils_text(pupils, &r->s, "mal", ada, ANSWERS, 1, n);
    pupils_free(ada, ANSWERS);
    return text;
}

static void type_again(struct pupils_row *row, const char *typed) {
    free(row->typed);
    row->typed = base_dup(typed);
    pupils_judge(row);
}

/* What ada typed, to mal's own numbers. */
static char *copied_answers(struct room *r, struct pupils_row *row, size_t *n) {
    struct pupils_row *ada = pupils_answers(pupils, &r->s, "ada", ANSWERS);
    for (size_t i = 0; i < ANSWERS; i++) type_again(&row[i], ada[i].typed);
    pupils_free(ada, ANSWERS);
    return text_of(r, row, n);
}

static char *claims(struct room *r, struct pupils_row *row, size_t *n) {
    type_again(&row[3], "1");
    free(row[3].verdict);
    row[3].verdict = base_dup("right");
    return text_of(r, row, n);
}

static char *other_revision(struct room *r, struct pupils_row *row, size_t *n) {
    char *course = base_dup(pupils_course(pupils));
    pupils_set_course(pupils, "00aa");
    char *text = copied(r, row, n);
    pupils_set_course(pupils, course);
    free(course);
    return text;
}

static char *hasty(struct room *r, struct pupils_row *row, size_t *n) {
    for (size_t i = 0; i < ANSWERS; i++) {
        row[i].seconds = 30;
        row[i].time = r->s.begins;
    }
    return text_of(r, row, n);
}

static char *future(struct room *r, struct pupils_row *row, size_t *n) {
    for (size_t i = 0; i < ANSWERS; i++) row[i].time = base_now() + 5 * HOUR + (int64_t)i * 60;
    return text_of(r, row, n);
}

static char *without_firsts(struct room *r, struct pupils_row *row, size_t *n) {
    for (size_t i = 0; i < ANSWERS; i++) {
        row[i].try++;
        row[i].seed = lesson_seed(classroom_seed(&r->s, "mal"), row[i].item, row[i].try);
    }
    return text_of(r, row, n);
}

static char *no_handin(struct room *r, struct pupils_row *row, size_t *n) {
    (void)r, (void)row;
    static const char junk[] = "[[[[[[[[[[[[\n\x01\x02\n";
    *n = sizeof junk - 1;
    return base_dup(junk);
}

static char *deep(struct room *r, struct pupils_row *row, size_t *n) {
    char *text = text_of(r, row, n);
    char *nest = base_alloc(100001);
    memset(nest, '[', 100000);
    struct base_text t = {0};
    base_text_add(&t, text, *n);
    base_text_puts(&t, nest);
    base_text_puts(&t, "\n");
    free(nest);
    free(text);
    *n = t.length;
    return base_text_take(&t);
}

static const struct bad {
    char *(*text)(struct room *r, struct pupils_row *row, size_t *n);
    const char *says;
    /* some of its points are left */
    bool counts;
} bads[] = {
    {edited, "changed: ", true},
    {edited, ":12: the chain breaks here", true},
    {dropped_line, "changed: ", true},
    {dropped_line, ":7: the chain breaks here", true},
    {torn, "", true},
    {newer, "newer: ", false},
    {other_class, "head: ", false},
    {copied, "numbers: answer ", false},
    {copied_answers, "numbers of ada", false},
    {claims, "verdict: answer 4 (", true},
    {claims, "\"1\" is wrong, and the hand-in says right", true},
    {other_revision, "revision: answer ", false},
    {hasty, "fast: answer ", true},
    {future, "clock: answer ", true},
    {without_firsts, "missing: answer ", false},
    {no_handin, "head: ", false},
    {deep, "changed: ", true},
};

/* An answer to one try's numbers can be right for another's. */
enum { BY_LUCK = ANSWERS / 10 };

static void each_bad_one_is_listed_and_stops_no_other(void **state) {
    for (size_t i = 0; i < BASE_COUNT(bads); i++) {
        const struct bad *b = &bads[i];
        struct room r = open_room(state, true);
        struct pupils_row *row = pupils_answers(pupils, &r.s, "mal", ANSWERS);
        size_t n;
        hand_in_well(&r, "ada");
        char *text = b->text(&r, row, &n), *hex = hex_of("mal");
        put(&r, hex, text, n);
        hand_in_well(&r, "bob");
        json_t *grades = grade_within(&r, NULL);
        lists(grades, "mal", b->says);
        lists(grades, "ada", "");
        lists(grades, "bob", "");
        assert_true(points(learner(grades, "ada")) > 0 && points(learner(grades, "bob")) > 0);
        double got = points(learner(grades, "mal"));
        if (b->counts ? got == 0 : got > BY_LUCK) fail_msg("row %zu: %g points", i, got);
        json_decref(grades);
        pupils_free(row, ANSWERS);
        free(hex);
        free(text);
        classroom_close(r.f);
        empty(state);
    }
}

/* Grades by another copy of the lessons, after `edit`, a sed's command, on lesson 1.2; or by these
 * again, for NULL. */
static void use_lessons(void **state, const char *edit) {
    char own[PATH_MAX],
        *share = scratch_path(state, "share"),
        *copy = base_format("rm -rf '%s' && mkdir '%s' && cp -R lessons lua data '%s' && "
                            "sed -i '%s' '%s/lessons/1-where-memory-goes/1.2.lua'",
                            share, share, share, edit ? edit : "", share);
    assert_non_null(realpath(".", own));
    assert_int_equal(system(copy), 0);
    setenv("ZEROTUTOR_SHARE", edit ? share : own, 1);
    free(copy);
    free(share);
}

/* A lesson is corrected after the class. Where its numbers stay, every answer is worth what it was;
 * where they change, answers to the old ones are listed and not graded; and all of it is as before
 * once the teacher grades by the lessons of the class again. */
static void a_corrected_lesson_is_graded_again(void **state) {
    static const struct {
        const char *edit;
        bool same;
    } rows[] = {
        {NULL, true},
        {"$ a -- a word was corrected", true},
        {"s/r:pick(budgets)/\"123GB\"/", false},
        {NULL, true},
    };
    struct room r = open_room(state, true);
    struct pupils_row *row = pupils_answers(pupils, &r.s, "ada", ANSWERS);
    double right = right_firsts(row, ANSWERS);
    hand_in(&r, "ada", row, ANSWERS);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        use_lessons(state, rows[i].edit);
        json_t *grades = grade_within(&r, NULL), *ada = learner(grades, "ada");
        lists(grades, "ada", rows[i].same ? "" : "revision: answer ");
        if ((points(ada) == right) != rows[i].same || points(ada) <= 0)
            fail_msg("row %zu: %g points, %g answers are right", i, points(ada), right);
        json_decref(grades);
    }
    pupils_free(row, ANSWERS);
    classroom_close(r.f);
}

/* A sheet that was left half filled, for fresh numbers, is a try that is there. */
static void a_try_that_was_begun_is_not_missing(void **state) {
    for (int begun = 0; begun < 2; begun++) {
        struct room r = open_room(state, true);
        struct pupils_row *row = pupils_answers(pupils, &r.s, "mal", ANSWERS);
        size_t k = 1;
        while (row[k].try != 1) k++;
        free(row[k - 1].item);
        row[k - 1].item = base_dup(begun ? row[k].item : "1.1/no-such");
        row[k - 1].line = "grads";
        row[k - 1].try = 1;
        row[k].try = 2;
        hand_in(&r, "mal", row, ANSWERS);
        json_t *grades = grade_within(&r, NULL);
        char *all = listed(learner(grades, "mal")),
             *says = base_format("missing: answer %zu (", k + 1);
        if ((strstr(all, says) == NULL) != (begun == 1)) fail_msg("%d: %s", begun, all);
        free(says);
        json_decref(grades);
        pupils_free(row, ANSWERS);
        free(all);
        classroom_close(r.f);
        empty(state);
    }
}

/* A sheet is read before its first line, so that its last one may take a moment. */
static void the_lines_of_a_sheet_are_read_once(void **state) {
    static const struct {
        double seconds;
        bool is_fast;
    } rows[] = {{25, false}, {0.2, true}};
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct room r = open_room(state, true);
        struct pupils_row *row = pupils_answers(pupils, &r.s, "mal", ANSWERS);
        size_t k = 1;
        while (!row[k].right) k++;
        struct pupils_row *line = &row[k - 1], *whole = &row[k];
        free(line->item);
        line->item = base_dup(whole->item);
        line->line = "grads"; /* none of its lines, so that it is not judged */
        line->seconds = rows[i].seconds;
        whole->seconds = 0.2;
        whole->time = line->time;
        hand_in(&r, "mal", row, ANSWERS);
        json_t *grades = grade_within(&r, NULL);
        char *said = listed(learner(grades, "mal"));
        if ((strstr(said, "fast: ") != NULL) != rows[i].is_fast) fail_msg("%s", said);
        free(said);
        json_decref(grades);
        pupils_free(row, ANSWERS);
        classroom_close(r.f);
        empty(state);
    }
}

/* ── limits ────────────────────────────────────────────────────────────────────────────────────*/
static void one_that_takes_too_much_costs_itself_alone(void **state) {
    enum { MANY = 40000 };
    const struct session_grading_limits limits = {.cpu_seconds = 1, .seconds = 300, .processes = 1};
    struct room r = open_room(state, true);
    struct pupils_row *row = pupils_answers(pupils, &r.s, "mal", 1),
                      *all = base_alloc(MANY * sizeof *all);
    size_t n;
    /* sheets that are never finished: each is compared with all before it */
    for (size_t k = 0; k < MANY; k++) {
        all[k] = row[0];
        all[k].typed = "";
        all[k].problem = "{}";
    }
    char *text = pupils_text(pupils, &r.s, "mal", all, MANY, 1, &n), *own = hex_of("mal");
    hand_in_well(&r, "ada");
    put(&r, own, text, n);
    hand_in_well(&r, "eve");
    json_t *grades = grade_within(&r, &limits);
    lists(grades, "mal", "failed: judging it took over 1 s");
    lists(grades, "ada", "");
    lists(grades, "eve", "");
    assert_true(points(learner(grades, "eve")) > 0);
    json_decref(grades);
    pupils_free(row, 1);
    free(own);
    free(text);
    free(all);
    classroom_close(r.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_hand_in_is_worth_its_right_answers, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(each_bad_one_is_listed_and_stops_no_other, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_corrected_lesson_is_graded_again, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(a_try_that_was_begun_is_not_missing, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(the_lines_of_a_sheet_are_read_once, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(one_that_takes_too_much_costs_itself_alone, scratch_make,
                                        scratch_remove),
    };
    return cmocka_run_group_tests_name("grading", tests, pupils_begin, pupils_end);
}
