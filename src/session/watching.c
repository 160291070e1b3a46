/* watching: the files of a class read again when they changed. */
#include "session/watching.h"
#include "session/watched.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { PATIENCE = 6 * 60, SLURM_MS = 5000 };

/* ── seats ─────────────────────────────────────────────────────────────────────────────────────*/
static struct classroom_seat *seat_of(struct session_watch *w, const char *account) {
    for (size_t i = 0; i < w->seats; i++)
        if (strcmp(w->seat[i].account, account) == 0) return &w->seat[i];
    w->seat = base_grow(w->seat, w->seats + 1, sizeof *w->seat);
    struct classroom_seat *one = &w->seat[w->seats++];
    memset(one, 0, sizeof *one);
    snprintf(one->account, sizeof one->account, "%s", account);
    return one;
}

/* Assistants may list hand-ins and not read the roster. */
static bool seat_roster(struct session_watch *w, struct base_message *m) {
    struct classroom_roster roster = {0};
    bool read = !classroom_is_teacher(w->folder) || classroom_roster_read(w->folder, &roster, m);
    for (size_t i = 0; read && i < roster.people; i++) {
        struct classroom_seat *one = seat_of(w, roster.person[i].account);
        snprintf(one->name, sizeof one->name, "%s", roster.person[i].name);
    }
    classroom_roster_free(&roster);
    return read;
}

/* ── files ─────────────────────────────────────────────────────────────────────────────────────*/
static struct watched *file_of(struct session_watch *w, const char *name) {
    for (size_t i = 0; i < w->files; i++)
        if (strcmp(w->file[i].name, name) == 0) return &w->file[i];
    w->file = base_grow(w->file, w->files + 1, sizeof *w->file);
    struct watched *one = &w->file[w->files++];
    memset(one, 0, sizeof *one);
    snprintf(one->name, sizeof one->name, "%s", name);
    return one;
}

