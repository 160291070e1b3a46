/* The mistakes people make, as a table: its rows stand in mistakes_*.h, by subject. A row says who it is for people
 * (account_mistakes) and which transformation it is (account_slips); both arrays are in the same order, and an id is for ever. Most
 * were collected from questions about DeepSpeed's estimators and from published tables that disagree. */
#include "account/problems/mistakes_activations.h"
#include "account/problems/mistakes_budget.h"
#include "account/problems/mistakes_memory.h"
#include "account/problems/mistakes_seconds.h"
#include "account/problems/mistakes_shards.h"
#include "account/problems/mistakes_sharing.h"
#include "account/problems/mistakes_state.h"
#include "account/problems/mistakes_traffic.h"
#include "account/problems/mistakes_units.h"
#include "account/problems/slips.h"

#define P (1u << ACCOUNT_PARAMS)
#define G (1u << ACCOUNT_GRADS)
#define M (1u << ACCOUNT_MASTER)
#define V (1u << ACCOUNT_MOMENTS)

#define BYTES   (1u << ACCOUNT_ASK_BYTES)
#define RATE    (1u << ACCOUNT_ASK_BYTES_PER_PARAM)
#define LARGEST (1u << ACCOUNT_ASK_LARGEST_PARAMS)
#define FEWEST  (1u << ACCOUNT_ASK_FEWEST_GPUS)
#define CONVERT (1u << ACCOUNT_ASK_CONVERT)
#define TRAFFIC (1u << ACCOUNT_ASK_TRAFFIC)
#define VOLUME  (1u << ACCOUNT_ASK_VOLUME)
#define SECONDS (1u << ACCOUNT_ASK_SECONDS)
#define ACTIVE  (1u << ACCOUNT_ASK_ACTIVATIONS)
#define PEAK    (1u << ACCOUNT_ASK_PEAK)
#define HOST    (1u << ACCOUNT_ASK_HOST)
#define SHARD   (1u << ACCOUNT_ASK_SHARD)
#define STATE   (BYTES | RATE | LARGEST | FEWEST) /* whatever a sheet answers */
#define SHARED  (BYTES | RATE | LARGEST)          /* where N is given */
#define SENT    (TRAFFIC | SECONDS)
#define HELD    (PEAK | HOST)
#define SIZED   (BYTES | TRAFFIC | ACTIVE | PEAK | HOST) /* asked in bytes */

#define NAME(id, name, explain, apply, mask, amount, kinds, rarity, unit) {id, name, explain},
static const struct account_mistake names[] = {
    STATE_MISTAKES(NAME) SHARING_MISTAKES(NAME) BUDGET_MISTAKES(NAME) TRAFFIC_MISTAKES(NAME)
        SECONDS_MISTAKES(NAME) ACTIVATION_MISTAKES(NAME) MEMORY_MISTAKES(NAME) SHARD_MISTAKES(NAME)
            UNIT_MISTAKES(NAME)};

/* X is given the subject by the macro that it is. */
#define SLIP(subject, apply, mask, amount, kinds, rarity, unit)                                    \
    {apply, mask, amount, kinds, rarity, unit, subject},
#define ABOUT_BYTES(id, name, explain, apply, mask, amount, kinds, rarity, unit)                   \
    SLIP(ACCOUNT_ABOUT_BYTES, apply, mask, amount, kinds, rarity, unit)
#define ABOUT_SHARING(id, name, explain, apply, mask, amount, kinds, rarity, unit)                 \
    SLIP(ACCOUNT_ABOUT_SHARING, apply, mask, amount, kinds, rarity, unit)
#define ABOUT_BUDGET(id, name, explain, apply, mask, amount, kinds, rarity, unit)                  \
    SLIP(ACCOUNT_ABOUT_BUDGET, apply, mask, amount, kinds, rarity, unit)
#define ABOUT_TRAFFIC(id, name, explain, apply, mask, amount, kinds, rarity, unit)                 \
    SLIP(ACCOUNT_ABOUT_TRAFFIC, apply, mask, amount, kinds, rarity, unit)
#define ABOUT_SECONDS(id, name, explain, apply, mask, amount, kinds, rarity, unit)                 \
    SLIP(ACCOUNT_ABOUT_SECONDS, apply, mask, amount, kinds, rarity, unit)
#define ABOUT_ACTIVATIONS(id, name, explain, apply, mask, amount, kinds, rarity, unit)             \
    SLIP(ACCOUNT_ABOUT_ACTIVATIONS, apply, mask, amount, kinds, rarity, unit)
#define ABOUT_MEMORY(id, name, explain, apply, mask, amount, kinds, rarity, unit)                  \
    SLIP(ACCOUNT_ABOUT_MEMORY, apply, mask, amount, kinds, rarity, unit)
#define ABOUT_SHARDS(id, name, explain, apply, mask, amount, kinds, rarity, unit)                  \
    SLIP(ACCOUNT_ABOUT_SHARDS, apply, mask, amount, kinds, rarity, unit)
#define ABOUT_UNITS(id, name, explain, apply, mask, amount, kinds, rarity, unit)                   \
    SLIP(ACCOUNT_ABOUT_UNITS, apply, mask, amount, kinds, rarity, unit)
const struct account_slip account_slips[] = {
    STATE_MISTAKES(ABOUT_BYTES) SHARING_MISTAKES(ABOUT_SHARING) BUDGET_MISTAKES(ABOUT_BUDGET)
        TRAFFIC_MISTAKES(ABOUT_TRAFFIC) SECONDS_MISTAKES(ABOUT_SECONDS)
            ACTIVATION_MISTAKES(ABOUT_ACTIVATIONS) MEMORY_MISTAKES(ABOUT_MEMORY)
                SHARD_MISTAKES(ABOUT_SHARDS) UNIT_MISTAKES(ABOUT_UNITS)};

const struct account_mistake *account_mistakes(size_t *count) {
    *count = sizeof names / sizeof *names;
    return names;
}
