/* dialogue.c: the state machine of a lesson: where it stands, and what an action means there. */
#include "lesson/handler.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct step_ops *const STEPS[LESSON_STEP_KINDS] = {
    [LESSON_SAY] = &lesson_step_say,
    [LESSON_FIGURE] = &lesson_step_say,
    [LESSON_RECAP] = &lesson_step_say,
    [LESSON_PREDICT] = &lesson_step_predict,
    [LESSON_EXPLORE] = &lesson_step_explore,
    [LESSON_WORKED] = &lesson_step_worked,
    [LESSON_PROBLEM] = &lesson_step_problem,
    [LESSON_MYTH] = &lesson_step_myth,
    [LESSON_SAY_ALOUD] = &lesson_step_aloud,
    [LESSON_ANIMATE] = &lesson_step_animate,
    [LESSON_LAB] = &lesson_step_lab,
    [LESSON_READ] = &lesson_step_read,
    [LESSON_MEMO] = &lesson_step_memo,
    [LESSON_CARD] = &lesson_step_card,
    [LESSON_CARDS] = NULL,
};

static bool is_recap(const struct lesson_dialogue *d, size_t step) {
    return d->lesson->step[step].kind == LESSON_RECAP;
}

static const struct step_ops *ops(const struct lesson_dialogue *d) {
    if (d->lesson->kind != LESSON_ORDINARY && is_recap(d, d->at)) return &lesson_step_result;
    return STEPS[d->lesson->step[d->at].kind];
}

/* ── moving ────────────────────────────────────────────────────────────────────────────────────*/
/* Whether one can stand on it; cards are kept for the deck. */
static bool has_page(const struct lesson *l, size_t i) {
    return i < l->count && STEPS[l->step[i].kind] != NULL;
}

static bool visible(const struct lesson *l, size_t i) {
    return has_page(l, i) && lesson_step_passed(l, i);
}

static size_t visible_before(const struct lesson *l, size_t end) {
    size_t n = 0;
    for (size_t i = 0; i < end; i++) n += visible(l, i);
    return n;
}

/* The visible step at `i` or after it, or the count. */
static size_t onwards(const struct lesson *l, size_t i) {
    while (i < l->count && !visible(l, i)) i++;
    return i;
}

/* The visible step at `i` or before it, else the first visible one. */
static size_t backwards(const struct lesson *l, size_t i) {
    for (;; i--) {
        if (visible(l, i)) return i;
        if (i == 0) return onwards(l, 0);
    }
}

static char *sources(const json_t *list) {
    if (json_array_size(list) == 0) return NULL;
    struct base_text t = {0};
    size_t i;
    const json_t *s;
    json_array_foreach(list, i, s) base_text_printf(&t, "- %s\n", json_string_value(s));
    return base_text_take(&t);
}

static void forget_state(struct lesson_dialogue *d) {
    lesson_attempt_free(&d->state.attempt);
    json_decref(d->state.measured);
    d->state = (struct step_state){0};
}

static void announce(struct lesson_dialogue *d) {
    struct lesson_event *e = lesson_show_event(d, LESSON_STEP);
    e->index = visible_before(d->lesson, d->at);
    e->count = visible_before(d->lesson, d->lesson->count);
    e->sources =
        lesson_keep_owned(&d->events, sources(json_object_get(lesson_step_json(d), "sources")));
}

static void enter(struct lesson_dialogue *d, size_t step, bool keep) {
    assert(has_page(d->lesson, step)); /* lesson_read() refuses a lesson that has none */
    forget_state(d);
    d->at = step;
    d->visiting = d->visiting && strcmp(d->lesson->step[step].id, d->place) != 0;
    announce(d);
    if (keep) lesson_record_place(d);
    ops(d)->enter(d);
}

/* ── the end ───────────────────────────────────────────────────────────────────────────────────*/
static bool is_open(const struct lesson_dialogue *d, size_t i) {
    struct lesson one = *d->lesson;
    struct lesson_score score;
    one.step += i;
    one.count = 1;
    lesson_score_lesson(&one, d->journal, &score);
    bool told = lesson_step_kind(d->lesson, i) == LESSON_MYTH; /* once it is answered */
    return told ? score.graded > score.answered : score.graded > score.right;
}

