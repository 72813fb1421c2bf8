//! The text that the sender of a mail wrote: without quoted mail and signature. HTML becomes plain text.

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use super::clean_html::clean;
use super::html::{to_text, to_whole_text};

/// Maximum number of parts with text that are read.
const MAX_TEXTS: usize = 10;
/// Subtypes of `text` that programs read.
const DATA: [&str; 4] = ["calendar", "vcard", "x-vcard", "directory"];
/// Maximum number of lines that are read of a text.
const MAX_LINES: usize = 2_000;
/// Maximum number of lines of a signature.
const LONGEST_SIGNATURE: usize = 15;

/// Words in the line before a quoted mail, in the languages of common mail programs.
const ATTRIBUTIONS: [&str; 9] =
    ["wrote:", "schrieb:", "schrieb ", "a écrit :", "a écrit:", "escribió:", "ha scritto:", "escreveu:", "schreef:"];
/// Starts of the line between a text and the mail that it answers.
const SEPARATORS: [&str; 7] = [
    "-----original message-----",
    "-----ursprüngliche nachricht-----",
    "-------- original message --------",
    "-------- original-nachricht --------",
    "-----message d'origine-----",
    "-----mensaje original-----",
    "________________________________",
];
/// Names of the first field in the head of a quoted mail without a mark, and of a field that follows it.
const HEADS: [(&str, &str); 4] =
    [("from:", "sent:"), ("von:", "gesendet:"), ("de :", "envoyé :"), ("de:", "enviado el:")];

/// Returns the text that the sender of a mail wrote. A mail with only a quote keeps it.
pub(super) fn text(mail: &Message<'_>) -> String {
    let whole = joined(mail, to_text);
    let own = without_quote(&whole);
    if own.is_empty() { whole.trim().to_owned() } else { own }
}

/// Returns the text of a mail with quoted mails and the signature.
pub(super) fn whole_text(mail: &Message<'_>) -> String {
    joined(mail, to_whole_text).trim().to_owned()
}

/// Returns the HTML of a mail with only harmless elements. `None` if it has none.
pub(super) fn html(mail: &Message<'_>) -> Option<String> {
    let parts = mail.html_body.iter().take(MAX_TEXTS).filter_map(|id| mail.part(*id));
    let pages = parts.filter_map(|part| match &part.body {
        PartType::Html(html) => Some(&**html),
        PartType::Text(_)
        | PartType::Binary(_)
        | PartType::InlineBinary(_)
        | PartType::Message(_)
        | PartType::Multipart(_) => None,
    });
    clean(&pages.collect::<Vec<&str>>().join("\n"))
}

/// Joins the texts of a mail. `of_html` returns the text of HTML.
fn joined(mail: &Message<'_>, of_html: fn(&str) -> String) -> String {
    let parts = mail.text_body.iter().take(MAX_TEXTS).filter_map(|id| mail.part(*id));
    let texts = parts.filter_map(|part| match &part.body {
        PartType::Text(text) if has(part, "format", "flowed") => Some(unflowed(text, has(part, "delsp", "yes"))),
        PartType::Text(text) => Some(text.replace("\r\n", "\n")),
        PartType::Html(html) => Some(of_html(html)),
        PartType::Binary(_) | PartType::InlineBinary(_) | PartType::Message(_) | PartType::Multipart(_) => None,
    });
    let whole = texts.collect::<Vec<_>>().join("\n");
    if whole.trim().is_empty() { unusual_text(mail, of_html) } else { whole }
}

