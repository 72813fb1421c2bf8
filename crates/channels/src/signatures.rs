//! Signatures of providers, by Standard Webhooks.

use secrecy::{ExposeSecret, SecretString};
use tidings_domain::channels::{SignatureHeaders, SignatureVerifier};
use tidings_domain::time::Timestamp;
use tidings_egress::signing::{SigningSecret, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP, verify};

/// Verifies by [Standard Webhooks](https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
#[derive(Debug, Clone, Copy, Default)]
pub struct StandardSignatures;

impl SignatureVerifier for StandardSignatures {
    fn holds(&self, secret: &SecretString, headers: &SignatureHeaders, body: &[u8], now: Timestamp) -> bool {
        let header = |name: &str| match name {
            WEBHOOK_ID => Some(headers.id.as_str()),
            WEBHOOK_TIMESTAMP => Some(headers.timestamp.as_str()),
            WEBHOOK_SIGNATURE => Some(headers.signature.as_str()),
            _ => None,
        };
        let secret = SigningSecret::parse(secret.expose_secret()).ok();
        secret.is_some_and(|secret| verify(&secret, header, body, now.unix_seconds()).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use tidings_egress::signing::sign;

    use super::*;

    const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const OTHER: &str = "whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";

    #[test]
    fn a_request_counts_only_with_its_own_secret_id_time_and_bytes() {
        let now = Timestamp::EPOCH_2026;
        let seconds = now.unix_seconds();
        let signature = sign(&[SigningSecret::parse(SECRET).unwrap()], "m1", seconds, b"{}").standard;
        let headers = SignatureHeaders { id: "m1".into(), timestamp: seconds.to_string(), signature };
        let holds = |secret: &str, headers: &SignatureHeaders, body: &[u8], now| {
            StandardSignatures.holds(&SecretString::from(secret), headers, body, now)
        };
        assert!(holds(SECRET, &headers, b"{}", now));
        assert!(!holds(OTHER, &headers, b"{}", now));
        assert!(!holds(SECRET, &headers, b"{ }", now));
        assert!(!holds(SECRET, &SignatureHeaders { id: "m2".into(), ..headers.clone() }, b"{}", now));
        assert!(!holds(SECRET, &headers, b"{}", now.plus(std::time::Duration::from_secs(301))));
        assert!(!holds("no secret", &headers, b"{}", now));
    }
}
