/* Plans: what is chosen fits, nothing simpler is as fast, what was pinned stays, and every row says
 * why. */
#include "account/check.h"
#include "account/plan/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 2000
static struct account_plan rows[ROOM];
static struct account_plans plans;

/* "model=llama-2-13b gpus=8": every field named is pinned. "global", "host" and "nvme" are the
 * question's own. */
static struct account_question question_of(const char *pairs) {
    struct account_question q = {.training = account_training_default()};
    size_t count;
    const struct account_field *field = account_fields(&count);
    char text[256];
    snprintf(text, sizeof text, "%s", pairs);
    for (char *left, *pair = strtok_r(text, " ", &left); pair; pair = strtok_r(NULL, " ", &left)) {
        struct account_error e;
        char *value = strchr(pair, '=');
        *value++ = '\0';
        if (strcmp(pair, "global") == 0) {
            q.global_batch = strtoull(value, NULL, 10);
        } else if (strcmp(pair, "host") == 0 || strcmp(pair, "nvme") == 0) {
            double bytes;
            assert_true(account_read_bytes(value, &bytes, &e));
            *(*pair == 'h' ? &q.host_bytes : &q.nvme_bytes) = (uint64_t)bytes;
        } else {
            if (!account_set(&q.training, pair, value, &e)) fail_msg("%s: %s", pair, e.what);
            for (size_t i = 0; i < count && i < 8 * sizeof q.pinned; i++)
                if (strcmp(field[i].name, pair) == 0) q.pinned |= (uint64_t)1 << i;
        }
    }
    return q;
}

static void plan(const char *pairs) {
    struct account_question q = question_of(pairs);
    struct account_error e;
    if (!account_plan(&q, rows, ROOM, &plans, &e)) fail_msg("%s: %s", pairs, e.what);
}

static const struct account_fork *fork_of(const char *start) {
    for (size_t i = 0; i < plans.forks; i++)
        if (strncmp(plans.fork[i].question, start, strlen(start)) == 0) return &plans.fork[i];
    fail_msg("no fork \"%s\"", start);
    return NULL;
}

static bool has_fork(const char *start) {
    for (size_t i = 0; i < plans.forks; i++)
        if (strncmp(plans.fork[i].question, start, strlen(start)) == 0) return true;
    return false;
}

static void assert_has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("\"%s\" does not say \"%s\"", text, part);
}

/* ── the cases of the napkin ───────────────────────────────────────────────────────────────────*/

enum how { ANY, NO, YES };
/* question, whether a plan is found, its lowest and highest stage, whether it offloads, whether it
 * divides the model, and a fork that the walk must pass with its answer */
#define NAPKIN(X)                                                                                  \
    X("model=llama-2-7b gpus=1 gpu=rtx-4090 lora=8", true, 0, 0, NO, NO, "With activations",       \
      "yes")                                                                                       \
    X("model=gpt2-xl gpus=4 gpu=a100-40g", true, 0, 1, NO, NO, "Does it fit under", "yes")         \
    X("model=gpt2-xl gpus=4 gpu=rtx-4090", true, 1, 3, NO, NO, "Does it fit under", "no")          \
    X("model=llama-2-7b gpus=8 gpu=a100-40g", true, 1, 3, NO, ANY, "Does it fit with stage 1",     \
      "no")                                                                                        \
    X("model=llama-2-13b gpus=8 gpu=a100-80g", true, 2, 3, NO, NO, "Does it fit with stage 2",     \
      "tight")                                                                                     \
    X("model=llama-2-13b gpus=8 gpu=a100-40g", true, 0, 3, NO, ANY, "Does it fit with stage 3",    \
      "no")                                                                                        \
    X("model=llama-2-13b gpus=8 gpu=a100-40g tp=1 pp=1 offload_optimizer=none", true, 3, 3, NO,    \
      NO, "With activations", "yes")                                                               \
    X("model=llama-2-70b gpus=128 gpu=a100-80g gpus_per_node=8", true, 1, 3, NO, ANY,              \
      "With activations", "yes")                                                                   \
    X("model=llama-2-7b gpus=8 gpu=a100-80g seq=131072 global=8", true, 3, 3, NO, ANY,             \
      "With activations", "yes")                                                                   \
    X("model=llama-2-7b gpus=8 gpu=a100-80g seq=524288 global=8", true, 0, 3, ANY, YES,            \
      "With layers", "yes")                                                                        \
    X("model=llama-2-70b gpus=8 gpu=a100-80g host=512GB nvme=1GB", false, 0, 3, ANY, ANY,          \
      "How many", "24")                                                                            \
    X("model=llama-3.1-405b gpus=8 gpu=h100-80g", true, 3, 3, YES, ANY, "With both on NVMe",       \
      "yes")                                                                                       \
    X("model=llama-2-13b gpus=1 gpu=a100-80g host=1TB", true, 1, 3, YES, NO, "Would twice", "no")
