//! Workspaces and API keys.

pub(crate) mod accounts;
pub(crate) mod audit;
pub(crate) mod members;
pub(crate) mod outbound;
pub(crate) mod sandboxes;
mod sealed;
mod secrets;
pub(crate) mod storage_usage;
mod usage;
pub(crate) mod users;
pub(crate) mod workspace_deletion;
pub(crate) mod workspace_erasure;

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::{
    Access, ApiKey, KeyHolder, OutboundMode, Plan, Scope, Workspace, WorkspaceCounts, WorkspaceDeletion,
};
use tidings_domain::contacts::TimeZone;
use tidings_domain::ids::{KeyId, WorkspaceId};
use tidings_domain::ports::{AccessQueries, Conflict, Founding, Object, StoreError};
use tidings_domain::tables::Country;
use tidings_domain::time::Timestamp;

use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::conversations::channels::ChannelRow;
use crate::queries::rows::{exactly_one, json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{api_keys, workspaces};
use crate::{Storage, write};
use members::MemberRow;

crate::write::write_texts! {
    WorkspaceRow: crate::write::Shape { keys: 1, ..crate::write::Shape::of("workspaces") },
    KeyRow: crate::write::Shape { keys: 1, ..crate::write::Shape::of("api_keys") },
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = workspaces)]
    pub(crate) struct WorkspaceRow in workspaces {
        id: DbId,
        name: String,
        plan: String,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
        time_zone: String,
        live_workspace_id: Option<DbId>,
        outbound: String,
        opt_out_words: String,
        assign_on_reply: bool,
        default_country: Option<String>,
        deleted_at: Option<DbTime>,
        erase_at: Option<DbTime>,
    }
}

impl WorkspaceRow {
    pub(crate) fn write(it: &Workspace) -> Self {
        Self {
            id: it.id.into(),
            name: it.name.clone(),
            plan: it.plan.as_str().to_owned(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            time_zone: it.time_zone.to_string(),
            live_workspace_id: it.live_workspace.map(Into::into),
            outbound: it.outbound.as_str().to_owned(),
            opt_out_words: serde_json::Value::from(it.opt_out_words.clone()).to_string(),
            assign_on_reply: it.assign_on_reply,
            default_country: it.default_country.map(|it| it.code().to_owned()),
            deleted_at: it.deletion.map(|it| it.at.into()),
            erase_at: it.deletion.map(|it| it.erase_at.into()),
        }
    }

    /// Returns the sort key of lists of workspaces, oldest first.
    pub(crate) fn age(&self) -> (DbTime, uuid::Uuid) {
        (self.created_at, self.id.0)
    }

    pub(crate) fn read(self) -> Result<Workspace, Fault> {
        Ok(Workspace {
            id: self.id.to_typed_id(),
            name: self.name,
            plan: word(&self.plan, "plan", Plan::parse)?,
            time_zone: TimeZone::from_store(self.time_zone),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
            live_workspace: self.live_workspace_id.map(DbId::to_typed_id),
            outbound: word(&self.outbound, "outbound mode", OutboundMode::parse)?,
            opt_out_words: json(&self.opt_out_words, "opt-out words")?,
            assign_on_reply: self.assign_on_reply,
            default_country: (self.default_country.as_deref())
                .map(|code| word(code, "default country", Country::parse))
                .transpose()?,
            deletion: (self.deleted_at.zip(self.erase_at))
                .map(|(at, erase_at)| WorkspaceDeletion { at: at.0, erase_at: erase_at.0 }),
        })
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = api_keys)]
    struct KeyRow in api_keys {
        id: DbId,
        workspace_id: DbId,
        name: String,
        scope: String,
        digest: Vec<u8>,
        prefix: String,
        last_four: String,
        created_at: DbTime,
        expires_at: Option<DbTime>,
        revoked_at: Option<DbTime>,
        last_used_at: Option<DbTime>,
        last_used_address: Option<String>,
        version: i64,
        updated_at: Option<DbTime>,
        lineage: Option<DbId>,
    }
}

impl KeyRow {
    fn read(self) -> Result<ApiKey, Fault> {
        let digest = self.digest.try_into().map_err(|_| StoreError::Corrupt("a digest".to_owned()))?;
        Ok(ApiKey {
            id: self.id.to_typed_id(),
            // The previous release does not write it.
            lineage: self.lineage.unwrap_or(self.id).to_typed_id(),
            workspace: self.workspace_id.to_typed_id(),
            name: self.name,
            scope: word(&self.scope, "scope", Scope::parse)?,
            digest,
            prefix: self.prefix,
            last_four: self.last_four,
            created_at: self.created_at.0,
            expires_at: self.expires_at.map(|time| time.0),
            revoked_at: self.revoked_at.map(|time| time.0),
            last_used_at: self.last_used_at.map(|time| time.0),
            last_used_address: self.last_used_address,
            updated_at: self.updated_at.unwrap_or(self.created_at).0,
            version: self.version,
        })
    }
}

