/* carry: everything that a learner has as one file, to move between machines.
 *
 *     {"zerotutor":"record","format":2,"schema":3,"course":"…"}     what it is
 *     {"table":"answer","columns":[…]}                 a table of the record, then its rows
 *     [1,1700000000,"1.1/ddp-7b",…]
 *     {"before":[12,17]}                               answers to what other lessons asked
 *     {"memo":"capstone.md","text":"…"}                the learner's memos
 *     {"lines":1234,"sha256":"…"}                      of all bytes before this line
 *
 * The hash finds text that was cut off or damaged. A person who changes the file on purpose can
 * compute it again, so answers are judged again, too, and if the lessons here are those of the
 * file (`course`, their hash), they must ask this learner these numbers at this try. Answers that
 * were given before the lessons changed are named in `before`, when the file is written. A file of
 * format 1 does not say which lessons there were. Nothing proves who wrote the file. */
#include "session/inside.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT = 2, FILE_MOST = 1 << 30, MEMO_MOST = 1 << 20, MEMOS_MOST = 1000 };
enum { NAME_MOST = 120 };

/* ── memos, and reports ────────────────────────────────────────────────────────────────────────*/
#define MEMO   "memo", ".md"
#define REPORT "reports", ".json"

static char *memo_folder(void) {
    return base_format("%s/memo", base_home());
}

static char *memo_file(const char *name) {
    return base_format("%s/memo/%s", base_home(), name);
}

/* Also that it leads to no other folder: names come from files of others. */
static bool is_named(const char *name, const char *ending) {
    size_t n = strlen(name), end = strlen(ending);
    bool plain = n > end && n < NAME_MOST && name[0] != '.' && strcmp(name + n - end, ending) == 0;
    for (size_t i = 0; plain && i < n; i++)
        plain = name[i] != '/' && (unsigned char)name[i] > ' ' && name[i] != 0x7f;
    return plain && base_utf8_valid(name, n);
}

static bool is_memo(const char *name) {
    return is_named(name, ".md");
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the learner's files of that ending in order; the caller frees each, and the list. */
static char **list_files(const char *folder, const char *ending, size_t *count) {
    char *path = base_format("%s/%s", base_home(), folder), **names = NULL;
    DIR *d = opendir(path);
    free(path);
    *count = 0;
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        if (!is_named(e->d_name, ending) || *count == MEMOS_MOST) continue;
        names = base_grow(names, *count + 1, sizeof *names);
        names[(*count)++] = base_dup(e->d_name);
    }
    if (d) closedir(d);
    if (*count) qsort(names, *count, sizeof *names, by_name);
    return names;
}

static void free_names(char **names, size_t count) {
    for (size_t i = 0; i < count; i++) free(names[i]);
    free(names);
}

/* ── out ───────────────────────────────────────────────────────────────────────────────────────*/

struct giving {
    struct base_text t;
    /* its answers, to be judged again, and whether its rows are those now */
    struct session_proof proof;
    bool answers;
    struct base_message *m;
};

static bool is_answers(const json_t *head, bool now) {
    const char *table = base_json_text(head, "table", NULL);
    return table ? strcmp(table, "answer") == 0 : now;
}

static bool add_line(void *to, json_t *row) {
    struct giving *g = to;
    char *text = store_row_text(row);
    base_text_puts(&g->t, text);
    base_text_add(&g->t, "\n", 1);
    free(text);
    g->answers = is_answers(row, g->answers);
    return !g->answers || session_proof_add(&g->proof, row, g->m);
}

/* The numbers of the answers that the lessons here do not ask this learner. */
static bool add_before(struct learner *who, struct giving *g) {
    json_t *before = json_array();
    bool judged = session_proof_judge(who, &g->proof, SESSION_TO_EXPORT, g->m) != SESSION_REFUSED;
    for (size_t i = 0; i < g->proof.answers; i++)
        if (g->proof.answer[i].before)
            json_array_append_new(before, json_integer(g->proof.answer[i].number));
    session_lines_add(&g->t, json_pack("{so}", "before", before));
    return judged;
}

static bool add_memo(struct base_text *t, const char *name, struct base_message *m) {
    size_t n;
    char *path = memo_file(name), *text = base_file_read(path, MEMO_MOST, &n, m);
    bool fits = text && base_utf8_valid(text, n) && !memchr(text, 0, n);
    if (fits) session_lines_add(t, json_pack("{ss ss%}", "memo", name, "text", text, n));
    if (text && !fits)
        base_fail_at(m, path, 0,
                     "this memo is not UTF-8 text: fix it in your editor, or move it out of the "
                     "folder");
    free(text);
    free(path);
    return fits;
}

