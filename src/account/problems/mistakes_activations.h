/* Mistakes with activations. X(id, name, explain, transformation, mask, amount, kinds, rarity, unit); see mistakes.c. */
#ifndef ACCOUNT_MISTAKES_ACTIVATIONS_H
#define ACCOUNT_MISTAKES_ACTIVATIONS_H

#define ACTIVATION_MISTAKES(X)                                                                     \
    X("zero-activations", "the activations were divided by N",                                     \
      "ZeRO shards model states. Data-parallel ranks see different samples, and each keeps the "   \
      "activations of its own.",                                                                   \
      account_slip_over_ranks,                                                                     \
      ACCOUNT_OF_TOKENS | ACCOUNT_OF_SCORES | ACCOUNT_OF_LOGITS | ACCOUNT_OF_WORKING |             \
          ACCOUNT_OF_ACTIVE,                                                                       \
      0, ACTIVE | PEAK, 1, ACCOUNT_NO_UNIT)                                                        \
    X("score-once", "s was taken once where s² stands",                                            \
      "Each token looks at each: the scores are s × s for every head.", account_slip_drop_factor,  \
      ACCOUNT_SEQ_AGAIN, 0, ACTIVE, 0, ACCOUNT_NO_UNIT)                                            \
    X("no-heads", "the heads were forgotten", "Each head has its own s × s scores.",               \
      account_slip_drop_factor, ACCOUNT_HEADS, 0, ACTIVE, 0, ACCOUNT_NO_UNIT)                      \
    X("no-scores", "the attention scores were forgotten",                                          \
      "Without flash attention the s × s scores of every head are kept for backward.",             \
      account_slip_drop_product, ACCOUNT_OF_SCORES, 0, ACTIVE, 0, ACCOUNT_NO_UNIT)                 \
    X("scores-only", "only the attention scores were counted",                                     \
      "Inputs of the matrix products, of the norms and of the MLP are kept too, and they grow "    \
      "with s.",                                                                                   \
      account_slip_keep_product, ACCOUNT_OF_SCORES, 0, ACTIVE, 0, ACCOUNT_NO_UNIT)                 \
    X("flash-scores", "the s² part was counted with flash attention",                              \
      "Flash attention computes the scores block by block and keeps only the softmax's "           \
      "statistics.",                                                                               \
      account_slip_flash, 0, 0, ACTIVE, 0, ACCOUNT_NO_UNIT)                                        \
    X("tokens-gone", "what grows with s was taken to be gone",                                     \
      "Flash attention removes only the s² part, and full checkpointing keeps each layer's "      \
      "input.",                                                                                    \
      account_slip_drop_product, ACCOUNT_OF_TOKENS, 1, ACTIVE, 1, ACCOUNT_NO_UNIT)                 \
    X("not-checkpointed", "checkpointing was left out",                                            \
      "Checkpointing keeps less and computes the rest again in backward.",                         \
      account_slip_checkpoint, 0, ACCOUNT_KEEP_ALL, ACTIVE, 0, ACCOUNT_NO_UNIT)                    \
    X("as-selective", "it was counted as selective checkpointing",                                 \
      "Selective checkpointing drops the s² part only; what is set here keeps more or less than " \
      "that.",                                                                                     \
      account_slip_checkpoint, 0, ACCOUNT_SELECTIVE, ACTIVE, 1, ACCOUNT_NO_UNIT)                   \
    X("as-full", "it was counted as full checkpointing",                                           \
      "Only full checkpointing leaves nothing but each layer's input.", account_slip_checkpoint,   \
      0, ACCOUNT_FULL, ACTIVE, 1, ACCOUNT_NO_UNIT)                                                 \
    X("no-logits", "the logits were forgotten",                                                    \
      "The head writes s × V numbers for each sequence, and cross-entropy wants them in fp32.",    \
      account_slip_drop_product, ACCOUNT_OF_LOGITS, 0, ACTIVE, 0, ACCOUNT_NO_UNIT)                 \
    X("logits-16bit", "the logits were counted in 16 bits",                                        \
      "Cross-entropy is computed in fp32: 4 bytes a logit, and more where a copy is kept.",        \
      account_slip_set_factor, ACCOUNT_WIDTH | ACCOUNT_OF_LOGITS, 2, ACTIVE, 1, ACCOUNT_NO_UNIT)   \
    X("no-working-set", "the layer at work was forgotten",                                         \
      "While a checkpointed layer runs backward all that it recomputed is there.",                 \
      account_slip_drop_product, ACCOUNT_OF_WORKING, 0, ACTIVE, 0, ACCOUNT_NO_UNIT)                \
    X("one-layer", "one layer was counted",                                                        \
      "Every layer keeps its own until backward has passed it.", account_slip_drop_factor,         \
      ACCOUNT_LAYERS, 0, ACTIVE, 0, ACCOUNT_NO_UNIT)                                               \
    X("all-layers", "all layers were counted", "One layer is asked for.", account_slip_piece,      \
      ACCOUNT_PIECE_LAYER, ACCOUNT_PIECE_LAYERS, ACTIVE, 0, ACCOUNT_NO_UNIT)                       \
    X("no-batch", "the micro-batch was forgotten",                                                 \
      "Activations are kept for every sequence of the micro-batch.", account_slip_drop_factor,     \
      ACCOUNT_BATCH, 0, ACTIVE, 0, ACCOUNT_NO_UNIT)                                                \
    X("all-micro-batches", "the activations of all micro-batches were counted",                    \
      "With accumulation one micro-batch follows the other, and each one's activations are freed " \
      "before the next.",                                                                          \
      account_slip_times_micro,                                                                    \
      ACCOUNT_OF_TOKENS | ACCOUNT_OF_SCORES | ACCOUNT_OF_LOGITS | ACCOUNT_OF_WORKING |             \
          ACCOUNT_OF_ACTIVE,                                                                       \
      0, ACTIVE | PEAK, 0, ACCOUNT_NO_UNIT)                                                        \
    X("stages-divide", "the activations were divided by the pipeline's stages",                    \
      "The first stage has fewer layers and holds more micro-batches: as many as there are "       \
      "stages.",                                                                                   \
      account_slip_over_stages, ACCOUNT_OF_TOKENS | ACCOUNT_OF_SCORES, 0, ACTIVE, 1,               \
      ACCOUNT_NO_UNIT)                                                                             \
    X("tensor-divides-all", "all of it was divided by t",                                          \
      "Without sequence parallelism norms, residuals and dropout stay whole on each rank of the "  \
      "tensor group.",                                                                             \
      account_slip_over_tensor, ACCOUNT_OF_WHOLE, 0, ACTIVE, 0, ACCOUNT_NO_UNIT)                   \
    X("sequence-parallel", "sequence parallelism was got wrong",                                   \
      "It divides what tensor parallelism leaves whole, and only where it is switched on.",        \
      account_slip_no_sp, 0, 0, ACTIVE, 1, ACCOUNT_NO_UNIT)                                        \
    X("masks", "what dropout keeps was got wrong",                                                 \
      "Each mask is a byte an element, and the scores are kept once more as they come out of it: " \
      "34 + 5as/h with dropout, 32 + 2as/h without.",                                              \
      account_slip_masks, 0, 0, ACTIVE, 0, ACCOUNT_NO_UNIT)                                        \
    X("fp32-activations", "the activations were counted in fp32",                                  \
      "They are kept in 16 bits here.", account_slip_scale_factor,                                 \
      ACCOUNT_WIDTH | ACCOUNT_OF_TOKENS | ACCOUNT_OF_SCORES, 2, ACTIVE, 0, ACCOUNT_NO_UNIT)        \
    X("activation-elements", "elements were counted, not bytes",                                   \
      "Each value takes 2 bytes in 16 bits.", account_slip_scale_factor, ACCOUNT_WIDTH, 0.5,       \
      ACTIVE, 2, ACCOUNT_NO_UNIT)                                                                  \
    X("score-masks", "the scores were counted without what dropout keeps of them",                 \
      "With dropout scores take 5 bytes each: the softmax's output, the mask, and what comes out " \
      "of it.",                                                                                    \
      account_slip_set_factor, ACCOUNT_WIDTH | ACCOUNT_OF_SCORES, 2, ACTIVE, 0, ACCOUNT_NO_UNIT)   \
    X("logits-elements", "the logits were counted, not their bytes",                               \
      "Each is an fp32 number: 4 bytes.", account_slip_set_factor,                                 \
      ACCOUNT_WIDTH | ACCOUNT_OF_LOGITS, 1, ACTIVE, 2, ACCOUNT_NO_UNIT)

#endif
