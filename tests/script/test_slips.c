/* What an author gets wrong, and what the language says to it: the steps of a lesson, the line that is blamed, and the message. The
 * steps begin in line 2. Slips in what vary returns show when it is called; they blame the step. */
#include "script/opening.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static const struct slip {
    const char *steps;
    int line;
    const char *message;
} slips[] = {
  /* ids */
    {"say { 'text' }",                                                                              2, "say has no id"                                                                        },
    {"\n\nsay { 'text' }",                                                                          4, "say has no id"                                                                        },
    {"say { id = 'Two Bytes', 'text' }",                                                            2, "say 'Two Bytes': id must be made of a-z, 0-9 and -*"                                  },
    {"say { id = 7, 'text' }",                                                                      2, "say: id must be made of*"                                                             },
    {"say { id = 'a', 'text' },\nsay { id = 'a', 'text' }",                                         3,
     "the id 'a' is used twice; it was first used in line 2"                                                                                                                                  },
    {"say { id = 'a', 'text' },\ncards { id = 'c', { id = 'a', front = 'f', back = 'b' } }",        3,
     "the id 'a' is used twice; it was first used in line 2"                                                                                                                                  },
 /* fields */
    {"say { id = 'a' }",                                                                            2, "say 'a' has no text"                                                                  },
    {"say { id = 'a', '' }",                                                                        2, "say 'a': text is empty"                                                               },
    {"say { id = 'a', 7 }",                                                                         2, "say 'a': text must be a text, not a number"                                           },
    {"say { id = 'a', 'text', hint = 'h' }",                                                        2,
     "say 'a' has no field 'hint'; it may have figure, id, sources, text, title"                                                                                                              },
    {"say { id = 'a', 'text', 'more' }",                                                            2, "say 'a' has no field '2'*"                                                            },
    {"say { id = 'a', 'text', sources = 'ZeRO' }",                                                  2, "say 'a': sources must be a list"                                                      },
    {"say { id = 'a', 'text', sources = { 'x', why = 'y' } }",                                      2,
     "say 'a': sources must be a list and nothing else"                                                                                                                                       },
    {"say 'text'",                                                                                  2, "say takes a table*"                                                                   },
    {"say { id = 'a', 'text', figure = 'stack' }",                                                  2,
     "say 'a': figure must be a table with a kind*"                                                                                                                                           },
    {"say { id = 'a', 'text', figure = { kind = 'stack', bars = { { training = { params = 'many' } "
     "} } } }",                                                                                2, "engine.ledger: params: *"                                                             },
    {"say { id = 'a', 'text', figure = { kind = 'stack', draw = print or error } }",                2,
     "*is a function; only vary may be one"                                                                                                                                                   },
    {"figure { id = 'a', 'text' }",                                                                 2, "figure 'a' has no figure"                                                             },
 /* predict */
    {"predict { id = 'a', 'why?', reveal = 'r' }",                                                  2,
     "predict 'a' needs choices and answer, or a problem"                                                                                                                                     },
    {"predict { id = 'a', 'why?', choices = { 'x', 'y' }, answer = 3, reveal = 'r' }",              2,
     "predict 'a': answer is 3, but there are 2 choices"                                                                                                                                      },
    {"predict { id = 'a', 'why?', choices = { 'x' }, answer = 1, reveal = 'r' }",                   2,
     "predict 'a': choices must be a list of 2 or more"                                                                                                                                       },
    {"predict { id = 'a', 'why?', choices = { 'x', 'y' }, answer = 1 }",                            2,
     "predict 'a' has no reveal"                                                                                                                                                              },
    {"predict { id = 'a', 'why?', reveal = 'r', choices = { 'x', 'y' }, problem = { kind = "
     "'bytes', training = { params = 7e9 } } }",                                               2, "predict 'a' asks for a number or for a choice, not for both"                          },
 /* explore */
    {"explore { id = 'a', 't', training = {}, sliders = {}, figure = { kind = 'ledger', training = "
     "'explore' } }",                                                                          2, "explore 'a': sliders must be a list of 1 or more"                                     },
    {"explore { id = 'a', 't', training = {}, sliders = { { field = 'size', values = { { 1 }, { 2 "
     "} } } }, figure = { kind = 'ledger' } }",                                                2, "explore 'a': sliders?1?: field must be one of params, *"                              },
    {"explore { id = 'a', 't', training = {}, sliders = { { field = 'params', start = 3, values = "
     "{ { 1 }, { 2 } } } }, figure = { kind = 'ledger' } }",                                   2, "explore 'a': sliders?1? starts behind its last value"                                 },
    {"explore { id = 'a', 't', training = { params = 7e9 }, sliders = { { field = 'stage', values "
     "= { { 0 }, { 9 } } } }, figure = { kind = 'ledger' } }",                                 2, "engine.ledger: *stage*"                                                               },
 /* worked */
    {"worked { id = 'a', 't', problem = { kind = 'bytes', unit = 'GB' } }",                         2, "engine.solve: *"                                                                      },
    {"worked { id = 'a', 't', problem = { kind = 'weight', training = { params = 7e9 } } }",        2,
     "engine.solve: *weight*"                                                                                                                                                                 },
    {"worked { id = 'a', 't', problem = { kind = 'bytes', trainings = {} } }",                      2,
     "engine.solve: there is no field 'trainings'"                                                                                                                                            },
    {"worked { id = 'a', 't', problem = { kind = 'bytes', training = { params = 7e9, gpu = 8 }, "
     "unit = 'GB' } }",                                                                        2, "engine.solve: *8*"                                                                    },
    {"worked { id = 'a', 't', problem = { kind = 'bytes', training = { params = 7e9 }, unit = 'GB' "
     "}, notes = { weights = 'n' } }",                                                         2, "worked 'a': notes: the solution has no line 'weights', only params, *"                },
 /* problem */
    {"problem { id = 'ddp-7b', form = 'number' }",                                                  2, "problem 'ddp-7b' has no vary"                                                         },
    {"problem { id = 'a', form = 'number', vary = 7 }",                                             2, "problem 'a': vary must be a function*"                                                },
    {"problem { id = 'a', form = 'essay', vary = error }",                                          2,
     "problem 'a': form must be one of number, sheet, choice, order, sort"                                                                                                                    },
    {"problem { id = 'a', vary = error }",                                                          2, "problem 'a' has no form"                                                              },
    {"problem { id = 'a', form = 'number', vary = error, about = { 'no-such-mistake' } }",          2,
     "there is no mistake 'no-such-mistake'"                                                                                                                                                  },
    {"problem { id = 'a', form = 'number', vary = error, blank = { 'total' } }",                    2,
     "problem 'a': blank belongs to form = \"sheet\""                                                                                                                                         },
 /* what vary returns */
    {"problem { id = 'a', form = 'order', vary = function() end }",                                 2,
     "problem 'a': vary must return a table, not a nil"                                                                                                                                       },
    {"problem { id = 'a', form = 'order', vary = function() return { items = { 'x', 'y' } } end }",
     2,                                                                                                "problem 'a': vary has no ask"                                                         },
    {"problem { id = 'a', form = 'number', ask = 'q', vary = function() return {} end }",           2,
     "problem 'a': vary has no problem"                                                                                                                                                       },
    {"problem { id = 'a', form = 'number', ask = 'q', vary = function()\nlocal t = nil\nreturn t.x "
     "end }",                                                                                  4, "attempt to index a nil value (local 't')"                                             },
    {"problem { id = 'a', form = 'number', ask = 'q', vary = function()\nreturn { problem = { kind "
     "= 'bytes', training = { params = 'x' } } } end }",                                       2, "engine.solve: params: *"                                                              },
    {"problem { id = 'a', form = 'number', ask = 'on {gpu}', vary = function()\nreturn { problem = "
     "{ kind = 'bytes', training = { params = 7e9 }, unit = 'GB' } } end }",                   2, "{gpu} is asked for, but the problem does not say it"                                  },
    {"problem { id = 'a', form = 'sheet', ask = 'q', blank = { 'weights' }, vary = "
     "function()\nreturn { problem = { kind = 'bytes', training = { params = 7e9 }, unit = 'GB' } "
     "} end }",                                                                                2, "problem 'a': vary: blank: the solution has no line 'weights', only params, *"         },
    {"problem { id = 'a', form = 'choice', ask = 'q', vary = function() return { choices = { { 'x' "
     "}, { 'y' } } } end }",                                                                   2, "problem 'a': vary: 0 choices are right; it must be one"                               },
    {"problem { id = 'a', form = 'sort', ask = 'q', vary = function() return { bins = { 'x', 'y' "
     "}, items = { { 'i', bin = 3 }, { 'j', bin = 1 } } } end }",                              2, "problem 'a': vary: items?1? goes into bin 3, but there are 2"                         },
    {"problem { id = 'a', form = 'order', ask = 'q', vary = function() return { items = { 'x', 'y' "
     "}, hint = 'z' } end }",                                                                  2, "problem 'a': vary has no field 'hint'; it may have ask, because, figure, hints, items"},
 /* r */
    {"problem { id = 'a', form = 'order', ask = 'q', vary = function(r)\nr:int(6, 1) end }",        3,
     "r:int needs two whole numbers*"                                                                                                                                                         },
    {"problem { id = 'a', form = 'order', ask = 'q', vary = function(r)\nr:pick {} end }",          3,
     "r:pick needs a list that is not empty"                                                                                                                                                  },
    {"problem { id = 'a', form = 'order', ask = 'q', vary = function(r)\nr:shuffle() end }",        3,
     "r:shuffle needs a list*"                                                                                                                                                                },
    {"problem { id = 'a', form = 'order', ask = 'q', vary = function(r)\nr:chance(30) end }",       3,
     "r:chance needs a number from 0 to 1"                                                                                                                                                    },
    {"problem { id = 'a', form = 'order', ask = 'q', vary = function(r)\nr.int = nil end }",        3,
     "this table cannot be changed (int)"                                                                                                                                                     },
 /* the others */
    {"myth { id = 'a', 'claim', because = 'b' }",                                                   2, "myth 'a' has no truth"                                                                },
    {"myth { id = 'a', 'claim', truth = 'no', because = 'b' }",                                     2,
     "myth 'a': truth must be true or false"                                                                                                                                                  },
    {"say_aloud { id = 'a', 'ask', points = { 'one', 'two' } }",                                    2,
     "say_aloud 'a': points must be a list of 3 or more"                                                                                                                                      },
    {"cards { id = 'a', { id = 'b', front = 'f' } }",                                               2, "cards 'a': cards?1? has no back"                                                      },
    {"cards { id = 'a' }",                                                                          2, "cards 'a' has no cards"                                                               },
 /* the lesson */
    {"{ kind = 'say', id = 'a' }",                                                                  1,
     "the lesson's step 1 is a table; steps are made by say, problem, recap*"                                                                                                                 },
    {"'text'",                                                                                      1, "the lesson's step 1 is a string*"                                                     },
    {"",                                                                                            1, "the lesson has no steps"                                                              },
    {"say { id = 'a', 't' }, id = '1/1'",                                                           1,
     "the lesson: id must be made of letters, digits, . and -*"                                                                                                                               },
    {"say { id = 'a', 't' }, revision = 0",                                                         1,
     "the lesson: revision must be a whole number from 1 up"                                                                                                                                  },
    {"say { id = 'a', 't' }, author = 'me'",                                                        1,
     "the lesson has no field 'author'; it may have glossary, id, minutes, revision, title"                                                                                                   },
    {"say { id = 'a', 't' }, glossary = { { term = 't' } }",                                        1,
     "the lesson: glossary?1? has no means"                                                                                                                                                   },
 /* fill, and what cannot be written */
    {"say { id = 'a', fill('${gpus} GPUs', {}) }",                                                  2, "fill: ${gpus} is not in the table"                                                    },
    {"say { id = 'a', fill('${gpus} GPUs', { gpus = {} }) }",                                       2, "fill: ${gpus} is a table"                                                             },
    {"say { id = 'a', fill(7) }",                                                                   2, "fill needs a text and a table*"                                                       },
    {"say { id = 'a', 'bell \\7' }",                                                                2,
     "the lesson: steps?1?.text is text with a control character*"                                                                                                                            },
    {"say { id = 'a', '\\xff' }",                                                                   2, "the lesson: steps?1?.text is text that is not UTF-8"                                  },
    {"say { id = 'a', ('x'):rep(65537) }",                                                          2, "say 'a': text is over 64 KB"                                                          },
    {"say { id = 'a', 't', figure = { kind = 'units', limit = 0/0 } }",                             2,
     "the lesson: steps?1?.figure.limit is not a number*"                                                                                                                                     },
    {"say { id = 'a', 't', figure = { kind = 'units', limit = math.huge } }",                       2,
     "the lesson: steps?1?.figure.limit is not a number*"                                                                                                                                     },
    {"say { id = 'a', 't', figure = { kind = 'table', 'x' } }",                                     2,
     "the lesson: steps?1?.figure mixes a list with names*"                                                                                                                                   },
    {"say { id = 'a', 't', figure = { kind = 'table', rows = { 'x', nil, 'y' } } }",                2,
     "the lesson: steps?1?.figure.rows is a list with gaps*"                                                                                                                                  },
};

