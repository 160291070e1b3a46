/* Sequences of the bundled text, of a file, or of chance. Those of a text begin at places drawn
 * from the seed and the number. */
#include "lab/tokens.h"
#include "lab/chance.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct lab_tokens {
    uint64_t seed;
    size_t seq, vocab, count;
    /* a tenth of the text is kept back: */
    bool holds;
    /* so many bytes at its end */
    size_t held;
    /* NULL: by chance */
    unsigned char *bytes;
};

/* ── where the bundled text is ── */

#define TEXT "data/corpus/harbour.txt"
enum { LEVELS = 5 }; /* build/tests/lab/test_x stands four folders below the checkout's own */

static bool readable(char *path, size_t size, const char *folder, const char *below) {
    return snprintf(path, size, "%s%s/" TEXT, folder, below) < (int)size && access(path, R_OK) == 0;
}
static bool up(char *folder) {
    char *slash = strrchr(folder, '/');
    if (!slash || slash == folder) return false;
    *slash = '\0';
    return true;
}
/* Installed (../share/zerotutor) or in a checkout, above the executable. */
static bool above_executable(char *path, size_t size) {
    char folder[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (n <= 0) return false;
    folder[n] = '\0';
    for (int level = 0; level < LEVELS && up(folder); level++)
        if (readable(path, size, folder, "/share/zerotutor") || readable(path, size, folder, ""))
            return true;
    return false;
}
static bool find_text(char *path, size_t size, struct lab_message *m) {
    const char *told = getenv("ZEROTUTOR_SHARE");
    if (told && *told ? readable(path, size, told, "") : above_executable(path, size)) return true;
    return lab_fail(m, "cannot find the bundled text, " TEXT ": set ZEROTUTOR_SHARE to the folder "
                       "that holds data/, or use --tokens random");
}

/* ── reading ── */

enum { PIECE = 1 << 16, BYTES_MOST = 1 << 30 };

/* A pipe may keep a reader waiting for ever and a device may never end, so only files are read. Not
 * blocking matters to the opening alone. */
static int open_file(const char *path, struct lab_message *m) {
    struct stat s;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &s) != 0)
        (void)lab_fail(m, "%.200s: cannot be read: %s", path, strerror(errno));
    else if (!S_ISREG(s.st_mode))
        (void)lab_fail(m, "%.200s: is a %s: name a file of bytes, or use text or random", path,
                       S_ISDIR(s.st_mode) ? "folder" : "pipe or a device");
    else if (s.st_size > BYTES_MOST)
        (void)lab_fail(m, "%.200s: is larger than 1 GiB, and every rank holds all of it: cut it",
                       path);
    else
        return fd;
    if (fd >= 0) (void)close(fd);
    return -1;
}
static bool can_hold_more(struct lab_tokens *t, size_t *capacity) {
    if (t->count + PIECE <= *capacity) return true;
    *capacity = 2 * *capacity + PIECE;
    unsigned char *more = realloc(t->bytes, *capacity);
    if (more) t->bytes = more;
    return more;
}
/* To its end, whatever size it claims to have: files of /proc claim none. */
static bool read_bytes(struct lab_tokens *t, const char *path, struct lab_message *m) {
    size_t capacity = 0;
    ssize_t n = 1;
    int fd = open_file(path, m);
    if (fd < 0) return false;
    while (n > 0 && t->count <= BYTES_MOST && can_hold_more(t, &capacity)) {
        n = read(fd, t->bytes + t->count, PIECE);
        if (n > 0) t->count += (size_t)n;
    }
    if (t->holds) t->held = t->count / 10;
    int error = n < 0 ? errno : t->count > BYTES_MOST ? EFBIG : ENOMEM;
    (void)close(fd);
    return n == 0 || lab_fail(m, "%.200s: could not be read whole: %s", path, strerror(error));
}

static bool fits(const struct lab_tokens *t, const char *path, struct lab_message *m) {
    if (t->held && (t->held < t->seq + 1 || t->count - t->held < t->seq + 1))
        return lab_fail(m,
                        "%.200s: a tenth of %zu bytes, which --evaluate holds out, is less than a "
                        "sequence and its next token: use a longer text or a smaller --seq",
                        path, t->count);
    if (t->count < t->seq + 1)
        return lab_fail(
            m,
            "%.200s: %zu bytes are fewer than a sequence and its next token need, %zu: use "
            "a longer text or a smaller --seq",
            path, t->count, t->seq + 1);
    for (size_t i = 0; i < t->count; i++)
        if (t->bytes[i] >= t->vocab)
            return lab_fail(m,
                            "%.200s: byte %zu is %u, beyond a vocabulary of %zu: use --vocab 256",
                            path, i, t->bytes[i], t->vocab);
    return true;
}

struct lab_tokens *lab_tokens_open(const struct lab_options *o, struct lab_message *m) {
    struct lab_tokens *t = calloc(1, sizeof *t);
    char path[PATH_MAX];
    if (!t) {
        lab_fail(m, "out of memory for tokens");
        return NULL;
    }
    *t = (struct lab_tokens){.seed = lab_chance(o->seed, UINT64_C(1) << 40),
                             .seq = o->shape.seq,
                             .vocab = o->shape.vocab,
                             .holds = o->evaluate > 0};
    if (strcmp(o->tokens, "random") == 0) return t;
    bool bundled = strcmp(o->tokens, "text") == 0;
    if (!bundled) snprintf(path, sizeof path, "%s", o->tokens);
    if ((!bundled || find_text(path, sizeof path, m)) && read_bytes(t, path, m) && fits(t, path, m))
        return t;
    lab_tokens_close(t);
    return NULL;
}

void lab_tokens_close(struct lab_tokens *t) {
    if (!t) return;
    free(t->bytes);
    free(t);
}

/* A sequence of the text from `begin` to `end`. */
static void read_sequence(const struct lab_tokens *t, uint64_t number, size_t begin, size_t end,
                          int32_t *inputs, int32_t *targets) {
    uint64_t key = lab_chance(t->seed, number);
    size_t start =
        t->bytes ? begin + (size_t)lab_chance_below(t->seed, number, end - begin - t->seq) : 0;
    for (size_t i = 0; i <= t->seq; i++) {
        int32_t token =
            t->bytes ? t->bytes[start + i] : (int32_t)lab_chance_below(key, i, t->vocab);
        if (i < t->seq) inputs[i] = token;
        if (i > 0) targets[i - 1] = token;
    }
}
void lab_tokens_sequence(const struct lab_tokens *t, uint64_t number, int32_t *inputs,
                         int32_t *targets) {
    read_sequence(t, number, 0, t->count - t->held, inputs, targets);
}
void lab_tokens_held_out(const struct lab_tokens *t, uint64_t number, int32_t *inputs,
                         int32_t *targets) {
    read_sequence(t, number + (UINT64_C(1) << 62), t->count - t->held, t->count, inputs, targets);
}
