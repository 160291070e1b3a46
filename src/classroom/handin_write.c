/* handin_write: one's own hand-in, brought up to date. The file is locked meanwhile, because two
 * terminals of one learner may answer at the same time; no lock on a file of another account is
 * ever held. */
#include "classroom/handin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FORMAT = 1, LOCK_MS = 2000, PAUSE_NS = 5000000 };
#define ANSWER "{\"answer\":"
#define DAY    ",\"day\":"
#define WITH   ",\"with\":"

struct classroom_writing {
    char *path;
    int fd;
    /* of the file as far as it is whole */
    size_t length;
    char link[HASH_HEX];
    json_t *columns;
    /* hashes of its rows, in order once they were all read */
    uint64_t *row;
    size_t rows;
    /* the second name as the file has it; and, until an answer says it, as it is now: NULL if that
     * is the same */
    char with[CLASSROOM_WORD], *change;
    /* what is to be written behind it */
    struct base_text more;
    size_t added;
};

static bool fail(const struct classroom_writing *w, const char *doing, struct base_message *m) {
    return base_fail_at(m, w->path, 0, "%s: %s", doing, strerror(errno));
}

static void free_writing(struct classroom_writing *w) {
    if (w->fd >= 0) close(w->fd); /* and so unlocks it */
    json_decref(w->columns);
    free(w->row);
    free(w->change);
    base_text_free(&w->more);
    free(w->path);
    free(w);
}

/* ── open and locked ───────────────────────────────────────────────────────────────────────────*/
/* On a file system without locks it goes on: whatever two terminals then write into each other is
 * no chain, and the next writing cuts it off. */
static bool lock(const struct classroom_writing *w, struct base_message *m) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int64_t until = base_ticks() + LOCK_MS;
    while (fcntl(w->fd, F_SETLK, &whole) != 0) {
        if (errno == EINTR) continue;
        if (errno != EACCES && errno != EAGAIN) return true;
        if (base_ticks() >= until)
            return base_fail_at(m, w->path, 0, "another program of yours is writing to it");
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    return true;
}

/* The file of this name, made if there is none. It may appear between the look and the making. */
static int open_own(const struct classroom_folder *f, const char *name, struct base_message *m) {
    struct base_message why = {0};
    for (int i = 0; i < 2; i++) {
        int fd = classroom_open_file(f, CLASSROOM_HANDINS, name, geteuid(), O_RDWR, &why);
        if (fd < 0 && errno == ENOENT)
            fd = classroom_create_file(f, CLASSROOM_HANDINS, name, 0644, &why);
        if (fd >= 0 || errno != EEXIST) {
            if (fd < 0 && m) *m = why;
            return fd;
        }
    }
    if (m) *m = why;
    return -1;
}

/* ── what is there ─────────────────────────────────────────────────────────────────────────────*/
static uint64_t fold(const char *text, size_t n) {
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return h;
}

static int by_value(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The row within a line of ours: what stands between its name and its day. */
static bool find_row(const char *line, size_t n, const char **row, size_t *length) {
    size_t from = sizeof ANSWER - 1, day = sizeof DAY - 1;
    if (n < from + day + HASH_LINK_BYTES || memcmp(line, ANSWER, from) != 0) return false;
    size_t to = n - HASH_LINK_BYTES - day;
    while (to > from && memcmp(line + to, DAY, day) != 0) to--;
    *row = line + from;
    *length = to - from;
    return to > from;
}

static void take_with(struct classroom_writing *w, const json_t *line) {
    snprintf(w->with, sizeof w->with, "%s", base_json_text(line, "with", ""));
}

/* What follows a row may name another learner at the keyboard. */
static void find_with(struct classroom_writing *w, const char *line, size_t n, const char *from) {
    if (!memmem(from, (size_t)(line + n - from), WITH, sizeof WITH - 1)) return;
    json_t *json = json_loadb(line, n, 0, NULL);
    take_with(w, json);
    json_decref(json);
}

/* Takes lines as long as they belong to the chain; whatever follows is to be cut off. */
static void read_rows(struct classroom_writing *w, const char *text, size_t n) {
    const char *line = text + w->length, *end = text + n, *stop, *row;
    size_t length;
    while ((stop = memchr(line, '\n', (size_t)(end - line)))) {
        if (!hash_link_fits(line, (size_t)(stop - line), w->link) ||
            !find_row(line, (size_t)(stop - line), &row, &length))
            break;
        w->row = base_grow(w->row, w->rows + 1, sizeof *w->row);
        w->row[w->rows++] = fold(row, length);
        find_with(w, line, (size_t)(stop - line), row + length);
        line = stop + 1;
    }
    w->length = (size_t)(line - text);
    if (w->rows) qsort(w->row, w->rows, sizeof *w->row, by_value);
}

/* Whether the first line says that it is this learner's hand-in in this class. */
static bool is_ours(struct classroom_writing *w, const char *line, size_t n,
                    const struct classroom_handin_head *head) {
    json_t *json = base_json_parse(line, n);
    bool ours = strcmp(base_json_text(json, "zerotutor", ""), "handin") == 0 &&
                base_json_int(json, "format", 0) == FORMAT &&
                strcmp(base_json_text(json, "class", ""), head->class) == 0 &&
                strcmp(base_json_text(json, "account", ""), head->account) == 0;
    take_with(w, json);
    json_decref(json);
    return ours;
}

static bool read_head(struct classroom_writing *w, const char *text, size_t n,
                      const struct classroom_handin_head *head, struct base_message *m) {
    const char *first = memchr(text, '\n', n);
    const char *second = first ? memchr(first + 1, '\n', n - (size_t)(first + 1 - text)) : NULL;
    if (!second) return true; /* torn when it was begun: it is begun again */
    json_t *table = base_json_parse(first + 1, (size_t)(second - first - 1));
    w->columns = json_incref(json_object_get(table, "columns"));
    json_decref(table);
    if (!is_ours(w, text, (size_t)(first - text), head) || !json_is_array(w->columns))
        return base_fail_at(m, w->path, 0,
                            "this file is not your hand-in in this class: move it away, and "
                            "zerotutor begins it again");
    w->length = (size_t)(second + 1 - text);
    hash_hex("", text, w->length, w->link);
    return true;
}

static char *read_all(const struct classroom_writing *w, size_t *n, struct base_message *m) {
    struct stat it;
    if (fstat(w->fd, &it) != 0 || it.st_size > CLASSROOM_HANDIN_MOST) {
        base_fail_at(m, w->path, 0, "it is larger than any hand-in: move it away");
        return NULL;
    }
    char *text = base_alloc((size_t)it.st_size + 1);
    for (*n = 0; *n < (size_t)it.st_size;) {
        ssize_t got = pread(w->fd, text + *n, (size_t)it.st_size - *n, (off_t)*n);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            fail(w, "cannot read", m);
            free(text);
            return NULL;
        }
        if (got == 0) break;
        *n += (size_t)got;
    }
    return text;
}

