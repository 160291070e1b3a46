/* Labs in a lesson, run by the stand-in for zerolab: asked as the table of labs asks, each run kept
 * as it ends, what was weighed told at the end; stopped, failing, flooding, missing. */
#include "session/school.h"
#include "session/session.h"
#include "store/inside.h"
#include "experiment/tapes.h"

#include <limits.h>
#include <poll.h>

struct taking {
    struct learner *learner;
    struct session *session;
    struct base_text seen;
};

static int open_school(void **state) {
    char path[PATH_MAX];
    if (!realpath("tests/experiment/zerolab.sh", path) || school_open(state) != 0) return -1;
    setenv("ZEROLAB", path, 1);
    unsetenv("FAKE");
    school_put(state, "lab.lua", "lab.lua");
    school_put(state, "no-lab.lua", "no-lab.lua");
    return 0;
}

static int close_school(void **state) {
    unsetenv("ZEROLAB");
    unsetenv("FAKE");
    return school_close(state);
}

static void see(struct taking *t) {
    const struct lesson_event *e;
    while ((e = session_event(t->session))) {
        if (e->text) base_text_printf(&t->seen, "%s\n", e->text);
        char *figure = e->figure ? json_dumps(e->figure, JSON_COMPACT) : NULL;
        if (figure) base_text_printf(&t->seen, "%s\n", figure);
        free(figure);
    }
}

static void act(struct taking *t, enum lesson_action_kind kind, const char *text) {
    base_text_free(&t->seen);
    session_do(t->session, &(struct lesson_action){.kind = kind, .text = text});
    see(t);
}

/* Stands at the lab, the guess made. */
static struct taking at_the_lab(void **state) {
    char *path = base_format("%s/lessons/lab.lua", (const char *)*state);
    struct base_message m = {0};
    struct taking t = {.learner = session_learner_open(NULL, &m)};
    t.session = session_open(t.learner, path, &m);
    if (!t.session) fail_msg("%s", m.what);
    free(path);
    act(&t, LESSON_DO_GOTO, "ladder");
    if (lesson_asked(session_dialogue(t.session))->form == LESSON_CHOICE)
        act(&t, LESSON_DO_ANSWER, "2");
    if (lesson_asked(session_dialogue(t.session))->form == LESSON_NUMBER)
        act(&t, LESSON_DO_ANSWER, "883 KB");
    assert_int_equal(lesson_asked(session_dialogue(t.session))->form, LESSON_RUN);
    assert_string_equal(lesson_asked(session_dialogue(t.session))->lab, "stage-ladder");
    return t;
}

static void leave(struct taking *t) {
    session_close(t->session);
    session_learner_close(t->learner);
    base_text_free(&t->seen);
}

static bool seen(const struct taking *t, const char *words) {
    return t->seen.s && strstr(t->seen.s, words);
}

/* Reads until this many runs have begun and `steps` of the last have ended, or all are over. */
static void read_on(struct session_lab *l, size_t runs, size_t steps) {
    for (int64_t until = base_ticks() + 100000; !session_lab_over(l);) {
        const struct experiment *t = session_lab_run(l, session_lab_at(l));
        if (session_lab_at(l) + 1 >= runs && experiment_state(t)->steps >= steps) return;
        struct pollfd on = {.fd = session_lab_fd(l), .events = POLLIN};
        poll(&on, 1, session_lab_due(l));
        session_lab_read(l);
        if (base_ticks() > until) fail_msg("it does not end");
    }
}

static struct session_lab *start(struct taking *t) {
    struct base_message m = {0};
    struct session_lab *l = session_lab_open_in(t->session, "stage-ladder", NULL, &m);
    if (!l) fail_msg("%s", m.what);
    return l;
}

/* Closes it, and reads what the dialogue says then. */
static void finish(struct taking *t, struct session_lab *l) {
    base_text_free(&t->seen);
    session_lab_close(l);
    see(t);
}

struct kept {
    int runs, measured;
    char lines[400];
};
static void count(void *to, const struct lesson_answer *a) {
    struct kept *k = to;
    if (strncmp(a->line, "run/", 4) != 0) return;
    k->runs++;
    k->measured += json_is_object(a->problem);
    size_t n = strlen(k->lines);
    snprintf(k->lines + n, sizeof k->lines - n, "%s %d; ", a->line + 4, a->try);
}

static struct kept kept(struct taking *t) {
    struct lesson_journal j = store_journal(session_learner_store(t->learner));
    struct kept k = {0};
    assert_true(j.answers(j.self, "3.1/ladder", count, &k, NULL));
    return k;
}

