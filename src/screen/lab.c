/* lab: a lab that runs. A run of a small model is over before anybody has seen it, so what was
 * heard of it is shown at a pace that can be watched, while it goes and after. What comes is drawn
 * at most so often; between events nothing wakes up. */
#include "screen/lab.h"

#include <stdlib.h>
#include <string.h>

/* LONG_ENOUGH: milliseconds that a run or a recording takes at least, at its usual speed: a step of
 * thirty is then as long as a glance from a bar to its number. */
enum { FRAME_MS = 40, WHEEL = 3, LONG_ENOUGH = 12000 };
/* what may hold of it */
enum {
    GOES = VIEW_OWN,
    /* no run goes */
    CLOSED,
    /* no run goes, and there is nothing to be skipped */
    OVER,
    /* a run is watched */
    SKIPS,
    /* a recording is played */
    PLAYED,
    /* more than one run has begun */
    MANY,
    /* and none of them is played */
    CHOOSES,
    /* a recording is played, or a run is watched */
    TAPE,
    /* … and moves, or is paused */
    MOVES,
    PAUSED,
    /* all runs came to their end; they are shown in one picture */
    DONE,
    WHOLE,
    /* it names a lesson */
    LEADS,
    /* the run shown has a number */
    KEPT,
    /* there are more rows than are shown, or not */
    LONG,
    SHORT
};

static struct lab *lab_of(const struct view *v) {
    return (struct lab *)v;
}

/* The view for a key that is not Esc: whether to leave is no question any more. */
static struct lab *staying(const struct view *v) {
    lab_of(v)->asked = false;
    return lab_of(v);
}

static size_t begun(const struct lab *l) {
    return session_lab_at(l->runs) + 1;
}

/* ── watching ──────────────────────────────────────────────────────────────────────────────────*/
static void end_watch(struct lab *l) {
    experiment_free(l->watch);
    l->watch = NULL;
    l->paused = false;
}

/* Reads what is known before the first step. It is as fast as the run that was watched before it.
 */
static void begin_watch(struct lab *l) {
    struct experiment *watch = experiment_watch(session_lab_run(l->runs, l->shown), LONG_ENOUGH);
    if (watch && l->watch) experiment_keep_pace(watch, l->watch);
    end_watch(l);
    l->watch = watch;
    if (watch) experiment_read(watch);
}

/* Of a named lab, once all runs came to their end. */
static bool has_whole(const struct lab *l) {
    return session_lab_what(l->runs)->about && screen_lab_well(l);
}

/* No more is watched. Once all runs are over, and ended as they should, they are shown together. */
static void end_pace(struct lab *l) {
    end_watch(l);
    l->paced = false;
    l->whole = has_whole(l);
    if (l->whole) l->top = 0;
    l->drawn = 0; /* it is drawn at once */
}

/* The next run, once it has begun. */
static void watch_next(struct lab *l) {
    if (l->shown + 1 < begun(l)) {
        if (!screen_lab_speaks(session_lab_run(l->runs, l->shown + 1))) return;
        l->shown++;
        begin_watch(l);
    } else if (session_lab_over(l->runs)) {
        end_pace(l);
    }
}

/* Takes in what is due of it. A run that is shown again stands as it was when that ends. */
static void read_watch(struct lab *l) {
    l->stale |= experiment_read(l->watch);
    if (!experiment_is_over(l->watch)) return;
    if (l->paced) {
        watch_next(l);
        return;
    }
    end_watch(l);
    l->drawn = 0;
}

static void stand_still(struct lab *l) {
    l->paused = true;
    if (l->watch)
        experiment_pause(l->watch, true);
    else
        session_lab_pause(l->runs, true);
}

/* If nothing may move, it pauses at its beginning, and the learner steps through it. */
static unsigned again(struct view *v, const struct key *k) {
    struct lab *l = (struct lab *)v;
    (void)k;
    l->seeks |= l->whole;
    l->whole = false;
    begin_watch(l);
    if (!v->app->look.motion) stand_still(l);
    screen_app_notice(v->app, NULL);
    return VIEW_REDRAW;
}

