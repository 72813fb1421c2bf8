//! The catalog of objects that flows refer to.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use async_trait::async_trait;

use crate::catalog::Catalog;
use crate::flows::FlowStatus;
use crate::ids::WorkspaceId;
use crate::memory::tables::pages::{Answer, of};
use crate::memory::{MemoryStore, State};
use crate::ports::CatalogQueries;

impl State {
    /// Builds the catalog. Its revision is a hash of the versions of its objects.
    pub(in crate::memory) fn catalog(&self, ws: WorkspaceId) -> Catalog {
        let tags = of(&self.tables.tags, ws, |_| true);
        let mut fields = of(&self.tables.custom_fields, ws, |_| true);
        let channels = of(&self.channels, ws, |_| true);
        fields.sort_by(|one, other| one.key.cmp(&other.key));
        let mut hasher = DefaultHasher::new();
        tags.iter().for_each(|it| (it.id, it.version).hash(&mut hasher));
        fields.iter().for_each(|it| (it.id, it.version, it.retired.len()).hash(&mut hasher));
        channels.iter().for_each(|it| (it.id, it.version).hash(&mut hasher));
        let flows = of(&self.flows, ws, |it| it.status == FlowStatus::Active);
        let active_flows: BTreeMap<_, _> =
            flows.into_iter().filter_map(|it| Some((it.id, it.version_published?))).collect();
        active_flows.hash(&mut hasher);
        let opt_out_key = self.opt_out_keys.get(&ws).map(|key| key.sealed.clone());
        opt_out_key.hash(&mut hasher);
        let revision = i64::from_ne_bytes(hasher.finish().to_ne_bytes());
        let tags = tags.into_iter().map(|tag| (tag.id, tag)).collect();
        Catalog { revision, tags, fields, channels, active_flows, opt_out_key }
    }
}

#[async_trait]
impl CatalogQueries for MemoryStore {
    async fn catalog(&self, workspace: WorkspaceId) -> Answer<Arc<Catalog>> {
        Ok(Arc::new(self.lock().catalog(workspace)))
    }
}
