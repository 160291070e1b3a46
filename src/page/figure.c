/* The table of the kinds of figures. It knows every kind; no kind calls it. */
#include "page/figure.h"

#include <string.h>

static const struct {
    const char *name;
    page_figure_kind *draw;
} kinds[] = {
    {"stack",        page_figure_stack       },
    {"ledger",       page_figure_ledger      },
    {"table",        page_figure_table       },
    {"units",        page_figure_units       },
    {"collective",   page_figure_collective  },
    {"listing",      page_figure_listing     },
    {"owners",       page_figure_owners      },
    {"flat",         page_figure_flat        },
    {"timeline",     page_figure_timeline    },
    {"tower",        page_figure_tower       },
    {"traffic",      page_figure_traffic     },
    {"roofline",     page_figure_roofline    },
    {"mesh",         page_figure_mesh        },
    {"tiers",        page_figure_tiers       },
    {"tree",         page_figure_tree        },
    {"lab-memory",   page_figure_lab_memory  },
    {"lab-traffic",  page_figure_lab_traffic },
    {"lab-timeline", page_figure_lab_timeline},
    {"lab-loss",     page_figure_lab_loss    },
    {"lab-log",      page_figure_lab_log     },
};

size_t page_figure_kinds(const char *const **names) {
    static const char *const list[] = {
        "stack", "ledger",     "table",       "units",        "collective", "listing", "owners",
        "flat",  "timeline",   "tower",       "traffic",      "roofline",   "mesh",    "tiers",
        "tree",  "lab-memory", "lab-traffic", "lab-timeline", "lab-loss",   "lab-log"};
    _Static_assert(BASE_COUNT(list) == BASE_COUNT(kinds), "every kind is listed");
    *names = list;
    return BASE_COUNT(list);
}

/* The kinds that lessons use, for messages: "stack, ledger, … or tree". */
static void list_kinds(char *out, size_t size) {
    size_t used = 0, last = 0;
    for (size_t i = 0; i < BASE_COUNT(kinds); i++)
        if (strncmp(kinds[i].name, "lab-", 4) != 0) last = i;
    for (size_t i = 0; i <= last && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s",
                                 i == 0      ? ""
                                 : i == last ? " or "
                                             : ", ",
                                 kinds[i].name);
}

bool page_figure(struct page *p, struct page_flow f, const json_t *spec, struct base_message *m) {
    char all[200];
    if (!json_is_object(spec))
        return base_fail(m, "a figure is an object with a kind, such as {\"kind\":\"units\"}");
    const char *kind = base_json_text(spec, "kind", NULL);
    list_kinds(all, sizeof all);
    if (!kind) return base_fail(m, "the figure has no kind: give it one of %s", all);
    for (size_t i = 0; i < BASE_COUNT(kinds); i++)
        if (!strcmp(kind, kinds[i].name)) return kinds[i].draw(p, page_flow_fit(p, f), spec, m);
    return base_fail(m, "there is no figure of kind \"%s\": use %s", kind, all);
}
