/* manifest: the text that describes a checkpoint, written and read.
 *
 * It is JSON, for other programs. This one reads its own alone, and needs no reader of JSON for
 * that: it looks for each member by its name, and then writes what it has found. If that is not the
 * same text, byte by byte, somebody else wrote the manifest, or it is damaged. The last member is
 * the SHA-256 of all before it, so a digit that changed is damage as well. */
#include "lab/json.h"
#include "lab/saved.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { FORMAT = 2 };

/* ── writing ───────────────────────────────────────────────────────────────────────────────────*/
static void put_model(struct lab_json *j, const struct lab_shape *s) {
    lab_json_open(j, "model", '{');
    lab_json_count(j, "layers", s->layers);
    lab_json_count(j, "width", s->width);
    lab_json_count(j, "heads", s->heads);
    lab_json_count(j, "seq", s->seq);
    lab_json_count(j, "vocab", s->vocab);
    if (s->untied) lab_json_flag(j, "untied", true);
    lab_json_close(j, '}');
}

/* All but the end of the object. */
static void put_members(const struct lab_saved *s, FILE *f) {
    struct lab_json j = {.file = f};
    lab_json_open(&j, NULL, '{');
    lab_json_text(&j, "zerolab", "checkpoint");
    lab_json_count(&j, "format", FORMAT);
    lab_json_count(&j, "step", s->step);
    lab_json_count(&j, "sequences", s->sequences);
    lab_json_count(&j, "ranks", s->ranks);
    lab_json_count(&j, "stage", s->stage);
    lab_json_count(&j, "batch", s->batch);
    lab_json_count(&j, "accumulate", s->accumulate);
    lab_json_text(&j, "precision", lab_dtype_name(s->compute));
    if (s->optimizer == LAB_ADAM8BIT) lab_json_text(&j, "optimizer", "adam8bit");
    if (s->grain > 1) lab_json_count(&j, "grain", s->grain);
    put_model(&j, &s->shape);
    lab_json_text(&j, "tokens", s->tokens);
    lab_json_count(&j, "seed", s->seed);
    lab_json_real(&j, "loss_scale", s->scaler.scale, 17);
    lab_json_count(&j, "good_steps", s->scaler.good);
    lab_json_open(&j, "sha256", '[');
    for (uint32_t r = 0; r < s->ranks; r++) lab_json_text(&j, NULL, s->sha256[r]);
    lab_json_close(&j, ']');
}

bool lab_manifest_write(const struct lab_saved *s, FILE *f) {
    unsigned char sum[HASH_SHA256_BYTES];
    char *text = NULL, hex[HASH_HEX];
    size_t size = 0;
    struct hash_sha256 hash;
    FILE *members = open_memstream(&text, &size);
    if (!members) return false;
    put_members(s, members);
    bool well = fclose(members) == 0;
    hash_sha256_begin(&hash);
    hash_sha256_add(&hash, text, size);
    hash_sha256_end(&hash, sum);
    hash_hex_of(sum, hex);
    well = well && fprintf(f, "%s,\"manifest_sha256\":\"%s\"}\n", text, hex) > 0;
    free(text);
    return well;
}

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/

/* The text of a member's value; NULL if the manifest lacks the member. */
static const char *member(const char *text, const char *key) {
    char name[40];
    (void)snprintf(name, sizeof name, "\"%s\":", key);
    const char *at = strstr(text, name);
    return at ? at + strlen(name) : NULL;
}

static uint64_t count_of(const char *text, const char *key) {
    const char *at = member(text, key);
    return at ? strtoull(at, NULL, 10) : 0;
}

static bool take_count(const char *text, const char *key, uint32_t least, uint32_t most,
                       uint32_t *out) {
    uint64_t n = count_of(text, key);
    *out = (uint32_t)n;
    return n >= least && n <= most;
}