#define CASE(question, found, least, most, offload, parallel, fork, answer)                        \
    {question, found, least, most, offload, parallel, fork, answer},
static const struct {
    const char *question;
    bool found;
    int least_stage, most_stage;
    enum how offload, parallel;
    const char *fork, *answer;
} cases[] = {NAPKIN(CASE)};
#define CASES (sizeof cases / sizeof *cases)

static bool offloads(const struct account_training *t) {
    return t->offload_optimizer != ACCOUNT_GPU || t->offload_params != ACCOUNT_GPU;
}

static bool divides_model(const struct account_training *t) {
    return t->tp > 1 || t->pp > 1 || t->cp > 1;
}

static void assert_how(const char *what, enum how wanted, bool got) {
    if (wanted != ANY && got != (wanted == YES))
        fail_msg("%s: %s wanted", what, wanted == YES ? "yes" : "no");
}

static void test_cases_of_the_napkin(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        plan(cases[i].question);
        const struct account_training *t = &rows[0].training;
        assert_int_equal(plans.found, cases[i].found);
        if (plans.found) {
            assert_in_range(t->stage, cases[i].least_stage, cases[i].most_stage);
            assert_how("offload", cases[i].offload, offloads(t));
            assert_how("model parallel", cases[i].parallel, divides_model(t));
        }
        assert_string_equal(fork_of(cases[i].fork)->answer, cases[i].answer);
    }
}

/* ── what holds of every answer ────────────────────────────────────────────────────────────────*/

/* Simpler in everything that is to be set up. */
static bool is_simpler(const struct account_training *a, const struct account_training *b) {
    return a->stage <= b->stage && a->checkpoint <= b->checkpoint &&
           a->offload_optimizer <= b->offload_optimizer && a->offload_params <= b->offload_params &&
           a->tp <= b->tp && a->pp <= b->pp && a->cp <= b->cp && a->shard_group <= b->shard_group;
}

static void test_what_is_chosen_fits_and_nothing_simpler_is_faster(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        plan(cases[i].question);
        if (!plans.found) continue;
        struct account_memory m;
        assert_true(account_memory(&rows[0].training, &m, NULL));
        uint64_t card = account_card_bytes(rows[0].training.card);
        assert_int_equal(rows[0].measured.peak, m.phase[m.peak].ledger.total);
        assert_true(rows[0].measured.peak <= card && rows[0].measured.spare >= 0);
        assert_true(rows[0].measured.fits != ACCOUNT_FITS ||
                    (double)rows[0].measured.peak <= 0.9 * (double)card);
        for (size_t k = 1; k < plans.count && rows[k].measured.fits == rows[0].measured.fits; k++) {
            assert_true(rows[k].measured.seconds * 1.021 >= rows[0].measured.seconds);
            if (is_simpler(&rows[k].training, &rows[0].training))
                assert_true(rows[k].measured.seconds > rows[0].measured.seconds);
        }
    }
}

static void test_rows_are_sorted(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        plan(cases[i].question);
        assert_true(plans.count > 1 && plans.tried >= plans.count);
        for (size_t k = plans.found ? 2 : 1; k < plans.count; k++) {
            const struct account_plan *a = &rows[k - 1], *b = &rows[k];
            assert_true(a->measured.fits <= b->measured.fits);
            if (a->measured.fits != b->measured.fits) continue;
            if (a->measured.fits == ACCOUNT_TOO_LARGE)
                assert_true(a->measured.spare >= b->measured.spare);
            else
                assert_true(a->measured.seconds <= b->measured.seconds);
        }
    }
}