/* Settled by now, but not right at the first try. */
static bool was_weak(const struct lesson_dialogue *d, size_t i) {
    return !is_open(d, i) && !lesson_aside(d->lesson, i) &&
           lesson_missed_first(d->lesson, i, d->journal);
}

/* Lists the steps to look at again, and gives the event their ids in that order. */
static void add_again(struct base_text *t, struct lesson_dialogue *d, struct lesson_event *e) {
    const char **at = lesson_keep_alloc(&d->events, LESSON_AGAIN * sizeof *at);
    for (size_t i = 0; i < d->lesson->count && e->again < LESSON_AGAIN; i++) {
        const struct lesson_step *s = &d->lesson->step[i];
        bool open = is_open(d, i);
        if (!open && !was_weak(d, i)) continue;
        if (e->again == 0) base_text_puts(t, "\n\nLook at these again:\n");
        at[e->again++] = lesson_keep_text(&d->events, s->id);
        base_text_printf(t, "\n%zu. %s (step %zu%s)", e->again,
                         base_json_text(s->json, "title", s->id), visible_before(d->lesson, i) + 1,
                         open ? ", still open" : "");
    }
    e->again_at = at;
}

static void add_score(struct base_text *t, const struct lesson_dialogue *d) {
    struct lesson_score score;
    lesson_score_lesson(d->lesson, d->journal, &score);
    if (score.graded == 0)
        base_text_puts(t, "The lesson is over.");
    else
        base_text_printf(t, "%zu of %zu problems right at the first try.", score.right_first,
                         score.graded);
}

/* What one can do now, what was weak and what is open, on a page of its own. */
static void end_lesson(struct lesson_dialogue *d) {
    struct base_text t = {0};
    const char *goal = lesson_goal(d->lesson);
    if (lesson_is_alone(d)) {
        lesson_show_turn(d); /* its last page was the end: no other follows */
        lesson_show_end(d, NULL);
        return;
    }
    if (d->lesson->kind != LESSON_ORDINARY) {
        /* a check may be a part of the placement */
        char *text = d->lesson->kind == LESSON_CHECK
                         ? base_dup("That was the last problem.")
                         : base_format("The %s is over.", lesson_kind_name(d->lesson->kind));
        lesson_show_end(d, text)->done = true;
        return;
    }
    if (*goal != '\0')
        base_text_printf(&t, "**You can now** %s%s\n\n", goal, lesson_stop_after(goal));
    add_score(&t, d);
    struct lesson_event again = {0};
    add_again(&t, d, &again);
    lesson_show_turn(d);
    struct lesson_event *e = lesson_show_end(d, base_text_take(&t));
    e->done = true;
    e->again = again.again;
    e->again_at = again.again_at;
}

/* ── actions ───────────────────────────────────────────────────────────────────────────────────*/
static const char *left_alone(enum lesson_kind k) {
    return k == LESSON_QUEUE  ? "Your answers are saved. The rest stays due."
           : k == LESSON_CASE ? "The case stays until Sunday."
                              : "Your answers are saved.";
}

/* Reviews and checks count their problems, without the result after them; which of them is taken as
 * part of a placement is not known here, so that they are not named. */
static bool is_mixed(const struct lesson_dialogue *d) {
    return d->lesson->kind == LESSON_REVIEW || d->lesson->kind == LESSON_CHECK;
}

/* Says where the lesson opens again. It stores nothing, since opening a lesson to look at it does
 * not begin it. */
static void do_leave(struct lesson_dialogue *d, const struct lesson_action *a) {
    (void)a;
    size_t count = d->lesson->count,
           to = d->visiting ? onwards(d->lesson, lesson_find(d->lesson, d->place)) : d->at;
    size_t all = visible_before(d->lesson, count),
           step = to < count ? visible_before(d->lesson, to) + 1 : 1;
    const char *id = d->lesson->id;
    char *text;
    if (lesson_is_alone(d))
        text = base_dup(left_alone(d->lesson->kind));
    else if (is_mixed(d) && step == all)
        text = base_dup(d->lesson->kind == LESSON_CHECK
                            ? "You left at the result. It opens there again."
                            : "You left at the result. Next time it asks again.");
    else if (is_mixed(d) && !d->visiting)
        text = base_format("You left at problem %zu of %zu. It resumes there.", step, all - 1);
    else if (is_mixed(d))
        text = base_format("You looked at another problem. It resumes at problem %zu of %zu.", step,
                           all - 1);
    else if (lesson_gone_through(d))
        text = base_dup("You finished this lesson. It opens at its beginning.");
    else if (!d->visiting)
        text = base_format("You left %s at step %zu of %zu. It resumes there.", id, step, all);
    else
        text = base_format("You looked at another step. %s resumes at step %zu of %zu.", id, step,
                           all);
    lesson_show_end(d, text);
}

