/* kept: copies of hand-ins as the teacher saw them, and what a later one lacks. */
#include "classroom/classroom.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What one account can make the teacher keep: so many hand-ins, copies of each, and bytes. */
enum { FORMAT = 1, COLLECTED_MOST = 64 << 20 };
enum { OWN_MOST = 3, VERSIONS_MOST = 5, KEPT_MOST = 16 << 20 };

struct collecting {
    const struct classroom_folder *f;
    const struct classroom_settings *s;
    /* HEX → what is known of it */
    json_t *handins, *listed;
    /* HEX → true: it has reports */
    json_t *reports;
    struct base_message *m;
    json_int_t seen, fresh, answers, fresh_reports;
    bool failed;
};

static void list(struct collecting *c, const char *hex, const char *account, const char *kind,
                 const char *says) {
    json_array_append_new(c->listed,
                          json_pack("{ss ss* ss ss}", "handin", hex, "account",
                                    *account ? account : NULL, "kind", kind, "says", says));
}

/* ── texts of whole lines ──────────────────────────────────────────────────────────────────────*/
struct lines {
    const char *text;
    size_t length;
    /* answers: the lines after the first two, without their links */
    struct line {
        const char *at;
        size_t n;
    } * line;
    size_t count;
};

static size_t whole_length(const char *text, size_t n) {
    while (n > 0 && text[n - 1] != '\n') n--;
    return n;
}

static struct lines lines_of(const char *text, size_t n) {
    struct lines l = {.text = text, .length = whole_length(text, n)};
    size_t number = 0, room = 0;
    for (const char *at = text, *end = text + l.length; at < end; number++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)(next - at);
        if (number >= 2) {
            if (l.count == room) l.line = base_grow(l.line, room += room + 64, sizeof *l.line);
            size_t tail = length > HASH_LINK_BYTES ? HASH_LINK_BYTES : 0;
            l.line[l.count++] = (struct line){at, length - tail};
        }
        at = next + 1;
    }
    return l;
}

static int by_text(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    size_t n = x->n < y->n ? x->n : y->n;
    int order = memcmp(x->at, y->at, n);
    return order ? order : x->n < y->n ? -1 : x->n > y->n;
}

static void note_gone(struct collecting *c, const char *hex, const char *account, json_t *known,
                      size_t version, size_t from, size_t to, int64_t seen) {
    char *which = from == 0 ? base_dup("lines were added or moved")
                  : from == to
                      ? base_format("answer %zu is gone or was changed", from)
                      : base_format("answers %zu to %zu are gone or were changed", from, to);
    char *says = base_format("%s since it was collected. The earlier copy is kept/%s.%zu.handin",
                             which, hex, version);
    json_t *gone = json_object_get(known, "gone");
    if (!gone) json_object_set_new(known, "gone", gone = json_array());
    json_array_append_new(gone, json_pack("{sI sI sI ss sI}", "version", (json_int_t)version,
                                          "from", (json_int_t)from, "to", (json_int_t)to, "says",
                                          says, "seen", (json_int_t)seen));
    list(c, hex, account, "gone", says);
    free(says);
    free(which);
}

/* Lists the answers that were kept and are not in the new hand-in, in runs. */
static void compare(struct collecting *c, const char *hex, const char *account, json_t *known,
                    size_t version, const struct lines *old, const struct lines *new,
                    int64_t seen) {
    struct line *sorted = base_alloc((new->count + 1) * sizeof *sorted);
    size_t gone = 0;
    if (new->count) memcpy(sorted, new->line, new->count * sizeof *sorted);
    if (new->count) qsort(sorted, new->count, sizeof *sorted, by_text);
    for (size_t i = 0, end; i < old->count; i = end) {
        for (end = i; end < old->count &&
                      !bsearch(&old->line[end], sorted, new->count, sizeof *sorted, by_text);)
            end++;
        if (end > i) note_gone(c, hex, account, known, version, i + 1, end, seen);
        gone += end - i;
        if (end == i) end++;
    }
    if (!gone) note_gone(c, hex, account, known, version, 0, 0, seen);
    free(sorted);
}

