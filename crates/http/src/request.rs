//! What a handler reads of its request.

use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::Method;
use bytes::Bytes;
use tidings_domain::access::{Access, Role, Scope, SessionHolder};
use tidings_domain::outcome::Expected;
use tidings_domain::ports::Guard;
use tidings_domain::read::schema::Annotate;
use tidings_domain::read::{Body, Fields, Tree, parse};
use tidings_domain::references::Deletion;
use tidings_domain::{Error, Tidings};
use tokio::sync::watch;

use crate::answer::Answer;
use crate::auth::browser::Browser;
use crate::auth::origin::Origin;
use crate::by_address::network_of;
use crate::caller::Caller;
use crate::connections::Life;
use crate::entry::Entrant;
use crate::idempotency::{IdempotencyKey, fingerprint};
use crate::last_event_id;
use crate::path::Name;
use crate::preconditions::Preconditions;
use crate::problem::{Code, FieldError, Problem};
use crate::query::{Parameters, Query, flag, parameters};
use crate::route::{BodyKind, Route};
use crate::state::State;

parameters! {
    /// The parameter of deletions of what other objects may name.
    pub(crate) struct ForceParams {
        /// Whether to delete the object even if other objects use it. They lose the reference.
        one force: bool = flag().default(false);
    }
}

parameters! {
    /// The parameter of updates that may take options away.
    pub(crate) struct RemovalParams {
        /// Whether to remove options even if contacts or other objects use them. Needs the scope `full`.
        one force: bool = flag().default(false);
    }
}

parameters! {
    /// The parameter of deletions that can be tried.
    pub(crate) struct DryRunParams {
        /// Whether nothing is changed, and the response shows what would be.
        one dry_run: bool = flag().default(false);
    }
}

/// A request that was let in: its key is good, its scope suffices, its body is JSON.
pub struct Cx {
    pub(crate) state: Arc<State>,
    pub(crate) route: &'static Route,
    pub(crate) access: Access,
    pub(crate) idempotency: Option<(IdempotencyKey, [u8; 32])>,
    pub(crate) path: String,
    pub(crate) raw_query: String,
    /// From which network it comes.
    pub(crate) network: IpAddr,
    /// Behind which position a stream is taken up again.
    pub(crate) last_event_id: Option<i64>,
    /// Turns true when the client of a stream closes its side; none in tests without a network.
    pub(crate) gone: Option<watch::Receiver<bool>>,
    caller: Caller,
    role: Option<Role>,
    /// What must hold of the caller when changes of permissions commit.
    standing: Option<Guard>,
    /// The use cases of this request, if they are not those of the server.
    own_services: Option<Box<Tidings>>,
    body: Tree,
    /// A body that is no JSON.
    table: Bytes,
    preconditions: Preconditions,
    /// Who comes to `/auth`; others are not looked at.
    browser: Option<Box<Browser>>,
}

impl Cx {
    /// Reads the head; [`Cx::with_body`] reads the body.
    ///
    /// # Errors
    /// 400 for what cannot be read; 422 for parameters on a route that takes neither any nor a body.
    pub(crate) fn read_head(
        state: Arc<State>,
        route: &'static Route,
        entrant: Entrant,
        request: &HttpRequest,
    ) -> Result<Self, Problem> {
        let (path, raw_query) = (request.uri().path().to_owned(), request.query_string().to_owned());
        let preconditions = Preconditions::read(request.headers())?;
        let keyed = !route.path.starts_with("/auth/");
        let idempotency = if keyed { idempotency_key(route, request)? } else { None };
        let idempotency = idempotency.map(|key| (key, [0; 32]));
        let cx = Self {
            access: entrant.access,
            body: Tree::empty(),
            table: Bytes::new(),
            network: network_of(&state, request),
            state,
            route,
            idempotency,
            path,
            raw_query,
            gone: Life::of(request).filter(|_| route.traits.live).map(Life::gone),
            last_event_id: if route.traits.live { last_event_id::read(request.headers())? } else { None },
            caller: entrant.caller,
            standing: entrant.standing,
            own_services: None,
            role: entrant.role,
            preconditions,
            browser: (!keyed).then(|| Box::new(Browser::read(request.headers()))),
        };
        let plain = !route.traits.query && !route.traits.parameters && !route.traits.forceable;
        if plain && route.traits.body == BodyKind::None {
            cx.query().finish().map_err(Problem::validation)?;
        }
        Ok(cx)
    }

