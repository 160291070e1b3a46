/* Markdown as far as a memo needs it: headings, paragraphs, items, tables; comments are passed over. */
#include "memo.h"

#include <ctype.h>
#include <string.h>

struct layout {
    struct memo *m;
    const char *text, *end;
    enum study_memo_section section;
    struct memo_range heading;
    struct memo_range outer; /* that of before "Under stage 3:", which stands over one list only */
    enum { NO_LEAD, LEAD, LEAD_LISTED } lead;
    size_t first;               /* token at which the open block began */
    bool table;                 /* the line before was one of a table */
    struct memo_range head[32]; /* its first row */
    size_t columns;
    struct item {
        long indent; /* LEADS_IN: of words before a list */
        size_t block;
    } item[8]; /* those the open block is indented under, and itself if it is one */
    size_t items;
    size_t parent; /* of the open block */
};

enum { LEADS_IN = -1, NO_ITEM = -2 };

/* A block begins that is indented so far: the items before it that are not over it are left. */
static void leave_items(struct layout *l, long indent) {
    while (l->items && l->item[l->items - 1].indent >= indent) l->items--;
    l->parent = l->items ? l->item[l->items - 1].block + 1 : 0;
}

static void open_item(struct layout *l, long indent) {
    leave_items(l, indent);
    if (l->items < BASE_COUNT(l->item)) l->item[l->items++] = (struct item){indent, l->m->blocks};
}

static const char *skip_blanks(const char *s, const char *end) {
    while (s < end && (*s == ' ' || *s == '\t' || *s == '\r' || *s == '>')) s++;
    return s;
}

static struct memo_block *add_block(struct layout *l, struct memo_range tokens) {
    struct memo *m = l->m;
    if (m->blocks == m->block_room) {
        m->block_room = m->block_room ? 2 * m->block_room : 64;
        m->block = base_grow(m->block, m->block_room, sizeof *m->block);
    }
    m->block[m->blocks] = (struct memo_block){.tokens = tokens,
                                              .section = l->section,
                                              .heading = l->heading,
                                              .parent = l->parent <= m->blocks ? l->parent : 0};
    return &m->block[m->blocks++];
}

static void close_block(struct layout *l, int line) {
    struct memo_text *t = &l->m->text;
    struct memo_range r = {l->first, 0};
    memo_fold_words(t, l->first);
    r.end = t->tokens;
    if (r.end > r.first) {
        if (memo_is_mark(t, r.end - 1, ':') && !l->items) open_item(l, LEADS_IN);
        add_block(l, r);
        memo_text_end(t, MEMO_BLOCK, line);
    }
    l->first = t->tokens;
}

/* ── headings ────────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *phrase;
    enum study_memo_section section;
} headings[] = {
    {"first hour",      STUDY_MEMO_FIRST_HOUR},
    {"what to measure", STUDY_MEMO_FIRST_HOUR},
    {"measure",         STUDY_MEMO_FIRST_HOUR},
    {"measurement",     STUDY_MEMO_FIRST_HOUR},
    {"validation",      STUDY_MEMO_FIRST_HOUR},
    {"baseline",        STUDY_MEMO_FIRST_HOUR},
    {"alternative",     STUDY_MEMO_REJECTED  },
    {"rejected",        STUDY_MEMO_REJECTED  },
    {"considered",      STUDY_MEMO_REJECTED  },
    {"why not",         STUDY_MEMO_REJECTED  },
    {"risk",            STUDY_MEMO_RISKS     },
    {"fallback",        STUDY_MEMO_RISKS     },
    {"plan b",          STUDY_MEMO_RISKS     },
    {"communication",   STUDY_MEMO_TIME      },
    {"traffic",         STUDY_MEMO_TIME      },
    {"step time",       STUDY_MEMO_TIME      },
    {"throughput",      STUDY_MEMO_TIME      },
    {"speed",           STUDY_MEMO_TIME      },
    {"time",            STUDY_MEMO_TIME      },
    {"network",         STUDY_MEMO_TIME      },
    {"memory",          STUDY_MEMO_MEMORY    },
    {"ledger",          STUDY_MEMO_MEMORY    },
    {"footprint",       STUDY_MEMO_MEMORY    },
    {"decision",        STUDY_MEMO_DECISION  },
    {"recommendation",  STUDY_MEMO_DECISION  },
    {"proposal",        STUDY_MEMO_DECISION  },
    {"summary",         STUDY_MEMO_DECISION  },
    {"bottom line",     STUDY_MEMO_DECISION  },
    {"choice",          STUDY_MEMO_DECISION  },
};

static enum study_memo_section section_of(const struct memo_text *t, struct memo_range r) {
    for (size_t k = 0; k < BASE_COUNT(headings); k++)
        for (size_t i = r.first; i < r.end; i++)
            if (memo_is_phrase(t, i, headings[k].phrase)) return headings[k].section;
    return STUDY_MEMO_SECTIONS;
}

/* "======", "------" and nothing else */
static bool is_underline(const char *s, const char *end) {
    enum { LEAST = 3 };
    const char *at = s;
    while (at < end && *at == *s && (*s == '=' || *s == '-')) at++;
    const char *rest = at;
    while (rest < end && isspace((unsigned char)*rest)) rest++;
    return at - s >= LEAST && rest == end;
}

