/* A checkpoint gives every run the same states: other ranks, other stages. What is damaged is
 * refused by its name. */
#include "runs.h"

#include "lab/cpu/blocks.h"
#include "lab/saved.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], elsewhere[80];

/* ── helpers ───────────────────────────────────────────────────────────────────────────────────*/
static void empty(const char *path) {
    char name[400];
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        (void)snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        if (unlink(name) != 0) empty(name);
    }
    if (d) (void)closedir(d);
    (void)rmdir(path);
}

static int make(void **state) {
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/zerolab-saved-XXXXXX");
    (void)snprintf(elsewhere, sizeof elsewhere, "%s", mkdtemp(folder) ? folder : "");
    (void)snprintf(elsewhere, sizeof elsewhere, "%s/other", folder);
    return *elsewhere == '/' ? 0 : -1;
}

static int remove_all(void **state) {
    (void)state;
    empty(folder);
    return 0;
}

static struct lab_options trained(uint32_t ranks, uint32_t stage, enum lab_dtype type) {
    struct lab_options o = run_options(ranks, stage);
    o.compute = type;
    o.steps = 4;
    o.save_every = 2;
    (void)snprintf(o.save, sizeof o.save, "%s/trained", folder);
    return o;
}

/* The same training from a checkpoint on; `steps` in all. */
static struct lab_options resumed(struct lab_options o, const char *from, uint32_t done,
                                  uint32_t steps) {
    (void)snprintf(o.resume, sizeof o.resume, "%.255s", from);
    *o.save = '\0';
    o.save_every = 0;
    o.done = done;
    o.steps = steps;
    return o;
}

static struct lab_saved *open_one(const char *path) {
    struct lab_message m = {""};
    struct lab_saved *s = lab_saved_open(path, &m);
    if (!s) fail_msg("%s", m.text);
    return s;
}

/* What lab_state_hash() says of a rank that holds these states, calculated from the file alone. */
static uint64_t expected_hash(struct lab_saved *s, const struct lab_options *o, uint32_t rank) {
    struct lab_partition p;
    uint64_t hash = LAB_HASH_START;
    bool whole = o->stage == 0 || o->ranks == 1;
    assert_true(lab_partition_make(s->model, o->ranks, lab_grain(o), &p));
    lab_partition_group(&p, o->shard_group ? o->ranks / o->shard_group : 1, rank);
    for (size_t u = 0; u < p.units; u++) {
        size_t from = whole ? 0 : p.mine * p.unit[u].shard;
        size_t n = whole ? p.unit[u].count : lab_owned(&p.unit[u], p.mine);
        size_t whole_blocks = (n + LAB_QUANTUM - 1) / LAB_QUANTUM * LAB_QUANTUM;
        float *values = malloc((n + 1) * sizeof *values);
        char *stored = malloc(2 * whole_blocks + 1);
        for (int a = o->compute == LAB_F32 ? LAB_FIRST_MOMENTS : LAB_VALUES; a < LAB_ARRAYS; a++) {
            enum lab_dtype type = a == LAB_FIRST_MOMENTS ? LAB_SIGNED8 : LAB_SQUARE8;
            lab_saved_read(s, (enum lab_array)a, u, from, n, values);
            bool blocks = o->optimizer == LAB_ADAM8BIT && a != LAB_VALUES;
            if (blocks) lab_blocks_store(type, stored, values, n);
            hash = blocks ? lab_hash_add(hash, stored, lab_dtype_size(type, whole_blocks))
                          : lab_hash_add(hash, values, n * sizeof *values);
        }
        free(values);
        free(stored);
    }
    lab_partition_free(&p);
    return hash;
}

