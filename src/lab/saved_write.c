/* A checkpoint is written: by every rank its part, then by rank 0 the manifest. Whatever kills the
 * run in between, the checkpoints before stay as they are, and what was begun has another name. */
#include "lab/saved.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* PIECE: bytes copied at a time. SYNC: bytes after which fdatasync() waits for the disk, so that a
 * rank never waits long. */
enum { PIECE = 1 << 18, SYNC = 32 << 20 };
/* A folder of 255 bytes, "/step-N.part", and a file's name. */
enum { FOLDER = 300, FILE_PATH = 340 };

struct writing {
    struct lab_rank *rank;
    char path[FILE_PATH], *piece;
    int fd;
    size_t unsynced;
    struct hash_sha256 sum;
};

static bool fail(struct lab_rank *k, const char *path) {
    return lab_fail(&k->message, "--save %.180s: cannot be written: %s", path, strerror(errno));
}

/* ── a rank's part ─────────────────────────────────────────────────────────────────────────────*/
static bool write_all(int fd, const char *bytes, size_t n) {
    while (n > 0) {
        ssize_t written = write(fd, bytes, n);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        n -= (size_t)written;
    }
    return true;
}

/* In fp32, whatever it is kept in: what is in blocks comes out of them, and back into them, with
 * the same bits. */
static bool write_floats(struct writing *w, struct lab_device *d, const char *from,
                         enum lab_dtype type, size_t count) {
    struct lab_rank *k = w->rank;
    for (size_t at = 0, n; at < count; at += n) {
        n = count - at < PIECE / sizeof(float) ? count - at : PIECE / sizeof(float);
        size_t bytes = n * sizeof(float);
        if (type == LAB_F32)
            d->row->download(d, w->piece, from + at * sizeof(float), bytes);
        else
            d->row->cast(d, w->piece, LAB_F32, from + lab_dtype_size(type, at), type, n);
        hash_sha256_add(&w->sum, w->piece, bytes);
        if (!write_all(w->fd, w->piece, bytes)) return false;
        k->comm->row->progress(k->comm, k->step, LAB_AT_UPDATE, -1);
        w->unsynced += bytes;
        if (w->unsynced < SYNC) continue;
        if (fdatasync(w->fd) != 0) return false;
        w->unsynced = 0;
    }
    return true;
}

/* The part that a rank writes is one of as many as there are ranks. Groups hold the same states, so
 * each rank writes the piece of its shard that has its group's number. */
static uint32_t part_of(const struct lab_partition *p, uint32_t rank) {
    return rank % p->ranks * p->groups + rank / p->ranks;
}

/* In fp32 the parameters are their own master copy. A rank's part is its shard, or the piece of it
 * that its group writes. */
static bool write_unit(struct writing *w, size_t u) {
    const struct lab_rank *k = w->rank;
    struct lab_split piece = k->split.unit[u];
    uint32_t part = part_of(&k->split, k->comm->rank);
    piece.shard /= k->split.groups;
    size_t own = lab_owned(&piece, part), at = k->split.group * piece.shard;
    bool master = k->unit[u].master != NULL;
    struct lab_device *d = lab_optimizer_device(k), *p = master ? d : lab_params_device(k);
    const struct {
        struct lab_device *device;
        enum lab_updated array;
    } arrays[] = {{p, master ? LAB_MASTER : LAB_PARAMS}, {d, LAB_M}, {d, LAB_V}};
    bool well = true;
    for (size_t i = 0; well && own && i < 3; i++) {
        enum lab_updated a = arrays[i].array;
        well = write_floats(w, arrays[i].device, lab_mine_of(k, a, u) + lab_bytes_of(k, a, at),
                            lab_type_of(k, a), own);
    }
    return well;
}

