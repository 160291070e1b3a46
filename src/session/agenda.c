/* agenda: lessons are read for their labs, and recordings for how long they took. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

struct planning {
    const struct classroom_settings *s;
    struct learner *course;
    /* of a lab without a recording; 0: a turn's limit */
    double seconds;
    struct classroom_day *out;
    struct base_message *m;
};

/* ── a lab ─────────────────────────────────────────────────────────────────────────────────────*/
/* Seconds of a recording's steps; < 0 if it cannot be read. */
static double seconds_of(const char *path) {
    struct experiment *t = experiment_replay(path, 0, NULL);
    double ms = t ? 0 : -1000;
    while (t && !experiment_is_over(t)) experiment_read(t);
    const struct experiment_state *s = t ? experiment_state(t) : NULL;
    for (size_t i = 0; s && i < s->steps; i++) ms += s->step[i].ms;
    experiment_free(t);
    return ms / 1000;
}

/* Adds up all runs of the lab; false if one was not recorded. */
static bool recorded_seconds(const struct experiment_lab *lab, double *out) {
    size_t runs = experiment_variants(lab);
    *out = 0;
    for (size_t i = 0; i < runs; i++) {
        char *path = experiment_recording(lab, i);
        double seconds = path ? seconds_of(path) : -1;
        free(path);
        if (seconds < 0) return false;
        *out += seconds;
    }
    return runs > 0;
}

static void ask_words(const struct planning *p, const struct experiment_lab *lab,
                      struct classroom_lab *l) {
    size_t runs = experiment_variants(lab);
    l->ranks = lab->scaled ? p->s->ranks_most : 1;
    for (size_t i = 0; i < runs; i++) {
        int ranks = (int)experiment_ranks(lab->variant[i].arguments);
        if (ranks > l->ranks) l->ranks = ranks;
        l->gpu = l->gpu || (p->s->gpus && experiment_uses_gpu(lab->variant[i].arguments));
    }
}

static bool add_lab(struct planning *p, const char *name, const char *lesson) {
    const struct experiment_lab *lab = experiment_lab_find(name);
    struct classroom_day *d = p->out;
    if (!lab)
        return base_fail(p->m,
                         "the plan names the lab '%.40s', which is not one: `zerotutor lab "
                         "list` lists them",
                         name);
    for (size_t i = 0; i < d->labs; i++) /* in a lesson, and in the plan as its own part */
        if (strcmp(d->lab[i].name, name) == 0) return true;
    if (d->labs == BASE_COUNT(d->lab)) return base_fail(p->m, "the plan has too many labs");
    struct classroom_lab *l = &d->lab[d->labs++];
    *l = (struct classroom_lab){.seconds = p->seconds, .known = p->seconds > 0};
    snprintf(l->name, sizeof l->name, "%s", name);
    snprintf(l->lesson, sizeof l->lesson, "%s", lesson);
    ask_words(p, lab, l);
    double steps;
    if (!l->known && recorded_seconds(lab, &steps)) {
        double start = l->gpu ? SESSION_START_GPU : SESSION_START_CPU;
        l->seconds = steps + start * (double)experiment_variants(lab);
        l->known = true;
    }
    if (!l->known) l->seconds = 60.0 * p->s->minutes_most;
    return true;
}

/* ── a lesson ──────────────────────────────────────────────────────────────────────────────────*/
static bool add_lesson(struct planning *p, const struct classroom_lesson *planned) {
    const struct lesson_course *c = session_learner_course(p->course);
    size_t at = session_learner_find_id(p->course, planned->id, strlen(planned->id));
    const struct loaded *l = at < c->lessons ? session_learner_lesson(p->course, at) : NULL;
    if (!l)
        return base_fail(p->m,
                         "the plan names the lesson '%.40s', which cannot be read: `zerotutor "
                         "class set FOLDER lessons=…` changes the plan",
                         planned->id);
    p->out->lesson_minutes += planned->minutes ? planned->minutes : c->lesson[at].minutes;
    bool added = true;
    for (size_t i = 0; added && i < lesson_steps(l->lesson); i++)
        if (lesson_step_kind(l->lesson, i) == LESSON_LAB)
            added = add_lab(p, base_json_text(lesson_step(l->lesson, i), "lab", ""), planned->id);
    return added;
}

/* A class that names no lessons takes the whole course. */
static bool add_course(struct planning *p) {
    const struct lesson_course *c = session_learner_course(p->course);
    bool added = true;
    for (size_t i = 0; added && i < c->lessons; i++) {
        struct classroom_lesson one = {.minutes = 0};
        if (!c->lesson[i].file || c->lesson[i].kind != LESSON_ORDINARY) continue;
        snprintf(one.id, sizeof one.id, "%s", c->lesson[i].id);
        added = add_lesson(p, &one);
    }
    return added;
}

static double minutes_left(const struct classroom_settings *s) {
    int64_t now = base_now(), from = now > s->begins ? now : s->begins;
    if (!s->ends) return -1;
    return s->ends > from ? (double)(s->ends - from) / 60 : 0;
}

bool session_agenda(const struct classroom_settings *s, double seconds, struct classroom_day *out,
                    struct base_message *m) {
    static const char lab[] = "lab ";
    struct planning p = {s, session_learner_open_course(m), seconds, out, m};
    if (!p.course) return false;
    *out = (struct classroom_day){
        .people = 1, .gpus = s->gpus, .cores = s->cores, .minutes = minutes_left(s)};
    bool added = s->lessons > 0 || add_course(&p);
    for (size_t i = 0; added && i < s->lessons; i++) {
        const struct classroom_lesson *l = &s->lesson[i];
        bool is_lab = strncmp(l->id, lab, sizeof lab - 1) == 0;
        added = is_lab ? add_lab(&p, l->id + sizeof lab - 1, "") : add_lesson(&p, l);
    }
    session_learner_close(p.course);
    return added;
}
