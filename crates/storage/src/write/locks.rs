//! Guards on PostgreSQL. One statement for each table and lock strength locks the rows of several sets.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable};
use diesel_async::AsyncPgConnection;
use tidings_domain::ids::JobId;
use tidings_domain::ports::{Change, ChangeSet, Claim, Conflict, Counted, Guard, Object};
use uuid::Uuid;

use super::conflicts::{self, Key};
use super::counts;
use super::row_location::{LockStrength, LockWait, lock_text, place};
use crate::connection::faults::Fault;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, Id};

const CLAIMS: &str = "SELECT k.n, f.token AS version FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[])) \
                      WITH ORDINALITY AS k (workspace_id, id, n) CROSS JOIN LATERAL (SELECT t.token, t.claimed \
                      FROM jobs t WHERE t.workspace_id = k.workspace_id AND t.id = k.id LIMIT 1 FOR NO KEY UPDATE";
const CLAIMS_OF_DELIVERIES: &str = "SELECT k.n, f.token AS version FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[])) \
                      WITH ORDINALITY AS k (workspace_id, id, n) CROSS JOIN LATERAL (SELECT t.token, \
                      t.leased_until IS NOT NULL AS claimed FROM deliveries t WHERE t.workspace_id = k.workspace_id \
                      AND t.id = k.id LIMIT 1 FOR NO KEY UPDATE";
const CLAIMED: &str = ") AS f WHERE f.claimed";

/// Reads without locks: both revisions of each workspace, and whether a given lane has a job. A workspace without a row
/// never had listeners or catalog objects.
const UNLOCKED: &str = "SELECT k.n, coalesce(r.revision, 0) AS listeners, coalesce(r.catalog, 0) AS catalog, \
                        EXISTS (SELECT 1 FROM jobs e WHERE e.lane = k.lane AND e.dead_at IS NULL) AS busy \
                        FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[])) WITH ORDINALITY \
                        AS k (workspace_id, lane, n) LEFT JOIN LATERAL (SELECT l.revision, l.catalog \
                        FROM listener_revisions l WHERE l.workspace_id = k.workspace_id LIMIT 1) AS r ON true";

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = BigInt)]
    n: i64,
    #[diesel(sql_type = BigInt)]
    version: i64,
}

#[derive(QueryableByName)]
struct Read {
    #[diesel(sql_type = BigInt)]
    n: i64,
    #[diesel(sql_type = BigInt)]
    listeners: i64,
    #[diesel(sql_type = BigInt)]
    catalog: i64,
    #[diesel(sql_type = Bool)]
    busy: bool,
}

#[derive(Debug, Default)]
pub(super) struct Locks {
    /// In the order of locking: by kind, then by ID.
    objects: BTreeMap<(Object, Uuid), LockStrength>,
    jobs: BTreeSet<(Uuid, Uuid)>,
    /// Counts to read after their owners are locked.
    counts: Vec<(Uuid, Counted)>,
    /// Workspaces with revisions to read without locks.
    revisions: BTreeSet<Uuid>,
    /// Lanes to search for a job without locks.
    lanes: BTreeSet<(Uuid, Uuid)>,
}

/// The rows found, which stay locked until the end of the transaction.
#[derive(Debug, Default)]
pub(super) struct Held {
    versions: HashMap<Key, i64>,
    tokens: HashMap<(Uuid, Uuid), i64>,
    counts: Vec<(Uuid, Counted, i64)>,
    listeners: HashMap<Uuid, i64>,
    catalogs: HashMap<Uuid, i64>,
    busy_lanes: HashSet<Uuid>,
}

impl Locks {
    /// Collects the guarded rows of several sets and all rows that they overwrite. All are locked first, because a
    /// statement that waits for a row sees other data as of its start.
    pub(super) fn of(sets: &[ChangeSet]) -> Self {
        let mut locks = Self::default();
        for set in sets {
            locks.add(set);
        }
        locks
    }

    fn add(&mut self, set: &ChangeSet) {
        let workspace = DbId::from(set.workspace).0;
        for (workspace, object) in conflicts::written_keys(set) {
            self.objects.insert((object, workspace), LockStrength::NoKeyUpdate);
        }
        for job in claimed(set) {
            self.jobs.insert((workspace, DbId::from(job).0));
        }
        for guard in &set.guards {
            match guard {
                Guard::Live(object) => {
                    // If a deletion removes the row, a key share lock prevents it.
                    let goes_with_row = place(*object).gone.is_none();
                    self.lock(
                        workspace,
                        *object,
                        if goes_with_row { LockStrength::KeyShare } else { LockStrength::Share },
                    );
                }
                Guard::Version(object, _) => self.lock(workspace, *object, LockStrength::Share),
                Guard::Claim(claim) => drop(self.jobs.insert((workspace, DbId::from(claim.job).0))),
                Guard::Room { what, .. } if what.contact().is_some() => self.counts.push((workspace, *what)),
                Guard::Listeners(_) | Guard::Catalog(_) => drop(self.revisions.insert(workspace)),
                Guard::LaneFree(lane) => drop(self.lanes.insert((workspace, *lane))),
                Guard::Room { .. } | Guard::OwnerBeside(_) | Guard::Standing { .. } | Guard::Unused(_) => {}
            }
        }
    }

