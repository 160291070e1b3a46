/* tapes.h: recordings of a lab, made by the stand-in for zerolab where a course in `share` keeps
 * its own. */
#ifndef TESTS_TRIAL_TAPES_H
#define TESTS_TRIAL_TAPES_H

#include "experiment/experiment.h"

#include <stdlib.h>
#include <sys/stat.h>

/* data/runs/NAME.jsonl, or NAME-1.jsonl to NAME-`runs`.jsonl of a lab with several. */
static inline void tapes_make(const char *share, const char *name, size_t runs) {
    const struct experiment_lab *lab = experiment_lab_find(name);
    char *data = base_format("%s/data", share), *folder = base_format("%s/runs", data);
    mkdir(data, 0755);
    mkdir(folder, 0755);
    for (size_t i = 0; i < runs; i++) {
        char number[24] = "";
        if (experiment_variants(lab) > 1) snprintf(number, sizeof number, "-%zu", i + 1);
        char *line = base_format("FAKE= sh tests/experiment/zerolab.sh %s >%s/%s%s.jsonl",
                                 lab->variant[i].arguments, folder, name, number);
        if (system(line) != 0) abort();
        free(line);
    }
    free(folder);
    free(data);
}

#endif
