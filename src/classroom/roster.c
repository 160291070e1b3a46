/* roster: the teacher's list of accounts, a line each. */
#include "classroom/classroom.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 20 };

/* ── a line ────────────────────────────────────────────────────────────────────────────────────*/
struct piece {
    const char *s;
    size_t n;
};

static struct piece trim(struct piece p) {
    while (p.n && strchr(" \t\r", p.s[0])) p.s++, p.n--;
    while (p.n && strchr(" \t\r", p.s[p.n - 1])) p.n--;
    return p;
}

/* Takes a field off the front of *rest, as RFC 4180 has it: what begins with a quote ends with one,
 * and has commas, `#` and doubled quotes in it; NULL if it does not. Else it ends before a `#`, and
 * the account (`whole` false) before a comma. `room`: for what a quoted one says, as long as the
 * line. */
static const char *take_field(struct piece *rest, bool whole, char *room, struct piece *out) {
    size_t i = 0, n = 0;
    *rest = trim(*rest);
    if (!rest->n || *rest->s != '"') {
        while (i < rest->n && rest->s[i] != '#' && (whole || rest->s[i] != ',')) i++;
        *out = trim((struct piece){rest->s, i});
        *rest = (struct piece){rest->s + i, rest->n - i};
        return NULL;
    }
    for (i = 1; i < rest->n && (rest->s[i] != '"' || (i + 1 < rest->n && rest->s[i + 1] == '"'));
         i++) {
        i += rest->s[i] == '"';
        room[n++] = rest->s[i];
    }
    *out = trim((struct piece){room, n});
    if (i == rest->n) return "the closing quote is missing: a quoted name is on one line";
    *rest = trim((struct piece){rest->s + i + 1, rest->n - i - 1});
    if (rest->n && *rest->s != '#' && (whole || *rest->s != ','))
        return "something follows the closing quote: write a quote in a name twice, as in "
               "\"Bob \"\"B\"\" Lee\"";
    return NULL;
}

/* "uid 3001", as accounts without a name are called here. */
static bool is_number(struct piece account) {
    size_t n = strlen("uid ");
    bool number = account.n > n && memcmp(account.s, "uid ", n) == 0;
    for (size_t i = n; i < account.n; i++)
        number = number && account.s[i] >= '0' && account.s[i] <= '9';
    return number;
}

/* What is wrong with a line, in words; NULL if it can be used. */
static const char *fault_of(struct piece account, struct piece name) {
    if (!base_is_line(account.s, account.n) || !base_is_line(name.s, name.n))
        return "this line is not plain UTF-8 text: write an account, a comma and a name";
    if (account.n == 0) return "the account before the comma is missing";
    if (memchr(account.s, ' ', account.n) && !is_number(account))
        return "an account name has no blanks: put a comma between the account and the name";
    if (account.n >= CLASSROOM_WORD) return "this account is too long: the most is 63 bytes";
    if (name.n >= CLASSROOM_TITLE) return "this name is too long: the most is 119 bytes";
    return NULL;
}

static void add(struct classroom_roster *r, struct piece account, struct piece name) {
    struct classroom_person *p = &r->person[r->people];
    *p = (struct classroom_person){0};
    memcpy(p->account, account.s, account.n);
    char *known = classroom_account_typed(p->account);
    snprintf(p->account, sizeof p->account, "%s", known);
    free(known);
    memcpy(p->name, name.s, name.n);
}

/* ── a file ────────────────────────────────────────────────────────────────────────────────────*/
static size_t line_of(const struct classroom_roster *r, const int *line, const char *account) {
    const struct classroom_person *p = classroom_roster_find(r, account);
    return p ? (size_t)line[p - r->person] : 0;
}

/* `room`: for what is quoted, as long as the line. */
static bool take_line(struct classroom_roster *r, int *line, int number, struct piece text,
                      char *room, const char *path, struct base_message *m) {
    struct piece rest = text, account, name = {text.s, 0};
    const char *fault = take_field(&rest, false, room, &account);
    bool named = !fault && rest.n && *rest.s == ',';
    if (named) rest = (struct piece){rest.s + 1, rest.n - 1};
    if (named) fault = take_field(&rest, true, room + account.n, &name);
    if (!fault && account.n == 0 && !named) return true;
    if (!fault) fault = fault_of(account, name);
    if (fault) return base_fail_at(m, path, number, "%s", fault);
    if (r->people == CLASSROOM_PEOPLE)
        return base_fail_at(m, path, number, "a class has at most %d people", CLASSROOM_PEOPLE);
    add(r, account, name);
    size_t before = line_of(r, line, r->person[r->people].account);
    if (before)
        return base_fail_at(m, path, number, "line %zu lists %s already: remove one of the two",
                            before, r->person[r->people].account);
    line[r->people++] = number;
    return true;
}

bool classroom_roster_parse(const char *text, size_t n, const char *path,
                            struct classroom_roster *out, struct base_message *m) {
    int *line = base_grow(NULL, CLASSROOM_PEOPLE, sizeof *line), number = 0;
    *out = (struct classroom_roster){
        .person = base_grow(NULL, CLASSROOM_PEOPLE + 1, sizeof *out->person)};
    bool read = true;
    char *room = base_alloc(n + 1);
    for (struct piece rest = {text, n}; read && rest.n;) {
        const char *end = memchr(rest.s, '\n', rest.n);
        size_t length = end ? (size_t)(end - rest.s) : rest.n, taken = length + (end != NULL);
        read = take_line(out, line, ++number, (struct piece){rest.s, length}, room, path, m);
        rest = (struct piece){rest.s + taken, rest.n - taken};
    }
    free(room);
    free(line);
    return read;
}

bool classroom_roster_read(const struct classroom_folder *f, struct classroom_roster *out,
                           struct base_message *m) {
    struct classroom_file file;
    *out = (struct classroom_roster){0};
    if (!classroom_read(f, CLASSROOM_TOP, CLASSROOM_ROSTER, classroom_teacher(f), FILE_MOST, &file,
                        m))
        return errno == ENOENT;
    char *path = base_format("%s/" CLASSROOM_ROSTER, classroom_path(f));
    bool read = classroom_roster_parse(file.text, file.length, path, out, m);
    free(path);
    free(file.text);
    return read;
}

bool classroom_roster_take(const struct classroom_folder *f, const char *path,
                           struct classroom_roster *out, struct base_message *m) {
    size_t n;
    *out = (struct classroom_roster){0};
    char *text = base_file_read(path, FILE_MOST, &n, m);
    bool read = text && classroom_roster_parse(text, n, path, out, m);
    if (read && out->people == 0)
        read = base_fail_at(m, path, 0,
                            "this roster lists no account: write one account on each line");
    bool took = read && classroom_write(f, CLASSROOM_TOP, CLASSROOM_ROSTER, 0600, text, n, m);
    free(text);
    return took;
}

const struct classroom_person *classroom_roster_find(const struct classroom_roster *r,
                                                     const char *account) {
    for (size_t i = 0; i < r->people; i++)
        if (strcmp(r->person[i].account, account) == 0) return &r->person[i];
    return NULL;
}

void classroom_roster_free(struct classroom_roster *r) {
    free(r->person);
    *r = (struct classroom_roster){0};
}
