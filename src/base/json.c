/* JSON in and out: jansson's own types, and this program's messages. */
#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_FILE_MOST = 64 << 20 };

json_t *base_json_parse(const char *text, size_t n) {
    return json_loadb(text, n, JSON_REJECT_DUPLICATES, NULL);
}

json_t *base_json_read(const char *text, size_t n, const char *name, struct base_message *m) {
    json_error_t e;
    json_t *json = json_loadb(text, n, JSON_REJECT_DUPLICATES, &e);
    if (!json) base_fail_at(m, name, e.line, "not valid JSON, column %d: %s", e.column, e.text);
    return json;
}

json_t *base_json_read_file(const char *path, struct base_message *m) {
    size_t length;
    char *text = base_file_read(path, JSON_FILE_MOST, &length, m);
    if (!text) return NULL;
    json_t *json = base_json_read(text, length, path, m);
    free(text);
    return json;
}

const char *base_json_text(const json_t *object, const char *key, const char *otherwise) {
    const json_t *v = json_object_get(object, key);
    return json_is_string(v) ? json_string_value(v) : otherwise;
}

double base_json_number(const json_t *object, const char *key, double otherwise) {
    const json_t *v = json_object_get(object, key);
    return json_is_number(v) ? json_number_value(v) : otherwise;
}

/* Lua and JavaScript write whole numbers as reals at times: 7e9 is an integer here, 7.5 is not. */
int64_t base_json_int(const json_t *object, const char *key, int64_t otherwise) {
    const json_t *v = json_object_get(object, key);
    if (json_is_integer(v)) return json_integer_value(v);
    double real = json_is_real(v) ? json_real_value(v) : NAN;
    return fabs(real) < 0x1p63 && trunc(real) == real ? (int64_t)real : otherwise;
}

bool base_json_bool(const json_t *object, const char *key, bool otherwise) {
    const json_t *v = json_object_get(object, key);
    return json_is_boolean(v) ? json_is_true(v) : otherwise;
}

/* The shortest digits that read back as the same number; a whole number has no point. */
static void print_real(char *out, size_t size, double x) {
    if (fabs(x) < 1e18 && trunc(x) == x) {
        snprintf(out, size, "%.0f", x);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, size, "%.*g", digits, x);
        if (strtod(out, NULL) == x) return;
    }
}

/* The member as text; NULL for null and for what is nested. */
static const char *scalar_text(const json_t *v, char *out, size_t size) {
    switch (json_typeof(v)) {
    case JSON_STRING: return json_string_value(v);
    case JSON_TRUE: return "on";
    case JSON_FALSE: return "off";
    case JSON_INTEGER:
        snprintf(out, size, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
        return out;
    case JSON_REAL: print_real(out, size, json_real_value(v)); return out;
    default: return NULL;
    }
}

bool base_json_fields(const json_t *object,
                      bool (*each)(void *self, const char *name, const char *text,
                                   struct base_message *m),
                      void *self, struct base_message *m) {
    if (!json_is_object(object))
        return base_fail(m, "an object {…} is needed here, with a value for each name");
    const char *name;
    json_t *v;
    json_object_foreach((json_t *)object, name, v) {
        char number[40];
        const char *text = scalar_text(v, number, sizeof number);
        if (!text && !json_is_null(v))
            return base_fail(
                m, "\"%s\" must be a number, a text, true or false, not a list or an object", name);
        if (text && !each(self, name, text, m)) return false;
    }
    return true;
}
