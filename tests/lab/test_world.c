/* Launchers' variables: who this process is, and where ranks meet. */
#include "lab/options.h"
#include "lab/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 12 };

static void set_all(const char *const *pair) {
    for (; *pair; pair += 2) setenv(pair[0], pair[1], 1);
}
static void unset_all(const char *const *pair) {
    for (; *pair; pair += 2) unsetenv(pair[0]);
}
static char *const no_words[] = {(char *)(uintptr_t) "zerolab", NULL};

/* clang-format off */
static const struct {
    const char *variables[2 * MOST + 1];
    const char *launcher; /* NULL: none */
    uint32_t rank, ranks, local;
    const char *host, *port; /* port NULL: any */
    bool several;
} table[] = {
    {{"HOME", "/tmp", NULL}, .launcher = NULL},
    /* torchrun: the store's port is not ours */
    {{"RANK", "5", "WORLD_SIZE", "8", "LOCAL_RANK", "1", "LOCAL_WORLD_SIZE", "4", "MASTER_ADDR",
      "node1", "MASTER_PORT", "29500", "TORCHELASTIC_RUN_ID", "none", NULL},
     "torchrun", 5, 8, 1, "node1", "29501", true},
    {{"RANK", "1", "WORLD_SIZE", "2", "LOCAL_RANK", "1", "LOCAL_WORLD_SIZE", "2", "MASTER_ADDR",
      "127.0.0.1", "MASTER_PORT", "29500", NULL},
     "torchrun", 1, 2, 1, "127.0.0.1", "29501", false},
    /* one process is nobody's world */
    {{"RANK", "0", "WORLD_SIZE", "1", "MASTER_ADDR", "node1", "MASTER_PORT", "29500", NULL},
     .launcher = NULL},
    {{"SLURM_NTASKS", "4", "SLURM_PROCID", "3", "SLURM_LOCALID", "3", "SLURM_NNODES", "1",
      "SLURM_JOB_ID", "1234", "SLURM_JOB_NODELIST", "gpu7", NULL},
     "Slurm", 3, 4, 3, "127.0.0.1", NULL, false},
    {{"SLURM_NTASKS", "16", "SLURM_PROCID", "9", "SLURM_LOCALID", "1", "SLURM_NNODES", "2",
      "SLURM_JOB_ID", "1234", "SLURM_JOB_NODELIST", "gpu[03-04,11]-ib,login1", NULL},
     "Slurm", 9, 16, 1, "gpu03-ib", NULL, true},
    {{"SLURM_NTASKS", "2", "SLURM_PROCID", "1", "SLURM_LOCALID", "0", "SLURM_NNODES", "2",
      "SLURM_STEP_NODELIST", "a9,a10", "SLURM_JOB_NODELIST", "a[1-10]", NULL},
     "Slurm", 1, 2, 0, "a9", NULL, true},
    /* what scripts for PyTorch set beside Slurm */
    {{"SLURM_NTASKS", "2", "SLURM_PROCID", "1", "SLURM_LOCALID", "0", "SLURM_NNODES", "2",
      "MASTER_ADDR", "head", "MASTER_PORT", "12000", NULL},
     "Slurm", 1, 2, 0, "head", "12001", true},
    {{"OMPI_COMM_WORLD_SIZE", "4", "OMPI_COMM_WORLD_RANK", "2", "OMPI_COMM_WORLD_LOCAL_RANK", "2",
      "OMPI_COMM_WORLD_LOCAL_SIZE", "4", "PMIX_NAMESPACE", "prterun-a-77@1", NULL},
     "Open MPI", 2, 4, 2, "127.0.0.1", NULL, false},
    {{"PMI_SIZE", "4", "PMI_RANK", "2", "MPI_LOCALRANKID", "2", "MPI_LOCALNRANKS", "4", NULL},
     "MPI", 2, 4, 2, "127.0.0.1", NULL, false},
    /* srun --mpi=pmi2 speaks PMI, which knows no nodes; mpirun in an allocation has Slurm's of the
     * shell beside its own */
    {{"PMI_SIZE", "4", "PMI_RANK", "3", "SLURM_NTASKS", "4", "SLURM_PROCID", "3", "SLURM_LOCALID", "1", "SLURM_NNODES", "2",
      "SLURM_STEP_NODELIST", "gpu[1-2]", NULL},
     "Slurm", 3, 4, 1, "gpu1", NULL, true},
    {{"PMI_SIZE", "4", "PMI_RANK", "3", "MPI_LOCALRANKID", "1", "MPI_LOCALNRANKS", "2", "SLURM_NTASKS", "4", "SLURM_PROCID", "0",
      "SLURM_LOCALID", "0", "SLURM_NNODES", "2", "SLURM_JOB_NODELIST", "gpu[1-2]", NULL},
     "MPI", 3, 4, 1, "gpu1", NULL, true},
};
/* clang-format on */
static void reads_launchers(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct lab_options o = {.patience = 7};
        struct lab_message m = {""};
        struct lab_world w;
        set_all(table[i].variables);
        const char *launcher = lab_world_foreign((char **)(uintptr_t)no_words, &w);
        bool placed = launcher && lab_world_place(&o, &w, &m);
        unset_all(table[i].variables + (i == 0 ? 2 : 0));
        if (!table[i].launcher) {
            assert_null(launcher);
            continue;
        }
        assert_string_equal(launcher, table[i].launcher);
        if (!placed) fail_msg("row %zu: %s", i, m.text);
        assert_int_equal(w.place.rank, table[i].rank);
        assert_int_equal(w.place.ranks, table[i].ranks);
        assert_int_equal(w.local, table[i].local);
        assert_string_equal(w.place.host, table[i].host);
        assert_int_equal(w.place.several, table[i].several);
        if (table[i].port) assert_string_equal(w.place.port, table[i].port);
        assert_true(atoi(w.place.port) > 1023 && atoi(w.place.port) < 65536);
        assert_true(w.place.patience == 7);
    }
}

