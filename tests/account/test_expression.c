/* Answers as people type them. */
#include "account/check.h"

#include <math.h>
#include <string.h>

static void read_right(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
        bool explicit_unit, count;
        enum account_unit unit;
    } rows[] = {
        {"48.75", 48.75, false, false, ACCOUNT_UNIT_NONE},
        {"48.75GB", 48.75e9, true, false, ACCOUNT_UNIT_GB},
        {"48.75 GiB", 48.75 * 1073741824, true, false, ACCOUNT_UNIT_GIB},
        {"2*13 + 14*13/8", 48.75, false, false, ACCOUNT_UNIT_NONE},
        {"2*13G + 14*13G/8", 48.75e9, true, false, ACCOUNT_UNIT_NONE},
        {"2×13 + 14·13÷8", 48.75, false, false, ACCOUNT_UNIT_NONE},
        {"2*13e9+14*13e9/8", 48.75e9, true, false, ACCOUNT_UNIT_NONE},
        {"2*13e9/1e9", 26, false, false, ACCOUNT_UNIT_NONE},
        {"13B", 13e9, true, true, ACCOUNT_UNIT_NONE},
        {"13 B", 13, true, false, ACCOUNT_UNIT_B},
        {"2 B × 7e9", 14e9, true, false, ACCOUNT_UNIT_B},
        {"16 B/param", 16, true, false, ACCOUNT_UNIT_B_PER_PARAM},
        {"(2+14/8)*13", 48.75, false, false, ACCOUNT_UNIT_NONE},
        {"(2*13 + 14*13/8) GB", 48.75e9, true, false, ACCOUNT_UNIT_GB},
        {"2*13 + 14*13/8 GB", 48.75e9, true, false, ACCOUNT_UNIT_GB},
        {"26 GB + 22.75 GB", 48.75e9, true, false, ACCOUNT_UNIT_GB},
        {"80 GB / 16", 5e9, true, false, ACCOUNT_UNIT_GB},
        {"-2^2", -4, false, false, ACCOUNT_UNIT_NONE},
        {"2^-1", 0.5, false, false, ACCOUNT_UNIT_NONE},
        {"2^3^2", 512, true, false, ACCOUNT_UNIT_NONE},
        {"2^30", 1073741824, true, false, ACCOUNT_UNIT_NONE},
        {"8 GPUs", 8, true, false, ACCOUNT_UNIT_GPUS},
        {"400 Gb", 50e9, true, false, ACCOUNT_UNIT_NONE},
        {"= 14 GB", 14e9, true, false, ACCOUNT_UNIT_GB},
        {"1 558", 1558, false, false, ACCOUNT_UNIT_NONE},
        {" .5 ", 0.5, false, false, ACCOUNT_UNIT_NONE},
        {"1.664e1", 16.64, false, false, ACCOUNT_UNIT_NONE},
        {"8 - −2 – 1", 9, false, false, ACCOUNT_UNIT_NONE},
        {"10 - 4 - 3", 3, false, false, ACCOUNT_UNIT_NONE},
        {"64 / 4 / 2", 8, false, false, ACCOUNT_UNIT_NONE},
        {"2**3", 8, true, false, ACCOUNT_UNIT_NONE},
        {"16*14e9/2^30 GiB", 16 * 14e9, true, false, ACCOUNT_UNIT_GIB},
        {"16*14e9/2**30GiB", 16 * 14e9, true, false, ACCOUNT_UNIT_GIB},
        {"14e9*16/1e9 GB", 16 * 14e9, true, false, ACCOUNT_UNIT_GB},
        {"80/16 billion", 5e9, true, false, ACCOUNT_UNIT_NONE},
        {"16 x 65", 1040, false, false, ACCOUNT_UNIT_NONE},
        {"16x65", 1040, false, false, ACCOUNT_UNIT_NONE},
        {"16 X 65 GB", 1040e9, true, false, ACCOUNT_UNIT_GB},
        {"16(65)", 1040, false, false, ACCOUNT_UNIT_NONE},
        {"2 (3)", 6, false, false, ACCOUNT_UNIT_NONE},
        {"(2+14/8)(13)", 48.75, false, false, ACCOUNT_UNIT_NONE},
        {"1040 gigabytes", 1040e9, true, false, ACCOUNT_UNIT_GB},
        {"1 gigabyte", 1e9, true, false, ACCOUNT_UNIT_GB},
        {"2 gibibytes", 2147483648.0, true, false, ACCOUNT_UNIT_GIB},
        {"1040 GBs", 1040e9, true, false, ACCOUNT_UNIT_GB},
        {"1040 billion bytes", 1040e9, true, false, ACCOUNT_UNIT_B},
        {"3 million", 3e6, true, false, ACCOUNT_UNIT_NONE},
        {"6 billion parameters", 6e9, true, false, ACCOUNT_UNIT_PARAMS},
        {"16 GB.", 16e9, true, false, ACCOUNT_UNIT_GB},
        {"16.", 16, false, false, ACCOUNT_UNIT_NONE},
        {"~ 16", 16, false, false, ACCOUNT_UNIT_NONE},
        {"≈16 GB", 16e9, true, false, ACCOUNT_UNIT_GB},
        {"about 16", 16, false, false, ACCOUNT_UNIT_NONE},
        {"ca. 16", 16, false, false, ACCOUNT_UNIT_NONE},
        {"1,040,000,000,000", 1.04e12, false, false, ACCOUNT_UNIT_NONE},
        {"1,040", 1040, false, false, ACCOUNT_UNIT_NONE},
        {"1,040.5", 1040.5, false, false, ACCOUNT_UNIT_NONE},
        {"60 120", 60120, false, false, ACCOUNT_UNIT_NONE},
        {"2*13 = 26", 26, false, false, ACCOUNT_UNIT_NONE},
        {"2*13 + 14*13/16 ≈ 37.4", 37.4, false, false, ACCOUNT_UNIT_NONE},
        {"2*7 =", 14, false, false, ACCOUNT_UNIT_NONE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_reading r;
        struct account_error e = {0};
        if (!account_read_answer(rows[i].text, &r, &e)) fail_msg("%s: %s", rows[i].text, e.what);
        assert_same(r.value, rows[i].value, rows[i].text);
        if (r.explicit_unit != rows[i].explicit_unit || r.count_suffix != rows[i].count ||
            r.unit != rows[i].unit)
            fail_msg("%s: explicit %d, count %d, unit %s", rows[i].text, r.explicit_unit,
                     r.count_suffix, account_unit_name(r.unit));
    }
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int column;
        const char *says;
    } rows[] = {
        {"", 1, "missing"},
        {"   ", 4, "missing"},
        {"2*", 3, "missing"},
        {"2*(13", 3, "never closed"},
        {"13)", 3, "never opened"},
        {"2 13", 3, "operator"},
        {"3,5", 2, "comma"},
        {"2*y", 3, "number"},
        {"8/0", 2, "zero"},
        {"13 quux", 4, "unit"},
        {"2×÷3", 3, "number"},
        {"1e308*1e308", 6, "too large"},
        {"(-8)^0.5", 5, "not give a number"},
        {"()", 2, "number"},
        {"sundry 16", 1, "number"},
        {"=", 2, "missing"},
        {"≈ ", 3, "missing"},
        {"about", 6, "missing"},
        {"1e999", 1, "too large"},
        {"2*1e-999", 3, "too small"},
        {"2^30^9", 2, "too large"},
        {"2*2^99999", 4, "too large"},
        {"1/2^99999", 4, "too large"},
        {"2^-9999", 2, "too small"},
        {"1e-200/1e200", 7, "too small"},
        {"2^(30 GB)", 2, "power"},
        {"1040,0", 5, "1040.0"},
        {"1,0400", 2, "1.0400"},
        {"2*1,5", 4, "1.5"},
        {"1,040,0", 6, "three"},
        {"16,", 3, "comma"},
        {"40 12", 4, "one number"},
        {"1 0400", 3, "one number"},
        {"16 GB 4", 7, "one number"},
        {"1040 000", 6, "one number"},
        {"2*13 = 27", 6, "differ"},
        {"2*13 = ) ", 8, "number"},
        {"16 GB + 7 B params", 1, "different"},
        {"16 GB indeed", 7, "operator"},
        {"1..2", 3, "operator"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_reading r;
        struct account_error e = {0};
        if (account_read_answer(rows[i].text, &r, &e))
            fail_msg("\"%s\" was read as %g", rows[i].text, r.value);
        if (!strstr(e.what, rows[i].says)) fail_msg("\"%s\": %s", rows[i].text, e.what);
        if (e.column != rows[i].column)
            fail_msg("\"%s\": column %d: %s", rows[i].text, e.column, e.what);
    }
}

