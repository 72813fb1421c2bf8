//! Properties of the inbound addresses of channels, one function for each type: whatever arrives, only requests that the
//! provider signed are accepted, and their events are within the limits of the store.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};
use tidings_channels::connectors;
use tidings_domain::channels::{
    Channel, ChannelKind, Connector, Connectors, ECHO_SECRET, Endpoint, Handshake, InboundRequest, PlainSecrets,
    Unverified,
};
use tidings_domain::conversations::{
    Content, InboundEvent, MAX_ATTACHMENTS, MAX_TEXT, MessageType, Original, Report, RevisionKind,
};
use tidings_domain::memory::MemoryFiles;
use tidings_domain::ports::{Clock, SealError, SealedBy, Sealer};
use tidings_domain::time::Timestamp;
use tidings_egress::signing::{self, SigningSecret};
use tidings_egress::{Egress, EgressSettings};
use url::form_urlencoded;

use super::{NOW, text};

/// The longest time to parse an input, also on a busy machine without optimisation.
const LONGEST: Duration = Duration::from_secs(20);
/// The size in bytes of an input that is repeated. It shows slow parsing.
const LARGE: usize = 16 * 1024;
/// The public address of a channel.
const URL: &str = "https://tidings.example/inbound/guess";
/// The secret of each channel. No seed contains it.
const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
/// Maximum number of parameters that are read of a form.
const MAX_PARAMETERS: usize = 500;

/// A sealer that stores plain text.
struct PlainSealer;

impl Sealer for PlainSealer {
    fn seal(&self, plain: &[u8], _: &str) -> Vec<u8> {
        plain.to_vec()
    }

    fn open(&self, sealed: &[u8], _: &str) -> Result<Vec<u8>, SealError> {
        Ok(sealed.to_vec())
    }

    fn sealed_by(&self, _: &[u8]) -> SealedBy {
        SealedBy::Current
    }
}

/// A clock that always shows [`NOW`].
struct StoppedClock;

impl Clock for StoppedClock {
    fn now(&self) -> Timestamp {
        NOW
    }
}

static CONNECTORS: LazyLock<Connectors> = LazyLock::new(|| {
    let egress = Egress::new(EgressSettings::default()).expect("TLS is set up");
    let files = Arc::new(MemoryFiles::new(Arc::new(StoppedClock)));
    connectors(egress, Arc::new(StoppedClock), Arc::new(PlainSealer), files, "https://tidings.example")
});

fn connector(kind: ChannelKind) -> &'static dyn Connector {
    CONNECTORS.of(kind).expect("each type has a connector").as_ref()
}

fn channel(kind: ChannelKind, config: &Value, secrets: &Value) -> Channel {
    let endpoint = Endpoint {
        config: config.as_object().cloned().unwrap_or_default(),
        secrets: secrets.to_string().into_bytes(),
        secret_hints: PlainSecrets::new(),
        inbound_token: b"guess".to_vec(),
        inbound_digest: [0; 32],
    };
    let id = "chan_01h455vb4pex5vsknk084sn02q".parse().expect("an ID");
    Channel { kind, endpoint: Some(endpoint), ..Channel::sandbox(id, false, NOW) }
}

fn request(headers: &[(&str, &str)], body: &[u8]) -> InboundRequest {
    InboundRequest {
        headers: headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        query: String::new(),
        url: Some(URL.to_owned()),
        body: body.to_vec(),
    }
}

/// The provider's request is accepted, and the forged ones are not.
fn check_signature(channel: &Channel, genuine: &InboundRequest, forged: &[InboundRequest]) {
    let connector = connector(channel.kind);
    assert!(connector.is_signed(genuine), "{genuine:?}");
    assert_eq!(connector.verify(channel, genuine), Ok(()), "{genuine:?}");
    for request in forged {
        let _ = connector.is_signed(request);
        assert_eq!(connector.verify(channel, request), Err(Unverified::Signature), "{request:?}");
    }
}

/// Parses a request in bounded time. Its events are the same each time. Returns them; none if the body is rejected.
fn parse(channel: &Channel, request: &InboundRequest) -> Vec<InboundEvent> {
    let connector = connector(channel.kind);
    let began = Instant::now();
    let parsed = connector.parse(channel, request);
    let took = began.elapsed();
    assert!(took < LONGEST, "{took:?} for {} bytes", request.body.len());
    let _ = connector.acknowledges(request);
    let events = parsed.unwrap_or_default();
    events.iter().for_each(check_event);
    assert_eq!(connector.parse(channel, request).unwrap_or_default(), events);
    events
}