/* To the run that goes, or to the last. */
static unsigned skip(struct view *v, const struct key *k) {
    struct lab *l = staying(v);
    (void)k;
    if (l->paced && l->follows) l->shown = session_lab_at(l->runs);
    end_pace(l);
    return VIEW_REDRAW;
}

/* Of a recording. */
static void finish(struct lab *l) {
    session_lab_finish(l->runs);
    l->paused = false;
    l->shown = session_lab_at(l->runs);
    end_pace(l);
}

static unsigned to_the_end(struct view *v, const struct key *k) {
    (void)k;
    finish(staying(v));
    return VIEW_REDRAW;
}

/* ── time ──────────────────────────────────────────────────────────────────────────────────────*/
static void follow(struct lab *l) {
    size_t at = session_lab_at(l->runs);
    if (!l->follows || l->watch || session_lab_over(l->runs)) return;
    if (screen_lab_speaks(session_lab_run(l->runs, at))) l->shown = at;
}

static void note_end(struct lab *l) {
    screen_app_notice(l->view.app, NULL); /* what was asked meanwhile is answered */
    if (session_lab_trouble(l->runs) || !l->watch) end_pace(l);
}

static unsigned read_runs(struct lab *l) {
    bool was_over = session_lab_over(l->runs);
    l->stale |= session_lab_read(l->runs);
    follow(l);
    bool ended = session_lab_over(l->runs) && !was_over;
    if (ended) note_end(l);
    if (l->watch) read_watch(l);
    if (!ended && (!l->stale || base_ticks() - l->drawn < FRAME_MS)) return VIEW_HANDLED;
    return VIEW_REDRAW;
}

static unsigned lab_tick(struct view *v, const struct key *k) {
    (void)k;
    return read_runs(lab_of(v));
}

static int lab_watch(const struct view *v) {
    return session_lab_fd(lab_of(v)->runs);
}

static int lab_pace(const struct view *v) {
    const struct lab *l = lab_of(v);
    int due = session_lab_due(l->runs), shown = l->watch ? experiment_due(l->watch) : -1;
    if (due < 0 || (shown >= 0 && shown < due)) due = shown;
    int64_t left = l->drawn + FRAME_MS - base_ticks();
    if (!l->stale) return due;
    if (left < 0) left = 0;
    return due >= 0 && due < left ? due : (int)left;
}

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
/* One that is in view stays where it is. */
static unsigned go_to_panel(struct lab *l, enum experiment_panel panel) {
    l->seeks = l->whole || !screen_lab_sees(l, panel);
    l->panel = panel;
    l->whole = false;
    return VIEW_REDRAW;
}

static unsigned next_panel(struct view *v, const struct key *k) {
    struct lab *l = staying(v);
    int by = k->code == PRESS_BACKTAB ? EXPERIMENT_PANELS - 1 : 1;
    enum experiment_panel panel = l->panel;
    do panel = (enum experiment_panel)(((int)panel + by) % EXPERIMENT_PANELS);
    while (!screen_lab_tells(l, panel));
    return go_to_panel(l, panel);
}

static unsigned choose_panel(struct view *v, const struct key *k) {
    struct lab *l = staying(v);
    enum experiment_panel chosen = (enum experiment_panel)(k->code - '1');
    return screen_lab_tells(l, chosen) ? go_to_panel(l, chosen) : VIEW_IGNORED;
}

/* The nearest that has begun. */
static unsigned show_run(struct lab *l, long run) {
    if (begun(l) < 2) return VIEW_IGNORED;
    end_pace(l);
    l->seeks |= l->whole;
    l->whole = false;
    if (run >= (long)begun(l)) run = (long)begun(l) - 1;
    l->shown = run < 0 ? 0 : (size_t)run;
    l->follows = l->shown == session_lab_at(l->runs);
    if (l->other == l->shown) l->other = LAB_ALONE;
    return VIEW_REDRAW;
}

/* By a click, which may be on one that is still to come. */
static unsigned click_run(struct lab *l, size_t run) {
    if (run < begun(l)) return show_run(l, (long)run);
    screen_app_notice(l->view.app, base_format("'%s' has not been run yet.",
                                               session_lab_what(l->runs)->variant[run].label));
    return VIEW_REDRAW;
}

