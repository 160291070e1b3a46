/* Search while typing: over the course and a record of five years, next to an empty one. Prints
 * milliseconds a search; asserts nothing. */
#include "session/session.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

enum { TIMES = 41, FRAME_MS = 16 };

/* Two hundred answers a day on five years' working days, notes at two hundred steps. */
static const char *const five_years =
    "BEGIN;"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)"
    " INSERT INTO answer (time, item, line, try, seed, problem, lesson_revision, engine_revision,"
    " typed, value, verdict, mistake, hints, seconds)"
    " SELECT 1780000000 + i * 520, '1.' || (1 + i % 4) || '/item-' || (i % 97), '', i, i, '{}', 1,"
    " 1, '112', 112, CASE i % 5 WHEN 0 THEN 'wrong' ELSE 'right' END, '', 0, 12 FROM n;"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
    " INSERT INTO note (time, kind, lesson, step, title, text)"
    " SELECT 1780000000 + i, CASE i % 2 WHEN 0 THEN 'note' ELSE 'bookmark' END, '1.' || (1 + i % "
    "4),"
    " 'step-' || (i % 200), 'A step', 'what I noted about gathers, the ' || i || 'th time' FROM n;"
    "INSERT OR REPLACE INTO place SELECT '1.' || value, 'recap', 1, 1 FROM json_each('[1,2,3,4]');"
    "COMMIT;";

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void count(void *to, const struct session_hit *h) {
    (void)h;
    ++*(size_t *)to;
}

static double search_ms(struct learner *who, const char *words, size_t *hits) {
    double times[TIMES];
    for (int i = 0; i < TIMES; i++) {
        double begun = now_ms();
        *hits = 0;
        session_search(who, &(struct session_query){words, 0, true}, count, hits);
        times[i] = now_ms() - begun;
    }
    qsort(times, TIMES, sizeof *times, by_value);
    return times[TIMES / 2];
}

static struct learner *open_record(const char *path, const char *sql) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(path, &m);
    sqlite3 *db = NULL;
    if (!who) base_die("%s", m.what);
    if (sql && (sqlite3_open(path, &db) != SQLITE_OK || sqlite3_exec(db, sql, NULL, NULL, NULL)))
        base_die("bench: the record cannot be filled: %s", sqlite3_errmsg(db));
    sqlite3_close(db);
    while (session_search_waits(who)) session_search_read(who);
    return who;
}

int main(void) {
    static const char *const words[] = {"ga", "gather", "out of memory", "e", "zzz"};
    char home[] = "/tmp/zerotutor-bench-XXXXXX";
    if (!mkdtemp(home)) return perror("bench: a temporary folder"), 1;
    char *small = base_format("%s/small.db", home), *large = base_format("%s/large.db", home),
         *remove = base_format("rm -rf %s", home);
    struct learner *empty = open_record(small, NULL), *full = open_record(large, five_years);
    printf("search, median of %d, a frame is %d ms: an empty record, one of 300,000 answers\n",
           TIMES, FRAME_MS);
    for (size_t i = 0; i < BASE_COUNT(words); i++) {
        size_t few, many;
        double a = search_ms(empty, words[i], &few), b = search_ms(full, words[i], &many);
        printf("%-22s %8.2f ms %5zu hits %8.2f ms %5zu hits %6.2fx\n", words[i], a, few, b, many,
               b / a);
    }
    session_learner_close(empty);
    session_learner_close(full);
    int status = system(remove);
    free(small);
    free(large);
    free(remove);
    return status;
}
