/* What one configuration needs and takes: its memory, compared with what there is, and the time of
 * a step. It is measured once, of a resolved training. Search, front, reasons and tree compare what
 * stands here and compute nothing again. */
#ifndef ACCOUNT_OUTCOME_H
#define ACCOUNT_OUTCOME_H

#include "account/memory/memory.h"

/* The tier on which memory is missing, or shortest. */
enum account_limit { ACCOUNT_LIMIT_CARD, ACCOUNT_LIMIT_HOST, ACCOUNT_LIMIT_NVME };
struct account_outcome {
    enum account_fit fits;
    /* Bytes on the tier that limits: needed, and there. */
    enum account_limit limit;
    uint64_t needs, has;
    /* Bytes left on the card at the peak, the gathers that `paper` leaves out taken off. Negative:
     * what is missing, on the tier that limits. */
    int64_t spare;
    /* Bytes at the peak, and what they are made of besides buffers. */
    uint64_t peak, states, activations, reserve;
    /* Those gathers: counted in `needs` and `spare`, not in `peak`. 0 if the peak has them. */
    uint64_t gathered;
    /* Ranks that share the states. */
    uint32_t ranks;
    /* How much has to be set up. */
    uint32_t burden;
    /* Of a step, if it fits: bytes that a rank sends, those over its host link included; seconds in
     * which it computes, waits for other ranks' bytes, for the host, for other pipeline stages. 0
     * where the clock does not know them. */
    double sent, computes, exposed, offload, bubble;
    /* 0 where the clock knows no compute. */
    double seconds, tokens_per_s;
};

#endif
