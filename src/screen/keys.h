/* keys: what a learner presses, as one number a key. Printable keys are their code point; the named
 * ones lie above Unicode. Private to the module. */
#ifndef SCREEN_KEYS_H
#define SCREEN_KEYS_H

#include "base/base.h"

enum press {
    PRESS_NONE,
    PRESS_ENTER = 0x110000,
    PRESS_ESC,
    PRESS_TAB,
    PRESS_BACKTAB,
    PRESS_BACKSPACE,
    PRESS_DELETE,
    PRESS_UP,
    PRESS_DOWN,
    PRESS_LEFT,
    PRESS_RIGHT,
    PRESS_HOME,
    PRESS_END,
    PRESS_PAGE_UP,
    PRESS_PAGE_DOWN,
    PRESS_F1,
    PRESS_F12 = PRESS_F1 + 11,
    /* Ctrl and an arrow; Ctrl and Home or End */
    PRESS_WORD_LEFT,
    PRESS_WORD_RIGHT,
    PRESS_FIRST,
    PRESS_LAST,
    /* Alt and h: for what is needed while letters are typed */
    PRESS_ALT_H,
    PRESS_ALT_G,
    PRESS_ALT_V,
    PRESS_ALT_X,
    PRESS_WHEEL_UP,
    PRESS_WHEEL_DOWN,
    /* at `row`, `column`; `target` once the run loop has looked up what lies there */
    PRESS_CLICK,
    /* the same, of where the mouse is moved with its button held */
    PRESS_DRAG,
    /* to `row` rows and `column` columns */
    PRESS_RESIZE,
    /* the view's descriptor is readable */
    PRESS_WATCHED,
    /* the view's time is up */
    PRESS_PACE,
    /* no terminal any more, or asked to end */
    PRESS_GONE,
    PRESS_CTRL_BASE = 0x120000
};
#define PRESS_CTRL(letter) (uint32_t)(PRESS_CTRL_BASE + (letter))
#define PRESS_F(n)         (uint32_t)(PRESS_F1 + (n)-1)

/* The `target` of a pasted character: it may be typed into a field, and does nothing else. Only
 * such a key is '\n' or '\t': a field of one line takes them for blanks. And that of the wheel over
 * a second pane, which leaves the list next to it alone: by how many rows it scrolls. */
enum { KEY_PASTED = -2, KEY_ASIDE = -3, KEY_ASIDE_ROWS = 3 };
struct key {
    uint32_t code;
    int row, column;
    /* PRESS_CLICK, PRESS_DRAG and the wheel: the number that the drawing view gave to the place, -1
     * if none; or one of the above */
    int target;
};

/* The key that a terminal's character is: "\r" is Enter, 0x13 Ctrl and S. PRESS_NONE for a control
 * character that is none. */
uint32_t screen_key_of_character(uint32_t code);
/* Whether the key types a character into a field. */
bool screen_key_types(const struct key *k);
/* Names of keys stand in lists with a blank between: "Enter Space F2 C-s q". The first code of such
 * a list, and *names moves past it; PRESS_NONE at the end. */
uint32_t screen_key_named(const char **names);
/* Such a list of as many characters in a row, from the first on ("1 2 3"); `size` holds the most
 * there can be. */
void screen_keys_in_a_row(char *out, size_t size, char first, size_t count);
/* Whether the key is one of a list. */
bool screen_key_is(const struct key *k, const char *names);
/* What a key is called on the screen: "⏎", "F2", "^S", "a". `ascii` avoids signs beyond ASCII. */
const char *screen_key_caption(uint32_t code, bool ascii, char *out, size_t size);
/* Reads the next key of a text that names keys ("1.1<Enter><F2><resize:40x12>") and moves *text
 * past it. False at the end (with an empty message) or if it cannot be read. <wait:…> is passed
 * over: nothing here needs waiting for. */
bool screen_key_read(const char **text, struct key *out, struct base_message *m);

#endif
