/* class rehearse: a class of simulated learners, with which a teacher practises. Each is a process
 * with a home of its own, as learners are. */
#include "command/class.h"
#include "command/export.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PEOPLE = 30, PEOPLE_MOST = 200, SPEED_MOST = 10000 };

struct rehearsal {
    const struct classroom_folder *folder;
    /* of the homes, removed at the end */
    char home[64];
    long people, speed;
    pid_t *pupil;
    sigset_t signals;
};

/* ── the class ─────────────────────────────────────────────────────────────────────────────────*/
/* Without a class, the first phase of the course. */
static void plan_first_phase(struct classroom_settings *s) {
    struct lesson_course c;
    if (!command_export_course(&c, NULL)) return;
    for (size_t i = 0; i < c.lessons && s->lessons < CLASSROOM_LESSONS; i++) {
        const struct lesson_entry *e = &c.lesson[i];
        if (e->phase != 0 || e->kind != LESSON_ORDINARY || !e->file) continue;
        struct classroom_lesson *l = &s->lesson[s->lessons++];
        snprintf(l->id, sizeof l->id, "%s", e->id);
        l->minutes = e->minutes;
    }
    lesson_course_free(&c);
}

/* Of a real class that folder names, its plan; the rehearsal's folder is next to it. The path, the
 * caller's. */
static char *plan_of(const char *path, struct classroom_settings *s) {
    struct base_message m = {0};
    struct classroom_settings real;
    struct classroom_folder *f = classroom_open(path, &m);
    bool is = f && classroom_settings_read(f, &real, &m);
    classroom_close(f);
    if (!is) {
        plan_first_phase(s);
        return base_dup(path);
    }
    memcpy(s->lesson, real.lesson, sizeof s->lesson);
    s->lessons = real.lessons;
    for (size_t i = 0; i < s->lessons; i++) s->lesson[i].due = 0;
    s->gpus = real.gpus; /* of the machine that they play to stand in line for */
    s->cores = real.cores;
    s->ranks_most = real.ranks_most;
    s->minutes_most = real.minutes_most;
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') n--;
    return base_format("%.*s-rehearsal", (int)n, path);
}

static bool write_roster(const struct classroom_folder *f, long people, struct base_message *m) {
    struct base_text t = {0};
    base_text_puts(&t, "# simulated learners of a rehearsal\n");
    for (long i = 1; i <= people; i++)
        base_text_printf(&t, "seat-%ld, Simulated learner %ld\n", i, i);
    bool wrote = classroom_write(f, CLASSROOM_TOP, CLASSROOM_ROSTER, 0600, t.s, t.length, m);
    base_text_free(&t);
    return wrote;
}

static struct classroom_folder *make_class(const char *folder, long people, long speed,
                                           struct base_message *m) {
    struct classroom_settings s;
    if (!session_class_settings("REHEARSAL", &s, m)) return NULL;
    s.synchronised = true; /* all files are the teacher's */
    s.speed = (int)speed;
    char *path = plan_of(folder, &s);
    struct classroom_folder *f = classroom_make(path, m);
    bool made = f && classroom_settings_write(f, &s, m) && write_roster(f, people, m);
    if (!made) {
        classroom_close(f);
        f = NULL;
    }
    free(path);
    return f;
}

/* ── the pupils ────────────────────────────────────────────────────────────────────────────────*/
static void be_pupil(const struct rehearsal *r, long seat) {
    char *home = base_format("%s/%ld", r->home, seat), *account = base_format("seat-%ld", seat);
    struct base_message m = {0};
    sigprocmask(SIG_UNBLOCK, &r->signals, NULL);
    setenv("ZEROTUTOR_HOME", home, 1);
    struct session_pupil p = {classroom_path(r->folder), account,
                              base_hash((uint64_t)seat, account), (double)r->speed};
    bool taken = base_make_dirs(home, &m) && session_pupil_take(&p, &m);
    if (!taken) command_say_message(&m);
    _exit(taken ? 0 : 1);
}

static bool start(struct rehearsal *r) {
    r->pupil = base_grow(NULL, (size_t)r->people, sizeof *r->pupil);
    memset(r->pupil, 0, (size_t)r->people * sizeof *r->pupil);
    for (long i = 0; i < r->people; i++) {
        r->pupil[i] = fork();
        if (r->pupil[i] == 0) be_pupil(r, i + 1);
        if (r->pupil[i] < 0) return false;
    }
    return true;
}

