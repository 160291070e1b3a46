/* make bench: how soon a program has painted its first screen, how soon it answers a key, and how
 * often it wakes up while nobody touches it. zerotutor first, then programs of the same kind where
 * they are installed. They take turns, so that what else the machine does meets all alike. With
 * $BEFORE, the path of another build, each row of zerotutor has one of that build below it.
 * `bench_screen 1.1` measures the rows whose names have that. Nothing is asserted: the numbers are
 * for reading. */
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

enum { RUNS = 15, KEYS = 25, QUIET_MS = 60, PATIENCE_MS = 3000, KEY_MS = 150, SETTLE_MS = 500 };

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
    /* its own; of five years (years.h); or none yet, in which case no key is timed */
    enum { OWN, LONG, NONE } record;
};
#define LESSONS "tests/screen/lessons/"
static const struct subject subjects[] = {
    {"a search's first letter", {"$"}, "/", {"m", "\x7f"}, 80, 24, OWN},
    {"a search that finds", {"$"}, "/zer", {"o", "\x7f"}, 80, 24, OWN},
    {"home, down", {"$"}, "\t", {"\x1bOB", "\x1bOA"}, 80, 24, OWN},
    {"home, a first start", {"$"}, NULL, {NULL}, 80, 24, NONE},
    {"1.1, a first start", {"$", "learn", "1.1"}, NULL, {NULL}, 80, 24, NONE},
    {"learn 1.1, typing", {"$", "learn", "1.1"}, NULL, {"7", "\x7f"}, 80, 24, OWN},
    {"learn 1.3, next step", {"$", "learn", "1.3"}, NULL, {"]", "["}, 80, 24, OWN},
    {"learn 1.3 at 120x40", {"$", "learn", "1.3"}, NULL, {"\x1bOB", "\x1bOA"}, 120, 40, OWN},
    {"learn 1.3 at 200x60", {"$", "learn", "1.3"}, NULL, {"\x1bOB", "\x1bOA"}, 200, 60, OWN},
    {"a play at 200x60",
     {"$", "learn", LESSONS "labs.lua"},
     "\x1bOH", /* it would begin by itself */
     {"\x1bOC", "\x1bOD"},
     200,
     60,
     OWN},
    {"progress, no answers", {"$"}, "\t", {"P", "\x1b"}, 80, 24, OWN},
    {"progress, 300 000", {"$"}, NULL, {"P", "\x1b"}, 80, 24, LONG},
    {"vim", {"vim", "README.md"}, NULL, {"j", "k"}, 80, 24, OWN},
    {"gtypist", {"gtypist"}, "\n", {"\x1bOB", "\x1bOA"}, 80, 24, OWN},
    {"less", {"less", "LICENSE"}, NULL, {"j", "k"}, 80, 24, OWN},
    {"nano", {"nano", "README.md"}, NULL, {"\x1bOB", "\x1bOA"}, 80, 24, OWN},
    {"htop", {"htop"}, NULL, {"\x1bOB", "\x1bOA"}, 80, 24, OWN},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects, LANES = 2 * SUBJECTS };

/* A subject as one build or program shows it. */
struct lane {
    const struct subject *subject;
    /* what runs */
    const char *program;
    /* where its record is */
    char home[128];
    /* milliseconds, and how many there are */
    double first[RUNS], painted[RUNS], key[KEYS];
    int starts, keys;
    /* voluntary context switches in one idle second */
    long wakeups;
    /* the one whose keys are timed */
    pid_t pid;
    int terminal;
};

