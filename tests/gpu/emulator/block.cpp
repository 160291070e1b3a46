/* One block at a time: its threads are fibers, run warp by warp until all wait at a barrier. A warp
 * runs as far as it can before the next one begins: the farther apart warps are, the surer a
 * missing barrier shows. */
#include "fiber.h"
#include "state.h"

#include <cstdlib>
#include <vector>

__thread emulated_place *emulated_here;

namespace {

enum lane_state { READY, IN_MEETING, AT_BARRIER, LEFT };
struct copy {
    unsigned char *to;
    const unsigned char *from;
    size_t bytes, valid;
    unsigned group;
};
struct lane {
    emulated_place place;
    emulated_fiber fiber = {};
    lane_state state;
    unsigned mask;    /* of the meeting it waits in */
    const char *what; /* its name */
    unsigned group;   /* copies committed so far */
    std::vector<copy> copies;
};
struct warp {
    emulated_slot slots[32];
};
struct shared_array {
    const void *key;
    unsigned char *memory;
    size_t bytes;
};

enum { MOST_THREADS = 1024, MOST_SHARED = 232448, ZONE = 256 };

struct block { /* of a host thread; used again for every block it runs */
    std::vector<lane> lanes;
    std::vector<warp> warps;
    emulated_fiber home = {};
    lane *now = nullptr;
    unsigned threads = 0, waiting = 0, gone = 0;
    int barrier_sum = 0, barrier_result = 0;
    unsigned char *dynamic = nullptr;
    size_t dynamic_bytes = 0;
    std::vector<shared_array> arrays;
    const emulated_launch_of *launch = nullptr;
    const std::function<void()> *body = nullptr;
    bool broken = false;
    unsigned chance = 1;
};
thread_local block *the_block;
struct block_owner { /* frees it when its host thread ends */
    ~block_owner();
    block *mine = nullptr;
};
thread_local block_owner owner;
emulated_order order = EMULATED_SHUFFLED;

[[noreturn]] void leave_broken(block *b) {
    b->broken = true;
    for (;;) emulated_fiber_switch(&b->now->fiber, &b->home);
}

void thread_body() {
    block *b = the_block;
    (*b->body)();
    b = the_block;
    b->now->copies.clear();
    b->now->state = LEFT;
    b->gone++;
    emulated_fiber_switch(&b->now->fiber, &b->home);
    abort(); /* nobody runs a thread that has left */
}

void run_lane(block *b, lane *l) {
    b->now = l;
    emulated_here = &l->place;
    emulated_fiber_switch(&b->home, &l->fiber);
    b->now = nullptr;
}

/* The i-th of n to run, in the order asked for. */
unsigned turn(unsigned i, unsigned n, unsigned chance) {
    switch (order) {
    case EMULATED_FORWARD: return i;
    case EMULATED_BACKWARD: return n - 1 - i;
    default: return chance & 1u ? (i + (chance >> 1)) % n : n - 1 - (i + (chance >> 1)) % n;
    }
}

bool run_warp(block *b, unsigned w) {
    unsigned first = w * 32, count = b->threads - first < 32 ? b->threads - first : 32;
    bool any = false;
    for (bool ran = true; ran && !b->broken;) {
        ran = false;
        b->chance = b->chance * 1664525u + 1013904223u;
        for (unsigned i = 0; i < count && !b->broken; i++) {
            lane *l = &b->lanes[first + turn(i, count, b->chance >> 16)];
            if (l->state != READY) continue;
            run_lane(b, l);
            ran = any = true;
        }
    }
    return any;
}

void say_stuck(block *b) {
    for (unsigned t = 0; t < b->threads; t++) {
        lane *l = &b->lanes[t];
        if (l->state != AT_BARRIER && l->state != IN_MEETING) continue;
        emulated_fault(cudaErrorLaunchFailure,
                       "kernel %s, block (%u,%u,%u): thread %u waits in %s for ever: %u of %u "
                       "threads wait at __syncthreads, %u have left",
                       b->launch->name, l->place.block.x, l->place.block.y, l->place.block.z, t,
                       l->state == AT_BARRIER ? "__syncthreads" : l->what, b->waiting, b->threads,
                       b->gone);
        return;
    }
}

void run_until_done(block *b) {
    unsigned warps = (b->threads + 31) / 32;
    while (b->gone < b->threads && !b->broken) {
        bool ran = false;
        b->chance = b->chance * 1664525u + 1013904223u;
        unsigned chance = b->chance >> 16;
        for (unsigned i = 0; i < warps; i++) ran |= run_warp(b, turn(i, warps, chance));
        if (b->waiting == b->threads) {
            b->barrier_result = b->barrier_sum;
            b->barrier_sum = 0;
            b->waiting = 0;
            for (unsigned t = 0; t < b->threads; t++) b->lanes[t].state = READY;
        } else if (!ran && b->gone < b->threads) {
            say_stuck(b);
            b->broken = true;
        }
    }
}

void fill_shared(block *b) {
    memset(b->dynamic, 0xff, b->dynamic_bytes + ZONE);
    for (shared_array &a : b->arrays) memset(a.memory, 0xff, a.bytes + ZONE);
}
bool zone_whole(const unsigned char *zone) {
    for (int i = 0; i < ZONE; i++)
        if (zone[i] != 0xff) return false;
    return true;
}
void check_shared(block *b) {
    bool whole = zone_whole(b->dynamic + b->dynamic_bytes);
    for (shared_array &a : b->arrays) whole &= zone_whole(a.memory + a.bytes);
    if (!whole)
        emulated_fault(cudaErrorIllegalAddress, "kernel %s wrote behind its shared memory",
                       b->launch->name);
}

void place_lanes(block *b, uint3 at) {
    dim3 size = b->launch->block;
    for (unsigned t = 0; t < b->threads; t++) {
        lane *l = &b->lanes[t];
        if (!l->fiber.stack) emulated_fiber_stack(&l->fiber);
        l->place.thread = {t % size.x, t / size.x % size.y, t / size.x / size.y};
        l->place.block = at;
        l->place.block_size = size;
        l->place.grid_size = b->launch->grid;
        l->state = READY;
        l->group = 0;
        l->copies.clear();
        emulated_fiber_begin(&l->fiber, thread_body);
    }
}
void run_block(block *b, uint3 at) {
    b->waiting = b->gone = 0;
    b->barrier_sum = 0;
    fill_shared(b);
    place_lanes(b, at);
    run_until_done(b);
    check_shared(b);
}

block_owner::~block_owner() {
    if (!mine) return;
    for (lane &l : mine->lanes) emulated_fiber_free(&l.fiber);
    for (shared_array &a : mine->arrays) free(a.memory);
    free(mine->dynamic);
    delete mine;
}
block *block_for(const emulated_launch_of &launch, const std::function<void()> &body) {
    if (!the_block) {
        the_block = owner.mine = new block;
        the_block->dynamic = static_cast<unsigned char *>(aligned_alloc(1024, MOST_SHARED + 1024));
    }
    block *b = the_block;
    b->launch = &launch;
    b->body = &body;
    b->broken = false;
    b->threads = launch.block.x * launch.block.y * launch.block.z;
    b->dynamic_bytes = launch.shared;
    for (shared_array &a : b->arrays) free(a.memory);
    b->arrays.clear();
    if (b->lanes.size() < b->threads) b->lanes.resize(b->threads);
    if (b->warps.size() < (b->threads + 31) / 32) b->warps.resize((b->threads + 31) / 32);
    return b;
}

} // namespace

