//! Reading in a loop: synchronous Diesel on two threads, the same queries as the service's.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use tidings_domain::ids::TypedId;
use uuid::Uuid;

use super::tables::{contact_identities, contact_tags, contact_values, contacts, custom_fields, tags};
use crate::rounds::Done;
use crate::seed::{FIRST, contact_id};

const THREADS: usize = 2;
const PRAGMAS: &str = "PRAGMA busy_timeout = 5000; PRAGMA cache_size = -8000;";

/// What is read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Read {
    /// One contact, at random among so many.
    One { contacts: u64 },
    /// The newest twenty, and one more to know whether there are others.
    Newest,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = contacts)]
#[allow(dead_code, reason = "read, as the service reads it, and thrown away")]
struct Row {
    id: Vec<u8>,
    external_id: Option<String>,
    first_name: Option<String>,
    last_name: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    locale: Option<String>,
    time_zone: Option<String>,
    status: String,
    subscribed: bool,
    last_message_at: Option<i64>,
    created_at: i64,
    updated_at: i64,
    deleted_at: Option<i64>,
    version: i64,
}

/// Reads for so long, on two threads.
///
/// # Errors
/// Those of SQLite, or where a contact is missing.
pub(crate) async fn read(path: &Path, workspace: Uuid, what: Read, time: Duration) -> Result<Done> {
    let workers = (0..THREADS).map(|thread| {
        let path = path.to_string_lossy().into_owned();
        tokio::task::spawn_blocking(move || work(&path, workspace, what, time, thread as u64))
    });
    let (began, mut operations) = (Instant::now(), 0);
    for worker in workers.collect::<Vec<_>>() {
        operations += worker.await??;
    }
    Ok(Done { operations, seconds: began.elapsed().as_secs_f64(), ..Done::default() })
}

fn work(path: &str, workspace: Uuid, what: Read, time: Duration, thread: u64) -> Result<u64> {
    let mut connection = SqliteConnection::establish(path)?;
    connection.batch_execute(PRAGMAS)?;
    let workspace = workspace.as_bytes().to_vec();
    let (began, mut done) = (Instant::now(), 0);
    while began.elapsed() < time {
        let rows: Vec<Row> = match what {
            Read::One { contacts: count } => {
                let number = FIRST + (done * THREADS as u64 + thread).wrapping_mul(0x9E37_79B9_7F4A_7C15) % count;
                let id = contact_id(number)?.uuid().as_bytes().to_vec();
                let query = contacts::table.filter(contacts::workspace_id.eq(&workspace)).filter(contacts::id.eq(id));
                query.filter(contacts::deleted_at.is_null()).select(Row::as_select()).load(&mut connection)?
            }
            Read::Newest => {
                let query = contacts::table.filter(contacts::workspace_id.eq(&workspace));
                let query = query.filter(contacts::deleted_at.is_null()).filter(contacts::created_at.is_not_null());
                let query = query.order((contacts::created_at.desc(), contacts::id.desc()));
                query.limit(21).select(Row::as_select()).load(&mut connection)?
            }
        };
        let wanted = if matches!(what, Read::Newest) { 21 } else { 1 };
        if rows.len() != wanted {
            bail!("{} contacts instead of {wanted}", rows.len());
        }
        tags_and_fields(&mut connection, &workspace, rows.into_iter().map(|it| it.id).collect())?;
        done += 1;
    }
    Ok(done)
}

/// Tags, values and identities.
fn tags_and_fields(connection: &mut SqliteConnection, workspace: &[u8], ids: Vec<Vec<u8>>) -> Result<()> {
    let tag = tags::workspace_id.eq(contact_tags::workspace_id).and(tags::id.eq(contact_tags::tag_id));
    let links: Vec<(Vec<u8>, Vec<u8>, String, i64)> = contact_tags::table
        .inner_join(tags::table.on(tag))
        .filter(contact_tags::workspace_id.eq(workspace))
        .filter(contact_tags::contact_id.eq_any(ids.clone()))
        .order((contact_tags::applied_at.asc(), contact_tags::tag_id.asc()))
        .select((contact_tags::contact_id, tags::id, tags::name, contact_tags::applied_at))
        .load(connection)?;
    let field = custom_fields::workspace_id
        .eq(contact_values::workspace_id)
        .and(custom_fields::id.eq(contact_values::field_id));
    let values: Vec<(Vec<u8>, String, String)> = contact_values::table
        .inner_join(custom_fields::table.on(field))
        .filter(contact_values::workspace_id.eq(workspace))
        .filter(contact_values::contact_id.eq_any(ids.clone()))
        .select((contact_values::contact_id, custom_fields::key, contact_values::value))
        .load(connection)?;
    let _: Vec<(Vec<u8>, Vec<u8>, String, bool)> = contact_identities::table
        .filter(contact_identities::workspace_id.eq(workspace))
        .filter(contact_identities::contact_id.eq_any(ids))
        .filter(contact_identities::live.eq(true))
        .order((contact_identities::channel_id.asc(), contact_identities::address.asc()))
        .select((
            contact_identities::contact_id,
            contact_identities::channel_id,
            contact_identities::address,
            contact_identities::opted_in,
        ))
        .load(connection)?;
    if links.is_empty() || values.is_empty() {
        bail!("a contact without its tags and values");
    }
    Ok(())
}
