/* memo: a new memo, and the check of one. */
#include "command/memo.h"

#include "session/session.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

/* A file may be larger than what is read of a memo: then the check says so. */
enum { FILE_MOST = 64 << 20 };

char *command_memo_file(const char *path, size_t *length) {
    struct base_message m = {0};
    char *text = base_file_read(path, FILE_MOST, length, &m);
    if (!text) command_say_message(&m);
    return text;
}

/* With the learner's runs and the lessons' myths. */
bool command_memo_held(const char *text, size_t length, struct memo_report *r,
                       struct base_message *m) {
    struct desk *d =
        session_desk_open(NULL, NULL); /* without one neither runs nor myths are known */
    struct memo_context *with = session_checks(d);
    bool read = memo_read(text, length, with, r, m);
    session_checks_free(with);
    session_desk_close(d);
    return read;
}

static int check(const struct arguments *a) {
    struct memo_report r;
    struct base_message m = {0};
    size_t length;
    if (a->operands < 2) return command_say_error("which memo? `zerotutor memo check FILE`");
    char *text = command_memo_file(a->operand[1], &length);
    if (!text) return COMMAND_USAGE;
    bool read = command_memo_held(text, length, &r, &m);
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
        return command_say_error("'%s' is there already: name a file that is not", a->operand[1]);
    return wrote == BASE_WROTE ? COMMAND_WELL : command_say_message(&m);
}

static const struct verb verbs[] = {
    {"check",  check,               " json all ascii "         },
    {"new",    begin,               " seed "                   },
    {"write",  command_memo_write,  " seed ascii "             },
    {"edit",   command_memo_edit,   " seed "                   },
    {"export", command_memo_export, " format executive output "},
};

static int run(const struct arguments *a) {
    return command_verb_run(a, verbs, BASE_COUNT(verbs));
}

static const struct command_option options[] = {
    {"seed",      "N",      NULL,          "new, write, edit: another scenario than the course's 13B"   },
    {"all",       NULL,     NULL,          "check: also every figure that was recognised"               },
    {"json",      NULL,     NULL,          "check: every finding and the verdict, as JSON"              },
    {"format",    "FORMAT", "md|html|pdf", "export: md unless told, or as FILE's name ends"             },
    {"executive", NULL,     NULL,          "export: one page for whoever signs it off"                  },
    {"output",    "FILE",   NULL,          "export: writes there; else to standard output; -o for short"},
    {"ascii",     NULL,     NULL,          "check, write: plain ASCII characters"                       },
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
        "A memo is Markdown. Its head declares the configurations, in the words of the options "
        "of `mem`: `Scenario: 13e9 parameters, 8 × A100 80 GB, sequence 2048, micro-batch 1`, "
        "`Recipe: deepspeed` (the paper's otherwise), `Decision: stage 2`, and one line for each "
        "alternative that was rejected, `Alternative full: stage 1, full checkpointing`. "
        "`Activations: 23 GB [measured: …]` takes the place of the engine's.\n\n"
        "The section *Figures* is a table of claims, `quantity | configuration | value`. `memo "
        "check` judges each of them as an answer in a lesson. It looks every other figure of the "
        "text up and says what it is. It never calls the text wrong, but it shows a figure to "
        "look at again if that is another configuration's, or what a known mistake makes of the "
        "one that the sentence names. `[checked: …]` behind the figure answers that; "
        "`[measured: …]`, `[source: …]`, `[assumed: …]` and `[run 12: peak 1.83 GB]` say where a "
        "figure is from.\n\n"
        "A memo passes if the decision fits, every claim holds, the claims asked for are there, "
        "each section says something, and every figure to look at again is answered.\n\n"
        "`memo new` writes an empty memo, on the course's case or on another by seed.\n\n"
        "`memo write` opens one beside what the engine says of it, saved and checked as you "
        "type; `memo edit` opens it in your own editor ($EDITOR). Without FILE it is the memo of "
        "the course, in your folder.\n\n"
        "`memo export` prints a memo with its figures marked as the check found them, with the "
        "ledgers drawn, and with the check itself; `--executive` is one page of it.\n\n"
        "The exit status of `memo check` is 1 if the memo does not pass, 2 if a line of its head "
        "cannot be read.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
