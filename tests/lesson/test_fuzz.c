/* Ten thousand random actions, with failures thrown in. Whatever comes: something is always awaited
 * until the end, a verdict is never told before it is kept, and going on reaches the end. */
#include "lesson/fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ACTIONS = 10000, STEPS_MOST = 100 };

static const char *const TYPED[] = {
    "",
    "1",
    "2",
    "b",
    "3 1 2",
    "1 2 3",
    "1=a 2=b",
    "a b",
    "true",
    "f",
    "112",
    "14 GB",
    "2*13 + 14*13/16",
    "48.75",
    "34.13",
    "14",
    "10.5",
    "38.5",
    "13B",
    "1e999",
    "-1",
    "0",
    "nan",
    "((((",
    "gpus=8",
    "gpus=?",
    "GPUs = 20",
    "a=1=2",
    "\xff\xfe",
    "1\x01\x02",
    "÷×",
    "99999999999999999999",
    "15 GiB",
    "7e9*2",
    "1/0",
    "2 ^ 9e9",
    "Scenario: 13e9 parameters, 8 × A100 80 GB\n\nWe choose stage 2.",
    "Scenario: \n| 3 GB |\n[run 1: peak 1 GB]"};
static const char *const PLACES[] = {"guess", "sheet", "number", "nowhere",
                                     "cards", "memo",  "recap"};

struct run {
    uint64_t random;
    struct fake_source source;
    struct fake_journal journal;
    struct lesson *lesson;
    struct lesson_dialogue *d;
    /* one that passes the course's case */
    char *memo;
    size_t passed;
};

static size_t pick(struct run *r, size_t n) {
    return (size_t)(base_random(&r->random) % n);
}

static void open_again(struct run *r) {
    struct base_message m;
    r->journal.no_reading = false;
    lesson_dialogue_free(r->d);
    r->d = lesson_dialogue_open(r->lesson, fake_source(&r->source), fake_journal(&r->journal),
                                r->random, &m);
    assert_non_null(r->d);
}

/* Reads every event; true if the lesson is over. */
static bool drain(struct run *r, size_t rows) {
    const struct lesson_event *e;
    bool over = false;
    size_t told = 0;
    while ((e = lesson_event(r->d)) != NULL) {
        told += e->kind == LESSON_VERDICT && strcmp(e->verdict, "unreadable") != 0;
        if (e->text != NULL) assert_true(base_utf8_valid(e->text, strlen(e->text)));
        if (e->kind == LESSON_ASK) assert_ptr_equal(e->ask, lesson_asked(r->d));
        over = over || e->kind == LESSON_END;
    }
    assert_true(told <= r->journal.rows - rows);
    assert_true(over == (lesson_asked(r->d) == NULL));
    return over;
}

static bool act(struct run *r) {
    size_t rows = r->journal.rows;
    struct lesson_action a = {.kind = (enum lesson_action_kind)pick(r, LESSON_DO_LEAVE + 1)};
    if (pick(r, 3) > 0) a.kind = LESSON_DO_ANSWER;
    if (a.kind == LESSON_DO_LEAVE && pick(r, 10) > 0) a.kind = LESSON_DO_NEXT;
    a.text = a.kind == LESSON_DO_GOTO ? PLACES[pick(r, BASE_COUNT(PLACES))]
                                      : TYPED[pick(r, BASE_COUNT(TYPED))];
    bool writes = lesson_asked(r->d) != NULL && lesson_asked(r->d)->form == LESSON_WRITE;
    if (writes && a.kind == LESSON_DO_ANSWER && pick(r, 2) == 0) a.text = r->memo;
    a.index = pick(r, 3);
    a.by = (int)pick(r, 5) - 2;
    r->journal.full = pick(r, 20) == 0;
    r->journal.left = (int)pick(r, 2);
    r->journal.no_place = pick(r, 20) == 0;
    r->journal.no_reading = pick(r, 20) == 0;
    r->source.broken = pick(r, 20) == 0 ? 1 : 0;
    lesson_do(r->d, &a);
    const struct lesson_ask *after = lesson_asked(r->d);
    r->passed += writes && a.text == r->memo && after != NULL && after->form == LESSON_NUMBER;
    return drain(r, rows);
}

/* The journal is read whole at each entry, so it is emptied now and then to keep this quick. */
static void forget(struct run *r) {
    if (r->journal.rows > 300) fake_journal_free(&r->journal);
}

static void survives(void **state) {
    (void)state;
    struct run r = {.random = 11};
    r.lesson = fake_whole(&r.source);
    r.memo = base_file_read("tests/memo/good-13b.md", 1 << 20, NULL, NULL);
    assert_non_null(r.memo);
    open_again(&r);
    for (int i = 0; i < ACTIONS; i++) {
        bool over = act(&r);
        if (over) forget(&r);
        if (over || pick(&r, 50) == 0) open_again(&r);
        if (pick(&r, 100) == 0)
            assert_true(lesson_reload(r.d, r.lesson, fake_source(&r.source), NULL));
    }
    assert_true(r.passed > 0);
    free(r.memo);
    lesson_dialogue_free(r.d);
    lesson_free(r.lesson);
    fake_source_free(&r.source);
    fake_journal_free(&r.journal);
}

/* From every step, with everything broken, Enter leads to the end. */
static void going_on_reaches_the_end(void **state) {
    (void)state;
    struct run r = {.random = 3};
    r.lesson = fake_whole(&r.source);
    r.source.broken = -1;
    r.journal.full = r.journal.no_place = true;
    open_again(&r);
    int steps = 0;
    while (lesson_asked(r.d) != NULL && steps++ < STEPS_MOST)
        lesson_do(r.d, &(struct lesson_action){.kind = LESSON_DO_NEXT});
    assert_in_range(steps, lesson_steps(r.lesson) - 1, STEPS_MOST - 1);
    lesson_dialogue_free(r.d);
    lesson_free(r.lesson);
    fake_source_free(&r.source);
    fake_journal_free(&r.journal);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(survives),
                                       cmocka_unit_test(going_on_reaches_the_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
