/* class export: grades as other programs import them. A format is a row of the table: what it
 * writes for the whole class. */
#include "command/class_export.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS_MOST = 256 << 20 };

/* ── cells ─────────────────────────────────────────────────────────────────────────────────────*/
/* A spreadsheet takes a text that begins so for a formula, which could run programs. */
static bool is_formula(const char *text) {
    return *text && strchr("=+-@\t\r", *text);
}

static void add_cell(struct base_text *t, char between, const char *text) {
    bool formula = is_formula(text);
    const char special[] = {between, '"', '\n', '\r', '\0'};
    if (t->length && t->s[t->length - 1] != '\n') base_text_add(t, &between, 1);
    if (between == '\t') { /* has no quotes */
        if (formula) base_text_puts(t, "'");
        for (; *text; text++) base_text_add(t, strchr("\t\r\n", *text) ? " " : text, 1);
        return;
    }
    if (!text[strcspn(text, special)]) {
        base_text_printf(t, "%s%s", formula ? "'" : "", text);
        return;
    }
    base_text_puts(t, formula ? "\"'" : "\"");
    for (; *text; text++) base_text_add(t, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    base_text_puts(t, "\"");
}

void command_class_cell(struct base_text *t, const char *text) {
    bool begins = !t->length || t->s[t->length - 1] == '\n';
    /* an empty first cell would be no cell at all */
    if (begins && !*text)
        base_text_puts(t, "\"\"");
    else
        add_cell(t, ',', text);
}

static void cell_number(struct base_text *t, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.10g", value);
    command_class_cell(t, text);
}

static void end_row(struct base_text *t) {
    base_text_puts(t, "\r\n");
}

/* ── the people of a gradebook ─────────────────────────────────────────────────────────────────*/
struct book_row {
    const char *account, *name;
    /* NULL: nothing was handed in */
    const json_t *learner;
};
struct book {
    const struct class_export *x;
    struct book_row *row;
    size_t rows;
};

static struct book_row *find_row(struct book *b, const char *account) {
    for (size_t i = 0; i < b->rows; i++)
        if (strcmp(b->row[i].account, account) == 0) return &b->row[i];
    return NULL;
}

static struct book_row *add_person(struct book *b, const char *account) {
    struct book_row *r = find_row(b, account);
    const struct classroom_person *p = classroom_roster_find(b->x->roster, account);
    if (r) return r;
    b->row = base_grow(b->row, b->rows + 1, sizeof *b->row);
    r = &b->row[b->rows++];
    *r = (struct book_row){account, p && *p->name ? p->name : account, NULL};
    return r;
}

static void set_learner(struct book_row *r, const json_t *learner) {
    if (json_object_get(learner, "items")) r->learner = learner;
}

static int by_account(const void *a, const void *b) {
    return strcmp(((const struct book_row *)a)->account, ((const struct book_row *)b)->account);
}

/* A roster says who is in the book. */
static bool is_out(const struct class_export *x, const char *account) {
    return x->roster->people && !classroom_roster_find(x->roster, account);
}

/* Everybody of the roster, or everybody who handed in; the second of two at one keyboard, too,
 * unless there is a hand-in of theirs alone. */
static struct book open_book(const struct class_export *x) {
    struct book b = {.x = x};
    const json_t *learners = json_object_get(x->grades, "learners"), *one;
    size_t i;
    for (i = 0; i < x->roster->people; i++) add_person(&b, x->roster->person[i].account);
    json_array_foreach(learners, i, one) {
        const char *account = base_json_text(one, "account", "");
        if (*account && !is_out(x, account)) set_learner(add_person(&b, account), one);
    }
    json_array_foreach(learners, i, one) {
        const char *with = base_json_text(one, "with", "");
        struct book_row *r = *with && !is_out(x, with) ? add_person(&b, with) : NULL;
        if (r && !r->learner) set_learner(r, one);
    }
    if (b.rows) qsort(b.row, b.rows, sizeof *b.row, by_account);
    return b;
}

/* The points of each lesson; `none` for who has none. */
static void add_points(struct base_text *t, const struct book *b, const struct book_row *r,
                       const char *none) {
    const json_t *lessons = json_object_get(b->x->grades, "lessons"),
                 *points = json_object_get(r->learner, "lessons"), *one;
    size_t i;
    json_array_foreach(lessons, i, one) {
        if (r->learner)
            cell_number(t, base_json_number(json_array_get(points, i), "points", 0));
        else
            base_text_printf(t, ",%s", none);
    }
}

static void add_titles(struct base_text *t, const struct class_export *x) {
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(x->grades, "lessons"), i, one) {
        char *title =
            base_format("%s %s", base_json_text(one, "id", ""), base_json_text(one, "title", ""));
        command_class_cell(t, title);
        free(title);
    }
    end_row(t);
}

