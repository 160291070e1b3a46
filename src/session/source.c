/* source: what `read` steps show: files of this repository, or a part of one between two marker
 * comments. The worker that runs lessons has no files, so they are read here, and put into the
 * step:
 *
 *   "source": {"first": 12, "lines": ["bool lab_partition_make(…", …]}   or   {"missing":
 * "src/lab/partition.c has no marker …"} */
#include "session/inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 18, TAB = 4 };

/* Only what is installed is shown: files in these folders, and neither hidden ones (.git/config)
 * nor what a link leads to elsewhere. A lesson may be anybody's, and its step may be shown to
 * anybody. */
static bool is_shown(const char *file) {
    static const char *const folders[] = {"src/", "lua/", "lessons/", "data/"};
    bool in = false;
    for (size_t i = 0; i < BASE_COUNT(folders); i++)
        in = in || strncmp(file, folders[i], strlen(folders[i])) == 0;
    return in && !strstr(file, "/.");
}

/* The path of the file itself, whatever links lead to it; NULL if it is none that is shown. The
 * caller's. */
static char *real_path(const char *file) {
    char *share = realpath(base_share() ? base_share() : ".", NULL), *named = base_share_path(file);
    char *path = is_shown(file) ? realpath(named, NULL) : NULL;
    size_t n = share ? strlen(share) : 0;
    bool below = path && n && strncmp(path, share, n) == 0 && path[n] == '/';
    if (path && !(below && is_shown(path + n + 1))) {
        free(path);
        path = NULL;
    } else if (!path && is_shown(file)) {
        path = base_dup(named); /* it is missing, and reading it says so */
    }
    free(named);
    free(share);
    return path;
}

/* Whether a line is the comment "read: <name>", in whatever comment signs the language has. */
static bool is_marker(const char *line, const char *name) {
    static const char word[] = "read: ";
    size_t n = strlen(name);
    while (*line && !isalnum((unsigned char)*line)) line++;
    if (strncmp(line, word, sizeof word - 1) != 0) return false;
    line += sizeof word - 1;
    return strncmp(line, name, n) == 0 && !isalnum((unsigned char)line[n]) && line[n] != '-';
}

static void add_line(json_t *lines, const char *text) {
    struct base_text clean = {0};
    for (const char *c = text; *c; c++) {
        if (*c == '\t')
            base_text_printf(&clean, "%*s", TAB, "");
        else
            base_text_printf(&clean, "%c", *c);
    }
    json_array_append_new(lines, json_string(clean.s ? clean.s : ""));
    base_text_free(&clean);
}

static json_t *missing(char *words) {
    json_t *source = json_pack("{ss}", "missing", words);
    free(words);
    return source;
}

/* Cuts `text` into its lines; without a marker all of them are shown. */
static json_t *cut(char *text, const char *file, const char *mark) {
    json_t *lines = json_array();
    int number = 0, first = *mark ? 0 : 1;
    bool ended = !*mark;
    char *line;
    while ((line = strsep(&text, "\n"))) {
        number++;
        if (!text && !*line) break; /* the file's last newline */
        if (first && *mark && is_marker(line, "end")) {
            ended = true;
            break;
        }
        if (first) add_line(lines, line);
        if (!first && is_marker(line, mark)) first = number + 1;
    }
    if (first && ended && json_array_size(lines))
        return json_pack("{si so}", "first", first, "lines", lines);
    json_decref(lines);
    if (first && !ended) return missing(base_format("%s: nothing ends `read: %s`", file, mark));
    return missing(*mark ? base_format("%s has no marker `read: %s`, or nothing in it", file, mark)
                         : base_format("%s is empty", file));
}

static json_t *read_source(const char *file, const char *mark) {
    struct base_message m = {0};
    size_t n;
    char *path = real_path(file);
    if (!path)
        return missing(base_format(
            "%s is not shown: name a file in src/, lua/, lessons/ or data/ that is not hidden",
            file));
    char *text = base_file_read(path, FILE_MOST, &n, &m);
    free(path);
    char words[sizeof m.what + sizeof m.file + 16];
    json_t *source = text ? cut(text, file, mark)
                          : missing(base_dup(base_message_text(&m, words, sizeof words)));
    free(text);
    return source;
}

void session_source_complete(json_t *lesson) {
    json_t *step;
    size_t i;
    json_array_foreach(json_object_get(lesson, "steps"), i, step) {
        if (strcmp(base_json_text(step, "kind", ""), "read") != 0) continue;
        json_object_set_new(
            step, "source",
            read_source(base_json_text(step, "file", ""), base_json_text(step, "mark", "")));
    }
}
