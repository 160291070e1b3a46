/* Counts, sizes and rates, in and out. */
#include "account/check.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void counts(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t count;
    } rows[] = {
        {"13B", 13000000000},
        {"13b", 13000000000},
        {"7.5e9", 7500000000},
        {"350M", 350000000},
        {"1 558 M", 1558000000},
        {"124439808", 124439808},
        {"13G", 13000000000},
        {"1.5T", 1500000000000},
        {"64", 64},
        {" 7 B ", 7000000000},
        {"0.35B", 350000000},
        {"13015864320", 13015864320},
        {"13,015,864,320", 13015864320},
        {"1 000", 1000},
        {"13\u202f015\u202f864\u202f320", 13015864320},
        {"7 billion", 7000000000},
        {"7B parameters", 7000000000},
        {"8 GPUs", 8},
        {"1e17", 100000000000000000},
        {"18446744073709551615", UINT64_MAX},
        {"0", 0},
        {"13.01586432e9", 13015864320},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t got = 1;
        struct account_error e = {0};
        if (!account_read_count(rows[i].text, &got, &e)) fail_msg("%s: %s", rows[i].text, e.what);
        if (got != rows[i].count) fail_msg("%s: got %llu", rows[i].text, (unsigned long long)got);
    }
}

static void counts_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int column;
        const char *says;
    } rows[] = {
        {"", 1, "nothing"},
        {"-5", 1, "negative"},
        {"1.5", 1, "whole"},
        {"13GB", 3, "memory"},
        {"13 x", 4, "unexpected"},
        {"13 quux", 4, "unit"},
        {"13B !", 5, "unexpected"},
        {"1,5B", 2, "comma"},
        {"many", 1, "number"},
        {"1e30", 1, "too large"},
        {"18446744073709551616", 1, "too large"},
        {"  \u00d7", 3, "number"},
        {"25e-1e1", 6, "unit"},
        {"1 55 M", 3, "unexpected"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t got;
        struct account_error e = {0};
        if (account_read_count(rows[i].text, &got, &e)) fail_msg("\"%s\" was read", rows[i].text);
        if (!strstr(e.what, rows[i].says)) fail_msg("\"%s\": %s", rows[i].text, e.what);
        if (e.column != rows[i].column) fail_msg("\"%s\": column %d", rows[i].text, e.column);
    }
}

static void bytes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double bytes;
    } rows[] = {
        {"80GB", 80e9},
        {"80GiB", 85899345920.0},
        {"80G", 80e9},
        {"80Gi", 85899345920.0},
        {"31.4 GB", 31.4e9},
        {"2.5e9", 2.5e9},
        {"1TiB", 1099511627776.0},
        {"25MB", 25e6},
        {"512", 512},
        {"512 B", 512},
        {"80gb", 80e9},
        {"80gib", 85899345920.0},
        {"1 KiB", 1024},
        {"1kB", 1000},
        {"7 bytes", 7},
        {"80GIB", 85899345920.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double got = 0;
        struct account_error e = {0};
        if (!account_read_bytes(rows[i].text, &got, &e)) fail_msg("%s: %s", rows[i].text, e.what);
        assert_same(got, rows[i].bytes, rows[i].text);
    }
}

static void bytes_refused(void **state) {
    (void)state;
    static const char *const rows[] = {"",       "GB",     "80Gb",        "80 Gbit",
                                       "8 GPUs", "80GB/s", "80 furlongs", "-1GB",
                                       "80GB 2", "1e400",  "1,5GB",       "80 GB)"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double got;
        struct account_error e = {0};
        if (account_read_bytes(rows[i], &got, &e)) fail_msg("\"%s\" was read", rows[i]);
        assert_true(e.what[0] && e.column > 0);
    }
}

static void rates(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double rate;
    } rows[] = {
        {"25GB/s", 25e9},     {"400 Gb/s", 50e9},          {"400Gbps", 50e9},
        {"400 Gbit/s", 50e9}, {"1.5 GiB/s", 1610612736.0}, {"900 MB/s", 9e8},
        {"25GBps", 25e9},     {"2.5e10", 2.5e10},          {"10 Mb/s", 1.25e6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double got = 0;
        struct account_error e = {0};
        if (!account_read_rate(rows[i].text, &got, &e)) fail_msg("%s: %s", rows[i].text, e.what);
        assert_same(got, rows[i].rate, rows[i].text);
    }
    static const char *const refused[] = {"",        "fast",      "25GB",    "400gb/s",
                                          "25 GB/h", "25 GPUs/s", "25GB/s!", "M/s"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        double got;
        struct account_error e = {0};
        if (account_read_rate(refused[i], &got, &e)) fail_msg("\"%s\" was read", refused[i]);
        assert_true(e.what[0]);
    }
}

