//! Stepwise freezing of an audience on SQLite. A single statement would block the only writer for seconds.
//!
//! A reader thread finds the selected contacts in one snapshot. Short transactions then write them as recipients, as
//! long as the broadcast has the version that the change set expects. Finally, the change set is committed and counts
//! them. Nothing reads the recipients before that. If the process dies in between, the next attempt removes them first.

use std::collections::BTreeMap;

use diesel::SqliteConnection;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel::sqlite::Sqlite;
use tidings_domain::broadcasts::BroadcastChange;
use tidings_domain::conditions::Selection;
use tidings_domain::contacts::UnreachedRecipients;
use tidings_domain::ids::BroadcastId;
use tidings_domain::ports::{Change, ChangeSet, Conflict, Object, Row};
use tidings_domain::time::Timestamp;

use super::{ChooseUnreached, WAITING, freeze};
use crate::conditions::Compile;
use crate::connection::faults::Fault;
use crate::connection::{Connection, find};
use crate::queries::prepared_query;
use crate::queries::types::{DbId, DbTime, Id, Instant};
use crate::schema::{broadcast_recipients, broadcasts, contacts};
use crate::write;

/// Maximum number of recipients that one transaction writes or removes.
pub(crate) const PORTION: usize = 500;

/// A selected contact, its place and its due time.
pub(crate) type Chosen = (DbId, i64, DbTime);

/// The recipients of a change set that freezes an audience.
#[derive(Debug, Clone)]
pub(crate) struct Staging {
    workspace: DbId,
    broadcast: BroadcastId,
    /// The version that the change set expects, if it also changes the broadcast.
    version: Option<i64>,
    selection: Selection,
    unreached: Option<UnreachedRecipients>,
    due_at: Timestamp,
    zones: BTreeMap<String, Timestamp>,
}

crate::write::row! {
    #[derive(Debug, Clone)]
    struct Recipient in broadcast_recipients {
        workspace_id: DbId,
        broadcast_id: DbId,
        contact_id: DbId,
        place: i64,
        due_at: DbTime,
        status: String,
    }
}

crate::write::write_texts! { Recipient: crate::write::Shape::of("broadcast_recipients") }

impl Staging {
    /// Returns one for each audience that a change set freezes.
    pub(crate) fn of(set: &ChangeSet) -> Vec<Self> {
        let of_change = |change: &Change| {
            let Change::Broadcast(BroadcastChange::Freeze { broadcast, selection, unreached, due_at, zones }) = change
            else {
                return None;
            };
            let version = set.changes.iter().find_map(|change| match change {
                Change::Update(Row::Broadcast(it)) if it.id == *broadcast => Some(it.version - 1),
                _ => None,
            });
            let (workspace, selection) = (DbId::from(set.workspace), (**selection).clone());
            Some(Self {
                workspace,
                broadcast: *broadcast,
                version,
                selection,
                unreached: *unreached,
                due_at: *due_at,
                zones: zones.clone(),
            })
        };
        set.changes.iter().filter_map(of_change).collect()
    }

    pub(crate) fn key(&self) -> (DbId, DbId) {
        (self.workspace, self.broadcast.into())
    }

    /// Returns all selected contacts that are not deleted, from one snapshot.
    pub(crate) fn choose(&self, c: &mut Connection<'_>) -> Result<Vec<Chosen>, Fault> {
        let due = freeze::due(c, self.due_at, &self.zones);
        let chosen = contacts::table
            .filter(contacts::workspace_id.eq(self.workspace))
            .filter(contacts::deleted_at.is_null())
            .filter(Sqlite::chosen(self.workspace, &self.selection))
            .filter(Sqlite::unreached(self.workspace, self.unreached.as_ref()))
            .select((
                contacts::id,
                sql::<BigInt>(&freeze::recipient_position(&due, &self.zones)),
                sql::<Instant>(&due),
            ));
        Ok(chosen.load(on_sqlite(c)?)?)
    }

    /// Removes recipients of an earlier attempt, if the broadcast is unchanged. Returns their number.
    pub(crate) async fn clear(&self, c: &mut Connection<'_>) -> Result<usize, Fault> {
        self.check(c).await?;
        let (workspace, broadcast) = self.key();
        let query = diesel::sql_query(CLEAR).bind::<Id, _>(workspace).bind::<Id, _>(broadcast);
        let query = query.bind::<BigInt, _>(PORTION_BOUND);
        Ok(prepared_query::execute(query, on_sqlite(c)?)?)
    }

    /// Writes a portion of the recipients, if the broadcast is unchanged.
    pub(crate) async fn write(&self, c: &mut Connection<'_>, chosen: &[Chosen]) -> Result<(), Fault> {
        self.check(c).await?;
        let (workspace_id, broadcast_id) = self.key();
        let recipient = |(contact_id, place, due_at): &Chosen| Recipient {
            workspace_id,
            broadcast_id,
            contact_id: *contact_id,
            place: *place,
            due_at: *due_at,
            status: WAITING.to_owned(),
        };
        write::insert(c, &chosen.iter().map(recipient).collect::<Vec<_>>()).await
    }

    async fn check(&self, c: &mut Connection<'_>) -> Result<(), Fault> {
        let found: Option<i64> = find!(c, broadcasts::table.find(self.key()).select(broadcasts::version))?;
        match found {
            Some(found) if self.version.is_none_or(|expected| expected == found) => Ok(()),
            Some(_) | None => Err(Conflict::Stale(Object::Broadcast(self.broadcast)).into()),
        }
    }
}

const PORTION_BOUND: i64 = PORTION as i64;
const CLEAR: &str = "DELETE FROM broadcast_recipients WHERE rowid IN (SELECT rowid FROM broadcast_recipients \
    WHERE workspace_id = ?1 AND broadcast_id = ?2 LIMIT ?3)";

fn on_sqlite<'c>(c: &'c mut Connection<'_>) -> Result<&'c mut SqliteConnection, Fault> {
    match c {
        Connection::Sqlite(connection) => Ok(connection),
        Connection::Postgres(_) => {
            Err(tidings_domain::ports::StoreError::Corrupt("recipients are staged on SQLite only".to_owned()).into())
        }
    }
}
