/* The rank's side of launching. */
#include "lab/inherit.h"
#include "lab/launch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

int lab_inherited(const char *list, uint32_t i) {
    const char *at = getenv(list);
    for (; at && i; i--) at = (at = strchr(at, ',')) ? at + 1 : NULL;
    char *end;
    long n = at ? strtol(at, &end, 10) : -1;
    return n < 0 || end == at ? -1 : (int)n;
}
bool lab_launched(void) {
    return getenv(LAB_ENV_LINES) != NULL;
}
uint32_t lab_launch_rank(void) {
    int rank = lab_inherited(LAB_ENV_RANK, 0);
    return rank < 0 ? 0 : (uint32_t)rank;
}

/* Forward in both parts by what was written. */
static void advance(struct iovec part[2], size_t n) {
    for (int i = 0; i < 2; i++) {
        size_t some = n < part[i].iov_len ? n : part[i].iov_len;
        part[i].iov_base = (char *)part[i].iov_base + some;
        part[i].iov_len -= some;
        n -= some;
    }
}
bool lab_launch_write(uint32_t rank, const char *line) {
    int fd = lab_inherited(LAB_ENV_LINES, rank);
    char newline = '\n', *text = (char *)(uintptr_t)line;
    struct iovec part[2] = {
        {.iov_base = text,     .iov_len = strlen(line)},
        {.iov_base = &newline, .iov_len = 1           }
    };
    while (part[1].iov_len) {
        ssize_t n = writev(fd, part, 2);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) advance(part, (size_t)n);
    }
    return true;
}
