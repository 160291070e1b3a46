/* The named labs, in the order of their lessons. Each asks for a prediction, runs, says what was to
 * be seen, and asks about that. */
#include "experiment/labs.h"

#include <string.h>

static const struct experiment_labs *const parts[] = {
    &experiment_labs_memory, &experiment_labs_sharding, &experiment_labs_scale};

size_t experiment_labs(void) {
    size_t n = 0;
    for (size_t i = 0; i < BASE_COUNT(parts); i++) n += parts[i]->count;
    return n;
}

const struct experiment_lab *experiment_lab_at(size_t i) {
    for (size_t p = 0; p < BASE_COUNT(parts); i -= parts[p++]->count)
        if (i < parts[p]->count) return &parts[p]->lab[i];
    return NULL;
}

size_t experiment_lab_place(const char *name) {
    size_t i = 0, n = experiment_labs();
    while (i < n && strcmp(experiment_lab_at(i)->name, name) != 0) i++;
    return i;
}

const struct experiment_lab *experiment_lab_find(const char *name) {
    return experiment_lab_at(experiment_lab_place(name));
}

/* ── the question of a lesson ──────────────────────────────────────────────────────────────────*/
static const struct {
    const char *lesson, *asks;
} questions[] = {
    {"1.1", "Where does the memory of training go?"},
    {"1.2", "What do more GPUs bring?"},
    {"1.3", "What does each stage shard?"},
    {"1.4", "What does a stage cost in bytes sent?"},
    {"2.1", "How does a shard of the optimizer update?"},
    {"2.2", "When are gradients sent, and in which pieces?"},
    {"2.3", "When are parameters gathered?"},
    {"2.4", "What do activations need?"},
    {"2.5", "How many seconds does sending take?"},
    {"3.2", "Where else can the states be kept?"},
    {"3.3", "What changes between nodes?"},
    {"4.1", "Does the decision hold?"},
};

const char *experiment_lesson_asks(const char *lesson) {
    for (size_t i = 0; i < BASE_COUNT(questions); i++)
        if (strcmp(questions[i].lesson, lesson) == 0) return questions[i].asks;
    return "";
}

size_t experiment_variants(const struct experiment_lab *lab) {
    size_t n = 0;
    while (n < EXPERIMENT_VARIANTS && lab->variant[n].label) n++;
    return n;
}
