/* learner: the course and the learner's record, without running a lesson. */
#include "session/inside.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    LESSONS_MOST = BASE_COUNT(((struct lesson_course *)0)->lesson),
    EXTRAS_MOST = BASE_COUNT(((struct lesson_course *)0)->extra)
};
struct learner {
    struct lesson_course course;
    struct store *store;
    /* lessons as search last read them, each with its file's state then; then the extras */
    struct cached {
        struct loaded lesson;
        struct stat file;
        bool tried;
    } cached[LESSONS_MOST + EXTRAS_MOST], cases;
    struct learner_book book[SESSION_BOOKS];
    const struct session_command *command;
    size_t commands;
    struct learner_reviews reviews;
    struct learner_mastery mastery;
    struct learner_rounds rounds[LESSONS_MOST];
    struct learner_class classwork;
    struct session_plains plains;
};

static bool read_course(struct lesson_course *c, struct base_message *m) {
    if (!base_share())
        return base_fail(m, "the lessons were not found: set ZEROTUTOR_SHARE to the folder that "
                            "holds lessons/ and lua/");
    char *path = base_share_path("lessons/course.json");
    json_t *json = base_json_read_file(path, m);
    free(path);
    if (!json) return false;
    bool ok = lesson_course_read(c, json, m);
    json_decref(json);
    return ok;
}

struct learner *session_learner_open_course(struct base_message *m) {
    struct learner *who = base_alloc(sizeof *who);
    if (read_course(&who->course, m)) return who;
    free(who);
    return NULL;
}

struct learner *session_learner_of(struct store *store, struct base_message *m) {
    struct learner *who = session_learner_open_course(m);
    if (who)
        who->store = store;
    else
        store_close(store);
    return who;
}

struct learner *session_learner_open(const char *store_path, struct base_message *m) {
    struct learner *who = session_learner_open_course(m);
    if (!who) return NULL;
    who->store = store_path ? store_open(store_path, m) : session_record_open(m);
    if (!who->store) {
        session_learner_close(who);
        return NULL;
    }
    if (!store_path) session_classwork_begin(&who->classwork, who->store);
    return who;
}

bool session_learner_turns(const struct learner *who) {
    return who->classwork.turned;
}

struct learner_reviews *session_learner_reviews(struct learner *who) {
    return &who->reviews;
}

struct learner_class *session_learner_classwork(struct learner *who) {
    return &who->classwork;
}

struct learner_mastery *session_learner_mastery(struct learner *who) {
    return &who->mastery;
}

void session_deck_free(struct learner_deck *d) {
    for (size_t i = 0; i < d->count; i++) {
        free((char *)d->thing[i].item);
        free((char *)d->thing[i].about);
        free(d->title[i]);
    }
    free(d->thing);
    free(d->title);
    *d = (struct learner_deck){0};
}

void session_learner_close(struct learner *who) {
    if (!who) return;
    session_classwork_end(&who->classwork, who->store);
    for (size_t i = 0; i < session_learner_entries(who); i++)
        session_loaded_close(&who->cached[i].lesson);
    session_loaded_close(&who->cases.lesson);
    for (size_t i = 0; i < SESSION_BOOKS; i++) json_decref(who->book[i].list);
    review_record_free(who->reviews.record);
    review_mastery_free(who->mastery.fold);
    session_deck_free(&who->reviews.deck);
    session_plains_free(&who->plains);
    if (who->store) store_close(who->store);
    lesson_course_free(&who->course);
    free(who);
}

struct store *session_learner_store(struct learner *who) {
    return who->store;
}

struct learner_rounds *session_learner_rounds(struct learner *who, size_t i) {
    assert(i < who->course.lessons);
    return &who->rounds[i];
}

const struct lesson_course *session_learner_course(const struct learner *who) {
    return &who->course;
}

/* The path of a file of the course, the caller's. */
static char *path_of(const char *file) {
    char *relative = base_format("lessons/%s", file);
    char *path = base_share_path(relative);
    free(relative);
    return path;
}

size_t session_learner_entries(const struct learner *who) {
    return who->course.lessons + who->course.extras;
}

const struct lesson_entry *session_learner_entry(const struct learner *who, size_t i) {
    assert(i < session_learner_entries(who));
    size_t lessons = who->course.lessons;
    return i < lessons ? &who->course.lesson[i] : &who->course.extra[i - lessons];
}

