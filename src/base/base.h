/* base: what every module uses, except account and lab. Checked memory, growing text, UTF-8 and its
 * width in cells, JSON in and out, paths, files, time, seeded numbers, messages. It knows no other
 * module.
 *
 * Ownership: what a function named *_new, *_dup, *_take or *_read returns is the caller's and goes
 * back through free() (strings), json_decref() (JSON) or the type's own *_free(). Nothing else is
 * handed over. */
#ifndef BASE_H
#define BASE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

#define BASE_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define BASE_COUNT(array) (sizeof(array) / sizeof *(array))

/* ── checked memory ──────────────────────────────────────────────────────────────────────────────
 * These never return NULL. If memory runs out they call the hook (which restores the terminal), say
 * so on standard error and exit with status 1. A size of zero is a bug and asserts. */
void *base_alloc(size_t size) __attribute__((malloc, returns_nonnull)); /* zeroed */
void *base_grow(void *old, size_t count, size_t size) __attribute__((returns_nonnull));
char *base_dup(const char *s) __attribute__((malloc, returns_nonnull));
char *base_format(const char *format, ...) BASE_PRINTF(1, 2)
    __attribute__((malloc, returns_nonnull));
/* An id as words: "four-piles" is "Four piles", and "1.3" as it is; the caller's. */
char *base_words(const char *id);
/* Sets the function that is called once before the program exits for lack of memory. */
void base_on_death(void (*hook)(void));

/* ── growing text ────────────────────────────────────────────────────────────────────────────────
 * {0} is an empty text. `s` is always NUL-terminated once anything was added. */
struct base_text {
    char *s;
    size_t length, capacity;
};
void base_text_add(struct base_text *t, const char *s, size_t n);
void base_text_puts(struct base_text *t, const char *s);
void base_text_printf(struct base_text *t, const char *format, ...) BASE_PRINTF(2, 3);
/* The text itself ("" if nothing was added), which the caller now owns; `t` is empty again. */
char *base_text_take(struct base_text *t);
void base_text_free(struct base_text *t);

/* ── UTF-8 ───────────────────────────────────────────────────────────────────────────────────────
 * Reads one code point at *s (before `end`) and advances; a broken sequence advances one byte and
 * gives U+FFFD. */
uint32_t base_utf8_next(const char **s, const char *end);
/* Writes a code point as UTF-8, returns its length in bytes (1 to 4). `out` holds 4. */
size_t base_utf8_put(char *out, uint32_t code);
bool base_utf8_valid(const char *s, size_t n);
/* Cells that a code point takes: 0, 1 or 2; control characters count 0. Independent of the
 * locale. */
int base_code_width(uint32_t code);
/* Cells that a string takes on one line. */
int base_width(const char *s);
/* A copy that is safe to show: valid UTF-8, no control characters but \n and \t, at most `most`
 * bytes. */
char *base_clean_dup(const char *s, size_t n, size_t most);
/* Whether these bytes are one line of text that is safe to show: valid UTF-8 without control
 * characters and marks that reorder the text around them. */
bool base_is_line(const char *s, size_t n);
/* Copies as much of a text as fits into `room` bytes with its end, made safe and on one line. */
void base_line_copy(char *out, size_t room, const char *text);

/* ── messages ────────────────────────────────────────────────────────────────────────────────────
 * What went wrong, where, and what to do. Errors pass between modules in no other way. */
struct base_message {
    char what[400];
    /* "" if no file is to blame */
    char file[160];
    /* 0 if none */
    int line;
};
/* Fills the message and returns false, so that `return base_fail(m, …)` reads well. `m` may be
 * NULL. The text is one line of UTF-8 without control characters, whatever the name of a file
 * contains. */
bool base_fail(struct base_message *m, const char *format, ...) BASE_PRINTF(2, 3);
bool base_fail_at(struct base_message *m, const char *file, int line, const char *format, ...)
    BASE_PRINTF(4, 5);
/* Prints "zerotutor: …" on standard error: in lines of whole words if that is a terminal, else in
 * one line. */
void base_say_error(const char *text);
/* The text in lines of at most `columns` cells, broken at blanks; a longer word stays whole. The
 * caller owns it. */
char *base_fold(const char *text, int columns);
/* "file:line: what", or "what". Lives as long as the buffer given. */
const char *base_message_text(const struct base_message *m, char *out, size_t size);

/* ── JSON ────────────────────────────────────────────────────────────────────────────────────────
 * jansson's own types are used throughout. Borrowed strings live as long as their object. */
json_t *base_json_read(const char *text, size_t n, const char *name, struct base_message *m);
/* The same without a message. Names that stand twice are refused, as is an
 * outermost value that is neither an array nor an object. */
json_t *base_json_parse(const char *text, size_t n);
json_t *base_json_read_file(const char *path, struct base_message *m);
const char *base_json_text(const json_t *object, const char *key, const char *otherwise);
int64_t base_json_int(const json_t *object, const char *key, int64_t otherwise);
double base_json_number(const json_t *object, const char *key, double otherwise);
bool base_json_bool(const json_t *object, const char *key, bool otherwise);
/* Calls `each` with every member of an object as text: strings as they are, numbers with all their
 * digits (an integral real has no point), true as "on", false as "off", null skipped. Nested values
 * are refused. Stops at the first false. */
bool base_json_fields(const json_t *object,
                      bool (*each)(void *self, const char *name, const char *text,
                                   struct base_message *m),
                      void *self, struct base_message *m);

/* ── files and paths ───────────────────────────────────────────────────────────────────────────*/
/* The whole file, NUL-terminated; NULL with the message filled if it cannot be read, is no regular
 * file (a folder, a pipe, a device), or is larger than `most` bytes. */
