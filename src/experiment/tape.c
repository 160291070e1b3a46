/* tape: a reel that is played at a pace: of a recording, which is checked before, or of a run that
 * was heard. */
#include "experiment/inside.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAPE_MOST = 64 << 20, RANKS_MOST = 1 << 16, VERSION = 1 };

/* ── the beginning must be a start ─────────────────────────────────────────────────────────────*/
static bool check_start(const struct experiment_reel *r, const char *path, struct base_message *m) {
    if (r->n == 0) return base_fail_at(m, path, 0, "the recording is empty");
    const struct experiment_event *first = &r->frame[0].event;
    const char *name = experiment_event_name(first);
    if (first->kind == EXPERIMENT_BROKEN)
        return base_fail_at(m, path, 1,
                            "this is not a recording: its first line is not an event of zerolab "
                            "(JSON Lines, a start event first)");
    if (first->kind != EXPERIMENT_START)
        return base_fail_at(m, path, 1,
                            "this recording has no beginning: its first line is %s%s%s, and must "
                            "be a start event",
                            name ? "a \"" : "no event", name ? name : "", name ? "\" event" : "");
    if (first->start->version != VERSION)
        return base_fail_at(m, path, 1,
                            "the recording has version %lld of the events, and this tutor reads "
                            "version 1: use a zerotutor as new as the zerolab that made it",
                            (long long)first->start->version);
    return true;
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
                            "a second start: this file holds more than one recording. Keep each in "
                            "a separate file");
    if (c->ranks >= 1 && c->ranks <= RANKS_MOST) return true;
    return base_fail_at(m, c->path, line, "%lld ranks are impossible: use 1 to %d",
                        (long long)c->ranks, RANKS_MOST);
}

static bool check_rank(const struct checking *c, int64_t rank, int line, struct base_message *m) {
    if (rank == EXPERIMENT_NO_RANK || (rank >= 0 && rank < c->ranks)) return true;
    return base_fail_at(m, c->path, line,
                        "rank %lld is impossible: the recording has %lld rank%s, counted from 0",
                        (long long)rank, (long long)c->ranks, c->ranks == 1 ? "" : "s");
}

static bool check_event(struct checking *c, const struct experiment_event *e, int line,
                        struct base_message *m) {
    if (e->kind == EXPERIMENT_START) {
        c->starts++;
        if (c->starts == 1) c->ranks = e->start->ranks;
        return check_ranks(c, line, m);
    }
    for (size_t i = 0; e->kind == EXPERIMENT_END && i < e->end->ranks; i++)
        if (!check_rank(c, e->end->rank[i].rank, line, m)) return false;
    return e->kind == EXPERIMENT_ERROR || check_rank(c, e->rank, line, m);
}

static bool check(const struct experiment_reel *r, const char *path, struct base_message *m) {
    struct checking c = {.path = path};
    if (!check_start(r, path, m)) return false;
    for (size_t i = 0; i < r->n; i++)
        if (!check_event(&c, &r->frame[i].event, (int)i + 1, m)) return false;
    return true;
}

/* ── opening ───────────────────────────────────────────────────────────────────────────────────*/
static void read_lines(struct experiment_tape *t, size_t length) {
    const char *end = t->text + length;
    for (const char *s = t->text; s < end;) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        size_t n = (size_t)((stop ? stop : end) - s);
        bool cut = n > EXPERIMENT_LINE_MOST;
        struct experiment_frame f = {.s = s, .n = cut ? EXPERIMENT_LINE_MOST : n};
        f.event = experiment_event_read(s, f.n, cut);
        experiment_reel_add(&t->own, &f);
        s += n + 1;
    }
}

struct experiment_tape *experiment_tape_of(const struct experiment_reel *reel,
                                           const struct experiment_state *source) {
    struct experiment_tape *t = base_alloc(sizeof *t);
    *t = (struct experiment_tape){
        .reel = reel, .source = source, .base = 1, .pace = 1, .since = base_ticks()};
    t->caught = source && !source->over && reel->n == 0;
    return t;
}

struct experiment_tape *experiment_tape_open(const char *path, double speed,
                                             struct base_message *m) {
    size_t length = 0;
    char *text = base_file_read(path, TAPE_MOST, &length, m);
    if (!text) return NULL;
    struct experiment_tape *t = experiment_tape_of(NULL, NULL);
    t->reel = &t->own;
    t->text = text;
    t->base = speed;
    read_lines(t, length);
    if (!check(&t->own, path, m)) {
        experiment_tape_free(t);
        return NULL;
    }
    t->since = base_ticks();
    return t;
}

/* ── playing ───────────────────────────────────────────────────────────────────────────────────*/
enum { PACE_MOST = 16 };

double experiment_tape_speed(const struct experiment_tape *t) {
    return t->base * t->pace;
}