    /// The same caller's GET of a path, without preconditions.
    ///
    /// # Errors
    /// 403 if the scope does not suffice; 503 if the clock of the workspace is not known.
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
            preconditions: Preconditions::default(),
            browser: None,
        };
        cx.in_time_of_workspace().await
    }

    /// The same request with its body, which takes time if it is long.
    ///
    /// # Errors
    /// 400 for a body that cannot be read.
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

    /// The same request by the clock of its workspace: of the API alone, as accounts and keys go by the present.
    ///
    /// # Errors
    /// 503 where that clock is not known.
    pub(crate) async fn in_time_of_workspace(mut self) -> Result<Self, Problem> {
        if self.route.path.starts_with("/api/v1/") {
            let there = self.state.services.in_time_of(self.access.workspace()).await.map_err(Error::Store)?;
            self.own_services = there.map(Box::new);
        }
        Ok(self)
    }

    /// The same request, whose changes of permissions commit only while the caller's own last.
    pub(crate) fn while_caller_may(mut self) -> Self {
        if let Some(standing) = self.standing.filter(|_| self.route.traits.privileged) {
            self.own_services = Some(Box::new(self.services().while_standing(self.access.workspace(), standing)));
        }
        self
    }

    /// The use cases.
    pub fn services(&self) -> &Tidings {
        self.own_services.as_deref().unwrap_or(&self.state.services)
    }

    /// The browser that comes to `/auth`.
    ///
    /// # Errors
    /// 500 on every other route.
    pub(crate) fn browser(&self) -> Result<&Browser, Problem> {
        self.browser.as_deref().ok_or_else(|| Problem::new(Code::Internal))
    }

    /// By which origin browsers reach this server, where the operator says so.
    pub(crate) fn public_origin(&self) -> Option<&Origin> {
        self.state.public_origin.as_ref()
    }

    /// Who acts, and where.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// Who was let in.
    pub(crate) fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The person who was let in.
    ///
    /// # Errors
    /// 401 where it is none: no route of people lets anybody else in.
    pub fn person(&self) -> Result<&SessionHolder, Problem> {
        match &self.caller {
            Caller::Person(person) => Ok(&person.holder),
            Caller::Key(_) | Caller::Nobody => Err(Problem::new(Code::Unauthorized)),
        }
    }

    /// What the person is in the workspace.
    ///
    /// # Errors
    /// 403 where they are nothing there.
    pub fn role(&self) -> Result<Role, Problem> {
        self.role.ok_or_else(|| Problem::insufficient_role(Role::Admin.as_str()))
    }

    /// The body of a route that takes a table.
    pub fn table(&self) -> &[u8] {
        &self.table
    }

    /// The parameters behind the `?`.
    pub fn query(&self) -> Query {
        Query::parse(&self.raw_query)
    }

    /// The parameters that are declared so, where there are no others.
    ///
    /// # Errors
    /// 422 with everything that is wrong.
    pub fn parameters<P: Parameters>(&self) -> Result<P, Problem> {
        let mut query = self.query();
        let read = query.read();
        query.finish().map_err(Problem::validation)?;
        Ok(read)
    }

    /// What the path names. Ask for it after the body was read: what is wrong with a request's form is told before what
    /// is not there.
    ///
    /// # Errors
    /// 404 for everything that is no name of this kind.
    pub(crate) fn named<T>(&self, name: &Name<T>) -> Result<T, Problem> {
        name.read(self.route.path, &self.path).ok_or_else(|| self.missing(name))
    }

    /// That there is nothing of this name.
    pub(crate) fn missing<T>(&self, name: &Name<T>) -> Problem {
        name.kind_among_several(self.route.path).map_or_else(|| Problem::new(Code::NotFound), Problem::missing)
    }

    /// Reads the body that is declared so. Parameters, of which a route with a body takes none, are refused with what is
    /// wrong with it.
    ///
    /// # Errors
    /// 422 with everything that is wrong.
    pub fn body<T: Body>(&self) -> Result<T, Problem> {
        self.read(T::READ_ONLY, T::read)
    }

    /// As [`Cx::body`], for a route that takes parameters beside its body: `query` is what is left of them.
    ///
    /// # Errors
    /// 422 with everything that is wrong.
    pub fn body_with<T: Body>(&self, query: Query) -> Result<T, Problem> {
        self.read_with(query, T::READ_ONLY, T::read)
    }

    /// Reads the body's fields; `read_only` are names that answers show and requests may not set.
    /// Parameters, of which a route with a body takes none, are refused with them.
    ///
    /// # Errors
    /// 422 with everything that is wrong.
    pub fn read<T>(
        &self,
        read_only: &'static [&'static str],
        read: impl FnOnce(&mut Fields<'_>) -> Option<T>,
    ) -> Result<T, Problem> {
        self.read_with(self.query(), read_only, read)
    }

    /// As [`Cx::read`], for a route that takes parameters beside its body: `query` is what is left of them.
    ///
    /// # Errors
    /// 422 with everything that is wrong.
    pub fn read_with<T>(
        &self,
        query: Query,
        read_only: &'static [&'static str],
        read: impl FnOnce(&mut Fields<'_>) -> Option<T>,
    ) -> Result<T, Problem> {
        let mut errors = query.finish().err().unwrap_or_default();
        let read = self.body.read(|fields| {
            fields.read_only(read_only);
            read(fields)
        });
        match read {
            Ok(value) if errors.is_empty() => Ok(value),
            Ok(_) => Err(Problem::validation(errors)),
            Err(violations) => {
                errors.extend(violations.into_iter().map(FieldError::from));
                Err(Problem::validation(errors))
            }
        }
    }

    /// What can be read of a body of which parts are wrong, so that all that is wrong is told at once. What is wrong with
    /// what is read here was told when the body was read. Nothing of a text that no store could be asked about.
    pub fn salvage<T>(&self, read: impl FnOnce(&mut Fields<'_>) -> T) -> Option<T> {
        let mut found = None;
        if !self.body.violations.is_empty() {
            return None;
        }
        let _ = self.body.read(|fields| {
            found = Some(read(fields));
            Some(())
        });
        found
    }

    /// As [`Cx::deletion`], for an update that may take something away: `force` needs the scope `full`. What is left
    /// of the parameters goes to [`Cx::read_with`].
    ///
    /// # Errors
    /// 403 where the scope does not suffice.
    pub fn removal(&self) -> Result<(Deletion, Query), Problem> {
        let mut query = self.query();
        let removal = deletion(query.read::<RemovalParams>().force);
        if removal == Deletion::ByForce {
            self.demand(Scope::Full)?;
        }
        Ok((removal, query))
    }

    /// That the credential has at least this scope, where what the request says needs more than its route does.
    ///
    /// # Errors
    /// 403.
    pub fn demand(&self, scope: Scope) -> Result<(), Problem> {
        if self.access.allows(scope) { Ok(()) } else { Err(Problem::insufficient_scope(scope.as_str())) }
    }

    /// `?force=true`: whether what is in use is deleted all the same.
    ///
    /// # Errors
    /// 422 for other parameters and words.
    pub fn deletion(&self) -> Result<Deletion, Problem> {
        Ok(deletion(self.parameters::<ForceParams>()?.force))
    }

    /// Which versions of the object the request is meant for. `shown` is the object as GET shows
    /// it; it is loaded only where `If-None-Match` asks about it.
    ///
    /// # Errors
    /// [`Error::StorageFull`] if the route creates or enlarges objects and the workspace may store no more;
    /// [`Error::PreconditionFailed`] where `If-None-Match` names the object as it is; whatever `shown` fails with.
    pub async fn expected(&self, shown: impl Future<Output = Result<Answer, Error>>) -> Result<Expected, Error> {
        // A POST has found room already, before its idempotency record was made.
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

    /// What a GET with this answer gets, its preconditions considered.
    pub(crate) fn preconditions(&self) -> &Preconditions {
        &self.preconditions
    }
}

fn deletion(force: Option<bool>) -> Deletion {
    if force.unwrap_or_default() { Deletion::ByForce } else { Deletion::IfUnused }
}

/// The key of a POST that changes something; other requests are idempotent by themselves.
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

fn tree(route: &Route, body: &Bytes) -> Result<Tree, Problem> {
    let absent = match route.traits.body {
        BodyKind::None | BodyKind::Table => true,
        BodyKind::Optional => body.is_empty(),
        BodyKind::Required => false,
    };
    if absent {
        return Ok(Tree::empty());
    }
    Ok(parse(body)?)
}
