/* speech: the synthesisers, and the process of one that speaks or writes. It reads what to say from
 * standard input. Its standard output is a pipe's end, whose closing tells that it has ended. */
#include "voice/voice.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ── the table ─────────────────────────────────────────────────────────────────────────────────*/
enum { WORDS = 8 };
#define VOICE "\1" /* stands for a voice's name */
#define FILE_ "\2" /* for the file that is written */

struct voice_synthesiser {
    const char *name;
    /* of those who tell, and of two who talk */
    const char *voice[3];
    const char *speak[WORDS];
    /* to write a WAV file of marked-up text (SSML); none: it cannot */
    const char *write[WORDS];
    /* Another program speaks for it, and is silenced with these; none: it speaks itself. */
    const char *hush[WORDS];
};
static const struct voice_synthesiser synthesisers[] = {
    {.name = "espeak-ng",
     .voice = {"en-us", "en-us+f3", "en-us+m3"},
     .speak = {"-v", VOICE, "-s", "140", "--stdin"},
     .write = {"-m", "-s", "140", "-w", FILE_, "--stdin"}},
    {.name = "espeak",
     .voice = {"en-us", "en-us+f3", "en-us+m3"},
     .speak = {"-v", VOICE, "-s", "140", "--stdin"},
     .write = {"-m", "-s", "140", "-w", FILE_, "--stdin"}},
    {.name = "say", .voice = {"Alex", "Samantha", "Daniel"}, .speak = {"-v", VOICE, "-f", "-"}},
    {.name = "spd-say",
     .voice = {"female1", "female2", "male1"},
     .speak = {"-w", "-e", "-t", VOICE},
     .hush = {"-C"}},
};

static bool is_program(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

static bool is_installed(const char *name) {
    for (const char *path = getenv("PATH"); path && *path; path += *path == ':') {
        size_t n = strcspn(path, ":");
        char *file = base_format("%.*s/%s", n ? (int)n : 1, n ? path : ".", name);
        bool found = is_program(file);
        free(file);
        if (found) return true;
        path += n;
    }
    return false;
}

const struct voice_synthesiser *voice_find(bool writes) {
    const char *only = getenv("ZEROTUTOR_VOICE");
    for (size_t i = 0; i < BASE_COUNT(synthesisers); i++) {
        const struct voice_synthesiser *s = &synthesisers[i];
        if (writes && !s->write[0]) continue;
        if (only && *only && strcmp(only, s->name) != 0) continue;
        if (is_installed(s->name)) return s;
    }
    return NULL;
}

const char *voice_name(const struct voice_synthesiser *s) {
    return s->name;
}

/* ── the process ───────────────────────────────────────────────────────────────────────────────*/
static _Noreturn void become(char *const *argv, pid_t parent, int in, int out) {
    base_child_begin(parent, in, out, BASE_NOWHERE);
    execvp(argv[0], argv);
    _exit(127);
}

/* If it goes away before it has read all, its status says so. */
static void hand_over(int fd, const char *text) {
    for (size_t left = strlen(text); left > 0;) {
        ssize_t wrote = write(fd, text, left);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) break;
        text += wrote;
        left -= (size_t)wrote;
    }
}

static void close_both(const int ends[2]) {
    if (ends[0] >= 0) close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
}

/* Starts it with `text` to read; `word` without VOICE and FILE_ is handed on as it is. */
static bool start(struct voice_speech *s, const char *const *word, const char *voice,
                  const char *file, const char *text, struct base_message *m) {
    const char *argv[WORDS + 2] = {s->with->name};
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    pid_t parent = getpid(), pid = -1;
    for (size_t i = 0; i < WORDS && word[i]; i++)
        argv[i + 1] = *word[i] == *VOICE ? voice : *word[i] == *FILE_ ? file : word[i];
    if (pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0) pid = fork();
    if (pid == 0) become((char *const *)argv, parent, in[0], out[1]);
    if (pid < 0) {
        base_fail(m, "cannot start %s: %s: close other programs, and try again", s->with->name,
                  strerror(errno));
        close_both(in);
        close_both(out);
        return false;
    }
    setpgid(pid, pid); /* here and there: whoever is first */
    close(in[0]);
    close(out[1]);
    hand_over(in[1], text);
    close(in[1]);
    s->pid = pid;
    s->fd = out[0];
    return true;
}

