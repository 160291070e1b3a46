/* journal.c: fills lesson's journal. When a call returns true, SQLite has synced what it was
 * given. */
#include "store/inside.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The order in which answers are bound and read. */
#define ANSWER_COLUMNS                                                                             \
    "item, line, try, seed, problem, lesson_revision, typed, value, verdict, mistake, hints, "     \
    "seconds"
enum {
    ITEM,
    LINE,
    TRY,
    SEED,
    PROBLEM,
    LESSON_REVISION,
    TYPED,
    VALUE,
    VERDICT,
    MISTAKE,
    HINTS,
    SECONDS,
    BOUND
};

/* The next try is the highest one plus 1. Another program may have written any number, so only
 * those are read after which there is a next one. */
#define TRY_COUNTS "try BETWEEN 0 AND 1000000000 "

/* A try is answered once in all, so tries after a reset are numbered on from those before; who asks
 * sees them from 1 on again. Without a reset of the lesson no row is read. */
static int tries_before_reset(struct store *s, const char *item) {
    struct sql q =
        store_sql_begin(s->db, "SELECT max(try) FROM answer WHERE item = ?1 AND " TRY_COUNTS
                               "AND id <= (SELECT coalesce(max(r.id), 0) FROM answer r WHERE "
                               "r.item = 'reset/' || substr(?1, 1, instr(?1, '/') - 1))");
    store_sql_text(&q, 1, item);
    int tries = store_sql_row(&q) ? sqlite3_column_int(q.statement, 0) : 0;
    store_sql_end(&q);
    return tries;
}

/* The trigger of data/schema/2.sql refuses a second answer to a try. An answer that could not be
 * read passes it, and is refused here if the try has its answer. */
