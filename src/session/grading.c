/* grading: what a class's hand-ins come to, together: who has whose numbers, and the grades as a
 * file. */
#include "session/grade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT = 1 };
/* A number is another learner's if it is as near to it as a rounded answer may be. If it is that of
 * more than one learner in COMMON, it is a common number and says nothing. Chance makes some fit:
 * listed are at least LEAST that lead to one learner, if they are one in SHARE of all. */
#define NEAR 0.005
enum { COMMON = 20, LEAST = 2, SHARE = 10 };

/* ── what can be earned ────────────────────────────────────────────────────────────────────────*/
static bool is_planned(const struct classroom_settings *s, const char *id) {
    char *item = base_format("%s/", id);
    bool planned = classroom_grades_item(s, item);
    free(item);
    return planned;
}

/* Adds the lesson with its graded steps; *items gets their ids. */
static void add_lesson(struct learner *who, size_t i, json_t *lessons, json_t *items) {
    const struct lesson_entry *e = &session_learner_course(who)->lesson[i];
    const struct loaded *l = session_learner_lesson(who, i);
    json_t *list = json_array();
    for (size_t k = 0; l && k < lesson_steps(l->lesson); k++) {
        const char *id = base_json_text(lesson_step(l->lesson, k), "id", "");
        if (!lesson_graded(l->lesson, k) || !lesson_step_counts(l->lesson, k)) continue;
        char *item = base_format("%s/%s", e->id, id);
        json_array_append_new(list, json_string(id));
        json_object_set_new(items, item, json_true());
        free(item);
    }
    json_array_append_new(lessons,
                          json_pack("{ss ss so}", "id", e->id, "title", e->title, "items", list));
}

static json_t *lessons_of(struct learner *who, const struct classroom_settings *s, json_t *items) {
    const struct lesson_course *c = session_learner_course(who);
    json_t *out = json_array();
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY && is_planned(s, c->lesson[i].id))
            add_lesson(who, i, out, items);
    return out;
}

