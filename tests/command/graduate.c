/* graduate: the engine knows every answer, and the lessons draw the numbers. */
#include "command/graduate.h"

#include "base/fatal.h"
#include "script/script.h"
#include "session/session.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { DAY = 86400, FILE_MOST = 1 << 20, ASKS_MOST = 200 };

void graduate_day(int day) {
    char *now = base_format("%lld", 1795003200LL + (long long)day * DAY);
    setenv("ZEROTUTOR_NOW", now, 1);
    free(now);
}

/* whoever takes something, and where the numbers of it come from */
struct taking {
    struct session *session;
    struct script *script;
    struct lesson *lesson;
    uint64_t seed;
};

static void act(struct session *s, enum lesson_action_kind kind, const char *text) {
    session_do(s, &(struct lesson_action){.kind = kind, .text = text});
    while (session_event(s)) continue;
}

static const struct lesson_ask *asked(const struct session *s) {
    return lesson_asked(session_dialogue(s));
}

/* ── the right answer ──────────────────────────────────────────────────────────────────────────*/
static char *number(const json_t *variant, const struct lesson_ask *ask) {
    struct account_problem p;
    struct account_solution s;
    enum account_unit unit = ACCOUNT_UNIT_NONE;
    if (!lesson_problem_read(json_object_get(variant, "problem"), &p, NULL) ||
        !account_solve(&p, &s, NULL))
        fatal("a problem cannot be solved");
    double value = ask->form == LESSON_LINE ? s.line[ask->line].value : s.value;
    account_unit_find(ask->unit, &unit);
    return base_format("%.12g", value / account_unit_scale(unit));
}

/* What the first mistake that the engine names here comes to; the caller's. */
static char *mistaken(const json_t *problem) {
    struct account_problem p;
    struct account_solution s;
    struct account_match wrong;
    size_t n;
    const struct account_mistake *all = account_mistakes(&n);
    if (!lesson_problem_read(problem, &p, NULL) || !account_solve(&p, &s, NULL))
        fatal("a problem cannot be solved");
    for (size_t i = 0; i < n; i++) {
        struct account_judgement j;
        if (!account_mistake_value(&p, all[i].id, &wrong)) continue;
        char *text = base_format("%.12g", wrong.value / account_unit_scale(s.unit));
        account_judge(&p, text, &j);
        if (j.verdict == ACCOUNT_MISTAKE) return text;
        free(text);
    }
    return base_dup("0");
}

static size_t place_of(const struct lesson_ask *ask, const char *text) {
    size_t i = 0;
    while (i < ask->options && strcmp(ask->option[i], text) != 0) i++;
    return i + 1;
}

static char *options(const json_t *variant, const struct lesson_ask *ask) {
    struct base_text t = {0};
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(variant, "choices"), i, one) {
        if (json_is_true(json_object_get(one, "right"))) base_text_printf(&t, "%zu", i + 1);
    }
    json_array_foreach(json_object_get(variant, "items"), i, one) {
        if (json_is_string(one))
            base_text_printf(&t, "%zu ", place_of(ask, json_string_value(one)));
        else
            base_text_printf(&t, "%zu=%c ", i + 1, (int)('a' + base_json_int(one, "bin", 1) - 1));
    }
    return base_text_take(&t);
}

static char *right(struct taking *t, size_t step, const char *item, const struct lesson_ask *ask) {
    const json_t *json = lesson_step(t->lesson, step);
    if (lesson_step_kind(t->lesson, step) == LESSON_MYTH)
        return base_dup(json_is_true(json_object_get(json, "truth")) ? "true" : "false");
    uint64_t seed = lesson_seed(t->seed, item, ask->try);
    json_t *variant = NULL;
    if (ask->try % 2 == 0 && strncmp(item, lesson_id(t->lesson), strlen(lesson_id(t->lesson))) == 0)
        variant =
            lesson_try(t->lesson, step, script_source(t->script), t->seed, ask->try, &seed, NULL);
    else
        variant = lesson_variant(t->lesson, step, script_source(t->script), seed, NULL);
    bool counted = ask->form == LESSON_NUMBER || ask->form == LESSON_LINE;
    char *text = counted ? number(variant, ask) : options(variant, ask);
    json_decref(variant);
    return text;
}

static void answer_all(struct taking *t, size_t step, const char *item) {
    int try = asked(t->session)->try;
    for (int i = 0; i < ASKS_MOST && asked(t->session)->graded; i++) {
        if (asked(t->session)->try != try) fatal("%s: was not answered right", item);
        char *text = right(t, step, item, asked(t->session));
        act(t->session, LESSON_DO_ANSWER, text);
        free(text);
    }
}

