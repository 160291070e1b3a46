/* Activations part by part, by what they are: the same sums as account_activations(), before they are summed. */
#include "account/memory/activations.h"

const char *account_activation_name(enum account_activation s) {
    static const char *const names[ACCOUNT_ACTIVATION_SORTS] = {
        [ACCOUNT_SAVED_NORMS] = "norm inputs",
        [ACCOUNT_SAVED_QKV] = "q, k, v",
        [ACCOUNT_SAVED_SCORES] = "scores",
        [ACCOUNT_SAVED_OUTPUT] = "attention output",
        [ACCOUNT_SAVED_MLP] = "MLP",
        [ACCOUNT_SAVED_EXPERTS] = "experts",
        [ACCOUNT_SAVED_EMBEDDING] = "embedding",
        [ACCOUNT_SAVED_AGAIN] = "one layer again",
        [ACCOUNT_SAVED_HEAD] = "head",
        [ACCOUNT_SAVED_LOGITS] = "logits",
    };
    return (unsigned)s < ACCOUNT_ACTIVATION_SORTS ? names[s] : "";
}

static void put(struct account_activation_parts *out, enum account_activation sort,
                const char *what, uint64_t highest) {
    out->part[out->count++] =
        (struct account_activation_part){.sort = sort, .what = what, .highest = highest};
}

/* When the head and the loss are over, the last layer is computed again for its backward: the larger of the two stands at the
 * highest moment, and both where everything is allocated once. */
static void put_ends(const struct account_activations *a, struct account_activation_parts *out) {
    bool again = a->working > a->head + a->logits;
    put(out, ACCOUNT_SAVED_EMBEDDING, "embedding", a->embedding);
    put(out, ACCOUNT_SAVED_AGAIN, a->fixed ? "scratch of the layers" : "one layer, computed again",
        a->fixed || again ? a->working : 0);
    put(out, ACCOUNT_SAVED_HEAD, "inputs of the last norm and of the head",
        a->fixed || !again ? a->head : 0);
    put(out, ACCOUNT_SAVED_LOGITS, "logits, and what cross-entropy makes of them",
        a->fixed || !again ? a->logits : 0);
}

bool account_activation_parts(const struct account_training *t,
                              struct account_activation_parts *out, struct account_error *e) {
    struct account_activations a;
    *out = (struct account_activation_parts){0};
    if (!account_activations(t, &a, e)) return false;
    if (a.kept == 0) return true;
    out->count = a.fixed ? account_saved_llmc(t, out->part) : account_saved_layer(t, out->part);
    for (size_t i = 0; i < out->count; i++)
        out->part[i].highest = out->part[i].kept * (a.layers / a.kept);
    put_ends(&a, out);
    return true;
}
