/* Figures of machines and of what to do with them: roofline, tiers, mesh, tree. As pages (golden),
 * and what they say; the specs are in cluster/. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

#define FOLDER "cluster"

#define T13 "\"model\":\"llama-2-13b\",\"gpu\":\"a100-80g\""

#define T70 "\"model\":\"llama-2-70b\",\"gpus\":64,\"gpus_per_node\":8,\"batch\":1,\"seq\":4096"

static const char *const names[] = {
    "roofline-links", "roofline-own",  "roofline-nodes", "mesh-three", "mesh-hybrid",
    "mesh-experts",   "mesh-many",     "mesh-one",       "tiers-card", "tiers-host",
    "tiers-over",     "tiers-unknown", "tree-case",      "tree-two",   "tree-offload",
    "tree-alone",     "tree-none",
};

static void draws_pages(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(names); i++) sheet_pages(FOLDER, names[i]);
}

static void fits_any_width(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(names); i++) sheet_fits(FOLDER, names[i]);
}

static void refuses_wrong_specs(void **state) {
    (void)state;
    sheet_refuses(FOLDER);
}

/* Every row and every number of a figure as one text. */
static char *text_of(int width, const char *spec) {
    struct page *p = sheet_figure(width, false, spec);
    char *text = page_to_text(p);
    page_free(p);
    return text;
}

static void says(int width, const char *spec, const char *what) {
    char *text = text_of(width, spec);
    if (!strstr(text, what)) print_error("%s does not say: %s\n", text, what);
    assert_non_null(strstr(text, what));
    free(text);
}

/* ── roofline ──────────────────────────────────────────────────────────────────────────────────*/
/* With as many tokens as it says, communication takes as long as the computation: of a model whose
 * batch can be as fine as that. */
static void breaks_even_where_it_says(void **state) {
    (void)state;
    struct account_training t = account_training_default();
    struct account_clock c;
    struct account_error e;
    const char *const fields[][2] = {
        {"model", "llama-2-13b"}, {"gpu", "a100-80g"}, {"gpus", "8"},  {"stage", "3"},
        {"link", "1GB/s"},        {"seq", "1"},        {"batch", "1"},
    };
    for (size_t i = 0; i < BASE_COUNT(fields); i++)
        assert_true(account_set(&t, fields[i][0], fields[i][1], &e));
    uint32_t low = 1, high = 1000000; /* the fewest tokens whose computation takes as long */
    while (low < high) {
        t.batch = low + (high - low) / 2;
        assert_true(account_clock(&t, &c, &e));
        if (c.forward + c.backward >= c.comm)
            high = t.batch;
        else
            low = t.batch + 1;
    }
    char *number = base_format("%u,%03u\n", low / 1000, low % 1000);
    says(80,
         "{\"kind\":\"roofline\",\"training\":{" T13
         ",\"gpus\":8,\"stage\":3,\"batch\":64,\"seq\":1},\"links\":[\"1GB/s\"]}",
         number);
    free(number);
}

/* ── mesh ──────────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *group, *letter;
} letters[] = {
    {"tensor", "T"},   {"context", "C"}, {"shard", "S"},
    {"replicas", "R"}, {"expert", "E"},  {"pipeline", "P"},
};

/* How often an axis's letter stands right after a rank's number or another letter, in the boxes. */
static uint32_t count_marks(const struct page *p, const char *letter) {
    uint32_t n = 0;
    for (int row = 1; row < page_height(p); row++)
        for (int column = 2; column < page_width(p); column++) {
            bool after = strstr("0123456789TCSREP", page_cell(p, row, column - 1)->text) != NULL;
            if (after && !strcmp(page_cell(p, row, column)->text, letter) &&
                strcmp(page_cell(p, row, column - 1)->text, " "))
                n++;
        }
    return n;
}

