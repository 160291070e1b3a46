/* Faults that can be planted on purpose, to be found by what is measured. A row says which run has
 * a use for it. Each has one place of effect, which asks lab_has_bug(). */
#include "lab/options.h"

#include <stdio.h>

static const struct bug {
    const char *name, *what;
    /* the first stage at which it does something */
    uint32_t stage;
    /* the norm has to be computed, units gathered ahead */
    bool clips, prefetches;
} bugs[] = {
    [LAB_NO_BUG] = {"none", "", 0, false, false},
    [LAB_FORGOTTEN_MEAN] = {"forgotten-mean", "gradients are summed over the ranks, never divided",
                            0, false, false},
    [LAB_LOCAL_NORM] = {"local-norm", "each rank clips by the norm of its own shard", 1, true,
                        false},
    [LAB_KEPT_GRADS] = {"kept-grads", "gradients are not set to zero after a step", 0, false,
                        false},
    [LAB_MISSING_GATHER] = {"missing-gather", "the first block is not gathered in time", 1, false,
                            false},
    [LAB_LATE_REDUCE] = {"late-reduce", "the last gradients are reduced after the update", 0, false,
                         false},
    [LAB_STALE_PREFETCH] = {"stale-prefetch", "the first block is gathered before its update", 3,
                            false, true},
    [LAB_SAME_DATA] = {"same-data", "every rank reads the sequences of rank 0", 0, false, false},
    [LAB_LOST_BUCKET] = {"lost-bucket", "the last bucket of gradients is not sent", 0, false,
                         false},
};

const char *lab_bug_name(enum lab_bug bug) {
    return bugs[bug].name;
}

const char *lab_bug_asked(const struct lab_options *o) {
    static const char *const numbers[LAB_BUGS] = {"0", "1", "2", "3", "4", "5", "6", "7", "8"};
    return o->unnamed_bug ? numbers[o->bug] : bugs[o->bug].name;
}

const char *lab_bug_says(enum lab_bug bug) {
    return bugs[bug].what;
}

/* What is to be changed; "" if nothing is. */
static void look(const struct lab_options *o, const struct bug *b, char *out, size_t size) {
    if (o->save[0] || o->resume[0])
        (void)snprintf(out, size,
                       "a run that is wrong on purpose keeps no checkpoint and resumes none: leave "
                       "out --%s",
                       o->save[0] ? "save" : "resume");
    else if (o->offload_optimizer != LAB_TIER_DEVICE)
        (void)snprintf(out, size,
                       "faults are planted on the device only: leave out "
                       "--offload-optimizer");
    else if (o->evaluate)
        (void)snprintf(out, size, "leave out --evaluate");
    else if (o->ranks < 2)
        (void)snprintf(out, size, "one rank has no use for it: set --ranks 2");
    else if (o->stage < b->stage)
        (void)snprintf(out, size, "stage %u has no use for it: set --stage %u", o->stage, b->stage);
    else if (b->clips && o->compute == LAB_F16)
        (void)snprintf(out, size, "in fp16 ranks would skip different steps: leave out fp16");
    else if (b->clips && o->clip <= 0)
        (void)snprintf(out, size, "no norm is computed: set --clip 1");
    else if (b->prefetches && o->prefetch == 0)
        (void)snprintf(out, size, "nothing is gathered ahead: set --prefetch 1");
}

bool lab_bug_check(const struct lab_options *o, struct lab_message *m) {
    const struct bug *b = &bugs[o->bug];
    char change[200] = "";
    if (o->bug != LAB_NO_BUG) look(o, b, change, sizeof change);
    if (change[0])
        (void)snprintf(m->text, sizeof m->text, "--plant-bug %s: %s", lab_bug_asked(o), change);
    return change[0] == 0;
}
