/* What is printed is recognised: every figure in the tables and sentences of `mem`, `traffic`,
 * `plan` and of lessons 3.1 to 4.1 is put into a sentence with its name; `memo check` must know it
 * as that quantity of that configuration. The pages are parsed here: a table says only how a
 * printed label is called in a memo, another what a row of a lesson is trained with. */
#include "command/run.h"

#include "account/account.h"
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ── labels ────────────────────────────────────────────────────────────────────────────────────*/
/* A head of a table or the label of a row, and what a memo calls it; NULL: no figure of the engine
 * stands under it. */
static const struct {
    const char *printed, *name;
} labels[] = {
    {"params", "parameters"},
    {"grads", "gradients"},
    {"master", "master copy"},
    {"moments", "moments"},
    {"activations", "activations"},
    {"gather buffer", "gathered parameters"},
    {"framework", "reserve"},
    {"init", "memory after init"},
    {"forward", "peak in forward"},
    {"backward", "peak in backward"},
    {"update", "peak in update"},
    {"all-reduce", "all-reduce"},
    {"reduce-scatter", "reduce-scatter"},
    {"all-gather", "all-gather"},
    {"time", "communication time"},
    {"exposed", "exposed communication"},
    {"states", "model states"},
    {"peak", "peak"},
    {"sent", "sent per rank and step"},
    {"NVLink 3, 240 GB/s", "step time"},
    {"PCIe 4, 24 GB/s", "step time"},
    {"reduce buffer", "reduction buckets"},
    {"workspace", "workspace"},
    {"staging", "staging"},
    {"inside", "sent inside the node"},
    {"between", "sent between nodes"},
    {"NIC", "sent per network card"},
    {"host link", "over the host link"},
    {"down to the host", "down the host link"},
    {"up from the host", "up the host link"},
    {"spare GB", "spare"},
    {"step", "step time"},
    {"tokens/s", "tokens/s"},
    {"parameters", "parameters"},
    {"gradients", "gradients"},
    {"fp32 master copy", "master copy"},
    {"optimizer moments", "moments"},
    {"states a GPU", "model states"},
    {"GPU", "model states"},
    {"a GPU keeps", "model states"},
    {"host", "host memory"},
    {"rank to rank", "sent between nodes"},
    {"to other nodes", "sent between nodes"},
    {"a NIC, by rings", "sent per network card"},
    {"in total, each GPU", "ledger in total"},
    {"in total, between steps", "memory after init"},
    {"in total, at the peak", "peak"},
    {"in total, host, per node", "host memory"},
    {"forward, backward", "computation"},
    {"26 GB down, 26 GB up, PCIe at 24 GB/s of the printed 31.5 GB/s", "time of one transfer"},
    {"CPU Adam", "update"},
    {"a step; the share of waiting", "step time"},
    {"from NVMe, 10 GB/s a node, a step", "step time"},
    {"the share of waiting with 16 micro-batches", NULL},
    {"× Ψ", NULL},
    {"batch", NULL},
    {"a step crosses", NULL},
    {"what is new", NULL},
    {"fits", NULL},
    {"the peak is in", NULL},
};
/* The same in a table of collectives, a row each. */
static const struct {
    const char *printed, *name;
} collectives[] = {
    {"GB", "sent by one collective"},
    {"NIC", "sent by one collective"},
    {"time", "time of one transfer"},
    {"exposed", "time of one transfer"},
};
/* What stands in a sentence around a figure, %. */
static const struct {
    const char *printed, *name;
} phrases[] = {
    {"forward %", "forward"},
    {"backward %", "backward"},
    {"update %", "update"},
    {"exposed %", "exposed communication"},
    {"= % a step", "step time"},
    {"spare, % a step", "step time"},
    {"step, %", "tokens/s"},
    {"down in %", "time of one transfer"},
    {"up in %", "time of one transfer"},
    {"Host link: % down", "down the host link"},
    {"% up in", "up the host link"},
    {"offload %", "offloading"},
    {"% to spare", "spare"},
    {"leaves % free", "spare"},
    {"within the %", "usable memory"},
    {"PyTorch reports %", "usable memory"},
    {"GB (%)", "usable memory"},
    {"means %", "usable memory"},
    {"which is %", "usable memory"},
    {"label's %", "memory on the box"},
    {"states + %", "activations"},
    {"activations + %", "reserve"},
};

