//! Properties that hold for any input: one function for each kind of input. `cargo fuzz` calls them with generated
//! input (see `fuzz_targets`), and `tests/service/fuzz.rs` with a few hundred mutated seeds.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "what does not hold ends the run")]

mod channels;

use std::time::Duration;

use serde_json::Value;
use tidings_domain::conditions::{Condition, Vocabulary};
use tidings_domain::contacts::{Email, Phone};
use tidings_domain::flows::{Definition, KnownObjects, Template, analyse, has_refused_texts};
use tidings_domain::read::{Input, MOST_VIOLATIONS, parse};
use tidings_domain::send_window::SendWindow;
use tidings_domain::sequences::{parse_steps, stored_steps};
use tidings_domain::time::{IsoDuration, Timestamp};
use tidings_egress::AddressFilter;
use tidings_egress::signing::{self, SigningSecret};
use tidings_http::cursor::CursorKey;
use tidings_http::etag::{EntityTag, IfMatch, IfNoneMatch};
use tidings_http::problem::Problem;

pub use channels::{http_inbound, inbound_mail, sms_webhook, telegram_update, whatsapp_webhook};

/// A kind of input.
pub struct Target {
    /// As its file in `fuzz_targets` is called.
    pub name: &'static str,
    /// Panics where something does not hold.
    pub run: fn(&[u8]),
    /// Inputs to begin with.
    pub seeds: &'static [&'static str],
}

macro_rules! targets {
    ($($name:ident: $seeds:expr;)*) => {
        /// All of them.
        pub const TARGETS: &[Target] = &[$(Target { name: stringify!($name), run: $name, seeds: &$seeds }),*];
    };
}

