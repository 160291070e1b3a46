/* Frames over a socket that never blocks. Inside meet*.c only. */
#ifndef LAB_MEET_LINK_H
#define LAB_MEET_LINK_H

#include "lab/interface.h"
#include "lab/meet.h"

/* The first and the third are the same in all versions. */
enum lab_frame_kind {
    /* struct lab_join: a client's request */
    LAB_FRAME_JOIN = 1,
    /* all ranks have joined */
    LAB_FRAME_READY,
    /* why */
    LAB_FRAME_REFUSED,
    /* doubles: of one rank; back: of all */
    LAB_FRAME_EXCHANGE,
    LAB_FRAME_SHARE,
    LAB_FRAME_LINE,
    /* struct lab_end */
    LAB_FRAME_ABORT,
    LAB_FRAME_BYE,
    /* struct lab_challenge: rank 0's answer to a join request */
    LAB_FRAME_CHALLENGE,
    /* a client's answer: that is not my run's rank 0 */
    LAB_FRAME_UNKNOWN,
    /* struct lab_hello: … or that it is */
    LAB_FRAME_HELLO,
    /* the client is one of the ranks */
    LAB_FRAME_ACCEPTED
};
#define LAB_HELLO_MAGIC 0x5a4c4142u /* "ZLAB" */
enum { LAB_FRAME_MOST = 64 * LAB_MEET_NUMBERS * 8 };
struct lab_join {
    uint32_t magic, version;
    unsigned char nonce[LAB_NONCE_BYTES];
};
struct lab_challenge {
    unsigned char nonce[LAB_NONCE_BYTES];
    struct lab_proof proof;
};
/* Who a rank is. */
struct lab_about {
    uint32_t rank, ranks;
    struct lab_meet_card card;
};
struct lab_hello {
    struct lab_about about;
    struct lab_proof proof;
};
/* Whose proof it is: one side's is none of the other's. */
#define LAB_PROOF_RANK_0 "zerolab rank 0"
#define LAB_PROOF_CLIENT "zerolab client"
#define LAB_SAME_SECRET                                                                            \
    "set ZEROLAB_SECRET to the same words on all ranks, or let their machines share the home "     \
    "folder"
struct lab_end {
    /* that is to blame; −1: none in particular */
    int32_t rank;
    char why[300];
};
/* The head of it; `bytes` follow. */
struct lab_frame {
    uint32_t magic, kind, bytes;
};
struct lab_bytes {
    char *at;
    size_t used, capacity;
};
enum { LAB_UNPROVED_MOST = 1024 }; /* bytes in a frame of a client without a proof */
struct lab_link {
    /* −1: none */
    int fd;
    /* bytes of a frame that are taken */
    uint32_t most;
    struct lab_bytes in, out;
    /* the other side sends no more */
    bool ended;
    /* the other side sent bytes that are not a frame */
    bool garbled;
};
void lab_link_open(struct lab_link *l, int fd);
void lab_link_close(struct lab_link *l);
void lab_link_put(struct lab_link *l, enum lab_frame_kind kind, const void *bytes, size_t n);
void lab_link_put_text(struct lab_link *l, enum lab_frame_kind kind, const char *text);
/* Sends and reads what goes without waiting. */
void lab_link_move(struct lab_link *l);
/* What of poll() would move it. */
short lab_link_wants(const struct lab_link *l);
/* The head of the first frame, as soon as that much of it has come. False: not yet, or it is no
 * frame of ours. */
bool lab_link_see(const struct lab_link *l, struct lab_frame *head);
/* Takes the first frame of the kind (0: of any) that has come whole; up to `capacity` bytes of it
 * into `to`, *n: how many it has. 0: there is none. */
enum lab_frame_kind lab_link_take(struct lab_link *l, enum lab_frame_kind kind, void *to,
                                  size_t capacity, size_t *n);
/* The same for text, ended by a zero. */
bool lab_link_take_text(struct lab_link *l, enum lab_frame_kind kind, char *to, size_t capacity);

/* ── sockets of a place ── */

enum { LAB_LISTENERS = 8 };
/* Opens rank 0's: one at each address of this machine that the place's name stands for, and at no
 * other. Waits until the deadline for the name, and for a port that another program holds. Returns
 * how many; 0 with one line. The caller closes them. */
size_t lab_meet_listen(const struct lab_meet_place *p, int fd[LAB_LISTENERS],
                       struct lab_message *m);
void lab_meet_tune(int fd);
/* The addresses of a place; NULL with why, in words. freeaddrinfo() them. */
struct addrinfo *lab_meet_resolve(const struct lab_meet_place *p, const char **why);
void lab_meet_not_found(const struct lab_meet_place *p, const char *why, struct lab_message *m);
enum { LAB_RETRY_MS = 200 }; /* until a name or an address is tried again */

/* meet_find.c: looks for rank 0 at all addresses of its place until the deadline. False with one
 * line. True: `link` is one to a rank 0 that has proved itself and accepted this rank. The
 * caller closes it. */
bool lab_meet_find(const struct lab_meet_place *p, const struct lab_about *about,
                   struct lab_link *link, struct lab_message *m);

/* Rank 0's middle of the star, on its own thread, from start to the last rank's leave. `fd` is its
 * end of rank 0's own connection. */
struct lab_hub;
/* Takes the `listeners` sockets, which it closes. */
struct lab_hub *lab_hub_start(const struct lab_meet_place *p, const int *listener, size_t listeners,
                              int fd, const struct lab_meet_hearer *hearer, struct lab_message *m);
void lab_hub_join(struct lab_hub *h);

#endif
