/* Grading a class: PUPILS hand-ins of ANSWERS answers each, with numbers of their own, collected
 * and graded; with one that was made to take for ever, and without. Prints seconds; asserts
 * nothing. `bench_grade 30 200` makes fewer. */
#include "timing.h"
#include "years.h"

#include "session/pupils.h"

#include <stdlib.h>
#include <unistd.h>

static void hand_in(struct pupils *p, const struct classroom_folder *f,
                    const struct classroom_settings *s, int number, size_t answers) {
    struct base_message m = {0};
    size_t length;
    char account[32], name[64];
    snprintf(account, sizeof account, "pupil%03d", number);
    snprintf(name, sizeof name, "%032x.handin", number);
    struct pupils_row *row = pupils_answers(p, s, account, answers);
    char *text = pupils_text(p, s, account, row, answers, 1, &length);
    if (!classroom_write(f, CLASSROOM_HANDINS, name, 0644, text, length, &m))
        years_fail("%s", m.what);
    free(text);
    pupils_free(row, answers);
}

int main(int argc, char **argv) {
    struct base_message m = {0};
    struct classroom_settings s;
    int pupils = argc > 1 ? atoi(argv[1]) : 300, answers = argc > 2 ? atoi(argv[2]) : 2000;
    char home[] = "/tmp/zerotutor-bench-XXXXXX";
    if (!mkdtemp(home)) return perror("bench: a temporary folder"), 1;
    char *folder = base_format("%s/class", home), *clear = base_format("rm -rf %s", home);
    struct classroom_folder *f = classroom_make(folder, &m);
    classroom_settings_new(&s, "bench");
    s.synchronised = true; /* all files are this account's */
    s.counts = CLASSROOM_BEST;
    if (!f || !classroom_settings_write(f, &s, &m)) years_fail("%s", m.what);
    double begun = now_ms();
    struct pupils *p = pupils_open();
    for (int i = 0; i < pupils; i++) hand_in(p, f, &s, i + 1, (size_t)answers);
    pupils_close(p);
    printf("%d learners × %d answers: made in %.1f s\n", pupils, answers,
           (now_ms() - begun) / 1000);
    begun = now_ms();
    json_t *collected = classroom_collect(f, &s, &m);
    if (!collected) years_fail("%s", m.what);
    printf("class collect  %6.1f s\n", (now_ms() - begun) / 1000);
    begun = now_ms();
    json_t *grades = session_class_grade(f, &s, NULL, &m);
    if (!grades) years_fail("%s", m.what);
    size_t listed = 0, i;
    json_t *learner;
    json_array_foreach(json_object_get(grades, "learners"), i, learner) listed +=
        json_array_size(json_object_get(learner, "listed"));
    printf("class grade    %6.1f s, %lld answers, %zu findings\n", (now_ms() - begun) / 1000,
           (long long)base_json_int(grades, "answers", 0), listed);
    json_decref(grades);
    json_decref(collected);
    classroom_close(f);
    int status = getenv("KEEP") ? puts(home) < 0 : system(clear);
    free(folder);
    free(clear);
    return status != 0;
}
