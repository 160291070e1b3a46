/* Reviews and checks. */
#include "session/rounds.h"

/* ── reviews ───────────────────────────────────────────────────────────────────────────────────*/
/* The items of a round in their order, a blank between; the caller's. The first `wrong` are missed
 * and passed over. */
static char *review(const char *id, size_t wrong) {
    struct taking t;
    struct base_text items = {0};
    take(&t, id);
    for (size_t i = 0; !on_result(&t); i++) {
        base_text_printf(&items, "%s%s", i ? " " : "", t.item);
        act(&t, LESSON_DO_ANSWER, i < wrong ? WRONG : RIGHT);
        act(&t, LESSON_DO_NEXT, NULL);
    }
    act(&t, LESSON_DO_NEXT, NULL);
    drop(&t);
    return base_text_take(&items);
}

static void a_review_mixes_the_lessons(void **state) {
    (void)state;
    for (int round = 0; round < 6; round++) {
        char *items = review("1r", 0), last = '\0';
        size_t n = 0;
        for (char *rest = items, *item; (item = strsep(&rest, " ")); n++) {
            assert_true(strncmp(item, "1.1/", 4) == 0 || strncmp(item, "1.2/", 4) == 0);
            assert_int_not_equal(item[2], last);
            last = item[2];
        }
        assert_int_equal(n, 8);
        free(items);
    }
    struct learner_progress p = progress(REVIEW_1);
    assert_int_equal(p.standing, LEARNER_DONE);
    assert_int_equal(p.graded, 8);
    assert_int_equal(p.right, 8);
}

static bool has_item(const char *items, const char *item) {
    size_t n = strlen(item);
    const char *at = strstr(items, item);
    while (at && at[n] != ' ' && at[n] != '\0') at = strstr(at + n, item);
    return at != NULL;
}

static void what_was_missed_is_asked_again_and_what_was_not_met(void **state) {
    (void)state;
    char *first = review("1r", 3), *second = review("1r", 0), *rest = first, *item;
    size_t missed = 0, met_again = 0;
    for (size_t i = 0; (item = strsep(&rest, " ")); i++) {
        missed += i < 3 && has_item(second, item);
        met_again += i >= 3 && has_item(second, item);
    }
    assert_int_equal(missed, 3);
    /* of twelve, eight were met: three of those again, and four new ones */
    assert_int_equal(met_again, 1);
    free(first);
    free(second);
}

static void a_review_goes_on_where_it_was_left(void **state) {
    (void)state;
    struct taking t;
    char item[64];
    take(&t, "1r");
    act(&t, LESSON_DO_ANSWER, RIGHT);
    act(&t, LESSON_DO_NEXT, NULL);
    act(&t, LESSON_DO_ANSWER, WRONG);
    snprintf(item, sizeof item, "%s", t.item);
    drop(&t);
    assert_true(progress(REVIEW_1).under_way);
    assert_int_equal(progress(REVIEW_1).step_number, 2);
    assert_int_equal(next(), REVIEW_1);
    take(&t, "1r");
    assert_string_equal(t.item, item);
    assert_int_equal(t.index, 1);
    assert_int_equal(lesson_asked(session_dialogue(t.session))->try, 2);
    assert_true(lesson_asked(session_dialogue(t.session))->hints);
    drop(&t);
}

/* Items are the lesson's own, so what is answered in a review counts there too; what the lesson
 * leaves out does not. */
static void a_review_counts_for_its_lessons(void **state) {
    (void)state;
    struct taking t;
    take(&t, "1.1");
    act(&t, LESSON_DO_NEXT, NULL);
    assert_int_equal(t.count, 1 + 4 + 1);
    drop(&t);
    for (int round = 0; round < 4; round++) free(review("1r", 0));
    assert_int_equal(progress(ALPHA).graded, 4);
    assert_int_equal(progress(ALPHA).right, 4);
}

/* What was answered before a round began is no answer in it. */
static void a_review_that_was_skipped_is_not_done(void **state) {
    (void)state;
    struct taking t;
    for (int round = 0; round < 2; round++) {
        free(review("1r", 0));
        assert_int_equal(progress(REVIEW_1).standing, LEARNER_DONE);
        take(&t, "1r");
        act(&t, LESSON_DO_ANSWER, RIGHT);
        assert_int_equal(progress(REVIEW_1).standing, LEARNER_BEGUN);
        while (!t.over) act(&t, LESSON_DO_NEXT, NULL);
        drop(&t);
        assert_int_equal(progress(REVIEW_1).standing, LEARNER_SKIPPED);
        assert_int_equal(progress(REVIEW_1).skipped, 7);
    }
}

/* Gone through without an answer, after its problems were answered elsewhere; then the record
 * forgets what `forgotten` names, as one that an older program made, or somebody else. */
