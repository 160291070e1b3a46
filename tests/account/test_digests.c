/* The engine says what it said: 10,200 random trainings over all fields, and three digests of all
 * that the engine says about each hundred of them, by subject, compared with the files in digests/:
 * numbers.txt, figures.txt (those that stand in texts) and words.txt (digest.h). If the code is
 * only put in another order, nothing here may change; if only texts are, numbers.txt may not.
 *
 *     DIGESTS=4217 make test-account     prints every value of training 4217 into what the
 *                                        test says; with the same from a commit before, `diff`
 *                                        shows what has changed
 *     GENERATE=1 make test-account       writes words.txt, after a change of texts
 *     GENERATE=figures, GENERATE=numbers write the others, and nothing else, if figures or numbers
 *                                        were meant to change; say in the commit which and why */
#include "account/draws.h"
#include "account/outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 102
#define EACH   100 /* trainings of a block */

struct block {
    uint64_t subject[OUTPUT_SUBJECTS];
    /* a few bits of each one's digests: they tell which of them has changed */
    uint8_t training[EACH];
};
/* Of one kind: a file. */
struct digests {
    struct block block[BLOCKS];
    uint64_t tables;
};

/* ── now ───────────────────────────────────────────────────────────────────────────────────────*/

static void add_training(struct digests out[DIGEST_KINDS], uint64_t number) {
    struct digest of[OUTPUT_SUBJECTS];
    struct account_training t = drawn_training(number);
    outputs_of(&t, number, false, of);
    for (int k = 0; k < DIGEST_KINDS; k++) {
        struct block *b = &out[k].block[number / EACH];
        uint64_t all = 0;
        for (size_t s = 0; s < OUTPUT_SUBJECTS; s++) {
            digest_join(&b->subject[s], of[s].hash[k]);
            digest_join(&all, of[s].hash[k]);
        }
        b->training[number % EACH] = (uint8_t)all;
    }
}

static void compute(struct digests out[DIGEST_KINDS]) {
    struct digest tables = {0};
    for (uint64_t number = 0; number < BLOCKS * EACH; number++) add_training(out, number);
    output_tables(&tables);
    for (int k = 0; k < DIGEST_KINDS; k++) out[k].tables = tables.hash[k];
}

/* ── the files ─────────────────────────────────────────────────────────────────────────────────*/

static FILE *open_file(enum digest_kind kind, const char *mode) {
    char path[80];
    snprintf(path, sizeof path, "tests/account/digests/%s.txt", digest_kind_name(kind));
    FILE *file = fopen(path, mode);
    if (!file) fail_msg("cannot open %s", path);
    return file;
}

static void write_block(FILE *file, size_t i, const struct block *b) {
    fprintf(file, "%zu", i);
    for (size_t s = 0; s < OUTPUT_SUBJECTS; s++)
        fprintf(file, " %016llx", (unsigned long long)b->subject[s]);
    fputc(' ', file);
    for (size_t t = 0; t < EACH; t++) fprintf(file, "%02x", b->training[t]);
    fputc('\n', file);
}

static void write_digests(enum digest_kind kind, const struct digests *d) {
    FILE *file = open_file(kind, "w");
    fprintf(file,
            "# Written by test_digests.c, which says how. A block of %d trainings a line: ", EACH);
    for (size_t s = 0; s < OUTPUT_SUBJECTS; s++) fprintf(file, "%s, ", output_subject(s));
    fprintf(file, "and eight bits of each training.\n");
    fprintf(file, "tables %016llx\n", (unsigned long long)d->tables);
    for (size_t i = 0; i < BLOCKS; i++) write_block(file, i, &d->block[i]);
    assert_int_equal(fclose(file), 0);
}

static uint64_t read_hex(FILE *file, unsigned digits) {
    unsigned long long value = 0;
    char format[8];
    snprintf(format, sizeof format, "%%%ullx", digits);
    if (fscanf(file, format, &value) != 1) fail_msg("a file of digests is cut");
    return value;
}

static void read_digests(enum digest_kind kind, struct digests *d) {
    FILE *file = open_file(kind, "r");
    unsigned number;
    if (fscanf(file, "#%*[^\n] tables") < 0) fail_msg("a file of digests is empty");
    d->tables = read_hex(file, 16);
    for (size_t i = 0; i < BLOCKS; i++) {
        if (fscanf(file, "%u", &number) != 1 || number != i) fail_msg("no block %zu", i);
        for (size_t s = 0; s < OUTPUT_SUBJECTS; s++) d->block[i].subject[s] = read_hex(file, 16);
        for (size_t t = 0; t < EACH; t++) d->block[i].training[t] = (uint8_t)read_hex(file, 2);
    }
    fclose(file);
}

