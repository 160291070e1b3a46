/* What a class is: written and read back, and each wrong member named. */
#include "classroom/room.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void settings_come_back_as_they_were_written(void **state) {
    struct classroom_settings s, back;
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, &s);
    s.ends = s.begins + 5400;
    s.late_percent = 20;
    s.counts = CLASSROOM_BEST;
    s.gpus = 2;
    s.lesson[s.lessons++] = (struct classroom_lesson){"1.1", 15, s.begins + 900};
    s.lesson[s.lessons++] = (struct classroom_lesson){"lab stage-ladder", 18, 0};
    s.extension[s.extensions++] = (struct classroom_extension){"ruth", "", 600};
    s.extension[s.extensions++] = (struct classroom_extension){"ruth", "1.1", 60};
    snprintf(s.assistant[s.assistants++], CLASSROOM_WORD, "bob");
    assert_true(classroom_settings_write(f, &s, &m));
    memset(&back, 0x55, sizeof back);
    assert_true(classroom_settings_read(f, &back, &m));
    assert_string_equal(back.id, s.id);
    assert_string_equal(back.name, "sys-26");
    assert_int_equal(back.ends, s.ends);
    assert_int_equal(back.counts, CLASSROOM_BEST);
    assert_int_equal(back.lessons, 2);
    assert_int_equal(back.gpus, 2);
    assert_string_equal(back.assistant[0], "bob");
    assert_int_equal(classroom_due(&back, "ruth", "1.1"), s.begins + 900 + 600);
    assert_int_equal(classroom_due(&back, "eve", "1.1"), s.begins + 900);
    assert_int_equal(classroom_due(&back, "eve", "lab stage-ladder"), s.ends);
    /* all learners read class.json, and none is to read who has more time */
    struct classroom_file file;
    assert_true(
        classroom_read(f, CLASSROOM_TOP, CLASSROOM_SETTINGS, geteuid(), 1 << 16, &file, &m));
    assert_null(strstr(file.text, "ruth"));
    free(file.text);
    struct stat it;
    char *path = base_format("%s/" CLASSROOM_EXTENDED, classroom_path(f));
    assert_int_equal(stat(path, &it), 0);
    assert_int_equal(it.st_mode & 07777, 0600);
    free(path);
    classroom_close(f);
}

static void numbers_are_each_learners_own(void **state) {
    struct classroom_settings a, b;
    struct classroom_folder *f = room_open(state, &a);
    classroom_settings_new(&b, "sys-26");
    assert_true(classroom_seed(&a, "ada") != classroom_seed(&a, "eve"));
    assert_true(classroom_seed(&a, "ada") != classroom_seed(&b, "ada"));
    assert_true(classroom_seed(&a, "ada") == classroom_seed(&a, "ada"));
    classroom_close(f);
}

static void a_wrong_member_is_named(void **state) {
    static const struct {
        const char *member, *value;
    } wrong[] = {
        {"id", "\"xyz\""},
        {"id", "null"},
        {"name", "\"a\\u001bb\""},
        {"name", "\"\""},
        {"begins", "-1"},
        {"ends", "\"noon\""},
        {"closed", "1"},
        {"late_percent", "101"},
        {"cores", "0"},
        {"ranks_most", "1e3"},
        {"bytes_most", "-5"},
        {"counts", "\"all\""},
        {"slurm", "1"},
        {"slurm", "\"a b\""},
        {"slurm", "\"--help\\n\""},
        {"lessons", "{}"},
        {"lessons", "[{\"lesson\": 1}]"},
        {"extensions", "[{\"account\": \"ada\", \"seconds\": -1}]"},
        {"assistants", "[\"\"]"},
    };
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    for (size_t i = 0; i < BASE_COUNT(wrong); i++) {
        struct base_message m = {0};
        char *text = base_format("{\"zerotutor\": \"class\", \"format\": 1, \"id\": \"%s\", "
                                 "\"name\": \"x\", \"%s\": %s}",
                                 s.id, wrong[i].member, wrong[i].value);
        json_t *json = json_loads(text, 0, NULL); /* the last of two members counts */
        char *one = json_dumps(json, 0);
        assert_true(
            classroom_write(f, CLASSROOM_TOP, CLASSROOM_SETTINGS, 0644, one, strlen(one), &m));
        assert_false(classroom_settings_read(f, &s, &m));
        char *named = base_format("\"%s\"", wrong[i].member);
        if (!strstr(m.what, named)) fail_msg("%s: %s", named, m.what);
        free(named);
        json_decref(json);
        free(one);
        free(text);
        classroom_settings_new(&s, "x");
    }
    classroom_close(f);
}

