/* What comes back: a lesson finished today is asked from tomorrow on, and every answer decides when
 * its question comes again. */
#include "session/school.h"
#include "session/pupil.h"
#include "store/store.h"

#include <dirent.h>

enum { DAY = 86400 };
static const int64_t START = 1795003200; /* 18 November 2026, noon */

static int open_school(void **state) {
    setenv("TZ", "UTC0", 1);
    tzset();
    return school_open(state);
}

static int close_school(void **state) {
    unsetenv("ZEROTUTOR_NOW");
    return school_close(state);
}

static void go_to_day(int day) {
    char *now = base_format("%lld", (long long)(START + day * DAY));
    setenv("ZEROTUTOR_NOW", now, 1);
    free(now);
}

#define SAYS(words, part)                                                                          \
    do {                                                                                           \
        char *said = (words);                                                                      \
        if (!strstr(said, part)) fail_msg("\"%s\" is not in: %s", part, said);                     \
        free(said);                                                                                \
    } while (0)

/* First day: the lesson is gone through, and two of its three problems are answered right. */
static void learn(struct learner *who) {
    go_to_day(0);
    struct session *s = sit(who, "1.1");
    pass(s, LESSON_DO_NEXT, NULL);
    pass(s, LESSON_DO_ANSWER, "112 GB");
    while (lesson_asked(session_dialogue(s))) {
        bool choice = lesson_asked(session_dialogue(s))->form == LESSON_CHOICE;
        pass(s, choice ? LESSON_DO_ANSWER : LESSON_DO_NEXT, choice ? "1" : NULL);
    }
    session_close(s);
}

static void goes_to(const struct session *s, const char *step) {
    assert_string_equal(lesson_where(session_dialogue(s)), step);
}

/* ── days ──────────────────────────────────────────────────────────────────────────────────────*/
static void what_was_learned_today_comes_from_tomorrow_on(void **state) {
    (void)state;
    struct learner *who = open_learner();
    struct base_message m = {0};
    assert_int_equal(session_learner_due(who).count, 0);
    learn(who);
    struct learner_due due = session_learner_due(who);
    assert_true(due.count == 0 && due.next == 1 && due.streak == 1);
    assert_null(session_open(who, LEARNER_REVIEW, &m));
    assert_non_null(strstr(m.what, "nothing is due"));
    go_to_day(1); /* the card and the sheet are new; the problems come in two days */
    due = session_learner_due(who);
    assert_true(due.count == 2 && due.fresh == 2 && due.names == 2); /* nothing fades */
    assert_int_equal(due.streak, 2); /* what was never asked waits, and the day is kept */
    go_to_day(2);
    due = session_learner_due(who);
    assert_true(due.count == 4 && due.fresh == 2 && due.names == 2 && due.weak == 0);
    assert_true(due.minutes == 4); /* 15 + 120 + 45 + 45 seconds */
    session_learner_close(who);
}

static bool names_no_place(void *to, json_t *row) {
    char *text = json_dumps(row, 0);
    bool below = !strstr(text, base_share());
    *(size_t *)to += strstr(text, "file\\\":\\\"lessons/") != NULL;
    if (!below) fail_msg("%s", text);
    free(text);
    return below;
}

/* Where the course lies on this machine is nobody's business who reads a record. */
static void names_no_folder(struct learner *who) {
    size_t named = 0;
    assert_true(store_rows(session_learner_store(who), "answer", names_no_place, &named, NULL));
    assert_true(named > 0);
}

static void a_card_is_turned_and_answered(void **state) {
    (void)state;
    struct learner *who = open_learner();
    learn(who);
    go_to_day(1);
    struct session *s = sit(who, LEARNER_REVIEW);
    goes_to(s, "1.1/card-1");
    char *front = read_events(s);
    assert_non_null(strstr(front, "2 B?"));
    assert_null(strstr(front, "bf16"));
    free(front);
    assert_true(lesson_asked(session_dialogue(s))->card);
    SAYS(act(s, LESSON_DO_NEXT, NULL), "bf16");
    SAYS(act(s, LESSON_DO_ANSWER, "3"), "Type 1 if you knew it");
    SAYS(act(s, LESSON_DO_ANSWER, "1"), "You will see this again in 2 days.");
    session_close(s);
    names_no_folder(who);
    assert_int_equal(session_learner_due(who).count, 1);
    session_learner_close(who);
}