static bool is_as_it_was(const struct stat *a, const struct stat *b) {
    return a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool has_changed(struct session_watch *w, struct watched *one, const char *name) {
    struct stat is;
    int fd =
        classroom_open_file(w->folder, CLASSROOM_HANDINS, name, CLASSROOM_ANYBODY, O_RDONLY, NULL);
    bool seen = fd >= 0 && fstat(fd, &is) == 0;
    bool same = seen && one->was.st_ino && is_as_it_was(&is, &one->was);
    if (fd >= 0) close(fd);
    if (seen) one->was = is;
    return !same;
}

static void read_handin(struct session_watch *w, struct watched *one, const char *name) {
    struct classroom_handin h;
    free(one->tally.tried);
    one->tally = (struct classroom_tally){0};
    classroom_races_free(&one->races);
    classroom_handin_read(w->folder, CLASSROOM_HANDINS, name, &w->settings, &h, NULL);
    one->good = h.fault == CLASSROOM_WHOLE || h.fault == CLASSROOM_CHANGED;
    if (one->good) {
        snprintf(one->account, sizeof one->account, "%s", h.head.account);
        snprintf(one->with, sizeof one->with, "%.*s", (int)sizeof one->with - 1, h.with);
        classroom_tally(&h, &one->tally);
        classroom_races_add(&one->races, &h);
    }
    classroom_handin_free(&h);
}

static void see_handin(struct session_watch *w, struct watched *one, const char *name) {
    if (has_changed(w, one, name)) read_handin(w, one, name);
    w->unread += !one->good;
    if (!one->good) return;
    struct classroom_seat *s = seat_of(w, one->account);
    s->joined = true;
    if (!*s->handin) memcpy(s->handin, one->name, sizeof s->handin);
    s->tally = one->tally;
    one->seen = true;
    if (!*s->now.with) snprintf(s->now.with, sizeof s->now.with, "%s", one->with);
}

/* Seconds since the file was written, by a clock that is so much ahead of this machine's. */
static int64_t age_of(int64_t ahead, const struct classroom_presence *p) {
    int64_t age = base_now() + ahead - p->changed;
    return age > 0 ? age : 0;
}

static void see_presence(struct session_watch *w, struct watched *one) {
    struct classroom_presence p;
    bool read = classroom_presence_read(w->folder, one->name, &w->settings, &p, NULL);
    w->unread += !read;
    if (!read || !p.hand) one->hand = 0;
    if (read && p.hand && !one->hand) one->hand = p.changed;
    if (!read) return;
    struct classroom_seat *s = seat_of(w, p.account);
    if (s->here && s->now.changed > p.changed) return; /* a file that a crash left behind */
    s->joined = s->here = true;
    memcpy(s->handin, one->name, sizeof s->handin);
    s->now = p;
    s->now.since += age_of(w->ahead, &p) - age_of(0, &p);
    s->hand = one->hand;
}

static void see(void *to, const char *name, bool fit) {
    struct session_watch *w = to;
    char hex[CLASSROOM_NAME];
    switch (classroom_file_kind(name, fit, hex)) {
    case CLASSROOM_HANDIN: see_handin(w, file_of(w, hex), name); break;
    case CLASSROOM_NOW: see_presence(w, file_of(w, hex)); break;
    case CLASSROOM_REPORTS: break;
    case CLASSROOM_STRANGE: w->unread++;
    }
}

/* ── looking ───────────────────────────────────────────────────────────────────────────────────*/
/* Slurm is asked less often: it answers for a whole cluster. */
static void see_labs(struct session_watch *w) {
    if (classroom_uses_slurm(&w->settings)) {
        if (base_ticks() < w->labs_due) return;
        w->labs_due = base_ticks() + SLURM_MS;
    }
    classroom_tickets_free(&w->tickets);
    free(w->turn);
    free(w->place);
    w->place = NULL;
    w->places = 0;
    if (!classroom_queue_read(w->folder, &w->settings, base_now() + w->ahead, &w->tickets, &w->turn,
                              NULL))
        return;
    w->place = base_alloc((w->tickets.count + 1) * sizeof *w->place);
    w->places = classroom_turns_line(&w->tickets, w->turn, w->place);
}

/* Lessons without minutes in the settings take those of the course. */
static void fill_minutes(struct session_watch *w) {
    const struct lesson_course *c = session_learner_course(w->course);
    for (size_t i = 0; i < w->settings.lessons; i++) {
        struct classroom_lesson *l = &w->settings.lesson[i];
        size_t at = session_learner_find_id(w->course, l->id, strlen(l->id));
        if (!l->minutes && at < c->lessons) l->minutes = c->lesson[at].minutes;
    }
}

/* Whether a file that was seen before this one has the nickname for another account. */
static bool is_second(const struct session_watch *w, const struct watched *one) {
    for (const struct watched *k = w->file; k < one; k++)
        if (k->seen && k->races.count && strcmp(k->account, one->account) != 0 &&
            strcasecmp(k->races.race[0].nickname, one->races.race[0].nickname) == 0)
            return true;
    return false;
}

/* A nickname may be no other learner's account, name or nickname. */
static bool is_anothers(const struct session_watch *w, const struct watched *one) {
    const char *nickname = one->races.race[0].nickname;
    if (is_second(w, one)) return true;
    for (size_t i = 0; i < w->seats; i++) {
        const struct classroom_seat *s = &w->seat[i];
        if (strcmp(s->account, one->account) != 0 &&
            (strcasecmp(s->account, nickname) == 0 || strcasecmp(s->name, nickname) == 0))
            return true;
    }
    return false;
}

static bool is_same(const struct classroom_races *a, const struct classroom_races *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        const struct classroom_race *x = &a->race[i], *y = &b->race[i];
        same = x->rounds == y->rounds && x->best == y->best && x->ms == y->ms &&
               x->choose == y->choose && strcmp(x->subject, y->subject) == 0 &&
               strcmp(x->nickname, y->nickname) == 0;
    }
    return same;
}

/* The table of those whose hand-ins were seen, which learners can read. Who only assists cannot
 * write it. */
static void see_races(struct session_watch *w) {
    struct classroom_races all = {0};
    for (size_t i = 0; i < w->files; i++) {
        const struct watched *one = &w->file[i];
        if (one->seen && one->races.count && !is_anothers(w, one))
            classroom_races_join(&all, &one->races);
    }
    for (size_t i = 0; i < w->files; i++) w->file[i].seen = false;
    classroom_races_sort(&all);
    bool same = is_same(&all, &w->races);
    classroom_races_free(&w->races);
    w->races = all;
    if (!same && classroom_is_teacher(w->folder)) classroom_races_write(w->folder, &all, NULL);
}

