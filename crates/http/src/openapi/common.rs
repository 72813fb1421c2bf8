//! The parts of operations from the table of routes: names, scopes, shared parameters, headers and problems.

use std::collections::BTreeMap;

use actix_web::http::Method;
use serde_json::json;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::{Operation, Parameter, PathItem};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{OpenApi, Ref, RefOr, Required, Response, ResponseBuilder};

use super::components::{BEARER, LIMIT_HEADERS, TOKEN, header_ref, problem_ref, problem_response};
use crate::pipeline::route::{BodyKind, Route, RouteScope};
use crate::request::path;
use crate::routes::ROUTES;

pub(super) fn complete(document: &mut OpenApi) {
    for route in ROUTES {
        let item = document.paths.paths.get_mut(route.path);
        if let Some(operation) = item.and_then(|item| operation_mut(item, &route.method)) {
            complete_operation(route, operation);
        }
    }
}

pub(super) fn operation_mut<'a>(item: &'a mut PathItem, method: &Method) -> Option<&'a mut Operation> {
    match method.as_str() {
        "GET" => item.get.as_mut(),
        "POST" => item.post.as_mut(),
        "PUT" => item.put.as_mut(),
        "PATCH" => item.patch.as_mut(),
        "DELETE" => item.delete.as_mut(),
        _ => None,
    }
}

fn complete_operation(route: &Route, operation: &mut Operation) {
    operation.operation_id = Some(route.operation_id.to_owned());
    let mut schemes = Vec::new();
    if route.scope.required().is_some() {
        schemes.push(BEARER);
    }
    if !route.scope.is_open() {
        schemes.push(TOKEN);
    }
    // In OpenAPI 3.1, this list contains the required scope for schemes other than OAuth, too.
    let security = schemes.into_iter().map(|scheme| SecurityRequirement::new(scheme, [route.scope.as_str()]));
    let mut security: Vec<SecurityRequirement> = security.collect();
    if route.traits.invites {
        // One of its forms needs no credential.
        security =
            vec![SecurityRequirement::default(), SecurityRequirement::new(TOKEN, [RouteScope::SignedIn.as_str()])];
    }
    operation.security = Some(security);
    operation.extensions = Some(Extensions::from_iter([("x-required-scope", json!(route.scope.as_str()))]));
    if shows_one_object(route) {
        let unchanged = ResponseBuilder::new().description("The client's copy is current.").build();
        operation.responses.responses.insert("304".to_owned(), unchanged.into());
    }
    if names_an_object(route) {
        let named = path::parameters(route.path).map(|(name, row)| row.to_parameter(name).into());
        operation.parameters.get_or_insert_default().splice(0..0, named);
    }
    add_parameters(route, operation);
    complete_body(route, operation);
    let creates = ["201", "202"].iter().any(|status| operation.responses.responses.contains_key(*status));
    for (status, response) in &mut operation.responses.responses {
        if let RefOr::T(response) = response {
            complete_response(route, creates, status, response);
        }
    }
    for status in problems(route) {
        let counted = has_key(route) || (route.scope == RouteScope::Public && status != 429);
        let problem = || problem_ref(status, counted);
        operation.responses.responses.entry(status.to_string()).or_insert_with(problem);
    }
}

fn has_key(route: &Route) -> bool {
    !route.scope.is_open()
}

/// Whether its responses are stored under an idempotency key.
fn is_idempotent(route: &Route) -> bool {
    route.method == Method::POST && has_key(route) && !route.traits.reads && !route.path.starts_with("/auth/")
}

fn names_an_object(route: &Route) -> bool {
    route.path.contains('{')
}

fn shows_one_object(route: &Route) -> bool {
    route.method == Method::GET
        && names_an_object(route)
        && !route.traits.query
        && !has_no_version(route)
        && has_key(route)
}

/// Whether it returns data without a version: aggregates, or data of another service.
fn has_no_version(route: &Route) -> bool {
    route.method == Method::GET && (route.traits.parameters || route.traits.calls_out)
}

