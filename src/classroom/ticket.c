/* ticket: a lab's ticket, its locks, and all tickets of a class as they are now. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* F_OFD_SETLK */
#endif
#include "classroom/classroom.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMAT = 1, FILE_MOST = 4096, OWN_FILES = 256 };
/* bytes of the file that are locked */
enum { LIVE = 0, AWAY = 1, SLOT = 16 };
#define ENDING ".ticket"

static const char *const kinds[CLASSROOM_KINDS] = {"gpu", "cpu"};

const char *classroom_kind_name(enum classroom_kind k) {
    return kinds[k];
}

/* ── slots ─────────────────────────────────────────────────────────────────────────────────────*/
bool classroom_slots_has(const struct classroom_slots *s, int slot) {
    return s->word[slot / 64] >> (slot % 64) & 1;
}

void classroom_slots_add(struct classroom_slots *s, int slot) {
    s->word[slot / 64] |= UINT64_C(1) << (slot % 64);
}

int classroom_slots_count(const struct classroom_slots *s) {
    int n = 0;
    for (int i = 0; i < CLASSROOM_SLOTS; i++) n += classroom_slots_has(s, i);
    return n;
}

bool classroom_slots_meet(const struct classroom_slots *a, const struct classroom_slots *b) {
    for (size_t i = 0; i < BASE_COUNT(a->word); i++)
        if (a->word[i] & b->word[i]) return true;
    return false;
}

char *classroom_slots_say(const struct classroom_slots *s) {
    struct base_text t = {0};
    for (int i = 0; i < CLASSROOM_SLOTS; i++)
        if (classroom_slots_has(s, i)) base_text_printf(&t, "%s%d", t.length ? "," : "", i);
    return base_text_take(&t);
}

/* ── locks ─────────────────────────────────────────────────────────────────────────────────────*/
static bool wants_posix(void) {
    const char *word = getenv("ZEROTUTOR_LOCKS");
    return word && strcmp(word, "posix") == 0;
}

/* `type`: F_WRLCK or F_UNLCK. False with errno. */
static bool lock(int fd, short type, int byte) {
    struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
#ifdef F_OFD_SETLK
    if (!wants_posix() && fcntl(fd, F_OFD_SETLK, &l) == 0) return true;
    if (!wants_posix() && errno != EINVAL) return false;
#endif
    return fcntl(fd, F_SETLK, &l) == 0;
}

/* The first byte from `from` on that a writer has locked, below `end`; `end` if there is none.
 * *length: how many follow each other. A file that cannot be asked has no locks. */
static int locked(int fd, int from, int end, int *length) {
    struct flock l = {
        .l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = from, .l_len = end - from};
    *length = 0;
    if (fcntl(fd, F_GETLK, &l) != 0 || l.l_type == F_UNLCK) return end;
    int64_t start = l.l_start > from ? l.l_start : from;
    int64_t stop = l.l_len == 0 || l.l_start + l.l_len > end ? end : l.l_start + l.l_len;
    *length = (int)(stop - start);
    return start < end ? (int)start : end;
}

/* A lock that the system names may not be the first: what lies before it is asked for again. */
static void read_slots(int fd, int from, int end, struct classroom_slots *out) {
    while (from < end) {
        int length, at = locked(fd, from, end, &length);
        if (at == end) return;
        for (int i = 0; i < length; i++) classroom_slots_add(out, at + i - SLOT);
        read_slots(fd, from, at, out);
        from = at + length;
    }
}

static void read_locks(int fd, struct classroom_ticket *t) {
    int length;
    t->live = locked(fd, LIVE, LIVE + 1, &length) == LIVE;
    if (!t->live) return;
    t->away = locked(fd, AWAY, AWAY + 1, &length) == AWAY;
    read_slots(fd, SLOT, SLOT + CLASSROOM_SLOTS, &t->holds);
}

