/* present: a lesson at the front, slide by slide: one sentence, one figure, and no answer before
 * the teacher shows it. In a class the room votes, and answers the questions at the end. */
#include "screen/present.h"
#include "screen/list.h"
#include "screen/view.h"

#include <stdlib.h>
#include <string.h>

enum { SECOND = 1000 };
enum { HIDES = VIEW_OWN, VOTES, GUESSES, CLASS }; /* what may hold of it */

struct present {
    struct view view;
    struct session_slides *slides;
    /* NULL: there is no class */
    struct session_asking *asking;
    /* the slide; after the last comes what the opening guess has become, if there is a class */
    size_t at;
    /* the answer is shown; the questions at the end are, in place of the slide */
    bool answer, exit;
    /* the piece of it that is on the wall, from 0, and how many it has */
    int wall, walls;
    /* go to the answer, or to the last piece, with the next drawing */
    bool follow, ends;
    /* base_ticks() at which the class is read again */
    int64_t due;
};

static struct present *present_of(const struct view *v) {
    return (struct present *)v;
}

/* ── slides ────────────────────────────────────────────────────────────────────────────────────*/
static bool ends_with_guess(const struct present *s) {
    return s->asking && session_slides_guess(s->slides);
}

static size_t count_of(const struct present *s) {
    return session_slides_count(s->slides) + ends_with_guess(s);
}

static bool is_last_guess(const struct present *s) {
    return s->at == session_slides_count(s->slides);
}

static const struct session_slide *slide_of(const struct present *s) {
    return is_last_guess(s) ? session_slides_again(s->slides) : session_slides_at(s->slides, s->at);
}