/// Parses a request, and one with the body repeated.
fn parse_repeated(channel: &Channel, request: &InboundRequest) -> Vec<InboundEvent> {
    let times = LARGE / request.body.len().max(1) + 1;
    parse(channel, &InboundRequest { body: request.body.repeat(times), ..request.clone() });
    parse(channel, request)
}

/// Each text of an event can be stored.
fn check_event(event: &InboundEvent) {
    match event {
        InboundEvent::Message(message)
        | InboundEvent::Press(message, _)
        | InboundEvent::Automatic(message)
        | InboundEvent::OptOut(message) => {
            assert!(is_key(&message.id, 255) && is_key(&message.address, 320), "{message:?}");
            assert!(message.profile.aliases.iter().all(|alias| is_key(alias, 255)), "{message:?}");
            // A mail may consist of files, which become attachments when it is stored.
            let content = Content { original: Original::default(), ..message.content.clone() };
            let is_bare = !message.files.is_empty() && content == Content::of(MessageType::File);
            assert!(is_bare || message.content.check_inbound().is_empty(), "{message:?}");
            assert!(message.files.len() <= MAX_ATTACHMENTS, "{message:?}");
            let mut answered = message.reply_to.iter().flat_map(|it| [&it.sent, &it.received]);
            assert!(answered.all(|id| is_key(id, 255)), "{message:?}");
            let is_bounded = message.referral.as_ref().is_none_or(|it| it.clone().bounded() == *it);
            assert!(is_bounded, "{message:?}");
        }
        InboundEvent::Revision(revision) => {
            assert!(is_key(&revision.id, 255) && is_key(&revision.address, 320), "{revision:?}");
            let named: Vec<&String> = revision.received.iter().chain(&revision.sent).collect();
            assert!(!named.is_empty() && named.into_iter().all(|id| is_key(id, 255)), "{revision:?}");
            match &revision.change {
                RevisionKind::Edit(text) => assert!(text.iter().all(|text| is_key(text, MAX_TEXT)), "{revision:?}"),
                RevisionKind::React(emojis) => {
                    assert!(emojis.iter().all(|emoji| !emoji.contains('\0')), "{revision:?}");
                }
                RevisionKind::Delete => {}
            }
        }
        InboundEvent::Status(status) => {
            assert!(is_key(&status.provider_message_id, 255), "{status:?}");
            match &status.report {
                Report::Sent { provider_message_id } => assert!(is_key(provider_message_id, 255), "{status:?}"),
                Report::Failed(error) | Report::OptedOut(error) => assert!(is_key(&error.message, 1_000), "{status:?}"),
                Report::Delivered | Report::Read => {}
            }
        }
        InboundEvent::AddressChange(change) => {
            assert!(!change.earlier.is_empty() && !change.current.is_empty(), "{change:?}");
            assert!(change.earlier.iter().chain(&change.current).all(|address| is_key(address, 255)), "{change:?}");
        }
        InboundEvent::Blocked(block) | InboundEvent::Unblocked(block) => {
            assert!(is_key(&block.address, 320), "{block:?}")
        }
        InboundEvent::Complaint(complaint) => assert!(is_key(&complaint.message, 320), "{complaint:?}"),
        InboundEvent::Marketing(change) => {
            assert!(change.addresses.iter().all(|address| is_key(address, 320)), "{change:?}");
        }
    }
}

/// The name of a contact's file has no path, and no character that breaks a header or shows a false name.
fn check_names(events: &[InboundEvent]) {
    let changes_direction =
        |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_unsafe = |c: char| c.is_control() || matches!(c, '/' | '\\') || changes_direction(c);
    for event in events {
        // The name of a place is a text.
        if let InboundEvent::Message(message) = event
            && message.content.kind != MessageType::Location
        {
            let mut names = message.content.attachments.iter().filter_map(|it| it.name.as_deref());
            assert!(names.all(|name| !name.contains(is_unsafe)), "{message:?}");
        }
    }
}

fn is_key(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.chars().count()) && !text.contains('\0')
}

