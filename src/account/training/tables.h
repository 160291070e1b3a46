/* What can be chosen, as rows of data: precisions, optimizers, recipes. The formulas read the rows
 * and never ask for a name. */
#ifndef ACCOUNT_TABLES_H
#define ACCOUNT_TABLES_H

#include "account/training/catalogue.h"
#include "account/numbers/integers.h"

/* The type of the elements of a copy of the model. */
enum account_dtype {
    ACCOUNT_AS_PARAM,
    ACCOUNT_AS_GRAD,
    ACCOUNT_AS_MASTER,
    ACCOUNT_AS_MOMENT,
    /* what the GPU computes with: 2 bytes in every precision but fp32 */
    ACCOUNT_AS_HALF,
    /* 4 bytes */
    ACCOUNT_AS_FLOAT,
    /* Megatron's main gradients: fp32 unless the precision is fp16 or pure */
    ACCOUNT_AS_MAIN,
    ACCOUNT_DTYPES
};

/* The trainings in which a copy exists: one bit per precision, and how gradients are kept. */
enum account_case {
    ACCOUNT_IN_FP32 = 1,
    ACCOUNT_IN_MIXED_BF16 = 2,
    ACCOUNT_IN_MIXED_FP16 = 4,
    ACCOUNT_IN_PURE = 8,
    ACCOUNT_IN_MIXED = ACCOUNT_IN_MIXED_BF16 | ACCOUNT_IN_MIXED_FP16,
    ACCOUNT_IN_ANY = 15,
    /* gradients kept in the precision's own type */
    ACCOUNT_NARROW = 16,
    /* gradients kept in fp32 */
    ACCOUNT_WIDE = 32,
    ACCOUNT_EITHER = 48
};

struct account_precision {
    const char *name, *what;
    /* for people: "mixed precision (bf16)" */
    const char *title;
    /* of the parameters the GPU computes with: "bf16" */
    const char *format;
    enum account_case in;
    /* an element's; 0: there is no such copy */
    uint8_t bytes[ACCOUNT_DTYPES];
};

struct account_optimizer {
    const char *name, *what;
    /* for people: "SGD with momentum" */
    const char *title;
    /* how many values it remembers for each parameter */
    uint8_t moments;
    /* of one of them; 0: as the precision says */
    uint8_t moment_bytes;
    /* parameters that share one fp32 scale for each moment; 0: there are none */
    uint16_t block;
    /* keeps row and column sums of each matrix instead of moments: needs a shape */
    bool factored;
};

/* When a copy is there. */
enum account_when {
    ACCOUNT_ALWAYS,
    /* from forward to the end of backward */
    ACCOUNT_IN_STEP,
    /* from backward to the update that uses it; between micro-batches too */
    ACCOUNT_IN_BACKWARD,
    /* in backward only */
    ACCOUNT_PASSING,
    /* briefly, in the optimizer's step */
    ACCOUNT_IN_UPDATE,
    ACCOUNT_WHENS
};
#define ACCOUNT_STAGE(n) (1u << (n))
#define ACCOUNT_STAGES   15u

/* A copy of the model that a recipe keeps. A stage from `sharded_from` on divides it among the
 * ranks. */
