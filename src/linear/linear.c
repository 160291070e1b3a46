/* linear: the loop. A line is a command, an answer, or empty, which goes on. */
#include "linear/inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── commands ──────────────────────────────────────────────────────────────────────────────────*/
static void do_help(struct talk *t);
static void do_sources(struct talk *t);
static void do_where(struct talk *t);
static void do_repeat(struct talk *t);
static void do_words(struct talk *t);
static void do_drawings(struct talk *t);
static void do_undo(struct talk *t);
static void do_suspend(struct talk *t);
static void do_hand(struct talk *t);
static void do_follow(struct talk *t);
static void do_vote(struct talk *t);
static void do_exit(struct talk *t);
static void do_lessons(struct talk *t);
static void do_labs(struct talk *t);
static bool in_review(const struct talk *t);
static bool may_follow(const struct talk *t);
static bool in_class(const struct talk *t);
static bool is_worked_out(const struct talk *t);
static bool leaves_program(const struct talk *t);
static bool leaves_for_list(const struct talk *t);

static const struct word {
    const char *name, *what;
    /* done if `tell` is NULL; LEAVE is also done after it */
    enum lesson_action_kind action;
    void (*tell)(struct talk *t);
    /* only there; NULL: everywhere */
    bool (*only)(const struct talk *t);
} words[] = {
    {":hint", "a hint; type it again for the next", LESSON_DO_HINT, NULL, is_worked_out},
    {":worked", "the solution, line by line; then fresh numbers", LESSON_DO_WORKED, NULL,
     is_worked_out},
    {":fresh", "the same question with fresh numbers", LESSON_DO_FRESH, NULL, is_worked_out},
    {":back", "the step before", LESSON_DO_BACK, NULL, NULL},
    {":briefly", "this page in fewer words; again: the usual words", LESSON_DO_BRIEFLY, NULL, NULL},
    {":slowly", "this page in short sentences; again: the usual words", LESSON_DO_SLOWLY, NULL,
     NULL},
    {":repeat", "this step again, or what was said last", LESSON_DO_NEXT, do_repeat, NULL},
    {":where", "which step this is, and its page again", LESSON_DO_NEXT, do_where, NULL},
    {":drawings off", "leave out drawings and keep their sentences; this is saved", LESSON_DO_NEXT,
     do_words, NULL},
    {":drawings on", "draw figures, with sentences below", LESSON_DO_NEXT, do_drawings, NULL},
    {":undo", "take your last answer back", LESSON_DO_NEXT, do_undo, in_review},
    {":suspend", "never ask this again", LESSON_DO_NEXT, do_suspend, in_review},
    {":hand", "raise your hand for the teacher, or lower it", LESSON_DO_NEXT, do_hand, in_class},
    {":follow", "go to the step that your teacher opened for all", LESSON_DO_NEXT, do_follow,
     may_follow},
    {":vote", ":vote 2 chooses 2 where your teacher asks; :vote asks again", LESSON_DO_NEXT,
     do_vote, in_class},
    {":class", "opens the exit questions that your teacher asks", LESSON_DO_NEXT, do_exit,
     in_class},
    {":glossary", "all terms; :glossary shard explains one, :glossary s lists those with s",
     LESSON_DO_NEXT, NULL, NULL},
    {":search", ":search all-gather finds steps, terms, questions, notes", LESSON_DO_NEXT, NULL,
     NULL},
    {":open", ":open 2 opens one of those that were listed", LESSON_DO_NEXT, NULL, NULL},
    {":bookmark", "set a bookmark at this step, or remove it", LESSON_DO_NEXT, NULL, NULL},
    {":note", ":note and your words: a note on this step", LESSON_DO_NEXT, NULL, NULL},
    {":notes", "your bookmarks and notes", LESSON_DO_NEXT, NULL, NULL},
    {":report", ":report and your words: what is wrong here, to a file", LESSON_DO_NEXT, NULL,
     NULL},
    {":questions", "questions people ask; :questions 4 answers one", LESSON_DO_NEXT, NULL, NULL},
    {":progress", "what you can do, your mistakes and your time", LESSON_DO_NEXT,
     linear_print_progress, NULL},
    {":aloud", "reads this step aloud; Enter stops it", LESSON_DO_NEXT, linear_read_step, NULL},
    {":aloud lesson", "reads the whole lesson aloud; Enter stops it", LESSON_DO_NEXT,
     linear_read_lesson, NULL},
    {":sources", "the sources of this step", LESSON_DO_NEXT, do_sources, NULL},
    {":help", "this list", LESSON_DO_NEXT, do_help, NULL},
    {":lessons", "leave for the list of lessons; this one resumes here", LESSON_DO_LEAVE,
     do_lessons, NULL},
    {":labs", "how to run a lab outside of its lesson", LESSON_DO_NEXT, do_labs, NULL},
    {":quit", "leave zerotutor; the lesson resumes here next time", LESSON_DO_LEAVE, NULL,
     leaves_program},
    {":quit", "leave for the list that this was opened from", LESSON_DO_LEAVE, NULL,
     leaves_for_list},
};

