//! `If-Match` and `If-None-Match` of a request (RFC 9110, section 13).

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, HeaderName, IF_MATCH, IF_NONE_MATCH};
use tidings_domain::outcome::ExpectedVersion;

use crate::request::etag::{IfMatch, IfNoneMatch, InvalidTags};
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};

#[derive(Debug, Clone, Default)]
pub(crate) struct Preconditions {
    if_match: Option<IfMatch>,
    pub(crate) if_none_match: Option<IfNoneMatch>,
}

impl Preconditions {
    /// Reads both headers.
    ///
    /// # Errors
    /// 400 `invalid_header`.
    pub(crate) fn read(headers: &HeaderMap) -> Result<Self, Problem> {
        let invalid =
            |name: &str, why: InvalidTags| Problem::new(Code::InvalidHeader).detail(format!("`{name}`: {why}."));
        let if_match = joined(headers, &IF_MATCH).map(|text| IfMatch::parse(&text)).transpose();
        let if_none_match = joined(headers, &IF_NONE_MATCH).map(|text| IfNoneMatch::parse(&text)).transpose();
        Ok(Self {
            if_match: if_match.map_err(|why| invalid("If-Match", why))?,
            if_none_match: if_none_match.map_err(|why| invalid("If-None-Match", why))?,
        })
    }

    /// Returns the versions that may be changed.
    pub(crate) fn expected(&self) -> ExpectedVersion {
        match &self.if_match {
            None | Some(IfMatch::Any) => ExpectedVersion::Any,
            Some(IfMatch::Versions(versions)) => ExpectedVersion::OneOf(versions.clone()),
        }
    }

    /// Whether the client requires the object to exist.
    pub(crate) fn wants_one(&self) -> bool {
        self.if_match.is_some()
    }

    /// Returns the result of a GET: the response, or 304.
    ///
    /// # Errors
    /// 412.
    pub(crate) fn of_get(&self, mut answer: Answer) -> Result<Answer, Problem> {
        let Some(tag) = &answer.etag else { return Ok(answer) };
        if self.if_match.as_ref().is_some_and(|it| !it.allows(tag.version())) {
            return Err(Problem::new(Code::PreconditionFailed));
        }
        if self.if_none_match.as_ref().is_some_and(|it| it.matches(tag)) {
            answer.status = StatusCode::NOT_MODIFIED;
        }
        Ok(answer)
    }
}

/// Returns all lines of a header as one (RFC 9110, section 5.3). A value that is not ASCII becomes an invalid tag.
fn joined(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let lines: Vec<&str> = headers.get_all(name).map(|value| value.to_str().unwrap_or("?")).collect();
    if lines.is_empty() { None } else { Some(lines.join(", ")) }
}