static double clock_now(const struct experiment_tape *t) {
    if (t->paused) return t->clock;
    return t->clock + (double)(base_ticks() - t->since) * experiment_tape_speed(t);
}

static void set_clock(struct experiment_tape *t, double clock) {
    t->clock = clock;
    t->since = base_ticks();
}

static bool all_at_once(const struct experiment_tape *t) {
    return !(t->base > 0) && !t->paused;
}

/* While it stands still, what a run says of a step that goes is not shown: the step has no end
 * yet. */
static bool waits_for_its_step(const struct experiment_tape *t) {
    return t->paused && t->source && !t->source->over && t->next >= t->reel->from;
}

const struct experiment_frame *experiment_tape_next(struct experiment_tape *t) {
    assert(t->next <= t->reel->n); /* a reel only grows */
    if (t->next == t->reel->n || waits_for_its_step(t)) return NULL;
    const struct experiment_frame *f = &t->reel->frame[t->next];
    if (!all_at_once(t) && f->at > clock_now(t)) return NULL;
    t->next++;
    return f;
}

bool experiment_tape_ended(const struct experiment_tape *t) {
    return t->next == t->reel->n && (!t->source || t->source->over);
}

int experiment_tape_due(const struct experiment_tape *t) {
    if (experiment_tape_ended(t)) return 0; /* stopped where it was: its end is to be seen */
    if (t->next == t->reel->n || waits_for_its_step(t)) return -1;
    double left = t->reel->frame[t->next].at - clock_now(t);
    if (left <= 0 || all_at_once(t)) return 0;
    if (t->paused) return -1;
    left /= experiment_tape_speed(t);
    return left < 60000 ? (int)ceil(left) : 60000;
}

/* ── pace ──────────────────────────────────────────────────────────────────────────────────────*/
/* Of a run that goes: as long as its steps will take if they go on as they did. */
static double length_of(const struct experiment_tape *t) {
    const struct experiment_reel *r = t->reel;
    uint32_t steps = t->source ? experiment_own_steps(t->source) : 0;
    bool goes = t->source && !t->source->over && steps > r->told;
    return goes && r->told ? r->end / r->told * steps : r->end;
}

static void set_base(struct experiment_tape *t) {
    double length = length_of(t), base = length < t->least ? length / t->least : 1;
    if (!t->least || !(length > 0) || base == t->base) return;
    set_clock(t, clock_now(t));
    t->base = base;
}

void experiment_tape_slow_down(struct experiment_tape *t, int ms) {
    if (t->reel->end > 0 && t->reel->end < ms) t->base = t->reel->end / ms;
    t->least = t->source ? ms : 0;
}

void experiment_tape_follow(struct experiment_tape *t) {
    set_base(t);
    if (t->source && t->caught && !t->paused && experiment_tape_speed(t) >= 1)
        set_clock(t, t->reel->end);
}

/* What comes next begins where that ended. */
void experiment_tape_rest(struct experiment_tape *t) {
    t->caught = t->next == t->reel->n;
    if (t->source && t->caught && clock_now(t) > t->reel->end) set_clock(t, t->reel->end);
}

void experiment_tape_pace(struct experiment_tape *t, bool faster) {
    double pace = faster ? t->pace * 2 : t->pace / 2;
    if (pace > PACE_MOST || pace * PACE_MOST < 1) return;
    set_clock(t, clock_now(t));
    t->pace = pace;
}

void experiment_tape_finish(struct experiment_tape *t) {
    t->paused = false;
    t->base = 0;
}

void experiment_tape_pause(struct experiment_tape *t, bool paused) {
    if (t->paused == paused) return;
    set_clock(t, clock_now(t));
    t->paused = paused;
}

/* Where stepping stops: a step, or a collective that was timed alone. */
static bool is_stop(const struct experiment_frame *f) {
    return f->event.kind == EXPERIMENT_STEP || f->event.kind == EXPERIMENT_TIMED;
}

void experiment_tape_advance(struct experiment_tape *t) {
    const struct experiment_reel *r = t->reel;
    for (size_t i = t->next; i < r->n; i++) {
        if (!is_stop(&r->frame[i]) && i + 1 < r->n) continue;
        if (r->frame[i].at > clock_now(t)) set_clock(t, r->frame[i].at);
        return;
    }
}

void experiment_tape_rewind(struct experiment_tape *t, size_t stop) {
    double at = 0;
    for (size_t i = 0, told = 0; i < t->reel->n && told < stop; i++) {
        if (!is_stop(&t->reel->frame[i])) continue;
        at = t->reel->frame[i].at;
        told++;
    }
    t->next = 0;
    t->caught = false;
    set_clock(t, at);
}

void experiment_tape_free(struct experiment_tape *t) {
    if (!t) return;
    experiment_reel_free(&t->own);
    free(t->text);
    free(t);
}
