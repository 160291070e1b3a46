/* class new, set and close: the teacher's settings. */
#include "command/class.h"

#include <stdlib.h>
#include <string.h>

#define IGNORED ".gitignore"

enum { HELP = 32 }; /* the column of what a setting means */

/* ── new and set ───────────────────────────────────────────────────────────────────────────────*/
enum { LONGEST = 12 * 3600 };

/* "12:30": it may have been meant for another day. */
static bool is_undated(const char *operand) {
    bool ours = strncmp(operand, "begins=", 7) == 0 || strncmp(operand, "ends=", 5) == 0;
    const char *value = strchr(operand, '=') + 1;
    return ours && strchr(value, ':') && !strchr(value, '-');
}

/* A clock's time that is past means tomorrow's, which can make a class long by accident. */
static bool lasts_as_meant(const struct arguments *a, size_t i, const struct classroom_settings *s,
                           struct base_message *m) {
    if (s->ends == 0 || s->ends - s->begins <= LONGEST) return true;
    while (i < a->operands && !is_undated(a->operand[i])) i++;
    if (i == a->operands) return true;
    char *from = classroom_when_text(s->begins), *to = classroom_when_text(s->ends);
    base_fail(m,
              "the class would last from %s to %s: if you mean that, type the dates, too, as in "
              "ends=\"%s\"",
              from, to, to);
    free(from);
    free(to);
    return false;
}

/* Sets the operands from `i` on, each NAME=VALUE. */
static bool set_all(const struct arguments *a, size_t first, struct classroom_settings *s,
                    struct base_message *m) {
    int64_t now = base_now();
    size_t i = first;
    bool set = true;
    for (; set && i < a->operands; i++) {
        const char *equals = strchr(a->operand[i], '=');
        if (!equals)
            return base_fail(m, "'%.40s' is not NAME=VALUE, as in ends=+90m", a->operand[i]);
        char *name = base_format("%.*s", (int)(equals - a->operand[i]), a->operand[i]);
        set = classroom_set(s, name, equals + 1, now, m);
        free(name);
    }
    return set &&
           (s->ends == 0 || s->ends > s->begins ||
            base_fail(m, "the class would end before it begins")) &&
           lasts_as_meant(a, first, s, m);
}

/* Whether what the operands name as lessons and labs is there. */
static bool knows_lessons(const struct arguments *a, const struct classroom_settings *s,
                          struct base_message *m) {
    struct classroom_day day;
    for (size_t i = 2; i < a->operands; i++)
        if (strncmp(a->operand[i], "lessons=", strlen("lessons=")) == 0)
            return session_agenda(s, 0, &day, m);
    return true;
}

/* Each as one types it, with what it means next to it, or below if it is long. */
static void print_settings(const struct arguments *a, const struct classroom_settings *s) {
    const struct classroom_setting *is;
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    struct page_flow flow = {.indent = HELP, .width = page_width(p) - HELP - 1, .role = PAGE_DIM};
    for (size_t i = 0; (is = classroom_setting_at(i)); i++) {
        char *text = classroom_setting_text(s, i), *words = base_format("%s=%s", is->name, text);
        int row = page_height(p);
        bool beside = page_measure(p, words) < HELP - 2;
        if (!beside) page_text(p, (struct page_flow){.indent = 1}, words);
        page_text(p, flow, is->help);
        if (beside) page_put(p, row, 1, PAGE_PLAIN, 0, words);
        free(words);
        free(text);
    }
    command_terminal_print(p);
}

/* What git leaves out: the teacher's own, tickets, and files that are half written. One that is
 * there stays. */
static bool write_ignored(const struct classroom_folder *f, const struct classroom_settings *s,
                          struct base_message *m) {
    static const char text[] = "/roster\n/extensions\n/kept/\n/queue/\n/*/.*\n";
    if (!s->synchronised || !classroom_is_gone(f, CLASSROOM_TOP, IGNORED)) return true;
    return classroom_write(f, CLASSROOM_TOP, IGNORED, 0644, text, sizeof text - 1, m);
}

/* The time alone does not say that it is another day. */
static void print_day(const struct classroom_settings *s) {
    char *today = classroom_when_text(base_now()), *begins = classroom_when_text(s->begins);
    if (s->begins > base_now() && strncmp(today, begins, strlen("2026-11-24")) != 0)
        printf("\nThe class does not begin today, but at %s.\n", begins);
    free(begins);
    free(today);
}