static void printing(void **state) {
    (void)state;
    static const struct {
        double value;
        enum account_unit unit;
        int digits;
        const char *text;
    } rows[] = {
        {31.40625e9, ACCOUNT_UNIT_GB, 3, "31.4 GB"},
        {34.125e9, ACCOUNT_UNIT_GB, 4, "34.13 GB"},
        {28.125e9, ACCOUNT_UNIT_GB, 4, "28.13 GB"},
        {112e9, ACCOUNT_UNIT_GB, 3, "112 GB"},
        {26.25e9, ACCOUNT_UNIT_GB, 3, "26.3 GB"},
        {18.75e9, ACCOUNT_UNIT_GB, 3, "18.8 GB"},
        {18.85e9, ACCOUNT_UNIT_GB, 3, "18.9 GB"},
        {-26.25e9, ACCOUNT_UNIT_GB, 3, "-26.3 GB"},
        {26.2499e9, ACCOUNT_UNIT_GB, 3, "26.2 GB"},
        {80e9, ACCOUNT_UNIT_GIB, 4, "74.51 GiB"},
        {0, ACCOUNT_UNIT_GB, 3, "0 GB"},
        {999.96e6, ACCOUNT_UNIT_MB, 4, "1000 MB"},
        {16, ACCOUNT_UNIT_B_PER_PARAM, 3, "16 B/param"},
        {2.03125, ACCOUNT_UNIT_B_PER_PARAM, 6, "2.03125 B/param"},
        {1, ACCOUNT_UNIT_GPUS, 3, "1 GPU"},
        {8, ACCOUNT_UNIT_GPUS, 3, "8 GPUs"},
        {13e9, ACCOUNT_UNIT_PARAMS, 3, "13B"},
        {5e9, ACCOUNT_UNIT_BILLION, 3, "5 billion parameters"},
        {0.0166e9, ACCOUNT_UNIT_GB, 3, "0.0166 GB"},
        {-1.5e9, ACCOUNT_UNIT_GB, 3, "-1.5 GB"},
        {16.645e9, ACCOUNT_UNIT_GB, 4, "16.65 GB"},
        {1.5, ACCOUNT_UNIT_NONE, 3, "1.5"},
        {1e40, ACCOUNT_UNIT_GB, 3, "1e31 GB"},
    };
    char out[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(
            account_print(out, sizeof out, rows[i].value, rows[i].unit, rows[i].digits),
            rows[i].text);
}

/* Columns and figures: so many digits after the point, halves away from zero as account_print() has
 * them. */
static void printing_columns(void **state) {
    (void)state;
    static const struct {
        double value;
        int decimals;
        const char *text;
    } rows[] = {
        {26.25e9, 1, "26.3"},
        {26.2499e9, 1, "26.2"},
        {-26.25e9, 1, "-26.3"},
        {18.85e9, 1, "18.9"}, /* no exact double: it rounds as it is written */
        {16.645e9, 2, "16.65"},
        {1.005e9, 2, "1.01"},
        {31.40625e9, 1, "31.4"},
        {112e9, 0, "112"},
        {112e9, 2, "112.00"},
        {0.5e9, 0, "1"},
        {1.5e9, 0, "2"},
        {2.5e9, 0, "3"},
        {0.05e9, 1, "0.1"},
        {0.0499e9, 1, "0.0"},
        {0.004e9, 1, "0.0"},
        {-0.004e9, 1, "0.0"},
        {0.0625e9, 3, "0.063"},
        {0.0005e9, 3, "0.001"},
        {0, 2, "0.00"},
        {9.96e9, 1, "10.0"},
        {999.95e9, 1, "1000.0"},
        {0.096e9, 1, "0.1"},
        {1234567.8e9, 1, "1234567.8"},
    };
    char out[64], other[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(
            account_print_fixed(out, sizeof out, rows[i].value, ACCOUNT_UNIT_GB, rows[i].decimals),
            rows[i].text);
    for (uint64_t tenths = 20, n = 0; n < 2000; n++, tenths += 5) { /* quarters and halves */
        double value = (double)tenths / 20 * 1e9;
        int digits = value < 10e9 ? 2 : value < 100e9 ? 3 : 4;
        if (value >= 1000e9) break;
        account_print_fixed(out, sizeof out, value, ACCOUNT_UNIT_GB, 1);
        account_print(other, sizeof other, value, ACCOUNT_UNIT_NONE, digits);
        double fixed = strtod(out, NULL) * 1e9, significant = strtod(other, NULL);
        if (fabs(fixed - significant) > 1) fail_msg("%s GB, but %s", out, other);
    }
    assert_string_equal(account_print_fixed(out, 4, 1234.5e9, ACCOUNT_UNIT_GB, 1), "123");
    assert_string_equal(account_print_fixed(out, sizeof out, INFINITY, ACCOUNT_UNIT_GB, 1), "∞");
}

static void decimals_of_columns(void **state) {
    (void)state;
    static const struct {
        double value[3];
        int decimals;
    } rows[] = {
        {{112e9, 14e9, 26e9}, 0},    {{26.25e9, 112e9, 26e9}, 1}, {{26.25e9, 0.5e9, 26e9}, 2},
        {{1.25e9, 2.5e9, 9.9e9}, 2}, {{0.01e9, 112e9, 26e9}, 3},  {{0, 0, 0}, 0},
        {{0, 12.5e9, 0}, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(account_decimals(rows[i].value, 3, ACCOUNT_UNIT_GB), rows[i].decimals);
}

static void printing_well(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *bytes, *count;
    } rows[] = {
        {112e9, "112 GB", "112B"},
        {62e6, "62.0 MB", "62M"},
        {0, "0 B", "0"},
        {512, "512 B", "512"},
        {999.96e6, "1.00 GB", "1B"},
        {1875e6, "1.88 GB", "1.875B"},
        {16e15, "16000 TB", "16000T"},
        {13015864320, "13.0 GB", "13.02B"},
        {124439808, "124 MB", "124.4M"},
        {7.5e9, "7.50 GB", "7.5B"},
        {1500, "1.50 KB", "1.5K"},
        {2e12, "2.00 TB", "2T"},
    };
    char out[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(account_print_bytes(out, sizeof out, rows[i].value), rows[i].bytes);
        assert_string_equal(account_print_count(out, sizeof out, rows[i].value), rows[i].count);
    }
}

static void names_are_found_again(void **state) {
    (void)state;
    enum account_unit found;
    for (unsigned u = ACCOUNT_UNIT_B; u < ACCOUNT_UNITS; u++) {
        assert_true(account_unit_find(account_unit_name((enum account_unit)u), &found));
        assert_int_equal(found, u);
    }
    assert_false(account_unit_find("furlong", &found));
    assert_same(account_unit_scale(ACCOUNT_UNIT_GIB), 1073741824.0, "GiB");
    assert_string_equal(account_category_name(ACCOUNT_MOMENTS), "moments");
}

/* Decimal points are points whatever the locale says, in and out; and what is cut stays whole
 * characters. */
static void no_locale(void **state) {
    (void)state;
    char out[64];
    double got;
    const char *const tried[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", ""};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        if (setlocale(LC_ALL, tried[i])) break;
    assert_true(account_read_bytes("31.4 GB", &got, NULL));
    assert_same(got, 31.4e9, "31.4 GB");
    assert_string_equal(account_print(out, sizeof out, got, ACCOUNT_UNIT_GB, 3), "31.4 GB");
    setlocale(LC_ALL, "C");
    assert_string_equal(account_print(out, 5, got, ACCOUNT_UNIT_GB, 3), "31.4");
}

/* What is printed with enough digits reads back as the same value. */
static void round_trips(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        uint64_t n = chance(&seed) >> (chance(&seed) % 50);
        char out[64];
        uint64_t back;
        snprintf(out, sizeof out, "%llu", (unsigned long long)n);
        assert_true(account_read_count(out, &back, NULL));
        assert_true(back == n);
        enum account_unit u = (enum account_unit)(ACCOUNT_UNIT_B + chance(&seed) % 9);
        double value = (double)(n % 1000000000), bytes;
        account_print(out, sizeof out, value * account_unit_scale(u), u, 15);
        assert_true(account_read_bytes(out, &bytes, NULL));
        assert_same(bytes, value * account_unit_scale(u), out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(counts_refused),
        cmocka_unit_test(bytes),
        cmocka_unit_test(bytes_refused),
        cmocka_unit_test(rates),
        cmocka_unit_test(printing),
        cmocka_unit_test(printing_columns),
        cmocka_unit_test(decimals_of_columns),
        cmocka_unit_test(printing_well),
        cmocka_unit_test(names_are_found_again),
        cmocka_unit_test(no_locale),
        cmocka_unit_test(round_trips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
