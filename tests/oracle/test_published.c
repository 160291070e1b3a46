/* Published numbers: each case of published.json goes to the adapter of its group, and none may be left over. */
#include "account/account.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* ── reading a case ──────────────────────────────────────────────────────────────────────────────*/

static const char *id_of(const json_t *row) {
    return json_string_value(json_object_get(row, "id"));
}

static const json_t *at(const json_t *row, const char *a, const char *b) {
    const json_t *value = json_object_get(json_object_get(row, a), b);
    if (!value) fail_msg("%s: there is no %s.%s", id_of(row), a, b);
    return value;
}

static double input(const json_t *row, const char *key) {
    return json_number_value(at(row, "inputs", key));
}

static uint32_t small(const json_t *row, const char *key) {
    return (uint32_t)json_integer_value(at(row, "inputs", key));
}

static double expected(const json_t *row, const char *group, const char *key) {
    const json_t *value = json_object_get(at(row, "expected", group), key);
    if (!value) fail_msg("%s: nothing is expected of %s.%s", id_of(row), group, key);
    return json_number_value(value);
}

static void near(const json_t *row, const char *what, double got, double wanted, double slack) {
    if (!(fabs(got - wanted) <= slack))
        fail_msg("%s, %s: got %.17g, published is %.17g", id_of(row), what, got, wanted);
}

/* ── trainings ───────────────────────────────────────────────────────────────────────────────────*/

static struct account_training training(double params, uint32_t gpus, unsigned stage) {
    struct account_training t = account_training_default();
    t.params = (uint64_t)params;
    t.gpus = gpus;
    t.stage = (uint8_t)stage;
    return t;
}

static double total(const struct account_training *t) {
    struct account_ledger l;
    struct account_error e = {0};
    if (!account_ledger(t, &l, &e)) fail_msg("%s", e.what);
    return (double)l.total;
}

static const char *const stages[] = {"baseline", "Pos", "Pos_g", "Pos_g_p"};

/* ── the groups ──────────────────────────────────────────────────────────────────────────────────*/

static void check_params(const json_t *row) {
    bool gpt = json_object_get(json_object_get(row, "inputs"), "ctx") != NULL;
    uint32_t h = small(row, "hidden"), heads = small(row, "heads");
    struct account_shape s = {.family = gpt ? 1 : 2,
                              .tied = gpt,
                              .layers = small(row, "layers"),
                              .hidden = h,
                              .heads = heads,
                              .kv_heads = gpt ? heads : small(row, "kv_heads"),
                              .head_size = h / heads,
                              .ffn = gpt ? 4 * h : small(row, "intermediate"),
                              .vocab = small(row, "vocab"),
                              .context = gpt ? small(row, "ctx") : 0};
    near(row, "total", (double)account_count_params(&s),
         json_number_value(at(row, "expected", "total")), 0);
}

/* Bytes a parameter on each GPU, without the padding that a ledger counts. */
static double rate(const struct account_training *t) {
    struct account_problem p = account_problem_default();
    struct account_solution s;
    struct account_error e = {0};
    p.kind = ACCOUNT_ASK_BYTES_PER_PARAM;
    p.training = *t;
    if (!account_solve(&p, &s, &e)) fail_msg("%s", e.what);
    return s.value;
}

/* The printed columns of the larger models are cut and not rounded. The paper divides where N does not divide: the ledger
 * has up to an element more of each copy, 16 bytes. */
static void check_table1(const json_t *row) {
    double params = input(row, "params");
    for (unsigned stage = 1; stage < 4; stage++) {
        struct account_training t = training(params, small(row, "N_d"), stage);
        double exact = expected(row, "exact_bytes", stages[stage]);
        near(row, stages[stage], rate(&t) * params, exact, 1e-12 * exact);
        near(row, stages[stage], total(&t), exact + 8, 8);
        near(row, stages[stage], total(&t) / 1e9, expected(row, "printed_GB", stages[stage]),
             params > 1e10 ? 1 : 0.06);
    }
}

static void check_figure1(const json_t *row) {
    for (unsigned stage = 0; stage < 4; stage++) {
        struct account_training t = training(input(row, "params"), small(row, "N_d"), stage);
        near(row, stages[stage], total(&t), 1e9 * expected(row, "exact_GB", stages[stage]), 0);
        near(row, stages[stage], total(&t) / 1e9, expected(row, "printed_GB", stages[stage]), 0.05);
    }
}

