/* proof.h: what the files share that read and write the answers of a certificate. Private to
 * session. */
#ifndef SESSION_PROOF_H
#define SESSION_PROOF_H

#include "session/inside.h"

/* ── of the file ───────────────────────────────────────────────────────────────────────────────*/
enum { PROOF_FORMAT = 3, PROOF_ANSWERS_MOST = 1000000, PROOF_NAME_MOST = 200 };
#define PROOF_TABLE    "answer"
#define PROOF_QUESTION "question"
#define PROOF_ASKED    "asked"

/* ── rows (proof.c) ────────────────────────────────────────────────────────────────────────────*/
enum proof_column {
    PROOF_ID,
    PROOF_TIME,
    PROOF_ITEM,
    PROOF_LINE,
    PROOF_TRY,
    PROOF_SEED,
    PROOF_PROBLEM,
    PROOF_TYPED,
    PROOF_VALUE,
    PROOF_VERDICT,
    PROOF_MISTAKE,
    PROOF_HINTS,
    PROOF_SECONDS,
    PROOF_ENGINE,
    PROOF_COLUMNS
};

/* Takes the places of the columns from the row with their names. */
bool session_proof_columns(struct session_proof *p, const json_t *head, struct base_message *m);
const json_t *session_proof_cell(const struct session_proof *p, const json_t *row,
                                 enum proof_column c);
/* [text, the same as JSON or null], the caller's. */
json_t *session_proof_question(json_t *text);
/* The question of a row, so, read and kept once; NULL if the row has no text there. */
json_t *session_proof_question_of(const struct session_proof *p, const json_t *row);
/* Adds an answer. Takes ownership of the question. False if `row` is not a row of answers. */
bool session_proof_row(struct session_proof *p, const json_t *row, json_t *question, int64_t day);

#endif
