/* home: where the learner stands, and what to do next. */
#include "screen/home.h"

#include "experiment/experiment.h"

#include <stdlib.h>
#include <string.h>

enum home_state {
    HOME_HAS_LESSON = VIEW_OWN,
    HOME_PLACES,
    HOME_FIRST,
    HOME_LATER,
    HOME_DUE,
    HOME_CASE,
    HOME_FEEDBACK,
    HOME_SUSPENDED,
    HOME_DRILLS,
    HOME_DONE,
    HOME_LISTED,
    HOME_OPENS,
    HOME_MILESTONES,
    HOME_DUE_NEXT,
    HOME_BACK
};

enum {
    READ_MS = 5, /* between two lessons that are read ahead: keys come first */
    STEPS = 3    /* that the wheel scrolls */
};

static struct home *home_of(const struct view *v) {
    return (struct home *)v;
}

static bool can_watch(const struct lesson_welcome *w) {
    const struct experiment_lab *lab = w->watch ? experiment_lab_find(w->watch) : NULL;
    char *machine = lab ? experiment_recorded_on(lab) : NULL;
    free(machine);
    return machine != NULL;
}

/* Whether home shows its first page; what can be watched is looked up once. */
static void read_first(struct home *h) {
    const struct lesson_welcome *w = &session_learner_course(h->view.app->learner)->welcome;
    h->first = w->text && !h->listed &&
               h->next < session_learner_course(h->view.app->learner)->lessons &&
               session_learner_is_new(h->view.app->learner);
    if (h->first && h->ways.count == 0) h->ways.count = can_watch(w) ? HOME_WAYS : HOME_WATCH;
}

static void read_milestones(struct home *h) {
    struct learner *who = h->view.app->learner;
    bool done = h->list.count > 0 && h->next == session_learner_course(who)->lessons;
    json_decref(h->milestones);
    h->milestones = done && !h->listed ? session_learner_milestones(who) : NULL;
}

static void read_record(struct home *h) {
    struct learner *learner = h->view.app->learner;
    const struct lesson_course *course = session_learner_course(learner);
    h->list.count = 0;
    screen_home_pane_forget(h);
    h->rollover = session_learner_rollover(learner);
    h->counts = screen_look_streak(h->view.app);
    h->next = session_learner_next(learner);
    h->placement = session_learner_placement(learner, &h->place);
    for (size_t i = 0; i < course->phases; i++) h->gate[i] = session_learner_gate(learner, i);
    h->drills = false;
    for (size_t i = 0; i < course->lessons; i++) {
        h->progress[i] = session_learner_progress(learner, i);
        h->drills |= course->lesson[i].kind == LESSON_ORDINARY && h->progress[i].through;
        if (h->progress[i].exists) h->existing[h->list.count++] = i;
    }
    h->onwards = h->drills && session_learner_onwards(learner);
    read_first(h);
    read_milestones(h);
    if (!h->first) {
        screen_home_today_read(h); /* which runs lessons: the first page needs none */
        return;
    }
    free(h->class_hours);
    h->class_hours = session_class_hours(h->view.app->learner);
}

static void point_at(struct home *h, size_t lesson) {
    for (size_t i = 0; i < h->list.count; i++)
        if (h->existing[i] == lesson) h->list.at = i;
}

/* The cursor stays where it was, unless another lesson has become the next one. */
static void home_wake(struct view *v) {
    struct home *h = home_of(v);
    size_t next = h->next, due = h->due;
    read_record(h);
    if (h->next != next) point_at(h, h->next);
    if (h->due > 0 && due == 0) h->on = HOME_ON_DUE;
    if (!screen_home_has(h, h->on)) h->on = HOME_ON_LESSON;
}

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
static void home_state(const struct view *v, struct view_states *s) {
    const struct home *h = home_of(v);
    s->is[VIEW_READING] = true;
    s->is[HOME_FIRST] = h->first;
    s->is[HOME_LATER] = h->list.count > 0;
    s->is[HOME_HAS_LESSON] = h->list.count > 0 && !h->first;
    s->is[HOME_CASE] = h->has_case && !h->first;
    s->is[HOME_FEEDBACK] = h->feedback && !h->first;
    s->is[HOME_SUSPENDED] = h->suspended > 0 && !h->first;
    s->is[HOME_DRILLS] = h->drills;
    s->is[HOME_DONE] = h->onwards;
    s->is[HOME_LISTED] = s->is[HOME_HAS_LESSON] && !h->milestones;
    s->is[VIEW_LISTS] = s->is[HOME_LISTED] || h->first;
    s->is[HOME_MILESTONES] = h->milestones != NULL;
    s->is[HOME_DUE_NEXT] = h->due > 0 && !h->first && (h->milestones || h->on == HOME_ON_DUE);
    s->is[HOME_DUE] = h->due > 0 && !h->first && !s->is[HOME_DUE_NEXT];
    s->is[HOME_OPENS] = s->is[HOME_LISTED] && h->on != HOME_ON_DUE;
    s->is[HOME_BACK] =
        h->listed && h->next == session_learner_course(h->view.app->learner)->lessons;
    s->is[HOME_PLACES] = h->placement != LEARNER_PLACED;
}