/* No fits and yet to spare, or fits and none, would be a row that contradicts itself. */
static void test_rows_agree_with_themselves(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        plan(cases[i].question);
        for (size_t k = 0; k < plans.count; k++) {
            assert_int_equal(rows[k].measured.spare < 0,
                             rows[k].measured.fits == ACCOUNT_TOO_LARGE);
            assert_true(strlen(rows[k].reason) > 10);
            assert_true(strlen(rows[k].reason) < sizeof rows[k].reason - 1);
            if (rows[k].measured.fits == ACCOUNT_TOO_LARGE)
                assert_has(rows[k].reason, "more than");
            else
                assert_true(rows[k].measured.seconds > 0 && rows[k].measured.tokens_per_s > 0);
        }
    }
}

static void test_every_row_has_the_same_global_batch(void **state) {
    (void)state;
    plan("model=llama-2-13b gpus=8 gpu=a100-80g global=48");
    for (size_t k = 0; k < plans.count; k++) {
        const struct account_training *t = &rows[k].training;
        assert_int_equal(t->batch * t->accumulate * account_data_parallel(t), 48);
    }
}

static bool is_same(const struct account_training *a, const struct account_training *b) {
    return is_simpler(a, b) && is_simpler(b, a);
}

static void test_no_row_is_there_twice(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        plan(cases[i].question);
        for (size_t k = 0; k < plans.count; k++)
            for (size_t j = 0; j < k; j++)
                assert_false(is_same(&rows[j].training, &rows[k].training));
    }
}

static void test_the_same_question_has_the_same_answer(void **state) {
    (void)state;
    static struct account_plan few[3];
    static struct account_plans again;
    for (size_t i = 0; i < CASES; i++) {
        struct account_question q = question_of(cases[i].question);
        plan(cases[i].question);
        assert_true(account_plan(&q, few, 3, &again, NULL));
        assert_int_equal(again.tried, plans.tried);
        assert_int_equal(again.count, plans.count < 3 ? plans.count : 3);
        for (size_t k = 0; k < again.count; k++) {
            assert_true(is_same(&few[k].training, &rows[k].training));
            assert_string_equal(few[k].reason, rows[k].reason);
        }
        assert_int_equal(again.forks, plans.forks);
        for (size_t k = 0; k < plans.forks; k++)
            assert_string_equal(again.fork[k].because, plans.fork[k].because);
    }
}

static void test_a_single_row_is_the_one_to_do(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        struct account_plan one;
        struct account_plans again;
        struct account_question q = question_of(cases[i].question);
        plan(cases[i].question);
        assert_true(account_plan(&q, &one, 1, &again, NULL));
        assert_true(is_same(&one.training, &rows[0].training));
        assert_true(account_plan(&q, NULL, 0, &again, NULL));
        assert_int_equal(again.found, plans.found);
        assert_int_equal(again.count, 0);
    }
}

/* ── pinned ────────────────────────────────────────────────────────────────────────────────────*/

static void test_what_was_given_stays(void **state) {
    (void)state;
    static const char *const given[][2] = {
        {"stage", "2"},
        {"checkpoint", "full"},
        {"batch", "2"},
        {"accumulate", "4"},
        {"tp", "2"},
        {"pp", "4"},
        {"offload_optimizer", "host"},
        {"offload_params", "none"},
        {"shard_group", "4"},
        {"cp", "2"},
        {"sp", "off"},
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char pairs[128], text[32];
        snprintf(pairs, sizeof pairs, "model=llama-2-7b gpus=16 gpu=a100-80g global=128 %s=%s",
                 given[i][0], given[i][1]);
        plan(pairs);
        assert_true(plans.count > 0);
        for (size_t k = 0; k < plans.count; k++) {
            account_get(&rows[k].training, given[i][0], text, sizeof text);
            assert_string_equal(text, given[i][1]);
        }
    }
}

