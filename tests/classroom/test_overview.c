/* What the teacher sees of a room of forty, from what their files say. */
#include "classroom/room.h"

#include <string.h>

enum { PEOPLE = 40, NOW = 1795430000, MINUTE = 60, PATIENCE = 6 * MINUTE };

struct hall {
    struct classroom_settings settings;
    struct classroom_seat seat[PEOPLE];
    struct classroom_overview o;
};

/* Forty learners who are at step 1 of 1.3 and moved just now. */
static void fill(struct hall *h) {
    memset(h, 0, sizeof *h);
    classroom_settings_new(&h->settings, "sys-26");
    h->settings.begins = NOW - 34 * MINUTE;
    h->settings.ends = NOW + 56 * MINUTE;
    for (int i = 0; i < PEOPLE; i++) {
        struct classroom_seat *s = &h->seat[i];
        s->here = s->joined = true;
        snprintf(s->account, sizeof s->account, "seat-%d", i);
        snprintf(s->now.lesson, sizeof s->now.lesson, "1.3");
        s->now.number = 1;
        s->now.of = 14;
        s->now.changed = NOW - 1;
    }
}

static void look(struct hall *h) {
    const struct classroom_sight sight = {.settings = &h->settings,
                                          .seats = PEOPLE,
                                          .seat = h->seat,
                                          .now = NOW,
                                          .patience = PATIENCE};
    classroom_overview(&sight, &h->o);
}

static void try(struct classroom_seat *s, const char *item, const char *mistake) {
    s->tally.tried = base_grow(s->tally.tried, s->tally.count + 1, sizeof *s->tally.tried);
    struct classroom_tried *t = &s->tally.tried[s->tally.count++];
    snprintf(t->item, sizeof t->item, "%s", item);
    snprintf(t->mistake, sizeof t->mistake, "%s", mistake);
}

static void forget(struct hall *h) {
    for (int i = 0; i < PEOPLE; i++) free(h->seat[i].tally.tried);
    classroom_overview_free(&h->o);
}

static void hands_and_the_quiet_are_apart(void **state) {
    static const struct {
        bool here, hand;
        /* minutes since the hand was raised, and seconds since the last sign of life */
        int raised, still;
        enum { NEITHER, HAND, QUIET } is;
    } rows[] = {
        {true, true, 4, 0, HAND},
        {true, true, 9, 9 * MINUTE, HAND}, /* who asks is not quiet */
        {true, false, 0, PATIENCE, QUIET},
        {true, false, 0, PATIENCE - 1, NEITHER},
        {true, false, 0, 3 * PATIENCE, QUIET},
        {true, false, 0, -3600, NEITHER}, /* a clock ahead by an hour */
        {false, true, 5, 3600, NEITHER},
    };
    struct hall h;
    (void)state;
    fill(&h);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct classroom_seat *s = &h.seat[5 * i];
        s->here = rows[i].here;
        s->now.hand = rows[i].hand;
        s->hand = NOW - rows[i].raised * MINUTE;
        s->now.changed = NOW - rows[i].still;
    }
    look(&h);
    assert_true(h.o.here == PEOPLE - 1 && h.o.away == 1);
    assert_true(h.o.hands == 2 && h.o.quiet == 2);
    assert_true(h.o.hand[0].seat == 5 && h.o.hand[0].waits == 9 * MINUTE);
    assert_true(h.o.hand[1].seat == 0 && h.o.hand[1].waits == 4 * MINUTE);
    assert_true(h.o.silent[0].seat == 20 && h.o.silent[1].seat == 10);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        int hands = 0, quiet = 0;
        for (size_t k = 0; k < h.o.hands; k++) hands += h.o.hand[k].seat == 5 * i;
        for (size_t k = 0; k < h.o.quiet; k++) quiet += h.o.silent[k].seat == 5 * i;
        assert_true(hands == (rows[i].is == HAND) && quiet == (rows[i].is == QUIET));
    }
    forget(&h);
}

static void the_room_is_where_most_are(void **state) {
    static const struct {
        const char *lesson;
        int number, people;
    } rows[] = {{"1.3", 4, 3},  {"1.3", 8, 20}, {"1.4", 2, 5},
                {"1.3", 14, 1}, {"", 0, 2},     {"1.3", 2000000, 1}};
    struct hall h;
    int i = 0;
    (void)state;
    fill(&h);
    for (size_t r = 0; r < BASE_COUNT(rows); r++)
        for (int k = 0; k < rows[r].people; k++, i++) {
            snprintf(h.seat[i].now.lesson, CLASSROOM_WORD, "%s", rows[r].lesson);
            h.seat[i].now.number = rows[r].number;
        }
    look(&h);
    assert_string_equal(h.o.lesson, "1.3");
    assert_int_equal(h.o.steps, 14);
    assert_int_equal(h.o.at[0], PEOPLE - i);
    assert_true(h.o.at[3] == 3 && h.o.at[7] == 20 && h.o.at[13] == 1 && h.o.at[1] == 0);
    assert_int_equal(h.o.elsewhere, 5 + 1);
    forget(&h);
}