/* ── the same states ───────────────────────────────────────────────────────────────────────────*/
static void each_rank_and_stage_restores_the_same_bits(void **state) {
    static const enum lab_dtype types[] = {LAB_F32, LAB_BF16, LAB_F16};
    (void)state;
    for (size_t t = 0; t < 3; t++) {
        struct lab_options o = trained(4, 3, types[t]);
        struct run all = run_well(&o);
        assert_true(all.well);
        for (uint32_t ranks = 1; ranks <= 5; ranks++)
            for (uint32_t stage = 0; stage < 4; stage++) {
                struct lab_options now = run_options(ranks, stage);
                now.compute = types[t];
                now = resumed(now, o.save, 4, 4);
                struct run r = run_well(&now);
                struct lab_saved *s = open_one(o.save);
                assert_true(r.well);
                for (uint32_t k = 0; k < ranks; k++) {
                    if (r.end[k].state_hash != expected_hash(s, &now, k))
                        fail_msg("%s, rank %u of %u, stage %u: other states",
                                 lab_dtype_name(types[t]), k, ranks, stage);
                    assert_int_equal(r.end[k].weights_hash, all.end[0].weights_hash);
                }
                lab_saved_close(s);
            }
        empty(o.save);
    }
}

/* A checkpoint keeps moments in fp32, of which the blocks become the same bytes again, among any
 * number of ranks, under any stage, and on the host. */
static void moments_in_8_bits_restore_the_same_bits(void **state) {
    (void)state;
    for (unsigned type = 0; type < 2; type++) {
        struct lab_options o = trained(4, 3, (enum lab_dtype)type);
        o.optimizer = LAB_ADAM8BIT;
        struct run all = run_well(&o);
        struct lab_saved *s = open_one(o.save);
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(all.end[k].state_hash, expected_hash(s, &o, k));
        for (uint32_t i = 0; i < 20; i++) {
            struct lab_options now = run_options(1 + i % 5, i / 5);
            now.compute = o.compute;
            now.optimizer = LAB_ADAM8BIT;
            if (now.stage > 0 && i % 2) now.offload_optimizer = LAB_TIER_HOST;
            now = resumed(now, o.save, 4, 4);
            struct run r = run_well(&now);
            for (uint32_t k = 0; k < now.ranks; k++)
                assert_int_equal(r.end[k].state_hash, expected_hash(s, &now, k));
            assert_int_equal(r.end[0].weights_hash, all.end[0].weights_hash);
        }
        struct lab_options plain = resumed(run_options(4, 3), o.save, 4, 5);
        struct lab_message m = {""};
        plain.compute = o.compute;
        assert_false(lab_saved_fits(s, &plain, &m));
        assert_non_null(
            strstr(m.text, "was trained with another optimizer: set --optimizer adam8bit"));
        lab_saved_close(s);
        char from[280];
        (void)snprintf(from, sizeof from, "%s/step-2", o.save);
        struct lab_options rest = resumed(o, from, 2, 4);
        rest.stage = 1;
        assert_int_equal(run_well(&rest).end[0].weights_hash, all.end[0].weights_hash);
        empty(o.save);
    }
}

/* A grouped training is saved once, by all ranks together, and read by any other. */
static void groups_save_and_restore_the_same_bits(void **state) {
    static const uint32_t ranks[] = {4, 6, 6, 3, 2}, groups[] = {2, 2, 3, 0, 0};
    (void)state;
    for (uint32_t stage = 1; stage < 4; stage++) {
        struct lab_options o = trained(6, stage, (enum lab_dtype)(stage % 3));
        o.shard_group = stage == 2 ? 3 : 2;
        struct run all = run_well(&o);
        struct lab_saved *s = open_one(o.save);
        for (uint32_t k = 0; k < 6; k++)
            assert_int_equal(all.end[k].state_hash, expected_hash(s, &o, k));
        for (uint32_t i = 0; i < 5; i++) {
            struct lab_options now = run_options(ranks[i], 1 + (stage + i) % 3);
            now.compute = o.compute;
            now.shard_group = groups[i];
            now = resumed(now, o.save, 4, 4);
            struct run r = run_well(&now);
            for (uint32_t k = 0; k < ranks[i]; k++) {
                assert_int_equal(r.end[k].state_hash, expected_hash(s, &now, k));
                assert_int_equal(r.end[k].weights_hash, all.end[0].weights_hash);
            }
        }
        lab_saved_close(s);
        struct lab_options rest = o;
        char from[280];
        (void)snprintf(from, sizeof from, "%s/step-2", o.save);
        rest = resumed(rest, from, 2, 4);
        assert_int_equal(run_well(&rest).end[0].weights_hash, all.end[0].weights_hash);
        empty(o.save);
    }
}

