//! HTML as plain text. Tags, scripts, styles and remote content are dropped, and nothing is interpreted. The conversion
//! takes linear time and no recursion, because the sender controls its input.

use mail_parser::decoders::html::add_html_token;

/// Maximum number of bytes of HTML that are read.
const MAX_HTML: usize = 512 * 1024;
/// Maximum length of a character reference, such as `&auml;`, in bytes.
const LONGEST_REFERENCE: usize = 32;
/// Elements that begin and end a line.
const BLOCKS: [&str; 15] =
    ["div", "p", "tr", "li", "ul", "ol", "table", "blockquote", "h1", "h2", "h3", "h4", "h5", "hr", "pre"];
/// Elements without text for a reader.
const SKIPPED: [&str; 5] = ["head", "style", "script", "template", "title"];
/// Marks in the tag of an element that contains a quoted mail.
const QUOTES: [&str; 8] = [
    "gmail_quote",
    "divrplyfwdmsg",
    "appendonsend",
    "moz-cite-prefix",
    "yahoo_quoted",
    "protonmail_quote",
    "type=\"cite\"",
    "type='cite'",
];

/// Returns the text of HTML, without a quoted mail if there is text before it.
pub(super) fn to_text(html: &str) -> String {
    let html = start_of(html);
    let own = plain(before_quote(html));
    if own.is_empty() { plain(html) } else { own }
}

/// Returns the text of HTML, with quoted mails.
pub(super) fn to_whole_text(html: &str) -> String {
    plain(start_of(html))
}

/// Returns the part of HTML that is read.
pub(super) fn start_of(html: &str) -> &str {
    let end = (0..=MAX_HTML.min(html.len())).rev().find(|end| html.is_char_boundary(*end)).unwrap_or_default();
    html.get(..end).unwrap_or(html)
}

/// Returns the HTML before the first element of a quoted mail.
fn before_quote(html: &str) -> &str {
    let mut rest = html;
    while let Some((before, tag, after)) = next_tag(rest) {
        let lower = tag.to_ascii_lowercase();
        if QUOTES.iter().any(|mark| lower.contains(mark)) {
            let start = html.len() - rest.len() + before.len();
            return html.get(..start).unwrap_or(html);
        }
        rest = after;
    }
    html
}

/// Returns the text before the next tag, the tag without its angle brackets, and the rest. A comment is a tag without a
/// name. `None` if no tag follows.
pub(super) fn next_tag(html: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let start = from + html.get(from..)?.find('<')?;
        let inside = html.get(start + 1..)?;
        let (end, length) = match inside.chars().next()? {
            '!' if inside.starts_with("!--") => (inside.find("-->")?, 3),
            'a'..='z' | 'A'..='Z' | '/' | '!' | '?' => (inside.find('>')?, 1),
            _ => {
                from = start + 1;
                continue;
            }
        };
        return Some((html.get(..start)?, inside.get(..end)?, inside.get(end + length..)?));
    }
}

fn plain(html: &str) -> String {
    let mut text = Text::default();
    let (mut rest, mut skipped): (&str, Option<String>) = (html, None);
    while let Some((before, tag, after)) = next_tag(rest) {
        if skipped.is_none() {
            text.add(before);
        }
        rest = after;
        let (is_end, name) = name_of(tag);
        if let Some(open) = skipped.take() {
            skipped = Some(open).filter(|open| !is_end || *open != name);
        } else if SKIPPED.contains(&name.as_str()) {
            skipped = Some(name).filter(|_| !is_end);
        } else if name == "br" {
            text.0.push('\n');
        } else if BLOCKS.contains(&name.as_str()) {
            text.end_line();
        }
    }
    if skipped.is_none() {
        text.add(rest);
    }
    tidy(&text.0)
}

