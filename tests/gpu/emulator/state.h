/* Shared between the emulator's own files. */
#ifndef EMULATOR_STATE_H
#define EMULATOR_STATE_H

#include "cuda_runtime.h"
#include "emulator.h"

/* Records the first fault, with a message; every later call then fails with `error`. */
void emulated_fault(cudaError_t error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
cudaError_t emulated_sticky();
cudaError_t emulated_failed(cudaError_t error); /* notes it for cudaGetLastError */

/* Runs one launch's blocks on this host thread. */
void emulated_run_blocks(const emulated_launch_of &launch, const std::function<void()> &body);

/* Red zones around all device memory: true, or a fault that names `after`. */
bool emulated_check_zones(const char *after);
void emulated_mend_zones();
/* Is [at, at + bytes) inside one device allocation? */
bool emulated_on_device(const void *at, size_t bytes);
bool emulated_in_device(const void *at); /* points into one at all */

bool emulated_reaches(int device, int other);
/* What is used on a device for the first time takes as much memory as this variable says. */
void emulated_load(const void *what, const char *variable);

void emulated_enqueue(cudaStream_t stream, std::function<void()> work);
bool emulated_on_current(cudaStream_t stream); /* it is the current device's */
void emulated_drain();                         /* waits for all streams */
int emulated_device();

#endif
