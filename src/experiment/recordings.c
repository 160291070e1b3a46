/* The recordings that come with the course: data/runs/NAME.jsonl, of a lab of several runs
 * NAME-1.jsonl …, as `lab run NAME --record` writes them. */
#include "experiment/inside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MACHINE_MOST = 80, START_MOST = 1 << 16 };

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

static char *machine_in(const struct experiment_setup *s) {
    const char *hardware = *s->hardware ? s->hardware : "an unnamed machine";
    return base_clean_dup(hardware, strlen(hardware), MACHINE_MOST);
}

char *experiment_machine(const struct experiment *t) {
    return machine_in(&t->state.setup);
}

/* From its first line alone, since a list of labs asks it of all recordings. NULL if that is no
 * start. */
static char *machine_of(const char *path) {
    char *line = base_file_line(path, START_MOST, NULL);
    if (!line) return NULL;
    struct experiment_event e = experiment_event_read(line, strlen(line), false);
    char *machine = e.kind == EXPERIMENT_START ? machine_in(e.start) : NULL;
    experiment_event_free(&e);
    free(line);
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
