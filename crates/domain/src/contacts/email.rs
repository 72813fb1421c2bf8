//! Email addresses: the displayed form, and the key for comparing addresses.

use std::fmt;
use std::str::FromStr;

use email_address::{EmailAddress, Options};
use unicode_normalization::UnicodeNormalization;

use super::InvalidAttribute;
use super::forms::{AttributeValue, MAX_EMAIL};
use crate::text::characters::{is_joiner, plain_char};

/// An email address (RFC 5321 §4.1.2, RFC 6531), trimmed and lower-cased, of at most 254 bytes.
///
/// It is displayed as written. Two addresses are equal if their keys are equal: the local part in NFC, the domain by
/// UTS 46 (non-transitional) in Unicode. Diacritics, look-alikes, dots and `+tags` make addresses different.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Email {
    written: String,
    /// The key, if it differs from the written form.
    key: Option<String>,
}

impl Email {
    /// The address as written, in lower case.
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// The key for comparing addresses.
    pub fn key(&self) -> &str {
        self.key.as_deref().unwrap_or(&self.written)
    }

    /// Whether both are the same address, regardless of spelling.
    pub fn is(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    /// The key by the current rules. The store may have a key by earlier rules.
    pub fn canonical(&self) -> String {
        canonical(&self.written)
    }

    /// Keys of this address by earlier rules. A store may have them from before addresses were normalised.
    pub fn earlier_keys(&self) -> Vec<String> {
        let mut earlier: Vec<String> = ascii_form(self.key()).into_iter().chain([self.written.clone()]).collect();
        earlier.retain(|it| it != self.key());
        earlier.dedup();
        earlier
    }

    /// Restores an address from its stored text.
    pub fn from_store(text: String) -> Self {
        let key = canonical(&text);
        Self::stored(key, Some(text))
    }

    /// Restores an address from its stored key, and the written form if it differs.
    pub fn stored(key: String, written: Option<String>) -> Self {
        match written {
            // A server of the previous release may have changed only the key.
            Some(written) if written != key && canonical(&written) == canonical(&key) => {
                Self { written, key: Some(key) }
            }
            Some(_) | None => Self { written: key, key: None },
        }
    }
}

impl fmt::Display for Email {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.written)
    }
}

impl FromStr for Email {
    type Err = InvalidAttribute;

    fn from_str(text: &str) -> Result<Self, InvalidAttribute> {
        const WRONG: InvalidAttribute = InvalidAttribute("expected an email address such as ada@example.com");
        let written = visible(text).trim().to_lowercase();
        let key = canonical(&written);
        let options = Options::default().without_display_text().without_domain_literal().with_required_tld();
        let is_right = |text: &str| text.len() <= MAX_EMAIL && EmailAddress::parse_with_options(text, options).is_ok();
        if is_right(&key) && written.len() <= MAX_EMAIL { Ok(Self::stored(key, Some(written))) } else { Err(WRONG) }
    }
}

impl AttributeValue for Email {
    #[cfg(feature = "openapi")]
    const MOST: Option<usize> = Some(MAX_EMAIL);

    fn read(text: &str) -> Result<Self, String> {
        text.parse().map_err(|InvalidAttribute(why)| why.to_owned())
    }

    fn text(&self) -> &str {
        self.as_str()
    }
}

/// Removes invisible characters and typographic signs. Joiners stay between letters of scripts that need them.
fn visible(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let needs = |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && c.is_alphabetic());
    while let Some(c) = chars.next() {
        if !is_joiner(c) {
            plain.extend(plain_char(c));
        } else if needs(plain.chars().next_back()) && needs(chars.peek().copied()) {
            plain.push(c);
        }
    }
    plain
}

/// Returns the key of a lower-case address.
pub fn canonical(address: &str) -> String {
    if address.is_ascii() && !address.contains("xn--") {
        return address.to_owned();
    }
    match address.rsplit_once('@') {
        Some((local, domain)) => format!("{}@{}", local.nfc(), domain_in_unicode(domain)),
        None => address.nfc().collect(),
    }
}

