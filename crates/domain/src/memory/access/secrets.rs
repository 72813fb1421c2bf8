//! Secrets of workspaces.

use async_trait::async_trait;

use crate::access::Access;
use crate::memory::MemoryStore;
use crate::memory::tables::pages::{Answer, at, of, page};
use crate::pagination::{Page, PageRequest};
use crate::ports::SecretQueries;
use crate::secrets::Secret;

#[async_trait]
impl SecretQueries for MemoryStore {
    async fn get(&self, access: &Access, name: &str) -> Answer<Option<Secret>> {
        Ok(of(&self.lock().tables.secrets, access.workspace(), |it: &Secret| it.name == name).pop())
    }

    async fn all(&self, access: &Access) -> Answer<Vec<Secret>> {
        let mut secrets = of(&self.lock().tables.secrets, access.workspace(), |_| true);
        secrets.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(secrets)
    }

    async fn list(&self, access: &Access, request: PageRequest) -> Answer<Page<Secret>> {
        let secrets = of(&self.lock().tables.secrets, access.workspace(), |_| true);
        Ok(page(secrets, request, |it: &Secret| at(it.created_at, it.id)))
    }
}
