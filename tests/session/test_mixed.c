/* Reviews, checks and placement, in a course (tests/session/lessons/mixed.json) whose first choice
 * is always right. */
#include "session/school.h"
#include "session/session.h"

#define RIGHT "1"
#define WRONG "2"

enum { ALPHA, BETA, REVIEW_1, CHECK_1, GAMMA, REVIEW_2, CHECK_2, DELTA, REVIEW_3, CHECK_3, ALL };

/* A learner with something on it; what came of the last action, and where it stands. */
struct taking {
    struct learner *learner;
    struct session *session;
    struct base_text seen;
    char item[64], step[64];
    size_t index, count;
    bool right, over;
};

static void see(struct taking *t) {
    const struct lesson_event *e;
    base_text_free(&t->seen);
    while ((e = session_event(t->session))) {
        if (e->kind == LESSON_STEP) {
            snprintf(t->item, sizeof t->item, "%s", e->item);
            snprintf(t->step, sizeof t->step, "%s", e->step);
            t->index = e->index;
            t->count = e->count;
        }
        if (e->kind == LESSON_VERDICT) t->right = e->right;
        if (e->text) base_text_printf(&t->seen, "%s\n", e->text);
        t->over |= e->kind == LESSON_END;
    }
}

static void take(struct taking *t, const char *what) {
    struct base_message m = {0};
    *t = (struct taking){.learner = session_learner_open(NULL, &m)};
    t->session = t->learner ? session_open(t->learner, what, &m) : NULL;
    if (!t->session) fail_msg("%s", m.what);
    see(t);
}

/* Without leaving: as a program that is killed. */
static void drop(struct taking *t) {
    session_close(t->session);
    session_learner_close(t->learner);
    base_text_free(&t->seen);
}

static void act(struct taking *t, enum lesson_action_kind kind, const char *text) {
    session_do(t->session, &(struct lesson_action){.kind = kind, .text = text});
    see(t);
}

static bool seen(const struct taking *t, const char *words) {
    return t->seen.s && strstr(t->seen.s, words);
}

static bool on_result(const struct taking *t) {
    return strstr(t->step, "/result") != NULL;
}

/* Answers what is asked, the first `wrong` of it wrongly, up to the page that says how it went. */
static void answer_all(struct taking *t, size_t wrong) {
    for (size_t i = 0; !on_result(t); i++) {
        act(t, LESSON_DO_ANSWER, i < wrong ? WRONG : RIGHT);
        act(t, LESSON_DO_NEXT, NULL);
    }
}

/* A check that was taken opens at its result, and is taken again from there. */
static void take_round(struct taking *t, const char *id) {
    take(t, id);
    if (on_result(t)) act(t, LESSON_DO_FRESH, NULL);
    assert_true(!on_result(t) && !t->over);
}

/* One round of a check from its first problem to its end. */
static void take_check(const char *id, size_t wrong) {
    struct taking t;
    take_round(&t, id);
    answer_all(&t, wrong);
    act(&t, LESSON_DO_NEXT, NULL);
    assert_true(t.over);
    drop(&t);
}

static struct learner_progress progress(size_t i) {
    struct learner *who = session_learner_open(NULL, NULL);
    struct learner_progress p = session_learner_progress(who, i);
    session_learner_close(who);
    return p;
}

static size_t next(void) {
    struct learner *who = session_learner_open(NULL, NULL);
    size_t i = session_learner_next(who);
    session_learner_close(who);
    return i;
}

static size_t gate(size_t phase) {
    struct learner *who = session_learner_open(NULL, NULL);
    size_t i = session_learner_gate(who, phase);
    session_learner_close(who);
    return i;
}

static enum learner_placement placement(size_t *check) {
    struct learner *who = session_learner_open(NULL, NULL);
    enum learner_placement p = session_learner_placement(who, check);
    session_learner_close(who);
    return p;
}

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

/* ── placement ─────────────────────────────────────────────────────────────────────────────────*/
static void placement_goes_on_until_a_check_is_not_passed(void **state) {
    (void)state;
    struct taking t;
    size_t check;
    assert_int_equal(placement(&check), LEARNER_UNPLACED);
    assert_int_equal(check, CHECK_1);
    take(&t, LEARNER_PLACE);
    assert_string_equal(lesson_id(session_lesson(t.session)), "1c");
    assert_true(seen(&t, "This finds where to start"));
    answer_all(&t, 1);
    assert_true(seen(&t, "Phase 2, Middles, is open."));
    act(&t, LESSON_DO_NEXT, NULL);
    assert_false(t.over);
    assert_string_equal(lesson_id(session_lesson(t.session)), "2c");
    assert_string_equal(lesson_title(session_lesson(t.session)), "Check: Middles");
    act(&t, LESSON_DO_ANSWER, RIGHT);
    drop(&t);
    assert_int_equal(placement(&check), LEARNER_PLACING);
    assert_int_equal(check, CHECK_2);
    take(&t, LEARNER_PLACE);
    assert_true(seen(&t, "Right. "));
    assert_false(seen(&t, "This finds where to start"));
    act(&t, LESSON_DO_NEXT, NULL);
    answer_all(&t, 2);
    assert_true(seen(&t, "Start with phase 2, Middles."));
    act(&t, LESSON_DO_NEXT, NULL);
    assert_true(t.over);
    drop(&t);
    assert_int_equal(placement(&check), LEARNER_PLACED);
    assert_int_equal(next(), GAMMA);
}

