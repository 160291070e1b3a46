/* Markdown as HTML: the same Markdown that a page shows, for documents that are laid out by a
 * browser. Plain elements without styles; HTML in it stays the text it is. */
#include "page/internal.h"

#include <md4c.h>
#include <stdlib.h>
#include <string.h>

struct html_writer {
    struct base_text out;
    /* paragraphs are not marked */
    bool inline_only;
};

/* ── blocks ────────────────────────────────────────────────────────────────────────────────────*/
static const char *const block_names[] = {
    [MD_BLOCK_QUOTE] = "blockquote",
    [MD_BLOCK_UL] = "ul",
    [MD_BLOCK_OL] = "ol",
    [MD_BLOCK_LI] = "li",
    [MD_BLOCK_P] = "p",
    [MD_BLOCK_TABLE] = "table",
    [MD_BLOCK_THEAD] = "thead",
    [MD_BLOCK_TBODY] = "tbody",
    [MD_BLOCK_TR] = "tr",
    [MD_BLOCK_TH] = "th",
    [MD_BLOCK_TD] = "td",
};

static const char *block_name(MD_BLOCKTYPE type) {
    return (size_t)type < BASE_COUNT(block_names) ? block_names[type] : NULL;
}

static const char *align(MD_ALIGN a) {
    return a == MD_ALIGN_RIGHT    ? " style=\"text-align:right\""
           : a == MD_ALIGN_CENTER ? " style=\"text-align:center\""
                                  : "";
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *self) {
    struct html_writer *w = self;
    const char *name = block_name(type);
    if (type == MD_BLOCK_P && w->inline_only) return 0;
    switch (type) {
    case MD_BLOCK_HR: base_text_puts(&w->out, "<hr/>\n"); break;
    case MD_BLOCK_CODE: base_text_puts(&w->out, "<pre>"); break;
    case MD_BLOCK_H:
        base_text_printf(&w->out, "<h%u>", ((MD_BLOCK_H_DETAIL *)detail)->level);
        break;
    case MD_BLOCK_OL:
        base_text_printf(&w->out, "<ol start=\"%u\">\n", ((MD_BLOCK_OL_DETAIL *)detail)->start);
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        base_text_printf(&w->out, "<%s%s>", name, align(((MD_BLOCK_TD_DETAIL *)detail)->align));
        break;
    default:
        if (name) base_text_printf(&w->out, "<%s>", name);
    }
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *self) {
    struct html_writer *w = self;
    const char *name = block_name(type);
    if (type == MD_BLOCK_P && w->inline_only) return 0;
    if (type == MD_BLOCK_CODE)
        base_text_puts(&w->out, "</pre>\n");
    else if (type == MD_BLOCK_H)
        base_text_printf(&w->out, "</h%u>\n", ((MD_BLOCK_H_DETAIL *)detail)->level);
    else if (name)
        base_text_printf(&w->out, "</%s>\n", name);
    return 0;
}

/* ── spans and text ────────────────────────────────────────────────────────────────────────────*/
static const char *const span_names[] = {
    [MD_SPAN_EM] = "em", [MD_SPAN_STRONG] = "strong", [MD_SPAN_CODE] = "code"};

static int enter_span(MD_SPANTYPE type, void *detail, void *self) {
    struct html_writer *w = self;
    (void)detail;
    if ((size_t)type < BASE_COUNT(span_names) && span_names[type])
        base_text_printf(&w->out, "<%s>", span_names[type]);
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *self) {
    struct html_writer *w = self;
    (void)detail;
    if ((size_t)type < BASE_COUNT(span_names) && span_names[type])
        base_text_printf(&w->out, "</%s>", span_names[type]);
    return 0;
}

static int text(MD_TEXTTYPE type, const MD_CHAR *s, MD_SIZE n, void *self) {
    struct html_writer *w = self;
    char *piece = base_format("%.*s", (int)n, s);
    switch (type) {
    case MD_TEXT_NULLCHAR: base_text_puts(&w->out, "\ufffd"); break;
    case MD_TEXT_BR: base_text_puts(&w->out, "<br/>\n"); break;
    case MD_TEXT_SOFTBR: base_text_puts(&w->out, "\n"); break;
    case MD_TEXT_ENTITY: base_text_puts(&w->out, piece); break;
    default: page_xml_add(&w->out, piece); break;
    }
    free(piece);
    return 0;
}

char *page_markdown_to_html(const char *markdown, bool inline_only) {
    static const MD_PARSER parser = {
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = text,
    };
    struct html_writer w = {.inline_only = inline_only};
    page_markdown_parse(markdown, &parser, &w);
    return base_text_take(&w.out);
}

char *page_escape(const char *s) {
    struct base_text out = {0};
    page_xml_add(&out, s);
    return base_text_take(&out);
}
