/* Which of cuBLASLt's algorithms a product takes: its first, or the fastest of some, timed once on this machine. What was chosen is kept for each GPU and
 * version of the library, so that the same run gives the same bits tomorrow. Inside the lab only. */
#ifndef LAB_CHOICES_H
#define LAB_CHOICES_H

#include "lab/cuda/cuda.h"

enum { LAB_ALGORITHMS = 8, LAB_CHOICES = 255 };
struct lab_choices { /* 4096 bytes at most: ranks share it */
    uint64_t count;
    struct lab_choice {
        uint64_t
            product; /* a hash of its shape; its lowest bits are the algorithm, in the library's order */
    } at[LAB_CHOICES];
};
/* What this process knows, from the file on; NULL where the file cannot be: then it is said as the device's failure. Only in a rehearsal, in which ranks
 * of a process take turns. */
struct lab_choices *lab_choices_known(struct lab_cuda *c);
bool lab_choices_find(const struct lab_choices *s, uint64_t product, uint64_t *algorithm);
/* Remembers it, and writes it behind the others in the file. */
void lab_choices_add(struct lab_cuda *c, struct lab_choices *s, uint64_t product,
                     uint64_t algorithm);
/* lab_device_row's. */
void *lab_cuda_choices(struct lab_device *d, size_t *bytes);

#endif
