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
        "`lab list` names the labs. `lab run NAME` asks for a prediction, a choice and then a "
        "number "
        "or a factor (an empty line skips each), trains a small GPT for each of the lab's runs, "
        "prints what each rank held and sent next to what the engine predicted, and asks about "
        "what "
        "was measured. In a pipe it reads the answers there. With `--variant` or flags of your own "
        "it asks nothing. What stands after `--` goes to zerolab, on top of "
        "the lab's own flags; without a NAME it is an experiment of your own. `lab replay FILE` "
        "plays a recording, on a terminal in the live view where its start says what ran; "
        "`lab replay first-weighing` plays what comes with that lab.\n\n"
        "`lab run capstone` scales a scenario down so that its verdict stays: what fits its GPU "
        "fits the cap here, what does not runs out of memory. Its runs are kept; `lab runs` lists "
        "what was kept, with the words by which a memo quotes each.\n\n"
        "On a terminal a named lab is run on the full screen and watched as it goes; with "
        "`--linear`, in a pipe, and with flags, `--variant` or `--record` the tables are printed "
        "instead.\n\n"
        "zerolab is found next to this program, or where `$ZEROLAB` says. It needs no GPU; where "
        "there are GPUs and zerolab-cuda next to it, or where `$ZEROLAB_CUDA` says, it runs on "
        "them, each rank on its own if there are enough.\n\n"
        "The exit status is 1 where a run failed, was cancelled, or a recording is not whole.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
