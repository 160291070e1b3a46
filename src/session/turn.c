/* turn: what a lab needs of the class's machine, and how long it may have it. */
#include "session/inside.h"

#include "session/membership.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum {
    MINUTE_MS = 60000,
    LOOK_MS = 250,
    SAY_AGAIN_MS = 60000,
    /* minutes for which a folder that cannot be used is tried again where nobody is at a terminal
     */
    TRIED_FOR = 3
};

struct session_turn {
    /* NULL: Slurm's */
    struct classroom_wait *wait;
    struct classroom_settings settings;
    char *lab, *gpus, *under;
    bool come, cpu;
    /* bytes that a rank may hold; 0: any */
    uint64_t cap;
    /* ticks */
    int64_t began;
    char over[sizeof((struct base_message *)0)->what + 200];
};

/* Slurm's GPUs are those of its nodes: the machine on which learners type may have none. */
static uint32_t gpus_of(const struct classroom_settings *s) {
    return classroom_uses_slurm(s) ? (uint32_t)s->gpus : 0;
}

/* Over all runs of a lab: they take one turn. */
static struct classroom_wish wish_of(const char *lab, const char *words,
                                     const struct classroom_settings *s) {
    struct classroom_wish w = {
        .kind = CLASSROOM_CPU, .slots = 1, .ranks = 1, .minutes = s->minutes_most};
    int cores = 1;
    const struct experiment_place place = {.there = gpus_of(s)};
    const struct experiment_lab *named = words ? NULL : experiment_lab_find(lab);
    size_t runs = named ? experiment_variants(named) : 1;
    snprintf(w.lab, sizeof w.lab, "%s", lab);
    for (size_t i = 0; i < runs; i++) {
        const char *line = words ? words : named ? named->variant[i].arguments : NULL;
        if (!line) line = "";
        int ranks = (int)experiment_ranks(line);
        int busy = (int)experiment_cores(line);
        w.ranks = ranks > w.ranks ? ranks : w.ranks;
        cores = busy > cores ? busy : cores;
        if (s->gpus && experiment_uses_gpu_in(line, &place)) w.kind = CLASSROOM_GPU;
    }
    if (named && named->scaled) w.ranks = s->ranks_most; /* as session_turn_capacity() allows */
    if (w.kind == CLASSROOM_CPU) w.slots = cores > w.ranks ? cores : w.ranks;
    return w;
}

static bool get_in_line(struct session_turn *t, const struct session_class *in,
                        const struct classroom_wish *w, struct base_message *m) {
    if (!classroom_uses_slurm(&t->settings))
        return (t->wait = classroom_wait_begin(in->folder, &t->settings, w, m)) != NULL;
    if (w->ranks > t->settings.ranks_most)
        return base_fail(m, "the class allows %d ranks for a lab, and this one has %d",
                         t->settings.ranks_most, w->ranks);
    t->under = classroom_srun(&t->settings, w);
    t->come = true;
    return true;
}

bool session_turn_begin(const char *lab, const char *words, struct session_turn **out,
                        struct base_message *m) {
    struct session_class in;
    *out = NULL;
    if (!session_class(&in) || !in.reachable || !in.running) return true;
    struct classroom_wish w = wish_of(lab, words, &in.settings);
    /* whose file it is says nothing in a synchronised folder */
    bool named = in.settings.synchronised && !*in.with;
    snprintf(w.with, sizeof w.with, "%s", named ? in.account : in.with);
    struct session_turn *t = base_alloc(sizeof *t);
    *t = (struct session_turn){.settings = in.settings,
                               .lab = base_dup(lab),
                               .cpu = w.kind == CLASSROOM_CPU,
                               .cap = in.settings.bytes_most / (uint64_t)w.ranks};
    if (get_in_line(t, &in, &w, m)) {
        *out = t;
        return true;
    }
    session_turn_end(t);
    return false;
}

bool session_lab_lacks_gpu(const struct experiment_lab *lab) {
    struct session_class in;
    struct experiment_place where = {0};
    const char *words = lab->variant[0].arguments;
    if (session_class(&in) && in.reachable && in.running) where.there = gpus_of(&in.settings);
    return words && experiment_lacks_gpu(words, &where);
}

bool session_turn_look(struct session_turn *t) {
    if (!t->wait || !classroom_wait_look(t->wait)) return t->come;
    if (t->come) return true;
    t->come = true;
    t->began = base_ticks();
    if (!t->cpu) t->gpus = classroom_slots_say(&classroom_wait_turn(t->wait)->slots);
    return true;
}

bool session_turn_has_come(const struct session_turn *t) {
    return t->come;
}

int session_turn_due(const struct session_turn *t) {
    return t->wait ? classroom_wait_due(t->wait) : -1;
}

