/* study: what the learner can do, the mistakes made most and the time spent, as JSON, which is what
 * both front ends and the command draw. */
#include "session/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ── numbers and days ──────────────────────────────────────────────────────────────────────────*/
static json_t *to_thousandths(double value) {
    return json_real(round(value * 1000) / 1000);
}

/* Files of others have days of any size. */
enum { DAYS_MOST = 1 << 24 };

char *session_date(int64_t day) {
    bool is_one = day > -DAYS_MOST && day < DAYS_MOST;
    time_t noon = is_one ? (time_t)(day * 86400 + 43200) : 0;
    struct tm t = {0};
    char text[16] = "";
    if (is_one && gmtime_r(&noon, &t)) strftime(text, sizeof text, "%Y-%m-%d", &t);
    return base_dup(text);
}

static int64_t days_ago(int64_t day, int64_t now) {
    return now > day ? now - day : 0;
}

/* ── skills ────────────────────────────────────────────────────────────────────────────────────*/
static json_t *skill_json(const struct learner_skill *s) {
    return json_pack("{ss so so si si si sI}", "skill", s->name, "today",
                     to_thousandths(s->likely[0]), "in_30_days",
                     to_thousandths(s->likely[LEARNER_AHEAD]), "first_tries", s->tries, "right",
                     s->right, "helped", s->helped, "days_ago", (json_int_t)s->days_ago);
}

/* The skills of one area, each counting as much. */
static json_t *area_json(const struct learner_skill *s, size_t count) {
    double now = 0, ahead = 0;
    int tries = 0, right = 0;
    json_t *skills = json_array();
    for (size_t i = 0; i < count; i++) {
        now += s[i].likely[0] / (double)count;
        ahead += s[i].likely[LEARNER_AHEAD] / (double)count;
        tries += s[i].tries;
        right += s[i].right;
        json_array_append_new(skills, skill_json(&s[i]));
    }
    return json_pack("{ss so so si si so}", "area", s->area, "today", to_thousandths(now),
                     "in_30_days", to_thousandths(ahead), "first_tries", tries, "right", right,
                     "skills", skills);
}

static json_t *areas_json(const struct learner_skill *skill, size_t count) {
    json_t *areas = json_array();
    for (size_t from = 0, to; from < count; from = to) {
        to = from + 1;
        while (to < count && strcmp(skill[to].area, skill[from].area) == 0) to++;
        json_array_append_new(areas, area_json(&skill[from], to - from));
    }
    return areas;
}

json_t *session_areas(struct learner *who, const struct review_mastery *m, int64_t today) {
    struct learner_skill *skill;
    size_t count = session_skills(who, m, today, &skill);
    json_t *areas = areas_json(skill, count);
    free(skill);
    return areas;
}

/* The mean of all skills on each day that comes, without practice. */
static json_t *fades_json(const struct learner_skill *skill, size_t count) {
    json_t *fades = json_array();
    for (int day = 0; count > 0 && day <= LEARNER_AHEAD; day++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++) sum += skill[i].likely[day];
        json_array_append_new(fades, to_thousandths(sum / (double)count));
    }
    return fades;
}

/* ── mistakes ──────────────────────────────────────────────────────────────────────────────────*/
const char *session_mistake_name(const char *id) {
    size_t count;
    const struct account_mistake *known = account_mistakes(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(known[i].id, id) == 0) return known[i].name;
    return NULL;
}

static int by_times(const void *a, const void *b) {
    const struct review_mistake *x = a, *y = b;
    if (x->times != y->times) return x->times > y->times ? -1 : 1;
    return x->last != y->last ? (x->last > y->last ? -1 : 1) : strcmp(x->id, y->id);
}

/* Only those that the engine names: a record may hold any text. */
json_t *session_mistakes(const struct review_mastery *m, int64_t today) {
    size_t count = review_mastery_mistakes(m);
    struct review_mistake *made = base_alloc((count + 1) * sizeof *made);
    json_t *out = json_array();
    for (size_t i = 0; i < count; i++) made[i] = review_mastery_mistake(m, i);
    if (count > 0) qsort(made, count, sizeof *made, by_times);
    for (size_t i = 0; i < count; i++) {
        const char *name = session_mistake_name(made[i].id);
        if (!name) continue;
        json_array_append_new(
            out, json_pack("{ss ss si sI si sb}", "id", made[i].id, "name", name, "times",
                           made[i].times, "days_ago", (json_int_t)days_ago(made[i].last, today),
                           "since", made[i].since, "happens", review_mistake_happens(&made[i])));
    }
    free(made);
    return out;
}

/* ── days and phases ───────────────────────────────────────────────────────────────────────────*/
static json_t *days_json(const struct review_mastery *m, int64_t today) {
    size_t count;
    const struct review_studied *day = review_mastery_days(m, &count);
    json_t *out = json_array();
    for (size_t i = 0; i < count; i++) {
        char *date = session_date(day[i].day);
        json_array_append_new(out, json_pack("{ss sI si so}", "day", date, "days_ago",
                                             (json_int_t)days_ago(day[i].day, today), "answers",
                                             day[i].answers, "minutes",
                                             to_thousandths(day[i].seconds / 60)));
        free(date);
    }
    return out;
}

static json_t *phases_json(struct learner *who) {
    const struct lesson_course *c = session_learner_course(who);
    json_t *out = json_array();
    for (size_t i = 0; i < c->phases; i++)
        json_array_append_new(out, json_pack("{si ss sb}", "phase", (int)i + 1, "title",
                                             c->phase_title[i], "earned",
                                             session_learner_earned(who, i)));
    return out;
}

json_t *session_learner_study(struct learner *who) {
    const struct review_mastery *m = session_mastery(who);
    int64_t today = session_today(who);
    struct learner_skill *skill;
    size_t count = session_learner_skills(who, &skill);
    char *date = session_date(today);
    json_t *out = json_pack("{ss si so so so so so}", "today", date, "ahead", LEARNER_AHEAD,
                            "areas", areas_json(skill, count), "fades", fades_json(skill, count),
                            "mistakes", session_mistakes(m, today), "days", days_json(m, today),
                            "phases", phases_json(who));
    free(date);
    free(skill);
    return out;
}
