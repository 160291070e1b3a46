#include "habits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CODES = 128, WORD = 32 };

static struct {
    /* "" until a key line has one; and the view that had it first */
    char word[WORD], in[WORD];
    bool used, told;
} letter[CODES];
static int wrong;
static const char *view_name;

/* What chooses a thing that the screen shows with it has no meaning of its own: the number of a
 * line, the place of a play's option. */
static bool counts_things(uint32_t code) {
    return code >= CODES || strchr("0123456789<>(){}", (int)code) != NULL;
}

/* A letter that does what Esc or an arrow does is that key by another name: it closes the view, as
 * q does and the letter that opened it, or moves, as j and k do. */
static bool is_alias(const struct action *a) {
    static const uint32_t named[] = {PRESS_ESC, PRESS_UP, PRESS_DOWN};
    for (size_t i = 0; i < BASE_COUNT(named); i++)
        if (screen_key_is(&(struct key){.code = named[i]}, a->keys)) return true;
    return false;
}

static void note_key(uint32_t code, const char *word) {
    if (counts_things(code)) return;
    letter[code].used = true;
    if (!word) return; /* in the help only: another row has the word */
    if (!*letter[code].word) {
        snprintf(letter[code].word, WORD, "%s", word);
        snprintf(letter[code].in, WORD, "%s", view_name);
    } else if (strcmp(letter[code].word, word) != 0 && !letter[code].told) {
        letter[code].told = true;
        print_message("# %c is \"%s\" in %s and \"%s\" in %s\n", (int)code, letter[code].word,
                      letter[code].in, word, view_name);
        wrong++;
    }
}

static void note_action(void *to, const struct action *a, const char *keys) {
    uint32_t code;
    (void)to;
    if (!keys || is_alias(a)) return;
    /* the letters of bins stand next to them */
    bool labels_things = !a->label && !a->act;
    while ((code = screen_key_named(&keys)) != PRESS_NONE)
        if (code > ' ' && code < CODES && !labels_things) note_key(code, a->label);
}

void habits_note(const struct view *v) {
    view_name = v->does->name;
    for (size_t i = 0; i < v->does->count; i++)
        note_action(NULL, &v->does->actions[i], v->does->actions[i].keys);
    screen_actions_each(v, note_action, NULL);
}

static bool is_letter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void habits_check(void) {
    for (int a = '!'; a <= '~'; a++) {
        if (letter[a].used && !*letter[a].word) {
            print_message("# %c has no word in any key line\n", a);
            wrong++;
        }
        for (int b = a + 1; is_letter(a) && b <= '~'; b++) {
            if (!is_letter(b) || !*letter[a].word || strcmp(letter[a].word, letter[b].word) != 0)
                continue;
            print_message("# %c in %s and %c in %s are both \"%s\"\n", a, letter[a].in, b,
                          letter[b].in, letter[a].word);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}
