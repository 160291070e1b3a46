/* look: glossary, search, notes and questions, from the shell. */
#include "command/internal.h"

#include "linear/linear.h"

#include <stdlib.h>
#include <string.h>

/* What a key opens on the full screen, and no command does. */
static const struct session_command screens[] = {
    {"settings", "changes the theme, colours, motion, the streak and more",
     "Press `S` on the full screen, wherever you are not typing. There you change the theme, "
     "characters, colour, motion and the mouse, the hour at which a day begins, and whether home "
     "shows your streak.",
     "Settings"},
    {"case of the week", "asks what you would say to a real complaint",
     "Press `C` on the home screen, or line by line type `case`. Each week brings another "
     "complaint about a training. You say what you ask first, and which figure settles it. It is "
     "never graded.",
     "Case of the week"},
    {"suspended", "takes back what `z` left out of reviews",
     "Press `Z` on the home screen, or line by line type `suspended`. It lists the questions that "
     "you suspended, and Enter takes one back. `zerotutor review --suspended` lists them, too.",
     "Suspended questions"},
};

struct session_command *command_told(const struct command_set *set, size_t *count) {
    struct session_command *told = NULL;
    *count = set->commands + BASE_COUNT(screens);
    told = base_grow(told, *count, sizeof *told);
    for (size_t i = 0; i < set->commands; i++) {
        const struct command *c = set->command[i];
        told[i] = (struct session_command){c->name, c->summary, c->about, NULL};
    }
    memcpy(told + set->commands, screens, sizeof screens);
    return told;
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
/* All operands, a blank between; the caller's. */
static char *words_of(const struct arguments *a) {
    struct base_text t = {0};
    for (size_t i = 0; i < a->operands; i++)
        base_text_printf(&t, "%s%s", i ? " " : "", a->operand[i]);
    return base_text_take(&t);
}

/* The same lines that linear mode prints. */
static int print_found(const struct arguments *a, const char *word) {
    size_t commands;
    struct session_command *told = command_told(a->set, &commands);
    struct linear_options o = {
        .store = command_arguments_value(a, "store"),
        .ascii = command_terminal_ascii(a),
        .width = command_terminal_columns(),
        .colours = command_arguments_has(a, "no-colour") ? 0 : command_terminal_colours(),
        .words = command_arguments_has(a, "words"),
        .command = told,
        .commands = commands};
    char *words = words_of(a), *line = base_format("%s %s", word, words);
    int status = linear_print_found(&o, line, stdout);
    free(line);
    free(words);
    free(told);
    return status;
}

/* ── as JSON ───────────────────────────────────────────────────────────────────────────────────*/
static void add_hit(void *to, const struct session_hit *h) {
    json_array_append_new(to,
                          json_pack("{ss ss ss ss ss ss* ss*}", "kind", session_kind_name(h->kind),
                                    "name", h->name, "title", h->title, "place", h->place,
                                    "excerpt", h->excerpt, "lesson", h->lesson, "step", h->step));
}

static json_t *hits_json(const struct arguments *a, struct learner *who) {
    size_t commands;
    struct session_command *told = command_told(a->set, &commands);
    session_learner_set_commands(who, told, commands);
    char *words = words_of(a);
    json_t *hits = json_array();
    session_search(who, &(struct session_query){.words = words}, add_hit, hits);
    free(words);
    session_learner_set_commands(who, NULL, 0);
    free(told);
    return json_pack("{so}", "hits", hits);
}

static void add_note(void *to, const struct store_note *n) {
    bool note = n->kind == STORE_NOTE;
    json_array_append_new(to, json_pack("{ss sI ss ss ss ss*}", "kind", note ? "note" : "bookmark",
                                        "time", (json_int_t)n->when, "lesson", n->lesson, "step",
                                        n->step, "title", n->title, "text", note ? n->text : NULL));
}

static json_t *notes_json(const struct arguments *a, struct learner *who) {
    json_t *notes = json_array();
    (void)a;
    store_notes(session_learner_store(who), NULL, NULL, add_note, notes, NULL);
    return json_pack("{so}", "notes", notes);
}

/* One entry, or all. */
static json_t *book_json(const struct arguments *a, struct learner *who, enum session_book b,
                         enum session_kind kind, const char *key) {
    char *name = words_of(a);
    struct session_entry *e = *name ? session_entry_open(who, kind, name, false, NULL) : NULL;
    json_t *all = json_array(), *entry;
    size_t i;
    json_array_foreach(session_book(who, b, NULL), i, entry) {
        bool same = e && strcmp(base_json_text(entry, b == SESSION_GLOSSARY ? "term" : "id", ""),
                                e->name) == 0;
        if (!*name || same) json_array_append(all, entry);
    }
    session_entry_close(e);
    free(name);
    return json_pack("{so}", key, all);
}

static json_t *glossary_json(const struct arguments *a, struct learner *who) {
    return book_json(a, who, SESSION_GLOSSARY, SESSION_TERM, "terms");
}

static json_t *questions_json(const struct arguments *a, struct learner *who) {
    return book_json(a, who, SESSION_QUESTIONS, SESSION_QUESTION, "questions");
}

/* What an entry of a book is called on the command line. */
struct sought {
    enum session_kind kind;
    const char *advice;
};

/* Questions have numbers, of which none is near another. */
struct near {
    struct nearest nearest;
    char *name;
};

static void try_name(void *to, const struct session_hit *h) {
    struct near *n = to;
    if (h->kind != SESSION_TERM || !command_nearest_try(&n->nearest, h->name)) return;
    free(n->name);
    n->name = base_dup(h->name);
}

/* Whether there is an entry of this name; else says which one is near. */
static bool is_known(struct learner *who, const char *name, const struct sought *sought) {
    struct base_message m = {0};
    struct session_entry *e = session_entry_open(who, sought->kind, name, false, &m);
    struct near near = {.nearest = {.word = name}};
    bool known = e != NULL;
    session_entry_close(e);
    if (known) return true;
    session_search(who, &(struct session_query){.words = "", .kinds = 1u << sought->kind}, try_name,
                   &near);
    command_say_unknown(session_kind_name(sought->kind), name, near.name, sought->advice);
    free(near.name);
    return false;
}

/* `sought`: an operand names an entry; NULL: operands are words. */
static int run(const struct arguments *a, const char *word, const struct sought *sought,
               json_t *(*as_json)(const struct arguments *a, struct learner *who)) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(command_arguments_value(a, "store"), &m);
    if (!who) return command_say_message(&m);
    char *name = words_of(a);
    bool known = !sought || !*name || is_known(who, name, sought);
    json_t *json = known && command_arguments_has(a, "json") ? as_json(a, who) : NULL;
    free(name);
    session_learner_close(who);
    if (!known) return COMMAND_USAGE;
    if (!json) return print_found(a, word);
    size_t found = json_array_size(json_object_iter_value(json_object_iter(json)));
    command_say_json(json);
    return found > 0 || a->operands == 0 ? COMMAND_WELL : COMMAND_FAILED;
}

