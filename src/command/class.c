/* class: a class on a shared machine. */
#include "command/class.h"

static const struct verb verbs[] = {
    {"new", command_class_new, ""},
    {"set", command_class_set, ""},
    {"close", command_class_close, ""},
    {"roster", command_class_roster, ""},
    {"join", command_class_join, " with ascii "},
    {"leave", command_class_leave, ""},
    {"nickname", command_class_nickname, ""},
    {"status", command_class_status, " json ascii "},
    {"doctor", command_class_doctor, " json ascii "},
    {"plan", command_class_plan, " people pairs seconds json ascii "},
    {"rehearse", command_class_rehearse, " people speed "},
    {"watch", command_class_watch, " once json no-names ascii linear "},
    {"queue", command_class_queue, " json ascii cancel "},
    {"collect", command_class_collect, " json "},
    {"grade", command_class_grade, " json ascii "},
    {"reports", command_class_reports, " json ascii "},
    {"remark", command_class_remark, ""},
    {"export", command_class_export, " format output worksheets memos "},
};

static int run(const struct arguments *a) {
    return command_verb_run(a, verbs, BASE_COUNT(verbs));
}

static const char *const examples[] = {
    "zerotutor class join /srv/sys-26 --with bob",
    "zerotutor class new /srv/sys-26 lessons=1.1:15,1.2:12 ends=+90m gpus=1",
    "zerotutor class plan /srv/sys-26 --people 28",
    "zerotutor class watch /srv/sys-26",
    "zerotutor class doctor /srv/sys-26",
    "zerotutor class set /srv/sys-26 extend=ada+30m",
    "zerotutor class roster /srv/sys-26 people.txt",
    "zerotutor class close /srv/sys-26",
    "zerotutor class grade /srv/sys-26",
    "zerotutor class export /srv/sys-26 --format canvas -o sys-26.csv",
    NULL,
};
static const struct command_option options[] = {
    {"with", "NAME", NULL, "join: who shares your keyboard"},
    {"people", "N", NULL, "plan, rehearse: learners (default: roster or 30)"},
    {"speed", "N", NULL, "rehearse: N times as fast as people work"},
    {"pairs", NULL, NULL, "plan: two share a keyboard"},
    {"seconds", "N", NULL, "plan: seconds of one turn with a lab"},
    {"cancel", NULL, NULL, "queue: takes your own labs out of it"},
    {"format", "FORMAT", "canvas|moodle|detail|datashop|votes", "export"},
    {"output", "FILE", NULL, "export: file to write; .jsonl gives JSON Lines"},
    {"worksheets", "DIR", NULL, "export: a printed sheet for each account"},
    {"memos", "DIR", NULL, "export: each learner's memo and its check"},
    {"once", NULL, NULL, "watch: prints the class once, and ends"},
    {"no-names", NULL, NULL, "watch: without names"},
    {"linear", NULL, NULL, "watch: line by line, for screen readers"},
    {"json", NULL, NULL, "prints JSON, if the verb lists something"},
    {"ascii", NULL, NULL, "uses plain ASCII characters"},
};

const struct command command_class = {
    .name = "class",
    .summary = "joins a class on a shared machine, or makes one",
    .operands = "join FOLDER | leave | status [FOLDER] | VERB FOLDER",
    .operand_choices =
        "join|leave|status|queue|nickname|new|set|roster|plan|rehearse|watch|doctor|close|"
        "collect|grade|reports|remark|export",
    .least = 1,
    .most = OPERANDS_MOST,
    .about =
        "A class is a folder that the teacher makes on a machine that everybody uses. It needs no "
        "server and no passwords: the system's accounts and the folder's modes decide who may "
        "read and write what. Learners type `join`, `status` and `leave`. Teachers type `new`, "
        "`set`, `roster`, `plan`, `rehearse`, `watch`, `doctor`, `status FOLDER` and "
        "`close`.\n\n"
        "`class join` says what the teacher sees, and between which dates. `class status` shows "
        "the deadlines and what was handed in, and `class leave` ends the sharing. `class nickname "
        "NAME` puts you in the class's table of the speed challenge, under that name only, and "
        "`class nickname -` takes you out of it.\n\n"
        "`class new` makes the folder and `class set` changes its settings (without any it lists "
        "them). `class roster` takes a file with an account on each line, and after a comma a "
        "name; a class without a roster takes everybody who joins. `class status FOLDER` shows "
        "who is in the class, and `class close` ends it.\n\n"
        "`class plan` calculates how long the day's lessons and labs take, with learners taking "
        "turns at the labs, and suggests what to shorten if that is too long. `class rehearse` "
        "makes a separate class of simulated learners to practise with. If FOLDER is a class, the "
        "rehearsal has its lessons and is in FOLDER-rehearsal. Press ^C to end it.\n\n"
        "`class watch` shows the teacher the room while it works: who wants help, which mistakes "
        "learners make, where they are, and the labs. A line that you write there appears in the "
        "learners' status bars. There you also open a step for all, give one learner more "
        "minutes, and see whose labs run and wait.\n\n"
        "In a class labs take turns on the machine's GPUs and cores. `class queue` shows whose "
        "labs run and wait, and `class queue --cancel` takes yours out.\n\n"
        "`class doctor` checks modes, owners, hand-ins, the clock, locks and space, and prints "
        "the command that fixes each finding. Its exit status is 1 if something is "
        "broken.\n\n"
        "`class collect` copies what was handed in, and lists answers that disappeared since the "
        "last time. An answer that was collected once is graded, even if a learner's file is cut "
        "or edited later. `class grade` judges every answer again and lists what does not fit. A "
        "finding does not prove that anyone cheated. `class reports` lists what learners reported "
        "as wrong in questions, from what was collected. Learners who are still in the class find "
        "their points on home. `class remark FOLDER ACCOUNT TEXT` adds a remark to them. `class "
        "export` writes the grades for Canvas or Moodle, in detail, or all answers for DataShop, "
        "in a file that you alone can read. With `--memos` it saves the learners' memos, which "
        "they hand in by checking them in lesson 4.1.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
