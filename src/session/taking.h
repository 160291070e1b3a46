/* taking: one lesson being taken, its words, what can be read aloud, bookmarks and notes. */
#ifndef SESSION_TAKING_H
#define SESSION_TAKING_H

#include "session/practice.h"
#include "voice/voice.h"

/* One lesson being taken. Opening (and editing) it keeps the ids of its steps, a blank between, as
 * the setting "outline/<lesson's id>": the order of steps for whoever shows progress without
 * running the lesson. Cards are left out, as in the dialogue. */
struct session;
/* `lesson` is an id of the course, LEARNER_PLACE, LEARNER_REVIEW, LEARNER_CASE, LEARNER_LAB and
 * "/NAME", a drill's word or the path of a .lua file. Resumes at the exact step. A file that bears
 * an id of the course and is not the course's own file for it is refused: it would write into that
 * lesson's record. */
struct session *session_open(struct learner *who, const char *lesson, struct base_message *m);
void session_close(struct session *s);
/* Whether numbers can be drawn at once; and does what that takes, some milliseconds. */
bool session_is_ready(const struct session *s);
void session_make_ready(struct session *s);
/* The lesson as it is now; an edit or the next check of a placement replaces it. */
const struct lesson *session_lesson(const struct session *s);
/* Where one is, for a heading, the caller's: "1.1  Memory runs out …", "Placement  Where GPU memory
 * goes". */
char *session_heading(const struct session *s);
/* How far, the caller's: "step 3 / 14", with `of` between the numbers; in a review or a check
 * "problem 3 of 6", or "result" on its last page; "never graded" if nothing is. `step` counts from
 * 0. */
char *session_how_far(const struct session *s, size_t step, size_t steps, const char *of);
/* False in a case of the week and in a lab outside of lessons, which are one step. */
bool session_is_graded(const struct session *s);
/* The short title of a step, of a card its front; "" if it has none or there is no such step. */
const char *session_step_title(const struct session *s, const char *step);
/* What became of a step with an answer, for showing progress. */
enum lesson_came session_step_came(const struct session *s, const char *step);
/* In a review or a drill, how the thing at this place in it came out: solid, weak, passed over, or
 * not met. And for about how many minutes a review goes on; 0 in anything else. */
enum learner_strength session_step_strength(const struct session *s, size_t step);
int session_minutes_left(const struct session *s);
/* Whether a step was open once; of one that is passed by a jump it was not. */
bool session_step_is_opened(const struct session *s, const char *step);
/* Whether a step waits for an answer. */
bool session_step_asks(const struct session *s, const char *step);
/* The dialogue about it, for lesson_asked(). Its events and actions go through the next two. */
struct lesson_dialogue *session_dialogue(const struct session *s);
/* As lesson_event() and lesson_do(). In a placement, the next check begins after one was passed,
 * with its own id and title. */
const struct lesson_event *session_event(struct session *s);
void session_do(struct session *s, const struct lesson_action *a);
/* In a review: whether something can be taken back, and does it: the last answer or what was left
 * out is asked again. And leaves the thing that it stands on out of this and later reviews. Both
 * queue events; false if there is nothing to do it to. */
bool session_is_review(const struct session *s);
/* In a review, the ideas that the thing that is asked rests on, by the map; none in anything else.
 * Their titles may say an answer. */
void session_question_rests(const struct session *s,
                            void (*each)(void *to, const char *title, struct learner_idea idea),
                            void *to);
/* Whether it only goes forward: a review or a drill. */
bool session_is_forward(const struct session *s);
/* Whether an explanation is being timed: the seconds that are left, negative if it takes longer. */
bool session_clock(const struct session *s, int *left);
/* Whether its end leads to what to learn after the course, which it is not itself. */
bool session_leads_onwards(const struct session *s);
/* Writes what the learner finds wrong with the step that is open into a new file, with all that
 * tells how it came about: statement, numbers, seed, the latest answer and its verdict, the
 * lesson's revision and the program's version. In a class that runs it also goes to the teacher, as
 * one of classroom/reports.h, with all others from this class; *told then says in a sentence what
 * became of that, else it is NULL. Its path; NULL with the message filled. Both texts are the
 * caller's. */
