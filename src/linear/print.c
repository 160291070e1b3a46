/* print: everything that goes out: pages as text, or with colours if the learner has them; the
 * events of the dialogue, and what is asked, as lines. */
#include "linear/inside.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80, NARROWEST = 20 };

/* ── the learner's settings narrow what the output can show; they never widen it ───────────────*/
/* Whether the setting is kept and has this value. */
static bool is_set(struct talk *t, const char *name, const char *value) {
    char *kept = store_setting(session_learner_store(t->learner), name);
    bool same = kept && strcmp(kept, value) == 0;
    free(kept);
    return same;
}

void linear_talk_look(struct talk *t) {
    t->ascii = t->options->ascii || is_set(t, "characters", "ascii");
    t->colours = t->options->colours;
    if (t->colours > 8 && is_set(t, "colour", "8")) t->colours = 8;
    if (is_set(t, "colour", "none")) t->colours = 0;
    t->words = t->options->words || is_set(t, "drawings", "off");
    char *theme = store_setting(session_learner_store(t->learner), "theme");
    t->theme = page_theme_named(theme);
    free(theme);
}

/* ── pages ─────────────────────────────────────────────────────────────────────────────────────*/
struct page *linear_print_begin(const struct talk *t) {
    int width = t->options->width ? t->options->width : COLUMNS;
    struct page *p = page_new(width < NARROWEST ? NARROWEST : width, t->ascii);
    page_set_colours(p, t->colours);
    page_set_spoken(p, t->words);
    return p;
}

void linear_print_page(struct talk *t, struct page *p) {
    char *text = t->colours ? page_to_ansi(p, t->theme, t->colours) : page_to_text(p);
    size_t n = strlen(text), skip = t->blank && *text == '\n';
    fputs(text + skip, t->out);
    if (n) t->blank = n < 2 ? *text == '\n' : strcmp(text + n - 2, "\n\n") == 0;
    free(text);
    page_free(p);
}

void linear_print_markdown(struct talk *t, unsigned role, const char *markdown) {
    struct page *p = linear_print_begin(t);
    page_markdown(p, (struct page_flow){.role = role}, markdown);
    page_blank(p, 1);
    linear_print_page(t, p);
}

int linear_not_opened(const struct base_message *m) {
    char text[sizeof m->what + sizeof m->file + 16];
    base_say_error(base_message_text(m, text, sizeof text));
    return NOT_OPENED;
}

void linear_print_figure(struct talk *t, const char *title, const json_t *figure) {
    struct page *p = linear_print_begin(t);
    struct base_message m = {0};
    if (title) page_put(p, 0, 0, PAGE_TITLE, 0, title);
    if (!(t->words ? page_figure_words : page_figure)(p, (struct page_flow){0}, figure, &m))
        page_text(p, (struct page_flow){.role = PAGE_BAD}, m.what);
    page_blank(p, 1);
    linear_print_page(t, p);
}

void linear_set_words(struct talk *t, bool words) {
    struct base_message m = {0};
    t->words = words;
    if (!store_set(session_learner_store(t->learner), "drawings", words ? "off" : NULL, &m))
        linear_complain(t, &m);
    linear_print_markdown(t, PAGE_DIM,
                          words ? "Figures are in words from now on. Type `:drawings on` to draw "
                                  "them."
                                : "Figures are drawn from now on. Type `:drawings off` to have "
                                  "them in words.");
}

void linear_print_progress(struct talk *t) {
    json_t *study = session_learner_study(t->learner);
    struct page *p = linear_print_begin(t);
    (t->words ? page_study_words : page_study)(p, (struct page_flow){0}, study);
    page_blank(p, 1);
    linear_print_page(t, p);
    json_decref(study);
}

void linear_print_certificate(struct talk *t) {
    json_t *says = session_certificate(t->learner);
    struct page *p = linear_print_begin(t);
    page_certificate(p, (struct page_flow){0}, says);
    page_blank(p, 1);
    linear_print_page(t, p);
    json_decref(says);
}