static void placement_can_be_left(void **state) {
    (void)state;
    struct taking t;
    size_t check;
    take(&t, LEARNER_PLACE);
    answer_all(&t, 0);
    act(&t, LESSON_DO_LEAVE, NULL);
    assert_true(t.over);
    drop(&t);
    assert_int_equal(placement(&check), LEARNER_PLACING);
    assert_int_equal(check, CHECK_2);
    assert_int_equal(next(), GAMMA);
}

static void whoever_learns_is_not_placed(void **state) {
    (void)state;
    struct taking t;
    size_t check;
    take(&t, "1.1");
    act(&t, LESSON_DO_NEXT, NULL);
    act(&t, LESSON_DO_ANSWER, RIGHT);
    drop(&t);
    assert_int_equal(placement(&check), LEARNER_PLACED);
}

/* No lesson is proposed that one has shown to know. */
static void who_passed_every_check_is_told(void **state) {
    struct base_message m = {0};
    (void)state;
    take_check("1c", 0);
    assert_int_equal(next(), GAMMA);
    take_check("2c", 0);
    take_check("3c", 0);
    assert_int_equal(next(), ALL);
    struct learner *who = session_learner_open(NULL, &m);
    assert_null(session_open(who, LEARNER_PLACE, &m));
    assert_non_null(strstr(m.what, "you passed every check of the course"));
    session_learner_close(who);
}

/* ── what comes next ───────────────────────────────────────────────────────────────────────────*/
static void a_phase_ends_on_its_review_and_its_check(void **state) {
    static const char *const way[] = {"1.1", "1.2", "1r"};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(way); i++) {
        struct taking t;
        assert_int_equal(next(), i);
        take(&t, way[i]);
        while (!t.over) act(&t, LESSON_DO_NEXT, NULL);
        drop(&t);
    }
    assert_int_equal(next(), CHECK_1);
    take_check("1c", 3);
    assert_int_equal(next(), CHECK_1);
    take_check("1c", 0);
    assert_int_equal(next(), GAMMA);
}

/* Whoever skips is led on, and comes back to it once nothing else is left, unless its phase was
 * earned by its check. */
static void what_was_skipped_comes_last(void **state) {
    static const char *const way[] = {"1.1", "1.2", "1r",  "1c", "2.1",
                                      "2r",  "2c",  "3.1", "3r", "3c"};
    struct taking t;
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(way); i++) {
        if (i != GAMMA) assert_int_equal(next(), i); /* it goes on after a check that was failed */
        if (way[i][1] == 'c') {
            take_check(way[i], i == CHECK_1 ? 6 : 0);
            continue;
        }
        take(&t, way[i]);
        while (!t.over) act(&t, LESSON_DO_NEXT, NULL);
        drop(&t);
    }
    assert_true(progress(GAMMA).standing == LEARNER_DONE && progress(GAMMA).skipped > 0);
    assert_int_equal(next(), ALPHA);
    assert_int_equal(progress(ALPHA).standing, LEARNER_SKIPPED);
    assert_int_equal(progress(ALPHA).skipped, 4);
    take(&t, "1.1");
    act(&t, LESSON_DO_GOTO, progress(ALPHA).skip);
    for (int i = 0; i < 4; i++) {
        act(&t, LESSON_DO_ANSWER, WRONG);
        act(&t, LESSON_DO_NEXT, NULL);
    }
    drop(&t);
    assert_int_equal(progress(ALPHA).standing, LEARNER_DONE);
    assert_int_equal(next(), BETA);
    take_check("1c", 0);
    assert_int_equal(progress(BETA).standing, LEARNER_DONE);
    assert_int_equal(next(), ALL);
}

#define MIXED(f) cmocka_unit_test_setup_teardown(f, school_open_mixed, school_close)
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
        MIXED(placement_goes_on_until_a_check_is_not_passed),
        MIXED(placement_can_be_left),
        MIXED(whoever_learns_is_not_placed),
        MIXED(who_passed_every_check_is_told),
        MIXED(a_phase_ends_on_its_review_and_its_check),
        MIXED(what_was_skipped_comes_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
