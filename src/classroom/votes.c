/* votes: how the room voted, read, written and counted. */
#include "classroom/votes.h"
#include "classroom/kept.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 4 << 20, COUNT_MOST = 1000000 };

static const char *const rounds[CLASSROOM_ROUNDS] = {"alone", "talked"};

/* ── the file ──────────────────────────────────────────────────────────────────────────────────*/
static json_t *give(const struct classroom_counted *c) {
    const struct classroom_vote *v = &c->vote;
    json_t *options = json_array(), *counts[CLASSROOM_ROUNDS] = {json_array(), json_array()};
    for (size_t i = 0; i < v->options; i++) {
        json_array_append_new(options, json_string(v->option[i]));
        for (int r = 0; r < CLASSROOM_ROUNDS; r++)
            json_array_append_new(counts[r], json_integer(c->count[r][i]));
    }
    return json_pack("{ss ss sI ss so si so so}", "id", v->id, "item", c->item, "at",
                     (json_int_t)c->at, "question", v->question, "options", options, "right",
                     v->right, rounds[0], counts[0], rounds[1], counts[1]);
}

static bool take(struct classroom_counted *c, const json_t *json) {
    struct classroom_vote *v = &c->vote;
    const json_t *options = json_object_get(json, "options");
    int64_t right = base_json_int(json, "right", 0);
    base_line_copy(v->id, sizeof v->id, base_json_text(json, "id", ""));
    base_line_copy(c->item, sizeof c->item, base_json_text(json, "item", ""));
    base_line_copy(v->question, sizeof v->question, base_json_text(json, "question", ""));
    v->options = json_array_size(options);
    v->round = CLASSROOM_SHOWN;
    c->at = base_json_int(json, "at", 0);
    bool fits = *v->id && *c->item && v->options >= 2 && v->options <= CLASSROOM_OPTIONS;
    if (!fits || right < 0 || right > (int64_t)v->options) return false;
    v->right = (int)right;
    for (size_t i = 0; i < v->options; i++) {
        const char *text = json_string_value(json_array_get(options, i));
        base_line_copy(v->option[i], sizeof v->option[i], text ? text : "");
        for (int r = 0; r < CLASSROOM_ROUNDS; r++) {
            const json_t *counts = json_object_get(json, rounds[r]);
            json_int_t n = json_integer_value(json_array_get(counts, i));
            c->count[r][i] = n > 0 && n <= COUNT_MOST ? (int)n : 0;
        }
    }
    return true;
}

static bool take_all(struct classroom_votes *out, const json_t *json, struct base_message *m) {
    size_t i;
    const json_t *one;
    bool ours = strcmp(base_json_text(json, "zerotutor", ""), "votes") == 0;
    if (!ours || base_json_int(json, "format", 0) != 1)
        return base_fail_at(m, CLASSROOM_VOTES_FILE, 0,
                            "zerotutor did not write this file: move it away");
    json_array_foreach(json_object_get(json, "votes"), i, one) {
        struct classroom_counted c = {.at = 0};
        if (!take(&c, one))
            return base_fail_at(m, CLASSROOM_VOTES_FILE, 0,
                                "vote %zu cannot be used: move the file away", i + 1);
        classroom_votes_add(out, &c);
    }
    return true;
}

bool classroom_votes_read(const struct classroom_folder *f, struct classroom_votes *out,
                          struct base_message *m) {
    struct classroom_file got;
    *out = (struct classroom_votes){0};
    if (!classroom_read(f, CLASSROOM_KEPT, CLASSROOM_VOTES_FILE, classroom_teacher(f), FILE_MOST,
                        &got, m)) {
        bool none = errno == ENOENT;
        if (none && m) *m = (struct base_message){.line = 0};
        return none;
    }
    json_t *json = base_json_read(got.text, got.length, CLASSROOM_VOTES_FILE, m);
    bool taken = json && take_all(out, json, m);
    if (!taken) classroom_votes_free(out);
    json_decref(json);
    free(got.text);
    return taken;
}

void classroom_votes_free(struct classroom_votes *v) {
    free(v->vote);
    *v = (struct classroom_votes){0};
}

bool classroom_votes_write(const struct classroom_folder *f, const struct classroom_votes *v,
                           struct base_message *m) {
    json_t *votes = json_array();
    for (size_t i = 0; i < v->votes; i++) json_array_append_new(votes, give(&v->vote[i]));
    json_t *json = json_pack("{ss si so}", "zerotutor", "votes", "format", 1, "votes", votes);
    char *text = json_dumps(json, JSON_INDENT(1)), *lines = base_format("%s\n", text);
    bool wrote =
        classroom_write(f, CLASSROOM_KEPT, CLASSROOM_VOTES_FILE, 0600, lines, strlen(lines), m);
    free(lines);
    free(text);
    json_decref(json);
    return wrote;
}

void classroom_votes_add(struct classroom_votes *v, const struct classroom_counted *one) {
    if (v->votes == CLASSROOM_VOTES)
        memmove(v->vote, v->vote + 1, --v->votes * sizeof *v->vote);
    else
        v->vote = base_grow(v->vote, v->votes + 1, sizeof *v->vote);
    v->vote[v->votes++] = *one;
}

struct classroom_counted *classroom_votes_on(const struct classroom_votes *v, const char *item) {
    for (size_t i = v->votes; i-- > 0;)
        if (strcmp(v->vote[i].item, item) == 0) return &v->vote[i];
    return NULL;
}

/* ── counting ──────────────────────────────────────────────────────────────────────────────────*/
void classroom_ballots_take(struct classroom_ballots *b, const struct classroom_vote *v,
                            const char *account, int choice) {
    size_t i = 0;
    if (choice < 1 || (size_t)choice > v->options) return;
    while (i < b->count && strcmp(b->ballot[i].account, account) != 0) i++;
    if (i == CLASSROOM_HANDINS_MOST) return;
    if (i == b->count) {
        b->ballot = base_grow(b->ballot, ++b->count, sizeof *b->ballot);
        snprintf(b->ballot[i].account, sizeof b->ballot[i].account, "%s", account);
    }
    b->ballot[i].choice = choice;
}

int classroom_ballots_count(const struct classroom_ballots *b, int out[CLASSROOM_OPTIONS]) {
    memset(out, 0, CLASSROOM_OPTIONS * sizeof *out);
    for (size_t i = 0; i < b->count; i++) out[b->ballot[i].choice - 1]++;
    return (int)b->count;
}