void linear_complain(struct talk *t, const struct base_message *m) {
    char text[sizeof m->what + sizeof m->file + 16];
    linear_print_markdown(t, PAGE_BAD, base_message_text(m, text, sizeof text));
}

/* ── what is asked: options numbered, sliders with their values, a worksheet whole ─────────────*/
/* Where the memo that is asked for is, made if there is none, and how it is written. */
static void print_memo(struct talk *t, const struct lesson_ask *a) {
    struct base_message m = {0};
    char *path = session_memo_path(a->memo);
    if (session_memo_begin(path, a->memo_begins, &m)) {
        struct page *p = linear_print_begin(t);
        page_text(p, (struct page_flow){.role = PAGE_STRONG}, "Your memo is this file:");
        page_put(p, page_height(p), 2, PAGE_ACCENT, 0, path);
        page_blank(p, 1);
        linear_print_page(t, p);
        linear_print_markdown(t, PAGE_DIM,
                              !t->echo
                                  ? "Write it with any editor; `edit` opens yours. Type `check` to "
                                    "check it, as often as you like. Press Enter to continue."
                                  : "Write it with any editor. Type `check` to check it, as often "
                                    "as you like. Press Enter to continue.");
    } else {
        linear_complain(t, &m);
    }
    free(path);
}

/* How each form is answered, said with the question. NULL: the prompt says enough. */
static const char *const how[LESSON_FORMS] = {
    [LESSON_CHOICE] = "Type its number.",
    [LESSON_ORDER] = "Type their numbers, first to last: `3 1 2`.",
    [LESSON_SORT] = "Type a letter for each number: `1=a 2=b`.",
    [LESSON_TEXT] = "Press Enter when you have said it.",
    [LESSON_TICKS] =
        "Type the numbers of the points you covered, such as `1 3`. Press Enter if none.",
    [LESSON_SLIDERS] = "Press Enter to continue with the next step.",
    [LESSON_RUN] = "Type `run`. It takes some seconds. Press Enter to skip it.",
};

/* "  1. the text", the text wrapped next to its mark. */
static void put_marked(struct page *p, const char *mark, const char *markdown) {
    int row = page_height(p);
    page_markdown(p, (struct page_flow){.indent = 5}, markdown);
    page_put(p, row, 2, PAGE_ACCENT, 0, mark);
}

static void put_options(struct page *p, const struct lesson_ask *a) {
    for (size_t i = 0; i < a->options; i++) {
        char mark[24];
        snprintf(mark, sizeof mark, "%zu.", i + 1);
        put_marked(p, mark, a->option[i]);
    }
    if (a->bins) page_blank(p, 1);
    for (size_t i = 0; i < a->bins; i++)
        put_marked(p, (char[]){(char)('a' + i), '.', '\0'}, a->bin[i]);
    if (a->options) page_blank(p, 1);
}

/* "stage: now 1. It can be 0, 1, 2, 3." Once that is told, only what they are now. Values are what
 * one types. */
static void say_sliders(struct page *p, const struct lesson_ask *a, bool told) {
    struct base_text now = {0};
    for (size_t i = 0; i < a->sliders; i++) {
        const struct lesson_slider *s = &a->slider[i];
        char *text = base_format("%s: now `%s`. It can be `%s`.", s->label, s->value, s->values);
        if (!told) page_markdown(p, (struct page_flow){0}, text);
        base_text_printf(&now, "%s%s `%s`", i ? ", " : "Now ", s->label, s->value);
        free(text);
    }
    base_text_puts(&now, ".");
    if (told) page_markdown(p, (struct page_flow){0}, now.s);
    base_text_free(&now);
    page_blank(p, 1);
}

