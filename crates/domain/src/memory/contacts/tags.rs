//! Tags and their links.

use async_trait::async_trait;

use crate::access::Access;
use crate::ids::{TagId, TypedId, WorkspaceId};
use crate::list_filter::NameFilter;
use crate::memory::{MemoryStore, State};
use crate::pagination::{Position, SortedPage, SortedRequest};
use crate::ports::{Conflict, Object, TagChange, TagQueries, UniqueKey};
use crate::stored::StoredId;
use crate::tags::Tag;

use crate::memory::apply::{Applied, insert, referenced, unique};
use crate::memory::tables::filter_fields::Filtered;
use crate::memory::tables::pages::{Answer, of, sorted_page};

impl State {
    pub(in crate::memory) fn change_tags(&mut self, ws: WorkspaceId, change: TagChange) -> Applied {
        match change {
            TagChange::Link { contact, tag, at } => {
                referenced(self.contacts.contains_key(&(ws, contact)))?;
                self.tables.tags.get(&(ws, tag)).ok_or(Conflict::Stale(Object::Stored(StoredId::Tag(tag))))?;
                unique(self.links.contains_key(&(ws, (contact, tag))), UniqueKey::TagLink)?;
                insert(&mut self.links, (ws, (contact, tag)), at)
            }
            TagChange::Unlink { contact, tag } => {
                self.links.remove(&(ws, (contact, tag))).map(|_| ()).ok_or_else(|| Conflict::NoLink.into())
            }
            TagChange::SweepLinks { tag, limit } => {
                let swept: Vec<_> =
                    self.links.keys().filter(|(of, (_, id))| *of == ws && *id == tag).copied().collect();
                for key in swept.iter().take(limit as usize) {
                    self.links.remove(key);
                }
                Ok(())
            }
        }
    }

    pub(in crate::memory) fn counted(&self, ws: WorkspaceId, mut tag: Tag) -> Tag {
        let carriers = self.links.keys().filter(|(owner, (_, id))| *owner == ws && *id == tag.id);
        let living = carriers.filter(|(_, (contact, _))| {
            self.contacts.get(&(ws, *contact)).is_some_and(|contact| contact.deleted_at.is_none())
        });
        tag.contact_count = i64::try_from(living.count()).unwrap_or(i64::MAX);
        tag
    }
}

#[async_trait]
impl TagQueries for MemoryStore {
    async fn get(&self, access: &Access, tag: TagId) -> Answer<Option<Tag>> {
        let (state, ws) = (self.lock(), access.workspace());
        Ok(state.tables.tags.get(&(ws, tag)).map(|tag| state.counted(ws, tag.clone())))
    }

    async fn by_ids(&self, access: &Access, tags: &[TagId]) -> Answer<Vec<Tag>> {
        Ok(of(&self.lock().tables.tags, access.workspace(), |tag| tags.contains(&tag.id)))
    }

    async fn by_name_keys(&self, access: &Access, names: &[String]) -> Answer<Vec<Tag>> {
        Ok(of(&self.lock().tables.tags, access.workspace(), |tag| names.contains(&tag.name_key())))
    }

    async fn names_have_sort_keys(&self) -> Answer<bool> {
        // Sort keys are computed on demand.
        Ok(true)
    }

    async fn list(&self, access: &Access, filter: &NameFilter, request: SortedRequest) -> Answer<SortedPage<Tag>> {
        let (state, ws) = (self.lock(), access.workspace());
        let admitted = of(&state.tables.tags, ws, |it: &Tag| filter.admits(&it.filter_fields()));
        let tags = admitted.into_iter().map(|tag| state.counted(ws, tag)).collect();
        let by = request.order.by;
        Ok(sorted_page(tags, request, |tag: &Tag| Position { at: tag.sort_key(by), id: tag.id.uuid() }))
    }

    async fn has_links(&self, access: &Access, tag: TagId) -> Answer<bool> {
        Ok(self.lock().links.keys().any(|(ws, (_, id))| *ws == access.workspace() && *id == tag))
    }
}
