//! References between objects.

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::ids::{BroadcastId, FlowId, SequenceId, TypedId};
use tidings_domain::ports::{Conflict, ReferenceQueries, StoreError};
use tidings_domain::references::{Dependent, LostReference, Referent, Referrer};
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, load};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{broadcasts, flows, object_references, sequences};
use crate::write::{declared, row_locks};

/// Maximum number of dependents in an answer.
const MOST: i64 = 100;

#[async_trait]
impl ReferenceQueries for Storage {
    async fn dependents(&self, access: &Access, target: Referent) -> Result<Vec<Dependent>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { dependents(&mut c, ws, target, MOST).await })).await
    }

    async fn targets(&self, access: &Access, owner: Referrer) -> Result<Vec<Referent>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<(String, DbId)> = load!(
                    &mut c,
                    object_references::table
                        .filter(object_references::workspace_id.eq(ws))
                        .filter(object_references::owner_kind.eq(owner.kind()))
                        .filter(object_references::owner_id.eq(DbId(owner.uuid())))
                        .filter(object_references::lost_at.is_null())
                        .select((object_references::target_kind, object_references::target_id))
                )?;
                let target = |(kind, id): (String, DbId)| {
                    Referent::parse(&kind, id.0).ok_or_else(|| StoreError::Corrupt(format!("a reference to a {kind}")))
                };
                let mut targets = rows.into_iter().map(target).collect::<Result<Vec<_>, _>>()?;
                targets.sort_unstable();
                Ok(targets)
            })
        })
        .await
    }

    async fn lost_references(&self, access: &Access, owner: Referrer) -> Result<Vec<LostReference>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<(String, DbId, Option<String>, Option<DbTime>)> = load!(
                    &mut c,
                    object_references::table
                        .filter(object_references::workspace_id.eq(ws))
                        .filter(object_references::owner_kind.eq(owner.kind()))
                        .filter(object_references::owner_id.eq(DbId(owner.uuid())))
                        .filter(object_references::lost_at.is_not_null())
                        .select((
                            object_references::target_kind,
                            object_references::target_id,
                            object_references::lost_name,
                            object_references::lost_at,
                        ))
                )?;
                let lost = rows.into_iter().map(|(kind, id, name, at)| {
                    let corrupt = || StoreError::Corrupt(format!("a lost reference to a {kind}"));
                    let target = Referent::parse(&kind, id.0).ok_or_else(corrupt)?;
                    let (name, at) = name.zip(at).ok_or_else(corrupt)?;
                    Ok(LostReference::deleted(target, name, at.0))
                });
                let mut lost = lost.collect::<Result<Vec<_>, Fault>>()?;
                lost.sort_by_key(|it| it.target);
                Ok(lost)
            })
        })
        .await
    }
}