/* The message of the lesson, or of its first vary; the test fails if there is none. */
static void slip_of(const char *text, struct base_message *m) {
    struct script *s = script_open_text("slip.lua", text, strlen(text), NULL, m);
    if (!s) return;
    struct study_source source = script_source(s);
    json_t *value = source.call(source.self, 1, 1, m);
    if (value) fail_msg("nothing was said to it: %s", text);
    script_close(s);
}

static void is_told(void **state) {
    const struct slip *slip = *state;
    struct base_message m = {0};
    char *text =
        base_format("return lesson { id = '0.1', title = 't', minutes = 1,\n%s\n}", slip->steps);
    slip_of(text, &m);
    if (fnmatch(slip->message, m.what, 0) != 0)
        fail_msg("expected %s, came: %s", slip->message, m.what);
    if (m.line != slip->line) fail_msg("line %d was blamed for: %s", m.line, m.what);
    assert_string_equal(m.file, "slip.lua");
    free(text);
}

int main(void) {
    struct CMUnitTest tests[BASE_COUNT(slips)];
    for (size_t i = 0; i < BASE_COUNT(slips); i++)
        tests[i] = (struct CMUnitTest){slips[i].message, is_told, NULL, NULL, (void *)&slips[i]};
    return _cmocka_run_group_tests("slips of authors", tests, BASE_COUNT(tests), NULL, NULL);
}
