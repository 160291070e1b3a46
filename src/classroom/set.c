/* set: settings as a teacher types them, "ends=+90m". A row for each. */
#include "classroom/classroom.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

/* ── times ─────────────────────────────────────────────────────────────────────────────────────*/
/* "90m", "2h", "3d" */
static bool read_span(const char *text, int64_t *seconds) {
    static const struct {
        char unit;
        int64_t seconds;
    } units[] = {{'m', MINUTE}, {'h', HOUR}, {'d', DAY}};
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || n < 0 || n > 100000) return false;
    for (size_t i = 0; i < BASE_COUNT(units); i++) {
        if (end[0] != units[i].unit || end[1] != '\0') continue;
        *seconds = n * units[i].seconds;
        return true;
    }
    return false;
}

static bool read_clock(const char *text, int64_t now, int64_t *out) {
    time_t t = (time_t)now;
    struct tm today, at;
    localtime_r(&t, &today);
    at = today;
    const char *end = strptime(text, "%Y-%m-%d %H:%M", &at);
    bool dated = end && *end == '\0';
    if (!dated) {
        at = today; /* what was read of it before it failed is there */
        end = strptime(text, "%H:%M", &at);
        if (!end || *end) return false;
    }
    at.tm_sec = 0;
    at.tm_isdst = -1;
    *out = (int64_t)mktime(&at);
    if (!dated && *out <= now) {
        at.tm_mday++;
        at.tm_isdst = -1;
        *out = (int64_t)mktime(&at);
    }
    return *out >= 0;
}

bool classroom_when(const char *text, int64_t now, int64_t *out, struct base_message *m) {
    int64_t span;
    if (strcmp(text, "now") == 0) {
        *out = now;
        return true;
    }
    if (*text == '+' && read_span(text + 1, &span)) {
        *out = now + span;
        return true;
    }
    return read_clock(text, now, out) ||
           base_fail(m,
                     "'%.40s' is not a time: write now, 12:30, \"2026-11-24 12:30\", or +90m from "
                     "now",
                     text);
}

char *classroom_when_text(int64_t when) {
    time_t t = (time_t)when;
    struct tm at;
    char text[32];
    localtime_r(&t, &at);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M", &at);
    return base_dup(text);
}

/* ── how a value is typed ──────────────────────────────────────────────────────────────────────*/
struct typed {
    struct classroom_settings *s;
    const char *value;
    int64_t now;
    struct base_message *m;
};

static bool set_word(char *out, size_t room, const struct typed *t) {
    size_t n = strlen(t->value);
    if (n == 0 || n >= room || !base_is_line(t->value, n))
        return base_fail(t->m, "a name is one line of text, shorter than %zu bytes", room);
    memcpy(out, t->value, n + 1);
    return true;
}

static bool set_whole(int *out, const struct typed *t, long least, long most) {
    char *end;
    long n = strtol(t->value, &end, 10);
    if (end == t->value || *end || n < least || n > most)
        return base_fail(t->m, "'%.40s' is not a whole number from %ld to %ld", t->value, least,
                         most);
    *out = (int)n;
    return true;
}

static bool set_time(int64_t *out, const struct typed *t) {
    if (strcmp(t->value, "never") != 0) return classroom_when(t->value, t->now, out, t->m);
    *out = 0;
    return true;
}

/* Calls `add` with each of the words between commas, which it may change. */
static bool each_word(const struct typed *t, bool (*add)(const struct typed *t, char *word)) {
    char *words = base_dup(t->value), *rest = words;
    bool added = true;
    for (char *word; added && (word = strsep(&rest, ","));)
        if (*word) added = add(t, word);
    free(words);
    return added;
}

static bool fits(const struct typed *t, const char *word, size_t have, size_t most) {
    size_t n = strlen(word);
    if (n == 0 || !base_is_line(word, n)) return base_fail(t->m, "this cannot be a name");
    if (have < most && n < CLASSROOM_WORD) return true;
    return base_fail(t->m, "'%.40s' is too long, or there are more than %zu", word, most);
}

/* ── lists ─────────────────────────────────────────────────────────────────────────────────────*/
static struct classroom_lesson *find_lesson(struct classroom_settings *s, const char *id) {
    for (size_t i = 0; i < s->lessons; i++)
        if (strcmp(s->lesson[i].id, id) == 0) return &s->lesson[i];
    return NULL;
}

