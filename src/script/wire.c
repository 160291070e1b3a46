#include "script/wire.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void put_length(unsigned char header[WIRE_HEADER], size_t n) {
    for (size_t i = 0; i < WIRE_HEADER; i++) header[i] = (unsigned char)(n >> (8 * i) & 0xff);
}

static size_t get_length(const unsigned char header[WIRE_HEADER]) {
    size_t n = 0;
    for (size_t i = 0; i < WIRE_HEADER; i++) n |= (size_t)header[i] << (8 * i);
    return n;
}

/* ── the tutor's end ───────────────────────────────────────────────────────────────────────────*/

/* Waits for `events`; asks at least once, so that an answer that is there already is never called
 * late. */
static enum wire_end wait_for(int fd, short events, int64_t until) {
    for (;;) {
        int64_t left = until - base_ticks();
        int wait = left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
        int n = poll(&(struct pollfd){.fd = fd, .events = events}, 1, wait);
        if (n > 0) return WIRE_WHOLE;
        if (n == 0 && base_ticks() >= until) return WIRE_LATE;
        if (n < 0 && errno != EINTR) return WIRE_GONE;
    }
}

static enum wire_end send_all(int fd, const void *data, size_t n, int64_t until) {
    const char *at = data;
    while (n > 0) {
        ssize_t sent = send(fd, at, n, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent >= 0) {
            at += sent;
            n -= (size_t)sent;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            enum wire_end end = wait_for(fd, POLLOUT, until);
            if (end != WIRE_WHOLE) return end;
        } else if (errno != EINTR) {
            return WIRE_GONE;
        }
    }
    return WIRE_WHOLE;
}

enum wire_end script_wire_send(int fd, const char *data, size_t n, int64_t until) {
    if (n > WIRE_MOST) return WIRE_TOO_LONG;
    unsigned char header[WIRE_HEADER];
    put_length(header, n);
    enum wire_end end = send_all(fd, header, sizeof header, until);
    return end == WIRE_WHOLE ? send_all(fd, data, n, until) : end;
}

/* Where the next bytes go: the header, then the body; 0 when the message is whole. */
static size_t still_missing(struct wire_in *in, char **where) {
    if (in->got < WIRE_HEADER) {
        *where = (char *)in->header + in->got;
        return WIRE_HEADER - in->got;
    }
    /* no more was asked for than was missing, and a body is there once its length is */
    assert(in->body && in->got <= WIRE_HEADER + in->length);
    *where = in->body + (in->got - WIRE_HEADER);
    return WIRE_HEADER + in->length - in->got;
}

enum wire_end script_wire_receive(struct wire_in *in, int fd, int64_t until) {
    for (;;) {
        char *where;
        size_t missing = still_missing(in, &where);
        if (missing == 0) return WIRE_WHOLE;
        enum wire_end end = wait_for(fd, POLLIN, until);
        if (end != WIRE_WHOLE) return end;
        ssize_t n = recv(fd, where, missing, MSG_DONTWAIT);
        if (n == 0) return WIRE_GONE;
        if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return WIRE_GONE;
        if (n < 0) continue;
        in->got += (size_t)n;
        if (in->got == WIRE_HEADER && !in->body) {
            in->length = get_length(in->header);
            if (in->length > WIRE_MOST) return WIRE_TOO_LONG;
            in->body = base_alloc(in->length + 1);
        }
    }
}

void script_wire_free(struct wire_in *in) {
    free(in->body);
    *in = (struct wire_in){0};
}

/* NULL if the value keeps within the limits, else what it breaks. */
static const char *limit_broken(const json_t *value, int depth) {
    if (depth > WIRE_DEPTH) return "it is nested too deeply";
    if (json_is_string(value))
        return json_string_length(value) > WIRE_STRING ? "a text in it is over 64 KB" : NULL;
    const char *broken = NULL, *key;
    size_t i;
    json_t *member;
    if (json_is_array(value)) {
        json_array_foreach(value, i, member) {
            if ((broken = limit_broken(member, depth + 1))) return broken;
        }
    } else if (json_is_object(value)) {
        json_object_foreach((json_t *)value, key, member) {
            if ((broken = limit_broken(member, depth + 1))) return broken;
        }
    }
    return NULL;
}

json_t *script_wire_json(const struct wire_in *in, struct base_message *m) {
    json_t *value = base_json_parse(in->body, in->length);
    if (!value) {
        base_fail(m, "the lesson's worker answered something that is not JSON");
        return NULL;
    }
    const char *broken = limit_broken(value, 1);
    if (!broken) return value;
    base_fail(m, "the lesson's worker gave an answer that is refused: %s", broken);
    json_decref(value);
    return NULL;
}

/* ── the worker's end ──────────────────────────────────────────────────────────────────────────*/

static bool read_all(int fd, void *out, size_t n) {
    char *at = out;
    while (n > 0) {
        ssize_t got = read(fd, at, n);
        if (got == 0 || (got < 0 && errno != EINTR)) return false;
        if (got < 0) continue;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

bool script_wire_read(int fd, char *out, size_t capacity, size_t *n) {
    unsigned char header[WIRE_HEADER];
    if (!read_all(fd, header, sizeof header)) return false;
    *n = get_length(header);
    return *n <= capacity && read_all(fd, out, *n);
}

static bool write_all(int fd, const void *data, size_t n) {
    const char *at = data;
    while (n > 0) {
        ssize_t put = write(fd, at, n);
        if (put < 0 && errno != EINTR) return false;
        if (put < 0) continue;
        at += put;
        n -= (size_t)put;
    }
    return true;
}

bool script_wire_write(int fd, const char *data, size_t n) {
    unsigned char header[WIRE_HEADER];
    put_length(header, n);
    return write_all(fd, header, sizeof header) && write_all(fd, data, n);
}
