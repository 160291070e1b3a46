/* input: which form an answer has. The forms are in input_typed.c, input_cursor.c and input_play.c.
 */
#include "screen/input.h"

#include "session/turn.h"

#include "experiment/experiment.h"

#include <stdlib.h>
#include <string.h>

/* Nothing, or a worked solution as far as it is known. Where it has too little room, the line that
 * became known last is kept in view. */
static void draw_solved(struct input *in, struct page *p, struct input_spot *spot) {
    const struct lesson_ask *a = in->ask;
    if (!a || a->lines == 0) return;
    struct page_solved s = {.count = a->lines < PAGE_SOLVED ? a->lines : PAGE_SOLVED,
                            .known = a->line,
                            .rows = in->capacity};
    for (size_t i = 0; i < s.count; i++) {
        const struct lesson_sheet_line *l = &a->sheet[i];
        s.line[i] = (struct page_solved_line){.label = l->label,
                                              .formula = l->formula,
                                              .value = l->value,
                                              .note = l->note,
                                              .category = page_pile_named(l->id, l->amount),
                                              .bytes = l->amount};
    }
    int newest = page_solved(p, (struct page_flow){.width = page_width(p)}, &s);
    if (page_height(p) > in->capacity) spot->cursor_row = newest;
}

static enum input_result go_on(struct input *in, const struct key *k) {
    if (k->code != PRESS_ENTER) return INPUT_IGNORED;
    in->action = (struct lesson_action){.kind = LESSON_DO_NEXT};
    return INPUT_DO;
}

const struct input_operations screen_input_next = {
    .enter = INPUT_READS_ON, .draw = draw_solved, .key = go_on};

static const struct input_operations *const FORMS[LESSON_FORMS] = {
    [LESSON_NEXT] = &screen_input_next,   [LESSON_NUMBER] = &screen_input_number,
    [LESSON_LINE] = &screen_input_line,   [LESSON_CHOICE] = &screen_input_choice,
    [LESSON_ORDER] = &screen_input_order, [LESSON_SORT] = &screen_input_sort,
    [LESSON_TICKS] = &screen_input_ticks, [LESSON_SLIDERS] = &screen_input_sliders,
    [LESSON_TEXT] = &screen_input_text,   [LESSON_RUN] = &screen_input_runs,
    [LESSON_WRITE] = &screen_input_memo,
};

void screen_input_begin(struct input *in, const struct lesson_ask *ask,
                        const struct editor_history *history) {
    screen_input_end(in);
    in->does = !ask          ? &screen_input_next
               : ask->play   ? &screen_input_play
               : ask->scenes ? &screen_input_scenes
                             : FORMS[ask->form];
    in->ask = ask;
    /* Enter alone chooses nothing: the learner puts the cursor on a line first */
    if (ask && ask->form == LESSON_CHOICE) in->at = ask->options;
    const struct experiment_lab *lab =
        ask && ask->form == LESSON_RUN ? experiment_lab_find(ask->lab) : NULL;
    if (lab) {
        in->recorded = experiment_recorded_on(lab);
        in->lacks_gpu = session_lab_lacks_gpu(lab);
        in->at = in->recorded && in->lacks_gpu;
    }
    if (in->does == &screen_input_text)
        screen_editor_field(&in->field, EDITOR_LONG, NULL);
    else
        screen_editor_field(&in->field, EDITOR_LINE, history);
}

void screen_input_end(struct input *in) {
    screen_editor_free(&in->field);
    free(in->answer);
    free(in->recorded);
    *in = (struct input){.does = &screen_input_next,
                         .columns = in->columns,
                         .capacity = in->capacity,
                         .motion = in->motion,
                         .player = {.speed = in->player.speed}};
}

void screen_input_draw(struct input *in, struct page *p, struct input_spot *spot) {
    spot->cursor_row = spot->cursor_column = -1;
    spot->pinned = 0;
    spot->bins = 0;
    spot->box = (struct input_box){0};
    for (size_t i = 0; i < INPUT_ROWS; i++) spot->target[i] = -1;
    in->does->draw(in, p, spot);
}

enum input_result screen_input_key(struct input *in, const struct key *k) {
    free(in->answer);
    in->answer = NULL;
    enum input_result result = in->does->key(in, k);
    if (!in->answer) return result;
    in->action = (struct lesson_action){.kind = LESSON_DO_ANSWER, .text = in->answer};
    return INPUT_DO;
}

bool screen_input_typed(const struct input *in) {
    return in->field.text.length > 0;
}
