/* What a lab asks, line by line: before its runs for a guess and an amount, after them one question
 * on what was measured. It is the lab's step in a lesson, taken with a journal that forgets. */
#include "command/lab.h"
#include "session/session.h"
#include "voice/voice.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MOST = 200 };

struct lab_asking {
    struct lesson *lesson;
    struct lesson_dialogue *dialogue;
    bool ascii, words;
    /* what was said last before what is asked, Markdown; NULL: nothing */
    char *question;
};

struct lab_asking *command_lab_ask_open(const struct lab_runs *r) {
    struct base_message m = {0};
    struct lab_asking *a = base_alloc(sizeof *a);
    a->ascii = command_terminal_ascii(r->arguments);
    a->words = r->words;
    a->lesson = session_lab_lesson(r->lab, &m);
    if (a->lesson)
        a->dialogue = lesson_dialogue_open(a->lesson, (struct lesson_source){0},
                                           lesson_forgetful_journal, 0, &m);
    if (a->dialogue) return a;
    command_say_message(&m);
    command_lab_ask_close(a);
    return NULL;
}

void command_lab_ask_close(struct lab_asking *a) {
    if (!a) return;
    free(a->question);
    if (a->dialogue) lesson_dialogue_free(a->dialogue);
    if (a->lesson) lesson_free(a->lesson);
    free(a);
}

/* ── telling ───────────────────────────────────────────────────────────────────────────────────*/
static unsigned role_of(const struct lesson_event *e) {
    return e->tone == LESSON_GOOD ? PAGE_GOOD : e->tone == LESSON_BAD ? PAGE_BAD : PAGE_PLAIN;
}

static void put_options(struct page *p, const struct lesson_ask *ask) {
    for (size_t i = 0; ask->form == LESSON_CHOICE && i < ask->options; i++) {
        int row = page_height(p);
        page_text(p, (struct page_flow){.indent = 6, .width = page_width(p) - 7}, ask->option[i]);
        page_printf(p, row, 3, PAGE_PLAIN, page_spoken(p) ? "%zu." : "%zu", i + 1);
    }
}

/* Those that were asked, with the verdict on them: ✓ at the right one, ✗ at another that was
 * chosen. */
static void put_judged(struct page *p, const struct lesson_event *e) {
    for (size_t i = 0; i < e->options; i++) {
        bool right = i + 1 == e->truth, said = i + 1 == e->said;
        unsigned role = right ? PAGE_GOOD : said ? PAGE_BAD : PAGE_DIM;
        int row = page_height(p);
        const char *mark = right ? "✓" : said ? "✗" : "";
        char *text = base_format("%s%s", e->option[i], page_spoken(p) ? mark : "");
        page_text(p, (struct page_flow){.indent = 6, .width = page_width(p) - 7, .role = role},
                  text);
        page_printf(p, row, 3, role, page_spoken(p) ? "%zu." : "%zu", i + 1);
        if (!page_spoken(p)) page_put(p, row, 1, role, PAGE_BOLD, mark);
        free(text);
    }
    page_blank(p, e->options > 0);
}

static struct page *new_page(const struct lab_asking *a) {
    struct page *p = command_terminal_page(a->ascii);
    page_set_spoken(p, a->words);
    return p;
}

/* What the dialogue says now. What was measured is left out, because the runs have told it. */
static void tell(struct lab_asking *a) {
    const struct lesson_event *e;
    struct page *p = new_page(a);
    while ((e = lesson_event(a->dialogue))) {
        if (e->kind == LESSON_ASK) put_options(p, e->ask);
        if (e->kind == LESSON_STEP || e->kind == LESSON_ASK || e->figure || !e->text || !*e->text)
            continue;
        if (page_height(p) > 0) page_blank(p, 1);
        put_judged(p, e);
        page_markdown(p, (struct page_flow){.indent = 1, .role = role_of(e)}, e->text);
        free(a->question);
        a->question = base_dup(e->text);
    }
    if (page_height(p) > 0) page_blank(p, 1);
    command_terminal_print(p);
    fflush(stdout);
}