extern "C" void emulated_set_order(enum emulated_order chosen) {
    order = chosen;
}

void emulated_run_blocks(const emulated_launch_of &launch, const std::function<void()> &body) {
    block *b = block_for(launch, body);
    size_t blocks = size_t(launch.grid.x) * launch.grid.y * launch.grid.z;
    for (size_t i = 0; i < blocks && !b->broken && emulated_sticky() == cudaSuccess; i++) {
        size_t at = order == EMULATED_FORWARD ? i : blocks - 1 - i;
        run_block(b, {unsigned(at % launch.grid.x), unsigned(at / launch.grid.x % launch.grid.y),
                      unsigned(at / launch.grid.x / launch.grid.y)});
    }
    emulated_here = nullptr;
}

void *emulated_dynamic_shared() {
    return the_block->dynamic;
}
void *emulated_static_shared(const void *key, size_t bytes) {
    block *b = the_block;
    for (shared_array &a : b->arrays)
        if (a.key == key) return a.memory;
    auto memory =
        static_cast<unsigned char *>(aligned_alloc(128, (bytes + ZONE + 127) / 128 * 128));
    memset(memory, 0xff, bytes + ZONE);
    b->arrays.push_back({key, memory, bytes});
    return memory;
}

unsigned emulated_lane() {
    block *b = the_block;
    return unsigned(b->now - &b->lanes[0]) % 32;
}

