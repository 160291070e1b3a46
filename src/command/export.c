/* export: a lesson or a worksheet on paper. Nothing of a learner's record is read or kept. */
#include "command/export.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEED_MOST = 999999999, SEED_DRAWN = 99999, COUNT_MOST = 200 };

struct asked {
    const char *format, *page, *output, *key;
    long seed, count, phase;
    struct lesson_course course;
};

/* ── what was asked ──────────────────────────────────────────────────────────────────────────────*/
/* Without a seed the numbers are new each time; the page tells the seed, so that it can be had again. */
static long draw_seed(void) {
    uint64_t state = (uint64_t)base_now() ^ (uint64_t)getpid() << 32;
    return (long)(base_random(&state) % SEED_DRAWN) + 1;
}

static bool read_numbers(const struct arguments *a, struct asked *x) {
    return command_arguments_number(a, "seed", 1, SEED_MOST, draw_seed(), &x->seed) &&
           command_arguments_number(a, "count", 1, COUNT_MOST, 0, &x->count) &&
           command_arguments_number(a, "phase", 1, (long)x->course.phases, 0, &x->phase);
}

/* ── printing ────────────────────────────────────────────────────────────────────────────────────*/
static bool print(const struct asked *x, const struct export_book *b, unsigned parts,
                  const char *file, struct base_message *m) {
    return command_export_print(b, parts, &(struct export_way){x->format, x->page, file}, m);
}

/* The key goes first: if it cannot be written, nothing else is. */
static bool print_all(const struct asked *x, const struct export_book *b, struct base_message *m) {
    unsigned parts = x->key ? EXPORT_BODY : EXPORT_BODY | EXPORT_ANSWERS;
    if (x->key && !print(x, b, EXPORT_ANSWERS, x->key, m)) return false;
    return print(x, b, parts, x->output, m);
}

/* ── what can be printed ─────────────────────────────────────────────────────────────────────────*/
static bool fill_lesson(const struct arguments *a, const struct asked *x, struct export_book *b,
                        struct base_message *m) {
    struct export_lesson l;
    if (!command_export_open(&x->course, a->operand[1], &l, m)) return false;
    bool written = command_export_steps(b, &l, (uint64_t)x->seed, m);
    b->title = base_dup(lesson_title(l.lesson));
    b->about = base_format("Lesson %s · about %d minutes and the problems · `zerotutor learn %s`",
                           lesson_id(l.lesson), lesson_minutes(l.lesson), l.name);
    command_export_close(&l);
    return written;
}

static bool fill_sheet(const struct arguments *a, const struct asked *x, struct export_book *b,
                       struct base_message *m) {
    struct export_wanted wanted = {.lesson = a->operand + 1,
                                   .lessons = a->operands - 1,
                                   .phase = (int)x->phase,
                                   .count = (size_t)x->count,
                                   .seed = (uint64_t)x->seed};
    return command_export_sheet(b, &x->course, &wanted, m);
}

static int check_lesson(const struct arguments *a) {
    if (a->operands != 2)
        return command_say_error(
            "name one lesson, as in `zerotutor export lesson 2.3`: `zerotutor learn "
            "--list` names them all");
    if (command_arguments_has(a, "phase") || command_arguments_has(a, "count"))
        return command_say_error("--phase and --count are of worksheets: `zerotutor export sheet`");
    return COMMAND_WELL;
}

static int check_sheet(const struct arguments *a) {
    if (a->operands > 1 && command_arguments_has(a, "phase"))
        return command_say_error("name lessons or a --phase, not both");
    return COMMAND_WELL;
}

static const struct exported {
    const char *name;
    int (*check)(const struct arguments *a);
    bool (*fill)(const struct arguments *a, const struct asked *x, struct export_book *b,
                 struct base_message *m);
} kinds[] = {
    {"lesson", check_lesson, fill_lesson},
    {"sheet",  check_sheet,  fill_sheet },
};

static const struct exported *find_kind(const char *name) {
    struct nearest nearest = {.word = name};
    for (size_t i = 0; i < BASE_COUNT(kinds); i++) {
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
        command_nearest_try(&nearest, kinds[i].name);
    }
    command_say_unknown("export", name, nearest.best,
                        "`zerotutor export lesson 2.3` or `zerotutor export sheet 2.3`");
    return NULL;
}

static int print_kind(const struct exported *kind, const struct arguments *a,
                      const struct asked *x) {
    struct base_message m = {0};
    struct export_book book;
    command_export_book_open(&book, (uint64_t)x->seed);
    bool done = kind->fill(a, x, &book, &m) && print_all(x, &book, &m);
    command_export_book_free(&book);
    return done ? COMMAND_WELL : command_say_message(&m);
}

static int run(const struct arguments *a) {
    const struct exported *kind = find_kind(a->operand[0]);
    if (!kind || kind->check(a) != COMMAND_WELL) return COMMAND_USAGE;
    struct base_message m = {0};
    struct asked x = {.format = command_export_format_of(a),
                      .page = command_arguments_value(a, "paper"),
                      .output = command_arguments_value(a, "output"),
                      .key = command_arguments_value(a, "key")};
    if (!command_export_suits_output(a)) return COMMAND_USAGE;
    if (!command_export_course(&x.course, &m)) return command_say_message(&m);
    int status = read_numbers(a, &x) ? print_kind(kind, a, &x) : COMMAND_USAGE;
    lesson_course_free(&x.course);
    return status;
}

static const struct command_option options[] = {
    {"format", "FORMAT", "md|html|pdf", "md unless told, or as FILE's name ends"                             },
    {"output", "FILE",   NULL,          "writes there; else to standard output; -o for short"                },
    {"key",    "FILE",   NULL,          "writes the answers there; else on pages of their own"               },
    {"seed",   "N",      NULL,          "the same seed prints the same numbers; else they are new"           },
    {"count",  "N",      NULL,          "sheet: how many problems; each family once, 10 at most, unless told"},
    {"phase",  "N",      NULL,          "sheet: from the lessons of this phase"                              },
    {"paper",  "SIZE",   "a4|letter",   "a4 unless told"                                                     },
};
static const char *const examples[] = {
    "zerotutor export lesson 2.3 -o 2.3.html",
    "zerotutor export sheet 1.3 1.4 --count 6 --seed 7 --format pdf -o sheet.pdf --key key.pdf",
    "zerotutor export sheet --phase 2 -o sheet.html",
    NULL,
};

const struct command command_export = {
    .name = "export",
    .summary = "prints a lesson or a worksheet, as Markdown, HTML or PDF",
    .operands = "lesson LESSON | sheet [LESSON...]",
    .operand_choices = "lesson|sheet",
    .least = 1,
    .most = OPERANDS_MOST,
    .about =
        "`export lesson` is a handout: every step, its figures drawn, worked examples line by "
        "line, problems with fresh numbers and room to write, answers on the last pages.\n\n"
        "`export sheet` is a worksheet for a class: problems of the lessons named, of a phase, or "
        "of the whole course, mixed; and its key, worked line by line by the engine. Each seed is "
        "another sheet, and the same seed the same one.\n\n"
        "HTML is one file that needs nothing beside it, laid out for print. PDF is made by "
        "weasyprint, Chromium or Chrome, whichever is here.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