/* Four ranks, then two, then three, then four; stages 3, 1, 2, 0; a step each. The states that one
 * has at its end are those with which the next begins. */
static void a_training_moves_from_ranks_to_ranks(void **state) {
    static const uint32_t ranks[] = {4, 2, 3, 4}, stages[] = {3, 1, 2, 0};
    uint64_t before = 0;
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        struct lab_options o = run_options(ranks[i], stages[i]);
        char from[sizeof o.save];
        (void)snprintf(from, sizeof from, "%s/moves", folder);
        if (i > 0) {
            struct lab_options still = resumed(o, from, i, i);
            assert_int_equal(run_well(&still).end[0].weights_hash, before);
            o = resumed(o, from, i, i + 1);
        }
        o.steps = i + 1;
        memcpy(o.save, from, sizeof o.save);
        struct run r = run_well(&o);
        assert_true(r.well);
        assert_int_not_equal(r.end[0].weights_hash, before);
        before = r.end[0].weights_hash;
    }
    uint32_t step[LAB_SAVED_STEPS];
    char path[300];
    (void)snprintf(path, sizeof path, "%s/moves", folder);
    assert_int_equal(lab_saved_steps(path, step), 2); /* --keep */
    assert_true(step[0] == 4 && step[1] == 3);
}

static void going_on_is_as_if_nothing_had_been(void **state) {
    (void)state;
    for (uint32_t n = 0; n < 12; n++) {
        struct lab_options o = trained(3, n % 4, (enum lab_dtype)(n % 3));
        o.accumulate = 1 + n % 2;
        o.clip = n % 2 ? 0.5 : 0;
        o.warmup = 3;
        struct run all = run_well(&o);
        char from[280];
        (void)snprintf(from, sizeof from, "%s/step-2", o.save);
        struct lab_options rest = resumed(o, from, 2, 4);
        /* With several micro-steps, stages 0 and 1 add up locally first, 2 and 3 between ranks. */
        rest.stage = o.accumulate > 1 ? o.stage ^ 1 : (n + 1) % 4;
        struct run r = run_well(&rest);
        assert_true(all.well && r.well);
        for (uint32_t s = 3; s <= 4; s++)
            if (r.loss[s] != all.loss[s])
                fail_msg("%u: step %u: %.17g, not %.17g", n, s, r.loss[s], all.loss[s]);
        assert_int_equal(r.end[0].weights_hash, all.end[0].weights_hash);
        empty(o.save);
    }
}

/* Saving is not a part of the training: not of its bits, and not of what is counted. */
static void saving_changes_nothing(void **state) {
    (void)state;
    for (uint32_t stage = 0; stage < 4; stage++) {
        struct lab_options o = trained(3, stage, LAB_BF16), plain = o;
        *plain.save = '\0';
        plain.save_every = 0;
        struct run a = run_well(&o), b = run_well(&plain);
        assert_int_equal(a.end[0].weights_hash, b.end[0].weights_hash);
        assert_memory_equal(a.end[0].sent, b.end[0].sent, sizeof a.end[0].sent);
        assert_memory_equal(a.end[0].peak, b.end[0].peak, sizeof a.end[0].peak);
        assert_int_equal(a.end[0].control, b.end[0].control);
        assert_int_equal(a.transfers, b.transfers);
        empty(o.save);
    }
}