/* "1.1" or "1.1:15" with the plan's minutes */
static bool add_lesson(const struct typed *t, char *word) {
    struct classroom_settings *s = t->s;
    char *colon = strchr(word, ':');
    int minutes = 0;
    if (colon) {
        *colon = '\0';
        if (!set_whole(&minutes, &(struct typed){.value = colon + 1, .m = t->m}, 1, 10000))
            return false;
    }
    if (!fits(t, word, s->lessons, CLASSROOM_LESSONS)) return false;
    if (find_lesson(s, word)) return base_fail(t->m, "'%.40s' is there twice", word);
    struct classroom_lesson *l = &s->lesson[s->lessons++];
    *l = (struct classroom_lesson){.minutes = minutes};
    memcpy(l->id, word, strlen(word) + 1);
    return true;
}

/* Those that stay keep their deadlines. */
static bool set_lessons(const struct typed *t) {
    struct classroom_settings before = *t->s;
    t->s->lessons = 0;
    if (!each_word(t, add_lesson)) return false;
    for (size_t i = 0; i < t->s->lessons; i++) {
        const struct classroom_lesson *was = find_lesson(&before, t->s->lesson[i].id);
        if (was) t->s->lesson[i].due = was->due;
    }
    return true;
}

/* "1.1@12:30" */
static bool add_due(const struct typed *t, char *word) {
    char *at = strchr(word, '@');
    if (!at) return base_fail(t->m, "a deadline is written LESSON@TIME, as in 1.1@12:30");
    *at = '\0';
    struct classroom_lesson *l = find_lesson(t->s, word);
    if (l) return set_time(&l->due, &(struct typed){.value = at + 1, .now = t->now, .m = t->m});
    return base_fail(t->m, "'%.40s' is not a lesson of this class: set lessons= first", word);
}

static bool set_due(const struct typed *t) {
    return each_word(t, add_due);
}

static void put_account(char out[CLASSROOM_WORD], const char *word) {
    char *account = classroom_account_typed(word);
    snprintf(out, CLASSROOM_WORD, "%s", account);
    free(account);
}

/* Whether it is for the same account and lesson. An account may stand there as it was typed. */
static bool is_for(const struct classroom_extension *e, const struct classroom_extension *other) {
    char account[CLASSROOM_WORD];
    put_account(account, e->account);
    return strcmp(account, other->account) == 0 && strcmp(e->lesson, other->lesson) == 0;
}

/* "ada+30m" or "ada/1.1+30m"; "+0m" takes it back */
static bool add_extension(const struct typed *t, char *word) {
    struct classroom_settings *s = t->s;
    struct classroom_extension e = {.seconds = 0};
    char *plus = strrchr(word, '+'), *slash = strchr(word, '/');
    if (!plus || plus == word || (slash && (slash == word || slash + 1 >= plus)) ||
        !read_span(plus + 1, &e.seconds))
        return base_fail(t->m, "more time is written ACCOUNT+30m, or ACCOUNT/LESSON+30m");
    *plus = '\0';
    if (slash) *slash = '\0';
    if (!fits(t, word, 0, 1) || (slash && !fits(t, slash + 1, 0, 1))) return false;
    put_account(e.account, word);
    snprintf(e.lesson, sizeof e.lesson, "%s", slash ? slash + 1 : "");
    size_t i = 0;
    while (i < s->extensions && !is_for(&s->extension[i], &e)) i++;
    if (i == CLASSROOM_EXTENSIONS) return base_fail(t->m, "there are too many extensions");
    s->extension[i] = e;
    s->extensions += i == s->extensions;
    if (e.seconds == 0) s->extension[i] = s->extension[--s->extensions];
    return true;
}

static bool set_extend(const struct typed *t) {
    return each_word(t, add_extension);
}

static bool add_assistant(const struct typed *t, char *word) {
    if (!fits(t, word, t->s->assistants, CLASSROOM_ASSISTANTS)) return false;
    put_account(t->s->assistant[t->s->assistants++], word);
    return true;
}

static bool set_assistants(const struct typed *t) {
    t->s->assistants = 0;
    return each_word(t, add_assistant);
}

