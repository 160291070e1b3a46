/* myths: the phrases by which people say what a lesson's myth corrects, for the check of memos. */
#include "sitting/inside.h"

#include <stdlib.h>

static void add(struct sitting_myths *m, const json_t *phrase, const char *lesson,
                const char *claim) {
    m->row = base_grow(m->row, m->count + 1, sizeof *m->row);
    m->row[m->count++] =
        (struct memo_myth){base_dup(json_string_value(phrase)), base_dup(lesson), base_dup(claim)};
}

struct sitting_myths sitting_myths(struct desk *d) {
    struct sitting_myths m = {0};
    const struct study_course *course = desk_course(d);
    for (size_t i = 0; i < course->lessons; i++) {
        const struct loaded *l = desk_lesson(d, i);
        for (size_t k = 0; l && k < study_lesson_steps(l->lesson); k++) {
            const json_t *step = study_lesson_step(l->lesson, k), *phrase;
            size_t n;
            json_array_foreach(json_object_get(step, "says"), n, phrase) if (json_is_string(phrase))
                add(&m, phrase, course->lesson[i].id, base_json_text(step, "claim", ""));
        }
    }
    return m;
}

void sitting_myths_free(struct sitting_myths *m) {
    for (size_t i = 0; i < m->count; i++) {
        free((char *)m->row[i].phrase);
        free((char *)m->row[i].lesson);
        free((char *)m->row[i].claim);
    }
    free(m->row);
    *m = (struct sitting_myths){0};
}
