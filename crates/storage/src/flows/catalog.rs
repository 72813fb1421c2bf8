//! Objects of a workspace that flows refer to, cached in memory with the revision that a commit compares.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::prelude::*;
use quick_cache::Weighter;
use tidings_domain::catalog::Catalog;
use tidings_domain::flows::FlowStatus;
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::{
    CatalogQueries, Change, ChannelChange, FieldChange, FlowChange, OptOutChange, Row, StoreError,
};
use tidings_domain::stored::StoredRow;

use crate::Storage;
use crate::connection::faults::Fault;
use crate::connection::{Connection, find, load};
use crate::contacts::fields::FieldRow;
use crate::contacts::tags::TagRow;
use crate::conversations::channels::ChannelRow;
use crate::queries::types::DbId;
use crate::schema::{channels, custom_fields, flows, listener_revisions, opt_out_keys, tags};

/// Approximate memory limit of all cached catalogs, in bytes.
pub(crate) const HELD: u64 = 32 << 20;

/// The revision of a workspace that never had any of these objects.
pub(crate) const NEVER: i64 = 0;
/// Approximate memory of one object, in bytes.
const OBJECT: u64 = 512;

#[derive(Clone)]
pub(crate) struct WeighCatalog;

impl Weighter<DbId, Arc<Catalog>> for WeighCatalog {
    fn weight(&self, _: &DbId, it: &Arc<Catalog>) -> u64 {
        let objects = it.tags.len() + it.fields.len() + it.channels.len() + it.active_flows.len() + 1;
        let options = it.fields.iter().flat_map(|field| &field.options).map(|option| option.len() + 32).sum::<usize>();
        objects as u64 * OBJECT + options as u64
    }
}

/// Returns true if a change may affect the catalog. This process then reloads it without a notification.
pub(crate) fn may_change(change: &Change) -> bool {
    match change {
        Change::Insert(row) | Change::Update(row) => {
            matches!(row, Row::Stored(StoredRow::Tag(_) | StoredRow::CustomField(_)) | Row::Channel(_) | Row::Flow(_))
        }
        Change::Delete(_)
        | Change::Channel(ChannelChange::Delete { .. })
        | Change::Field(FieldChange::RetireOptions { .. })
        | Change::Flow(FlowChange::Delete { .. })
        | Change::OptOut(OptOutChange::MakeKey { .. })
        | Change::Sandbox(_) => true,
        Change::Access(_)
        | Change::Account(_)
        | Change::Analytics(_)
        | Change::Channel(
            ChannelChange::KeepUnparsed(_) | ChannelChange::RecordEvent { .. } | ChannelChange::UpdateHealth { .. },
        )
        | Change::Contact(_)
        | Change::Conversation(_)
        | Change::Erasure(_)
        | Change::Merge(_)
        | Change::OptOut(_)
        | Change::Field(_)
        | Change::Flow(_)
        | Change::Job(_)
        | Change::Reference(_)
        | Change::Sequence(_)
        | Change::Broadcast(_)
        | Change::Import(_)
        | Change::Tag(_)
        | Change::Webhook(_)
        | Change::Audit(_) => false,
    }
}

pub(crate) async fn revision(c: &mut Connection<'_>, ws: DbId) -> Result<i64, Fault> {
    let found: Option<i64> = find!(c, listener_revisions::table.find(ws).select(listener_revisions::catalog))?;
    Ok(found.unwrap_or(NEVER))
}

async fn read(c: &mut Connection<'_>, ws: DbId) -> Result<Catalog, Fault> {
    let revision = revision(c, ws).await?;
    let tags: Vec<TagRow> =
        load!(c, tags::table.filter(tags::workspace_id.eq(ws)).order(tags::id).select(TagRow::as_select()))?;
    let fields: Vec<FieldRow> = load!(
        c,
        custom_fields::table
            .filter(custom_fields::workspace_id.eq(ws))
            .order(custom_fields::key)
            .select(FieldRow::as_select())
    )?;
    let channels: Vec<ChannelRow> = load!(
        c,
        channels::table
            .filter(channels::workspace_id.eq(ws))
            .filter(channels::deleted_at.is_null())
            .select(ChannelRow::as_select())
    )?;
    let active_flows: Vec<(DbId, Option<i64>)> = load!(
        c,
        flows::table
            .filter(flows::workspace_id.eq(ws))
            .filter(flows::deleted_at.is_null())
            .filter(flows::status.eq(FlowStatus::Active.as_str()))
            .select((flows::id, flows::version_published))
    )?;
    let active_flows = active_flows.into_iter().filter_map(|(id, number)| Some((id.to_typed_id(), number?))).collect();
    let tags = tags.into_iter().map(|row| row.read(0)).map(|tag| (tag.id, tag)).collect();
    let fields = fields.into_iter().map(FieldRow::read).collect::<Result<_, _>>()?;
    let channels = channels.into_iter().map(ChannelRow::read).collect::<Result<_, _>>()?;
    let opt_out_key: Option<Vec<u8>> = find!(c, opt_out_keys::table.find(ws).select(opt_out_keys::sealed))?;
    Ok(Catalog { revision, tags, fields, channels, active_flows, opt_out_key })
}

#[async_trait]
impl CatalogQueries for Storage {
    async fn catalog(&self, workspace: WorkspaceId) -> Result<Arc<Catalog>, StoreError> {
        let ws = DbId::from(workspace);
        if let Some(held) = self.catalogs.get(&ws) {
            return Ok(held);
        }
        let found = self.read_as_one(ws, move |mut c| Box::pin(async move { read(&mut c, ws).await })).await?;
        let found = Arc::new(found);
        self.catalogs.insert(ws, Arc::clone(&found));
        Ok(found)
    }
}
