//! Verification by the receiver: the request is from the service, unchanged and recent.

use std::time::Duration;

use super::secret::SigningSecret;
use super::signature::{service_content, standard_content};
use super::{SERVICE_SIGNATURE, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;

#[cfg(test)]
mod tests;

/// The largest difference between a signature's time and the receiver's time, in either direction.
pub const TOLERANCE: Duration = Duration::from_secs(300);

/// The most signatures of one header. Each one costs an HMAC over the whole body, before the sender is known.
const MAX_SIGNATURES: usize = 10;

/// The reason why a request is not trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The request has neither `X-Service-Signature` nor `webhook-signature`.
    #[error("the request carries no signature")]
    Unsigned,
    /// A header that the signature needs is missing.
    #[error("the header {0} is missing")]
    Missing(&'static str),
    /// A header does not have the documented format.
    #[error("the header {0} is malformed")]
    Malformed(&'static str),
    /// The signature is older than [`TOLERANCE`]; it may be a replay.
    #[error("the signature is too old")]
    TooOld,
    /// The signature is more than [`TOLERANCE`] in the future: one of the clocks is wrong.
    #[error("the signature is from the future")]
    FromTheFuture,
    /// No signature in this header matches secret, time and body.
    #[error("no signature in {0} matches")]
    Mismatch(&'static str),
}

/// Verifies a request with one secret. At least one signature header is required, and each one that is present must
/// match. Comparisons take constant time.
///
/// `header` returns a header by its lower-case name, `body` is the raw body before any parsing, and `now` is the
/// receiver's time in Unix seconds.
///
/// # Errors
/// [`VerifyError`] with the first problem found.
pub fn verify<'h>(
    secret: &SigningSecret,
    header: impl Fn(&str) -> Option<&'h str>,
    body: &[u8],
    now: i64,
) -> Result<(), VerifyError> {
    let (service, standard) = (header(SERVICE_SIGNATURE), header(WEBHOOK_SIGNATURE));
    if service.is_none() && standard.is_none() {
        return Err(VerifyError::Unsigned);
    }
    if let Some(signature) = service {
        verify_service(secret, signature, body, now)?;
    }
    if let Some(signature) = standard {
        let id = header(WEBHOOK_ID).ok_or(VerifyError::Missing(WEBHOOK_ID))?;
        let timestamp = header(WEBHOOK_TIMESTAMP).ok_or(VerifyError::Missing(WEBHOOK_TIMESTAMP))?;
        verify_standard(secret, id, timestamp, signature, body, now)?;
    }
    Ok(())
}

/// Verifies `t=<unix seconds>,v1=<hex>[,v1=<hex>]`. Fields with other names are reserved for later versions and
/// ignored.
fn verify_service(secret: &SigningSecret, value: &str, body: &[u8], now: i64) -> Result<(), VerifyError> {
    let malformed = VerifyError::Malformed(SERVICE_SIGNATURE);
    let (mut timestamp, mut tags) = (None, Vec::new());
    for field in value.split(',') {
        match field.split_once('=').ok_or(malformed)? {
            ("t", _) if timestamp.is_some() => return Err(malformed),
            ("t", seconds) => timestamp = Some(seconds),
            ("v1", _) if tags.len() == MAX_SIGNATURES => return Err(malformed),
            ("v1", hex) => tags.push(read_hex(hex).ok_or(malformed)?),
            _ => {}
        }
    }
    let timestamp = timestamp.ok_or(malformed)?;
    check_freshness(timestamp, now, malformed)?;
    let content = service_content(timestamp, body);
    one_fits(&secret.whole, &content, &tags, VerifyError::Mismatch(SERVICE_SIGNATURE))
}

/// Verifies `v1,<base64>`, separated by spaces. Other versions, such as the asymmetric `v1a`, are ignored.
fn verify_standard(
    secret: &SigningSecret,
    id: &str,
    timestamp: &str,
    value: &str,
    body: &[u8],
    now: i64,
) -> Result<(), VerifyError> {
    let malformed = VerifyError::Malformed(WEBHOOK_SIGNATURE);
    let mut tags = Vec::new();
    for signature in value.split(' ') {
        let (version, encoded) = signature.split_once(',').ok_or(malformed)?;
        if version == "v1" {
            if tags.len() == MAX_SIGNATURES {
                return Err(malformed);
            }
            tags.push(STANDARD.decode(encoded).map_err(|_| malformed)?);
        }
    }
    check_freshness(timestamp, now, VerifyError::Malformed(WEBHOOK_TIMESTAMP))?;
    let content = standard_content(id, timestamp, body);
    one_fits(&secret.decoded, &content, &tags, VerifyError::Mismatch(WEBHOOK_SIGNATURE))
}

fn one_fits(key: &hmac::Key, content: &[u8], tags: &[Vec<u8>], otherwise: VerifyError) -> Result<(), VerifyError> {
    let fits = tags.iter().any(|tag| hmac::verify(key, content, tag).is_ok());
    if fits { Ok(()) } else { Err(otherwise) }
}

fn check_freshness(seconds: &str, now: i64, malformed: VerifyError) -> Result<(), VerifyError> {
    let digits = !seconds.is_empty() && seconds.bytes().all(|byte| byte.is_ascii_digit());
    let signed: i64 = seconds.parse().ok().filter(|_| digits).ok_or(malformed)?;
    let tolerance = TOLERANCE.as_secs().cast_signed();
    let age = now.saturating_sub(signed);
    if age > tolerance {
        Err(VerifyError::TooOld)
    } else if age < -tolerance {
        Err(VerifyError::FromTheFuture)
    } else {
        Ok(())
    }
}

/// Decodes lower-case hexadecimal only, so each signature has one spelling.
fn read_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect();
    if rest.is_empty() { bytes } else { None }
}
