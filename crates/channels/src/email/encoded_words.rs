//! Encoded words (RFC 2047), for a text that contains one literally: a mail program would decode it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Maximum number of bytes of a word. Its line has at most 76 characters, with the name of a short header.
const MAX_BYTES: usize = 39;

/// Whether a mail program may decode a part of the text.
pub(super) fn may_be_decoded(text: &str) -> bool {
    text.contains("=?")
}

/// Encodes a text for a header. Each word has a line, and no character is divided between two words.
pub(super) fn encode_words(text: &str) -> String {
    let (mut words, mut word) = (Vec::new(), String::new());
    for character in text.chars() {
        if word.len() + character.len_utf8() > MAX_BYTES {
            words.push(std::mem::take(&mut word));
        }
        word.push(character);
    }
    words.push(word);
    let encoded = words.iter().map(|word| format!("=?utf-8?B?{}?=", STANDARD.encode(word)));
    encoded.collect::<Vec<_>>().join("\r\n ")
}

#[cfg(test)]
mod tests {
    use mail_parser::MessageParser;

    use super::*;

    #[test]
    fn recognises_text_that_may_be_decoded() {
        assert!(may_be_decoded("=?utf-8?q?a?=") && may_be_decoded("a =?"));
        assert!(!may_be_decoded("1 = 1?") && !may_be_decoded(""));
    }

    #[test]
    fn a_mail_program_reads_the_text_as_it_is() {
        for text in ["=?utf-8?q?a?=".to_owned(), format!("{} =?x", "Zoë 🦀 ".repeat(20))] {
            let mail = format!("Subject: {}\r\nFrom: a@b.example\r\n\r\nHi", encode_words(&text));
            let head = mail.split("\r\n\r\n").next().unwrap();
            assert!(head.is_ascii() && head.lines().all(|line| line.len() <= 76), "{head}");
            let parsed = MessageParser::default().parse(&mail).unwrap();
            assert_eq!(parsed.subject().unwrap_or_default(), text);
        }
    }
}
