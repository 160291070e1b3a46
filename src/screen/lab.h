/* lab: the view of a lab that runs: the runs so far, and of one of them, or of two side by side,
 * five panels; at the end all of them in one picture. lab.c has the view and its keys, lab_draw.c
 * lays it out. Private to the module. */
#ifndef SCREEN_LAB_H
#define SCREEN_LAB_H

#include "screen/view.h"

struct lab {
    struct view view;
    struct session_lab *runs;
    enum experiment_panel panel; /* on top */
    size_t shown, beside;        /* variants; `beside` is LAB_ALONE where only one is shown */
    /* The run shown, as it is watched: out of what was heard of it, at the learner's pace. NULL: it
     * is shown as it is. */
    struct experiment *watch;
    bool paced;                       /* each run is watched so, one after the other */
    bool follows;                     /* the one that runs is shown */
    bool whole;                       /* all runs in one picture: the lab's end */
    bool recorded, paused;            /* recordings are played; they stand still */
    bool asked;                       /* Esc was pressed while it runs */
    int top, height, capacity;        /* of the panels' page and the window, when last drawn */
    int start[EXPERIMENT_PANELS + 1]; /* the row where each panel begins, in the order shown */
    int width;                        /* of that page */
    int64_t drawn;                    /* when it was */
    bool stale;                       /* more has come since */
};
#define LAB_ALONE ((size_t)-1)

/* lab.c: a kept run's number and what quotes it, for a notice. */
char *screen_say_quote(struct app *app, int64_t number);
/* lab_draw.c */
void screen_lab_draw(struct view *v, struct frame *f);
/* Whether all runs came to the end they were to come to. */
bool screen_lab_well(const struct lab *l);

#endif
