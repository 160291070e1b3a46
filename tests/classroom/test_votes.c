/* How the room voted, and what it missed: counted, kept, and read back with care. */
#include "classroom/room.h"

#include <string.h>
#include <sys/stat.h>

static struct classroom_counted some_vote(const char *id, const char *item) {
    struct classroom_counted c = {.vote = {.question = "Which part?",
                                           .options = 3,
                                           .option = {"moments", "master", "grads"},
                                           .round = CLASSROOM_SHOWN,
                                           .right = 3},
                                  .at = 1000,
                                  .count = {{2, 3, 12}, {0, 1, 16}}};
    snprintf(c.vote.id, sizeof c.vote.id, "%s", id);
    snprintf(c.item, sizeof c.item, "%s", item);
    return c;
}

static void they_come_back_as_they_were_kept(void **state) {
    struct classroom_settings s;
    struct base_message m = {0};
    struct classroom_votes v = {0}, back;
    struct stat it;
    struct classroom_folder *f = room_open(state, &s);
    assert_true(classroom_votes_read(f, &back, &m)); /* none yet */
    assert_true(back.votes == 0 && !*m.what);
    const struct classroom_counted one = some_vote("v1", "1.3/a"), two = some_vote("v2", "1.3/b"),
                                   again = some_vote("v3", "1.3/a");
    classroom_votes_add(&v, &one);
    classroom_votes_add(&v, &two);
    classroom_votes_add(&v, &again);
    assert_true(classroom_votes_write(f, &v, &m));
    char *path = scratch_path(state, "class/kept/" CLASSROOM_VOTES_FILE);
    assert_int_equal(stat(path, &it), 0);
    assert_int_equal(it.st_mode & 07777, 0600);
    assert_true(classroom_votes_read(f, &back, &m));
    assert_int_equal(back.votes, 3);
    for (size_t i = 0; i < v.votes; i++) assert_memory_equal(&back.vote[i], &v.vote[i], sizeof one);
    assert_string_equal(classroom_votes_on(&back, "1.3/a")->vote.id, "v3");
    assert_null(classroom_votes_on(&back, "1.3/c"));
    for (int i = 0; i < CLASSROOM_VOTES; i++) classroom_votes_add(&back, &two);
    assert_int_equal(back.votes, CLASSROOM_VOTES);
    assert_null(classroom_votes_on(&back, "1.3/a")); /* the oldest went */
    classroom_votes_free(&back);
    classroom_votes_free(&v);
    free(path);
    classroom_close(f);
}

#define HEAD "{\"zerotutor\":\"votes\",\"format\":1,\"votes\":["

static void a_file_that_is_not_ours_is_refused(void **state) {
    static const char *const broken[] = {
        "",
        "[]",
        "{\"zerotutor\":\"board\"}",
        HEAD "{}]}",
        HEAD "{\"id\":\"v\",\"item\":\"a\",\"options\":[\"one\"]}]}",
        HEAD "{\"id\":\"v\",\"item\":\"a\",\"options\":[1,2],\"right\":3}]}"};
    static const char numbers[] =
        HEAD "{\"id\":\"v\",\"item\":\"a\",\"options\":[1,\"\\u001b[2J\"],\"alone\":[-5,1e300]}]}";
    struct classroom_settings s;
    struct classroom_votes v;
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, &s);
    for (size_t i = 0; i < BASE_COUNT(broken); i++) {
        assert_true(classroom_write(f, CLASSROOM_KEPT, CLASSROOM_VOTES_FILE, 0600, broken[i],
                                    strlen(broken[i]), &m));
        assert_false(classroom_votes_read(f, &v, &m));
        assert_true(v.votes == 0 && *m.what);
    }
    assert_true(classroom_write(f, CLASSROOM_KEPT, CLASSROOM_VOTES_FILE, 0600, numbers,
                                strlen(numbers), &m));
    assert_true(classroom_votes_read(f, &v, &m));
    assert_true(v.vote[0].count[0][0] == 0 && v.vote[0].count[0][1] == 0);
    assert_null(strchr(v.vote[0].vote.option[1], 27));
    classroom_votes_free(&v);
    classroom_close(f);
}

static void an_account_has_one_vote(void **state) {
    const struct classroom_vote v = some_vote("v", "i").vote;
    struct classroom_ballots b = {0};
    int count[CLASSROOM_OPTIONS];
    (void)state;
    assert_int_equal(classroom_ballots_count(&b, count), 0);
    classroom_ballots_take(&b, &v, "ada", 1);
    classroom_ballots_take(&b, &v, "bob", 3);
    classroom_ballots_take(&b, &v, "ada", 2); /* another choice, not another vote */
    classroom_ballots_take(&b, &v, "eve", 4);
    classroom_ballots_take(&b, &v, "eve", 0);
    classroom_ballots_take(&b, &v, "eve", -1);
    classroom_ballots_take(&b, &v, "bob", 99); /* the choice from before stays */
    assert_int_equal(classroom_ballots_count(&b, count), 2);
    assert_true(count[0] == 0 && count[1] == 1 && count[2] == 1 && count[3] == 0);
    free(b.ballot);
}

static void try(struct classroom_seat *s, const char *item, const char *mistake) {
    s->tally.tried = base_grow(s->tally.tried, s->tally.count + 1, sizeof *s->tally.tried);
    struct classroom_tried *t = &s->tally.tried[s->tally.count++];
    snprintf(t->item, sizeof t->item, "%s", item);
    snprintf(t->mistake, sizeof t->mistake, "%s", mistake);
}

static void the_items_missed_by_most_come_first(void **state) {
    static const struct {
        const char *item;
        /* each learner made it so often; -1: did not try */
        int slips[3];
        /* its place among those that were missed, from 0; -1: not among them */
        int place, missed, of;
    } rows[] = {
        {"1.1/all", {1, 2, 1}, 0, 3, 3},   {"1.1/none", {0, 0, 0}, -1, 0, 3},
        {"1.1/often", {2, 0, 0}, 3, 1, 3}, {"1.1/few", {-1, -1, 1}, 2, 1, 1},
        {"1.2/two", {1, 1, 0}, 1, 2, 3},
    };
    static const char *const mistakes[] = {"no-grads", "gib-for-gb"};
    struct classroom_seat seat[3];
    struct classroom_missed *out;
    (void)state;
    memset(seat, 0, sizeof seat);
    assert_int_equal(classroom_missed(seat, 3, &out), 0);
    free(out);
    for (size_t i = 0; i < BASE_COUNT(rows); i++)
        for (int k = 0; k < 3; k++) {
            if (rows[i].slips[k] >= 0) try(&seat[k], rows[i].item, "");
            for (int n = 0; n < rows[i].slips[k]; n++) try(&seat[k], rows[i].item, mistakes[n]);
        }
    assert_int_equal(classroom_missed(seat, 3, &out), 4);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        if (rows[i].place < 0) continue;
        const struct classroom_missed *one = &out[rows[i].place];
        assert_string_equal(one->item, rows[i].item);
        assert_true(one->missed == rows[i].missed && one->of == rows[i].of);
    }
    free(out);
    for (int k = 0; k < 3; k++) free(seat[k].tally.tried);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(they_come_back_as_they_were_kept),
        IN_SCRATCH(a_file_that_is_not_ours_is_refused),
        cmocka_unit_test(an_account_has_one_vote),
        cmocka_unit_test(the_items_missed_by_most_come_first),
    };
    return cmocka_run_group_tests_name("votes", tests, NULL, NULL);
}
