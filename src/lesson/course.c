/* course.c: phases, ids, titles, minutes and files, from lessons/course.json. */
#include "lesson/lesson.h"

#include <stdlib.h>
#include <string.h>

/* Files are opened below lessons/, so a course that points elsewhere is refused. */
static bool inside(const char *file) {
    return file == NULL || (file[0] != '/' && strstr(file, "..") == NULL);
}

/* Whether the course has a lesson or an extra of this id already. */
static bool is_taken(const struct lesson_course *c, const char *id) {
    bool taken = lesson_course_extra(c, id) != NULL;
    for (size_t i = 0; i < c->lessons; i++) taken |= strcmp(c->lesson[i].id, id) == 0;
    return taken;
}

static bool read_entry(const struct lesson_course *c, struct lesson_entry *l, const json_t *json,
                       struct base_message *m) {
    *l = (struct lesson_entry){.id = base_json_text(json, "id", NULL),
                               .title = base_json_text(json, "title", NULL),
                               .file = base_json_text(json, "file", NULL),
                               .phase = (int)c->phases - 1};
    if (l->id == NULL || l->title == NULL)
        return base_fail(m, "course.json: lesson %zu needs an id and a title",
                         c->lessons + c->extras + 1);
    if (!inside(l->file))
        return base_fail(m, "course.json: lesson %s: its file must be inside lessons/", l->id);
    return !is_taken(c, l->id) || base_fail(m, "course.json: lesson %s is listed twice", l->id);
}

static bool read_lesson(struct lesson_course *c, const json_t *json, struct base_message *m) {
    if (c->lessons == BASE_COUNT(c->lesson))
        return base_fail(m, "course.json: more than %zu lessons", BASE_COUNT(c->lesson));
    struct lesson_entry *l = &c->lesson[c->lessons];
    int64_t minutes = base_json_int(json, "minutes", 0);
    if (!read_entry(c, l, json, m)) return false;
    if (minutes < 1 || minutes > LESSON_MINUTES_MOST)
        return base_fail(m, "course.json: lesson %s needs its minutes, from 1 to %d", l->id,
                         LESSON_MINUTES_MOST);
    l->minutes = (int)minutes;
    c->lessons++;
    return true;
}

static bool read_extra(struct lesson_course *c, const json_t *json, struct base_message *m) {
    if (c->extras == BASE_COUNT(c->extra))
        return base_fail(m, "course.json: more than %zu extras", BASE_COUNT(c->extra));
    struct lesson_entry *l = &c->extra[c->extras];
    if (!read_entry(c, l, json, m)) return false;
    if (l->file == NULL) return base_fail(m, "course.json: extra %s needs its file", l->id);
    c->extras++;
    return true;
}

const struct lesson_entry *lesson_course_extra(const struct lesson_course *c, const char *id) {
    for (size_t i = 0; i < c->extras; i++)
        if (strcmp(c->extra[i].id, id) == 0) return &c->extra[i];
    return NULL;
}

const char *lesson_kind_name(enum lesson_kind k) {
    static const char *const names[] = {"lesson", "review", "check", "review",
                                        "case",   "drill",  "page"};
    return names[k];
}

const char *lesson_kind_says(enum lesson_kind k) {
    if (k == LESSON_REVIEW)
        return "Problems from the whole phase. First those you missed, then new ones.";
    if (k == LESSON_CHECK)
        return "Six problems from the phase, each asked once and without hints. You pass with five "
               "right.";
    return "";
}

/* The phase's review and check. What they are called lives in `made`. */
static bool add_mixed(struct lesson_course *c, enum lesson_kind kind, struct base_message *m) {
    static const struct {
        const char *letter, *title;
        int minutes;
    } how[] = {
        [LESSON_REVIEW] = {"r", "Review", 8},
        [LESSON_CHECK] = {"c", "Check", 4},
    };
    char *id = base_format("%zu%s", c->phases, how[kind].letter);
    char *title = base_format("%s: %s", how[kind].title, c->phase_title[c->phases - 1]);
    json_t *entry = json_pack("{ss ss si}", "id", id, "title", title, "minutes", how[kind].minutes);
    json_array_append_new(c->made, entry);
    free(title);
    free(id);
    bool read = read_lesson(c, entry, m);
    if (read) c->lesson[c->lessons - 1].kind = kind;
    return read;
}

static bool read_phase(struct lesson_course *c, const json_t *json, struct base_message *m) {
    if (c->phases == BASE_COUNT(c->phase_title))
        return base_fail(m, "course.json: more than %zu phases", BASE_COUNT(c->phase_title));
    const char *title = base_json_text(json, "title", NULL);
    if (title == NULL) return base_fail(m, "course.json: phase %zu needs a title", c->phases + 1);
    c->phase_title[c->phases++] = title;
    size_t i;
    const json_t *lesson;
    json_array_foreach(json_object_get(json, "lessons"), i, lesson) {
        if (!read_lesson(c, lesson, m)) return false;
    }
    return add_mixed(c, LESSON_REVIEW, m) && add_mixed(c, LESSON_CHECK, m);
}

bool lesson_course_read(struct lesson_course *c, const json_t *json, struct base_message *m) {
    *c = (struct lesson_course){.json = json_incref((json_t *)json), .made = json_array()};
    const json_t *welcome = json_object_get(json, "welcome");
    c->welcome = (struct lesson_welcome){.text = base_json_text(welcome, "text", NULL),
                                         .figure = json_object_get(welcome, "figure"),
                                         .watch = base_json_text(welcome, "watch", NULL)};
    c->cases = base_json_text(json, "cases", NULL);
    if (!inside(c->cases)) {
        lesson_course_free(c);
        return base_fail(m, "course.json: the file of the cases must be inside lessons/");
    }
    size_t i;
    const json_t *phase;
    json_array_foreach(json_object_get(json, "phases"), i, phase) {
        if (!read_phase(c, phase, m)) {
            lesson_course_free(c);
            return false;
        }
    }
    bool listed = c->lessons > 2 * c->phases;
    if (!listed) base_fail(m, "course.json lists no lessons");
    const json_t *extra;
    bool read = listed;
    json_array_foreach(json_object_get(json, "extras"), i, extra) {
        read = read && read_extra(c, extra, m);
    }
    if (!read) lesson_course_free(c);
    return read;
}

void lesson_course_free(struct lesson_course *c) {
    json_decref(c->json);
    json_decref(c->made);
    *c = (struct lesson_course){0};
}