/* The group's line under the boxes. */
static void says_of_group(const char *text, const char *letter,
                          const struct account_collective *leg) {
    char *begins = base_format("\n %s %s ", letter, leg->group),
         *ranks = base_format(" %u ranks ", leg->ranks),
         *where = leg->per_node == leg->ranks
                      ? base_dup(" inside a node ")
                      : base_format(" crosses %u nodes ", leg->ranks / leg->per_node);
    const char *at = strstr(text, begins), *end = at ? strchr(at + 1, '\n') : NULL;
    if (!end) fail_msg("%s has no line for %s", text, leg->group);
    const char *const said[] = {strstr(at, ranks), strstr(at, where)};
    for (size_t i = 0; i < BASE_COUNT(said); i++)
        if (!said[i] || said[i] > end)
            fail_msg("%s does not say%sand%sof %s", text, ranks, where, leg->group);
    free(where);
    free(ranks);
    free(begins);
}

/* "gpus=64 tp=8": fields of a training, and the same as an object of JSON. */
static char *set_fields(struct account_training *t, const char *fields) {
    struct base_text json = {0};
    struct account_error e;
    char *all = base_dup(fields), *rest = NULL;
    *t = account_training_default();
    for (char *field = strtok_r(all, " ", &rest); field; field = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(field, '=');
        *value++ = '\0';
        if (!account_set(t, field, value, &e)) fail_msg("%s", e.what);
        base_text_printf(&json, "%s\"%s\":\"%s\"", json.s ? "," : "", field, value);
    }
    free(all);
    return base_text_take(&json);
}

/* What the mesh draws of a group is what the engine's traffic says of it: how many ranks, over how
 * many nodes. */
static void draws_the_engine_s_groups(void **state) {
    (void)state;
#define SEVENTY "model=llama-2-70b gpu=h100-80g gpus=64 gpus_per_node=8 batch=1 seq=4096 "
    static const char *const trainings[] = {
        SEVENTY "tp=8 stage=1",
        SEVENTY "tp=2 pp=4 stage=1",
        SEVENTY "tp=4 cp=2 stage=3",
        SEVENTY "shard_group=8 stage=3",
        SEVENTY "shard_group=16 stage=3",
        SEVENTY "tp=2 shard_group=4 stage=2",
        "model=mixtral-8x7b gpu=h100-80g gpus=32 gpus_per_node=4 batch=1 seq=64 ep=8 stage=1",
    };
    for (size_t i = 0; i < BASE_COUNT(trainings); i++) {
        struct account_training t;
        struct account_traffic traffic;
        char *fields = set_fields(&t, trainings[i]),
             *spec = base_format("{\"kind\":\"mesh\",\"rank\":%zu,\"training\":{%s}}", 5 * i + 1,
                                 fields),
             *text = text_of(100, spec);
        struct page *p = sheet_figure(100, false, spec);
        assert_true(account_traffic(&t, &traffic, NULL) && traffic.collectives > 0);
        /* theirs are fewer */
        for (size_t l = 0; l < traffic.collectives; l++)
            for (size_t k = 0; k < BASE_COUNT(letters); k++)
                if (!strcmp(traffic.collective[l].group, letters[k].group) &&
                    !strstr(traffic.collective[l].what, "experts")) {
                    assert_int_equal(count_marks(p, letters[k].letter),
                                     traffic.collective[l].ranks - 1);
                    says_of_group(text, letters[k].letter, &traffic.collective[l]);
                }
        page_free(p);
        free(text);
        free(spec);
        free(fields);
    }
}

static void fits_a_small_terminal(void **state) {
    (void)state;
    /* 64 GPUs in 8 nodes, three axes */
    struct page *p = sheet_drawn(FOLDER, "mesh-three", 80, false);
    assert_true(page_height(p) <= 16);
    page_free(p);
}

/* ── tree ──────────────────────────────────────────────────────────────────────────────────────*/
static uint64_t pinned(const char *name) {
    size_t count, i = 0;
    const struct account_field *field = account_fields(&count);
    while (strcmp(field[i].name, name) != 0) i++;
    return 1ull << i;
}

