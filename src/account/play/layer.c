/* The play of a layer whose matrices are divided among ranks: attention, then the MLP, forward and
 * back. Bytes are those that account_traffic() and account_activations() give one layer of the
 * training. */
#include "account/numbers/text.h"
#include "account/play/layers.h"
#include "account/play/rows.h"
#include "account/traffic/traffic.h"

enum { RANKS, PARALLEL, OPTIONS };
enum { HALVES = 2, PASSES = 2 };

static const char *const parallels[] = {"tensor", "sequence"};

static const struct account_play_option options[] = {
    [RANKS] = {.name = "ranks",
               .help = "Another number of ranks that divide the layer",
               .value = {2, 4, 8},
               .values = 3,
               .usual = 1},
    [PARALLEL] = {.name = "parallel",
                  .help = "Divide matrices alone, or the sequence between them as well",
                  .value = {0, 1},
                  .values = 2,
                  .names = parallels},
};

/* ── the training ──────────────────────────────────────────────────────────────────────────────*/
static struct account_training usual(void) {
    static const char *const fields[][2] = {
        {"model", "llama-2-70b"}, {"gpu", "a100-80g"}, {"batch", "1"}, {"seq", "4096"}};
    struct account_training t = account_training_default();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        account_set(&t, fields[i][0], fields[i][1], NULL);
    return t;
}

static struct account_training training_of(const struct account_playing *at) {
    struct account_training t = at->training.gpus ? at->training : usual();
    t.gpus = t.tp = options[RANKS].value[at->at[RANKS]];
    t.gpus_per_node = 0;
    t.sp = at->at[PARALLEL] > 0;
    t.pp = t.cp = t.ep = t.accumulate = 1;
    t.stage = 0;
    return t;
}

static bool read_traffic(const struct account_training *t, struct account_layer *w,
                         struct account_error *e) {
    struct account_traffic traffic;
    if (!account_traffic(t, &traffic, e)) return false;
    for (size_t i = 0; i < traffic.collectives; i++) {
        const struct account_collective *c = &traffic.collective[i];
        if (account_same(c->group, "tensor")) w->each = (uint64_t)((double)c->sent / c->calls);
    }
    return w->each > 0 ||
           account_fail(e, 0, "this play needs a model, a micro-batch and a sequence");
}

/* ── where one stands ──────────────────────────────────────────────────────────────────────────*/
/* Whether ranks communicate at this place, in the direction of the frame. */
static bool meets(const struct account_layer *w, enum account_layer_place place) {
    bool adds = place == (w->backward ? ACCOUNT_LAYER_ENTRY : ACCOUNT_LAYER_EXIT),
         gathers = place == (w->backward ? ACCOUNT_LAYER_EXIT : ACCOUNT_LAYER_ENTRY);
    return adds || (gathers && w->sequence);
}

static bool is_boundary(enum account_layer_place place) {
    return place == ACCOUNT_LAYER_ENTRY || place == ACCOUNT_LAYER_EXIT;
}

/* Whether ranks add up there. */
static bool is_sum(const struct account_layer *w) {
    return w->place == (w->backward ? ACCOUNT_LAYER_ENTRY : ACCOUNT_LAYER_EXIT);
}

/* Frames of a half in one direction. */
static uint32_t half_frames(bool sequence) {
    return ACCOUNT_LAYER_PLACES - !sequence;
}

static enum account_layer_part part_of(const struct account_layer *w) {
    enum account_layer_part between = w->sequence ? ACCOUNT_LAYER_TOKENS : ACCOUNT_LAYER_WHOLE;
    if (w->place == (w->backward ? ACCOUNT_LAYER_COLUMNS : ACCOUNT_LAYER_ROWS))
        return ACCOUNT_LAYER_PARTIAL;
    if (w->place >= ACCOUNT_LAYER_COLUMNS && w->place <= ACCOUNT_LAYER_ROWS)
        return ACCOUNT_LAYER_FEATURES;
    return is_boundary(w->place) && !is_sum(w) ? ACCOUNT_LAYER_WHOLE : between;
}

/* The k-th place of a half, in the direction of the pass; those where nothing happens are left
 * out. */
static enum account_layer_place place_at(const struct account_layer *w, uint32_t k) {
    int place = w->backward ? ACCOUNT_LAYER_PLACES : -1;
    for (uint32_t seen = 0; seen <= k;) {
        place += w->backward ? -1 : 1;
        seen += !is_boundary((enum account_layer_place)place) ||
                meets(w, (enum account_layer_place)place);
    }
    return (enum account_layer_place)place;
}

