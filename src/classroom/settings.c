/* settings: class.json, read with a row for each member, so that a wrong one is named. */
#include "classroom/classroom.h"
#include "hash/hash.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT = 1, FILE_MOST = 1 << 20, DAY = 86400 };

/* ── members that are a number, a switch or a short text ───────────────────────────────────────*/
enum type { TEXT, WORD, ID, FLAG, TIME, NUMBER, BYTES };
static const struct member {
    const char *name;
    size_t offset;
    enum type type;
    /* of numbers */
    int least, most;
} members[] = {
    {"id", offsetof(struct classroom_settings, id), ID, 0, 0},
    {"name", offsetof(struct classroom_settings, name), TEXT, 0, 0},
    {"version", offsetof(struct classroom_settings, version), WORD, 0, 0},
    {"course", offsetof(struct classroom_settings, course), WORD, 0, 0},
    {"begins", offsetof(struct classroom_settings, begins), TIME, 0, 0},
    {"ends", offsetof(struct classroom_settings, ends), TIME, 0, 0},
    {"closed", offsetof(struct classroom_settings, closed), FLAG, 0, 0},
    {"late_percent", offsetof(struct classroom_settings, late_percent), NUMBER, 0, 100},
    {"gpus", offsetof(struct classroom_settings, gpus), NUMBER, 0, 1024},
    {"cores", offsetof(struct classroom_settings, cores), NUMBER, 1, 65536},
    {"ranks_most", offsetof(struct classroom_settings, ranks_most), NUMBER, 1, 1024},
    {"minutes_most", offsetof(struct classroom_settings, minutes_most), NUMBER, 1, 10000},
    {"bytes_most", offsetof(struct classroom_settings, bytes_most), BYTES, 0, 0},
    {"speed", offsetof(struct classroom_settings, speed), NUMBER, 1, 10000},
    {"synchronised", offsetof(struct classroom_settings, synchronised), FLAG, 0, 0},
};

static bool take_text(char *out, size_t room, const json_t *value) {
    const char *text = json_string_value(value);
    size_t n = json_string_length(value);
    if (!text || n == 0 || n >= room || !base_is_line(text, n)) return false;
    memcpy(out, text, n + 1);
    return true;
}

static bool is_id(const char *text) {
    return strlen(text) == CLASSROOM_NAME - 1 &&
           strspn(text, "0123456789abcdef") == CLASSROOM_NAME - 1;
}

static bool take_whole(int64_t *out, const json_t *value, int64_t least, int64_t most) {
    *out = json_integer_value(value);
    return json_is_integer(value) && *out >= least && *out <= most;
}

static bool take(const struct member *k, void *at, const json_t *value) {
    int64_t n = 0;
    switch (k->type) {
    case TEXT:
    case WORD: return take_text(at, CLASSROOM_TITLE, value);
    case ID: return take_text(at, CLASSROOM_NAME, value) && is_id(at);
    case FLAG: *(bool *)at = json_is_true(value); return json_is_boolean(value);
    case TIME: return take_whole(at, value, 0, INT64_C(1) << 40);
    case BYTES:
        if (!take_whole(&n, value, 0, INT64_MAX)) return false;
        *(uint64_t *)at = (uint64_t)n;
        return true;
    case NUMBER:
        if (!take_whole(&n, value, k->least, k->most)) return false;
        *(int *)at = (int)n;
        return true;
    }
    return false;
}

static json_t *give(const struct member *k, const void *at) {
    switch (k->type) {
    case TEXT:
    case ID: return json_string(at);
    case WORD: return *(const char *)at ? json_string(at) : NULL;
    case FLAG: return json_boolean(*(const bool *)at);
    case TIME: return json_integer(*(const int64_t *)at);
    case BYTES: return json_integer((json_int_t) * (const uint64_t *)at);
    case NUMBER: return json_integer(*(const int *)at);
    }
    return json_null();
}

/* ── lists ─────────────────────────────────────────────────────────────────────────────────────*/
static bool take_lesson(struct classroom_settings *s, const json_t *value) {
    struct classroom_lesson *l = &s->lesson[s->lessons];
    int64_t minutes = 0;
    const json_t *given = json_object_get(value, "minutes"), *due = json_object_get(value, "due");
    if (s->lessons == CLASSROOM_LESSONS ||
        !take_text(l->id, sizeof l->id, json_object_get(value, "lesson")) ||
        (given && !take_whole(&minutes, given, 0, 10000)) ||
        (due && !take_whole(&l->due, due, 0, INT64_C(1) << 40)))
        return false;
    l->minutes = (int)minutes;
    s->lessons++;
    return true;
}

