/* What the words around a figure make of it: conditions, verbs that repeat their subject, hedges near a second value, what a sentence before
 * supposes. */
#include "study/memo_sentences.h"

static const struct memo_sentence sentences[] = {
  /* a micro-batch of so many */
    {"With a micro-batch of 2 the peak is 83.1 GB.",                               "83.1 GB",     STUDY_MEMO_RIGHT,       "the peak"       },
    {"With a micro-batch of 2 the peak is 67.0 GB too.",                           "67.0 GB",     STUDY_MEMO_WRONG,       "83.12 GB"       },
    {"A micro-batch size of 2 peaks at 83.1 GB.",                                  "83.1 GB",     STUDY_MEMO_RIGHT,       "the peak"       },
    {"A micro-batch sends 45.5 GB.",                                               "45.5 GB",     STUDY_MEMO_RIGHT,       "sends"          },
 /* of two values, the lower one nearly in the other's GiB */
    {"Stage 3's peak is around 44.3 GB.",                                          "44.3 GB",     STUDY_MEMO_RIGHT,       "stage 3"        },
    {"Stage 3's peak is less than 45 GB.",                                         "45 GB",       STUDY_MEMO_RIGHT,       "stage 3"        },
    {"The peak is about 62.4 GB.",                                                 "62.4 GB",     STUDY_MEMO_UNIT,        "GiB"            },
 /* a verb that repeats its subject */
    {"Activations peak at 16.1 GB.",                                               "16.1 GB",     STUDY_MEMO_RIGHT,       "activations"    },
    {"Activations peak at 67.0 GB.",                                               "67.0 GB",     STUDY_MEMO_WRONG,       "activations"    },
    {"With activations the peak is 67.0 GB.",                                      "67.0 GB",     STUDY_MEMO_RIGHT,       "the peak"       },
    {"The reduce-scatter sends 22.75 GB.",                                         "22.75 GB",    STUDY_MEMO_RIGHT,       "reduce-scatters"},
    {"The reduce-scatter sends 45.5 GB.",                                          "45.5 GB",     STUDY_MEMO_WRONG,       "22.75 GB"       },
    {"The all-gather moves 22.75 GB.",                                             "22.75 GB",    STUDY_MEMO_RIGHT,       "all-gathers"    },
    {"The all-gather moves 45.5 GB.",                                              "45.5 GB",     STUDY_MEMO_WRONG,       "22.75 GB"       },
    {"Each rank sends 45.5 GB.",                                                   "45.5 GB",     STUDY_MEMO_RIGHT,       "sends"          },
 /* what stays, and what does not hide */
    {"The peak is 67.0 GB, so of the 85.9 GB usable 18.9 GB stay free.",           "18.9 GB",
     STUDY_MEMO_RIGHT,                                                                                                    "to spare"       },
    {"The peak is 67.0 GB, so of the 85.9 GB usable 8.9 GB stay free.",            "8.9 GB",      STUDY_MEMO_WRONG,
     "to spare"                                                                                                                            },
    {"45.5 GB a step take 191 ms, 98 ms of which computation can't hide.",         "98 ms",
     STUDY_MEMO_RIGHT,                                                                                                    "exposed"        },
    {"45.5 GB a step take 191 ms, 150 ms of which computation cannot hide.",       "150 ms",
     STUDY_MEMO_WRONG,                                                                                                    "exposed"        },
 /* what is left and what is over, as shares and as bytes */
    {"That leaves 22 % of the card free.",                                         "22 %",        STUDY_MEMO_RIGHT,       "to spare"       },
    {"That leaves 40 % of the card free.",                                         "40 %",        STUDY_MEMO_WRONG,       "to spare"       },
    {"22 % of the card stays free.",                                               "22 %",        STUDY_MEMO_RIGHT,       "to spare"       },
    {"The peak is 78 % of the card, which leaves room.",                           "78 %",        STUDY_MEMO_RIGHT,       "the peak"       },
    {"ZeRO-1 does not fit by 3.9 GB.",                                             "3.9 GB",      STUDY_MEMO_ROUNDED,     "over"           },
    {"ZeRO-1 does not fit by 9.9 GB.",                                             "9.9 GB",      STUDY_MEMO_WRONG,       "over"           },
 /* a fraction of what is not divided yet */
    {"An eighth of the optimizer's 156 GB is 19.5 GB.",                            "156 GB",      STUDY_MEMO_RIGHT,       "optimizer"      },
    {"An eighth of the optimizer's 166 GB is 19.5 GB.",                            "166 GB",      STUDY_MEMO_WRONG,       "optimizer"      },
    {"Half of the states and 156 GB of optimizer states stay.",                    "156 GB",      STUDY_MEMO_WRONG,
     "divide by 8"                                                                                                                         },
 /* a moment is no state */
    {"The highest moment is the optimizer step with 67.0 GB.",                     "67.0 GB",     STUDY_MEMO_RIGHT,
     "the peak"                                                                                                                            },
    {"The optimizer step takes 52 ms.",                                            "52 ms",       STUDY_MEMO_WRONG,       "the update"     },
    {"The optimizer step holds 19.5 GB of optimizer states.",                      "19.5 GB",     STUDY_MEMO_RIGHT,
     "optimizer"                                                                                                                           },
    {"Under fsdp2 with reshard off the peak is 64.9 GB.",                          "64.9 GB",     STUDY_MEMO_RIGHT,       "stage 2"        },
    {"Under fsdp2 with resharding on the peak is 64.9 GB.",                        "64.9 GB",     STUDY_MEMO_WRONG,       "stage 3"        },
 /* as many tokens as the sentence says */
    {"20B tokens take 17 days.",                                                   "17 days",     STUDY_MEMO_RIGHT,       "the whole run"  },
    {"20B tokens take 17 hours.",                                                  "17 hours",    STUDY_MEMO_WRONG,       "16.9 days"      },
    {"At that rate 20e9 tokens need about 17 days.",                               "17 days",     STUDY_MEMO_RIGHT,       "the whole run"  },
    {"At that rate 300 billion tokens take 10 days.",                              "10 days",     STUDY_MEMO_WRONG,       "254 days"       },
    {"With checkpointing 20B tokens take 22 days.",                                "22 days",     STUDY_MEMO_RIGHT,       "the whole run"  },
    {"The first week of the 20B tokens is a trial of 2 days.",                     "2 days",      STUDY_MEMO_UNSUPPORTED,
     "the whole run"                                                                                                                       },
    {"Measure for 20 minutes.",                                                    "20 minutes",  STUDY_MEMO_MISSING,     ""               },
 /* parameters are counted, and the sum is of all of them */
    {"Each parameter costs 16 bytes, so 13e9 parameters need 208 GB in all.",      "208 GB",
     STUDY_MEMO_RIGHT,                                                                                                    "stage 0"        },
    {"Each parameter costs 16 bytes, so 13e9 parameters need 218 GB in all.",      "218 GB",
     STUDY_MEMO_WRONG,                                                                                                    ""               },
    {"Under stage 2 each GPU keeps 208 GB in all.",                                "208 GB",      STUDY_MEMO_WRONG,       "stage 2"        },
    {"A GPU keeps 208 GB in all.",                                                 "208 GB",      STUDY_MEMO_WRONG,       "stage 2"        },
    {"Under stage 2 a GPU keeps 208 GB in all.",                                   "208 GB",      STUDY_MEMO_WRONG,       "stage 2"        },
 /* of what the sentence before supposes */
    {"PCIe may give half of it. Then a step takes 2.3 s.",                         "2.3 s",       STUDY_MEMO_UNSUPPORTED,
     "a step"                                                                                                                              },
    {"The links may be slow. In that case the peak stays at 67.0 GB.",             "67.0 GB",     STUDY_MEMO_RIGHT,
     "the peak"                                                                                                                            },
    {"PCIe gives half of it. A step takes 2.3 s.",                                 "2.3 s",       STUDY_MEMO_WRONG,       "a step"         },
 /* a part of all that is sent; a count of steps is no subject */
    {"Half of the 45.5 GB is the reduce-scatter.",                                 "45.5 GB",     STUDY_MEMO_RIGHT,       "sends"          },
    {"Half of the 55.5 GB is the reduce-scatter.",                                 "55.5 GB",     STUDY_MEMO_UNSUPPORTED, ""               },
    {"Stage 1 reduces once a step: 45.5 GB, 0.19 s, of which 98 ms are exposed.",  "0.19 s",
     STUDY_MEMO_RIGHT,                                                                                                    ""               },
    {"Stage 1 reduces once a step: 45.5 GB, 0.9 s.",                               "0.9 s",       STUDY_MEMO_UNSUPPORTED, ""               },
 /* a width that is not there */
    {"Gradients are 3.25 GB of fp32.",                                             "3.25 GB",     STUDY_MEMO_WRONG,       "not fp32"       },
    {"Gradients are 3.25 GB of bf16.",                                             "3.25 GB",     STUDY_MEMO_RIGHT,       "gradients"      },
    {"With fp32 gradients there are 6.5 GB of fp32 gradients.",                    "6.5 GB",      STUDY_MEMO_RIGHT,
     "gradients"                                                                                                                           },
 /* a share of peak arithmetic that nothing measured */
    {"MFU is 80 %.",                                                               "80 %",        STUDY_MEMO_UNSUPPORTED, "50 %"           },
    {"MFU is 40 %.",                                                               "40 %",        STUDY_MEMO_MISSING,     ""               },
    {"We assume an MFU of 80 %.",                                                  "80 %",        STUDY_MEMO_MISSING,     ""               },
    {"MFU is not 80 %.",                                                           "80 %",        STUDY_MEMO_MISSING,     ""               },
    {"An MFU of 80 % is out of reach.",                                            "80 %",        STUDY_MEMO_MISSING,     ""               },
    {"MFU is 80 % of stage 3's.",                                                  "80 %",        STUDY_MEMO_MISSING,     ""               },
 /* what checkpointing costs */
    {"Full checkpointing costs only 10 % more time.",                              "10 %",        STUDY_MEMO_WRONG,       "1.3 times"      },
    {"Full checkpointing costs 30 % more time.",                                   "30 %",        STUDY_MEMO_RIGHT,       "a step"         },
    {"Full checkpointing costs 33 % more time.",                                   "33 %",        STUDY_MEMO_RIGHT,       ""               },
    {"Full checkpointing makes backward 50 % slower.",                             "50 %",        STUDY_MEMO_UNSUPPORTED, ""               },
    {"Full checkpointing with stage 3 costs 22 % more time than stage 2 without.", "22 %",
     STUDY_MEMO_UNSUPPORTED,                                                                                              ""               },
    {"With full checkpointing a sequence can be 50 % longer.",                     "50 %",        STUDY_MEMO_MISSING,     ""               },
    {"Checkpointing every second layer costs 15 % more time.",                     "15 %",        STUDY_MEMO_UNSUPPORTED, ""               },
 /* shares of the step in words */
    {"Half of the step is communication.",                                         "Half",        STUDY_MEMO_WRONG,       "15.9 %"         },
    {"A third of the step is communication.",                                      "A third",     STUDY_MEMO_WRONG,       "15.9 %"         },
    {"A quarter of the step is communication.",                                    "A quarter",   STUDY_MEMO_RIGHT,       "15.9 %"         },
    {"Two thirds of a step: 0.8 s. Half of the step is backward.",                 "Half",        STUDY_MEMO_RIGHT,
     "backward"                                                                                                                            },
    {"Less than half of the step is communication.",                               "half",        STUDY_MEMO_MISSING,     ""               },
    {"If links are slow, half of the step is communication.",                      "half",        STUDY_MEMO_MISSING,     ""               },
 /* verbs that are ratios */
    {"Stage 2 halves the states of stage 1.",                                      "halves the",  STUDY_MEMO_WRONG,       "71.5 GB"        },
    {"Stage 3 halves the states of stage 2.",                                      "halves the",  STUDY_MEMO_ROUNDED,     "26 GB"          },
    {"Stage 3 doubles the micro-batch of stage 2 at a peak of 60.2 GB.",           "doubles the",
     STUDY_MEMO_MISSING,                                                                                                  ""               },
    {"Checkpointing halves the activations.",                                      "halves the",  STUDY_MEMO_MISSING,     ""               },
};

int main(void) {
    return memo_sentences_run("study/memo_context", sentences, BASE_COUNT(sentences));
}
