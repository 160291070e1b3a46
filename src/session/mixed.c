/* mixed: reviews and checks. Makes one of a phase's lessons, and asks each lesson's own worker for
 * fresh numbers, which is started when the first of its problems comes up. */
#include "session/inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LESSONS = BASE_COUNT(((struct lesson_course *)0)->lesson) };

struct mixed {
    struct learner *learner;
    size_t count;
    /* in the course */
    size_t index[LESSONS];
    /* as it was when its problems were chosen */
    struct stat file[LESSONS];
    /* open ones have a script */
    struct loaded worker[LESSONS];
};

/* ── numbers ───────────────────────────────────────────────────────────────────────────────────*/
/* Its functions are known by their numbers, and those are of the file as it was. */
static bool unchanged(const struct mixed *x, size_t lesson, const char *path,
                      struct base_message *m) {
    struct stat now;
    const struct stat *then = &x->file[lesson];
    if (stat(path, &now) == 0 && now.st_ino == then->st_ino && now.st_size == then->st_size &&
        now.st_mtim.tv_sec == then->st_mtim.tv_sec && now.st_mtim.tv_nsec == then->st_mtim.tv_nsec)
        return true;
    return base_fail_at(m, path, 0, "the lesson was edited meanwhile: leave, and open it again");
}

static struct script *worker(struct mixed *x, size_t lesson, struct base_message *m) {
    struct loaded *w = &x->worker[lesson];
    if (w->script) return w->script;
    char *path = session_learner_path(x->learner, x->index[lesson]);
    if (unchanged(x, lesson, path, m)) session_loaded_open(w, NULL, path, m);
    free(path);
    return w->script;
}

static json_t *call(void *self, int fn, uint64_t seed, struct base_message *m) {
    struct mixed *x = self;
    size_t lesson;
    int own = lesson_mix_function(fn, &lesson);
    if (lesson == x->count) return session_job_problem(x->learner, m);
    assert(lesson < x->count);
    struct script *script = worker(x, lesson, m);
    if (!script) return NULL;
    struct lesson_source source = script_source(script);
    return source.call(source.self, own, seed, m);
}

struct lesson_source session_mixed_source(struct mixed *x) {
    return (struct lesson_source){.self = x, .call = call};
}

void session_mixed_close(struct mixed *x) {
    if (!x) return;
    for (size_t i = 0; i < x->count; i++) session_loaded_close(&x->worker[i]);
    free(x);
}

/* ── making one ────────────────────────────────────────────────────────────────────────────────*/
/* The next phase that has lessons, from 0; the course's count if there is none. */
static size_t next_phase(const struct lesson_course *c, size_t phase) {
    for (size_t i = 0; i < c->lessons; i++)
        if (c->lesson[i].file && (size_t)c->lesson[i].phase > phase)
            return (size_t)c->lesson[i].phase;
    return c->phases;
}

/* The rules: of a check at its first problem, of the placement to whoever has answered nothing. */
static const char *what_opens(struct learner *who, bool check, bool places) {
    size_t at;
    if (check && !places)
        return "This check asks each problem once and gives no hints. You pass if at most one "
               "answer is wrong.";
    if (!places || session_learner_placement(who, &at) != LEARNER_UNPLACED) return NULL;
    return "This finds where to start. You get six problems from each phase. With five right you "
           "pass the phase and get the next one. There are no hints. You can leave at any time. "
           "Nothing is lost: you go on from there.";
}

static char *what_passed(const struct lesson_course *c, size_t phase, bool places) {
    size_t next = next_phase(c, phase);
    if (next == c->phases) return base_dup("That was the last check of the course.");
    if (places)
        return base_format("Phase %zu, %s, is open. Continue with its problems, or leave here.",
                           next + 1, c->phase_title[next]);
    return base_format("Phase %zu, %s, is open.", next + 1, c->phase_title[next]);
}

static char *what_failed(const struct lesson_course *c, size_t phase, bool places) {
    if (!places) return base_dup("You can take the check again at any time with other numbers.");
    return base_format("Start with phase %zu, %s. You can take its check again at any time.",
                       phase + 1, c->phase_title[phase]);
}