    fn lock(&mut self, workspace: Uuid, object: Object, strength: LockStrength) {
        let held = self.objects.entry((object, workspace)).or_insert(strength);
        *held = strength.max(*held);
    }

    /// Takes the locks with pipelined statements.
    pub(super) async fn take(&self, connection: &AsyncPgConnection, patience: LockWait) -> Result<Held, Fault> {
        let mut tables: Vec<(LockStrength, Vec<(Object, Uuid)>)> = Vec::new();
        for strength in [LockStrength::KeyShare, LockStrength::Share, LockStrength::NoKeyUpdate] {
            for (key, _) in self.objects.iter().filter(|(_, it)| **it == strength) {
                let is_of = |of: &(LockStrength, Vec<(Object, Uuid)>)| {
                    let first = of.1.first();
                    of.0 == strength && first.is_some_and(|it| place(it.0).table == place(key.0).table)
                };
                match tables.last_mut().filter(|it| is_of(it)) {
                    Some((_, keys)) => keys.push(*key),
                    None => tables.push((strength, vec![*key])),
                }
            }
        }
        // Ordered by table, regardless of strength: two transactions lock in the same order.
        tables.sort_by_key(|(strength, keys)| (keys.first().map(|(object, _)| place(*object).table), *strength));
        let jobs: Vec<_> = self.jobs.iter().copied().collect();
        let of_objects = tables.iter().map(|(strength, keys)| async move {
            let Some((object, _)) = keys.first() else { return Ok(Vec::new()) };
            let pairs: Vec<_> = keys.iter().map(|(object, workspace)| (*workspace, object.uuid())).collect();
            let found = find(connection, lock_text(*object, *strength, patience), &pairs).await?;
            Ok::<_, Fault>(
                found.into_iter().filter_map(|(place, version)| Some((*keys.get(place)?, version))).collect(),
            )
        });
        let of_jobs = async {
            match jobs.is_empty() {
                true => Ok(Vec::new()),
                false => claims(connection, &jobs, patience).await,
            }
        };
        let (unlocked, objects, claims, counts) = futures::join!(
            self.unlocked(connection),
            futures::future::join_all(of_objects),
            of_jobs,
            counts::all(connection, &self.counts)
        );
        let mut held = Held::default();
        for found in objects {
            held.versions
                .extend(found?.into_iter().map(|((object, workspace), version)| ((workspace, object), version)));
        }
        let claimed = claims?.into_iter();
        held.tokens = claimed.filter_map(|(place, token)| Some((*jobs.get(place)?, token))).collect();
        for ((workspace, lane), read) in unlocked? {
            held.listeners.insert(workspace, read.listeners);
            held.catalogs.insert(workspace, read.catalog);
            held.busy_lanes.extend(lane.filter(|_| read.busy));
        }
        held.counts = counts?;
        Ok(held)
    }

    /// Reads the values without locks in one statement.
    async fn unlocked(&self, mut connection: &AsyncPgConnection) -> Result<Vec<((Uuid, Option<Uuid>), Read)>, Fault> {
        let mut keys: Vec<_> = self.lanes.iter().map(|(workspace, lane)| (*workspace, Some(*lane))).collect();
        let without_lane = |workspace: &&Uuid| !self.lanes.iter().any(|(of, _)| of == *workspace);
        keys.extend(self.revisions.iter().filter(without_lane).map(|workspace| (*workspace, None)));
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let (workspaces, lanes): (Vec<_>, Vec<_>) = keys.iter().map(|(ws, lane)| (DbId(*ws), lane.map(DbId))).unzip();
        let query = diesel::sql_query(UNLOCKED).bind::<Array<Id>, _>(workspaces);
        let query = PreparedQuery(query.bind::<Array<Nullable<Id>>, _>(lanes));
        let read: Vec<Read> = diesel_async::RunQueryDsl::load(query, &mut connection).await?;
        let place = |it: &Read| usize::try_from(it.n - 1).ok();
        Ok(read.into_iter().filter_map(|it| Some((*keys.get(place(&it)?)?, it))).collect())
    }
}

/// Returns the claimed jobs that a set ends or releases.
fn claimed(set: &ChangeSet) -> impl Iterator<Item = JobId> + '_ {
    set.changes.iter().filter_map(|change| change.row_effect().claimed_job())
}

