/* What is made from the table of commands (completion, the manual), pictures, and the doctor. */
#include "session/school.h"

#include "command/run.h"
#include "store/store.h"

/* ── shells ────────────────────────────────────────────────────────────────────────────────────*/
static char *write_output(void **state, const char *line, const char *name) {
    struct run r = run_line(line, NULL);
    char *path = scratch_path(state, name);
    assert_int_equal(r.status, 0);
    assert_true(base_file_write(path, r.out, strlen(r.out), NULL));
    run_free(&r);
    return path;
}

/* What a shell command prints; the caller's. */
static char *shell(const char *command) {
    struct base_text t = {0};
    char piece[512];
    FILE *f = popen(command, "r");
    assert_non_null(f);
    while (fgets(piece, sizeof piece, f)) base_text_puts(&t, piece);
    int status = pclose(f);
    if (status != 0) fail_msg("%s: %d\n%s", command, status, t.s ? t.s : "");
    return base_text_take(&t);
}

static bool has_program(const char *name) {
    char *command = base_format("command -v %s >/dev/null 2>&1", name);
    bool has = system(command) == 0;
    free(command);
    return has;
}

static void bash_completes(void **state) {
    static const struct {
        /* as typed, the last being completed */
        const char *words;
        const char *reply;
    } cases[] = {
        {"zerotutor mem", "mem memo"},
        {"zerotutor --lin", "--linear"},
        {"zerotutor mem --gpus-", "--gpus-per-node"},
        {"zerotutor mem --precision mixed-", "mixed-bf16 mixed-fp16"},
        {"zerotutor completion f", "fish"},
        {"zerotutor mem --params 7e9 --expl", "--explain"},
        {"zerotutor lint lessons/cou", "lessons/course.json"},
    };
    if (!has_program("bash")) skip();
    char *file = write_output(state, "completion bash", "completion.bash");
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char *command =
            base_format("bash -c '. %s; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); "
                        "_zerotutor; echo \"${COMPREPLY[*]}\"'",
                        file, cases[i].words);
        char *reply = shell(command);
        reply[strcspn(reply, "\n")] = '\0';
        assert_string_equal(reply, cases[i].reply);
        free(reply);
        free(command);
    }
    free(file);
}

static void other_shells_read_their_completion(void **state) {
    static const char *const shells[] = {"zsh", "fish"};
    size_t tried = 0;
    for (size_t i = 0; i < BASE_COUNT(shells); i++) {
        char *line = base_format("completion %s", shells[i]);
        char *file = write_output(state, line, shells[i]);
        char *command = base_format("%s -n %s 2>&1", shells[i], file);
        if (has_program(shells[i])) {
            free(shell(command));
            tried++;
        }
        free(command);
        free(file);
        free(line);
    }
    if (!tried) skip();
}

/* Every command and every flag is in everything that is made. */
static void nothing_is_left_out(void **state) {
    static const char *const made[] = {"completion bash", "completion zsh", "completion fish",
                                       "manual"};
    struct run help = run_line("help --json", NULL);
    json_t *json = base_json_read(help.out, strlen(help.out), "help", NULL), *command, *option;
    size_t i, k;
    (void)state;
    for (size_t m = 0; m < BASE_COUNT(made); m++) {
        struct run r = run_line(made[m], NULL);
        json_array_foreach(json_object_get(json, "commands"), i, command) {
            if (!strstr(r.out, base_json_text(command, "name", "?")))
                fail_msg("%s lacks %s", made[m], base_json_text(command, "name", "?"));
            json_array_foreach(json_object_get(command, "options"), k, option) {
                const char *flag = base_json_text(option, "flag", "?") + 2;
                char *roff = base_format("%s", flag), *first = strchr(roff, '-');
                if (first) *first = '\0'; /* roff writes its dashes another way */
                if (!strstr(r.out, roff)) fail_msg("%s lacks --%s", made[m], flag);
                free(roff);
            }
        }
        run_free(&r);
    }
    json_decref(json);
    run_free(&help);
}

static void the_manual_is_good_roff(void **state) {
    if (!has_program("groff")) skip();
    char *file = write_output(state, "manual", "zerotutor.1");
    char *command = base_format("groff -man -Tutf8 -ww -z %s 2>&1", file);
    char *said = shell(command);
    assert_string_equal(said, "");
    free(said);
    free(command);
    free(file);
}