static void a_lab_asks_what_its_table_says(void **state) {
    struct taking t = at_the_lab(state);
    act(&t, LESSON_DO_NEXT, NULL);
    const struct experiment_lab *lab = experiment_lab_find("stage-ladder");
    assert_true(seen(&t, lab->reveal));
    assert_true(seen(&t, "You said: it does not change at all. That is right."));
    assert_true(seen(&t, "You said 883 KB. That is right: it is **882.2 KB**."));
    leave(&t);
}

static void four_runs_are_kept_and_told(void **state) {
    struct taking t = at_the_lab(state);
    struct session_lab *l = start(&t);
    read_on(l, 2, 0);
    assert_int_equal(kept(&t).runs, 1); /* the first was kept when it ended */
    read_on(l, EXPERIMENT_VARIANTS + 1, 0);
    assert_true(session_lab_over(l));
    assert_null(session_lab_trouble(l));
    finish(&t, l);
    assert_true(seen(&t, "The engine predicted **to the byte**"));
    assert_true(seen(&t, "equal, bit for bit"));
    assert_true(seen(&t, "[\"stage 3\",\"3.337 MB\",\"8.24 MB\",\"7.509 MB\",\"3.21580168\"]"));
    assert_true(seen(&t, "times are not those of a cluster"));
    struct kept k = kept(&t);
    assert_int_equal(k.measured, 4);
    assert_string_equal(k.lines, "stage 0 1; stage 1 1; stage 2 1; stage 3 1; ");
    act(&t, LESSON_DO_FRESH, NULL);
    l = start(&t);
    read_on(l, 2, 0);
    session_lab_cancel(l);
    read_on(l, EXPERIMENT_VARIANTS + 1, 0);
    finish(&t, l);
    assert_true(seen(&t, "stage 0")); /* what there is of the second time is told */
    assert_non_null(strstr(kept(&t).lines, "stage 0 2; stage 1 2; "));
    leave(&t);
}

static void a_peak_that_was_not_predicted_is_said(void **state) {
    setenv("FAKE", "drift", 1);
    struct taking t = at_the_lab(state);
    struct session_lab *l = start(&t);
    read_on(l, EXPERIMENT_VARIANTS + 1, 0);
    finish(&t, l);
    assert_true(seen(&t, "missed: the peak by **0."));
    leave(&t);
}

static void one_that_is_left_is_kept_as_cancelled(void **state) {
    setenv("FAKE", "hang", 1);
    struct taking t = at_the_lab(state);
    struct session_lab *l = start(&t);
    read_on(l, 1, 2);
    finish(&t, l);
    assert_true(seen(&t, "The run did not finish"));
    assert_int_equal(kept(&t).runs, 1);
    assert_int_equal(kept(&t).measured, 0);
    assert_int_equal(lesson_asked(session_dialogue(t.session))->form, LESSON_RUN);
    leave(&t);
}

static void what_fails_is_told_and_no_other_begins(void **state) {
    setenv("FAKE", "cap", 1);
    struct taking t = at_the_lab(state);
    struct session_lab *l = start(&t);
    read_on(l, EXPERIMENT_VARIANTS + 1, 0);
    assert_int_equal(session_lab_at(l), 0);
    assert_non_null(strstr(session_lab_trouble(l), "stage 3 would fit"));
    finish(&t, l);
    assert_true(seen(&t, "stage 3 would fit"));
    assert_true(seen(&t, "The lesson continues."));
    leave(&t);
}

/* A rank whose last words are missing kept and peaked nobody knows how much. */
static void what_was_not_told_is_not_weighed(void **state) {
    setenv("FAKE", "lost", 1);
    struct taking t = at_the_lab(state);
    struct session_lab *l = start(&t);
    read_on(l, EXPERIMENT_VARIANTS + 1, 0);
    finish(&t, l);
    assert_int_equal(kept(&t).measured, 0);
    assert_true(seen(&t, "nothing to compare yet"));
    leave(&t);
}

/* What a memo may quote of it is not what is left out. */
static void a_flood_is_kept_in_part(void **state) {
    static const char *const quotable[] = {"step", "activations", "peak"};
    setenv("FAKE", "flood", 1);
    struct taking t = at_the_lab(state);
    struct session_lab *l = start(&t);
    read_on(l, 2, 0);
    assert_int_equal(kept(&t).measured, 1);
    finish(&t, l);
    struct memo_evidence e = session_evidence(session_learner_store(t.learner));
    long stopped = (long)store_last_run(session_learner_store(t.learner), NULL),
         ended = stopped - 1;
    for (size_t i = 0; i < BASE_COUNT(quotable); i++) {
        double value = 0;
        struct base_message m = {0};
        if (e.quoted(e.self, ended, quotable[i], &value, &m) != MEMO_MEASURED)
            fail_msg("%s: %s", quotable[i], m.what);
    }
    leave(&t);
    struct stat s;
    char *path = base_format("%s/home/learner.db", (const char *)*state);
    assert_int_equal(stat(path, &s), 0);
    assert_in_range(s.st_size, 1, 4 << 20);
    free(path);
}