/* What a row or a bar of a lesson is trained with. */
static const struct {
    const char *printed, *decision;
} rows[] = {
    {"nothing offloaded", "stage 2"},
    {"optimizer to the host", "stage 2, optimizer on the host"},
    {"optimizer on the host", "stage 2, optimizer on the host"},
    {"stage 3 over", "stage 3"},
    {"stage 3 in a node", "stage 3, shard group 8"},
    {"tensor 8, pipeline 4", "stage 1, tensor parallel 8, pipeline parallel 4"},
    {"from NVMe", "stage 3, optimizer on NVMe"},
    {"paper 1", "stage 1, recipe paper"},
    {"Megatron 1", "stage 1, recipe megatron"},
    {"DeepSpeed 2", "stage 2, recipe deepspeed"},
    {"DeepSpeed 3", "stage 3, recipe deepspeed"},
    {"FSDP2 2", "stage 2, recipe fsdp2"},
    {"FSDP2 3", "stage 3, recipe fsdp2"},
    {"tensor 8", "stage 1, tensor parallel 8"},
    {"+ hpZ", "stage 3, hpz 8"},
    {"+ qwZ", "stage 3, hpz 8, qwz"},
    {"+ qgZ", "stage 3, hpz 8, qwz, qgz"},
};

/* ── pages ─────────────────────────────────────────────────────────────────────────────────────*/
#define COURSE  "8 × A100 80 GB, sequence 2048, micro-batch 1"
#define GIVEN70 "70e9 parameters, 64 × A100 80 GB, 8 GPUs per node, sequence 4096, micro-batch 1"
#define LLAMA   "--model llama-2-13b --gpus 8 --gpu a100-80g --seq 2048 --batch 1"
#define LLAMA70                                                                                    \
    "--model llama-2-70b --gpus 32 --gpu h100-80g --gpus-per-node 8 --seq 4096 --batch 1 "         \
    "--checkpoint full --recipe fsdp2"
#define NODES70                                                                                    \
    "32 × H100 80 GB, 8 GPUs per node, sequence 4096, micro-batch 1, full checkpointing, recipe " \
    "fsdp2"
#define OFFLOAD                                                                                    \
    "--model llama-2-7b --gpus 4 --gpu rtx4090 --seq 2048 --batch 1 --stage 2 "                    \
    "--offload-optimizer host --recipe deepspeed"