static void the_manual_names_the_variables(void **state) {
    static const char *const names[] = {"ZEROTUTOR_HOME", "NO_COLOR", "NO_MOTION", "TERM"};
    struct run r = run_line("manual", NULL);
    const char *environment = strstr(r.out, ".SH ENVIRONMENT");
    (void)state;
    assert_non_null(environment);
    for (size_t i = 0; i < BASE_COUNT(names); i++)
        if (!strstr(environment, names[i])) fail_msg("the manual lacks %s", names[i]);
    run_free(&r);
}

/* ── pictures ──────────────────────────────────────────────────────────────────────────────────*/
static void a_screen_is_saved(void **state) {
    (void)state;
    struct run svg = run_line("picture", NULL),
               text = run_line("picture --text --size 60x20", NULL);
    assert_int_equal(svg.status, 0);
    assert_non_null(strstr(svg.out, "<svg"));
    assert_int_equal(text.status, 0);
    assert_non_null(strstr(text.out, "Bytes of a parameter"));
    assert_null(strstr(text.out, "\033"));
    run_free(&text);
    run_free(&svg);
}

static void both_spellings_of_colour_are_understood(void **state) {
    struct run british = run_line("picture --no-colour", NULL),
               american = run_line("picture --no-color", NULL),
               learn = run_line("learn --list --no-color", NULL);
    (void)state;
    assert_int_equal(american.status, 0);
    assert_string_equal(american.out, british.out);
    assert_int_equal(learn.status, 0);
    run_free(&learn);
    run_free(&american);
    run_free(&british);
}

static void a_film_is_saved(void **state) {
    struct run text = run_line("picture 2.1 --film '<Enter>' --text", NULL),
               svg = run_line("picture 2.1 --film '<Enter>'", NULL);
    (void)state;
    assert_int_equal(text.status, 0);
    assert_non_null(strstr(text.out, "\n-- 1: "));
    assert_non_null(strstr(text.out, "\n-- 2: "));
    assert_int_equal(svg.status, 0);
    assert_non_null(strstr(svg.out, "id=\"f1\""));
    run_free(&svg);
    run_free(&text);
}

static void a_lesson_is_saved_after_keys(void **state) {
    char *path = scratch_path(state, "picture.txt");
    char *line = base_format("picture 2.1 --keys '<Enter>' --text --output %s", path);
    struct run r = run_line(line, NULL);
    char *text = base_file_read(path, 1 << 20, NULL, NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.out, "");
    assert_non_null(text);
    assert_non_null(strstr(text, "Goodbye."));
    free(text);
    run_free(&r);
    free(line);
    free(path);
}

/* ── doctor ────────────────────────────────────────────────────────────────────────────────────*/
static const char *member_of(const json_t *json, const char *name, const char *member) {
    const json_t *checks = json_object_get(json, "checks");
    for (size_t i = 0; i < json_array_size(checks); i++) {
        const json_t *check = json_array_get(checks, i);
        if (strcmp(base_json_text(check, "name", ""), name) == 0)
            return base_json_text(check, member, "?");
    }
    return "missing";
}

static const char *state_of(const json_t *json, const char *name) {
    return member_of(json, name, "state");
}

static const char *text_of(const json_t *json, const char *name) {
    return member_of(json, name, "text");
}

static json_t *doctor(int status) {
    struct run r = run_line("doctor --json", NULL);
    json_t *json = base_json_read(r.out, strlen(r.out), "doctor", NULL);
    if (!json || r.status != status)
        fail_msg("status %d, not %d: %s%s", r.status, status, r.out, r.err);
    run_free(&r);
    return json;
}

static void a_sound_house_is_told_so_and_nothing_is_made(void **state) {
    char *home = scratch_path(state, "home");
    json_t *json = doctor(0);
    assert_true(base_json_bool(json, "ok", false));
    assert_string_equal(state_of(json, "files"), "ok");
    assert_string_equal(state_of(json, "lessons"), "ok");
    assert_string_equal(state_of(json, "record"), "ok");
    assert_int_not_equal(access(home, F_OK), 0);
    json_decref(json);
    free(home);
}

static void a_missing_lesson_is_told(void **state) {
    char *path = scratch_path(state, "lessons/second.lua");
    assert_int_equal(remove(path), 0);
    json_t *json = doctor(1);
    assert_false(base_json_bool(json, "ok", true));
    assert_string_equal(state_of(json, "files"), "broken");
    json_decref(json);
    free(path);
}

static void a_damaged_record_is_told(void **state) {
    struct run r = run_line("learn 2.1 --linear", "\n\n");
    char *path = scratch_path(state, "home/learner.db");
    assert_int_equal(r.status, 0);
    run_free(&r);
    json_t *json = doctor(0);
    json_decref(json);
    assert_true(base_file_write(path, "no database at all, but long enough to look", 40, NULL));
    json = doctor(1);
    assert_string_equal(state_of(json, "record"), "broken");
    json_decref(json);
    free(path);
}

