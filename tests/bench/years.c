/* years.c: what is asked comes from the course; who answered it, and when, from the row's number.
 */
#include "years.h"

#include "script/script.h"
#include "session/session.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DAY = 86400,
    DAYS = 5 * 365,
    A_DAY = YEARS_ANSWERS / DAYS,
    /* of problems: drawn in one exchange with the lesson */
    DRAWN = 32,
    /* answers that come after what was kept to be faster */
    LATE = 49,
    /* days in which a third of all is not asked, so that reviews are due */
    AWAY = 200,
    ITEMS_MOST = 1000
};

struct asked {
    char *item;
    bool card;
    int tries;
    /* of a problem: the lesson, its function that draws, and what it drew for the next tries */
    struct script *script;
    int fn;
    json_t *problem[DRAWN];
};
struct years {
    sqlite3 *db;
    uint64_t seed;
    struct script *script[ITEMS_MOST];
    size_t scripts;
    struct asked asked[ITEMS_MOST];
    size_t count;
};

void years_fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fprintf(stderr, "bench: ");
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    exit(1);
}

static void run_sql(sqlite3 *db, const char *sql) {
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        years_fail("the record cannot be filled: %s", sqlite3_errmsg(db));
}

static struct learner *open_learner(const char *path) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(path, &m);
    if (!who) years_fail("%s", m.what);
    return who;
}

/* ── what is asked ─────────────────────────────────────────────────────────────────────────────*/
static struct asked *add_asked(struct years *y, const struct lesson *l, const json_t *of) {
    if (y->count == ITEMS_MOST) years_fail("more than %d questions", ITEMS_MOST);
    struct asked *a = &y->asked[y->count++];
    a->item = base_format("%s/%s", lesson_id(l), base_json_text(of, "id", ""));
    return a;
}

static void add_step(struct years *y, const struct lesson *l, size_t i, struct script *s) {
    const json_t *step = lesson_step(l, i), *card;
    size_t n;
    if (lesson_graded(l, i)) {
        struct asked *a = add_asked(y, l, step);
        a->script = s;
        a->fn = (int)base_json_int(json_object_get(step, "vary"), "fn", 0);
    }
    json_array_foreach(json_object_get(step, "cards"), n, card) add_asked(y, l, card)->card = true;
}

/* Opens and leaves a lesson as a learner does, so that the record knows its steps, and adds what it
 * asks. */
static void take_lesson(struct years *y, struct learner *who, size_t i) {
    struct base_message m = {0};
    const struct lesson_entry *e = &session_learner_course(who)->lesson[i];
    struct session *s = session_open(who, e->id, &m);
    char *path = base_format("lessons/%s", e->file);
    struct script *script = s ? script_open(path, NULL, &m) : NULL;
    if (!script) years_fail("%s: %s", e->id, m.what);
    for (size_t k = 0; k < lesson_steps(session_lesson(s)); k++)
        add_step(y, session_lesson(s), k, script);
    session_do(s, &(struct lesson_action){.kind = LESSON_DO_LEAVE});
    y->script[y->scripts++] = script;
    session_close(s);
    free(path);
}

/* ── rows ──────────────────────────────────────────────────────────────────────────────────────*/
static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK) run_sql(db, sql);
    return q;
}

/* What the lesson asks this learner at this try, borrowed; NULL if it draws nothing. */
static const json_t *draw(const struct years *y, struct asked *a, int try) {
    size_t at = (size_t)try % DRAWN;
    struct script_call call[DRAWN];
    if (!a->fn) return NULL;
    if (a->problem[at]) return a->problem[at];
    for (size_t i = 0; i < DRAWN; i++) {
        int of = try + (int)((i + DRAWN - at) % DRAWN);
        json_decref(a->problem[i]);
        call[i].fn = a->fn;
        call[i].seed = lesson_variant_seed(lesson_seed(y->seed, a->item, of));
    }
    if (script_calls(a->script, call, DRAWN, a->problem) != DRAWN)
        years_fail("the numbers of %s cannot be drawn", a->item);
    return a->problem[at];
}

static void add_answer(struct years *y, sqlite3_stmt *q, struct asked *a, int64_t time, int i) {
    int try = ++a->tries;
    size_t at = (size_t)try % DRAWN;
    bool right = (i * 7) % 5 != 0;
    const json_t *problem = draw(y, a, try);
    char *text = problem ? json_dumps(problem, JSON_COMPACT) : base_dup("{}");
    sqlite3_reset(q);
    sqlite3_bind_int64(q, 1, time);
    sqlite3_bind_text(q, 2, a->item, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 3, a->card ? "card" : "", -1, SQLITE_STATIC);
    sqlite3_bind_int(q, 4, try);
    sqlite3_bind_int64(q, 5, (int64_t)lesson_seed(y->seed, a->item, try));
    sqlite3_bind_text(q, 6, text, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 7, right ? "right" : problem ? "mistake" : "wrong", -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 8, !right && problem ? "grads-sharded" : "", -1, SQLITE_STATIC);
    sqlite3_bind_int(q, 9, i % 11 == 0);
    sqlite3_bind_text(q, 10, json_object_get(problem, "problem") ? "112 GB" : "1", -1,
                      SQLITE_STATIC);
    if (sqlite3_step(q) != SQLITE_DONE) years_fail("%s", sqlite3_errmsg(y->db));
    json_decref(a->problem[at]);
    a->problem[at] = NULL;
    free(text);
}

