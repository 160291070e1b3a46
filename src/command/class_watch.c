/* class watch: what the room does, live, or once as text or JSON. */
#include "command/class.h"

#include "linear/linear.h"
#include "screen/screen.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── JSON ──────────────────────────────────────────────────────────────────────────────────────*/
/* Where somebody is, with how many tries, and the mistake of the last one. */
static json_t *place_json(const struct session_watch *w, size_t seat, bool names) {
    const struct classroom_presence *now = &session_watch_sight(w)->seat[seat].now;
    char *name = session_watch_name(w, seat, names);
    json_t *place = json_pack("{ss ss ss ss si si ss}", "name", name, "lesson", now->lesson, "step",
                              now->step, "title", now->title, "number", now->number, "tries",
                              now->tries, "mistake", now->mistake);
    free(name);
    return place;
}

static json_t *learners_json(const struct session_watch *w, bool names) {
    const struct classroom_sight *s = session_watch_sight(w);
    json_t *all = json_array();
    for (size_t i = 0; i < s->seats; i++) {
        json_t *one = place_json(w, i, names);
        json_object_set_new(one, "here", json_boolean(s->seat[i].here));
        json_object_set_new(one, "seconds", json_integer(s->seat[i].now.since));
        json_object_set_new(one, "extra", json_integer(session_watch_extra(w, i)));
        json_array_append_new(all, one);
    }
    return all;
}

static json_t *people_json(const struct session_watch *w, const struct classroom_help *h, size_t n,
                           bool names) {
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct classroom_presence *now = &session_watch_sight(w)->seat[h[i].seat].now;
        json_t *one = place_json(w, h[i].seat, names);
        json_object_set_new(one, "said", json_string(names ? now->said : ""));
        json_object_set_new(one, "seconds", json_integer(h[i].waits));
        json_array_append_new(all, one);
    }
    return all;
}

static json_t *mistakes_json(struct session_watch *w, const struct classroom_overview *o) {
    json_t *all = json_array();
    for (size_t i = 0; i < o->slips; i++) {
        const struct classroom_slip *s = &o->slip[i];
        char *title = session_watch_title(w, s->item), *name = session_watch_mistake(s->mistake);
        json_array_append_new(all, json_pack("{ss ss ss ss si si sb}", "item", s->item, "title",
                                             title, "mistake", s->mistake, "name", name, "made",
                                             s->made, "of", s->of, "elsewhere", s->elsewhere));
        free(name);
        free(title);
    }
    return all;
}

static json_t *plan_json(const struct classroom_settings *s, const struct classroom_overview *o) {
    static const char *const parts[] = {"over", "now", "ahead"};
    json_t *all = json_array();
    for (size_t i = 0; i < s->lessons; i++)
        json_array_append_new(all, json_pack("{ss si ss}", "lesson", s->lesson[i].id, "until",
                                             o->until[i], "part", parts[o->part[i]]));
    return all;
}

static json_t *labs_json(const struct classroom_overview *o) {
    json_t *all = json_object();
    for (enum classroom_kind k = 0; k < CLASSROOM_KINDS; k++) {
        const struct classroom_labs *l = &o->labs[k];
        json_object_set_new(all, classroom_kind_name(k),
                            json_pack("{si si si si sI}", "running", l->running, "waiting",
                                      l->waiting, "used", l->used, "slots", l->slots,
                                      "last_seconds", (json_int_t)l->last));
    }
    return all;
}

static json_t *line_json(const struct session_watch *w, bool names) {
    const struct classroom_placed *place;
    size_t n = session_watch_line(w, &place);
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct classroom_ticket *t = place[i].ticket;
        const struct classroom_turn *turn = place[i].turn;
        char *whose = session_watch_whose(w, t, names);
        json_array_append_new(
            all, json_pack("{ss ss ss si ss si sI sI}", "name", whose, "lab", t->wish.lab, "kind",
                           classroom_kind_name(t->wish.kind), "slots", t->wish.slots, "state",
                           classroom_stand_name(turn->stand), "position", turn->position,
                           "wait_seconds", (json_int_t)turn->wait, "since", (json_int_t)t->since));
        free(whose);
    }
    return all;
}

