/* lab: the view of a lab that runs: the runs so far, and of one of them, or of two side by side,
 * five panels; at the end all of them in one picture. lab.c has the view and its keys, lab_draw.c
 * lays it out. Private to the module. */
#ifndef SCREEN_LAB_H
#define SCREEN_LAB_H

#include "screen/view.h"

enum { LAB_WORDS = 32 };
/* The rows that a panel needs, and what they depend on: the page, the runs, how many of their ranks
 * are predicted, and how far the axis reaches. */
struct lab_room {
    int width, rows, colours;
    bool ascii;
    size_t shown, other, predicted;
    uint64_t reach;
    int room;
};
struct lab {
    struct view view;
    struct session_lab *runs;
    /* Before its turn in a class: the turn, the step that asks, what becomes of it when the turn
     * comes. Then NULL. */
    struct session_turn *turn;
    struct session *session;
    unsigned (*begin)(struct lab *l);
    /* the one that is chosen; whether it is still to be brought into view */
    enum experiment_panel panel;
    bool seeks;
    /* variants; `other` is LAB_ALONE where only one is shown */
    size_t shown, other;
    /* The run shown, as it is watched: out of what was heard of it, at the learner's pace. NULL: it
     * is shown as it is. */
    struct experiment *watch;
    /* each run is watched so, one after the other */
    bool paced;
    /* the one that runs is shown */
    bool follows;
    /* all runs in one picture: the lab's end; the other lesson that explains what surprises in it,
     * or NULL */
    bool whole;
    const char *explains;
    /* recordings are played; they stand still */
    bool recorded, paused;
    /* Esc was pressed while it runs */
    bool asked;
    /* of the panels' page and the window, when last drawn */
    int top, height, capacity;
    /* the row where each panel begins, and the last ends */
    int start[EXPERIMENT_PANELS + 1];
    /* of that page */
    int width;
    /* in the main column, and in the second pane */
    struct lab_room room[2][EXPERIMENT_PANELS];
    /* when it was */
    int64_t drawn;
    /* more has come since */
    bool stale;
    /* what it says, and the terms in that, once they were looked for */
    char *said;
    struct session_glossary *glossary;
    struct session_word word[LAB_WORDS];
    size_t words;
    bool looked;
};
#define LAB_ALONE ((size_t)-1)

/* lab.c: a kept run's number and what quotes it, for a notice. */
char *screen_say_quote(struct app *app, int64_t number);
/* lab_wait.c: the view before the turn. */
extern const struct view_operations screen_lab_waiting;
/* Gets in line, or takes the place that was kept; *turn is NULL if none is needed. */
bool screen_lab_turn(struct app *app, const char *name, struct session_turn **turn,
                     struct base_message *m);
/* lab_draw.c */
void screen_lab_draw(struct view *v, struct frame *f);
/* The terms that the screen shows, those that are taught last first. */
const char *screen_lab_term(const struct view *v, size_t nth);
/* Whether enough was heard of a run to lay out its panels: its start, and what is predicted of all
 * its ranks. */
bool screen_lab_speaks(const struct experiment *t);
/* Says whether a panel has something to show of the run that is seen. */
bool screen_lab_tells(const struct lab *l, enum experiment_panel panel);
/* Whether a panel was wholly in view when the screen was last drawn. */
bool screen_lab_sees(const struct lab *l, enum experiment_panel panel);
/* Whether all runs came to the end they were to come to. */
bool screen_lab_well(const struct lab *l);

#endif