static void test_recipes_keep_to_their_stages(void **state) {
    (void)state;
    static const char *const recipes[] = {"ddp",   "deepspeed", "fsdp1",
                                          "fsdp2", "megatron",  "zerolab"};
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        char pairs[128];
        snprintf(pairs, sizeof pairs, "model=llama-2-7b gpus=8 gpu=h100-80g recipe=%s", recipes[i]);
        plan(pairs);
        for (size_t k = 0; k < plans.count; k++)
            assert_true(account_has_stage(&rows[k].training, rows[k].training.stage));
    }
}

/* ── more memory, more GPUs ────────────────────────────────────────────────────────────────────*/

static void test_more_memory_is_never_slower(void **state) {
    (void)state;
    static const char *const models[] = {"gpt2-xl", "llama-2-7b", "llama-2-13b", "llama-2-70b"};
    for (size_t i = 0; i < 4; i++)
        for (uint32_t gpus = 1; gpus <= 64; gpus *= 8) {
            double before = 0;
            for (uint64_t gb = 16; gb <= 320; gb += 16) {
                char pairs[96];
                snprintf(pairs, sizeof pairs, "model=%s gpus=%u gpu=a100-80g host=500GB", models[i],
                         gpus);
                struct account_question q = question_of(pairs);
                struct account_card card = *q.training.card;
                card.torch_bytes = gb * 1000000000;
                q.training.card = &card;
                assert_true(account_plan(&q, rows, 1, &plans, NULL));
                bool roomy = plans.found && rows[0].measured.fits == ACCOUNT_FITS;
                if (before > 0) assert_true(roomy && rows[0].measured.seconds <= 1.021 * before);
                if (roomy) before = rows[0].measured.seconds;
            }
            assert_true(before > 0 || (i == 3 && gpus == 1));
        }
}

/* The capstone's two cards: the one holds all activations, the other has to do something about
 * them. */
static void test_80_and_40_gb_have_different_answers(void **state) {
    (void)state;
    plan("model=llama-2-13b gpus=8 gpu=a100-80g");
    struct account_plan large = rows[0];
    assert_int_equal(large.training.checkpoint, ACCOUNT_KEEP_ALL);
    assert_true(has_fork("Does it fit with stage 3"));
    plan("model=llama-2-13b gpus=8 gpu=a100-40g");
    assert_false(is_same(&large.training, &rows[0].training));
    assert_true(rows[0].measured.seconds > large.measured.seconds);
    assert_has(fork_of("With activations")->because, "of 42.9 GB");
}

static void test_tight_is_taken_only_if_nothing_else_fits(void **state) {
    (void)state;
    plan("model=llama-2-13b gpus=8 gpu=a100-80g stage=2 checkpoint=none batch=1 tp=1 pp=1 "
         "offload_optimizer=none");
    assert_true(plans.found);
    assert_int_equal(rows[0].measured.fits, ACCOUNT_TIGHT);
    assert_has(rows[0].reason, "nothing fits with room");
}

static void test_a_tight_runner_up_is_no_tie(void **state) {
    (void)state;
    plan("model=llama-2-7b gpus=1 gpu=rtx-4090 lora=16 seq=2432 recipe=paper");
    assert_int_equal(rows[0].measured.fits, ACCOUNT_FITS);
    assert_int_equal(rows[1].measured.fits, ACCOUNT_TIGHT);
    assert_true(rows[1].measured.seconds < rows[0].measured.seconds);
    assert_has(fork_of("Which plan that fits")->because, ": tight");
    assert_null(strstr(fork_of("Which plan that fits")->because, "a tie"));
}

/* ── what is not known ─────────────────────────────────────────────────────────────────────────*/

static void test_a_bare_count_plans_states_and_traffic(void **state) {
    (void)state;
    plan("params=13e9 gpus=8 gpu=a100-80g");
    assert_true(plans.found);
    assert_has(rows[0].reason, "activations are left out");
    assert_has(plans.fork[plans.forks - 1].question, "sends least");
    for (size_t k = 0; k < plans.count; k++) {
        assert_true(rows[k].measured.seconds <= 0);
        assert_int_equal(rows[k].training.tp * rows[k].training.pp, 1);
    }
}

