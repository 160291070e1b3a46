/* transcript: a lesson taken in a text file. */
#include "lesson/transcript.h"

#include "base/fatal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ── events in the notation ────────────────────────────────────────────────────────────────────*/
/* "mark text", further lines indented. */
static void put_text(struct base_text *t, const char *mark, const char *text) {
    base_text_printf(t, "%s", mark);
    const char *line = text != NULL ? text : "(nothing)";
    while (*line != '\0') {
        size_t n = strcspn(line, "\n");
        base_text_puts(t, n > 0 ? " " : "");
        base_text_add(t, line, n);
        line += n + (line[n] == '\n');
        base_text_puts(t, *line != '\0' ? "\n   |" : "");
    }
    base_text_puts(t, "\n");
}

static void put_figure(struct base_text *t, const json_t *figure) {
    if (figure == NULL) return;
    char *s = json_dumps(figure, JSON_COMPACT | JSON_SORT_KEYS);
    base_text_printf(t, "  figure %s\n", s);
    free(s);
}

static const char *const FORMS[LESSON_FORMS] = {"next",  "number", "line",  "choice",
                                                "order", "sort",   "ticks", "sliders",
                                                "run",   "write",  "text"};
static const char *const TONES[LESSON_TONES] = {"plain", "quiet", "good", "bad", "hint", "asking"};

static void put_sliders(struct base_text *t, const struct lesson_ask *a) {
    for (size_t i = 0; i < a->sliders; i++)
        base_text_printf(t, "   <%s: %s, %zu of %zu>\n", a->slider[i].label, a->slider[i].value,
                         a->slider[i].position + 1, a->slider[i].count);
}

static void put_sheet(struct base_text *t, const struct lesson_ask *a) {
    for (size_t i = 0; i < a->lines; i++) {
        const struct lesson_sheet_line *l = &a->sheet[i];
        base_text_printf(t, "   [%c] %s: %s%s%s%s%s%s\n", " _?+x"[l->state], l -> label,
                         l -> formula, *l -> formula != '\0' ? " = " : "", l->value,
                         *l->must ? ", " : "", l->must, i == a->line ? " <" : "");
    }
}

static void put_ask(struct base_text *t, const struct lesson_ask *a) {
    if (a->rest) base_text_puts(t, "  -- a good place to stop\n");
    base_text_printf(t, "  ? %s", FORMS[a->form]);
    if (*a->prompt != '\0') base_text_printf(t, ": %s", a->prompt);
    if (*a->unit != '\0') base_text_printf(t, " [%s]", a->unit);
    if (a->graded) base_text_printf(t, " (try %d", a->try);
    if (a->graded && a->counted != a->try) base_text_printf(t, ", shown as %d", a->counted);
    if (a->graded) base_text_puts(t, ")");
    if (a->fresh && !a->graded) base_text_puts(t, " (or fresh)");
    if (a->lab != NULL) base_text_printf(t, " (lab %s)", a->lab);
    base_text_puts(t, "\n");
    for (size_t i = 0; i < a->options; i++)
        base_text_printf(t, "   %zu. %s\n", i + 1, a->option[i]);
    for (size_t i = 0; i < a->bins; i++)
        base_text_printf(t, "   %c. %s\n", (int)('a' + i), a->bin[i]);
    put_sliders(t, a);
    put_sheet(t, a);
}

static void put_step(struct base_text *t, const struct lesson_event *e) {
    base_text_printf(t, "  -- step %zu of %zu: %s %s %s\n", e->index + 1, e->count,
                     lesson_step_kind_name(e->step_kind), e->item, e->title);
    if (e->sources != NULL) put_text(t, "  sources", e->sources);
}

void transcript_event(struct base_text *t, const struct lesson_event *e) {
    char mark[64];
    switch (e->kind) {
    case LESSON_STEP: put_step(t, e); return;
    case LESSON_ASK: put_ask(t, e->ask); return;
    case LESSON_TURN: base_text_puts(t, "  -- turn\n"); return;
    case LESSON_VERDICT:
        snprintf(mark, sizeof mark, "  ! %s%s (%s%s):", e->verdict, e->right ? "+" : "",
                 TONES[e->tone], e->in_sheet ? ", in the sheet" : "");
        break;
    case LESSON_HINT: snprintf(mark, sizeof mark, "  hint %d:", e->level); break;
    case LESSON_LEDGER:
        snprintf(mark, sizeof mark, "  ledger%s", e->between ? ", between:" : "");
        break;
    case LESSON_TROUBLE: snprintf(mark, sizeof mark, "  trouble:"); break;
    case LESSON_END: snprintf(mark, sizeof mark, "  end:"); break;
    default: snprintf(mark, sizeof mark, "  %s:", TONES[e->tone]); break;
    }
    if (e->text != NULL || e->figure == NULL || e->kind == LESSON_LEDGER)
        put_text(t, mark, e->text != NULL || e->kind != LESSON_LEDGER ? e->text : "");
    put_figure(t, e->figure);
    if (e->options > 0)
        base_text_printf(t, "  of %zu options %zu, right is %zu\n", e->options, e->said, e->truth);
    for (size_t i = 0; i < e->again; i++) base_text_printf(t, "  again: %s\n", e->again_at[i]);
    bool follows = e->kind == LESSON_LEDGER && e->ask;
    if (follows) put_sliders(t, e->ask);
    if (follows && e->ask->play && e->ask->play->question)
        base_text_printf(t, "  stops: %s\n", e->ask->prompt);
}

