/* Tickets in a real folder: forty programs that take turns, some of which are killed; locks, what
 * others put into the folder, a folder that is full or read-only for a while. */
#include "classroom/room.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAMS = 40, GPUS = 2, TURNS = 3, FIRST_UID = 20000, SOME_UID = 65534 };

static const struct classroom_wish one_gpu = {
    .kind = CLASSROOM_GPU, .slots = 1, .ranks = 4, .minutes = 5, .lab = "ladder"};

static struct classroom_settings settings(int gpus) {
    struct classroom_settings s;
    classroom_settings_new(&s, "sys-26");
    s.gpus = gpus;
    s.cores = 4;
    return s;
}

static struct classroom_wait *begin(void **state, const struct classroom_settings *s) {
    struct base_message m = {0};
    char *path = scratch_path(state, "class");
    struct classroom_wait *q = classroom_wait_begin(path, s, &one_gpu, &m);
    if (!q) fail_msg("%s", m.what);
    free(path);
    return q;
}

static struct classroom_tickets read_all(const struct classroom_folder *f) {
    struct base_message m = {0};
    struct classroom_tickets t;
    assert_true(classroom_tickets_read(f, NULL, &t, &m));
    return t;
}

/* ── one and two ───────────────────────────────────────────────────────────────────────────────*/
static void take_and_stay(void **state, int say) {
    struct classroom_settings s = settings(1);
    struct classroom_wait *q = begin(state, &s);
    while (!classroom_wait_look(q)) {
    }
    room_stay(say);
}

static void wait_and_stay(void **state, int say) {
    struct classroom_settings s = settings(1);
    struct classroom_wait *q = begin(state, &s);
    classroom_wait_look(q);
    room_stay(say);
}

static void a_killed_owner_gives_up_its_turn_and_its_place(void **state) {
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    s = settings(1);
    pid_t first = room_child(take_and_stay, state), second = room_child(wait_and_stay, state);
    struct classroom_wait *q = begin(state, &s);
    assert_false(classroom_wait_look(q));
    assert_int_equal(classroom_wait_turn(q)->position, 2);
    assert_int_equal(classroom_wait_line(q), 2);
    char *said = classroom_wait_say(q);
    assert_string_equal(said,
                        "You are number 2 of 2 in line for a GPU. The wait is at most 10 min.");
    free(said);
    room_reap(first, SIGKILL);
    assert_false(classroom_wait_look(q));
    assert_int_equal(classroom_wait_turn(q)->position, 2);
    room_reap(second, SIGKILL);
    assert_true(classroom_wait_look(q));
    assert_true(classroom_slots_has(&classroom_wait_turn(q)->slots, 0));
    /* its own stale tickets were there when it came, and the second's is its account's too */
    struct classroom_tickets t = read_all(f);
    int live = 0;
    for (size_t i = 0; i < t.count; i++) live += t.ticket[i].live;
    assert_int_equal(live, classroom_wait_turn(q)->stand == CLASSROOM_RUNNING);
    classroom_tickets_free(&t);
    classroom_wait_end(q);
    t = read_all(f);
    for (size_t i = 0; i < t.count; i++) assert_false(t.ticket[i].live);
    classroom_tickets_free(&t);
    classroom_close(f);
}

static void old_tickets_go_when_their_owner_comes_back(void **state) {
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    s = settings(1);
    for (int i = 0; i < 3; i++) {
        struct classroom_wait *q = begin(state, &s);
        assert_true(classroom_wait_look(q));
        classroom_wait_end(q);
        struct classroom_tickets t = read_all(f);
        assert_int_equal(t.count, 1 + (i > 0)); /* this turn and the one before */
        int64_t round = 0;
        for (size_t k = 0; k < t.count; k++) {
            round = t.ticket[k].round > round ? t.ticket[k].round : round;
            assert_int_equal(t.ticket[k].took, 0);
            assert_true(classroom_ticket_served(&t.ticket[k]));
        }
        assert_int_equal(round, i > 0);
        classroom_tickets_free(&t);
    }
    struct classroom_wait *q = begin(state, &s);
    struct classroom_wait *never = begin(state, &s);
    assert_true(classroom_wait_look(q));
    assert_false(classroom_wait_look(never));
    classroom_wait_end(never); /* it had no turn, so its ticket goes */
    struct classroom_tickets t = read_all(f);
    assert_int_equal(t.count, 2); /* and the last turn before this one counts still */
    classroom_tickets_free(&t);
    classroom_wait_end(q);
    classroom_close(f);
}

