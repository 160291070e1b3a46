/* session: one lesson being taken, by a learner whose record it keeps: joins lesson, script, store,
 * review, memo and experiment for the two front ends. This is its one public header; it includes
 * the others in reading order:
 *
 *     membership the class that the learner is in, and the record in use
 *     learner    the course, and the record of the one who takes it
 *     classwork  what a class gets from a lesson: the hand-in, a raised hand
 *     practice   what comes back today, what the learner can do, rounds against the clock
 *     finding    terms, questions, steps and commands, looked up
 *     taking     one lesson being taken, its words, reading aloud, bookmarks and notes
 *     watching   a class as its teacher sees it
 *     slides     a lesson as a teacher shows it at the front
 *     asking     votes, the questions at the end, and what comes back
 *     memos      a memo as a file, and what it is checked with
 *     labs       the runs of a lab
 *     certificate  what a record shows, as a file
 *     grading    the hand-ins of a class, judged again
 *
 * Ownership: session_close() and session_learner_close() free everything reached through them. */
#ifndef SESSION_H
#define SESSION_H

#include "session/membership.h"

#include "session/agenda.h"

#include "session/learner.h"

#include "session/classwork.h"

#include "session/practice.h"

#include "session/finding.h"

#include "session/taking.h"

#include "session/rehearsal.h"

#include "session/watching.h"

#include "session/slides.h"

#include "session/asking.h"

#include "session/memos.h"

#include "session/turn.h"

#include "session/labs.h"

#include "session/certificate.h"

#include "session/grading.h"

#endif
