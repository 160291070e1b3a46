/* The transformations of the training: what was misread there changes everything that follows. */
#include "account/problems/mistakes.h"

#include <stdlib.h>
#include <string.h>

/* ── what the model is ─────────────────────────────────────────────────────────────────────────*/

/* "llama-2-7b": the number before the last b or m is what people call it. 0 if there is none. */
static double named_count(const char *name) {
    double found = 0;
    for (const char *s = name; *s; s++) {
        if (!account_is_digit(*s) || (s > name && (account_is_digit(s[-1]) || s[-1] == '.')))
            continue;
        struct account_decimal d;
        const char *end = account_scan(s, &d);
        if (end && (*end == 'b' || *end == 'm') && !account_is_letter(end[1]))
            found = d.value * (*end == 'b' ? 1e9 : 1e6);
    }
    return found;
}

bool account_mistake_name(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    double count = t->model ? named_count(t->model->name) : 0;
    if (!t->model || count == 0 || t->params != t->model->params) return false;
    account_add(&x->wrong, "Ψ taken from the name; it is ");
    account_add_count(&x->wrong, t->params);
    t->params = (uint64_t)count;
    return account_misread_again(x);
}

bool account_mistake_unsplit(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_sheet *s = &x->grounds.sheet;
    if (s->split <= 1) return false;
    account_add(&x->wrong,
                "tensor and pipeline parallelism divide the model by %u before ZeRO does",
                s->split);
    for (size_t i = 0; i < s->terms; i++)
        if (s->term[i].follows) s->term[i].elements = s->params;
    s->split = 1;
    return true;
}

/* ── adapters ──────────────────────────────────────────────────────────────────────────────────*/

bool account_mistake_adapters(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_sheet *s = &x->grounds.sheet;
    size_t kept = 0;
    for (size_t i = 0; i < s->terms; i++)
        if (s->term[i].set == ACCOUNT_SET_ADAPTERS) s->term[kept++] = s->term[i];
    if (kept == 0 || kept == s->terms) return false;
    s->terms = kept;
    account_add(&x->wrong, "the adapters only; the frozen parameters are missing");
    return account_misread_find(x, ~0u) != NULL;
}

bool account_mistake_no_lora(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    if (t->lora == 0) return false;
    account_add(&x->wrong, "all parameters trained; with LoRA only the adapters are");
    t->lora = 0;
    t->lora_on = ACCOUNT_ON_QUERY_VALUE;
    t->quantized = false;
    return account_misread_again(x);
}

/* Half a byte for every parameter, without scales and without what is not quantized. */
bool account_mistake_half_byte(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_sheet *s = &x->grounds.sheet;
    size_t kept = 0;
    bool found = false;
    if (!x->problem.training.quantized) return false;
    for (size_t i = 0; i < s->terms; i++) {
        bool base = s->term[i].category == ACCOUNT_PARAMS && s->term[i].set != ACCOUNT_SET_ADAPTERS;
        if (base && found) continue;
        s->term[kept] = s->term[i];
        if (base) {
            s->term[kept].elements = s->params;
            s->term[kept].bytes = 0;
            s->term[kept].block = 2;
            s->term[kept].block_bytes = 1;
        }
        found |= base;
        kept++;
    }
    s->terms = kept;
    account_add(&x->wrong, "0.5 B for all of Ψ: scales, embeddings and the head take more");
    return found;
}

/* ── optimizers, recipes, tiers ────────────────────────────────────────────────────────────────*/

static bool is_8_bit(const struct account_training *t) {
    return account_optimizer_of(t)->block > 0;
}

bool account_mistake_plain_adam(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    if (!is_8_bit(t) || !account_set(t, "optimizer", "adamw", NULL)) return false;
    account_add(&x->wrong, "moments of 4 B each; in 8 bits they take 2.03125 B for both");
    return account_misread_again(x);
}

/* Two moments where the optimizer keeps none. */
bool account_mistake_adam_moments(const struct account_mistake_row *row,
                                  struct account_misread *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    const struct account_optimizer *o = account_optimizer_of(t);
    if (!o->factored || !account_set(t, "optimizer", "adamw", NULL)) return false;
    account_add(&x->wrong, "two moments, as Adam has; %s keeps sums of rows and columns", o->title);
    return account_misread_again(x);
}

bool account_mistake_quarter(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_training *t = &x->problem.training;
    if (!is_8_bit(t) || !account_set(t, "optimizer", "adamw", NULL)) return false;
    x->factor = row->amount;
    account_add(&x->step, " ÷ %s", account_number(&x->step, 1 / row->amount).text);
    account_add(&x->wrong, "8 bits for 32 everywhere; only the moments shrink");
    return account_misread_again(x);
}

