/* What follows an Esc: where a sequence ends, and what is none of it. */
#include "screen/sequence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct {
    /* the Esc */
    const char *after;
    /* characters of it, the last one included */
    size_t taken;
    enum sequence_step step;
} ROWS[] = {
    {"x", 1, SEQUENCE_ENDS}, /* Alt and x */
    {"\r", 1, SEQUENCE_BROKEN},
    {"O", 1, SEQUENCE_GOES_ON},
    {"Op", 2, SEQUENCE_ENDS},
    {"O\177", 2, SEQUENCE_ENDS},
    {"O\r", 2, SEQUENCE_BROKEN},
    {"[99;5~q", 6, SEQUENCE_ENDS},
    {"[99;5", 5, SEQUENCE_GOES_ON},
    {"[99\003", 4, SEQUENCE_BROKEN},
    {"[Mqqqq", 5, SEQUENCE_ENDS},
    {"[[Aq", 3, SEQUENCE_ENDS},
    {"]0;title\007q", 9, SEQUENCE_ENDS},
    {"]11;rgb:0/0/0\033\\q", 15, SEQUENCE_ENDS},
    {"Ppassed\rover\033\\qq", 14, SEQUENCE_ENDS},
};

static void sequences_end_where_they_should(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(ROWS); i++) {
        struct sequence s = {0};
        enum sequence_step step = SEQUENCE_GOES_ON;
        size_t taken = 0;
        while (step == SEQUENCE_GOES_ON && ROWS[i].after[taken])
            step = screen_sequence_take(&s, (unsigned char)ROWS[i].after[taken++]);
        if (taken != ROWS[i].taken || step != ROWS[i].step)
            fail_msg("row %zu: %zu taken, step %d", i, taken, (int)step);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sequences_end_where_they_should)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
