/* lab: the runs of a lab, one variant after the other. Each is kept as it ends; the dialogue is told when all have. */
#include "sitting/inside.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS_KEPT = 1 << 18 };

struct sitting_lab {
    struct sitting *sitting; /* NULL: outside of a lesson */
    const struct trial_lab *what;
    struct trial *run[TRIAL_VARIANTS];
    size_t at; /* the one that runs, or ran last */
    int64_t since;
    bool over, cancelled;
    bool recorded, paused; /* recordings are played; they stand still */
    int least;             /* milliseconds that a recording takes */
    char *trouble;         /* NULL if there was none */
};

static void keep_trouble(struct sitting_lab *l, const char *words) {
    if (!l->trouble) l->trouble = base_dup(words);
}

static struct trial *play(const struct sitting_lab *l, struct base_message *m) {
    char *path = trial_recording(l->what, l->at);
    struct trial *t = path ? trial_replay(path, 1, m) : NULL;
    if (!path)
        base_fail(m, "there is no recording of '%s' in data/runs: run it instead", l->what->name);
    if (t) trial_slow_down(t, l->least);
    free(path);
    return t;
}

static bool start(struct sitting_lab *l, struct base_message *m) {
    const struct trial_variant *v = &l->what->variant[l->at];
    l->run[l->at] = l->recorded ? play(l, m) : trial_start(v->arguments, m);
    if (!l->run[l->at]) return false;
    trial_name(l->run[l->at], v->label);
    if (l->recorded) trial_pause(l->run[l->at], l->paused);
    l->since = base_ticks();
    return true;
}

static void tell(struct sitting *s, const char *why) {
    if (s) sitting_do(s, &(struct study_action){.kind = STUDY_DO_RAN, .text = why});
}

static struct sitting_lab *open_lab(struct sitting_lab as, const char *name,
                                    struct base_message *m) {
    struct base_message own = {0};
    if (!m) m = &own;
    struct sitting_lab *l = base_alloc(sizeof *l);
    *l = as;
    l->what = trial_lab_find(name);
    if (!l->what) base_fail(m, "there is no lab '%s': `zerotutor lab list` names them", name);
    if (l->what && start(l, m)) return l;
    free(l);
    tell(as.sitting, m->what);
    return NULL;
}

struct sitting_lab *sitting_lab_open(struct sitting *s, const char *name, struct base_message *m) {
    return open_lab((struct sitting_lab){.sitting = s}, name, m);
}

struct sitting_lab *sitting_lab_replay(struct sitting *s, const char *name, int ms,
                                       struct base_message *m) {
    return open_lab((struct sitting_lab){.sitting = s, .recorded = true, .least = ms}, name, m);
}

const struct trial_lab *sitting_lab_what(const struct sitting_lab *l) {
    return l->what;
}

size_t sitting_lab_at(const struct sitting_lab *l) {
    return l->at;
}

const struct trial *sitting_lab_run(const struct sitting_lab *l, size_t variant) {
    return variant < TRIAL_VARIANTS ? l->run[variant] : NULL;
}

bool sitting_lab_over(const struct sitting_lab *l) {
    return l->over;
}

const char *sitting_lab_trouble(const struct sitting_lab *l) {
    return l->trouble;
}

int sitting_lab_fd(const struct sitting_lab *l) {
    return l->over ? -1 : trial_fd(l->run[l->at]);
}

int sitting_lab_due(const struct sitting_lab *l) {
    return l->over ? -1 : trial_due(l->run[l->at]);
}

/* ── a run that ended ────────────────────────────────────────────────────────────────────────────*/
/* Whole lines from the start, as many as there is room for, and the last one, which sums up. The caller's. */
static char *bounded(const char *events) {
    size_t n = strlen(events), room = EVENTS_KEPT;
    if (n <= room) return base_dup(events);
    const char *last = events + n - 1;
    while (last > events && last[-1] != '\n') last--;
    size_t tail = (size_t)(events + n - last);
    size_t head = room > tail ? room - tail : 0;
    while (head > 0 && events[head - 1] != '\n') head--;
    return base_format("%.*s%s", (int)head, events, tail < room ? last : "");
}

static const char *outcome(const struct sitting_lab *l, const struct trial_state *s) {
    if (s->ended && !s->failed) return "ended";
    return l->cancelled ? "cancelled" : "failed";
}

