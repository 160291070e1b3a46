/* Recordings: a stream of events played at the pace at which it was made. The stream has no clock
 * of its own; a step says how long it took, and each collective when in its step it was done, which
 * is enough to lay out the lines between. */
#include "experiment/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAPE_MOST = 64 << 20, RANKS_MOST = 1 << 16 };

/* ── the beginning must be a start ─────────────────────────────────────────────────────────────*/
static bool check_start(const struct experiment_tape *t, const char *path, struct base_message *m) {
    json_error_t e;
    if (t->lines == 0) return base_fail_at(m, path, 0, "the recording is empty");
    json_t *first = json_loadb(t->line[0].s, t->line[0].n, 0, &e);
    const char *event = base_json_text(first, "event", NULL);
    int64_t version = base_json_int(first, "v", 0);
    bool fine = false;
    if (!json_is_object(first))
        base_fail_at(m, path, 1,
                     "this is no recording: its first line is not an event of zerolab (JSON Lines, "
                     "a start event first)");
    else if (!event || strcmp(event, "start") != 0)
        base_fail_at(m, path, 1,
                     "this recording has no beginning: its first line is %s%s%s, and must be a "
                     "start event",
                     event ? "a \"" : "no event", event ? event : "", event ? "\" event" : "");
    else if (version != 1)
        base_fail_at(m, path, 1,
                     "the recording has version %lld of the events, and this tutor reads version "
                     "1: take the zerotutor that goes with the zerolab that made it",
                     (long long)version);
    else
        fine = true;
    json_decref(first);
    return fine;
}

/* ── what cannot be ────────────────────────────────────────────────────────────────────────────*/
struct checking {
    const char *path;
    int64_t ranks;
    size_t starts;
};

static bool check_ranks(const struct checking *c, int line, struct base_message *m) {
    if (c->starts > 1)
        return base_fail_at(m, c->path, line,
                            "a second start: this file holds more than one recording; keep each "
                            "in a file of its own");
    if (c->ranks >= 1 && c->ranks <= RANKS_MOST) return true;
    return base_fail_at(m, c->path, line, "%lld ranks cannot be: there are 1 to %d",
                        (long long)c->ranks, RANKS_MOST);
}

static bool check_rank(const struct checking *c, const json_t *event, int line,
                       struct base_message *m) {
    int64_t rank = base_json_int(event, "rank", 0);
    if (rank >= 0 && rank < c->ranks) return true;
    return base_fail_at(m, c->path, line,
                        "rank %lld cannot be: the recording has %lld rank%s, "
                        "counted from 0",
                        (long long)rank, (long long)c->ranks, c->ranks == 1 ? "" : "s");
}

static bool check_event(struct checking *c, const json_t *event, int line, struct base_message *m) {
    const char *name = base_json_text(event, "event", "");
    const json_t *words;
    size_t i;
    if (strcmp(name, "start") == 0) {
        c->starts++;
        if (c->starts == 1) c->ranks = base_json_int(event, "ranks", 1);
        return check_ranks(c, line, m);
    }
    json_array_foreach(json_object_get(event, "ranks"), i, words) {
        if (!check_rank(c, words, line, m)) return false;
    }
    return !strcmp(name, "error") || check_rank(c, event, line, m);
}

/* ── when each line is due ─────────────────────────────────────────────────────────────────────*/
static void cut(struct experiment_tape *t, size_t length) {
    const char *end = t->text + length;
    size_t capacity = 0;
    for (const char *s = t->text; s < end;) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        size_t n = (size_t)((stop ? stop : end) - s);
        if (t->lines == capacity) {
            capacity = capacity ? capacity * 2 : 256;
            t->line = base_grow(t->line, capacity, sizeof *t->line);
        }
        t->line[t->lines++] = (struct experiment_tape_line){.s = s, .n = n};
        s += n + 1;
    }
}

/* A line's place in its step, as far as it tells: a collective is heard when it is done. */
struct hint {
    double start, end;
    bool known;
};

static double begin_of(const struct hint *hint, size_t from, size_t to, double ms) {
    double first = INFINITY, last = 0;
    for (size_t i = from; i <= to; i++) {
        if (!hint[i].known) continue;
        first = fmin(first, hint[i].start);
        last = fmax(last, hint[i].end);
    }
    return isfinite(first) ? experiment_step_begin(first, last, ms) : 0;
}

/* Lines [from, to] are a step of `ms`: each at its own time if it has one, else spread evenly, none
 * before the one above it. */