static void do_help(struct talk *t) {
    const char *cell[BASE_COUNT(words) * 2];
    struct page *p = linear_print_begin(t);
    size_t rows = 0;
    for (size_t i = 0; i < BASE_COUNT(words); i++) {
        if (words[i].only && !words[i].only(t)) continue;
        cell[rows * 2] = words[i].name;
        cell[rows++ * 2 + 1] = words[i].what;
    }
    page_markdown(p, (struct page_flow){0},
                  is_worked_out(t)
                      ? "Press Enter to continue, or to skip an open question. Anything else is "
                        "your answer: a number with its unit, or an expression such as "
                        "`(80 - 2*7)/4`."
                      : "Press Enter to continue. Anything else is your answer.");
    page_blank(p, 1);
    page_table(p, (struct page_flow){.indent = 2}, cell, rows, 2, "ll", false);
    page_blank(p, 1);
    linear_print_page(t, p);
}

static void do_sources(struct talk *t) {
    linear_print_markdown(t, PAGE_DIM, t->sources ? t->sources : "This step names no sources.");
}

/* Does it and prints what comes of it, instead of a fresh problem that waits. True if the lesson
 * ended. */
static bool act(struct talk *t, enum lesson_action_kind kind, const char *line) {
    assert(t->session);
    session_do(t->session, &(struct lesson_action){.kind = kind, .text = line});
    t->events = 0;
    t->turns = false;
    bool ended = linear_print_events(t);
    if (ended || t->events) return ended;
    char *text = base_format("`%s` does nothing here; `:help` lists what does.", line);
    linear_print_markdown(t, PAGE_DIM, text);
    free(text);
    return false;
}

/* Whether the step can be told again from its beginning. Answered questions, turned cards, the
 * questions of a lab and the lines of an example cannot. */
static bool tells_again(const struct talk *t) {
    const struct lesson_ask *a = lesson_asked(session_dialogue(t->session));
    bool open = a && a->graded && a->form != LESSON_NEXT && !a->card,
         moves = a && a->form == LESSON_SLIDERS;
    bool page = t->kind == LESSON_SAY || t->kind == LESSON_FIGURE || t->kind == LESSON_RECAP ||
                t->kind == LESSON_PREDICT;
    return !t->turns && (open || moves || page);
}

/* Tells the step again, or else the lines that were printed last; of these only the question if it
 * was printed before its words changed. */
static void tell_again(struct talk *t) {
    const struct lesson_ask *a = lesson_asked(session_dialogue(t->session));
    if (tells_again(t))
        act(t, LESSON_DO_REPEAT, ":repeat");
    else if (a && t->over && t->in_words != t->words) {
        linear_print_markdown(t, PAGE_PLAIN, t->over);
        linear_print_ask(t, a);
    } else if (t->printed.s)
        fputs(t->printed.s, t->out);
}

/* Within a sheet the verdict on the line before is what was said last, not the whole sheet. */
static void do_repeat(struct talk *t) {
    const struct lesson_ask *a = lesson_asked(session_dialogue(t->session));
    bool within = false;
    for (size_t i = 0; a && a->form == LESSON_LINE && i < a->lines; i++)
        within |= a->sheet[i].state >= LESSON_LINE_RIGHT;
    if (within && t->printed.s && t->in_words == t->words)
        fputs(t->printed.s, t->out);
    else
        tell_again(t);
}

