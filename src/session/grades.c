/* grades: what was graded, as files of the teacher's. */
#include "session/grade.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT = 1, GRADES_MOST = 256 << 20 };

bool session_grades_write(const struct classroom_folder *f, enum classroom_place p,
                          const char *name, mode_t mode, const json_t *json,
                          struct base_message *m) {
    char *text = json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    bool wrote = classroom_write(f, p, name, mode, text, strlen(text), m);
    free(text);
    return wrote;
}

json_t *session_class_grades(const struct classroom_folder *f, struct base_message *m) {
    struct classroom_file file;
    struct base_message why = {0};
    if (!classroom_read(f, CLASSROOM_KEPT, SESSION_GRADES, geteuid(), GRADES_MOST, &file, &why)) {
        base_fail_at(m, classroom_path(f), 0,
                     "there are no grades yet (%s): run `zerotutor class grade` first", why.what);
        return NULL;
    }
    char *path = base_format("%s/kept/" SESSION_GRADES, classroom_path(f));
    json_t *json = base_json_read(file.text, file.length, path, m);
    bool ours = strcmp(base_json_text(json, "zerotutor", ""), "grades") == 0 &&
                base_json_int(json, "format", 0) == FORMAT;
    if (json && !ours) base_fail_at(m, path, 0, "this program did not write this file");
    if (!ours) json_decref(json);
    free(path);
    free(file.text);
    return ours ? json : NULL;
}

void session_grades_mark(const json_t *collected, char out[HASH_HEX]) {
    char *text = json_dumps(collected, JSON_COMPACT | JSON_SORT_KEYS);
    hash_hex("", text, strlen(text), out);
    free(text);
}

json_t *session_class_grades_now(const struct classroom_folder *f, struct base_message *m) {
    json_t *grades = session_class_grades(f, m),
           *collected = grades ? classroom_collected(f, m) : NULL;
    char mark[HASH_HEX];
    bool now = collected != NULL;
    if (now) {
        session_grades_mark(collected, mark);
        now = strcmp(base_json_text(grades, "collected", mark), mark) == 0 ||
              base_fail_at(m, classroom_path(f), 0,
                           "hand-ins that were collected are newer than the grades: run "
                           "`zerotutor class grade` again");
    }
    json_decref(collected);
    if (now) return grades;
    json_decref(grades);
    return NULL;
}
