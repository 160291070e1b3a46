/* An empty memo, and what its sections are. */
#include "memo.h"

static const struct {
    const char *title, *asks;
} sections[STUDY_MEMO_SECTIONS] = {
    [STUDY_MEMO_DECISION] = {"Decision",
                             "The stage, checkpointing and micro-batch, in one sentence."                     },
    [STUDY_MEMO_MEMORY] =
        {"Memory",
                             "Model states per GPU by a recipe you name; the peak with activations and reserve, "
         "against usable bytes; what is to spare."                                                            },
    [STUDY_MEMO_TIME] =
        {"Communication and step time",
                             "What a rank sends in a step, over which link; the step's time, and what it is "
         "sensitive to."                                                                                      },
    [STUDY_MEMO_REJECTED] = {"Alternatives rejected",
                             "What else was considered, and the figure that rejected it."                     },
    [STUDY_MEMO_RISKS] = {"Risks and fallback",                "What could break it, and what you do then."},
    [STUDY_MEMO_FIRST_HOUR] = {"What to measure in the first hour",
                             "The first measurements, against a tuned simple baseline."                       },
};

const char *study_memo_section_title(enum study_memo_section s) {
    return s < STUDY_MEMO_SECTIONS ? sections[s].title : "";
}

const char *study_memo_section_asks(enum study_memo_section s) {
    return s < STUDY_MEMO_SECTIONS ? sections[s].asks : "";
}

void study_memo_new(const struct study_scenario *s, struct base_text *out) {
    base_text_puts(out, "# Memo\n\n");
    study_scenario_write(s, out);
    base_text_printf(out, "\n\nRecipe: %s\n", s->recipe);
    for (size_t i = 0; i < STUDY_MEMO_SECTIONS; i++)
        base_text_printf(out, "\n## %s\n\n<!-- %s -->\n", sections[i].title, sections[i].asks);
}
