/* lab: the named labs, runs of zerolab, and recordings of runs, line by line. */
#include "command/lab.h"
#include "command/report.h"

#include <stdlib.h>
#include <string.h>

/* ── list ──────────────────────────────────────────────────────────────────────────────────────*/
enum { NAME = 5, MINUTES = 8, GAP = 2 /* columns */ };

static int column_of_titles(void) {
    int longest = 0;
    for (size_t i = 0; i < experiment_labs(); i++) {
        int own = base_width(experiment_lab_at(i)->name);
        longest = own > longest ? own : longest;
    }
    return NAME + longest + GAP;
}

static void put_lab(struct page *p, const struct experiment_lab *lab) {
    int titles = column_of_titles(), row = page_height(p), width = page_width(p);
    char *minutes = base_format("%u min", lab->minutes);
    page_text(p, (struct page_flow){.indent = titles, .width = width - titles - MINUTES},
              lab->title);
    page_put(p, row, NAME, PAGE_ACCENT, 0, lab->name);
    page_put(p, row, width - 1 - base_width(minutes), PAGE_DIM, 0, minutes);
    free(minutes);
}

/* The question of the lesson that lab `i` is the first of, and its labs; where the next lesson's
 * begin. */
static size_t list_lesson(struct page *p, size_t i) {
    const char *lesson = experiment_lab_at(i)->lesson;
    if (page_height(p) > 0) page_blank(p, 1);
    int row = page_height(p);
    page_put(p, row, 1, PAGE_DIM, 0, lesson);
    page_put(p, row, NAME, PAGE_STRONG, 0, experiment_lesson_asks(lesson));
    for (; i < experiment_labs() && !strcmp(experiment_lab_at(i)->lesson, lesson); i++)
        put_lab(p, experiment_lab_at(i));
    return i;
}

static int list(const struct arguments *a) {
    if (a->operands > 1)
        return command_say_error("'%s' is unexpected: `zerotutor lab list`", a->operand[1]);
    if (command_arguments_has(a, "json")) return command_say_json(command_lab_list_json());
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    for (size_t i = 0; i < experiment_labs();) i = list_lesson(p, i);
    page_blank(p, 1);
    command_report_note(p,
                        "Run one with `zerotutor lab run NAME`. Each asks for a prediction first.");
    command_terminal_print(p);
    return COMMAND_WELL;
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
static const struct verb verbs[] = {
    {"list", list, " json ascii "},
    {"run", command_lab_run, " json ascii variant record linear words device scenario stage "},
    {"runs", command_lab_list_kept, " json ascii "},
    {"replay", command_lab_replay, " json ascii speed linear words "},
};

/* A lab's name, or nearly one, that no verb is as near to; or NULL. */
static const char *lab_meant(const char *word) {
    struct nearest verb = {.word = word}, lab = {.word = word};
    for (size_t i = 0; i < BASE_COUNT(verbs); i++) command_nearest_try(&verb, verbs[i].name);
    for (size_t i = 0; i < experiment_labs(); i++)
        command_nearest_try(&lab, experiment_lab_at(i)->name);
    return verb.best && verb.distance <= lab.distance ? NULL : lab.best;
}

static int run(const struct arguments *a) {
    const char *lab = lab_meant(a->operand[0]);
    if (lab)
        return command_say_error("unknown lab command '%s': did you mean `zerotutor lab run %s`?",
                                 a->operand[0], lab);
    return command_verb_run(a, verbs, BASE_COUNT(verbs));
}

static const struct command_option options[] = {
    {"variant", "N", NULL, "run: only this run of the lab, counted from 1 (default: all)"},
    {"record", "FILE", NULL, "run: file for the events (several runs: FILE-1 …)"},
    {"device", "cpu|cuda", NULL, "run: where to train (default: GPUs if there are any)"},
    {"scenario", "FILE|SEED", NULL,
     "run capstone: the case of a memo or of a seed (default: the course's 13B)"},
    {"stage", "S", NULL, "run capstone: only this stage (default: from 3 down until one fails)"},
    {"linear", NULL, NULL, "run, replay: prints tables, even on a terminal"},
    {"words", NULL, NULL, "run, replay: prints lines, and says figures in sentences"},
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
        "`lab list` names the labs. `lab run NAME` asks what you expect: first a choice, then a "
        "number or a factor (press Enter to skip each). It trains a small GPT for each of the "
        "lab's runs, prints what each rank held and sent next to the engine's prediction, and "
        "asks about the measurements. In a pipe it reads your answers from there. With "
        "`--variant` or flags of your own it asks nothing. Flags after `--` go to zerolab in "
        "addition to the lab's own. Without a NAME they make an experiment of your own. `lab "
        "replay FILE` plays a recording, on a terminal in the live view. `lab replay "
        "first-weighing` plays the recording that comes with that lab.\n\n"
        "`lab run capstone` scales a scenario down so that its verdict stays the same. A stage "
        "that fits the scenario's GPU fits the cap here, and one that does not runs out of "
        "memory. Its runs are kept. `lab runs` lists all kept runs, each with the words that "
        "quote it in a memo.\n\n"
        "On a terminal you watch a named lab on the full screen. With `--linear`, flags, "
        "`--variant` or `--record`, or in a pipe, the command prints tables instead. With "
        "`--words`, or if you have switched drawings off, it says them in sentences.\n\n"
        "The command uses the zerolab next to this program, or the one that `$ZEROLAB` names. It "
        "needs no GPU. If there are GPUs, it uses the zerolab-cuda next to it, or the one that "
        "`$ZEROLAB_CUDA` names, and gives each rank its own GPU if there are enough.\n\n"
        "The exit status is 1 if a run failed or was cancelled, or if a recording is not whole.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
