/* make bench: how soon a program has painted its first screen, how soon it answers a key, and how
 * often it wakes up while nobody touches it. zerotutor first, then programs of the same kind where
 * they are installed, on the same machine in the same run. Nothing is asserted: the numbers are for
 * reading. */
#include "timing.h"
#include "years.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 15, KEYS = 40, QUIET_MS = 60, PATIENCE_MS = 3000, SETTLE_MS = 500 };

struct subject {
    /* for people */
    const char *name;
    /* what is run; "$" is $ZEROTUTOR */
    const char *argv[4];
    /* typed first, or NULL */
    const char *before;
    /* then these in turn: there and back */
    const char *key[2];
    /* of the terminal */
    unsigned short columns, rows;
    /* on a record of five years (years.h) */
    bool long_record;
};
static const struct subject subjects[] = {
    {"zerotutor", {"$"}, "/", {"m", "\x7f"}, 80, 24, false},
    {"zerotutor learn 1.1", {"$", "learn", "1.1"}, "/", {"m", "\x7f"}, 80, 24, false},
    {"learn 1.3 at 120x40", {"$", "learn", "1.3"}, NULL, {"\x1bOB", "\x1bOA"}, 120, 40, false},
    {"learn 1.3 at 200x60", {"$", "learn", "1.3"}, NULL, {"\x1bOB", "\x1bOA"}, 200, 60, false},
    {"a play at 200x60",
     {"$", "learn", "tests/screen/lessons/labs.lua"},
     NULL,
     {"\x1bOC", "\x1bOD"},
     200,
     60,
     false},
    {"progress, no answers", {"$"}, "\t", {"P", "\x1b"}, 80, 24, false},
    {"progress, 300 000", {"$"}, NULL, {"P", "\x1b"}, 80, 24, true},
    {"vim", {"vim", "README.md"}, NULL, {"j", "k"}, 80, 24, false},
    {"gtypist", {"gtypist"}, "\n", {"\x1bOB", "\x1bOA"}, 80, 24, false},
    {"less", {"less", "LICENSE"}, NULL, {"j", "k"}, 80, 24, false},
    {"nano", {"nano", "README.md"}, NULL, {"\x1bOB", "\x1bOA"}, 80, 24, false},
    {"htop", {"htop"}, NULL, {"\x1bOB", "\x1bOA"}, 80, 24, false},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* milliseconds, medians; negative where nothing came */
struct measured {
    double first, painted, key;
    /* voluntary context switches in one idle second */
    long wakeups;
};

static double median(double *values, int count) {
    if (count == 0) return -1;
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

static pid_t start(const struct subject *s, int *terminal) {
    struct winsize size = {.ws_row = s->rows, .ws_col = s->columns};
    pid_t pid = forkpty(terminal, NULL, NULL, &size);
    if (pid != 0) return pid;
    char *argv[5] = {0};
    for (int i = 0; i < 4 && s->argv[i]; i++)
        argv[i] = (char *)(strcmp(s->argv[i], "$") ? s->argv[i] : getenv("ZEROTUTOR"));
    execvp(argv[0], argv);
    _exit(127);
}

/* Reads until the program has been quiet for QUIET_MS. Says when the first and the last byte came;
 * false if none did. */
static bool watch(int terminal, double *first, double *last) {
    char bytes[65536];
    bool any = false;
    struct pollfd p = {.fd = terminal, .events = POLLIN};
    while (poll(&p, 1, any ? QUIET_MS : PATIENCE_MS) > 0) {
        if (read(terminal, bytes, sizeof bytes) <= 0) break;
        *last = now_ms();
        if (!any) *first = *last;
        any = true;
    }
    return any;
}

/* Context switches that a process asked for, by sleeping until something happens. */
static long switches(pid_t pid) {
    char path[64], line[128];
    long count = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "voluntary_ctxt_switches: %ld", &count) == 1) break;
    if (f) fclose(f);
    return count;
}

/* Of the first of the two keys: an Esc that leads back waits for the rest of a sequence. */
static double key_latency(const struct subject *s, int terminal) {
    double times[KEYS], first, last;
    int count = 0;
    if (s->before && write(terminal, s->before, strlen(s->before)) > 0)
        watch(terminal, &first, &last);
    for (int i = 0; i < KEYS; i++) {
        const char *key = s->key[i % 2];
        double begun = now_ms();
        if (write(terminal, key, strlen(key)) < 0) break;
        if (watch(terminal, &first, &last) && i % 2 == 0) times[count++] = first - begun;
    }
    return median(times, count);
}

static struct measured measure(const struct subject *s) {
    struct measured m = {-1, -1, -1, -1};
    double firsts[RUNS], lasts[RUNS], first, last;
    int count = 0;
    for (int i = 0; i <= RUNS; i++) {
        int terminal;
        double begun = now_ms();
        pid_t pid = start(s, &terminal);
        if (pid < 0) return m;
        bool any = watch(terminal, &first, &last);
        if (any && i > 0)
            firsts[count] = first - begun,
            lasts[count++] = last - begun; /* the first run warms the caches */
        if (i == RUNS) {
            usleep(SETTLE_MS * 1000); /* home reads ahead what is due */
            long before = switches(pid);
            sleep(1);
            m.wakeups = switches(pid) - before;
            m.key = key_latency(s, terminal);
        }
        stop(pid, terminal);
    }
    m.first = median(firsts, count);
    m.painted = median(lasts, count);
    return m;
}

static void choose_record(const struct subject *s, const char *home) {
    char own[128];
    snprintf(own, sizeof own, "%s%s", home, s->long_record ? "/long" : "");
    setenv("ZEROTUTOR_HOME", own, 1);
}

static bool installed(const char *program) {
    if (!strcmp(program, "$")) return getenv("ZEROTUTOR") != NULL;
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

static void print_row(const char *name, struct measured m, double unit) {
    printf("%-22s %8.1f %10.1f %9.2fx %10.2f %9ld\n", name, m.first, m.painted, m.painted / unit,
           m.key, m.wakeups);
}

int main(void) {
    char home[] = "/tmp/zerotutor-bench-XXXXXX";
    if (!mkdtemp(home)) return perror("bench: a temporary folder"), 1;
    char long_record[80];
    snprintf(long_record, sizeof long_record, "%s/long/learner.db", home);
    setenv("ZEROTUTOR_HOME", home, 1);
    years_make(long_record);
    setenv("TERM", "xterm-256color", 1);
    printf("80x24 where nothing else is said, median of %d starts; ms from exec to the first byte, "
           "to a "
           "finished screen, and "
           "from a key to its answer\n",
           RUNS);
    printf("%-22s %8s %10s %10s %10s %9s\n", "", "first", "painted", "ratio", "key", "wake-ups");
    double unit = 0;
    for (int i = 0; i < SUBJECTS; i++) {
        if (!installed(subjects[i].argv[0])) {
            printf("%-22s not installed\n", subjects[i].name);
            continue;
        }
        choose_record(&subjects[i], home);
        struct measured m = measure(&subjects[i]);
        if (unit == 0) unit = m.painted;
        print_row(subjects[i].name, m, unit);
    }
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", home);
    return system(command) == 0 ? 0 : 1;
}
