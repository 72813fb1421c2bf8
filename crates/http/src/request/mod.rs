//! The context of a request, for handlers.

pub(crate) mod body;
pub mod csv;
pub mod cursor;
mod declared;
pub(crate) mod email_address;
pub mod etag;
pub(crate) mod list_filters;
pub(crate) mod paging;
pub(crate) mod path;
pub(crate) mod preconditions;
pub mod query;
pub(crate) mod upload;

use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::http::header::{IF_RANGE, RANGE};
use bytes::Bytes;
use tidings_domain::access::{Access, Role, Scope, SessionHolder};
use tidings_domain::outcome::ExpectedVersion;
use tidings_domain::ports::Guard;
use tidings_domain::read::{Tree, parse};
use tidings_domain::{Error, Tidings};
use tokio::sync::watch;

use crate::auth::authenticate::Authenticated;
use crate::auth::browser::Browser;
use crate::auth::caller::Caller;
use crate::auth::origin::Origin;
use crate::connections::ConnectionState;
use crate::events::last_event_id;
use crate::limits::by_address::network_of;
use crate::pipeline::idempotency::{IdempotencyKey, fingerprint};
use crate::pipeline::route::{BodyKind, Route};
use crate::pipeline::state::State;
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};
pub(crate) use declared::{DryRunParams, ForceParams, RemovalParams};
use preconditions::Preconditions;
use upload::ReceivedUpload;

/// A request that passed the checks: its credential is valid, its scope is sufficient, and its body is JSON.
pub struct RequestContext {
    pub(crate) state: Arc<State>,
    pub(crate) route: &'static Route,
    pub(crate) access: Access,
    pub(crate) idempotency: Option<(IdempotencyKey, [u8; 32])>,
    pub(crate) path: String,
    pub(crate) raw_query: String,
    pub(crate) network: IpAddr,
    /// The position after which a stream resumes.
    pub(crate) last_event_id: Option<i64>,
    /// Becomes true when the client of a stream closes its side; `None` in tests without a network.
    pub(crate) gone: Option<watch::Receiver<bool>>,
    caller: Caller,
    role: Option<Role>,
    /// The condition on the caller that must still hold when a change of permissions commits.
    standing: Option<Guard>,
    /// The use cases of this request, if they differ from the server's.
    own_services: Option<Box<Tidings>>,
    body: Tree,
    /// The body, if it is not JSON.
    table: Bytes,
    /// The file, on a route that accepts one.
    pub(crate) upload: Option<ReceivedUpload>,
    /// The header `Range`, on routes with a streamed response.
    pub(crate) range: Option<String>,
    preconditions: Preconditions,
    /// The browser, on routes of `/auth`.
    browser: Option<Box<Browser>>,
}

impl RequestContext {
    /// Reads the head; [`RequestContext::with_body`] reads the body.
    ///
    /// # Errors
    /// 400 for invalid headers; 422 for parameters on a route that has neither parameters nor a body.
    pub(crate) fn read_head(
        state: Arc<State>,
        route: &'static Route,
        authenticated: Authenticated,
        request: &HttpRequest,
    ) -> Result<Self, Problem> {
        let (path, raw_query) = (request.uri().path().to_owned(), request.query_string().to_owned());
        let preconditions = Preconditions::read(request.headers())?;
        let keyed = !route.path.starts_with("/auth/");
        let idempotency = if keyed { idempotency_key(route, request)? } else { None };
        let idempotency = idempotency.map(|key| (key, [0; 32]));
        let cx = Self {
            access: authenticated.access,
            body: Tree::empty(),
            table: Bytes::new(),
            upload: None,
            range: if route.traits.streams { range(request) } else { None },
            network: network_of(&state, request),
            state,
            route,
            idempotency,
            path,
            raw_query,
            gone: ConnectionState::of(request).filter(|_| route.traits.live).map(ConnectionState::client_closed),
            last_event_id: if route.traits.live { last_event_id::read(request.headers())? } else { None },
            caller: authenticated.caller,
            standing: authenticated.standing,
            own_services: None,
            role: authenticated.role,
            preconditions,
            browser: (!keyed).then(|| Box::new(Browser::read(request.headers()))),
        };
        let plain = !route.traits.query && !route.traits.parameters && !route.traits.forceable;
        if plain && route.traits.body == BodyKind::None {
            cx.query().finish()?;
        }
        Ok(cx)
    }

    /// Returns the same caller's GET of a path, without preconditions.
    ///
    /// # Errors
    /// 403 if the scope is not sufficient; 503 if the clock of the workspace cannot be read.
    pub(crate) async fn get_of(&self, route: &'static Route, path: String) -> Result<Self, Problem> {
        if let Some(scope) = route.scope.required() {
            self.demand(scope)?;
        }
        let cx = Self {
            state: Arc::clone(&self.state),
            route,
            access: self.access.clone(),
            idempotency: None,
            path,
            raw_query: String::new(),
            network: self.network,
            last_event_id: None,
            gone: None,
            caller: self.caller.clone(),
            role: self.role,
            standing: None,
            own_services: None,
            body: Tree::empty(),
            table: Bytes::new(),
            upload: None,
            range: None,
            preconditions: Preconditions::default(),
            browser: None,
        };
        cx.in_time_of_workspace().await
    }

