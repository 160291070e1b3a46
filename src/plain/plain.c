/* plain: the loop. A line is a command, an answer, or empty, which goes on. */
#include "plain/inside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FINISHED = 0, CUT_SHORT = 1, NOT_OPENED = 2 };

/* ── commands ────────────────────────────────────────────────────────────────────────────────────*/
static void do_help(struct talk *t);
static void do_sources(struct talk *t);
static void do_where(struct talk *t);

static const struct word {
    const char *name, *what;
    enum study_action_kind action; /* where `tell` is NULL */
    void (*tell)(struct talk *t);
} words[] = {
    {":hint",    "a hint; ask again for the next",                 STUDY_DO_HINT,   NULL      },
    {":worked",  "the solution, line by line; then fresh numbers", STUDY_DO_WORKED, NULL      },
    {":fresh",   "the same question with fresh numbers",           STUDY_DO_FRESH,  NULL      },
    {":back",    "the step before",                                STUDY_DO_BACK,   NULL      },
    {":where",   "which step this is, and its page again",         STUDY_DO_NEXT,   do_where  },
    {":sources", "where the facts of this step come from",         STUDY_DO_NEXT,   do_sources},
    {":help",    "this list",                                      STUDY_DO_NEXT,   do_help   },
    {":quit",    "leave; the lesson goes on here next time",       STUDY_DO_LEAVE,  NULL      },
};

static void do_help(struct talk *t) {
    const char *cell[BASE_COUNT(words) * 2];
    struct paper *p = print_begin(t);
    for (size_t i = 0; i < BASE_COUNT(words); i++) {
        cell[i * 2] = words[i].name;
        cell[i * 2 + 1] = words[i].what;
    }
    paper_text(p, (struct paper_flow){0},
               "An empty line goes on, and skips a question that is open. Anything else is your "
               "answer: a number with its unit, or an expression such as 2*13 + 10*13/16.");
    paper_blank(p, 1);
    paper_table(p, (struct paper_flow){.indent = 2}, cell, BASE_COUNT(words), 2, "ll", false);
    paper_blank(p, 1);
    print_page(t, p);
}

static void do_sources(struct talk *t) {
    print_markdown(t, PAPER_DIM, t->sources ? t->sources : "This step names no sources.");
}

/* Does it and prints what comes of it. True if the lesson ended. */
static bool act(struct talk *t, enum study_action_kind kind, const char *line) {
    sitting_do(t->sitting, &(struct study_action){.kind = kind, .text = line});
    t->events = 0;
    bool ended = print_events(t);
    if (ended || t->events) return ended;
    char *text = base_format("`%s` does nothing here; `:help` lists what does.", line);
    print_markdown(t, PAPER_DIM, text);
    free(text);
    return false;
}

static void do_where(struct talk *t) {
    char *text = base_format("Lesson %s, %s: step %zu of %zu.", sitting_lesson_id(t->sitting),
                             sitting_title(t->sitting), t->step + 1, t->steps);
    print_markdown(t, PAPER_PLAIN, text);
    free(text);
    /* Going where one stands shows the page anew; its numbers stay. */
    act(t, STUDY_DO_GOTO, t->id);
}

static bool do_word(struct talk *t, const char *line) {
    for (size_t i = 0; i < BASE_COUNT(words); i++) {
        if (strcmp(words[i].name, line) != 0) continue;
        if (!words[i].tell) return act(t, words[i].action, line);
        words[i].tell(t);
        return false;
    }
    char *text = base_format("There is no `%s`; `:help` lists what there is.", line);
    print_markdown(t, PAPER_BAD, text);
    free(text);
    return false;
}

/* ── lines ───────────────────────────────────────────────────────────────────────────────────────*/
/* Forms to which an empty line is an answer, or to which it means going on. */
static bool takes_empty(enum study_form f) {
    return f == STUDY_TICKS || f == STUDY_TEXT;
}
static bool is_question(enum study_form f) {
    return f != STUDY_NEXT && f != STUDY_SLIDERS && !takes_empty(f);
}

