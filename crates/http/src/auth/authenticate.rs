//! The checks between the credential and the body: permission, workspace and rate limit.

use std::sync::Arc;

use actix_web::HttpRequest;
use tidings_domain::Error;
use tidings_domain::access::limiter::Decision;
use tidings_domain::access::{Access, Actor, KeyHolder, Role, Workspace, WorkspaceDeletion};
use tidings_domain::ids::{TypedId, UserId, WorkspaceId};
use tidings_domain::ports::{Guard, LimitedClient, Object};
use uuid::Uuid;

use crate::auth::caller::{Caller, Person};
use crate::auth::credentials::{Reading, authenticate, person};
use crate::limits::by_address::network_of;
use crate::pipeline::request_record::RequestRecord;
use crate::pipeline::route::{Route, RouteScope};
use crate::pipeline::state::State;
use crate::request::path;
use crate::response::problem::{Code, Problem};

/// The header with which a user selects a workspace.
const WORKSPACE: &str = "x-workspace-id";

/// A caller that passed the checks.
pub(crate) struct Authenticated {
    pub(crate) caller: Caller,
    pub(crate) access: Access,
    /// The role of a user in the workspace.
    pub(crate) role: Option<Role>,
    /// The condition on the caller that must still hold when a change of permissions commits.
    pub(crate) standing: Option<Guard>,
}

/// Authenticates the caller, and checks rate limit and permission.
///
/// # Errors
/// 401, 429, then 403; 404 if the user is not a member of the workspace.
pub(crate) async fn enter(
    state: &State,
    route: &Route,
    request: &HttpRequest,
    record: &mut RequestRecord,
) -> Result<Authenticated, Problem> {
    let scope = route.scope;
    let reading = if route.reads_actor_as_stored() { Reading::Stored } else { Reading::Remembered };
    match scope {
        RouteScope::Login => anonymous(state, request, state.login_limit),
        RouteScope::Token if route.traits.invites => {
            let authenticated = anonymous(state, request, state.person_limit)?;
            match person(state, request, reading).await {
                Ok(person) => signed_in(state, person, record).await,
                // The handler demands the token if the form of the request needs it.
                Err(refused) if refused.code() == Code::Unauthorized => Ok(authenticated),
                Err(refused) => Err(refused),
            }
        }
        RouteScope::Public | RouteScope::Signed | RouteScope::Token => anonymous(state, request, state.person_limit),
        RouteScope::Read | RouteScope::Write | RouteScope::Full => {
            let authenticated = match authenticate(state, request, reading).await? {
                Caller::Key(holder) => with_key(state, holder, record).await?,
                Caller::Person(person) => with_header(state, route, person, request, record).await?,
                Caller::Nobody => return Err(Problem::new(Code::Unauthorized)),
            };
            match scope.required().filter(|scope| !authenticated.access.allows(*scope)) {
                Some(scope) => Err(Problem::insufficient_scope(scope.as_str())),
                None => Ok(authenticated),
            }
        }
        RouteScope::SignedIn | RouteScope::Operator => {
            let person = person(state, request, reading).await.map_err(of_people)?;
            let is_operator = person.holder.user.operator;
            let authenticated = signed_in(state, person, record).await?;
            if scope == RouteScope::Operator && !is_operator {
                return Err(Problem::insufficient_role("operator").detail("Only operators can do this."));
            }
            Ok(authenticated)
        }
        RouteScope::Viewer | RouteScope::Admin | RouteScope::AdminOrSelf | RouteScope::AdminOrOperator => {
            let person = person(state, request, reading).await.map_err(of_people)?;
            in_path(state, route, person, request, record).await
        }
    }
}

/// Lets in a user outside of all workspaces.
async fn signed_in(state: &State, person: Arc<Person>, record: &mut RequestRecord) -> Result<Authenticated, Problem> {
    record.identify_person(&person, None);
    count(state, &person, None, record).await?;
    let access = Access::outside(Actor::user(person.holder.user.id));
    Ok(Authenticated { caller: Caller::Person(person), access, role: None, standing: None })
}

