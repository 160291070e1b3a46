/* zerolab: reads its options and is, in turn, the launcher, or one of the ranks. */
#include "lab/events.h"
#include "lab/load.h"
#include "lab/model.h"
#include "lab/saved.h"
#include "lab/tokens.h"
#include "lab/zerolab.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int refuse(const char *why) {
    lab_out_say("%s", why);
    return LAB_EXIT_USAGE;
}

/* Said here once, not by every rank. */
static bool tokens_fit(const struct lab_options *o, struct lab_message *m) {
    struct lab_tokens *t = lab_computes(o) ? lab_tokens_open(o, m) : NULL;
    lab_tokens_close(t);
    return t || !lab_computes(o);
}

static bool write_weights(const struct lab_options *o, struct lab_message *m) {
    if (!o->weights[0]) return true;
    struct lab_model *model = lab_model_new(&o->shape);
    bool well = model && lab_weights_write(model, o->seed, o->weights, m);
    lab_model_free(model);
    return well;
}

/* What was opened in the place of a closed one would be taken for it. They are opened the wrong way
 * round, so that whoever uses one hears of it. */
static void open_standard(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* What is longer than stdout's buffer may have failed before. */
static int flushed(void) {
    bool failed = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !failed) return LAB_EXIT_WELL;
    lab_out_say("standard output: cannot be written: %s", strerror(errno));
    return LAB_EXIT_FAILED;
}

/* A run that computes nothing needs no device. */
static bool computes(const struct lab_options *o) {
    return !o->predict && !o->dry;
}
/* How many devices this process must see. Another launcher may show each rank its own alone. */
static uint32_t needed(const struct lab_process *p) {
    bool one = p->options->share_gpu || p->world.launcher;
    if (p->way->threads) return p->options->gpus;
    return one ? 1 : p->options->ranks;
}
/* The launcher looks whether devices are here; the ranks that it starts will see for themselves. */
static bool find_backend(struct lab_process *p, struct lab_message *m) {
    if (!computes(p->options)) return true;
    p->backend = lab_backend_for(p->options, m);
    p->way = p->backend ? lab_way_for(p->backend, p->options, m) : NULL;
    if (!p->way) return false;
    return lab_launched() || !p->backend->find || p->backend->find(needed(p), m);
}

static bool given(char **argv, const char *option) {
    for (size_t n = strlen(option); *argv; argv++)
        if (strncmp(*argv, option, n) == 0 && (!(*argv)[n] || (*argv)[n] == '=')) return true;
    return false;
}
/* Ranks that another launcher started meet, and talk by NCCL unless something else was asked for.
 * Ranks that share memory zerolab starts itself: lab_launch() refuses if another program did. */
static bool read_world(struct lab_options *o, char **argv, struct lab_world *w,
                       struct lab_message *m) {
    bool meets = o->device == LAB_CUDA && (o->comm == LAB_NCCL || !given(argv, "--comm"));
    if (lab_launched()) return true;
    if (!meets || !lab_world_foreign(argv, w))
        return !o->rendezvous[0] || lab_fail(m, "--rendezvous is for ranks on GPUs that torchrun, "
                                                "srun or mpirun starts: leave it out");
    o->comm = LAB_NCCL;
    o->ranks = w->place.ranks;
    w->place.stall = o->stall;
    return lab_world_place(o, w, m);
}

/* Checkpoints that are later than this run's beginning belong to another training: the newest would
 * not be this run's. */
static bool is_free(const struct lab_options *o, struct lab_message *m) {
    uint32_t step[LAB_SAVED_STEPS];
    if (!o->save[0]) return true;
    if (lab_saved_steps(o->save, step) == 0 || *step <= o->done) return true;
    return lab_fail(m,
                    "--save %.150s: has a checkpoint of a later step, step-%u: --resume it, or "
                    "use another folder",
                    o->save, *step);
}

/* What cannot be saved is found out before the first step, not after the last. */
static bool can_save(const struct lab_options *o, struct lab_message *m) {
    return (!o->save[0] || !lab_computes(o) || lab_save_claim(o, m)) && is_free(o, m);
}

