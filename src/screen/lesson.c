/* lesson: the view of a lesson being taken: what its keys do, which of them exist now, and what
 * happens between keys. */
#include "screen/lesson.h"

#include <stdlib.h>
#include <string.h>

enum {
    WHEEL = 3,
    GLIDE_MS = 16,
    FLIGHT_MS = 40,
    /* of rest before what waits is read: keys come first */
    READ_MS = 1,
    /* of a clock that counts down */
    SECOND_MS = 1000
};
/* what may hold of it */
enum {
    NEXT = VIEW_OWN,
    /* of a worked solution */
    NEXT_LINE,
    /* what was said to the last try, or to the sheet's line before, is read */
    LOOKS,
    LOOKS_LINE,
    MORE,
    /* and what is typed is not meant for a field */
    READS_MORE,
    GOES_ON,
    CHECKS,
    CHOOSES, /* AIMS: no line has the cursor yet */
    AIMS,
    DONE,
    /* something is asked that can be passed over */
    ASKED,
    /* and it is a guess */
    GUESSES,
    /* another guess can be made */
    GUESSED,
    SLIDES,
    /* and may start from the learner's own training */
    OWNS,
    FILLS,
    PICKS,
    MARKS,
    HINTS,
    WORKED,
    /* of a worked solution that is being shown */
    LINES,
    FRESH,
    SOURCES,
    /* a page that has other words */
    BRIEFLY,
    SLOWLY,
    /* … and shows them */
    BRIEF,
    SLOW,
    BACK,
    /* the arrows belong to the answer */
    BACK_F7,
    SEARCHES,
    RUNS,
    OVER,
    /* no numbers could be made, or it is the result: others may do */
    AGAIN,
    /* it is over: there is a next one, of one kind or another, the course is over too, there is
     * none, a problem is open */
    ONWARDS,
    ONWARDS_REVIEW,
    ONWARDS_CHECK,
    FURTHER,
    ENDED,
    /* a listing, note by note */
    LISTS,
    /* a play, frame by frame: it stands still and may move, moves, has stopped and asks */
    PLAYS,
    STILL,
    MOVES,
    POSES,
    /* … which Enter leaves unanswered; it is not at its end, where Enter leads */
    PASSES,
    AHEAD,
    STARTS,
    /* lines that a number means */
    NUMBERED,
    /* lessons that can be opened from here */
    LEADS,
    /* a lab that was run */
    RERUNS,
    /* a lab that was passed over */
    UNRUN,
    /* a memo */
    OPENS,
    /* a memo that passed */
    CASES,
    /* there is room for cards next to the page … */
    HAS_CARDS,
    /* … and so for scratch paper */
    PAPER,
    /* which has the cursor */
    SUMS,
    /* a card shows its front … */
    TURNS,
    /* … and its back */
    KNEW,
    STEPS,
    /* bookmarks and notes: while no letter is an answer, and else */
    NOTES,
    NOTES_TYPING,
    /* the same of a raised hand, in a class */
    HANDS,
    HANDS_TYPING,
    FOLLOWS,
    FOLLOWS_TYPING,
    /* a review, with something to take back … */
    UNDOES,
    UNDOES_TYPING,
    /* … or to leave out */
    SUSPENDS,
    SUSPENDS_TYPING,
    /* can be read aloud, is read aloud */
    ALOUD,
    SPEAKS
};

static struct lesson *lesson_of(const struct view *v) {
    return (struct lesson *)v;
}

/* ── what they do ──────────────────────────────────────────────────────────────────────────────*/
/* What is missing, and the keys that help: a check gives no hints. */
static void say_unfinished(struct lesson *l) {
    const char *missing = l->input.does->unfinished;
    bool typing = l->input.does->typing, hints = lesson_asked(session_dialogue(l->session))->hints;
    screen_app_notice(l->view.app,
                      base_format("%s%s%s", missing, typing && hints ? "; F2 gives a hint" : "",
                                  typing ? (hints ? ", F5 skips it" : "; F5 skips it") : ""));
}

