/* kept: copies of hand-ins as the teacher saw them, and what a later one lacks. What was kept once
 * stays, whatever becomes of the file. */
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

/* The member that says when how many of its answers were first seen. */
enum { SEEN = 32 };
static const char *seen_name(size_t version, char out[SEEN]) {
    snprintf(out, SEEN, version < 2 ? "seen" : "seen.%zu", version);
    return out;
}

char *classroom_kept_name(const char *hex, size_t version) {
    return version < 2 ? base_format("%s" CLASSROOM_HANDIN_END, hex)
                       : base_format("%s.%zu" CLASSROOM_HANDIN_END, hex, version);
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

/* Notes for good what a hand-in once lacked; the grades list it. */
static void note_gone(struct collecting *c, const char *hex, const char *account, json_t *known,
                      char *says) {
    json_t *gone = json_object_get(known, "gone"), *one;
    bool noted = false;
    size_t i;
    if (!gone) json_object_set_new(known, "gone", gone = json_array());
    json_array_foreach(gone, i, one) noted =
        noted || strcmp(base_json_text(one, "says", ""), says) == 0;
    if (!noted) json_array_append_new(gone, json_pack("{ss}", "says", says));
    list(c, hex, account, "gone", says);
    free(says);
}

static void note_run(struct collecting *c, const char *hex, const char *account, json_t *known,
                     size_t version, size_t from, size_t to) {
    char *which = from == to ? base_format("answer %zu is", from)
                             : base_format("answers %zu to %zu are", from, to),
         *name = classroom_kept_name(hex, version);
    note_gone(c, hex, account, known,
              base_format("%s gone or changed since it was collected. The copy kept/%s is graded",
                          which, name));
    free(name);
    free(which);
}

/* Notes the answers that were kept and are not in the new hand-in, in runs. */
static void compare(struct collecting *c, const char *hex, const char *account, json_t *known,
                    size_t version, const struct lines *old, const struct lines *new) {
    struct line *sorted = base_alloc((new->count + 1) * sizeof *sorted);
    if (new->count) memcpy(sorted, new->line, new->count * sizeof *sorted);
    if (new->count) qsort(sorted, new->count, sizeof *sorted, by_text);
    for (size_t i = 0, end; i < old->count; i = end) {
        for (end = i; end < old->count &&
                      !bsearch(&old->line[end], sorted, new->count, sizeof *sorted, by_text);)
            end++;
        if (end > i) note_run(c, hex, account, known, version, i + 1, end);
        if (end == i) end++;
    }
    free(sorted);
}

/* ── one hand-in ───────────────────────────────────────────────────────────────────────────────*/

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

/* How much of a text can be graded: the lines of its chain, if it is a hand-in of this class. */
static size_t good_length(const struct collecting *c, const struct lines *l, uid_t owner) {
    struct classroom_handin h;
    const struct classroom_file file = {
        .text = (char *)l->text, .length = l->length, .owner = owner};
    classroom_handin_take(&file, "", c->s, false, &h, NULL);
    size_t good = h.length;
    classroom_handin_free(&h);
    return good;
}

static bool begins_with(const struct lines *l, const struct lines *with, size_t n) {
    return l->length >= n && memcmp(l->text, with->text, n) == 0;
}

static bool keep_version(struct collecting *c, const char *hex, json_t *known, size_t version,
                         const struct lines *new) {
    char *name = classroom_kept_name(hex, version);
    int64_t when = keep(c, name, new->text, new->length);
    free(name);
    if (when == 0) return false;
    char member[SEEN];
    json_t *seen = json_object_get(known, seen_name(version, member));
    if (!seen) json_object_set_new(known, member, seen = json_array());
    json_array_append_new(seen, json_pack("[I,I]", (json_int_t) new->count, (json_int_t)when));
    c->fresh++;
    return true;
}

/* What a version that was kept is to the hand-in that is there now. */
enum relation {
    /* the same bytes */
    SAME,
    /* none is kept, or the hand-in goes on from it */
    GOES_ON,
    /* all of the hand-in that can be graded is in it */
    HOLDS_IT,
    /* it has other answers, or in another order */
    APART
};

static enum relation relation(const struct collecting *c, const struct lines *old,
                              const struct lines *new, uid_t owner) {
    if (begins_with(new, old, old->length)) return new->length == old->length ? SAME : GOES_ON;
    size_t good = good_length(c, old, owner);
    if (begins_with(new, old, good)) return GOES_ON; /* whatever was broken in it was mended */
    return begins_with(old, new, good_length(c, new, owner)) ? HOLDS_IT : APART;
}

/* What the version is to the hand-in, and what of it is gone. False if it cannot be read. */
static bool look_at_version(struct collecting *c, const char *hex, const char *account,
                            json_t *known, size_t version, const struct lines *new, uid_t owner,
                            enum relation *r) {
    struct classroom_file kept = {0};
    char *name = classroom_kept_name(hex, version);
    bool was = is_kept(c->f, name),
         read = !was || classroom_read(c->f, CLASSROOM_KEPT, name, geteuid(), CLASSROOM_HANDIN_MOST,
                                       &kept, c->m);
    struct lines old = lines_of(kept.text ? kept.text : "", kept.length);
    *r = was && read ? relation(c, &old, new, owner) : GOES_ON;
    if (*r == HOLDS_IT || *r == APART) compare(c, hex, account, known, version, &old, new);
    if (!was && version > 1)
        note_gone(c, hex, account, known,
                  base_format("it does not go on from what was collected before. It is kept as %s, "
                              "and all copies are graded",
                              name));
    free(old.line);
    free(kept.text);
    free(name);
    return read;
}

/* Finds the version that the hand-in goes on from, or begins one. What was kept of others stays,
 * and is graded, too: so nobody loses an answer that was collected. */
static bool take_over(struct collecting *c, const char *hex, const char *account, uid_t owner,
                      json_t *known, const struct lines *new) {
    for (size_t version = 1; version <= VERSIONS_MOST; version++) {
        enum relation r;
        if (!look_at_version(c, hex, account, known, version, new, owner, &r)) return false;
        if (r == GOES_ON) return keep_version(c, hex, known, version, new);
        if (r != APART) return true;
    }
    list(c, hex, account, "rewritten",
         "it was rewritten too often. The copies from before are graded");
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

/* The account of a hand-in is who owned its file when it was collected first. */
static bool is_known_as(struct collecting *c, const char *hex, json_t *known, const char *account) {
    const char *was = base_json_text(known, "account", "");
    if (!known || !*was || strcmp(was, account) == 0) return true;
    char *says = base_format("this was the hand-in of %s, and is now a file of %s. The kept copy "
                             "is graded",
                             was, account);
    list(c, hex, was, "head", says);
    free(says);
    return false;
}

/* False if the teacher's own files cannot be read or written. */
static bool collect_file(struct collecting *c, const char *hex, struct classroom_file *file) {
    char *account;
    json_t *known = json_object_get(c->handins, hex);
    struct lines new = lines_of(file->text, file->length);
    check_head(c, hex, *file, &account);
    bool refused = !known && has_too_many(c, account);
    if (refused) list(c, hex, account, "many", "this account has more hand-ins. It is not kept");
    if (!known && !refused)
        json_object_set_new(c->handins, hex, known = json_pack("{ss}", "account", account));
    bool taken = refused || !is_known_as(c, hex, known, account) ||
                 take_over(c, hex, account, file->owner, known, &new);
    c->seen++;
    c->answers += (json_int_t) new.count;
    free(new.line);
    free(account);
    return taken;
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

int64_t classroom_collected_seen(const json_t *collected, const char *handin, size_t version,
                                 size_t i) {
    char name[SEEN];
    const json_t *known = json_object_get(collected, handin),
                 *seen = json_object_get(known, seen_name(version, name)), *one;
    size_t k;
    json_array_foreach(seen, k, one) {
        if ((json_int_t)i < json_integer_value(json_array_get(one, 0)))
            return json_integer_value(json_array_get(one, 1));
    }
    return 0;
}
