/* derive.c: what the rows say when they are read together. */
#include "store/inside.h"

/* A worksheet's try is judged as a whole in a row without a line, and only such rows count here. */
static const char items_of_prefix[] =
    "SELECT i.item, answers, right, l.verdict, l.time, f.verdict IN ('right', 'rounded') FROM ("
    "SELECT item, count(*) AS answers, sum(verdict IN ('right', 'rounded')) AS right, "
    "max(id) AS last, min(id) AS first FROM answer "
    "WHERE line = '' AND verdict NOT IN ('noted', 'unreadable') AND " STORE_SINCE_RESET
    "AND item >= ?1 AND item < ?1 || char(0x10FFFF) GROUP BY item) AS i "
    "JOIN answer AS l ON l.id = last JOIN answer AS f ON f.id = first ORDER BY i.item";

bool store_items(struct store *s, const char *prefix,
                 void (*each)(void *to, const struct store_item *i), void *to,
                 struct base_message *m) {
    struct sql q = store_sql_begin(s->db, items_of_prefix);
    store_sql_text(&q, 1, prefix);
    while (store_sql_row(&q)) {
        struct store_item item = {
            .item = store_sql_column(&q, 0),
            .answers = sqlite3_column_int(q.statement, 1),
            .right = sqlite3_column_int(q.statement, 2),
            .last = store_sql_column(&q, 3),
            .when = sqlite3_column_int64(q.statement, 4),
            .right_first = sqlite3_column_int(q.statement, 5),
        };
        each(to, &item);
    }
    return store_sql_end(&q) || store_sql_fail(s->db, s->path, "read the answers", m);
}

static const char any_of_prefix[] =
    "SELECT 1 FROM answer WHERE line = '' AND verdict NOT IN ('noted', 'unreadable') "
    "AND " STORE_SINCE_RESET "AND item >= ?1 AND item < ?1 || char(0x10FFFF) LIMIT 1";

bool store_has_items(struct store *s, const char *prefix) {
    struct sql q = store_sql_begin(s->db, any_of_prefix);
    store_sql_text(&q, 1, prefix);
    bool any = store_sql_row(&q);
    return store_sql_end(&q) && any;
}

#define END_OF_ITEM(order)                                                                         \
    "SELECT verdict IN ('right', 'rounded') FROM answer WHERE item = ?1 AND line = '' "            \
    "AND verdict NOT IN ('noted', 'unreadable') AND " STORE_SINCE_RESET "ORDER BY id " order       \
    " LIMIT 1"

/* 1 or 0, -1 if there is none. */
static int right_at(struct store *s, const char *end, const char *item) {
    struct sql q = store_sql_begin(s->db, end);
    store_sql_text(&q, 1, item);
    int right = store_sql_row(&q) ? sqlite3_column_int(q.statement, 0) : -1;
    return store_sql_end(&q) ? right : -1;
}

struct lesson_ends store_item_ends(struct store *s, const char *item) {
    int first = right_at(s, END_OF_ITEM("ASC"), item);
    if (first < 0) return (struct lesson_ends){0};
    return (struct lesson_ends){true, first == 1, right_at(s, END_OF_ITEM("DESC"), item) == 1};
}

/* A memo is answered by its text, and judged by points that are no verdict. Of a problem whose
 * working was shown nothing was typed. */
static const char any_answered[] =
    "SELECT 1 FROM answer "
    "WHERE line = '' AND verdict <> 'unreadable' AND (verdict <> 'noted' OR typed <> '') "
    "AND " STORE_SINCE_RESET "AND item = ?1 AND id > ?2 LIMIT 1";

bool store_was_answered(struct store *s, const char *item, int64_t after) {
    struct sql q = store_sql_begin(s->db, any_answered);
    store_sql_text(&q, 1, item);
    store_sql_int(&q, 2, after);
    bool any = store_sql_row(&q);
    return store_sql_end(&q) && any;
}

static const char any_answered_in[] =
    "SELECT 1 FROM answer AS whole "
    "WHERE line = '' AND verdict NOT IN ('unreadable', 'noted') AND item = ?1 AND id > ?2 "
    "AND EXISTS (SELECT 1 FROM answer AS begun WHERE begun.item = whole.item "
    "AND begun.try = whole.try AND begun.line = ?3) LIMIT 1";

bool store_was_answered_in(struct store *s, const char *item, const char *line, int64_t after) {
    struct sql q = store_sql_begin(s->db, any_answered_in);
    store_sql_text(&q, 1, item);
    store_sql_int(&q, 2, after);
    store_sql_text(&q, 3, line);
    bool any = store_sql_row(&q);
    return store_sql_end(&q) && any;
}

/* A try was answered twice in some records from before version 2: the later row counts, as
 * everywhere. */
static const char tries_of_prefix[] =
    "SELECT sum(verdict IN ('right', 'rounded')) FROM ("
    "SELECT try, verdict, max(id) FROM answer "
    "WHERE line = '' AND verdict NOT IN ('noted', 'unreadable') AND try > 0 "
    "AND " STORE_SINCE_RESET
    "AND item >= ?1 AND item < ?1 || char(0x10FFFF) GROUP BY item, try) GROUP BY try ORDER BY try";