/* A question that lies further down comes into view with the first character that is typed. */
static unsigned hand_to_input(struct lesson *l, const struct key *k) {
    bool typed = screen_input_typed(&l->input);
    enum input_result result = screen_input_key(&l->input, k);
    if (!typed && screen_input_typed(&l->input)) {
        l->unfolded = true;
        l->to_end = l->folded || l->seen < l->height;
    }
    switch (result) {
    case INPUT_DO: return screen_lesson_do(l, l->input.action);
    case INPUT_RUN: return screen_lesson_run(l, false);
    case INPUT_REPLAY: return screen_lesson_run(l, true);
    case INPUT_WRITE: return screen_lesson_write(l);
    case INPUT_HAND_IN: return screen_lesson_hand_in(l);
    case INPUT_UNFINISHED: say_unfinished(l); return VIEW_REDRAW | VIEW_LACKS;
    case INPUT_REDRAW: return VIEW_REDRAW;
    default: return VIEW_IGNORED;
    }
}

/* Enter turns the page before it goes on, so that nothing is passed over unread. */
static unsigned enter(struct view *v, const struct key *k) {
    struct lesson *l = lesson_of(v);
    struct key pressed = {.code = PRESS_ENTER, .row = k->row, .column = k->column, .target = -1};
    if (!screen_lesson_turns(l))
        return l->looking ? screen_lesson_look(l, false) : hand_to_input(l, &pressed);
    screen_lesson_turn(l);
    return VIEW_REDRAW;
}

static unsigned simple(struct view *v, enum lesson_action_kind kind) {
    return screen_lesson_do(lesson_of(v), (struct lesson_action){.kind = kind});
}
static unsigned start_from_job(struct view *v, const struct key *k) {
    (void)k;
    return screen_lesson_do(
        lesson_of(v), (struct lesson_action){.kind = LESSON_DO_ANSWER, .text = LESSON_MY_JOB});
}
/* Defines keys that only do an action. */
#define DOES(name, kind)                                                                           \
    static unsigned name(struct view *v, const struct key *k) {                                    \
        (void)k;                                                                                   \
        return simple(v, kind);                                                                    \
    }
DOES(hint, LESSON_DO_HINT)
DOES(worked, LESSON_DO_WORKED)
DOES(briefly, LESSON_DO_BRIEFLY)
DOES(slowly, LESSON_DO_SLOWLY)
DOES(skip, LESSON_DO_SKIP)
DOES(fresh, LESSON_DO_FRESH)

/* What was said to the last try comes before the step before. */
static unsigned back(struct view *v, const struct key *k) {
    struct lesson *l = lesson_of(v);
    (void)k;
    if (l->past.count && !l->looking) return screen_lesson_look(l, true);
    return simple(v, LESSON_DO_BACK);
}

static unsigned sources(struct view *v, const struct key *k) {
    struct lesson *l = lesson_of(v);
    (void)k;
    screen_page_toggle_sources(screen_lesson_page(l), l->sources);
    l->follow = true;
    return VIEW_REDRAW;
}

static unsigned go_to_step(struct lesson *l, size_t step) {
    if (step >= l->outline.count) return VIEW_HANDLED; /* before the first, or after the last */
    if (l->over) return screen_lesson_open_again(l, l->outline.step[step].id, false);
    char *id = base_dup(l->outline.step[step].id);
    unsigned result =
        screen_lesson_do(l, (struct lesson_action){.kind = LESSON_DO_GOTO, .text = id});
    free(id);
    return result;
}

/* One step back or forward. */
static unsigned go_by(struct lesson *l, int by) {
    bool listed;
    size_t at = screen_outline_find(&l->outline, l->here, &listed);
    return go_to_step(l, by < 0 ? at - 1 : at + listed);
}

static bool lesson_asks(const struct view *v) {
    return lesson_question_open(session_dialogue(((const struct lesson *)v)->session));
}

static enum frame_layout lesson_layout(const struct view *v) {
    const struct lesson *l = (const struct lesson *)v;
    bool alone = l->pane.shows == PANE_NOTHING || session_is_case(l->session);
    return alone ? FRAME_ALONE : FRAME_CARDS;
}

/* ── which of them exist now ───────────────────────────────────────────────────────────────────*/
/* Nothing is asked on the page. */
static bool reads(const struct lesson *l) {
    return l->over || l->looking || l->input.does == &screen_input_next;
}

