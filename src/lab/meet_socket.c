/* Sockets of the meeting place. */
#include "lab/cpu/word.h"
#include "lab/meet_link.h"
#include "lab/out.h"

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

/* A machine that loses its power says nothing: then the kernel asks, and finds out within half a
 * minute. */
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
    const char *why = error == EADDRINUSE ? "the port is in use, by another run perhaps: give all "
                                            "ranks --rendezvous with another port"
                      : error == EADDRNOTAVAIL
                          ? "that is no address of this machine, where rank 0 is: give all ranks "
                            "--rendezvous with one that is"
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
/* A port that somebody else holds at one of the addresses is a failure: ranks would find them
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
/* Whoever holds the port may be a run that is about to end, or a stranger: neither ends this run
 * before its ranks lose patience. */
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
                   "the rendezvous %.100s:%s is not found (%.60s) within %.3g s: give --rendezvous "
                   "the address of rank 0's machine",
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
