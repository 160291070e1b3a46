/* loaded: one lesson file, run, completed with what its worker cannot know, and read. */
#include "session/inside.h"

#include <string.h>

/* ── completing ────────────────────────────────────────────────────────────────────────────────*/
static bool no_such_lab(const json_t *step, const char *path, struct base_message *m) {
    size_t count;
    const struct experiment_lab *all = experiment_labs(&count);
    struct base_text names = {0};
    for (size_t i = 0; i < count; i++) base_text_printf(&names, "%s%s", i ? ", " : "", all[i].name);
    base_fail_at(m, path, (int)base_json_int(step, "line", 0),
                 "step '%s': unknown lab '%.40s': use %s", base_json_text(step, "id", ""),
                 base_json_text(step, "lab", ""), names.s);
    base_text_free(&names);
    return false;
}

static bool complete(json_t *step, const char *path, struct base_message *m) {
    const struct experiment_lab *lab = experiment_lab_find(base_json_text(step, "lab", ""));
    if (!lab) return no_such_lab(step, path, m);
    if (!json_object_get(step, "ask")) {
        json_t *choices = json_array();
        for (size_t i = 0; i < EXPERIMENT_OPTIONS && lab->option[i]; i++)
            json_array_append_new(choices, json_string(lab->option[i]));
        json_object_set_new(step, "ask", json_string(lab->ask));
        json_object_set_new(step, "choices", choices);
        json_object_set_new(step, "answer", json_integer(lab->right + 1));
    }
    if (!json_object_get(step, "reveal"))
        json_object_set_new(step, "reveal", json_string(lab->reveal));
    return true;
}

bool session_complete(json_t *lesson, const char *path, struct base_message *m) {
    json_t *step;
    size_t i;
    json_array_foreach(json_object_get(lesson, "steps"), i, step) {
        if (strcmp(base_json_text(step, "kind", ""), "lab") == 0 && !complete(step, path, m))
            return false;
    }
    session_source_complete(lesson);
    return true;
}

/* ── opening ───────────────────────────────────────────────────────────────────────────────────*/
/* Takes over `told`, what the file says. */
static bool take(struct loaded *l, json_t *told, const char *path, struct base_message *m) {
    if (session_complete(told, path, m)) l->lesson = lesson_read(told, path, m);
    l->glossary = json_incref(json_object_get(told, "glossary"));
    json_decref(told);
    if (l->lesson) return true;
    session_loaded_close(l);
    return false;
}

bool session_loaded_open(struct loaded *l, struct store *store, const char *path,
                         struct base_message *m) {
    l->script = session_told_by(store, path, m);
    return l->script && take(l, json_deep_copy(script_lesson(l->script)), path, m);
}

bool session_loaded_read(struct loaded *l, struct store *store, const char *path,
                         struct base_message *m) {
    json_t *told = session_told(store, path, m);
    return told && take(l, told, path, m);
}

void session_loaded_close(struct loaded *l) {
    if (l->lesson) lesson_free(l->lesson);
    json_decref(l->glossary);
    if (l->script) script_close(l->script);
    *l = (struct loaded){0};
}
