//! Normal forms of a contact's attributes. Each value is validated and normalised here, once.

use std::fmt;
use std::str::FromStr;

use url::Url;

use super::phone::normal_form;
use crate::read::{Violation, texts};

/// The value of an attribute: a text in its normal form.
pub(super) trait AttributeValue: Sized {
    /// The maximum number of characters, if the API description states it.
    #[cfg(feature = "openapi")]
    const MOST: Option<usize>;

    /// Reads a text that is not empty.
    ///
    /// # Errors
    /// A description of the accepted form.
    fn read(text: &str) -> Result<Self, String>;

    /// Reads the text of a request, which may be empty.
    ///
    /// # Errors
    /// The violation, with its code.
    fn written(text: &str) -> Result<Self, Violation> {
        Self::read(text).map_err(|why| Violation::at_root("invalid_format", why))
    }

    /// The normal form.
    fn text(&self) -> &str;
}

/// Maximum number of characters of a name.
const MAX_NAME: usize = 100;
/// Maximum number of bytes of an email address.
pub(super) const MAX_EMAIL: usize = 254;
/// Maximum number of characters of an external ID.
const MAX_EXTERNAL_ID: usize = 200;
/// Maximum number of characters of a language tag.
const MAX_LOCALE: usize = 35;
/// Maximum number of characters of an avatar URL.
const MAX_URL: usize = 2_048;

/// Names are stored as written, without spaces and format characters at their ends.
impl AttributeValue for String {
    #[cfg(feature = "openapi")]
    const MOST: Option<usize> = Some(MAX_NAME);

    fn read(text: &str) -> Result<Self, String> {
        if text.chars().count() > MAX_NAME {
            return Err(format!("at most {MAX_NAME} characters"));
        }
        texts::name(1..=MAX_NAME)(text).map_err(|wrong| wrong.message)
    }

    fn written(text: &str) -> Result<Self, Violation> {
        texts::name(1..=MAX_NAME)(text)
    }

    fn text(&self) -> &str {
        self
    }
}

/// An invalid attribute: a description of the accepted form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidAttribute(pub &'static str);

