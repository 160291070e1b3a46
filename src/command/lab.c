/* lab: the named labs, runs of zerolab, and recordings of runs, line by line. */
#include "command/lab.h"
#include "command/report.h"

#include <string.h>

/* ── list ──────────────────────────────────────────────────────────────────────────────────────*/
static int list(const struct arguments *a) {
    if (a->operands > 1)
        return command_say_error("'%s' is unexpected: `zerotutor lab list`", a->operand[1]);
    if (command_arguments_has(a, "json")) return command_say_json(command_lab_list_json());
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    struct grid g = {0};
    size_t n;
    const struct experiment_lab *labs = experiment_labs(&n);
    command_grid_head(&g, "lesson", 'l');
    command_grid_head(&g, "lab", 'l');
    command_grid_head(&g, "what is seen", 'l');
    command_grid_head(&g, "runs", 'r');
    command_grid_head(&g, "minutes", 'r');
    for (size_t i = 0; i < n; i++) {
        bool first = i == 0 || strcmp(labs[i].lesson, labs[i - 1].lesson) != 0;
        command_grid_put(&g, "%s", first ? labs[i].lesson : " ");
        command_grid_put(&g, "%s", labs[i].name);
        command_grid_put(&g, "%s", labs[i].title);
        if (labs[i].scaled)
            command_grid_put(&g, "1–%d", EXPERIMENT_VARIANTS);
        else
            command_grid_put(&g, "%zu", experiment_variants(&labs[i]));
        command_grid_put(&g, "%u", labs[i].minutes);
    }
    command_grid_draw(&g, p);
    command_terminal_print(p);
    return COMMAND_WELL;
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
static const struct verb verbs[] = {
    {"list", list, " json ascii "},
    {"run", command_lab_run, " json ascii variant record linear device scenario stage "},
    {"runs", command_lab_list_kept, " json ascii "},
    {"replay", command_lab_replay, " json ascii speed linear "},
};

static int run(const struct arguments *a) {
    return command_verb_run(a, verbs, BASE_COUNT(verbs));
}

static const struct command_option options[] = {
    {"variant", "N", NULL, "run: only this run of the lab, counted from 1 (default: all)"},
    {"record", "FILE", NULL, "run: file for the events (several runs: FILE-1 …)"},
    {"device", "cpu|cuda", NULL, "run: where to train (default: GPUs if there are any)"},
    {"scenario", "FILE|SEED", NULL,
     "run capstone: a memo's or a seed's (default: the course's 13B)"},
    {"stage", "S", NULL, "run capstone: only this stage (default: from 3 down until one fails)"},
    {"linear", NULL, NULL, "run, replay: print tables, even on a terminal"},
    {"speed", "SPEED", NULL, "replay: 2 is twice as fast, max does not wait"},
    {"json", NULL, NULL, "everything as JSON at the end"},
    {"ascii", NULL, NULL, "plain ASCII characters"},
};
static const char *const examples[] = {
    "zerotutor lab list",
    "zerotutor lab run stage-ladder",
    "zerotutor lab run buckets --variant 1 -- --steps 40",
    "zerotutor lab run -- --ranks 2 --stage 3 --model tiny --steps 20",
    "zerotutor lab run capstone --scenario memo.md",
    "zerotutor lab replay ladder.jsonl --speed max",
    NULL,
};

const struct command command_lab = {
    .name = "lab",
    .summary = "trains a real model under a stage and measures its memory",
    .operands = "list | run [NAME] [-- FLAGS] | runs | replay FILE",
    .operand_choices = "list|run|runs|replay",
    .least = 1,
    .most = OPERANDS_MOST,
    .about =
        "`lab list` names the labs. `lab run NAME` asks for your prediction (press Enter to skip "
        "it), trains a small GPT for each of the lab's runs, and prints what each rank held and "
        "sent next to the engine's prediction. Flags after `--` go to zerolab in addition to the "
        "lab's own. Without a NAME they make an experiment of your own. `lab replay FILE` plays "
        "a recording, on a terminal in the live view. `lab replay first-weighing` plays the "
        "recording that comes with that lab.\n\n`lab run capstone` scales a scenario down so "
        "that its verdict stays the same. A stage that fits the scenario's GPU fits the cap "
        "here, and one that does not runs out of memory. Its runs are kept. `lab runs` lists all "
        "kept runs, each with the words that quote it in a memo.\n\nOn a terminal you watch a "
        "named lab on the full screen. With `--linear`, flags, `--variant` or `--record`, or in "
        "a pipe, the command prints tables instead.\n\nThe command uses the zerolab next to this "
        "program, or the one that `$ZEROLAB` names. It needs no GPU. If there are GPUs, it uses "
        "the zerolab-cuda next to it, or the one that `$ZEROLAB_CUDA` names, and gives each rank "
        "its own GPU if there are enough.\n\nThe exit status is 1 if a run failed or was "
        "cancelled, or if a recording is not whole.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
