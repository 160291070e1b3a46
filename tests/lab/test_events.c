/* zerolab itself: its events, its exit statuses, and that processes train as threads do. */
#include "program.h"
#include "runs.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHAPE PROGRAM_SHAPE

/* Braces and quotes of a line agree, and nothing stands outside the outermost. */
static void assert_object(const char *line, size_t length) {
    int depth = 0;
    bool quoted = false;
    assert_int_equal(line[0], '{');
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\\' && quoted)
            i++;
        else if (line[i] == '"')
            quoted = !quoted;
        else if (!quoted && strchr("{[", line[i]))
            depth++;
        else if (!quoted && strchr("}]", line[i]))
            depth--;
        if (depth == 0 && i + 1 < length) fail_msg("more than an object: %.*s", (int)length, line);
    }
    assert_int_equal(depth, 0);
}

static void test_stream(void **state) {
    (void)state;
    assert_int_equal(program_run("--ranks 2 --stage 3 --steps 3 " SHAPE), 0);
    for (char *at = program_output, *end; (end = strchr(at, '\n')); at = end + 1)
        assert_object(at, (size_t)(end - at));
    assert_memory_equal(program_output, "{\"event\":\"start\",\"v\":1,", 23);
    assert_int_equal(program_count("\"event\":\"predict\""), 2);
    assert_int_equal(program_count("\"event\":\"step\""), 3);
    assert_int_equal(program_count("\"event\":\"end\",\"status\":\"ok\""), 1);
    assert_int_equal(program_count("\"event\":\"error\""), 0);
    assert_int_equal(program_count("\"blas\":\""), 1);
    assert_int_equal(program_count("\"blas_slow\":"), program_count("\"blas\":\"reference BLAS\""));
    /* a micro-step of stage 3: 2 · (layers + 2) gathers; one bucket */
    assert_int_equal(program_count("\"op\":\"all_gather\""), 2 * 3 * 2 * 4);
    assert_int_equal(program_count("\"op\":\"reduce_scatter\""), 2 * 3);
    assert_int_equal(program_count("\"resident\":"), program_count("\"event\":\"memory\""));
    assert_true(program_count("\"where\":\"backward block 1\"") > 0);
    /* Threads share what the machine says of their process, and a dry run holds nothing. */
    assert_int_equal(program_run("--ranks 2 --comm local " SHAPE), 0);
    assert_int_equal(program_count("\"resident\":"), 0);
    assert_int_equal(program_run("--ranks 2 --dry " SHAPE), 0);
    assert_int_equal(program_count("\"resident\":"), 0);
}

/* The number behind a key, from a place on; 0 if there is none. */
static unsigned long long number(const char *from, const char *key) {
    const char *at = strstr(from, key);
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

/* The highest event of a run is its peak: today's `now` stays what it was, the state in which a
 * moment ends. */
static void test_highest(void **state) {
    (void)state;
    unsigned long long highest = 0, ends = 0;
    assert_int_equal(program_run("--ranks 2 --stage 3 --steps 2 " SHAPE), 0);
    assert_int_equal(program_count("\"highest\":{"), program_count("\"event\":\"memory\""));
    for (const char *at = program_output; (at = strstr(at, "\"event\":\"memory\"")); at++) {
        unsigned long long high = number(at, "\"highest_total\":"), end = number(at, "\"total\":");
        assert_true(high >= end && end > 0);
        if (high > highest) highest = high;
        if (end > ends) ends = end;
    }
    assert_true(highest > ends);
    assert_int_equal(highest,
                     number(strstr(program_output, "\"event\":\"end\""), "\"peak_total\":"));
}

static void copy_value(const char *key, char out[32]) {
    const char *at = strstr(program_output, key);
    assert_non_null(at);
    (void)snprintf(out, 32, "%.16s", at + strlen(key));
}

static void test_processes_and_threads(void **state) {
    (void)state;
    static const char *const ways[] = {
        "--ranks 3 --stage 0 --comm shm", "--ranks 3 --stage 1 --comm local --bucket 300",
        "--ranks 3 --stage 2 --comm shm --bucket 1KB --checkpoint full",
        "--ranks 3 --stage 3 --comm local --prefetch 0",
        "--ranks 3 --stage 3 --comm shm --prefetch 2 --bucket 500 --checkpoint selective"};
    char hash[32], other[32], words[300];
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        (void)snprintf(words, sizeof words, "%s --steps 3 --precision bf16 --clip 1 " SHAPE,
                       ways[i]);
        assert_int_equal(program_run(words), 0);
        copy_value("\"weights_hash\":\"", i ? other : hash);
        if (i) assert_string_equal(hash, other);
    }
}

