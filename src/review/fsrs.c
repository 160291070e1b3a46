/* fsrs.c: the formulas of FSRS-6 with its default parameters. The names S, D, R and w are those of
 * the algorithm's description (github.com/open-spaced-repetition/awesome-fsrs/wiki/The-Algorithm).
 */
#include "review/fsrs.h"

#include <math.h>

static const double w[21] = {0.212,  1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194,
                             0.001,  1.8722, 0.1666, 0.796,  1.4835, 0.0614, 0.2629,
                             1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542};

#define STABILITY_LEAST  0.001
#define STABILITY_MOST   36500.0
#define DIFFICULTY_LEAST 1.0
#define DIFFICULTY_MOST  10.0
#define WANTED_RECALL    0.9
enum { INTERVAL_MOST = 36500 };

static double clamp(double x, double least, double most) {
    return x < least ? least : x > most ? most : x;
}

/* ── forgetting ────────────────────────────────────────────────────────────────────────────────*/
static double factor(void) {
    return pow(WANTED_RECALL, -1 / w[20]) - 1;
}

double review_fsrs_recall(double stability, double days) {
    return pow(1 + factor() * days / stability, -w[20]);
}

double review_fsrs_days(double stability, double recall) {
    return stability / factor() * (pow(recall, -1 / w[20]) - 1);
}

int64_t review_fsrs_interval(double stability) {
    return (int64_t)clamp(round(review_fsrs_days(stability, WANTED_RECALL)), 1, INTERVAL_MOST);
}

/* ── difficulty ────────────────────────────────────────────────────────────────────────────────*/
/* Of a first review, not clamped: the mean reversion below needs it so. */
static double first_difficulty(enum review_grade g) {
    return w[4] - exp(w[5] * (g - 1)) + 1;
}

static double next_difficulty(double d, enum review_grade g) {
    double moved = d - w[6] * ((double)g - 3) * (10 - d) / 9;
    double reverted = w[7] * first_difficulty(REVIEW_EASY) + (1 - w[7]) * moved;
    return clamp(reverted, DIFFICULTY_LEAST, DIFFICULTY_MOST);
}

/* ── stability: each formula uses the difficulty from before the review ────────────────────────*/
static double after_success(struct review_fsrs m, double recall, enum review_grade g) {
    double hard = g == REVIEW_HARD ? w[15] : 1, easy = g == REVIEW_EASY ? w[16] : 1;
    return m.stability * (1 + exp(w[8]) * (11 - m.difficulty) * pow(m.stability, -w[9]) *
                                  (exp(w[10] * (1 - recall)) - 1) * hard * easy);
}

/* A lapse never makes a memory last longer. */
static double after_lapse(struct review_fsrs m, double recall) {
    double s = w[11] * pow(m.difficulty, -w[12]) * (pow(m.stability + 1, w[13]) - 1) *
               exp(w[14] * (1 - recall));
    return fmin(s, m.stability / exp(w[17] * w[18]));
}

static double after_same_day(struct review_fsrs m, enum review_grade g) {
    double k = exp(w[17] * ((double)g - 3 + w[18])) * pow(m.stability, -w[19]);
    return m.stability * (g >= REVIEW_HARD ? fmax(k, 1) : k);
}

struct review_fsrs review_fsrs_after(struct review_fsrs before, int64_t days, enum review_grade g) {
    if (before.stability <= 0)
        return (struct review_fsrs){w[g - 1],
                                    clamp(first_difficulty(g), DIFFICULTY_LEAST, DIFFICULTY_MOST)};
    double recall = review_fsrs_recall(before.stability, (double)days);
    double s = days <= 0           ? after_same_day(before, g)
               : g == REVIEW_AGAIN ? after_lapse(before, recall)
                                   : after_success(before, recall, g);
    return (struct review_fsrs){clamp(s, STABILITY_LEAST, STABILITY_MOST),
                                next_difficulty(before.difficulty, g)};
}
