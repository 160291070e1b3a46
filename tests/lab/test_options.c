/* The command line: what is read, what is refused and with which words. */
#include "runs.h"

#include "lab/model.h"
#include "lab/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read(const char *words, struct lab_options *o, struct lab_message *m) {
    char text[400], *argv[40] = {"zerolab"};
    int argc = 1;
    (void)snprintf(text, sizeof text, "%s", words);
    for (char *rest = text, *w; (w = strtok_r(rest, " ", &rest)) && argc < 40;) argv[argc++] = w;
    lab_options_default(o);
    m->text[0] = '\0';
    return lab_options_read(argc, argv, o, m) && lab_options_check(o, m);
}

static void test_defaults(void **state) {
    (void)state;
    struct lab_options o;
    struct lab_message m;
    assert_true(read("", &o, &m));
    assert_int_equal(o.ranks, 1);
    assert_int_equal(o.stage, 0);
    assert_string_equal(o.model, "tiny");
    assert_int_equal(o.batch, 1);
    assert_int_equal(o.steps, 10);
    assert_int_equal(o.seed, 1);
    assert_int_equal(o.compute, LAB_F32);
    assert_int_equal(o.accumulate, 1);
    assert_int_equal(o.checkpoint, LAB_KEEP_ALL);
    assert_int_equal(o.bucket, 25000000);
    assert_int_equal(o.prefetch, 1);
    assert_int_equal(o.detail_every, 1);
    assert_int_equal(o.threads, 0);
    assert_true(o.clip == 0 && o.cap == 0 && o.link_rate == 0);
    assert_int_equal(o.device, LAB_CPU);
    assert_int_equal(o.comm, LAB_SHM);
}

