/* opened: which steps of a lesson were open once. The learner's place alone does not tell: a jump
 * to a later step, and an answer there, leaves out those between. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

static const char *step_id(const struct lesson *l, size_t i) {
    return base_json_text(lesson_step(l, i), "id", "");
}

/* Of a lesson of which nothing was kept yet: all up to where the learner has come. */
static char *all_up_to(const struct lesson *l, const char *reached) {
    struct base_text ids = {0};
    bool there = false;
    for (size_t i = 0; i < lesson_steps(l) && !there; i++) {
        if (lesson_step_passed(l, i))
            base_text_printf(&ids, "%s%s", ids.s ? " " : "", step_id(l, i));
        there = reached && strcmp(step_id(l, i), reached) == 0;
    }
    return base_text_take(&ids);
}

char *session_opened(struct learner *who, const struct lesson *l) {
    return session_learner_kept(who, "opened", lesson_id(l));
}

bool session_is_opened(const char *opened, const char *id) {
    return !opened || session_word_number(opened, id) > 0;
}

void session_keep_opened(struct learner *who, const struct lesson *l, char **opened,
                         const char *reached, const char *here) {
    char *before = *opened ? *opened : all_up_to(l, reached);
    *opened = before;
    if (session_is_opened(before, here)) return;
    *opened = base_format("%s%s%s", before, *before ? " " : "", here);
    free(before);
    session_learner_keep(who, "opened", lesson_id(l), *opened);
}
