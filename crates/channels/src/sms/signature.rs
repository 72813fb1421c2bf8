//! The signature of Twilio's requests, <https://www.twilio.com/docs/usage/security#validating-requests>: HMAC-SHA1 with
//! the auth token over the URL and the parameters.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::{digest, hmac};
use tidings_domain::channels::InboundRequest;

use super::form::{Parameters, is_json};

/// The header with the signature.
pub(super) const SIGNATURE_HEADER: &str = "x-twilio-signature";
/// The parameter of the query with the SHA-256 of a body that is not a form.
const BODY_HASH: &str = "bodySHA256";
/// Maximum length of a signature in characters: base64 of 20 bytes has 28.
const LONGEST: usize = 64;

/// Whether a request may have a signature.
pub(super) fn is_present(request: &InboundRequest) -> bool {
    request.header(SIGNATURE_HEADER).is_some_and(|signature| (1..=LONGEST).contains(&signature.len()))
}

/// Whether Twilio signed the request with this token. The URL is the one that this server registered at Twilio; the
/// `Host` header is not used.
pub(super) fn is_valid(request: &InboundRequest, token: &str) -> bool {
    let presented = request.header(SIGNATURE_HEADER).filter(|signature| signature.len() <= LONGEST);
    let presented = presented.and_then(|signature| STANDARD.decode(signature).ok());
    let (Some(presented), Some(url)) = (presented, &request.url) else { return false };
    let Some(signed) = signed_parameters(request) else { return false };
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, token.as_bytes());
    let is_of = |url: &String| hmac::verify(&key, format!("{url}{signed}").as_bytes(), &presented).is_ok();
    !token.is_empty() && candidates(url).iter().any(is_of)
}

/// Returns the signed text of the parameters: names in order, each with its values as an ordered set. A JSON body is
/// signed by its hash in the URL. `None` if the body cannot be signed.
fn signed_parameters(request: &InboundRequest) -> Option<String> {
    if is_json(request) {
        let query = Parameters::of_query(&request.query)?;
        let expected = hexadecimal(digest::digest(&digest::SHA256, &request.body).as_ref());
        return (query.get(BODY_HASH)? == expected).then(String::new);
    }
    let parameters = Parameters::of_form(&request.body)?;
    let mut sorted: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, value) in parameters.pairs() {
        sorted.entry(name).or_default().insert(value);
    }
    let mut signed = String::new();
    for (name, values) in sorted {
        for value in values {
            signed.push_str(name);
            signed.push_str(value);
        }
    }
    Some(signed)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns the forms of a URL that Twilio may have signed: as it is, with its port or the default one, and without a
