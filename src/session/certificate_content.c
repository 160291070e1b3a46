/* certificate_content: which skills the answers show, which checks and which memo passed, which
 * answers were left out, and which conditions are not met yet. It is derived from answers alone. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

static void add_missing(json_t *missing, const char *next, char *what) {
    json_array_append_new(missing, json_pack("{ss ss}", "what", what, "next", next));
    free(what);
}

/* ── skills ────────────────────────────────────────────────────────────────────────────────────*/
/* Sums up what stands with the skills of an area: tries with a hint, and the day of the last. */
static void complete_area(json_t *area, int64_t today) {
    int64_t helped = 0, days = INT64_MAX;
    size_t i;
    const json_t *skill;
    json_array_foreach(json_object_get(area, "skills"), i, skill) {
        int64_t ago = base_json_int(skill, "days_ago", 0);
        helped += base_json_int(skill, "helped", 0);
        if (ago < days) days = ago;
    }
    json_object_set_new(area, "helped", json_integer(helped));
    char *last = session_date(today - days);
    json_object_set_new(area, "last", json_string(last));
    free(last);
}

/* The certificate is earned by area, not by skill. A learner cannot ask for a skill: reviews ask
 * problems again, with other numbers, and so reach a skill by chance, but every area. */
static json_t *areas(struct learner *who, const struct session_shown *s, json_t *missing) {
    json_t *areas = session_areas(who, s->fold, s->today), *area;
    const json_t *lowest = NULL;
    size_t i, weak = 0;
    json_array_foreach(areas, i, area) {
        double today = base_json_number(area, "today", 0);
        complete_area(area, s->today);
        weak += today < SESSION_WEAK;
        if (!lowest || today < base_json_number(lowest, "today", 0)) lowest = area;
    }
    if (!lowest)
        add_missing(missing, "zerotutor", base_dup("No problem was answered yet."));
    else if (weak > 0)
        add_missing(missing, "zerotutor review",
                    base_format("In %zu of %zu areas the chance to be right at once is below 70%% "
                                "today. The lowest is %s, %d%%.",
                                weak, json_array_size(areas), base_json_text(lowest, "area", ""),
                                base_percent(base_json_number(lowest, "today", 0))));
    return areas;
}

/* From the first day to the last on which a skill was shown. */
static void put_days(json_t *says, const struct review_mastery *fold) {
    int64_t from = INT64_MAX, to = INT64_MIN;
    for (size_t i = 0; i < review_mastery_skills(fold); i++) {
        const struct review_skill *k = review_mastery_skill(fold, i);
        if (k->tries > 0 && k->first < from) from = k->first;
        if (k->tries > 0 && k->last > to) to = k->last;
    }
    if (from > to) return;
    char *first = session_date(from), *last = session_date(to);
    json_object_set_new(says, "from", json_string(first));
    json_object_set_new(says, "to", json_string(last));
    free(first);
    free(last);
}

/* Of the mistakes that no longer happen, the one that was made most. */
static json_t *outgrown(const struct session_shown *s) {
    json_t *all = session_mistakes(s->fold, s->today), *found = NULL;
    for (size_t i = 0; i < json_array_size(all) && !found; i++)
        if (!base_json_bool(json_array_get(all, i), "happens", true))
            found = json_incref(json_array_get(all, i));
    json_decref(all);
    return found ? found : json_null();
}

/* ── checks ────────────────────────────────────────────────────────────────────────────────────*/
enum { ROUNDS = 1000 };
struct rounds {
    size_t right[ROUNDS];
};

static bool is_right(const char *verdict) {
    return strcmp(verdict, "right") == 0 || strcmp(verdict, "rounded") == 0;
}

static void count_round(void *to, const struct lesson_answer *a) {
    struct rounds *r = to;
    if (!*a->line && a->try > 0 && a->try < ROUNDS) r->right[a->try] += is_right(a->verdict);
}

/* Adds the answers to the check's problems that are of this lesson; how many it has. */
static size_t count_lesson(const struct lesson_journal *j, const char *check,
                           const struct lesson *l, struct rounds *r) {
    size_t problems = 0;
    for (size_t i = 0; i < lesson_steps(l); i++) {
        if (lesson_step_kind(l, i) != LESSON_PROBLEM) continue;
        char *item = base_format("%s/%s-%s", check, lesson_id(l),
                                 base_json_text(lesson_step(l, i), "id", ""));
        j->answers(j->self, item, count_round, r, NULL);
        problems++;
        free(item);
    }
    return problems;
}

static bool is_passed(struct learner *who, const struct session_shown *s, size_t check) {
    const struct lesson_course *c = session_learner_course(who);
    struct rounds *r = base_alloc(sizeof *r);
    size_t problems = 0, best = 0;
    for (size_t i = 0; i < c->lessons; i++) {
        const struct loaded *l =
            c->lesson[i].phase == c->lesson[check].phase && c->lesson[i].kind == LESSON_ORDINARY
                ? session_learner_lesson(who, i)
                : NULL;
        if (l) problems += count_lesson(&s->journal, c->lesson[check].id, l->lesson, r);
    }
    for (size_t i = 0; i < ROUNDS; i++)
        if (r->right[i] > best) best = r->right[i];
    free(r);
    return lesson_check_passes(best, problems < LESSON_CHECK_ASKS ? problems : LESSON_CHECK_ASKS);
}

