/* classroom/private.h: what only the teacher and one learner may read.
 *
 *     extensions         0600  more time, for whom; assistants may read it where the file system
 *                              has access control lists:
 * {"zerotutor":"extensions","format":1,"class":ID, "extensions":[{"account","seconds","lesson"?}…]}
 *     feedback/HEX.time        the same, of the learner who has this random name
 *     members            0644  the roster as marks: {"zerotutor":"members","format":1,"class":ID,
 *                              "members":[MARK…]}, in order
 *
 * A file in feedback/ can be read by its learner alone where the file system has access control
 * lists; elsewhere, and in a synchronised folder, by whoever knows the random name. A mark is half
 * a SHA-256 of the class's id and an account's name. It hides the roster's names, but whoever tries
 * the name of an account finds out whether the roster has it. */
#ifndef CLASSROOM_PRIVATE_H
#define CLASSROOM_PRIVATE_H

#include "classroom/roster.h"

#define CLASSROOM_MEMBERS  "members"
#define CLASSROOM_TIME_END ".time"

/* Writes feedback/HEX and an ending for an account, which alone may then read it, if that is
 * possible. False with the message filled. */
bool classroom_write_to(const struct classroom_folder *f, const struct classroom_settings *s,
                        const char *handin, const char *ending, const char *account,
                        const char *text, size_t n, struct base_message *m);
/* Whether the class's file system can keep a file to one account besides its owner. */
bool classroom_keeps_private(const struct classroom_folder *f);

/* What the learner with this hand-in is told of more time, into the settings; none if there is no
 * such file. */
void classroom_extensions_own(const struct classroom_folder *f, const char *handin,
                              const char *account, struct classroom_settings *s);
/* Tells learners what follows from the roster and the extensions: writes `members` and the files of
 * those who have been here, if they say something else. For the teacher's programs, which do it
 * whenever they open the class. False with the message filled. */
bool classroom_tell(const struct classroom_folder *f, const struct classroom_settings *s,
                    struct base_message *m);
/* Whether an account belongs to the class, as far as learners' programs can see: true also if there
 * is no roster. */
bool classroom_is_member(const struct classroom_folder *f, const struct classroom_settings *s,
                         const char *account);

#endif
