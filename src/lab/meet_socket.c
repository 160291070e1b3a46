/* Sockets of the meeting place. */
#include "lab/cpu/word.h"
#include "lab/meet_link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RETRY_MS = 100 };

/* A machine that loses its power says nothing: then the kernel asks, and finds out within half a minute. */
void lab_meet_tune(int fd) {
    static const struct {
        int level, name, value;
    } options[] = {
        {SOL_SOCKET,  SO_KEEPALIVE,  1},
        {IPPROTO_TCP, TCP_NODELAY,   1},
#ifdef TCP_KEEPIDLE
        {IPPROTO_TCP, TCP_KEEPIDLE,  5},
        {IPPROTO_TCP, TCP_KEEPINTVL, 5},
        {IPPROTO_TCP, TCP_KEEPCNT,   4},
#endif
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        (void)setsockopt(fd, options[i].level, options[i].name, &options[i].value, sizeof(int));
}

static struct addrinfo *resolve(const struct lab_meet_place *p, struct lab_message *m) {
    struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    int error = getaddrinfo(p->host, p->port, &wanted, &found);
    if (error)
        (void)snprintf(m->text, sizeof m->text,
                       "the rendezvous %.100s:%s is not found (%s): give --rendezvous the address "
                       "of rank 0's machine",
                       p->host, p->port, gai_strerror(error));
    return found;
}
static bool is_loopback(const struct sockaddr *a) {
    const struct sockaddr_in *four = (const void *)a;
    const struct sockaddr_in6 *six = (const void *)a;
    if (a->sa_family == AF_INET) return ntohl(four->sin_addr.s_addr) >> 24 == 127;
    return a->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}
/* A machine often knows its own name as a loopback address, at which no other machine finds it. */
static void open_wide(struct sockaddr *a) {
    struct sockaddr_in *four = (void *)a;
    struct sockaddr_in6 *six = (void *)a;
    if (a->sa_family == AF_INET) four->sin_addr.s_addr = htonl(INADDR_ANY);
    if (a->sa_family == AF_INET6) six->sin6_addr = in6addr_any;
}
static int not_listening(const struct lab_meet_place *p, int error, struct lab_message *m) {
    const char *why = error == EADDRINUSE ? "the port is in use, by another run perhaps: give all "
                                            "ranks --rendezvous with another port"
                      : error == EADDRNOTAVAIL
                          ? "that is no address of this machine, where rank 0 is: give all ranks "
                            "--rendezvous with one that is"
                          : strerror(error);
    (void)snprintf(m->text, sizeof m->text, "rank 0 cannot listen at %.100s:%s: %s", p->host,
                   p->port, why);
    return -1;
}
int lab_meet_listen(const struct lab_meet_place *p, struct lab_message *m) {
    struct addrinfo *found = resolve(p, m);
    int one = 1, fd = -1, error = 0;
    if (!found) return -1;
    for (struct addrinfo *a = found; a && fd < 0; a = a->ai_next) {
        if (p->several && is_loopback(a->ai_addr)) open_wide(a->ai_addr);
        fd = socket(a->ai_family, SOCK_STREAM, 0);
        if (fd < 0) continue;
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
        if (!bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, LAB_RANKS_MAX)) break;
        error = errno;
        (void)close(fd);
        fd = -1;
    }
    freeaddrinfo(found);
    return fd >= 0 ? fd : not_listening(p, error ? error : errno, m);
}

/* connect() may take minutes where packets are dropped: it is given until the deadline. */
static int try_address(const struct addrinfo *a, int64_t until) {
    int fd = socket(a->ai_family, SOCK_STREAM, 0), error = 0;
    socklen_t size = sizeof error;
    if (fd < 0) return -1;
    (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    (void)fcntl(fd, F_SETFL, O_NONBLOCK);
    if (!connect(fd, a->ai_addr, a->ai_addrlen)) return fd;
    struct pollfd one = {.fd = fd, .events = POLLOUT};
    int64_t left = (until - lab_now()) / 1000000;
    bool connected = errno == EINPROGRESS && left > 0 && poll(&one, 1, (int)left) == 1 &&
                     !getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) && !error;
    if (connected) return fd;
    (void)close(fd);
    return -1;
}
int lab_meet_connect(const struct lab_meet_place *p, struct lab_message *m) {
    int64_t until = lab_now() + (int64_t)(p->patience * 1e9);
    struct addrinfo *found = resolve(p, m);
    int fd = -1;
    if (!found) return -1;
    while (fd < 0) {
        for (struct addrinfo *a = found; a && fd < 0; a = a->ai_next) fd = try_address(a, until);
        if (fd >= 0 || lab_now() >= until) break;
        (void)poll(NULL, 0, RETRY_MS);
    }
    freeaddrinfo(found);
    if (fd < 0)
        (void)snprintf(
            m->text, sizeof m->text,
            "rank %u found no rank 0 at %.100s:%s within %.3g s: it was not started, has "
            "ended, or cannot be reached",
            p->rank, p->host, p->port, p->patience);
    return fd;
}
