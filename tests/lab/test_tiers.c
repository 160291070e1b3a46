/* Tiers: wherever the optimizer's states are, training has the same bits; and what each tier holds
 * and what crosses is what the engine predicts. */
#include "runs.h"

#include "lab/engine.h"
#include "lab/predict.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/zerolab-tiers-XXXXXX";

/* Nothing of a run stays in the folder, however it ended. */
static size_t files(void) {
    size_t n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    while (readdir(d)) n++;
    (void)closedir(d);
    return n - 2;
}

static struct lab_options away(struct lab_options o, enum lab_tier_kind optimizer,
                               enum lab_tier_kind params) {
    o.offload_optimizer = optimizer;
    o.offload_params = params;
    if (optimizer == LAB_TIER_NVME || params == LAB_TIER_NVME)
        (void)snprintf(o.offload_dir, sizeof o.offload_dir, "%s", folder);
    return o;
}

static const char *name_of(const struct lab_options *o) {
    static char text[160];
    (void)snprintf(text, sizeof text,
                   "stage %u, %u ranks, %s, bucket %llu, optimizer %d, params %d", o->stage,
                   o->ranks, lab_dtype_name(o->compute), (unsigned long long)o->bucket,
                   (int)o->offload_optimizer, (int)o->offload_params);
    return text;
}

/* ── the same bits ─────────────────────────────────────────────────────────────────────────────*/

static void assert_same(const struct lab_options *o, const struct run *a, const struct run *b) {
    if (!a->well || !b->well) fail_msg("%s: failed", name_of(o));
    for (uint32_t s = 1; s <= o->steps; s++)
        if (a->loss[s] != b->loss[s]) fail_msg("%s: loss of step %u differs", name_of(o), s);
    if (a->end[0].weights_hash != b->end[0].weights_hash)
        fail_msg("%s: weights differ", name_of(o));
    for (uint32_t r = 0; r < o->ranks; r++)
        if (a->end[r].state_hash != b->end[r].state_hash)
            fail_msg("%s: states of rank %u differ", name_of(o), r);
}

static void assert_predicted(const struct lab_options *o, const struct run *run) {
    struct lab_prediction p;
    struct lab_message m = {""};
    if (!lab_predict(o, &p, &m)) fail_msg("%s", m.text);
    lab_predict_skipped(o, run->skipped, &p);
    for (uint32_t r = 0; r < o->ranks; r++) {
        const struct lab_says_end *e = &run->end[r];
        for (int t = LAB_TIER_HOST; t < LAB_TIERS; t++) {
            const struct lab_held *h = &e->tier[t], *x = &p.tier[t];
            for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
                if (h->bytes[c] != x->bytes[c])
                    fail_msg("%s: tier %d holds %llu of %s, predicted %llu", name_of(o), t,
                             (unsigned long long)h->bytes[c],
                             account_category_name((enum account_category)c),
                             (unsigned long long)x->bytes[c]);
            if (h->in != x->in || h->out != x->out)
                fail_msg("%s: into tier %d %llu, out of it %llu; predicted %llu, %llu", name_of(o),
                         t, (unsigned long long)h->in, (unsigned long long)h->out,
                         (unsigned long long)x->in, (unsigned long long)x->out);
        }
        assert_memory_equal(e->persistent, p.persistent, sizeof p.persistent);
        assert_memory_equal(e->peak, p.peak, sizeof p.peak);
        assert_memory_equal(e->sent, p.sent, sizeof p.sent);
        assert_int_equal(e->peak_total, p.peak_total);
    }
}

static void assert_dry(const struct lab_options *o, const struct run *run) {
    if (run->skipped) return;
    for (uint32_t r = 0; r < o->ranks; r++) {
        struct run dry = run_dry(o, r);
        assert_true(dry.well);
        assert_memory_equal(dry.end[r].tier, run->end[r].tier, sizeof dry.end[r].tier);
        assert_memory_equal(dry.end[r].peak, run->end[r].peak, sizeof dry.end[r].peak);
    }
}

