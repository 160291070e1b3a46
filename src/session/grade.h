/* grade.h: what the files that grade a class share. Private to session. */
#ifndef SESSION_GRADE_H
#define SESSION_GRADE_H

#include "session/grading.h"
#include "session/inside.h"

enum session_doubt {
    SESSION_DOUBT_UNREAD,
    SESSION_DOUBT_HEAD,
    SESSION_DOUBT_NEWER,
    SESSION_DOUBT_CHANGED,
    SESSION_DOUBT_FAILED,
    SESSION_DOUBT_GONE,
    SESSION_DOUBT_TWICE,
    SESSION_DOUBT_NUMBERS,
    SESSION_DOUBT_VERDICT,
    SESSION_DOUBT_OTHERS,
    SESSION_DOUBT_MISSING,
    SESSION_DOUBT_CLOCK,
    SESSION_DOUBT_FAST,
    SESSION_DOUBT_REVISION,
    SESSION_DOUBT_TORN,
    SESSION_DOUBTS
};
/* Adds what was found to a list; `answer`: from 1, or 0. */
void session_grade_list(json_t *listed, enum session_doubt kind, size_t answer, const char *format,
                        ...) BASE_PRINTF(4, 5);

struct session_grader {
    const struct classroom_folder *f;
    const struct classroom_settings *s;
    struct session_judge *judge;
    const json_t *collected;
    /* questions that were read, for session_proof_take_handin() */
    json_t *known;
    /* ids of what counts: "1.1/ddp-7b" → true */
    const json_t *items;
};
/* Whether answers to this item give points. */
static inline bool session_grades(const struct session_grader *g, const char *item) {
    return json_object_get(g->items, item) != NULL;
}

/* A number that was typed, for the comparison with those of others. */
struct session_number {
    /* of item, line and try */
    uint64_t key;
    /* base units */
    double value;
    /* from 1; and whose, by the place of the hand-in */
    uint32_t answer, who;
    bool right;
};
struct session_graded {
    /* a member of "learners" without its lessons; NULL: not graded yet */
    json_t *says;
    struct session_number *number;
    size_t numbers;
};
/* handed.c: judges the kept hand-in of this name. `rows`: kept/HEX.judged. Both are the caller's.
 */
void session_grade_handin(const struct session_grader *g, const char *hex,
                          struct session_graded *out, struct base_text *rows);
/* farm.c: the same for all names, in child processes: out[i] of name[i]. */
void session_grade_farm(const struct session_grader *g, const struct session_grading_limits *limits,
                        const char *const *name, size_t n, struct session_graded *out);

/* together.c: the learners of a class, in the order of their accounts; those of one account become
 * one, which has "others", its further hand-ins. What is given is changed. The caller's. */
json_t *session_together(const struct classroom_settings *s, const json_t *learners);

/* feedback.c: writes feedback/HEX.json of an account; NULL: of everybody. False with the message
 * filled. */
bool session_feedback_give(const struct classroom_folder *f, const struct classroom_settings *s,
                           const json_t *grades, const char *account, struct base_message *m);

/* grades.c: the hash of what was collected, which the grades keep. */
void session_grades_mark(const json_t *collected, char out[HASH_HEX]);
/* grades.c: writes JSON to a file of the class. False with the message filled. */
bool session_grades_write(const struct classroom_folder *f, enum classroom_place p,
                          const char *name, mode_t mode, const json_t *json,
                          struct base_message *m);

#endif
