/* What happens before main() if address space is limited (ulimit -v, -d) so far that the BLAS may
 * not be able to start. */
#ifndef LAB_LOAD_H
#define LAB_LOAD_H

/* To be called first in main(): the libraries are loaded. A program that calls it is looked after
 * while they are. */
void lab_loaded(void);

#endif
