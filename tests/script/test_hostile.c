/* Workers that are no lessons' workers at all: what if Lua itself were broken into? Each answers in
 * its own way; the tutor must end it with a clear message within half a second, and keep no
 * descriptor, zombie or memory of it. */
#include "script/opening.h"

#include "script/guard.h"
#include "script/open.h"
#include "script/wire.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_MS 5000

/* ── what they do; a worker ends when its function returns ─────────────────────────────────────*/

static char incoming[WIRE_MOST];

static void listen_to(int fd) {
    size_t n;
    if (!script_wire_read(fd, incoming, sizeof incoming, &n)) _exit(1);
}

static void wait_for_ever(int fd) {
    char c;
    while (read(fd, &c, 1) == 1) {
    }
}

static void put_header(int fd, uint32_t length) {
    unsigned char header[4];
    for (int i = 0; i < 4; i++) header[i] = (unsigned char)(length >> (8 * i));
    if (write(fd, header, sizeof header) != sizeof header) _exit(1);
}

static void say(int fd, const char *text) {
    listen_to(fd);
    script_wire_write(fd, text, strlen(text));
    wait_for_ever(fd);
}

#define SAYS(name, text)                                                                           \
    static void name(int fd, struct trace *trace) {                                                \
        (void)trace;                                                                               \
        say(fd, text);                                                                             \
    }
SAYS(says_garbage, "\x01\x02 not JSON")
SAYS(says_nothing, "")
SAYS(says_list, "[1,2,3]")
SAYS(says_number, "{\"is\":\"lesson\",\"lesson\":1e999}")
SAYS(says_no_lesson, "{\"is\":\"lesson\"}")
SAYS(says_value, "{\"is\":\"value\",\"value\":{}}")
SAYS(says_not_utf8, "{\"is\":\"error\",\"text\":\"\xff\xfe\"}")
SAYS(says_escapes, "{\"is\":\"error\",\"text\":\"a\\u001b[2Jb\\u0007\",\"line\":\"x\",\"file\":[]}")

static void says_half(int fd, struct trace *trace) {
    (void)trace;
    listen_to(fd);
    put_header(fd, 100);
    if (write(fd, "{\"is\":", 6) != 6) _exit(1);
}

static void says_half_and_waits(int fd, struct trace *trace) {
    says_half(fd, trace);
    wait_for_ever(fd);
}

static void says_half_a_header(int fd, struct trace *trace) {
    (void)trace;
    listen_to(fd);
    if (write(fd, "\x10", 1) != 1) _exit(1);
}

static void says_two_gigabytes(int fd, struct trace *trace) {
    (void)trace;
    listen_to(fd);
    put_header(fd, 0x7fffffff);
    wait_for_ever(fd);
}

static void says_one_too_many(int fd, struct trace *trace) {
    (void)trace;
    listen_to(fd);
    put_header(fd, WIRE_MOST + 1);
    wait_for_ever(fd);
}

static void says_deep(int fd, struct trace *trace) {
    (void)trace;
    char *text = base_format("{\"is\":\"lesson\",\"lesson\":%0500d%0500d}", 0, 0);
    memset(strchr(text, '0'), '[', 500);
    memset(strchr(text, '0'), ']', 500);
    say(fd, text);
}

static void says_deepest(int fd, struct trace *trace) {
    (void)trace;
    char *text = base_alloc(WIRE_MOST);
    memset(text, '[', WIRE_MOST);
    listen_to(fd);
    script_wire_write(fd, text, WIRE_MOST);
    wait_for_ever(fd);
}

static void says_long_text(int fd, struct trace *trace) {
    (void)trace;
    say(fd, base_format("{\"is\":\"lesson\",\"lesson\":\"%070000d\"}", 0));
}

static void is_silent(int fd, struct trace *trace) {
    (void)trace;
    wait_for_ever(fd);
}

static void begins_and_is_silent(int fd, struct trace *trace) {
    signal(SIGALRM, SIG_IGN);
    trace->line = 3;
    trace->began = true;
    wait_for_ever(fd);
}

static void ends(int fd, struct trace *trace) {
    (void)trace;
    listen_to(fd);
}

static void never_reads(int fd, struct trace *trace) {
    (void)fd, (void)trace;
    for (;;) {
    }
}

static void crashes(int fd, struct trace *trace) {
    (void)trace;
    listen_to(fd);
    kill(getpid(), SIGSEGV);
}

/* ── what the system refuses them ──────────────────────────────────────────────────────────────*/

static void opens_a_file(int fd, struct trace *trace) {
    (void)fd, (void)trace;
    open("/etc/passwd", O_RDONLY);
}

static void forks(int fd, struct trace *trace) {
    (void)fd, (void)trace;
    fork();
}

static void connects(int fd, struct trace *trace) {
    (void)fd, (void)trace;
    socket(AF_INET, SOCK_STREAM, 0);
}

static void kills_the_tutor(int fd, struct trace *trace) {
    (void)fd, (void)trace;
    kill(getppid(), SIGTERM);
}

static void executes(int fd, struct trace *trace) {
    (void)fd, (void)trace;
    execl("/bin/true", "true", (char *)NULL);
}

