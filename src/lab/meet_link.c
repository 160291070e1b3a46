/* Frames over a socket that never blocks, and the sockets of a meeting place. */
#include "lab/meet_link.h"

#include "lab/cpu/word.h"
#include "lab/out.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ── frames ── */

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

static bool can_hold(struct lab_bytes *b, size_t more) {
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
    if (l->fd < 0 || !can_hold(&l->out, sizeof head + n)) return;
    add(&l->out, &head, sizeof head);
    add(&l->out, bytes, n);
}
void lab_link_put_text(struct lab_link *l, enum lab_frame_kind kind, const char *text) {
    lab_link_put(l, kind, text, strlen(text));
}

static bool is_later(void) {
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}
static void send_some(struct lab_link *l) {
    while (l->out.used) {
        ssize_t n = send(l->fd, l->out.at, l->out.used, MSG_NOSIGNAL);
        if (n <= 0) {
            if (n < 0 && !is_later()) l->out.used = 0; /* reading will say that it has ended */
            return;
        }
        drop(&l->out, 0, (size_t)n);
    }
}
static void read_some(struct lab_link *l) {
    while (!l->ended && l->in.used <= 2 * (size_t)l->most && can_hold(&l->in, 65536)) {
        ssize_t n = recv(l->fd, l->in.at + l->in.used, 65536, 0);
        if (n > 0)
            l->in.used += (size_t)n;
        else if (n == 0 || !is_later())
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
    for (size_t at = 0; !l->garbled && at + sizeof head <= l->in.used;
         at += sizeof head + head.bytes) {
        memcpy(&head, l->in.at + at, sizeof head);
        l->garbled = head.magic != LAB_HELLO_MAGIC || head.bytes > l->most;
        if (l->garbled || l->in.used - at - sizeof head < head.bytes) break;
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

/* ── sockets ── */

/* A machine that loses its power says nothing: then the kernel asks, and finds out within half a
 * minute. */
void lab_meet_tune(int fd) {
    static const struct {
        int level, name, value;
    } options[] = {
        {SOL_SOCKET, SO_KEEPALIVE, 1},  {IPPROTO_TCP, TCP_NODELAY, 1},
#ifdef TCP_KEEPIDLE
        {IPPROTO_TCP, TCP_KEEPIDLE, 5}, {IPPROTO_TCP, TCP_KEEPINTVL, 5},
        {IPPROTO_TCP, TCP_KEEPCNT, 4},
#endif
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        (void)setsockopt(fd, options[i].level, options[i].name, &options[i].value, sizeof(int));
}

struct addrinfo *lab_meet_resolve(const struct lab_meet_place *p, const char **why) {
    struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    int error = getaddrinfo(p->host, p->port, &wanted, &found);
    if (error) *why = gai_strerror(error);
    return error ? NULL : found;
}
/* ── rank 0's ── */

static bool is_loopback(const struct sockaddr *a) {
    const struct sockaddr_in *four = (const void *)a;
    const struct sockaddr_in6 *six = (const void *)a;
    if (a->sa_family == AF_INET) return ntohl(four->sin_addr.s_addr) >> 24 == 127;
    return a->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}
static void not_listening(const struct lab_meet_place *p, int error, struct lab_message *m) {
    const char *why =
        error == EADDRINUSE ? "the port is in use, perhaps by another run: start "
                              "all ranks with --rendezvous and another port"
        : error == EADDRNOTAVAIL
            ? "rank 0 runs on this machine, which does not have that address: start all "
              "ranks with --rendezvous and an address of this machine"
            : strerror(error);
    (void)snprintf(m->text, sizeof m->text, "rank 0 cannot listen at %.100s:%s: %s", p->host,
                   p->port, why);
}
/* −1 with errno. */
static int listen_at(const struct addrinfo *a) {
    static const int one = 1;
    int fd = socket(a->ai_family, SOCK_STREAM, 0), error;
    if (fd < 0) return -1;
    (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (a->ai_family == AF_INET6) (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    if (!bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, LAB_RANKS_MAX)) return fd;
    error = errno;
    (void)close(fd);
    errno = error;
    return -1;
}
static bool came_before(const struct addrinfo *first, const struct addrinfo *a) {
    for (; first != a; first = first->ai_next)
        if (first->ai_addrlen == a->ai_addrlen &&
            memcmp(first->ai_addr, a->ai_addr, a->ai_addrlen) == 0)
            return true;
    return false;
}
/* A port that another program holds at one of the addresses is a failure: ranks would find them
 * there. 0 with the error. */
static size_t listen_at_all(const struct addrinfo *found, int fd[LAB_LISTENERS], int *error) {
    size_t n = 0;
    *error = 0;
    for (const struct addrinfo *a = found; a && n < LAB_LISTENERS && *error != EADDRINUSE;
         a = a->ai_next) {
        if (came_before(found, a)) continue;
        if ((fd[n] = listen_at(a)) >= 0)
            n++;
        else
            *error = errno;
    }
    if (n && *error != EADDRINUSE) return n;
    while (n) (void)close(fd[--n]);
    return 0;
}
/* Whoever holds the port may be a run that is about to end, or another program: neither ends this
 * run before its ranks lose patience. */
static size_t await_port(const struct lab_meet_place *p, const struct addrinfo *found,
                         int64_t until, int fd[LAB_LISTENERS], struct lab_message *m) {
    bool said = false;
    int error;
    size_t n;
    while (!(n = listen_at_all(found, fd, &error)) && error == EADDRINUSE && lab_now() < until) {
        if (!said)
            lab_out_say("rank 0 cannot listen at %s:%s yet, because the port is in use. It tries "
                        "again for up to %.3g s. To use another port, start all ranks with "
                        "--rendezvous HOST:PORT",
                        p->host, p->port, p->patience);
        said = true;
        (void)poll(NULL, 0, LAB_RETRY_MS);
    }
    if (!n) not_listening(p, error, m);
    return n;
}
/* A machine often knows its own name as a loopback address, at which no other machine finds it. */
static void warn_of_loopback(const struct lab_meet_place *p, const struct addrinfo *found) {
    char at[LAB_ADDRESS_SIZE], interface[LAB_INTERFACE_SIZE];
    struct sockaddr_storage own;
    for (const struct addrinfo *a = found; a; a = a->ai_next)
        if (!is_loopback(a->ai_addr)) return;
    if (!p->several || !lab_interface(interface, &own) || is_loopback((struct sockaddr *)&own))
        return;
    lab_out_say(
        "%s is a loopback address on this machine, and ranks on other machines cannot reach "
        "it: start all ranks with --rendezvous %s:%s",
        p->host, lab_address_text(&own, at), p->port);
}
static struct addrinfo *await_name(const struct lab_meet_place *p, int64_t until,
                                   struct lab_message *m) {
    struct addrinfo *found = NULL;
    const char *why = "";
    while (!(found = lab_meet_resolve(p, &why)) && lab_now() < until)
        (void)poll(NULL, 0, LAB_RETRY_MS);
    if (!found) lab_meet_not_found(p, why, m);
    return found;
}
void lab_meet_not_found(const struct lab_meet_place *p, const char *why, struct lab_message *m) {
    (void)snprintf(m->text, sizeof m->text,
                   "the rendezvous %.100s:%s is not found (%.60s) within %.3g s: set --rendezvous "
                   "to the address of rank 0's machine",
                   p->host, p->port, why, p->patience);
}
size_t lab_meet_listen(const struct lab_meet_place *p, int fd[LAB_LISTENERS],
                       struct lab_message *m) {
    int64_t until = lab_now() + (int64_t)(p->patience * 1e9);
    struct addrinfo *found = await_name(p, until, m);
    if (!found) return 0;
    size_t n = await_port(p, found, until, fd, m);
    if (n) warn_of_loopback(p, found);
    freeaddrinfo(found);
    return n;
}
