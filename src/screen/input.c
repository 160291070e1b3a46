/* input: what the forms of answers share. */
#include "screen/input.h"

#include "trial/trial.h"

#include <stdlib.h>

static void draw_nothing(const struct input *in, struct paper *p, struct input_spot *spot) {
    (void)in, (void)p, (void)spot;
}

static enum input_result go_on(struct input *in, const struct key *k) {
    if (k->code != PRESS_ENTER) return INPUT_IGNORED;
    in->action = (struct study_action){.kind = STUDY_DO_NEXT};
    return INPUT_DO;
}

const struct input_operations INPUT_NEXT = {
    .enter = INPUT_READS_ON, .draw = draw_nothing, .key = go_on};

static const struct input_operations *const FORMS[STUDY_FORMS] = {
    [STUDY_NEXT] = &INPUT_NEXT,     [STUDY_NUMBER] = &INPUT_NUMBER,   [STUDY_LINE] = &INPUT_LINE,
    [STUDY_CHOICE] = &INPUT_CHOICE, [STUDY_ORDER] = &INPUT_ORDER,     [STUDY_SORT] = &INPUT_SORT,
    [STUDY_TICKS] = &INPUT_TICKS,   [STUDY_SLIDERS] = &INPUT_SLIDERS, [STUDY_TEXT] = &INPUT_TEXT,
    [STUDY_RUN] = &INPUT_RUNS,      [STUDY_WRITE] = &INPUT_MEMO,
};

void input_begin(struct input *in, const struct study_ask *ask,
                 const struct field_history *history) {
    input_end(in);
    in->does = !ask ? &INPUT_NEXT : ask->scenes ? &INPUT_SCENES : FORMS[ask->form];
    in->ask = ask;
    if (ask && ask->form == STUDY_RUN && trial_lab_find(ask->lab))
        in->recorded = trial_recorded_on(trial_lab_find(ask->lab));
    in->field.history = in->does == &INPUT_TEXT ? NULL : history;
}

void input_end(struct input *in) {
    field_free(&in->field);
    free(in->answer);
    free(in->recorded);
    *in = (struct input){.does = &INPUT_NEXT, .columns = in->columns, .room = in->room};
}

void input_draw(const struct input *in, struct paper *p, struct input_spot *spot) {
    spot->cursor_row = spot->cursor_column = -1;
    spot->pinned = 0;
    spot->bins = 0;
    spot->box = (struct input_box){0};
    for (size_t i = 0; i < INPUT_ROWS; i++) spot->target[i] = -1;
    in->does->draw(in, p, spot);
}

enum input_result input_key(struct input *in, const struct key *k) {
    return in->does->key(in, k);
}

bool input_typed(const struct input *in) {
    return in->field.text.length > 0;
}

enum input_result input_answer(struct input *in, char *text) {
    free(in->answer);
    in->answer = text;
    in->action = (struct study_action){.kind = STUDY_DO_ANSWER, .text = text};
    return INPUT_DO;
}

bool input_point(struct input *in, const struct key *k) {
    const struct input_box *b = &in->box;
    if (k->code != PRESS_CLICK || k->target != INPUT_FIELD) return false;
    field_point(&in->field, k->row - b->row, k->column - b->column, b->width, b->rows);
    return true;
}

size_t input_digit(const struct key *k) {
    return k->code >= '1' && k->code <= '9' ? k->code - '0' : 0;
}

bool input_move(struct input *in, const struct key *k, size_t count) {
    size_t digit = input_digit(k);
    if (count == 0) return false;
    if (digit && digit <= count) {
        in->at = digit - 1;
        return true;
    }
    switch (k->code) {
    case PRESS_UP:
    case 'k': in->at -= in->at > 0; return true;
    case PRESS_DOWN:
    case 'j': in->at += in->at + 1 < count; return true;
    case PRESS_HOME: in->at = 0; return true;
    case PRESS_END: in->at = count - 1; return true;
    case PRESS_CLICK:
        if (k->target < 0 || (size_t)k->target >= count) return false;
        in->at = (size_t)k->target;
        return true;
    default: return false;
    }
}

static void draw_option(const struct input *in, struct paper *p, size_t i, int mark_width,
                        const char *mark) {
    bool here = i == in->at;
    int row = paper_height(p), column = 5 + (mark_width ? mark_width + 1 : 0);
    paper_markdown(p, (struct paper_flow){.indent = column, .width = paper_width(p) - column - 1},
                   in->ask->option[i]);
    if (here) paper_put(p, row, 1, PAPER_ACCENT, PAPER_BOLD, "▸");
    paper_printf(p, row, 3, here ? PAPER_ACCENT : PAPER_KEY, "%zu", i + 1);
    if (mark_width)
        paper_put(p, row, 5, *mark && mark[0] != '[' ? PAPER_STRONG : PAPER_PLAIN, 0, mark);
}

void input_draw_options(const struct input *in, struct paper *p, struct input_spot *spot,
                        int mark_width,
                        const char *(*mark)(const struct input *in, size_t option, char *out,
                                            size_t size)) {
    for (size_t i = 0; i < in->ask->options && i < INPUT_OPTIONS; i++) {
        char text[80];
        int row = paper_height(p);
        draw_option(in, p, i, mark_width, mark_width ? mark(in, i, text, sizeof text) : "");
        for (int r = row; r < paper_height(p) && r < INPUT_ROWS; r++) spot->target[r] = (int)i;
        if (i != in->at) continue;
        spot->cursor_row = row;
        spot->cursor_column = 3;
    }
}
