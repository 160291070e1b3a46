/* map: how well the learner knows each idea of the course. */
#include "session/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MONTH = 30,
    /* of one item: a worksheet has as many as lines */
    SKILLS = 32
};

bool session_learner_map(struct learner *who, struct lesson_ideas *out, struct base_message *m) {
    char *path = base_share_path("lessons/map.json");
    json_t *json = base_json_read_file(path, m);
    bool read = json && lesson_ideas_read(out, session_learner_course(who), json, m);
    json_decref(json);
    free(path);
    return read;
}

/* An idea's problems are of skills that other ideas' problems are of too. */
static void add_item(struct learner_idea *to, const struct review_mastery *m, int64_t today,
                     const char *lesson, const char *id) {
    const struct review_skill *tried[SKILLS];
    char *item = base_format("%s/%s", lesson, id);
    size_t n = review_mastery_tried(m, item, tried, SKILLS);
    free(item);
    to->asked += n > 0;
    for (size_t i = 0; i < n; i++) {
        to->today += review_skill_likely(tried[i], today) / (double)n;
        to->month += review_skill_likely(tried[i], today + MONTH) / (double)n;
    }
}

/* What is not asked yet is as its lesson is: begun, skipped or not met. */
static enum learner_strength strength_of(struct learner *who, const struct learner_idea *i,
                                         const char *lesson, size_t items) {
    size_t at = session_learner_find_id(who, lesson, strlen(lesson));
    enum learner_standing standing = session_learner_progress(who, at).standing;
    if (i->asked == 0)
        return standing == LEARNER_UNTOUCHED                             ? LEARNER_NOT_MET
               : standing == LEARNER_SKIPPED || standing == LEARNER_DONE ? LEARNER_PASSED_OVER
                                                                         : LEARNER_MET;
    if (2 * i->asked < items && standing != LEARNER_DONE) return LEARNER_MET;
    return i->today < SESSION_WEAK    ? LEARNER_WEAK
           : i->today < SESSION_SOLID ? LEARNER_FADING
                                      : LEARNER_SOLID;
}

/* The mistake that was made last on any of its problems. */
static void find_slip(struct learner_idea *to, const struct review_mastery *m, int64_t today,
                      const struct lesson_idea *idea) {
    int64_t latest = INT64_MIN, day = 0;
    for (size_t k = 0; k < idea->items; k++) {
        char *item = base_format("%s/%s", idea->lesson, idea->item[k]);
        const char *slip = review_mastery_slip(m, item, &day);
        const char *name = slip ? session_mistake_name(slip) : NULL;
        free(item);
        if (!name || day < latest) continue;
        latest = day;
        snprintf(to->slip, sizeof to->slip, "%s", name);
        to->slip_days = today > day ? today - day : 0;
    }
}

struct learner_idea session_learner_idea(struct learner *who, const struct lesson_idea *idea) {
    struct learner_idea i = {0};
    const struct review_mastery *m = session_mastery(who);
    for (size_t k = 0; k < idea->items; k++)
        add_item(&i, m, session_today(who), idea->lesson, idea->item[k]);
    i.today = i.asked ? i.today / (double)i.asked : (double)NAN;
    i.month = i.asked ? i.month / (double)i.asked : (double)NAN;
    find_slip(&i, m, session_today(who), idea);
    i.strength = strength_of(who, &i, idea->lesson, idea->items);
    return i;
}
