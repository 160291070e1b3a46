/* play: what training does, frame by frame, for teaching.
 *
 * A play is a row of a table (play.c): its name, its options, how
 * many frames it has, what each frame says, and where it stops once to ask something. In flows
 * where one stands in it (struct account_playing). Out flow
 *
 *   account_play_frame()    of one frame its moment, its sentence, and how long it stays
 *   account_scene()         what is in it, for those plays that are collectives: chunks on ranks
 *   account_conveyor()      the same for buckets in backward
 *   account_gathering()     the same for units that are gathered, used and freed
 *
 * and, in play/steps.h,
 *
 *   account_flat()          a flat buffer that is cut in shards
 *   account_pipeline()      the slots of a pipeline's stages
 *   account_tiers()         bytes between GPU, host memory and NVMe
 *
 * and, in play/layers.h,
 *
 *   account_layer()         a layer that is divided among ranks
 *   account_experts()       tokens that travel to their experts and back
 *
 * Every number in a frame is the engine's own: bytes sent are those of account_traffic(), peaks
 * those of account_memory(). Whoever draws a frame asks for its state and draws that. To add a
 * play: a file that computes its state and has its row, the row in play.c, and a drawing of it
 * (page/play.c has the table of those). */
#ifndef ACCOUNT_PLAY_H
#define ACCOUNT_PLAY_H

#include "account/training/training.h"

/* ── the table of plays ────────────────────────────────────────────────────────────────────────*/

enum { ACCOUNT_PLAY_OPTIONS = 3, ACCOUNT_PLAY_VALUES = 16 };
/* What a learner may change; the play then starts over. */
struct account_play_option {
    /* In lessons and when typed: "ranks". */
    const char *name;
    /* What changing it does, a line for the help. */
    const char *help;
    uint32_t value[ACCOUNT_PLAY_VALUES];
    size_t values;
    /* The position of the one it begins with. */
    size_t usual;
    /* Names of the values; NULL: the numbers themselves. */
    const char *const *names;
    /* Former names, which can be typed, too; NULL for a value that has none, and if none has. */
    const char *const *also;
};

struct account_play;
/* Where one stands in a play. */
struct account_playing {
    const struct account_play *play;
    /* Positions among the values of each option. */
    size_t at[ACCOUNT_PLAY_OPTIONS];
    /* From 0. */
    uint32_t frame;
    /* Of the array that a collective moves; 0 where no size is told. */
    double bytes;
    /* Of plays that follow one training; its `gpus` are 0 if none was told. */
    struct account_training training;
};

enum { ACCOUNT_PLAY_SENTENCE = 200 };
struct account_play_frame {
    /* "start", "turn" …: one of the play's moments. */
    const char *moment;
    /* Where it stands: "hop 2 of 6". */
    char place[40];
    /* What happens, in a sentence or two. */
    char says[ACCOUNT_PLAY_SENTENCE];
    /* Milliseconds that it stays while the play goes by at its usual speed. */
    uint32_t ms;
    /* Only seen while it goes by: a step goes past it. */
    bool passing;
};

struct account_play {
    const char *name;
    /* For people: "ring all-reduce". */
    const char *title;
    /* What notes can be keyed by, in the order in which they come; NULL ends them. */
    const char *const *moments;
    /* Bytes of its longest sentence, for which a page keeps rows in each frame; a test counts. */
    size_t longest;
    size_t options;
    const struct account_play_option *option;
    /* False, with the reason, if it cannot play this training or these bytes; NULL: it can all. */
    bool (*check)(const struct account_playing *at, struct account_error *e);
    /* At least 2. */
    uint32_t (*frames)(const struct account_playing *at);
    void (*frame)(const struct account_playing *at, struct account_play_frame *out);
    /* The first frame after the question, if the lesson asks one, and the right answer: a digit,
     * less than choices() unless that is NULL. No frame before which it stops shows the answer. */
    uint32_t (*stop)(const struct account_playing *at, uint32_t *answer);
    uint32_t (*choices)(const struct account_playing *at);
    /* The training as the options have it; NULL of a play that does not show what a GPU keeps. */
    struct account_training (*training)(const struct account_playing *at);
};

/* The plays, in the order in which lessons use them. */
const struct account_play *const *account_plays(size_t *count);
/* NULL if there is none of that name. */
const struct account_play *account_play_find(const char *name);
/* Every option at its usual value, before the first frame. */
struct account_playing account_play_begin(const struct account_play *play);
/* Sets an option by its name; false, with the reason, if there is none or it has no such value. */
bool account_play_set(struct account_playing *at, const char *option, uint32_t value,
                      struct account_error *e);
/* "200 MB", "off", "4": of one position. Returns `out`. */
const char *account_play_value_name(const struct account_play_option *o, size_t position, char *out,
                                    size_t size);
/* The frame it stands on; one beyond the last is the last. */
void account_play_frame(const struct account_playing *at, struct account_play_frame *out);
uint32_t account_play_frames(const struct account_playing *at);
/* The nearest frame forward or back that is not only passed by; the last, the first if there is
 * none. */
uint32_t account_play_step(const struct account_playing *at, bool forward);
/* The next frame of a moment that no frame before it had; the last if there is none. */
uint32_t account_play_part(const struct account_playing *at);
/* The frames that are not only passed by, as a learner counts them, from 1: how many there are, and
 * which one has this number; beyond the last it is the last. */
uint32_t account_play_stops(const struct account_playing *at);
uint32_t account_play_stop(const struct account_playing *at, uint32_t number);
/* The number of the frame that it is at, or of the one before that is not only passed by. */
uint32_t account_play_number(const struct account_playing *at);