/* Whether GENERATE asks for this file: each but words.txt by its name. */
static bool is_meant(enum digest_kind kind) {
    const char *wanted = getenv("GENERATE");
    if (!wanted) return false;
    for (enum digest_kind k = 0; k < DIGEST_WORDS; k++)
        if (strcmp(wanted, digest_kind_name(k)) == 0) return k == kind;
    return kind == DIGEST_WORDS;
}

/* ── the tests ─────────────────────────────────────────────────────────────────────────────────*/

/* All that the engine says about one, for a person. */
static void say(uint64_t number) {
    struct digest of[OUTPUT_SUBJECTS];
    struct account_training t = drawn_training(number);
    printf("# training %llu\n", (unsigned long long)number);
    outputs_of(&t, number, true, of);
}

/* Its fields, as they are typed. */
static void name_training(uint64_t number) {
    size_t count;
    char text[80];
    struct account_training t = drawn_training(number);
    const struct account_field *fields = account_fields(&count);
    print_message("  the first that differs is training %llu:", (unsigned long long)number);
    for (size_t i = 0; i < count; i++)
        if (!account_is_default(&t, fields[i].name))
            print_message(" %s=%s", fields[i].name,
                          account_get(&t, fields[i].name, text, sizeof text));
    print_message(" (%s, %u layers of %u); DIGESTS=%llu prints it\n", account_family_name(&t.shape),
                  t.shape.layers, t.shape.hidden, (unsigned long long)number);
}

static size_t first_different(const struct block *got, const struct block *wanted) {
    size_t i = 0;
    while (i < EACH && got->training[i] == wanted->training[i]) i++;
    return i;
}

/* How many blocks differ in a subject; names the first of them. */
static unsigned compare(const struct digests *got, const struct digests *wanted, size_t subject) {
    unsigned differ = 0;
    for (size_t i = 0; i < BLOCKS; i++) {
        if (got->block[i].subject[subject] == wanted->block[i].subject[subject]) continue;
        if (differ++ > 0) continue;
        size_t one = first_different(&got->block[i], &wanted->block[i]);
        print_message("%s: block %zu differs\n", output_subject(subject), i);
        if (one < EACH) name_training(i * EACH + one);
    }
    if (differ > 0)
        print_message("%s: %u of %d blocks differ\n", output_subject(subject), differ, BLOCKS);
    return differ;
}

static void check_kind(enum digest_kind kind) {
    static struct digests got[DIGEST_KINDS], wanted;
    static bool computed = false;
    unsigned differ = 0;
    if (!computed) compute(got);
    computed = true;
    if (is_meant(kind)) write_digests(kind, &got[kind]);
    read_digests(kind, &wanted);
    for (size_t s = 0; s < OUTPUT_SUBJECTS; s++) differ += compare(&got[kind], &wanted, s);
    bool tables = got[kind].tables == wanted.tables;
    if (!tables) print_message("tables: names and texts differ\n");
    if (differ || !tables)
        fail_msg("the engine says other %s than tests/account/digests/%s.txt",
                 digest_kind_name(kind), digest_kind_name(kind));
}

static void numbers_are_as_they_were(void **state) {
    (void)state;
    const char *one = getenv("DIGESTS");
    if (one) say(strtoull(one, NULL, 10));
    check_kind(DIGEST_NUMBERS);
}

static void figures_in_texts_are_as_they_were(void **state) {
    (void)state;
    check_kind(DIGEST_FIGURES);
}

static void words_are_as_they_were(void **state) {
    (void)state;
    check_kind(DIGEST_WORDS);
}

static void every_field_is_drawn(void **state) {
    (void)state;
    const char *missing = never_drawn();
    if (missing) fail_msg("draws.c never draws %s: give it a row or a word", missing);
}

/* A safety net of trainings that are all refused would hold nothing. */
static void most_are_sound(void **state) {
    (void)state;
    int sound = 0;
    for (uint64_t number = 0; number < BLOCKS * EACH; number++) {
        struct account_training t = drawn_training(number);
        sound += account_check(&t, NULL);
    }
    print_message("%d of %d are sound\n", sound, BLOCKS * EACH);
    assert_in_range(sound, 6000, 9500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_drawn),
        cmocka_unit_test(most_are_sound),
        cmocka_unit_test(numbers_are_as_they_were),
        cmocka_unit_test(figures_in_texts_are_as_they_were),
        cmocka_unit_test(words_are_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