static unsigned char enter_does(const struct lesson *l) {
    static const unsigned char does[] = {
        [INPUT_READS_ON] = NEXT,   [INPUT_GOES_ON] = GOES_ON, [INPUT_CHECKS] = CHECKS,
        [INPUT_CHOOSES] = CHOOSES, [INPUT_IS_DONE] = DONE,    [INPUT_STARTS] = STARTS,
        [INPUT_OPENS] = OPENS};
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    if (screen_lesson_turns(l)) return reads(l) ? READS_MORE : MORE;
    if (l->looking)
        return ask && ask->form == LESSON_LINE && ask->counted == l->past_try ? LOOKS_LINE : LOOKS;
    if (ask && ask->play && ask->play->question) return PASSES;
    if (ask && !lesson_play_is_over(ask)) return AHEAD;
    bool line = ask && ask->form == LESSON_NEXT && ask->worked;
    if (ask && ask->card && ask->form == LESSON_NEXT) return TURNS;
    if (ask && ask->form == LESSON_CHOICE && l->input.at >= ask->options)
        return ask->card ? KNEW : AIMS;
    return line ? NEXT_LINE : does[l->input.does->enter];
}

static void state_of_ask(const struct lesson *l, const struct lesson_ask *ask,
                         struct view_states *s) {
    static const unsigned char hands[] = {
        [INPUT_SLIDES] = SLIDES, [INPUT_FILLS] = FILLS, [INPUT_PICKS] = PICKS,
        [INPUT_MARKS] = MARKS,   [INPUT_STEPS] = LISTS, [INPUT_PLAYS] = PLAYS};
    bool reading = ask->form == LESSON_NEXT, *is = s->is;
    is[hands[l->input.does->hand]] = true;
    is[OWNS] = ask->own;
    bool forward = session_is_forward(l->session);
    is[reading ? BACK : BACK_F7] = !forward && (l->step > 0 || l->past.count);
    is[ask->guesses ? GUESSES : ASKED] =
        (!reading && ask->form != LESSON_SLIDERS) || (reading && ask->card);
    if (ask->play && ask->play->question) {
        is[POSES] = true;
        s->later[STILL] = l->input.motion;
    } else if (ask->play && l->input.motion)
        is[l->input.player.playing ? MOVES : STILL] = true;
    is[ask->ran ? RERUNS : UNRUN] = ask->lab && reading;
    is[reading ? LINES : WORKED] = ask->worked;
    is[ask->memo ? CASES : !reading ? FRESH : ask->guesses ? GUESSED : AGAIN] = ask->fresh;
    is[LEADS] = ask->leads > 0;
    const char *words = ask->words ? ask->words : "";
    is[strcmp(words, "briefly") == 0 ? BRIEF : BRIEFLY] = ask->briefly;
    is[strcmp(words, "slowly") == 0 ? SLOW : SLOWLY] = ask->slowly;
    is[HINTS] = ask->hints;
    is[KNEW] = ask->card && ask->form == LESSON_CHOICE;
}

/* What Enter opens once the lesson is over. */
static unsigned char leads_to(const struct lesson *l) {
    const struct lesson_course *c = session_learner_course(l->view.app->learner);
    if (l->next >= c->lessons) return ENDED;
    enum lesson_kind kind = c->lesson[l->next].kind;
    return kind == LESSON_REVIEW ? ONWARDS_REVIEW : kind == LESSON_CHECK ? ONWARDS_CHECK : ONWARDS;
}

