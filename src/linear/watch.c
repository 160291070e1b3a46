/* watch: a class as its teacher hears it, line by line: who wants help, what the room gets wrong,
 * where it is, the labs, and what one can do about it. */
#include "linear/inside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MISTAKES = 6 }; /* the room is told so many; `mistake` finds all */

struct hall {
    struct talk talk;
    struct session_watch *watch;
    bool names, quits;
};

/* Prints sentences as they are: names and lines of learners are no Markdown. Takes the text. */
static void say(struct hall *h, unsigned role, char *text) {
    struct page *p = linear_print_begin(&h->talk);
    page_text(p, (struct page_flow){.role = role}, text);
    page_blank(p, 1);
    linear_print_page(&h->talk, p);
    free(text);
}

static const struct classroom_seat *seat_at(const struct hall *h, size_t i) {
    return &session_watch_sight(h->watch)->seat[i];
}

static const char *plural(int n) {
    return n == 1 ? "" : "s";
}

/* ── the room ──────────────────────────────────────────────────────────────────────────────────*/
static void say_clock(struct hall *h) {
    const struct classroom_overview *o = session_watch_overview(h->watch);
    const char *name = session_watch_sight(h->watch)->settings->name;
    char *of = o->minutes ? base_format(" of %d", o->minutes) : base_dup(""),
         *clock = o->over ? base_format("%s is over after %d minutes", name, o->minute)
                          : base_format("%s, minute %d%s", name, o->minute, of);
    say(h, PAGE_STRONG,
        base_format("%s. %d learner%s here, %d not.", clock, o->here,
                    o->here == 1 ? " is" : "s are", o->away));
    free(clock);
    free(of);
}

static void say_help(struct hall *h) {
    const struct classroom_overview *o = session_watch_overview(h->watch);
    if (!o->hands) say(h, PAGE_PLAIN, base_dup("No hand is raised."));
    for (size_t i = 0; i < o->hands; i++) {
        const struct classroom_presence *now = &seat_at(h, o->hand[i].seat)->now;
        char *name = session_watch_name(h->watch, o->hand[i].seat, h->names),
             *said = *now->said && h->names ? base_format(" \"%s\"", now->said) : base_dup("");
        int minutes = (int)(o->hand[i].waits / 60);
        say(h, PAGE_WARN,
            base_format("%s has had a hand up for %d minute%s, in %s at step %d, %s.%s", name,
                        minutes, plural(minutes), now->lesson, now->number, now->title, said));
        free(said);
        free(name);
    }
    for (size_t i = 0; i < o->quiet; i++) {
        const struct classroom_presence *now = &seat_at(h, o->silent[i].seat)->now;
        char *name = session_watch_name(h->watch, o->silent[i].seat, h->names);
        say(h, PAGE_PLAIN,
            base_format("%s has been quiet for %lld minutes, in %s at step %d.", name,
                        (long long)o->silent[i].waits / 60, now->lesson, now->number));
        free(name);
    }
}

static void say_mistakes(struct hall *h) {
    const struct classroom_overview *o = session_watch_overview(h->watch);
    if (!o->slips) say(h, PAGE_PLAIN, base_dup("The room has made no mistake yet."));
    for (size_t i = 0; i < o->slips && i < MISTAKES; i++) {
        const struct classroom_slip *s = &o->slip[i];
        char *title = session_watch_slip_title(h->watch, s),
             *mistake = session_watch_mistake(s->mistake);
        say(h, PAGE_PLAIN,
            base_format("Mistake %zu: %d of %d in \"%s\": %s.", i + 1, s->made, s->of, title,
                        mistake));
        free(mistake);
        free(title);
    }
}

static void say_steps(struct hall *h) {
    const struct classroom_overview *o = session_watch_overview(h->watch);
    struct base_text t = {0};
    if (!*o->lesson) return;
    base_text_printf(&t, "In %s, learners at each step: ", o->lesson);
    for (int i = 0, any = 0; i < o->steps; i++)
        if (o->at[i]) base_text_printf(&t, "%s%d at step %d", any++ ? ", " : "", o->at[i], i + 1);
    if (o->elsewhere) base_text_printf(&t, "; %d elsewhere", o->elsewhere);
    base_text_puts(&t, ".");
    say(h, PAGE_PLAIN, base_text_take(&t));
}

static void say_labs(struct hall *h) {
    static const char *const nouns[] = {[CLASSROOM_GPU] = "GPUs", [CLASSROOM_CPU] = "cores"};
    for (enum classroom_kind k = 0; k < CLASSROOM_KINDS; k++) {
        const struct classroom_labs *l = &session_watch_overview(h->watch)->labs[k];
        if (!l->running && !l->waiting) continue;
        say(h, PAGE_PLAIN,
            base_format("Labs use %d of %d %s. %d lab%s run%s and %d wait%s.", l->used, l->slots,
                        nouns[k], l->running, plural(l->running), l->running == 1 ? "s" : "",
                        l->waiting, l->waiting == 1 ? "s" : ""));
    }
}

