/* What a class is exported from, and its formats. */
#ifndef COMMAND_CLASS_EXPORT_H
#define COMMAND_CLASS_EXPORT_H

#include "command/class.h"

struct class_export {
    const struct classroom_folder *folder;
    const struct classroom_roster *roster;
    /* as session_class_grade() tells them */
    json_t *grades;
    /* DataShop's rows and votes as JSON Lines, not as a table */
    bool lines;
};
/* Adds a cell to the row of a CSV file (RFC 4180). One that a spreadsheet would take for a formula
 * gets an apostrophe before it. */
void command_class_cell(struct base_text *t, const char *text);
/* Writes all of it in a format: "canvas", "moodle", "detail", "datashop", "votes". False with
 * the message filled. */
bool command_class_write(const struct class_export *x, const char *format, struct base_text *t,
                         struct base_message *m);
/* Writes FOLDER/ACCOUNT.html and FOLDER/ACCOUNT.key.html for everybody of the roster and of what
 * was collected, with the problems of the plan's lessons and numbers of their own. False with the
 * message filled; those written before it stay. */
bool command_class_sheets(const struct classroom_folder *f, const struct classroom_settings *s,
                          const struct classroom_roster *roster, const char *folder,
                          size_t *written, struct base_message *m);
/* Writes the latest memo of each hand-in that was graded to FOLDER/ACCOUNT.md and its check to
 * FOLDER/ACCOUNT.html, and prints a line for each. False with the message filled; those written
 * before it stay. */
bool command_class_memos(const struct classroom_folder *f, const char *folder,
                         struct base_message *m);

#endif
