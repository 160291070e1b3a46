/* aloud: what of a lesson can be read aloud: the prose of its pages, in lines. Tables and drawings
 * cannot be said; a page that has some says so in its text. */
#include "session/inside.h"

#include <string.h>

static bool is_prose(const struct lesson *l, size_t i) {
    enum lesson_step_kind kind = lesson_step_kind(l, i);
    const char *text = base_json_text(lesson_step(l, i), "text", "");
    return (kind == LESSON_SAY || kind == LESSON_RECAP) && *text && !strstr(text, "|:--");
}

void session_lines(const struct lesson *l, struct voice_lines *out) {
    for (size_t i = 0; i < lesson_steps(l); i++) {
        const json_t *step = lesson_step(l, i);
        if (!is_prose(l, i)) continue;
        voice_lines_title(out, i, base_json_text(step, "title", ""));
        voice_lines_text(out, i, base_json_text(step, "text", ""));
    }
}

size_t session_lines_here(const struct session *s) {
    return lesson_find(session_lesson(s), lesson_where(session_dialogue(s)));
}

bool session_speaks(const struct session *s) {
    size_t here = session_lines_here(s);
    return here < lesson_steps(session_lesson(s)) && is_prose(session_lesson(s), here);
}
