/* Values of flags: text to what the options hold. Bytes and rates are read as the engine reads them. */
#include "lab/options_read.h"

#include "account/account.h"
#include "lab/model.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool lab_fail(struct lab_message *m, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (m) (void)vsnprintf(m->text, sizeof m->text, format, args);
    va_end(args);
    return false;
}

static bool read_whole(const char *text, uint64_t *out) {
    char *end = NULL;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

static bool read_real(const char *text, double *out, const char **rest) {
    char *end = NULL;
    *out = strtod(text, &end);
    *rest = end;
    return end != text && isfinite(*out);
}

static bool set_count(const struct lab_flag *f, const char *text, void *to, struct lab_message *m) {
    uint64_t n = 0;
    if (!read_whole(text, &n) || n < f->least || n > f->most)
        return lab_fail(m, "--%s %s: give a whole number from %u to %u", f->name, text, f->least,
                        f->most);
    uint32_t value = (uint32_t)n;
    memcpy(to, &value, sizeof value);
    return true;
}

static bool set_seed(const struct lab_flag *f, const char *text, void *to, struct lab_message *m) {
    uint64_t n = 0;
    if (!read_whole(text, &n)) return lab_fail(m, "--%s %s: give a whole number", f->name, text);
    memcpy(to, &n, sizeof n);
    return true;
}

static bool set_bytes(const struct lab_flag *f, const char *text, void *to, struct lab_message *m) {
    struct account_error e;
    double bytes = 0;
    if (f->off && strcmp(text, f->off) == 0) {
        memset(to, 0, sizeof(uint64_t));
        return true;
    }
    if (!account_read_bytes(text, &bytes, &e))
        return lab_fail(m, "--%s %s: %s", f->name, text, e.what);
    if (bytes > 0x1p62) return lab_fail(m, "--%s %s: too large: give at most 4 EiB", f->name, text);
    if (bytes < 1)
        return lab_fail(m, "--%s %s: give at least a byte%s%s", f->name, text,
                        f->off ? ", or " : "", f->off ? f->off : "");
    uint64_t value = (uint64_t)bytes;
    memcpy(to, &value, sizeof value);
    return true;
}

static bool set_choice(const struct lab_flag *f, const char *text, void *to,
                       struct lab_message *m) {
    size_t n = strlen(text);
    int index = 0;
    for (const char *at = f->choices; at; index++) {
        const char *bar = strchr(at, '|');
        size_t length = bar ? (size_t)(bar - at) : strlen(at);
        if (length == n && memcmp(at, text, n) == 0) {
            memcpy(to, &index, sizeof index);
            return true;
        }
        at = bar ? bar + 1 : NULL;
    }
    return lab_fail(m, "--%s %s: choose one of %s", f->name, text, f->choices);
}

static bool set_real(const struct lab_flag *f, const char *text, void *to, struct lab_message *m) {
    const char *rest = "";
    double value = 0;
    bool off = f->off && strcmp(text, f->off) == 0;
    if (!off && (!read_real(text, &value, &rest) || *rest || value <= 0))
        return lab_fail(m, "--%s %s: give a number above 0%s%s", f->name, text,
                        f->off ? ", or " : "", f->off ? f->off : "");
    memcpy(to, &value, sizeof value);
    return true;
}

static bool set_text(const struct lab_flag *f, const char *text, char *to, struct lab_message *m) {
    if (strlen(text) >= 256 || *text == '\0')
        return lab_fail(m, "--%s: a name of 1 to 255 bytes is wanted", f->name);
    memcpy(to, text, strlen(text) + 1);
    return true;
}

static bool set_model(const char *text, struct lab_options *o, struct lab_message *m) {
    struct lab_shape shape;
    if (!lab_shape_find(text, &shape))
        return lab_fail(
            m, "--model %s: choose one of %s, or give --layers --width --heads --seq --vocab", text,
            lab_shape_names());
    o->shape = shape;
    (void)snprintf(o->model, sizeof o->model, "%s", text);
    return true;
}

enum latency { LATENCY_READ, LATENCY_UNIT, LATENCY_RANGE };

static enum latency read_latency(const char *text, double *out) {
    static const struct {
        const char *name;
        double seconds;
    } units[] = {
        {"us", 1e-6},
        {"ms", 1e-3},
        {"ns", 1e-9},
        {"s",  1   }
    };
    const char *rest = "";
    if (!read_real(text, out, &rest)) return LATENCY_UNIT;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(rest, units[i].name) == 0) {
            *out *= units[i].seconds;
            return *out >= 0 && *out <= 10 ? LATENCY_READ : LATENCY_RANGE;
        }
    return LATENCY_UNIT;
}

static bool set_link(const char *text, struct lab_options *o, struct lab_message *m) {
    struct account_error e = {.what = ""};
    char rate[64] = "";
    size_t n = strcspn(text, ",");
    o->link_rate = o->link_latency = 0;
    if (strcmp(text, "none") == 0) return true;
    if (n < sizeof rate) memcpy(rate, text, n);
    bool bare = rate[strspn(rate, "0123456789.eE+")] == '\0';
    if (bare || !account_read_rate(rate, &o->link_rate, &e) || !(o->link_rate >= 1))
        return lab_fail(m, "--link %s: give bytes per second and a latency, as 10GB/s,20us", text);
    enum latency read =
        text[n] == ',' ? read_latency(text + n + 1, &o->link_latency) : LATENCY_READ;
    if (read == LATENCY_RANGE) return lab_fail(m, "--link %s: give a latency from 0 to 10 s", text);
    if (read == LATENCY_UNIT)
        return lab_fail(m, "--link %s: the latency is in us, ms or s, as 10GB/s,20us", text);
    return true;
}

bool lab_flag_set(const struct lab_flag *f, const char *value, struct lab_options *o,
                  struct lab_message *m) {
    char *to = (char *)o + f->at;
    bool on = true;
    switch (f->kind) {
    case LAB_FLAG_COUNT: return set_count(f, value, to, m);
    case LAB_FLAG_SEED: return set_seed(f, value, to, m);
    case LAB_FLAG_BYTES: return set_bytes(f, value, to, m);
    case LAB_FLAG_CHOICE: return set_choice(f, value, to, m);
    case LAB_FLAG_REAL: return set_real(f, value, to, m);
    case LAB_FLAG_TEXT: return set_text(f, value, to, m);
    case LAB_FLAG_MODEL: return set_model(value, o, m);
    case LAB_FLAG_LINK: return set_link(value, o, m);
    case LAB_FLAG_ON: memcpy(to, &on, sizeof on); return true;
    }
    return false;
}
