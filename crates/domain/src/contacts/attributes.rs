//! The one table of a contact's attributes, and the forms that they have: each is checked once, here, and normal ever
//! after.

use std::fmt;
use std::str::FromStr;

use email_address::{EmailAddress, Options};
use serde_json::{Map, Value, json};
use url::Url;

use super::Contact;

/// The one table of what is known of a contact or is not, and may be set and cleared: what it is, its name, the type of
/// its value, and as which type conditions take it. The table is handed to the macro `$make`, which makes of it what it
/// needs, in two parts: what stands before `name`, which is made of others, and what stands behind it.
///
/// Each is shown, written by requests and by `set_field`, and seen by templates and conditions; one that is not would need a
/// column that says so.
///
/// What is shown and asked for is in the order of `shown`; what flows and templates name is in that of `named`, people's
/// names first.
macro_rules! with_attributes {
    ($make:ident in order $order:ident) => {
        $crate::contacts::with_attributes! {
            @$order $make
            own {
                /// The client's own name for the contact; unique among living contacts.
                ExternalId external_id: $crate::contacts::ExternalId, Text;
            }
            names {
                /// Given name.
                FirstName first_name: String, Text;
                /// Family name.
                LastName last_name: String, Text;
            }
            addresses {
                /// E-mail address, lower-cased; unique among living contacts.
                Email email: $crate::contacts::Email, Email;
                /// Telephone number in E.164; unique among living contacts.
                Phone phone: $crate::contacts::Phone, Phone;
            }
            others {
                /// Language tag (BCP 47).
                Locale locale: $crate::contacts::Locale, Text;
                /// IANA time zone.
                TimeZone time_zone: $crate::contacts::TimeZone, Text;
                /// The address of a picture of the contact, which begins with `https://`.
                AvatarUrl avatar_url: $crate::contacts::AvatarUrl, Presence;
            }
        }
    };
    (@shown $make:ident own { $($own:tt)* } names { $($names:tt)* } addresses { $($addresses:tt)* } others { $($others:tt)* }) => {
        $make! { { $($own)* $($names)* } { $($addresses)* $($others)* } }
    };
    (@named $make:ident own { $($own:tt)* } names { $($names:tt)* } addresses { $($addresses:tt)* } others { $($others:tt)* }) => {
        $make! { { $($names)* } { $($addresses)* $($own)* $($others)* } }
    };
}
pub(crate) use with_attributes;

