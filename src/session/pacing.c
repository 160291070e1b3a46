/* pacing: the step that the teacher opened for all. A learner's program offers to go there, and
 * goes only when its key is pressed. */
#include "session/inside.h"

#include <string.h>

void session_pacing_see(struct learner_class *c, const struct classroom_board *b) {
    if (strcmp(c->open_lesson, b->lesson) == 0 && strcmp(c->open_step, b->step) == 0) return;
    memcpy(c->open_lesson, b->lesson, sizeof c->open_lesson);
    memcpy(c->open_step, b->step, sizeof c->open_step);
    c->followed = false;
}

/* Who answers the exit questions is called away from them by no step. */
bool session_class_open_step(struct learner *who, struct session_open_step *out) {
    struct learner_class *c = session_learner_classwork(who);
    bool exits = strcmp(c->now.lesson, LEARNER_EXIT) == 0;
    if (!c->in || !*c->open_lesson || c->followed || exits) return false;
    size_t at = session_learner_find_id(who, c->open_lesson, strlen(c->open_lesson));
    bool known = at < session_learner_course(who)->lessons;
    const struct loaded *l = known ? session_learner_lesson(who, at) : NULL;
    size_t step = l ? lesson_find(l->lesson, c->open_step) : 0;
    if (!l || step == lesson_steps(l->lesson)) return false;
    const char *title = base_json_text(lesson_step(l->lesson, step), "title", "");
    *out = (struct session_open_step){c->open_lesson, c->open_step, *title ? title : c->open_step};
    bool there = strcmp(c->now.lesson, out->lesson) == 0 && strcmp(c->now.step, out->step) == 0;
    c->followed = there;
    return !there;
}
