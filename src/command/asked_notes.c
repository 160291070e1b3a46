/* asked_notes: flags that contradict each other are refused; what was assumed, and flags that have
 * nothing to do, are told. */
#include "command/asked.h"

#include <stdarg.h>
#include <string.h>

void command_asked_add(struct asked *out, const char *field, const char *format, ...) {
    if (out->notes == ASKED_NOTES) return;
    struct asked_note *note = &out->note[out->notes++];
    va_list list;
    note->assumed = field;
    va_start(list, format);
    vsnprintf(note->text, sizeof note->text, format, list);
    va_end(list);
}

/* ── what is refused ───────────────────────────────────────────────────────────────────────────*/

bool command_asked_agrees(const struct arguments *a) {
    const char *lora = command_arguments_value(a, "lora"),
               *qlora = command_arguments_value(a, "qlora");
    if (!lora || !qlora || strcmp(lora, "0") == 0 || strcmp(qlora, "0") == 0) return true;
    command_say_error("--lora and --qlora both set the adapters: use one of them");
    return false;
}

/* ── what was assumed ──────────────────────────────────────────────────────────────────────────*/

static void assume_node(const struct arguments *a, struct asked *out) {
    struct account_training *t = &out->training;
    if (command_arguments_has(a, "gpus-per-node")) return;
    const struct account_node *node = account_assume_node(t), *usual = account_node_of(t->card);
    if (node)
        command_asked_add(out, "gpus_per_node", "%u GPUs per node, as in %s (--gpus-per-node)",
                          node->gpus, node->title);
    else if (usual && t->gpus > usual->gpus)
        command_asked_add(out, "gpus_per_node",
                          "all %u GPUs in one node, since they do not fill nodes of %u, as %s has "
                          "(--gpus-per-node)",
                          t->gpus, usual->gpus, usual->title);
    else if (t->gpus > 1 && t->card && !usual)
        command_asked_add(out, "gpus_per_node", "all %u GPUs in one node (--gpus-per-node)",
                          t->gpus);
}

/* ── what has nothing to do ────────────────────────────────────────────────────────────────────*/

/* Whether the plan may still vary it. */
static bool is_open(const struct arguments *a, const char *name) {
    return strcmp(a->command->name, "plan") == 0 && !command_arguments_has(a, name);
}

static bool only_stage_below(const struct asked *q, uint8_t stage) {
    for (size_t i = 0; i < q->stages; i++)
        if (q->stage[i] >= stage) return false;
    return true;
}

static void find_idle_degrees(const struct arguments *a, struct asked *out) {
    const struct account_training *t = &out->training;
    if (command_arguments_has(a, "interleave") && t->interleave > 1 && t->pp <= 1 &&
        !is_open(a, "pp"))
        command_asked_add(out, NULL, "--interleave has no effect: pp is 1");
    if (t->sp && t->tp <= 1 && !is_open(a, "tp"))
        command_asked_add(out, NULL, "--sp has no effect: tp is 1");
    if (t->shard_group && only_stage_below(out, 1) && !is_open(a, "stage"))
        command_asked_add(out, NULL, "--shard-group has no effect: stage 0 shards nothing");
    if (t->gpus_per_node > t->gpus)
        command_asked_add(out, NULL,
                          "--gpus-per-node has no effect: %u GPUs are fewer than a node's %u",
                          t->gpus, t->gpus_per_node);
}

/* What only a stage that gathers parameters has. */
static void find_idle_gathers(const struct arguments *a, struct asked *out) {
    const struct account_training *t = &out->training;
    static const char *const names[] = {"qwz", "qgz", "hpz", "prefetch"};
    const bool set[] = {t->qwz, t->qgz, t->hpz > 0, command_arguments_has(a, "prefetch")};
    if (!only_stage_below(out, 3) || is_open(a, "stage")) return;
    for (size_t i = 0; i < BASE_COUNT(names); i++)
        if (set[i])
            command_asked_add(out, NULL, "--%s has no effect: only stage 3 gathers parameters",
                              names[i]);
}

static void find_idle_step(const struct arguments *a, struct asked *out) {
    const struct account_training *t = &out->training;
    if (strcmp(a->command->name, "plan") == 0) return;
    if (t->batch && !t->seq)
        command_asked_add(out, NULL, "--batch has no effect without --seq: activations need both");
    else if (t->seq && !t->batch)
        command_asked_add(out, NULL, "--seq has no effect without --batch: activations need both");
    else if (!t->batch && command_arguments_has(a, "checkpoint"))
        command_asked_add(out, NULL, "--checkpoint has no effect without --batch and --seq");
    else if (t->checkpoint == ACCOUNT_SELECTIVE && t->flash)
        command_asked_add(out, NULL,
                          "--checkpoint selective has no effect: it drops attention's matrices, "
                          "and flash attention keeps none (see --flash off)");
}

/* ── what the card cannot ──────────────────────────────────────────────────────────────────────*/

static void find_missing_bf16(struct asked *out) {
    char precision[NAME_MOST];
    const struct account_training *t = &out->training;
    const char *name = account_get(t, "precision", precision, sizeof precision);
    if (!t->card || t->card->bf16 || !name || !strstr(name, "bf16")) return;
    command_asked_add(out, NULL, "%s has no bf16: use --precision mixed-fp16 or fp32",
                      t->card->title);
}

void command_asked_find_notes(const struct arguments *a, struct asked *out) {
    assume_node(a, out);
    find_idle_degrees(a, out);
    find_idle_gathers(a, out);
    find_idle_step(a, out);
    find_missing_bf16(out);
}

/* ── showing ───────────────────────────────────────────────────────────────────────────────────*/

void command_asked_put_notes(const struct asked *q, struct page *p) {
    for (size_t i = 0; i < q->notes; i++)
        command_report_note(p, "%s%s.", q->note[i].assumed ? "Assumed: " : "", q->note[i].text);
}

void command_asked_add_notes(const struct asked *q, json_t *json) {
    json_t *assumed = json_object(), *notes = json_array();
    for (size_t i = 0; i < q->notes; i++)
        if (q->note[i].assumed)
            json_object_set_new(assumed, q->note[i].assumed, json_string(q->note[i].text));
        else
            json_array_append_new(notes, json_string(q->note[i].text));
    json_object_set_new(json, "assumed", assumed);
    json_object_set_new(json, "notes", notes);
}
