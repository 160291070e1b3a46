/* slurm: the words that submit a lab, and the class's jobs as Slurm lists them. srun stays until
 * the job ends and passes on its output, so the tutor reads events as from a program here. */
#include "classroom/classroom.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MIB = 1 << 20, LIST_MOST = 4 << 20 };
#define NAME "zerotutor"

static bool is_in_path(const char *program) {
    const char *path = getenv("PATH");
    bool found = false;
    while (path && *path && !found) {
        int n = (int)strcspn(path, ":");
        char *file = base_format("%.*s/%s", n, path, program);
        found = n > 0 && access(file, X_OK) == 0;
        free(file);
        path += n + (path[n] == ':');
    }
    return found;
}

bool classroom_uses_slurm(const struct classroom_settings *s) {
    return s->slurm && is_in_path("srun");
}

/* One task: the lab starts its ranks itself, on one machine. Without --mem the partition's
 * own limit holds. */
char *classroom_srun(const struct classroom_settings *s, const struct classroom_wish *w) {
    struct base_text t = {0};
    int minutes = w->minutes && w->minutes < s->minutes_most ? w->minutes : s->minutes_most;
    bool gpu = w->kind == CLASSROOM_GPU;
    base_text_printf(&t,
                     "srun --quiet --job-name=" NAME " --comment=%s/%s --nodes=1 --ntasks=1 "
                     "--cpus-per-task=%d --time=%d --kill-on-bad-exit=1",
                     s->id, w->lab, gpu ? w->ranks : w->slots, minutes);
    if (gpu) base_text_printf(&t, " --gres=gpu:%d", w->slots);
    if (!gpu && s->bytes_most)
        base_text_printf(&t, " --mem=%lluM", (unsigned long long)(s->bytes_most / MIB + 1));
    if (*s->partition) base_text_printf(&t, " --partition=%s", s->partition);
    return base_text_take(&t);
}

/* ── the class's jobs ──────────────────────────────────────────────────────────────────────────*/
/* what squeue is asked for, in this order */
enum { ID, ACCOUNT, STATE, CORES, GPUS, ARRIVED, STARTS, MINUTES, HOST, COMMENT, FIELDS };
#define FORMAT "%i|%U|%t|%C|%b|%V|%S|%l|%N|%k"

static bool cut(char *line, char *field[FIELDS]) {
    size_t n = 0;
    for (char *one; n < FIELDS && (one = strsep(&line, "|"));) field[n++] = one;
    return n == FIELDS;
}

/* "2026-11-25T13:00:00", local; 0 for "N/A". */
static int64_t read_time(const char *text) {
    struct tm at = {.tm_isdst = -1};
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &at);
    return end && !*end ? (int64_t)mktime(&at) : 0;
}

/* "5:00", "1:05:00" or "1-01:05:00" */
static int read_minutes(const char *text) {
    const char *dash = strchr(text, '-');
    long n[3] = {0};
    int parts = sscanf(dash ? dash + 1 : text, "%ld:%ld:%ld", &n[0], &n[1], &n[2]);
    long minutes = parts == 3 ? 60 * n[0] + n[1] : n[0];
    return (int)(minutes + (dash ? 1440 * strtol(text, NULL, 10) : 0));
}

/* "gres:gpu:2", "gres/gpu:a100:2"; 0 for "N/A" */
static int read_gpus(const char *text) {
    const char *gpu = strstr(text, "gpu"), *last = gpu ? strrchr(gpu, ':') : NULL;
    return !gpu ? 0 : last ? (int)strtol(last + 1, NULL, 10) : 1;
}

static void take_text(char *out, const char *text) {
    char *clean = base_clean_dup(text, strlen(text), CLASSROOM_WORD - 1);
    snprintf(out, CLASSROOM_WORD, "%s", clean);
    free(clean);
}

static void hold_first(struct classroom_slots *s, int n) {
    for (int i = 0; i < n && i < CLASSROOM_SLOTS; i++) classroom_slots_add(s, i);
}

