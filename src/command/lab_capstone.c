/* The lab `capstone`: which scenario it is run for, and what is told of the scale. */
#include "command/lab.h"
#include "command/asked.h"
#include "memo/memo.h"

#include <stdlib.h>
#include <string.h>

/* ── the scenario ──────────────────────────────────────────────────────────────────────────────*/
struct chosen {
    struct account_training training;
    uint64_t budget;
    int stage;
};

static void choose(struct chosen *c, const struct memo_scenario *s) {
    *c = (struct chosen){s->training, s->card_bytes, EXPERIMENT_ALL_STAGES};
}

/* As in `memo new --seed`. */
enum { SEED_MOST = 1000000000 };

/* A memo that has decided runs as it decided. */
static bool read_memo(const char *path, struct chosen *c, struct base_message *m) {
    struct memo_report report;
    size_t length;
    char *text = base_file_read(path, MEMO_BYTES, &length, m);
    if (!text) return false;
    bool read = memo_read(text, length, NULL, &report, m);
    if (read && !report.has_scenario)
        read = base_fail_at(m, path, 0,
                            "it names no scenario: write a line such as \"Scenario: 13e9 "
                            "parameters, 8 × A100 80 GB, sequence 2048, micro-batch 1\"");
    if (read) choose(c, &report.config[MEMO_THE_DECISION].is);
    if (read && report.decided) c->stage = c->training.stage;
    memo_free(&report);
    free(text);
    return read;
}

static bool read_scenario(const char *told, struct chosen *c, struct base_message *m) {
    struct memo_scenario s;
    char *end;
    unsigned long long seed = told ? strtoull(told, &end, 10) : 0;
    if (told && (*told < '0' || *told > '9' || *end)) return read_memo(told, c, m);
    if (seed > SEED_MOST)
        return base_fail(m, "--scenario cannot be '%.40s': a seed is a number from 0 to %d", told,
                         SEED_MOST);
    memo_scenario_vary(seed, &s);
    choose(c, &s);
    return true;
}

struct experiment_capstone *command_lab_capstone(const struct arguments *a) {
    struct base_message m = {0};
    struct chosen c;
    long stage;
    if (!read_scenario(command_arguments_value(a, "scenario"), &c, &m)) {
        command_say_message(&m);
        return NULL;
    }
    if (!command_arguments_number(a, "stage", 0, 3, c.stage, &stage)) return NULL;
    struct experiment_capstone *made =
        experiment_capstone_new(&c.training, c.budget, (int)stage, experiment_capacity_here(), &m);
    if (!made) command_say_message(&m);
    return made;
}

/* ── what is told ──────────────────────────────────────────────────────────────────────────────*/
void command_lab_tell_scale(const struct lab_runs *r, size_t i) {
    struct page *p = command_lab_page(r);
    int width = page_width(p) - 2;
    page_lab_scale(p, (struct page_flow){.indent = 1, .width = width < 1 ? 1 : width},
                   experiment_capstone_scale(r->scaled, r->first + i),
                   r->run[i] ? experiment_state(r->run[i]) : NULL);
    page_blank(p, 1);
    command_terminal_print(p);
    fflush(stdout);
}

bool command_lab_ended_well(const struct lab_runs *r, size_t i) {
    const struct experiment_state *s = experiment_state(r->run[i]);
    if (r->lab && r->lab->variant[r->first + i].dies) return s->refused > 0;
    return !s->failed;
}