static void test_statuses(void **state) {
    (void)state;
    static const struct {
        const char *words;
        int status;
        const char *says;
    } rows[] = {
        {"--help", 0, "--accumulate N"},
        {"--help", 0, "tiny, small, 10m, 124m"},
        {"--predict --events /dev/null --layers 1 --width 8 --heads 1 --seq 1 --vocab 9", 0,
         "custom: 1 layer, width 8, 1 token "},
        {"--probe", 0, "{\"devices\":[{\"device\":\"cpu\""},
        {"--stage 7", 2, "zerolab: --stage 7: "},
        {"--events /nowhere/at/all", 2, "cannot be written"},
        {"--save /nowhere/at/all " SHAPE, 2, "cannot be written: No such file or directory: use "},
        {"--rendezvous here:29500 " SHAPE, 2, "--rendezvous is for ranks on GPUs that torchrun"},
        {"--save /dev/null " SHAPE, 2, "--save /dev/null: cannot be written: Not a directory"},
        {"--cap 20KB --ranks 2 " SHAPE, 1, "\"what\":\"out of memory\""},
        {"--cap 20KB --ranks 2 --events /dev/null " SHAPE, 1, "the cap is 20.0 KB, at init"},
        {"--cap 20KB --ranks 2 " SHAPE, 1, "\"event\":\"end\",\"status\":\"failed\""},
        {"--ranks 8 --cap 1MB", 1, "or --cap "},
        {"--tokens /no/such/file " SHAPE, 2, "/no/such/file: cannot be read: "},
        {"--tokens /tmp " SHAPE, 2, "/tmp: is a folder: name a file of bytes"},
        {"--tokens /dev/null " SHAPE, 2, "/dev/null: is a pipe or a device: name "},
        {"--tokens /dev/zero " SHAPE, 2, "/dev/zero: is a pipe or a device: name "},
        {"--tokens /proc/self/status " SHAPE, 2, "beyond a vocabulary of 64"},
        {"--ranks 64 --layers 1000 --width 8192 --heads 1", 1, "out of memory: 64 ranks of "},
        {"--ranks 64 --layers 1000 --width 8192 --heads 1", 1, "this machine has "},
        {"--ranks 64 --layers 1000 --width 8192 --heads 1", 1,
         "\"event\":\"end\",\"status\":\"failed\""},
        {"--ranks 2 --batch 65536 " SHAPE "--seq 512", 1, "would hold "},
        {"--predict --model 1558m --ranks 8 --stage 3", 0, "\"event\":\"predict\",\"rank\":7"},
        {"--dry --model 1558m --ranks 2 --stage 3 --steps 1", 0, "\"status\":\"ok\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int status = program_run(rows[i].words);
        if (status != rows[i].status || !strstr(program_output, rows[i].says))
            fail_msg("%s: status %d, said %.300s", rows[i].words, status, program_output);
    }
}

/* A link may be emulated between ranks that share cores, and both are said. */
static void test_times(void **state) {
    (void)state;
    size_t crowded = sysconf(_SC_NPROCESSORS_ONLN) < 64;
    assert_int_equal(program_run("--predict --ranks 64 --link 1GB/s,20us"), 0);
    assert_int_equal(program_count("\"times\":\"emulated link\""), 1);
    assert_int_equal(program_count("\"shared_processor\":true"), crowded);
    assert_int_equal(program_run("--predict --ranks 1 --link 1GB/s,20us"), 0);
    assert_int_equal(program_count("\"shared_processor\""), 0);
    assert_int_equal(program_run("--predict --ranks 64"), 0);
    assert_int_equal(program_count("\"times\":\"shared processor\""), crowded);
    assert_int_equal(program_count("\"shared_processor\""), 0);
    assert_int_equal(program_run("--predict --ranks 64 --link 1GB/s --events /dev/null"), 0);
    assert_int_equal(program_count("times: emulated link, shared processor"), crowded);
}

/* Where tokens come from, unless it is the bundled text; a file is not named. */
static void test_tokens_are_said(void **state) {
    (void)state;
    static const struct {
        const char *words, *says;
    } rows[] = {
        {"--predict --ranks 1 --tokens text", NULL},
        {"--predict --ranks 1 --tokens random", "\"tokens\":\"random\""},
        {"--predict --ranks 1 --tokens README.md", "\"tokens\":\"file\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(program_run(rows[i].words), 0);
        assert_int_equal(program_count("\"tokens\":"), rows[i].says != NULL);
        if (rows[i].says) assert_int_equal(program_count(rows[i].says), 1);
        assert_int_equal(program_count("README"), 0);
    }
}

static void test_predict_runs_nothing(void **state) {
    (void)state;
    assert_int_equal(program_run("--predict --ranks 2"), 0);
    assert_int_equal(program_count("\n"), 3);
    assert_int_equal(program_count("\"event\":\"step\""), 0);
}

static void test_events_file(void **state) {
    (void)state;
    char path[] = "/tmp/zerolab-events-XXXXXX", words[200];
    int file = mkstemp(path);
    assert_true(file >= 0);
    (void)snprintf(words, sizeof words, "--events %s --steps 2 " SHAPE, path);
    assert_int_equal(program_run(words), 0);
    assert_int_equal(program_count("\"event\""), 0);
    assert_true(program_count("tokens/s") == 1 && program_count("peak of the sum") == 1);
    FILE *f = fdopen(file, "r");
    size_t n = fread(program_output, 1, PROGRAM_TEXT - 1, f);
    program_output[n] = '\0';
    (void)fclose(f);
    (void)remove(path);
    assert_int_equal(program_count("\"event\":\"step\""), 2);
    assert_int_equal(program_count("\"event\":\"end\""), 1);
}

/* What cannot be written is said, on standard error, which popen() has beside. */
static void test_output_that_fails(void **state) {
    (void)state;
    static const char *const words[] = {"--help >/dev/full",
                                        "--probe >/dev/full",
                                        "--predict >/dev/full",
                                        "--dry " SHAPE ">/dev/full",
                                        "--ranks 2 --steps 100000 " SHAPE ">/dev/full",
                                        ("--steps 100000 --events /dev/full " SHAPE)};
    char command[1000];
    if (access("/dev/full", W_OK) != 0) skip();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        (void)snprintf(command, sizeof command, "2>&1 %s", words[i]);
        int status = program_redirected(command);
        if (status != 1 || program_count(": cannot be written: ") != 1)
            fail_msg("%s: status %d, said %.300s", words[i], status, program_output);
    }
}

/* Events that go nowhere are lost: a run whose standard output is closed has failed, before
 * it begins. */
static void test_closed_descriptors(void **state) {
    (void)state;
    static const struct {
        const char *way;
        /* on standard output */
        bool told;
    } rows[] = {
        {"<&-", true},           {"2>&-", true},          {"2>&1 1>&-", false},
        {"<&- 2>&1 >&-", false}, {"<&- >&- 2>&-", false}, {"2>&1 1</dev/null", false},
    };
    static const char *const others[] = {"--help", "--probe", "--predict", ("--dry " SHAPE)};
    char words[300];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)snprintf(words, sizeof words, "--ranks 2 --steps 2 " SHAPE "%s", rows[i].way);
        if (program_redirected(words) != !rows[i].told)
            fail_msg("%s: %.300s", rows[i].way, program_output);
        assert_int_equal(program_count("\"status\":\"ok\""), rows[i].told);
        if (strstr(rows[i].way, "2>&1"))
            assert_int_equal(program_count("zerolab: standard output: cannot be written: "), 1);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        (void)snprintf(words, sizeof words, "%s 2>&1 >&-", others[i]);
        assert_int_equal(program_redirected(words), 1);
        assert_int_equal(program_count("standard output: cannot be written: "), 1);
    }
}