/* False for a job of another class. Its name is its number. */
static bool take_job(const struct classroom_settings *s, char *line, struct classroom_ticket *t) {
    char *field[FIELDS];
    size_t id = strlen(s->id);
    if (!cut(line, field) || strncmp(field[COMMENT], s->id, id) != 0 || field[COMMENT][id] != '/')
        return false;
    int gpus = read_gpus(field[GPUS]), cores = (int)strtol(field[CORES], NULL, 10);
    bool runs = strcmp(field[STATE], "R") == 0 || strcmp(field[STATE], "CG") == 0;
    *t = (struct classroom_ticket){
        .owner = (uid_t)strtoul(field[ACCOUNT], NULL, 10),
        .wish = {.kind = gpus ? CLASSROOM_GPU : CLASSROOM_CPU,
                 .slots = gpus ? gpus : cores,
                 .ranks = cores,
                 .minutes = read_minutes(field[MINUTES])},
        .arrived = read_time(field[ARRIVED]),
        .since = read_time(field[STARTS]),
        .live = true,
        .took = -1,
    };
    snprintf(t->name, sizeof t->name, "%lld", strtoll(field[ID], NULL, 10));
    take_text(t->host, field[HOST]);
    take_text(t->wish.lab, field[COMMENT] + id + 1);
    if (runs) hold_first(&t->holds, t->wish.slots);
    return true;
}

static struct classroom_turn turn_of(const struct classroom_ticket *t, int64_t now,
                                     struct classroom_turn *last) {
    if (classroom_slots_count(&t->holds))
        return (struct classroom_turn){.stand = CLASSROOM_RUNNING, .slots = t->holds};
    int64_t turn = (int64_t)t->wish.minutes * 60;
    last->stand = CLASSROOM_WAITING;
    last->position++;
    last->wait = t->since > now ? t->since - now : last->wait + turn;
    return *last;
}

static bool list_jobs(const struct classroom_settings *s, struct base_text *out,
                      struct base_message *m) {
    char *partition = base_format("--partition=%s", s->partition);
    char *argv[] = {"squeue",
                    "--noheader",
                    "--name=" NAME,
                    "--states=PENDING,RUNNING,COMPLETING",
                    "--sort=-t,-p,i",
                    "--format=" FORMAT,
                    *s->partition ? partition : NULL,
                    NULL};
    bool listed = base_output(argv, LIST_MOST, out) == 0;
    free(partition);
    return listed || base_fail(m,
                               "Slurm does not list the jobs of %s: `sinfo` shows whether it "
                               "answers, and its partitions",
                               *s->partition ? s->partition : "any partition");
}

bool classroom_slurm_read(const struct classroom_settings *s, int64_t now,
                          struct classroom_tickets *t, struct classroom_turn **turn,
                          struct base_message *m) {
    struct base_text list = {0};
    struct classroom_turn last[CLASSROOM_KINDS] = {0};
    *t = (struct classroom_tickets){.crowd = CLASSROOM_ANYBODY};
    *turn = NULL;
    if (!list_jobs(s, &list, m)) {
        base_text_free(&list);
        return false;
    }
    char *rest = list.s;
    for (char *line; rest && (line = strsep(&rest, "\n"));) {
        struct classroom_ticket job;
        if (!take_job(s, line, &job)) continue;
        t->ticket = base_grow(t->ticket, t->count + 1, sizeof *t->ticket);
        *turn = base_grow(*turn, t->count + 1, sizeof **turn);
        (*turn)[t->count] = turn_of(&job, now, &last[job.wish.kind]);
        t->ticket[t->count++] = job;
    }
    base_text_free(&list);
    return true;
}

int classroom_slurm_cancel(const struct classroom_settings *s, struct base_message *m) {
    struct classroom_tickets t;
    struct classroom_turn *turn;
    struct base_text said = {0};
    int n = 0;
    bool read = classroom_slurm_read(s, 0, &t, &turn, m);
    for (size_t i = 0; read && i < t.count; i++) {
        char *argv[] = {"scancel", t.ticket[i].name, NULL};
        n += t.ticket[i].owner == geteuid() && base_output(argv, LIST_MOST, &said) == 0;
    }
    base_text_free(&said);
    classroom_tickets_free(&t);
    free(turn);
    return read ? n : -1;
}