static void without_zerolab_the_lesson_goes_on(void **state) {
    setenv("ZEROLAB", "/nowhere/zerolab", 1);
    struct taking t = at_the_lab(state);
    struct base_message m = {0};
    base_text_free(&t.seen);
    assert_null(session_lab_open_in(t.session, "stage-ladder", NULL, &m));
    see(&t);
    assert_true(seen(&t, "/nowhere/zerolab"));
    act(&t, LESSON_DO_NEXT, NULL);
    act(&t, LESSON_DO_NEXT, NULL);
    assert_true(seen(&t, "Over."));
    assert_null(session_lab_open_in(NULL, "no-such-lab", NULL, &m));
    assert_non_null(strstr(m.what, "lab list"));
    leave(&t);
}

/* Where zerolab cannot run, what was recorded elsewhere is weighed, and said to be a recording. */
static void a_recording_takes_its_place(void **state) {
    struct taking t = at_the_lab(state);
    struct base_message m = {0};
    setenv("ZEROLAB", "/nowhere/zerolab", 1);
    assert_null(session_lab_replay(t.session, "stage-ladder", 0, &m));
    assert_non_null(strstr(m.what, "no recording of 'stage-ladder'"));
    tapes_make(*state, "stage-ladder", 4);
    see(&t);
    struct session_lab *l = session_lab_replay(t.session, "stage-ladder", 0, &m);
    assert_non_null(l);
    assert_true(session_lab_pause(l, true));
    session_lab_read(l);
    assert_int_equal(session_lab_due(l), -1);
    assert_true(session_lab_advance(l) && session_lab_read(l));
    assert_int_equal(experiment_state(session_lab_run(l, 0))->steps, 1);
    session_lab_pause(l, false);
    read_on(l, EXPERIMENT_VARIANTS + 1, 0);
    assert_null(session_lab_trouble(l));
    finish(&t, l);
    assert_true(seen(&t, "This is a recording made on 2 cores. Nothing was run here."));
    assert_true(seen(&t, "The engine predicted **to the byte**"));
    assert_int_equal(kept(&t).measured, 4);
    leave(&t);
}

static enum lesson_form open_lab(struct taking *t, const char *lab) {
    struct base_message m = {0};
    base_text_free(&t->seen);
    t->session = session_open(t->learner, lab, &m);
    if (!t->session) fail_msg("%s", m.what);
    see(t);
    return lesson_asked(session_dialogue(t->session))->form;
}

/* By itself a lab begins anew once it was run: until then guess and estimate are kept for the run
 * that is still to come. */
static void a_lab_asks_once_for_each_run(void **state) {
    (void)state;
    struct base_message m = {0};
    struct taking t = {.learner = session_learner_open(NULL, &m)};
    json_t *measured = json_pack("{si}", "params", 220544);
    struct lesson_run run = {.lab = "first-weighing",
                             .variant = "one rank, fp32",
                             .command = "zerolab",
                             .events = "",
                             .outcome = "cancelled"};
    for (unsigned time = 1; time <= 2; time++) {
        assert_int_equal(open_lab(&t, "lab/first-weighing"), LESSON_CHOICE);
        act(&t, LESSON_DO_ANSWER, "3");
        assert_true(seen(&t, "Noted: the optimizer's moments."));
        session_close(t.session);
        assert_int_equal(open_lab(&t, "lab/first-weighing"), LESSON_NUMBER);
        assert_true(seen(&t, "Your guess is kept: the optimizer's moments."));
        act(&t, LESSON_DO_ANSWER, "3.53");
        assert_true(seen(&t, "Noted: 3.53 MB. Now run it, and see."));
        session_close(t.session);
        assert_int_equal(open_lab(&t, "lab/first-weighing"), LESSON_RUN);
        assert_true(seen(&t, "Your estimate is kept: `3.53`."));
        assert_true(lesson_ran(session_dialogue(t.session), &run, &m));
        session_close(t.session);
        assert_int_equal(open_lab(&t, "lab/first-weighing"), LESSON_RUN);
        run.measured = measured;
        run.outcome = "ended";
        assert_true(lesson_ran(session_dialogue(t.session), &run, &m));
        run.measured = NULL;
        session_close(t.session);
    }
    assert_int_equal(open_lab(&t, "lab/first-weighing"), LESSON_CHOICE);
    act(&t, LESSON_DO_NEXT, NULL);
    assert_true(seen(&t, "No guess."));
    json_decref(measured);
    leave(&t);
}

