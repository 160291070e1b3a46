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

/* In one of so many weeks before this one. */
static bool was_answered_lately(struct learner *who, const char *id, size_t weeks) {
    enum { WEEK = 7 };
    bool answered = false;
    for (size_t i = 1; i <= weeks && !answered; i++) {
        char *item = session_week_item(session_today(who) - WEEK * (int64_t)i, LEARNER_CASE, id);
        answered = store_was_answered(session_learner_store(who), item, 0);
        free(item);
    }
    return answered;
}

/* Those that are settled take turns. When lessons settle more of them the turns shift, so the next
 * is taken that was not answered since its last turn; their count if there is none at all. */
static size_t choose(struct learner *who, const struct lesson *cases) {
    size_t count = lesson_steps(cases), settled = 0, chosen = count;
    size_t *at = base_alloc((count + 1) * sizeof *at);
    for (size_t i = 0; i < count; i++)
        if (is_settled(who, lesson_step(cases, i))) at[settled++] = i;
    for (size_t i = 0; i < settled; i++) {
        chosen = at[((size_t)llabs(session_week(who)) + i) % settled];
        const char *id = base_json_text(lesson_step(cases, chosen), "id", "");
        if (!was_answered_lately(who, id, settled - 1)) break;
    }
    free(at);
    return chosen;
}

bool session_learner_case(struct learner *who, struct learner_case *out) {
    const struct loaded *l = session_learner_cases(who);
    *out = (struct learner_case){0};
    if (!l) return false;
    size_t count = lesson_steps(l->lesson), at = answered_of(who, l->lesson);
    out->answered = at < count;
    if (!out->answered) at = choose(who, l->lesson);
    if (at == count) return false;
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