/* Noise over the second half: SQLite then has something to say of every page. */
static void spoil(const char *path) {
    size_t n;
    char *bytes = base_file_read(path, 1 << 24, &n, NULL);
    assert_non_null(bytes);
    for (size_t i = n / 8192 * 4096; i < n; i++) bytes[i] = 0x5A;
    assert_true(base_file_write(path, bytes, n, NULL));
    free(bytes);
}

static void much_damage_is_told_in_few_words(void **state) {
    char *path = scratch_path(state, "home/learner.db");
    struct store *s = store_open(path, NULL);
    assert_non_null(s);
    for (int i = 0; i < 400; i++) {
        char *name = base_format("a setting with a long name, number %d", i);
        assert_true(store_set(s, name, name, NULL));
        free(name);
    }
    store_close(s);
    spoil(path);
    json_t *json = doctor(1);
    const char *text = text_of(json, "record");
    /* two findings in SQLite's own words, which change with its version, without its headings; and
     * the number of the others */
    const char *finds = strstr(text, "learner.db: its check finds: "),
               *second = finds ? strstr(finds, "; ") : NULL;
    if (!second || strstr(text, "***") || !strstr(second, "; and ") ||
        !strstr(second, " more: move it away"))
        fail_msg("%s", text);
    assert_true(strlen(text) < 400);
    json_decref(json);
    free(path);
}

static void a_record_that_others_may_read_is_noted(void **state) {
    char *path = scratch_path(state, "home/learner.db"), *folder = scratch_path(state, "home");
    store_close(store_open(path, NULL));
    json_t *json = doctor(0);
    assert_string_equal(state_of(json, "record"), "ok");
    json_decref(json);
    assert_int_equal(chmod(path, 0644) | chmod(folder, 0777), 0);
    json = doctor(0);
    assert_string_equal(state_of(json, "record"), "note");
    const char *text = text_of(json, "record");
    if (!strstr(text, "other users may read it, because its mode is 644: run `chmod 600 /") ||
        !strstr(text, "`chmod go-w /"))
        fail_msg("%s", text);
    json_decref(json);
    free(folder);
    free(path);
}

/* What stands in the record's place, and what is said of it there: by doctor, and by whatever would
 * use it. */
static void make_pipe(const char *path) {
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void make_dangling(const char *path) {
    assert_int_equal(symlink("nowhere.db", path), 0);
}

static void make_folder(const char *path) {
    assert_int_equal(mkdir(path, 0700), 0);
}

static void what_is_no_record_is_said(void **state) {
    static const struct {
        void (*make)(const char *path);
        const char *says;
    } rows[] = {
        {make_pipe, "this is a pipe"},
        {make_dangling, "this link leads to nowhere.db"},
        {make_folder, "this is a folder"},
    };
    char *path = scratch_path(state, "home/learner.db"), *folder = scratch_path(state, "home");
    assert_int_equal(mkdir(folder, 0700), 0);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        rows[i].make(path);
        json_t *json = doctor(1);
        assert_string_equal(state_of(json, "record"), "broken");
        if (!strstr(text_of(json, "record"), rows[i].says)) fail_msg("%s", text_of(json, "record"));
        json_decref(json);
        struct run list = run_line("learn --list", NULL),
                   lines = run_line("learn 2.1 --linear", "\n");
        assert_int_equal(list.status, 2);
        assert_int_equal(lines.status, 2);
        assert_non_null(strstr(list.err, rows[i].says));
        assert_non_null(strstr(lines.err, rows[i].says));
        run_free(&list);
        run_free(&lines);
        assert_int_equal(remove(path), 0);
    }
    free(folder);
    free(path);
}

/* Neither by the folder's own name nor with a slash behind it. */
static void a_home_that_is_a_link_to_nowhere_is_said(void **state) {
    static const char *const names[] = {"link", "link/", "link/deep"};
    static const char says[] = "this link leads to nowhere, which is not a folder";
    char *link = scratch_path(state, "link"), *nowhere = scratch_path(state, "nowhere");
    char *before = base_dup(getenv("ZEROTUTOR_HOME"));
    assert_int_equal(symlink("nowhere", link), 0);
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        char *home = scratch_path(state, names[i]);
        setenv("ZEROTUTOR_HOME", home, 1);
        json_t *json = doctor(1);
        struct run list = run_line("learn --list", NULL);
        assert_string_equal(state_of(json, "record"), "broken");
        if (!strstr(text_of(json, "record"), says)) fail_msg("%s", text_of(json, "record"));
        assert_int_equal(list.status, 2);
        if (!strstr(list.err, says)) fail_msg("%s", list.err);
        run_free(&list);
        json_decref(json);
        free(home);
    }
    assert_int_not_equal(access(nowhere, F_OK), 0);
    setenv("ZEROTUTOR_HOME", before, 1);
    free(before);
    free(nowhere);
    free(link);
}

