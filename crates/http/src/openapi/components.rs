//! Shared components: the problem, its responses, headers, and the security schemes.

use serde_json::json;
use utoipa::openapi::header::Header;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{AdditionalProperties, AnyOfBuilder, Schema, SchemaType, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    ArrayBuilder, Components, Content, ObjectBuilder, OpenApi, Ref, RefOr, Required, Response, ResponseBuilder,
};

use crate::response::problem::Code;

/// The statuses of problems. Each is one component.
pub(super) const PROBLEMS: [u16; 14] = [400, 401, 403, 404, 408, 409, 410, 412, 413, 415, 422, 429, 500, 503];

/// The name of the scheme for API keys.
pub(super) const BEARER: &str = "api_key";
/// The name of the scheme for users.
pub(super) const TOKEN: &str = "access_token";

pub(super) fn add(document: &mut OpenApi) {
    let components = document.components.get_or_insert_with(Components::new);
    components.schemas.insert("Problem".to_owned(), problem().into());
    components.schemas.insert("FieldError".to_owned(), field_error().into());
    for status in PROBLEMS {
        for counted in [true, false] {
            let response = problem_response(status, describe(status), counted);
            components.responses.insert(problem_name(status, counted), response.into());
        }
    }
    for (name, description, kind) in HEADERS {
        components.headers.insert(name.to_owned(), header(description, kind.clone()).into());
    }
    for (name, parameter) in parameters() {
        components.parameters.insert(name.to_owned(), parameter.into());
    }
    let scheme = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("An API key, `tdg_live_…` or `tdg_test_…`, with the scope `read`, `write` or `full`."))
        .build();
    components.add_security_scheme(BEARER, SecurityScheme::Http(scheme));
    let scheme = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .description(Some("The access token of a user, from `POST /auth/login`."))
        .build();
    components.add_security_scheme(TOKEN, SecurityScheme::Http(scheme));
}

/// Response headers: name, description, type.
pub(super) const HEADERS: [(&str, &str, Type); 11] = [
    ("X-Request-Id", "ID of this request, for logs and support.", Type::String),
    ("ETag", "The version of the object, and a hash of this representation.", Type::String),
    ("Location", "URL of the object.", Type::String),
    ("Link", "URL of the next page, `rel=\"next\"`; absent on the last page.", Type::String),
    (
        "Idempotency-Replayed",
        "`true`: this is the response of an earlier request with the same key. `rendered`: the earlier response was \
         too large to store; this one shows the current object, or `{\"id\": …, \"deleted\": true}`.",
        Type::String,
    ),
    ("Retry-After", "Number of seconds after which a retry can succeed.", Type::Integer),
    ("RateLimit-Policy", "The plan's limit: `\"plan\";q=<requests>;w=60`.", Type::String),
    ("RateLimit", "The rest of the limit: `\"plan\";r=<requests>;t=<seconds>`.", Type::String),
    ("X-RateLimit-Limit", "Requests per rolling minute.", Type::Integer),
    ("X-RateLimit-Remaining", "Number of requests left in this minute.", Type::Integer),
    ("X-RateLimit-Reset", "Seconds until the oldest counted second leaves the rolling minute.", Type::Integer),
];