static void deep_nesting_is_refused(void **state) {
    (void)state;
    char text[4096];
    struct account_reading r;
    static const char *const nests[] = {"(", "-", "2^"};
    for (size_t n = 0; n < sizeof nests / sizeof *nests; n++) {
        text[0] = '\0';
        while (strlen(text) + 8 < sizeof text) strcat(text, nests[n]);
        struct account_error e = {0};
        assert_false(account_read_answer(text, &r, &e));
        assert_non_null(strstr(e.what, "deeply"));
    }
}

/* Whatever is typed, the readers return, and a refusal names a column of the text. */
static void noise(void **state) {
    (void)state;
    static const char *const pieces[] = {
        "1",       "23",     "4.5",      ".",    "e9",     "e",      "+",         "-",
        "*",       "×",      "÷",        "/",    "^",      "(",      ")",         " ",
        "GB",      "GiB",    "G",        "B",    "Gb",     "b",      "/s",        "params",
        "B/param", "\u202f", "000",      "\xff", "\xc3",   "−",      ",",         "=",
        "1e999",   "2^",     "x",        "≈",    "about ", "1,040",  " billion ", "two ",
        "hundred", "and ",   " per GPU", "each", "(",      "times ", "it is ",    "/GPU"};
    uint64_t seed = 11;
    size_t read = 0;
    for (int i = 0; i < 60000; i++) {
        char text[128] = "";
        for (size_t n = chance(&seed) % 9; n > 0; n--)
            strcat(text, pieces[chance(&seed) % (sizeof pieces / sizeof *pieces)]);
        struct account_reading r;
        struct account_error e = {0};
        uint64_t count;
        double number;
        if (account_read_answer(text, &r, &e)) {
            read++;
            if (!isfinite(r.value)) fail_msg("\"%s\" is %g", text, r.value);
        } else if (!e.what[0] || e.column < 1 || e.column > (int)strlen(text) + 1) {
            fail_msg("\"%s\": column %d: %s", text, e.column, e.what);
        }
        account_read_count(text, &count, &e);
        account_read_bytes(text, &number, &e);
        account_read_rate(text, &number, &e);
    }
    assert_true(read > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_right),
        cmocka_unit_test(refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
