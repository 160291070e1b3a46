/* reports: what learners find wrong with questions, with a row for each member of a line. */
#include "classroom/reports.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT = 1, FILE_MOST = 1 << 20 };

/* ── members ───────────────────────────────────────────────────────────────────────────────────*/
#define TEXT(name)                                                                                 \
    { #name, offsetof(struct classroom_report, name), sizeof(((struct classroom_report *)0)->name) }
#define NUMBER(name)                                                                               \
    { #name, offsetof(struct classroom_report, name), 0 }
static const struct member {
    const char *name;
    size_t offset;
    /* of a text with its end; 0: a number */
    size_t room;
} members[] = {NUMBER(time), TEXT(item),    NUMBER(revision), NUMBER(try),
               TEXT(seed),   TEXT(program), TEXT(wrong),      TEXT(statement),
               TEXT(typed),  TEXT(verdict), TEXT(mistake)};

json_t *classroom_report_json(const struct classroom_report *r) {
    json_t *json = json_object();
    for (size_t i = 0; i < BASE_COUNT(members); i++) {
        const char *at = (const char *)r + members[i].offset;
        if (members[i].room == 0)
            json_object_set_new(json, members[i].name,
                                json_integer(*(const int64_t *)(const void *)at));
        else if (*at)
            json_object_set_new(json, members[i].name, json_string(at));
    }
    return json;
}

static struct classroom_report take(const json_t *json) {
    struct classroom_report r = {0};
    for (size_t i = 0; i < BASE_COUNT(members); i++) {
        char *at = (char *)&r + members[i].offset;
        if (members[i].room) {
            base_line_copy(at, members[i].room, base_json_text(json, members[i].name, ""));
            continue;
        }
        int64_t number = base_json_int(json, members[i].name, 0);
        *(int64_t *)(void *)at = number > 0 ? number : 0;
    }
    return r;
}

/* ── the file ──────────────────────────────────────────────────────────────────────────────────*/
static void add_line(struct base_text *t, json_t *line) {
    char *text = json_dumps(line, JSON_COMPACT);
    base_text_printf(t, "%s\n", text);
    free(text);
    json_decref(line);
}

bool classroom_reports_write(const struct classroom_folder *f, enum classroom_place p,
                             const char *name, const char *class, const char *account,
                             const struct classroom_report *report, size_t n,
                             struct base_message *m) {
    struct base_text t = {0};
    char *file = base_format("%s" CLASSROOM_REPORTS_END, name);
    add_line(&t, json_pack("{ss si ss ss}", "zerotutor", "reports", "format", FORMAT, "class",
                           class, "account", account));
    for (size_t i = 0; i < n && i < CLASSROOM_REPORTS_MOST; i++)
        add_line(&t, classroom_report_json(&report[i]));
    bool wrote = classroom_write(f, p, file, p == CLASSROOM_KEPT ? 0600 : 0644, t.s, t.length, m);
    free(file);
    base_text_free(&t);
    return wrote;
}

static bool check_head(const json_t *head, const char *file, const struct classroom_settings *s,
                       struct base_message *m) {
    if (strcmp(base_json_text(head, "zerotutor", ""), "reports") != 0)
        return base_fail_at(m, file, 1, "zerotutor did not write this file");
    if (base_json_int(head, "format", 0) != FORMAT)
        return base_fail_at(m, file, 1, "a newer zerotutor wrote this file: update this one");
    if (strcmp(base_json_text(head, "class", ""), s->id) != 0)
        return base_fail_at(m, file, 1, "these reports are another class's");
    return true;
}

static bool check_owner(const struct classroom_reports *r, uid_t owner, const char *file,
                        struct base_message *m) {
    char *account = classroom_account(owner);
    bool own = strcmp(account, r->account) == 0;
    if (!own)
        base_fail_at(m, file, 0, "the account %s owns this file, and it says that it is %s's",
                     account, r->account);
    free(account);
    return own;
}

/* A line that cannot be read ends the file. */
static void take_lines(struct classroom_reports *r, const char *at, const char *end) {
    for (const char *stop; at < end; at = stop + 1) {
        stop = memchr(at, '\n', (size_t)(end - at));
        json_t *json = stop ? json_loadb(at, (size_t)(stop - at), 0, NULL) : NULL;
        r->cut = !json_is_object(json) || r->count == CLASSROOM_REPORTS_MOST;
        if (!r->cut) {
            r->report = base_grow(r->report, r->count + 1, sizeof *r->report);
            r->report[r->count++] = take(json);
        }
        json_decref(json);
        if (r->cut) return;
    }
}

bool classroom_reports_read(const struct classroom_folder *f, enum classroom_place p,
                            const char *name, const struct classroom_settings *s,
                            struct classroom_reports *out, struct base_message *m) {
    struct classroom_file got = {0};
    char *file = base_format("%s" CLASSROOM_REPORTS_END, name);
    uid_t owner = p == CLASSROOM_KEPT ? geteuid() : CLASSROOM_ANYBODY;
    *out = (struct classroom_reports){0};
    bool read = classroom_read(f, p, file, owner, FILE_MOST, &got, m);
    int error = errno;
    const char *text = read ? got.text : "", *first = memchr(text, '\n', got.length);
    json_t *head = first ? json_loadb(text, (size_t)(first - text), 0, NULL) : NULL;
    bool fine = read && check_head(head, file, s, m);
    base_line_copy(out->account, sizeof out->account, base_json_text(head, "account", ""));
    if (fine && p != CLASSROOM_KEPT && !s->synchronised)
        fine = check_owner(out, got.owner, file, m);
    if (fine) take_lines(out, first + 1, text + got.length);
    json_decref(head);
    free(got.text);
    free(file);
    errno = error;
    return fine;
}

void classroom_reports_free(struct classroom_reports *r) {
    free(r->report);
    *r = (struct classroom_reports){0};
}

/* ── what is kept ──────────────────────────────────────────────────────────────────────────────*/
static bool has(const struct classroom_reports *r, const struct classroom_report *one) {
    json_t *json = classroom_report_json(one);
    bool found = false;
    for (size_t i = 0; i < r->count && !found; i++) {
        json_t *other = classroom_report_json(&r->report[i]);
        found = json_equal(json, other);
        json_decref(other);
    }
    json_decref(json);
    return found;
}

static size_t add_new(struct classroom_reports *to, const struct classroom_reports *from) {
    size_t before = to->count;
    for (size_t i = 0; i < from->count && to->count < CLASSROOM_REPORTS_MOST; i++) {
        if (has(to, &from->report[i])) continue;
        to->report = base_grow(to->report, to->count + 1, sizeof *to->report);
        to->report[to->count++] = from->report[i];
    }
    return to->count - before;
}

bool classroom_reports_keep(const struct classroom_folder *f, const char *name, const char *account,
                            const struct classroom_settings *s, size_t *fresh,
                            struct base_message *m) {
    struct classroom_reports given, kept = {0};
    bool read = classroom_reports_read(f, CLASSROOM_HANDINS, name, s, &given, m);
    char *file = base_format("%s" CLASSROOM_REPORTS_END, name);
    bool none = !read && classroom_is_gone(f, CLASSROOM_HANDINS, file), done = read;
    free(file);
    *fresh = 0;
    if (read && strcmp(given.account, account) != 0)
        done =
            base_fail(m, "these reports are %s's, and the hand-in is %s's", given.account, account);
    if (done) {
        classroom_reports_read(f, CLASSROOM_KEPT, name, s, &kept, &(struct base_message){0});
        *fresh = add_new(&kept, &given);
    }
    if (done && *fresh)
        done = classroom_reports_write(f, CLASSROOM_KEPT, name, s->id, account, kept.report,
                                       kept.count, m);
    classroom_reports_free(&given);
    classroom_reports_free(&kept);
    return done || none;
}
