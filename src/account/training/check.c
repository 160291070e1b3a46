/* Whether the fields of a training agree: one function a subject, in the order in which a person
 * would fix them. */
#include "account/training/resolved.h"
#include "account/training/training.h"

#include <assert.h>

static bool check_size(const struct account_training *t, struct account_error *e) {
    if (t->params == 0)
        return account_fail(e, 0, "params: how many parameters? Set a count like 13B, or a model");
    if (t->params > ACCOUNT_MOST_PARAMS)
        return account_fail(e, 0, "params: at most 1e17 parameters");
    if (t->gpus == 0 || t->gpus > ACCOUNT_MOST_GPUS)
        return account_fail(e, 0, "gpus: write a whole number of GPUs from 1 to %u",
                            ACCOUNT_MOST_GPUS);
    if (t->stage > 3) return account_fail(e, 0, "stage: ZeRO has the stages 0, 1, 2 and 3");
    return true;
}

static bool check_nodes(const struct account_training *t, struct account_error *e) {
    uint32_t node = t->gpus_per_node;
    if (node == 0 || t->gpus <= node || t->gpus % node == 0) return true;
    return account_fail(
        e, 0, "gpus_per_node: %u GPUs do not fill nodes of %u: make gpus a multiple of it", t->gpus,
        node);
}

static bool check_rows(const struct account_training *t, struct account_error *e) {
    if (t->precision >= account_precision_count)
        return account_fail(e, 0, "precision: unknown: take a row of the table");
    if (t->optimizer >= account_optimizer_count)
        return account_fail(e, 0, "optimizer: unknown: take a row of the table");
    if (t->recipe >= account_recipe_count)
        return account_fail(e, 0, "recipe: unknown: take a row of the table");
    return true;
}

/* ── the recipe ────────────────────────────────────────────────────────────────────────────────*/

static bool check_stage(const struct account_training *t, struct account_error *e) {
    const struct account_recipe *r = account_recipe_of(t);
    if (account_has_stage(t, t->stage)) return true;
    char have[16];
    struct account_text list = account_text(have, sizeof have);
    for (uint8_t s = 0; s < 4; s++)
        if (account_has_stage(t, s)) account_add(&list, "%s%u", list.used ? ", " : "", s);
    return account_fail(e, 0, "stage: %s has no stage %u: it has %s", r->name, t->stage, have);
}

static bool check_pipeline(const struct account_training *t, struct account_error *e) {
    const struct account_recipe *r = account_recipe_of(t);
    if (account_degree(t->pp) > 1 && (r->no_pipeline & ACCOUNT_STAGE(t->stage)))
        return account_fail(e, 0,
                            "pp: %s refuses pipelines with stage %u, because gradients would be "
                            "reduced in every micro-batch: use stage 0 or 1",
                            r->name, t->stage);
    if (account_degree(t->pp) > 1 && t->shape.layers && t->pp > t->shape.layers)
        return account_fail(e, 0, "pp: %u stages for %u layers: at most one stage per layer", t->pp,
                            t->shape.layers);
    uint64_t pieces = (uint64_t)account_degree(t->pp) * account_degree(t->interleave);
    if (account_degree(t->pp) > 1 && t->shape.layers && pieces > t->shape.layers)
        return account_fail(e, 0,
                            "interleave: %u pieces on each of %u stages for %u layers: at most "
                            "one piece per layer",
                            t->interleave, t->pp, t->shape.layers);
    return true;
}

/* ── the mesh ──────────────────────────────────────────────────────────────────────────────────*/

static bool check_degrees(const struct account_training *t, struct account_error *e) {
    const struct {
        const char *name;
        uint32_t degree;
    } degrees[] = {{"tp", account_degree(t->tp)},
                   {"pp", account_degree(t->pp)},
                   {"cp", account_degree(t->cp)}};
    uint64_t model = 1;
    for (size_t i = 0; i < 3; i++) {
        model *= degrees[i].degree;
        if (model > t->gpus || t->gpus % model)
            return account_fail(e, 0,
                                "%s: %u GPUs cannot be divided by tp · pp · cp = %u · %u · %u",
                                degrees[i].name, t->gpus, account_degree(t->tp),
                                account_degree(t->pp), account_degree(t->cp));
    }
    return true;
}

static bool divides(uint32_t part, uint32_t whole) {
    return part > 0 && part <= whole && whole % part == 0;
}

