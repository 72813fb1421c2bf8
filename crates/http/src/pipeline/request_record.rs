//! A request and its response on the wire: IDs, headers, compression and the access log. The same for all routes and
//! for unknown paths.

use std::sync::Arc;
use std::time::Instant;

use actix_web::body::SizedStream;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, ETAG, HeaderName, HeaderValue, LOCATION, VARY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use bytes::Bytes;
use futures::stream;
use tidings_domain::access::KeyHolder;
use tidings_domain::access::limiter::Decision;
use tidings_domain::access::usage::UsageRecord;
use tidings_domain::ids::{KeyId, RequestId, TypedId, UserId, WorkspaceId};
use tidings_domain::time::Timestamp;

use crate::auth::caller::Person;
use crate::limits::plan_limits;
use crate::pipeline::cors::CrossOrigin;
use crate::pipeline::state::State;
use crate::pipeline::{monitoring, usage_rule};
use crate::response::answer::Answer;
use crate::response::chunked_body::ChunkedBody;
use crate::response::compress;
use crate::response::problem::Problem;
use crate::response::static_body::Coding;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const CLIENT_REQUEST_ID: HeaderName = HeaderName::from_static("x-client-request-id");

/// The state of a request while it is handled.
pub(crate) struct RequestRecord {
    began: Instant,
    request_id: String,
    client_request_id: Option<HeaderValue>,
    method: Method,
    template: Option<&'static str>,
    gzip: bool,
    state: Arc<State>,
    came_at: Timestamp,
    address: String,
    workspace: Option<WorkspaceId>,
    key: Option<KeyId>,
    user: Option<UserId>,
    decision: Option<Decision>,
    secret: bool,
    cross_origin: Option<CrossOrigin>,
}

impl RequestRecord {
    /// Starts with the head of the request. `template` is the route's path, if there is a route.
    pub(crate) fn begin(state: &Arc<State>, request: &HttpRequest, template: Option<&'static str>) -> Self {
        let given = request.headers().get(REQUEST_ID);
        Self {
            began: Instant::now(),
            request_id: RequestId::from_uuid(state.services.ports.ids.next()).to_string(),
            client_request_id: given.filter(|value| is_well_formed(value)).cloned(),
            method: request.method().clone(),
            template,
            gzip: compress::accepts_gzip(request.headers()),
            state: Arc::clone(state),
            came_at: state.services.ports.clock.now(),
            address: state.proxies.client(request).map(|it| it.to_string()).unwrap_or_default(),
            workspace: None,
            key: None,
            user: None,
            decision: None,
            secret: false,
            cross_origin: state.cors.answer_to(request, template),
        }
    }

    pub(crate) fn identify_key(&mut self, holder: &KeyHolder) {
        (self.workspace, self.key) = (Some(holder.key.workspace), Some(holder.key.id));
    }

    pub(crate) fn identify_person(&mut self, person: &Person, workspace: Option<WorkspaceId>) {
        (self.workspace, self.user) = (workspace, Some(person.holder.user.id));
    }

    /// Records the decision of the rate limit.
    pub(crate) fn limit(&mut self, decision: Decision) {
        self.decision = Some(decision);
    }

    /// Marks the response as possibly secret. Then it is not cached, and not compressed, since the length would reveal
    /// something about the content.
    pub(crate) fn keep_secret(&mut self) {
        self.secret = true;
    }