enum { NOT_FOR_NOBODY = 77 }; /* the checkout lies where nobody may enter */

static int tell_the_mode(const char *path) {
    (void)path;
    if (access(getenv("ZEROTUTOR"), X_OK) != 0) return NOT_FOR_NOBODY;
    struct run r = run_line("doctor --json", NULL);
    bool told = strstr(r.out, "its mode is 000): chmod u+rw it") != NULL;
    if (!told) print_message("%s%s", r.out, r.err);
    run_free(&r);
    return !told;
}

static void a_record_that_may_not_be_read_is_told_with_its_mode(void **state) {
    char *path = scratch_path(state, "home/learner.db"), *home = scratch_path(state, "home");
    store_close(store_open(path, NULL));
    assert_int_equal(chmod(path, 0) | chmod(home, 0777), 0);
    int status = scratch_unprivileged(tell_the_mode, path);
    free(home);
    free(path);
    if (status == NOT_FOR_NOBODY) skip();
    assert_int_equal(status, 0);
}

/* The lab computes with any BLAS; of the reference one it is said that it is slow. */
static void the_labs_blas_is_told(void **state) {
    static const struct {
        const char *device, *state, *says;
    } labs[] = {
        {"\"blas\":\"OpenBLAS 0.3.21\"", "ok", "64.0 GB, OpenBLAS 0.3.21"},
        {"\"blas\":\"reference BLAS\",\"blas_slow\":\"it is much slower\"", "note",
         "reference BLAS: it is much slower; `make"},
    };
    char *lab = scratch_path(state, "zerolab");
    for (size_t i = 0; i < BASE_COUNT(labs); i++) {
        char *lines = base_format("#!/bin/sh\necho '{\"devices\":[{\"device\":\"cpu\",\"name\":\"A "
                                  "processor\",\"memory\":64000000000,%s}]}'\n",
                                  labs[i].device);
        assert_true(base_file_write(lab, lines, strlen(lines), NULL));
        assert_int_equal(chmod(lab, 0755), 0);
        char *before = getenv("ZEROLAB") ? base_dup(getenv("ZEROLAB")) : NULL;
        setenv("ZEROLAB", lab, 1);
        json_t *json = doctor(0);
        if (before)
            setenv("ZEROLAB", before, 1);
        else
            unsetenv("ZEROLAB");
        assert_string_equal(state_of(json, "lab"), labs[i].state);
        if (!strstr(text_of(json, "lab"), labs[i].says)) fail_msg("%s", text_of(json, "lab"));
        json_decref(json);
        free(before);
        free(lines);
    }
    free(lab);
}

static void a_locale_without_utf8_is_noted(void **state) {
    (void)state;
    setenv("LC_ALL", "C", 1);
    json_t *json = doctor(0);
    setenv("LC_ALL", "C.UTF-8", 1);
    assert_string_equal(state_of(json, "locale"), "note");
    json_decref(json);
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(bash_completes),
        IN_SCHOOL(other_shells_read_their_completion),
        IN_SCHOOL(nothing_is_left_out),
        IN_SCHOOL(the_manual_is_good_roff),
        IN_SCHOOL(the_manual_names_the_variables),
        IN_SCHOOL(a_screen_is_saved),
        IN_SCHOOL(both_spellings_of_colour_are_understood),
        IN_SCHOOL(a_film_is_saved),
        IN_SCHOOL(a_lesson_is_saved_after_keys),
        IN_SCHOOL(a_sound_house_is_told_so_and_nothing_is_made),
        IN_SCHOOL(a_missing_lesson_is_told),
        IN_SCHOOL(a_damaged_record_is_told),
        IN_SCHOOL(much_damage_is_told_in_few_words),
        IN_SCHOOL(a_record_that_others_may_read_is_noted),
        IN_SCHOOL(what_is_no_record_is_said),
        IN_SCHOOL(a_home_that_is_a_link_to_nowhere_is_said),
        IN_SCHOOL(a_record_that_may_not_be_read_is_told_with_its_mode),
        IN_SCHOOL(the_labs_blas_is_told),
        IN_SCHOOL(a_locale_without_utf8_is_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