static bool add_memos(struct base_text *t, struct base_message *m) {
    size_t count;
    char **names = list_files(MEMO, &count);
    bool added = true;
    for (size_t i = 0; added && i < count; i++) added = add_memo(t, names[i], m);
    free_names(names, count);
    return added;
}

static json_t *proof_head(const char *course, uint64_t seed) {
    return json_pack("{ss sI}", "course", course, "seed", (json_int_t)seed);
}

/* Of a copy that stays on this machine nothing is judged. */
static bool write_record(struct learner *who, bool memos, bool judged, struct giving *g) {
    struct store *s = session_learner_store(who);
    char course[HASH_HEX] = "";
    if (judged) session_course_hash(who, course);
    g->proof =
        (struct session_proof){.head = proof_head(course, store_seed(s)), .known = json_object()};
    session_lines_add(&g->t, json_pack("{ss si sI ss}", "zerotutor", "record", "format", FORMAT,
                                       "schema", (json_int_t)store_version(s), "course", course));
    return store_rows(s, NULL, add_line, g, g->m) && (!judged || add_before(who, g)) &&
           (!memos || add_memos(&g->t, g->m));
}

/* The whole text, the caller's; NULL with the message filled. */
static char *give(struct learner *who, bool memos, bool judged, size_t *length,
                  struct base_message *m) {
    struct giving g = {.m = m};
    bool written = write_record(who, memos, judged, &g);
    session_proof_free(&g.proof);
    if (!written) {
        base_text_free(&g.t);
        return NULL;
    }
    char *last = session_lines_seal(g.t.s, g.t.length);
    base_text_puts(&g.t, last);
    free(last);
    *length = g.t.length;
    return base_text_take(&g.t);
}

char *session_learner_export(struct learner *who, bool memos, size_t *length,
                             struct base_message *m) {
    return give(who, memos, true, length, m);
}

/* ── in ────────────────────────────────────────────────────────────────────────────────────────*/
/* Sets the hash of the lessons of the file; "" if it does not say it. */
static bool check_head(struct session_lines *f, struct store *s, char course[HASH_HEX],
                       struct base_message *m) {
    json_t *head = f->end > f->text ? session_lines_next(f, NULL) : NULL;
    bool ours = session_lines_head(head, f, "record", FORMAT, store_version(s), m);
    if (ours) snprintf(course, HASH_HEX, "%s", base_json_text(head, "course", ""));
    json_decref(head);
    return ours;
}

/* The last line says how many there are before it, and what they are. */
static bool check_end(struct session_lines *f, struct base_message *m) {
    if (!session_lines_end(f, m)) return false;
    return session_lines_fit(f) ||
           base_fail_at(m, f->path, 0,
                        "it was changed after it was exported (its SHA-256 differs from the one "
                        "in its last line), so nothing was imported: export it again");
}

/* A memo that is there stays as it is. */
static bool take_memo(const json_t *line, struct base_message *m) {
    const char *name = base_json_text(line, "memo", ""), *text = base_json_text(line, "text", NULL);
    if (!is_memo(name) || !text || strlen(text) > MEMO_MOST)
        return base_fail(m, "this is not a memo");
    char *folder = memo_folder(), *path = memo_file(name);
    enum base_wrote w = BASE_UNWRITTEN;
    if (base_make_dirs(folder, m)) w = base_file_create(path, text, strlen(text), m);
    if (w == BASE_DIFFERS) base_fail_at(m, path, 0, "this memo exists already: move it away");
    free(folder);
    free(path);
    return w == BASE_WROTE;
}

struct taking {
    struct store_intake *rows;
    /* its answers, to be judged again */
    struct session_proof proof;
    bool answers;
    /* numbers of those that other lessons asked; NULL if it does not say */
    json_t *before;
    /* what to remove if the rest cannot be taken */
    char **memo;
    size_t memos;
};

static bool take_line(struct taking *t, json_t *line, struct base_message *m) {
    json_t *before = json_object_get(line, "before");
    if (before) {
        if (!t->before) t->before = json_incref(before);
        return t->before == before || base_fail(m, "it lists earlier answers twice");
    }
    if (!json_object_get(line, "memo")) {
        t->answers = is_answers(line, t->answers);
        return store_intake_line(t->rows, line, m) &&
               (!t->answers || session_proof_add(&t->proof, line, m));
    }
    if (t->memos == MEMOS_MOST) return base_fail(m, "it has more than %d memos", MEMOS_MOST);
    if (!take_memo(line, m)) return false;
    t->memo = base_grow(t->memo, t->memos + 1, sizeof *t->memo);
    t->memo[t->memos++] = memo_file(base_json_text(line, "memo", ""));
    return true;
}

