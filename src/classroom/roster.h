/* classroom/roster.h: who belongs to the class. The teacher's file `roster` has an account on each
 * line, and after a comma a name if the teacher wants one; `#` starts a comment. Either can be in
 * quotes, as a spreadsheet writes it (RFC 4180):
 *
 *     ada, Ada Lovelace
 *     bob,"Bob, the Builder"
 *     eve            # may leave at noon
 *
 * A class without this file has everybody who joins. */
#ifndef CLASSROOM_ROSTER_H
#define CLASSROOM_ROSTER_H

#include "classroom/settings.h"

#define CLASSROOM_ROSTER "roster"
enum { CLASSROOM_PEOPLE = 4096 };

struct classroom_person {
    char account[CLASSROOM_WORD];
    /* "" if the roster has none */
    char name[CLASSROOM_TITLE];
};
struct classroom_roster {
    /* in the order of the file; 0: everybody who joins */
    size_t people;
    struct classroom_person *person;
};

/* Reads a roster from its text; messages name `path` and the line. The caller frees *out, also
 * after false, with classroom_roster_free(). */
bool classroom_roster_parse(const char *text, size_t n, const char *path,
                            struct classroom_roster *out, struct base_message *m);
/* Reads the class's roster, which only its teacher can. True with no people if there is none. The
 * caller frees *out. */
bool classroom_roster_read(const struct classroom_folder *f, struct classroom_roster *out,
                           struct base_message *m);
/* Makes the file `path` the class's roster, with its comments, once it was read without an error.
 * False with the message, and then the roster is as it was. The caller frees *out. */
bool classroom_roster_take(const struct classroom_folder *f, const char *path,
                           struct classroom_roster *out, struct base_message *m);
/* The person of an account; NULL if the roster does not list it. Borrowed. */
const struct classroom_person *classroom_roster_find(const struct classroom_roster *r,
                                                     const char *account);
void classroom_roster_free(struct classroom_roster *r);

#endif
