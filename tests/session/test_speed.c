/* The speed challenge of a learner: which lessons it asks, and the rounds that the record keeps. */
#include "session/school.h"
#include "session/pupil.h"

#include <math.h>

static void finish(struct learner *who, const char *lesson) {
    struct base_message m = {0};
    struct lesson_journal j = store_journal(session_learner_store(who));
    const struct lesson_place end = {.step = "end", .finished = true};
    assert_true(j.place_set(j.self, lesson, &end, &m));
}

static struct session_speed *begin(struct learner *who, const struct lesson_speed_options *o) {
    struct base_message m = {0};
    struct session_speed *s = session_speed_open(who, o, &m);
    if (!s) fail_msg("%s", m.what);
    return s;
}

/* Asks a round through, all skipped; how many are of lessons whose ids begin so. */
static size_t asked_of(struct learner *who, uint64_t seed, const char *prefix, size_t *all) {
    const struct lesson_speed_options o = {.seed = seed};
    struct session_speed *s = begin(who, &o);
    struct lesson_speed *r = session_speed_round(s);
    size_t of = 0;
    for (*all = 0; lesson_speed_next(r, NULL); ++*all) {
        of += strncmp(lesson_speed_asked(r)->lesson, prefix, strlen(prefix)) == 0;
        lesson_speed_answer(r, NULL, 0);
    }
    session_speed_close(s);
    return of;
}

static void it_asks_what_was_learned(void **state) {
    struct learner *who = open_learner();
    size_t all;
    (void)state;
    assert_int_equal(asked_of(who, 1, "1.", &all), LESSON_SPEED_UNTIMED);
    assert_int_equal(all, LESSON_SPEED_UNTIMED);
    finish(who, "2.4");
    assert_int_equal(asked_of(who, 1, "2.4", &all), LESSON_SPEED_UNTIMED);
    finish(who, "1.4");
    size_t traffic = asked_of(who, 1, "1.4", &all);
    assert_true(traffic > 0 && traffic < all);
    session_learner_close(who);
}

/* Asks so many, the first `right` of them answered right. */
static void play(struct learner *who, const struct lesson_speed_options *o, size_t right,
                 size_t asked) {
    struct base_message m = {0};
    struct session_speed *s = begin(who, o);
    struct lesson_speed *r = session_speed_round(s);
    for (size_t i = 0; i < asked; i++) {
        char truth[40];
        assert_true(lesson_speed_next(r, &m));
        lesson_speed_run(r, 0);
        if (i >= right) {
            lesson_speed_answer(r, NULL, 1000);
            continue;
        }
        /* a second round with the same seed asks the same */
        struct session_speed *same = begin(who, lesson_speed_options(r));
        for (size_t k = 0; k <= i; k++) {
            assert_true(lesson_speed_next(session_speed_round(same), &m));
            const char *known = k < i ? lesson_speed_result(r, k)->truth : NULL;
            lesson_speed_answer(session_speed_round(same), known, 0);
        }
        snprintf(truth, sizeof truth, "%s",
                 lesson_speed_result(session_speed_round(same), i)->truth);
        session_speed_close(same);
        assert_int_equal(lesson_speed_answer(r, truth, 1000), LESSON_SPEED_RIGHT);
    }
    lesson_speed_end(r, 1000);
    assert_true(session_speed_keep(s, &m));
    assert_true(session_speed_keep(s, &m)); /* only once */
    session_speed_close(s);
}

static void the_best_is_of_rounds_alike(void **state) {
    struct learner *who = open_learner();
    const struct lesson_speed_options timed = {.ms = 60000}, untimed = {0},
                                      picked = {.ms = 60000, .choose = true},
                                      traffic = {.ms = 60000, .subject = LESSON_SPEED_TRAFFIC};
    (void)state;
    assert_int_equal(session_speed_past(who, &timed).rounds, 0);
    play(who, &timed, 3, 4);
    play(who, &timed, 1, 2);
    play(who, &untimed, 2, 2);
    play(who, &traffic, 0, 1);
    play(who, &timed, 0, 0); /* nothing was answered */
    struct session_speed_past past = session_speed_past(who, &timed);
    assert_int_equal(past.rounds, 2);
    assert_int_equal(past.best, 3);
    assert_int_equal(past.count, 2);
    assert_int_equal(past.latest[0], 3);
    assert_int_equal(past.latest[1], 1);
    assert_int_equal(session_speed_past(who, &untimed).best, 2);
    assert_int_equal(session_speed_past(who, &traffic).rounds, 1);
    assert_int_equal(session_speed_past(who, &picked).rounds, 0);
    for (int i = 0; i < 6; i++) play(who, &timed, 0, 1);
    past = session_speed_past(who, &timed);
    assert_int_equal(past.rounds, 8);
    assert_int_equal(past.count, SESSION_SPEED_LATEST);
    session_learner_close(who);
}