static bool write_part(struct lab_rank *k, const char *folder,
                       unsigned char sum[HASH_SHA256_BYTES]) {
    struct writing w = {.rank = k, .piece = malloc(PIECE)};
    if (!w.piece) return lab_fail_memory(k);
    (void)snprintf(w.path, sizeof w.path, "%s/rank-%u.bin", folder,
                   part_of(&k->split, k->comm->rank));
    hash_sha256_begin(&w.sum);
    w.fd = open(w.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool well = w.fd >= 0;
    for (size_t u = 0; well && u < k->split.units; u++) well = write_unit(&w, u);
    well = well && fsync(w.fd) == 0;
    if (!well) (void)fail(k, w.path);
    if (w.fd >= 0) (void)close(w.fd);
    free(w.piece);
    hash_sha256_end(&w.sum, sum);
    return well;
}

/* Every part's SHA-256 to every rank, 32 bits at a time: a double holds them exactly. */
static bool exchange_sums(struct lab_rank *k, const unsigned char own[HASH_SHA256_BYTES],
                          unsigned char *all) {
    for (size_t i = 0; i < HASH_SHA256_BYTES; i += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, own + i, sizeof word);
        if (!k->comm->row->exchange(k->comm, word, k->every, &k->message)) return false;
        for (uint32_t r = 0; r < k->comm->ranks; r++) {
            word = (uint32_t)k->every[r];
            memcpy(all + part_of(&k->split, r) * HASH_SHA256_BYTES + i, &word, sizeof word);
        }
    }
    return true;
}

/* ── the folder, rank 0's ──────────────────────────────────────────────────────────────────────*/

/* Whether checkpoints have files of this name. What else is in a folder is not theirs. */
static bool is_own(const char *name) {
    char again[24];
    unsigned rank = 0;
    if (strcmp(name, LAB_SAVED_MANIFEST) == 0) return true;
    if (sscanf(name, "rank-%9u.bin", &rank) != 1) return false;
    (void)snprintf(again, sizeof again, "rank-%u.bin", rank);
    return strcmp(again, name) == 0;
}

/* Removes a checkpoint that is not one any more, or not yet: a folder with its files. A link is
 * not followed, and a folder with other files stays. */
static void remove_part(const char *folder) {
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *e; d && (e = readdir(d));)
        if (is_own(e->d_name)) (void)unlinkat(fd, e->d_name, 0);
    if (d)
        (void)closedir(d);
    else if (fd >= 0)
        (void)close(fd);
    (void)rmdir(folder);
}

static bool is_part(const char *name) {
    size_t n = strlen(name), end = sizeof LAB_SAVED_PART - 1;
    return n > end && strncmp(name, "step-", 5) == 0 && strcmp(name + n - end, LAB_SAVED_PART) == 0;
}

/* Those that a run before this one left. */
static void remove_parts(const char *folder) {
    char path[PATH_MAX];
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        if (is_part(e->d_name) &&
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name) < (int)sizeof path)
            remove_part(path);
    if (d) (void)closedir(d);
}

/* Somebody else may name a folder "step-20". */
static bool has_manifest(const char *folder) {
    char path[FILE_PATH];
    struct stat st;
    (void)snprintf(path, sizeof path, "%s/" LAB_SAVED_MANIFEST, folder);
    return lstat(folder, &st) == 0 && S_ISDIR(st.st_mode) && lstat(path, &st) == 0 &&
           S_ISREG(st.st_mode);
}

/* First it loses its name, so that nothing incomplete ever has one. */
static void remove_oldest(const struct lab_options *o) {
    uint32_t step[LAB_SAVED_STEPS], kept = 0;
    char path[FOLDER], part[FOLDER];
    size_t n = lab_saved_steps(o->save, step);
    for (size_t i = 0; i < n; i++) {
        (void)snprintf(path, sizeof path, "%s/step-%u", o->save, step[i]);
        if (!has_manifest(path) || kept++ < o->keep) continue;
        (void)snprintf(part, sizeof part, "%s/step-%u" LAB_SAVED_PART, o->save, step[i]);
        if (rename(path, part) == 0) remove_part(part);
    }
}

static bool refuse(const char *folder, struct lab_message *m) {
    return lab_fail(m, "--save %.180s: cannot be written: %s: use another folder", folder,
                    strerror(errno));
}

/* The lock is on the folder itself, so that nothing is left of it. A file system without locks is
 * no reason not to save. */
