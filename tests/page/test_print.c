/* Printing: text, ANSI (read back by libvterm), SVG and HTML (read back by a small checker), and
 * the table of styles. */
#include "sheets.h"

#include <math.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

static const char sheet[] = "# A *title*\n\nPlain, **strong**, `code`, [term](x) & <tag> "
                            "\"quoted\" 漢字 e\u0301.\n\n- a\n\n> quote";
static const char figure[] =
    "{\"kind\":\"stack\",\"limit\":\"a100-80g\",\"bars\":[{\"label\":\"<b>\",\"training\":{"
    "\"params\":7.5e9}},"
    "{\"label\":\"all\",\"training\":{\"params\":7.5e9,\"gpus\":64,\"stage\":3}}]}";

/* A page with every role on it, a figure and Markdown. */
static struct page *full_page(bool ascii) {
    struct page *p = sheet_figure(60, ascii, figure);
    page_blank(p, 1);
    page_markdown(p, (struct page_flow){0}, sheet);
    int row = page_height(p);
    for (unsigned role = 0; role < PAGE_ROLES; role++)
        page_put(p, row, (int)role * 2, role, role % 3 ? 0 : PAGE_UNDERLINE, "x ");
    page_put(p, row + 1, 0, PAGE_PLAIN, PAGE_REVERSE, "turned  ");
    return p;
}

static void styles_are_whole(void **state) {
    (void)state;
    for (int t = 0; t < PAGE_THEMES; t++) {
        assert_true(page_theme_name((enum page_theme)t)[0] != '\0');
        for (unsigned role = 0; role < PAGE_ROLES; role++) {
            struct page_style s = page_style((enum page_theme)t, role);
            assert_in_range(s.colour + 1, 0, 256);
            assert_in_range(s.background + 1, 0, 256);
            assert_in_range(s.basic + 1, 0, 8);
            bool quiet = role == PAGE_PLAIN || role == PAGE_DIM || role >= PAGE_CATEGORY;
            assert_true(quiet || s.bare); /* what has a meaning is seen without colour */
            assert_true(quiet || s.colour >= 0 || s.attributes);
        }
        for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
            struct page_style fill = page_style((enum page_theme)t, PAGE_CATEGORY + c),
                              ink = page_style((enum page_theme)t, PAGE_INK + c);
            assert_int_equal(fill.colour, ink.colour);
            assert_int_not_equal(fill.background, fill.colour);
            /* a bar does not look like what is wrong */
            assert_int_not_equal(fill.basic, page_style((enum page_theme)t, PAGE_BAD).basic);
            struct page_style end = page_style((enum page_theme)t, PAGE_END(c));
            assert_int_equal(end.background, ink.background);
            for (unsigned d = 0; d < c; d++) {
                struct page_style edge =
                    page_style((enum page_theme)t, PAGE_EDGE + c * ACCOUNT_CATEGORIES + d);
                assert_int_equal(edge.colour, end.colour);
                assert_int_not_equal(edge.colour, edge.background);
            }
            for (unsigned d = 0; d < c; d++)
                assert_int_not_equal(fill.colour,
                                     page_style((enum page_theme)t, PAGE_CATEGORY + d).colour);
        }
    }
    static const int colours[ACCOUNT_CATEGORIES] = {32, 36, 214, 166, 175, 74, 185, 245, 103, 240};
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        assert_int_equal(page_style(PAGE_DARK, PAGE_CATEGORY + c).colour, colours[c]);
    struct page_style beyond = page_style(PAGE_DARK, 999),
                      plain = page_style(PAGE_DARK, PAGE_PLAIN);
    assert_memory_equal(&beyond, &plain, sizeof plain);
}

static void mixes_colours(void **state) {
    (void)state;
    static const struct {
        int colour;
        uint32_t rgb;
    } rows[] = {{16, 0x000000},  {231, 0xffffff}, {32, 0x0087d7}, {214, 0xffaf00},
                {232, 0x080808}, {255, 0xeeeeee}, {9, 0xff0000}};
    for (size_t i = 0; i < BASE_COUNT(rows); i++)
        assert_int_equal(page_rgb(rows[i].colour), rows[i].rgb);
}