/* ── the table ─────────────────────────────────────────────────────────────────────────────────*/
static const char *const counts[] = {"first", "best", "last"}; /* as enum classroom_counts */

static bool set_counts(const struct typed *t) {
    for (size_t i = 0; i < BASE_COUNT(counts); i++) {
        if (strcmp(t->value, counts[i]) != 0) continue;
        t->s->counts = (enum classroom_counts)i;
        return true;
    }
    return base_fail(t->m, "'%.40s' cannot be used here: write first, best or last", t->value);
}

static bool set_gigabytes(const struct typed *t) {
    int gb = 0;
    if (!set_whole(&gb, t, 0, 100000)) return false;
    t->s->bytes_most = (uint64_t)gb * 1000000000;
    return true;
}

/* Through Slurm where it is there, in its usual partition or in one. */
static bool set_slurm(const struct typed *t) {
    struct classroom_settings *s = t->s;
    bool named = strcmp(t->value, "no") != 0 && strcmp(t->value, "yes") != 0;
    *s->partition = '\0';
    s->slurm = strcmp(t->value, "no") != 0;
    if (named && !classroom_is_name(t->value))
        return base_fail(t->m, "'%.40s' cannot name a partition: type yes, no or its name",
                         t->value);
    return !named || set_word(s->partition, sizeof s->partition, t);
}

static void slurm_text(const struct classroom_settings *s, struct base_text *t) {
    base_text_puts(t, *s->partition ? s->partition : s->slurm ? "yes" : "no");
}

static void counts_text(const struct classroom_settings *s, struct base_text *t) {
    base_text_puts(t, counts[s->counts]);
}

static void gigabytes_text(const struct classroom_settings *s, struct base_text *t) {
    base_text_printf(t, "%llu", (unsigned long long)(s->bytes_most / 1000000000));
}

static void lessons_text(const struct classroom_settings *s, struct base_text *t) {
    for (size_t i = 0; i < s->lessons; i++) {
        base_text_printf(t, "%s%s", i ? "," : "", s->lesson[i].id);
        if (s->lesson[i].minutes) base_text_printf(t, ":%d", s->lesson[i].minutes);
    }
}

static void due_text(const struct classroom_settings *s, struct base_text *t) {
    for (size_t i = 0; i < s->lessons; i++) {
        if (!s->lesson[i].due) continue;
        char *when = classroom_when_text(s->lesson[i].due);
        base_text_printf(t, "%s%s@%s", t->length ? "," : "", s->lesson[i].id, when);
        free(when);
    }
}

static void extend_text(const struct classroom_settings *s, struct base_text *t) {
    for (size_t i = 0; i < s->extensions; i++) {
        const struct classroom_extension *e = &s->extension[i];
        base_text_printf(t, "%s%s%s%s+%lldm", i ? "," : "", e->account, *e->lesson ? "/" : "",
                         e->lesson, (long long)(e->seconds / MINUTE));
    }
}

static void assistants_text(const struct classroom_settings *s, struct base_text *t) {
    for (size_t i = 0; i < s->assistants; i++)
        base_text_printf(t, "%s%s", i ? "," : "", s->assistant[i]);
}