/* ── what a ticket says ────────────────────────────────────────────────────────────────────────*/
static char *write_words(const struct classroom_ticket *t) {
    const struct classroom_wish *w = &t->wish;
    json_t *json = json_pack(
        "{ss si ss ss ss si si sI si ss sI sI sI}", "zerotutor", "ticket", "format", FORMAT, "host",
        t->host, "lab", w->lab, "kind", kinds[w->kind], "slots", w->slots, "ranks", w->ranks,
        "bytes", (json_int_t)w->bytes, "minutes", w->minutes, "with", w->with, "round",
        (json_int_t)t->round, "arrived", (json_int_t)t->arrived, "took", (json_int_t)t->took);
    char *words = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return words;
}

static void take_word(const json_t *json, const char *member, char out[CLASSROOM_WORD]) {
    const char *word = base_json_text(json, member, "");
    char *safe = base_clean_dup(word, strlen(word), CLASSROOM_WORD - 1);
    for (char *c = safe; *c; c++)
        if (*c == '\n' || *c == '\t') *c = ' ';
    snprintf(out, CLASSROOM_WORD, "%s", safe);
    free(safe);
}

static int64_t take_number(const json_t *json, const char *member, int64_t least, int64_t most) {
    int64_t n = base_json_int(json, member, least);
    return n < least ? least : n > most ? most : n;
}

static bool take_words(struct classroom_ticket *t, const char *text, size_t n) {
    json_t *json = base_json_read(text, n, "ticket", NULL);
    const char *kind = base_json_text(json, "kind", "");
    bool ours = strcmp(base_json_text(json, "zerotutor", ""), "ticket") == 0 &&
                base_json_int(json, "format", 0) == FORMAT;
    int k = 0;
    while (k < CLASSROOM_KINDS && strcmp(kind, kinds[k]) != 0) k++;
    ours = ours && k < CLASSROOM_KINDS;
    if (ours) {
        struct classroom_wish *w = &t->wish;
        take_word(json, "host", t->host);
        take_word(json, "lab", w->lab);
        take_word(json, "with", w->with);
        w->kind = (enum classroom_kind)k;
        w->slots = (int)take_number(json, "slots", 1, CLASSROOM_SLOTS);
        w->ranks = (int)take_number(json, "ranks", 1, 65536);
        w->bytes = (uint64_t)take_number(json, "bytes", 0, INT64_MAX);
        w->minutes = (int)take_number(json, "minutes", 1, 10000);
        t->round = take_number(json, "round", 0, INT32_MAX);
        t->arrived = take_number(json, "arrived", 0, INT64_C(1) << 40);
        t->took = take_number(json, "took", -1, 10000 * 60);
    }
    json_decref(json);
    return ours;
}

bool classroom_ticket_served(const struct classroom_ticket *t) {
    return t->took >= 0 || t->since != t->arrived || classroom_slots_count(&t->holds) > 0;
}

/* ── all tickets ───────────────────────────────────────────────────────────────────────────────*/
struct reading {
    const struct classroom_folder *folder;
    const struct classroom_held *own;
    struct classroom_tickets *out;
    size_t capacity;
};

/* Whether a file's name is a ticket's, whose own name it takes. */
static bool take_name(const char *file, char out[CLASSROOM_NAME]) {
    size_t n = strlen(file);
    if (n != CLASSROOM_NAME - 1 + strlen(ENDING) || strcmp(file + CLASSROOM_NAME - 1, ENDING) != 0)
        return false;
    memcpy(out, file, CLASSROOM_NAME - 1);
    out[CLASSROOM_NAME - 1] = '\0';
    return strspn(out, "0123456789abcdef") == CLASSROOM_NAME - 1;
}

static char *file_of(const char *name) {
    return base_format("%s" ENDING, name);
}

static bool read_ticket(const struct classroom_folder *f, const char *file,
                        struct classroom_ticket *t) {
    char words[FILE_MOST];
    struct stat it;
    int fd = classroom_open_file(f, CLASSROOM_QUEUE, file, CLASSROOM_ANYBODY, O_RDONLY, NULL);
    if (fd < 0) return false;
    ssize_t n = pread(fd, words, sizeof words, 0);
    bool read = n > 0 && n < FILE_MOST && fstat(fd, &it) == 0 && take_words(t, words, (size_t)n);
    if (read) {
        t->owner = it.st_uid;
        t->since = it.st_mtime;
        read_locks(fd, t);
    }
    close(fd);
    return read;
}

