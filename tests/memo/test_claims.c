/* Claims are judged as answers are; a memo that the engine filled in passes, and every single
 * corruption of a claim fails it. Every quantity of the engine, put into a sentence with its name,
 * is recognised as that. */
#include "memo/memo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const char *const heads[] = {
    "Scenario: 13e9 parameters, 8 × A100 80 GB, sequence 2048, micro-batch 1\nRecipe: "
    "paper\nDecision: stage 2\nAlternative other: stage 3\n",
    "Scenario: Llama 2 70B, 64 × H100 80 GB, 8 GPUs per node, sequence 4096, micro-batch "
    "1\nRecipe: deepspeed\nDecision: stage 3, full checkpointing\nAlternative other: stage 2\n",
    "Scenario: Llama 2 7B, 4 × A100 40 GB, sequence 2048, micro-batch 1\nRecipe: paper\nDecision: "
    "stage 2, optimizer on the host\nAlternative other: stage 3, no offload\n",
    "Scenario: Mistral 7B, 8 × L40S, sequence 2048, micro-batch 1, global batch 64\nRecipe: "
    "fsdp2\nDecision: stage 3\nAlternative other: full checkpointing\n",
    "Scenario: Llama 3.1 8B, 2 × RTX 4090, sequence 2048, micro-batch 1\nRecipe: paper\nDecision: "
    "stage 0, LoRA 16, full checkpointing\nAlternative other: LoRA 0\n",
    "Scenario: 13e9 parameters, 8 × A100 80 GB, sequence 2048, micro-batch 1\nRecipe: "
    "paper\nDecision: stage 3\nAlternative other: stage 2\n",
    "Scenario: 13e9 parameters, 8 × A100 80 GB, sequence 2048, micro-batch 1\nRecipe: "
    "deepspeed\nDecision: stage 1, full checkpointing\nAlternative other: stage 2\n",
    "Scenario: Llama 2 7B, 16 × H200, 8 GPUs per node, sequence 4096, micro-batch 2\nRecipe: "
    "megatron\nDecision: stage 1\nAlternative other: stage 0\n",
};
static const char prose[] = "\n## Decision\n\nThis is what we choose.\n\n## Memory\n\nIt is "
                            "counted in the table below, by the "
                            "recipe that we name.\n\n## Communication and step time\n\nThese are "
                            "in the table as well, for our link.\n"
                            "\n## Alternatives rejected\n\nThe other one is larger or slower, as "
                            "the table says.\n\n## Risks and "
                            "fallback\n\nLonger sequences; then the other one.\n\n## What to "
                            "measure in the first hour\n\nThe peak by "
                            "category, and the step time.\n\n## Figures\n\n| quantity | "
                            "configuration | value |\n|:--|:--|--:|\n";

static void check(const char *text, struct memo_report *r) {
    struct base_message m = {0};
    if (!memo_read(text, strlen(text), NULL, r, &m)) fail_msg("%s", m.what);
    if (!r->decided) fail_msg("%s\n%s", r->count ? r->finding[0].what : "", text);
}

/* Four digits, as people write them. */
static void put_value(struct base_text *t, const struct memo_config *c, const char *quantity,
                      double by) {
    char out[48];
    enum account_measure m = memo_quantity_measure(memo_quantity_find(quantity));
    double value = by * memo_value(c, quantity);
    if (m == ACCOUNT_FIGURE_BYTES)
        base_text_puts(t, account_print(out, sizeof out, value, ACCOUNT_UNIT_GB, 4));
    else if (m == ACCOUNT_FIGURE_SECONDS)
        base_text_puts(t, account_print(out, sizeof out, value, ACCOUNT_UNIT_SECONDS, 4));
    else
        base_text_puts(t, memo_print(out, sizeof out, value, m));
}

/* What may be wrong with a claim. */
static const struct corruption {
    const char *name;
    double by;
    enum { BY_FACTOR, AS_GIB, NEGATIVE, OF_ANOTHER } how;
} corruptions[] = {
    {"× 1.3", 1.3, BY_FACTOR},
    {"halved", 0.5, BY_FACTOR},
    {"× 8", 8, BY_FACTOR},
    {"2 % more", 1.02, BY_FACTOR},
    {"a tenth less", 0.9, BY_FACTOR},
    {"the digits of GiB, with GB", 1 / 1.073741824, BY_FACTOR},
    {"GiB for GB", 1, AS_GIB},
    {"a minus before it", 1, NEGATIVE},
    {"the other configuration's", 1, OF_ANOTHER},
};