/* The first step that was skipped in a lesson that was gone through, where it opens; NULL if it
 * opens where it was left. */
static const char *step_to_open(const struct home *h, size_t lesson) {
    const struct learner_progress *g = &h->progress[lesson];
    return g->through && *g->skip ? g->skip : NULL;
}

static unsigned open_id(struct view *v, const char *id, const char *step) {
    return screen_app_open(v->app,
                           &(struct view_request){.kind = VIEW_LESSON, .name = id, .step = step});
}

/* The lesson under the cursor, at a step; NULL where it was left. */
static unsigned open_at(struct home *h, const char *step) {
    struct view *v = &h->view;
    size_t at = h->existing[h->list.at];
    const struct lesson_course *c = session_learner_course(v->app->learner);
    size_t gate = h->gate[c->lesson[at].phase];
    /* Whoever has begun it was asked then. */
    if (gate < c->lessons && !h->progress[at].opened)
        return screen_app_open(
            v->app,
            &(struct view_request){.kind = VIEW_GATE, .lesson = at, .check = gate, .step = step});
    return open_id(v, c->lesson[at].id, step ? step : step_to_open(h, at));
}

static unsigned open_lesson(struct view *v, const struct key *k) {
    (void)k;
    return open_at(home_of(v), NULL);
}

static unsigned open_step(struct home *h, size_t step) {
    const struct outline *o = &h->shown[h->existing[h->list.at]].steps;
    return step < o->count ? open_at(h, o->step[step].id) : VIEW_IGNORED;
}

VIEW_OPENER(place, .kind = VIEW_LESSON, .name = LEARNER_PLACE)
VIEW_OPENER(ask_myths, .kind = VIEW_LESSON, .name = LEARNER_MYTHS)
VIEW_OPENER(interview, .kind = VIEW_LESSON, .name = LEARNER_INTERVIEW)
VIEW_OPENER(read_onwards, .kind = VIEW_LESSON, .name = LEARNER_ONWARDS)
VIEW_OPENER(take_case, .kind = VIEW_LESSON, .name = LEARNER_CASE)
VIEW_OPENER(read_feedback, .kind = VIEW_LESSON, .name = LEARNER_FEEDBACK)
VIEW_OPENER(name_job, .kind = VIEW_JOB)
VIEW_OPENER(list_suspended, .kind = VIEW_SUSPENDED)
VIEW_OPENER(open_settings, .kind = VIEW_SETTINGS)
VIEW_OPENER(open_questions, .kind = VIEW_SEARCH, .kinds = VIEW_QUESTIONS)
VIEW_OPENER(open_notes, .kind = VIEW_SEARCH, .kinds = VIEW_NOTES)
VIEW_OPENER(open_labs, .kind = VIEW_LABS)
VIEW_OPENER(open_progress, .kind = VIEW_PROGRESS)
VIEW_OPENER(open_speed, .kind = VIEW_SPEED)
VIEW_OPENER(open_map, .kind = VIEW_MAP)

/* Whoever comes back from it goes on with a lesson, also if some of it is left. */
static unsigned review(struct view *v, const struct key *k) {
    (void)k;
    home_of(v)->on = HOME_ON_LESSON;
    return open_id(v, LEARNER_REVIEW, NULL);
}

/* One of the ways to begin. */
static unsigned begin(struct view *v, const struct key *k) {
    struct home *h = home_of(v);
    const struct lesson_course *c = session_learner_course(v->app->learner);
    if (h->ways.at == HOME_PLACE) return place(v, k);
    if (h->ways.at == HOME_START) return open_id(v, c->lesson[h->next].id, NULL);
    return screen_app_open(
        v->app,
        &(struct view_request){.kind = VIEW_LAB, .name = c->welcome.watch, .recorded = true});
}

static unsigned list_lessons(struct view *v, const struct key *k) {
    struct home *h = home_of(v);
    (void)k;
    h->listed = true;
    h->first = false;
    read_milestones(h);
    screen_home_today_read(h);
    return VIEW_REDRAW;
}

static unsigned list_milestones(struct view *v, const struct key *k) {
    struct home *h = home_of(v);
    (void)k;
    h->listed = false;
    read_milestones(h);
    return VIEW_REDRAW;
}