static void lesson_state(const struct view *v, struct view_states *s) {
    const struct lesson *l = lesson_of(v);
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    bool typing = l->input.does->typing && !l->looking;
    if (screen_lesson_calculates(l)) {
        s->is[VIEW_TYPING] = s->is[SUMS] = true;
        return;
    }
    s->is[typing && !l->over ? VIEW_TYPING : VIEW_READING] = true;
    s->is[PAPER] = screen_lesson_is_wide(l);
    s->is[HAS_CARDS] = screen_lesson_is_wide(l) && (l->over || !typing);
    s->is[l->over ? OVER : RUNS] = true;
    s->is[leads_to(l)] = l->over;
    s->is[FURTHER] = l->over && l->onwards;
    s->is[LEADS] = l->over && l->again > 0;
    s->is[VIEW_SCROLLS] = reads(l);
    if (l->over) return;
    s->is[enter_does(l)] = true;
    s->is[NUMBERED] = !reads(l) && screen_input_numbered(&l->input) > 0;
    s->is[VIEW_LISTS] = s->is[NUMBERED] || (!reads(l) && l->input.does->hand == INPUT_SLIDES);
    s->later[SEARCHES] = lesson_asks(v); /* what it finds might be the answer */
    s->is[SEARCHES] = !typing && !s->later[SEARCHES];
    s->is[typing || l->input.does->hand == INPUT_FILLS ? NOTES_TYPING : NOTES] = true;
    if (session_in_class(v->app->learner)) s->is[typing ? HANDS_TYPING : HANDS] = true;
    if (session_class_open_step(v->app->learner, &(struct session_open_step){0}))
        s->is[typing ? FOLLOWS_TYPING : FOLLOWS] = true;
    s->is[STEPS] = !typing;
    s->is[screen_lesson_speaks(l) ? SPEAKS : ALOUD] = screen_lesson_can_speak(l);
    s->is[typing ? UNDOES_TYPING : UNDOES] = session_can_undo(l->session);
    s->is[typing ? SUSPENDS_TYPING : SUSPENDS] = session_can_suspend(l->session);
    s->is[SOURCES] = l->sources;
    if (l->looking)
        s->is[BACK] = l->step > 0;
    else if (ask)
        state_of_ask(l, ask, s);
}

static unsigned scroll(struct lesson *l, int by) {
    screen_lesson_scroll(l, by);
    return VIEW_REDRAW;
}

/* Keys of a page that asks nothing. */
static unsigned read_on(struct lesson *l, const struct key *k) {
    if (screen_key_is(k, "Up k")) return scroll(l, -1);
    if (screen_key_is(k, "Down j")) return scroll(l, 1);
    if (screen_key_is(k, "Home")) return scroll(l, -l->height);
    if (screen_key_is(k, "End")) return scroll(l, l->height);
    return screen_lesson_open_listed(l, k);
}

/* It moves the slider that it is turned over, in the pane the outline, else the page. */
static unsigned turn_wheel(struct lesson *l, const struct key *k) {
    int by = k->code == PRESS_WHEEL_UP ? -1 : 1;
    if (k->target == KEY_ASIDE) return screen_pane_scroll(&l->pane, by * WHEEL);
    bool slides = !l->over && !l->looking && l->input.does == &screen_input_sliders;
    unsigned slid = slides ? hand_to_input(l, k) : VIEW_IGNORED;
    return slid == VIEW_IGNORED ? scroll(l, by * WHEEL) : slid;
}

static unsigned lesson_key(struct view *v, const struct key *k) {
    struct lesson *l = lesson_of(v);
    int page = l->capacity > 2 ? l->capacity - 1 : 1;
    if (screen_lesson_calculates(l) && k->code != PRESS_CLICK) return screen_lesson_sum_key(l, k);
    /* a click on the question goes back to it */
    if (screen_lesson_calculates(l) && k->target >= 0 && k->target < OUTLINE_UP)
        screen_lesson_calculate(v, k);
    switch (k->code) {
    case PRESS_PAGE_UP: return scroll(l, -page);
    case PRESS_PAGE_DOWN: screen_lesson_turn(l); return VIEW_REDRAW;
    case PRESS_WHEEL_UP:
    case PRESS_WHEEL_DOWN: return turn_wheel(l, k);
    case PRESS_CLICK:
        if (k->target >= SCRATCH_TARGET) return screen_pane_click_sum(&l->pane, k);
        if (k->target >= TERMS_TARGET)
            return screen_lesson_open_term(l, (size_t)(k->target - TERMS_TARGET));
        if (k->target >= OUTLINE_TARGET) return go_to_step(l, (size_t)(k->target - OUTLINE_TARGET));
        if (k->target >= OUTLINE_UP)
            return screen_pane_scroll(&l->pane, k->target == OUTLINE_UP ? -WHEEL : WHEEL);
        break;
    default: break;
    }
    bool steps = screen_view_states(v).is[STEPS];
    if (k->code == '[' && steps) return go_by(l, -1);
    if (k->code == ']' && steps) return go_by(l, 1);
    return reads(l) ? read_on(l, k) : hand_to_input(l, k);
}

