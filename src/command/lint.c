/* lint: checks lessons: that they load, that the lesson language finds nothing wrong with them,
 * that every figure can be drawn, and that the course says the same of them. */
#include "command/lint.h"
#include "script/script.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ── many files ────────────────────────────────────────────────────────────────────────────────*/
enum { ATONCE_MOST = 64 };

struct job {
    pid_t pid;
    int fd;
};

static bool begin(struct job *j, const char *path, lint_one *one, void *self) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    fflush(stdout);
    j->pid = fork();
    if (j->pid == 0) {
        close(ends[0]);
        json_t *found = one(self, path);
        _exit(json_dumpfd(found, ends[1], JSON_COMPACT) == 0 ? 0 : 1);
    }
    close(ends[1]);
    j->fd = ends[0];
    if (j->pid > 0) return true;
    close(ends[0]);
    return false;
}

/* What the job found; NULL if it died. */
static json_t *finish(struct job *j) {
    json_t *found = json_loadfd(j->fd, 0, NULL);
    int status;
    close(j->fd);
    waitpid(j->pid, &status, 0);
    return found;
}

static size_t at_once(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > ATONCE_MOST ? ATONCE_MOST : (size_t)n;
}

/* Lints files side by side and hands on what was found in their order; `each` takes it over. */
static void lint_many(char *const *path, size_t count, lint_one *one,
                      void (*each)(void *self, json_t *found), void *self) {
    struct job job[ATONCE_MOST];
    size_t begun = 0, most = at_once();
    for (size_t done = 0; done < count; done++) {
        while (begun < count && begun < done + most &&
               begin(&job[begun % most], path[begun], one, self))
            begun++;
        json_t *found = begun > done ? finish(&job[done % most]) : NULL;
        if (begun == done) begun++; /* no process could be had: it is done here */
        if (!found) found = one(self, path[done]);
        each(self, found);
    }
}

/* ── one file ──────────────────────────────────────────────────────────────────────────────────*/
enum { SEEDS = 100, SEEDS_MOST = 100000, LESSON_MOST = 1 << 18 };

static void add_finding(void *to, const struct base_message *m) {
    command_lint_add(to, m);
}

static void add_worst(void *to, const char *line) {
    struct lint_lesson *l = to;
    l->worst = base_grow(l->worst, l->worsts + 1, sizeof *l->worst);
    l->worst[l->worsts++] = base_dup(line);
}

/* ── against the course ────────────────────────────────────────────────────────────────────────*/
static void compare_text(struct lint_lesson *l, const char *what, const char *says,
                         const char *course) {
    struct base_message m = {0};
    if (strcmp(says, course) == 0) return;
    base_fail_at(&m, l->path, 0, "%s is \"%s\" here and \"%s\" in course.json", what, says, course);
    command_lint_add(l, &m);
}

static void compare(struct lint_lesson *l, const struct lesson *lesson,
                    const struct lesson_entry *c) {
    struct base_message m = {0};
    compare_text(l, "id", lesson_id(lesson), c->id);
    compare_text(l, "title", lesson_title(lesson), c->title);
    if (lesson_minutes(lesson) == c->minutes) return;
    base_fail_at(&m, l->path, 0, "minutes is %d in course.json, and it takes %d to read and do",
                 c->minutes, lesson_minutes(lesson));
    command_lint_add(l, &m);
}

/* ── one file ──────────────────────────────────────────────────────────────────────────────────*/
struct linting {
    const struct arguments *arguments;
    struct lesson_course course;
    bool has_course;
    int seeds;
    size_t lessons, findings;
    /* NULL: for people */
    json_t *json;
};

static const struct lesson_entry *course_lesson(const struct linting *t, const char *path) {
    for (size_t i = 0; t->has_course && i < t->course.lessons; i++) {
        const struct lesson_entry *c = &t->course.lesson[i];
        if (!c->file) continue;
        char *relative = base_format("lessons/%s", c->file), *file = base_share_path(relative);
        char *real = realpath(path, NULL), *listed = realpath(file, NULL);
        bool same = real && listed && strcmp(real, listed) == 0;
        free(listed);
        free(real);
        free(file);
        free(relative);
        if (same) return c;
    }
    return NULL;
}

/* Whether a step failed already: then taking the lesson would only fail, or hang, at it again. */
static bool blames_a_step(const struct lint_lesson *l) {
    for (size_t i = 0; i < l->findings; i++)
        if (l->finding[i].line > 0) return true;
    return false;
}

static void check_lesson(const struct linting *t, struct lint_lesson *l,
                         const struct lesson *lesson, struct lesson_source source) {
    const struct lesson_entry *c = course_lesson(t, l->path);
    snprintf(l->id, sizeof l->id, "%s", lesson_id(lesson));
    l->steps = lesson_steps(lesson);
    if (c) compare(l, lesson, c);
    lesson_lint(lesson, source, t->seeds, add_finding, add_worst, l);
    if (!blames_a_step(l)) command_lint_walk(l, lesson, source);
}

/* As a session reads it: with what labs bring of their own, and the source that is read. NULL where
 * something is wrong. */
static struct lesson *read_lesson(const json_t *said, const char *path, struct base_message *m) {
    json_t *whole = json_deep_copy(said);
    struct lesson *lesson = session_complete(whole, path, m) ? lesson_read(whole, path, m) : NULL;
    json_decref(whole);
    return lesson;
}

static void check_prose(struct lint_lesson *l) {
    size_t n;
    char *text = base_file_read(l->path, LESSON_MOST, &n, NULL);
    if (text) command_lint_literals(l, text);
    free(text);
}

