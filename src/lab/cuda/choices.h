/* Which of cuBLASLt's algorithms a product takes: its first, or the fastest of some, timed once on
 * this machine. What was chosen is kept for each GPU and version of the library, so that the same
 * run gives the same bits tomorrow. Inside the lab only. */
#ifndef LAB_CHOICES_H
#define LAB_CHOICES_H

#include "lab/cuda/cuda.h"

enum { LAB_ALGORITHMS = 8, LAB_CHOICES = 255 };
/* What this process has chosen for the products of its own run; the file may have more. At most
 * 4096 bytes, because rank 0 sends it to the other ranks. */
struct lab_choices {
    uint64_t count;
    struct lab_choice {
        /* A hash of its shape; its lowest bits are the algorithm, in the library's order. */
        uint64_t product;
    } at[LAB_CHOICES];
};
/* Finds the algorithm of a product in memory, or else in the file. If the file cannot be opened, it
 * says so as the device's failure. Both functions are for the rehearsal only, in which the ranks of
 * a process take turns. Other processes may use the file at the same time. */
bool lab_choices_find(struct lab_cuda *c, uint64_t product, uint64_t *algorithm);
/* Remembers the algorithm and appends it to the file. Returns the algorithm that is kept: if
 * another process has written one for this product by now, it is that one, so that all of them have
 * the same bits, today and tomorrow. */
uint64_t lab_choices_add(struct lab_cuda *c, uint64_t product, uint64_t algorithm);
/* lab_device_row's. */
void *lab_cuda_choices(struct lab_device *d, size_t *bytes);

#endif