/* ── one hand-in ───────────────────────────────────────────────────────────────────────────────*/
static char *kept_name(const char *hex, size_t version) {
    return version < 2 ? base_format("%s" CLASSROOM_HANDIN_END, hex)
                       : base_format("%s.%zu" CLASSROOM_HANDIN_END, hex, version);
}

static bool is_kept(const struct classroom_folder *f, const char *name) {
    int fd = classroom_open_file(f, CLASSROOM_KEPT, name, geteuid(), O_RDONLY, NULL);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

/* Writes a copy; when it was written, by the file server's clock; 0 with the message filled. */
static int64_t keep(struct collecting *c, const char *name, const char *text, size_t n) {
    struct stat it = {0};
    if (!classroom_write(c->f, CLASSROOM_KEPT, name, 0600, text, n, c->m)) return 0;
    int fd = classroom_open_file(c->f, CLASSROOM_KEPT, name, geteuid(), O_RDONLY, c->m);
    if (fd >= 0) fstat(fd, &it);
    if (fd >= 0) close(fd);
    return it.st_mtime;
}

/* The number under which the earlier copy is kept; 0: no further one is. */
static size_t free_version(const struct collecting *c, const char *hex) {
    size_t version = 2;
    for (bool taken = true; taken && version <= VERSIONS_MOST; version += taken) {
        char *name = kept_name(hex, version);
        taken = is_kept(c->f, name);
        free(name);
    }
    return version <= VERSIONS_MOST ? version : 0;
}

static bool set_aside(struct collecting *c, const char *hex, size_t version,
                      const struct lines *old) {
    char *name = kept_name(hex, version);
    bool done = keep(c, name, old->text, old->length) != 0;
    free(name);
    return done;
}

/* The account that hands it in: the file's owner; in a synchronised folder, who it says it is. */
static char *account_of(const struct collecting *c, const struct classroom_file *file,
                        const char *says) {
    char line[CLASSROOM_WORD];
    base_line_copy(line, sizeof line, says);
    return c->s->synchronised ? base_dup(line) : classroom_account(file->owner);
}

/* What its first two lines say is wrong with it. */
static void check_head(struct collecting *c, const char *hex, struct classroom_file file,
                       char **account) {
    struct classroom_handin h;
    struct base_message m = {0};
    const char *second = memchr(file.text, '\n', file.length);
    const char *third =
        second ? memchr(second + 1, '\n', file.length - (size_t)(second + 1 - file.text)) : NULL;
    file.length = third ? (size_t)(third + 1 - file.text) : 0;
    bool fine = classroom_handin_take(&file, hex, c->s, !c->s->synchronised, &h, &m);
    *account = account_of(c, &file, h.first ? h.head.account : "");
    if (!fine) list(c, hex, *account, "head", m.what);
    classroom_handin_free(&h);
}

static bool take_over(struct collecting *c, const char *hex, const char *account, json_t *known,
                      const struct lines *new, const struct lines *old) {
    bool extends = new->length >= old->length &&memcmp(new->text, old->text, old->length) == 0;
    size_t version = extends ? 0 : free_version(c, hex);
    if (!extends && version == 0) {
        list(c, hex, account, "rewritten",
             "it was rewritten too often. The copy from before is graded");
        return true;
    }
    if (!extends && !set_aside(c, hex, version, old)) return false;
    char *name = kept_name(hex, 1);
    int64_t seen = keep(c, name, new->text, new->length);
    free(name);
    if (seen == 0) return false;
    if (!extends) compare(c, hex, account, known, version, old, new, seen);
    json_t *when = json_object_get(known, "seen");
    if (!when || !extends) json_object_set_new(known, "seen", when = json_array());
    json_array_append_new(when, json_pack("[I,I]", (json_int_t) new->count, (json_int_t)seen));
    json_object_set_new(known, "account", json_string(account));
    c->fresh++;
    return true;
}

static bool has_too_many(const struct collecting *c, const char *account) {
    const char *hex;
    json_t *known;
    size_t own = 0;
    json_object_foreach(c->handins, hex, known) own +=
        strcmp(base_json_text(known, "account", ""), account) == 0;
    return own >= OWN_MOST;
}

/* False if the teacher's own files cannot be written. */
static bool collect_file(struct collecting *c, const char *hex, struct classroom_file *file) {
    char *name = kept_name(hex, 1), *account;
    struct classroom_file kept = {0};
    json_t *known = json_object_get(c->handins, hex);
    bool was =
        classroom_read(c->f, CLASSROOM_KEPT, name, geteuid(), CLASSROOM_HANDIN_MOST, &kept, NULL);
    struct lines new = lines_of(file->text, file->length),
                 old = lines_of(was ? kept.text : "", was ? kept.length : 0);
    check_head(c, hex, *file, &account);
    bool refused = !known && has_too_many(c, account);
    if (refused) list(c, hex, account, "many", "this account has more hand-ins. It is not kept");
    if (!known && !refused) json_object_set_new(c->handins, hex, known = json_object());
    bool same = was && new.length == old.length &&memcmp(new.text, old.text, new.length) == 0 &&
                json_object_get(known, "seen");
    bool done = same || refused || take_over(c, hex, account, known, &new, &old);
    c->seen++;
    c->answers += (json_int_t) new.count;
    free(old.line);
    free(new.line);
    free(account);
    free(kept.text);
    free(name);
    return done;
}

static void collect_one(void *to, const char *name, bool fit) {
    struct collecting *c = to;
    struct classroom_file file;
    struct base_message m = {0};
    char hex[CLASSROOM_NAME];
    enum classroom_file_kind kind = classroom_file_kind(name, fit, hex);
    if (kind == CLASSROOM_REPORTS) json_object_set_new(c->reports, hex, json_true());
    if (c->failed || kind == CLASSROOM_NOW || kind == CLASSROOM_REPORTS) return;
    if (kind == CLASSROOM_STRANGE) {
        list(c, name, "", "stranger", "this file in handins/ is not a hand-in");
        return;
    }
    if (!classroom_read(c->f, CLASSROOM_HANDINS, name, CLASSROOM_ANYBODY, KEPT_MOST, &file, &m)) {
        list(c, hex, "", "unread", m.what);
        return;
    }
    c->failed = !collect_file(c, hex, &file);
    json_t *known = json_object_get(c->handins, hex);
    if (known) json_object_set_new(known, "here", json_true());
    free(file.text);
}

/* ── all of them ───────────────────────────────────────────────────────────────────────────────*/
json_t *classroom_collected_accounts(const json_t *collected) {
    json_t *out = json_object(), *known;
    const char *hex;
    json_object_foreach((json_t *)collected, hex, known) {
        const char *account = base_json_text(known, "account", "");
        json_t *own = json_object_get(out, account);
        if (!*account) continue;
        if (!own) json_object_set_new(out, account, own = json_array());
        json_array_append_new(own, json_string(hex));
    }
    return out;
}

const char *classroom_collected_other(const json_t *accounts, const char *account,
                                      const char *handin) {
    const json_t *own = json_object_get(accounts, account), *one;
    size_t i;
    json_array_foreach(own, i, one) {
        if (strcmp(json_string_value(one), handin) != 0) return json_string_value(one);
    }
    return NULL;
}

/* Accounts with two hand-ins, and hand-ins that went away. */
static void compare_all(struct collecting *c) {
    json_t *accounts = classroom_collected_accounts(c->handins), *known;
    const char *hex;
    json_object_foreach(c->handins, hex, known) {
        const char *account = base_json_text(known, "account", "");
        const char *other = classroom_collected_other(accounts, account, hex);
        if (!json_object_get(known, "here"))
            list(c, hex, account, "missing",
                 "its file is no longer in handins/. The kept copy is graded");
        json_object_del(known, "here");
        if (!other) continue;
        char *says = base_format("this account has another hand-in, too: %s", other);
        list(c, hex, account, "twice", says);
        free(says);
    }
    json_decref(accounts);
}

/* Those next to a hand-in that is kept: so an account cannot make the teacher keep more. */
static void collect_reports(struct collecting *c) {
    const char *hex;
    json_t *is;
    json_object_foreach(c->reports, hex, is) {
        const json_t *known = json_object_get(c->handins, hex);
        const char *account = base_json_text(known, "account", "");
        struct base_message m = {0};
        char text[sizeof m.what + sizeof m.file + 32];
        size_t fresh = 0;
        if (!known)
            list(c, hex, "", "reports", "these reports have no hand-in. They are not kept");
        else if (!classroom_reports_keep(c->f, hex, account, c->s, &fresh, &m))
            list(c, hex, account, "reports", base_message_text(&m, text, sizeof text));
        c->fresh_reports += (json_int_t)fresh;
    }
}

json_t *classroom_collected(const struct classroom_folder *f, struct base_message *m) {
    struct classroom_file file;
    if (!is_kept(f, CLASSROOM_COLLECTED)) return json_object();
    if (!classroom_read(f, CLASSROOM_KEPT, CLASSROOM_COLLECTED, geteuid(), COLLECTED_MOST, &file,
                        m))
        return NULL;
    char *path = base_format("%s/kept/" CLASSROOM_COLLECTED, classroom_path(f));
    json_t *json = base_json_read(file.text, file.length, path, m);
    bool ours = strcmp(base_json_text(json, "zerotutor", ""), "collected") == 0 &&
                base_json_int(json, "format", 0) == FORMAT &&
                json_is_object(json_object_get(json, "handins"));
    json_t *handins = ours ? json_incref(json_object_get(json, "handins")) : NULL;
    if (json && !ours) base_fail_at(m, path, 0, "this program did not write this file");
    json_decref(json);
    free(path);
    free(file.text);
    return handins;
}

static bool write_collected(struct collecting *c) {
    json_t *json =
        json_pack("{ss si sO}", "zerotutor", "collected", "format", FORMAT, "handins", c->handins);
    char *text = json_dumps(json, JSON_INDENT(1));
    bool wrote =
        classroom_write(c->f, CLASSROOM_KEPT, CLASSROOM_COLLECTED, 0600, text, strlen(text), c->m);
    free(text);
    json_decref(json);
    return wrote;
}

static void list_crowd(struct collecting *c, uid_t crowd) {
    char *account = classroom_account(crowd);
    list(c, "", account, "many",
         "this account has more files in handins/ than a learner. Not all were looked at");
    free(account);
}

json_t *classroom_collect(const struct classroom_folder *f, const struct classroom_settings *s,
                          struct base_message *m) {
    struct collecting c = {
        .f = f, .s = s, .listed = json_array(), .reports = json_object(), .m = m};
    uid_t crowd;
    json_t *out = NULL;
    c.handins = classroom_collected(f, m);
    bool done = c.handins && classroom_handins_each(f, s, collect_one, &c, &crowd, m);
    if (done && crowd != CLASSROOM_ANYBODY) list_crowd(&c, crowd);
    if (done) compare_all(&c);
    if (done) collect_reports(&c);
    /* what was kept is noted even if a later one could not be */
    if (c.handins) done = write_collected(&c) && done && !c.failed;
    if (done)
        out = json_pack("{sI sI sI sI sO}", "handins", c.seen, "new", c.fresh, "answers", c.answers,
                        "reports", c.fresh_reports, "listed", c.listed);
    json_decref(c.reports);
    json_decref(c.listed);
    json_decref(c.handins);
    return out;
}

int64_t classroom_collected_seen(const json_t *collected, const char *handin, size_t i) {
    const json_t *seen = json_object_get(json_object_get(collected, handin), "seen"), *one;
    size_t k;
    json_array_foreach(seen, k, one) {
        if ((json_int_t)i < json_integer_value(json_array_get(one, 0)))
            return json_integer_value(json_array_get(one, 1));
    }
    return 0;
}