static double median(double *values, int count) {
    if (count == 0) return -1;
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

static pid_t start(const struct lane *l, int *terminal) {
    const struct subject *s = l->subject;
    struct winsize size = {.ws_row = s->rows, .ws_col = s->columns};
    setenv("ZEROTUTOR_HOME", l->home, 1);
    pid_t pid = forkpty(terminal, NULL, NULL, &size);
    if (pid != 0) return pid;
    char *argv[5] = {(char *)l->program};
    for (int i = 1; i < 4 && s->argv[i]; i++) argv[i] = (char *)s->argv[i];
    execvp(argv[0], argv);
    _exit(127);
}

/* Reads until the program has been quiet for QUIET_MS. Says when the first and the last byte came;
 * false if none did for so long. */
static bool watch(int terminal, int patience, double *first, double *last) {
    char bytes[65536];
    bool any = false;
    struct pollfd p = {.fd = terminal, .events = POLLIN};
    while (poll(&p, 1, any ? QUIET_MS : patience) > 0) {
        if (read(terminal, bytes, sizeof bytes) <= 0) break;
        *last = now_ms();
        if (!any) *first = *last;
        any = true;
    }
    return any;
}

static void forget(const char *home) {
    char command[160];
    snprintf(command, sizeof command, "rm -rf %s", home);
    if (system(command) != 0) years_fail("%s: it cannot be removed", home);
}

/* The first start of each warms the caches. */
static void time_start(struct lane *l, bool counts) {
    int terminal;
    if (l->subject->record == NONE) forget(l->home);
    double first, last, begun = now_ms();
    pid_t pid = start(l, &terminal);
    if (pid < 0) return;
    if (watch(terminal, PATIENCE_MS, &first, &last) && counts) {
        l->first[l->starts] = first - begun;
        l->painted[l->starts++] = last - begun;
    }
    stop(pid, terminal);
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

/* There and back, of which the way there counts: an Esc that leads back waits for the rest of a
 * sequence. */
static void time_key(struct lane *l) {
    double first, last, begun = now_ms();
    if (write(l->terminal, l->subject->key[0], strlen(l->subject->key[0])) < 0) return;
    if (watch(l->terminal, KEY_MS, &first, &last)) l->key[l->keys++] = first - begun;
    if (write(l->terminal, l->subject->key[1], strlen(l->subject->key[1])) < 0) return;
    watch(l->terminal, KEY_MS, &first, &last);
}

/* Starts the program whose keys are timed, and counts its wake-ups; home has read ahead by then. */
static void settle(struct lane *l) {
    double first, last;
    l->pid = start(l, &l->terminal);
    if (l->pid < 0) return;
    watch(l->terminal, PATIENCE_MS, &first, &last);
    usleep(SETTLE_MS * 1000);
    long before = switches(l->pid);
    sleep(1);
    l->wakeups = switches(l->pid) - before;
    if (l->subject->before &&
        write(l->terminal, l->subject->before, strlen(l->subject->before)) > 0)
        watch(l->terminal, KEY_MS, &first, &last);
}

static void measure(struct lane *lanes, int count) {
    for (int run = 0; run <= RUNS; run++)
        for (int i = 0; i < count; i++) time_start(&lanes[i], run > 0);
    for (int i = 0; i < count; i++)
        if (lanes[i].subject->record != NONE) settle(&lanes[i]);
    for (int press = 0; press < KEYS; press++)
        for (int i = 0; i < count; i++)
            if (lanes[i].pid > 0) time_key(&lanes[i]);
    for (int i = 0; i < count; i++)
        if (lanes[i].pid > 0) stop(lanes[i].pid, lanes[i].terminal);
}

static bool installed(const char *program) {
    char command[300];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

/* The builds that show a subject, and where each has its record. An older one may not read the long
 * record of this one. */
static int add_lanes(struct lane *lanes, int count, const struct subject *s, const char *folder) {
    static const char *const records[] = {[OWN] = "own", [LONG] = "long", [NONE] = "none"};
    bool ours = !strcmp(s->argv[0], "$");
    const char *builds[] = {ours ? getenv("ZEROTUTOR") : s->argv[0],
                            ours && s->record != LONG ? getenv("BEFORE") : NULL};
    for (int i = 0; i < 2 && builds[i]; i++) {
        if (!installed(builds[i])) continue;
        struct lane *l = &lanes[count++];
        *l = (struct lane){.subject = s, .program = builds[i], .pid = -1, .wakeups = -1};
        snprintf(l->home, sizeof l->home, "%s/%d/%s", folder, i, records[s->record]);
    }
    return count;
}

static void print_row(struct lane *l, double unit) {
    bool before = getenv("BEFORE") && !strcmp(l->program, getenv("BEFORE"));
    double first = median(l->first, l->starts), painted = median(l->painted, l->starts);
    printf("%-22s %8.1f %10.1f %9.2fx %10.2f %9ld\n", before ? "  before" : l->subject->name, first,
           painted, painted / unit, median(l->key, l->keys), l->wakeups);
}

int main(int argc, char **argv) {
    static struct lane lanes[LANES];
    int count = 0;
    char folder[] = "/tmp/zerotutor-bench-XXXXXX";
    if (!mkdtemp(folder)) return perror("bench: a temporary folder"), 1;
    char path[80];
    snprintf(path, sizeof path, "%s/0/long/learner.db", folder);
    years_make(path);
    setenv("TERM", "xterm-256color", 1);
    for (int i = 0; i < SUBJECTS; i++) {
        if (argc > 1 && !strstr(subjects[i].name, argv[1])) continue;
        int more = add_lanes(lanes, count, &subjects[i], folder);
        if (more == count) printf("%-22s not installed\n", subjects[i].name);
        count = more;
    }
    measure(lanes, count);
    printf(
        "80x24 where nothing else is said, median of %d starts in turn; ms from exec to the first "
        "byte, to a finished screen, and from a key to its answer\n",
        RUNS);
    printf("%-22s %8s %10s %10s %10s %9s\n", "", "first", "painted", "ratio", "key", "wake-ups");
    for (int i = 0; i < count; i++) print_row(&lanes[i], median(lanes[0].painted, lanes[0].starts));
    forget(folder);
    return 0;
}
