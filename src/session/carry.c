/* carry: everything that a learner has as one file, to move between machines.
 *
 *     {"zerotutor":"record","format":1,"schema":3}     what it is
 *     {"table":"answer","columns":[…]}                 a table of the record, then its rows
 *     [1,1700000000,"1.1/ddp-7b",…]
 *     {"memo":"capstone.md","text":"…"}                the learner's memos
 *     {"lines":1234,"sha256":"…"}                      of all bytes before this line
 *
 * The hash finds text that was cut off or damaged. A person who changes the file on purpose can
 * compute it again, so answers are judged again, too, with the numbers that they carry. Nothing
 * proves who wrote the file. */
#include "session/inside.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT = 1, FILE_MOST = 1 << 30, MEMO_MOST = 1 << 20, MEMOS_MOST = 1000 };
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

static bool add_line(void *to, json_t *row) {
    char *text = store_row_text(row);
    base_text_puts(to, text);
    base_text_add(to, "\n", 1);
    free(text);
    return true;
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

char *session_learner_export(struct learner *who, bool memos, size_t *length,
                             struct base_message *m) {
    struct base_text t = {0};
    struct store *s = session_learner_store(who);
    session_lines_add(&t, json_pack("{ss si sI}", "zerotutor", "record", "format", FORMAT, "schema",
                                    (json_int_t)store_version(s)));
    if (!store_rows(s, NULL, add_line, &t, m) || (memos && !add_memos(&t, m))) {
        base_text_free(&t);
        return NULL;
    }
    char *last = session_lines_seal(t.s, t.length);
    base_text_puts(&t, last);
    free(last);
    *length = t.length;
    return base_text_take(&t);
}

/* ── in ────────────────────────────────────────────────────────────────────────────────────────*/
static bool check_head(struct session_lines *f, struct store *s, struct base_message *m) {
    json_t *head = f->end > f->text ? session_lines_next(f, NULL) : NULL;
    bool ours = session_lines_head(head, f, "record", FORMAT, store_version(s), m);
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
    /* what to remove if the rest cannot be taken */
    char **memo;
    size_t memos;
};

static bool take_line(struct taking *t, json_t *line, struct base_message *m) {
    if (!json_object_get(line, "memo")) {
        const char *table = base_json_text(line, "table", NULL);
        if (table) t->answers = strcmp(table, "answer") == 0;
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

/* A person who changes a file on purpose computes its SHA-256 again, but an answer must still fit
 * its question. `path` is NULL for this learner's own record. */
static bool is_judged_so(struct learner *who, struct taking *t, const char *path,
                         struct base_message *m) {
    struct base_message why = {0};
    return !path || session_proof_fits(who, &t->proof, &why) ||
           base_fail_at(m, path, 0, "%s", why.what);
}

static bool take_all(struct learner *who, const char *path, struct session_lines *f,
                     struct base_message *m) {
    struct taking t = {.rows = store_intake_begin(session_learner_store(who), m),
                       .proof.known = json_object()};
    bool taken = t.rows && take_lines(f, &t, m) && is_judged_so(who, &t, path, m);
    session_proof_free(&t.proof);
    if (!t.rows) return false;
    bool kept = store_intake_end(t.rows, taken, taken ? m : NULL);
    for (size_t i = 0; !kept && i < t.memos; i++) unlink(t.memo[i]);
    free_names(t.memo, t.memos);
    return kept;
}

static bool take(struct learner *who, const char *path, char *text, size_t n,
                 struct base_message *m) {
    struct store *s = session_learner_store(who);
    struct session_lines f = {
        .path = path ? path : "the record", .text = text, .at = text, .end = text + n};
    return check_head(&f, s, m) && check_end(&f, m) && take_all(who, path, &f, m);
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
    char *text = session_learner_export(from, false, &n, m);
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
