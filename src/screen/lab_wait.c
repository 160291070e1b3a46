/* lab_wait: a lab of a class before its turn. It becomes the lab's view when the turn comes. Until
 * then one may leave the queue, or go on with the lesson and keep the place. */
#include "screen/lab.h"

#include <stdlib.h>
#include <string.h>

static struct lab *lab_of(const struct view *v) {
    return (struct lab *)v;
}

/* ── the place that is kept ────────────────────────────────────────────────────────────────────*/
bool screen_lab_turn(struct app *app, const char *name, struct session_turn **turn,
                     struct base_message *m) {
    struct session_turn *kept = app->turn;
    app->turn = NULL;
    if (kept && strcmp(session_turn_lab(kept), name) == 0) {
        session_turn_away(kept, false);
        *turn = kept;
        return true;
    }
    session_turn_end(kept);
    return session_turn_begin(name, NULL, turn, m);
}

static unsigned keep_place(struct view *v, const struct key *k) {
    struct lab *l = lab_of(v);
    (void)k;
    session_turn_away(l->turn, true);
    v->app->turn = l->turn;
    l->turn = NULL;
    screen_app_notice(v->app, base_dup("You keep your place. Run the lab again to wait for it."));
    return VIEW_LEAVE;
}

/* The caller's. */
static char *left(const struct lab *l) {
    const char *trouble = session_turn_trouble(l->turn);
    return trouble ? base_format("You left the queue. The class's folder could not be used: %s.",
                                 trouble)
                   : base_dup("You left the queue.");
}

static unsigned leave(struct view *v, const struct key *k) {
    (void)k;
    screen_app_notice(v->app, left(lab_of(v)));
    return VIEW_LEAVE;
}

/* ── waiting ───────────────────────────────────────────────────────────────────────────────────*/
/* A turn that was taken away is no reason to stay. */
static unsigned wait_tick(struct view *v, const struct key *k) {
    struct lab *l = lab_of(v);
    (void)k;
    const char *over = session_turn_over(l->turn);
    if (session_turn_look(l->turn)) return l->begin(l);
    if (over) screen_app_notice(v->app, base_dup(over));
    return over ? VIEW_LEAVE : VIEW_REDRAW;
}

static int wait_pace(const struct view *v) {
    return session_turn_due(lab_of(v)->turn);
}

static void wait_draw(struct view *v, struct frame *f) {
    struct lab *l = lab_of(v);
    bool ascii = v->app->look.ascii;
    char *title = base_format("lab  %s", session_turn_lab(l->turn)),
         *place = session_turn_say(l->turn),
         *text = base_format("%s\n\n%s", place,
                             session_turn_trouble(l->turn)
                                 ? "No answer is lost: your record has all of them, and hands them "
                                   "in once the folder can be used. You can leave the queue, and "
                                   "watch the lab's recording."
                                 : "The labs of this class take turns on this machine. Yours "
                                   "starts automatically.");
    screen_frame_title(f, title, "waiting for its turn");
    struct page *p = page_new(f->width, ascii);
    page_markdown(p, (struct page_flow){.indent = 1, .width = f->width - 2}, text);
    screen_frame_window(f, p, 0, f->rows - 1, f->top + 1, f->left);
    page_free(p);
    free(title);
    free(place);
    free(text);
}

static void wait_state(const struct view *v, struct view_states *s) {
    (void)v;
    s->is[VIEW_READING] = true;
}

static const struct action ACTIONS[] = {
    {"continue", "Enter", 0, keep_place,
     "Go back and keep your place: the turn waits for you, and others go first"},
    {"stop", "x C-c", 0, leave, "Leave the queue and go back"},
    {"back", "Esc q", 0, leave, "Leave the queue and go back"},
};

static void wait_close(struct view *v) {
    struct lab *l = lab_of(v);
    v->app->lab_well = false;
    char *words = l->turn ? left(l) : base_dup("You keep your place in line.");
    if (l->session) session_lab_refused(l->session, words);
    free(words);
    session_turn_end(l->turn);
    free(v);
}

const struct view_operations screen_lab_waiting = {
    .name = "Waiting for a lab",
    .about = "In a class labs take turns: first those who had the fewest turns, then whoever came "
             "first. A turn is given back as soon as its lab ends.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .state = wait_state,
    .draw = wait_draw,
    .tick = wait_tick,
    .pace = wait_pace,
    .close = wait_close,
};