/* Writes a claim's value, corrupted; false if the corruption leaves it as it is. */
static bool put_corrupt(struct base_text *t, const struct memo_report *r, size_t config,
                        const char *quantity, const struct corruption *c) {
    const struct memo_config *own = &r->config[config],
                             *other =
                                 &r->config[MEMO_THE_DECISION + MEMO_FIRST_ALTERNATIVE - config];
    double is = memo_value(own, quantity), others = memo_value(other, quantity);
    bool bytes = memo_quantity_measure(memo_quantity_find(quantity)) == ACCOUNT_FIGURE_BYTES;
    size_t from = t->length;
    if (c->how == NEGATIVE) base_text_puts(t, "−");
    bool differs = others > 1.01 * is || (others > 0 && others < 0.99 * is);
    if (c->how == OF_ANOTHER) {
        put_value(t, differs ? other : own, quantity, 1);
        return differs;
    }
    put_value(t, own, quantity, c->by);
    if (c->how != AS_GIB || !bytes) return c->how == BY_FACTOR || c->how == NEGATIVE;
    char *gb = strstr(t->s + from, " GB");
    assert_non_null(gb);
    t->length = (size_t)(gb - t->s);
    base_text_puts(t, " GiB");
    return true;
}

static const struct claim {
    const char *quantity;
    size_t config;
} claims[] = {
    {"model states", MEMO_THE_DECISION},
    {"peak", MEMO_THE_DECISION},
    {"spare", MEMO_THE_DECISION},
    {"sent per rank and step", MEMO_THE_DECISION},
    {"exposed communication", MEMO_THE_DECISION},
    {"step time", MEMO_THE_DECISION},
    {"tokens/s", MEMO_THE_DECISION},
    {"model states", MEMO_FIRST_ALTERNATIVE},
};

/* A whole memo by the engine, of which one claim is corrupted (BASE_COUNT(claims): none); false if
 * none is. */
static bool make(const char *head, size_t wrong, const struct corruption *how,
                 struct base_text *out) {
    struct memo_report r;
    bool corrupted = false;
    base_text_puts(out, head);
    base_text_puts(out, prose);
    check(out->s, &r);
    for (size_t i = 0; i < BASE_COUNT(claims); i++) {
        const struct claim *c = &claims[i];
        const struct memo_config *of = &r.config[c->config];
        if (!(memo_value(of, c->quantity) > 0)) continue;
        base_text_printf(out, "| %s | %s | ", c->quantity, of->name);
        if (i == wrong)
            corrupted = put_corrupt(out, &r, c->config, c->quantity, how);
        else
            put_value(out, of, c->quantity, 1);
        base_text_printf(out, "%s%s |\n", i == 1 ? ", " : "",
                         i == 1 ? account_phase_name(of->peak) : "");
    }
    memo_free(&r);
    return corrupted;
}

static size_t try_memo(const char *head, size_t wrong, const struct corruption *how) {
    struct base_text t = {0};
    struct memo_report r;
    bool corrupted = make(head, wrong, how, &t);
    check(t.s, &r);
    if (r.passes == corrupted)
        fail_msg("%s, %s: %s\n%s", wrong < BASE_COUNT(claims) ? claims[wrong].quantity : "no claim",
                 how->name, r.verdict, t.s);
    memo_free(&r);
    base_text_free(&t);
    return corrupted;
}

static void what_the_engine_fills_in_passes_and_no_corruption_does(void **state) {
    size_t corrupted = 0;
    (void)state;
    for (size_t h = 0; h < BASE_COUNT(heads); h++)
        for (size_t wrong = 0; wrong <= BASE_COUNT(claims); wrong++)
            for (size_t f = 0; f < BASE_COUNT(corruptions); f++)
                corrupted += try_memo(heads[h], wrong, &corruptions[f]);
    assert_true(corrupted >= 200);
}

