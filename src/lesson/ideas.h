/* lesson/ideas.h: the map: the ideas of the course, and what each rests on. */
#ifndef LESSON_IDEAS_H
#define LESSON_IDEAS_H

#include "lesson/course.h"

enum { LESSON_IDEAS_MOST = 64, LESSON_IDEA_RESTS = 6, LESSON_IDEA_ITEMS = 16 };
struct lesson_idea {
    const char *id, *title;
    /* the ids of the lesson that teaches it and of the step where it begins */
    const char *lesson, *step;
    /* from 0 */
    int phase;
    /* the ids of that lesson's problems and myths that are about it */
    const char *item[LESSON_IDEA_ITEMS];
    size_t items;
    /* the ideas that it rests on, which stand before it */
    size_t rests[LESSON_IDEA_RESTS], rest_count;
};
struct lesson_ideas {
    json_t *json;
    /* what each phase is called in few words */
    const char *column[BASE_COUNT(((struct lesson_course *)0)->phase_title)];
    size_t count;
    struct lesson_idea idea[LESSON_IDEAS_MOST];
};
/* Reads lessons/map.json against the course: its lessons are there, and no idea rests on itself or
 * a later one. Strings are borrowed from the JSON, to which it keeps a reference. */
bool lesson_ideas_read(struct lesson_ideas *out, const struct lesson_course *c, const json_t *json,
                       struct base_message *m);
void lesson_ideas_free(struct lesson_ideas *i);

#endif