macro_rules! attributes {
    (
        { $($(#[$doc:meta])* $variant:ident $name:ident: $type:ty, $kind:ident;)* }
        { $($(#[$more_doc:meta])* $more_variant:ident $more:ident: $more_type:ty, $more_kind:ident;)* }
    ) => {
        /// An attribute of a contact that may be set and cleared.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Attribute {
            $($(#[$doc])* $variant,)*
            $($(#[$more_doc])* $more_variant,)*
        }

        impl Attribute {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)* $(Self::$more_variant,)*];
            /// The names of all: those of the store's columns, too.
            pub const WORDS: &[&str] = &[$(stringify!($name),)* $(stringify!($more),)*];

            /// Its name.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($name),)*
                    $(Self::$more_variant => stringify!($more),)*
                }
            }
        }

        impl Contact {
            /// What templates find under `contact`.
            pub const IN_TEMPLATES: &[&str] = &["id", $(stringify!($name),)* "name", $(stringify!($more),)*];

            /// The value of an attribute.
            pub fn attribute(&self, attribute: Attribute) -> Option<&str> {
                match attribute {
                    $(Attribute::$variant => self.$name.as_ref().map(AttributeValue::text),)*
                    $(Attribute::$more_variant => self.$more.as_ref().map(AttributeValue::text),)*
                }
            }

            /// Sets an attribute, or clears it where there is no text.
            ///
            /// # Errors
            /// What would be right.
            pub fn set_attribute(&mut self, attribute: Attribute, text: Option<&str>) -> Result<(), String> {
                match attribute {
                    $(Attribute::$variant => self.$name = text.map(AttributeValue::read).transpose()?,)*
                    $(Attribute::$more_variant => self.$more = text.map(AttributeValue::read).transpose()?,)*
                }
                Ok(())
            }
        }
    };
}

with_attributes!(attributes in order named);

impl Attribute {
    /// The attribute with this name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|attribute| attribute.as_str() == word)
    }
}

impl Contact {
    /// What templates see of it. Attributes without a value are absent, so that `default` applies to them.
    pub fn in_templates(&self) -> Map<String, Value> {
        let value = |name: &str| match name {
            "id" => Some(self.id.to_string()),
            "name" => self.name(),
            _ => self.attribute(Attribute::parse(name)?).map(ToOwned::to_owned),
        };
        Self::IN_TEMPLATES.iter().filter_map(|name| Some(((*name).to_owned(), json!(value(name)?)))).collect()
    }
}

/// The value of an attribute: a text in its normal form.
trait AttributeValue: Sized {
    /// Reads a text that is not empty.
    ///
    /// # Errors
    /// What would be right.
    fn read(text: &str) -> Result<Self, String>;

    /// The normal form.
    fn text(&self) -> &str;
}

/// The most characters of a name.
const MAX_NAME: usize = 100;
/// The most characters of an address of a picture.
const MAX_URL: usize = 2_048;

/// Names are taken as they are.
impl AttributeValue for String {
    fn read(text: &str) -> Result<Self, String> {
        if text.chars().count() > MAX_NAME {
            return Err(format!("at most {MAX_NAME} characters"));
        }
        Ok(text.to_owned())
    }

    fn text(&self) -> &str {
        self
    }
}

/// Why a text is not the attribute that it should be: what would be right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidAttribute(pub &'static str);

macro_rules! text_attributes {
    ($($(#[$doc:meta])* $name:ident, $check:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The normal form.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Takes a text that the store kept: it was checked when it came in.
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
    /// An e-mail address (RFC 5321 §4.1.2), trimmed and lower-cased, at most 254 bytes.
    Email, email;
    /// A telephone number in E.164, such as `+49301234567`. Spaces, dots, hyphens, slashes and brackets are dropped.
    Phone, super::phone::normal_form;
    /// A client's own name for a contact: 1 to 200 characters without control characters.
    ExternalId, external_id;
    /// A BCP 47 language tag of letters, digits and hyphens, such as `pt-BR`.
    Locale, locale;
    /// A zone of the IANA time zone database, such as `Europe/Berlin`.
    TimeZone, time_zone;
    /// The address of a picture: an `https` URL with a host and without credentials, at most 2 048 characters.
    AvatarUrl, avatar_url;
}

fn email(text: &str) -> Result<String, InvalidAttribute> {
    let wrong = InvalidAttribute("expected an e-mail address such as ada@example.com");
    let text = text.trim();
    let options = Options::default().without_display_text().without_domain_literal().with_required_tld();
    match EmailAddress::parse_with_options(text, options) {
        Ok(_) if text.len() <= 254 => Ok(text.to_lowercase()),
        _ => Err(wrong),
    }
}

fn external_id(text: &str) -> Result<String, InvalidAttribute> {
    let fits = (1..=200).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits && text.trim() == text {
        Ok(text.to_owned())
    } else {
        Err(InvalidAttribute("expected 1 to 200 characters without control characters or outer spaces"))
    }
}

fn locale(text: &str) -> Result<String, InvalidAttribute> {
    let mut parts = text.split('-');
    let language = parts
        .next()
        .is_some_and(|part| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let rest = parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    if language && rest && text.len() <= 35 {
        Ok(text.to_owned())
    } else {
        Err(InvalidAttribute("expected a language tag such as en or pt-BR"))
    }
}

fn time_zone(text: &str) -> Result<String, InvalidAttribute> {
    let zone = text.parse::<chrono_tz::Tz>();
    zone.map(|zone| zone.name().to_owned())
        .map_err(|_| InvalidAttribute("expected a zone of the IANA database such as Europe/Berlin"))
}

fn avatar_url(text: &str) -> Result<String, InvalidAttribute> {
    let wrong = InvalidAttribute("expected an address that begins with https://, of at most 2048 characters");
    let url = Url::parse(text).map_err(|_| wrong)?;
    let is_plain = !text.chars().any(|c| c.is_control() || c.is_whitespace());
    let is_public = url.scheme() == "https" && url.username().is_empty() && url.password().is_none();
    if is_plain && is_public && url.has_host() && text.chars().count().max(url.as_str().len()) <= MAX_URL {
        Ok(url.into())
    } else {
        Err(wrong)
    }
}

impl Attribute {
    /// A text that is in its normal form.
    pub fn example(self) -> &'static str {
        match self {
            Self::FirstName => "Ada",
            Self::LastName => "Lovelace",
            Self::Email => "ada@example.com",
            Self::Phone => "+4930123456",
            Self::ExternalId => "crm-4711",
            Self::Locale => "en",
            Self::TimeZone => "Europe/Berlin",
            Self::AvatarUrl => "https://example.com/ada.png",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ContactView, previous_attributes};
    use super::*;
    use crate::conditions::{Condition, Facts, Vocabulary};
    use crate::testing::a_contact;
    use crate::time::Timestamp;

    #[test]
    fn every_attribute_is_shown_and_told_and_asked_for_and_seen_by_templates() {
        for attribute in Attribute::ALL.iter().copied() {
            let (name, text) = (attribute.as_str(), attribute.example());
            let before = a_contact().build();
            let mut after = before.clone();
            assert_eq!(after.set_attribute(attribute, Some(text)), Ok(()), "{name}");
            assert_eq!((Attribute::parse(name), after.attribute(attribute)), (Some(attribute), Some(text)));
            let view = ContactView::from(&after);
            assert_eq!(json!(view)[name], text);
            let previous = previous_attributes(&ContactView::from(&before), &view);
            assert_eq!(previous.get(name), Some(&Value::Null), "{name}");
            assert_eq!((after.in_templates().get(name), before.in_templates().get(name)), (Some(&json!(text)), None));
            let condition = json!({"field": name, "op": "exists"});
            let condition = Condition::parse(&condition, &Vocabulary::default()).unwrap_or_else(|it| panic!("{it:?}"));
            let holds = |contact: &Contact| {
                let (conversations, bot_fields, now) = (&[], &Map::new(), Timestamp::EPOCH_2026);
                condition.holds(&Facts { contact, conversations, bot_fields, vars: None, event: None, now })
            };
            assert!(holds(&after) && !holds(&before), "{name}");
            assert_eq!((after.set_attribute(attribute, None), after == before), (Ok(()), true), "{name}");
        }
    }

    #[test]
    fn what_is_wrong_with_an_attribute_is_told_and_changes_nothing() {
        let mut contact = a_contact().named("Ada").build();
        let wrong = contact.set_attribute(Attribute::FirstName, Some(&"x".repeat(101)));
        assert_eq!(wrong, Err("at most 100 characters".to_owned()));
        assert!(contact.set_attribute(Attribute::Email, Some("ada")).is_err());
        assert_eq!(contact, a_contact().named("Ada").build());
    }

    #[test]
    fn attributes_come_out_in_their_normal_form() {
        assert_eq!(" Ada@Example.COM ".parse::<Email>().map(|it| it.0).as_deref(), Ok("ada@example.com"));
        assert_eq!("+49 (30) 123-45.67".parse::<Phone>().map(|it| it.0).as_deref(), Ok("+49301234567"));
        assert_eq!("pt-BR".parse::<Locale>().map(|it| it.0).as_deref(), Ok("pt-BR"));
        assert_eq!("https://A.io/ä".parse::<AvatarUrl>().map(|it| it.0).as_deref(), Ok("https://a.io/%C3%A4"));
        let longest = format!("https://a.io/{}", "a".repeat(2_035));
        assert_eq!(longest.parse::<AvatarUrl>().map(|it| it.0), Ok(longest));
        assert_eq!("Europe/Berlin".parse::<TimeZone>().map(|it| it.0).as_deref(), Ok("Europe/Berlin"));
    }

    #[test]
    fn wrong_forms_are_refused() {
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
        for text in ["", " x", "a\nb", &"x".repeat(201)] {
            assert!(text.parse::<ExternalId>().is_err(), "{text}");
        }
        assert!("e".parse::<Locale>().is_err() && "en_US".parse::<Locale>().is_err());
        assert!("Mars/Olympus".parse::<TimeZone>().is_err());
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
