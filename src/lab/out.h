/* What is written for the world, without ever waiting for a reader that does not read: first into
 * memory, then as fast as it is taken. Inside the lab only. */
#ifndef LAB_OUT_H
#define LAB_OUT_H

#include <stdbool.h>
#include <stdio.h>

struct lab_out {
    /* to write into; NULL: not open */
    FILE *file;
    int fd;
    /* what was written there, of which the first `sent` bytes are out */
    char *text;
    size_t size, sent;
    /* errno of the write that failed: from then on all is dropped */
    int error;
};
enum { LAB_OUT_FOREVER = -1 };

/* A file by its path (lab_out_create), or a descriptor that stays the caller's; false with
 * errno. */
bool lab_out_open(struct lab_out *o, const char *path);
bool lab_out_use(struct lab_out *o, int fd);
/* Sends what it can, and waits up to `ms` in all for what is left to be taken. True if nothing is
 * left. */
bool lab_out_send(struct lab_out *o, int ms);
/* Drops what is not sent. */
void lab_out_close(struct lab_out *o);

/* Opens a file to be written from its start: made where it is missing, cut to nothing where it is
 * not. A path is what it seems: no symbolic link is followed, and nothing is written into a FIFO or
 * a socket that stands there; devices (/dev/null) are taken, and /dev/stdout, /dev/stderr and
 * /dev/fd/N mean what this process was given. Returns a descriptor, the caller's; −1 with errno. */
int lab_out_create(const char *path);
/* Why that failed, and what to do. */
const char *lab_out_why(int error);

/* Writes text that may hold anything: control characters and what is no UTF-8 become \xNN, so that
 * a terminal does not obey them. */
void lab_out_text(FILE *f, const char *text);
/* A line on standard error, "zerolab: …", written so. */
void lab_out_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