static void lay_step(struct experiment_tape *t, const struct hint *hint, size_t from, size_t to,
                     double at, double ms) {
    double last = at, begin = begin_of(hint, from, to, ms);
    for (size_t i = from; i <= to; i++) {
        double part = hint[i].known ? fmin(fmax(hint[i].end - begin, 0), ms)
                                    : ms * (double)(i - from + 1) / (double)(to - from + 1);
        last = t->line[i].at = fmax(last, at + part);
    }
    t->line[to].at = at + ms;
}

/* False where an event says what cannot be. */
static bool lay_out(struct experiment_tape *t, const char *path, struct base_message *m) {
    struct checking c = {.path = path};
    bool fine = true;
    struct hint *hint = base_alloc((t->lines + 1) * sizeof *hint);
    double at = 0;
    size_t from = 0;
    for (size_t i = 0; fine && i < t->lines; i++) {
        json_t *event = json_loadb(t->line[i].s, t->line[i].n, 0, NULL);
        const char *name = base_json_text(event, "event", "");
        fine = !json_is_object(event) || check_event(&c, event, (int)i + 1, m);
        double ms = fmax(base_json_number(event, "ms", 0), 0);
        hint[i] = (struct hint){base_json_number(event, "start_ms", 0),
                                base_json_number(event, "end_ms", 0), strcmp(name, "comm") == 0};
        t->line[i].step = !strcmp(name, "step");
        t->line[i].at = at;
        if (t->line[i].step) {
            lay_step(t, hint, from, i, at, ms);
            at += ms;
        }
        if (t->line[i].step || !strcmp(name, "start") || !strcmp(name, "predict")) from = i + 1;
        json_decref(event);
    }
    free(hint);
    return fine;
}

struct experiment_tape *experiment_tape_open(const char *path, double speed,
                                             struct base_message *m) {
    size_t length = 0;
    char *text = base_file_read(path, TAPE_MOST, &length, m);
    return text ? experiment_tape_of(text, length, path, speed, m) : NULL;
}

struct experiment_tape *experiment_tape_of(char *text, size_t length, const char *path,
                                           double speed, struct base_message *m) {
    struct experiment_tape *t = base_alloc(sizeof *t);
    t->text = text;
    t->speed = speed;
    cut(t, length);
    if (!check_start(t, path, m) || !lay_out(t, path, m)) {
        experiment_tape_free(t);
        return NULL;
    }
    t->since = base_ticks();
    return t;
}

/* ── playing ───────────────────────────────────────────────────────────────────────────────────*/
static double clock_now(const struct experiment_tape *t) {
    if (t->paused) return t->clock;
    return t->clock + (double)(base_ticks() - t->since) * t->speed;
}

static void set_clock(struct experiment_tape *t, double clock) {
    t->clock = clock;
    t->since = base_ticks();
}

static bool all_at_once(const struct experiment_tape *t) {
    return !(t->speed > 0) && !t->paused;
}

const struct experiment_tape_line *experiment_tape_next(struct experiment_tape *t) {
    if (t->next == t->lines) return NULL;
    const struct experiment_tape_line *line = &t->line[t->next];
    if (!all_at_once(t) && line->at > clock_now(t)) return NULL;
    t->next++;
    return line;
}

int experiment_tape_due(const struct experiment_tape *t) {
    if (t->next == t->lines) return 0; /* stopped where it was: its end is to be seen */
    double left = t->line[t->next].at - clock_now(t);
    if (left <= 0 || all_at_once(t)) return 0;
    if (t->paused) return -1;
    return left / t->speed < 60000 ? (int)ceil(left / t->speed) : 60000;
}

void experiment_tape_slow_down(struct experiment_tape *t, int ms) {
    double length = t->lines ? t->line[t->lines - 1].at : 0;
    if (length > 0 && length < ms) t->speed = length / ms;
}

void experiment_tape_pause(struct experiment_tape *t, bool paused) {
    if (t->paused == paused) return;
    set_clock(t, clock_now(t));
    t->paused = paused;
}

void experiment_tape_advance(struct experiment_tape *t) {
    for (size_t i = t->next; i < t->lines; i++) {
        if (!t->line[i].step && i + 1 < t->lines) continue;
        if (t->line[i].at > clock_now(t)) set_clock(t, t->line[i].at);
        return;
    }
}

void experiment_tape_free(struct experiment_tape *t) {
    if (!t) return;
    free(t->line);
    free(t->text);
    free(t);
}