static void draw_sliders(struct page *p, const struct lesson_ask *a) {
    const char **cell = base_grow(NULL, a->sliders * 3, sizeof *cell);
    char(*place)[48] = base_grow(NULL, a->sliders, sizeof *place);
    for (size_t i = 0; i < a->sliders; i++) {
        const struct lesson_slider *s = &a->slider[i];
        snprintf(place[i], sizeof place[i], "%zu of %zu", s->position + 1, s->count);
        cell[i * 3] = s->label;
        cell[i * 3 + 1] = s->value;
        cell[i * 3 + 2] = place[i];
    }
    page_table(p, (struct page_flow){.indent = 2}, cell, a->sliders, 3, "lll", false);
    page_blank(p, 1);
    free(place);
    free(cell);
}

/* A lab may have been recorded: then whoever cannot run it, or will not, need not go without. */
static void put_recording(struct page *p, const struct lesson_ask *a) {
    const struct experiment_lab *lab = a->form == LESSON_RUN ? experiment_lab_find(a->lab) : NULL;
    char *machine = lab ? experiment_recorded_on(lab) : NULL;
    if (!machine) return;
    const char *why =
        session_lab_lacks_gpu(lab) ? "This lab needs a GPU, and this machine has none. " : "";
    char *text =
        base_format("%sType `replay` to see a recording made on %s instead.", why, machine);
    page_markdown(p, (struct page_flow){.role = PAGE_DIM}, text);
    free(text);
    free(machine);
}

static const char *const sheet_mark[] = {"", "", "?", "ok", "x"}; /* by the line's state */

/* How a line of a sheet ends for the ear, by its state. */
static const char *const sheet_words[] = {"", "not known yet", "this is asked now", "right",
                                          "wrong"};

/* "gradients: 2 B × 20e9, 40 GB." "optimizer moments: this is asked now." */
static void say_sheet(struct page *p, const struct lesson_ask *a) {
    for (size_t i = 0; i < a->lines; i++) {
        const struct lesson_sheet_line *l = &a->sheet[i];
        const char *piece[] = {l->formula, l->value, sheet_words[l->state], l->must};
        struct base_text line = {0};
        base_text_puts(&line, l->label);
        for (size_t k = 0, n = 0; k < BASE_COUNT(piece); k++)
            if (*piece[k]) base_text_printf(&line, "%s%s", n++ ? ", " : ": ", piece[k]);
        base_text_puts(&line, ".");
        page_text(p, (struct page_flow){0}, line.s);
        base_text_free(&line);
    }
    if (a->lines) page_blank(p, 1);
}

static void draw_sheet(struct page *p, const struct lesson_ask *a) {
    if (!a->lines) return;
    const char **cell = base_grow(NULL, a->lines * 4, sizeof *cell);
    for (size_t i = 0; i < a->lines; i++) {
        const struct lesson_sheet_line *l = &a->sheet[i];
        cell[i * 4] = l->label;
        cell[i * 4 + 1] = *l->must ? l->must : l->formula;
        cell[i * 4 + 2] = l->state == 1 || l->state == 2 ? "____" : l->value;
        cell[i * 4 + 3] = sheet_mark[l->state];
    }
    page_table(p, (struct page_flow){.indent = 2}, cell, a->lines, 4, "llrl", false);
    page_blank(p, 1);
    free(cell);
}

/* A number's prompt is the label of its field: "your answer, in GB". */
static void put_prompt(struct page *p, const struct lesson_ask *a) {
    if (!a->prompt || !*a->prompt || a->form == LESSON_WRITE) return;
    char *text = a->form == LESSON_NUMBER ? base_format("Type %s.", a->prompt)
                 : a->form == LESSON_LINE ? base_format("Type the next line: %s.", a->prompt)
                                          : base_dup(a->prompt);
    page_markdown(p, (struct page_flow){.role = PAGE_STRONG}, text);
    free(text);
}

/* What an empty line does to a question; NULL if its form or its prompt says so. */
static const char *say_empty(const struct lesson_ask *a) {
    static const bool question[LESSON_FORMS] = {
        [LESSON_CHOICE] = true, [LESSON_ORDER] = true, [LESSON_SORT] = true,
        [LESSON_NUMBER] = true, [LESSON_LINE] = true,
    };
    if (!question[a->form] || a->card || (a->play && a->play->question)) return NULL;
    return a->guesses ? "Press Enter to see the answer without a guess."
                      : "Press Enter to skip it.";
}

