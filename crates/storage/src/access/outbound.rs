//! Paused outbound sending of the whole store and of workspaces, and deleted workspaces.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use tidings_domain::access::WorkspaceDeletion;
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{OutboundStore, PausedBy, Pauses, StoreError, StoreHold};
use tidings_domain::time::Timestamp;
use tokio::sync::Mutex;

use crate::Storage;
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{store_marks, workspaces};

/// The name of the mark, as used in the statements of claims.
const HOLD: &str = "outbound_hold";
/// The name of the mark beside it in a restored store.
const RESTORED: &str = "restored";
/// Must match the text of the index.
const HELD: &str = "workspaces.outbound = 'hold'";
/// Maximum age of an answer. Jobs ask often, and answers change rarely.
const FRESH: Duration = Duration::from_millis(250);

struct Seen {
    epoch: u64,
    at: Instant,
    everything: bool,
    is_restored: bool,
    workspaces: HashSet<WorkspaceId>,
    /// Number of reads that found an ended pause.
    ended: u64,
    /// Deleted workspaces and the end of their restoration periods.
    deleted: HashMap<WorkspaceId, Timestamp>,
}

#[derive(Default)]
pub(crate) struct LastLook {
    seen: Mutex<Option<Seen>>,
    /// Incremented with each change by this process. Older reads are invalid.
    epoch: AtomicU64,
}

impl LastLook {
    /// Invalidates the last read after a change by this process.
    pub(crate) fn forget(&self) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
    }
}

async fn mark(c: &mut Connection<'_>) -> Result<Option<(String, DbTime)>, Fault> {
    find!(c, store_marks::table.find(HOLD).select((store_marks::value, store_marks::set_at)))
}

async fn is_restored(c: &mut Connection<'_>) -> Result<bool, Fault> {
    let name: Option<String> = find!(c, store_marks::table.find(RESTORED).select(store_marks::name))?;
    Ok(name.is_some())
}

async fn held_workspaces(c: &mut Connection<'_>) -> Result<Vec<DbId>, Fault> {
    load!(c, workspaces::table.filter(diesel::dsl::sql::<Bool>(HELD)).select(workspaces::id))
}

async fn deleted_workspaces(c: &mut Connection<'_>) -> Result<Vec<(DbId, Option<DbTime>)>, Fault> {
    load!(
        c,
        workspaces::table.filter(workspaces::deleted_at.is_not_null()).select((workspaces::id, workspaces::erase_at))
    )
}

impl Storage {
    /// Returns the part of the state that `pick` selects. The state is at most as old as [`FRESH`].
    async fn recently_seen<T>(&self, pick: impl FnOnce(&Seen) -> T + Send) -> Result<T, StoreError> {
        // One caller reads, and the others wait for its result.
        let mut seen = self.holds.seen.lock().await;
        let epoch = self.holds.epoch.load(Ordering::SeqCst);
        if let Some(seen) = seen.as_ref().filter(|it| it.epoch == epoch && it.at.elapsed() < FRESH) {
            return Ok(pick(seen));
        }
        let at = Instant::now();
        let found = self.read(SYSTEM, |mut c| {
            Box::pin(async move {
                let (mark, held) = (mark(&mut c).await?, held_workspaces(&mut c).await?);
                let is_restored = mark.is_some() && is_restored(&mut c).await?;
                Ok((mark.is_some(), is_restored, held, deleted_workspaces(&mut c).await?))
            })
        });
        let (everything, is_restored, held, deleted) = found.await?;
        let workspaces: HashSet<WorkspaceId> = held.into_iter().map(DbId::to_typed_id).collect();
        let has_ended = |it: &Seen| (it.everything && !everything) || !it.workspaces.is_subset(&workspaces);
        let ended = seen.as_ref().map_or(0, |it| it.ended + u64::from(has_ended(it)));
        let until = |at: Option<DbTime>| at.map_or(WorkspaceDeletion::BEGUN, |at| at.0);
        let deleted = deleted.into_iter().map(|(id, at)| (id.to_typed_id(), until(at))).collect();
        Ok(pick(seen.insert(Seen { epoch, at, everything, is_restored, workspaces, ended, deleted })))
    }

    pub(crate) async fn count_ended_pauses(&self) -> Result<u64, StoreError> {
        self.recently_seen(|it| it.ended).await
    }

    async fn look_at_holds(&self) -> Result<(Option<StoreHold>, u64), StoreError> {
        let found = self.read(SYSTEM, |mut c| {
            Box::pin(
                async move { Ok((mark(&mut c).await?, is_restored(&mut c).await?, held_workspaces(&mut c).await?)) },
            )
        });
        let (mark, is_restored, held) = found.await?;
        let mark = mark.map(|(reason, since)| StoreHold { reason, since: since.0, is_restored });
        Ok((mark, held.len() as u64))
    }
}

#[async_trait]
impl OutboundStore for Storage {
    async fn paused_by(&self, workspace: WorkspaceId) -> Result<Option<PausedBy>, StoreError> {
        self.recently_seen(|it| match it.everything {
            true if it.is_restored => Some(PausedBy::Restore),
            true => Some(PausedBy::Store),
            false => it.workspaces.contains(&workspace).then_some(PausedBy::Workspace),
        })
        .await
    }

    async fn deleted_until(&self, workspace: WorkspaceId) -> Result<Option<Timestamp>, StoreError> {
        self.recently_seen(|it| it.deleted.get(&workspace).copied()).await
    }

    async fn pauses(&self) -> Result<Pauses, StoreError> {
        let (store, workspaces) = self.look_at_holds().await?;
        Ok(Pauses { store, workspaces })
    }

    async fn hold(&self, hold: StoreHold) -> Result<(), StoreError> {
        let written = self.transact(move |mut c| {
            Box::pin(async move {
                let row = |name: &'static str| {
                    let value = store_marks::value.eq(hold.reason.clone());
                    (store_marks::name.eq(name), value, store_marks::set_at.eq(DbTime(hold.since)))
                };
                let insert = diesel::insert_into(store_marks::table).values(row(HOLD));
                let inserted = execute!(&mut c, insert.on_conflict(store_marks::name).do_nothing())?;
                if inserted > 0 {
                    // Releases before 0.5.0 resumed a restored store without removing this mark.
                    execute!(&mut c, diesel::delete(store_marks::table.find(RESTORED)))?;
                }
                if hold.is_restored {
                    let insert = diesel::insert_into(store_marks::table).values(row(RESTORED));
                    execute!(&mut c, insert.on_conflict(store_marks::name).do_nothing())?;
                }
                Ok(())
            })
        });
        let written = written.await.map_err(Fault::into_store_error);
        self.holds.forget();
        written
    }

    async fn lift(&self) -> Result<bool, StoreError> {
        let lifted = self.transact(|mut c| {
            Box::pin(async move {
                execute!(&mut c, diesel::delete(store_marks::table.find(RESTORED)))?;
                execute!(&mut c, diesel::delete(store_marks::table.find(HOLD)))
            })
        });
        let lifted = lifted.await.map_err(Fault::into_store_error);
        self.holds.forget();
        Ok(lifted? > 0)
    }
}
