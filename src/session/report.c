/* report: an item in which the learner sees a mistake, as a file for whoever wrote it, and in a
 * class also for the teacher. */
#include "session/inside.h"

#include <dirent.h>
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
static json_t *report_of(const char *words, const struct session_class *in, json_t *asked,
                         json_t *answered) {
    return json_pack("{si ss* ss ss sI so so}", "v", 1, "class", in ? in->settings.id : NULL,
                     "wrong", words, "program", BASE_VERSION, "time", (json_int_t)base_now(),
                     "asked", asked, "answered", answered);
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

/* ── to the class ──────────────────────────────────────────────────────────────────────────────*/
static struct classroom_report for_class(const json_t *report) {
    const json_t *asked = json_object_get(report, "asked"),
                 *answered = json_object_get(report, "answered");
    struct classroom_report r = {.time = base_json_int(report, "time", 0),
                                 .revision = base_json_int(asked, "revision", 0),
                                 .try = base_json_int(asked, "try", 0)};
    base_line_copy(r.item, sizeof r.item, base_json_text(asked, "item", ""));
    base_line_copy(r.seed, sizeof r.seed, base_json_text(asked, "seed", ""));
    base_line_copy(r.statement, sizeof r.statement, base_json_text(asked, "statement", ""));
    base_line_copy(r.program, sizeof r.program, base_json_text(report, "program", ""));
    base_line_copy(r.wrong, sizeof r.wrong, base_json_text(report, "wrong", ""));
    base_line_copy(r.typed, sizeof r.typed, base_json_text(answered, "typed", ""));
    base_line_copy(r.verdict, sizeof r.verdict, base_json_text(answered, "verdict", ""));
    base_line_copy(r.mistake, sizeof r.mistake, base_json_text(answered, "mistake", ""));
    return r;
}

struct own {
    struct classroom_report *report;
    size_t count;
};

static void add_own(struct own *o, const char *path, const char *class) {
    json_t *report = base_json_read_file(path, &(struct base_message){0});
    if (strcmp(base_json_text(report, "class", ""), class) == 0) {
        o->report = base_grow(o->report, o->count + 1, sizeof *o->report);
        o->report[o->count++] = for_class(report);
    }
    json_decref(report);
}

static int by_time(const void *a, const void *b) {
    const struct classroom_report *x = a, *y = b;
    int order = (x->time > y->time) - (x->time < y->time);
    if (!order) order = strcmp(x->item, y->item);
    return order ? order : strcmp(x->wrong, y->wrong);
}

/* The learner's reports in this class, oldest first; the caller's. */
static struct own read_own(const char *class) {
    struct own o = {0};
    char *folder = base_format("%s/reports", base_home());
    DIR *d = opendir(folder);
    for (const struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        const char *end = strrchr(e->d_name, '.');
        char *path = base_format("%s/%s", folder, e->d_name);
        if (*e->d_name != '.' && end && strcmp(end, ".json") == 0) add_own(&o, path, class);
        free(path);
    }
    if (d) closedir(d);
    free(folder);
    if (o.count) qsort(o.report, o.count, sizeof *o.report, by_time);
    return o;
}

/* What became of it, as a sentence; the caller's. */
static char *tell_class(const struct session_class *in) {
    struct own o = read_own(in->settings.id);
    struct base_message m = {0};
    struct classroom_folder *f = classroom_open(in->folder, &m);
    bool told = f && classroom_reports_write(f, CLASSROOM_HANDINS, in->handin, in->settings.id,
                                             in->account, o.report, o.count, &m);
    classroom_close(f);
    free(o.report);
    if (!told)
        return base_format("It did not reach the class: %s. Your next report takes it along.",
                           m.what);
    return base_format("The class %s has it, too.", in->settings.name);
}

/* Takes `asked` and `answered`. */
static char *report(const struct learner *who, const char *words, json_t *asked, json_t *answered,
                    char **told, struct base_message *m) {
    const struct session_class *was = session_in_class(who), *in = NULL;
    struct session_class now;
    if (was && session_class(&now) && now.running && strcmp(now.settings.id, was->settings.id) == 0)
        in = &now;
    char *path = write_report(report_of(words, in, asked, answered), m);
    *told = path && in ? tell_class(in) : NULL;
    return path;
}

char *session_report(const struct session *s, const char *words, char **told,
                     struct base_message *m) {
    *told = NULL;
    if (!is_said(words, m)) return NULL;
    json_t *now = lesson_report(session_dialogue(s));
    return report(session_learner(s), words, now, answered(s, base_json_text(now, "item", "")),
                  told, m);
}

char *session_speed_report(const struct session_speed *s, const char *words, char **told,
                           struct base_message *m) {
    *told = NULL;
    if (!is_said(words, m)) return NULL;
    json_t *now = lesson_speed_report(session_speed_round(s));
    if (!now) {
        base_fail(m, "no question was asked yet");
        return NULL;
    }
    json_t *answered = json_incref(json_object_get(now, "answered"));
    json_object_del(now, "answered");
    return report(session_speed_learner(s), words, now, answered, told, m);
}