static void test_values(void **state) {
    (void)state;
    struct lab_options o;
    struct lab_message m;
    assert_true(
        read("--heads 2 --model small --ranks=4 --stage 3 --precision bf16 --checkpoint full "
             "--bucket 1MiB --cap 80MB --link 10GB/s,20us --clip 1.5 --comm local --dry",
             &o, &m));
    assert_string_equal(o.model, "custom");
    assert_int_equal(o.shape.heads, 2);
    struct lab_shape small;
    assert_true(lab_shape_find("small", &small));
    assert_int_equal(o.shape.width, small.width);
    assert_int_equal(o.ranks, 4);
    assert_int_equal(o.bucket, 1 << 20);
    assert_int_equal(o.cap, 80000000);
    assert_float_equal(o.link_rate, 10e9, 1);
    assert_float_equal(o.link_latency, 20e-6, 1e-12);
    assert_float_equal(o.clip, 1.5, 0);
    assert_int_equal(o.compute, LAB_BF16);
    assert_int_equal(o.checkpoint, LAB_FULL);
    assert_int_equal(o.comm, LAB_LOCAL);
    assert_true(o.dry && !o.predict);
}

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *words, *says;
    } rows[] = {
        {"--rank 2", "--rank: unknown option"},
        {"stage", "unknown option"},
        {"--stage 4", "from 0 to 3"},
        {"--stage", "a value is missing"},
        {"--ranks 0", "from 1 to 64"},
        {"--ranks some", "a whole number"},
        {"--ranks -1", "a whole number"},
        {"--precision fp8", "fp32|bf16|fp16"},
        {"--model huge", "choose one of"},
        {"--bucket lots", "--bucket"},
        {"--cap 0", "at least a byte, or none"},
        {"--clip 0", "a number above 0, or off"},
        {"--link fast", "10GB/s,20us"},
        {"--link 10GB/s,20", "us, ms or s"},
        {"--predict=yes", "takes no value"},
        {"--width 10 --heads 3", "does not divide"},
        {"--comm nccl", "choose shm or local"},
        {"--share-gpu", "--comm nccl"},
        {"--device cuda --link 1GB/s", "--link works only on the CPU"},
        {"--device cuda --threads 1", "--threads works only on the CPU"},
        {"--threads 0", "from 1 to"},
        {"--threads 1000", "--threads 1000: this machine has"},
        {"--rendezvous=", "--rendezvous: use a name of 1 to"},
        {"--patience 0", "--patience 0: use a number"},
        {"--ranks 4 --bucket 15", "16 bytes"},
        {"--warmup 11", "only 10 steps"},
        {"--warmup 2 --steps 1", "only 1 step"},
        {"--bucket 1e30", "too large"},
        {"--bucket 0", "at least a byte"},
        {"--link 10GB/s,1000s", "from 0 to 10 s"},
        {"--link 10GB/s,-1s", "from 0 to 10 s"},
        {"--prefetch 3", "from 0 to 2"},
        {"--ranks 6 --stage 3 --shard-group 4", "--shard-group 4 does not divide --ranks 6"},
        {"--ranks 4 --shard-group 2", "--shard-group 2: stage 0 shards nothing"},
        {"--ranks 4 --stage 3 --shard-group 0", "from 1 to 64"},
        {"--ranks 4 --stage 3 --shard-group 2 --device cuda", "--shard-group works only on the"},
        {"--ranks 4 --stage 3 --shard-group 2 --links", "--shard-group has no effect with --links"},
        {"--ranks 6 --stage 3 --hpz 4", "--hpz 4 does not divide the 6 ranks that share"},
        {"--ranks 4 --stage 3 --shard-group 2 --hpz 4", "does not divide the 2 ranks that share"},
        {"--ranks 4 --stage 2 --hpz 2", "--hpz 2: stage 2 keeps parameters whole"},
        {"--ranks 4 --stage 3 --hpz 1", "from 2 to 64"},
        {"--ranks 1 --stage 3 --hpz 2", "--hpz 2 does not divide the 1 rank that shares"},
        {"--ranks 4 --stage 3 --hpz 2 --device cuda", "--hpz works only on the CPU"},
        {"--ranks 4 --stage 3 --hpz 2 --links", "--hpz has no effect with --links"},
        {"--ranks 6 --stage 3 --hpz 2 --gpus-per-node 3", "one that divides the other"},
        {"--ranks 2 --sparse-gradients", "a tied head makes a gradient for every row"},
        {"--ranks 2 --untied --stage 1 --sparse-gradients",
         "stage 1 needs the sums of a shard only"},
        {"--untied --sparse-gradients", "--sparse-gradients: one rank sends nothing"},
        {"--ranks 2 --untied --sparse-gradients --device cuda",
         "--sparse-gradients works only on the"},
        {"--ranks 2 --untied --sparse-gradients --links",
         "--sparse-gradients has no effect with --links"},
        {"--ranks 2 --untied --sparse-gradients --plant-bug 1", "faults are planted without it"},
        {"--untied=yes", "--untied takes no value"},
        {"--ranks 4 --gpus-per-node 3", "--gpus-per-node 3 does not divide --ranks 4"},
        {"--ranks 4 --gpus-per-node 2 --device cuda", "--gpus-per-node works only on the CPU"},
        {"--ranks 6 --stage 3 --shard-group 2 --gpus-per-node 3", "one that divides the other"},
        {"--ranks 4 --net 1GB/s", "--net: all ranks are on one node"},
        {"--ranks 4 --gpus-per-node 2 --net fast", "--net fast: write bytes per second"},
    };
    struct lab_options o;
    struct lab_message m;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (read(rows[i].words, &o, &m)) fail_msg("%s was accepted", rows[i].words);
        if (!strstr(m.text, rows[i].says)) fail_msg("%s: said \"%s\"", rows[i].words, m.text);
    }
}

static void test_help_has_all(void **state) {
    (void)state;
    size_t count;
    const struct lab_flag *f = lab_flags(&count);
    char flag[32], *help = NULL;
    size_t size;
    FILE *out = open_memstream(&help, &size);
    lab_options_help(out);
    (void)fclose(out);
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(flag, sizeof flag, "--%s ", f[i].name);
        if (!strstr(help, flag)) fail_msg("--help lacks %s", flag);
    }
    for (const char *line = help; *line; line += strcspn(line, "\n") + 1) {
        size_t columns = 0, bytes = strcspn(line, "\n");
        for (size_t i = 0; i < bytes; i++) columns += ((unsigned char)line[i] & 0xC0) != 0x80;
        if (columns > 79) fail_msg("--help: %zu columns: %.*s", columns, (int)bytes, line);
    }
    free(help);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_help_has_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