/* Where the fork stands in the text after `at`: its answer, and what its sum comes to. */
static const char *find_fork(const char *at, const struct account_fork *fork) {
    const char *sum = strstr(fork->because, " = ");
    bool said = !strncmp(fork->because, fork->answer, strlen(fork->answer));
    char *begins = said ? base_dup(fork->because) : base_format("%s: ", fork->answer);
    const char *found = strstr(at, begins);
    free(begins);
    return found && strstr(found, sum ? sum + 3 : fork->because) ? found + 1 : NULL;
}

/* Every fork that account_plan() walked is in the tree in its order, with its answer; the others
 * have none. */
static void draws_the_way_that_was_walked(void **state) {
    (void)state;
    static const char *const trainings[] = {
        "model=gpt2 gpu=t4 gpus=1",
        "model=gpt2-xl gpu=t4 gpus=4",
        "model=llama-2-7b gpu=a100-40g gpus=8",
        "model=llama-2-7b gpu=rtx-4090 gpus=1 lora=8",
        "model=llama-2-13b gpu=a100-80g gpus=8",
        "model=llama-2-13b gpu=a100-80g gpus=8 batch=4",
        "model=llama-2-70b gpu=a100-80g gpus=8",
        "model=llama-2-70b gpu=h100-80g gpus=128",
        "model=llama-2-70b gpu=rtx-4090 gpus=2",
        "model=llama-2-70b gpu=rtx-4090 gpus=1 lora=8",
        "model=llama-3-8b gpu=h100-80g gpus=8 seq=131072",
        "params=13B gpu=a100-80g gpus=8",
        "model=llama-2-13b gpu=a100-80g gpus=8 stage=2",
    };
    for (size_t i = 0; i < BASE_COUNT(trainings); i++) {
        struct account_question q = {0};
        struct account_plan plan[2];
        struct account_plans plans;
        char *fields = set_fields(&q.training, trainings[i]),
             *spec = base_format("{\"kind\":\"tree\",\"training\":{%s}}", fields),
             *text = text_of(400, spec);
        q.pinned = strstr(fields, "batch")   ? pinned("batch")
                   : strstr(fields, "stage") ? pinned("stage")
                   : strstr(fields, "seq")   ? pinned("seq")
                                             : 0;
        assert_true(account_plan(&q, plan, 2, &plans, NULL));
        const char *at = text;
        for (size_t k = 0; k < plans.forks; k++) {
            const struct account_fork *fork = &plans.fork[k];
            at = find_fork(at, fork);
            if (!at)
                fail_msg("%s\nlacks fork %zu: %s %s %s", text, k, fork->question, fork->answer,
                         fork->because);
        }
        free(text);
        free(spec);
        free(fields);
    }
}

/* Every question of the planner has its row: none is drawn in the planner's own long words but
 * those after the trunk. */
static void knows_the_planner_s_forks(void **state) {
    (void)state;
    static const char *const names[] = {"tree-case", "tree-offload", "tree-alone", "tree-none"};
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        struct page *p = sheet_drawn(FOLDER, names[i], 80, false);
        char *text = page_to_text(p);
        assert_null(strstr(text, "Does it fit"));
        assert_null(strstr(text, "With "));
        free(text);
        page_free(p);
    }
}

/* A lesson shows it fork by fork: `upto` decides so many, and asks the next. */
static void asks_the_next_fork(void **state) {
    (void)state;
    for (unsigned upto = 0; upto < 4; upto++) {
        char *spec = base_format(
                 "{\"kind\":\"tree\",\"training\":{" T13 ",\"gpus\":8},\"upto\":%u}", upto),
             *text = text_of(120, spec);
        static const char *const asks[] = {"▸ under plain data parallel", "▸ with stage 1?",
                                           "▸ with stage 2?", "▸ with stage 3?"};
        if (!strstr(text, asks[upto])) print_error("%s does not ask: %s\n", text, asks[upto]);
        assert_non_null(strstr(text, asks[upto]));
        unsigned decided = 0;
        for (const char *at = text; (at = strstr(at, " of 85.0 GB")); at++) decided++;
        assert_int_equal(decided, upto);
        free(text);
        free(spec);
    }
}

