//! Files, without their bytes.

use async_trait::async_trait;

use crate::access::Access;
use crate::ids::{ContactId, MediaId, WorkspaceId};
use crate::media::{Media, MediaUse};
use crate::memory::tables::pages::{Answer, of};
use crate::memory::{MemoryStore, State};
use crate::ports::MediaQueries;
use crate::references::Referent;

impl State {
    /// Records that a message with a contact uses a file. A deleted file stays deleted.
    pub(super) fn use_media(&mut self, ws: WorkspaceId, media: MediaId, contact: ContactId) {
        if let Some(it) = self.tables.media.get_mut(&(ws, media)) {
            let used_by = it.used_by.with(contact);
            it.version += i64::from(used_by != it.used_by);
            it.used_by = used_by;
        }
    }

    /// Deletes the files that only messages with a contact use. If an object refers to a file, the file stays, without the
    /// contact.
    pub(in crate::memory) fn remove_media_of(&mut self, ws: WorkspaceId, contact: ContactId) {
        let own =
            self.tables.media.iter().filter(|((of, _), it)| *of == ws && it.used_by == MediaUse::Contact(contact));
        let own: Vec<_> = own.map(|(key, _)| *key).collect();
        for key in own {
            if !self.is_referred_to(ws, Referent::Media(key.1)) {
                self.tables.media.remove(&key);
            } else if let Some(it) = self.tables.media.get_mut(&key) {
                it.used_by = MediaUse::Unused;
                it.version += 1;
            }
        }
    }

    /// Whether there are files that only messages with a contact use.
    pub(in crate::memory) fn has_media_of(&self, ws: WorkspaceId, contact: ContactId) -> bool {
        self.tables.media.iter().any(|((of, _), it)| *of == ws && it.used_by == MediaUse::Contact(contact))
    }

    /// Moves the files of a merged contact to the survivor.
    pub(in crate::memory) fn move_media(&mut self, ws: WorkspaceId, contact: ContactId, into: ContactId) {
        let of_workspace = self.tables.media.iter_mut().filter(|((of, _), _)| *of == ws);
        for (_, it) in of_workspace.filter(|(_, it)| it.used_by == MediaUse::Contact(contact)) {
            it.used_by = MediaUse::Contact(into);
            it.version += 1;
        }
    }
}

#[async_trait]
impl MediaQueries for MemoryStore {
    async fn get(&self, access: &Access, media: MediaId) -> Answer<Option<Media>> {
        Ok(self.lock().tables.media.get(&(access.workspace(), media)).cloned())
    }

    async fn by_ids(&self, access: &Access, media: &[MediaId]) -> Answer<Vec<Media>> {
        let state = self.lock();
        Ok(media.iter().filter_map(|id| state.tables.media.get(&(access.workspace(), *id)).cloned()).collect())
    }

    async fn of_contact(&self, access: &Access, contact: ContactId, limit: u32) -> Answer<Vec<MediaId>> {
        let (ws, state) = (access.workspace(), self.lock());
        let own =
            |it: &Media| it.used_by == MediaUse::Contact(contact) && !state.is_referred_to(ws, Referent::Media(it.id));
        let mut found = of(&state.tables.media, ws, own);
        found.sort_by_key(|it| (it.created_at, it.id));
        Ok(found.into_iter().map(|it| it.id).take(limit as usize).collect())
    }

    async fn total_size(&self, access: &Access) -> Answer<i64> {
        let all = of(&self.lock().tables.media, access.workspace(), |_| true);
        Ok(all.iter().map(|it: &Media| it.size).sum())
    }
}
