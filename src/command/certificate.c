/* certificate: what the learner has shown, as a page, and as a file that others can verify. */
#include "command/internal.h"

#include "session/session.h"

#include <stdlib.h>
#include <string.h>

static int say_more_operands(const struct arguments *a, size_t most) {
    return command_say_error("'%s' is unexpected: see `zerotutor certificate --help`",
                             a->operand[most]);
}

/* ── how it is shown ───────────────────────────────────────────────────────────────────────────*/
static void print(const struct arguments *a, const json_t *says) {
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    page_put(p, 0, 1, PAGE_TITLE, PAGE_BOLD, "Certificate");
    page_blank(p, 1);
    page_certificate(p, (struct page_flow){.indent = 1, .width = page_width(p) - 2}, says);
    command_terminal_print(p);
}

/* ── of the record ─────────────────────────────────────────────────────────────────────────────*/
/* Prints the record's page. It does not judge answers again: each was judged when it was given. */
static int show_record(const struct arguments *a, struct learner *who) {
    json_t *says = session_certificate(who);
    if (command_arguments_has(a, "json")) return command_say_json(says);
    print(a, says);
    json_decref(says);
    return COMMAND_WELL;
}

/* The file for others has every answer judged again. */
static int save(const struct arguments *a, struct learner *who, const char *file) {
    struct base_message m = {0};
    struct session_certified c;
    bool saved = session_certificate_make(who, &c, &m) &&
                 command_certificate_save(&c, file, command_arguments_has(a, "ascii"), &m);
    if (saved && command_arguments_has(a, "json"))
        command_say_json(json_incref(c.says));
    else if (saved)
        printf("Saved: %s%s\n", file,
               base_json_bool(c.says, "earned", false) ? "" : " (not earned yet)");
    session_certified_free(&c);
    return saved ? COMMAND_WELL : command_say_message(&m);
}

/* What was asked for is kept for the next time. */
static bool set(const struct arguments *a, struct learner *who, struct base_message *m) {
    const char *name = command_arguments_value(a, "name"),
               *dates = command_arguments_value(a, "dates");
    return (!name || session_learner_set_name(who, name, m)) &&
           (!dates || session_learner_show_dates(who, strcmp(dates, "shown") == 0, m));
}

static int show(const struct arguments *a) {
    struct base_message m = {0};
    const char *file = command_arguments_value(a, "output");
    if (file && !command_certificate_ends(file))
        return command_say_error("%s: unknown file ending: use .cert, .txt, .html, .pdf or .md",
                                 file);
    struct learner *who = session_learner_open(command_arguments_value(a, "store"), &m);
    int status = COMMAND_USAGE;
    if (!who || !set(a, who, &m))
        command_say_message(&m);
    else
        status = file ? save(a, who, file) : show_record(a, who);
    if (who) session_learner_close(who);
    return status;
}

/* ── of a file ─────────────────────────────────────────────────────────────────────────────────*/
/* What holds is shown; frees it. */
static int tell(const struct arguments *a, enum session_proven proven, struct session_certified *c,
                const struct base_message *m) {
    int answers = (int)base_json_int(c->says, "answers", 0), status = COMMAND_WELL;
    if (proven != SESSION_HOLDS) {
        command_say_message(m);
        status = proven == SESSION_CHANGED ? COMMAND_FAILED : COMMAND_USAGE;
    } else if (command_arguments_has(a, "json")) {
        status = command_say_json(json_incref(c->says));
    } else {
        printf("Verified: %d answer%s, none changed. Each that can be judged was judged again.\n\n",
               answers, answers == 1 ? "" : "s");
        print(a, c->says);
    }
    session_certified_free(c);
    return status;
}

/* The certificate in a file, and that a page around it is its own. */
static enum session_proven prove(const char *file, struct session_certified *c,
                                 struct base_message *m) {
    enum session_proven proven = session_certificate_verify(file, c, m);
    bool its = proven != SESSION_HOLDS || command_certificate_is_its_page(c, file, m);
    return its ? proven : SESSION_CHANGED;
}