static VTerm *play(const char *text, int rows, int columns) {
    VTerm *vt = vterm_new(rows, columns);
    vterm_set_utf8(vt, 1);
    vterm_screen_reset(vterm_obtain_screen(vt), 1);
    for (const char *s = text; *s; s++) {
        if (*s == '\n') vterm_input_write(vt, "\r", 1);
        vterm_input_write(vt, s, 1);
    }
    return vt;
}

static void check_cell(VTerm *vt, const struct page *p, int row, int column, enum page_theme t,
                       int colours) {
    const struct page_cell *c = page_cell(p, row, column);
    struct page_style s = page_style(t, c->role);
    VTermScreenCell seen;
    char text[64] = "";
    size_t n = 0;
    vterm_screen_get_cell(vterm_obtain_screen(vt), (VTermPos){row, column}, &seen);
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && seen.chars[i] && seen.chars[i] != (uint32_t)-1;
         i++)
        n += base_utf8_put(text + n, seen.chars[i]);
    if (!c->text[0] || !strcmp(c->text, " ")) return; /* a right half, or nothing to see */
    assert_string_equal(text, c->text);
    int want = colours == 256 ? s.colour : colours == 8 ? s.basic : -1;
    assert_int_equal(
        VTERM_COLOR_IS_DEFAULT_FG(&seen.fg) ? -1 : seen.fg.indexed.idx % (colours == 8 ? 8 : 256),
        want);
    if (colours == 256)
        assert_int_equal(VTERM_COLOR_IS_DEFAULT_BG(&seen.bg) ? -1 : seen.bg.indexed.idx,
                         s.background);
    /* a field: eight colours cannot shade it */
    bool shaded = colours == 8 && s.basic < 0 && s.background >= 0;
    /* a sparse fill: eight colours have no darker ground for it */
    bool turned = colours == 8 && s.attributes & PAGE_GROUND;
    unsigned attributes =
        ((colours ? s.attributes : s.bare) | c->attributes | (shaded ? s.bare : 0u)) ^
        (turned ? PAGE_REVERSE : 0u);
    assert_int_equal(seen.attrs.bold, !!(attributes & PAGE_BOLD));
    assert_int_equal(seen.attrs.italic, !!(attributes & PAGE_ITALIC));
    assert_int_equal(seen.attrs.reverse, !!(attributes & PAGE_REVERSE));
    assert_int_equal(seen.attrs.underline, !!(attributes & PAGE_UNDERLINE));
}

/* A cell that is turned round differs from one that is not, with however few colours. */
static void a_turned_cell_is_told_apart(void **state) {
    (void)state;
    static const int depths[] = {256, 8, 0};
    for (unsigned role = 0; role < PAGE_EDGE; role++)
        for (size_t i = 0; i < BASE_COUNT(depths) * PAGE_THEMES; i++) {
            struct page_style s = page_style((enum page_theme)(i % PAGE_THEMES), role);
            int colours = depths[i / PAGE_THEMES];
            unsigned plain = page_style_attributes(s, 0, colours),
                     turned = page_style_attributes(s, PAGE_REVERSE, colours);
            assert_int_equal(plain ^ turned, PAGE_REVERSE);
        }
}

static void a_terminal_shows_the_page(void **state) {
    (void)state;
    static const int depths[] = {256, 8, 0};
    for (size_t i = 0; i < BASE_COUNT(depths); i++)
        for (int t = 0; t < PAGE_THEMES; t++) {
            struct page *p = full_page(t == PAGE_LIGHT);
            char *text = page_to_ansi(p, (enum page_theme)t, depths[i]);
            VTerm *vt = play(text, page_height(p) + 1, 60);
            for (int row = 0; row < page_height(p); row++)
                for (int column = 0; column < 60; column++)
                    check_cell(vt, p, row, column, (enum page_theme)t, depths[i]);
            vterm_free(vt);
            free(text);
            page_free(p);
        }
}

