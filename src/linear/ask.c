/* ask: questions as lines: numbered options, sliders with their values, a worksheet, and how to
 * answer each. */
#include "linear/inside.h"

#include <stdlib.h>
#include <string.h>

/* Where the memo that is asked for is, made if there is none, and how it is written. */
static void print_memo(struct talk *t, const struct lesson_ask *a) {
    struct base_message m = {0};
    char *path = session_memo_path(a->memo);
    if (session_memo_begin(path, a->memo_begins, &m)) {
        struct page *p = linear_print_begin(t);
        page_text(p, (struct page_flow){.role = PAGE_STRONG}, "Your memo is this file:");
        page_put(p, page_height(p), 2, PAGE_ACCENT, 0, path);
        page_blank(p, 1);
        linear_print_page(t, p);
        linear_print_markdown(t, PAGE_DIM,
                              !t->echo
                                  ? "Write it with any editor; `edit` opens yours. Type `check` to "
                                    "check it, as often as you like. Press Enter to continue."
                                  : "Write it with any editor. Type `check` to check it, as often "
                                    "as you like. Press Enter to continue.");
    } else {
        linear_complain(t, &m);
    }
    free(path);
}

/* How each form is answered, said with the question. NULL: the prompt says enough. */
static const char *const how[LESSON_FORMS] = {
    [LESSON_CHOICE] = "Type its number.",
    [LESSON_ORDER] = "Type their numbers, first to last, such as `3 1 2`.",
    [LESSON_SORT] = "Type a letter for each number, such as `1=a 2=b`.",
    [LESSON_TEXT] = "Press Enter when you have said it.",
    [LESSON_TICKS] =
        "Type the numbers of the points you covered, such as `1 3`. Press Enter if none.",
    [LESSON_SLIDERS] = "Press Enter to continue with the next step.",
    [LESSON_RUN] = "Type `run`. It takes some seconds. Press Enter to skip it.",
};

/* "  1. the text", the text wrapped next to its mark. */
static void put_marked(struct page *p, const char *mark, const char *markdown) {
    int row = page_height(p);
    page_markdown(p, (struct page_flow){.indent = 5}, markdown);
    page_put(p, row, 2, PAGE_ACCENT, 0, mark);
}

static void put_options(struct page *p, const struct lesson_ask *a) {
    for (size_t i = 0; i < a->options; i++) {
        char mark[24];
        snprintf(mark, sizeof mark, "%zu.", i + 1);
        put_marked(p, mark, a->option[i]);
    }
    if (a->bins) page_blank(p, 1);
    for (size_t i = 0; i < a->bins; i++)
        put_marked(p, (char[]){(char)('a' + i), '.', '\0'}, a->bin[i]);
    if (a->options) page_blank(p, 1);
}

/* "stage: now 1. It can be 0, 1, 2, 3." Once that is told, only what they are now. Values are what
 * one types. */
static void say_sliders(struct page *p, const struct lesson_ask *a, bool told) {
    struct base_text now = {0};
    for (size_t i = 0; i < a->sliders; i++) {
        const struct lesson_slider *s = &a->slider[i];
        char *text = base_format("%s: now `%s`. It can be `%s`.", s->label, s->value, s->values);
        if (!told) page_markdown(p, (struct page_flow){0}, text);
        base_text_printf(&now, "%s%s `%s`", i ? ", " : "Now ", s->label, s->value);
        free(text);
    }
    base_text_puts(&now, ".");
    if (told) page_markdown(p, (struct page_flow){0}, now.s);
    base_text_free(&now);
    page_blank(p, 1);
}

static void draw_sliders(struct page *p, const struct lesson_ask *a) {
    const char **cell = base_grow(NULL, a->sliders * 3, sizeof *cell);
    char(*place)[48] = base_grow(NULL, a->sliders, sizeof *place);
    for (size_t i = 0; i < a->sliders; i++) {
        const struct lesson_slider *s = &a->slider[i];
        snprintf(place[i], sizeof place[i], "%zu of %zu", s->position + 1, s->count);
        cell[i * 3] = s->label;
        cell[i * 3 + 1] = s->value;
        cell[i * 3 + 2] = place[i];
    }
    page_table(p, (struct page_flow){.indent = 2}, cell, a->sliders, 3, "lll", false);
    page_blank(p, 1);
    free(place);
    free(cell);
}