bool lab_save_claim(const struct lab_options *o, struct lab_message *m) {
    if (mkdir(o->save, 0777) != 0 && errno != EEXIST) return refuse(o->save, m);
    int fd = open(o->save, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return refuse(o->save, m);
    bool taken = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    bool well =
        taken ? lab_fail(m, "--save %.180s: another run saves there: use another folder", o->save)
              : faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0 || refuse(o->save, m);
    if (!well) (void)close(fd);
    return well;
}

static bool make_folder(struct lab_rank *k, const char *part) {
    const char *folder = k->options->save;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return fail(k, folder);
    remove_parts(folder);
    return mkdir(part, 0777) == 0 || fail(k, part);
}

static bool sync_folder(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool well = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0) (void)close(fd);
    return well;
}

/* What the manifest says of this step. */
static void describe(const struct lab_rank *k, const unsigned char *sums, struct lab_saved *s) {
    const struct lab_options *o = k->options;
    *s = (struct lab_saved){.step = k->step,
                            .ranks = o->ranks,
                            .stage = o->stage,
                            .batch = o->batch,
                            .accumulate = o->accumulate,
                            .shape = o->shape,
                            .compute = o->compute,
                            .optimizer = o->optimizer,
                            .grain = (uint32_t)k->split.grain,
                            .seed = o->seed,
                            .sequences = lab_sequences(k, k->step + 1, 0),
                            .scaler = k->scaler};
    memcpy(s->tokens, o->tokens, sizeof s->tokens);
    for (uint32_t r = 0; r < o->ranks; r++) hash_hex_of(sums + r * HASH_SHA256_BYTES, s->sha256[r]);
}

static bool write_manifest(struct lab_rank *k, const char *folder, const unsigned char *sums) {
    char path[FILE_PATH];
    struct lab_saved s;
    (void)snprintf(path, sizeof path, "%s/" LAB_SAVED_MANIFEST, folder);
    FILE *f = fopen(path, "wx");
    if (!f) return fail(k, path);
    describe(k, sums, &s);
    bool well = lab_manifest_write(&s, f) && fflush(f) == 0 && !ferror(f) && fsync(fileno(f)) == 0;
    if (!well) (void)fail(k, path);
    (void)fclose(f);
    return well;
}

static bool complete(struct lab_rank *k, const char *part, const unsigned char *sums) {
    char path[FOLDER];
    (void)snprintf(path, sizeof path, "%s/step-%u", k->options->save, k->step);
    if (!write_manifest(k, part, sums)) return false;
    if (!sync_folder(part) || rename(part, path) != 0 || !sync_folder(k->options->save))
        return fail(k, path);
    remove_oldest(k->options);
    return true;
}

/* ── all of it ─────────────────────────────────────────────────────────────────────────────────*/
static bool is_due(const struct lab_rank *k) {
    const struct lab_options *o = k->options;
    return o->save[0] && (k->step == o->steps || (o->save_every && k->step % o->save_every == 0));
}

static void say_saved(struct lab_rank *k, double since) {
    struct lab_report r = {.says = LAB_SAYS_SAVED, .rank = k->comm->rank, .where = k->ledger.where};
    for (uint32_t i = 0; i < k->split.ranks; i++) r.as.saved.bytes += lab_saved_bytes(&k->split, i);
    r.as.saved.seconds = lab_seconds() - since;
    if (k->comm->rank == 0) k->sink->say(k->sink->self, &r);
}

static bool save(struct lab_rank *k) {
    char part[FOLDER];
    unsigned char own[HASH_SHA256_BYTES], sums[LAB_RANKS_MAX * HASH_SHA256_BYTES];
    bool first = k->comm->rank == 0;
    (void)snprintf(part, sizeof part, "%s/step-%u" LAB_SAVED_PART, k->options->save, k->step);
    return (!first || make_folder(k, part)) && k->comm->row->barrier(k->comm, &k->message) &&
           write_part(k, part, own) && exchange_sums(k, own, sums) &&
           (!first || complete(k, part, sums)) && k->comm->row->barrier(k->comm, &k->message);
}

bool lab_save(struct lab_rank *k) {
    double since = lab_seconds();
    uint64_t control = k->comm->control;
    if (!is_due(k)) return true;
    bool well = save(k);
    k->comm->control = control;
    if (well) say_saved(k, since);
    return well;
}
