/* What desk.c, search.c and sitting.c share; nobody outside this room includes it. */
#ifndef SITTING_INSIDE_H
#define SITTING_INSIDE_H

#include "sitting/sitting.h"
#include "script/script.h"

/* A lesson read from its file: the script that made it, and the data. */
struct loaded {
    struct script *script;
    struct study_lesson *lesson;
    json_t *glossary; /* NULL if it has none; a reference of its own */
};
/* Runs the file; the message names file and line on failure, and nothing is kept then. */
bool loaded_open(struct loaded *l, const char *path, struct base_message *m);
void loaded_close(struct loaded *l);
/* Lets the script go and keeps the data: nothing will be asked of it. */
void loaded_rest(struct loaded *l);

/* The absolute path of a lesson of the course, the caller's; NULL if it has no file. */
char *desk_path(const struct desk *d, size_t i);
/* A lesson of the course to read in, not to take (it has no script): run once, and again when its file changed. NULL if it has no file
 * or does not load. The desk's. */
const struct loaded *desk_lesson(struct desk *d, size_t i);
/* Whether a lesson from this file may keep its answers under this id. */
bool desk_lends_id(const struct desk *d, const char *id, const char *path, struct base_message *m);
/* Keeps the order of a lesson's steps, so that progress can be told later without running the lesson. */
void desk_keep_outline(struct desk *d, const struct study_lesson *l);
/* Keeps how many of its steps are graded, for the same. */
void desk_keep_graded(struct desk *d, const struct study_lesson *l);

/* Gives each `read` step of a lesson its lines, or the reason why they are not there, as its "source". */
void source_complete(json_t *lesson);

/* What a run that ended well weighed (study_run.measured), the caller's; NULL if it did not. */
json_t *lab_weighed(const struct trial *t, const char *variant);

#endif
