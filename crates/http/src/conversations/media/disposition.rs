//! The header `Content-Disposition` of a response (RFC 6266).

use std::fmt::Write;

/// Returns a `Content-Disposition` that makes a browser store the file under this name (RFC 6266, section 5).
pub(super) fn attachment(name: &str) -> String {
    let is_plain = |it: &char| it.is_ascii() && !it.is_ascii_control() && !matches!(it, '"' | '\\' | '%');
    let plain: String = name.chars().map(|it| if is_plain(&it) { it } else { '_' }).collect();
    let mut header = format!("attachment; filename=\"{plain}\"");
    if plain != name {
        header.push_str("; filename*=UTF-8''");
        for byte in name.bytes() {
            // attr-char of RFC 8187, section 3.2.1, without some characters that need no escape either.
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_') {
                header.push(char::from(byte));
            } else {
                let _ = write!(header, "%{byte:02X}");
            }
        }
    }
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_inside_its_header() {
        assert_eq!(attachment("cat 1.png"), "attachment; filename=\"cat 1.png\"");
        assert_eq!(
            attachment("Übersicht \"1\".pdf"),
            "attachment; filename=\"_bersicht _1_.pdf\"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.pdf"
        );
        assert!(!attachment("a\r\nb").contains(['\r', '\n']));
    }
}
