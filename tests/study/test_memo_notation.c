/* The ways in which people write numbers, units, ranges and changes. */
#include "study/memo_sentences.h"

static const struct memo_sentence sentences[] = {
  /* numbers */
    {"Model states are 48 750 MB.",                                                     "48 750 MB",              STUDY_MEMO_RIGHT,       "stage 2"               },
    {"Model states are 52 750 MB.",                                                     "52 750 MB",              STUDY_MEMO_WRONG,       "48.75 GB"              },
    {"Model states are 48’750 MB.",                                                   "48’750 MB",            STUDY_MEMO_RIGHT,       "stage 2"               },
    {"Model states are 48'750 MB.",                                                     "48'750 MB",              STUDY_MEMO_RIGHT,       "stage 2"               },
    {"Model states are 4.875×10^10 bytes.",                                            "4.875×10^10 bytes",     STUDY_MEMO_RIGHT,       "stage 2"               },
    {"Model states are 4.875 × 10¹⁰ B.",                                            "4.875 × 10¹⁰ B",     STUDY_MEMO_RIGHT,       "stage 2"               },
    {"Model states are 4.875·10^{10} B.",                                              "4.875·10^{10} B",       STUDY_MEMO_RIGHT,       "stage 2"               },
    {"Model states are 4.875×10^9 bytes.",                                             "4.875×10^9 bytes",      STUDY_MEMO_WRONG,       "48.75 GB"              },
    {"Model states are 48¾ GB.",                                                       "48¾ GB",                STUDY_MEMO_RIGHT,       "stage 2"               },
    {"Model states are 52½ GB.",                                                       "52½ GB",                STUDY_MEMO_WRONG,       "48.75 GB"              },
    {"Model states are 48.75 Gbyte.",                                                   "48.75 Gbyte",            STUDY_MEMO_RIGHT,       "stage 2"               },
    {"Model states are 48.75 G.",                                                       "48.75 G",                STUDY_MEMO_RIGHT,       "stage 2"               },
    {"Model states are 52.75 G.",                                                       "52.75 G",                STUDY_MEMO_WRONG,       "48.75 GB"              },
    {"Under stage 2 204.75 GB of states.",                                              "204.75 GB",              STUDY_MEMO_WRONG,       "48.75 GB"              },
    {"Model states are 52.75&nbsp;GB.",                                                 "52.75 GB",               STUDY_MEMO_WRONG,       "48.75 GB"              },
 /* formulas */
    {"Model states are $48.75$ GB.",                                                    "48.75 GB",               STUDY_MEMO_RIGHT,       "stage 2"               },
    {"Model states are $52.75\\,\\text{GB}$.",                                          "52.75 GB",               STUDY_MEMO_WRONG,       "48.75 GB"              },
    {"Model states are $4.875 \\times 10^{10}$ bytes.",                                 "4.875 × 10^{10} bytes", STUDY_MEMO_RIGHT,
     "stage 2"                                                                                                                                                    },
    {"States: $26 + \\frac{182}{8} = 48.75$ GB.",                                       "48.75 GB",               STUDY_MEMO_RIGHT,       "stage 2"               },
    {"States: $26 + \\frac{182}{8} = 58.75$ GB.",                                       "58.75 GB",               STUDY_MEMO_WRONG,       "48.75 GB"              },
    {"The peak is $\\approx 67$ GB.",                                                   "67 GB",                  STUDY_MEMO_RIGHT,       "the peak"              },
    {"That costs $240 and $300, the peak is 999 GB.",                                   "999 GB",                 STUDY_MEMO_WRONG,       "67.03 GB"              },
 /* points that part thousands */
    {"Model states are 48.750.000.000 bytes.",                                          "48.750.000.000 bytes",   STUDY_MEMO_RIGHT,       "stage 2"               },
    {"Model states are 52.750.000.000 bytes.",                                          "52.750.000.000 bytes",   STUDY_MEMO_WRONG,
     "48.75 GB"                                                                                                                                                   },
    {"Gradients 3,25 GB, weights 26,0 GB, optimizer 19,5 GB, at 13.664 tokens/s.",
     "13.664 tokens/s",                                                                                           STUDY_MEMO_RIGHT,       ""                      },
    {"Gradients 3.25 GB, weights 26.0 GB, optimizer 19.5 GB, at 13.664 tokens/s.",
     "13.664 tokens/s",                                                                                           STUDY_MEMO_UNIT,        "thousands"             },
    {"Gradients 3,25 GB, weights 26,0 GB, optimizer 19,5 GB, peak 67,028 GB.",          "67,028 GB",
     STUDY_MEMO_RIGHT,                                                                                                                    ""                      },
 /* what is not said */
    {"~~The peak is 999 GB.~~",                                                         "999 GB",                 STUDY_MEMO_MISSING,     ""                      },
    {"```\nThe peak is 999 GB.\n```",                                                   "999 GB",                 STUDY_MEMO_MISSING,     ""                      },
    {"```\nThe peak is 999 GB.",                                                        "999 GB",                 STUDY_MEMO_WRONG,       "67.03 GB"              },
    {"Not ~~ struck: the peak is 999 GB.",                                              "999 GB",                 STUDY_MEMO_WRONG,       "67.03 GB"              },
 /* tables whose unit stands in one row */
    {"| what | stage 1 |\n|---|---|\n| gradients | 26 |\n| states (GB) | 71.5 |",       "26 GB",
     STUDY_MEMO_RIGHT,                                                                                                                    "stage 1"               },
    {"| what | stage 1 |\n|---|---|\n| gradients | 3.25 |\n| states (GB) | 71.5 |",     "3.25 GB",
     STUDY_MEMO_WRONG,                                                                                                                    "26 GB"                 },
    {"| what | stage 1 |\n|---|---|\n| step time | 1.2 |\n| states (GB) | 71.5 |",      "1.2",
     STUDY_MEMO_UNSUPPORTED,                                                                                                              "in which unit"         },
    {"| what | stage 1 |\n|---|---|\n| master + Adam | 19.5 |\n| states (GB) | 71.5 |", "19.5 GB",
     STUDY_MEMO_RIGHT,                                                                                                                    "optimizer"             },
 /* ranges */
    {"The peak is between 66 and 68 GB.",                                               "66 and 68 GB",           STUDY_MEMO_RIGHT,       "the peak"              },
    {"The peak is between 54 and 55 GB.",                                               "54 and 55 GB",           STUDY_MEMO_WRONG,       "67.03 GB"              },
    {"The peak is 67 ± 1 GB.",                                                         "67 ± 1 GB",             STUDY_MEMO_RIGHT,       "the peak"              },
    {"The peak is 60 +/- 1 GB.",                                                        "60 +/- 1 GB",            STUDY_MEMO_WRONG,       "67.03 GB"              },
    {"Stage 3 peaks at 352–46 GB.",                                                   "352–46 GB",            STUDY_MEMO_UNSUPPORTED, "decides nothing"       },
    {"Stage 3 peaks at 66–60 GB.",                                                    "66–60 GB",             STUDY_MEMO_WRONG,       "46.18 GB"              },
 /* what it was before, and what it is then */
    {"The peak falls from 300 GB to 67 GB.",                                            "300 GB",                 STUDY_MEMO_UNSUPPORTED,
     "of which configuration"                                                                                                                                     },
    {"The peak falls from 300 GB to 67 GB.",                                            "67 GB",                  STUDY_MEMO_RIGHT,       "the peak"              },
    {"The peak rises from 67 to 83 GB.",                                                "83 GB",                  STUDY_MEMO_UNSUPPORTED, "of which configuration"},
    {"With micro-batch 2 the peak rises from 67 to 83.1 GB.",                           "83.1 GB",                STUDY_MEMO_RIGHT,
     "the peak"                                                                                                                                                   },
    {"With full checkpointing activations fall from 16.1 GB to 1.2 GB.",                "16.1 GB",
     STUDY_MEMO_RIGHT,                                                                                                                    "activations"           },
    {"With full checkpointing activations fall from 16.1 GB to 10 GB.",                 "10 GB",                  STUDY_MEMO_WRONG,
     "1.212 GB"                                                                                                                                                   },
    {"From stage 1 to stage 2 the peak falls from 89.8 GB to 67.0 GB.",                 "89.8 GB",                STUDY_MEMO_RIGHT,
     "stage 1"                                                                                                                                                    },
    {"From stage 1 to stage 2 the peak falls from 95 GB to 67.0 GB.",                   "95 GB",                  STUDY_MEMO_WRONG,
     "89.78 GB"                                                                                                                                                   },
    {"8-bit Adam shrinks the optimizer from 19.5 GB to 9.8 GB.",                        "9.8 GB",                 STUDY_MEMO_UNSUPPORTED,
     ""                                                                                                                                                           },
};

int main(void) {
    return memo_sentences_run("study/memo_notation", sentences, BASE_COUNT(sentences));
}
