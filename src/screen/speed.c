/* speed: a round of the speed challenge on the screen: choices, questions, how it went, and what
 * was missed. */
#include "screen/speed.h"

#include <stdlib.h>
#include <string.h>

/* what may hold of it */
enum {
    CHOOSES = VIEW_OWN,
    TYPES,
    PICKS,
    RETRIES,
    TIMED,
    PAUSES,
    IS_OVER,
    HAS_MISSED,
    RETURNS,
    IS_TOLD,
    MOVES,
    REPORTS
};
enum { SUBJECT, CLOCK, WAY, SECOND = 1000, PAGE = 5 };

static const int CLOCKS[] = {60, 90, 180, 0};

static struct speed *speed_of(const struct view *v) {
    return (struct speed *)v;
}

static struct lesson_speed *round_of(const struct speed *s) {
    return session_speed_round(s->round);
}

/* ── the choices ───────────────────────────────────────────────────────────────────────────────*/
static size_t clock_of(const struct lesson_speed_options *o) {
    size_t i = 0;
    while (i + 1 < BASE_COUNT(CLOCKS) && CLOCKS[i] * SECOND != o->ms) i++;
    return i;
}

static size_t turn(size_t at, size_t count, int by) {
    return (at + count + (size_t)(by + (int)count)) % count;
}

static unsigned change(struct speed *s, int by) {
    struct lesson_speed_options *o = &s->options;
    if (s->list.at == SUBJECT)
        o->subject = (enum lesson_speed_subject)turn((size_t)o->subject, LESSON_SPEED_SUBJECTS, by);
    else if (s->list.at == CLOCK)
        o->ms = CLOCKS[turn(clock_of(o), BASE_COUNT(CLOCKS), by)] * SECOND;
    else
        o->choose = !o->choose;
    s->past = session_speed_past(s->view.app->learner, o);
    return VIEW_REDRAW;
}

static unsigned forward(struct view *v, const struct key *k) {
    (void)k;
    return change(speed_of(v), 1);
}

static unsigned backward(struct view *v, const struct key *k) {
    (void)k;
    return change(speed_of(v), -1);
}

/* ── a round ───────────────────────────────────────────────────────────────────────────────────*/
static void clear_field(struct speed *s) {
    screen_editor_free(&s->field);
    screen_editor_field(&s->field, EDITOR_LINE, NULL);
    s->scrolled = 0;
}

static void say(struct speed *s, const char *before, const struct base_message *m) {
    screen_app_notice(s->view.app, base_format("%s%s", before, m->what));
}

static unsigned finish(struct speed *s) {
    struct base_message m = {0};
    lesson_speed_end(round_of(s), base_ticks());
    if (!session_speed_keep(s->round, &m)) say(s, "not kept: ", &m);
    clear_field(s);
    s->at = SPEED_OVER;
    return VIEW_REDRAW;
}

static unsigned ask(struct speed *s) {
    struct base_message m = {0};
    if (!lesson_speed_next(round_of(s), &m)) {
        if (*m.what) say(s, "", &m);
        if (!*m.what || lesson_speed_result(round_of(s), 0)) return finish(s);
        s->at = SPEED_CHOOSING;
        return VIEW_REDRAW;
    }
    clear_field(s);
    lesson_speed_run(round_of(s), base_ticks());
    s->at = SPEED_ASKING;
    return VIEW_REDRAW;
}

static unsigned begin(struct view *v, const struct key *k) {
    struct speed *s = speed_of(v);
    struct base_message m = {0};
    (void)k;
    session_speed_close(s->round);
    s->past = session_speed_past(v->app->learner, &s->options);
    session_speed_choose(v->app->learner, &s->options);
    s->round = session_speed_open(v->app->learner, &s->options, &m);
    s->options.seed = 0; /* one that was given is for one round */
    if (s->round) return ask(s);
    say(s, "", &m);
    s->at = SPEED_CHOOSING;
    return VIEW_REDRAW;
}

/* NULL skips. */
static unsigned answer(struct speed *s, const char *text) {
    bool again = s->at == SPEED_AGAIN;
    switch (lesson_speed_answer(round_of(s), text, base_ticks())) {
    case LESSON_SPEED_UNREAD:
        screen_app_notice(s->view.app, base_format("That does not count as an answer: %s.",
                                                   lesson_speed_unread(round_of(s))));
        return VIEW_REDRAW;
    case LESSON_SPEED_LATE: return finish(s);
    default:
        if (!again) return ask(s);
        s->scrolled = 0;
        s->at = SPEED_TOLD;
        return VIEW_REDRAW;
    }
}

static unsigned answer_typed(struct view *v, const struct key *k) {
    struct speed *s = speed_of(v);
    const char *text = screen_editor_text(&s->field);
    (void)k;
    if (text[strspn(text, " ")]) return answer(s, text);
    screen_app_notice(v->app, base_dup("Type an estimate first, or press F5 to skip."));
    return VIEW_REDRAW;
}

