/* What happens before main() if address space is limited (ulimit -v, -d) so far that the BLAS may
 * not be able to start. */
#ifndef LAB_LOAD_H
#define LAB_LOAD_H

#include <stdbool.h>

/* To be called first in main(): the libraries are loaded. A program that calls it is looked after
 * while they are. */
void lab_loaded(void);
/* Returns whether address space is limited, so that the BLAS was told to keep to one thread. */
bool lab_space_limited(void);

#endif
