/* membership: class.json of the learner, and the record that is in use because of it. */
#include "session/membership.h"
#include "session/practice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MOST = 1 << 16 };
#define HANDIN                                                                                     \
    "class/handin" /* the setting of the class's record that keeps the hand-in's name              \
                    */

static char *file_path(void) {
    return base_format("%s/class.json", base_home());
}

/* of the class that the learner left last */
static char *left_path(void) {
    return base_format("%s/classes/left.json", base_home());
}

char *session_class_record(const struct session_class *c) {
    return base_format("%s/classes/%s.db", base_home(), c->settings.id);
}

/* ── class.json, in ────────────────────────────────────────────────────────────────────────────*/
static bool is_hex(const char *text) {
    size_t n = strlen(text);
    return n == CLASSROOM_NAME - 1 && strspn(text, "0123456789abcdef") == n;
}

static bool is_plain(const char *text, size_t room) {
    size_t n = strlen(text);
    return n > 0 && n < room && base_is_line(text, n);
}

/* What is wrong, or NULL. */
static const char *take_members(struct session_class *c, const json_t *json) {
    const struct {
        const char *name;
        char *to;
        size_t room;
        bool hex, needed;
    } rows[] = {
        {"folder", c->folder, sizeof c->folder, false, true},
        {"id", c->settings.id, sizeof c->settings.id, true, true},
        {"name", c->settings.name, sizeof c->settings.name, false, true},
        {"account", c->account, sizeof c->account, false, true},
        {"handin", c->handin, sizeof c->handin, true, true},
        {"with", c->with, sizeof c->with, false, false},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        const json_t *value = json_object_get(json, rows[i].name);
        const char *text = json_string_value(value);
        if (!value && !rows[i].needed) continue;
        if (!text || strlen(text) != json_string_length(value) || !is_plain(text, rows[i].room) ||
            (rows[i].hex && !is_hex(text)))
            return rows[i].name;
        memcpy(rows[i].to, text, strlen(text) + 1);
    }
    c->settings.begins = base_json_int(json, "begins", 0);
    c->settings.ends = base_json_int(json, "ends", 0);
    return *c->folder == '/' ? NULL : "folder";
}

static bool read_file(struct session_class *c, const char *path, struct base_message *m) {
    size_t n;
    struct base_message why = {0};
    char *text = base_file_read(path, FILE_MOST, &n, &why);
    json_t *json = text ? base_json_read(text, n, path, &why) : NULL;
    const char *wrong = json ? take_members(c, json) : NULL;
    bool read = json && !wrong;
    if (!json)
        base_fail_at(m, path, why.line,
                     "%s: run `zerotutor class leave`, then join the class again", why.what);
    if (wrong)
        base_fail_at(m, path, 0,
                     "its member \"%s\" is missing or cannot be used: run `zerotutor class leave`, "
                     "then join the class again",
                     wrong);
    json_decref(json);
    free(text);
    return read;
}

/* ── the class as it is now ────────────────────────────────────────────────────────────────────*/
int64_t session_class_ends(const struct session_class *c) {
    if (c->settings.closed) return c->settings.ends;
    int64_t ends = classroom_due(&c->settings, c->account, "");
    for (size_t i = 0; ends && i < c->settings.lessons; i++) {
        int64_t due = classroom_due(&c->settings, c->account, c->settings.lesson[i].id);
        if (due > ends) ends = due;
    }
    return ends;
}

bool session_class_is_ahead(const struct session_class *c) {
    return !c->settings.closed && base_now() < c->settings.begins;
}

bool session_class_is_over(const struct session_class *c) {
    int64_t ends = session_class_ends(c);
    return c->settings.closed || (ends && base_now() >= ends);
}

