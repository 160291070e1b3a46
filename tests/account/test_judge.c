/* Verdicts on what learners type, for whole problems and for the lines of a worksheet. */
#include "account/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STAGE_2  "params=7.5e9 gpus=64 gpus_per_node=4 stage=2"
#define THIRTEEN "params=13e9 gpus=16 stage=2"

static const struct {
    const char *problem, *typed, *verdict, *read_as, *mistakes;
} verdict_rows[] = {
    {STAGE_2, "16.640625", "right", "16.64 GB", ""},
    {STAGE_2, "16.64", "right", "16.64 GB", ""},
    {STAGE_2, "16.6", "right", "16.6 GB", ""},
    {STAGE_2, "16.6 GB", "right", "16.6 GB", ""},
    {STAGE_2, "16640625000", "right", "16.64 GB", ""},
    {STAGE_2, "16.64e9", "right", "16.64 GB", ""},
    {STAGE_2, "15.498 GiB", "right", "16.64 GB", ""},
    {STAGE_2, "15.5 GiB", "right", "16.64 GB", ""},
    {STAGE_2, "16640 MB", "right", "16.64 GB", ""},
    {STAGE_2, "0.0166 TB", "right", "16.6 GB", ""},
    {STAGE_2, "2*7.5 + 14*7.5/64", "right", "16.64 GB", ""},
    {STAGE_2, "2*7.5G + 14*7.5G/64", "right", "16.64 GB", ""},
    {STAGE_2, "2*7.5e9 + 14*7.5e9/64", "right", "16.64 GB", ""},
    {STAGE_2, "(2*7.5e9 + 14*7.5e9/64)/1e9", "right", "16.64 GB", ""},
    {STAGE_2, "17", "rounded", "17 GB", ""},
    {STAGE_2, "17 GB", "rounded", "17 GB", ""},
    {STAGE_2, "16", "wrong", "16 GB", ""},
    {STAGE_2, "16.17", "mistake", "16.17 GB", "no-master"},
    {STAGE_2, "21.56", "mistake", "21.56 GB", "nodes"},
    {STAGE_2, "41.25 GB", "mistake", "41.25 GB", "per-node"},
    {STAGE_2, "41.3", "mistake", "41.3 GB", "per-node"},
    {STAGE_2, "15.5", "unit", "15.5 GB", "gib-for-gb"},
    {STAGE_2, "16.64GiB", "unit", "17.87 GB", "twin-unit"},
    {STAGE_2, "16.64 Gb", "unit", "2.08 GB", "eighth"},
    {"params=70e9", "1120Gb", "unit", "140 GB", "eighth"},
    {"params=70e9", "1120 Gbit", "unit", "140 GB", "eighth"},
    {"params=7e9", "56 Gb", "unreadable", "7 GB", ""},
    {"params=7e9", "84 Gbit", "unreadable", "10.5 GB", ""},
    {"params=70e9", "140 GB", "mistake", "140 GB", "weights-only"},
    {"params=70e9", "8960 Gb", "right", "1120 GB", ""},
    {STAGE_2, "2.08 GB", "unit", "2.08 GB", "eighth"},
    {STAGE_2, "16171875000", "mistake", "16.17 GB", "no-master"},
    {STAGE_2, "19.3", "wrong", "19.3 GB", ""},
    {STAGE_2, "-16.6", "wrong", "-16.6 GB", ""},
    {"params=7.5e9 gpus=64 gpus_per_node=8 stage=2", "28.1 GB", "mistake", "28.1 GB",
     "nodes per-node"},
    {THIRTEEN, "2*13 + 10*13/16", "mistake", "34.13 GB", "no-master"},
    {THIRTEEN, "37.4", "right", "37.4 GB", ""},
    {THIRTEEN, "2*13 + 14*13/16 GB", "right", "37.38 GB", ""},
    {THIRTEEN, "2 B × 13e9 + (2 + 4 + 8) B × 13e9 ÷ 16", "right", "37.38 GB", ""},
    {"params=7e9", "112", "right", "112 GB", ""},
    {"params=7e9", "110", "rounded", "110 GB", ""},
    {"params=7e9", "112000000000 bytes", "right", "112 GB", ""},
    {"params=7e9", "104.3", "unit", "104.3 GB", "gib-for-gb"},
    {"params=7e9", "7", "mistake", "7 GB", "psi-as-bytes"},
    {"params=7e9 unit=GiB", "104", "right", "104 GiB", ""},
    {"params=7e9 unit=GiB", "112", "unit", "112 GiB", "gb-for-gib"},
    {"params=7e9 unit=GiB", "112 GB", "right", "104.3 GiB", ""},
    {"params=7e9 unit=GiB", "84", "mistake", "84 GiB", "no-master+gb-for-gib"},
    {"params=7e9 unit=GiB", "56", "mistake", "56 GiB", "pure-16bit+gb-for-gib"},
    {"kind=bytes_per_param", "16", "right", "16 B/param", ""},
    {"kind=bytes_per_param", "16B", "right", "16 B/param", ""},
    {"kind=bytes_per_param", "16 B/param", "right", "16 B/param", ""},
    {"kind=bytes_per_param", "2+2+4+8", "right", "16 B/param", ""},
    {"kind=bytes_per_param", "12", "mistake", "12 B/param", "no-master"},
    {"kind=largest_params budget=80GB", "5", "right", "5 billion parameters", ""},
    {"kind=largest_params budget=80GB", "5B", "right", "5 billion parameters", ""},
    {"kind=largest_params budget=80GB", "5e9", "right", "5 billion parameters", ""},
    {"kind=largest_params budget=80GB", "80e9/16", "right", "5 billion parameters", ""},
    {"kind=largest_params budget=80GB", "80/16", "right", "5 billion parameters", ""},
    {"kind=largest_params budget=80GB unit=params", "5B", "right", "5B", ""},
    {"kind=fewest_gpus params=13e9 budget=80GB stage=2", "4", "right", "4 GPUs", ""},
    {"kind=fewest_gpus params=13e9 budget=80GB stage=2", "4 GPUs", "right", "4 GPUs", ""},
    {"kind=fewest_gpus params=13e9 budget=80GB stage=2", "4.01", "wrong", "4.01 GPUs", ""},
    {"kind=fewest_gpus params=13e9 budget=80GB stage=1", "6", "right", "6 GPUs", ""},
    {"kind=convert budget=80GB unit=GiB", "74.5", "right", "74.5 GiB", ""},
    {"kind=convert budget=80GB unit=GiB", "75", "rounded", "75 GiB", ""},
    {"kind=convert budget=80GB unit=GiB", "80e9/2^30", "right", "74.51 GiB", ""},
    {"kind=convert budget=80GB unit=GiB", "80", "unit", "80 GiB", "gb-for-gib"},
    {"params=14e9 unit=GiB", "16*14e9/2^30 GiB", "right", "208.6 GiB", ""},
    {"params=2.7e9 unit=GiB", "2.7e9*16/2^30 GiB", "right", "40.23 GiB", ""},
    {"params=8e9 unit=GiB", "8e9*16/2**30 GiB", "right", "119.2 GiB", ""},
    {"params=14e9", "14e9*16/1e9 GB", "right", "224 GB", ""},
    {"params=14e9", "16 B × 14e9 / 1e9 GB", "right", "224 GB", ""},
    {"params=14e9", "12*14e9/1e9 GB", "mistake", "168 GB", "no-master"},
    {"params=14e9", "16*14e9/1e999 GB", "unreadable", "", ""},
    {"kind=largest_params budget=48GB", "48 GB/16", "right", "3 billion parameters", ""},
    {"kind=largest_params budget=48GB", "48 GB ÷ (2 + 2 + 4 + 8) B", "right",
     "3 billion parameters", ""},
    {"kind=largest_params budget=48GB", "48 GB ÷ (2 + 2 + 8) B", "mistake", "4 billion parameters",
     "no-master"},
    {"kind=largest_params budget=48GB", "48/16 billion", "right", "3 billion parameters", ""},
    {"kind=largest_params budget=48GB", "48 GB/16 = 3 B", "right", "3 billion parameters", ""},
    {"kind=largest_params budget=48GB", "48 GB", "unreadable", "", ""},
    {"kind=largest_params budget=48GB", "16 B/param", "unreadable", "", ""},
    {"kind=largest_params budget=32GB", "32 GB / 16 B", "right", "2 billion parameters", ""},
    {"kind=largest_params budget=32GB", "32e9 B/(16 B/param)", "right", "2 billion parameters", ""},
    {"kind=largest_params budget=32GB", "32 GB ÷ 16 B/param", "right", "2 billion parameters", ""},
    {"params=65e9", "65B params * 16", "right", "1040 GB", ""},
    {"params=65e9", "16 x 65", "right", "1040 GB", ""},
    {"params=65e9", "65Bx16", "right", "1040 GB", ""},
    {"params=65e9", "1,040,000,000,000", "right", "1040 GB", ""},
    {"params=65e9", "1,040", "right", "1040 GB", ""},
    {"params=65e9", "65B params", "unreadable", "", ""},
    {"params=65e9", "2 B × 65e9", "mistake", "130 GB", "weights-only"},
    {"params=1.3e9", "16 B/param * 1.3B", "right", "20.8 GB", ""},
    {"params=1.3e9", "16B × 1.3B", "right", "20.8 GB", ""},
    {"params=1.3e9", "16 GB × 1.3 GB", "unreadable", "", ""},
    {"params=20e9", "16 bytes/param × 20B params", "right", "320 GB", ""},
    {"params=6.7e9", "16 B * 6.7", "right", "107.2 GB", ""},
    {"params=6.7e9", "16 B * 6700000000", "right", "107.2 GB", ""},
    {"params=6.7e9", "12 B * 6.7", "mistake", "80.4 GB", "no-master"},
    {"params=13e9", "16 B × 13e9 = 208 GB", "right", "208 GB", ""},
    {"params=13e9", "12 B × 13e9 = 156 GB", "mistake", "156 GB", "no-master"},
    {"params=13e9", "16 × 13 = 200 GB", "unreadable", "", ""},
    {THIRTEEN, "37,375", "right", "37.38 GB", ""},
    {THIRTEEN, "299 GB / 8 GPUs", "right", "37.38 GB", ""},
    {"params=13e9", "13B", "unreadable", "13B", ""},
    {"model=llama-2-13b", "13B", "unreadable", "13B", ""},
    {"params=13e9", "13", "mistake", "13 GB", "psi-as-bytes"},
    {"params=13e9", "156B", "mistake", "156 GB", "no-master"},
    {"params=13e9", "208B", "right", "208 GB", ""},
    {"kind=largest_params budget=80GB", "13B", "wrong", "13 billion parameters", ""},
    {STAGE_2, "", "unreadable", "", ""},
    {STAGE_2, "plenty", "unreadable", "", ""},
    {STAGE_2, "16 GPUs", "unreadable", "", ""},
    {STAGE_2, "16,6", "unreadable", "", ""},
    {STAGE_2, "2*(7.5", "unreadable", "", ""},
};

