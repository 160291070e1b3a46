/* The map of the real course: it names what is there, and every problem and myth is about one
 * idea; how well an idea is known follows from the answers. */
#include "base/scratch.h"
#include "script/script.h"
#include "session/finding.h"
#include "session/pupil.h"
#include "store/store.h"

#include <math.h>
#include <string.h>

static int make_home(void **state) {
    if (scratch_make(state) != 0) return -1;
    setenv("ZEROTUTOR_HOME", *state, 1);
    setenv("ZEROTUTOR_NOW", "1780480800", 1);
    setenv("TZ", "UTC0", 1);
    return 0;
}

static int remove_home(void **state) {
    unsetenv("ZEROTUTOR_HOME");
    unsetenv("ZEROTUTOR_NOW");
    return scratch_remove(state);
}
#define IN_HOME(test) cmocka_unit_test_setup_teardown(test, make_home, remove_home)

static size_t ideas_about(const struct lesson_ideas *all, const char *lesson, const char *item) {
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < all->idea[i].items; k++)
            n +=
                strcmp(all->idea[i].lesson, lesson) == 0 && strcmp(all->idea[i].item[k], item) == 0;
    return n;
}

/* Whether the lesson has a step of this id, graded if that is wanted. */
static bool has_step(const struct lesson *l, const char *id, bool graded) {
    for (size_t i = 0; i < lesson_steps(l); i++)
        if (strcmp(base_json_text(lesson_step(l, i), "id", ""), id) == 0)
            return !graded || lesson_graded(l, i);
    return false;
}

static void check_lesson(const struct lesson_ideas *all, const struct lesson *l) {
    const char *id = lesson_id(l);
    for (size_t i = 0; i < lesson_steps(l); i++) {
        const char *step = base_json_text(lesson_step(l, i), "id", "");
        if (lesson_graded(l, i) && ideas_about(all, id, step) != 1)
            fail_msg("%s/%s is about %zu ideas", id, step, ideas_about(all, id, step));
    }
    for (size_t i = 0; i < all->count; i++) {
        const struct lesson_idea *idea = &all->idea[i];
        if (strcmp(idea->lesson, id) != 0) continue;
        if (!has_step(l, idea->step, false)) fail_msg("%s: no step %s", idea->id, idea->step);
        for (size_t k = 0; k < idea->items; k++)
            if (!has_step(l, idea->item[k], true)) fail_msg("%s: no %s", idea->id, idea->item[k]);
    }
}

static void every_problem_is_about_one_idea(void **state) {
    struct learner *who = open_learner();
    const struct lesson_course *c = session_learner_course(who);
    struct lesson_ideas all;
    struct base_message m = {0};
    (void)state;
    if (!session_learner_map(who, &all, &m)) fail_msg("%s", m.what);
    for (size_t i = 0; i < c->lessons; i++) {
        if (!c->lesson[i].file) continue;
        char *path = base_format("lessons/%s", c->lesson[i].file);
        struct script *s = script_open(path, NULL, &m);
        if (!s) fail_msg("%s: %s", path, m.what);
        json_t *json = json_deep_copy(script_lesson(s));
        assert_true(session_complete(json, path, &m));
        struct lesson *l = lesson_read(json, path, &m);
        if (!l) fail_msg("%s: %s", path, m.what);
        check_lesson(&all, l);
        lesson_free(l);
        json_decref(json);
        script_close(s);
        free(path);
    }
    lesson_ideas_free(&all);
    session_learner_close(who);
}

/* A term that names a step leads to it. */
static void terms_lead_to_steps_that_are_there(void **state) {
    struct learner *who = open_learner();
    struct base_message m = {0};
    const json_t *terms = session_book(who, SESSION_GLOSSARY, &m), *term;
    size_t i, named = 0;
    (void)state;
    json_array_foreach(terms, i, term) {
        const char *step = base_json_text(term, "step", ""),
                   *name = base_json_text(term, "term", "");
        size_t at = session_learner_find(who, base_json_text(term, "lesson", ""));
        if (!*step) continue;
        char *path = base_format("lessons/%s", session_learner_course(who)->lesson[at].file);
        struct script *s = script_open(path, NULL, &m);
        if (!s) fail_msg("%s: %s", path, m.what);
        struct lesson *l = lesson_read(script_lesson(s), path, &m);
        if (!l || !has_step(l, step, false)) fail_msg("%s: no step %s in %s", name, step, path);
        lesson_free(l);
        script_close(s);
        free(path);
        named++;
    }
    assert_true(named > 60);
    session_learner_close(who);
}