#define CARDS7 "4 × RTX 4090, sequence 2048, micro-batch 1, optimizer on the host, recipe deepspeed"
static const struct page {
    /* NULL: each row of a table says its stage */
    const char *command, *head, *decision;
    /* what "in total" is there */
    const char *all;
    /* the heading of a lesson's step; one column of it */
    const char *from, *only;
    /* so many figures must be found */
    size_t least;
} pages[] = {
    {"mem " LLAMA " --stage 1", "Llama 2 13B, " COURSE, "stage 1", "peak", NULL, NULL, 15},
    {"mem " LLAMA " --stage 2", "Llama 2 13B, " COURSE, "stage 2", "peak", NULL, NULL, 15},
    {"mem " LLAMA " --stage 3", "Llama 2 13B, " COURSE, "stage 3", "peak", NULL, NULL, 16},
    {"mem --model llama-3.1-8b --gpus 16 --gpu h100-80g --seq 4096 --batch 1 --stage 3",
     "Llama 3.1 8B, 16 × H100 80 GB, 16 GPUs per node, sequence 4096, micro-batch 1", "stage 3",
     "peak", NULL, NULL, 14},
    {"traffic " LLAMA, "Llama 2 13B, " COURSE, NULL, "sent per rank and step", NULL, NULL, 60},
    {"traffic " LLAMA " --stage 2", "Llama 2 13B, " COURSE, "stage 2", "sent per rank and step",
     NULL, NULL, 10},
    {"traffic " LLAMA " --stage 3 --recipe deepspeed", "Llama 2 13B, " COURSE ", recipe deepspeed",
     "stage 3", "sent per rank and step", NULL, NULL, 10},
    {"plan " LLAMA " --global-batch 64", "Llama 2 13B, " COURSE ", global batch 64", "stage 2",
     "peak", NULL, NULL, 5},
    {"plan --model llama-3.1-8b --gpus 8 --gpu h100-80g --seq 8192 --batch 1 --global-batch 64",
     "Llama 3.1 8B, 8 × H100 80 GB, sequence 8192, micro-batch 1, global batch 64", "stage 3",
     "peak", NULL, NULL, 30},
    {"mem " LLAMA " --stage 3 --recipe fsdp2 --checkpoint full",
     "Llama 2 13B, " COURSE ", full checkpointing, recipe fsdp2", "stage 3", "", NULL, NULL, 24},
    {"mem " LLAMA70 " --stage 3", "Llama 2 70B, " NODES70, "stage 3", "", NULL, NULL, 24},
    {"mem " OFFLOAD, "Llama 2 7B, " CARDS7, "stage 2", "", NULL, NULL, 20},
    {"traffic " LLAMA70 " --stage 3", "Llama 2 70B, " NODES70, "stage 3", "sent per rank and step",
     NULL, NULL, 20},
    {"traffic " LLAMA70 " --stage 3 --shard-group 16", "Llama 2 70B, shard group 16, " NODES70,
     "stage 3", "sent per rank and step", NULL, NULL, 24},
    {"traffic " OFFLOAD, "Llama 2 7B, " CARDS7, "stage 2", "sent per rank and step", NULL, NULL,
     16},
    {"export lesson 3.1", "13e9 parameters, 16 GPUs, recipe fsdp2", "stage 3", "model states",
     "By hand", NULL, 4},
    {"export lesson 3.2", "13e9 parameters, 1 × A100 80 GB, recipe deepspeed", "stage 2", "",
     "Who holds", NULL, 3},
    {"export lesson 3.2", "13e9 parameters, 1 × A100 80 GB, recipe deepspeed",
     "stage 2, optimizer on the host", "over the host link", "what crosses", NULL, 3},
    {"export lesson 3.1", "Llama 2 7B, 8 GPUs, recipe deepspeed", NULL, "ledger in total",
     "six ledgers", NULL, 6},
    {"export lesson 3.2",
     "Llama 2 13B, 1 × A100 80 GB, micro-batch 4, sequence 2048, full checkpointing, recipe paper",
     "stage 2, optimizer on the host", "", "When does it hide", NULL, 5},
    {"export lesson 3.2", "13e9 parameters, 1 × A100 80 GB, recipe deepspeed", "stage 2", "",
     "To take away", NULL, 3},
    {"export lesson 3.3", GIVEN70, "stage 1, tensor parallel 8", "model states", "By hand", NULL,
     5},
    {"export lesson 3.3", GIVEN70, NULL, "", "laid out four", NULL, 9},
    {"export lesson 3.3", GIVEN70, "stage 3", "", "ZeRO++", NULL, 12},
    {"export lesson 3.3", GIVEN70, NULL, "", "To take away", NULL, 9},
    {"export lesson 3.4", "34e9 parameters, 16 × A100 80 GB", "stage 2", "model states", "By hand",
     NULL, 5},
    {"export lesson 4.1", "13e9 parameters, " COURSE, NULL, "", "Second: the rest", "states", 3},
    {"export lesson 4.1", "Llama 2 13B, " COURSE, NULL, "", "Second: the rest", "peak", 3},
    {"export lesson 4.1", "13e9 parameters, " COURSE ", global batch 64", NULL, "",
     "Third: what moves", "sent", 3},
    {"export lesson 4.1", "Llama 2 13B, " COURSE ", global batch 64", NULL, "", "Third: what moves",
     "NVLink 3", 3},
    {"export lesson 4.1", "Llama 2 13B, " COURSE ", global batch 64, PCIe 4", NULL, "",
     "Third: what moves", "PCIe 4", 3},
};

/* What was read of a page: a memo for each configuration, a sentence a line; and what each line
 * must be known as. */
enum { CONFIGS = 24, SENTENCES = 96, CELLS = 16 };
struct printed {
    const struct page *page;
    /* that the lines here are about, where a page has several */
    char stage[16];
    size_t configs, figures;
    struct config {
        char decision[160];
        struct base_text text;
        size_t sentences;
        const char *name[SENTENCES];
    } config[CONFIGS];
};

