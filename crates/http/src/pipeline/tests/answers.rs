//! Tests of what all responses have in common.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::json;
use tidings_domain::contacts::ContactRef;
use tidings_domain::pagination::Page;
use tidings_domain::ports::StoreError;
use tidings_domain::testing::a_contact;

use crate::pipeline::readiness::{Check, Checks, Finding};
use crate::pipeline::state::MAX_CALLS;
use crate::testing::{Api, FULL, Mocks, OTHER, request, workspace_id};

const CONTACT: &str = "/api/v1/contacts/contact_01h455vb4pex5vsknk084sn02q";

/// Returns mocks that find the same contact for every ID.
fn one_contact() -> Mocks {
    let mut ports = Mocks::with_keys();
    ports.contacts.expect_find().returning(|_, _| Ok(Some(a_contact().named("Ada").build())));
    ports
}

#[actix_web::test]
async fn names_the_template_of_the_route_as_instance() {
    let api = Mocks::with_keys().serve();
    let unknown = api.send(TestRequest::with_uri("/api/v1/contacts/email:ada@example.com/nothing")).await;
    assert_eq!(unknown.problem(), (404, "route_not_found".into()));
    assert_eq!(unknown.json().get("instance"), None);
    let malformed = api.get("/api/v1/contacts/email:ada?q=1").await;
    assert_eq!(malformed.json()["instance"], "/api/v1/contacts/{id}");
    for path in
        ["/api/v1/contacts/", "/api/v1/contacts//tags", "/API/v1/contacts", "/api/v1/contacts/x/y/z", "/docs/", "//"]
    {
        assert_eq!(api.get(path).await.problem().1, "route_not_found", "{path}");
    }
}

#[actix_web::test]
async fn decodes_parameters_but_no_literal_segments() {
    let api = one_contact().serve();
    for path in ["/%61pi/v1/me", "/api/v%31/me", "/api/v1/m%65", "/%68ealthz", "/%64ocs", "/api/v1/%63ontacts/x/tags"] {
        assert_eq!(api.get(path).await.problem(), (404, "route_not_found".into()), "{path}");
    }
    let encoded = api.get("/api/v1/contacts/email%3A%61da@example.com").await;
    assert_eq!(encoded.status, 200, "{:?}", encoded.json());
}

#[actix_web::test]
async fn limits_the_requests_of_a_workspace_that_call_other_services() {
    let mut ports = Mocks::with_keys();
    ports.channels.expect_get().returning(|_, _| Ok(None));
    let api = ports.serve();
    let running: Vec<_> = (0..MAX_CALLS).map(|_| api.state.calls.begin(workspace_id(1)).unwrap()).collect();
    let channel = "/api/v1/channels/chan_01h455vb4pex5vsknk084sn02q";
    for action in ["test", "connect", "disconnect"] {
        let path = format!("{channel}/{action}");
        let refused = api.call(Method::POST, &path, FULL).await;
        assert_eq!(refused.problem(), (429, "rate_limited".into()), "{path}");
        assert_eq!(refused.header("retry-after"), Some("5"));
        assert_eq!(api.call(Method::POST, &path, OTHER).await.status, 404, "another workspace");
    }
    assert_eq!(api.call(Method::DELETE, channel, FULL).await.status, 429);
    assert_eq!(api.get(channel).await.status, 404, "it calls no other service");
    drop(running);
    assert_eq!(api.call(Method::POST, &format!("{channel}/test"), FULL).await.status, 404);
}

