/* lesson: a lesson being taken. Events become the page, keys become actions; what is right or wrong is not known here. */
#include "screen/lesson.h"

#include <stdlib.h>
#include <string.h>

enum { WHEEL = 3, GLIDE_MS = 16 };
enum lesson_state {
    LESSON_NEXT = VIEW_OWN,
    LESSON_MORE = VIEW_OWN << 1,
    LESSON_CHECKS = VIEW_OWN << 2,
    LESSON_CHOOSES = VIEW_OWN << 3,
    LESSON_DONE = VIEW_OWN << 4,
    LESSON_ANSWERS = VIEW_OWN << 5, /* something is asked that can be passed over */
    LESSON_HINTS = VIEW_OWN << 6,
    LESSON_WORKED = VIEW_OWN << 7,
    LESSON_GRADED = VIEW_OWN << 8,
    LESSON_SOURCES = VIEW_OWN << 9,
    LESSON_BACK = VIEW_OWN << 10,
    LESSON_TYPED_BACK = VIEW_OWN << 11, /* arrows are taken by the answer, F7 goes back */
    LESSON_OVER = VIEW_OWN << 12,
    LESSON_RUNS = VIEW_OWN << 13
};

static struct lesson *lesson_of(const struct view *v) {
    return (struct lesson *)v;
}

/* ── events ──────────────────────────────────────────────────────────────────────────────────────*/
/* What an action brought, as far as the next input depends on it. */
struct batch {
    const char *answer; /* what was given, for the verdict */
    bool picked;
    bool asked, unreadable;
};

static void keep_text(char **kept, const char *text) {
    free(*kept);
    *kept = text && *text ? base_dup(text) : NULL;
}

static void begin_step(struct lesson *l, const struct study_event *e) {
    page_clear(&l->page);
    l->step = e->index;
    l->steps = e->count;
    l->top = l->shown = l->input_top = 0;
    keep_text(&l->sources, e->sources);
    keep_text(&l->title, e->title);
    const char *id = e->item ? strchr(e->item, '/') : NULL;
    keep_text(&l->here, id ? id + 1 : "");
}

static void take_event(struct lesson *l, const struct study_event *e, struct batch *b) {
    const char *answer = e->kind == STUDY_VERDICT ? b->answer : NULL;
    switch (e->kind) {
    case STUDY_STEP: begin_step(l, e); break;
    case STUDY_ASK: b->asked = true; break;
    case STUDY_VERDICT:
        b->unreadable = e->verdict && strcmp(e->verdict, "unreadable") == 0;
        page_add(&l->page, e, answer, b->picked);
        break;
    case STUDY_END:
        l->over = true;
        page_add(&l->page, e, NULL, false);
        break;
    default: page_add(&l->page, e, NULL, false); break;
    }
}

static void take_events(struct lesson *l, struct batch *b) {
    const struct study_event *e;
    page_begin(&l->page);
    while ((e = sitting_event(l->sitting))) take_event(l, e, b);
    l->follow = true;
    outline_read(&l->outline, desk_store(l->view.app->desk), sitting_lesson_id(l->sitting));
}

/* What was typed or picked stays where the question is still the same: after a hint, a slider's move, or when it could not be read. */
static void renew_input(struct lesson *l, enum study_action_kind did, const struct batch *b) {
    const struct study_ask *ask = sitting_asked(l->sitting);
    bool same = did == STUDY_DO_HINT || did == STUDY_DO_MOVE || b->unreadable || !b->asked;
    if (same && ask)
        l->input.ask = ask;
    else
        input_begin(&l->input, ask, &l->history);
}

/* ── actions ─────────────────────────────────────────────────────────────────────────────────────*/
static unsigned do_action(struct lesson *l, struct study_action a) {
    struct batch b = {0};
    const struct study_ask *ask = sitting_asked(l->sitting);
    char *said = NULL;
    if (a.kind == STUDY_DO_ANSWER && l->input.does->typing) {
        field_remember(&l->history, a.text);
        said = base_dup(a.text);
    } else if (a.kind == STUDY_DO_ANSWER && ask && ask->form == STUDY_CHOICE) {
        said = base_dup(ask->option[l->input.at]);
        b.picked = true;
    }
    b.answer = said;
    sitting_do(l->sitting, &a);
    take_events(l, &b);
    renew_input(l, a.kind, &b);
    free(said);
    return l->over && l->page.count == 0 ? VIEW_LEAVE : VIEW_REDRAW;
}

static unsigned hand_to_input(struct lesson *l, const struct key *k) {
    switch (input_key(&l->input, k)) {
    case INPUT_DO: return do_action(l, l->input.action);
    case INPUT_UNFINISHED:
        app_notice(l->view.app, base_dup(l->input.does->unfinished));
        return VIEW_REDRAW;
    case INPUT_REDRAW: return VIEW_REDRAW;
    default: return VIEW_IGNORED;
    }
}