/* ── whose numbers ─────────────────────────────────────────────────────────────────────────────*/
static int by_number(const void *a, const void *b) {
    const struct session_number *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

static size_t first_at(const struct session_number *all, size_t n, uint64_t key, double value) {
    size_t from = 0, to = n;
    struct session_number least = {.key = key, .value = value};
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (by_number(&all[middle], &least) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* How many others had this number right; whose it is first, in *who. */
static size_t count_owners(const struct session_number *all, size_t n,
                           const struct session_number *odd, uint32_t *who) {
    size_t owners = 0;
    for (size_t i = first_at(all, n, odd->key, odd->value * (1 - NEAR));
         i < n && all[i].key == odd->key && all[i].value <= odd->value * (1 + NEAR); i++) {
        if (all[i].who == odd->who) return 0;
        if (owners++ == 0) *who = all[i].who;
    }
    return owners;
}

/* whom a learner's odd numbers lead to */
struct lead {
    size_t times, first;
};

static size_t follow(const struct session_graded *g, const struct session_number *all, size_t n,
                     size_t learners, struct lead *lead, uint32_t *best) {
    size_t odd = 0;
    for (size_t i = 0; i < g->numbers; i++) {
        uint32_t who = 0;
        if (g->number[i].right) continue;
        odd++;
        size_t owners = count_owners(all, n, &g->number[i], &who);
        if (owners == 0 || owners > learners / COMMON + 1) continue;
        if (lead[who].times++ == 0) lead[who].first = g->number[i].answer;
        if (lead[who].times > lead[*best].times) *best = who;
    }
    return odd;
}

static void compare_learner(struct session_graded *graded, size_t at,
                            const struct session_number *all, size_t n, size_t learners,
                            struct lead *lead) {
    uint32_t best = 0;
    size_t odd = follow(&graded[at], all, n, learners, lead, &best);
    const struct lead *to = &lead[best];
    if (to->times < LEAST || to->times * SHARE < odd) return;
    session_grade_list(json_object_get(graded[at].says, "listed"), SESSION_DOUBT_OTHERS, to->first,
                       "%zu of %zu wrong answers that no mistake explains would be right for the "
                       "numbers of %s. The first is answer %zu",
                       to->times, odd, base_json_text(graded[best].says, "account", "?"),
                       to->first);
}

static void compare_all(struct session_graded *graded, size_t n) {
    size_t count = 0, learners = 0;
    for (size_t i = 0; i < n; i++) {
        count += graded[i].numbers;
        learners += graded[i].numbers > 0;
    }
    struct session_number *all = base_alloc((count + 1) * sizeof *all);
    count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < graded[i].numbers; k++) {
            graded[i].number[k].who = (uint32_t)i;
            if (graded[i].number[k].right) all[count++] = graded[i].number[k];
        }
    if (count) qsort(all, count, sizeof *all, by_number);
    struct lead *lead = base_alloc((n + 1) * sizeof *lead);
    for (size_t i = 0; i < n; i++) {
        memset(lead, 0, n * sizeof *lead);
        compare_learner(graded, i, all, count, learners, lead);
    }
    free(lead);
    free(all);
}

/* ── one learner, told ─────────────────────────────────────────────────────────────────────────*/
/* The points of each lesson, from those of its items. */
static json_t *lesson_points(const json_t *lessons, const json_t *items) {
    json_t *out = json_array();
    const json_t *lesson, *item;
    size_t i, k;
    json_array_foreach(lessons, i, lesson) {
        const char *id = base_json_text(lesson, "id", "");
        size_t n = strlen(id), of = json_array_size(json_object_get(lesson, "items"));
        double points = 0;
        int late = 0;
        json_array_foreach(items, k, item) {
            const char *of_item = base_json_text(item, "item", "");
            if (strncmp(of_item, id, n) != 0 || of_item[n] != '/') continue;
            points += base_json_number(item, "points", 0);
            late += base_json_int(item, "late", 0) > 0;
        }
        json_array_append_new(out, json_pack("{ss sf sI si}", "id", id, "points", points, "of",
                                             (json_int_t)of, "late", late));
    }
    return out;
}

/* What collect listed of this hand-in. */
static void list_collected(const json_t *collected, const json_t *accounts, const char *hex,
                           json_t *says) {
    const json_t *known = json_object_get(collected, hex), *gone;
    const char *account = base_json_text(known, "account", ""),
               *other = classroom_collected_other(accounts, account, hex);
    json_t *listed = json_object_get(says, "listed");
    size_t i;
    json_array_foreach(json_object_get(known, "gone"), i, gone)
        session_grade_list(listed, SESSION_DOUBT_GONE, 0, "%s", base_json_text(gone, "says", ""));
    if (other)
        session_grade_list(listed, SESSION_DOUBT_TWICE, 0,
                           "its answers are graded together with those of %s", other);
}

static int by_account(const void *a, const void *b) {
    const struct session_graded *x = a, *y = b;
    int order =
        strcmp(base_json_text(x->says, "account", ""), base_json_text(y->says, "account", ""));
    return order ? order
                 : strcmp(base_json_text(x->says, "handin", ""),
                          base_json_text(y->says, "handin", ""));
}

static json_t *learners_of(const struct session_grader *g, const json_t *lessons,
                           struct session_graded *graded, size_t n) {
    json_t *all = json_array(), *accounts = classroom_collected_accounts(g->collected);
    if (n) qsort(graded, n, sizeof *graded, by_account);
    for (size_t k = 0; k < n; k++) {
        json_t *says = graded[k].says;
        list_collected(g->collected, accounts, base_json_text(says, "handin", ""), says);
        json_array_append(all, says);
    }
    json_t *out = session_together(g->s, all), *learner;
    size_t i;
    json_array_foreach(out, i, learner) {
        json_object_set_new(learner, "lessons",
                            lesson_points(lessons, json_object_get(learner, "items")));
    }
    json_decref(accounts);
    json_decref(all);
    return out;
}

/* ── all of it ─────────────────────────────────────────────────────────────────────────────────*/
static json_t *grade_names(struct session_grader *g, const json_t *lessons,
                           const struct session_grading_limits *limits) {
    size_t n = 0, room = json_object_size(g->collected);
    const char **name = base_alloc((room + 1) * sizeof *name), *hex;
    struct session_graded *graded = base_alloc((room + 1) * sizeof *graded);
    json_t *known;
    json_object_foreach((json_t *)g->collected, hex, known) name[n++] = hex;
    session_grade_farm(g, limits, name, n, graded);
    compare_all(graded, n);
    json_t *learners = learners_of(g, lessons, graded, n);
    for (size_t i = 0; i < n; i++) {
        json_decref(graded[i].says);
        free(graded[i].number);
    }
    free(graded);
    free(name);
    return learners;
}

static json_t *grade_with(struct learner *who, struct session_grader *g,
                          const struct session_grading_limits *limits, struct base_message *m) {
    json_t *items = json_object(), *lessons = lessons_of(who, g->s, items);
    char course[HASH_HEX];
    g->items = items;
    g->judge = session_judge_open(who);
    session_course_hash(who, course);
    json_t *learners = grade_names(g, lessons, limits), *learner;
    char mark[HASH_HEX];
    json_int_t answers = 0;
    session_grades_mark(g->collected, mark);
    size_t i;
    json_array_foreach(learners, i, learner) answers += base_json_int(learner, "answers", 0);
    json_t *out = json_pack("{ss si ss ss sI ss ss sI so so}", "zerotutor", "grades", "format",
                            FORMAT, "class", g->s->id, "name", g->s->name, "at",
                            (json_int_t)base_now(), "course", course, "collected", mark, "answers",
                            answers, "lessons", lessons, "learners", learners);
    session_judge_close(g->judge);
    json_decref(items);
    if (session_grades_write(g->f, CLASSROOM_KEPT, SESSION_GRADES, 0600, out, m) &&
        session_feedback_give(g->f, g->s, out, NULL, m))
        return out;
    json_decref(out);
    return NULL;
}

json_t *session_class_grade(const struct classroom_folder *f, const struct classroom_settings *s,
                            const struct session_grading_limits *limits, struct base_message *m) {
    json_t *collected = classroom_collected(f, m), *out = NULL;
    if (collected && json_object_size(collected) == 0) {
        base_fail_at(m, classroom_path(f), 0,
                     "nothing was collected yet: run `zerotutor class collect` first");
        json_decref(collected);
        return NULL;
    }
    struct learner *who = collected ? session_learner_open_course(m) : NULL;
    struct session_grader g = {.f = f, .s = s, .collected = collected, .known = json_object()};
    if (who) out = grade_with(who, &g, limits, m);
    if (who) session_learner_close(who);
    json_decref(g.known);
    json_decref(collected);
    return out;
}
