//! The stored form of custom headers. Values can be credentials, so they are sealed and shown masked.

use std::collections::BTreeMap;

use super::CustomHeaders;
use crate::error::Error;
use crate::ids::WebhookId;
use crate::ports::{Sealer, StoreError};

/// Replaces the hidden part of a value.
const MASK: &str = "••••";
/// The minimum length of a value of which the last characters are shown.
const SHOWN_FROM: usize = 12;
const SHOWN: usize = 4;

/// A stored value.
#[derive(Clone, PartialEq, Eq)]
pub enum HeaderValue {
    /// Sealed.
    Sealed {
        /// The value, sealed with its webhook and its name as context.
        sealed: Vec<u8>,
        /// The masked value.
        shown: String,
    },
    /// A value of an earlier release. It is sealed at the next start.
    Plain(String),
}

impl HeaderValue {
    fn shown(&self) -> String {
        match self {
            Self::Sealed { shown, .. } => shown.clone(),
            Self::Plain(text) => masked(text),
        }
    }

    fn open(&self, sealer: &dyn Sealer, context: &str) -> Option<String> {
        match self {
            Self::Sealed { sealed, .. } => sealer.open(sealed, context).ok().and_then(|it| String::from_utf8(it).ok()),
            Self::Plain(text) => Some(text.clone()),
        }
    }
}

/// Returns the context of a webhook header's sealed value. The case of the name does not matter.
pub fn header_context(webhook: WebhookId, name: &str) -> String {
    format!("webhook-header:{webhook}:{}", name.to_ascii_lowercase())
}

/// Returns the masked form of a value.
fn masked(text: &str) -> String {
    let length = text.chars().count();
    let end = if length < SHOWN_FROM { length } else { length - SHOWN };
    text.chars().skip(end).fold(MASK.to_owned(), |mut shown, character| {
        shown.push(character);
        shown
    })
}

/// Stored headers, in order, with unique names. Its `Debug` output omits the values.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SealedHeaders(Vec<(String, HeaderValue)>);

impl SealedHeaders {
    /// Creates the list from stored headers. If two names differ only in case, the first header stays.
    pub fn new(headers: impl IntoIterator<Item = (String, HeaderValue)>) -> Self {
        let mut kept: Vec<(String, HeaderValue)> = Vec::new();
        for (name, value) in headers {
            if !kept.iter().any(|(earlier, _)| earlier.eq_ignore_ascii_case(&name)) {
                kept.push((name, value));
            }
        }
        Self(kept)
    }

    /// Whether a value is a masked one. Real values never have this form.
    pub fn is_shown_form(value: &str) -> bool {
        value.starts_with(MASK)
    }

    /// Returns the stored form of the given headers. A value that equals the stored one, or its masked form, keeps the
    /// sealed bytes of `before`.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a masked value that is not the one of this header.
    pub(crate) fn given(
        given: &CustomHeaders,
        before: &Self,
        webhook: WebhookId,
        sealer: &dyn Sealer,
    ) -> Result<Self, Error> {
        let keep = |(name, value): (&str, &str)| {
            let context = header_context(webhook, name);
            let earlier = before.0.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, kept)| kept);
            let is_same = |kept: &&HeaderValue| match Self::is_shown_form(value) {
                true => kept.shown() == value,
                false => kept.open(sealer, &context).as_deref() == Some(value),
            };
            match earlier.filter(is_same) {
                Some(kept) => Ok((name.to_owned(), kept.clone())),
                None if Self::is_shown_form(value) => {
                    let pointer = format!("/headers/{}", name.replace('~', "~0"));
                    let message = "is a masked value, but not the masked value of this header; send the full value";
                    Err(Error::invalid(pointer, "invalid_format", message))
                }
                None => Ok((name.to_owned(), sealed(value, sealer, &context))),
            }
        };
        given.iter().map(keep).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the headers with all values sealed.
    pub(crate) fn all_sealed(&self, webhook: WebhookId, sealer: &dyn Sealer) -> Self {
        let seal = |(name, value): &(String, HeaderValue)| {
            let value = match value {
                HeaderValue::Plain(text) => sealed(text, sealer, &header_context(webhook, name)),
                HeaderValue::Sealed { .. } => value.clone(),
            };
            (name.clone(), value)
        };
        Self(self.0.iter().map(seal).collect())
    }

    /// Returns names and stored values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &HeaderValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Returns names and stored values, to be sealed again.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut HeaderValue)> {
        self.0.iter_mut().map(|(name, value)| (name.as_str(), value))
    }

    /// Whether a value is not yet sealed.
    pub fn has_plain(&self) -> bool {
        self.0.iter().any(|(_, value)| matches!(value, HeaderValue::Plain(_)))
    }

    /// Returns names and values for a delivery.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if a value cannot be opened.
    pub(crate) fn to_send(&self, webhook: WebhookId, sealer: &dyn Sealer) -> Result<Vec<(String, String)>, StoreError> {
        let open = |(name, value): &(String, HeaderValue)| {
            let text = value.open(sealer, &header_context(webhook, name));
            let text = text.ok_or_else(|| StoreError::Corrupt(format!("a header of {webhook} cannot be decrypted")))?;
            Ok((name.clone(), text))
        };
        self.0.iter().map(open).collect()
    }

    /// Returns names and masked values.
    pub fn to_map(&self) -> BTreeMap<String, String> {
        self.0.iter().map(|(name, value)| (name.clone(), value.shown())).collect()
    }
}