#[actix_web::test]
async fn sends_nosniff_with_every_answer() {
    let api = one_contact().serve();
    for path in [CONTACT, "/healthz", "/docs", "/nothing", "/api/v1/contacts?limit=0"] {
        let reply = api.get(path).await;
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
}

#[actix_web::test]
async fn answers_405_for_other_methods_and_lists_them_in_allow() {
    let api = Mocks::default().serve();
    for (path, allow) in [
        ("/api/v1/contacts", "GET, HEAD, POST, OPTIONS"),
        (CONTACT, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
        ("/api/v1/contacts/x/send-message", "POST, OPTIONS"),
        ("/healthz", "GET, HEAD, OPTIONS"),
    ] {
        let wrong = api.send(TestRequest::with_uri(path).method(Method::TRACE)).await;
        assert_eq!(wrong.problem(), (405, "method_not_allowed".into()));
        assert_eq!(wrong.header("allow"), Some(allow));
        let options = api.send(TestRequest::with_uri(path).method(Method::OPTIONS)).await;
        assert_eq!((options.status, options.header("allow"), options.body.len()), (204, Some(allow), 0));
        assert!(options.header("x-request-id").is_some());
    }
    let head = api.send(TestRequest::with_uri("/api/v1/contacts/x/send-message").method(Method::HEAD)).await;
    assert_eq!((head.status, head.body.len()), (405, 0));
}

#[actix_web::test]
async fn answers_head_with_the_headers_of_get() {
    let api = one_contact().serve();
    let get = api.get(CONTACT).await;
    let head = api.call(Method::HEAD, CONTACT, FULL).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    for name in ["etag", "content-type", "vary"] {
        assert_eq!(head.header(name), get.header(name), "{name}");
        assert!(get.header(name).is_some(), "{name}");
    }
}

#[actix_web::test]
async fn sends_a_request_id_and_echoes_that_of_the_client() {
    let api = Mocks::default().serve();
    let mut ids = Vec::new();
    let (longest, too_long) = ("x".repeat(128), "x".repeat(129));
    for (given, echoed) in
        [("abc-1.2:3_4", true), (&*longest, true), ("", false), ("a b", false), ("<b>", false), (&*too_long, false)]
    {
        for path in ["/healthz", "/nothing", CONTACT] {
            let reply = api.send(TestRequest::with_uri(path).insert_header(("x-request-id", given))).await;
            assert_eq!(reply.headers.get("x-client-request-id").is_some(), echoed, "{given}");
            ids.push(reply.header("x-request-id").unwrap().to_owned());
        }
    }
    assert!(ids.iter().all(|id| id.starts_with("req_") && id.len() == 30));
    ids.dedup();
    assert_eq!(ids.len(), 18);
}

#[actix_web::test]
async fn answers_a_panic_with_an_internal_problem() {
    // The mock panics, because no port expects a call.
    let reply = Mocks::with_keys().serve().get(CONTACT).await;
    assert_eq!(reply.problem(), (500, "internal".into()));
    assert_eq!(reply.header("x-ratelimit-remaining"), Some("599"));
}

#[actix_web::test]
async fn hides_details_of_store_errors() {
    for (error, status, code) in [
        (StoreError::Unavailable("db-7 refused".into()), 503, "unavailable"),
        (StoreError::Corrupt("row db-7".into()), 500, "internal"),
    ] {
        let mut ports = Mocks::with_keys();
        ports.contacts.expect_find().return_once(move |_, _| Err(error));
        let reply = ports.serve().get(CONTACT).await;
        assert_eq!(reply.problem(), (status, code.into()));
        assert!(!String::from_utf8_lossy(&reply.body).contains("db-7"));
    }
}

#[actix_web::test]
async fn answers_every_missing_object_with_the_same_body() {
    let mut ports = Mocks::with_keys();
    ports.contacts.expect_find().returning(|_, _| Ok(None));
    let api = ports.serve();
    let mut bodies = Vec::new();
    for name in ["contact_01h455vb4pex5vsknk084sn02q", "tag_01h455vb4pex5vsknk084sn02q", "x", "email:no", "%ff", "%zz"]
    {
        let reply = api.get(&format!("/api/v1/contacts/{name}")).await;
        assert_eq!(reply.problem(), (404, "not_found".into()), "{name}");
        let mut body = reply.json();
        body.as_object_mut().unwrap().remove("request_id");
        bodies.push(body);
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1);
    assert!(bodies[0]["detail"].as_str().unwrap().contains("`external_id:…`"), "{bodies:?}");
}

#[actix_web::test]
async fn decodes_names_in_a_path_once() {
    for (path, name) in [
        ("external_id:a%2Fb", "external_id:a/b"),
        ("external_id:100%25", "external_id:100%"),
        ("external_id:%252F", "external_id:%2F"),
        ("external_id:a+b", "external_id:a+b"),
        ("phone:%2B49301234567", "phone:+49301234567"),
        ("phone:+49301234567", "phone:+49301234567"),
        ("email%3Aada@example.com", "email:ada@example.com"),
    ] {
        let mut ports = Mocks::with_keys();
        let wanted = ContactRef::parse(name).unwrap();
        ports.contacts.expect_find().withf(move |_, asked| *asked == wanted).returning(|_, _| Ok(None));
        assert_eq!(ports.serve().get(&format!("/api/v1/contacts/{path}")).await.problem().0, 404, "{path}");
    }
}

#[actix_web::test]
async fn answers_preconditions_of_get_with_304_and_412() {
    let api = one_contact().serve();
    let tag = api.get(CONTACT).await.header("etag").unwrap().to_owned();
    let with = async |name: &str, value: &str| {
        api.send(request(Method::GET, CONTACT, FULL).insert_header((name, value))).await
    };
    for value in [tag.as_str(), &format!("\"0-x\", {tag}"), &format!("\"x\", W/{tag}"), "*"] {
        let reply = with("if-none-match", value).await;
        assert_eq!((reply.status, reply.body.len(), reply.header("etag")), (304, 0, Some(tag.as_str())));
        assert_eq!(reply.header("vary"), Some("Accept-Encoding"));
    }
    assert_eq!(with("if-none-match", "\"1-0000000000000000\"").await.status, 200);
    assert_eq!(with("if-match", "\"1-0000000000000000\"").await.status, 200);
    assert_eq!(with("if-match", "\"2-0000000000000000\"").await.problem(), (412, "precondition_failed".into()));
}

#[actix_web::test]
async fn rejects_failed_preconditions_before_any_change() {
    // The ledger expects no call.
    let api = one_contact().serve();
    let tag = api.get(CONTACT).await.header("etag").unwrap().to_owned();
    for (name, value) in [("if-none-match", "*"), ("if-none-match", &tag), ("if-match", "\"7-0000000000000000\"")] {
        let delete = request(Method::DELETE, CONTACT, FULL).insert_header((name, value));
        assert_eq!(api.send(delete).await.problem(), (412, "precondition_failed".into()), "{name}");
    }
}

#[actix_web::test]
async fn compresses_long_answers_if_accepted() {
    let mut ports = one_contact();
    let contact = a_contact().named(&"Ada ".repeat(20)).build();
    ports
        .contacts
        .expect_list()
        .returning(move |_, _, _| Ok(Page { items: vec![contact.clone(); 20], next: None, ..Page::default() }));
    let api = ports.serve();
    let packed = async |path: &str| {
        api.send(request(Method::GET, path, FULL).insert_header(("accept-encoding", "gzip, br"))).await
    };
    let (plain, gzip) = (api.get("/api/v1/contacts").await, packed("/api/v1/contacts").await);
    assert_eq!((plain.header("content-encoding"), gzip.header("content-encoding")), (None, Some("gzip")));
    assert_eq!((plain.header("vary"), gzip.header("vary")), (Some("Accept-Encoding"), Some("Accept-Encoding")));
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&gzip.body[..]).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.body);
    assert!(packed(CONTACT).await.header("content-encoding").is_none(), "short answers are not compressed");
}