#[async_trait]
impl AccessQueries for Storage {
    async fn key_by_digest(&self, digest: [u8; 32]) -> Result<Option<KeyHolder>, StoreError> {
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let row: Option<(KeyRow, WorkspaceRow)> = find!(
                    &mut c,
                    api_keys::table
                        .inner_join(workspaces::table.on(workspaces::id.eq(api_keys::workspace_id)))
                        .filter(api_keys::digest.eq(digest.to_vec()))
                        .filter(workspaces::deleted_at.is_null())
                        .select((KeyRow::as_select(), WorkspaceRow::as_select()))
                )?;
                let Some((key, workspace)) = row else { return Ok(None) };
                let workspace = workspace.read()?;
                Ok(Some(KeyHolder { key: key.read()?, workspace_name: workspace.name, plan: workspace.plan }))
            })
        })
        .await
    }

    async fn workspace(&self, id: WorkspaceId) -> Result<Option<Workspace>, StoreError> {
        let id = DbId::from(id);
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let row: Option<WorkspaceRow> =
                    find!(&mut c, workspaces::table.find(id).select(WorkspaceRow::as_select()))?;
                row.map(WorkspaceRow::read).transpose()
            })
        })
        .await
    }

    async fn sandbox_of(&self, live: WorkspaceId) -> Result<Option<Workspace>, StoreError> {
        let live = DbId::from(live);
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let row: Option<WorkspaceRow> = find!(
                    &mut c,
                    workspaces::table.filter(workspaces::live_workspace_id.eq(live)).select(WorkspaceRow::as_select())
                )?;
                row.map(WorkspaceRow::read).transpose()
            })
        })
        .await
    }

    async fn workspaces(&self, name: Option<String>) -> Result<Vec<Workspace>, StoreError> {
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let rows: Vec<WorkspaceRow> = load!(&mut c, {
                    let query = workspaces::table.select(WorkspaceRow::as_select()).into_boxed::<Db>();
                    let query = match name {
                        Some(name) => query.filter(workspaces::name.eq(name)),
                        None => query,
                    };
                    query.order((workspaces::created_at.asc(), workspaces::id.asc())).limit(1_000)
                })?;
                rows.into_iter().map(WorkspaceRow::read).collect()
            })
        })
        .await
    }

    async fn counts(&self, workspace: WorkspaceId) -> Result<WorkspaceCounts, StoreError> {
        let ws = DbId::from(workspace);
        self.read(ws, move |mut c| Box::pin(async move { workspace_deletion::counts(&mut c, ws).await })).await
    }

    async fn keys(&self, access: &Access) -> Result<Vec<ApiKey>, StoreError> {
        let workspace = DbId::from(access.workspace());
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let rows: Vec<KeyRow> = load!(
                    &mut c,
                    api_keys::table
                        .filter(api_keys::workspace_id.eq(workspace))
                        .order((api_keys::created_at.asc(), api_keys::id.asc()))
                        .select(KeyRow::as_select())
                )?;
                rows.into_iter().map(KeyRow::read).collect()
            })
        })
        .await
    }
}

/// Rejects a row of another workspace. Such a row in a set is a bug of the caller.
pub(crate) fn own(ws: DbId, of: WorkspaceId) -> Result<(), Fault> {
    let foreign = || StoreError::Corrupt("a change set with a row of another workspace".to_owned());
    if ws == DbId::from(of) { Ok(()) } else { Err(foreign().into()) }
}

pub(crate) async fn found(c: &mut Connection<'_>, ws: DbId, founding: &Founding) -> Result<(), Fault> {
    let Founding { workspace, channel, owner } = founding;
    if let Some(live) = workspace.live_workspace {
        own(ws, live)?;
    }
    let id = DbId::from(workspace.id);
    write::insert(c, &[WorkspaceRow::write(workspace)]).await?;
    write::insert(c, &[ChannelRow::write(id, channel)]).await?;
    match owner {
        Some(owner) => write::insert(c, &[MemberRow::write(id, owner)]).await,
        None => Ok(()),
    }
}

/// Sets the key's end to `end`, decided at `at`.
pub(crate) async fn expire_key(
    c: &mut Connection<'_>,
    ws: DbId,
    key: KeyId,
    end: Timestamp,
    at: Timestamp,
) -> Result<(), Fault> {
    let target = api_keys::table
        .filter(api_keys::workspace_id.eq(ws))
        .filter(api_keys::id.eq(DbId::from(key)))
        .filter(api_keys::revoked_at.is_null());
    let touched = (api_keys::version.eq(api_keys::version + 1), api_keys::updated_at.eq(DbTime(at)));
    let rows = execute!(c, diesel::update(target).set((api_keys::expires_at.eq(DbTime(end)), touched)))?;
    exactly_one(rows, Conflict::Stale(Object::Key(key)))
}

pub(crate) async fn insert_key(c: &mut Connection<'_>, workspace: DbId, it: &ApiKey) -> Result<(), Fault> {
    own(workspace, it.workspace)?;
    let row = KeyRow {
        id: it.id.into(),
        workspace_id: workspace,
        name: it.name.clone(),
        scope: it.scope.as_str().to_owned(),
        digest: it.digest.to_vec(),
        prefix: it.prefix.clone(),
        last_four: it.last_four.clone(),
        created_at: it.created_at.into(),
        expires_at: it.expires_at.map(Into::into),
        revoked_at: it.revoked_at.map(Into::into),
        last_used_at: it.last_used_at.map(Into::into),
        last_used_address: it.last_used_address.clone(),
        version: it.version,
        updated_at: Some(it.updated_at.into()),
        lineage: Some(it.lineage.into()),
    };
    write::insert(c, &[row]).await
}

pub(crate) async fn revoke_key(c: &mut Connection<'_>, ws: DbId, key: KeyId, at: Timestamp) -> Result<(), Fault> {
    let target = api_keys::table
        .filter(api_keys::workspace_id.eq(ws))
        .filter(api_keys::id.eq(DbId::from(key)))
        .filter(api_keys::revoked_at.is_null());
    let touched = (api_keys::version.eq(api_keys::version + 1), api_keys::updated_at.eq(DbTime(at)));
    let rows = execute!(c, diesel::update(target).set((api_keys::revoked_at.eq(DbTime(at)), touched)))?;
    exactly_one(rows, Conflict::Stale(Object::Key(key)))
}
