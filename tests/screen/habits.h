/* habits: one meaning a key. Over all views a letter has one word in the key lines, and a word one
 * letter. */
#ifndef HABITS_H
#define HABITS_H

#include "screen/view.h"

/* Takes down the words of a view: of its whole table, whatever holds now, and of what exists now
 * besides. */
void habits_note(const struct view *v);
/* Fails if a letter has two words, or none, or a word has two letters. */
void habits_check(void);

#endif
