/* The recordings that come with the course: data/runs/NAME.jsonl, of a lab of several runs
 * NAME-1.jsonl …, as `lab run NAME --record` writes them. */
#include "experiment/inside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MACHINE_MOST = 80 };

char *experiment_recording(const struct experiment_lab *lab, size_t variant) {
    char *name = experiment_variants(lab) == 1
                     ? base_format("data/runs/%s.jsonl", lab->name)
                     : base_format("data/runs/%s-%zu.jsonl", lab->name, variant + 1);
    char *path = base_share_path(name);
    free(name);
    if (access(path, R_OK) == 0) return path;
    free(path);
    return NULL;
}

char *experiment_machine(const struct experiment *t) {
    const char *hardware =
        *t->state.setup.hardware ? t->state.setup.hardware : "a machine that it does not name";
    return base_clean_dup(hardware, strlen(hardware), MACHINE_MOST);
}

/* Heard as far as its start. NULL if it is no recording. */
static char *machine_of(const char *path) {
    struct base_message m = {0};
    struct experiment *t = experiment_replay(path, 1, &m);
    char *machine = NULL;
    if (t && experiment_read(t) && t->state.started) machine = experiment_machine(t);
    experiment_free(t);
    return machine;
}

char *experiment_recorded_on(const struct experiment_lab *lab) {
    char *machine = NULL;
    for (size_t i = experiment_variants(lab); i-- > 0;) {
        char *path = experiment_recording(lab, i);
        free(machine);
        machine = path ? machine_of(path) : NULL;
        free(path);
        if (!machine) return NULL;
    }
    return machine;
}
