//! The document against the behaviour of the handlers.

use std::collections::BTreeSet;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::{Value, json};

use super::{document, resolve};
use crate::routes::{ROUTES, RouteScope};
use crate::testing::{Mocks, Reply, opener, path_of};

/// Returns the locations of all errors with this code.
fn places(reply: &Reply, code: &str) -> BTreeSet<String> {
    reply.errors().into_iter().filter(|(_, found)| found == code).map(|(place, _)| place).collect()
}

#[actix_web::test]
async fn documents_exactly_the_fields_that_handlers_read() {
    let (document, api) = (document(), Mocks::with_keys().serve());
    let taking = ROUTES.iter().filter(|route| route.scope != RouteScope::Signed);
    for route in taking.filter(|route| route.traits.body.is_json()) {
        let operation = &document["paths"][route.path][route.method.as_str().to_lowercase()];
        let schema = resolve(&document, &operation["requestBody"]["content"]["application/json"]["schema"]);
        let pointers = |names: Vec<&str>| names.into_iter().map(|name| format!("/{name}")).collect::<BTreeSet<_>>();
        let known = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>();

        let mut body: serde_json::Map<_, _> = known.iter().map(|name| ((*name).to_owned(), json!([[]]))).collect();
        body.insert("zzz".to_owned(), json!(1));
        let path = path_of(route.path);
        let key = opener(route);
        let reply = api.json_as(route.method.clone(), &path, &Value::Object(body).to_string(), &key).await;
        let unknown = places(&reply, "unknown_field");
        assert_eq!(unknown, pointers(vec!["zzz"]), "{} {path}", route.method);

        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let required = pointers(required.iter().filter_map(Value::as_str).collect());
        let mut missing = places(&api.json_as(route.method.clone(), &path, r#"{"zzz":1}"#, &key).await, "required");
        // An error of the body, which requires one of several fields.
        missing.remove("");
        // The body has two forms, so its schema requires the fields of neither.
        if route.operation_id == "accept_invitation" {
            missing.clear();
        }
        assert_eq!(missing, required, "{} {path}", route.method);
    }
}

#[actix_web::test]
async fn lists_accept_every_documented_parameter() {
    let (document, api) = (document(), Mocks::with_keys().serve());
    for route in ROUTES.iter().filter(|route| route.traits.query) {
        let operation = &document["paths"][route.path]["get"];
        let parameters = operation["parameters"].as_array().unwrap().iter().map(|it| resolve(&document, it));
        let in_query = parameters.filter(|parameter| parameter["in"] == "query" && parameter["name"] != "cursor");
        let query: Vec<_> = in_query.map(|parameter| format!("{}=%01", parameter["name"].as_str().unwrap())).collect();
        let path = format!("{}?{}&zzz=1", path_of(route.path), query.join("&"));
        let reply = api.call(Method::GET, &path, &opener(route)).await;
        assert_eq!(places(&reply, "unknown_parameter"), BTreeSet::from(["zzz".to_owned()]), "{}", route.path);
    }
}

#[actix_web::test]
async fn serves_the_document_without_a_key() {
    let reply = Mocks::default().serve().send(TestRequest::with_uri("/openapi.json")).await;
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/json")));
    assert_eq!(reply.json(), document());
}