static struct config *config_of(struct printed *p, const char *decision) {
    for (size_t i = 0; i < p->configs; i++)
        if (strcmp(p->config[i].decision, decision) == 0) return &p->config[i];
    assert_true(p->configs < CONFIGS);
    struct config *c = &p->config[p->configs++];
    snprintf(c->decision, sizeof c->decision, "%s", decision);
    return c;
}

static void add(struct printed *p, const char *decision, const char *name, const char *figure) {
    struct config *c = config_of(p, decision);
    assert_true(c->sentences < SENTENCES);
    base_text_printf(&c->text, "The %s of the decision: %s.\n\n", name, figure);
    c->name[c->sentences++] = name;
    p->figures++;
}

struct table {
    char line[512];
    char *head[CELLS];
    size_t heads;
};

/* ── tables ────────────────────────────────────────────────────────────────────────────────────*/
/* The cells of a line: parted by two blanks or more, in Markdown by bars. */
static size_t cells_of(char *line, char *cell[CELLS]) {
    const char *by = strchr(line, '|') ? "|" : "  ";
    size_t n = 0;
    for (char *s = line; s && n < CELLS;) {
        char *end = strstr(s, by);
        if (end) *end = '\0';
        while (*s == ' ') s++;
        for (size_t k = strlen(s); k && s[k - 1] == ' ';) s[--k] = '\0';
        if (*s || (*by == '|' && s > line)) cell[n++] = s;
        s = end ? end + strlen(by) : NULL;
    }
    return n;
}

static const char *name_of(const struct printed *p, const struct table *t, const char *label) {
    if (strcmp(label, "total") == 0 || strcmp(label, "in total") == 0)
        return *p->page->all ? p->page->all : NULL;
    for (size_t i = 0; i < BASE_COUNT(collectives) && t && strcmp(t->head[0], "what") == 0; i++)
        if (strcmp(collectives[i].printed, label) == 0) return collectives[i].name;
    for (size_t i = 0; i < BASE_COUNT(labels); i++)
        if (strcmp(labels[i].printed, label) == 0) return labels[i].name;
    fail_msg("%s: \"%s\" has no name in memos", p->page->command, label);
    return NULL;
}

/* The page's own, or the stage that a line above named. */
static const char *decision_here(const struct printed *p) {
    return p->page->decision || !*p->stage ? p->page->decision : p->stage;
}

/* The configuration of a row: "stage 2", "2", "1, checkpointed"; the page's own, where rows are
 * quantities. */
static const char *row_decision(const struct printed *p, const char *label, char out[64]) {
    const char *digit = strncmp(label, "stage ", 6) == 0 ? label + 6 : label;
    for (size_t i = 0; i < BASE_COUNT(rows); i++)
        if (strncmp(label, rows[i].printed, strlen(rows[i].printed)) == 0) return rows[i].decision;
    if (!isdigit((unsigned char)*digit) || isdigit((unsigned char)digit[1]))
        return decision_here(p);
    snprintf(out, 64, "stage %c%s", *digit,
             strstr(label, "checkpointed") ? ", full checkpointing" : "");
    return out;
}

static void read_cell(struct printed *p, const struct table *t, const char *decision,
                      const char *label, const char *text) {
    char figure[64];
    if (p->page->only && strncmp(label, p->page->only, strlen(p->page->only)) != 0) return;
    const char *name = strtod(text, NULL) > 0 ? name_of(p, t, label) : NULL;
    if (!name || !decision) return;
    const char *unit = strcmp(label, "tokens/s") == 0 ? "tokens/s" : "GB";
    snprintf(figure, sizeof figure, "%s%s%s", text, strchr(text, ' ') ? "" : " ",
             strchr(text, ' ') ? "" : unit);
    add(p, decision, name, figure);
}

/* A head begins a table, an empty line ends it. */
static bool is_of_plans(const struct table *t) {
    return t->heads == 8 && strcmp(t->head[5], "spare GB") == 0;
}

static bool begins(struct table *t, const char *line) {
    struct table next = {0};
    snprintf(next.line, sizeof next.line, "%s", line);
    *t = next;
    t->heads = cells_of(t->line, t->head);
    return t->heads > 1 && (*line == '|' || strcmp(t->head[0], "GB") == 0 ||
                            strcmp(t->head[0], "what") == 0 || is_of_plans(t));
}