static const struct experiment_lab *lab_to_run(const struct lesson_ask *a) {
    return a->form == LESSON_RUN ? experiment_lab_find(a->lab) : NULL;
}

static bool lacks_gpu(const struct lesson_ask *a) {
    const struct experiment_lab *lab = lab_to_run(a);
    return lab && session_lab_lacks_gpu(lab);
}

const char *linear_run_or_not(const struct lesson_ask *a) {
    if (!lacks_gpu(a)) return "run, or Enter";
    char *machine = experiment_recorded_on(lab_to_run(a));
    bool recorded = machine != NULL;
    free(machine);
    return recorded ? "replay, or Enter" : "next";
}

/* A lab may have been recorded: then whoever cannot run it, or will not, need not go without. */
static void put_recording(struct page *p, const struct lesson_ask *a) {
    const struct experiment_lab *lab = lab_to_run(a);
    char *machine = lab ? experiment_recorded_on(lab) : NULL;
    char *text = machine
                     ? base_format("Type `replay` to see a recording made on %s instead.", machine)
                     : NULL;
    if (text) page_markdown(p, (struct page_flow){.role = PAGE_DIM}, text);
    free(text);
    free(machine);
}

static const char *const sheet_mark[] = {"", "", "?", "ok", "x"}; /* by the line's state */

/* How a line of a sheet ends for the ear, by its state. */
static const char *const sheet_words[] = {"", "not known yet", "this is asked now", "right",
                                          "wrong"};

/* "gradients: 2 B × 20e9, 40 GB." "optimizer moments: this is asked now." */
static void say_sheet(struct page *p, const struct lesson_ask *a) {
    for (size_t i = 0; i < a->lines; i++) {
        const struct lesson_sheet_line *l = &a->sheet[i];
        const char *piece[] = {l->formula, l->value, sheet_words[l->state], l->must};
        struct base_text line = {0};
        base_text_puts(&line, l->label);
        for (size_t k = 0, n = 0; k < BASE_COUNT(piece); k++)
            if (*piece[k]) base_text_printf(&line, "%s%s", n++ ? ", " : ": ", piece[k]);
        base_text_puts(&line, ".");
        page_text(p, (struct page_flow){0}, line.s);
        base_text_free(&line);
    }
    if (a->lines) page_blank(p, 1);
}

static void draw_sheet(struct page *p, const struct lesson_ask *a) {
    if (!a->lines) return;
    const char **cell = base_grow(NULL, a->lines * 4, sizeof *cell);
    for (size_t i = 0; i < a->lines; i++) {
        const struct lesson_sheet_line *l = &a->sheet[i];
        cell[i * 4] = l->label;
        cell[i * 4 + 1] = *l->must ? l->must : l->formula;
        cell[i * 4 + 2] =
            l->state == LESSON_LINE_BLANK || l->state == LESSON_LINE_ASKED ? "____" : l->value;
        cell[i * 4 + 3] = sheet_mark[l->state];
    }
    page_table(p, (struct page_flow){.indent = 2}, cell, a->lines, 4, "llrl", false);
    page_blank(p, 1);
    free(cell);
}

/* A number's prompt is the label of its field: "your answer, in GB". */
static void put_prompt(struct page *p, const struct lesson_ask *a) {
    if (!a->prompt || !*a->prompt || a->form == LESSON_WRITE) return;
    char *text = a->form == LESSON_NUMBER ? base_format("Type %s.", a->prompt)
                 : a->form == LESSON_LINE ? base_format("Type the next line: %s.", a->prompt)
                                          : base_dup(a->prompt);
    page_markdown(p, (struct page_flow){.role = PAGE_STRONG}, text);
    free(text);
}

/* What an empty line does to a question; NULL if its form or its prompt says so. */
static const char *say_empty(const struct lesson_ask *a) {
    static const bool question[LESSON_FORMS] = {
        [LESSON_CHOICE] = true, [LESSON_ORDER] = true, [LESSON_SORT] = true,
        [LESSON_NUMBER] = true, [LESSON_LINE] = true,
    };
    if (!question[a->form] || a->card || (a->play && a->play->question)) return NULL;
    return a->guesses ? "Press Enter to see the answer without a guess."
                      : "Press Enter to skip it.";
}