static int verify(const struct arguments *a) {
    struct base_message m = {0};
    struct session_certified c;
    if (a->operands > 2) return say_more_operands(a, 2);
    if (a->operands < 2)
        return command_say_error("verify reads a file: `zerotutor certificate verify FILE.cert`");
    enum session_proven proven = prove(a->operand[1], &c, &m);
    return tell(a, proven, &c, &m);
}

static int countersign(const struct arguments *a) {
    struct base_message m = {0};
    struct session_certified c;
    const char *name = command_arguments_value(a, "name");
    if (a->operands > 2) return say_more_operands(a, 2);
    if (a->operands < 2 || !name)
        return command_say_error("countersign takes a file and a name: `zerotutor certificate "
                                 "countersign FILE.cert --name \"the teacher of sys-26\"`");
    enum session_proven proven = prove(a->operand[1], &c, &m);
    if (proven == SESSION_HOLDS && (!session_certificate_countersign(&c, name, &m) ||
                                    !command_certificate_save(&c, a->operand[1], false, &m)))
        proven = SESSION_REFUSED;
    return tell(a, proven, &c, &m);
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
static const struct verb verbs[] = {
    {"verify", verify, " json ascii "},
    {"countersign", countersign, " name json ascii "},
};

static int run(const struct arguments *a) {
    return a->operands == 0 ? show(a) : command_verb_run(a, verbs, BASE_COUNT(verbs));
}

static const struct command_option options[] = {
    {"output", "FILE", NULL,
     "saves it; FILE ends in .cert, .txt, .html, .pdf or .md; -o for short"},
    {"name", "NAME", NULL, "the name on the certificate, or of whoever countersigns"},
    {"dates", "shown|hidden", "shown|hidden", "whether pages show days; saved, as the name is"},
    {"json", NULL, NULL, "prints JSON"},
    {"ascii", NULL, NULL, "uses plain ASCII characters"},
    {"store", "FILE", NULL, "reads the record in this file"},
};
static const char *const examples[] = {
    "zerotutor certificate",
    "zerotutor certificate --name \"Ada Lovelace\" -o ada.cert",
    "zerotutor certificate --dates hidden -o ada.pdf",
    "zerotutor certificate verify ada.cert",
    "zerotutor certificate countersign ada.cert --name \"the teacher of sys-26\"",
    NULL,
};

const struct command command_certificate = {
    .name = "certificate",
    .summary = "says what you have shown, so that others can verify it",
    .operands = "[verify FILE | countersign FILE]",
    .operand_choices = "verify|countersign",
    .least = 0,
    .most = OPERANDS_MOST,
    .about =
        "You earn a certificate once you have passed the check of every phase, a memo has passed, "
        "and your estimate for today is at least 70% in every area that you tried. Until then the "
        "command says what is missing and what to do next. A certificate lists first tries that "
        "were right, today's estimate, hints, what was skipped, and the memo's case.\n\n"
        "A saved file carries all of your answers as you typed them, but not your notes and "
        "bookmarks. FILE.cert has only the answers. A page in text has them below it, and a page "
        "in HTML, PDF or Markdown hides them. `certificate verify` needs no record of yours: it "
        "checks that each answer is chained to the one before, judges every answer again with the "
        "engine, and draws the numbers of its question again from the lesson. If an answer, the "
        "name, the date, a countersignature or a line of the page was edited, or if an answer was "
        "removed or moved, it says which and exits with 1. It refuses a file that was cut off, "
        "that a newer zerotutor wrote, or that is not a certificate, and exits with 2.\n\n"
        "It does not prove who typed the answers, nor that none was left out. `certificate "
        "countersign` adds a name and today's date below the file. That is a typed name: it "
        "proves no identity. To know that a page and a file belong together, compare their "
        "fingerprints.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .rare = true,
    .run = run,
};
