/* classroom: a class is a folder that the teacher makes. No server, no passwords: the operating
 * system's accounts and modes decide who may read and write what. Everything that a screen, a grade
 * or a queue says is derived from the files in that folder, each of which has one writer. It knows
 * no lesson and no record: whoever hands in gives it lines, whoever grades gives it verdicts. This
 * is its public header; it includes the others in reading order:
 *
 *     folder     the folder, and files of others read safely
 *     settings   what the class is: lessons, deadlines, limits
 *     roster     who belongs to it, by the teacher's list
 *     handin     what a learner hands in: answers, as a file that grows
 *     private    what only the teacher and one learner may read
 *     kept       what the teacher collected of it
 *     grade      points from judged answers
 *     presence   where a learner is now
 *     reports    what learners find wrong with questions
 *     board      what the teacher says to the room
 *     races      the table of the speed challenge, by nickname
 *     ticket     a ticket for a lab, and the locks on it
 *     turns      whose turn it is
 *     overview   what the teacher sees of the room
 *     missed     the items that most learners got wrong
 *     votes      how the room voted, which the teacher keeps
 *     queue      waiting for a turn, and having it
 *     slurm      a lab as a job of Slurm instead
 *     checkup    what a teacher checks of the folder, and the command that fixes it
 *     estimate   how long a day takes, and what helps if it does not fit
 *
 * Ownership: what a function returns as the caller's goes back through free(). */
#ifndef CLASSROOM_H
#define CLASSROOM_H

#include "classroom/folder.h"

#include "classroom/settings.h"

#include "classroom/roster.h"

#include "classroom/handin.h"

#include "classroom/private.h"

#include "classroom/kept.h"

#include "classroom/grade.h"

#include "classroom/presence.h"

#include "classroom/reports.h"

#include "classroom/board.h"

#include "classroom/races.h"

#include "classroom/ticket.h"

#include "classroom/turns.h"

#include "classroom/overview.h"

#include "classroom/missed.h"

#include "classroom/votes.h"

#include "classroom/queue.h"

#include "classroom/slurm.h"

#include "classroom/checkup.h"

#include "classroom/estimate.h"

#endif
