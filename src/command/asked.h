/* The training that mem, traffic, plan and whose are asked about: its flags are the engine's
 * fields, and --config. */
#ifndef COMMAND_ASKED_H
#define COMMAND_ASKED_H

#include "command/report.h"

enum { ASKED_STAGES = 4, ASKED_RECIPES = 32, ASKED_NOTES = 10 };

struct asked_note {
    /* the field that was filled in; NULL: a remark */
    const char *assumed;
    char text[200];
};
struct asked {
    /* its stage is the first that was asked for */
    struct account_training training;
    /* bit i: field i of account_fields() was given */
    uint64_t given;
    /* one stage, not all */
    bool stage_given;
    /* asked for; of all, those that the recipe and the other flags allow */
    size_t stages;
    uint8_t stage[ASKED_STAGES];
    /* what was assumed, what has nothing to do */
    size_t notes;
    struct asked_note note[ASKED_NOTES];
};

/* Reads and checks the flags. False after the message was printed. */
bool command_asked_read(const struct arguments *a, struct asked *out);
/* The training under stage `i` of those asked for. */
struct account_training command_asked_stage(const struct asked *asked, size_t i);
/* Prints what the engine refused, the field as its flag. Returns COMMAND_USAGE. */
int command_asked_error(const struct account_error *e);
/* False, after the message was printed, if --json, --csv and --explain are asked for in a way that
 * says nothing. */
bool command_asked_form(const struct arguments *a);
/* A page for the answer, as the terminal and --ascii have it; with --words it is said in sentences.
 * The caller owns it. */
struct page *command_asked_page(const struct arguments *a);

/* ── assumptions and remarks (asked_notes.c) ───────────────────────────────────────────────────*/
/* False, after the message was printed, if two flags contradict each other. */
bool command_asked_agrees(const struct arguments *a);
/* Fills in the node where it was not said, and `note`. */
void command_asked_find_notes(const struct arguments *a, struct asked *out);
/* One more: of a field that was filled in, or (NULL) a remark. */
void command_asked_add(struct asked *out, const char *field, const char *format, ...)
    BASE_PRINTF(3, 4);
/* As small print. */
void command_asked_put_notes(const struct asked *q, struct page *p);
/* As "assumed", an object by field, and "notes". */
void command_asked_add_notes(const struct asked *q, json_t *json);

#endif
