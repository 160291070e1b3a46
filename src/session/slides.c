/* slides: a slide is made of the same data as the step that a learner takes; what only a dialogue
 * knows, the frames of a play and the figures of sliders, is asked of one that keeps nothing. */
#include "session/inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SLIDES_SEED = 1 };

struct session_slides {
    struct loaded from;
    struct lesson_dialogue *dialogue;
    char *title;
    struct session_slide *slide;
    size_t count;
    /* shares all but its item with the opening guess */
    struct session_slide again;
    struct base_message *m;
    bool failed;
};

/* ── Markdown ──────────────────────────────────────────────────────────────────────────────────*/
/* A paragraph, list, table or the like: it ends before an empty line. */
struct part {
    const char *from;
    size_t length;
};

static struct part next_part(const char *at) {
    while (*at == '\n') at++;
    const char *end = strstr(at, "\n\n");
    return (struct part){at, end ? (size_t)(end - at) : strlen(at)};
}

/* Something to look at, and no prose. */
static bool is_block(struct part p) {
    bool numbered = isdigit((unsigned char)p.from[0]) && p.from[1] == '.';
    return numbered || strchr("|->`#", p.from[0]) || strncmp(p.from, "    ", 4) == 0;
}

static struct part find_part(const char *text, bool block) {
    struct part p = next_part(text);
    while (p.length && is_block(p) != block) p = next_part(p.from + p.length);
    return p;
}

/* After the end of the sentence that begins at `at`. What is quoted is one. */
static const char *sentence_end(const char *at, const char *end) {
    bool quoted = false;
    for (const char *c = at; c < end; c++) {
        const char *past = c + 1;
        if (*c == '"') quoted = !quoted;
        if (!strchr(".?!", *c)) continue;
        while (past < end && strchr("*_)\"”", *past)) past++;
        bool closed = memchr(c, '"', (size_t)(past - c)) != NULL,
             over = past == end || *past == ' ' || *past == '\n';
        if (over && quoted == closed) return past;
    }
    return end;
}

/* "Latency. Each collective takes time to start": a name is not all of it. */
static const char *first_sentence(const char *at, const char *end) {
    const char *first = sentence_end(at, end), *name = at;
    for (int words = 0; name < first && words < 3; name++) words += *name == ' ';
    while (first < end && name == first && isspace((unsigned char)*first)) first++, name++;
    return name == first && first < end ? sentence_end(first, end) : first;
}

/* One sentence of prose, which the step may have for the front, and one thing to look at: the
 * figure, else a part of the text. */
static char *brief(const json_t *step, bool figure) {
    const char *text = base_json_text(step, "text", ""), *wall = base_json_text(step, "wall", NULL);
    struct part prose = find_part(wall ? wall : text, false), block = find_part(text, true);
    const char *end = sentence_end(prose.from, prose.from + prose.length);
    if (figure || !block.length) return base_format("%.*s", (int)(end - prose.from), prose.from);
    return base_format("%.*s\n\n%.*s", (int)(end - prose.from), prose.from, (int)block.length,
                       block.from);
}

/* From the first sentence that asks to the last one, else the last sentence. `*last`: where the
 * last of them begins. */
static struct part find_asking(const char *text, const char **last) {
    struct part found = {text, 0};
    bool asks = false;
    *last = text;
    for (struct part p = next_part(text); p.length; p = next_part(p.from + p.length)) {
        const char *end = p.from + p.length;
        for (const char *at = p.from, *next; at < end; at = next) {
            next = sentence_end(at, end);
            bool is = memchr(at, '?', (size_t)(next - at)) != NULL;
            if (is || !asks) *last = at;
            if (is && asks) found.length = (size_t)(next - found.from);
            if (!asks) found = (struct part){at, (size_t)(next - at)};
            asks = asks || is;
            while (next < end && isspace((unsigned char)*next)) next++;
        }
    }
    return found;
}

/* The last sentence that asks, else the last one. */
static struct part find_question(const char *text) {
    const char *last;
    struct part all = find_asking(text, &last);
    return (struct part){last, all.length - (size_t)(last - all.from)};
}

/* What is asked, below a list of the sentences before it, which are what is given. `more`: with
 * what follows, unless that is about typing. The caller's. */
