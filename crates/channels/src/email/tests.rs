use tidings_domain::channels::SendContext;
use tidings_domain::conversations::Content;
use tidings_domain::memory::{FixedClock, MemoryFiles};
use tidings_egress::EgressSettings;

use super::channel_type::{BASIC, MAILGUN, STANDARD_WEBHOOKS};
use super::test_settings::{NOW, SECRET, channel, config, message_id, sealer, secrets};
use super::*;

fn connector() -> EmailConnector {
    let settings = EgressSettings { allow_loopback: true, ..EgressSettings::default() };
    let clock = Arc::new(FixedClock::default());
    let files = Arc::new(MemoryFiles::new(clock.clone()));
    EmailConnector::new(Egress::new(settings).unwrap(), clock, Arc::new(sealer()), files)
}

fn a_message(channel: Channel) -> Outbound {
    Outbound {
        channel,
        message: message_id(),
        address: "ada@example.com".to_owned(),
        external_id: None,
        content: Content::text("Hello"),
        created_at: NOW,
        attempts: 0,
        context: SendContext::default(),
    }
}

#[tokio::test]
async fn checks_the_settings_before_a_connection() {
    let steps = [
        (config(BASIC), serde_json::json!({"smtp_user": "ada", "inbound_secret": "x"}), "configuration", None),
        (config(BASIC), serde_json::json!({"smtp_password": "x", "inbound_secret": "x"}), "configuration", None),
        (config(STANDARD_WEBHOOKS), serde_json::json!({"inbound_secret": "short"}), "inbound", Some("inbound_secret")),
    ];
    for (config, secrets, step, secret) in steps {
        let failed = connector().connect(&channel(config, &secrets), "https://x.example").await.unwrap_err();
        assert_eq!((failed.step, failed.secret), (step, secret), "{failed:?}");
    }
    let mut wrong = config(BASIC);
    wrong["from"]["address"] = "no address".into();
    let failed = connector().connect(&channel(wrong.clone(), &secrets()), "https://x.example").await.unwrap_err();
    assert!(failed.hint.contains("config.from.address"), "{failed:?}");
    let outcome = connector().send(a_message(channel(wrong, &secrets()))).await;
    assert!(matches!(outcome, SendOutcome::ChannelFailed { .. }), "an admin can correct the channel: {outcome:?}");
}

#[tokio::test]
async fn the_address_wall_applies_to_mail_servers() {
    for (host, port, step) in [("10.0.0.1", 465, "address"), ("smtp.example.com", 22, "address")] {
        let mut config = config(BASIC);
        config["smtp"]["host"] = host.into();
        config["smtp"]["port"] = port.into();
        let channel = channel(config, &secrets());
        let failed = connector().connect(&channel, "https://x.example").await.unwrap_err();
        assert_eq!(failed.step, step, "{failed:?}");
        let tested = connector().test(&channel).await;
        assert_eq!(tested.error.as_deref(), Some(failed.hint.as_str()));
        let outcome = connector().send(a_message(channel)).await;
        assert!(matches!(&outcome, SendOutcome::Rejected { code, .. } if code == "forbidden_address"), "{outcome:?}");
    }
}

#[tokio::test]
async fn a_mail_server_that_cannot_be_reached_gets_the_mail_later() {
    let mut config = config(BASIC);
    // Nothing listens there.
    config["smtp"]["host"] = "127.255.255.254".into();
    let channel = channel(config, &secrets());
    let failed = connector().connect(&channel, "https://x.example").await.unwrap_err();
    assert_eq!((failed.step, failed.secret), ("connect", None), "{failed:?}");
    let outcome = connector().send(a_message(channel)).await;
    assert!(matches!(outcome, SendOutcome::TryLater { after: None, .. }), "{outcome:?}");
}

#[test]
fn parses_a_mail_after_its_check() {
    let request = InboundRequest {
        headers: vec![("content-type".to_owned(), "message/rfc822".to_owned())],
        body: b"From: ada@example.com\r\n\r\nHi".to_vec(),
        ..InboundRequest::default()
    };
    let channel = channel(config(BASIC), &secrets());
    assert!(!connector().is_signed(&request));
    assert_eq!(connector().verify(&channel, &request), Err(Unverified::Signature));
    assert_eq!(connector().parse(&channel, &request).map(|events| events.len()), Ok(1));
    let empty = InboundRequest { headers: Vec::new(), ..request };
    assert!(matches!(connector().parse(&channel, &empty), Err(Refusal::Malformed { .. })));
    let sealed = Channel { endpoint: None, ..channel };
    assert_eq!(connector().verify(&sealed, &empty), Err(Unverified::Secret));
}

#[test]
fn a_signature_of_mailgun_is_valid_for_one_mail() {
    let (connector, channel) = (connector(), channel(config(MAILGUN), &secrets()));
    let at = connector.clock.now().unix_seconds();
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, SECRET.as_bytes());
    let tag = ring::hmac::sign(&key, format!("{at}t0ken").as_bytes());
    let signature: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let with = |mail: &str| InboundRequest {
        headers: vec![("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned())],
        body: format!("timestamp={at}&token=t0ken&signature={signature}&body-mime={mail}").into_bytes(),
        ..InboundRequest::default()
    };
    let mail = "From%3A+ada%40example.com%0D%0A%0D%0AHi";
    assert_eq!(connector.verify(&channel, &with(mail)), Ok(()));
    assert_eq!(connector.verify(&channel, &with(mail)), Ok(()), "Mailgun repeats the mail");
    let forged = "From%3A+ada%40example.com%0D%0A%0D%0ASTOP";
    assert_eq!(connector.verify(&channel, &with(forged)), Err(Unverified::Signature));
}

#[test]
fn describes_its_settings() {
    let schema = tidings_domain::channels::schema_of(EMAIL.config);
    assert_eq!(schema["required"], serde_json::json!(["from", "smtp"]));
    assert_eq!(schema["properties"]["from"]["required"], serde_json::json!(["address"]));
    assert_eq!(schema["properties"]["smtp"]["properties"]["tls"]["enum"], serde_json::json!(["implicit", "starttls"]));
    assert!(EMAIL.inbound.is_some_and(|rule| rule.max_body == 25 * 1024 * 1024));
}

#[tokio::test]
async fn only_a_rejected_log_in_ends_the_sending() {
    let mut config = config(BASIC);
    // Nothing listens there.
    config["smtp"]["host"] = "127.255.255.254".into();
    let health = connector().health(&channel(config.clone(), &secrets())).await;
    let problem = |health: Health| health.problems.first().map(|it| (it.code, it.ends_sending));
    assert_eq!(problem(health), Some(("provider_unavailable", false)));
    config["from"]["address"] = "no address".into();
    let health = connector().health(&channel(config, &secrets())).await;
    assert_eq!(problem(health), Some(("invalid_config", true)));
}