fn hexadecimal(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn standard_headers(body: &[u8]) -> [(&'static str, String); 3] {
    let secret = SigningSecret::parse(SECRET).expect("a secret");
    let now = NOW.unix_seconds();
    let signed = signing::sign(std::slice::from_ref(&secret), "in_1", now, body).standard;
    [
        (signing::WEBHOOK_ID, "in_1".to_owned()),
        (signing::WEBHOOK_TIMESTAMP, now.to_string()),
        (signing::WEBHOOK_SIGNATURE, signed),
    ]
}

/// A request that is signed by Standard Webhooks, and forged ones.
fn standard_requests(media_type: &str, body: &[u8]) -> (InboundRequest, [InboundRequest; 3]) {
    let signed = standard_headers(body);
    let mut headers: Vec<(&str, &str)> = signed.iter().map(|(name, value)| (*name, value.as_str())).collect();
    headers.push(("content-type", media_type));
    let genuine = request(&headers, body);
    let changed = request(&headers, &[body, b" "].concat());
    let written = text(body);
    let unsigned = headers.iter().filter(|(name, _)| *name != signing::WEBHOOK_SIGNATURE).copied();
    let unsigned: Vec<(&str, &str)> = unsigned.collect();
    let mut guessed = unsigned.clone();
    guessed.push((signing::WEBHOOK_SIGNATURE, written.as_str()));
    (genuine, [changed, request(&unsigned, body), request(&guessed, body)])
}

/// Requests to `http` channels.
pub fn http_inbound(data: &[u8]) {
    let channel = channel(ChannelKind::Http, &json!({"url": "https://example.com"}), &json!({"secret": SECRET}));
    let (genuine, forged) = standard_requests("application/json", data);
    check_signature(&channel, &genuine, &forged);
    parse(&channel, &genuine);
}

/// Updates to `telegram` channels.
pub fn telegram_update(data: &[u8]) {
    const HEADER: &str = "x-telegram-bot-api-secret-token";
    let channel = channel(ChannelKind::Telegram, &json!({}), &json!({"bot_token": "1:a", ECHO_SECRET: SECRET}));
    let written = text(data);
    let forged = [written.as_str(), "", SECRET.trim_start_matches('w'), SECRET.to_lowercase().as_str()]
        .map(|it| request(&[(HEADER, it)], data));
    let genuine = request(&[(HEADER, SECRET)], data);
    check_signature(&channel, &genuine, &forged);
    check_signature(&channel, &genuine, &[request(&[], data)]);
    let events = parse(&channel, &genuine);
    check_names(&events);
    assert!(events.len() <= 1, "an update is one event");
}

/// Webhooks of `whatsapp` channels, and their challenge.
pub fn whatsapp_webhook(data: &[u8]) {
    const HEADER: &str = "x-hub-signature-256";
    let config = json!({"phone_number_id": "106540352242922", "waba_id": "102290129340398"});
    let secrets =
        json!({"access_token": "EAAB", "app_secret": "614fc2afde15eee07a26b2fe3eaee9b9", ECHO_SECRET: SECRET});
    let channel = channel(ChannelKind::Whatsapp, &config, &secrets);
    let key = hmac::Key::new(hmac::HMAC_SHA256, b"614fc2afde15eee07a26b2fe3eaee9b9");
    let signed = format!("sha256={}", hexadecimal(hmac::sign(&key, data)));
    let genuine = request(&[(HEADER, signed.as_str())], data);
    let (written, long) = (text(data), format!("{signed}0"));
    let forged = [
        request(&[(HEADER, signed.as_str())], &[data, b" "].concat()),
        request(&[(HEADER, written.as_str())], data),
        request(&[(HEADER, long.as_str())], data),
        request(&[], data),
    ];
    check_signature(&channel, &genuine, &forged);
    check_names(&parse(&channel, &genuine));
    let asked = InboundRequest { query: written, ..InboundRequest::default() };
    let answered = connector(channel.kind).handshake(&channel, &asked);
    assert_eq!(answered, Some(Handshake::Refused), "an invented token passes");
}

/// Returns the signature of Twilio for a form, as its libraries compute it. `None` if the form is too large.
fn twilio_signature(url: &str, form: &[u8]) -> Option<String> {
    let mut parameters: Vec<(String, String)> = form_urlencoded::parse(form).into_owned().collect();
    if parameters.len() >= MAX_PARAMETERS {
        return None;
    }
    parameters.sort();
    parameters.dedup();
    let signed = parameters.iter().fold(url.to_owned(), |signed, (name, value)| signed + name + value);
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, b"t0ken");
    Some(STANDARD.encode(hmac::sign(&key, signed.as_bytes())))
}

/// Forms of `sms` channels. The first line of the input is the query of the URL.
pub fn sms_webhook(data: &[u8]) {
    const HEADER: &str = "x-twilio-signature";
    const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
    let config = json!({"account_sid": "AC0123456789abcdef0123456789abcdef", "from": "+15005550006"});
    let channel = channel(ChannelKind::Sms, &config, &json!({"auth_token": "t0ken"}));
    let mut lines = data.splitn(2, |byte| *byte == b'\n');
    let query = text(lines.next().unwrap_or_default());
    let body = lines.next().unwrap_or_default();
    let url = format!("{URL}?{query}");
    let of = |signature: &str, body: &[u8]| InboundRequest {
        query: query.clone(),
        url: Some(url.clone()),
        ..request(&[FORM, (HEADER, signature)], body)
    };
    if let Some(signature) = twilio_signature(&url, body) {
        let genuine = of(&signature, body);
        let forged = [
            of(&signature, &[body, b"&forged-by=the+test"].concat()),
            of(&query, body),
            InboundRequest { url: Some(format!("{url}#")), ..genuine.clone() },
            InboundRequest { url: None, ..genuine.clone() },
        ];
        check_signature(&channel, &genuine, &forged);
        check_names(&parse_repeated(&channel, &genuine));
    }
    let json = InboundRequest { query, ..request(&[("content-type", "application/json")], body) };
    parse(&channel, &json);
}

fn mailbox(auth: &str) -> Channel {
    let from = json!({"address": "hello@shop.example"});
    let smtp = json!({"host": "smtp.example.com"});
    let config = json!({"from": from, "smtp": smtp, "inbound": {"auth": auth}});
    channel(ChannelKind::Email, &config, &json!({"inbound_secret": SECRET}))
}

/// The form of Mailgun with a mail, and this key.
fn mailgun(mail: &[u8], key: &str) -> InboundRequest {
    let now = NOW.unix_seconds();
    // Mailgun makes a token for each mail, and the channel accepts it for one mail only.
    let token = hexadecimal(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, b"mail"), mail));
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()), format!("{now}{token}").as_bytes());
    let mail: String = form_urlencoded::byte_serialize(mail).collect();
    let body = format!("timestamp={now}&token={token}&signature={}&body-mime={mail}", hexadecimal(tag));
    request(&[("content-type", "application/x-www-form-urlencoded")], body.as_bytes())
}

