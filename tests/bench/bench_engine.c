/* make bench: how many ledgers, traffics, clocks, solutions and judged answers the engine gives a
 * second, on one core. Asserts nothing; plans are in bench_plan.c. */
#include "account/account.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ── what is measured ──────────────────────────────────────────────────────────────────────────*/

static void one_ledger(const struct account_problem *p) {
    struct account_ledger l;
    account_ledger(&p->training, &l, NULL);
}
static void one_memory(const struct account_problem *p) {
    struct account_memory m;
    account_memory(&p->training, &m, NULL);
}
static void one_traffic(const struct account_problem *p) {
    struct account_traffic t;
    account_traffic(&p->training, &t, NULL);
}
static void one_clock(const struct account_problem *p) {
    struct account_clock c;
    account_clock(&p->training, &c, NULL);
}
static void one_solution(const struct account_problem *p) {
    struct account_solution s;
    account_solve(p, &s, NULL);
}
static void one_judgement(const struct account_problem *p) {
    struct account_judgement j;
    account_judge(p, "2*7.5 + 10*7.5/64", &j);
}

static const struct {
    const char *name;
    void (*work)(const struct account_problem *);
    /* under "paper", or under every recipe */
    const char *problem;
    bool every_recipe;
} measured[] = {
    {"ledgers", one_ledger, "params=7.5e9 gpus=64 stage=2", false},
    {"ledgers of a step", one_memory,
     "model=llama-2-7b gpus=64 gpus_per_node=8 gpu=a100-80g batch=1 seq=4096", true},
    {"traffics", one_traffic,
     "model=llama-2-7b gpus=64 gpus_per_node=8 gpu=a100-80g batch=1 seq=4096", true},
    {"clocks", one_clock, "model=llama-2-7b gpus=64 gpus_per_node=8 gpu=a100-80g batch=1 seq=4096",
     true},
    {"solutions", one_solution, "params=7.5e9 gpus=64 stage=2 quantity=model_state unit=GB", false},
    {"judged answers", one_judgement, "params=7.5e9 gpus=64 stage=2 quantity=model_state unit=GB",
     false},
};

/* ── measuring ─────────────────────────────────────────────────────────────────────────────────*/

static void set_pairs(struct account_problem *p, const char *pairs) {
    struct account_error e;
    char text[200], *rest = text;
    snprintf(text, sizeof text, "%s", pairs);
    for (char *pair; (pair = strtok_r(rest, " ", &rest));) {
        char *value = strchr(pair, '=');
        *value++ = '\0';
        if (!account_problem_set(p, pair, value, &e)) printf("bench: %s\n", e.what);
    }
}

static void rate(const char *what, const char *recipe, void (*work)(const struct account_problem *),
                 const struct account_problem *p) {
    double begun = seconds(), spent;
    long done = 0;
    do {
        for (int i = 0; i < 100; i++) work(p);
        done += 100;
        spent = seconds() - begun;
    } while (spent < 0.2);
    printf("%-18s %-10s %11.0f a second, %6.2f µs each\n", what, recipe, (double)done / spent,
           1e6 * spent / (double)done);
}

/* At the highest stage that the recipe has. */
static void rate_recipe(size_t i, const char *recipe) {
    struct account_problem p = account_problem_default();
    set_pairs(&p, measured[i].problem);
    if (!account_set(&p.training, "recipe", recipe, NULL)) return;
    while (measured[i].every_recipe && !account_has_stage(&p.training, p.training.stage))
        p.training.stage++;
    for (uint8_t stage = 3; measured[i].every_recipe && stage > p.training.stage; stage--)
        if (account_has_stage(&p.training, stage)) p.training.stage = stage;
    rate(measured[i].name, recipe, measured[i].work, &p);
}

int main(void) {
    struct account_row recipes[16];
    size_t count = account_recipes_list(recipes, sizeof recipes / sizeof *recipes);
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
        for (size_t r = 0; r < (measured[i].every_recipe ? count : 1); r++)
            rate_recipe(i, recipes[r].name);
    return 0;
}