static const struct action ACTIONS[] = {
    {"next", "Enter Space Right", NEXT, enter, "Continue"},
    {"turn", "Enter Space Right", TURNS, enter, "Turn the card over"},
    {"knew it", "1", KNEW, screen_lesson_knew, "Say that you knew the back"},
    {"did not", "2", KNEW, screen_lesson_did_not, "Say that you did not know it"},
    {"next line", "Enter Space Right", NEXT_LINE, enter, "Show the next line of the solution"},
    {"try again", "Enter Space Right", LOOKS, enter, "Try the open question"},
    {"next line", "Enter Space Right", LOOKS_LINE, enter, "Go on to the sheet's next line"},
    {"down", "Enter Space Right", READS_MORE, enter, "Show what is below"},
    {"down", "Enter", MORE, enter, "Show what is below"},
    {"next", "Enter", GOES_ON, enter, "Continue"},
    {"continue", "Enter Space", PASSES, enter, "Play on without a guess"},
    {"ahead", "Enter", AHEAD, enter, "Jump to where it asks, or to its end"},
    {"next lesson", "Enter Space", ONWARDS, screen_lesson_open_next, "Open the next lesson"},
    {"review", "Enter Space", ONWARDS_REVIEW, screen_lesson_open_next, "Open the phase's review"},
    {"check", "Enter Space", ONWARDS_CHECK, screen_lesson_open_next, "Open the phase's check"},
    {"leave", "Enter Space", ENDED, screen_action_leave, "Leave the lesson"},
    {NULL, NULL, LEADS, NULL, NULL},
    {"check", "Enter", CHECKS, enter, "Check the answer"},
    {"choose", "Enter Space", CHOOSES, enter, "Choose the line under the cursor"},
    {NULL, "Enter Space", KNEW, enter, "Choose the line that the cursor is on"},
    {"move", "Up Down", AIMS, NULL, "Move to a line; its number does it too"},
    {NULL, "Enter Space", AIMS, enter, "Choose the line that the cursor is on"},
    {"next", "Enter", DONE, enter, "Continue"},
    {"run", "Enter", STARTS, enter, "Run the lab"},
    {"open", "Enter", OPENS, enter, "Write the memo, or check it"},
    {"move", "Left Right", SLIDES, NULL, "Move the slider"},
    {"slider", "Up Down k j", SLIDES, NULL, "Choose the slider above or below"},
    {"job", "J", OWNS, start_from_job, "Set the sliders to your own job"},
    {"step", "Left Right , . Space Home End", LISTS, NULL, "One step back or forward; to the ends"},
    {NULL, NULL, POSES, NULL, NULL},
    {"play", "Space", STILL, NULL, "Play from here, or again from the start"},
    {"pause", "Space", MOVES, NULL, "Pause"},
    {"step", "Left Right , . Home End", PLAYS, NULL, "One frame back or forward; to the ends"},
    {NULL, "Space", PLAYS, NULL, "Step one frame forward"},
    {NULL, NULL, PLAYS, NULL, NULL},
    {NULL, NULL, NUMBERED, NULL, NULL},
    {"speed", "- + =", STILL, NULL, "Slower, faster"},
    {"speed", "- + =", MOVES, NULL, "Slower, faster"},
    {"bin", "Left Right Space", FILLS, NULL, "Choose its bin; a letter does it too"},
    {"next place", "Space", PICKS, NULL, "Give it the next place; its number does it too"},
    {"undo", "BS", PICKS, NULL, "Undo the last place"},
    {"tick", "Space", MARKS, NULL, "Tick it; its number does it too"},
    {"back", "Left F7 C-p", BACK, back, "Go one step back"},
    {"hand", "H M-h", HANDS, screen_lesson_hand, "Raise your hand, or lower it"},
    {"briefly", "T", BRIEFLY, briefly, "Say this in fewer words"},
    {"briefly", "T", BRIEF, briefly, "Say this in its usual words again"},
    {"slowly", "M", SLOWLY, slowly, "Say this more slowly, in short sentences"},
    {"slowly", "M", SLOW, slowly, "Say this in its usual words again"},
    {"hint", "F2 C-t", HINTS, hint, "Show a hint (the third solves one line)"},
    {"solution", "F3 C-o", WORKED, worked, "Show the solution, then ask with fresh numbers"},
    {"solution", "F3 C-o", LINES, worked, "Show the whole solution"},
    {NULL, "g", TURNS, screen_lesson_keep_glossary, "Explain words, after you turn the card"},
    {"skip", "F5 C-n", GUESSES, skip, "Skip the guess and see the answer"},
    {"again", "a F6 C-r", GUESSED, fresh, "Guess again"},
    {"skip", "F5 C-n", ASKED, skip, "Skip the question"},
    {"hand", "M-h", HANDS_TYPING, screen_lesson_hand, "Raise your hand, or lower it"},
    {"again", "a F6 C-r", AGAIN, fresh, "Ask this again with fresh numbers"},
    {"again", "a F6 C-r", CASES, fresh, "Write a memo on another case"},
    {"again", "a F6 C-r", UNRUN, fresh, "Be asked again to run the lab"},
    {"again", "a F6 C-r", RERUNS, fresh, "Run the lab again"},
    {"undo", "u", UNDOES, screen_lesson_undo, "Take the last answer back and ask again"},
    {"undo", "F9 C-x", UNDOES_TYPING, screen_lesson_undo,
     "Take the last answer back and ask again"},
    {"suspend", "z", SUSPENDS, screen_lesson_suspend, "Never ask this again"},
    {"suspend", "F10", SUSPENDS_TYPING, screen_lesson_suspend, "Never ask this again"},
    {"sources", "F8 C-y", SOURCES, sources, "Show the sources of these numbers"},
    {"pane", "w", HAS_CARDS, screen_lesson_turn_pane,
     "Next to the page: cards, only the outline, or nothing"},
    {"calculate", "F4", PAPER, screen_lesson_calculate,
     "Calculate next to the page, as you would type answers"},
    {"result", "Enter", SUMS, NULL, "Show the result"},
    {"back", "Esc F4", SUMS, screen_lesson_calculate, "Go back to the lesson"},
    {"search", "/", SEARCHES, screen_action_search, "Search lessons, terms, labs and commands"},
    {"back", "F7 C-p", BACK_F7, back, "Go one step back"},
    {"again", "F6 C-r", FRESH, fresh, "Ask this again with fresh numbers"},
    {"steps", "[ ]", STEPS, NULL,
     "Go one step back or forward, even past a question (in a field: F7, F5)"},
    {"aloud", "V", SPEAKS, screen_lesson_silence, "Stop reading aloud, as any other key does"},
    {"aloud", "V", ALOUD, screen_lesson_aloud, "Have this page read aloud"},
    {"open step", "G M-g", FOLLOWS, screen_lesson_follow, "Go to the step that is open for all"},
    {"open step", "M-g", FOLLOWS_TYPING, screen_lesson_follow,
     "Go to the step that is open for all"},
    {"bookmark", "b", NOTES, screen_lesson_bookmark, "Set a bookmark at this step, or remove it"},
    {"note", "A", NOTES, screen_lesson_write_note, "Write a note on this step"},
    {NULL, "F11", NOTES_TYPING, screen_lesson_write_note, "Write a note on this step"},
    {"report", "e", NOTES, screen_lesson_report, "Report what is wrong here, to a file"},
    {NULL, "C-d", NOTES_TYPING, screen_lesson_report, "Report what is wrong here, to a file"},
    {NULL, "PgUp PgDn WhUp", RUNS, NULL, "Scroll the page"},
    {"leave", "Esc", RUNS, screen_lesson_leave, "Leave; your place is kept"},
    {"what next", "W", FURTHER, screen_lesson_open_onwards, "Read what to learn after the course"},
    {"leave", "Esc q", OVER, screen_action_leave, "Leave the lesson"},
};

