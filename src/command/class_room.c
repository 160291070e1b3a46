/* class roster, and status for the teacher: who is in the class, and where. */
#include "command/class.h"

#include <stdlib.h>
#include <string.h>

/* ── the roster ────────────────────────────────────────────────────────────────────────────────*/
static void print_roster(const struct classroom_roster *r) {
    if (r->people == 0) puts("This class has no roster: everybody who joins belongs to it.");
    for (size_t i = 0; i < r->people; i++)
        printf("%-20s %s\n", r->person[i].account, r->person[i].name);
}

int command_class_roster(const struct arguments *a) {
    struct base_message m = {0};
    struct classroom_folder *f;
    struct classroom_settings s;
    struct classroom_roster r;
    if (!command_class_open_as_teacher(a, 1, &f, &s)) return COMMAND_USAGE;
    bool done = a->operands == 2
                    ? classroom_roster_read(f, &r, &m)
                    : classroom_roster_take(f, a->operand[2], &r, &m) && classroom_tell(f, &s, &m);
    if (done) print_roster(&r);
    classroom_roster_free(&r);
    classroom_close(f);
    return done ? COMMAND_WELL : command_say_message(&m);
}

/* ── who is here ───────────────────────────────────────────────────────────────────────────────*/
struct member {
    char account[CLASSROOM_WORD], name[CLASSROOM_TITLE], with[CLASSROOM_TITLE];
    bool joined;
    size_t answers;
    /* by the file server's clock; 0: never */
    int64_t seen;
    struct classroom_presence now;
};
struct room {
    const struct classroom_folder *f;
    const struct classroom_settings *s;
    struct member *person;
    size_t people, unread;
};

static struct member *find(struct room *r, const char *account) {
    for (size_t i = 0; i < r->people; i++)
        if (strcmp(r->person[i].account, account) == 0) return &r->person[i];
    r->person = base_grow(r->person, r->people + 1, sizeof *r->person);
    struct member *one = &r->person[r->people++];
    *one = (struct member){0};
    snprintf(one->account, sizeof one->account, "%s", account);
    return one;
}

static struct member *saw(struct room *r, const char *account, const char *with, int64_t when) {
    struct member *one = find(r, account);
    one->joined = true;
    if (when > one->seen) one->seen = when;
    if (*with) snprintf(one->with, sizeof one->with, "%s", with);
    return one;
}

static void see_handin(struct room *r, const char *name) {
    struct base_message m = {0};
    struct classroom_handin h;
    classroom_handin_read(r->f, CLASSROOM_HANDINS, name, r->s, &h, &m);
    /* the answers before a changed line are there */
    if (h.fault == CLASSROOM_WHOLE || h.fault == CLASSROOM_CHANGED)
        saw(r, h.head.account, h.with, h.changed)->answers += h.answers;
    else
        r->unread++;
    classroom_handin_free(&h);
}

static void see_presence(struct room *r, const char *hex) {
    struct base_message m = {0};
    struct classroom_presence p;
    if (classroom_presence_read(r->f, hex, r->s, &p, &m))
        saw(r, p.account, p.with, p.changed)->now = p;
    else
        r->unread++;
}

static void see(void *to, const char *name, bool fit) {
    char hex[CLASSROOM_NAME];
    switch (classroom_file_kind(name, fit, hex)) {
    case CLASSROOM_HANDIN: see_handin(to, name); break;
    case CLASSROOM_NOW: see_presence(to, hex); break;
    case CLASSROOM_REPORTS: break;
    case CLASSROOM_STRANGE: ((struct room *)to)->unread++;
    }
}

static bool is_partner(const struct room *r, const struct member *who) {
    bool is = false;
    for (size_t i = 0; i < r->people; i++)
        is = is || (r->person[i].joined && strcmp(r->person[i].with, who->account) == 0);
    return is && !who->joined;
}

/* Of the roster, who shares another's keyboard is not missing. */
static void leave_out_partners(struct room *r) {
    size_t kept = 0;
    for (size_t i = 0; i < r->people; i++)
        if (!is_partner(r, &r->person[i])) r->person[kept++] = r->person[i];
    r->people = kept;
}

/* Assistants may list hand-ins but not read the roster: for them it has everybody who joined. */
static bool look_around(struct room *r, struct base_message *m) {
    struct classroom_roster roster = {0};
    bool listed = !classroom_is_teacher(r->f) || classroom_roster_read(r->f, &roster, m);
    for (size_t i = 0; listed && i < roster.people; i++) {
        struct member *one = find(r, roster.person[i].account);
        snprintf(one->name, sizeof one->name, "%s", roster.person[i].name);
    }
    classroom_roster_free(&roster);
    bool seen = listed && classroom_handins_each(r->f, r->s, see, r, NULL, m);
    leave_out_partners(r);
    return seen;
}

