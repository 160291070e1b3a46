/* slides: a lesson as a teacher shows it at the front: of each step one sentence and one figure, of
 * a question what it asks, and its answer for later. */
#ifndef SESSION_SLIDES_H
#define SESSION_SLIDES_H

#include "classroom/classroom.h"

struct session_slide {
    /* "1.3/which-first"; the frames of a play share one */
    const char *item;
    /* "" for none */
    const char *title;
    /* Markdown; and the same with the first sentence of each item of a list, for where there is no
     * room for all of it */
    char *text, *terse;
    /* Markdown: the lines of a ledger that are given, until the answer is shown; NULL: none */
    char *given;
    /* as page_figure() takes it; NULL: none */
    json_t *figure;
    /* Markdown, one line each; `right` from 1, 0 without options */
    size_t options;
    char *option[CLASSROOM_OPTIONS];
    size_t right;
    /* the question in one sentence, plain text; "" if it has no options */
    char *question;
    /* what is shown when the teacher asks for it: Markdown and a figure; each may be NULL */
    char *answer;
    json_t *after;
    /* the answer's first sentence, for where there is no room for all of it; NULL if the answer is
     * no prose */
    char *gist;
    /* the opening guess, before its answer was seen; its value if it is a number, in base units,
     * else 0 */
    bool guess;
    double truth;
};

struct session_slides;
/* Opens a lesson of the course, or a .lua file. Its numbers are the same each time. NULL with the
 * message filled; session_slides_close() frees it and its slides, and takes NULL. */
struct session_slides *session_slides_open(const char *lesson, struct base_message *m);
void session_slides_close(struct session_slides *s);
/* "1.3  Three things are replicated …", the slides', as all below. */
const char *session_slides_title(const struct session_slides *s);
const char *session_slides_lesson(const struct session_slides *s);
size_t session_slides_count(const struct session_slides *s);
const struct session_slide *session_slides_at(const struct session_slides *s, size_t i);
/* The opening guess, and the same to be voted on again at the end, under another item; NULL
 * if the lesson has none. */
const struct session_slide *session_slides_guess(const struct session_slides *s);
const struct session_slide *session_slides_again(const struct session_slides *s);

#endif
