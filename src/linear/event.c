/* event: the events of the dialogue and news of the class as lines. */
#include "linear/inside.h"

#include <stdlib.h>
#include <string.h>

/* ── events: a table says which function prints which ──────────────────────────────────────────*/
static const unsigned tone_role[LESSON_TONES] = {
    [LESSON_PLAIN] = PAGE_PLAIN, [LESSON_QUIET] = PAGE_DIM,       [LESSON_GOOD] = PAGE_GOOD,
    [LESSON_BAD] = PAGE_BAD,     [LESSON_HINT_TONE] = PAGE_PLAIN, [LESSON_ASKING] = PAGE_STRONG,
};

_Static_assert((int)LEARNER_SOLID == (int)PAGE_SOLID && (int)LEARNER_WEAK == (int)PAGE_WEAK &&
                   (int)LEARNER_PASSED_OVER == (int)PAGE_SKIPPED,
               "the strengths are the same in both");

/* "2 solid, 1 weak, 4 to come; about 3 min left." */
static void say_states(const struct talk *t, struct page *p, size_t count) {
    int minutes = session_minutes_left(t->session);
    size_t of[PAGE_STRENGTHS] = {0};
    struct base_text text = {0};
    for (size_t i = 0; i < count; i++) of[session_step_strength(t->session, i)]++;
    for (size_t s = PAGE_STRENGTHS; s-- > 0;)
        if (of[s] > 0)
            base_text_printf(&text, "%s%zu %s", text.s ? ", " : "", of[s],
                             s == PAGE_NOT_MET ? "to come"
                                               : page_strength_words((enum page_strength)s));
    if (minutes > 0) base_text_printf(&text, "; about %d min left", minutes);
    base_text_puts(&text, ".");
    page_text(p, (struct page_flow){.role = PAGE_DIM}, text.s);
    base_text_free(&text);
}

/* How each thing of a review or a drill came out, "●●◔○○○○", and how long a review still takes. */
static void put_states(const struct talk *t, struct page *p, size_t count) {
    int row = page_height(p), end = 0;
    for (size_t i = 0; !t->words && i < count; i++)
        end = page_strength_put(p, row, end,
                                (enum page_strength)session_step_strength(t->session, i));
    say_states(t, p, count);
}

/* "── step 3 of 12 · title ──", with a blank line around it; "step 3 of 12: title" for the ear, or
 * "Title. Your answers here are not graded." */
static void show_step(struct talk *t, const struct lesson_event *e) {
    t->step = e->index;
    t->kind = e->step_kind;
    t->steps = e->count;
    t->told_moves = NULL;
    free(t->sources);
    t->sources = e->sources ? base_dup(e->sources) : NULL;
    struct page *p = linear_print_begin(t);
    page_blank(p, 1);
    char *far = session_how_far(t->session, e->index, e->count, "of");
    bool titled = e->title && *e->title;
    if (t->words) {
        char *text =
            session_is_graded(t->session)
                ? base_format("%s%s%s", far, titled ? ": " : "", titled ? e->title : "")
                : base_format("%s%s" LINEAR_UNGRADED, e->title, lesson_stop_after(e->title));
        page_text(p, (struct page_flow){.role = PAGE_TITLE}, text);
        free(text);
    } else {
        int end = page_printf(p, 1, 0, PAGE_DIM, "── %s", far);
        if (titled) end = page_put(p, 1, end, PAGE_DIM, 0, " · ");
        if (titled) end = page_put(p, 1, end, PAGE_TITLE, 0, e->title);
        page_put(p, 1, end, PAGE_DIM, 0, " ──");
    }
    free(far);
    if (session_is_forward(t->session) && e->index + 1 < e->count) put_states(t, p, e->count - 1);
    page_blank(p, 1);
    linear_print_page(t, p);
}

/* "You chose 1: the text." "The right answer is 2: the text.", unless the verdict tells it. */
static void show_picked(struct talk *t, const struct lesson_event *e) {
    struct page *p = linear_print_begin(t);
    bool told = e->text && strstr(e->text, LESSON_TRUTH);
    const struct {
        const char *words;
        size_t option;
        unsigned role;
    } picked[] = {{"You chose", e->said, PAGE_PLAIN},
                  {"The right answer is", e->said == e->truth || told ? 0 : e->truth, PAGE_PLAIN}};
    for (size_t i = 0; i < BASE_COUNT(picked); i++) {
        if (picked[i].option == 0) continue;
        const char *option = e->option[picked[i].option - 1];
        char *text = base_format("%s %zu: %s%s", picked[i].words, picked[i].option, option,
                                 lesson_stop_after(option));
        page_markdown(p, (struct page_flow){.role = picked[i].role}, text);
        free(text);
    }
    page_blank(p, 1);
    linear_print_page(t, p);
}

/* What is left to say of a guess at one of several options, whose texts have just been told. */
static const char *words_of_guess(const struct lesson_event *e) {
    return e->said == e->truth ? "That is right." : "";
}

