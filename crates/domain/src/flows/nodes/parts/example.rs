//! Examples of answers that can mean one value only, in the language of the contact.

use crate::fields::FieldKind;

/// The introduction of an example in a language, and a number as the language writes it.
struct Language {
    tag: &'static str,
    introduction: &'static str,
    number: &'static str,
}

static ENGLISH: Language = Language { tag: "en", introduction: "For example", number: "1234.5" };
static OTHERS: [Language; 3] = [
    Language { tag: "de", introduction: "Zum Beispiel", number: "1234,5" },
    Language { tag: "es", introduction: "Por ejemplo", number: "1234.5" },
    Language { tag: "fr", introduction: "Par exemple", number: "1234,5" },
];

/// An example of an answer of this type, such as `For example: 2026-12-31`, in the language of the locale or in English.
/// `None` for types with one form only.
pub(in crate::flows) fn example_of(kind: FieldKind, locale: Option<&str>) -> Option<String> {
    let tag = locale.and_then(|locale| locale.split(['-', '_']).next()).unwrap_or_default();
    let language = OTHERS.iter().find(|it| tag.eq_ignore_ascii_case(it.tag)).unwrap_or(&ENGLISH);
    let value = match kind {
        FieldKind::Number => language.number,
        FieldKind::Date => "2026-12-31",
        FieldKind::Datetime => "2026-12-31 18:00",
        FieldKind::Text
        | FieldKind::Boolean
        | FieldKind::Email
        | FieldKind::Phone
        | FieldKind::Url
        | FieldKind::Select
        | FieldKind::MultiSelect => return None,
    };
    Some(format!("{}: {value}", language.introduction))
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;
    use tidings_tables::{Country, Writer};

    use super::super::read_answer;
    use super::*;

    #[test]
    fn examples_follow_the_language_of_the_contact() {
        for (locale, number) in [
            (Some("de-AT"), "Zum Beispiel: 1234,5"),
            (Some("fr_CA"), "Par exemple: 1234,5"),
            (Some("en"), "For example: 1234.5"),
            (Some("ja"), "For example: 1234.5"),
            (None, "For example: 1234.5"),
        ] {
            assert_eq!(example_of(FieldKind::Number, locale).as_deref(), Some(number));
        }
        assert_eq!(example_of(FieldKind::Date, None).as_deref(), Some("For example: 2026-12-31"));
        assert_eq!(example_of(FieldKind::Email, None), None);
    }

    #[test]
    fn every_example_is_unambiguous_in_every_locale() {
        for language in OTHERS.iter().chain([&ENGLISH]) {
            for kind in [FieldKind::Number, FieldKind::Date, FieldKind::Datetime] {
                let example = example_of(kind, Some(language.tag)).unwrap();
                let (_, answer) = example.split_once(": ").unwrap();
                for (locale, country) in [(None, None), (Some("en-US"), None), (None, Country::parse("DE"))] {
                    let writer = Writer { locale, country };
                    assert!(read_answer(kind, &[], answer, writer, Tz::UTC).is_ok(), "{answer} {writer:?}");
                }
            }
        }
    }
}