static const struct {
    enum lab_tier_kind optimizer, params;
} places[] = {
    {LAB_TIER_HOST, LAB_TIER_DEVICE}, {LAB_TIER_NVME, LAB_TIER_DEVICE},
    {LAB_TIER_HOST, LAB_TIER_HOST},   {LAB_TIER_HOST, LAB_TIER_NVME},
    {LAB_TIER_NVME, LAB_TIER_HOST},   {LAB_TIER_NVME, LAB_TIER_NVME},
};

static void try_places(const struct lab_options *o) {
    struct run here = run_local(o);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (places[i].params != LAB_TIER_DEVICE && (o->stage != 3 || o->ranks == 1)) continue;
        struct lab_options there = away(*o, places[i].optimizer, places[i].params);
        struct run run = run_local(&there);
        assert_same(&there, &here, &run);
        assert_predicted(&there, &run);
        assert_dry(&there, &run);
        assert_int_equal(files(), 0);
    }
}

/* The larger width has units of several pieces. */
static void test_alike(void **state) {
    (void)state;
    static const enum lab_dtype types[] = {LAB_F32, LAB_BF16, LAB_F16};
    unsigned turn = 0;
    for (uint32_t stage = 1; stage <= 3; stage++)
        for (uint32_t ranks = 1; ranks <= 3; ranks++)
            for (size_t type = 0; type < 3; type++, turn++) {
                struct lab_options o = run_options(ranks, stage);
                o.compute = types[type];
                o.clip = turn % 2 ? 0.5 : 0;
                o.accumulate = 1 + turn % 3;
                o.prefetch = turn % 3;
                o.shape.width = turn % 4 ? 20 : 60;
                o.bucket = turn % 5 == 4 ? 25000000 : 16000;
                try_places(&o);
            }
}

/* Where ranks shard inside groups only, and where the nodes' hosts are several. */
static void test_groups(void **state) {
    (void)state;
    for (uint32_t stage = 1; stage <= 3; stage++)
        for (uint32_t ranks = 4; ranks <= 6; ranks += 2) {
            struct lab_options o = run_options(ranks, stage);
            o.shard_group = 2;
            o.compute = ranks == 4 ? LAB_F32 : LAB_BF16;
            try_places(&o);
            if (stage < 3) continue;
            o.shard_group = 0; /* a second copy, which stays on the device */
            o.hpz = 2;
            o.prefetch = 2;
            try_places(&o);
        }
}

/* ── a device that is too small ────────────────────────────────────────────────────────────────*/

static uint64_t states_of(const struct lab_options *o) {
    struct run dry = run_dry(o, 0);
    const uint64_t *held = dry.end[0].persistent;
    assert_true(dry.well);
    return held[ACCOUNT_PARAMS] + held[ACCOUNT_GRADS] + held[ACCOUNT_MASTER] +
           held[ACCOUNT_MOMENTS];
}

/* The device's cap is a third of the states and less. */
static void test_cap(void **state) {
    (void)state;
    struct lab_options o = run_options(1, 1);
    o.shape = (struct lab_shape){.layers = 6, .width = 120, .heads = 2, .seq = 4, .vocab = 257};
    o.batch = 1;
    o.compute = LAB_BF16;
    struct lab_options there = away(o, LAB_TIER_NVME, LAB_TIER_DEVICE);
    there.bucket = 40000;
    o.cap = there.cap = run_dry(&there, 0).end[0].peak_total;
    struct lab_options free = o;
    free.cap = 0;
    assert_true(states_of(&free) > 3 * o.cap);
    struct run refused = run_local(&o), run = run_local(&there);
    assert_false(refused.well);
    assert_true(refused.error[0].memory);
    assert_true(run.well);
    assert_true(run.end[0].peak_total <= o.cap);
    assert_true(run.end[0].tier[LAB_TIER_HOST].total < o.cap / 3);
}

/* ── a disk that fails ─────────────────────────────────────────────────────────────────────────*/

