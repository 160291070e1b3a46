/* What the machine itself could still give. Inside the lab only. */
#ifndef LAB_MEMORY_H
#define LAB_MEMORY_H

#include <stdint.h>

/* Bytes without swapping, or that are left of a container's limit if these are fewer; UINT64_MAX where nobody says. */
uint64_t lab_memory_left(void);

#endif
