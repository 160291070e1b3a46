/* What the machine itself says. Inside the lab only. */
#ifndef LAB_MACHINE_H
#define LAB_MACHINE_H

#include <stddef.h>
#include <stdint.h>

/* Writes the processor's name and the number of its cores. */
void lab_processor(char *out, size_t size);
/* Returns the bytes that the machine could still give without swapping, or that are left of a
 * container's limit if these are fewer. UINT64_MAX if neither is known. */
uint64_t lab_memory_left(void);

#endif