/* ── one claim ─────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *row;
    enum memo_kind kind;
    const char *says;
} rows[] = {
    {"model states | decision | 48.75 GB", MEMO_RIGHT, ""},
    {"model states | | 48.75 GB", MEMO_RIGHT, ""},
    {"model states | decision | 45.4 GiB", MEMO_RIGHT, ""},
    {"model states | decision | 48,750 MB", MEMO_RIGHT, ""},
    {"model states | decision | 2*13 + 14*13/8 = 48.75 GB", MEMO_RIGHT, ""},
    {"model states | decision | **48.8 GB**", MEMO_RIGHT, ""},
    {"model states | decision | 49 GB", MEMO_ROUNDED, "three digits"},
    {"model states | decision | about 49 GB", MEMO_RIGHT, ""},
    {"model states | decision | 48–50 GB", MEMO_RIGHT, ""},
    {"model states | decision | 30–60 GB", MEMO_WRONG, "a tenth wide"},
    {"model states | decision | 50–52 GB", MEMO_WRONG, ""},
    {"gradients | decision | 3.250 MB", MEMO_UNIT, "a thousand times"},
    {"tokens/s | decision | 13.664 tokens/s", MEMO_UNIT, "a thousand times"},
    {"step time | decision | 1,199 ms", MEMO_RIGHT, ""},
    {"model states | decision | 48,75 GB", MEMO_RIGHT, ""},
    {"model states | decision | 48.75 GiB", MEMO_UNIT, "right in GB"},
    {"model states | decision | 42.25 GB", MEMO_MISTAKE, "the fp32 master copy was forgotten"},
    {"model states | decision | 71.5 GB", MEMO_MISTAKE, "not divided"},
    {"model states | decision | 63.4 GB", MEMO_WRONG, "48.8 GB"},
    {"model states | other | 26.0 GB", MEMO_RIGHT, "other"},
    {"model states | stage 1 | 71.5 GB", MEMO_RIGHT, "stage 1"},
    {"peak | stage 1, full checkpointing | 74.9 GB", MEMO_RIGHT, ""},
    {"peak | decision | 67.0 GB, forward", MEMO_RIGHT, ""},
    {"peak | decision | 67.0 GB, update", MEMO_WRONG, "the peak is in backward"},
    {"sent per rank and step | other | 45.5 GB", MEMO_MISTAKE, ""},
    {"step time | decision | 1.2 ms", MEMO_UNIT, "thousand"},
    {"peak | other | 46.2 GB, backward", MEMO_RIGHT, "46.2 GB"},
    {"peak | other | 44.3 GB, backward", MEMO_RIGHT, "leaves out the layers that stage 3 gathers"},
    {"spare | other | 40.7 GB", MEMO_RIGHT, "PyTorch reports. It leaves out the layers"},
    {"spare | decision | 18.0 GB", MEMO_RIGHT, "right by the 85.0 GB that PyTorch reports"},
    {"spare | decision | 18.9 GB", MEMO_RIGHT, "right by the 85.9 GB that the driver reports"},
    {"spare | decision | 13.0 GB", MEMO_WRONG, "the engine says 18.0 GB"},
    {"usable memory | decision | 84.99 GB", MEMO_RIGHT,
     "right by the 85.0 GB that PyTorch reports"},
    {"usable memory | decision | 85.9 GB", MEMO_RIGHT,
     "right by the 85.9 GB that the driver reports"},
    {"usable memory | decision | 80.0 GB", MEMO_UNIT, "right in GiB"},
    {"over the card | stage 1 | 4.79 GB", MEMO_RIGHT, "right by the 85.0 GB that PyTorch reports"},
    {"over the card | stage 1 | 3.88 GB", MEMO_RIGHT,
     "right by the 85.9 GB that the driver reports"},
    {"tokens/s | decision | 13.7k tokens/s", MEMO_RIGHT, ""},
    {"MFU | decision | 45.0 %", MEMO_RIGHT, ""},
    {"gradients | decision | 26.0 GB", MEMO_MISTAKE, "not divided"},
    {"moments | decision | 104 GB", MEMO_MISTAKE, "added up"},
    {"peak, backward | decision | 67.0 GB", MEMO_RIGHT, ""},
    {"peak (in backward) | decision | 67.0 GB", MEMO_RIGHT, ""},
    {"step time | decision | 1200 ms", MEMO_RIGHT, ""},
    {"tokens/s | decision | 13,700 tokens/s", MEMO_RIGHT, ""},
    {"model states | decision | 48,800 MB", MEMO_RIGHT, ""},
    {"params + grads | decision | 29.25 GB", MEMO_RIGHT, "parameters and gradients"},
    {"weights, in bf16 | decision | 26.0 GB", MEMO_RIGHT, "parameters"},
    {"weights & grads + optimizer | decision | 48.75 GB", MEMO_RIGHT, "model states"},
    {"master and moments | decision | 19.5 GB", MEMO_RIGHT, "optimizer states"},
    {"peak and spare | decision | 67.0 GB", MEMO_UNREADABLE, "unknown quantity"},
    {"communication volume | decision | 45.5 GB", MEMO_RIGHT, "sent per rank and step"},
    {"tokens per second | decision | 13.7k", MEMO_RIGHT, "tokens/s"},
    {"communication | decision | 45.5 GB", MEMO_UNREADABLE, "read as the communication time"},
    {"frobs | decision | 3 GB", MEMO_UNREADABLE, "unknown quantity"},
    {"model states | stage 7 | 3 GB", MEMO_UNREADABLE, "7"},
    {"model states | decision | many", MEMO_UNREADABLE, "unit"},
    {"model states | decision | 3 s", MEMO_UNREADABLE, "unit"},
};

static void a_claim_is_judged_as_an_answer_is(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct memo_report r;
        char *text = base_format("%s%s| %s |\n", heads[0], prose, rows[i].row);
        check(text, &r);
        const struct memo_finding *f = NULL;
        for (size_t k = 0; k < r.count && !f; k++)
            if (r.finding[k].section == MEMO_FIGURES && r.finding[k].line) f = &r.finding[k];
        if (!f || f->kind != rows[i].kind || !strstr(f->what, rows[i].says))
            fail_msg("%s: %s %s", rows[i].row, f ? memo_kind_name(f->kind) : "nothing",
                     f ? f->what : "");
        memo_free(&r);
        free(text);
    }
}

/* ── the text ──────────────────────────────────────────────────────────────────────────────────*/
static void a_quantity_named_is_recognised(void **state) {
    (void)state;
    for (size_t h = 0; h < BASE_COUNT(heads); h++) {
        struct memo_report r;
        check(heads[h], &r);
        for (size_t q = 0; q < memo_quantities(); q++) {
            struct base_text t = {0};
            struct memo_report with;
            if (!(memo_value(&r.config[MEMO_THE_DECISION], memo_quantity_name(q)) > 0)) continue;
            base_text_printf(&t, "%s\nThe %s of the decision: ", heads[h], memo_quantity_name(q));
            put_value(&t, &r.config[MEMO_THE_DECISION], memo_quantity_name(q), 1);
            base_text_puts(&t, ".\n");
            check(t.s, &with);
            const struct memo_finding *f = with.count ? &with.finding[0] : NULL;
            if (!f || f->kind != MEMO_KNOWN || !strstr(f->what, memo_quantity_name(q)))
                fail_msg("%s: %s", t.s, f ? f->what : "nothing");
            memo_free(&with);
            base_text_free(&t);
        }
        memo_free(&r);
    }
}

