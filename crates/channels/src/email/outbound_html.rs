//! The text of a mail as HTML. Mail programs that show HTML then show links and wrap lines.

/// Starts of texts that become links.
const LINKS: [&str; 2] = ["https://", "http://"];

/// Returns a text as an HTML document. It contains no other tags than those that this function writes.
pub(super) fn to_html(text: &str) -> String {
    let mut html =
        String::from("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"></head><body>\n<div dir=\"auto\">");
    for (number, line) in text.trim_end().lines().enumerate() {
        if number > 0 {
            html.push_str("<br>\n");
        }
        add_line(&mut html, line);
    }
    html.push_str("</div>\n</body></html>\n");
    html
}

fn add_line(html: &mut String, line: &str) {
    let mut rest = line;
    while let Some(start) = LINKS.iter().filter_map(|link| rest.find(link)).min() {
        let (before, from) = rest.split_at(start);
        let (link, after) = from.split_at(link_length(from));
        escape(html, before);
        if LINKS.contains(&link) {
            // No host follows.
            escape(html, link);
        } else {
            html.push_str("<a href=\"");
            escape(html, link);
            html.push_str("\">");
            escape(html, link);
            html.push_str("</a>");
        }
        rest = after;
    }
    escape(html, rest);
}

/// Returns the length of the link at the start of a text, without the punctuation of the sentence around it.
fn link_length(text: &str) -> usize {
    let is_outside = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"');
    let link = text.split(is_outside).next().unwrap_or_default();
    let shown = link.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', ')', ']']);
    let is_closed = link.get(shown.len()..).is_some_and(|rest| rest.starts_with(')')) && shown.contains('(');
    let shown = if is_closed { shown.len() + 1 } else { shown.len() };
    // A link without a host ends with its scheme.
    LINKS.iter().filter(|scheme| text.starts_with(**scheme)).map(|scheme| scheme.len()).fold(shown, usize::max)
}

/// Adds a text. Repeated spaces stay visible.
fn escape(html: &mut String, text: &str) {
    let mut was_space = false;
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            ' ' | '\t' if was_space => html.push_str("&nbsp;"),
            other => html.push(other),
        }
        was_space = matches!(c, ' ' | '\t');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> String {
        let html = to_html(text);
        let start = html.split_once("<div dir=\"auto\">").unwrap().1;
        start.strip_suffix("</div>\n</body></html>\n").unwrap().to_owned()
    }

    #[test]
    fn writes_lines_and_spaces() {
        assert_eq!(
            body("Hello Zoë\n\n- Tea\n- Kakao   ☕\n"),
            "Hello Zoë<br>\n<br>\n- Tea<br>\n- Kakao &nbsp;&nbsp;☕"
        );
        assert_eq!(body(""), "");
        assert_eq!(body("a\r\nb"), "a<br>\nb");
    }

    #[test]
    fn a_text_contains_no_tags() {
        let text = "<script>evil()</script> & \"<img src=x onerror=evil()>\"";
        let expected = "&lt;script&gt;evil()&lt;/script&gt; &amp; &quot;&lt;img src=x onerror=evil()&gt;&quot;";
        assert_eq!(body(text), expected);
        let link = "https://a.example/?q=\"onclick=evil()";
        let expected = "<a href=\"https://a.example/?q=\">https://a.example/?q=</a>&quot;onclick=evil()";
        assert_eq!(body(link), expected);
        assert_eq!(body("javascript:evil() data:text/html,x"), "javascript:evil() data:text/html,x");
    }

    #[test]
    fn links_addresses_of_the_web() {
        let link = |url: &str| format!("<a href=\"{url}\">{url}</a>");
        for (text, expected) in [
            ("See https://a.example/1.", format!("See {}.", link("https://a.example/1"))),
            ("(http://a.example/b)", format!("({})", link("http://a.example/b"))),
            ("https://a.example/b_(c)", link("https://a.example/b_(c)")),
            ("https://a.example/?a=1&b=2!", format!("{}!", link("https://a.example/?a=1&amp;b=2"))),
            ("<https://a.example>", format!("&lt;{}&gt;", link("https://a.example"))),
            (
                "https://a.example, https://b.example/ä",
                format!("{}, {}", link("https://a.example"), link("https://b.example/ä")),
            ),
            ("https:// and http://", "https:// and http://".to_owned()),
            ("https://.", "https://.".to_owned()),
        ] {
            assert_eq!(body(text), expected, "{text}");
        }
    }

    #[test]
    fn many_links_stay_small() {
        let text = "http:// ".repeat(600) + &"https://a.example/ ".repeat(200);
        assert!(to_html(&text).len() < 20 * text.len());
    }
}