/* Each of the others in turn, then none. */
static unsigned side_by_side(struct view *v, const struct key *k) {
    struct lab *l = staying(v);
    (void)k;
    size_t next = l->other == LAB_ALONE ? 0 : l->other + 1;
    if (next == l->shown) next++;
    l->other = next < begun(l) ? next : LAB_ALONE;
    l->seeks = true;
    l->whole = false;
    return VIEW_REDRAW;
}

static unsigned show_whole(struct view *v, const struct key *k) {
    struct lab *l = staying(v);
    (void)k;
    l->whole = !l->whole;
    l->top = 0;
    l->seeks = true;
    return VIEW_REDRAW;
}

/* Whether a recording or a measured run goes by: then Left and Right step, as in any play. */
static bool plays(const struct lab *l) {
    return l->watch || (l->recorded && !session_lab_over(l->runs));
}

static unsigned pause_tape(struct view *v, const struct key *k) {
    struct lab *l = staying(v);
    (void)k;
    l->paused = !l->paused;
    if (l->watch)
        experiment_pause(l->watch, l->paused);
    else
        session_lab_pause(l->runs, l->paused);
    return VIEW_REDRAW;
}

/* Another step, or the one before, and then it stands still. */
static unsigned step_tape(struct lab *l, bool back) {
    if (!plays(l)) return VIEW_IGNORED;
    stand_still(l);
    if (l->watch)
        back ? experiment_back(l->watch) : experiment_advance(l->watch);
    else
        back ? session_lab_back(l->runs) : session_lab_advance(l->runs);
    read_runs(l);
    return VIEW_REDRAW;
}

static unsigned pace_tape(struct lab *l, bool faster) {
    if (!plays(l)) return VIEW_IGNORED;
    if (l->watch)
        experiment_pace(l->watch, faster);
    else
        session_lab_pace(l->runs, faster);
    return VIEW_REDRAW;
}

char *screen_say_quote(struct app *app, int64_t number) {
    struct base_message m = {0};
    char *words = session_quote(session_learner_store(app->learner), number, &m);
    char *text = words ? base_format("Run %lld. In a memo: %s", (long long)number, words)
                       : base_format("Run %lld: %s.", (long long)number, m.what);
    free(words);
    return text;
}

static unsigned cancel(struct view *v, const struct key *k) {
    struct lab *l = staying(v);
    (void)k;
    session_lab_cancel(l->runs);
    end_pace(l);
    if (!l->recorded) screen_app_notice(v->app, base_dup("Asked to stop."));
    return VIEW_REDRAW;
}

/* Over this screen, to which one comes back. */
static unsigned open_lesson(struct view *v, const struct key *k) {
    (void)k;
    return screen_app_open(
        v->app, &(struct view_request){.kind = VIEW_LESSON, .name = staying(v)->explains});
}

/* What a memo quotes the run by. */
static unsigned quote(struct view *v, const struct key *k) {
    struct lab *l = staying(v);
    (void)k;
    screen_app_notice(v->app, screen_say_quote(v->app, session_lab_number(l->runs, l->shown)));
    return VIEW_REDRAW;
}

static unsigned leave(struct view *v, const struct key *k) {
    struct lab *l = lab_of(v);
    (void)k;
    if (session_lab_over(l->runs) || l->asked) return VIEW_LEAVE;
    l->asked = true;
    screen_app_notice(
        v->app,
        base_dup(
            l->recorded
                ? "It is not over. Press Esc again to leave, any other key to stay."
                : "It still runs. Press Esc again to stop it and go back, any other key to stay."));
    return VIEW_REDRAW;
}

static unsigned scroll(struct lab *l, int by) {
    int last = l->height > l->capacity ? l->height - l->capacity : 0;
    l->seeks = false;
    l->top += by;
    l->top = l->top > last ? last : l->top < 0 ? 0 : l->top;
    return VIEW_REDRAW;
}

