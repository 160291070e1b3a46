/* classroom/settings.h: what a class is, as the teacher set it: class.json. Learners' programs read
 * it, so it is checked as any file of another account is. Who has more time is in a file of its
 * own, which only the teacher's programs read. */
#ifndef CLASSROOM_SETTINGS_H
#define CLASSROOM_SETTINGS_H

#include "classroom/folder.h"

#define CLASSROOM_SETTINGS "class.json"
/* the teacher's alone: who has more time (private.h) */
#define CLASSROOM_EXTENDED "extensions"

/* which of several tries at an item counts */
enum classroom_counts { CLASSROOM_FIRST, CLASSROOM_BEST, CLASSROOM_LAST };
enum { CLASSROOM_LESSONS = 64, CLASSROOM_EXTENSIONS = 256, CLASSROOM_ASSISTANTS = 16 };
/* lengths of names, with their end */
enum { CLASSROOM_WORD = 64, CLASSROOM_TITLE = 120 };

struct classroom_lesson {
    /* "1.1" */
    char id[CLASSROOM_WORD];
    /* minutes that the plan gives it; 0: none */
    int minutes;
    /* seconds since 1970; 0: no deadline but the class's end */
    int64_t due;
};
struct classroom_extension {
    char account[CLASSROOM_WORD];
    /* one lesson's deadline, or that of all ("") */
    char lesson[CLASSROOM_WORD];
    int64_t seconds;
};
struct classroom_settings {
    /* public, random, 128 bits in hexadecimal: with the account it makes each learner's numbers */
    char id[CLASSROOM_NAME];
    /* "sys-26" */
    char name[CLASSROOM_TITLE];
    /* the program and the lessons that the class was made with: "0.1.0", and a SHA-256 in
     * hexadecimal; "" if that is not known. Others may draw other numbers. */
    char version[CLASSROOM_TITLE], course[CLASSROOM_TITLE];
    /* the teacher sees nothing from before and nothing from after; 0 for `ends`: until it is
     * closed */
    int64_t begins, ends;
    bool closed;
    /* in the order of the plan; labs are "lab NAME" */
    size_t lessons;
    struct classroom_lesson lesson[CLASSROOM_LESSONS];
    /* an answer after its deadline loses this much (percent) for each day begun; 100: it counts for
     * nothing */
    int late_percent;
    enum classroom_counts counts;
    /* of all accounts in the programs of the teacher and of assistants; of the learner alone in the
     * learner's */
    size_t extensions;
    struct classroom_extension extension[CLASSROOM_EXTENSIONS];
    /* accounts that may see what the teacher sees, as far as the folder's modes let them */
    size_t assistants;
    char assistant[CLASSROOM_ASSISTANTS][CLASSROOM_WORD];
    /* GPUs and cores of the machine that labs take turns on, and what one turn may take */
    int gpus, cores, ranks_most, minutes_most;
    uint64_t bytes_most;
    /* Slurm gives out the machines: labs are submitted to it instead of queued here; the partition,
     * or "" for the cluster's own default */
    bool slurm;
    char partition[CLASSROOM_WORD];
    /* A rehearsal's people are so many times faster than people, and so is its clock. Else 1. */
    int speed;
    /* git or rsync keeps the folder in step: who owns a file says nothing */
    bool synchronised;
};

/* Settings for a new class: a random id, the whole course without deadlines, cores as there are. */
void classroom_settings_new(struct classroom_settings *s, const char *name);
/* Reads and checks class.json, which must be the teacher's, and for the teacher who has more time.
 * False with the message, which names the member that is wrong. */
bool classroom_settings_read(const struct classroom_folder *f, struct classroom_settings *s,
                             struct base_message *m);
/* The same of that file alone, at the top, or of its copy in kept/. */
bool classroom_settings_read_in(const struct classroom_folder *f, enum classroom_place p,
                                struct classroom_settings *s, struct base_message *m);
/* Replaces who has more time by a list of {"account","seconds","lesson"?}. False, with none, if it
 * is no such list. */
bool classroom_extensions_take(struct classroom_settings *s, const json_t *list);
/* Writes both, and a copy in kept/, from which a broken class.json can be restored; the teacher's
 * program does. False with the message, and the file as it was, also for settings that could not be
 * read again. */
bool classroom_settings_write(const struct classroom_folder *f, const struct classroom_settings *s,
                              struct base_message *m);
/* ── as a teacher types them (set.c) ─────────────────────────────────────────────────────────────
 */
struct classroom_setting {
    /* "ends", what follows "=" ("TIME"), and what it sets, in one line */
    const char *name, *value, *help;
};
/* One of those that can be set, in the order in which they are listed; NULL past the last. */
const struct classroom_setting *classroom_setting_at(size_t i);
/* Sets one: name and value as typed, times from `now` on. False with the message, which says what
 * is expected, and nothing changed. */
bool classroom_set(struct classroom_settings *s, const char *name, const char *value, int64_t now,
                   struct base_message *m);
/* The value of setting `i` as one would type it, the caller's; "" if it is not set. */
char *classroom_setting_text(const struct classroom_settings *s, size_t i);
/* Reads a time: "12:30" (today, or tomorrow if that is over), "2026-11-24 12:30", "+90m", "+2h",
 * "+3d" from `now`. False with the message. Times are local. */
bool classroom_when(const char *text, int64_t now, int64_t *out, struct base_message *m);
/* "2026-11-24 12:30", the caller's. */
char *classroom_when_text(int64_t when);

/* The deadline of a lesson for an account: its own, or the class's end; 0 if there is none. */
int64_t classroom_due(const struct classroom_settings *s, const char *account, const char *lesson);
/* The seed of a learner's numbers in this class: from the public id and the account's name. It is
 * no secret: it keeps learners from sharing answers, not from computing their own. */
uint64_t classroom_seed(const struct classroom_settings *s, const char *account);

#endif
