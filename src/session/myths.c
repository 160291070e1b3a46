/* myths: the phrases by which people say what a lesson's myth corrects, for the check of memos. */
#include "session/inside.h"

#include <stdlib.h>

static void add(struct session_myths *m, const json_t *phrase, const char *lesson,
                const char *claim) {
    m->row = base_grow(m->row, m->count + 1, sizeof *m->row);
    m->row[m->count++] =
        (struct memo_myth){base_dup(json_string_value(phrase)), base_dup(lesson), base_dup(claim)};
}

struct session_myths session_myths(struct desk *d) {
    struct session_myths m = {0};
    const struct lesson_course *course = session_desk_course(d);
    for (size_t i = 0; i < course->lessons; i++) {
        const struct loaded *l = session_desk_lesson(d, i);
        for (size_t k = 0; l && k < lesson_steps(l->lesson); k++) {
            const json_t *step = lesson_step(l->lesson, k), *phrase;
            size_t n;
            json_array_foreach(json_object_get(step, "says"), n, phrase) if (json_is_string(phrase))
                add(&m, phrase, course->lesson[i].id, base_json_text(step, "claim", ""));
        }
    }
    return m;
}

void session_myths_free(struct session_myths *m) {
    for (size_t i = 0; i < m->count; i++) {
        free((char *)m->row[i].phrase);
        free((char *)m->row[i].lesson);
        free((char *)m->row[i].claim);
    }
    free(m->row);
    *m = (struct session_myths){0};
}