targets! {
    json: [
        r#"{"a": [1, 2.5e3, null, true, "x\u0000y"], "a": {}}"#, r#"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]"#,
        r#"{"first_name": "Zoë", "tags": ["vip"], "n": -9223372036854775809}"#, "1e999", "\u{feff}{}",
    ];
    condition: [
        r#"{"all": [{"field": "tags", "op": "has", "value": "vip"}, {"not": {"field": "email", "op": "exists"}}]}"#,
        r#"{"any": [{"field": "created_at", "op": "within_last", "value": "P7D"}, {"field": "name", "op": "in", "value": ["a"]}]}"#,
    ];
    definition: [
        r#"{"start": "a", "triggers": [{"type": "keyword", "keywords": ["hi"]}], "nodes": [
            {"id": "a", "type": "ask", "message": {"type": "text", "text": "Hi {{ contact.name|upper }}"}, "save_to": "vars.x",
             "timeout": "PT1H", "next": "s", "on_timeout": "c"},
            {"id": "s", "type": "set_field", "field": "vars.n", "operation": "increment", "value": "{{ vars.x }}", "next": "t"},
            {"id": "t", "type": "set_field", "field": "vars.on", "operation": "toggle", "next": "b"},
            {"id": "b", "type": "branch", "branches": [{"when": {"field": "vars.x", "op": "eq", "value": "1"}, "next": "a"}], "otherwise": "c"},
            {"id": "c", "type": "delay", "window": {"days": ["mon"], "from": "09:00"}, "next": "d"}, {"id": "d", "type": "end"}]}"#,
        r#"{"start": "a", "nodes": [{"id": "a", "type": "add_tag", "tag": "vip", "next": "a"}, {"id": "a"}, 7]}"#,
    ];
    template: [
        "Hi {{ contact.first_name|default('there')|upper }}, {% for n in range(3) %}{{ n ~ ', ' }}{% endfor %}",
        "{% if vars.n is odd and 1 < vars.n <= 9 %}{{ -vars.n ** 2 // 3 }}{% else %}{{ vars.list|sort|join('-') }}{% endif %}",
        "{{ vars.text[1:-1] }}{{ {'a': [1, 2]}.a[0] }}{{ vars.list|map('round', 2)|select('gt', 1)|list }}",
        "{% for k, v in vars|dictsort %}{{ k|replace('e', vars.text) }}{{ loop.index }}{% endfor %}{{ ('a', 1)|string|trim('()') }}",
        "{{ now|date('%d.%m.%Y %-I:%M %p %Z', 'Europe/Berlin') }}{{ vars.date|date(zone='workspace', format='%A') }}",
        "{{ vars.n|number(2, ',', '.') }}{{ '-999.995'|number(2) }}{{ vars.text|truncate(3, end='..')|urlencode }}",
    ];
    cursor: ["AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "created_at:1767225600000", ""];
    authorization: ["Bearer tdg_live_abc", "bearer  x y", "Basic dXNlcjpwYXNz", "Bearer", "Bearer\t"];
    webhook_url: [
        "https://example.com/hook?a=b#c", "https://[::ffff:127.0.0.1]/", "https://0x7f.1/", "https://user@host:443/",
        "http://localhost:8080/", "https://169.254.169.254/latest", "https://2130706433/", "https://ⓔxample.com.:8443/%00",
    ];
    retry_after: ["120", "Sun, 06 Nov 1994 08:49:37 GMT", "99999999999999999999", "-1", "Sunday, 06-Nov-94 08:49:37 GMT"];
    signature: [
        "msg_1\n1767225600\nv1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=\n{}",
        "m\n1767225600\nt=1767225600,v1=00ff\nbody", "\n\nv1,\n",
    ];
    phone: ["+49 (30) 123-456", "+1 415 555 0100", "0049301234567", "+44/0/20 7946.0000", "+999"];
    email: ["Ada@Example.com", "\"a b\"@example.com", "ada@[127.0.0.1]", "ä@ö.example", "a@b"];
    send_window: [
        r#"{"days": ["mon", "sun"], "from": "09:00", "to": "18:00", "time_zone": "Europe/Berlin"}"#,
        r#"{"from": "22:00", "to": "06:00", "time_zone": "contact"}"#, r#"{"days": [], "to": "24:00"}"#,
    ];
    if_match: ["\"3-0123456789abcdef\"", "W/\"3-0123456789abcdef-gzip\", \"x\"", "*", "\"-9223372036854775808-00\"", ","];
    steps: [
        r#"[{"id": "a", "delay": "P1D", "window": {"from": "09:00"}, "action": {"type": "send_message",
             "message": {"type": "text", "text": "Hi {{ contact.name }}", "quick_replies": [{"title": "Yes"}]}}}]"#,
        r#"[{"id": "a", "delay": "PT0S", "action": {"type": "start_flow", "flow_id": "flow_01h455vb4pex5vsknk084sn02q"}}]"#,
    ];
    http_inbound: [
        r#"{"type": "message", "id": "m1", "from": {"address": "4711", "name": "Ada"}, "text": "Hi"}"#,
        r#"{"type": "status", "provider_message_id": "m1", "status": "failed", "error": "gone"}"#,
    ];
    telegram_update: [
        r#"{"update_id": 1, "message": {"message_id": 5, "date": 1, "chat": {"id": 42, "type": "private"}, "text": "/start x",
            "from": {"id": 42, "is_bot": false, "first_name": "Ada", "language_code": "pt-br"}}}"#,
        r#"{"update_id": 2, "message": {"chat": {"id": 42, "type": "private"}, "from": {"id": 42}, "photo": [{"file_id": "x"}],
            "caption": "My cat", "location": {"latitude": 52.5, "longitude": 13.4}, "venue": {"title": "Gate"}}}"#,
        r#"{"update_id": 3, "callback_query": {"id": "7", "from": {"id": 42}, "data": "c:m:1", "message": {"message_id": 6,
            "chat": {"id": 42, "type": "private"}, "reply_markup": {"inline_keyboard": [[{"text": "No", "callback_data": "c:m:1"}]]}}}}"#,
        r#"{"update_id": 5, "message": {"message_id": 7, "chat": {"id": 42, "type": "private"}, "from": {"id": 42}, "document":
            {"file_id": "AgAC_x-1", "file_name": "../a\r\n\u202eb.pdf", "mime_type": "application/pdf"}, "caption": "Bill"}}"#,
        r#"{"update_id": 6, "edited_message": {"message_id": 5, "edit_date": 2, "chat": {"id": 42, "type": "private"},
            "from": {"id": 42}, "text": "Hello"}}"#,
        r#"{"update_id": 7, "message_reaction": {"message_id": 5, "date": 3, "chat": {"id": 42, "type": "private"},
            "user": {"id": 42}, "new_reaction": [{"type": "emoji", "emoji": "\ud83d\udc4d"}, {"type": "paid"}]}}"#,
        r#"{"update_id": 4, "my_chat_member": {"chat": {"id": 42, "type": "private"}, "new_chat_member": {"status": "kicked"}}}"#,
    ];
    whatsapp_webhook: [
        r#"{"entry": [{"changes": [{"field": "messages", "value": {"metadata": {"phone_number_id": "106540352242922"},
            "contacts": [{"profile": {"name": "Ada"}, "wa_id": "491711234567", "user_id": "DE.123"}],
            "messages": [{"from": "491711234567", "id": "wamid.1", "type": "text", "text": {"body": "a\/b \ud83e\udd80"}},
                         {"from_user_id": "DE.123", "id": "wamid.2", "type": "interactive",
                          "interactive": {"type": "list_reply", "list_reply": {"id": "c:m:0:Yes", "title": "Yes"}}}]}}]}]}"#,
        r#"{"entry": [{"changes": [{"value": {"metadata": {"phone_number_id": "106540352242922"}, "statuses": [
            {"id": "wamid.1", "status": "failed", "errors": [{"code": 131026, "title": "x", "error_data": {"details": "y"}}],
             "biz_opaque_callback_data": "msg_01h455vb4pex5vsknk084sn02q:0/2"}, {"id": "wamid.2", "status": "read"}]}}]}]}"#,
        r#"{"entry": [{"changes": [{"value": {"metadata": {"phone_number_id": "106540352242922"}, "messages": [
            {"from": "491711234567", "id": "wamid.3", "type": "document", "document": {"id": "77", "filename": "..\\a\u061c.pdf"},
             "referral": {"source_type": "ad", "source_id": "1", "source_url": "https://fb.me/x", "headline": "Sale"}},
            {"from": "491711234567", "id": "wamid.4", "timestamp": "1", "type": "edit", "edit":
             {"original_message_id": "wamid.1", "message": {"type": "text", "text": {"body": "b"}}}},
            {"from": "491711234567", "id": "wamid.5", "type": "reaction", "reaction": {"message_id": "wamid.1", "emoji": "x"}},
            {"from": "491711234567", "id": "wamid.6", "type": "revoke", "revoke": {"original_message_id": "wamid.1"}}]}}]}]}"#,
        "hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=t0ken",
    ];
    sms_webhook: [
        "\nMessageSid=SM5&From=%2B491711234567&To=%2B15005550006&Body=Zo%C3%AB+%F0%9F%A6%80&NumMedia=2&MediaContentType0=image%2Fjpeg",
        "message=msg_01h455vb4pex5vsknk084sn02q&part=1&parts=2\nMessageSid=SM5&MessageStatus=failed&ErrorCode=21610&To=%2B491711234567",
        "a=b\nMessageSid=SM5&From=%2B491711234567&To=%2B15005550006&Body=STOP&OptOutType=STOP&a=2&a=1&b=",
        "bodySHA256=00\n{\"MessageSid\": \"SM5\", \"From\": \"+491711234567\", \"To\": \"+15005550006\", \"Body\": \"Hi\"}",
    ];
    inbound_mail: [
        "From: =?utf-8?q?Zo=C3=AB?= <zoe@example.com>\r\nMessage-ID: <1@example.com>\r\nSubject: =?iso-8859-1?b?R3L832U=?=\r\n\
         Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
         Content-Transfer-Encoding: quoted-printable\r\n\r\nGr=FC=DFe\r\n--b\r\nContent-Type: text/html\r\n\r\n\
         <p>Gr&uuml;&szlig;e &amp; <b>mehr</b></p>\r\n--b--\r\n",
        "From: MAILER-DAEMON@mail.example\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
         --b\r\nContent-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; ada@example.com\r\nAction: failed\r\n\
         Status: 5.1.1\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: \
         <msg_01h455vb4pex5vsknk084sn02q@shop.example>\r\n\r\nHi\r\n--b--\r\n",
        "From: ada@example.com\r\nAuto-Submitted: auto-replied\r\nContent-Type: text/plain; format=flowed\r\n\r\n\
         One \r\nline\r\n\r\nOn Tue, 1 Dec 2026 at 10:15 Shop wrote:\r\n> Tea?\r\n-- \r\nAda\r\n",
        "From: ada@example.com\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Disposition: attachment;\r\n \
         filename*0*=utf-8''%2e%2e%2f; filename*1=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n--b--\r\n",
    ];
    time: ["2026-12-24T18:00:00Z", "2026-02-29T24:00:00+14:00", "P1DT12H", "PT99999999999999999999S", "-P1D"];
}