static json_t *phases(struct learner *who, const struct session_shown *s, json_t *missing) {
    const struct lesson_course *c = session_learner_course(who);
    json_t *out = json_array();
    for (size_t i = 0; i < c->lessons; i++) {
        if (c->lesson[i].kind != LESSON_CHECK || !session_learner_exists(who, i)) continue;
        size_t phase = (size_t)c->lesson[i].phase;
        bool earned = is_passed(who, s, i);
        json_array_append_new(out, json_pack("{si ss sb}", "phase", (int)phase + 1, "title",
                                             c->phase_title[phase], "earned", earned));
        if (earned) continue;
        char *next = base_format("zerotutor learn %s", c->lesson[i].id);
        add_missing(missing, next,
                    base_format("Phase %zu, %s: its check is not passed.", phase + 1,
                                c->phase_title[phase]));
        free(next);
    }
    return out;
}

/* ── the memo ──────────────────────────────────────────────────────────────────────────────────*/
struct passed {
    uint64_t seed;
    json_t *memo;
};

/* How often it quotes a run of the lab, as "[run 12: peak 1.83 GB]". */
static int count_quotes(const char *text) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, "[run ")); at += 5) n++;
    return n;
}

static json_t *describe_memo(const struct memo_report *r, const char *text) {
    struct base_text line = {0};
    char name[160];
    const struct memo_config *decision = &r->config[MEMO_THE_DECISION];
    memo_scenario_write(&r->config[MEMO_THE_SCENARIO].is, &line);
    session_job_name(line.s, name, sizeof name);
    base_text_free(&line);
    return json_pack("{ss si sI si}", "case", name, "stage", (int)decision->is.training.stage,
                     "claims", (json_int_t)(r->kinds[MEMO_RIGHT] + r->kinds[MEMO_ROUNDED]), "runs",
                     count_quotes(text));
}

/* The latest that passes when it is checked again. */
static void read_memo(void *to, const struct lesson_answer *a) {
    struct passed *p = to;
    struct memo_report r;
    struct memo_context context = {.course = true};
    if (*a->line || !*a->typed || !base_json_bool(a->problem, "passes", false)) return;
    if (memo_read(a->typed, strlen(a->typed), &context, &r, NULL) &&
        lesson_memo_passes(&r, a, p->seed)) {
        json_decref(p->memo);
        p->memo = describe_memo(&r, a->typed);
    }
    memo_free(&r);
}

static json_t *memo(struct learner *who, const struct session_shown *s, json_t *missing) {
    const struct lesson_course *c = session_learner_course(who);
    struct passed p = {.seed = s->seed};
    for (size_t i = 0; i < c->lessons; i++) {
        const struct loaded *l = session_learner_lesson(who, i);
        for (size_t k = 0; l && k < lesson_steps(l->lesson); k++) {
            if (lesson_step_kind(l->lesson, k) != LESSON_MEMO) continue;
            char *item = base_format("%s/%s", c->lesson[i].id,
                                     base_json_text(lesson_step(l->lesson, k), "id", ""));
            char *next = base_format("zerotutor learn %s", c->lesson[i].id);
            s->journal.answers(s->journal.self, item, read_memo, &p, NULL);
            if (!p.memo) add_missing(missing, next, base_dup("No memo has passed."));
            free(next);
            free(item);
        }
    }
    return p.memo ? p.memo : json_null();
}

/* ── what was left out ─────────────────────────────────────────────────────────────────────────*/
static json_t *skipped(struct learner *who, const struct session_shown *s) {
    const struct lesson_course *c = session_learner_course(who);
    json_t *out = json_array();
    for (size_t i = 0; i < c->lessons; i++) {
        const struct loaded *l = session_learner_lesson(who, i);
        int left = 0, all = 0;
        for (size_t k = 0; l && k < lesson_steps(l->lesson); k++) {
            if (!lesson_step_counts(l->lesson, k)) continue;
            char *item = base_format("%s/%s", c->lesson[i].id,
                                     base_json_text(lesson_step(l->lesson, k), "id", ""));
            left += !s->answered(s->journal.self, item);
            free(item);
            all++;
        }
        if (left > 0)
            json_array_append_new(
                out, json_pack("{ss si si}", "lesson", c->lesson[i].id, "left", left, "of", all));
    }
    return out;
}

/* ── the whole ─────────────────────────────────────────────────────────────────────────────────*/
/* Under a clock that was set back today is the day of the last answer. */
static int64_t latest(const struct session_shown *s) {
    int64_t day = s->today;
    for (size_t i = 0; i < review_mastery_skills(s->fold); i++)
        if (review_mastery_skill(s->fold, i)->last > day)
            day = review_mastery_skill(s->fold, i)->last;
    return day;
}

json_t *session_says(struct learner *who, const struct session_shown *shown) {
    struct session_shown now = *shown, *s = &now;
    json_t *missing = json_array(), *says = json_object();
    now.today = latest(shown);
    char *today = session_date(s->today);
    json_object_set_new(says, "today", json_string(today));
    put_days(says, s->fold);
    json_object_set_new(says, "phases", phases(who, s, missing));
    json_object_set_new(says, "areas", areas(who, s, missing));
    json_object_set_new(says, "memo", memo(who, s, missing));
    json_object_set_new(says, "skipped", skipped(who, s));
    json_object_set_new(says, "outgrown", outgrown(s));
    json_object_set_new(says, "earned", json_boolean(json_array_size(missing) == 0));
    json_object_set_new(says, "missing", missing);
    free(today);
    return says;
}
