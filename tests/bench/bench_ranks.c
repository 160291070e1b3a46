/* make bench: tokens a second of zerolab itself, on one rank and on two, next to PyTorch and llm.c
 * where they are; and which share of the BLAS's own speed it reaches. Asserts nothing.
 *
 * Other programs slow some steps down, and some measurements of the BLAS, so each number is the
 * best one: of a run's steps, and of the measurements of the BLAS by all runs with so many ranks,
 * because they give the BLAS the same number of threads. On a machine that is never quiet, the
 * second share says more: what a step computes, divided by the processor time that all its ranks
 * took and not by the time that passed. It is the difference of a long run and a short one, so that
 * loading and first values are not in it.
 *
 * PYTHON names the Python that has torch (python3). LLMC names a folder of llm.c with train_gpt2
 * built and its starter pack, whose batch and length are those of the 124M below. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { RANKS = 2, LLMC_STEPS = 4, LLMC_TOKENS = 4 * 64 };

static const struct {
    const char *what, *shape;
    int steps;
} models[] = {
    {"10m, batch 8 of 128", "--layers 6 --width 384 --heads 6 --seq 128 --vocab 256 --batch 8", 8},
    {"124m, batch 4 of 64", "--layers 12 --width 768 --heads 12 --seq 64 --vocab 50257 --batch 4",
     4},
};

/* processor: GFLOP/s of the ranks' processor time. */
struct speed {
    double tokens, gflops, blas, processor;
};

static double member(const char *line, const char *name) {
    const char *found = strstr(line, name);
    return found ? strtod(found + strlen(name), NULL) : 0;
}
static double more(double a, double b) {
    return a > b ? a : b;
}

/* Of the children that have ended. */
static double processor_seconds(void) {
    struct rusage u;
    (void)getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* One run. *spent: processor seconds; *work: GFLOP of all ranks in a step. */
static struct speed run(size_t model, const char *precision, int ranks, int stage, int steps,
                        double *spent, double *work) {
    char command[512], line[65536];
    const char *program = getenv("ZEROLAB");
    struct speed best = {0, 0, 0, 0};
    double before = processor_seconds();
    snprintf(command, sizeof command,
             "%s %s --steps %d --tokens random --precision %s --ranks %d --stage %d --no-hash "
             "--detail-every 1000",
             program ? program : "build/zerolab", models[model].shape, steps, precision, ranks,
             stage);
    FILE *events = popen(command, "r");
    if (!events) return best;
    while (fgets(line, sizeof line, events)) {
        double share = member(line, "\"mfu\":");
        best.blas = more(best.blas, member(line, "\"blas_gflops\":"));
        best.tokens = more(best.tokens, member(line, "\"tokens_per_s\":"));
        best.gflops = more(best.gflops, share * best.blas);
        if (share > 0) *work = 1e-3 * member(line, "\"ms\":") * share * best.blas * ranks;
    }
    bool well = pclose(events) == 0;
    *spent = processor_seconds() - before;
    return well ? best : (struct speed){0, 0, 0, 0};
}

static struct speed zerolab(size_t model, const char *precision, int ranks, int stage) {
    double few = 0, many = 0, work = 0;
    int steps = models[model].steps;
    (void)run(model, precision, ranks, stage, steps / 4, &few, &work);
    struct speed best = run(model, precision, ranks, stage, steps, &many, &work);
    if (many > few) best.processor = work * (steps - steps / 4) / (many - few);
    return best;
}

static double pytorch(size_t model, const char *precision, int ranks) {
    char command[512];
    const char *python = getenv("PYTHON");
    double rate = 0;
    snprintf(command, sizeof command,
             "%s tests/bench/torch_ranks.py %s --steps %d --precision %s --ranks %d 2>/dev/null",
             python ? python : "python3", models[model].shape, models[model].steps, precision,
             ranks);
    FILE *output = popen(command, "r");
    if (!output) return 0;
    if (fscanf(output, "%lf", &rate) != 1) rate = 0;
    return pclose(output) == 0 ? rate : 0;
}

/* Its steps take the cores as threads of one process. It ends when the pipe that it writes to is
 * closed, because it makes more steps than are read. */
static double llm_c(void) {
    char command[4096], line[4096];
    const char *folder = getenv("LLMC");
    double best = 0, ms;
    if (!folder) return 0;
    snprintf(command, sizeof command,
             "cd '%s' && OMP_NUM_THREADS=%d exec stdbuf -oL ./train_gpt2 2>/dev/null", folder,
             RANKS);
    FILE *output = popen(command, "r");
    if (!output) return 0;
    for (int steps = 0; steps < LLMC_STEPS && fgets(line, sizeof line, output);) {
        const char *took = strstr(line, "(took ");
        if (!took || sscanf(took, "(took %lf ms", &ms) != 1) continue;
        best = more(best, 1e3 * LLMC_TOKENS / ms);
        steps++;
    }
    pclose(output);
    return best;
}

static struct row {
    size_t model;
    const char *precision;
    int ranks, stage;
    struct speed speed;
} row[] = {
    {0, "fp32", 1, 0, {0, 0, 0, 0}},     {0, "fp32", RANKS, 0, {0, 0, 0, 0}},
    {0, "fp32", RANKS, 1, {0, 0, 0, 0}}, {0, "bf16", RANKS, 1, {0, 0, 0, 0}},
    {1, "fp32", 1, 0, {0, 0, 0, 0}},     {1, "fp32", RANKS, 0, {0, 0, 0, 0}},
    {1, "fp32", RANKS, 1, {0, 0, 0, 0}}, {1, "bf16", RANKS, 0, {0, 0, 0, 0}},
    {1, "bf16", RANKS, 1, {0, 0, 0, 0}},
};
enum { ROWS = sizeof row / sizeof *row };

static void print_row(const struct row *r, double blas) {
    printf("%-8s %-19s %s, %d rank%s stage %d %7.0f tokens/s", "zerolab", models[r->model].what,
           r->precision, r->ranks, r->ranks > 1 ? "s," : ", ", r->stage, r->speed.tokens);
    if (blas > 0)
        printf(" %4.0f%% of the BLAS, %.0f%% by processor time", 100 * r->speed.gflops / blas,
               100 * r->speed.processor / blas);
    printf("\n");
}
static void print_other(const char *name, const char *precision, double tokens, const char *none) {
    printf("%-8s %-19s %s, %d ranks        ", name, models[1].what, precision, RANKS);
    if (tokens > 0)
        printf(" %7.0f tokens/s\n", tokens);
    else
        printf(" did not run: %s\n", none);
}

int main(void) {
    double blas[RANKS + 1] = {0};
    for (struct row *r = row; r < row + ROWS; r++) {
        r->speed = zerolab(r->model, r->precision, r->ranks, r->stage);
        blas[r->ranks] = more(blas[r->ranks], r->speed.blas);
    }
    for (size_t i = 0; i < ROWS; i++) print_row(&row[i], blas[row[i].ranks]);
    print_other("PyTorch", "fp32", pytorch(1, "fp32", RANKS), "PYTHON names a Python with torch");
    print_other("PyTorch", "bf16", pytorch(1, "bf16", RANKS), "PYTHON names a Python with torch");
    print_other("llm.c", "fp32", llm_c(), "LLMC names a folder with its train_gpt2");
    printf("the BLAS by itself: %.0f GFLOP/s in one rank, %.0f in each of %d\n", blas[1],
           blas[RANKS], RANKS);
    return 0;
}