    /// Adds the body. Parsing a long body takes time.
    ///
    /// # Errors
    /// 400 for an invalid body.
    pub(crate) fn with_body(mut self, body: &Bytes) -> Result<Self, Problem> {
        if let Some((_, fingerprint_of)) = &mut self.idempotency {
            *fingerprint_of = fingerprint(&self.path, &self.raw_query, body);
        }
        self.body = tree(self.route, body)?;
        if self.route.traits.body == BodyKind::Table {
            self.table = body.clone();
        }
        Ok(self)
    }

    /// Switches to the clock of the workspace. Applies only to `/api/v1`, because accounts and keys use the real time.
    ///
    /// # Errors
    /// 503 if the clock cannot be read.
    pub(crate) async fn in_time_of_workspace(mut self) -> Result<Self, Problem> {
        if self.route.path.starts_with("/api/v1/") {
            let there = self.state.services.in_time_of(self.access.workspace()).await.map_err(Error::Store)?;
            self.own_services = there.map(Box::new);
        }
        Ok(self)
    }

    /// Makes changes of permissions commit only while the caller's own permissions last.
    pub(crate) fn while_caller_may(mut self) -> Self {
        if let Some(standing) = self.standing.filter(|_| self.route.traits.privileged) {
            self.own_services = Some(Box::new(self.services().while_standing(self.access.workspace(), standing)));
        }
        self
    }

    /// Returns the use cases.
    pub fn services(&self) -> &Tidings {
        self.own_services.as_deref().unwrap_or(&self.state.services)
    }

    /// Returns the browser, on routes of `/auth`.
    ///
    /// # Errors
    /// 500 on all other routes.
    pub(crate) fn browser(&self) -> Result<&Browser, Problem> {
        self.browser.as_deref().ok_or_else(|| Problem::new(Code::Internal))
    }

    pub(crate) fn public_origin(&self) -> Option<&Origin> {
        self.state.public_origin.as_ref()
    }

    /// Returns the actor and the workspace.
    pub fn access(&self) -> &Access {
        &self.access
    }

    pub(crate) fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Returns the user of the request.
    ///
    /// # Errors
    /// 401 if the caller is not a user, which routes for users exclude.
    pub fn person(&self) -> Result<&SessionHolder, Problem> {
        match &self.caller {
            Caller::Person(person) => Ok(&person.holder),
            Caller::Key(_) | Caller::Nobody => Err(Problem::new(Code::Unauthorized)),
        }
    }

    /// Returns the role of the user in the workspace.
    ///
    /// # Errors
    /// 403 if they have none.
    pub fn role(&self) -> Result<Role, Problem> {
        self.role.ok_or_else(|| Problem::insufficient_role(Role::Admin.as_str()))
    }

    /// Returns the body of a route that accepts a table.
    pub fn table(&self) -> &[u8] {
        &self.table
    }

    /// Checks the scope, if the request needs more than its route.
    ///
    /// # Errors
    /// 403.
    pub fn demand(&self, scope: Scope) -> Result<(), Problem> {
        if self.access.allows(scope) { Ok(()) } else { Err(Problem::insufficient_scope(scope.as_str())) }
    }

    /// Returns the versions of the object that the request may change. `shown` is the GET response of the object, which
    /// is only needed for `If-None-Match`.
    ///
    /// # Errors
    /// [`Error::StorageFull`] if the route creates or enlarges objects and the workspace has reached its limit;
    /// [`Error::PreconditionFailed`] if `If-None-Match` matches the object; the errors of `shown`.
    pub async fn expected(&self, shown: impl Future<Output = Result<Answer, Error>>) -> Result<ExpectedVersion, Error> {
        // A POST was checked before its idempotency record was created.
        if self.route.traits.grows && self.route.method != Method::POST {
            self.make_room().await?;
        }
        if let Some(if_none_match) = &self.preconditions.if_none_match {
            let shown = shown.await?;
            if shown.etag.is_some_and(|tag| if_none_match.matches(&tag)) {
                return Err(Error::PreconditionFailed);
            }
        }
        Ok(self.preconditions.expected())
    }

    pub(crate) fn preconditions(&self) -> &Preconditions {
        &self.preconditions
    }
}

/// Returns the key of a POST that changes something. Other requests are idempotent anyway.
fn idempotency_key(route: &Route, request: &HttpRequest) -> Result<Option<IdempotencyKey>, Problem> {
    let mut given = request.headers().get_all("idempotency-key");
    let (Some(first), second) =
        (given.next().filter(|_| request.method() == Method::POST && !route.traits.reads), given.next())
    else {
        return Ok(None);
    };
    let key = if second.is_none() { IdempotencyKey::parse(first.as_bytes()).ok() } else { None };
    let invalid = || {
        Problem::new(Code::InvalidHeader).detail(
            "`Idempotency-Key` must be sent once, with 1 to 255 visible ASCII characters; double quotes are optional.",
        )
    };
    key.map(Some).ok_or_else(invalid)
}

/// Returns the header `Range`. With `If-Range` it is ignored, because streamed responses have no entity tags.
fn range(request: &HttpRequest) -> Option<String> {
    let headers = request.headers();
    let range = headers.get(RANGE).filter(|_| !headers.contains_key(IF_RANGE))?;
    range.to_str().ok().map(ToOwned::to_owned)
}

fn tree(route: &Route, body: &Bytes) -> Result<Tree, Problem> {
    let absent = match route.traits.body {
        BodyKind::None | BodyKind::Table | BodyKind::File => true,
        BodyKind::Optional => body.is_empty(),
        BodyKind::Required => false,
    };
    if absent {
        return Ok(Tree::empty());
    }
    Ok(parse(body)?)
}