/// The time of inputs that contain one.
const NOW: Timestamp = Timestamp::EPOCH_2026;

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// Parses the input as JSON, if it is valid.
fn value(data: &[u8]) -> Option<Value> {
    serde_json::from_slice(data).ok()
}

fn has_floats(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(list) => list.iter().any(has_floats),
        Value::Object(object) => object.values().any(has_floats),
        _ => false,
    }
}

/// A body is parsed, or rejected with a small problem document. A parsed body is the same after it is serialized and
/// parsed again.
pub fn json(data: &[u8]) {
    let problem = match parse(data) {
        Ok(tree) if tree.violations.is_empty() => {
            let value = Input::from(&tree.root).to_value();
            let written = serde_json::to_vec(&value).expect("a value is written");
            let again = parse(&written).expect("a serialized value parses");
            let again = Input::from(&again.root).to_value();
            assert!(again == value || has_floats(&value), "{value} became {again}");
            return;
        }
        Ok(tree) => {
            assert!(tree.violations.len() <= MOST_VIOLATIONS);
            Problem::invalid(tree.violations)
        }
        Err(error) => Problem::from(error),
    };
    let body = problem.body(Some("/api/v1/contacts"), Some("req_1"));
    assert!(body.len() < 64 * 1024, "{} bytes", body.len());
    let body: Value = serde_json::from_str(&body).expect("a problem is JSON");
    assert_eq!(body["status"], u64::from(problem.code().status().as_u16()));
}