static void do_undo(struct talk *t) {
    if (session_undo(t->session)) {
        linear_print_markdown(t, PAGE_DIM, "Your last answer is taken back.");
        linear_print_events(t);
    } else
        linear_print_markdown(t, PAGE_DIM, "There is no answer to take back.");
}

static void do_suspend(struct talk *t) {
    if (session_suspend(t->session)) {
        linear_print_markdown(t, PAGE_DIM,
                              "No review asks this again. To take that back, type `suspended` at "
                              "the list of lessons.");
        linear_print_events(t);
    } else
        linear_print_markdown(t, PAGE_DIM, "There is nothing to suspend here.");
}

static bool in_review(const struct talk *t) {
    return session_is_review(t->session);
}

static bool in_class(const struct talk *t) {
    return session_in_class(t->learner);
}

static bool may_follow(const struct talk *t) {
    return session_class_open_step(t->learner, &(struct session_open_step){0});
}

static bool leaves_for_list(const struct talk *t) {
    return t->returns;
}
static bool leaves_program(const struct talk *t) {
    return !leaves_for_list(t);
}

/* In this lesson, or it ends and the other one begins there. */
static void do_follow(struct talk *t) {
    struct session_open_step open;
    if (!session_class_open_step(t->learner, &open)) {
        linear_print_markdown(t, PAGE_DIM, "No other step is open for all.");
    } else if (strcmp(lesson_id(session_lesson(t->session)), open.lesson) == 0) {
        act(t, LESSON_DO_GOTO, open.step);
    } else {
        free(t->onwards_step);
        t->onwards = base_dup(open.lesson);
        t->onwards_step = base_dup(open.step);
    }
}

static void do_hand(struct talk *t) {
    struct base_message m = {0};
    if (!session_raise_hand(t->learner, !session_hand(t->learner), &m)) linear_complain(t, &m);
    linear_print_class(t);
}

static void do_vote(struct talk *t) {
    linear_print_vote(t, true);
}

/* Lists the lessons once this one was left. */
static void do_lessons(struct talk *t) {
    t->leads = true;
}

static void do_labs(struct talk *t) {
    linear_print_markdown(t, PAGE_DIM,
                          "Every lab can be run from the list of lessons. Type `:lessons` to leave "
                          "for that list, and there `labs`.");
}

/* Opens them once this lesson was left. */
static void do_exit(struct talk *t) {
    if (session_class_exits(t->learner)) {
        free(t->back);
        t->back = t->session ? base_dup(lesson_id(session_lesson(t->session))) : NULL;
        t->onwards = base_dup(LEARNER_EXIT);
        t->hand = session_hand(t->learner);
    } else
        linear_print_markdown(t, PAGE_DIM, "Your teacher asks no exit questions now.");
}

/* ":vote 2": whether the line is that, and done. */
static bool votes(struct talk *t, const char *line) {
    static const char word[] = ":vote ";
    struct base_message m = {0};
    char *end;
    if (!in_class(t) || strncmp(line, word, sizeof word - 1) != 0) return false;
    long choice = strtol(line + sizeof word - 1, &end, 10);
    bool number = end[strspn(end, " ")] == '\0' && choice > 0 && choice <= CLASSROOM_OPTIONS;
    if (session_vote(t->learner, number ? (int)choice : 0, &m)) {
        char *text = base_format("You chose %ld.", choice);
        linear_print_markdown(t, PAGE_DIM, text);
        free(text);
    } else {
        linear_complain(t, &m);
    }
    return true;
}

static void do_words(struct talk *t) {
    linear_set_words(t, true);
    if (tells_again(t)) tell_again(t);
}

static void do_drawings(struct talk *t) {
    linear_set_words(t, false);
    if (tells_again(t)) tell_again(t);
}

static void do_where(struct talk *t) {
    char *heading = session_heading(t->session),
         *far = session_how_far(t->session, t->step, t->steps, "of"),
         *text = session_is_graded(t->session) ? base_format("%s: %s.", heading, far)
                                               : base_format("%s." LINEAR_UNGRADED, heading);
    free(heading);
    free(far);
    linear_print_markdown(t, PAGE_PLAIN, text);
    free(text);
    tell_again(t);
}

