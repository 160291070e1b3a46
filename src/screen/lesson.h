/* lesson: the view of a lesson being taken. lesson.c is the view and its keys, lesson_notes.c what
 * is next to the page and can be looked up or added, lesson_review.c the keys of reviews,
 * lesson_aloud.c reading aloud, lesson_dialogue.c turns events into the page and the input,
 * lesson_draw.c lays it out. Private to the module. */
#ifndef SCREEN_LESSON_H
#define SCREEN_LESSON_H

#include "screen/input.h"
#include "screen/outline.h"
#include "screen/pane.h"
#include "screen/page.h"
#include "screen/view.h"
#include "voice/voice.h"

/* The lesson as it is read aloud. */
struct lesson_aloud {
    struct voice_speech speech;
    /* of the whole lesson, while something is spoken */
    struct voice_lines lines;
    /* the line that is spoken */
    size_t at;
    struct screen_page_spoken spot;
    /* when it began (base_ticks()) */
    int64_t began;
    /* bring it into view with the next drawing */
    bool follow;
};
struct lesson {
    struct view view;
    struct session *session;
    struct said_page page;
    /* What was said before the page that is on: the answer to the last try, say. It is on the
     * screen while `looking`: at first, and again one key back. */
    struct said_page past;
    bool looking;
    /* that it is about */
    int past_try;
    struct input input;
    struct editor_history history;
    struct outline outline;
    struct pane pane;
    /* Keys that the question has: the numbers that answer a play, and its options, or the numbers
     * of lines and letters of bins. */
    struct action tunes[1 + ACCOUNT_PLAY_OPTIONS];
    size_t tuned;
    char numbers[2 * 10], letters[2 * 26];
    /* where it stands, from 0, of how many */
    size_t step, steps;
    /* what it was opened as: an id or a file */
    char *from;
    /* of the step, or NULL */
    char *title;
    /* the step's id */
    char *here;
    /* of the step, or NULL */
    char *sources;
    /* Once over: the steps to look at again, as the page numbers them; the lesson of each, NULL:
     * this one. */
    char *again_at[LESSON_AGAIN], *again_in[LESSON_AGAIN];
    size_t again;
    /* this step alone is looked at again: after it comes the lesson's last */
    bool alone;
    /* a lab is on top, which brings events */
    bool away;
    /* once over: the lesson to take next, in the course; its count if none */
    size_t next;
    /* the dialogue has ended; what it said last is on the page */
    bool over;
    /* once over: the course is, and says what to learn next */
    bool onwards;

    /* The page is a window: `top` is where it is to be, `shown` where it is (they differ while it
     * glides there). */
    int top, shown;
    /* of the step: whether it has a bookmark, and the learner's note or NULL */
    bool bookmark;
    char *note;
    /* bring what was said last into view with the next drawing */
    bool follow;
    /* a slider was: keep the end of its figure in view */
    bool moved;
    /* the drawing, from 1, in which its figure's parts fly; 0: they rest */
    int flight;
    /* how far it was scrolled to show that; one may come back there */
    int last;
    /* of the terminal, when last drawn */
    int columns, rows;
    /* of the page, and of the window, when last drawn */
    int height, capacity;
    /* By how many rows it begins lower than the title. What is added to a page moves it up only if
     * it does not fit otherwise; < 0: it is another page, for which that is not known yet. */
    int lower;
    /* The page's greatest height since its sliders were first drawn: they do not move up. */
    int stands;
    /* the first row of the page that is drawn below the input, or -1; by how many rows it moves */
    int below, below_by;
    /* the question, or the page's end, comes into view when next drawn */
    bool to_end;
    /* In a low window a question is read whole before its options or its field take most of the
     * room: `folded` while it is, `unfolded` once it was. */
    bool folded, unfolded;
    /* rows that it takes with its gap, or would take */
    int takes;
    struct lesson_aloud aloud;
    /* rows of the page that were shown since it last changed */
    int seen;
    /* the same for an input that is too tall */
    int input_top;
};
/* ── the dialogue: lesson_dialogue.c ───────────────────────────────────────────────────────────*/
/* Takes the first events of a session that was just opened. */
void screen_lesson_begin(struct lesson *l);
/* Does an action, and makes what it brought into the page and the next input. */
unsigned screen_lesson_do(struct lesson *l, struct lesson_action a);
/* Reloads the lesson if its file was edited. True if it was. What is typed stays if the question is
 * still the same. */
bool screen_lesson_refresh(struct lesson *l);
/* The page that is on the screen. */
struct said_page *screen_lesson_page(const struct lesson *l);
/* From what was said before to the page, or back to it. */
unsigned screen_lesson_look(struct lesson *l, bool back);
/* How far, in hundredths, the parts of its figure have flown; 0: they rest. */
int screen_lesson_apart(const struct lesson *l);
/* The next drawing of their flight, which may be the one at rest. */
void screen_lesson_fly_on(struct lesson *l);
/* Forgets where the last page led. */
void screen_lesson_forget_ways(struct lesson *l);
/* Opens the lab that the step asks for. */
unsigned screen_lesson_run(struct lesson *l, bool recorded);
/* Takes what was done to the session by something else than screen_lesson_do(). */
void screen_lesson_took(struct lesson *l);
/* Reads again what the step has of bookmarks and notes. */
void screen_lesson_read_notes(struct lesson *l);
/* Takes what a lab brought: its results, or why it could not run. */
void screen_lesson_took_lab(struct lesson *l);
/* Opens the memo that the step asks for. */
unsigned screen_lesson_write(struct lesson *l);
/* Has the memo checked as it is. */
unsigned screen_lesson_hand_in(struct lesson *l);