#[actix_web::test]
async fn marks_the_tag_of_a_compressed_answer_and_accepts_both() {
    let mut ports = Mocks::with_keys();
    ports.contacts.expect_find().returning(|_, _| Ok(Some(a_contact().named(&"A".repeat(2_000)).build())));
    let api = ports.serve();
    let plain = api.get(CONTACT).await.header("etag").unwrap().to_owned();
    let accepting = || request(Method::GET, CONTACT, FULL).insert_header(("accept-encoding", "gzip"));
    let gzip = api.send(accepting()).await.header("etag").unwrap().to_owned();
    assert_eq!(gzip, format!("{}-gzip\"", plain.trim_end_matches('"')));
    for tag in [plain, gzip.clone()] {
        let reply = api.send(accepting().insert_header(("if-none-match", tag))).await;
        assert_eq!((reply.status, reply.header("etag")), (304, Some(gzip.as_str())));
    }
}

#[actix_web::test]
async fn reports_readiness_of_the_store_and_of_the_server() {
    let ready = async |api: &Api| api.send(TestRequest::with_uri("/readyz")).await;
    let mut ports = Mocks::default();
    ports.access.expect_workspace().returning(|_| Ok(None));
    let api = ports.serve();
    let storage = json!({"name": "storage", "status": "ok"});
    assert_eq!(
        ready(&api).await.json(),
        json!({"status": "ok", "version": env!("CARGO_PKG_VERSION"), "checks": [storage]})
    );
    api.state.drain();
    assert_eq!(ready(&api).await.problem(), (503, "unavailable".into()));
    assert_eq!(api.send(TestRequest::with_uri("/healthz")).await.status, 200);

    let mut ports = Mocks::default();
    ports.access.expect_workspace().returning(|_| Err(StoreError::Unavailable("gone".into())));
    assert_eq!(ready(&ports.serve()).await.problem(), (503, "unavailable".into()));
}