/* A string, as json.c writes it. */
static void take_text(const char *text, const char *key, char *out, size_t size) {
    const char *at = member(text, key);
    size_t n = 0;
    unsigned code;
    *out = '\0';
    if (!at || *at++ != '"') return;
    for (; *at && *at != '"' && n + 1 < size; at++) {
        out[n] = *at;
        if (*at == '\\') out[n] = *++at;
        if (at[-1] == '\\' && *at == 'u' && sscanf(at + 1, "%4x", &code) == 1) {
            out[n] = (char)code;
            at += 4;
        }
        if (out[n++] == '\0') return;
    }
    out[n] = '\0';
}

static bool take_shape(const char *text, struct lab_shape *s) {
    s->untied = member(text, "untied") != NULL;
    return take_count(text, "layers", 1, 1024, &s->layers) &&
           take_count(text, "width", 1, 65536, &s->width) &&
           take_count(text, "heads", 1, 1024, &s->heads) &&
           take_count(text, "seq", 1, 65536, &s->seq) &&
           take_count(text, "vocab", 2, 1u << 20, &s->vocab) && s->width % s->heads == 0 &&
           (double)s->layers * s->width * s->width * 12 <= 0x1p40;
}

static bool take_precision(const char *text, enum lab_dtype *out) {
    char name[8];
    take_text(text, "precision", name, sizeof name);
    for (*out = LAB_F32; *out < LAB_F64; *out = (enum lab_dtype)(*out + 1))
        if (strcmp(name, lab_dtype_name(*out)) == 0) return true;
    return false;
}

/* Both are only there if they are not the usual: plain AdamW, and shards of any size. */
static bool take_blocks(const char *text, struct lab_saved *s) {
    char name[12];
    take_text(text, "optimizer", name, sizeof name);
    s->optimizer = strcmp(name, "adam8bit") == 0 ? LAB_ADAM8BIT : LAB_ADAMW;
    if (member(text, "grain")) return take_count(text, "grain", 2, 1u << 16, &s->grain);
    s->grain = 1;
    return true;
}

static void take_sums(const char *text, struct lab_saved *s) {
    const char *at = member(text, "sha256");
    for (uint32_t r = 0; at && r < s->ranks && (at = strchr(at, '"')); r++) {
        (void)snprintf(s->sha256[r], sizeof s->sha256[r], "%s", at + 1);
        if (strlen(at) > HASH_HEX) at += HASH_HEX + 1;
    }
}

static bool take(const char *text, struct lab_saved *s) {
    const char *scale = member(text, "loss_scale");
    s->scaler.scale = scale ? strtod(scale, NULL) : 0;
    s->sequences = count_of(text, "sequences");
    s->seed = count_of(text, "seed");
    take_text(text, "tokens", s->tokens, sizeof s->tokens);
    bool well = s->scaler.scale >= 1 && take_shape(text, &s->shape) &&
                take_precision(text, &s->compute) && take_blocks(text, s) &&
                take_count(text, "step", 1, 100000000, &s->step) &&
                take_count(text, "good_steps", 0, 100000000, &s->scaler.good) &&
                take_count(text, "ranks", 1, LAB_RANKS_MAX, &s->ranks) &&
                take_count(text, "stage", 0, 3, &s->stage) &&
                take_count(text, "batch", 1, 65536, &s->batch) &&
                take_count(text, "accumulate", 1, 65536, &s->accumulate);
    if (well) take_sums(text, s);
    return well;
}

/* Whether writing what was read gives this text. */
static bool is_same(const struct lab_saved *s, const char *text) {
    char *again = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&again, &size);
    if (!f) return false;
    bool written = lab_manifest_write(s, f);
    bool same = fclose(f) == 0 && written && strcmp(again, text) == 0;
    free(again);
    return same;
}

bool lab_manifest_read(const char *text, struct lab_saved *s, struct lab_message *m) {
    uint64_t format = count_of(text, "format");
    if (format > 0 && format != FORMAT)
        return lab_fail(m, "%.180s: %s zerolab wrote it: use that version", s->path,
                        format > FORMAT ? "a newer" : "an older");
    if (take(text, s) && is_same(s, text)) return true;
    return lab_fail(m, "%.180s: " LAB_SAVED_MANIFEST " is damaged: use an older checkpoint",
                    s->path);
}
