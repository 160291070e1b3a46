/* presence: where a learner is now, with a row for each member of the file. */
#include "classroom/presence.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 14, COUNT_MOST = 1000000 };

/* ── members ───────────────────────────────────────────────────────────────────────────────────*/
#define TEXT(name)                                                                                 \
    {                                                                                              \
#name, offsetof(struct classroom_presence, name),                                          \
            sizeof(((struct classroom_presence *)0)->name)                                         \
    }
#define NUMBER(name)                                                                               \
    { #name, offsetof(struct classroom_presence, name), 0 }
static const struct member {
    const char *name;
    size_t offset;
    /* of a text with its end; 0: a number */
    size_t room;
} members[] = {TEXT(account), TEXT(with), TEXT(lesson),  TEXT(step),    TEXT(title), NUMBER(number),
               NUMBER(of),    TEXT(item), NUMBER(tries), TEXT(mistake), TEXT(said)};

static void give(json_t *json, const struct classroom_presence *p) {
    for (size_t i = 0; i < BASE_COUNT(members); i++) {
        const char *at = (const char *)p + members[i].offset;
        if (members[i].room == 0)
            json_object_set_new(json, members[i].name,
                                json_integer(*(const int *)(const void *)at));
        else if (*at)
            json_object_set_new(json, members[i].name, json_string(at));
    }
}

static int count(const json_t *json, const char *name) {
    int64_t n = base_json_int(json, name, 0);
    return n > 0 && n <= COUNT_MOST ? (int)n : 0;
}

static void take(struct classroom_presence *p, const json_t *json) {
    for (size_t i = 0; i < BASE_COUNT(members); i++) {
        char *at = (char *)p + members[i].offset;
        if (members[i].room)
            base_line_copy(at, members[i].room, base_json_text(json, members[i].name, ""));
        else
            *(int *)(void *)at = count(json, members[i].name);
    }
    const json_t *vote = json_object_get(json, "vote");
    base_line_copy(p->vote, sizeof p->vote, base_json_text(vote, "id", ""));
    p->round = count(vote, "round");
    p->choice = count(vote, "choice");
    p->hand = base_json_bool(json, "hand", false);
    int64_t since = base_json_int(json, "since", 0), age = base_now() - p->changed;
    p->since = (since > 0 && since <= COUNT_MOST ? since : 0) + (age > 0 ? age : 0);
}

/* ── the file ──────────────────────────────────────────────────────────────────────────────────*/
bool classroom_presence_write(const struct classroom_folder *f, const char *name,
                              const struct classroom_presence *p, struct base_message *m) {
    json_t *json = json_pack("{ss sb sI}", "zerotutor", "now", "hand", (int)p->hand, "since",
                             (json_int_t)p->since);
    give(json, p);
    if (*p->vote)
        json_object_set_new(
            json, "vote",
            json_pack("{ss si si}", "id", p->vote, "round", p->round, "choice", p->choice));
    char *text = json_dumps(json, JSON_COMPACT), *lines = base_format("%s\n", text),
         *file = base_format("%s" CLASSROOM_NOW_END, name);
    bool wrote = classroom_write(f, CLASSROOM_HANDINS, file, 0644, lines, strlen(lines), m);
    free(file);
    free(lines);
    free(text);
    json_decref(json);
    return wrote;
}

void classroom_presence_remove(const struct classroom_folder *f, const char *name) {
    char *file = base_format("%s" CLASSROOM_NOW_END, name);
    classroom_remove(f, CLASSROOM_HANDINS, file);
    free(file);
}

static bool check(const struct classroom_presence *p, const json_t *json, const char *file,
                  bool synchronised, struct base_message *m) {
    if (strcmp(base_json_text(json, "zerotutor", ""), "now") != 0)
        return base_fail_at(m, file, 0, "zerotutor did not write this file");
    char *owner = classroom_account(p->owner);
    bool own = synchronised || strcmp(owner, p->account) == 0;
    if (!own)
        base_fail_at(m, file, 0, "the account %s owns this file, and it says that it is %s's",
                     owner, p->account);
    free(owner);
    return own;
}

bool classroom_presence_read(const struct classroom_folder *f, const char *name,
                             const struct classroom_settings *s, struct classroom_presence *out,
                             struct base_message *m) {
    struct classroom_file got;
    char *file = base_format("%s" CLASSROOM_NOW_END, name);
    *out = (struct classroom_presence){0};
    bool read = classroom_read(f, CLASSROOM_HANDINS, file, CLASSROOM_ANYBODY, FILE_MOST, &got, m);
    bool fine = false;
    json_t *json = read ? base_json_read(got.text, got.length, file, m) : NULL;
    if (json) {
        out->owner = got.owner;
        out->changed = got.changed;
        take(out, json);
        fine = check(out, json, file, s->synchronised, m);
    }
    json_decref(json);
    free(got.text);
    free(file);
    return fine;
}