/// A condition is parsed, or rejected with reasons. A parsed condition can be stored and parsed again.
pub fn condition(data: &[u8]) {
    let Some(written) = value(data) else { return };
    let vocabulary = Vocabulary::default().with_vars().with_event();
    match Condition::parse(&written, &vocabulary) {
        Ok(condition) => {
            assert_eq!(condition.source_json(), &written);
            assert_eq!(Condition::parse_stored(&written, &vocabulary).as_ref(), Ok(&condition));
        }
        Err(wrong) => assert!((1..=100).contains(&wrong.len()), "{} violations", wrong.len()),
    }
}

/// A flow definition is valid, or its report is small. A valid definition can be published and parsed.
pub fn definition(data: &[u8]) {
    let Some(written) = value(data) else { return };
    let analysis = analyse(&written, &KnownObjects::default());
    assert_eq!(analysis.is_valid(), analysis.definition.is_some());
    assert!(analysis.findings.len() <= 100 && analysis.findings.iter().all(|it| it.node_path.len() <= 50));
    let report = serde_json::to_string(&analysis.findings).expect("findings are written");
    assert!(report.len() <= 2_000_000, "{} bytes", report.len());
    if let Some(read) = analysis.definition {
        assert_eq!(Definition::parse(&written), Ok(read));
        assert!(!has_refused_texts(&written));
    }
}

/// A template is rejected, fails, or renders a text that can be sent, with the same result each time.
pub fn template(data: &[u8]) {
    let source = text(data);
    let template = Template::read(&source);
    assert_eq!(template.source(), source);
    let _ = template.names();
    let vars = serde_json::json!({"n": 3, "text": "Straße", "list": [3, 1.5, 2], "none": null, "date": "2026-01-31"});
    let context = serde_json::json!({"now": NOW, "contact": {"first_name": "Zoë"}, "vars": vars});
    let rendered = template.render_value(context.as_object().expect("an object"));
    if let Ok(text) = &rendered {
        assert!(template.render_error().is_none() && text.chars().count() <= 4_096);
    }
    assert_eq!(rendered, template.render_value(context.as_object().expect("an object")));
}