/* Enter turns the page before it goes on, so that nothing is passed over unread. */
static unsigned enter(struct view *v, const struct key *k) {
    struct lesson *l = lesson_of(v);
    struct key pressed = {PRESS_ENTER, k->row, k->column, -1};
    if (!lesson_more_below(l) || input_typed(&l->input)) return hand_to_input(l, &pressed);
    lesson_scroll(l, l->room > 2 ? l->room - 1 : 1);
    return VIEW_REDRAW;
}

static unsigned simple(struct view *v, enum study_action_kind kind) {
    return do_action(lesson_of(v), (struct study_action){.kind = kind});
}
static unsigned hint(struct view *v, const struct key *k) {
    (void)k;
    return simple(v, STUDY_DO_HINT);
}
static unsigned worked(struct view *v, const struct key *k) {
    (void)k;
    return simple(v, STUDY_DO_WORKED);
}
static unsigned skip(struct view *v, const struct key *k) {
    (void)k;
    return simple(v, STUDY_DO_NEXT);
}
static unsigned fresh(struct view *v, const struct key *k) {
    (void)k;
    return simple(v, STUDY_DO_FRESH);
}
static unsigned back(struct view *v, const struct key *k) {
    (void)k;
    return simple(v, STUDY_DO_BACK);
}

static unsigned leave(struct view *v, const struct key *k) {
    struct lesson *l = lesson_of(v);
    (void)k;
    sitting_do(l->sitting, &(struct study_action){.kind = STUDY_DO_LEAVE});
    const struct study_event *e = sitting_event(l->sitting);
    if (e && e->kind == STUDY_END && e->text) app_notice(v->app, base_dup(e->text));
    return VIEW_LEAVE;
}

static unsigned sources(struct view *v, const struct key *k) {
    struct lesson *l = lesson_of(v);
    (void)k;
    page_toggle_sources(&l->page, l->sources);
    l->follow = true;
    return VIEW_REDRAW;
}

static unsigned go_to_step(struct lesson *l, size_t step) {
    if (step >= l->outline.count) return VIEW_IGNORED;
    char *id = base_dup(l->outline.step[step].id);
    unsigned result = do_action(l, (struct study_action){.kind = STUDY_DO_GOTO, .text = id});
    free(id);
    return result;
}

/* ── keys ────────────────────────────────────────────────────────────────────────────────────────*/
static unsigned state_of_enter(const struct lesson *l) {
    static const unsigned bits[] = {[INPUT_GOES_ON] = LESSON_NEXT,
                                    [INPUT_CHECKS] = LESSON_CHECKS,
                                    [INPUT_CHOOSES] = LESSON_CHOOSES,
                                    [INPUT_IS_DONE] = LESSON_DONE};
    if (l->over) return LESSON_OVER;
    if (lesson_more_below(l) && !input_typed(&l->input)) return LESSON_RUNS | LESSON_MORE;
    return LESSON_RUNS | bits[l->input.does->enter];
}

static unsigned lesson_state(const struct view *v) {
    const struct lesson *l = lesson_of(v);
    const struct study_ask *ask = sitting_asked(l->sitting);
    unsigned state = state_of_enter(l) | (l->input.does->typing ? VIEW_TYPING : VIEW_READING);
    if (l->sources && !l->over) state |= LESSON_SOURCES;
    if (!ask) return state;
    bool reading = ask->form == STUDY_NEXT;
    if (l->step > 0) state |= reading ? LESSON_BACK : LESSON_TYPED_BACK;
    if (!reading && ask->form != STUDY_SLIDERS) state |= LESSON_ANSWERS;
    return state | (ask->hints ? LESSON_HINTS : 0) | (ask->worked ? LESSON_WORKED : 0) |
           (ask->graded ? LESSON_GRADED : 0);
}

static unsigned scroll(struct lesson *l, int by) {
    lesson_scroll(l, by);
    return VIEW_REDRAW;
}

static unsigned lesson_key(struct view *v, const struct key *k) {
    struct lesson *l = lesson_of(v);
    int page = l->room > 2 ? l->room - 1 : 1;
    if (k->code == PRESS_PAGE_UP) return scroll(l, -page);
    if (k->code == PRESS_PAGE_DOWN) return scroll(l, page);
    if (k->code == PRESS_WHEEL_UP) return scroll(l, -WHEEL);
    if (k->code == PRESS_WHEEL_DOWN) return scroll(l, WHEEL);
    if (k->code == PRESS_CLICK && k->target >= OUTLINE_TARGET)
        return go_to_step(l, (size_t)(k->target - OUTLINE_TARGET));
    if (l->over || l->input.does != &INPUT_NEXT)
        return l->over ? VIEW_IGNORED : hand_to_input(l, k);
    if (k->code == PRESS_UP || k->code == 'k') return scroll(l, -1);
    if (k->code == PRESS_DOWN || k->code == 'j') return scroll(l, 1);
    if (k->code == PRESS_HOME) return scroll(l, -l->height);
    if (k->code == PRESS_END) return scroll(l, l->height);
    return VIEW_IGNORED;
}