/* One lesson a call, and only of those that today's review asks from. */
static void what_a_review_needs_is_read_ahead(void **state) {
    (void)state;
    struct learner *who = open_learner();
    learn(who);
    session_learner_close(who);
    who = open_learner();
    assert_false(session_review_waits(who));
    session_review_read(who);
    assert_int_equal(session_learner_due(who).count, 0);
    assert_false(session_review_waits(who)); /* nothing is due: nothing is read */
    go_to_day(1);
    assert_int_equal(session_learner_due(who).count, 2);
    assert_true(session_review_waits(who));
    session_review_read(who);
    assert_false(session_review_waits(who));
    session_close(sit(who, LEARNER_REVIEW));
    session_learner_close(who);
}

static void a_missed_card_comes_back_tomorrow(void **state) {
    (void)state;
    struct learner *who = open_learner();
    learn(who);
    go_to_day(1);
    struct session *s = sit(who, LEARNER_REVIEW);
    pass(s, LESSON_DO_NEXT, NULL);
    SAYS(act(s, LESSON_DO_ANSWER, "n"), "This comes back tomorrow, and then after 2 days");
    session_close(s);
    go_to_day(2);
    s = sit(who, LEARNER_REVIEW);
    free(read_events(s));
    session_close(s);
    struct learner_due due = session_learner_due(who);
    assert_true(due.count == 4 && due.weak == 1); /* of three that are not new */
    session_learner_close(who);
}

/* A problem is asked once, with a hint if wanted; the last page says how it went. */
static void problems_are_asked_once(void **state) {
    (void)state;
    struct learner *who = open_learner();
    learn(who);
    go_to_day(2);
    struct session *s = sit(who, LEARNER_REVIEW);
    assert_int_equal(session_minutes_left(s), 4); /* 15 + 120 + 45 + 45 seconds */
    pass(s, LESSON_DO_NEXT, NULL);
    pass(s, LESSON_DO_ANSWER, "1");
    pass(s, LESSON_DO_NEXT, NULL);
    size_t asked = 1;
    while (lesson_asked(session_dialogue(s)) &&
           strcmp(lesson_where(session_dialogue(s)), "result") != 0) {
        const struct lesson_ask *a = lesson_asked(session_dialogue(s));
        assert_false(a->fresh);
        int left = session_minutes_left(s);
        if (strcmp(lesson_where(session_dialogue(s)), "1.1/which") == 0) {
            SAYS(act(s, LESSON_DO_ANSWER, "2"), "This comes back tomorrow");
            assert_int_equal(lesson_asked(session_dialogue(s))->form, LESSON_NEXT);
        }
        if (strcmp(lesson_where(session_dialogue(s)), "1.1/ddp-7b") == 0)
            SAYS(act(s, LESSON_DO_ANSWER, "112"), "You will see this again in");
        char *said = act(s, LESSON_DO_NEXT, NULL);
        if (strcmp(lesson_where(session_dialogue(s)), "result") == 0) {
            assert_non_null(strstr(said, "**You knew 2 of 3.**"));
            assert_non_null(strstr(said, "Stronger now"));
            assert_non_null(strstr(said, "Back tomorrow"));
            assert_non_null(strstr(said, "You skipped 1. It is still due."));
        }
        free(said);
        assert_true(session_minutes_left(s) < left); /* each takes most of a minute */
        asked++;
    }
    assert_int_equal(asked, 4);
    size_t came[LEARNER_SOLID + 1] = {0};
    for (size_t i = 0; i < 4; i++) came[session_step_strength(s, i)]++;
    assert_true(came[LEARNER_SOLID] == 2 && came[LEARNER_WEAK] == 1);
    assert_int_equal(came[LEARNER_PASSED_OVER], 1);
    assert_int_equal(session_minutes_left(s), 0);
    pass(s, LESSON_DO_NEXT, NULL);
    assert_null(lesson_asked(session_dialogue(s)));
    session_close(s);
    session_learner_close(who);
}

/* Answers a problem; the kind of the last figure that was shown, "" if none was. */
static const char *last_mistake(struct learner *who, const char *item,
                                const char *const answers[static 2], char kind[16]) {
    struct session *s = sit(who, LEARNER_REVIEW);
    const struct lesson_event *e;
    while (strcmp(lesson_where(session_dialogue(s)), item) != 0) assert_true(session_suspend(s));
    free(read_events(s));
    for (size_t i = 0; i < 2 && answers[i]; i++)
        session_do(s, &(struct lesson_action){.kind = LESSON_DO_ANSWER, .text = answers[i]});
    *kind = '\0';
    while ((e = session_event(s)))
        if (e->figure) snprintf(kind, 16, "%s", base_json_text(e->figure, "kind", ""));
    session_close(s);
    return kind;
}

