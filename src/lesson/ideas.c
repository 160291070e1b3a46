#include "lesson/lesson.h"

#include <string.h>

static size_t find_idea(const struct lesson_ideas *all, const char *id) {
    size_t i = 0;
    while (i < all->count && strcmp(all->idea[i].id, id) != 0) i++;
    return i;
}

static const struct lesson_entry *find_lesson(const struct lesson_course *c, const char *id) {
    for (size_t i = 0; i < c->lessons; i++)
        if (strcmp(c->lesson[i].id, id) == 0 && c->lesson[i].kind == LESSON_ORDINARY)
            return &c->lesson[i];
    return NULL;
}

static bool read_rests(const struct lesson_ideas *all, struct lesson_idea *idea, const json_t *list,
                       struct base_message *m) {
    const json_t *id;
    size_t i;
    json_array_foreach(list, i, id) {
        size_t on = find_idea(all, json_string_value(id) ? json_string_value(id) : "");
        if (on == all->count)
            return base_fail(m, "map.json: %s rests on an idea that is not listed before it",
                             idea->id);
        if (idea->rest_count == LESSON_IDEA_RESTS)
            return base_fail(m, "map.json: %s rests on more than %d ideas", idea->id,
                             LESSON_IDEA_RESTS);
        idea->rests[idea->rest_count++] = on;
    }
    return true;
}

static bool read_items(struct lesson_idea *idea, const json_t *list, struct base_message *m) {
    const json_t *id;
    size_t i;
    json_array_foreach(list, i, id) {
        if (!json_is_string(id) || idea->items == LESSON_IDEA_ITEMS)
            return base_fail(m, "map.json: the items of %s are 1 to %d ids", idea->id,
                             LESSON_IDEA_ITEMS);
        idea->item[idea->items++] = json_string_value(id);
    }
    return idea->items > 0 || base_fail(m, "map.json: %s has no items", idea->id);
}

static bool read_idea(struct lesson_ideas *all, const struct lesson_course *c, const json_t *json,
                      struct base_message *m) {
    if (all->count == LESSON_IDEAS_MOST)
        return base_fail(m, "map.json: more than %d ideas", LESSON_IDEAS_MOST);
    struct lesson_idea *idea = &all->idea[all->count];
    *idea = (struct lesson_idea){.id = base_json_text(json, "id", NULL),
                                 .title = base_json_text(json, "title", NULL),
                                 .lesson = base_json_text(json, "lesson", ""),
                                 .step = base_json_text(json, "step", NULL)};
    if (!idea->id || !idea->title || !idea->step)
        return base_fail(m, "map.json: idea %zu needs an id, a title and a step", all->count + 1);
    if (find_idea(all, idea->id) < all->count)
        return base_fail(m, "map.json: %s is listed twice", idea->id);
    const struct lesson_entry *lesson = find_lesson(c, idea->lesson);
    if (!lesson) return base_fail(m, "map.json: %s names no lesson of the course", idea->id);
    idea->phase = lesson->phase;
    if (!read_rests(all, idea, json_object_get(json, "rests"), m) ||
        !read_items(idea, json_object_get(json, "items"), m))
        return false;
    all->count++;
    return true;
}

static bool read_columns(struct lesson_ideas *all, const struct lesson_course *c,
                         const json_t *list, struct base_message *m) {
    for (size_t i = 0; i < c->phases; i++) {
        all->column[i] = json_string_value(json_array_get(list, i));
        if (!all->column[i])
            return base_fail(m, "map.json: columns names each of the %zu phases", c->phases);
    }
    return true;
}

bool lesson_ideas_read(struct lesson_ideas *out, const struct lesson_course *c, const json_t *json,
                       struct base_message *m) {
    *out = (struct lesson_ideas){.json = json_incref((json_t *)json)};
    bool read = read_columns(out, c, json_object_get(json, "columns"), m);
    const json_t *idea;
    size_t i;
    json_array_foreach(json_object_get(json, "ideas"), i, idea) {
        read = read && read_idea(out, c, idea, m);
    }
    if (read && out->count > 0) return true;
    if (read) base_fail(m, "map.json lists no ideas");
    lesson_ideas_free(out);
    return false;
}

void lesson_ideas_free(struct lesson_ideas *i) {
    json_decref(i->json);
    *i = (struct lesson_ideas){0};
}
