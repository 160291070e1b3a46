/* progress: how far the learner is and what comes next, from the record alone: no lesson is run for
 * it. */
#include "session/inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LESSONS = BASE_COUNT(((struct lesson_course *)0)->lesson), STEPS_MOST = LEARNER_STEPS_MOST };

/* ── texts of words ──────────────────────────────────────────────────────────────────────────────
 * Outlines and what is asked are ids with a blank between, kept in the record. Records come from
 * elsewhere too: so that many rows cost little each, the words are put in order once and looked up
 * there, and no more are taken than a lesson may have steps. */
struct word {
    const char *id;
    /* its place in the text, from 0 */
    size_t number;
};
struct words {
    struct word word[STEPS_MOST];
    size_t count;
};

static int by_id(const void *a, const void *b) {
    const struct word *x = a, *y = b;
    return strcmp(x->id, y->id);
}

static void add_word(struct words *w, const char *id) {
    if (!*id || w->count == STEPS_MOST) return;
    w->word[w->count] = (struct word){.id = id, .number = w->count};
    w->count++;
}

static void sort_words(struct words *w) {
    qsort(w->word, w->count, sizeof *w->word, by_id);
}

/* Cuts the text up, which must stay as long as its words. */
static void read_words(struct words *w, char *text) {
    for (char *id; w->count < STEPS_MOST && (id = strsep(&text, " "));) add_word(w, id);
    sort_words(w);
}

/* Whether it is the same as the word before it. */
static bool is_repeated(const struct words *w, size_t i) {
    return i > 0 && strcmp(w->word[i].id, w->word[i - 1].id) == 0;
}

/* ── problems and how many are right ───────────────────────────────────────────────────────────*/
struct counting {
    size_t answered, right, right_first;
};

static void count_item(void *to, const struct store_item *i) {
    struct counting *c = to;
    c->answered++;
    c->right_first += i->right_first;
    c->right += i->last && (strcmp(i->last, "right") == 0 || strcmp(i->last, "rounded") == 0);
}

/* The items that begin with `prefix` and end in one of the words. */
static struct counting count_words(struct learner *who, const char *prefix, const struct words *w) {
    struct counting c = {0};
    for (size_t i = 0; i < w->count; i++) {
        char *item = base_format("%s%s", prefix, w->word[i].id);
        struct lesson_ends ends = {0};
        if (!is_repeated(w, i)) ends = store_item_ends(session_learner_store(who), item);
        c.answered += ends.answered;
        c.right += ends.right_last;
        c.right_first += ends.right_first;
        free(item);
    }
    return c;
}

/* Where the outline is not known all problems count: else those on the lesson's way, without those
 * of reviews. */
static void count_lesson(struct learner *who, const char *id, const struct words *outline,
                         struct learner_progress *p) {
    struct counting c = {0};
    char *prefix = base_format("%s/", id);
    if (outline)
        c = count_words(who, prefix, outline);
    else
        store_items(session_learner_store(who), prefix, count_item, &c, NULL);
    free(prefix);
    p->right = c.right;
    p->right_first = c.right_first;
    p->graded = session_learner_graded(who, id);
    if (c.answered > p->graded) p->graded = c.answered; /* it was taken before that was kept */
}

/* ── what was skipped ──────────────────────────────────────────────────────────────────────────*/
/* What a lesson asks. A record from before that was kept does not say: then the lesson is run for
 * it, once. The caller's; NULL if it cannot be known. */
static char *asked_of(struct learner *who, size_t i) {
    const char *id = session_learner_course(who)->lesson[i].id;
    char *ids = session_learner_kept(who, "asked", id);
    const struct loaded *l = ids ? NULL : session_learner_lesson(who, i);
    if (!l) return ids;
    session_learner_keep_asked(who, l->lesson);
    return session_learner_kept(who, "asked", id);
}