/* The same mistake for the third time is answered by both numbers, one above the other. */
static void contrasts(const char *item, const char *const answers[static 2], const char *how) {
    char kind[16];
    struct learner *who = open_learner();
    learn(who);
    for (int day = 2; day < 5; day++) {
        go_to_day(day);
        assert_string_equal(last_mistake(who, item, answers, kind), day < 4 ? "" : how);
    }
    session_learner_close(who);
}

static void a_third_same_mistake_is_answered_by_a_contrast(void **state) {
    (void)state;
    contrasts("1.1/ddp-7b", (const char *[2]){"84 GB"}, "piles");
}

/* A sheet counts once, though its lines have mistakes too. */
static void a_sheet_is_contrasted_by_its_last_line(void **state) {
    (void)state;
    contrasts("1.1/sheet-7b", (const char *[2]){"28 GB", "84 GB"}, "amounts");
}

/* A choice is the same mistake if its words are the same. */
static void a_choice_is_contrasted_with_the_right_one(void **state) {
    (void)state;
    contrasts("1.1/which", (const char *[2]){"2"}, "table");
}

/* ── undo and suspend ──────────────────────────────────────────────────────────────────────────*/
static void an_answer_is_taken_back(void **state) {
    (void)state;
    struct learner *who = open_learner();
    learn(who);
    go_to_day(1);
    struct session *s = sit(who, LEARNER_REVIEW);
    assert_false(session_can_undo(s));
    pass(s, LESSON_DO_NEXT, NULL);
    pass(s, LESSON_DO_ANSWER, "2");
    pass(s, LESSON_DO_NEXT, NULL);
    assert_true(session_undo(s));
    goes_to(s, "1.1/card-1");
    assert_false(session_can_undo(s));
    pass(s, LESSON_DO_NEXT, NULL);
    SAYS(act(s, LESSON_DO_ANSWER, "1"), "You will see this again in 2 days.");
    session_close(s);
    session_learner_close(who);
}

static void what_is_suspended_is_not_asked(void **state) {
    (void)state;
    struct learner *who = open_learner();
    learn(who);
    go_to_day(1);
    struct session *s = sit(who, LEARNER_REVIEW);
    assert_true(session_suspend(s));
    goes_to(s, "1.1/sheet-7b");
    assert_int_equal(session_learner_due(who).count, 1);
    assert_true(session_undo(s));
    goes_to(s, "1.1/card-1");
    assert_int_equal(session_learner_due(who).count, 2);
    assert_true(session_suspend(s));
    session_close(s);
    go_to_day(400);
    assert_int_equal(session_learner_due(who).count, 3);
    session_learner_close(who);
}

/* Nothing of the backlog comes in its place that day, and nobody skipped it. */
static void what_is_suspended_was_not_skipped(void **state) {
    (void)state;
    struct learner *who = open_learner();
    learn(who);
    assert_true(store_set(session_learner_store(who), SESSION_REVIEW_MINUTES, "2", NULL));
    go_to_day(2);
    struct session *s = sit(who, LEARNER_REVIEW);
    char *said = read_events(s);
    while (strcmp(lesson_where(session_dialogue(s)), "result") != 0) {
        assert_true(session_suspend(s));
        free(said);
        said = read_events(s);
    }
    assert_int_equal(session_learner_due(who).count, 0);
    assert_null(strstr(said, "You skipped"));
    assert_non_null(strstr(said, "That is all for today."));
    free(said);
    session_close(s);
    session_learner_close(who);
}

/* Ten failed tries and a right one are no hundred percent, and no zero once it was got right; the
 * next right day outgrows them. */