/* Moves to the step after this one. That ends a visit, unless the lesson was gone through. */
static void go_on(struct lesson_dialogue *d, size_t to) {
    bool visits = d->visiting && lesson_gone_through(d);
    if (!d->visiting) d->finished |= is_recap(d, to);
    enter(d, to, !visits);
}

/* Whoever only looks at the recap has not come through the lesson: from there it is left, not
 * finished. */
static void do_next(struct lesson_dialogue *d, const struct lesson_action *a) {
    if (ops(d)->next != NULL && ops(d)->next(d)) return;
    size_t to = onwards(d->lesson, d->at + 1), home = lesson_find(d->lesson, d->place);
    if (d->visiting && is_mixed(d) && home < d->lesson->count) to = home;
    if (to < d->lesson->count) {
        go_on(d, to);
        return;
    }
    if (d->visiting && !d->finished) {
        do_leave(d, a);
        return;
    }
    d->finished |= is_recap(d, d->at);
    lesson_record_place(d);
    end_lesson(d);
}

/* A card that was not turned is turned first. */
static void do_skip(struct lesson_dialogue *d, const struct lesson_action *a) {
    if (ops(d)->skip != NULL && ops(d)->skip(d)) return;
    bool unturned = lesson_card_unturned(d);
    do_next(d, a);
    if (unturned && !lesson_card_unturned(d)) do_next(d, a);
}

static void do_back(struct lesson_dialogue *d, const struct lesson_action *a) {
    (void)a;
    if (lesson_in_queue(d))
        lesson_show_owned(
            d, LESSON_QUIET,
            base_format("A %s only goes forward.", lesson_kind_name(d->lesson->kind)));
    else if (visible_before(d->lesson, d->at) == 0)
        lesson_show(d, LESSON_QUIET, "This is the first step.");
    else {
        assert(d->at > 0); /* a visible step is before it */
        enter(d, backwards(d->lesson, d->at - 1), !d->visiting);
    }
}

/* To the step that comes next one has not looked something up, but gone on. */
static void do_goto(struct lesson_dialogue *d, const struct lesson_action *a) {
    size_t to = lesson_find(d->lesson, a->text != NULL ? a->text : "");
    if (!has_page(d->lesson, to)) to = onwards(d->lesson, to); /* past cards */
    bool on = a->kind == LESSON_DO_GOTO && to == onwards(d->lesson, d->at + 1);
    if (to < d->lesson->count && on && !d->visiting) {
        go_on(d, to);
        return;
    }
    if (to < d->lesson->count) {
        bool home = strcmp(d->lesson->step[to].id, d->place) == 0;
        d->visiting = !lesson_in_queue(d) && !home && (d->visiting || to != d->at);
        enter(d, to, false);
        return;
    }
    char *name =
        base_clean_dup(a->text != NULL ? a->text : "", a->text != NULL ? strlen(a->text) : 0, 60);
    lesson_show_owned(d, LESSON_QUIET, base_format("This lesson has no step called '%s'.", name));
    free(name);
}

static void do_repeat(struct lesson_dialogue *d, const struct lesson_action *a) {
    (void)a;
    if (ops(d)->repeat == NULL) {
        enter(d, d->at, false);
        return;
    }
    announce(d);
    ops(d)->repeat(d);
}

/* An empty line is an answer only where free text, a memo or ticks are asked; where nothing is
 * asked it goes on. */
static bool take_blank(struct lesson_dialogue *d, const struct lesson_action *a) {
    switch (d->ask->form) {
    case LESSON_TICKS:
    case LESSON_WRITE:
    case LESSON_TEXT: return false;
    case LESSON_NEXT:
    case LESSON_RUN:
    case LESSON_SLIDERS: do_next(d, a); return true;
    default: lesson_show(d, LESSON_QUIET, "You typed nothing. The question stays."); return true;
    }
}