static const struct word *find_word(const char *line) {
    for (size_t i = 0; i < BASE_COUNT(words); i++)
        if (strcmp(words[i].name, line) == 0) return &words[i];
    return NULL;
}

/* Sliders, but not of a play or a listing, which have words of their own. */
static bool only_slides(const struct lesson_ask *a) {
    return a && a->form == LESSON_SLIDERS && !a->scenes;
}

/* The command that a line names without its colon, the caller's; NULL if it names none. */
static char *command_of(const char *line) {
    char *word = base_format(":%s", line);
    if (find_word(word)) return word;
    free(word);
    return NULL;
}

/* Whether words are answers here, so that they name no command. */
static bool takes_words(const struct lesson_ask *a) {
    enum lesson_form form = a ? a->form : LESSON_NEXT;
    return form == LESSON_TEXT || form == LESSON_WRITE ||
           (form == LESSON_SLIDERS && !only_slides(a));
}

/* A fresh problem waits that the learner has not heard. */
static bool say_turns(struct talk *t) {
    linear_print_markdown(t, PAGE_DIM,
                          "Press Enter for fresh numbers, or type `:repeat` to read this again.");
    return false;
}

static bool do_word(struct talk *t, const char *line) {
    if (votes(t, line)) return false;
    if (linear_look_up(t, line, NULL)) return t->onwards && act(t, LESSON_DO_LEAVE, line);
    const struct word *w = find_word(line);
    bool leaves = w && (w->action == LESSON_DO_LEAVE || w->action == LESSON_DO_BACK);
    if (w && !w->tell && t->turns && !leaves) return say_turns(t);
    if (w && !w->tell) return act(t, w->action, line);
    if (w) {
        w->tell(t);
        return (t->onwards || w->action == LESSON_DO_LEAVE) && act(t, LESSON_DO_LEAVE, line);
    }
    char *text = base_format("Unknown command `%s`. Type `:help` for a list.", line);
    linear_print_markdown(t, PAGE_BAD, text);
    free(text);
    return false;
}

/* ── lines ─────────────────────────────────────────────────────────────────────────────────────*/
/* Forms to which an empty line is an answer, or to which it means going on. */
static bool takes_empty(enum lesson_form f) {
    return f == LESSON_TICKS || f == LESSON_TEXT;
}
/* What is explained in words has no numbers. */
static bool is_worked_out(const struct talk *t) {
    const struct lesson_ask *a = lesson_asked(session_dialogue(t->session));
    return !a || !takes_empty(a->form);
}
static bool is_question(enum lesson_form f) {
    return f != LESSON_NEXT && f != LESSON_SLIDERS && f != LESSON_RUN && !takes_empty(f);
}

/* A play that is not at its end moves there, or first to its question. In words it moves frame by
 * frame to its question, and then to each part, because a listener sees none of those between. */
static bool jumps(struct talk *t, const struct lesson_ask *a) {
    if (!a || lesson_play_is_over(a)) return false;
    size_t to = linear_enter_leads(t, a);
    session_do(t->session, &(struct lesson_action){.kind = LESSON_DO_MOVE,
                                                   .by = (int)to - (int)a->slider[0].position});
    return true;
}

/* A question that is not graded belongs to a step that goes on: `:back` would leave it. */
static void say_skipped(struct talk *t, const struct lesson_ask *a) {
    linear_print_markdown(t, PAGE_DIM,
                          a->graded && !session_is_forward(t->session)
                              ? "Skipped. `:back` returns to the question."
                              : "Skipped.");
}

static bool do_empty(struct talk *t, const struct lesson_ask *a, enum lesson_form form) {
    if (takes_empty(form)) return act(t, LESSON_DO_ANSWER, "");
    if (jumps(t, a)) return linear_print_events(t);
    bool told = t->kind == LESSON_LAB && !a->ran; /* a lab says it itself */
    if (is_question(form) && !a->guesses && !told) say_skipped(t, a);
    return act(t, LESSON_DO_NEXT, "");
}

/* A lab that was passed over, or run, can be run as long as its page is there. */
static bool offers_run(const struct lesson_ask *a) {
    return a && a->lab && (a->form == LESSON_RUN || a->form == LESSON_NEXT);
}

