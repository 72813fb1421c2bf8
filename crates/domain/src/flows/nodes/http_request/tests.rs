//! Tests of requests, hosts of secrets and saved parts of responses.

use secrecy::SecretString;
use serde_json::{Map, Value, json};

use super::*;
use crate::flows::caller::HttpCall;
use crate::flows::definition::{Action, Reading};
use crate::ids::{SecretId, TypedId};
use crate::secrets::Secret;
use crate::time::Timestamp;

fn reading(more: &Value) -> Reading {
    let mut node =
        json!({"id": "a", "type": "http_request", "method": "POST", "url": "https://api.example.com/", "next": "b"});
    node.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    Reading::of(&json!({"start": "a", "nodes": [node, {"id": "b", "type": "end"}]}))
}

fn request(more: Value) -> HttpRequest {
    let reading = reading(&more);
    match reading
        .definition
        .unwrap_or_else(|| panic!("{more}: {:?}", reading.violations))
        .nodes
        .remove("a")
        .unwrap()
        .action
    {
        Action::HttpRequest(request) => *request,
        other => panic!("{other:?}"),
    }
}

fn wrong(more: Value) -> Vec<(String, &'static str)> {
    let violations = reading(&more).violations.into_iter();
    violations.map(|it| (it.pointer.trim_start_matches("/nodes/0").to_owned(), it.code)).collect()
}

fn at(pointer: &str, code: &'static str) -> Vec<(String, &'static str)> {
    vec![(pointer.to_owned(), code)]
}

fn secrets(all: &[(&str, &str, &str)]) -> OpenSecrets {
    let open = |(name, value, host): &(&str, &str, &str)| {
        let secret = Secret {
            id: SecretId::from_uuid(uuid::Uuid::nil()),
            name: (*name).to_owned(),
            sealed: Vec::new(),
            hosts: vec![(*host).to_owned()],
            created_at: Timestamp::EPOCH_2026,
            updated_at: Timestamp::EPOCH_2026,
            version: 1,
        };
        (secret, SecretString::from(*value))
    };
    OpenSecrets::new(all.iter().map(open).collect())
}

fn values() -> Map<String, Value> {
    let vars = json!({"q": "a b&c", "host": "evil.example", "lines": "a\r\nX-Other: b", "none": ""});
    json!({"vars": vars, "contact": {"first_name": "Zoë"}}).as_object().cloned().unwrap()
}

fn prepare(request: &HttpRequest, secrets: &OpenSecrets) -> Result<HttpCall, Called> {
    request.prepare(values(), secrets, "key".to_owned())
}

fn code(refused: &Called) -> (&'static str, &str) {
    match refused {
        Called::Failed { code, message } => (code, message),
        Called::Saved { .. } => panic!("{refused:?}"),
    }
}

