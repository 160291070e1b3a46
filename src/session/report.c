/* report: an item in which the learner sees a mistake, as a file for whoever wrote it. */
#include "session/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 1000 };

/* The latest answer to the item. Answers come oldest first. */
static void take(void *to, const struct lesson_answer *a) {
    json_t **latest = to;
    char *seed = base_format("%llu", (unsigned long long)a->seed);
    json_decref(*latest);
    *latest = json_pack("{si ss sO? ss ss ss si si}", "try", a->try, "seed", seed, "numbers",
                        (json_t *)a->problem, "typed", a->typed, "verdict", a->verdict, "mistake",
                        a->mistake, "hints", a->hints, "lesson_revision", a->lesson_revision);
    free(seed);
    if (*a->line) json_object_set_new(*latest, "line", json_string(a->line));
    if (isfinite(a->value)) json_object_set_new(*latest, "value", json_real(a->value));
}

static json_t *answered(const struct session *s, const char *item) {
    json_t *latest = NULL;
    struct lesson_journal j = store_journal(session_learner_store(session_learner(s)));
    j.answers(j.self, item, take, &latest, NULL);
    return latest ? latest : json_null();
}

/* Takes both. */
static json_t *report_of(const char *words, json_t *asked, json_t *answered) {
    return json_pack("{si ss ss sI so so}", "v", 1, "wrong", words, "program", BASE_VERSION, "time",
                     (json_int_t)base_now(), "asked", asked, "answered", answered);
}

/* "1.3/one-stage" as a part of a file's name. */
static char *name_of(const json_t *report) {
    char *name = base_dup(base_json_text(json_object_get(report, "asked"), "item", "item"));
    for (char *c = name; *c; c++)
        if (*c == '/') *c = '-';
    return name;
}

/* Under the first name that is free; no file is written over. The path, the caller's. */
static char *write_new(const char *folder, const char *name, const char *text,
                       struct base_message *m) {
    for (int i = 1; i < NAMES_MOST; i++) {
        char *path = i == 1 ? base_format("%s/%s.json", folder, name)
                            : base_format("%s/%s-%d.json", folder, name, i);
        enum base_wrote wrote = base_file_create(path, text, strlen(text), m);
        if (wrote == BASE_WROTE) return path;
        free(path);
        if (wrote == BASE_UNWRITTEN) return NULL;
    }
    base_fail(m, "%s has %d reports on this question: move some away", folder, NAMES_MOST);
    return NULL;
}

static bool is_said(const char *words, struct base_message *m) {
    return words[strspn(words, " \n\t")] || base_fail(m, "say in a few words what is wrong");
}

/* Takes the report; the path, the caller's. */
static char *write_report(json_t *report, struct base_message *m) {
    char *text = json_dumps(report, JSON_INDENT(2)), *lines = base_format("%s\n", text),
         *name = name_of(report), *folder = base_format("%s/reports", base_home());
    char *path = base_make_dirs(folder, m) ? write_new(folder, name, lines, m) : NULL;
    free(folder);
    free(name);
    free(lines);
    free(text);
    json_decref(report);
    return path;
}

char *session_report(const struct session *s, const char *words, struct base_message *m) {
    if (!is_said(words, m)) return NULL;
    json_t *now = lesson_report(session_dialogue(s));
    return write_report(report_of(words, now, answered(s, base_json_text(now, "item", ""))), m);
}

char *session_speed_report(const struct session_speed *s, const char *words,
                           struct base_message *m) {
    if (!is_said(words, m)) return NULL;
    json_t *now = lesson_speed_report(session_speed_round(s));
    if (!now) {
        base_fail(m, "no question was asked yet");
        return NULL;
    }
    json_t *answered = json_incref(json_object_get(now, "answered"));
    json_object_del(now, "answered");
    return write_report(report_of(words, now, answered), m);
}
