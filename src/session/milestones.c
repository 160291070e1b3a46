/* milestones: what home says once the course is done: what the learner can do and what of it got
 * stronger this week, the best round of the speed challenge, and the memo. */
#include "session/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ── the best round ────────────────────────────────────────────────────────────────────────────*/
struct best {
    const char *subject;
    int64_t right, ms;
};

/* Rounds of other lengths are compared by their right answers a second; one without a clock is
 * none. */
static void see_round(void *to, const struct lesson_answer *a) {
    struct best *b = to;
    int64_t right = base_json_int(a->problem, "right", 0), ms = base_json_int(a->problem, "ms", 0);
    if (ms <= 0 || right <= 0 || right > base_json_int(a->problem, "asked", 0)) return;
    if (b->ms && (double)right / (double)ms < (double)b->right / (double)b->ms) return;
    enum lesson_speed_subject subject =
        lesson_speed_subject_find(base_json_text(a->problem, "subject", ""));
    if (subject == LESSON_SPEED_SUBJECTS) return;
    *b = (struct best){lesson_speed_subject_title(subject), right, ms};
}

static json_t *best_round(struct learner *who) {
    struct lesson_journal j = store_journal(session_learner_store(who));
    struct best b = {0};
    for (unsigned i = 0; i < LESSON_SPEED_SUBJECTS; i++) {
        char *item =
            base_format("speed/%s", lesson_speed_subject_name((enum lesson_speed_subject)i));
        j.answers(j.self, item, see_round, &b, NULL);
        free(item);
    }
    return b.ms ? json_pack("{sI sI ss}", "right", (json_int_t)b.right, "seconds",
                            (json_int_t)(b.ms / 1000), "subject", b.subject)
                : json_null();
}

/* ── the memo ──────────────────────────────────────────────────────────────────────────────────*/
static void see_memo(void *to, const struct lesson_answer *a) {
    if (!*a->line && base_json_bool(a->problem, "passes", false)) *(bool *)to = true;
}

/* Of the last lesson, since one is run for it: {"passed","lesson"}; null if it asks for none. */
static json_t *memo(struct learner *who) {
    const struct lesson_course *c = session_learner_course(who);
    struct lesson_journal j = store_journal(session_learner_store(who));
    bool passed = false;
    size_t i = c->lessons;
    while (i > 0 && c->lesson[i - 1].kind != LESSON_ORDINARY) i--;
    const struct loaded *l = i > 0 ? session_learner_lesson(who, i - 1) : NULL;
    bool asks = false;
    for (size_t k = 0; l && k < lesson_steps(l->lesson); k++) {
        if (lesson_step_kind(l->lesson, k) != LESSON_MEMO) continue;
        asks = true;
        char *item = base_format("%s/%s", c->lesson[i - 1].id,
                                 base_json_text(lesson_step(l->lesson, k), "id", ""));
        j.answers(j.self, item, see_memo, &passed, NULL);
        free(item);
    }
    return asks ? json_pack("{sb ss}", "passed", passed, "lesson", c->lesson[i - 1].id)
                : json_null();
}

/* ── what got stronger ─────────────────────────────────────────────────────────────────────────*/
/* What this page said of each area when the week began: the mean of its skills that were tried. */
static void add_mondays(struct learner *who, json_t *areas) {
    struct learner_skill *skill;
    size_t count = session_learner_skills(who, &skill), i;
    json_t *area;
    json_array_foreach(areas, i, area) {
        double sum = 0;
        int tried = 0;
        for (size_t k = 0; k < count; k++) {
            bool counts = strcmp(skill[k].area, base_json_text(area, "area", "")) == 0 &&
                          !isnan(skill[k].on_monday);
            sum += counts ? skill[k].on_monday : 0;
            tried += counts;
        }
        if (tried > 0) json_object_set_new(area, "on_monday", json_real(sum / tried));
    }
    free(skill);
}

json_t *session_learner_milestones(struct learner *who) {
    json_t *study = session_learner_study(who);
    add_mondays(who, json_object_get(study, "areas"));
    json_object_set_new(study, "best", best_round(who));
    json_object_set_new(study, "memo", memo(who));
    return study;
}