static void first_tries_tell_how_much_is_recalled(void **state) {
    (void)state;
    struct learner *who = open_learner();
    go_to_day(0);
    assert_true(session_learner_recall(who, 0) != session_learner_recall(who, 0)); /* NaN */
    struct session *s = sit(who, "1.1");
    pass(s, LESSON_DO_NEXT, NULL);
    for (int i = 0; i < 10; i++) pass(s, LESSON_DO_ANSWER, "1 GB");
    assert_true(session_learner_recall(who, 0) == 0);
    pass(s, LESSON_DO_ANSWER, "112 GB");
    double shaky = session_learner_recall(who, 0);
    assert_true(shaky > 0.7 && shaky < 0.8); /* as it will be tomorrow */
    while (lesson_asked(session_dialogue(s))) pass(s, LESSON_DO_NEXT, NULL);
    session_close(s);
    go_to_day(1);
    s = sit(who, LEARNER_REVIEW);
    while (strcmp(lesson_where(session_dialogue(s)), "1.1/ddp-7b") != 0)
        assert_true(session_suspend(s));
    pass(s, LESSON_DO_ANSWER, "112 GB");
    session_close(s);
    assert_true(session_learner_recall(who, 0) == 1);
    go_to_day(60);
    double faded = session_learner_recall(who, 0);
    assert_true(faded > 0.3 && faded < 0.9);
    session_learner_close(who);
}

/* ── other records ─────────────────────────────────────────────────────────────────────────────*/
/* Reading alone makes no file, and finds the same. */
static void reading_alone_changes_nothing(void **state) {
    struct base_message m = {0};
    char *home = base_format("%s/home", (const char *)*state);
    struct learner_due due;
    assert_true(session_due(NULL, &due, &m) && due.count == 0);
    assert_true(access(home, F_OK) != 0);
    struct learner *who = open_learner();
    learn(who);
    session_learner_close(who);
    go_to_day(1);
    assert_true(session_due(NULL, &due, &m));
    assert_int_equal(due.count, 2);
    int files = 0;
    DIR *d = opendir(home);
    for (struct dirent *e; (e = readdir(d));) files += e->d_name[0] != '.';
    closedir(d);
    assert_int_equal(files, 1);
    struct store *s = store_open_to_read(NULL, &m);
    assert_false(store_set(s, "theme", "light", &m));
    store_close(s);
    free(home);
}

static struct learner_due due_now(void) {
    struct base_message m = {0};
    struct learner_due due;
    assert_true(session_due(NULL, &due, &m));
    return due;
}

static void set_kept(const char *value) {
    struct base_message m = {0};
    struct learner *who = open_learner();
    assert_true(store_set(session_learner_store(who), "cache/due", value, &m));
    session_learner_close(who);
}

static char *kept_due(void) {
    struct learner *who = open_learner();
    char *kept = store_setting(session_learner_store(who), "cache/due");
    session_learner_close(who);
    return kept;
}

static bool same_due(const struct learner_due *a, const struct learner_due *b) {
    return a->count == b->count && a->fresh == b->fresh && a->minutes == b->minutes &&
           a->next == b->next && a->streak == b->streak && a->weeks == b->weeks;
}

/* What is kept of the next days is what the answers say on each of them, with the job's weekly
 * problem, and of days after them, and before. */
static void the_days_ahead_are_kept_as_they_will_be(void **state) {
    (void)state;
    struct base_message m = {0};
    struct learner *who = open_learner();
    assert_true(session_learner_set_job(who, "--model llama-3.1-8b --gpus 4 --gpu rtx-4090", &m));
    learn(who);
    session_learner_close(who);
    char *kept = kept_due();
    assert_non_null(kept);
    for (int day = -2; day < 30; day++) {
        go_to_day(day);
        struct learner_due shortcut = due_now();
        set_kept(NULL);
        struct learner_due long_way = due_now();
        set_kept(kept);
        assert_true(same_due(&shortcut, &long_way));
    }
    go_to_day(1);
    assert_int_equal(due_now().count, 3); /* two and the job */
    free(kept);
}

/* It is read, which a number shows that nobody else would say, until anything changes that it was
 * made of. */
static void what_is_kept_of_days_holds_until_something_changes(void **state) {
    (void)state;
    static const char *const setting[][2] = {
        {"job", "another"}, {SESSION_ROLLOVER, "9"}, {"deck/1.1", ""}};
    struct base_message m = {0};
    struct learner *who = open_learner();
    learn(who);
    session_learner_close(who);
    go_to_day(1);
    char *kept = kept_due(), *lines = strchr(kept, '\n');
    struct base_text marked = {0};
    base_text_printf(&marked, "%.*s", (int)(lines - kept), kept);
    for (int i = 0; i < 14; i++) base_text_puts(&marked, "\n77 0 1 0 0 0");
    base_text_puts(&marked, "\n");
    set_kept(marked.s);
    assert_int_equal(due_now().count, 77);
    for (size_t i = 0; i < BASE_COUNT(setting); i++) {
        who = open_learner();
        char *before = store_setting(session_learner_store(who), setting[i][0]);
        assert_true(store_set(session_learner_store(who), setting[i][0], setting[i][1], &m));
        assert_int_not_equal(due_now().count, 77);
        assert_true(store_set(session_learner_store(who), setting[i][0], before, &m));
        assert_int_equal(due_now().count, 77);
        session_learner_close(who);
        free(before);
    }
    setenv("TZ", "Pacific/Kiritimati", 1);
    tzset();
    assert_int_not_equal(due_now().count, 77);
    setenv("TZ", "UTC", 1);
    tzset();
    who = open_learner();
    struct session *s = sit(who, LEARNER_REVIEW);
    assert_true(session_suspend(s));
    assert_int_equal(due_now().count, 1);
    session_close(s);
    session_learner_close(who);
    assert_int_equal(due_now().count, 1);
    base_text_free(&marked);
    free(kept);
}