static void add_cells(struct base_text *t, const char *const *text, size_t n) {
    for (size_t i = 0; i < n; i++) command_class_cell(t, text[i]);
}

/* ── Canvas ────────────────────────────────────────────────────────────────────────────────────
 * Its importer finds the columns of people by their names, a learner by the login, and takes the
 * row "Points Possible" for what can be earned. */
static bool canvas(const struct class_export *x, struct base_text *t, struct base_message *m) {
    static const char *const head[] = {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"};
    struct book b = open_book(x);
    const json_t *one;
    size_t i;
    (void)m;
    add_cells(t, head, BASE_COUNT(head));
    add_titles(t, x);
    add_cells(t, (const char *const[]){"    Points Possible", "", "", "", ""}, BASE_COUNT(head));
    json_array_foreach(json_object_get(x->grades, "lessons"), i, one)
        cell_number(t, (double)json_array_size(json_object_get(one, "items")));
    end_row(t);
    for (i = 0; i < b.rows; i++) {
        add_cells(t,
                  (const char *const[]){b.row[i].name, "", "", b.row[i].account,
                                        base_json_text(x->grades, "name", "")},
                  BASE_COUNT(head));
        add_points(t, &b, &b.row[i], "");
        end_row(t);
    }
    free(b.row);
    return true;
}

/* ── Moodle ────────────────────────────────────────────────────────────────────────────────────
 * Whoever imports it says which column is whose: here "Username". Of a new grade item only "-" is
 * no grade: an empty cell is one (grade/import/csv/classes/load_data.php). */
static bool moodle(const struct class_export *x, struct base_text *t, struct base_message *m) {
    static const char *const head[] = {"First name", "Last name", "Email address", "Username"};
    struct book b = open_book(x);
    (void)m;
    add_cells(t, head, BASE_COUNT(head));
    add_titles(t, x);
    for (size_t i = 0; i < b.rows; i++) {
        const char *name = b.row[i].name, *last = strrchr(name, ' ');
        char *first = base_format("%.*s", last ? (int)(last - name) : (int)strlen(name), name);
        add_cells(t, (const char *const[]){first, last ? last + 1 : "", "", b.row[i].account},
                  BASE_COUNT(head));
        add_points(t, &b, &b.row[i], "-");
        end_row(t);
        free(first);
    }
    free(b.row);
    return true;
}

/* ── a row per item and learner ────────────────────────────────────────────────────────────────*/
static void add_item(struct base_text *t, const json_t *learner, const json_t *item) {
    static const char *const counts[] = {"late", "try", "tries", "missing", "hints"};
    const char *name = base_json_text(item, "item", ""), *slash = strchr(name, '/');
    char *lesson = base_format("%.*s", slash ? (int)(slash - name) : 0, name);
    add_cells(t,
              (const char *const[]){base_json_text(learner, "account", ""),
                                    base_json_text(learner, "with", ""), lesson,
                                    slash ? slash + 1 : name},
              4);
    cell_number(t, base_json_number(item, "points", 0));
    command_class_cell(t, base_json_bool(item, "right", false) ? "yes" : "no");
    for (size_t i = 0; i < BASE_COUNT(counts); i++)
        cell_number(t, (double)base_json_int(item, counts[i], 0));
    cell_number(t, base_json_number(item, "seconds", 0));
    command_class_cell(t, base_json_text(item, "mistake", ""));
    end_row(t);
    free(lesson);
}

static bool detail(const struct class_export *x, struct base_text *t, struct base_message *m) {
    static const char *const head[] = {"account", "with",    "lesson", "item",  "points",
                                       "right",   "late",    "try",    "tries", "missing",
                                       "hints",   "seconds", "mistake"};
    const json_t *learner, *item;
    size_t i, k;
    (void)m;
    add_cells(t, head, BASE_COUNT(head));
    end_row(t);
    json_array_foreach(json_object_get(x->grades, "learners"), i, learner)
        json_array_foreach(json_object_get(learner, "items"), k, item) add_item(t, learner, item);
    return true;
}

/* ── DataShop's transactions ───────────────────────────────────────────────────────────────────*/
enum transaction {
    STUDENT,
    SESSION,
    TIME,
    ZONE,
    STUDENT_TYPE,
    TUTOR_TYPE,
    LESSON,
    PROBLEM,
    VIEW,
    STEP,
    ATTEMPT,
    OUTCOME,
    INPUT,
    FEEDBACK,
    LEVEL,
    HINTS,
    COLUMNS
};
static const char *const transaction[COLUMNS] = {
    [STUDENT] = "Anon Student Id",
    [SESSION] = "Session Id",
    [TIME] = "Time",
    [ZONE] = "Time Zone",
    [STUDENT_TYPE] = "Student Response Type",
    [TUTOR_TYPE] = "Tutor Response Type",
    [LESSON] = "Level (Lesson)",
    [PROBLEM] = "Problem Name",
    [VIEW] = "Problem View",
    [STEP] = "Step Name",
    [ATTEMPT] = "Attempt At Step",
    [OUTCOME] = "Outcome",
    [INPUT] = "Input",
    [FEEDBACK] = "Feedback Classification",
    [LEVEL] = "Help Level",
    [HINTS] = "Total Num Hints",
};

/* The account does not follow from it without the class's id, and that only by trying names. */
static char *anonymous(const struct class_export *x, const char *account) {
    char hex[HASH_HEX];
    hash_hex(base_json_text(x->grades, "class", ""), account, strlen(account), hex);
    return base_format("%.16s", hex);
}

/* A learner's transactions, of all hand-ins: how many there were at a step of a problem view, and
 * which help a view has had. */
struct transactions {
    const struct class_export *x;
    struct base_text *out;
    char *who;
    json_t *counted;
};

/* How often a key was counted, this time included. Takes the key. */
static long long count(struct transactions *all, char *key) {
    long long n = base_json_int(all->counted, key, 0) + 1;
    json_object_set_new(all->counted, key, json_integer(n));
    free(key);
    return n;
}

static void put_transaction(const struct transactions *all, const char *const cell[COLUMNS]) {
    if (!all->x->lines) {
        for (size_t c = 0; c < COLUMNS; c++) add_cell(all->out, '\t', cell[c]);
        base_text_puts(all->out, "\n");
        return;
    }
    json_t *json = json_object();
    for (size_t c = 0; c < COLUMNS; c++)
        json_object_set_new(json, transaction[c], json_string(cell[c]));
    char *text = json_dumps(json, JSON_COMPACT);
    base_text_printf(all->out, "%s\n", text);
    free(text);
    json_decref(json);
}

/* An answer that was graded, or help (`level` from 1). DataShop counts both as attempts. */
static void add_transaction(struct transactions *all, const json_t *row, int level) {
    const char *item = base_json_text(row, "item", ""), *slash = strchr(item, '/'),
               *line = base_json_text(row, "line", ""), *step = *line ? line : "answer",
               *verdict = base_json_text(row, "verdict", "");
    bool right = strcmp(verdict, "right") == 0 || strcmp(verdict, "rounded") == 0;
    time_t when = (time_t)base_json_int(row, "time", 0);
    struct tm utc = {0};
    char time[32] = "", view[24], attempt[24], help[16], hints[16], lesson[64];
    if (gmtime_r(&when, &utc)) strftime(time, sizeof time, "%Y-%m-%d %H:%M:%S", &utc);
    snprintf(view, sizeof view, "%lld", (long long)base_json_int(row, "try", 0));
    snprintf(attempt, sizeof attempt, "%lld",
             count(all, base_format("%s\n%s\n%s", item, view, step)));
    snprintf(help, sizeof help, "%d", level);
    snprintf(hints, sizeof hints, "%d", LESSON_HINTS);
    snprintf(lesson, sizeof lesson, "%.*s", slash ? (int)(slash - item) : 0, item);
    put_transaction(all, (const char *const[COLUMNS]){
                             [STUDENT] = all->who,
                             [SESSION] = base_json_text(all->x->grades, "name", ""),
                             [TIME] = time,
                             [ZONE] = "UTC",
                             [STUDENT_TYPE] = level ? "HINT_REQUEST" : "ATTEMPT",
                             [TUTOR_TYPE] = level ? "HINT_MSG" : "RESULT",
                             [LESSON] = lesson,
                             [PROBLEM] = item,
                             [VIEW] = view,
                             [STEP] = step,
                             [ATTEMPT] = attempt,
                             [OUTCOME] = level   ? "HINT"
                                         : right ? "CORRECT"
                                                 : "INCORRECT",
                             [INPUT] = level ? "" : base_json_text(row, "typed", ""),
                             [FEEDBACK] = level ? "" : base_json_text(row, "mistake", ""),
                             [LEVEL] = level ? help : "",
                             [HINTS] = level ? hints : ""});
}

/* A hand-in says with each answer how many hints the learner had seen in that problem view, and not
 * when. So each hint gets the time of the answer that follows it. A learner who looks at the
 * working has seen the last hint. The row of a whole worksheet has nothing typed, and is left out:
 * its lines are the attempts. */
static void add_answer(struct transactions *all, const json_t *row) {
    const char *verdict = base_json_text(row, "verdict", "");
    bool typed = *base_json_text(row, "typed", "") != '\0';
    char *view = base_format("%s\n%lld", base_json_text(row, "item", ""),
                             (long long)base_json_int(row, "try", 0));
    json_int_t seen = base_json_int(all->counted, view, 0), hints = base_json_int(row, "hints", 0);
    if (hints > LESSON_HINTS) hints = LESSON_HINTS;
    if (!typed && seen < hints) seen = hints - 1;
    while (seen < hints) add_transaction(all, row, (int)++seen);
    json_object_set_new(all->counted, view, json_integer(seen));
    free(view);
    if (typed && *verdict && strcmp(verdict, "unreadable") != 0 && strcmp(verdict, "noted") != 0)
        add_transaction(all, row, 0);
}

static bool add_judged(struct transactions *all, const char *hex, struct base_message *m) {
    struct classroom_file file;
    char *name = base_format("%s" SESSION_JUDGED, hex);
    bool read =
        classroom_read(all->x->folder, CLASSROOM_KEPT, name, geteuid(), ROWS_MOST, &file, m);
    for (char *at = file.text, *end; read && (end = strchr(at, '\n')); at = end + 1) {
        json_t *row = json_loadb(at, (size_t)(end - at), 0, NULL);
        if (row) add_answer(all, row);
        json_decref(row);
    }
    free(file.text);
    free(name);
    return read;
}

static bool add_learner(const struct class_export *x, struct base_text *t, const json_t *learner,
                        struct base_message *m) {
    struct transactions all = {x, t, anonymous(x, base_json_text(learner, "account", "")),
                               json_object()};
    bool read = true;
    const char *hex;
    for (size_t k = 0; read && (hex = session_grades_handin(learner, k)); k++)
        read = add_judged(&all, hex, m);
    json_decref(all.counted);
    free(all.who);
    return read;
}

static bool datashop(const struct class_export *x, struct base_text *t, struct base_message *m) {
    const json_t *learner;
    size_t i;
    for (size_t c = 0; !x->lines && c < COLUMNS; c++) add_cell(t, '\t', transaction[c]);
    if (!x->lines) base_text_puts(t, "\n");
    json_array_foreach(json_object_get(x->grades, "learners"), i, learner) {
        if (!json_object_get(learner, "items")) continue;
        if (!add_learner(x, t, learner, m)) return false;
    }
    return true;
}

/* ── how the room voted, without names ─────────────────────────────────────────────────────────*/
/* An option in a row: the two rounds are next to each other. */
static void add_vote(const struct class_export *x, struct base_text *t,
                     const struct classroom_counted *c, size_t option) {
    const struct classroom_vote *v = &c->vote;
    bool right = v->right == (int)option + 1;
    json_t *row =
        json_pack("{sI ss ss si ss sb si si}", "at", (json_int_t)c->at, "item", c->item, "question",
                  v->question, "option", (int)option + 1, "text", v->option[option], "right", right,
                  "alone", c->count[0][option], "talked", c->count[1][option]);
    if (x->lines) {
        char *text = json_dumps(row, JSON_COMPACT);
        base_text_printf(t, "%s\n", text);
        free(text);
    } else {
        char *when = classroom_when_text(c->at);
        add_cells(t, (const char *const[]){when, c->item, v->question}, 3);
        cell_number(t, (double)option + 1);
        add_cells(t, (const char *const[]){v->option[option], right ? "yes" : "no"}, 2);
        for (int r = 0; r < CLASSROOM_ROUNDS; r++) cell_number(t, c->count[r][option]);
        end_row(t);
        free(when);
    }
    json_decref(row);
}

static bool votes(const struct class_export *x, struct base_text *t, struct base_message *m) {
    static const char *const head[] = {"time", "item",  "question", "option",
                                       "text", "right", "alone",    "after talking"};
    struct classroom_votes all;
    if (!classroom_votes_read(x->folder, &all, m)) return false;
    if (!x->lines) add_cells(t, head, BASE_COUNT(head));
    if (!x->lines) end_row(t);
    for (size_t i = 0; i < all.votes; i++)
        for (size_t k = 0; k < all.vote[i].vote.options; k++) add_vote(x, t, &all.vote[i], k);
    classroom_votes_free(&all);
    return true;
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
/* Moodle gives each new grade item 100 points (grade_item's own, since grade_import_commit() of
 * grade/import/lib.php names none). */
static void say_worth(const struct class_export *x) {
    struct base_text t = {0};
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(x->grades, "lessons"), i, one)
        base_text_printf(&t, "%s%s to %zu", i ? ", " : "", base_json_text(one, "id", ""),
                         json_array_size(json_object_get(one, "items")));
    if (t.length)
        command_say_error("Moodle gives a new grade item 100 points. After the import set the "
                          "maximum grade of %s",
                          t.s);
    base_text_free(&t);
}

static const struct {
    const char *name;
    bool (*write)(const struct class_export *x, struct base_text *t, struct base_message *m);
    /* of what was graded; a gradebook; what the file cannot tell its importer, or NULL */
    bool graded, book;
    void (*say)(const struct class_export *x);
} formats[] = {{"canvas", canvas, true, true, NULL},
               {"moodle", moodle, true, true, say_worth},
               {"detail", detail, true, false, NULL},
               {"datashop", datashop, true, false, NULL},
               {"votes", votes, false, false, NULL}};
#define FORMATS "canvas|moodle|detail|datashop|votes"

static size_t find_format(const char *name) {
    size_t i = 0;
    while (i < BASE_COUNT(formats) && strcmp(formats[i].name, name) != 0) i++;
    return i;
}

bool command_class_write(const struct class_export *x, const char *format, struct base_text *t,
                         struct base_message *m) {
    size_t i = find_format(format);
    if (i < BASE_COUNT(formats)) return formats[i].write(x, t, m);
    return base_fail(m, "unknown format '%.40s': use " FORMATS, format);
}

static bool ends_in(const char *file, const char *ending) {
    size_t n = strlen(file), k = strlen(ending);
    return n > k && strcmp(file + n - k, ending) == 0;
}

/* A file that was there keeps its mode. */
static void say_saved(const char *file) {
    struct stat it;
    printf("Saved: %s\n", file);
    if (stat(file, &it) == 0 && S_ISREG(it.st_mode) && it.st_mode & 0077) {
        char *quoted = classroom_quoted(file);
        command_say_error("Other accounts can read this file. `chmod 600 %s` keeps it to you",
                          quoted);
        free(quoted);
    }
}

static bool save(const struct arguments *a, struct class_export *x, struct base_message *m) {
    const char *file = command_arguments_value(a, "output"),
               *format = command_arguments_value(a, "format");
    struct base_text t = {0};
    x->lines = file && (ends_in(file, ".jsonl") || ends_in(file, ".json"));
    bool done = command_class_write(x, format, &t, m);
    const char *text = t.s ? t.s : "";
    if (done && file) done = base_file_write(file, text, t.length, m);
    if (done && file) say_saved(file);
    if (done && !file) fwrite(text, 1, t.length, stdout);
    base_text_free(&t);
    return done;
}

/* Who handed in and has no row in the gradebook. */
static void say_left_out(const struct class_export *x) {
    struct base_text t = {0};
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(x->grades, "learners"), i, one) {
        const char *who[] = {base_json_text(one, "account", ""), base_json_text(one, "with", "")};
        for (size_t k = 0; k < BASE_COUNT(who); k++)
            if (*who[k] && is_out(x, who[k]))
                base_text_printf(&t, "%s%s", t.length ? ", " : "", who[k]);
    }
    if (t.length) command_say_error("Left out, because they are not on the roster: %s", t.s);
    base_text_free(&t);
}