static void a_child_that_lives_on_does_not_keep_the_turn(void **state) {
    struct classroom_settings s;
    classroom_close(room_open(state, &s));
    s = settings(1);
    struct classroom_wait *q = begin(state, &s);
    assert_true(classroom_wait_look(q));
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        pause();
        _exit(0);
    }
    classroom_wait_end(q);
    q = begin(state, &s);
    assert_true(classroom_wait_look(q));
    classroom_wait_end(q);
    room_reap(pid, SIGKILL);
}

static void cancelled_from_elsewhere(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, &s);
    s = settings(1);
    struct classroom_wait *q = begin(state, &s), *behind = begin(state, &s);
    assert_true(classroom_wait_look(q));
    assert_false(classroom_wait_look(behind));
    assert_int_equal(classroom_queue_cancel(f, &s, &m), 2);
    while (!classroom_wait_cancelled(q)) assert_true(classroom_wait_look(q));
    assert_false(classroom_wait_look(behind));
    assert_true(classroom_wait_cancelled(behind));
    char *said = classroom_wait_say(behind);
    assert_non_null(strstr(said, "out of the queue"));
    free(said);
    classroom_wait_end(q);
    classroom_wait_end(behind);
    assert_int_equal(classroom_queue_cancel(f, &s, &m), 0);
    classroom_close(f);
}

/* Waits behind; its turn would be a wrong one. */
static void wait_for_the_end(void **state, int say) {
    struct classroom_settings s = settings(1);
    struct classroom_wait *q = begin(state, &s);
    classroom_wait_look(q);
    if (write(say, "x", 1) != 1) _exit(2);
    while (!classroom_wait_cancelled(q))
        if (classroom_wait_look(q)) _exit(1);
}

static void none_of_those_cancelled_moves_up_meanwhile(void **state) {
    enum { TIMES = 40 };
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, &s);
    s = settings(1);
    for (int i = 0; i < TIMES; i++) {
        struct classroom_wait *q = begin(state, &s);
        assert_true(classroom_wait_look(q));
        pid_t behind = room_child(wait_for_the_end, state),
              last = room_child(wait_for_the_end, state);
        assert_int_equal(classroom_queue_cancel(f, &s, &m), 3);
        int status[2];
        waitpid(behind, &status[0], 0);
        waitpid(last, &status[1], 0);
        assert_true(status[0] == 0 && status[1] == 0);
        classroom_wait_end(q);
    }
    classroom_close(f);
}

static void what_the_class_does_not_allow_is_refused(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    classroom_close(room_open(state, &s));
    s = settings(1);
    char *path = scratch_path(state, "class");
    struct classroom_wish w = one_gpu;
    w.ranks = s.ranks_most + 1;
    assert_null(classroom_wait_begin(path, &s, &w, &m));
    assert_non_null(strstr(m.what, "allows 4 ranks"));
    w = one_gpu;
    w.bytes = 11;
    s.bytes_most = 10;
    assert_null(classroom_wait_begin(path, &s, &w, &m));
    assert_non_null(strstr(m.what, "allows 10 bytes"));
    free(path);
}

/* ── what others do ────────────────────────────────────────────────────────────────────────────*/
static char *in_queue(void **state, const char *letter, const char *text) {
    struct base_message m = {0};
    char hex[CLASSROOM_NAME];
    memset(hex, *letter, sizeof hex - 1);
    hex[sizeof hex - 1] = '\0';
    char *below = base_format("class/queue/%s.ticket", hex), *path = scratch_path(state, below);
    if (text) assert_true(base_file_write(path, text, strlen(text), &m));
    free(below);
    return path;
}

#define TICKET(more)                                                                               \
    "{\"zerotutor\":\"ticket\",\"format\":1,\"host\":\"here\",\"kind\":\"gpu\"" more "}"