fn sealed(text: &str, sealer: &dyn Sealer, context: &str) -> HeaderValue {
    HeaderValue::Sealed { sealed: sealer.seal(text.as_bytes(), context), shown: masked(text) }
}

impl std::fmt::Debug for SealedHeaders {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::TypedId;
    use crate::memory::PlainSealer;

    fn webhook() -> WebhookId {
        WebhookId::from_uuid(Uuid::from_u128(1))
    }

    fn after(before: &SealedHeaders, given: &[(&str, &str)]) -> Result<SealedHeaders, Error> {
        let given = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        SealedHeaders::given(&CustomHeaders::new(given), before, webhook(), &PlainSealer)
    }

    fn sent(headers: &SealedHeaders) -> Vec<(String, String)> {
        headers.to_send(webhook(), &PlainSealer).unwrap()
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn masks_values_and_shows_the_end_of_long_ones_only() {
        assert_eq!(masked("Bearer abcdefg"), "••••defg");
        assert_eq!(masked("123456789012"), "••••9012");
        assert_eq!(masked("12345678901"), "••••");
        let headers = after(&SealedHeaders::default(), &[("Authorization", "Basic 0123456789"), ("X-Tenant", "7")]);
        let headers = headers.unwrap();
        let shown = BTreeMap::from([
            ("Authorization".to_owned(), "••••6789".to_owned()),
            ("X-Tenant".to_owned(), "••••".to_owned()),
        ]);
        assert_eq!(headers.to_map(), shown);
        assert_eq!(sent(&headers), pairs(&[("Authorization", "Basic 0123456789"), ("X-Tenant", "7")]));
        assert_eq!(format!("{headers:?}"), r#"["Authorization", "X-Tenant"]"#);
    }

    #[test]
    fn a_repeated_masked_value_keeps_the_stored_one() {
        let before = after(&SealedHeaders::default(), &[("Authorization", "Basic 0123456789"), ("X-Tenant", "7")]);
        let before = before.unwrap();
        let repeated = after(&before, &[("authorization", "••••6789"), ("X-New", "new")]).unwrap();
        assert_eq!(sent(&repeated), pairs(&[("authorization", "Basic 0123456789"), ("X-New", "new")]));
        assert_eq!(after(&before, &[("Authorization", "Basic 0123456789"), ("X-Tenant", "••••")]), Ok(before.clone()));
        for (name, value) in [("Authorization", "••••0000"), ("Authorization", "••••"), ("X-Other", "••••6789")]
        {
            let refused = after(&before, &[(name, value)]).unwrap_err();
            assert!(matches!(refused, Error::Invalid(it) if it[0].pointer == format!("/headers/{name}")), "{name}");
        }
    }

    #[test]
    fn plain_values_of_earlier_releases_work_like_sealed_ones() {
        let plain = SealedHeaders::new([("X-Key".to_owned(), HeaderValue::Plain("0123456789abcdef".to_owned()))]);
        let sealed = plain.all_sealed(webhook(), &PlainSealer);
        assert!(plain.has_plain() && !sealed.has_plain());
        assert_eq!((plain.to_map(), sent(&plain)), (sealed.to_map(), sent(&sealed)));
        assert_eq!(after(&plain, &[("x-key", "••••cdef")]).map(|it| sent(&it)).unwrap()[0].1, "0123456789abcdef");
    }
}
