//! The headers that a webhook sends, as they are kept.

use tidings_domain::webhooks::{HeaderValue, SealedHeaders};

use crate::faults::Fault;
use crate::rows::{json, to_json};

/// What a text is that cannot be read.
pub(crate) const SEALED: &str = "a webhook's sealed headers";

/// Name, bytes and shown form.
pub(crate) type SealedHeaderText = (String, Vec<u8>, String);

/// The headers that are not sealed: those that releases before wrote, and read.
pub(crate) fn plain_text(headers: &SealedHeaders) -> Result<String, Fault> {
    let plain = headers.iter().filter_map(|(name, value)| match value {
        HeaderValue::Plain(text) => Some((name, text)),
        HeaderValue::Sealed { .. } => None,
    });
    to_json(&plain.collect::<Vec<_>>())
}

/// The headers that are sealed.
pub(crate) fn sealed_text(headers: &SealedHeaders) -> Result<String, Fault> {
    let sealed = headers.iter().filter_map(|(name, value)| match value {
        HeaderValue::Sealed { sealed, shown } => Some((name, sealed, shown)),
        HeaderValue::Plain(_) => None,
    });
    to_json(&sealed.collect::<Vec<_>>())
}

/// The headers that are not sealed come first: a release before wrote them later.
pub(crate) fn read_headers(plain: &str, sealed: &str) -> Result<SealedHeaders, Fault> {
    let plain: Vec<(String, String)> = json(plain, "a webhook's headers")?;
    let sealed: Vec<SealedHeaderText> = json(sealed, SEALED)?;
    let plain = plain.into_iter().map(|(name, text)| (name, HeaderValue::Plain(text)));
    let sealed = sealed.into_iter().map(|(name, sealed, shown)| (name, HeaderValue::Sealed { sealed, shown }));
    Ok(SealedHeaders::new(plain.chain(sealed)))
}
