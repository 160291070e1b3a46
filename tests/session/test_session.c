/* One lesson being taken: resuming, edits, workers that die, files from elsewhere. */
#include "script/script.h"
#include "session/school.h"
#include "session/session.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>

/* A learner with a lesson on it, and all text of the events that came by since it was last cleared.
 */
struct taking {
    struct learner *learner;
    struct session *session;
    struct base_text seen;
    int verdicts, troubles;
    char step[64];
};

static void see(struct taking *t) {
    const struct lesson_event *e;
    while ((e = session_event(t->session))) {
        if (e->kind == LESSON_STEP) snprintf(t->step, sizeof t->step, "%s", e->item);
        if (e->text) base_text_printf(&t->seen, "%s\n", e->text);
        t->verdicts += e->kind == LESSON_VERDICT;
        t->troubles += e->kind == LESSON_TROUBLE;
    }
}

static void take(struct taking *t, const char *lesson) {
    struct base_message m = {0};
    *t = (struct taking){.learner = session_learner_open(NULL, &m)};
    t->session = t->learner ? session_open(t->learner, lesson, &m) : NULL;
    if (!t->session) fail_msg("%s", m.what);
    see(t);
}

static void leave(struct taking *t) {
    session_close(t->session);
    session_learner_close(t->learner);
    base_text_free(&t->seen);
}

static void act(struct taking *t, enum lesson_action_kind kind, const char *text) {
    base_text_free(&t->seen);
    t->verdicts = t->troubles = 0;
    session_do(t->session, &(struct lesson_action){.kind = kind, .text = text});
    see(t);
}

static bool seen(const struct taking *t, const char *words) {
    return t->seen.s && strstr(t->seen.s, words);
}

/* Waits for the watched file's change and takes it in, as a skin does. */
static bool refresh(struct taking *t) {
    struct pollfd wait = {.fd = session_fd(t->session), .events = POLLIN};
    if (wait.fd >= 0) assert_int_equal(poll(&wait, 1, 2000), 1);
    base_text_free(&t->seen);
    t->troubles = 0;
    bool queued = session_refresh(t->session);
    see(t);
    return queued;
}

static void count_answer(void *to, const struct lesson_answer *a) {
    (void)a;
    ++*(int *)to;
}

static int answers(struct taking *t, const char *item) {
    struct lesson_journal j = store_journal(session_learner_store(t->learner));
    int n = 0;
    assert_true(j.answers(j.self, item, count_answer, &n, NULL));
    return n;
}

/* ── taking ────────────────────────────────────────────────────────────────────────────────────*/
static void a_lesson_resumes_where_it_was_left(void **state) {
    (void)state;
    struct taking t;
    take(&t, "1.1");
    assert_string_equal(t.step, "1.1/two-bytes");
    assert_string_equal(lesson_id(session_lesson(t.session)), "1.1");
    assert_string_equal(lesson_title(session_lesson(t.session)), "Bytes of a parameter");
    act(&t, LESSON_DO_NEXT, NULL);
    act(&t, LESSON_DO_ANSWER, "112 GB");
    assert_int_equal(t.verdicts, 1);
    assert_int_equal(answers(&t, "1.1/ddp-7b"), 1);
    act(&t, LESSON_DO_GOTO, "sheet-7b");
    act(&t, LESSON_DO_NEXT, NULL);
    act(&t, LESSON_DO_GOTO, "end"); /* looked up only */
    leave(&t);
    take(&t, "1.1");
    assert_string_equal(t.step, "1.1/which");
    leave(&t);
}

/* Both see try 1; what the first is told of it would help the second. */
static void two_terminals_answer_a_try_once(void **state) {
    (void)state;
    struct taking a, b;
    take(&a, "1.1");
    act(&a, LESSON_DO_NEXT, NULL);
    take(&b, "1.1");
    assert_string_equal(b.step, "1.1/ddp-7b");
    act(&a, LESSON_DO_ANSWER, "1 GB");
    assert_true(seen(&a, "112 GB"));
    act(&b, LESSON_DO_ANSWER, "112 GB");
    assert_int_equal(b.verdicts, 0);
    assert_int_equal(b.troubles, 0);
    assert_true(seen(&b, "You answered this in another terminal."));
    assert_int_equal(answers(&b, "1.1/ddp-7b"), 1);
    assert_int_equal(lesson_asked(session_dialogue(b.session))->try, 2);
    act(&b, LESSON_DO_ANSWER, "112 GB");
    assert_int_equal(b.verdicts, 1);
    leave(&a);
    leave(&b);
}