/// port. Twilio is not consistent about the port.
fn candidates(url: &str) -> Vec<String> {
    let mut candidates = vec![url.to_owned()];
    if let Some((scheme, rest)) = url.split_once("://") {
        let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            Some(_) | None => authority,
        };
        let port = if scheme == "https" { 443 } else { 80 };
        let other = match host == authority {
            true => format!("{scheme}://{authority}:{port}{path}"),
            false => format!("{scheme}://{host}{path}"),
        };
        candidates.push(other);
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signs as the libraries of Twilio do.
    fn sign(token: &str, signed: &str) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, token.as_bytes());
        STANDARD.encode(hmac::sign(&key, signed.as_bytes()))
    }

    fn request(url: &str, media_type: &str, body: &str, signature: &str) -> InboundRequest {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        InboundRequest {
            headers: vec![header("content-type", media_type), header(SIGNATURE_HEADER, signature)],
            query: url.split_once('?').map(|(_, query)| query.to_owned()).unwrap_or_default(),
            url: Some(url.to_owned()),
            body: body.as_bytes().to_vec(),
        }
    }

    fn form(url: &str, body: &str, signature: &str) -> InboundRequest {
        request(url, "application/x-www-form-urlencoded; charset=UTF-8", body, signature)
    }

    #[test]
    fn accepts_the_example_of_the_documentation() {
        let body = "Digits=1234&To=%2B18005551212&From=%2B14158675310&Caller=%2B14158675310&CallSid=CA1234567890ABCDE";
        let signed = form("https://example.com/myapp.php?foo=1&bar=2", body, "L/OH5YylLD5NRKLltdqwSvS0BnU=");
        assert!(is_valid(&signed, "12345"));
        assert!(!is_valid(&signed, "12346") && !is_valid(&signed, ""));
        for wrong in ["", "L/OH5YylLD5NRKLltdqwSvS0BnY=", "L/OH5YylLD5NRKLltdqwSvS0Bn", "?"] {
            assert!(!is_valid(&form("https://example.com/myapp.php?foo=1&bar=2", body, wrong), "12345"), "{wrong}");
        }
        let moved =
            InboundRequest { url: Some("https://example.org/myapp.php?foo=1&bar=2".to_owned()), ..signed.clone() };
        assert!(!is_valid(&moved, "12345"));
        assert!(!is_valid(&InboundRequest { url: None, ..signed }, "12345"));
    }

    #[test]
    fn accepts_the_url_with_and_without_its_port() {
        for (known, signed, expected) in [
            ("https://a.example/in?x=1", "https://a.example:443/in?x=1", true),
            ("http://a.example/in", "http://a.example:80/in", true),
            ("https://a.example:443/in", "https://a.example/in", true),
            ("https://a.example:8443/in", "https://a.example:8443/in", true),
            ("https://a.example:8443/in", "https://a.example/in", true),
            ("https://[2001:db8::1]:8443/in", "https://[2001:db8::1]/in", true),
            ("https://[2001:db8::1]/in", "https://[2001:db8::1]:443/in", true),
            ("https://a.example?x=1", "https://a.example:443?x=1", true),
            ("https://a.example/in", "https://a.example:80/in", false),
            ("https://a.example/in", "http://a.example/in", false),
            ("https://a.example/in", "https://a.example/in?x=1", false),
        ] {
            let signature = sign("token", &format!("{signed}BodyHi"));
            assert_eq!(is_valid(&form(known, "Body=Hi", &signature), "token"), expected, "{known} {signed}");
        }
    }

    #[test]
    fn sorts_names_and_takes_values_as_a_set() {
        let url = "https://a.example/in";
        for (body, signed) in [
            ("", ""),
            ("b=2&a=1", "a1b2"),
            ("a=2&b=&a=1&a=2", "a1a2b"),
            ("Body=Zo%C3%AB+%F0%9F%A6%80&a", "BodyZoë 🦀a"),
            ("B=1&a=2", "B1a2"),
        ] {
            let signature = sign("token", &format!("{url}{signed}"));
            assert!(is_valid(&form(url, body, &signature), "token"), "{body}");
        }
    }

    #[test]
    fn checks_the_hash_of_a_json_body() {
        let body = r#"{"MessageSid":"SM1"}"#;
        let hash = hexadecimal(digest::digest(&digest::SHA256, body.as_bytes()).as_ref());
        let url = format!("https://a.example/in?bodySHA256={hash}");
        let signature = sign("token", &url);
        let json = |url: &str, body: &str| request(url, "application/json", body, &signature);
        assert!(is_valid(&json(&url, body), "token"));
        assert!(!is_valid(&json(&url, r#"{"MessageSid":"SM2"}"#), "token"));
        // Without the hash, the signature says nothing about the body.
        let bare = "https://a.example/in";
        assert!(!is_valid(&request(bare, "application/json", body, &sign("token", bare)), "token"));
    }

    #[test]
    fn bounds_the_number_of_parameters() {
        let body = "a&".repeat(10_000);
        let signature = sign("token", "https://a.example/ina");
        assert!(!is_valid(&form("https://a.example/in", &body, &signature), "token"));
    }
}
