/* grading: the hand-ins of a class, judged again by the engine. Each is read and judged by a child
 * process with limits, so that one that was made to harm stops no other. What is found is listed:
 * it accuses nobody. */
#ifndef SESSION_GRADING_H
#define SESSION_GRADING_H

#include "session/membership.h"

#define SESSION_GRADES       "grades.json" /* in kept/ */
#define SESSION_JUDGED       ".judged"     /* kept/HEX.judged: its answers, a line of JSON each */
#define SESSION_FEEDBACK_END ".json"       /* feedback/HEX.json */

struct session_grading_limits {
    /* processor time and wall-clock time of one hand-in; 0: 60 and 300 */
    int cpu_seconds, seconds;
    /* 0: 1 GiB */
    uint64_t bytes;
    /* 0: one per core */
    int processes;
};
/* Grades everything that was collected, and writes kept/grades.json, kept/HEX.judged and
 * feedback/HEX.json. The grades, the caller's:
 *
 *     {"zerotutor":"grades","format":1,"class":ID,"name","at":T,"course":SHA-256,
 *      "collected":SHA-256 of what was collected,"answers":N,
 *      "lessons":[{"id","title","items":["ddp-7b",…]}],
 *      "learners":[{"account","with"?,"handin","others"?,"answers","last","lessons":[{"id",
 *         "points","of","late"}],"items":[{"item","time","points","right","late","tries","missing",
 *         "try","hints","seconds","mistake"?}],"listed":[{"kind","answer"?,"says"}]}]}
 *
 * "others" are further hand-ins of the same account, which are graded together with the first.
 *
 * NULL with the message filled. */
json_t *session_class_grade(const struct classroom_folder *f, const struct classroom_settings *s,
                            const struct session_grading_limits *limits, struct base_message *m);
/* What was graded last; NULL with the message filled. */
json_t *session_class_grades(const struct classroom_folder *f, struct base_message *m);
/* The same, of all that was collected: NULL with the message, too, if there is more by now. */
json_t *session_class_grades_now(const struct classroom_folder *f, struct base_message *m);
/* The judged hand-ins of a learner in the grades, from 0; NULL past the last. Borrowed. */
const char *session_grades_handin(const json_t *learner, size_t i);
/* The memos that were handed in with what was graded last, the latest of each hand-in: a memo is
 * handed in whenever it is checked in its lesson. [{"account","with","handin","item","text",
 * "time"}], the caller's; NULL with the message filled. Their texts are not checked. */
json_t *session_class_memos(const struct classroom_folder *f, struct base_message *m);
/* Keeps what the teacher says to the learner of an account ("" takes it back), and gives them
 * feedback again. False with the message filled. */
bool session_class_remark(const struct classroom_folder *f, const struct classroom_settings *s,
                          const char *account, const char *text, struct base_message *m);
/* The feedback of the class that the learner is in, which must be its teacher's file: {"at",
 * "remark"?,"lessons","items"} as in the grades; the caller's. NULL with the message filled. Its
 * texts are not checked. */
json_t *session_feedback(struct session_class *c, struct base_message *m);
/* "sys-26: 12 of 16 points, and a remark", the caller's; NULL if there is none. */
char *session_feedback_line(void);
/* All of it, as Markdown; the caller's. */
char *session_feedback_words(const json_t *feedback, const char *name);
#define LEARNER_FEEDBACK "feedback" /* what it is opened by, in the place of a lesson's id */
/* What the kinds in "listed" mean, in the order in which they are shown: a heading; NULL past the
 * last. */
const char *session_class_kind(size_t i, const char **heading);

#endif