char *session_report(const struct session *s, const char *words, char **told,
                     struct base_message *m);
/* Whether it is the case of the week. */
bool session_is_case(const struct session *s);
bool session_can_undo(const struct session *s);
bool session_undo(struct session *s);
bool session_can_suspend(const struct session *s);
bool session_suspend(struct session *s);
/* A descriptor to wait on next to the keyboard: the lesson's file is being edited. -1 if there is
 * none. */
int session_fd(const struct session *s);
/* After the descriptor was readable: reloads an edited lesson in place, keeping the step; a broken
 * edit leaves the old lesson running and queues LESSON_TROUBLE with file and line. True if events
 * were queued. */
bool session_refresh(struct session *s);

/* Gives each lab step of a lesson (as its script returned it) the lab's own question and reveal,
 * where it has none, and each `read` step the lines that it shows. False with the message filled if
 * there is no such lab. Lessons that are opened here are completed already. */
bool session_complete(json_t *lesson, const char *path, struct base_message *m);

/* ── words ───────────────────────────────────────────────────────────────────────────────────────
 * The terms that a lesson may use: its own, and those that it and the lessons before it in the
 * course explain. */
struct session_word {
    /* Markdown */
    const char *term, *means;
    /* the id of the course's lesson that explains it; "": the lesson that is open does */
    const char *lesson;
};
/* The first place of a term in a text. */
struct session_spot {
    size_t at, length, which;
};
struct session_glossary;
/* Begins with the lesson's own terms. It must be closed before the session, whose lesson it is: if
 * that changes, a new one is opened. */
struct session_glossary *session_glossary_open(const struct session *s);
/* All terms of the course, those of its last lesson first, read at once. */
struct session_glossary *session_glossary_whole(struct learner *who);
void session_glossary_close(struct session_glossary *g);
/* Whether the course's terms wait to be read; reads them. The first time that runs a file: some
 * milliseconds. */
bool session_glossary_waits(const struct session_glossary *g);
void session_glossary_read(struct session_glossary *g);
/* Where a text has terms, as words or plurals: each term once, the longest that begins at a place,
 * `most` at most, in the text's order. */
size_t session_glossary_spots(const struct session_glossary *g, const char *text,
                              struct session_spot *out, size_t most);
/* Lives until the glossary is closed. */
struct session_word session_glossary_word(const struct session_glossary *g, size_t which);
/* The terms that a text has, `most` at most: the lesson's own first. Returns how many. */
size_t session_glossary_find(const struct session_glossary *g, const char *text,
                             struct session_word *out, size_t most);

/* ── reading aloud ───────────────────────────────────────────────────────────────────────────────
 * Adds what of a lesson can be read aloud: the titles and the prose of its pages, each a part that
 * is numbered as its step. */
void session_prose(const struct lesson *l, struct voice_lines *out);
/* The same of the lesson that is taken, with the step's words as they are shown. */
void session_prose_shown(const struct session *s, struct voice_lines *out);
/* The number of the step where one is; whether it has something to read aloud. */
size_t session_prose_here(const struct session *s);
bool session_speaks(const struct session *s);

/* ── bookmarks and notes ─────────────────────────────────────────────────────────────────────────
 * Of the step where a session is. In a review or a check that is the step of the lesson in which it
 * was written. */
struct session_here {
    char lesson[64], step[64];
};
struct session_here session_here(const struct session *s);
bool session_bookmarked(const struct session *s);
bool session_bookmark(const struct session *s, bool set, struct base_message *m);
/* The caller's, or NULL; "" takes it away. */
char *session_note(const struct session *s);
bool session_note_keep(const struct session *s, const char *text, struct base_message *m);

#endif
