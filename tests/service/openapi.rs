//! The OpenAPI document and the server agree: everything documented exists and responds as documented, and everything
//! that exists is documented.

mod examples;
pub mod operations;
mod people;
pub mod schema;
mod wire_names;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tidings_http::routes::{BodyKind, ROUTES, Route, RouteScope};

use crate::support::seed::Seed;
use crate::support::{Client, Receiver, Reply, Server, Store};
use operations::Request;
use schema::Document;

/// The committed document, used by readers and generators.
const KEPT: &str = include_str!("../../docs/openapi.json");

#[test]
fn the_stored_document_is_up_to_date() {
    let now = serde_json::to_string_pretty(&tidings_http::openapi(tidings_channels::TYPES)).unwrap() + "\n";
    assert!(now == KEPT, "docs/openapi.json is out of date: run `make openapi` and commit it");
}

const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];

async fn document(server: &Server) -> Document {
    let reply = Client::new(&server.base, None).get("/openapi.json").await;
    assert_eq!(reply.header("content-type"), Some("application/json"));
    Document(reply.expect(200))
}

fn operation<'d>(document: &'d Document, route: &Route) -> &'d Value {
    &document.0["paths"][route.path][route.method.as_str().to_lowercase()]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn documents_exactly_the_routes_of_the_server() {
    let server = Server::start(Store::sqlite().await, &[]);
    let document = document(&server).await;
    assert!(document.0["openapi"].as_str().unwrap().starts_with("3.1."));
    let client = Client::new(&server.base, None);
    let mut documented = BTreeSet::new();
    for (path, item) in document.0["paths"].as_object().unwrap() {
        let methods: Vec<&str> = METHODS.into_iter().filter(|method| item.get(method).is_some()).collect();
        documented.extend(methods.iter().map(|method| (path.clone(), method.to_uppercase())));
        // The methods that the running server allows.
        let options = client.call("OPTIONS", &path.replace(['{', '}'], ""), None).await;
        assert_eq!(options.status, 204, "{path} is documented but does not exist: {}", options.text);
        let allow: BTreeSet<&str> = options.header("allow").unwrap().split(", ").collect();
        let mut expected: BTreeSet<String> = methods.iter().map(|method| method.to_uppercase()).collect();
        expected.insert("OPTIONS".to_owned());
        if methods.contains(&"get") {
            expected.insert("HEAD".to_owned());
        }
        assert_eq!(allow, expected.iter().map(String::as_str).collect(), "{path}");
    }
    let routes: BTreeSet<_> = ROUTES.iter().map(|it| (it.path.to_owned(), it.method.to_string())).collect();
    assert_eq!(documented, routes);
    for route in ROUTES {
        let operation = operation(&document, route);
        assert_eq!(operation["operationId"], route.operation_id);
        let ways = operation["security"].as_array().unwrap();
        // An empty requirement, or none at all, leaves the operation open.
        let needs_key = !ways.is_empty() && !ways.contains(&json!({}));
        assert_eq!(needs_key, !route.scope.is_open(), "{}", route.operation_id);
        // An open operation may accept an access token.
        let scope = if needs_key { route.scope.as_str() } else { "signed_in" };
        for demanded in ways.iter().flat_map(|it| it.as_object().unwrap().values()) {
            assert_eq!(demanded, &json!([scope]), "{}", route.operation_id);
        }
        let told = |name: &str| operation[name].as_str().is_some_and(|text| !text.is_empty());
        assert!(told("summary") && told("description"), "{} is not described", route.operation_id);
        assert_eq!(
            operation.get("requestBody").is_some(),
            route.traits.body != BodyKind::None,
            "{}",
            route.operation_id
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resolves_every_reference_of_the_document() {
    fn follow(document: &Document, part: &Value) -> usize {
        let own = usize::from(part.get("$ref").is_some_and(|it| it.is_string()));
        if own == 1 {
            document.resolve(part);
        }
        let parts: Vec<&Value> = match part {
            Value::Object(members) => members.values().collect(),
            Value::Array(items) => items.iter().collect(),
            _ => Vec::new(),
        };
        own + parts.into_iter().map(|part| follow(document, part)).sum::<usize>()
    }
    let server = Server::start(Store::sqlite().await, &[]);
    let document = document(&server).await;
    assert!(follow(&document, &document.0) > 100);
}

/// Returns the bodies and responses of an operation in the document.
fn contents(operation: &Value) -> impl Iterator<Item = &Value> {
    let answers = operation["responses"].as_object().unwrap().iter().filter(|(status, _)| status.starts_with('2'));
    let described = answers.map(|(_, answer)| answer).chain(operation.get("requestBody"));
    described.filter_map(|it| it["content"].as_object()).flat_map(|forms| forms.values())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_body_and_answer_has_a_valid_example() {
    let server = Server::start(Store::sqlite().await, &[]);
    let document = document(&server).await;
    let mut used = BTreeSet::new();
    let mut missing = BTreeSet::new();
    for route in ROUTES {
        for content in contents(operation(&document, route)) {
            let named = content["examples"]["default"]["$ref"].as_str();
            let Some(place) = named.and_then(|it| it.strip_prefix('#')) else {
                // The document itself and binary files have no example.
                let files = ["openapi", "export_workspace", "download_media", "open_media_link"];
                let is_shown = !files.contains(&route.operation_id);
                if content.get("example").is_none() && is_shown {
                    missing.insert(content["schema"]["$ref"].as_str().unwrap_or(route.operation_id).to_owned());
                }
                continue;
            };
            let example = &document.0.pointer(place).unwrap()["value"];
            let differences = document.differences(&content["schema"], example);
            assert_eq!(differences, Vec::<String>::new(), "{place}: record the examples again");
            used.insert(place.rsplit('/').next().unwrap().to_owned());
        }
    }
    assert_eq!(missing, BTreeSet::new(), "these have no example; record them");
    let kept: BTreeSet<String> = document.0["components"]["examples"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(kept, used, "these examples are not used");
}

/// Compares a response with the documentation of its operation.
fn compare(document: &Document, route: &Route, reply: &Reply, case: &str) {
    let responses = &operation(document, route)["responses"];
    let response = &responses[reply.status.to_string()];
    assert!(response.is_object(), "{case}: {} is not documented", reply.status);
    let response = document.resolve(response);

    let documented = response["headers"].as_object().map(|them| them.keys().map(|name| name.to_lowercase()).collect());
    let documented: BTreeSet<String> = documented.unwrap_or_default();
    for name in &documented {
        // These headers are optional.
        let may_miss = ["link", "idempotency-replayed"].contains(&name.as_str());
        assert!(may_miss || reply.header(name).is_some(), "{case}: {name} is documented but missing");
    }
    for name in ["etag", "location", "link", "retry-after", "ratelimit", "x-ratelimit-limit", "x-request-id"] {
        assert!(reply.header(name).is_none() || documented.contains(name), "{case}: {name} is not documented");
    }

    let Some(content) = response["content"].as_object() else {
        assert_eq!(reply.text, "", "{case}: a body is not documented");
        return;
    };
    let form = reply.header("content-type").unwrap_or_else(|| panic!("{case}: no content type"));
    let schema = &content.get(form).unwrap_or_else(|| panic!("{case}: {form} is not documented"))["schema"];
    let body = if form.ends_with("json") { reply.json() } else { Value::from(reply.text.as_str()) };
    let differences = document.differences(schema, &body);
    assert_eq!(differences, Vec::<String>::new(), "{case}: {}", reply.text);
    if reply.status < 300 {
        examples::note(schema, &body);
    }
}

/// Whether a request body matches the documented schema.
fn fits(document: &Document, route: &Route, body: &Value) -> bool {
    let content = &document.resolve(&operation(document, route)["requestBody"])["content"];
    let form = match route.traits.body {
        BodyKind::Table => "text/csv",
        BodyKind::File => "application/octet-stream",
        BodyKind::None | BodyKind::Optional | BodyKind::Required => "application/json",
    };
    let schema = &content[form]["schema"];
    assert!(schema.is_object(), "{}: the body is not documented", route.operation_id);
    let fits = document.differences(schema, body).is_empty();
    if fits {
        examples::note(schema, body);
    }
    fits
}

async fn ask(client: &Client, route: &Route, request: &Request) -> (Reply, String) {
    let reply = client.call(route.method.as_str(), &request.path, request.body.as_ref()).await;
    let case = format!("{} {} {:?}", route.method, request.path, request.body);
    assert_eq!(reply.status, request.status, "{case}: {}", reply.text);
    (reply, case)
}

async fn answers_match_the_document(store: Store) {
    let server = Server::start(store, &[crate::support::people::OFTEN]);
    let receiver = Receiver::start();
    let seed = Seed::new(&server, "acme", &receiver).await;
    let document = document(&server).await;
    let nobody = seed.client.with_key(None);
    let reader = seed.client.with_key(Some(&seed.read));
    let mut compared = 0;
    for route in ROUTES {
        if route.scope == RouteScope::Signed {
            // Requests to this route must be signed; tests/service/inbound.rs covers them.
            let request = operations::wrong(route).map(|request| Request { status: 404, ..request });
            let (reply, case) = ask(&nobody, route, &request.unwrap()).await;
            compare(&document, route, &reply, &case);
            compared += 1;
            continue;
        }
        if route.path.starts_with("/api/v1/sandbox/") {
            // These need a key of a sandbox; `people` covers them.
            continue;
        }
        let of_people = !route.scope.is_open() && route.scope.required().is_none();
        if of_people || matches!(route.scope, RouteScope::Login | RouteScope::Token) {
            continue;
        }
        let request = operations::right(route, &seed).await;
        if let Some(body) = &request.body {
            assert!(fits(&document, route, body), "{}: {body} is accepted but not documented", route.operation_id);
        }
        let (reply, case) = ask(&seed.client, route, &request).await;
        compare(&document, route, &reply, &case);
        compared += 1;
        if let Some(request) = operations::right_otherwise(route) {
            let (reply, case) = ask(&seed.client, route, &request).await;
            compare(&document, route, &reply, &case);
            compared += 1;
        }

        if let Some(tag) = reply.header("etag").filter(|_| route.method == "GET").map(ToOwned::to_owned) {
            let again = seed.client.send("GET", &request.path, &[("if-none-match", &tag)], None).await.unwrap();
            assert_eq!(again.status, 304, "{case}");
            compare(&document, route, &again, &case);
            compared += 1;
        }
        if let Some(request) = operations::wrong(route) {
            if let Some(body) = &request.body {
                assert!(!fits(&document, route, body), "{}: {body} is documented but rejected", route.operation_id);
            }
            let (reply, case) = ask(&seed.client, route, &request).await;
            compare(&document, route, &reply, &case);
            compared += 1;
        }
        if route.scope != RouteScope::Public {
            let (reply, case) = ask(&nobody, route, &Request { status: 401, ..request_like(&request) }).await;
            compare(&document, route, &reply, &case);
            compared += 1;
        }
        if matches!(route.scope, RouteScope::Write | RouteScope::Full) {
            let (reply, case) = ask(&reader, route, &Request { status: 403, ..request_like(&request) }).await;
            compare(&document, route, &reply, &case);
            compared += 1;
        }
    }
    compared += people::are_answered_as_documented(&server, &document).await;
    examples::write_if_asked();
    println!("{compared} answers are as documented");
    assert!(compared >= ROUTES.len() * 3);
}

fn request_like(request: &Request) -> Request {
    Request { path: request.path.clone(), body: request.body.clone(), status: request.status }
}

on_both! {
    answers_match_the_document,
}
