/* The CPU's row in the table of backends. Inside the lab only. */
#ifndef LAB_CPU_BACKEND_H
#define LAB_CPU_BACKEND_H

#include "lab/backend.h"

struct lab_device *lab_cpu_backend_open(const struct lab_options *o, uint32_t local,
                                        struct lab_message *m);
void lab_cpu_probe(struct lab_json *j);
extern const struct lab_way lab_cpu_ways[2];

#define LAB_CPU_BACKEND                                                                            \
    {                                                                                              \
        .kind = LAB_CPU, .way = lab_cpu_ways, .ways = 2, .open = lab_cpu_backend_open,             \
        .probe = lab_cpu_probe                                                                     \
    }

#endif