/* A path is what it seems to be: what stands there is neither followed nor waited for. */
static void test_files_that_are_none(void **state) {
    (void)state;
    static const struct {
        const char *make, *words;
        int status;
        const char *says;
    } rows[] = {
        {"mkfifo x", "--tokens x " SHAPE, 2, "x: is a pipe or a device: name a file of bytes"},
        {"truncate -s 2G x", "--tokens x " SHAPE, 2, "x: is larger than 1 GiB"},
        {"mkfifo x", "--events x --predict", 2, "--events x: cannot be written: it is a pipe"},
        {"echo kept >y; ln -s y x", "--events x --predict", 2,
         "x: cannot be written: it is a symbolic link: name the file itself"},
        {"ln -s y x", "--events x --predict", 2, "it is a symbolic link"},
        {"echo kept >y; ln -s y x", "--weights x " SHAPE, 2,
         "x: cannot be written: it is a symbolic link"},
        {"echo old >x", "--events x --steps 2 " SHAPE, 0, "tokens/s"},
        {":", "--events /dev/stdout --predict", 0, "\"event\":\"predict\""},
        {":", "--events /dev/fd/7 --predict 7>&1", 0, "\"event\":\"predict\""},
        {":", "--events /dev/fd/7 --predict 7>&-", 2, "--events /dev/fd/7: cannot be written: "},
    };
    char command[1000], program[600];
    const char *given = getenv("ZEROLAB");
    assert_non_null(realpath(given ? given : "build/zerolab", program));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)snprintf(
            command, sizeof command,
            "d=$(mktemp -d) && cd $d && { %s; } && timeout 20 %s --tokens random %s 2>&1; s=$?; "
            "[ ! -e y ] || cat y; rm -rf $d; exit $s",
            rows[i].make, program, rows[i].words);
        FILE *f = popen(command, "r"); /* NOLINT(cert-env33-c): the words are this file's */
        assert_non_null(f);
        program_output[fread(program_output, 1, PROGRAM_TEXT - 1, f)] = '\0';
        int status = pclose(f);
        if (WEXITSTATUS(status) != rows[i].status || !strstr(program_output, rows[i].says))
            fail_msg("%s; %s: status %d, said %.300s", rows[i].make, rows[i].words,
                     WEXITSTATUS(status), program_output);
        if (strstr(rows[i].make, "kept")) assert_int_equal(program_count("kept\n"), 1);
    }
}

