/* What a micro-step needs beside states, gathered parameters and staging. */
#include "lab/engine.h"

#include <stdlib.h>

bool lab_rooms_reserve(struct lab_rank *k) {
    const struct lab_options *o = k->options;
    struct lab_rooms *r = &k->reservations;
    size_t rows = lab_rows(k), hidden = rows * o->shape.width * lab_element(k);
    size_t own = k->device->row->workspace(k->device, o), logits = lab_logits_bytes(k->device, o);
    size_t working = lab_block_working(k->device, o), scratch = lab_block_scratch(k->device, o);
    const struct {
        struct lab_reservation *reservation;
        enum account_category category;
        size_t bytes;
    } reservations[] = {
        {&r->device,   ACCOUNT_WORKSPACE,   own                       },
        {&r->tokens,   ACCOUNT_WORKSPACE,   2 * rows * sizeof(int32_t)},
        {&r->head,     ACCOUNT_ACTIVATIONS, lab_head_kept(o)          },
        {&r->logits,   ACCOUNT_ACTIVATIONS, logits                    },
        {&r->working,  ACCOUNT_ACTIVATIONS, working                   },
        {&r->scratch,  ACCOUNT_WORKSPACE,   scratch                   },
        {&r->gradient, ACCOUNT_WORKSPACE,   hidden                    },
    };
    for (size_t i = 0; i < sizeof reservations / sizeof *reservations; i++)
        if (!lab_reservation_make(&k->ledger, reservations[i].reservation, reservations[i].category,
                                  LAB_PRIVATE, reservations[i].bytes))
            return false;
    if (!lab_reservation_enter(&k->ledger, &r->device)) return false;
    k->device->row->lend(k->device, r->device.memory, r->device.bytes);
    r->saved = calloc(o->shape.layers, sizeof *r->saved);
    if (!r->saved) return lab_fail_memory(k);
    for (uint32_t i = 0; i < o->shape.layers; i++)
        if (!lab_reservation_make(&k->ledger, &r->saved[i], ACCOUNT_ACTIVATIONS, LAB_PRIVATE,
                                  lab_block_kept(k->device, o)))
            return false;
    return true;
}

void lab_rooms_free(struct lab_rank *k) {
    struct lab_rooms *r = &k->reservations;
    struct lab_reservation *const reservations[] = {
        &r->device, &r->tokens, &r->head, &r->logits, &r->working, &r->scratch, &r->gradient};
    for (size_t i = 0; i < sizeof reservations / sizeof *reservations; i++)
        lab_reservation_free(&k->ledger, reservations[i]);
    for (uint32_t i = 0; r->saved && i < k->options->shape.layers; i++)
        lab_reservation_free(&k->ledger, &r->saved[i]);
    free(r->saved);
    r->saved = NULL;
}