static void what_is_no_ticket_is_passed_over(void **state) {
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    char *odd[] = {in_queue(state, "0", "{"),
                   in_queue(state, "1", "[1,2]"),
                   in_queue(state, "2", TICKET(",\"format\":9")),
                   in_queue(state, "3", "{\"zerotutor\":\"ticket\",\"format\":1,\"kind\":\"tpu\"}"),
                   in_queue(state, "4", NULL),
                   in_queue(state, "5", NULL),
                   in_queue(state, "6", ""),
                   in_queue(state, "7",
                            TICKET(",\"lab\":\"\\u001b[2J\\nx\",\"slots\":-3,"
                                   "\"round\":1e99,\"took\":99999999999"))};
    assert_int_equal(symlink("/etc/passwd", odd[4]), 0);
    assert_int_equal(mkfifo(odd[5], 0666), 0);
    assert_int_equal(truncate(odd[6], (off_t)1 << 40), 0);
    struct classroom_tickets t = read_all(f);
    assert_int_equal(t.count, 1);
    assert_int_equal(t.ticket[0].wish.slots, 1);
    assert_int_equal(t.ticket[0].round, 0);
    assert_null(strchr(t.ticket[0].wish.lab, '\033'));
    assert_null(strchr(t.ticket[0].wish.lab, '\n'));
    assert_true(t.ticket[0].took <= 600000);
    classroom_tickets_free(&t);
    for (size_t i = 0; i < BASE_COUNT(odd); i++) free(odd[i]);
    classroom_close(f);
}

/* A read lock is all that a stranger can have on a file that is only readable. */
static void a_strangers_lock_does_not_make_a_ticket_live(void **state) {
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    char *path = in_queue(state, "a", TICKET(""));
    int fd = open(path, O_RDWR | O_CLOEXEC);
    struct flock l = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    fflush(NULL);
    for (int i = 0; i < 2; i++) {
        l.l_type = i ? F_WRLCK : F_RDLCK;
        int ready[2];
        char byte;
        assert_int_equal(pipe(ready), 0);
        pid_t pid = fork(); /* POSIX's locks are seen by other processes only */
        if (pid == 0) {
            if (fcntl(fd, F_SETLK, &l) == 0 && write(ready[1], "x", 1) == 1) pause();
            _exit(1);
        }
        assert_int_equal(read(ready[0], &byte, 1), 1);
        struct classroom_tickets t = read_all(f);
        assert_int_equal(t.count, 1);
        assert_int_equal(t.ticket[0].live, i);
        assert_int_equal(classroom_slots_count(&t.ticket[0].holds), i ? CLASSROOM_SLOTS : 0);
        classroom_tickets_free(&t);
        room_reap(pid, SIGKILL);
        close(ready[0]), close(ready[1]);
    }
    close(fd);
    free(path);
    classroom_close(f);
}

/* ── a folder that fails for a while ───────────────────────────────────────────────────────────*/
static void a_read_only_folder_is_tried_again(void **state) {
    struct classroom_settings s;
    classroom_close(room_open(state, &s));
    s = settings(1);
    char *queue = scratch_path(state, "class/queue");
    bool root = geteuid() == 0;
    assert_int_equal(chmod(queue, 0555), 0);
    if (root) assert_int_equal(seteuid(SOME_UID), 0);
    struct classroom_wait *q = begin(state, &s);
    assert_false(classroom_wait_look(q));
    assert_non_null(classroom_wait_trouble(q));
    assert_int_equal(classroom_wait_turn(q)->position, 0);
    if (root) assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(queue, 01777), 0);
    if (root) assert_int_equal(seteuid(SOME_UID), 0);
    assert_true(classroom_wait_look(q));
    assert_null(classroom_wait_trouble(q));
    struct classroom_wait *behind = begin(state, &s);
    assert_false(classroom_wait_look(behind));
    if (root) assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(queue, 0555), 0);
    if (root) assert_int_equal(seteuid(SOME_UID), 0);
    classroom_wait_end(q); /* its file cannot be rewritten, but its lock goes */
    assert_true(classroom_wait_look(behind));
    classroom_wait_end(behind);
    if (root) assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(queue, 01777), 0);
    free(queue);
}

static int names_in(const struct classroom_folder *f) {
    int n = 0;
    char *path = base_format("ls -A '%s/queue' | wc -l", classroom_path(f));
    FILE *count = popen(path, "r");
    assert_int_equal(fscanf(count, "%d", &n), 1);
    pclose(count);
    free(path);
    return n;
}

static void a_full_disk_stops_no_turn(void **state) {
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    s = settings(1);
    struct classroom_wait *q = begin(state, &s), *behind = begin(state, &s),
                          *late = begin(state, &s);
    assert_true(classroom_wait_look(q));
    assert_false(classroom_wait_look(behind));
    struct rlimit was, none;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    none = was;
    none.rlim_cur = 0;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    bool got = classroom_wait_look(late);
    bool troubled = classroom_wait_trouble(late) != NULL;
    classroom_wait_end(q);
    bool next = classroom_wait_look(behind);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_true(!got && troubled && next);
    assert_int_equal(names_in(f), 2); /* nothing half-written */
    assert_false(classroom_wait_look(late));
    assert_null(classroom_wait_trouble(late));
    classroom_wait_end(behind);
    assert_true(classroom_wait_look(late));
    classroom_wait_end(late);
    assert_true(classroom_clock(f) > 0);
    classroom_close(f);
}

