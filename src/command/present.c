/* present: shows a lesson at the front, slide by slide, and asks a class. */
#include "command/internal.h"

#include "screen/screen.h"
#include "session/session.h"

#include <unistd.h>

static void print_slide(const struct session_slides *all, const struct session_asking *asking,
                        size_t i, bool ascii) {
    const struct session_slide *s = session_slides_at(all, i);
    struct session_bars votes;
    bool voted = asking && session_asking_bars(asking, s, &votes);
    struct page *p = command_terminal_page(ascii), *head = command_terminal_page(ascii);
    page_printf(head, 0, 0, PAGE_TITLE, "%zu / %zu  %s", i + 1, session_slides_count(all),
                s->title);
    page_blank(head, 1);
    screen_present_page(p, s, voted ? &votes : NULL);
    page_append(head, p, 0, page_height(p));
    page_blank(head, 1);
    command_terminal_print(head);
    page_free(p);
}

/* All slides as text, with their answers. */
static int print_all(const char *lesson, const char *folder, bool ascii) {
    struct base_message m = {0};
    struct session_slides *all = session_slides_open(lesson, &m);
    struct session_asking *asking = all && folder ? session_asking_open(folder, &m) : NULL;
    bool opened = all && (asking || !folder);
    if (opened) printf("%s\n\n", session_slides_title(all));
    for (size_t i = 0; opened && i < session_slides_count(all); i++)
        print_slide(all, asking, i, ascii);
    session_asking_close(asking);
    session_slides_close(all);
    return opened ? COMMAND_WELL : command_say_message(&m);
}

static int run(const struct arguments *a) {
    const char *folder = command_arguments_value(a, "class");
    bool text = command_arguments_has(a, "linear") || command_terminal_dumb() ||
                !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO);
    if (text) return print_all(a->operand[0], folder, command_terminal_ascii(a));
    return screen_run(&(struct screen_options){.present = a->operand[0],
                                               .present_to = folder,
                                               .ascii = command_arguments_has(a, "ascii")});
}

static const struct command_option options[] = {
    {"class", "FOLDER", NULL, "lets this class vote; it must be yours"},
    {"linear", NULL, NULL, "prints the slides with their answers as text"},
    {"ascii", NULL, NULL, "uses plain ASCII characters"},
};
static const char *const examples[] = {
    "zerotutor present 1.3",
    "zerotutor present 1.3 --class /srv/sys-26",
    "zerotutor present 1.3 --linear",
    NULL,
};

const struct command command_present = {
    .name = "present",
    .summary = "shows a lesson at the front of a class, slide by slide",
    .operands = "LESSON",
    .least = 1,
    .most = 1,
    .about =
        "Shows each step of a lesson as one sentence and one figure, for a projector: make the "
        "terminal's font so large that 60 columns and 18 rows fit. Enter or the right arrow shows "
        "the next slide, the left arrow the one before (PgDn and PgUp, too, as a presenter's "
        "remote sends them). A step that is too tall for one slide continues on the next. Space "
        "shows the answer of a question. Questions have the same numbers each time, and no slide "
        "names a learner.\n\n"
        "With `--class` you ask the class. On a question with options press v, and the learners' "
        "tutors offer it: they vote alone, and the bars grow while they do. Press v again after "
        "they have talked to their neighbours, and they vote a second time. The third v ends the "
        "vote and shows the answer. Both bars stay, and are kept in the class's folder without "
        "names.\n\n"
        "X asks the exit questions: the three problems that most learners missed, with other "
        "numbers for each learner. The screen compares how many were right at their first answer "
        "before and now. Press X again to end them. The last slide compares the lesson's opening "
        "guess with what learners say who guessed again.\n\n"
        "If the output is not a terminal, or with `--linear`, the slides are printed as text, "
        "with their answers.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