/* "MEMORY" over "======": short, and at least half of it is underlined. */
static bool is_underlined(const struct layout *l, const char *s, const char *end) {
    enum { LONGEST = 80 };
    if (end >= l->end || end - s > LONGEST || l->first != l->m->text.tokens) return false;
    const char *next = end + 1, *stop = memchr(next, '\n', (size_t)(l->end - next));
    if (!stop) stop = l->end;
    return stop > next && is_underline(next, stop) && 2 * (stop - next) >= end - s;
}

/* "## Memory", "**Memory**", "Memory:" on a line of its own. Where the words begin, or NULL. */
static const char *heading_at(const char *s, const char *end, int *level) {
    const char *last = end;
    while (last > s && isspace((unsigned char)last[-1])) last--;
    *level = 0;
    while (s + *level < end && s[*level] == '#') ++*level;
    if (*level) return s + *level;
    bool bold = last - s > 4 && strncmp(s, "**", 2) == 0 &&
                (strncmp(last - 2, "**", 2) == 0 || strncmp(last - 3, "**:", 3) == 0) &&
                last - s < 80;
    bool colon = last - s > 2 && last - s < 40 && last[-1] == ':' && isupper((unsigned char)*s);
    *level = bold || colon ? 6 : 0;
    return *level ? s : NULL;
}

static void open_section(struct layout *l, enum study_memo_section s, int line) {
    l->section = s;
    if (!l->m->has_section[s]) l->m->section_line[s] = line;
    l->m->has_section[s] = true;
}

static bool read_heading(struct layout *l, const char *s, const char *end, int line) {
    int level;
    const char *words = heading_at(s, end, &level);
    if (!words && is_underlined(l, s, end)) words = s, level = end[1] == '=' ? 1 : 2;
    if (!words) return false;
    close_block(l, line);
    leave_items(l, NO_ITEM);
    memo_text_add(&l->m->text, (size_t)(words - l->text), (size_t)(end - l->text), line);
    struct memo_range r = {l->first, l->m->text.tokens};
    enum study_memo_section section = section_of(&l->m->text, r);
    if (section < STUDY_MEMO_SECTIONS)
        open_section(l, section, line);
    else if (level <= 2)
        l->section = STUDY_MEMO_SECTIONS;
    close_block(l, line);
    bool leads = level == 6 && *words != '*' && section == STUDY_MEMO_SECTIONS;
    if (leads && l->lead == NO_LEAD) l->outer = l->heading;
    l->lead = leads ? LEAD : NO_LEAD;
    l->heading = (struct memo_range){r.first, l->first};
    if (l->m->blocks) l->m->block[l->m->blocks - 1].is_heading = true;
    return true;
}

/* ── tables ──────────────────────────────────────────────────────────────────────────────────────*/
static bool is_rule(const char *s, const char *end) {
    if (is_underline(s, end)) return true;
    for (; s < end; s++)
        if (!strchr("|-: \t\r", *s)) return false;
    return true;
}

static const char *cell_end(const char *s, const char *end) {
    while (s < end && (*s != '|' || s[-1] == '\\')) s++;
    return s;
}

static void put_cell(struct layout *l, struct memo_range r, size_t column, struct memo_range row) {
    struct memo_block *b = add_block(l, r);
    b->cell = true;
    if (!l->table) return;
    b->row = column ? row : r;
    if (column < l->columns) b->column = l->head[column];
}