/// Returns the text of parts without a name that are neither plain text nor HTML. Some programs write a rare or an
/// incomplete content type, such as `text/markdown` or `text`, and RFC 2045 asks to show such a text (section 5.2).
fn unusual_text(mail: &Message<'_>, of_html: fn(&str) -> String) -> String {
    let parts = mail.attachments.iter().take(MAX_TEXTS).filter_map(|id| mail.part(*id));
    let unnamed = parts.filter(|part| part.attachment_name().is_none() && !is_cut_file(part));
    let texts = unnamed.filter_map(|part| {
        let subtype = part.content_type().and_then(|it| it.subtype()).unwrap_or_default();
        // The parser returns a multipart without a boundary as bytes.
        let is_text = subtype.is_empty() || part.is_content_type("multipart", subtype);
        match &part.body {
            PartType::Text(text) if !DATA.iter().any(|it| subtype.eq_ignore_ascii_case(it)) => {
                Some(text.replace("\r\n", "\n"))
            }
            PartType::Html(html) => Some(of_html(html)),
            PartType::Binary(bytes) if is_text => Some(String::from_utf8_lossy(bytes).replace("\r\n", "\n")),
            PartType::Text(_)
            | PartType::Binary(_)
            | PartType::InlineBinary(_)
            | PartType::Message(_)
            | PartType::Multipart(_) => None,
        }
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Whether a part is a file whose end is beyond the parsed start of the mail. The parser returns it as a text, as it does
/// with a multipart without a boundary, which is no file.
fn is_cut_file(part: &MessagePart<'_>) -> bool {
    let has_text = |of: &str| ["text", "multipart"].iter().any(|known| of.eq_ignore_ascii_case(known));
    part.is_encoding_problem && part.content_type().is_some_and(|it| !has_text(it.ctype()))
}

/// Whether the content type of a part has a parameter with this value.
fn has(part: &MessagePart<'_>, name: &str, value: &str) -> bool {
    let parameter = part.content_type().and_then(|it| it.attribute(name));
    parameter.is_some_and(|own| own.eq_ignore_ascii_case(value))
}

/// Joins the lines of a flowed text (RFC 3676): a line that ends with a space continues in the next one. With
/// `deletes_space`, that space is not part of the text.
fn unflowed(text: &str, deletes_space: bool) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut is_open = false;
    for line in text.lines() {
        let is_quote = line.starts_with('>');
        let line = line.strip_prefix(' ').unwrap_or(line);
        if !joined.is_empty() && (!is_open || is_quote) {
            joined.push('\n');
        }
        is_open = line.ends_with(' ') && line != "-- " && !is_quote;
        let end = if is_open && deletes_space { line.len() - 1 } else { line.len() };
        joined.push_str(line.get(..end).unwrap_or(line));
    }
    joined
}

/// Returns a text without the mail that it answers, and without its signature.
fn without_quote(text: &str) -> String {
    let lines: Vec<&str> = text.lines().take(MAX_LINES).map(str::trim_end).collect();
    let mut own: Vec<&str> = Vec::new();
    for (number, line) in lines.iter().copied().enumerate() {
        let rest = lines.get(number..).unwrap_or_default();
        if starts_a_quoted_mail(rest) {
            break;
        }
        if !line.trim_start().starts_with('>') && !is_attribution(rest) {
            own.push(line);
        }
    }
    let signature = own.iter().rposition(|line| *line == "--");
    if let Some(start) = signature.filter(|start| own.len() - start <= LONGEST_SIGNATURE) {
        own.truncate(start);
    }
    own.join("\n").trim().to_owned()
}

/// Whether these lines begin with the head of a mail that is quoted without a mark.
fn starts_a_quoted_mail(lines: &[&str]) -> bool {
    let Some(first) = lines.first().map(|line| line.trim().trim_matches('*').to_lowercase()) else { return false };
    if SEPARATORS.iter().any(|separator| first.starts_with(separator)) {
        return true;
    }
    let following = |field: &str| {
        let next = lines.iter().skip(1).take(3);
        next.map(|line| line.trim().trim_matches('*').to_lowercase()).any(|line| line.starts_with(field))
    };
    HEADS.iter().any(|(field, next)| first.starts_with(field) && following(next))
}

/// Whether these lines begin with the line before a quote, which may have a second line.
fn is_attribution(lines: &[&str]) -> bool {
    let ends = |line: &&str| {
        let line = line.trim().to_lowercase();
        line.ends_with(':') && ATTRIBUTIONS.iter().any(|words| line.contains(words))
    };
    let head = lines.iter().take(2).position(ends);
    let Some(last) = head else { return false };
    // The second line belongs to the attribution only if the first one starts it.
    let starts = last == 0 || lines.first().is_some_and(|line| has_date(line));
    let mut after = lines.iter().skip(last + 1).map(|line| line.trim()).filter(|line| !line.is_empty());
    starts && after.next().is_none_or(|line| line.starts_with('>'))
}

/// Whether a line contains a number with four digits, such as a year, or a time.
fn has_date(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_ascii_digit() && c != ':');
    words.any(|word| word.len() == 4 || (word.len() >= 4 && word.contains(':')))
}

#[cfg(test)]
#[path = "body_tests.rs"]
mod tests;
