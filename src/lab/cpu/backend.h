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
/* Returns the threads that a rank's BLAS is to compute with: as many as were asked for, or an equal
 * share of the cores. */
uint32_t lab_blas_share(const struct lab_options *o);
/* Returns how many of them the BLAS takes: one if it has no threads, 0 if that is not known. */
uint32_t lab_blas_threads(const struct lab_options *o);
/* Tells the BLAS to use at most so many threads. To be called before its first product. */
void lab_blas_keep_to(uint32_t threads);
void lab_cpu_versions(const struct lab_options *o, struct lab_json *j);
void lab_cpu_note(char *out, size_t size);
void lab_cpu_probe(struct lab_json *j);
/* Sets what BLAS libraries read when they are loaded: the number of threads, and the kernels that
 * suit this processor. To be called before exec. */
void lab_blas_environment(uint32_t threads);
/* Times products in a process that is told what ranks are told, or (o: NULL) in this one. Returns
 * the GFLOP/s of the fastest; 0 if there could be none. */
double lab_cpu_gflops(const struct lab_options *o);
extern const struct lab_way lab_cpu_ways[2];

#define LAB_CPU_BACKEND                                                                            \
    {                                                                                              \
        .kind = LAB_CPU, .way = lab_cpu_ways, .ways = 2, .open = lab_cpu_backend_open,             \
        .versions = lab_cpu_versions, .note = lab_cpu_note, .probe = lab_cpu_probe,                \
        .gflops = lab_cpu_gflops                                                                   \
    }

#endif