/* ── showing it ────────────────────────────────────────────────────────────────────────────────*/
static json_t *room_json(const struct room *r) {
    json_t *people = json_array();
    for (size_t i = 0; i < r->people; i++) {
        const struct member *one = &r->person[i];
        json_array_append_new(
            people,
            json_pack("{ss ss ss sb sI sI ss ss si si}", "account", one->account, "name", one->name,
                      "with", one->with, "joined", one->joined, "answers", (json_int_t)one->answers,
                      "seen", (json_int_t)one->seen, "lesson", one->now.lesson, "step",
                      one->now.step, "number", one->now.number, "of", one->now.of));
    }
    return json_pack("{ss sb sI sI sI so}", "class", r->s->name, "closed", r->s->closed, "begins",
                     (json_int_t)r->s->begins, "ends", (json_int_t)r->s->ends, "unread",
                     (json_int_t)r->unread, "people", people);
}

static char *place_of(const struct classroom_presence *p) {
    if (!*p->lesson) return base_dup("–");
    if (!p->of) return base_dup(p->lesson);
    return base_format("%s, step %d of %d", p->lesson, p->number, p->of);
}

static void put_people(struct page *p, const struct room *r) {
    enum { COLUMNS = 5 };
    size_t n = (r->people + 1) * COLUMNS;
    char **cell = base_grow(NULL, n, sizeof *cell);
    static const char *const head[COLUMNS] = {"account", "name", "answers", "last seen", "is at"};
    for (size_t i = 0; i < COLUMNS; i++) cell[i] = base_dup(head[i]);
    for (size_t i = 0; i < r->people; i++) {
        const struct member *one = &r->person[i];
        char **row = cell + (i + 1) * COLUMNS;
        row[0] =
            *one->with ? base_format("%s + %s", one->account, one->with) : base_dup(one->account);
        row[1] = base_dup(one->name);
        row[2] = base_format("%zu", one->answers);
        row[3] = one->joined ? command_class_time(one->seen) : base_dup("not yet");
        row[4] = place_of(&one->now);
    }
    page_table(p, (struct page_flow){.indent = 1}, (const char *const *)cell, n / COLUMNS, COLUMNS,
               "llrll", true);
    for (size_t i = 0; i < n; i++) free(cell[i]);
    free(cell);
}

static void put_room(struct page *p, const struct room *r) {
    struct page_flow flow = {.indent = 1, .width = page_width(p) - 2};
    size_t seen = 0, listed = r->people;
    for (size_t i = 0; i < listed; i++) seen += r->person[i].joined;
    char *state = command_class_state(r->s, r->s->ends),
         *rest = listed > seen ? base_format(", and %zu on the roster did not yet", listed - seen)
                               : base_dup(""),
         *words = base_format("The class **%s**: %zu learner%s started zerotutor in it%s. %s",
                              r->s->name, seen, seen == 1 ? "" : "s", rest, state);
    page_markdown(p, flow, words);
    page_blank(p, 1);
    if (r->people) put_people(p, r);
    if (r->unread) {
        char *folder = classroom_quoted(classroom_path(r->f));
        free(words);
        words = base_format("%zu %s in handins/ cannot be used: `zerotutor class doctor %s` lists "
                            "them.",
                            r->unread, r->unread == 1 ? "file" : "files", folder);
        free(folder);
        page_blank(p, 1);
        page_markdown(p, flow, words);
    }
    free(rest);
    free(words);
    free(state);
}

int command_class_room(const struct arguments *a) {
    struct base_message m = {0};
    struct classroom_folder *f;
    struct classroom_settings s;
    if (!command_class_open(a, 1, &f, &s)) return COMMAND_USAGE;
    struct room r = {.f = f, .s = &s};
    bool seen = look_around(&r, &m);
    bool own = seen || classroom_is_teacher(f);
    if (seen && command_arguments_has(a, "json"))
        command_say_json(room_json(&r));
    else if (seen) {
        struct page *p = command_terminal_page(command_terminal_ascii(a));
        put_room(p, &r);
        command_terminal_print(p);
    }
    free(r.person);
    classroom_close(f);
    if (seen) return COMMAND_WELL;
    int status = command_say_message(&m);
    if (!own) fputs("`zerotutor class status` without a folder says where you are.\n", stderr);
    return status;
}
