#include "lab/meet_link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void lab_link_open(struct lab_link *l, int fd) {
    *l = (struct lab_link){.fd = fd, .most = LAB_FRAME_MOST};
    (void)fcntl(fd, F_SETFL, O_NONBLOCK);
    (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
}
void lab_link_close(struct lab_link *l) {
    if (l->fd >= 0) (void)close(l->fd);
    free(l->in.at);
    free(l->out.at);
    *l = (struct lab_link){.fd = -1, .ended = true};
}

static bool make_room(struct lab_bytes *b, size_t more) {
    if (b->capacity - b->used >= more) return true;
    size_t capacity = 2 * b->capacity + more;
    char *at = realloc(b->at, capacity);
    if (!at) return false;
    b->at = at;
    b->capacity = capacity;
    return true;
}
static void drop(struct lab_bytes *b, size_t at, size_t n) {
    memmove(b->at + at, b->at + at + n, b->used - at - n);
    b->used -= n;
}
static void add(struct lab_bytes *b, const void *from, size_t n) {
    if (n) memcpy(b->at + b->used, from, n);
    b->used += n;
}

void lab_link_put(struct lab_link *l, enum lab_frame_kind kind, const void *bytes, size_t n) {
    struct lab_frame head = {LAB_HELLO_MAGIC, kind, (uint32_t)n};
    if (l->fd < 0 || !make_room(&l->out, sizeof head + n)) return;
    add(&l->out, &head, sizeof head);
    add(&l->out, bytes, n);
}
void lab_link_put_text(struct lab_link *l, enum lab_frame_kind kind, const char *text) {
    lab_link_put(l, kind, text, strlen(text));
}

static bool later(void) {
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}
static void send_some(struct lab_link *l) {
    while (l->out.used) {
        ssize_t n = send(l->fd, l->out.at, l->out.used, MSG_NOSIGNAL);
        if (n <= 0) {
            if (n < 0 && !later()) l->out.used = 0; /* reading will say that it has ended */
            return;
        }
        drop(&l->out, 0, (size_t)n);
    }
}
static void read_some(struct lab_link *l) {
    while (!l->ended && l->in.used <= 2 * (size_t)l->most && make_room(&l->in, 65536)) {
        ssize_t n = recv(l->fd, l->in.at + l->in.used, 65536, 0);
        if (n > 0)
            l->in.used += (size_t)n;
        else if (n == 0 || !later())
            l->ended = true;
        else
            return;
    }
}
void lab_link_move(struct lab_link *l) {
    if (l->fd < 0) return;
    send_some(l);
    read_some(l);
}
short lab_link_wants(const struct lab_link *l) {
    return (short)((l->ended ? 0 : POLLIN) | (l->out.used ? POLLOUT : 0));
}

bool lab_link_see(const struct lab_link *l, struct lab_frame *head) {
    if (l->in.used < sizeof *head) return false;
    memcpy(head, l->in.at, sizeof *head);
    return head->magic == LAB_HELLO_MAGIC;
}
enum lab_frame_kind lab_link_take(struct lab_link *l, enum lab_frame_kind kind, void *to,
                                  size_t capacity, size_t *n) {
    struct lab_frame head;
    for (size_t at = 0; !l->strange && at + sizeof head <= l->in.used;
         at += sizeof head + head.bytes) {
        memcpy(&head, l->in.at + at, sizeof head);
        l->strange = head.magic != LAB_HELLO_MAGIC || head.bytes > l->most;
        if (l->strange || l->in.used - at - sizeof head < head.bytes) break;
        if (kind && head.kind != kind) continue;
        *n = head.bytes;
        if (*n && capacity) memcpy(to, l->in.at + at + sizeof head, *n < capacity ? *n : capacity);
        drop(&l->in, at, sizeof head + head.bytes);
        return (enum lab_frame_kind)head.kind;
    }
    return (enum lab_frame_kind)0;
}
bool lab_link_take_text(struct lab_link *l, enum lab_frame_kind kind, char *to, size_t capacity) {
    size_t n;
    if (!lab_link_take(l, kind, to, capacity - 1, &n)) return false;
    to[n < capacity - 1 ? n : capacity - 1] = '\0';
    return true;
}
