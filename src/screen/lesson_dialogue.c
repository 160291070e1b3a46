/* lesson_dialogue: events of the dialogue become the page and the input, and the learner's actions
 * go to the session. What is right or wrong is not decided here. */
#include "screen/lesson.h"

#include <stdlib.h>
#include <string.h>

/* ── events ────────────────────────────────────────────────────────────────────────────────────*/
/* What an action brought, as far as the next input depends on it. */
struct batch {
    /* what was given, for the verdict */
    const char *answer;
    bool picked;
    /* it is nothing to judge, and shown all the same */
    bool kept;
    /* it is an answer, or a hint on it: what came of it is read before the page turns */
    bool answered;
    bool asked, unreadable;
    /* a step begins; and with what it measured when it was left */
    bool began, resumed;
    /* that it was given in */
    int try;
};

static void keep_text(char **kept, const char *text) {
    free(*kept);
    *kept = text && *text ? base_dup(text) : NULL;
}

struct said_page *screen_lesson_page(const struct lesson *l) {
    return (struct said_page *)(l->looking ? &l->past : &l->page);
}

static void begin_step(struct lesson *l, const struct lesson_event *e) {
    screen_page_clear(&l->page);
    screen_page_clear(&l->past);
    l->looking = l->over = false;
    l->lower = -1;
    l->step = e->index;
    l->steps = e->count;
    l->top = l->shown = l->last = l->input_top = 0;
    keep_text(&l->sources, e->sources);
    keep_text(&l->title, e->title);
    keep_text(&l->here, e->step);
}

/* The step of the first problem that is still open, as the end of the lesson tells it. */
static bool said_anything(const struct lesson *l) {
    return l->page.count > l->page.fresh;
}

/* A clean page. What was said so far is one key back, and if it follows from an answer it is read
 * first. */
static void turn(struct lesson *l, const struct batch *b) {
    screen_page_clear(&l->past);
    if (said_anything(l)) {
        l->past = l->page;
        l->page = (struct said_page){0};
        l->looking = b->answered;
        l->past_try = 0;
        if (b->answered) l->past_try = b->try;
    } else {
        screen_page_clear(&l->page);
        l->lower = -1;
    }
    l->top = l->shown = l->last = l->input_top = l->stands = 0;
}

/* On from what an answer brought below its question, to the page that asks another. */
static void look_away(struct lesson *l) {
    if (l->looking) l->lower = -1;
    l->looking = false;
}

/* The cards are of the page that is in view: next to a wrong answer, not of the problem after it.
 */
static void fill_pane(struct lesson *l) {
    const struct said_page *shown = screen_lesson_page(l);
    screen_pane_take(&l->pane, screen_page_words(shown), screen_page_figure(shown),
                     l->looking ? NULL : lesson_asked(session_dialogue(l->session)));
}

unsigned screen_lesson_look(struct lesson *l, bool back) {
    l->looking = back;
    l->top = l->shown = l->last = l->seen = l->input_top = 0;
    l->follow = back;
    fill_pane(l);
    return VIEW_REDRAW;
}

void screen_lesson_forget_ways(struct lesson *l) {
    for (size_t i = 0; i < l->again; i++) {
        free(l->again_at[i]);
        free(l->again_in[i]);
    }
    l->again = 0;
}

/* What the last page leads to: steps of this lesson, or of a review's or a check's lessons. */
static void keep_ways(struct lesson *l, const struct lesson_event *e) {
    screen_lesson_forget_ways(l);
    for (; l->again < e->again; l->again++) l->again_at[l->again] = base_dup(e->again_at[l->again]);
    for (size_t i = 0; i < e->leads && l->again < LESSON_AGAIN; i++, l->again++) {
        l->again_at[l->again] = base_dup(e->lead[i].step);
        l->again_in[l->again] = base_dup(e->lead[i].lesson);
    }
}

