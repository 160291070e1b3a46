/* asking: the board is written, and presence and hand-ins are read. */
#include "session/asking.h"
#include "session/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_AGAIN_MS = 3000 };

struct session_asking {
    struct session_watch *watch;
    struct classroom_folder *folder;
    struct classroom_votes votes;
    /* the vote that is open: what it is for, and who chose what in its round; "" for none */
    struct classroom_vote open;
    struct classroom_ballots ballots;
    /* what the vote that is open is on, and accounts that had seen its answer before */
    const char *guess;
    size_t known;
    char (*knows)[CLASSROOM_WORD];
    struct classroom_exit exit;
    char *title[CLASSROOM_EXITS];
    /* what hand-ins said last, and when (base_ticks()) */
    struct session_bars of_exit, of_guess;
    int64_t exit_read, guess_read;
};

/* ── the board ─────────────────────────────────────────────────────────────────────────────────*/
/* Changes what the board says now: another program of the teacher may have written to it. */
static bool tell(struct session_asking *a, struct base_message *m) {
    struct classroom_board b;
    if (!classroom_board_read(a->folder, &b, m)) return false;
    b.vote = a->open;
    if (b.vote.round != CLASSROOM_SHOWN) b.vote.right = 0; /* learners can read it */
    b.exit = a->exit;
    return classroom_board_write(a->folder, &b, m);
}

struct session_asking *session_asking_open(const char *folder, struct base_message *m) {
    struct session_asking *a = base_alloc(sizeof *a);
    struct classroom_board b;
    a->watch = session_watch_open(folder, m);
    a->folder = a->watch ? classroom_open(folder, m) : NULL;
    bool teacher = a->folder && classroom_is_teacher(a->folder);
    if (a->folder && !teacher)
        base_fail(m, "%s: only its teacher can ask this class", classroom_path(a->folder));
    if (teacher && classroom_votes_read(a->folder, &a->votes, m) &&
        classroom_board_read(a->folder, &b, m)) {
        a->exit = b.exit; /* they go on; a vote that was left open does not */
        return a;
    }
    session_asking_close(a);
    return NULL;
}

void session_asking_close(struct session_asking *a) {
    if (!a) return;
    session_asking_end(a, false, NULL);
    for (size_t i = 0; i < CLASSROOM_EXITS; i++) free(a->title[i]);
    free(a->ballots.ballot);
    free(a->knows);
    classroom_votes_free(&a->votes);
    classroom_close(a->folder);
    session_watch_close(a->watch);
    free(a);
}

static bool has_voted(const struct session_asking *a, const char *account) {
    size_t i = 0;
    while (i < a->ballots.count && strcmp(a->ballots.ballot[i].account, account) != 0) i++;
    return i < a->ballots.count;
}

static bool knows(const struct session_asking *a, const char *account) {
    size_t i = 0;
    while (i < a->known && strcmp(a->knows[i], account) != 0) i++;
    return i < a->known;
}

int session_asking_knowing(const struct session_asking *a) {
    return (int)a->known;
}

int session_asking_asked(const struct session_asking *a) {
    const struct classroom_sight *s = session_watch_sight(a->watch);
    int asked = (int)a->ballots.count;
    for (size_t i = 0; i < s->seats; i++)
        asked +=
            s->seat[i].here && !has_voted(a, s->seat[i].account) && !knows(a, s->seat[i].account);
    return asked;
}

/* ── hand-ins ──────────────────────────────────────────────────────────────────────────────────*/
/* Each that can be used, one after the other. */
struct reading {
    struct session_asking *a;
    /* accounts that were read; an account's second file does not count */
    size_t seen;
    char (*account)[CLASSROOM_WORD];
    void (*each)(void *to, const struct classroom_handin *h);
    void *to;
};

static bool is_new(struct reading *r, const char *account) {
    for (size_t i = 0; i < r->seen; i++)
        if (strcmp(r->account[i], account) == 0) return false;
    r->account = base_grow(r->account, r->seen + 1, sizeof *r->account);
    snprintf(r->account[r->seen++], sizeof *r->account, "%s", account);
    return true;
}

static void read_one(void *to, const char *name, bool fit) {
    struct reading *r = to;
    char digits[CLASSROOM_NAME];
    struct classroom_handin h;
    if (classroom_file_kind(name, fit, digits) != CLASSROOM_HANDIN) return;
    classroom_handin_read(r->a->folder, CLASSROOM_HANDINS, name,
                          session_watch_sight(r->a->watch)->settings, &h, NULL);
    bool good = h.fault == CLASSROOM_WHOLE || h.fault == CLASSROOM_CHANGED;
    if (good && is_new(r, h.head.account)) r->each(r->to, &h);
    classroom_handin_free(&h);
}