static void take_end(struct voice_speech *s) {
    int status = 0;
    while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR) continue;
    close(s->fd);
    s->pid = 0;
    s->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool voice_goes_on(struct voice_speech *s) {
    char passed_over[256];
    if (!s->pid) return false;
    ssize_t n = read(s->fd, passed_over, sizeof passed_over);
    if (n > 0 || (n < 0 && errno == EINTR)) return true;
    take_end(s);
    return false;
}

void voice_rest(struct voice_speech *s, bool rests) {
    if (s->pid) kill(-s->pid, rests ? SIGSTOP : SIGCONT);
}

/* It has a process group of its own, which the terminal does not stop. `stop` is SIGTSTP alone,
 * which is blocked: it stops this program as soon as it is not. */
static void rest_with_program(struct voice_speech *s, const sigset_t *stop) {
    sigset_t waits;
    if (sigpending(&waits) != 0 || sigismember(&waits, SIGTSTP) != 1) return;
    voice_rest(s, true);
    sigprocmask(SIG_UNBLOCK, stop, NULL);
    sigprocmask(SIG_BLOCK, stop, NULL);
    voice_rest(s, false);
}

bool voice_listen(struct voice_speech *s, int fd) {
    enum { LOOK_MS = 100 }; /* how soon ^Z is heard */
    sigset_t stop, before;
    bool typed = false;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    sigprocmask(SIG_BLOCK, &stop, &before);
    while (s->pid && !typed) {
        struct pollfd on[] = {{.fd = s->fd, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
        int ready = poll(on, BASE_COUNT(on), LOOK_MS);
        rest_with_program(s, &stop);
        typed = ready > 0 && on[1].revents;
        if (ready > 0 && on[0].revents) voice_goes_on(s);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return !typed;
}

int voice_wait(struct voice_speech *s) {
    voice_listen(s, -1);
    return s->status;
}

void voice_stop(struct voice_speech *s) {
    if (!s->pid) return;
    kill(-s->pid, SIGKILL);
    take_end(s);
    if (s->with->hush[0] && start(s, s->with->hush, "", "", "", NULL)) voice_wait(s);
}

/* ── what it says ──────────────────────────────────────────────────────────────────────────────*/
bool voice_speak(struct voice_speech *s, const struct voice_synthesiser *with,
                 const struct voice_lines *l, size_t i, struct base_message *m) {
    const struct voice_line *line = &l->at[i];
    s->with = with;
    return start(s, with->speak, with->voice[line->voice], "", line->spoken, m);
}

static void add_escaped(struct base_text *t, const char *text) {
    for (; *text; text++) {
        const char *entity = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : NULL;
        if (entity)
            base_text_puts(t, entity);
        else
            base_text_add(t, text, 1);
    }
}

/* All lines in their voices, as SSML (W3C). The caller's. */
static char *marked_up(const struct voice_lines *l, const struct voice_synthesiser *s) {
    struct base_text t = {0};
    base_text_puts(&t, "<speak>");
    for (size_t i = 0; i < l->count; i++) {
        base_text_printf(&t, "<voice name=\"%s\">", s->voice[l->at[i].voice]);
        add_escaped(&t, l->at[i].spoken);
        base_text_puts(&t, "</voice><break time=\"500ms\"/>\n");
    }
    base_text_puts(&t, "</speak>\n");
    return base_text_take(&t);
}

bool voice_write(struct voice_speech *s, const struct voice_synthesiser *with,
                 const struct voice_lines *l, const char *file, struct base_message *m) {
    char *text = marked_up(l, with);
    s->with = with;
    bool started = start(s, with->write, "", file, text, m);
    free(text);
    return started;
}

bool voice_was_heard(const struct voice_line *l, int64_t ms) {
    return ms >= (int64_t)strlen(l->spoken);
}