/* ── next to the page: lesson_notes.c ──────────────────────────────────────────────────────────*/
/* Whether there is room for cards and scratch paper; whether keys go to the scratch paper. */
bool screen_lesson_is_wide(const struct lesson *l);
bool screen_lesson_calculates(const struct lesson *l);
/* Keys: the cards, the outline alone, nothing; scratch paper, and away with it. */
unsigned screen_lesson_turn_pane(struct view *v, const struct key *k);
unsigned screen_lesson_calculate(struct view *v, const struct key *k);
/* A key for the scratch paper. */
unsigned screen_lesson_sum_key(struct lesson *l, const struct key *k);

/* ── terms, bookmarks and notes: lesson_notes.c ────────────────────────────────────────────────*/
/* Keys: sets a bookmark at the step, or takes it away; writes a note. */
unsigned screen_lesson_bookmark(struct view *v, const struct key *k);
unsigned screen_lesson_write_note(struct view *v, const struct key *k);
/* Writes what is wrong with the step into a file. */
unsigned screen_lesson_report(struct view *v, const struct key *k);
/* Raises the hand for the teacher of the class, or lowers it. */
unsigned screen_lesson_hand(struct view *v, const struct key *k);
/* Goes to the step that the teacher opened for all. */
unsigned screen_lesson_follow(struct view *v, const struct key *k);
/* Says that the glossary waits until the card is turned. */
unsigned screen_lesson_keep_glossary(struct view *v, const struct key *k);
/* The terms in view: those of what was said last, then those above; NULL past the last. Those that
 * may tell what is asked are left out. */
const char *screen_lesson_term(const struct view *v, size_t nth);
/* Explains the term of a span of the page. */
unsigned screen_lesson_open_term(struct lesson *l, size_t i);

/* ── keys of reviews: lesson_review.c ──────────────────────────────────────────────────────────*/
/* Says that the back of a card was known, or not; takes the last answer back; leaves this out. */
unsigned screen_lesson_knew(struct view *v, const struct key *k);
unsigned screen_lesson_did_not(struct view *v, const struct key *k);
unsigned screen_lesson_undo(struct view *v, const struct key *k);
unsigned screen_lesson_suspend(struct view *v, const struct key *k);

/* ── once it is over: lesson_over.c ────────────────────────────────────────────────────────────*/
/* Keys: open the next lesson; what to learn after the course. */
unsigned screen_lesson_open_next(struct view *v, const struct key *k);
/* How many things the page on the screen lists that can be opened by their number. */
size_t screen_lesson_leads(const struct lesson *l);
/* The keys that only the page on the screen has. */
const struct action *screen_lesson_extra(const struct view *v, size_t *count);
unsigned screen_lesson_open_onwards(struct view *v, const struct key *k);
/* Opens this lesson anew at a step; `alone`: after it comes the lesson's last. */
unsigned screen_lesson_open_again(struct lesson *l, const char *step, bool alone);
/* The lesson's last step. */
const char *screen_lesson_last(const struct lesson *l);
/* Key: leaves the lesson; from a step that was looked at again, back to the lesson's end. */
unsigned screen_lesson_leave(struct view *v, const struct key *k);
/* A digit: opens what the page lists under it: a lesson of a result, or a step of this one. */
unsigned screen_lesson_open_listed(struct lesson *l, const struct key *k);

/* ── reading aloud: lesson_aloud.c ─────────────────────────────────────────────────────────────*/
/* Whether the step has prose and a synthesiser is installed; whether one speaks. */
bool screen_lesson_can_speak(const struct lesson *l);
bool screen_lesson_speaks(const struct lesson *l);
/* Keys: has the page read aloud from its beginning; stops that. */
unsigned screen_lesson_aloud(struct view *v, const struct key *k);
unsigned screen_lesson_silence(struct view *v, const struct key *k);
/* After the speech's descriptor was readable: goes on to the next line, if this one has ended. */
unsigned screen_lesson_speak_on(struct lesson *l);

/* ── the layout: lesson_draw.c ─────────────────────────────────────────────────────────────────*/
void screen_lesson_draw(struct view *v, struct frame *f);
/* Enter, where it turns the page. */
void screen_lesson_turn(struct lesson *l);
/* Whether Enter turns the page: there is more, and what was typed cannot be meant for it. */
bool screen_lesson_turns(const struct lesson *l);
/* Whether a row of the page was in the window when it was drawn. */
bool screen_lesson_shows(const struct lesson *l, int row);
void screen_lesson_scroll(struct lesson *l, int by);

#endif
