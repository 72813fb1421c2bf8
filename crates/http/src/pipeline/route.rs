//! The properties of a route. Its handler is only in the table.

use actix_web::http::Method;
use tidings_domain::access::Scope;
use tidings_domain::imports::MAX_TABLE;

/// The callers that may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteScope {
    /// Everyone, without a credential; shows no data of a workspace.
    Public,
    /// Everyone, with a password in the body; counted by client network.
    Login,
    /// Everyone, with a token in the path, the body or a cookie. Invalid tokens are counted by client network.
    Token,
    /// Users, with an access token.
    SignedIn,
    /// Operators of the service.
    Operator,
    /// All members of the workspace `{ws}` in the path, and operators.
    Viewer,
    /// Owners and admins of the workspace.
    Admin,
    /// Owners and admins of the workspace, and every member for their own membership.
    AdminOrSelf,
    /// Owners and admins of the workspace, and operators.
    AdminOrOperator,
    /// Providers of channels, without a credential: they sign their requests.
    Signed,
    /// Keys with at least the scope `read`, and users with a sufficient role.
    Read,
    /// Keys with at least the scope `write`, and users with a sufficient role.
    Write,
    /// Keys with the scope `full`, and users with a sufficient role.
    Full,
}

impl RouteScope {
    /// Whether it needs no credential.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Public | Self::Signed | Self::Login | Self::Token)
    }

    /// Whether operators need no membership in the workspace.
    pub(crate) fn is_for_operators(self) -> bool {
        match self {
            Self::Viewer | Self::Operator | Self::AdminOrOperator => true,
            Self::Admin | Self::AdminOrSelf | Self::SignedIn | Self::Public | Self::Signed => false,
            Self::Login | Self::Token | Self::Read | Self::Write | Self::Full => false,
        }
    }

    /// Returns the word in the OpenAPI document.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public | Self::Signed | Self::Login | Self::Token => "none",
            Self::SignedIn => "signed_in",
            Self::Operator => "operator",
            Self::Viewer => "viewer",
            Self::Admin => "admin",
            Self::AdminOrSelf => "admin_or_self",
            Self::AdminOrOperator => "admin_or_operator",
            Self::Read => "read",
            Self::Write => "write",
            Self::Full => "full",
        }
    }

    /// Returns the scope that a key needs; `None` if no key works.
    pub fn required(self) -> Option<Scope> {
        match self {
            Self::Public | Self::Signed | Self::Login | Self::Token => None,
            Self::SignedIn | Self::Operator | Self::Viewer => None,
            Self::Admin | Self::AdminOrSelf | Self::AdminOrOperator => None,
            Self::Read => Some(Scope::Read),
            Self::Write => Some(Scope::Write),
            Self::Full => Some(Scope::Full),
        }
    }
}

/// The body of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// None; a body is left unread.
    None,
    /// Optional JSON; an absent body equals `{}`.
    Optional,
    /// Required JSON.
    Required,
    /// A required table, as `text/csv`.
    Table,
    /// A required file of any type, which is stored as it arrives.
    File,
}

impl BodyKind {
    /// Whether the body is JSON.
    pub const fn is_json(self) -> bool {
        match self {
            Self::Optional | Self::Required => true,
            Self::None | Self::Table | Self::File => false,
        }
    }
}

/// The other properties of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits {
    /// The body.
    pub body: BodyKind,
    /// Whether the body can contain a definition of a flow. The limit is then 1 MiB.
    pub large: bool,
    /// Whether it also accepts `application/merge-patch+json` (RFC 7396).
    pub merge_patch: bool,
    /// Whether it is a list, with query parameters.
    pub query: bool,
    /// Whether the rows of the list are not counted, because their number only grows.
    pub uncounted: bool,
    /// Whether it has query parameters without being a list.
    pub parameters: bool,
    /// Whether it changes an object with a version, for `If-Match`.
    pub versioned: bool,
    /// Whether it creates or enlarges objects. A workspace with full storage rejects it.
    pub grows: bool,
    /// Whether the response contains a secret.
    pub secret: bool,
    /// Whether `?force=true` deletes or removes objects in use.
    pub forceable: bool,
    /// Whether it is a POST that only reads, without an idempotency record.
    pub reads: bool,
    /// Whether the created object cannot be requested later. It then has neither an address nor a version.
    pub told_once: bool,
    /// Whether the caller is read from the store instead of the cache, because the response shows the user's latest
    /// changes.
    pub as_stored: bool,
    /// Whether it changes permissions or credentials. The caller is read from the store, and changes commit only while
    /// the caller's permissions last.
    pub privileged: bool,
    /// Whether a user can send an access token in addition to the token in the path.
    pub invites: bool,
    /// Whether the response waits for another service.
    pub calls_out: bool,
    /// Whether it can register a channel at its provider, or remove the registration.
    pub registers: bool,
    /// Whether the response is streamed. Its handling and total time are unlimited as long as the client keeps reading.
    pub streams: bool,
    /// Whether the stream is endless, and resumes with `Last-Event-ID`.
    pub live: bool,
    /// Whether it searches or counts rows, at a cost that grows with the workspace. Its work ends when the client
    /// disconnects.
    pub searches: bool,
    /// Whether its work can take long even for a short body. It then runs on the compute pool.
    pub computes: bool,
    /// Whether it is a simulation, on the compute pool.
    pub simulates: bool,
    /// Whether it also serves deleted workspaces; other routes return 410.
    pub of_deleted: bool,
    /// Whether machines call it all the time. It then has no rate limit.
    pub probe: bool,
}

