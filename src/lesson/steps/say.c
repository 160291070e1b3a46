/* say.c: say, figure, recap: a page to read; a recap ends on what to read next. */
#include "lesson/handler.h"

#include <string.h>

enum { WIDTH_MOST = 76 }; /* of a list's line at 80 columns */

/* An address stands on a line of its own where it would not fit next to its text, so that it is
 * whole where it fits. */
static void add_further(struct base_text *t, const char *text) {
    const char *address = strstr(text, " http");
    if (address == NULL || strlen(text) <= WIDTH_MOST)
        base_text_printf(t, "\n- %s", text);
    else
        base_text_printf(t, "\n- %.*s\\\n  %s", (int)(address - text), text, address + 1);
}

static void show_further(struct lesson_dialogue *d, const json_t *list) {
    struct base_text t = {0};
    const json_t *text;
    size_t i;
    if (json_array_size(list) == 0) return;
    base_text_puts(&t, "To read on:\n");
    json_array_foreach(list, i, text) add_further(&t, json_string_value(text));
    lesson_show_owned(d, LESSON_QUIET, base_text_take(&t));
}

static void show(struct lesson_dialogue *d, const char *field) {
    lesson_show_figure(d, LESSON_PLAIN, lesson_step_text(d, field),
                       json_object_get(lesson_step_json(d), "figure"));
    show_further(d, json_object_get(lesson_step_json(d), "further"));
    lesson_ask_next(d);
    d->ask->words = field;
    d->ask->briefly = lesson_step_text(d, "briefly") != NULL;
    d->ask->slowly = lesson_step_text(d, "slowly") != NULL;
}

static void enter(struct lesson_dialogue *d) {
    show(d, "text");
}

/* state.phase: the first letter of the words that are there, 0 for its own. */
static bool reword(struct lesson_dialogue *d, const char *field) {
    if (lesson_step_text(d, field) == NULL) return false;
    bool back = d->state.phase == field[0];
    d->state.phase = back ? 0 : field[0];
    lesson_show_turn(d);
    show(d, back ? "text" : field);
    return true;
}

const struct step_ops lesson_step_say = {.enter = enter, .reword = reword};
