/* aloud: a lesson's prose read aloud, by a synthesiser that is installed: each line is printed as
 * it is spoken. Also as text as it is spoken, and as a WAV file. In a dialogue a paragraph begins
 * with a name in bold, and each name has its own voice. */
#include "command/export.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ── lines ─────────────────────────────────────────────────────────────────────────────────────*/
struct line {
    /* "" if nobody is named */
    char *who;
    /* as it is written, without marks; as it is spoken */
    char *text, *spoken;
};
struct lines {
    struct line *at;
    size_t count;
};

/* How what is written is said. Longer ones stand before those that they begin with. */
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

static void add_line(struct lines *l, const char *who, size_t who_length, const char *text,
                     size_t n) {
    l->at = base_grow(l->at, l->count + 1, sizeof *l->at);
    struct line *line = &l->at[l->count++];
    line->who = base_format("%.*s", (int)who_length, who);
    line->text = plain_of(text, n);
    line->spoken = spoken_of(line->text);
}

/* "**Ruth.** What …" is Ruth's. */
static void add_paragraph(struct lines *l, const char *text, size_t n) {
    const char *end = n > 4 && strncmp(text, "**", 2) == 0 ? strstr(text, ".** ") : NULL;
    if (end && end < text + n)
        add_line(l, text + 2, (size_t)(end - text - 2), end + 4, n - (size_t)(end + 4 - text));
    else if (n > 0)
        add_line(l, "", 0, text, n);
}

static void add_text(struct lines *l, const char *text) {
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t n = end ? (size_t)(end - text) : strlen(text);
        add_paragraph(l, text, n);
        text += n + strspn(text + n, "\n");
    }
}

static void add_title(struct lines *l, const json_t *step) {
    const char *title = base_json_text(step, "title", "");
    char *sentence = base_format("%s.", title);
    if (*title) add_line(l, "", 0, sentence, strlen(sentence));
    free(sentence);
}

/* Tables and drawings cannot be said; what has them says so in its text. */
static void read_lines(struct lines *l, const struct lesson *lesson) {
    for (size_t i = 0; i < lesson_steps(lesson); i++) {
        enum lesson_step_kind kind = lesson_step_kind(lesson, i);
        const json_t *step = lesson_step(lesson, i);
        const char *text = base_json_text(step, "text", "");
        if (kind != LESSON_SAY && kind != LESSON_RECAP) continue;
        if (strstr(text, "|:--")) continue;
        add_title(l, step);
        add_text(l, text);
    }
}

static void free_lines(struct lines *l) {
    for (size_t i = 0; i < l->count; i++) {
        free(l->at[i].who);
        free(l->at[i].text);
        free(l->at[i].spoken);
    }
    free(l->at);
}

/* ── synthesisers ──────────────────────────────────────────────────────────────────────────────*/
enum { WORDS = 8 };
#define VOICE "\1" /* stands for a voice's name */
#define FILE_ "\2" /* for the file that is written */

/* They read what to say from standard input. The first voice tells what nobody says; the others
 * are those of a dialogue, in the order in which they first speak. */
static const struct synthesiser {
    const char *name;
    const char *voice[3];
    const char *word[WORDS];
    /* to write a WAV file of marked-up text (SSML); NULL: it cannot */
    const char *write[WORDS];
} synthesisers[] = {
    {"espeak-ng",
     {"en-us", "en-us+f3", "en-us+m3"},
     {"-v", VOICE, "-s", "140", "--stdin"},
     {"-m", "-s", "140", "-w", FILE_, "--stdin"}},
    {"espeak",
     {"en-us", "en-us+f3", "en-us+m3"},
     {"-v", VOICE, "-s", "140", "--stdin"},
     {"-m", "-s", "140", "-w", FILE_, "--stdin"}},
    {"say", {"Alex", "Samantha", "Daniel"}, {"-v", VOICE, "-f", "-"}, {NULL}},
    {"spd-say", {"female1", "female2", "male1"}, {"-w", "-e", "-t", VOICE}, {NULL}},
};

static const char *fill(const char *word, const char *voice, const char *file) {
    return *word == *VOICE ? voice : *word == *FILE_ ? file : word;
}