static void place(struct account_layer *w, uint32_t frame) {
    uint32_t each = half_frames(w->sequence), k = frame - 1, half = k / each;
    w->frame = frame;
    w->over = frame + 1 == w->frames;
    if (frame == 0 || w->over) { /* the layer's input, or its gradient */
        w->place = ACCOUNT_LAYER_NORM;
        w->backward = w->over;
    } else {
        w->backward = half >= HALVES;
        w->mlp = (half == 1) || (half == HALVES);
        w->place = place_at(w, k % each);
    }
    w->part = part_of(w);
}

/* With sequence parallel backward gathers each half's input once more, for the weights' gradients:
 * beside the multiplication that makes the input's. */
static void count(struct account_layer *w) {
    struct account_layer then = *w;
    for (uint32_t f = 1; f <= w->frame && f + 1 < w->frames; f++) {
        place(&then, f);
        bool met = meets(&then, then.place);
        w->sums += met && is_sum(&then);
        w->gathers += met && !is_sum(&then);
        w->gathers += then.sequence && then.backward && then.place == ACCOUNT_LAYER_COLUMNS;
    }
}

bool account_layer(const struct account_playing *at, struct account_layer *out,
                   struct account_error *e) {
    struct account_training t = training_of(at);
    struct account_activations a;
    *out = (struct account_layer){.ranks = t.tp, .sequence = t.sp};
    if (!read_traffic(&t, out, e) || !account_activations(&t, &a, e)) return false;
    out->keeps = a.kept;
    out->frames = 1 + HALVES * PASSES * half_frames(out->sequence) + 1;
    place(out, at->frame < out->frames ? at->frame : out->frames - 1);
    count(out);
    return true;
}

bool account_layer_has(enum account_layer_part part, uint32_t rank, uint32_t token,
                       uint32_t feature) {
    switch (part) {
    case ACCOUNT_LAYER_TOKENS: return token == rank;
    case ACCOUNT_LAYER_FEATURES: return feature == rank;
    case ACCOUNT_LAYER_WHOLE:
    case ACCOUNT_LAYER_PARTIAL: break;
    }
    return true;
}

static bool check(const struct account_playing *at, struct account_error *e) {
    struct account_layer w;
    return account_layer(at, &w, e);
}

static uint32_t frames(const struct account_playing *at) {
    struct account_layer w;
    return account_layer(at, &w, NULL) ? w.frames : 2;
}

/* ── what it says ──────────────────────────────────────────────────────────────────────────────*/
const char *account_layer_name(const struct account_layer *w, enum account_layer_place place) {
    static const char *const names[ACCOUNT_LAYER_PLACES] = {
        [ACCOUNT_LAYER_NORM] = "norm",
        [ACCOUNT_LAYER_COLUMNS] = "columns",
        [ACCOUNT_LAYER_LOCAL] = "attention",
        [ACCOUNT_LAYER_ROWS] = "rows",
    };
    if (place == ACCOUNT_LAYER_LOCAL && w->mlp) return "activation";
    if (names[place]) return names[place];
    if (!meets(w, place)) return "";
    if (!w->sequence) return "all-reduce";
    return (place == ACCOUNT_LAYER_ENTRY) == w->backward ? "reduce-scatter" : "all-gather";
}

static void say_start(const struct account_layer *w, struct account_text *t) {
    account_add(t, "Each of %u ranks has 1/%u of the layer's matrices, and ", w->ranks, w->ranks);
    account_add(t, w->sequence ? "1/%u of the tokens of its input." : "the whole input.", w->ranks);
}

static void say_norm(const struct account_layer *w, struct account_text *t) {
    if (w->sequence)
        account_add(t, "%s, norm: each rank computes its own 1/%u of the tokens.",
                    w->backward ? "Backward" : "Forward", w->ranks);
    else
        account_add(t, "%s, norm: each rank computes all tokens, so %u ranks do the same work.",
                    w->backward ? "Backward" : "Forward", w->ranks);
}

static void say_collective(const struct account_layer *w, struct account_text *t) {
    bool scatters = w->sequence && is_sum(w);
    account_add(t, "%s: ",
                !is_sum(w)    ? "All-gather"
                : w->sequence ? "Reduce-scatter"
                              : "All-reduce");
    if (!is_sum(w))
        account_add(t, "each rank now has %s of all tokens.",
                    w->backward ? "the gradients" : "the normalized input");
    else
        account_add(t, "the %u partial sums of each element become one%s.", w->ranks,
                    scatters ? ", and each rank keeps its own tokens" : ", on every rank");
    account_add(t, " A rank sends ");
    account_add_bytes(t, (double)w->each);
    account_add(t, ".");
}