static void what_is_kept_of_days_may_be_nonsense(void **state) {
    (void)state;
    struct learner *who = open_learner();
    learn(who);
    session_learner_close(who);
    go_to_day(1);
    char *kept = kept_due();
    size_t n = strlen(kept);
    static const char *const nonsense[] = {"", "x", "1 2", "0 0\n1 1 1 1 1 1\n",
                                           "ffff 99999999999\n"};
    for (size_t i = 0; i < BASE_COUNT(nonsense); i++) {
        set_kept(nonsense[i]);
        assert_int_equal(due_now().count, 2);
    }
    for (; n > 0; n--) { /* cut off anywhere: it says the same, or nothing */
        char *cut = base_format("%.*s", (int)n - 1, kept);
        set_kept(cut);
        assert_int_equal(due_now().count, 2);
        free(cut);
    }
    free(kept);
}

/* The memories that are kept are a shortcut: without them, or with nonsense in their place, the
 * answers say the same. */
static void what_is_kept_of_memories_is_a_shortcut(void **state) {
    (void)state;
    static const char *const nonsense[] = {
        NULL, "", "7", "2\nreview 1\n", "999999\nreview 1\n", "1\nreview 1\n1 99 1 1\nx y z\n"};
    struct learner *who = open_learner();
    struct base_message m = {0};
    learn(who);
    session_learner_close(who);
    go_to_day(2);
    for (size_t i = 0; i < BASE_COUNT(nonsense); i++) {
        who = open_learner();
        assert_true(store_set(session_learner_store(who), "cache/reviews", nonsense[i], &m));
        assert_int_equal(session_learner_due(who).count, 4);
        session_learner_close(who);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_learned_today_comes_from_tomorrow_on, open_school,
                                        close_school),
        cmocka_unit_test_setup_teardown(a_card_is_turned_and_answered, open_school, close_school),
        cmocka_unit_test_setup_teardown(what_a_review_needs_is_read_ahead, open_school,
                                        close_school),
        cmocka_unit_test_setup_teardown(a_missed_card_comes_back_tomorrow, open_school,
                                        close_school),
        cmocka_unit_test_setup_teardown(problems_are_asked_once, open_school, close_school),
        cmocka_unit_test_setup_teardown(a_choice_is_contrasted_with_the_right_one, open_school,
                                        school_close),
        cmocka_unit_test_setup_teardown(a_third_same_mistake_is_answered_by_a_contrast, open_school,
                                        close_school),
        cmocka_unit_test_setup_teardown(a_sheet_is_contrasted_by_its_last_line, open_school,
                                        close_school),
        cmocka_unit_test_setup_teardown(first_tries_tell_how_much_is_recalled, open_school,
                                        close_school),
        cmocka_unit_test_setup_teardown(an_answer_is_taken_back, open_school, close_school),
        cmocka_unit_test_setup_teardown(what_is_suspended_is_not_asked, open_school, close_school),
        cmocka_unit_test_setup_teardown(what_is_suspended_was_not_skipped, open_school,
                                        close_school),
        cmocka_unit_test_setup_teardown(reading_alone_changes_nothing, open_school, close_school),
        cmocka_unit_test_setup_teardown(what_is_kept_of_memories_is_a_shortcut, open_school,
                                        close_school),
        cmocka_unit_test_setup_teardown(the_days_ahead_are_kept_as_they_will_be, open_school,
                                        close_school),
        cmocka_unit_test_setup_teardown(what_is_kept_of_days_holds_until_something_changes,
                                        open_school, close_school),
        cmocka_unit_test_setup_teardown(what_is_kept_of_days_may_be_nonsense, open_school,
                                        close_school),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
