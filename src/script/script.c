#include "script/script.h"

#include "script/drawn.h"
#include "script/guard.h"
#include "script/open.h"
#include "script/process.h"
#include "script/sandbox.h"
#include "script/wire.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define SOFT_MS  150
#define HARD_MS  300
#define PATIENCE 10
#define LATE     "takes longer than %d ms and was stopped; is there a loop that does not end?"

struct script {
    char *name;
    /* the request that loads it, for every new worker */
    char *load;
    struct script_limits limits;
    process_main *run;
    struct process worker;
    json_t *lesson;
    /* NULL until several calls are made */
    struct script_drawn *drawn;
};

/* ── talking to the worker ─────────────────────────────────────────────────────────────────────*/

static bool fail_at(const struct script *s, struct base_message *m, int line, const char *text) {
    char *clean = base_clean_dup(text, strlen(text), 360);
    base_fail_at(m, s->name, line, "%s", clean);
    free(clean);
    return false;
}

static bool fail_late(const struct script *s, struct base_message *m, int line) {
    return base_fail_at(m, s->name, line, "this " LATE, s->limits.soft_ms);
}

/* Ends a worker that does not answer as it should, and says how it ended. */
static bool fail_dead(struct script *s, bool was_late, struct base_message *m) {
    int line = was_late ? s->worker.trace->line : 0;
    bool began = s->worker.trace->began, unguarded = s->worker.trace->unguarded;
    int status = script_process_end(&s->worker);
    if (was_late && !began)
        return fail_at(
            s, m, 0,
            "the lesson's worker did not start in time; is the machine very busy? Try again");
    if (was_late) return fail_late(s, m, line);
    if (unguarded && WIFEXITED(status))
        return fail_at(s, m, 0,
                       "the lesson was not run: this kernel refuses the filter that guards the "
                       "machine from it (seccomp)");
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        return fail_at(s, m, line,
                       "the lesson made a system call that lessons may not make, and was stopped");
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return fail_at(s, m, line, "the lesson used too much processor time and was stopped");
    if (WIFSIGNALED(status))
        return base_fail_at(m, s->name, line,
                            "the lesson's worker died (%s); the next try starts a new one",
                            strsignal(WTERMSIG(status)));
    return fail_at(s, m, line,
                   "the lesson's worker ended without an answer; the next try starts a new one");
}

/* Receives for so many milliseconds; and on, while the worker has used fewer of a processor that
 * others have: an honest lesson must not fail because the machine is busy. */
static enum wire_end receive_patiently(struct script *s, struct wire_in *in, int64_t allowed) {
    int64_t used = script_process_ticks(&s->worker), end_at = base_ticks() + PATIENCE * allowed;
    int64_t left = allowed;
    enum wire_end end;
    do {
        end = script_wire_receive(in, s->worker.fd, base_ticks() + left);
        left = allowed - (script_process_ticks(&s->worker) - used);
    } while (end == WIRE_LATE && left > 0 && base_ticks() < end_at &&
             script_process_starves(&s->worker));
    return end;
}

/* Asks and waits: a signal at the soft deadline, the end at the hard one. */
static bool exchange(struct script *s, const char *request, struct wire_in *in,
                     struct base_message *m) {
    struct trace *trace = s->worker.trace;
    trace->line = 0;
    trace->began = false;
    script_process_resume(&s->worker);
    enum wire_end end = script_wire_send(s->worker.fd, request, strlen(request),
                                         base_ticks() + PATIENCE * s->limits.soft_ms);
    if (end == WIRE_WHOLE) end = receive_patiently(s, in, s->limits.soft_ms);
    bool late = end == WIRE_LATE;
    if (late && trace->began) {
        assert(s->worker.pid > 0); /* it is ended only below: 0 would signal the tutor's group */
        kill(s->worker.pid, SIGALRM);
        end = receive_patiently(s, in, s->limits.hard_ms - s->limits.soft_ms);
    }
    if (end == WIRE_WHOLE) return true;
    if (end != WIRE_TOO_LONG) return fail_dead(s, late, m);
    script_process_end(&s->worker);
    return fail_at(s, m, 0, "the lesson's worker announced an answer over 1 MiB, and was stopped");
}

