/* make bench: how many configurations the planner looks at in a second, on one core. Asserts
 * nothing. */
#include "account/account.h"

#include <stdio.h>
#include <time.h>

#define ROOM 64

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static const struct {
    const char *model, *gpus, *card;
} questions[] = {
    {"llama-2-13b", "8", "a100-80g"},
    {"llama-2-13b", "8", "a100-40g"},
    {"llama-2-70b", "128", "a100-80g"},
    {"gpt3-175b", "1024", "h100-80g"},
};

static bool ask(size_t i, struct account_question *q) {
    struct account_error e;
    *q = (struct account_question){.training = account_training_default()};
    bool set = account_set(&q->training, "model", questions[i].model, &e) &&
               account_set(&q->training, "gpus", questions[i].gpus, &e) &&
               account_set(&q->training, "gpu", questions[i].card, &e);
    if (!set) printf("bench: %s\n", e.what);
    return set;
}

static void rate(size_t i) {
    static struct account_plan plan[ROOM];
    static struct account_plans plans;
    struct account_question q;
    struct account_error e;
    double begun = seconds(), spent;
    size_t tried = 0, asked = 0;
    if (!ask(i, &q)) return;
    do {
        if (!account_plan(&q, plan, ROOM, &plans, &e)) {
            printf("bench: %s\n", e.what);
            return;
        }
        tried += plans.tried;
        asked++;
        spent = seconds() - begun;
    } while (spent < 0.5);
    printf("plans, %-12s on %4s %s %9.0f a second, %.1f ms a question\n", questions[i].model,
           questions[i].gpus, questions[i].card, (double)tried / spent,
           1e3 * spent / (double)asked);
}

int main(void) {
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) rate(i);
    return 0;
}
