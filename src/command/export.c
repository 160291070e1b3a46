/* export: prints lessons, and sheets of problems with fresh numbers, with their answers. */
#include "command/export.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── sheets of problems ────────────────────────────────────────────────────────────────────────*/
enum { LESSONS_NAMED = 3, PROBLEMS_USUAL = 10 };

struct family {
    size_t lesson, step;
};
struct sheet {
    struct export_book *book;
    const struct export_wanted *wanted;
    struct export_lesson *lesson;
    size_t lessons;
    struct family *family;
    size_t families;
};

/* ── which problems ────────────────────────────────────────────────────────────────────────────*/
static bool open_lesson(struct sheet *s, const struct lesson_course *c, const char *name,
                        struct base_message *m) {
    s->lesson = base_grow(s->lesson, s->lessons + 1, sizeof *s->lesson);
    if (!command_export_open(c, name, &s->lesson[s->lessons], m)) return false;
    const struct lesson *l = s->lesson[s->lessons++].lesson;
    for (size_t i = 0; i < lesson_steps(l); i++) {
        if (lesson_step_kind(l, i) != LESSON_PROBLEM) continue;
        s->family = base_grow(s->family, s->families + 1, sizeof *s->family);
        s->family[s->families++] = (struct family){s->lessons - 1, i};
    }
    return true;
}

static bool open_named(struct sheet *s, const struct lesson_course *c, struct base_message *m) {
    for (size_t i = 0; i < s->wanted->lessons; i++)
        if (!open_lesson(s, c, s->wanted->lesson[i], m)) return false;
    return true;
}

static bool open_phase(struct sheet *s, const struct lesson_course *c, struct base_message *m) {
    for (size_t i = 0; i < c->lessons; i++) {
        bool wanted = s->wanted->phase == 0 || c->lesson[i].phase == s->wanted->phase - 1;
        if (wanted && c->lesson[i].file && !open_lesson(s, c, c->lesson[i].id, m)) return false;
    }
    return true;
}

static bool open_all(struct sheet *s, const struct lesson_course *c, struct base_message *m) {
    bool named = s->wanted->lessons > 0;
    if (!(named ? open_named(s, c, m) : open_phase(s, c, m))) return false;
    if (s->families == 0) base_fail(m, "it has no problems: name another lesson");
    return s->families > 0;
}

/* ── the sheet ─────────────────────────────────────────────────────────────────────────────────*/
static void mix(struct sheet *s, uint64_t *chance) {
    for (size_t left = s->families; left > 1; left--) {
        size_t k = (size_t)(base_random(chance) % left);
        struct family was = s->family[left - 1];
        s->family[left - 1] = s->family[k];
        s->family[k] = was;
    }
}

static size_t count(const struct sheet *s) {
    if (s->wanted->count > 0) return s->wanted->count;
    return s->families < PROBLEMS_USUAL ? s->families : PROBLEMS_USUAL;
}

/* Each family once before any comes again, then with the numbers of its next try. */
static bool write_problems(struct sheet *s, struct base_message *m) {
    uint64_t chance = s->wanted->seed;
    for (size_t i = 0; i < count(s); i++) {
        if (i % s->families == 0) mix(s, &chance);
        struct family f = s->family[i % s->families];
        const struct export_lesson *l = &s->lesson[f.lesson];
        const json_t *step = lesson_step(l->lesson, f.step);
        char *of = base_format("%s %s", lesson_id(l->lesson), base_json_text(step, "title", ""));
        bool written = command_export_problem(s->book, l, f.step, s->wanted->seed,
                                              (int)(i / s->families) + 1, of, m);
        free(of);
        if (!written) return false;
    }
    return true;
}

static char *name_lessons(const struct sheet *s) {
    struct base_text t = {0};
    for (size_t i = 0; i < s->lessons; i++)
        base_text_printf(&t, "%s%s %s", i ? " · " : "", lesson_id(s->lesson[i].lesson),
                         lesson_title(s->lesson[i].lesson));
    return base_text_take(&t);
}

static char *describe(const struct sheet *s, const struct lesson_course *c) {
    if (s->lessons <= LESSONS_NAMED) return name_lessons(s);
    if (s->wanted->phase) return base_dup(c->phase_title[s->wanted->phase - 1]);
    return base_format("from %zu lessons", s->lessons);
}