/* The dialogue is over: what it said last, and which lesson is next. */
static void finish(struct lesson *l, const struct lesson_event *e) {
    struct learner *learner = l->view.app->learner;
    const struct lesson_course *c = session_learner_course(learner);
    l->over = true;
    if (l->page.count == 0) keep_text(&l->title, NULL); /* a page of its own, and no step's */
    keep_ways(l, e);
    l->next = session_learner_after(learner, lesson_id(session_lesson(l->session)));
    screen_page_add(&l->page, e, NULL, false);
    l->onwards = e->done && session_leads_onwards(l->session);
    if (l->onwards)
        screen_page_say(&l->page, LESSON_PLAIN, "You went through every lesson of the course.");
    if (!e->done) l->next = c->lessons;
    if (l->next == c->lessons) return;
    const struct lesson_entry *next = &c->lesson[l->next];
    char *text = base_format("Next: **%s** %s, %d minutes.", next->id, next->title, next->minutes);
    screen_page_say(&l->page, LESSON_PLAIN, text);
    free(text);
}

static void take_ask(struct lesson *l, const struct lesson_ask *ask, struct batch *b) {
    b->asked = true;
    if (ask->rest)
        screen_app_notice(l->view.app, base_dup("After this step you can stop for the day. The "
                                                "lesson resumes here."));
}

static void take_event(struct lesson *l, const struct lesson_event *e, struct batch *b) {
    switch (e->kind) {
    case LESSON_STEP:
        begin_step(l, e);
        b->began = true;
        break;
    case LESSON_TURN: turn(l, b); break;
    case LESSON_ASK: take_ask(l, e->ask, b); break;
    case LESSON_VERDICT:
        b->unreadable = e->verdict && strcmp(e->verdict, "unreadable") == 0;
        screen_page_answered(&l->page, e);
        if (!e->in_sheet)
            screen_page_add(&l->page, e,
                            e->options || (e->tone == LESSON_QUIET && !b->kept) ? NULL : b->answer,
                            b->picked);
        b->answer = NULL; /* said once, however many verdicts it brings */
        break;
    case LESSON_END: finish(l, e); break;
    default:
        if (e->in_sheet) break;
        b->resumed |= b->began && e->measured;
        screen_page_add(&l->page, e, NULL, false);
        break;
    }
}

void screen_lesson_read_notes(struct lesson *l) {
    free(l->note);
    l->note = session_note(l->session);
    l->bookmark = session_bookmarked(l->session);
    screen_pane_note(&l->pane, l->note);
}

static void take_events(struct lesson *l, struct batch *b) {
    const struct lesson_event *e;
    screen_page_begin(&l->page);
    while ((e = session_event(l->session))) take_event(l, e, b);
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    if (l->past_try == 0 && ask)
        l->past_try = ask->counted; /* what was said before belongs to it */
    l->follow = l->looking || said_anything(l);
    if (l->follow) {
        l->seen = 0;
        l->unfolded = false;
    }
    if (b->resumed && ask && ask->form != LESSON_NEXT) l->unfolded = l->to_end = true;
    screen_lesson_read_notes(l);
    screen_outline_read(&l->outline, session_learner_store(l->view.app->learner), l->session);
    fill_pane(l);
}

/* The numbers of lines, and the letters of bins. */
static void name_lines(struct lesson *l, const struct lesson_ask *ask) {
    size_t lines = screen_input_numbered(&l->input);
    if (lines == 0) return;
    screen_keys_in_a_row(l->numbers, sizeof l->numbers, '1', lines);
    screen_keys_in_a_row(l->letters, sizeof l->letters, 'a', ask->bins);
    l->tunes[l->tuned++] =
        (struct action){.keys = l->numbers, .help = "Go to the line with this number, and mark it"};
    if (ask->bins)
        l->tunes[l->tuned++] =
            (struct action){.keys = l->letters, .help = "Put it into the bin with this letter"};
}

static const struct action DIGITS[] = {
    {"answer", "0 1 2 3 4 5 6 7 8 9", 0, NULL, "Take the guess (it is not graded)"},
};

/* Those of them that can be the answer. */
static void name_digits(struct lesson *l, const struct lesson_play *play) {
    snprintf(l->numbers, sizeof l->numbers, "%.*s", 2 * (int)play->digits - 1, DIGITS->keys);
    l->tunes[l->tuned] = *DIGITS;
    l->tunes[l->tuned++].keys = l->numbers;
}

