//! Plain reads in a loop: SQLite on two threads, the same rows as the service's.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rusqlite::types::Value;
use rusqlite::{Connection, ToSql, params_from_iter};
use tidings_domain::ids::TypedId;
use uuid::Uuid;

use crate::rounds::Done;
use crate::seed::{FIRST, contact_id};

const THREADS: usize = 2;
const PRAGMAS: &str = "PRAGMA busy_timeout = 5000; PRAGMA cache_size = -8000;";
/// One contact. The ID is the first column, here and in the list.
const ONE: &str = "SELECT id, * FROM contacts WHERE workspace_id = ?1 AND id = ?2 AND deleted_at IS NULL";
const NEWEST: &str = "SELECT id, * FROM contacts WHERE workspace_id = ?1 AND deleted_at IS NULL \
                      AND created_at IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 21";

#[derive(Debug, Clone, Copy)]
pub(crate) enum Read {
    /// One random contact.
    One { contacts: u64 },
    /// The newest twenty, and one more to know whether others follow.
    Newest,
}

/// Reads for this time, on two threads.
///
/// # Errors
/// Errors of SQLite, or a missing contact.
pub(crate) async fn read(path: &Path, workspace: Uuid, what: Read, time: Duration) -> Result<Done> {
    let workers = (0..THREADS).map(|thread| {
        let path = path.to_owned();
        tokio::task::spawn_blocking(move || work(&path, workspace, what, time, thread as u64))
    });
    let (began, mut operations) = (Instant::now(), 0);
    for worker in workers.collect::<Vec<_>>() {
        operations += worker.await??;
    }
    Ok(Done { operations, seconds: began.elapsed().as_secs_f64(), ..Done::default() })
}

fn work(path: &Path, workspace: Uuid, what: Read, time: Duration, thread: u64) -> Result<u64> {
    let connection = Connection::open(path)?;
    connection.execute_batch(PRAGMAS)?;
    let workspace = Value::Blob(workspace.as_bytes().to_vec());
    let (began, mut done) = (Instant::now(), 0);
    while began.elapsed() < time {
        let (contacts, wanted) = match what {
            Read::One { contacts: count } => {
                let number = FIRST + (done * THREADS as u64 + thread).wrapping_mul(0x9E37_79B9_7F4A_7C15) % count;
                let id = Value::Blob(contact_id(number)?.uuid().as_bytes().to_vec());
                (rows(&connection, ONE, [&workspace, &id])?, 1)
            }
            Read::Newest => (rows(&connection, NEWEST, [&workspace])?, 21),
        };
        if contacts.len() != wanted {
            bail!("{} contacts instead of {wanted}", contacts.len());
        }
        tags_and_fields(&connection, &workspace, &contacts)?;
        done += 1;
    }
    Ok(done)
}

/// Reads tags, values and identities.
fn tags_and_fields(connection: &Connection, workspace: &Value, contacts: &[Vec<Value>]) -> Result<()> {
    let ids = contacts.iter().filter_map(|contact| contact.first());
    let parameters: Vec<&Value> = std::iter::once(workspace).chain(ids).collect();
    let carried = |from: &str, order: &str| {
        let places = (2..=parameters.len()).map(|place| format!("?{place}")).collect::<Vec<_>>().join(", ");
        let query = format!("SELECT * FROM {from} WHERE c.workspace_id = ?1 AND c.contact_id IN ({places}) {order}");
        rows(connection, &query, parameters.iter().copied())
    };
    let tags = "contact_tags c JOIN tags t ON t.workspace_id = c.workspace_id AND t.id = c.tag_id";
    let links = carried(tags, "ORDER BY c.applied_at, c.tag_id")?;
    let fields = "contact_values c JOIN custom_fields f ON f.workspace_id = c.workspace_id AND f.id = c.field_id";
    let values = carried(fields, "")?;
    carried("contact_identities c", "AND c.live ORDER BY c.channel_id, c.address")?;
    if links.is_empty() || values.is_empty() {
        bail!("a contact without its tags and values");
    }
    Ok(())
}

/// Returns all columns of the rows that a query finds.
fn rows(
    connection: &Connection,
    query: &str,
    parameters: impl IntoIterator<Item = impl ToSql>,
) -> Result<Vec<Vec<Value>>> {
    let mut statement = connection.prepare_cached(query)?;
    let columns = statement.column_count();
    let rows = statement.query_map(params_from_iter(parameters), |row| {
        (0..columns).map(|place| row.get(place)).collect::<rusqlite::Result<Vec<Value>>>()
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