/* Lessons show reasons too, where no flag can be typed. */
static void test_a_reason_names_no_flag(void **state) {
    (void)state;
    plan("model=llama-2-70b gpus=1 gpu=t4");
    assert_true(fork_of("With the optimizer on the host")->needs_host);
    for (size_t i = 0; i < plans.forks; i++) assert_null(strstr(plans.fork[i].because, "--"));
}

/* 13e9 parameters on 8 GPUs, eight micro-batches: stages 1, 2, 3 send 45.5, 205 and 546 GB. */
static void test_accumulation_makes_stages_2_and_3_pay(void **state) {
    (void)state;
    static const char *const sent[] = {"", "", "205 GB", "546 GB"};
    plan("params=13e9 gpus=8 gpu=a100-80g accumulate=8 offload_optimizer=none offload_params=none");
    assert_int_equal(rows[0].training.stage, 1);
    assert_has(plans.fork[plans.forks - 1].because, "45.5 GB sent");
    for (size_t k = 1; k < plans.count && rows[k].measured.fits == ACCOUNT_FITS; k++)
        assert_has(rows[k].reason, sent[rows[k].training.stage]);
    assert_true(plans.count >= 3);
}

static void test_a_long_context_default_is_short(void **state) {
    (void)state;
    plan("model=llama-2-13b gpus=8 gpu=a100-80g");
    assert_int_equal(rows[0].training.seq, 4096);
    plan("model=llama-3.1-8b gpus=8 gpu=h100-80g");
    assert_int_equal(rows[0].training.seq, 8192);
}

static void test_nodes_of_the_catalogue_are_filled_in(void **state) {
    (void)state;
    plan("model=llama-2-70b gpus=128 gpu=a100-80g");
    assert_int_equal(rows[0].training.gpus_per_node, 8);
    assert_true(has_fork("Which plan that fits"));
}

static const struct {
    const char *question, *says;
} refused[] = {
    {"model=llama-2-13b gpus=8", "gpu:"},
    {"gpus=8 gpu=a100-80g", "params:"},
    {"model=llama-2-13b gpus=8 gpu=a100-80g tp=1 pp=1 global=7", "multiple of 8"},
    {"model=llama-2-13b gpus=8 gpu=a100-80g batch=2 accumulate=3 global=8", "multiple of 6"},
    {"model=llama-2-13b gpus=8 gpu=a100-80g recipe=fsdp2 stage=1", "stage"},
    {"model=llama-2-13b gpus=1 gpu=a100-80g accumulate=3 global=4294967294", "must divide"},
    {"model=llama-2-13b gpus=8 gpu=a100-80g tp=3", "tp"},
    {"model=llama-2-13b gpus=8 gpu=a100-80g pp=2 interleave=21", "interleave:"},
    {"model=llama-2-13b gpus=8 gpu=a100-80g batch=0", "batch:"},
};

static void test_what_cannot_be_planned_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct account_question q = question_of(refused[i].question);
        struct account_error e = {0};
        if (account_plan(&q, rows, ROOM, &plans, &e)) fail_msg("%s", refused[i].question);
        assert_has(e.what, refused[i].says);
        assert_false(account_plan(&q, rows, ROOM, &plans, NULL));
    }
}

/* Where another degree would do, the one that was given is named, with one that does; else the
 * batch. */