static json_t *races_json(const struct session_watch *w) {
    const struct classroom_races *r = session_watch_races(w);
    json_t *all = json_array();
    for (size_t i = 0; i < r->count; i++) {
        const struct classroom_race *one = &r->race[i];
        json_array_append_new(all, json_pack("{ss ss sI sb si si si}", "nickname", one->nickname,
                                             "subject", one->subject, "ms", (json_int_t)one->ms,
                                             "choose", one->choose, "first", one->first, "best",
                                             one->best, "rounds", one->rounds));
    }
    return all;
}

/* What the board asks of the learners now. */
static void add_asked(json_t *room, const struct classroom_board *b) {
    json_t *exit = json_array();
    for (size_t i = 0; *b->exit.id && i < b->exit.items; i++)
        json_array_append_new(exit, json_string(b->exit.item[i]));
    json_object_set_new(room, "open",
                        *b->lesson ? json_pack("{ss ss}", "lesson", b->lesson, "step", b->step)
                                   : json_null());
    json_object_set_new(room, "exit", exit);
}

static json_t *counts_json(struct session_watch *w, bool names) {
    const struct classroom_overview *o = session_watch_overview(w);
    const struct classroom_settings *s = session_watch_sight(w)->settings;
    json_t *at = json_array();
    for (int i = 0; i < o->steps; i++) json_array_append_new(at, json_integer(o->at[i]));
    return json_pack("{ss si si si si so so so ss so si so so sI}", "class", s->name, "minute",
                     o->minute, "minutes", o->minutes, "here", o->here, "away", o->away, "plan",
                     plan_json(s, o), "hands", people_json(w, o->hand, o->hands, names), "quiet",
                     people_json(w, o->silent, o->quiet, names), "lesson", o->lesson, "steps", at,
                     "elsewhere", o->elsewhere, "mistakes", mistakes_json(w, o), "labs",
                     labs_json(o), "unread", (json_int_t)session_watch_unread(w));
}

static json_t *room_json(struct session_watch *w, bool names) {
    json_t *room = counts_json(w, names);
    json_object_set_new(room, "begins_in", json_integer(session_watch_overview(w)->ahead));
    json_object_set_new(room, "learners", learners_json(w, names));
    json_object_set_new(room, "over", json_boolean(session_watch_overview(w)->over));
    json_object_set_new(room, "line", line_json(w, names));
    json_object_set_new(room, "speed", races_json(w));
    add_asked(room, session_watch_board(w));
    return room;
}

/* ── the verb ──────────────────────────────────────────────────────────────────────────────────*/
static int print_once(const struct arguments *a) {
    struct base_message m = {0};
    struct session_watch *w = session_watch_open(a->operand[1], &m);
    bool names = !command_arguments_has(a, "no-names");
    if (!w) return command_say_message(&m);
    if (command_arguments_has(a, "json")) {
        command_say_json(room_json(w, names));
    } else {
        struct page *p = command_terminal_page(command_terminal_ascii(a));
        screen_watch_page(p, w, names);
        command_terminal_print(p);
    }
    session_watch_close(w);
    return COMMAND_WELL;
}

int command_class_watch(const struct arguments *a) {
    if (a->operands != 2)
        return command_say_error("name the class's folder: `zerotutor class watch FOLDER`");
    if (command_arguments_has(a, "once")) return print_once(a);
    if (command_arguments_has(a, "json"))
        return command_say_error("`--json` prints what is seen now: add `--once`");
    if (command_arguments_has(a, "linear") || command_terminal_dumb()) {
        const struct linear_options o = {.ascii = command_terminal_ascii(a)};
        return linear_watch(&o, a->operand[1], !command_arguments_has(a, "no-names"), stdin,
                            stdout);
    }
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return command_say_error("this is not a terminal: `--once` prints what is seen now, and "
                                 "`--linear` asks line by line");
    return screen_run(&(struct screen_options){.watch = a->operand[1],
                                               .ascii = command_arguments_has(a, "ascii")});
}
