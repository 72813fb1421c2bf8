//! The tables of objects on PostgreSQL, and the locks of their rows.

use tidings_domain::ports::Object;

/// The strength of a row lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LockStrength {
    /// The row must not be deleted.
    KeyShare,
    /// The row must not be changed.
    Share,
    /// The transaction is going to change the row. Other transactions can still refer to its key.
    NoKeyUpdate,
}

/// The table of one kind of object, and the condition that finds a row.
pub(super) struct RowLocation {
    pub(super) table: &'static str,
    /// The condition that the row `t` has the key `k`.
    is: &'static str,
    /// The version column, or `1` if rows of this kind have no version.
    version: &'static str,
    /// The column with the object's time of deletion. Without one, a deletion removes the row.
    pub(super) gone: Option<&'static str>,
}

const OF_WORKSPACE: &str = "t.workspace_id = k.workspace_id AND t.id = k.id";
const ALONE: &str = "t.id = k.id";

pub(super) fn place(object: Object) -> RowLocation {
    let of = |table| RowLocation { table, is: OF_WORKSPACE, version: "version", gone: None };
    let deletable = |table| RowLocation { gone: Some("deleted_at"), ..of(table) };
    match object {
        Object::Workspace(_) => RowLocation { is: "t.id = k.id AND k.workspace_id = k.id", ..of("workspaces") },
        Object::Key(_) => {
            // Its primary key is the ID without the workspace.
            RowLocation { is: ALONE, gone: Some("revoked_at"), ..of("api_keys") }
        }
        Object::Channel(_) => deletable("channels"),
        Object::Contact(_) => deletable("contacts"),
        Object::Conversation(_) => of("conversations"),
        Object::Message(_) => of("messages"),
        Object::Flow(_) => deletable("flows"),
        Object::Run(_) => of("flow_runs"),
        Object::Broadcast(_) => of("broadcasts"),
        Object::BulkOperation(_) => of("bulk_operations"),
        Object::Import(_) => of("imports"),
        Object::Stored(id) => of(id.kind().table()),
        Object::Sequence(_) => deletable("sequences"),
        Object::Enrollment(_) => of("enrollments"),
        Object::Webhook(_) => of("webhooks"),
        Object::Delivery(_) => of("deliveries"),
        Object::User(_) => RowLocation { is: ALONE, ..of("users") },
        Object::Member(_) => {
            RowLocation { is: "t.workspace_id = k.workspace_id AND t.user_id = k.id", ..of("members") }
        }
        Object::Invitation(_) => RowLocation { version: "1", ..of("invitations") },
        Object::Session(_) => RowLocation { is: ALONE, version: "1", gone: Some("revoked_at"), ..of("sessions") },
    }
}

/// Returns a statement that finds rows by key and locks them. Each row is looked up by its key, regardless of the
/// planner's estimates. Other conditions are checked afterwards.
pub(super) fn lock_text(object: Object, strength: LockStrength, patience: LockWait) -> String {
    let RowLocation { table, is, version, gone } = place(object);
    let lock = match strength {
        LockStrength::KeyShare => "KEY SHARE",
        LockStrength::Share => "SHARE",
        LockStrength::NoKeyUpdate => "NO KEY UPDATE",
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

/// The treatment of rows that other transactions have locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LockWait {
    Wait,
    /// Skip them: a combined transaction must not make the other sets wait.
    PassBy,
}

impl LockWait {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Wait => "",
            Self::PassBy => " SKIP LOCKED",
        }
    }
}