bool store_tries(struct store *s, const char *prefix, void (*each)(void *to, size_t right),
                 void *to, struct base_message *m) {
    struct sql q = store_sql_begin(s->db, tries_of_prefix);
    store_sql_text(&q, 1, prefix);
    while (store_sql_row(&q)) each(to, (size_t)sqlite3_column_int64(q.statement, 0));
    return store_sql_end(&q) || store_sql_fail(s->db, s->path, "read the answers", m);
}

/* By the numbers of the rows, so that a few new ones cost little in a long record. */
#define ANSWERS_AFTER(columns, lines)                                                              \
    "SELECT id, time, item, line, try, verdict, mistake, hints, seconds, typed <> ''" columns      \
    " FROM answer WHERE id > ?1 AND " lines " AND verdict <> 'unreadable' ORDER BY id"
static const char reviews_after[] = ANSWERS_AFTER("", "line IN ('', 'card', 'undo', 'suspend')");
static const char answers_after[] = ANSWERS_AFTER(", problem", "line NOT LIKE 'run/%'");
enum { PROBLEM = 10 };

static struct review_answer read_row(const struct sql *q, int rollover) {
    return (struct review_answer){
        .item = store_sql_column(q, 2),
        .line = store_sql_column(q, 3),
        .try = sqlite3_column_int(q->statement, 4),
        .verdict = store_sql_column(q, 5),
        .mistake = store_sql_column(q, 6),
        .hints = sqlite3_column_int(q->statement, 7),
        .seconds = sqlite3_column_double(q->statement, 8),
        .typed = sqlite3_column_int(q->statement, 9),
        .day = review_day(sqlite3_column_int64(q->statement, 1), rollover),
    };
}

bool store_reviews(struct store *s, int64_t after, int rollover,
                   void (*each)(void *to, int64_t number, const struct review_answer *a), void *to,
                   struct base_message *m) {
    struct sql q = store_sql_begin(s->db, reviews_after);
    store_sql_int(&q, 1, after);
    while (store_sql_row(&q)) {
        struct review_answer a = read_row(&q, rollover);
        each(to, sqlite3_column_int64(q.statement, 0), &a);
    }
    return store_sql_end(&q) || store_sql_fail(s->db, s->path, "read the answers", m);
}

bool store_answers(struct store *s, int64_t after, int rollover,
                   void (*each)(void *to, int64_t number, const struct review_answer *a,
                                const char *problem),
                   void *to, struct base_message *m) {
    struct sql q = store_sql_begin(s->db, answers_after);
    store_sql_int(&q, 1, after);
    while (store_sql_row(&q)) {
        struct review_answer a = read_row(&q, rollover);
        each(to, sqlite3_column_int64(q.statement, 0), &a, store_sql_column(&q, PROBLEM));
    }
    return store_sql_end(&q) || store_sql_fail(s->db, s->path, "read the answers", m);
}

/* Beside min(), the other columns come from the row that has the minimum. */
static const char first_answers[] =
    "SELECT item, verdict IN ('right', 'rounded'), mistake, min(id) FROM answer "
    "WHERE line = '' AND verdict NOT IN ('noted', 'unreadable') GROUP BY item ORDER BY item";

bool store_first_answers(struct store *s,
                         void (*each)(void *to, const char *item, bool right, const char *mistake),
                         void *to, struct base_message *m) {
    struct sql q = store_sql_begin(s->db, first_answers);
    while (store_sql_row(&q))
        each(to, store_sql_column(&q, 0), sqlite3_column_int(q.statement, 1),
             store_sql_column(&q, 2));
    return store_sql_end(&q) || store_sql_fail(s->db, s->path, "read the answers", m);
}

int64_t store_last_answer(struct store *s) {
    return store_sql_number(s->db, "SELECT max(id) FROM answer", 0);
}

int64_t store_last_answer_before(struct store *s, int64_t time) {
    struct sql q =
        store_sql_begin(s->db, "SELECT id FROM answer WHERE time < ?1 ORDER BY id DESC LIMIT 1");
    store_sql_int(&q, 1, time);
    int64_t id = store_sql_row(&q) ? sqlite3_column_int64(q.statement, 0) : 0;
    store_sql_end(&q);
    return id;
}

bool store_places(struct store *s, void (*each)(void *to, const struct store_place *p), void *to,
                  struct base_message *m) {
    struct sql q =
        store_sql_begin(s->db, "SELECT lesson, step, finished, time FROM place ORDER BY lesson");
    while (store_sql_row(&q)) {
        struct store_place place = {
            .lesson = store_sql_column(&q, 0),
            .step = store_sql_column(&q, 1),
            .finished = sqlite3_column_int(q.statement, 2),
            .when = sqlite3_column_int64(q.statement, 3),
        };
        each(to, &place);
    }
    return store_sql_end(&q) || store_sql_fail(s->db, s->path, "read the places", m);
}
