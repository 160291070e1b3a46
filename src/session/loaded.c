/* loaded: one lesson file, run, completed with what its worker cannot know, and read. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

/* ── completing ────────────────────────────────────────────────────────────────────────────────*/
static bool no_such_lab(const json_t *step, const char *path, struct base_message *m) {
    struct base_text names = {0};
    for (size_t i = 0; i < experiment_labs(); i++)
        base_text_printf(&names, "%s%s", i ? ", " : "", experiment_lab_at(i)->name);
    base_fail_at(m, path, (int)base_json_int(step, "line", 0),
                 "step '%s': unknown lab '%.40s': use %s", base_json_text(step, "id", ""),
                 base_json_text(step, "lab", ""), names.s);
    base_text_free(&names);
    return false;
}

static json_t *options_json(const char *const option[EXPERIMENT_OPTIONS]) {
    json_t *choices = json_array();
    for (size_t i = 0; i < EXPERIMENT_OPTIONS && option[i]; i++)
        json_array_append_new(choices, json_string(option[i]));
    return choices;
}

/* "kind=bytes gpus=4": what is no field of a problem is one of its training. */
static json_t *problem_json(const char *fields) {
    static const char own[] = " kind quantity unit per budget tolerance ";
    json_t *problem = json_object(), *training = json_object();
    char *all = base_dup(fields), *rest = NULL;
    for (char *word = strtok_r(all, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '='), name[32];
        if (!value) continue;
        *value++ = '\0';
        snprintf(name, sizeof name, " %s ", word);
        json_object_set_new(strstr(own, name) ? problem : training, word, json_string(value));
    }
    free(all);
    json_object_set_new(problem, "training", training);
    return problem;
}

static json_t *amount_json(const struct experiment_amount *a) {
    if (a->problem) return json_pack("{ss so}", "ask", a->ask, "problem", problem_json(a->problem));
    return json_pack("{ss ss si si}", "ask", a->ask, "of", experiment_measure_name(a->of), "run",
                     a->run, "to", a->to);
}

/* A question of the step's own goes before the lab's. */
void session_lab_complete(json_t *step, const struct experiment_lab *lab) {
    if (!json_object_get(step, "ask")) {
        json_object_set_new(step, "ask", json_string(lab->ask));
        json_object_set_new(step, "choices", options_json(lab->option));
        json_object_set_new(step, "answer", json_integer(lab->right + 1));
        json_object_set_new(step, "amount", amount_json(&lab->amount));
    }
    if (!json_object_get(step, "question"))
        json_object_set_new(step, "after",
                            json_pack("{ss so si ss}", "ask", lab->after.ask, "choices",
                                      options_json(lab->after.option), "answer",
                                      lab->after.right + 1, "because", lab->after.because));
    if (!json_object_get(step, "reveal"))
        json_object_set_new(step, "reveal", json_string(lab->reveal));
}

static bool complete(json_t *step, const char *path, struct base_message *m) {
    const struct experiment_lab *lab = experiment_lab_find(base_json_text(step, "lab", ""));
    if (!lab) return no_such_lab(step, path, m);
    session_lab_complete(step, lab);
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
