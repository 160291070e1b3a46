/* aloud: what of a lesson can be read aloud: the prose of its pages, in lines. Tables and drawings
 * cannot be said. */
#include "session/inside.h"

#include <string.h>

static bool is_prose(const struct lesson *l, size_t i) {
    enum lesson_step_kind kind = lesson_step_kind(l, i);
    const char *text = base_json_text(lesson_step(l, i), "text", "");
    return (kind == LESSON_SAY || kind == LESSON_FIGURE || kind == LESSON_RECAP) && *text;
}

static void add_step(const struct lesson *l, size_t i, const char *words, struct voice_lines *out) {
    const json_t *step = lesson_step(l, i);
    if (!is_prose(l, i)) return;
    voice_lines_title(out, i, base_json_text(step, "title", ""));
    voice_lines_text(out, i, base_json_text(step, words, ""));
}

void session_prose(const struct lesson *l, struct voice_lines *out) {
    for (size_t i = 0; i < lesson_steps(l); i++) add_step(l, i, "text", out);
}

void session_prose_shown(const struct session *s, struct voice_lines *out) {
    const struct lesson *l = session_lesson(s);
    const struct lesson_ask *ask = lesson_asked(session_dialogue(s));
    size_t here = session_prose_here(s);
    for (size_t i = 0; i < lesson_steps(l); i++)
        add_step(l, i, i == here && ask && ask->words ? ask->words : "text", out);
}

size_t session_prose_here(const struct session *s) {
    return lesson_find(session_lesson(s), lesson_where(session_dialogue(s)));
}

bool session_speaks(const struct session *s) {
    size_t here = session_prose_here(s);
    return here < lesson_steps(session_lesson(s)) && is_prose(session_lesson(s), here);
}