/* The answers and the options of a play are keys of this view, and so are the numbers of lines. */
static void name_options(struct lesson *l, const struct lesson_ask *ask) {
    const struct lesson_play *play = ask ? ask->play : NULL;
    l->tuned = 0;
    if (play && play->question) name_digits(l, play);
    for (size_t i = 0; play && i < play->row->options; i++) {
        const struct account_play_option *o = &play->row->option[i];
        l->tunes[l->tuned++] =
            (struct action){.label = o->name, .keys = screen_player_keys(i), .help = o->help};
    }
    name_lines(l, ask);
}

/* What was typed or picked stays where the question is still the same: after a hint, a slider's
 * move, or when it could not be read. */
static void renew_input(struct lesson *l, enum lesson_action_kind did, const struct batch *b) {
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    bool same = did == LESSON_DO_HINT || did == LESSON_DO_MOVE || b->unreadable || !b->asked;
    if (same && ask)
        l->input.ask = ask;
    else
        screen_input_begin(&l->input, ask, &l->history);
    screen_player_show(&l->input.player, ask);
    name_options(l, ask);
}

/* The question as far as an edit to its lesson must leave it alone, for what was typed or picked to
 * be still meant for it. */
struct question {
    char *here;
    enum lesson_form form;
    int try;
    size_t options, bins, line;
};

static struct question question_of(const struct lesson *l) {
    const struct lesson_ask *a = lesson_asked(session_dialogue(l->session));
    struct question q = {.here = base_dup(l->here ? l->here : ""), .form = LESSON_FORMS};
    if (!a) return q;
    q.form = a->form;
    q.try = a->try;
    q.options = a->options;
    q.bins = a->bins;
    q.line = a->line;
    return q;
}

static bool same_question(const struct question *a, const struct question *b) {
    return strcmp(a->here, b->here) == 0 && a->form == b->form && a->try == b->try &&
           a->options == b->options && a->bins == b->bins && a->line == b->line;
}

bool screen_lesson_refresh(struct lesson *l) {
    struct batch b = {0};
    struct question before = question_of(l);
    bool edited = session_refresh(l->session);
    if (edited) {
        take_events(l, &b);
        struct question after = question_of(l);
        renew_input(l, same_question(&before, &after) ? LESSON_DO_HINT : LESSON_DO_GOTO, &b);
        free(after.here);
    }
    free(before.here);
    return edited;
}

/* ── actions ───────────────────────────────────────────────────────────────────────────────────*/
/* What is about to be answered, in the learner's words: the line that was typed, or the option that
 * was picked. */
static char *words_of(struct lesson *l, const struct lesson_action *a, struct batch *b) {
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    if (a->kind != LESSON_DO_ANSWER || !ask) return NULL;
    b->picked = ask->form == LESSON_CHOICE;
    b->kept = ask->form == LESSON_TEXT;
    if (b->picked) return base_dup(ask->option[l->input.at]);
    return l->input.does->typing ? base_dup(a->text) : NULL;
}

enum { FLIGHT = 6 }; /* drawings of it, and the one in which all has landed */

int screen_lesson_apart(const struct lesson *l) {
    return l->flight * 100 / FLIGHT;
}

void screen_lesson_fly_on(struct lesson *l) {
    l->flight = l->flight + 1 < FLIGHT ? l->flight + 1 : 0;
}

/* What another position of a slider shards is seen to fly apart, if things may move. */
static bool takes_flight(const struct lesson *l, const json_t *before) {
    const json_t *figure = screen_page_figure(&l->page);
    bool moved = l->moved && figure && figure != before;
    return moved && l->view.app->look.motion && page_figure_flies(figure);
}

/* Whether it now went on from the only step that was to be looked at again. */
static bool leaves_alone(struct lesson *l, const struct lesson_action *a, size_t stood) {
    bool leaves = l->alone && !l->over && l->step != stood && l->outline.count > 0;
    l->alone = l->alone && l->step == stood;
    return leaves && a->kind != LESSON_DO_GOTO;
}