static void test_what_is_blamed_is_the_cause(void **state) {
    (void)state;
    static const struct {
        const char *question, *says;
    } blamed[] = {
        {"gpus=9 pp=3 global=4",
         "pp: 3 leaves 3 data-parallel ranks, which cannot share 4 sequences: "
         "take 9, or make the global batch a multiple of 3"},
        {"gpus=12 pp=6 tp=1 global=3",
         "pp: 6 leaves 2 data-parallel ranks, which cannot share 3 "
         "sequences: take 4, or make the global batch a multiple of 2"},
        {"gpus=8 pp=2 lora=8 global=6", "pp: 2 leaves 4 data-parallel ranks, which cannot share 6 "
                                        "sequences: take 4, or"},
        {"gpus=8 pp=1 tp=1 global=4", "pp: 1 leaves 8 data-parallel ranks, which cannot share 4 "
                                      "sequences: take 2, or"},
        {"gpus=24 cp=1 tp=1 pp=3 global=4",
         "pp: 3 leaves 8 data-parallel ranks, which cannot share 4 "
         "sequences: take 6, or"},
        {"gpus=6 cp=1 tp=1 global=2", "cp: 1 leaves 6 data-parallel ranks, which cannot share 2 "
                                      "sequences: take 3, or"},
        {"gpus=9 global=4", "global_batch: 4 sequences cannot be shared by 9 data-parallel ranks"},
        {"gpus=24 tp=1 global=7", "global_batch: 7 sequences cannot be shared by 24"},
    };
    for (size_t i = 0; i < sizeof blamed / sizeof *blamed; i++) {
        char question[160];
        snprintf(question, sizeof question, "model=llama-2-7b gpu=a100-80g %s", blamed[i].question);
        struct account_question q = question_of(question);
        struct account_error e = {0};
        if (account_plan(&q, rows, ROOM, &plans, &e)) fail_msg("%s: no refusal", question);
        if (!strstr(e.what, blamed[i].says)) fail_msg("%s: %s", question, e.what);
    }
}

/* A fork's question, answer and because are never cut. */
static void test_forks_are_whole(void **state) {
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        plan(cases[i].question);
        assert_in_range(plans.forks, 2, ACCOUNT_FORKS);
        for (size_t k = 0; k < plans.forks; k++) {
            const struct account_fork *f = &plans.fork[k];
            assert_true(f->question[strlen(f->question) - 1] == '?');
            assert_in_range(strlen(f->answer), 1, sizeof f->answer - 2);
            assert_in_range(strlen(f->because), 10, sizeof f->because - 2);
        }
    }
}

/* ── the front ─────────────────────────────────────────────────────────────────────────────────*/

/* What has to be set up: tiers, then doublings of the model's division, then the stage, its groups,
 * and recomputation. */
static void test_what_is_more_to_set_up(void **state) {
    (void)state;
    static const struct {
        const char *training;
        uint32_t burden;
    } set_up[] = {
        {"stage=0", 0},
        {"stage=2", 20},
        {"stage=2 checkpoint=full", 22},
        {"stage=2 shard_group=8 gpus_per_node=8", 25},
        {"stage=0 tp=8", 300},
        {"stage=1 tp=2 pp=4", 310},
        {"stage=3 offload_optimizer=host", 100030},
        {"stage=3 offload_optimizer=nvme offload_params=host", 300030},
    };
    for (size_t i = 0; i < sizeof set_up / sizeof *set_up; i++) {
        char pairs[160];
        struct account_resolved is;
        struct account_outcome m;
        struct account_given given = {.card_bytes = 80000000000};
        snprintf(pairs, sizeof pairs, "model=llama-2-7b gpus=64 batch=1 seq=4096 %s",
                 set_up[i].training);
        struct account_question q = question_of(pairs);
        assert_true(account_resolve(&q.training, &is, NULL));
        assert_true(account_outcome_of(&is, &given, &m));
        assert_int_equal(m.burden, set_up[i].burden);
    }
}

static struct account_plan plan_of(unsigned burden, double seconds) {
    return (struct account_plan){.measured = {.burden = burden, .seconds = seconds}};
}

static void assert_is_front(const struct account_front *f, const char *what) {
    assert_true(f->count <= ACCOUNT_FRONT);
    for (size_t i = 1; i < f->count; i++) {
        if (f->plan[i - 1].measured.burden >= f->plan[i].measured.burden ||
            f->plan[i - 1].measured.seconds <= f->plan[i].measured.seconds)
            fail_msg("%s: %zu of %zu", what, i, f->count);
    }
}

/* More plans than it holds, each more to set up and faster than the one before: in both orders, and
 * shuffled. */
