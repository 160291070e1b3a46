/* lesson: a lesson being taken. Events become the page, keys become actions; what is right or wrong is not known here. */
#include "screen/lesson.h"

#include <stdlib.h>
#include <string.h>

enum { GLIDE_MS = 16 };

/* ── events ──────────────────────────────────────────────────────────────────────────────────────*/
/* What an action brought, as far as the next input depends on it. */
struct batch {
    const char *answer; /* what was given, for the verdict */
    bool picked;
    bool kept; /* it is nothing to judge, and shown all the same */
    bool asked, unreadable;
    bool weighed; /* a lab ended: what is asked of it now is read last, beside its field */
};

static void keep_text(char **kept, const char *text) {
    free(*kept);
    *kept = text && *text ? base_dup(text) : NULL;
}

static void begin_step(struct lesson *l, const struct study_event *e) {
    page_clear(&l->page);
    l->step = e->index;
    l->steps = e->count;
    l->top = l->shown = l->last = l->input_top = 0;
    keep_text(&l->sources, e->sources);
    keep_text(&l->title, e->title);
    keep_text(&l->here, e->step);
}

/* The step of the first problem that is still open, as the end of the lesson tells it. */
static size_t first_open(const struct lesson *l, const char *item) {
    const char *id = item ? strchr(item, '/') : NULL;
    for (size_t i = 0; id && i < l->outline.count; i++)
        if (strcmp(l->outline.step[i].id, id + 1) == 0) return i;
    return LESSON_NONE;
}

static void take_event(struct lesson *l, const struct study_event *e, struct batch *b) {
    switch (e->kind) {
    case STUDY_STEP: begin_step(l, e); break;
    case STUDY_ASK: b->asked = true; break;
    case STUDY_VERDICT:
        b->unreadable = e->verdict && strcmp(e->verdict, "unreadable") == 0;
        if (!e->in_sheet)
            page_add(&l->page, e, e->tone == STUDY_QUIET && !b->kept ? NULL : b->answer, b->picked);
        b->answer = NULL; /* said once, however many verdicts it brings */
        break;
    case STUDY_END:
        l->over = true;
        l->open = first_open(l, e->open);
        page_add(&l->page, e, NULL, false);
        break;
    default:
        if (b->weighed && e->tone == STUDY_ASKING) page_begin(&l->page);
        page_add(&l->page, e, NULL, false);
        break;
    }
}

