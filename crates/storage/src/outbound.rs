//! What is held: a mark on the whole store, and workspaces that hold what they send.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{HeldBy, Holds, OutboundStore, StoreError, StoreHold};
use tokio::sync::Mutex;

use crate::Storage;
use crate::connection::{Connection, execute, find, load};
use crate::fair::SYSTEM;
use crate::faults::Fault;
use crate::schema::{store_marks, workspaces};
use crate::types::{DbId, DbTime};

/// The mark, as the claims name it.
const HOLD: &str = "outbound_hold";
/// As the index says it.
const HELD: &str = "workspaces.outbound = 'hold'";
/// How old an answer may be: sends ask often, and holds change seldom.
const FRESH: Duration = Duration::from_millis(250);

/// What was held a moment ago.
struct Seen {
    epoch: u64,
    at: Instant,
    everything: bool,
    workspaces: HashSet<WorkspaceId>,
}

/// The last look at what is held.
#[derive(Default)]
pub(crate) struct LastLook {
    seen: Mutex<Option<Seen>>,
    /// Goes up with each change by this process: a look that began before it is worth nothing.
    epoch: AtomicU64,
}

impl LastLook {
    /// This process changed a hold.
    pub(crate) fn forget(&self) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
    }
}

async fn mark(c: &mut Connection<'_>) -> Result<Option<(String, DbTime)>, Fault> {
    find!(c, store_marks::table.find(HOLD).select((store_marks::value, store_marks::set_at)))
}

async fn held_workspaces(c: &mut Connection<'_>) -> Result<Vec<DbId>, Fault> {
    load!(c, workspaces::table.filter(diesel::dsl::sql::<Bool>(HELD)).select(workspaces::id))
}

impl Storage {
    async fn look_at_holds(&self) -> Result<(Option<StoreHold>, HashSet<WorkspaceId>), StoreError> {
        let found = self
            .read(SYSTEM, |mut c| Box::pin(async move { Ok((mark(&mut c).await?, held_workspaces(&mut c).await?)) }));
        let (mark, held) = found.await?;
        let mark = mark.map(|(reason, since)| StoreHold { reason, since: since.0 });
        Ok((mark, held.into_iter().map(DbId::typed).collect()))
    }
}

#[async_trait]
impl OutboundStore for Storage {
    async fn held(&self, workspace: WorkspaceId) -> Result<Option<HeldBy>, StoreError> {
        // Those who come while one looks wait for what it finds.
        let mut seen = self.holds.seen.lock().await;
        let epoch = self.holds.epoch.load(Ordering::SeqCst);
        let is_fresh = |it: &&mut Seen| it.epoch == epoch && it.at.elapsed() < FRESH;
        let seen = match seen.as_mut().filter(is_fresh) {
            Some(_) => seen.as_ref(),
            None => {
                let at = Instant::now();
                let (mark, workspaces) = self.look_at_holds().await?;
                Some(&*seen.insert(Seen { epoch, at, everything: mark.is_some(), workspaces }))
            }
        };
        Ok(seen.and_then(|it| match it.everything {
            true => Some(HeldBy::Store),
            false => it.workspaces.contains(&workspace).then_some(HeldBy::Workspace),
        }))
    }

    async fn holds(&self) -> Result<Holds, StoreError> {
        let (store, workspaces) = self.look_at_holds().await?;
        Ok(Holds { store, workspaces: workspaces.len() as u64 })
    }

    async fn hold(&self, hold: StoreHold) -> Result<(), StoreError> {
        let written = self.transact(move |mut c| {
            Box::pin(async move {
                let row = (
                    store_marks::name.eq(HOLD),
                    store_marks::value.eq(hold.reason),
                    store_marks::set_at.eq(DbTime(hold.since)),
                );
                let insert = diesel::insert_into(store_marks::table).values(row);
                execute!(&mut c, insert.on_conflict(store_marks::name).do_nothing()).map(|_| ())
            })
        });
        let written = written.await.map_err(Fault::into_store_error);
        self.holds.forget();
        written
    }

    async fn lift(&self) -> Result<bool, StoreError> {
        let lifted = self
            .transact(|mut c| Box::pin(async move { execute!(&mut c, diesel::delete(store_marks::table.find(HOLD))) }));
        let lifted = lifted.await.map_err(Fault::into_store_error);
        self.holds.forget();
        Ok(lifted? > 0)
    }
}
