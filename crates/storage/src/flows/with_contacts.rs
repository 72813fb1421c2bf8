//! Runs with the contacts and conversations that their steps need, in one round trip.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel_async::AsyncPgConnection;
use tidings_domain::contacts::Contact;
use tidings_domain::conversations::Conversation;
use tidings_domain::flows::{Run, RunWithContact};
use tidings_domain::ports::StoreError;

use super::RunRow;
use crate::connection::faults::Fault;
use crate::connection::{Connection, by_keys};
use crate::queries::by_keys::ByKeys;
use crate::queries::loader::Found;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::DbId;
use crate::schema::flow_runs;
use crate::{contacts, conversations};

type Key = (DbId, DbId);

type Loaded = (Vec<RunRow>, HashMap<Key, Contact>, HashMap<Key, Vec<Conversation>>);

pub(crate) fn with_contacts(mut c: Connection<'_>, keys: Vec<Key>) -> Found<'_, Key, RunWithContact> {
    Box::pin(async move {
        let (rows, mut contacts, mut conversations) = match &mut c {
            Connection::Postgres(connection) => at_once(connection, &keys).await?,
            c => {
                let rows: Vec<RunRow> = by_keys!(
                    c,
                    keys,
                    flow_runs::table.select(RunRow::as_select()),
                    (flow_runs::workspace_id, flow_runs::id)
                )?;
                (rows, HashMap::new(), HashMap::new())
            }
        };
        let runs: Vec<(DbId, Run)> =
            rows.into_iter().map(|row| Ok((row.workspace_id, row.read()?))).collect::<Result<_, Fault>>()?;
        // SQLite loads these for all runs; PostgreSQL only for runs that were moved to another contact in the meantime.
        let of = |(ws, run): &(DbId, Run)| (*ws, DbId::from(run.contact));
        let left: Vec<Key> = runs.iter().map(of).filter(|key| !contacts.contains_key(key)).collect();
        if !left.is_empty() {
            contacts.extend(contacts::find_all(c.reborrow(), left.clone()).await?);
            conversations.extend(conversations::find_all(c.reborrow(), left).await?);
        }
        let with_contact = |(ws, run): (DbId, Run)| {
            let of = (ws, DbId::from(run.contact));
            let contact = contacts.get(&of).cloned();
            let contact =
                contact.ok_or_else(|| StoreError::Corrupt(format!("the contact of {} is missing", run.id)))?;
            let mut conversations = conversations.get(&of).cloned().unwrap_or_default();
            conversations::last_used_first(&mut conversations);
            Ok(((ws, DbId::from(run.id)), RunWithContact { run, contact, conversations }))
        };
        runs.into_iter().map(with_contact).collect()
    })
}

/// The three statements are pipelined.
async fn at_once(connection: &AsyncPgConnection, keys: &[Key]) -> Result<Loaded, Fault> {
    let runs = async {
        let mut connection = connection;
        let query = PreparedQuery(ByKeys::new(flow_runs::table.select(RunRow::as_select()), keys));
        diesel_async::RunQueryDsl::load(query, &mut connection).await
    };
    let (runs, contacts, conversations) =
        futures::join!(runs, contacts::of_runs(connection, keys), conversations::of_runs(connection, keys));
    Ok((runs?, contacts?, conversations?))
}
