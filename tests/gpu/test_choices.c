/* What is kept of timed products, where several processes time the same one at once: all of them
 * take, and keep, what the first one wrote. */
#include "lab/cuda/choices.h"

#include "gpu/check.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PRODUCT = 0xabcd00, FIRST = 1, SECOND = 2, UNKNOWN = 100, TROUBLE = 101 };

/* Each in a process of its own, which knows nothing yet; the parent never touches CUDA, which does
 * not survive a fork. */
static uint64_t now_known(struct lab_cuda *c) {
    uint64_t algorithm = UNKNOWN;
    return lab_choices_find(c, PRODUCT, &algorithm) ? algorithm : UNKNOWN;
}
/* Finds nothing, is held up while it times, and comes second. */
static int times_slowly(int told, int go) {
    struct lab_cuda c = {.gpu = 0};
    char byte = now_known(&c) == UNKNOWN ? 'y' : 'n';
    bool first = byte == 'y';
    if (write(told, &byte, 1) != 1 || read(go, &byte, 1) != 1 || !first) return TROUBLE;
    uint64_t kept = lab_choices_add(&c, PRODUCT, SECOND);
    return c.trouble.text[0] || now_known(&c) != kept ? TROUBLE : (int)kept;
}
static int times_quickly(void) {
    struct lab_cuda c = {.gpu = 0};
    return now_known(&c) == UNKNOWN ? (int)lab_choices_add(&c, PRODUCT, FIRST) : TROUBLE;
}
static int looks(void) {
    struct lab_cuda c = {.gpu = 0};
    return (int)now_known(&c);
}
static int status_of(pid_t child) {
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : TROUBLE;
}
static int in_process(int (*what)(void)) {
    pid_t child = fork();
    if (child == 0) _exit(what());
    return status_of(child);
}

int main(void) {
    struct check c = {0, 0};
    char cache[] = "/tmp/test_choices.XXXXXX", byte = 'g', words[64];
    int told[2], go[2];
    if (!mkdtemp(cache) || setenv("XDG_CACHE_HOME", cache, 1) || pipe(told) || pipe(go)) return 1;
    pid_t slow = fork();
    if (slow == 0) _exit(times_slowly(told[1], go[0]));
    check(&c, read(told[0], &byte, 1) == 1, "a process finds nothing kept, and begins to time");
    check(&c, in_process(times_quickly) == FIRST,
          "another one is quicker, and keeps what it found");
    check(&c, write(go[1], &byte, 1) == 1 && status_of(slow) == FIRST,
          "the one that comes later takes what is kept, not its own");
    check(&c, in_process(looks) == FIRST, "and so do all that come after");
    (void)snprintf(words, sizeof words, "[ $(cat %s/zerotutor/* | wc -l) = 1 ]", cache);
    check(&c, system(words) == 0, "it is written once");
    (void)snprintf(words, sizeof words, "rm -r %s", cache);
    check(&c, system(words) == 0, "and can be removed");
    return check_done(&c);
}
