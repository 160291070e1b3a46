/* loaded: one lesson file, run and read. */
#include "session/inside.h"

bool session_loaded_open(struct loaded *l, const char *path, struct base_message *m) {
    l->script = script_open(path, NULL, m);
    if (!l->script) return false;
    json_t *json = json_deep_copy(script_lesson(l->script));
    if (session_complete(json, path, m)) l->lesson = lesson_read(json, path, m);
    json_decref(json);
    l->glossary = json_incref(json_object_get(script_lesson(l->script), "glossary"));
    if (l->lesson) return true;
    session_loaded_close(l);
    return false;
}

void session_loaded_close(struct loaded *l) {
    if (l->lesson) lesson_free(l->lesson);
    json_decref(l->glossary);
    if (l->script) script_close(l->script);
    *l = (struct loaded){0};
}

void session_loaded_rest(struct loaded *l) {
    script_close(l->script);
    l->script = NULL;
}