/* ── lessons ───────────────────────────────────────────────────────────────────────────────────*/
static void open_source(struct taking *t, struct learner *who, const char *id) {
    struct base_message m = {0};
    size_t i = session_learner_find(who, id);
    char *path =
        base_format("%s/lessons/%s", base_share(), session_learner_course(who)->lesson[i].file);
    t->script = script_open(path, NULL, &m);
    t->lesson = t->script ? lesson_read(script_lesson(t->script), path, &m) : NULL;
    if (!t->lesson) fatal("%s", m.what);
    t->seed = store_seed(session_learner_store(who));
    free(path);
}

static void close_source(struct taking *t) {
    lesson_free(t->lesson);
    script_close(t->script);
}

static void open_session(struct taking *t, struct learner *who, const char *id) {
    struct base_message m = {0};
    t->session = session_open(who, id, &m);
    if (!t->session) fatal("%s: %s", id, m.what);
    while (session_event(t->session)) continue;
}

static void take_lesson(struct learner *who, const char *id, bool first) {
    struct taking t;
    bool wrong = first && strcmp(id, "1.3") == 0, helped = first && strcmp(id, "1.4") == 0;
    open_source(&t, who, id);
    open_session(&t, who, id);
    for (size_t i = 0; i < lesson_steps(t.lesson); i++) {
        const char *step = base_json_text(lesson_step(t.lesson, i), "id", "");
        char *item = base_format("%s/%s", id, step);
        if (!lesson_step_passed(t.lesson, i) || !lesson_graded(t.lesson, i)) {
            free(item);
            continue;
        }
        act(t.session, LESSON_DO_GOTO, step);
        if (wrong && asked(t.session)->form == LESSON_NUMBER) {
            char *text = mistaken(lesson_problem_now(session_dialogue(t.session)));
            act(t.session, LESSON_DO_ANSWER, text);
            free(text);
        }
        if (helped) act(t.session, LESSON_DO_HINT, NULL);
        answer_all(&t, i, item);
        free(item);
    }
    session_close(t.session);
    close_source(&t);
}

/* ── checks ────────────────────────────────────────────────────────────────────────────────────*/
/* "1c/1.3-one-stage" is asked by the step one-stage of 1.3. */
static void answer_check(struct taking *t, struct learner *who, size_t at) {
    const json_t *step = lesson_step(session_lesson(t->session), at);
    const char *id = base_json_text(json_object_get(step, "of"), "id", NULL);
    const char *own = strrchr(base_json_text(step, "id", ""), '/') + 1;
    char *item = base_format("%s/%s-%s", lesson_id(session_lesson(t->session)), id, own);
    open_source(t, who, id);
    answer_all(t, lesson_find(t->lesson, own), item);
    close_source(t);
    free(item);
}

static void take_check(struct learner *who, const char *id) {
    struct taking t;
    open_session(&t, who, id);
    for (size_t i = 0; i + 1 < lesson_steps(session_lesson(t.session)); i++) {
        answer_check(&t, who, i);
        act(t.session, LESSON_DO_NEXT, NULL);
    }
    session_close(t.session);
}

/* ── the memo ──────────────────────────────────────────────────────────────────────────────────*/
static void pass_memo(struct learner *who) {
    struct base_message m = {0};
    struct taking t;
    size_t n;
    char *memo = base_file_read("tests/memo/good-13b.md", FILE_MOST, &n, &m);
    if (!memo) fatal("%s", m.what);
    open_session(&t, who, "4.1");
    act(t.session, LESSON_DO_GOTO, "capstone");
    act(t.session, LESSON_DO_ANSWER, memo);
    session_close(t.session);
    free(memo);
}

/* With a known seed. */
static void make_record(const char *path) {
    struct base_message m = {0};
    struct store *s = store_open(path, &m);
    sqlite3 *db = NULL;
    if (!s) fatal("%s", m.what);
    store_close(s);
    static const char set[] = "UPDATE learner SET seed = 2";
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_exec(db, set, NULL, NULL, NULL) != SQLITE_OK)
        fatal("%s: %s", path, sqlite3_errmsg(db));
    sqlite3_close(db);
}

void graduate(const char *store, bool memo) {
    static const int days[] = {0, 3, 12};
    struct base_message m = {0};
    make_record(store);
    struct learner *who = session_learner_open(store, &m);
    if (!who) fatal("%s", m.what);
    const struct lesson_course *c = session_learner_course(who);
    for (size_t d = 0; d < BASE_COUNT(days); d++) {
        graduate_day(days[d]);
        for (size_t i = 0; i < c->lessons; i++)
            if (c->lesson[i].kind == LESSON_ORDINARY) take_lesson(who, c->lesson[i].id, d == 0);
    }
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_CHECK) take_check(who, c->lesson[i].id);
    if (memo) pass_memo(who);
    session_learner_close(who);
}