static void mistakes_count_learners(void **state) {
    /* seats [from, to) tried it, and those from `wrong` on made the mistake */
    static const struct {
        const char *item, *mistake;
        int from, wrong, to;
    } rows[] = {{"1.3/stage-1", "grads-divided", 0, 13, 24},
                {"1.3/line", "nodes", 0, 20, 24},
                {"1.3/line", CLASSROOM_UNNAMED, 24, 25, 26},
                {"1.30/other", "gib", 0, 0, 40},
                {"1.2/before", "gib", 0, 0, 40},
                {"1.3/right", "gib", 0, 40, 40}};
    static const struct classroom_slip expect[] = {{"1.3/stage-1", "grads-divided", 11, 24, false},
                                                   {"1.3/line", "nodes", 4, 26, false},
                                                   {"1.3/line", CLASSROOM_UNNAMED, 1, 26, false},
                                                   {"1.2/before", "gib", 40, 40, true},
                                                   {"1.30/other", "gib", 40, 40, true}};
    struct hall h;
    (void)state;
    fill(&h);
    for (size_t r = 0; r < BASE_COUNT(rows); r++)
        for (int i = rows[r].from; i < rows[r].to; i++) {
            try(&h.seat[i], rows[r].item, "");
            if (i >= rows[r].wrong) try(&h.seat[i], rows[r].item, rows[r].mistake);
        }
    look(&h);
    assert_int_equal(h.o.slips, BASE_COUNT(expect));
    for (size_t i = 0; i < h.o.slips; i++) {
        assert_string_equal(h.o.slip[i].item, expect[i].item);
        assert_string_equal(h.o.slip[i].mistake, expect[i].mistake);
        assert_int_equal(h.o.slip[i].made, expect[i].made);
        assert_int_equal(h.o.slip[i].of, expect[i].of);
        assert_int_equal(h.o.slip[i].elsewhere, expect[i].elsewhere);
    }
    classroom_overview_free(&h.o);
    for (int i = 0; i < PEOPLE; i++) h.seat[i].here = false; /* all went: of all lessons */
    look(&h);
    assert_int_equal(h.o.slips, BASE_COUNT(expect));
    assert_true(h.o.slip[0].made == PEOPLE && !h.o.slip[0].elsewhere);
    forget(&h);
}

static void the_plan_has_a_clock(void **state) {
    static const struct {
        int minutes, until;
        enum classroom_part part;
    } rows[] = {{15, 15, CLASSROOM_PART_OVER},
                {12, 27, CLASSROOM_PART_OVER},
                {21, 48, CLASSROOM_PART_NOW},
                {0, 48, CLASSROOM_PART_AHEAD},
                {18, 66, CLASSROOM_PART_AHEAD}};
    struct hall h;
    (void)state;
    fill(&h);
    h.settings.lessons = BASE_COUNT(rows);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) h.settings.lesson[i].minutes = rows[i].minutes;
    look(&h);
    assert_true(h.o.minute == 34 && h.o.minutes == 90);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        assert_int_equal(h.o.until[i], rows[i].until);
        assert_int_equal(h.o.part[i], rows[i].part);
    }
    classroom_overview_free(&h.o);
    h.settings.speed = 10; /* of a rehearsal */
    look(&h);
    assert_true(h.o.minute == 340 && h.o.minutes == 900 && !h.o.over);
    classroom_overview_free(&h.o);
    h.settings.speed = 1;
    h.settings.ends = NOW - 4 * MINUTE; /* its clock stops there */
    look(&h);
    assert_true(h.o.over && h.o.minute == 30 && h.o.minutes == 30);
    classroom_overview_free(&h.o);
    h.settings.ends = 0;
    h.settings.begins = NOW + 600;
    look(&h);
    assert_true(h.o.minute == 0 && h.o.minutes == 66 && h.o.part[0] == CLASSROOM_PART_AHEAD);
    assert_int_equal(h.o.ahead, 10);
    classroom_overview_free(&h.o);
    h.settings.begins = NOW + 61;
    look(&h);
    assert_int_equal(h.o.ahead, 2);
    classroom_overview_free(&h.o);
    h.settings.begins = NOW;
    look(&h);
    assert_true(h.o.ahead == 0 && h.o.part[0] == CLASSROOM_PART_NOW);
    forget(&h);
}

/* While the room is asked items of several lessons, the mistakes are those of all. */
static void a_mixture_shows_the_mistakes_of_all_lessons(void **state) {
    struct hall h;
    (void)state;
    fill(&h);
    for (int i = 0; i < PEOPLE; i++) {
        snprintf(h.seat[i].now.lesson, CLASSROOM_WORD, "exit");
        try(&h.seat[i], "1.1/ddp-7b", "");
        try(&h.seat[i], "1.1/ddp-7b", "no-grads");
    }
    look(&h);
    assert_true(h.o.slips == 1 && h.o.slip[0].elsewhere); /* another lesson's */
    classroom_overview_free(&h.o);
    snprintf(h.seat[3].now.item, CLASSROOM_TITLE, "1.1/ddp-7b");
    look(&h);
    assert_true(h.o.slips == 1 && h.o.slip[0].made == PEOPLE && !h.o.slip[0].elsewhere);
    forget(&h);
}