static bool take_extension(struct classroom_settings *s, const json_t *value) {
    struct classroom_extension *e = &s->extension[s->extensions];
    const json_t *lesson = json_object_get(value, "lesson");
    if (s->extensions == CLASSROOM_EXTENSIONS ||
        !take_text(e->account, sizeof e->account, json_object_get(value, "account")) ||
        (lesson && !take_text(e->lesson, sizeof e->lesson, lesson)) ||
        !take_whole(&e->seconds, json_object_get(value, "seconds"), 0, 3650 * (int64_t)DAY))
        return false;
    s->extensions++;
    return true;
}

static bool take_assistant(struct classroom_settings *s, const json_t *value) {
    return s->assistants < CLASSROOM_ASSISTANTS &&
           take_text(s->assistant[s->assistants++], CLASSROOM_WORD, value);
}

static const char *const counts[] = {
    [CLASSROOM_FIRST] = "first",
    [CLASSROOM_BEST] = "best",
    [CLASSROOM_LAST] = "last",
};

static bool take_counts(struct classroom_settings *s, const json_t *value) {
    for (size_t i = 0; json_is_string(value) && i < BASE_COUNT(counts); i++) {
        if (strcmp(json_string_value(value), counts[i]) != 0) continue;
        s->counts = (enum classroom_counts)i;
        return true;
    }
    return false;
}

static json_t *give_counts(const struct classroom_settings *s) {
    return json_string(counts[s->counts]);
}

/* true, or the name of a partition; it becomes a word of srun's */
static bool take_slurm(struct classroom_settings *s, const json_t *value) {
    const char *partition = json_string_value(value);
    s->slurm = json_is_true(value) || partition;
    return json_is_boolean(value) ||
           (take_text(s->partition, sizeof s->partition, value) && classroom_is_name(partition));
}

static json_t *give_slurm(const struct classroom_settings *s) {
    return *s->partition ? json_string(s->partition) : json_boolean(s->slurm);
}

static json_t *give_lessons(const struct classroom_settings *s) {
    json_t *out = json_array();
    for (size_t i = 0; i < s->lessons; i++)
        json_array_append_new(out,
                              json_pack("{ss si sI}", "lesson", s->lesson[i].id, "minutes",
                                        s->lesson[i].minutes, "due", (json_int_t)s->lesson[i].due));
    return out;
}

static json_t *give_extensions(const struct classroom_settings *s) {
    json_t *out = json_array();
    for (size_t i = 0; i < s->extensions; i++) {
        const struct classroom_extension *e = &s->extension[i];
        json_t *one =
            json_pack("{ss sI}", "account", e->account, "seconds", (json_int_t)e->seconds);
        if (*e->lesson) json_object_set_new(one, "lesson", json_string(e->lesson));
        json_array_append_new(out, one);
    }
    return out;
}

static json_t *give_assistants(const struct classroom_settings *s) {
    json_t *out = json_array();
    for (size_t i = 0; i < s->assistants; i++)
        json_array_append_new(out, json_string(s->assistant[i]));
    return out;
}

static const struct list {
    const char *name;
    bool (*take)(struct classroom_settings *s, const json_t *value);
    json_t *(*give)(const struct classroom_settings *s);
} lists[] = {
    {"lessons", take_lesson, give_lessons},
    {"assistants", take_assistant, give_assistants},
    /* earlier programs wrote it there, for all to read */
    {"extensions", take_extension, NULL},
};

/* members with words of their own */
static const struct list choices[] = {
    {"counts", take_counts, give_counts},
    {"slurm", take_slurm, give_slurm},
};

/* ── the whole file ────────────────────────────────────────────────────────────────────────────*/
void classroom_settings_new(struct classroom_settings *s, const char *name) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *s = (struct classroom_settings){.begins = base_now(),
                                     .cores = cores > 0 ? (int)cores : 1,
                                     .ranks_most = 4,
                                     .minutes_most = 5,
                                     .speed = 1};
    classroom_random_name(s->id);
    snprintf(s->name, sizeof s->name, "%s", name);
}

static bool take_list(const struct list *l, struct classroom_settings *s, const json_t *value) {
    const json_t *one;
    size_t i;
    if (!value) return true;
    if (!json_is_array(value)) return false;
    json_array_foreach(value, i, one) if (!l->take(s, one)) return false;
    return true;
}