static const struct action ACTIONS[] = {
    {{PRESS_ENTER, ' ', PRESS_RIGHT, 'l'},             "next",   "Go on",                                               LESSON_NEXT,               enter        },
    {{PRESS_ENTER},                                    "more",   "Show what is further down",                           LESSON_MORE,               enter        },
    {{PRESS_ENTER},                                    "check",  "Have the answer checked",                             LESSON_CHECKS,             enter        },
    {{PRESS_ENTER},                                    "choose", "Take the line under the cursor",                      LESSON_CHOOSES,            enter        },
    {{PRESS_ENTER},                                    "done",   "Done; go on",                                         LESSON_DONE,               enter        },
    {{PRESS_LEFT, 'h', PRESS_F(7)},                    "back",   "The step before",                                     LESSON_BACK,               back         },
    {{PRESS_F(2)},                                     "hint",   "A hint; the third is a worked line",                  LESSON_HINTS,              hint         },
    {{PRESS_F(3)},
     "a worked one",                                             "The solution of this one, then fresh numbers",
     LESSON_WORKED,                                                                                                                                worked       },
    {{PRESS_F(5)},                                     "skip",   "Go on without an answer",                             LESSON_ANSWERS,            skip         },
    {{PRESS_F(6)},                                     NULL,     "Fresh numbers for this problem",                      LESSON_GRADED,             fresh        },
    {{PRESS_F(7)},                                     NULL,     "The step before",                                     LESSON_TYPED_BACK,         back         },
    {{PRESS_F(8)},
     "sources",                                                  "Where the numbers and claims of this step come from",
     LESSON_SOURCES,                                                                                                                               sources      },
    {{'/'},                                            "search", "Search in all lessons",                               LESSON_RUNS | LESSON_BACK, action_search},
    {{PRESS_ENTER, ' ', PRESS_ESC, 'q'},
     "home",                                                     "Back to where you came from",
     LESSON_OVER,                                                                                                                                  action_leave },
    {{PRESS_PAGE_UP, PRESS_PAGE_DOWN, PRESS_WHEEL_UP}, NULL,     "Scroll the page",                                     LESSON_RUNS,               NULL         },
    {{PRESS_UP, 'k', PRESS_DOWN, 'j'},                 NULL,     "Scroll the page by a line",                           LESSON_NEXT,               NULL         },
    {{PRESS_ESC},                                      "leave",  "Leave; the lesson goes on here next time",            LESSON_RUNS,               leave        },
};

/* ── between keys: an edited file, a page that glides ────────────────────────────────────────────*/
static unsigned lesson_tick(struct view *v, const struct key *k) {
    struct lesson *l = lesson_of(v);
    if (k->code == PRESS_PACE) {
        int way = l->top - l->shown;
        l->shown += way / 3 ? way / 3 : (way > 0) - (way < 0);
        return VIEW_REDRAW;
    }
    if (!sitting_refresh(l->sitting)) return VIEW_HANDLED;
    struct batch b = {0};
    take_events(l, &b);
    renew_input(l, STUDY_DO_GOTO, &b);
    return VIEW_REDRAW;
}

static int lesson_watch(const struct view *v) {
    return sitting_fd(lesson_of(v)->sitting);
}

static int lesson_pace(const struct view *v) {
    return lesson_of(v)->top == lesson_of(v)->shown ? -1 : GLIDE_MS;
}

static const char *lesson_now(const struct view *v) {
    return lesson_of(v)->input.does->how;
}

static void lesson_close(struct view *v) {
    struct lesson *l = lesson_of(v);
    input_end(&l->input);
    page_clear(&l->page);
    field_forget(&l->history);
    outline_free(&l->outline);
    sitting_close(l->sitting);
    free(l->sources);
    free(l->title);
    free(l->here);
    free(l);
}

static const struct view_operations LESSON = {
    .name = "A lesson",
    .about = "A lesson is a row of steps. Every answer is kept the moment it is given, and you can "
             "leave at any time.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .pane = true,
    .now = lesson_now,
    .state = lesson_state,
    .draw = lesson_draw,
    .key = lesson_key,
    .tick = lesson_tick,
    .watch = lesson_watch,
    .pace = lesson_pace,
    .close = lesson_close,
};

struct view *view_lesson(struct app *app, const char *lesson, const char *step,
                         struct base_message *m) {
    struct sitting *s = sitting_open(app->desk, lesson, m);
    struct batch b = {0};
    if (!s) return NULL;
    struct lesson *l = base_alloc(sizeof *l);
    l->view = (struct view){&LESSON, app};
    l->sitting = s;
    l->input.does = &INPUT_NEXT;
    take_events(l, &b);
    renew_input(l, STUDY_DO_GOTO, &b);
    if (step) do_action(l, (struct study_action){.kind = STUDY_DO_GOTO, .text = step});
    return &l->view;
}
