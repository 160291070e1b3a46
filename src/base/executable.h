/* Where the running program itself is: the only file that knows how the system tells. */
#ifndef BASE_EXECUTABLE_H
#define BASE_EXECUTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* The absolute path of the running program; false if the system does not tell. */
bool base_executable_path(char *out, size_t size);

#endif