static bool insert_answer(struct store *s, const struct lesson_answer *a) {
    char *problem = a->problem ? json_dumps(a->problem, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    struct sql q = store_sql_begin(
        s->db, "INSERT INTO answer (" ANSWER_COLUMNS ", time, engine_revision) "
               "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14 "
               "WHERE ?9 <> 'unreadable' OR NOT EXISTS (SELECT 1 FROM answer WHERE item = ?1 "
               "AND line = ?2 AND try = ?3 AND verdict <> 'unreadable')");
    store_sql_text(&q, ITEM + 1, a->item);
    store_sql_text(&q, LINE + 1, a->line);
    store_sql_int(&q, TRY + 1, a->try + tries_before_reset(s, a->item));
    store_sql_int(&q, SEED + 1, (int64_t)a->seed);
    store_sql_text(&q, PROBLEM + 1, problem);
    store_sql_int(&q, LESSON_REVISION + 1, a->lesson_revision);
    store_sql_text(&q, TYPED + 1, a->typed);
    store_sql_real(&q, VALUE + 1, a->value);
    store_sql_text(&q, VERDICT + 1, a->verdict);
    store_sql_text(&q, MISTAKE + 1, a->mistake);
    store_sql_int(&q, HINTS + 1, a->hints);
    store_sql_real(&q, SECONDS + 1, a->seconds);
    store_sql_int(&q, BOUND + 1, base_now());
    store_sql_int(&q, BOUND + 2, STORE_ENGINE_REVISION);
    free(problem);
    return store_sql_write(s->db, &q);
}

/* Numbered after the runs there are, in the caller's transaction; 0 if it could not be written. */
static int64_t insert_run(struct store *s, const struct lesson_run *r) {
    int64_t answer = sqlite3_last_insert_rowid(s->db), number = store_last_run(s, NULL) + 1;
    struct sql q =
        store_sql_begin(s->db, "INSERT INTO lab_run (answer, number, lab, variant, command, exit, "
                               "events) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    store_sql_int(&q, 1, answer);
    store_sql_int(&q, 2, number);
    store_sql_text(&q, 3, r->lab);
    store_sql_text(&q, 4, r->variant);
    store_sql_text(&q, 5, r->command);
    store_sql_text(&q, 6, r->outcome);
    store_sql_text(&q, 7, r->events);
    return store_sql_write(s->db, &q) ? number : 0;
}

/* A run is kept together with the answer that it is, or not at all: in the caller's transaction. */
static bool insert_both(struct store *s, const struct lesson_answer *a) {
    assert(!sqlite3_get_autocommit(s->db));
    if (!insert_answer(s, a)) return false;
    int64_t number = insert_run(s, a->run);
    if (!number || !store_sql_run(s->db, "COMMIT")) return false;
    s->run = number;
    return true;
}

static bool insert_alone_or_both(struct store *s, const struct lesson_answer *a) {
    if (!a->run) return insert_answer(s, a);
    return store_sql_run(s->db, "BEGIN IMMEDIATE") && insert_both(s, a);
}

static bool answer(void *self, const struct lesson_answer *a, struct base_message *m) {
    struct store *s = self;
    if (insert_alone_or_both(s, a)) return true;
    store_sql_fail(s->db, s->path, "keep the answer", m);
    if (a->run) store_sql_run(s->db, "ROLLBACK");
    return false;
}

static double real_column(const struct sql *q, int column) {
    bool none = sqlite3_column_type(q->statement, column) == SQLITE_NULL;
    return none ? (double)NAN : sqlite3_column_double(q->statement, column);
}

static json_t *json_column(const struct sql *q, int column) {
    return json_loads(store_sql_column(q, column), JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
}

/* The answer in the row, its strings borrowed from it; `problem` is the caller's. */
static struct lesson_answer read_answer(const struct sql *q, int tries_before,
                                        const json_t *problem) {
    return (struct lesson_answer){
        .item = store_sql_column(q, ITEM),
        .line = store_sql_column(q, LINE),
        .try = sqlite3_column_int(q->statement, TRY) - tries_before,
        .seed = (uint64_t)sqlite3_column_int64(q->statement, SEED),
        .problem = problem,
        .lesson_revision = sqlite3_column_int(q->statement, LESSON_REVISION),
        .typed = store_sql_column(q, TYPED),
        .value = real_column(q, VALUE),
        .verdict = store_sql_column(q, VERDICT),
        .mistake = store_sql_column(q, MISTAKE),
        .hints = sqlite3_column_int(q->statement, HINTS),
        .seconds = sqlite3_column_double(q->statement, SECONDS),
    };
}

static bool answers(void *self, const char *item,
                    void (*each)(void *to, const struct lesson_answer *a), void *to,
                    struct base_message *m) {
    struct store *s = self;
    struct sql q = store_sql_begin(s->db, "SELECT " ANSWER_COLUMNS " FROM answer WHERE item = ?1 "
                                          "AND " TRY_COUNTS "AND " STORE_SINCE_RESET "ORDER BY id");
    int before = tries_before_reset(s, item);
    store_sql_text(&q, 1, item);
    while (store_sql_row(&q)) {
        json_t *problem = json_column(&q, PROBLEM);
        struct lesson_answer a = read_answer(&q, before, problem);
        if (a.try >= 0) each(to, &a);
        json_decref(problem);
    }
    return store_sql_end(&q) || store_sql_fail(s->db, s->path, "read the answers", m);
}

/* Tries follow each other, so the last answer has the highest. */
int store_last_try(struct store *s, const char *item) {
    struct sql q = store_sql_begin(s->db, "SELECT try FROM answer WHERE item = ?1 AND " TRY_COUNTS
                                          "AND " STORE_SINCE_RESET "ORDER BY id DESC LIMIT 1");
    store_sql_text(&q, 1, item);
    int last = store_sql_row(&q) ? sqlite3_column_int(q.statement, 0) : 0;
    if (!store_sql_end(&q) || last == 0) return 0;
    last -= tries_before_reset(s, item);
    return last > 0 ? last : 0;
}

static bool place_get(void *self, const char *lesson, struct lesson_place *out,
                      struct base_message *m) {
    struct store *s = self;
    *out = (struct lesson_place){0};
    struct sql q = store_sql_begin(s->db, "SELECT step, finished FROM place WHERE lesson = ?1");
    store_sql_text(&q, 1, lesson);
    if (store_sql_row(&q)) {
        snprintf(out->step, sizeof out->step, "%s", store_sql_column(&q, 0));
        out->finished = sqlite3_column_int(q.statement, 1);
    }
    return store_sql_end(&q) || store_sql_fail(s->db, s->path, "read your place", m);
}

/* Once finished, a lesson stays finished, whatever a second terminal that has not seen it says. */
static bool place_set(void *self, const char *lesson, const struct lesson_place *p,
                      struct base_message *m) {
    struct store *s = self;
    struct sql q = store_sql_begin(
        s->db, "INSERT INTO place (lesson, step, finished, time) VALUES (?1, ?2, ?3, ?4) "
               "ON CONFLICT (lesson) DO UPDATE SET step = excluded.step, "
               "finished = max(finished, excluded.finished), time = excluded.time");
    store_sql_text(&q, 1, lesson);
    store_sql_text(&q, 2, p->step);
    store_sql_int(&q, 3, p->finished);
    store_sql_int(&q, 4, base_now());
    return store_sql_write(s->db, &q) || store_sql_fail(s->db, s->path, "keep your place", m);
}

/* ── a run that no lesson asked for ────────────────────────────────────────────────────────────*/
static int next_try(struct store *s, const char *item, const char *line) {
    struct sql q = store_sql_begin(
        s->db, "SELECT coalesce(max(try), 0) + 1 FROM answer WHERE item = ?1 AND line = ?2");
    store_sql_text(&q, 1, item);
    store_sql_text(&q, 2, line);
    int try = store_sql_row(&q) ? sqlite3_column_int(q.statement, 0) : 1;
    store_sql_end(&q);
    return try;
}

/* In one transaction, so that two programs count their tries one after the other. */
static bool insert_own_run(struct store *s, struct lesson_answer *a) {
    assert(sqlite3_get_autocommit(s->db)); /* every transaction ends where it began */
    if (!store_sql_run(s->db, "BEGIN IMMEDIATE")) return false;
    a->try = next_try(s, a->item, a->line);
    return insert_both(s, a);
}

int64_t store_keep_run(struct store *s, const struct lesson_run *r, struct base_message *m) {
    char *item = base_format("lab/%s", r->lab), *line = base_format("run/%s", r->variant);
    struct lesson_answer a = {.item = item,
                              .line = line,
                              .problem = r->measured,
                              .typed = r->command,
                              .value = NAN,
                              .verdict = "noted",
                              .mistake = "",
                              .seconds = r->seconds,
                              .run = r};
    bool kept = insert_own_run(s, &a);
    if (!kept) {
        store_sql_fail(s->db, s->path, "keep the run", m);
        store_sql_run(s->db, "ROLLBACK");
    }
    free(item);
    free(line);
    return kept ? s->run : 0;
}

int64_t store_kept_run(struct store *s) {
    return s->run;
}

/* ── beginning anew ────────────────────────────────────────────────────────────────────────────*/
static bool forget_place(struct store *s, const char *lesson) {
    struct sql q = store_sql_begin(s->db, "DELETE FROM place WHERE lesson = ?1");
    store_sql_text(&q, 1, lesson);
    return store_sql_do(&q);
}

static bool insert_reset(struct store *s, const char *item, const char *lesson) {
    struct lesson_answer a = {.item = item,
                              .line = "reset",
                              .typed = "",
                              .value = NAN,
                              .verdict = "noted",
                              .mistake = ""};
    if (!store_sql_run(s->db, "BEGIN IMMEDIATE")) return false;
    a.try = next_try(s, a.item, a.line);
    return insert_answer(s, &a) && forget_place(s, lesson) && store_sql_run(s->db, "COMMIT");
}

bool store_reset(struct store *s, const char *lesson, struct base_message *m) {
    char *item = base_format(STORE_RESET "%s", lesson);
    bool kept = insert_reset(s, item, lesson);
    if (!kept) {
        store_sql_fail(s->db, s->path, "reset the lesson", m);
        store_sql_run(s->db, "ROLLBACK");
    }
    free(item);
    return kept;
}

static struct lesson_ends ends(void *self, const char *item) {
    return store_item_ends(self, item);
}

struct lesson_journal store_journal(struct store *s) {
    return (struct lesson_journal){s, answer, place_get, place_set, answers, ends};
}
