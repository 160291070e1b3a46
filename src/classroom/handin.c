/* handin: reads what a learner handed in, whoever wrote the file, and says which line is wrong. */
#include "classroom/handin.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMAT = 1, COLUMNS_MOST = 64, OWN_FILES = 64, ALL_FILES = 20000 };

struct reading {
    struct classroom_handin *out;
    const char *path, *text, *at, *end;
    int line;
    struct base_message *m;
};

static bool wrong(struct reading *r, enum classroom_fault fault, const char *what) {
    r->out->fault = fault;
    return base_fail_at(r->m, r->path, r->line, "%s", what);
}

/* The next whole line, without its line feed; NULL at the end, or if the rest is torn. */
static const char *next_line(struct reading *r, size_t *n) {
    const char *line = r->at, *end = memchr(line, '\n', (size_t)(r->end - line));
    if (!end) {
        r->out->torn = r->at < r->end;
        return NULL;
    }
    *n = (size_t)(end - line);
    r->at = end + 1;
    r->line++;
    return line;
}

static json_t *next_object(struct reading *r) {
    size_t n;
    const char *line = next_line(r, &n);
    json_t *json = line ? base_json_parse(line, n) : NULL;
    return json;
}

/* ── the first two lines ───────────────────────────────────────────────────────────────────────*/
static bool is_word(const char *text) {
    size_t n = strlen(text);
    return n < CLASSROOM_WORD && base_is_line(text, n);
}

/* Adds a second name, unless it is there already or the list is full. */
static void add_with(struct classroom_handin *h, const char *name) {
    size_t used = strlen(h->with), n = strlen(name);
    for (const char *at = h->with; n && (at = strstr(at, name)); at += n)
        if ((at == h->with || at[-1] == ' ') && (!at[n] || at[n] == ',')) return;
    if (n && used + n + 2 < sizeof h->with)
        snprintf(h->with + used, sizeof h->with - used, "%s%s", used ? ", " : "", name);
}

static bool take_head(struct reading *r, const json_t *first) {
    struct classroom_handin_head *h = &r->out->head;
    *h = (struct classroom_handin_head){.class = base_json_text(first, "class", ""),
                                        .account = base_json_text(first, "account", ""),
                                        .with = base_json_text(first, "with", ""),
                                        .course = base_json_text(first, "course", ""),
                                        .version = base_json_text(first, "version", ""),
                                        .seed = (uint64_t)base_json_int(first, "seed", 0)};
    int64_t format = base_json_int(first, "format", 0);
    if (strcmp(base_json_text(first, "zerotutor", ""), "handin") != 0 || format <= 0)
        return wrong(r, CLASSROOM_NO_HANDIN, "zerotutor did not write this hand-in");
    if (format > FORMAT)
        return wrong(r, CLASSROOM_NEWER,
                     "a newer zerotutor wrote this hand-in: update zerotutor to grade it");
    if (!*h->account || !is_word(h->account) || !is_word(h->with) || !is_word(h->version))
        return wrong(r, CLASSROOM_NO_HANDIN, "its first line names an account that cannot exist");
    add_with(r->out, h->with);
    return true;
}

/* Whose it is. A copy of another learner's file has another owner, or another learner's seed. */
static bool check_head(struct reading *r, const struct classroom_settings *s, bool owned) {
    const struct classroom_handin_head *h = &r->out->head;
    if (strcmp(h->class, s->id) != 0)
        return wrong(r, CLASSROOM_OTHER_CLASS, "this hand-in belongs to another class");
    char *owner = classroom_account(r->out->owner);
    bool own = !owned || strcmp(owner, h->account) == 0,
         drawn = h->seed == classroom_seed(s, h->account);
    if (!own) {
        r->out->fault = CLASSROOM_OTHER_ACCOUNT;
        base_fail_at(r->m, r->path, r->line,
                     "the account %s owns this file, and it says that it is %s's", owner,
                     h->account);
    }
    free(owner);
    return own && (drawn || wrong(r, CLASSROOM_OTHER_ACCOUNT,
                                  "its numbers were drawn for another account than it names"));
}

static bool check_table(struct reading *r, const json_t *table) {
    const json_t *names = json_object_get(table, "columns"), *name;
    bool fine = strcmp(base_json_text(table, "table", ""), "answer") == 0 &&
                json_array_size(names) > 0 && json_array_size(names) <= COLUMNS_MOST;
    size_t i;
    json_array_foreach(names, i, name) fine = fine && json_is_string(name);
    return fine || wrong(r, CLASSROOM_NO_HANDIN, "its second line does not name the columns");
}

static bool read_head(struct reading *r, const struct classroom_settings *s, bool owned) {
    r->out->first = next_object(r);
    if (r->line == 0) return wrong(r, CLASSROOM_NO_HANDIN, "it has no whole line yet");
    if (!take_head(r, r->out->first) || !check_head(r, s, owned)) return false;
    r->out->table = next_object(r);
    if (r->line == 1) return wrong(r, CLASSROOM_NO_HANDIN, "it has no second line yet");
    if (!check_table(r, r->out->table)) return false;
    r->out->length = (size_t)(r->at - r->text);
    hash_hex("", r->text, r->out->length, r->out->link);
    return true;
}

/* ── answers ───────────────────────────────────────────────────────────────────────────────────*/
/* As the record gives rows: texts, numbers, nothing, or {"hex":…} for bytes that are no text. */
static bool is_cell(const json_t *cell) {
    if (json_is_object(cell))
        return json_object_size(cell) == 1 && json_is_string(json_object_get(cell, "hex"));
    return json_is_string(cell) || json_is_number(cell) || json_is_null(cell);
}

