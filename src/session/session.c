/* session: one lesson being taken: a script, its lesson, the dialogue over it, and the file being
 * watched. */
#include "session/inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct session {
    struct learner *learner;
    char *path;
    /* the learner's job as sliders take it, or NULL */
    json_t *own;
    struct loaded now;
    /* what an edit replaced: front ends may still hold its events until the next action */
    struct loaded old;
    /* before: likewise */
    struct lesson_dialogue *dialogue, *before;
    /* of a review or a check */
    struct mixed *mixed;
    /* of what comes back today */
    struct queue *queue;
    /* it is a drill; seconds for an explanation, 0: no clock */
    bool drills;
    int clock;
    /* what it says of the last action … */
    char *words;
    /* … which is told before the next question */
    bool says;
    /* that question, meanwhile */
    const struct lesson_event *held;
    /* it is a placement; with the last action it was left, or fresh numbers were asked for */
    bool places, leaves, again;
    struct script_watch *watch;
    /* of ours, told before the dialogue's; its text is trouble_text */
    struct lesson_event trouble;
    char *trouble_text;
    /* it waits to be read */
    bool troubled;
    /* of a lesson from a file: the steps of it that were open once, or NULL */
    char *opened;
    /* its graded steps were kept: with the first action, not before the first page */
    bool counted;
    /* its worker was started before numbers were drawn: once, as it may fail */
    bool ready;
};

/* ── opening ───────────────────────────────────────────────────────────────────────────────────*/
static bool is_path(const char *lesson) {
    size_t n = strlen(lesson);
    return strchr(lesson, '/') || (n > 4 && strcmp(lesson + n - 4, ".lua") == 0);
}

/* The lesson's file, the caller's; NULL with the message filled. */
static char *find_file(struct learner *who, const char *lesson, struct base_message *m) {
    size_t i = session_learner_find(who, lesson);
    if (i == session_learner_course(who)->lessons) {
        char *extra = session_learner_extra(who, lesson);
        if (extra) return extra;
        if (is_path(lesson)) return base_dup(lesson);
        base_fail(m, "unknown lesson '%s': run `zerotutor learn --list` for a list", lesson);
        return NULL;
    }
    char *path = session_learner_path(who, i);
    if (!path) base_fail(m, "lesson %s is not written yet: take one that is", lesson);
    return path;
}

/* Where the script's numbers come from, with the learner's job. */
static struct lesson_source source_of(const struct session *s, const struct loaded *l) {
    struct lesson_source source = script_source(l->script);
    source.own = s->own;
    return source;
}

static bool open_dialogue(struct session *s, struct base_message *m) {
    struct store *store = session_learner_store(s->learner);
    s->own = session_job_fields(s->learner);
    s->dialogue = lesson_dialogue_open(s->now.lesson, source_of(s, &s->now), store_journal(store),
                                       store_seed(store), m);
    return s->dialogue != NULL;
}

static bool open_file(struct session *s, const char *lesson, struct base_message *m) {
    s->path = find_file(s->learner, lesson, m);
    struct store *store = session_learner_store(s->learner);
    if (!s->path || !session_loaded_open(&s->now, store, s->path, m) ||
        !session_learner_lends_id(s->learner, lesson_id(s->now.lesson), s->path, m) ||
        !open_dialogue(s, m))
        return false;
    session_learner_keep_outline(s->learner, s->now.lesson);
    session_learner_keep_deck(s->learner, s->now.lesson);
    s->opened = session_opened(s->learner, s->now.lesson);
    s->watch = script_watch_open(s->path);
    return true;
}

/* A review or a check takes the place of what is there; if it cannot, nothing has changed. */
static bool open_mixed(struct session *s, size_t i, struct base_message *m) {
    struct store *store = session_learner_store(s->learner);
    struct loaded made = {0};
    struct mixed *mixed = session_mixed_open(s->learner, i, s->places, &made.lesson, m);
    struct lesson_dialogue *who =
        mixed ? lesson_dialogue_open(made.lesson, session_mixed_source(mixed), store_journal(store),
                                     store_seed(store), m)
              : NULL;
    if (!who) {
        session_loaded_close(&made);
        session_mixed_close(mixed);
        return false;
    }
    /* The last action freed what the one before had replaced. */
    assert(!s->before && !s->old.lesson);
    session_mixed_close(s->mixed);
    s->mixed = mixed;
    s->old = s->now;
    s->now = made;
    s->before = s->dialogue;
    s->dialogue = who;
    s->counted = false;
    session_learner_keep_since(s->learner, s->now.lesson);
    session_learner_keep_outline(s->learner, s->now.lesson);
    if (session_learner_course(s->learner)->lesson[i].kind == LESSON_CHECK)
        session_learner_keep(s->learner, "places", lesson_id(s->now.lesson), s->places ? "1" : "");
    return true;
}