/* Files are read again only after a while. */
static void read_all(struct session_asking *a, int64_t *read,
                     void (*each)(void *to, const struct classroom_handin *h), void *to) {
    struct reading r = {.a = a, .each = each, .to = to};
    classroom_handins_each(a->folder, session_watch_sight(a->watch)->settings, read_one, &r, NULL,
                           NULL);
    free(r.account);
    *read = base_ticks() + LOOK_AGAIN_MS;
}

static const json_t *cell(const struct classroom_handin *h, size_t row, const char *column) {
    return json_array_get(h->answer[row].row, classroom_handin_column(h, column));
}

static bool is_text(const json_t *cell, const char *text) {
    return json_is_string(cell) && strcmp(json_string_value(cell), text) == 0;
}

/* ── votes ─────────────────────────────────────────────────────────────────────────────────────*/
static struct classroom_counted *counted(const struct session_asking *a) {
    for (size_t i = a->votes.votes; *a->open.id && i-- > 0;)
        if (strcmp(a->votes.vote[i].vote.id, a->open.id) == 0) return &a->votes.vote[i];
    return NULL;
}

/* Each account counts once, by its latest choice of this round. */
static bool count_votes(struct session_asking *a, struct base_message *m) {
    const struct classroom_sight *s = session_watch_sight(a->watch);
    struct classroom_counted *of = counted(a);
    int before[CLASSROOM_OPTIONS];
    if (!of || a->open.round == CLASSROOM_SHOWN) return true;
    for (size_t i = 0; i < s->seats; i++) {
        const struct classroom_presence *p = &s->seat[i].now;
        bool votes = strcmp(p->vote, a->open.id) == 0 && p->round == (int)a->open.round;
        if (votes && !knows(a, s->seat[i].account))
            classroom_ballots_take(&a->ballots, &a->open, s->seat[i].account, p->choice);
    }
    int *count = of->count[a->open.round - CLASSROOM_ALONE];
    memcpy(before, count, sizeof before);
    classroom_ballots_count(&a->ballots, count);
    bool same = memcmp(before, count, sizeof before) == 0;
    return same || classroom_votes_write(a->folder, &a->votes, m);
}

/* `class watch` asks and ends exit questions, too. */
static void see_exit(struct session_asking *a) {
    const struct classroom_exit *e = &session_watch_board(a->watch)->exit;
    if (*e->id && strcmp(e->id, a->exit.id) != 0) {
        a->exit = *e;
        a->exit_read = 0;
    }
    if (!*e->id) *a->exit.id = '\0';
}

bool session_asking_look(struct session_asking *a, struct base_message *m) {
    if (!session_watch_look(a->watch, m)) return false;
    see_exit(a);
    return count_votes(a, m);
}

/* Learners who made the guess in the lesson were shown the answer there. */
static void note_knowing(void *to, const struct classroom_handin *h) {
    struct session_asking *a = to;
    bool is = false;
    for (size_t i = 0; i < h->answers; i++) is = is || is_text(cell(h, i, "item"), a->guess);
    if (!is) return;
    a->knows = base_grow(a->knows, a->known + 1, sizeof *a->knows);
    snprintf(a->knows[a->known++], sizeof *a->knows, "%s", h->head.account);
}

static void find_knowing(struct session_asking *a, const struct session_slide *s) {
    int64_t read;
    a->known = 0;
    a->guess = s->item;
    if (s->guess) read_all(a, &read, note_knowing, a);
}

static bool begin_vote(struct session_asking *a, const struct session_slide *s,
                       struct base_message *m) {
    struct classroom_counted one = {.at = base_now()};
    struct classroom_vote *v = &one.vote;
    classroom_random_name(v->id);
    base_line_copy(v->question, sizeof v->question, s->question);
    base_line_copy(one.item, sizeof one.item, s->item);
    v->options = s->options;
    v->right = (int)s->right;
    v->round = CLASSROOM_ALONE;
    for (size_t i = 0; i < s->options; i++) {
        char *text = session_slides_plain(s->option[i]);
        base_line_copy(v->option[i], sizeof v->option[i], text);
        free(text);
    }
    classroom_votes_add(&a->votes, &one);
    a->ballots.count = 0;
    a->open = *v;
    find_knowing(a, s);
    return tell(a, m);
}

static bool next_round(struct session_asking *a, struct base_message *m) {
    if (a->open.round == CLASSROOM_TALKED) return session_asking_end(a, true, m);
    if (!session_asking_look(a, m)) return false; /* the last votes of the round */
    a->open.round = CLASSROOM_TALKED;
    a->ballots.count = 0;
    return tell(a, m);
}

