/* page: what a lesson has shown in the current step: copies of its events, laid out again for every
 * width. Private to the module. */
#ifndef SCREEN_PAGE_H
#define SCREEN_PAGE_H

#include "page/page.h"
#include "lesson/lesson.h"
#include "screen/terms.h"

struct look;
struct block {
    enum lesson_event_kind kind;
    enum lesson_tone tone;
    bool right, sources, remark;
    /* a verdict: the question stayed */
    bool unreadable;
    /* a verdict on a line of a sheet: the line's label, or NULL */
    char *of_line;
    /* hints */
    int level;
    /* Markdown, or NULL */
    char *text;
    /* verdicts: what was answered, or NULL */
    char *answer;
    /* the answer is an option, in Markdown */
    bool picked;
    /* choices: the options, Markdown, with the one picked and the right one, from 1 */
    char **option;
    size_t options, said, truth;
    /* or NULL */
    json_t *figure;
    /* where it begins, and the row after its text, when last laid out */
    int row, text_end;
};
/* What of the page's first block is read aloud; where that is, when last laid out. */
struct screen_page_spoken {
    /* the title, else the paragraph, from 0 */
    bool title;
    size_t paragraph;
    int from, to;
};
enum { SCREEN_PAGE_BARE = 0 };
/* The area to lay it out in. */
struct screen_page_area {
    /* figures use it, and prose up to FRAME_PROSE */
    int width;
    /* those that a figure should fit in, if it can choose; 0: any */
    int rows;
    /* of bars; SCREEN_PAGE_BARE: no figure stands between a question and what its answer brought,
     * and no gap under the answer */
    int thick;
    /* how far, in hundredths, the figure's parts have flown; 0: they rest */
    int apart;
    /* Words of it are marked in the prose; NULL: none. */
    const struct session_glossary *glossary;
    /* marked, and its rows put there; NULL: nothing is read aloud */
    struct screen_page_spoken *spoken;
};
struct said_page {
    struct block *block;
    size_t count;
    /* the first block of what was said last */
    size_t fresh;
    /* The cells as they were last laid out, NULL if something was said since: a key that only moves
     * the window draws from them. */
    struct page *laid;
    /* what they were laid out for */
    struct page_form {
        struct screen_page_area area;
        bool ascii, titled, waits;
        int colours;
    } form;
    /* the rows that such a page takes by how thick its bars are; 0: not known */
    int height[PAGE_THICKEST + 1];
    /* where it has words of the glossary, when last laid out */
    struct terms terms;
};
void screen_page_clear(struct said_page *p);
/* What comes now was said in answer to a new action. */
void screen_page_begin(struct said_page *p);
/* Another answer has come, with verdict `e`: drops the message that an earlier one could not be
 * read, and what was said of an earlier line of the sheet. */
void screen_page_answered(struct said_page *p, const struct lesson_event *e);
/* Adds an event that is shown (show, verdict, hint, trouble, end); a ledger replaces the figure
 * that is there, and a hint said again the one before.
 * `answer`: what the learner gave, for a verdict; may be NULL;
 * `picked`: it is an option, in Markdown. */
void screen_page_add(struct said_page *p, const struct lesson_event *e, const char *answer,
                     bool picked);
/* Adds words of the program's own. Copied. */
void screen_page_say(struct said_page *p, enum lesson_tone tone, const char *markdown);
/* Adds the step's sources, or takes them away again; takes them away, if they were there. */
void screen_page_toggle_sources(struct said_page *p, const char *sources);
bool screen_page_close_sources(struct said_page *p);
/* All that it says, as Markdown, of a play in all frames; the caller's. */
char *screen_page_words(const struct said_page *p);
/* The figure that was shown last, or NULL. */
const json_t *screen_page_figure(const struct said_page *p);
/* The page under its title (may be NULL). It lives until the page says something else, or is laid
 * out for another area. */
const struct page *screen_page_lay(struct said_page *p, const char *title,
                                   struct screen_page_area area, const struct look *look);
/* The rows that it would take. */
int screen_page_height(struct said_page *p, const char *title, struct screen_page_area area,
                       const struct look *look);
/* When last laid out: the rows of its title and of the gap under it. */
int screen_page_title_rows(const struct said_page *p);
/* When last laid out: where what was said last begins; and the first row from `row` on where a
 * block begins, or `otherwise`. */
int screen_page_fresh_row(const struct said_page *p);
/* When last laid out: the first row of the last question's text, and the row after it. False if
 * nothing is asked. */
bool screen_page_question(const struct said_page *p, int *from, int *to);
/* When last laid out: where what is said of a line of the sheet begins, or -1. */
int screen_page_line_row(const struct said_page *p);
/* The row after the first block of what was said last; `height` is the page's. */
int screen_page_fresh_end(const struct said_page *p, int height);
/* When last laid out: the first row from `row` on where a block, or a paragraph, begins; else
 * `otherwise`. */
int screen_page_block_from(const struct said_page *p, int row, int otherwise);
int screen_page_paragraph_from(const struct said_page *p, int row, int otherwise);

#endif