static bool check_groups(const struct account_training *t, struct account_error *e) {
    uint32_t all = account_data_parallel(t) * account_degree(t->cp);
    if (t->shard_group && !divides(t->shard_group, all))
        return account_fail(e, 0, "shard_group: %u does not divide the %u data-parallel ranks",
                            t->shard_group, all);
    if (t->hpz && !divides(t->hpz, account_shard_ranks(t)))
        return account_fail(e, 0, "hpz: %u does not divide the %u ranks that share the states",
                            t->hpz, account_shard_ranks(t));
    if (account_degree(t->ep) > 1 && !divides(t->ep, account_shard_ranks(t)))
        return account_fail(e, 0, "ep: %u does not divide the %u ranks that share the states",
                            t->ep, account_shard_ranks(t));
    return true;
}

static bool check_shape_degrees(const struct account_training *t, struct account_error *e) {
    const struct account_shape *s = &t->shape;
    if (s->family == 0) return true;
    if (account_degree(t->tp) > 1 && s->heads % t->tp)
        return account_fail(e, 0, "tp: %u attention heads cannot be divided by %u", s->heads,
                            t->tp);
    if (account_degree(t->ep) > 1 && s->experts == 0)
        return account_fail(e, 0, "ep: this model has no experts: leave it at 1");
    if (account_degree(t->ep) > 1 && !divides(t->ep, s->experts))
        return account_fail(e, 0, "ep: %u does not divide the %u experts", t->ep, s->experts);
    return true;
}

/* ── what needs something else ─────────────────────────────────────────────────────────────────*/

/* A catalogue's model never is so large; a config.json, or a rank, may be. */
static bool check_shape_size(const struct account_training *t, uint64_t counted,
                             struct account_error *e) {
    if (t->shape.family == 0) return true;
    if (counted > ACCOUNT_MOST_PARAMS)
        return account_fail(e, 0, "model: its shape counts more than 1e17 parameters");
    if (t->lora && account_adapter_params(&t->shape, t->lora, t->lora_on) > ACCOUNT_MOST_PARAMS)
        return account_fail(e, 0, "%s: adapters of rank %u have more than 1e17 parameters",
                            t->quantized ? "qlora" : "lora", t->lora);
    return true;
}

static bool check_adapters(const struct account_training *t, struct account_error *e) {
    if (t->lora_on == ACCOUNT_ON_QUERY_VALUE) return true;
    if (t->lora == 0)
        return account_fail(e, 0,
                            "lora_on: nothing has adapters: set lora or qlora to their rank, or "
                            "leave it out");
    if (t->shape.experts && account_degree(t->ep) > 1)
        return account_fail(e, 0,
                            "lora_on: adapters on experts are counted without expert parallelism: "
                            "leave ep at 1, or take query-value");
    return true;
}

static bool check_shape_needed(const struct account_training *t, struct account_error *e) {
    bool known = t->shape.family != 0;
    if (account_optimizer_of(t)->factored && !known)
        return account_fail(
            e, 0,
            "optimizer: %s keeps sums over rows and columns, so it needs the shapes "
            "of the matrices: name a model",
            account_optimizer_of(t)->name);
    if (t->lora && !known)
        return account_fail(
            e, 0,
            "%s: the size of adapters depends on the shapes of the matrices: name a "
            "model",
            t->quantized ? "qlora" : "lora");
    if (t->batch && t->seq && !known)
        return account_fail(e, 0,
                            "batch: the size of activations depends on the shapes of the layers: "
                            "name a model");
    return true;
}

/* Bytes of a gradient as the recipe keeps it unless it is told otherwise: its first copy's. */
static uint32_t kept_bytes(const struct account_training *t) {
    const struct account_recipe *r = account_recipe_of(t);
    for (size_t i = 0; i < r->copies; i++)
        if (r->copy[i].category == ACCOUNT_GRADS)
            return account_dtype_bytes(t, (enum account_dtype)r->copy[i].dtype);
    return account_dtype_bytes(t, ACCOUNT_AS_GRAD);
}

/* Gradients can be widened where a row says what that costs, and where they are fp32 already. */
static bool can_widen(const struct account_training *t) {
    const struct account_recipe *r = account_recipe_of(t);
    if (kept_bytes(t) == 4 || r->reduce_dtype == ACCOUNT_AS_MAIN) return true;
    for (size_t i = 0; i < r->copies; i++)
        if ((r->copy[i].cases & ACCOUNT_EITHER) == ACCOUNT_WIDE) return true;
    return false;
}

static bool check_gradients(const struct account_training *t, struct account_error *e) {
    const char *name = account_recipe_of(t)->name;
    if (t->grad_dtype == ACCOUNT_32_BIT && !can_widen(t))
        return account_fail(
            e, 0, "grad_dtype: %s keeps gradients in the precision's own type: use auto", name);
    if (t->grad_dtype == ACCOUNT_16_BIT && kept_bytes(t) == 4)
        return account_fail(e, 0, "grad_dtype: %s keeps gradients in fp32 under %s: use auto", name,
                            account_precision_of(t)->name);
    return true;
}

