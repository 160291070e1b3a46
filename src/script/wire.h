/* wire: messages between the tutor and a lesson's worker. A message is a u32 little-endian length
 * and then that many bytes, 1 MiB at most: JSON, and after that of a request the texts it is about.
 * The tutor's end never waits longer than it is told and believes nothing it reads; the worker's
 * end may use only read(2) and write(2).
 *
 * Ownership: script_wire_free() frees what a struct wire_in gathered. */
#ifndef SCRIPT_WIRE_H
#define SCRIPT_WIRE_H

#include "base/base.h"

#define WIRE_MOST   (1u << 20)
#define WIRE_HEADER 4u
#define WIRE_DEPTH  32
#define WIRE_STRING 65536u

enum wire_end {
    /* done */
    WIRE_WHOLE,
    /* the time is up; receiving may go on later */
    WIRE_LATE,
    /* the other side closed or died */
    WIRE_GONE,
    /* the length announced is over WIRE_MOST */
    WIRE_TOO_LONG
};
/* A message on its way in; {0} is none yet. */
struct wire_in {
    unsigned char header[WIRE_HEADER];
    /* `got` counts the header too */
    size_t got, length;
    char *body;
};
/* The tutor's end. `until` is a time of base_ticks(). */
enum wire_end script_wire_send(int fd, const char *data, size_t n, int64_t until);
enum wire_end script_wire_receive(struct wire_in *in, int fd, int64_t until);
void script_wire_free(struct wire_in *in);
/* The message as JSON, or NULL if it is not JSON, nested deeper than WIRE_DEPTH, or holds a string
 * over WIRE_STRING. */
json_t *script_wire_json(const struct wire_in *in, struct base_message *m);

/* The worker's end: waits as long as it takes. False when the tutor is gone (or the message does
 * not fit in `capacity`). */
bool script_wire_read(int fd, char *out, size_t capacity, size_t *n);
bool script_wire_write(int fd, const char *data, size_t n);

/* ── what the tutor asks (request.c) ───────────────────────────────────────────────────────────*/
/* To load a lesson, with the language it is written in; the caller's. NULL with the message if the
 * text is no lesson at all (too long, compiled, not UTF-8), or the language's files are missing. */
#define REQUEST_LESSON (256u << 10) /* bytes of a lesson's file, at most */
char *script_request_load(const char *name, const char *text, size_t n, struct base_message *m);
/* What was asked, in the worker: {"do","name","text","lua":[{"name","text"} …]} or {"do","fn",
 * "seed"}; the caller's. NULL if it is no such thing. */
json_t *script_request_read(const char *message, size_t n);
/* To call a function of it. */
#define REQUEST_CALL 96
void script_request_call(char out[REQUEST_CALL], int fn, uint64_t seed);
struct script_call;
/* To call several; the caller's. */
char *script_request_calls(const struct script_call *call, size_t n);

#endif