/* The answer's member `wanted` ("lesson", "value"), the caller's; NULL with the message for
 * anything else. */
static json_t *open_answer(struct script *s, json_t *answer, const char *wanted,
                           struct base_message *m) {
    const char *is = base_json_text(answer, "is", "");
    const char *text = base_json_text(answer, "text", "");
    int line = (int)base_json_int(answer, "line", 0);
    json_t *value = strcmp(is, wanted) == 0 ? json_object_get(answer, wanted) : NULL;
    if (value) return json_incref(value);
    if (strcmp(is, "error") == 0 && strcmp(text, SANDBOX_LATE) == 0)
        fail_late(s, m, line);
    else if (strcmp(is, "error") == 0)
        fail_at(s, m, line, text);
    else {
        script_process_end(&s->worker);
        fail_at(s, m, 0, "the lesson's worker gave an answer that makes no sense, and was stopped");
    }
    return NULL;
}

static json_t *ask(struct script *s, const char *request, const char *wanted,
                   struct base_message *m) {
    struct wire_in in = {0};
    json_t *value = NULL;
    if (exchange(s, request, &in, m)) {
        struct base_message why;
        json_t *answer = script_wire_json(&in, &why);
        if (answer) {
            value = open_answer(s, answer, wanted, m);
        } else {
            script_process_end(&s->worker);
            fail_at(s, m, 0, why.what);
        }
        json_decref(answer);
    }
    script_wire_free(&in);
    if (s->worker.pid > 0) script_process_rest(&s->worker);
    return value;
}

/* ── workers ───────────────────────────────────────────────────────────────────────────────────*/

/* Starts a worker and loads the lesson; the lesson as that worker tells it, the caller's. */
static json_t *start(struct script *s, struct base_message *m) {
    script_process_end(&s->worker);
    assert(s->worker.pid == 0); /* one worker at a time: none is left behind */
    if (!script_process_start(&s->worker, s->run, s->limits.unlocked, m)) return NULL;
    json_t *lesson = ask(s, s->load, "lesson", m);
    if (!lesson) script_process_end(&s->worker);
    return lesson;
}

static bool revive(struct script *s, struct base_message *m) {
    if (script_process_alive(&s->worker)) return true;
    json_t *lesson = start(s, m);
    json_decref(lesson);
    return lesson != NULL;
}

static json_t *call(void *self, int fn, uint64_t seed, struct base_message *m) {
    struct script *s = self;
    if (!revive(s, m)) return NULL;
    char request[REQUEST_CALL];
    script_request_call(request, fn, seed);
    return ask(s, request, "value", m);
}

/* Makes those calls of which `values` has nothing yet; how many of them were answered. */
static size_t call_all(struct script *s, const struct script_call *call, size_t n,
                       json_t **values) {
    if (!n) return 0;
    if (!revive(s, NULL)) return 0;
    char *request = script_request_calls(call, n);
    json_t *all = ask(s, request, "values", NULL);
    size_t got = json_array_size(all);
    if (got > n) got = n;
    for (size_t i = 0; i < got; i++) {
        const json_t *answer = json_array_get(all, i), *draws = json_object_get(answer, "draws");
        values[i] = json_incref(json_object_get(answer, "value"));
        if (values[i]) script_drawn_learn(s->drawn, call[i].fn, call[i].seed, draws, values[i]);
    }
    json_decref(all);
    free(request);
    return got;
}

size_t script_calls(struct script *s, const struct script_call *call, size_t n, json_t **values) {
    struct script_call *unknown = base_alloc((n + 1) * sizeof *unknown);
    size_t *place = base_alloc((n + 1) * sizeof *place), count = 0;
    json_t **given = base_alloc((n + 1) * sizeof(json_t *));
    if (!s->drawn) s->drawn = script_drawn_new();
    for (size_t i = 0; i < n; i++) {
        values[i] = json_incref(script_drawn_find(s->drawn, call[i].fn, call[i].seed));
        if (values[i]) continue;
        unknown[count] = call[i];
        place[count++] = i;
    }
    size_t got = call_all(s, unknown, count, given), end = got < count ? place[got] : n;
    for (size_t k = 0; k < got; k++) values[place[k]] = given[k];
    for (size_t i = end; i < n; i++) {
        json_decref(values[i]);
        values[i] = NULL;
    }
    free(given);
    free(place);
    free(unknown);
    return end;
}

