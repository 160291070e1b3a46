/* Search while typing: over the course and a record of five years, next to an empty one. Prints
 * milliseconds a search; asserts nothing. */
#include "timing.h"
#include "years.h"

#include "session/session.h"

#include <stdlib.h>
#include <unistd.h>

enum { TIMES = 41, FRAME_MS = 16 };

static void count(void *to, const struct session_hit *h) {
    (void)h;
    ++*(size_t *)to;
}

static double search_ms(struct learner *who, const char *words, size_t *hits) {
    double times[TIMES];
    for (int i = 0; i < TIMES; i++) {
        double begun = now_ms();
        *hits = 0;
        session_search(who, &(struct session_query){.words = words, .at_once = true}, count, hits);
        times[i] = now_ms() - begun;
    }
    qsort(times, TIMES, sizeof *times, by_value);
    return times[TIMES / 2];
}

static struct learner *open_record(const char *path) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(path, &m);
    if (!who) years_fail("%s", m.what);
    while (session_search_waits(who)) session_search_read(who);
    return who;
}

int main(void) {
    static const char *const words[] = {"ga", "gather", "out of memory", "e", "zzz"};
    char home[] = "/tmp/zerotutor-bench-XXXXXX";
    if (!mkdtemp(home)) return perror("bench: a temporary folder"), 1;
    char *small = base_format("%s/small.db", home), *large = base_format("%s/large.db", home),
         *remove = base_format("rm -rf %s", home);
    years_empty(small);
    years_make(large);
    struct learner *empty = open_record(small), *full = open_record(large);
    printf("search, median of %d, a frame is %d ms: an empty record, one of 300,000 answers\n",
           TIMES, FRAME_MS);
    for (size_t i = 0; i < BASE_COUNT(words); i++) {
        size_t few, many;
        double a = search_ms(empty, words[i], &few), b = search_ms(full, words[i], &many);
        printf("%-22s %8.2f ms %5zu hits %8.2f ms %5zu hits %6.2fx\n", words[i], a, few, b, many,
               b / a);
    }
    session_learner_close(empty);
    session_learner_close(full);
    int status = system(remove);
    free(small);
    free(large);
    free(remove);
    return status;
}
