/* Checkpoints: the states of a training in a folder, from which another run goes on, also with
 * another number of ranks, another stage or another transport. The word "checkpoint" is taken here
 * by activation checkpointing, so these are called saved states. Inside the lab only.
 *
 *     DIR/step-20/rank-0.bin …     what rank 0 owns: for each unit its fp32 values, first moments
 *                                  and second moments, little-endian, without padding
 *     DIR/step-20/manifest.json    the step, the model, how many ranks wrote, the data cursor in
 *                                  sequences, the loss scale, each file's SHA-256, its own
 *
 * Rank r owns elements [r · shard, (r + 1) · shard) of each unit, whatever the stage: a stage that
 * keeps whole copies writes its part of them. So a file of N ranks is the same under each stage,
 * and every range of a unit can be read by whoever needs it. PyTorch's distributed checkpoints
 * (torch.distributed.checkpoint) and DeepSpeed's "universal" ones solve the same problem.
 *
 * A checkpoint is made in DIR/step-20.part, which is renamed when all of it is on the disk. What is
 * called step-N is therefore complete. */
#ifndef LAB_SAVED_H
#define LAB_SAVED_H

#include "hash/hash.h"
#include "lab/engine.h"
#include "lab/launch.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>

#define LAB_SAVED_MANIFEST "manifest.json"
#define LAB_SAVED_PART     ".part"
enum { LAB_SAVED_STEPS = 1024 };

enum lab_array { LAB_VALUES, LAB_FIRST_MOMENTS, LAB_SECOND_MOMENTS, LAB_ARRAYS };
struct lab_saved {
    /* "DIR/step-20" */
    char path[PATH_MAX];
    /* How it was trained. `batch`: sequences of a rank's micro-step. */
    uint32_t step, ranks, stage, batch, accumulate;
    struct lab_shape shape;
    enum lab_dtype compute;
    enum lab_optimizer optimizer;
    /* Shards are a multiple of so many elements: the ranges of the files follow from it. */
    uint32_t grain;
    uint64_t seed;
    char tokens[256];
    /* The data cursor: sequences that were trained on. */
    uint64_t sequences;
    struct lab_scaler scaler;
    /* of each rank's file */
    char sha256[LAB_RANKS_MAX][HASH_HEX];
    struct lab_model *model;
    struct lab_partition split;
    int fd[LAB_RANKS_MAX];
    /* A read failed since it was opened. Threads of a rank read at the same time. */
    atomic_bool failed;
};
/* Opens a checkpoint: the newest in the folder, or the one that the path names. NULL with the
 * message filled if there is none, or if a part of it is missing or has another size. The caller
 * gives it to lab_saved_close(), which takes NULL too. */
struct lab_saved *lab_saved_open(const char *path, struct lab_message *m);
void lab_saved_close(struct lab_saved *s);
/* Whether a run with these options can go on from it. */
bool lab_saved_fits(const struct lab_saved *s, const struct lab_options *o, struct lab_message *m);
/* Reads all of it and compares the SHA-256 of each file. */
bool lab_saved_whole(const struct lab_saved *s, struct lab_message *m);
/* Reads elements [from, from + count) of a unit; beyond the unit: zeros. Sets `failed` if that
 * fails. */
void lab_saved_read(struct lab_saved *s, enum lab_array array, size_t unit, size_t from,
                    size_t count, float *out);

/* manifest.c: the text of the manifest; false if it was not written whole. The second fills the
 * members above `model` from a text, and names s->path in the message. */
bool lab_manifest_write(const struct lab_saved *s, FILE *f);
bool lab_manifest_read(const char *text, struct lab_saved *s, struct lab_message *m);

/* Bytes of what a rank owns of all units: the size of its file. */
uint64_t lab_saved_bytes(const struct lab_partition *p, uint32_t rank);
/* How many of a unit's elements a rank owns, without padding. */
size_t lab_owned(const struct lab_split *s, uint32_t rank);
/* Gives the steps of the complete checkpoints in a folder, newest first; how many there are. It
 * looks at no more than there can be. */
size_t lab_saved_steps(const char *folder, uint32_t step[LAB_SAVED_STEPS]);

/* saved_write.c: after a step of which the options ask for it, every rank writes its part, and rank
 * 0 completes the checkpoint and removes the oldest. It is not a part of the run: what is exchanged
 * for it is not counted. */
bool lab_save(struct lab_rank *k);
/* Takes the folder of --save for this process until it ends, and makes it if it is missing. False
 * with the message if it cannot be written, or if another run saves there. */
bool lab_save_claim(const struct lab_options *o, struct lab_message *m);

/* consolidate.c: writes a checkpoint's values, without moments, as one file of fp32 in the form of
 * safetensors (https://github.com/huggingface/safetensors, README): 8 bytes with the header's
 * length, the header in JSON, the tensors. The names are GPT-2's places with this model's tensors:
 * "wte", "h.3.qkv.weight", "ln_f.bias", "lm_head.weight" of an untied head. */
bool lab_consolidate(const char *checkpoint, const char *path, struct lab_message *m);

#endif
