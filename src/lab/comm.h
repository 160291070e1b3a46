/* Communication among ranks. A transfer is started and waited for. Transfers of one comm run in the
 * order in which they were started, on a thread or stream of the comm, after the compute that was
 * enqueued before. Sums are added in rank order in fp32, whatever the partition, so that every
 * stage has the same bits. */
#ifndef LAB_COMM_H
#define LAB_COMM_H

#include "lab/dtype.h"

struct lab_comm;
struct lab_device;
struct lab_message;
struct lab_options;

enum lab_collective {
    LAB_ALL_REDUCE,
    LAB_REDUCE_SCATTER,
    LAB_ALL_GATHER,
    LAB_ALL_TO_ALL,
    LAB_BROADCAST,
    LAB_COLLECTIVES
};
/* The first so many are those of a training; the last of them, of ZeRO++ alone. */
enum { LAB_SENT = LAB_BROADCAST };

/* ── who talks to whom ──
 *
 * A collective runs among a set of ranks. With groups of G there are three sets that a rank is in,
 * as in a table with a row for each group:
 *
 *     ranks 0 1 2      inside: the rank's row      across: its column      world: all
 *           3 4 5
 *
 * Without groups the one row is the world, and a column is a rank by itself. The ranks that share a
 * second copy of the parameters are a part of a row: so many as follow one another. If a row
 * stretches over several nodes, the ranks on one of them are near, and those that have the same
 * place on each of them are far. */
enum lab_among { LAB_WORLD, LAB_INSIDE, LAB_ACROSS, LAB_SECOND, LAB_NEAR, LAB_FAR, LAB_AMONG };
/* Ranks first, first + stride …, `count` of them; this rank is number `mine`, from 0. */
struct lab_set {
    uint32_t first, stride, count, mine;
};
struct lab_set lab_set_of(const struct lab_comm *c, enum lab_among among);
/* Returns the rank that is number i of the set. */
uint32_t lab_member(const struct lab_set *s, uint32_t i);
/* Whether another rank is on this one's node. */
bool lab_is_near(const struct lab_comm *c, uint32_t rank);

/* `whole` is [ranks of the set][count]. Rank `me` of the set gets or gives:
 *
 *     reduce_scatter   shard[i] = Σ_r whole_r[me][i], added to what is there if `add`
 *     all_gather       whole[r] = shard_r; shard may be whole + me · count
 *     all_reduce       whole[r][i] = Σ of all, in place: a reduce-scatter, then an all-gather
 *     all_to_all       shard[i] = Σ_r whole_r[me][i], of pieces that may be in blocks: each rank
 * has all others' pieces for it, and adds them itself (ZeRO++, section 3.3) broadcast        all of
 * the first rank's whole
 *
 * Peers' transfers must agree in op, count and types. If they do not, wait() says so on every rank.
 * What peers read (whole, of an all_gather the shard) must be memory from comm->alloc. A shard may
 * be the own piece of whole, in the same type. fp64 is summed in fp64, the others in fp32, rounded
 * once to nearest even; `add` rounds (what is there) + Σ once. */
struct lab_transfer {
    enum lab_collective op;
    enum lab_among among;
    void *whole, *shard;
    /* elements of a rank's piece, and between the beginnings of two pieces in whole; 0: as many */
    size_t count, stride;
    /* into: of a reduce_scatter's or all_to_all's shard */
    enum lab_dtype type, into;
    bool add;
    /* for the record; −1: none */
    int unit;
};
typedef uint64_t lab_ticket; /* 0: nothing to wait for */

/* Of one transfer, in seconds by this rank's own clock, which all ranks set alike when the run
 * began. Clocks of several GPUs drift apart: differences on one rank are true, those between ranks
 * are not. */
struct lab_comm_times {
    /* arrived: when the last rank had come, so arrived − started is skew. */
    double started, arrived, ended;
    /* How long compute stood still for it. */
    double exposed;
};
/* Called by the comm when a transfer is done, on the compute thread inside wait() or settle(). */
typedef void lab_comm_watch(void *self, const struct lab_transfer *x, uint64_t sent,
                            const struct lab_comm_times *times);

