//! The stored headers of a webhook.

use tidings_domain::webhooks::{HeaderValue, SealedHeaders};

use crate::connection::faults::Fault;
use crate::queries::rows::{json, to_json};

/// The subject of an error about unreadable text.
pub(crate) const SEALED: &str = "a webhook's sealed headers";

/// The name, the sealed bytes and the shown form of a header.
pub(crate) type SealedHeaderText = (String, Vec<u8>, String);

/// Encodes the headers that are not sealed, which earlier releases write and read.
pub(crate) fn plain_text(headers: &SealedHeaders) -> Result<String, Fault> {
    let plain = headers.iter().filter_map(|(name, value)| match value {
        HeaderValue::Plain(text) => Some((name, text)),
        HeaderValue::Sealed { .. } => None,
    });
    to_json(&plain.collect::<Vec<_>>())
}

pub(crate) fn sealed_text(headers: &SealedHeaders) -> Result<String, Fault> {
    let sealed = headers.iter().filter_map(|(name, value)| match value {
        HeaderValue::Sealed { sealed, shown } => Some((name, sealed, shown)),
        HeaderValue::Plain(_) => None,
    });
    to_json(&sealed.collect::<Vec<_>>())
}

/// Decodes headers. Of two with the same name, the one that is not sealed is newer: only an earlier release writes it.
pub(crate) fn read_headers(plain: &str, sealed: &str) -> Result<SealedHeaders, Fault> {
    let plain: Vec<(String, String)> = json(plain, "a webhook's headers")?;
    let sealed: Vec<SealedHeaderText> = json(sealed, SEALED)?;
    let plain = plain.into_iter().map(|(name, text)| (name, HeaderValue::Plain(text)));
    let sealed = sealed.into_iter().map(|(name, sealed, shown)| (name, HeaderValue::Sealed { sealed, shown }));
    Ok(SealedHeaders::new(plain.chain(sealed)))
}
