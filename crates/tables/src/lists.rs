//! Lists in one cell: separators, and JSON as exports write it.

use std::iter::Peekable;
use std::str::Chars;

use crate::reasons::Reason;
use crate::text::trim;

/// A form of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ListForm {
    /// Separated by `,`.
    Comma,
    /// Separated by `;`.
    Semicolon,
    /// Separated by `|`.
    Pipe,
    /// One item in each line of the cell.
    Line,
    /// Separated by `:::`, as Google Contacts writes lists.
    TripleColon,
    /// A JSON array of texts.
    Json,
}

impl ListForm {
    /// All forms. If no separator occurs, the first one is chosen.
    pub const ALL: [Self; 6] = [Self::Comma, Self::Semicolon, Self::Pipe, Self::Line, Self::TripleColon, Self::Json];

    /// The stable name: the separator, `line` or `json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Comma => ",",
            Self::Semicolon => ";",
            Self::Pipe => "|",
            Self::Line => "line",
            Self::TripleColon => ":::",
            Self::Json => "json",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == text)
    }

    /// Whether a cell has the separator outside quotes, or begins as JSON does.
    pub(crate) fn occurs_in(self, cell: &str) -> bool {
        match self {
            Self::Json => cell.starts_with('['),
            Self::Comma | Self::Semicolon | Self::Pipe | Self::Line | Self::TripleColon => {
                let separator = self.separator();
                cell.contains(separator) && (!cell.contains('"') || items(cell, separator).len() > 1)
            }
        }
    }

    fn separator(self) -> &'static str {
        match self {
            Self::Line => "\n",
            Self::Comma | Self::Semicolon | Self::Pipe | Self::TripleColon | Self::Json => self.as_str(),
        }
    }
}

/// Refuses text in a column of JSON, and JSON in a column with a separator.
pub(crate) fn refuse_other_form(cell: &str, form: ListForm) -> Result<(), Reason> {
    let is_json = cell.starts_with('[') && json(cell).is_some();
    match (form, is_json) {
        (ListForm::Json, false) => Err(Reason::NotAList),
        (ListForm::Json, true) => Ok(()),
        (_, true) => Err(Reason::OtherListForm),
        (_, false) => Ok(()),
    }
}

/// Reads the items of a trimmed cell. Empty items are skipped.
pub(crate) fn read(cell: &str, form: ListForm) -> Result<Vec<String>, Reason> {
    refuse_other_form(cell, form)?;
    if form == ListForm::Json {
        return json(cell).ok_or(Reason::NotAList);
    }
    let items = items(cell, form.separator()).into_iter().map(|it| trim(&it).to_owned());
    Ok(items.filter(|item| !item.is_empty()).collect())
}

/// Splits a cell at a separator outside quotes. Mailchimp puts quotes around each tag.
fn items(cell: &str, separator: &str) -> Vec<String> {
    let mut items = Vec::new();
    let mut rest = Some(cell);
    while let Some(text) = rest {
        let (item, behind) = quoted_item(text, separator).unwrap_or_else(|| match text.split_once(separator) {
            Some((item, behind)) => (item.to_owned(), Some(behind)),
            None => (text.to_owned(), None),
        });
        items.push(item);
        rest = behind;
    }
    items
}

/// An item within quotes, and the text behind its separator. Quotes inside the item are doubled.
fn quoted_item<'c>(text: &'c str, separator: &str) -> Option<(String, Option<&'c str>)> {
    let mut rest = text.trim_start().strip_prefix('"')?;
    let mut item = String::new();
    loop {
        let (before, behind) = rest.split_once('"')?;
        item.push_str(before);
        match behind.strip_prefix('"') {
            Some(behind) => {
                item.push('"');
                rest = behind;
            }
            None if behind.trim().is_empty() => return Some((item, None)),
            None => return behind.trim_start_matches([' ', '\r']).strip_prefix(separator).map(|it| (item, Some(it))),
        }
    }
}