/* Tensor parallelism divides the model first: MP times what fits one data-parallel group. */
static void check_table2(const json_t *row) {
    double mp = input(row, "MP");
    for (unsigned stage = 0; stage < 4; stage++) {
        struct account_training t = training(1, small(row, "N_d"), stage);
        double most =
            mp * (double)account_largest_params(&t, (uint64_t)input(row, "capacity_bytes"));
        double printed = expected(row, "printed", stages[stage]);
        near(row, stages[stage], most, expected(row, "exact", stages[stage]),
             mp * 64); /* whole elements on 64 ranks */
        near(row, stages[stage], most, printed, 0.025 * printed);
    }
}

static void check_multiplier(const json_t *row) {
    static const struct {
        const char *name, *precision, *optimizer;
    } rows[] = {
        {"autocast_amp_adamw",   "fp32",       "adamw"       },
        {"fp32_adamw",           "fp32",       "adamw"       },
        {"fp32_sgdm",            "fp32",       "sgd-momentum"},
        {"mixed_fp16grad_adamw", "mixed-fp16", "adamw"       },
        {"mixed_sgdm",           "mixed-fp16", "sgd-momentum"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(id_of(row) + strlen("opt.multiplier."), rows[i].name) != 0) continue;
        struct account_training t = training(6738415616.0, 1, 0);
        assert_true(account_set(&t, "precision", rows[i].precision, NULL) &&
                    account_set(&t, "optimizer", rows[i].optimizer, NULL));
        near(row, "total", total(&t), json_number_value(at(row, "expected", "llama2_7B_bytes")), 0);
        double rate = 0;
        for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
            rate += account_bytes_per_param(&t, (enum account_category)c);
        near(row, "bytes per parameter", rate,
             json_number_value(at(row, "expected", "bytes_per_param")), 0);
        return;
    }
    fail_msg("%s: no training is known for it", id_of(row));
}

static void check_optimizers(const json_t *row) {
    static const struct {
        const char *key, *precision, *optimizer;
    } rows[] = {
        {"adamw_fp32",        "fp32",       "adamw"       },
        {"adamw_bf16_states", "bf16",       "adamw"       },
        {"sgd_momentum",      "fp32",       "sgd-momentum"},
        {"lion",              "mixed-bf16", "lion"        },
        {"adamw_8bit_exact",  "mixed-bf16", "adam8bit"    },
        {"muon_momentum",     "mixed-bf16", "muon"        },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = training(1e9, 1, 0);
        assert_true(account_set(&t, "precision", rows[i].precision, NULL) &&
                    account_set(&t, "optimizer", rows[i].optimizer, NULL));
        near(row, rows[i].key, account_bytes_per_param(&t, ACCOUNT_MOMENTS),
             json_number_value(at(row, "expected", rows[i].key)), 0);
    }
}

/* A flat parameter of one unit, sharded: the shard and what all ranks hold together. */
static void check_flat_padding(const json_t *row) {
    struct account_training t = training(input(row, "numel"), small(row, "F"), 3);
    struct account_ledger l;
    assert_true(account_set(&t, "precision", "fp32", NULL) && account_ledger(&t, &l, NULL));
    double shard = (double)l.bytes[ACCOUNT_PARAMS] / 4;
    near(row, "shard", shard, json_number_value(at(row, "expected", "shard")), 0);
    near(row, "padded", shard * t.gpus, json_number_value(at(row, "expected", "padded")), 0);
}

static const struct {
    const char *prefix;
    void (*check)(const json_t *row);
} groups[] = {
    {"params.",         check_params      },
    {"zero.table1.",    check_table1      },
    {"zero.table2.",    check_table2      },
    {"zero.fig1",       check_figure1     },
    {"opt.multiplier.", check_multiplier  },
    {"opt.bytes.table", check_optimizers  },
    {"fsdp.pad",        check_flat_padding},
};

static void published(void **state) {
    (void)state;
    json_error_t e;
    json_t *rows = json_load_file("tests/oracle/published.json", JSON_REJECT_DUPLICATES, &e), *row;
    if (!rows) fail_msg("published.json:%d: %s", e.line, e.text);
    size_t i, g, count = sizeof groups / sizeof *groups;
    json_array_foreach(rows, i, row) {
        for (g = 0;
             g < count && strncmp(id_of(row), groups[g].prefix, strlen(groups[g].prefix)) != 0;)
            g++;
        if (g == count) fail_msg("%s: no adapter knows this case", id_of(row));
        groups[g].check(row);
    }
    assert_true(json_array_size(rows) >= 30);
    json_decref(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(published)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