/* ── the file ──────────────────────────────────────────────────────────────────────────────────*/
struct play {
    /* the whole file */
    const char *text;
    struct base_text out;
    struct fake_source source;
    struct fake_journal journal;
    struct lesson *lesson;
    struct lesson_dialogue *d;
    uint64_t seed;
};

/* The body of "== name", the caller's; NULL if there is none. */
static char *section(const char *text, const char *name) {
    char *head = base_format("== %s\n", name);
    const char *at = strstr(text, head);
    char *body = NULL;
    if (at != NULL) {
        at += strlen(head);
        const char *end = strstr(at, "\n== ");
        body = base_dup(at);
        if (end != NULL) body[end - at + 1] = '\0';
    }
    free(head);
    return body;
}

static struct lesson *read_lesson(struct play *p, const char *name) {
    char *head = *name != '\0' ? base_format("lesson %s", name) : base_dup("lesson");
    char *body = section(p->text, head);
    if (body == NULL) fatal("there is no section '== %s'", head);
    json_t *json = fake_json(body);
    struct base_message m = {0};
    struct lesson *l = lesson_read(json, "fake.lua", &m);
    if (l == NULL) fatal("%s: %s", head, m.what);
    json_decref(json);
    free(body);
    free(head);
    return l;
}

static void read_variants(struct play *p) {
    for (int i = 0; i < 8; i++) {
        char name[24];
        snprintf(name, sizeof name, "variants %d", i);
        char *body = section(p->text, name);
        if (body != NULL) p->source.variants[i] = fake_json(body);
        free(body);
    }
}

static void put_events(struct play *p) {
    const struct lesson_event *e;
    while (p->d != NULL && (e = lesson_event(p->d)) != NULL) transcript_event(&p->out, e);
}

/* ── what a line "> …" does ────────────────────────────────────────────────────────────────────*/
static void do_open(struct play *p, const char *text) {
    struct base_message m = {0};
    if (*text != '\0') p->seed = strtoull(text, NULL, 10);
    lesson_dialogue_free(p->d);
    p->d = lesson_dialogue_open(p->lesson, fake_source(&p->source), fake_journal(&p->journal),
                                p->seed, &m);
    if (p->d == NULL) put_text(&p->out, "  not opened:", m.what);
}

/* The old lesson is freed at once: nothing of it may be in use. */
static void do_reload(struct play *p, const char *text) {
    struct base_message m = {0};
    struct lesson *l = read_lesson(p, text);
    if (!lesson_reload(p->d, l, fake_source(&p->source), &m)) {
        put_text(&p->out, "  not reloaded:", m.what);
        lesson_free(l);
        return;
    }
    lesson_free(p->lesson);
    p->lesson = l;
}

static void do_fail(struct play *p, const char *text) {
    p->journal.full = strncmp(text, "answers", 7) == 0;
    p->journal.left = p->journal.full ? atoi(text + 7) : 0;
    p->journal.no_place = strcmp(text, "place") == 0;
    p->journal.no_reading = strcmp(text, "reading") == 0;
    p->source.broken = strncmp(text, "source ", 7) == 0 ? atoi(text + 7) : 0;
}

/* "1 edited": function 1 now gives what stands under "== variants 1 edited". */
static void do_vary(struct play *p, const char *text) {
    char *name = base_format("variants %s", text);
    char *body = section(p->text, name);
    if (body == NULL) fatal("there is no section '== %s'", name);
    json_t **slot = &p->source.variants[atoi(text) & 7];
    json_decref(*slot);
    *slot = fake_json(body);
    free(body);
    free(name);
}

static void do_journal(struct play *p, const char *text) {
    (void)text;
    for (size_t i = 0; i < p->journal.rows; i++) {
        const struct fake_row *r = &p->journal.row[i];
        base_text_printf(&p->out, "  %s%s%s, try %d: '%s' ", r->item, *r->line != '\0' ? "#" : "",
                         r->line, r->try, r->typed);
        if (!isnan(r->value)) base_text_printf(&p->out, "= %.4g ", r->value);
        base_text_printf(&p->out, "%s %s%s", r->verdict, r->mistake,
                         *r->mistake != '\0' ? " " : "");
        base_text_printf(&p->out, "hints %d%s%s\n", r->hints, *r->outcome != '\0' ? ", run " : "",
                         r->outcome);
    }
    base_text_printf(&p->out, "  at %s%s\n", p->journal.place.step,
                     p->journal.place.finished ? ", finished" : "");
}

