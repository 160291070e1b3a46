/* input: a prompt, a line, and an eye on the lesson's file while waiting. */
#include "linear/inside.h"
#include "voice/voice.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 4096 }; /* what is longer is cut: no answer is */

/* What is asked: "answer, in GB" of a field with the label "your answer, in GB". */
static const char *label_of(const struct lesson_ask *a) {
    static const char your[] = "your ";
    size_t n = sizeof your - 1;
    return a->prompt + (strncmp(a->prompt, your, n) == 0 ? n : 0);
}

/* What a line would be now: "answer, in GB". */
static const char *awaited(const struct talk *t, char *out, size_t size) {
    static const char *const forms[LESSON_FORMS] = {
        [LESSON_NEXT] = "next",
        [LESSON_CHOICE] = "choice",
        [LESSON_ORDER] = "order",
        [LESSON_SORT] = "sorting",
        [LESSON_TICKS] = "points you covered",
        [LESSON_SLIDERS] = "move, or Enter",
        [LESSON_WRITE] = "edit, check, or Enter",
        [LESSON_TEXT] = "your words",
    };
    const struct lesson_ask *a = t->session ? lesson_asked(session_dialogue(t->session)) : NULL;
    if (!t->session) return t->prompt.awaits;
    if (t->turns) return "Enter to continue";
    if (lesson_card_unturned(session_dialogue(t->session))) return "Enter turns the card";
    enum lesson_form form = a ? a->form : LESSON_NEXT;
    if (a && form == LESSON_RUN) return linear_run_or_not(a);
    if (a && (form == LESSON_LINE || form == LESSON_NUMBER)) return label_of(a);
    assert(form < LESSON_FORMS && forms[form]); /* every other form has its word */
    if (a && a->play && a->play->question)
        snprintf(out, size, "a number, or Enter");
    else if (a && form >= LESSON_CHOICE && form <= LESSON_SORT && a->options)
        snprintf(out, size, "%s, 1 %s %zu", forms[form], a->options == 2 ? "or" : "to", a->options);
    else
        snprintf(out, size, "%s", forms[form]);
    return out;
}

static void prompt(struct talk *t) {
    char what[80];
    const char *awaits = awaited(t, what, sizeof what);
    char *words = t->words ? voice_words(awaits) : base_dup(awaits);
    t->blank = false;
    fprintf(t->out, "%s> ", words);
    fflush(t->out);
    free(words);
}

static bool refresh(struct talk *t) {
    return t->session && session_refresh(t->session);
}

/* Whether there is something new: the lesson was edited, or the class's board says something. */
static bool is_news(struct talk *t, bool edited) {
    bool said = session_class_look(t->learner);
    return (edited && session_refresh(t->session)) || said;
}

/* A terminal hands over whole lines, so nothing of the next one hides in stdio's buffer while we
 * poll. */
static void await_line(struct talk *t) {
    while (t->session && !t->echo) {
        struct pollfd wait[] = {{.fd = fileno(t->in), .events = POLLIN},
                                {.fd = session_fd(t->session), .events = POLLIN}};
        if (poll(wait, 2, session_class_wait(t->learner)) < 0 && errno != EINTR) return;
        if (wait[0].revents) return;
        if (!is_news(t, wait[1].revents != 0)) continue;
        fputc('\n', t->out);
        linear_print_class(t); /* before the events, after which the teacher's line was said */
        linear_print_events(t);
        prompt(t);
    }
}

static char *read_line(struct talk *t) {
    if (t->echo && refresh(t)) linear_print_events(t);
    prompt(t);
    await_line(t);
    char *line = NULL;
    size_t capacity = 0;
    ssize_t n = getline(&line, &capacity, t->in);
    if (n < 0) {
        free(line);
        fputc('\n', t->out);
        return NULL;
    }
    line[strcspn(line, "\r\n")] = '\0';
    char *clean = base_clean_dup(line, strlen(line), LONGEST);
    free(line);
    if (t->echo) fprintf(t->out, "%s\n", clean);
    return clean;
}

bool linear_is_word(const char *line, const char *word) {
    return strcmp(line + (*line == ':'), word) == 0;
}

char *linear_read_line(struct talk *t) {
    for (;;) {
        char *line = read_line(t);
        if (!line || t->session) return line;
        bool helps = strcmp(line, "?") == 0 || linear_is_word(line, "help");
        if (!helps && !linear_is_word(line, "repeat")) return line;
        (helps ? t->prompt.help : t->prompt.repeat)(t);
        free(line);
    }
}
