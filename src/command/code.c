/* code: the passages of real code that lessons explain, and a small program to go on with. */
#include "command/export.h"
#include "command/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── passages ──────────────────────────────────────────────────────────────────────────────────*/
struct passage {
    /* the file's name without folders and ending: what it is asked for by */
    char *name;
    char *lesson, *title, *file;
    /* the step's id */
    char *step;
};
struct passages {
    struct passage *at;
    size_t count;
};

static char *stem(const char *file) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    return base_format("%.*s", (int)strcspn(name, "."), name);
}

static void add_passage(struct passages *p, const char *lesson, const json_t *step) {
    const char *file = base_json_text(step, "file", "");
    p->at = base_grow(p->at, p->count + 1, sizeof *p->at);
    p->at[p->count++] = (struct passage){.name = stem(file),
                                         .lesson = base_dup(lesson),
                                         .title = base_dup(base_json_text(step, "title", "")),
                                         .file = base_dup(file),
                                         .step = base_dup(base_json_text(step, "id", ""))};
}

static void free_passages(struct passages *p) {
    for (size_t i = 0; i < p->count; i++) {
        free(p->at[i].name);
        free(p->at[i].lesson);
        free(p->at[i].title);
        free(p->at[i].file);
        free(p->at[i].step);
    }
    free(p->at);
}

static bool find_passages(const struct lesson_course *c, struct passages *p,
                          struct base_message *m) {
    bool read = true;
    for (size_t i = 0; read && i < c->lessons; i++) {
        struct export_lesson l;
        if (!c->lesson[i].file) continue;
        read = command_export_open(c, c->lesson[i].id, &l, m);
        if (!read) break;
        for (size_t k = 0; k < lesson_steps(l.lesson); k++)
            if (lesson_step_kind(l.lesson, k) == LESSON_READ)
                add_passage(p, c->lesson[i].id, lesson_step(l.lesson, k));
        command_export_close(&l);
    }
    return read;
}

/* The list shows the program among the passages of its lesson. */
#define STARTER_LESSON "1.3"

static bool put_starter(struct grid *g) {
    command_grid_put(g, "accounting");
    command_grid_put(g, STARTER_LESSON);
    command_grid_put(g, "A program to continue with");
    command_grid_put(g, "-o FILE.c");
    return true;
}

static int list_passages(const struct arguments *a, const struct passages *p) {
    struct grid g = {0};
    command_grid_head(&g, "name", 'l');
    command_grid_head(&g, "lesson", 'l');
    command_grid_head(&g, "what it shows", 'l');
    command_grid_head(&g, "file", 'l');
    bool starts = false;
    for (size_t i = 0; i < p->count; i++) {
        if (!starts && strcmp(p->at[i].lesson, STARTER_LESSON) > 0) starts = put_starter(&g);
        command_grid_put(&g, "%s", p->at[i].name);
        command_grid_put(&g, "%s", p->at[i].lesson);
        command_grid_put(&g, "%s", p->at[i].title);
        command_grid_put(&g, "%s", p->at[i].file);
    }
    if (!starts) put_starter(&g);
    struct page *page = command_terminal_page(command_terminal_ascii(a));
    command_grid_draw(&g, page);
    command_terminal_print(page);
    return COMMAND_WELL;
}

static int list_as_json(const struct passages *p) {
    json_t *list = json_array();
    for (size_t i = 0; i < p->count; i++)
        json_array_append_new(list, json_pack("{ss ss ss ss}", "name", p->at[i].name, "lesson",
                                              p->at[i].lesson, "title", p->at[i].title, "file",
                                              p->at[i].file));
    return command_say_json(json_pack("{so}", "passages", list));
}

/* ── one of them ───────────────────────────────────────────────────────────────────────────────*/
enum { ALL_NOTES = 1000 };

/* With all its notes. */
static json_t *listing_of(const struct export_lesson *l, const struct passage *p,
                          struct base_message *m) {
    struct lesson_dialogue *d =
        lesson_dialogue_open(l->lesson, script_source(l->script), lesson_forgetful_journal, 1, m);
    if (!d) return NULL;
    struct lesson_action go = {.kind = LESSON_DO_GOTO, .text = p->step};
    struct lesson_action on = {.kind = LESSON_DO_MOVE, .by = ALL_NOTES};
    json_t *first = lesson_figure_after(d, go, NULL);
    json_t *listing = lesson_figure_after(d, on, NULL);
    if (listing)
        json_decref(first);
    else
        listing = first;
    lesson_dialogue_free(d);
    if (!listing) base_fail_at(m, p->file, 0, "this source could not be read here");
    return listing;
}

static bool print_passage(const struct arguments *a, const struct lesson_course *c,
                          const struct passage *p, struct base_message *m) {
    struct export_lesson l;
    if (!command_export_open(c, p->lesson, &l, m)) return false;
    json_t *listing = listing_of(&l, p, m);
    struct page *page = command_terminal_page(command_terminal_ascii(a));
    page_printf(page, 0, 1, PAGE_TITLE, "%s %s", p->lesson, p->title);
    page_blank(page, 1);
    bool drawn = listing && page_figure(page, (struct page_flow){.indent = 1}, listing, m);
    if (drawn)
        command_terminal_print(page);
    else
        page_free(page);
    json_decref(listing);
    command_export_close(&l);
    return drawn;
}

