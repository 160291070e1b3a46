/* What a test may ask of the emulated GPU. Environment variables, read once:
 * ZEROLAB_EMULATE_ASYNC=1       each stream runs in a thread of its own, with delays by chance
 *                               before its work: a missing event shows
 * ZEROLAB_EMULATE_ORDER=forward|backward|shuffled   in which order the threads of a block run
 *                                                   between two barriers: a missing barrier
 *                                                   shows
 * ZEROLAB_EMULATE_GPUS=N        devices there are (1); 0: none
 * ZEROLAB_EMULATE_MEMORY=BYTES  memory of each (8 GiB)
 * ZEROLAB_EMULATE_APART=1       none of them can read another's memory
 * ZEROLAB_EMULATE_DRIFT=0.5     the clock of GPU g runs by g · 0.5 faster than the first one's
 * ZEROLAB_EMULATE_MODE=busy      a GPU for one process at a time, which another one has;
 *                                exclusive: nobody has it yet; prohibited: for none
 * ZEROLAB_EMULATE_ALGORITHMS=N  that cuBLASLt knows for each product, each with sums in an order
 *                               of its own (1)
 * ZEROLAB_EMULATE_NAME=TEXT     what the driver calls them
 * ZEROLAB_EMULATE_MIG=1         it is a slice of a GPU
 * ZEROLAB_EMULATE_MODULE=BYTES  of memory that each kernel takes when it is first launched;
 *                               ZEROLAB_EMULATE_LIBRARY: that the first product takes
 * ZEROLAB_EMULATE_CAPABILITY=75 its compute capability is 7.5 (9.0)
 *
 * A fault (a write outside, a barrier not all threads meet, …) is said on stderr and makes every
 * later call fail, as on a GPU. */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum emulated_order { EMULATED_FORWARD, EMULATED_BACKWARD, EMULATED_SHUFFLED };
void emulated_set_order(enum emulated_order order);
/* Only before the first stream is made. */
void emulated_set_async(bool async);
/* The first fault's text, or NULL. */
const char *emulated_fault_text(void);
/* Forgets the fault, and mends red zones. */
void emulated_clear_fault(void);
/* Faults are not written on stderr: for tests which cause them. */
void emulated_quiet(bool quiet);
/* Bytes allocated on a device now. */
size_t emulated_device_used(int device);

#ifdef __cplusplus
}
#endif
#endif