struct Found(&'static str, Finding);

#[async_trait::async_trait]
impl Check for Found {
    fn name(&self) -> &'static str {
        self.0
    }

    async fn look(&self) -> Finding {
        self.1.clone()
    }
}

#[actix_web::test]
async fn reports_warnings_with_200_and_failures_with_503() {
    let serve = |findings: Vec<(&'static str, Finding)>| {
        let mut ports = Mocks::default();
        ports.access.expect_workspace().returning(|_| Ok(None));
        ports.checks = Checks(findings.into_iter().map(|(name, it)| Arc::new(Found(name, it)) as _).collect());
        ports.serve()
    };
    let warning = ("limits", Finding::Warning("two instances count alone".to_owned()));
    let api = serve(vec![("engine", Finding::Fine), warning.clone()]);
    let reply = api.send(TestRequest::with_uri("/readyz")).await;
    assert_eq!(reply.status, 200);
    let told = json!({"name": "limits", "status": "warning", "detail": "two instances count alone"});
    assert_eq!(reply.json()["checks"][2], told);

    let api = serve(vec![("engine", Finding::Broken("it stopped".to_owned())), warning]);
    let reply = api.send(TestRequest::with_uri("/readyz")).await;
    assert_eq!((reply.problem().0, reply.json()["detail"].as_str()), (503, Some("engine: it stopped")));
}

/// The captured log.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[actix_web::test]
async fn logs_the_route_and_no_personal_data() {
    let mut ports = Mocks::with_keys();
    ports.contacts.expect_find().returning(|_, _| Ok(None));
    let api = ports.serve();
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().json().with_writer(move || writer.clone()).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    // Other tests log at the same time. If one registers the log line while its thread has no subscriber, the line is
    // disabled. So repeat until a line is captured.
    for _ in 0..1_000 {
        tracing::callsite::rebuild_interest_cache();
        api.get("/healthz").await;
        if !log.0.lock().unwrap().is_empty() {
            break;
        }
    }
    log.0.lock().unwrap().clear();
    api.get("/api/v1/contacts/email:ada@example.com").await;
    api.get("/api/v1/contacts?email=ada@example.com&nonsense=ada").await;
    api.get("/api/v1/ada").await;
    drop(guard);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert_eq!(text.lines().count(), 3);
    assert!(!text.contains("ada"), "{text}");
    let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let fields = &first["fields"];
    assert_eq!((&fields["route"], &fields["status"]), (&json!("/api/v1/contacts/{id}"), &json!(404)));
    assert_eq!(fields["method"], "GET");
    assert!(fields["workspace"].as_str().unwrap().starts_with("ws_") && fields["key"].is_string());
    assert!(fields["request_id"].is_string() && fields["duration_ms"].is_number());
}
