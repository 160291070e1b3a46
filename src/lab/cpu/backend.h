/* The CPU's row in the table of backends. Inside the lab only. */
#ifndef LAB_CPU_BACKEND_H
#define LAB_CPU_BACKEND_H

#include "lab/backend.h"

struct lab_device *lab_cpu_backend_open(const struct lab_options *o, uint32_t local,
                                        struct lab_message *m);
/* The name of the BLAS that computes the products, with its version if it says one. What is to be
 * known of its speed; NULL: nothing. */
const char *lab_blas(char *name, size_t size);
bool lab_is_openblas(void);
void lab_cpu_versions(const struct lab_options *o, struct lab_json *j);
void lab_cpu_note(char *out, size_t size);
void lab_cpu_probe(struct lab_json *j);
/* Sets what BLAS libraries read when they are loaded: one thread, and the kernels that suit this
 * processor. To be called before exec. */
void lab_blas_environment(void);
extern const struct lab_way lab_cpu_ways[2];

#define LAB_CPU_BACKEND                                                                            \
    {                                                                                              \
        .kind = LAB_CPU, .way = lab_cpu_ways, .ways = 2, .open = lab_cpu_backend_open,             \
        .versions = lab_cpu_versions, .note = lab_cpu_note, .probe = lab_cpu_probe                 \
    }

#endif
