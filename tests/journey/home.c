/* home: a learner's folder for a test, and what its record holds. */
#include "journey/rehearsal.h"

#include "base/fatal.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct home home_new(const char *name) {
    struct home h;
    snprintf(h.folder, sizeof h.folder, "/tmp/zerotutor-%.20s-XXXXXX", name);
    if (!mkdtemp(h.folder)) fatal("cannot make a folder under /tmp");
    snprintf(h.store, sizeof h.store, "%s/learner.db", h.folder);
    snprintf(h.variable, sizeof h.variable, "ZEROTUTOR_HOME=%s", h.folder);
    return h;
}

struct home home_copy(const struct home *from, const char *name) {
    struct home h = home_new(name);
    struct base_message m = {0};
    size_t length = 0;
    char *file = base_file_read(from->store, 64 << 20, &length, &m);
    if (!file || !base_file_write(h.store, file, length, &m)) fatal("%s", m.what);
    free(file);
    return h;
}

void home_remove(struct home *h) {
    char *command = base_format("rm -rf '%s'", h->folder);
    if (system(command) != 0) fprintf(stderr, "could not remove %s\n", h->folder);
    free(command);
}

/* The rows of a query as text, columns parted by " | ". */
static char *rows(const struct home *h, const char *query) {
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    struct base_text t = {0};
    if (sqlite3_open(h->store, &db) != SQLITE_OK ||
        sqlite3_prepare_v2(db, query, -1, &s, NULL) != SQLITE_OK)
        fatal("%s: %s", h->store, sqlite3_errmsg(db));
    while (sqlite3_step(s) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            const unsigned char *value = sqlite3_column_text(s, i);
            base_text_printf(&t, "%s%s", i ? " | " : "", value ? (const char *)value : "-");
        }
        base_text_puts(&t, "\n");
    }
    sqlite3_finalize(s);
    sqlite3_close(db);
    return base_text_take(&t);
}

void home_seed(const struct home *h, uint64_t seed) {
    char *query = base_format("UPDATE learner SET seed = %lld", (long long)seed);
    free(rows(h, query));
    free(query);
}

char *home_answers(const struct home *h) {
    return rows(h, "SELECT item, line, try, seed, typed, value, verdict, mistake, hints FROM "
                   "answer ORDER BY id");
}

size_t home_count(const struct home *h) {
    char *count = rows(h, "SELECT count(*) FROM answer");
    size_t n = (size_t)atol(count);
    free(count);
    return n;
}