static void labs_are_counted_by_kind(void **state) {
    static const struct {
        enum classroom_kind kind;
        enum classroom_stand stand;
        int slots;
        int64_t wait;
    } rows[] = {
        {CLASSROOM_GPU, CLASSROOM_RUNNING, 1, 0}, {CLASSROOM_GPU, CLASSROOM_WAITING, 0, 220},
        {CLASSROOM_GPU, CLASSROOM_AWAY, 0, 90},   {CLASSROOM_GPU, CLASSROOM_GONE, 1, 999},
        {CLASSROOM_CPU, CLASSROOM_RUNNING, 4, 0}, {CLASSROOM_CPU, CLASSROOM_RUNNING, 3, 0},
        {CLASSROOM_CPU, CLASSROOM_READY, 2, 0}};
    struct classroom_ticket ticket[BASE_COUNT(rows)] = {0};
    struct classroom_turn turn[BASE_COUNT(rows)] = {0};
    const struct classroom_tickets tickets = {.ticket = ticket, .count = BASE_COUNT(rows)};
    struct hall h;
    (void)state;
    fill(&h);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        ticket[i].wish.kind = rows[i].kind;
        turn[i] = (struct classroom_turn){.stand = rows[i].stand, .wait = rows[i].wait};
        for (int k = 0; k < rows[i].slots; k++) classroom_slots_add(&turn[i].slots, (int)i * 8 + k);
    }
    h.settings.gpus = 2;
    h.settings.cores = 16;
    const struct classroom_sight sight = {.settings = &h.settings,
                                          .tickets = &tickets,
                                          .turn = turn,
                                          .now = NOW,
                                          .patience = PATIENCE};
    classroom_overview(&sight, &h.o);
    const struct classroom_labs *gpu = &h.o.labs[CLASSROOM_GPU], *cpu = &h.o.labs[CLASSROOM_CPU];
    assert_true(gpu->running == 1 && gpu->waiting == 2 && gpu->used == 1 && gpu->slots == 2);
    assert_int_equal(gpu->last, 220);
    assert_true(cpu->running == 2 && cpu->waiting == 1 && cpu->used == 7 && cpu->slots == 16);
    forget(&h);
}

/* What a hand-in's rows count for. */
static void a_hand_in_is_counted_once_per_mistake(void **state) {
    static const char *const rows[] = {
        "[\"1.1/a\",\"wrong\",\"gib\"]",     "[\"1.1/a\",\"mistake\",\"gib\"]",
        "[\"1.1/a\",\"right\",\"\"]",        "[\"1.1/b\",\"wrong\",\"\"]",
        "[\"1.1/c\",\"noted\",\"\"]",        "[\"1.1/d\",\"unreadable\",\"\"]",
        "[\"1.1/e\",\"rounded\",\"early\"]", "[7,null,{}]"};
    static const struct classroom_tried expect[] = {{"1.1/a", ""},
                                                    {"1.1/a", "gib"},
                                                    {"1.1/b", ""},
                                                    {"1.1/b", CLASSROOM_UNNAMED},
                                                    {"1.1/e", ""}};
    struct classroom_handed answer[BASE_COUNT(rows)] = {0};
    json_t *row[BASE_COUNT(rows)];
    struct classroom_handin h = {.answer = answer, .answers = BASE_COUNT(rows)};
    struct classroom_tally t;
    (void)state;
    h.table = json_pack("{s[sss]}", "columns", "item", "verdict", "mistake");
    for (size_t i = 0; i < BASE_COUNT(rows); i++)
        answer[i].row = row[i] = json_loads(rows[i], 0, NULL);
    classroom_tally(&h, &t);
    assert_int_equal(t.count, BASE_COUNT(expect));
    for (size_t i = 0; i < t.count; i++) {
        assert_string_equal(t.tried[i].item, expect[i].item);
        assert_string_equal(t.tried[i].mistake, expect[i].mistake);
    }
    for (size_t i = 0; i < BASE_COUNT(rows); i++) json_decref(row[i]);
    json_decref(h.table);
    free(t.tried);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_and_the_quiet_are_apart),
        cmocka_unit_test(the_room_is_where_most_are),
        cmocka_unit_test(mistakes_count_learners),
        cmocka_unit_test(the_plan_has_a_clock),
        cmocka_unit_test(a_mixture_shows_the_mistakes_of_all_lessons),
        cmocka_unit_test(labs_are_counted_by_kind),
        cmocka_unit_test(a_hand_in_is_counted_once_per_mistake),
    };
    return cmocka_run_group_tests_name("overview", tests, NULL, NULL);
}