static void a_file_outside_the_course_is_kept_under_its_own_id(void **state) {
    (void)state;
    struct taking t;
    take(&t, "tests/session/lessons/another-id.lua");
    assert_string_equal(lesson_id(session_lesson(t.session)), "9.9");
    act(&t, LESSON_DO_NEXT, NULL);
    leave(&t);
    take(&t, "tests/session/lessons/another-id.lua");
    assert_string_equal(t.step, "9.9/four-bytes");
    leave(&t);
}

static void what_cannot_be_opened_is_said(void **state) {
    static const struct {
        const char *lesson, *says;
    } cases[] = {
        {"9.9", "unknown lesson '9.9'"},
        {"1.2", "not written yet"},
        {"nowhere.lua", "nowhere.lua"},
        {"tests/session/lessons/broken.lua", "broken.lua:3"},
        {"tests/session/lessons", "tests/session/lessons"},
    };
    (void)state;
    struct learner *who = session_learner_open(NULL, NULL);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct base_message m = {0};
        char text[sizeof m.what + sizeof m.file + 16];
        assert_null(session_open(who, cases[i].lesson, &m));
        if (!strstr(base_message_text(&m, text, sizeof text), cases[i].says))
            fail_msg("%s: \"%s\" does not say \"%s\"", cases[i].lesson, text, cases[i].says);
    }
    session_learner_close(who);
}

/* Answers are kept under ids, so who bears a lesson's id could write into that lesson's record. */
static void an_id_of_the_course_belongs_to_its_file(void **state) {
    char *outside = scratch_path(state, "evil.lua"), *link = scratch_path(state, "link.lua");
    char *own = scratch_path(state, "lessons/first.lua");
    struct taking t;
    struct base_message m = {0};
    take(&t, "1.1");
    act(&t, LESSON_DO_NEXT, NULL);
    school_put(state, "first-shorter.lua", "../evil.lua");
    school_put(state, "first-shorter.lua", "second.lua"); /* 2.1 now says that it is 1.1 */
    assert_null(session_open(t.learner, outside, &m));
    assert_string_equal(m.file, outside);
    assert_non_null(strstr(m.what, "its id is 1.1, which is the course's lesson \"Bytes of a"));
    assert_null(session_open(t.learner, "2.1", &m));
    assert_non_null(strstr(m.what, "its id is 1.1"));
    leave(&t);
    assert_int_equal(symlink(own, link), 0);
    take(&t, link); /* another name of the same file */
    assert_string_equal(t.step, "1.1/ddp-7b");
    leave(&t);
    free(own);
    free(link);
    free(outside);
}

/* ── edits ─────────────────────────────────────────────────────────────────────────────────────*/
static void an_edit_shows_and_keeps_the_step(void **state) {
    struct taking t;
    take(&t, "1.1");
    assert_true(seen(&t, "An elephant takes more"));
    school_put(state, "first-edited.lua", "first.lua");
    assert_true(refresh(&t));
    assert_true(seen(&t, "A mouse takes less"));
    assert_string_equal(t.step, "1.1/two-bytes");
    act(&t, LESSON_DO_NEXT, NULL);
    act(&t, LESSON_DO_ANSWER, "112");
    assert_int_equal(t.verdicts, 1);
    leave(&t);
}

static void an_edit_keeps_the_step_in_the_middle(void **state) {
    struct taking t;
    take(&t, "1.1");
    act(&t, LESSON_DO_GOTO, "which");
    school_put(state, "first-edited.lua", "first.lua");
    assert_true(refresh(&t));
    assert_string_equal(t.step, "1.1/which");
    act(&t, LESSON_DO_ANSWER, "1");
    assert_int_equal(t.verdicts, 1);
    leave(&t);
}

static void a_step_that_was_cut_falls_back_to_one_before_it(void **state) {
    struct taking t;
    take(&t, "1.1");
    act(&t, LESSON_DO_GOTO, "which");
    school_put(state, "first-shorter.lua", "first.lua");
    assert_true(refresh(&t));
    assert_string_equal(t.step, "1.1/two-bytes");
    assert_true(seen(&t, "Only this is left"));
    leave(&t);
}

