/* private: what the teacher keeps from the room, and what of it one learner may know. */
#include "classroom/classroom.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1, FILE_MOST = 1 << 20 };

/* ── a file for one account ────────────────────────────────────────────────────────────────────*/
bool classroom_write_to(const struct classroom_folder *f, const struct classroom_settings *s,
                        const char *handin, const char *ending, const char *account,
                        const char *text, size_t n, struct base_message *m) {
    uid_t reader;
    char *name = base_format("%s%s", handin, ending);
    bool known = !s->synchronised && classroom_find_account(account, &reader);
    bool wrote = (known && classroom_write_for(f, CLASSROOM_FEEDBACK, name, &reader, 1, text, n)) ||
                 classroom_write(f, CLASSROOM_FEEDBACK, name, 0644, text, n, m);
    free(name);
    return wrote;
}

bool classroom_keeps_private(const struct classroom_folder *f) {
    char random[CLASSROOM_NAME];
    classroom_random_name(random);
    char *name = base_format(".doctor-%s", random);
    uid_t teacher = classroom_teacher(f);
    bool keeps = classroom_write_for(f, CLASSROOM_FEEDBACK, name, &teacher, 1, "", 0);
    if (keeps) classroom_remove(f, CLASSROOM_FEEDBACK, name);
    free(name);
    return keeps;
}

/* ── files of this class ───────────────────────────────────────────────────────────────────────*/
static json_t *read_of(const struct classroom_folder *f, enum classroom_place p, const char *name,
                       const char *what, const char *id) {
    struct classroom_file file;
    if (!classroom_read(f, p, name, classroom_teacher(f), FILE_MOST, &file, NULL)) return NULL;
    json_t *json = base_json_parse(file.text, file.length);
    bool fine = strcmp(base_json_text(json, "zerotutor", ""), what) == 0 &&
                base_json_int(json, "format", 0) == FORMAT &&
                strcmp(base_json_text(json, "class", ""), id) == 0;
    free(file.text);
    if (fine) return json;
    json_decref(json);
    return NULL;
}

static char *text_of(json_t *json, const char *what, const char *id) {
    json_object_set_new(json, "zerotutor", json_string(what));
    json_object_set_new(json, "format", json_integer(FORMAT));
    json_object_set_new(json, "class", json_string(id));
    char *text = json_dumps(json, JSON_INDENT(1)), *lines = base_format("%s\n", text);
    free(text);
    return lines;
}

/* ── more time ─────────────────────────────────────────────────────────────────────────────────*/
void classroom_extensions_own(const struct classroom_folder *f, const char *handin,
                              const char *account, struct classroom_settings *s) {
    char *name = base_format("%s" CLASSROOM_TIME_END, handin);
    json_t *json = read_of(f, CLASSROOM_FEEDBACK, name, CLASSROOM_EXTENDED, s->id), *all, *one;
    size_t i;
    free(name);
    all = json_object_get(json, "extensions");
    json_array_foreach(all, i, one) json_object_set_new(one, "account", json_string(account));
    if (json) classroom_extensions_take(s, all);
    json_decref(json);
}

struct telling {
    const struct classroom_folder *f;
    const struct classroom_settings *s;
    /* what there is to tell: account → its extensions; and the names that were told */
    json_t *extended, *told;
    struct base_message *m;
    bool failed;
};

/* Writes it if it is not there already; `all` may be NULL, for a file that is to have none. */
static bool give_time(struct telling *t, const char *hex, const char *account, json_t *all) {
    char *name = base_format("%s" CLASSROOM_TIME_END, hex);
    json_t *was = read_of(t->f, CLASSROOM_FEEDBACK, name, CLASSROOM_EXTENDED, t->s->id),
           *now = json_pack("{sO?}", "extensions", all);
    const json_t *had = json_object_get(was, "extensions");
    bool same = all ? json_equal(had, all) : json_array_size(had) == 0, given = true;
    if (!all) json_object_set_new(now, "extensions", json_array());
    if (!same) {
        char *text = text_of(now, CLASSROOM_EXTENDED, t->s->id);
        given = classroom_write_to(t->f, t->s, hex, CLASSROOM_TIME_END, account, text, strlen(text),
                                   t->m);
        free(text);
    }
    json_decref(now);
    json_decref(was);
    free(name);
    return given;
}

static void tell_one(void *to, const char *name, bool fit) {
    struct telling *t = to;
    char hex[CLASSROOM_NAME];
    enum classroom_file_kind kind = classroom_file_kind(name, fit, hex);
    if (t->failed || (kind != CLASSROOM_HANDIN && kind != CLASSROOM_NOW) ||
        json_object_get(t->told, hex))
        return;
    char *account = classroom_handin_account(t->f, name, t->s);
    json_object_set_new(t->told, hex, json_true());
    if (account) t->failed = !give_time(t, hex, account, json_object_get(t->extended, account));
    free(account);
}

