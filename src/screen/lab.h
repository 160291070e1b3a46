/* lab: the view of a lab that runs: the runs so far, and of one of them, or of two side by side,
 * five panels. lab.c has the view and its keys, lab_draw.c lays it out. Private to the module. */
#ifndef SCREEN_LAB_H
#define SCREEN_LAB_H

#include "screen/view.h"

struct lab {
    struct view view;
    struct session_lab *runs;
    enum experiment_panel panel; /* on top */
    size_t shown, beside;        /* variants; `beside` is LAB_ALONE where only one is shown */
    /* The run shown, which is over, as it is played again; NULL: it is not. */
    struct experiment *again;
    bool follows;              /* the one that runs is shown */
    bool recorded, paused;     /* recordings are played; they stand still */
    bool asked;                /* Esc was pressed while it runs */
    int top, height, capacity; /* of the panels' page and the window, when last drawn */
    int64_t drawn;             /* when it was */
    bool stale;                /* more has come since */
};
#define LAB_ALONE ((size_t)-1)

/* lab.c: a kept run's number and what quotes it, for a notice. */
char *screen_say_quote(struct app *app, int64_t number);
/* lab_draw.c */
void screen_lab_draw(struct view *v, struct frame *f);
/* The run that is shown, or the one that is played again in its place. */
const struct experiment *screen_lab_shown(const struct lab *l);

#endif
