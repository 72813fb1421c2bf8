//! A problem, and its response.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use serde_json::{Map, Value};
use tidings_domain::access::usage::{self, RequestError};
use tidings_domain::read::{MOST_VIOLATIONS, Violation};

use super::{Code, FieldError};

/// Value of `Retry-After`, in seconds, if the store is unavailable.
const RETRY_UNAVAILABLE: u64 = 5;

/// The maximum size of the errors of a response in bytes. The whole response is then below 64 KiB.
const MOST_BYTES: usize = 60 * 1024;

/// A problem detail (RFC 9457). A handler returns it as its error. The middleware then calls [`render`](Self::render)
/// with the route and the request ID.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    code: Code,
    detail: Option<String>,
    errors: Vec<FieldError>,
    /// Boxed to keep results small; most problems have none.
    extensions: Box<Map<String, Value>>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// The members of the body, in their order.
#[derive(Serialize)]
struct Body<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    title: &'a str,
    status: u16,
    code: &'a str,
    detail: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    errors: &'a [FieldError],
    #[serde(flatten)]
    extensions: &'a Map<String, Value>,
}

impl Problem {
    /// Creates a problem, with the headers that its status requires: `WWW-Authenticate` for 401 (RFC 9110, section
    /// 15.5.2), `Retry-After` for 503.
    pub fn new(code: Code) -> Self {
        let problem = Self { code, detail: None, errors: Vec::new(), extensions: Box::default(), headers: Vec::new() };
        match code.status() {
            StatusCode::UNAUTHORIZED => problem.header(header::WWW_AUTHENTICATE, "Bearer"),
            StatusCode::SERVICE_UNAVAILABLE => problem.header(header::RETRY_AFTER, &RETRY_UNAVAILABLE.to_string()),
            _ => problem,
        }
    }

    /// Returns 422 with all violations in the body.
    pub fn invalid(violations: Vec<Violation>) -> Self {
        Self::validation(violations.into_iter().map(FieldError::from).collect())
    }

    /// Returns 422 with all errors.
    pub fn validation(errors: Vec<FieldError>) -> Self {
        Self::new(Code::ValidationFailed).errors(errors)
    }

    /// Adds violations to a problem of validation.
    pub fn and(mut self, violations: Vec<Violation>) -> Self {
        if self.code != Code::ValidationFailed {
            return self;
        }
        let mut errors = std::mem::take(&mut self.errors);
        errors.extend(violations.into_iter().map(FieldError::from));
        self.errors(errors)
    }

    /// Returns 403 for a credential without the scope `required`.
    pub fn insufficient_scope(required: &str) -> Self {
        Self::new(Code::InsufficientScope)
            .detail(format!("This requires a credential with at least the scope `{required}`."))
            .extension("required_scope", required)
    }

    /// Returns 403 for a user below the role `required`.
    pub fn insufficient_role(required: &str) -> Self {
        Self::new(Code::InsufficientRole)
            .detail(format!("This requires at least the role `{required}`."))
            .extension("required_role", required)
    }

    /// Returns 404 for one of several objects in a path; `what` is its kind.
    pub fn missing(what: &str) -> Self {
        Self::new(Code::NotFound)
            .detail(format!("There is no such {what} in this workspace."))
            .extension("missing", what.replace(' ', "_").to_ascii_lowercase())
    }

    /// Turns a 404 without a detail into one for the kind `what`, the first of several in the path.
    pub(crate) fn of_first(self, what: Option<&str>) -> Self {
        match what {
            Some(what) if self.code == Code::NotFound && self.detail.is_none() => Self::missing(what),
            _ => self,
        }
    }

    /// Adds the accepted values for the missing one of several objects, from its kind.
    pub(crate) fn of_several(mut self, tell: impl FnOnce(&str) -> Option<String>) -> Self {
        let kind = self.extensions.get("missing").and_then(Value::as_str).map(|kind| kind.replace('_', " "));
        if let (Some(detail), Some(told)) = (&mut self.detail, kind.and_then(|kind| tell(&kind))) {
            detail.push(' ');
            detail.push_str(&told);
        }
        self
    }

    /// Adds the detail of `tell` to a 404 that has none.
    pub(crate) fn of_one(self, tell: impl FnOnce() -> Option<String>) -> Self {
        match self.code {
            Code::NotFound if self.detail.is_none() => match tell() {
                Some(detail) => self.detail(detail),
                None => self,
            },
            _ => self,
        }
    }

    /// Returns 405 for a path that supports the methods `allow`, such as `GET, HEAD`.
    pub fn method_not_allowed(allow: &str) -> Self {
        Self::new(Code::MethodNotAllowed)
            .detail(format!("This path does not support the method. It supports {allow}."))
            .header(header::ALLOW, allow)
    }

    /// Sets the detail of this occurrence, for humans. It must not contain SQL, a stack trace, a path of the machine or
    /// a secret.
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Sets the errors, up to the maximum size, but at least the first one.
    pub fn errors(mut self, mut errors: Vec<FieldError>) -> Self {
        let mut room = MOST_BYTES;
        let fits = errors.iter().take_while(|error| {
            let bytes = serde_json::to_vec(error).map_or(0, |json| json.len() + 1);
            let fits = room >= bytes;
            room = room.saturating_sub(bytes);
            fits
        });
        let kept = fits.count().clamp(1, MOST_VIOLATIONS);
        errors.truncate(kept);
        self.errors = errors;
        self
    }