/* A play leads to where it asks, then to its end, and only then on. */
static const char *say_how(const struct lesson_ask *a) {
    if (lesson_play_is_over(a)) return how[a->form];
    return a->play->ahead + 1 < a->slider[0].count ? "Press Enter to jump to its question."
                                                   : "Press Enter to jump to its last frame.";
}

static void put_how(struct page *p, const struct lesson_ask *a) {
    const char *answer = say_how(a), *empty = say_empty(a);
    char *text =
        base_format("%s%s%s", answer ? answer : "", answer && empty ? " " : "", empty ? empty : "");
    if (*text) page_markdown(p, (struct page_flow){.role = PAGE_DIM}, text);
    free(text);
}

static void print_clock(struct talk *t) {
    int left;
    if (!session_clock(t->session, &left)) return;
    char *text = base_format("You have %d s.", left);
    linear_print_markdown(t, PAGE_DIM, text);
    free(text);
}

static void tell_leads(struct talk *t, const struct lesson_ask *a) {
    char *id = base_format("`%s` to open that lesson there", a->lead[0].lesson);
    const char *what = a->leads == 1 ? id : "the id of one of these lessons to open it";
    if (lesson_leads_within(session_dialogue(t->session)))
        what = "a number of this list to see the right answer";
    char *text = base_format("Type %s. Press Enter to continue.", what);
    linear_print_markdown(t, PAGE_DIM, text);
    free(text);
    free(id);
}

static void print_ask(struct talk *t, const struct lesson_ask *a) {
    if (a->leads) tell_leads(t, a);
    if (a->briefly || a->slowly)
        linear_print_markdown(t, PAGE_DIM,
                              "Type `briefly` or `slowly` to read this in other words.");
    if (a->form == LESSON_NEXT) return;
    print_clock(t);
    bool asks = a->play && a->play->question, told = t->told_moves && !asks;
    const char *way = say_how(a);
    bool same_way = told && strcmp(t->told_moves, way) == 0;
    t->told_moves = a->form == LESSON_SLIDERS && !asks ? way : NULL;
    struct page *p = linear_print_begin(t);
    put_options(p, a);
    if (a->sliders && !a->scenes) {
        if (t->words)
            say_sliders(p, a, told);
        else
            draw_sliders(p, a);
    }
    (t->words ? say_sheet : draw_sheet)(p, a);
    if (!told) put_prompt(p, a);
    if (!same_way) put_how(p, a);
    put_recording(p, a);
    linear_print_page(t, p);
    if (a->form == LESSON_WRITE) print_memo(t, a);
}

/* ── events: a table says which function prints which ──────────────────────────────────────────*/
static const unsigned tone_role[LESSON_TONES] = {
    [LESSON_PLAIN] = PAGE_PLAIN, [LESSON_QUIET] = PAGE_DIM,       [LESSON_GOOD] = PAGE_GOOD,
    [LESSON_BAD] = PAGE_BAD,     [LESSON_HINT_TONE] = PAGE_PLAIN, [LESSON_ASKING] = PAGE_STRONG,
};

_Static_assert((int)LEARNER_SOLID == (int)PAGE_SOLID && (int)LEARNER_WEAK == (int)PAGE_WEAK &&
                   (int)LEARNER_PASSED_OVER == (int)PAGE_SKIPPED,
               "the strengths are the same in both");