bool session_asking_vote(struct session_asking *a, const struct session_slide *s,
                         struct base_message *m) {
    if (session_asking_round(a, s)) return next_round(a, m);
    return s->options >= 2 && session_asking_end(a, false, m) && begin_vote(a, s, m);
}

bool session_asking_end(struct session_asking *a, bool shows, struct base_message *m) {
    if (!*a->open.id) return true;
    bool running = a->open.round != CLASSROOM_SHOWN;
    bool looked = !running || session_asking_look(a, m);
    if (shows) a->open.round = CLASSROOM_SHOWN;
    if (!shows) a->open = (struct classroom_vote){.options = 0};
    return tell(a, m) && looked;
}

enum classroom_round session_asking_round(const struct session_asking *a,
                                          const struct session_slide *s) {
    const struct classroom_counted *of = counted(a);
    bool open = of && a->open.round != CLASSROOM_SHOWN && strcmp(of->item, s->item) == 0;
    return open ? a->open.round : 0;
}

int session_asking_voted(const struct session_asking *a) {
    return (int)a->ballots.count;
}

static int sum(const int count[CLASSROOM_OPTIONS]) {
    int all = 0;
    for (size_t i = 0; i < CLASSROOM_OPTIONS; i++) all += count[i];
    return all;
}

bool session_asking_bars(const struct session_asking *a, const struct session_slide *s,
                         struct session_bars *out) {
    const struct classroom_counted *of = classroom_votes_on(&a->votes, s->item);
    *out = (struct session_bars){.name = {"alone", "after talking"}};
    if (!of || of->vote.options != s->options) return false;
    out->bars = s->options;
    for (size_t i = 0; i < s->options; i++) {
        out->label[i] = s->option[i];
        for (int r = 0; r < CLASSROOM_ROUNDS; r++) {
            out->count[r][i] = of->count[r][i];
            out->of[r][i] = sum(of->count[r]);
        }
    }
    return true;
}

/* ── the questions at the end ──────────────────────────────────────────────────────────────────*/
bool session_asking_exit(struct session_asking *a, struct base_message *m) {
    struct classroom_exit before = a->exit;
    if (!session_exit_choose(session_watch_sight(a->watch), &a->exit, m)) {
        a->exit = before;
        return false;
    }
    a->exit_read = 0;
    if (tell(a, m)) return true;
    a->exit = before;
    return false;
}

/* What was answered stays. */
bool session_asking_exit_end(struct session_asking *a, struct base_message *m) {
    *a->exit.id = '\0';
    return tell(a, m);
}

bool session_asking_exits(const struct session_asking *a) {
    return *a->exit.id != '\0';
}

/* Whether the try of this answer was begun by exit questions, which its hand-in tells before. */
static bool is_fresh(const struct classroom_handin *h, size_t answer, const char *item) {
    for (size_t i = answer; i-- > 0;)
        if (is_text(cell(h, i, "line"), LESSON_FRESH_LINE) && is_text(cell(h, i, "item"), item) &&
            json_equal(cell(h, i, "try"), cell(h, answer, "try")))
            return true;
    return false;
}

/* The first whole answer to an item in [from, to), which counts; after the questions were asked
 * (`exit`) only one to them. */
static void count_first(const struct classroom_handin *h, const char *item, int64_t from,
                        int64_t to, bool exit, int *count, int *of) {
    for (size_t i = 0; i < h->answers; i++) {
        const json_t *verdict = cell(h, i, "verdict"), *line = cell(h, i, "line");
        int64_t time = json_integer_value(cell(h, i, "time"));
        bool whole = !json_is_string(line) || !*json_string_value(line);
        if (time < from || time >= to || !whole || !is_text(cell(h, i, "item"), item)) continue;
        if (is_text(verdict, "unreadable") || is_text(verdict, "noted")) continue;
        if (exit && !is_fresh(h, i, item)) continue;
        *count += is_text(verdict, "right") || is_text(verdict, "rounded");
        ++*of;
        return;
    }
}

static void count_exit(void *to, const struct classroom_handin *h) {
    struct session_asking *a = to;
    struct session_bars *b = &a->of_exit;
    for (size_t i = 0; i < a->exit.items; i++) {
        const char *item = a->exit.item[i];
        count_first(h, item, 0, a->exit.at + 1, false, &b->count[0][i], &b->of[0][i]);
        count_first(h, item, a->exit.at + 1, INT64_MAX, true, &b->count[1][i], &b->of[1][i]);
    }
}