/* What was chosen from lessons has no place to come back to. */
static bool open_chosen(struct session *s, struct base_message *m) {
    struct store *store = session_learner_store(s->learner);
    s->dialogue = lesson_dialogue_open(s->now.lesson, session_mixed_source(s->mixed),
                                       store_journal(store), store_seed(store), m);
    if (s->dialogue) session_learner_keep_outline(s->learner, s->now.lesson);
    return s->dialogue != NULL;
}

/* `about`: the id of an idea, or NULL. */
static bool open_queue(struct session *s, const char *about, struct base_message *m) {
    s->queue = session_queue_open(s->learner, about, &s->mixed, &s->now.lesson, m);
    return s->queue && open_chosen(s, m);
}

static bool open_drill(struct session *s, const char *word, struct base_message *m) {
    s->drills = s->counted = true;
    s->now.lesson = session_drill_open(s->learner, word, &s->mixed, m);
    if (strcmp(word, LEARNER_INTERVIEW) == 0) s->clock = session_learner_interview(s->learner);
    return s->now.lesson && open_chosen(s, m);
}

static bool open_exit(struct session *s, struct base_message *m) {
    s->drills = s->counted = true;
    s->now.lesson = session_exit_open(s->learner, &s->mixed, m);
    return s->now.lesson && open_chosen(s, m);
}

/* Nothing of it draws numbers, and no place is kept. */
static bool open_made(struct session *s, struct lesson *lesson, struct base_message *m) {
    struct store *store = session_learner_store(s->learner);
    s->now.lesson = lesson;
    if (!s->now.lesson) return false;
    s->counted = true;
    s->dialogue = lesson_dialogue_open(s->now.lesson, (struct lesson_source){0},
                                       store_journal(store), store_seed(store), m);
    return s->dialogue != NULL;
}

static bool open_placement(struct session *s, struct base_message *m) {
    size_t check = session_learner_place_at(s->learner);
    s->places = true;
    if (check < session_learner_course(s->learner)->lessons) return open_mixed(s, check, m);
    return base_fail(m, "nothing left to place: you passed every check of the course");
}

static bool open_any(struct session *s, const char *lesson, struct base_message *m) {
    const struct lesson_course *c = session_learner_course(s->learner);
    if (strcmp(lesson, LEARNER_PLACE) == 0) return open_placement(s, m);
    if (strcmp(lesson, LEARNER_REVIEW) == 0) return open_queue(s, NULL, m);
    if (strncmp(lesson, LEARNER_REVIEW_OF, strlen(LEARNER_REVIEW_OF)) == 0)
        return open_queue(s, lesson + strlen(LEARNER_REVIEW_OF), m);
    if (strcmp(lesson, LEARNER_CASE) == 0) return open_made(s, session_case_open(s->learner, m), m);
    if (strncmp(lesson, LEARNER_LAB "/", strlen(LEARNER_LAB "/")) == 0)
        return open_made(s, session_lab_named(lesson + strlen(LEARNER_LAB "/"), m), m);
    if (strcmp(lesson, LEARNER_FEEDBACK) == 0)
        return open_made(s, session_feedback_open(s->learner, m), m);
    if (strcmp(lesson, LEARNER_EXIT) == 0) return open_exit(s, m);
    if (session_is_drill_word(lesson)) return open_drill(s, lesson, m);
    size_t i = session_learner_find(s->learner, lesson);
    bool mixed = i < c->lessons && c->lesson[i].kind != LESSON_ORDINARY &&
                 session_learner_exists(s->learner, i);
    return mixed ? open_mixed(s, i, m) : open_file(s, lesson, m);
}