/* The files of all stages are the same, byte for byte: their sums are. */
static void each_stage_writes_the_same_files(void **state) {
    char first[LAB_RANKS_MAX][HASH_HEX];
    (void)state;
    for (uint32_t stage = 0; stage < 4; stage++) {
        struct lab_options o = trained(3, stage, LAB_BF16);
        assert_true(run_well(&o).well);
        struct lab_saved *s = open_one(o.save);
        assert_int_equal(s->sequences, 4 * 3 * o.batch);
        if (stage == 0) memcpy(first, s->sha256, sizeof first);
        assert_memory_equal(first, s->sha256, sizeof first);
        lab_saved_close(s);
        empty(o.save);
    }
}

/* ── damage ────────────────────────────────────────────────────────────────────────────────────*/
static void cut_file(const char *path) {
    assert_int_equal(truncate(path, 100), 0);
}

static void turn_a_bit(const char *path) {
    int fd = open(path, O_RDWR);
    char byte;
    assert_int_equal(pread(fd, &byte, 1, 1000), 1);
    byte = (char)(byte ^ 4);
    assert_int_equal(pwrite(fd, &byte, 1, 1000), 1);
    (void)close(fd);
}

/* The 12 sequences of its cursor become 012: the same number, but not what was written. */
static void turn_a_digit(const char *path) {
    char text[4000] = "", *at;
    FILE *f = fopen(path, "r+");
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    at = strstr(text, "\"sequences\":");
    assert_non_null(at);
    (void)fseek(f, at - text + 12, SEEK_SET);
    (void)fprintf(f, "0%s", at + 12);
    (void)fclose(f);
}

/* Every member is what it could be, but not what was written. */
static void change_cursor(const char *path) {
    char text[4000] = "", *at;
    FILE *f = fopen(path, "r+");
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    at = strstr(text, "\"sequences\":");
    assert_non_null(at);
    at[12] = at[12] == '9' ? '8' : '9';
    (void)fseek(f, 0, SEEK_SET);
    (void)fputs(text, f);
    (void)fclose(f);
}

static void from_yesterday(const char *path) {
    FILE *f = fopen(path, "w");
    (void)fputs("{\"zerolab\":\"checkpoint\",\"format\":1}", f);
    (void)fclose(f);
}

static void lose_file(const char *path) {
    assert_int_equal(unlink(path), 0);
}

static void put_pipe(const char *path) {
    lose_file(path);
    assert_int_equal(mkfifo(path, 0600), 0);
}

/* The same rank's part of another step: right in size. */
static void mix_steps(const char *path) {
    char other[400];
    (void)snprintf(other, sizeof other, "%s", path);
    char *digit = strstr(other, "step-4");
    digit[5] = '2';
    lose_file(path);
    assert_int_equal(link(other, path), 0);
}

/* The folder's name says step 4, and all that is in it is whole, but of step 2. */
static void link_step(const char *path) {
    char own[400], away[420];
    (void)snprintf(own, sizeof own, "%.*s", (int)(strrchr(path, '/') - path), path);
    (void)snprintf(away, sizeof away, "%s-away", own);
    assert_int_equal(rename(own, away), 0);
    assert_int_equal(symlink("step-2", own), 0);
}

static void nonsense(const char *path) {
    FILE *f = fopen(path, "w");
    (void)fputs("{\"zerolab\":\"checkpoint\",\"format\":2,\"ranks\":-3}", f);
    (void)fclose(f);
}

static void from_tomorrow(const char *path) {
    FILE *f = fopen(path, "w");
    (void)fputs("{\"zerolab\":\"checkpoint\",\"format\":3}", f);
    (void)fclose(f);
}