static bool export_grades(const struct arguments *a, const struct classroom_folder *f,
                          const struct classroom_roster *roster, struct base_message *m) {
    struct class_export x = {.folder = f, .roster = roster};
    size_t i = find_format(command_arguments_value(a, "format"));
    bool graded = i < BASE_COUNT(formats) && formats[i].graded;
    x.grades = graded ? session_class_grades_now(f, m) : NULL;
    bool done = (x.grades || !graded) && save(a, &x, m);
    if (done && graded && formats[i].book) say_left_out(&x);
    if (done && formats[i].say) formats[i].say(&x);
    json_decref(x.grades);
    return done;
}

static bool export_sheets(const struct arguments *a, const struct classroom_folder *f,
                          const struct classroom_settings *s, const struct classroom_roster *roster,
                          struct base_message *m) {
    const char *folder = command_arguments_value(a, "worksheets");
    size_t written;
    if (!command_class_sheets(f, s, roster, folder, &written, m)) return false;
    printf("Saved %zu worksheet%s in %s. The key to ACCOUNT.html is ACCOUNT.key.html.\n", written,
           written == 1 ? "" : "s", folder);
    return true;
}

int command_class_export(const struct arguments *a) {
    struct base_message m = {0};
    struct classroom_folder *f;
    struct classroom_settings s;
    struct classroom_roster roster = {0};
    bool sheets = command_arguments_has(a, "worksheets");
    const char *memos = command_arguments_value(a, "memos");
    if (command_arguments_has(a, "format") + sheets + (memos != NULL) != 1)
        return command_say_error("name a format, or a folder for worksheets or memos: `zerotutor "
                                 "class export FOLDER --format " FORMATS " "
                                 "-o FILE`, `--worksheets DIR` or `--memos DIR`");
    if (!command_class_open_as_teacher(a, 1, &f, &s)) return COMMAND_USAGE;
    umask(0077); /* grades, memos and keys are the teacher's alone */
    bool done =
        classroom_roster_read(f, &roster, &m) && (sheets  ? export_sheets(a, f, &s, &roster, &m)
                                                  : memos ? command_class_memos(f, memos, &m)
                                                          : export_grades(a, f, &roster, &m));
    classroom_roster_free(&roster);
    classroom_close(f);
    return done ? COMMAND_WELL : command_say_message(&m);
}
