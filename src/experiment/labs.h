/* The labs' rows, in three files by phase of the course. Private to the module. */
#ifndef EXPERIMENT_LABS_H
#define EXPERIMENT_LABS_H

#include "experiment/experiment.h"

#define SHOWS(m) (1u << EXPERIMENT_##m)

struct experiment_labs {
    const struct experiment_lab *lab;
    size_t count;
};
extern const struct experiment_labs experiment_labs_memory, experiment_labs_sharding,
    experiment_labs_scale;

#endif