static void say_room(struct hall *h) {
    const struct classroom_board *b = session_watch_board(h->watch);
    say_clock(h);
    say_help(h);
    say_mistakes(h);
    say_steps(h);
    say_labs(h);
    if (*b->lesson) say(h, PAGE_PLAIN, base_format("Open for all: %s, %s.", b->lesson, b->step));
    if (*b->exit.id)
        say(h, PAGE_PLAIN, base_format("Exit questions are asked: %zu.", b->exit.items));
}

/* ── the words ─────────────────────────────────────────────────────────────────────────────────*/
/* Says what was done, or why not. Takes the text. */
static void tell(struct hall *h, bool done, char *text, const struct base_message *m) {
    if (done) {
        say(h, PAGE_GOOD, text);
        return;
    }
    free(text);
    linear_complain(&h->talk, m);
}

static void list_learners(struct hall *h, const char *rest) {
    (void)rest;
    for (size_t i = 0; i < session_watch_sight(h->watch)->seats; i++) {
        const struct classroom_seat *s = seat_at(h, i);
        char *name = session_watch_name(h->watch, i, h->names),
             *where = !s->here         ? base_dup(s->joined ? "left" : "not here")
                      : *s->now.lesson ? base_format("%s, step %d of %d, %s", s->now.lesson,
                                                     s->now.number, s->now.of, s->now.title)
                                       : base_dup("at home");
        say(h, PAGE_PLAIN, base_format("%zu: %s: %s.", i + 1, name, where));
        free(where);
        free(name);
    }
}

static void list_labs(struct hall *h, const char *rest) {
    const struct classroom_placed *l;
    size_t n = session_watch_line(h->watch, &l);
    (void)rest;
    if (!n) say(h, PAGE_PLAIN, base_dup("No lab runs and no lab waits."));
    for (size_t i = 0; i < n; i++) {
        char *whose = session_watch_whose(h->watch, l[i].ticket, h->names),
             *wait = l[i].turn->position ? classroom_say_wait(l[i].turn) : base_dup("");
        say(h, PAGE_PLAIN,
            base_format("%s: %s, %s%s%s.", whose, l[i].ticket->wish.lab,
                        classroom_stand_name(l[i].turn->stand), *wait ? ", " : "", wait));
        free(wait);
        free(whose);
    }
}

static void list_speed(struct hall *h, const char *rest) {
    const struct classroom_races *r = session_watch_races(h->watch);
    (void)rest;
    if (!r->count) say(h, PAGE_PLAIN, base_dup("The table of the speed challenge is empty."));
    for (size_t i = 0; i < r->count; i++)
        say(h, PAGE_PLAIN,
            base_format("%s: %d right at first, %d at best, in %d round%s.", r->race[i].nickname,
                        r->race[i].first, r->race[i].best, r->race[i].rounds,
                        plural(r->race[i].rounds)));
}

static void say_to_all(struct hall *h, const char *rest) {
    struct base_message m = {0};
    bool done = session_watch_nudge(h->watch, -1, rest, &m);
    tell(h, done, base_dup("Said to all."), &m);
}

/* A number from 1 to `most` at the beginning of `rest`; 0 after the message. */
static size_t number_in(struct hall *h, const char **rest, size_t most, const char *of) {
    char *end;
    long n = strtol(*rest, &end, 10);
    if (end != *rest && n >= 1 && (size_t)n <= most && (*end == ' ' || !*end)) {
        *rest = end + strspn(end, " ");
        return (size_t)n;
    }
    say(h, PAGE_BAD,
        most ? base_format("Type a number from 1 to %zu: %s.", most, of)
             : base_dup("There is nothing to choose from yet."));
    return 0;
}

static void say_to_one(struct hall *h, const char *rest) {
    struct base_message m = {0};
    size_t seat =
        number_in(h, &rest, session_watch_sight(h->watch)->seats, "`learners` lists them");
    if (!seat) return;
    bool done = session_watch_nudge(h->watch, (int)seat - 1, rest, &m);
    char *name = session_watch_name(h->watch, seat - 1, h->names);
    tell(h, done, base_format("Said to %s.", name), &m);
    free(name);
}

static void explain(struct hall *h, const char *rest) {
    const struct classroom_overview *o = session_watch_overview(h->watch);
    struct session_slip s;
    size_t n = number_in(h, &rest, o->slips, "the room's mistakes");
    if (!n) return;
    session_watch_slip(h->watch, &o->slip[n - 1], &s);
    const char *const all[] = {s.explain, s.arithmetic, s.wrong};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        if (all[i]) say(h, PAGE_PLAIN, base_dup(all[i]));
    for (size_t i = 0; i < s.typed; i++)
        say(h, PAGE_PLAIN, base_format("A learner typed: %s", s.answer[i]));
    say(h, PAGE_STRONG, base_format("Ask the room: %s", s.question));
    session_slip_free(&s);
}

