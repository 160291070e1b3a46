/* memo: a memo as a file of the learner's own: read, written whole or not at all, and watched,
 * since others may write it too. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct session_memo {
    /* as it was last read or written; lines end in \n alone */
    char *path, *text;
    size_t length, most;
    /* hash of the file then */
    uint64_t known;
    /* in the file lines end in \r\n */
    bool returns;
    struct script_watch *watch;
};

char *session_memo_path(const char *name) {
    return base_format("%s/memo/%s.md", base_home(), name);
}

/* ── text ──────────────────────────────────────────────────────────────────────────────────────*/
static bool ends_with_returns(const char *s) {
    const char *line = strchr(s, '\n');
    return line && line > s && line[-1] == '\r';
}

static size_t drop_returns(char *s, size_t n) {
    size_t out = 0;
    for (size_t i = 0; i < n; i++)
        if (s[i] != '\r' || s[i + 1] != '\n') s[out++] = s[i];
    s[out] = '\0';
    return out;
}

static char *add_returns(const char *s, size_t n, size_t *length) {
    struct base_text t = {0};
    for (size_t i = 0; i < n; i++)
        base_text_add(&t, s[i] == '\n' ? "\r\n" : s + i, s[i] == '\n' ? 2 : 1);
    *length = t.length;
    return base_text_take(&t);
}

static bool is_control(char c) {
    return ((unsigned char)c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
}

/* What an editor would show otherwise than it is, and so might spoil, is left to other programs. */
static bool is_text(const char *path, const char *s, size_t n, struct base_message *m) {
    int line = 1;
    size_t i = 0;
    for (; i < n && !is_control(s[i]); i++) line += s[i] == '\n';
    if (i == n && base_utf8_valid(s, n)) return true;
    return base_fail_at(m, path, i < n ? line : 0,
                        "this has bytes that are not UTF-8 text, so the file is unchanged: fix it "
                        "in your own editor");
}

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static uint64_t hash_of(const char *s, size_t n) {
    return base_hash(n + 1, s);
}

static bool read_text(struct session_memo *f, struct base_message *m) {
    size_t n;
    char *text = base_file_read(f->path, f->most, &n, m);
    if (!text) return false;
    uint64_t known = hash_of(text, n);
    bool returns = ends_with_returns(text);
    if (returns) n = drop_returns(text, n);
    if (!is_text(f->path, text, n, m)) {
        free(text);
        return false;
    }
    free(f->text);
    f->text = text;
    f->length = n;
    f->known = known;
    f->returns = returns;
    return true;
}

/* The learner's own folder may not be there yet; others are not made up. */
static bool make_folder(const char *path, struct base_message *m) {
    char *folder = base_format("%s/memo", base_home());
    size_t n = strlen(folder);
    bool own = strncmp(path, folder, n) == 0 && path[n] == '/';
    bool made = !own || base_make_dirs(folder, m);
    free(folder);
    return made;
}

bool session_memo_begin(const char *path, const char *text, struct base_message *m) {
    if (access(path, F_OK) == 0) return true;
    return make_folder(path, m) && base_file_create(path, text, strlen(text), m) != BASE_UNWRITTEN;
}

/* Through a link the file is watched that it leads to: that one is written. */
static struct script_watch *watch_file(const char *path) {
    char *real = realpath(path, NULL);
    struct script_watch *watch = script_watch_open(real ? real : path);
    free(real);
    return watch;
}

struct session_memo *session_memo_open(const char *path, size_t most, struct base_message *m) {
    struct session_memo *f = base_alloc(sizeof *f);
    f->path = base_dup(path);
    f->most = most;
    if (read_text(f, m)) {
        f->watch = watch_file(path);
        return f;
    }
    session_memo_close(f);
    return NULL;
}

void session_memo_close(struct session_memo *f) {
    if (f->watch) script_watch_close(f->watch);
    free(f->path);
    free(f->text);
    free(f);
}

const char *session_memo_file(const struct session_memo *f) {
    return f->path;
}

const char *session_memo_text(const struct session_memo *f, size_t *length) {
    *length = f->length;
    return f->text;
}

/* ── changes of others ─────────────────────────────────────────────────────────────────────────*/
/* Whether a file holds what was last read or written here. One that is gone is no change: the next
 * save makes it again. */
static bool is_known(void *self, const char *path) {
    const struct session_memo *f = self;
    size_t n;
    char *text = base_file_read(path, f->most, &n, NULL);
    bool known = text ? hash_of(text, n) == f->known : access(path, F_OK) != 0;
    free(text);
    return known;
}

int session_memo_fd(const struct session_memo *f) {
    return f->watch ? script_watch_fd(f->watch) : -1;
}

enum session_memo_found session_memo_look(struct session_memo *f, struct base_message *m) {
    if (f->watch) script_watch_changed(f->watch);
    if (is_known(f, f->path)) return SESSION_MEMO_SAME;
    return read_text(f, m) ? SESSION_MEMO_CHANGED : SESSION_MEMO_UNREADABLE;
}

char *session_memo_asked(const struct session *s, struct base_message *m) {
    const struct lesson_ask *ask = lesson_asked(session_dialogue(s));
    char *path = session_memo_path(ask->memo), *text = NULL;
    struct session_memo *f = session_memo_begin(path, ask->memo_begins, m)
                                 ? session_memo_open(path, MEMO_BYTES, m)
                                 : NULL;
    if (f) text = base_dup(f->text);
    if (f) session_memo_close(f);
    free(path);
    return text;
}

/* ── writing ───────────────────────────────────────────────────────────────────────────────────*/
static enum base_wrote write_text(struct session_memo *f, const char *text, size_t n,
                                  struct base_message *m) {
    size_t length = n;
    char *lines = f->returns ? add_returns(text, n, &length) : NULL;
    const char *data = lines ? lines : text;
    enum base_wrote wrote = base_file_replace(f->path, data, length, is_known, f, m);
    if (wrote == BASE_WROTE) f->known = hash_of(data, length);
    free(lines);
    return wrote;
}

enum session_memo_found session_memo_save(struct session_memo *f, const char *text, size_t n,
                                          struct base_message *m) {
    switch (write_text(f, text, n, m)) {
    case BASE_DIFFERS: return session_memo_look(f, m);
    case BASE_UNWRITTEN: return SESSION_MEMO_UNWRITTEN;
    default: break;
    }
    char *copy = base_alloc(n + 1);
    memcpy(copy, text, n);
    free(f->text);
    f->text = copy;
    f->length = n;
    return SESSION_MEMO_SAME;
}

char *session_memo_keep(const struct session_memo *f, const char *text, size_t n,
                        struct base_message *m) {
    enum { NAMES = 1000 };
    for (int i = 1; i < NAMES; i++) {
        char *path = i == 1 ? base_format("%s~", f->path) : base_format("%s~%d", f->path, i);
        enum base_wrote wrote = base_file_create(path, text, n, m);
        if (wrote == BASE_WROTE) return path;
        free(path);
        if (wrote == BASE_UNWRITTEN) return NULL;
    }
    base_fail_at(m, f->path, 0, "cannot keep another copy: there are %d already, so remove some",
                 NAMES);
    return NULL;
}
