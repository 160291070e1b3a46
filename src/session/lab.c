/* lab: the runs of a lab, one variant after the other. Each is kept as it ends; the dialogue is
 * told when all have. */
#include "session/inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 200 };

struct session_lab {
    /* NULL: outside of a lesson */
    struct session *session;
    /* whose record runs go into; NULL: nobody's */
    struct learner *keeps;
    const struct experiment_lab *what;
    /* `what`, if that needs a scenario; else NULL */
    struct experiment_capstone *scaled;
    /* its turn in the class, until the runs are over; NULL: it needs none */
    struct session_turn *turn;
    /* of the runs kept */
    int64_t number[EXPERIMENT_VARIANTS];
    struct experiment *run[EXPERIMENT_VARIANTS];
    /* the one that runs, or ran last */
    size_t at;
    int64_t since;
    bool over, cancelled;
    /* the dialogue knows what became of the runs */
    bool told;
    /* recordings are played; they stand still */
    bool recorded, paused;
    /* recordings are played to their end without pauses */
    bool finishes;
    /* milliseconds that a recording takes */
    int least;
    /* `what`, where it is a recording by itself, in a file */
    struct experiment_lab file;
    /* its words */
    char *name, *label;
    /* what was guessed, and what it is; NULL: nothing */
    char *said, *is;
    /* what was estimated, in words; NULL: nothing */
    char *estimate;
    /* NULL if there was none */
    char *trouble;
};

static void keep_trouble(struct session_lab *l, const char *words) {
    if (!l->trouble) l->trouble = base_dup(words);
}

static struct experiment *play(const struct session_lab *l, struct base_message *m) {
    char *path = experiment_recording(l->what, l->at);
    struct experiment *t = path ? experiment_replay(path, l->finishes ? 0 : 1, m) : NULL;
    if (!path) base_fail(m, "no recording of '%s' in data/runs: run it instead", l->what->name);
    if (t && !l->finishes) experiment_slow_down(t, l->least);
    free(path);
    return t;
}

static bool start(struct session_lab *l, struct base_message *m) {
    assert(l->at < experiment_variants(l->what));
    assert(!l->run[l->at]); /* each variant runs once, so that none is lost */
    const struct experiment_variant *v = &l->what->variant[l->at];
    const struct experiment_place where = session_turn_place(l->turn);
    l->run[l->at] = l->recorded ? play(l, m) : experiment_start_in(v->arguments, &where, m);
    if (!l->run[l->at]) return false;
    experiment_name(l->run[l->at], v->label);
    if (l->recorded) experiment_pause(l->run[l->at], l->paused);
    if (l->recorded && l->at) experiment_keep_pace(l->run[l->at], l->run[l->at - 1]);
    if (l->recorded) experiment_read(l->run[l->at]); /* its state before the first step */
    l->since = base_ticks();
    return true;
}

static void tell(struct session *s, const char *why) {
    if (s) session_do(s, &(struct lesson_action){.kind = LESSON_DO_RAN, .text = why});
}

/* The lab `capstone` for the course's own scenario. */
static struct experiment_capstone *capstone_of_course(const struct session_turn *turn,
                                                      struct base_message *m) {
    struct memo_scenario course;
    memo_scenario_vary(0, &course);
    return experiment_capstone_new(&course.training, course.card_bytes, EXPERIMENT_ALL_STAGES,
                                   session_turn_capacity(turn), m);
}

static bool find(struct session_lab *l, const char *name, struct base_message *m) {
    l->what = experiment_lab_find(name);
    if (!l->what)
        return base_fail(m, "unknown lab '%s': run `zerotutor lab list` for a list", name);
    if (!l->what->scaled || l->recorded) return true;
    l->scaled = capstone_of_course(l->turn, m);
    if (l->scaled) l->what = experiment_capstone_lab(l->scaled);
    return l->scaled != NULL;
}