static void look_at_class(struct session_class *c) {
    struct classroom_settings now;
    struct classroom_folder *f = classroom_open(c->folder, NULL);
    c->reachable = f && classroom_settings_read(f, &now, NULL) &&
                   strcmp(now.id, c->settings.id) == 0; /* and no other class's folder by now */
    if (c->reachable) {
        c->settings = now;
        classroom_extensions_own(f, c->handin, c->account, &c->settings);
    }
    classroom_close(f);
    int64_t time = base_now(), ends = session_class_ends(c);
    c->running = time >= c->settings.begins && !c->settings.closed && (!ends || time < ends);
}

/* Takes the path. */
static bool read_at(char *path, struct session_class *out, struct base_message *m) {
    struct stat it;
    *out = (struct session_class){0};
    bool there = lstat(path, &it) == 0, read = !there || read_file(out, path, m);
    free(path);
    if (there && read) look_at_class(out);
    if (!read) *out->folder = '\0';
    return read;
}

bool session_class_read(struct session_class *out, struct base_message *m) {
    return read_at(file_path(), out, m);
}

bool session_class_left(struct session_class *out) {
    return read_at(left_path(), out, NULL) && *out->folder;
}

bool session_class(struct session_class *out) {
    return session_class_read(out, NULL) && *out->folder;
}

/* ── the record ────────────────────────────────────────────────────────────────────────────────*/
/* How a learner likes it, whichever record is in use: what moves, is drawn and coloured. */
static const char *const comforts[] = {"theme",          "characters",     "colour",
                                       "motion",         "mouse",          "drawings",
                                       "streak",         SESSION_ROLLOVER, SESSION_REVIEW_MINUTES,
                                       SESSION_INTERVIEW};

static void carry_comforts(struct store *to) {
    struct stat it;
    char *path = base_format("%s/learner.db", base_home());
    struct store *own = stat(path, &it) == 0 ? store_open(NULL, NULL) : NULL;
    for (size_t i = 0; own && i < BASE_COUNT(comforts); i++) {
        char *set = store_setting(to, comforts[i]), *value = store_setting(own, comforts[i]);
        if (!set && value) store_set(to, comforts[i], value, NULL);
        free(value);
        free(set);
    }
    store_close(own);
    free(path);
}

/* Until something is answered in it, it takes over settings that were never set in it. */
static struct store *open_record(const struct session_class *c, struct base_message *m) {
    char *path = session_class_record(c);
    struct store *s = store_open_seeded(path, classroom_seed(&c->settings, c->account), m);
    if (s && store_last_answer(s) == 0) carry_comforts(s);
    free(path);
    return s;
}

char *session_record_path(void) {
    struct session_class c;
    return session_class(&c) && c.running ? session_class_record(&c)
                                          : base_format("%s/learner.db", base_home());
}

struct store *session_record_open(struct base_message *m) {
    struct session_class c;
    if (!base_home_check(m) || !session_class_read(&c, m)) return NULL;
    return *c.folder && c.running ? open_record(&c, m) : store_open(NULL, m);
}

/* ── joining ───────────────────────────────────────────────────────────────────────────────────*/
/* The hand-in's name stays with the class's record, so that who leaves and joins again goes on with
 * the same file. */
static bool name_handin(struct session_class *c, struct base_message *m) {
    struct store *s = open_record(c, m);
    char *kept = s ? store_setting(s, HANDIN) : NULL;
    bool known = kept && is_hex(kept);
    if (known)
        memcpy(c->handin, kept, sizeof c->handin);
    else
        classroom_random_name(c->handin);
    bool named = s && (known || store_set(s, HANDIN, c->handin, m));
    free(kept);
    store_close(s);
    return named;
}

static bool write_file(const struct session_class *c, struct base_message *m) {
    char *path = file_path();
    json_t *json =
        json_pack("{ss ss ss ss ss sI sI}", "folder", c->folder, "id", c->settings.id, "name",
                  c->settings.name, "account", c->account, "handin", c->handin, "begins",
                  (json_int_t)c->settings.begins, "ends", (json_int_t)session_class_ends(c));
    if (*c->with) json_object_set_new(json, "with", json_string(c->with));
    char *text = json_dumps(json, JSON_INDENT(2)), *lines = base_format("%s\n", text);
    bool wrote = base_file_write(path, lines, strlen(lines), m) &&
                 (chmod(path, 0600) == 0 ||
                  base_fail_at(m, path, 0, "cannot set its mode: %s", strerror(errno)));
    free(lines);
    free(text);
    json_decref(json);
    free(path);
    return wrote;
}

