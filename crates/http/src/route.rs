//! What is said about a route: who may use it, and what is special about it. Who handles it stands in the table alone.

use actix_web::http::Method;
use tidings_domain::access::Scope;
use tidings_domain::imports::MAX_TABLE;

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteScope {
    /// Everybody, without a key; nothing of a workspace is shown.
    Public,
    /// Everybody who comes with a password in the body, counted by address.
    Login,
    /// Everybody who comes with a token in the path, the body or a cookie; wrong ones are counted by address.
    Token,
    /// People, with an access token.
    SignedIn,
    /// People who run the service.
    Operator,
    /// Every member of the workspace `{ws}` of the path, and operators.
    Viewer,
    /// Its owners and admins.
    Admin,
    /// Its owners and admins, and every member for their own place.
    AdminOrSelf,
    /// Its owners and admins, and operators.
    AdminOrOperator,
    /// Providers of channels, without a key: they sign what they send.
    Signed,
    /// Keys with at least the scope `read`, and people whose role is worth it.
    Read,
    /// Keys with at least the scope `write`.
    Write,
    /// Keys with the scope `full`.
    Full,
}

impl RouteScope {
    /// Whether it is open without a credential.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Public | Self::Signed | Self::Login | Self::Token)
    }

    /// Whether operators are let in without a place in the workspace.
    pub(crate) fn is_for_operators(self) -> bool {
        match self {
            Self::Viewer | Self::Operator | Self::AdminOrOperator => true,
            Self::Admin | Self::AdminOrSelf | Self::SignedIn | Self::Public | Self::Signed => false,
            Self::Login | Self::Token | Self::Read | Self::Write | Self::Full => false,
        }
    }

    /// The word in the OpenAPI document.
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

    /// The scope that a key needs; `None` where no key opens.
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

/// Whether a route takes a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// No: it is left unread.
    None,
    /// It may be absent, which is the same as `{}`.
    Optional,
    /// Yes.
    Required,
    /// Yes, a table, as `text/csv`.
    Table,
}

impl BodyKind {
    /// Whether it is read as JSON.
    pub const fn is_json(self) -> bool {
        match self {
            Self::Optional | Self::Required => true,
            Self::None | Self::Table => false,
        }
    }
}

/// What else is special about a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits {
    /// Whether it takes a body.
    pub body: BodyKind,
    /// Whether its body may be a flow's definition, and so 1 MiB long.
    pub large: bool,
    /// Whether it also takes `application/merge-patch+json` (RFC 7396).
    pub merge_patch: bool,
    /// Whether it is a list, with parameters behind the `?`.
    pub query: bool,
    /// Whether the rows of that list are not counted: there are ever more of them.
    pub uncounted: bool,
    /// Whether it takes parameters behind the `?` although it is no such list.
    pub parameters: bool,
    /// Whether it changes one object whose version `If-Match` may name.
    pub versioned: bool,
    /// Whether it creates or enlarges objects, so that a workspace with a full storage refuses it.
    pub grows: bool,
    /// Whether its answer holds a secret.
    pub secret: bool,
    /// Whether it deletes or takes away what is in use where `?force=true` says so.
    pub forceable: bool,
    /// Whether it only reads, although it is a POST: nothing is kept under an idempotency key.
    pub reads: bool,
    /// Whether what it keeps is never asked for by itself: it has neither a place nor a version.
    pub told_once: bool,
    /// Whether the store is asked who asks, and not the memory of the last seconds: the answer shows
    /// what the person has just changed.
    pub as_stored: bool,
    /// Whether it changes who may do what, or what opens the data of the workspace: its caller is read from the store, and
    /// its changes commit only while the caller's permissions last.
    pub privileged: bool,
    /// Whether a person who is signed in may come along with the token in its path.
    pub invites: bool,
    /// Whether its answer waits for somebody outside, who may take their time.
    pub calls_out: bool,
    /// Whether its answer goes on as long as the client takes it: neither its handling nor its whole length in time is
    /// bounded, only how long nothing of it is taken.
    pub streams: bool,
    /// Whether what it streams has no end of its own, and is taken up again by `Last-Event-ID`.
    pub live: bool,
    /// Whether it searches or counts contacts or other rows, at a cost that grows with the workspace: its work ends when its
    /// client is gone.
    pub searches: bool,
    /// Whether its work may be long however short its body is, so that it runs on the pool for such work.
    pub computes: bool,
    /// Whether what it computes is a simulation.
    pub simulates: bool,
    /// Whether it serves deleted workspaces, too; others answer 410.
    pub of_deleted: bool,
    /// Whether machines ask it all the time, so that it is not counted by address.
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

    /// What it keeps is never asked for by itself.
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

    /// Whether it is a list that tells how many rows all its pages have.
    pub const fn is_counted(&self) -> bool {
        self.query && !self.uncounted
    }

    /// How many bytes the body may have.
    pub const fn body_limit(&self) -> usize {
        match self.body {
            BodyKind::Table => MAX_TABLE,
            BodyKind::None | BodyKind::Optional | BodyKind::Required if self.large => 1024 * 1024,
            BodyKind::None | BodyKind::Optional | BodyKind::Required => 256 * 1024,
        }
    }
}

/// One route.
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path; parameters stand in braces.
    pub path: &'static str,
    /// Who may use it.
    pub scope: RouteScope,
    /// Its name in the OpenAPI document.
    pub operation_id: &'static str,
    /// What else is special about it.
    pub traits: Traits,
}

impl Route {
    /// Whether the caller is read from the store, and not from the memory of the last seconds.
    pub(crate) fn reads_actor_as_stored(&self) -> bool {
        let is_for_people = !self.scope.is_open() && self.scope.required().is_none();
        let changes = self.method != Method::GET;
        self.traits.as_stored || self.traits.privileged || self.traits.invites || (is_for_people && changes)
    }
}
