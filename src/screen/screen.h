/* screen: the full-screen interface over session and page. Views, keys, mouse; curses in one file
 * (terminal.c). */
#ifndef SCREEN_H
#define SCREEN_H

#include "page/page.h"
#include "session/session.h"

/* Saves a certificate into a file, in a page of the form that its name ends in: .txt, .html or
 * .pdf. False with the message filled. */
typedef bool screen_certificate_saver(const struct session_certified *c, const char *file,
                                      bool ascii, struct base_message *m);
struct screen_options {
    /* opens this lesson at once (id or .lua file); NULL opens home */
    const char *lesson;
    /* opens the labs at this one instead; leaving them leaves */
    const char *lab;
    /* plays this file instead; leaving it leaves */
    const char *recording;
    /* plays those that come with this lab instead */
    const char *recordings;
    /* of the recording; 0: its own pace, slowly enough to be seen */
    double speed;
    /* opens this memo instead, which begins with … */
    const char *memo;
    /* … where there is no such file; leaving it leaves */
    const char *memo_begins;
    /* opens the speed challenge instead, with these choices; leaving it leaves */
    const struct lesson_speed_options *round;
    /* watches the class of this folder instead; leaving it leaves */
    const char *watch;
    /* presents this lesson instead; leaving it leaves */
    const char *present;
    /* to the class of this folder; NULL: to none */
    const char *present_to;
    /* the learner's file; NULL for the usual one */
    const char *store;
    bool ascii, no_colour;
    /* the subcommands, for searches; borrowed */
    const struct session_command *command;
    size_t commands;
    /* saves certificates in pages; NULL: only the file that can be verified is saved */
    screen_certificate_saver *save_certificate;
};
/* Runs until the learner leaves. Returns the program's exit status. For a lab or a recording that
 * is 1 if it did not run to its end. The terminal is always restored. */
int screen_run(const struct screen_options *o);

/* Draws a class as its teacher sees it, on an empty page. */
void screen_watch_page(struct page *p, struct session_watch *w, bool names);

/* Draws a slide with its answer on an empty page, with how the class voted; `votes` may be NULL. */
void screen_present_page(struct page *p, const struct session_slide *s,
                         const struct session_bars *votes);

/* A screen without a terminal: opens the same views, presses `keys` (as keys.h names them), and
 * returns the last screen as SVG or text (the caller's). For the README's pictures and golden
 * tests. NULL with the message filled if the keys cannot be read. */
struct screen_shot {
    const char *lesson, *watch, *store, *keys;
    /* Keys to press after them, each when nothing moves any more: all screens from there on are
     * returned, as an SVG that plays or as text with the time of each. NULL: no film. */
    const char *film;
    int columns, rows;
    bool ascii, no_colour, svg;
};
char *screen_picture(const struct screen_shot *s, struct base_message *m);

#endif
