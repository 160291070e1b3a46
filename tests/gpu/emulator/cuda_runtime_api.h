/* CUDA's C interface alone bears this name; here it is all in one. */
#include "cuda_runtime.h"
