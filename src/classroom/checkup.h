/* classroom/checkup.h: what a teacher checks of a class's folder. Each check adds what it finds:
 * how bad it is, and the command that fixes it. The checks change nothing but a file of their own
 * in queue/, which they remove.
 *
 *     settings     whether class.json can be used; else the copy in kept/
 *     places       modes and owners of the folder, its places and the teacher's files
 *     assistants   who besides the teacher may list hand-ins, by access control lists
 *     roster       accounts that this machine does not have
 *     handins      what is in handins/: plain files of ours, one for each account, as it says
 *     probe        the file server's clock, locks, room for a file: with the checks' own file */
#ifndef CLASSROOM_CHECKUP_H
#define CLASSROOM_CHECKUP_H

#include "classroom/handin.h"
#include "classroom/roster.h"

enum classroom_weight { CLASSROOM_FINE, CLASSROOM_NOTED, CLASSROOM_BROKEN };
struct classroom_finding {
    enum classroom_weight weight;
    /* the caller's name of the check */
    const char *check;
    /* what was found; and the command that fixes it, or NULL */
    char *text, *fix;
};
struct classroom_checkup {
    const struct classroom_folder *folder;
    const struct classroom_settings *settings;
    const struct classroom_roster *roster;
    /* of the check that looks now; borrowed */
    const char *check;
    size_t findings;
    struct classroom_finding *finding;
};
/* Adds a finding; takes ownership of `text` and `fix` (NULL: no command fixes it). */
void classroom_found(struct classroom_checkup *c, enum classroom_weight weight, char *text,
                     char *fix);
void classroom_checkup_free(struct classroom_checkup *c);
/* A word as a shell reads it, quoted if it must be; the caller's. */
char *classroom_quoted(const char *word);

void classroom_check_settings(struct classroom_checkup *c);
void classroom_check_places(struct classroom_checkup *c);
void classroom_check_written(struct classroom_checkup *c);
void classroom_check_assistants(struct classroom_checkup *c);
void classroom_check_roster(struct classroom_checkup *c);
void classroom_check_handins(struct classroom_checkup *c);
void classroom_check_probe(struct classroom_checkup *c);

/* Names an account that has more files in a place than its programs write there;
 * CLASSROOM_ANYBODY: none has. */
void classroom_check_crowd(struct classroom_checkup *c, enum classroom_place p, uid_t crowd);

/* ── access control lists (grants.c) ───────────────────────────────────────────────────────────*/
struct classroom_grants {
    /* there is a list, whose group entry this is; else the modes are all */
    bool listed;
    mode_t group;
    /* accounts and groups that it names with the right to read */
    size_t users, groups;
    uid_t user[64];
    gid_t grp[64];
};
/* Reads the access control list of an open file or folder. */
void classroom_grants_read(int fd, struct classroom_grants *out);

#endif