enum kind { OWN, WORD, TIME, WHOLE, SWITCH };
#define AT(member) offsetof(struct classroom_settings, member)
static const struct {
    struct classroom_setting is;
    enum kind kind;
    /* of a kind that is one member, and the range of a WHOLE */
    size_t offset;
    int least, most;
    /* of the others */
    bool (*set)(const struct typed *t);
    void (*text)(const struct classroom_settings *s, struct base_text *t);
} rows[] = {
    {{"name", "NAME", "what the class is called"}, WORD, AT(name), 0, 0, NULL, NULL},
    {{"lessons", "LIST", "lessons and labs of the day, with the plan's minutes: 1.1:15,1.2:12"},
     OWN,
     0,
     0,
     0,
     set_lessons,
     lessons_text},
    {{"begins", "TIME", "when the class begins: nothing before it is shared"},
     TIME,
     AT(begins),
     0,
     0,
     NULL,
     NULL},
    {{"ends", "TIME", "when it ends: nothing after it is shared (or never)"},
     TIME,
     AT(ends),
     0,
     0,
     NULL,
     NULL},
    {{"due", "LIST", "deadlines of single lessons: 1.1@12:30"}, OWN, 0, 0, 0, set_due, due_text},
    {{"extend", "LIST", "more time for one learner: ada+30m or ada/1.1+30m; +0m takes it back"},
     OWN,
     0,
     0,
     0,
     set_extend,
     extend_text},
    {{"late", "PERCENT", "what an answer loses for each day it is late (100: all)"},
     WHOLE,
     AT(late_percent),
     0,
     100,
     NULL,
     NULL},
    {{"counts", "first|best|last", "which try counts"}, OWN, 0, 0, 0, set_counts, counts_text},
    {{"assistants", "LIST", "accounts that help you teach"},
     OWN,
     0,
     0,
     0,
     set_assistants,
     assistants_text},
    {{"gpus", "N", "GPUs that labs take turns on (0: labs run on the CPU)"},
     WHOLE,
     AT(gpus),
     0,
     1024,
     NULL,
     NULL},
    {{"cores", "N", "cores that all CPU labs share"}, WHOLE, AT(cores), 1, 65536, NULL, NULL},
    {{"ranks", "N", "ranks that one lab may start"}, WHOLE, AT(ranks_most), 1, 1024, NULL, NULL},
    {{"minutes", "N", "minutes that one turn may take"},
     WHOLE,
     AT(minutes_most),
     1,
     10000,
     NULL,
     NULL},
    {{"gigabytes", "N", "memory that one lab may take (0: no limit)"},
     OWN,
     0,
     0,
     0,
     set_gigabytes,
     gigabytes_text},
    {{"slurm", "yes|no|PARTITION", "labs are submitted to Slurm instead of taking turns"},
     OWN,
     0,
     0,
     0,
     set_slurm,
     slurm_text},
    {{"synchronised", "yes|no", "git or rsync keeps the folder in step: identity is not verified"},
     SWITCH,
     AT(synchronised),
     0,
     0,
     NULL,
     NULL},
};

const struct classroom_setting *classroom_setting_at(size_t i) {
    return i < BASE_COUNT(rows) ? &rows[i].is : NULL;
}

static size_t find(const char *name) {
    size_t i = 0;
    while (i < BASE_COUNT(rows) && strcmp(rows[i].is.name, name) != 0) i++;
    return i;
}

static bool set_switch(bool *out, const struct typed *t) {
    *out = strcmp(t->value, "yes") == 0;
    return *out || strcmp(t->value, "no") == 0 || base_fail(t->m, "write yes or no");
}

static bool set_row(size_t i, const struct typed *t) {
    void *at = (char *)t->s + rows[i].offset;
    switch (rows[i].kind) {
    case OWN: return rows[i].set(t);
    case WORD: return set_word(at, CLASSROOM_TITLE, t);
    case TIME: return set_time(at, t);
    case WHOLE: return set_whole(at, t, rows[i].least, rows[i].most);
    case SWITCH: return set_switch(at, t);
    }
    return false;
}

bool classroom_set(struct classroom_settings *s, const char *name, const char *value, int64_t now,
                   struct base_message *m) {
    struct classroom_settings changed = *s;
    struct base_message why = {0};
    size_t i = find(name);
    if (i == BASE_COUNT(rows))
        return base_fail(m, "unknown setting '%.40s': `zerotutor class set FOLDER` lists them",
                         name);
    if (!set_row(i, &(struct typed){&changed, value, now, &why}))
        return base_fail(m, "%s: %s", name, why.what);
    *s = changed;
    return true;
}

char *classroom_setting_text(const struct classroom_settings *s, size_t i) {
    const void *at = (const char *)s + rows[i].offset;
    struct base_text t = {0};
    switch (rows[i].kind) {
    case OWN: rows[i].text(s, &t); break;
    case WORD: base_text_puts(&t, at); break;
    case WHOLE: base_text_printf(&t, "%d", *(const int *)at); break;
    case SWITCH: base_text_puts(&t, *(const bool *)at ? "yes" : "no"); break;
    case TIME:
        if (*(const int64_t *)at == 0)
            base_text_puts(&t, "never");
        else
            return classroom_when_text(*(const int64_t *)at);
    }
    return base_text_take(&t);
}