/* Of a class that can be joined: `c` gets all but the hand-in's name. */
static bool find_class(struct session_class *c, const char *folder, const char *account,
                       struct base_message *m) {
    struct classroom_folder *f = classroom_open(folder, m);
    bool found = f && classroom_settings_read(f, &c->settings, m);
    if (found && !is_plain(classroom_path(f), sizeof c->folder))
        found = base_fail_at(m, folder, 0,
                             "its path is too long or has control characters: use another folder");
    if (found) {
        char *own = classroom_account(geteuid());
        snprintf(c->folder, sizeof c->folder, "%s", classroom_path(f));
        snprintf(c->account, sizeof c->account, "%s", account ? account : own);
        free(own);
        look_at_class(c);
    }
    if (found && c->settings.synchronised && classroom_is_teacher(f)) /* of this copy */
        found = classroom_complete(f, m);
    classroom_close(f);
    if (!found) return false;
    if (session_class_is_over(c))
        return base_fail_at(m, folder, 0, "the class \"%s\" is over: ask its teacher for another",
                            c->settings.name);
    return true;
}

/* An account may be named by its number, as in a roster. */
static void set_with(struct session_class *c, const char *with) {
    bool number = *with && strspn(with, "0123456789") == strlen(with) && strlen(with) < 10;
    char *account = number ? classroom_account((uid_t)strtoul(with, NULL, 10)) : base_dup(with);
    snprintf(c->with, sizeof c->with, "%s", account);
    free(account);
}

static bool join(const char *folder, const char *account, const char *with,
                 struct session_class *out, struct base_message *m) {
    struct session_class before;
    *out = (struct session_class){0};
    if (!base_home_check(m) || !session_class_read(&before, m)) return false;
    if (with && *with && !is_plain(with, sizeof out->with))
        return base_fail(m, "the second name has control characters or is longer than %zu bytes",
                         sizeof out->with - 1);
    if (!find_class(out, folder, account, m)) return false;
    bool other = *before.folder && strcmp(before.settings.id, out->settings.id) != 0;
    if (other && !session_class_is_over(&before))
        return base_fail(m,
                         "you are in the class \"%s\": run `zerotutor class leave` before you join "
                         "another",
                         before.settings.name);
    set_with(out, with ? with : "");
    return name_handin(out, m) && (!other || session_class_leave(m)) && write_file(out, m);
}

bool session_class_join(const char *folder, const char *with, struct session_class *out,
                        struct base_message *m) {
    return join(folder, NULL, with, out, m);
}

bool session_class_join_as(const char *folder, const char *account, struct session_class *out,
                           struct base_message *m) {
    return join(folder, account, NULL, out, m);
}

bool session_class_leave(struct base_message *m) {
    struct session_class c;
    if (!base_home_check(m)) return false;
    bool known = session_class(&c);
    char *path = file_path(), *kept = left_path();
    bool left = (known && rename(path, kept) == 0) || unlink(path) == 0;
    free(kept);
    if (!left && errno == ENOENT)
        base_fail(m, "you are in no class: `zerotutor class join FOLDER` joins one");
    else if (!left)
        base_fail_at(m, path, 0, "cannot be removed: %s", strerror(errno));
    free(path);
    if (left && known && c.reachable) {
        struct classroom_folder *f = classroom_open(c.folder, NULL);
        char *now = base_format("%s.now", c.handin);
        if (f) classroom_remove(f, CLASSROOM_HANDINS, now);
        free(now);
        classroom_close(f);
    }
    return left;
}