/* Tells learners of more time, those who came meanwhile, too. */
static void tell_time(struct session_watch *w) {
    uint64_t now = w->settings.extensions;
    for (size_t i = 0; i < w->settings.extensions; i++) {
        const struct classroom_extension *e = &w->settings.extension[i];
        now = base_hash(base_hash(now + (uint64_t)e->seconds, e->account), e->lesson);
    }
    for (size_t i = 0; i < w->seats; i++) now = base_hash(now, w->seat[i].handin);
    if (now == w->told || !classroom_is_teacher(w->folder)) return;
    if (classroom_tell(w->folder, &w->settings, NULL)) w->told = now;
}

/* Seconds of a rehearsal are as many of its people's. */
static void hasten(struct session_watch *w, int64_t now) {
    int64_t speed = w->settings.speed;
    for (size_t i = 0; speed > 1 && i < w->seats; i++) {
        struct classroom_seat *s = &w->seat[i];
        s->now.since *= speed;
        s->now.changed = now - (now - s->now.changed) * speed;
        if (s->hand) s->hand = now - (now - s->hand) * speed;
    }
    bool slurm = classroom_uses_slurm(&w->settings); /* whose jobs are not read each time */
    for (size_t i = 0; speed > 1 && w->turn && !slurm && i < w->tickets.count; i++) {
        struct classroom_ticket *t = &w->tickets.ticket[i];
        t->since = now - (now - t->since) * speed;
    }
}

/* Names them at the seat where they type. */
static bool is_partner(struct session_watch *w, const struct classroom_seat *s) {
    bool is = false;
    for (size_t i = 0; i < w->seats; i++) {
        struct classroom_seat *types = &w->seat[i];
        if (!types->joined || strcmp(types->now.with, s->account) != 0) continue;
        memcpy(types->partner, s->name, sizeof types->partner);
        is = true;
    }
    return is && !s->joined;
}

/* Of the roster, who shares another's keyboard is not missing. */
static void unseat_partners(struct session_watch *w) {
    size_t kept = 0;
    for (size_t i = 0; i < w->seats; i++) {
        bool partner = is_partner(w, &w->seat[i]);
        if (!partner) w->seat[kept++] = w->seat[i];
    }
    w->seats = kept;
}

bool session_watch_look(struct session_watch *w, struct base_message *m) {
    struct classroom_settings settings;
    if (!classroom_settings_read(w->folder, &settings, m)) return false;
    w->settings = settings;
    fill_minutes(w);
    w->seats = w->unread = 0;
    bool seen =
        seat_roster(w, m) && classroom_handins_each(w->folder, &w->settings, see, w, NULL, m);
    unseat_partners(w);
    see_labs(w);
    see_races(w);
    tell_time(w);
    hasten(w, base_now() + w->ahead);
    seen = classroom_board_read(w->folder, &w->board, seen ? m : NULL) && seen;
    w->sight = (struct classroom_sight){.settings = &w->settings,
                                        .seats = w->seats,
                                        .seat = w->seat,
                                        .tickets = w->turn ? &w->tickets : NULL,
                                        .turn = w->turn,
                                        .now = base_now() + w->ahead,
                                        .patience = PATIENCE};
    classroom_overview_free(&w->overview);
    classroom_overview(&w->sight, &w->overview);
    return seen;
}

struct session_watch *session_watch_open(const char *folder, struct base_message *m) {
    struct session_watch *w = base_alloc(sizeof *w);
    w->folder = classroom_open(folder, m);
    w->course = w->folder ? session_learner_open_course(m) : NULL;
    int64_t clock = w->course ? classroom_clock(w->folder) : 0;
    if (clock) w->ahead = clock - base_now();
    if (w->course) classroom_races_read(w->folder, &w->races, NULL);
    if (w->course && session_watch_look(w, m)) return w;
    session_watch_close(w);
    return NULL;
}