/* Without the sequences ANSI is the text, and each line closes what it opened. */
static void lines_end_clean(void **state) {
    (void)state;
    struct page *p = full_page(false);
    char *ansi = page_to_ansi(p, PAGE_DARK, 256), *text = page_to_text(p);
    struct base_text stripped = {0};
    bool open = false;
    for (const char *s = ansi; *s; s++) {
        if (*s == '\033') {
            const char *end = strchr(s, 'm');
            open = end != s + 2;
            s = end;
            continue;
        }
        if (*s == '\n') assert_false(open);
        base_text_add(&stripped, s, 1);
    }
    char *plain = base_text_take(&stripped);
    size_t length = strlen("turned");
    char *end = strstr(plain, "turned");
    assert_memory_equal(plain, text, (size_t)(end - plain) + length);
    assert_string_equal(end, "turned  \n"); /* blanks that show are kept */
    free(plain);
    free(text);
    free(ansi);
    page_free(p);
}

static void says_no_more_than_it_must(void **state) {
    (void)state;
    static const struct {
        unsigned role[3];
        const char *ansi;
    } rows[] = {
        {{PAGE_PLAIN, PAGE_PLAIN, PAGE_PLAIN}, "abc\n"},
        {{PAGE_STRONG, PAGE_STRONG, PAGE_STRONG}, "\033[1mabc\033[m\n"},
        {{PAGE_STRONG, PAGE_LIMIT, PAGE_PLAIN}, "\033[1ma\033[38;5;203mb\033[mc\n"},
        {{PAGE_LIMIT, PAGE_STRONG, PAGE_DIM},
         "\033[1;38;5;203ma\033[0;1mb\033[0;38;5;245mc\033[m\n"},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct page *p = page_new(8, false);
        for (int column = 0; column < 3; column++)
            page_put(p, 0, column, rows[i].role[column], 0, (char[]){(char)('a' + column), '\0'});
        char *ansi = page_to_ansi(p, PAGE_DARK, 256);
        assert_string_equal(ansi, rows[i].ansi);
        free(ansi);
        page_free(p);
    }
}

/* A small reader of XML: tags nest, attributes are quoted, entities are known. Returns what is
 * wrong, or NULL. */
static const char *read_tag(const char **at, char stack[][16], int *depth) {
    const char *s = *at + 1;
    bool closes = *s == '/', empty = false;
    char name[16] = "";
    s += closes;
    for (size_t n = 0; isalpha((unsigned char)*s) && n < 15; s++) name[n++] = *s;
    if (!name[0]) return "a tag without a name";
    for (; *s && *s != '>'; s++) {
        if (*s == '<') return "< in a tag";
        empty = *s == '/';
        if (*s != '"') continue;
        s = strchr(s + 1, '"');
        if (!s) return "an attribute that does not end";
    }
    if (!*s) return "a tag that does not end";
    *at = s + 1;
    if (closes)
        return *depth > 0 && !strcmp(stack[--*depth], name) ? NULL
                                                            : "a tag closed that was not open";
    if (!empty) memcpy(stack[(*depth)++], name, 16);
    return *depth < 8 ? NULL : "too deep";
}

static const char *read_xml(const char *s) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    char stack[8][16];
    int depth = 0;
    while (*s) {
        const char *problem = NULL;
        if (*s == '<') {
            problem = read_tag(&s, stack, &depth);
        } else if (*s == '&') {
            bool known = false;
            for (size_t i = 0; i < BASE_COUNT(entities); i++)
                known = known || !strncmp(s, entities[i], strlen(entities[i]));
            problem = known ? NULL : "an unknown entity";
            s++;
        } else {
            if ((unsigned char)*s < ' ' && *s != '\n') problem = "a control character";
            s++;
        }
        if (problem) return problem;
    }
    return depth ? "a tag left open" : NULL;
}

static void pictures_are_well_formed(void **state) {
    (void)state;
    assert_null(read_xml("<a b=\"c\"><d/>&lt;</a>"));
    static const char *const broken[] = {"<a>", "<a></b>", "a & b", "<a b=\"c></a>",
                                         "<a",  "</a>",    "< a>"};
    for (size_t i = 0; i < BASE_COUNT(broken); i++) assert_non_null(read_xml(broken[i]));
    for (int t = 0; t < PAGE_THEMES; t++) {
        struct page *p = full_page(false);
        page_put(p, page_height(p), 0, PAGE_PLAIN, 0, "bad \ufffe\uffff\x02 <&>");
        char *svg = page_to_svg(p, (enum page_theme)t, "a <title> & more");
        const char *problem = read_xml(svg);
        if (problem) fail_msg("svg: %s", problem);
        assert_true(base_utf8_valid(svg, strlen(svg)));
        assert_non_null(strstr(svg, "<title>a &lt;title&gt; &amp; more</title>"));
        assert_null(strstr(svg, "\ufffe"));
        free(svg);
        page_free(p);
    }
}

