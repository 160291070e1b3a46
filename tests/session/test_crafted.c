/* Records that no tutor wrote: what they say is taken for what it is, and reading them costs
 * little, counted in what SQLite has to do. */
#include "session/school.h"
#include "session/pupil.h"

#include <sqlite3.h>

enum { ALPHA, BETA, REVIEW_1, CHECK_1, GAMMA, REVIEW_2, CHECK_2, DELTA, REVIEW_3, CHECK_3, ALL };

/* ── what is asked of SQLite, over all connections ── */

static struct { int statements, steps; } asked;

static int count(unsigned kind, void *self, void *statement, void *more) {
    (void)self, (void)more;
    if (kind == SQLITE_TRACE_STMT)
        asked.statements++;
    else
        asked.steps += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1);
    return 0;
}

static int watch(sqlite3 *db, char **why, const struct sqlite3_api_routines *api) {
    (void)why, (void)api;
    return sqlite3_trace_v2(db, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE, count, NULL);
}

/* ── crafting ── */

/* As another program does, beside a learner that may be open. */
static void craft(const char *sql) {
    sqlite3 *db;
    char *why = NULL, *path = base_format("%s/learner.db", getenv("ZEROTUTOR_HOME"));
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s", sql, why);
    sqlite3_close(db);
    free(path);
}

/* Right answers to `rows` items whose names begin so, in rounds of six. */
static void craft_answers(const char *prefix, int rows) {
    char *sql = base_format(
        "INSERT INTO answer (time, item, line, try, seed, lesson_revision, engine_revision, typed, "
        "verdict, mistake, hints, seconds) WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + "
        "1 "
        "FROM n WHERE i + 1 < %d) SELECT 0, '%s' || i, '', i / 6 + 1, 0, 1, 1, '1', 'right', '', "
        "0, "
        "0 FROM n",
        rows, prefix);
    craft(sql);
    free(sql);
}

/* ── what it costs ── */

/* What the home screen asks of a learner. */
static void read_home(struct learner *who) {
    size_t check;
    session_learner_next(who);
    session_learner_placement(who, &check);
    for (size_t i = 0; i < session_learner_course(who)->phases; i++) session_learner_gate(who, i);
    for (size_t i = 0; i < ALL; i++) session_learner_progress(who, i);
}

/* Statements of one such reading, where a check that was begun has so many items. */
static int statements_with(int items) {
    struct learner *who = open_learner();
    craft("INSERT OR REPLACE INTO place VALUES ('1c', '1/1.1/a', 0, 0)");
    craft_answers("1c/q", items);
    asked.statements = 0;
    read_home(who);
    int statements = asked.statements;
    session_learner_close(who);
    return statements;
}

static void no_item_of_a_check_costs_a_statement_of_its_own(void **state) {
    int few = statements_with(6);
    school_close(state);
    assert_int_equal(school_open_mixed(state), 0);
    assert_int_equal(statements_with(3000), few);
}

/* Two thousand rounds. */
static void a_check_is_read_once_until_something_is_answered(void **state) {
    enum { ITEMS = 12000 };
    (void)state;
    struct learner *who = open_learner();
    craft("INSERT INTO place VALUES ('1c', '1/1.1/a', 0, 0)");
    craft_answers("1c/q", ITEMS);
    size_t gate = session_learner_gate(who, 1);
    asked.steps = 0;
    session_learner_next(who);
    for (size_t i = 0; i < session_learner_course(who)->phases; i++) session_learner_gate(who, i);
    session_learner_progress(who, CHECK_1);
    assert_in_range(asked.steps, 1, ITEMS);
    assert_int_equal(gate, ALL);
    session_learner_close(who);
}

static void what_another_terminal_answers_counts_at_once(void **state) {
    (void)state;
    struct learner *who = open_learner();
    craft("INSERT INTO place VALUES ('1c', '1/1.1/a', 0, 0)");
    assert_int_equal(session_learner_gate(who, 1), CHECK_1);
    craft_answers("1c/1.1-q", 4);
    assert_int_equal(session_learner_gate(who, 1), CHECK_1);
    assert_int_equal(session_learner_progress(who, CHECK_1).right, 4);
    craft_answers("1c/1.2-q", 1);
    assert_int_equal(session_learner_gate(who, 1), ALL);
    assert_int_equal(session_learner_progress(who, CHECK_1).right, 5);
    session_learner_close(who);
}

/* ── what it says ── */

static void a_count_that_is_none_is_not_known(void **state) {
    static const char *const counts[] = {"", "x", "-1", "2x", " 2", "201", "18446744073709551616"};
    (void)state;
    struct learner *who = open_learner();
    craft("INSERT INTO place VALUES ('1.1', 'a', 0, 0)");
    craft_answers("1.1/q", 3);
    assert_true(store_set(session_learner_store(who), "graded/1.1", "7", NULL));
    assert_int_equal(session_learner_progress(who, ALPHA).graded, 7);
    for (size_t i = 0; i < BASE_COUNT(counts); i++) {
        assert_true(store_set(session_learner_store(who), "graded/1.1", counts[i], NULL));
        if (session_learner_progress(who, ALPHA).graded != 3) fail_msg("graded is '%s'", counts[i]);
    }
    session_learner_close(who);
}

/* A record knows lessons by their ids. Their files are looked for where a person names one, not for
 * every row. */
static void a_row_of_a_file_is_of_no_lesson(void **state) {
    size_t check;
    (void)state;
    struct learner *who = open_learner();
    craft_answers("mixed-a.lua/q", 1);
    assert_int_equal(session_learner_placement(who, &check), LEARNER_PLACING);
    craft("INSERT INTO place VALUES ('mixed-b.lua', 'a', 0, 0)");
    assert_int_equal(session_learner_next(who), ALPHA);
    session_learner_close(who);
}

#define CRAFTED(f) cmocka_unit_test_setup_teardown(f, school_open_mixed, school_close)
int main(void) {
    const struct CMUnitTest tests[] = {
        CRAFTED(no_item_of_a_check_costs_a_statement_of_its_own),
        CRAFTED(a_check_is_read_once_until_something_is_answered),
        CRAFTED(what_another_terminal_answers_counts_at_once),
        CRAFTED(a_count_that_is_none_is_not_known),
        CRAFTED(a_row_of_a_file_is_of_no_lesson),
    };
    sqlite3_auto_extension((void (*)(void))watch);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