static const char *wrong_member(struct classroom_settings *s, const json_t *json) {
    for (size_t i = 0; i < BASE_COUNT(members); i++) {
        const json_t *value = json_object_get(json, members[i].name);
        bool needed = members[i].type == ID || members[i].type == TEXT;
        if ((value || needed) && !take(&members[i], (char *)s + members[i].offset, value))
            return members[i].name;
    }
    for (size_t i = 0; i < BASE_COUNT(lists); i++)
        if (!take_list(&lists[i], s, json_object_get(json, lists[i].name))) return lists[i].name;
    for (size_t i = 0; i < BASE_COUNT(choices); i++) {
        const json_t *value = json_object_get(json, choices[i].name);
        if (value && !choices[i].take(s, value)) return choices[i].name;
    }
    return NULL;
}

static bool read_settings(const char *path, const struct classroom_file *file,
                          struct classroom_settings *s, struct base_message *m) {
    json_t *json = base_json_read(file->text, file->length, path, m);
    int64_t format = base_json_int(json, "format", 0);
    bool ours = strcmp(base_json_text(json, "zerotutor", ""), "class") == 0 && format > 0;
    const char *wrong = NULL;
    if (json && !ours) base_fail_at(m, path, 0, "zerotutor did not write this file");
    if (ours && format > FORMAT)
        base_fail_at(m, path, 0,
                     "a newer zerotutor made this class (format %lld, this program reads %d): "
                     "update zerotutor",
                     (long long)format, FORMAT);
    if (ours && format <= FORMAT && (wrong = wrong_member(s, json)))
        base_fail_at(m, path, 0,
                     "its member \"%s\" is missing or cannot be used: see `zerotutor "
                     "class --help`",
                     wrong);
    json_decref(json);
    return ours && format <= FORMAT && !wrong;
}

bool classroom_extensions_take(struct classroom_settings *s, const json_t *list) {
    static const struct list extensions = {"extensions", take_extension, give_extensions};
    s->extensions = 0;
    if (json_is_array(list) && take_list(&extensions, s, list)) return true;
    s->extensions = 0;
    return false;
}

/* Who has more time; a class whose teacher never gave any has no such file. Assistants may read it,
 * and learners not. */
static bool read_extensions(const struct classroom_folder *f, struct classroom_settings *s,
                            struct base_message *m) {
    struct classroom_file file;
    bool teacher = classroom_is_teacher(f);
    if (classroom_is_gone(f, CLASSROOM_TOP, CLASSROOM_EXTENDED)) return true;
    if (!classroom_read(f, CLASSROOM_TOP, CLASSROOM_EXTENDED, classroom_teacher(f), FILE_MOST,
                        &file, teacher ? m : NULL))
        return !teacher;
    char *path = base_format("%s/" CLASSROOM_EXTENDED, classroom_path(f));
    json_t *json = base_json_read(file.text, file.length, path, m);
    bool taken = json && classroom_extensions_take(s, json_object_get(json, "extensions"));
    if (json && !taken)
        base_fail_at(m, path, 0,
                     "this does not say who has more time: remove it, and grant more time again "
                     "with `zerotutor class set`");
    json_decref(json);
    free(path);
    free(file.text);
    return taken;
}

bool classroom_settings_read_in(const struct classroom_folder *f, enum classroom_place p,
                                struct classroom_settings *s, struct base_message *m) {
    struct classroom_file file;
    classroom_settings_new(s, "");
    s->begins = 0;
    if (!classroom_read(f, p, CLASSROOM_SETTINGS, classroom_teacher(f), FILE_MOST, &file, m))
        return false;
    char *path = base_format("%s/%s%s" CLASSROOM_SETTINGS, classroom_path(f),
                             p == CLASSROOM_TOP ? "" : classroom_place_name(p),
                             p == CLASSROOM_TOP ? "" : "/");
    bool read = read_settings(path, &file, s, m);
    free(path);
    free(file.text);
    return read;
}

bool classroom_settings_read(const struct classroom_folder *f, struct classroom_settings *s,
                             struct base_message *m) {
    return classroom_settings_read_in(f, CLASSROOM_TOP, s, m) && read_extensions(f, s, m);
}

/* Reads them back first: settings that no program could read again would end the class. */
static bool can_be_read(const struct classroom_folder *f, const json_t *json,
                        struct base_message *m) {
    struct classroom_settings again;
    classroom_settings_new(&again, "");
    const char *wrong = wrong_member(&again, json);
    return !wrong || base_fail_at(m, classroom_path(f), 0,
                                  "its setting \"%s\" could not be read again, so nothing was "
                                  "changed",
                                  wrong);
}