/* "1 3 none 1 × 8 2 1 15.75 7.74 s 67.73K": what the row is trained with stands in its first
 * cells. */
static void read_plan(struct printed *p, const struct table *t, size_t n, char *cell[CELLS]) {
    char decision[160];
    if (n != t->heads + 1) return;
    const char *stage = cell[1], *checkpoint = cell[2], *batch = cell[3], *tp = cell[4],
               *pp = cell[5];
    const char *times = strstr(batch, "× ");
    snprintf(decision, sizeof decision,
             "stage %s, checkpoint %s, micro-batch %d, accumulate %s, tp %s, pp %s, sp %s", stage,
             checkpoint, atoi(batch), times ? times + strlen("× ") : "1", tp, pp,
             strcmp(tp, "1") == 0 ? "off" : "on");
    for (size_t i = 5; i < t->heads; i++) read_cell(p, t, decision, t->head[i], cell[i + 1]);
}

static void read_row(struct printed *p, const struct table *t, const char *line) {
    char copy[512], own[64], *cell[CELLS];
    snprintf(copy, sizeof copy, "%s", line);
    size_t n = cells_of(copy, cell);
    if (n < 2 || strspn(cell[0], ":-") > 0) return;
    if (is_of_plans(t)) {
        read_plan(p, t, n, cell);
        return;
    }
    const char *decision = row_decision(p, cell[0], own);
    bool rows_are_quantities = strcmp(t->head[1], "each GPU") == 0 || !*t->head[1];
    for (size_t i = 1; i < n && i < t->heads; i++) {
        char label[64];
        bool sum = rows_are_quantities && strcmp(cell[0], "in total") == 0;
        snprintf(label, sizeof label, "%s%s", sum ? "in total, " : "",
                 rows_are_quantities && !sum ? cell[0] : t->head[i]);
        read_cell(p, t, decision, label, cell[i]);
    }
}

/* "FSDP2 3   ███▓▓▓░░░░░◫◪   15.6 GB": what a bar comes to. */
static void read_bar(struct printed *p, const char *line) {
    char copy[512], own[64], *cell[CELLS];
    snprintf(copy, sizeof copy, "%s", line + strspn(line, " "));
    const char *drawn = strstr(line, "█");
    if (!drawn || cells_of(copy, cell) < 3 || !isdigit((unsigned char)*cell[2])) return;
    const char *decision = row_decision(p, cell[0], own);
    if (decision) read_cell(p, NULL, decision, "in total", cell[2]);
}

/* "parameters   2 B × 13e9   = 26 GB": what a working gives. */
static void read_working(struct printed *p, const char *line) {
    char copy[512], *cell[CELLS];
    const char *sum = strstr(line, " = ");
    if (!sum || !p->page->from || *line == ' ') return;
    snprintf(copy, sizeof copy, "%s", line);
    if (cells_of(copy, cell) < 2) return;
    sum += 3;
    char figure[64] = "";
    for (size_t n = 0; *sum && n + 1 < sizeof figure; sum++)
        if (*sum != ' ' || (n && figure[n - 1] != ' ')) figure[n++] = *sum, figure[n] = '\0';
    read_cell(p, NULL, p->page->decision, cell[0], figure);
}

/* ── sentences ─────────────────────────────────────────────────────────────────────────────────*/
static void read_phrase(struct printed *p, const char *text, const char *phrase, const char *name) {
    const char *hole = strchr(phrase, '%');
    size_t n = (size_t)(hole - phrase);
    for (const char *s = text; *s; s++) {
        struct account_figure f;
        char figure[64];
        if (n && strncmp(s, phrase, n) != 0) continue;
        if (!n && s > text && s[-1] != ' ' && s[-1] != '(') continue;
        const char *end = isdigit((unsigned char)s[n]) ? account_read_figure(s + n, &f) : NULL;
        if (!end || f.measure == ACCOUNT_FIGURE_NOTHING) continue;
        if (strncmp(end, hole + 1, strlen(hole + 1)) != 0) continue;
        snprintf(figure, sizeof figure, "%.*s", (int)(end - s - (ptrdiff_t)n), s + n);
        add(p, decision_here(p), name, figure);
        return;
    }
}