static char *posed(const char *text, bool more) {
    const char *last;
    struct part question = find_asking(text, &last);
    struct base_text t = {0};
    bool blocks = false;
    for (struct part p = next_part(text); p.length && p.from < question.from;
         p = next_part(p.from + p.length))
        blocks = blocks || is_block(p);
    if (blocks) return base_dup(text);
    for (const char *at = text, *next; at < question.from; at = next) {
        next = sentence_end(at, question.from);
        while (next > at && next <= question.from && isspace((unsigned char)next[-1])) next--;
        base_text_printf(&t, "- %.*s\n", (int)(next - at), at);
        while (next < question.from && isspace((unsigned char)*next)) next++;
    }
    base_text_printf(&t, "%s%.*s", t.length ? "\n" : "", (int)question.length, question.from);
    if (more) base_text_puts(&t, question.from + question.length);
    return base_text_take(&t);
}

/* A text whose lists have the first sentence of each item, for where there is no room for all of
 * it; the caller's. */
static char *terse(const char *text) {
    struct base_text t = {0};
    for (const char *line = text, *end; *line; line = end) {
        end = strchrnul(line, '\n');
        bool item = strncmp(line, "- ", 2) == 0 ||
                    (isdigit((unsigned char)line[0]) && strncmp(line + 1, ". ", 2) == 0);
        while (item && end[0] && end[1] == ' ') end = strchrnul(end + 1, '\n'); /* goes on */
        const char *from = line + (item ? 2 + (*line != '-') : 0),
                   *to = item ? first_sentence(from, end) : end;
        base_text_add(&t, line, (size_t)(to - line));
        if (*end) base_text_add(&t, end++, 1);
    }
    return base_text_take(&t);
}

/* Without the marks of emphasis and code, on one line. */
static char *plain(struct part p) {
    struct base_text t = {0};
    bool code = false;
    for (size_t i = 0; i < p.length; i++) {
        char c = p.from[i];
        if (c == '`') code = !code;
        if (c != '`' && (c != '*' || code)) base_text_add(&t, c == '\n' ? " " : &c, 1);
    }
    return base_text_take(&t);
}

char *session_slides_plain(const char *markdown) {
    return plain((struct part){markdown, strlen(markdown)});
}

/* ── a slide ───────────────────────────────────────────────────────────────────────────────────*/
struct making {
    struct session_slides *all;
    const json_t *step;
    size_t at;
    /* the one that is made; invalid once another is added */
    struct session_slide *slide;
};

static void add(struct making *k) {
    struct session_slides *s = k->all;
    s->slide = base_grow(s->slide, s->count + 1, sizeof *s->slide);
    k->slide = &s->slide[s->count++];
    *k->slide = (struct session_slide){.title = base_json_text(k->step, "title", "")};
    char *item = base_format("%s/%s", lesson_id(s->from.lesson), base_json_text(k->step, "id", ""));
    k->slide->item = item;
}

static const char *text_of(const struct making *k, const char *name) {
    return base_json_text(k->step, name, "");
}

static void add_option(struct making *k, const char *text, bool right) {
    struct session_slide *s = k->slide;
    if (s->options == CLASSROOM_OPTIONS) return;
    s->option[s->options++] = base_dup(text);
    if (right) s->right = s->options;
}

static void ask(struct making *k, const char *text) {
    bool typed = strcmp(text_of(k, "form"), "number") == 0;
    free(k->slide->text);
    k->slide->text = posed(text, !typed);
    k->slide->question = plain(find_question(text));
}

/* A claim is one, however many sentences it has. */
static void claim(struct making *k, const char *text) {
    k->slide->text = base_dup(text);
    k->slide->question = plain(find_question(text));
}

/* The choices of a guess: texts, with the right one's number next to them. */
static void add_choices(struct making *k) {
    size_t i, right = (size_t)base_json_int(k->step, "answer", 1);
    const json_t *one;
    json_array_foreach(json_object_get(k->step, "choices"), i, one) {
        add_option(k, json_string_value(one), i + 1 == right);
    }
}