struct session *session_open(struct learner *who, const char *lesson, struct base_message *m) {
    struct session *s = base_alloc(sizeof *s);
    s->learner = who;
    if (open_any(s, lesson, m)) return s;
    session_close(s);
    return NULL;
}

void session_close(struct session *s) {
    if (!s) return;
    session_attend_end(s->learner, s);
    session_due_keep(s->learner);
    lesson_dialogue_free(s->before);
    lesson_dialogue_free(s->dialogue);
    session_mixed_close(s->mixed);
    session_queue_close(s->queue);
    free(s->words);
    free(s->opened);
    if (s->watch) script_watch_close(s->watch);
    session_loaded_close(&s->old);
    session_loaded_close(&s->now);
    free(s->trouble_text);
    json_decref(s->own);
    free(s->path);
    free(s);
}

struct learner *session_learner(const struct session *s) {
    return s->learner;
}

const struct lesson *session_lesson(const struct session *s) {
    return s->now.lesson;
}

struct lesson_dialogue *session_dialogue(const struct session *s) {
    return s->dialogue;
}

bool session_leads_onwards(const struct session *s) {
    return session_learner_onwards(s->learner) &&
           strcmp(lesson_id(s->now.lesson), LEARNER_ONWARDS) != 0;
}

bool session_is_case(const struct session *s) {
    return strcmp(lesson_id(s->now.lesson), LEARNER_CASE) == 0;
}

static bool is_lab(const struct session *s) {
    return strcmp(lesson_id(s->now.lesson), LEARNER_LAB) == 0;
}

char *session_heading(const struct session *s) {
    const struct lesson_course *c = session_learner_course(s->learner);
    size_t i = session_learner_find(s->learner, lesson_id(s->now.lesson));
    if (is_lab(s))
        return base_format("Lab  %s", base_json_text(lesson_step(s->now.lesson, 0), "lab", ""));
    if (session_is_forward(s) || session_is_case(s)) return base_dup(lesson_title(s->now.lesson));
    if (!s->places || i == c->lessons) {
        char *id = base_words(lesson_id(s->now.lesson)),
             *heading = base_format("%s  %s", id, lesson_title(s->now.lesson));
        free(id);
        return heading;
    }
    return base_format("Placement  %s", c->phase_title[c->lesson[i].phase]);
}

bool session_is_graded(const struct session *s) {
    return !session_is_case(s) && !is_lab(s);
}

char *session_how_far(const struct session *s, size_t step, size_t steps, const char *of) {
    if (!session_is_graded(s)) return base_dup("never graded");
    if (!s->mixed) return base_format("step %zu %s %zu", step + 1, of, steps);
    if (step + 1 >= steps) return base_dup("result");
    return base_format("%s%zu of %zu", session_is_forward(s) ? "" : "problem ", step + 1,
                       steps - 1);
}

/* The index of a step; the lesson's count if there is none. */
static size_t find_step(const struct session *s, const char *step) {
    size_t i = 0, count = lesson_steps(s->now.lesson);
    while (i < count && strcmp(base_json_text(lesson_step(s->now.lesson, i), "id", ""), step) != 0)
        i++;
    return i;
}

const char *session_step_title(const struct session *s, const char *step) {
    const json_t *json = lesson_step(s->now.lesson, find_step(s, step));
    return base_json_text(json, "title", base_json_text(json, "front", ""));
}

enum lesson_came session_step_came(const struct session *s, const char *step) {
    size_t i = find_step(s, step);
    if (i == lesson_steps(s->now.lesson)) return LESSON_CAME_NOT;
    if (s->queue) return session_queue_came(s->queue, step);
    if (s->drills) return lesson_came_now(s->dialogue, i);
    return lesson_came(s->now.lesson, i, store_journal(session_learner_store(s->learner)));
}

enum learner_strength session_step_strength(const struct session *s, size_t step) {
    const char *id = base_json_text(lesson_step(s->now.lesson, step), "id", "");
    enum lesson_came came = session_step_came(s, id);
    size_t at = find_step(s, lesson_where(s->dialogue));
    if (came == LESSON_CAME_RIGHT) return LEARNER_SOLID;
    if (came == LESSON_CAME_WRONG) return LEARNER_WEAK;
    return step < at ? LEARNER_PASSED_OVER : LEARNER_NOT_MET;
}