    /// Returns the response to send, and writes the access log.
    pub(crate) fn finish(self, outcome: Result<Answer, Problem>) -> HttpResponse {
        let outcome = outcome.and_then(|answer| answer.in_form(self.gzip));
        let problem = outcome.as_ref().err();
        let status = outcome.as_ref().map_or_else(|problem| problem.code().status(), |answer| answer.status);
        self.log(status, problem);
        let origin = self.state.base.as_str();
        let told = |problem: Problem| Answer::problem(&problem, origin, self.template, &self.request_id);
        let answer = outcome.unwrap_or_else(told);
        let mut response = HttpResponse::build(answer.status);
        response.insert_header((REQUEST_ID, self.request_id.as_str()));
        response.insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"));
        if let Some(id) = &self.client_request_id {
            response.insert_header((CLIENT_REQUEST_ID, id.clone()));
        }
        if let Some(decision) = &self.decision {
            for header in plan_limits::headers(decision) {
                response.insert_header(header);
            }
        }
        for header in answer.headers {
            response.append_header(header);
        }
        if let Some(location) = answer.location {
            response.insert_header((LOCATION, location));
        }
        if self.secret {
            response.insert_header((CACHE_CONTROL, "no-store"));
        }
        for header in self.cross_origin.map(CrossOrigin::headers).unwrap_or_default() {
            response.append_header(header);
        }
        let takes_gzip = self.gzip && !self.secret && answer.coding == Coding::Plain;
        let packed = compress::is_worth_it(takes_gzip, answer.body.len());
        if let Some(tag) = answer.etag {
            let is_gzip = packed || answer.coding == Coding::Gzip;
            response.insert_header((ETAG, if is_gzip { tag.gzipped() } else { tag.to_string() }));
        }
        if let Some(stream) = answer.stream {
            response.content_type(answer.content_type);
            let body = stream.take().filter(|_| self.method != Method::HEAD);
            return match (body, answer.length) {
                (Some(body), Some(length)) => response.body(SizedStream::new(length, body)),
                (Some(body), None) => response.streaming(body),
                (None, Some(length)) => length_only(&mut response, length),
                (None, None) => response.finish(),
            };
        }
        if answer.body.is_empty() {
            return response.finish();
        }
        response.append_header((VARY, "Accept-Encoding"));
        if answer.status == StatusCode::NOT_MODIFIED {
            return response.finish();
        }
        response.content_type(answer.content_type);
        let body = match Some(&answer.body).filter(|_| packed).and_then(|body| compress::gzip(body)) {
            Some(body) => {
                response.insert_header((CONTENT_ENCODING, "gzip"));
                body.into()
            }
            None => {
                if answer.coding == Coding::Gzip {
                    response.insert_header((CONTENT_ENCODING, "gzip"));
                }
                answer.body
            }
        };
        if self.method == Method::HEAD {
            length_only(&mut response, body.len() as u64)
        } else {
            response.body(ChunkedBody::of(body))
        }
    }

    /// Counts the request and logs it, also in the usage log. Path, query and body are never logged, because they can
    /// contain personal data. The usage log has the locations of errors but not the values.
    fn log(&self, status: StatusCode, problem: Option<&Problem>) {
        let took = self.began.elapsed();
        monitoring::count(&self.method, self.template, status, took);
        let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let route = self.template.unwrap_or("none");
        if let Some(workspace) = self.workspace.filter(|_| usage_rule::is_recorded(route)) {
            self.state.usage.push(UsageRecord {
                workspace,
                id: self.state.services.ports.ids.next(),
                at: self.came_at,
                key: self.key,
                user: self.user,
                method: self.method.as_str().to_owned(),
                route: route.to_owned(),
                status: status.as_u16(),
                duration_ms: i64::try_from(duration_ms).unwrap_or(i64::MAX),
                request_id: self.request_id.clone(),
                address: self.address.clone(),
                error_code: problem.map(|problem| problem.code().as_str().to_owned()),
                errors: problem.map(Problem::places).unwrap_or_default(),
            });
        }
        tracing::info!(
            method = self.method.as_str(),
            route,
            status = status.as_u16(),
            duration_ms,
            request_id = self.request_id,
            workspace = self.workspace.map(tracing::field::display),
            key = self.key.map(tracing::field::display),
            user = self.user.map(tracing::field::display),
            "request"
        );
    }
}

/// Returns the headers of the GET response, with `Content-Length` but without a body (RFC 9110, section 9.3.2).
fn length_only(response: &mut HttpResponseBuilder, length: u64) -> HttpResponse {
    response.body(SizedStream::new(length, stream::empty::<Result<Bytes, std::io::Error>>()))
}

/// Whether a request ID of the client can be returned: 1 to 128 letters, digits and `-_.:`.
fn is_well_formed(value: &HeaderValue) -> bool {
    let bytes = value.as_bytes();
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':');
    (1..=128).contains(&bytes.len()) && bytes.iter().all(allowed)
}
