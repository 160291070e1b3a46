/* handed_memos: the memos of a class. Each check of a memo in its lesson is an answer, whose text
 * is the memo, so it is handed in with the others; the latest of each learner is taken. */
#include "session/grade.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS_MOST = 256 << 20 };

/* Items that ask for a memo: "4.1/capstone" → true. */
static json_t *items_of(struct learner *who) {
    const struct lesson_course *c = session_learner_course(who);
    json_t *out = json_object();
    for (size_t i = 0; i < c->lessons; i++) {
        const struct loaded *l = session_learner_lesson(who, i);
        for (size_t k = 0; l && k < lesson_steps(l->lesson); k++) {
            if (lesson_step_kind(l->lesson, k) != LESSON_MEMO) continue;
            char *item = base_format("%s/%s", c->lesson[i].id,
                                     base_json_text(lesson_step(l->lesson, k), "id", ""));
            json_object_set_new(out, item, json_true());
            free(item);
        }
    }
    return out;
}

/* The row of the latest check in kept/HEX.judged, the caller's; NULL if there is none. False with
 * the message if that cannot be read. */
static bool find_latest(const struct classroom_folder *f, const char *hex, const json_t *items,
                        json_t **latest, struct base_message *m) {
    struct classroom_file file;
    char *name = base_format("%s" SESSION_JUDGED, hex);
    bool read = classroom_read(f, CLASSROOM_KEPT, name, geteuid(), ROWS_MOST, &file, m);
    *latest = NULL;
    for (char *at = file.text, *end; read && (end = strchr(at, '\n')); at = end + 1) {
        json_t *row = json_loadb(at, (size_t)(end - at), 0, NULL);
        bool is = json_object_get(items, base_json_text(row, "item", "")) &&
                  !*base_json_text(row, "line", "") && *base_json_text(row, "typed", "");
        if (is) {
            json_decref(*latest);
            *latest = json_incref(row);
        }
        json_decref(row);
    }
    free(file.text);
    free(name);
    return read;
}

static bool add_memo(const struct classroom_folder *f, const json_t *learner, const char *hex,
                     const json_t *items, json_t *out, struct base_message *m) {
    json_t *row;
    if (!find_latest(f, hex, items, &row, m)) return false;
    if (row)
        json_array_append_new(
            out, json_pack("{ss ss ss sO ss sI}", "account", base_json_text(learner, "account", ""),
                           "with", base_json_text(learner, "with", ""), "handin", hex, "item",
                           json_object_get(row, "item"), "text", base_json_text(row, "typed", ""),
                           "time", (json_int_t)base_json_int(row, "time", 0)));
    json_decref(row);
    return true;
}

static json_t *memos_of(const struct classroom_folder *f, const json_t *grades, const json_t *items,
                        struct base_message *m) {
    json_t *out = json_array(), *learner;
    bool read = true;
    size_t i;
    json_array_foreach(json_object_get(grades, "learners"), i, learner) {
        const char *hex;
        if (!json_object_get(learner, "items")) continue; /* it could not be judged */
        for (size_t k = 0; read && (hex = session_grades_handin(learner, k)); k++)
            read = add_memo(f, learner, hex, items, out, m);
    }
    if (read) return out;
    json_decref(out);
    return NULL;
}

json_t *session_class_memos(const struct classroom_folder *f, struct base_message *m) {
    json_t *grades = session_class_grades_now(f, m), *out = NULL;
    struct learner *who = grades ? session_learner_open_course(m) : NULL;
    if (who) {
        json_t *items = items_of(who);
        out = memos_of(f, grades, items, m);
        json_decref(items);
        session_learner_close(who);
    }
    json_decref(grades);
    return out;
}