/// Explains a refusal on a route that accepts no API keys. It does not reveal whether a given key is valid.
fn of_people(refused: Problem) -> Problem {
    match refused.code() {
        Code::Unauthorized => refused.detail(
            "Send an access token from `POST /auth/login` as `Authorization: Bearer …`. API keys work only on \
             `/api/v1`.",
        ),
        _ => refused,
    }
}

/// Lets in a caller without a credential, counted by client network.
fn anonymous(state: &State, request: &HttpRequest, limit: u32) -> Result<Authenticated, Problem> {
    let decision = state.addresses.admit((network_of(state, request), limit), limit, state.services.ports.clock.now());
    if !decision.admitted {
        return Err(Problem::new(Code::TooManyAttempts).retry_after(u64::from(decision.reset_seconds)));
    }
    Ok(Authenticated { caller: Caller::Nobody, access: Access::outside(Actor::system()), role: None, standing: None })
}

fn check_rate_limit(decision: Decision, record: &mut RequestRecord) -> Result<(), Problem> {
    record.limit(decision);
    if decision.admitted {
        return Ok(());
    }
    Err(Problem::new(Code::RateLimited).retry_after(u64::from(decision.reset_seconds)))
}

async fn with_key(state: &State, holder: Arc<KeyHolder>, record: &mut RequestRecord) -> Result<Authenticated, Problem> {
    let workspace = holder.key.workspace;
    record.identify_key(&holder);
    let limit = state.limits.of(workspace, holder.plan);
    let now = state.services.ports.clock.now();
    check_rate_limit(state.limiter.admit(LimitedClient::Workspace(workspace), limit, now).await, record)?;
    let access = Access::of_key(workspace, holder.key.id, holder.key.scope);
    let standing = Some(Guard::Live(Object::Key(holder.key.id)));
    Ok(Authenticated { caller: Caller::Key(holder), access, role: None, standing })
}

/// Counts a request of a user in a workspace, or outside of all.
async fn count(
    state: &State,
    person: &Person,
    workspace: Option<WorkspaceId>,
    record: &mut RequestRecord,
) -> Result<(), Problem> {
    let place = workspace.unwrap_or(WorkspaceId::from_uuid(Uuid::nil()));
    let client = LimitedClient::Member(place, person.holder.user.id);
    check_rate_limit(state.limiter.admit(client, state.person_limit, state.services.ports.clock.now()).await, record)
}

/// Lets in a user in the workspace of the header, or in their only workspace.
async fn with_header(
    state: &State,
    route: &Route,
    mut person: Arc<Person>,
    request: &HttpRequest,
    record: &mut RequestRecord,
) -> Result<Authenticated, Problem> {
    let mut given = request.headers().get_all(WORKSPACE);
    let named = match (given.next(), given.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => match value.to_str().ok().and_then(|text| text.parse().ok()) {
            Some(workspace) => Ok(Some(workspace)),
            None => Err(invalid_header()),
        },
        (Some(_), Some(_)) => Err(invalid_header()),
    };
    let known = match named {
        Ok(Some(workspace)) => person.membership(workspace).is_some(),
        Ok(None) => person.only_place().is_some(),
        Err(_) => true,
    };
    if !known {
        person = refresh_caller(state, person, request, record).await?;
    }
    let place = named.and_then(|named| match named {
        Some(workspace) => person.membership(workspace).ok_or_else(not_a_member),
        None => person.only_place().ok_or_else(|| workspace_required(&person)),
    });
    let workspace = place.as_ref().ok().map(|it| it.workspace.id);
    record.identify_person(&person, workspace);
    if known || workspace.is_some() {
        count(state, &person, workspace, record).await?;
    }
    let place = place?;
    refuse_deleted(route, &place.workspace)?;
    let (access, role) = (Access::of_user(place.workspace.id, person.holder.user.id, place.role), place.role);
    let standing = Some(Guard::Standing { user: person.holder.user.id, role });
    Ok(Authenticated { caller: Caller::Person(person), access, role: Some(role), standing })
}