static void lesson_wake(struct view *v) {
    struct lesson *l = (struct lesson *)v;
    if (l->away) screen_lesson_took_lab(l);
    screen_lesson_read_notes(l);
}

/* ── between keys: an edited file, a page that glides ──────────────────────────────────────────*/
/* Of a play that goes by, if it is time; else what waits is read. A hint was for the keys of
 * before: one does not stand above the question. */
static unsigned next_frame(struct lesson *l) {
    int due = screen_player_wait(&l->input.player, lesson_asked(session_dialogue(l->session)));
    if (due == 0) {
        unsigned moved =
            screen_lesson_do(l, (struct lesson_action){.kind = LESSON_DO_MOVE, .by = 1});
        const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
        if (ask && ask->play && ask->play->question) screen_app_notice(l->view.app, NULL);
        return moved;
    }
    bool waits = screen_pane_waits(&l->pane);
    if (waits) screen_pane_read(&l->pane);
    return waits || due < 0 ? VIEW_REDRAW : VIEW_HANDLED;
}

static unsigned lesson_tick(struct view *v, const struct key *k) {
    struct lesson *l = (struct lesson *)v;
    if (k->code == PRESS_PACE && l->top != l->shown) return VIEW_REDRAW;
    if (k->code == PRESS_PACE && l->flight) {
        screen_lesson_fly_on(l);
        return VIEW_REDRAW;
    }
    if (k->code == PRESS_PACE) return next_frame(l);
    if (screen_lesson_speaks(l)) return screen_lesson_speak_on(l);
    return screen_lesson_refresh(l) ? VIEW_REDRAW : VIEW_HANDLED;
}