char *base_file_read(const char *path, size_t most, size_t *length, struct base_message *m);
/* Reads an open file to its end, whatever size it claims, at most `most` bytes. False with errno,
 * EFBIG if there is more; what was read is in `out` then, too. */
bool base_fd_read(int fd, size_t most, struct base_text *out);
/* Writes all of it. False with errno; part of it may then be written. */
bool base_fd_write(int fd, const char *data, size_t n);
/* The first line of such a file, without its line feed, at most `most` bytes with it (< 2^31); NULL
 * with the message filled if the line has no end there. The caller's. */
char *base_file_line(const char *path, size_t most, struct base_message *m);
/* Writes a new file next to it and renames that, so the file is either complete or unchanged.
 * Through a symbolic link it writes the file that the link leads to; the link stays, and so do a
 * file's modes. False with the message filled if that is not possible. Then nothing has changed. */
bool base_file_write(const char *path, const char *data, size_t n, struct base_message *m);
/* Opens a file to be written piece by piece from its start. Follows no symbolic link and refuses a
 * FIFO or a socket. Devices (/dev/null) are accepted. Returns NULL with the message filled, else a
 * file that the caller closes with fclose(). */
FILE *base_file_begin(const char *path, struct base_message *m);
enum base_wrote {
    BASE_WROTE,
    /* nothing was written: another program's file is there */
    BASE_DIFFERS,
    /* nothing was written; the message says why */
    BASE_UNWRITTEN
};
/* The same for a file that does not exist yet. If several programs create it at the same time, one
 * of them succeeds and the others get BASE_DIFFERS. */
enum base_wrote base_file_create(const char *path, const char *data, size_t n,
                                 struct base_message *m);
/* The same for a file whose content the caller knows. It never overwrites other content, not even
 * if another program writes it at this moment. `known` reads the file that it is given and returns
 * whether its content is the known one. If there is no file it returns true, and the file is
 * created. File systems that cannot exchange two files leave a moment between the look and the
 * rename. */
enum base_wrote base_file_replace(const char *path, const char *data, size_t n,
                                  bool (*known)(void *self, const char *path), void *self,
                                  struct base_message *m);
/* Makes a folder and the folders above it. New ones are open to the user only (0700). */
bool base_make_dirs(const char *path, struct base_message *m);
/* Whether a folder's path can be used or made. False with the message filled if it is a symbolic
 * link to something that does not exist. Makes nothing. */
bool base_link_leads(const char *path, struct base_message *m);
/* Where lessons/, lua/ and data/ are: $ZEROTUTOR_SHARE if it is set, else ../share/zerotutor next
 * to the executable's folder, else the checkout above it. NULL if there is no lessons/course.json
 * there. The string is base's own, until the environment changes. */
const char *base_share(void);
/* The path of the running program, the caller's; NULL if the system does not tell. */
char *base_program(void);
/* Of the program. */
#define BASE_VERSION "0.1.0"
/* The learner's folder: $ZEROTUTOR_HOME, else $XDG_DATA_HOME/zerotutor, else
 * ~/.local/share/zerotutor. Not created here. */
const char *base_home(void);
/* Whether base_home() is the same folder wherever the program starts. False with the message filled
 * if it would follow from a HOME that is empty or relative. */
bool base_home_check(struct base_message *m);
/* share joined with a relative path; the caller owns it. */
char *base_share_path(const char *relative);
/* The end of a path that leads below share, as it was given to base_share_path(); all of any other
 * path. Points into `path`. */
const char *base_share_below(const char *path);

/* ── child processes ───────────────────────────────────────────────────────────────────────────*/
/* Makes a forked child ready to become another program: in a group of its own, so that ^C at the
 * terminal is the program's to answer and the whole group can be ended; killed by the system if
 * `parent` dies (Linux), with no signal blocked or handled. `in`, `out` and `err` become its
 * standard descriptors, and must lie above them. Ends the child if the parent is gone already. */
enum { BASE_NOWHERE = -1 }; /* /dev/null */
void base_child_begin(pid_t parent, int in, int out, int err);
/* Runs a program, found as a shell finds it, and waits for its end; `out` gets the first `most`
 * bytes that it prints, and what it says of errors is not shown. Returns its exit status, which is
 * 127 if there is no such program; -1 if it was ended by a signal. */
int base_output(char *const argv[], size_t most, struct base_text *out);
/* From now on this process, if it works on what a stranger wrote, leaves no core and has at most so
 * much memory (not under the address sanitizer, which maps terabytes) … */
void base_limit_memory(uint64_t bytes);
/* … and so many more seconds of a processor, after which the system ends it. */
void base_limit_time(int seconds);

/* ── time and chance ───────────────────────────────────────────────────────────────────────────*/
/* Seconds since 1970; $ZEROTUTOR_NOW (seconds) fixes it for tests and pictures. */
int64_t base_now(void);
/* Milliseconds of a clock that never goes back; $ZEROTUTOR_TICKS (milliseconds) fixes it for tests
 * and pictures. */
int64_t base_ticks(void);
/* FNV-1a 64 of a string, continued from `seed` (0 starts). */
uint64_t base_hash(uint64_t seed, const char *s);
/* splitmix64: the next number of the stream in *state. */
uint64_t base_random(uint64_t *state);

/* ── shares ────────────────────────────────────────────────────────────────────────────────────*/
/* A share of 1 in whole percent, never rounded up: what is below a bound of whole percent is shown
 * below it, 0.899 as 89. */
int base_percent(double share);

#endif