/* Answers number `from` to `to`: so many a day, in turn to each question that day asks. */
static void answer(struct years *y, int from, int to) {
    sqlite3_stmt *q =
        prepare(y->db, "INSERT INTO answer (time, item, line, try, seed, problem, lesson_revision, "
                       "engine_revision, typed, value, verdict, mistake, hints, seconds) "
                       "VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, 1, ?10, 112.0, ?7, ?8, ?9, 21.5)");
    int64_t begun = base_now() - (int64_t)(DAYS + 1) * DAY;
    run_sql(y->db, "BEGIN");
    for (int i = from; i < to; i++) {
        size_t at = (size_t)i % y->count;
        bool rests = i / A_DAY > DAYS - AWAY && at % 3 == 0;
        add_answer(y, q, &y->asked[rests ? (at + 1) % y->count : at],
                   begun + (int64_t)((double)i / YEARS_ANSWERS * DAYS * DAY), i);
    }
    run_sql(y->db, "COMMIT");
    sqlite3_finalize(q);
}

/* Whatever else a learner leaves behind. */
static const char the_rest[] =
    "BEGIN;"
    "UPDATE place SET finished = lesson <> '1.1', time = unixepoch() - 86400 * 1500;"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
    " INSERT INTO note (time, kind, lesson, step, title, text)"
    " SELECT unixepoch() - 86400 * (2000 - i), iif(i % 2, 'note', 'bookmark'), '1.' || (1 + i % 4),"
    " 'step-' || (i % 200), 'A step', 'what I noted about gathers, time ' || i FROM n;"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)"
    " INSERT INTO answer (time, item, line, try, seed, problem, lesson_revision, engine_revision,"
    " typed, value, verdict, mistake, hints, seconds)"
    " SELECT unixepoch() - 86400 * (1800 - 4 * i), 'speed/all', '', i, i, json_object('right', "
    "i % 12, 'asked', 12, 'ms', 60000, 'choose', json('false')), 1, 1, '', i % 12, 'noted', '', 0, "
    "60 FROM n;"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)"
    " INSERT INTO answer (time, item, line, try, seed, problem, lesson_revision, engine_revision,"
    " typed, value, verdict, mistake, hints, seconds)"
    " SELECT unixepoch() - 86400 * (1800 - 25 * i), 'lab/replicas', 'run/0', i, i, '{}', 1, 1, '', "
    "0, 'noted', '', 0, 9 FROM n;"
    "INSERT INTO lab_run (answer, lab, variant, command, exit, events) SELECT id, 'replicas', '', "
    "'zerolab', 'ended', hex(zeroblob(20000)) FROM answer WHERE item = 'lab/replicas';"
    "INSERT INTO answer (time, item, line, try, seed, problem, lesson_revision, engine_revision,"
    " typed, value, verdict, mistake, hints, seconds)"
    " SELECT unixepoch() - 86400 * 100, item, 'suspend', max(try) + 1, 1, NULL, 1, 1, '', 0, "
    "'noted', '', 0, 0 FROM answer WHERE line = 'card' GROUP BY item ORDER BY item LIMIT 3;"
    "COMMIT;";

/* ── a record ──────────────────────────────────────────────────────────────────────────────────*/
static void take_course(struct years *y, const char *path) {
    struct learner *who = open_learner(path);
    const struct lesson_course *c = session_learner_course(who);
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY && c->lesson[i].file) take_lesson(y, who, i);
    session_learner_set_job(who, "--model llama-3.1-8b --gpus 4 --gpu rtx-4090", NULL);
    session_learner_close(who);
}

/* As whoever comes back each day leaves it: what is faster to read was kept. */
static void look_around(const char *path) {
    struct learner *who = open_learner(path);
    session_learner_due(who);
    json_decref(session_learner_study(who));
    session_learner_close(who);
}

static char *trigger_of(sqlite3 *db, const char *name) {
    sqlite3_stmt *q = prepare(db, "SELECT sql FROM sqlite_schema WHERE name = ?1");
    sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
    char *sql = sqlite3_step(q) == SQLITE_ROW ? base_dup((const char *)sqlite3_column_text(q, 0))
                                              : base_dup("");
    sqlite3_finalize(q);
    return sql;
}

/* Of the learner, from which the lessons draw. */
static uint64_t seed_of(sqlite3 *db) {
    sqlite3_stmt *q = prepare(db, "SELECT seed FROM learner");
    uint64_t seed = sqlite3_step(q) == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(q, 0) : 0;
    sqlite3_finalize(q);
    return seed;
}

void years_empty(const char *path) {
    session_learner_close(open_learner(path));
}

void years_forget(const char *path) {
    sqlite3 *db;
    if (sqlite3_open(path, &db) != SQLITE_OK) years_fail("%s", sqlite3_errmsg(db));
    run_sql(db, "DELETE FROM setting WHERE name LIKE 'cache/%'");
    sqlite3_close(db);
}

/* The trigger that refuses a second answer to a try looks at all answers to the item: it is put
 * back at the end. */
void years_make(const char *path) {
    struct years *y = base_alloc(sizeof *y);
    take_course(y, path);
    if (sqlite3_open(path, &y->db) != SQLITE_OK) years_fail("%s", sqlite3_errmsg(y->db));
    y->seed = seed_of(y->db);
    char *once = trigger_of(y->db, "answer_once");
    run_sql(y->db, "DROP TRIGGER answer_once");
    answer(y, 0, YEARS_ANSWERS - LATE);
    run_sql(y->db, the_rest);
    run_sql(y->db, once);
    look_around(path);
    answer(y, YEARS_ANSWERS - LATE, YEARS_ANSWERS);
    sqlite3_close(y->db);
    for (size_t i = 0; i < y->count; i++) {
        for (size_t k = 0; k < DRAWN; k++) json_decref(y->asked[i].problem[k]);
        free(y->asked[i].item);
    }
    for (size_t i = 0; i < y->scripts; i++) script_close(y->script[i]);
    free(once);
    free(y);
}