/* A class that its own program could not read would be lost to all who are in it. */
static void what_could_not_be_read_again_is_not_written(void **state) {
    struct classroom_settings s, back;
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, &s);
    const struct classroom_settings before = s;
    s.extensions = 1; /* of no account */
    s.extension[0].seconds = 60;
    assert_false(classroom_settings_write(f, &s, &m));
    assert_non_null(strstr(m.what, "\"extensions\""));
    s = before;
    s.cores = 0;
    assert_false(classroom_settings_write(f, &s, &m));
    assert_non_null(strstr(m.what, "\"cores\""));
    assert_true(classroom_settings_read(f, &back, &m));
    assert_int_equal(back.cores, before.cores);
    classroom_close(f);
}

static void what_is_no_class_or_newer_is_refused(void **state) {
    static const struct {
        const char *text, *says;
    } files[] = {
        {"", "class.json"},
        {"{}", "did not write"},
        {"[1]", "did not write"},
        {"{\"zerotutor\": \"record\", \"format\": 1}", "did not write"},
        {"{\"zerotutor\": \"class\", \"format\": 2}", "newer zerotutor"},
    };
    struct classroom_settings s;
    struct classroom_folder *f = room_open(state, &s);
    for (size_t i = 0; i < BASE_COUNT(files); i++) {
        struct base_message m = {0};
        char all[600];
        assert_true(classroom_write(f, CLASSROOM_TOP, CLASSROOM_SETTINGS, 0644, files[i].text,
                                    strlen(files[i].text), &m));
        assert_false(classroom_settings_read(f, &s, &m));
        assert_non_null(strstr(base_message_text(&m, all, sizeof all), files[i].says));
    }
    classroom_close(f);
}

/* What stands before the lab's program is words of srun's: nothing of it is a learner's. */
static void slurm_gets_what_the_lab_needs(void **state) {
    struct classroom_settings s, back;
    struct base_message m = {0};
    struct classroom_folder *f = room_open(state, &s);
    assert_false(s.slurm || classroom_uses_slurm(&s));
    s.slurm = true;
    snprintf(s.partition, sizeof s.partition, "gpu-a.1");
    s.bytes_most = 3 << 20;
    assert_true(classroom_settings_write(f, &s, &m));
    assert_true(classroom_settings_read(f, &back, &m));
    assert_true(back.slurm);
    assert_string_equal(back.partition, "gpu-a.1");
    struct classroom_wish w = {
        .kind = CLASSROOM_GPU, .slots = 2, .ranks = 4, .minutes = 90, .lab = "ladder"};
    char *words = classroom_srun(&back, &w);
    char *expected = base_format("srun --quiet --job-name=zerotutor --comment=%s/ladder --nodes=1 "
                                 "--ntasks=1 --cpus-per-task=4 --time=5 --kill-on-bad-exit=1 "
                                 "--gres=gpu:2 --partition=gpu-a.1",
                                 s.id);
    assert_string_equal(words, expected);
    free(expected);
    free(words);
    *back.partition = '\0';
    /* two threads a rank */
    w = (struct classroom_wish){.kind = CLASSROOM_CPU, .slots = 2, .ranks = 1, .minutes = 3};
    words = classroom_srun(&back, &w);
    assert_non_null(strstr(words, "--cpus-per-task=2 --time=3 --kill-on-bad-exit=1 --mem=4M"));
    assert_null(strstr(words, "--gres"));
    free(words);
    classroom_close(f);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(settings_come_back_as_they_were_written),
        IN_SCRATCH(numbers_are_each_learners_own),
        IN_SCRATCH(a_wrong_member_is_named),
        IN_SCRATCH(what_could_not_be_read_again_is_not_written),
        IN_SCRATCH(what_is_no_class_or_newer_is_refused),
        IN_SCRATCH(slurm_gets_what_the_lab_needs),
    };
    return cmocka_run_group_tests_name("classroom", tests, NULL, NULL);
}
