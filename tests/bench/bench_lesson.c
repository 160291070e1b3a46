/* make bench: how long lesson 1.1 takes from its file to checked data (worker started, Lua run,
 * JSON read), and how long a fresh variant takes. Asserts nothing. */
#include "script/script.h"

#include "timing.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LOADS = 31, VARIANTS = 301 };
static const char file[] = "lessons/1-where-memory-goes/1.1.lua";

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

static struct lesson *load(struct script **s, struct base_message *m) {
    *s = script_open(file, NULL, m);
    return *s ? lesson_read(script_lesson(*s), file, m) : NULL;
}

static bool bench_load(struct base_message *m) {
    double times[LOADS];
    for (size_t i = 0; i < LOADS; i++) {
        struct script *s;
        double begun = now_ms();
        struct lesson *l = load(&s, m);
        times[i] = now_ms() - begun;
        if (!l) return false;
        lesson_free(l);
        script_close(s);
    }
    printf("%-22s %12.2f ms\n", "lesson 1.1 loaded", median(times, LOADS));
    return true;
}

static size_t first_problem(const struct lesson *l) {
    size_t i = 0;
    while (lesson_step_kind(l, i) != LESSON_PROBLEM) i++;
    return i;
}

static bool bench_variant(struct base_message *m) {
    struct script *s;
    struct lesson *l = load(&s, m);
    if (!l) return false;
    double times[VARIANTS];
    size_t step = first_problem(l);
    bool well = true;
    for (size_t i = 0; i < VARIANTS && well; i++) {
        double begun = now_ms();
        json_t *variant = lesson_variant(l, step, script_source(s), i, m);
        times[i] = now_ms() - begun;
        well = variant != NULL;
        json_decref(variant);
    }
    if (well) printf("%-22s %12.2f ms\n", "fresh numbers", median(times, VARIANTS));
    lesson_free(l);
    script_close(s);
    return well;
}

int main(void) {
    struct base_message m = {0};
    if (bench_load(&m) && bench_variant(&m)) return 0;
    fprintf(stderr, "bench: %s:%d: %s\n", m.file, m.line, m.what);
    return 1;
}