/* Where nothing is drawn, a sentence says what the boxes and their bars show, as far as it is known
 * of such machines. */
static void figures_say_what_they_show(void **state) {
    static const struct {
        const char *spec, *says;
    } rows[] = {
        {"{\"kind\":\"tiers\",\"training\":{\"params\":13e9,\"gpu\":\"a100-80g\",\"gpus\":1,"
         "\"stage\":2,\"offload_optimizer\":\"host\",\"recipe\":\"paper\"}}",
         "There are 3 tiers of memory, each larger and slower than the one before: GPU memory, "
         "host "
         "memory and NVMe.\nThis training keeps 26.6 GB in GPU memory, 208 GB in host memory and "
         "nothing in NVMe.\n"},
        {"{\"kind\":\"tiers\",\"card\":\"a100-80g\"}",
         "There are 3 tiers of memory, each larger and slower than the one before: GPU memory, "
         "host "
         "memory and NVMe.\nGPU memory: "},
        {"{\"kind\":\"traffic\",\"before\":{\"params\":7e9,\"gpus\":4,\"stage\":3},"
         "\"training\":{\"params\":7e9,\"gpus\":8,\"stage\":3}}",
         "stage 3: each rank keeps 14.0 GB and sends 36.8 GB per step, a volume of 3Ψ: "
         "reduce-scatter 12.3 GB and all-gather 24.5 GB. Before, it kept 28.0 GB and sent "
         "31.5 GB.\n"},
        {"{\"kind\":\"mesh\",\"training\":{\"params\":70e9,\"gpus\":64,\"gpus_per_node\":8,\"tp\":"
         "8,\"pp\":2,"
         "\"stage\":1}}",
         "64 GPUs in 8 nodes: tensor 8 × data 4 × pipeline 2, stage 1. Rank 0 and its groups:\n"},
        {"{\"kind\":\"timeline\",\"part\":\"forward\",\"training\":{\"model\":\"llama-2-13b\","
         "\"gpu\":\"a100-80g\",\"gpus\":8,\"batch\":1,\"seq\":2048,\"stage\":3,\"link\":\"pcie4\"},"
         "\"compare\":[{\"model\":\"llama-2-13b\",\"gpu\":\"a100-80g\",\"gpus\":8,\"batch\":1,"
         "\"seq\":2048,\"stage\":3,\"link\":\"pcie4\",\"prefetch\":0}]}",
         "Forward of Llama 2 13B, stage 3 on 8 GPUs.\nprefetch 1: all 40 blocks take 955 ms, "
         "computing 359 ms, communicating 951 ms, 596 ms of it exposed.\n"},
        {"{\"kind\":\"tiers\",\"card\":\"rtx-4090\"}",
         "There are 3 tiers of memory: GPU memory, host memory and NVMe.\nGPU memory: "},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct page *p = page_new(400, false);
        json_t *spec = json_loads(rows[i].spec, 0, NULL);
        assert_true(page_figure_words(p, (struct page_flow){.width = 400}, spec, NULL));
        char *text = page_to_text(p);
        if (strncmp(text, rows[i].says, strlen(rows[i].says)) != 0) fail_msg("it says %s", text);
        json_decref(spec);
        page_free(p);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_pages),
        cmocka_unit_test(fits_any_width),
        cmocka_unit_test(refuses_wrong_specs),
        cmocka_unit_test(breaks_even_where_it_says),
        cmocka_unit_test(draws_the_engine_s_groups),
        cmocka_unit_test(fits_a_small_terminal),
        cmocka_unit_test(draws_the_way_that_was_walked),
        cmocka_unit_test(knows_the_planner_s_forks),
        cmocka_unit_test(asks_the_next_fork),
        cmocka_unit_test(figures_say_what_they_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