/* ── the commands ──────────────────────────────────────────────────────────────────────────────*/
static const struct command_option options[] = {
    {"words", NULL, NULL, "says figures in sentences"},
    {"ascii", NULL, NULL, "plain ASCII characters"},
    {"store", "FILE", NULL, "reads your record in this file"},
    {"json", NULL, NULL, "prints JSON"},
};

static int glossary_run(const struct arguments *a) {
    static const struct sought term = {SESSION_TERM, "run `zerotutor glossary` for a list"};
    return run(a, ":glossary", &term, glossary_json);
}
static int search_run(const struct arguments *a) {
    return run(a, ":search", NULL, hits_json);
}
static int notes_run(const struct arguments *a) {
    return run(a, ":notes", NULL, notes_json);
}
static int questions_run(const struct arguments *a) {
    static const struct sought question = {SESSION_QUESTION,
                                           "run `zerotutor questions` for a list"};
    return run(a, ":questions", &question, questions_json);
}

static const char *const glossary_examples[] = {
    "zerotutor glossary",
    "zerotutor glossary all-gather",
    NULL,
};
const struct command command_glossary = {
    .name = "glossary",
    .summary = "explains a term, with its formula and numbers",
    .operands = "[TERM]",
    .most = OPERANDS_MOST,
    .about = "Says what a term means, its formula with the engine's numbers, the terms that "
             "belong to it, and the lesson that teaches it. Without TERM it lists all terms.",
    .examples = glossary_examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = glossary_run,
};

static const char *const search_examples[] = {
    "zerotutor search all-gather",
    "zerotutor search out of memory",
    "zerotutor search 1c",
    NULL,
};
const struct command command_search = {
    .name = "search",
    .summary = "searches lessons, terms, questions, notes, labs and commands",
    .operands = "WORDS",
    .least = 1,
    .most = OPERANDS_MOST,
    .about = "Lists every entry that has all the words: lessons, terms, questions that people ask, "
             "steps of lessons by their titles, myths, cards of the lessons that you finished, "
             "your bookmarks and notes, labs and commands. The lesson, review or check with the "
             "number that you type comes first, or the lab with that name, then entries whose "
             "title has the words. The exit status "
             "is 1 if nothing is found.",
    .examples = search_examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = search_run,
};

static const char *const notes_examples[] = {
    "zerotutor notes",
    "zerotutor notes --json",
    NULL,
};
const struct command command_notes = {
    .name = "notes",
    .rare = true,
    .summary = "lists your bookmarks and notes",
    .operands = "",
    .about = "Lists the bookmarks and notes that you keep at steps of lessons, the latest first. "
             "In a lesson `b` sets a bookmark and `A` writes a note. They are kept in your "
             "record.",
    .examples = notes_examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = notes_run,
};

static const char *const questions_examples[] = {
    "zerotutor questions",
    "zerotutor questions 4",
    NULL,
};
const struct command command_questions = {
    .name = "questions",
    .rare = true,
    .summary = "answers questions that people ask, each with a figure",
    .operands = "[N]",
    .most = 1,
    .about = "Answers a question that people ask about ZeRO in a paragraph and a figure, and names "
             "the lesson that teaches it. Without N it lists the questions.",
    .examples = questions_examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = questions_run,
};