/* A terminal would obey what stands in an argument. */
static void test_arguments_with_controls(void **state) {
    (void)state;
    static const struct {
        const char *words, *says;
    } rows[] = {
        {"--stage '\33]0;x\7'", "zerolab: --stage \\x1b]0;x\\x07: "},
        {"'--\33[2J'", "zerolab: --\\x1b[2J: unknown option"},
        {"--tokens '/no\nthing' " SHAPE, "zerolab: /no\\x0athing: cannot be read"},
        {"--events '/no\177/\302\233m'", "/no\\x7f/\\xc2\\x9bm: cannot be written"},
        {"--model '\233\377é…\342\200'", "--model \\x9b\\xffé…\\xe2\\x80: choose"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(program_run(rows[i].words), 2);
        if (!strstr(program_output, rows[i].says))
            fail_msg("%s: said %.300s", rows[i].words, program_output);
    }
}

/* A process that this one has started; 0 if there is none. */
static pid_t child_of(pid_t pid) {
    char path[300];
    pid_t child = 0;
    DIR *all = opendir("/proc");
    for (struct dirent *d; all && !child && (d = readdir(all));) {
        long parent = 0;
        (void)snprintf(path, sizeof path, "/proc/%s/stat", d->d_name);
        FILE *f = fopen(path, "re");
        if (f && fscanf(f, "%*d (%*[^)]) %*c %ld", &parent) == 1 && parent == pid)
            child = (pid_t)atol(d->d_name);
        if (f) (void)fclose(f);
    }
    if (all) (void)closedir(all);
    return child;
}

/* The status of a run into a pipe that nobody reads, once it is told to end, or once a rank is
 * stopped. */
static int unread(int signal) {
    int ends[2], status;
    const char *program = getenv("ZEROLAB");
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(STDERR_FILENO);
        if (!program) program = "build/zerolab";
        (void)execl(program, program, "--tokens", "random", "--ranks", "2", "--steps", "1000000",
                    "--stall", "1", (char *)NULL);
        _exit(9);
    }
    (void)close(ends[1]);
    (void)sleep(1);
    pid_t rank = signal == SIGSTOP ? child_of(pid) : pid;
    if (!rank) fail_msg("no rank is found (%d)", kill(pid, SIGKILL));
    assert_int_equal(kill(rank, signal), 0);
    for (int tenths = 0; waitpid(pid, &status, WNOHANG) == 0; tenths++) {
        if (tenths > 80) fail_msg("signal %d is not heeded (%d)", signal, kill(pid, SIGKILL));
        (void)nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    (void)close(ends[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* So is a file that may not grow: it is no reason to be killed without a word. */
static void test_small_files(void **state) {
    (void)state;
    const char *program = getenv("ZEROLAB");
    char command[1000];
    (void)snprintf(command, sizeof command,
                   "f=$(mktemp) && (ulimit -f 1; %s --predict --ranks 64 --events $f 2>&1); "
                   "s=$?; rm $f; exit $s",
                   program ? program : "build/zerolab");
    FILE *f = popen(command, "r"); /* NOLINT(cert-env33-c): the words are this file's */
    assert_non_null(f);
    program_output[fread(program_output, 1, PROGRAM_TEXT - 1, f)] = '\0';
    assert_int_equal(WEXITSTATUS(pclose(f)), 1);
    assert_int_equal(program_count(": cannot be written: "), 1);
}

/* zerolab with so little room, as a shell limits it; its status, with what it says in
 * `program_output`. */
static int limited(const char *limit, const char *words) {
    const char *program = getenv("ZEROLAB");
    char command[1000];
    (void)snprintf(command, sizeof command, "ulimit %s; exec timeout 60 %s --tokens random %s 2>&1",
                   limit, program ? program : "build/zerolab", words);
    FILE *f = popen(command, "r"); /* NOLINT(cert-env33-c): the words are this file's */
    assert_non_null(f);
    program_output[fread(program_output, 1, PROGRAM_TEXT - 1, f)] = '\0';
    int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Where space is limited a run ends well or says why not: OpenBLAS by itself would try for ever,
 * before main() or at the first product, for each of its threads. How much is enough is the BLAS's
 * business. */
static void test_address_space(void **state) {
    (void)state;
    static const char *const limits[] = {"-v 100000", "-v 150000", "-v 200000", "-v 250000",
                                         "-v 300000", "-v 400000", "-v 600000", "-d 20000",
                                         "-d 50000",  "-d 150000", "-d 300000"};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        int status =
            limited(limits[i], i % 2 ? "--ranks 2 --steps 2 --comm local" : "--ranks 2 --steps 2");
        if (strstr(program_output, "AddressSanitizer")) skip(); /* it wants much more itself */
        if (strstr(program_output, "pthread_create failed"))
            continue; /* the BLAS has given up by itself */
        bool well = status == 0 && program_count("\"status\":\"ok\"") == 1,
             said = status == 1 && program_count("see ulimit -") == 1;
        if (!well && !said)
            fail_msg("ulimit %s: status %d, said %.300s", limits[i], status, program_output);
    }
    assert_int_equal(limited("-v 100000", "--ranks 2 --model 124m"), 1);
    assert_true(program_count("see ulimit -v") + program_count("out of memory") > 0);
}

/* Where memory runs out the system takes ranks before anything else. */
static void test_ranks_stand_back(void **state) {
    (void)state;
    char path[60];
    int score = 0;
    const char *program = getenv("ZEROLAB");
    pid_t pid = fork();
    if (pid == 0) {
        (void)freopen("/dev/null", "w", stdout);
        if (!program) program = "build/zerolab";
        (void)execl(program, program, "--tokens", "random", "--ranks", "2", "--steps", "1000000",
                    (char *)NULL);
        _exit(9);
    }
    for (int tenths = 0; tenths < 50 && score != 1000; tenths++) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        (void)snprintf(path, sizeof path, "/proc/%d/oom_score_adj", (int)child_of(pid));
        FILE *f = fopen(path, "re");
        if (f && fscanf(f, "%d", &score) != 1) score = 0;
        if (f) (void)fclose(f);
    }
    bool told = access("/proc/self/oom_score_adj", R_OK) == 0;
    assert_int_equal(kill(pid, SIGTERM), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    if (told) assert_int_equal(score, 1000);
}

static void test_nobody_reads(void **state) {
    (void)state;
    assert_int_equal(unread(SIGINT), 1);
    assert_int_equal(unread(SIGTERM), 1);
    assert_int_equal(unread(SIGQUIT), 1);
    if (access("/proc/self/stat", R_OK) == 0) assert_int_equal(unread(SIGSTOP), 1);
}

/* How many predictions after the run are of the bytes that rank 0 sent; or, of those before it, of
 * other bytes. */
static size_t count_sent(bool after) {
    size_t n = 0, length;
    char sent[200];
    const char *end = strstr(program_output, "\"event\":\"end\""), *at = strstr(end, "\"sent\":{");
    length = strcspn(at, "}");
    (void)snprintf(sent, sizeof sent, "%.*s", (int)length, at);
    for (char *line = program_output, *next; (next = strchr(line, '\n')); line = next + 1) {
        char *found = strstr(line, "\"event\":\"predict\""), *says = strstr(line, sent);
        char *later = strstr(line, "\"skipped\":");
        if (!found || found > next) continue;
        n += after ? later && later < next && says && says < next
                   : (!later || later > next) && (!says || says > next);
    }
    return n;
}

/* A step whose gradients overflow fp16 sends less than predicted before the run, and says why. */
static void test_skipped_steps(void **state) {
    (void)state;
    static const char words[] = "--ranks 2 --stage 2 --rate 30 --steps 4 " SHAPE;
    char both[300];
    (void)snprintf(both, sizeof both, "%s --precision fp16", words);
    assert_int_equal(program_run(both), 0);
    size_t skipped = program_count("\"skipped\":true");
    assert_true(skipped > 0);
    assert_int_equal(program_count("\"scale\":65536") + program_count("\"scale\":32768"), 3);
    assert_int_equal(program_count("\"status\":\"ok\""), 1);
    (void)snprintf(both, sizeof both, "\"skipped\":%zu,", skipped);
    assert_int_equal(program_count(both), 1);
    assert_int_equal(program_count("the training has diverged"), 1);
    /* Predicted anew for both ranks, without what was not gathered: that is what was sent. */
    assert_int_equal(program_count("\"event\":\"predict\""), 4);
    assert_int_equal(count_sent(true), 2);
    assert_int_equal(count_sent(false), 2);
    (void)snprintf(both, sizeof both, "%s --precision fp16 --events /dev/null", words);
    assert_int_equal(program_run(both), 0);
    assert_int_equal(program_count("skipped: gradients overflow"), skipped);
    assert_int_equal(program_count("  below"), 0);
    assert_int_equal(program_count("they updated nothing, so they gathered nothing"), 1);
    assert_int_equal(program_run(words), 0);
    assert_int_equal(program_count("\"scale\"") + program_count("\"skipped\""), 0);
}

/* Ranks hold parts of different tensors, so one has more passes than the other. What is said is
 * their mean, as of the time that they took: the same in every step, whichever rank was slower. */
static void test_passes_are_a_mean(void **state) {
    (void)state;
    double passes = 0;
    assert_int_equal(program_run("--ranks 2 --stage 1 --update tensor --steps 6"), 0);
    const char *at = strstr(program_output, "\"passes\":");
    char text[32];
    assert_non_null(at);
    assert_int_equal(sscanf(at, "\"passes\":%lf", &passes), 1);
    assert_true(passes > 0);
    (void)snprintf(text, sizeof text, "\"passes\":%g,", passes);
    assert_int_equal(program_count(text), 6);
}

/* Collectives without a training belong to no unit: an empty name, not what is behind one in
 * memory. */
static void test_links_have_no_unit(void **state) {
    (void)state;
    assert_int_equal(program_run("--links --ranks 2 --steps 1 --bucket 4096 " SHAPE), 0);
    assert_int_equal(program_count("{\"event\":\"comm\""), 2 * 3);
    assert_int_equal(program_count("\"unit\":\"\""), 2 * 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_highest),
        cmocka_unit_test(test_processes_and_threads),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_tokens_are_said),
        cmocka_unit_test(test_predict_runs_nothing),
        cmocka_unit_test(test_events_file),
        cmocka_unit_test(test_output_that_fails),
        cmocka_unit_test(test_closed_descriptors),
        cmocka_unit_test(test_files_that_are_none),
        cmocka_unit_test(test_arguments_with_controls),
        cmocka_unit_test(test_nobody_reads),
        cmocka_unit_test(test_address_space),
        cmocka_unit_test(test_small_files),
        cmocka_unit_test(test_ranks_stand_back),
        cmocka_unit_test(test_passes_are_a_mean),
        cmocka_unit_test(test_links_have_no_unit),
        cmocka_unit_test(test_skipped_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