size_t session_learner_find_entry(const struct learner *who, const char *id, size_t length) {
    size_t i = 0, all = session_learner_entries(who);
    while (i < all && (strlen(session_learner_entry(who, i)->id) != length ||
                       memcmp(session_learner_entry(who, i)->id, id, length) != 0))
        i++;
    return i;
}

char *session_learner_path(const struct learner *who, size_t i) {
    const char *file = session_learner_entry(who, i)->file;
    return file ? path_of(file) : NULL;
}

static bool unchanged(const struct stat *a, const struct stat *b) {
    return a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* A lesson as its file is now; takes over `path`, which may be NULL. */
static const struct loaded *take(struct learner *who, struct cached *s, char *path) {
    struct stat now;
    bool there = path && stat(path, &now) == 0;
    s->tried = true;
    if (!there || !unchanged(&now, &s->file)) {
        session_loaded_close(&s->lesson);
        s->file = there ? now : (struct stat){0};
        if (there) session_loaded_read(&s->lesson, who->store, path, NULL);
    }
    free(path);
    return s->lesson.lesson ? &s->lesson : NULL;
}

const struct loaded *session_learner_lesson(struct learner *who, size_t i) {
    return take(who, &who->cached[i], session_learner_path(who, i));
}

const struct loaded *session_learner_cases(struct learner *who) {
    return take(who, &who->cases, who->course.cases ? path_of(who->course.cases) : NULL);
}

const struct loaded *session_learner_cached(const struct learner *who, size_t i) {
    return who->cached[i].lesson.lesson ? &who->cached[i].lesson : NULL;
}

bool session_learner_was_read(const struct learner *who, size_t i) {
    return who->cached[i].tried;
}

struct session_plains *session_learner_plains(struct learner *who) {
    return &who->plains;
}

struct learner_book *session_learner_book(struct learner *who, enum session_book b) {
    return &who->book[b];
}

void session_learner_set_commands(struct learner *who, const struct session_command *command,
                                  size_t count) {
    who->command = command;
    who->commands = count;
}

const struct session_command *session_learner_commands(const struct learner *who, size_t *count) {
    *count = who->commands;
    return who->command;
}

const char *session_learner_goal(struct learner *who, size_t i) {
    const struct loaded *l = session_learner_lesson(who, i);
    return l ? lesson_goal(l->lesson) : "";
}

/* ── finding ───────────────────────────────────────────────────────────────────────────────────*/
/* Whatever the two are called, links included. */
static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    return a && b && stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

size_t session_learner_find_id(const struct learner *who, const char *id, size_t length) {
    size_t i = 0;
    while (i < who->course.lessons && (strlen(who->course.lesson[i].id) != length ||
                                       memcmp(who->course.lesson[i].id, id, length) != 0))
        i++;
    return i;
}

static bool is_lesson(const struct learner *who, size_t i, const char *name) {
    const struct lesson_entry *l = &who->course.lesson[i];
    if (strcmp(l->id, name) == 0) return true;
    if (!l->file || !strstr(name, ".lua")) return false;
    char *path = session_learner_path(who, i);
    bool same = strcmp(l->file, name) == 0 || same_file(path, name);
    free(path);
    return same;
}

bool session_learner_exists(const struct learner *who, size_t i) {
    const struct lesson_course *c = &who->course;
    if (c->lesson[i].kind == LESSON_ORDINARY) return c->lesson[i].file != NULL;
    for (size_t k = 0; k < c->lessons; k++)
        if (c->lesson[k].phase == c->lesson[i].phase && c->lesson[k].file) return true;
    return false;
}

size_t session_learner_find(struct learner *who, const char *id) {
    size_t i = 0;
    while (i < who->course.lessons && !is_lesson(who, i, id)) i++;
    return i;
}

/* Answers are kept under the lesson's id, so an id of the course belongs to the course's own file:
 * any other one would write into the record of that lesson. */
char *session_learner_extra(const struct learner *who, const char *id) {
    const struct lesson_entry *extra = lesson_course_extra(&who->course, id);
    return extra ? path_of(extra->file) : NULL;
}

bool session_learner_lends_id(const struct learner *who, const char *id, const char *path,
                              struct base_message *m) {
    size_t i = session_learner_find_id(who, id, strlen(id));
    if (i == who->course.lessons) return true;
    char *own = session_learner_path(who, i);
    bool lent = same_file(own, path);
    free(own);
    if (lent) return true;
    return base_fail_at(m, path, 0,
                        "its id is %s, which is the course's lesson \"%s\", so answers would go "
                        "into that lesson's record: change the id in this file",
                        id, who->course.lesson[i].title);
}

/* ── what is kept for it ───────────────────────────────────────────────────────────────────────*/
/* A lesson's outline is a setting: its steps' ids in their order, a blank between. */
static char *outline_name(const char *lesson) {
    return base_format("outline/%s", lesson);
}

/* The ids of the steps that are `in`, a blank between; the caller's. */
static char *ids_of(const struct lesson *l, bool (*in)(const struct lesson *l, size_t i)) {
    struct base_text ids = {0};
    for (size_t i = 0; i < lesson_steps(l); i++)
        if (in(l, i))
            base_text_printf(&ids, "%s%s", ids.s ? " " : "",
                             base_json_text(lesson_step(l, i), "id", "?"));
    return base_text_take(&ids);
}

/* What the dialogue passes over is not counted. */
static char *outline_of(const struct lesson *l) {
    return ids_of(l, lesson_step_passed);
}

static void keep_setting(struct learner *who, const char *name, const char *value) {
    char *old = store_setting(who->store, name);
    /* Failing to keep it costs a number on the home screen and nothing else. The learner does not
     * wait for a disk before the first page. */
    if (!old || strcmp(old, value) != 0) store_set_derived(who->store, name, value);
    free(old);
}

void session_learner_keep(struct learner *who, const char *what, const char *lesson,
                          const char *value) {
    char *name = base_format("%s/%s", what, lesson);
    keep_setting(who, name, value);
    free(name);
}

void session_learner_keep_graded(struct learner *who, const struct lesson *l) {
    size_t graded = 0;
    for (size_t i = 0; i < lesson_steps(l); i++)
        graded += lesson_graded(l, i) && lesson_step_counts(l, i);
    char *name = base_format("graded/%s", lesson_id(l));
    char *count = base_format("%zu", graded);
    keep_setting(who, name, count);
    free(count);
    free(name);
    session_learner_keep_asked(who, l);
}

void session_learner_keep_asked(struct learner *who, const struct lesson *l) {
    char *name = base_format("asked/%s", lesson_id(l));
    char *ids = ids_of(l, lesson_step_counts);
    keep_setting(who, name, ids);
    free(ids);
    free(name);
}

void session_learner_keep_since(struct learner *who, const struct lesson *l) {
    char *outline = outline_of(l), *name = outline_name(lesson_id(l));
    char *before = store_setting(who->store, name);
    char *since = base_format("since/%s", lesson_id(l));
    char *answer = base_format("%lld", (long long)store_last_answer(who->store));
    if (!before || strcmp(before, outline) != 0) keep_setting(who, since, answer);
    free(answer);
    free(since);
    free(before);
    free(name);
    free(outline);
}

void session_learner_keep_outline(struct learner *who, const struct lesson *l) {
    char *outline = outline_of(l), *name = outline_name(lesson_id(l));
    keep_setting(who, name, outline);
    free(name);
    free(outline);
}

/* ── what was kept ─────────────────────────────────────────────────────────────────────────────*/
char *session_learner_kept(struct learner *who, const char *what, const char *lesson) {
    char *name = base_format("%s/%s", what, lesson), *value = store_setting(who->store, name);
    free(name);
    return value;
}

/* A count as it is kept: digits and nothing else. False if there is none: nothing is made of what
 * was not written here. */
static bool read_count(const char *text, int64_t *count) {
    if (!text || !*text || text[strspn(text, "0123456789")]) return false;
    errno = 0;
    *count = strtoll(text, NULL, 10);
    return errno == 0;
}

bool session_learner_kept_count(struct learner *who, const char *what, const char *lesson,
                                int64_t *count) {
    char *name = base_format("%s/%s", what, lesson);
    bool known = session_kept_count(who->store, name, count);
    free(name);
    return known;
}

bool session_kept_count(struct store *store, const char *name, int64_t *count) {
    char *text = store_setting(store, name);
    bool known = read_count(text, count);
    free(text);
    return known;
}

size_t session_learner_graded(struct learner *who, const char *lesson) {
    int64_t graded;
    bool known = session_learner_kept_count(who, "graded", lesson, &graded);
    return known && graded <= LEARNER_STEPS_MOST ? (size_t)graded : 0;
}