static void verdicts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof verdict_rows / sizeof *verdict_rows; i++) {
        struct account_problem p = problem_of(verdict_rows[i].problem);
        struct account_judgement j;
        account_judge(&p, verdict_rows[i].typed, &j);
        const char *verdict = account_verdict_name(j.verdict);
        if (strcmp(verdict, verdict_rows[i].verdict) != 0 ||
            strcmp(mistakes_of(&j.diagnosis), verdict_rows[i].mistakes) != 0)
            fail_msg("%s, \"%s\": %s (%s)", verdict_rows[i].problem, verdict_rows[i].typed, verdict,
                     mistakes_of(&j.diagnosis));
        assert_string_equal(j.read_as, verdict_rows[i].read_as);
        assert_int_equal(j.verdict == ACCOUNT_UNREADABLE, j.column > 0);
        assert_true(j.verdict != ACCOUNT_UNREADABLE || j.note[0]);
    }
}

/* A B behind a number counts parameters: said, not graded. */
static void hints_at_b(void **state) {
    (void)state;
    struct account_problem p = problem_of("params=7e9");
    struct account_judgement j;
    account_judge(&p, "112B", &j);
    assert_int_equal(j.verdict, ACCOUNT_RIGHT);
    assert_non_null(strstr(j.note, "parameters"));
    account_judge(&p, "16*7B", &j);
    assert_string_equal(j.note, "");
    account_judge(&p, "112 GB", &j);
    assert_string_equal(j.note, "");
    p = problem_of("kind=largest_params budget=80GB");
    account_judge(&p, "5B", &j);
    assert_string_equal(j.note, "");
}

