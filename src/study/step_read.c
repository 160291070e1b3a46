/* step_read.c: say, figure, recap: a page to read. */
#include "study/dialogue.h"

static void enter(struct study_dialogue *d) {
    show_figure(d, STUDY_PLAIN, step_text(d, "text"), json_object_get(step_json(d), "figure"));
    ask_next(d);
}

const struct step_ops step_read = {.enter = enter};
