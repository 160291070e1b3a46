/* finding: terms, questions, steps, labs and commands, looked up by their words. */
#ifndef SESSION_FINDING_H
#define SESSION_FINDING_H

#include "session/learner.h"

/* ── what can be looked up ───────────────────────────────────────────────────────────────────────
 * Terms and questions lie in files next to the lessons (lessons/glossary.lua, questions.lua), which
 * are read once; steps, myths and cards in lessons; bookmarks and notes in the record. */
enum session_kind {
    SESSION_TERM,
    SESSION_QUESTION,
    /* as a whole; also a review or a check of a phase */
    SESSION_LESSON,
    SESSION_STEP,
    SESSION_MYTH,
    /* of a lesson that was gone through */
    SESSION_CARD,
    SESSION_BOOKMARK,
    SESSION_NOTE,
    SESSION_LAB,
    /* a subcommand, or what a key opens */
    SESSION_COMMAND,
    SESSION_KINDS
};
/* "term", "question", "step" … */
const char *session_kind_name(enum session_kind k);
enum session_book { SESSION_GLOSSARY, SESSION_QUESTIONS, SESSION_BOOKS };
/* The entries as their file has them, with their texts filled (lua/book.lua); the learner's. NULL
 * with the message filled if the file cannot be read. */
const json_t *session_book(struct learner *who, enum session_book b, struct base_message *m);
/* The same as its file is now; the caller's reference. `who` may be NULL. */
json_t *session_book_read(struct learner *who, enum session_book b, struct base_message *m);

/* Whether anything that a lesson of the course shows, its own file or the glossary, would have to
 * be run when it opens; runs one of them. Then the lesson opens at once. */
bool session_first_waits(struct learner *who, size_t lesson);
void session_first_read(struct learner *who, size_t lesson);

/* The subcommands, and what only a key opens, which the program tells before it looks any up;
 * borrowed. */
struct session_command {
    /* "mem", what it does in one line, and in Markdown */
    const char *name, *summary, *about;
    /* NULL: "zerotutor" and its name */
    const char *title;
};
void session_learner_set_commands(struct learner *who, const struct session_command *command,
                                  size_t count);

/* Something to read that leads somewhere. */
struct session_entry {
    enum session_kind kind;
    char *name, *title;
    /* Markdown */
    char *text;
    /* or NULL */
    json_t *figure;
    /* the terms that belong to it, or NULL */
    json_t *related;
    /* the lesson that teaches it, and the step; NULL: none, or the whole lesson */
    char *lesson, *step;
};
/* Opens a term (by any of its words), a question (by its id or number), a lesson (by its number), a
 * card ("1.3/id"), a lab or a command. `brief`: without formulas and their numbers, which may be
 * the answer to an open question. NULL with the message filled if there is none. Freed by
 * session_entry_close(). */
struct session_entry *session_entry_open(struct learner *who, enum session_kind kind,
                                         const char *name, bool brief, struct base_message *m);
void session_entry_close(struct session_entry *e);
/* "1.3  Three things are replicated …", the caller's; NULL if it leads to no lesson. */
char *session_entry_leads(struct learner *who, const struct session_entry *e);

struct session_hit {
    enum session_kind kind;
    /* of a term, a question, a card, a lab or a command: what opens it */
    const char *name;
    /* "shard", a step's own title, a card's front … */
    const char *title;
    /* where it is: "1.3 step 4" */
    const char *place;
    /* one line of plain text around the words */
    const char *excerpt;
    /* where it leads: ids; NULL: nowhere, or to the whole lesson */
    const char *lesson, *step;
};
struct session_query {
    /* blanks between; "": everything of these kinds, if they are not all kinds */
    const char *words;
    /* a bit for each session_kind; 0: all */
    unsigned kinds;
    /* leave out lessons that were not read yet, which takes some milliseconds each */
    bool at_once;
    /* excerpts are whole sentences; else a line that fits a screen */
    bool whole;
};
/* Every entry that openly says all the words (case-insensitive): first the lesson, review or check
 * with this number, or the lab of this name, then those whose title says them.
 * Hints, reveals and model answers are left out, and so are the cards of lessons that were not gone
 * through. Lessons are run as needed, and again only when their file changed; one that fails is
 * passed over. The strings live during the call of `each`. */
void session_search(struct learner *who, const struct session_query *q,
                    void (*each)(void *to, const struct session_hit *h), void *to);
/* Whether lessons wait to be read for searches; reads the next of them. */
bool session_search_waits(const struct learner *who);
void session_search_read(struct learner *who);

#endif
