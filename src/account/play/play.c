/* The table of plays, and what holds for each of them. */
#include "account/numbers/text.h"
#include "account/play/rows.h"

#include <string.h>

static const struct account_play *const plays[] = {
    &account_play_ring_reduce_scatter,
    &account_play_ring_all_gather,
    &account_play_ring_all_reduce,
    &account_play_tree_all_reduce,
    &account_play_flat,
    &account_play_buckets,
    &account_play_gather_use_free,
    &account_play_pipeline,
    &account_play_tiers,
    &account_play_tensor_layer,
    &account_play_experts,
};
enum { PLAYS = sizeof plays / sizeof *plays };

const struct account_play *const *account_plays(size_t *count) {
    *count = PLAYS;
    return plays;
}

const struct account_play *account_play_find(const char *name) {
    for (size_t i = 0; i < PLAYS; i++)
        if (account_same(plays[i]->name, name)) return plays[i];
    return NULL;
}

struct account_playing account_play_begin(const struct account_play *play) {
    struct account_playing at = {.play = play};
    for (size_t i = 0; i < play->options; i++) at.at[i] = play->option[i].usual;
    return at;
}

/* ── options ───────────────────────────────────────────────────────────────────────────────────*/

static const struct account_play_option *find_option(const struct account_play *play,
                                                     const char *name) {
    for (size_t i = 0; i < play->options; i++)
        if (account_same(play->option[i].name, name)) return &play->option[i];
    return NULL;
}

const char *account_play_value_name(const struct account_play_option *o, size_t position, char *out,
                                    size_t size) {
    struct account_text t = account_text(out, size);
    if (o->names)
        account_add(&t, "%s", o->names[position]);
    else
        account_add(&t, "%u", o->value[position]);
    return out;
}

static bool blame_value(const struct account_play_option *o, struct account_error *e) {
    char text[160];
    struct account_text t = account_text(text, sizeof text);
    for (size_t i = 0; i < o->values; i++)
        account_add(&t, "%s%u", i == 0 ? "" : i + 1 < o->values ? ", " : " or ", o->value[i]);
    return account_fail(e, 0, "%s can be %s here", o->name, text);
}

bool account_play_set(struct account_playing *at, const char *option, uint32_t value,
                      struct account_error *e) {
    const struct account_play_option *o = find_option(at->play, option);
    if (!o) return account_fail(e, 0, "the play %s has no option '%s'", at->play->name, option);
    for (size_t i = 0; i < o->values; i++)
        if (o->value[i] == value) {
            at->at[o - at->play->option] = i;
            return true;
        }
    return blame_value(o, e);
}

/* ── frames ────────────────────────────────────────────────────────────────────────────────────*/

uint32_t account_play_frames(const struct account_playing *at) {
    return at->play->frames(at);
}

void account_play_frame(const struct account_playing *at, struct account_play_frame *out) {
    struct account_playing here = *at;
    uint32_t frames = account_play_frames(at);
    if (here.frame >= frames) here.frame = frames - 1;
    *out = (struct account_play_frame){.ms = 400};
    at->play->frame(&here, out);
}

static bool is_passing(const struct account_playing *at, uint32_t frame) {
    struct account_playing there = *at;
    struct account_play_frame f;
    there.frame = frame;
    account_play_frame(&there, &f);
    return f.passing;
}

uint32_t account_play_step(const struct account_playing *at, bool forward) {
    uint32_t last = account_play_frames(at) - 1, frame = at->frame > last ? last : at->frame;
    do frame = forward ? frame + (frame < last) : frame - (frame > 0);
    while (frame > 0 && frame < last && is_passing(at, frame));
    return frame;
}

/* A bit for each moment of a play. */
static unsigned moment_bit(const struct account_play *play, const char *moment) {
    unsigned i = 0;
    while (play->moments[i] && strcmp(play->moments[i], moment) != 0) i++;
    return 1u << i;
}

uint32_t account_play_part(const struct account_playing *at) {
    struct account_playing there = *at;
    uint32_t last = account_play_frames(at) - 1;
    unsigned had = 0;
    for (there.frame = 0; there.frame < last; there.frame++) {
        struct account_play_frame f;
        account_play_frame(&there, &f);
        unsigned bit = f.passing ? 0 : moment_bit(at->play, f.moment);
        if (there.frame > at->frame && (bit & ~had)) break;
        had |= bit;
    }
    return there.frame;
}

uint32_t account_play_stops(const struct account_playing *at) {
    struct account_playing there = *at;
    uint32_t last = account_play_frames(at) - 1, count = 1;
    for (there.frame = 0; there.frame < last; count++)
        there.frame = account_play_step(&there, true);
    return count;
}

uint32_t account_play_number(const struct account_playing *at) {
    struct account_playing there = *at;
    uint32_t last = account_play_frames(at) - 1, number = 1;
    for (there.frame = 0; there.frame < last; number++) {
        there.frame = account_play_step(&there, true);
        if (there.frame > at->frame) break;
    }
    return number;
}

uint32_t account_play_stop(const struct account_playing *at, uint32_t number) {
    struct account_playing there = *at;
    uint32_t last = account_play_frames(at) - 1;
    for (there.frame = 0; number > 1 && there.frame < last; number--)
        there.frame = account_play_step(&there, true);
    return there.frame;
}