/// Only cursors of this service open, and only in their own list.
pub fn cursor(data: &[u8]) {
    let key = CursorKey::new([7; 32]);
    let payload = data.get(..data.len().min(700)).unwrap_or_default();
    let sealed = key.seal("contacts", "ws_1", payload);
    assert_eq!(key.open("contacts", "ws_1", &sealed).as_deref(), Ok(payload));
    assert!(key.open("contacts", "ws_2", &sealed).is_err() && key.open("tags", "ws_1", &sealed).is_err());
    assert!(CursorKey::new([8; 32]).open("contacts", "ws_1", &sealed).is_err());
    assert!(key.open("contacts", "ws_1", &text(data)).is_err(), "an invented cursor does not open");
}

/// The credential of an `Authorization` header is a part of the header, and parses to itself.
pub fn authorization(data: &[u8]) {
    let header = text(data);
    if let Some(token) = tidings_http::bearer_token(&header) {
        assert!(header.contains(token) && !token.starts_with(' '));
        assert_eq!(
            tidings_http::bearer_token(&format!("Bearer {token}")),
            Some(token.trim_end()).filter(|it| !it.is_empty())
        );
    }
}

/// An accepted webhook URL uses https, has no credentials and no forbidden address, and is accepted again.
pub fn webhook_url(data: &[u8]) {
    let written = text(data);
    let filter = AddressFilter::new(false, Vec::new());
    if let Ok(url) = filter.check_url(&written) {
        assert_eq!(url.scheme(), "https");
        assert!(url.username().is_empty() && url.password().is_none() && url.fragment().is_none());
        match url.host() {
            Some(url::Host::Ipv4(address)) => assert!(!address.is_loopback() && !address.is_private()),
            Some(url::Host::Ipv6(address)) => assert!(!address.is_loopback() && address.to_ipv4_mapped().is_none()),
            Some(url::Host::Domain(name)) => {
                assert!(!format!(".{}", name.trim_end_matches('.')).ends_with(".localhost"))
            }
            None => panic!("{url} has no host"),
        }
        // Escapes make it longer.
        if url.as_str().len() <= AddressFilter::MAX_URL_LENGTH {
            assert_eq!(filter.check_url(url.as_str()).as_ref(), Ok(&url));
        }
    }
    let _ = AddressFilter::new(true, Vec::new()).check_url(&written);
}

/// `Retry-After` is ignored, or yields a wait of at most a year.
pub fn retry_after(data: &[u8]) {
    let wait = tidings_webhook_sender::retry_after(&text(data), NOW);
    assert!(wait.is_none_or(|wait| wait <= Duration::from_secs(366 * 86_400)));
}

/// Only the secret creates valid signatures, each for exactly its bytes.
pub fn signature(data: &[u8]) {
    let secret = SigningSecret::parse("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=").expect("a secret");
    let written = text(data);
    let mut parts = written.splitn(4, '\n');
    let mut part = || parts.next().unwrap_or_default().to_owned();
    let (id, timestamp, signature, body) = (part(), part(), part(), part());
    let now = NOW.unix_seconds();
    let holds = |id: &str, timestamp: &str, standard: Option<&str>, service: Option<&str>, body: &[u8]| {
        let header = |name: &str| match name {
            signing::WEBHOOK_ID => Some(id),
            signing::WEBHOOK_TIMESTAMP => Some(timestamp),
            signing::WEBHOOK_SIGNATURE => standard,
            signing::SERVICE_SIGNATURE => service,
            _ => None,
        };
        signing::verify(&secret, header, body, now).is_ok()
    };
    assert!(!holds(&id, &timestamp, Some(&signature), None, body.as_bytes()), "a forged webhook-signature holds");
    assert!(!holds(&id, &timestamp, None, Some(&signature), body.as_bytes()), "a forged service signature holds");
    let made = signing::sign(std::slice::from_ref(&secret), &id, now, body.as_bytes());
    let timestamp = now.to_string();
    // Parts are divided by dots in what is signed, so an id holds none.
    if !id.is_empty() && !id.contains('.') {
        assert!(holds(&id, &timestamp, Some(&made.standard), Some(&made.service), body.as_bytes()));
        assert!(!holds(&id, &timestamp, Some(&made.standard), Some(&made.service), format!("{body} ").as_bytes()));
    }
}