    /// Adds an extension member, such as `existing_id`. The standard members cannot be replaced.
    pub fn extension(mut self, name: &str, value: impl Into<Value>) -> Self {
        const TAKEN: [&str; 8] = ["type", "title", "status", "code", "detail", "instance", "request_id", "errors"];
        if !TAKEN.contains(&name) {
            self.extensions.insert(name.to_owned(), value.into());
        }
        self
    }

    /// Sets a header of the response. An invalid value is skipped.
    pub fn header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.retain(|(earlier, _)| *earlier != name);
            self.headers.push((name, value));
        }
        self
    }

    /// Sets `Retry-After` in seconds, at least 1.
    pub fn retry_after(self, seconds: u64) -> Self {
        self.header(header::RETRY_AFTER, &seconds.max(1).to_string())
    }

    /// Returns the code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the locations and codes of the first errors, without their messages.
    pub(crate) fn places(&self) -> Vec<RequestError> {
        let place = |it: &FieldError| RequestError::new(it.pointer.as_deref(), it.parameter.as_deref(), it.code);
        self.errors.iter().take(usage::MOST_ERRORS).map(place).collect()
    }

    pub(crate) fn headers(&self) -> &[(HeaderName, HeaderValue)] {
        &self.headers
    }

    /// Returns the body. `instance` is the route's template, so that it contains no personal data; `request_id` is the
    /// value of `X-Request-Id`.
    pub fn body(&self, instance: Option<&str>, request_id: Option<&str>) -> String {
        self.body_at("", instance, request_id)
    }

    /// Returns the body, as [`body`](Self::body). `type` starts with `origin`, the public address of the server, or
    /// empty if it is unknown.
    pub(crate) fn body_at(&self, origin: &str, instance: Option<&str>, request_id: Option<&str>) -> String {
        let body = Body {
            kind: &format!("{origin}{}", self.code.type_uri()),
            title: self.code.title(),
            status: self.code.status().as_u16(),
            code: self.code.as_str(),
            detail: self.detail.as_deref().unwrap_or(self.code.detail()),
            instance,
            request_id,
            errors: &self.errors,
            extensions: &self.extensions,
        };
        serde_json::to_string(&body).unwrap_or_default()
    }

    /// Returns the response as `application/problem+json`; see [`body`](Self::body) for the arguments.
    pub fn render(&self, instance: Option<&str>, request_id: Option<&str>) -> HttpResponse {
        let mut answer = HttpResponse::build(self.code.status());
        answer.insert_header((header::CONTENT_TYPE, "application/problem+json"));
        for (name, value) in &self.headers {
            answer.insert_header((name.clone(), value.clone()));
        }
        answer.body(self.body(instance, request_id))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.code.status().as_u16(), self.code.as_str())
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.code.status()
    }

    fn error_response(&self) -> HttpResponse {
        self.render(None, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renders_the_body_of_the_contract() {
        let problem = Problem::invalid(vec![Violation::new("/email", "invalid_format", "not an address")]);
        assert_eq!(
            problem.body(Some("/api/v1/contacts"), Some("req_1")),
            concat!(
                r#"{"type":"/problems/validation_failed","title":"Validation failed","status":422,"#,
                r#""code":"validation_failed","detail":"Parts of the request are invalid; see `errors`.","#,
                r#""instance":"/api/v1/contacts","request_id":"req_1","#,
                r#""errors":[{"pointer":"/email","code":"invalid_format","message":"not an address"}]}"#,
            ),
        );
    }

    #[test]
    fn names_the_parameter_of_a_query_error() {
        let body =
            Problem::validation(vec![FieldError::in_parameter("limit", "out_of_range", "1 to 100")]).body(None, None);
        assert!(
            body.ends_with(r#""errors":[{"parameter":"limit","code":"out_of_range","message":"1 to 100"}]}"#),
            "{body}"
        );
    }

    #[test]
    fn extensions_never_replace_standard_members() {
        let problem = Problem::new(Code::ContactExists).extension("existing_id", "contact_1").extension("status", 200);
        let body: Value = serde_json::from_str(&problem.body(None, None)).unwrap();
        assert_eq!((&body["existing_id"], &body["status"]), (&Value::from("contact_1"), &Value::from(409)));
        assert_eq!(body.get("errors"), None);
    }

    #[test]
    fn sends_the_headers_that_a_status_requires() {
        let header = |problem: &Problem, name: HeaderName| {
            let answer = problem.error_response();
            answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned())
        };
        let unauthorized = Problem::new(Code::Unauthorized);
        assert_eq!(header(&unauthorized, header::WWW_AUTHENTICATE).as_deref(), Some("Bearer"));
        assert_eq!(header(&unauthorized, header::CONTENT_TYPE).as_deref(), Some("application/problem+json"));
        assert_eq!(header(&Problem::new(Code::Unavailable), header::RETRY_AFTER).as_deref(), Some("5"));
        assert_eq!(header(&Problem::new(Code::Unavailable).retry_after(0), header::RETRY_AFTER).as_deref(), Some("1"));
        assert_eq!(header(&Problem::method_not_allowed("GET, HEAD"), header::ALLOW).as_deref(), Some("GET, HEAD"));
    }

    #[test]
    fn omits_a_value_that_would_split_the_header() {
        let answer = Problem::method_not_allowed("GET\r\nSet-Cookie: a=b").error_response();
        assert!(answer.headers().get(header::ALLOW).is_none());
    }

    #[test]
    fn exposes_the_problem_of_an_answer_to_middleware() {
        let problem = Problem::new(Code::NotFound).detail("No such contact.");
        let answer = HttpResponse::from_error(problem.clone());
        assert_eq!(answer.error().and_then(|error| error.as_error::<Problem>()), Some(&problem));
    }
}