/* A record that anybody wrote. */
static void rows_that_no_round_wrote_count_nothing(void **state) {
    static const char *const rows[] = {
        "{\"ms\": 60000, \"choose\": false, \"asked\": 3, \"right\": 4}",
        "{\"ms\": 60000, \"choose\": false, \"asked\": 3, \"right\": -1}",
        "{\"ms\": 60000, \"choose\": false, \"right\": 1}",
        "{\"ms\": 61000, \"choose\": false, \"asked\": 3, \"right\": 1}",
        "[]",
    };
    struct learner *who = open_learner();
    struct base_message m = {0};
    struct lesson_journal j = store_journal(session_learner_store(who));
    const struct lesson_speed_options timed = {.ms = 60000};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        json_t *problem = json_loads(rows[i], 0, NULL);
        struct lesson_answer a = {.item = "speed/all",
                                  .line = "",
                                  .try = (int)i + 1,
                                  .problem = problem,
                                  .typed = "",
                                  .verdict = "noted",
                                  .mistake = ""};
        assert_true(j.answer(j.self, &a, &m));
        json_decref(problem);
    }
    assert_int_equal(session_speed_past(who, &timed).rounds, 0);
    play(who, &timed, 1, 1);
    assert_int_equal(session_speed_past(who, &timed).rounds, 1);
    session_learner_close(who);
}

static void a_round_is_no_review_and_no_progress(void **state) {
    struct learner *who = open_learner();
    const struct lesson_speed_options timed = {.ms = 60000};
    (void)state;
    play(who, &timed, 2, 3);
    assert_int_equal(session_learner_due(who).count, 0);
    assert_true(session_learner_is_new(who));
    assert_true(isnan(session_learner_recall(who, 0)));
    session_learner_close(who);
}

static void each_round_has_its_own_numbers(void **state) {
    struct learner *who = open_learner();
    const struct lesson_speed_options o = {.ms = 60000};
    uint64_t seed[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct session_speed *s = begin(who, &o);
        seed[i] = lesson_speed_options(session_speed_round(s))->seed;
        session_speed_close(s);
        play(who, &o, 0, 1);
    }
    assert_true(seed[0] != seed[1]);
    session_learner_close(who);
}

static void the_choices_are_remembered(void **state) {
    static const char *const broken[] = {"", "traffic", "cooking raw 60", "all number 61", "%s %n"};
    struct learner *who = open_learner();
    const struct lesson_speed_options o = {
        .ms = 90000, .choose = true, .subject = LESSON_SPEED_FITS};
    (void)state;
    assert_int_equal(session_speed_chosen(who).ms, 60000);
    session_speed_choose(who, &o);
    struct lesson_speed_options read = session_speed_chosen(who);
    assert_true(read.ms == o.ms && read.choose && read.subject == o.subject);
    for (size_t i = 0; i < BASE_COUNT(broken); i++) {
        store_set(session_learner_store(who), "speed", broken[i], NULL);
        read = session_speed_chosen(who);
        assert_true(read.ms == 60000 && !read.choose && read.subject == LESSON_SPEED_ALL);
    }
    session_learner_close(who);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, school_open_course, school_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(it_asks_what_was_learned),
        TEST(the_best_is_of_rounds_alike),
        TEST(rows_that_no_round_wrote_count_nothing),
        TEST(a_round_is_no_review_and_no_progress),
        TEST(each_round_has_its_own_numbers),
        TEST(the_choices_are_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