static unsigned lab_key(struct view *v, const struct key *k) {
    struct lab *l = staying(v);
    int page = l->capacity > 2 ? l->capacity - 1 : 1;
    switch (k->code) {
    case PRESS_UP:
    case 'k': return scroll(l, -1);
    case PRESS_DOWN:
    case 'j': return scroll(l, 1);
    case PRESS_PAGE_UP: return scroll(l, -page);
    case PRESS_PAGE_DOWN: return scroll(l, page);
    case PRESS_WHEEL_UP: return scroll(l, -WHEEL);
    case PRESS_WHEEL_DOWN: return scroll(l, WHEEL);
    case PRESS_LEFT:
    case PRESS_RIGHT:
        return plays(l) ? step_tape(l, k->code == PRESS_LEFT)
                        : show_run(l, (long)l->shown + (k->code == PRESS_LEFT ? -1 : 1));
    case ',':
    case '.': return step_tape(l, k->code == ',');
    case '-': return pace_tape(l, false);
    case '+':
    case '=': return pace_tape(l, true);
    case PRESS_CLICK: return k->target < 0 ? VIEW_IGNORED : click_run(l, (size_t)k->target);
    default: return VIEW_IGNORED;
    }
}

static void lab_state(const struct view *v, struct view_states *s) {
    const struct lab *l = lab_of(v);
    bool over = session_lab_over(l->runs);
    s->is[VIEW_READING] = true;
    s->is[GOES] = !over;
    s->is[CLOSED] = over;
    s->is[SKIPS] = l->watch;
    s->is[PLAYED] = l->recorded && !over;
    s->is[OVER] = over && !s->is[SKIPS];
    s->is[MANY] = begun(l) > 1;
    s->is[TAPE] = plays(l);
    s->is[l->paused ? PAUSED : MOVES] = plays(l);
    s->is[CHOOSES] = s->is[MANY] && !s->is[TAPE];
    s->is[l->whole ? WHOLE : DONE] = has_whole(l);
    s->is[LEADS] = s->is[WHOLE] && l->explains;
    s->is[l->height > l->capacity ? LONG : SHORT] = true;
    s->is[KEPT] = session_lab_number(l->runs, l->shown) != 0;
}

static void lab_wake(struct view *v) {
    lab_of(v)->asked = false;
}

static const struct action ACTIONS[] = {
    {"next", "Enter", OVER, screen_action_leave, "Continue with these measurements"},
    {"catch up", "Enter", SKIPS, skip, "Skip ahead to what the run has reached"},
    {"end", "Enter", PLAYED, to_the_end, "Jump to the end of the recording"},
    {"stop", "x C-c", GOES, cancel, "Stop the run"},
    {"pause", "Space", MOVES, pause_tape, "Pause"},
    {"play", "Space", PAUSED, pause_tape, "Play on"},
    {"its lesson", "o", LEADS, open_lesson, "Open the lesson that explains it"},
    {"again", "a", CLOSED, again, "Watch the run again"},
    {"scroll", "Up Down k j PgUp PgDn", LONG, NULL, "Scroll the panels"},
    {"step", "Left Right , .", TAPE, NULL, "One step back or forward"},
    {"speed", "- + =", TAPE, NULL, "Slower, faster"},
    {"panel", "Tab S-Tab", 0, next_panel, "Go to the next panel"},
    {"run", "Left Right", CHOOSES, NULL, "Show another run"},
    {"cite", "c", KEPT, quote, "Show the run's number and how a memo cites it"},
    {"compare", "D", MANY, side_by_side, "Compare with another run, then the next, at last none"},
    {"all runs", "0", DONE, show_whole, "Show all runs in one picture"},
    {"one run", "0", WHOLE, show_whole, "Show the panels of one run"},
    {NULL, "1 2 3 4 5 6 7 8", 0, choose_panel,
     "Go to memory, curve, traffic, timeline, loss, log, ledger or collectives"},
    {NULL, "Up Down k j PgUp PgDn", SHORT, NULL, "Scroll the panels"},
    {"back", "Esc", GOES, leave, "Stop and go back (asks first)"},
    {"back", "Esc q", CLOSED, leave, "Go back"},
};

static void lab_close(struct view *v) {
    v->app->lab_well = screen_lab_well(lab_of(v));
    end_watch(lab_of(v));
    session_lab_close(lab_of(v)->runs);
    session_glossary_close(lab_of(v)->glossary);
    free(lab_of(v)->said);
    free(v);
}

static enum frame_layout lab_layout(const struct view *v) {
    (void)v;
    return FRAME_FIGURES_PANE;
}

