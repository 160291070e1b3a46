/* file_cache: the result of running a file, a lesson's or a book's. It is kept in the record under
 * a stamp of all that it depends on, so that only what changed is run again. The record leaves this
 * derived cache behind when it moves. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

/* A file that is called as another one takes its place, and then the stamp does not fit. */
static char *setting_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return base_format("cache/told/%s", slash ? slash + 1 : path);
}

/* "stamp\n{…}"; whatever else stands there was not kept here. */
static json_t *read_kept(struct store *store, const char *path, uint64_t stamp) {
    char *name = setting_of(path), *text = store_setting(store, name), *end = text;
    bool fits = text && stamp && strtoull(text, &end, 16) == stamp && *end == '\n';
    json_t *told = fits ? base_json_parse(end + 1, strlen(end + 1)) : NULL;
    free(text);
    free(name);
    return told;
}

/* Failing to keep it costs the time to run it again. */
static void keep(struct store *store, const char *path, uint64_t stamp, const json_t *told) {
    char *name = setting_of(path), *json = json_dumps(told, JSON_COMPACT),
         *text = base_format("%jx\n%s", (uintmax_t)stamp, json ? json : "");
    store_set_derived(store, name, text);
    free(text);
    free(json);
    free(name);
}

json_t *session_told_kept(struct store *store, const char *path) {
    return store ? read_kept(store, path, script_stamp(path)) : NULL;
}

struct script *session_told_by(struct store *store, const char *path, struct base_message *m) {
    uint64_t stamp = store ? script_stamp(path) : 0; /* before it is run: it may change */
    json_t *told = stamp ? read_kept(store, path, stamp) : NULL;
    struct script *script = told ? script_open_known(path, told, m) : script_open(path, NULL, m);
    if (script && !told && stamp) keep(store, path, stamp, script_lesson(script));
    json_decref(told);
    return script;
}

json_t *session_told(struct store *store, const char *path, struct base_message *m) {
    json_t *told = session_told_kept(store, path);
    struct script *script = told ? NULL : session_told_by(store, path, m);
    if (!script) return told;
    told = json_deep_copy(script_lesson(script));
    script_close(script);
    return told;
}