/* A right value in another unit family earns the number that was asked, ungraded. */
static void notes(void **state) {
    (void)state;
    static const struct {
        const char *problem, *typed, *note;
    } rows[] = {
        {"params=20e9 unit=GiB", "16*20GB", "you answered in GB, which is converted to GiB"},
        {"params=20e9 unit=GiB", "320 GB", "you answered in GB, which is converted to GiB"},
        {"params=20e9 unit=GiB", "16*20e9", "you answered in bytes, which is converted to GiB"},
        {"params=20e9 unit=GiB", "298", ""},
        {"params=20e9 unit=GiB", "298 GiB", ""},
        {"params=20e9 unit=GiB", "16*20e9/2^30 GiB", ""},
        {"params=20e9 unit=GiB", "16*20e9/2^30", ""},
        {"params=20e9 unit=GiB", "305176 MiB", ""},
        {"params=20e9 unit=GiB", "12*20GB", ""},
        {"params=20e9", "298 GiB", "you answered in GiB, which is converted to GB"},
        {"params=20e9", "16*20e9", ""},
        {"params=20e9", "0.32 TB", ""},
        {THIRTEEN, "37,375", "the comma was read as a decimal point; write a point"},
        {THIRTEEN, "37.375", ""},
        {"params=7e9", "56 Gb",
         "a small b means bits, so this is 7 GB. For bytes write a capital B: GB"},
        {"params=7e9 unit=GiB", "80 Gb",
         "a small b means bits, so this is 9.313 GiB. For bytes write a capital B: GB"},
        {"params=7e9", "896 Gb", "you answered in bits, which are converted to GB"},
        {"params=65e9", "1,040", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_judgement j;
        account_judge(&p, rows[i].typed, &j);
        if (strcmp(j.note, rows[i].note) != 0)
            fail_msg("%s, \"%s\": \"%s\"", rows[i].problem, rows[i].typed, j.note);
    }
}

/* What fits a card is asked: by PyTorch's bytes or by the driver's, an answer is right, and is told
 * which. The label's bytes are neither. */
static void either_figure_of_a_card_is_right(void **state) {
    (void)state;
    static const struct {
        const char *problem, *typed, *verdict, *note;
    } rows[] = {
        /* clang-format off */
        {"kind=largest_params gpu=a100-80g",             "5.312", "right",   "right by the 85.0 GB that PyTorch reports"},
        {"kind=largest_params gpu=a100-80g",             "5.369", "right",   "right by the 85.9 GB that the driver reports; PyTorch reports 85.0 GB"},
        {"kind=largest_params gpu=a100-80g",             "5.00",  "mistake", ""},
        {"kind=largest_params gpu=a100-80g",             "5.43",  "wrong",   ""},
        {"kind=largest_params gpu=a100-40g",             "2.684", "right",   ""},
        {"kind=largest_params gpu=a100-80g budget=80GB", "5.00",  "right",   ""},
        {"kind=largest_params gpu=a100-80g budget=80GB", "5.369", "mistake", ""},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_judgement j;
        account_judge(&p, rows[i].typed, &j);
        if (strcmp(account_verdict_name(j.verdict), rows[i].verdict) != 0 ||
            strcmp(j.note, rows[i].note) != 0)
            fail_msg("%s, \"%s\": %s \"%s\"", rows[i].problem, rows[i].typed,
                     account_verdict_name(j.verdict), j.note);
    }
}

struct entry {
    size_t line;
    const char *typed, *verdict, *mistakes;
};

static void sheet(const char *problem, const struct entry *entries, size_t count) {
    struct account_problem p = problem_of(problem);
    struct account_solution s;
    double given[ACCOUNT_LINES];
    assert_true(account_solve(&p, &s, NULL));
    for (size_t i = 0; i < ACCOUNT_LINES; i++) given[i] = NAN;
    for (size_t i = 0; i < count; i++) {
        struct account_judgement j;
        account_judge_line(&p, &s, entries[i].line, given, entries[i].typed, &j);
        if (strcmp(account_verdict_name(j.verdict), entries[i].verdict) != 0 ||
            strcmp(mistakes_of(&j.diagnosis), entries[i].mistakes) != 0)
            fail_msg("%s, line %zu, \"%s\": %s (%s)", problem, entries[i].line, entries[i].typed,
                     account_verdict_name(j.verdict), mistakes_of(&j.diagnosis));
        given[entries[i].line] = j.value;
    }
}

/* The number of an earlier line, typed again, is named as that before any far-fetched mistake, both
 * its right number and the one that was answered. The number of a later line never is. */
static void a_line_typed_again(void **state) {
    static const struct {
        size_t line;
        const char *typed;
        size_t is;
    } rows[] = {{0, "4", 0}, {1, "10", 1}, {1, "4", 1}, {2, "16", 2}, {2, "10", 1}, {0, "40", 0}};
    struct account_problem p =
        problem_of("kind=shard quantity=padding unit=parameters params=39 gpus=4 stage=1");
    struct account_solution s;
    double given[ACCOUNT_LINES] = {4, 16};
    (void)state;
    assert_true(account_solve(&p, &s, NULL));
    assert_int_equal(s.lines, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_judgement j;
        account_judge_line(&p, &s, rows[i].line, given, rows[i].typed, &j);
        if (j.line != rows[i].is || (j.line > 0 && j.verdict != ACCOUNT_WRONG))
            fail_msg("line %zu, \"%s\": %s, line %zu", rows[i].line, rows[i].typed,
                     account_verdict_name(j.verdict), j.line);
    }
}

static void worksheets(void **state) {
    (void)state;
    static const struct entry ledger[] = {
        {0, "14", "right", ""},
        {1, "28 GB", "mistake", "fp32-grads"},
        {2, "26.1", "unit", "gib-for-gb"},
        {3, "2*4*7", "right", ""},
        {4, "124", "right", ""}, /* 14 + 28 + 26.1 + 56, as they were given */
    };
    sheet("params=7e9", ledger, sizeof ledger / sizeof *ledger);
    static const struct entry late[] = {
        {3, "28", "mistake", "one-moment"}, {4, "84", "right", ""}, {4, "112", "right", ""},
        {4, "56", "mistake", "pure-16bit"}, {4, "99", "wrong", ""}, {4, "?", "unreadable", ""},
    };
    sheet("params=7e9", late, sizeof late / sizeof *late);
    static const struct entry fit[] = {
        {1, "2*13", "right", ""}, {2, "54 GB", "right", ""},
        {3, "156", "wrong", ""},  {4, "3", "right", ""},
        {4, "4", "right", ""},    {4, "5", "mistake", "extra-fp32-grads"},
    };
    sheet("kind=fewest_gpus params=13e9 budget=80GB stage=2", fit, sizeof fit / sizeof *fit);
    static const struct entry rate[] = {
        {1, "12", "mistake", "no-master"}, {2, "80/12", "right", ""}, {2, "6.67", "right", ""}};
    sheet("kind=largest_params budget=80GB", rate, sizeof rate / sizeof *rate);
}

/* ── what the tutor prints is an answer ────────────────────────────────────────────────────────*/

static const char *const printed_problems[] = {
    "params=6.7e9",
    "params=7e9 precision=fp32",
    "params=7e9 precision=bf16 unit=GiB",
    "params=124439808 unit=MiB",
    "params=13e9 unit=TB",
    "params=13e9 unit=TiB",
    "params=1e6 unit=KB",
    "params=1e6 unit=KiB",
    "params=1e3 unit=B",
    "params=350M unit=MB optimizer=adam8bit",
    "model=llama-2-13b gpus=8 stage=1",
    STAGE_2,
    "params=7.5e9 gpus=64 gpus_per_node=8 stage=3 unit=GiB",
    "params=7.5e9 gpus=64 stage=2 per=cluster",
    "params=7e9 quantity=optimizer",
    "kind=bytes_per_param",
    "kind=bytes_per_param gpus=8 stage=2 optimizer=lion",
    "kind=largest_params budget=80GB",
    "kind=largest_params budget=48GB gpus=8 stage=2",
    "kind=largest_params gpu=h100-80g gpus=64 stage=3",
    "kind=largest_params budget=96GB unit=params",
    "kind=largest_params budget=80GiB precision=fp32",
    "kind=fewest_gpus params=13e9 budget=80GB stage=2",
    "kind=fewest_gpus params=70e9 budget=80GB stage=3",
    "kind=convert budget=80GB unit=GiB",
    "kind=convert budget=80GiB unit=GB",
    "kind=convert budget=81559MiB unit=GiB",
};
#define PRINTED (sizeof printed_problems / sizeof *printed_problems)

static void must_be(const char *problem, const char *typed, const struct account_judgement *j,
                    bool ok) {
    if (!ok)
        fail_msg("%s, \"%s\": %s, %s (%s) %s", problem, typed, account_verdict_name(j->verdict),
                 j->read_as, mistakes_of(&j->diagnosis), j->note);
}

static void solutions_are_answers(void **state) {
    (void)state;
    for (size_t i = 0; i < PRINTED; i++) {
        struct account_problem p = problem_of(printed_problems[i]);
        struct account_solution s;
        struct account_judgement j;
        char text[256];
        assert_true(account_solve(&p, &s, NULL));
        for (int digits = 3; digits <= 15; digits++) {
            account_print(text, sizeof text, s.value, s.unit, digits);
            account_judge(&p, text, &j);
            must_be(printed_problems[i], text, &j, j.verdict == ACCOUNT_RIGHT);
        }
        for (size_t n = 0; n < s.lines; n++) {
            bool up = s.line[n].unit == ACCOUNT_UNIT_GPUS; /* its line says "rounded up" */
            account_judge_line(&p, &s, n, NULL, s.line[n].formula, &j);
            must_be(printed_problems[i], s.line[n].formula, &j, up || j.verdict == ACCOUNT_RIGHT);
            char value[64];
            account_print(value, sizeof value, s.line[n].value, s.line[n].unit, 5);
            snprintf(text, sizeof text, "%s = %s", up ? value : s.line[n].formula, value);
            account_judge_line(&p, &s, n, NULL, text, &j);
            must_be(printed_problems[i], text, &j, j.verdict == ACCOUNT_RIGHT);
        }
    }
}

static bool names(const struct account_judgement *j, const struct account_mistake *m) {
    for (size_t i = 0; i < j->diagnosis.count; i++)
        if (j->diagnosis.match[i].mistake == m) return true;
    return false;
}

/* The line of arithmetic of a mistake, typed as the answer, is that mistake, with its result and
 * without. Left out are what is no sum ("rounded up", "of 80 GB"), and units crossed, since there
 * the two sides do differ. */
static void mistakes_are_answers(void **state) {
    (void)state;
    size_t count, tried = 0, named = 0;
    const struct account_mistake *m = account_mistakes(&count);
    for (size_t i = 0; i < PRINTED; i++)
        for (size_t k = 0; k < count; k++) {
            struct account_problem p = problem_of(printed_problems[i]);
            struct account_match match;
            struct account_judgement j;
            if (!account_mistake_value(&p, m[k].id, &match) || strchr(match.arithmetic, ',') ||
                strstr(match.arithmetic, " of ") ||
                strstr("gib-for-gb gb-for-gib backwards", m[k].id))
                continue;
            for (int with = 1; with >= 0; with--) {
                if (!with) *strstr(match.arithmetic, " = ") = '\0';
                account_judge(&p, match.arithmetic, &j);
                must_be(printed_problems[i], match.arithmetic, &j, j.diagnosis.count > 0);
                named += names(&j, &m[k]);
                tried++;
            }
        }
    /* a rounded result may be a commoner mistake's */
    assert_true(tried > 400 && named * 100 >= tried * 98);
}

/* ── noise ─────────────────────────────────────────────────────────────────────────────────────*/

/* Whatever is typed, there is a verdict with a finite value, or a reason with its column. */
static void noise(void **state) {
    (void)state;
    static const char *const pieces[] = {
        "1",     "23",   "4.5",  ".",         "e9",     "+",      "-",       "*",
        "×",     "÷",    "/",    "^",         "(",      ")",      " ",       "GB",
        "GiB",   "G",    "B",    " B",        "b",      "params", "B/param", "GPUs",
        "1,040", "2^30", "x",    "\u202f",    "000",    "\xff",   "\xc3",    ",",
        "=",     "≈",    "e999", " billion ", "about ", "0"};
    uint64_t seed = 23;
    for (size_t i = 0; i < PRINTED; i++) {
        struct account_problem p = problem_of(printed_problems[i]);
        for (int n = 0; n < 600; n++) {
            char text[160] = "";
            for (size_t k = chance(&seed) % 12; k > 0; k--)
                strcat(text, pieces[chance(&seed) % (sizeof pieces / sizeof *pieces)]);
            struct account_judgement j;
            account_judge(&p, text, &j);
            bool reason = j.note[0] && j.column > 0 && j.column <= (int)strlen(text) + 1;
            must_be(printed_problems[i], text, &j,
                    j.verdict == ACCOUNT_UNREADABLE ? reason : isfinite(j.value) && j.read_as[0]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),
        cmocka_unit_test(hints_at_b),
        cmocka_unit_test(notes),
        cmocka_unit_test(either_figure_of_a_card_is_right),
        cmocka_unit_test(a_line_typed_again),
        cmocka_unit_test(worksheets),
        cmocka_unit_test(solutions_are_answers),
        cmocka_unit_test(mistakes_are_answers),
        cmocka_unit_test(noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