/* Takes away those that ended. Returns how many are left. */
static long reap(struct rehearsal *r, bool *failed) {
    long left = 0;
    for (long i = 0; i < r->people; i++) {
        int status;
        if (r->pupil[i] <= 0) continue;
        if (waitpid(r->pupil[i], &status, WNOHANG) != r->pupil[i]) {
            left++;
            continue;
        }
        r->pupil[i] = 0;
        *failed = *failed || (WIFEXITED(status) && WEXITSTATUS(status) != 0);
    }
    return left;
}

static void end_all(struct rehearsal *r) {
    for (long i = 0; i < r->people; i++) {
        if (r->pupil[i] <= 0) continue;
        kill(r->pupil[i], SIGTERM);
        waitpid(r->pupil[i], NULL, 0);
        r->pupil[i] = 0;
    }
}

/* Until all are done, or somebody ends it. */
static bool wait_for_all(struct rehearsal *r) {
    bool failed = false;
    int got = SIGCHLD;
    while (got == SIGCHLD && reap(r, &failed) > 0)
        if (sigwait(&r->signals, &got) != 0) break;
    end_all(r);
    return !failed;
}

/* ── afterwards ────────────────────────────────────────────────────────────────────────────────*/
static int forget(const char *path, const struct stat *s, int kind, struct FTW *at) {
    (void)s, (void)kind, (void)at;
    remove(path);
    return 0;
}

static void forget_presence(void *to, const char *name, bool fit) {
    char hex[CLASSROOM_NAME];
    if (classroom_file_kind(name, fit, hex) == CLASSROOM_NOW)
        classroom_remove(((struct rehearsal *)to)->folder, CLASSROOM_HANDINS, name);
}

static void tidy(struct rehearsal *r) {
    struct base_message m = {0};
    nftw(r->home, forget, 16, FTW_DEPTH | FTW_PHYS);
    classroom_each(r->folder, CLASSROOM_HANDINS, 100000, forget_presence, r, NULL, &m);
    free(r->pupil);
}

static int rehearse(struct rehearsal *r) {
    const char *tmp = getenv("TMPDIR");
    snprintf(r->home, sizeof r->home, "%s/zerotutor-rehearsal-XXXXXX",
             tmp && strlen(tmp) < 24 ? tmp : "/tmp");
    if (!mkdtemp(r->home)) return command_say_error("%s: %s", r->home, strerror(errno));
    sigemptyset(&r->signals);
    for (size_t i = 0; i < 4; i++)
        sigaddset(&r->signals, (int[]){SIGINT, SIGTERM, SIGHUP, SIGCHLD}[i]);
    sigprocmask(SIG_BLOCK, &r->signals, NULL);
    char *path = classroom_quoted(classroom_path(r->folder));
    printf("%ld simulated learners take the class's lessons. They are not people, and their\n"
           "answers are made up. Watch them here:\n\n    zerotutor class watch %s\n\n"
           "Press ^C to end it.\n",
           r->people, path);
    fflush(stdout);
    bool well = start(r);
    well = wait_for_all(r) && well;
    tidy(r);
    printf("\nThe rehearsal is over. What was handed in is still there, to practise on. Remove\n"
           "it with:\n\n    rm -r %s\n",
           path);
    free(path);
    sigprocmask(SIG_UNBLOCK, &r->signals, NULL);
    return well ? COMMAND_WELL : COMMAND_FAILED;
}

int command_class_rehearse(const struct arguments *a) {
    struct base_message m = {0};
    struct rehearsal r = {.people = PEOPLE};
    if (a->operands != 2)
        return command_say_error("name a folder to make: `zerotutor class rehearse FOLDER`");
    if (!command_arguments_number(a, "people", 1, PEOPLE_MOST, PEOPLE, &r.people) ||
        !command_arguments_number(a, "speed", 1, SPEED_MOST, 1, &r.speed))
        return COMMAND_USAGE;
    struct classroom_folder *f = make_class(a->operand[1], r.people, r.speed, &m);
    if (!f) return command_say_message(&m);
    r.folder = f;
    int status = rehearse(&r);
    classroom_close(f);
    return status;
}
