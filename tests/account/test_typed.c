/* Answers with the words that people write around a number, and numbers in words. */
#include "account/check.h"

#include <math.h>
#include <string.h>

#define SEVEN    "params=7e9"
#define THIRTEEN "params=13e9"
#define FIRST    "kind=shard quantity=first params=34 gpus=5 rank=1 unit=parameters"
#define TRAFFIC  "kind=traffic recipe=paper params=13e9 gpus=8 stage=2 accumulate=4"

static void right(void **state) {
    (void)state;
    static const struct {
        const char *problem, *typed;
    } rows[] = {
        {SEVEN, "112 GB/GPU"},
        {SEVEN, "112 GB / rank"},
        {SEVEN, "112 GB per GPU"},
        {SEVEN, "112GB a GPU"},
        {SEVEN, "112 GB on each GPU"},
        {SEVEN, "112 GB (per card)"},
        {SEVEN, "112 GB, each"},
        {SEVEN, "112 GB each"},
        {SEVEN, "112 GB in total"},
        {SEVEN, "112 GB of model states per GPU."},
        {SEVEN, "112 gigs"},
        {SEVEN, "it is 112 GB"},
        {SEVEN, "112 GB!"},
        {SEVEN, "112?"},
        {SEVEN, "16 bytes * 7bn"},
        {FIRST, "element 7"},
        {FIRST, "#7"},
        {FIRST, "it begins at number 7"},
        {SEVEN, "It's about 112 GB"},
        {SEVEN, "I get 112 GB"},
        {SEVEN, "the answer is: 112 GB"},
        {SEVEN, "each GPU keeps 112 GB"},
        {SEVEN, "14 times 8"},
        {SEVEN, "896 divided by 8"},
        {SEVEN, "16 bytes per parameter × 7 billion"},
        {SEVEN, "14 plus 14 plus 28 plus 56 GB per GPU"},
        {SEVEN, "(14 + 98) GB per GPU = 112 GB/GPU"},
        {SEVEN, "a hundred and twelve GB"},
        {SEVEN, "one hundred twelve gigabytes"},
        {THIRTEEN, "16 bytes times 13 billion"},
        {THIRTEEN, "sixteen bytes multiplied by 13e9"},
        {THIRTEEN, "sixteen bytes times thirteen billion"},
        {THIRTEEN, "two hundred and eight GB"},
        {THIRTEEN, "two hundred eight billion bytes"},
        {THIRTEEN " gpus=16 stage=2", "thirty-seven point three eight GB"},
        {THIRTEEN " gpus=16 stage=2", "37.375 GB per rank"},
        {"kind=bytes_per_param", "sixteen bytes"},
        {"kind=bytes_per_param", "16 bytes per parameter"},
        {"kind=bytes_per_param", "16 B a parameter"},
        {"kind=bytes_per_param", "two plus two plus four plus eight"},
        {TRAFFIC, "113.75 GB per step"},
        {TRAFFIC, "113.75 GB a step per rank"},
        {TRAFFIC, "5 transfers × 7/8 × 2 B × 13 billion"},
        {"kind=fewest_gpus params=7e9 stage=3 budget=60e9", "two"},
        {"kind=fewest_gpus params=7e9 stage=3 budget=60e9", "2 cards"},
        {"kind=fewest_gpus params=7e9 stage=3 budget=60e9", "at least 2 GPUs"},
        {"kind=shard params=10 gpus=4 quantity=size", "three elements"},
        {"kind=shard params=10 gpus=4 quantity=size", "3 elements per rank"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_judgement j;
        account_judge(&p, rows[i].typed, &j);
        if (j.verdict != ACCOUNT_RIGHT)
            fail_msg("%s, \"%s\": %s, %s %s", rows[i].problem, rows[i].typed,
                     account_verdict_name(j.verdict), j.read_as, j.note);
    }
}

/* What the words say is not lost: a mistake stays one, whatever stands around it, and what is no
 * answer is refused where it begins. */
static void not_right(void **state) {
    (void)state;
    static const struct {
        const char *problem, *typed, *mistake;
        int column;
        const char *says;
    } rows[] = {
        {THIRTEEN, "it is one hundred and fifty-six GB per GPU", "no-master", 0, ""},
        {THIRTEEN, "twenty-six GB each", "weights-only", 0, ""},
        {SEVEN, "banana", "", 1, "\"banana\" is not a number"},
        {SEVEN, "it is much", "", 7, "\"much\" is not a number"},
        {SEVEN, "112 bananas", "", 5, "\"bananas\" is not a unit"},
        {SEVEN, "112 or 113 GB", "", 5, "\"or\" is not a unit"},
        {SEVEN, "16psi", "", 3, "stand for numbers"},
        {SEVEN, "16Ψ", "", 3, "stand for numbers"},
        {SEVEN, "4Ψ + 12Ψ/N", "", 2, "stand for numbers"},
        {SEVEN, "psi*16", "", 1, "stand for numbers"},
        {SEVEN, "16*7/N", "", 6, "stand for numbers"},
        {SEVEN, "112 GB indeed", "", 8, "\"indeed\" could not"},
        {SEVEN, "it is", "", 6, "missing"},
        {SEVEN, "two GPUs", "", 1, "in GPUs"},
        {SEVEN, "112 GB (per GPU", "", 9, "\"per\" is not a number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_judgement j;
        account_judge(&p, rows[i].typed, &j);
        if (strcmp(mistakes_of(&j.diagnosis), rows[i].mistake) != 0 || j.column != rows[i].column ||
            !strstr(j.note, rows[i].says))
            fail_msg("\"%s\": %s (%s), column %d: %s", rows[i].typed,
                     account_verdict_name(j.verdict), mistakes_of(&j.diagnosis), j.column, j.note);
    }
}

static void numbers_in_words(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
        int last;
        double scale;
        const char *rest;
    } rows[] = {
        {"one", 1, 0, 0, ""},
        {"Sixteen bytes", 16, 0, 0, " bytes"},
        {"forty-nine", 49, 0, 0, ""},
        {"forty nine", 49, 0, 0, ""},
        {"eighty-GPU", 80, 0, 0, "-GPU"},
        {"two hundred and eight GB", 208, 0, 0, " GB"},
        {"hundred and two", 102, 0, 100, ""},
        {"one hundred and GPUs", 100, 0, 0, " and GPUs"},
        {"three thousand\nand five", 3005, 0, 0, ""},
        {"two hundred thousand", 200000, 0, 0, ""},
        {"one million two hundred", 1000200, 0, 0, ""},
        {"billion", 1e9, 0, 1e9, ""},
        {"twelve and a half GB", 12.5, -1, 0, " GB"},
        {"nine point seven five", 9.75, -2, 0, ""},
        {"nine point", 9, 0, 0, " point"},
        {"two three", 2, 0, 0, " three"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_words w;
        const char *end = account_read_words(rows[i].text, &w);
        if (!end) fail_msg("\"%s\" was not read", rows[i].text);
        assert_string_equal(end, rows[i].rest);
        assert_same(w.value, rows[i].value, rows[i].text);
        assert_int_equal(w.last, rows[i].last);
        assert_same(w.scale, rows[i].scale, rows[i].text);
    }
    struct account_words w;
    assert_null(account_read_words("ones", &w));
    assert_null(account_read_words("two2", &w));
    assert_null(account_read_words("", &w));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right),
        cmocka_unit_test(not_right),
        cmocka_unit_test(numbers_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