static void add(struct reading *r, const struct classroom_ticket *t) {
    struct classroom_tickets *out = r->out;
    if (out->count == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 64;
        out->ticket = base_grow(out->ticket, r->capacity, sizeof *out->ticket);
    }
    out->ticket[out->count++] = *t;
}

static void read_one(void *to, const char *name, bool fit) {
    struct reading *r = to;
    struct classroom_ticket t = {0};
    if (!fit || !take_name(name, t.name)) return;
    if (r->own && strcmp(t.name, classroom_ticket_own(r->own)->name) == 0) return;
    if (read_ticket(r->folder, name, &t)) add(r, &t);
}

/* Its own ticket is looked for by name: what else is listed must not decide whether it is there. */
static void read_own(struct reading *r) {
    const struct classroom_ticket *own = classroom_ticket_own(r->own);
    char *file = file_of(own->name);
    r->out->lost = classroom_is_gone(r->folder, CLASSROOM_QUEUE, file);
    if (!r->out->lost) add(r, own);
    free(file);
}

bool classroom_tickets_read(const struct classroom_folder *f, const struct classroom_held *own,
                            struct classroom_tickets *out, struct base_message *m) {
    *out = (struct classroom_tickets){.crowd = CLASSROOM_ANYBODY};
    struct reading r = {.folder = f, .own = own, .out = out};
    if (own) read_own(&r);
    return classroom_each(f, CLASSROOM_QUEUE, OWN_FILES, read_one, &r, &out->crowd, m);
}

void classroom_tickets_free(struct classroom_tickets *t) {
    free(t->ticket);
    *t = (struct classroom_tickets){0};
}

void classroom_host(char out[CLASSROOM_WORD]) {
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) != 0) *name = '\0';
    char *safe = base_clean_dup(name, strlen(name), CLASSROOM_WORD - 1);
    snprintf(out, CLASSROOM_WORD, "%s", safe);
    free(safe);
}

/* ── this process's own ────────────────────────────────────────────────────────────────────────*/
struct classroom_held {
    const struct classroom_folder *folder;
    struct classroom_ticket ticket;
    int fd;
};

static bool lock_slots(int fd, const struct classroom_slots *s) {
    for (int i = 0; i < CLASSROOM_SLOTS; i++)
        if (classroom_slots_has(s, i) && !lock(fd, F_WRLCK, SLOT + i)) return false;
    return true;
}

/* The times are the file server's: the words say when the ticket arrived, and so does the file,
 * until its turn begins. */
static bool fill(void *with, int fd) {
    struct classroom_ticket *t = with;
    if (!t->arrived) t->arrived = t->since = classroom_stamp(fd);
    if (!t->arrived || !lock(fd, F_WRLCK, LIVE) || !lock_slots(fd, &t->holds)) return false;
    char *words = write_words(t);
    size_t n = strlen(words);
    const struct timespec arrived[] = {{.tv_sec = t->arrived}, {.tv_sec = t->arrived}};
    ssize_t wrote = write(fd, words, n);
    bool whole = wrote == (ssize_t)n && fsync(fd) == 0 && futimens(fd, arrived) == 0;
    if (wrote >= 0 && wrote < (ssize_t)n) errno = ENOSPC;
    free(words);
    return whole;
}

struct classroom_held *classroom_ticket_begin(const struct classroom_folder *f,
                                              const struct classroom_wish *w, int64_t round,
                                              struct base_message *m) {
    struct classroom_held *h = base_alloc(sizeof *h);
    *h = (struct classroom_held){
        f, {.wish = *w, .round = round, .owner = geteuid(), .live = true, .took = -1}, -1};
    classroom_random_name(h->ticket.name);
    classroom_host(h->ticket.host);
    char *file = file_of(h->ticket.name);
    h->fd = classroom_make_file(f, CLASSROOM_QUEUE, file, 0644, fill, &h->ticket, m);
    free(file);
    if (h->fd >= 0) return h;
    free(h);
    return NULL;
}

