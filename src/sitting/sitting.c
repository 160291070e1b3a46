/* sitting: one lesson being taken: a script, its lesson, the dialogue over it, and the file being watched. */
#include "sitting/inside.h"

#include <stdlib.h>
#include <string.h>

struct sitting {
    struct desk *desk;
    char *path;
    struct loaded now;
    struct loaded
        old; /* what an edit replaced: skins may still hold its events until the next action */
    struct study_dialogue *dialogue, *before; /* before: likewise */
    struct mixed *mixed;                      /* of a review or a check */
    bool places, leaves; /* it is a placement; it was left with the last action */
    struct script_watch *watch;
    struct study_event trouble; /* of ours, told before the dialogue's; its text is trouble_text */
    char *trouble_text;
    bool troubled; /* it waits to be read */
    bool counted; /* its graded steps were kept: with the first action, not before the first page */
};

/* ── opening ─────────────────────────────────────────────────────────────────────────────────────*/
static bool is_path(const char *lesson) {
    size_t n = strlen(lesson);
    return strchr(lesson, '/') || (n > 4 && strcmp(lesson + n - 4, ".lua") == 0);
}

/* The lesson's file, the caller's; NULL with the message filled. */
static char *find_file(struct desk *d, const char *lesson, struct base_message *m) {
    size_t i = desk_find(d, lesson);
    if (i == desk_course(d)->lessons) {
        if (is_path(lesson)) return base_dup(lesson);
        base_fail(m, "there is no lesson '%s': `zerotutor learn --list` names them all", lesson);
        return NULL;
    }
    char *path = desk_path(d, i);
    if (!path) base_fail(m, "lesson %s is not written yet: take one that is", lesson);
    return path;
}

static bool open_dialogue(struct sitting *s, struct base_message *m) {
    struct store *store = desk_store(s->desk);
    s->dialogue = study_open(s->now.lesson, script_source(s->now.script), store_journal(store),
                             store_seed(store), m);
    return s->dialogue != NULL;
}

static bool open_file(struct sitting *s, const char *lesson, struct base_message *m) {
    s->path = find_file(s->desk, lesson, m);
    if (!s->path || !loaded_open(&s->now, s->path, m) ||
        !desk_lends_id(s->desk, study_lesson_id(s->now.lesson), s->path, m) || !open_dialogue(s, m))
        return false;
    desk_keep_outline(s->desk, s->now.lesson);
    s->watch = script_watch_open(s->path);
    return true;
}

/* A review or a check takes the place of what is there; if it cannot, nothing has changed. */
static bool open_mixed(struct sitting *s, size_t i, struct base_message *m) {
    struct store *store = desk_store(s->desk);
    struct loaded made = {0};
    struct mixed *mixed = mixed_open(s->desk, i, s->places, &made.lesson, m);
    struct study_dialogue *d = mixed ? study_open(made.lesson, mixed_source(mixed),
                                                  store_journal(store), store_seed(store), m)
                                     : NULL;
    if (!d) {
        loaded_close(&made);
        mixed_close(mixed);
        return false;
    }
    mixed_close(s->mixed);
    s->mixed = mixed;
    s->old = s->now;
    s->now = made;
    s->before = s->dialogue;
    s->dialogue = d;
    s->counted = false;
    desk_keep_since(s->desk, s->now.lesson);
    desk_keep_outline(s->desk, s->now.lesson);
    return true;
}

static bool open_placement(struct sitting *s, struct base_message *m) {
    size_t check = desk_place_at(s->desk);
    s->places = true;
    if (check < desk_course(s->desk)->lessons) return open_mixed(s, check, m);
    return base_fail(m, "there is nothing to place: every check of the course is passed");
}

static bool open_any(struct sitting *s, const char *lesson, struct base_message *m) {
    const struct study_course *c = desk_course(s->desk);
    if (strcmp(lesson, DESK_PLACE) == 0) return open_placement(s, m);
    size_t i = desk_find(s->desk, lesson);
    bool mixed = i < c->lessons && c->lesson[i].kind != STUDY_LESSON && desk_exists(s->desk, i);
    return mixed ? open_mixed(s, i, m) : open_file(s, lesson, m);
}

struct sitting *sitting_open(struct desk *d, const char *lesson, struct base_message *m) {
    struct sitting *s = base_alloc(sizeof *s);
    s->desk = d;
    if (open_any(s, lesson, m)) return s;
    sitting_close(s);
    return NULL;
}

void sitting_close(struct sitting *s) {
    if (!s) return;
    study_free(s->before);
    study_free(s->dialogue);
    mixed_close(s->mixed);
    if (s->watch) script_watch_close(s->watch);
    loaded_close(&s->old);
    loaded_close(&s->now);
    free(s->trouble_text);
    free(s->path);
    free(s);
}