/// A JSON array of texts (RFC 8259).
fn json(text: &str) -> Option<Vec<String>> {
    let mut items = Vec::new();
    let mut chars = text.trim().strip_prefix('[')?.strip_suffix(']')?.chars().peekable();
    skip_space(&mut chars);
    if chars.peek().is_none() {
        return Some(items);
    }
    loop {
        skip_space(&mut chars);
        items.push(json_text(&mut chars)?);
        skip_space(&mut chars);
        match chars.next() {
            None => return Some(items),
            Some(',') => {}
            Some(_) => return None,
        }
    }
}

fn skip_space(chars: &mut Peekable<Chars<'_>>) {
    while chars.next_if(|c| matches!(c, ' ' | '\t' | '\r' | '\n')).is_some() {}
}

fn json_text(chars: &mut Peekable<Chars<'_>>) -> Option<String> {
    chars.next_if_eq(&'"')?;
    let mut text = String::new();
    loop {
        match chars.next()? {
            '"' => return Some(text),
            '\\' => text.push(match chars.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'u' => json_escape(chars)?,
                c @ ('"' | '\\' | '/') => c,
                _ => return None,
            }),
            c if c < ' ' => return None,
            c => text.push(c),
        }
    }
}

/// A character as four hexadecimal digits, or as two such escapes (a surrogate pair).
fn json_escape(chars: &mut Peekable<Chars<'_>>) -> Option<char> {
    let mut unit = || {
        let digits: String = chars.by_ref().take(4).collect();
        (digits.len() == 4).then(|| u16::from_str_radix(&digits, 16).ok())?
    };
    let first = unit()?;
    let mut units = vec![first];
    if (0xD800..0xDC00).contains(&first) {
        chars.next_if_eq(&'\\')?;
        chars.next_if_eq(&'u')?;
        let digits: String = chars.by_ref().take(4).collect();
        units.push(u16::from_str_radix(&digits, 16).ok()?);
    }
    let mut decoded = char::decode_utf16(units);
    decoded.next()?.ok().filter(|_| decoded.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_items_by_each_separator() {
        let items = ["a b".to_owned(), "c".to_owned()];
        for (cell, form) in [
            ("a b, c", ListForm::Comma),
            ("a b;c;", ListForm::Semicolon),
            ("| a b | c |", ListForm::Pipe),
            ("a b\r\nc", ListForm::Line),
            ("a b ::: c", ListForm::TripleColon),
            ("[\"a b\", \"c\"]", ListForm::Json),
            ("\"a b\",\"c\"", ListForm::Comma),
            ("\"a b\" ; c", ListForm::Semicolon),
        ] {
            assert_eq!(read(cell, form).as_deref(), Ok(&items[..]), "{cell}");
            assert!(form.occurs_in(cell));
            assert_eq!(ListForm::parse(form.as_str()), Some(form));
        }
    }

    #[test]
    fn quotes_protect_separators_inside_items() {
        let read = |cell| read(cell, ListForm::Comma).unwrap_or_default();
        assert_eq!(read("\"a,b\", c"), ["a,b", "c"]);
        assert_eq!(read("\"say \"\"hi\"\"\""), ["say \"hi\""]);
        assert_eq!(read("\"a\"b, c"), ["\"a\"b", "c"], "a quote that closes too early is a part of the item");
        assert_eq!(read("5\" pipe, \"x"), ["5\" pipe", "\"x"]);
        assert!(!ListForm::Comma.occurs_in("\"a,b\"") && ListForm::Comma.occurs_in("\"a,b\",c"));
    }

    #[test]
    fn reads_json_as_exports_write_it() {
        let read = |cell| read(cell, ListForm::Json);
        assert_eq!(read("[]"), Ok(Vec::new()));
        assert_eq!(
            read(r#"["a,b","say \"hi\"\n","\u00e4\ud83d\ude00"]"#),
            Ok(vec!["a,b".into(), "say \"hi\"\n".into(), "ä😀".into()])
        );
        for cell in ["[", "a", "[1]", "[\"a\"", "[\"a\" \"b\"]", "[\"a\",]", r#"["\ud83d"]"#, r#"["\x"]"#, "[\"a]"] {
            assert_eq!(read(cell), Err(Reason::NotAList), "{cell}");
        }
    }
}