static char *lines_of(const json_t *json) {
    char *text = json_dumps(json, JSON_INDENT(2)), *lines = base_format("%s\n", text);
    free(text);
    return lines;
}

/* For the teacher and, where the file system can say so, for assistants. */
static bool write_for_staff(const struct classroom_folder *f, const struct classroom_settings *s,
                            const json_t *json, struct base_message *m) {
    uid_t who[CLASSROOM_ASSISTANTS];
    size_t n = 0;
    char *lines = lines_of(json);
    for (size_t i = 0; !s->synchronised && i < s->assistants; i++)
        n += classroom_find_account(s->assistant[i], &who[n]);
    bool wrote =
        classroom_write_for(f, CLASSROOM_TOP, CLASSROOM_EXTENDED, who, n, lines, strlen(lines)) ||
        classroom_write(f, CLASSROOM_TOP, CLASSROOM_EXTENDED, 0600, lines, strlen(lines), m);
    free(lines);
    return wrote;
}

static bool write_extensions(const struct classroom_folder *f, const struct classroom_settings *s,
                             struct base_message *m) {
    struct classroom_settings again;
    if (!s->extensions && classroom_is_gone(f, CLASSROOM_TOP, CLASSROOM_EXTENDED)) return true;
    json_t *list = give_extensions(s),
           *json = json_pack("{ss si ss sO}", "zerotutor", "extensions", "format", FORMAT, "class",
                             s->id, "extensions", list);
    bool wrote = classroom_extensions_take(&again, list)
                     ? write_for_staff(f, s, json, m)
                     : base_fail_at(m, classroom_path(f), 0,
                                    "its setting \"extensions\" could not be read again, so "
                                    "nothing was changed");
    json_decref(json);
    json_decref(list);
    return wrote;
}

bool classroom_settings_write(const struct classroom_folder *f, const struct classroom_settings *s,
                              struct base_message *m) {
    json_t *json = json_pack("{ss si}", "zerotutor", "class", "format", FORMAT);
    for (size_t i = 0; i < BASE_COUNT(members); i++)
        json_object_set_new(json, members[i].name,
                            give(&members[i], (const char *)s + members[i].offset));
    for (size_t i = 0; i < BASE_COUNT(choices); i++)
        json_object_set_new(json, choices[i].name, choices[i].give(s));
    for (size_t i = 0; i < BASE_COUNT(lists); i++)
        if (lists[i].give) json_object_set_new(json, lists[i].name, lists[i].give(s));
    char *lines = lines_of(json);
    bool wrote =
        can_be_read(f, json, m) && write_extensions(f, s, m) &&
        classroom_write(f, CLASSROOM_KEPT, CLASSROOM_SETTINGS, 0600, lines, strlen(lines), m) &&
        classroom_write(f, CLASSROOM_TOP, CLASSROOM_SETTINGS, 0644, lines, strlen(lines), m);
    free(lines);
    json_decref(json);
    return wrote;
}

/* ── what follows from it ──────────────────────────────────────────────────────────────────────*/
int64_t classroom_due(const struct classroom_settings *s, const char *account, const char *lesson) {
    int64_t due = s->ends, more = 0;
    for (size_t i = 0; i < s->lessons; i++)
        if (strcmp(s->lesson[i].id, lesson) == 0 && s->lesson[i].due) due = s->lesson[i].due;
    for (size_t i = 0; i < s->extensions; i++) {
        const struct classroom_extension *e = &s->extension[i];
        bool its = !*e->lesson || strcmp(e->lesson, lesson) == 0;
        if (its && strcmp(e->account, account) == 0 && e->seconds > more) more = e->seconds;
    }
    return due ? due + more : 0;
}

uint64_t classroom_seed(const struct classroom_settings *s, const char *account) {
    struct hash_sha256 sha;
    unsigned char byte[HASH_SHA256_BYTES];
    uint64_t seed = 0;
    hash_sha256_begin(&sha);
    hash_sha256_add(&sha, s->id, strlen(s->id) + 1);
    hash_sha256_add(&sha, account, strlen(account));
    hash_sha256_end(&sha, byte);
    for (size_t i = 0; i < sizeof seed; i++) seed = seed << 8 | byte[i];
    return seed & INT64_MAX; /* as records keep it */
}