/* Its lines joined, so that a phrase may be broken over two. */
static char *joined(const char *text) {
    struct base_text t = {0};
    for (; *text; text++) {
        bool blank = *text == '\n' || *text == ' ';
        if (blank && t.length && t.s[t.length - 1] == ' ') continue;
        base_text_add(&t, blank ? " " : text, 1);
    }
    return base_text_take(&t);
}

/* " stage 2" by itself: what follows is about it. */
static bool is_stage(const char *line) {
    return strncmp(line, " stage ", 7) == 0 && isdigit((unsigned char)line[7]) && !line[8];
}

/* The sentences of a page, or of each stage of it. */
static void read_phrases(struct printed *p, const char *text) {
    if (p->page->from) return;
    char *copy = base_dup(text), *rest = copy;
    struct base_text part = {0};
    *p->stage = '\0';
    for (char *line; rest;) {
        line = strsep(&rest, "\n");
        if (rest && !is_stage(line)) base_text_printf(&part, "%s\n", line);
        if (rest && !is_stage(line)) continue;
        char *words = joined(part.s ? part.s : "");
        for (size_t i = 0; decision_here(p) && i < BASE_COUNT(phrases); i++)
            read_phrase(p, words, phrases[i].printed, phrases[i].name);
        free(words);
        base_text_free(&part);
        part = (struct base_text){0};
        if (rest) snprintf(p->stage, sizeof p->stage, "%s", line + 1);
    }
    free(copy);
}

static void read_page(struct printed *p, const char *text) {
    char *copy = base_dup(text), *rest = copy;
    struct table t;
    bool in = false, there = !p->page->from;
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (p->page->from && strncmp(line, "## ", 3) == 0) there = strstr(line, p->page->from);
        if (!there) continue;
        if (is_stage(line)) snprintf(p->stage, sizeof p->stage, "%s", line + 1);
        read_working(p, line);
        read_bar(p, line);
        if (!in)
            in = begins(&t, line);
        else if (!*line)
            in = false;
        else
            read_row(p, &t, line);
    }
    free(copy);
    read_phrases(p, text);
}

/* ── the check ─────────────────────────────────────────────────────────────────────────────────*/
enum { HEAD = 4 }; /* lines before the first sentence */

static const json_t *finding_at(const json_t *findings, int line) {
    const json_t *f;
    size_t i;
    json_array_foreach(findings, i, f) if (base_json_int(f, "line", 0) == line) return f;
    return NULL;
}

static void check(const struct printed *p, const struct config *c) {
    const char *recipe = strstr(p->page->head, "recipe ");
    char *memo = base_format("Scenario: %s\nRecipe: %s\nDecision: %s\n\n%s", p->page->head,
                             recipe ? recipe + strlen("recipe ") : "paper", c->decision, c->text.s);
    struct run r = run_line("memo check --all --json /dev/stdin", memo);
    json_t *json = json_loads(r.out, 0, NULL);
    if (!json) fail_msg("%s%s\n%s", r.out, r.err, memo);
    for (size_t i = 0; i < c->sentences; i++) {
        const json_t *f = finding_at(json_object_get(json, "findings"), HEAD + 1 + 2 * (int)i);
        const char *what = base_json_text(f, "what", "");
        if (strcmp(base_json_text(f, "kind", ""), "known") != 0 || !strstr(what, c->name[i]) ||
            strncmp(what, "decision", 8) != 0)
            fail_msg("%s: %s: sentence %zu, %s: %s\n%s", p->page->command, c->decision, i + 1,
                     c->name[i], what, memo);
    }
    json_decref(json);
    run_free(&r);
    free(memo);
}

static void what_is_printed_is_recognised(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(pages); i++) {
        struct printed p = {.page = &pages[i]};
        struct run r = run_line(pages[i].command, NULL);
        if (r.status) fail_msg("%s: %s", pages[i].command, r.err);
        read_page(&p, r.out);
        if (p.figures < pages[i].least)
            fail_msg("%s: only %zu figures found in\n%s", pages[i].command, p.figures, r.out);
        for (size_t k = 0; k < p.configs; k++) {
            check(&p, &p.config[k]);
            base_text_free(&p.config[k].text);
        }
        run_free(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_printed_is_recognised)};
    return cmocka_run_group_tests_name("command/printed", tests, NULL, NULL);
}