static void a_review_of_which_nothing_is_known_is_not_done(void **state) {
    static const char *const forgotten[] = {"outline/1r", "since/1r"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(forgotten); i++) {
        struct taking t;
        for (int round = 0; round < 4; round++) free(review("1r", 0));
        take(&t, "1r");
        while (!t.over) act(&t, LESSON_DO_NEXT, NULL);
        assert_int_equal(session_learner_progress(t.learner, REVIEW_1).standing, LEARNER_SKIPPED);
        assert_true(store_set(session_learner_store(t.learner), forgotten[i], NULL, NULL));
        drop(&t);
        assert_int_equal(progress(REVIEW_1).standing, LEARNER_BEGUN);
        free(review("1r", 0));
        assert_int_equal(progress(REVIEW_1).standing, LEARNER_DONE); /* the next round is known */
    }
}

/* Such a number would make every answer ever given one of this round. */
static void a_review_since_no_answer_is_not_done(void **state) {
    static const char *const since[] = {"", "x", "-1", "1x", " 1", "+1", "9223372036854775808"};
    (void)state;
    free(review("1r", 0));
    assert_int_equal(progress(REVIEW_1).standing, LEARNER_DONE);
    for (size_t i = 0; i < BASE_COUNT(since); i++) {
        struct learner *who = session_learner_open(NULL, NULL);
        assert_true(store_set(session_learner_store(who), "since/1r", since[i], NULL));
        if (session_learner_progress(who, REVIEW_1).standing != LEARNER_BEGUN)
            fail_msg("since '%s'", since[i]);
        session_learner_close(who);
    }
}

/* An outline without a problem asks nothing that could be done. */
static void a_review_that_asks_nothing_is_not_done(void **state) {
    static const char *const outlines[] = {"", "2/result", "word result"};
    (void)state;
    free(review("1r", 0));
    for (size_t i = 0; i < BASE_COUNT(outlines); i++) {
        struct learner *who = session_learner_open(NULL, NULL);
        assert_true(store_set(session_learner_store(who), "outline/1r", outlines[i], NULL));
        assert_int_equal(session_learner_progress(who, REVIEW_1).standing, LEARNER_BEGUN);
        session_learner_close(who);
    }
}

/* ── checks ────────────────────────────────────────────────────────────────────────────────────*/
static void a_check_asks_once_and_helps_not(void **state) {
    (void)state;
    struct taking t;
    take(&t, "1c");
    assert_false(seen(&t, "This finds where to start")); /* said of placement only */
    assert_true(seen(&t, "You pass if at most one answer is wrong."));
    assert_int_equal(t.count, 6 + 1);
    assert_true(strncmp(t.item, "1c/1.", 5) == 0);
    const struct lesson_ask *ask = lesson_asked(session_dialogue(t.session));
    assert_false(ask->hints || ask->worked || ask->fresh);
    static const enum lesson_action_kind help[] = {LESSON_DO_HINT, LESSON_DO_WORKED,
                                                   LESSON_DO_FRESH};
    for (size_t i = 0; i < BASE_COUNT(help); i++) {
        act(&t, help[i], NULL);
        assert_true(seen(&t, "A check gives no help"));
    }
    act(&t, LESSON_DO_ANSWER, WRONG);
    assert_false(t.right);
    assert_true(seen(&t, "The right answer: "));
    assert_int_equal(lesson_asked(session_dialogue(t.session))->form, LESSON_NEXT);
    drop(&t);
}

static void five_of_six_open_the_next_phase(void **state) {
    static const struct {
        size_t wrong;
        const char *says;
        size_t gate;
    } cases[] = {
        {2, "4 of 6 right. You pass with 5.", CHECK_1},
        {1, "Passed: 5 of 6 right.", ALL},
        {6, "0 of 6 right. You pass with 5.", ALL}, /* once passed it stays passed */
    };
    (void)state;
    assert_int_equal(gate(0), ALL);
    assert_int_equal(gate(1), CHECK_1);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct taking t;
        take_round(&t, "1c");
        answer_all(&t, cases[i].wrong);
        if (!seen(&t, cases[i].says)) fail_msg("%s", t.seen.s);
        assert_true(seen(&t, "Worth another look"));
        assert_int_equal(lesson_asked(session_dialogue(t.session))->leads, cases[i].wrong);
        assert_int_equal(gate(1), cases[i].gate);
        assert_int_equal(progress(CHECK_1).right, 6 - cases[i].wrong);
        drop(&t);
    }
    assert_int_equal(progress(CHECK_1).standing, LEARNER_DONE);
    assert_int_equal(gate(2), CHECK_2);
    assert_int_equal(next(), GAMMA);
}

static void both_lessons_come_up_in_a_check(void **state) {
    (void)state;
    struct taking t;
    size_t alpha = 0;
    take(&t, "1c");
    for (; !on_result(&t); act(&t, LESSON_DO_NEXT, NULL)) alpha += t.item[5] == '1';
    assert_int_equal(alpha, 3);
    assert_true(seen(&t, ". **1.1** "));
    assert_true(seen(&t, ". **1.2** "));
    drop(&t);
}

/* What a round asks depends on nothing but the learner and the round; another round asks something
 * else. */
