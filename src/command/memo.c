/* memo: checks, prints and edits a memo. */
#include "command/memo.h"
#include "screen/screen.h"
#include "session/session.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
enum { FILE_MOST = 64 << 20 };

/* The whole file of an operand. The caller owns it. NULL after the message was printed. */
static char *memo_file(const char *path, size_t *length) {
    struct base_message m = {0};
    char *text = base_file_read(path, FILE_MOST, length, &m);
    if (!text) command_say_message(&m);
    return text;
}

/* memo_read() with the learner's own runs and the lessons' myths. */
static bool memo_held(const char *text, size_t length, struct memo_report *r,
                      struct base_message *m) {
    /* Without a learner neither runs nor myths are known. */
    struct learner *who = session_learner_open(NULL, NULL);
    struct memo_context *with = session_checks(who);
    bool read = memo_read(text, length, with, r, m);
    session_checks_free(with);
    session_learner_close(who);
    return read;
}

/* ── writing ───────────────────────────────────────────────────────────────────────────────────*/
/* The file of the operand, or the memo of the course; the caller's. */
static char *path_of(const struct arguments *a) {
    return a->operands > 1 ? base_dup(a->operand[1]) : session_memo_path("capstone");
}

/* What a memo begins with where there is none; the caller's. NULL after the message was printed. */
static char *begins(const struct arguments *a) {
    struct memo_scenario s;
    struct base_text t = {0};
    long seed;
    if (!command_arguments_number(a, "seed", 0, 1000000000, 0, &seed)) return NULL;
    memo_scenario_vary((uint64_t)seed, &s);
    memo_new(&s, &t);
    return base_text_take(&t);
}

static int with_memo(const struct arguments *a,
                     int (*use)(const struct arguments *a, const char *path, const char *text)) {
    struct base_message m = {0};
    if (a->operands < 2 && !base_home_check(&m)) return command_say_message(&m);
    char *text = begins(a);
    if (!text) return COMMAND_USAGE;
    char *path = path_of(a);
    int status = use(a, path, text);
    free(path);
    free(text);
    return status;
}

static int use_editor(const struct arguments *a, const char *path, const char *text) {
    struct base_message m = {0};
    (void)a;
    bool edited = session_memo_begin(path, text, &m) && session_memo_edit(path, &m);
    return edited ? COMMAND_WELL : command_say_message(&m);
}

static int use_screen(const struct arguments *a, const char *path, const char *text) {
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return command_say_error(
            "this is not a terminal: `zerotutor memo edit` opens '%s' in your own editor", path);
    return screen_run(&(struct screen_options){
        .memo = path, .memo_begins = text, .ascii = command_arguments_has(a, "ascii")});
}

static int memo_edit(const struct arguments *a) {
    return with_memo(a, use_editor);
}

static int memo_write(const struct arguments *a) {
    return with_memo(a, use_screen);
}

/* ── printing ──────────────────────────────────────────────────────────────────────────────────*/
static bool print(const struct arguments *a, const struct memo_printed *p, struct base_message *m) {
    struct export_book book;
    command_export_book_open(&book, 0);
    (command_arguments_has(a, "executive") ? command_memo_book_brief
                                           : command_memo_book_whole)(&book, p);
    const struct export_way way = {.format = command_export_format_of(a),
                                   .file = command_arguments_value(a, "output")};
    bool printed = command_export_print(&book, EXPORT_BODY, &way, m);
    command_export_book_free(&book);
    return printed;
}

/* What lays pages out takes its time over a book; whoever signs reads a few pages. */
static bool suits_pages(const struct arguments *a, size_t length) {
    enum { PDF_MOST = 128 << 10 };
    bool pdf = strcmp(command_export_format_of(a), "pdf") == 0;
    if (!pdf || length <= PDF_MOST || command_arguments_has(a, "executive")) return true;
    command_say_error(
        "'%s' has %zu KiB: a PDF is made of a memo of up to %d KiB, some forty pages. "
        "Shorten it, print one page of it with --executive, or name an .html file",
        a->operand[1], length >> 10, PDF_MOST >> 10);
    return false;
}

/* A file of another kind than is written here would only look like one. */
static bool suits_name(const struct arguments *a) {
    static const char *const endings[] = {".md", ".markdown", ".txt", ".html", ".htm", ".pdf"};
    const char *file = command_arguments_value(a, "output"),
               *slash = file ? strrchr(file, '/') : NULL;
    const char *ending = file ? strrchr(slash ? slash : file, '.') : NULL;
    if (!ending || command_arguments_has(a, "format")) return true;
    for (size_t i = 0; i < BASE_COUNT(endings); i++)
        if (strcasecmp(ending, endings[i]) == 0) return true;
    command_say_error(
        "'%s' has an unknown ending: name a file that ends in .md, .html or .pdf, or set --format",
        file);
    return false;
}

/* An export has marks and the check in it: written over the memo, it would be all that is left of
 * it. */
static bool spares_memo(const struct arguments *a) {
    const char *file = command_arguments_value(a, "output");
    struct stat to, memo;
    if (!file || stat(file, &to) || stat(a->operand[1], &memo)) return true;
    if (to.st_dev != memo.st_dev || to.st_ino != memo.st_ino) return true;
    command_say_error("'%s' is the memo itself: name another file, so that your text is kept",
                      file);
    return false;
}

