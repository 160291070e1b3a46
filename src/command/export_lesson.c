/* export_lesson: lessons of the course, opened by id or file to be printed. */
#include "command/export.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>
bool command_export_course(struct lesson_course *out, struct base_message *m) {
    if (!base_share())
        return base_fail(m, "the course was not found: set ZEROTUTOR_SHARE to the folder that "
                            "holds lessons/ and lua/");
    char *path = base_share_path("lessons/course.json");
    json_t *json = base_json_read_file(path, m);
    bool read = json && lesson_course_read(out, json, m);
    json_decref(json);
    free(path);
    return read;
}

/* Below lessons/; NULL if the course has no file of this id. */
static const char *file_of(const struct lesson_course *c, const char *id) {
    const struct lesson_entry *extra = lesson_course_extra(c, id);
    if (extra) return extra->file;
    for (size_t i = 0; i < c->lessons; i++)
        if (strcmp(c->lesson[i].id, id) == 0) return c->lesson[i].file;
    return NULL;
}

static bool is_file(const char *name) {
    size_t n = strlen(name);
    return n > 4 && strcmp(name + n - 4, ".lua") == 0;
}

/* The file of a lesson, the caller's; NULL if there is none. */
static char *find_path(const struct lesson_course *c, const char *name, struct base_message *m) {
    const char *file = file_of(c, name);
    if (file) {
        char *relative = base_format("lessons/%s", file);
        char *path = base_share_path(relative);
        free(relative);
        return path;
    }
    if (is_file(name)) return base_dup(name);
    base_fail(m, "unknown lesson '%s': run `zerotutor learn --list` for a list", name);
    return NULL;
}

void command_export_close(struct export_lesson *l) {
    if (l->lesson) lesson_free(l->lesson);
    json_decref(l->json);
    if (l->script) script_close(l->script);
    *l = (struct export_lesson){0};
}

/* The terms that the lesson teaches, of the course's glossary, unless it has terms of its own. */
static void add_terms(json_t *lesson) {
    size_t i;
    json_t *term;
    if (json_object_get(lesson, "glossary")) return;
    json_t *book = session_book_read(NULL, SESSION_GLOSSARY, NULL), *terms = json_array();
    json_array_foreach(book, i, term) {
        if (strcmp(base_json_text(term, "lesson", ""), base_json_text(lesson, "id", "?")) == 0)
            json_array_append(terms, term);
    }
    json_decref(book);
    json_object_set_new(lesson, "glossary", terms);
}

/* A lesson of the course by id, or a file. */
bool command_export_open(const struct lesson_course *c, const char *name, struct export_lesson *out,
                         struct base_message *m) {
    *out = (struct export_lesson){.name = name};
    char *path = find_path(c, name, m);
    if (!path) return false;
    out->script = script_open(path, NULL, m);
    out->json = out->script ? json_deep_copy(script_lesson(out->script)) : NULL;
    if (out->json) add_terms(out->json);
    if (out->json && session_complete(out->json, path, m))
        out->lesson = lesson_read(out->json, path, m);
    free(path);
    if (out->lesson) return true;
    command_export_close(out);
    return false;
}