/* ── how well it is known ──────────────────────────────────────────────────────────────────────*/
static void answer(struct learner *who, const char *item, bool right) {
    struct lesson_journal j = store_journal(session_learner_store(who));
    struct lesson_answer a = {.item = item,
                              .line = "",
                              .try = 1,
                              .typed = "14",
                              .value = 14,
                              .verdict = right ? "right" : "wrong",
                              .mistake = ""};
    assert_true(j.answer(j.self, &a, NULL));
}

static struct learner_idea known(struct learner *who, const char *id) {
    struct lesson_ideas all;
    struct learner_idea known = {0};
    bool found = false;
    assert_true(session_learner_map(who, &all, NULL));
    for (size_t i = 0; i < all.count; i++) {
        if (strcmp(all.idea[i].id, id) != 0) continue;
        known = session_learner_idea(who, &all.idea[i]);
        found = true;
    }
    assert_true(found);
    lesson_ideas_free(&all);
    return known;
}

static void put_place(struct learner *who, const char *lesson, const char *step, bool finished) {
    struct lesson_journal j = store_journal(session_learner_store(who));
    struct lesson_place p = {.finished = finished};
    snprintf(p.step, sizeof p.step, "%s", step);
    assert_true(j.place_set(j.self, lesson, &p, NULL));
}

static void strength_follows_from_the_answers(void **state) {
    struct learner *who = open_learner();
    (void)state;
    assert_int_equal(known(who, "units").strength, LEARNER_NOT_MET);
    assert_true(isnan(known(who, "units").today));
    put_place(who, "1.1", "by-hand", false);
    assert_int_equal(known(who, "units").strength, LEARNER_MET);
    answer(who, "1.1/in-gib", true); /* one right answer is no certainty yet */
    assert_int_equal(known(who, "units").strength, LEARNER_FADING);
    assert_int_equal(known(who, "units").asked, 1);
    answer(who, "1.1/one-number", true); /* one of six */
    assert_int_equal(known(who, "bytes").strength, LEARNER_MET);
    struct learner_idea now = known(who, "units");
    assert_true(now.month > 0.3 && now.month < now.today && now.today > 0.7);
    session_learner_close(who);

    setenv("ZEROTUTOR_NOW", "1783072800", 1); /* thirty days later */
    who = open_learner();
    struct learner_idea then = known(who, "units");
    assert_true(fabs(then.today - now.month) < 1e-9);
    assert_int_equal(then.strength, LEARNER_WEAK);
    session_learner_close(who);
}

static void what_was_missed_is_weak(void **state) {
    struct learner *who = open_learner();
    (void)state;
    put_place(who, "1.1", "recap", true);
    answer(who, "1.1/in-gib", false);
    assert_int_equal(known(who, "units").strength, LEARNER_WEAK);
    assert_true(known(who, "units").today > 0); /* one wrong answer is no certainty either */
    session_learner_close(who);
}

static double likely(struct learner *who, const char *skill) {
    struct learner_skill *list;
    size_t n = session_learner_skills(who, &list);
    double found = (double)NAN;
    for (size_t i = 0; i < n; i++)
        if (strstr(list[i].name, skill)) found = list[i].likely[0];
    free(list);
    return found;
}

static void answer_stage(struct learner *who, const char *item, int stage, bool right) {
    struct lesson_journal j = store_journal(session_learner_store(who));
    json_t *asked = json_pack("{s{ss ss ss s{sI si si}}}", "problem", "kind", "bytes", "quantity",
                              "grads", "unit", "GB", "training", "params", (json_int_t)7000000000,
                              "gpus", 8, "stage", stage);
    struct lesson_answer a = {.item = item,
                              .line = "",
                              .try = 1,
                              .problem = asked,
                              .typed = "14",
                              .value = 14,
                              .verdict = right ? "right" : "wrong",
                              .mistake = ""};
    assert_true(j.answer(j.self, &a, NULL));
    json_decref(asked);
}

