/* input: how an answer is given. Each form of lesson_ask has one constant struct of operations;
 * what they share is a list of options with a cursor, or a field. Private to the module. */
#ifndef SCREEN_INPUT_H
#define SCREEN_INPUT_H

#include "page/page.h"
#include "screen/editor.h"
#include "screen/keys.h"
#include "screen/player.h"
#include "lesson/lesson.h"

enum { INPUT_OPTIONS = 64, INPUT_ROWS = 128, INPUT_BINS = 32 };
/* A click on bin i has target INPUT_BIN + i; one on the field INPUT_FIELD. */
enum { INPUT_BIN = 200, INPUT_FIELD = 300 };
enum input_result {
    INPUT_IGNORED,
    INPUT_REDRAW,
    /* `action` says what */
    INPUT_DO,
    /* the lab is to be run */
    INPUT_RUN,
    /* or its recordings played */
    INPUT_REPLAY,
    /* the memo is to be opened */
    INPUT_WRITE,
    /* or checked */
    INPUT_HAND_IN,
    /* Enter, but there is no answer yet: the operations' `unfinished` says what is missing */
    INPUT_UNFINISHED
};

enum input_enter {
    INPUT_READS_ON,
    INPUT_GOES_ON,
    INPUT_CHECKS,
    INPUT_CHOOSES,
    INPUT_IS_DONE,
    INPUT_STARTS,
    INPUT_OPENS
};
enum input_hand {
    INPUT_PLAIN,
    INPUT_SLIDES,
    INPUT_FILLS,
    INPUT_PICKS,
    INPUT_MARKS,
    INPUT_STEPS,
    INPUT_PLAYS
};

/* Cells that take a click where it falls: a field's, or the columns of the sliders' tracks. */
struct input_box {
    /* rows 0: those of the options */
    int row, column, width, rows;
};
struct input_operations;
struct input {
    const struct input_operations *does;
    /* borrowed from the session, renewed with every action */
    const struct lesson_ask *ask;
    struct editor field;
    /* the option or slider under the cursor; whether the learner has put it there, or has been told
     * what Enter would do */
    size_t at;
    bool aimed;
    /* order: its place; sort: its bin; ticks: 1; 0 is none */
    int mark[INPUT_OPTIONS];
    /* of the page it is drawn on, and the rows it may grow to; half of the body, which is the same
     * whatever is above it */
    int columns, capacity, half;
    /* on the terminal, when last drawn */
    struct input_box box;
    /* the slider under the cursor was clicked, and follows the mouse until another key */
    bool held;
    /* of a play; its speed stays from one to the next */
    struct player player;
    /* whether things may move by themselves */
    bool motion;
    struct lesson_action action;
    /* set by a form's key() when the key answers: the action's text */
    char *answer;
    /* of a lab to be run: the machine it was recorded on; NULL if it was not */
    char *recorded;
    /* it needs a GPU, and there is none */
    bool lacks_gpu;
};
/* Where things came to lie on the input's own page. */
struct input_spot {
    /* -1: no cursor */
    int cursor_row, cursor_column;
    /* by row: the option that a click there means, -1 none */
    int target[INPUT_ROWS];
    /* rows at the end that stay in view */
    int pinned;
    struct input_box box;
    /* where the bins are named */
    size_t bins;
    struct input_bin {
        int row, column, width;
    } bin[INPUT_BINS];
};
struct input_operations {
    /* printable keys go into the field */
    bool typing;
    /* what Enter does */
    enum input_enter enter;
    /* which keys of its own it has next to the arrows */
    enum input_hand hand;
    /* its keys, one line for the help; NULL if they are plain */
    const char *how;
    const char *unfinished;
    void (*draw)(struct input *in, struct page *p, struct input_spot *spot);
    enum input_result (*key)(struct input *in, const struct key *k);
};

/* Begins a new answer to `ask` (NULL: none is awaited). `history`: of expressions; words of one's
 * own have none. */
void screen_input_begin(struct input *in, const struct lesson_ask *ask,
                        const struct editor_history *history);
void screen_input_end(struct input *in);
/* Draws below what is on the page. */
void screen_input_draw(struct input *in, struct page *p, struct input_spot *spot);
enum input_result screen_input_key(struct input *in, const struct key *k);
/* How many lines have a number, up to 9, that is a key. */
size_t screen_input_numbered(const struct input *in);
/* Whether something was typed into the field. */
bool screen_input_typed(const struct input *in);

/* ── the forms: input_typed.c, input_cursor.c, input_play.c
 * ─────────────────────────────────────────────*/
/* The pile of memory that a line of a solution is, or ACCOUNT_CATEGORIES. */
enum account_category screen_input_pile(const struct lesson_sheet_line *l);

extern const struct input_operations screen_input_next, screen_input_number, screen_input_line,
    screen_input_choice, screen_input_order, screen_input_sort, screen_input_ticks,
    screen_input_sliders, screen_input_text, screen_input_scenes, screen_input_play,
    screen_input_runs, screen_input_memo;

#endif
