/* lab_lesson: a lab outside of lessons is a lesson of one step: it asks before its runs, and
 * afterwards, as it does in its lesson. */
#include "session/inside.h"

#include <string.h>

struct lesson *session_lab_lesson(const struct experiment_lab *lab, struct base_message *m) {
    json_t *step = json_pack("{ss ss ss ss ss}", "kind", "lab", "id", lab->name, "title",
                             lab->title, "text", lab->about, "lab", lab->name);
    session_lab_complete(step, lab);
    return lesson_single(LEARNER_LAB, step, m);
}

struct lesson *session_lab_named(const char *name, struct base_message *m) {
    const struct experiment_lab *lab = experiment_lab_find(name);
    if (lab) return session_lab_lesson(lab, m);
    base_fail(m, "unknown lab '%s': run `zerotutor lab list` for a list", name);
    return NULL;
}

bool session_lab_tell(struct lesson_dialogue *d, const struct experiment_lab *lab, size_t variant,
                      const struct experiment *run, struct base_message *m) {
    struct kept_run k;
    session_kept_run_open(&k, lab, variant, run, 0);
    bool told = lesson_ran(d, &k.run, m);
    session_kept_run_close(&k);
    return told;
}