bool session_asking_exit_bars(struct session_asking *a, struct session_bars *out) {
    struct session_bars *b = &a->of_exit;
    if (a->exit.items && base_ticks() >= a->exit_read) {
        *b =
            (struct session_bars){.bars = a->exit.items, .name = {"before", "now"}, .shares = true};
        for (size_t i = 0; i < a->exit.items; i++) {
            free(a->title[i]);
            b->label[i] = a->title[i] = session_watch_title(a->watch, a->exit.item[i]);
        }
        read_all(a, &a->exit_read, count_exit, a);
    }
    *out = *b;
    return a->exit.items > 0;
}

/* ── the opening guess ─────────────────────────────────────────────────────────────────────────*/
/* How far a number is off; each ends where the next begins. */
static const struct {
    double most;
    const char *words;
} distances[] = {
    {0.9, "too small"},
    {1.1, "within 10%"},
    {INFINITY, "too large"},
};
enum { WITHIN = 2 };

struct guessing {
    struct session_asking *a;
    const struct session_slide *slide;
    /* when the class voted on it first: later guesses are made after the answer was seen */
    int64_t voted;
};

/* The class's first vote on an item; NULL if there was none. */
static const struct classroom_counted *first_vote(const struct session_asking *a,
                                                  const char *item) {
    for (size_t i = 0; i < a->votes.votes; i++)
        if (strcmp(a->votes.vote[i].item, item) == 0) return &a->votes.vote[i];
    return NULL;
}

/* The bar of a guess, from 0; the count of bars if it is none. */
static size_t bar_of(const struct session_slide *s, double value) {
    size_t i = 0;
    if (s->options)
        return value >= 1 && value <= (double)s->options ? (size_t)value - 1 : s->options;
    while (i + 1 < BASE_COUNT(distances) && value / s->truth > distances[i].most) i++;
    return i;
}

static void count_guesses(void *to, const struct classroom_handin *h) {
    struct guessing *g = to;
    struct session_bars *b = &g->a->of_guess;
    size_t seen = 0, bar[CLASSROOM_ROUNDS] = {b->bars, b->bars};
    for (size_t i = 0; i < h->answers; i++) {
        const json_t *value = cell(h, i, "value");
        bool guess = is_text(cell(h, i, "item"), g->slide->item) && json_is_number(value);
        if (!guess || is_text(cell(h, i, "verdict"), "unreadable")) continue;
        bool first = seen++ == 0, late = json_integer_value(cell(h, i, "time")) >= g->voted;
        if (!(first && late)) bar[!first] = bar_of(g->slide, json_number_value(value));
    }
    for (int r = 0; r < CLASSROOM_ROUNDS; r++)
        if (bar[r] < b->bars) b->count[r][bar[r]]++;
}

/* Adds the first round of the first vote on the guess, without learners who had seen the answer. */
static void add_vote(const struct classroom_counted *vote, struct session_bars *b) {
    for (size_t i = 0; i < b->bars; i++) {
        b->count[0][i] += vote->count[0][i];
        b->of[0][i] += sum(vote->count[0]);
    }
}

/* The vote on the guess again: its latest round in which there was a vote. */
static void count_again(const struct session_asking *a, const struct session_slide *again,
                        struct session_bars *b) {
    struct session_bars votes;
    if (!session_asking_bars(a, again, &votes)) return;
    int r = votes.of[1][0] ? 1 : 0;
    if (!votes.of[r][0]) return;
    memcpy(b->count[1], votes.count[r], sizeof b->count[1]);
    memcpy(b->of[1], votes.of[r], sizeof b->of[1]);
}

bool session_asking_guesses(struct session_asking *a, const struct session_slides *all,
                            struct session_bars *out) {
    const struct session_slide *s = session_slides_guess(all);
    struct session_bars *b = &a->of_guess;
    bool number = s && !s->options && s->truth > 0;
    if (!s || !(number || s->options)) return false;
    const struct classroom_counted *vote = first_vote(a, s->item);
    struct guessing g = {a, s, vote ? vote->at : INT64_MAX};
    if (base_ticks() >= a->guess_read) {
        *b = (struct session_bars){.bars = number ? BASE_COUNT(distances) : s->options,
                                   .name = {"at first", "now"},
                                   .right = number ? WITHIN : s->right};
        for (size_t i = 0; i < b->bars; i++)
            b->label[i] = number ? distances[i].words : s->option[i];
        read_all(a, &a->guess_read, count_guesses, &g);
        for (size_t i = 0; i < b->bars; i++)
            for (int r = 0; r < CLASSROOM_ROUNDS; r++) b->of[r][i] = sum(b->count[r]);
    }
    *out = *b;
    if (vote && vote->vote.options == out->bars) add_vote(vote, out);
    count_again(a, session_slides_again(all), out);
    return sum(out->count[0]) > 0;
}
