/* check_handins: what is in handins/. Learners may put anything there, so every file is looked at
 * with the readers' care, and removing one is left to the teacher. */
#include "classroom/classroom.h"

#include <stdlib.h>
#include <string.h>

struct looking {
    struct classroom_checkup *c;
    /* of the hand-ins that could be read */
    struct handed {
        char account[CLASSROOM_WORD];
        char *name;
    } * handed;
    size_t hands, odd;
};

/* A command with the path of a file in handins/; the caller's. */
static char *command_of(const struct looking *l, const char *command, const char *name) {
    char *path = base_format("%s/handins/%s", classroom_path(l->c->folder), name),
         *quoted = classroom_quoted(path), *all = base_format("%s %s", command, quoted);
    free(quoted);
    free(path);
    return all;
}

static void tell(const struct looking *l, enum classroom_weight w, const struct base_message *m,
                 char *fix) {
    char text[sizeof m->what + sizeof m->file + 32];
    classroom_found(l->c, w, base_dup(base_message_text(m, text, sizeof text)), fix);
}

/* ── a hand-in ─────────────────────────────────────────────────────────────────────────────────*/
/* How bad a fault is. One that collecting and grading report is only noted here. What cannot be
 * read at all can go; of the rest the teacher decides. */
static const enum classroom_weight weights[] = {
    [CLASSROOM_WHOLE] = CLASSROOM_FINE,        [CLASSROOM_UNREAD] = CLASSROOM_BROKEN,
    [CLASSROOM_NO_HANDIN] = CLASSROOM_NOTED,   [CLASSROOM_NEWER] = CLASSROOM_NOTED,
    [CLASSROOM_OTHER_CLASS] = CLASSROOM_NOTED, [CLASSROOM_OTHER_ACCOUNT] = CLASSROOM_BROKEN,
    [CLASSROOM_CHANGED] = CLASSROOM_NOTED,     [CLASSROOM_TOO_MANY] = CLASSROOM_BROKEN,
};

static void keep_author(struct looking *l, const struct classroom_handin *h, const char *name) {
    l->handed = base_grow(l->handed, l->hands + 1, sizeof *l->handed);
    struct handed *one = &l->handed[l->hands++];
    char *owner = classroom_account(h->owner);
    snprintf(one->account, sizeof one->account, "%s",
             l->c->settings->synchronised ? h->head.account : owner);
    one->name = base_dup(name);
    free(owner);
}

static void look_at_handin(struct looking *l, const char *name) {
    struct base_message m = {0};
    struct classroom_handin h;
    bool whole =
        classroom_handin_read(l->c->folder, CLASSROOM_HANDINS, name, l->c->settings, &h, &m);
    if (!whole)
        tell(l, weights[h.fault], &m,
             command_of(l, h.fault == CLASSROOM_UNREAD ? "rm -rf --" : "ls -l", name));
    if (h.fault == CLASSROOM_WHOLE || h.fault == CLASSROOM_CHANGED) keep_author(l, &h, name);
    classroom_handin_free(&h);
}

static void look_at_presence(struct looking *l, const char *name, const char *hex) {
    struct base_message m = {0};
    struct classroom_presence p;
    if (!classroom_presence_read(l->c->folder, hex, l->c->settings, &p, &m))
        tell(l, CLASSROOM_BROKEN, &m, command_of(l, "rm -rf --", name));
}

static void look_at_reports(struct looking *l, const char *name, const char *hex) {
    struct base_message m = {0};
    struct classroom_reports r;
    if (!classroom_reports_read(l->c->folder, CLASSROOM_HANDINS, hex, l->c->settings, &r, &m))
        tell(l, CLASSROOM_BROKEN, &m, command_of(l, "rm -rf --", name));
    classroom_reports_free(&r);
}

/* ── all of them ───────────────────────────────────────────────────────────────────────────────*/
static void look_at(void *to, const char *name, bool fit) {
    struct looking *l = to;
    char hex[CLASSROOM_NAME];
    switch (classroom_file_kind(name, fit, hex)) {
    case CLASSROOM_HANDIN: look_at_handin(l, name); break;
    case CLASSROOM_NOW: look_at_presence(l, name, hex); break;
    case CLASSROOM_REPORTS: look_at_reports(l, name, hex); break;
    case CLASSROOM_STRANGE: l->odd++;
    }
}

static void tell_of_odd_names(const struct looking *l) {
    if (!l->odd) return;
    char *path = base_format("%s/handins", classroom_path(l->c->folder)),
         *quoted = classroom_quoted(path);
    classroom_found(l->c, CLASSROOM_NOTED,
                    base_format("%zu %s in handins/ with names that this program does not write. "
                                "They are not read",
                                l->odd, l->odd == 1 ? "file" : "files"),
                    base_format("ls -lb %s", quoted));
    free(quoted);
    free(path);
}

static int by_account(const void *a, const void *b) {
    const struct handed *x = a, *y = b;
    int order = strcmp(x->account, y->account);
    return order ? order : strcmp(x->name, y->name);
}

static void tell_of_author(const struct looking *l, size_t first, size_t n) {
    const struct handed *one = &l->handed[first];
    const struct classroom_roster *r = l->c->roster;
    if (n > 1)
        classroom_found(
            l->c, CLASSROOM_NOTED,
            base_format("%s has %zu hand-ins: all of them are graded together", one->account, n),
            command_of(l, "ls -l", one->name));
    if (r->people && !classroom_roster_find(r, one->account)) {
        char *path = base_format("%s/" CLASSROOM_ROSTER, classroom_path(l->c->folder)),
             *quoted = classroom_quoted(path), *who = classroom_quoted(one->account);
        classroom_found(l->c, CLASSROOM_NOTED,
                        base_format("%s handed in and is not on the roster", one->account),
                        base_format("printf '\\n%%s\\n' %s >>%s", who, quoted));
        free(who);
        free(quoted);
        free(path);
    }
}

static void tell_of_authors(const struct looking *l) {
    if (l->hands) qsort(l->handed, l->hands, sizeof *l->handed, by_account);
    for (size_t i = 0, n; i < l->hands; i += n) {
        for (n = 1; i + n < l->hands; n++)
            if (strcmp(l->handed[i].account, l->handed[i + n].account) != 0) break;
        tell_of_author(l, i, n);
    }
}

void classroom_check_handins(struct classroom_checkup *c) {
    struct looking l = {.c = c};
    struct base_message m = {0};
    uid_t crowd = CLASSROOM_ANYBODY;
    if (!classroom_handins_each(c->folder, c->settings, look_at, &l, &crowd, &m))
        tell(&l, CLASSROOM_BROKEN, &m, NULL);
    classroom_check_crowd(c, CLASSROOM_HANDINS, crowd);
    tell_of_odd_names(&l);
    tell_of_authors(&l);
    for (size_t i = 0; i < l.hands; i++) free(l.handed[i].name);
    free(l.handed);
}