static const struct view_operations LAB = {
    .name = "A lab",
    .about = "zerolab trains a small GPT on this machine and measures its own memory. Each bar is "
             "one rank's memory by category. Next to each measurement you see what the engine "
             "predicted before the run.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .layout = lab_layout,
    .state = lab_state,
    .draw = screen_lab_draw,
    .key = lab_key,
    .tick = lab_tick,
    .watch = lab_watch,
    .pace = lab_pace,
    .wake = lab_wake,
    .term = screen_lab_term,
    .close = lab_close,
};

static enum experiment_panel panel_named(const char *name) {
    for (int p = 0; p < EXPERIMENT_PANELS; p++)
        if (strcmp(experiment_panel_name((enum experiment_panel)p), name) == 0)
            return (enum experiment_panel)p;
    return EXPERIMENT_MEMORY;
}

/* Shows the runs, which it takes. */
static void show_runs(struct lab *l, struct session_lab *runs, bool recorded) {
    l->view.does = &LAB;
    l->runs = runs;
    l->recorded = recorded;
    l->panel = panel_named(session_lab_what(runs)->watch);
    l->paced = !recorded && l->view.app->look.motion;
    if (l->paced) begin_watch(l);
    if (recorded && !l->view.app->look.motion) finish(l);
}

static struct lab *new_lab(struct app *app) {
    struct lab *l = base_alloc(sizeof *l);
    *l = (struct lab){.view = {&LAB, app}, .other = LAB_ALONE, .follows = true, .seeks = true};
    return l;
}

/* Takes the runs; NULL if there are none. */
static struct view *view_runs(struct app *app, struct session_lab *runs, bool recorded) {
    if (!runs) return NULL;
    struct lab *l = new_lab(app);
    show_runs(l, runs, recorded);
    return &l->view;
}

/* Runs of this machine, outside of a lesson kept in the record. */
static struct session_lab *open_runs(struct app *app, struct session *s, const char *name,
                                     struct session_turn *turn, struct base_message *m) {
    struct session_lab *runs = session_lab_open_in(s, name, turn, m);
    if (runs && !s) session_lab_keep(runs, app->learner);
    return runs;
}

/* The turn has come. A lab that cannot be started has told the dialogue why. */
static unsigned begin(struct lab *l) {
    struct base_message m = {0};
    struct session_turn *turn = l->turn;
    char *name = base_dup(session_turn_lab(turn));
    l->turn = NULL;
    struct session_lab *runs = open_runs(l->view.app, l->session, name, turn, &m);
    free(name);
    if (runs) {
        show_runs(l, runs, false);
        return VIEW_REDRAW;
    }
    if (!l->session) screen_app_notice(l->view.app, base_dup(m.what));
    l->session = NULL;
    return VIEW_LEAVE;
}

static struct view *view_waiting(struct app *app, const struct view_request *r,
                                 struct session_turn *turn) {
    struct lab *l = new_lab(app);
    l->view.does = &screen_lab_waiting;
    l->turn = turn;
    l->session = r->session;
    l->begin = begin;
    return &l->view;
}

struct view *screen_view_lab(struct app *app, const struct view_request *r,
                             struct base_message *m) {
    struct session_turn *turn = NULL;
    if (!r->recorded && !screen_lab_turn(app, r->name, &turn, m)) {
        if (r->session) session_lab_refused(r->session, m->what);
        return NULL;
    }
    if (turn && !session_turn_look(turn)) return view_waiting(app, r, turn);
    if (turn && session_turn_due(turn) < 0) screen_app_notice(app, session_turn_say(turn));
    struct session_lab *runs = r->recorded ? session_lab_replay(r->session, r->name, LONG_ENOUGH, m)
                                           : open_runs(app, r->session, r->name, turn, m);
    return view_runs(app, runs, r->recorded);
}

struct view *screen_view_recording(struct app *app, const struct view_request *r,
                                   struct base_message *m) {
    bool paced = r->speed > 0;
    struct session_lab *runs =
        session_lab_play(r->name, paced ? r->speed : 1, paced ? 0 : LONG_ENOUGH, m);
    return view_runs(app, runs, true);
}
