use tidings_egress::signing::sign;

use super::*;
use crate::email::channel_type::STANDARD_WEBHOOKS;
use crate::email::test_settings::{SECRET, settings};

const NOW: i64 = 1_767_225_600;
const MAIL: &str = "From: ada@example.com\r\n\r\nHi\r\n";

fn request(content_type: &str, headers: &[(&str, &str)], body: &[u8]) -> InboundRequest {
    let own = [("content-type", content_type)];
    InboundRequest {
        headers: own.iter().chain(headers).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        body: body.to_vec(),
        ..InboundRequest::default()
    }
}

fn passes(auth: &str, request: &InboundRequest) -> bool {
    is_signed(request) && is_from_the_relay(request, &settings(auth), NOW)
}

fn signed(body: &[u8], at: i64) -> InboundRequest {
    let signature = sign(&[SigningSecret::parse(SECRET).unwrap()], "in_1", at, body).standard;
    let at = at.to_string();
    let headers = [(WEBHOOK_ID, "in_1"), (WEBHOOK_TIMESTAMP, at.as_str()), (WEBHOOK_SIGNATURE, signature.as_str())];
    request("message/rfc822", &headers, body)
}

#[test]
fn checks_standard_webhooks() {
    assert!(passes(STANDARD_WEBHOOKS, &signed(MAIL.as_bytes(), NOW)));
    assert!(!passes(STANDARD_WEBHOOKS, &signed(MAIL.as_bytes(), NOW - 301)));
    let changed = InboundRequest { body: b"other".to_vec(), ..signed(MAIL.as_bytes(), NOW) };
    assert!(!passes(STANDARD_WEBHOOKS, &changed));
    assert!(!passes(BASIC, &signed(MAIL.as_bytes(), NOW)), "the channel expects a password");
    let bare = request("message/rfc822", &[], MAIL.as_bytes());
    assert!(!is_signed(&bare));
}

#[test]
fn checks_the_password_of_basic() {
    let with = |value: &str| request("message/rfc822", &[("authorization", value)], MAIL.as_bytes());
    let encoded = |text: &str| STANDARD.encode(text);
    assert!(passes(BASIC, &with(&format!("Basic {}", encoded(&format!("relay:{SECRET}"))))));
    assert!(passes(BASIC, &with(&format!("basic {}", encoded(&format!(":{SECRET}"))))));
    for value in [
        format!("Basic {}", encoded("relay:wrong")),
        format!("Basic {}", encoded(&format!("relay:{SECRET}x"))),
        format!("Basic {}", encoded(SECRET)),
        format!("Bearer {}", encoded(&format!("relay:{SECRET}"))),
        "Basic !".to_owned(),
        "Basic".to_owned(),
        String::new(),
    ] {
        assert!(!passes(BASIC, &with(&value)), "{value}");
    }
    let unset = Settings { inbound_secret: String::new(), ..settings(BASIC) };
    let empty = with(&format!("Basic {}", encoded("relay:")));
    assert!(!is_from_the_relay(&empty, &unset, NOW), "a channel without a secret accepts nothing");
}

fn mailgun(at: i64, key: &str) -> InboundRequest {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes());
    let tag = hmac::sign(&key, format!("{at}t0ken").as_bytes());
    let signature: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let body =
        format!("timestamp={at}&token=t0ken&signature={signature}&body-mime=From%3A+ada%40example.com%0D%0A%0D%0AHi");
    request("application/x-www-form-urlencoded", &[], body.as_bytes())
}

#[test]
fn checks_the_signature_of_mailgun() {
    assert!(passes(MAILGUN, &mailgun(NOW, SECRET)));
    assert!(passes(MAILGUN, &mailgun(NOW - MAILGUN_TOLERANCE, SECRET)));
    for wrong in [mailgun(NOW - MAILGUN_TOLERANCE - 1, SECRET), mailgun(NOW + 600, SECRET), mailgun(NOW, "other")] {
        assert!(!passes(MAILGUN, &wrong));
    }
    let unsigned = request("application/x-www-form-urlencoded", &[], b"body-mime=x&timestamp=1&token=a");
    assert!(is_signed(&unsigned) && !passes(MAILGUN, &unsigned));
    let odd = request("application/x-www-form-urlencoded", &[], b"timestamp=1767225600&token=a&signature=xyz");
    assert!(!passes(MAILGUN, &odd));
}

#[test]
fn finds_the_mail_of_each_relay() {
    let found = |request: &InboundRequest| mail(request).map(|it| String::from_utf8(it.into_owned()).unwrap());
    assert_eq!(found(&request("message/rfc822", &[], MAIL.as_bytes())).as_deref(), Some(MAIL));
    let json = serde_json::json!({"RawEmail": MAIL, "From": "x", "Attachments": []}).to_string();
    assert_eq!(found(&request("application/json; charset=utf-8", &[], json.as_bytes())).as_deref(), Some(MAIL));
    assert_eq!(found(&mailgun(NOW, SECRET)).as_deref(), Some("From: ada@example.com\r\n\r\nHi"));
    let form = format!("--b\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\n{MAIL}\r\n--b--\r\n");
    assert_eq!(found(&request("multipart/form-data; boundary=b", &[], form.as_bytes())).as_deref(), Some(MAIL));
    for (content_type, body) in [("application/json", "{}"), ("application/json", "no"), ("multipart/form-data", "x")] {
        assert_eq!(found(&request(content_type, &[], body.as_bytes())), None, "{content_type}");
    }
}
