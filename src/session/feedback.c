/* feedback: what a teacher gives back: feedback/HEX.json, written when a class is graded or
 * remarked on, and read by the learner's program. */
#include "session/grade.h"

#include "account/account.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT = 1, FEEDBACK_MOST = 1 << 20, REMARKS_MOST = 16 << 20, REMARK_MOST = 2000 };
#define REMARKS "remarks.json" /* in kept/: account → text */

/* ── the teacher's ─────────────────────────────────────────────────────────────────────────────*/
static json_t *read_remarks(const struct classroom_folder *f) {
    struct classroom_file file;
    json_t *json = NULL;
    if (classroom_read(f, CLASSROOM_KEPT, REMARKS, geteuid(), REMARKS_MOST, &file, NULL))
        json = base_json_parse(file.text, file.length);
    free(file.text);
    if (json_is_object(json)) return json;
    json_decref(json);
    return json_object();
}

static bool give_back(const struct classroom_folder *f, const struct classroom_settings *s,
                      const json_t *grades, const json_t *learner, const json_t *remarks,
                      struct base_message *m) {
    const char *account = base_json_text(learner, "account", ""),
               *remark = base_json_text(remarks, account, NULL), *hex;
    json_t *json =
        json_pack("{ss si ss* ss* sI ss* sO* sO*}", "zerotutor", "feedback", "format", FORMAT,
                  "class", base_json_text(grades, "class", NULL), "account", account, "at",
                  (json_int_t)base_json_int(grades, "at", 0), "remark", remark, "lessons",
                  json_object_get(learner, "lessons"), "items", json_object_get(learner, "items"));
    char *text = json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    bool wrote = true;
    for (size_t i = 0; wrote && (hex = session_grades_handin(learner, i)); i++)
        wrote = classroom_write_to(f, s, hex, SESSION_FEEDBACK_END, account, text, strlen(text), m);
    free(text);
    json_decref(json);
    return wrote;
}

bool session_feedback_give(const struct classroom_folder *f, const struct classroom_settings *s,
                           const json_t *grades, const char *account, struct base_message *m) {
    json_t *remarks = read_remarks(f), *learner;
    bool given = true;
    size_t i;
    json_array_foreach(json_object_get(grades, "learners"), i, learner) {
        bool whose = !account || strcmp(base_json_text(learner, "account", ""), account) == 0;
        if (given && whose && json_object_get(learner, "items"))
            given = give_back(f, s, grades, learner, remarks, m);
    }
    json_decref(remarks);
    return given;
}

/* The account whose hand-in it is: the same, or who types for both of a pair. NULL if there is no
 * such hand-in. */
static const char *graded_as(const json_t *grades, const char *account) {
    static const char *const whose[] = {"account", "with"};
    const json_t *learner;
    size_t i;
    for (size_t k = 0; k < BASE_COUNT(whose); k++)
        json_array_foreach(json_object_get(grades, "learners"), i,
                           learner) if (strcmp(base_json_text(learner, whose[k], ""), account) ==
                                        0) return base_json_text(learner, "account", "");
    return NULL;
}

bool session_class_remark(const struct classroom_folder *f, const struct classroom_settings *s,
                          const char *of, const char *text, struct base_message *m) {
    json_t *grades = session_class_grades(f, m), *remarks;
    if (!grades) return false;
    const char *account = graded_as(grades, of);
    bool known = account != NULL;
    if (!known) base_fail(m, "no hand-in of %.60s was graded: check the account's name", of);
    if (known && strlen(text) > REMARK_MOST)
        known = base_fail(m, "a remark has at most %d bytes: write a shorter one", REMARK_MOST);
    remarks = read_remarks(f);
    if (known && *text)
        json_object_set_new(remarks, account, json_string(text));
    else if (known)
        json_object_del(remarks, account);
    bool given = known && session_grades_write(f, CLASSROOM_KEPT, REMARKS, 0600, remarks, m) &&
                 session_feedback_give(f, s, grades, account, m);
    json_decref(remarks);
    json_decref(grades);
    return given;
}

/* ── the learner's ─────────────────────────────────────────────────────────────────────────────*/
static json_t *read_in(const struct session_class *c, const struct classroom_folder *f,
                       struct base_message *m) {
    struct classroom_file file;
    char *name = base_format("%s" SESSION_FEEDBACK_END, c->handin);
    /* the teacher's file, or none */
    bool read =
        classroom_read(f, CLASSROOM_FEEDBACK, name, classroom_teacher(f), FEEDBACK_MOST, &file, m);
    json_t *json = read ? base_json_read(file.text, file.length, name, m) : NULL;
    bool ours = strcmp(base_json_text(json, "zerotutor", ""), "feedback") == 0 &&
                base_json_int(json, "format", 0) == FORMAT &&
                strcmp(base_json_text(json, "class", ""), c->settings.id) == 0;
    if (json && !ours) base_fail(m, "this is not feedback from %s", c->settings.name);
    if (read) free(file.text);
    free(name);
    if (ours) return json;
    json_decref(json);
    return NULL;
}