/* "| stage | … |" over "| 2 | … |" */
static void mark_stage(struct layout *l, struct memo_range row) {
    struct memo_text *t = &l->m->text;
    bool one = row.end == row.first + 1 && t->token[row.first].kind == MEMO_NUMBER;
    for (size_t i = l->head[0].first; one && i < l->head[0].end; i++)
        if (memo_is_phrase(t, i, "stage") || memo_is_phrase(t, i, "zero"))
            t->token[row.first].is_stage = true;
}

static void read_row(struct layout *l, const char *s, const char *end, int line) {
    struct memo_range row =
                          {
                              0, 0
    },
                      head[BASE_COUNT(l->head)] = {{0, 0}};
    size_t column = 0;
    for (s++; s < end && column < BASE_COUNT(head); column++) {
        const char *next = cell_end(s, end);
        if (next == end && skip_blanks(s, end) == end) break;
        memo_text_add(&l->m->text, (size_t)(s - l->text), (size_t)(next - l->text), line);
        memo_fold_words(&l->m->text, l->first);
        struct memo_range r = {l->first, l->m->text.tokens};
        if (column == 0) row = r;
        head[column] = r;
        put_cell(l, r, column, row);
        memo_text_end(&l->m->text, MEMO_BLOCK, line);
        l->first = l->m->text.tokens;
        s = next + 1;
    }
    if (l->table) mark_stage(l, row);
    if (!l->table) memcpy(l->head, head, sizeof head);
    if (!l->table) l->columns = column;
    l->table = true;
}

/* ── lines ───────────────────────────────────────────────────────────────────────────────────────*/
static bool begins(const char *s, const char *end, const char *word) {
    while (s < end && strchr("*_#- ", *s)) s++;
    size_t n = strlen(word);
    if ((size_t)(end - s) <= n || strncasecmp(s, word, n) != 0) return false;
    s += n;
    while (s < end && strchr("* ", *s)) s++;
    return s < end && *s == ':';
}

static bool read_scenario(const char *s, const char *end, struct study_scenario *out,
                          struct base_message *why) {
    while (s < end && strchr("*_#- ", *s)) s++;
    s = memchr(s, ':', (size_t)(end - s));
    char *clean = base_clean_dup(s + 1, (size_t)(end - s - 1), 4000);
    for (char *c = clean; *c; c++)
        if (*c == '*' && c[1] == '*') *c = c[1] = ' ';
    bool well = study_scenario_read(clean, out, why);
    free(clean);
    return well;
}

static bool is_same(const struct study_scenario *a, const struct study_scenario *b) {
    struct base_text x = {0}, y = {0};
    study_scenario_write(a, &x);
    study_scenario_write(b, &y);
    bool same = strcmp(x.s, y.s) == 0;
    base_text_free(&x);
    base_text_free(&y);
    return same;
}

/* What is no scenario after the first one is a sentence that begins with the word: false, and it is judged like the others. */
static bool take_another(struct layout *l, const char *s, const char *end, int line) {
    struct study_memo_report *r = l->m->report;
    struct study_scenario other;
    if (!r->has_scenario) return true;
    if (!read_scenario(s, end, &other, &(struct base_message){0})) return false;
    if (is_same(&r->scenario, &other)) return true;
    struct study_memo_finding *f =
        memo_find(l->m, STUDY_MEMO_CONTRADICTORY, SIZE_MAX, (struct memo_range){0, 0});
    f->line = line;
    memo_say(f, "line %d names another scenario, and all figures are held against that one",
             r->scenario_line);
    return true;
}

static bool take_scenario(struct layout *l, const char *s, const char *end, int line) {
    struct study_memo_report *r = l->m->report;
    struct base_message why = {0};
    if (r->scenario_line) return take_another(l, s, end, line);
    r->scenario_line = line;
    r->has_scenario = read_scenario(s, end, &r->scenario, &why);
    if (r->has_scenario) return true;
    struct study_memo_finding *f =
        memo_find(l->m, STUDY_MEMO_MISSING, SIZE_MAX, (struct memo_range){0, 0});
    f->line = line;
    memo_say(f, "%s", why.what);
    return true;
}