/* False if it is not known what the lesson asks. */
static bool count_skipped(struct learner *who, size_t i, struct learner_progress *p) {
    char *ids = asked_of(who, i);
    bool known = ids != NULL;
    struct words asked = {0};
    read_words(&asked, ids);
    const struct word *first = NULL;
    for (const struct word *w = asked.word; known && w < asked.word + asked.count; w++) {
        char *item = base_format("%s/%s", session_learner_course(who)->lesson[i].id, w->id);
        bool met = store_was_answered(session_learner_store(who), item, 0);
        free(item);
        if (met) continue;
        if (!first || w->number < first->number) first = w;
        p->skipped++;
    }
    if (first) snprintf(p->skip, sizeof p->skip, "%s", first->id);
    free(ids);
    return known;
}

/* ── reviews ───────────────────────────────────────────────────────────────────────────────────*/
/* A review's problems are kept under their own items: "2/1.3/one-stage" in its outline is
 * 1.3/one-stage. The last word is its last page. */
static void read_items(struct words *items, char *outline) {
    for (char *word; items->count < STEPS_MOST && (word = strsep(&outline, " ")) && outline;) {
        const char *slash = strchr(word, '/');
        if (slash) add_word(items, slash + 1);
    }
    sort_words(items);
}

/* False if it is not known what it asks, or since when: answers given in the lessons themselves are
 * none in it. */
static bool count_review(struct learner *who, const char *id, char *outline,
                         struct learner_progress *p) {
    struct words items = {0};
    read_items(&items, outline);
    int64_t since;
    bool known = session_learner_kept_count(who, "since", id, &since) && items.count > 0;
    struct counting c = count_words(who, "", &items);
    p->graded = session_learner_graded(who, id);
    p->right = c.right;
    p->right_first = c.right_first;
    for (size_t i = 0; known && i < items.count; i++)
        p->skipped += !store_was_answered(session_learner_store(who), items.word[i].id, since);
    return known;
}

/* Whether anything of a lesson or a phase's review was answered, in the course as it is. */
static bool has_learnt(struct learner *who) {
    const struct lesson_course *c = session_learner_course(who);
    bool any = false;
    for (size_t i = 0; i < c->lessons && !any; i++) {
        if (c->lesson[i].kind == LESSON_CHECK) continue;
        char *prefix = base_format("%s/", c->lesson[i].id);
        any = store_has_items(session_learner_store(who), prefix);
        free(prefix);
    }
    return any;
}

/* Whether a check was opened last by the placement, which is over once something was learnt. */
static bool is_asked(struct learner *who, const char *check) {
    char *places = session_learner_kept(who, "places", check);
    bool is = places && *places && !has_learnt(who);
    free(places);
    return is;
}

static void count_check(struct learner *who, size_t i, struct learner_progress *p) {
    const char *id = session_learner_course(who)->lesson[i].id;
    struct learner_check check = session_learner_check(who, i);
    p->graded = check.asked;
    p->right = p->right_first = check.right; /* a round asks each of them once */
    p->standing = check.passed        ? LEARNER_DONE
                  : !p->under_way     ? LEARNER_FAILED
                  : is_asked(who, id) ? LEARNER_ASKED
                                      : LEARNER_BEGUN;
}

/* ── of one lesson ─────────────────────────────────────────────────────────────────────────────*/

/* Whether it was left between its beginning and its end. A finished lesson may be in the middle of
 * it once more, and that is none. */
static bool is_under_way(const struct lesson_entry *l, const char *step, bool finished) {
    bool over = false;
    if (l->kind == LESSON_ORDINARY) return *step && !finished;
    return lesson_mix_round(step, &over) > 0 && !over;
}

/* A learner who passed a phase's check knows its lessons, even with questions skipped in them. */
static bool is_earned(struct learner *who, const struct lesson_entry *l) {
    return l->kind == LESSON_ORDINARY && session_learner_passed(who, (size_t)l->phase);
}

/* `outline`: its words, cut up here; NULL if they are not known. */
static void count(struct learner *who, size_t i, char *outline, struct learner_progress *p) {
    const struct lesson_entry *l = &session_learner_course(who)->lesson[i];
    struct words words = {0};
    bool known = true;
    if (l->kind == LESSON_CHECK) {
        count_check(who, i, p);
        return;
    }
    if (l->kind == LESSON_REVIEW)
        known = count_review(who, l->id, outline, p);
    else {
        read_words(&words, outline);
        count_lesson(who, l->id, outline ? &words : NULL, p);
        known = !p->through || count_skipped(who, i, p);
    }
    p->standing = p->under_way || !p->through || !known  ? LEARNER_BEGUN
                  : p->skipped > 0 && !is_earned(who, l) ? LEARNER_SKIPPED
                                                         : LEARNER_DONE;
}

