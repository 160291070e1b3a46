/* progress: how far the learner is, from the record alone: no lesson is run for it. */
#include "sitting/inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LESSONS = BASE_COUNT(((struct study_course *)0)->lesson) };

char *desk_kept(struct desk *d, const char *what, const char *lesson) {
    char *name = base_format("%s/%s", what, lesson), *value = store_setting(desk_store(d), name);
    free(name);
    return value;
}

size_t desk_graded(struct desk *d, const char *lesson) {
    char *count = desk_kept(d, "graded", lesson);
    size_t graded = count ? strtoul(count, NULL, 10) : 0;
    free(count);
    return graded;
}

/* 1-based place of a word in a text of words; 0 if it is not there. */
static int word_number(const char *words, const char *word) {
    size_t n = strlen(word);
    int number = 1;
    for (const char *w = words; *w; number++) {
        size_t length = strcspn(w, " ");
        if (length == n && memcmp(w, word, n) == 0) return number;
        w += length;
        w += strspn(w, " ");
    }
    return 0;
}

/* ── problems and how many are right ─────────────────────────────────────────────────────────────*/
struct counting {
    const char *outline, *item; /* NULL: any */
    size_t answered, right;
};

/* A lesson's own problems: those on its way. */
static bool counts(const struct counting *c, const char *item) {
    if (c->item) return strcmp(item, c->item) == 0;
    const char *slash = strrchr(item, '/');
    return !c->outline || !slash || word_number(c->outline, slash + 1) > 0;
}

static void count_item(void *to, const struct store_item *i) {
    struct counting *c = to;
    if (i->answers == 0 || !counts(c, i->item)) return; /* only noted, or of a review */
    c->answered++;
    c->right += i->last && (strcmp(i->last, "right") == 0 || strcmp(i->last, "rounded") == 0);
}

static void count_lesson(struct desk *d, const char *id, const char *outline,
                         struct desk_progress *p) {
    struct counting c = {.outline = outline};
    char *prefix = base_format("%s/", id);
    store_items(desk_store(d), prefix, count_item, &c, NULL);
    free(prefix);
    p->right = c.right;
    p->graded = desk_graded(d, id);
    if (c.answered > p->graded) p->graded = c.answered; /* it was taken before that was kept */
}

/* ── what was skipped ────────────────────────────────────────────────────────────────────────────*/
enum { ASKED_MOST = 200 }; /* as many steps as a lesson may have */
struct asked {
    const char *ids; /* of the steps that must be answered, a blank between */
    bool answered[ASKED_MOST];
};

static void cross_off(void *to, const char *item, int64_t latest) {
    struct asked *a = to;
    const char *slash = strrchr(item, '/');
    int number = slash ? word_number(a->ids, slash + 1) : 0;
    (void)latest;
    if (number > 0 && number <= ASKED_MOST) a->answered[number - 1] = true;
}

/* What a lesson asks. A record from before that was kept does not say: then the lesson is run for it, once. The caller's; NULL if it cannot be
 * known. */
static char *asked_of(struct desk *d, size_t i) {
    const char *id = desk_course(d)->lesson[i].id;
    char *ids = desk_kept(d, "asked", id);
    const struct loaded *l = ids ? NULL : desk_lesson(d, i);
    if (!l) return ids;
    desk_keep_asked(d, l->lesson);
    return desk_kept(d, "asked", id);
}

/* False if it is not known what the lesson asks. */
static bool count_skipped(struct desk *d, size_t i, struct desk_progress *p) {
    char *ids = asked_of(d, i), *prefix = base_format("%s/", desk_course(d)->lesson[i].id);
    struct asked a = {.ids = ids};
    bool known = ids && store_answered(desk_store(d), prefix, cross_off, &a, NULL);
    size_t number = 0;
    for (char *rest = ids, *id; known && (id = strsep(&rest, " ")) && number < ASKED_MOST;) {
        if (!*id || a.answered[number++]) continue;
        if (p->skipped++ == 0) snprintf(p->skip, sizeof p->skip, "%s", id);
    }
    free(prefix);
    free(ids);
    return known;
}

/* ── reviews ─────────────────────────────────────────────────────────────────────────────────────*/
struct since {
    const char *item;
    int64_t answer; /* what was answered later counts */
    bool answered;
};

static void see_answer(void *to, const char *item, int64_t latest) {
    struct since *s = to;
    s->answered |= strcmp(item, s->item) == 0 && latest > s->answer;
}

/* A review's problems are kept under their own items: "2/1.3/one-stage" in its outline is 1.3/one-stage. The last word is its last page. */
static void count_review(struct desk *d, const char *id, char *outline, struct desk_progress *p) {
    char *since = desk_kept(d, "since", id);
    int64_t began = since ? strtoll(since, NULL, 10) : 0;
    p->graded = desk_graded(d, id);
    for (char *word; (word = strsep(&outline, " ")) && outline;) {
        const char *slash = strchr(word, '/');
        struct counting c = {.item = slash ? slash + 1 : ""};
        struct since s = {.item = c.item, .answer = began};
        store_items(desk_store(d), c.item, count_item, &c, NULL);
        store_answered(desk_store(d), c.item, see_answer, &s, NULL);
        p->right += c.right;
        p->skipped += !s.answered;
    }
    free(since);
}

