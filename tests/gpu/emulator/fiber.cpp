#include "fiber.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

void emulated_fiber_stack(emulated_fiber *fiber) {
    void *memory = mmap(nullptr, EMULATED_STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "emulator: no memory for the stack of an emulated thread\n");
        abort();
    }
    mprotect(memory, 4096, PROT_NONE);
    fiber->stack = static_cast<unsigned char *>(memory);
}

void emulated_fiber_free(emulated_fiber *fiber) {
    if (fiber->stack) munmap(fiber->stack, EMULATED_STACK);
    fiber->stack = nullptr;
}

/* What a call must keep lies on the fiber's own stack; a new fiber's stack looks as if it had just
 * been left. */
#if defined(__x86_64__)
extern "C" void emulated_switch_stacks(void **save, void *load);
asm(".text\n.globl emulated_switch_stacks\n.type emulated_switch_stacks,@function\n"
    "emulated_switch_stacks:\n"
    "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
    "mov %rsp,(%rdi)\nmov %rsi,%rsp\n"
    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n"
    ".size emulated_switch_stacks,.-emulated_switch_stacks\n"
    ".section .note.GNU-stack,\"\",@progbits\n.text\n");

void emulated_fiber_begin(emulated_fiber *fiber, void (*run)()) {
    void **top = reinterpret_cast<void **>(fiber->stack + EMULATED_STACK);
    *--top = nullptr; /* where a caller's address would be: run() finds its stack 8 bytes off 16, as
                         after a call */
    *--top = reinterpret_cast<void *>(run);
    for (int saved = 0; saved < 6; saved++) *--top = nullptr;
    fiber->stack_pointer = top;
}
#elif defined(__aarch64__)
extern "C" void emulated_switch_stacks(void **save, void *load);
asm(".text\n.globl emulated_switch_stacks\n.type emulated_switch_stacks,@function\n"
    "emulated_switch_stacks:\n"
    "sub sp,sp,#160\n"
    "stp x19,x20,[sp]\nstp x21,x22,[sp,#16]\nstp x23,x24,[sp,#32]\nstp x25,x26,[sp,#48]\n"
    "stp x27,x28,[sp,#64]\nstp x29,x30,[sp,#80]\n"
    "stp d8,d9,[sp,#96]\nstp d10,d11,[sp,#112]\nstp d12,d13,[sp,#128]\nstp d14,d15,[sp,#144]\n"
    "mov x9,sp\nstr x9,[x0]\nmov sp,x1\n"
    "ldp x19,x20,[sp]\nldp x21,x22,[sp,#16]\nldp x23,x24,[sp,#32]\nldp x25,x26,[sp,#48]\n"
    "ldp x27,x28,[sp,#64]\nldp x29,x30,[sp,#80]\n"
    "ldp d8,d9,[sp,#96]\nldp d10,d11,[sp,#112]\nldp d12,d13,[sp,#128]\nldp d14,d15,[sp,#144]\n"
    "add sp,sp,#160\nret\n"
    ".size emulated_switch_stacks,.-emulated_switch_stacks\n");

void emulated_fiber_begin(emulated_fiber *fiber, void (*run)()) {
    void **frame = reinterpret_cast<void **>(fiber->stack + EMULATED_STACK - 160);
    memset(frame, 0, 160);
    frame[11] = reinterpret_cast<void *>(run); /* x30, where ret goes */
    fiber->stack_pointer = frame;
}
#else
#error "the emulator switches stacks on x86-64 and aarch64 only"
#endif

void emulated_fiber_switch(emulated_fiber *from, emulated_fiber *to) {
    emulated_switch_stacks(&from->stack_pointer, to->stack_pointer);
}