int session_minutes_left(const struct session *s) {
    int seconds = 0;
    for (size_t i = 0; s->queue && i < lesson_steps(s->now.lesson); i++)
        if (session_step_strength(s, i) == LEARNER_NOT_MET)
            seconds += session_queue_seconds(
                s->queue, base_json_text(lesson_step(s->now.lesson, i), "id", ""));
    return (seconds + 59) / 60;
}

bool session_step_is_opened(const struct session *s, const char *step) {
    return session_is_opened(s->opened, step);
}

bool session_step_asks(const struct session *s, const char *step) {
    size_t i = find_step(s, step);
    return i < lesson_steps(s->now.lesson) && lesson_step_asks(s->now.lesson, i);
}

bool session_is_ready(const struct session *s) {
    return s->ready || !s->now.script || script_ready(s->now.script);
}

void session_make_ready(struct session *s) {
    s->ready = true;
    if (s->now.script) script_make_ready(s->now.script);
}

const json_t *session_own_glossary(const struct session *s) {
    return s->now.glossary;
}

/* ── the dialogue ──────────────────────────────────────────────────────────────────────────────*/
/* After a check that was gone through and passed comes the next, until all are passed. If the
 * learner takes a check again from its result, its next round follows. */
static bool goes_on(struct session *s) {
    const struct lesson_course *c = session_learner_course(s->learner);
    size_t i = session_learner_find(s->learner, lesson_id(s->now.lesson)),
           next = session_learner_place_at(s->learner);
    if (s->again) return open_mixed(s, i, NULL);
    if (!s->places || s->leaves || next == c->lessons) return false;
    return session_learner_passed(s->learner, (size_t)c->lesson[i].phase) &&
           open_mixed(s, next, NULL);
}

/* What the queue says, as an event of ours. */
static const struct lesson_event *say_words(struct session *s) {
    s->says = false;
    s->trouble = (struct lesson_event){.kind = LESSON_SHOW,
                                       .tone = LESSON_PLAIN,
                                       .text = s->words,
                                       .title = "",
                                       .item = "",
                                       .verdict = ""};
    return &s->trouble;
}

/* What follows from the answer to this step, or how it all went. */
static void find_words(struct session *s, const char *step) {
    free(s->words);
    s->held = NULL;
    s->words = session_queue_answered(s->queue, step, session_step_title(s, step));
    bool moved = strcmp(lesson_where(s->dialogue), step) != 0;
    size_t at = find_step(s, lesson_where(s->dialogue));
    if (moved && lesson_step_kind(s->now.lesson, at) == LESSON_RECAP) {
        free(s->words);
        s->words = session_queue_over(s->queue);
    }
    s->says = s->words != NULL;
}

static const struct lesson_event *next_event(struct session *s) {
    if (s->troubled) {
        s->troubled = false;
        return &s->trouble;
    }
    const struct lesson_event *e = s->held ? s->held : lesson_event(s->dialogue);
    s->held = NULL;
    if (s->says && (!e || e->kind == LESSON_ASK)) {
        s->held = e;
        return say_words(s);
    }
    return e && e->kind == LESSON_END && goes_on(s) ? lesson_event(s->dialogue) : e;
}

const struct lesson_event *session_event(struct session *s) {
    const struct lesson_event *e = next_event(s);
    session_attend(s->learner, s, s->now.lesson, e);
    return e;
}

/* Once before anything is done, since then it is known how far the learner had come. */
static void keep_opened(struct session *s) {
    session_keep_opened(s->learner, s->now.lesson, &s->opened, lesson_reached(s->dialogue),
                        lesson_where(s->dialogue));
}

void session_do(struct session *s, const struct lesson_action *a) {
    if (!s->counted) session_learner_keep_graded(s->learner, s->now.lesson);
    s->counted = true;
    s->leaves = a->kind == LESSON_DO_LEAVE;
    s->again = a->kind == LESSON_DO_FRESH;
    char *step = base_dup(lesson_where(s->dialogue));
    if (s->path) keep_opened(s);
    lesson_do(s->dialogue, a);
    if (s->path) keep_opened(s);
    if (s->queue) find_words(s, step);
    free(step);
    session_loaded_close(&s->old);
    lesson_dialogue_free(s->before);
    s->before = NULL;
}

