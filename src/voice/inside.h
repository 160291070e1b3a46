/* inside.h: what the files of voice share. Calls go downwards only: lines.c, spoken.c, formula.c,
 * words.c. */
#ifndef VOICE_INSIDE_H
#define VOICE_INSIDE_H

#include "voice/voice.h"

/* ── what is around a place of a text, and words for it: words.c ───────────────────────────────*/
bool voice_is_digit(const char *text, const char *at);
bool voice_is_word(const char *text, const char *at);
/* Whether `what` ends before `at`. */
bool voice_follows(const char *text, const char *at, const char *what);
/* Adds words after one space. A second space follows them, unless the text at `next` begins with
 * a space or a mark. */
void voice_say(struct base_text *out, const char *words, const char *next);
/* Adds a comma; nothing where a sentence, or a part of it, begins or has just ended. */
void voice_pause(struct base_text *out);

/* A blank that keeps a number and its unit on one line. */
#define VOICE_BLANK "\u00a0"

/* ── units: words.c ────────────────────────────────────────────────────────────────────────────*/
/* These add the words for what is at `at` and return how many bytes they stand for. 0: there is
 * none. */
size_t voice_unit_at(const char *text, const char *at, struct base_text *out);

/* ── formulas: formula.c ───────────────────────────────────────────────────────────────────────*/
/* A bracket or fraction. Its other signs are said as they are anywhere. */
size_t voice_formula_at(const char *text, const char *at, struct base_text *out);
/* Whether a pause is heard before `at`, so that one hears what the signs hold together. */
bool voice_formula_pauses(const char *text, const char *at);

#endif
