/* aloud: a lesson's prose read aloud, by a synthesiser that is installed: each line is printed as
 * it is spoken. Also as text as it is spoken, and as a WAV file. In a dialogue a paragraph begins
 * with a name in bold, and each name has its own voice. */
#include "command/export.h"
#include "session/session.h"
#include "voice/voice.h"

#include <stdlib.h>

static int no_synthesiser(void) {
    return command_say_error("nothing here can speak: install espeak-ng, or print what would be "
                             "said with --text");
}

/* ── speaking, and writing ─────────────────────────────────────────────────────────────────────*/
static void print_line(const struct voice_line *l, int columns) {
    char *said = *l->who ? base_format("%s: %s", l->who, l->text) : base_dup(l->text);
    char *folded = base_fold(said, columns);
    printf("%s\n\n", folded);
    fflush(stdout);
    free(folded);
    free(said);
}

/* The line that is printed last is the one that is spoken. */
static int speak(const struct voice_lines *l) {
    const struct voice_synthesiser *with = voice_find(false);
    struct voice_speech s = {0};
    struct base_message m = {0};
    int columns = command_terminal_columns();
    bool heard = true;
    if (!with) return no_synthesiser();
    for (size_t i = 0; i < l->count; i++) {
        int64_t began = base_ticks();
        print_line(&l->at[i], columns < 78 ? columns : 78);
        if (!voice_speak(&s, with, l, i, &m)) return command_say_message(&m);
        if (voice_wait(&s) != 0)
            return command_say_error("%s stopped with status %d: --text prints what would be said",
                                     voice_name(with), s.status);
        heard = heard && voice_was_heard(&l->at[i], base_ticks() - began);
    }
    if (!heard)
        return command_say_error("%s ended too soon to be heard: is there a sound device? --text "
                                 "prints what would be said",
                                 voice_name(with));
    return COMMAND_WELL;
}

static int write_sound(const struct voice_lines *l, const char *file) {
    const struct voice_synthesiser *with = voice_find(true);
    struct voice_speech s = {0};
    struct base_message m = {0};
    if (!with) return command_say_error("nothing here writes WAV files: install espeak-ng");
    if (!voice_write(&s, with, l, file, &m)) return command_say_message(&m);
    if (voice_wait(&s) == 0) return COMMAND_WELL;
    return command_say_error("%s could not write %s (status %d): check the folder",
                             voice_name(with), file, s.status);
}

/* To be read, or letter by letter as the synthesiser gets it. */
static int print_lines(const struct voice_lines *l, bool spoken) {
    for (size_t i = 0; i < l->count; i++)
        printf("%s%s%s\n", l->at[i].who, *l->at[i].who ? ": " : "",
               spoken ? l->at[i].spoken : l->at[i].text);
    return COMMAND_WELL;
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
static int say_lines(const struct arguments *a, const struct voice_lines *l) {
    const char *file = command_arguments_value(a, "output");
    if (l->count == 0)
        return command_say_error("%s has no prose that could be said: name another lesson",
                                 a->operand[0]);
    bool spoken = command_arguments_has(a, "spoken");
    if (spoken || command_arguments_has(a, "text")) return print_lines(l, spoken);
    return file ? write_sound(l, file) : speak(l);
}

static int run(const struct arguments *a) {
    struct lesson_course course;
    struct export_lesson l;
    struct base_message m = {0};
    struct voice_lines lines = {0};
    if (!command_export_course(&course, &m)) return command_say_message(&m);
    int status = COMMAND_USAGE;
    if (command_export_open(&course, a->operand[0], &l, &m)) {
        session_prose(l.lesson, &lines);
        status = say_lines(a, &lines);
        command_export_close(&l);
    } else {
        command_say_message(&m);
    }
    voice_lines_free(&lines);
    lesson_course_free(&course);
    return status;
}

static const struct command_option options[] = {
    {"text", NULL, NULL, "prints the words and stays silent"},
    {"spoken", NULL, NULL, "prints each word as it is pronounced: \"G P U\""},
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
        "Symbols are said in words. `--text` prints the text as it is written, and `--spoken` as "
        "it is said. Tables and figures are left out.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