static void a_lab_that_there_is_not_is_refused(void **state) {
    char *path = base_format("%s/lessons/no-lab.lua", (const char *)*state);
    struct base_message m = {0};
    struct learner *who = session_learner_open(NULL, &m);
    assert_null(session_open(who, path, &m));
    assert_non_null(
        strstr(m.what, "step 'ladder': unknown lab 'snakes-and-ladders': use first-weighing, "));
    assert_int_equal(m.line, 5);
    session_learner_close(who);
    free(path);
}

#define IN_SCHOOL(test) cmocka_unit_test_setup_teardown(test, open_school, close_school)

/* Another terminal on the same record, which keeps a run of the same lab whenever one is committed
 * here. */
static int keep_one_too(void *other, sqlite3 *db, const char *name, int pages) {
    struct lesson_run r = {.lab = "stage-ladder",
                           .variant = "stage 0",
                           .command = "zerolab",
                           .events = "",
                           .outcome = "ended"};
    (void)db, (void)name, (void)pages;
    return store_keep_run(other, &r, NULL) ? SQLITE_OK : SQLITE_ERROR;
}

struct whose {
    char item[64];
};
static void see_whose(void *to, const struct store_run *r) {
    struct whose *w = to;
    snprintf(w->item, sizeof w->item, "%s %s", r->variant, r->command);
}

static void a_run_has_the_number_of_its_own_row(void **state) {
    struct taking t = at_the_lab(state);
    struct base_message m = {0};
    struct store *other = store_open(NULL, &m);
    assert_non_null(other);
    struct session_lab *l = start(&t);
    sqlite3_wal_hook(session_learner_store(t.learner)->db, keep_one_too, other);
    read_on(l, 2, 0);
    sqlite3_wal_hook(session_learner_store(t.learner)->db, NULL, NULL);
    struct whose w = {0};
    assert_true(store_run(other, session_lab_number(l, 0), see_whose, &w, &m));
    assert_string_not_equal(w.item, "stage 0 zerolab"); /* which is the other's */
    finish(&t, l);
    leave(&t);
    store_close(other);
}

/* ── the capstone, outside of a lesson ─────────────────────────────────────────────────────────*/
static struct session_lab *run_capstone(struct learner *who) {
    struct base_message m = {0};
    struct session_lab *l = session_lab_open_in(NULL, "capstone", NULL, &m);
    if (!l) fail_msg("%s", m.what);
    session_lab_keep(l, who);
    read_on(l, EXPERIMENT_VARIANTS + 1, 0);
    return l;
}

static void the_capstone_ends_as_foretold(void **state) {
    (void)state;
    struct base_message m = {0};
    struct learner *who = session_learner_open(NULL, &m);
    struct session_lab *l = run_capstone(who);
    assert_null(session_lab_trouble(l));
    assert_int_equal(experiment_variants(session_lab_what(l)), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(session_lab_well(l, i));
        assert_int_equal(session_lab_number(l, i), (int)i + 1);
        assert_int_equal(session_lab_scale(l, i)->real.stage, 3 - (int)i);
    }
    char *dead = session_quote(session_learner_store(who), 3, &m),
         *whole = session_quote(session_learner_store(who), 2, &m);
    assert_non_null(strstr(dead, "[run 3: needed "));
    assert_non_null(strstr(whole, "[run 2: peak "));
    free(dead);
    free(whole);
    session_lab_close(l);
    session_learner_close(who);
}

static void a_capstone_that_dies_too_early_is_trouble(void **state) {
    (void)state;
    struct base_message m = {0};
    struct learner *who = session_learner_open(NULL, &m);
    setenv("FAKE", "cap", 1);
    struct session_lab *l = run_capstone(who);
    assert_non_null(strstr(session_lab_trouble(l), "out of memory"));
    assert_false(session_lab_well(l, 0));
    assert_null(session_lab_run(l, 1));
    session_lab_close(l);
    session_learner_close(who);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(a_run_has_the_number_of_its_own_row),
        IN_SCHOOL(a_lab_asks_what_its_table_says),
        IN_SCHOOL(four_runs_are_kept_and_told),
        IN_SCHOOL(a_peak_that_was_not_predicted_is_said),
        IN_SCHOOL(one_that_is_left_is_kept_as_cancelled),
        IN_SCHOOL(what_fails_is_told_and_no_other_begins),
        IN_SCHOOL(what_was_not_told_is_not_weighed),
        IN_SCHOOL(a_flood_is_kept_in_part),
        IN_SCHOOL(without_zerolab_the_lesson_goes_on),
        IN_SCHOOL(a_recording_takes_its_place),
        IN_SCHOOL(a_lab_asks_once_for_each_run),
        IN_SCHOOL(a_lab_that_there_is_not_is_refused),
        IN_SCHOOL(the_capstone_ends_as_foretold),
        IN_SCHOOL(a_capstone_that_dies_too_early_is_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