static struct session_lab *open_lab(struct session_lab as, const char *name,
                                    struct base_message *m) {
    struct base_message own = {0};
    if (!m) m = &own;
    struct session_lab *l = base_alloc(sizeof *l);
    *l = as;
    if (l->session) l->keeps = session_learner(l->session);
    const struct lesson_ask *ask = l->session ? lesson_asked(session_dialogue(l->session)) : NULL;
    if (ask && ask->guess) l->said = base_dup(ask->guess), l->is = base_dup(ask->truth);
    if (ask && ask->estimate) l->estimate = base_dup(ask->estimate);
    if (find(l, name, m) && start(l, m)) return l;
    free(l->said);
    free(l->estimate);
    free(l->is);
    experiment_capstone_free(l->scaled);
    session_turn_end(l->turn);
    free(l);
    tell(as.session, m->what);
    return NULL;
}

struct session_lab *session_lab_open_in(struct session *s, const char *name,
                                        struct session_turn *turn, struct base_message *m) {
    return open_lab((struct session_lab){.session = s, .turn = turn}, name, m);
}

void session_lab_refused(struct session *s, const char *why) {
    tell(s, why);
}

struct session_lab *session_lab_replay(struct session *s, const char *name, int ms,
                                       struct base_message *m) {
    return open_lab((struct session_lab){.session = s, .recorded = true, .least = ms}, name, m);
}

/* What its start says of it, or NULL. The caller's. */
static char *label_of(const struct experiment *t) {
    const struct experiment_state *s = experiment_state(t);
    if (!s->setup.names_stage || !s->setup.params) return NULL;
    if (s->setup.to) return base_format("collectives, %u ranks", s->ranks);
    return base_format("stage %u, %u rank%s", s->stage, s->ranks, s->ranks == 1 ? "" : "s");
}

struct session_lab *session_lab_play(const char *path, double speed, int ms,
                                     struct base_message *m) {
    struct experiment *t = experiment_replay(path, speed, m);
    if (!t) return NULL;
    experiment_slow_down(t, ms);
    experiment_read(t);
    char *label = label_of(t);
    if (!label) {
        experiment_free(t);
        base_fail(m, "%s does not say what it is a recording of", path);
        return NULL;
    }
    experiment_name(t, label);
    struct session_lab *l = base_alloc(sizeof *l);
    const char *slash = strrchr(path, '/');
    *l = (struct session_lab){.run = {t}, .since = base_ticks(), .recorded = true, .label = label};
    l->name = base_clean_dup(slash ? slash + 1 : path, strlen(slash ? slash + 1 : path), NAME_MOST);
    l->file = (struct experiment_lab){
        .name = l->name, .title = l->name, .watch = "memory", .variant = {{.label = label}}};
    l->what = &l->file;
    return l;
}

const struct experiment_lab *session_lab_what(const struct session_lab *l) {
    return l->what;
}

size_t session_lab_at(const struct session_lab *l) {
    return l->at;
}

const struct experiment *session_lab_run(const struct session_lab *l, size_t variant) {
    return variant < EXPERIMENT_VARIANTS ? l->run[variant] : NULL;
}

bool session_lab_over(const struct session_lab *l) {
    return l->over;
}

const char *session_lab_trouble(const struct session_lab *l) {
    return l->trouble;
}

int session_lab_fd(const struct session_lab *l) {
    return l->over ? -1 : experiment_fd(l->run[l->at]);
}

int session_lab_due(const struct session_lab *l) {
    if (l->over) return -1;
    if (experiment_is_over(l->run[l->at])) return 0; /* it was over before its first step */
    int due = experiment_due(l->run[l->at]), turn = l->turn ? session_turn_due(l->turn) : -1;
    return turn >= 0 && (due < 0 || turn < due) ? turn : due;
}

bool session_lab_well(const struct session_lab *l, size_t variant) {
    const struct experiment *t = session_lab_run(l, variant);
    const struct experiment_state *s = t ? experiment_state(t) : NULL;
    if (!s || !experiment_is_over(t)) return false;
    return l->what->variant[variant].dies ? s->refused > 0 : s->ended && !s->failed;
}

void session_lab_keep(struct session_lab *l, struct learner *who) {
    l->keeps = who;
}

int64_t session_lab_number(const struct session_lab *l, size_t variant) {
    return variant < EXPERIMENT_VARIANTS ? l->number[variant] : 0;
}

const struct experiment_scale *session_lab_scale(const struct session_lab *l, size_t variant) {
    return l->scaled && variant < experiment_variants(l->what)
               ? experiment_capstone_scale(l->scaled, variant)
               : NULL;
}