static unsigned scroll(struct home *h, const struct key *k) {
    int by = k->code == PRESS_DOWN || k->code == PRESS_WHEEL_DOWN || k->code == 'j' ? 1
             : k->code == PRESS_UP || k->code == PRESS_WHEEL_UP || k->code == 'k'   ? -1
                                                                                    : 0;
    h->scrolled += by;
    return by ? VIEW_REDRAW : VIEW_IGNORED;
}

bool screen_home_has(const struct home *h, enum home_line line) {
    bool next = h->next < session_learner_course(h->view.app->learner)->lessons;
    return line == HOME_ON_LESSON || (line == HOME_ON_DUE ? h->due > 0 : next);
}

static void put_on(struct home *h, enum home_line line) {
    h->on = line;
    if (line != HOME_ON_LESSON) point_at(h, h->next);
}

/* The line above today's other line or the first lesson, or the one below, if today has it. False
 * if the list's own keys lead there. */
static bool cross(struct home *h, bool down) {
    static const enum home_line lines[] = {HOME_ON_DUE, HOME_ON_NEXT, HOME_ON_LESSON};
    int at = 0, by = down ? 1 : -1;
    while (lines[at] != h->on) at++;
    if (h->on == HOME_ON_LESSON && (down || h->list.at > 0)) return false;
    do at += by;
    while (at >= 0 && !screen_home_has(h, lines[at]));
    if (at < 0) return h->on != HOME_ON_LESSON;
    put_on(h, lines[at]);
    if (h->on == HOME_ON_LESSON) h->list.at = 0;
    return true;
}

/* Today's lines lie above the first lesson. */
static unsigned move(struct home *h, const struct key *k) {
    bool down = k->code == PRESS_DOWN || k->code == PRESS_WHEEL_DOWN || k->code == 'j',
         up = k->code == PRESS_UP || k->code == PRESS_WHEEL_UP || k->code == 'k';
    if ((!up && !down) || !cross(h, down)) {
        if (!screen_list_key(&h->list, k)) return VIEW_IGNORED;
        h->on = HOME_ON_LESSON;
    }
    h->by = 0;
    return VIEW_REDRAW;
}

static unsigned scroll_steps(struct home *h, bool up) {
    h->by += up ? -STEPS : STEPS;
    return VIEW_REDRAW;
}

/* A click moves the cursor to a line, and one on the line under the cursor opens it. What has no
 * place for the cursor opens at once. */
static unsigned click(struct home *h, const struct key *k) {
    enum home_line on = k->target == HOME_DUE_TARGET    ? HOME_ON_DUE
                        : k->target == HOME_NEXT_TARGET ? HOME_ON_NEXT
                                                        : HOME_ON_LESSON;
    bool chosen = h->on == on && (on != HOME_ON_LESSON || screen_list_chosen(&h->list, k));
    if (k->target >= OUTLINE_TARGET) return open_step(h, (size_t)(k->target - OUTLINE_TARGET));
    if (k->target >= OUTLINE_UP) return scroll_steps(h, k->target == OUTLINE_UP);
    if (on == HOME_ON_DUE && (chosen || h->milestones)) return review(&h->view, k);
    if (k->target == HOME_LEFT_TARGET) put_on(h, HOME_ON_NEXT);
    if (chosen || k->target == HOME_LEFT_TARGET) return open_at(h, NULL);
    if (on == HOME_ON_LESSON) return move(h, k);
    put_on(h, on);
    h->by = 0;
    return VIEW_REDRAW;
}

static unsigned turn_wheel(struct home *h, const struct key *k) {
    return k->target == KEY_ASIDE ? scroll_steps(h, k->code == PRESS_WHEEL_UP) : move(h, k);
}

static unsigned quit(struct view *v, const struct key *k) {
    (void)v, (void)k;
    return VIEW_QUIT;
}

static unsigned home_key(struct view *v, const struct key *k) {
    struct home *h = home_of(v);
    if (h->first && screen_list_chosen(&h->ways, k)) return begin(v, k);
    if (h->first) return screen_list_key(&h->ways, k) ? VIEW_REDRAW : VIEW_IGNORED;
    if (k->code == PRESS_CLICK) return click(h, k);
    if (h->milestones) return scroll(h, k);
    return k->code == PRESS_WHEEL_UP || k->code == PRESS_WHEEL_DOWN ? turn_wheel(h, k) : move(h, k);
}