static bool is_row(const struct classroom_handin *h, const json_t *row) {
    const json_t *cell;
    size_t i;
    bool fine = json_is_array(row) &&
                json_array_size(row) == json_array_size(json_object_get(h->table, "columns"));
    json_array_foreach(row, i, cell) fine = fine && is_cell(cell);
    return fine;
}

static bool add_answer(struct reading *r, const json_t *json) {
    struct classroom_handin *h = r->out;
    json_t *row = json_object_get(json, "answer");
    const json_t *day = json_object_get(json, "day"), *with = json_object_get(json, "with");
    const char *name = with ? json_string_value(with) : "";
    if (json_object_size(json) != (with ? 4 : 3) || !is_row(h, row) || !json_is_integer(day) ||
        !name || !is_word(name))
        return wrong(r, CLASSROOM_CHANGED, "this line is not an answer that zerotutor writes");
    if (h->answers == CLASSROOM_ANSWERS_MOST)
        return wrong(r, CLASSROOM_TOO_MANY, "it has more answers than any hand-in");
    add_with(h, name);
    h->answer = base_grow(h->answer, h->answers + 1, sizeof *h->answer);
    h->answer[h->answers++] =
        (struct classroom_handed){json_incref(row), json_integer_value(day), r->line};
    return true;
}

static bool read_answers(struct reading *r) {
    size_t n = 0;
    const char *line;
    while ((line = next_line(r, &n))) {
        char link[HASH_HEX];
        memcpy(link, r->out->link, sizeof link);
        if (!hash_link_fits(line, n, link))
            return wrong(r, CLASSROOM_CHANGED,
                         "the chain breaks here: this line or the one before it was changed, "
                         "removed or added");
        json_t *json = base_json_parse(line, n);
        bool added = add_answer(r, json);
        json_decref(json);
        if (!added) return false;
        memcpy(r->out->link, link, sizeof link);
        r->out->length = (size_t)(r->at - r->text);
    }
    return true;
}

/* ── the whole file ────────────────────────────────────────────────────────────────────────────*/
bool classroom_handin_take(const struct classroom_file *file, const char *path,
                           const struct classroom_settings *s, bool owned,
                           struct classroom_handin *out, struct base_message *m) {
    struct reading r = {.out = out,
                        .path = path,
                        .text = file->text,
                        .at = file->text,
                        .end = file->text + file->length,
                        .m = m};
    *out = (struct classroom_handin){.owner = file->owner, .changed = file->changed};
    return read_head(&r, s, owned) && read_answers(&r);
}

bool classroom_handin_read(const struct classroom_folder *f, enum classroom_place p,
                           const char *name, const struct classroom_settings *s,
                           struct classroom_handin *out, struct base_message *m) {
    struct classroom_file file;
    *out = (struct classroom_handin){.fault = CLASSROOM_UNREAD};
    if (!classroom_read(f, p, name, CLASSROOM_ANYBODY, CLASSROOM_HANDIN_MOST, &file, m))
        return false;
    char *path = base_format("%s/%s/%s", classroom_path(f), classroom_place_name(p), name);
    bool owned = p == CLASSROOM_HANDINS && !s->synchronised;
    bool read = classroom_handin_take(&file, path, s, owned, out, m);
    free(path);
    free(file.text);
    return read;
}

static char *account_in(int fd) {
    enum { HEAD = 8192 };
    char text[HEAD];
    ssize_t n = pread(fd, text, sizeof text, 0);
    const char *end = n > 0 ? memchr(text, '\n', (size_t)n) : NULL;
    json_t *json = end ? base_json_parse(text, (size_t)(end - text)) : NULL;
    const char *account = base_json_text(json, "account", "");
    char *own = *account && is_word(account) ? base_dup(account) : NULL;
    json_decref(json);
    return own;
}

char *classroom_handin_account(const struct classroom_folder *f, const char *name,
                               const struct classroom_settings *s) {
    struct stat it;
    int fd = classroom_open_file(f, CLASSROOM_HANDINS, name, CLASSROOM_ANYBODY, O_RDONLY, NULL);
    if (fd < 0) return NULL;
    char *account = s->synchronised       ? account_in(fd)
                    : fstat(fd, &it) == 0 ? classroom_account(it.st_uid)
                                          : NULL;
    close(fd);
    return account;
}

void classroom_handin_free(struct classroom_handin *h) {
    for (size_t i = 0; i < h->answers; i++) json_decref((json_t *)h->answer[i].row);
    free(h->answer);
    json_decref(h->first);
    json_decref(h->table);
    *h = (struct classroom_handin){0};
}

size_t classroom_handin_column(const struct classroom_handin *h, const char *name) {
    const json_t *names = json_object_get(h->table, "columns");
    size_t i = 0;
    while (i < json_array_size(names) &&
           strcmp(json_string_value(json_array_get(names, i)), name) != 0)
        i++;
    return i;
}

bool classroom_handins_each(const struct classroom_folder *f, const struct classroom_settings *s,
                            void (*each)(void *to, const char *name, bool fit), void *to,
                            uid_t *crowd, struct base_message *m) {
    return classroom_each(f, CLASSROOM_HANDINS, s->synchronised ? ALL_FILES : OWN_FILES, each, to,
                          crowd, m);
}