/* ── taking back, and leaving out ──────────────────────────────────────────────────────────────*/
bool session_can_suspend(const struct session *s) {
    size_t at = s->queue ? find_step(s, lesson_where(s->dialogue)) : 0;
    return s->queue && lesson_asked(s->dialogue) &&
           lesson_step_kind(s->now.lesson, at) != LESSON_RECAP;
}

static bool go_to(struct session *s, const char *step) {
    session_do(s, &(struct lesson_action){.kind = LESSON_DO_GOTO, .text = step});
    return true;
}

static bool complain(struct session *s, const struct base_message *m) {
    char text[sizeof m->what + sizeof m->file + 16];
    free(s->words);
    s->words = base_dup(base_message_text(m, text, sizeof text));
    return s->says = true;
}

bool session_is_review(const struct session *s) {
    return s->queue != NULL;
}

bool session_is_forward(const struct session *s) {
    return s->queue || s->drills;
}

bool session_clock(const struct session *s, int *left) {
    const struct lesson_ask *ask = lesson_asked(s->dialogue);
    if (!s->clock || !ask || ask->form != LESSON_TEXT) return false;
    *left = s->clock - (int)(lesson_asked_ms(s->dialogue) / 1000);
    return true;
}

bool session_can_undo(const struct session *s) {
    return s->queue && lesson_asked(s->dialogue) && session_queue_can_undo(s->queue);
}

bool session_undo(struct session *s) {
    struct base_message m = {0};
    if (!session_can_undo(s)) return false;
    char *item = session_queue_undo(s->queue, &m);
    bool done = item ? go_to(s, item) : complain(s, &m);
    free(item);
    return done;
}

bool session_suspend(struct session *s) {
    struct base_message m = {0};
    if (!session_can_suspend(s)) return false;
    size_t at = find_step(s, lesson_where(s->dialogue));
    char *next = base_dup(base_json_text(lesson_step(s->now.lesson, at + 1), "id", ""));
    bool done = session_queue_suspend(s->queue, lesson_where(s->dialogue), &m) ? go_to(s, next)
                                                                               : complain(s, &m);
    free(next);
    return done;
}

/* ── edits ─────────────────────────────────────────────────────────────────────────────────────*/
int session_fd(const struct session *s) {
    return s->watch ? script_watch_fd(s->watch) : -1;
}

static void tell_trouble(struct session *s, const struct base_message *m) {
    char text[sizeof m->what + sizeof m->file + 16];
    free(s->trouble_text);
    s->trouble_text =
        base_format("The edited lesson does not load, so this one continues unchanged.\n\n`%s`",
                    base_message_text(m, text, sizeof text));
    s->trouble = (struct lesson_event){.kind = LESSON_TROUBLE,
                                       .tone = LESSON_BAD,
                                       .text = s->trouble_text,
                                       .title = "",
                                       .item = "",
                                       .verdict = ""};
    s->troubled = true;
}

/* The new lesson takes the old one's place; on failure nothing has changed. */
static bool reload(struct session *s, struct base_message *m) {
    struct loaded fresh = {0};
    if (!session_loaded_open(&fresh, session_learner_store(s->learner), s->path, m)) return false;
    bool same = strcmp(lesson_id(fresh.lesson), lesson_id(s->now.lesson)) == 0;
    if (!same)
        base_fail_at(m, s->path, 0,
                     "the lesson's id was %s and is now %s: leave it and open it again",
                     lesson_id(s->now.lesson), lesson_id(fresh.lesson));
    if (!same || !lesson_reload(s->dialogue, fresh.lesson, source_of(s, &fresh), m)) {
        session_loaded_close(&fresh);
        return false;
    }
    session_loaded_close(&s->old);
    s->old = s->now;
    s->now = fresh;
    s->counted = s->ready = false;
    session_learner_keep_outline(s->learner, s->now.lesson);
    session_learner_keep_deck(s->learner, s->now.lesson);
    return true;
}

bool session_refresh(struct session *s) {
    struct base_message m = {0};
    if (!s->watch || !script_watch_changed(s->watch)) return false;
    if (!reload(s, &m))
        tell_trouble(s, &m);
    else
        s->troubled = false; /* the error is gone */
    return true;
}
