/* lesson: what is learned and how it is judged. It knows memo, account and base, no Lua, no SQL and
 * no terminal. This is its one public header; it includes the others in reading order:
 *
 *     journal    what lesson needs: a source of fresh numbers, and a journal that keeps answers
 *     data       a lesson as data, and how its graded steps stand
 *     course     the course, its reviews and its checks
 *     ideas      the map of the course: ideas, and what each rests on
 *     dialogue   a lesson that is taken: actions in, events out
 *     judging    problems, fresh numbers, lint
 *     speed      napkin arithmetic in rounds against a clock
 *
 * Ownership: a lesson and a dialogue are freed by their own *_free(); everything reached through
 * them is borrowed and lives until the next lesson_do() (events) or the free (lesson data). */
#ifndef LESSON_H
#define LESSON_H

#include "lesson/journal.h"

#include "lesson/data.h"

#include "lesson/course.h"

#include "lesson/ideas.h"

#include "lesson/dialogue.h"

#include "lesson/judging.h"

#include "lesson/speed.h"

#endif
