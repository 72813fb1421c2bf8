//! Saved replies.

use async_trait::async_trait;

use super::apply::{Applied, unique};
use super::pages::{Answer, at, of, page};
use super::{MemoryStore, State};
use crate::access::Access;
use crate::ids::{SavedReplyId, WorkspaceId};
use crate::pagination::{Page, PageRequest};
use crate::ports::{SavedReplyQueries, UniqueKey};
use crate::saved_replies::SavedReply;

impl State {
    pub(super) fn reply_name_free(&self, ws: WorkspaceId, it: &SavedReply) -> Applied {
        let mut others = self.saved_replies.iter().filter(|((of, id), _)| *of == ws && *id != it.id);
        unique(others.any(|(_, other)| other.name_key() == it.name_key()), UniqueKey::SavedReplyName)
    }
}

#[async_trait]
impl SavedReplyQueries for MemoryStore {
    async fn get(&self, access: &Access, reply: SavedReplyId) -> Answer<Option<SavedReply>> {
        Ok(self.lock().saved_replies.get(&(access.workspace(), reply)).cloned())
    }

    async fn by_name_key(&self, access: &Access, name: &str) -> Answer<Option<SavedReply>> {
        Ok(of(&self.lock().saved_replies, access.workspace(), |it| it.name_key() == name).pop())
    }

    async fn list(&self, access: &Access, request: PageRequest) -> Answer<Page<SavedReply>> {
        let replies = of(&self.lock().saved_replies, access.workspace(), |_| true);
        Ok(page(replies, request, |it: &SavedReply| at(it.created_at, it.id)))
    }
}