static json_t *read_of(struct session_class *c, struct base_message *m) {
    struct classroom_folder *f = classroom_open(c->folder, m);
    json_t *json = f ? read_in(c, f, m) : NULL;
    classroom_close(f);
    return json;
}

json_t *session_feedback(struct session_class *c, struct base_message *m) {
    json_t *json = session_class(c) ? read_of(c, m) : NULL;
    bool known = *c->folder;
    if (!json && session_class_left(c)) { /* whoever left a class can still read it */
        json = read_of(c, known ? NULL : m);
        known = true;
    }
    if (!known) base_fail(m, "you have joined no class, so there is no feedback");
    return json;
}

static void total(const json_t *feedback, double *points, json_int_t *of) {
    const json_t *lesson;
    size_t i;
    *points = 0;
    *of = 0;
    json_array_foreach(json_object_get(feedback, "lessons"), i, lesson) {
        *points += base_json_number(lesson, "points", 0);
        *of += base_json_int(lesson, "of", 0);
    }
}

char *session_feedback_line(void) {
    struct session_class c;
    struct base_message m = {0};
    json_t *feedback = session_feedback(&c, &m);
    double points;
    json_int_t of;
    if (!feedback) return NULL;
    total(feedback, &points, &of);
    const char *remark = base_json_text(feedback, "remark", "");
    char *line = base_format("%s: %.4g of %lld points%s", c.settings.name, points, (long long)of,
                             *remark ? ", and a remark" : "");
    json_decref(feedback);
    return line;
}

/* Text of another account, as Markdown that says just that. */
static void add_plain(struct base_text *t, const char *text, size_t most) {
    char *clean = base_clean_dup(text, strlen(text), most);
    for (const char *c = clean; *c; c++) {
        if (strchr("\\`*_{}[]()#+-!<>|~$&", *c)) base_text_puts(t, "\\");
        base_text_add(t, *c == '\n' ? " " : c, 1);
    }
    free(clean);
}

static const char *mistake_name(const char *ids) {
    size_t count, n = strcspn(ids, "|,");
    const struct account_mistake *all = account_mistakes(&count);
    for (size_t i = 0; i < count; i++)
        if (strlen(all[i].id) == n && memcmp(all[i].id, ids, n) == 0) return all[i].name;
    return NULL;
}

static void add_item(struct base_text *t, const json_t *item) {
    const char *mistake = mistake_name(base_json_text(item, "mistake", ""));
    json_int_t late = base_json_int(item, "late", 0), tries = base_json_int(item, "tries", 0);
    base_text_puts(t, "| ");
    add_plain(t, base_json_text(item, "item", ""), 60);
    base_text_printf(t, " | %.3g | %lld | %s%s%s |\n", base_json_number(item, "points", 0),
                     (long long)tries, mistake ? mistake : "", mistake && late > 0 ? ", and " : "",
                     late > 0 ? "late" : "");
}

char *session_feedback_words(const json_t *feedback, const char *class) {
    struct base_text t = {0};
    const char *remark = base_json_text(feedback, "remark", "");
    const json_t *item;
    double points;
    json_int_t of;
    size_t i;
    total(feedback, &points, &of);
    base_text_puts(&t, "You have ");
    base_text_printf(&t, "**%.4g of %lld points** in ", points, (long long)of);
    add_plain(&t, class, CLASSROOM_TITLE);
    base_text_puts(&t, ". Your teacher's program judged each answer again.\n\n");
    if (*remark) base_text_puts(&t, "Your teacher writes:\n\n> ");
    if (*remark) add_plain(&t, remark, REMARK_MOST);
    base_text_puts(&t, *remark ? "\n\n" : "");
    if (json_array_size(json_object_get(feedback, "items")))
        base_text_puts(&t, "| question | points | tries | what went wrong |\n|:--|--:|--:|:--|\n");
    json_array_foreach(json_object_get(feedback, "items"), i, item) add_item(&t, item);
    return base_text_take(&t);
}

struct lesson *session_feedback_open(struct learner *who, struct base_message *m) {
    struct session_class c;
    json_t *feedback = session_feedback(&c, m);
    (void)who;
    if (!feedback) return NULL;
    char *title = base_format("Feedback from %s", c.settings.name),
         *words = session_feedback_words(feedback, c.settings.name);
    struct lesson *l = lesson_page(LEARNER_FEEDBACK, title, words);
    json_decref(feedback);
    free(words);
    free(title);
    return l;
}