/// Returns the existing objects that refer to the object, with their names.
async fn dependents(c: &mut Connection<'_>, ws: DbId, target: Referent, most: i64) -> Result<Vec<Dependent>, Fault> {
    let any = FlowId::from_uuid(ws.0);
    let (published, draft) = (Referrer::Flow(any).kind(), Referrer::FlowDraft(any).kind());
    let sequence = Referrer::Sequence(SequenceId::from_uuid(ws.0)).kind();
    let broadcast = Referrer::Broadcast(BroadcastId::from_uuid(ws.0)).kind();
    let owner = flows::workspace_id.eq(object_references::workspace_id).and(flows::id.eq(object_references::owner_id));
    let of_flows: Vec<(String, DbId, String)> = load!(
        c,
        object_references::table
            .inner_join(flows::table.on(owner))
            .filter(object_references::workspace_id.eq_unindexed(ws))
            .filter(object_references::target_kind.eq(target.kind()))
            .filter(object_references::target_id.eq(DbId(target.uuid())))
            .filter(object_references::lost_at.is_null())
            .filter(object_references::owner_kind.eq(published).or(object_references::owner_kind.eq(draft)))
            .order((object_references::owner_kind.asc(), object_references::owner_id.asc()))
            .limit(most)
            .select((object_references::owner_kind, object_references::owner_id, flows::name))
    )?;
    let owner =
        sequences::workspace_id.eq(object_references::workspace_id).and(sequences::id.eq(object_references::owner_id));
    let of_sequences: Vec<(DbId, String)> = load!(
        c,
        object_references::table
            .inner_join(sequences::table.on(owner))
            .filter(object_references::workspace_id.eq_unindexed(ws))
            .filter(object_references::target_kind.eq(target.kind()))
            .filter(object_references::target_id.eq(DbId(target.uuid())))
            .filter(object_references::lost_at.is_null())
            .filter(object_references::owner_kind.eq(sequence))
            .filter(sequences::deleted_at.is_null())
            .order(object_references::owner_id.asc())
            .limit(most)
            .select((object_references::owner_id, sequences::name))
    )?;
    // Simple objects have different tables, so their names are read one after another.
    let of_stored: Vec<(String, DbId)> = load!(
        c,
        object_references::table
            .filter(object_references::workspace_id.eq_unindexed(ws))
            .filter(object_references::target_kind.eq(target.kind()))
            .filter(object_references::target_id.eq(DbId(target.uuid())))
            .filter(object_references::lost_at.is_null())
            .filter(object_references::owner_kind.ne(published))
            .filter(object_references::owner_kind.ne(draft))
            .filter(object_references::owner_kind.ne(sequence))
            .filter(object_references::owner_kind.ne(broadcast))
            .order((object_references::owner_kind.asc(), object_references::owner_id.asc()))
            .select((object_references::owner_kind, object_references::owner_id))
    )?;
    let most_named = usize::try_from(most).unwrap_or(usize::MAX);
    let mut stored = Vec::new();
    for owner in of_stored.into_iter().filter_map(|(kind, id)| Referrer::parse(&kind, id.0)) {
        let Referrer::Stored(id) = owner else { continue };
        if stored.len() == most_named {
            break;
        }
        stored.extend(declared::name(c, ws, id).await?.map(|name| Dependent::new(owner, name)));
    }
    let owner = broadcasts::workspace_id
        .eq(object_references::workspace_id)
        .and(broadcasts::id.eq(object_references::owner_id));
    let of_broadcasts: Vec<(DbId, String)> = load!(
        c,
        object_references::table
            .inner_join(broadcasts::table.on(owner))
            .filter(object_references::workspace_id.eq_unindexed(ws))
            .filter(object_references::target_kind.eq(target.kind()))
            .filter(object_references::target_id.eq(DbId(target.uuid())))
            .filter(object_references::lost_at.is_null())
            .filter(object_references::owner_kind.eq(broadcast))
            .order(object_references::owner_id.asc())
            .limit(most)
            .select((object_references::owner_id, broadcasts::name))
    )?;
    let flows =
        of_flows.into_iter().filter_map(|(kind, id, name)| Some(Dependent::new(Referrer::parse(&kind, id.0)?, name)));
    let sequences =
        of_sequences.into_iter().map(|(id, name)| Dependent::new(Referrer::Sequence(id.to_typed_id()), name));
    let broadcasts =
        of_broadcasts.into_iter().map(|(id, name)| Dependent::new(Referrer::Broadcast(id.to_typed_id()), name));
    Ok(flows.chain(sequences).chain(stored).chain(broadcasts).take(most_named).collect())
}

/// Locks the object against new references and checks that no object refers to it.
pub(crate) async fn require_unused(c: &mut Connection<'_>, ws: DbId, target: Referent) -> Result<(), Fault> {
    row_locks::hold_to_change(c, ws, target.object()).await?;
    let unused = dependents(c, ws, target, 1).await?.is_empty();
    if unused { Ok(()) } else { Err(Conflict::InUse(target).into()) }
}

/// Replaces all references of an object. Each target is locked against deletion.
pub(crate) async fn put(c: &mut Connection<'_>, ws: DbId, owner: Referrer, targets: &[Referent]) -> Result<(), Fault> {
    let of_owner = object_references::table
        .filter(object_references::workspace_id.eq(ws))
        .filter(object_references::owner_kind.eq(owner.kind()))
        .filter(object_references::owner_id.eq(DbId(owner.uuid())));
    execute!(c, diesel::delete(of_owner))?;
    let mut targets = targets.to_vec();
    targets.sort_unstable();
    targets.dedup();
    for target in targets {
        row_locks::hold(c, ws, target.object()).await?;
        insert(c, ws, owner, target).await?;
    }
    Ok(())
}

pub(crate) async fn insert(c: &mut Connection<'_>, ws: DbId, owner: Referrer, target: Referent) -> Result<(), Fault> {
    let row = (
        object_references::workspace_id.eq(ws),
        object_references::owner_kind.eq(owner.kind()),
        object_references::owner_id.eq(DbId(owner.uuid())),
        object_references::target_kind.eq(target.kind()),
        object_references::target_id.eq(DbId(target.uuid())),
    );
    execute!(c, diesel::insert_into(object_references::table).values(row)).map(|_| ())
}

/// Marks the references to an object before its deletion.
pub(crate) async fn lose(
    c: &mut Connection<'_>,
    ws: DbId,
    target: Referent,
    name: &str,
    at: Timestamp,
) -> Result<(), Fault> {
    let of_target = object_references::table
        .filter(object_references::workspace_id.eq_unindexed(ws))
        .filter(object_references::target_kind.eq(target.kind()))
        .filter(object_references::target_id.eq(DbId(target.uuid())))
        .filter(object_references::lost_at.is_null());
    let lost = (object_references::lost_name.eq(name.to_owned()), object_references::lost_at.eq(DbTime(at)));
    execute!(c, diesel::update(of_target).set(lost)).map(|_| ())
}