static bool check_recipe_reach(const struct account_training *t, struct account_error *e) {
    const struct account_recipe *r = account_recipe_of(t);
    uint32_t model = account_degree(t->tp) * account_degree(t->pp) * account_degree(t->cp) *
                     account_degree(t->ep);
    if (r->only_data && model > 1)
        return account_fail(e, 0, "recipe: %s is data parallel only: leave tp, pp, cp and ep at 1",
                            r->name);
    if (r->only_gpt && t->shape.family > ACCOUNT_FAMILY_GPT)
        return account_fail(
            e, 0, "recipe: %s trains GPT-2's architecture only: name a model like gpt2", r->name);
    return true;
}

/* ── what the recipe does not read ─────────────────────────────────────────────────────────────*/

static bool gathers(const struct account_recipe *r) {
    for (int stage = 0; stage < 4; stage++)
        if (r->gathers_micro[stage]) return true;
    return false;
}

/* A field that would change nothing under any stage of the recipe, as its row says. Those that
 * agree with what it does anyway may stay. */
static bool check_idle(const struct account_training *t, struct account_error *e) {
    const struct account_recipe *r = account_recipe_of(t);
    const struct {
        const char *field;
        bool given, read;
        const char *why;
    } fields[] = {
        {"bucket", t->bucket > 0, r->bucket > 0, "has no reduction buckets"},
        {"prefetch", t->prefetch != 1, gathers(r), "gathers nothing ahead"},
        {"shard_group", t->shard_group > 0, r->stages != ACCOUNT_STAGE(0), "shards nothing"},
        {"qwz", t->qwz, r->stages & ACCOUNT_STAGE(3), "has no stage 3"},
        {"qgz", t->qgz, r->stages & ACCOUNT_STAGE(3), "has no stage 3"},
        {"interleave", t->interleave > 1, !r->only_data, "has no pipelines"},
        {"sp", t->sp, !r->only_data, "has no tensor parallelism"},
        {"dropout", t->dropout, !r->no_dropout, "has no dropout"},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].given && !fields[i].read)
            return account_fail(e, 0, "%s: %s %s: leave it out", fields[i].field, r->name,
                                fields[i].why);
    return t->prefetch <= 1 || r->prefetch == 0 ||
           account_fail(e, 0,
                        "prefetch: %s counts parameters ahead, not units: take 1, or 0 for none",
                        r->name);
}

static bool check_offload(const struct account_training *t, struct account_error *e) {
    bool away = t->offload_optimizer != ACCOUNT_GPU || t->offload_params != ACCOUNT_GPU;
    if (away && !account_recipe_of(t)->offload)
        return account_fail(e, 0, "%s: %s offloads nothing: use none",
                            t->offload_optimizer != ACCOUNT_GPU ? "offload_optimizer"
                                                                : "offload_params",
                            account_recipe_of(t)->name);
    if (t->offload_optimizer != ACCOUNT_GPU && t->stage == 0)
        return account_fail(e, 0,
                            "offload_optimizer: stage 0 keeps the optimizer on every GPU: "
                            "use stage 1, 2 or 3");
    if (t->offload_params != ACCOUNT_GPU && t->stage != 3)
        return account_fail(e, 0,
                            "offload_params: only stage 3 divides the parameters: use stage 3");
    if (t->hpz && t->stage != 3)
        return account_fail(e, 0, "hpz: a second shard of the parameters belongs to stage 3");
    return true;
}

static bool check_before_tensors(const struct account_training *t, struct account_error *e) {
    return check_size(t, e) && check_nodes(t, e) && check_rows(t, e) && check_stage(t, e) &&
           check_degrees(t, e) && check_pipeline(t, e) && check_groups(t, e);
}

static bool check_with_tensors(const struct account_training *t, uint64_t counted,
                               struct account_error *e) {
    return check_shape_size(t, counted, e) && check_shape_degrees(t, e) && check_adapters(t, e) &&
           check_shape_needed(t, e) && check_recipe_reach(t, e) && check_gradients(t, e) &&
           check_idle(t, e) && check_offload(t, e);
}

bool account_check(const struct account_training *t, struct account_error *e) {
    return check_before_tensors(t, e) && check_with_tensors(t, account_count_params(&t->shape), e);
}

bool account_resolve(const struct account_training *t, struct account_resolved *out,
                     struct account_error *e) {
    if (!check_before_tensors(t, e)) return false;
    account_resolve_tensors(t, out);
    if (!check_with_tensors(t, out->counted, e)) return false;
    account_resolve_fields(t, out);
    const struct account_mesh *m = &out->mesh;
    assert((uint64_t)m->dp * out->tp * out->pp * out->cp == m->world);
    assert((uint64_t)m->shard.ranks * m->replicas.ranks == m->data.ranks);
    account_resolve_sheet(out);
    return true;
}