static void test_file(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    struct lab_message m = {""};
    struct lab_device *f = lab_file_open(folder, &m);
    unsigned char bytes[COUNT], back[COUNT];
    void *a = NULL, *b = NULL;
    assert_non_null(f);
    assert_int_equal(files(), 0);
    assert_true(f->row->alloc(f, &a, COUNT) && f->row->alloc(f, &b, COUNT));
    for (int i = 0; i < COUNT; i++) bytes[i] = (unsigned char)(i * 7 + 1);
    f->row->upload(f, b, bytes, COUNT);
    f->row->download(f, back, b, COUNT);
    assert_memory_equal(back, bytes, COUNT);
    f->row->download(f, back, a, COUNT);
    for (int i = 0; i < COUNT; i++) assert_int_equal(back[i], 0);
    assert_true(f->row->finish(f, &m));
    f->row->close(f);
}

/* The descriptor of a nameless file in the folder. */
static int find_file(void) {
    char path[64], target[300];
    for (int fd = 3; fd < 1024; fd++) {
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        ssize_t n = readlink(path, target, sizeof target - 1);
        if (n > 0 && strncmp(target, folder, strlen(folder)) == 0) return fd;
    }
    return -1;
}

static void test_cut_file(void **state) {
    (void)state;
    struct lab_message m = {""};
    struct lab_device *f = lab_file_open(folder, &m);
    char back[100];
    void *a = NULL;
    assert_true(f && f->row->alloc(f, &a, 100000));
    int fd = find_file();
    if (fd < 0) skip();
    assert_int_equal(ftruncate(fd, 4096), 0);
    f->row->download(f, back, (char *)a + 40960, sizeof back);
    assert_false(f->row->finish(f, &m));
    assert_non_null(strstr(m.text, "cut short"));
    f->row->close(f);
}

static void test_no_folder(void **state) {
    (void)state;
    struct lab_message m = {""};
    bool direct;
    assert_null(lab_file_open("/nowhere/at/all", &m));
    assert_non_null(strstr(m.text, "--offload-dir /nowhere/at/all"));
    assert_false(lab_file_try("/nowhere/at/all", &direct, &m));
}

/* ── options ───────────────────────────────────────────────────────────────────────────────────*/

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *words, *why;
    } rows[] = {
        {"--offload-optimizer host", "--stage 1, 2 or 3"},
        {"--stage 2 --offload-optimizer host --offload-params host", "--stage 3"},
        {"--stage 3 --ranks 2 --offload-params host", "--offload-optimizer host or nvme"},
        {"--stage 3 --offload-optimizer host --offload-params host", "--ranks 2"},
        {"--stage 2 --offload-optimizer host --offload-dir /tmp", "leave it out"},
        {"--stage 2 --host-link 1GB/s", "--offload-optimizer host"},
        {"--stage 2 --offload-optimizer host --nvme-link 1GB/s", "--offload-optimizer nvme"},
        {"--stage 2 --offload-optimizer host --host-link 3", "--host-link 3"},
        {"--stage 2 --offload-optimizer disk", "none|host|nvme"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lab_options o;
        struct lab_message m = {""};
        char text[200], *argv[20] = {"zerolab"};
        int argc = 1;
        lab_options_default(&o);
        (void)snprintf(text, sizeof text, "%s", rows[i].words);
        for (char *rest = text, *w; (w = strtok_r(rest, " ", &rest));) argv[argc++] = w;
        assert_false(lab_options_read(argc, argv, &o, &m) && lab_options_check(&o, &m));
        if (!strstr(m.text, rows[i].why)) fail_msg("%s: %s", rows[i].words, m.text);
    }
}

/* ── an emulated link ──────────────────────────────────────────────────────────────────────────*/

/* A slow link is waited for, and changes nothing else. */
static void test_link(void **state) {
    (void)state;
    struct lab_options o = away(run_options(2, 2), LAB_TIER_HOST, LAB_TIER_DEVICE), slow = o;
    slow.host_rate = 2e6;
    struct run a = run_local(&o), b = run_local(&slow);
    assert_same(&slow, &a, &b);
    double seconds = (double)b.end[0].tier[LAB_TIER_HOST].in / o.steps / slow.host_rate;
    assert_true(seconds > 0.005);
    assert_true(b.offload[2] >= seconds && a.offload[2] < b.offload[2]);
}

static int begin(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}
static int end(void **state) {
    (void)state;
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike),    cmocka_unit_test(test_groups),
        cmocka_unit_test(test_cap),      cmocka_unit_test(test_file),
        cmocka_unit_test(test_cut_file), cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_link),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