static void count_check(struct desk *d, const char *id, struct desk_progress *p) {
    struct desk_check check = desk_check(d, id);
    p->graded = check.asked;
    p->right = check.right;
    p->standing = check.passed ? DESK_DONE : p->under_way ? DESK_BEGUN : DESK_FAILED;
}

/* ── of one lesson ───────────────────────────────────────────────────────────────────────────────*/
bool desk_exists(const struct desk *d, size_t i) {
    const struct study_course *c = desk_course(d);
    if (c->lesson[i].kind == STUDY_LESSON) return c->lesson[i].file != NULL;
    for (size_t k = 0; k < c->lessons; k++)
        if (c->lesson[k].phase == c->lesson[i].phase && c->lesson[k].file) return true;
    return false;
}

/* Whether it was left between its beginning and its end. A finished lesson may be in the middle of it once more, and that is none. */
static bool is_under_way(const struct study_course_lesson *l, const char *step, bool finished) {
    bool over = false;
    if (l->kind == STUDY_LESSON) return *step && !finished;
    return study_mix_round(step, &over) > 0 && !over;
}

static void count(struct desk *d, size_t i, char *outline, struct desk_progress *p) {
    const struct study_course_lesson *l = &desk_course(d)->lesson[i];
    if (l->kind == STUDY_CHECK) {
        count_check(d, l->id, p);
        return;
    }
    bool known = true;
    if (l->kind == STUDY_LESSON) count_lesson(d, l->id, outline, p);
    if (l->kind == STUDY_LESSON && p->through) known = count_skipped(d, i, p);
    if (l->kind == STUDY_REVIEW && outline) count_review(d, l->id, outline, p);
    p->standing = p->under_way || !p->through || !known ? DESK_BEGUN
                  : p->skipped                          ? DESK_SKIPPED
                                                        : DESK_DONE;
}

struct desk_progress desk_progress(struct desk *d, size_t i) {
    assert(i < desk_course(d)->lessons);
    const struct study_course_lesson *l = &desk_course(d)->lesson[i];
    struct desk_progress p = {.exists = desk_exists(d, i)};
    struct study_journal journal = store_journal(desk_store(d));
    struct study_place place = {0};
    if (!journal.place_get(journal.self, l->id, &place, NULL)) return p;
    p.through = place.finished;
    p.opened = place.finished || *place.step;
    p.under_way = is_under_way(l, place.step, place.finished);
    memcpy(p.step, place.step, sizeof p.step);
    if (!p.opened) return p;
    char *outline = desk_kept(d, "outline", l->id);
    p.step_number = outline && *p.step ? word_number(outline, p.step) : 0;
    count(d, i, outline, &p);
    free(outline);
    return p;
}

/* ── the next one ────────────────────────────────────────────────────────────────────────────────*/
struct candidate { /* for the next lesson */
    struct desk *desk;
    int64_t when;
    size_t latest;        /* under way, and opened last */
    bool passed[LESSONS]; /* its phase's check was passed */
    bool done[LESSONS];   /* gone through, or passed: nothing to go on with */
    int furthest;         /* the last phase of which anything was opened */
};

static void weigh_place(void *to, const struct store_place *p) {
    struct candidate *c = to;
    const struct study_course *course = desk_course(c->desk);
    size_t i = desk_find(c->desk, p->lesson);
    if (i == course->lessons || !desk_exists(c->desk, i)) return;
    const struct study_course_lesson *l = &course->lesson[i];
    c->done[i] = l->kind == STUDY_CHECK ? c->passed[i] : p->finished;
    if (l->phase > c->furthest) c->furthest = l->phase;
    if (!is_under_way(l, p->step, p->finished) || c->passed[i] || p->when < c->when) return;
    c->when = p->when;
    c->latest = i;
}

/* Whoever went on to a later phase is not called back to the review and the check of an earlier one. */
static bool is_next(const struct candidate *c, size_t i, bool passed_too) {
    const struct study_course_lesson *l = &desk_course(c->desk)->lesson[i];
    bool left_out = l->kind != STUDY_LESSON && (passed_too || l->phase < c->furthest);
    return desk_exists(c->desk, i) && !c->done[i] && !left_out && (passed_too || !c->passed[i]);
}

/* The first lesson of which something was skipped. */
static size_t next_skipped(struct desk *d) {
    const struct study_course *c = desk_course(d);
    size_t i = 0;
    while (i < c->lessons && !(c->lesson[i].kind == STUDY_LESSON && desk_exists(d, i) &&
                               desk_progress(d, i).standing == DESK_SKIPPED))
        i++;
    return i;
}

size_t desk_next(struct desk *d) {
    const struct study_course *course = desk_course(d);
    struct candidate c = {.desk = d, .when = INT64_MIN, .latest = course->lessons};
    for (size_t i = 0; i < course->lessons; i++)
        c.passed[i] = desk_passed(d, (size_t)course->lesson[i].phase);
    store_places(desk_store(d), weigh_place, &c, NULL);
    if (c.latest < course->lessons) return c.latest;
    for (int passed_too = 0; passed_too < 2; passed_too++)
        for (size_t i = 0; i < course->lessons; i++)
            if (is_next(&c, i, passed_too)) return i;
    return next_skipped(d);
}
