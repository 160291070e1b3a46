/* watching: the files of a class read again when they changed. */
#include "session/watching.h"
#include "session/inside.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MOST = 20000, PATIENCE = 6 * 60 };

/* A hand-in as it was read last. */
struct watched {
    char name[CLASSROOM_NAME];
    struct stat was;
    /* it could be used */
    bool good;
    char account[CLASSROOM_WORD], with[CLASSROOM_WORD];
    struct classroom_tally tally;
    /* since when the hand is up */
    int64_t hand;
};
struct session_watch {
    struct classroom_folder *folder;
    struct classroom_settings settings;
    /* to read lessons in */
    struct learner *course;
    /* seconds that the file server's clock is ahead of this one */
    int64_t ahead;
    size_t files;
    struct watched *file;
    size_t seats, unread;
    struct classroom_seat *seat;
    struct classroom_tickets tickets;
    struct classroom_turn *turn;
    struct classroom_board board;
    struct classroom_sight sight;
    struct classroom_overview overview;
};

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
static struct watched *file_of(struct session_watch *w, const char *name, size_t stem) {
    for (size_t i = 0; i < w->files; i++)
        if (strncmp(w->file[i].name, name, stem) == 0) return &w->file[i];
    w->file = base_grow(w->file, w->files + 1, sizeof *w->file);
    struct watched *one = &w->file[w->files++];
    memset(one, 0, sizeof *one);
    snprintf(one->name, sizeof one->name, "%.*s", (int)stem, name);
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
    classroom_handin_read(w->folder, CLASSROOM_HANDINS, name, &w->settings, &h, NULL);
    one->good = h.fault == CLASSROOM_WHOLE || h.fault == CLASSROOM_CHANGED;
    if (one->good) {
        snprintf(one->account, sizeof one->account, "%s", h.head.account);
        snprintf(one->with, sizeof one->with, "%s", h.head.with);
        classroom_tally(&h, &one->tally);
    }
    classroom_handin_free(&h);
}

static void see_handin(struct session_watch *w, struct watched *one, const char *name) {
    if (has_changed(w, one, name)) read_handin(w, one, name);
    w->unread += !one->good;
    if (!one->good) return;
    struct classroom_seat *s = seat_of(w, one->account);
    s->joined = true;
    s->tally = one->tally;
    if (!*s->now.with) snprintf(s->now.with, sizeof s->now.with, "%s", one->with);
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
    s->now = p;
    s->hand = one->hand;
}

static void see(void *to, const char *name, bool fit) {
    struct session_watch *w = to;
    size_t stem = strspn(name, "0123456789abcdef");
    bool ours = fit && stem == CLASSROOM_NAME - 1;
    if (ours && strcmp(name + stem, CLASSROOM_HANDIN_END) == 0)
        see_handin(w, file_of(w, name, stem), name);
    else if (ours && strcmp(name + stem, CLASSROOM_NOW_END) == 0)
        see_presence(w, file_of(w, name, stem));
    else
        w->unread++;
}