/// Returns the positions of existing claims with their tokens. A claim that is not a job is looked up as a delivery.
async fn claims(
    connection: &AsyncPgConnection,
    claims: &[(Uuid, Uuid)],
    patience: LockWait,
) -> Result<Vec<(usize, i64)>, Fault> {
    let mut found = find(connection, format!("{CLAIMS}{}{CLAIMED}", patience.words()), claims).await?;
    let is_left = |place: &usize| !found.iter().any(|(there, _)| there == place);
    let left: Vec<usize> = (0..claims.len()).filter(|place| found.len() < claims.len() && is_left(place)).collect();
    if !left.is_empty() {
        let keys: Vec<_> = left.iter().filter_map(|place| claims.get(*place)).copied().collect();
        let text = format!("{CLAIMS_OF_DELIVERIES}{}{CLAIMED}", patience.words());
        let deliveries = find(connection, text, &keys).await?;
        found.extend(deliveries.into_iter().filter_map(|(place, token)| Some((*left.get(place)?, token))));
    }
    Ok(found)
}

/// Returns the positions of existing keys with their versions.
async fn find(connection: &AsyncPgConnection, text: String, keys: &[(Uuid, Uuid)]) -> Result<Vec<(usize, i64)>, Fault> {
    let (workspaces, ids): (Vec<_>, Vec<_>) = keys.iter().map(|(workspace, id)| (DbId(*workspace), DbId(*id))).unzip();
    let query = diesel::sql_query(text).bind::<Array<Id>, _>(workspaces).bind::<Array<Id>, _>(ids);
    let mut connection = connection;
    let found: Vec<Found> = diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?;
    Ok(found.into_iter().filter_map(|it| Some((usize::try_from(it.n - 1).ok()?, it.version))).collect())
}

impl Held {
    /// Checks the guards of a set in order.
    pub(super) fn judge(&self, set: &ChangeSet) -> Result<(), Fault> {
        let workspace = DbId::from(set.workspace).0;
        let version = |object: &Object| {
            let found = self.versions.get(&(workspace, *object)).copied();
            found.ok_or_else(|| Fault::from(Conflict::Stale(*object)))
        };
        for guard in &set.guards {
            match guard {
                Guard::Live(object) => {
                    version(object)?;
                }
                Guard::Version(object, expected) => {
                    if version(object)? != *expected {
                        return Err(Conflict::Stale(*object).into());
                    }
                }
                Guard::Claim(Claim { job, token }) => {
                    if self.tokens.get(&(workspace, DbId::from(*job).0)) != Some(token) {
                        return Err(Conflict::ClaimLost.into());
                    }
                }
                Guard::Room { what, adding, most } => {
                    version(&conflicts::counted_of(set, *what))?;
                    let of = |it: &&(Uuid, Counted, i64)| (it.0, it.1) == (workspace, *what);
                    let present = self.counts.iter().find(of).map_or(0, |it| it.2);
                    if present + adding > *most {
                        return Err(Conflict::Full { what: *what, most: *most }.into());
                    }
                }
                Guard::Listeners(revision) => {
                    if self.listeners.get(&workspace) != Some(revision) {
                        return Err(Conflict::ListenersChanged.into());
                    }
                }
                Guard::Catalog(revision) => {
                    if self.catalogs.get(&workspace) != Some(revision) {
                        return Err(Conflict::CatalogChanged.into());
                    }
                }
                Guard::LaneFree(lane) => {
                    if self.busy_lanes.contains(lane) {
                        return Err(Conflict::LaneBusy.into());
                    }
                }
                Guard::OwnerBeside(_) | Guard::Standing { .. } | Guard::Unused(_) => {}
            }
        }
        Ok(())
    }

    /// Returns true if all rows that a set guards or overwrites were found and locked.
    pub(super) fn finds_all_of(&self, set: &ChangeSet) -> bool {
        let workspace = DbId::from(set.workspace).0;
        let guarded = set.guards.iter().all(|guard| match guard {
            Guard::Live(object) | Guard::Version(object, _) => self.versions.contains_key(&(workspace, *object)),
            Guard::Claim(claim) => self.tokens.contains_key(&(workspace, DbId::from(claim.job).0)),
            Guard::Room { .. } | Guard::OwnerBeside(_) | Guard::Standing { .. } | Guard::Unused(_) => true,
            Guard::Listeners(_) | Guard::Catalog(_) | Guard::LaneFree(_) => true,
        });
        let held = |job: JobId| self.tokens.contains_key(&(workspace, DbId::from(job).0));
        guarded && claimed(set).all(held) && conflicts::written_keys(set).all(|key| self.versions.contains_key(&key))
    }

    /// Returns true if the rows that a set updates still have their previous versions.
    pub(super) fn has_all_written_by(&self, set: &ChangeSet) -> bool {
        let workspace = DbId::from(set.workspace).0;
        let mut updates =
            set.changes.iter().filter_map(|change| if let Change::Update(row) = change { Some(row) } else { None });
        updates.all(|row| self.versions.get(&(workspace, row.object())) == Some(&(row.version() - 1)))
    }
}