static const struct hostile {
    const char *name;
    process_main *run;
    const char *pattern;
    /* only where there is one */
    bool by_filter;
} hostiles[] = {
    {"says garbage", says_garbage, "*not JSON*", false},
    {"says nothing", says_nothing, "*not JSON*", false},
    {"says a list", says_list, "*makes no sense*", false},
    {"says too large a number", says_number, "*not JSON*", false},
    {"says it has a lesson", says_no_lesson, "*makes no sense*", false},
    {"says a value", says_value, "*makes no sense*", false},
    {"says what is not UTF-8", says_not_utf8, "*not JSON*", false},
    {"says escapes", says_escapes, "a*b*", false},
    {"says half", says_half, "*ended without an answer*", false},
    {"says half and waits", says_half_and_waits, "*did not start*", false},
    {"says half a header", says_half_a_header, "*ended without an answer*", false},
    {"says 2 GB", says_two_gigabytes, "*over 1 MiB*", false},
    {"says 1 MiB and one byte", says_one_too_many, "*over 1 MiB*", false},
    {"says 500 levels", says_deep, "*nested too deeply*", false},
    {"says a million levels", says_deepest, "*not JSON*", false},
    {"says 70 KB of text", says_long_text, "*over 64 KB*", false},
    {"is silent", is_silent, "*did not start*", false},
    {"begins and is silent", begins_and_is_silent, "*takes longer than*", false},
    {"ends", ends, "*ended without an answer*", false},
    {"never reads", never_reads, "*did not start*", false},
    {"opens a file", opens_a_file, "*may not make*", true},
    {"forks", forks, "*may not make*", true},
    {"connects", connects, "*may not make*", true},
    {"kills the tutor", kills_the_tutor, "*may not make*", true},
    {"executes", executes, "*may not make*", true},
};

/* A lesson larger than a socket holds, so that a worker that never reads stops the sending too. */
static char *large_lesson(size_t *n) {
    *n = 250000;
    char *text = base_alloc(*n + 1);
    memset(text, ' ', *n);
    return text;
}

static void is_ended(void **state) {
    const struct hostile *h = *state;
    if (h->by_filter && GUARD_SANITIZED) skip();
    struct base_message m = {0};
    size_t n;
    char *text = large_lesson(&n);
    int before = opening_descriptors();
    int64_t began = base_ticks();
    struct script *s = script_open_with(h->run, "h.lua", text, n, NULL, &m);
    int64_t took = base_ticks() - began;
    assert_null(s);
    if (fnmatch(h->pattern, m.what, 0) != 0) fail_msg("expected %s, came: %s", h->pattern, m.what);
    assert_string_equal(m.file, "h.lua");
    for (const char *c = m.what; *c; c++) assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
    if (took > MOST_MS) fail_msg("it took %d ms", (int)took);
    assert_int_equal(opening_descriptors(), before);
    assert_true(opening_childless());
    free(text);
}

/* Without the filter, so that the signal is the crash's own. */
static void a_crash_is_told(void **state) {
    (void)state;
    struct base_message m = {0};
    struct script_limits limits = {.unlocked = true};
    assert_null(script_open_with(crashes, "h.lua", "", 0, &limits, &m));
    assert_non_null(strstr(m.what, "worker died (Segmentation fault)"));
    assert_true(opening_childless());
}

/* What may be left of an answer after its limits were checked. */
static int depth_of(const json_t *value) {
    int deepest = 0;
    size_t i;
    const char *key;
    json_t *member;
    json_array_foreach(value, i, member) {
        if (depth_of(member) > deepest) deepest = depth_of(member);
    }
    json_object_foreach((json_t *)value, key, member) {
        if (depth_of(member) > deepest) deepest = depth_of(member);
    }
    return deepest + 1;
}

/* Bytes of a good answer changed at random, some repeated: each is refused, or is plain data within
 * the limits. */
static void changed_answers_are_refused_or_plain(void **state) {
    (void)state;
    const char *good = "{\"is\":\"lesson\",\"lesson\":{\"v\":1,\"steps\":[{\"kind\":\"say\","
                       "\"text\":\"\\u2028 a\"},"
                       "[[[[[[[[-1.5e3]]]]]]]],true,null]}}";
    const char spice[] = "[]{}\",:\\u0\xff\x01 9e-";
    uint64_t stream = 7;
    int accepted = 0;
    for (int round = 0; round < 5000; round++) {
        struct wire_in in = {.length = strlen(good), .body = base_dup(good)};
        for (uint64_t n = base_random(&stream) % 4; n > 0; n--)
            in.body[base_random(&stream) % in.length] =
                spice[base_random(&stream) % (sizeof spice - 1)];
        struct base_message m = {0};
        json_t *value = script_wire_json(&in, &m);
        if (value)
            assert_true(depth_of(value) <= WIRE_DEPTH);
        else
            assert_true(m.what[0] != '\0');
        accepted += value != NULL;
        json_decref(value);
        script_wire_free(&in);
    }
    assert_true(accepted > 500 && accepted < 4500);
}

int main(void) {
    struct CMUnitTest tests[BASE_COUNT(hostiles) + 2];
    for (size_t i = 0; i < BASE_COUNT(hostiles); i++)
        tests[i] =
            (struct CMUnitTest){hostiles[i].name, is_ended, NULL, NULL, (void *)&hostiles[i]};
    struct CMUnitTest crash = cmocka_unit_test(a_crash_is_told);
    struct CMUnitTest changed = cmocka_unit_test(changed_answers_are_refused_or_plain);
    tests[BASE_COUNT(hostiles)] = crash;
    tests[BASE_COUNT(hostiles) + 1] = changed;
    return _cmocka_run_group_tests("hostile workers", tests, BASE_COUNT(tests), NULL, NULL);
}