static void restart(void *self) {
    struct script *s = self;
    script_process_end(&s->worker);
}

/* ── opening ───────────────────────────────────────────────────────────────────────────────────*/

static struct script_limits with_defaults(const struct script_limits *given) {
    struct script_limits limits = given ? *given : (struct script_limits){0};
    if (limits.soft_ms <= 0) limits.soft_ms = SOFT_MS;
    if (limits.hard_ms <= 0) limits.hard_ms = HARD_MS;
    if (GUARD_SANITIZED) limits.unlocked = true;
    return limits;
}

static struct script *make(process_main *run, const char *name, const char *text, size_t n,
                           const struct script_limits *limits, struct base_message *m) {
    char *load = script_request_load(name, text, n, m);
    if (!load) return NULL;
    struct script *s = base_alloc(sizeof *s);
    *s = (struct script){
        .name = base_dup(name), .load = load, .limits = with_defaults(limits), .run = run};
    return s;
}

/* Takes over `s`, which may be NULL. */
static struct script *run(struct script *s, struct base_message *m) {
    if (s) s->lesson = start(s, m);
    if (!s || s->lesson) return s;
    script_close(s);
    return NULL;
}

struct script *script_open_with(process_main *main, const char *name, const char *text, size_t n,
                                const struct script_limits *limits, struct base_message *m) {
    return run(make(main, name, text, n, limits, m), m);
}

struct script *script_open_text(const char *name, const char *text, size_t n,
                                const struct script_limits *limits, struct base_message *m) {
    return script_open_with(script_worker_main, name, text, n, limits, m);
}

static struct script *make_of_file(const char *path, const struct script_limits *limits,
                                   struct base_message *m) {
    size_t n;
    char *text = base_file_read(path, REQUEST_LESSON, &n, m);
    struct script *s = text ? make(script_worker_main, path, text, n, limits, m) : NULL;
    free(text);
    return s;
}

struct script *script_open(const char *path, const struct script_limits *limits,
                           struct base_message *m) {
    return run(make_of_file(path, limits, m), m);
}

struct script *script_open_known(const char *path, json_t *lesson, struct base_message *m) {
    struct script *s = make_of_file(path, NULL, m);
    if (s) s->lesson = json_incref(lesson);
    return s;
}

bool script_ready(const struct script *s) {
    return script_process_alive(&s->worker);
}

void script_make_ready(struct script *s) {
    revive(s, NULL);
}

void script_close(struct script *s) {
    if (!s) return;
    script_process_end(&s->worker);
    json_decref(s->lesson);
    script_drawn_free(s->drawn);
    free(s->load);
    free(s->name);
    free(s);
}

const json_t *script_lesson(const struct script *s) {
    return s->lesson;
}

struct lesson_source script_source(struct script *s) {
    return (struct lesson_source){.self = s, .call = call, .restart = restart};
}

/* ── what guards ───────────────────────────────────────────────────────────────────────────────*/

/* A worker that does what it may not: where the filter works the kernel ends it before it can say
 * that nothing did. */
static void try_the_filter(int fd, struct trace *trace) {
    (void)trace;
    script_guard_try();
    script_wire_write(fd, "{}", 2);
}

const char *script_guards_of(bool unlocked) {
    struct base_message m;
    struct process p = {0};
    struct wire_in in = {0};
    if (!script_process_start(&p, try_the_filter, unlocked || GUARD_SANITIZED, &m))
        return "nothing: no worker starts";
    enum wire_end end = script_wire_receive(&in, p.fd, base_ticks() + (int64_t)PATIENCE * HARD_MS);
    bool unguarded = p.trace->unguarded;
    int status = script_process_end(&p);
    const char *instead = script_guard_without();
    script_wire_free(&in);
    if (end == WIRE_GONE && WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        return "seccomp filter, rlimits";
    if (unguarded) return "nothing: this kernel refuses the seccomp filter, so no lesson runs";
    return instead ? instead : "rlimits (no seccomp filter: a worker got past it)";
}

const char *script_guards(void) {
    return script_guards_of(false);
}