static void test_the_front_holds_when_it_is_full(void **state) {
    (void)state;
    enum { MANY = 3 * ACCOUNT_FRONT };
    static struct account_front front[3];
    uint64_t seed = 7;
    for (unsigned order = 0; order < 3; order++) {
        unsigned place[MANY];
        for (unsigned i = 0; i < MANY; i++) place[i] = order == 1 ? MANY - 1 - i : i;
        for (unsigned i = MANY - 1; order == 2 && i > 0; i--) {
            unsigned other = (unsigned)(chance(&seed) % (i + 1)), kept = place[i];
            place[i] = place[other];
            place[other] = kept;
        }
        for (unsigned i = 0; i < MANY; i++) {
            struct account_plan p = plan_of(place[i], 1000 - (double)place[i]);
            account_front_add(&front[order], &p);
            assert_is_front(&front[order], order == 2 ? "shuffled"
                                           : order    ? "backwards"
                                                      : "in order");
        }
        assert_int_equal(front[order].count, ACCOUNT_FRONT);
        for (size_t i = 0; i < ACCOUNT_FRONT; i++) /* the fastest of them */
            assert_true(front[order].plan[i].measured.seconds ==
                        1000 - (double)(MANY - ACCOUNT_FRONT + i));
    }
    const struct account_plan *simplest = account_front_simplest(&front[0]);
    assert_true(simplest && simplest->measured.seconds <= ACCOUNT_AS_FAST * (1000 - MANY + 1));
}

/* GPUs are added by whole nodes, so that a number that does is found; and what is said of a million
 * was weighed with a million. */
static void test_more_gpus_come_by_nodes(void **state) {
    (void)state;
    plan("params=1e12 gpus=48 gpus_per_node=72 gpu=b200 stage=3 precision=mixed-fp16 hpz=4");
    const struct account_fork *f = fork_of("How many such GPUs");
    assert_string_equal(f->answer, "no number");
    assert_has(f->because, "502 GB on each of a million"); /* hpZ: 2e12 B / 4; the reserve */
    plan("params=1e12 gpus=48 gpus_per_node=72 gpu=b200 stage=3 offload_optimizer=none "
         "offload_params=none");
    assert_string_equal(fork_of("How many such GPUs")->answer, "144");
    plan("params=1e15 gpus=7 gpu=b200 pp=7 stage=0");
    assert_has(fork_of("How many such GPUs")->because, "no larger number of them is possible");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_of_the_napkin),
        cmocka_unit_test(test_what_is_more_to_set_up),
        cmocka_unit_test(test_the_front_holds_when_it_is_full),
        cmocka_unit_test(test_what_is_chosen_fits_and_nothing_simpler_is_faster),
        cmocka_unit_test(test_rows_are_sorted),
        cmocka_unit_test(test_rows_agree_with_themselves),
        cmocka_unit_test(test_every_row_has_the_same_global_batch),
        cmocka_unit_test(test_no_row_is_there_twice),
        cmocka_unit_test(test_the_same_question_has_the_same_answer),
        cmocka_unit_test(test_a_single_row_is_the_one_to_do),
        cmocka_unit_test(test_what_was_given_stays),
        cmocka_unit_test(test_recipes_keep_to_their_stages),
        cmocka_unit_test(test_more_memory_is_never_slower),
        cmocka_unit_test(test_80_and_40_gb_have_different_answers),
        cmocka_unit_test(test_tight_is_taken_only_if_nothing_else_fits),
        cmocka_unit_test(test_a_tight_runner_up_is_no_tie),
        cmocka_unit_test(test_a_bare_count_plans_states_and_traffic),
        cmocka_unit_test(test_a_reason_names_no_flag),
        cmocka_unit_test(test_accumulation_makes_stages_2_and_3_pay),
        cmocka_unit_test(test_a_long_context_default_is_short),
        cmocka_unit_test(test_nodes_of_the_catalogue_are_filled_in),
        cmocka_unit_test(test_what_cannot_be_planned_is_refused),
        cmocka_unit_test(test_what_is_blamed_is_the_cause),
        cmocka_unit_test(test_forks_are_whole),
        cmocka_unit_test(test_more_gpus_come_by_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
