/* The speed challenge in the linear front end, as golden text. The time stands still. */
#include "linear/linear.h"
#include "base/golden.h"
#include "session/school.h"

static const struct talk {
    const char *name;
    struct lesson_speed_options round;
    int width;
    bool ascii, words;
    int status;
    const char *typed;
} talks[] = {
    {"speed",
     {.ms = 60000, .seed = 5},
     0,
     false,
     false,
     0,
     "100\n\n3 apples\n:help\nrepeat\n:report\n5\n:quit\n12\n\n:quit\n"},
    {"speed-untimed",
     {.seed = 7},
     0,
     false,
     false,
     0,
     "1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n:quit\n"},
    {"speed-picked",
     {.ms = 90000, .seed = 5, .choose = true},
     0,
     false,
     false,
     0,
     "2\n9\n3\n1\n:pause\n?\n\n2\n:quit\n2\n:quit\n"},
    {"speed-narrow", {.ms = 60000, .seed = 5}, 40, true, true, 0, "100\n\n:quit\n:quit\n"},
    {"speed-cut-short", {.ms = 60000, .seed = 5}, 0, false, false, 1, "100\n"},
    {"speed-nothing", {.ms = 60000, .subject = LESSON_SPEED_SECONDS}, 0, false, false, 2, ""},
};

/* What the talk prints, the caller's. */
static char *run(const struct talk *t, int *status) {
    const struct linear_options o = {.width = t->width, .ascii = t->ascii, .words = t->words};
    char *text = NULL;
    size_t n = 0;
    FILE *in = tmpfile(), *out = open_memstream(&text, &n);
    fputs(t->typed, in);
    rewind(in);
    *status = linear_speed(&o, &t->round, in, out);
    fclose(out);
    fclose(in);
    return text;
}

static void talks_read_as_before(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(talks); i++) {
        void *school = NULL;
        int status;
        assert_int_equal(school_open(&school), 0);
        setenv("ZEROTUTOR_SHARE", ".", 1);
        setenv("ZEROTUTOR_TICKS", "1000", 1);
        char *text = run(&talks[i], &status);
        unsetenv("ZEROTUTOR_TICKS");
        school_close(&school);
        golden_is("linear", talks[i].name, text);
        if (status != talks[i].status) fail_msg("%s ends with %d", talks[i].name, status);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(talks_read_as_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
