/* membership: which class the learner is in, and the record in use. base_home()/class.json (0600)
 * exists from `zerotutor class join` until `zerotutor class leave`:
 *
 *     {"folder":"/srv/sys-26","id":"…","name":"sys-26","account":"ada","handin":"…","with":"bob",
 *      "begins":1795424400,"ends":1795429800}
 *
 * While the class runs, answers go to its own record, base_home()/classes/ID.db, whose numbers
 * follow from the class and the account. Before and after that they go to the learner's own
 * record, of which the class sees nothing. */
#ifndef SESSION_MEMBERSHIP_H
#define SESSION_MEMBERSHIP_H

#include "classroom/classroom.h"
#include "store/store.h"

struct session_class {
    /* absolute */
    char folder[1024];
    /* of the system; and the second name of two who share a keyboard, or "" */
    char account[CLASSROOM_WORD], with[CLASSROOM_WORD];
    /* the random name of the learner's files in handins/ and feedback/, without their endings */
    char handin[CLASSROOM_NAME];
    /* As they are now. If they cannot be read: the id, the name, and the times as they were when
     * the learner joined. */
    struct classroom_settings settings;
    /* the folder and its settings can be read */
    bool reachable;
    /* it began, was not closed, and is not over for this account: its record is in use */
    bool running;
};
/* Finds the class that the learner is in. False if there is none, or class.json cannot be used. */
bool session_class(struct session_class *out);
/* The same with a message if class.json is there and cannot be used; then false. True with an empty
 * `out->folder` if the learner is in no class. */
bool session_class_read(struct session_class *out, struct base_message *m);
/* Finds the class that the learner left last, whose feedback can still be read. False if there is
 * none. */
bool session_class_left(struct session_class *out);
/* Joins the class of this folder: makes its record, and class.json. `with`: who shares the
 * keyboard, or NULL. Joining the same class again changes only that. Another class that is over
 * is left. False with the message filled. */
bool session_class_join(const char *folder, const char *with, struct session_class *out,
                        struct base_message *m);
/* The same under another account's name, which only synchronised classes believe: for rehearsals.
 */
bool session_class_join_as(const char *folder, const char *account, struct session_class *out,
                           struct base_message *m);
/* Leaves the class: moves class.json to classes/left.json, removes one that cannot be used, and
 * what says where the learner is. The class's record and the hand-in stay. False with the message
 * filled, also if the learner is in no class. */
bool session_class_leave(struct base_message *m);
/* What it means to be in this class, as Markdown: what the teacher sees, from when to when, and
 * what of this program differs from the teacher's. The caller's. */
char *session_class_words(const struct session_class *c);
/* When the class ends for this account, with its extensions, or when it was closed; 0: when
 * it will be closed. */
int64_t session_class_ends(const struct session_class *c);
/* Whether it was closed, or its end for this account is past. */
bool session_class_is_over(const struct session_class *c);
/* Whether it has not begun yet, and was not closed. */
bool session_class_is_ahead(const struct session_class *c);
/* The path of the class's record, the caller's. */
char *session_class_record(const struct session_class *c);
/* Settings for a new class, with the version and the lessons of this program. False with the
 * message filled if there are no lessons. */
bool session_class_settings(const char *name, struct classroom_settings *out,
                            struct base_message *m);

/* The path of the record in use, the caller's: the class's while it runs, else the learner's own
 * (also if class.json cannot be used). */
char *session_record_path(void);
/* Opens that record; NULL with the message filled. */
struct store *session_record_open(struct base_message *m);

#endif
