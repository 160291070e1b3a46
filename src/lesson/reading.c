/* reading.c: reads a lesson from the JSON that its script returned. What each kind of step must
 * have is in check.c. */
#include "lesson/parsed.h"

#include <string.h>

static bool charset(const char *s, const char *extra) {
    if (*s == '\0' || strlen(s) > 60) return false;
    for (; *s != '\0'; s++)
        if (!(*s >= 'a' && *s <= 'z') && !(*s >= '0' && *s <= '9') && strchr(extra, *s) == NULL)
            return false;
    return true;
}

/* A lesson that names no id of its own is called after its file: lessons/1/1.1.lua is 1.1. */
static char *stem(const char *name) {
    const char *from = strrchr(name, '/');
    char *s = base_dup(from != NULL ? from + 1 : name);
    char *dot = strrchr(s, '.');
    if (dot != NULL && strcmp(dot, ".lua") == 0) *dot = '\0';
    return s;
}

static bool read_id(struct lesson *l, struct base_message *m) {
    const char *id = base_json_text(l->json, "id", NULL);
    l->id = id != NULL ? base_dup(id) : stem(l->name);
    if (charset(l->id, ".-_")) return true;
    return base_fail_at(m, l->name, 0,
                        "the lesson's id '%.60s' must be made of a-z, 0-9, '.' and '-', as in 1.1",
                        l->id);
}

static bool read_kind(struct lesson *l, size_t i, struct base_message *m) {
    struct lesson_step *s = &l->step[i];
    const char *kind = base_json_text(s->json, "kind", "");
    for (int k = 0; k < LESSON_STEP_KINDS; k++) {
        s->kind = (enum lesson_step_kind)k;
        if (k != LESSON_CARD && strcmp(lesson_step_kind_name(s->kind), kind) == 0) return true;
    }
    return lesson_blame(l, i, m, "unknown kind of step '%.40s'", kind);
}

static bool read_step(struct lesson *l, size_t i, struct base_message *m) {
    struct lesson_step *s = &l->step[i];
    s->json = json_array_get(json_object_get(l->json, "steps"), i);
    s->line = (int)base_json_int(s->json, "line", 0);
    if (!json_is_object(s->json)) return lesson_blame(l, i, m, "a step must be an object");
    s->id = base_json_text(s->json, "id", NULL);
    if (s->id == NULL || !charset(s->id, "-"))
        return lesson_blame(l, i, m, "a step needs an id made of a-z, 0-9 and '-'");
    if (lesson_find(l, s->id) < i)
        return lesson_blame(l, i, m, "this id was used before; ids are unique in a lesson");
    s->item = base_format("%s/%s", l->id, s->id);
    return read_kind(l, i, m) && lesson_check_step(l, i, m);
}

static bool read_steps(struct lesson *l, struct base_message *m) {
    const json_t *steps = json_object_get(l->json, "steps");
    size_t count = json_array_size(steps);
    if (count == 0) return base_fail_at(m, l->name, 0, "a lesson needs at least one step");
    if (count > 200)
        return base_fail_at(m, l->name, 0, "%zu steps are too many; 200 at most", count);
    l->step = base_alloc(count * sizeof *l->step);
    bool seen = false;
    for (size_t i = 0; i < count; i++) {
        l->count = i + 1;
        if (!read_step(l, i, m)) return false;
        seen = seen || lesson_step_passed(l, i);
    }
    if (!seen)
        return base_fail_at(m, l->name, 0,
                            "a lesson needs a step that is not cards or kept for the review");
    return true;
}

struct lesson *lesson_read(const json_t *json, const char *name, struct base_message *m) {
    if (!json_is_object(json)) {
        base_fail_at(m, name, 0, "the file must return lesson { … }");
        return NULL;
    }
    struct lesson *l = base_alloc(sizeof *l);
    l->json = json_incref((json_t *)json);
    l->name = base_dup(name);
    if (read_id(l, m) && read_steps(l, m)) return l;
    lesson_free(l);
    return NULL;
}