static void do_answer(struct lesson_dialogue *d, const struct lesson_action *a) {
    const char *text = a->text != NULL ? a->text : "";
    assert(d->ask); /* whoever entered a step asked something, and it is not over */
    if (text[strspn(text, " \t\r\n")] == '\0' && take_blank(d, a)) return;
    if (d->ask->form == LESSON_NEXT) {
        lesson_show(d, LESSON_QUIET, "Nothing to answer here. Press Enter to continue.");
        return;
    }
    bool memo = d->ask->form == LESSON_WRITE;
    char *clean = memo ? base_dup(text) : base_clean_dup(text, strlen(text), 2000);
    d->memo = a->memo;
    ops(d)->answer(d, clean);
    d->memo = NULL;
    free(clean);
}

static void or_say(struct lesson_dialogue *d, void (*op)(struct lesson_dialogue *),
                   const char *none) {
    if (op != NULL)
        op(d);
    else
        lesson_show(d, LESSON_QUIET, none);
}

static void do_hint(struct lesson_dialogue *d, const struct lesson_action *a) {
    (void)a;
    or_say(d, ops(d)->hint, "No hint here.");
}

static void do_worked(struct lesson_dialogue *d, const struct lesson_action *a) {
    (void)a;
    or_say(d, ops(d)->worked, "No solution to show here.");
}

static void do_fresh(struct lesson_dialogue *d, const struct lesson_action *a) {
    (void)a;
    or_say(d, ops(d)->fresh, "This step always has the same numbers.");
}

static void do_move(struct lesson_dialogue *d, const struct lesson_action *a) {
    if (ops(d)->move != NULL)
        ops(d)->move(d, a->index, a->by);
    else
        lesson_show(d, LESSON_QUIET, "Nothing to move here.");
}

static void do_reword(struct lesson_dialogue *d, const struct lesson_action *a) {
    bool briefly = a->kind == LESSON_DO_BRIEFLY;
    if (ops(d)->reword == NULL || !ops(d)->reword(d, briefly ? "briefly" : "slowly"))
        lesson_show(d, LESSON_QUIET,
                    briefly ? "This has no shorter wording." : "This has no slower wording.");
}

static void do_ran(struct lesson_dialogue *d, const struct lesson_action *a) {
    if (ops(d)->ran != NULL)
        ops(d)->ran(d, a->text);
    else
        lesson_show(d, LESSON_QUIET, "No lab here.");
}

static void (*const ACTIONS[])(struct lesson_dialogue *, const struct lesson_action *) = {
    [LESSON_DO_NEXT] = do_next,      [LESSON_DO_SKIP] = do_skip,     [LESSON_DO_BACK] = do_back,
    [LESSON_DO_GOTO] = do_goto,      [LESSON_DO_ANSWER] = do_answer, [LESSON_DO_HINT] = do_hint,
    [LESSON_DO_WORKED] = do_worked,  [LESSON_DO_FRESH] = do_fresh,   [LESSON_DO_MOVE] = do_move,
    [LESSON_DO_LEAVE] = do_leave,    [LESSON_DO_RAN] = do_ran,       [LESSON_DO_REPEAT] = do_repeat,
    [LESSON_DO_BRIEFLY] = do_reword, [LESSON_DO_SLOWLY] = do_reword, [LESSON_DO_VISIT] = do_goto,
};

static void forget_events(struct lesson_dialogue *d) {
    d->queued = d->read = 0;
    lesson_keep_free(&d->events);
}

/* Nothing of what was just done was kept, so nothing is said of it; the step goes on from what the
 * record says now. */
static void yield_to_other(struct lesson_dialogue *d) {
    d->overtaken = false;
    d->queued = 0;
    forget_state(d);
    lesson_show(d, LESSON_QUIET, "You answered this in another terminal.");
    ops(d)->enter(d);
}

/* Whether Enter leads on from here, and nothing is open. */
static bool is_through(const struct lesson_dialogue *d) {
    bool leads = d->ask != NULL && (d->ask->form == LESSON_NEXT || d->ask->form == LESSON_SLIDERS);
    return leads && !lesson_question_open(d);
}

