//! One problem on its way to the client.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use serde_json::{Map, Value};
use tidings_domain::access::usage::{self, RequestError};
use tidings_domain::read::{MOST_VIOLATIONS, Violation};

use super::{Code, FieldError};

/// Seconds after which a request that met an absent store is worth repeating.
const RETRY_UNAVAILABLE: u64 = 5;

/// How many bytes the errors of one answer have at the most: with all else, it is below 64 KiB.
const MOST_BYTES: usize = 60 * 1024;

/// A problem detail (RFC 9457). A handler returns it as its error; the middleware that knows the
/// route and the request's id then asks for [`render`](Self::render).
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    code: Code,
    detail: Option<String>,
    errors: Vec<FieldError>,
    /// Boxed, as most problems have none and results carry problems around.
    extensions: Box<Map<String, Value>>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// The members of the body, in the order in which people read them.
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
    /// A problem of this kind, with the headers that its status demands: `WWW-Authenticate` on 401
    /// (RFC 9110, section 15.5.2), `Retry-After` on 503.
    pub fn new(code: Code) -> Self {
        let problem = Self { code, detail: None, errors: Vec::new(), extensions: Box::default(), headers: Vec::new() };
        match code.status() {
            StatusCode::UNAUTHORIZED => problem.header(header::WWW_AUTHENTICATE, "Bearer"),
            StatusCode::SERVICE_UNAVAILABLE => problem.header(header::RETRY_AFTER, &RETRY_UNAVAILABLE.to_string()),
            _ => problem,
        }
    }

    /// 422 with all that is wrong with the body.
    pub fn invalid(violations: Vec<Violation>) -> Self {
        Self::validation(violations.into_iter().map(FieldError::from).collect())
    }

    /// 422 with all that is wrong.
    pub fn validation(errors: Vec<FieldError>) -> Self {
        Self::new(Code::ValidationFailed).errors(errors)
    }

    /// Where parts of the request are wrong already: these are, too.
    pub fn and(mut self, violations: Vec<Violation>) -> Self {
        if self.code != Code::ValidationFailed {
            return self;
        }
        let mut errors = std::mem::take(&mut self.errors);
        errors.extend(violations.into_iter().map(FieldError::from));
        self.errors(errors)
    }

    /// 403 for a credential whose scope is not at least `required`.
    pub fn insufficient_scope(required: &str) -> Self {
        Self::new(Code::InsufficientScope)
            .detail(format!("This requires a credential with at least the scope `{required}`."))
            .extension("required_scope", required)
    }

    /// 403 for a person who is not at least `required`.
    pub fn insufficient_role(required: &str) -> Self {
        Self::new(Code::InsufficientRole)
            .detail(format!("This requires at least the role `{required}`."))
            .extension("required_role", required)
    }

    /// 404 for one of several objects that a path names: `missing` is the kind of the one that is not there.
    pub fn missing(what: &str) -> Self {
        Self::new(Code::NotFound)
            .detail(format!("There is no such {what} in this workspace."))
            .extension("missing", what.replace(' ', "_"))
    }

    /// The same one, which says what is not there where a path names several objects and nothing else is said:
    /// `what` is the kind of the first.
    pub(crate) fn of_first(self, what: Option<&str>) -> Self {
        match what {
            Some(what) if self.code == Code::NotFound && self.detail.is_none() => Self::missing(what),
            _ => self,
        }
    }

    /// The same one, which says beside what is not there of several objects what would be a name of it, by its kind.
    pub(crate) fn of_several(mut self, tell: impl FnOnce(&str) -> Option<String>) -> Self {
        let kind = self.extensions.get("missing").and_then(Value::as_str).map(|kind| kind.replace('_', " "));
        if let (Some(detail), Some(told)) = (&mut self.detail, kind.and_then(|kind| tell(&kind))) {
            detail.push(' ');
            detail.push_str(&told);
        }
        self
    }

    /// The same one, which says of an object that is not there what `tell` says, where nothing else is said.
    pub(crate) fn of_one(self, tell: impl FnOnce() -> Option<String>) -> Self {
        match self.code {
            Code::NotFound if self.detail.is_none() => match tell() {
                Some(detail) => self.detail(detail),
                None => self,
            },
            _ => self,
        }
    }

    /// 405 for a path that takes `allow`, such as `GET, HEAD`.
    pub fn method_not_allowed(allow: &str) -> Self {
        Self::new(Code::MethodNotAllowed).header(header::ALLOW, allow)
    }

    /// What went wrong this time, for people. Never SQL, a stack, a path of the machine or a secret.
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// All that is wrong with parts of the request: as many as an answer has room for, the first always.
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

    /// A member beside the standard ones, such as `existing_id`; it cannot replace one of those.
    pub fn extension(mut self, name: &str, value: impl Into<Value>) -> Self {
        const TAKEN: [&str; 8] = ["type", "title", "status", "code", "detail", "instance", "request_id", "errors"];
        if !TAKEN.contains(&name) {
            self.extensions.insert(name.to_owned(), value.into());
        }
        self
    }

    /// A header of the answer, in place of an earlier one of the name; a value that no header may
    /// have is left out.
    pub fn header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.retain(|(earlier, _)| *earlier != name);
            self.headers.push((name, value));
        }
        self
    }

    /// `Retry-After` in seconds, at least 1.
    pub fn retry_after(self, seconds: u64) -> Self {
        self.header(header::RETRY_AFTER, &seconds.max(1).to_string())
    }

    /// Which row of the table it is.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Where something is wrong, and what: the first few errors, without what they say about the value.
    pub(crate) fn places(&self) -> Vec<RequestError> {
        let place = |it: &FieldError| RequestError::new(it.pointer.as_deref(), it.parameter.as_deref(), it.code);
        self.errors.iter().take(usage::MOST_ERRORS).map(place).collect()
    }

    /// The headers that it brings along.
    pub(crate) fn headers(&self) -> &[(HeaderName, HeaderValue)] {
        &self.headers
    }

    /// The body's bytes. `instance` is the route's template, so that no personal data gets there;
    /// `request_id` is that of `X-Request-Id`.
    pub fn body(&self, instance: Option<&str>, request_id: Option<&str>) -> String {
        self.body_at("", instance, request_id)
    }

    /// As [`body`](Self::body); `type` begins with `origin`, by which clients reach this server, empty where that is
    /// not known.
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

    /// The whole answer as `application/problem+json`; for the arguments see [`body`](Self::body).
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
    fn the_body_is_that_of_the_contract() {
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
    fn an_error_in_a_query_carries_its_parameter() {
        let body =
            Problem::validation(vec![FieldError::in_parameter("limit", "out_of_range", "1 to 100")]).body(None, None);
        assert!(
            body.ends_with(r#""errors":[{"parameter":"limit","code":"out_of_range","message":"1 to 100"}]}"#),
            "{body}"
        );
    }

    #[test]
    fn extensions_stand_beside_the_standard_members_and_never_replace_them() {
        let problem = Problem::new(Code::ContactExists).extension("existing_id", "contact_1").extension("status", 200);
        let body: Value = serde_json::from_str(&problem.body(None, None)).unwrap();
        assert_eq!((&body["existing_id"], &body["status"]), (&Value::from("contact_1"), &Value::from(409)));
        assert_eq!(body.get("errors"), None);
    }

    #[test]
    fn statuses_bring_the_headers_that_they_demand() {
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
    fn a_value_that_would_split_the_header_is_left_out() {
        let answer = Problem::method_not_allowed("GET\r\nSet-Cookie: a=b").error_response();
        assert!(answer.headers().get(header::ALLOW).is_none());
    }

    #[test]
    fn middleware_finds_the_problem_behind_an_answer_to_render_it_again() {
        let problem = Problem::new(Code::NotFound).detail("No such contact.");
        let answer = HttpResponse::from_error(problem.clone());
        assert_eq!(answer.error().and_then(|error| error.as_error::<Problem>()), Some(&problem));
    }
}
