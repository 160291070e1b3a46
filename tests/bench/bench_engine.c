/* make bench: how many ledgers, solutions and judgements the engine gives a second. Asserts nothing. */
#include "account/account.h"
#include <stdio.h>
#include <time.h>

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct account_problem problem(void) {
    struct account_problem p = account_problem_default();
    struct account_error e;
    const char *const fields[][2] = {
        {"params",   "7.5e9"      },
        {"gpus",     "64"         },
        {"stage",    "2"          },
        {"quantity", "model_state"},
        {"unit",     "GB"         }
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!account_problem_set(&p, fields[i][0], fields[i][1], &e)) printf("bench: %s\n", e.what);
    return p;
}

static void one_ledger(const struct account_problem *p) {
    struct account_ledger l;
    account_ledger(&p->training, &l, NULL);
}
static void one_solution(const struct account_problem *p) {
    struct account_solution s;
    struct account_error e;
    account_solve(p, &s, &e);
}
static void one_judgement(const struct account_problem *p) {
    struct account_judgement j;
    account_judge(p, "2*7.5 + 10*7.5/64", &j);
}

static void rate(const char *what, void (*work)(const struct account_problem *),
                 const struct account_problem *p) {
    double begun = seconds(), spent;
    long done = 0;
    do {
        for (int i = 0; i < 100; i++) work(p);
        done += 100;
        spent = seconds() - begun;
    } while (spent < 0.5);
    printf("%-22s %12.0f a second\n", what, (double)done / spent);
}

int main(void) {
    struct account_problem p = problem();
    rate("ledgers", one_ledger, &p);
    rate("solutions", one_solution, &p);
    rate("judged answers", one_judgement, &p);
    return 0;
}
