/* transcript: a lesson taken in a text file. The file has sections:
 *
 *     == lesson            the lesson as JSON
 *     == lesson edited     another one, for `> reload edited`
 *     == variants 1        what function 1 gives, a list; `> vary 1 edited` takes another one
 *     == taken             lines "> action" and, under each, the events that come of it
 *
 * `> other 9.1/item#line 1 right` lets another program on the same record answer, `> race` lets it
 * do so in the middle of our next answer. transcript_take() plays the actions and writes the events
 * down in the same notation, so a test is a comparison of texts. */
#ifndef TESTS_STUDY_TRANSCRIPT_H
#define TESTS_STUDY_TRANSCRIPT_H

#include "lesson/fake.h"

/* The whole file as it came out: what stands before "== taken" as it was, then the actions and what
 * came of them. The caller owns it. */
char *transcript_take(const char *file);
/* One event in the notation. */
void transcript_event(struct base_text *t, const struct lesson_event *e);

#endif
