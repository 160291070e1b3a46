/* carry.c: all rows of a record as lines of JSON, and back into an empty one. It knows no table by
 * name but two: the schema says which there are, and every file's schema was compared with ours
 * when it was opened. */
#include "store/migrate.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The learner's own row, and settings, are there in a record in which nothing was done. */
#define MADE_WITH_THE_RECORD "('learner', 'setting')"
/* Settings under this name are derived from the rest, so they stay where they are. */
#define DERIVED "name LIKE 'cache/%'"

enum { COLUMNS_MOST = 32, NAME_MOST = 64 };
struct table {
    char name[NAME_MOST];
    size_t columns;
    char column[COLUMNS_MOST][NAME_MOST];
    /* it holds numbers with fractions */
    bool real[COLUMNS_MOST];
};

/* Tables are made before those that refer to them. */
static const char tables_in_order[] = "SELECT name FROM sqlite_schema WHERE type = 'table' "
                                      "AND name NOT LIKE 'sqlite_%' ORDER BY rowid";

static bool describe(struct store *s, const char *name, struct table *t) {
    *t = (struct table){0};
    snprintf(t->name, sizeof t->name, "%s", name);
    struct sql q = store_sql_begin(s->db, "SELECT name, type FROM pragma_table_info(?1)");
    store_sql_text(&q, 1, name);
    while (store_sql_row(&q)) {
        assert(t->columns < COLUMNS_MOST); /* of our own schema */
        snprintf(t->column[t->columns], NAME_MOST, "%s", store_sql_column(&q, 0));
        t->real[t->columns++] = strcmp(store_sql_column(&q, 1), "REAL") == 0;
    }
    return store_sql_end(&q);
}

/* ── out ───────────────────────────────────────────────────────────────────────────────────────*/
/* Text that is not UTF-8 travels as its bytes in hexadecimal, and so do zero bytes. */
static json_t *bytes_as_hex(const unsigned char *byte, size_t n) {
    struct base_text t = {0};
    for (size_t i = 0; i < n; i++) base_text_printf(&t, "%02x", byte[i]);
    json_t *o = json_pack("{ss}", "hex", t.s ? t.s : "");
    base_text_free(&t);
    return o;
}

static json_t *text_as_json(const struct sql *q, int i) {
    const unsigned char *text = sqlite3_column_text(q->statement, i);
    size_t n = (size_t)sqlite3_column_bytes(q->statement, i);
    bool plain = memchr(text, 0, n) == NULL && base_utf8_valid((const char *)text, n);
    return plain ? json_stringn((const char *)text, n) : bytes_as_hex(text, n);
}

static json_t *cell_as_json(const struct sql *q, int i) {
    double real = sqlite3_column_double(q->statement, i);
    switch (sqlite3_column_type(q->statement, i)) {
    case SQLITE_NULL: return json_null();
    case SQLITE_INTEGER: return json_integer(sqlite3_column_int64(q->statement, i));
    case SQLITE_FLOAT:
        return isinf(real) ? json_string(real > 0 ? "inf" : "-inf") : json_real(real);
    default: return text_as_json(q, i);
    }
}

char *store_row_text(const json_t *row) {
    char *text = json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(17));
    assert(text != NULL); /* texts are UTF-8, numbers are finite */
    return text;
}

struct outlet {
    bool (*line)(void *to, json_t *row);
    void *to;
};

static bool give(const struct outlet *o, json_t *line) {
    bool taken = o->line(o->to, line);
    json_decref(line);
    return taken;
}

static bool give_head(const struct outlet *o, const struct table *t) {
    json_t *columns = json_array();
    for (size_t i = 0; i < t->columns; i++)
        json_array_append_new(columns, json_string(t->column[i]));
    return give(o, json_pack("{ss so}", "table", t->name, "columns", columns));
}

static bool give_row(const struct outlet *o, const struct table *t, const struct sql *q) {
    json_t *row = json_array();
    for (size_t i = 0; i < t->columns; i++) json_array_append_new(row, cell_as_json(q, (int)i));
    return give(o, row);
}