/// Mails to `email` channels. A mail has the same events on each way.
pub fn inbound_mail(data: &[u8]) {
    let channel = mailbox("standard_webhooks");
    let (genuine, forged) = standard_requests("message/rfc822", data);
    check_signature(&channel, &genuine, &forged);
    let events = parse_repeated(&channel, &genuine);

    let basic = mailbox("basic");
    let with = |password: &str| {
        let login = format!("Basic {}", STANDARD.encode(format!("relay:{password}")));
        request(&[("authorization", login.as_str()), ("content-type", "message/rfc822")], data)
    };
    let written = text(data);
    let guessed = request(&[("authorization", written.as_str())], data);
    check_signature(&basic, &with(SECRET), &[with(written.as_str()), with(""), guessed]);

    let (signed, forged) = (mailgun(data, SECRET), mailgun(data, "other"));
    let bare = request(&[("content-type", "multipart/form-data; boundary=b")], data);
    check_signature(&mailbox("mailgun"), &signed, &[forged, bare.clone()]);
    assert_eq!(parse(&channel, &signed), events);
    parse(&channel, &bare);

    let border = b"--a-border-that-no-input-has";
    let head = b"\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\n";
    let parts = [border.as_slice(), head, data, b"\r\n", border, b"--\r\n"].concat();
    let parts = request(&[("content-type", "multipart/form-data; boundary=a-border-that-no-input-has")], &parts);
    assert_eq!(parse(&channel, &parts), events);
    if let Ok(mail) = std::str::from_utf8(data) {
        let postmark = json!({"RawEmail": mail}).to_string();
        let postmark = request(&[("content-type", "application/json")], postmark.as_bytes());
        assert_eq!(parse(&channel, &postmark), events);
    }
}