/* Warns of each typed name that matches no account, since its setting then applies to no one. */
static void print_unmatched(const struct arguments *a, const struct classroom_folder *f,
                            const struct classroom_settings *s) {
    struct classroom_roster r;
    uid_t who;
    bool extends = false, assists = false;
    for (size_t i = 2; i < a->operands; i++) {
        extends = extends || strncmp(a->operand[i], "extend=", strlen("extend=")) == 0;
        assists = assists || strncmp(a->operand[i], "assistants=", strlen("assistants=")) == 0;
    }
    bool listed = classroom_roster_read(f, &r, NULL) && r.people;
    for (size_t i = 0; extends && i < s->extensions; i++) {
        const char *account = s->extension[i].account;
        const char *lesson = s->extension[i].lesson;
        bool known = listed ? classroom_roster_find(&r, account) != NULL
                            : s->synchronised || classroom_find_account(account, &who);
        if (!known)
            printf("\n%s, who gets more time, is %s. If that is a slip, take it back with "
                   "extend=\"%s%s%s+0m\".\n",
                   account, listed ? "not on the roster" : "no account of this machine", account,
                   *lesson ? "/" : "", lesson);
    }
    for (size_t i = 0; assists && !s->synchronised && i < s->assistants; i++)
        if (!classroom_find_account(s->assistant[i], &who))
            printf("\nThis machine has no account %s, so nobody assists you under that name. Set "
                   "assistants= again with the right name.\n",
                   s->assistant[i]);
    classroom_roster_free(&r);
}

static void print_synchronised(const struct classroom_settings *s) {
    if (s->synchronised)
        puts("\nEverybody who has a copy of the folder can read all hand-ins and feedback in it, "
             "and you cannot verify who wrote them. Its " IGNORED
             " keeps three things out of git: the "
             "roster, the list of who has more time, and the work that you collect. With rsync, "
             "exclude roster, extensions and kept/ yourself.");
}

static const char *name_of(const char *folder) {
    const char *slash = strrchr(folder, '/');
    return slash && slash[1] ? slash + 1 : folder;
}

/* The command as every account can type it, wherever it is. */
static void print_made(const struct classroom_settings *s, const char *folder) {
    char *quoted = classroom_quoted(folder);
    printf("\nThe class %s is in %s. Change a setting, and see whether the day fits:\n\n"
           "    zerotutor class set %s NAME=VALUE\n    zerotutor class plan %s\n\n"
           "Write this on the wall:\n\n    zerotutor class join %s\n",
           s->name, folder, quoted, quoted, quoted);
    free(quoted);
}

int command_class_new(const struct arguments *a) {
    struct base_message m = {0};
    struct classroom_settings s;
    if (a->operands < 2)
        return command_say_error("name the folder to make: `zerotutor class new FOLDER`");
    bool set = session_class_settings(name_of(a->operand[1]), &s, &m) && set_all(a, 2, &s, &m) &&
               knows_lessons(a, &s, &m);
    struct classroom_folder *f = set ? classroom_make(a->operand[1], &m) : NULL;
    bool made = f && classroom_settings_write(f, &s, &m) && write_ignored(f, &s, &m);
    if (made) {
        print_settings(a, &s);
        print_day(&s);
        print_unmatched(a, f, &s);
        print_made(&s, classroom_path(f));
        print_synchronised(&s);
    }
    classroom_close(f);
    if (!made) return command_say_message(&m);
    return COMMAND_WELL;
}

int command_class_set(const struct arguments *a) {
    struct base_message m = {0};
    struct classroom_folder *f;
    struct classroom_settings s;
    if (!command_class_open_as_teacher(a, 1, &f, &s)) return COMMAND_USAGE;
    bool set = a->operands == 2 || (set_all(a, 2, &s, &m) && knows_lessons(a, &s, &m));
    bool again = set && s.closed && s.ends > base_now(); /* a later end opens a class again */
    if (again) s.closed = false;
    set = set && (a->operands == 2 || (classroom_settings_write(f, &s, &m) &&
                                       classroom_tell(f, &s, &m) && write_ignored(f, &s, &m)));
    if (set && again) puts("The class is open again. Anyone who left it has to join again.\n");
    if (set) {
        print_settings(a, &s);
        print_day(&s);
        print_unmatched(a, f, &s);
        print_synchronised(&s);
    }
    classroom_close(f);
    if (!set) return command_say_message(&m);
    return COMMAND_WELL;
}

/* A class that is over asks nothing: its vote, its exit questions and its open step end. */
static bool end_asking(const struct classroom_folder *f, struct base_message *m) {
    struct classroom_board b, asks = {0};
    if (!classroom_board_read(f, &b, m)) return false;
    asks.nudges = b.nudges;
    memcpy(asks.nudge, b.nudge, sizeof asks.nudge);
    return memcmp(&asks, &b, sizeof b) == 0 || classroom_board_write(f, &asks, m);
}

int command_class_close(const struct arguments *a) {
    struct base_message m = {0};
    struct classroom_folder *f;
    struct classroom_settings s;
    if (!command_class_open_as_teacher(a, 1, &f, &s)) return COMMAND_USAGE;
    s.closed = true;
    int64_t end = base_now() + 1; /* what is answered in this second is still in time */
    if (!s.ends || s.ends > end) s.ends = end;
    bool closed = classroom_settings_write(f, &s, &m) && end_asking(f, &m);
    classroom_close(f);
    if (!closed) return command_say_message(&m);
    char *folder = classroom_quoted(a->operand[1]);
    printf("%s is closed: learners are back in their own records. Answers from before that still "
           "wait are handed in when zerotutor starts again.\n"
           "`zerotutor class collect %s` takes what was handed in.\n",
           s.name, folder);
    free(folder);
    return COMMAND_WELL;
}