/* The mistake made last on one of the idea's problems is named with it. */
static void an_idea_names_the_last_slip(void **state) {
    struct learner *who = open_learner();
    struct lesson_journal j = store_journal(session_learner_store(who));
    (void)state;
    assert_string_equal(known(who, "stages").slip, "");
    answer_stage(who, "1.3/one-stage", 1, true);
    assert_string_equal(known(who, "stages").slip, "");
    struct lesson_answer a = {.item = "1.3/one-stage",
                              .line = "",
                              .try = 2,
                              .typed = "14",
                              .value = 14,
                              .verdict = "mistake",
                              .mistake = "no-master"};
    assert_true(j.answer(j.self, &a, NULL));
    assert_true(*known(who, "stages").slip && known(who, "stages").slip_days == 0);
    assert_string_equal(known(who, "fits").slip, "");
    session_learner_close(who);
    setenv("ZEROTUTOR_NOW", "1780740000", 1); /* three days later */
    who = open_learner();
    assert_int_equal(known(who, "stages").slip_days, 3);
    session_learner_close(who);
}

/* Map and Progress have one estimate: an idea's is the mean over its problems' skills. */
static void the_map_says_what_progress_says(void **state) {
    struct learner *who = open_learner();
    (void)state;
    put_place(who, "1.3", "recap", true);
    answer_stage(who, "1.3/one-stage", 1, false);
    answer_stage(who, "1.3/whole-or-shard", 3, true);
    answer_stage(who, "1.3/largest-at-stage", 1, true); /* another idea's, of the same skill */
    double one = likely(who, "stage 1"), three = likely(who, "stage 3");
    if (!(one > 0 && one < three)) fail_msg("stage 1: %g, stage 3: %g", one, three);
    assert_true(fabs(known(who, "stages").today - (one + three) / 2) < 1e-9);
    assert_true(fabs(known(who, "fits").today - one) < 1e-9);
    session_learner_close(who);
}

/* ── other clocks ──────────────────────────────────────────────────────────────────────────────*/
/* What each view says of lesson 1.1: what is due in all and of its units, how strong the map and
 * home have it. */
struct views {
    size_t due, units;
    double map, progress, home;
};

static struct views look(const char *now, const char *zone) {
    setenv("ZEROTUTOR_NOW", now, 1);
    setenv("TZ", zone, 1);
    struct learner *who = open_learner();
    struct learner_due prompt;
    struct lesson_ideas all;
    struct base_message m = {0};
    struct views v = {.due = session_learner_due(who).count};
    assert_true(session_due(NULL, &prompt, &m));
    assert_int_equal(prompt.count, v.due);
    assert_true(session_learner_map(who, &all, NULL));
    struct learner_asks *asks = base_alloc(all.count * sizeof *asks);
    session_learner_ideas_due(who, &all, asks);
    for (size_t i = 0; i < all.count; i++)
        if (strcmp(all.idea[i].id, "units") == 0) v.units = asks[i].due;
    free(asks);
    lesson_ideas_free(&all);
    v.map = known(who, "units").today;
    v.progress = likely(who, "1.1");
    v.home = session_learner_recall(who, session_learner_find(who, "1.1"));
    session_learner_close(who);
    unsetenv("TZ");
    return v;
}

/* A week after an answer on 3 June 2026 it is due; a day after it, it is not. Under a clock set
 * back nobody knows how long it waits: it is due, and as strong as on the day on which it was due.
 */
static void a_clock_set_back_is_one_for_all_views(void **state) {
    static const struct {
        const char *now, *zone;
        bool due;
        double least, most;
    } rows[] = {
        {"1780480800", "UTC0", false, 0.999, 1},
        {"1780437600", "UTC0", false, 0.999, 1},  /* same */
        {"1780394400", "UTC0", false, 0.999, 1},  /* a day back */
        {"1748944800", "UTC0", true, 0.85, 0.95}, /* a year back */
        {"1780480800", "XXX12", false, 0.999, 1},
        {"1780480800", "XXX-14", false, 0.8, 1}, /* zones */
        {"1781690400", "UTC0", true, 0.5, 0.9},  /* two weeks on */
    };
    struct learner *who = open_learner();
    (void)state;
    put_place(who, "1.1", "recap", true);
    answer(who, "1.1/in-gib", true);
    session_learner_close(who);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct views v = look(rows[i].now, rows[i].zone);
        if ((v.units > 0) != rows[i].due || fabs(v.map - v.progress) > 1e-9 ||
            v.home < rows[i].least || v.home > rows[i].most)
            fail_msg("row %zu: %zu due, %zu of units, map %g, progress %g, home %g", i, v.due,
                     v.units, v.map, v.progress, v.home);
        assert_true(v.due >= v.units);
    }
}