/* The key of every table stands in its first columns, so that the order is always the same. */
static bool give_table(struct store *s, const char *name, const struct outlet *o) {
    struct table t;
    if (!describe(s, name, &t) || !give_head(o, &t)) return false;
    bool setting = strcmp(name, "setting") == 0;
    char *text = base_format("SELECT * FROM %s%s ORDER BY 1, 2", t.name,
                             setting ? " WHERE NOT " DERIVED : "");
    struct sql q = store_sql_begin(s->db, text);
    bool taken = true;
    while (taken && store_sql_row(&q)) taken = give_row(o, &t, &q);
    free(text);
    return store_sql_end(&q) && taken;
}

static bool give_tables(struct store *s, const char *only, const struct outlet *o) {
    struct sql q = store_sql_begin(s->db, tables_in_order);
    bool given = true;
    while (given && store_sql_row(&q)) {
        const char *name = store_sql_column(&q, 0);
        if (!only || strcmp(name, only) == 0) given = give_table(s, name, o);
    }
    return store_sql_end(&q) && given;
}

bool store_rows(struct store *s, const char *only, bool (*line)(void *to, json_t *row), void *to,
                struct base_message *m) {
    struct outlet o = {line, to};
    bool given = store_sql_run(s->db, "BEGIN") && give_tables(s, only, &o);
    if (!given) store_sql_fail(s->db, s->path, "read the record", m);
    return store_sql_run(s->db, given ? "COMMIT" : "ROLLBACK") && given;
}

int64_t store_version(struct store *s) {
    return store_sql_number(s->db, "PRAGMA user_version", 0);
}

/* ── in ────────────────────────────────────────────────────────────────────────────────────────*/
struct store_intake {
    struct store *store;
    struct table table;
    /* into `table`, with the file's columns in the file's order */
    struct sql insert;
    size_t columns;
    bool real[COLUMNS_MOST];
};

static bool is_empty(struct store *s) {
    bool empty = true;
    struct sql q = store_sql_begin(
        s->db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
               "AND name NOT IN " MADE_WITH_THE_RECORD);
    while (empty && store_sql_row(&q)) {
        char *text =
            base_format("SELECT count(*) FROM (SELECT 1 FROM %s LIMIT 1)", store_sql_column(&q, 0));
        empty = store_sql_number(s->db, text, 1) == 0;
        free(text);
    }
    return store_sql_end(&q) && empty;
}

/* In one transaction, since another terminal may begin to use the record just now. */
static bool take_seed(struct store *s, uint64_t seed, struct base_message *m) {
    char *set = base_format("UPDATE learner SET seed = %lld", (long long)seed);
    bool begun = store_sql_run(s->db, "BEGIN IMMEDIATE"), empty = begun && is_empty(s);
    bool set_now = empty && store_sql_run(s->db, set) && store_sql_run(s->db, "COMMIT");
    free(set);
    if (set_now) {
        s->seed = seed;
        return true;
    }
    if (!begun || empty)
        store_sql_fail(s->db, s->path, "write the record", m);
    else
        base_fail_at(m, s->path, 0,
                     "the numbers in this record were drawn for another learner: move the file "
                     "away, and zerotutor makes a new one");
    if (begun) store_sql_run(s->db, "ROLLBACK");
    return false;
}

struct store *store_open_seeded(const char *path, uint64_t seed, struct base_message *m) {
    struct store *s = store_open(path, m);
    if (!s || s->seed == seed || take_seed(s, seed, m)) return s;
    store_close(s);
    return NULL;
}

/* Tries are answered once since version 2, and records from before may hold pairs: they are taken
 * as they are. */
static void heed_triggers(struct store *s, int on) {
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, on, (int *)NULL);
}