static const struct action ACTIONS[] = {
    {"choose", "Enter Space", HOME_FIRST, begin, "Choose the line under the cursor"},
    {"review", "Enter r", HOME_DUE_NEXT, review,
     "Answer the questions that you are about to forget"},
    {"lessons", "Tab", HOME_MILESTONES, list_lessons, "Show the course, lesson by lesson"},
    {"overview", "Tab", HOME_BACK, list_milestones, "Show what you can do, instead of the lessons"},
    {"open", "Enter", HOME_OPENS, open_lesson,
     "Open the lesson under the cursor where you left it"},
    {"review", "r", HOME_DUE, review, "Answer the questions that you are about to forget"},
    {"case", "C", HOME_CASE, take_case, "Answer the case of the week; it is never graded"},
    {"feedback", "F", HOME_FEEDBACK, read_feedback, "Read what your class's teacher gave back"},
    {"what next", "W", HOME_DONE, read_onwards, "Read what to learn after the course"},
    {"place me", "p", HOME_PLACES, place, "Answer a few problems to find where to start"},
    {"lessons", "Tab", HOME_FIRST, list_lessons, "Show the course, lesson by lesson"},
    {"speed", "s", HOME_HAS_LESSON, open_speed,
     "Estimate against the clock, with numbers you learned"},
    {"search", "/", HOME_LATER, screen_action_search, "Search lessons, terms, labs and commands"},
    {"labs", "l", VIEW_READING, open_labs, "Run an experiment outside its lesson"},
    {"job", "J", HOME_HAS_LESSON, name_job, "Keep your own model, GPUs and card here"},
    {"suspended", "Z", HOME_SUSPENDED, list_suspended, "Take back questions that you suspended"},
    {"progress", "P", HOME_HAS_LESSON, open_progress,
     "Show what you can do, your mistakes and your time"},
    {"map", "m", HOME_LATER, open_map, "Show the ideas of the course, and what each rests on"},
    {"myths", "t", HOME_DRILLS, ask_myths, "Say which claims of your lessons are true"},
    {"interview", "i", HOME_DRILLS, interview, "Explain aloud, against a checklist"},
    {"questions", "f", VIEW_READING, open_questions, "Read the questions that people ask"},
    {"notes", "B", HOME_LATER, open_notes, "List your bookmarks and notes"},
    {"settings", "S", VIEW_READING, open_settings, "Change how things look, and when days begin"},
    {"quit", "q", VIEW_READING, quit, "Quit zerotutor"},
    {NULL, "Up k Down j", HOME_MILESTONES, NULL, "Scroll"},
};

/* ── between keys ──────────────────────────────────────────────────────────────────────────────*/
/* What is due is made ready while the learner reads, and then what the other views need. The first
 * page leads to neither, but to the first lesson. */
static int home_pace(const struct view *v) {
    struct learner *who = v->app->learner;
    const struct home *h = home_of(v);
    bool waits = h->first ? session_first_waits(who, h->next)
                          : session_review_waits(who) || session_search_waits(who);
    return waits ? READ_MS : -1;
}

static unsigned home_tick(struct view *v, const struct key *k) {
    struct learner *who = v->app->learner;
    const struct home *h = home_of(v);
    if (k->code != PRESS_PACE) return VIEW_HANDLED;
    if (h->first) {
        session_first_read(who, h->next);
        return session_first_waits(who, h->next) ? VIEW_HANDLED : VIEW_REDRAW; /* the pane comes */
    }
    if (session_review_waits(who))
        session_review_read(who);
    else
        session_search_read(who);
    return VIEW_HANDLED;
}

static void home_close(struct view *v) {
    screen_home_today_free(home_of(v));
    page_free(home_of(v)->welcome.page);
    json_decref(home_of(v)->milestones);
    screen_home_pane_forget(home_of(v));
    free(v);
}

/* What is left of the course grows with the terminal; its lessons, and the ways to begin, have the
 * one under the cursor next to them, or what is due. */
static enum frame_layout layout(const struct view *v) {
    const struct home *h = (const struct home *)v;
    return h->milestones && h->due == 0 ? FRAME_GROWS : FRAME_DETAIL;
}

static const struct view_operations HOME = {
    .name = "Home",
    .about = "The course, phase by phase. The sign and the percentage next to a finished lesson "
             "estimate how much you would recall today of what it asked: solid from 90% on, "
             "fading from 70% on, weak below. (The map and Progress say how likely your first try "
             "at a new problem is right.) If you skipped some of a lesson, it opens there. Each "
             "phase ends with a "
             "review and a check. The check opens the next phase.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .layout = layout,
    .state = home_state,
    .draw = screen_home_draw,
    .key = home_key,
    .tick = home_tick,
    .pace = home_pace,
    .wake = home_wake,
    .turns = true,
    .close = home_close,
};

struct view *screen_view_home(struct app *app, const struct view_request *r,
                              struct base_message *m) {
    (void)m;
    struct home *h = base_alloc(sizeof *h);
    h->view = (struct view){&HOME, app};
    h->list.tall = h->ways.tall = 1;
    if (r->covered) return &h->view;
    read_record(h);
    point_at(h, h->next);
    if (h->due > 0) h->on = HOME_ON_DUE;
    return &h->view;
}