macro_rules! text_attributes {
    ($($(#[$doc:meta])* $name:ident, $check:expr, $most:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The normal form.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Restores a value from its stored text, without validation.
            pub fn from_store(text: String) -> Self {
                Self(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidAttribute;

            fn from_str(text: &str) -> Result<Self, InvalidAttribute> {
                let check: fn(&str) -> Result<String, InvalidAttribute> = $check;
                check(text).map(Self)
            }
        }

        impl AttributeValue for $name {
            #[cfg(feature = "openapi")]
            const MOST: Option<usize> = $most;

            fn read(text: &str) -> Result<Self, String> {
                text.parse().map_err(|InvalidAttribute(why)| why.to_owned())
            }

            fn text(&self) -> &str {
                self.as_str()
            }
        }
    )*};
}

text_attributes! {
    /// A phone number in E.164, such as `+49301234567`. Spaces, dots, hyphens, slashes and brackets are removed.
    Phone, phone, None;
    /// The client's own ID of a contact: 1 to 200 characters, without control characters.
    ExternalId, external_id, Some(MAX_EXTERNAL_ID);
    /// A BCP 47 language tag of letters, digits and hyphens, such as `pt-BR`.
    Locale, locale, Some(MAX_LOCALE);
    /// A zone of the IANA time zone database, such as `Europe/Berlin`.
    TimeZone, time_zone, None;
    /// The URL of a picture: `https`, with a host, without credentials, at most 2 048 characters.
    AvatarUrl, avatar_url, Some(MAX_URL);
}

fn phone(text: &str) -> Result<String, InvalidAttribute> {
    normal_form(text).map_err(InvalidAttribute)
}

fn external_id(text: &str) -> Result<String, InvalidAttribute> {
    let fits = (1..=MAX_EXTERNAL_ID).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits && text.trim() == text {
        Ok(text.to_owned())
    } else {
        Err(InvalidAttribute("expected 1 to 200 characters, without control characters or leading or trailing spaces"))
    }
}

fn locale(text: &str) -> Result<String, InvalidAttribute> {
    let mut parts = text.split('-');
    let language = parts
        .next()
        .is_some_and(|part| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let rest = parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    if language && rest && text.len() <= MAX_LOCALE {
        Ok(text.to_owned())
    } else {
        Err(InvalidAttribute("expected a language tag such as en or pt-BR"))
    }
}

fn time_zone(text: &str) -> Result<String, InvalidAttribute> {
    let zone = text.parse::<chrono_tz::Tz>();
    zone.map(|zone| zone.name().to_owned())
        .map_err(|_| InvalidAttribute("expected an IANA time zone such as Europe/Berlin"))
}

fn avatar_url(text: &str) -> Result<String, InvalidAttribute> {
    let wrong = InvalidAttribute("expected a URL that starts with https://, of at most 2048 characters");
    let url = Url::parse(text).map_err(|_| wrong)?;
    let is_plain = !text.chars().any(|c| c.is_control() || c.is_whitespace());
    let is_public = url.scheme() == "https" && url.username().is_empty() && url.password().is_none();
    if is_plain && is_public && url.has_host() && text.chars().count().max(url.as_str().len()) <= MAX_URL {
        Ok(url.into())
    } else {
        Err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Email;
    use super::*;

    #[test]
    fn returns_attributes_in_their_normal_form() {
        assert_eq!(" Ada@Example.COM ".parse::<Email>().map(|it| it.to_string()).as_deref(), Ok("ada@example.com"));
        assert_eq!("+49 (30) 123-45.67".parse::<Phone>().map(|it| it.0).as_deref(), Ok("+49301234567"));
        assert_eq!("pt-BR".parse::<Locale>().map(|it| it.0).as_deref(), Ok("pt-BR"));
        assert_eq!("https://A.io/ä".parse::<AvatarUrl>().map(|it| it.0).as_deref(), Ok("https://a.io/%C3%A4"));
        let longest = format!("https://a.io/{}", "a".repeat(2_035));
        assert_eq!(longest.parse::<AvatarUrl>().map(|it| it.0), Ok(longest));
        assert_eq!("Europe/Berlin".parse::<TimeZone>().map(|it| it.0).as_deref(), Ok("Europe/Berlin"));
    }

    #[test]
    fn rejects_wrong_forms() {
        for text in [
            "",
            "ada",
            "ada@",
            "@example.com",
            "a b@example.com",
            "Ada <ada@example.com>",
            "ada@[127.0.0.1]",
            "ada@host",
        ] {
            assert!(text.parse::<Email>().is_err(), "{text}");
        }
        for text in ["", "49301234567", "+0301234567", "+49x", "+1234567890123456", "+12"] {
            assert!(text.parse::<Phone>().is_err(), "{text}");
        }
        for text in ["", " x", "x ", "a\nb", &"x".repeat(201)] {
            assert!(text.parse::<ExternalId>().is_err(), "{text}");
        }
        for text in ["", "e", "en_US", "de-", "-de"] {
            assert!(text.parse::<Locale>().is_err(), "{text}");
        }
        for text in ["", "Mars/Olympus", "CEST", "+02:00"] {
            assert!(text.parse::<TimeZone>().is_err(), "{text}");
        }
        let long = |of: &str, times: usize| format!("https://a.io/{}", of.repeat(times));
        for text in
            ["", "a.png", "http://a.io/a.png", "https://", "data:image/png,", "https://ada:x@a.io/", "https://a.io/ b"]
        {
            assert!(text.parse::<AvatarUrl>().is_err(), "{text}");
        }
        for text in [long("a", 2_036), long("ä", 500), "https://a.io/\t".to_owned()] {
            assert!(text.parse::<AvatarUrl>().is_err(), "{text}");
        }
    }
}