/// Returns whether a tag ends an element, and the name of the element in lower case.
pub(super) fn name_of(tag: &str) -> (bool, String) {
    let (is_end, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
    let name = tag.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    (is_end, name.to_ascii_lowercase())
}

/// Text with collapsed spaces.
#[derive(Default)]
struct Text(String);

impl Text {
    fn add(&mut self, html: &str) {
        let mut rest = html;
        while let Some(c) = rest.chars().next() {
            let (decoded, length) = match c {
                '&' => reference(rest).unwrap_or_else(|| ("&".to_owned(), 1)),
                other => (other.to_string(), other.len_utf8()),
            };
            let is_space = c.is_whitespace();
            if !is_space {
                self.0.push_str(&decoded);
            } else if !self.0.is_empty() && !self.0.ends_with([' ', '\n']) {
                self.0.push(' ');
            }
            rest = rest.get(length..).unwrap_or_default();
        }
    }

    fn end_line(&mut self) {
        if !self.0.is_empty() && !self.0.ends_with('\n') {
            self.0.push('\n');
        }
    }
}

/// Decodes the character references in a text.
pub(super) fn decode(html: &str) -> String {
    let (mut decoded, mut rest) = (String::with_capacity(html.len()), html);
    while let Some((before, _)) = rest.split_once('&') {
        decoded.push_str(before);
        let from = rest.get(before.len()..).unwrap_or_default();
        let (text, length) = reference(from).unwrap_or_else(|| ("&".to_owned(), 1));
        decoded.push_str(&text);
        rest = from.get(length..).unwrap_or_default();
    }
    decoded + rest
}

/// Decodes the character reference at the start of `html`. Returns its text and its length.
fn reference(html: &str) -> Option<(String, usize)> {
    let bytes = html.as_bytes().get(..LONGEST_REFERENCE).unwrap_or(html.as_bytes());
    let end = bytes.iter().position(|byte| *byte == b';')?;
    let token = bytes.get(..=end).filter(|it| it.is_ascii())?;
    let mut decoded = String::new();
    add_html_token(&mut decoded, token, false);
    Some((decoded, token.len()))
}

/// Trims each line, and removes repeated empty lines.
fn tidy(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim) {
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_text_of_html() {
        let html = "<html><head><title>x</title><style>p { color: red }</style></head>\n<body><p>Hello\n <b>Ada</b>,</p>\
                    <div class=\"a\">one &amp; two<br/>three</div><ul>\n<li>a</li> <li>b</li></ul></body></html>";
        assert_eq!(to_text(html), "Hello Ada,\none & two\nthree\na\nb");
        assert_eq!(to_text("<p>a</p><br><br><br><p>b</p>"), "a\n\nb");
        assert_eq!(to_text("1 &lt; 2 &#228; &unknown; & &;"), "1 < 2 ä &unknown; & &;");
    }

    #[test]
    fn drops_scripts_comments_and_trackers() {
        let html = "Hi <!-- <b>no</b> --><img src=\"https://example.com/t.gif\"><script type=\"x\" src=x>evil('<p>')\
                    </script><STYLE media=x>evil</STYLE><a href=\"javascript:evil()\">link</a>";
        assert_eq!(to_text(html), "Hi link");
    }

    #[test]
    fn cuts_a_quoted_mail() {
        for quote in [
            "<div class=\"gmail_quote\">On Monday Ada wrote:<blockquote>old</blockquote></div>",
            "<blockquote type=\"cite\">old</blockquote>",
            "<div id=\"divRplyFwdMsg\"><b>From:</b> old</div>",
            "<div id=\"appendonsend\"></div>old",
        ] {
            assert_eq!(to_text(&format!("<div>New</div>{quote}")), "New", "{quote}");
            assert!(to_text(quote).contains("old"), "a mail with only a quote keeps it: {quote}");
        }
    }

    #[test]
    fn is_bounded_and_survives_broken_html() {
        assert_eq!(to_text(&"<div>".repeat(100_000)), "");
        assert_eq!(to_text(&"a".repeat(MAX_HTML + 1)).len(), MAX_HTML);
        assert_eq!(to_text("a < b"), "a < b");
        assert_eq!(to_text("ä<ö>ü"), "ä<ö>ü");
        assert_eq!(to_text("a<script>never closed"), "a");
        assert_eq!(to_text("a<!-- never closed"), "a<!-- never closed");
        for broken in ["<", "<div", "&#xffffffff;", "&#x;", "&"] {
            assert!(!to_text(broken).is_empty(), "{broken}");
        }
        assert_eq!(to_text(&"<".repeat(300_000)).len(), 300_000);
    }
}
