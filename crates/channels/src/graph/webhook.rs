//! Requests of Meta to an inbound address, <https://developers.facebook.com/docs/graph-api/webhooks/getting-started>.

use ring::hmac;
use tidings_domain::channels::{Handshake, InboundRequest, Unverified};
use url::form_urlencoded;

use crate::secrets::is_same;

/// The header with the signature: `sha256=` and the hexadecimal HMAC-SHA256 of the raw body, with the app secret as the
/// key.
pub(crate) const SIGNATURE: &str = "x-hub-signature-256";
/// Number of hexadecimal digits of a signature.
const DIGITS: usize = 64;
/// Maximum number of bytes of a challenge.
const MAX_CHALLENGE: usize = 1_024;

/// Answers the GET request with which Meta checks the address. The token must be the one of the registration.
pub(crate) fn answer_challenge(query: &str, token: &str) -> Handshake {
    let value = |name: &str| {
        let mut members = form_urlencoded::parse(query.as_bytes());
        members.find(|(own, _)| own == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    let challenge = value("hub.challenge");
    let is_challenge = value("hub.mode") == "subscribe" && (1..=MAX_CHALLENGE).contains(&challenge.len());
    match is_challenge && !token.is_empty() && is_same(&value("hub.verify_token"), token) {
        true => Handshake::Accepted(challenge),
        false => Handshake::Refused,
    }
}

/// Whether a request has a signature in the documented form.
pub(crate) fn is_signed(request: &InboundRequest) -> bool {
    request.header(SIGNATURE).and_then(digest).is_some()
}

/// Verifies the signature over the raw body. Meta escapes characters in its JSON, so a parsed body cannot be verified.
///
/// # Errors
/// [`Unverified::Signature`].
pub(crate) fn verify(secret: &str, request: &InboundRequest) -> Result<(), Unverified> {
    let signature = request.header(SIGNATURE).and_then(digest).ok_or(Unverified::Signature)?;
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    hmac::verify(&key, &request.body, &signature).map_err(|_| Unverified::Signature)
}

fn digest(header: &str) -> Option<Vec<u8>> {
    let digits = header.trim().strip_prefix("sha256=")?;
    if digits.len() != DIGITS || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let byte = |start: usize| u8::from_str_radix(digits.get(start..start + 2)?, 16).ok();
    (0..DIGITS).step_by(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body as Meta writes it: with an escaped slash and an escaped emoji.
    const BODY: &str = r#"{"text":"a\/b \ud83e\udd80"}"#;

    fn signed(secret: &str, body: &str) -> String {
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), body.as_bytes());
        tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn a_request(signature: Option<&str>, body: &str) -> InboundRequest {
        let headers = signature.map(|value| (SIGNATURE.to_owned(), value.to_owned())).into_iter().collect();
        InboundRequest { headers, body: body.as_bytes().to_vec(), ..InboundRequest::default() }
    }

    #[test]
    fn verifies_the_raw_body() {
        let digits = signed("app-secret", BODY);
        for value in
            [format!("sha256={digits}"), format!("sha256={}", digits.to_uppercase()), format!(" sha256={digits} ")]
        {
            assert!(is_signed(&a_request(Some(&value), "")), "{value}");
            assert_eq!(verify("app-secret", &a_request(Some(&value), BODY)), Ok(()), "{value}");
            let written_again = serde_json::from_str::<serde_json::Value>(BODY).unwrap().to_string();
            let changed = verify("app-secret", &a_request(Some(&value), &written_again));
            assert_eq!(changed, Err(Unverified::Signature));
            assert_eq!(verify("other", &a_request(Some(&value), BODY)), Err(Unverified::Signature));
        }
    }

    #[test]
    fn rejects_signatures_of_another_form() {
        let digits = signed("app-secret", BODY);
        let sha1 = format!("sha1={digits}");
        let (short, long) = (format!("sha256={}", &digits[1..]), format!("sha256={digits}0"));
        let signs = format!("sha256={}", "+1".repeat(32));
        for value in [
            None,
            Some(""),
            Some("sha256="),
            Some(digits.as_str()),
            Some(sha1.as_str()),
            Some(short.as_str()),
            Some(long.as_str()),
            Some(signs.as_str()),
        ] {
            assert!(!is_signed(&a_request(value, "")), "{value:?}");
            assert_eq!(verify("app-secret", &a_request(value, BODY)), Err(Unverified::Signature), "{value:?}");
        }
    }

    #[test]
    fn answers_a_challenge_with_its_token() {
        let query = |token: &str| format!("hub.mode=subscribe&hub.verify_token={token}&hub.challenge=11%2B58&x=1");
        assert_eq!(answer_challenge(&query("t0ken"), "t0ken"), Handshake::Accepted("11+58".to_owned()));
        for (query, token) in [
            (query("t0ke"), "t0ken"),
            (query("t0kens"), "t0ken"),
            (query(""), ""),
            (query("t0ken").replace("subscribe", "unsubscribe"), "t0ken"),
            ("hub.mode=subscribe&hub.verify_token=t0ken".to_owned(), "t0ken"),
            (query("t0ken").replace("11%2B58", &"1".repeat(1_025)), "t0ken"),
            (String::new(), "t0ken"),
            ("%ff%fe&&==".to_owned(), "t0ken"),
        ] {
            assert_eq!(answer_challenge(&query, token), Handshake::Refused, "{query}");
        }
    }
}