/* Starts it with `input` as its standard input; false if there is no such program. */
static bool start_synthesiser(const char *name, char *const *argv, int input, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool runs = posix_spawnp(pid, name, &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return runs;
}

/* Its exit status; -1 if there is no such program. */
static int run_synthesiser(const char *name, const char *const *word, const char *voice,
                           const char *file, const char *text) {
    char *argv[WORDS + 2] = {base_dup(name)};
    size_t n = 1;
    int ends[2], status = -1;
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        free(argv[0]);
        return command_say_error("cannot make a pipe: %s: close other programs, and try again",
                                 strerror(errno));
    }
    for (; n <= WORDS && word[n - 1]; n++) argv[n] = base_dup(fill(word[n - 1], voice, file));
    bool runs = start_synthesiser(name, argv, ends[0], &pid);
    close(ends[0]);
    for (size_t left = strlen(text); runs && left > 0;) {
        ssize_t wrote = write(ends[1], text, left);
        if (wrote <= 0) break; /* it went away, and its status says so */
        text += wrote;
        left -= (size_t)wrote;
    }
    close(ends[1]);
    if (runs) waitpid(pid, &status, 0);
    while (n > 0) free(argv[--n]);
    if (!runs || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Which voice a line has: 0, or 1 and 2 by turns for each new name. */
static size_t voice_of(const struct lines *l, size_t i) {
    size_t voice = 1;
    if (!*l->at[i].who) return 0;
    for (size_t k = 0; k < l->count; k++) {
        if (strcmp(l->at[k].who, l->at[i].who) == 0) return voice;
        bool new = *l->at[k].who != '\0';
        for (size_t before = 0; new &&before < k; before++)
            new = strcmp(l->at[before].who, l->at[k].who) != 0;
        if (new) voice = 3 - voice;
    }
    return voice;
}

static int no_synthesiser(void) {
    return command_say_error("nothing here can speak: install espeak-ng, or print what would be "
                             "said with --text");
}

/* ── speaking, and writing ─────────────────────────────────────────────────────────────────────*/
static void print_line(const struct line *l, int columns) {
    char *said = *l->who ? base_format("%s: %s", l->who, l->text) : base_dup(l->text);
    char *folded = base_fold(said, columns);
    printf("%s\n\n", folded);
    fflush(stdout);
    free(folded);
    free(said);
}

/* The line that is printed last is the one that is spoken. */
static int speak(const struct lines *l, const struct synthesiser *s, size_t from) {
    int columns = command_terminal_columns();
    for (size_t i = from; i < l->count; i++) {
        print_line(&l->at[i], columns < 78 ? columns : 78);
        int status =
            run_synthesiser(s->name, s->word, s->voice[voice_of(l, i)], "", l->at[i].spoken);
        if (status != 0)
            return command_say_error("%s stopped with status %d: --text prints what would be said",
                                     s->name, status);
    }
    return COMMAND_WELL;
}

static int speak_with_any(const struct lines *l) {
    for (size_t i = 0; i < BASE_COUNT(synthesisers); i++)
        if (run_synthesiser(synthesisers[i].name, synthesisers[i].word, synthesisers[i].voice[0],
                            "", "") >= 0)
            return speak(l, &synthesisers[i], 0);
    return no_synthesiser();
}

static void add_escaped(struct base_text *t, const char *text) {
    for (; *text; text++) {
        const char *entity = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : NULL;
        if (entity)
            base_text_puts(t, entity);
        else
            base_text_add(t, text, 1);
    }
}

/* All lines in their voices, as SSML (W3C). The caller's. */
static char *marked_up(const struct lines *l, const struct synthesiser *s) {
    struct base_text t = {0};
    base_text_puts(&t, "<speak>");
    for (size_t i = 0; i < l->count; i++) {
        base_text_printf(&t, "<voice name=\"%s\">", s->voice[voice_of(l, i)]);
        add_escaped(&t, l->at[i].spoken);
        base_text_puts(&t, "</voice><break time=\"500ms\"/>\n");
    }
    base_text_puts(&t, "</speak>\n");
    return base_text_take(&t);
}

static int write_sound(const struct lines *l, const char *file) {
    for (size_t i = 0; i < BASE_COUNT(synthesisers); i++) {
        const struct synthesiser *s = &synthesisers[i];
        if (!s->write[0]) continue;
        char *text = marked_up(l, s);
        int status = run_synthesiser(s->name, s->write, "", file, text);
        free(text);
        if (status == 0) return COMMAND_WELL;
        if (status > 0)
            return command_say_error("%s could not write %s (status %d): check the folder", s->name,
                                     file, status);
    }
    return command_say_error("nothing here writes WAV files: install espeak-ng");
}

static int print_spoken(const struct lines *l) {
    for (size_t i = 0; i < l->count; i++)
        printf("%s%s%s\n", l->at[i].who, *l->at[i].who ? ": " : "", l->at[i].spoken);
    return COMMAND_WELL;
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
static int say_lines(const struct arguments *a, const struct lines *l) {
    const char *file = command_arguments_value(a, "output");
    if (l->count == 0)
        return command_say_error("%s has no prose that could be said: name another lesson",
                                 a->operand[0]);
    if (command_arguments_has(a, "text")) return print_spoken(l);
    return file ? write_sound(l, file) : speak_with_any(l);
}

static int run(const struct arguments *a) {
    struct lesson_course course;
    struct export_lesson l;
    struct base_message m = {0};
    struct lines lines = {0};
    if (!command_export_course(&course, &m)) return command_say_message(&m);
    int status = COMMAND_USAGE;
    if (command_export_open(&course, a->operand[0], &l, &m)) {
        read_lines(&lines, l.lesson);
        status = say_lines(a, &lines);
        command_export_close(&l);
    } else {
        command_say_message(&m);
    }
    free_lines(&lines);
    lesson_course_free(&course);
    return status;
}

static const struct command_option options[] = {
    {"text", NULL, NULL, "prints what would be said, and says nothing"},
    {"output", "FILE", NULL, "writes a WAV file instead; -o for short"},
};
static const char *const examples[] = {
    "zerotutor aloud voices-1",
    "zerotutor aloud voices-1 -o phase-1.wav",
    "zerotutor aloud 1.3 --text",
    NULL,
};

const struct command command_aloud = {
    .name = "aloud",
    .rare = true,
    .summary = "reads a lesson's prose aloud, in two voices where two speak",
    .operands = "LESSON",
    .least = 1,
    .most = 1,
    .about =
        "Reads the prose of a lesson aloud with espeak-ng, espeak, say or spd-say, whichever is "
        "installed. Each line is printed when it is spoken. `voices-1` to `voices-4` are made for "
        "it: a reviewer asks and an owner answers, six to eight minutes for each phase.\n\n"
        "Symbols are said in words. `--text` prints the text as it is said. Tables and figures "
        "are left out.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