fn add_parameters(route: &Route, operation: &mut Operation) {
    let mut add = |name: &str| {
        let reference: RefOr<Parameter> = RefOr::Ref(Ref::new(format!("#/components/parameters/{name}")));
        operation.parameters.get_or_insert_default().push(reference);
    };
    if route.scope.required().is_some() {
        add("WorkspaceId");
    }
    if is_idempotent(route) {
        add("IdempotencyKey");
    }
    if route.traits.versioned || shows_one_object(route) {
        add("IfMatch");
        add("IfNoneMatch");
    }
}

fn complete_body(route: &Route, operation: &mut Operation) {
    let Some(RefOr::T(body)) = &mut operation.request_body else { return };
    if route.traits.body == BodyKind::Optional {
        body.required = Some(Required::False);
    }
    if let Some(content) = body.content.get("application/json").cloned().filter(|_| route.traits.merge_patch) {
        body.content.insert("application/merge-patch+json".to_owned(), content);
    }
}

/// Adds headers to a response of the handler. A problem also gets its schema.
fn complete_response(route: &Route, creates: bool, status: &str, response: &mut Response) {
    if let Some(code) = status.parse::<u16>().ok().filter(|code| *code >= 400) {
        *response = problem_response(code, response.description.clone(), has_key(route));
        return;
    }
    let mut headers = vec!["X-Request-Id"];
    if !has_key(route) {
        headers.extend((status == "201").then_some("Location"));
        response.headers = headers.into_iter().map(|name| (name.to_owned(), header_ref(name))).collect();
        return;
    }
    headers.extend(LIMIT_HEADERS);
    let has_object =
        !response.content.is_empty() && !route.traits.query && !route.traits.reads && !has_no_version(route);
    let has_tag = (names_an_object(route) || route.method == Method::POST) && !route.path.starts_with("/auth/");
    let can_be_asked_for = !route.traits.told_once;
    // The check of a table stores nothing, so it has no version and no address.
    let is_check = route.operation_id == "import_contacts" && status == "200";
    // A streamed body has no hash.
    if (has_object && !is_check && has_tag && can_be_asked_for && !route.traits.streams) || status == "304" {
        headers.push("ETag");
    }
    if route.traits.query {
        headers.push("Link");
    }
    // An existing object has an address like a new one.
    if can_be_asked_for && (matches!(status, "201" | "202") || (creates && status == "200" && !is_check)) {
        headers.push("Location");
    }
    if is_idempotent(route) {
        headers.push("Idempotency-Replayed");
    }
    let headers = headers.into_iter().map(|name| (name.to_owned(), header_ref(name)));
    response.headers = headers.collect::<BTreeMap<_, _>>();
}

/// Whether the workspace of the request can be deleted.
fn may_meet_a_deleted_workspace(route: &Route) -> bool {
    let is_of_workspace = route.scope.required().is_some() || route.path.contains("{ws}");
    is_of_workspace && !(route.traits.of_deleted && route.method == Method::GET)
}

/// Returns the problems that all routes of this kind can return.
fn problems(route: &Route) -> Vec<u16> {
    let mut statuses = vec![500];
    if has_key(route) {
        statuses.extend([400, 401, 403, 422, 429, 503]);
    } else if matches!(route.scope, RouteScope::Login | RouteScope::Token) {
        statuses.extend([400, 422, 429, 503]);
    }
    if route.scope == RouteScope::Signed {
        statuses.extend([400, 401, 422, 429, 503]);
    }
    if route.scope == RouteScope::Public && !route.traits.probe {
        statuses.extend([429, 503]);
    }
    if names_an_object(route) {
        statuses.push(404);
    }
    if route.traits.grows {
        statuses.push(409);
    }
    if may_meet_a_deleted_workspace(route) {
        statuses.push(410);
    }
    if route.traits.versioned || shows_one_object(route) {
        statuses.push(412);
    }
    if route.traits.body != BodyKind::None {
        statuses.extend([408, 413, 415]);
    }
    statuses
}