static void say_forward(const struct account_layer *w, struct account_text *t) {
    switch (w->place) {
    case ACCOUNT_LAYER_COLUMNS:
        account_add(t, "Each rank multiplies with its own columns of %s.",
                    w->mlp ? "the MLP's first matrix" : "Q, K and V: those of its own heads");
        break;
    case ACCOUNT_LAYER_LOCAL:
        account_add(t, "%s, so no rank needs what another one has.",
                    w->mlp ? "The activation function takes one element at a time"
                           : "Attention takes one head at a time");
        break;
    case ACCOUNT_LAYER_ROWS:
        account_add(t,
                    "Each rank multiplies with its own rows of the %s matrix. It gets every "
                    "element, but only a partial sum of it.",
                    w->mlp ? "MLP's second" : "output");
        break;
    default: break;
    }
}

static void say_backward(const struct account_layer *w, struct account_text *t) {
    switch (w->place) {
    case ACCOUNT_LAYER_ROWS:
        account_add(t,
                    "Backward: with its own rows each rank gets the gradients of its own features "
                    "from those of the output.");
        break;
    case ACCOUNT_LAYER_LOCAL:
        account_add(t, "Backward of %s stays on each rank.",
                    w->mlp ? "the activation function" : "attention");
        break;
    case ACCOUNT_LAYER_COLUMNS:
        account_add(t, "With its own columns each rank gets a partial sum of the input's gradient");
        account_add(t, w->sequence
                           ? ". Meanwhile it gathers the input again, for its weights' gradients."
                           : ", and the gradients of its own weights.");
        break;
    default: break;
    }
}

static void say_end(const struct account_layer *w, struct account_text *t) {
    account_add(t, "In this layer a rank sent ");
    account_add_bytes(t, (double)w->each * (w->sums + w->gathers));
    if (w->sequence)
        account_add(t, " in %u all-gathers and %u reduce-scatters", w->gathers, w->sums);
    else
        account_add(t, " in %u all-reduces", w->sums);
    account_add(t, ". Until its backward it kept ");
    account_add_bytes(t, (double)w->keeps);
    account_add(t, " of activations.");
}

static void say(const struct account_layer *w, struct account_text *t) {
    if (w->frame == 0)
        say_start(w, t);
    else if (w->over)
        say_end(w, t);
    else if (w->place == ACCOUNT_LAYER_NORM)
        say_norm(w, t);
    else if (is_boundary(w->place))
        say_collective(w, t);
    else if (w->backward)
        say_backward(w, t);
    else
        say_forward(w, t);
}

static const char *const moments[] = {"start", "norm", "gather", "columns", "local",
                                      "rows",  "sum",  "turn",   "finish",  NULL};

static const char *moment(const struct account_layer *w) {
    enum { START, NORM, GATHER, COLUMNS, LOCAL, ROWS, SUM, TURN, FINISH };
    static const int at[ACCOUNT_LAYER_PLACES] = {[ACCOUNT_LAYER_NORM] = NORM,
                                                 [ACCOUNT_LAYER_COLUMNS] = COLUMNS,
                                                 [ACCOUNT_LAYER_LOCAL] = LOCAL,
                                                 [ACCOUNT_LAYER_ROWS] = ROWS};
    bool turns = w->frame == 1 + HALVES * half_frames(w->sequence);
    if (w->frame == 0) return moments[START];
    if (w->over) return moments[FINISH];
    if (turns) return moments[TURN];
    return moments[!is_boundary(w->place) ? at[w->place] : is_sum(w) ? SUM : GATHER];
}

static void frame(const struct account_playing *at, struct account_play_frame *out) {
    struct account_layer w;
    struct account_text says = account_text(out->says, sizeof out->says),
                        where = account_text(out->place, sizeof out->place);
    account_layer(at, &w, NULL);
    out->moment = moment(&w);
    out->ms = 1200;
    if (w.frame == 0 || w.over)
        account_add(&where, w.over ? "the end" : "start");
    else
        account_add(&where, "%s, %s", w.mlp ? "MLP" : "attention",
                    w.backward ? "backward" : "forward");
    say(&w, &says);
}

/* How often ranks communicate in the layer's forward: the frame in which they do for the first
 * time. */
static uint32_t stop(const struct account_playing *at, uint32_t *answer) {
    struct account_layer w;
    account_layer(at, &w, NULL);
    *answer = HALVES * (w.sequence ? 2 : 1);
    for (uint32_t f = 1;; f++) {
        place(&w, f);
        if (is_boundary(w.place)) return f;
    }
}

const struct account_play account_play_tensor_layer = {
    .name = "tensor-layer",
    .title = "a layer divided among ranks",
    .moments = moments,
    .longest = 140,
    .options = OPTIONS,
    .option = options,
    .check = check,
    .frames = frames,
    .frame = frame,
    .stop = stop,
};