struct store_intake *store_intake_begin(struct store *s, struct base_message *m) {
    heed_triggers(s, 0);
    bool begun = store_sql_run(s->db, "BEGIN IMMEDIATE");
    bool empty = begun && is_empty(s);
    if (empty && store_sql_run(s->db, "DELETE FROM setting; DELETE FROM learner")) {
        struct store_intake *in = base_alloc(sizeof *in);
        in->store = s;
        return in;
    }
    if (!begun || empty)
        store_sql_fail(s->db, s->path, "write the record", m);
    else
        base_fail_at(m, s->path, 0,
                     "this record is in use, and an import would mix two learners: export it, then "
                     "delete it (`zerotutor record delete`), or name another file with --store");
    if (begun) store_sql_run(s->db, "ROLLBACK");
    heed_triggers(s, 1);
    return NULL;
}

static void end_table(struct store_intake *in) {
    store_sql_end(&in->insert);
    in->insert = (struct sql){0};
}

/* The name of a column as the schema spells it: what the file says is never part of a statement. */
static const char *known_column(struct store_intake *in, const char *name, bool *real) {
    for (size_t i = 0; i < in->table.columns; i++)
        if (strcmp(in->table.column[i], name) == 0) {
            *real = in->table.real[i];
            return in->table.column[i];
        }
    return NULL;
}

static bool is_table(struct store *s, const char *name) {
    struct sql q = store_sql_begin(s->db, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND "
                                          "name NOT LIKE 'sqlite_%' AND name = ?1");
    store_sql_text(&q, 1, name);
    bool there = store_sql_row(&q);
    return store_sql_end(&q) && there;
}

static bool prepare_insert(struct store_intake *in, const json_t *columns, struct base_message *m) {
    struct base_text names = {0}, marks = {0};
    const json_t *column;
    size_t i;
    bool known = json_array_size(columns) > 0 && json_array_size(columns) <= in->table.columns;
    json_array_foreach(columns, i, column) {
        const char *asked = json_string_value(column);
        const char *name = known && asked ? known_column(in, asked, &in->real[i]) : NULL;
        known = name != NULL;
        if (!known) break;
        base_text_printf(&names, "%s%s", i ? ", " : "", name);
        base_text_printf(&marks, "%s?%zu", i ? ", " : "", i + 1);
    }
    char *text = base_format("INSERT INTO %s (%s) VALUES (%s)", in->table.name,
                             names.s ? names.s : "", marks.s ? marks.s : "");
    if (known) in->insert = store_sql_begin(in->store->db, text);
    in->columns = json_array_size(columns);
    free(text);
    base_text_free(&names);
    base_text_free(&marks);
    return (known && in->insert.status == SQLITE_OK) ||
           base_fail(m, "the columns of its table %s are not those of a record", in->table.name);
}

static bool begin_table(struct store_intake *in, const json_t *head, struct base_message *m) {
    const char *name = base_json_text(head, "table", "");
    end_table(in);
    if (!is_table(in->store, name) || !describe(in->store, name, &in->table))
        return base_fail(m, "it has a table that no record has: %.40s", name);
    return prepare_insert(in, json_object_get(head, "columns"), m);
}

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The bytes that a text in hexadecimal stands for, NULL if it is none; the caller's. */
static unsigned char *bytes_of(const char *hex, size_t *n) {
    size_t length = hex ? strlen(hex) : 1;
    if (length % 2) return NULL;
    unsigned char *byte = base_alloc(length / 2 + 1);
    for (*n = 0; *n < length / 2; ++*n) {
        int high = digit(hex[2 * *n]), low = digit(hex[2 * *n + 1]);
        if (high < 0 || low < 0) {
            free(byte);
            return NULL;
        }
        byte[*n] = (unsigned char)(16 * high + low);
    }
    return byte;
}

static bool bind_bytes(struct sql *q, int at, const json_t *cell) {
    size_t n;
    unsigned char *byte = bytes_of(json_string_value(json_object_get(cell, "hex")), &n);
    if (!byte) return false;
    int status =
        sqlite3_bind_text64(q->statement, at, (const char *)byte, n, SQLITE_TRANSIENT, SQLITE_UTF8);
    free(byte);
    return status == SQLITE_OK;
}