static void a_broken_edit_is_told_and_the_lesson_goes_on(void **state) {
    struct taking t;
    take(&t, "1.1");
    school_put(state, "broken.lua", "first.lua");
    assert_true(refresh(&t));
    assert_int_equal(t.troubles, 1);
    assert_true(seen(&t, "first.lua:3"));
    act(&t, LESSON_DO_NEXT, NULL);
    act(&t, LESSON_DO_ANSWER, "112");
    assert_int_equal(t.verdicts, 1);
    school_put(state, "first-edited.lua", "first.lua");
    assert_true(refresh(&t));
    assert_int_equal(t.troubles, 0);
    assert_string_equal(t.step, "1.1/ddp-7b");
    leave(&t);
}

static void an_edit_may_not_change_the_id(void **state) {
    struct taking t;
    take(&t, "1.1");
    school_put(state, "another-id.lua", "first.lua");
    assert_true(refresh(&t));
    assert_int_equal(t.troubles, 1);
    assert_true(seen(&t, "9.9"));
    assert_string_equal(lesson_id(session_lesson(t.session)), "1.1");
    leave(&t);
}

static void nothing_happens_without_an_edit(void **state) {
    (void)state;
    struct taking t;
    take(&t, "1.1");
    assert_false(session_refresh(t.session));
    assert_null(session_event(t.session));
    leave(&t);
}

/* ── workers ───────────────────────────────────────────────────────────────────────────────────*/
/* Kills every child of this process: the lesson's worker. Returns how many there were. */
static int kill_children(void) {
    char path[64], *next;
    int killed = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    char *list = base_file_read(path, 4096, NULL, NULL);
    assert_non_null(list);
    for (char *s = list; *s && *s != '\n'; s = next + (*next == ' ')) {
        kill((pid_t)strtol(s, &next, 10), SIGKILL);
        killed++;
    }
    free(list);
    return killed;
}

static void a_killed_worker_costs_nothing(void **state) {
    (void)state;
    struct taking t;
    take(&t, "1.1");
    act(&t, LESSON_DO_NEXT, NULL);
    act(&t, LESSON_DO_ANSWER, "112 GB");
    assert_int_equal(kill_children(), 1);
    act(&t, LESSON_DO_GOTO, "which");
    /* Whether it takes a word of trouble or not, the same question must be there with the next
     * action at the latest. */
    if (t.troubles) act(&t, LESSON_DO_GOTO, "which");
    assert_int_equal(t.troubles, 0);
    act(&t, LESSON_DO_ANSWER, "1");
    assert_int_equal(t.verdicts, 1);
    assert_int_equal(answers(&t, "1.1/ddp-7b"), 1);
    assert_int_equal(answers(&t, "1.1/which"), 1);
    leave(&t);
}

static void a_problem_that_never_comes_back_is_a_trouble(void **state) {
    school_put(state, "endless.lua", "first.lua");
    struct taking t;
    take(&t, "1.1");
    int64_t begun = base_ticks();
    act(&t, LESSON_DO_NEXT, NULL);
    assert_true(base_ticks() - begun < 10000); /* half a second, on a quiet machine */
    assert_int_equal(t.troubles, 1);
    act(&t, LESSON_DO_NEXT, NULL);
    assert_string_equal(t.step, "1.1/end");
    leave(&t);
}

static void no_worker_is_left_behind(void **state) {
    (void)state;
    struct taking t;
    take(&t, "1.1");
    leave(&t);
    assert_int_equal(kill_children(), 0);
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(a_lesson_resumes_where_it_was_left),
        IN_SCHOOL(two_terminals_answer_a_try_once),
        IN_SCHOOL(a_file_outside_the_course_is_kept_under_its_own_id),
        IN_SCHOOL(what_cannot_be_opened_is_said),
        IN_SCHOOL(an_id_of_the_course_belongs_to_its_file),
        IN_SCHOOL(an_edit_shows_and_keeps_the_step),
        IN_SCHOOL(an_edit_keeps_the_step_in_the_middle),
        IN_SCHOOL(a_step_that_was_cut_falls_back_to_one_before_it),
        IN_SCHOOL(a_broken_edit_is_told_and_the_lesson_goes_on),
        IN_SCHOOL(an_edit_may_not_change_the_id),
        IN_SCHOOL(nothing_happens_without_an_edit),
        IN_SCHOOL(a_killed_worker_costs_nothing),
        IN_SCHOOL(a_problem_that_never_comes_back_is_a_trouble),
        IN_SCHOOL(no_worker_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