static void check_file(const struct linting *t, struct lint_lesson *l) {
    struct base_message m = {0};
    struct script *script = script_open(l->path, NULL, &m);
    const json_t *book = script ? command_lint_book_of(script_lesson(script)) : NULL;
    struct lesson *lesson =
        script && !book ? read_lesson(script_lesson(script), l->path, &m) : NULL;
    if (book) {
        command_lint_book(l, book, t->has_course ? &t->course : NULL);
        check_prose(l);
    } else if (lesson) {
        check_lesson(t, l, lesson, script_source(script));
        check_prose(l);
    } else
        command_lint_add(l, &m);
    if (lesson) lesson_free(lesson);
    if (script) script_close(script);
}

/* One line, and nothing in it that drives a terminal. */
static char *clean_name(const char *path) {
    char *name = base_clean_dup(path, strlen(path), strlen(path) * 3 + 1);
    for (char *c = name; *c; c++)
        if (*c == '\n' || *c == '\t') *c = ' ';
    return name;
}

/* In a process of its own. */
static json_t *lint_file(void *self, const char *path) {
    struct lint_lesson l = {.path = base_dup(path), .name = clean_name(path)};
    check_file(self, &l);
    json_t *found = command_lint_json(&l);
    if (l.book) json_object_set_new(found, "book", json_true());
    command_lint_free(&l);
    return found;
}

static void take_found(void *self, json_t *found) {
    struct linting *t = self;
    t->lessons += !base_json_bool(found, "book", false);
    t->findings += json_array_size(json_object_get(found, "findings"));
    if (!t->json) command_lint_print(found, command_arguments_has(t->arguments, "verbose"));
    if (t->json)
        json_array_append_new(t->json, found);
    else
        json_decref(found);
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
static bool read_course(struct linting *t, struct base_message *m) {
    if (!base_share())
        return base_fail(m,
                         "the course was not found: name the lesson files, or set ZEROTUTOR_SHARE");
    char *path = base_share_path("lessons/course.json");
    json_t *json = base_json_read_file(path, m);
    free(path);
    t->has_course = json && lesson_course_read(&t->course, json, m);
    json_decref(json);
    return t->has_course;
}

/* The lessons of the course that are written, and the books next to them. */
static void lint_course(struct linting *t) {
    static const char *const books[] = {"lessons/glossary.lua", "lessons/questions.lua"};
    char *path[BASE_COUNT(t->course.lesson) + BASE_COUNT(books)];
    size_t n = 0;
    for (size_t i = 0; i < t->course.lessons; i++) {
        if (!t->course.lesson[i].file) continue;
        char *relative = base_format("lessons/%s", t->course.lesson[i].file);
        path[n++] = base_share_path(relative);
        free(relative);
    }
    for (size_t i = 0; i < BASE_COUNT(books); i++) {
        char *book = base_share_path(books[i]);
        if (access(book, F_OK) == 0)
            path[n++] = book;
        else
            free(book);
    }
    lint_many(path, n, lint_file, take_found, t);
    for (size_t i = 0; i < n; i++) free(path[i]);
}

static int tell(struct linting *t) {
    int status = t->findings ? COMMAND_FAILED : COMMAND_WELL;
    if (t->json)
        command_say_json(
            json_pack("{so sI}", "lessons", t->json, "findings", (json_int_t)t->findings));
    else if (t->lessons > 1)
        printf("%zu lessons, %zu findings\n", t->lessons, t->findings);
    if (t->has_course) lesson_course_free(&t->course);
    return status;
}

static int run(const struct arguments *a) {
    struct linting t = {.arguments = a};
    struct base_message m = {0};
    long seeds;
    if (command_arguments_has(a, "new")) return command_lint_new(a);
    if (command_arguments_has(a, "stats")) return command_lint_stats(a);
    if (!command_arguments_number(a, "seeds", 1, SEEDS_MOST, SEEDS, &seeds)) return COMMAND_USAGE;
    if (!read_course(&t, &m) && a->operands == 0) return command_say_message(&m);
    t.seeds = (int)seeds;
    t.json = command_arguments_has(a, "json") ? json_array() : NULL;
    if (a->operands > 0)
        lint_many((char *const *)a->operand, a->operands, lint_file, take_found, &t);
    else
        lint_course(&t);
    return tell(&t);
}

static const struct command_option options[] = {
    {"seeds", "N", NULL, "variants to try of each problem (default: 100)"},
    {"verbose", NULL, NULL, "also show each problem's hardest pair to tell apart"},
    {"json", NULL, NULL, "findings or statistics as JSON"},
    {"stats", NULL, NULL, "item statistics from the records FILE, one per learner"},
    {"new", "ID", NULL, "writes a starter lesson to FILE (default: standard output)"},
};
static const char *const examples[] = {
    "zerotutor lint",
    "zerotutor lint my-lesson.lua --seeds 500 --verbose",
    "zerotutor lint --new 5.1 my-lesson.lua",
    "zerotutor lint --stats class/*.db",
    NULL,
};

const struct command command_lint = {
    .name = "lint",
    .rare = true,
    .summary = "checks lessons",
    .operands = "[FILE...]",
    .operand_choices = "FILE",
    .most = OPERANDS_MOST,
    .about = "Checks the lesson files that you name, or the whole course: each must load, every "
             "problem must be solvable and its mistakes distinct under many seeds, and every "
             "figure must draw. Findings go to standard output as `file:line: message`.\n\n"
             "With `--stats` the files are learners' records (default: yours). For each item it "
             "prints the share of learners whose first answer was right, the corrected item-total "
             "correlation r (from three learners on) and the commonest mistake. From ten learners "
             "on it marks items that are too easy (over 90% right) or too hard (under 30%). From "
             "30 learners on it also marks items that tell learners apart weakly (r under 0.2), "
             "and items whose answer you should check (r under 0).\n\n"
             "The exit status is 1 if there are findings.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