/* "2 solid, 1 weak, 4 not met; about 3 min left." */
static void say_states(const struct talk *t, struct page *p, size_t count, int minutes) {
    size_t of[PAGE_STRENGTHS] = {0};
    struct base_text text = {0};
    for (size_t i = 0; i < count; i++) of[session_step_strength(t->session, i)]++;
    for (size_t s = PAGE_STRENGTHS; s-- > 0;)
        if (of[s] > 0)
            base_text_printf(&text, "%s%zu %s", text.s ? ", " : "", of[s],
                             page_strength_words((enum page_strength)s));
    if (minutes > 0) base_text_printf(&text, "; about %d min left", minutes);
    base_text_puts(&text, ".");
    page_text(p, (struct page_flow){.role = PAGE_DIM}, text.s);
    base_text_free(&text);
}

/* How each thing of a review or a drill came out, "●●◔○○○○", and how long a review still takes. */
static void put_states(const struct talk *t, struct page *p, size_t count) {
    int row = page_height(p), end = 0, minutes = session_minutes_left(t->session);
    if (t->words) {
        say_states(t, p, count, minutes);
        return;
    }
    for (size_t i = 0; i < count; i++)
        end = page_strength_put(p, row, end,
                                (enum page_strength)session_step_strength(t->session, i));
    if (minutes > 0) page_printf(p, row, end, PAGE_DIM, "   about %d min left", minutes);
}

/* "── step 3 of 12 · title ──", with a blank line around it; "step 3 of 12: title" for the ear. */
static void show_step(struct talk *t, const struct lesson_event *e) {
    t->step = e->index;
    t->steps = e->count;
    t->told_moves = NULL;
    free(t->sources);
    t->sources = e->sources ? base_dup(e->sources) : NULL;
    struct page *p = linear_print_begin(t);
    page_blank(p, 1);
    char *far = session_how_far(t->session, e->index, e->count, "of");
    bool titled = e->title && *e->title;
    if (t->words) {
        char *text = base_format("%s%s%s", far, titled ? ": " : "", titled ? e->title : "");
        page_text(p, (struct page_flow){.role = PAGE_TITLE}, text);
        free(text);
    } else {
        int end = page_printf(p, 1, 0, PAGE_DIM, "── %s", far);
        if (titled) end = page_put(p, 1, end, PAGE_DIM, 0, " · ");
        if (titled) end = page_put(p, 1, end, PAGE_TITLE, 0, e->title);
        page_put(p, 1, end, PAGE_DIM, 0, " ──");
    }
    free(far);
    if (session_is_forward(t->session) && e->index + 1 < e->count) put_states(t, p, e->count - 1);
    page_blank(p, 1);
    linear_print_page(t, p);
    if (e->rest)
        linear_print_markdown(t, PAGE_DIM,
                              "This is a good place to stop for today. Type `:quit` to leave: the "
                              "lesson resumes here.");
}

/* "You chose 1: the text." "The right answer is 2: the text." */
static void show_picked(struct talk *t, const struct lesson_event *e) {
    struct page *p = linear_print_begin(t);
    const struct {
        const char *words;
        size_t option;
        unsigned role;
    } picked[] = {{"You chose", e->said, PAGE_PLAIN},
                  {"The right answer is", e->said == e->truth ? 0 : e->truth, PAGE_PLAIN}};
    for (size_t i = 0; i < BASE_COUNT(picked); i++) {
        if (picked[i].option == 0) continue;
        const char *option = e->option[picked[i].option - 1];
        char *text = base_format("%s %zu: %s%s", picked[i].words, picked[i].option, option,
                                 lesson_stop_after(option));
        page_markdown(p, (struct page_flow){.role = picked[i].role}, text);
        free(text);
    }
    page_blank(p, 1);
    linear_print_page(t, p);
}

/* What is left to say of a guess at one of several options, whose texts have just been told. */
static const char *words_of_guess(const struct lesson_event *e) {
    return e->said == e->truth ? "That is right." : "";
}

/* Text first, then the figure under it; a figure that cannot be drawn says why in its place. */
static void show_block(struct talk *t, const struct lesson_event *e) {
    const char *text = e->options ? words_of_guess(e) : e->text;
    if (e->repeated) return; /* no page was turned */
    if (e->options) show_picked(t, e);
    if (text && *text) linear_print_markdown(t, tone_role[e->tone], text);
    if (e->figure) linear_print_figure(t, NULL, e->figure);
}

