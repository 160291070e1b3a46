/* problem.c: a problem from its JSON, field by field; account knows the fields. */
#include "lesson/lesson.h"

#include <string.h>

static bool set_problem(void *self, const char *name, const char *text, struct base_message *m) {
    struct account_error e = {0};
    if (strcmp(name, "v") == 0) {
        if (strcmp(text, "1") == 0) return true;
        return base_fail(m, "problem: version %s is unknown; this program reads version 1", text);
    }
    if (account_problem_set(self, name, text, &e)) return true;
    return base_fail(m, "problem: %s: %s", name, e.what);
}

static bool set_training(void *self, const char *name, const char *text, struct base_message *m) {
    struct account_error e = {0};
    if (account_set(self, name, text, &e)) return true;
    return base_fail(m, "training: %s: %s", name, e.what);
}

/* The model goes first, since it also sets the number of parameters, which the training may then override. */
static bool read_training(const json_t *training, struct account_training *out,
                          struct base_message *m) {
    const char *model = base_json_text(training, "model", NULL);
    if (model != NULL && !set_training(out, "model", model, m)) return false;
    json_t *rest = json_copy((json_t *)training);
    json_object_del(rest, "model");
    bool ok = base_json_fields(rest, set_training, out, m);
    json_decref(rest);
    return ok;
}

bool lesson_problem_read(const json_t *json, struct account_problem *out, struct base_message *m) {
    if (!json_is_object(json)) return base_fail(m, "a problem must be an object");
    *out = account_problem_default();
    const json_t *training = json_object_get(json, "training");
    if (training != NULL && !json_is_object(training))
        return base_fail(m, "problem: training must be an object");
    json_t *flat = json_copy((json_t *)json);
    json_object_del(flat, "training");
    bool ok = (training == NULL || read_training(training, &out->training, m)) &&
              base_json_fields(flat, set_problem, out, m);
    json_decref(flat);
    return ok;
}