void session_watch_close(struct session_watch *w) {
    if (!w) return;
    for (size_t i = 0; i < w->files; i++) {
        free(w->file[i].tally.tried);
        classroom_races_free(&w->file[i].races);
    }
    classroom_races_free(&w->races);
    free(w->file);
    free(w->seat);
    free(w->turn);
    free(w->place);
    classroom_tickets_free(&w->tickets);
    classroom_overview_free(&w->overview);
    session_learner_close(w->course);
    classroom_close(w->folder);
    free(w);
}

const struct classroom_overview *session_watch_overview(const struct session_watch *w) {
    return &w->overview;
}
const struct classroom_sight *session_watch_sight(const struct session_watch *w) {
    return &w->sight;
}
const struct classroom_board *session_watch_board(const struct session_watch *w) {
    return &w->board;
}
const struct classroom_races *session_watch_races(const struct session_watch *w) {
    return &w->races;
}
size_t session_watch_line(const struct session_watch *w, const struct classroom_placed **out) {
    *out = w->place;
    return w->places;
}
size_t session_watch_unread(const struct session_watch *w) {
    return w->unread;
}

bool session_watch_nudge(struct session_watch *w, int seat, const char *text,
                         struct base_message *m) {
    const char *to = seat < 0 ? "" : w->seat[seat].handin;
    if (seat >= 0 && !*to)
        return base_fail(m, "%s has not joined yet, and cannot see a line before that",
                         w->seat[seat].account);
    return classroom_board_read(w->folder, &w->board, m) && /* a vote may have begun meanwhile */
           classroom_board_nudge(&w->board, to, text, base_now(), m) &&
           classroom_board_write(w->folder, &w->board, m);
}

bool session_watch_open_step(struct session_watch *w, const char *lesson, const char *step,
                             struct base_message *m) {
    snprintf(w->board.lesson, sizeof w->board.lesson, "%s", lesson ? lesson : "");
    snprintf(w->board.step, sizeof w->board.step, "%s", lesson ? step : "");
    return classroom_board_write(w->folder, &w->board, m);
}

/* As the board says now: a vote may have begun meanwhile. */
static bool put_exit(struct session_watch *w, const struct classroom_exit *e,
                     struct base_message *m) {
    if (!classroom_board_read(w->folder, &w->board, m)) return false;
    w->board.exit = *e;
    return classroom_board_write(w->folder, &w->board, m);
}

bool session_watch_ask_exit(struct session_watch *w, struct base_message *m) {
    struct classroom_exit e;
    return session_exit_choose(&w->sight, &e, m) && put_exit(w, &e, m);
}

bool session_watch_end_exit(struct session_watch *w, struct base_message *m) {
    return put_exit(w, &(struct classroom_exit){.items = 0}, m);
}

int64_t session_watch_extra(const struct session_watch *w, size_t seat) {
    for (size_t i = 0; i < w->settings.extensions; i++) {
        const struct classroom_extension *e = &w->settings.extension[i];
        if (!*e->lesson && strcmp(e->account, w->seat[seat].account) == 0) return e->seconds;
    }
    return 0;
}

/* The settings are read again, so that nothing that was set meanwhile, or filled in here, is lost
 * or written. */
/* The learner is told, too, if there is a program to tell it. */
static bool tell_extended(struct session_watch *w, size_t seat, int minutes,
                          struct base_message *m) {
    char *text = minutes ? base_format("You have %d minute%s more than the others.", minutes,
                                       minutes == 1 ? "" : "s")
                         : base_dup("You have as much time as the others.");
    bool told = !*w->seat[seat].handin || session_watch_nudge(w, (int)seat, text, m);
    free(text);
    return told;
}

int session_watch_extend(struct session_watch *w, size_t seat, int minutes,
                         struct base_message *m) {
    struct classroom_settings s;
    if (!classroom_settings_read(w->folder, &s, m)) return -1;
    int total = (int)(session_watch_extra(w, seat) / 60) + minutes;
    if (total < 0) total = 0;
    char *value = base_format("%s+%dm", w->seat[seat].account, total);
    bool set = classroom_set(&s, "extend", value, base_now(), m) &&
               classroom_settings_write(w->folder, &s, m) && tell_extended(w, seat, total, m);
    free(value);
    return set ? total : -1;
}