static bool solve(const json_t *problem, struct account_solution *out) {
    struct account_problem p;
    struct account_error e;
    return problem && lesson_problem_read(problem, &p, NULL) && account_solve(&p, out, &e);
}

/* ── what only a dialogue knows ────────────────────────────────────────────────────────────────*/
static json_t *figure_here(struct making *k) {
    return lesson_figure_after(
        k->all->dialogue, (struct lesson_action){.kind = LESSON_DO_GOTO, .text = text_of(k, "id")},
        NULL);
}

/* ── the kinds of steps ────────────────────────────────────────────────────────────────────────*/
static void say(struct making *k) {
    json_t *figure = json_object_get(k->step, "figure");
    add(k);
    k->slide->text = brief(k->step, figure != NULL);
    k->slide->figure = json_incref(figure);
}

static void look(struct making *k) {
    add(k);
    k->slide->text = brief(k->step, true);
    k->slide->figure = figure_here(k);
}

static void guess(struct making *k) {
    struct account_solution s;
    add(k);
    ask(k, base_json_text(k->step, "wall", text_of(k, "ask")));
    k->slide->figure = json_incref(json_object_get(k->step, "figure"));
    k->slide->after = json_incref(json_object_get(k->step, "after"));
    add_choices(k);
    k->slide->guess = k->at == 0;
    if (!k->slide->options && solve(json_object_get(k->step, "problem"), &s)) {
        char *value = lesson_working_value(s.value, s.unit);
        k->slide->answer = base_format("It is **%s**. %s", value, text_of(k, "reveal"));
        k->slide->truth = s.value;
        free(value);
    } else {
        k->slide->answer = base_dup(text_of(k, "reveal"));
    }
}

static void worked(struct making *k) {
    struct account_solution s;
    add(k);
    k->slide->text = posed(text_of(k, "text"), false);
    k->slide->figure = json_incref(json_object_get(k->step, "figure"));
    if (!solve(json_object_get(k->step, "problem"), &s)) return;
    k->slide->given = lesson_working_begun(&s, NULL);
    k->slide->answer = lesson_working_all(&s);
}

/* NULL after the last frame. `*begins`: something begins in it. */
static json_t *next_frame(struct making *k, bool *begins) {
    const struct lesson_ask *ask = lesson_asked(k->all->dialogue);
    size_t here = ask->slider[0].position;
    int by = (int)(ask->play->next - here);
    json_t *figure = lesson_figure_after(
        k->all->dialogue, (struct lesson_action){.kind = LESSON_DO_MOVE, .by = by}, begins);
    *begins = *begins && lesson_asked(k->all->dialogue)->slider[0].position != here;
    return figure;
}

/* A slide for each frame in which something begins. Frames say themselves what happens. */
static void animate(struct making *k) {
    json_t *figure = figure_here(k);
    for (bool begins = true, first = true; figure; figure = next_frame(k, &begins)) {
        if (begins) {
            add(k);
            char *lead = first ? brief(k->step, true) : NULL;
            k->slide->text = base_dup("");
            k->slide->figure = json_incref(figure);
            if (lead) json_object_set_new(figure, "lead", json_string(lead));
            free(lead);
        }
        first = false;
        json_decref(figure);
    }
}

/* What a lab or a source is about, and the guess that goes with it. */
static void look_and_guess(struct making *k) {
    look(k);
    if (!*text_of(k, "ask")) return;
    add(k);
    ask(k, text_of(k, "ask"));
    add_choices(k);
    k->slide->answer = base_dup(text_of(k, "reveal"));
}

static void myth(struct making *k) {
    bool truth = base_json_bool(k->step, "truth", false);
    add(k);
    claim(k, text_of(k, "claim"));
    add_option(k, "true", truth);
    add_option(k, "false", !truth);
    k->slide->answer = base_dup(text_of(k, "because"));
}

static char *list_of(const json_t *texts, const char *head, const char *tail) {
    struct base_text t = {0};
    size_t i;
    const json_t *one;
    base_text_printf(&t, "%s\n\n", head);
    json_array_foreach(texts, i, one) {
        const json_t *text = json_is_object(one) ? json_object_get(one, "text") : one;
        base_text_printf(&t, "- %s\n", json_string_value(text));
    }
    base_text_printf(&t, "\n%s", tail);
    return base_text_take(&t);
}