/* ── a run that ended ──────────────────────────────────────────────────────────────────────────*/
/* In its lesson a run is an answer there. */
static bool keep_run(struct session_lab *l, const struct lesson_run *r, struct base_message *m) {
    int64_t *number = &l->number[l->at];
    struct store *store = session_learner_store(l->keeps);
    if (!l->session) return (*number = store_keep_run(store, r, m)) != 0;
    if (!lesson_ran(session_dialogue(l->session), r, m)) return false;
    *number = store_kept_run(store);
    return true;
}

static void keep(struct session_lab *l) {
    struct base_message m = {0};
    if (!l->keeps) return;
    struct kept_run k;
    session_kept_run_open(&k, l->what, l->at, l->run[l->at],
                          (double)(base_ticks() - l->since) / 1000.0);
    if (l->cancelled && strcmp(k.run.outcome, "failed") == 0) k.run.outcome = "cancelled";
    if (!keep_run(l, &k.run, &m)) keep_trouble(l, m.what);
    session_kept_run_close(&k);
}

static void note_failure(struct session_lab *l) {
    const struct experiment_state *s = experiment_state(l->run[l->at]);
    if (l->cancelled || session_lab_well(l, l->at)) return;
    keep_trouble(l, *s->trouble              ? s->trouble
                    : s->ended && !s->failed ? "It should have run out of memory, but did not."
                                             : "The run ended early and did not say why.");
}

/* What the class lent goes back before anybody looks at what it brought. */
static void end_turn(struct session_lab *l) {
    session_turn_end(l->turn);
    l->turn = NULL;
}

/* Ends a run whose turn is over. */
static void keep_to_turn(struct session_lab *l) {
    if (!l->turn || l->cancelled) return;
    session_turn_look(l->turn);
    const char *over = session_turn_over(l->turn);
    if (!over) return;
    keep_trouble(l, over);
    session_lab_cancel(l);
}

/* After one that did not end well the others are not begun. */
static void go_on(struct session_lab *l) {
    struct base_message m = {0};
    bool last = l->at + 1 == experiment_variants(l->what);
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

bool session_lab_read(struct session_lab *l) {
    if (l->over) return false;
    keep_to_turn(l);
    bool changed = experiment_read(l->run[l->at]);
    if (!experiment_is_over(l->run[l->at])) return changed;
    go_on(l);
    if (l->over) end_turn(l);
    return true;
}

bool session_lab_pause(struct session_lab *l, bool paused) {
    l->paused = paused;
    return experiment_pause(l->run[l->at], paused);
}

void session_lab_finish(struct session_lab *l) {
    l->finishes = true;
    l->paused = false;
    if (!l->over) experiment_finish(l->run[l->at]);
    while (!l->over) session_lab_read(l);
}

bool session_lab_advance(struct session_lab *l) {
    return experiment_advance(l->run[l->at]);
}

bool session_lab_back(struct session_lab *l) {
    return experiment_back(l->run[l->at]);
}

bool session_lab_pace(struct session_lab *l, bool faster) {
    return experiment_pace(l->run[l->at], faster);
}

const char *session_lab_here(const struct session_lab *l) {
    return l->session ? lesson_id(session_lesson(l->session)) : NULL;
}

const char *session_lab_estimate(const struct session_lab *l) {
    return l->estimate;
}

bool session_lab_guess(const struct session_lab *l, const char **said, const char **is) {
    bool right = l->said && strcmp(l->said, l->is) == 0;
    *is = l->is;
    *said = right ? l->is : l->said;
    return l->said;
}

void session_lab_cancel(struct session_lab *l) {
    if (l->over) return;
    l->cancelled = true;
    experiment_cancel(l->run[l->at]);
}

void session_lab_end(struct session_lab *l) {
    assert(l->over);
    end_turn(l);
    if (!l->told) tell(l->session, l->trouble);
    l->told = true;
}

void session_lab_close(struct session_lab *l) {
    if (!l) return;
    if (!l->over) {
        l->over = l->cancelled = true;
        keep(l);
    }
    for (size_t i = 0; i < EXPERIMENT_VARIANTS; i++) experiment_free(l->run[i]);
    session_lab_end(l);
    experiment_capstone_free(l->scaled);
    free(l->trouble);
    free(l->label);
    free(l->name);
    free(l->said);
    free(l->estimate);
    free(l->is);
    free(l);
}