/* The line of the example is what it says: the engine counts its adapters. */
static void adapters_on_all_layers_are_counted(void **state) {
    static const char memo[] =
        "Scenario: Llama 2 7B, 8 × A100 80 GB, sequence 2048, micro-batch 1\nDecision: stage 2\n"
        "Alternative lora: LoRA 16 on all linear layers\nAlternative plain: LoRA 16\n"
        "Alternative quantized: QLoRA 16 on all linear modules\n"
        "Alternative named: LoRA 16 on query and value\n";
    static const double trained[] = {39976960, 8388608, 39976960, 8388608}; /* PEFT's counts */
    struct memo_report r;
    (void)state;
    check(memo, &r);
    assert_false(r.refused);
    assert_int_equal(r.configs, MEMO_FIRST_ALTERNATIVE + 4 + 4);
    for (size_t i = 0; i < BASE_COUNT(trained); i++) {
        const struct memo_config *c = &r.config[MEMO_FIRST_ALTERNATIVE + i];
        uint64_t ranks = account_shard_ranks(&c->is.training);
        assert_int_equal(c->is.training.lora, 16);
        assert_true(memo_value(c, "gradients") >= 4 * trained[i] / (double)ranks);
        assert_true(memo_value(c, "gradients") < 4 * trained[i] / (double)ranks + 64);
    }
    for (size_t i = 0; i < r.count; i++)
        if (r.finding[i].line > 0) assert_int_not_equal(r.finding[i].kind, MEMO_NOTE);
    memo_free(&r);
}

