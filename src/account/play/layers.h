/* What is in the frames of plays inside a layer: matrices that are divided among ranks, with the
 * activations between them, and tokens that travel to their experts and back. */
#ifndef ACCOUNT_PLAY_LAYERS_H
#define ACCOUNT_PLAY_LAYERS_H

#include "account/play/play.h"

/* ── a layer that is divided among ranks ─────────────────────────────────────────────────────────
 * Megatron-LM, arXiv:1909.08053, section 3, figures 3 and 4: the first matrix is cut by columns,
 * the second by rows. Sequence parallel: Korthikanti et al., arXiv:2205.05198, section 4.2.2. */

/* From left to right; backward goes the other way. The paper calls ENTRY f and EXIT g: in one
 * direction ranks add up their results there, in the other nothing happens, or, with sequence
 * parallel, they gather. */
enum account_layer_place {
    ACCOUNT_LAYER_NORM,
    ACCOUNT_LAYER_ENTRY,
    ACCOUNT_LAYER_COLUMNS,
    /* Attention, or the MLP's activation function. */
    ACCOUNT_LAYER_LOCAL,
    ACCOUNT_LAYER_ROWS,
    ACCOUNT_LAYER_EXIT,
    ACCOUNT_LAYER_PLACES
};
/* What a rank has of an array of tokens × features. */
enum account_layer_part {
    ACCOUNT_LAYER_WHOLE,
    /* Its own share of the tokens, with all features of them. */
    ACCOUNT_LAYER_TOKENS,
    /* Its own share of the features, of all tokens. */
    ACCOUNT_LAYER_FEATURES,
    /* All of it, but each element is one of the sums that are still to be added up. */
    ACCOUNT_LAYER_PARTIAL
};
/* A frame of the play "tensor-layer": one layer, a micro-batch forward and backward. */
struct account_layer {
    uint32_t ranks, frame, frames;
    bool sequence, backward, over;
    /* The second half: the MLP. */
    bool mlp;
    enum account_layer_place place;
    enum account_layer_part part;
    /* Collectives that a rank took part in up to this frame. */
    uint32_t sums, gathers;
    /* Bytes that a rank sends in one collective, whichever it is; that it keeps of the layer until
     * its backward. */
    uint64_t each, keeps;
};
/* False, with the reason, if the layer cannot be divided so, or its bytes are not known. */
bool account_layer(const struct account_playing *at, struct account_layer *out,
                   struct account_error *e);
/* Whether a rank has an element of an array. Tokens and features are counted in shares of a
 * rank. */
bool account_layer_has(enum account_layer_part part, uint32_t rank, uint32_t token,
                       uint32_t feature);
/* "norm", "columns", "attention" … of the half that the frame is in; the collective of ENTRY and
 * EXIT, or "". */
const char *account_layer_name(const struct account_layer *w, enum account_layer_place place);

/* ── tokens that travel to their experts ─────────────────────────────────────────────────────────
 * GShard, arXiv:2006.16668, section 3. Each rank has some of the experts and some of the tokens; an
 * all-to-all takes each token to its experts, another one brings the results back. */
enum { ACCOUNT_EXPERT_RANKS = 8, ACCOUNT_EXPERT_TOKENS = 8, ACCOUNT_EXPERT_CHOICES = 2 };
enum account_experts_phase {
    ACCOUNT_EXPERTS_START,
    ACCOUNT_EXPERTS_ROUTE,
    ACCOUNT_EXPERTS_SEND,
    ACCOUNT_EXPERTS_COMPUTE,
    ACCOUNT_EXPERTS_RETURN,
    ACCOUNT_EXPERTS_END
};
/* A frame of the play "experts": one layer's forward. A token that the picture shows stands for
 * many; a copy of it travels to each of its experts. */
struct account_experts {
    enum account_experts_phase phase;
    uint32_t ranks, choices, frame, frames;
    bool skewed;
    /* In hop h a rank sends to the one that is h places further; 0 outside of hops. */
    uint32_t hop;
    /* The rank that has the expert: [rank][token][choice]. */
    uint8_t to[ACCOUNT_EXPERT_RANKS][ACCOUNT_EXPERT_TOKENS][ACCOUNT_EXPERT_CHOICES];
    /* Copies that a rank computes; copies that it sent so far, there and back. */
    uint32_t computes[ACCOUNT_EXPERT_RANKS], sent[ACCOUNT_EXPERT_RANKS];
    /* The most that a rank computes; what each would if they were divided evenly. */
    uint32_t most, even;
    /* Bytes of a copy: routed evenly, all copies of a layer are what account_traffic() counts. */
    double copy;
};
/* False, with the reason, if the model's experts are not known or the ranks cannot divide them. */
bool account_experts(const struct account_playing *at, struct account_experts *out,
                     struct account_error *e);
enum account_copy_state {
    /* On its own rank, and not yet computed. */
    ACCOUNT_COPY_HOME,
    /* It arrived in this frame, at its expert or back. */
    ACCOUNT_COPY_ARRIVES,
    ACCOUNT_COPY_AWAY,
    ACCOUNT_COPY_BACK
};
/* Where a copy is. One whose expert is on its own rank never travels: it is AWAY from its routing
 * to the first hop back. */
enum account_copy_state account_experts_copy(const struct account_experts *w, uint32_t rank,
                                             uint32_t token, uint32_t choice);

#endif