static struct lab_world world_of(const char *const *variables, const char *rendezvous,
                                 struct lab_message *m, bool *placed) {
    struct lab_options o = {.patience = 1};
    struct lab_world w;
    (void)snprintf(o.rendezvous, sizeof o.rendezvous, "%s", rendezvous);
    set_all(variables);
    assert_non_null(lab_world_foreign((char **)(uintptr_t)no_words, &w));
    *placed = lab_world_place(&o, &w, m);
    unset_all(variables);
    return w;
}
/* All ranks of a job come to the same place with the same key; those of another job do not. */
static void jobs_differ(void **state) {
    (void)state;
    static const char *const one[] =
        {"SLURM_NTASKS", "2", "SLURM_PROCID", "0", "SLURM_JOB_ID", "1", "SLURM_STEP_ID", "0", NULL},
                             *const same[] = {"SLURM_NTASKS",
                                              "2",
                                              "SLURM_PROCID",
                                              "1",
                                              "SLURM_JOB_ID",
                                              "1",
                                              "SLURM_STEP_ID",
                                              "0",
                                              NULL},
                             *const other[] = {"SLURM_NTASKS",
                                               "2",
                                               "SLURM_PROCID",
                                               "0",
                                               "SLURM_JOB_ID",
                                               "1",
                                               "SLURM_STEP_ID",
                                               "1",
                                               NULL};
    struct lab_message m = {""};
    bool placed;
    struct lab_world a = world_of(one, "", &m, &placed), b = world_of(same, "", &m, &placed),
                     c = world_of(other, "", &m, &placed);
    assert_memory_equal(&a.place.key, &b.place.key, sizeof a.place.key);
    assert_string_equal(a.place.port, b.place.port);
    assert_memory_not_equal(&a.place.key, &c.place.key, sizeof a.place.key);
}
static void rendezvous_stands_above(void **state) {
    (void)state;
    static const char *const world[] = {"RANK", "0",           "WORLD_SIZE", "2", "MASTER_ADDR",
                                        "a",    "MASTER_PORT", "1000",       NULL};
    static const struct {
        /* host NULL: refused */
        const char *text, *host, *port;
    } rows[] = {
        {"node1:29600", "node1", "29600"},
        {"[fe80::1]:400", "fe80::1", "400"},
        {"10.0.0.7:1", "10.0.0.7", "1"},
        {"node1", "node1", NULL},
        {"node1:", NULL, NULL},
        {"node1:70000", NULL, NULL},
        {":29600", NULL, NULL},
        {"node1:a", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lab_message m = {""};
        bool placed;
        struct lab_world w = world_of(world, rows[i].text, &m, &placed);
        assert_int_equal(placed, rows[i].host != NULL);
        if (!rows[i].host) {
            assert_non_null(strstr(m.text, "--rendezvous"));
            continue;
        }
        assert_string_equal(w.place.host, rows[i].host);
        if (rows[i].port) assert_string_equal(w.place.port, rows[i].port);
    }
}
static void says_where_it_cannot_know(void **state) {
    (void)state;
    static const char *const several[] = {"OMPI_COMM_WORLD_SIZE",
                                          "4",
                                          "OMPI_COMM_WORLD_RANK",
                                          "2",
                                          "OMPI_COMM_WORLD_LOCAL_SIZE",
                                          "2",
                                          NULL},
                             *const strange[] = {"RANK", "9", "WORLD_SIZE", "4", NULL};
    struct lab_message m = {""};
    bool placed;
    (void)world_of(several, "", &m, &placed);
    assert_false(placed);
    assert_string_equal(m.text, "Open MPI does not say where rank 0 is: start all ranks with "
                                "--rendezvous HOST:PORT");
    m.text[0] = '\0';
    (void)world_of(strange, "", &m, &placed);
    assert_false(placed);
    assert_non_null(strstr(m.text, "torchrun says rank 9 of 4"));
}
/* A shell inside a Slurm allocation has Slurm's variables; --ranks says that the person starts the
 * ranks. */
static void ranks_given_is_ones_own_start(void **state) {
    (void)state;
    static const struct {
        const char *size, *rank, *words[3];
        bool foreign;
    } rows[] = {
        {"SLURM_NTASKS", "SLURM_PROCID", {"zerolab", "--ranks", "4"}, false},
        {"SLURM_NTASKS", "SLURM_PROCID", {"zerolab", "--ranks=4"}, false},
        {"SLURM_NTASKS", "SLURM_PROCID", {"zerolab", "--ranksy=4"}, true},
        {"WORLD_SIZE", "RANK", {"zerolab", "--ranks", "4"}, true},
        {"WORLD_SIZE", "RANK", {"zerolab", "--ranks", "2"}, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *words[4] = {0};
        struct lab_world w;
        for (size_t k = 0; k < 3; k++) words[k] = (char *)(uintptr_t)rows[i].words[k];
        setenv(rows[i].size, "4", 1);
        setenv(rows[i].rank, "0", 1);
        assert_int_equal(lab_world_foreign(words, &w) != NULL, rows[i].foreign);
        unsetenv(rows[i].size);
        unsetenv(rows[i].rank);
    }
}

/* A run's key is made of it. */
static int set_secret(void **state) {
    (void)state;
    return setenv("ZEROLAB_SECRET", "0123456789abcdef", 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_launchers),
        cmocka_unit_test(jobs_differ),
        cmocka_unit_test(rendezvous_stands_above),
        cmocka_unit_test(says_where_it_cannot_know),
        cmocka_unit_test(ranks_given_is_ones_own_start),
    };
    return cmocka_run_group_tests(tests, set_secret, NULL);
}