static void take_recipe(struct layout *l, const char *s, const char *end, int line) {
    struct account_row rows[16];
    uint8_t recipe;
    char list[200], *clean = base_clean_dup(s, (size_t)(end - s), 200), *name = strchr(clean, ':');
    for (char *c = name; c && *c; c++) *c = (char)tolower((unsigned char)*c);
    if (name && memo_recipe_named(name, &recipe)) {
        account_recipes_list(rows, BASE_COUNT(rows));
        l->m->report->scenario.recipe = rows[recipe].name;
        l->m->report->scenario.training.recipe = recipe;
        l->m->has_recipe = true;
    } else {
        struct study_memo_finding *f =
            memo_find(l->m, STUDY_MEMO_WRONG, SIZE_MAX, (struct memo_range){0, 0});
        f->line = line;
        memo_say(f,
                 "no recipe of that name is known, so nothing can be counted by it. There are: %s",
                 memo_recipe_list(list, sizeof list));
    }
    free(clean);
}

/* "- ", "* ", "12. " or nothing: where the words of the line begin. */
static const char *skip_bullet(const char *s, const char *end, bool *is_item) {
    const char *at = s;
    while (at < end && isdigit((unsigned char)*at) && at - s < 3) at++;
    bool number = at > s && at < end && (*at == '.' || *at == ')');
    bool sign = at == s && at < end && strchr("-*+", *at);
    *is_item = (number || sign) && at + 1 < end && at[1] == ' ';
    return *is_item ? at + 1 : s;
}

static void open_paragraph(struct layout *l, long indent) {
    leave_items(l, indent ? indent : NO_ITEM);
    if (l->lead != LEAD_LISTED || indent) return;
    l->heading = l->outer;
    l->lead = NO_LEAD;
}

/* "weights ...... 26 GB", "weights     26 GB": a line of a list without bullets. */
static bool has_leader(const char *s, const char *end) {
    enum { LEAST = 3 };
    for (const char *at = s; at + LEAST < end; at++) {
        size_t n = 0, dots = 0;
        while (at + n < end && (at[n] == '.' || at[n] == ' ')) dots += at[n++] == '.';
        bool leads = n >= LEAST && (dots == 0 || dots >= LEAST);
        if (leads && at > s && at + n < end && isdigit((unsigned char)at[n])) return true;
        at += n;
    }
    return false;
}

static void read_line(struct layout *l, const char *s, const char *end, int line, bool recipes) {
    const char *from = skip_blanks(s, end);
    bool item;
    bool recipe = begins(from, end, "recipe");
    if (recipes) {
        if (recipe) take_recipe(l, from, end, line);
        return;
    }
    bool scenario = begins(from, end, "scenario") && take_scenario(l, from, end, line);
    bool rule = from < end && is_rule(from, end);
    bool row = from < end && *from == '|';
    if (!row) l->table = false;
    if (from == end || rule || scenario || recipe || row) close_block(l, line);
    if (from == end || rule || scenario || recipe) return;
    if (row) {
        leave_items(l, NO_ITEM);
        read_row(l, from, end, line);
        return;
    }
    long indent = from - s;
    from = skip_bullet(from, end, &item);
    if (item) close_block(l, line);
    if (item) open_item(l, indent);
    if (item && l->lead == LEAD) l->lead = LEAD_LISTED;
    bool leader = !item && has_leader(from, end);
    if (leader) close_block(l, line);
    if (!item && read_heading(l, from, end, line)) return;
    if (!item && l->first == l->m->text.tokens) open_paragraph(l, indent);
    memo_text_add(&l->m->text, (size_t)(from - l->text), (size_t)(end - l->text), line);
    if (leader) close_block(l, line);
}

static void read_lines(struct layout *l, size_t length, bool recipes) {
    const char *s = l->text, *end = l->text + length;
    int line = 1;
    for (; s < end; line++) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        if (!stop) stop = end;
        read_line(l, s, stop, line, recipes);
        s = stop < end ? stop + 1 : end;
    }
    if (!recipes) close_block(l, line);
}

void memo_read_blocks(struct memo *m, const char *text, size_t length) {
    struct layout l = {.m = m, .text = text, .end = text + length, .section = STUDY_MEMO_SECTIONS};
    read_lines(&l, length, false);
    read_lines(&l, length, true);
}