static void show_asked(struct talk *t, const struct lesson_event *e) {
    if (e->ask) print_ask(t, e->ask);
}

/* Of a frame between two that begin something its sentence says enough. Frames are chosen by their
 * numbers, which titles of figures may say. */
static void show_ledger(struct talk *t, const struct lesson_event *e) {
    const struct lesson_play *play = e->ask ? e->ask->play : NULL;
    const char *says = e->between && e->text ? e->text : "";
    bool numbered = e->between ? !e->text : play && !strncmp(e->ask->slider[0].value, "frame ", 6);
    char *text = play && !numbered ? base_format("Frame %u of %u.%s%s", play->number, play->numbers,
                                                 *says ? " " : "", says)
                                   : base_dup(says);
    show_block(t, &(struct lesson_event){.text = text, .figure = e->between ? NULL : e->figure});
    free(text);
    show_asked(t, e);
}

static void show_verdict(struct talk *t, const struct lesson_event *e) {
    if (e->options) show_picked(t, e);
    bool guess = strcmp(e->verdict ? e->verdict : "", "noted") == 0;
    unsigned role = guess ? PAGE_PLAIN : e->right ? PAGE_GOOD : PAGE_BAD;
    const char *text = guess && e->options ? words_of_guess(e) : e->text;
    if (text && *text) linear_print_markdown(t, role, text);
    if (e->figure) show_block(t, &(struct lesson_event){.figure = e->figure});
}

static void show_hint(struct talk *t, const struct lesson_event *e) {
    char *text = base_format("hint %d: %s", e->level, e->text ? e->text : "");
    linear_print_markdown(t, PAGE_PLAIN, text);
    free(text);
    if (e->level == LESSON_HINTS)
        linear_print_markdown(t, PAGE_DIM, "Type `:worked` to see the whole solution.");
}

static void show_trouble(struct talk *t, const struct lesson_event *e) {
    linear_print_markdown(t, PAGE_BAD,
                          e->text ? e->text : "Something failed. The lesson continues.");
}

/* The lesson to take next. */
static void show_next(struct talk *t) {
    const struct lesson_course *c = session_learner_course(t->learner);
    size_t next = session_learner_after(t->learner, lesson_id(session_lesson(t->session)));
    if (session_leads_onwards(t->session))
        linear_print_markdown(
            t, PAGE_PLAIN,
            "You went through every lesson of the course. `zerotutor learn " LEARNER_ONWARDS
            "` says what to learn next.");
    if (next == c->lessons) return;
    const struct lesson_entry *l = &c->lesson[next];
    char *text = base_format("Next: **%s** %s, %d minutes.%s%s%s", l->id, l->title, l->minutes,
                             t->echo ? " `zerotutor learn " : "", t->echo ? l->id : "",
                             t->echo ? " --linear` opens it." : "");
    linear_print_markdown(t, PAGE_PLAIN, text);
    free(text);
    t->leads = t->leads || !t->echo;
}

void linear_forget_found(struct talk *t) {
    for (size_t i = 0; i < t->found_count; i++) {
        free(t->found[i].name);
        free(t->found[i].lesson);
        free(t->found[i].step);
    }
    t->found_count = 0;
}

/* The steps that the end of a lesson has numbered, so that ":open 2" opens the second, which a
 * learner at a terminal is told. */
static void take_ways(struct talk *t, const struct lesson_event *e) {
    const char *lesson = lesson_id(session_lesson(t->session));
    linear_forget_found(t);
    for (size_t i = 0; i < e->again && i < LINEAR_FOUND; i++)
        t->found[t->found_count++] = (struct linear_found){
            SESSION_STEP, base_dup(""), base_dup(lesson), base_dup(e->again_at[i])};
    if (t->found_count == 0 || t->echo) return;
    t->leads = true;
    linear_print_markdown(t, PAGE_DIM,
                          t->found_count == 1
                              ? "Type `:open 1` to go back to it."
                              : "Type `:open` and a number to go back to one of these.");
}