fn saved(more: Value, body: &[u8], secrets: &OpenSecrets) -> Map<String, Value> {
    match request(json!({"save": more})).answered(200, Some(body), secrets) {
        Called::Saved { status: 200, vars } => {
            vars.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn renders_url_headers_and_body_of_a_request() {
    let request = request(json!({"url": "https://api.example.com/?q={{ vars.q|urlencode }}",
        "headers": {"X-Name": " {{ vars.q }} ", "X-None": "{{ vars.none }}", "Authorization": "Bearer {{ secrets.TOKEN }}"},
        "body": {"name": "{{ contact.first_name }}", "list": [1, null, "as {{ vars.q }}", "plain"], "deep": {"x": true}}}));
    let call = prepare(&request, &secrets(&[("TOKEN", "s3cret", "api.example.com")])).unwrap();
    assert_eq!((call.method, call.url.as_str()), (Method::Post, "https://api.example.com/?q=a%20b%26c"));
    let headers: Vec<_> = call.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let expected = [
        ("X-Name", "a b&c"),
        ("Authorization", "Bearer s3cret"),
        ("content-type", "application/json"),
        ("user-agent", "Tidings-Flows/1"),
        ("idempotency-key", "key"),
    ];
    assert_eq!(headers.len(), expected.len());
    assert!(expected.iter().all(|header| headers.contains(header)), "{headers:?}");
    let body: Value = serde_json::from_str(call.body.as_deref().unwrap()).unwrap();
    assert_eq!(body, json!({"name": "Zoë", "list": [1, null, "as a b&c", "plain"], "deep": {"x": true}}));
    assert!(!format!("{call:?}").contains("s3cret") && !format!("{call:?}").contains("example"), "{call:?}");
}

#[test]
fn sends_a_text_body_with_the_content_type_of_the_author() {
    let request = request(json!({"body": "Hi {{ contact.first_name }}", "headers": {"Content-Type": "text/csv"}}));
    let call = prepare(&request, &OpenSecrets::default()).unwrap();
    assert_eq!(call.body.as_deref(), Some("Hi Zoë"));
    let types: Vec<_> = call.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("content-type")).collect();
    assert_eq!(types, [&("Content-Type".to_owned(), "text/csv".to_owned())]);
}

#[test]
fn sends_a_secret_only_to_its_hosts() {
    let secrets = secrets(&[("TOKEN", "s3cret", "api.example.com")]);
    let call = |url: &str| prepare(&request(json!({"url": url, "body": "{{ secrets.TOKEN }}"})), &secrets);
    for (url, sent) in [
        ("https://api.example.com/x", "https://api.example.com/x"),
        ("https://API.example.com:8443/", "https://api.example.com:8443/"),
        ("https://api.example.com/{{ secrets.TOKEN }}", "https://api.example.com/s3cret"),
        // A backslash counts as a slash. The sender gets the parsed URL, so it cannot read another host from it.
        ("https://api.example.com\\@evil.example/", "https://api.example.com/@evil.example/"),
    ] {
        assert_eq!(call(url).unwrap().url, sent);
    }
    for url in [
        "https://evil.example/",
        "https://{{ vars.host }}/",
        "https://api.example.com.{{ vars.host }}/",
        "https://api.example.com@evil.example/",
        "https://api.example.com:x@{{ vars.host }}/",
        "https://{{ secrets.TOKEN }}.evil.example/",
        "https://x.api.example.com/",
        "https://evil.example\\@api.example.com/",
    ] {
        let refused = call(url).unwrap_err();
        let (code, message) = code(&refused);
        assert_eq!(code, "secret_not_for_host", "{url}");
        assert!(!message.contains("evil") && !message.contains("s3cret"), "{message}");
    }
}

#[test]
fn errors_do_not_reveal_secrets_that_cannot_be_rendered() {
    let secrets = secrets(&[("TOKEN", "s3cret", "api.example.com")]);
    let refused =
        prepare(&request(json!({"body": "{{ secrets.TOKEN }}{{ vars.q|date('%Y') }}"})), &secrets).unwrap_err();
    let (why, message) = code(&refused);
    assert!(why == "template_error" && !message.contains("s3cret"), "{message}");
    let plain = prepare(&request(json!({"body": "{{ vars.q|date('%Y') }}"})), &secrets).unwrap_err();
    assert!(code(&plain).1.contains("a b&c"), "{plain:?}");
    let missing = prepare(&request(json!({"body": "{{ secrets.OTHER }}"})), &secrets).unwrap_err();
    assert_eq!(code(&missing).0, "secret_missing");
    assert!(!format!("{secrets:?}").contains("s3cret"));
}

#[test]
fn rejects_requests_that_cannot_be_sent() {
    let nothing = OpenSecrets::default();
    for more in [
        json!({"url": "{{ vars.q }}"}),
        json!({"url": "{{ vars.none }}"}),
        json!({"url": "mailto:{{ vars.host }}"}),
        json!({"headers": {"X-Lines": "{{ vars.lines }}"}}),
        json!({"headers": {"X-Name": "{{ contact.first_name }}"}}),
        json!({"body": vec!["x".repeat(2_000); 40]}),
    ] {
        let refused = prepare(&request(more.clone()), &nothing).unwrap_err();
        assert_eq!(code(&refused).0, "invalid_request", "{more}");
    }
}

#[test]
fn saves_parts_of_a_response() {
    let body = br#"{"id": 7, "items": [{"sku": "A-7"}, null], "text": "a\u0000b"}"#;
    let paths = json!({"status": "status", "all": "body", "id": "body.id", "sku": "body.items.0.sku", "text": "body.text",
        "null": "body.items.1", "far": "body.items.9", "odd": "body.id.x"});
    let vars = saved(paths, body, &OpenSecrets::default());
    let all = json!({"id": 7, "items": [{"sku": "A-7"}, null], "text": "a\u{fffd}b"});
    let expected = json!({"status": 200, "all": all, "id": 7, "sku": "A-7", "text": "a\u{fffd}b"});
    assert_eq!(Value::Object(vars), expected);
}

#[test]
fn saves_other_bodies_as_text_and_nothing_of_an_empty_one() {
    let paths = json!({"all": "body", "part": "body.x"});
    assert_eq!(
        Value::Object(saved(paths.clone(), b"<p>\xff</p>", &OpenSecrets::default())),
        json!({"all": "<p>\u{fffd}</p>"})
    );
    assert_eq!(Value::Object(saved(paths, b"", &OpenSecrets::default())), json!({}));
}

#[test]
fn rejects_responses_that_are_too_large_or_too_deep() {
    let all = request(json!({"save": {"all": "body"}}));
    let nothing = OpenSecrets::default();
    let long = serde_json::to_vec(&"x".repeat(16_382)).unwrap();
    assert!(matches!(all.answered(200, Some(&long), &nothing), Called::Saved { .. }));
    let longer = serde_json::to_vec(&"x".repeat(16_383)).unwrap();
    assert_eq!(code(&all.answered(200, Some(&longer), &nothing)).0, "answer_too_large");
    assert_eq!(code(&all.answered(200, None, &nothing)).0, "answer_too_large");
    let status = request(json!({"save": {"status": "status"}}));
    assert!(
        matches!(status.answered(200, None, &nothing), Called::Saved { .. }),
        "a body that is not saved is not needed"
    );
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(matches!(all.answered(200, Some(nested(32).as_bytes()), &nothing), Called::Saved { .. }));
    assert_eq!(code(&all.answered(200, Some(nested(33).as_bytes()), &nothing)).0, "answer_too_large");
}

#[test]
fn masks_secrets_in_a_response() {
    let secrets =
        secrets(&[("PIN", "1234", "a.example"), ("TOKEN", "abc", "a.example"), ("LONGER", "abcdef", "a.example")]);
    let body = br#"{"echo": "is abcdef, not abc", "abc": 1, "pin": 1234, "other": 12345}"#;
    let expected = json!({"echo": "is ••••, not ••••", "••••": 1, "pin": "••••", "other": "••••"});
    assert_eq!(saved(json!({"all": "body"}), body, &secrets)["all"], expected);
    assert_eq!(saved(json!({"all": "body"}), b"no json: abc", &secrets)["all"], json!("no json: ••••"));
}

#[test]
fn masks_the_forms_in_which_an_answer_repeats_a_secret() {
    let secrets = secrets(&[
        ("BASIC", "Basic dXNlcjpwYXNzd29yZA==", "a.example"),
        ("SPACED", " top \"secret\" value ", "a.example"),
        ("CARD", "4242424242424242", "a.example"),
        ("PRICE", "1234", "a.example"),
    ]);
    let shown = |text: &str| saved(json!({"all": "body"}), text.as_bytes(), &secrets)["all"].to_string();
    for part in [
        "token dXNlcjpwYXNzd29yZA==",
        "user:password",
        "password",
        r#"top "secret" value"#,
        "top%20%22secret%22%20value",
        "top+%22secret%22+value",
        r#"{"data": "{\"a\": \" top \\\"secret\\\" value \"}"}"#,
        r#"{"n": 14242424242424242}"#,
        r#"{"n": 4242424242424242e3}"#,
        r#"{"n": 0.42424242424242420}"#,
        r#"{"n": 91234}"#,
        r#"{"n": 1234e-2}"#,
    ] {
        let shown = shown(part);
        let leaks = ["dXNl", "password", "secret", "4242", "1234", "12.34"].iter().any(|leak| shown.contains(leak));
        assert!(shown.contains("••••") && !leaks, "{part}: {shown}");
    }
    assert_eq!(shown(r#"{"n": 4.2, "m": 124, "t": "value"}"#), r#"{"n":4.2,"m":124,"t":"value"}"#);
}

#[test]
fn rejects_texts_that_compute_with_a_secret() {
    let secrets = secrets(&[("TOKEN", "s3cret", "api.example.com")]);
    for more in [
        json!({"url": "https://api.example.com/{% if (secrets.TOKEN|list)[0] in 'abc' %}yes{% else %}no{% endif %}"}),
        json!({"headers": {"Authorization": "Basic {{ secrets.TOKEN|upper }}"}}),
        json!({"body": {"deep": ["{{ secrets.TOKEN ~ 'x' }}"]}}),
        json!({"body": "{% set s = secrets %}{{ s.TOKEN }}"}),
    ] {
        let refused = prepare(&request(more.clone()), &secrets).unwrap_err();
        let (code, message) = code(&refused);
        assert!(code == "secret_not_bare" && !message.contains("s3cret"), "{more}: {message}");
    }
    let allowed = json!({"body": "{% if vars.q %}{{ secrets.TOKEN }}{% endif %}"});
    assert_eq!(prepare(&request(allowed), &secrets).unwrap().body.as_deref(), Some("s3cret"));
}

#[test]
fn reports_violations_of_a_request_with_their_pointers() {
    assert_eq!(wrong(json!({"method": "FETCH"})), at("/method", "invalid_value"));
    for url in ["example.com", "/orders", "ftp://example.com/", "https://", "http://a b/{{ vars.x }}"] {
        assert_eq!(wrong(json!({"url": url})), at("/url", "invalid_format"), "{url}");
    }
    assert_eq!(wrong(json!({"method": "GET", "body": "x"})), at("/body", "not_allowed"));
    assert_eq!(wrong(json!({"headers": []})), at("/headers", "wrong_type"));
    for (name, code) in [
        ("Host", "reserved_name"),
        ("Idempotency-Key", "reserved_name"),
        ("a b", "invalid_name"),
        ("Proxy-X", "reserved_name"),
    ] {
        assert_eq!(wrong(json!({"headers": {name: "x"}})), at(&format!("/headers/{name}"), code));
    }
    assert_eq!(wrong(json!({"headers": {"X": "é"}})), at("/headers/X", "invalid_format"));
    assert_eq!(wrong(json!({"headers": {"X": 1}})), at("/headers/X", "wrong_type"));
    assert_eq!(wrong(json!({"headers": {"X": "1", "x": "2"}})), at("/headers/x", "duplicate_name"));
    let many: Map<String, Value> = (0..21).map(|n| (format!("x{n}"), json!("v"))).collect();
    assert_eq!(wrong(json!({"headers": many})), at("/headers", "too_many"));
    assert_eq!(wrong(json!({"body": vec!["{{ now }}"; 51]})), at("/body", "too_many"));
    assert_eq!(
        wrong(json!({"body": {"a/b": ["x".to_owned(), format!("{{{{ now }}}}{}", "x".repeat(4_090))]}})),
        at("/body/a~1b/1", "too_long")
    );
    assert_eq!(wrong(json!({"save": {"vars.x": "body"}})), at("/save/vars.x", "invalid_key"));
    for path in [json!("bodyx"), json!("body."), json!("status.x"), json!(""), json!(1), json!("headers.x")] {
        assert_eq!(wrong(json!({"save": {"x": path}})), at("/save/x", "invalid_format"));
    }
    assert_eq!(wrong(json!({"save": "x"})), at("/save", "wrong_type"));
}
