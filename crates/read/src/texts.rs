//! Validation of texts in bodies, queries and paths.

use std::ops::RangeInclusive;

use super::Violation;
use crate::characters::{is_blank, trim};
use crate::similar_names::nearest;
use crate::time::Timestamp;
use crate::typed_id::{InvalidId, TypedId};

/// A text with this number of characters (Unicode scalar values). If at least one is required, a text of only white
/// space and invisible characters is `blank`; otherwise `too_short`, `too_long`.
pub fn text(bounds: RangeInclusive<usize>) -> impl Fn(&str) -> Result<String, Violation> {
    move |text| {
        let (least, most) = (*bounds.start(), *bounds.end());
        let length = text.chars().take(most.saturating_add(1)).count();
        if length > most {
            Err(Violation::at_root("too_long", format!("must be at most {most} characters long")))
        } else if least > 0 && is_blank(text) {
            Err(Violation::at_root("blank", "must not be blank"))
        } else if length < least {
            Err(Violation::at_root("too_short", format!("must be at least {least} characters long")))
        } else {
            Ok(text.to_owned())
        }
    }
}

/// A name with this number of characters, as in [`text`]. Spaces and format characters at its ends are removed, and
/// control characters are rejected with `invalid_character`. Joiners inside stay.
pub fn name(bounds: RangeInclusive<usize>) -> impl Fn(&str) -> Result<String, Violation> {
    let text = text(bounds);
    move |written| {
        let name = trim(&text(written)?).to_owned();
        // U+0000 was reported when the body was parsed.
        if name.chars().any(|c| c.is_control() && c != '\0') {
            let message = "must not contain control characters such as tabs and line breaks";
            return Err(Violation::at_root("invalid_character", message));
        }
        Ok(name)
    }
}

/// An ID of one type; otherwise `invalid_id`.
pub fn id<T: TypedId>(text: &str) -> Result<T, Violation> {
    text.parse().map_err(|error: InvalidId| Violation::at_root("invalid_id", error.to_string()))
}

/// An RFC 3339 time with any offset; otherwise `invalid_format`.
pub fn timestamp(text: &str) -> Result<Timestamp, Violation> {
    text.parse().map_err(|error| Violation::at_root("invalid_format", format!("{error}")))
}

/// One word of a fixed list; otherwise `invalid_value`, with the list.
pub fn word<T>(words: &[&'static str], parse: impl Fn(&str) -> Option<T>) -> impl Fn(&str) -> Result<T, Violation> {
    let listed = words.join("`, `");
    move |text| parse(text).ok_or_else(|| Violation::at_root("invalid_value", format!("must be one of `{listed}`")))
}

/// An integer in decimal digits within `range`; otherwise `wrong_type` or `out_of_range`.
pub fn integer(range: RangeInclusive<i64>) -> impl Fn(&str) -> Result<i64, Violation> {
    move |text| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Violation::at_root("wrong_type", "expected a whole number"));
        }
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| out_of_range(&range))
    }
}

/// `true` or `false`; otherwise `wrong_type`.
pub fn boolean(text: &str) -> Result<bool, Violation> {
    text.parse().map_err(|_| Violation::at_root("wrong_type", "expected `true` or `false`"))
}

/// Builds the violation of a number outside `range`.
pub fn out_of_range(range: &RangeInclusive<i64>) -> Violation {
    Violation::at_root("out_of_range", format!("must be between {} and {}", range.start(), range.end()))
}

/// The most known names that a message lists.
const MOST_NAMED: usize = 40;

/// Returns the message for an unknown name: with the similar names, otherwise with all known ones unless they are too
/// many.
pub fn unknown_name(kind: &str, name: &str, known: &[&str]) -> String {
    let near = meant(name, known.iter().copied());
    if !near.is_empty() || known.len() > MOST_NAMED {
        return format!("unknown {kind}{near}");
    }
    if known.is_empty() {
        format!("unknown {kind}; none is accepted")
    } else {
        format!("unknown {kind}; {}", offered(&[], known))
    }
}

/// Returns the suggestion for an unknown name: the similar names, otherwise the whole list.
pub fn offered(near: &[&str], known: &[&str]) -> String {
    if near.is_empty() {
        format!("expected one of: {}", known.join(", "))
    } else {
        format!("did you mean: {}", near.join(", "))
    }
}

/// Returns `; did you mean `…`?` if a known name is similar, otherwise an empty text.
pub fn meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = nearest(name, known);
    if near.is_empty() { String::new() } else { format!("; did you mean `{}`?", near.join("` or `")) }
}