static size_t count_of(const char *text, const char *what) {
    size_t n = 0;
    for (; (text = strstr(text, what)); text++) n++;
    return n;
}

/* A frame a group, each with its time; what stays is drawn once. */
static void films_are_well_formed(void **state) {
    (void)state;
    struct page_film film[3];
    for (int i = 0; i < 3; i++) {
        struct page *p = page_new(20, false);
        page_put(p, 0, 0, PAGE_PLAIN, 0, "it stays <&>");
        page_printf(p, 1, 0, PAGE_STRONG, "frame %d", i);
        film[i] = (struct page_film){p, i == 0 ? 100 : 450};
    }
    char *svg = page_film_to_svg(film, 3, PAGE_DARK, "a <film>");
    const char *problem = read_xml(svg);
    if (problem) fail_msg("film: %s", problem);
    static const char *const once[] = {
        "it stays &lt;&amp;&gt;",
        "<title>a &lt;film&gt;</title>",
        "k0{0.000%{visibility:visible}10.000%{visibility:hidden}}",
        "k1{0%{visibility:hidden}10.000%{visibility:visible}55.000%{visibility:hidden}}",
        "k2{0%{visibility:hidden}55.000%{visibility:visible}}",
        "#f2{animation:k2 1000ms",
        ">frame 0<",
        ">frame 2<",
        "prefers-reduced-motion",
    };
    for (size_t i = 0; i < BASE_COUNT(once); i++)
        if (count_of(svg, once[i]) != 1) fail_msg("not once: %s in\n%s", once[i], svg);
    assert_int_equal(count_of(svg, "<g class=\"f\""), 3);
    free(svg);
    for (int i = 0; i < 3; i++) page_free((struct page *)film[i].page);
}

/* Those of README, which are films too. */
static void kept_pictures_are_well_formed(void **state) {
    (void)state;
    static const char *const names[] = {"home", "figure", "wrong", "ring", "apart", "curve"};
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        struct base_message m = {0};
        size_t length;
        char *path = base_format("data/pictures/%s.svg", names[i]),
             *svg = base_file_read(path, 500000, &length, &m);
        if (!svg) fail_msg("%s", m.what);
        const char *problem = read_xml(svg);
        if (problem) fail_msg("%s: %s", path, problem);
        free(svg);
        free(path);
    }
}

static void pictures_hold_their_columns(void **state) {
    (void)state;
    struct page *p = page_new(12, false);
    page_put(p, 0, 2, PAGE_STRONG, 0, "bold");
    page_put(p, 1, 0, PAGE_CATEGORY + ACCOUNT_MOMENTS, 0, "░░░");
    page_put(p, 1, 3, PAGE_PLAIN, 0, " 漢");
    char *svg = page_to_svg(p, PAGE_DARK, NULL);
    static const char *const parts[] = {
        "viewBox=\"0 0 136 68\"",
        "<text x=\"32\" y=\"29\" textLength=\"36\" fill=\"#d4d7dd\" "
        "font-weight=\"bold\">bold</text>",
        /* the ground, in one piece */
        "<rect x=\"14\" y=\"34\" width=\"27\" height=\"20\" fill=\"#af5f00\"/>",
        "<path fill=\"#d75f00\" fill-opacity=\"0.4\" d=\"M14 34h9v20h-9zM23 34h9v20h-9zM32 "
        "34h9v20h-9z\"/>",
        "<text x=\"50\" y=\"49\" textLength=\"18\" fill=\"#d4d7dd\">漢</text>",
    };
    for (size_t i = 0; i < BASE_COUNT(parts); i++) {
        if (!strstr(svg, parts[i])) print_error("no %s in\n%s", parts[i], svg);
        assert_non_null(strstr(svg, parts[i]));
    }
    free(svg);
    page_free(p);
}

