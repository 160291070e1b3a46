/* What a micro-step needs beside states, gathered parameters and staging. */
#include "lab/engine.h"

#include <stdlib.h>

bool lab_rooms_reserve(struct lab_rank *k) {
    const struct lab_options *o = k->options;
    struct lab_rooms *r = &k->rooms;
    size_t rows = lab_rows(k), hidden = rows * o->shape.width * lab_element(k);
    size_t own = k->device->row->workspace(k->device, o), logits = lab_logits_bytes(k->device, o);
    size_t working = lab_block_working(k->device, o), scratch = lab_block_scratch(k->device, o);
    const struct {
        struct lab_room *room;
        enum account_category category;
        size_t bytes;
    } rooms[] = {
        {&r->device,   ACCOUNT_WORKSPACE,   own                       },
        {&r->tokens,   ACCOUNT_WORKSPACE,   2 * rows * sizeof(int32_t)},
        {&r->head,     ACCOUNT_ACTIVATIONS, lab_head_kept(o)          },
        {&r->logits,   ACCOUNT_ACTIVATIONS, logits                    },
        {&r->working,  ACCOUNT_ACTIVATIONS, working                   },
        {&r->scratch,  ACCOUNT_WORKSPACE,   scratch                   },
        {&r->gradient, ACCOUNT_WORKSPACE,   hidden                    },
    };
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
        if (!lab_room_reserve(&k->ledger, rooms[i].room, rooms[i].category, LAB_PRIVATE,
                              rooms[i].bytes))
            return false;
    if (!lab_room_enter(&k->ledger, &r->device)) return false;
    k->device->row->lend(k->device, r->device.memory, r->device.bytes);
    r->saved = calloc(o->shape.layers, sizeof *r->saved);
    if (!r->saved) return lab_fail_memory(k);
    for (uint32_t i = 0; i < o->shape.layers; i++)
        if (!lab_room_reserve(&k->ledger, &r->saved[i], ACCOUNT_ACTIVATIONS, LAB_PRIVATE,
                              lab_block_kept(k->device, o)))
            return false;
    return true;
}

void lab_rooms_free(struct lab_rank *k) {
    struct lab_rooms *r = &k->rooms;
    struct lab_room *const rooms[] = {&r->device,  &r->tokens,  &r->head,    &r->logits,
                                      &r->working, &r->scratch, &r->gradient};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) lab_room_free(&k->ledger, rooms[i]);
    for (uint32_t i = 0; r->saved && i < k->options->shape.layers; i++)
        lab_room_free(&k->ledger, &r->saved[i]);
    free(r->saved);
    r->saved = NULL;
}