static void damage_is_named_and_the_one_before_works(void **state) {
    static const struct {
        const char *file;
        void (*harm)(const char *path);
        const char *says;
    } rows[] = {
        {"rank-1.bin", cut_file, "rank-1.bin: has 100 bytes"},
        {"rank-2.bin", turn_a_bit, "rank-2.bin: is not the file that was saved"},
        {"rank-0.bin", lose_file, "rank-0.bin: cannot be read"},
        {"rank-0.bin", put_pipe, "rank-0.bin: cannot be read"},
        {"rank-1.bin", mix_steps, "rank-1.bin: is not the file that was saved"},
        {"manifest.json", cut_file, "manifest.json is damaged"},
        {"manifest.json", turn_a_digit, "manifest.json is damaged"},
        {"manifest.json", change_cursor, "manifest.json is damaged"},
        {"manifest.json", link_step, "manifest.json is of step 2"},
        {"manifest.json", from_yesterday, "an older zerolab"},
        {"manifest.json", nonsense, "manifest.json is damaged"},
        {"manifest.json", from_tomorrow, "a newer zerolab"},
        {"manifest.json", lose_file, "manifest.json: cannot be read"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lab_options o = trained(3, 2, LAB_F32);
        struct lab_message m = {""};
        char path[300];
        assert_true(run_well(&o).well);
        (void)snprintf(path, sizeof path, "%s/step-4/%s", o.save, rows[i].file);
        rows[i].harm(path);
        struct lab_saved *s = lab_saved_open(o.save, &m);
        assert_false(s && lab_saved_whole(s, &m));
        if (!strstr(m.text, rows[i].says)) fail_msg("%s is not in: %s", rows[i].says, m.text);
        lab_saved_close(s);
        (void)snprintf(path, sizeof path, "%s/step-2", o.save);
        s = open_one(path);
        assert_true(lab_saved_whole(s, &m));
        lab_saved_close(s);
        empty(o.save);
    }
}

static void another_model_does_not_fit(void **state) {
    static const struct {
        const char *words, *says;
    } rows[] = {
        {"--layers 2", "--layers 3 --width 20"},
        {"--precision bf16", "--precision fp32"},
        {"--seed 2", "--seed 1"},
        {"--tokens text", "--tokens random"},
        {"--steps 4", "--steps above"},
    };
    struct lab_options o = trained(2, 1, LAB_F32);
    (void)state;
    assert_true(run_well(&o).well);
    struct lab_saved *s = open_one(o.save);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lab_message m = {""};
        struct lab_options other = run_words(rows[i].words);
        if (i + 1 < sizeof rows / sizeof *rows) other.steps = 9;
        assert_false(lab_saved_fits(s, &other, &m));
        if (!strstr(m.text, rows[i].says)) fail_msg("%s is not in: %s", rows[i].says, m.text);
    }
    struct lab_options same = run_words("--steps 9 --ranks 5 --stage 3");
    assert_true(lab_saved_fits(s, &same, &(struct lab_message){""}));
    lab_saved_close(s);
    empty(o.save);
}

static void where_nothing_can_be_written_the_run_fails(void **state) {
    struct lab_options o = trained(2, 1, LAB_F32);
    (void)state;
    FILE *f = fopen(elsewhere, "w"); /* a file where the folder should be */
    (void)fclose(f);
    (void)snprintf(o.save, sizeof o.save, "%s", elsewhere);
    struct run r = run_local(&o);
    assert_false(r.well);
    assert_non_null(strstr(r.error[0].text, "--save"));
    assert_int_equal(unlink(elsewhere), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rank_and_stage_restores_the_same_bits),
        cmocka_unit_test(moments_in_8_bits_restore_the_same_bits),
        cmocka_unit_test(groups_save_and_restore_the_same_bits),
        cmocka_unit_test(a_training_moves_from_ranks_to_ranks),
        cmocka_unit_test(going_on_is_as_if_nothing_had_been),
        cmocka_unit_test(saving_changes_nothing),
        cmocka_unit_test(each_stage_writes_the_same_files),
        cmocka_unit_test(damage_is_named_and_the_one_before_works),
        cmocka_unit_test(another_model_does_not_fit),
        cmocka_unit_test(where_nothing_can_be_written_the_run_fails),
    };
    return cmocka_run_group_tests(tests, make, remove_all);
}