struct desk *sitting_desk(const struct sitting *s) {
    return s->desk;
}

const char *sitting_lesson_id(const struct sitting *s) {
    return study_lesson_id(s->now.lesson);
}

const char *sitting_title(const struct sitting *s) {
    return study_lesson_title(s->now.lesson);
}

/* The index of a step; the lesson's count if there is none. */
static size_t find_step(const struct sitting *s, const char *step) {
    size_t i = 0, count = study_lesson_steps(s->now.lesson);
    while (i < count &&
           strcmp(base_json_text(study_lesson_step(s->now.lesson, i), "id", ""), step) != 0)
        i++;
    return i;
}

const char *sitting_step_title(const struct sitting *s, const char *step) {
    return base_json_text(study_lesson_step(s->now.lesson, find_step(s, step)), "title", "");
}

enum study_came sitting_step_came(const struct sitting *s, const char *step) {
    size_t i = find_step(s, step);
    if (i == study_lesson_steps(s->now.lesson)) return STUDY_CAME_NOT;
    return study_came(s->now.lesson, i, store_journal(desk_store(s->desk)));
}

/* ── the dialogue ────────────────────────────────────────────────────────────────────────────────*/
/* A check that was gone through and passed is followed by the next, until all are passed. */
static bool goes_on(struct sitting *s) {
    const struct study_course *c = desk_course(s->desk);
    size_t i = desk_find(s->desk, sitting_lesson_id(s)), next = desk_place_at(s->desk);
    if (!s->places || s->leaves || next == c->lessons) return false;
    return desk_passed(s->desk, (size_t)c->lesson[i].phase) && open_mixed(s, next, NULL);
}

const struct study_event *sitting_event(struct sitting *s) {
    if (s->troubled) {
        s->troubled = false;
        return &s->trouble;
    }
    const struct study_event *e = study_event(s->dialogue);
    return e && e->kind == STUDY_END && goes_on(s) ? study_event(s->dialogue) : e;
}

const struct study_ask *sitting_asked(const struct sitting *s) {
    return study_asked(s->dialogue);
}

void sitting_do(struct sitting *s, const struct study_action *a) {
    if (!s->counted) desk_keep_graded(s->desk, s->now.lesson);
    s->counted = true;
    s->leaves = a->kind == STUDY_DO_LEAVE;
    study_do(s->dialogue, a);
    loaded_close(&s->old);
    study_free(s->before);
    s->before = NULL;
}

bool sitting_ran(struct sitting *s, const struct study_run *r, struct base_message *m) {
    return study_ran(s->dialogue, r, m);
}

/* ── edits ───────────────────────────────────────────────────────────────────────────────────────*/
int sitting_fd(const struct sitting *s) {
    return s->watch ? script_watch_fd(s->watch) : -1;
}

static void tell_trouble(struct sitting *s, const struct base_message *m) {
    char text[sizeof m->what + sizeof m->file + 16];
    free(s->trouble_text);
    s->trouble_text =
        base_format("The edited lesson does not load, so this one goes on as it was.\n\n"
                    "`%s`",
                    base_message_text(m, text, sizeof text));
    s->trouble = (struct study_event){.kind = STUDY_TROUBLE,
                                      .tone = STUDY_BAD,
                                      .text = s->trouble_text,
                                      .title = "",
                                      .item = "",
                                      .verdict = ""};
    s->troubled = true;
}

/* The new lesson takes the old one's chair; on failure nothing has changed. */
static bool reload(struct sitting *s, struct base_message *m) {
    struct loaded fresh = {0};
    if (!loaded_open(&fresh, s->path, m)) return false;
    bool same = strcmp(study_lesson_id(fresh.lesson), sitting_lesson_id(s)) == 0;
    if (!same)
        base_fail_at(m, s->path, 0,
                     "the lesson's id was %s and is now %s: leave it and open it anew",
                     sitting_lesson_id(s), study_lesson_id(fresh.lesson));
    if (!same || !study_reload(s->dialogue, fresh.lesson, script_source(fresh.script), m)) {
        loaded_close(&fresh);
        return false;
    }
    loaded_close(&s->old);
    s->old = s->now;
    s->now = fresh;
    s->counted = false;
    desk_keep_outline(s->desk, s->now.lesson);
    return true;
}

bool sitting_refresh(struct sitting *s) {
    struct base_message m = {0};
    if (!s->watch || !script_watch_changed(s->watch)) return false;
    if (!reload(s, &m))
        tell_trouble(s, &m);
    else
        s->troubled = false; /* what was wrong is mended */
    return true;
}