bool command_export_sheet(struct export_book *b, const struct lesson_course *c,
                          const struct export_wanted *w, struct base_message *m) {
    struct sheet s = {.book = b, .wanted = w};
    bool written = open_all(&s, c, m) && write_problems(&s, m);
    b->title = base_dup("Worksheet");
    b->about = describe(&s, c);
    b->named = true;
    for (size_t i = 0; i < s.lessons; i++) command_export_close(&s.lesson[i]);
    free(s.lesson);
    free(s.family);
    return written;
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
enum { SEED_MOST = 999999999, SEED_DRAWN = 99999, COUNT_MOST = 200 };

struct asked {
    const char *format, *page, *output, *key;
    long seed, count, phase;
    struct lesson_course course;
};

/* ── what was asked ────────────────────────────────────────────────────────────────────────────*/
/* Without a seed the numbers are new each time; the page tells the seed, so that it can be had
 * again. */
static long draw_seed(void) {
    uint64_t state = (uint64_t)base_now() ^ (uint64_t)getpid() << 32;
    return (long)(base_random(&state) % SEED_DRAWN) + 1;
}

static bool read_numbers(const struct arguments *a, struct asked *x) {
    return command_arguments_number(a, "seed", 1, SEED_MOST, draw_seed(), &x->seed) &&
           command_arguments_number(a, "count", 1, COUNT_MOST, 0, &x->count) &&
           command_arguments_number(a, "phase", 1, (long)x->course.phases, 0, &x->phase);
}

/* ── printing ──────────────────────────────────────────────────────────────────────────────────*/
static bool print(const struct asked *x, const struct export_book *b, unsigned parts,
                  const char *file, struct base_message *m) {
    return command_export_print(b, parts, &(struct export_way){x->format, x->page, file}, m);
}

/* The key goes first: if it cannot be written, nothing else is. */
static bool print_all(const struct asked *x, const struct export_book *b, struct base_message *m) {
    bool apart = x->key || json_array_size(b->answers) == 0;
    unsigned parts = apart ? EXPORT_BODY : EXPORT_BODY | EXPORT_ANSWERS;
    if (x->key && !print(x, b, EXPORT_ANSWERS, x->key, m)) return false;
    return print(x, b, parts, x->output, m);
}

/* ── what can be printed ───────────────────────────────────────────────────────────────────────*/
static bool fill_lesson(const struct arguments *a, const struct asked *x, struct export_book *b,
                        struct base_message *m) {
    struct export_lesson l;
    if (!command_export_open(&x->course, a->operand[1], &l, m)) return false;
    bool written = command_export_steps(b, &l, (uint64_t)x->seed, m);
    b->title = base_dup(lesson_title(l.lesson));
    b->about = base_format("Lesson %s · about %d minutes · `zerotutor learn %s`",
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

/* The cheat sheet is a file in the language of lessons that is not in the course. */
static bool fill_cheat_sheet(const struct arguments *a, const struct asked *x,
                             struct export_book *b, struct base_message *m) {
    char *path = base_share_path("lessons/cheat-sheet.lua");
    struct export_lesson l;
    (void)a;
    bool opened = command_export_open(&x->course, path, &l, m);
    bool written = opened && command_export_steps(b, &l, (uint64_t)x->seed, m);
    if (opened) {
        b->title = base_dup(lesson_title(l.lesson));
        b->about = base_dup("What to know by heart, and what to look up");
        b->dense = true;
        free(b->colophon); /* no number of it is drawn */
        b->colophon = base_format("zerotutor %s", command_version);
        command_export_close(&l);
    }
    free(path);
    return written;
}

static int check_cheat_sheet(const struct arguments *a) {
    if (a->operands > 1)
        return command_say_error("'%s' is unexpected: `zerotutor export cheat-sheet`",
                                 a->operand[1]);
    if (command_arguments_has(a, "phase") || command_arguments_has(a, "count") ||
        command_arguments_has(a, "key"))
        return command_say_error(
            "--phase, --count and --key belong to worksheets: use `zerotutor export sheet`");
    return COMMAND_WELL;
}

static int check_lesson(const struct arguments *a) {
    if (a->operands != 2)
        return command_say_error(
            "name one lesson, as in `zerotutor export lesson 2.3`: `zerotutor learn "
            "--list` names them all");
    if (command_arguments_has(a, "phase") || command_arguments_has(a, "count"))
        return command_say_error(
            "--phase and --count belong to worksheets: use `zerotutor export sheet`");
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
    {"sheet", check_sheet, fill_sheet},
    {"cheat-sheet", check_cheat_sheet, fill_cheat_sheet},
};

static const struct exported *find_kind(const char *name) {
    struct nearest nearest = {.word = name};
    for (size_t i = 0; i < BASE_COUNT(kinds); i++) {
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
        command_nearest_try(&nearest, kinds[i].name);
    }
    command_say_unknown("export", name, nearest.best,
                        "it is lesson, sheet or cheat-sheet, as in `zerotutor export lesson 2.3`");
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
    {"format", "FORMAT", "md|txt|html|pdf", "file format (default: FILE's ending, else md)"},
    {"output", "FILE", NULL, "file to write (default: standard output); -o for short"},
    {"key", "FILE", NULL, "file for the answers (default: separate pages at the end)"},
    {"seed", "N", NULL, "the same seed prints the same numbers (default: new ones)"},
    {"count", "N", NULL, "sheet: how many problems (default: one of each family, at most 10)"},
    {"phase", "N", NULL, "sheet: takes the lessons of this phase"},
    {"paper", "SIZE", "a4|letter", "a4 by default"},
};
static const char *const examples[] = {
    "zerotutor export lesson 2.3 -o 2.3.html",
    "zerotutor export sheet 1.3 1.4 --count 6 --seed 7 --format pdf -o sheet.pdf --key key.pdf",
    "zerotutor export sheet --phase 2 -o sheet.html",
    "zerotutor export cheat-sheet -o zero.pdf",
    NULL,
};

const struct command command_export = {
    .name = "export",
    .summary = "prints a lesson, a worksheet or the cheat sheet",
    .operands = "lesson LESSON | sheet [LESSON...] | cheat-sheet",
    .operand_choices = "lesson|sheet|cheat-sheet",
    .least = 1,
    .most = OPERANDS_MOST,
    .about =
        "`export lesson` prints a handout: every step with its figures, worked examples line by "
        "line, problems with fresh numbers and room to write, and the answers on the last "
        "pages.\n\n`export sheet` prints a worksheet for a class: mixed problems from the lessons "
        "that you name, from a phase, or from the whole course, with a key that the engine solves "
        "line by line. The same seed always prints the same sheet.\n\n`export cheat-sheet` prints "
        "the "
        "course on one page: stages, bytes, traffic, when to use which, knobs.\n\n`txt` is "
        "text for 80 columns. HTML is one self-contained file, laid out for print. PDF needs "
        "weasyprint, Chromium or Chrome.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