static int memo_export(const struct arguments *a) {
    struct memo_report r;
    struct base_message m = {0};
    size_t length;
    if (a->operands < 2)
        return command_say_error("which memo? `zerotutor memo export FILE -o memo.pdf`");
    if (!suits_name(a) || !command_export_suits_output(a) || !spares_memo(a)) return COMMAND_USAGE;
    char *text = memo_file(a->operand[1], &length);
    if (!text) return COMMAND_USAGE;
    if (!suits_pages(a, length)) {
        free(text);
        return COMMAND_USAGE;
    }
    bool read = memo_held(text, length, &r, &m);
    bool printed = read && print(a, &(struct memo_printed){text, length, &r}, &m);
    int status = printed ? COMMAND_WELL
                 : read  ? command_say_message(&m)
                         : command_say_error("'%s': %s", a->operand[1], m.what);
    memo_free(&r);
    free(text);
    return status;
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
/* A file may be larger than what is read of a memo: then the check says so. */

static int check(const struct arguments *a) {
    struct memo_report r;
    struct base_message m = {0};
    size_t length;
    if (a->operands < 2) return command_say_error("which memo? `zerotutor memo check FILE`");
    char *text = memo_file(a->operand[1], &length);
    if (!text) return COMMAND_USAGE;
    bool read = memo_held(text, length, &r, &m);
    free(text);
    if (!read) return command_say_error("'%s': %s", a->operand[1], m.what);
    int status = r.refused ? COMMAND_USAGE : r.passes ? COMMAND_WELL : COMMAND_FAILED;
    if (command_arguments_has(a, "json"))
        command_say_json(command_memo_json(&r));
    else {
        struct page *p = command_terminal_page(command_terminal_ascii(a));
        command_memo_page(&r, a->operand[1], command_arguments_has(a, "all"), p);
        command_terminal_print(p);
    }
    memo_free(&r);
    return status;
}

static int begin(const struct arguments *a) {
    struct memo_scenario s;
    struct base_text t = {0};
    long seed;
    if (!command_arguments_number(a, "seed", 0, 1000000000, 0, &seed)) return COMMAND_USAGE;
    memo_scenario_vary((uint64_t)seed, &s);
    memo_new(&s, &t);
    if (a->operands < 2) {
        fputs(t.s, stdout);
        base_text_free(&t);
        return COMMAND_WELL;
    }
    struct base_message m = {0};
    enum base_wrote wrote = base_file_create(a->operand[1], t.s, t.length, &m);
    base_text_free(&t);
    if (wrote == BASE_DIFFERS)
        return command_say_error("'%s' exists already: name a new file", a->operand[1]);
    return wrote == BASE_WROTE ? COMMAND_WELL : command_say_message(&m);
}

static const struct verb verbs[] = {
    {"check", check, " json all ascii "},
    {"new", begin, " seed "},
    {"write", memo_write, " seed ascii "},
    {"edit", memo_edit, " seed "},
    {"export", memo_export, " format executive output "},
};

static int run(const struct arguments *a) {
    return command_verb_run(a, verbs, BASE_COUNT(verbs));
}

static const struct command_option options[] = {
    {"seed", "N", NULL, "new, write, edit: draws another scenario (default: the course's 13B)"},
    {"all", NULL, NULL, "check: also list every recognised figure"},
    {"json", NULL, NULL, "check: every finding and the verdict, as JSON"},
    {"format", "FORMAT", "md|txt|html|pdf",
     "export: file format (default: FILE's ending, else md)"},
    {"executive", NULL, NULL, "export: one page for the person who approves it"},
    {"output", "FILE", NULL, "export: file to write (default: standard output); -o for short"},
    {"ascii", NULL, NULL, "check, write: plain ASCII characters"},
};
static const char *const examples[] = {
    "zerotutor memo new >memo.md",
    "zerotutor memo write memo.md",
    "zerotutor memo check memo.md",
    "zerotutor memo check memo.md --json",
    "zerotutor memo export memo.md --executive -o memo.pdf",
    NULL,
};

const struct command command_memo = {
    .name = "memo",
    .summary = "checks a memo's figures before your lead does",
    .operands = "check|export FILE | new|write|edit [FILE]",
    .operand_choices = "check|new|write|edit|export",
    .least = 1,
    .most = 2,
    .about =
        "A memo is Markdown. Its head declares the configurations, in the words of `mem`'s "
        "options: `Scenario: 13e9 parameters, 8 × A100 80 GB, sequence 2048, micro-batch 1`, "
        "`Recipe: deepspeed` (default: the paper's), `Decision: stage 2`, and one line for each "
        "rejected alternative, such as `Alternative full: stage 1, full checkpointing`. "
        "`Activations: 23 GB [measured: …]` replaces the engine's figure.\n\nThe section "
        "*Figures* is a table of claims, `quantity | configuration | value`. `memo check` judges "
        "each claim like an answer in a lesson. It looks up every other figure in the text and "
        "says what it is. It never calls the text wrong. If a sentence names a quantity and the "
        "engine has another figure for it, `memo check` shows that figure. It asks you to look "
        "at a figure again if it belongs to another configuration, or if a known mistake gives "
        "it. Write `[checked: …]` after the figure to answer. `[measured: …]`, `[source: …]`, "
        "`[assumed: …]` and `[run 12: peak 1.83 GB]` say where a figure comes from.\n\nA memo "
        "passes if the decision fits, every claim holds, no required claim is missing, no "
        "section is empty, and you answered for every figure to look at again.\n\n`memo new` "
        "writes an empty memo, on the course's case or on another one drawn with a "
        "seed.\n\n`memo write` opens a memo next to the engine's view of it, and saves and "
        "checks it as you type. `memo edit` opens it in your own editor ($EDITOR). Without FILE "
        "both open the course's memo in your folder.\n\n`memo export` prints a memo with its "
        "figures marked by the check, the ledgers drawn, and the check itself. `--executive` "
        "prints one page.\n\nThe exit status of `memo check` is 1 if the memo does not pass, and "
        "2 if a line of its head cannot be read.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
