/* drills: steps of one kind from the lessons that the learner met, such as myths, as a lesson. What
 * was asked least often comes first, and phases take turns. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 32 };

static const struct drill {
    enum lesson_step_kind kind;
    /* questions of a run */
    size_t most;
    struct lesson_queue_head head;
} drills[] = {
    {LESSON_MYTH,
     MOST,
     {LESSON_DRILL, LEARNER_MYTHS, "Myths", "right",
      "no myths to ask yet: finish lesson 1.1 first, then its claims are asked here", false}},
    {LESSON_SAY_ALOUD,
     5,
     {LESSON_DRILL, LEARNER_INTERVIEW, "Interview", "points covered",
      "nothing to explain yet: finish lesson 1.1 first, then an interview can ask about it",
      false}},
};

static const struct drill *find_drill(const char *word) {
    for (size_t i = 0; i < BASE_COUNT(drills); i++)
        if (strcmp(drills[i].head.id, word) == 0) return &drills[i];
    return NULL;
}

bool session_is_drill_word(const char *word) {
    return find_drill(word) != NULL;
}

bool session_learner_drills(struct learner *who) {
    const struct lesson_course *c = session_learner_course(who);
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].kind == LESSON_ORDINARY && session_learner_progress(who, i).through)
            return true;
    return false;
}

/* ── choosing ──────────────────────────────────────────────────────────────────────────────────*/
struct candidate {
    struct session_pick pick;
    int phase, tries;
    uint64_t draw;
};
struct candidates {
    struct candidate *candidate;
    size_t count;
};

/* A step of a lesson that was gone through, or one that was answered. */
static void add_candidate(struct candidates *all, struct learner *who, const struct lesson *l,
                          size_t i, bool through, struct candidate c) {
    struct store *store = session_learner_store(who);
    c.pick.id = base_json_text(lesson_step(l, i), "id", "");
    char *item = base_format("%s/%s", lesson_id(l), c.pick.id);
    c.tries = store_last_try(store, item);
    c.draw = lesson_seed(store_seed(store), item, c.tries);
    free(item);
    if (!through && c.tries == 0) return;
    all->candidate = base_grow(all->candidate, all->count + 1, sizeof c);
    all->candidate[all->count++] = c;
}

static int by_tries_and_draw(const void *a, const void *b) {
    const struct candidate *x = a, *y = b;
    if (x->tries != y->tries) return x->tries < y->tries ? -1 : 1;
    return x->draw < y->draw ? -1 : x->draw > y->draw;
}

static struct candidates find_candidates(struct learner *who, enum lesson_step_kind kind) {
    const struct lesson_course *c = session_learner_course(who);
    struct candidates all = {0};
    for (size_t i = 0; i < c->lessons; i++) {
        struct learner_progress p = session_learner_progress(who, i);
        if (c->lesson[i].kind != LESSON_ORDINARY || !p.opened) continue;
        const struct loaded *l = session_learner_lesson(who, i);
        for (size_t s = 0; l && s < lesson_steps(l->lesson); s++)
            if (lesson_step_kind(l->lesson, s) == kind)
                add_candidate(&all, who, l->lesson, s, p.through,
                              (struct candidate){.pick.lesson = i, .phase = c->lesson[i].phase});
    }
    if (all.count > 0) qsort(all.candidate, all.count, sizeof *all.candidate, by_tries_and_draw);
    return all;
}

static size_t left_of(const struct candidate *of, size_t count, int phase) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) n += of[i].phase == phase;
    return n;
}

/* Of the phase that has most left, and not of the one just asked if there is another. */
static size_t follower(const struct candidate *of, size_t count, int last) {
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        if (of[i].phase == last) continue;
        if (best == count || left_of(of, count, of[i].phase) > left_of(of, count, of[best].phase))
            best = i;
    }
    return best < count ? best : 0;
}

/* Takes them one after the other; how many. */
static size_t interleave(struct candidates *all, size_t most, struct session_pick out[MOST]) {
    size_t count = all->count < most ? all->count : most, n = 0;
    for (int last = -1; count > 0; count--) {
        size_t at = follower(all->candidate, count, last);
        last = all->candidate[at].phase;
        out[n++] = all->candidate[at].pick;
        memmove(&all->candidate[at], &all->candidate[at + 1],
                (count - at - 1) * sizeof *all->candidate);
    }
    return n;
}

struct lesson *session_drill_open(struct learner *who, const char *word, struct mixed **mixed,
                                  struct base_message *m) {
    struct session_pick pick[MOST];
    const struct drill *d = find_drill(word);
    struct candidates all = find_candidates(who, d->kind);
    size_t n = interleave(&all, d->most, pick);
    free(all.candidate);
    return session_mixed_queue(who, &d->head, pick, n, mixed, m);
}

/* ── the interview's clock ─────────────────────────────────────────────────────────────────────*/
int session_learner_interview(struct learner *who) {
    int64_t seconds;
    return session_kept_count(session_learner_store(who), SESSION_INTERVIEW, &seconds) &&
                   seconds <= 600
               ? (int)seconds
               : 0;
}

bool session_learner_set_interview(struct learner *who, int seconds, struct base_message *m) {
    char *text = base_format("%d", seconds);
    bool set = store_set(session_learner_store(who), SESSION_INTERVIEW, seconds ? text : NULL, m);
    free(text);
    return set;
}
