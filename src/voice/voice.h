/* voice: a text read aloud: its lines and who speaks each, how they are said, and the synthesiser
 * that says them, which runs beside the program. Knows base only.
 *
 * Ownership: voice_lines_free() frees what was added to lines. A speech holds a process until
 * voice_goes_on() or voice_wait() found its end, or voice_stop() ended it. */
#ifndef VOICE_H
#define VOICE_H

#include "base/base.h"

#include <sys/types.h>

/* ── lines: lines.c, spoken.c ──────────────────────────────────────────────────────────────────*/
/* the paragraph that a title is */
#define VOICE_TITLE ((size_t)-1)

struct voice_line {
    /* "" if no speaker is named */
    char *who;
    /* as it is written, without marks; as it is spoken */
    char *text, *spoken;
    /* 0 tells what no speaker says; the speakers of a dialogue have 1 and 2 */
    size_t voice;
    /* the part of the text that it belongs to, and the paragraph of that part, from 0 */
    size_t part, paragraph;
};
/* How a text is said: units, symbols and formulas in words. The caller's. */
char *voice_words(const char *text);
/* The same for a synthesiser, with names as they are pronounced. */
char *voice_spoken(const char *text);
/* Adds to `out`, which has what was before, the words for what begins at `at` in `text`; returns
 * how many bytes they stand for. 0 if it is said as it is written. */
size_t voice_words_at(const char *text, const char *at, struct base_text *out);
/* {0} has none. */
struct voice_lines {
    struct voice_line *at;
    size_t count;
};
/* Adds the title of a part as a sentence; nothing if it is "". */
void voice_lines_title(struct voice_lines *l, size_t part, const char *title);
/* Adds the paragraphs of a part, which is Markdown, without its tables. "**Ruth.** What …" is
 * Ruth's. Each item of a list is a line of the same paragraph. */
void voice_lines_text(struct voice_lines *l, size_t part, const char *markdown);
/* Whether two voices take turns. */
bool voice_lines_talk(const struct voice_lines *l);
void voice_lines_free(struct voice_lines *l);

/* ── synthesisers: speech.c ────────────────────────────────────────────────────────────────────*/
struct voice_synthesiser;
/* Finds the first synthesiser that is installed, on $PATH, without running it: one that can write
 * WAV files if `writes`. $ZEROTUTOR_VOICE names the only one to look for. NULL if there is none. */
const struct voice_synthesiser *voice_find(bool writes);
const char *voice_name(const struct voice_synthesiser *s);

/* One process that speaks, or nothing: {0}. */
struct voice_speech {
    const struct voice_synthesiser *with;
    /* of the process, and of its group; 0: nothing is spoken */
    pid_t pid;
    /* while something is spoken: readable when it may have ended */
    int fd;
    /* of what has ended: its exit status, or 128 + the signal that ended it */
    int status;
};
/* Starts to speak line `i` of `l` and returns. The process ends with this program, however that
 * ends. False with the message filled if it cannot be started. */
bool voice_speak(struct voice_speech *s, const struct voice_synthesiser *with,
                 const struct voice_lines *l, size_t i, struct base_message *m);
/* Starts to write all lines, in their voices, into a WAV file. The same otherwise. */
bool voice_write(struct voice_speech *s, const struct voice_synthesiser *with,
                 const struct voice_lines *l, const char *file, struct base_message *m);
/* Looks after the descriptor was readable: false once it has ended, and `status` says how. Called
 * earlier, it waits for that. */
bool voice_goes_on(struct voice_speech *s);
/* Stops the speech where it is, with all of its processes, or has it go on; nothing if nothing is
 * spoken. */
void voice_rest(struct voice_speech *s, bool rests);
/* Waits until the speech has ended, or until there is something to read from `fd` (-1: nothing):
 * returns false then. Meanwhile SIGTSTP (^Z) stops the speech with the program. */
bool voice_listen(struct voice_speech *s, int fd);
/* The same to the end; returns the status. */
int voice_wait(struct voice_speech *s);
/* Whether a line that took so many milliseconds can have been heard. Without a sound device
 * espeak-ng ends well after a moment; no voice says a thousand characters a second. */
bool voice_was_heard(const struct voice_line *l, int64_t ms);
/* Ends the speech and all processes that it started; nothing if nothing is spoken. */
void voice_stop(struct voice_speech *s);

#endif
