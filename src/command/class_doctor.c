/* class doctor: what is wrong with a class's folder, and the command that fixes it. */
#include "command/class.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

enum { STRANGERS = 64 };

static void tell(struct classroom_checkup *c, const char *check, const struct base_message *m) {
    char text[sizeof m->what + sizeof m->file + 32];
    c->check = check;
    classroom_found(c, CLASSROOM_BROKEN, base_dup(base_message_text(m, text, sizeof text)), NULL);
}

/* ── checks that need more than the folder ─────────────────────────────────────────────────────*/
static void check_network(struct classroom_checkup *c) {
    if (!store_network_path(classroom_path(c->folder))) return;
    classroom_found(c, CLASSROOM_NOTED,
                    base_dup("the folder is on a network file system. Other machines may see a "
                             "hand-in some seconds late, and a server that is away stops labs"),
                    NULL);
}

static void check_lessons(struct classroom_checkup *c) {
    const struct classroom_settings *s = c->settings;
    struct classroom_settings own;
    struct base_message m = {0};
    if (!session_class_settings("own", &own, &m)) {
        classroom_found(c, CLASSROOM_BROKEN, base_dup(m.what), base_dup("zerotutor doctor"));
        return;
    }
    if (*s->version && strcmp(s->version, own.version) != 0)
        classroom_found(c, CLASSROOM_NOTED,
                        base_format("the class was made with zerotutor %s, and this is %s. Numbers "
                                    "may differ",
                                    s->version, own.version),
                        NULL);
    if (*s->course && strcmp(s->course, own.course) != 0)
        classroom_found(c, CLASSROOM_NOTED,
                        base_dup("your lessons are not those that the class was made with. Answers "
                                 "to changed lessons are listed and not graded"),
                        NULL);
}

/* Others pass over a turn that is over; its lab may still have its memory. */
static void tell_of_long_turn(struct classroom_checkup *c, const struct classroom_ticket *t,
                              int64_t now) {
    char *account = classroom_account(t->owner);
    classroom_found(
        c, CLASSROOM_NOTED,
        base_format("%s has had a turn for %lld min on %s, and a turn takes at most %d. "
                    "Others go first now, but the lab may still hold memory",
                    account, (long long)(now - t->since) / 60, t->host, c->settings->minutes_most),
        base_format("ps -o user,pid,stat,lstart,args -u %lu", (unsigned long)t->owner));
    free(account);
}

static void check_tickets(struct classroom_checkup *c) {
    struct classroom_tickets t;
    int64_t now = classroom_clock(c->folder);
    if (classroom_tickets_read(c->folder, NULL, &t, NULL)) {
        classroom_check_crowd(c, CLASSROOM_QUEUE, t.crowd);
        classroom_tickets_time(&t, c->settings, now);
    }
    for (size_t i = 0; i < t.count; i++)
        if (t.ticket[i].over) tell_of_long_turn(c, &t.ticket[i], now);
    classroom_tickets_free(&t);
}

static void check_slurm(struct classroom_checkup *c) {
    struct base_message m = {0};
    struct classroom_tickets t = {0};
    struct classroom_turn *turn = NULL;
    if (!classroom_uses_slurm(c->settings)) {
        char *folder = classroom_quoted(classroom_path(c->folder));
        classroom_found(c, CLASSROOM_NOTED,
                        base_dup("the class submits labs to Slurm, and this machine has no srun. "
                                 "Here labs take turns instead"),
                        base_format("zerotutor class set %s slurm=no", folder));
        free(folder);
    } else if (!classroom_slurm_read(c->settings, 0, &t, &turn, &m)) {
        classroom_found(c, CLASSROOM_BROKEN, base_dup(m.what), base_dup("sinfo"));
    } else {
        classroom_found(c, CLASSROOM_FINE,
                        base_dup("Slurm gives out the machines: each lab is a job, and Slurm "
                                 "enforces what it may take"),
                        NULL);
    }
    free(turn);
    classroom_tickets_free(&t);
}

/* Of labs that run without a turn there is nothing to fix, only to talk about. */
static void check_queue(struct classroom_checkup *c) {
    check_tickets(c);
    if (c->settings->slurm) check_slurm(c);
    if (classroom_uses_slurm(c->settings)) return;
    struct base_message m = {0};
    struct classroom_stranger stranger[STRANGERS];
    size_t n;
    if (!classroom_around(c->folder, stranger, STRANGERS, &n, &m)) {
        tell(c, c->check, &m);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        char *account = classroom_account(stranger[i].owner);
        classroom_found(
            c, CLASSROOM_NOTED,
            base_format("%s runs a lab without a turn (process %ld)", account,
                        (long)stranger[i].process),
            base_format("ps -o user,pid,lstart,args -p %ld", (long)stranger[i].process));
        free(account);
    }
    classroom_found(c, CLASSROOM_FINE,
                    base_dup("labs take turns because each program asks. A learner who starts "
                             "another program is not stopped: only Slurm can enforce turns"),
                    NULL);
}

/* What the folder's modes do not keep from others. */
static void check_privacy(struct classroom_checkup *c) {
    if (c->settings->synchronised)
        classroom_found(c, CLASSROOM_NOTED,
                        base_dup("everybody who has a copy of the folder can read all of it"),
                        NULL);
    else if (classroom_keeps_private(c->folder))
        classroom_found(
            c, CLASSROOM_FINE,
            base_dup("each learner can read only the feedback and extra time that are theirs. "
                     "Assistants see who has extra time. This file system has access "
                     "control lists"),
            NULL);
    else
        classroom_found(c, CLASSROOM_NOTED,
                        base_dup("this file system has no access control lists. Feedback and extra "
                                 "time have random file names, and whoever a learner tells that "
                                 "name can read them"),
                        NULL);
    if (c->roster->people)
        classroom_found(c, CLASSROOM_FINE,
                        base_dup("the roster's names are hidden, but whoever tries an account's "
                                 "name can find out whether the roster has it"),
                        NULL);
    classroom_found(c, CLASSROOM_FINE,
                    base_dup("learners can read the settings and your lines, but not whom a "
                             "line to one learner is for"),
                    NULL);
}

