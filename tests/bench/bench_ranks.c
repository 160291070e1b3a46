/* make bench: tokens a second of zerolab itself, a 10M model and the 124M, on one rank and on two,
 * stage 0. Asserts nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *what, *arguments;
} models[] = {
    {"10m,  batch 8 of 128", "--model 10m --batch 8 --steps 3"},
    {"124m, batch 4 of 64", "--layers 12 --width 768 --heads 12 --seq 64 --vocab 50257 --tokens "
                            "random --batch 4 --steps 2"},
};

/* Of the last step: the first warms up. */
static double tokens_per_second(const char *arguments, int ranks) {
    char command[512], line[65536];
    const char *zerolab = getenv("ZEROLAB");
    double rate = 0;
    snprintf(command, sizeof command, "%s %s --ranks %d", zerolab ? zerolab : "build/zerolab",
             arguments, ranks);
    FILE *events = popen(command, "r");
    if (!events) return 0;
    while (fgets(line, sizeof line, events)) {
        const char *found = strstr(line, "\"tokens_per_s\":");
        if (strstr(line, "\"event\":\"step\"") && found) rate = strtod(found + 15, NULL);
    }
    return pclose(events) == 0 ? rate : 0;
}

int main(void) {
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        double one = tokens_per_second(models[i].arguments, 1);
        double two = tokens_per_second(models[i].arguments, 2);
        printf("zerolab %s  %8.0f tokens/s on one rank, %8.0f on two (%.2f×)\n", models[i].what,
               one, two, one > 0 ? two / one : 0);
    }
    return 0;
}