const char *session_turn_over(struct session_turn *t) {
    int64_t most = t->settings.minutes_most;
    if (!t->wait) return NULL;
    if (classroom_wait_cancelled(t->wait))
        snprintf(t->over, sizeof t->over,
                 "This lab was taken out of the queue with `zerotutor class queue --cancel`.");
    else if (t->come && base_ticks() - t->began > most * MINUTE_MS)
        snprintf(t->over, sizeof t->over,
                 "The class allows %lld minute%s for one turn with a lab. This run was ended so "
                 "that the next learner can start.",
                 (long long)most, most == 1 ? "" : "s");
    return *t->over ? t->over : NULL;
}

/* what was said last: where one was in line, and why not */
struct said {
    int position, line;
    char *trouble;
    /* ticks when it is said again; 0: nothing was said yet */
    int64_t again;
};

/* How to leave, for who reads line by line. Takes and returns a text of the caller's. */
static char *add_way_out(const struct session_turn *t, char *text) {
    const struct experiment_lab *lab = experiment_lab_find(t->lab);
    char *machine = lab ? experiment_recorded_on(lab) : NULL;
    char *more = base_format("%s ^C leaves the queue%s%s%s.", text,
                             machine ? "; `zerotutor lab replay " : "", machine ? t->lab : "",
                             machine ? "` shows a recording of this lab instead" : "");
    free(machine);
    free(text);
    return more;
}

/* Whether the folder could not be used for too long where nobody can decide to leave. *since: ticks
 * from when on it could not; 0: it can be used. */
static bool gives_up(struct session_turn *t, int64_t *since) {
    const char *trouble = session_turn_trouble(t);
    if (!trouble) *since = 0;
    if (trouble && !*since) *since = base_ticks();
    if (!trouble || base_ticks() - *since < TRIED_FOR * MINUTE_MS) return false;
    snprintf(t->over, sizeof t->over,
             "The class's folder could not be used for %d minutes, so the lab did not run: %s.",
             TRIED_FOR, trouble);
    return true;
}

/* Says where one is in line if that changed, or was not said for a while. That the wait gets
 * shorter is no news. */
static void say_news(struct said *last, const struct session_turn *t,
                     void (*say)(void *to, const char *text), void *to) {
    const char *trouble = session_turn_trouble(t);
    int position = classroom_wait_turn(t->wait)->position, line = classroom_wait_line(t->wait);
    bool same = last->again && position == last->position && line == last->line &&
                strcmp(last->trouble, trouble ? trouble : "") == 0;
    if (same && base_ticks() < last->again) return;
    char *text = session_turn_say(t);
    if (trouble) text = add_way_out(t, text);
    say(to, text);
    free(text);
    free(last->trouble);
    *last = (struct said){position, line, base_dup(trouble ? trouble : ""),
                          base_ticks() + SAY_AGAIN_MS};
}

bool session_turn_await(struct session_turn *t, bool watched, bool (*ends)(void),
                        void (*say)(void *to, const char *text), void *to) {
    struct said said = {0};
    bool ended = false;
    int64_t next = 0, since = 0;
    if (!t->wait) {
        char *text = session_turn_say(t);
        say(to, text);
        free(text);
    }
    while (!t->come && !ended && !session_turn_over(t)) {
        if (base_ticks() >= next) {
            if (session_turn_look(t)) break;
            next = base_ticks() + session_turn_due(t);
            say_news(&said, t, say, to);
            if (!watched && gives_up(t, &since)) break;
        }
        poll(NULL, 0, LOOK_MS);
        ended = ends();
    }
    free(said.trouble);
    return t->come;
}

const char *session_turn_lab(const struct session_turn *t) {
    return t->lab;
}

const char *session_turn_trouble(const struct session_turn *t) {
    return t->wait ? classroom_wait_trouble(t->wait) : NULL;
}

char *session_turn_say(const struct session_turn *t) {
    if (!t->wait)
        return base_dup(
            "Slurm starts the lab when it can. `zerotutor class queue` shows the line.");
    char *text = classroom_wait_say(t->wait);
    if (!session_turn_trouble(t)) return text;
    char *more = base_format(
        "%s. The tutor tries again, and starts the lab once that works. If the disk is full, tell "
        "your teacher, who can free space on it; if your quota is used up, remove files of your "
        "own.",
        text);
    free(text);
    return more;
}

void session_turn_away(struct session_turn *t, bool away) {
    if (t->wait && !t->come) classroom_wait_away(t->wait, away);
}

struct experiment_place session_turn_place(const struct session_turn *t) {
    if (!t) return (struct experiment_place){0};
    return (struct experiment_place){.gpus = t->gpus,
                                     .cpu = t->cpu,
                                     .cap = t->cap,
                                     .threads = 1,
                                     .under = t->under,
                                     .there = t->cpu ? 0 : gpus_of(&t->settings)};
}

struct experiment_capacity session_turn_capacity(const struct session_turn *t) {
    struct experiment_capacity c = experiment_capacity_here();
    if (t && c.ranks > (uint32_t)t->settings.ranks_most) c.ranks = (uint32_t)t->settings.ranks_most;
    return c;
}

void session_turn_end(struct session_turn *t) {
    if (!t) return;
    classroom_wait_end(t->wait);
    free(t->lab);
    free(t->gpus);
    free(t->under);
    free(t);
}
