/* Markdown as HTML: elements for its marks, and nothing of it read as HTML. */
#include "base/golden.h"
#include "page/page.h"

static void markdown_becomes_elements(void **state) {
    static const struct {
        const char *markdown;
        bool inline_only;
        const char *html;
    } cases[] = {
        {"a **b** *c* `d`", false, "<p>a <strong>b</strong> <em>c</em> <code>d</code></p>\n"},
        {"a **b**", true, "a <strong>b</strong>"},
        {"two\nlines", true, "two\nlines"},
        {"<b>&x</b> \"1 < 2\"", true, "&lt;b&gt;&amp;x&lt;/b&gt; &quot;1 &lt; 2&quot;"},
        {"1 &times; 2", true, "1 &times; 2"},
        {"[shown](https://example.org)", true, "shown"},
        {"- one\n- two", false, "<ul><li>one</li>\n<li>two</li>\n</ul>\n"},
        {"3. three\n4. four", false, "<ol start=\"3\">\n<li>three</li>\n<li>four</li>\n</ol>\n"},
        {"> said", false, "<blockquote><p>said</p>\n</blockquote>\n"},
        {"## Head", false, "<h2>Head</h2>\n"},
        {"```c\na < b\n```", false, "<pre>a &lt; b\n</pre>\n"},
        {"---", false, "<hr/>\n"},
        {"| a | b |\n|---|--:|\n| 1 | 2 |", false,
         "<table><thead><tr><th>a</th>\n<th style=\"text-align:right\">b</th>\n</tr>\n</thead>\n"
         "<tbody><tr><td>1</td>\n<td "
         "style=\"text-align:right\">2</td>\n</tr>\n</tbody>\n</table>\n"},
        {"", false, ""},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char *html = page_markdown_to_html(cases[i].markdown, cases[i].inline_only);
        assert_string_equal(html, cases[i].html);
        free(html);
    }
}

static void text_is_escaped(void **state) {
    char *html = page_escape("a<b & \"c\" \x01>");
    (void)state;
    assert_string_equal(html, "a&lt;b &amp; &quot;c&quot; &gt;");
    free(html);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markdown_becomes_elements),
        cmocka_unit_test(text_is_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