/* ── forty ─────────────────────────────────────────────────────────────────────────────────────*/
/* who has each GPU, seen by all programs; a program counts as dead from when it kills itself */
struct shared {
    _Atomic int owner[GPUS];
    _Atomic bool dead[PROGRAMS + 1];
    _Atomic int turns, wrong;
};

static bool takes_turn(struct shared *all, const struct classroom_wait *q, int me, bool dies) {
    const struct classroom_slots *slots = &classroom_wait_turn(q)->slots;
    int slot = classroom_slots_has(slots, 0) ? 0 : 1;
    int before = atomic_exchange(&all->owner[slot], me);
    if (classroom_slots_count(slots) != 1 || (before && !all->dead[before])) all->wrong++;
    poll(NULL, 0, 2);
    if (all->owner[slot] != me) all->wrong++;
    if (dies) {
        all->dead[me] = true;
        raise(SIGKILL);
    }
    all->owner[slot] = 0;
    all->turns++;
    return true;
}

/* Clocks that are hours off change nothing: they are not asked. */
static _Noreturn void work(const char *path, struct shared *all, int me) {
    char now[24];
    struct base_message m = {0};
    struct classroom_settings s = settings(GPUS);
    uint64_t chance = (uint64_t)me;
    snprintf(now, sizeof now, "%d", 3600 * me);
    setenv("ZEROTUTOR_NOW", now, 1);
    if (geteuid() == 0 && setuid((uid_t)(FIRST_UID + me)) != 0) _exit(3);
    for (int i = 0; i < TURNS; i++) {
        struct classroom_wait *q = classroom_wait_begin(path, &s, &one_gpu, &m);
        if (!q) _exit(4);
        while (!classroom_wait_look(q)) {
            if (classroom_wait_trouble(q)) _exit(5);
            poll(NULL, 0, 1 + (int)(base_random(&chance) % 4));
        }
        takes_turn(all, q, me, me % 4 == 0 && i == me / 4 % TURNS);
        classroom_wait_end(q);
    }
    _exit(0);
}

static void take_turns(void **state, int programs) {
    struct classroom_settings s;
    classroom_close(room_open(state, &s));
    char *path = scratch_path(state, "class");
    struct shared *all =
        mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(all, MAP_FAILED);
    pid_t pid[PROGRAMS + 1];
    int killed = 0, full = 0;
    fflush(NULL);
    for (int i = 1; i <= programs; i++)
        if ((pid[i] = fork()) == 0) work(path, all, i);
    for (int i = 1; i <= programs; i++) {
        int status;
        assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
        killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            full++;
        else if (WIFEXITED(status))
            fail_msg("program %d ended with %d", i, WEXITSTATUS(status));
    }
    assert_int_equal(killed, programs / 4);
    assert_int_equal(full, programs - programs / 4);
    assert_int_equal(all->wrong, 0);
    assert_true(all->turns >= full * TURNS);
    munmap(all, sizeof *all);
    free(path);
}

static void forty_programs_take_turns_and_ten_are_killed(void **state) {
    take_turns(state, PROGRAMS);
}

static void the_same_without_locks_of_open_files(void **state) {
    setenv("ZEROTUTOR_LOCKS", "posix", 1);
    take_turns(state, PROGRAMS / 2);
    unsetenv("ZEROTUTOR_LOCKS");
}

/* With POSIX's locks a process that tests the others must not lose its own. */
static void looking_does_not_lose_the_own_lock(void **state) {
    struct classroom_settings s;
    classroom_close(room_open(state, &s));
    s = settings(1);
    setenv("ZEROTUTOR_LOCKS", "posix", 1);
    pid_t first = room_child(take_and_stay, state);
    struct classroom_wait *q = begin(state, &s);
    assert_false(classroom_wait_look(q));
    room_reap(first, SIGKILL);
    for (int i = 0; i < 3; i++) assert_true(classroom_wait_look(q));
    pid_t other = room_child(wait_and_stay, state); /* sees that the GPU is taken */
    assert_true(classroom_wait_look(q));
    classroom_wait_end(q);
    room_reap(other, SIGKILL);
    unsetenv("ZEROTUTOR_LOCKS");
}

