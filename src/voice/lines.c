/* lines: the lines of a text and who speaks each. A paragraph that begins with a name in bold is
 * what that one says, and each name has its own voice. An item of a list is a line, and tables are
 * left out. */
#include "voice/voice.h"

#include <stdlib.h>
#include <string.h>

/* How long the mark of a list's item is with which a line begins: "- ", "2. ". */
static size_t mark_of(const char *line) {
    size_t digits = strspn(line, "0123456789");
    if (digits > 0) return strncmp(line + digits, ". ", 2) == 0 ? digits + 2 : 0;
    return strncmp(line, "- ", 2) == 0 ? 2 : 0;
}

/* Without the marks of Markdown, and on one line. An item keeps its number. */
static char *plain_of(const char *text, size_t n) {
    struct base_text t = {0};
    size_t i = *text == '-' ? mark_of(text) : 0;
    for (bool begins = true; i < n; i++) {
        if (begins && strchr("> ", text[i])) continue;
        begins = text[i] == '\n';
        if (!strchr("*`", text[i])) base_text_add(&t, begins ? " " : text + i, 1);
    }
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
    line.spoken = voice_spoken(line.text);
    line.voice = voice_of(l, line.who);
    l->at = base_grow(l->at, l->count + 1, sizeof *l->at);
    l->at[l->count] = line;
    return &l->at[l->count++];
}

/* How long the name is with which a paragraph begins, one word: "**Ruth.** What …"; 0: none. Longer
 * phrases in bold are said. */
static size_t name_of(const char *text, size_t n) {
    size_t name = 0;
    if (n < 6 || strncmp(text, "**", 2) != 0) return 0;
    while (name + 6 < n && !strchr(" .*0123456789", text[2 + name])) name++;
    return strncmp(text + 2 + name, ".** ", 4) == 0 ? name : 0;
}

static struct voice_line *add_paragraph(struct voice_lines *l, const char *text, size_t n) {
    size_t name = name_of(text, n), before = name ? name + 6 : 0;
    return add_line(l, text + 2, name, text + before, n - before);
}

/* Up to the next item of a list, or to the end of the block of `n` bytes. */
static size_t until_item(const char *block, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (block[i - 1] == '\n' && mark_of(block + i) > 0) return i;
    return n;
}

static void add_block(struct voice_lines *l, const char *block, size_t n, size_t part,
                      size_t paragraph) {
    for (size_t took; n > 0; block += took, n -= took) {
        took = until_item(block, n);
        struct voice_line *line = add_paragraph(l, block, took - (block[took - 1] == '\n'));
        line->part = part;
        line->paragraph = paragraph;
    }
}

void voice_lines_text(struct voice_lines *l, size_t part, const char *markdown) {
    markdown += strspn(markdown, "\n");
    for (size_t paragraph = 0; *markdown; paragraph++) {
        const char *end = strstr(markdown, "\n\n");
        size_t n = end ? (size_t)(end - markdown) : strlen(markdown);
        while (markdown[n - 1] == '\n') n--;
        if (*markdown != '|') add_block(l, markdown, n, part, paragraph);
        markdown += n + strspn(markdown + n, "\n");
    }
}

void voice_lines_title(struct voice_lines *l, size_t part, const char *title) {
    if (!*title) return;
    bool ended = strchr(".?!", title[strlen(title) - 1]);
    char *sentence = base_format("%s%s", title, ended ? "" : ".");
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