static bool do_empty(struct talk *t, enum study_form form) {
    if (takes_empty(form)) return act(t, STUDY_DO_ANSWER, "");
    if (is_question(form) && !t->told_skip) {
        t->told_skip = true;
        print_markdown(t, PAPER_DIM, "An empty line skips the question; `:back` returns to it.");
    }
    return act(t, STUDY_DO_NEXT, "");
}

static bool do_memo(struct talk *t, const char *line) {
    if (strcmp(line, "check") == 0) return check_memo(t);
    if (strcmp(line, "edit") == 0)
        edit_memo(t);
    else
        print_markdown(t, PAPER_DIM, "The memo is written in its file: type `edit` or `check`.");
    return false;
}

/* A lab that was passed over, or run, can be run as long as its page is there. */
static bool offers_run(const struct study_ask *a) {
    return a && a->lab && (a->form == STUDY_RUN || a->form == STUDY_NEXT);
}

static bool do_line(struct talk *t, const char *line) {
    const struct study_ask *a = sitting_asked(t->sitting);
    enum study_form form = a ? a->form : STUDY_NEXT;
    if (*line == ':') return do_word(t, line);
    if (line[strspn(line, " \t")] == '\0') return do_empty(t, form);
    if (offers_run(a) && strcmp(line, "run") == 0) return run_lab(t, false);
    if (offers_run(a) && strcmp(line, "replay") == 0) return run_lab(t, true);
    if (form == STUDY_WRITE) return do_memo(t, line);
    if (form != STUDY_NEXT) return act(t, STUDY_DO_ANSWER, line);
    print_markdown(t, PAPER_DIM,
                   "Nothing is asked here. An empty line goes on, `:help` says more.");
    return false;
}

/* ── the lesson ──────────────────────────────────────────────────────────────────────────────────*/
static void greet(struct talk *t) {
    struct paper *p = print_begin(t);
    paper_printf(p, 0, 0, PAPER_TITLE, "%s  %s", sitting_lesson_id(t->sitting),
                 sitting_title(t->sitting));
    paper_text(p, (struct paper_flow){.role = PAPER_DIM},
               "An empty line goes on, anything else answers; :help lists the rest.");
    print_page(t, p);
}

static int cut_short(struct talk *t) {
    fflush(t->out);
    fprintf(stderr,
            "zerotutor: the input ended in the middle of lesson %s: what was answered is kept, "
            "and the lesson goes on at step %zu next time\n",
            sitting_lesson_id(t->sitting), t->step + 1);
    return CUT_SHORT;
}

static int take(struct talk *t) {
    greet(t);
    bool ended = print_events(t);
    while (!ended) {
        char *line = ferror(t->out) ? NULL : read_line(t);
        if (!line) return cut_short(t);
        ended = do_line(t, line);
        free(line);
    }
    return FINISHED;
}

static int not_opened(const struct base_message *m) {
    char text[sizeof m->what + sizeof m->file + 16];
    fprintf(stderr, "zerotutor: %s\n", base_message_text(m, text, sizeof text));
    return NOT_OPENED;
}

static int open_and_take(struct talk *t, const char *lesson) {
    struct base_message m = {0};
    t->sitting = sitting_open(t->desk, lesson, &m);
    if (!t->sitting) return not_opened(&m);
    int status = take(t);
    sitting_close(t->sitting);
    free(t->sources);
    return status;
}

static int choose_and_take(struct talk *t) {
    bool ended;
    char *lesson = choose_lesson(t, &ended);
    if (!lesson) return ended ? CUT_SHORT : FINISHED;
    int status = open_and_take(t, lesson);
    free(lesson);
    return status;
}

int plain_run(const struct plain_options *o, FILE *in, FILE *out) {
    struct talk t = {.options = o, .in = in, .out = out, .echo = !isatty(fileno(in))};
    struct base_message m = {0};
    t.desk = desk_open(o->store, &m);
    if (!t.desk) return not_opened(&m);
    talk_look(&t);
    int status = o->lesson ? open_and_take(&t, o->lesson) : choose_and_take(&t);
    desk_close(t.desk);
    return status;
}
