/* linear: lessons as lines, over session and page. One line after another, no cursor movement: for
 * pipes, screen readers and dumb terminals. The prompt says what the step asks for. An empty line
 * continues, :hint :worked :back :repeat :help :quit are commands, and any other line is an
 * answer. */
#ifndef LINEAR_H
#define LINEAR_H

#include "session/session.h"

struct linear_options {
    /* NULL: lists the course and asks which */
    const char *lesson;
    const char *store;
    bool ascii;
    /* 0: 80 */
    int width;
    /* 0, 8 or 256 */
    int colours;
    /* figures in sentences, whatever the learner has set */
    bool words;
    /* the subcommands, for searches; borrowed */
    const struct session_command *command;
    size_t commands;
};
/* Exit status: 0 if the lesson was finished or left with :quit, 1 if the input ended mid-lesson, 2
 * if it could not be opened. */
int linear_run(const struct linear_options *o, FILE *in, FILE *out);
/* A round of the speed challenge, and what was missed in it; the lesson of `o` is not looked at. 0
 * if it was gone through or left with :quit, 1 if the input ended before, 2 if it could not be
 * begun. */
int linear_speed(const struct linear_options *o, const struct lesson_speed_options *round, FILE *in,
                 FILE *out);

/* Tells a teacher in sentences what the class in this folder does: each empty line looks again, and
 * words write to learners, open a step or ask the exit questions. 0 if it was left with :quit or
 * the input ended, 2 if the class cannot be watched. */
int linear_watch(const struct linear_options *o, const char *folder, bool names, FILE *in,
                 FILE *out);

/* Draws the map of the course as lines below what is on the page. False with the message filled if
 * it cannot be read. */
struct learner;
struct page;
bool linear_map_draw(struct learner *who, struct page *p, struct base_message *m);

/* Prints what a line such as ":glossary shard", ":search words", ":questions 2" or ":notes" asks
 * for. Exit status: 0, 1 if there is nothing, 2 if the record could not be opened. */
int linear_print_found(const struct linear_options *o, const char *line, FILE *out);

#endif