/* ── who goes round the queue ──────────────────────────────────────────────────────────────────*/
static size_t strangers(const struct classroom_folder *f, pid_t process) {
    struct base_message m = {0};
    struct classroom_stranger found[64];
    size_t n, mine = 0;
    assert_true(classroom_around(f, found, BASE_COUNT(found), &n, &m));
    for (size_t i = 0; i < n; i++)
        if (found[i].process == process) {
            assert_int_equal(found[i].owner, geteuid());
            mine++;
        }
    return mine;
}

/* A program that does nothing for so many seconds under the name of the lab. */
static _Noreturn void be_a_lab(const char *lab, const char *seconds) {
    execl(lab, lab, seconds, (char *)NULL);
    _exit(127);
}

static char *make_lab(void **state) {
    char *lab = scratch_path(state, "zerolab"), *copy = base_format("cp /bin/sleep '%s'", lab);
    assert_int_equal(system(copy), 0);
    free(copy);
    return lab;
}

static void a_lab_without_a_turn_is_found(void **state) {
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    s = settings(1);
    char *lab = make_lab(state);
    pid_t pid = fork();
    if (pid == 0) be_a_lab(lab, "60");
    while (strangers(f, pid) == 0) poll(NULL, 0, 1);
    struct classroom_wait *q = begin(state, &s);
    assert_true(classroom_wait_look(q));
    assert_int_equal(strangers(f, pid), 0);
    classroom_wait_end(q);
    assert_int_equal(strangers(f, pid), 1);
    siginfo_t dead;
    kill(pid, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)pid, &dead, WEXITED | WNOWAIT), 0);
    assert_int_equal(strangers(f, pid), 0); /* it runs no more, and was not reaped */
    room_reap(pid, SIGKILL);
    free(lab);
    classroom_close(f);
}

/* the last labs that had a turn */
enum { RECENT = 64, LOOKS = 1000 };
static struct recent {
    _Atomic pid_t process[RECENT];
    atomic_size_t labs;
} * recent;

static void one_turn_after_another(void **state, int say) {
    struct classroom_settings s = settings(1);
    char *lab = scratch_path(state, "zerolab");
    for (;;) {
        struct classroom_wait *q = begin(state, &s);
        while (!classroom_wait_look(q)) {
        }
        pid_t pid = fork();
        if (pid == 0) {
            recent->process[recent->labs++ % RECENT] = getpid();
            be_a_lab(lab, "0.002");
        }
        waitpid(pid, NULL, 0);
        classroom_wait_end(q);
        if (say >= 0 && write(say, "x", 1) == 1) close(say);
        say = -1;
    }
}

/* Each lab runs within its turn; whoever looks while one begins or ends must not name it. */
static void a_lab_whose_turn_begins_or_ends_is_not_named(void **state) {
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    char *lab = make_lab(state);
    recent = mmap(NULL, sizeof *recent, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(recent, MAP_FAILED);
    pid_t pid = room_child(one_turn_after_another, state);
    size_t before = recent->labs, named = 0;
    for (int i = 0; i < LOOKS || recent->labs < before + LOOKS; i++) {
        struct classroom_stranger found[64];
        size_t n;
        assert_true(classroom_around(f, found, BASE_COUNT(found), &n, NULL));
        for (size_t k = 0; k < n * RECENT; k++)
            named += found[k / RECENT].process == recent->process[k % RECENT];
    }
    room_reap(pid, SIGKILL);
    assert_int_equal(named, 0);
    munmap(recent, sizeof *recent);
    free(lab);
    classroom_close(f);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(a_killed_owner_gives_up_its_turn_and_its_place),
        IN_SCRATCH(old_tickets_go_when_their_owner_comes_back),
        IN_SCRATCH(a_child_that_lives_on_does_not_keep_the_turn),
        IN_SCRATCH(cancelled_from_elsewhere),
        IN_SCRATCH(none_of_those_cancelled_moves_up_meanwhile),
        IN_SCRATCH(what_the_class_does_not_allow_is_refused),
        IN_SCRATCH(what_is_no_ticket_is_passed_over),
        IN_SCRATCH(a_strangers_lock_does_not_make_a_ticket_live),
        IN_SCRATCH(a_read_only_folder_is_tried_again),
        IN_SCRATCH(a_full_disk_stops_no_turn),
        IN_SCRATCH(forty_programs_take_turns_and_ten_are_killed),
        IN_SCRATCH(the_same_without_locks_of_open_files),
        IN_SCRATCH(looking_does_not_lose_the_own_lock),
        IN_SCRATCH(a_lab_without_a_turn_is_found),
        IN_SCRATCH(a_lab_whose_turn_begins_or_ends_is_not_named),
    };
    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
