/* A frame of a play: what it says, what is in it, and the lesson's note on it. account/play/play.h
 * has the plays, and the state of every frame; here is the table of who draws which.
 *
 *   {"kind":"play","play":"ring-all-reduce","ranks":4,"frame":3,"bytes":14e9,
 *    "lead":Markdown,"note":Markdown,"longest_note":Markdown,"between":true,
 *    "named":false}
 *       the play's options by their names; `bytes`: of the array that is moved;
 *       `lead`: said in the first frame in the place of its sentence;
 *       `longest_note`: of all frames, so that in each of them the drawing has the same rows;
 *       `between`: nothing begins in it: in words only what changes there is left to say;
 *       `named`: false where the page itself says what is shown, as next to a lesson's name */
#include "page/play.h"

#include <stdlib.h>
#include <string.h>

enum { ENOUGH = 12 }; /* rows of a window that can spare one */

static const struct {
    const char *play;
    page_play_drawing *draw;
    page_play_saying *say;
} drawings[] = {
    {"ring-reduce-scatter", page_play_ring, page_play_say_moves},
    {"ring-all-gather", page_play_ring, page_play_say_moves},
    {"ring-all-reduce", page_play_ring, page_play_say_moves},
    {"tree-all-reduce", page_play_tree, page_play_say_moves},
    {"flat-buffer", page_play_flat, page_play_say_flat},
    {"buckets", page_play_buckets, page_play_say_buckets},
    {"gather-use-free", page_play_gather, page_play_say_gather},
    {"pipeline", page_play_pipeline, page_play_say_pipeline},
    {"tiers", page_play_tiers, page_play_say_tiers},
    {"tensor-layer", page_play_layer, page_play_say_layer},
    {"experts", page_play_experts, page_play_say_experts},
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static bool blame_play(const char *name, struct base_message *m) {
    size_t count;
    const struct account_play *const *plays = account_plays(&count);
    struct base_text list = {0};
    for (size_t i = 0; i < count; i++)
        base_text_printf(&list, "%s%s",
                         i == 0          ? ""
                         : i + 1 < count ? ", "
                                         : " or ",
                         plays[i]->name);
    base_fail(m, "a play is %s, not \"%s\"", list.s, name);
    base_text_free(&list);
    return false;
}

static bool read_options(const json_t *spec, struct account_playing *at, struct base_message *m) {
    for (size_t i = 0; i < at->play->options; i++) {
        const char *name = at->play->option[i].name;
        struct account_error e;
        const json_t *value = json_object_get(spec, name);
        double number = json_number_value(value);
        if (!value) continue;
        if (!account_play_set(at, name, number >= 0 && number < 1e9 ? (uint32_t)number : 0, &e))
            return base_fail(m, "%s", e.what);
    }
    return true;
}

bool page_play_read(const json_t *spec, struct account_playing *at, struct base_message *m) {
    const char *name = base_json_text(spec, "play", "");
    const json_t *training = json_object_get(spec, "training");
    int64_t frame = base_json_int(spec, "frame", 0);
    struct account_error e;
    if (!account_play_find(name)) return blame_play(name, m);
    *at = account_play_begin(account_play_find(name));
    if (frame < 0 || frame > 100000)
        return base_fail(m, "a play's frames count from 0, and %lld is none of them",
                         (long long)frame);
    at->frame = (uint32_t)frame;
    at->bytes = base_json_number(spec, "bytes", 0);
    if (training && !page_training_read(training, &at->training, m)) return false;
    if (!read_options(spec, at, m)) return false;
    return !at->play->check || at->play->check(at, &e) || base_fail(m, "%s", e.what);
}

/* ── the figure ────────────────────────────────────────────────────────────────────────────────*/
/* On paper and in a pipe nothing else says which play and frame this is. */
static void draw_place(struct page *p, struct page_flow f, const struct account_playing *at,
                       const struct account_play_frame *frame) {
    struct base_text line = {0};
    base_text_printf(&line, "%s, ", at->play->title);
    for (size_t i = 0; i < at->play->options; i++) {
        const struct account_play_option *o = &at->play->option[i];
        char value[40];
        base_text_printf(&line, "%s %s, ", o->name,
                         account_play_value_name(o, at->at[i], value, sizeof value));
    }
    base_text_puts(&line, frame->place);
    f.role = PAGE_DIM;
    page_text(p, f, line.s);
    base_text_free(&line);
}

static void draw_sentence(struct page *p, struct page_flow f, const json_t *spec,
                          const struct account_playing *at,
                          const struct account_play_frame *frame) {
    const char *lead = at->frame == 0 ? base_json_text(spec, "lead", NULL) : NULL;
    f.role = PAGE_STRONG;
    if (lead)
        page_markdown(p, (struct page_flow){.indent = f.indent, .width = f.width}, lead);
    else
        page_text(p, f, frame->says);
}

static struct page *lay_text(const struct page *p, struct page_flow f, const json_t *spec,
                             const char *key) {
    const char *text = base_json_text(spec, key, NULL);
    struct page *laid = page_new(f.width, p->ascii);
    laid->colours = p->colours;
    laid->spoken = p->spoken;
    if (text) page_markdown(laid, (struct page_flow){0}, text);
    return laid;
}

static int rows_of(const struct page *p, struct page_flow f, const json_t *spec, const char *key) {
    struct page *laid = lay_text(p, f, spec, key);
    int rows = page_height(laid);
    page_free(laid);
    return rows;
}

/* In a window that can spare the rows, what is in the frame starts in the same row in each of them,
 * below the lesson's lead and the longest sentence. */
static void keep_place(struct page *p, struct page_flow f, const json_t *spec,
                       const struct account_playing *at, int first) {
    if (f.rows <= ENOUGH) return;
    int lead = rows_of(p, f, spec, "lead"), says = ((int)at->play->longest + f.width - 1) / f.width;
    page_blank(p, first + (lead > says ? lead : says) - p->height);
}

/* Its row in the table above, where every play has one. */
static size_t row_of(const struct account_play *play) {
    size_t i = 0;
    while (i + 1 < BASE_COUNT(drawings) && strcmp(drawings[i].play, play->name) != 0) i++;
    return i;
}

/* Rows that are left for what is in the frame; at least one. */
static int rows_for_body(const struct page *p, struct page_flow f, const json_t *spec, int first,
                         const struct page *note) {
    int longest = f.rows > ENOUGH ? rows_of(p, f, spec, "longest_note") : 0,
        below = page_height(note) > longest ? page_height(note) : longest,
        left = f.rows - (p->height - first) - below;
    return f.rows == 0 ? 0 : left > 1 ? left : 1;
}

/* An empty row parts what is in the frame from its sentence and from the note, where the window has
 * them. */
static void draw_body(struct page *p, struct page_flow f, const struct account_playing *at,
                      const struct page *note) {
    struct page *body = page_new(f.width, p->ascii);
    bool apart = f.rows == 0 || f.rows > ENOUGH * p->thick;
    page_set_colours(body, p->colours ? 256 : 0);
    drawings[row_of(at->play)].draw(
        body, (struct page_flow){.width = f.width, .rows = f.rows - (f.rows && apart)}, at);
    page_blank(p, apart);
    page_paste(p, body, p->height, f.indent);
    bool spare = f.rows == 0 || f.rows > page_height(body) + apart;
    page_blank(p, spare && page_height(note) > 0);
    page_paste(p, note, p->height, f.indent);
    page_free(body);
}

bool page_figure_play(struct page *p, struct page_flow f, const json_t *spec,
                      struct base_message *m) {
    struct account_playing at;
    struct account_play_frame frame;
    if (!page_play_read(spec, &at, m)) return false;
    account_play_frame(&at, &frame);
    struct page *note = lay_text(p, f, spec, "note");
    int first = p->height;
    if (f.rows == 0 && base_json_bool(spec, "named", true)) draw_place(p, f, &at, &frame);
    draw_sentence(p, f, spec, &at, &frame);
    keep_place(p, f, spec, &at, first);
    f.rows = rows_for_body(p, f, spec, first, note);
    draw_body(p, f, &at, note);
    page_free(note);
    return true;
}

char *page_script_play(const json_t *spec) {
    struct account_playing at;
    struct base_text all = {0};
    if (!page_play_read(spec, &at, NULL)) return NULL;
    base_text_puts(&all, base_json_text(spec, "lead", ""));
    uint32_t frames = account_play_frames(&at);
    for (at.frame = 0; at.frame < frames; at.frame++) {
        struct account_play_frame frame;
        account_play_frame(&at, &frame);
        base_text_printf(&all, "\n%s", frame.says);
    }
    return base_text_take(&all);
}

/* Where it stands and what happens. What the lesson leads in with takes the place of the first
 * frame's sentence where there is a picture; here both are said. */
static void say_frame(struct page *p, struct page_flow f, const json_t *spec,
                      const struct account_playing *at) {
    struct account_play_frame frame;
    account_play_frame(at, &frame);
    draw_place(p, f, at, &frame);
    draw_sentence(p, f, spec, at, &frame);
    if (at->frame == 0 && base_json_text(spec, "lead", NULL)) page_text(p, f, frame.says);
}

bool page_words_play(struct page *p, struct page_flow f, const json_t *spec,
                     struct base_message *m) {
    struct account_playing at;
    if (!page_play_read(spec, &at, m)) return false;
    bool between = base_json_bool(spec, "between", false);
    struct page *note = between ? NULL : lay_text(p, f, spec, "note");
    if (!between) say_frame(p, f, spec, &at);
    drawings[row_of(at.play)].say(p, f, &at);
    if (note) page_append(p, note, 0, page_height(note));
    page_free(note);
    return true;
}