/* What is read aloud is not edited meanwhile. */
static int lesson_watch(const struct view *v) {
    const struct lesson *l = (const struct lesson *)v;
    return screen_lesson_speaks(l) ? l->aloud.speech.fd : session_fd(l->session);
}

static unsigned lesson_pressed(struct view *v, const struct key *k) {
    struct lesson *l = lesson_of(v);
    bool flew = l->flight, stops = screen_lesson_speaks(l) && !screen_key_is(k, "V");
    l->flight = 0; /* any key ends it */
    return (flew ? VIEW_REDRAW : 0) | (stops ? screen_lesson_silence(v, k) : VIEW_IGNORED);
}

static void lesson_rest(struct view *v, bool rests) {
    voice_rest(&lesson_of(v)->aloud.speech, rests);
}

static int lesson_pace(const struct view *v) {
    const struct lesson *l = (const struct lesson *)v;
    if (l->top != l->shown) return GLIDE_MS;
    if (l->flight) return FLIGHT_MS;
    if (l->over) return -1;
    int left,
        due = screen_player_wait(&l->input.player, lesson_asked(session_dialogue(l->session)));
    if ((due < 0 || due > READ_MS) && screen_pane_waits(&l->pane)) return READ_MS;
    return due < 0 && session_clock(l->session, &left) ? SECOND_MS : due;
}

/* How to answer; where nothing is asked and the outline has room, what its signs mean. */
static const char *lesson_now(const struct view *v) {
    const char *how = ((const struct lesson *)v)->input.does->how;
    return how || !v->app->frame->pane_width ? how : screen_outline_signs;
}

static void lesson_close(struct view *v) {
    struct lesson *l = (struct lesson *)v;
    screen_lesson_silence(v, NULL);
    screen_input_end(&l->input);
    screen_page_clear(&l->page);
    screen_page_clear(&l->past);
    screen_editor_forget(&l->history);
    screen_outline_free(&l->outline);
    screen_pane_free(&l->pane);
    session_close(l->session);
    free(l->note);
    free(l->sources);
    free(l->title);
    free(l->here);
    free(l->from);
    screen_lesson_forget_ways(l);
    free(l);
}

static const struct view_operations LESSON = {
    .name = "A lesson",
    .about = "A lesson has several steps. Every answer is saved as soon as you give it, and you "
             "can leave at any time.",
    .actions = ACTIONS,
    .count = BASE_COUNT(ACTIONS),
    .layout = lesson_layout,
    .extra = screen_lesson_extra,
    .now = lesson_now,
    .state = lesson_state,
    .draw = screen_lesson_draw,
    .key = lesson_key,
    .pressed = lesson_pressed,
    .tick = lesson_tick,
    .term = screen_lesson_term,
    .asks = lesson_asks,
    .watch = lesson_watch,
    .pace = lesson_pace,
    .rest = lesson_rest,
    .wake = lesson_wake,
    .close = lesson_close,
};

struct view *screen_view_lesson(struct app *app, const struct view_request *r,
                                struct base_message *m) {
    struct session *s = session_open(app->learner, r->name, m);
    if (!s) return NULL;
    struct lesson *l = base_alloc(sizeof *l);
    l->view = (struct view){&LESSON, app};
    l->session = s;
    l->from = base_dup(r->name);
    screen_pane_begin(&l->pane, s, &app->paper);
    screen_lesson_begin(l);
    if (r->step)
        screen_lesson_do(l, (struct lesson_action){.kind = LESSON_DO_VISIT, .text = r->step});
    l->alone = r->alone;
    return &l->view;
}