#[cfg(test)]
mod tests {
    use std::fmt;
    use std::str::FromStr;

    use uuid::Uuid;

    use super::*;
    use crate::typed_id::{decode, encode};

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    struct TagId(Uuid);

    impl TypedId for TagId {
        const PREFIX: &'static str = "tag";

        fn from_uuid(uuid: Uuid) -> Self {
            Self(uuid)
        }

        fn uuid(self) -> Uuid {
            self.0
        }
    }

    impl fmt::Display for TagId {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(out, "tag_{}", str::from_utf8(&encode(self.0.as_u128())).unwrap())
        }
    }

    impl FromStr for TagId {
        type Err = InvalidId;

        fn from_str(text: &str) -> Result<Self, InvalidId> {
            let bits = text.strip_prefix("tag_").and_then(decode);
            bits.map(|bits| Self(Uuid::from_u128(bits))).ok_or(InvalidId { prefix: Self::PREFIX })
        }
    }

    fn code<T>(result: Result<T, Violation>) -> &'static str {
        result.err().map_or("", |it| it.code)
    }

    #[test]
    fn lengths_count_characters() {
        let name = text(2..=3);
        assert_eq!(name("äöü"), Ok("äöü".to_owned()));
        assert_eq!(
            (code(name("äöüß")), code(name("ä")), code(name("")), code(name(" \u{2003}"))),
            ("too_long", "too_short", "blank", "blank")
        );
        assert_eq!(text(0..=3)(""), Ok(String::new()));
        assert_eq!(text(0..=3)("  "), Ok("  ".to_owned()));
    }

    #[test]
    fn names_are_trimmed_and_have_no_control_characters() {
        assert_eq!(name(1..=9)("\u{feff}\u{a0}Ada\u{200b} \n"), Ok("Ada".to_owned()));
        assert_eq!(name(1..=9)("می\u{200c}خواهم"), Ok("می\u{200c}خواهم".to_owned()));
        assert_eq!(name(1..=9)("O\u{2019}Neil"), Ok("O\u{2019}Neil".to_owned()), "the text is stored unchanged");
        for blank in ["\u{200b}", "\u{2060}\u{200d} ", "\u{3164}", "\u{2800}"] {
            assert_eq!(code(name(1..=9)(blank)), "blank", "{blank:?}");
        }
        for wrong in ["a\tb", "a\nb", "a\u{7f}b", "a\u{85}b", "a\u{1b}b"] {
            assert_eq!(code(name(1..=9)(wrong)), "invalid_character", "{wrong:?}");
        }
    }

    #[test]
    fn rejects_an_id_of_another_type() {
        let tag = "tag_01h455vb4pex5vsknk084sn02q";
        assert_eq!(id::<TagId>(tag).map(|id| id.to_string()).as_deref(), Ok(tag));
        let wrong = id::<TagId>("contact_01h455vb4pex5vsknk084sn02q").unwrap_err();
        assert_eq!((wrong.code, wrong.message.contains("`tag_")), ("invalid_id", true));
    }

    #[test]
    fn lists_the_accepted_words_on_a_mismatch() {
        let order = word(&["up", "down"], |text| (text == "up").then_some(1));
        assert_eq!(order("up"), Ok(1));
        assert_eq!(order("Up"), Err(Violation::at_root("invalid_value", "must be one of `up`, `down`")));
    }

    #[test]
    fn accepts_only_digits_and_a_minus_sign_as_integers() {
        let number = integer(-5..=100);
        assert_eq!((number("0"), number("100"), number("-5")), (Ok(0), Ok(100), Ok(-5)));
        for text in ["", "-", "+1", "1.0", "1e1", " 1", "٣", "0x1"] {
            assert_eq!(code(number(text)), "wrong_type", "{text}");
        }
        for text in ["101", "-6", "99999999999999999999999"] {
            assert_eq!(number(text), Err(Violation::at_root("out_of_range", "must be between -5 and 100")), "{text}");
        }
    }

    #[test]
    fn suggests_similar_names() {
        let message = |name: &str, known: &[&str]| unknown_name("field", name, known);
        assert_eq!(message("emial", &["email", "phone"]), "unknown field; did you mean `email`?");
        assert_eq!(message(&"e".repeat(100_000), &["email", "phone"]), "unknown field; expected one of: email, phone");
        assert_eq!(message("zzz", &["email"; MOST_NAMED + 1]), "unknown field");
        assert_eq!(message("zzz", &[]), "unknown field; none is accepted");
    }
}