/* ── asking ────────────────────────────────────────────────────────────────────────────────────*/
/* Whether something is asked that a line answers. */
static bool asks(const struct lab_asking *a) {
    const struct lesson_ask *ask = lesson_asked(a->dialogue);
    return ask && (ask->form == LESSON_CHOICE || ask->form == LESSON_NUMBER);
}

static void do_it(struct lab_asking *a, enum lesson_action_kind kind, const char *text) {
    lesson_do(a->dialogue, &(struct lesson_action){.kind = kind, .text = text});
    tell(a);
}

/* ── words that are no answers ─────────────────────────────────────────────────────────────────*/
static bool help(struct lab_asking *a) {
    struct page *p = new_page(a);
    page_markdown(p, (struct page_flow){.indent = 1},
                  "Type your answer, or press Enter to skip this. `:repeat` repeats the question, "
                  "and `:quit` leaves.");
    page_blank(p, 1);
    command_terminal_print(p);
    return true;
}

static bool repeat(struct lab_asking *a) {
    struct page *p = new_page(a);
    if (a->question) page_markdown(p, (struct page_flow){.indent = 1}, a->question);
    put_options(p, lesson_asked(a->dialogue));
    page_blank(p, 1);
    command_terminal_print(p);
    return true;
}

static bool quit(struct lab_asking *a) {
    (void)a;
    return false;
}

/* As in lessons by line, with a colon or without. Each returns whether the lab goes on. */
static const struct {
    const char *word;
    bool (*act)(struct lab_asking *a);
} words[] = {{"help", help}, {"?", help}, {"repeat", repeat}, {"quit", quit}};

static bool take(struct lab_asking *a, const char *line) {
    for (size_t i = 0; i < BASE_COUNT(words); i++)
        if (strcmp(line + (*line == ':'), words[i].word) == 0) return words[i].act(a);
    bool empty = line[strspn(line, " \t")] == '\0';
    do_it(a, empty ? LESSON_DO_NEXT : LESSON_DO_ANSWER, line);
    return true;
}

/* A line of what comes through a pipe is shown, so that the answer stands in what is printed. False
 * if whoever was asked leaves. */
static bool answer(struct lab_asking *a) {
    char line[LINE_MOST];
    const struct lesson_ask *ask = lesson_asked(a->dialogue);
    char *text = ask->form == LESSON_CHOICE ? base_format("%s Type its number.", ask->prompt)
                                            : base_format("Type %s.", ask->prompt);
    char *words = a->words ? voice_words(text) : base_dup(text);
    printf("   %s Press Enter to skip this.\n> ", words);
    free(words);
    free(text);
    fflush(stdout);
    bool read = fgets(line, sizeof line, stdin) != NULL;
    if (!read) *line = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    if (!isatty(STDIN_FILENO)) printf("%s\n", line);
    return take(a, line);
}

void command_lab_ask_guess(const struct lab_asking *a, const char **said, const char **is) {
    const struct lesson_ask *ask = a ? lesson_asked(a->dialogue) : NULL;
    *said = ask ? ask->guess : NULL;
    *is = ask ? ask->truth : NULL;
}

const char *command_lab_ask_estimate(const struct lab_asking *a) {
    const struct lesson_ask *ask = a ? lesson_asked(a->dialogue) : NULL;
    return ask ? ask->estimate : NULL;
}

/* Whether whoever is asked can see the question. */
static bool sees(void) {
    return !isatty(STDIN_FILENO) || isatty(STDOUT_FILENO);
}

bool command_lab_ask_before(struct lab_asking *a) {
    struct page *p = new_page(a);
    page_put(p, 0, 1, PAGE_TITLE, 0, lesson_title(a->lesson));
    page_blank(p, 1);
    command_terminal_print(p);
    tell(a);
    while (sees() && asks(a))
        if (!answer(a)) return false;
    while (asks(a)) do_it(a, LESSON_DO_NEXT, NULL);
    return true;
}

void command_lab_ask_after(struct lab_asking *a, const struct lab_runs *r) {
    struct base_message m = {0};
    for (size_t i = 0; i < r->runs; i++)
        if (!session_lab_tell(a->dialogue, r->lab, i, r->run[i], &m)) command_say_message(&m);
    do_it(a, LESSON_DO_RAN, NULL);
    while (sees() && asks(a) && answer(a)) continue;
}