bool account_mistake_no_offload(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    if (t->offload_optimizer == ACCOUNT_GPU && t->offload_params == ACCOUNT_GPU) return false;
    account_add(&x->wrong, "offloaded states are counted here; they are kept on the host");
    t->offload_optimizer = t->offload_params = ACCOUNT_GPU;
    return account_misread_again(x);
}

bool account_mistake_paper(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    const struct account_recipe *r = account_recipe_of(t);
    if (account_same(r->name, "paper")) return false;
    account_add(&x->wrong, "the paper's copies and collectives; %s has its own", r->title);
    return account_set(t, "recipe", "paper", NULL) && account_misread_again(x);
}

/* A bucket's elements taken for bytes. */
bool account_mistake_bucket(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    const struct account_recipe *r = account_recipe_of(t);
    if (!(t->bucket ? t->bucket_elements : r->bucket_elements)) return false;
    if (t->bucket == 0) t->bucket = r->bucket;
    t->bucket_elements = false;
    account_add(&x->wrong, "the bucket counts elements, of %u B each", account_reduce_bytes(t));
    return t->bucket > 0 && account_misread_again(x);
}

bool account_mistake_hpz(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    if (x->problem.training.hpz == 0) return false;
    account_add(&x->wrong, "hpZ's second shard of the parameters, ÷ %u, is missing",
                x->problem.training.hpz);
    x->problem.training.hpz = 0;
    return account_misread_again(x);
}

/* ── activations ───────────────────────────────────────────────────────────────────────────────*/

bool account_mistake_flash(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    if (!t->flash) return false;
    t->flash = false;
    account_add(&x->wrong, "the s² part was counted; flash attention never keeps it");
    return account_misread_again(x);
}

bool account_mistake_masks(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    account_add(&x->wrong, t->dropout
                               ? "without what dropout keeps: its masks, and the scores behind it"
                               : "with what dropout keeps; this training has no dropout");
    t->dropout = !t->dropout;
    return account_misread_again(x);
}

static const char *const checkpoints[] = {"keeping everything", "selective checkpointing",
                                          "full checkpointing"};

bool account_mistake_checkpoint(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_training *t = &x->problem.training;
    uint8_t wrong = (uint8_t)row->amount;
    if (t->checkpoint == wrong || t->checkpoint > ACCOUNT_FULL) return false;
    account_add(&x->wrong, "that is %s; here it is %s", checkpoints[wrong],
                checkpoints[t->checkpoint]);
    t->checkpoint = wrong;
    return account_misread_again(x);
}

bool account_mistake_no_sp(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    if (t->tp <= 1) return false;
    account_add(&x->wrong, t->sp ? "without sequence parallelism, which divides the rest too"
                                 : "with sequence parallelism; this training has none");
    t->sp = !t->sp;
    return account_misread_again(x);
}

/* ── what is sent ──────────────────────────────────────────────────────────────────────────────*/

bool account_mistake_as_ddp(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_training *t = &x->problem.training;
    if (t->stage == 0 || !account_has_stage(t, 0)) return false;
    account_add(&x->wrong, "that is what stage 0 sends; here it is stage %u", t->stage);
    t->stage = 0;
    return account_misread_again(x);
}

/* Three times what data parallelism sends. */
bool account_mistake_triple(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_training *t = &x->problem.training;
    if (t->stage != 3 || t->accumulate > 1 || !account_has_stage(t, 0)) return false;
    t->stage = 0;
    if (!account_misread_again(x)) return false;
    struct account_products *s = &x->grounds.products;
    for (size_t i = 0; i < s->count; i++)
        account_factor(&s->product[i], ACCOUNT_PASSES, ACCOUNT_NUMBER, row->amount, 0);
    account_add(&x->wrong, "%s × an all-reduce; it is 3Ψ against 2Ψ, 50%% more",
                account_number(&x->wrong, row->amount).text);
    return true;
}

static const char *const piece_names[ACCOUNT_PIECES] = {
    [ACCOUNT_PIECE_ALL] = "all of it",
    [ACCOUNT_PIECE_INSIDE] = "what stays inside a node",
    [ACCOUNT_PIECE_BETWEEN] = "what goes between nodes",
    [ACCOUNT_PIECE_REDUCE_SCATTER] = "the reduce-scatter",
    [ACCOUNT_PIECE_LAYER] = "one layer",
    [ACCOUNT_PIECE_LAYERS] = "all layers",
};

/* Another piece than was asked: `mask` is the one asked, `amount` the one answered. */
bool account_mistake_piece(const struct account_mistake_row *row, struct account_misread *x) {
    enum account_piece wrong = (enum account_piece)row->amount;
    if (x->problem.piece != row->mask) return false;
    x->problem.piece = wrong;
    account_add(&x->wrong, "that is %s; the question asks for %s", piece_names[wrong],
                piece_names[row->mask] ? piece_names[row->mask] : "a part");
    return account_misread_again(x);
}