static void open_step(struct hall *h, const char *rest) {
    struct base_message m = {0};
    const struct classroom_overview *o = session_watch_overview(h->watch);
    const struct classroom_settings *set = session_watch_sight(h->watch)->settings;
    const char *lesson = *o->lesson ? o->lesson : set->lessons ? set->lesson[0].id : "";
    char *id = base_dup(lesson);
    size_t n = number_in(h, &rest, session_watch_steps(h->watch, id), "a step of the lesson");
    if (n) {
        struct session_watch_step s = session_watch_step(h->watch, id, n - 1);
        bool done = session_watch_open_step(h->watch, id, s.id, &m);
        tell(h, done, base_format("Open for all: %s, step %zu.", id, n), &m);
    }
    free(id);
}

static void ask_exit(struct hall *h, const char *rest) {
    struct base_message m = {0};
    bool asked = *session_watch_board(h->watch)->exit.id;
    (void)rest;
    bool done = asked ? session_watch_end_exit(h->watch, &m) : session_watch_ask_exit(h->watch, &m);
    tell(h, done,
         base_dup(asked ? "The exit questions have ended."
                        : "Learners are asked the exit questions. `exit` ends them."),
         &m);
}

static void turn_names(struct hall *h, const char *rest) {
    (void)rest;
    h->names = !h->names;
    say(h, PAGE_PLAIN, base_dup(h->names ? "Names are said." : "Names are left out."));
}

static void quit(struct hall *h, const char *rest) {
    (void)rest;
    h->quits = true;
}

static const struct {
    const char *name, *what;
    void (*act)(struct hall *h, const char *rest);
} words[] = {
    {"mistake", "`mistake 1` says what to tell the room about it", explain},
    {"learners", "lists everybody, with a number for each", list_learners},
    {"labs", "lists the labs that run and wait", list_labs},
    {"speed", "lists the table of the speed challenge", list_speed},
    {"all", "`all Look at the front.` writes to all learners", say_to_all},
    {"to", "`to 3 Well done.` writes to learner 3", say_to_one},
    {"open", "`open 5` opens a step of the lesson for all", open_step},
    {"exit", "asks the exit questions, and ends them", ask_exit},
    {"names", "leaves names out, or says them", turn_names},
    {"quit", "leaves; the class continues", quit},
};

static struct hall *hall_of(struct talk *t) {
    return (struct hall *)t;
}

static void repeat(struct talk *t) {
    say_room(hall_of(t));
}

static void help(struct talk *t) {
    struct hall *h = hall_of(t);
    say(h, PAGE_PLAIN, base_dup("Press Enter to look at the class again, or type a word:"));
    for (size_t i = 0; i < BASE_COUNT(words); i++)
        say(h, PAGE_PLAIN, base_format("%s: %s.", words[i].name, words[i].what));
    say(h, PAGE_PLAIN, base_dup("repeat: says the room again."));
}

/* A word with or without a colon. */
static void do_line(struct hall *h, const char *line) {
    line += *line == ':';
    size_t n = strcspn(line, " ");
    const char *rest = line + n + strspn(line + n, " ");
    for (size_t i = 0; i < BASE_COUNT(words); i++)
        if (strlen(words[i].name) == n && strncmp(words[i].name, line, n) == 0) {
            words[i].act(h, rest);
            return;
        }
    say(h, PAGE_BAD, base_format("Unknown word '%.*s'. Type `help` for a list.", (int)n, line));
}

/* ── the loop ──────────────────────────────────────────────────────────────────────────────────*/
static void look(struct hall *h) {
    struct base_message m = {0};
    if (!session_watch_look(h->watch, &m)) linear_complain(&h->talk, &m);
}

int linear_watch(const struct linear_options *o, const char *folder, bool names, FILE *in,
                 FILE *out) {
    struct base_message m = {0};
    struct hall h = {.talk = {.options = o,
                              .in = in,
                              .out = out,
                              .echo = !isatty(fileno(in)),
                              .ascii = o->ascii,
                              .prompt = {"class", help, repeat}},
                     .names = names};
    h.watch = session_watch_open(folder, &m);
    if (!h.watch) return linear_not_opened(&m);
    say_room(&h);
    say(&h, PAGE_DIM, base_dup("Press Enter to look again. `help` lists what you can type."));
    while (!h.quits && !ferror(out)) {
        char *line = linear_read_line(&h.talk);
        if (!line) break;
        look(&h);
        if (line[strspn(line, " ")])
            do_line(&h, line);
        else
            say_room(&h);
        free(line);
    }
    session_watch_close(h.watch);
    return FINISHED;
}