static void keep(struct sitting_lab *l) {
    const struct trial *t = l->run[l->at];
    struct base_message m = {0};
    if (!l->sitting) return;
    json_t *weighed = lab_weighed(t, l->what->variant[l->at].label);
    char *events = bounded(trial_events(t));
    struct study_run r = {.lab = l->what->name,
                          .variant = l->what->variant[l->at].label,
                          .command = trial_command(t),
                          .events = events,
                          .outcome = outcome(l, trial_state(t)),
                          .measured = weighed,
                          .seconds = (double)(base_ticks() - l->since) / 1000.0};
    if (!sitting_ran(l->sitting, &r, &m)) keep_trouble(l, m.what);
    free(events);
    json_decref(weighed);
}

static void note_failure(struct sitting_lab *l) {
    const struct trial_state *s = trial_state(l->run[l->at]);
    if (l->cancelled || (s->ended && !s->failed)) return;
    keep_trouble(l,
                 *s->trouble ? s->trouble : "The run ended before its time and did not say why.");
}

/* After one that did not end well the others are not begun. */
static void go_on(struct sitting_lab *l) {
    struct base_message m = {0};
    bool last = l->at + 1 == trial_variants(l->what);
    note_failure(l);
    keep(l);
    l->over = last || l->cancelled || l->trouble;
    if (l->over) return;
    l->at++;
    if (start(l, &m)) return;
    l->at--;
    l->over = true;
    keep_trouble(l, m.what);
}

bool sitting_lab_read(struct sitting_lab *l) {
    if (l->over) return false;
    bool changed = trial_read(l->run[l->at]);
    if (!trial_is_over(l->run[l->at])) return changed;
    go_on(l);
    return true;
}

bool sitting_lab_pause(struct sitting_lab *l, bool paused) {
    l->paused = paused;
    return trial_pause(l->run[l->at], paused);
}

bool sitting_lab_advance(struct sitting_lab *l) {
    return trial_advance(l->run[l->at]);
}

void sitting_lab_cancel(struct sitting_lab *l) {
    if (l->over) return;
    l->cancelled = true;
    trial_cancel(l->run[l->at]);
}

void sitting_lab_close(struct sitting_lab *l) {
    if (!l) return;
    if (!l->over) {
        l->cancelled = true;
        keep(l);
    }
    for (size_t i = 0; i < TRIAL_VARIANTS; i++) trial_free(l->run[i]);
    tell(l->sitting, l->trouble);
    free(l->trouble);
    free(l);
}

/* ── lab steps of lessons ────────────────────────────────────────────────────────────────────────*/
static bool no_such_lab(const json_t *step, const char *path, struct base_message *m) {
    size_t count;
    const struct trial_lab *all = trial_labs(&count);
    struct base_text names = {0};
    for (size_t i = 0; i < count; i++) base_text_printf(&names, "%s%s", i ? ", " : "", all[i].name);
    base_fail_at(m, path, (int)base_json_int(step, "line", 0),
                 "step '%s': there is no lab '%.40s'; there are %s", base_json_text(step, "id", ""),
                 base_json_text(step, "lab", ""), names.s);
    base_text_free(&names);
    return false;
}

static bool complete(json_t *step, const char *path, struct base_message *m) {
    const struct trial_lab *lab = trial_lab_find(base_json_text(step, "lab", ""));
    if (!lab) return no_such_lab(step, path, m);
    if (!json_object_get(step, "ask")) {
        json_t *choices = json_array();
        for (size_t i = 0; i < TRIAL_OPTIONS && lab->option[i]; i++)
            json_array_append_new(choices, json_string(lab->option[i]));
        json_object_set_new(step, "ask", json_string(lab->ask));
        json_object_set_new(step, "choices", choices);
        json_object_set_new(step, "answer", json_integer(lab->right + 1));
    }
    if (!json_object_get(step, "reveal"))
        json_object_set_new(step, "reveal", json_string(lab->reveal));
    return true;
}

bool sitting_complete(json_t *lesson, const char *path, struct base_message *m) {
    json_t *step;
    size_t i;
    json_array_foreach(json_object_get(lesson, "steps"), i, step) {
        if (strcmp(base_json_text(step, "kind", ""), "lab") == 0 && !complete(step, path, m))
            return false;
    }
    source_complete(lesson);
    return true;
}
