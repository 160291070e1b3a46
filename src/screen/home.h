/* home: the course and where the learner stands in it. home.c reads the record and takes the keys,
 * home_draw.c draws, with home_first.c and home_pane.c. Private to the module. */
#ifndef SCREEN_HOME_H
#define SCREEN_HOME_H

#include "screen/list.h"
#include "screen/outline.h"
#include "screen/view.h"

enum {
    HOME_LESSONS = BASE_COUNT(((struct lesson_course *)0)->lesson),
    HOME_PHASES = BASE_COUNT(((struct lesson_course *)0)->phase_title),
    /* the column of the cursor while it is on a line of today's */
    HOME_TODAY_CURSOR = 2,
    /* a click on what is due today, and on the lesson that is; one on a step in the pane has
     * outline.h's */
    HOME_DUE_TARGET = 1000,
    HOME_NEXT_TARGET,
    /* on where the learner was in it */
    HOME_LEFT_TARGET
};

/* Where the cursor is: on a lesson of the list, or above it, on a line of today's: on what is due
 * or on the lesson that comes next. */
enum home_line { HOME_ON_LESSON, HOME_ON_DUE, HOME_ON_NEXT };
/* The ways to begin that an empty record is offered, in this order. */
enum home_way { HOME_START, HOME_PLACE, HOME_WATCH, HOME_WAYS };

/* The welcome as it was last laid out, and for what; the page is NULL before. */
struct home_welcome {
    struct page *page;
    int width, rows, level;
    bool ascii;
    int colours;
};
struct home {
    struct view view;
    struct home_welcome welcome;
    /* nothing was begun yet, and the course has a welcome */
    bool first;
    /* its lessons are wanted all the same */
    bool listed;
    /* the cursor over the ways to begin */
    struct list ways;
    struct learner_progress progress[HOME_LESSONS];
    /* of lessons that are done, likely today; else NaN */
    double recall[HOME_LESSONS];
    /* what exists, in order: what the cursor moves over */
    size_t existing[HOME_LESSONS];
    /* the check that opens the phase; the course's count if it is open */
    size_t gate[HOME_PHASES];
    struct list list;
    /* how far the steps in the pane were scrolled from where the learner is */
    int by;
    /* what the pane shows of a lesson, looked up when the cursor first comes to it */
    struct home_shown {
        bool read;
        json_t *face;
        struct outline steps;
    } shown[HOME_LESSONS];
    /* in the course; its count if all are done */
    size_t next;
    enum learner_placement placement;
    /* the check that placement asks next */
    size_t place;
    /* how many things come back today, their minutes, and which */
    size_t due;
    int due_minutes;
    enum home_line on;
    char *fading;
    /* as learner_due has them */
    int64_t due_next, streak, weeks;
    /* the hour at which days begin, and whether the days that were kept are told */
    int rollover;
    bool counts;
    /* how far to go in the next lesson, and where it was left */
    struct learner_stretch stretch;
    struct learner_left left;
    /* the learner's job, and what it needs; the words are NULL if none is kept */
    struct learner_job job;
    char *job_words;
    /* a lesson was gone through, whose claims and explanations a drill can ask */
    bool drills;
    /* Every lesson is done and their list is not wanted: what is left of the course, and the first
     * row that is shown of it. NULL otherwise. */
    json_t *milestones;
    int scrolled;
    /* every lesson was, and the course says what to learn next */
    bool onwards;
    /* what the class's teacher gave back, in a line; NULL: nothing */
    char *feedback;
    /* until when the class runs and what is due, in a line; NULL: the learner is in none */
    char *class_hours;
    bool has_case;
    struct learner_case week;
    /* how many questions the learner suspended */
    size_t suspended;
};

/* Whether the cursor can be on such a line. */
bool screen_home_has(const struct home *h, enum home_line line);
/* home_today.c: how today goes is read, and drawn in rows of minutes: how many rows that took. The
 * title with the day, and how many were kept. */
void screen_home_today_read(struct home *h);
void screen_home_today_free(struct home *h);
int screen_home_today_draw(const struct home *h, struct frame *f, int row);
void screen_home_title_draw(const struct home *h, struct frame *f);
/* home_own.c: where the learner was, in up to `most` rows and a gap: how many that took. */
int screen_home_left_draw(const struct home *h, struct frame *f, int row, int most);
/* The case of the week and the learner's job below a gap: the rows that they take, up to `most`. */
int screen_home_own_rows(const struct home *h, const struct frame *f, int most);
/* The rows that the case's whole complaint takes beside them, with an empty one below if there is
 * room; 0 if `room` is less, or if the case was answered. */
int screen_home_case_rows(const struct home *h, const struct frame *f, int room);
/* In `rows`, of which the complaint takes the last `told`, if any. */
void screen_home_own_draw(const struct home *h, struct frame *f, int row, int rows, int told);

void screen_home_draw(struct view *v, struct frame *f);
/* home_done.c: once every lesson is done. */
void screen_home_done_draw(struct home *h, struct frame *f);
/* home_first.c: on an empty record. */
void screen_home_first_draw(struct home *h, struct frame *f);
/* home_pane.c: the second pane; it forgets what it looked up; and whether a phase is not open
 * yet. */
void screen_home_pane_draw(struct home *h, struct frame *f);
void screen_home_pane_forget(struct home *h);
bool screen_home_is_closed(const struct home *h, size_t phase);

#endif
