/* look: the learner's settings (the screen's, in the record) narrow what the output can show; they never widen it. */
#include "linear/inside.h"

#include <stdlib.h>
#include <string.h>

/* Whether the setting is kept and has this value. */
static bool is_set(struct talk *t, const char *name, const char *value) {
    char *kept = store_setting(session_desk_store(t->desk), name);
    bool same = kept && strcmp(kept, value) == 0;
    free(kept);
    return same;
}

void linear_talk_look(struct talk *t) {
    t->ascii = t->options->ascii || is_set(t, "characters", "ascii");
    t->colours = t->options->colours;
    if (t->colours > 8 && is_set(t, "colour", "8")) t->colours = 8;
    if (is_set(t, "colour", "none")) t->colours = 0;
    for (int theme = 0; theme < PAGE_THEMES; theme++)
        if (is_set(t, "theme", page_theme_name((enum page_theme)theme)))
            t->theme = (enum page_theme)theme;
}
