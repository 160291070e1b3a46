/* certificate: what the learner has shown, as a page, and as a file that others can verify. */
#include "command/export.h"

#include "session/session.h"

#include <stdlib.h>
#include <string.h>

static int say_more_operands(const struct arguments *a, size_t most) {
    return command_say_error("'%s' is unexpected: see `zerotutor certificate --help`",
                             a->operand[most]);
}

/* ── how it is written ─────────────────────────────────────────────────────────────────────────*/
static char *draw(const json_t *says, bool ascii) {
    struct page *p = page_new(80, ascii);
    page_put(p, 0, 1, PAGE_TITLE, 0, "Certificate");
    page_blank(p, 1);
    page_certificate(p, (struct page_flow){.indent = 1, .width = 78}, says);
    char *text = page_to_text(p);
    page_free(p);
    return text;
}

static void print(const struct arguments *a, const json_t *says) {
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    page_put(p, 0, 1, PAGE_TITLE, PAGE_BOLD, "Certificate");
    page_blank(p, 1);
    page_certificate(p, (struct page_flow){.indent = 1, .width = page_width(p) - 2}, says);
    command_terminal_print(p);
}

static bool save_text(const json_t *says, const char *file, bool ascii, struct base_message *m) {
    char *text = draw(says, ascii);
    bool saved = base_file_write(file, text, strlen(text), m);
    free(text);
    return saved;
}

static bool save_book(const json_t *says, const struct export_way *w, struct base_message *m) {
    struct export_book b;
    char *words = page_certificate_words(says);
    command_export_book_open(&b, 0);
    free(b.colophon); /* no number of it is drawn */
    b.colophon = base_format("zerotutor %s", command_version);
    b.title = base_dup("Certificate");
    b.about = base_dup("ZeRO: which stage, what it saves, what it costs");
    command_export_text(b.body, words);
    bool saved = command_export_print(&b, EXPORT_BODY, w, m);
    command_export_book_free(&b);
    free(words);
    return saved;
}

/* By what the file's name ends in. */
static const struct ending {
    const char *ending;
    /* of a printed page; NULL: the certificate itself, or its page as text */
    const char *format;
    bool text;
} endings[] = {
    {".cert", NULL, false},  {".txt", NULL, true},   {".html", "html", false},
    {".htm", "html", false}, {".pdf", "pdf", false}, {".md", "md", false},
};

static const struct ending *find_ending(const char *file) {
    const char *dot = strrchr(file, '.');
    for (size_t i = 0; dot && i < BASE_COUNT(endings); i++)
        if (strcmp(dot, endings[i].ending) == 0) return &endings[i];
    return NULL;
}

static const struct ending *ending_of(const char *file) {
    const struct ending *e = find_ending(file);
    if (!e)
        command_say_error("%s: unknown file ending: use .cert (the file that can be verified), "
                          ".txt, .html, .pdf or .md",
                          file);
    return e;
}

bool command_certificate_print(const json_t *says, const char *file, bool ascii,
                               struct base_message *m) {
    const struct ending *e = find_ending(file);
    if (!e || e->text) return save_text(says, file, ascii, m);
    return save_book(says, &(struct export_way){e->format, NULL, file}, m);
}

static bool save(const struct arguments *a, const struct ending *e, const char *text, size_t n,
                 const json_t *says, struct base_message *m) {
    const char *file = command_arguments_value(a, "output");
    return e->text || e->format
               ? command_certificate_print(says, file, command_arguments_has(a, "ascii"), m)
               : base_file_write(file, text, n, m);
}

/* ── of the record ─────────────────────────────────────────────────────────────────────────────*/
static int make(const struct arguments *a, struct learner *who, const struct ending *e) {
    struct base_message m = {0};
    json_t *says;
    size_t n;
    char *text = session_certificate_make(who, &n, &says, &m);
    bool done = text && (!e || save(a, e, text, n, says, &m));
    if (done && command_arguments_has(a, "json"))
        command_say_json(json_incref(says));
    else if (done && !e)
        print(a, says);
    else if (done)
        printf("Saved: %s%s\n", command_arguments_value(a, "output"),
               base_json_bool(says, "earned", false) ? "" : " (not earned yet)");
    json_decref(says);
    free(text);
    return done ? COMMAND_WELL : command_say_message(&m);
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
    const struct ending *e = file ? ending_of(file) : NULL;
    if (file && !e) return COMMAND_USAGE;
    struct learner *who = session_learner_open(command_arguments_value(a, "store"), &m);
    int status = who && set(a, who, &m) ? make(a, who, e) : command_say_message(&m);
    if (who) session_learner_close(who);
    return status;
}

/* ── of a file ─────────────────────────────────────────────────────────────────────────────────*/
static int tell(const struct arguments *a, enum session_proven proven, json_t *says,
                const struct base_message *m) {
    if (!says || proven != SESSION_HOLDS) {
        json_decref(says);
        command_say_message(m);
        return proven == SESSION_CHANGED ? COMMAND_FAILED : COMMAND_USAGE;
    }
    if (command_arguments_has(a, "json")) return command_say_json(says);
    int answers = (int)base_json_int(says, "answers", 0);
    printf("Verified: %d answer%s, none changed. Each that can be judged was judged again.\n\n",
           answers, answers == 1 ? "" : "s");
    print(a, says);
    json_decref(says);
    return COMMAND_WELL;
}

static int verify(const struct arguments *a) {
    struct base_message m = {0};
    json_t *says = NULL;
    if (a->operands > 2) return say_more_operands(a, 2);
    if (a->operands < 2)
        return command_say_error("verify reads a file: `zerotutor certificate verify FILE.cert`");
    enum session_proven proven = session_certificate_verify(a->operand[1], &says, &m);
    return tell(a, proven, says, &m);
}

static int countersign(const struct arguments *a) {
    struct base_message m = {0};
    json_t *says = NULL;
    const char *name = command_arguments_value(a, "name");
    if (a->operands > 2) return say_more_operands(a, 2);
    if (a->operands < 2 || !name)
        return command_say_error("countersign takes a file and a name: `zerotutor certificate "
                                 "countersign FILE.cert --name \"the teacher of sys-26\"`");
    enum session_proven proven = session_certificate_countersign(a->operand[1], name, &says, &m);
    return tell(a, proven, says, &m);
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
    {"name", "NAME", NULL, "the name that it is made out to, or that countersigns"},
    {"dates", "shown|hidden", "shown|hidden",
     "whether pages show days; it is kept, as the name is"},
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
        "A certificate is earned when the check of every phase is passed, no skill that you tried "
        "has a chance below 70% today, and a memo passed. Until then it says what is missing and "
        "what "
        "to do next. It lists first tries that were right, today's estimate, hints, what was "
        "skipped, and the memo's case.\n\n"
        "The file FILE.cert carries all of your answers as you typed them, notes to yourself "
        "and bookmarks not among them. `certificate verify` needs no record of yours: it "
        "checks that each answer is chained to the one before, judges every answer again with "
        "the engine, and draws the numbers of its question again from the lesson. If one answer "
        "was edited, it names that answer and exits with 1. It "
        "refuses a file that was cut off, that a newer zerotutor wrote, or that is not a "
        "certificate, and exits with 2.\n\n"
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