/// A phone number is rejected or normalized to E.164. Normalizing again changes nothing.
pub fn phone(data: &[u8]) {
    if let Ok(phone) = text(data).parse::<Phone>() {
        let normal = phone.as_str();
        let digits = normal.strip_prefix('+').expect("E.164 begins with a plus");
        assert!(digits.len() <= 15 && digits.bytes().all(|byte| byte.is_ascii_digit()), "{normal}");
        assert_eq!(normal.parse().as_ref(), Ok(&phone), "{normal}");
    }
}

/// An email address is rejected or normalized. Normalizing again changes nothing.
pub fn email(data: &[u8]) {
    if let Ok(email) = text(data).parse::<Email>() {
        assert!(email.as_str().len() <= 254 && email.as_str().contains('@'));
        assert_eq!(email.as_str().parse().as_ref(), Ok(&email), "{email}");
    }
}

/// A send window is rejected with reasons, or it opens no earlier than the requested time and is open at that time.
pub fn send_window(data: &[u8]) {
    let Some(written) = value(data) else { return };
    match SendWindow::parse(&written) {
        Ok(window) => {
            for zone in [chrono_tz::Europe::Berlin, chrono_tz::America::New_York, chrono_tz::Pacific::Apia] {
                for hours in [0, 2_000, 100_000] {
                    let instant = NOW.plus(Duration::from_secs(hours * 3_600));
                    let opens = window.next_allowed(instant, zone);
                    assert!(opens >= instant && opens.since(instant) <= Duration::from_secs(15 * 86_400));
                    assert_eq!(window.next_allowed(opens, zone), opens);
                }
            }
        }
        Err(wrong) => assert!((1..=205).contains(&wrong.len()), "{} violations", wrong.len()),
    }
}

/// Entity tags are parsed or rejected. A tag of this service matches its own version.
pub fn if_match(data: &[u8]) {
    let header = text(data);
    let _ = IfNoneMatch::parse(&header);
    if let Ok(IfMatch::Versions(versions)) = IfMatch::parse(&header) {
        assert!(versions.len() <= header.len());
    }
    let tag = EntityTag::of(data.len() as i64 + 1, data);
    assert_eq!(EntityTag::parse(&tag.to_string()), Some(tag.clone()));
    for written in [tag.to_string(), tag.gzipped(), format!("W/{tag}, \"other\"")] {
        let allows = IfMatch::parse(&written).is_ok_and(|it| it.allows(tag.version()) && !it.allows(tag.version() + 1));
        assert!(allows, "{written}");
    }
}

/// Sequence steps are rejected with reasons, or stored as written and parsed again.
pub fn steps(data: &[u8]) {
    let Some(written) = value(data) else { return };
    match parse_steps(&written) {
        Ok(steps) => {
            let kept: Vec<&Value> = steps.iter().map(|step| step.source_json()).collect();
            assert_eq!(serde_json::to_value(kept).ok().as_ref(), Some(&written));
            assert_eq!(stored_steps(&written), Ok(steps));
        }
        Err(wrong) => assert!((1..=100).contains(&wrong.len()), "{} violations", wrong.len()),
    }
}

/// Instants parse to themselves after formatting. Durations have a maximum.
pub fn time(data: &[u8]) {
    let written = text(data);
    if let Ok(instant) = written.parse::<Timestamp>() {
        assert_eq!(instant.to_string().parse(), Ok(instant));
    }
    if let Ok(duration) = written.parse::<IsoDuration>() {
        assert!(duration.get() <= IsoDuration::MAX);
    }
}