/// The headers of every response to an API key.
pub(super) const LIMIT_HEADERS: [&str; 5] =
    ["RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

pub(super) fn header_ref(name: &str) -> RefOr<Header> {
    RefOr::Ref(Ref::new(format!("#/components/headers/{name}")))
}

/// Returns the name of a problem response. Uncounted requests have no headers of the rate limit.
pub(super) fn problem_name(status: u16, counted: bool) -> String {
    let uncounted = if counted { "" } else { "Uncounted" };
    format!("Problem{status}{uncounted}")
}

pub(super) fn problem_ref(status: u16, counted: bool) -> RefOr<Response> {
    Ref::from_response_name(problem_name(status, counted)).into()
}

/// Returns a problem response, with headers of the rate limit for counted requests.
pub(super) fn problem_response(status: u16, description: String, counted: bool) -> Response {
    let content = Content::new(Some(RefOr::<Schema>::Ref(Ref::from_schema_name("Problem"))));
    let mut response = ResponseBuilder::new().description(description).content("application/problem+json", content);
    let mut headers = vec!["X-Request-Id"];
    if counted && ![401, 503, 500].contains(&status) {
        headers.extend(LIMIT_HEADERS);
    }
    if matches!(status, 425 | 429 | 503) {
        headers.push("Retry-After");
    }
    for name in headers {
        response = response.header(name, Header::default());
    }
    let mut response = response.build();
    for (name, header) in &mut response.headers {
        *header = header_ref(name);
    }
    response
}

/// Describes all codes of a status, from the table of problems.
fn describe(status: u16) -> String {
    let codes = Code::ALL.iter().filter(|code| code.status().as_u16() == status);
    let lines: Vec<_> = codes.map(|code| format!("`{}`: {}", code.as_str(), code.detail())).collect();
    lines.join(" ")
}

fn header(description: &str, kind: Type) -> Header {
    let mut header = Header::new(ObjectBuilder::new().schema_type(kind).build());
    header.description = Some(description.to_owned());
    header
}

/// Returns the request headers.
fn parameters() -> [(&'static str, Parameter); 4] {
    let parameter = |name: &str, description: &str, schema: ObjectBuilder| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(description))
            .schema(Some(schema.schema_type(Type::String)))
            .build()
    };
    let key = ObjectBuilder::new().min_length(Some(1)).max_length(Some(255));
    [
        (
            "WorkspaceId",
            parameter(
                "X-Workspace-Id",
                "The workspace to use, if the user of an access token belongs to several. API keys belong to one \
                 workspace.",
                ObjectBuilder::new(),
            ),
        ),
        (
            "IdempotencyKey",
            parameter(
                "Idempotency-Key",
                "Makes a retry safe. For 24 hours, the server runs a request with this key once per user, or once per \
                 API key and its successors.",
                key,
            ),
        ),
        (
            "IfMatch",
            parameter(
                "If-Match",
                "Continues only if the object has one of these versions: `\"<version>\"` with the `version` of the \
                 body, or an `ETag`. `*` matches any version. Otherwise the response is 412.",
                ObjectBuilder::new(),
            ),
        ),
        (
            "IfNoneMatch",
            parameter(
                "If-None-Match",
                "`ETag` values of copies that the client has. If one is current, GET returns 304, and other methods \
                 return 412.",
                ObjectBuilder::new(),
            ),
        ),
    ]
}

/// Returns an enum that also accepts words of later releases, so that generated clients can read them.
fn open_enum(description: &str, words: impl Iterator<Item = &'static str>) -> AnyOfBuilder {
    let known = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words));
    let any = ObjectBuilder::new().schema_type(Type::String);
    AnyOfBuilder::new().description(Some(description)).item(known).item(any)
}

fn text(description: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description))
}

fn problem() -> Schema {
    let errors = ArrayBuilder::new()
        .items(RefOr::<Schema>::Ref(Ref::from_schema_name("FieldError")))
        .description(Some("All errors in the parts of the request."));
    let status = ObjectBuilder::new().schema_type(Type::Integer).description(Some("The HTTP status."));
    let codes = Code::ALL.iter().map(|code| code.as_str());
    ObjectBuilder::new()
        .description(Some("An error response (RFC 9457)."))
        .property(
            "type",
            text("URL of a page about this code; relative to this server if the server does not know its own address."),
        )
        .property("title", text("Short description of the code."))
        .property("status", status)
        .property("code", open_enum("Error code, stable. Later versions can add codes.", codes))
        .property("detail", text("Description of this occurrence."))
        .property("instance", text("Template of the route; absent if no route matches the path."))
        .property("request_id", text("ID of the request."))
        .property("errors", errors)
        .property(
            "existing_id",
            text("For `contact_exists`, `name_taken`, `key_taken` and `account_in_use`: the existing object."),
        )
        .property("step", text("For `setup_failed`: the failed step, such as `set_webhook`."))
        .property("provider_code", text("For `setup_failed`: the error code of the provider."))
        .property("hint", text("For `setup_failed`: advice for an admin."))
        .property("merged_into", text("For `contact_merged`: the contact that stays."))
        .property(
            "missing",
            text("For `not_found`, if the path names several objects: the type of the missing object."),
        )
        .property("required_role", text("For `insufficient_role`: the required role."))
        .property("required_scope", text("For `insufficient_scope`: the required scope."))
        .required("type")
        .required("title")
        .required("status")
        .required("code")
        .required("detail")
        .required("request_id")
        .additional_properties(Some(AdditionalProperties::FreeForm(true)))
        .into()
}

fn field_error() -> Schema {
    let value = ObjectBuilder::new().schema_type(Type::String);
    let params = ObjectBuilder::new()
        .description(Some(
            "The values that the message names, such as `name`, to translate it by `code`. Left out if there are none.",
        ))
        .additional_properties(Some(AdditionalProperties::RefOr(value.into())));
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::Object))
        .description(Some("An error in one part of the request."))
        .property("pointer", text("Location in the body (RFC 6901).").examples([json!("/email")]))
        .property("parameter", text("Name of the parameter."))
        .property("code", text("Error code, stable.").examples([json!("invalid_format")]))
        .property("message", text("Description of the error."))
        .property("params", params)
        .required("code")
        .required("message")
        .into()
}