/* ── collectives: chunks on ranks ────────────────────────────────────────────────────────────────
 * Ring: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
 * 2009; n − 1 hops of reduce-scatter, n − 1 of all-gather, one chunk from each rank to the next in
 * every hop. Tree: a binomial tree, reduced to rank 0 and sent back (Rabenseifner, "Optimization of
 * collective reduction operations", 2004). */
enum account_scene_kind {
    ACCOUNT_SCENE_RING_REDUCE_SCATTER,
    ACCOUNT_SCENE_RING_ALL_GATHER,
    ACCOUNT_SCENE_RING_ALL_REDUCE,
    ACCOUNT_SCENE_TREE_ALL_REDUCE,
    ACCOUNT_SCENES
};
enum { ACCOUNT_SCENE_RANKS = 8 };
struct account_scene {
    enum account_scene_kind kind;
    /* There are as many chunks as ranks. */
    uint32_t ranks;
    /* A hop is two frames: its chunks leave, its chunks arrive. `hop` is the one that the frame
     * belongs to, 0 before the first. */
    uint32_t frame, frames, hop, hops;
    /* The chunks of `move` are on the links: what they will change is still as it was. */
    bool leaving;
    /* [rank][chunk] */
    struct account_cell {
        /* Bit k: rank k's share has been added; 0: nothing is there. */
        uint16_t shares;
        /* It came, or was added to, in this hop. */
        bool fresh;
        /* A sum that was sent on before it was whole: nobody needs it any more. */
        bool stale;
    } cell[ACCOUNT_SCENE_RANKS][ACCOUNT_SCENE_RANKS];
    /* Of this hop, also when they have arrived. */
    size_t moves;
    struct account_move {
        /* `chunks` of them from `chunk` on. */
        uint8_t from, to, chunk, chunks;
        /* Else it replaces. */
        bool adds;
    } move[ACCOUNT_SCENE_RANKS];
    /* Chunks that each rank has put on its links so far. */
    uint32_t sent[ACCOUNT_SCENE_RANKS];
};
/* A frame of a collective among 2 to 8 ranks; one beyond the last is the last. False if there are
 * fewer or more ranks. */
bool account_scene(enum account_scene_kind kind, uint32_t ranks, uint32_t frame,
                   struct account_scene *out);
/* Of a play that is a collective: which, and its frame. False for other plays. */
bool account_scene_of(const struct account_playing *at, struct account_scene *out);
/* Whether a chunk is whole: every rank's share is in it. */
bool account_cell_whole(const struct account_scene *s, uint32_t rank, uint32_t chunk);

/* ── buckets in backward ───────────────────────────────────────────────────────────────────────*/
enum { ACCOUNT_CONVEYOR_BLOCKS = 4, ACCOUNT_CONVEYOR_BUCKETS = 2 };
enum account_bucket_state {
    ACCOUNT_BUCKET_EMPTY,
    ACCOUNT_BUCKET_FILLS,
    /* It leaves in this frame. */
    ACCOUNT_BUCKET_FULL,
    ACCOUNT_BUCKET_FLIES,
    ACCOUNT_BUCKET_GONE
};
/* A frame of the play "buckets", as rank 0 of `ranks` sees it; all sizes are bytes. */
struct account_conveyor {
    uint32_t ranks, frame;
    uint8_t stage;
    bool overlap;
    /* Of one block's gradients; of a bucket. */
    uint64_t block, size;
    /* Blocks whose gradients are there, counted from the last block. */
    uint32_t done;
    /* The block that was done last computed in this frame; backward waits for a bucket instead;
     * all is over. */
    bool computes, waits, over;
    struct account_bucket {
        enum account_bucket_state state;
        uint64_t bytes;
    } bucket[ACCOUNT_CONVEYOR_BUCKETS];
    /* Of this rank's shard what has arrived; all gradients that are in memory now; the most that
     * were so far. */
    uint64_t shard, live, highest;
};
void account_conveyor(const struct account_playing *at, struct account_conveyor *out);

/* ── gather, use, free ─────────────────────────────────────────────────────────────────────────*/
/* A frame of the play "gather-use-free": one GPU under stage 3. Units count from 0: embeddings,
 * blocks, norm and head. */
struct account_gathering {
    uint32_t units, ranks, prefetch, frame, frames;
    /* Units stay gathered from forward to backward. */
    bool keep;
    /* Of the first unit, of a block, of the last unit; bytes of an element. */
    uint64_t elements[3];
    uint32_t element;
    /* The unit at work, or the one that is waited for. */
    uint32_t unit;
    bool backward, waits, over;
    /* Bytes of the whole model, of units that are whole now, of the gradient that is. */
    uint64_t whole, gathered, gradient;
};
enum account_shard_unit_state {
    ACCOUNT_SHARD_UNIT_SHARDED,
    ACCOUNT_SHARD_UNIT_ARRIVES,
    ACCOUNT_SHARD_UNIT_COMPUTES,
    ACCOUNT_SHARD_UNIT_KEPT,
    /* It was used in the frame before. */
    ACCOUNT_SHARD_UNIT_FREED
};
/* The highest frame holds what account_memory() has as `implied`, where a block is the largest
 * unit. False, with the reason, if the model's units are not known. */
bool account_gathering(const struct account_playing *at, struct account_gathering *out,
                       struct account_error *e);
/* The same play at another frame. */
struct account_gathering account_gathering_at(const struct account_gathering *w, uint32_t frame);
enum account_shard_unit_state account_gathering_unit(const struct account_gathering *w,
                                                     uint32_t unit);
/* Bytes of a whole unit. */
uint64_t account_gathering_unit_bytes(const struct account_gathering *w, uint32_t unit);
/* "embeddings", "block 7", "norm, head". Returns `out`. */
const char *account_gathering_name(const struct account_gathering *w, uint32_t unit, char *out,
                                   size_t size);

#endif
