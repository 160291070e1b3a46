/* ask: what is asked, as lines: options numbered, sliders with their values, a worksheet whole. */
#include "plain/inside.h"

#include <stdlib.h>

/* How each form is answered, said with the question. NULL: the prompt says enough. */
static const char *const how[STUDY_FORMS] = {
    [STUDY_CHOICE] = "Type its number.",
    [STUDY_ORDER] = "Type the numbers, first to last: `3 1 2`.",
    [STUDY_SORT] = "Type a letter for each number: `1=a 2=b`.",
    [STUDY_TICKS] =
        "Type the numbers of the points you covered: `1 3`. An empty line: none of them.",
    [STUDY_SLIDERS] = "An empty line goes on.",
    [STUDY_RUN] = "It takes some seconds. An empty line goes on without.",
};

/* "  1. the text", the text wrapped beside its mark. */
static void put_marked(struct paper *p, const char *mark, const char *markdown) {
    int row = paper_height(p);
    paper_markdown(p, (struct paper_flow){.indent = 5}, markdown);
    paper_put(p, row, 2, PAPER_ACCENT, 0, mark);
}

static void put_options(struct paper *p, const struct study_ask *a) {
    for (size_t i = 0; i < a->options; i++) {
        char mark[24];
        snprintf(mark, sizeof mark, "%zu.", i + 1);
        put_marked(p, mark, a->option[i]);
    }
    if (a->bins) paper_blank(p, 1);
    for (size_t i = 0; i < a->bins; i++) put_marked(p, (char[]){(char)('a' + i), '\0'}, a->bin[i]);
    if (a->options) paper_blank(p, 1);
}

static void put_sliders(struct paper *p, const struct study_ask *a) {
    if (!a->sliders || a->scenes) return;
    const char **cell = base_grow(NULL, a->sliders * 3, sizeof *cell);
    char(*place)[48] = base_grow(NULL, a->sliders, sizeof *place);
    for (size_t i = 0; i < a->sliders; i++) {
        const struct study_slider *s = &a->slider[i];
        snprintf(place[i], sizeof place[i], "%zu of %zu", s->position + 1, s->count);
        cell[i * 3] = s->label;
        cell[i * 3 + 1] = s->value;
        cell[i * 3 + 2] = place[i];
    }
    paper_table(p, (struct paper_flow){.indent = 2}, cell, a->sliders, 3, "lll", false);
    paper_blank(p, 1);
    free(place);
    free(cell);
}

/* A lab may have been recorded: then whoever cannot run it, or will not, need not go without. */
static void put_recording(struct paper *p, const struct study_ask *a) {
    const struct trial_lab *lab = a->form == STUDY_RUN ? trial_lab_find(a->lab) : NULL;
    char *machine = lab ? trial_recorded_on(lab) : NULL;
    if (!machine) return;
    char *text =
        base_format("Type `replay` for its recording, made on %s; nothing is run then.", machine);
    paper_markdown(p, (struct paper_flow){.role = PAPER_DIM}, text);
    free(text);
    free(machine);
}

static const char *const sheet_mark[] = {"", "", "?", "ok", "x"}; /* by the line's state */

static void put_sheet(struct paper *p, const struct study_ask *a) {
    if (!a->lines) return;
    const char **cell = base_grow(NULL, a->lines * 4, sizeof *cell);
    for (size_t i = 0; i < a->lines; i++) {
        const struct study_sheet_line *l = &a->sheet[i];
        cell[i * 4] = l->label;
        cell[i * 4 + 1] = l->formula;
        cell[i * 4 + 2] = l->state == 1 || l->state == 2 ? "____" : l->value;
        cell[i * 4 + 3] = sheet_mark[l->state];
    }
    paper_table(p, (struct paper_flow){.indent = 2}, cell, a->lines, 4, "llrl", false);
    paper_blank(p, 1);
    free(cell);
}

void print_ask(struct talk *t, const struct study_ask *a) {
    if (a->form == STUDY_NEXT) return;
    struct paper *p = print_begin(t);
    put_options(p, a);
    put_sliders(p, a);
    put_sheet(p, a);
    if (a->prompt && *a->prompt && a->form != STUDY_WRITE)
        paper_markdown(p, (struct paper_flow){.role = PAPER_STRONG}, a->prompt);
    if (how[a->form]) paper_markdown(p, (struct paper_flow){.role = PAPER_DIM}, how[a->form]);
    put_recording(p, a);
    print_page(t, p);
    if (a->form == STUDY_WRITE) print_memo(t, a);
}
