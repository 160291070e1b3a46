/* runs.c: runs of labs, by their number. */
#include "store/inside.h"

#define RUN_COLUMNS STORE_RUN_NUMBER ", time, lab, variant, command, exit, problem"
enum { NUMBER, WHEN, LAB, VARIANT, COMMAND, OUTCOME, MEASURED, EVENTS };

static void hand_over(const struct sql *q, bool events,
                      void (*each)(void *to, const struct store_run *r), void *to) {
    json_t *measured = json_loads(store_sql_column(q, MEASURED), 0, NULL);
    struct store_run r = {.number = sqlite3_column_int64(q->statement, NUMBER),
                          .when = sqlite3_column_int64(q->statement, WHEN),
                          .lab = store_sql_column(q, LAB),
                          .variant = store_sql_column(q, VARIANT),
                          .command = store_sql_column(q, COMMAND),
                          .outcome = store_sql_column(q, OUTCOME),
                          .events = events ? store_sql_column(q, EVENTS) : "",
                          .measured = measured};
    each(to, &r);
    json_decref(measured);
}

static bool no_such_run(struct store *s, int64_t number, struct base_message *m) {
    int64_t last = store_last_run(s, NULL);
    if (!last) return base_fail(m, "unknown run %lld: no lab run is kept yet", (long long)number);
    return base_fail(m, "unknown run %lld: the latest is run %lld; `zerotutor lab runs` lists them",
                     (long long)number, (long long)last);
}

bool store_run(struct store *s, int64_t number, void (*each)(void *to, const struct store_run *r),
               void *to, struct base_message *m) {
    struct sql q =
        store_sql_begin(s->db, "SELECT " RUN_COLUMNS ", events FROM lab_run "
                               "JOIN answer ON answer = id WHERE " STORE_RUN_NUMBER " = ?1");
    store_sql_int(&q, 1, number);
    bool found = store_sql_row(&q);
    if (found) hand_over(&q, true, each, to);
    if (!store_sql_end(&q)) return store_sql_fail(s->db, s->path, "read the run", m);
    return found || no_such_run(s, number, m);
}

bool store_runs(struct store *s, const char *lab, int most,
                void (*each)(void *to, const struct store_run *r), void *to,
                struct base_message *m) {
    struct sql q =
        store_sql_begin(s->db, "SELECT " RUN_COLUMNS " FROM lab_run JOIN answer ON answer = id "
                               "WHERE ?1 IS NULL OR lab = ?1 ORDER BY answer DESC LIMIT ?2");
    store_sql_text(&q, 1, lab);
    store_sql_int(&q, 2, most);
    while (store_sql_row(&q)) hand_over(&q, false, each, to);
    return store_sql_end(&q) || store_sql_fail(s->db, s->path, "read the runs", m);
}

int64_t store_last_run(struct store *s, const char *lab) {
    struct sql q = store_sql_begin(s->db, "SELECT max(" STORE_RUN_NUMBER
                                          ") FROM lab_run WHERE ?1 IS NULL OR lab = ?1");
    store_sql_text(&q, 1, lab);
    int64_t number = store_sql_row(&q) ? sqlite3_column_int64(q.statement, 0) : 0;
    store_sql_end(&q);
    return number;
}