static bool take_in(struct classroom_writing *w, const struct classroom_handin_head *head,
                    struct base_message *m) {
    size_t n;
    char *text = read_all(w, &n, m);
    bool read = text && read_head(w, text, n, head, m);
    if (read && w->length) read_rows(w, text, n);
    free(text);
    if (!read || w->length == n) return read;
    return ftruncate(w->fd, (off_t)w->length) == 0 || fail(w, "cannot cut off its torn end", m);
}

/* ── what is added ─────────────────────────────────────────────────────────────────────────────*/
static void add_json(struct base_text *t, json_t *json) {
    char *text = json_dumps(json, JSON_COMPACT);
    base_text_printf(t, "%s\n", text);
    free(text);
    json_decref(json);
}

static void add_head(struct classroom_writing *w, const struct classroom_handin_head *h,
                     const json_t *columns) {
    add_json(&w->more,
             json_pack("{ss si ss ss ss* sI ss ss}", "zerotutor", "handin", "format", FORMAT,
                       "class", h->class, "account", h->account, "with", *h->with ? h->with : NULL,
                       "seed", (json_int_t)h->seed, "course", h->course, "version", h->version));
    add_json(&w->more, json_pack("{ss sO}", "table", "answer", "columns", columns));
    hash_hex("", w->more.s, w->more.length, w->link);
    json_decref(w->columns);
    w->columns = json_deep_copy(columns);
}

struct classroom_writing *classroom_handin_begin(const struct classroom_folder *f, const char *name,
                                                 const struct classroom_handin_head *head,
                                                 const json_t *columns, struct base_message *m) {
    int fd = open_own(f, name, m);
    if (fd < 0) return NULL;
    struct classroom_writing *w = base_alloc(sizeof *w);
    w->fd = fd;
    w->path =
        base_format("%s/%s/%s", classroom_path(f), classroom_place_name(CLASSROOM_HANDINS), name);
    if (!lock(w, m) || !take_in(w, head, m)) {
        free_writing(w);
        return NULL;
    }
    if (w->length == 0)
        add_head(w, head, columns);
    else if (strcmp(w->with, head->with) != 0)
        w->change = base_dup(head->with);
    return w;
}

const json_t *classroom_handin_columns(const struct classroom_writing *w) {
    return w->columns;
}

size_t classroom_handin_rows(const struct classroom_writing *w) {
    return w->rows + w->added;
}

static void say_change(struct classroom_writing *w) {
    json_t *name = json_string(w->change);
    char *text = json_dumps(name, JSON_ENCODE_ANY);
    base_text_printf(&w->more, WITH "%s", text);
    free(text);
    json_decref(name);
    free(w->change);
    w->change = NULL;
}

void classroom_handin_add(struct classroom_writing *w, const char *row, size_t n, int64_t day) {
    char end[HASH_LINK_BYTES + 1];
    uint64_t its = fold(row, n);
    if (w->rows && bsearch(&its, w->row, w->rows, sizeof its, by_value)) return;
    size_t from = w->more.length;
    base_text_puts(&w->more, ANSWER);
    base_text_add(&w->more, row, n);
    base_text_printf(&w->more, DAY "%lld", (long long)day);
    if (w->change) say_change(w);
    hash_link_add(w->more.s + from, w->more.length - from, w->link, end);
    base_text_printf(&w->more, "%s\n", end);
    w->added++;
}

/* All of it, or as it was before. What a crash leaves in between is cut off next time. */
static bool write_more(struct classroom_writing *w, struct base_message *m) {
    size_t done = 0;
    if (w->length + w->more.length > CLASSROOM_HANDIN_MOST)
        return base_fail_at(m, w->path, 0, "the hand-in is full");
    while (done < w->more.length) {
        ssize_t n =
            pwrite(w->fd, w->more.s + done, w->more.length - done, (off_t)(w->length + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) break;
        done += (size_t)n;
    }
    bool wrote = done == w->more.length && fsync(w->fd) == 0;
    if (wrote) return true;
    fail(w, "cannot add to it", m);
    if (ftruncate(w->fd, (off_t)w->length) != 0) return false; /* next time, then */
    return false;
}

bool classroom_handin_end(struct classroom_writing *w, struct base_message *m) {
    bool wrote = w->more.length == 0 || write_more(w, m);
    free_writing(w);
    return wrote;
}