/* What stands for an idea is drawn, and answers nothing that its lesson asks before. */
static void an_idea_has_a_figure(void **state) {
    static const char *const expected[][2] = {
        {"bytes", "ledger"},     {"units", "units"},      {"copies", "owners"},
        {"stages", "stack"},     {"buckets", "timeline"}, {"peak", "curve"},
        {"flat-buffer", "play"}, {"traffic", "traffic"},  {"all-reduce", "play"},
    };
    struct learner *who = open_learner();
    struct lesson_ideas all;
    size_t drawn = 0;
    (void)state;
    assert_true(session_learner_map(who, &all, NULL));
    for (size_t i = 0; i < all.count; i++) {
        json_t *figure = session_idea_figure(who, &all, i);
        const char *kind = base_json_text(figure, "kind", "");
        drawn += figure != NULL;
        assert_string_not_equal(kind, "table");
        assert_null(json_object_get(figure, "range")); /* that of sliders, which it is without */
        for (size_t k = 0; k < BASE_COUNT(expected); k++)
            if (strcmp(all.idea[i].id, expected[k][0]) == 0)
                assert_string_equal(kind, expected[k][1]);
        json_decref(figure);
    }
    assert_int_equal(drawn, all.count);
    lesson_ideas_free(&all);
    session_learner_close(who);
}

static void a_lesson_has_a_figure(void **state) {
    struct learner *who = open_learner();
    const struct lesson_course *course = session_learner_course(who);
    (void)state;
    for (size_t i = 0; i < course->lessons; i++) {
        if (course->lesson[i].kind != LESSON_ORDINARY) continue;
        json_t *figure = session_learner_face(who, i);
        assert_non_null(figure);
        assert_string_not_equal(base_json_text(figure, "kind", "table"), "table");
        json_decref(figure);
    }
    session_learner_close(who);
}

/* The kind of the figure that the lesson's sliders move. */
static const char *kind_of_sliders(const struct lesson *l) {
    size_t i = 0;
    while (lesson_step_kind(l, i) != LESSON_EXPLORE) i++;
    return base_json_text(json_object_get(lesson_step(l, i), "figure"), "kind", "");
}

/* A play that has not moved, one bar and the others open, or sliders where they begin. */
static bool leaves_open(const json_t *figure, const struct lesson *l) {
    const char *kind = base_json_text(figure, "kind", "");
    const json_t *bars = json_object_get(figure, "bars"), *bar;
    size_t i;
    if (strcmp(kind, "play") == 0) return base_json_int(figure, "frame", 0) == 0;
    if (strcmp(kind, "stack") != 0) return strcmp(kind, kind_of_sliders(l)) == 0;
    json_array_foreach(bars, i,
                       bar) if (i > 0 && !base_json_bool(bar, "unknown", false)) return false;
    return json_array_size(bars) > 1;
}

static void no_figure_answers_what_a_lesson_asks_first(void **state) {
    struct learner *who = open_learner();
    const struct lesson_course *course = session_learner_course(who);
    (void)state;
    for (size_t i = 0; i < course->lessons; i++) {
        if (course->lesson[i].kind != LESSON_ORDINARY) continue;
        json_t *before = session_learner_face(who, i);
        struct session *s = sit(who, course->lesson[i].id);
        if (!leaves_open(before, session_lesson(s)))
            fail_msg("the figure of %s tells what it asks", course->lesson[i].id);
        json_t *opened = session_learner_face(who, i);
        assert_true(json_equal(before, opened));
        pass(s, LESSON_DO_ANSWER, "1");
        session_close(s);
        json_t *after = session_learner_face(who, i);
        if (strcmp(course->lesson[i].id, "2.1") == 0)
            assert_true(base_json_int(after, "frame", 0) > 0);
        json_decref(after);
        json_decref(opened);
        json_decref(before);
    }
    session_learner_close(who);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_HOME(every_problem_is_about_one_idea),
        IN_HOME(strength_follows_from_the_answers),
        IN_HOME(terms_lead_to_steps_that_are_there),
        IN_HOME(what_was_missed_is_weak),
        IN_HOME(an_idea_names_the_last_slip),
        IN_HOME(the_map_says_what_progress_says),
        IN_HOME(a_clock_set_back_is_one_for_all_views),
        IN_HOME(an_idea_has_a_figure),
        IN_HOME(a_lesson_has_a_figure),
        IN_HOME(no_figure_answers_what_a_lesson_asks_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