const struct classroom_ticket *classroom_ticket_own(const struct classroom_held *h) {
    return &h->ticket;
}

void classroom_ticket_yield(struct classroom_held *h) {
    for (int i = 0; i < CLASSROOM_SLOTS; i++)
        if (classroom_slots_has(&h->ticket.holds, i)) lock(h->fd, F_UNLCK, SLOT + i);
    h->ticket.holds = (struct classroom_slots){0};
}

/* A child that was forked meanwhile may have the open file too, so what it locks is unlocked by
 * name: closing the file would not do. */
static void unlock_all(struct classroom_held *h) {
    classroom_ticket_yield(h);
    lock(h->fd, F_UNLCK, AWAY);
    lock(h->fd, F_UNLCK, LIVE);
}

/* A file that no other process could open before it was locked. Its name does not set the order. */
static bool claim_anew(struct classroom_held *h, const struct classroom_slots *s) {
    struct classroom_held new = *h;
    new.ticket.holds = *s;
    classroom_random_name(new.ticket.name);
    char *file = file_of(new.ticket.name), *old = file_of(h->ticket.name);
    new.fd = classroom_make_file(h->folder, CLASSROOM_QUEUE, file, 0644, fill, &new.ticket, NULL);
    if (new.fd >= 0) {
        classroom_remove(h->folder, CLASSROOM_QUEUE, old);
        unlock_all(h);
        close(h->fd);
        *h = new;
    }
    free(old);
    free(file);
    return new.fd >= 0;
}

bool classroom_ticket_claim(struct classroom_held *h, const struct classroom_slots *s) {
    h->ticket.holds = *s;
    if (lock_slots(h->fd, s)) return true;
    bool forbidden = errno == EAGAIN || errno == EACCES;
    classroom_ticket_yield(h);
    return forbidden && claim_anew(h, s);
}

void classroom_ticket_start(struct classroom_held *h) {
    int64_t now = classroom_stamp(h->fd);
    if (now) h->ticket.since = now;
}

void classroom_ticket_away(struct classroom_held *h, bool away) {
    if (h->ticket.away != away && lock(h->fd, away ? F_WRLCK : F_UNLCK, AWAY))
        h->ticket.away = away;
}

void classroom_ticket_end(struct classroom_held *h, int64_t took) {
    char *file = file_of(h->ticket.name);
    h->ticket.took = took;
    char *words = write_words(&h->ticket);
    if (took < 0)
        classroom_remove(h->folder, CLASSROOM_QUEUE, file);
    else
        classroom_write(h->folder, CLASSROOM_QUEUE, file, 0644, words, strlen(words), NULL);
    unlock_all(h);
    close(h->fd);
    free(words);
    free(file);
    free(h);
}

/* The latest of this account's turns of a kind that are over; NULL if there is none. */
static const struct classroom_ticket *last_turn(const struct classroom_tickets *t,
                                                enum classroom_kind k) {
    const struct classroom_ticket *last = NULL;
    for (size_t i = 0; i < t->count; i++) {
        const struct classroom_ticket *one = &t->ticket[i];
        bool is = !one->live && one->owner == geteuid() && one->wish.kind == k;
        if (is && classroom_ticket_served(one) && (!last || one->since > last->since)) last = one;
    }
    return last;
}

void classroom_ticket_tidy(const struct classroom_folder *f, const struct classroom_tickets *t,
                           const struct classroom_held *own) {
    const struct classroom_ticket *last = last_turn(t, own->ticket.wish.kind);
    for (size_t i = 0; i < t->count; i++) {
        const struct classroom_ticket *one = &t->ticket[i];
        if (one->live || one->owner != geteuid() || one->wish.kind != own->ticket.wish.kind ||
            one == last)
            continue;
        char *file = file_of(one->name);
        classroom_remove(f, CLASSROOM_QUEUE, file);
        free(file);
    }
}