/* What learners read of it has no account: the file's name is the learner's. */
static json_t *extended_of(const struct classroom_settings *s) {
    json_t *out = json_object();
    for (size_t i = 0; i < s->extensions; i++) {
        const struct classroom_extension *e = &s->extension[i];
        json_t *own = json_object_get(out, e->account),
               *one = json_pack("{sI ss*}", "seconds", (json_int_t)e->seconds, "lesson",
                                *e->lesson ? e->lesson : NULL);
        if (!own) json_object_set_new(out, e->account, own = json_array());
        json_array_append_new(own, one);
    }
    return out;
}

/* A class that never gave more time has no file of it. */
static bool tell_time(const struct classroom_folder *f, const struct classroom_settings *s,
                      struct base_message *m) {
    if (!s->extensions && classroom_is_gone(f, CLASSROOM_TOP, CLASSROOM_EXTENDED)) return true;
    struct telling t = {f, s, extended_of(s), json_object(), m, false};
    bool told = classroom_handins_each(f, s, tell_one, &t, NULL, m) && !t.failed;
    json_decref(t.extended);
    json_decref(t.told);
    return told;
}

/* ── members ───────────────────────────────────────────────────────────────────────────────────*/
static json_t *mark_of(const struct classroom_settings *s, const char *account) {
    char hex[HASH_HEX], *text = base_format("%s\nmember\n", s->id);
    hash_hex(text, account, strlen(account), hex);
    free(text);
    return json_stringn(hex, (HASH_HEX - 1) / 2);
}

static int by_text(const void *a, const void *b) {
    return strcmp(json_string_value(*(json_t *const *)a), json_string_value(*(json_t *const *)b));
}

/* In order, so that they do not tell the roster's. */
static json_t *marks_of(const struct classroom_settings *s, const struct classroom_roster *r) {
    json_t **mark = base_alloc((r->people + 1) * sizeof *mark), *out = json_array();
    for (size_t i = 0; i < r->people; i++) mark[i] = mark_of(s, r->person[i].account);
    if (r->people) qsort(mark, r->people, sizeof *mark, by_text);
    for (size_t i = 0; i < r->people; i++) json_array_append_new(out, mark[i]);
    free(mark);
    return out;
}

static bool write_members(const struct classroom_folder *f, const struct classroom_settings *s,
                          json_t *marks, struct base_message *m) {
    json_t *json = json_pack("{sO}", "members", marks);
    char *text = text_of(json, CLASSROOM_MEMBERS, s->id);
    bool wrote = classroom_write(f, CLASSROOM_TOP, CLASSROOM_MEMBERS, 0644, text, strlen(text), m);
    free(text);
    json_decref(json);
    return wrote;
}

/* A class without a roster has no such file: everybody belongs to it. */
static bool tell_members(const struct classroom_folder *f, const struct classroom_settings *s,
                         struct base_message *m) {
    struct classroom_roster r;
    bool told = classroom_roster_read(f, &r, m);
    json_t *was = read_of(f, CLASSROOM_TOP, CLASSROOM_MEMBERS, CLASSROOM_MEMBERS, s->id),
           *marks = told ? marks_of(s, &r) : NULL;
    /* a learner's copy of a synchronised folder has no roster */
    if (told && !r.people && was && !s->synchronised)
        classroom_remove(f, CLASSROOM_TOP, CLASSROOM_MEMBERS);
    if (told && r.people && !json_equal(json_object_get(was, "members"), marks))
        told = write_members(f, s, marks, m);
    json_decref(marks);
    json_decref(was);
    classroom_roster_free(&r);
    return told;
}

bool classroom_tell(const struct classroom_folder *f, const struct classroom_settings *s,
                    struct base_message *m) {
    return tell_members(f, s, m) && tell_time(f, s, m);
}

bool classroom_is_member(const struct classroom_folder *f, const struct classroom_settings *s,
                         const char *account) {
    json_t *json = read_of(f, CLASSROOM_TOP, CLASSROOM_MEMBERS, CLASSROOM_MEMBERS, s->id),
           *mark = mark_of(s, account);
    const json_t *all = json_object_get(json, "members"), *one;
    bool is = json_array_size(all) == 0;
    size_t i;
    json_array_foreach(all, i, one) is = is || json_equal(one, mark);
    json_decref(mark);
    json_decref(json);
    return is;
}
