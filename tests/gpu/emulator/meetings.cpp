/* What a warp does when all its lanes have met: shuffles and votes. */
#include "state.h"

void emulated_shuffle_meet(emulated_slot *slots, unsigned mask) {
    emulated_shuffle brought[32];
    for (int i = 0; i < 32; i++) memcpy(&brought[i], slots[i].bytes, sizeof brought[i]);
    for (int i = 0; i < 32; i++) {
        if (!(mask >> i & 1u)) continue;
        int from = brought[i].from & 31;
        if (mask >> from & 1u)
            memcpy(slots[i].bytes, brought[from].value, sizeof brought[0].value);
        else
            memset(slots[i].bytes, 0xff, sizeof brought[0].value); /* undefined on a GPU */
    }
}
void emulated_vote_meet(emulated_slot *slots, unsigned mask) {
    unsigned votes = 0, vote;
    for (unsigned i = 0; i < 32; i++) {
        memcpy(&vote, slots[i].bytes, sizeof vote);
        if (mask >> i & 1u && vote) votes |= 1u << i;
    }
    for (unsigned i = 0; i < 32; i++) memcpy(slots[i].bytes, &votes, sizeof votes);
}