/* "9.1/item 1 right" or "9.1/item#line 1 right": another program answers that. */
static void do_other(struct play *p, const char *text) {
    char item[96], verdict[16];
    int try;
    if (sscanf(text, "%95s %d %15s", item, &try, verdict) != 3) fatal("other: %s", text);
    char *line = item + strcspn(item, "#");
    if (*line != '\0') *line++ = '\0';
    fake_other(&p->journal, item, line, try, verdict);
}

static void do_race(struct play *p, const char *text) {
    (void)text;
    p->journal.raced = true;
}

static void do_move(struct play *p, const char *text) {
    char *by;
    size_t index = strtoull(text, &by, 10);
    struct lesson_action a = {.kind = LESSON_DO_MOVE, .index = index, .by = atoi(by)};
    lesson_do(p->d, &a);
}

/* "stage 1 | ended {…}": a run of the lab and what it weighed; without JSON nothing was. */
static void do_run(struct play *p, const char *text) {
    char variant[32], outcome[16];
    int used = 0;
    if (sscanf(text, "%31[^|]| %15s %n", variant, outcome, &used) != 2) fatal("run: %s", text);
    variant[strcspn(variant, "|") - 1] = '\0';
    json_t *measured = text[used] == '{' ? fake_json(text + used) : NULL;
    struct base_message m = {0};
    struct lesson_run r = {.lab = "fake",
                           .variant = variant,
                           .command = "zerolab --fake",
                           .events = "",
                           .outcome = outcome,
                           .measured = measured};
    if (!lesson_ran(p->d, &r, &m)) put_text(&p->out, "  not kept:", m.what);
    json_decref(measured);
}

static void do_ran(struct play *p, const char *text) {
    const char *why = *text != '\0' ? text : NULL;
    lesson_do(p->d, &(struct lesson_action){.kind = LESSON_DO_RAN, .text = why});
}

static const struct {
    const char *word;
    enum lesson_action_kind kind;
    /* NULL: an action of the dialogue */
    void (*own)(struct play *p, const char *text);
} WORDS[] = {
    {"open", 0, do_open},
    {"reload", 0, do_reload},
    {"fail", 0, do_fail},
    {"journal", 0, do_journal},
    {"vary", 0, do_vary},
    {"move", 0, do_move},
    {"other", 0, do_other},
    {"race", 0, do_race},
    {"run", 0, do_run},
    {"ran", 0, do_ran},
    {"next", LESSON_DO_NEXT, NULL},
    {"skip", LESSON_DO_SKIP, NULL},
    {"back", LESSON_DO_BACK, NULL},
    {"goto", LESSON_DO_GOTO, NULL},
    {"answer", LESSON_DO_ANSWER, NULL},
    {"hint", LESSON_DO_HINT, NULL},
    {"worked", LESSON_DO_WORKED, NULL},
    {"fresh", LESSON_DO_FRESH, NULL},
    {"leave", LESSON_DO_LEAVE, NULL},
};

static void act(struct play *p, const char *line) {
    size_t n = strcspn(line, " ");
    const char *text = line + n + (line[n] == ' ');
    base_text_printf(&p->out, "> %s\n", line);
    for (size_t i = 0; i < BASE_COUNT(WORDS); i++) {
        if (strlen(WORDS[i].word) != n || strncmp(WORDS[i].word, line, n) != 0) continue;
        if (WORDS[i].own != NULL)
            WORDS[i].own(p, text);
        else
            lesson_do(p->d, &(struct lesson_action){.kind = WORDS[i].kind, .text = text});
        put_events(p);
        return;
    }
    fatal("there is no action '%s'", line);
}

static void play(struct play *p, const char *taken) {
    for (const char *s = taken; *s != '\0';) {
        size_t n = strcspn(s, "\n");
        if (n > 2 && strncmp(s, "> ", 2) == 0) {
            char *line = base_format("%.*s", (int)(n - 2), s + 2);
            act(p, line);
            free(line);
        } else if (n > 0 && *s == '#') {
            base_text_add(&p->out, s, n + 1);
        }
        s += n + (s[n] == '\n');
    }
}

char *transcript_take(const char *file) {
    const char *taken = strstr(file, "== taken\n");
    if (taken == NULL) fatal("there is no section '== taken'");
    taken += strlen("== taken\n");
    struct play p = {.text = file, .seed = 1};
    base_text_add(&p.out, file, (size_t)(taken - file));
    read_variants(&p);
    p.lesson = read_lesson(&p, "");
    play(&p, taken);
    lesson_dialogue_free(p.d);
    lesson_free(p.lesson);
    fake_journal_free(&p.journal);
    fake_source_free(&p.source);
    return base_text_take(&p.out);
}