/* Whether a line names a lesson that this page leads to, which is opened then. */
static bool follows(struct talk *t, const struct lesson_ask *a, const char *line) {
    for (size_t i = 0; a && i < a->leads; i++) {
        if (strcmp(a->lead[i].lesson, line) != 0) continue;
        t->onwards = base_dup(line);
        free(t->onwards_step);
        t->onwards_step = a->lead[i].step ? base_dup(a->lead[i].step) : NULL;
        return true;
    }
    return false;
}

/* The step of this lesson that a line names by its number in the page's list; or NULL. */
static const char *step_within(const struct talk *t, const struct lesson_ask *a, const char *line) {
    bool digit = *line >= '1' && *line <= '9' && line[1] == '\0';
    size_t number = digit ? (size_t)(*line - '0') : 0;
    bool within =
        lesson_leads_within(session_dialogue(t->session)) && number > 0 && number <= a->leads;
    return within ? a->lead[number - 1].step : NULL;
}

/* A line while a fresh problem waits. An answer was meant for the problem before. */
static bool do_turned(struct talk *t, const char *line) {
    if (line[strspn(line, " \t")] == '\0') {
        t->turns = false;
        return linear_print_events(t);
    }
    char *word = command_of(strcmp(line, "?") == 0 ? "help" : line);
    bool ended = word ? do_word(t, word) : say_turns(t);
    free(word);
    return ended;
}

static bool do_line(struct talk *t, const char *line) {
    const struct lesson_ask *a = lesson_asked(session_dialogue(t->session));
    enum lesson_form form = a ? a->form : LESSON_NEXT;
    if (*line == ':') return do_word(t, line);
    if (t->turns) return do_turned(t, line);
    if (line[strspn(line, " \t")] == '\0') return do_empty(t, a, form);
    if (offers_run(a) && strcmp(line, "run") == 0) return linear_run_lab(t, false);
    if (offers_run(a) && strcmp(line, "replay") == 0) return linear_run_lab(t, true);
    if (strcmp(line, "?") == 0 && form != LESSON_TEXT) line = "help";
    char *word = takes_words(a) ? NULL : command_of(line);
    if (word) {
        bool ended = do_word(t, word);
        free(word);
        return ended;
    }
    if (form == LESSON_WRITE) return linear_do_memo(t, line);
    const char *step = step_within(t, a, line);
    if (step) return act(t, LESSON_DO_GOTO, step);
    if (follows(t, a, line)) return act(t, LESSON_DO_LEAVE, line);
    bool passes = form == LESSON_NEXT || only_slides(a);
    if (passes && strcmp(line, "next") == 0) return do_empty(t, a, form);
    if (form != LESSON_NEXT) return act(t, LESSON_DO_ANSWER, line);
    linear_print_markdown(t, PAGE_DIM,
                          "Nothing to answer here. Press Enter to continue, or type `:help`.");
    return false;
}

/* ── the lesson ────────────────────────────────────────────────────────────────────────────────*/
static void greet(struct talk *t) {
    struct page *p = linear_print_begin(t);
    char *heading = session_heading(t->session);
    page_text(p, (struct page_flow){.role = PAGE_TITLE}, heading);
    free(heading);
    page_text(p, (struct page_flow){.role = PAGE_DIM},
              "Press Enter to continue, or type your answer. :help lists more commands.");
    if (!t->words)
        page_text(p, (struct page_flow){.role = PAGE_DIM},
                  "For screen readers, :drawings off leaves out drawings and keeps the sentences.");
    linear_print_page(t, p);
}

static int cut_short(struct talk *t) {
    fflush(t->out);
    const struct lesson *l = session_lesson(t->session);
    char *id = base_words(lesson_id(l));
    char *text =
        session_is_forward(t->session)
            ? base_format("the input ended before \"%s\" did: your answers are saved, and the "
                          "rest can be asked again",
                          lesson_title(l))
            : base_format("the input ended in %s: it is saved, and resumes where it stopped", id);
    base_say_error(text);
    free(text);
    free(id);
    return CUT_SHORT;
}

