//! The two signatures of a delivery, as pure functions of secrets, ID, time and body.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;

use super::secret::SigningSecret;

/// The values of the two signature headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signatures {
    /// The value of `X-Service-Signature`.
    pub service: String,
    /// The value of `webhook-signature`.
    pub standard: String,
}

/// Signs a body with every secret, in the given order (by convention the newest first).
///
/// `timestamp` is in Unix seconds. `X-Service-Signature` signs `timestamp.body`; `webhook-signature` signs
/// `id.timestamp.body` (Standard Webhooks, "Signature scheme").
pub fn sign(secrets: &[SigningSecret], id: &str, timestamp: i64, body: &[u8]) -> Signatures {
    let timestamp = timestamp.to_string();
    let (service_content, standard_content) =
        (service_content(&timestamp, body), standard_content(id, &timestamp, body));
    let mut service = format!("t={timestamp}");
    let mut standard = Vec::with_capacity(secrets.len());
    for secret in secrets {
        service.push_str(",v1=");
        service.push_str(&lower_hex(hmac::sign(&secret.whole, &service_content).as_ref()));
        standard.push(format!("v1,{}", STANDARD.encode(hmac::sign(&secret.decoded, &standard_content))));
    }
    Signatures { service, standard: standard.join(" ") }
}

/// Returns the content that `X-Service-Signature` signs.
pub(crate) fn service_content(timestamp: &str, body: &[u8]) -> Vec<u8> {
    [timestamp.as_bytes(), b".", body].concat()
}

/// Returns the content that `webhook-signature` signs.
pub(crate) fn standard_content(id: &str, timestamp: &str, body: &[u8]) -> Vec<u8> {
    [id.as_bytes(), b".", timestamp.as_bytes(), b".", body].concat()
}

fn lower_hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signing::vectors;

    #[test]
    fn signs_the_published_vectors() {
        assert_eq!(vectors::BODY.len(), 245);
        let digest = ring::digest::digest(&ring::digest::SHA256, vectors::BODY.as_bytes());
        assert_eq!(lower_hex(digest.as_ref()), "fce200a7ecb2dfd14e033fec8bc243ffdf2fcc03730b64ae99c0badc14e99c0e");

        let secrets = [vectors::secret_a(), vectors::secret_b()];
        let signatures = sign(&secrets, vectors::ID, vectors::TIMESTAMP, vectors::BODY.as_bytes());
        assert_eq!(signatures.service, vectors::SERVICE_SIGNATURE);
        assert_eq!(signatures.standard, vectors::STANDARD_SIGNATURE);
    }

    #[test]
    fn one_secret_produces_one_signature() {
        let signatures = sign(&[vectors::secret_a()], vectors::ID, vectors::TIMESTAMP, vectors::BODY.as_bytes());
        assert_eq!(Some(signatures.service.as_str()), vectors::SERVICE_SIGNATURE.get(..80));
        assert_eq!(Some(signatures.standard.as_str()), vectors::STANDARD_SIGNATURE.split(' ').next());
    }
}