/* What goes on, and what does not go on as it was. */
static bool say_batch(const struct lab_saved *s, const struct lab_options *o) {
    uint64_t before = (uint64_t)s->ranks * s->batch * s->accumulate;
    uint64_t now = (uint64_t)o->ranks * o->batch * o->accumulate;
    if (before != now)
        lab_out_say("%s: the global batch was %llu sequences and is now %llu", s->path,
                    (unsigned long long)before, (unsigned long long)now);
    return true;
}

static bool look_at_checkpoint(struct lab_options *o, bool writes, struct lab_message *m) {
    struct lab_saved *s = o->resume[0] ? lab_saved_open(o->resume, m) : NULL;
    bool well = !o->resume[0] || (s && lab_saved_fits(s, o, m));
    if (well && s) o->done = s->step;
    /* The launcher reads all of it once, so that the ranks need not. */
    if (well && s && !lab_launched()) well = lab_saved_whole(s, m) && say_batch(s, o);
    lab_saved_close(s);
    return well && (!writes || can_save(o, m));
}

/* Whether ranks can have their files; found out before any of them starts. */
static bool look_at_tiers(struct lab_options *o, struct lab_message *m) {
    if (!o->offload_dir[0] || !lab_computes(o) || lab_launched()) return true;
    return lab_file_try(o->offload_dir, &o->offload_direct, m);
}

static bool read_all(int argc, char **argv, struct lab_options *o, struct lab_world *w,
                     struct lab_message *m) {
    size_t count;
    lab_options_default(o);
    /* "collectives" is the first word; the rest are options, to which it gives other defaults. */
    if (argc > 1 && strcmp(argv[1], "collectives") == 0) {
        o->links = true;
        o->to = 16000000;
        o->steps = 20;
        o->ranks = 2;
        argc--, argv++;
    }
    o->device = lab_backends(&count)[0].kind;
    return lab_options_read(argc, argv, o, m) && read_world(o, argv, w, m) &&
           lab_options_check(o, m) && look_at_tiers(o, m) &&
           look_at_checkpoint(o, !lab_launched() && w->place.rank == 0, m);
}

static int consolidate(int argc, char **argv) {
    struct lab_message m = {""};
    if (argc != 4) return refuse("consolidate takes two names: zerolab consolidate DIR FILE");
    return lab_consolidate(argv[2], argv[3], &m) ? LAB_EXIT_WELL : refuse(m.text);
}

/* Of the BLAS as this environment loads it. A run has its own loaded as its ranks load it. */
static int say_gflops(void) {
    size_t count;
    const struct lab_backend *b = lab_backends(&count);
    if (!b->gflops) return refuse("gflops: this zerolab computes on GPUs, and has no BLAS to time");
    (void)printf("%.4g\n", b->gflops(NULL));
    return flushed();
}

int main(int argc, char **argv) {
    struct lab_options o;
    struct lab_process p = {.options = &o};
    struct lab_message m = {""};
    lab_loaded();
    open_standard();
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error, and said */
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return lab_options_help(stdout), flushed();
    if (argc > 1 && strcmp(argv[1], "consolidate") == 0) return consolidate(argc, argv);
    if (argc > 1 && strcmp(argv[1], "gflops") == 0)
        return argc == 2 ? say_gflops() : refuse("gflops takes no options: zerolab gflops");
    if (!read_all(argc, argv, &o, &p.world, &m)) return refuse(m.text);
    if (o.probe) return lab_probe(stdout), flushed();
    if (!find_backend(&p, &m)) return refuse(m.text);
    if (lab_launched()) return (int)lab_process_launched(&p);
    if (p.world.place.rank != 0 && !computes(&o)) return LAB_EXIT_WELL; /* rank 0 says it all */
    if (!tokens_fit(&o, &m) || !write_weights(&o, &m)) return refuse(m.text);
    bool joins = p.world.launcher && computes(&o);
    return (int)(joins ? lab_conduct_joined(&p) : lab_conduct(&o, argv));
}
