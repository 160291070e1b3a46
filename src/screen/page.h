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
struct page {
    struct block *block;
    size_t count;
    /* the first block of what was said last */
    size_t fresh;
};
void screen_page_clear(struct page *p);
/* What comes now was said in answer to a new action. */
void screen_page_begin(struct page *p);
/* Drops the message that an earlier answer could not be read: another answer has come. */
void screen_page_answered(struct page *p);
/* Adds an event that is shown (show, verdict, hint, trouble, end); a ledger replaces the figure
 * that is there, and a hint said again the one before.
 * `answer`: what the learner gave, for a verdict; may be NULL;
 * `picked`: it is an option, in Markdown. */
void screen_page_add(struct page *p, const struct lesson_event *e, const char *answer, bool picked);
/* Adds words of the program's own. Copied. */
void screen_page_say(struct page *p, enum lesson_tone tone, const char *markdown);
/* Adds the step's sources, or takes them away again. */
void screen_page_toggle_sources(struct page *p, const char *sources);
/* All that it says, as Markdown, of a play in all frames; the caller's. */
char *screen_page_words(const struct page *p);
/* The figure that was shown last, or NULL. */
const json_t *screen_page_figure(const struct page *p);
/* What of the page's first block is read aloud; where that is, when last laid out. */
struct screen_page_spoken {
    /* the title, else the paragraph, from 0 */
    bool title;
    size_t paragraph;
    int from, to;
};
/* The area to lay it out in. */
struct screen_page_area {
    /* figures use it, and prose up to FRAME_PROSE */
    int width;
    /* those that a figure should fit in, if it can choose; 0: any */
    int rows;
    /* of bars */
    int thick;
    /* how far, in hundredths, the figure's parts have flown; 0: they rest */
    int apart;
    /* Words of it are marked in the prose, and where they are is put into `terms`; NULL: none. */
    const struct session_glossary *glossary;
    struct terms *terms;
    /* marked, and its rows put there; NULL: nothing is read aloud */
    struct screen_page_spoken *spoken;
};
/* The page under its title (may be NULL). The caller frees it. */
struct page *screen_page_lay(struct page *p, const char *title, struct screen_page_area area,
                             const struct look *look);
/* When last laid out: the rows of its title and of the gap under it. */
int screen_page_title_rows(const struct page *p);
/* When last laid out: where what was said last begins; and the first row from `row` on where a
 * block begins, or `otherwise`. */
int screen_page_fresh_row(const struct page *p);
/* When last laid out: the first row of the last question's text, and the row after it. False if
 * nothing is asked. */
bool screen_page_question(const struct page *p, int *from, int *to);
/* The row after the first block of what was said last; `height` is the page's. */
int screen_page_fresh_end(const struct page *p, int height);
int screen_page_block_from(const struct page *p, int row, int otherwise);

#endif