static enum classroom_round round_of(const struct present *s) {
    bool votes = s->asking && !s->exit;
    return votes ? session_asking_round(s->asking, slide_of(s)) : 0;
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
/* In a vote the question alone is on the wall, so that the bars have room. */
static void fill_question(const struct present *s, struct present_drawing *d,
                          struct session_bars *bars) {
    const struct session_slide *slide = slide_of(s);
    bool counts = s->asking && session_asking_bars(s->asking, slide, bars);
    enum classroom_round round = round_of(s);
    if (!counts) {
        *bars = (struct session_bars){.bars = slide->options};
        for (size_t i = 0; i < slide->options; i++) bars->label[i] = slide->option[i];
    }
    d->bars = slide->options ? bars : NULL;
    d->rounds = !counts ? 0 : round == CLASSROOM_ALONE ? 1 : CLASSROOM_ROUNDS;
    d->numbered = true;
    d->text = counts && *slide->question ? slide->question : slide->text;
    d->figure = counts ? NULL : slide->figure;
    d->given = counts || s->answer ? NULL : slide->given;
    if (!s->answer) return;
    bars->right = slide->right;
    d->answer = slide->answer;
    d->after = slide->after;
}

static void fill_last_guess(const struct present *s, struct present_drawing *d,
                            struct session_bars *bars) {
    const struct session_slide *slide = slide_of(s);
    bool any = session_asking_guesses(s->asking, s->slides, bars);
    d->text = slide->question;
    d->bars = any ? bars : NULL;
    d->rounds = 1; /* until somebody guesses again */
    for (size_t i = 0; i < bars->bars; i++)
        if (bars->count[1][i]) d->rounds = CLASSROOM_ROUNDS;
    d->numbered = slide->options > 0;
    if (!s->answer) bars->right = 0;
    d->answer = !any             ? "No one guessed."
                : s->answer      ? slide->answer
                : slide->options ? NULL
                                 : "Guess again: the lesson's first step, key a.";
}

static void fill_exit(const struct present *s, struct present_drawing *d,
                      struct session_bars *bars) {
    session_asking_exit_bars(s->asking, bars);
    d->text = session_asking_exits(s->asking)
                  ? "Alone, without help: press X in your tutor, or Alt-x "
                    "while you type."
                  : "How many were right at their first answer:";
    d->bars = bars;
    d->rounds = CLASSROOM_ROUNDS;
}

static void fill(const struct present *s, struct present_drawing *d, struct session_bars *bars) {
    if (s->exit)
        fill_exit(s, d, bars);
    else if (is_last_guess(s))
        fill_last_guess(s, d, bars);
    else
        fill_question(s, d, bars);
}

/* rows of a bar that the last row of seats can see */
enum { THINNEST = 3 };

static struct present_walls lay_out(const struct present *s, const struct frame *f, int rows) {
    const struct session_slide *slide = s->exit ? NULL : slide_of(s);
    struct session_bars bars;
    int thick = screen_frame_thick(f);
    struct present_drawing d = {
        .thick = thick > THINNEST ? thick : THINNEST, .rows = rows, .wall = true};
    fill(s, &d, &bars);
    bool own = slide && d.text == slide->text;
    return screen_present_walls(d, own ? slide->terse : NULL,
                                s->answer && slide ? slide->gist : NULL, f->width,
                                s->view.app->look.ascii, s->view.app->look.colours);
}

/* "1.3  Three cuts", the caller's */
static char *head_of(const struct present *s) {
    const char *title = s->exit               ? "Exit questions"
                        : is_last_guess(s)    ? "The opening guess, again"
                        : *slide_of(s)->title ? slide_of(s)->title
                                              : NULL;
    if (!title) return base_dup(session_slides_title(s->slides));
    return base_format("%s  %s", session_slides_lesson(s->slides), title);
}

static char *foot_of(const struct present *s) {
    static const char *const rounds[] = {
        [0] = "", [CLASSROOM_ALONE] = "alone", [CLASSROOM_TALKED] = "after talking"};
    enum classroom_round round = round_of(s);
    if (!round && is_last_guess(s) && !s->exit)
        return base_dup("at first: before they saw the answer; now: after it");
    if (!round) return base_dup("");
    int known = session_asking_knowing(s->asking);
    struct base_text t = {0};
    base_text_printf(&t, "%d of %d answered, %s", session_asking_voted(s->asking),
                     session_asking_asked(s->asking), rounds[round]);
    if (known) base_text_printf(&t, "; %d had seen the answer", known);
    return base_text_take(&t);
}

/* "5 / 16", and of a slide on several walls "5 / 16, 1 of 2"; the exit questions are no slide. The
 * caller's. */
static char *place_of(const struct present *s) {
    char *slide = s->exit ? base_dup("") : base_format("%zu / %zu", s->at + 1, count_of(s));
    if (s->walls < 2) return slide;
    char *both = base_format("%s, %d of %d", slide, s->wall + 1, s->walls);
    free(slide);
    return both;
}

static void present_draw(struct view *v, struct frame *f) {
    struct present *s = present_of(v);
    char *head = head_of(s), *foot = foot_of(s);
    /* A notice hides a row until the next key. If slides made room for it, they would jump. */
    struct present_walls w = lay_out(s, f, f->all_rows - f->top - (*foot != '\0'));
    s->walls = w.count;
    if (s->follow) s->wall = w.answer;
    if (s->ends || s->wall >= w.count) s->wall = w.count - 1;
    s->follow = s->ends = false;
    char *place = place_of(s);
    screen_frame_title(f, head, place);
    bool above = w.above[s->wall] >= 0;
    if (above) screen_frame_window(f, w.page, w.above[s->wall], 1, f->top, f->left);
    screen_frame_window(f, w.page, w.first[s->wall], w.rows[s->wall], f->top + above, f->left);
    screen_frame_put(f, f->all_rows - 1, 1, PAGE_DIM, 0, foot);
    free(place);
    free(foot);
    free(head);
    page_free(w.page);
}

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
static unsigned complain_if(const struct view *v, bool done, const struct base_message *m) {
    char text[700];
    if (!done) screen_app_notice(v->app, base_dup(base_message_text(m, text, sizeof text)));
    return VIEW_REDRAW;
}

/* A vote ends with its slide; its bars stay. */
static unsigned go_to(struct present *s, size_t at) {
    struct base_message m = {0};
    bool done = !s->asking || session_asking_end(s->asking, false, &m);
    bool moved = at != s->at && at < count_of(s);
    if (moved) s->at = at;
    if (moved || s->exit) s->answer = false;
    s->exit = false;
    s->wall = 0;
    return complain_if(&s->view, done, &m);
}

static unsigned next(struct view *v, const struct key *k) {
    struct present *s = present_of(v);
    (void)k;
    bool last = s->wall + 1 >= s->walls, more = s->exit || s->at + 1 < count_of(s);
    if (last && more) return go_to(s, s->at + 1);
    s->wall += !last;
    return VIEW_REDRAW;
}

/* To the last piece of the slide before. */
static unsigned back(struct view *v, const struct key *k) {
    struct present *s = present_of(v);
    (void)k;
    if (s->wall == 0) {
        s->ends = s->at > 0;
        return go_to(s, s->at ? s->at - 1 : 0);
    }
    s->wall--;
    return VIEW_REDRAW;
}

static unsigned first(struct view *v, const struct key *k) {
    (void)k;
    return go_to(present_of(v), 0);
}

static unsigned last(struct view *v, const struct key *k) {
    (void)k;
    return go_to(present_of(v), count_of(present_of(v)) - 1);
}

/* To show the answer ends a vote, and the learners see it too. */
static unsigned show(struct view *v, const struct key *k) {
    struct present *s = present_of(v);
    struct base_message m = {0};
    bool done = !round_of(s) || session_asking_end(s->asking, true, &m);
    (void)k;
    s->answer = s->follow = !s->answer;
    if (!s->answer) s->wall = 0, s->follow = false;
    return complain_if(v, done, &m);
}

/* Open, the second round, the answer; and from the beginning. */
static unsigned vote(struct view *v, const struct key *k) {
    struct present *s = present_of(v);
    struct base_message m = {0};
    bool shows = round_of(s) == CLASSROOM_TALKED;
    (void)k;
    bool done = session_asking_vote(s->asking, slide_of(s), &m);
    s->answer = done && shows;
    s->wall = 0;
    return complain_if(v, done, &m);
}

/* A number has no options to vote on. */
static unsigned say_again(struct view *v, const struct key *k) {
    (void)k;
    screen_app_notice(v->app, base_dup("A guess at a number has no vote: learners open the "
                                       "lesson's first step and press a."));
    return VIEW_REDRAW;
}

/* Begun, looked at, and ended. */
static unsigned ask_exit(struct view *v, const struct key *k) {
    struct present *s = present_of(v);
    struct base_message m = {0};
    bool open = session_asking_exits(s->asking), done = true;
    (void)k;
    if (!open)
        done = session_asking_exit(s->asking, &m);
    else if (s->exit)
        done = session_asking_exit_end(s->asking, &m);
    s->exit = done;
    s->wall = 0;
    return complain_if(v, done, &m);
}

static void present_state(const struct view *v, struct view_states *states) {
    const struct present *s = (const struct present *)v;
    const struct session_slide *slide = slide_of(s);
    states->is[VIEW_READING] = true;
    states->is[CLASS] = s->asking;
    states->is[HIDES] = !s->exit && (slide->answer || slide->right);
    states->is[VOTES] = s->asking && !s->exit && slide->options >= 2;
    states->is[GUESSES] = s->asking && is_last_guess(s) && slide->options < 2;
}

static const struct action ACTIONS[] = {
    {"next", "Enter Right PgDn", VIEW_ALWAYS, next, "Go to the next slide"},
    {"back", "Left PgUp", VIEW_ALWAYS, back, "Go one slide back"},
    {"show", "Space", HIDES, show, "Show the answer, or hide it"},
    {"vote", "v", VOTES, vote, "Ask the class; again after talking; then show the answer"},
    {NULL, "v", GUESSES, say_again, "Vote on a number: says how the class guesses again"},
    {"exit questions", "X", CLASS, ask_exit, "Ask the exit questions, and end them"},
    {NULL, "Home", VIEW_ALWAYS, first, "Go to the first slide"},
    {NULL, "End", VIEW_ALWAYS, last, "Go to the last slide"},
    {"leave", "Esc q", VIEW_ALWAYS, screen_action_leave, "Leave; a vote that is open ends"},
};

/* ── time ──────────────────────────────────────────────────────────────────────────────────────*/
static int present_pace(const struct view *v) {
    const struct present *s = (const struct present *)v;
    int64_t left = s->due - base_ticks();
    if (!s->asking || !(round_of(s) || s->exit || is_last_guess(s))) return -1;
    return left < 0 ? 0 : left > SECOND ? SECOND : (int)left;
}

static unsigned present_tick(struct view *v, const struct key *k) {
    struct present *s = present_of(v);
    struct base_message m = {0};
    (void)k;
    s->due = base_ticks() + SECOND;
    return complain_if(v, session_asking_look(s->asking, &m), &m);
}

static void present_close(struct view *v) {
    struct present *s = present_of(v);
    session_asking_close(s->asking);
    session_slides_close(s->slides);
    free(s);
}

static enum frame_layout present_layout(const struct view *v) {
    (void)v;
    return FRAME_GROWS;
}

static const struct view_operations PRESENT = {
    .name = "A lesson at the front",
    .about = "One sentence and one figure on each slide; if one has no room, the next slide "
             "continues it. "
             "Answers stay hidden until you show them. "
             "With a class the learners vote in their tutors. Both rounds stay on the slide, "
             "without names. The exit questions are the three problems that most learners missed, "
             "with other numbers for each. The last slide compares the opening guesses with those "
             "who guessed again.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .bare = true,
    .layout = present_layout,
    .state = present_state,
    .draw = present_draw,
    .tick = present_tick,
    .pace = present_pace,
    .close = present_close,
};

struct view *screen_view_present(struct app *app, const struct view_request *r,
                                 struct base_message *m) {
    struct session_slides *slides = session_slides_open(r->name, m);
    struct session_asking *asking = slides && r->folder ? session_asking_open(r->folder, m) : NULL;
    if (!slides || (r->folder && !asking)) {
        session_slides_close(slides);
        return NULL;
    }
    struct present *s = base_alloc(sizeof *s);
    s->view = (struct view){&PRESENT, app};
    s->slides = slides;
    s->asking = asking;
    return &s->view;
}
