/* Frames over a socket that never blocks. Inside meet*.c only. */
#ifndef LAB_MEET_LINK_H
#define LAB_MEET_LINK_H

#include "lab/meet.h"

enum lab_frame_kind {
    LAB_FRAME_HELLO = 1, /* struct lab_hello */
    LAB_FRAME_WELCOME,   /* all have come */
    LAB_FRAME_REFUSED,   /* why */
    LAB_FRAME_EXCHANGE,  /* doubles: of one rank; back: of all */
    LAB_FRAME_SHARE,
    LAB_FRAME_LINE,
    LAB_FRAME_ABORT, /* struct lab_end */
    LAB_FRAME_BYE
};
#define LAB_HELLO_MAGIC 0x5a4c4142u /* "ZLAB" */
enum { LAB_FRAME_MOST = 64 * LAB_MEET_NUMBERS * 8 };
struct lab_hello {
    uint32_t magic, version, rank, ranks;
    uint64_t nonce;
    struct lab_meet_card card;
};
struct lab_end {
    int32_t rank; /* that is to blame; −1: none in particular */
    char why[300];
};
struct lab_frame { /* the head of it; `bytes` follow */
    uint32_t magic, kind, bytes;
};
struct lab_bytes {
    char *at;
    size_t used, room;
};
struct lab_link {
    int fd; /* −1: none */
    struct lab_bytes in, out;
    bool ended;   /* the other side sends no more */
    bool strange; /* what came is no frame of ours */
};
void lab_link_open(struct lab_link *l, int fd);
void lab_link_close(struct lab_link *l);
void lab_link_put(struct lab_link *l, enum lab_frame_kind kind, const void *bytes, size_t n);
void lab_link_put_text(struct lab_link *l, enum lab_frame_kind kind, const char *text);
/* Sends and reads what goes without waiting. */
void lab_link_move(struct lab_link *l);
/* What of poll() would move it. */
short lab_link_wants(const struct lab_link *l);
/* Takes the first frame of the kind (0: of any) that has come whole; up to `room` bytes of it into `to`, *n: how many it has. 0: there is none. */
enum lab_frame_kind lab_link_take(struct lab_link *l, enum lab_frame_kind kind, void *to,
                                  size_t room, size_t *n);
/* The same for text, ended by a zero. */
bool lab_link_take_text(struct lab_link *l, enum lab_frame_kind kind, char *to, size_t room);

/* Sockets of a place: rank 0's, and one to it. −1 with one line. */
int lab_meet_listen(const struct lab_meet_place *p, struct lab_message *m);
int lab_meet_connect(const struct lab_meet_place *p, struct lab_message *m);
void lab_meet_tune(int fd);

/* Rank 0's middle of the star, on its own thread, from start to the last rank's leave. `fd` is its end of rank 0's own connection. */
struct lab_hub;
struct lab_hub *lab_hub_start(const struct lab_meet_place *p, int listener, int fd,
                              const struct lab_meet_hearer *hearer, struct lab_message *m);
void lab_hub_join(struct lab_hub *h);

#endif
