/* The command line: every flag, its default, its help. */
#include "lab/model.h"
#include "lab/options_read.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(struct lab_options, field)
/* clang-format off */
static const struct lab_flag flags[] = {
    {"device",     LAB_FLAG_CHOICE, AT(device),     .choices = "cpu|cuda"},
    {"comm",       LAB_FLAG_CHOICE, AT(comm),       .choices = "shm|local|nccl"},
    {"share-gpu",  LAB_FLAG_ON,     AT(share_gpu), .off = NULL},
    {"ranks",      LAB_FLAG_COUNT,  AT(ranks),      .least = 1, .most = 64},
    {"stage",      LAB_FLAG_COUNT,  AT(stage),      .least = 0, .most = 3},
    {"model",      LAB_FLAG_MODEL,  0, .off = NULL},
    {"layers",     LAB_FLAG_COUNT,  AT(shape.layers), .least = 1, .most = 1024},
    {"width",      LAB_FLAG_COUNT,  AT(shape.width),  .least = 1, .most = 65536},
    {"heads",      LAB_FLAG_COUNT,  AT(shape.heads),  .least = 1, .most = 1024},
    {"seq",        LAB_FLAG_COUNT,  AT(shape.seq),    .least = 1, .most = 65536},
    {"vocab",      LAB_FLAG_COUNT,  AT(shape.vocab),  .least = 2, .most = 1u << 20},
    {"batch",      LAB_FLAG_COUNT,  AT(batch),      .least = 1, .most = 65536},
    {"steps",      LAB_FLAG_COUNT,  AT(steps),      .least = 1, .most = 100000000},
    {"accumulate", LAB_FLAG_COUNT,  AT(accumulate), .least = 1, .most = 65536},
    {"prefetch",   LAB_FLAG_COUNT,  AT(prefetch),   .least = 0, .most = 2},
    {"seed",       LAB_FLAG_SEED,   AT(seed), .off = NULL},
    {"precision",  LAB_FLAG_CHOICE, AT(compute),    .choices = "fp32|bf16|fp16"},
    {"checkpoint", LAB_FLAG_CHOICE, AT(checkpoint), .choices = "none|selective|full"},
    {"bucket",     LAB_FLAG_BYTES,  AT(bucket), .off = NULL},
    {"clip",       LAB_FLAG_REAL,   AT(clip),       .off = "off"},
    {"rate",       LAB_FLAG_REAL,   AT(rate), .off = NULL},
    {"decay",      LAB_FLAG_REAL,   AT(decay),      .off = "off"},
    {"warmup",     LAB_FLAG_COUNT,  AT(warmup),     .least = 0, .most = 100000000},
    {"cap",        LAB_FLAG_BYTES,  AT(cap),        .off = "none"},
    {"link",       LAB_FLAG_LINK,   0, .off = NULL},
    {"tokens",     LAB_FLAG_TEXT,   AT(tokens), .off = NULL},
    {"weights",    LAB_FLAG_TEXT,   AT(weights), .off = NULL},
    {"events",     LAB_FLAG_TEXT,   AT(events), .off = NULL},
    {"rendezvous", LAB_FLAG_TEXT,   AT(rendezvous), .off = NULL},
    {"patience",   LAB_FLAG_REAL,   AT(patience), .off = NULL},
    {"stall",      LAB_FLAG_REAL,   AT(stall), .off = NULL},
    {"predict",    LAB_FLAG_ON,     AT(predict), .off = NULL},
    {"probe",      LAB_FLAG_ON,     AT(probe), .off = NULL},
    {"dry",        LAB_FLAG_ON,     AT(dry), .off = NULL},
};
/* clang-format on */