struct account_copy {
    enum account_category category;
    enum account_dtype dtype;
    /* 4: never */
    uint8_t sharded_from;
    /* in which it exists: ACCOUNT_STAGE bits */
    uint8_t stages;
    /* enum account_case bits: a precision and a width must both be among them */
    uint8_t cases;
    enum account_when when;
    /* at most so many elements at a time; 0: all */
    uint64_t most;
};
/* How shards are padded. */
enum account_pad {
    /* one flat group, to a multiple of N · align */
    ACCOUNT_PAD_FLAT,
    /* each unit (embedding, block, norm, head) separately */
    ACCOUNT_PAD_UNIT,
    /* each tensor separately */
    ACCOUNT_PAD_TENSOR,
    /* each tensor, by whole rows of its first dimension */
    ACCOUNT_PAD_ROWS
};
enum account_gather {
    ACCOUNT_GATHER_NOTHING,
    /* the unit that computes, and those prefetched */
    ACCOUNT_GATHER_UNITS,
    /* from forward to the end of backward */
    ACCOUNT_GATHER_ALL
};
/* How the gradients of the micro-batches are added up if the optimizer is on the host. */
enum account_sums {
    /* each micro-batch's own go down, if it reduces, and the host adds */
    ACCOUNT_SUMS_ON_HOST,
    /* the GPU adds; sums go down, and come up again for the next; without accumulation there are
     * none */
    ACCOUNT_SUMS_LATER,
    /* the same, and up again even after the first micro-batch */
    ACCOUNT_SUMS_ALWAYS,
    /* the GPU adds and keeps the sums; complete ones go down in the update, in pieces */
    ACCOUNT_SUMS_STAY
};
/* What crosses the link between a GPU and its host. */
struct account_crossing {
    /* down, once they are complete */
    enum account_dtype grads;
    /* up, after the host's update */
    enum account_dtype updated;
    /* up, before a gather, where shards lie on the host */
    enum account_dtype gathered;
    /* enum account_sums, by stage */
    uint8_t sums[4];
    /* Pieces of the update that the host has room for at a time, if sums stay, and elements of
     * which a piece has a multiple. 0: the update works on whole arrays. */
    uint8_t pieces;
    uint16_t grain;
};
/* What runs keep of the forward pass: rows of a table in activations.c. */
enum account_keeping {
    /* Korthikanti et al., arXiv:2205.05198 */
    ACCOUNT_KEEP_AS_PAPER,
    /* the same layers; F.cross_entropy on fp32 logits */
    ACCOUNT_KEEP_AS_PYTORCH,
    /* the same layers; cross-entropy in place */
    ACCOUNT_KEEP_AS_MEGATRON,
    /* selective checkpointing drops what is cheap to compute again */
    ACCOUNT_KEEP_AS_LAB,
    /* one allocation for the whole run */
    ACCOUNT_KEEP_AS_LLMC,
    ACCOUNT_KEEPINGS
};
#define ACCOUNT_COPIES 12
struct account_recipe {
    const char *name, *what, *source;
    /* for people: "DeepSpeed" */
    const char *title;
    /* that it has: ACCOUNT_STAGE bits */
    uint8_t stages;
    /* enum account_pad, by stage */
    uint8_t pad[4];
    /* shards hold a multiple of this many elements */
    uint8_t align;
    /* Elements that share a scale where states are kept, or arrays sent, in 8 bits or 4. Its shards
     * are whole blocks of them then. 0: as DeepSpeed does it, which pads nothing for that. */
    uint16_t quantum;
    /* the vocabulary is padded to a multiple of this · tp; 0: as it is */
    uint16_t vocab_multiple;
    /* with flash attention it is the lab on a GPU, and what that works in is counted: reserve.c */
    bool gpu_work;
    /* copies that are not divided are padded too, so that shards lie in them */
    bool pads_whole;
    /* nothing is sharded if N does not divide the count */
    bool whole_unless_divides;
    /* mixed precision keeps fp32 parameters, sharded or not, and no master copy beside them */
    bool fp32_params;
    /* whether optimizer or parameters can lie on another tier */
    bool offload;
    struct account_crossing crossing;
    /* stages that refuse pp > 1: ACCOUNT_STAGE bits */
    uint8_t no_pipeline;
    /* its schedule is known unit by unit: memory_units.c */
    bool by_units;
    /* data parallel alone */
    bool only_data;
    /* GPT-2's architecture alone */
    bool only_gpt;
    /* its models have none */
    bool no_dropout;
    /* stages that keep 16-bit shards on the host beside offloaded optimizer states, and pass each
     * gradient through a buffer on both sides */
    uint8_t host_staging;
    /* stages whose construction needs a second 16-bit copy of all parameters */
    uint8_t init_copy;
    /* buffers */
    /* default size of a reduction bucket; 0: the recipe has no buckets */
    uint64_t bucket;
    /* the first of them is allocated whole, however small the model or alone the rank */
    bool fixed_bucket;
    /* … in elements; else in bytes */
    bool bucket_elements;
    /* how many live in backward, by stage, copies of them included */
    uint8_t buckets[4];
    /* the same where gradients are kept in fp32 beside 16-bit parameters */
    uint8_t wide_buckets[4];
    /* how many of them live all the time */
    uint8_t held_buckets[4];
    /* stages whose buckets are in the type the GPU computes with, and are cast into one more if
     * gradients travel in another: ACCOUNT_STAGE bits; elsewhere buckets are in the type that
     * travels */
    uint8_t cast_buckets;
    /* enum account_gather, by stage */
    uint8_t gather[4];
    /* units that a gather needs besides, while it copies out and in forward until the next one does
     * (FSDP2: 1) */
    uint8_t gather_copies;
    /* embedding, last norm and head stay gathered from forward to the end of backward */
    bool root_kept;
    /* backward holds the unsharded gradients of a unit until they are reduced, where grads are
     * sharded */
    bool unit_grads;
    /* and those of the unit before, in the type in which they travel, until their reduction is
     * over */
    bool reduces_units;
    /* tensors of at most so many elements stay gathered beside their shards, where params are
     * sharded */
    uint32_t persistent;
    /* elements gathered ahead at most; 0: whole units, by the training's prefetch */
    uint64_t prefetch;
    /* elements gathered at most at a time; 0: no such limit */
    uint64_t most_live;
    /* enum account_keeping: what its runs keep of the forward pass */
    uint8_t activations;
    /* traffic */
    /* enum account_collective_kind, by stage */
    uint8_t reduce_op[4];
    /* stages that reduce in every micro-batch: ACCOUNT_STAGE bits */
    uint8_t reduce_every;
    /* stages whose replicas do, too, and do not wait for the last */
    uint8_t replicas_every;
    /* How often parameters are gathered in a micro-batch, by stage. 1: before forward, and they are
     * kept until backward is over. 2: before forward, given up, and again before backward, since a
     * rank that kept them would hold the whole model (lab/gather.c does it). */
    uint8_t gathers_micro[4];
    /* the same after the update of a step */
    uint8_t gathers_step[4];
    /* how gradients travel, unless the training says; ACCOUNT_AS_HALF whatever they are kept in,
     * others follow that */
    enum account_dtype reduce_dtype;
    uint8_t copies;
    struct account_copy copy[ACCOUNT_COPIES];
};

/* The rows, in the order in which help lists them. The row of fp32 is also what recipes with
 * `fp32_params` keep. */
#define ACCOUNT_FP32_ROW 3
extern const struct account_precision account_precisions[];
extern const size_t account_precision_count;
extern const struct account_optimizer account_optimizers[];
extern const size_t account_optimizer_count;
extern const struct account_recipe account_recipes[];
extern const size_t account_recipe_count;

/* The catalogues, generated from data/ (catalogue.awk). */
struct account_alias {
    const char *alias, *name;
};
extern const struct account_model account_model_rows[];
extern const size_t account_model_rows_count;
extern const struct account_alias account_model_aliases[];
extern const size_t account_model_aliases_count;
extern const struct account_card account_card_rows[];
extern const size_t account_card_rows_count;
extern const struct account_alias account_card_aliases[];
extern const size_t account_card_aliases_count;
extern const struct account_link account_link_rows[];
extern const size_t account_link_rows_count;
extern const struct account_alias account_link_aliases[];
extern const size_t account_link_aliases_count;
extern const struct account_node account_node_rows[];
extern const size_t account_node_rows_count;

#endif