int session_word_number(const char *words, const char *word) {
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

struct learner_progress session_learner_progress(struct learner *who, size_t i) {
    assert(i < session_learner_course(who)->lessons);
    const struct lesson_entry *l = &session_learner_course(who)->lesson[i];
    struct learner_progress p = {.exists = session_learner_exists(who, i)};
    struct lesson_journal journal = store_journal(session_learner_store(who));
    struct lesson_place place = {0};
    if (!journal.place_get(journal.self, l->id, &place, NULL)) return p;
    p.through = place.finished;
    p.opened = place.finished || *place.step;
    p.under_way = is_under_way(l, place.step, place.finished);
    memcpy(p.step, place.step, sizeof p.step);
    if (!p.opened) return p;
    char *outline = session_learner_kept(who, "outline", l->id);
    p.step_number = outline && *p.step ? session_word_number(outline, p.step) : 0;
    count(who, i, outline, &p);
    free(outline);
    return p;
}

/* ── the next one ──────────────────────────────────────────────────────────────────────────────*/
/* Whether a review or a check was opened but none of its problems was passed, or the placement
 * asks it: no reason to send the learner there before the phase's lessons. */
static bool is_only_opened(struct learner *who, size_t i) {
    struct learner_progress p = session_learner_progress(who, i);
    return session_learner_course(who)->lesson[i].kind != LESSON_ORDINARY &&
           (p.step_number <= 1 || p.standing == LEARNER_ASKED);
}

/* Whether a lesson that was gone through was left on its last page, not in the middle of it once
 * more. */
static bool is_at_end(struct learner *who, size_t i, const struct store_place *p) {
    const struct lesson_entry *l = &session_learner_course(who)->lesson[i];
    bool over = false;
    if (l->kind != LESSON_ORDINARY) return lesson_mix_round(p->step, &over) > 0 && over;
    char *outline = session_learner_kept(who, "outline", l->id);
    const char *last = outline ? strrchr(outline, ' ') : NULL;
    bool ends = p->finished && last && strcmp(last + 1, p->step) == 0;
    free(outline);
    return ends;
}

/* The one that the learner was in last, of those that are under way or of those at their end. */
struct latest {
    size_t lesson;
    int64_t when;
};

/* for the next lesson */
struct candidate {
    struct learner *learner;
    struct latest begun, ended;
    /* its phase's check was passed */
    bool passed[LESSONS];
    /* gone through, or passed: nothing to go on with */
    bool done[LESSONS];
    /* the last phase of which anything was opened */
    int furthest;
};

static void weigh_place(void *to, const struct store_place *p) {
    struct candidate *c = to;
    const struct lesson_course *course = session_learner_course(c->learner);
    size_t i = session_learner_find_id(c->learner, p->lesson, strlen(p->lesson));
    if (i == course->lessons || !session_learner_exists(c->learner, i)) return;
    const struct lesson_entry *l = &course->lesson[i];
    c->done[i] = l->kind == LESSON_CHECK ? c->passed[i] : p->finished;
    if (l->phase > c->furthest) c->furthest = l->phase;
    bool begun = is_under_way(l, p->step, p->finished) && !c->passed[i];
    struct latest *latest = begun ? &c->begun : &c->ended;
    if (p->when < latest->when ||
        (begun ? is_only_opened(c->learner, i) : !is_at_end(c->learner, i, p)))
        return;
    *latest = (struct latest){i, p->when};
}

/* Whoever earned a phase knows its lessons, and whoever went on to a later phase is not called back
 * to the review and the check of an earlier one. All of it can still be opened. */
static bool is_next(const struct candidate *c, size_t i) {
    const struct lesson_entry *l = &session_learner_course(c->learner)->lesson[i];
    bool left_out = l->kind != LESSON_ORDINARY && l->phase < c->furthest;
    return session_learner_exists(c->learner, i) && !c->done[i] && !left_out && !c->passed[i];
}

/* The first lesson of which something was skipped. */
static size_t next_skipped(struct learner *who) {
    const struct lesson_course *c = session_learner_course(who);
    size_t i = 0;
    while (i < c->lessons &&
           !(c->lesson[i].kind == LESSON_ORDINARY && session_learner_exists(who, i) &&
             session_learner_progress(who, i).standing == LEARNER_SKIPPED))
        i++;
    return i;
}

static struct candidate weigh_places(struct learner *who) {
    const struct lesson_course *course = session_learner_course(who);
    const struct latest none = {course->lessons, INT64_MIN};
    struct candidate c = {.learner = who, .begun = none, .ended = none};
    for (size_t i = 0; i < course->lessons; i++)
        c.passed[i] = session_learner_passed(who, (size_t)course->lesson[i].phase);
    store_places(session_learner_store(who), weigh_place, &c, NULL);
    return c;
}

/* The first from `from` on that is left; the course's count if none is. */
static size_t first_left(const struct candidate *c, size_t from) {
    size_t lessons = session_learner_course(c->learner)->lessons, i = from;
    while (i < lessons && !is_next(c, i)) i++;
    return i;
}

/* Not into a phase that still waits for its check, nor to a review or a check while a lesson of its
 * phase is left. */
static bool leads_to(const struct candidate *c, size_t here, size_t next) {
    const struct lesson_course *course = session_learner_course(c->learner);
    int phase = course->lesson[next].phase;
    size_t first = next;
    while (first > 0 && course->lesson[first - 1].phase == phase) first--;
    if (course->lesson[next].kind != LESSON_ORDINARY && first_left(c, first) < next) return false;
    return phase == course->lesson[here].phase ||
           session_learner_gate(c->learner, (size_t)phase) == course->lessons;
}

/* A lesson that ended leads to what follows it, whichever other one was under way before. */
static size_t next_of(const struct candidate *c) {
    const size_t lessons = session_learner_course(c->learner)->lessons;
    bool leads = c->ended.when > c->begun.when;
    size_t left = leads ? first_left(c, c->ended.lesson + 1) : lessons;
    if (left < lessons && leads_to(c, c->ended.lesson, left)) return left;
    if (c->begun.lesson < lessons) return c->begun.lesson;
    left = first_left(c, 0);
    return left < lessons ? left : next_skipped(c->learner);
}

size_t session_learner_next(struct learner *who) {
    const struct candidate c = weigh_places(who);
    return next_of(&c);
}

/* It ended just now, also if the clock has not moved since. */
size_t session_learner_after(struct learner *who, const char *id) {
    const size_t lessons = session_learner_course(who)->lessons;
    size_t here = session_learner_find_id(who, id, strlen(id));
    struct candidate c = weigh_places(who);
    if (here < lessons) c.ended = (struct latest){here, INT64_MAX};
    size_t next = next_of(&c);
    return next == here ? lessons : next;
}

bool session_learner_onwards(struct learner *who) {
    const struct lesson_course *c = session_learner_course(who);
    if (!lesson_course_extra(c, LEARNER_ONWARDS)) return false;
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY && !is_earned(who, &c->lesson[i]) &&
            !session_learner_progress(who, i).through)
            return false;
    return true;
}

/* ── placement ─────────────────────────────────────────────────────────────────────────────────*/
enum learner_placement session_learner_placement(struct learner *who, size_t *next) {
    size_t check = *next = session_learner_place_at(who);
    if (check == session_learner_course(who)->lessons) return LEARNER_PLACED;
    struct learner_progress p = session_learner_progress(who, check);
    if (has_learnt(who) || (p.opened && !p.under_way))
        return LEARNER_PLACED; /* learning, or failed here */
    bool any = store_has_items(session_learner_store(who), "");
    return any ? LEARNER_PLACING : LEARNER_UNPLACED;
}

bool session_learner_is_new(struct learner *who) {
    const struct lesson_course *c = session_learner_course(who);
    bool any = store_has_items(session_learner_store(who), "");
    for (size_t i = 0; i < c->lessons && !any; i++) any = session_learner_progress(who, i).opened;
    return !any;
}