struct lab_comm_row {
    const char *name;
    /* Memory that peers can read, zeroed, at the same offset on every rank: all ranks ask in the
     * same order. NULL if there is none left: then `trouble` says what has run out. */
    void *(*alloc)(struct lab_comm *c, size_t bytes);
    void (*free)(struct lab_comm *c, void *memory, size_t bytes);
    lab_ticket (*start)(struct lab_comm *c, const struct lab_transfer *x);
    /* Makes compute wait for the transfer. False with a message if a peer failed or the job was
     * aborted. */
    bool (*wait)(struct lab_comm *c, lab_ticket t, struct lab_message *m);
    /* At the end of a step: all transfers that were waited for are over, and the watch has been
     * called. NULL: that is so when wait() returns. */
    bool (*settle)(struct lab_comm *c, struct lab_message *m);
    /* Gives every rank's value, in rank order. Counted as control. */
    bool (*exchange)(struct lab_comm *c, double mine, double *all, struct lab_message *m);
    bool (*barrier)(struct lab_comm *c, struct lab_message *m);
    /* Gives rank 0's bytes, at most 4096, to all ranks before the run. Not counted. NULL: ranks are
     * threads of one process. */
    bool (*share)(struct lab_comm *c, void *bytes, size_t size, struct lab_message *m);
    /* A sign of life, with where the rank is: read by the launcher's watchdog. */
    void (*progress)(struct lab_comm *c, uint32_t step, int phase, int unit);
    /* Bytes that the machine holds for this rank in memory from alloc, its own part of shared
     * resident memory. 0 if not known. */
    uint64_t (*resident)(struct lab_comm *c);
    /* Whether memory that transfers write to is from alloc too, so that the comm knows both sides
     * of a transfer. If not, it is the device's own. */
    bool lands;
    /* Whether pieces may lie apart in whole (lab_transfer.stride). */
    bool strides;
    /* Tells the ranks that still wait for this one that it left. */
    void (*close)(struct lab_comm *c);
};
struct lab_comm {
    const struct lab_comm_row *row;
    uint32_t rank, ranks;
    /* Ranks of a group, of a node, and that share a second copy of the parameters. 0: all. */
    uint32_t group, node, second;
    /* Bytes of this rank's memory that others read, counted where they are copied. */
    uint64_t sent[LAB_COLLECTIVES];
    /* Of all these, what ranks on other nodes read. */
    uint64_t between;
    uint64_t control;
    /* the rank whose silence broke the comm for this one, + 1; 0: none did */
    uint32_t missed;
    /* why alloc last gave nothing */
    char trouble[160];
    lab_comm_watch *watch;
    void *watch_self;
};

/* shm: this process is a rank; what it inherited from the launcher says which. local: `shared` was
 * made by lab_local_new(). */
struct lab_comm *lab_shm_open(const struct lab_options *o, struct lab_message *m);
struct lab_local;
struct lab_local *lab_local_new(const struct lab_options *o, struct lab_message *m);
struct lab_comm *lab_local_open(struct lab_local *shared, uint32_t rank, struct lab_message *m);
void lab_local_free(struct lab_local *shared);
/* Moves nothing and counts what would be sent: for dry runs. Addresses that it gives must not be
 * followed. exchange() says that all ranks said the same. */
struct lab_comm *lab_null_comm(uint32_t rank, uint32_t ranks);
/* Returns the bytes that the others of the set read of this rank's memory in a transfer, by the
 * formula: (N − 1) pieces for an all-gather or reduce-scatter, twice that for an all-reduce. Comms
 * that copy do not call it, because they count. `rank` is the number in the set. */
uint64_t lab_transfer_sent(const struct lab_transfer *x, uint32_t rank, uint32_t ranks);
/* Returns how much of what a rank sends in a transfer goes to ranks on other nodes. */
uint64_t lab_sent_between(const struct lab_comm *c, const struct lab_transfer *x, uint64_t sent);

/* "all_reduce" … */
const char *lab_collective_name(enum lab_collective op);

/* ── for comms: the transfers that were started, and whose end compute has not been told ── */

struct lab_job {
    struct lab_transfer transfer;
    struct lab_comm_times times;
    uint64_t sent, between;
};
/* Tickets 1 … told are forgotten, told + 1 … started are kept. */
struct lab_tickets {
    /* Ticket t is at index t modulo the capacity, which is a power of two. */
    struct lab_job *job;
    size_t capacity;
    lab_ticket started, told;
};
/* Returns the next ticket, or 0 if there is no memory. Moves the jobs. */
lab_ticket lab_tickets_add(struct lab_tickets *q, const struct lab_transfer *x);
struct lab_job *lab_tickets_at(const struct lab_tickets *q, lab_ticket t);
/* Counts the oldest job in `c`, calls its watch, and forgets it. */
void lab_tickets_tell(struct lab_comm *c, struct lab_tickets *q, const struct lab_job *oldest);

#endif