static bool take_lines(struct session_lines *f, struct taking *t, struct base_message *m) {
    bool taken = true;
    while (taken && f->at < f->last) {
        json_t *line = session_lines_next(f, m);
        struct base_message why = {0};
        taken = line && take_line(t, line, &why);
        if (line && !taken)
            base_fail_at(m, *why.file ? why.file : f->path, *why.file ? why.line : f->line, "%s",
                         why.what);
        json_decref(line);
    }
    return taken;
}

/* Numbers rise, in the list as in the record. */
static void mark_before(struct taking *t) {
    size_t k = 0, count = json_array_size(t->before);
    for (size_t i = 0; i < t->proof.answers; i++) {
        int64_t number = t->proof.answer[i].number;
        while (k < count && json_integer_value(json_array_get(t->before, k)) < number) k++;
        t->proof.answer[i].before =
            k < count && json_integer_value(json_array_get(t->before, k)) == number;
    }
}

/* A person who changes a file on purpose computes its SHA-256 again, but an answer must still fit
 * its question, and the question its lesson. `path` is NULL for this learner's own record. */
static bool is_judged_so(struct learner *who, struct taking *t, const char *path,
                         const char *course, struct base_message *m) {
    struct base_message why = {0};
    if (!path) return true;
    t->proof.head = proof_head(course, store_intake_seed(t->rows));
    mark_before(t);
    return session_proof_judge(who, &t->proof, SESSION_TO_IMPORT, &why) == SESSION_HOLDS ||
           base_fail_at(m, path, 0, "%s", why.what);
}

static bool take_all(struct learner *who, const char *path, const char *course,
                     struct session_lines *f, struct base_message *m) {
    struct taking t = {.rows = store_intake_begin(session_learner_store(who), m),
                       .proof.known = json_object()};
    bool taken = t.rows && take_lines(f, &t, m) && is_judged_so(who, &t, path, course, m);
    session_proof_free(&t.proof);
    json_decref(t.before);
    if (!t.rows) return false;
    bool kept = store_intake_end(t.rows, taken, taken ? m : NULL);
    for (size_t i = 0; !kept && i < t.memos; i++) unlink(t.memo[i]);
    free_names(t.memo, t.memos);
    return kept;
}

static bool take(struct learner *who, const char *path, char *text, size_t n,
                 struct base_message *m) {
    struct store *s = session_learner_store(who);
    char course[HASH_HEX];
    struct session_lines f = {
        .path = path ? path : "the record", .text = text, .at = text, .end = text + n};
    return check_head(&f, s, course, m) && check_end(&f, m) && take_all(who, path, course, &f, m);
}

bool session_learner_import(struct learner *who, const char *path, struct base_message *m) {
    size_t n;
    char *text = base_file_read(path, FILE_MOST, &n, m);
    bool taken = text && take(who, path, text, n, m);
    free(text);
    return taken;
}

bool session_learner_copy(struct learner *who, struct learner *from, struct base_message *m) {
    size_t n;
    char *text = give(from, false, false, &n, m);
    bool taken = text && take(who, NULL, text, n, m);
    free(text);
    return taken;
}

/* ── away ──────────────────────────────────────────────────────────────────────────────────────*/
static bool delete_files(const char *folder, const char *ending, struct base_message *m) {
    size_t count;
    bool gone = true;
    char **names = list_files(folder, ending, &count);
    for (size_t i = 0; gone && i < count; i++) {
        char *path = base_format("%s/%s/%s", base_home(), folder, names[i]);
        gone = unlink(path) == 0;
        if (!gone) base_fail_at(m, path, 0, "cannot be deleted: %s", strerror(errno));
        free(path);
    }
    char *path = base_format("%s/%s", base_home(), folder);
    rmdir(path); /* unless something of others is in it */
    free(path);
    free_names(names, count);
    return gone;
}

bool session_learner_delete(struct learner *who, bool memos, struct base_message *m) {
    return store_delete(session_learner_store(who), m) &&
           (!memos || (delete_files(MEMO, m) && delete_files(REPORT, m)));
}