/// Returns a domain by UTS 46 (non-transitional) in Unicode, if it has a valid form.
fn domain_in_unicode(domain: &str) -> String {
    let plain = || domain.nfc().collect();
    match idna::domain_to_ascii(domain) {
        Ok(ascii) => match idna::domain_to_unicode(&ascii) {
            (unicode, Ok(())) => unicode,
            (_, Err(_)) => ascii,
        },
        Err(_) => plain(),
    }
}

/// Returns the address with its domain in ASCII (Punycode), if that differs.
fn ascii_form(address: &str) -> Option<String> {
    let (local, domain) = address.rsplit_once('@')?;
    let ascii = idna::domain_to_ascii(domain).ok().filter(|ascii| ascii != domain)?;
    Some(format!("{local}@{ascii}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn email(text: &str) -> Email {
        text.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"))
    }

    #[test]
    fn spellings_of_one_address_share_a_key_but_keep_their_form() {
        for (one, other) in [
            ("opt@münchen.de", "opt@xn--mnchen-3ya.de"),
            ("opt@münchen.de", "opt@MÜNCHEN.de"),
            ("opt@münchen.de", "opt@mu\u{308}nchen.de"),
            ("jose\u{301}@example.com", "josé@example.com"),
            ("opt@例え.jp", "opt@例え。jp"),
            ("opt@straße.de", "opt@xn--strae-oqa.de"),
            ("o'neil@example.com", "o\u{2019}neil@example.com"),
            ("ada@example.com", "\u{feff}ada\u{200b}@exam\u{ad}ple.com\u{a0}"),
            ("ada@example.com", "ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ"),
            ("a-b@example.com", "a\u{2011}b@example.com"),
            ("ada@example.com", "\u{200e}ada@example.com\u{200f}"),
            ("ada@example.com", "a\u{200d}da@example.com"),
        ] {
            assert_eq!(email(one).key(), email(other).key(), "{one} {other}");
            assert_eq!(email(email(other).as_str()), email(other), "the displayed form parses to the same address");
        }
        assert_eq!(email("Opt@xn--mnchen-3ya.DE").as_str(), "opt@xn--mnchen-3ya.de");
        assert_eq!(email("opt@xn--mnchen-3ya.de").earlier_keys(), ["opt@xn--mnchen-3ya.de"]);
        assert_eq!(email("opt@münchen.de").earlier_keys(), ["opt@xn--mnchen-3ya.de"]);
        assert!(email("ada@example.com").earlier_keys().is_empty());
    }

    #[test]
    fn similar_addresses_have_different_keys() {
        for (one, other) in [
            ("opt@straße.de", "opt@strasse.de"),
            ("jose@example.com", "josé@example.com"),
            ("ada@example.com", "ada+news@example.com"),
            ("ada.l@example.com", "adal@example.com"),
            ("ada@example.com", "аda@example.com"),
            ("ﬁ@example.com", "fi@example.com"),
            ("ada@paypal.com", "ada@pаypal.com"),
        ] {
            assert_ne!(email(one).key(), email(other).key(), "{one} {other}");
        }
    }

    #[test]
    fn keeps_a_stored_key_and_computes_the_key_of_other_texts() {
        let kept = Email::stored("opt@xn--mnchen-3ya.de".to_owned(), None);
        assert_eq!((kept.as_str(), kept.key()), ("opt@xn--mnchen-3ya.de", "opt@xn--mnchen-3ya.de"));
        let written = Email::from_store("opt@xn--mnchen-3ya.de".to_owned());
        assert_eq!((written.as_str(), written.key()), ("opt@xn--mnchen-3ya.de", "opt@münchen.de"));
    }

    proptest::proptest! {
        #[test]
        fn the_key_of_a_key_is_the_same_key(text in r"[\PC]{1,12}@[\PC]{1,12}\.(de|jp|com)|[a-zäßłø'.+]{1,8}@(xn--)?[a-zäß0-9-]{1,12}\.de") {
            if let Ok(email) = text.parse::<Email>() {
                let again = Email::from_store(email.key().to_owned());
                proptest::prop_assert_eq!(again.key(), email.key());
            }
        }
    }
}