const char *screen_lesson_last(const struct lesson *l) {
    return l->outline.count > 0 ? l->outline.step[l->outline.count - 1].id : l->here;
}

unsigned screen_lesson_do(struct lesson *l, struct lesson_action a) {
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    struct batch b = {.answered = a.kind == LESSON_DO_ANSWER || a.kind == LESSON_DO_WORKED,
                      .try = ask ? ask->counted : 0};
    size_t stood = l->step;
    look_away(l);
    char *words = words_of(l, &a, &b);
    b.answer = words;
    if (words && !b.picked && !b.kept) screen_editor_remember(&l->history, words);
    const struct lesson_ask *asked = lesson_asked(session_dialogue(l->session));
    bool guessed = a.kind == LESSON_DO_ANSWER && asked && asked->play; /* a frame, too */
    json_t *figure = json_incref((json_t *)screen_page_figure(&l->page));
    session_do(l->session, &a);
    take_events(l, &b);
    l->moved = a.kind == LESSON_DO_MOVE || guessed;
    l->follow &= !l->moved;
    l->flight = takes_flight(l, figure);
    json_decref(figure);
    renew_input(l, a.kind, &b);
    if (b.unreadable && l->input.does->typing)
        screen_app_notice(l->view.app, base_dup("correct it, or clear the line with ^U"));
    free(words);
    if (leaves_alone(l, &a, stood)) {
        return screen_lesson_do(
            l, (struct lesson_action){.kind = LESSON_DO_GOTO, .text = screen_lesson_last(l)});
    }
    return l->over && l->page.count == 0 ? VIEW_LEAVE : VIEW_REDRAW;
}

void screen_lesson_took(struct lesson *l) {
    struct batch b = {0};
    look_away(l);
    take_events(l, &b);
    renew_input(l, LESSON_DO_GOTO, &b);
}

/* What a lab brought: it was run, or why it could not be. */
void screen_lesson_took_lab(struct lesson *l) {
    struct batch b = {0};
    l->away = false;
    take_events(l, &b);
    renew_input(l, LESSON_DO_RAN, &b);
}

unsigned screen_lesson_run(struct lesson *l, bool recorded) {
    const struct view_request lab = {.kind = VIEW_LAB,
                                     .name = lesson_asked(session_dialogue(l->session))->lab,
                                     .session = l->session,
                                     .recorded = recorded};
    unsigned opened = screen_app_open(l->view.app, &lab);
    l->away = opened & VIEW_OPEN;
    if (!l->away) screen_lesson_took_lab(l);
    return opened;
}

static unsigned complain(struct lesson *l, const struct base_message *m) {
    char text[700];
    screen_app_notice(l->view.app, base_dup(base_message_text(m, text, sizeof text)));
    return VIEW_REDRAW;
}

/* Coming back from it, one has it checked. */
unsigned screen_lesson_write(struct lesson *l) {
    const struct lesson_ask *ask = lesson_asked(session_dialogue(l->session));
    char *path = session_memo_path(ask->memo);
    const struct view_request memo = {
        .kind = VIEW_MEMO, .name = path, .begins = ask->memo_begins, .course = true};
    unsigned opened = screen_app_open(l->view.app, &memo);
    if (opened & VIEW_OPEN) l->input.at = 1;
    free(path);
    return opened;
}

unsigned screen_lesson_hand_in(struct lesson *l) {
    struct base_message m = {0};
    char *text = session_memo_asked(l->session, &m);
    if (!text) return complain(l, &m);
    struct memo_context *with = session_checks(l->view.app->learner);
    unsigned result = screen_lesson_do(
        l, (struct lesson_action){.kind = LESSON_DO_ANSWER, .text = text, .memo = with});
    session_checks_free(with);
    free(text);
    return result;
}

void screen_lesson_begin(struct lesson *l) {
    struct batch b = {0};
    l->input.does = &screen_input_next;
    take_events(l, &b);
    renew_input(l, LESSON_DO_GOTO, &b);
}