static void an_empty_page_prints(void **state) {
    (void)state;
    struct page *p = page_new(5, false);
    char *text = page_to_text(p), *ansi = page_to_ansi(p, PAGE_DARK, 256),
         *svg = page_to_svg(p, PAGE_DARK, "");
    assert_string_equal(text, "");
    assert_string_equal(ansi, "");
    assert_null(read_xml(svg));
    free(svg);
    free(ansi);
    free(text);
    page_free(p);
}

/* The share of a cell that a fill covers. */
static const double covered[ACCOUNT_CATEGORIES] = {
    [ACCOUNT_PARAMS] = 1,       [ACCOUNT_GRADS] = 0.75,       [ACCOUNT_MASTER] = 0.5,
    [ACCOUNT_MOMENTS] = 0.25,   [ACCOUNT_ACTIVATIONS] = 0.15, [ACCOUNT_GATHER] = 0.35,
    [ACCOUNT_REDUCE] = 0.5,     [ACCOUNT_WORKSPACE] = 0.05,   [ACCOUNT_STAGING] = 0.2,
    [ACCOUNT_FRAMEWORK] = 0.05,
};

/* How far what is seen of a category's fill is from a colour, in steps of 256. */
static double seen_apart(enum page_theme t, unsigned c, uint32_t from) {
    struct page_style s = page_style(t, PAGE_CATEGORY + c);
    double sum = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        double fill = page_rgb(s.colour) >> shift & 255,
               ground = page_rgb(s.background) >> shift & 255,
               seen = ground + covered[c] * (fill - ground), apart = seen - (from >> shift & 255);
        sum += apart * apart;
    }
    return sqrt(sum);
}

/* The end of a bar within a cell, and a legend, have the colour that its fill is seen in; that of
 * another category is further off, but for the two greys, which are told by their fills. */
static void a_category_keeps_its_colour(void **state) {
    (void)state;
    for (enum page_theme t = 0; t < PAGE_THEMES; t++)
        for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
            double own = seen_apart(t, c, page_rgb(page_style(t, PAGE_INK + c).colour));
            if (own > 100)
                fail_msg("%s, %s: %.0f", page_theme_name(t), account_category_name(c), own);
            for (unsigned other = 0; other < ACCOUNT_WORKSPACE; other++) {
                double apart = seen_apart(t, c, page_rgb(page_style(t, PAGE_INK + other).colour));
                if (other != c && apart <= own)
                    fail_msg("%s: %s is seen as %s", page_theme_name(t), account_category_name(c),
                             account_category_name(other));
            }
        }
}

/* The luminance of a colour, as WCAG 2 defines it. */
static double luminance(uint32_t rgb) {
    static const double weight[] = {0.0722, 0.7152, 0.2126};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double part = (rgb >> 8 * i & 255) / 255.0;
        sum += weight[i] * (part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

/* Digits and words in a category's colour have at least 4 to 1 against the page, which is white in
 * the light theme and black in the others. */
static void names_can_be_read(void **state) {
    (void)state;
    for (enum page_theme t = 0; t < PAGE_THEMES; t++)
        for (unsigned c = 0; c < ACCOUNT_WORKSPACE; c++) {
            double name = luminance(page_rgb(page_style(t, PAGE_NAME + c).colour)) + 0.05,
                   page = t == PAGE_LIGHT ? 1.05 : 0.05;
            double contrast = name > page ? name / page : page / name;
            if (contrast < 4)
                fail_msg("%s, %s: %.1f", page_theme_name(t), account_category_name(c), contrast);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_category_keeps_its_colour),
        cmocka_unit_test(names_can_be_read),
        cmocka_unit_test(styles_are_whole),
        cmocka_unit_test(mixes_colours),
        cmocka_unit_test(a_turned_cell_is_told_apart),
        cmocka_unit_test(a_terminal_shows_the_page),
        cmocka_unit_test(lines_end_clean),
        cmocka_unit_test(says_no_more_than_it_must),
        cmocka_unit_test(pictures_are_well_formed),
        cmocka_unit_test(films_are_well_formed),
        cmocka_unit_test(kept_pictures_are_well_formed),
        cmocka_unit_test(pictures_hold_their_columns),
        cmocka_unit_test(an_empty_page_prints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
