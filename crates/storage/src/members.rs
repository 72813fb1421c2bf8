//! Members of workspaces.

use async_trait::async_trait;
use tidings_domain::access::{Access, Role};
use tidings_domain::ids::UserId;
use tidings_domain::ports::{MemberQueries, StoreError};

use crate::Storage;

#[async_trait]
impl MemberQueries for Storage {
    /// No user can sign in yet, so nobody is a member.
    async fn role(&self, _: &Access, _: UserId) -> Result<Option<Role>, StoreError> {
        Ok(None)
    }
}