static unsigned answer_picked(struct view *v, const struct key *k) {
    char text[] = {(char)k->code, '\0'};
    return answer(speed_of(v), text);
}

static unsigned skip(struct view *v, const struct key *k) {
    (void)k;
    return answer(speed_of(v), NULL);
}

static unsigned hold(struct view *v, const struct key *k) {
    (void)k;
    lesson_speed_hold(round_of(speed_of(v)), base_ticks());
    speed_of(v)->at = SPEED_PAUSED;
    return VIEW_REDRAW;
}

static unsigned go_on(struct view *v, const struct key *k) {
    (void)k;
    lesson_speed_run(round_of(speed_of(v)), base_ticks());
    speed_of(v)->at = SPEED_ASKING;
    return VIEW_REDRAW;
}

static unsigned stop(struct view *v, const struct key *k) {
    (void)k;
    return finish(speed_of(v));
}

/* ── afterwards ────────────────────────────────────────────────────────────────────────────────*/
static unsigned again(struct view *v, const struct key *k) {
    struct speed *s = speed_of(v);
    (void)k;
    clear_field(s);
    s->at = lesson_speed_again(round_of(s)) ? SPEED_AGAIN : SPEED_OVER;
    return VIEW_REDRAW;
}

static unsigned leave_missed(struct view *v, const struct key *k) {
    (void)k;
    clear_field(speed_of(v));
    speed_of(v)->at = SPEED_OVER;
    return VIEW_REDRAW;
}

static unsigned choose(struct view *v, const struct key *k) {
    struct speed *s = speed_of(v);
    (void)k;
    s->past = session_speed_past(v->app->learner, &s->options);
    s->at = SPEED_CHOOSING;
    return VIEW_REDRAW;
}

/* Where a question is open, what is typed answers it. */
static unsigned report(struct view *v, const struct key *k) {
    (void)k;
    return screen_app_open(
        v->app,
        &(struct view_request){.kind = VIEW_NOTE, .asked_by = speed_of(v)->round, .reports = true});
}

/* ── the view ──────────────────────────────────────────────────────────────────────────────────*/
static void speed_state(const struct view *v, struct view_states *st) {
    const struct speed *s = speed_of(v);
    bool asks = s->at == SPEED_ASKING || s->at == SPEED_AGAIN, picks = asks && s->options.choose;
    size_t missed = s->at == SPEED_OVER ? lesson_speed_missed(round_of(s)) : 0;
    st->is[VIEW_TYPING] = st->is[TYPES] = asks && !picks;
    st->is[VIEW_READING] = !st->is[TYPES];
    st->is[CHOOSES] = st->is[VIEW_LISTS] = s->at == SPEED_CHOOSING;
    st->is[MOVES] = !st->is[TYPES] && !st->is[CHOOSES];
    st->is[PICKS] = picks;
    st->is[RETRIES] = s->at == SPEED_AGAIN;
    st->is[TIMED] = s->at == SPEED_ASKING;
    st->is[PAUSES] = s->at == SPEED_PAUSED;
    st->is[IS_OVER] = s->at == SPEED_OVER;
    st->is[HAS_MISSED] = missed > 0 && lesson_speed_nth(round_of(s)) < missed;
    st->is[RETURNS] = s->at == SPEED_AGAIN || s->at == SPEED_TOLD;
    st->is[IS_TOLD] = s->at == SPEED_TOLD;
    st->is[REPORTS] = s->at == SPEED_PAUSED || s->at == SPEED_TOLD ||
                      (s->at == SPEED_OVER && lesson_speed_result(round_of(s), 0));
}

static unsigned scroll(struct speed *s, int by) {
    int to = s->scrolled + by;
    s->scrolled = to < 0 ? 0 : to > s->last ? s->last : to;
    return VIEW_REDRAW;
}

static unsigned key_choosing(struct speed *s, const struct key *k) {
    if (screen_list_chosen(&s->list, k)) return change(s, k->column == s->back ? -1 : 1);
    return screen_list_key(&s->list, k) ? VIEW_REDRAW : VIEW_IGNORED;
}

static unsigned key_typing(struct speed *s, const struct key *k) {
    if (k->code == PRESS_CLICK && k->target == SPEED_FIELD) {
        screen_editor_point(&s->field, k->row - s->field_row, k->column - s->field_column);
        return VIEW_REDRAW;
    }
    return screen_editor_key(&s->field, k) ? VIEW_REDRAW : VIEW_IGNORED;
}