static bool bind_cell(struct sql *q, int at, const json_t *cell, bool real) {
    const char *text = json_string_value(cell);
    if (json_is_null(cell)) return sqlite3_bind_null(q->statement, at) == SQLITE_OK;
    if (real && text && strcmp(text + (*text == '-'), "inf") == 0)
        return sqlite3_bind_double(q->statement, at, *text == '-' ? -INFINITY : INFINITY) ==
               SQLITE_OK;
    if (real)
        return json_is_number(cell) &&
               sqlite3_bind_double(q->statement, at, json_number_value(cell)) == SQLITE_OK;
    if (json_is_integer(cell))
        return sqlite3_bind_int64(q->statement, at, json_integer_value(cell)) == SQLITE_OK;
    if (text)
        return sqlite3_bind_text64(q->statement, at, text, json_string_length(cell),
                                   SQLITE_TRANSIENT, SQLITE_UTF8) == SQLITE_OK;
    return bind_bytes(q, at, cell);
}

static bool insert_row(struct store_intake *in, const json_t *row, struct base_message *m) {
    struct sql *q = &in->insert;
    if (!q->statement) return base_fail(m, "a row comes before the name of its table");
    bool bound = json_array_size(row) == in->columns;
    for (size_t i = 0; bound && i < in->columns; i++)
        bound = bind_cell(q, (int)i + 1, json_array_get(row, i), in->real[i]);
    if (!bound) return base_fail(m, "this is not a row of the table %s", in->table.name);
    bool done = sqlite3_step(q->statement) == SQLITE_DONE;
    if (!done)
        base_fail(m, "the table %s does not take this row: %s", in->table.name,
                  sqlite3_errmsg(in->store->db));
    store_sql_again(q->statement);
    return done;
}

bool store_intake_line(struct store_intake *in, const json_t *line, struct base_message *m) {
    if (json_is_object(line)) return begin_table(in, line, m);
    return json_is_array(line) ? insert_row(in, line, m) : base_fail(m, "this is not a row");
}

uint64_t store_intake_seed(struct store_intake *in) {
    return (uint64_t)store_sql_number(in->store->db, "SELECT seed FROM learner", 0);
}

/* A record without its learner's row would draw no numbers. */
static bool is_whole(struct store *s) {
    return store_sql_number(s->db, "SELECT count(*) FROM learner", 0) == 1;
}

bool store_intake_end(struct store_intake *in, bool keep, struct base_message *m) {
    struct store *s = in->store;
    end_table(in);
    free(in);
    bool whole = !keep || is_whole(s);
    bool kept = keep && whole && store_sql_run(s->db, "COMMIT");
    if (!whole) base_fail(m, "its table learner must have exactly one row");
    if (keep && whole && !kept) store_sql_fail(s->db, s->path, "write the record", m);
    if (!kept) store_sql_run(s->db, "ROLLBACK");
    heed_triggers(s, 1);
    if (kept) s->seed = (uint64_t)store_sql_number(s->db, "SELECT seed FROM learner", 0);
    return kept;
}

/* ── away ──────────────────────────────────────────────────────────────────────────────────────*/
/* SQLite leaves the write-ahead log only if no other program has the file open. */
static bool is_alone(struct store *s) {
    struct sql q = store_sql_begin(s->db, "PRAGMA journal_mode = DELETE");
    bool alone = store_sql_row(&q) && strcmp(store_sql_column(&q, 0), "delete") == 0;
    return store_sql_end(&q) && alone && store_sql_run(s->db, "BEGIN EXCLUSIVE; COMMIT");
}

bool store_delete(struct store *s, struct base_message *m) {
    static const char *const beside[] = {"-wal", "-shm", "-journal", ""};
    if (!is_alone(s))
        return base_fail_at(m, s->path, 0,
                            "another program has the record open: close it, then delete again");
    bool gone = true;
    char *real = store_file_real(s->path);
    for (size_t i = 0; gone && i < BASE_COUNT(beside); i++) {
        char *name = base_format("%s%s", real, beside[i]);
        gone = unlink(name) == 0 || errno == ENOENT;
        if (!gone) base_fail_at(m, name, 0, "cannot be deleted: %s", strerror(errno));
        free(name);
    }
    free(real);
    return gone;
}