const char *lab_options_help(void) {
    return "zerolab: trains a small GPT under ZeRO stage 0, 1, 2 or 3 and weighs itself\n"
           "\n"
           "  zerolab --ranks 4 --stage 2 --model tiny --batch 2 --steps 20\n"
           "\n"
           "ranks\n"
           "  --ranks N            how many (1)\n"
           "  --stage 0|1|2|3      nothing sharded, optimizer, gradients too, parameters too (0)\n"
           "  --device cpu|cuda    (cpu)\n"
           "  --comm shm|local|nccl  processes with shared memory, threads, NCCL (shm; nccl on "
           "GPUs)\n"
           "  --share-gpu          several NCCL ranks on one GPU\n"
           "  --rendezvous HOST:PORT  where ranks meet that torchrun, srun or mpirun started (as "
           "it says)\n"
           "  --patience SECONDS   that they may take to come there (60)\n"
           "  --link 10GB/s,20us   emulate such a link; or none (none)\n"
           "model and data\n"
           "  --model NAME         tiny, small, 10m, 124m, 355m, 774m, 1558m (tiny)\n"
           "  --layers --width --heads --seq --vocab N   each in place of the model's own\n"
           "  --tokens text|random|FILE  the bundled text, seeded noise, a file of bytes (text)\n"
           "  --seed N             of weights and data (1)\n"
           "a step\n"
           "  --steps N            (10)\n"
           "  --batch N            sequences a rank and micro-step (1)\n"
           "  --accumulate N       micro-steps a step (1)\n"
           "  --precision fp32|bf16|fp16  16 bits have an fp32 master copy (fp32)\n"
           "  --checkpoint none|selective|full  what backward computes again (none)\n"
           "  --rate R --warmup N --decay R|off  of AdamW (0.001, 0, 0.1)\n"
           "  --clip NORM|off      of the whole gradient (off)\n"
           "buffers\n"
           "  --bucket BYTES       of gradients that travel together (25MB)\n"
           "  --prefetch 0|1|2     units that stage 3 gathers ahead (1)\n"
           "  --cap BYTES|none     what a rank may hold (none)\n"
           "what to do\n"
           "  --predict            print what the engine expects, run nothing\n"
           "  --dry                walk the schedule, count, compute nothing\n"
           "  --probe              print the devices that are here, as JSON\n"
           "  --events FILE        write events there; standard output keeps the table\n"
           "  --weights FILE       write initial weights and tokens there, for a reference\n"
           "  --stall SECONDS      without progress, then a rank is said to hang (4; 60 on GPUs)\n"
           "\n"
           "Ranks that another launcher started prove to each other that they know ZEROLAB_SECRET, "
           "or\n"
           "if that is not set the file ~/.local/state/zerolab/secret, which is made for you.\n"
           "Standard output is a table on a terminal, events (JSON Lines) otherwise.\n"
           "Exit status: 0 the run ended well; 1 it failed; 2 bad usage, or no such device.\n";
}

const struct lab_flag *lab_flags(size_t *count) {
    *count = sizeof flags / sizeof *flags;
    return flags;
}

void lab_options_default(struct lab_options *o) {
    *o = (struct lab_options){
        .ranks = 1,
        .model = "tiny",
        .batch = 1,
        .steps = 10,
        .accumulate = 1,
        .prefetch = 1,
        .seed = 1,
        .bucket = 25000000,
        .rate = 1e-3,
        .decay = 0.1,
        .tokens = "text",
        .patience = 60,
    };
    (void)lab_shape_find(o->model, &o->shape);
}

/* "--bucket=1MB" and "--bucket" "1MB" are the same; *value is NULL in the second. */
static const struct lab_flag *find(const char *word, const char **value) {
    size_t n = strcspn(word, "=");
    *value = word[n] ? word + n + 1 : NULL;
    if (n < 3 || strncmp(word, "--", 2) != 0) return NULL;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strlen(flags[i].name) == n - 2 && strncmp(flags[i].name, word + 2, n - 2) == 0)
            return &flags[i];
    return NULL;
}

static bool is_shape(const struct lab_flag *f) {
    size_t end = AT(shape) + sizeof(struct lab_shape);
    return f->kind == LAB_FLAG_COUNT && f->at >= AT(shape) && f->at < end;
}

/* The model is read first: a shape's own numbers stand above it wherever they were written. */
static bool set_all(int argc, char **argv, struct lab_options *o, bool model,
                    struct lab_message *m) {
    for (int i = 1; i < argc; i++) {
        const char *value = NULL;
        const struct lab_flag *f = find(argv[i], &value);
        if (!f) return lab_fail(m, "%s: there is no such option: see zerolab --help", argv[i]);
        bool takes = f->kind != LAB_FLAG_ON;
        if (!takes && value) return lab_fail(m, "--%s takes no value", f->name);
        if (takes && !value && i + 1 >= argc)
            return lab_fail(m, "--%s: a value is missing", f->name);
        if (takes && !value) value = argv[++i];
        if ((f->kind == LAB_FLAG_MODEL) != model) continue;
        if (!lab_flag_set(f, value, o, m)) return false;
        if (is_shape(f)) (void)snprintf(o->model, sizeof o->model, "custom");
    }
    return true;
}

bool lab_options_read(int argc, char **argv, struct lab_options *o, struct lab_message *m) {
    if (!set_all(argc, argv, o, true, m) || !set_all(argc, argv, o, false, m)) return false;
    /* One rank has nobody to talk to, and needs no NCCL for it. */
    if (o->device == LAB_CUDA && o->comm == LAB_SHM) o->comm = o->ranks > 1 ? LAB_NCCL : LAB_LOCAL;
    if (o->stall <= 0) o->stall = o->device == LAB_CUDA ? 60 : 4;
    return true;
}