static void each_round_has_numbers_of_its_own(void **state) {
    (void)state;
    char *asked[3];
    for (size_t round = 0; round < 3; round++) {
        struct taking t;
        struct base_text all = {0};
        take_round(&t, "1c");
        for (; !on_result(&t); act(&t, LESSON_DO_NEXT, NULL)) base_text_puts(&all, t.seen.s);
        if (round > 0) act(&t, LESSON_DO_NEXT, NULL);
        drop(&t);
        asked[round] = base_text_take(&all);
    }
    assert_string_not_equal(asked[0], asked[1]);
    assert_string_not_equal(asked[1], asked[2]);
    for (size_t round = 0; round < 3; round++) free(asked[round]);
}

static void a_check_goes_on_after_a_kill(void **state) {
    (void)state;
    struct taking t;
    take(&t, "1c");
    act(&t, LESSON_DO_ANSWER, RIGHT);
    act(&t, LESSON_DO_NEXT, NULL);
    act(&t, LESSON_DO_ANSWER, WRONG);
    drop(&t);
    take(&t, "1c");
    assert_int_equal(t.index, 1);
    assert_true(seen(&t, "The right answer: "));
    assert_int_equal(lesson_asked(session_dialogue(t.session))->form, LESSON_NEXT);
    act(&t, LESSON_DO_BACK, NULL);
    assert_true(seen(&t, "Right. "));
    act(&t, LESSON_DO_NEXT, NULL);
    act(&t, LESSON_DO_NEXT, NULL);
    assert_int_equal(lesson_asked(session_dialogue(t.session))->form, LESSON_CHOICE);
    answer_all(&t, 0);
    assert_true(seen(&t, "Passed: 5 of 6 right."));
    drop(&t);
    assert_int_equal(gate(1), ALL);
}

static void two_terminals_answer_a_check_once(void **state) {
    (void)state;
    struct taking a, b;
    take(&a, "1c");
    take(&b, "1c");
    assert_string_equal(a.item, b.item);
    act(&a, LESSON_DO_ANSWER, WRONG);
    act(&b, LESSON_DO_ANSWER, RIGHT);
    assert_true(seen(&b, "You answered this in another terminal."));
    assert_true(seen(&b, "The right answer: "));
    drop(&a);
    drop(&b);
}

static void only_a_passed_check_opens_a_phase(void **state) {
    (void)state;
    struct taking t;
    take(&t, "2.1");
    assert_int_equal(gate(1), CHECK_1);
    while (!t.over) act(&t, LESSON_DO_NEXT, NULL);
    drop(&t);
    assert_int_equal(progress(GAMMA).standing, LEARNER_SKIPPED);
    /* it could be taken, and its phase is as closed as before */
    assert_int_equal(gate(1), CHECK_1);
    take_check("1c", 1);
    assert_int_equal(gate(1), ALL);
    assert_int_equal(gate(2), CHECK_2);
}

static void a_small_phase_has_a_small_check(void **state) {
    (void)state;
    struct taking t;
    take(&t, "3c");
    assert_int_equal(t.count, 2 + 1);
    answer_all(&t, 1);
    assert_true(seen(&t, "Passed: 1 of 2 right."));
    assert_true(seen(&t, "last check of the course"));
    drop(&t);
    assert_int_equal(progress(CHECK_3).standing, LEARNER_DONE);
}

static void a_lesson_that_does_not_load_is_named(void **state) {
    struct base_message m = {0};
    school_put(state, "broken.lua", "mixed-b.lua");
    struct learner *who = session_learner_open(NULL, &m);
    assert_null(session_open(who, "1c", &m));
    assert_non_null(strstr(m.file, "mixed-b.lua"));
    session_learner_close(who);
}

/* Functions are known by their numbers: in another file they would be others. One of the two
 * lessons is not asked before its edit. */
static void a_lesson_that_was_edited_meanwhile_is_not_asked(void **state) {
    struct taking t;
    take(&t, "1c");
    bool alpha = t.item[5] == '1';
    school_put(state, "mixed-d.lua", alpha ? "mixed-b.lua" : "mixed-a.lua");
    act(&t, LESSON_DO_NEXT, NULL);
    assert_true(seen(&t, "edited meanwhile"));
    assert_int_equal(lesson_asked(session_dialogue(t.session))->form, LESSON_NEXT);
    drop(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MIXED(a_review_mixes_the_lessons),
        MIXED(what_was_missed_is_asked_again_and_what_was_not_met),
        MIXED(a_review_goes_on_where_it_was_left),
        MIXED(a_review_counts_for_its_lessons),
        MIXED(a_review_that_was_skipped_is_not_done),
        MIXED(a_review_of_which_nothing_is_known_is_not_done),
        MIXED(a_review_since_no_answer_is_not_done),
        MIXED(a_review_that_asks_nothing_is_not_done),
        MIXED(a_check_asks_once_and_helps_not),
        MIXED(five_of_six_open_the_next_phase),
        MIXED(both_lessons_come_up_in_a_check),
        MIXED(each_round_has_numbers_of_its_own),
        MIXED(a_check_goes_on_after_a_kill),
        MIXED(two_terminals_answer_a_check_once),
        MIXED(only_a_passed_check_opens_a_phase),
        MIXED(a_small_phase_has_a_small_check),
        MIXED(a_lesson_that_does_not_load_is_named),
        MIXED(a_lesson_that_was_edited_meanwhile_is_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
