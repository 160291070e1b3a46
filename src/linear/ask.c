/* ask: what is asked, as lines: options numbered, sliders with their values, a worksheet whole. */
#include "linear/inside.h"

#include <stdlib.h>

/* How each form is answered, said with the question. NULL: the prompt says enough. */
static const char *const how[LESSON_FORMS] = {
    [LESSON_CHOICE] = "Type its number.",
    [LESSON_ORDER] = "Type the numbers, first to last: `3 1 2`.",
    [LESSON_SORT] = "Type a letter for each number: `1=a 2=b`.",
    [LESSON_TICKS] =
        "Type the numbers of the points you covered: `1 3`. An empty line: none of them.",
    [LESSON_SLIDERS] = "An empty line goes on.",
    [LESSON_RUN] = "It takes some seconds. An empty line goes on without.",
};

/* "  1. the text", the text wrapped beside its mark. */
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
    for (size_t i = 0; i < a->bins; i++) put_marked(p, (char[]){(char)('a' + i), '\0'}, a->bin[i]);
    if (a->options) page_blank(p, 1);
}

static void put_sliders(struct page *p, const struct lesson_ask *a) {
    if (!a->sliders || a->scenes) return;
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

/* A lab may have been recorded: then whoever cannot run it, or will not, need not go without. */
static void put_recording(struct page *p, const struct lesson_ask *a) {
    const struct experiment_lab *lab = a->form == LESSON_RUN ? experiment_lab_find(a->lab) : NULL;
    char *machine = lab ? experiment_recorded_on(lab) : NULL;
    if (!machine) return;
    char *text =
        base_format("Type `replay` for its recording, made on %s; nothing is run then.", machine);
    page_markdown(p, (struct page_flow){.role = PAGE_DIM}, text);
    free(text);
    free(machine);
}

static const char *const sheet_mark[] = {"", "", "?", "ok", "x"}; /* by the line's state */

static void put_sheet(struct page *p, const struct lesson_ask *a) {
    if (!a->lines) return;
    const char **cell = base_grow(NULL, a->lines * 4, sizeof *cell);
    for (size_t i = 0; i < a->lines; i++) {
        const struct lesson_sheet_line *l = &a->sheet[i];
        cell[i * 4] = l->label;
        cell[i * 4 + 1] = l->formula;
        cell[i * 4 + 2] = l->state == 1 || l->state == 2 ? "____" : l->value;
        cell[i * 4 + 3] = sheet_mark[l->state];
    }
    page_table(p, (struct page_flow){.indent = 2}, cell, a->lines, 4, "llrl", false);
    page_blank(p, 1);
    free(cell);
}

void linear_print_ask(struct talk *t, const struct lesson_ask *a) {
    if (a->form == LESSON_NEXT) return;
    struct page *p = linear_print_begin(t);
    put_options(p, a);
    put_sliders(p, a);
    put_sheet(p, a);
    if (a->prompt && *a->prompt && a->form != LESSON_WRITE)
        page_markdown(p, (struct page_flow){.role = PAGE_STRONG}, a->prompt);
    if (how[a->form]) page_markdown(p, (struct page_flow){.role = PAGE_DIM}, how[a->form]);
    put_recording(p, a);
    linear_print_page(t, p);
    if (a->form == LESSON_WRITE) linear_print_memo(t, a);
}