/// Reads the user from the store again, since their cached memberships lack the requested workspace. The request is
/// counted first, outside of all workspaces, so that such requests cannot load the store without limit.
async fn refresh_caller(
    state: &State,
    person: Arc<Person>,
    request: &HttpRequest,
    record: &mut RequestRecord,
) -> Result<Arc<Person>, Problem> {
    record.identify_person(&person, None);
    count(state, &person, None, record).await?;
    crate::auth::credentials::person(state, request, Reading::Stored).await
}

/// Returns the problem of a user who selected no workspace and does not belong to exactly one. It says if all of them
/// are deleted.
fn workspace_required(person: &Person) -> Problem {
    let deletions: Option<Vec<_>> = person.holder.memberships.iter().map(|it| it.workspace.deletion).collect();
    match deletions.and_then(|it| it.iter().map(WorkspaceDeletion::restore_until).max()) {
        Some(restore_until) => Error::WorkspaceDeleted { restore_until }.into(),
        None => Problem::new(Code::WorkspaceRequired),
    }
}

/// Rejects a deleted workspace, unless the route serves deleted workspaces.
fn refuse_deleted(route: &Route, workspace: &Workspace) -> Result<(), Problem> {
    match workspace.deletion.filter(|_| !route.traits.of_deleted) {
        Some(deletion) => Err(Error::WorkspaceDeleted { restore_until: deletion.restore_until() }.into()),
        None => Ok(()),
    }
}

fn not_a_member() -> Problem {
    Problem::new(Code::NotFound).detail("You are not a member of this workspace.")
}

fn invalid_header() -> Problem {
    Problem::new(Code::InvalidHeader).detail("`X-Workspace-Id` must be the ID of one workspace, such as ws_….")
}

/// Lets in a user in the workspace of the path. To users who are not members it is reported as missing. Operators can
/// read and manage every workspace without being members.
async fn in_path(
    state: &State,
    route: &Route,
    mut person: Arc<Person>,
    request: &HttpRequest,
    record: &mut RequestRecord,
) -> Result<Authenticated, Problem> {
    let named = path::WORKSPACE.read(route.path, request.uri().path());
    let known = named.is_none_or(|workspace| person.membership(workspace).is_some());
    if !known {
        person = refresh_caller(state, person, request, record).await.map_err(of_people)?;
    }
    let place = named.and_then(|workspace| person.membership(workspace));
    record.identify_person(&person, place.map(|it| it.workspace.id));
    if known || place.is_some() {
        count(state, &person, place.map(|it| it.workspace.id), record).await?;
    }
    let user = person.holder.user.id;
    let is_operator = person.holder.user.operator && route.scope.is_for_operators();
    let is_own = route.scope == RouteScope::AdminOrSelf && names(route, request, user);
    let needed = if route.scope == RouteScope::Viewer || is_own { Role::Viewer } else { Role::Admin };
    let role = match (place, named) {
        (Some(place), _) if place.role >= needed || is_operator => {
            refuse_deleted(route, &place.workspace)?;
            Some(place.role)
        }
        (Some(_), _) => return Err(Problem::insufficient_role(needed.as_str())),
        (None, Some(workspace)) if is_operator => {
            let found = state.services.ports.access.workspace(workspace).await.map_err(Error::Store)?;
            refuse_deleted(route, &found.ok_or_else(|| Problem::new(Code::NotFound))?)?;
            None
        }
        (None, _) => return Err(Problem::new(Code::NotFound)),
    };
    let workspace = named.ok_or_else(|| Problem::new(Code::NotFound))?;
    let access = Access::of_user(workspace, user, role.unwrap_or(Role::Admin));
    // Operators need no role, and remain operators while the server runs.
    let standing = role.filter(|_| !is_operator).map(|role| Guard::Standing { user, role });
    Ok(Authenticated { caller: Caller::Person(person), access, role, standing })
}

fn names(route: &Route, request: &HttpRequest, user: UserId) -> bool {
    matches!(path::MEMBER.read(route.path, request.uri().path()), Some(path::MemberRef::Person(named)) if named == user)
}