/* ── the head ──────────────────────────────────────────────────────────────────────────────────*/
#define GIVEN "Scenario: 13e9 parameters, 8 × A100 80 GB, sequence 2048, micro-batch 1"
static const struct {
    /* of its refusal; NULL: it is read */
    const char *head, *says;
} lines[] = {
    {"\xef\xbb\xbf" GIVEN "\nDecision: stage 2\n", NULL},
    {GIVEN ", bucket 500MB\nRecipe: deepspeed\nDecision: stage 2\n", NULL},
    {GIVEN ", hpz 4\nDecision: stage 3\n", NULL},
    {GIVEN ", optimizer on the host\nDecision: stage 2\n", NULL},
    {GIVEN ", hpz 4\nDecision: stage 2\n", "belongs to stage 3"},
    {GIVEN "\nRecipe: papr\nDecision: stage 2\n", "the recipe says \"papr\" at column 1"},
    {GIVEN "\nDecision: stage 2, optimizer adamz\n", "says \"adamz\" at column 20"},
    {GIVEN "\nDecision: stage 2, link warp9\n", "says \"warp9\" at column 15"},
    {GIVEN "\nDecision: stage 2\nAlternative decision: stage 3\n", "\"decision\" is taken"},
    {GIVEN "\nDecision: stage 2\nAlternative stage 3: stage 3\n", "\"stage 3\" is taken"},
    {GIVEN "\nDecision: stage 2\nDecision: stage 3\n", "the head says this already"},
    {GIVEN "\nRecipe: paper\nRecipe: fsdp2\nDecision: stage 2\n", "the head says this already"},
    {GIVEN "\nDecision: stage 2\n\nDecision: stage 3 is not needed.\n", NULL},
    {GIVEN "\nDecision: stage 2\nAlternative a: stage 3\nAlternative A: stage 1\n",
     "\"A\" is taken"},
};

static void a_head_is_read_or_refused_by_its_word(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        struct memo_report r;
        struct base_message m = {0};
        const struct memo_finding *f = NULL;
        if (!memo_read(lines[i].head, strlen(lines[i].head), NULL, &r, &m)) fail_msg("%s", m.what);
        for (size_t k = 0; k < r.count && !f; k++)
            if (r.finding[k].kind == MEMO_UNREADABLE) f = &r.finding[k];
        const char *says = f ? f->what : NULL;
        bool same = lines[i].says ? says && strstr(says, lines[i].says) : !says && r.decided;
        if (!same) fail_msg("%s: %s", lines[i].head, says ? says : "it is read");
        memo_free(&r);
    }
}

/* ── names ─────────────────────────────────────────────────────────────────────────────────────*/
static void names_go_on_where_they_are_typed(void **state) {
    static const struct {
        /* NULL: no name does */
        const char *before, *first;
    } cases[] = {
        {"| quantity |\n| exp", "exposed communication"},
        {"| peak | oth", "other"},
        {"| peak | decision | 6", NULL},
        {"Decision: stage 2, shard g", "shard group"},
        {"Decision: full chec", "checkpointing"},
        {"Decision: stage 2, muo", "muon"},
        {"Recipe: ", "paper"},
        {"Recipe: deep", "deepspeed"},
        {"Alternative a: stage 1, xyz", NULL},
        {"All of it sha", NULL},
    };
    struct memo_report r;
    (void)state;
    check(heads[0], &r);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        size_t typed;
        const char *name = memo_complete(&r, cases[i].before, 0, &typed);
        if (cases[i].first ? !name || strcmp(name, cases[i].first) != 0 : name != NULL)
            fail_msg("%s: %s", cases[i].before, name ? name : "nothing");
    }
    memo_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claim_is_judged_as_an_answer_is),
        cmocka_unit_test(what_the_engine_fills_in_passes_and_no_corruption_does),
        cmocka_unit_test(a_head_is_read_or_refused_by_its_word),
        cmocka_unit_test(a_quantity_named_is_recognised),
        cmocka_unit_test(names_go_on_where_they_are_typed),
        cmocka_unit_test(adapters_on_all_layers_are_counted),
    };
    return cmocka_run_group_tests_name("memo/claims", tests, NULL, NULL);
}
