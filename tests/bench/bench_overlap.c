/* make bench: the lab `overlap`, three times: how long ranks wait for their gradients, by the size
 * of a bucket. The curve is a U: the smallest buckets pay latency, the largest hides nothing.
 * Asserts nothing. */
#include "experiment/experiment.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 3 };

/* The median over the steps, in ms; negative if the run failed. */
static double waited(const struct experiment_variant *v) {
    struct base_message m = {0};
    double ms = -1;
    struct experiment *t = experiment_start(v->arguments, &m);
    if (!t) {
        printf("%s\n", m.what);
        return ms;
    }
    while (!experiment_is_over(t))
        if (!experiment_read(t)) {
            struct pollfd wait = {.fd = experiment_fd(t), .events = POLLIN};
            poll(&wait, 1, experiment_due(t));
        }
    const struct experiment_state *s = experiment_state(t);
    if (s->failed || !experiment_measured(s, 0, EXPERIMENT_EXPOSED, &ms)) ms = -1;
    experiment_free(t);
    return ms;
}

int main(void) {
    const struct experiment_lab *lab = experiment_lab_find("overlap");
    size_t last = experiment_variants(lab) - 1;
    setenv("ZEROLAB", "build/zerolab", 0);
    printf("waiting for gradients, by bucket (median of a step):\n");
    for (int k = 0; k < TIMES; k++) {
        double ms[EXPERIMENT_VARIANTS], least = 0;
        for (size_t i = 0; i <= last; i++) {
            ms[i] = waited(&lab->variant[i]);
            printf("  %s: %.1f ms", lab->variant[i].label, ms[i]);
            if (i == 1 || (i > 1 && i < last && ms[i] < least)) least = ms[i];
        }
        printf("  %s\n", least >= 0 && least < ms[0] && least < ms[last] ? "a U" : "no U");
    }
    return 0;
}
