/* make bench: how long each screen that home leads to takes to open, and two commands to answer,
 * on an empty record and on one of five years. A screen is opened in a pseudo-terminal, in a
 * program of its own, whose home has been painted. Nothing is asserted: the numbers are for
 * reading. */
#include "timing.h"
#include "years.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    RUNS = 7,
    DUES = 101,
    CERTIFICATES = 3,
    QUIET_MS = 50,
    PATIENCE_MS = 5000,
    /* a learner looks at home for so long, and home makes ready what is due */
    LOOK_MS = 400,
    ROWS = 24,
    COLUMNS = 80
};
#define FRAME_MS (1000.0 / 60)

/* A screen, and the keys that lead to it: the last of them is timed. */
struct opened {
    const char *name;
    const char *before[3], *key;
};
/* On an empty record home shows its first page, which Tab turns into the list of lessons. */
static const struct opened screens[] = {
    {"home", {0}, NULL},
    {"a lesson", {0}, "\r"},
    {"review", {0}, "r"},
    {"case of the week", {0}, "C"},
    {"speed", {0}, "s"},
    {"map", {0}, "m"},
    {"progress", {0}, "P"},
    {"certificate", {"P"}, "\r"},
    {"myths", {0}, "t"},
    {"interview", {0}, "i"},
    {"glossary", {0}, "g"},
    {"search", {0}, "/"},
    {"search, first letter", {"/"}, "g"},
    {"search, sixth letter", {"/", "gathe"}, "r"},
    {"notes", {0}, "B"},
    {"questions", {0}, "f"},
    {"labs", {0}, "l"},
    {"job", {0}, "J"},
    {"suspended", {0}, "Z"},
    {"settings", {0}, "S"},
    {"help", {0}, "?"},
    {"glossary, of a lesson", {"\r"}, "g"},
};

/* ── a program in a terminal ───────────────────────────────────────────────────────────────────*/
static pid_t start(int *terminal) {
    struct winsize size = {.ws_row = ROWS, .ws_col = COLUMNS};
    const char *program = getenv("ZEROTUTOR");
    pid_t pid = forkpty(terminal, NULL, NULL, &size);
    if (pid != 0) return pid;
    execl(program, program, (char *)NULL);
    _exit(127);
}

/* Reads until the program has been quiet for QUIET_MS; when the last byte came, 0 if none did. */
static double settle(int terminal, int patience) {
    char bytes[65536];
    double last = 0;
    struct pollfd p = {.fd = terminal, .events = POLLIN};
    while (poll(&p, 1, last > 0 ? QUIET_MS : patience) > 0) {
        if (read(terminal, bytes, sizeof bytes) <= 0) break;
        last = now_ms();
    }
    return last;
}

/* From the key to the last byte of what it shows; negative if it shows nothing. */
static double press(int terminal, const char *key, int patience) {
    double begun = now_ms();
    if (write(terminal, key, strlen(key)) < 0) return -1;
    double last = settle(terminal, patience);
    return last > 0 ? last - begun : -1;
}

static double open_once(const struct opened *s, bool listed) {
    int terminal;
    double begun = now_ms();
    pid_t pid = start(&terminal);
    if (pid < 0) years_fail("no terminal");
    double took = settle(terminal, PATIENCE_MS) - begun;
    if (s->key) usleep(LOOK_MS * 1000);
    if (listed) press(terminal, "\t", PATIENCE_MS);
    for (size_t i = 0; s->key && i < 3 && s->before[i]; i++)
        press(terminal, s->before[i], PATIENCE_MS);
    if (s->key) took = press(terminal, s->key, 1500);
    stop(pid, terminal);
    return took;
}

/* The fastest, since other programs run, too; negative if the screen cannot be opened. */
static double open_ms(const struct opened *s, const char *home, bool listed) {
    double times[RUNS];
    setenv("ZEROTUTOR_HOME", home, 1);
    for (int i = 0; i < RUNS; i++)
        if ((times[i] = open_once(s, listed)) < 0) return -1;
    qsort(times, RUNS, sizeof *times, by_value);
    return times[0];
}

/* ── commands ──────────────────────────────────────────────────────────────────────────────────*/
/* From the start of the process to its end, sorted. Status 1: nothing is due, or not earned yet. */
static void time_command(const char *const words[4], const char *home, double *times, int runs) {
    extern char **environ;
    char *argv[6] = {getenv("ZEROTUTOR")};
    posix_spawn_file_actions_t quiet;
    for (size_t i = 0; i < 4 && words[i]; i++) argv[i + 1] = (char *)words[i];
    setenv("ZEROTUTOR_HOME", home, 1);
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", 1, 0);
    for (int i = 0; i < runs; i++) {
        pid_t pid;
        int status;
        double begun = now_ms();
        if (posix_spawn(&pid, argv[0], &quiet, NULL, argv, environ) != 0) years_fail("no process");
        waitpid(pid, &status, 0);
        times[i] = now_ms() - begun;
        if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
            years_fail("`zerotutor %s` failed", words[0]);
    }
    posix_spawn_file_actions_destroy(&quiet);
    qsort(times, (size_t)runs, sizeof *times, by_value);
}

