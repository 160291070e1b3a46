/* page: what the calculators print, for tests: as JSON, as golden pages at 80 and 120 columns, as
 * refusals. */
#ifndef TESTS_COMMAND_PAGE_H
#define TESTS_COMMAND_PAGE_H

#include "base/base.h"

/* The answer of `line --json`, which must end with this status; json_decref() it. */
json_t *page_json(const char *line, int status);
/* Through a pipe, 80 columns wide: must be what stands in golden/<name>.txt. */
void page_is(const char *name, const char *line);
/* On a terminal of 120 columns: golden/<name>-120.txt. No word may have spaces in it. */
void page_is_wide(const char *name, const char *line);
/* Status 2, nothing on standard output, and exactly this line on standard error, after "zerotutor:
 * ". */
void page_refused(const char *line, const char *error);
/* Every one of these members, parted by blanks, is in the object. */
void page_has(const json_t *object, const char *members);
/* Element `i` of an array that is a member; fails if it is not there. */
const json_t *page_item(const json_t *object, const char *array, size_t i);

#endif