/* Text first, then the figure under it; a figure that cannot be drawn says why in its place. */
static void show_block(struct talk *t, const struct lesson_event *e) {
    const char *text = e->options ? words_of_guess(e) : e->text;
    if (e->repeated) return; /* no page was turned */
    if (e->options) show_picked(t, e);
    if (text && *text) {
        linear_print_markdown(t, tone_role[e->tone], text);
        free(t->over);
        t->over = base_dup(text);
    }
    if (e->figure) linear_print_figure(t, NULL, e->figure);
}

static void show_asked(struct talk *t, const struct lesson_event *e) {
    if (e->ask && e->ask->rest)
        linear_print_markdown(t, PAGE_DIM,
                              "After this step you can stop for the day. Type `:quit` to leave: "
                              "the lesson resumes here.");
    if (e->ask) linear_print_ask(t, e->ask);
}

/* A frame between two that begin something is only its sentence; in words its changes follow. The
 * number of a frame is said unless the figure's title has it, because learners type it to go there.
 */
static void show_ledger(struct talk *t, const struct lesson_event *e) {
    const struct lesson_play *play = e->ask ? e->ask->play : NULL;
    const char *says = e->between && e->text ? e->text : "";
    bool numbered = e->between ? !e->text : play && play->titled;
    char *text = play && !numbered ? base_format("Frame %u of %u.%s%s", play->number, play->numbers,
                                                 *says ? " " : "", says)
                                   : base_dup(says);
    bool figure = !e->between || (t->words && e->text);
    bool moved = t->words && e->figure_was;
    if (moved) linear_print_moved(t, e->figure, e->figure_was);
    figure = figure && !moved;
    show_block(t, &(struct lesson_event){.text = text, .figure = figure ? e->figure : NULL});
    free(text);
    show_asked(t, e);
}

static void show_verdict(struct talk *t, const struct lesson_event *e) {
    if (e->options) show_picked(t, e);
    bool guess = strcmp(e->verdict ? e->verdict : "", "noted") == 0;
    unsigned role = guess ? PAGE_PLAIN : e->right ? PAGE_GOOD : PAGE_BAD;
    const char *text = guess && e->options ? words_of_guess(e) : e->text;
    t->line_told = e->of_line != NULL;
    if (text && *text) linear_print_markdown(t, role, text);
    if (e->figure) show_block(t, &(struct lesson_event){.figure = e->figure});
}

static void show_hint(struct talk *t, const struct lesson_event *e) {
    char *text = base_format("hint %d: %s", e->level, e->text ? e->text : "");
    linear_print_markdown(t, PAGE_PLAIN, text);
    free(text);
    if (e->level == LESSON_HINTS)
        linear_print_markdown(t, PAGE_DIM, "Type `:worked` to see the whole solution.");
}

static void show_trouble(struct talk *t, const struct lesson_event *e) {
    linear_print_markdown(t, PAGE_BAD,
                          e->text ? e->text : "Something failed. The lesson continues.");
}

/* The lesson to take next. */
static void show_next(struct talk *t) {
    const struct lesson_course *c = session_learner_course(t->learner);
    size_t next = session_learner_after(t->learner, lesson_id(session_lesson(t->session)));
    if (session_leads_onwards(t->session))
        linear_print_markdown(
            t, PAGE_PLAIN,
            "You went through every lesson of the course. `zerotutor learn " LEARNER_ONWARDS
            "` says what to learn next.");
    if (next == c->lessons) return;
    const struct lesson_entry *l = &c->lesson[next];
    char *opens = t->echo ? base_format(" `zerotutor learn %s %s` opens it.", l->id,
                                        t->options->words ? "--words" : "--linear")
                          : base_dup("");
    char *text = base_format("Next: **%s** %s, %d minutes.%s", l->id, l->title, l->minutes, opens);
    linear_print_markdown(t, PAGE_PLAIN, text);
    free(text);
    free(opens);
    t->leads = t->leads || !t->echo;
}

void linear_forget_found(struct talk *t) {
    for (size_t i = 0; i < t->found_count; i++) {
        free(t->found[i].name);
        free(t->found[i].lesson);
        free(t->found[i].step);
    }
    t->found_count = 0;
}

/* The steps that the end of a lesson has numbered, so that ":open 2" opens the second, which a
 * learner at a terminal is told. */
static void take_ways(struct talk *t, const struct lesson_event *e) {
    const char *lesson = lesson_id(session_lesson(t->session));
    linear_forget_found(t);
    for (size_t i = 0; i < e->again && i < LINEAR_FOUND; i++)
        t->found[t->found_count++] = (struct linear_found){
            SESSION_STEP, base_dup(""), base_dup(lesson), base_dup(e->again_at[i])};
    if (t->found_count == 0 || t->echo) return;
    t->leads = true;
    linear_print_markdown(t, PAGE_DIM,
                          t->found_count == 1
                              ? "Type `:open 1` to go back to it."
                              : "Type `:open` and a number to go back to one of these.");
}