/* The lesson's natural stop is told once, while the learner is still at that step. */
static void tell_rest(struct lesson_dialogue *d) {
    bool stop = lesson_find(d->lesson, lesson_stop(d->lesson)) == d->at;
    if (!stop || d->visiting || d->state.rested || !is_through(d)) return;
    d->ask->rest = d->state.rested = true;
}

/* Whether the action looks up a step of a review or a check, even after its end. */
static bool looks_up(const struct lesson_dialogue *d, const struct lesson_action *a) {
    return a->kind == LESSON_DO_GOTO && is_mixed(d) && a->text != NULL &&
           lesson_find(d->lesson, a->text) < d->lesson->count;
}

void lesson_do(struct lesson_dialogue *d, const struct lesson_action *a) {
    forget_events(d);
    d->over = d->over && !looks_up(d, a);
    if (d->over || (size_t)a->kind >= BASE_COUNT(ACTIONS)) return;
    ACTIONS[a->kind](d, a);
    if (d->overtaken) yield_to_other(d);
    tell_rest(d);
}

/* ── opening and asking ────────────────────────────────────────────────────────────────────────*/
static void count_answer(void *count, const struct lesson_answer *a) {
    *(size_t *)count += strcmp(a->verdict, "unreadable") != 0;
}

static size_t answers_to(const struct lesson_dialogue *d, const char *item) {
    size_t count = 0;
    d->journal.answers(d->journal.self, item, count_answer, &count, NULL);
    return count;
}

/* What was said aloud is settled once its points were ticked, too. */
static bool is_told(const struct lesson_dialogue *d, const char *item) {
    char *points = base_format("%s#points", item);
    size_t told = answers_to(d, item), ticked = answers_to(d, points);
    free(points);
    return told > 0 && told == ticked;
}

static void note_right(void *right, const struct lesson_answer *a) {
    *(bool *)right = *a->line == '\0' && lesson_verdict_right(a->verdict);
}

/* Whether the last thing done at a problem was to get it right. */
static bool is_solved(const struct lesson_dialogue *d, const char *item) {
    bool right = false;
    d->journal.answers(d->journal.self, item, note_right, &right, NULL);
    return right;
}

/* Whether a step that was left asks nothing more. */
static bool is_settled(const struct lesson_dialogue *d, size_t i) {
    const char *item = d->lesson->step[i].item;
    switch (lesson_step_kind(d->lesson, i)) {
    case LESSON_PROBLEM: return is_solved(d, item);
    case LESSON_MYTH: return answers_to(d, item) > 0;
    case LESSON_SAY_ALOUD: return is_told(d, item);
    default: return false;
    }
}

/* Where a lesson opens: at its place, or after it if nothing is left to do there; at its beginning
 * if it was finished. */
static size_t resumes_at(const struct lesson_dialogue *d) {
    size_t at = onwards(d->lesson, lesson_find(d->lesson, d->place)), count = d->lesson->count;
    bool ordinary = d->lesson->kind == LESSON_ORDINARY;
    if (ordinary && at < count && is_settled(d, at)) at = onwards(d->lesson, at + 1);
    bool again = ordinary && lesson_gone_through(d);
    return at < count && !again ? at : onwards(d->lesson, 0);
}

struct lesson_dialogue *lesson_dialogue_open(const struct lesson *l, struct lesson_source source,
                                             struct lesson_journal journal, uint64_t seed,
                                             struct base_message *m) {
    struct lesson_place place = {0};
    if (!journal.place_get(journal.self, l->id, &place, m)) return NULL;
    struct lesson_dialogue *d = base_alloc(sizeof *d);
    *d = (struct lesson_dialogue){.lesson = l, .source = source, .journal = journal, .seed = seed};
    if (l->kind == LESSON_DRILL) d->outcome = base_alloc(l->count * sizeof *d->outcome);
    d->finished = place.finished;
    memcpy(d->place, place.step, sizeof d->place);
    enter(d, resumes_at(d), false);
    return d;
}

void lesson_dialogue_free(struct lesson_dialogue *d) {
    if (d == NULL) return;
    for (size_t i = 0; d->outcome != NULL && i < d->lesson->count; i++) free(d->outcome[i].missed);
    free(d->outcome);
    forget_state(d);
    lesson_keep_free(&d->events);
    lesson_keep_free(&d->asking);
    free(d->queue);
    free(d);
}