/* ── the program to go on with ─────────────────────────────────────────────────────────────────*/
/* What its cases ask; the engine says the bytes. */
static const struct {
    int task;
    const char *params, *gpus, *stage, *recipe;
} cases[] = {
    {0, "7000000000", "8", "0", "paper"},      {0, "7000000000", "8", "1", "paper"},
    {0, "7000000000", "8", "2", "paper"},      {1, "7000000000", "8", "3", "paper"},
    {1, "13000000000", "16", "3", "paper"},    {2, "10", "4", "1", "paper"},
    {2, "6738415617", "64", "2", "paper"},     {3, "7000000000", "8", "1", "megatron"},
    {3, "13000000000", "16", "1", "megatron"},
};

static bool add_case(struct base_text *t, size_t i, struct base_message *m) {
    struct account_training training = account_training_default();
    struct account_ledger l;
    struct account_error e;
    bool known = account_set(&training, "params", cases[i].params, &e) &&
                 account_set(&training, "gpus", cases[i].gpus, &e) &&
                 account_set(&training, "stage", cases[i].stage, &e) &&
                 account_set(&training, "recipe", cases[i].recipe, &e) &&
                 account_ledger(&training, &l, &e);
    if (!known) return base_fail(m, "%s", e.what);
    base_text_printf(t, "    {%d, {%s, %s, %s, %s}, %llu},\n", cases[i].task, cases[i].params,
                     cases[i].gpus, cases[i].stage,
                     strcmp(cases[i].recipe, "megatron") == 0 ? "true" : "false",
                     (unsigned long long)l.total);
    return true;
}

/* The program with the engine's figures in the place of its mark; the caller's. */
static char *fill_starter(struct base_message *m) {
    static const char mark[] = "@CASES@";
    struct base_text t = {0};
    char *path = base_share_path("data/starters/accounting.c");
    char *text = base_file_read(path, 1 << 16, NULL, m), *at = text ? strstr(text, mark) : NULL;
    bool filled = at != NULL;
    if (filled) base_text_add(&t, text, (size_t)(at - text));
    for (size_t i = 0; filled && i < BASE_COUNT(cases); i++) filled = add_case(&t, i, m);
    if (filled) base_text_puts(&t, at + strlen(mark));
    if (text && !at) base_fail_at(m, path, 0, "the mark %s is missing", mark);
    free(text);
    free(path);
    if (filled) return base_text_take(&t);
    base_text_free(&t);
    return NULL;
}

static int write_starter(const struct arguments *a) {
    const char *file = command_arguments_value(a, "output");
    struct base_message m = {0};
    char *text = fill_starter(&m);
    if (!text) return command_say_message(&m);
    enum base_wrote w = BASE_WROTE;
    if (file)
        w = base_file_create(file, text, strlen(text), &m);
    else
        fputs(text, stdout);
    free(text);
    if (w == BASE_DIFFERS) return command_say_error("%s exists already: name another file", file);
    if (w == BASE_UNWRITTEN) return command_say_message(&m);
    if (file) printf("Next: cc -o accounting %s && ./accounting\n", file);
    return COMMAND_WELL;
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
static int print_named(const struct arguments *a, const struct lesson_course *c,
                       const struct passages *p) {
    struct nearest nearest = {.word = a->operand[0]};
    struct base_message m = {0};
    command_nearest_try(&nearest, "accounting");
    for (size_t i = 0; i < p->count; i++) {
        command_nearest_try(&nearest, p->at[i].name);
        if (strcmp(p->at[i].name, a->operand[0]) != 0) continue;
        return print_passage(a, c, &p->at[i], &m) ? COMMAND_WELL : command_say_message(&m);
    }
    return command_say_unknown("passage", a->operand[0], nearest.best,
                               "`zerotutor code` lists them");
}

static bool writes_another(const struct arguments *a) {
    if (!command_arguments_has(a, "output")) return false;
    command_say_error("-o writes only the program: `zerotutor code accounting -o FILE.c`");
    return true;
}

static int print_asked(const struct arguments *a, const struct lesson_course *c) {
    struct passages p = {0};
    struct base_message m = {0};
    int status = COMMAND_USAGE;
    if (!find_passages(c, &p, &m))
        status = command_say_message(&m);
    else if (a->operands)
        status = print_named(a, c, &p);
    else
        status = command_arguments_has(a, "json") ? list_as_json(&p) : list_passages(a, &p);
    free_passages(&p);
    return status;
}

static int run(const struct arguments *a) {
    struct lesson_course course;
    struct base_message m = {0};
    if (a->operands && strcmp(a->operand[0], "accounting") == 0) return write_starter(a);
    if (writes_another(a)) return COMMAND_USAGE;
    if (!command_export_course(&course, &m)) return command_say_message(&m);
    int status = print_asked(a, &course);
    lesson_course_free(&course);
    return status;
}

static const struct command_option options[] = {
    {"output", "FILE", NULL, "accounting: file to write (default: standard output); -o for short"},
    {"json", NULL, NULL, "the list as JSON"},
    {"ascii", NULL, NULL, "plain ASCII characters"},
};
static const char *const examples[] = {
    "zerotutor code",
    "zerotutor code partition",
    "zerotutor code accounting -o accounting.c",
    NULL,
};

const struct command command_code = {
    .name = "code",
    .rare = true,
    .summary = "shows the real code that lessons explain",
    .operands = "[NAME]",
    .most = 1,
    .about = "Without a NAME it lists the passages of real code and the configurations that "
             "lessons explain. With a NAME it shows one of them with its notes.\n\n"
             "`code accounting` writes a small C program that computes the model states of a GPU "
             "under each stage. It compiles, and it is wrong in three ways, which are your tasks. "
             "Run it: it compares itself with the engine's figures.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