static void say_aloud(struct making *k) {
    add(k);
    k->slide->text = posed(text_of(k, "ask"), false);
    k->slide->answer = list_of(json_object_get(k->step, "points"), "", "");
}

/* ── problems, with numbers that are the same for the whole room ───────────────────────────────*/
static void pose_choice(struct making *k, const json_t *variant) {
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(variant, "choices"), i, one) {
        bool right = base_json_bool(one, "right", false);
        add_option(k, base_json_text(one, "text", ""), right);
        if (right) k->slide->answer = base_dup(base_json_text(one, "because", ""));
    }
}

static void pose_number(struct making *k, const json_t *variant) {
    struct account_solution s;
    if (!solve(json_object_get(variant, "problem"), &s)) return;
    if (strcmp(text_of(k, "form"), "sheet") == 0)
        k->slide->given = lesson_working_begun(&s, k->step);
    k->slide->answer = lesson_working_all(&s);
}

/* Items in the order of their letters, and then in the right one. */
static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void pose_order(struct making *k, const json_t *variant) {
    const json_t *items = json_object_get(variant, "items");
    const char *text[CLASSROOM_OPTIONS];
    size_t n =
        json_array_size(items) < BASE_COUNT(text) ? json_array_size(items) : BASE_COUNT(text);
    json_t *sorted = json_array();
    for (size_t i = 0; i < n; i++) text[i] = json_string_value(json_array_get(items, i));
    qsort(text, n, sizeof *text, by_text);
    for (size_t i = 0; i < n; i++) json_array_append_new(sorted, json_string(text[i]));
    char *asked = list_of(sorted, k->slide->text, "");
    free(k->slide->text);
    k->slide->text = asked;
    k->slide->answer = list_of(items, "", base_json_text(variant, "because", ""));
    json_decref(sorted);
}

static void pose_sort(struct making *k, const json_t *variant) {
    const json_t *bins = json_object_get(variant, "bins"), *one;
    struct base_text t = {0};
    size_t i;
    json_array_foreach(json_object_get(variant, "items"), i, one) {
        size_t bin = (size_t)base_json_int(one, "bin", 1) - 1;
        const char *name = json_string_value(json_array_get(bins, bin));
        base_text_printf(&t, "- %s → **%s**\n", base_json_text(one, "text", ""), name ? name : "");
    }
    char *asked = list_of(json_object_get(variant, "items"), k->slide->text, "");
    free(k->slide->text);
    k->slide->text = asked;
    k->slide->answer = base_text_take(&t);
}

static const struct {
    const char *form;
    void (*pose)(struct making *k, const json_t *variant);
} forms[] = {
    {"number", pose_number}, {"sheet", pose_number}, {"choice", pose_choice},
    {"order", pose_order},   {"sort", pose_sort},
};

static void problem(struct making *k) {
    struct loaded *from = &k->all->from;
    const char *form = text_of(k, "form");
    uint64_t seed;
    if (base_json_bool(k->step, "review", false)) return;
    json_t *variant = lesson_try(from->lesson, k->at, script_source(from->script), SLIDES_SEED, 1,
                                 &seed, k->all->m);
    k->all->failed = !variant;
    if (!variant) return;
    add(k);
    ask(k, base_json_text(variant, "ask", ""));
    k->slide->figure = json_incref(json_object_get(variant, "figure"));
    for (size_t i = 0; i < BASE_COUNT(forms); i++)
        if (strcmp(forms[i].form, form) == 0) forms[i].pose(k, variant);
    json_decref(variant);
}

/* Cards and memos are not shown at the front. */
static void (*const makers[LESSON_STEP_KINDS])(struct making *k) = {
    [LESSON_SAY] = say,
    [LESSON_PREDICT] = guess,
    [LESSON_FIGURE] = look,
    [LESSON_EXPLORE] = look,
    [LESSON_WORKED] = worked,
    [LESSON_PROBLEM] = problem,
    [LESSON_MYTH] = myth,
    [LESSON_ANIMATE] = animate,
    [LESSON_SAY_ALOUD] = say_aloud,
    [LESSON_READ] = look_and_guess,
    [LESSON_LAB] = look_and_guess,
    [LESSON_RECAP] = say,
};

