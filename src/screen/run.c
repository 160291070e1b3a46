/* run: the one loop. It draws the view on top, waits, finds out what a key means there, and does
 * it. */
#include "screen/view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct view *top_of(const struct app *app) {
    assert(app->depth > 0 && app->depth <= APP_DEPTH);
    return app->stack[app->depth - 1];
}

/* The learner's class began or ended: where no other view holds anything of the record, the other
 * one is opened. True if the view is to be woken. */
static bool turn(struct app *app) {
    struct base_message m = {0};
    char text[700];
    if (app->depth != 1 || !top_of(app)->does->turns || !session_learner_turns(app->learner))
        return false;
    if (!session_learner_turn(&app->learner, &m)) {
        screen_app_notice(app, base_dup(base_message_text(&m, text, sizeof text)));
        return false;
    }
    screen_look_read(app);
    screen_app_notice(app, base_dup(session_in_class(app->learner)
                                        ? "Your class has begun. Your answers go to its record."
                                        : "Your class is over. Your answers go to your own record "
                                          "again."));
    return true;
}

static void pop(struct app *app) {
    struct view *v = top_of(app);
    app->depth--;
    v->does->close(v);
    if (app->depth == 0) return;
    turn(app);
    if (top_of(app)->does->wake) top_of(app)->does->wake(top_of(app));
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
static bool too_small(const struct app *app) {
    return app->terminal->columns < FRAME_MIN_COLUMNS || app->terminal->rows < FRAME_MIN_ROWS;
}

/* All that fits into a window that is too small to work in. What does not fit into a line goes on
 * in the next; the name is the first to go. */
static void draw_too_small(struct frame *f) {
    struct page *p = page_new(f->columns, page_ascii(f->page));
    char size[80];
    const char *lines[] = {"zerotutor", size, "Please make the window larger.",
                           "Nothing is lost. Press ^C to leave."};
    snprintf(size, sizeof size, "needs %d x %d, has %d x %d", FRAME_MIN_COLUMNS, FRAME_MIN_ROWS,
             f->columns, f->all_rows);
    for (size_t i = 0; i < BASE_COUNT(lines); i++)
        page_text(p, (struct page_flow){.role = i ? PAGE_PLAIN : PAGE_TITLE}, lines[i]);
    int rows = page_height(p), over = rows > f->all_rows, left = f->all_rows - rows;
    screen_frame_window(f, p, over, f->all_rows, left > 0 ? left / 2 : 0, 0);
    page_free(p);
}

/* The view that fills the screen: what is drawn over it comes later. */
static size_t ground_of(const struct app *app) {
    size_t i = app->depth - 1;
    while (i > 0 && app->stack[i]->does->over) i--;
    return i;
}

/* What lies below can be seen, and not clicked. */
static void draw_views(struct app *app) {
    int top = app->frame->top, rows = app->frame->rows;
    for (size_t i = ground_of(app); i < app->depth; i++) {
        struct view *v = app->stack[i];
        app->frame->zones = 0;
        app->frame->cursor_row = app->frame->cursor_column = -1;
        app->frame->top = top; /* where a view below began lower */
        app->frame->rows = rows;
        v->does->draw(v, app->frame);
    }
}

static enum frame_layout layout_of(const struct view *v) {
    return v->does->layout ? v->does->layout(v) : v->does->pane ? FRAME_PANE : FRAME_ALONE;
}

/* The line above the keys: a notice, else what the teacher asks. */
static void draw_line(struct app *app) {
    bool asked = !app->notice && screen_app_is_asked(app);
    if (app->notice) screen_frame_note(app->frame, app->notice);
    if (!asked) return;
    static const char *const keys[2][2] = {{"  X answers", "  Alt-x answers"},
                                           {"  v answers", "  Alt-v answers"}};
    const char *key =
        keys[session_class_votes(app->learner)][screen_view_states(top_of(app)).is[VIEW_TYPING]];
    char *asks = session_class_asks(app->learner),
         *cut = page_cut(asks, app->frame->width - 2 - base_width(key), app->look.ascii),
         *line = base_format("%s%s", cut, key);
    screen_frame_note(app->frame, line);
    free(line);
    free(cut);
    free(asks);
}

static void draw(struct app *app) {
    struct view *v = top_of(app);
    screen_frame_free(app->frame);
    app->frame = screen_frame_new(app->terminal->columns, app->terminal->rows, app->look.ascii,
                                  layout_of(app->stack[ground_of(app)]));
    if (too_small(app)) {
        draw_too_small(app->frame);
    } else {
        draw_views(app);
        if (!v->does->bare) screen_actions_draw(v, app->frame);
        draw_line(app);
        screen_references_mark(app);
    }
    app->terminal->does->show(app->terminal, app->frame, app->look.theme, app->look.colours);
}

/* ── keys ──────────────────────────────────────────────────────────────────────────────────────*/
static bool is_mouse(const struct key *k) {
    return k->code == PRESS_CLICK || k->code == PRESS_DRAG || k->code == PRESS_WHEEL_UP ||
           k->code == PRESS_WHEEL_DOWN;
}

/* A character for a field needs no action. */
static bool is_typed_into(const struct view *v, const struct key *k) {
    return (screen_key_types(k) || k->target == KEY_PASTED) &&
           screen_view_states(v).is[VIEW_TYPING];
}

static bool is_aside(const struct app *app, const struct key *k) {
    return app->frame->pane_width > 0 && k->column >= app->frame->pane_left;
}

/* A click becomes the key that lies under it, or carries the number of the place, as the wheel
 * does. Over the second pane the wheel is about all of that, whatever can be clicked there. */
static struct key look_up_place(const struct app *app, struct key k) {
    const struct zone *z = is_mouse(&k) ? screen_frame_zone_at(app->frame, k.row, k.column) : NULL;
    bool wheel = k.code == PRESS_WHEEL_UP || k.code == PRESS_WHEEL_DOWN,
         aside = is_mouse(&k) && k.code != PRESS_CLICK && is_aside(app, &k);
    if (z && z->press != PRESS_NONE && k.code == PRESS_CLICK) k.code = z->press;
    if (z || aside) k.target = aside && (wheel || !z) ? KEY_ASIDE : z->target;
    return k;
}

enum { DOUBLE_CLICK_MS = 400 };

/* Whether it is the second of a double click, and meets something else than the first did because
 * that moved things: then it is not meant. Esc leads back everywhere, however fast. */
static bool misses(struct app *app, const struct key *place, const struct key *k) {
    const struct key *last = &app->clicked;
    int64_t now = base_ticks();
    bool again = now - app->clicked_at < DOUBLE_CLICK_MS && last->row == place->row &&
                 last->column == place->column,
         same = last->code == k->code && last->target == k->target &&
                (k->code == PRESS_ESC || app->clicked_in == top_of(app));
    if (place->code != PRESS_CLICK) return false;
    if (again && !same) return true;
    app->clicked = *k;
    app->clicked_in = top_of(app);
    app->clicked_at = now;
    return false;
}

/* A key that does nothing is answered, once: not again while it is held down. One that lacks
 * something has said so itself, each time. */
static unsigned answer_wrong(struct app *app, const struct key *k, unsigned result) {
    bool pressed = k->code != PRESS_NONE && !is_mouse(k) && k->target != KEY_PASTED;
    bool lacks = result & VIEW_LACKS, wrong = pressed && (lacks || result == VIEW_IGNORED),
         again = wrong && k->code == app->wrong;
    app->wrong = wrong ? k->code : PRESS_NONE;
    if (lacks || !wrong || again) return result;
    screen_app_notice(app, screen_actions_hint(top_of(app), k));
    return VIEW_REDRAW;
}

/* What a wrong key was told holds in the window as it was. */
static unsigned resize(struct app *app) {
    if (app->wrong != PRESS_NONE) screen_app_notice(app, NULL);
    app->wrong = PRESS_NONE;
    return VIEW_REDRAW;
}

static unsigned hand_over(struct app *app, struct key k) {
    struct view *v = top_of(app);
    if (k.code == PRESS_GONE) return VIEW_QUIT;
    if (k.code == PRESS_RESIZE) return resize(app);
    if (k.code == PRESS_PACE || k.code == PRESS_WATCHED)
        return v->does->tick ? v->does->tick(v, &k) : VIEW_IGNORED;
    unsigned before = v->does->pressed && k.code != PRESS_NONE ? v->does->pressed(v, &k) : 0;
    if (too_small(app) && k.code != PRESS_CTRL('c')) return before;
    if (k.target == KEY_PASTED && !screen_view_states(v).is[VIEW_TYPING]) return before;
    struct key placed = look_up_place(app, k);
    if (misses(app, &k, &placed)) return before;
    k = placed;
    unsigned result = before | (app->notice ? VIEW_REDRAW : 0);
    screen_app_notice(app, NULL);
    const struct action *a = k.target == KEY_PASTED ? NULL : screen_actions_find(v, &k);
    bool takes = v->does->key && (a || is_mouse(&k) || is_typed_into(v, &k));
    unsigned done = screen_reference_is(&k) ? screen_reference_open(app, &k)
                    : a && a->act           ? a->act(v, &k)
                    : takes                 ? v->does->key(v, &k)
                                            : VIEW_IGNORED;
    return result | answer_wrong(app, &k, done);
}

static void settle(struct app *app, unsigned result) {
    if (result & VIEW_QUIT) {
        while (app->depth > 0) pop(app);
        return;
    }
    if (result & VIEW_LEAVE) pop(app);
    while ((result & VIEW_AFRESH) && app->depth > 1) pop(app);
    if (!(result & VIEW_OPEN)) return;
    if (app->depth == APP_DEPTH) {
        app->opening->does->close(app->opening);
        return;
    }
    screen_app_push(app, app->opening);
}

/* Keys that are typed, pasted or dragged faster than the screen can be drawn are drawn together.
 * The meaning of other keys may depend on what is drawn. */
static bool can_wait(const struct app *app, const struct key *k) {
    bool together = k->code == PRESS_DRAG || is_typed_into(top_of(app), k);
    return together && app->terminal->does->pending(app->terminal);
}

static void rest(void *of, bool rests) {
    struct view *v = top_of(of);
    if (v->does->rest) v->does->rest(v, rests);
}

/* Waits for a key as long as the view's pace, or until the class's board is to be looked at, which
 * no view need know of. */
static struct key await(struct app *app, unsigned *result) {
    struct view *v = top_of(app);
    int watch = v->does->watch ? v->does->watch(v) : -1;
    int pace = v->does->pace ? v->does->pace(v) : -1;
    int look = app->attends ? session_class_wait(app->learner) : -1;
    bool sooner = look >= 0 && (pace < 0 || look < pace);
    struct key k = app->terminal->does->read(app->terminal, watch, sooner ? look : pace);
    if (k.code != PRESS_PACE) return k;
    if (app->attends && session_class_look(app->learner)) {
        *result |= VIEW_REDRAW;
        screen_app_notice(app, NULL); /* "You chose 3.", say: what is new has its row */
        if (turn(app)) top_of(app)->does->wake(top_of(app));
    }
    if (sooner) k.code = PRESS_NONE;
    return k;
}

void screen_app_run(struct app *app) {
    const unsigned shown_anew = VIEW_REDRAW | VIEW_LEAVE | VIEW_OPEN;
    unsigned result = VIEW_REDRAW;
    struct key k = {.target = -1};
    app->terminal->rest = rest;
    app->terminal->of = app;
    while (app->depth > 0) {
        bool waits = can_wait(app, &k);
        if ((result & shown_anew) && !waits) draw(app);
        result = waits ? result & shown_anew : VIEW_HANDLED;
        k = await(app, &result);
        unsigned became = k.code == PRESS_NONE ? VIEW_HANDLED : hand_over(app, k);
        settle(app, became);
        result |= became;
    }
    screen_frame_free(app->frame);
    app->frame = NULL;
    screen_app_notice(app, NULL);
}