/* ── the table ─────────────────────────────────────────────────────────────────────────────────*/
static const struct check {
    /* what is checked, and what is said if nothing was found; how */
    const char *name, *fine;
    void (*look)(struct classroom_checkup *c);
    /* it is left out if the class's settings cannot be used */
    bool set;
} checks[] = {
    {"modes", "the folder, its places and your files have the right modes and owner",
     classroom_check_places, false},
    {"settings", "your programs can read the settings", classroom_check_settings, false},
    {"files", "your programs can read what they wrote here", classroom_check_written, false},
    {"assistants", "only you and your assistants can list hand-ins", classroom_check_assistants,
     true},
    {"roster", "every account on the roster and with more time exists", classroom_check_roster,
     true},
    {"hand-ins", "all files in handins/ are hand-ins of accounts in this class",
     classroom_check_handins, true},
    {"disk", "the clock agrees with the file server's, locks work, and there is space",
     classroom_check_probe, false},
    {"network", "the folder is on a local disk", check_network, false},
    {"lessons", "your program and lessons are those of the class", check_lessons, true},
    {"privacy", "", check_privacy, true},
    {"queue", "", check_queue, true},
};

static const char *const weight_name[] = {"ok", "note", "broken"};
static const unsigned weight_role[] = {PAGE_GOOD, PAGE_WARN, PAGE_BAD};

static void look(struct classroom_checkup *c, bool set) {
    for (size_t i = 0; i < BASE_COUNT(checks); i++) {
        if (checks[i].set && !set) continue;
        size_t before = c->findings;
        c->check = checks[i].name;
        checks[i].look(c);
        if (c->findings == before)
            classroom_found(c, CLASSROOM_FINE, base_dup(checks[i].fine), NULL);
    }
}

/* Names of files and accounts may be anything. */
static char *safe(const char *text) {
    return base_clean_dup(text, strlen(text), strlen(text) * 3);
}

static json_t *findings_json(const struct classroom_checkup *c, bool fine) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->findings; i++) {
        const struct classroom_finding *f = &c->finding[i];
        char *text = safe(f->text), *fix = f->fix ? safe(f->fix) : NULL;
        json_array_append_new(list, json_pack("{ss ss ss ss?}", "check", f->check, "state",
                                              weight_name[f->weight], "text", text, "fix", fix));
        free(fix);
        free(text);
    }
    return json_pack("{sb so}", "ok", fine, "findings", list);
}

static void put_finding(struct page *p, const struct classroom_finding *f, bool named) {
    int row = page_height(p);
    char *text = safe(f->text);
    page_text(p, (struct page_flow){.indent = 20}, text);
    if (named) page_put(p, row, 1, PAGE_STRONG, 0, f->check);
    page_put(p, row, 13, weight_role[f->weight], 0, weight_name[f->weight]);
    free(text);
}

static bool is_known(const struct classroom_checkup *c, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (c->finding[k].fix && strcmp(c->finding[k].fix, c->finding[i].fix) == 0) return true;
    return false;
}

/* Below the page, each command once, and on a line that is as long as it must be, to be copied. */
static void print_fixes(const struct classroom_checkup *c) {
    bool first = true;
    for (size_t i = 0; i < c->findings; i++) {
        bool told = !c->finding[i].fix || is_known(c, i);
        char *fix = told ? NULL : safe(c->finding[i].fix);
        if (fix) printf("%s    %s\n", first ? "\nRun these commands, in this order:\n\n" : "", fix);
        first = first && !fix;
        free(fix);
    }
}

static void put_findings(const struct arguments *a, const struct classroom_checkup *c) {
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    for (size_t i = 0; i < c->findings; i++)
        put_finding(p, &c->finding[i], i == 0 || c->finding[i - 1].check != c->finding[i].check);
    command_terminal_print(p);
    print_fixes(c);
}

/* The folder alone: settings that cannot be used are a finding. NULL after the message. */
static struct classroom_folder *open_folder(const struct arguments *a) {
    struct base_message m = {0};
    if (a->operands != 2) {
        command_say_error("name the class's folder: `zerotutor class doctor FOLDER`");
        return NULL;
    }
    struct classroom_folder *f = classroom_open(a->operand[1], &m);
    if (f && !classroom_is_teacher(f)) {
        base_fail(&m, "only its teacher can check a class");
        classroom_close(f);
        f = NULL;
    }
    if (!f) command_say_message(&m);
    return f;
}

int command_class_doctor(const struct arguments *a) {
    struct base_message m = {0};
    struct classroom_settings s;
    struct classroom_roster roster;
    bool fine = true;
    struct classroom_folder *f = open_folder(a);
    if (!f) return COMMAND_USAGE;
    struct classroom_checkup c = {.folder = f, .settings = &s, .roster = &roster};
    bool set = classroom_settings_read(f, &s, &m);
    if (!classroom_roster_read(f, &roster, &m)) tell(&c, "roster", &m);
    look(&c, set);
    for (size_t i = 0; i < c.findings; i++) fine = fine && c.finding[i].weight != CLASSROOM_BROKEN;
    if (command_arguments_has(a, "json"))
        command_say_json(findings_json(&c, fine));
    else
        put_findings(a, &c);
    classroom_checkup_free(&c);
    classroom_roster_free(&roster);
    classroom_close(f);
    return fine ? COMMAND_WELL : COMMAND_FAILED;
}
