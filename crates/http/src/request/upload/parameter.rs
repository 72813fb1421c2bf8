//! Parameters of headers such as `Content-Disposition` (RFC 6266).

/// Returns a parameter of a header value, such as `boundary`. Its value can be quoted. A value in the form of RFC 8187
/// is not read, because forms do not use it.
pub(super) fn parameter(value: &str, name: &str) -> Option<String> {
    let mut rest = value.split_once(';')?.1;
    loop {
        let (key, after) = rest.split_once('=')?;
        let (text, next) = text(after.trim_start());
        if key.trim().eq_ignore_ascii_case(name) {
            return Some(text);
        }
        rest = next.split_once(';')?.1;
    }
}

/// Reads a token or a quoted text. Returns the remaining text, too.
fn text(value: &str) -> (String, &str) {
    let Some(quoted) = value.strip_prefix('"') else {
        let end = value.find(';').unwrap_or(value.len());
        let (token, rest) = value.split_at(end);
        return (token.trim().to_owned(), rest);
    };
    let (mut text, mut is_escaped) = (String::new(), false);
    for (place, it) in quoted.char_indices() {
        match it {
            '\\' if !is_escaped => is_escaped = true,
            '"' if !is_escaped => return (text, quoted.get(place + 1..).unwrap_or_default()),
            other => {
                // Browsers write a backslash of a path without an escape.
                if is_escaped && !matches!(other, '"' | '\\') {
                    text.push('\\');
                }
                text.push(other);
                is_escaped = false;
            }
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_tokens_and_quoted_values() {
        let value = r#"form-data; NAME="a;b=\"c\""; filename=cat.png ;x="C:\dir\a.png""#;
        assert_eq!(parameter(value, "name").as_deref(), Some(r#"a;b="c""#));
        assert_eq!(parameter(value, "filename").as_deref(), Some("cat.png"));
        assert_eq!(parameter(value, "x").as_deref(), Some(r"C:\dir\a.png"));
        assert_eq!(parameter(value, "b"), None);
        assert_eq!(parameter("form-data", "name"), None);
        assert_eq!(parameter("form-data; name=\"open", "name").as_deref(), Some("open"));
    }
}