int emulated_barrier(int value) {
    block *b = the_block;
    if (b->gone) {
        emulated_fault(cudaErrorLaunchFailure,
                       "kernel %s: a __syncthreads that not all threads of the block reach",
                       b->launch->name);
        leave_broken(b);
    }
    b->barrier_sum += value;
    b->waiting++;
    b->now->state = AT_BARRIER;
    emulated_fiber_switch(&b->now->fiber, &b->home);
    return b->barrier_result;
}

emulated_slot *emulated_meet(const char *what, unsigned mask, emulated_meeting meet,
                             const void *brought, size_t bytes) {
    block *b = the_block;
    lane *me = b->now;
    size_t thread = size_t(me - &b->lanes[0]), first = thread / 32 * 32;
    warp *w = &b->warps[thread / 32];
    if (!(mask >> (thread % 32) & 1u)) {
        emulated_fault(cudaErrorLaunchFailure, "kernel %s: %s by lane %zu, not in its mask %08x",
                       b->launch->name, what, thread % 32, mask);
        leave_broken(b);
    }
    emulated_slot *slot = &w->slots[thread % 32];
    if (bytes) memcpy(slot->bytes, brought, bytes);
    bool all = true;
    for (unsigned i = 0; i < 32 && all; i++) {
        if (!(mask >> i & 1u) || first + i == thread) continue;
        if (first + i >= b->threads) {
            if (mask == 0xffffffffu) continue; /* the block's last warp is not whole */
            all = false;
            break;
        }
        lane *l = &b->lanes[first + i];
        all = l->state == IN_MEETING && l->mask == mask && l->what == what;
    }
    if (!all) {
        me->mask = mask;
        me->what = what;
        me->state = IN_MEETING;
        emulated_fiber_switch(&me->fiber, &b->home);
        return slot;
    }
    if (meet) meet(w->slots, mask);
    for (unsigned i = 0; i < 32; i++)
        if ((mask >> i & 1u) && first + i < b->threads) b->lanes[first + i].state = READY;
    return slot;
}

/* ── asynchronous copies happen as late as they may: a missing wait shows ── */
void emulated_copy_later(void *to, const void *from, size_t bytes, size_t valid) {
    lane *me = the_block->now;
    if ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) % bytes)
        emulated_trap(); /* as a GPU would */
    me->copies.push_back({static_cast<unsigned char *>(to),
                          static_cast<const unsigned char *>(from), bytes, valid, me->group});
}
void emulated_copy_commit() {
    the_block->now->group++;
}
void emulated_copy_wait(int left) {
    lane *me = the_block->now;
    size_t kept = 0;
    for (copy &c : me->copies) {
        if (c.group + unsigned(left) >= me->group) {
            me->copies[kept++] = c;
            continue;
        }
        memcpy(c.to, c.from, c.valid);
        memset(c.to + c.valid, 0, c.bytes - c.valid);
    }
    me->copies.resize(kept);
}

void emulated_trap() {
    emulated_fault(cudaErrorLaunchFailure, "kernel %s: __trap", the_block->launch->name);
    leave_broken(the_block);
}