const struct lesson_event *lesson_event(struct lesson_dialogue *d) {
    assert(d->read <= d->queued);
    return d->read < d->queued ? &d->queue[d->read++] : NULL;
}

json_t *lesson_figure_after(struct lesson_dialogue *d, struct lesson_action a, bool *begins) {
    const struct lesson_event *e;
    json_t *figure = NULL;
    lesson_do(d, &a);
    while ((e = lesson_event(d))) {
        if (!e->figure) continue;
        json_decref(figure);
        figure = json_incref((json_t *)e->figure);
        if (begins) *begins = !e->between;
    }
    return figure;
}

bool lesson_play_is_over(const struct lesson_ask *ask) {
    return !ask->play || ask->slider[0].position + 1 >= ask->slider[0].count;
}

const struct lesson_ask *lesson_asked(const struct lesson_dialogue *d) {
    return d->ask;
}

/* What is asked: of a step that draws numbers in their words, else as it was written. */
static const char *statement(const struct lesson_dialogue *d) {
    static const char *const field[] = {"ask", "claim", "front", "text"};
    const char *words = base_json_text(d->state.attempt.variant, "ask", NULL);
    for (size_t i = 0; words == NULL && i < BASE_COUNT(field); i++)
        words = lesson_step_text(d, field[i]);
    return words != NULL ? words : "";
}

json_t *lesson_report(const struct lesson_dialogue *d) {
    const struct attempt *t = &d->state.attempt;
    const json_t *numbers = t->variant != NULL ? t->variant : lesson_step_json(d);
    bool tells = t->solution.lines > 0 && !lesson_question_open(d);
    char *working = tells ? lesson_working_all(&t->solution) : NULL;
    char *seed = base_format("%llu", (unsigned long long)t->seed);
    json_t *out =
        json_pack("{ss si si ss ss sO ss*}", "item", d->lesson->step[d->at].item, "revision",
                  lesson_revision(d->lesson, d->at), "try", t->number, "seed", seed, "statement",
                  statement(d), "numbers", (json_t *)numbers, "solution", working);
    free(seed);
    free(working);
    return out;
}

enum lesson_came lesson_came_now(const struct lesson_dialogue *d, size_t i) {
    const struct outcome *o = d->outcome != NULL ? &d->outcome[i] : NULL;
    if (o == NULL || !o->answered) return LESSON_CAME_NOT;
    return o->missed == NULL ? LESSON_CAME_RIGHT : LESSON_CAME_WRONG;
}

int64_t lesson_asked_ms(const struct lesson_dialogue *d) {
    return base_ticks() - d->asked_at;
}

const char *lesson_where(const struct lesson_dialogue *d) {
    return d->lesson->step[d->at].id;
}

const char *lesson_reached(const struct lesson_dialogue *d) {
    bool finished = d->finished && d->lesson->kind == LESSON_ORDINARY;
    return finished ? NULL : d->visiting ? d->place : lesson_where(d);
}

bool lesson_reload(struct lesson_dialogue *d, const struct lesson *l, struct lesson_source source,
                   struct base_message *m) {
    if (strcmp(l->id, d->lesson->id) != 0)
        return base_fail_at(m, l->name, 0,
                            "this is now lesson %s, no longer %s: open it again to take it", l->id,
                            d->lesson->id);
    size_t old = d->at, step = lesson_find(l, d->lesson->step[old].id);
    while (step == l->count && old > 0) step = lesson_find(l, d->lesson->step[--old].id);
    forget_events(d);
    d->lesson = l;
    d->source = source;
    d->at = step < l->count ? backwards(l, step) : onwards(l, 0);
    if (!d->over) enter(d, d->at, false);
    return true;
}

/* ── what a front end may show next to the page ────────────────────────────────────────────────*/
const json_t *lesson_problem_now(const struct lesson_dialogue *d) {
    const json_t *drawn = json_object_get(d->state.attempt.variant, "problem");
    const json_t *p = drawn != NULL ? drawn : json_object_get(lesson_step_json(d), "problem");
    const char *kind = base_json_text(p, "kind", "");
    bool open = strcmp(kind, "largest_params") == 0 || strcmp(kind, "fewest_gpus") == 0;
    return open ? NULL : p;
}