/* ── looking ───────────────────────────────────────────────────────────────────────────────────*/
static void see_labs(struct session_watch *w) {
    char host[CLASSROOM_WORD];
    classroom_tickets_free(&w->tickets);
    free(w->turn);
    w->turn = NULL;
    if (!classroom_tickets_read(w->folder, NULL, &w->tickets, NULL)) return;
    w->turn = base_alloc((w->tickets.count + 1) * sizeof *w->turn);
    classroom_host(host);
    classroom_turns(&w->tickets, &w->settings, host, base_now() + w->ahead, w->turn);
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

bool session_watch_look(struct session_watch *w, struct base_message *m) {
    struct classroom_settings settings;
    bool more;
    if (!classroom_settings_read(w->folder, &settings, m)) return false;
    w->settings = settings;
    fill_minutes(w);
    w->seats = w->unread = 0;
    bool seen = seat_roster(w, m) &&
                classroom_each(w->folder, CLASSROOM_HANDINS, FILES_MOST, see, w, &more, m);
    see_labs(w);
    seen = classroom_board_read(w->folder, &w->board, m) && seen;
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
    if (w->course && session_watch_look(w, m)) return w;
    session_watch_close(w);
    return NULL;
}

void session_watch_close(struct session_watch *w) {
    if (!w) return;
    for (size_t i = 0; i < w->files; i++) free(w->file[i].tally.tried);
    free(w->file);
    free(w->seat);
    free(w->turn);
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
size_t session_watch_unread(const struct session_watch *w) {
    return w->unread;
}

bool session_watch_nudge(struct session_watch *w, int seat, const char *text,
                         struct base_message *m) {
    const char *to = seat < 0 ? "" : w->seat[seat].account;
    return classroom_board_read(w->folder, &w->board, m) && /* a vote may have begun meanwhile */
           classroom_board_nudge(&w->board, to, text, base_now(), m) &&
           classroom_board_write(w->folder, &w->board, m);
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
char *session_watch_name(const struct session_watch *w, size_t seat, bool names) {
    const struct classroom_seat *s = &w->seat[seat];
    const char *with = s->now.with;
    if (!names) return base_format("seat %zu%s", seat + 1, *with ? ", two people" : "");
    return base_format("%s%s%s", *s->name ? s->name : s->account, *with ? " and " : "", with);
}

char *session_watch_title(struct session_watch *w, const char *item) {
    const char *slash = strchr(item, '/');
    if (!slash) return base_dup(item);
    size_t at = session_learner_find_id(w->course, item, (size_t)(slash - item));
    bool known = at < session_learner_course(w->course)->lessons;
    const struct loaded *l = known ? session_learner_lesson(w->course, at) : NULL;
    size_t step = l ? lesson_find(l->lesson, slash + 1) : 0;
    bool is = l && step < lesson_steps(l->lesson);
    return base_dup(is ? base_json_text(lesson_step(l->lesson, step), "title", item) : item);
}

static const struct account_mistake *mistake_of(const char *id) {
    size_t count;
    const struct account_mistake *all = account_mistakes(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].id, id) == 0) return &all[i];
    return NULL;
}

char *session_watch_mistake(const char *mistake) {
    const struct account_mistake *known = mistake_of(mistake);
    if (strcmp(mistake, CLASSROOM_UNNAMED) == 0) return base_dup("wrong, not a known mistake");
    return base_dup(known ? known->name : mistake);
}

/* ── what to say about a mistake ───────────────────────────────────────────────────────────────*/
struct searching {
    const struct classroom_slip *for_this;
    struct session_slip *out;
};

static const char *cell(const struct classroom_handin *h, size_t row, const char *column) {
    size_t at = classroom_handin_column(h, column);
    const char *text = json_string_value(json_array_get(h->answer[row].row, at));
    return text ? text : "";
}

/* The mistake in the whole answer, or in a line of a worksheet. */
static bool match_of(const struct account_problem *p, const struct account_solution *s,
                     const char *line, const char *mistake, struct account_match *out) {
    if (!*line) return account_mistake_value(p, mistake, out);
    for (size_t i = 0; i < s->lines; i++)
        if (strcmp(s->line[i].id, line) == 0) return account_line_mistake(p, s, i, mistake, out);
    return false;
}

/* With the learner's own numbers. The arithmetic is the engine's, whatever the hand-in says. */
static void explain_row(struct session_slip *out, const char *variant, const char *line,
                        const char *mistake) {
    json_t *json = base_json_read(variant, strlen(variant), "problem", NULL);
    struct account_problem p;
    struct account_match match;
    struct account_solution solution;
    if (json && lesson_problem_read(json_object_get(json, "problem"), &p, NULL) &&
        account_solve(&p, &solution, NULL) && match_of(&p, &solution, line, mistake, &match)) {
        out->arithmetic = base_dup(match.arithmetic);
        out->wrong = base_dup(match.wrong);
    }
    json_decref(json);
}

static void take_row(struct searching *s, const struct classroom_handin *h, size_t i) {
    struct session_slip *out = s->out;
    const char *typed = cell(h, i, "typed");
    if (!*typed) return;
    out->answer[out->typed++] = base_clean_dup(typed, strlen(typed), 60);
    if (!out->arithmetic)
        explain_row(out, cell(h, i, "problem"), cell(h, i, "line"), s->for_this->mistake);
}

/* Whether this answer made the mistake. */
static bool shows(const struct classroom_handin *h, size_t i, const struct classroom_slip *s) {
    const char *mistake = cell(h, i, "mistake"), *verdict = cell(h, i, "verdict");
    bool named = strcmp(s->mistake, CLASSROOM_UNNAMED) != 0;
    return strcmp(cell(h, i, "item"), s->item) == 0 &&
           (named ? strcmp(mistake, s->mistake) == 0 : !*mistake && strcmp(verdict, "wrong") == 0);
}

/* The first of a learner. */
static void search_handin(struct searching *s, const struct classroom_handin *h) {
    size_t had = s->out->typed;
    for (size_t i = 0; i < h->answers && s->out->typed == had; i++)
        if (shows(h, i, s->for_this)) take_row(s, h, i);
}

static bool made_it(const struct watched *one, const struct classroom_slip *s) {
    for (size_t i = 0; i < one->tally.count; i++)
        if (strcmp(one->tally.tried[i].item, s->item) == 0 &&
            strcmp(one->tally.tried[i].mistake, s->mistake) == 0)
            return true;
    return false;
}

void session_watch_slip(struct session_watch *w, const struct classroom_slip *slip,
                        struct session_slip *out) {
    *out = (struct session_slip){.title = session_watch_title(w, slip->item),
                                 .mistake = session_watch_mistake(slip->mistake)};
    struct searching s = {slip, out};
    for (size_t i = 0; i < w->files && out->typed < SESSION_TYPED; i++) {
        struct classroom_handin h;
        if (!made_it(&w->file[i], slip)) continue;
        char *name = base_format("%s" CLASSROOM_HANDIN_END, w->file[i].name);
        classroom_handin_read(w->folder, CLASSROOM_HANDINS, name, &w->settings, &h, NULL);
        search_handin(&s, &h);
        classroom_handin_free(&h);
        free(name);
    }
    const struct account_mistake *known = mistake_of(slip->mistake);
    if (known) out->explain = base_dup(known->explain);
    out->question =
        base_dup(out->arithmetic
                     ? "Here is a line that several of you could have written. Which number in it "
                       "would you change, and what would that number be for another stage?"
                     : "Tell your neighbour how you came to your answer. Where do your ways part?");
}

void session_slip_free(struct session_slip *s) {
    char *const all[] = {s->title, s->mistake, s->explain, s->arithmetic, s->wrong, s->question};
    for (size_t i = 0; i < BASE_COUNT(all); i++) free(all[i]);
    for (size_t i = 0; i < s->typed; i++) free(s->answer[i]);
    *s = (struct session_slip){0};
}