static unsigned speed_key(struct view *v, const struct key *k) {
    struct speed *s = speed_of(v);
    bool asks = s->at == SPEED_ASKING || s->at == SPEED_AGAIN;
    if (s->at == SPEED_CHOOSING) return key_choosing(s, k);
    if (asks && !s->options.choose) return key_typing(s, k);
    if (asks && k->code >= '1' && k->code < '1' + LESSON_SPEED_OPTIONS) return answer_picked(v, k);
    switch (k->code) {
    case PRESS_DOWN:
    case PRESS_WHEEL_DOWN:
    case 'j': return scroll(s, 1);
    case PRESS_UP:
    case PRESS_WHEEL_UP:
    case 'k': return scroll(s, -1);
    case PRESS_PAGE_DOWN: return scroll(s, PAGE);
    case PRESS_PAGE_UP: return scroll(s, -PAGE);
    default: return VIEW_IGNORED;
    }
}

/* The bar moves once a second; without a clock nothing does. */
static int speed_pace(const struct view *v) {
    const struct speed *s = speed_of(v);
    int64_t left = s->at == SPEED_ASKING ? lesson_speed_left(round_of(s), base_ticks()) : -1;
    return left < 0 ? -1 : left == 0 ? 0 : (int)((left - 1) % SECOND) + 1;
}

static unsigned speed_tick(struct view *v, const struct key *k) {
    struct speed *s = speed_of(v);
    (void)k;
    if (s->at != SPEED_ASKING) return VIEW_IGNORED;
    return lesson_speed_left(round_of(s), base_ticks()) == 0 ? finish(s) : VIEW_REDRAW;
}

/* What another view took is not the round's time. */
static void speed_wake(struct view *v) {
    struct speed *s = speed_of(v);
    if (s->at != SPEED_ASKING) return;
    lesson_speed_hold(round_of(s), s->seen);
    lesson_speed_run(round_of(s), base_ticks());
}

static const struct action ACTIONS[] = {
    {"start", "Enter", CHOOSES, begin, "Begin a round"},
    {"change", "Right Space", CHOOSES, forward, "Take the next value"},
    {NULL, "Left", CHOOSES, backward, "Take the previous value"},
    {"check", "Enter", TYPES, answer_typed, "Answer with a number or a sum such as 2*13/8"},
    {"answer", "1 2 3 4", PICKS, NULL, "Answer with this size"},
    {"skip", "F5 C-n", TIMED, skip, "Skip the question; it comes back at the end"},
    {"solution", "F3 C-o", RETRIES, skip, "Show the solution"},
    {"pause", "Esc", TIMED, hold, "Stop the clock and hide the question"},
    {"continue", "Enter", PAUSES, go_on, "Continue where you stopped"},
    {"leave", "Esc q", PAUSES, stop, "Leave the round; what you answered counts"},
    {"missed ones", "Enter", HAS_MISSED, again, "Answer what you missed, without a clock"},
    {"again", "a", IS_OVER, begin, "Begin another round with other numbers"},
    {"change", "Left", IS_OVER, choose, "Choose another subject or clock"},
    {"next", "Enter", IS_TOLD, again, "Go to the next question that you missed"},
    {"back", "Esc", RETURNS, leave_missed, "Go back to how the round went"},
    {NULL, "Up k Down j", MOVES, NULL, "Scroll by a row"},
    {NULL, "PgUp PgDn", MOVES, NULL, "Scroll by a page"},
    {"report", "e", REPORTS, report, "Report what is wrong with the last question, to a file"},
    {"back", "Esc q", CHOOSES, screen_action_leave, "Go back"},
    {"back", "Esc q", IS_OVER, screen_action_leave, "Go back"},
};

static void speed_close(struct view *v) {
    struct speed *s = speed_of(v);
    struct base_message m = {0};
    if (s->at == SPEED_ASKING || s->at == SPEED_PAUSED) {
        lesson_speed_end(round_of(s), base_ticks());
        if (!session_speed_keep(s->round, &m)) say(s, "not kept: ", &m);
    }
    session_speed_close(s->round);
    screen_editor_free(&s->field);
    free(s);
}

static const struct view_operations SPEED = {
    .name = "Speed challenge",
    .about =
        "Napkin arithmetic on what you learned. An answer counts if it is within 10%. The "
        "numbers are chosen so that every known mistake is at least 25% away, except GB for GiB "
        "and the like, which counts here. A wrong answer costs only time, and it comes back at "
        "the end. Nothing here counts for reviews.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .state = speed_state,
    .draw = screen_speed_draw,
    .key = speed_key,
    .tick = speed_tick,
    .pace = speed_pace,
    .wake = speed_wake,
    .close = speed_close,
};

struct view *screen_view_speed(struct app *app, const struct view_request *r,
                               struct base_message *m) {
    (void)m;
    struct speed *s = base_alloc(sizeof *s);
    s->view = (struct view){&SPEED, app};
    s->options = r->round ? *r->round : session_speed_chosen(app->learner);
    s->list = (struct list){.count = SPEED_ROWS, .tall = 1};
    s->past = session_speed_past(app->learner, &s->options);
    screen_editor_field(&s->field, EDITOR_LINE, NULL);
    return &s->view;
}