static void take_events(struct lesson *l, struct batch *b) {
    const struct study_event *e;
    page_begin(&l->page);
    while ((e = sitting_event(l->sitting))) take_event(l, e, b);
    l->follow = true;
    l->seen = 0;
    outline_read(&l->outline, desk_store(l->view.app->desk), l->sitting);
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

/* The question as far as an edit to its lesson must leave it alone, for what was typed or picked to be still meant for it. */
struct question {
    char *here;
    enum study_form form;
    int try;
    size_t options, bins, line;
};

static struct question question_of(const struct lesson *l) {
    const struct study_ask *a = sitting_asked(l->sitting);
    struct question q = {.here = base_dup(l->here ? l->here : ""), .form = STUDY_FORMS};
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

static void take_edit(struct lesson *l, const struct question *before) {
    struct batch b = {0};
    take_events(l, &b);
    struct question after = question_of(l);
    bool same = same_question(before, &after);
    renew_input(l, same ? STUDY_DO_HINT : STUDY_DO_GOTO, &b);
    free(after.here);
}

/* ── actions ─────────────────────────────────────────────────────────────────────────────────────*/
/* What is about to be answered, in the learner's words: the line that was typed, or the option that was picked. */
static char *words_of(struct lesson *l, const struct study_action *a, struct batch *b) {
    const struct study_ask *ask = sitting_asked(l->sitting);
    if (a->kind != STUDY_DO_ANSWER || !ask) return NULL;
    b->picked = ask->form == STUDY_CHOICE;
    b->kept = ask->form == STUDY_TEXT;
    if (b->picked) return base_dup(ask->option[l->input.at]);
    return l->input.does->typing ? base_dup(a->text) : NULL;
}

unsigned lesson_do(struct lesson *l, struct study_action a) {
    struct batch b = {0};
    char *words = words_of(l, &a, &b);
    b.answer = words;
    if (words && !b.picked && !b.kept) field_remember(&l->history, words);
    sitting_do(l->sitting, &a);
    take_events(l, &b);
    l->moved = a.kind == STUDY_DO_MOVE;
    l->follow = !l->moved;
    renew_input(l, a.kind, &b);
    free(words);
    return l->over && l->page.count == 0 ? VIEW_LEAVE : VIEW_REDRAW;
}

/* What a lab brought: it was run, or why it could not be. */
static void take_lab(struct lesson *l) {
    struct batch b = {.weighed = true};
    l->away = false;
    take_events(l, &b);
    renew_input(l, STUDY_DO_RAN, &b);
}

unsigned lesson_run(struct lesson *l, bool recorded) {
    struct base_message m = {0};
    const struct study_ask *ask = sitting_asked(l->sitting);
    struct view *lab = view_lab(l->view.app, l->sitting, ask->lab, recorded, &m);
    l->away = lab != NULL;
    if (!lab) take_lab(l);
    return app_open(l->view.app, lab);
}

static unsigned complain(struct lesson *l, const struct base_message *m) {
    char text[700];
    app_notice(l->view.app, base_dup(base_message_text(m, text, sizeof text)));
    return VIEW_REDRAW;
}

/* Coming back from it, one has it checked. */
unsigned lesson_write(struct lesson *l) {
    struct base_message m = {0};
    const struct study_ask *ask = sitting_asked(l->sitting);
    char *path = sitting_memo_path(ask->memo);
    struct view *memo = view_memo(l->view.app, path, ask->memo_begins, true, &m);
    free(path);
    if (!memo) return complain(l, &m);
    l->input.at = 1;
    return app_open(l->view.app, memo);
}

unsigned lesson_hand_in(struct lesson *l) {
    struct base_message m = {0};
    char *text = sitting_memo_asked(l->sitting, &m);
    if (!text) return complain(l, &m);
    struct memo_context *with = sitting_checks(l->view.app->desk);
    unsigned result =
        lesson_do(l, (struct study_action){.kind = STUDY_DO_ANSWER, .text = text, .memo = with});
    sitting_checks_free(with);
    free(text);
    return result;
}

static void lesson_wake(struct view *v) {
    struct lesson *l = (struct lesson *)v;
    if (l->away) take_lab(l);
}

/* ── between keys: an edited file, a page that glides ────────────────────────────────────────────*/
static unsigned lesson_tick(struct view *v, const struct key *k) {
    struct lesson *l = (struct lesson *)v;
    if (k->code == PRESS_PACE) {
        int way = l->top - l->shown;
        l->shown += way / 3 ? way / 3 : (way > 0) - (way < 0);
        return VIEW_REDRAW;
    }
    struct question before = question_of(l);
    bool edited = sitting_refresh(l->sitting);
    if (edited) take_edit(l, &before);
    free(before.here);
    return edited ? VIEW_REDRAW : VIEW_HANDLED;
}

static int lesson_watch(const struct view *v) {
    return sitting_fd(((const struct lesson *)v)->sitting);
}

static int lesson_pace(const struct view *v) {
    return ((const struct lesson *)v)->top == ((const struct lesson *)v)->shown ? -1 : GLIDE_MS;
}

static const char *lesson_now(const struct view *v) {
    return ((const struct lesson *)v)->input.does->how;
}

static void lesson_close(struct view *v) {
    struct lesson *l = (struct lesson *)v;
    input_end(&l->input);
    page_clear(&l->page);
    field_forget(&l->history);
    outline_free(&l->outline);
    sitting_close(l->sitting);
    free(l->sources);
    free(l->title);
    free(l->here);
    free(l->from);
    free(l);
}

static const struct view_operations LESSON = {
    .name = "A lesson",
    .about = "A lesson is a row of steps. Every answer is kept the moment it is given, and you can "
             "leave at any time.",
    .actions = lesson_actions,
    .count = LESSON_ACTIONS,
    .pane = true,
    .now = lesson_now,
    .state = lesson_state,
    .draw = lesson_draw,
    .key = lesson_key,
    .tick = lesson_tick,
    .watch = lesson_watch,
    .pace = lesson_pace,
    .wake = lesson_wake,
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
    l->from = base_dup(lesson);
    l->open = LESSON_NONE;
    take_events(l, &b);
    renew_input(l, STUDY_DO_GOTO, &b);
    if (step) lesson_do(l, (struct study_action){.kind = STUDY_DO_GOTO, .text = step});
    return &l->view;
}
