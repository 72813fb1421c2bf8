//! Where the rows of objects lie on PostgreSQL, and how they are locked.

use tidings_domain::ports::Object;

/// How a row is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// Nobody may take it away.
    KeyShare,
    /// Nobody may change it.
    Share,
    /// It is going to be changed by who holds it; readers of its key go on.
    NoKeyUpdate,
}

/// Says where the rows of one kind of objects lie, and how one of them is found.
pub(super) struct Place {
    /// The rows lie in this table.
    pub(super) table: &'static str,
    /// This condition holds where the row `t` is the one whose key is `k`.
    is: &'static str,
    /// This column has the row's version; it is `1` where rows of the kind have none.
    version: &'static str,
    /// This column says since when the object is gone; without one, the row goes with its object.
    pub(super) gone: Option<&'static str>,
}

const OF_WORKSPACE: &str = "t.workspace_id = k.workspace_id AND t.id = k.id";
const ALONE: &str = "t.id = k.id";

/// Where the row of an object lies.
pub(super) fn place(object: Object) -> Place {
    let of = |table| Place { table, is: OF_WORKSPACE, version: "version", gone: None };
    let living = |table| Place { gone: Some("deleted_at"), ..of(table) };
    match object {
        Object::Workspace(_) => Place { is: "t.id = k.id AND k.workspace_id = k.id", ..of("workspaces") },
        Object::Key(_) => {
            // Its key is its id alone.
            Place { is: ALONE, gone: Some("revoked_at"), ..of("api_keys") }
        }
        Object::Channel(_) => living("channels"),
        Object::Contact(_) => living("contacts"),
        Object::Tag(_) => of("tags"),
        Object::Field(_) => of("custom_fields"),
        Object::BotField(_) => of("bot_fields"),
        Object::Secret(_) => of("secrets"),
        Object::Conversation(_) => of("conversations"),
        Object::Message(_) => of("messages"),
        Object::Flow(_) => living("flows"),
        Object::Run(_) => of("flow_runs"),
        Object::Broadcast(_) => of("broadcasts"),
        Object::Segment(_) => of("segments"),
        Object::BulkOperation(_) => of("bulk_operations"),
        Object::Import(_) => of("imports"),
        Object::Stored(id) => of(id.kind().table()),
        Object::Sequence(_) => living("sequences"),
        Object::Enrollment(_) => of("enrollments"),
        Object::Webhook(_) => of("webhooks"),
        Object::Delivery(_) => of("deliveries"),
        Object::User(_) => Place { is: ALONE, ..of("users") },
        Object::Member(_) => Place { is: "t.workspace_id = k.workspace_id AND t.user_id = k.id", ..of("members") },
        Object::Invitation(_) => Place { version: "1", ..of("invitations") },
        Object::Session(_) => Place { is: ALONE, version: "1", gone: Some("revoked_at"), ..of("sessions") },
    }
}

/// Finds rows by their keys and locks them: each is looked up by its key, whatever the planner believes of the table; what
/// else must hold of it is seen then.
pub(super) fn lock_text(object: Object, strength: Strength, patience: Patience) -> String {
    let Place { table, is, version, gone } = place(object);
    let lock = match strength {
        Strength::KeyShare => "KEY SHARE",
        Strength::Share => "SHARE",
        Strength::NoKeyUpdate => "NO KEY UPDATE",
    };
    let version = if version == "1" { "1::bigint".to_owned() } else { format!("t.{version}") };
    let gone = gone.map_or("NULL::timestamptz".to_owned(), |gone| format!("t.{gone}"));
    let workspace = if table == "api_keys" { "t.workspace_id = k.workspace_id" } else { "true" };
    format!(
        "SELECT k.n, f.version FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[])) WITH ORDINALITY \
         AS k (workspace_id, id, n) CROSS JOIN LATERAL (SELECT {version} AS version, {gone} AS gone, {workspace} AS own \
         FROM {table} t WHERE {is} LIMIT 1 FOR {lock}{}) AS f WHERE f.gone IS NULL AND f.own",
        patience.words()
    )
}

/// What becomes of rows that others have locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    /// They are waited for.
    Wait,
    /// They are passed by: who shares a transaction does not have the others wait.
    PassBy,
}

impl Patience {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Wait => "",
            Self::PassBy => " SKIP LOCKED",
        }
    }
}