static void show_end(struct talk *t, const struct lesson_event *e) {
    if (e->text && *e->text) linear_print_markdown(t, PAGE_PLAIN, e->text);
    take_ways(t, e);
    if (e->done) show_next(t);
    if (e->text || !t->back) return;
    t->onwards = t->back; /* exit questions were gone through: their result was the end */
    t->back = NULL;
}

/* Lines have no pages: linear_print_events() stops there. */
static void show_nothing(struct talk *t, const struct lesson_event *e) {
    (void)t, (void)e;
}

static void (*const show[])(struct talk *, const struct lesson_event *) = {
    [LESSON_STEP] = show_step,       [LESSON_SHOW] = show_block,      [LESSON_ASK] = show_asked,
    [LESSON_VERDICT] = show_verdict, [LESSON_HINT] = show_hint,       [LESSON_LEDGER] = show_ledger,
    [LESSON_TURN] = show_nothing,    [LESSON_TROUBLE] = show_trouble, [LESSON_END] = show_end,
};

void linear_print_class(struct talk *t) {
    if (t->hand) return; /* on the way to where it is up again */
    char *line = session_class_line(t->learner), *before = t->class_line;
    bool same = line ? before && strcmp(line, before) == 0 : !before;
    t->class_line = line;
    bool of_hand = before && strncmp(before, "Your hand", 9) == 0; /* else the teacher's line */
    if (!same && (line || of_hand))
        linear_print_markdown(t, PAGE_DIM,
                              line ? line : "Your hand is down, and your hand-in is up to date.");
    free(before);
}

/* Said once for each step that is opened. */
static void print_open(struct talk *t) {
    struct session_open_step open;
    bool is = session_class_open_step(t->learner, &open);
    if (is && t->open_step && strcmp(t->open_step, open.step) == 0) return;
    free(t->open_step);
    t->open_step = is ? base_dup(open.step) : NULL;
    if (!is) return;
    char *line = base_format("Your teacher opened step \"%s\" of lesson %s for all. Type `:follow` "
                             "to go there.",
                             open.title, open.lesson);
    linear_print_markdown(t, PAGE_DIM, line);
    free(line);
}

void linear_print_vote(struct talk *t, bool again) {
    const struct classroom_vote *v = session_class_vote(t->learner);
    char *asks = session_class_asks(t->learner), *before = t->asked;
    t->asked = asks;
    bool same = asks && before && strcmp(asks, before) == 0;
    bool exits = asks && !session_class_votes(t->learner);
    if (exits && !same) {
        char *text = base_format("%s Type `:class` to open them.", asks);
        linear_print_markdown(t, PAGE_STRONG, text);
        free(text);
    } else if (asks && !exits && (again || !same)) {
        struct page *p = linear_print_begin(t);
        page_text(p, (struct page_flow){.role = PAGE_STRONG}, asks);
        for (size_t i = 0; i < v->options; i++) {
            int row = page_height(p);
            page_text(p, (struct page_flow){.indent = 5}, v->option[i]);
            page_printf(p, row, 2, PAGE_PLAIN, "%zu", i + 1);
        }
        page_text(p, (struct page_flow){.role = PAGE_DIM}, "Type :vote and a number.");
        linear_print_page(t, p);
    } else if (again) {
        linear_print_markdown(t, PAGE_DIM, "Nothing waits for your vote.");
    }
    free(before);
}

/* Keeps the text of these events for ":repeat" if they asked something. A remark such as "That is
 * not one of them." leaves the text kept before. */
static void keep_printed(struct talk *t, bool asks) {
    if (asks) {
        base_text_free(&t->printed);
        t->printed = t->printing;
        t->printing = (struct base_text){0};
        t->in_words = t->words;
    }
    base_text_free(&t->printing);
}

/* Whether the learner is to read what was said before something else begins. The next line of a
 * sheet goes on with what was said of the one before. */
static bool waits(const struct talk *t, const struct lesson_event *e, bool said) {
    return e->kind == LESSON_TURN && !e->repeated && said && !t->echo;
}

/* Whether what the runs of a lab measured is told now, which is once the guess is answered: before
 * its sum, which goes with the last picture. Who hears it hears the sum first. */
static bool tells_lab(const struct talk *t, const struct lesson_event *e, bool summed) {
    bool turn = t->words ? summed && !e->measured : e->measured;
    return t->lab && (turn || e->kind == LESSON_ASK);
}

bool linear_print_events(struct talk *t) {
    const struct lesson_event *e;
    bool ended = false, said = false, asks = false, summed = false;
    t->prints_events = true;
    while (!t->turns && (e = session_event(t->session))) {
        t->turns = waits(t, e, said);
        if (tells_lab(t, e, summed)) linear_tell_lab(t);
        summed |= e->measured;
        if ((size_t)e->kind < BASE_COUNT(show)) show[e->kind](t, e);
        ended |= e->kind == LESSON_END;
        asks |= e->kind == LESSON_ASK;
        said = true;
        t->events++;
    }
    t->prints_events = false;
    keep_printed(t, asks || t->turns);
    linear_print_class(t);
    print_open(t);
    linear_print_vote(t, false);
    fflush(t->out);
    return ended;
}
