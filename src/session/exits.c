/* exits: the questions at the end of a class, which the teacher's board names: problems of the
 * course with fresh numbers, answered as any other. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

/* Whether an item ("1.3/one-stage") is a problem of the course, which has fresh numbers on each
 * try; where it is, unless `out` is NULL. Its id is the course's. */
static bool exit_asks(struct learner *who, const char *item, struct session_pick *out) {
    const char *slash = strchr(item, '/');
    const struct lesson_course *c = session_learner_course(who);
    size_t at = slash ? session_learner_find_id(who, item, (size_t)(slash - item)) : c->lessons;
    const struct loaded *l = at < c->lessons ? session_learner_lesson(who, at) : NULL;
    size_t step = l ? lesson_find(l->lesson, slash + 1) : 0;
    if (!l || step == lesson_steps(l->lesson) ||
        lesson_step_kind(l->lesson, step) != LESSON_PROBLEM)
        return false;
    if (out)
        *out = (struct session_pick){.lesson = at,
                                     .id = base_json_text(lesson_step(l->lesson, step), "id", "")};
    return true;
}

bool session_exit_choose(const struct classroom_sight *s, struct classroom_exit *out,
                         struct base_message *m) {
    struct classroom_missed *missed;
    size_t n = classroom_missed(s->seat, s->seats, &missed);
    struct learner *course = session_learner_open_course(m);
    *out = (struct classroom_exit){.at = base_now()};
    for (size_t i = 0; course && i < n && out->items < CLASSROOM_EXITS; i++)
        if (exit_asks(course, missed[i].item, NULL))
            snprintf(out->item[out->items++], sizeof out->item[0], "%s", missed[i].item);
    session_learner_close(course);
    free(missed);
    if (!out->items) return course && base_fail(m, "the class has missed no problem yet");
    classroom_random_name(out->id);
    return true;
}

/* The questions that the teacher asks and that were not answered since. An answer in a lesson that
 * is open, with the numbers that were seen there, is none. */
static size_t left(struct learner *who, struct session_pick pick[CLASSROOM_EXITS]) {
    const struct learner_class *c = session_learner_classwork(who);
    const struct classroom_exit *e = &c->board.exit;
    struct store *s = session_learner_store(who);
    size_t n = 0;
    if (!c->in || !c->in->running || !*e->id) return 0;
    /* nobody reads and answers a question in the second in which it is asked */
    int64_t before = store_last_answer_before(s, e->at + 1);
    for (size_t i = 0; i < e->items; i++)
        if (!store_was_answered_in(s, e->item[i], LESSON_FRESH_LINE, before))
            n += exit_asks(who, e->item[i], &pick[n]);
    return n;
}

bool session_class_exits(struct learner *who) {
    struct session_pick pick[CLASSROOM_EXITS];
    const struct learner_class *c = session_learner_classwork(who);
    return strcmp(c->now.lesson, LEARNER_EXIT) != 0 && left(who, pick) > 0;
}

struct lesson *session_exit_open(struct learner *who, struct mixed **mixed,
                                 struct base_message *m) {
    static const struct lesson_queue_head head = {
        LESSON_DRILL,
        LEARNER_EXIT,
        "Exit questions",
        "right",
        "your teacher asks no exit questions now, or you answered them",
        .fresh = true};
    struct session_pick pick[CLASSROOM_EXITS];
    size_t n = left(who, pick);
    return session_mixed_queue(who, &head, pick, n, mixed, m);
}
