/* Fibers: stacks of their own, switched by hand, without a system call. */
#ifndef EMULATOR_FIBER_H
#define EMULATOR_FIBER_H

#include <cstddef>

struct emulated_fiber {
    void *stack_pointer;
    unsigned char *stack;
};
static constexpr size_t EMULATED_STACK = 256 * 1024;

void emulated_fiber_stack(emulated_fiber *fiber); /* once */
void emulated_fiber_free(emulated_fiber *fiber);
void emulated_fiber_begin(emulated_fiber *fiber, void (*run)()); /* `run` must never return */
void emulated_fiber_switch(emulated_fiber *from, emulated_fiber *to);

#endif
