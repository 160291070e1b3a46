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

static void enter(struct lesson_dialogue *d) {
    lesson_show_figure(d, LESSON_PLAIN, lesson_step_text(d, "text"),
                       json_object_get(lesson_step_json(d), "figure"));
    show_further(d, json_object_get(lesson_step_json(d), "further"));
    lesson_ask_next(d);
}

const struct step_ops lesson_step_say = {.enter = enter};