/* The lesson is opened at a step, whatever it would have begun with. */
static void go_to_step(struct talk *t) {
    if (!t->onwards_step) return;
    while (session_event(t->session)) continue;
    session_do(t->session,
               &(struct lesson_action){.kind = LESSON_DO_VISIT, .text = t->onwards_step});
    free(t->onwards_step);
    t->onwards_step = NULL;
}

static int take(struct talk *t) {
    greet(t);
    go_to_step(t);
    bool ended = linear_print_events(t);
    while (!ended) {
        char *line = ferror(t->out) ? NULL : linear_read_line(t);
        if (!line) return cut_short(t);
        ended = do_line(t, line);
        free(line);
    }
    return FINISHED;
}

/* The learner's class began or ended: between two lessons the other record is opened. */
static bool turn(struct talk *t, struct base_message *m) {
    if (!session_learner_turns(t->learner)) return true;
    return session_learner_turn(&t->learner, m);
}

/* What was typed at a prompt and cannot be opened is said, and another is asked for. */
static int open_and_take(struct talk *t, const char *lesson, bool typed) {
    struct base_message m = {0};
    assert(!t->session && !t->onwards); /* the lesson that led here was closed */
    if (typed && strcmp(lesson, LINEAR_SPEED) == 0) return linear_take_speed(t);
    t->session = turn(t, &m) ? session_open(t->learner, lesson, &m) : NULL;
    t->leads = !t->session && typed;
    if (t->leads) linear_complain(t, &m);
    if (!t->session) return typed ? FINISHED : linear_not_opened(&m);
    t->told_leads = false;
    if (t->hand) session_raise_hand(t->learner, true, NULL);
    t->hand = false;
    bool course =
        session_learner_find(t->learner, lesson) < session_learner_course(t->learner)->lessons;
    t->returns = t->asks_lesson && !course;
    int status = take(t);
    t->leads |= t->returns;
    session_close(t->session);
    t->session = NULL;
    free(t->sources);
    t->sources = NULL;
    return status;
}

/* At a terminal the learner chooses what follows a lesson that has ended. */
static bool goes_on(struct talk *t) {
    bool ended;
    if (!t->leads) return false;
    t->leads = false;
    t->onwards = linear_ask_lesson(t, &ended);
    return t->onwards != NULL;
}

/* The lesson, those that its pages lead to, and those that follow. */
static int take_all(struct talk *t, const char *lesson, bool typed) {
    int status = open_and_take(t, lesson, typed);
    while (t->onwards || goes_on(t)) {
        char *next = t->onwards;
        t->onwards = NULL;
        status = open_and_take(t, next, true);
        free(next);
    }
    return status;
}

static int choose_and_take(struct talk *t) {
    bool ended;
    char *lesson = linear_choose_lesson(t, &ended);
    if (!lesson) return ended ? CUT_SHORT : FINISHED;
    int status = take_all(t, lesson, true);
    free(lesson);
    return status;
}

int linear_run(const struct linear_options *o, FILE *in, FILE *out) {
    struct talk t = {.options = o, .in = in, .out = out, .echo = !isatty(fileno(in))};
    struct base_message m = {0};
    t.learner = session_learner_open(o->store, &m);
    if (!t.learner) return linear_not_opened(&m);
    linear_talk_look(&t);
    session_learner_set_commands(t.learner, o->command, o->commands);
    int status = o->lesson ? take_all(&t, o->lesson, false) : choose_and_take(&t);
    linear_look_up_end(&t);
    base_text_free(&t.printed);
    free(t.over);
    free(t.class_line);
    free(t.back);
    free(t.open_step);
    free(t.asked);
    session_learner_close(t.learner);
    return status;
}

int linear_print_found(const struct linear_options *o, const char *line, FILE *out) {
    struct talk t = {.options = o, .out = out};
    struct base_message m = {0};
    bool found = false;
    t.learner = session_learner_open(o->store, &m);
    if (!t.learner) return linear_not_opened(&m);
    linear_talk_look(&t);
    session_learner_set_commands(t.learner, o->command, o->commands);
    linear_look_up(&t, line, &found);
    linear_look_up_end(&t);
    session_learner_close(t.learner);
    return found ? FINISHED : CUT_SHORT;
}