static void print_due(const char *name, const char *empty, const char *full) {
    double few[DUES], many[DUES];
    time_command((const char *const[4]){"due"}, empty, few, DUES);
    time_command((const char *const[4]){"due"}, full, many, DUES);
    printf("%-22s %9.2f %9.2f\n", name, few[0], many[0]);
    printf("%-22s %9.2f %9.2f\n", "  the median", few[DUES / 2], many[DUES / 2]);
}

/* While a program that gave answers runs, what is due is counted from the record; once home was
 * shown, it is a row of it. */
static void print_dues(const char *empty, const char *full) {
    const char *const homes[] = {empty, full};
    print_due("zerotutor due, counted", empty, full);
    for (size_t i = 0; i < 2; i++) open_ms(&screens[0], homes[i], false);
    print_due("zerotutor due", empty, full);
}

static double megabytes(const char *file) {
    struct stat s;
    return stat(file, &s) == 0 ? (double)s.st_size / 1e6 : 0;
}

/* What is saved, verified or exported has each answer judged again, its numbers drawn again; the
 * page of a certificate is that of the record. */
static void print_certificates(const char *empty, const char *full, const char *folder) {
    char few_file[96], many_file[96], few_record[96], many_record[96];
    snprintf(few_file, sizeof few_file, "%s/few.cert", folder);
    snprintf(many_file, sizeof many_file, "%s/many.cert", folder);
    snprintf(few_record, sizeof few_record, "%s/few.jsonl", folder);
    snprintf(many_record, sizeof many_record, "%s/many.jsonl", folder);
    const struct {
        const char *name, *few[4], *many[4];
    } rows[] = {
        {"zerotutor certificate", {"certificate"}, {"certificate"}},
        {"  saved", {"certificate", "-o", few_file}, {"certificate", "-o", many_file}},
        {"  verified", {"certificate", "verify", few_file}, {"certificate", "verify", many_file}},
        {"record export", {"record", "export", few_record}, {"record", "export", many_record}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double few[CERTIFICATES], many[CERTIFICATES];
        time_command(rows[i].few, empty, few, CERTIFICATES);
        time_command(rows[i].many, full, many, CERTIFICATES);
        printf("%-22s %9.1f %9.1f %9.4f an answer\n", rows[i].name, few[0], many[0],
               (many[0] - few[0]) / YEARS_ANSWERS);
        fflush(stdout);
    }
    printf("%-22s %9.1f %9.1f MB, of the record\n", "", megabytes(few_record),
           megabytes(many_record));
    printf("%-22s %9.1f %9.1f MB, of the certificate\n", "", megabytes(few_file),
           megabytes(many_file));
}

/* ── the table ─────────────────────────────────────────────────────────────────────────────────*/
static void print_row(const struct opened *s, const char *empty, const char *full) {
    double a = open_ms(s, empty, s->key != NULL), b = open_ms(s, full, false);
    char few[16] = "-", frames[16] = "-";
    if (a >= 0) snprintf(few, sizeof few, "%.1f", a);
    if (a >= 0 && b >= 0) snprintf(frames, sizeof frames, "%+.1f", (b - a) / FRAME_MS);
    if (b >= 0)
        printf("%-22s %9s %9.1f %9s\n", s->name, few, b, frames);
    else
        printf("%-22s %9s %9s %9s\n", s->name, few, "-", frames);
    fflush(stdout);
}

/* The first opening of a record that was never folded. */
static void print_unfolded(const char *path, const char *home) {
    double times[RUNS];
    setenv("ZEROTUTOR_HOME", home, 1);
    for (int i = 0; i < RUNS; i++) {
        years_forget(path);
        times[i] = open_once(&screens[0], false);
    }
    qsort(times, RUNS, sizeof *times, by_value);
    printf("%-22s %9s %9.1f\n", "home, nothing kept", "", times[0]);
}

int main(void) {
    char folder[] = "/tmp/zerotutor-bench-XXXXXX", empty[64], full[64], path[80], command[64];
    if (!getenv("ZEROTUTOR") || !mkdtemp(folder)) years_fail("a temporary folder, or $ZEROTUTOR");
    snprintf(empty, sizeof empty, "%s/empty", folder);
    snprintf(full, sizeof full, "%s/full", folder);
    snprintf(path, sizeof path, "%s/learner.db", empty);
    setenv("ZEROTUTOR_HOME", empty, 1);
    setenv("TERM", "xterm-256color", 1);
    years_empty(path);
    snprintf(path, sizeof path, "%s/learner.db", full);
    years_make(path);
    printf("ms, the fastest of %d; on an empty record and on one of %d answers; -: there is "
           "nothing to open\n",
           RUNS, YEARS_ANSWERS);
    printf("%-22s %9s %9s %9s\n", "", "empty", "5 years", "frames");
    print_dues(empty, full);
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
        print_row(&screens[i], empty, full);
    print_unfolded(path, full);
    print_certificates(empty, full, folder);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? 0 : 1;
}