impl Traits {
    pub(crate) const PLAIN: Self = Self {
        body: BodyKind::None,
        large: false,
        merge_patch: false,
        query: false,
        uncounted: false,
        parameters: false,
        versioned: false,
        grows: false,
        secret: false,
        forceable: false,
        reads: false,
        told_once: false,
        as_stored: false,
        privileged: false,
        invites: false,
        calls_out: false,
        registers: false,
        streams: false,
        live: false,
        searches: false,
        computes: false,
        simulates: false,
        of_deleted: false,
        probe: false,
    };

    pub(crate) const fn json(self) -> Self {
        Self { body: BodyKind::Required, ..self }
    }

    pub(crate) const fn table(self) -> Self {
        Self { body: BodyKind::Table, ..self }
    }

    pub(crate) const fn file(self) -> Self {
        Self { body: BodyKind::File, ..self }
    }

    pub(crate) const fn optional_json(self) -> Self {
        Self { body: BodyKind::Optional, ..self }
    }

    pub(crate) const fn large(self) -> Self {
        Self { large: true, ..self }
    }

    pub(crate) const fn merge_patch(self) -> Self {
        Self { merge_patch: true, ..self }
    }

    pub(crate) const fn query(self) -> Self {
        Self { query: true, ..self }
    }

    pub(crate) const fn uncounted(self) -> Self {
        Self { uncounted: true, ..self }
    }

    pub(crate) const fn parameters(self) -> Self {
        Self { parameters: true, ..self }
    }

    pub(crate) const fn versioned(self) -> Self {
        Self { versioned: true, ..self }
    }

    pub(crate) const fn grows(self) -> Self {
        Self { grows: true, ..self }
    }

    pub(crate) const fn secret(self) -> Self {
        Self { secret: true, ..self }
    }

    pub(crate) const fn forceable(self) -> Self {
        Self { forceable: true, ..self }
    }

    pub(crate) const fn reads(self) -> Self {
        Self { reads: true, ..self }
    }

    pub(crate) const fn told_once(self) -> Self {
        Self { told_once: true, ..self }
    }

    pub(crate) const fn as_stored(self) -> Self {
        Self { as_stored: true, ..self }
    }

    pub(crate) const fn privileged(self) -> Self {
        Self { privileged: true, ..self }
    }

    pub(crate) const fn invites(self) -> Self {
        Self { invites: true, ..self }
    }

    pub(crate) const fn calls_out(self) -> Self {
        Self { calls_out: true, ..self }
    }

    pub(crate) const fn registers(self) -> Self {
        Self { registers: true, ..self }
    }

    pub(crate) const fn streams(self) -> Self {
        Self { streams: true, ..self }
    }

    pub(crate) const fn live(self) -> Self {
        Self { live: true, ..self.streams() }
    }

    pub(crate) const fn searches(self) -> Self {
        Self { searches: true, ..self }
    }

    pub(crate) const fn computes(self) -> Self {
        Self { computes: true, ..self }
    }

    pub(crate) const fn simulates(self) -> Self {
        Self { simulates: true, ..self.computes() }
    }

    pub(crate) const fn of_deleted(self) -> Self {
        Self { of_deleted: true, ..self }
    }

    pub(crate) const fn probe(self) -> Self {
        Self { probe: true, ..self }
    }

    /// Whether it is a list that can count all its rows.
    pub const fn is_counted(&self) -> bool {
        self.query && !self.uncounted
    }

    /// Returns the maximum size of the body in bytes. A file has its own limit, in the settings.
    pub const fn body_limit(&self) -> usize {
        match self.body {
            BodyKind::Table => MAX_TABLE,
            BodyKind::None | BodyKind::Optional | BodyKind::Required if self.large => 1024 * 1024,
            BodyKind::None | BodyKind::Optional | BodyKind::Required | BodyKind::File => 256 * 1024,
        }
    }
}

/// A route.
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path, with parameters in braces.
    pub path: &'static str,
    /// The callers that may use it.
    pub scope: RouteScope,
    /// The name in the OpenAPI document.
    pub operation_id: &'static str,
    /// The other properties.
    pub traits: Traits,
}

impl Route {
    /// Whether the caller is read from the store instead of the cache.
    pub(crate) fn reads_actor_as_stored(&self) -> bool {
        let is_for_people = !self.scope.is_open() && self.scope.required().is_none();
        let changes = self.method != Method::GET;
        self.traits.as_stored || self.traits.privileged || self.traits.invites || (is_for_people && changes)
    }
}