static void show_end(struct talk *t, const struct lesson_event *e) {
    if (e->text && *e->text) linear_print_markdown(t, PAGE_PLAIN, e->text);
    take_ways(t, e);
    if (e->done) show_next(t);
    if (e->text || !t->back) return;
    t->onwards = t->back; /* exit questions were gone through: their result was the end */
    t->back = NULL;
}

/* Lines have no pages to turn. */
static void show_nothing(struct talk *t, const struct lesson_event *e) {
    (void)t, (void)e;
}

static void (*const show[])(struct talk *, const struct lesson_event *) = {
    [LESSON_STEP] = show_step,       [LESSON_SHOW] = show_block,      [LESSON_ASK] = show_asked,
    [LESSON_VERDICT] = show_verdict, [LESSON_HINT] = show_hint,       [LESSON_LEDGER] = show_ledger,
    [LESSON_TURN] = show_nothing,    [LESSON_TROUBLE] = show_trouble, [LESSON_END] = show_end,
};

void linear_print_class(struct talk *t) {
    if (t->hand) return; /* on the way to where it is up again */
    char *line = session_class_line(t->learner), *before = t->class_line;
    bool same = line ? before && strcmp(line, before) == 0 : !before;
    t->class_line = line;
    bool of_hand = before && strncmp(before, "Your hand", 9) == 0; /* else the teacher's line */
    if (!same && (line || of_hand))
        linear_print_markdown(t, PAGE_DIM,
                              line ? line : "Your hand is down, and your hand-in is up to date.");
    free(before);
}

/* Said once for each step that is opened. */
static void print_open(struct talk *t) {
    struct session_open_step open;
    bool is = session_class_open_step(t->learner, &open);
    if (is && t->open_step && strcmp(t->open_step, open.step) == 0) return;
    free(t->open_step);
    t->open_step = is ? base_dup(open.step) : NULL;
    if (!is) return;
    char *line = base_format("Your teacher opened step \"%s\" of lesson %s for all. Type `:follow` "
                             "to go there.",
                             open.title, open.lesson);
    linear_print_markdown(t, PAGE_DIM, line);
    free(line);
}

void linear_print_vote(struct talk *t, bool again) {
    const struct classroom_vote *v = session_class_vote(t->learner);
    char *asks = session_class_asks(t->learner), *before = t->asked;
    t->asked = asks;
    bool same = asks && before && strcmp(asks, before) == 0;
    bool exits = asks && (!v || v->round == CLASSROOM_SHOWN || session_class_voted(t->learner));
    if (exits && !same) {
        char *text = base_format("%s Type `:class` to open them.", asks);
        linear_print_markdown(t, PAGE_STRONG, text);
        free(text);
    } else if (asks && !exits && (again || !same)) {
        struct page *p = linear_print_begin(t);
        page_text(p, (struct page_flow){.role = PAGE_STRONG}, asks);
        for (size_t i = 0; i < v->options; i++) {
            int row = page_height(p);
            page_text(p, (struct page_flow){.indent = 5}, v->option[i]);
            page_printf(p, row, 2, PAGE_PLAIN, "%zu", i + 1);
        }
        page_text(p, (struct page_flow){.role = PAGE_DIM}, "Type :vote and a number.");
        linear_print_page(t, p);
    } else if (again) {
        linear_print_markdown(t, PAGE_DIM, "Nothing waits for your vote.");
    }
    free(before);
}

bool linear_print_events(struct talk *t) {
    const struct lesson_event *e;
    bool ended = false;
    while ((e = session_event(t->session))) {
        if ((size_t)e->kind < BASE_COUNT(show)) show[e->kind](t, e);
        ended |= e->kind == LESSON_END;
        t->events++;
    }
    linear_print_class(t);
    print_open(t);
    linear_print_vote(t, false);
    fflush(t->out);
    return ended;
}