/* A lesson that does not load says why. */
static bool add_lesson(struct mixed *x, size_t i, const struct lesson **lesson,
                       struct base_message *m) {
    struct loaded broken = {0};
    char *path = session_learner_path(x->learner, i);
    bool there = stat(path, &x->file[x->count]) == 0;
    const struct loaded *l = there ? session_learner_lesson(x->learner, i) : NULL;
    if (!l && session_loaded_open(&broken, NULL, path, m))
        base_fail_at(m, path, 0, "it changes; try again");
    free(path);
    session_loaded_close(&broken);
    if (!l) return false;
    lesson[x->count] = l->lesson;
    x->index[x->count++] = i;
    return true;
}

static bool add_lessons(struct mixed *x, size_t phase, const struct lesson **lesson,
                        struct base_message *m) {
    const struct lesson_course *c = session_learner_course(x->learner);
    for (size_t i = 0; i < c->lessons; i++)
        if ((size_t)c->lesson[i].phase == phase && c->lesson[i].file)
            if (!add_lesson(x, i, lesson, m)) return false;
    return true;
}

static struct lesson *make(struct mixed *x, const struct lesson_entry *what, bool places,
                           struct base_message *m) {
    const struct lesson *lesson[LESSONS];
    const struct lesson_course *c = session_learner_course(x->learner);
    struct store *store = session_learner_store(x->learner);
    size_t phase = (size_t)what->phase;
    if (!add_lessons(x, phase, lesson, m)) return NULL;
    bool check = what->kind == LESSON_CHECK;
    char *passed = check ? what_passed(c, phase, places) : NULL;
    char *failed = check ? what_failed(c, phase, places) : NULL;
    char *outline = base_format("outline/%s", what->id), *chosen = store_setting(store, outline);
    struct lesson_mix mix = {.kind = what->kind,
                             .id = what->id,
                             .title = what->title,
                             .round = session_learner_round(x->learner, what),
                             .seed = store_seed(store),
                             .lessons = x->count,
                             .lesson = lesson,
                             .chosen = chosen,
                             .opening = what_opens(x->learner, check, places),
                             .passed = passed,
                             .failed = failed};
    struct lesson *made = lesson_mix(&mix, store_journal(store), m);
    free(chosen);
    free(outline);
    free(failed);
    free(passed);
    return made;
}

struct mixed *session_mixed_of(struct learner *who, const size_t *index, size_t count,
                               const struct lesson **lesson, struct base_message *m) {
    struct mixed *x = base_alloc(sizeof *x);
    x->learner = who;
    for (size_t i = 0; i < count; i++)
        if (!add_lesson(x, index[i], lesson, m)) {
            session_mixed_close(x);
            return NULL;
        }
    return x;
}

/* The lessons that are asked, each once: where this one is among them. */
static size_t find_index(size_t index[LESSONS], size_t *lessons, size_t lesson) {
    size_t at = 0;
    while (at < *lessons && index[at] != lesson) at++;
    assert(at < LESSONS); /* they are lessons of the course */
    if (at == *lessons) index[(*lessons)++] = lesson;
    return at;
}

struct lesson *session_mixed_queue(struct learner *who, const struct lesson_queue_head *head,
                                   const struct session_pick *pick, size_t count,
                                   struct mixed **mixed, struct base_message *m) {
    size_t index[LESSONS], lessons = 0;
    const struct lesson *of[LESSONS];
    struct lesson_queued *queued = base_grow(NULL, count + 1, sizeof *queued);
    for (size_t i = 0; i < count; i++) {
        queued[i] = (struct lesson_queued){.id = pick[i].id, .own = pick[i].own};
        if (!pick[i].own) queued[i].lesson = find_index(index, &lessons, pick[i].lesson);
    }
    for (size_t i = 0; i < count; i++)
        if (pick[i].own) queued[i].lesson = lessons; /* the number behind them all */
    *mixed = session_mixed_of(who, index, lessons, of, m);
    struct lesson *made = *mixed ? lesson_queue(head, of, queued, count, m) : NULL;
    free(queued);
    if (made) return made;
    session_mixed_close(*mixed);
    *mixed = NULL;
    return NULL;
}

struct mixed *session_mixed_open(struct learner *who, size_t i, bool places, struct lesson **lesson,
                                 struct base_message *m) {
    struct mixed *x = base_alloc(sizeof *x);
    x->learner = who;
    *lesson = make(x, &session_learner_course(who)->lesson[i], places, m);
    if (*lesson) return x;
    session_mixed_close(x);
    return NULL;
}
