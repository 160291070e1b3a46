/* Tiers: where a rank keeps model states that are not on its device.
 *
 *     device   what is computed with; the cap is on this tier
 *       │ ▲     the host link: gradients go down, updated parameters come up
 *       ▼ │
 *     host     optimizer states, and the memory that the host's update works in
 *       │ ▲     the disk
 *       ▼ │
 *     nvme     the same states in a file, of which the host sees a piece at a time
 *
 * ZeRO-Offload (Ren et al., arXiv:2101.06840) keeps the optimizer on the host and updates there.
 * ZeRO-Infinity (Rajbhandari et al., arXiv:2104.07857) adds NVMe.
 *
 * A tier is memory with a ledger: a lab_device of which only alloc, free, upload, download and
 * finish are called. Its addresses must not be followed unless kernels can. On the CPU the host's
 * memory is the device's own, and what makes it another tier is that it is counted and capped
 * separately, and that what crosses is copied. Inside the lab only. */
#ifndef LAB_TIER_H
#define LAB_TIER_H

#include "lab/comm.h"
#include "lab/device.h"
#include "lab/ledger.h"
#include "lab/report.h"

#include <pthread.h>

/* ── lanes ──
 *
 * Between two tiers data moves on two lanes, one in each direction. A lane is a thread that carries
 * out its moves in the order in which they were started. Bytes are counted where they are moved. */

enum lab_lane_kind { LAB_LANE_DOWN, LAB_LANE_UP, LAB_LANE_WRITE, LAB_LANE_READ, LAB_LANES };
struct lab_move {
    void *to;
    const void *from;
    size_t bytes;
};
enum { LAB_MOVES = 64 };
struct lab_lane {
    /* Whose memory is read from, or written to if `up`. The other side is the host's. */
    struct lab_device *device;
    bool up;
    /* Emulated: bytes per second, and seconds for each move. 0: as fast as it goes. */
    double rate, latency;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t work, moved;
    bool runs, closing;
    /* Move t is at index t modulo LAB_MOVES. */
    struct lab_move move[LAB_MOVES];
    lab_ticket started, ended;
    uint64_t bytes;
};
/* Starts the lane's thread. Without one (a dry run) moves are counted and not made. */
bool lab_lane_open(struct lab_lane *l, bool dry, struct lab_message *m);
/* Waits for the moves that were started, and ends the thread. */
void lab_lane_close(struct lab_lane *l);
/* Starts a move. Its memory belongs to the lane until lab_lane_wait() returns. Blocks while
 * LAB_MOVES moves are under way. */
lab_ticket lab_lane_start(struct lab_lane *l, const struct lab_move *x);
/* Waits for at most a tenth of a second. Returns whether that move has ended. */
bool lab_lane_ended(struct lab_lane *l, lab_ticket t);

/* ── the file ── */

/* Opens a file in this folder as a device. It has no name, so that it is gone when the rank ends,
 * however that happens. NULL with a message if there can be none. */
struct lab_device *lab_file_open(const char *folder, struct lab_message *m);
/* Tries to make and remove a file in this folder. */
bool lab_file_try(const char *folder, bool *direct, struct lab_message *m);

/* ── a rank's tiers ── */

/* Arrays that an update reads or writes. */
enum lab_updated { LAB_GRADS, LAB_PARAMS, LAB_MASTER, LAB_M, LAB_V, LAB_UPDATED };
/* SLOTS: one piece is fetched while one is updated and one is stored. GRAIN: elements of which a
 * piece has a multiple, so that pieces of 16-bit arrays, too, are whole blocks of a file. */
enum { LAB_PIECE_SLOTS = 3, LAB_PIECE_GRAIN = 2048 };
struct lab_piece_slot {
    /* Memory of the host for an array's piece. NULL: the update works on the array itself. */
    char *memory[LAB_UPDATED];
    /* Of each lane, the last move from or to this slot. */
    lab_ticket ticket[LAB_LANES];
};
struct lab_piece {
    /* Elements [from, to) of this rank's part of a unit. */
    size_t unit, from, to;
    struct lab_piece_slot *slot;
};
/* The host's memory through which shards of parameters come from the file. */
struct lab_rise {
    char *memory;
    /* The unit whose shard is read into it, if there is a ticket. */
    size_t unit;
    lab_ticket ticket;
};
struct lab_tiers {
    /* Of the device, `device` only: its ledger is the rank's. */
    struct lab_tier {
        struct lab_device *device;
        struct lab_ledger ledger;
    } tier[LAB_TIERS];
    struct lab_lane lane[LAB_LANES];
    struct lab_piece_slot slot[LAB_PIECE_SLOTS];
    /* Elements of a piece. */
    size_t piece;
    /* Pieces that were fetched so far, and the next one to update. */
    size_t turn;
    struct lab_piece ahead;
    struct lab_rise rise;
};
struct lab_rank;
/* Opens the tiers that the options ask for. */
bool lab_tiers_open(struct lab_rank *k);
/* Ends the lanes: nothing moves after that, and memory may be given back. */
void lab_tiers_stop(struct lab_rank *k);
/* Closes the file, once all that is in it was given back. */
void lab_tiers_close(struct lab_rank *k);
/* The ledger of a tier. */
struct lab_ledger *lab_ledger_of(struct lab_rank *k, enum lab_tier_kind kind);
/* The memory of the optimizer's states, and that of parameters. */
struct lab_device *lab_optimizer_device(const struct lab_rank *k);
struct lab_device *lab_params_device(const struct lab_rank *k);
/* Takes memory for the optimizer's states or for parameters, on their tier. Zeroed. NULL with the
 * reason in the rank's message or its ledger. */
void *lab_tier_take(struct lab_rank *k, enum lab_tier_kind kind, enum account_category c,
                    enum lab_side side, size_t bytes);
/* Waits until a move has ended. The time is counted as the step's waiting for tiers. */
bool lab_tier_wait(struct lab_rank *k, enum lab_lane_kind lane, lab_ticket t);
/* What the tiers hold and what has crossed, for a report. */
void lab_tiers_tell(const struct lab_rank *k, struct lab_held out[LAB_TIERS]);

/* piece.c: takes the host's memory through which pieces pass, once the states are there; gives it
 * back. Category staging, with a bound that does not grow with the model: SLOTS pieces, each at
 * most a rank's row of a bucket (rounded up to GRAIN), of what is not on the host. */
bool lab_piece_reserve(struct lab_rank *k);
void lab_piece_free(struct lab_rank *k);
/* rise.c: the same for parameters that are in the file: one shard of the largest unit. */
bool lab_rise_reserve(struct lab_rank *k);
void lab_rise_free(struct lab_rank *k);
/* Begins to read this rank's shard of the unit that rises next. */
void lab_rise_ahead(struct lab_rank *k, size_t unit);
/* Brings this rank's shard of a unit to the device. Shards that are there stay where they are. */
bool lab_rise(struct lab_rank *k, size_t unit, void *to);
/* piece.c: steps the optimizer on this rank's part of a unit, piece by piece, where the states are.
 * `x` has the step's factors. */
struct lab_adam;
bool lab_update_unit(struct lab_rank *k, size_t unit, struct lab_adam *x);
/* Waits until all that the update changed is where it belongs. */
bool lab_update_settle(struct lab_rank *k);

#endif
