/* cases: the case of the week: one of the course's file of cases, for everybody the same in a week,
 * among those that the learner's lessons settle. Its answers are kept under the week, so that a
 * case that comes again is asked again. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

/* ── which one ─────────────────────────────────────────────────────────────────────────────────*/
static bool is_settled(struct learner *who, const json_t *step) {
    const char *needs = base_json_text(step, "needs", "");
    struct lesson_journal j = store_journal(session_learner_store(who));
    struct lesson_place place = {0};
    return *needs == '\0' || (j.place_get(j.self, needs, &place, NULL) && place.finished);
}

/* The one that was answered this week; their count if none was. */
static size_t answered_of(struct learner *who, const struct lesson *cases) {
    bool answered = false;
    size_t at = 0, count = lesson_steps(cases);
    for (; at < count && !answered; at += !answered) {
        const char *id = base_json_text(lesson_step(cases, at), "id", "");
        char *item = session_week_item(session_today(who), LEARNER_CASE, id);
        answered = store_was_answered(session_learner_store(who), item, 0);
        free(item);
    }
    return at;
}

static size_t choose(struct learner *who, const struct lesson *cases) {
    size_t count = lesson_steps(cases), first = (size_t)llabs(session_week(who)) % count;
    for (size_t i = 0; i < count; i++)
        if (is_settled(who, lesson_step(cases, (first + i) % count))) return (first + i) % count;
    return count;
}

bool session_learner_case(struct learner *who, struct learner_case *out) {
    const struct loaded *l = session_learner_cases(who);
    *out = (struct learner_case){0};
    if (!l) return false;
    size_t count = lesson_steps(l->lesson), at = answered_of(who, l->lesson);
    out->answered = at < count;
    if (!out->answered) at = choose(who, l->lesson);
    if (at == count) return false;
    out->minutes = lesson_minutes(l->lesson);
    out->at = at;
    out->title = base_json_text(lesson_step(l->lesson, at), "title", "");
    out->ask = base_json_text(lesson_step(l->lesson, at), "ask", "");
    return true;
}

/* ── as a lesson ───────────────────────────────────────────────────────────────────────────────*/
struct lesson *session_case_open(struct learner *who, struct base_message *m) {
    struct learner_case week;
    if (!session_learner_case(who, &week)) {
        base_fail(m, "there is no case yet: the first comes when you have finished lesson 1.1");
        return NULL;
    }
    const struct lesson *cases = session_learner_cases(who)->lesson;
    char *item = session_week_item(session_today(who), LEARNER_CASE,
                                   base_json_text(lesson_step(cases, week.at), "id", ""));
    return lesson_case(cases, week.at, item);
}