/* Of a question that was guessed or chosen, whose answer is prose; and of lists. */
static void add_gists(struct session_slides *s) {
    for (size_t i = 0; i < s->count; i++) {
        struct session_slide *one = &s->slide[i];
        one->terse = terse(one->text);
        if (!one->answer || !(one->options || one->guess)) continue;
        struct part prose = find_part(one->answer, false);
        const char *end = sentence_end(prose.from, prose.from + prose.length);
        one->gist = base_format("%.*s", (int)(end - prose.from), prose.from);
    }
}

/* ── the lesson ────────────────────────────────────────────────────────────────────────────────*/
static bool make_slides(struct session_slides *s) {
    struct making k = {.all = s};
    for (size_t n = lesson_steps(s->from.lesson); k.at < n && !s->failed; k.at++) {
        enum lesson_step_kind kind = lesson_step_kind(s->from.lesson, k.at);
        k.step = lesson_step(s->from.lesson, k.at);
        if (makers[kind]) makers[kind](&k);
    }
    return !s->failed;
}

static void add_again(struct session_slides *s) {
    const struct session_slide *guess = session_slides_guess(s);
    if (!guess) return;
    s->again = *guess;
    s->again.guess = false;
    s->again.item = base_format("%s/again", guess->item);
}

static bool find_lesson(struct session_slides *s, const char *lesson, struct base_message *m) {
    struct learner *course = session_learner_open_course(m);
    if (!course) return false;
    size_t at = session_learner_find_id(course, lesson, strlen(lesson)), n = strlen(lesson);
    bool known = at < session_learner_course(course)->lessons;
    char *path = known ? session_learner_path(course, at) : NULL;
    if (!known && n > 4 && strcmp(lesson + n - 4, ".lua") == 0) path = base_dup(lesson);
    session_learner_close(course);
    if (!path)
        return base_fail(m, "unknown lesson '%.40s': run `zerotutor learn --list` for a list",
                         lesson);
    bool opened = session_loaded_open(&s->from, NULL, path, m);
    free(path);
    return opened;
}

struct session_slides *session_slides_open(const char *lesson, struct base_message *m) {
    struct session_slides *s = base_alloc(sizeof *s);
    s->m = m;
    if (find_lesson(s, lesson, m))
        s->dialogue = lesson_dialogue_open(s->from.lesson, script_source(s->from.script),
                                           lesson_forgetful_journal, SLIDES_SEED, m);
    if (s->dialogue && make_slides(s)) {
        add_gists(s);
        add_again(s);
        s->title = base_format("%s  %s", lesson_id(s->from.lesson), lesson_title(s->from.lesson));
        return s;
    }
    session_slides_close(s);
    return NULL;
}

void session_slides_close(struct session_slides *s) {
    if (!s) return;
    for (size_t i = 0; i < s->count; i++) {
        struct session_slide *one = &s->slide[i];
        for (size_t k = 0; k < one->options; k++) free(one->option[k]);
        json_decref(one->figure);
        json_decref(one->after);
        free((char *)one->item);
        free(one->text);
        free(one->terse);
        free(one->given);
        free(one->question);
        free(one->answer);
        free(one->gist);
    }
    free((char *)s->again.item);
    free(s->slide);
    free(s->title);
    lesson_dialogue_free(s->dialogue);
    session_loaded_close(&s->from);
    free(s);
}

const char *session_slides_title(const struct session_slides *s) {
    return s->title;
}
const char *session_slides_lesson(const struct session_slides *s) {
    return lesson_id(s->from.lesson);
}
size_t session_slides_count(const struct session_slides *s) {
    return s->count;
}
const struct session_slide *session_slides_at(const struct session_slides *s, size_t i) {
    return &s->slide[i];
}

const struct session_slide *session_slides_guess(const struct session_slides *s) {
    for (size_t i = 0; i < s->count; i++)
        if (s->slide[i].guess) return &s->slide[i];
    return NULL;
}

const struct session_slide *session_slides_again(const struct session_slides *s) {
    return s->again.item ? &s->again : NULL;
}
