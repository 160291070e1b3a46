/* lines: the lines of a text, who speaks each, and how they are said. A paragraph that begins with
 * a name in bold is what that one says, and each name has its own voice. */
#include "voice/voice.h"

#include <stdlib.h>
#include <string.h>

/* How symbols are said. Longer ones stand before those that they begin with. */
static const char *const sayings[][2] = {
    {" GB/s", " gigabytes per second"},
    {" GB", " gigabytes"},
    {" MB", " megabytes"},
    {" TB", " terabytes"},
    {" GiB", " gibibytes"},
    {" KiB", " kibibytes"},
    {" ms", " milliseconds"},
    {" s ", " seconds "},
    {" s.", " seconds."},
    {" s,", " seconds,"},
    {" s:", " seconds:"},
    {"bf16", "B F sixteen"},
    {"fp32", "F P thirty-two"},
    {"fp16", "F P sixteen"},
    {"ZeRO-3", "zero three"},
    {"ZeRO", "zero"},
    {"DDP", "D D P"},
    {"FSDP2", "F S D P two"},
    {"FSDP", "F S D P"},
    {"PCIe", "P C I E"},
    {"NVLink", "N V link"},
    {"NVMe", "N V M E"},
    {"AdamW", "Adam W"},
    {"XL", "X L"},
    {"A100", "A one hundred"},
    {"GPT-2", "G P T two"},
    {"PyTorch", "pie torch"},
    {"GPUs", "G P Us"},
    {"GPU", "G P U"},
    {"Ψ", "psi"},
    {"×", " times "},
    {"÷", " divided by "},
    {"−", " minus "},
    {"–", " to "},
    {"…", "."},
    {"“", ""},
    {"”", ""},
    {"’", "'"},
    {"\"", ""},
    {"*", ""},
    {"`", ""},
};

static size_t say_one(const char *at, struct base_text *out) {
    for (size_t i = 0; i < BASE_COUNT(sayings); i++) {
        size_t n = strlen(sayings[i][0]);
        if (strncmp(at, sayings[i][0], n) != 0) continue;
        base_text_puts(out, sayings[i][1]);
        return n;
    }
    base_text_add(out, at, 1);
    return 1;
}

static char *spoken_of(const char *text) {
    struct base_text t = {0};
    while (*text) text += say_one(text, &t);
    return base_text_take(&t);
}

/* Without the marks of Markdown, and on one line. */
static char *plain_of(const char *text, size_t n) {
    struct base_text t = {0};
    for (size_t i = 0; i < n; i++)
        if (!strchr("*`", text[i])) base_text_add(&t, text[i] == '\n' ? " " : text + i, 1);
    return base_text_take(&t);
}

/* The voice of a name: the one that it has already, else the one that the newest name has not. */
static size_t voice_of(const struct voice_lines *l, const char *who) {
    size_t newest = 0;
    if (!*who) return 0;
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->at[i].who, who) == 0) return l->at[i].voice;
    for (size_t i = 0; i < l->count; i++) {
        size_t k = 0;
        while (strcmp(l->at[k].who, l->at[i].who) != 0) k++;
        if (k == i && *l->at[i].who) newest = l->at[i].voice;
    }
    return newest == 1 ? 2 : 1;
}

static struct voice_line *add_line(struct voice_lines *l, const char *who, size_t who_length,
                                   const char *text, size_t n) {
    struct voice_line line = {.who = base_format("%.*s", (int)who_length, who),
                              .text = plain_of(text, n)};
    line.spoken = spoken_of(line.text);
    line.voice = voice_of(l, line.who);
    l->at = base_grow(l->at, l->count + 1, sizeof *l->at);
    l->at[l->count] = line;
    return &l->at[l->count++];
}

static struct voice_line *add_paragraph(struct voice_lines *l, const char *text, size_t n) {
    const char *end = n > 4 && strncmp(text, "**", 2) == 0 ? strstr(text, ".** ") : NULL;
    if (!end || end >= text + n) return add_line(l, "", 0, text, n);
    return add_line(l, text + 2, (size_t)(end - text - 2), end + 4, n - (size_t)(end + 4 - text));
}

void voice_lines_text(struct voice_lines *l, size_t part, const char *markdown) {
    size_t paragraph = 0;
    markdown += strspn(markdown, "\n");
    while (*markdown) {
        const char *end = strstr(markdown, "\n\n");
        size_t n = end ? (size_t)(end - markdown) : strlen(markdown);
        while (markdown[n - 1] == '\n') n--;
        struct voice_line *line = add_paragraph(l, markdown, n);
        line->part = part;
        line->paragraph = paragraph++;
        markdown += n + strspn(markdown + n, "\n");
    }
}

void voice_lines_title(struct voice_lines *l, size_t part, const char *title) {
    if (!*title) return;
    char *sentence = base_format("%s.", title);
    struct voice_line *line = add_line(l, "", 0, sentence, strlen(sentence));
    line->part = part;
    line->paragraph = VOICE_TITLE;
    free(sentence);
}

bool voice_lines_talk(const struct voice_lines *l) {
    bool talk = false;
    for (size_t i = 0; i < l->count; i++) talk |= l->at[i].voice > 1;
    return talk;
}

void voice_lines_free(struct voice_lines *l) {
    for (size_t i = 0; i < l->count; i++) {
        free(l->at[i].who);
        free(l->at[i].text);
        free(l->at[i].spoken);
    }
    free(l->at);
    *l = (struct voice_lines){0};
}