static bool asks_ahead(const struct lesson_ask *a) {
    return a->play->ahead + 1 < a->slider[0].count;
}

size_t linear_enter_leads(const struct talk *t, const struct lesson_ask *a) {
    return !t->words ? a->play->ahead : asks_ahead(a) ? a->play->next : a->play->part;
}

/* A play leads to where it asks, then to its end, and only then on. */
static const char *say_how(const struct talk *t, const struct lesson_ask *a) {
    if (lacks_gpu(a))
        return "This lab needs a GPU, and this machine has none. Press Enter to skip it.";
    if (lesson_play_is_over(a)) return how[a->form];
    if (asks_ahead(a))
        return t->words ? "Press Enter for the next frame."
                        : "Press Enter to jump to its question.";
    return linear_enter_leads(t, a) + 1 < a->slider[0].count
               ? "Press Enter to jump to what begins next."
               : "Press Enter to jump to its last frame.";
}

static void put_how(struct page *p, const struct talk *t, const struct lesson_ask *a) {
    const char *answer = say_how(t, a), *empty = say_empty(a);
    char *text =
        base_format("%s%s%s", answer ? answer : "", answer && empty ? " " : "", empty ? empty : "");
    if (*text) page_markdown(p, (struct page_flow){.role = PAGE_DIM}, text);
    free(text);
}

static void print_clock(struct talk *t) {
    int left;
    if (!session_clock(t->session, &left)) return;
    char *text = base_format("You have %d s.", left);
    linear_print_markdown(t, PAGE_DIM, text);
    free(text);
}

/* A page in other words: the same command leads back from them. */
static void say_other_words(struct talk *t, const struct lesson_ask *a) {
    static const char *const names[] = {"briefly", "slowly"};
    size_t on = 0;
    while (on < BASE_COUNT(names) && (!a->words || strcmp(a->words, names[on]) != 0)) on++;
    char *text = on == BASE_COUNT(names)
                     ? base_dup("Type `briefly` or `slowly` to read this in other words.")
                     : base_format("Type `%s` again for the usual words.", names[on]);
    linear_print_markdown(t, PAGE_DIM, text);
    free(text);
}

void linear_print_ask(struct talk *t, const struct lesson_ask *a) {
    bool next_line = t->words && t->line_told && a->form == LESSON_LINE;
    t->line_told = false;
    if (lesson_leads_within(session_dialogue(t->session))) {
        linear_print_markdown(t, PAGE_DIM,
                              "Type a number of this list to see the right answer. Press Enter to "
                              "continue.");
    } else if (a->leads > 1 || (a->leads == 1 && !t->told_leads)) {
        char *one = base_format("Type `%s` to open that lesson there. Press Enter to continue.",
                                a->lead[0].lesson);
        linear_print_markdown(t, PAGE_DIM,
                              a->leads == 1 ? one
                                            : "Type the id of one of these lessons to open it. "
                                              "Press Enter to continue.");
        free(one);
        t->told_leads = true;
    }
    if (a->fresh && t->kind == LESSON_RECAP)
        linear_print_markdown(t, PAGE_DIM, "Type `:fresh` to take it again with other numbers.");
    if (a->briefly || a->slowly) say_other_words(t, a);
    if (a->form == LESSON_NEXT) return;
    print_clock(t);
    bool asks = a->play && a->play->question, told = t->told_moves && !asks;
    const char *way = say_how(t, a);
    bool same_way = next_line || (told && strcmp(t->told_moves, way) == 0);
    t->told_moves = a->form == LESSON_SLIDERS && !asks ? way : NULL;
    struct page *p = linear_print_begin(t);
    put_options(p, a);
    if (a->sliders && !a->scenes) {
        if (t->words)
            say_sliders(p, a, told);
        else
            draw_sliders(p, a);
    }
    if (!next_line) (t->words ? say_sheet : draw_sheet)(p, a);
    if (!told) put_prompt(p, a);
    if (!same_way) put_how(p, t, a);
    put_recording(p, a);
    linear_print_page(t, p);
    if (a->form == LESSON_WRITE) print_memo(t, a);
}
